#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# The long stages of continuous integration. Without arguments all of them; with arguments those named. .ci/run runs seven.
#   ci-long.sh fuzz        the fuzzing targets (docs/trust.md), from the committed corpus
#   ci-long.sh threads     what runs on several threads, under ThreadSanitizer
#   ci-long.sh once        what scripts/test.sh leaves out: clang without sanitizers (whole sets), gcc with them and with
#                          their words, kernels for AVX2 and AVX-512 with both
#   ci-long.sh long        the suite `long`
#   ci-long.sh python      * the Python package by pip into a virtual environment, and the examples of the pages there
#   ci-long.sh wheel       the wheel: built, and used on clean systems of two releases of Debian, without a compiler
#   ci-long.sh arm64       64-bit ARM under qemu: digests, accuracy of the groups, ensembles; no fused multiply-adds
#   ci-long.sh browser     * pages of runs and the playground in Chromium, and a build without three.js
#   ci-long.sh packages    * the Debian packages: built, installed and used on a clean system
#   ci-long.sh wasm        * the stored digests in WebAssembly under node
#   ci-long.sh installed   * the examples of README, tutorial and Python pages, and view(), from an installed tree
#   ci-long.sh demo        * the first command of the README, and its pages
#   ci-long.sh manual      * the manual, by Doxygen and as a site: no markup is seen, no link is dead
#   ci-long.sh reproducible  two builds in two folders install the same bytes
#   ci-long.sh coverage    the branches that the fast suite takes
# * a stage of .ci/run
# Settings:
#   FUZZ_SECONDS   of all targets together, default 120
#   FUZZ_RUNS      executions of all targets together instead of a time, such as 100000000
#   FUZZ_TARGETS   which, default all
#   FUZZ_CORPUS    a folder that keeps the fuzzer's inputs from run to run, NAME/ for each target; default: a
#                  temporary one
#   GCC            the compiler of build/ and build-installed/, default gcc
# Inputs that break a target stay in build-fuzz/found/. The last line is "N stages passed, N failed".
set -u
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 1

stages='fuzz threads once long python wheel arm64 wasm browser packages installed demo manual reproducible coverage'
tests=$PWD/tests/fuzz # whole paths: a target may change its folder

# set_up DIR COMPILER [MESON-SETUP-ARGUMENT...]: configures a build folder, or one that is there once more.
set_up() {
    local dir=$1 compiler=$2 again=''
    shift 2
    if [ -f "$dir/build.ninja" ]; then again=--reconfigure; fi
    # shellcheck disable=SC2086 # empty or one word
    CC=$compiler meson setup $again "$dir" "$@"
}

# ---- fuzz ----

# fuzz_one NAME LIMIT...: a target with its dictionary; prints executions, rate, coverage.
fuzz_one() {
    local name=$1 log=build-fuzz/found/$1.log status=0 words=() kept
    shift
    if [ -f "$tests/dictionaries/$name.dict" ]; then words=("-dict=$tests/dictionaries/$name.dict"); fi
    kept=${FUZZ_CORPUS:-$scratch}/$name
    mkdir -p "$kept" && kept=$(cd "$kept" && pwd) || return 1
    # -close_fd_mask: what the tool prints goes nowhere
    OPENBLAS_NUM_THREADS=1 OMP_NUM_THREADS=1 UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1 \
        ASAN_OPTIONS=allocator_may_return_null=1:detect_leaks=1:intercept_tls_get_addr=0 \
        "build-fuzz/tests/fuzz/fuzz_$name" -close_fd_mask=3 -timeout=20 -rss_limit_mb=3000 -malloc_limit_mb=2000 \
        -max_len=2048 -entropic=0 -print_final_stats=1 -artifact_prefix="$PWD/build-fuzz/found/$name-" "${words[@]}" "$@" \
        "$kept" "$tests/corpus/$name" >"$log" 2>&1 || status=$?
    awk -v name="$name" -v status="$status" '
        /stat::number_of_executed_units/ { runs = $2 }
        /stat::average_exec_per_sec/ { rate = $2 }
        / cov: / { for (i = 1; i < NF; i++) if ($i == "cov:") cov = $(i + 1) }
        END { printf "%-12s %12d executions %8d a second %7d edges  %s\n", name, runs, rate, cov,
              status == 0 ? "nothing found" : "BROKEN" }' "$log"
    if [ "$status" -ne 0 ]; then tail -n 60 "$log"; fi
    return "$status"
}

stage_fuzz() {
    local targets count status=0 limit scratch
    set_up build-fuzz "${FUZZ_CC:-clang}" -Dfuzz=true -Dbuildtype=debugoptimized -Doptimization=2 \
        -Db_sanitize=address,undefined -Db_lundef=false -Ddocs=disabled -Dbenchmarks=disabled -Dmpi=disabled -Dpython=disabled || return 1
    targets=${FUZZ_TARGETS:-$(cd "$tests/corpus" && echo *)}
    # shellcheck disable=SC2086 # a list
    ninja -C build-fuzz $(printf 'tests/fuzz/fuzz_%s ' $targets) || return 1
    mkdir -p build-fuzz/found
    scratch=$(mktemp -d)
    count=$(wc -w <<<"$targets")
    if [ -n "${FUZZ_RUNS:-}" ]; then
        limit=-runs=$((FUZZ_RUNS / count))
    else
        limit=-max_total_time=$((${FUZZ_SECONDS:-120} / count))
    fi
    for name in $targets; do fuzz_one "$name" "$limit" || status=1; done
    rm -rf "$scratch"
    return "$status"
}

# ---- the others ----

stage_threads() {
    ./scripts/threads.sh
}

stage_coverage() {
    ./scripts/coverage.sh
}

# suite_in DIR COMPILER SUITES MULTIPLIER [MESON-SETUP-ARGUMENT...]: a build and some suites of its tests.
suite_in() {
    local dir=$1 compiler=$2 suites=$3 timeouts=$4
    shift 4
    set_up "$dir" "$compiler" "$@" && ninja -C "$dir" || return 1
    # shellcheck disable=SC2046,SC2086 # a list
    meson test -C "$dir" --no-rebuild --print-errorlogs --timeout-multiplier "$timeouts" $(printf -- '--suite %s ' $suites)
}

stage_once() {
    local status=0
    suite_in build-clang clang fast 2 -Dwidths=4,8 -Ddocs=disabled -Dpython=disabled || status=1
    LG_TEST_REDUCED=1 suite_in build-gcc-sanitize gcc fast 8 -Dbuildtype=debugoptimized -Doptimization=1 \
        -Db_sanitize=address,undefined -Db_lundef=false -Dwidths=4,8 -Ddocs=disabled -Dbenchmarks=disabled \
        -Dpython=disabled || status=1
    return "$status"
}

stage_long() {
    suite_in build "${GCC:-gcc}" long 2
}

# ---- python ----

stage_python() {
    python/tests/install.sh
}

# ---- wheel, arm64 ----

stage_wheel() {
    local folder status=0
    folder=$(mktemp -d)
    ./scripts/wheel.sh "$folder" && tests/install/wheel.sh "$folder"/*.whl || status=1
    rm -rf "$folder"
    return "$status"
}

stage_arm64() {
    tests/aarch64/run.sh "$PWD"
}

# ---- browser ----

stage_browser() {
    local status=0
    set_up build "${GCC:-gcc}" -Dview=enabled && ninja -C build cli/liegrp || return 1
    /usr/bin/python3 tests/web/browser.py build/cli/liegrp || status=1
    /usr/bin/python3 tests/web/viewer.py build/cli/liegrp || status=1
    tests/web/without.sh || status=1
    ./scripts/playground.sh && /usr/bin/python3 tests/web/playground.py build-playground/playground.html build/cli/liegrp || status=1
    return "$status"
}

# ---- packages ----

stage_packages() {
    local folder status=0
    folder=$(mktemp -d)
    ./scripts/package.sh "$folder" && tests/install/packages.sh "$folder" "$([ ! -x build/cli/liegrp ] || echo build/cli/liegrp)" || status=1
    rm -rf "$folder"
    return "$status"
}

# ---- wasm ----

stage_wasm() {
    tests/web/bits_wasm.sh "$PWD" "$PWD/build-playground" # whose objects the stage `browser` takes, too
}

# ---- installed, demo, manual ----

stage_installed() {
    local prefix=$PWD/build-installed/prefix
    rm -rf "$prefix" # what is no longer installed is no longer there
    set_up build-installed "${GCC:-gcc}" --prefix "$prefix" -Dauto_features=enabled -Dtests=false -Ddocs=disabled -Dbenchmarks=disabled &&
        meson install -C build-installed && tests/install/licences.sh "$prefix" &&
        tests/install/examples.sh /usr/bin/python3 "$prefix"
}

stage_demo() {
    rm -rf demo
    ./scripts/demo.sh || return 1
    for name in ball sleigh robot; do grep -q '</html>' "demo/$name.html" || return 1; done
}

stage_manual() {
    local status=0
    set_up build "${GCC:-gcc}" -Ddocs=enabled -Dpython=enabled && ./scripts/site.sh build || return 1
    for folder in html site; do python3 tests/docs/manual.py "build/docs/$folder" || status=1; done
    node tests/docs/search.js build/docs/site || status=1
    tests/install/licences.sh build/docs/html build/docs/site || status=1
    return "$status"
}

stage_reproducible() {
    tests/install/reproducible.sh
}

# ---- all ----

if [ "$#" -eq 0 ]; then
    # shellcheck disable=SC2086 # a list
    set -- $stages
fi
./scripts/setup.sh long || exit 1
passed=0
failed=0
broken=''
for stage in "$@"; do
    printf '\n== %s ==\n' "$stage"
    if ! declare -F "stage_$stage" >/dev/null; then
        echo "ci-long.sh: unknown stage '$stage'; expected: $stages" >&2
        failed=$((failed + 1)) broken+=" $stage"
    elif SECONDS=0 && "stage_$stage"; then
        passed=$((passed + 1))
        printf '%s: %d s\n' "$stage" "$SECONDS"
    else
        failed=$((failed + 1)) broken+=" $stage"
    fi
done
echo
[ -z "$broken" ] || echo "failed:$broken"
echo "$passed stages passed, $failed failed"
[ "$failed" -eq 0 ]
