#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# outputs.sh LIEGRP: outputs of a run: files that exist or cannot be written, NumPy's format, runs that fail or are
# interrupted, two runs with the same file, plots.
# Prints what fails; the exit status tells whether something did.
set -u
# shellcheck source=tests/cli/common.sh
. "$(cd "$(dirname "$0")" && pwd)/common.sh"
begin "$1"

# --- files ------------------------------------------------------------------------------------------------------------
echo precious >kept.csv
wrong 'unknown parameter' run rolling-ball --param I4=1 --output kept.csv
that 'an existing file is untouched' test "$(cat kept.csv)" = precious
wrong '--format csv says how --output writes the rows; add --output' run particle --format csv
wrong '--format npy and --output x.csv contradict each other' run particle --format npy --output x.csv
wrong '--format csv and --output x.NPY contradict each other' run particle --format csv --output x.NPY
wrong 'No such file' run particle --output no/such/folder/a.csv
wrong 'directory' run particle --output .
if [ -w /dev/full ]; then
    wrong 'No space left' run particle --output /dev/full --quiet
    "$liegrp" run particle --output - --quiet >/dev/full 2>err
    that 'a full standard output is reported' test $? -eq 2
    "$liegrp" list >/dev/full 2>err
    that 'a full standard output is reported by list' test $? -eq 2
    no_file /dev/full.
fi
call 0 run particle --output /dev/null --quiet
that '/dev/null is still a device' test -c /dev/null
ln -s target.csv link.csv
: >target.csv
call 0 run particle --steps 2 --output link.csv --quiet
that 'a link is followed' test -L link.csv -a -s target.csv

if command -v python3 >/dev/null 2>&1; then
    # NumPy's format read by hand: magic, version 1.0, length of the head, a dictionary, the records.
    same='import ast, csv, struct, sys
b = open(sys.argv[1], "rb").read()
n = struct.unpack("<H", b[8:10])[0]
assert b[:8] == b"\x93NUMPY\x01\x00" and (10 + n) % 64 == 0 and b[9 + n:10 + n] == b"\n"
d = ast.literal_eval(b[10:10 + n].decode("latin1"))
rows = list(csv.reader(open(sys.argv[2])))
assert [f[0] for f in d["descr"]] == rows[0] and d["fortran_order"] is False and d["shape"] == (len(rows) - 1,)
assert [f[1] for f in d["descr"]] == ["<i8"] + ["<f8"] * (len(rows[0]) - 1)
size = 8 * len(rows[0])
assert len(b) == 10 + n + size * (len(rows) - 1)
for k, row in enumerate(rows[1:]):
    values = struct.unpack_from("<q%dd" % (len(row) - 1), b, 10 + n + k * size)
    assert values[0] == int(row[0])
    assert all(u == float(v) or u != u and v == "nan" for u, v in zip(values[1:], row[1:]))'
    call 0 run rolling-ball --param I1=1 --steps 100 --every 7 --output a.npy --quiet
    call 0 run rolling-ball --param I1=1 --steps 100 --every 7 --output a.csv --quiet
    that 'npy holds what csv holds' python3 -c "$same" a.npy a.csv
    "$liegrp" run rolling-ball --param I1=1 --steps 100 --every 7 --output - --format npy --quiet 2>err | cat >piped.npy
    that 'npy through a pipe' cmp a.npy piped.npy
fi
call 0 run particle --steps 3 --output b.npy --quiet
that 'the magic number' sh -c 'head -c 6 b.npy | tail -c 5 | grep -q NUMPY'
that 'the number of rows' grep -aqF "'shape': (4,)" b.npy

# --- the numerics fail ------------------------------------------------------------------------------------------------
for method in sem nsv gni dla rk4; do
    call 3 run rolling-ball --method $method --step 1e200 --steps 100 --output fail.csv
    silent_out
    err_has 'step 1, t = 1e+200'
    err_has '0 of 100 steps were done'
    that 'the initial state is kept' test "$(wc -l <fail.csv)" -eq 2
done
call 3 run suslov --method gni --step 50 --steps 100 --output fail.csv --plot fail.svg
silent_out
err_has 'steps were done'
err_has 'h = 50 is too large'
err_has 'fail.csv holds the rows up to step'
that 'what was computed is kept' test "$(wc -l <fail.csv)" -ge 2
no_file '*.part'

# --- Ctrl-C -----------------------------------------------------------------------------------------------------------
for format in csv npy; do
    interrupted 0 stop.$format run particle --steps 1e12 --every 1000
done
that 'whole lines' awk -F, 'NR == 1 { n = NF } NF != n { exit 1 }' stop.csv

# --- two at the same file ---------------------------------------------------------------------------------------------
"$liegrp" run particle --steps 1e12 --every 1000 --output both.csv 2>first &
child=$!
until_there 0 'both.csv.*.part'
call 2 run particle --steps 10 --output both.csv
err_has 'both.csv: another run is writing this file'
that 'the first continues' kill -0 $child
kill -INT $child
wait $child
that 'it ends as if alone' test $? -eq 130
that 'whole lines, in order' awk -F, 'NR == 1 { n = NF } NF != n || NR > 1 && $1 != 1000 * (NR - 2) { exit 1 }' both.csv
"$liegrp" run particle --steps 1e12 --every 1000 --output both.csv 2>first &
child=$!
until_there 0 'both.csv.*.part'
kill -KILL $child
wait $child 2>/dev/null
that 'what was there is whole' awk -F, 'NR == 1 { n = NF } NF != n { exit 1 }' both.csv
call 0 run particle --steps 10 --output both.csv --quiet
that 'what a killed one leaves is no obstacle' test "$(wc -l <both.csv)" -eq 12
that 'it leaves what it had' test -s both.csv.*.part
no_file '.liegrp-*.lock'
rm both.csv.*.part

# --- plots ------------------------------------------------------------------------------------------------------------
if command -v gnuplot >/dev/null 2>&1; then
    call 0 run rolling-ball --step 0.1 --steps 100 --plot ball.png --quiet
    that 'a PNG' sh -c 'head -c 4 ball.png | grep -aq PNG'
    that 'gnuplot has nothing to complain about' test ! -s err
    call 0 run suslov --step 0.05 --steps 6000 --plot suslov.svg --quiet
    that 'an SVG' grep -q '<svg' suslov.svg
    that 'gnuplot has nothing to complain about' test ! -s err
    that 'one energy' sh -c '! grep -q "change of H(p" suslov.svg'
    call 0 run suslov --method gni --step 0.05 --steps 200 --plot suslov.svg --quiet
    that 'two energies with the GNI' grep -q 'change of H(p' suslov.svg
    call 0 run particle --steps 10 --plot particle.pdf --quiet
    that 'a PDF' sh -c 'head -c 4 particle.pdf | grep -aq PDF'
    call 0 run rigid-body --steps 0 --plot "it's one point.png" --quiet
    that 'a PNG of one point' test -s "it's one point.png"
    no_file '*.part'
    wrong 'No such file' run particle --steps 1 --plot no/folder/a.png --quiet
    wrong 'No such file' run particle --steps 1000000000 --plot no/folder/a.png --output never.csv --quiet
    no_file never.csv
fi
mkdir empty
said='run without gnuplot'
PATH=$work/empty "$liegrp" run particle --steps 5 --plot none.png --output data.csv --quiet >out 2>err
that 'exit status 2' test $? -eq 2
err_has 'gnuplot is not installed'
that 'the data are kept' test -s data.csv
no_file none.png

# A remark of another library on the machine is not a line of liegrp.
cat >remarking <<EOF
#!/bin/sh
echo 'hwloc/linux: failed to find sysfs cpu topology directory, aborting linux discovery.' >&2
exec '$liegrp' "\$@"
EOF
chmod +x remarking
program=$liegrp
liegrp=./remarking
call 0 list methods
that 'standard error should be empty' test ! -s err
liegrp=$program

finish
