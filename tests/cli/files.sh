#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# files.sh LIEGRP INCLUDE: files are written atomically under any name and in any place: names that other programs would
# misread, links, permissions, two outputs that are one file, signals, column names of a user's system. CC compiles.
# Prints what fails; the exit status tells whether something did.
# shellcheck disable=SC2094 # files that are read and written at a time
set -u
# shellcheck source=tests/cli/common.sh
. "$(cd "$(dirname "$0")" && pwd)/common.sh"
include=$(absolute "$2")
begin "$1"

drawn=0
command -v gnuplot >/dev/null 2>&1 && drawn=1
newline='
'
# inode FILE, mode FILE
inode() { stat -c %i "$1"; }
mode() { stat -c %a "$1"; }
# No temporary file and no lock is left in the present folder.
clean() {
    that 'nothing is left' test -z "$(find . \( -name '*.part' -o -name '.liegrp*' \) -type f)"
}
# same OPTION...: refused, since two of its files are one; existing files stay.
same() {
    call 2 "$@"
    err_has 'are the same file'
    clean
}

# --- names of pictures ------------------------------------------------------------------------------------------------
if [ $drawn -eq 1 ]; then
    mkdir names
    cd names || exit 1
    hostile="a${newline}system \"touch PWN\"${newline}#"
    # shellcheck disable=SC2016 # they must not expand
    for name in "$hostile" '<touch PWN;' '|touch PWN;' '`touch PWN`' "q'; system 'touch PWN'; '" '%d' 'back\n' \
        '$(touch PWN)' '@PWN' '-x' 'two words' 'é✓' "$(printf '\377')"; do
        call 0 run suslov --steps 2 --quiet --plot "$name.svg"
        that 'there is a picture of that name' grep -q '<svg' "./$name.svg"
    done
    that 'nothing was executed' sh -c '! find . | grep -q "PWN$"'
    that 'no other file' test "$(find . -type f -print0 | tr -cd '\0' | wc -c)" -eq 15 # with out and err
    cd ..
    call 0 convergence particle --levels 2 --methods sem --plot "names/$hostile.svg"
    call 0 figure 000-2 --quiet --output "names/$hostile.svg" --output "names/$hostile.csv"
    that 'nothing was executed' sh -c '! find . | grep -q "PWN$"'
    mkdir '<touch PWN;'
    said='a TMPDIR that is a command'
    TMPDIR='<touch PWN;' "$liegrp" run suslov --steps 2 --quiet --plot t.svg 2>err
    that 'exit status 0' test $? -eq 0
    that 'a picture' grep -q '<svg' t.svg
    that 'nothing was executed' sh -c '! find . | grep -q "PWN$"'
    said='a TMPDIR that is not there'
    TMPDIR=/nowhere "$liegrp" run suslov --steps 2 --quiet --plot t.svg 2>err
    that 'exit status 0' test $? -eq 0
    rm -rf names '<touch PWN;' t.svg
fi
long=$(printf '%0251d' 0)
call 0 run suslov --steps 2 --quiet --output "$long.csv"
that 'the longest name' test -s "$long.csv"
call 2 run suslov --steps 2 --quiet --output "1$long.csv"
err_has 'File name too long'
clean
rm -f -- *.csv

# --- what lies where a temporary file would ---------------------------------------------------------------------------
echo precious >precious
ln -s precious x.svg.part
ln -s precious x.csv.part
ln -s precious .liegrp-lock
call 0 run suslov --steps 2 --quiet --output x.csv
call 0 convergence particle --levels 2 --methods sem --output x.csv
[ $drawn -eq 1 ] && call 0 run suslov --steps 2 --quiet --plot x.svg
[ $drawn -eq 1 ] && call 0 figure 000-2 --quiet --output x.svg --output x.csv
that 'a link is not followed' test "$(cat precious)" = precious
rm -f x.* .liegrp-lock
if [ $drawn -eq 1 ]; then
    call 0 run suslov --steps 2 --quiet --output x.svg.part --plot x.svg
    that 'the rows are there' test "$(wc -l <x.svg.part)" -eq 4
    that 'the picture is there' grep -q '<svg' x.svg
    rm -f x.*
fi

# --- two outputs of one file ------------------------------------------------------------------------------------------
mkdir folder
ln -s folder alias
echo kept >b.svg
ln -s b.svg link.svg
ln b.svg hard.svg
same run suslov --steps 2 --output same.svg --plot same.svg
same run suslov --steps 2 --output same.svg --plot ./same.svg
same run suslov --steps 2 --output "$work/same.svg" --plot same.svg
same run suslov --steps 2 --output folder/same.svg --plot alias/../folder/same.svg
same run suslov --steps 2 --output link.svg --plot b.svg
same run suslov --steps 2 --output b.svg --plot hard.svg
same convergence particle --levels 2 --output ./same.svg --plot same.svg
same figure 000-2 --output same.svg --output ./same.svg
that 'nothing was written' test "$(cat b.svg)" = kept
that 'no file' test ! -e same.svg
# Standard output and standard error count, too.
said='standard output into the picture'
"$liegrp" run suslov --steps 2 --output - --plot taken.svg >taken.svg 2>err
that 'exit status 2' test $? -eq 2
err_has '--plot taken.svg and standard output are the same file'
"$liegrp" convergence particle --levels 2 --output taken.csv >taken.csv 2>err
that 'exit status 2' test $? -eq 2
"$liegrp" run suslov --steps 2 --output taken.csv 2>taken.csv >out
that 'exit status 2' test $? -eq 2
call 0 run suslov --steps 2 --quiet --output /dev/null
rm -rf folder alias -- *.svg

# --- links, permissions, devices --------------------------------------------------------------------------------------
each='x.csv'
[ $drawn -eq 1 ] && each='x.csv x.svg'
for file in $each; do
    case "$file" in
    *.svg) set -- run suslov --steps 2 --quiet --plot "$file" ;;
    *) set -- run suslov --steps 2 --quiet --output "$file" ;;
    esac
    for old in 600 640 666; do
        echo old >"$file"
        chmod $old "$file"
        call 0 "$@"
        that "mode $old is kept" test "$(mode "$file")" = "$old"
    done
    rm "$file"
    call 0 "$@"
    that 'a new one by the umask' test "$(mode "$file")" = "$(printf '%o' $((0666 & ~$(umask))))"
    mv "$file" target
    ln -s target "$file"
    chmod 600 target
    call 0 "$@"
    that 'a link stays' test -L "$file"
    that 'what it names is written' test "$(wc -c <target)" -gt 100
    that 'and keeps its mode' test "$(mode target)" = 600
    rm target
    call 0 "$@"
    that 'a link into nothing makes its target' test -L "$file" -a -s target
    rm "$file" target
    ln -s "$file" "$file"
    call 2 "$@"
    err_has 'oo many' # levels of symbolic links
    rm "$file"
    mkfifo "$file"
    timeout 10 cat "$file" >piped &
    call 0 "$@"
    wait $!
    that 'a pipe is written' test -p "$file" -a -s piped
    rm "$file"
    clean
done
echo old >x.csv
chmod 600 x.csv
call 0 convergence particle --levels 2 --methods sem --output x.csv
that 'mode 600 is kept' test "$(mode x.csv)" = 600
said='/dev/stdout, appended'
echo old >all
"$liegrp" run suslov --steps 2 --quiet --output /dev/stdout >>all
that 'what was there stays' test "$(wc -l <all)" -eq 5
# A closed standard error must not become the next file.
"$liegrp" run suslov --steps 2 --output x.csv 2>&-
that 'no summary among the rows' awk -F, 'NR == 1 { n = NF } NF != n { exit 1 }' x.csv

# --- two at the same file ---------------------------------------------------------------------------------------------
# Whoever started the suite may ignore SIGHUP (nohup does), which the run would inherit and respect.
env --default-signal=HUP "$liegrp" run particle --steps 1e12 --every 1000 --output both.svg 2>first &
child=$!
until_there 0 'both.svg.*.part'
call 2 run suslov --steps 2 --output both.svg
err_has 'both.svg: another run is writing this file'
call 2 run suslov --steps 2 --plot ./both.svg
err_has 'another run is writing this file'
call 2 figure 000-2 --output both.svg
err_has 'another run is writing this file'
call 0 run suslov --steps 2 --quiet --output other.csv
kill -HUP $child
wait $child
that 'SIGHUP ends it as Ctrl-C does' test $? -eq 129
that 'the rows are kept' test -s both.svg
that 'whole lines' awk -F, 'NR == 1 { n = NF } NF != n { exit 1 }' both.svg
clean
# Interrupted while gnuplot draws: no picture, and nothing left.
mkdir slow
printf '#!/bin/sh\nexec sleep 20\n' >slow/gnuplot
chmod +x slow/gnuplot
echo old >kept.svg
PATH=$work/slow:$PATH "$liegrp" run suslov --steps 2 --quiet --plot kept.svg 2>err &
child=$!
for _ in $(seq 150); do
    ls kept.svg.*.part >/dev/null 2>&1 && break
    sleep 0.2
done
sleep 0.2
kill -TERM $child
wait $child
that 'SIGTERM' test $? -eq 143
that 'the old picture stays' test "$(cat kept.svg)" = old
clean

# A file that may not grow: the old one stays.
echo old >kept.csv
said='a limit of the size'
(ulimit -f 8 && exec "$liegrp" run suslov --steps 10000 --quiet --output kept.csv) 2>err
that 'exit status 2' test $? -eq 2
err_has 'kept.csv: File too large'
that 'the old file stays' test "$(cat kept.csv)" = old
clean
# In a folder that everybody can write, another user's link is not followed; only root can create one here.
if [ "$(id -u)" -eq 0 ] && mkdir shared && chmod 1777 shared && echo precious >precious &&
    ln -s ../precious shared/x.csv && chown -h 12345 shared/x.csv && [ "$(stat -c %u shared/x.csv)" = 12345 ]; then
    call 2 run suslov --steps 2 --output shared/x.csv
    err_has 'belongs to another user'
    call 2 convergence particle --levels 2 --methods sem --output shared/x.csv
    err_has 'belongs to another user'
    that 'it is as it was' test "$(cat precious)" = precious
fi

# --- columns ----------------------------------------------------------------------------------------------------------
cat >names.c <<'END'
#include <liegrp/liegrp.h>
static const lg_group *space(void) { return lg_rn(7); }
static const char *const names[] = {"a,b", "say \"x\"'\nset output 'PWN'\n#", 0, "", "x", "x", "energy"};
static int configure(const lg_call *c, double *J, double *rows, char *why)
{
    (void)c, (void)rows, (void)why;
    for (int i = 0; i < 7; i++) J[8 * i] = 1;
    return 0;
}
static int initial(const lg_call *c, double *g0, double *xi0)
{
    (void)c, (void)g0;
    xi0[0] = 1;
    return 0;
}
static const lg_model_definition d = {.size = sizeof(lg_model_definition), .name = "n'\nset output 'PWN'\n`touch PWN`",
    .summary = "names", .source = "none", .group = space, .coordinate_names = names, .configure = configure,
    .initial = initial};
const lg_model_definition *liegrp_system(void);
const lg_model_definition *liegrp_system(void) { return &d; }
END
# shellcheck disable=SC2086 # CC may hold words
${CC:-cc} -shared -fPIC -I"$include" names.c -o names.so || fail 'cannot compile'
call 0 run ./names.so --steps 2 --quiet --output names.csv
call 0 run ./names.so --steps 2 --quiet --output names.npy
call 0 sweep ./names.so --init x=0:1:2 --steps 2 --quiet --output sweep.csv
call 0 sweep ./names.so --init x=0:1:2 --steps 2 --quiet --output sweep.npy
if [ $drawn -eq 1 ]; then
    call 0 run ./names.so --steps 2 --quiet --plot names.svg
    that 'gnuplot has nothing to complain about' test ! -s err
    that 'nothing was executed' test ! -e PWN
fi
if command -v python3 >/dev/null 2>&1; then
    cat >names.py <<'END'
import ast, csv, struct, sys
want = ["a,b", "say \"x\"'\nset output 'PWN'\n#", "q_3", "q_4", "x", "x_2", "energy_2"]
for name, first in ("names", 2), ("sweep", None):
    rows = list(csv.reader(open(name + ".csv", newline="")))
    assert all(len(r) == len(rows[0]) for r in rows), rows
    raw = open(name + ".npy", "rb").read()
    head = ast.literal_eval(raw[10:10 + struct.unpack("<H", raw[8:10])[0]].decode("ascii"))
    fields = [f for f, _ in head["descr"]]
    assert fields == rows[0] and len(set(fields)) == len(fields), fields
    first = first or fields.index("t") + 1
    assert fields[first:first + 7] == want, fields
END
    that 'names in CSV and NPY' python3 names.py
fi
same run ./names.so --steps 2 --output names.so

finish
