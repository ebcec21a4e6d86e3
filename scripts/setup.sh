#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Installs the missing Debian packages, and no others.
#   setup.sh build    what the library, the command line and the demo need
#   setup.sh test     that, and what the whole test suite needs (default)
#   setup.sh long     that, and what scripts/ci-long.sh, scripts/wheel.sh and scripts/site.sh need
#   setup.sh web      what scripts/playground.sh needs
#   setup.sh package  that of `build`, and what scripts/package.sh and its test need
#   setup.sh bench    that of `test`, and SUNDIALS (with many dependencies, such as PETSc and gfortran), MuJoCo, Simbody,
#                     KDL, ODE, Bullet and Boost for bench_peers and bench_race, IPOPT for bench_optima
set -eu

what=${1:-test}

# One line per need: how to detect it, and the package that provides it.
# "command X": a program; "pkg X": a pkg-config module; "header X": gcc finds it;
# "file X": it is there; "clang X": clang finds it; "fuzzer X": clang links libFuzzer; "python X": Debian's Python imports it.
build_needs='
command gcc             gcc
header  stdio.h         libc6-dev
command meson           meson
command ninja           ninja-build
command pkg-config      pkg-config
pkg     lapacke         liblapacke-dev
pkg     openblas        libopenblas-dev
pkg     expat           libexpat1-dev
pkg     zlib            zlib1g-dev
pkg     hdf5-serial     libhdf5-dev
pkg     libcjson        libcjson-dev
command gnuplot         gnuplot-nox
file    /usr/share/javascript/three/build/three.min.js libjs-three
'
test_needs='
command g++             g++
command clang           clang
command ld.lld          lld
clang   omp.h           libomp-dev
command objdump         binutils
pkg     cmocka          libcmocka-dev
pkg     gsl             libgsl-dev
pkg     ompi-c          libopenmpi-dev
command mpirun          openmpi-bin
command doxygen         doxygen
file    /usr/share/javascript/katex/katex.min.js libjs-katex
python  h5py            python3-h5py
python  cffi            python3-cffi
python  numpy           python3-numpy
python  pytest          python3-pytest
python  sympy           python3-sympy
python  numba           python3-numba
python  matplotlib      python3-matplotlib
python  scipy           python3-scipy
pkg     python3         python3-dev
'
long_needs='
python  sphinx                  python3-sphinx
python  furo                    furo
python  myst_parser             python3-myst-parser
python  sphinx_copybutton       python3-sphinx-copybutton
python  mesonpy                 python3-mesonpy
python  pip                     python3-pip
python  ensurepip               python3-venv
command aarch64-linux-gnu-gcc   gcc-aarch64-linux-gnu
arm64   stdio.h                 libc6-dev-arm64-cross
command qemu-aarch64            qemu-user
command cmake                   cmake
command ccache                  ccache
command patchelf                patchelf
command node                    nodejs
command zsh                     zsh
command fish                    fish
fuzzer  clang_rt                libclang-rt-dev
command chromium                chromium
command chromedriver            chromium-driver
'
web_needs='
command meson           meson
command ninja           ninja-build
command emcc            emscripten
command node            nodejs
file    /usr/share/javascript/three/build/three.min.js libjs-three
'
package_needs='
file    /usr/share/javascript/three/build/three.min.js libjs-three
command dh              debhelper
command dpkg-buildpackage dpkg-dev
command dh_python3        dh-python
python  cffi              python3-cffi
python  numpy             python3-numpy
pkg     python3           python3-dev
command doxygen         doxygen
file    /usr/share/javascript/katex/katex.min.js libjs-katex
command lintian         lintian
command man             man-db
command mmdebstrap      mmdebstrap
'
bench_needs='
header  cvode/cvode_proj.h      libsundials-dev
boost   numeric/odeint.hpp      libboost-dev
header  mujoco/mujoco.h         libmujoco-dev
pkg     orocos-kdl              liborocos-kdl-dev
command g++             g++
pkg     simbody         libsimbody-dev
pkg     ode             libode-dev
pkg     bullet          libbullet-dev
pkg     ipopt           coinor-libipopt-dev
'
case $what in
build) needs=$build_needs ;;
test) needs=$build_needs$test_needs ;;
long) needs=$build_needs$test_needs$long_needs$package_needs$web_needs ;;
web) needs=$web_needs ;;
package) needs=$build_needs$package_needs ;;
bench) needs=$build_needs$test_needs$bench_needs ;;
*)
    echo "setup.sh: unknown set '$what'; expected build, test, long, web, package, bench" >&2
    exit 2
    ;;
esac

have() {
    case $1 in
    file) [ -f "$2" ] ;;
    command) command -v "$2" >/dev/null 2>&1 ;;
    pkg) pkg-config --exists "$2" >/dev/null 2>&1 ;;
    header) echo "#include <$2>" | gcc -fsyntax-only -x c - >/dev/null 2>&1 ;;
    boost) echo "#include <boost/$2>" | g++ -fsyntax-only -x c++ - >/dev/null 2>&1 ;;
    python) /usr/bin/python3 -c "import $2" >/dev/null 2>&1 ;;
    arm64) echo "#include <$2>" | aarch64-linux-gnu-gcc -fsyntax-only -x c - >/dev/null 2>&1 ;;
    fuzzer) echo 'int LLVMFuzzerTestOneInput(void); int LLVMFuzzerTestOneInput(void) { return 0; }' |
        clang -fsanitize=fuzzer,address,undefined -x c - -o /dev/null >/dev/null 2>&1 ;;
    clang) echo "#include <$2>" | clang -fopenmp -fsyntax-only -x c - >/dev/null 2>&1 ;;
    esac
}

# Debian packages, one per line, for the needs that are not met.
missing() {
    while read -r kind name package; do
        if [ -n "$kind" ] && ! have "$kind" "$name"; then echo "$package"; fi
    done <<<"$needs"
}

as_root() {
    if [ "$(id -u)" -eq 0 ]; then
        "$@"
    elif command -v sudo >/dev/null 2>&1; then
        sudo "$@"
    else
        echo "setup.sh: root or sudo is needed for: $*" >&2
        return 1
    fi
}

install_packages() {
    as_root apt-get update -q </dev/null &&
        as_root env DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends "$@" </dev/null
}

mapfile -t packages < <(missing)
if [ "${#packages[@]}" -eq 0 ]; then exit 0; fi
if ! command -v apt-get >/dev/null 2>&1; then
    echo "setup.sh: no apt-get here; please install the equivalents of these Debian packages: ${packages[*]}" >&2
    exit 1
fi
echo "setup.sh: installing ${packages[*]}"
if ! install_packages "${packages[@]}"; then
    echo "setup.sh: the installation failed; trying once more" >&2
    sleep 5
    install_packages "${packages[@]}"
fi
mapfile -t packages < <(missing)
if [ "${#packages[@]}" -ne 0 ]; then
    echo "setup.sh: still not found after the installation: the contents of ${packages[*]}" >&2
    exit 1
fi
