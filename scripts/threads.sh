#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# What runs on several threads, under clang's ThreadSanitizer with every kernel instrumented: integrators, motions and
# ensembles side by side, forks, the ledger's workers. Clang's OpenMP tells the sanitizer of its barriers (archer).
#   threads.sh [BUILD-FOLDER]     default build-threads
set -u
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 1
build=${1:-build-threads}
tests=(threads ensemble ensemble_controls ensemble_failures ensemble_halvings fork ensembles batch report)

again=''
if [ -f "$build/build.ninja" ]; then again=--reconfigure; fi
# shellcheck disable=SC2086 # empty or one word
CC=clang meson setup $again "$build" -Dbuildtype=debugoptimized -Db_sanitize=thread -Db_lundef=false -Ddocs=disabled \
    -Dbenchmarks=disabled -Dpython=disabled || exit 1
ninja -C "$build" || exit 1
archer=$(ls /usr/lib/llvm-*/lib/libarcher.so 2>/dev/null | tail -1)
if [ -z "$archer" ]; then
    echo 'threads.sh: there is no libarcher.so; ./scripts/setup.sh test installs libomp-dev, which has it' >&2
    exit 1
fi
export OMP_TOOL_LIBRARIES=$archer
export TSAN_OPTIONS="ignore_noninstrumented_modules=1 die_after_fork=0 exitcode=66"
export LG_TEST_REDUCED=1
exec meson test -C "$build" --no-rebuild --print-errorlogs --timeout-multiplier 8 "${tests[@]}"
