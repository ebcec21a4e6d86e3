#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# examples.sh PYTHON [PREFIX]: runs the examples of README.md, the tutorial and the pages on Python with an
# installation, away from the sources and from any build folder. PYTHON has the package, from pip; or PREFIX does, from
# `meson install`, with the tool and the library. The page of view() is opened in Chromium; PICTURES is a folder for
# screenshots.
set -eu
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
python=$1 prefix=${2:-}
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
cd "$place"
export OPENBLAS_NUM_THREADS=1 PYTHONDONTWRITEBYTECODE=1 MPLBACKEND=Agg XDG_CACHE_HOME="$place/cache"
unset LIEGRP_INCLUDE PYTHONPATH

ln -s "$root/examples" examples # programs open files there
if [ -n "$prefix" ]; then
    "$python" "$root/tests/docs/commands.py" "$root" "$prefix" README.md docs/tutorial.md docs/python.md
    PYTHONPATH=$(echo "$prefix"/lib/python3*/*-packages)
    export PYTHONPATH
else
    prefix=$(cd "$(dirname "$python")/.." && pwd)
    for program in "$root"/examples/python/tutorial/*.py; do "$python" "$program" >/dev/null; done
fi
"$python" - "$prefix" <<'PYTHON'
import sys
import liegrp
for place in (liegrp.__file__, liegrp.tool()):
    assert place.startswith(sys.argv[1] + '/'), f'{place} is not below {sys.argv[1]}'
liegrp.run('chaplygin-sleigh', time=20.0).view('view.html', compare='gni')
PYTHON
"$python" -m pytest -q -p no:cacheprovider "$root"/python/tests/test_{docs,examples,verification,views}.py
/usr/bin/python3 "$root/tests/web/browser.py" view.html ${PICTURES:+"$PICTURES"}
echo "examples.sh: all examples run with what is installed in $prefix"
