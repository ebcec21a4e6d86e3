#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# verify.sh LIEGRP MY-SYSTEM PAGE: the whole ledger once, in its fast form: every claim holds, and the page of the manual
# has the measured figures; then `liegrp verify` from outside, with wrong use. Prints what fails; the exit status tells
# whether something did. With LG_TEST_REDUCED only a few claims are checked.
set -u
# shellcheck source=tests/cli/common.sh
. "$(cd "$(dirname "$0")" && pwd)/common.sh"
own=$(absolute "$2")
page=$(absolute "$3")
begin "$1"


# The page without its numbers and verdicts: what must be the same on every machine.
masked() { sed -E 's/[0-9.]+(e[-+]?[0-9]+)?|nan|inf/N/g' "$1"; }

if [ -n "${LG_TEST_REDUCED:-}" ]; then
    call 0 verify retraction-identities gni-left-invariant sleigh-balanced
else
    call 0 verify --page
    cp out measured.md
    masked measured.md >new
    masked "$page" >old
    checks=$((checks + 1))
    diff old new >difference || {
        fail "$page is not what is measured; write it again: liegrp verify --page >docs/ledger.md"
        head -20 difference
    }
fi

call 0 verify sleigh-balanced --json
that 'JSON' python3 -c 'import json; d = json.load(open("out")); assert d["failed"] == 0 and d["claims"][0]["measures"]'
call 0 verify sleigh-balanced gni-left-invariant --all --threads 1
out_has 'control: '
out_has '2 of 2 claims hold'
call 0 verify fedorov2005 sleigh-balanced
out_has '5 of 5 claims hold'
call 0 list claims
out_has 'gni-energy-biinvariant'

# A user-supplied system in the loops of the ledger.
call 0 verify sem-constraint sem-energy sleigh-balanced --system "$own"
out_has 'does not apply'
out_has '2 of 3 claims hold, 1 does not apply'

wrong "unknown claim 'sem-enery'" verify sem-enery
err_has 'sem-energy'
wrong "unknown claim 'multibdy'; did you mean 'multibody'?" verify multibdy
wrong '--json and --page exclude each other' verify --json --page
wrong '--threads must be' verify --threads 0
wrong 'there is no file' verify --system ./none.so
wrong "unknown option '--ful'" verify --ful
call 0 verify --help
out_has 'Exit status: 0 all claims hold; 1 a claim fails'

finish
