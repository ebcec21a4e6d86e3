#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# own_systems.sh LIEGRP OWN EXAMPLE NAME...: `liegrp verify --system` as users run it. OWN is the shared object with the
# systems of tests/support/own/, EXAMPLE that of the manual; a NAME is one of OWN, of which `wrong-...` and `hidden-...`
# must fail, `example`, `catalog` for every system of the catalog or `some-catalog` for a third. Prints what fails; the
# exit status tells whether something did.
set -u
# shellcheck source=tests/cli/common.sh
. "$(cd "$(dirname "$0")" && pwd)/common.sh"
own=$(absolute "$2")
example=$(absolute "$3")
begin "$1"
shift 3

# holds SYSTEM: every claim that applies to it holds, and some do.
holds() {
    call 0 verify --system "$1" --threads 1 --quiet
    out_has 'claims hold'
    that "$1, ${LG_OWN_SYSTEM:-}: no claim fails" sh -c '! grep FAILS out'
    that "$1, ${LG_OWN_SYSTEM:-}: ten claims or more apply" sh -c 'test "$(grep -c " holds " out)" -ge 10'
}

for name; do
    case $name in
    catalog | some-catalog)
        call 0 list systems
        cp out systems
        every=1
        if [ "$name" = some-catalog ]; then every=3; fi
        for system in $(awk -v every=$every 'NF && !/^ / && n++ % every == 0 { print $1 }' systems); do holds "$system"; done
        ;;
    example) holds "$example" ;;
    wrong-* | hidden-*)
        export LG_OWN_SYSTEM="$name"
        call 1 verify --system "$own" --threads 1 --quiet
        out_has 'catalog-consistent           FAILS'
        ;;
    *)
        export LG_OWN_SYSTEM="$name"
        holds "$own"
        ;;
    esac
done

# Controls that have no effect on a free particle are listed as skipped.
if [ "${LG_OWN_SYSTEM:-}" = hidden-time ]; then
    export LG_OWN_SYSTEM=glider
    call 0 verify --system "$own" --all --quiet
    out_has 'not seen on this system: control: '
    out_has ' more skipped: the system does not show an effect that a control violates'
fi

finish
