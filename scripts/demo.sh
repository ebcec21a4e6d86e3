#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# The rolling ball on a rotating table: prints a table of errors against the exact solution and writes
# demo/rolling-ball.csv and its picture, demo/rolling-ball.png. Then the Chaplygin sleigh with the default method and with the GNI,
# which reverses it: demo/sleigh-sem.png and demo/sleigh-gni.png. Installs and builds what it needs.
set -eu
cd "$(dirname "${BASH_SOURCE[0]}")/.."

./scripts/setup.sh build
if [ ! -f build/build.ninja ]; then
    CC=${CC:-gcc} meson setup build -Dtests=false -Ddocs=disabled -Dbenchmarks=disabled -Dpython=disabled
fi
ninja -C build cli/liegrp examples/rolling_ball
mkdir -p demo
./build/examples/rolling_ball
./build/cli/liegrp figure rolling-ball --output demo/rolling-ball.png

for method in sem gni; do
    echo
    ./build/cli/liegrp run chaplygin-sleigh --method $method --retraction cayley --step 0.1 --time 200 \
        --plot demo/sleigh-$method.png
done
