#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# no_fma.sh LIBRARY...: no object of the library contains a fused multiply-add, which would round once where the source
# rounds twice and so give other digits than another compiler or width. x86: vfmadd... and the like; aarch64: fmadd,
# fmla, fnmsub, fcmla, and SVE's fmad. The kernels of every width must be among what is looked at.
# $OBJDUMP: for another machine than this one. $WIDTHS: those beside 1 and 2 that x86 has, by default "4 8".
set -eu
objdump=${OBJDUMP:-objdump}
command -v "$objdump" >/dev/null 2>&1 || { echo "no_fma.sh: no $objdump; ./scripts/setup.sh test installs it"; exit 1; }

listing=$(mktemp)
trap 'rm -f "$listing"' EXIT
for library in "$@"; do
    "$objdump" -d --no-show-raw-insn "$library" >"$listing"
    grep -q 'file format' "$listing" || { echo "no_fma.sh: $library: no listing" >&2; exit 1; }
    case $(grep -m 1 'file format' "$listing") in
    *x86-64*) registers=xmm$(printf '%s' " ${WIDTHS-4 8}" | sed 's/4/ymm/; s/8/zmm/') ;;
    *aarch64*) registers='v[0-9]+\.2d' ;;
    *) registers='' ;;
    esac
    for register in lg_version $registers; do
        grep -qE "$register" "$listing" || { echo "no_fma.sh: $library: the listing lacks $register" >&2; exit 1; }
    done
    if grep -E '[[:space:]](vfn?m(add|sub)[a-z0-9]*|fn?m(add|sub|ad|sb)|fn?ml[as]l?2?|fcmla)[[:space:]]' "$listing"; then
        echo "no_fma.sh: fused multiply-adds in $library" >&2
        exit 1
    fi
done
