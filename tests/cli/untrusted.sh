#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# untrusted.sh LIEGRP INCLUDE EXPAT LIMITED: untrusted names and files do no harm: control characters in names are
# shown, a pipe, a device or an endless file in place of a file is refused at once. CC compiles; EXPAT is 1 if XML can
# be read, LIMITED if a program has only the address space that it needs. Prints what fails; the exit status tells
# whether something did.
set -u
# shellcheck source=tests/cli/common.sh
. "$(cd "$(dirname "$0")" && pwd)/common.sh"
include=$(absolute "$2")
expat=$3
limited=$4
begin "$1"
escape=$(printf '\033')
csi=$(printf '\302\233')
turned=$(printf '\342\200\256')
broken=$(printf '\377')
newline='
'
# Control characters of terminals in a name that is partly readable: é and 漢 stay.
nasty="é漢${escape}[31m${csi}1m$(printf '\302\205\007\177')${turned}x${broken}y"

# tame: neither stream has a byte that a terminal obeys.
tame() {
    that 'no escape sequences' sh -c "! LC_ALL=C grep -q '$escape' out err"
    that 'no C1 controls' sh -c "! LC_ALL=C grep -q '$(printf '\302')[$(printf '\200')-$(printf '\237')]' out err"
    that 'no bell, no delete' sh -c "! LC_ALL=C grep -q '[$(printf '\007\177')]' out err"
    that 'no marks of direction' sh -c "! LC_ALL=C grep -q '$turned' out err"
    that 'no bytes that are no UTF-8' sh -c "! LC_ALL=C grep -q '$broken' out err"
}
# json: standard output is JSON in UTF-8.
json() {
    if command -v python3 >/dev/null 2>&1; then
        that 'JSON' python3 -c 'import json; json.load(open("out", encoding="utf-8"))'
    fi
}

# --- words of the command line ----------------------------------------------------------------------------------------
for words in "$nasty" "info $nasty" "run $nasty" "run suslov --method $nasty" "run suslov --param $nasty=1" \
    "run suslov --init $nasty=1" "run suslov --$nasty" "run suslov --step $nasty" "run suslov --output $nasty/a.csv" \
    "run --from $nasty" "run suslov --plot-columns $nasty --plot a.svg" "run ./$nasty.so" "list $nasty" "help $nasty" \
    "figure $nasty" "verify $nasty" "bench $nasty" "convergence $nasty" "sweep suslov --param $nasty=0:1:2" \
    "run suslov --control $nasty=1" "run suslov --checkpoint $nasty/c --steps 2"; do
    # shellcheck disable=SC2086 # words are words
    call 2 $words
    tame
    that 'what can be shown' grep -q 'é漢\\x1b\[31m' err
done
call 2 info "a${newline}liegrp: all is well"
that 'a line that a name makes is none' sh -c '! grep -q "^liegrp: all is well" err'
err_has '\nliegrp: all is well'

# --- names in a system of the user's own ------------------------------------------------------------------------------
cat >own.c <<'EOF'
#include <liegrp/liegrp.h>
#define NASTY "\xc3\xa9\xe6\xbc\xa2\033[31m\xc2\x9b" "1m\xc2\x85\007\177\xe2\x80\xae" "x\xff" "y"
static int configure(const lg_call *c, double *J, double *rows, char *why)
{
    (void)c, (void)rows, (void)why;
    J[0] = J[4] = J[8] = 1;
    return 0;
}
static int initial(const lg_call *c, double *g0, double *xi0)
{
    (void)c;
    g0[0] = g0[1] = g0[2] = 0;
    xi0[0] = xi0[1] = xi0[2] = 1;
    return 0;
}
static int value(const lg_call *c, const double *g, const double *p, double *out)
{
    (void)c, (void)g;
    *out = p[0];
    return 0;
}
static const lg_group *plane(void) { return lg_rn(3); }
static const lg_group *(*const factors[])(void) = {plane};
static const char *const names[] = {NASTY, "b\nliegrp: x", "c"};
static const lg_parameter p[] = {{NASTY, NASTY, NASTY, 1, 0, 2, 0}};
static const lg_invariant v[] = {{NASTY, NASTY, value}};
static const lg_model_definition d = {.size = sizeof d, .name = NASTY, .summary = NASTY "\nliegrp: x", .source = NASTY,
    .remark = NASTY, .factors = factors, .factor_count = 1, .coordinate_names = names, .parameter_count = 1,
    .parameters = p, .invariant_count = 1, .invariants = v, .configure = configure, .initial = initial};
LG_API const lg_model_definition *liegrp_system(void);
const lg_model_definition *liegrp_system(void) { return &d; }
EOF
grep -q 'lg_rn(int' "$include"/liegrp/groups/*.h || sed -i 's/lg_rn(3)/lg_r3()/' own.c
# shellcheck disable=SC2086 # CC may hold words
${CC:-cc} -w -shared -fPIC -I"$include" own.c -o own.so 2>compiled || fail "cannot compile own.c: $(cat compiled)"
call 0 info ./own.so
tame
that 'what can be shown' grep -q 'é漢\\x1b\[31m\\u009b1m\\u0085\\a\\x7f\\u202ex\\xffy' out
that 'a line that a name makes is none' sh -c '! grep -q "^liegrp: x" out'
call 0 info ./own.so --json
tame
json
call 0 run ./own.so --steps 4 --monitor
tame
that 'what can be shown' grep -q 'é漢\\x1b\[31m' err
call 2 run ./own.so --init zzz=1
tame
call 2 run ./own.so --param zzz=1
tame
call 0 sweep ./own.so --init c=0:1:3 --steps 4
tame
call 0 convergence ./own.so --levels 2 --methods sem
tame
call 0 complete -- run ./own.so --init ''
tame
that 'a candidate a line' sh -c '! grep -q "^liegrp: x" out'
out_has 'c='
call 0 run ./own.so --steps 4 --output a.csv --quiet
call 0 run --from a.csv --allow ./own.so --output -
call 0 run ./own.so --steps 4 --output - --quiet # data are as they are: a field in quotes
if command -v gnuplot >/dev/null 2>&1; then
    call 0 run ./own.so --steps 4 --plot a.svg --quiet
    tame
    that 'the picture is UTF-8' sh -c 'iconv -f UTF-8 -t UTF-8 a.svg >/dev/null'
    that 'no escape sequences' sh -c "! LC_ALL=C grep -q '$escape' a.svg"
fi
call 0 run ./own.so --steps 4 --view a.html --quiet
that 'the page is UTF-8' sh -c 'iconv -f UTF-8 -t UTF-8 a.html >/dev/null'

# --- contents of a provenance -----------------------------------------------------------------------------------------
call 0 run suslov --steps 2 --quiet --output b.csv
sed 's/"suslov"/"\\u001b[31m\\u009b1m\\u202ex"/g; s/"sem"/"\\u001b[31m\\u0007"/g' b.csv.json >c.json
call 2 run --from c.json --output c.csv
tame

# --- a mechanism's file -----------------------------------------------------------------------------------------------
if [ "$expat" = 1 ]; then
    name='é漢&#x9b;31m&#x85;&#x7f;&#x202e;x&#10;liegrp: x'
    inertial='<inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>'
    cat >arm.urdf <<EOF
<robot name="$name"><link name="$name 0"/><link name="$name 1">$inertial</link>
<joint name="$name" type="continuous"><parent link="$name 0"/><child link="$name 1"/><axis xyz="0 0 1"/></joint>
<liegrp><wheel/></liegrp><unknown$(printf '\303\251')/></robot>
EOF
    sed '/<liegrp>/d' arm.urdf >good.urdf
    echo '</robot>' >>good.urdf
    call 2 info arm.urdf
    tame
    call 0 info good.urdf
    tame
    that 'what can be shown' grep -q 'é漢\\u009b31m\\u0085\\x7f\\u202ex\\nliegrp: x' out
    that 'a line that a name makes is none' sh -c '! grep -q "^liegrp: x" out'
    call 0 info good.urdf --json
    tame
    json
    call 0 run good.urdf --steps 3
    tame
    call 2 run good.urdf --init zzz=1
    tame
    call 2 run good.urdf --wheel "$nasty=0.1"
    tame
    sed 's/parent link="[^"]*"/parent link="\&#x9b;none"/' good.urdf >bad.urdf
    call 2 info bad.urdf
    tame
    err_has '\u009bnone'
    call 0 complete -- run good.urdf --init ''
    tame
fi

# --- no file ----------------------------------------------------------------------------------------------------------
# refused TEXT ARGUMENT...: within a few seconds and little memory, with that reason.
refused() {
    why=$1
    shift
    said="liegrp $*"
    checks=$((checks + 1))
    (
        [ "$limited" = 0 ] || ulimit -v 4000000
        exec timeout 20 "$liegrp" "$@"
    ) >out 2>err </dev/null
    got=$?
    own err
    [ $got -eq 2 ] || fail "$said: exit status $got, expected 2"
    err_has "$why"
    that 'standard output should be empty' test ! -s out
}
mkfifo pipe pipe.urdf pipe.so pipe.chk
mkdir folder.urdf folder.so
ln -s /dev/zero zero.urdf
ln -s /dev/zero zero.so
truncate -s 4G sparse.urdf
printf '{' >sparse.json && truncate -s 4G sparse.json
printf 'step,t\n' >sparse.csv
cp sparse.json sparse.csv.json
for command in info run; do
    [ "$expat" = 1 ] || break
    refused 'no regular file' $command pipe.urdf
    refused 'no regular file' $command zero.urdf
    refused 'Is a directory' $command folder.urdf
    refused 'it has more than 67108864 bytes' $command sparse.urdf
done
for command in info run; do
    refused 'is not a file' $command ./pipe.so
    refused 'is not a file' $command ./zero.so
    refused 'is not a file' $command ./folder.so
done
refused 'no regular file' run --from pipe --output a.csv
refused 'no regular file' run --from /dev/zero --output a.csv
refused 'no regular file' run --from . --output a.csv
refused 'it has more than 67108864 bytes' run --from sparse.json --output a.csv
refused 'it has more than 67108864 bytes' run --from sparse.csv --output a.csv
mkfifo piped.csv.json
printf 'step,t\n' >piped.csv
refused 'no regular file' run --from piped.csv --output a.csv
refused 'a checkpoint needs a file' run suslov --steps 2 --checkpoint pipe.chk --resume
refused 'a checkpoint needs a file' run suslov --steps 2 --checkpoint /dev/zero --resume
truncate -s 4G sparse.chk
refused 'it has more than' run suslov --steps 2 --checkpoint sparse.chk --resume
finish
