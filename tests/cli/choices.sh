#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# choices.sh LIEGRP: choices on the command line: names that are nearly right, options without effect, attitudes,
# controls, and the unit and meaning of every column of every system.
. "$(dirname "$0")/common.sh"
begin "$1"

# start WORDS ARGUMENT...: the quaternion that a run starts from, rounded.
attitude() {
    expected=$1
    shift
    call 0 run "$@" --steps 0 --output q.csv --quiet
    that "the attitude $expected" sh -c "awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[\$i] = i }
        NR == 2 { printf \"%.6f %.6f %.6f %.6f\\n\", \$at[\"qx\"], \$at[\"qy\"], \$at[\"qz\"], \$at[\"qw\"] }' q.csv |
        sed 's/-0\\.000000/0.000000/g' | grep -qx '$expected'"
}

# --- names that are nearly right --------------------------------------------------------------------------------------
wrong "did you mean 'Omega'?" run rolling-ball --param omega=1
wrong "did you mean 'Omega'?" sweep rolling-ball --param OMEGA=0:1:2
wrong "did you mean 'Omega'?" convergence rolling-ball --param Omga=1
wrong "did you mean 'xi_1'?" run rolling-ball --init xi1=1
wrong "give --init x=..." run rolling-ball --param x=1
wrong "give --param Omega=..." run rolling-ball --init Omega=1
wrong "did you mean --param Omega=...?" run rolling-ball --init omega=1
wrong "did you mean 'rolling-ball'?" run Rolling-Ball
wrong "did you mean 'sem'?" run suslov --method SEM
wrong "did you mean 'gni:midpoint'?" run suslov --method gni:midpiont
wrong "did you mean 'sem@suzuki4'?" run suslov --method sem@suzuki
wrong "did you mean 'exp'?" run suslov --retraction Exp
wrong "did you mean '--step'?" run suslov --Step 1
wrong "must be > 0 (kg), got -0.1" run heavy-top --param m=-0.1

# --- options without effect -------------------------------------------------------------------------------------------
# A start is taken by exactly those methods for which it changes something.
for method in sem nsv smv sml gni gni-r gni:euler-a dla rattle variational variational:midpoint rk4 rkmk4; do
    for system in suslov heavy-top; do
        "$liegrp" run "$system" --method "$method" --steps 2 --output plain.csv --quiet 2>/dev/null || continue
        checks=$((checks + 1))
        if "$liegrp" run "$system" --method "$method" --start paper --steps 2 --output paper.csv --quiet 2>err; then
            cmp -s plain.csv paper.csv && fail "$system, $method takes --start paper and ignores it"
        else
            grep -q 'has no effect' err || fail "$system, $method: --start paper"
        fi
    done
done
wrong '--start paper has no effect' sweep rolling-ball --param Omega=0:1:2 --start paper
wrong '--start paper has no effect' convergence suslov --methods sem,nsv --start paper
call 0 run suslov --method rk4 --retraction cayley --steps 1
err_has 'rk4 uses no retraction'
wrong '--plot-columns needs --plot' run suslov --plot-columns xi_1

# --- attitudes --------------------------------------------------------------------------------------------------------
attitude '1.000000 0.000000 0.000000 0.000000' heavy-top --init qx=1
attitude '0.600000 0.000000 0.000000 0.800000' heavy-top --init qx=0.6
attitude '0.000000 0.000000 0.707107 0.707107' heavy-top --init axis=0,0,2 --init angle=90deg
attitude '0.000000 0.000000 0.707107 0.707107' heavy-top --init angle=1.5707963267948966 --init axis=0,0,1
attitude '0.143572 0.106021 0.034271 0.983347' heavy-top --init euler=zyx:0.1,0.2,0.3
attitude '0.000000 0.000000 0.247404 0.968912' rolling-ball --init rotation=0,0,0.5
wrong 'needs --init angle' run heavy-top --init axis=0,0,1
wrong 'needs --init axis' run heavy-top --init angle=1
wrong 'gives the attitude twice' run heavy-top --init rotation=0,0,1 --init qx=1
wrong 'a vector that is not 0' run heavy-top --init axis=0,0,0 --init angle=1
wrong 'no axis twice in a row' run heavy-top --init euler=zzx:1,2,3
wrong 'has norm' run heavy-top --init qw=0.5
call 0 sweep heavy-top --init axis=0,0,1 --init angle=0:1:3 --steps 0 --output turn.csv --quiet
that 'the angle is swept' sh -c "cut -d, -f8 turn.csv | grep -q '^0.479425538604'"
call 0 sweep heavy-top --init axis=1,0,0 --init angle=1 --param g=1:2:2 --steps 0 --output turn.csv --quiet
that 'all points share an attitude' test "$(cut -d, -f6 turn.csv | grep -c '^0.479425538604')" -eq 2

# --- controls ---------------------------------------------------------------------------------------------------------
# A constant; a table that says the same; the parameter to which it is added.
call 0 run two-wheeled-robot --control u_1=0.2 --steps 50 --output constant.csv --quiet
printf 't,u\n0,0.2\n' >u.csv
call 0 run two-wheeled-robot --control u_1=u.csv --steps 50 --output table.csv --quiet
that 'a table of one value is a constant' cmp constant.csv table.csv
call 0 sweep two-wheeled-robot --control u_1=0.2 --param m=10:11:2 --steps 50 --output swept.csv --quiet
that 'sweeps know it too' sh -c 'test "$(tail -1 constant.csv | cut -d, -f3)" = "$(sed -n 2p swept.csv | cut -d, -f6)"'
printf '0.1,0.2\n0.3,-0.4\n' >u.csv
call 0 run two-wheeled-robot --control u_1=u.csv --step 0.1 --steps 5 --output held.csv --quiet
call 0 run two-wheeled-robot --step 0.1 --steps 5 --output free.csv --quiet
that 'the control is 0 before the table' sh -c '[ "$(sed -n 3p held.csv)" = "$(sed -n 3p free.csv)" ]'
that 'and holds from its time on' sh -c '[ "$(sed -n 4p held.csv)" != "$(sed -n 4p free.csv)" ]'
wrong "unknown control 'torqe'; did you mean 'torque'?" run ball-on-inclined-turntable --control torqe=1
wrong 'particle has no controls' run particle --control u=1
wrong 'is neither a finite number nor a file' run two-wheeled-robot --control u_1=no.csv
printf '0,1\n0,2\n' >u.csv
wrong 'line 2: the times must increase' run two-wheeled-robot --control u_1=u.csv
printf '0,1\n1;2\n' >u.csv
wrong "line 2: '1;2' has no comma; give two finite numbers" run two-wheeled-robot --control u_1=u.csv
call 0 info two-wheeled-robot
out_has 'torque of the motor on the left wheel'

# --- words ------------------------------------------------------------------------------------------------------------
call 0 info heavy-top
out_has '= 0.3 '
that 'numbers are as short as they can be' sh -c '! grep -q 99999 out'
if command -v python3 >/dev/null 2>&1; then
    for system in $("$liegrp" list systems | cut -f1); do
        call 0 info "$system" --json
        mv out "$system.info"
    done
    said='liegrp info'
    that 'every column and control of every system has a unit and a meaning' python3 -c 'import glob, json
for file in glob.glob("*.info"):
    d = json.load(open(file))
    assert [c["name"] for c in d["column_texts"]] == d["columns"], file
    assert len(d["control_texts"]) == d["controls"], file
    for c in d["column_texts"] + d["control_texts"]: assert c["unit"] and c["meaning"], (file, c)'
fi

finish
