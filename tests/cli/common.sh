# SPDX-License-Identifier: BSD-3-Clause
# Functions of all tests of the command line. A test begins with
#   . "$(dirname "$0")/common.sh"; begin LIEGRP
# which changes to a new folder, and ends with finish.
# shellcheck shell=sh disable=SC2034,SC2154
checks=0
failures=0

# absolute FILE: its name from the root.
absolute() { echo "$(cd "$(dirname "$1")" && pwd)/$(basename "$1")"; }

# begin LIEGRP: $liegrp is the program (a name without '/' is looked up in PATH), the present folder a new one.
begin() {
    pictures=$(cd "$(dirname "$0")" && pwd)/picture.py
    case $1 in
    */*) liegrp=$(absolute "$1") ;;
    *) liegrp=$1 ;;
    esac
    work=$(mktemp -d)
    trap 'rm -rf "$work"' EXIT
    cd "$work" || exit 1
}

finish() {
    echo "$checks checks, $failures failed"
    [ "$failures" -eq 0 ]
}

fail() {
    failures=$((failures + 1))
    echo "FAIL: $*"
    head -5 out err 2>/dev/null | sed 's/^/    /'
}

# in_file TEXT FILE: it is in one of its few lines. As grep -qF, without a process of its own for each of a thousand checks.
in_file() {
    while IFS= read -r line || [ -n "$line" ]; do
        case $line in *"$1"*) return 0 ;; esac
    done <"$2"
    return 1
}

# own FILE: leaves liegrp's own lines in a file of its standard error. A library below it may remark on the machine: hwloc,
# which comes with MPI, does where there is no /sys.
export HWLOC_HIDE_ERRORS=2
own() {
    if [ ! -s "$1" ] || ! in_file hwloc "$1"; then return; fi
    grep -v '^hwloc[/:]' "$1" >"$1.own"
    cat "$1.own" >"$1"
    rm "$1.own"
}

# call STATUS ARGUMENT...: runs liegrp, leaves its streams in out and err, checks the exit status.
call() {
    want=$1
    shift
    said="liegrp $*"
    checks=$((checks + 1))
    "$liegrp" "$@" >out 2>err </dev/null
    got=$?
    own err
    [ "$got" -eq "$want" ] || fail "$said: exit status $got, expected $want"
}

# that TITLE COMMAND...: the command succeeds.
that() {
    title=$1
    shift
    checks=$((checks + 1))
    "$@" >/dev/null 2>&1 || fail "$said: $title"
}

silent_out() { that 'standard output should be empty' test ! -s out; }
# none FILE...: a pattern that matched nothing, or names that are not there.
none() {
    for found; do
        if [ -e "$found" ] || [ -L "$found" ]; then return 1; fi
    done
}
# shellcheck disable=SC2086 # a pattern
no_file() { that "there should be no file $1*" none $1*; }
# few_lines FILE MOST: so many at most.
few_lines() {
    count=0
    while read -r _; do count=$((count + 1)); done <"$1"
    [ $count -le "$2" ]
}
# not COMMAND...: it fails.
not() { ! "$@"; }
# out_has TEXT...: each is in standard output, which is read once.
out_has() {
    printed=$(cat out)
    for text; do
        checks=$((checks + 1))
        case $printed in *"$text"*) ;; *) fail "$said: standard output should have: $text" ;; esac
    done
}
err_has() { that "standard error should have: $1" in_file "$1" err; }

# until_there BYTES FILE...: waits, half a minute at most, until these files together have more than so many bytes.
until_there() {
    bytes=$1
    shift
    for _ in $(seq 300); do
        # shellcheck disable=SC2086,SC2048 # patterns of files that are not there yet
        [ "$(cat $* 2>/dev/null | wc -c)" -gt "$bytes" ] && return
        sleep 0.1
    done
}

# interrupted BYTES FILE ARGUMENT...: the command with --output FILE is stopped by Ctrl-C as soon as it has written so many
# bytes: it says so, and the file holds what there is.
interrupted() {
    least=$1 file=$2
    shift 2
    said='Ctrl-C'
    "$liegrp" "$@" --output "$file" 2>err &
    child=$!
    until_there "$least" "$file.*.part"
    kill -INT $child
    wait $child
    that 'exit status 130' test $? -eq 130
    err_has 'interrupted'
    that 'the file is there' test -s "$file"
    no_file '*.part'
}

# wrong TEXT ARGUMENT...: wrong use: status 2, nothing on standard output, the text on standard error.
wrong() {
    text=$1
    shift
    call 2 "$@"
    silent_out
    err_has "$text"
}

# column FILE NAME ROW: one number of a CSV file; ROW 1 is step 0, "last" the last.
column() {
    awk -F, -v name="$2" -v row="$3" '
        NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) c = i; next }
        { value = $c; if (NR - 1 == row) { print value; found = 1; exit } }
        END { if (row == "last") print value; else if (!found) print "none" }' "$1"
}

# all_below FILE NAME BOUND: the absolute values of a column.
all_below() {
    awk -F, -v name="$2" -v bound="$3" '
        NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) c = i; next }
        { v = $c + 0; if (v < 0) v = -v; if (!(v < bound)) bad = 1 } END { exit bad || !c }' "$1"
}

# pictures FILE.svg...: they have the style of all pictures (picture.py).
pictures() {
    checks=$((checks + 1))
    python3 "$pictures" "$@" >out 2>err || fail "the style of $*"
}
