#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# convergence.sh LIEGRP: liegrp convergence from outside: table, JSON, CSV and picture, and its messages on wrong use.
# Prints what fails; the exit status tells whether something did.
set -u
# shellcheck source=tests/cli/common.sh
. "$(cd "$(dirname "$0")" && pwd)/common.sh"
begin "$1"


# one_message FILE: one line, and perhaps where to find help.
one_message() {
    count=0
    while IFS= read -r line; do
        case $line in 'see liegrp'*--help*) ;; *) count=$((count + 1)) ;; esac
    done <"$1"
    [ $count -eq 1 ]
}
# wrong TEXT ARGUMENT...: wrong use: status 2, one message with the text, nothing on standard output, no file.
wrong() {
    text=$1
    shift
    call 2 convergence "$@" --output wrong.csv --plot wrong.png
    that 'standard output should be empty' test ! -s out
    err_has "$text"
    that 'one message' one_message err
    no_file wrong.
}

# order METHOD RETRACTION QUANTITY LEAST MOST: of the CSV file orders.csv; lists of one or several, by blanks.
order() {
    # shellcheck disable=SC2016 # awk's fields
    that "the order of $1, $2, $3 is from $4 to $5" awk -F, -v m="$1" -v r="$2" -v q="$3" -v least="$4" -v most="$5" '
        BEGIN { ms = split(m, mm, " "); rs = split(r, rr, " "); qs = split(q, qq, " ")
                for (i in mm) for (j in rr) for (k in qq) want[mm[i] "," rr[j] "," qq[k]] }
        $1 "," $2 "," $5 in want { if (!($1 "," $2 "," $5 in found)) count++
                                   found[$1 "," $2 "," $5]; if (!($10 >= least && $10 <= most)) bad = 1 }
        END { exit bad || count != ms * rs * qs }' orders.csv
}

# --- the table --------------------------------------------------------------------------------------------------------
call 0 convergence --help
out_has --methods --retractions --step --levels --time --param --init --start --project --json --output --plot --quiet
call 0 help convergence
call 0 convergence rolling-ball --output orders.csv
that 'standard error should be empty' test ! -s err
out_has 'the exact solution (R^2, momentum, energy)'
out_has 'sem@kahan-li8 with steps of'
for word in reduced reconstructed 'R^2' 'SO(3)' configuration momentum energy; do out_has "$word"; done
that 'eight measurements' test "$(grep -c ' order ' out)" -eq 8
that 'of five steps' test "$(grep -c '^nsv  *cayley  *0' out)" -eq 5
order 'sem gni dla:midpoint nsv' 'exp cayley' 'R^2 SO(3) configuration momentum energy' 1.9 2.1
that 'a header and a line an error' test "$(wc -l <orders.csv)" -eq 201
call 0 convergence chaplygin-sleigh --methods sem@suzuki4,sem --retractions cayley --levels 4 --output orders.csv
out_has 'reference: the exact solution'
that 'nothing is computed' sh -c '! grep -q "its own error" out'
order sem@suzuki4 cayley configuration 3.8 4.2
order sem cayley momentum 1.9 2.1
out_has '(...): rounding'
that 'where the table comes from' grep -q '"arguments": \["convergence", "chaplygin-sleigh", "--methods"' orders.csv.json
call 2 run --from orders.csv --output rows.csv
err_has 'it was made by liegrp convergence; give that command, which'
call 0 convergence particle-quadratic --levels 2 --methods sem --methods gni --retractions exp
that 'names twice said add up' test "$(grep -c ' order ' out)" -eq 2
call 0 convergence suslov --time -1 --methods gni --retractions exp --levels 3 --output orders.csv
order gni exp configuration 1.9 2.1
call 0 convergence suslov --init xi_3=1 --project --levels 2 --methods sem

# --- commas -----------------------------------------------------------------------------------------------------------
call 0 convergence suslov --levels 2 --retractions exp --methods sem:gauss=2,momentum,gni,sem:gonzalez,dla:alpha=0.5,sem@suzuki4,nsv
for method in sem:gauss=2,momentum gni sem:gonzalez dla:alpha=0.5 sem@suzuki4 nsv; do
    that "$method is a method" grep -q "^$method  *exp  *order" out
done
that 'six of them' test "$(grep -c ' order ' out)" -eq 6

# --- what does not fit, what fails ------------------------------------------------------------------------------------
call 0 convergence cart-trailer --levels 2 --methods nsv,sem --retractions exp --output orders.csv
out_has "refused: nsv, exp: method 'nsv' takes no holonomic constraints"
that 'in the file too' grep -q '^nsv,exp,nan,.*holonomic constraints' orders.csv
order sem exp configuration 1.9 2.1
call 0 convergence rattleback --step 0.5 --time 0.5 --levels 12 --methods sem --retractions exp --quiet
that 'a step that is too large is a row' grep -q '^sem  *exp  *0.5  *.*too large' out
that 'and the others go on' grep -q '^sem  *exp  *0.000244' out
call 3 convergence rattleback --step 0.5 --time 0.5 --levels 2 --methods sem --retractions exp --quiet
that 'every step is a row' test "$(grep -c 'too large' out)" -eq 2

# --- mechanisms -------------------------------------------------------------------------------------------------------
call 0 convergence double-pendulum --levels 3 --output orders.csv
that 'standard error should be empty' test ! -s err
order 'sem rattle' exp 'configuration momentum' 1.9 2.1
order gauss:stages=2 exp configuration 3.8 4.2
out_has 'double-pendulum: errors at t = 1' 'upper position' 'lower attitude'
cat >arm.urdf <<'END'
<robot name="arm">
  <link name="base"><inertial><mass value="1"/>
    <inertia ixx="0.2" iyy="0.1" izz="0.3" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <link name="rod"><inertial><origin xyz="0 0 -0.5"/><mass value="1"/>
    <inertia ixx="0.1" iyy="0.1" izz="0.01" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <joint name="pin" type="revolute"><parent link="base"/><child link="rod"/><axis xyz="0 1 0"/></joint>
</robot>
END
call 0 convergence arm.urdf --init pin=60deg --methods sem,sem@suzuki4,gni --retractions exp,cayley --levels 3 --output orders.csv --json
order sem exp configuration 1.9 2.1
order sem@suzuki4 exp configuration 3.8 4.2
order gni 'exp cayley' configuration 1.9 2.1
that 'a retraction of the step of mechanisms is refused' grep -q '^sem,cayley,nan,.*has no retraction' orders.csv
cp orders.csv heavy.csv
call 0 convergence arm.urdf --init pin=60deg --param rod.mass=2 --gravity 0,0,-2 --methods sem --levels 3 --output orders.csv
order sem exp configuration 1.9 2.1
that 'parameters and gravity count' sh -c '! grep -qF "$(grep "^sem,exp" orders.csv | head -1)" heavy.csv'
call 0 convergence arm.urdf --floating --init base_wx=3 --init pin_vel=1 --methods sem --levels 2 --output orders.csv
order sem exp configuration 1.9 2.1
call 0 convergence arm.urdf --methods sem,rattle --wheel base=1 --levels 2 --floating --project
out_has 'refused: rattle, exp: ' "wheel 'base wheel' rolls"

# --- JSON -------------------------------------------------------------------------------------------------------------
call 0 convergence cart-trailer --levels 3 --methods sem,nsv --json
if command -v python3 >/dev/null 2>&1; then
    that 'JSON' python3 -c 'import json
d = json.load(open("out"))
assert d["system"] == "cart-trailer" and d["time"] == 1 and d["reference"]["method"] == "sem@kahan-li8"
assert [c["name"] for c in d["columns"]] == ["SE(2)", "SE(2)_2", "configuration", "momentum", "energy"]
assert all(0 < c["reference_error"] < 1e-12 and not c["exact"] for c in d["columns"])
m = d["measurements"]
assert len(m) == 4 and m[2]["refused"] and "levels" not in m[2] and m[0]["refused"] is None
assert 1.9 < m[0]["orders"]["momentum"] < 2.1 and m[0]["orders"]["energy"] is None
assert [q["steps"] for q in m[1]["levels"]] == [20, 40, 80] and m[1]["levels"][0]["failure"] is None
assert "SE(2)_2" in m[0]["levels"][0]["used"] and m[0]["levels"][0]["errors"]["SE(2)"] > 0'
fi

# --- pictures ---------------------------------------------------------------------------------------------------------
if command -v gnuplot >/dev/null 2>&1; then
    for end in png svg pdf; do
        case $end in svg) set -- chaplygin-sphere --levels 3 ;; *) set -- particle --levels 2 --methods sem ;; esac
        call 0 convergence "$@" --plot orders.$end
        that 'gnuplot is content' test ! -s err
        that 'there is a picture' test -s orders.$end
    done
    for word in 'h [s]' 'error [rad]' 'error [J]' 'momentum (reduced)' 'SO(3) (reconstructed)' 'sem, exp' 'slopes 1, 2, 4'; do
        that "the picture should have: $word" grep -qF "$word" orders.svg
    done
    call 0 convergence particle --levels 2 --methods sem --plot orders.svg # the energy's errors are all rounding, or 0
    that 'no units' grep -qF '>h [–]<' orders.svg
    pictures orders.svg
    # Curves that coincide, as those of a method that uses no retraction, are drawn once, with all names.
    call 0 convergence chaplygin-sphere --levels 3 --methods sem,gni,rk4 --plot orders.svg
    that 'rk4 once' sh -c 'test "$(grep -oE ">rk4[^<]*<" orders.svg)" = ">rk4<"'
    that 'gni with each' grep -qF '>gni, cayley<' orders.svg
    pictures orders.svg
fi
mkdir folder
call 2 convergence particle --levels 2 --output nowhere/orders.csv
err_has 'nowhere/orders.csv: No such file'
that 'before anything is computed' test ! -s out
call 2 convergence particle --levels 2 --methods sem --output folder
err_has 'folder: Is a directory'
that 'no partial file' sh -c '! ls folder.*.part'

# --- wrong use --------------------------------------------------------------------------------------------------------
wrong 'no system is given'
wrong "unknown system 'suslow'; did you mean 'suslov'?" suslow
wrong 'one system at a time' suslov particle
wrong "unknown method 'gnu'" suslov --methods gnu
wrong "did you mean 'gni'?" suslov --methods sem,gnu
wrong "sem has no option 'gnu'" suslov --methods sem:gauss=4,gnu
wrong 'expected a whole number from 1 to 8' suslov --methods gni,sem:gauss=9
wrong "unknown composition 'suzuki'" suslov --methods sem@suzuki
wrong 'single commas' suslov --methods sem,
wrong 'single commas' suslov --methods ,sem
wrong 'single commas' suslov --retractions exp,,cayley
wrong "unknown retraction 'expo'; did you mean 'exp'?" suslov --retractions cayley,expo
wrong 'the order must be a whole number from 0 to 20' suslov --retractions exp:order=21
for levels in 0 1 13 40 2.5 -3 x; do wrong 'must be a whole number from 2 to 12' suslov --levels=$levels; done
for step in 0 nan 0.1x ''; do wrong 'step' suslov "--step=$step"; done
for time in 0 inf later; do wrong 'must be a finite number, not 0' suslov --time $time; done
wrong '--time 1 is not a multiple of the step 0.3; 0.9 and 1.2 are' suslov --time 1 --step 0.3
wrong 'less than one step of 0.3' suslov --time 0.1 --step 0.3
wrong 'opposite directions' suslov --time -1 --step 0.1
wrong 'more than 1e12 steps' suslov --time 1 --step 1e-300
wrong "parameter 'm' of rolling-ball must be > 0 (kg), got -1" rolling-ball --param m=-1
wrong 'NAME=VALUE' rolling-ball --param m
wrong "unknown initial value 'w'" particle --init w=1
wrong 'violates constraint 1' suslov --init xi_3=1
wrong '--project' suslov --init xi_3=1
wrong 'holonomic constraint' double-spherical-pendulum --init x1=3
wrong "unknown start 'papr'; did you mean 'paper'?" suslov --start papr
wrong 'takes no velocity constraints' suslov --methods rattle,variational
wrong 'takes no value' suslov --json=1
wrong '--floating is an option of mechanisms' suslov --floating
wrong '--gravity must be X,Y,Z' double-pendulum --gravity 1,2
wrong '--floating is for a mechanism from a file' double-pendulum --floating
wrong '--least-inertia is for a mechanism from a file' double-pendulum --least-inertia 1e-6
wrong "--least-inertia must be a positive number, got '0'" double-pendulum --least-inertia 0
wrong "unknown parameter 'rod.mas'" arm.urdf --param rod.mas=2
wrong "must be positive" arm.urdf --param rod.mass=-2
wrong "unknown option '--level'; did you mean '--levels'?" suslov --level 3
call 2 convergence suslov --plot orders.gif
err_has 'must end in .png, .svg or .pdf'
call 2 convergence suslov --plot same.png --output same.png
err_has 'are the same file'
that 'no file' test ! -e same.png

finish
