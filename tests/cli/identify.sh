#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# identify.sh LIEGRP FILES: identifications from the command line: values, errors, data that do not suffice, bad data.
. "$(dirname "$0")/common.sh"
files=$2 # 1: it reads files of mechanisms
root=$(cd "$(dirname "$0")/../.." && pwd)
begin "$1"

# value NAME: what was found.
value() { awk -v name="$1" '$1 == name { print $3 }' out; }
# near NAME VALUE BOUND
near() {
    that "$1 is $2" awk -v a="$(value "$1")" -v b="$2" -v e="$3" 'BEGIN { d = a - b; exit !(d < e && d > -e) }'
}

# --- the rows of a run, exact ---------------------------------------------------------------------------------------
call 0 run double-pendulum --step 0.01 --steps 200 --param lower.mass=1.3 --init shoulder=0.2 --output rows.csv --quiet
call 0 identify double-pendulum --data rows.csv --free lower.mass --free-init shoulder,elbow --step 0.01 --output both.csv
near lower.mass 1.3 1e-8
near shoulder 0.2 1e-8
near elbow 0 1e-8
out_has '3 unknowns, 201 samples of shoulder, elbow, shoulder_vel, elbow_vel' 'kg' 'columns that are not compared: step,'
that 'a row of each sample' test "$(wc -l <both.csv)" -eq 202
that 'the model beside the data' test "$(head -1 both.csv)" = \
    t,shoulder,shoulder_model,elbow,elbow_model,shoulder_vel,shoulder_vel_model,elbow_vel,elbow_vel_model
that 'they agree' awk -F, 'NR > 1 && ($2 - $3)^2 > 1e-14 { bad = 1 } END { exit bad }' both.csv

# --- noise, missing values, a time that is not 0, angles modulo a turn -------------------------------------------------
awk -F, -v OFS=, 'BEGIN { srand(3) }
    function noise() { return 0.001 * sqrt(-2 * log(1 - rand())) * cos(6.283185307179586 * rand()) }
    NR == 1 { print "t,shoulder,elbow"; for (i = 1; i <= NF; i++) at[$i] = i; next }
    { a = $at["shoulder"] + noise() + 6.283185307179586; b = $at["elbow"] + noise()
      print $at["t"] + 5, NR % 5 == 0 ? "" : a, NR % 7 == 0 ? "nan" : b }' rows.csv >noisy.csv
call 0 identify double-pendulum --data noisy.csv --free lower.mass --free-init shoulder=0.1,elbow --step 0.01 --sigma 0.001
near lower.mass 1.3 1e-3
near shoulder 0.2 1e-3
out_has 'degrees of freedom: residuals are'
call 0 identify double-pendulum --data noisy.csv --free lower.mass --free-init shoulder=0.1,elbow --step 0.01
out_has 'residuals: standard deviation 0.00'

# --- controls are columns of the data ------------------------------------------------------------------------------------
awk 'BEGIN { for (k = 0; k < 40; k++) printf "%.10g,%.10g\n", k / 20, sin(k) / 2 }' >left.csv
call 0 run two-wheeled-robot --step 0.05 --steps 40 --control u_1=left.csv --param m=8 --param c=0.03 --output r.csv --quiet
awk -F, -v OFS=, 'NR == FNR { u[FNR] = $2; next } FNR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; print "t,u_1,x,y"; next }
    { print $at["t"], FNR - 1 in u ? u[FNR - 1] : 0, $at["x"], $at["y"] }' left.csv r.csv >robot.csv
call 0 identify two-wheeled-robot --data robot.csv --free m,c --step 0.05
near m 8 1e-6
near c 0.03 1e-8

# --- what the data do not determine --------------------------------------------------------------------------------------
call 0 run heavy-top --step 0.05 --steps 60 --output top.csv --quiet
call 1 identify heavy-top --data top.csv --columns qx,qy,qz,qw --free I1,I2,I3,m --step 0.05 --sigma 0.001
err_has 'the data determine 3 of 4 combinations'
err_has 'when (I1, I2, I3, m) change along'
out_has 'inf'

# --- wrong use -----------------------------------------------------------------------------------------------------------
wrong 'what was measured' identify heavy-top --free I1
wrong 'what is looked for' identify heavy-top --data top.csv
wrong 'nothing.csv' identify heavy-top --data nothing.csv --free I1
wrong "unknown parameter 'I11'" identify heavy-top --data top.csv --free I11
wrong 'no such column is measured' identify heavy-top --data top.csv --free I1 --sigma zz=1
wrong "that of 'qy' is missing" identify heavy-top --data top.csv --free I1 --sigma qx=1
wrong "has no column 'zz'" identify heavy-top --data top.csv --free I1 --columns zz
wrong "is missing" identify heavy-top --data top.csv --free I1 --columns qx
wrong '--step must be positive' identify heavy-top --data top.csv --free I1 --step -1
wrong '--precision must be from' identify heavy-top --data top.csv --free I1 --precision 2
wrong 'NAME=SCALE' identify heavy-top --data top.csv --free I1=-1
printf 'time,qx\n0,1\n' >names.csv
wrong 'does not name the time, t' identify heavy-top --data names.csv --free I1
printf 't,foo\n0,1\n' >foo.csv
wrong 'no column of foo.csv' identify heavy-top --data foo.csv --free I1
printf '0,1\n' >bare.csv
wrong 'does not name the columns' identify heavy-top --data bare.csv --free I1
printf 't,xi_1,xi_2\n0,1\n' >short.csv
wrong 'another number of commas' identify heavy-top --data short.csv --free I1
printf 't,xi_1\n0,1\n1,x\n' >letters.csv
wrong 'line 3' identify heavy-top --data letters.csv --free I1
printf 't,xi_1\n1,1\n0,1\n' >back.csv
wrong 'the times must increase' identify heavy-top --data back.csv --free I1
printf 't,xi_1\n0,1\n' >one.csv
wrong '1 measurements for 2 unknowns' identify heavy-top --data one.csv --free I1,I2
wrong 'same file' identify heavy-top --data one.csv --free I1 --output one.csv

if [ "$files" = 1 ]; then
    call 0 run "$root/examples/robots/arm.urdf" --init axis2=0.7 --step 0.005 --steps 100 --output arm.csv --quiet
    call 0 identify "$root/examples/robots/arm.urdf" --data arm.csv --free link3.mass --init axis2=0.7 --param link3.mass=5 --step 0.005
    out_has 'link3.mass'
fi
finish
