#!/bin/sh
# Every checked-in variant that this machine can run: fresh, clean, correct. Reports: BUILD/verify.md, verify.xml (JUnit)
# and verify.sarif. VERIFY_OPTIONS is --no-benchmark unless it is set: shared runners are too noisy for speed; on a
# machine of your own set it to, say, "--min-speedup 1.1".
# usage: verify.sh SOURCE BUILD [option of cmake…]; exit status 3 if a variant falls short
set -eu
source=$1 build=$2
shift 2
cmake -S "$source" -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Release "$@"
status=0
# shellcheck disable=SC2086 # a list of words
agentic-kernel verify --build-dir "$build" --markdown "$build/verify.md" --junit "$build/verify.xml" \
  --sarif "$build/verify.sarif" ${VERIFY_OPTIONS---no-benchmark} || status=$?
if [ -n "${GITHUB_STEP_SUMMARY:-}" ] && [ -f "$build/verify.md" ]; then
  cat "$build/verify.md" >>"$GITHUB_STEP_SUMMARY"
fi
exit "$status"
