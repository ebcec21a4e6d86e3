#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# site.sh [BUILD]: the manual as a site, in BUILD/docs/site (default build): the pages of docs/ and the Python reference,
# searched without a network, beside Doxygen's reference of the headers in BUILD/docs/html. A warning is an error.
set -eu
cd "$(dirname "${BASH_SOURCE[0]}")/.."
build=${1:-build}
if [ ! -f "$build/build.ninja" ]; then CC=${CC:-gcc} meson setup "$build" -Ddocs=enabled -Dpython=enabled; fi
ninja -C "$build"
LIEGRP_VERSION=$(sed -n "s/.*version: '\([0-9.]*\)'.*/\1/p" meson.build | head -n 1)
export LIEGRP_VERSION LIEGRP_TAGS=$PWD/$build/docs/liegrp.tag
LIEGRP_KATEX=$PWD/$build/docs/html/katex
[ -d "$LIEGRP_KATEX" ] || LIEGRP_KATEX=''
export LIEGRP_KATEX
export PYTHONPATH=$PWD/$build/python LD_LIBRARY_PATH=$PWD/$build/src
rm -rf "$build/docs/site"
/usr/bin/python3 -m sphinx -q -W --keep-going -E -b html -d "$build/docs/site.cache" -c docs/site docs "$build/docs/site"
/usr/bin/python3 scripts/licences.py "$build/docs/site"
echo "$build/docs/site/mainpage.html"
