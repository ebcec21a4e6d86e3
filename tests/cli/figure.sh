#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# figure.sh LIEGRP: every figure is drawn, as a picture and as data; wrong use is refused and leaves no file.
# Prints what fails; the exit status tells whether something did.
set -u
# shellcheck source=tests/cli/common.sh
. "$(cd "$(dirname "$0")" && pwd)/common.sh"
begin "$1"

# wrong TEXT ARGUMENT...: wrong use: status 2, the text on standard error, no file but the streams.
wrong() {
    text=$1
    shift
    call 2 "$@"
    err_has "$text"
    that 'there should be no file' test "$(ls)" = "$(printf 'err\nout')"
}

wrong 'no figure is given' figure
wrong "unknown figure '000-3'" figure 000-3
wrong 'one figure at a time' figure 000-2 000-5
wrong 'must end in .png, .svg, .pdf or .csv' figure 000-2 --output picture.gif
wrong 'No such file or directory' figure 000-2 --output nowhere/picture.png
wrong "unknown option '--colour'" figure 000-2 --colour red

call 0 figure --help
out_has 'parasitic-growth'

for name in $("$liegrp" list figures | cut -f1); do
    call 0 figure "$name"
    err_has "written: $name.png, $name.csv"
    that 'the picture should be a PNG of some size' test "$(wc -c <"$name.png")" -gt 20000
    that 'the picture should begin as a PNG does' sh -c "head -c 4 $name.png | grep -q PNG"
    that 'the data should have a header' grep -q '^panel,series,x,y$' "$name.csv"
    that 'the data should be numbers' awk -F, 'NR > 1 && ($NF + 0 != $NF || $NF != $NF) { exit 1 }' "$name.csv"
    that 'no part should be left' sh -c '! ls *.part'
done

# What the figures must show.
that 'gni should keep its energy' awk -F, '
    /H\(p\^-\)/ { if (n++ == 0) first = $NF; d = $NF - first; if (d > 1e-12 || d < -1e-12) exit 1 }
    END { exit n < 50 }' 000-2.csv
that 'dla should not' awk -F, '$(NF-2) == "dla:midpoint" && $NF > 1e-3 { found = 1 } END { exit !found }' 000-2.csv
that 'the ball should stay on its circle' awk -F, '
    $2 ~ /^"?gni/ { d = sqrt(($(NF-1) + 1.5)^2 + ($NF - 3.5)^2) - 3.53553; n++; if (d > 1e-4 || d < -1e-4) exit 1 }
    END { exit n < 10000 }' 002-2.csv
that 'sem should keep the energy on every problem' awk -F, '$2 == "sem" { n++; if ($4 > 1e-9) exit 1 } END { exit n != 12 }' survival.csv
that 'gni should lose the sleigh' awk -F, '$2 == "gni" && $3 > 4.5 && $3 < 5.5 && $4 > 0.1 { found = 1 } END { exit !found }' survival.csv

# Other formats, and an old file that survives what cannot be drawn.
call 0 figure 004-4 --quiet --output p.svg --output p.pdf --output p.csv
that 'svg' grep -q '<svg' p.svg
that 'pdf' sh -c 'head -c 5 p.pdf | grep -q "%PDF-"'
that 'quiet' test ! -s err
echo old >keep.png
checks=$((checks + 1))
PATH=/nowhere "$liegrp" figure 004-4 --output keep.png >out 2>err
[ $? -eq 2 ] || fail 'without gnuplot: exit status should be 2'
err_has 'gnuplot is not installed'
that 'the old file should be as it was' test "$(cat keep.png)" = old

finish
