#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# sweep.sh LIEGRP MY_SYSTEM: sweeps from outside: rows are those of liegrp run for any threads, width and parts;
# instances that fail; wrong use. Prints what fails; the exit status tells whether something did.
set -u
# shellcheck source=tests/cli/common.sh
. "$(cd "$(dirname "$0")" && pwd)/common.sh"
example=$(absolute "$2")
begin "$1"
cp "$example" my-system.so

# wrong TEXT ARGUMENT...: wrong use: status 2, one message that has the text (and where to find help), no file.
wrong() {
    text=$1
    shift
    call 2 "$@" --output wrong.csv
    silent_out
    err_has "$text"
    that 'one message' few_lines err 2
    no_file wrong.csv
}

# select_columns FILE NAME...: some columns of a CSV file, the header too.
select_columns() {
    file=$1
    shift
    awk -F, -v names="$*" '
        BEGIN { count = split(names, name, " ") }
        NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
        { for (k = 1; k <= count; k++) printf "%s%s", (k > 1 ? "," : ""), $at[name[k]]; print "" }' "$file"
}

# --- help -------------------------------------------------------------------------------------------------------------
call 0 sweep --help
out_has --param --init --random --seed --first --count --method --retraction --step --steps --time --start --project \
    --every --watch --output --format --threads --width --checkpoint --checkpoint-every --resume --no-accuracy --quiet
call 0 help sweep
out_has 'liegrp sweep SYSTEM'
call 0 --help
out_has '  sweep '

# --- instances whose motion the step does not resolve --------------------------------------------------------------
call 0 sweep rigid-body --init xi_1=0:60:21 --steps 400 --output told.csv
err_has 'warning: the step does not resolve the motion of '
err_has ' of 21 instances; worst instance '
err_has ' % of the motion in a step'
call 0 sweep rigid-body --init xi_1=0:60:21 --steps 400 --output untold.csv --no-accuracy
that 'no warning' not in_file warning err
that 'the same rows' cmp told.csv untold.csv
call 0 sweep rigid-body --init xi_1=0:1:21 --steps 400
that 'no warning' not in_file warning err
call 0 sweep rigid-body --init xi_1=30:60:3000 --steps 20
err_has ' instances that were examined; worst '

# --- the grid ---------------------------------------------------------------------------------------------------------
call 0 sweep rolling-ball --param Omega=0:2:5 --param I1=0.5:0.7:3 --param m=2 --init x=-1:1:2 --steps 10 \
    --step 0.01 --output grid.csv
silent_out
err_has 'rolling-ball, sem, exp, h = 0.01: 30 instances of 10 steps in '
err_has 'energy: largest |H - H_0| = '
err_has 'constraints: largest residual = '
that 'the step resolves the motions' not in_file warning err
no_file '*.part'
that 'the header' grep -q '^instance,param_Omega,param_I1,init_x,status,step,t,x,y,qx,.*,normal,inv_.*,energy_drift,constraint_largest$' grid.csv
that 'a row an instance' test "$(wc -l <grid.csv)" -eq 31
that 'in their order, and whole lines' awk -F, 'NR == 1 { n = NF } NF != n || NR > 1 && $1 != NR - 2 { exit 1 }' grid.csv
that 'the last range is the fastest' test "$(select_columns grid.csv param_Omega param_I1 init_x | sed -n '2,4p;31p' | tr '\n' ' ')" = \
    '0,0.5,-1 0,0.5,1 0,0.59999999999999998,-1 2,0.69999999999999996,1 '
that 'all are well and at the end' awk -F, 'NR > 1 && ($5 != 0 || $6 != 10 || $7 != 0.1) { exit 1 }' grid.csv

call 0 sweep heavy-top --param g=5:15:3 --tolerance 1e-9 --steps 12 --every 5 --step 0.1
err_has 'heavy-top, gauss, exp, tolerance 1e-09: 3 instances of 12 states every 0.1 in '
err_has ' ns per state and instance ('
err_has 'width 1)'
wrong 'sem has steps of one length; use --method gauss' sweep heavy-top --param g=5:15:3 --tolerance 1e-9 --method sem
for value in 0 9e-15 0.2 x; do wrong '--tolerance must be' sweep heavy-top --param g=5:15:3 --tolerance $value; done

# --- the rows are those of liegrp run ---------------------------------------------------------------------------------
# same_row ROW: of s.csv, has the texts of the last row of r.csv.
same_row() {
    awk -F, -v row="$1" '
        FNR == 1 { for (i = 1; i <= NF; i++) if (FILENAME == "r.csv") { name[i] = $i; count = NF } else at[$i] = i }
        FILENAME == "r.csv" { last = $0; next }
        FNR == row + 1 { found = 1; n = split(last, value); if (n != count || n < 10) bad = 1
                         for (i = 1; i <= n; i++) if (!(name[i] in at) || $at[name[i]] "" != value[i] "") bad = 1 }
        END { exit bad || !found }' r.csv s.csv
}
# A sweep of three values, and the runs with each.
same_as_run() { # SYSTEM SWEPT_OPTION NAME VALUES OPTION...: FROM:TO:COUNT with whole numbers apart
    system=$1 kind=$2 name=$3 from=$4 to=$5
    shift 5
    call 0 sweep "$system" "--$kind" "$name=$from:$to:3" "$@" --output s.csv --quiet
    that 'quiet' test ! -s err
    row=2
    for value in "$(awk -v a="$from" -v b="$to" 'BEGIN { print (a + b) / 2 }')" "$to"; do
        call 0 run "$system" "--$kind" "$name=$value" "$@" --output r.csv --quiet
        that "row $row is that of liegrp run" same_row $row
        row=$((row + 1))
    done
}
same_as_run rolling-ball param Omega 0.5 1.5 --method gni --retraction cayley --steps 57
same_as_run rolling-ball init x -2 2 --method sem --time 0.5
same_as_run suslov param I12 -0.25 0.25 --method gni --step 0.05 --steps 40
same_as_run suslov param I12 -0.25 0.25 --method sem --step 0.05 --steps 40
same_as_run chaplygin-sleigh init theta -9 7 --method nsv --steps 30
same_as_run chaplygin-sleigh init xi_3 2 20 --param a=0.001 --step 0.01 --time 4 --project
same_as_run heavy-top param g 5 15 --method sem@suzuki4 --steps 20
same_as_run rigid-body init xi_1 1 3 --method rkmk4 --step -0.01 --time -0.3
same_as_run cvt param quartic 0 1 --method dla --steps 25
same_as_run suslov param I11 1 2 --method gni --start legendre --steps 12
same_as_run double-spherical-pendulum init xi_1 0 0.5 --steps 12 --project
same_as_run rolling-ball param Omega 0.5 1.5 --method gauss --steps 20
same_as_run double-spherical-pendulum init xi_1 0 0.5 --method gauss:stages=4 --steps 12 --project
same_as_run heavy-top param g 5 15 --tolerance 1e-9 --step 0.07 --time 2.1
same_as_run rolling-disk init xi_1 1 3 --tolerance 1e-6 --method gauss:stages=6 --steps 12 --project
same_as_run ./my-system.so param slope 0.25 0.75 --steps 20
same_as_run rolling-disk param g 5 15 --steps 0
# Far down in the grid, where other batches are.
call 0 sweep rolling-ball --method gni --param Omega=0:1:201 --param I1=0.5:1:3 --steps 5 --output s.csv --quiet
call 0 run rolling-ball --method gni --param Omega=0.75 --param I1=0.75 --steps 5 --output r.csv --quiet
that 'row 452 is that of liegrp run' same_row $((150 * 3 + 1 + 1))
call 0 sweep particle --init x=-0.3:0.35:4 --steps 1 --output s.csv --quiet
that 'ranges end at the given value' test "$(column s.csv init_x last)" = 0.34999999999999998

# One value more than the run's last row: the largest change of the energy over all steps.
call 0 run rolling-ball --method gni --param Omega=2 --steps 200 --output r.csv --quiet
call 0 sweep rolling-ball --method gni --param Omega=2:2:1 --steps 200 --output s.csv --quiet
that 'energy_drift' awk -F, -v drift="$(column s.csv energy_drift 1)" '
    NR == 1 { for (i = 1; i <= NF; i++) if ($i == "energy") c = i; next }
    NR == 2 { first = $c }
    { d = $c - first; if (d < 0) d = -d; if (d > most) most = d }
    END { e = most - drift; exit !(drift > 0 && e < 1e-12 && e > -1e-12) }' r.csv

# --- rows in between --------------------------------------------------------------------------------------------------
call 0 sweep rolling-ball --method gni --param Omega=1:2:2 --steps 25 --every 10 --output k.csv --quiet
that 'rows at 0, 10, 20' test "$(select_columns k.csv instance step | tail -6 | tr '\n' ' ')" = '0,0 0,10 0,20 1,0 1,10 1,20 '
call 0 run rolling-ball --method gni --param Omega=2 --steps 25 --every 10 --output r.csv --quiet
# shellcheck disable=SC2046
select_columns k.csv $(head -1 r.csv | tr ',' ' ') | tail -3 >s.rows
tail -3 r.csv >r.rows
that 'they are those of liegrp run' cmp s.rows r.rows
call 0 sweep rolling-ball --method gni --param Omega=1:2:2 --steps 1005 --every 10 --watch 15 --output k.csv --quiet
that 'rows at 0, 10, ..., 1000 of each' awk -F, 'NR > 1 && $4 != 10 * ((NR - 2) % 101) { exit 1 } END { exit NR != 203 }' k.csv
call 0 sweep chaplygin-sleigh --param a=0.001:0.002:2 --init xi_1=0 --init xi_2=0 --init xi_3=20 --time 4 --every 400 \
    --step 0.01 --output turn.csv --quiet
that 'angles are unwrapped on the way' awk -v a="$(column turn.csv theta 2)" 'BEGIN { exit !(a > 70 && a < 90) }'
# Looking more rarely changes figures, not states.
call 0 sweep rolling-ball --method gni --param Omega=1:2:4 --steps 1001 --watch 7 --output w.csv --quiet
call 0 sweep rolling-ball --method gni --param Omega=1:2:4 --steps 1001 --output v.csv --quiet
names='instance step t x y qx qy qz qw p_1 p_5 energy'
# shellcheck disable=SC2086
that 'the same states' test "$(select_columns w.csv $names)" = "$(select_columns v.csv $names)"
that 'no larger drift' awk -v a="$(column w.csv energy_drift 4)" -v b="$(column v.csv energy_drift 4)" \
    'BEGIN { exit !(a > 0 && a <= b) }'

# --- the same bytes ---------------------------------------------------------------------------------------------------
for method in gni sem rk4; do
    set -- sweep rolling-ball --method $method --retraction cayley --param Omega=0:2:37 --param I1=0.5:0.7:9 \
        --init xi_4=1:2:2 --steps 40 --quiet
    call 0 "$@" --threads 1 --width 1 --output one.csv
    for threads in 1 2 3; do
        for width in 1 2 4 8; do
            case $method:$threads:$width in *:1:1 | *:2:[24] | rk4:1:8) continue ;; esac # 1 and 3 threads have these
            "$liegrp" "$@" --threads $threads --width $width --output many.csv 2>err
            [ $? -eq 2 ] && grep -q 'this machine has 1 to' err && continue
            that "$method: the same with $threads threads, width $width" cmp one.csv many.csv
        done
    done
    call 0 "$@" --output -
    that "$method: the same on standard output" cmp one.csv out
done
for width in 1 2 eight 64; do
    LIEGRP_WIDTH=$width call 0 "$@" --output many.csv
    that "the same with LIEGRP_WIDTH=$width" cmp one.csv many.csv
done

# --- random instances -------------------------------------------------------------------------------------------------
call 0 sweep rolling-ball --random 500 --param Omega=0:2 --param m=2 --init x=-1:3 --steps 3 --output a.csv --quiet
call 0 sweep rolling-ball --random 500 --seed 1 --param Omega=0:2 --param m=2 --init x=-1:3 --steps 3 --threads 1 \
    --output b.csv --quiet
that 'reproducible, with seed 1' cmp a.csv b.csv
call 0 sweep rolling-ball --random 500 --seed 2 --param Omega=0:2 --param m=2 --init x=-1:3 --steps 3 --output b.csv --quiet
that 'another seed is another sample' sh -c '! cmp a.csv b.csv'
that 'in their ranges, and all over them' awk -F, 'NR > 1 { a += $2; b += $3; n++
    if ($2 < 0 || $2 > 2 || $3 < -1 || $3 > 3) bad = 1 }
    END { a /= n; b /= n; exit !(!bad && n == 500 && a > 0.9 && a < 1.1 && b > 0.8 && b < 1.2) }' a.csv
that 'no draw serves twice' awk -F, 'NR > 2 && ($2 / 2 - before) ^ 2 < 1e-20 { bad = 1 } { before = ($3 + 1) / 4 } END { exit bad }' a.csv
that 'no two alike' test "$(cut -d, -f2 a.csv | sort -u | wc -l)" -eq 501

# --- parts ------------------------------------------------------------------------------------------------------------
for kind in '--param Omega=0:2:401 --init x=-1:1:3' '--random 1203 --param Omega=0:2'; do
    # shellcheck disable=SC2086 # words
    set -- sweep rolling-ball --method gni $kind --steps 3 --every 2 --quiet
    call 0 "$@" --output whole.csv
    call 0 "$@" --count 1 --output 1.csv
    call 0 "$@" --first 1 --count 700 --output 2.csv
    call 0 "$@" --first 701 --count 502 --output 3.csv
    that 'the parts of a sweep, one behind the other, are the whole' eval 'cat 1.csv 2.csv 3.csv | cmp - whole.csv'
    call 0 "$@" --first 1201 --count 100 --output 4.csv
    that 'there are no more than there are' test "$(cut -d, -f1 4.csv | uniq | tr '\n' ' ')" = '1201 1202 '
    call 0 "$@" --first 1202 --output 4.npy
    that 'every npy has a head' test "$(head -c 6 4.npy | tail -c 5)" = NUMPY
done
call 0 sweep suslov --param I12=0:2:5 --param I13=0 --steps 20 --first 2 --count 2 --output fail.csv
err_has '2 instances of 20 steps'
err_has 'warning: 1 of 2 instances failed'
err_has 'instance 3 (I12 = 1.5): suslov: the inertia is not positive definite'
call 3 sweep suslov --param I12=0:2:5 --param I13=0 --steps 20 --first 3 --output fail.csv
wrong '--first 5: the sweep has 5 instances, numbered from 0' sweep suslov --param I12=0:2:5 --first 5
wrong '--first must be' sweep suslov --param I12=0:2:5 --first -1
wrong '--count must be' sweep suslov --param I12=0:2:5 --count 0

# --- a launcher, and no other ranks -----------------------------------------------------------------------------------
sanitizer=${ASAN_OPTIONS-}
export ASAN_OPTIONS="${sanitizer:+$sanitizer:}detect_leaks=0" # Open MPI keeps memory to the end
for variable in OMPI_COMM_WORLD_SIZE PMI_SIZE MV2_COMM_WORLD_SIZE SLURM_STEP_NUM_TASKS; do
    export $variable=4
    wrong 'a launcher has started it 4 times' sweep suslov --param I11=1:2:2
    export $variable=1
    case $variable in OMPI* | PMI*) call 0 sweep suslov --param I11=1:2:2 --quiet ;; esac
    unset $variable
done
for variable in OMPI_COMM_WORLD PMI; do # told by rank 0
    checks=$((checks + 1))
    env ${variable}_SIZE=2 ${variable}_RANK=1 "$liegrp" sweep suslov --param I11=1:2:2 >out 2>err
    that 'exit status 2' test $? -eq 2
    that 'not a word' test ! -s err
done
export ASAN_OPTIONS="$sanitizer"

# --- instances that fail ----------------------------------------------------------------------------------------------
call 0 sweep suslov --param I12=0:2:5 --param I13=0 --steps 20 --output fail.csv
err_has 'warning: 2 of 5 instances failed'
err_has '2 with status 1, an argument is missing or out of its range'
err_has 'instance 3 (I12 = 1.5): suslov: the inertia is not positive definite'
that 'a row each' test "$(select_columns fail.csv instance status step | tr '\n' ' ')" = \
    'instance,status,step 0,0,20 1,0,20 2,0,20 3,1,0 4,1,0 '
that 'numbers or nan' sh -c '! grep -q ",," fail.csv'
that 'and what there is not is nan' test "$(column fail.csv energy 4)" = nan
call 0 sweep suslov --param I12=0:0.5:2 --param I13=0 --steps 20 --output well.csv --quiet
that 'the others as if they had never been' cmp "$(sed -n 2,3p fail.csv | cut -d, -f3- >f.rows && echo f.rows)" \
    "$(sed -n 2,3p well.csv | cut -d, -f3- >w.rows && echo w.rows)"
call 0 sweep suslov --method gni --step 1 --init xi_1=0:400:9 --project --steps 50 --output fail.csv
err_has 'instances failed'
err_has 'h = 1 is too large'
that 'the last good state' awk -F, '
    NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
    NR > 1 && $at["status"] == 0 { well++; if ($at["step"] != 50) bad = 1 }
    NR > 1 && $at["status"] != 0 { ill++; if ($at["step"] >= 50 || $at["t"] != $at["step"] || $at["energy"] == "nan") bad = 1 }
    END { exit !(well && ill && !bad) }' fail.csv
call 0 sweep suslov --method gni --step 1 --init xi_1=0:400:9 --project --steps 50 --every 20 --output every.csv --quiet
that 'each once, with its status in its last row' awk -F, '
    NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
    seen[$1 "," $at["step"]]++ { bad = 1 }
    failed[$1] { bad = 1 }
    { failed[$1] = $at["status"] != 0 }
    END { exit bad }' every.csv
call 3 sweep rolling-ball --param Omega=1:2:4 --step 1e200 --steps 5 --output fail.csv
silent_out
err_has 'error: 4 of 4 instances failed'
err_has 'and 1 more'
that 'the rows are there' test "$(wc -l <fail.csv)" -eq 5
call 3 sweep suslov --param I11=1:2:2 --init xi_3=1 --output fail.csv
err_has 'add --project to project it'

# --- files ------------------------------------------------------------------------------------------------------------
call 0 sweep rolling-ball --param Omega=1:2:4 --steps 10 --output a.npy --quiet
call 0 sweep rolling-ball --param Omega=1:2:4 --steps 10 --output a.csv --quiet
if command -v python3 >/dev/null 2>&1; then
    that 'npy holds what csv holds' python3 -c 'import ast, csv, struct
b = open("a.npy", "rb").read()
n = struct.unpack("<H", b[8:10])[0]
d = ast.literal_eval(b[10:10 + n].decode("latin1"))
rows = list(csv.reader(open("a.csv")))
assert [f[0] for f in d["descr"]] == rows[0] and d["shape"] == (len(rows) - 1,)
whole = [f[0] for f in d["descr"] if f[1] == "<i8"]
assert whole == ["instance", "status", "step"], whole
shape = "<" + "".join("q" if f[1] == "<i8" else "d" for f in d["descr"])
for k, row in enumerate(rows[1:]):
    values = struct.unpack_from(shape, b, 10 + n + k * 8 * len(row))
    assert all(u == float(v) or u != u and v == "nan" for u, v in zip(values, row))'
fi
call 0 sweep particle --init x=0:1:3 --step 0.01 --steps 3
silent_out
err_has 'particle, sem, exp, h = 0.01: 3 instances of 3 steps'
echo precious >kept.csv
call 2 sweep particle --init w=0:1:3 --output kept.csv
that 'an existing file is untouched' test "$(cat kept.csv)" = precious
call 2 sweep particle --init x=0:1:3 --output no/such/folder/a.csv
err_has 'No such file'
if [ -w /dev/full ]; then
    call 2 sweep particle --init x=0:1:3 --step 0.01 --steps 3 --output /dev/full --quiet
    err_has 'No space left'
fi

# --- wrong use --------------------------------------------------------------------------------------------------------
wrong 'no system is given' sweep
wrong "unknown system 'suslow'; did you mean 'suslov'?" sweep suslow --param I11=1:2:2
wrong 'one system at a time' sweep suslov particle --param I11=1:2:2
wrong 'the range is too wide' sweep suslov --init xi_3=-1e308:1e308:3
wrong "unknown option '--parm'; did you mean '--param'?" sweep suslov --parm I11=1:2:2
wrong 'no range to sweep' sweep suslov
wrong 'no range to sweep' sweep suslov --param I11=1 --init qw=1
wrong 'no range to sweep' sweep suslov --param I11=1 --random 5
wrong 'the number of values is missing; give NAME=FROM:TO:COUNT' sweep suslov --param I11=1:2
wrong '--random sets the number of instances' sweep suslov --param I11=1:2:3 --random 5
wrong '--seed needs --random' sweep suslov --param I11=1:2:3 --seed 5
for range in I11 =1:2:3 I11= I11=: I11=1: I11=1:2: I11=1:2:3:4 I11=a:2:3 I11=1:nan:3 I11=1:inf:3 ' I11=1:2:x'; do
    wrong '--param must be NAME=FROM:TO:COUNT or NAME=VALUE' sweep suslov --param "$range"
done
wrong 'COUNT must be a whole number from 1' sweep suslov --param I11=1:2:0
wrong 'COUNT must be a whole number from 1' sweep suslov --param I11=1:2:-3
wrong 'COUNT must be a whole number from 1' sweep suslov --param I11=1:2:2.5
wrong 'one value from 1 to 2' sweep suslov --param I11=1:2:1
wrong 'more than 9e15 instances' sweep suslov --param I11=1:2:1e8 --param I22=1:2:1e8
wrong "unknown parameter 'I4' of rolling-ball" sweep rolling-ball --param I4=1:2:2
wrong "parameter 'm' of rolling-ball must be > 0 (kg), got 0" sweep rolling-ball --param m=0:1:3
wrong "parameter 'm' of rolling-ball must be > 0 (kg), got -1" sweep rolling-ball --param m=1:-1:3
wrong "parameter 'm' of rolling-ball must be > 0 (kg), got -1" sweep rolling-ball --param m=-1 --param r=1:2:2
call 2 sweep particle --init x=0:1:2 --format npy
err_has '--format npy says how --output writes'
wrong 'contradict each other' sweep particle --init x=0:1:2 --format npy --output x.csv
wrong "unknown initial value 'w' of particle" sweep particle --init w=0:1:2
wrong '--param Omega is given twice' sweep rolling-ball --param Omega=1:2:2 --param Omega=3
for value in 0 -1 1.5 x; do
    wrong '--random must be' sweep suslov --param I11=1:2 --random $value
    wrong '--threads must be' sweep suslov --param I11=1:2:2 --threads $value
done
for option in every watch width; do wrong "--$option must be" sweep suslov --param I11=1:2:2 --$option 0; done
wrong '--every must be' sweep suslov --param I11=1:2:2 --every 1.5
wrong '--watch must be' sweep suslov --param I11=1:2:2 --watch -1
wrong '--width must be' sweep suslov --param I11=1:2:2 --width x
wrong '--width must be' sweep suslov --param I11=1:2:2 --width 16
wrong 'this machine has 1 to' sweep suslov --param I11=1:2:2 --width 3
wrong '--threads must be' sweep suslov --param I11=1:2:2 --threads 5000
wrong '--step must be' sweep suslov --param I11=1:2:2 --step 0
wrong '--steps must be' sweep suslov --param I11=1:2:2 --steps -5
wrong 'opposite directions' sweep suslov --param I11=1:2:2 --time -1
wrong "--steps and --time exclude each other" sweep suslov --param I11=1:2:2 --time 1 --steps 5
wrong "did you mean 'gni'?" sweep suslov --param I11=1:2:2 --method gnu
wrong 'use sem or gni' sweep suslov --param I11=1:2:2 --method variational
wrong "unknown retraction 'caley'; did you mean 'cayley'?" sweep suslov --param I11=1:2:2 --retraction caley
wrong "unknown start 'papr'; did you mean 'paper'?" sweep suslov --param I11=1:2:2 --start papr
wrong "unknown format 'cvs'; did you mean 'csv'?" sweep suslov --param I11=1:2:2 --format cvs
wrong 'more than fit into memory' sweep suslov --param I11=1:2:2 --steps 1e12 --every 1
wrong "there is no file ./missing.so" sweep ./missing.so --param slope=0:1:2

# --- Ctrl-C -----------------------------------------------------------------------------------------------------------
for format in csv npy; do
    interrupted 20000 stop.$format sweep rolling-ball --method gni --param Omega=0:2:10000000 --steps 1000
    err_has 'interrupted: '
    err_has "stop.$format holds them; --first "
done
that 'whole lines, in order' awk -F, 'NR == 1 { n = NF } NF != n || NR > 1 && $1 != NR - 2 { exit 1 }' stop.csv
that 'some of them' test "$(wc -l <stop.csv)" -gt 10
"$liegrp" sweep rolling-ball --param Omega=0:2:3 --steps 1e12 --output never.csv 2>err &
child=$!
sleep 0.3
kill -INT $child
wait $child
that 'exit status 130' test $? -eq 130
err_has '0 of 3 instances are complete'
no_file never.csv

finish
