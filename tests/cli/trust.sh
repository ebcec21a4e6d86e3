#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# trust.sh LIEGRP MY_SYSTEM [ROBOTS]: files that a provenance names are neither run nor read unless the command line
# names them, too, and they are unchanged; its words make rows and do nothing else. CC compiles.
# Prints what fails; the exit status tells whether something did.
set -u
# shellcheck source=tests/cli/common.sh
. "$(cd "$(dirname "$0")" && pwd)/common.sh"
own=$(absolute "$2")
robots=${3:+$(absolute "$3")}
begin "$1"

# A shared object that leaves a file wherever it is loaded.
cat >mark.c <<'C'
#include <fcntl.h>
__attribute__((constructor)) static void mark(void)
{
    (void)!creat(MARK, 0644);
}
C
# shellcheck disable=SC2086 # CC may hold words
${CC:-cc} -shared -fPIC -DMARK="\"$PWD/loaded\"" mark.c -o mark.so || fail 'cannot compile'
said='the command itself loads it'
"$liegrp" run ./mark.so >out 2>err
that 'so that the mark can be seen' test -e loaded
rm -f loaded
sum=$(sha256sum mark.so | cut -d' ' -f1)
library=$("$liegrp" run suslov --steps 5 --quiet --output rows.csv && sed -n '/"library"/p' rows.csv.json)

# provenance FILE SUM WORDS: a forged provenance of a run of suslov: the words, and an input with its checksum.
provenance() {
    sed "s|\"arguments\": .*\]|\"arguments\": [$3], \"inputs\": [{\"file\": \"$1\", \"sha256\": \"$2\"}]|" rows.csv.json
}
# forged TEXT OPTION...: t.json is refused with this text, and nothing of it was loaded or written.
forged() {
    text=$1
    shift
    wrong "$text" run --from t.json --output y.csv "$@"
    that 'it was not loaded' test ! -e loaded
    no_file y.csv
    rm -f loaded y.csv*
}
said='a provenance that can be edited'
that 'it has the words in one line' grep -q '"arguments": \["run", "suslov", "--steps=5"\]' rows.csv.json
that 'and the library' test -n "$library"

# --- code -------------------------------------------------------------------------------------------------------------
ln -s mark.so link.so
mkdir folder
cp mark.so folder/deep.so
for name in ./mark.so mark.so "$PWD/mark.so" ./link.so folder/deep.so folder/../mark.so /proc/self/cwd/mark.so; do
    provenance "$name" "$sum" "\"run\", \"$name\"" >t.json
    forged "If you trust them, add --allow $name"
    err_has 'a shared object, whose code runs'
    forged "If you trust them, add --allow $name" --quiet --allow rows.csv
    provenance "$name" "$sum" "\"run\", \"--steps=5\", \"--\", \"$name\"" >t.json
    forged "If you trust them, add --allow $name"
    provenance "$name" '' "\"run\", \"$name\"" >t.json
    forged 'has changed since the rows were made' --allow "$name"
    provenance elsewhere.so "$sum" "\"run\", \"$name\"" >t.json
    forged "it does not have the SHA-256 of $name" --allow "$name" --allow elsewhere.so
    sed "s|\"arguments\": .*\]|\"arguments\": [\"run\", \"$name\"]|" rows.csv.json >t.json
    forged "it does not have the SHA-256 of $name" --allow "$name"
    # Without words, the system's name makes the command.
    sed "s|\"system\": \"suslov\"|\"system\": \"$name\"|; /\"arguments\"/d" rows.csv.json >t.json
    forged "it does not have the SHA-256 of $name"
    sed "s|\"system\": \"suslov\"|\"system\": \"$name\"|
         s|\"arguments\": .*\]|\"inputs\": [{\"file\": \"$name\", \"sha256\": \"$sum\"}]|" rows.csv.json >t.json
    forged "If you trust them, add --allow $name"
    # In a sweep.
    sed "s|\"run\": \"model\"|\"run\": \"sweep\"|; s|\"arguments\": .*\]|\"arguments\": [\"sweep\", \"$name\", \
\"--param=a1=0:1:2\"], \"inputs\": [{\"file\": \"$name\", \"sha256\": \"$sum\"}]|" rows.csv.json >t.json
    wrong "If you trust them, add --allow $name" sweep --from t.json --output y.csv
    that 'it was not loaded' test ! -e loaded
done
provenance "it's; touch run.so" "$sum" '"run", "suslov"' >t.json
forged "add --allow 'it'\\''s; touch run.so'"
provenance --own.so "$sum" '"run", "suslov"' >t.json
forged 'add --allow=--own.so'
said='a shared object that is allowed'
provenance ./mark.so "$sum" '"run", "./mark.so"' >t.json
call 2 run --from t.json --output y.csv --allow mark.so
that 'is loaded' test -e loaded
err_has 'does not define liegrp_system'
rm -f loaded

# --- words that make no rows ------------------------------------------------------------------------------------------
for word in --output=z --format=npy --plot=z.svg --plot-columns=x --view=z.html --compare=gni --monitor \
    --monitor-every=2 --probe --checkpoint=z --checkpoint-every=1 --resume --no-accuracy --from=rows.csv \
    --allow=./mark.so --no-provenance --quiet --help -h; do
    provenance rows.csv 0 "\"run\", \"suslov\", \"$word\"" >t.json
    name=${word#--}
    case $word in -h) name=help ;; esac
    forged "its arguments have --${name%%=*}, which does not affect rows" --allow rows.csv
    no_file z
done
for word in --version --nonsense -x; do
    provenance rows.csv 0 "\"run\", \"suslov\", \"$word\"" >t.json
    forged 'unknown option' --allow rows.csv
done
provenance rows.csv 0 '"run", "suslov", "--threads=2"' >t.json
sed 's|"run": "model"|"run": "sweep"|; s|"run", "suslov"|"sweep", "suslov"|' t.json >s.json
wrong 'its arguments have --threads' sweep --from s.json --output y.csv --allow rows.csv

# --- data -------------------------------------------------------------------------------------------------------------
printf '0,0.1\n' >'my torque.csv'
call 0 run two-wheeled-robot --control 'u_1=my torque.csv' --steps 3 --quiet --output x.csv
wrong "x.csv names files; liegrp opens only those that you name. If you trust them, add --allow 'my torque.csv'" \
    run --from x.csv --output y.csv
call 0 run --from x.csv --output y.csv --quiet --allow "$PWD/my torque.csv" # by whatever name
that 'the same bytes' cmp -s x.csv y.csv
that 'the same provenance' cmp -s x.csv.json y.csv.json
wrong '--allow rows.csv: x.csv names no such file' \
    run --from x.csv --output y.csv --allow rows.csv --allow 'my torque.csv'
wrong '--allow rows.csv belongs to --from FILE' run suslov --allow rows.csv
wrong '--allow rows.csv belongs to --from FILE' sweep suslov --param a1=0:1:2 --allow rows.csv
cp rows.csv a.csv
cp rows.csv.json a.csv.json
wrong '--allow rows.csv: a.csv names no such file' run --from a.csv --output y.csv --allow rows.csv
sed 's|my torque.csv", "sha|other.csv", "sha|' x.csv.json >t.json
wrong 'it does not have the SHA-256 of my torque.csv' run --from t.json --output z.csv --allow other.csv
sed 's|"file": "my torque.csv"|"file": "rows.csv"|; s|--control=u_1=my|--motion=u_1=my|' x.csv.json >t.json
wrong 'it does not have the SHA-256 of my torque.csv' run --from t.json --output z.csv --allow rows.csv
sed 's|"file": "my torque.csv"|"file": 7|' x.csv.json >t.json
wrong 'its provenance is damaged: an input has no name' run --from t.json --output z.csv
rm -f y.*
for name in /etc/passwd /dev/zero /proc/self/environ; do
    provenance $name 0 '"run", "suslov"' >t.json
    forged "t.json names files; liegrp opens only those that you name. If you trust them, add --allow $name"
done
forged "/proc/self/environ has changed since" --allow /proc/self/environ
printf '0,0.1\n' | "$liegrp" run two-wheeled-robot --control u_1=/dev/stdin --steps 3 --quiet --output p.csv 2>err
wrong 'it does not have the SHA-256 of /dev/stdin' run --from p.csv --output y.csv
if [ -n "$robots" ]; then
    cp "$robots/arm.urdf" .
    call 0 run arm.urdf --steps 3 --quiet --output m.npz
    wrong 'm.npz names files; liegrp opens only' run --from m.npz --output y.npz
    err_has 'add --allow arm.urdf'
    call 0 run --from m.npz --quiet --output y.npz --allow arm.urdf
    that 'the same bytes' cmp -s m.npz y.npz
fi
cp "$own" ./own.so
call 0 run ./own.so --steps 3 --quiet --output x.csv
call 0 run --from x.csv --quiet --output y.csv --allow ./own.so
that 'the same bytes' cmp -s x.csv y.csv

finish
