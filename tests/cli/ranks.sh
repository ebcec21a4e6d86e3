#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# ranks.sh LIEGRP ALONE MY_SYSTEM SANITIZED: sweeps under mpirun, four ranks on this machine: the bytes of one process,
# errors reported once, no partial results. ALONE is liegrp without MPI. Prints what fails; the exit status tells
# whether something did.
set -u
. "$(dirname "$0")/common.sh"
alone=$(absolute "$2")
example=$(absolute "$3")
sanitized=$4
command -v mpirun >/dev/null 2>&1 || { echo 'ranks.sh: no mpirun; ./scripts/setup.sh test installs it'; exit 1; }
begin "$1"
cp "$example" my-system.so

# As root, in containers, with more ranks than processors, and without mpirun's own words on exit statuses.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
export OMPI_MCA_btl_vader_single_copy_mechanism=none OMPI_MCA_orte_execute_quiet=1 OMPI_MCA_btl=self,vader
export OMP_WAIT_POLICY=passive OMPI_MCA_mpi_yield_when_idle=1
export OMPI_MCA_pml=ob1 # what else there is for networks takes longer to look for than most sweeps here
# Open MPI keeps memory to the end. Findings of a sanitizer on a rank whose output is lost must be seen.
export ASAN_OPTIONS="${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0:log_path=$work/sanitizer"
export UBSAN_OPTIONS="${UBSAN_OPTIONS:+$UBSAN_OPTIONS:}log_path=$work/sanitizer"

# ranks STATUS N COMMAND...: N processes under mpirun.
ranks() {
    want=$1 number=$2
    shift 2
    said="mpirun -n $number $*"
    checks=$((checks + 1))
    timeout 100 mpirun -n "$number" "$@" >out 2>err </dev/null
    got=$?
    [ "$got" -eq "$want" ] || fail "$said: exit status $got, expected $want"
}
once() { that "once on standard error: $1" test "$(grep -cF -e "$1" err)" -eq 1; }

# Without a launcher nothing of MPI is loaded.
that 'the tool is not linked to MPI' sh -c "! ldd '$liegrp' | grep -q libmpi"

# --- the bytes of one process, and its figures ------------------------------------------------------------------------
# But for the times and the number of threads.
figures() { sed 's/ steps in .*//' "$1"; }
same() { # FORMAT SWEEP...
    format=$1
    shift
    call 0 sweep "$@" --output "one.$format"
    figures err >one.figures
    ranks 0 4 "$liegrp" sweep "$@" --output "four.$format"
    silent_out
    that 'the file of one process' cmp "one.$format" "four.$format"
    that 'the summary of one process, once' test "$(figures err)" = "$(cat one.figures)"
    no_file '*.part'
}
same csv rolling-ball --method gni --retraction cayley --param Omega=0:2:101 --param I1=0.5:0.7:21 --steps 40
err_has '(4 ranks, '
for format in npz h5; do # as far as liegrp was built with them
    "$liegrp" sweep rolling-ball --steps 1 --quiet --output "x.$format" 2>err || continue
    same $format rolling-ball --param Omega=0:2:37 --steps 20
done
call 0 sweep --from one.csv --quiet --output from.csv
ranks 0 4 "$liegrp" sweep --from one.csv --quiet --output four.csv
that 'the file of one process, from its provenance' cmp one.csv four.csv
same csv chaplygin-sleigh --method dla --random 300 --seed 3 --param a=0.1:0.2 \
    --init theta=-3:3 --steps 30 --every 7 --watch 3
same csv ./my-system.so --param slope=0.25:0.75:50 --steps 20
same npy rolling-ball --method gni --param Omega=1:2:9 --steps 20001 --every 1
# Instances that fail, on several ranks: the first ones are reported, in their order.
same csv suslov --method gni --step 1 --init xi_1=0:400:301 --project --steps 50 --every 20
err_has 'instances failed'
same csv suslov --param I12=0:2:180 --param I13=0 --steps 20
err_has 'instance 108 (I12 = 1.206703911): suslov: the inertia is not positive definite'
# Fewer instances than ranks.
same csv rolling-ball --param Omega=1:1:1 --steps 10
# Others of them, one of them, and standard output.
set -- sweep rolling-ball --method gni --param Omega=0:2:101 --param I1=0.5:0.7:21 --steps 10 --quiet
call 0 "$@" --output one.csv
for number in 1 3; do
    ranks 0 $number "$liegrp" "$@" --threads 2 --output many.csv
    that 'the same bytes' cmp one.csv many.csv
    that 'quiet' test ! -s err
done
ranks 0 4 "$liegrp" "$@" --output -
that 'the same bytes on standard output' cmp one.csv out
# Parts.
ranks 0 4 "$liegrp" "$@" --count 1000 --output a.csv
call 0 "$@" --first 1000 --output b.csv
that 'two parts are the whole' sh -c 'cat a.csv b.csv | cmp - one.csv'
ranks 0 4 "$liegrp" sweep --help
that 'help, once' test "$(grep -c '^usage' out)" -eq 1

# --- errors are reported once, and an existing file is kept -----------------------------------------------------------
wrong() { # STATUS TEXT COMMAND...
    status=$1 text=$2
    shift 2
    echo precious >kept.csv
    ranks "$status" 4 "$@" --output kept.csv
    silent_out
    once "$text"
    that 'no other words' few_lines err 2
    that 'the file is untouched' test "$(cat kept.csv)" = precious
    no_file '*.part'
}
wrong 2 "unknown option '--parm'" "$liegrp" sweep suslov --parm I11=1:2:2
wrong 2 '--first 200: the sweep has 200 instances' "$liegrp" sweep suslov --param I11=1:2:200 --first 200
ranks 2 4 "$liegrp" sweep particle --init x=0:1:300 --output no/such/folder/a.csv
once 'No such file'
if [ -w /dev/full ]; then
    ranks 2 4 "$liegrp" sweep particle --init x=0:1:30000 --step 0.01 --steps 3 --output /dev/full --quiet
    once 'No space left'
fi
ranks 3 4 "$liegrp" sweep rolling-ball --param Omega=1:2:9 --step 1e200 --steps 5 --output failed.csv
once 'error: 9 of 9 instances failed'
that 'the rows are there' test "$(wc -l <failed.csv)" -eq 10
# shellcheck disable=SC2016 # for the ranks' shells
{
    echo 'case $OMPI_COMM_WORLD_RANK in 2) mkdir -p away; cd away ;; esac; exec "$@"' >away.sh
    echo 'case $OMPI_COMM_WORLD_RANK in 2) ulimit -v 2000000 ;; esac; exec "$@"' >poor.sh
    echo 'exec "$@" --seed $OMPI_COMM_WORLD_RANK' >other.sh
}
wrong 2 'there is no file ./my-system.so' sh away.sh "$liegrp" sweep ./my-system.so --param slope=0.25:0.75:50
once 'rank 2 on '
wrong 2 'other arguments' sh other.sh "$liegrp" sweep suslov --random 50 --param I11=1:2
once 'rank 1 on '
if [ "$sanitized" -eq 0 ]; then # sanitizers take all addresses
    wrong 2 'out of memory' sh poor.sh "$liegrp" sweep rolling-ball --param m=1:2:9 --steps 8e6 --every 1
    once 'rank 2 on '
fi

# --- without MPI ------------------------------------------------------------------------------------------------------
wrong 2 'was built without MPI' "$alone" sweep suslov --param I11=1:2:2
once 'libopenmpi-dev, openmpi-bin'
"$alone" "$@" --output alone.csv
that 'without a launcher it works' cmp one.csv alone.csv
ranks 0 1 "$alone" "$@" --output alone.csv
that 'launched once, too' cmp one.csv alone.csv
that 'a launcher that is not that of this MPI' eval \
    "OMPI_COMM_WORLD_SIZE=4 '$liegrp' sweep suslov --param I11=1:2:2 2>&1 | grep -q 'not the launcher'"

# --- stopped and killed -----------------------------------------------------------------------------------------------
long() { # FILE: a sweep of hours
    rm -f pid.*
    # shellcheck disable=SC2016 # for the ranks' shells
    mpirun -n 4 sh -c 'echo $$ >pid.$OMPI_COMM_WORLD_RANK; exec "$@"' sh "$liegrp" sweep rolling-ball --method gni \
        --param Omega=0:2:10000000 --output "$1" >out 2>"$1.err" </dev/null &
    child=$!
    said='a sweep that is stopped'
    # Rounds have been written.
    for _ in $(seq 400); do
        sleep 0.1
        [ "$(cat "$1".*.part 2>/dev/null | wc -c)" -gt 100000 ] && break
    done
}
alive() { [ -d "/proc/$1" ] && ! grep -q '^State:.Z' "/proc/$1/status"; }
gone() { # no rank goes on
    for _ in $(seq 400); do
        left=0
        for pid in $(cat pid.*); do alive "$pid" && left=1; done
        [ $left -eq 0 ] && return 0
        sleep 0.1
    done
    return 1
}
export OMPI_MCA_odls_base_sigkill_timeout=2 # seconds that mpirun waits, in any case and twice; 1 by default
long stop.csv
unset OMPI_MCA_odls_base_sigkill_timeout
kill -INT $child
interrupted=$child
until_there 0 stop.csv # what mpirun waits for is over; what follows need not wait with it
for victim in mpirun 'rank 2'; do
    echo precious >kept.csv
    long kept.csv
    case $victim in
    mpirun) kill -9 $child ;;
    *) kill -9 "$(cat "pid.${victim#rank }")" ;;
    esac
    wait $child 2>/dev/null
    that "$victim killed: not well" test $? -ne 0
    that "$victim killed: no rank goes on" gone
    that "$victim killed: the file is untouched" test "$(cat kept.csv)" = precious
    that "$victim killed: what there was is called .part" eval 'ls kept.csv.*.part'
    rm -f kept.csv.*.part
done
wait "$interrupted"
status=$? said='a sweep that is interrupted'
that 'not well' test $status -ne 0
cp stop.csv.err err
once 'interrupted: '
once 'stop.csv holds them'
no_file '*.part'
that 'whole lines, in order' awk -F, 'NR == 1 { n = NF } NF != n || NR > 1 && $1 != NR - 2 { exit 1 }' stop.csv
next=$(sed -n 's/.*--first \([0-9]*\) continues.*/\1/p' err)
that 'as many as it says' test "$(wc -l <stop.csv)" -eq $((next + 1))
# With a checkpoint: rank 0 killed with four ranks, gone on with three to the bytes of one process.
set -- sweep rolling-ball --method gni --param Omega=0:2:101 --param I1=0.5:0.7:21 --steps 2000 --quiet
call 0 "$@" --output whole.csv
rm -f pid.*
echo precious >ended.csv
# shellcheck disable=SC2016 # for the ranks' shells
OMPI_MCA_odls_base_sigkill_timeout=0 mpirun -n 4 \
    sh -c 'echo $$ >pid.$OMPI_COMM_WORLD_RANK; exec "$@"' sh "$liegrp" "$@" --output ended.csv --checkpoint c.chk \
    --checkpoint-every 0.01 >out 2>err </dev/null &
child=$!
said='a sweep with a checkpoint'
for _ in $(seq 200); do
    sleep 0.1
    [ "$(cat ended.csv.*.part 2>/dev/null | wc -c)" -gt 20000 ] && break
done
kill -9 "$(cat pid.0)"
wait $child 2>/dev/null
that 'rank 0 killed: no rank continues' gone
if [ "$(head -c 8 ended.csv)" = precious ]; then # it had not ended
    that 'rank 0 killed: what there was is called .part' eval 'ls ended.csv.*.part'
    ranks 0 3 "$liegrp" "$@" --output ended.csv --checkpoint c.chk --resume
fi
that 'the bytes of one process' cmp whole.csv ended.csv
that 'the checkpoint is gone' test ! -e c.chk
rm -f ended.csv whole.csv c.chk*
set -- sweep rolling-ball --method gni --param Omega=0:2:101 --param I1=0.5:0.7:21 --steps 10 --quiet
# What was left does not disturb the next.
ranks 0 4 "$liegrp" "$@" --output kept.csv
that 'the next sweep is whole' cmp one.csv kept.csv
no_file '.liegrp-*.lock'

said='sanitizers'
that 'they have nothing to say' eval '! ls sanitizer.* >/dev/null 2>&1'
cat sanitizer.* 2>/dev/null | head -40
finish
