#!/usr/bin/env bash
# Audits FILES for a pull request: diskwright-audit.md (a comment), diskwright-audit.sarif, diskwright-audit.xml (JUnit), and exit code 5
# where a finding is as bad as FAIL_ON. BASELINE, WAIVERS and PROGRAM may be empty. What action.yml runs.
set -euo pipefail
program=${PROGRAM:-diskwright}
read -r -a files <<<"${FILES:?FILES names no inventory}"
read -r -a bases <<<"${BASELINE:-}"
options=(audit "${files[@]}")
for base in ${bases[@]+"${bases[@]}"}; do options+=(--baseline "$base"); done
[ -z "${WAIVERS:-}" ] || options+=(--waivers "$WAIVERS")
"$program" "${options[@]}" --format markdown -o diskwright-audit.md
"$program" "${options[@]}" --format sarif -o diskwright-audit.sarif
if [ -n "${GITHUB_OUTPUT:-}" ]; then
  printf 'comment=diskwright-audit.md\nsarif=diskwright-audit.sarif\n' >>"$GITHUB_OUTPUT"
fi
if [ -n "${GITHUB_STEP_SUMMARY:-}" ]; then cat diskwright-audit.md >>"$GITHUB_STEP_SUMMARY"; fi
"$program" "${options[@]}" --format junit --fail-on "${FAIL_ON:-warning}" -o diskwright-audit.xml
