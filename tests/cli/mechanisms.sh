#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# mechanisms.sh LIEGRP [ROBOTS]: mechanisms on the command line: the gallery and files (the folder ROBOTS, where files
# can be read), printed, written and drawn results, sweeps, and messages on wrong use.
set -u
# shellcheck source=tests/cli/common.sh
robots=${2:-}
[ -z "$robots" ] || robots=$(cd "$robots" && pwd)
. "$(cd "$(dirname "$0")" && pwd)/common.sh"
begin "$1"

# near A B TOLERANCE
near() { awk -v a="$1" -v b="$2" -v e="$3" 'BEGIN { d = a - b; exit !(a ~ /[0-9]/ && b ~ /[0-9]/ && d <= e && d >= -e) }'; }
can_draw=$(command -v gnuplot >/dev/null 2>&1 && echo 1 || echo 0)
can_read=$(command -v python3 >/dev/null 2>&1 && echo 1 || echo 0)

# --- the gallery ------------------------------------------------------------------------------------------------------
call 0 list mechanisms
# shellcheck disable=SC2016 # awk's fields
that 'every line is a name, a tab, an explanation' awk -F'\t' 'NF != 2 || $1 == "" || $2 == "" { exit 1 }' out
GALLERY=$(cut -f1 out)
that 'the four-bar is there' sh -c 'cut -f1 out | grep -qx four-bar'

for mechanism in $GALLERY; do
    call 0 info "$mechanism"
    out_has "$mechanism: " 'mechanism of ' ' freedom' ' of rank ' 'assembly: largest gap ' bodies joints 'gravity.z  ' \
        'step,t,'
    free=$(grep -c '; 0 rows of rank 0;' out)
    call 0 info "$mechanism" --json
    mv out "$mechanism.info"
    call 0 run "$mechanism" --steps 20 --output run.csv --no-accuracy
    err_has "$mechanism, sem, h = "
    err_has ' 20 steps to t = '
    err_has 'sweeps: '
    if [ "$free" = 0 ]; then
        err_has 'largest gap |phi| = '
        err_has 'largest slip |A xi - drift| = '
    fi
    that 'rows, whose joints stay closed, wheels do not slip and energy keeps its balance' awk -F, '
        NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
        function size(x) { return x < 0 ? -x : x }
        function of(name) { return name in at ? $at[name] : 0 }
        { energy = $at["energy"]; if (NR == 2) first = energy
          work = of("motors") + of("servos") + of("dampers") + of("ground") - of("friction")
          if ("impacts" in at) work = of("work") # contacts take the rest
          if (!(size($at["gap"]) < 1e-12) || !(size($at["slip"]) < 1e-11)) bad = 1 }
        END { if (!(size(energy - first - work) <= 1e-10)) bad = 1
              exit bad || NR != 22 || !("gap" in at) || !("slip" in at) || !("work" in at) }' run.csv
done
if [ "$can_read" = 1 ]; then
    that 'JSON' python3 -c 'import glob, json
for name in glob.glob("*.info"):
  d = json.load(open(name))
  assert d["columns"][:2] == ["step", "t"] and d["columns"][-2:] == ["gap", "slip"]
  assert d["columns"][d["columns"].index("energy") + 1] == "work" and ("friction" in d["columns"]) == (d["joints"] != [])
  assert len(d["columns"]) == len(set(d["columns"]))
  assert [c["name"] for c in d["column_texts"]] == d["columns"]
  for c in d["column_texts"] + d["control_texts"]: assert c["unit"] and c["meaning"], c
  for k in d["initial"]: assert k in d["columns"], k
  assert d["freedoms"] + d["rank"] == 6 * len(d["bodies"]) and d["rows"] >= d["rank"]
  assert (d["rows"] > d["rank"]) == (len(d["redundant"]) > 0)
  assert d["loops"] == sum(j["closes_loop"] for j in d["joints"])
  assert d["assembly_residual"] < 1e-12 and d["step"] > 0
  for q in d["parameters"]: assert set(q) == {"name", "default", "unit"}
  for m in d["motors"]: assert m["joint"] in [j["name"] for j in d["joints"]]'
fi
rm -f ./*.info
if [ "$can_draw" = 1 ]; then
    for mechanism in $GALLERY; do
        call 0 run "$mechanism" --steps 20 --plot "$mechanism.svg" --quiet
        that 'a picture' test -s "$mechanism.svg"
    done
    # shellcheck disable=SC2046 # a file each
    [ "$can_read" = 1 ] && pictures $(for mechanism in $GALLERY; do echo "$mechanism.svg"; done)
    call 0 run bicycle --steps 5 --plot a.svg --plot-columns 'frame_x:frame_y/frame_e3_y/*_vel/balance,gap'
    call 0 run bicycle --steps 5 --plot a.svg --plot-columns motion/conserved
    wrong "did you mean 'steer'?" run bicycle --steps 5 --plot a.svg --plot-columns steerr
fi

# --- run --------------------------------------------------------------------------------------------------------------
call 0 run furuta --steps 200
err_has 'energy balance: largest |H - H_0 - account| = '
err_has '; work of motors '
err_has 'accuracy: error of the trajectory about '
call 0 run double-pendulum --step 0.12 --steps 30
err_has 'warning: the step does not resolve the motion'
call 0 run four-bar --method sem@suzuki4 --time 0.25 --output a.csv --every 10
that 'a row every ten steps' test "$(wc -l <a.csv)" -eq 7
call 0 run four-bar --steps 5 --output a.npy --quiet
[ "$can_read" = 1 ] && python3 -c 'import numpy' 2>/dev/null && that 'NPY' python3 -c 'import numpy
a = numpy.load("a.npy")
assert a.dtype.names[:3] == ("step", "t", "a") and len(a) == 6'
call 0 run double-pendulum --param upper.mass=2 --param gravity.z=-1.62 --init elbow=0.5 --init shoulder_vel=1 --steps 1 \
    --output a.csv --quiet
that 'the initial value' near "$(column a.csv elbow 1)" 0.5 1e-14
that 'the initial velocity' near "$(column a.csv shoulder_vel 1)" 1 1e-13
call 0 run double-pendulum --init elbow=90deg --param shoulder.rest=-30deg --steps 1 --output a.csv --quiet
that 'an angle in degrees' near "$(column a.csv elbow 1)" 1.5707963267948966 1e-14
call 0 sweep double-pendulum --init elbow=0deg:90deg:2 --steps 1 --quiet --output a.csv
that 'a range in degrees' near "$(column a.csv init_elbow last)" 1.5707963267948966 1e-14
wrong 'its unit is rad/s; degrees are for angles in rad' run double-pendulum --init elbow_vel=90deg
wrong 'its unit is kg; degrees are for angles in rad' run double-pendulum --param upper.mass=90deg
wrong 'its unit is kg; degrees are for angles in rad' sweep double-pendulum --param upper.mass=1deg:2deg:2
wrong 'controls are not in degrees' sweep furuta --control turn=1deg:2deg:2
call 0 run double-pendulum --gravity 0,0,-9.81 --steps 10 --output a.csv --quiet
call 0 run double-pendulum --steps 10 --output b.csv --quiet
that 'the same gravity' cmp a.csv b.csv
call 0 run bicycle --init frame_axis=0,0,1 --init frame_angle=60deg --project --steps 1 --output a.csv --quiet
that 'an attitude in words' near "$(column a.csv frame_qz 1)" 0.5 1e-12
call 0 run furuta --control turn=0 --steps 10 --output a.csv --quiet
that 'the control' near "$(column a.csv turn_tau last)" 0 0
call 0 run furuta --control motor=0 --steps 10 --output b.csv --quiet
that 'a motor has its own name too' cmp a.csv b.csv
printf 't,u\n0,0.01\n0.02,-0.01\n' >torque.csv
call 0 run furuta --control turn=torque.csv --steps 10 --output a.csv --quiet
that 'the first torque' near "$(column a.csv turn_tau 1)" 0.01 0
that 'the second torque' near "$(column a.csv turn_tau last)" -0.01 0
call 0 run furuta --steps 10 --output a.csv --quiet
that "the gallery's own torque" near "$(column a.csv turn_tau last)" 0.01 0
call 0 run four-bar --init a=0.3 --project --steps 5 --output a.csv --quiet
that 'projected joints are closed' all_below a.csv gap 1e-13
call 0 run double-pendulum --step -0.005 --time -0.05 --output a.csv --quiet
that 'back in time' near "$(column a.csv t last)" -0.05 1e-12

call 0 run four-bar --method rattle --steps 5 --output a.csv --quiet
that 'rattle closes joints' all_below a.csv gap 1e-13

# What an MJCF file says and is not read refuses the file, unless it is ignored by name, and the run says so.
cat >lossy.xml <<'XML'
<mujoco><worldbody><body name="p" pos="0 0 1"><joint name="j" axis="0 1 0" frictionloss="0.1"/>
  <geom type="capsule" fromto="0 0 0 0 0 -0.5" size="0.04"/></body></worldbody></mujoco>
XML
wrong 'lossy.xml:1: frictionloss of <joint> is not read and would change the motion; without it: --ignore frictionloss' \
    run lossy.xml --steps 5
call 0 run lossy.xml --ignore frictionloss --steps 5 --output a.csv
err_has 'frictionloss of <joint> is ignored, as you ask'
call 0 run --from a.csv --allow lossy.xml --output b.csv --quiet
that 'the provenance repeats what was ignored' cmp a.csv b.csv
call 0 info lossy.xml --ignore frictionloss
out_has 'frictionloss of <joint> is ignored, as you ask'
call 0 run lossy.xml --ignore frictionloss --ignore frictionlos --steps 5
err_has "nothing is ignored as 'frictionlos': no element and no attribute of the file has this name"
wrong '--ignore is for a mechanism from a file; four-bar belongs to the gallery' run four-bar --ignore friction --steps 5
wrong '--ignore' run rolling-disk --ignore friction --steps 5

# A named start: its time, its controls, single values in their place, and the same run again from the provenance.
cat >keyed.xml <<'XML'
<mujoco><worldbody><body name="p" pos="0 0 1"><joint name="j" axis="0 1 0"/>
  <geom type="capsule" fromto="0 0 0 0 0 -0.5" size="0.04"/></body></worldbody>
  <actuator><motor name="m" joint="j"/></actuator>
  <keyframe><key name="bent" time="0.5" qpos="0.3" qvel="-1" ctrl="0.2"/><key qpos="0.1"/>
  <key name="wrong" qpos="1 2"/></keyframe></mujoco>
XML
call 0 run keyed.xml --key bent --time 0.6 --step 0.01 --output a.csv --quiet
that 'the time of the key' near "$(column a.csv t 1)" 0.5 0
that 'its position' near "$(column a.csv j 1)" 0.3 1e-15
that 'its velocity' near "$(column a.csv j_vel 1)" -1 1e-15
that 'its control, later too' near "$(column a.csv j_tau last)" 0.2 0
that 'the time to reach' near "$(column a.csv t last)" 0.6 1e-12
call 0 run --from a.csv --allow keyed.xml --output b.csv --quiet
that 'the provenance repeats the key' cmp a.csv b.csv
call 0 run keyed.xml --key bent --init j=0.7 --control m=0 --time 0.6 --step 0.01 --output a.csv --quiet
that 'a value in place of that of the key' near "$(column a.csv j 1)" 0.7 1e-15
that 'a control in place of that of the key' near "$(column a.csv j_tau last)" 0 0
call 0 run keyed.xml --key 1 --steps 1 --output a.csv --quiet
that 'a key by its number' near "$(column a.csv j 1)" 0.1 1e-15
call 0 run keyed.xml --key bent --steps 40 --output a.csv --checkpoint a.ck --quiet
call 0 sweep keyed.xml --key bent --init j=0.1:0.2:2 --steps 2 --step 0.01 --output a.csv --quiet
that 'a sweep starts from it' near "$(column a.csv t 1)" 0.52 1e-12
that 'with its controls' near "$(column a.csv j_tau last)" 0.2 0
call 0 info keyed.xml --key bent
out_has 'keys (--key NAME)'
wrong "keyed.xml:5: qpos of key 'wrong' has 2 numbers, and the model has 1" run keyed.xml --key wrong
wrong "unknown key 'bend'; did you mean 'bent'" run keyed.xml --key bend
wrong 'lossy.xml has no keys' run lossy.xml --ignore frictionloss --key bent
wrong '--key bent has controls, or a time other than 0' convergence keyed.xml --key bent

# Sensors are columns where they are asked for, also in a sweep and in the run that the provenance repeats.
cat >sensed.xml <<'XML'
<mujoco><worldbody><body name="p" pos="0 0 1"><joint name="j" axis="0 1 0"/><site name="tip" pos="0 0 -0.5"/>
  <geom type="capsule" fromto="0 0 0 0 0 -0.5" size="0.04"/></body></worldbody>
  <sensor><framepos name="end" objtype="site" objname="tip"/><gyro site="tip"/></sensor></mujoco>
XML
call 0 run sensed.xml --sensors --init j=90deg --steps 2 --output a.csv --quiet
that 'the place of a site' near "$(column a.csv end_x 1)" -0.5 1e-15
that 'the end of the row' sh -c 'head -1 a.csv | grep -q "slip,end_x,end_y,end_z,gyro2_x,gyro2_y,gyro2_z$"'
call 0 run --from a.csv --allow sensed.xml --output b.csv --quiet
that 'the provenance repeats the sensors' cmp a.csv b.csv
call 0 run sensed.xml --steps 2 --output a.csv --quiet
that 'no sensors without the option' sh -c '! head -1 a.csv | grep -q end_x'
call 0 run lossy.xml --ignore frictionloss --sensors --steps 2
err_has 'no sensor is a column: the file has none that is a function of the state'
wrong '--sensors is for a mechanism from a file; arm belongs to the gallery' run arm --sensors --steps 2
wrong 'the nearest are l3.inertia_xx, l3.inertia_yy, l3.inertia_zz' run chain --param l3.inertia=3 --steps 1
call 0 sweep sensed.xml --sensors --init j=0:1:2 --steps 2 --output a.csv --quiet
that 'sensors in a sweep' sh -c 'head -1 a.csv | grep -q end_x'
call 0 info sensed.xml
out_has 'sensors are columns where they are asked for: --sensors'

# Motions that are given: a joint and a body follow tables, whose files belong to the run.
printf 't,q\n0,0\n0.1,0.2\n0.2,0.1\n0.3,0.3\n' >motion.csv
call 0 run double-pendulum --motion shoulder=motion.csv --time 0.3 --step 0.02 --output a.csv
err_has '; work of drives '
that 'the joint follows' near "$(column a.csv shoulder last)" 0.3 1e-14
that 'the work is the only one' near "$(column a.csv shoulder_work last)" "$(column a.csv work last)" 1e-12
that 'a force' test -n "$(column a.csv shoulder_force last)"
wrong 'add --allow motion.csv' run --from a.csv --output b.csv --quiet
call 0 run --from a.csv --allow motion.csv --output b.csv --quiet
that 'the provenance repeats it' cmp a.csv b.csv
call 3 run arm --motion axis2=motion.csv --time 0.4 --step 0.02 --quiet
err_has "t = 0.32: the table of drive 'axis2', which moves 'axis2', is from t = 0 to 0.3"
call 0 info arm --motion axis2=motion.csv
out_has 'moves axis2, by a table of 4 rows from t = 0 to 0.3'
call 0 sweep arm --motion axis2=motion.csv --init axis1_vel=0:1:3 --time 0.1 --output c.csv --quiet
that 'sweeps too' near "$(column c.csv axis2 last)" 0.2 1e-14
printf '0,0,0,1,0,0,0,1\n1,1,0,1,0,0,1,1\n' >pose.csv
wrong "'0,0' has less than seven commas; give eight finite numbers" run four-bar --motion coupler=motion.csv
wrong 'line 1: '"'0,0,0,1,0,0,0,1'"' has more than one comma; give two finite numbers, the time and the position: T,Q' \
    run arm --motion axis2=pose.csv
printf '0,0\n0,1\n' >back.csv
wrong 'line 2: the times must increase' run arm --motion axis2=back.csv
wrong '--motion names neither a joint nor a body' run arm --motion axis9=motion.csv
wrong "--motion: 'none.csv' is not a file" run arm --motion axis2=none.csv
wrong "drive 'axis2': the name is taken" run arm --motion axis2=motion.csv --motion axis2=motion.csv
wrong "joint 'axis2' is to start at 0.5, and drive 'axis2' has it at 0 at t = 0" run arm --motion axis2=motion.csv \
    --init axis2=0.5
wrong 'a motion is given twice' run four-bar --motion a=motion.csv --motion d=motion.csv
wrong 'rattle takes no constraints that depend on time' run arm --motion axis2=motion.csv --method rattle
wrong '--motion is an option of mechanisms' run heavy-top --motion a=b

# Dense methods run the same mechanism, with its parameters, initial values and controls, as a system.
call 0 run furuta --param pendulum.mass=0.2 --init swing=0.1 --steps 20 --step 0.001 --output a.csv --quiet
for method in rk4 gni dla sem:cholesky; do
    call 0 run furuta --param pendulum.mass=0.2 --init swing=0.1 --method $method --steps 20 --step 0.001 \
        --output b.csv --quiet
    that "the energy by $method" near "$(column b.csv energy last)" "$(column a.csv energy last)" 1e-5
    that "and the state it comes from" near "$(column b.csv energy 1)" "$(column a.csv energy 1)" 1e-12
done
call 0 run furuta --method sem:cholesky --control turn=0.5 --step 0.001 --steps 20 --output b.csv --quiet
call 0 run furuta --method sem --control turn=0.5 --step 0.001 --steps 20 --output a.csv --quiet
that 'torque by the name of the joint' near "$(column b.csv energy last)" "$(column a.csv energy last)" 1e-4
call 0 run double-pendulum --method gni --retraction cayley --monitor --probe --steps 10
err_has 'probe at the end'
[ "$can_draw" = 1 ] && call 0 run four-bar --method gni --steps 5 --plot a.svg --quiet
wrong "takes no holonomic constraints" run four-bar --method nsv
wrong "did you mean 'turn'?" run furuta --method gni --control trn=1
wrong 'add --project' run four-bar --method gni --init a=0.3
wrong 'rattle takes no forces that dissipate' run furuta --method rattle

wrong "joint 'd' is open by" run four-bar --init a=0.3
err_has 'add --project'
wrong 'add --project' run four-bar --init a_vel=3
wrong "unknown system 'four-ber'; did you mean 'four-bar'?" run four-ber
wrong "did you mean 'upper.mass'?" run double-pendulum --param upper.mas=2
wrong "body 'upper': mass is -2 kg" run double-pendulum --param upper.mass=-2
wrong "did you mean 'elbow'?" run double-pendulum --init elbo=1
wrong 'give --init elbow=...' run double-pendulum --param elbow=1
wrong "unknown initial value 'energy'" run double-pendulum --init energy=1
wrong "the quaternion of body 'frame'" run bicycle --init frame_qx=3
wrong 'frame_axis needs --init frame_angle=A' run bicycle --init frame_axis=0,0,1
wrong "unknown control 'trn'; did you mean 'turn'?" run furuta --control trn=1
wrong 'has no controls' run four-bar --control a=1
wrong '--control motor is given twice' run furuta --control turn=1 --control motor=2
wrong "unknown method 'gnu'" run bicycle --method gnu
wrong "unknown composition 'suzuki5'" run bicycle --method sem@suzuki5
wrong 'the step of mechanisms has no retraction' run bicycle --retraction cayley
wrong '--start legendre has no effect' run bicycle --start legendre
call 0 run bicycle --steps 20 --monitor-every 3
err_has 'monitor: 7 samples, one every 3 steps'
wrong '--probe is not available for the step of mechanisms' run bicycle --probe
for option in --floating --gravity=0,0,-1 --wheel=a=1; do
    wrong 'is an option of mechanisms, see liegrp list mechanisms, but suslov is a system' run suslov "$option"
done
wrong 'is an option of systems' info bicycle --check
wrong 'is an option of mechanisms' info suslov --floating
wrong '--gravity must be X,Y,Z' run bicycle --gravity 1,2
wrong '--halvings must be a whole number from 0 to 30' run bicycle --halvings 31
call 0 run double-pendulum --method gni --halvings 2 --steps 10 --quiet
call 3 run suslov --step 12 --steps 20 --quiet
call 0 run suslov --step 12 --steps 20 --halvings 4 --quiet
call 3 run double-pendulum --init elbow_vel=100 --step 0.05 --steps 5 --output a.csv
err_has 'take a smaller step, or allow halvings of a step'
call 0 run double-pendulum --init elbow_vel=100 --step 0.05 --steps 5 --output a.csv --halvings 5
call 0 sweep double-pendulum --init elbow_vel=100:101:2 --step 0.05 --steps 5 --output a.csv --halvings 5 --quiet
call 3 sweep suslov --param I11=1:1.6:2 --step 12 --steps 5 --output a.csv --quiet
call 0 sweep suslov --param I11=1:1.6:2 --step 12 --steps 5 --output a.csv --quiet --halvings 4
that 'both arrive' test "$(grep -c ',5,60,' a.csv)" -eq 2
wrong '--floating is for a mechanism from a file' run bicycle --floating
wrong '--wheel is for a mechanism from a file' run bicycle --wheel rear=1
wrong 'is a mechanism; verify takes systems' verify --system four-bar
call 3 run double-pendulum --step 3 --steps 50 --output a.csv
err_has ' of 50 steps were done'

# --- sweep ------------------------------------------------------------------------------------------------------------
for threads in 1 3; do
    call 0 sweep four-bar --param crank.mass=0.2:0.6:5 --init a_vel=5:12:3 --project --steps 20 --threads $threads \
        --output s$threads.csv
done
that 'the same bytes with three threads' cmp s1.csv s3.csv
that 'a row for every point' test "$(wc -l <s1.csv)" -eq 16
call 0 run four-bar --param crank.mass=0.3 --init a_vel=8.5 --project --steps 20 --output a.csv --quiet
for name in a b c_vel energy; do
    that "$name as liegrp run has it" test "$(column s1.csv $name 5)" = "$(column a.csv $name last)"
done
call 0 sweep furuta --control turn=0:0.05:6 --init swing=0.1 --every 10 --steps 30 --output s.csv --quiet
that 'rows of each point' test "$(wc -l <s.csv)" -eq 25
that 'the controls' near "$(column s.csv turn_tau last)" 0.05 1e-15
call 0 sweep furuta --init swing=0:0.2:3 --tolerance 1e-8 --steps 10 --step 0.02 --output s.csv
err_has 'furuta, gauss, tolerance 1e-08: 3 instances of 10 states every 0.02 in '
call 0 run furuta --init swing=0.1 --tolerance 1e-8 --steps 10 --step 0.02 --output r.csv --quiet
that 'a sweep with a tolerance has the rows of the runs' test \
    "$(awk -F, 'NR == 3 { print $6, $7, $8 }' s.csv)" = "$(tail -1 r.csv | awk -F, '{ print $3, $4, $5 }')"
wrong 'has steps of one length' sweep furuta --init swing=0:1:3 --tolerance 1e-8 --method rattle
call 0 sweep furuta --random 5 --seed 3 --param pendulum.mass=0.1:0.2 --steps 10 --output s.csv --quiet
that 'random points' test "$(wc -l <s.csv)" -eq 6
call 0 sweep double-pendulum --param upper.mass=-1:1:3 --steps 5 --output s.csv
err_has '2 of 3 instances failed'
err_has "instance 0 (upper.mass = -1): double-pendulum: body 'upper': mass is -1 kg"
that 'a failed point has a row' near "$(column s.csv status 1)" 1 0
call 3 sweep double-pendulum --param upper.mass=-2:-1:2 --steps 5
call 0 sweep double-pendulum --init elbow=0:1:2 --step 0.12 --steps 30
err_has 'does not resolve the motion of 2 of 2 instances'
[ "$can_draw" = 1 ] && call 0 sweep furuta --control turn=0:0.05:6 --steps 20 --plot s.svg --quiet
wrong 'no range to sweep' sweep four-bar --param crank.mass=1
wrong "did you mean 'crank.mass'?" sweep four-bar --param crank.mss=1:2:2
wrong "unknown control 'a'" sweep furuta --control a=1:2:2
# Instances go together where parameters do not vary, and have the bytes of those that are stepped one by one.
for method in sem rattle@suzuki4; do
    set -- sweep double-pendulum --init shoulder=-1:3:9 --init elbow_vel=0:60:3 --method $method --step 0.05 --steps 60 \
        --every 7 --quiet
    call 0 "$@" --param upper.mass=1:1:1 --output apart.csv
    cut -d, -f 1,2,3,5- apart.csv >alone.csv
    for width in 1 2 4 8; do
        "$liegrp" "$@" --width $width --output together.csv 2>err || grep -q 'this machine has' err || fail "$(cat err)"
        that "$method: one by one and together, width $width" cmp alone.csv together.csv
    done
    that "$method: some fail" grep -q '^[0-9]*,[^,]*,[^,]*,[1-9]' together.csv
done
call 0 sweep double-pendulum --init shoulder=0:1:3 --param lower.mass=2 --watch 5 --steps 20 --output s.csv --quiet
call 0 run double-pendulum --init shoulder=0.5 --param lower.mass=2 --steps 20 --output r.csv --quiet
that 'a fixed parameter counts' test "$(column s.csv energy 2)" = "$(column r.csv energy last)"
wrong 'one by one where its parameters vary' sweep four-bar --param crank.mass=1:2:2 --width 4
wrong 'one by one with other methods than sem' sweep four-bar --init a_vel=1:2:2 --method gni --width 4

# --- files ------------------------------------------------------------------------------------------------------------
wrong 'none.urdf: No such file' run none.urdf
if [ -n "$robots" ]; then
    for robot in "$robots"/*; do
        contacts=$([ "${robot##*/}" = stop.urdf ] && echo --contacts) # its hinge has dry friction
        call 0 info "$robot" ${contacts:+"$contacts"}
        out_has 'mechanism of '
        call 0 info "$robot" --json ${contacts:+"$contacts"}
        cp out "${robot##*/}.json"
        call 0 run "$robot" --steps 20 --output a.csv ${contacts:+"$contacts"}
        that 'joints stay closed' all_below a.csv gap 1e-12
    done
    [ "$can_read" = 1 ] && that 'JSON' python3 -c 'import glob, json
assert [json.load(open(name)) for name in glob.glob("*.json") if not name.endswith(".csv.json")]'
    call 0 info "$robots/arm.urdf"
    out_has 'remark: '
    wrong "link 'base_link' has no mass" info "$robots/arm.urdf" --floating
    call 0 run "$robots/scara.urdf" --steps 100
    err_has 'passed its limit by'
    if [ "$can_draw" = 1 ]; then
        call 0 run "$robots/scara.urdf" --steps 100 --plot a.svg
        err_has 'passed its limit by'
    fi
    call 0 info "$robots/cart_pole.xml"
    out_has 'step: 0.005'
    sed 's/<\/robot>/<oops>/' "$robots/arm.urdf" >broken.urdf
    wrong 'broken.urdf:' info broken.urdf
    call 0 info arm --write written.xml
    call 0 info written.xml --write again.xml
    call 0 info again.xml --write third.xml
    that 'what is written and read is written again' cmp again.xml third.xml
    wrong "--write written.xml would replace the mechanism's own file" info written.xml --write written.xml
    wrong "touches a plane (rolls), which MJCF cannot say; without it: --ignore wheel" info bicycle --write none.xml
    that 'what is refused leaves no file' test ! -e none.xml
    call 0 info bicycle --write wheelless.xml --ignore wheel
    out_has "remark: wheel 'rear wheel' touches a plane (rolls): ignored, as you ask"
    wrong "there is no link 'nothing'" run "$robots/arm.urdf" --wheel nothing=1
    wrong '--wheel must be LINK=RADIUS' run "$robots/arm.urdf" --wheel nothing
    wrong 'contradict' run "$robots/arm.urdf" --output a.csv --format npy
    cp "$robots/arm.urdf" own.urdf
    wrong 'the same file' run own.urdf --output own.urdf
    cat >cart.urdf <<'END'
<robot name="cart">
  <link name="chassis"><inertial><origin xyz="0.1 0 0.2"/><mass value="5"/>
    <inertia ixx="0.1" iyy="0.11" izz="0.12" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <link name="left"><inertial><mass value="0.5"/>
    <inertia ixx="0.0015" iyy="0.0025" izz="0.0015" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <link name="right"><inertial><mass value="0.5"/>
    <inertia ixx="0.0015" iyy="0.0025" izz="0.0015" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <joint name="left_axle" type="continuous"><parent link="chassis"/><child link="left"/>
    <origin xyz="0 0.2 0.1"/><axis xyz="0 1 0"/></joint>
  <joint name="right_axle" type="continuous"><parent link="chassis"/><child link="right"/>
    <origin xyz="0 -0.2 0.1"/><axis xyz="0 1 0"/></joint>
</robot>
END
    call 0 run cart.urdf --floating --wheel left=0.1 --wheel right=0.1,y --control left_axle=0.1 --steps 50 --output a.csv
    that 'the wheels roll' all_below a.csv slip 1e-12
    that 'and drive' near "$(column a.csv left_axle_tau last)" 0.1 0
    call 0 sweep cart.urdf --floating --wheel left=0.1 --wheel right=0.1,y --control left_axle=0:0.1:2 --steps 50 \
        --output swept.csv --quiet
    that 'a sweep ends as the run' near "$(column swept.csv left_axle last)" "$(column a.csv left_axle last)" 0
    that 'and without its control elsewhere' test "$(column swept.csv left_axle 1)" != "$(column a.csv left_axle last)"
    call 0 info cart.urdf --floating --wheel left=0.1 --wheel right=0.1
    out_has 'left wheel'
    cat >hook.xml <<'END'
<mujoco><compiler angle="radian"/><worldbody><body name="p" pos="0 0 1">
  <inertial pos="0 0 -0.3" mass="1" diaginertia="0.03 0.03 0.002"/>
  <joint name="tilt" axis="1 0 0" range="-0.3 0.3" limited="true"/><joint name="swing" axis="0 1 0"/>
</body></worldbody></mujoco>
END
    call 0 run hook.xml --init tilt=0.2 --init swing_vel=3 --init tilt_vel=3 --time 1 --output a.csv
    that 'hinges of one body have their own columns' in_file 'step,t,tilt,swing,tilt_vel,swing_vel,' a.csv
    err_has 'passed its limit by'
    if [ "$can_draw" = 1 ]; then call 0 run hook.xml --init tilt=0.2 --init tilt_vel=3 --time 1 --plot a.svg; err_has 'limits are watched'; fi
    # The limit of a joint of both kinds of motions is told in the unit of the one that passed it.
    cat >lift.xml <<'END'
<mujoco><compiler angle="radian"/><worldbody><body name="p" pos="0 0 1">
  <inertial pos="0 0 -0.3" mass="1" diaginertia="0.03 0.03 0.002"/>
  <joint name="lift" type="slide" axis="0 0 1"/><joint name="turn" axis="0 0 1" range="-0.1 0.1" limited="true"/>
</body></worldbody></mujoco>
END
    call 0 run lift.xml --init turn_vel=3 --time 0.1
    err_has 'passed its limit by 0.2 rad'
    cat >ball.urdf <<'END'
<robot name="ball">
  <link name="ball"><inertial><mass value="1"/>
    <inertia ixx="0.016" iyy="0.016" izz="0.016" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <liegrp root="floating">
    <sphere_contact name="foot" link1="world" link2="ball" radius1="0.5" radius2="0.2" centre1="-0.05 0 -0.7"/>
  </liegrp>
</robot>
END
    call 0 info ball.urdf
    out_has 'ball, radius 0.2 m, rolls on the world, radius 0.5 m'
    call 0 info ball.urdf --json
    out_has '"contact": "rolls", "inside": false, "parent_radius": 0.5, "child_radius": 0.2'
    call 0 run ball.urdf --step 0.002 --time 0.5
    err_has 'spheres: least normal force '
    that 'no sphere parts yet' not in_file 'pull each other' err
    call 0 run ball.urdf --step 0.002 --time 1.2
    err_has 'warning: the spheres of foot pull each other with up to '
    err_has 'Real spheres part there'

    cat >hub.urdf <<'END'
<robot name="r"><link name="w"/><link name="hub"/>
  <link name="a"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1"/></inertial></link>
  <link name="b"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1"/></inertial></link>
  <joint name="jh" type="continuous"><parent link="w"/><child link="hub"/><axis xyz="0 0 1"/></joint>
  <joint name="ja" type="continuous"><parent link="hub"/><child link="a"/></joint>
  <joint name="jb" type="continuous"><parent link="hub"/><child link="b"/></joint>
</robot>
END
    wrong 'or read it with a least inertia (--least-inertia)' info hub.urdf
    wrong "--least-inertia must be a positive number, got '-1'" info hub.urdf --least-inertia -1
    call 0 run hub.urdf --least-inertia 1e-6 --init ja_vel=1 --steps 10
    err_has "link 'hub' has no mass: it gets the least inertia, 1e-06 kg m^2 about each axis, and 0.0001 kg"
    sed '/name="jb"/d; /link name="b"/d' hub.urdf >series.urdf
    call 0 info series.urdf
    out_has 'jh+ja            universal   from the world to a' "joints 'jh' and 'ja' act in series" 'ja               jh+ja.2'
    sed 's/<child link="a"\/>/&<axis xyz="1 0 1"\/>/' series.urdf >skew.urdf
    call 0 info skew.urdf
    out_has 'jh+ja            composed    from the world to a' '2              revolute    about '
fi

finish
