#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# bench.sh LIEGRP: liegrp bench from outside: each benchmark small, its JSON, its picture, and wrong use. Times are not
# checked, but the promises that hold on every machine are: accuracy, and agreement with steps written by hand.
# Prints what fails; the exit status tells whether something did.
set -u
# shellcheck source=tests/cli/common.sh
. "$(cd "$(dirname "$0")" && pwd)/common.sh"
begin "$1"

# json FILE CONDITION...: python3's CONDITIONs hold of the object d in FILE; meson brings python3 along.
json() {
    checks=$((checks + 1))
    python3 -c "
import json, sys
d = json.load(open(sys.argv[1]))
t = {x['name']: x['rows'] for x in d['tables']}
sys.exit('\\n'.join(c for c in sys.argv[2:] if not eval(c)) or 0)" "$@" >out 2>err || fail "in $1"
}

call 0 bench --help
out_has groups steps retractions methods ensembles mechanisms linearised --json --quick --output --plot
call 0 help bench

# --- wrong use --------------------------------------------------------------------------------------------------------
wrong() {
    text=$1
    shift
    call 2 bench "$@"
    that 'standard output should be empty' test ! -s out
    err_has "$text"
    that 'there should be no file' none ./*.json ./*.png ./*.csv
}
wrong 'no benchmark is given'
wrong "did you mean 'groups'?" group
wrong 'one benchmark at a time' groups steps
wrong "did you mean '--quick'?" groups --quik
wrong 'must end in .json' groups --output groups.csv
wrong 'must end in .png, .svg or .pdf' methods --plot methods.gif
wrong "--plot: 'groups' has no curves; drop --plot, or take one that has: retractions, methods" groups --plot groups.png
wrong 'No such file' methods --quick --output absent/methods.json

# --- each of them -----------------------------------------------------------------------------------------------------
call 0 bench groups --quick --output groups.json
that 'standard error should be empty' test ! -s err
out_has 'R^2 x SO(3)' 'SO(4)' 'dexp_inv' 'Ad*' 'textbook' 'entries x1'
json groups.json "len(t['operations']) == 5 * 12" \
    "all(r['error'] < 2e-15 for r in t['operations'])" \
    "all(r['any group']['first_quartile'] <= r['any group']['median'] for r in t['operations'])" \
    "d['machine']['compiler'] and d['machine']['flags'] and d['protocol']['rounds'] and d['versions']['liegrp']"

call 0 bench steps --quick --json
cp out steps.json
json steps.json "len(t['steps']) == 12 and all(r['differ after 1000'] < 1e-12 for r in t['steps'])" \
    "len(d['figures']) == 4"

call 0 bench mechanisms --quick --output mechanisms.json
json mechanisms.json "{r['mechanism'] for r in t['mechanisms']} >= {'four-bar', 'spherical chain, 90 links'}" \
    "all(r['gap, m'] < 1e-12 for r in t['mechanisms'])"

call 0 bench linearised --quick --output linearised.json
json linearised.json "{r['width'] for r in t['systems']} == {2**k for k in range(1, 4) if 2**k <= d['machine']['width']}" \
    "all(r['linearised / step'] > 1 for n in ('systems', 'mechanisms') for r in t[n])" \
    "len({r['name'] for r in t['mechanisms']}) == 8" \
    "all(r['curvature / step'] > 1 for r in t['curvature']) and len({r['name'] for r in t['curvature']}) == 4"

call 0 bench retractions --quick --output retractions.json --plot retractions.svg
out_has 'take '
json retractions.json "len({r['retraction'] for r in t['runs']}) == 11 and len({r['system'] for r in t['runs']}) == 4"
that 'a picture' grep -q 'exp:order=8' retractions.svg
that 'the axis says what takes the time' grep -qF 'time of a run [ms]' retractions.svg

call 0 bench methods --quick --output methods.json --plot methods.svg
json methods.json \
    "len({r['system'] for r in t['long runs']}) == 6 and len({r['method'] for r in t['long runs']}) == 14" \
    "all(r['energy'] < 1e-11 for r in t['long runs'] if r['method'].startswith('sem') and 'solved' not in r['method'])" \
    "all(r['change'] < 1e-9 for r in t['references'])"
pictures retractions.svg methods.svg

call 0 bench ensembles --quick --output ensembles.json
out_has 'speed-up' "of arithmetic's" 'one by one, rows too' 'bytes an instance'
json ensembles.json \
    "len({(r['system'], r['method'], r['retraction'], r['callbacks see']) for r in t['widths']}) == 13" \
    "{r['width'] for r in t['widths']} == {2**k for k in range(4) if 2**k <= d['machine']['width']}" \
    "{r['threads'] for r in t['threads']} >= {1} and len(t['counts']) == 6" \
    "d['figures']['memory of sem over the state\'s'] < 8"

call 2 bench groups --quick --plot groups.png
err_has 'has no curves'

# --- standard output that is full -------------------------------------------------------------------------------------
if [ -w /dev/full ]; then
    checks=$((checks + 1))
    "$liegrp" bench steps --quick >/dev/full 2>err
    [ $? -eq 2 ] || fail 'a full device is not noticed'
fi

echo "$checks checks, $failures failed"
[ "$failures" -eq 0 ]
