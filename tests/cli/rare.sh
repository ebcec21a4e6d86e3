#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# rare.sh LIEGRP OWN-SYSTEMS [ROBOTS]: rare options: tolerances, attitudes in every form, options with a wrong last
# letter, pictures of everything, terminals, other programs that fail. ROBOTS is left out if the tool has no expat.
# Prints what fails; the exit status tells whether something did.
set -u
# shellcheck source=tests/cli/common.sh
. "$(cd "$(dirname "$0")" && pwd)/common.sh"
own=$(absolute "$2")
robots=${3:+$(cd "$3" && pwd)}
begin "$1"

# same_end FILE FILE NAMES: the last values of these columns are the same up to 1e-9.
same_end() {
    awk -F, -v names="$3" '
        FNR == 1 { for (i = 1; i <= NF; i++) at[FILENAME, $i] = i; next }
        { for (i = 1; i <= NF; i++) last[FILENAME, i] = $i }
        END { n = split(names, name, " ")
              for (k = 1; k <= n; k++) { a = last[ARGV[1], at[ARGV[1], name[k]]]; b = last[ARGV[2], at[ARGV[2], name[k]]]
                  if (a == "" || b == "" || (a - b) > 1e-9 || (b - a) > 1e-9) exit 1 } }' "$1" "$2"
}

# --- found steps ------------------------------------------------------------------------------------------------------
call 0 run rolling-disk --tolerance 1e-9 --step 0.1 --steps 20 --output found.csv
err_has 'steps of '
call 0 run rolling-disk --tolerance 1e-9 --method gauss:stages=6 --step 0.1 --steps 20 --output other.csv
that 'two orders agree' same_end found.csv other.csv 'x y qx qy qz qw'
call 0 run four-bar --tolerance 1e-8 --step 0.05 --steps 4 --output mechanism.csv
err_has 'steps of '
wrong 'has steps of one length' run rolling-disk --tolerance 1e-9 --method sem
for value in 0 -1 9e-15 0.2 x nan; do wrong '--tolerance must be' run rolling-disk --tolerance $value; done
call 0 run four-bar --method gauss:stage --steps 2 --quiet # as a system
call 0 run four-bar --method gauss:stages=3 --steps 2 --quiet
wrong 'stages' run four-bar --method gauss:stages=77 --steps 2

# --- words ------------------------------------------------------------------------------------------------------------
call 0 run --steps 2 --quiet -- suslov
wrong "'-x'" run -x
wrong "'-'" run -
call 0 run -h
out_has 'usage'
call 0 help --help
out_has 'usage: liegrp help'
wrong "unknown option '--x'" help --x
wrong 'one command at a time' help run sweep
wrong "unknown command ''" help ''
wrong '--control must be NAME=VALUE, got' sweep ball-on-inclined-turntable --control torque --param m=1:2:2
wrong 'the sweep has 1 instance, numbered from 0' sweep suslov --param I11=1:1:1 --first 5
call 3 sweep rolling-ball --param Omega=1:1:1 --step 1e200 --steps 5
err_has 'error: 1 of 1 instance failed'
wrong 'unknown option' run suslov --wholly-unlike-anything-that-is-known-and-much-longer-than-forty-letters-or-even-sixty-four=3
wrong 'unknown option' run suslov --help=1
wrong 'unknown' list an-unlikely-thing-that-is-longer-than-forty-letters-so-that-nothing-is-near-it
for value in ' 1' inf 1e999 0x; do wrong '--steps' run suslov "--steps=$value"; done
wrong '--time' run suslov --time x
call 0 run suslov --step 0.3 --time 1
err_has 'multiple'
wrong 'NAME=VALUE' run suslov --init nothing

# --- attitudes --------------------------------------------------------------------------------------------------------
# One attitude in four forms: a turn of 90 degrees about z.
for form in 'axis=0,0,2 --init angle=90deg' 'rotation=0,0,90deg' 'euler=zyx:90deg,0,0' 'rotation=0,0,1.5707963267948966' \
    'qz=0.7071067811865475 --init qw=0.7071067811865476'; do
    # shellcheck disable=SC2086 # options
    call 0 run rolling-ball --steps 1 --init $form --output "form.csv"
    [ -f first.csv ] || cp form.csv first.csv
    that "$form is the first form" same_end first.csv form.csv 'qx qy qz qw x y'
done
for value in axis=0,0,0 axis=1,2 axis=1,2,3,4 axis=1,x,3 angle=x angle=90degrees rotation=1,2 \
    rotation=1,2,x rotation=1e300,0,0 euler=zyx euler=zyx:1,2 euler=zy:1,2,3 euler=abc:1,2,3 euler=zyxz:1,2,3,4 \
    euler=zyx:1,2,1e300 euler=:1 axis=1,2,33333333333333333333333333333333333333333333333333333333333333333333333333333; do
    case $value in
    axis=*) set -- --init angle=1 ;;
    angle=*) set -- --init axis=0,0,1 ;;
    *) set -- ;;
    esac
    wrong '--init' run rolling-ball --steps 1 --init "$value" "$@"
done
call 0 run rolling-ball --steps 1 --init axis=1e200,1e200,1e200 --init angle=1 # whose square is none
wrong 'euler' run rolling-ball --steps 1 --init euler=zyx:1,0,0 --init rotation=0,0,1
wrong 'attitude twice' run rolling-ball --steps 1 --init qx=0.1 --init rotation=0,0,1
wrong '--init' run rolling-ball --steps 1 --init rotation_2=0,0,1
wrong '--init' run particle --steps 1 --init rotation=0,0,1
wrong '--init' run rolling-ball --steps 1 --init rotation
wrong 'liegrp run' run rolling-ball --steps 1 --init qx=2

# --- controls ---------------------------------------------------------------------------------------------------------
printf '# times and values\n\n0,1\n 0.05 , -1 \n' >pulses.csv
wrong '--control must be' run two-wheeled-robot --control nothing
wrong '--control must be' run two-wheeled-robot --control =1
call 0 run two-wheeled-robot --steps 4 --step -0.05 --quiet --control u_1=pulses.csv
: >empty.csv
printf '0,1\nx,2\n' >letters.csv
printf '1,1\n0,2\n' >backwards.csv
printf '0,1,2\n' >three.csv
call 0 run arm --steps 20 --quiet --control motor1=pulses.csv --output pulses-out.csv
call 0 run arm --steps 20 --quiet --method gni --control motor1=0.5
wrong 'has no rows' run arm --control motor1=empty.csv
wrong 'letters.csv' run arm --control motor1=letters.csv
wrong 'backwards.csv' run arm --control motor1=backwards.csv
wrong 'three.csv' run arm --control motor1=three.csv
wrong 'directory' run arm --control motor1=.
wrong '--control' run arm --control motor1=1 --control motor1=2
wrong '--control must be' run arm --control motor1=
wrong '--control must be' sweep arm --steps 2 --control motor1=pulses.csv --control motor2=1:2:2

# --- sweeps -----------------------------------------------------------------------------------------------------------
wrong 'twice' sweep suslov --steps 2 --init xi_1=0:1:2 --init xi_1=3:4:2
for value in I11=:2:3 I11=1e308:-1e308:3 \
    I11=1111111111111111111111111111111111111111111111111111111111111111111111111111111:2:3; do
    wrong '--param' sweep suslov --steps 2 --param "$value"
done
wrong 'liegrp sweep' sweep suslov --steps 2 --param I11=1:2:1e15 --param I22=1:2:1e15
wrong '--time' sweep suslov --param I11=1:2:2 --time x
wrong '--init' sweep rolling-ball --steps 2 --init euler=zyx:0:1:3
call 0 sweep rolling-ball --steps 2 --init angle=0:1.5:3 --init axis=0,0,1 --output turned.csv
call 0 sweep suslov --steps 4 --init xi_1=0.1:1:70 --output line.csv
call 0 sweep suslov --steps 4 --random 20 --init xi_1=0.1:1 --init xi_2=0.1:1 --output random.csv

# --- orders -----------------------------------------------------------------------------------------------------------
call 0 convergence particle --methods sem,sem,gni --retractions exp,cayley --levels 3
call 0 convergence rigid-body --methods sem,gni --retractions exp,cayley --levels 3 --json

# --- claims -----------------------------------------------------------------------------------------------------------
for value in 65 x 1.5; do wrong '--threads' verify --threads $value; done
call 0 verify group-operations --threads 1 --all
call 0 verify sleigh-balanced sleigh-measure --threads 2 --json --quiet

# --- pictures ---------------------------------------------------------------------------------------------------------
if command -v gnuplot >/dev/null 2>&1; then
    call 0 run rolling-ball --steps 20 --quiet --plot b.svg --plot-columns 'x:y/e1_z/energy/inv_*,balance/qx,qy,qz,qw'
    call 0 run particle --steps 20 --quiet --plot c.svg --plot-columns 't'
    call 0 run suslov --steps 20 --quiet --plot d.svg --plot-columns '*'
    call 0 sweep suslov --steps 4 --init xi_1=0.1:1:70 --plot e.svg
    call 0 sweep suslov --steps 4 --init xi_1=0.1:1:7 --plot f.svg --plot-columns 'energy_drift,t,status'
    call 0 sweep suslov --steps 4 --random 20 --init xi_1=0.1:1 --init xi_2=0.1:1 --plot g.svg
    call 0 sweep suslov --steps 4 --init xi_1=0.1:1:5 --init xi_2=0.1:1:5 --plot h.svg --plot-columns energy_drift
    call 0 sweep rolling-ball --steps 2 --init angle=0:1.5:3 --init axis=0,0,1 --plot i.svg
    call 0 convergence suslov --methods sem,gni,rk4,dla,nsv --levels 3 --plot j.svg
    # shellcheck disable=SC2046 # a list
    pictures $(ls ./*.svg)
    # A gnuplot that fails, is killed, or is not there.
    mkdir bin
    printf '#!/bin/sh\ncat >/dev/null\nexit 3\n' >bin/gnuplot
    chmod +x bin/gnuplot
    PATH="$PWD/bin:$PATH" "$liegrp" run suslov --steps 2 --quiet --plot k.svg >out 2>err
    that 'a gnuplot that fails' test $? -eq 2
    err_has gnuplot
    printf '#!/bin/sh\nkill -9 $$\n' >bin/gnuplot
    PATH="$PWD/bin:$PATH" "$liegrp" run suslov --steps 2 --quiet --plot k.svg >out 2>err
    that 'a gnuplot that is killed' test $? -eq 2
    mkdir none
    PATH="$PWD/none" "$liegrp" run suslov --steps 2 --quiet --plot k.svg >out 2>err
    that 'no gnuplot' test $? -eq 2
    err_has gnuplot
    that 'no picture is left' test ! -e k.svg
fi
wrong 'must end in' sweep suslov --steps 2 --init xi_1=0:1:3 --plot a.bmp
for columns in nothing 'xi_1,,xi_2' 'xi_1:' ':xi_1' 'xi_1:nothing' 'nothing*' '' 'e4_x' 'e1_w' 'e1_xx' '/' 'xi_1/'; do
    wrong '--plot-columns' run suslov --steps 2 --plot a.svg --plot-columns "$columns"
done
wrong '--plot-columns' sweep suslov --steps 2 --init xi_1=0:1:3 --plot a.svg --plot-columns nothing
wrong 'at most' figure 000-2 $(i=0; while [ $i -lt 20 ]; do printf -- '--output %s.csv ' $i; i=$((i + 1)); done)

# --- systems of a user, on groups that no catalog has -------------------------------------------------------------------
plot_run='' plot_orders=''
if command -v gnuplot >/dev/null 2>&1; then plot_run='--plot own.svg' plot_orders='--plot orders.svg'; fi
# shellcheck disable=SC2086 # options
for name in satellite gimbal puck unicycle winch glider clock-work submarine planet; do
    LG_OWN_SYSTEM=$name
    export LG_OWN_SYSTEM
    call 0 info "$own"
    call 0 info "$own" --json
    rm -f own.svg orders.svg
    call 0 run "$own" --steps 3 --monitor --probe --output own.csv $plot_run
    call 0 convergence "$own" --methods sem,nsv --levels 2 --json $plot_orders
    if [ -n "$plot_run" ]; then that "$name: two pictures" test -s own.svg -a -s orders.svg; fi
done
unset LG_OWN_SYSTEM
wrong 'liegrp_system() returned NULL' info "$own"

# --- terminals: progress bars and binary output -------------------------------------------------------------------------
if command -v script >/dev/null 2>&1; then
    # The bar comes after a second, which the run spends asleep.
    cat >bar.sh <<'END'
"$1" run rigid-body --steps 1e12 --output long.csv --every 1e9 &
try() { # COMMAND...: until it succeeds, five seconds at most
    for _ in $(seq 50); do
        "$@" 2>/dev/null && return
        sleep 0.1
    done
}
began() { ls long.csv.*.part >/dev/null; }
try began
kill -STOP $!
sleep 1.1
kill -CONT $!
try grep -q ' s left' out
kill -INT $!
wait $!
END
    script -qec "sh bar.sh $liegrp" /dev/null >out 2>&1
    out_has ' s left'
    out_has 'interrupted'
    script -qec "$liegrp run suslov --steps 2 --format npy --output -" /dev/null >out 2>&1
    that 'no binary numbers into a terminal' test $? -ne 0
    out_has terminal
    script -qec "stty cols 60; TERM=xterm NO_COLOR= $liegrp list systems" /dev/null >out 2>&1
    that 'a list in 60 columns' awk '{ gsub(/\033\[[0-9;]*m|\r/, "") } length > 60 { exit 1 }' out
    that 'names in bold' grep -q "$(printf '\033\\[1m')suslov" out
    for plain in 'NO_COLOR=1' 'TERM=dumb'; do
        script -qec "stty cols 60; $plain $liegrp list systems" /dev/null >out 2>&1
        that "no colours: $plain" sh -c '! grep -q "$(printf "\033")" out'
    done
fi
call 0 --color always list
that 'colours where they are asked for' grep -q "^$(printf '\033\\[1m')groups:" out
call 0 --color=never list systems
that 'a tab in a file' grep -q "^suslov$(printf '\t')" out
wrong '--color must be always, never or auto' --color sometimes list
wrong '--color must be always, never or auto' --color
wrong "unknown command ''" --color=auto ''
call 2 --color=always run nothing-like-this
that 'an error in red' grep -q "^$(printf '\033\\[1;31m')liegrp run:" err
call 0 run -h
out_has '--compare'
that 'common options alone' sh -c '! grep -q -e --capture out'
out_has 'has all options'
wrong "did you mean '--checkpoint-every'" run suslov --checkpoint-evry 3

# --- mechanisms ---------------------------------------------------------------------------------------------------------
wrong 'the step of mechanisms has no retraction' run four-bar --retraction cayley
wrong '--floating' run suslov --floating
wrong 'gravity' run four-bar --gravity 1,2
wrong 'gravity' run four-bar --gravity 1,2,x
wrong 'gravity' run four-bar --gravity 1,2,3,4
wrong 'gravity' run four-bar --gravity 1,2,"$(printf '%080d' 3)"
if [ -n "$robots" ]; then
    robot=$robots/$(ls "$robots" | grep urdf | head -1)
    for value in '' =1 link link= link=x link=1,w link=1,xy link=-1 link=0 nothing=0.1 "$(printf '%0200d' 1)=1"; do
        wrong '--wheel' run "$robot" --wheel "$value"
    done
    wrong 'no mass' info "$robot" --floating
    wrong 'No such file' info ./nowhere.urdf
    wrong 'nowhere' info ./nowhere.xml
    wrong 'nowhere' info ./nowhere.mjcf
fi
finish
