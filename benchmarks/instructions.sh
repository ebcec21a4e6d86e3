#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# instructions.sh BUILD SYSTEM METHOD RETRACTION [H [STEPS]]: instructions a step by function, counted by callgrind
# (Debian: valgrind) over STEPS steps. Whatever is below one instruction a step is left out, and so is what is done once.
set -eu
build=$1 system=$2 method=$3 retraction=$4 h=${5:-0.01} steps=${6:-10000}
out=$(mktemp)
trap 'rm -f "$out"' EXIT
valgrind --tool=callgrind --callgrind-out-file="$out" "$build/benchmarks/bench_walk" \
    "$system" "$method" "$retraction" "$h" "$steps" >/dev/null 2>&1
callgrind_annotate --threshold=100 "$out" | awk -v n="$steps" '
    /:/ && $1 ~ /^[0-9,]+$/ {
        count = $1
        gsub(",", "", count)
        name = $0
        sub(/^[^:]*:/, "", name)
        sub(/ \[.*/, "", name)
        if (count / n < 1 || $0 !~ /liegrp|bench_walk|mem(set|cpy|move)/ || name == "main") next
        printf "%8.0f  %s\n", count / n, name
        sum += count / n
    }
    END { printf "%8.0f  a step\n", sum }'
