#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Runs the whole suite except `long` with gcc; then, with clang and the address and undefined-behaviour sanitizers, the
# reduced sets of all tests but those of the suite `once`. In that build undefined behaviour traps (SIGILL, no message),
# and kernels for AVX2 and AVX-512 are not compiled; `scripts/ci-long.sh once` has clang without sanitizers, gcc with
# them, messages and kernels. Installs the packages it needs. The last line is "N passed, N failed". It ends within 15
# minutes on two idle cores.
#   meson test -C build --suite long    runs the rest
set -u
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 1

passed=0
failed=0
broken=''

# failures TITLE DIR: a line and words for each test of the last run that did not pass, for the end of the whole output.
failures() {
    python3 - "$1" "$2/meson-logs/testlog.json" <<'END'
import json, sys
title, path = sys.argv[1:]
for line in open(path):
    test = json.loads(line)
    if test["result"] not in ("OK", "EXPECTEDFAIL"):
        print(f'{title}: {test["name"]}: {test["result"]} (code {test.get("returncode")}, {test["duration"]:.0f} s)')
        print("    " + "\n    ".join((test.get("stdout", "") + test.get("stderr", "")).splitlines()[-20:]))
END
}

# results DIR PATTERN: the number of tests of the last run with this result.
results() {
    local count
    count=$(grep -s -c -E "\"result\": \"($2)\"" "$1/meson-logs/testlog.json")
    echo "${count:-0}"
}

# stage TITLE DIR COMPILER [MESON-SETUP-ARGUMENT...]: configure, build, test, count. A failed build counts as one failure.
# $leave are arguments of meson test.
stage() {
    local title=$1 dir=$2 compiler=$3 again='' status=0 good bad
    shift 3
    printf '\n== %s ==\n' "$title"
    if [ -f "$dir/build.ninja" ]; then again=--reconfigure; fi
    # shellcheck disable=SC2086 # empty or one word
    if ! CC=$compiler meson setup $again "$dir" "$@" || ! ninja -C "$dir"; then
        failed=$((failed + 1))
        broken+="$title: the build failed"$'\n'
        return
    fi
    rm -f "$dir/meson-logs/testlog.json"
    # shellcheck disable=SC2086 # words
    meson test -C "$dir" --no-rebuild --print-errorlogs --timeout-multiplier "$timeouts" \
        --num-processes $(($(nproc) + 1)) $leave || status=$? # one more: some tests wait
    good=$(results "$dir" 'OK|EXPECTEDFAIL')
    bad=$(results "$dir" 'FAIL|ERROR|TIMEOUT|UNEXPECTEDPASS|INTERRUPT')
    if [ "$bad" -eq 0 ] && { [ "$status" -ne 0 ] || [ "$good" -eq 0 ]; }; then bad=1; fi # no test at all is a failure
    if [ "$bad" -gt 0 ] || [ "$(results "$dir" SKIP)" -gt 0 ]; then broken+=$(failures "$title" "$dir" 2>&1)$'\n'; fi
    passed=$((passed + good))
    failed=$((failed + bad))
}

if ./scripts/setup.sh test; then
    timeouts=2
    leave=''
    everything='-Dtests=true -Dauto_features=enabled' # what is missing ends the build, and leaves no test out
    # shellcheck disable=SC2086 # words
    stage 'gcc' build "${GCC:-gcc}" $everything -Ddocs=auto -Dbenchmarks=auto -Dpython=auto
    export LG_TEST_REDUCED=1
    leave='--no-suite once'
    timeouts=8
    # shellcheck disable=SC2086 # words
    stage 'clang, address and undefined-behaviour sanitizers' build-clang-sanitize clang $everything -Dbuildtype=debugoptimized \
        -Doptimization=1 -Db_sanitize=address,undefined -Db_lundef=false -Dwidths= -Ddocs=disabled -Dbenchmarks=disabled \
        -Dpython=disabled -Dc_args='-fsanitize-trap=undefined -fno-sanitize=null,pointer-overflow' # half of the code
else
    failed=1
fi

echo
if [ -n "$broken" ]; then printf '%s\n' "$broken"; fi
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
