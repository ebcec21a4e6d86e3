#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# figure.sh LIEGRP: every figure is drawn, as a picture and as data; wrong use is refused and leaves no file.
# Prints what fails; the exit status tells whether something did.
set -u
# shellcheck source=tests/cli/common.sh
. "$(cd "$(dirname "$0")" && pwd)/common.sh"
begin "$1"

# in_list WORD WORD...: the first is one of the others.
in_list() { case " $2 $3 " in *" $1 "*) ;; *) return 1 ;; esac; }
# wrong TEXT ARGUMENT...: wrong use: status 2, the text on standard error, no file but the streams.
wrong() {
    text=$1
    shift
    call 2 "$@"
    err_has "$text"
    for file in *; do that 'there should be no file' in_list "$file" err out; done
}

wrong 'no figure is given' figure
wrong "unknown figure '000-3'" figure 000-3
wrong 'one figure at a time' figure 000-2 000-5
wrong 'must end in .png, .svg, .pdf or .csv' figure 000-2 --output picture.gif
wrong 'No such file or directory' figure 000-2 --output nowhere/picture.png
wrong "unknown option '--colour'" figure 000-2 --colour red
wrong '--width wide: expected a number from 20 to 1000 (mm)' figure 000-2 --width wide
wrong '--font 0: expected a number from 3 to 60 (points)' figure 000-2 --font 0
wrong 'too narrow for 000-5 with letters of 9 points; take at least 62 mm' figure 000-5 --width 61
wrong 'too narrow for 000-5 with letters of 14 points; take at least 96 mm' figure 000-5 --width 85 --font 14

call 0 figure --help
out_has 'parasitic-growth'

call 0 figure 000-2
err_has 'written: 000-2.png, 000-2.csv'
out_has 'GNI and DLA: energy of the nonholonomic particle. Free particle'

# Each as SVG, three as PNG too: the scripts for gnuplot differ in the terminal alone.
for name in $("$liegrp" list figures | cut -f1); do
    png=
    case $name in 000-5 | survival | 002-2) png="--output $name.png" ;; esac
    # shellcheck disable=SC2086 # words
    call 0 figure "$name" $png --output "$name.csv" --output "$name.svg"
    mv out "$name.txt"
    if [ -n "$png" ]; then
        that 'the picture should be a PNG of some size' test "$(wc -c <"$name.png")" -gt 20000
        that 'the picture should begin as a PNG does' sh -c "head -c 4 $name.png | grep -q PNG"
    fi
    # A header, numbers, and the marked value that the caption names.
    that 'the data, and the marks of the caption among them' awk -F, '
        FILENAME ~ /txt$/ {
            for (; match($0, /[0-9]+ marks/); $0 = substr($0, RSTART + RLENGTH)) mark[substr($0, RSTART, RLENGTH) + 0]
            next
        }
        FNR == 1 { if ($0 != "panel,series,x,y") bad = 1; next }
        { rows++; if ($NF + 0 != $NF || $NF != $NF) bad = 1; if (rows == 1 || $NF + 0 > most) most = $NF + 0 }
        END { for (m in mark) if (most < m) bad = 1
              exit bad || !rows }' "$name.txt" "$name.csv"
    that 'where the data come from' grep -q "\"arguments\": \[\"figure\", \"$name\"" "$name.csv.json"
    read -r words <"$name.txt"
    that 'the caption is not in the picture' not grep -qF -e "$(printf '%.20s' "$words")" "$name.svg"
done
no_file '*.part'
call 0 figure 001-1 --caption --output captioned.svg
that 'the caption is printed' grep -qF 'Particle in a quadratic potential: energy. Particle with' out
that 'and in the picture' grep -qF 'Particle in a quadratic potential: energy. Particle with' captioned.svg
that 'the reference is not the method that is judged' grep -qF 'reference, sem@kahan-li8' parasitic-growth.csv
said='the captions'
that 'have symbols' sh -c '! grep -E "[a-z]~|_[a-z0-9]|\\b(xi|omega|Omega|psi)\\b|[0-9]e-?[0-9]" ./*.txt'
pictures ./*.svg

# Values that the figures must show.
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
that 'an outdated sidecar is deleted with its data' test ! -e p.csv.json
echo mine >p.csv.json
call 0 figure 004-4 --quiet --output p.csv
that 'something else of its name stays' test "$(cat p.csv.json)" = mine
# Two panels in one column of a journal stand one below the other, in two columns side by side; letters have their points.
call 0 figure 000-5 --quiet --width 85 --output narrow.pdf --output narrow.svg --output narrow.png
call 0 figure 000-5 --quiet --width 170 --font 8 --output wide.pdf
call 0 figure 000-5 --quiet --font 21 --output large.svg --output small.svg
said='printed pages:'
that 'the width is 85 mm, the least of 62 is taken' sh -c "grep -a MediaBox narrow.pdf | awk '{ exit !(\$5 > 239 && \$5 < 242 && \$6 > 1.5 * \$5) }'"
that 'side by side' sh -c "grep -a MediaBox wide.pdf | awk '{ exit !(\$5 > 479 && \$5 < 484 && \$6 < \$5) }'"
that '9 points are 12 pixels' grep -q 'font-size="12.00"' narrow.svg
that '21 points are 28' grep -q 'font-size="28.00"' large.svg
that '300 pixels an inch' sh -c "od -An -tu1 -j16 -N4 narrow.png | awk '{ w = \$3 * 256 + \$4; exit !(w > 995 && w < 1005) }'"
call 0 figure 000-5 --quiet --width 62 --output least.svg
echo old >keep.png
checks=$((checks + 1))
PATH=/nowhere "$liegrp" figure 004-4 --output keep.png >out 2>err
[ $? -eq 2 ] || fail 'without gnuplot: exit status should be 2'
err_has 'gnuplot is not installed'
that 'the old file should be as it was' test "$(cat keep.png)" = old

finish
