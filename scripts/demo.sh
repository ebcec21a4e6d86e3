#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# The first minute: builds the command line, with what it needs alone and without optimisation, and writes three pages
# to the folder demo/ that a browser opens from disk.
set -eu
cd "$(dirname "${BASH_SOURCE[0]}")/.."
mkdir -p demo

echo "Installs what is missing, builds the command line (a minute on two cores), writes three pages to demo/."
./scripts/setup.sh build
build=demo/build
if [ ! -f $build/build.ninja ]; then
    CC=${CC:-gcc} meson setup $build -Doptimization=0 -Dwidths= -Dtests=false -Ddocs=disabled -Dbenchmarks=disabled \
        -Dpython=disabled >demo/setup.log || { cat demo/setup.log >&2; exit 1; }
fi
ninja -C $build cli/liegrp
liegrp=$build/cli/liegrp

# page NAME WHAT ARGUMENT...: runs the command line with these arguments and writes the page demo/NAME.html.
page() {
    local name=$1
    printf '\n%s\n' "$2"
    shift 2
    echo "\$ liegrp run $* --view demo/$name.html"
    $liegrp run "$@" --view "demo/$name.html"
}

page ball "A ball on a turning table. Its path closes: the method keeps what the motion keeps." \
    rolling-ball --time 30
page sleigh "Chaplygin's sleigh, a body on a blade, with the default method; the page also shows the GNI, which reverses it." \
    chaplygin-sleigh --step 0.1 --time 100 --compare gni
stance=()
for leg in FR FL RR RL; do stance+=(--init "${leg}_thigh_joint=0.8" --init "${leg}_calf_joint=-1.6"); done
page robot "A robot from a URDF file falls on its feet, and its joints on their stops. Every joule is accounted for." \
    examples/robots/quadruped.urdf --floating --contacts ground --ground 0.8 "${stance[@]}" --init trunk_z=0.5 \
    --step 0.002 --time 1.5

cat <<END

open   demo/sleigh.html, demo/ball.html and demo/robot.html in a browser
read   docs/tutorial.md: from a free body to a robot of your own
try    $liegrp run snakeboard --time 30 --view demo/board.html
END
