#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# optimise.sh LIEGRP FILES: optima from the command line: they reach the target, obey limits, and say why there is none.
. "$(dirname "$0")/common.sh"
files=$2 # 1: it reads files of mechanisms
begin "$1"

# near FILE NAME VALUE BOUND: the last row's number.
near() {
    that "$2 ends at $3" awk -v a="$(column "$1" "$2" last)" -v b="$3" -v e="$4" \
        'BEGIN { d = a - b; exit !(d < e && d > -e) }'
}
robot='optimise two-wheeled-robot --steps 10'

# --- the target, at rest: the run with the controls ends there ----------------------------------------------------------
# shellcheck disable=SC2086 # words
call 0 $robot --to x=1,y=1,theta=0 --time 4 --output a.csv --controls u.csv
near a.csv x 1 1e-9
near a.csv y 1 1e-9
near a.csv theta 0 1e-9
for velocity in xi_1 xi_2 xi_3 xi_4 xi_5; do near a.csv $velocity 0 1e-9; done
that '10 steps' test "$(wc -l <a.csv)" -eq 12
err_has 'optimum: cost 0.196441922'
err_has '5 of 8 conditions are independent'
err_has 'control u_1: from -0.485775 to 0.141019 N m'
err_has 'target: missed by'

# Free parameters: the cost is lower, the run has the best values, and its provenance makes them again.
# shellcheck disable=SC2086 # words
call 0 $robot --to x=1,y=1,theta=0 --time 4 --free tau_left --free tau_right=-1:1 --output f.csv
near f.csv x 1 1e-9
err_has 'optimum: cost 0.179322431'
err_has 'parameter tau_left: 0.0'
err_has 'parameter tau_right: 0.0'
call 0 optimise --from f.csv --output again.csv --quiet
that 'the same rows' cmp f.csv again.csv
freely() {
    wrong "$1" optimise two-wheeled-robot --to x=1,y=1 --time 4 --free "$2"
}
freely "did you mean 'tau_left'" tau_lft
freely 'below the second' c=1:0
freely 'NAME or NAME=LOW:HIGH' c=1
freely 'constant arrays' m

# The controls that are written make the same rows in an ordinary run.
that 'a row of controls for each step' test "$(wc -l <u.csv)" -eq 11
cut -d, -f1,2 u.csv >left.csv
cut -d, -f1,3 u.csv >right.csv
call 0 run two-wheeled-robot --step 0.4 --steps 10 --control u_1=left.csv --control u_2=right.csv --output b.csv --quiet
that 'the rows of liegrp run' cmp a.csv b.csv

# Its provenance makes them again, byte for byte; other commands are pointed to it.
call 0 optimise --from a.csv --output again.csv --quiet
that 'the same rows' cmp a.csv again.csv
that 'no messages' test ! -s err
wrong 'try liegrp optimise' run --from a.csv --output c.csv
wrong '--to' optimise --from a.csv --to x=2,y=0 --output c.csv

# --- controls inside a step: the cost of more and smaller steps, and the run ends there, too ----------------------------
# shellcheck disable=SC2086
call 0 $robot --to x=1,y=1,theta=0 --time 4 --method gauss --degree 3 --output p.csv --controls q.csv --view p.html
err_has 'optimum: cost 0.1915951'
near p.csv x 1 1e-9
near p.csv xi_4 0 1e-9
that 'a row of controls for each node' test "$(wc -l <q.csv)" -eq 41
that 'what the page says of them' grep -q 'Polynomials inside each step' p.html
call 0 optimise --from p.csv --output again.csv --quiet
that 'the same rows' cmp p.csv again.csv

# --- limits, weights, a free time, velocities ----------------------------------------------------------------------------
# shellcheck disable=SC2086
call 0 $robot --to x=1,y=1,theta=0 --time 4 --limit u_1=0.4,u_2=-0.4:0.3 --controls u.csv
err_has 'at its limits in'
all_below u.csv u_1 0.4 || fail 'u_1 exceeds its limit'
that 'u_2 within its limits' awk -F, 'NR > 1 && !($3 > -0.4 && $3 < 0.3) { bad = 1 } END { exit bad }' u.csv
# shellcheck disable=SC2086
call 0 $robot --to x=1,y=0 --free-time 1:8 --time-weight 1 --limit u_1=0.5,u_2=0.5 --output f.csv
near f.csv x 1 1e-9
that 'another time than the guess' awk -v t="$(column f.csv t last)" 'BEGIN { exit !(t > 1.5 && t < 2.8) }'
# shellcheck disable=SC2086
call 0 $robot --to x=1,y=0 --moving --time 2 --output m.csv
that 'it still moves' awk -v v="$(column m.csv xi_1 last)" 'BEGIN { exit !(v > 0.1) }'
# shellcheck disable=SC2086
call 0 $robot --to xi_1=1 --project --time 2 --output v.csv --guess rest
near v.csv xi_4 9.0909090909 1e-9
# shellcheck disable=SC2086
call 0 $robot --to x=1,y=0 --effort u_1=100 --time 2 --controls w.csv --quiet
that 'no messages' test ! -s err
that 'a weight spares its control' awk -F, 'NR > 1 { a += $2 * $2; b += $3 * $3 } END { exit !(4 * a < b) }' w.csv
# shellcheck disable=SC2086
call 0 $robot --to theta=90deg --time 2 --output - --quiet
out_has 'step,t,x,y,theta'

# --- mechanisms ------------------------------------------------------------------------------------------------------------
call 0 optimise furuta --to turn=0.5,swing=0 --init swing=0.1 --time 1 --steps 10 --output f.csv
for name in swing turn_vel swing_vel; do near f.csv $name 0 1e-8; done
near f.csv turn 0.5 1e-8
err_has 'work of motors'
call 0 optimise furuta --to swing=0 --init swing=0.1 --moving --time 0.5 --steps 5 --output g.csv --quiet
near g.csv swing 0 1e-8
that 'it still moves' awk -v v="$(column g.csv swing_vel last)" 'BEGIN { exit !(v * v > 1e-6) }'
call 0 optimise --from f.csv --output again.csv --quiet
that 'the same rows' cmp f.csv again.csv
wrong "did you mean 'swing'?" optimise furuta --to swng=0 --time 1
wrong "did you mean 'turn'?" optimise furuta --to swing=0 --time 1 --limit trun=1
wrong 'has no motors' optimise double-pendulum --to elbow=1 --time 1
call 0 optimise double-pendulum --motor shoulder=60 --motor elbow=20 --to elbow=0.3 --time 0.4 --steps 8 --output d.csv
near d.csv elbow 0.3 1e-8
all_below d.csv elbow_tau 20 || fail 'the motor goes beyond its limit'
err_has 'control shoulder: from'
err_has 'optimum: cost 0.0' # effort in relation to the motors' limits
call 0 optimise double-pendulum --motor shoulder=60 --motor elbow=20 --to elbow=0.3 --time 0.4 --steps 8 \
    --effort shoulder=1,elbow=1
err_has 'optimum: cost 80.911'
call 0 run double-pendulum --motor elbow --control elbow=1 --steps 3 --output d.csv --quiet
that 'a motor on the joint' test "$(column d.csv elbow_tau 1)" = 1
wrong 'names no joint' optimise double-pendulum --motor elbw --to elbow=1 --time 1
wrong 'positive torque' run double-pendulum --motor elbow=-1
wrong 'has a motor' run furuta --motor turn
wrong 'an option of mechanisms' run suslov --motor turn
wrong 'names swing twice' optimise furuta --to swing=0,swing=1 --time 1

if [ "$files" = 1 ]; then
    cat >two.xml <<'XML'
<mujoco><compiler angle="radian"/><worldbody><body name="upper"><joint name="shoulder" axis="0 1 0"/>
<inertial pos="0 0 -0.25" mass="1" diaginertia="0.02 0.02 0.001"/><body name="lower" pos="0 0 -0.5">
<joint name="elbow" axis="0 1 0"/><inertial pos="0 0 -0.25" mass="1" diaginertia="0.02 0.02 0.001"/></body></body>
</worldbody><actuator><motor name="m1" joint="shoulder"/>
<motor name="m2" joint="elbow" ctrllimited="true" ctrlrange="-0.45 0.45"/></actuator></mujoco>
XML
    call 0 optimise two.xml --to elbow=1.2,shoulder=-0.3 --effort elbow=1 --time 1 --steps 10 --output two.csv --controls u.csv
    near two.csv elbow 1.2 1e-8
    near two.csv shoulder -0.3 1e-8
    near two.csv elbow_vel 0 1e-8
    all_below u.csv elbow 0.45 || fail 'the motor goes beyond its own limit'
    err_has 'control elbow: from'
    err_has 'at its limits in'
    wrong 'beyond -0.45:0.45' optimise two.xml --to elbow=1.2 --time 1 --limit elbow=1
    cat >swing.xml <<'XML'
<mujoco><option gravity="0 0 -9.81"/>
<worldbody><body name="cart" pos="0 0 1"><joint name="slide" type="slide" axis="1 0 0"/>
<geom type="box" size=".2 .1 .05" mass="1"/>
<body name="pole"><joint name="pin" type="hinge" axis="0 1 0"/>
<geom type="capsule" fromto="0 0 0 0 0 -0.6" size=".02" mass=".2"/></body></body></worldbody>
<actuator><motor name="push" joint="slide" ctrllimited="true" ctrlrange="-8 8"/></actuator></mujoco>
XML
    up='optimise swing.xml --to pin=180deg,slide=0 --time 2 --steps 60 --no-accuracy'
    # shellcheck disable=SC2086
    call 1 $up --guess line
    err_has 'give --guess rest'
    # shellcheck disable=SC2086
    call 0 $up --guess rest --output rest.csv --no-provenance
    that 'nothing is said of a line' awk '/led to no/ { exit 1 }' err
    # shellcheck disable=SC2086
    call 0 $up --output again.csv --no-provenance
    err_has 'guess: rest; the line to the target led to no optimum'
    that 'the same motion' cmp rest.csv again.csv
    call 1 optimise two.xml --to elbow=1.2 --time 0.2 --steps 4 --limit elbow=0.1,shoulder=0.1
fi

# --- what holds at all nodes -----------------------------------------------------------------------------------------------
swing='optimise double-pendulum --motor shoulder=60 --motor elbow=20 --to shoulder=1,elbow=0 --time 0.6 --steps 20'
# shellcheck disable=SC2086
call 0 $swing --bound elbow=-0.5:0.7,shoulder_vel=-inf:3 --output b.csv
all_below b.csv elbow 0.7000001 || fail 'elbow exceeds its bound'
all_below b.csv shoulder_vel 3.00001 || fail 'shoulder_vel exceeds its bound'
# shellcheck disable=SC2086
call 0 $swing --avoid lower=1.35,0,-1.1,0.2,0.5,0,0 --output c.csv
err_has 'optimum: cost 0.1017765'
err_has 'ball 1: lower stays'
that 'the tip stays outside' awk -F, 'NR > 1 { x = cos($3) + cos($3 + $4) - 1.35; z = 1.1 - sin($3) - sin($3 + $4)
    if (x * x + z * z < 0.04 - 1e-6) bad = 1 } END { exit bad }' c.csv
call 0 optimise --from c.csv --output again.csv --quiet
that 'the same rows' cmp c.csv again.csv
# shellcheck disable=SC2086
call 1 $swing --avoid lower=1.08,0,-1.68,0.3,0.5,0,0
err_has "the distance of body 'lower' from sphere 1 stays violated by 0.29"
err_has 'at node 20'
# shellcheck disable=SC2086
call 1 $swing --bound shoulder=-1:0.5
err_has 'the upper bound 0.5 of shoulder is violated by 0.5 at the target'
# shellcheck disable=SC2086
bounded() {
    text=$1
    shift
    wrong "$text" $swing "$@"
}
bounded 'below the second' --bound elbow=1:0
bounded "no position or velocity 'elbw'" --bound elbw=0:1
bounded 'NAME=LOW:HIGH' --bound elbow=1
bounded 'already' --bound elbow=-1:1,elbow=0:1
bounded 'BODY=X,Y,Z,R' --avoid lower=1,2,3
bounded "no body 'low'" --avoid low=1,2,3,4

# --- no optimum: status 1, the reason, and no file -------------------------------------------------------------------------
# shellcheck disable=SC2086
call 1 $robot --to x=1,y=0 --time 2 --limit u_1=0.01,u_2=0.01 --output none.csv --controls none.u
err_has 'no motion satisfies all conditions'
err_has '--guess rest leads to none either'
# shellcheck disable=SC2086
call 1 $robot --to x=1,y=1,theta=0 --time 4 --limit u_1=0.3,u_2=-0.2:0.25
err_has 'no motion satisfies all conditions' # not that p_3, which holds, cannot be reached
# shellcheck disable=SC2086
call 1 $robot --to x=1,y=1,theta=0 --time 4 --iterations 2 --output none.csv
err_has 'no optimum after 2 iterations'
no_file none

# --- wrong use -------------------------------------------------------------------------------------------------------------
refused() {
    text=$1
    shift
    # shellcheck disable=SC2086
    wrong "$text" $robot "$@"
}
refused 'where to?' --time 2
refused 'how long' --to x=1,y=1
refused "did you mean 'theta'?" --to x=1,y=0,thet=0 --time 2
refused "'m' is a parameter" --to m=3 --time 2
refused 'x and y are one condition' --to x=1 --time 2
refused 'finite number' --to x=nan,y=0 --time 2
refused 'names x twice' --to x=1,y=0,x=2 --time 2
refused 'more than half a turn' --to theta=300deg --time 2
refused 'drop one of them' --to xi_1=1 --moving --time 2
refused 'the target: ' --to xi_1=1 --time 2
refused 'must be positive' --to x=1,y=0 --time -1
refused 'finite number' --to x=1,y=0 --time nan
refused 'from 1 to' --to x=1,y=0 --time 2 --steps 0
refused 'LOW:HIGH' --to x=1,y=0 --free-time 4:1
refused 'not within' --to x=1,y=0 --free-time 2:4 --time 5
refused 'free time' --to x=1,y=0 --time 2 --time-weight 1
refused "did you mean 'u_1'?" --to x=1,y=0 --time 2 --limit u_3=1
refused 'positive number' --to x=1,y=0 --time 2 --limit u_1=-1
refused 'below the second' --to x=1,y=0 --time 2 --limit u_1=2:1
refused 'already' --to x=1,y=0 --time 2 --limit u_1=2,u_1=3
refused 'must be NAME=' --to x=1,y=0 --time 2 --limit 3
refused 'positive number' --to x=1,y=0 --time 2 --effort u_1=0
refused 'unknown guess' --to x=1,y=0 --time 2 --guess far
refused '1e-14' --to x=1,y=0 --time 2 --precision 1
refused 'sem or gauss' --to x=1,y=0 --time 2 --method gni
refused 'has no bounds' --to x=1,y=0 --time 2 --bound theta=0:1
refused 'in mechanisms only' --to x=1,y=0 --time 2 --bound xi_1=0:1
refused 'an option of mechanisms' --to x=1,y=0 --time 2 --avoid x=0,0,0,1
refused 'use gauss' --to x=1,y=0 --time 2 --degree 3
refused 'gauss:stages=4' --to x=1,y=0 --time 2 --degree 3 --method gauss:stages=2
refused 'from 0 to 7' --to x=1,y=0 --time 2 --degree 8 --method gauss
refused 'holds controls' --to x=1,y=1,theta=0 --time 4 --degree 1 --method gauss --view c.html --compare sem
refused 'same file' --to x=1,y=0 --time 2 --output a.csv --controls a.csv
wrong 'has no controls' optimise rolling-ball --to x=1 --time 2
wrong 'no system' optimise
finish
