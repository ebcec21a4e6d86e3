#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# no_fma.sh ARCHIVE: no object of the library contains a fused multiply-add, which would round once where the source
# rounds twice and so give other digits than another compiler or width. x86: vfmadd..., aarch64: fmadd, fmla.
set -eu
archive=$1
command -v objdump >/dev/null 2>&1 || exit 77 # skipped

listing=$(mktemp)
trap 'rm -f "$listing"' EXIT
objdump -d --no-show-raw-insn "$archive" >"$listing"
grep -q '<lg_version>:' "$listing" || { echo "no_fma.sh: $archive: the listing lacks lg_version" >&2; exit 1; }
if grep -E '[[:space:]](vfn?m(add|sub)[a-z0-9]*|fn?m(add|sub)|fml[as])[[:space:]]' "$listing"; then
    echo "no_fma.sh: fused multiply-adds in $archive" >&2
    exit 1
fi
