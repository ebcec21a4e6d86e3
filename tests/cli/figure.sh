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

call 0 figure 000-2
err_has 'written: 000-2.png, 000-2.csv'
out_has 'GNI and DLA: energy of the nonholonomic particle. Free particle'

for name in $("$liegrp" list figures | cut -f1); do
    call 0 figure "$name" --output "$name.png" --output "$name.csv" --output "$name.svg"
    mv out "$name.txt"
    that 'the picture should be a PNG of some size' test "$(wc -c <"$name.png")" -gt 20000
    that 'the picture should begin as a PNG does' sh -c "head -c 4 $name.png | grep -q PNG"
    that 'the data should have a header' grep -q '^panel,series,x,y$' "$name.csv"
    that 'the data should be numbers' awk -F, 'NR > 1 && ($NF + 0 != $NF || $NF != $NF) { exit 1 }' "$name.csv"
    that 'where the data come from' grep -q "\"arguments\": \[\"figure\", \"$name\"" "$name.csv.json"
    that 'no part should be left' sh -c '! ls *.part'
    that 'the caption is not in the picture' sh -c "! grep -qF \"\$(cut -c1-20 $name.txt)\" $name.svg"
    # What a caption says to be marked at a value is there.
    for mark in $(grep -oE '[0-9]+ marks' "$name.txt" | cut -d' ' -f1); do
        that "$mark should be among the data" awk -F, -v mark="$mark" '$NF + 0 >= mark { found = 1 } END { exit !found }' "$name.csv"
    done
done
call 0 figure 001-1 --caption --output captioned.svg
that 'the caption is printed' grep -qF 'Particle in a quadratic potential: energy. Particle with' out
that 'and in the picture' grep -qF 'Particle in a quadratic potential: energy. Particle with' captioned.svg
that 'the reference is not the method that is judged' grep -qF 'reference, sem@kahan-li8' parasitic-growth.csv
said='the captions'
that 'have symbols' sh -c '! grep -E "[a-z]~|_[a-z0-9]|\\b(xi|omega|Omega|psi)\\b|[0-9]e-?[0-9]" ./*.txt'
pictures ./*.svg

# What the figures must show.
that 'gni should keep its energy' awk -F, '
    $1 == "energy of a step" && $2 ~ /^gni/ { if (n++ == 0) first = $NF; d = $NF - first; if (d > 1e-12 || d < -1e-12) exit 1 }
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
that 'it says where the data come from' test -f p.csv.json
call 0 figure 004-4 --quiet --output p.csv --no-provenance
that 'that goes with the data that it told of' test ! -e p.csv.json
echo mine >p.csv.json
call 0 figure 004-4 --quiet --output p.csv
that 'something else of its name stays' test "$(cat p.csv.json)" = mine
echo old >keep.png
checks=$((checks + 1))
PATH=/nowhere "$liegrp" figure 004-4 --output keep.png >out 2>err
[ $? -eq 2 ] || fail 'without gnuplot: exit status should be 2'
err_has 'gnuplot is not installed'
that 'the old file should be as it was' test "$(cat keep.png)" = old

finish
