#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# manual.sh DOXYFILE HTML [KATEX]: the manual by Doxygen in the folder HTML. KATEX is a folder of KaTeX; what pages need of
# it is put beside them with its licence, so that formulas are typeset without a network.
set -eu
html=$2 katex=${3:-}
doxygen "$1"
rm -rf "$html/katex"
if [ -n "$katex" ]; then
    licence=$katex/LICENSE
    [ -f "$licence" ] || licence=/usr/share/doc/libjs-katex/copyright
    mkdir -p "$html/katex/fonts"
    cp "$katex/katex.min.js" "$katex/katex.min.css" "$html/katex"
    cp "$katex"/fonts/*.woff2 "$html/katex/fonts"
    cp "$licence" "$html/katex/LICENSE"
fi
python3 "$(dirname "$0")/../scripts/licences.py" "$html"
touch "$html" # the time of a directory does not change with the files in it
