#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# playground.sh [FOLDER]: makes FOLDER/playground.html (default: build-playground), one file that holds the library as
# WebAssembly and opens from a disk (docs/playground.md). Needs emscripten, node and libjs-three: ./scripts/setup.sh web.
set -eu
cd "$(dirname "${BASH_SOURCE[0]}")/.."
folder=${1:-build-playground}

# Debian's own, whatever else is first on the PATH.
export EMSDK_PYTHON="${EMSDK_PYTHON:-/usr/bin/python3}" NODE_PATH="/usr/share/nodejs${NODE_PATH:+:$NODE_PATH}"
unset CC CFLAGS LDFLAGS
again=''
if [ -f build-playground/build.ninja ]; then again=--reconfigure; fi
# shellcheck disable=SC2086 # empty or one word
meson setup $again build-playground --cross-file web/playground/emscripten.ini -Dtests=auto
ninja -C build-playground web/playground/playground.html
mkdir -p "$folder"
cp build-playground/web/playground/playground.html "$folder/playground.html"
echo "$folder/playground.html: $(stat -c %s "$folder/playground.html") bytes"
