#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# view.sh LIEGRP MECHANISM.urdf: pages of runs: their contents, and refusals before anything is written.
. "$(dirname "$0")/common.sh"
urdf=$(absolute "$2")
page=$(cd "$(dirname "$0")" && pwd)/page.py
begin "$1"

# checked ARGUMENT...: arguments that page.py checks at the end, in one process.
checked() {
    checks=$((checks + 1))
    {
        printf '%s' "$1"
        shift
        printf '\t%s' "$@"
        echo
    } >>look.txt
}

# --- refusals: nothing is written -------------------------------------------------------------------------------------
for name in page page.htm.gz page.png -; do wrong 'must end in .html' run suslov --steps 1 --view "$name"; done
wrong 'make the page in a run without checkpoints' run suslov --steps 3 --view a.html --checkpoint c
wrong '--compare needs --view' run suslov --steps 1 --compare gni
wrong 'must be a method' run suslov --steps 1 --view a.html --compare ,gni
wrong 'must be a method' run suslov --steps 1 --view a.html --compare gni,
wrong 'at most 8 methods' run suslov --steps 1 --view a.html --compare gni,gni,gni,gni,gni,gni,gni,gni,gni
wrong 'same file' run suslov --steps 1 --view a.html --output a.html
wrong -- '--checkpoint' run suslov --steps 1 --view a.html --checkpoint c
wrong 'nowhere' run suslov --steps 1 --view nowhere/a.html
call 2 run suslov --steps 1 --view a.html --compare nosuchmethod --output a.csv
err_has nosuchmethod
call 2 run suslov --steps 1 --view a.html --compare gni:nosuchoption
call 2 run suslov --steps 1 --view a.html --compare rkmk4,rattle --output a.csv
call 2 run bicycle --steps 1 --view a.html --compare gauss:stages=77
that 'nothing is left behind' test -z "$(ls -A | grep -v -e '^out' -e '^err')"

# --- contents: the numbers of the CSV, to the bit ---------------------------------------------------------------------
call 0 run rolling-disk --steps 300 --every 2 --output a.csv --view a.html --quiet
that 'standard output should be empty' test ! -s out
that 'there are no messages' test ! -s err
checked a.html 0 a.csv
call 0 run rolling-disk --steps 300 --every 2 --output b.csv --view b.html --compare gni,sem:gauss=6,rk4 --quiet
checked b.html 0 b.csv
checked b.html --tracks sem gni sem:gauss=6 rk4
call 0 run rolling-disk --steps 300 --every 2 --method gni --output c.csv --quiet
checked b.html 1 c.csv
call 0 run rolling-disk --steps 12000 --every 2 --output d.csv --view d.html --quiet
checked d.html 0 d.csv
that 'at most 5000 rows, and so many bytes' test "$(wc -c <d.html)" -lt 3000000

# Mechanisms, from the gallery and from a file, also compared with dense methods.
call 0 run bicycle --steps 100 --output e.csv --view e.html --quiet
checked e.html 0 e.csv
call 0 run double-pendulum --steps 60 --param gravity.z=0 --output f.csv --view f.html --quiet
checked f.html 0 f.csv
call 0 run four-bar --steps 40 --output g.csv --view g.html --compare gauss:stages=2,rkmk4 --quiet
checked g.html 0 g.csv
checked g.html --tracks sem gauss:stages=2 rkmk4
call 0 run "$urdf" --steps 40 --output h.csv --view h.html --quiet
checked h.html 0 h.csv

# A run always has the same page; a page is replaced whole.
cp a.html first.html
call 0 run rolling-disk --steps 300 --every 2 --output a.csv --view a.html --quiet
that 'the same bytes' cmp a.html first.html
that 'no sidecar: the provenance is inside' test ! -e a.html.json
checked a.html --says 'liegrp run rolling-disk --steps 300' '"liegrp provenance": 1'

# Rows of a file, made again to be seen.
call 0 run --from a.csv --view again.html --quiet
checked again.html 0 a.csv

# The page of an optimum has its controls with their limits, and the iterations.
call 0 optimise two-wheeled-robot --steps 10 --to x=1,y=1,theta=0 --time 4 --limit u_1=0.5,u_2=0.5 --output o.csv \
    --controls u.csv --view o.html --quiet
checked o.html 0 o.csv
checked o.html --charts 'controls, N m' 'iterations: cost' 'iterations: errors of steps and end'
checked o.html --chart 'controls, N m' u_1 u.csv u_1
checked o.html --chart 'controls, N m' u_2 u.csv u_2
checked o.html --says 'liegrp optimise two-wheeled-robot --steps 10'

# That of a gait too, over its periods; the chart has the controls of one.
call 0 gait two-wheeled-robot --steps 5 --moves x=1,phi_left=free,phi_right=free --period 2 --periods 2 --output gait.csv \
    --controls v.csv --view gait.html --limit u_1=1,u_2=1 --quiet
checked gait.html 0 gait.csv
checked gait.html --charts 'controls, N m' 'iterations: cost' 'iterations: errors of steps and end'
checked gait.html --chart 'controls, N m' u_2 v.csv u_2
checked gait.html --says 'liegrp gait two-wheeled-robot --steps 5'

# A mesh that cannot be read is told of; the page is made.
cat >mesh.urdf <<'XML'
<robot name="r"><link name="a"/><link name="b"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1"/></inertial>
<visual><geometry><mesh filename="wrong.stl"/></geometry></visual></link><joint name="j" type="continuous">
<parent link="a"/><child link="b"/></joint></robot>
XML
printf 'solid\nfacet' >wrong.stl
call 0 run mesh.urdf --steps 3 --view mesh.html
err_has '--view: 1 mesh cannot be shown, such as wrong.stl'
printf 'solid\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\nendfacet\nendsolid\n' >wrong.stl
call 0 run mesh.urdf --steps 3 --view mesh.html
that 'and of none that is read' not grep -q 'cannot be shown' err
call 0 info mesh.urdf --package .
wrong "packages: 'nowhere' is no folder" run mesh.urdf --package nowhere --steps 3
wrong "within: 'nowhere' is no folder" run mesh.urdf --within nowhere --steps 3
wrong '--package is for a mechanism from a file; four-bar belongs to the gallery' run four-bar --package a=. --steps 3

# A method that fails on the way ends early and says so; the run itself is kept.
call 0 run rolling-disk --steps 300 --step 0.6 --method gni --view i.html --compare rk4,dla --output i.csv
err_has '--compare rk4 ended after'
checked i.html 0 i.csv
checked i.html --tracks gni rk4 dla
checked i.html --notes '' 'ended after' 'ended after'
call 3 run rolling-disk --steps 300 --step 0.6 --method rk4 --view k.html --compare gni --output k.csv
checked k.html 0 k.csv
checked k.html --notes 'ended after' ''

# A name that is markup stays text.
mkdir '<img src=x onerror=alert(1)>'
cp "$urdf" '<img src=x onerror=alert(1)>/</script>.urdf' 2>/dev/null || cp "$urdf" '<img src=x onerror=alert(1)>/a.urdf'
call 0 run ./'<img src=x onerror=alert(1)>'/*.urdf --steps 3 --view j.html --quiet
checked j.html --says 'onerror=alert(1)'
that 'no markup of the data' sh -c "! grep -q '<img' j.html"

python3 "$page" look.txt >out 2>err || fail "page.py: $(cat out)"

finish
