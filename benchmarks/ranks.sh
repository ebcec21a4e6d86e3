#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# ranks.sh LIEGRP [INSTANCES [STEPS [ROUNDS [MOST]]]]: a sweep by one process with 1, 2, ... threads and by 1, 2, ...
# ranks of MPI with a thread each, up to the processors that there are or MOST: ns per step and instance, as the summary
# says, without rows, with CSV and with NPY; the ratio to one thread; and the seconds that all else takes, start-up above
# all. The best of all rounds, in which the ways take turns. Further arguments of the sweep: SWEEP="--method sem".
set -eu
case $1 in */*) liegrp=$(cd "$(dirname "$1")" && pwd)/$(basename "$1") ;; *) liegrp=$1 ;; esac
instances=${2:-100000} steps=${3:-1000} rounds=${4:-5}
processors=${5:-$(nproc)}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_btl_vader_single_copy_mechanism=none
export OMPI_MCA_rmaps_base_oversubscribe=1 # hardware threads count, too

# once HOW N OUTPUT: "ns wall" of one sweep; OUTPUT none, csv or npy.
once() {
    case $1 in
    threads) set -- "$3" "$liegrp" sweep --threads "$2" ;;
    ranks) set -- "$3" mpirun -n "$2" "$liegrp" sweep --threads 1 ;;
    esac
    output=$1
    shift
    [ "$output" = none ] || set -- "$@" --output "$folder/rows.$output"
    before=$(date +%s.%N)
    # shellcheck disable=SC2086 # words
    "$@" rolling-ball --random "$instances" --param Omega=0:2 --steps "$steps" --watch 100 \
        ${SWEEP:---method gni --retraction cayley} 2>"$folder/said" >"$folder/out" || { cat "$folder/said" >&2; exit 1; }
    after=$(date +%s.%N)
    sed -n 's/.* in \([0-9.e+-]*\) s, \([0-9.e+-]*\) ns per step.*/\2 \1/p' "$folder/said" |
        awk -v before="$before" -v after="$after" '{ print $1, after - before - $2 } END { exit NR != 1 }' ||
        { echo "ranks.sh: no time among the words of the sweep:" >&2; cat "$folder/said" >&2; exit 1; }
}

ways='threads:1'
n=2
while [ "$n" -le "$processors" ]; do
    ways="$ways threads:$n"
    n=$((2 * n))
done
if command -v mpirun >/dev/null 2>&1; then
    n=1
    while [ "$n" -le "$processors" ]; do
        ways="$ways ranks:$n"
        n=$((2 * n))
    done
fi

for output in none csv npy; do
    for _ in $(seq "$rounds"); do
        for way in $ways; do
            measured=$(once "${way%:*}" "${way#*:}" "$output")
            echo "$output $way $measured" >>"$folder/all"
        done
    done
done
awk -v instances="$instances" -v steps="$steps" '
    !(($1, $2) in ns) || $3 < ns[$1, $2] { ns[$1, $2] = $3 }
    !(($1, $2) in rest) || $4 < rest[$1, $2] { rest[$1, $2] = $4 }
    !($2 in seen) { seen[$2] = 1; way[++ways] = $2 }
    END {
        printf "%d instances of %d steps: ns per step and instance, and times as fast as 1 thread\n", instances, steps
        printf "%-10s  %15s  %15s  %15s  %12s\n", "", "no rows", "CSV", "NPY", "all else, s"
        for (i = 1; i <= ways; i++) {
            w = way[i]
            split(w, part, ":")
            printf "%-10s", part[2] " " (part[2] > 1 ? part[1] : substr(part[1], 1, length(part[1]) - 1))
            for (k = 1; k <= 3; k++) {
                o = k == 1 ? "none" : k == 2 ? "csv" : "npy"
                printf "  %8.1f %6.2f", ns[o, w], ns[o, "threads:1"] / ns[o, w]
            }
            printf "  %12.2f\n", rest["none", w]
        }
    }' "$folder/all"
