#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# run.sh LIEGRP: liegrp run from outside: its outputs, files and exit status, and its messages on wrong use.
# Prints what fails; the exit status tells whether something did.
set -u
# shellcheck source=tests/cli/common.sh
. "$(cd "$(dirname "$0")" && pwd)/common.sh"
begin "$1"
SYSTEMS='particle particle-quadratic rigid-body biinvariant-so3 suslov chaplygin-sleigh rolling-ball chaplygin-sphere'
COMPOSITIONS='yoshida4 suzuki4 kahan-li6 kahan-li8'

silent_err() { that 'standard error should be empty' test ! -s err; }
# is A B: the same number up to 1e-9.
is() { awk -v a="$1" -v b="$2" 'BEGIN { d = a - b; exit !(a ~ /[0-9]/ && b ~ /[0-9]/ && d < 1e-9 && d > -1e-9) }'; }

# --- help, version, no command ----------------------------------------------------------------------------------------
for words in --help -h help 'help run' 'list --help' 'info --help' 'run particle --help'; do
    # shellcheck disable=SC2086 # words are words
    call 0 $words
    out_has liegrp
    silent_err
done
call 0 run --help
out_has --method --retraction --step --steps --time --param --init --start --project --every --output --format --plot \
    --monitor --monitor-every --probe --checkpoint --checkpoint-every --resume --no-accuracy --quiet \
    'default sem' '@COMPOSITION'
call 0 --version
out_has 'liegrp 1.'
call 2
silent_out
err_has usage
wrong "unknown command 'rnu'; did you mean 'run'?" rnu
wrong "unknown option '--verison'" --verison

# --- list -------------------------------------------------------------------------------------------------------------
call 0 list
for kind in groups retractions methods compositions systems; do
    call 0 list $kind
    # shellcheck disable=SC2016 # awk's fields
    that 'every line is a name, a tab, an explanation' awk -F'\t' 'NF != 2 || $1 == "" || $2 == "" { exit 1 }' out
    case $kind in
    systems)
        for system in $SYSTEMS; do out_has "$system	"; done
        EVERY=$(cut -f1 out)
        ;;
    methods)
        for method in sem nsv smv sml gni gni-r dla rattle variational rk4 rkmk4; do out_has "$method	"; done
        cut -f1 out >methods.txt
        ;;
    compositions) for name in $COMPOSITIONS; do out_has "@$name	"; done ;;
    retractions) for name in exp cayley second-kind; do out_has "$name	"; done ;;
    esac
done
call 0 list --help
out_has '@COMPOSITION'
wrong "unknown list 'system'; did you mean 'systems'?" list system
wrong 'one list at a time' list groups methods
wrong "unknown option '--all'" list --all

# --- info -------------------------------------------------------------------------------------------------------------
for system in $EVERY; do
    call 0 info "$system"
    out_has "$system" 'step,t,'
    mv out "info-$system.txt"
    call 0 info "$system" --json
    mv out "info-$system.json"
done
if command -v python3 >/dev/null 2>&1; then
    that 'JSON' python3 -c 'import glob, json
for name in glob.glob("info-*.json"):
    d = json.load(open(name))
    assert d["name"] == name[5:-5]
    assert d["columns"][:2] == ["step", "t"] and d["parameters"] is not None and d["source"]
    for k in d["initial"]: assert k in d["columns"], k
    for i in d["invariants"]: assert i["column"] == "inv_" + i["name"] and i["column"] in d["columns"]
    for q in d["parameters"]: assert set(q) >= {"name", "default", "unit", "meaning", "low", "high"}'
fi
rm -f info-*.json
call 0 info suslov
out_has 'dimension 3, 1 velocity constraint'
call 0 info rigid-body
that 'no word about constraints that do not exist' \
    not grep -q 'holonomic constraint\|velocity constraint\|0 control' out
call 0 info suslov --json
out_has '"positions": 0'
out_has '"controls": 0'
call 0 info rolling-ball
for word in Omega rad/s kg 'kg m^2'; do out_has "$word"; done
if command -v script >/dev/null; then # a terminal of 60 columns
    LC_ALL=C.UTF-8 script -qec "stty cols 60 && '$liegrp' info heavy-top" terminal >out </dev/null
    tr -d '\r' <out >lines
    that 'no line is wider than the terminal' not env LC_ALL=C.UTF-8 grep -q '^.\{61\}' lines
    out_has 'kg m²'
fi
wrong "unknown system 'rolling-bal'; did you mean 'rolling-ball'?" info rolling-bal
wrong 'no system is given' info
wrong "unexpected argument 'suslov'" info particle suslov
wrong 'takes no value' info particle --json=1

# --- run: streams -----------------------------------------------------------------------------------------------------
call 0 run particle --steps 10
silent_out
err_has '10 steps to t = 1 '
err_has 'particle, sem, exp,'
err_has 'residual evaluations'
err_has 'energy H: from'
err_has 'largest change'
err_has 'slope'
err_has 'constraints: largest |A (xi - Y)|'
that 'what only the GNI has' not grep -q 'normal part\|p^-\|nan' err
that 'nothing does work' not grep -q balance err
call 0 run rolling-ball --steps 100
err_has 'energy balance: largest |H - H_0 - account| ='
err_has '; work of drift and time-dependence '
call 0 run rolling-ball --steps 100 --param Omega=0
that 'nothing does work on a table at rest' not grep -q balance err
call 0 run rigid-body --steps 10 --method gni
err_has 'Newton iterations'
err_has 'energy H(p~): from'
err_has 'energy H(p^-): largest relative change'
that 'no constraints' not grep -q 'constraints\|balance' err
call 0 run suslov --steps 10 --method gni
err_has 'normal part'
call 0 run suslov --steps 10 --method rk4
that 'nothing is solved' not grep -q 'iterations\|evaluations\|average\|nan' err
call 0 run particle --steps 10 --method gni
that 'nothing is solved on R^n' not grep -q iterations err
# The parasitic mode is reported if it is there, and only then.
call 0 run suslov --step 0.05 --time 40 --method gni
err_has 'warning: the normal part has grown'
call 0 run suslov --step 0.05 --time 40 --method gni --start paper
err_has 'warning: the normal part has grown'
for method in sem nsv dla gni-r; do
    call 0 run suslov --step 0.05 --time 40 --method $method
    that 'no warning' not grep -q warning err
done
for system in particle biinvariant-so3 rolling-ball chaplygin-sphere; do
    call 0 run $system --step 0.02 --time 20 --method gni
    that 'no warning' not grep -q warning err
done
call 0 run particle --steps 10 --quiet
silent_out
silent_err
# Accuracy: energy and constraints are exact here, and the trajectory is not.
call 0 run suslov --step 6
err_has 'largest change'
err_has 'accuracy: error of the trajectory at least '
err_has ' % in velocity (by steps of h/8); above a tenth of the motion from t = 6 on'
err_has 'warning: the step does not resolve the motion: at t = 0 smaller steps fail, and a step turns by '
call 0 run suslov --step 6 --no-accuracy
that 'not asked for' not grep -q 'accuracy\|resolve' err
call 0 run suslov --step 1.5 --steps 20
err_has 'warning: the step does not resolve the motion: at t = 0 smaller steps differ from it by '
call 0 run suslov
err_has 'accuracy: error of the trajectory about 0.0006 rad, 0.033 % in velocity (by half steps)'
call 0 run suslov --steps 5000
err_has 'accuracy: error of the trajectory at least '
err_has '(by half steps over the first 1000 steps)'
call 0 run suslov --step 1e-9 --steps 3
err_has 'accuracy: error of the trajectory at the level of round-off'
call 0 run suslov --steps 0
that 'nothing to say' not grep -q 'accuracy\|nan' err
call 0 run suslov --init xi_1=0 --init xi_2=0 --init xi_3=0
that 'nothing moves' not grep -q 'accuracy\|resolve\|nan' err
call 0 run particle --steps 3 --output -
that 'four rows and a header' test "$(wc -l <out)" -eq 5
err_has '3 steps'
cp out dash.csv
call 0 run particle --steps=3 --output=dash2.csv --quiet
that 'the file is what standard output was' cmp dash.csv dash2.csv

# --- run: monitors and probes -----------------------------------------------------------------------------------------
call 0 run particle --steps 100
err_has ' +- '
that 'no monitor unless asked for' not grep -q 'monitor\|probe' err
call 0 run particle --steps 5
that 'no confidence in a slope of six points' sh -c 'grep -q slope err && ! grep -q "+-\|nan" err'
call 0 run particle --steps 100 --monitor
silent_out
err_has 'monitor: 101 samples, one every 1 step'
err_has '  energy: from '
err_has '  inv_p_y: from '
err_has 'residuals: velocities '
err_has 'distance from the group'
err_has 'momentum equation'
that 'what only the GNI has' not grep -qw 'normal part\|probe\|nan' err
call 0 run particle --steps 3 --monitor
that 'no slope of four points' not grep -q 'nan\|+-' err
call 0 run particle --steps 10000 --monitor
err_has 'one every 10 steps'
call 0 run particle --steps 100 --monitor-every 7
err_has 'monitor: 15 samples, one every 7 steps'
call 0 run particle --steps 100 --monitor --monitor-every 50
err_has 'monitor: 3 samples, one every 50 steps'
call 0 run particle --steps 10 --monitor --method rk4
err_has 'momentum equation: not known'
call 0 run suslov --method gni --step 0.05 --time 20 --monitor --probe
err_has '; growth rate '
err_has '; the linearisation at the end predicts '
err_has 'probe at the end: reversibility defect over 100 steps '
err_has 'determinant of a step -1; parasitic growth rate '
err_has '(1 multiplier)'
# shellcheck disable=SC2016 # awk's fields
that 'the probe says what the monitor says' awk '
    /predicts/ { p = $NF }
    /parasitic growth rate/ { sub(/.*parasitic growth rate /, ""); r = $1 }
    END { d = p - r; exit !(p != "" && d < 1e-2 && d > -1e-2) }' err
call 0 run suslov --probe
err_has 'parasitic growth rate: no such mode'
that 'no monitor' not grep -q monitor err
call 0 run double-spherical-pendulum --monitor
err_has ', positions '
wrong "--monitor-every must be a whole number from 1 to 1e15, got '0'" run particle --monitor-every 0
wrong "--monitor-every must be" run particle --monitor-every -3
wrong "--monitor-every must be" run particle --monitor-every often
wrong 'takes no value' run particle --monitor=3
wrong 'takes no value' run particle --probe=1
wrong '--monitor prints to the summary, which --quiet leaves out' run particle --monitor --quiet
wrong '--probe prints to the summary' run particle --quiet --probe
call 3 run suslov --method gni --step 50 --monitor --probe
err_has 'monitor: '
err_has 'not measured ('
# rows_hold FILE ROWS: so many rows, whose constraints hold.
rows_hold() {
    awk -F, -v rows="$2" '
        NR == 1 { for (i = 1; i <= NF; i++) if ($i == "constraint") c = i; next }
        !($c < 1e-11 && $c > -1e-11) { bad = 1 }
        END { exit bad || !c || NR != rows + 1 }' "$1"
}
# With sanitizers one of the methods for each system, in turn.
methods='sem gni'
for system in $EVERY; do
    [ -z "${LG_TEST_REDUCED:-}" ] || case $methods in gni) methods=sem ;; *) methods=gni ;; esac
    for method in $methods; do
        call 0 run "$system" --method $method --step 0.001 --steps 20 --monitor --probe --output every.csv
        [ $method = gni ] || that 'rows 0 to 20, and the constraints hold' rows_hold every.csv 21
        that 'everything was measured, 21 times and at the end' awk '
            /monitor: 21 samples/ { m = 1 } /probe at the end/ { p = 1 } /(^|[^a-z])(nan|not measured)($|[^a-z])/ { bad = 1 }
            END { exit bad || !m || !p }' err
    done
done

# --- run: every system ------------------------------------------------------------------------------------------------
for system in $SYSTEMS; do
    call 0 run "$system" --step 0.02 --steps 50 --output "$system.csv" --quiet
    that 'rows 0 to 50, and the constraints hold' rows_hold "$system.csv" 51
    read -r header <"$system.csv"
    that 'the header is that of info' grep -qxF -e "  $header" "info-$system.txt"
    no_file '*.part'
    call 0 run "$system" --retraction cayley --step 0.02 --steps 50 --quiet
    call 0 run "$system" --retraction exp:order=6 --method gni:midpoint --step 0.01 --steps 20 --quiet
done
# --- run: every method on a third of the systems, another one each time --------------------------------------------------
# Whether a method takes a system: "yes", or a word of the message.
fits() {
    case $1:$2 in
    gni:user:* | variational:user:rigid-body) echo discrete_slope_1 ;;
    dla:user:rigid-body) echo discrete_slope_1 ;;
    dla:user:*) echo discrete_constraint ;;
    rattle:rigid-body | variational*:rigid-body) echo yes ;;
    rattle:* | variational*) echo 'takes no velocity constraints' ;;
    *) echo yes ;;
    esac
}
turn=0
while read -r method; do
    turn=$((turn + 1)) place=$turn
    for system in $SYSTEMS; do
        place=$((place + 1))
        [ $((place % 3)) -eq 0 ] || continue
        want=$(fits "$method" "$system")
        if [ "$want" = yes ]; then
            call 0 run "$system" --method "$method" --step 0.02 --steps 20 --output all.csv --quiet
            case $method in
            gni | gni:*) undefined=0 ;;
            *) undefined=1 ;;
            esac
            that "the constraints hold, and energy_post and normal alone are nan ($undefined) or a number (0)" \
                awk -F, -v undefined=$undefined '
                    NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
                    { v = $(at["constraint"]) + 0; if (!(v < 1e-5 && v > -1e-5)) exit bad = 1 }
                    END { for (i = 1; i <= 5; i++) if ($i ~ /nan/) bad = 1
                          if (($(at["energy_post"]) ~ /nan/) != undefined || ($(at["normal"]) ~ /nan/) != undefined) bad = 1
                          exit bad || !("constraint" in at) }' all.csv
        else
            wrong "$want" run "$system" --method "$method" --output refused.csv
            no_file refused.csv
        fi
    done
done <methods.txt
# Every composition of some of these methods, two of each method.
turn=0
for name in $COMPOSITIONS $COMPOSITIONS; do
    turn=$((turn + 1))
    for words in 'rigid-body sem' 'suslov sem' 'suslov nsv' 'rigid-body nsv' 'rigid-body gni' 'suslov gni' \
        'suslov sml' 'rigid-body dla' 'rigid-body sem:gauss=2' 'suslov dla:symmetric-alpha=0.3' 'rigid-body variational'; do
        turn=$((turn + 1))
        [ $((turn % 4)) -ne 0 ] || call 0 run ${words% *} --method "${words#* }@$name" --step 0.02 --steps 10 --quiet
    done
done
# sem keeps the energy of everything that nothing does work on; the order of compositions is seen in rolling-ball's x(1).
for system in particle particle-quadratic rigid-body biinvariant-so3 suslov chaplygin-sleigh; do
    call 0 run $system --step 0.1 --steps 500 --output energy.csv --quiet
    that 'H is constant' is "$(column energy.csv energy last)" "$(column energy.csv energy 1)"
done
error_of() { # METHOD STEP: of x(1), whose exact value is 1.776198340778839
    "$liegrp" run rolling-ball --method "$1" --step "$2" --time 1 --output order.csv --quiet
    awk -v x="$(column order.csv x last)" 'BEGIN { d = x - 1.776198340778839; print d < 0 ? -d : d }'
}
slope() { # METHOD STEP LEAST MOST: the order seen between a step and its half
    said="order of $1"
    that "the order is from $3 to $4" awk -v a="$(error_of "$1" "$2")" -v b="$(error_of "$1" "$(echo "$2" | awk '{ print $1 / 2 }')")" \
        -v least="$3" -v most="$4" 'BEGIN { o = log(a / b) / log(2); exit !(o >= least && o <= most) }'
}
slope sem 0.05 1.9 2.1
slope gni 0.05 1.9 2.1
slope sem@suzuki4 0.5 3.7 4.3
slope sem@kahan-li6 1 5.4 6.6

# --- run: columns --------------------------------------------------------------------------------------------------
begins() {
    read -r header <"$1"
    that "the header of $1 begins with $2" test "${header#"$2"}" != "$header"
}
said='columns'
begins particle.csv 'step,t,x,y,z,xi_1,xi_2,xi_3,p_1,p_2,p_3,energy,energy_post,constraint,normal'
begins suslov.csv 'step,t,qx,qy,qz,qw,xi_1,xi_2,xi_3,p_1,p_2,p_3,energy,'
begins chaplygin-sleigh.csv 'step,t,x,y,theta,xi_1,'
begins rolling-ball.csv 'step,t,x,y,qx,qy,qz,qw,xi_1,xi_2,xi_3,xi_4,xi_5,p_1,'

# --- run: numbers that are known --------------------------------------------------------------------------------------
# rolling-ball, homogeneous: at t = 1 (x, y) = (1.776198..., 2.170893...), the error is O(h^2).
call 0 run rolling-ball --step 0.001 --time 1 --every 1000 --output known.csv --quiet
that 'two rows' test "$(wc -l <known.csv)" -eq 3
that 'x(1)' awk -v x="$(column known.csv x last)" 'BEGIN { d = x - 1.776198340778839; exit !(d < 1e-5 && d > -1e-5) }'
that 'y(1)' awk -v x="$(column known.csv y last)" 'BEGIN { d = x - 2.170893370764414; exit !(d < 1e-5 && d > -1e-5) }'
that 't' is "$(column known.csv t last)" 1
that 'step' is "$(column known.csv step last)" 1000

# The homogeneous ball's H(p^-) at I = c Id (theorem 1 without a drift).
call 0 run biinvariant-so3 --method gni --step 0.1 --steps 2000 --every 10 --output post.csv --quiet
that 'H(p^-) is conserved' is "$(column post.csv energy_post last)" "$(column post.csv energy_post 1)"

# Back in time: forth and back from the mirrored end would be exact only to O(h^2); here only that it runs.
call 0 run rigid-body --step -0.01 --time -1 --output back.csv --quiet
that 't' is "$(column back.csv t last)" -1

# Angles are unwrapped at every step also when rows are rare: the free sleigh with a = 0.2 turns by far more than pi.
call 0 run chaplygin-sleigh --init xi_3=20 --init xi_1=0 --init xi_2=0 --param a=0.001 --step 0.01 --time 4 \
    --every 100 --output turn.csv --quiet
that 'theta is not cut' awk -v a="$(column turn.csv theta last)" 'BEGIN { exit !(a > 70 && a < 90) }'
call 0 run chaplygin-sleigh --init theta=7 --steps 1 --output turn.csv --quiet
that 'theta begins where it was set' is "$(column turn.csv theta 1)" 7

# --- run: parameters and initial data ---------------------------------------------------------------------------------
call 0 run rolling-ball --param Omega=0.5 --param I1=1 --init x=2 --init y=-1 --steps 1 --output given.csv --quiet
that 'x' is "$(column given.csv x 1)" 2
that 'y' is "$(column given.csv y 1)" -1
that 'the default velocity is projected' all_below given.csv constraint 1e-12
call 0 run suslov --init qx=0.6 --init qw=0.8 --init qy=0 --init qz=0 --steps 1 --output q.csv --quiet
that 'qx' is "$(column q.csv qx 1)" 0.6
call 0 run suslov --init qw=1.0005 --init qx=0 --init qy=0 --init qz=0 --steps 1 --output q.csv --quiet
that 'the quaternion is normalised' is "$(column q.csv qw 1)" 1
rm -f q.csv q.csv.json
wrong 'has norm' run suslov --init qw=2 --init qx=0 --init qy=0 --init qz=0 --output q.csv
no_file q.csv
wrong "unknown parameter 'I4' of rolling-ball; it has m, r, Omega, I1, I2, I3" run rolling-ball --param I4=1
wrong "parameter 'm' of rolling-ball must be > 0 (kg), got -1" run rolling-ball --param m=-1
wrong "unknown parameter 'm' of particle; it has none" run particle --param m=1
wrong "unknown initial value 'w' of particle; it has x, y, z, xi_1 ... xi_3" run particle --init w=1
wrong 'NAME=VALUE' run rolling-ball --param m
wrong 'NAME=VALUE' run rolling-ball --param =1
wrong 'NAME=VALUE' run rolling-ball --param m=
wrong 'NAME=VALUE' run rolling-ball --param m=1kg
wrong 'NAME=VALUE' run rolling-ball --param m=nan
wrong 'NAME=VALUE' run rolling-ball --init x=inf
wrong '' run suslov --param I11=-1
wrong '' run suslov --param I11=1 --param I22=1 --param I12=5 --param I33=1
wrong '' run suslov --param a1=0 --param a2=0 --param a3=0
wrong '' run biinvariant-so3 --param distribution=0.5
# Given data are checked, and projected on request.
wrong '--project' run suslov --init xi_3=1 --output xi.csv
no_file xi.csv
call 0 run suslov --init xi_3=1 --project --steps 1 --output xi.csv --quiet
that 'projected' all_below xi.csv constraint 1e-12

# --- run: wrong options -----------------------------------------------------------------------------------------------
wrong 'no system is given' run
wrong "unknown system 'suslow'; did you mean 'suslov'?" run suslow
wrong "unknown system 'nothing-like-it'; the nearest of 51 are " run nothing-like-it
wrong " are gni-energy-" verify gni-enrgy
wrong "are double-pendulum, double-spherical-pendulum, " run pendulum
wrong "; liegrp list has all" run pendulum
wrong 'one system at a time' run suslov particle
wrong "unknown option '--stesp'; did you mean '--step'" run suslov --stesp 5
wrong "unknown option '-s'" run suslov -s 5
wrong "option '--step' needs a value" run suslov --step
wrong "option '--output' needs a value" run suslov --output --quiet
wrong "the value of option '--output' is empty" run suslov --output=
wrong "option '--quiet' takes no value" run suslov --quiet=yes
for value in 0 nan inf 1e999 0.1x ' 0.1' '' abc; do
    call 2 run suslov --step "$value"
    silent_out
done
for value in -1 0.5 1e16 nan ten 5x ''; do
    call 2 run suslov --steps "$value"
    silent_out
done
for value in 0 -1 0.5 x; do wrong '--every must be' run suslov --every "$value"; done
wrong '--time must be' run suslov --time later
wrong 'opposite directions' run suslov --time -1
wrong 'opposite directions' run suslov --time 1 --step -0.1
wrong "--steps and --time exclude each other" run suslov --time 1 --steps 5
wrong 'more than 1e15' run suslov --time 1e300
wrong "unknown start 'papr'; did you mean 'paper'?" run suslov --start papr
wrong "unknown format 'cvs'; did you mean 'csv'?" run suslov --format cvs
wrong "unknown format 'qqq'" run suslov --format qqq
known=$(sed -n 's/.*known: //p' err | sed 's/, /|/g')
call 0 run --help
that 'the help names all formats' grep -qF -e "--format $known " out
wrong "unknown retraction 'caley'; did you mean 'cayley'?" run suslov --retraction caley
wrong 'whole number from 0 to 20' run suslov --retraction exp:order=99
# Wrong methods: the error, what would be right, and no file.
wrong "did you mean 'gni'?" run suslov --method gnu --output m.csv
wrong "did you mean 'sem'?" run suslov --method sen:gauss=4@suzuki4 --output m.csv
wrong 'expected sem, nsv, smv, sml, gni' run suslov --method whatever --output m.csv
wrong 'trapezoidal, euler-a, euler-b, midpoint' run suslov --method gni:trapez --output m.csv
wrong 'a whole number from 1 to 8' run suslov --method sem:gauss=9 --output m.csv
wrong 'gauss=1..8, gonzalez, momentum' run suslov --method sem:gaus=3 --output m.csv
wrong 'its options: none' run suslov --method nsv:midpoint --output m.csv
wrong 'a number in [0, 1]' run suslov --method dla:alpha=1.5 --output m.csv
that 'no guess at what was meant' not grep -q 'did you mean' err
wrong 'a number in [0, 1]' run suslov --method gni:alpha=-0.1 --output m.csv
wrong 'yoshida4, suzuki4, kahan-li6 or kahan-li8' run suslov --method sem@yoshida5 --output m.csv
wrong 'yoshida4, suzuki4, kahan-li6 or kahan-li8' run suslov --method sem@ --output m.csv
wrong 'symmetric' run suslov --method gni:euler-a@yoshida4 --output m.csv
wrong 'symmetric' run suslov --method gni-r@suzuki4 --output m.csv
wrong 'symmetric' run suslov --method rk4@suzuki4 --output m.csv
wrong 'second-kind' run suslov --method sem@yoshida4 --retraction second-kind --output m.csv
wrong 'use sem or gni' run suslov --method variational --output m.csv
wrong 'use sem or gni' run suslov --method rattle --output m.csv
wrong "is empty" run suslov --method '' --output m.csv
no_file m.csv
wrong 'must end in .png, .svg or .pdf' run suslov --plot picture.jpg
wrong 'the same file' run suslov --plot a.png --output a.png
for start in reaction legendre paper; do call 0 run suslov --method gni --start $start --steps 5 --quiet; done
call 0 run particle --steps 1e2 --quiet --output e.csv
that '--steps 1e2' test "$(wc -l <e.csv)" -eq 102
call 0 run particle --steps 0 --output zero.csv --quiet
that 'the initial state alone' test "$(wc -l <zero.csv)" -eq 2
call 0 run particle --step 0.3 --time 1 --output time.csv
err_has 'not a multiple of the step'
that 'the nearest' test "$(wc -l <time.csv)" -eq 5
call 0 run particle --step 0.1 --time 0.3
that 'no word about 0.3/0.1' not grep -q multiple err
finish
