#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# bits_wasm.sh SOURCE [FOLDER]: builds the library for WebAssembly and compares, under node, all stored digests at
# widths 1 and 2. FOLDER: the build folder, default a temporary one; that of scripts/playground.sh has the same objects.
# ./scripts/setup.sh long installs emscripten and node.
set -eu
source=$1
for program in emcc node meson ninja; do
    command -v "$program" >/dev/null 2>&1 || { echo "bits_wasm.sh: no $program; ./scripts/setup.sh long installs it"; exit 1; }
done
unset CC CFLAGS LDFLAGS
export EMSDK_PYTHON="${EMSDK_PYTHON:-/usr/bin/python3}" # Debian's, whatever is first on the PATH

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
build=${2:-$dir/build} again=''
if [ -f "$build/build.ninja" ]; then again=--reconfigure; fi
# shellcheck disable=SC2086 # empty or one word
meson setup $again "$build" "$source" --cross-file "$source/web/playground/emscripten.ini" -Dtests=auto >"$dir/log" 2>&1 &&
    ninja -C "$build" tests/bits.js >"$dir/log" 2>&1 || { tail -50 "$dir/log"; exit 1; }
node "$build/tests/bits.js" --thin 1 "$source/tests/data/bits.txt"

# The best width is 2 with vectors and 1 without.
cat >"$dir/width.c" <<'END'
#include <liegrp/base/width.h>
#include <stdlib.h>
int main(int argc, char **argv)
{
    return !(argc == 2 && lg_width_best() == atoi(argv[1]));
}
END
for way in '2 -msimd128' '1 -mno-simd128'; do
    emcc "${way#* }" -O1 -I "$source/include" -I "$source/src" -sSINGLE_FILE=1 -sEXIT_RUNTIME=1 \
        "$dir/width.c" "$source/src/base/width.c" -o "$dir/width.js"
    node "$dir/width.js" "${way%% *}" || { echo "bits_wasm.sh: ${way#* }: the best width is not ${way%% *}"; exit 1; }
done
