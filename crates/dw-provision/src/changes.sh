#
#   changes.sh           shows what would be run
#   changes.sh --apply   runs it, up to the first command that fails

# Names in quotes are meant as they stand.
# shellcheck disable=SC2016

set -euo pipefail
apply=no
case ${1:-} in
'') ;;
--apply) apply=yes ;;
*)
    echo "no option $1: --apply, or nothing" >&2
    exit 2
    ;;
esac

run() {
    if [ "$apply" = no ]; then printf '  would run:'; else printf ' '; fi
    printf ' %q' "$@"
    echo
    if [ "$apply" = yes ]; then "$@" >/dev/null; fi
}
