#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# coverage.sh [OPTION of coverage.py...]: builds with counters into build-coverage/, runs the fast suite once and prints
# which branches it took, by folder. Fails below 92 % of the branches of a folder. The ledger is left out, since it
# takes a third of the time and other tests call the same code. Of most commands every fault is injected, not only those
# of the fast suite. Earlier counts are deleted. To add a single test: meson test -C build-coverage NAME, then
# scripts/coverage.py build-coverage --missing FILE.
set -eu
cd "$(dirname "${BASH_SOURCE[0]}")/.."
dir=build-coverage

./scripts/setup.sh test
again=''
if [ -f "$dir/build.ninja" ]; then again=--reconfigure; fi
# Branches are those of the source: no inlining (`always_inline` neither, which would make one branch a hundred), and no
# optimisation before the counters are placed. Asserts are off, as in the library that is installed. Counters are
# atomic: ensembles step in threads.
# shellcheck disable=SC2086 # empty or one word
CC=gcc meson setup $again "$dir" -Dbuildtype=release -Doptimization=1 -Db_ndebug=true -Db_coverage=true \
    -Dwerror=false -Dwarning_level=0 -Dtests=true -Ddocs=disabled -Dbenchmarks=disabled -Dpython=disabled \
    '-Dc_args=-fno-inline -fdisable-tree-early_optimizations -fprofile-update=atomic -Dalways_inline=unused'
ninja -C "$dir" >"$dir/notes.txt" 2>&1 || { # gcc notes for each file that the pass is off
    grep -v 'note: disable pass' "$dir/notes.txt" | tail -30
    exit 1
}
find "$dir" -name '*.gcda' -delete
failed=0
meson test -C "$dir" --no-rebuild --no-suite claims --no-suite docs --no-suite install --no-suite build \
    --timeout-multiplier 20 || failed=1
for command in list info 'run ' sweep convergence 'figure 000'; do
    LG_FAULT_COMMAND=$command tests/faults/commands.py "$dir/cli/liegrp" "$dir/tests/fault-injector" \
        "$dir/tests/fault-shim.so" examples/robots --all || failed=1
done
python3 scripts/coverage.py "$dir" "$@" || failed=1
exit "$failed"
