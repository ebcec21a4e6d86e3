# SPDX-License-Identifier: BSD-3-Clause
# What the tests of the command line share; sourced with $liegrp set and in a folder of their own. They end by looking
# at $checks and $failures.
# shellcheck shell=sh disable=SC2034,SC2154
checks=0
failures=0

fail() {
    failures=$((failures + 1))
    echo "FAIL: $*"
    head -5 out err 2>/dev/null | sed 's/^/    /'
}

# call STATUS ARGUMENT...: runs liegrp, leaves its streams in out and err, checks the exit status.
call() {
    want=$1
    shift
    said="liegrp $*"
    checks=$((checks + 1))
    "$liegrp" "$@" >out 2>err </dev/null
    got=$?
    [ "$got" -eq "$want" ] || fail "$said: exit status $got, expected $want"
}

# that TITLE COMMAND...: the command succeeds.
that() {
    title=$1
    shift
    checks=$((checks + 1))
    "$@" >/dev/null 2>&1 || fail "$said: $title"
}

out_has() { that "standard output should have: $1" grep -qF -e "$1" out; }
err_has() { that "standard error should have: $1" grep -qF -e "$1" err; }
