#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# run.sh SOURCE: builds the library without LAPACK for 64-bit ARM, in a directory of its own, and runs under qemu what
# its tests can be there (tests/meson.build, `lapack`): the stored digests of all systems and group operations at widths
# 1 and 2, the accuracy of group operations, blocks of lanes, ensembles; and looks for fused multiply-adds.
# ./scripts/setup.sh long installs the cross compiler and qemu.
set -eu
source=$1
for program in aarch64-linux-gnu-gcc aarch64-linux-gnu-objdump qemu-aarch64 meson ninja; do
    command -v "$program" >/dev/null 2>&1 || { echo "run.sh: no $program; ./scripts/setup.sh long installs it"; exit 1; }
done

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
unset CC CFLAGS LDFLAGS
LG_TEST_REDUCED=1 # emulation is slow
export LG_TEST_REDUCED
meson setup "$dir/build" "$source" --cross-file "$source/tests/aarch64/cross.ini" -Dlapack=disabled >"$dir/log" ||
    { cat "$dir/log"; exit 1; }
ninja -C "$dir/build" >"$dir/log" 2>&1 || { tail -50 "$dir/log"; exit 1; }
meson test -C "$dir/build" --no-rebuild --print-errorlogs --timeout-multiplier 20
OBJDUMP=aarch64-linux-gnu-objdump "$source/tests/build/no_fma.sh" "$dir/build/src/libliegrp.a"
