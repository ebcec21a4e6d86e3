#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# wheel.sh [FOLDER]: builds a wheel of the Python package, with the tool, from the tracked files, and leaves it in FOLDER
# (default packages/). It contains the shared libraries that it needs, with their licences, except the C library: it
# installs where the Python and the glibc of its name are, without a compiler. ./scripts/setup.sh long installs what is
# needed here. Settings: CC, the compiler.
set -eu
cd "$(dirname "${BASH_SOURCE[0]}")/.."
sources=$PWD out=${1:-packages}
mkdir -p "$out" && out=$(cd "$out" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

mkdir "$work/liegrp"
git ls-files -z | xargs -0 tar -cf - | tar -xf - -C "$work/liegrp"
# Debian's Python: another one has none of the packages.
/usr/bin/python3 -m pip wheel --no-build-isolation --no-deps --no-index --quiet --config-settings builddir=build \
    --wheel-dir "$work/made" "$work/liegrp"
/usr/bin/python3 "$sources/scripts/wheel.py" "$work"/made/*.whl "$out"
