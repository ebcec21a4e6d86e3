#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# install.sh: the package by pip into a virtual environment, a run there, away from the sources, and the examples of the
# pages. It takes some minutes, since pip builds the library anew: a stage of scripts/ci-long.sh.
set -eu
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT

fail() {
    echo "install.sh: $*" >&2
    exit 1
}

# Debian's Python: another one has none of the packages.
/usr/bin/python3 -m venv --system-site-packages "$place/venv"
# A copy, so that nothing is written beside the sources.
git -C "$root" ls-files -z | (cd "$root" && xargs -0 cp --parents -t "$place/" --)  2>/dev/null || fail "no copy of the sources"
cd "$place"
venv/bin/pip install --no-build-isolation --no-deps --no-index --quiet . || fail "pip failed"

mkdir elsewhere && cd elsewhere
site=$(../venv/bin/python -c 'import os, liegrp; print(os.path.dirname(liegrp.__file__))')
case $site in "$place"/venv/*) ;; *) fail "liegrp comes from $site" ;; esac
if ldd "$site/_liegrp.abi3.so" | grep -q libliegrp; then fail "the extension module needs a libliegrp"; fi
# Headers in the package alone: systems from symbols are compiled against them.
strange=$(cd ../venv && find . -path '*/include/liegrp*' -not -path '*/liegrp/include/*' -o -name '*.pc' -path '*liegrp*' -o -name 'libliegrp*')
[ -z "$strange" ] || fail "the package installs $strange"
[ -f "$site/py.typed" ] || fail "py.typed is missing"

cat >run.py <<'PYTHON'
import sys
import liegrp
result = liegrp.run(liegrp.Model('rolling-ball'), step=0.1, steps=50, output='own.npy')
own = liegrp.load('./my-system.so')
liegrp.run(own, steps=5, output='plugin.npy')
from liegrp.symbols import Reals, from_sympy
point = Reals('x')
made = from_sympy('spring', point, lagrangian=point.dot[0]**2 - point.coordinates[0]**2, out='made.so')
liegrp.run(made, steps=5, output='made.npy')
PYTHON
cc -shared -fPIC -I "$root/include" "$root/examples/my_system.c" -o my-system.so
../venv/bin/python run.py
../venv/bin/liegrp run rolling-ball --step 0.1 --steps 50 --output tool.npy --quiet
cmp own.npy tool.npy
../venv/bin/liegrp run ./my-system.so --steps 5 --output tool.npy --quiet
cmp plugin.npy tool.npy
../venv/bin/liegrp run ./made.so --steps 5 --output tool.npy --quiet
cmp made.npy tool.npy
"$root/tests/install/examples.sh" "$place/venv/bin/python"
echo "install.sh: installed, ran, same bits"
