#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# edges.sh LIEGRP OWN-SYSTEMS: every option of every command with invalid values and with values at the end of the
# allowed range, degenerate pictures, terminals, outputs that cannot be written. Prints what fails; the exit status
# tells whether something did.
set -u
# shellcheck source=tests/cli/common.sh
. "$(cd "$(dirname "$0")" && pwd)/common.sh"
own=$(absolute "$2")
begin "$1"
long=$(printf '%0300d' 0 | tr 0 n)

# --- every option that takes a value: none, an empty one, no number --------------------------------------------------------
# Each option is given wrongly in one of the ways that all are read for, another one in the next command.
turn=0
for command in list info run optimise gait identify sweep figure convergence bench verify; do
    case $command in
    list) first=systems ;;
    figure) first=000-2 ;;
    bench) first=groups ;;
    verify) first=group-operations ;;
    *) first=suslov ;;
    esac
    call 0 $command --help
    out_has usage: "liegrp $command"
    # "--NAME WORD" lines, WORD missing where the option takes no value.
    sed -n 's/^ *\(--[a-z-]*\)\( [^ ][^ ]*\)\{0,1\}.*/\1\2/p' out >options.txt
    while read -r option word; do
        turn=$((turn + 1))
        case $((turn % 3)):$word:$option in
        *::--help | 0:*) wrong "$option" $command $first "${option}x" ;;
        *::*) wrong 'takes no value' $command $first "$option=1" ;;
        *:\[*) wrong 'is empty' $command $first "$option=" ;; # the value may be missing
        1:*) wrong 'needs a value' $command $first "$option" ;;
        2:*) wrong 'is empty' $command $first "$option=" ;;
        esac
        case $option in
        --from) # is looked for before the others are read
            wrong 'needs a value' $command $first --from
            wrong 'is empty' $command $first --from=
            ;;
        esac
        case $word in
        N | K | SECONDS | H | T | STEPS | TOL | REL) wrong "$option" $command $first "$option" letters ;;
        esac
    done <options.txt
    that "$command has options" test -s options.txt
    wrong 'did you mean' $command $first --hepl
    call 0 help $command
    call 2 help $command-
done
wrong 'after --version' --version now
wrong 'unknown command' "$long"

# --- checkpoints ------------------------------------------------------------------------------------------------------------
for command in run sweep; do
    swept=''
    if [ $command = sweep ]; then swept='--param I11=1:2:2'; fi
    # shellcheck disable=SC2086 # options
    for value in 0 -1 x nan inf; do
        wrong '--checkpoint-every must be' $command suslov $swept --steps 2 --checkpoint c --checkpoint-every $value
    done
    # shellcheck disable=SC2086
    {
        wrong '--resume needs --checkpoint' $command suslov $swept --steps 2 --resume
        wrong '--checkpoint-every needs --checkpoint' $command suslov $swept --steps 2 --checkpoint-every 5
        wrong 'needs a file' $command suslov $swept --steps 2 --checkpoint -
        wrong 'needs a file' $command suslov $swept --steps 2 --checkpoint /dev/null
        wrong 'standard output cannot be taken up' $command suslov $swept --steps 2 --checkpoint c --output -
        wrong '/dev/null cannot be taken up' $command suslov $swept --steps 2 --checkpoint c --output /dev/null
        wrong 'nowhere/c' $command suslov $swept --steps 2 --checkpoint nowhere/c --output a.csv
        wrong 'same file' $command suslov $swept --steps 2 --checkpoint a.csv --output ./a.csv
        printf 'no checkpoint\n' >c
        call 2 $command suslov $swept --steps 2 --checkpoint c --output a.csv
        call 2 $command suslov $swept --steps 2 --checkpoint c --output a.csv --resume
        err_has 'no checkpoint of liegrp'
        rm c
        call 0 $command suslov $swept --steps 2 --checkpoint c --output a.csv --resume
        that 'no checkpoint is left' test ! -e c
    }
done

# --- where nothing can be written -------------------------------------------------------------------------------------------
mkdir folder
for file in folder nowhere/a.csv a.csv/below /proc/nothing.csv; do
    : >a.csv
    call 2 run suslov --steps 2 --output $file
    err_has "$file"
    case $file in
    folder | a.csv/*) call 2 sweep suslov --param I11=1:2:2 --steps 2 --output $file ;;
    *) call 2 convergence particle --methods sem --levels 2 --output $file ;;
    esac
    err_has "$file"
done
call 2 figure 000-2 --output nowhere/a.csv
err_has nowhere/a.csv
call 2 bench groups --quick --output nowhere/a.json
err_has nowhere/a.json
wrong 'same file' figure 000-2 --output a.csv --output ./a.csv
wrong 'must end in' figure 000-2 --output .csv
wrong 'must end in' figure 000-2 --output csv
wrong 'one figure at a time' figure 000-2 000-3
wrong 'no figure' figure
wrong 'unknown figure' figure "$long"
if [ -w /dev/full ]; then
    ln -s /dev/full full.html
    if "$liegrp" run --help | grep -q -e --view; then
        call 2 run heavy-top --steps 300 --quiet --view full.html
        err_has 'No space left on device'
    fi
    for command in 'list systems' 'info suslov' 'info suslov --json' 'info four-bar' 'run suslov --steps 2 --output -' 'run --help' \
        'sweep suslov --param I11=1:2:2 --steps 2 --output -' 'convergence particle --methods sem --levels 2 --json' \
        'verify group-operations' 'figure --help' '--version' 'help' 'bench --help'; do
        # shellcheck disable=SC2086 # words
        "$liegrp" $command >/dev/full 2>err
        that "$command into a full disk" test $? -eq 2
        err_has space
    done
fi

# --- ranges -----------------------------------------------------------------------------------------------------------------
for value in x=1:2:3:4:5 =0:1:2 I11=1:1e400:2 I11=nan:1:2; do
    wrong '--param' sweep suslov --steps 2 --param "$value"
done
for value in angle=0:x:3 angle a=angle:1:2 angle=0:1e308:3 axis=0,0,1:2:3; do
    wrong '--init' sweep rolling-ball --steps 2 --init "$value"
done
for name in xangle "$long" angle_7; do
    wrong "'$(printf '%.40s' "$name")" sweep rolling-ball --steps 2 --init "$name=0:1:2"
    wrong "'$(printf '%.40s' "$name")" sweep rolling-ball --steps 2 --param "$name=0:1:2"
done
wrong 'angle' sweep rolling-ball --steps 2 --init angle=0:1:2
wrong 'unknown control' sweep arm --steps 2 --control nothing=1:2:2
wrong 'has no controls' sweep suslov --steps 2 --control u=1:2:2
wrong 'is given twice' sweep arm --steps 2 --control motor1=1:2:2 --control motor1=1:2:2

# --- attitudes --------------------------------------------------------------------------------------------------------------
for value in angle=xdeg angle=deg angle=0deg rotation=1,2,xdeg rotation=1,2,3,4 'rotation=,,' euler=xyz: euler=xyzx:1 euler=xx:1,2 \
    euler=xyz:1,2 euler=x:1,2 axis=inf,0,0 axis=nan,0,0 axis=1e300,0,x "axis=$long"; do
    wrong '--init' run rolling-ball --steps 1 --init "$value"
done
for value in euler=x:1 euler=xy:1,2 euler=zxz:1,2,3 rotation=0,0,0; do
    call 0 run rolling-ball --steps 1 --init $value --quiet --output a.csv
done
wrong 'the attitude twice' run rolling-ball --steps 1 --init axis=0,0,1 --init angle=1 --init euler=x:1
wrong '--init' run rolling-ball --steps 1 --init angle=1 --init angle=2 --init axis=0,0,1

# --- pictures ---------------------------------------------------------------------------------------------------------------
# A gnuplot that only copies its script is quick, and tells what was asked of it.
mkdir bin
printf '#!/bin/sh\nexec cat\n' >bin/gnuplot
chmod +x bin/gnuplot
before=$PATH
PATH=$PWD/bin:$PATH
export PATH
# drawn WORD ARGUMENT...: the picture a.svg is drawn, and its script has the word.
drawn() {
    word=$1
    shift
    : >a.svg
    call 0 "$@" --plot a.svg
    that "the script should have: $word" grep -qF -e "$word" a.svg
}
for columns in energy_drift 'energy_drift,t,status' 'energy_drift,t/status,step' \
    'energy_drift,t,status,step,energy,xi_1,xi_2,xi_3' '*'; do
    drawn plot sweep suslov --steps 4 --init xi_1=0.1:1:5 --quiet --plot-columns "$columns"
    drawn image sweep suslov --steps 4 --init xi_1=0.1:1:5 --init xi_2=0.1:1:4 --quiet --plot-columns "$columns"
    drawn palette sweep suslov --steps 4 --random 9 --init xi_1=0.1:1 --init xi_2=0.1:1 --quiet --plot-columns "$columns"
done
drawn 'logscale cb' sweep rigid-body --steps 4 --init xi_1=0.001:100:5 --init xi_2=0.001:100:4 --quiet --plot-columns energy
drawn 'energy [10⁵ J]' sweep rigid-body --steps 4 --init xi_1=500:501:5 --quiet --plot-columns energy
drawn 'energy [10⁻⁸ J]' sweep rigid-body --steps 4 --init xi_1=1e-4:2e-4:5 --init xi_2=0 --init xi_3=0 --quiet --plot-columns 'energy,xi_1'
drawn plot sweep suslov --steps 4 --init xi_1=0.5:0.5:1 --param I11=1:2:4 --quiet
drawn plot sweep suslov --steps 0 --init xi_1=0:0.5:3 --quiet
drawn plot sweep rolling-ball --steps 4 --method gni --step 30 --param Omega=0:9:4 --quiet # some fail
drawn rad sweep rolling-ball --steps 4 --init angle=0:1:4 --init axis=0,0,1 --quiet
drawn motor1 sweep arm --steps 2 --control motor1=1:2:3 --quiet
wrong 'but 3 are swept' sweep suslov --steps 1 --init xi_1=0:1:2 --init xi_2=0:1:2 --param I11=1:2:2 --plot a.svg
wrong 'but 0 are swept' sweep suslov --steps 1 --init xi_1=0:0:1 --plot a.svg
wrong 'needs --plot' sweep suslov --steps 1 --init xi_1=0:1:2 --plot-columns t
wrong 'unknown column' sweep suslov --steps 1 --init xi_1=0:1:2 --plot a.svg --plot-columns "$long"
wrong 'at most 1000000' sweep suslov --steps 1 --init xi_1=0:1:1000001 --plot a.svg
call 2 sweep suslov --steps 1 --init xi_1=0:1:2 --plot nowhere/a.svg
err_has nowhere/a.svg
call 2 run suslov --steps 1 --plot nowhere/a.svg
err_has nowhere/a.svg
for system in $("$liegrp" list systems | cut -f1) $("$liegrp" list mechanisms | cut -f1); do
    drawn plot run "$system" --steps 0 --quiet
    if [ "$system" = dominoes ]; then
        wrong 'more than 96 columns' run "$system" --steps 12 --quiet --plot a.svg --plot-columns '*'
    else
        drawn plot run "$system" --steps 12 --quiet --plot-columns '*'
    fi
done
for system in suslov four-bar; do
    drawn plot run $system --steps 12 --quiet --plot-columns 't,energy/energy_change'
done
drawn rounding run rigid-body --steps 12 --quiet --plot-columns energy_change
drawn 'set logscale y' run rolling-disk --steps 12 --quiet --plot-columns constraint
drawn 'yrange [1.0000000000000001e-18:1]' run rolling-disk --steps 12 --quiet --plot-columns constraint
drawn plot run chaplygin-sleigh --method rk4 --step 0.5 --steps 12 --quiet --plot-columns energy_change
that 'what a method loses is no rounding' not grep -q rounding a.svg
drawn plot run rigid-body --init xi_1=2000 --steps 12 --quiet --plot-columns energy
drawn plot run particle --step -0.1 --steps 12 --quiet --plot-columns 'x:y/t:energy/x,y,z/energy,t'
for columns in e1_x e9_x e1_w e1 'e1_x:' 'x:y:z' '[' 'x,[w]' "$long" "$(i=0; while [ $i -lt 60 ]; do printf 'x/'; i=$((i + 1)); done)x" \
    "x$(i=0; while [ $i -lt 300 ]; do printf ',x'; i=$((i + 1)); done)"; do
    call 2 run particle --steps 2 --plot a.svg --plot-columns "$columns"
    err_has '--plot-columns'
done
for levels in 2 5; do
    drawn plot convergence particle --methods sem,gni --retractions exp --levels $levels --quiet
    drawn plot convergence suslov --methods sem,nsv,rk4 --retractions exp,cayley --levels $levels --quiet
    drawn plot convergence snakeboard --methods sem --levels $levels --step 0.002 --quiet
done
drawn plot convergence chaplygin-sleigh --methods sem,gni,rk4 --retractions exp,cayley --levels 4 --quiet
for system in satellite gimbal puck winch planet; do
    LG_OWN_SYSTEM=$system
    export LG_OWN_SYSTEM
    drawn plot run "$own" --steps 12 --quiet --plot-columns '*'
    drawn plot convergence "$own" --methods sem --levels 2 --quiet
done
unset LG_OWN_SYSTEM
printf '#!/bin/sh\nexit 1\n' >bin/gnuplot # it reads nothing
call 2 figure 000-2 --quiet --output a.png
err_has 'gnuplot failed'
PATH=$before

# --- objects that are none --------------------------------------------------------------------------------------------------
deep=$(i=0; while [ $i -lt 500 ]; do printf './nowhere/'; i=$((i + 1)); done)x.so
for name in "$deep" a.csv/x.so ./folder nowhere.so ./a.csv; do
    for command in info run 'sweep --param a=1:2:2 --steps 1' convergence verify; do
        case $command:$name in
        run:* | *:*/nowhere/* | *:./a.csv) ;;
        *) continue ;;
        esac
        # shellcheck disable=SC2086 # words
        call 2 $command "$name"
        that 'a message' test -s err
    done
done
wrong 'unknown system' run "$long"
wrong 'unknown system' convergence "$long"

# --- claims, in every form that they are printed in -------------------------------------------------------------------------
call 0 verify fedorov2005 group-operations fedorov2005 sleigh-balanced --threads 2
out_has '6 of 6 claims hold'
call 0 verify group-operations suslov-measure --all
out_has '    ok   '
call 0 verify group-operations suslov-measure --json
out_has '"passed": true'
call 0 verify group-operations suslov-measure --page
out_has '# The ledger' holds
for name in wrong-gradient microbe glider finite; do
    LG_OWN_SYSTEM=$name
    export LG_OWN_SYSTEM
    case $name in wrong-*) status=1 word=FAILS ;; *) status=0 word=' hold' ;; esac
    call $status verify --system "$own" catalog-consistent
    out_has "$word"
    for form in --all --json --page '--json --all'; do
        # shellcheck disable=SC2086 # words
        call $status verify --system "$own" catalog-consistent --quiet $form
        that "$name, $form: something is printed" test -s out
    done
done
# finite, which some of these do not apply to and some of whose measurements it does not show
set -- verify --system "$own" --quiet group-operations gni-composition-order euler-orders rattle-order sem-constraint
call 0 "$@"
out_has ' do not apply' 'more skipped'
call 0 "$@" --all
out_has 'not seen on this system'
call 0 "$@" --json
out_has '"skipped": true'
unset LG_OWN_SYSTEM
wrong 'verify takes systems' verify --system four-bar --quiet
wrong 'unknown claim' verify "$long"

# --- terminals --------------------------------------------------------------------------------------------------------------
if command -v script >/dev/null 2>&1; then
    script -qec "$liegrp convergence particle --methods sem,gni --levels 3" /dev/null >out 2>&1
    out_has ' of 4)'
    script -qec "$liegrp verify group-operations gni-average-momentum" /dev/null >out 2>&1
    out_has gni-average-momentum
    script -qec "$liegrp bench steps --quick --output a.json" /dev/null >out 2>&1
    that 'the benchmark wrote its file' test -s a.json
    script -qec "$liegrp sweep suslov --param I11=1:2:40 --steps 2000 --output a.csv" /dev/null >out 2>&1
    that 'the sweep wrote its file' test -s a.csv
fi

finish
