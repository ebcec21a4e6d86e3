#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# contacts.sh LIEGRP ROBOTS: surfaces, stops and dry friction on the command line: rows, events, summary, info, sweeps,
# provenance, and what is refused.
set -u
# shellcheck source=tests/cli/common.sh
robots=$(cd "$2" && pwd)
. "$(cd "$(dirname "$0")" && pwd)/common.sh"
begin "$1"
incline=$robots/incline.urdf stop=$robots/stop.urdf

# last COLUMN FILE: its value in the last row
last() {
    awk -F, -v name="$1" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) at = i; next } { x = $at } END { print x }' "$2"
}
near() { awk -v a="$1" -v b="$2" -v e="$3" 'BEGIN { d = a - b; exit !(a ~ /[0-9]/ && d <= e && d >= -e) }'; }

# --- a box on an incline slides: x = g (sin - mu cos) t^2/2 cos ----------------------------------------------------------
call 0 run "$incline" --step 0.01 --steps 100 --output slides.csv
err_has 'contact: 0 impacts; friction took 1.10362 J, landings '
that 'it slides as far as it must' near "$(last loose_1 slides.csv)" 0.2349068807 1e-7
that 'it slips on a corner' test "$(last sides_slope_1_mode slides.csv)" = 2
that 'friction is mu times the normal force' near "$(last sides_slope_1_t slides.csv)" \
    "$(awk -v n="$(last sides_slope_1_n slides.csv)" 'BEGIN { print 0.25*n }')" 1e-6
that 'the corners above are open' test "$(last sides_slope_8_mode slides.csv)" = 0
that 'there are no impacts' test "$(last impacts slides.csv)" = 0
call 0 run "$incline" --param sides.friction=0.3001 --step 0.01 --steps 400 --output sticks.csv
that 'with more friction it does not creep' near "$(last loose_1 sticks.csv)" 0 1e-12

# --- a blade along the slope ------------------------------------------------------------------------------------------
sed 's/friction="0.25"/friction="0.4" friction_along="0.1"/' "$incline" >blade.urdf
call 0 run blade.urdf --step 0.01 --steps 100 --output blade.csv
that 'it slides along its heading' near "$(last loose_1 blade.csv)" "$(awk 'BEGIN { printf "%.9f", 9.81/2*(0.3 - 0.1)/sqrt(1.09) }')" 1e-7
sed 's/half="0.1 0.1 0.1" friction/half="0.1 0.1 0.1" attitude="0 0 1 1" friction/' blade.urdf >across.urdf
call 0 run across.urdf --step 0.01 --steps 100 --output across.csv
that 'and not across' near "$(last loose_1 across.csv)" 0 1e-12
call 0 info blade.urdf --write copy.urdf
out_has 'sides            box of box, friction 0.4, restitution 0, friction along its heading 0.1'
call 0 run copy.urdf --step 0.01 --steps 100 --output copy.csv
that 'written and read it slides alike' near "$(last loose_1 copy.csv)" "$(last loose_1 blade.csv)" 1e-12
call 0 run blade.urdf --param sides.friction_along=0.2 --step 0.01 --steps 100 --output blade.csv
that 'it is a parameter' near "$(last loose_1 blade.csv)" "$(awk 'BEGIN { printf "%.9f", 9.81/2*(0.3 - 0.2)/sqrt(1.09) }')" 1e-7

# --- a pendulum at a stop -------------------------------------------------------------------------------------------
call 0 run "$stop" --contacts --step 0.01 --steps 200 --output stop.csv --events events.csv
err_has ' impacts (poisson), which took '
out_lines=$(wc -l <events.csv)
that 'one line for each impact, and a header' test "$out_lines" = $(($(last impacts stop.csv) + 1))
that 'the header' grep -qx 't,first,second,approach,impulse,loss' events.csv
that 'an impact at a stop' sh -c 'sed -n 2p events.csv | grep -q "^0.408[0-9]*,hinge,stop,3.68"'
that 'times rise, and each impact takes energy' awk -F, 'NR > 1 { if (!($1 > t) || !($6 > 0)) bad = 1; t = $1 } END { exit bad }' \
    events.csv
that 'the joint stays between the stops' awk -F, 'NR > 1 && ($3 > 0.785398163398 || $3 < -0.5) { exit 1 }' stop.csv
that 'no limit is passed' sh -c '! grep -q "passed its limit" err'
call 0 run "$stop" --contacts --step 0.01 --steps 200 --capture 0.5 --output early.csv
that 'a larger speed of capture leaves fewer impacts' test "$(last impacts early.csv)" -lt "$(last impacts stop.csv)"
call 0 run "$stop" --contacts --step 0.01 --steps 200 --no-localise --output soft.csv
that 'without localisation there are none' test "$(last impacts soft.csv)" = 0
call 2 run "$stop" --contacts --steps 9 --events events.csv --checkpoint half
err_has '--events has the impacts since the start'
call 0 run --from stop.csv --allow "$stop" --output again.csv
that 'a run is repeated from its provenance' cmp stop.csv again.csv

# --- the ground -----------------------------------------------------------------------------------------------------
cat >ball.urdf <<'END'
<robot name="ball"><link name="ball"><inertial><mass value="1"/><inertia ixx="0.1" iyy="0.1" izz="0.1"/></inertial></link>
<liegrp root="floating"><surface name="skin" link="ball" kind="sphere" half="0.5" restitution="0.8"
position="0 0 0.5"/></liegrp></robot>
END
call 0 run ball.urdf --init ball_z=1.5 --ground 0.5,1 --step 0.01 --time 1 --output ball.csv
that 'it bounces' test "$(last impacts ball.csv)" = 1
call 0 run ball.urdf --init ball_z=1.5 --ground 0.5 --step 0.01 --time 1 --output dead.csv
that 'the smaller restitution counts' near "$(last ball_z dead.csv)" 0 1e-12
call 0 run ball.urdf --steps 2
that 'nothing is said of contacts' sh -c '! grep -q contact: err'
call 0 run bicycle --ground 1 --steps 3
err_has 'warning: nothing touches the ground: only surfaces do, and no body has one'
# a start that overlaps nothing is right, though the position of the file does; Newton's law may add energy
cat >rod.urdf <<'END'
<robot name="rod"><link name="rod"><inertial><mass value="1"/><inertia ixx="0.0833" iyy="0.0833" izz="0.0833"/></inertial></link>
<liegrp root="floating"><surface name="ends" link="rod" kind="hull" points="-0.1718 0 0.4695 0.1718 0 -0.4695"
friction="0.7" restitution="0.98"/></liegrp></robot>
END
falls='--ground 1,1 --init rod_vx=-5 --init rod_vz=-3 --init rod_wy=-10 --steps 3 --step 0.01'
# shellcheck disable=SC2086 # a list
{
    call 2 run rod.urdf $falls
    err_has "surfaces 'ground' and 'ends' overlap by 0.469 m"
    call 0 run rod.urdf $falls --separate
    err_has 'surfaces that overlapped by up to 0.469 m were moved apart, which changed the energy by '
    call 0 run rod.urdf $falls --init rod_z=0.48 --impact newton
    err_has 'contact: 1 impact (newton), which took '
    err_has '; warning: impacts added 0.07'
    call 0 run rod.urdf $falls --init rod_z=0.48
    err_has 'contact: 1 impact (poisson), which took '
    that 'poisson adds none' sh -c '! grep -q warning err'
    for swept in '' '--param ends.friction=0.65:0.75:2'; do
        call 0 sweep rod.urdf $falls --init rod_z=0.48:0.6:3 $swept --impact newton
        err_has 'warning: impacts added energy, poisson adds none: most in J = 0.07'
        call 0 sweep rod.urdf $falls --init rod_z=0.48:0.6:3 $swept
        that 'poisson adds none' sh -c '! grep -q warning err'
    done
    call 0 sweep rod.urdf $falls --init rod_z=0.3:0.5:2
    err_has "instance 0 (rod_z = 0.3): surfaces 'ground' and 'ends' overlap by 0.169 m"
    call 0 sweep rod.urdf $falls --init rod_z=0.3:0.5:2 --separate
}
# each instance is a run of its own, with its own contacts
for options in '' '--impact newton --capture 0.5' '--no-localise' '--impact sequential --param skin.restitution=0.7'; do
    # shellcheck disable=SC2086 # a list
    call 0 sweep ball.urdf --ground 0.5,0.9 --init ball_z=0.5:1.5:3 $options --steps 200 --step 0.01 --output swept.csv --quiet
    # shellcheck disable=SC2086
    call 0 sweep ball.urdf --ground 0.5,0.9 --init ball_z=0.5:1.5:3 $options --steps 200 --step 0.01 --threads 3 --output again.csv --quiet
    that "the same with threads: $options" cmp swept.csv again.csv
    for z in 0.5 1 1.5; do
        # shellcheck disable=SC2086
        call 0 run ball.urdf --ground 0.5,0.9 --init ball_z=$z $options --steps 200 --step 0.01 --output one.csv --quiet
        that "as alone: $options, $z" test "$(awk -F, -v z=$z 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
            $2 == z { print $at["energy"], $at["impacts"] }' swept.csv)" = "$(last energy one.csv) $(last impacts one.csv)"
    done
done
call 0 sweep ball.urdf --ground 0.5 --init ball_z=1:2:3 --steps 100 --step 0.01 --output - --quiet
that 'three instances lie on the ground' awk -F, 'NR > 1 && $3 != 0 { exit 1 }' out

# --- info, and files ------------------------------------------------------------------------------------------------
call 0 info "$incline"
out_has 'slope            plane of the world, friction 1, restitution 0' 'sides            box of box, friction 0.25' \
    sides_slope_1_gap impacts
that 'no friction along a heading' sh -c '! grep -q friction_along out'
call 0 info blade.urdf
out_has 'sides.friction_along     = 0.1'
call 0 info ball.urdf --ground 0.4,0.1
out_has 'ground           plane of the world, friction 0.4, restitution 0.1'
sed 's/0 0 0.5/0 0 0.4/' ball.urdf >low.urdf
call 0 info low.urdf --ground 0.4
out_has 'warning: no motion starts as assembled: ' 'overlap by 0.1 m' 'sphere of ball'
call 0 run low.urdf --ground 0.4 --init ball_z=1 --steps 3
call 0 info low.urdf --ground 0.4 --write low-copy.urdf
call 0 info low.urdf --ground 0.4 --json
out_has '"start_refused": "lg_motion_start: surfaces ' '"assembly_residual": null'
call 2 info ball.urdf --ground x
err_has '--ground must be'
call 0 info "$stop" --contacts
out_has 'hinge            stops at -0.5 and 0.785398, restitution 0.5, dry friction 0.2' hinge_upper_mode
call 0 info "$stop" --contacts --json
out_has '"stops": true' '"dry_friction": 0.20000000000000001'
call 0 info "$stop" --contacts --write copy.urdf
call 0 run copy.urdf --contacts --step 0.01 --steps 200 --output copied.csv
that 'written and read it moves alike' near "$(last hinge copied.csv)" "$(last hinge stop.csv)" 1e-12
call 2 info "$incline" --write copy.xml
err_has "surface 'slope' touches others, which MJCF cannot say; without it: --ignore surface"

# --- shapes of files ------------------------------------------------------------------------------------------------
robot() {
    cat <<END
<mujoco><default><geom solref="0.01 1"/></default><worldbody><geom name="floor" type="plane" size="0 0 1"/>
<body name="base" pos="0 0 1"><freejoint name="root"/><geom name="trunk" type="box" size=".2 .1 .1" friction=".4"/>
<body name="leg" pos=".2 0 0"><joint name="hip" axis="0 1 0"/><geom type="capsule" size=".05" fromto="0 0 0 .3 0 0"/>
<body name="toe" pos=".3 0 0"><joint name="ankle" axis="0 1 0"/><geom name="foot" $1 friction="1.5 .1"/></body>
</body></body></worldbody></mujoco>
END
}
robot 'size=".06" condim="1"' >robot.xml
call 0 info robot.xml
that 'nothing touches unless asked for' sh -c '! grep -q "surfaces" out'
out_has 'remark: ' '4 colliding geoms pass through each other'
call 0 info robot.xml --contacts ground
out_has 'surfaces that touch' 'floor and trunk: friction 1, restitution 0 (the greater friction of both)' \
    'floor and foot: friction 1.5, restitution 0 (values of their pair)' 'leg_geom         capsule of leg' \
    '4 colliding geoms touch planes alone and pass through each other, as you ask' \
    'make contacts soft; contacts here are rigid (4 times, first here)'
that 'none touches another' sh -c '! grep -q "trunk and foot" out'
call 0 info robot.xml --contacts=ground --json
out_has '"contacts": [' '{"first": "floor", "second": "trunk", "friction": 1, "restitution": 0, "viscous": 0, "rule": "the greater friction of both"}'
call 0 info robot.xml --contacts
out_has 'trunk and foot: friction 1.5, restitution 0 (values of their pair)'
robot 'type="box" size=".06 .06 .06"' | sed 's/type="box" size=".2 .1 .1"/type="cylinder" size=".1 .1"/' >can.xml
call 0 info can.xml --contacts
out_has 'trunk and foot: friction 1.5, restitution 0 (the greater friction of both)'
call 0 run robot.xml --contacts ground --step 0.005 --time 1 --output fell.csv
err_has ' impacts (poisson)'
call 0 run --from fell.csv --allow robot.xml --output again.csv
that 'a run is repeated from its provenance' cmp fell.csv again.csv
call 0 run robot.xml --step 0.005 --contacts joints --time 1 --output free.csv
that 'without shapes it falls through' near "$(last root_3 free.csv)" -3.905 0.2
robot 'size=".06" condim="4"' >rolls.xml
call 2 info rolls.xml --contacts ground
err_has 'condim 4 is friction of spinning or rolling' '--ignore condim'
call 0 info rolls.xml --contacts ground --ignore condim
out_has 'condim 4 is ignored and taken as 3, as you ask'
{
    echo '<mujoco><worldbody>'
    for i in 0 1 2 3 4 5 6 7 8 9; do
        echo "<body pos=\"$i 0 0\"><freejoint/><geom name=\"g$i\" size=\".1\"/></body>"
    done
    echo '</worldbody></mujoco>'
} >many.xml
call 0 info many.xml --contacts all
out_has 'g0 and g1: friction 1' '  and 21 more, 45 pairs in all; --json lists them'
that 'the others are counted' test "$(grep -c '(the greater friction of both)' out)" = 24
call 0 info many.xml --contacts --json
that 'and listed' test "$(grep -c '"rule": "the greater friction of both"' out)" = 45
call 2 info many.xml --contacts=some
err_has "unknown kind of contacts 'some'; known: all, ground, joints"
call 2 info many.xml --contacts some
err_has "unexpected argument 'some'"
call 2 info many.xml --contacts=
err_has "the value of option '--contacts' is empty"
call 2 info --contacts joints bicycle
err_has '--contacts is for a mechanism from a file'

# --- what is refused ------------------------------------------------------------------------------------------------
call 2 run "$stop" --steps 3
err_has 'friction of <dynamics> is not read and would change the motion; without it: --ignore friction'
err_has 'as dry friction: --contacts'
call 2 run bicycle --contacts --steps 3
err_has '--contacts is for a mechanism from a file; bicycle belongs to the gallery'
call 2 run suslov --ground 1
err_has '--ground is an option of mechanisms'
for ground in x -1 .5,2 .5, nan; do
    call 2 run "$incline" --ground "$ground"
    err_has '--ground must be MU or MU,E, a friction that is not negative and a restitution from 0 to 1'
done
call 2 run "$incline" --impact hertz
err_has "unknown law of impacts 'hertz'; known: poisson, newton, sequential"
for speed in 0 -1 nan inf fast; do
    for command in run sweep; do
        call 2 "$command" "$incline" --capture "$speed"
        err_has "--capture must be a positive speed, got '$speed'"
    done
done
call 2 sweep "$incline" --impact hertz
err_has "unknown law of impacts 'hertz'; known: poisson, newton, sequential"
call 2 sweep suslov --impact newton
err_has '--impact is an option of mechanisms'
call 2 sweep double-pendulum --init elbow=0:1:2 --capture 1 --steps 3
err_has 'the motion has no contacts; add surfaces, stops or dry friction'
call 2 run bicycle --impact newton --steps 3
err_has 'the motion has no contacts; add surfaces, stops or dry friction'
call 2 run bicycle --events events.csv --steps 3
err_has 'the motion has no contacts'
for method in rattle gni; do
    call 2 run "$incline" --method "$method" --steps 3
    err_has 'contacts'
done
call 2 run "$incline" --tolerance 1e-6 --steps 3
err_has 'steps with contacts have the given length'
call 2 run dominoes --method gauss --steps 3
err_has 'at most 64 contacts and the mechanism has 92; use sem'
call 2 run "$incline" --method gauss --no-localise --steps 3
err_has 'localise is 0'
call 0 run bouncing-ball --method gauss --step 0.05 --steps 20 --events gauss.csv
err_has '1 impact'
that 'it strikes once in a second' test "$(wc -l <gauss.csv)" = 2
that 'when it does' near "$(sed -n 2p gauss.csv | cut -d, -f1)" 0.4515236409857309 1e-12
call 2 run "$incline" --step -0.01 --steps 3
err_has 'run forwards only; give a positive step'
call 2 run ball.urdf --init ball_z=-0.1 --ground 1 --steps 3
err_has "overlap by 0.1 m; start where they do not"
call 2 convergence "$incline" --methods sem
err_has 'contacts'
call 2 run "$incline" --ground 1 --param ground.friction=-1 --steps 3
err_has 'friction is -1'
finish
