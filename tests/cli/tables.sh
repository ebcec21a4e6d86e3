#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# tables.sh LIEGRP: a table of --control is read correctly, or refused with its line and the reason; no line is skipped.
# Files that are not tables, or have no end, are refused.
# Prints what fails; the exit status tells whether something did.
# shellcheck disable=SC2059 # tables are written as formats of printf
set -u
# shellcheck source=tests/cli/common.sh
. "$(cd "$(dirname "$0")" && pwd)/common.sh"
begin "$1"

wheel() { call "$1" run two-wheeled-robot --control u_1="$2" --steps 3 --quiet --output "$3"; }
printf '0,0.1\n0.015,0\n' >plain.csv
wheel 0 plain.csv plain.out
wheel 0 0.1 other.out
that 'both rows act' not cmp -s plain.out other.out

# reads TITLE FORMAT: printf makes the table of the two rows.
reads() {
    printf -- "$2" >t.csv
    wheel 0 t.csv t.out
    said=$1
    that 'the rows of the plain table' cmp -s plain.out t.out
}
bom='\357\273\277'
reads 'a byte order mark' "${bom}0,0.1\n0.015,0\n"
reads 'a byte order mark before a header' "${bom}t,u\r\n0,0.1\r\n0.015,0\r\n"
reads 'CR LF' '0,0.1\r\n0.015,0\r\n'
reads 'CR alone' '0,0.1\r0.015,0\r'
reads 'CR alone, with a header' 't,u\r0,0.1\r0.015,0'
reads 'no end of the last line' '0,0.1\n0.015,0'
reads 'empty lines' '\n\n0,0.1\n \t\n0.015,0\n\n'
reads 'a header after an empty line' '\nt,u\n0,0.1\n0.015,0\n'
reads 'blanks' ' 0 ,\t0.1\n  0.015 , 0 \n'
reads 'a remark as header' '# times, values\n0,0.1\n0.015,0\n'
reads 'a header in quotes' '"t, in s","u"\n0,0.1\n0.015,0\n'
reads 'a header with an empty field' 't,\n0,0.1\n0.015,0\n'
reads 'a header with a minus' '-t,+u\n0,0.1\n0.015,0\n'
reads 'a header in another alphabet' 'θ,ω\n0,0.1\n0.015,0\n'
reads 'a header of other fields' 'info;nanometres\n0,0.1\n0.015,0\n'
reads 'exponents' '0e5,1E-1\n15e-3,-0\n'
reads 'a number of 300 digits' "0,0.1$(printf '%0300d' 0)\n0.015,0\n"
reads 'a line of 600 blanks' "$(printf '%600s' '')0,0.1\n0.015,0$(printf '%600s' '')\n"
said='a pipe of this process'
"$liegrp" run two-wheeled-robot --control u_1=/dev/stdin --steps 3 --quiet --output t.out <plain.csv 2>err
that 'a redirected file' cmp -s plain.out t.out
{ sleep 0.2; cat plain.csv; } |
    "$liegrp" run two-wheeled-robot --control u_1=/dev/stdin --steps 3 --quiet --output t.out 2>err
that 'what another program writes' cmp -s plain.out t.out

# refuses FORMAT LINE REASON: in any line.
refuses() {
    printf -- "$1" >t.csv
    wrong "t.csv, line $2: " run two-wheeled-robot --control u_1=t.csv --steps 3 --output t.refused
    err_has "$3"
    no_file t.refused
}
# row FORMAT REASON: as the first line, after a header, and as the last line.
row() {
    refuses "$1\n5,0\n" 1 "$2"
    refuses "t,u\n$1\n5,0\n" 2 "$2"
    refuses "0,0\n\n$1" 3 "$2"
}
row '5;0.1' "'5;0.1' has no comma; give two finite numbers, the time and the control: T,U"
row '5\t0.1' 'has no comma'
row '5 0.1' "'5 0.1' has no comma"
row '5' "'5' has no comma"
row '5,0.1,' "'5,0.1,' has more than one comma"
row '5,0,1' 'has more than one comma'
row '5,0;1' "'0;1' is not a number"
row '5,' "'' is found where a number is needed"
row ',5' "'' is found where a number is needed"
row ' , ' "'' is found where a number is needed"
row '5,1e400' "'1e400' is beyond the largest number"
row '5,-1e400' "'-1e400' is beyond the largest number"
row '1e400,5' "'1e400' is beyond"
row '5,nan' "'nan' is not finite"
row 'nan,5' "'nan' is not finite"
row '5,-inf' "'-inf' is not finite"
row '5,0.1 7' "'0.1 7' is not a number"
row '5 6,0.1' "'5 6' is not a number"
row '5,0.1 # so' 'is not a number'
row '5,0.1s' "'0.1s' is not a number"
row '5,"0.1"' "'\"0.1\"' is not a number"
row '5,x' "'x' is not a number"
row '5,1_000' "'1_000' is not a number"
row '\302\2405,0.1' "'?5' is not a number"                # a blank that does not break
row '\342\210\2225,\342\210\2220.1' "'?5' is not a number" # a minus of typographers
row '\2405,\2400.1' "'?5' is not a number"            # in Latin-1
row '5,\033[31m' "'?[31m' is not a number"
row '5,0.1\0' 'a zero byte: the file is binary'
row '5,0.1\0,7' 'a zero byte'
row '\0' 'a zero byte'
refuses 'nan,nan\n5,0\n' 1 "'nan' is not finite"
refuses '-inf,inf\n5,0\n' 1 "'-inf' is not finite"
refuses ',\n5,0\n' 1 "''"
refuses '---\n5,0\n' 1 "'---' has no comma"
refuses 't,1\n5,0\n' 1 "'t' is not a number"
refuses 't,u\ns,Nm\n5,0\n' 2 "'s' is not a number"
refuses '0,1\n# a remark\n5,0\n' 2 'has no comma'
refuses 't,u\r0,1\r5;0\r' 3 "'5;0' has no comma"
refuses 't,u\r\n0,1\r\n5;0\r\n' 3 "'5;0' has no comma"
refuses "$(printf '%254s' '')1,25,7\n5,0\n" 1 "'1,25,7' has more than one comma"
refuses "0,1\n5,0$(printf '%300s' '')9\n" 2 'is not a number'
refuses '\377\376t\0,\0u\0\n\0' 1 'text in UTF-16; save it as UTF-8'
refuses '0,1\n0,2\n' 2 'the times must increase, 0 does not follow 0'
refuses '1,1\n0,2\n' 2 'the times must increase, 0 does not follow 1'

# --- files that are not tables ----------------------------------------------------------------------------------------
mkfifo pipe
mkdir folder
: >empty.csv
printf '\n \r\n' >blank.csv
printf 't,u\n' >header.csv
printf "$bom" >mark.csv
truncate -s 300M long.csv
limited() {
    said="a table that is $1"
    checks=$((checks + 1))
    timeout 20 "$liegrp" run two-wheeled-robot --control u_1="$1" --steps 3 --output t.refused >out 2>err </dev/null
    got=$?
    [ $got -eq 2 ] || fail "$said: exit status $got, expected 2"
    err_has "$2"
    no_file t.refused
}
limited /dev/zero '/dev/zero is a device; give a file'
limited /dev/null '/dev/null is a device; give a file'
limited pipe 'pipe is a pipe that has a name; give a file'
limited folder 'folder is a directory'
limited long.csv 'long.csv has more than 256 MiB'
limited empty.csv 'empty.csv has no rows'
limited blank.csv 'blank.csv has no rows'
limited header.csv 'header.csv has no rows'
limited mark.csv 'mark.csv has no rows'
limited nowhere.csv "'nowhere.csv' is neither a finite number nor a file (No such file"
said='a pipe without an end'
yes '0,1' | timeout 60 "$liegrp" run two-wheeled-robot --control u_1=/dev/stdin --steps 3 --output - >out 2>err
that 'exit status 2' test $? -eq 2
err_has '/dev/stdin has more than 256 MiB'

# Motors of mechanisms read them the same way.
printf "${bom}t,u\n0,0.1\n0.02,0\n" >t.csv
call 0 run furuta --control turn=t.csv --steps 10 --output a.csv --quiet
printf '0,0.1\n0.02,0\n' >t.csv
call 0 run furuta --control turn=t.csv --steps 10 --output b.csv --quiet
that 'the rows of the plain table' cmp -s a.csv b.csv
printf '0,0.1,\n0.02,0\n' >t.csv
wrong "t.csv, line 1: '0,0.1,' has more than one comma" run furuta --control turn=t.csv --steps 10
wrong "t.csv, line 1: '0,0.1,' has more than one comma" run furuta --method gni --control turn=t.csv --steps 10

finish
