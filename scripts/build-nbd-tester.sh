#!/bin/sh
# Builds nbd-tester-client, the NBD project's own test client, with its recorded traces. Debian has it in the source package
# `nbd` only. It is GPL and never comes into this tree: everything stays in the cache folder below, where the tests look.
#
#   scripts/build-nbd-tester.sh            fetches the source with apt
#   scripts/build-nbd-tester.sh FOLDER     uses the source in FOLDER
set -eu

tools=${XDG_CACHE_HOME:-$HOME/.cache}/diskwright-test-tools
[ -x "$tools/nbd-tester-client" ] && [ -f "$tools/integrityhuge-test.tr" ] && exit 0

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
source=${1:-}
# from_apt SUITE: the source package of a release of Debian, or without a name of the system's own. A private copy of the package
# lists with the source packages switched on; the system's own stay as they are.
from_apt() {
    rm -rf "$work/parts" "$work/lists"
    mkdir -p "$work/parts" "$work/lists/partial"
    for file in /etc/apt/sources.list /etc/apt/sources.list.d/debian.sources /etc/apt/sources.list.d/ubuntu.sources; do
        [ -s "$file" ] || continue
        name=${file##*/}
        [ "$name" = sources.list ] && name=all.list
        sed -e 's/^Types:.*/Types: deb-src/' -e '/^deb-src /d' -e 's/^deb /deb-src /' "$file" >"$work/parts/$name"
        if [ -n "$1" ]; then
            # Its security updates are in a place of their own, with suites of their own.
            sed -i -E -e "s/^Suites:.*-security.*/Suites: $1-security/" -e t -e "s/^Suites:.*/Suites: $1/" \
                -e '/^deb-src.*-(security|updates|backports) /d' \
                -e "s/^(deb-src( \[[^]]*\])? [^ ]+) [^ ]+/\1 $1/" "$work/parts/$name"
        fi
    done
    set -- -o Dir::Etc::sourcelist=/dev/null -o "Dir::Etc::sourceparts=$work/parts" \
        -o "Dir::State::lists=$work/lists" -o APT::Sandbox::User="$(id -un)"
    apt-get "$@" update -qq && (cd "$work" && apt-get "$@" source -qq nbd)
}
if [ -z "$source" ]; then
    # Some mirrors keep the source of the newer release only.
    from_apt "" || from_apt trixie
    source=$(find "$work" -maxdepth 1 -type d -name 'nbd-*')
fi

# Its configure script wants the kernel's netlink library and more; the test client needs none of that.
cat >"$work/config.h" <<'CONFIG'
#define _GNU_SOURCE 1
#define HAVE_GNUTLS 1
#define HAVE_MKSTEMP 1
#define NBD_LFS 1
#define PACKAGE_VERSION "3"
#define SIZEOF_INT 4
#define SIZEOF_LONG_LONG_INT 8
#define SIZEOF_SHORT_INT 2
#define SIZEOF_UNSIGNED_INT 4
#define SIZEOF_UNSIGNED_LONG_INT 8
#define SIZEOF_UNSIGNED_LONG_LONG_INT 8
#define SIZEOF_UNSIGNED_SHORT_INT 2
#define VERSION "3"
CONFIG
# shellcheck disable=SC2046 # lists of flags
${CC:-cc} -O1 -w -I"$work" -I"$source" -o "$work/nbd-tester-client" "$source/tests/run/nbd-tester-client.c" \
    "$source/cliserv.c" "$source/crypto-gnutls.c" "$source/buffer.c" $(pkg-config --cflags --libs glib-2.0 gnutls)
mkdir -p "$tools"
cp "$source/tests/run/integrity-test.tr" "$source/tests/run/integrityhuge-test.tr" "$work/nbd-tester-client" "$tools/"
