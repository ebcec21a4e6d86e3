#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# gait.sh LIEGRP FILES: gaits from the command line: they close, displaced; their stability; what is refused.
. "$(dirname "$0")/common.sh"
files=$2 # 1: it reads files of mechanisms
begin "$1"

# near FILE NAME VALUE BOUND: the last row's number.
near() {
    that "$2 ends at $3" awk -v a="$(column "$1" "$2" last)" -v b="$3" -v e="$4" \
        'BEGIN { d = a - b; exit !(d < e && d > -e) }'
}
board='gait snakeboard --force rotor=xi_4-xi_3 --force axles=xi_5 --init theta=0 --init phi=0 --steps 10'
robot='gait two-wheeled-robot --steps 10'

# --- a stride from rest to rest, three of them run ------------------------------------------------------------------------
# shellcheck disable=SC2086 # words
call 0 $board --moves x=1 --rest --period 5 --periods 3 --output a.csv --controls u.csv
near a.csv x 3 1e-8
for name in y theta phi xi_1 xi_3 xi_4 xi_5; do near a.csv $name 0 1e-8; done
near a.csv psi 0.1 1e-8
that '30 steps' test "$(wc -l <a.csv)" -eq 32
that 'the controls of one period' test "$(wc -l <u.csv)" -eq 11
err_has 'control axles: from'
err_has 'a period moves x by 1'
err_has 'stability: 8 of 10 multipliers are 1 in modulus, the others are 0'
err_has 'closed: after 3 periods'
call 0 gait --from a.csv --output again.csv --quiet
that 'the same rows' cmp a.csv again.csv
that 'no messages' test ! -s err
wrong 'try liegrp gait' run --from a.csv --output c.csv
# That start and these forces through optimise, to where the stride goes.
call 0 optimise snakeboard --force rotor=xi_4-xi_3 --force axles=xi_5 --init theta=0 --init phi=0 --init psi=0 --init xi_1=0 \
    --init xi_3=0 --init xi_4=0 --init xi_5=0 --to x=1,y=0,theta=0,psi=0,phi=0 --time 5 --steps 10 --output o.csv
near o.csv x 1 1e-8

# Another guess: sines of the shape; a free period is cheaper than a given one.
# shellcheck disable=SC2086
call 0 $board --moves x=1 --rest --period 4 --swing phi=0.3,psi=0.5:90deg --output s.csv --quiet
near s.csv x 1 1e-8
# shellcheck disable=SC2086
call 0 $board --moves x=1 --rest --free-period 2:8 --time-weight 0.5 --output f.csv
that 'a period between its bounds' awk -v t="$(column f.csv t last)" 'BEGIN { exit !(t > 3 && t < 7.9) }'

# --- friction: a constant force, and multipliers below 1 --------------------------------------------------------------------
# The motor of the left wheel has nothing to do: constant torques of 0.1 and 0.15 against friction of 0.02 * 5.
# shellcheck disable=SC2086
call 0 $robot --moves x=1,phi_left=free,phi_right=free --period 2 --output r.csv --controls u.csv
near r.csv x 1 1e-9
near r.csv phi_left 10 1e-8
err_has 'optimum: cost 0.0025'
err_has 'the largest of the others is 0.483'
err_has 'deviations shrink by that in a period'
that 'the same torque always' awk -F, 'NR > 1 && !($3 < -0.0499999 && $3 > -0.0500001) { bad = 1 } END { exit bad }' u.csv
# Where the place is free, the robot turns on the spot or on an arc; its heading closes with a turn.
# shellcheck disable=SC2086
call 0 $robot --moves x=free,y=free,theta=30deg,phi_left=free,phi_right=free --period 2 --limit u_1=0.3 --output t.csv --quiet
near t.csv theta 0.5235987755982988 1e-8

# --- mechanisms: a car rolls ahead against the friction of its axles; wheels may end anywhere ----------------------------------
car='gait vehicle --steps 6 --period 2'
# shellcheck disable=SC2086
call 0 $car --moves 'chassis_x=0.5,left axle=free,right axle=free,caster axle=free' --periods 2 --output v.csv
near v.csv chassis_x 1.1 1e-8
near v.csv swivel 0 1e-8
err_has 'a period moves left axle by'
err_has 'closed: after 2 periods'
call 0 gait --from v.csv --output again.csv --quiet
that 'the same rows' cmp v.csv again.csv
call 2 gait vehicle --moves 'swivel=0.5' --period 2 --steps 6
err_has 'no symmetry'
if [ "$files" = 1 ]; then
    cat >cart.xml <<'XML'
<mujoco><worldbody><body name="cart"><joint name="rail" type="slide" axis="1 0 0" damping="0.5"/>
<inertial pos="0 0 0" mass="2" diaginertia="1 1 1"/></body></worldbody>
<actuator><motor name="push" joint="rail"/></actuator></mujoco>
XML
    # A force of 0.5 v all the time, and what is left of a deviation of the velocity.
    call 0 gait cart.xml --moves rail=3 --period 2 --steps 10 --output cart.csv
    near cart.csv rail 3 1e-9
    err_has 'optimum: cost 0.5625 after'
    err_has 'stability: 1 of 2 multipliers are 1 in modulus, the largest of the others is 0.606'
fi

# --- no gait: status 1; wrong use -------------------------------------------------------------------------------------------
# shellcheck disable=SC2086
call 1 $robot --moves x=1,phi_left=free,phi_right=free --period 2 --limit u_1=0.01,u_2=0.01 --output none.csv
no_file none
refused() {
    text=$1
    shift
    # shellcheck disable=SC2086
    wrong "$text" $board "$@"
}
refused 'where to?' --period 2
refused 'how long' --moves x=1
refused '--period must be positive' --moves x=1 --period 0
refused '--free-period must be LOW:HIGH' --moves x=1 --free-period 3
refused 'not within --free-period' --moves x=1 --free-period 2:3 --period 4
refused 'give --free-period' --moves x=1 --period 2 --time-weight 1
refused "did you mean 'theta'?" --moves x=1,thet=0 --period 2
refused 'names x twice' --moves x=1,x=2 --period 2
refused 'finite number, or the word free' --moves x=far --period 2
refused 'NAME=VALUE' --moves 1 --period 2
refused 'free together' --moves x=free --period 2
refused 'half a turn' --moves theta=200deg --period 2
refused 'what --moves says is no symmetry' --moves phi=1 --period 2 --rest
refused 'end condition phi must hold' --moves phi=free --period 2 --rest
refused 'AMPLITUDE' --moves x=1 --period 2 --swing phi=a
refused '--init names xi_1' --moves x=1 --period 2 --rest --init xi_1=1
refused 'from 1 to' --moves x=1 --period 2 --periods 0
refused "did you mean 'rotor'?" --moves x=1 --period 2 --limit roter=1
wrong 'add them by --force' gait snakeboard --moves x=1 --period 2
wrong 'add them by --motor' gait double-pendulum --moves elbow=1 --period 2
wrong 'is no velocity' gait snakeboard --force a=xi_9 --moves x=1 --period 2
wrong 'pushes along nothing' gait snakeboard --force a=xi_3-xi_3 --moves x=1 --period 2
wrong 'two controls are named a' gait snakeboard --force a=xi_3 --force a=xi_4 --moves x=1 --period 2
wrong 'NAME=VELOCITY' gait snakeboard --force xi_3 --moves x=1 --period 2
wrong 'controls of its own' gait two-wheeled-robot --force a=xi_3 --moves x=1 --period 2
wrong 'an option of systems' gait furuta --force a=xi_3 --moves turn=1 --period 2
wrong 'an attitude' gait rigid-body --force a=xi_3 --moves qx=1 --period 2
wrong 'no system' gait
finish
