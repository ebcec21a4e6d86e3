#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# pictures.sh [NAME...]: makes the pictures of README.md and docs/ anew (docs/pictures/README.md), all or those whose names
# start so, by the commands next to them. Needs a build (build/) with Python, gnuplot, and for pictures of scenes
# Debian's chromium.
set -eu
cd "$(dirname "${BASH_SOURCE[0]}")/.."
ninja -C build cli/liegrp
exec /usr/bin/python3 scripts/pictures.py "$PWD" "$PWD/build" "$@"
