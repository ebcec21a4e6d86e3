#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# The rolling ball on a rotating table: a table of errors against the exact solution on the terminal,
# demo/rolling-ball.csv and demo/rolling-ball.png. Installs and builds what it needs.
set -eu
cd "$(dirname "${BASH_SOURCE[0]}")/.."

./scripts/setup.sh build
if [ ! -f build/build.ninja ]; then
    CC=${CC:-gcc} meson setup build -Dtests=false -Ddocs=disabled -Dbenchmarks=disabled
fi
ninja -C build cli/liegrp examples/rolling_ball
mkdir -p demo
./build/examples/rolling_ball
