#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# machines.sh BITS FILE: the stored digests come out on a processor without AVX2 and fused multiply-adds as glibc sees
# it (libm then takes other variants), and with the kernels that OpenBLAS takes on several processors.
# `BITS --libm`, a digest of libm's own values, shows whether the first of these says anything on this machine.
set -eu
bits=$1
file=$2
tunables=glibc.cpu.hwcaps=-AVX2,-FMA,-FMA4,-AVX512F

here=$("$bits" --libm)
there=$(GLIBC_TUNABLES=$tunables "$bits" --libm)
if [ "$here" = "$there" ]; then echo "machines.sh: this libm has no variants, or this processor none to choose from"; fi

status=0
echo "libm without AVX2 and FMA ($here, $there):"
GLIBC_TUNABLES=$tunables "$bits" --width 0 --thin 3 "$file" || status=1 # with every method of every system
GLIBC_TUNABLES=$tunables "$bits" --width 2 --thin 7 "$file" || status=1
for core in Prescott Haswell SkylakeX Zen; do
    echo "OpenBLAS for $core:"
    OPENBLAS_CORETYPE=$core "$bits" --width 0 --thin 3 "$file" || status=1
done
exit $status
