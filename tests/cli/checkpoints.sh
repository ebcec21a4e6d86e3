#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# checkpoints.sh LIEGRP [files]: runs and sweeps that are killed at random moments and resumed end with the bytes of
# uninterrupted ones; wrong input is refused with its reason and loses nothing. LG_TEST_KILLS: kills of each, default 1;
# LG_TEST_SEED: seed of the moments; files: mechanisms of files, too.
set -u
. "$(dirname "$0")/common.sh"
begin "$1"
files=${2-}
kills=${LG_TEST_KILLS:-1}
seed=${LG_TEST_SEED:-$(($(od -An -N2 -tu2 /dev/urandom) + 1))}
hits=0
echo "LG_TEST_SEED=$seed, $kills kills of each"

# moment SECONDS: a random part of them.
moment() {
    seed=$(((seed * 1103515245 + 12345) % 2147483648))
    awk -v r="$seed" -v most="$1" 'BEGIN { printf "%.3f", 0.005 + r / 2147483648 * most }'
}

# one MOMENT ARGUMENT...: the command with a checkpoint, killed at that moment or ended before; 1: it was killed.
one() {
    at=$1
    shift
    { timeout --foreground -s KILL "$at" "$liegrp" "$@" --checkpoint c.chk --checkpoint-every 0.01 --resume >out 2>err </dev/null; } \
        2>/dev/null
    case $? in
    0 | 124) return 0 ;; # 124: it ended just when it was to be killed
    137)
        [ -e c.chk ] || rm -f part.*.part # it was killed before there was a checkpoint
        rm -f part.*.json.*.part # it was killed while it wrote the provenance, which is made anew; no one names that file
        return 1
        ;;
    *) fail "$said: killed and resumed" ;;
    esac
}

# killed_once_kept ARGUMENT...: the command, which has --checkpoint c.chk, is killed as soon as it has left one.
killed_once_kept() {
    "$liegrp" "$@" --checkpoint-every 0.01 >out 2>err </dev/null &
    child=$!
    until_there 0 c.chk
    kill -KILL $child
    wait $child 2>/dev/null
}

# killed NAME ARGUMENT...: the command with --output NAME to its end, and killed at random moments of the time that this
# takes, once or twice, and resumed.
killed() {
    name=$1
    shift
    said="liegrp $*"
    hit=0
    rm -f whole* part* c.chk*
    began=$(date +%s.%N)
    "$liegrp" "$@" --output "whole.$name" >out 2>err </dev/null || fail "$said: the whole run"
    most=$(date +%s.%N | awk -v began="$began" '{ printf "%.3f", 0.9 * ($1 - began) }')
    k=0
    while [ $k -lt "$kills" ]; do
        k=$((k + 1))
        one "$(moment "$most")" "$@" --output "part.$name" || hit=$((hit + 1))
        [ $((k % 2)) -eq 0 ] || [ -e "part.$name" ] || one "$(moment "$most")" "$@" --output "part.$name"
        [ ! -e "part.$name" ] || rm -f c.chk # it was killed after its file had its name
        if [ ! -e "part.$name" ]; then one 60 "$@" --output "part.$name" || fail "$said: resumed"; fi
        that "the same bytes, kill $k" cmp "whole.$name" "part.$name"
        that 'the checkpoint is gone' test ! -e c.chk
        no_file 'part.*.part'
        rm -f part* c.chk*
    done
    echo "$said: $hit of $kills killed, in $most s"
    hits=$((hits + hit))
}

killed csv run rolling-disk --steps 60000 --every 50
killed npy run heavy-top --method gni --steps 200000 --every 50 --monitor --no-accuracy
killed csv run two-wheeled-robot --method gauss --steps 12000 --control u_1=0.1 --control u_2=0.2
killed csv run chaplygin-sphere --tolerance 1e-9 --steps 8000 --step 0.07
killed csv run double-pendulum --steps 8000 --every 50
killed csv run four-bar --tolerance 1e-8 --steps 4000
killed csv run suslov --method sem@suzuki4 --steps 60000 --every 100
killed csv sweep rolling-ball --param Omega=0:2:31 --param I1=0.5:1:9 --steps 2000 --quiet
killed npy sweep suslov --random 400 --init xi_1=0:1 --steps 6000 --every 500 --quiet
killed csv sweep furuta --init swing=3:3.1:40 --steps 400 --quiet
killed csv sweep suslov --random 200 --init xi_1=0:1 --tolerance 1e-8 --steps 800 --quiet

that 'most of them were killed' test $((2 * hits)) -gt $((10 * kills))

# --- pictures and the summary are those of a run that was not killed -------------------------------------------------
if command -v gnuplot >/dev/null 2>&1; then
    args="run rolling-ball --steps 150000 --every 20 --monitor"
    # shellcheck disable=SC2086
    "$liegrp" $args --plot a.svg 2>a.txt </dev/null
    # shellcheck disable=SC2086
    killed_once_kept $args --plot b.svg --checkpoint c.chk
    [ ! -e b.svg ] || rm -f b.svg c.chk # it had ended
    # shellcheck disable=SC2086
    "$liegrp" $args --plot b.svg --checkpoint c.chk --resume 2>b.txt </dev/null
    said="liegrp $args"
    that 'the same picture' cmp a.svg b.svg
    for f in a b; do sed -e '/continues from/d' -e '/no checkpoint/d' -e 's/ in [0-9.e-]* m*s, [^;]* a step;/;/' $f.txt >$f.words; done
    that 'the same summary' cmp a.words b.words
    rm -f a.* b.* c.chk*
fi

# --- refusals ---------------------------------------------------------------------------------------------------------
run="run rolling-disk --steps 3000000 --every 100 --output rows.csv --checkpoint c.chk"
# shellcheck disable=SC2086
killed_once_kept $run
cp c.chk kept
same_checkpoint() { that 'the checkpoint is as it was' cmp c.chk kept; }
# shellcheck disable=SC2086
{
    call 2 $run
    err_has 'it holds a run that is not finished'
    same_checkpoint
    call 2 $run --resume --step 0.02
    err_has "'step "
    same_checkpoint
    call 2 $run --resume --method gauss
    err_has 'method sem'
    call 2 $run --resume --param m=1.5
    err_has 'and what reads it'
    call 2 $run --resume --init x=1.5
    err_has 'initial-state'
    same_checkpoint
    head -c 3000 kept >c.chk
    call 2 $run --resume
    err_has 'damaged: its end is missing'
    tr 'a' 'b' <kept >c.chk
    call 2 $run --resume
    err_has 'damaged'
    echo hello >c.chk
    call 2 $run --resume
    err_has 'no checkpoint of liegrp'
    cp kept c.chk
    mv rows.csv.*.part moved
    call 2 $run --resume
    err_has 'is missing or shorter'
    same_checkpoint
    head -c 10 moved >"$(strings kept | grep '^rows.csv.*part$')"
    call 2 $run --resume
    err_has 'shorter'
    that 'there is no file yet' test ! -e rows.csv
}
rm -f rows* c.chk* kept moved

# Inputs that a mechanism's motion depends on and that its state does not contain.
run="run double-pendulum --method gauss --param shoulder.damping=1 --steps 3000000 --every 100 --output rows.csv --checkpoint c.chk"
# shellcheck disable=SC2086
killed_once_kept $run
# shellcheck disable=SC2086
for other in 'shoulder.damping=2 drive-damping 1' 'upper.mass=3 upper 1' '8 halvings 0' '1e-7 tolerance 0'; do
    # VALUE WORDS: of --param, or of the option that the words name
    set -- $other
    case $1 in
    *=*) call 2 $run --resume --param "$1" ;;
    *) call 2 $run --resume "--$2" "$1" ;;
    esac
    err_has "the checkpoint has '$2 $3', and what reads it '$2 "
done
rm -f rows* c.chk*
run="sweep furuta --init swing=3:3.1:4000 --steps 4000 --output rows.csv --checkpoint c.chk"
# shellcheck disable=SC2086
killed_once_kept $run
# shellcheck disable=SC2086
{
    call 2 $run --resume --gravity 0,0,-1
    err_has 'gravity'
    call 2 $run --resume --halvings 4
    err_has 'halvings 0'
}
rm -f rows* c.chk* kept moved
if [ -n "$files" ]; then
    echo '<mujocoinclude><body><joint/><geom size="0.1" pos="0 0 1"/></body></mujocoinclude>' >part.xml
    echo '<mujoco><worldbody><include file="part.xml"/></worldbody></mujoco>' >model.xml
    run="run model.xml --init body1=0.1 --steps 3000000 --every 100 --output rows.csv --checkpoint c.chk"
    # shellcheck disable=SC2086
    killed_once_kept $run
    echo ' ' >>part.xml
    # shellcheck disable=SC2086
    call 2 $run --resume
    err_has 'file '
    rm -f rows* c.chk* part.xml model.xml
fi
call 0 run suslov --steps 10 --output a.csv --checkpoint c.chk --resume
err_has 'there is no checkpoint c.chk; the run begins at step 0'
that 'no checkpoint is left' test ! -e c.chk

# --- Ctrl-C: the same, at a moment of one's own ------------------------------------------------------------------------
args="run rolling-disk --steps 150000 --every 100 --checkpoint c.chk"
# shellcheck disable=SC2086
"$liegrp" $args --output stopped.csv >out 2>err </dev/null &
child=$!
until_there 0 c.chk
kill -INT $child
wait $child
said="liegrp $args"
that 'it stopped by the signal' grep -q 'the same command with --resume continues' err
# shellcheck disable=SC2086
"$liegrp" $args --output stopped.csv --resume >out 2>err </dev/null || fail "$said: resumed"
"$liegrp" run rolling-disk --steps 150000 --every 100 --output whole.csv >out 2>err </dev/null
that 'the same bytes' cmp stopped.csv whole.csv
rm -f stopped* whole*

# --- rows that were changed between a run and its continuation --------------------------------------------------------
for format in csv npy npz; do
    args="run rolling-disk --steps 100000 --every 10 --quiet --checkpoint c.chk --output rows.$format"
    # shellcheck disable=SC2086
    "$liegrp" $args >out 2>err </dev/null &
    child=$!
    until_there 40000 "rows.$format.*.part"
    kill -INT $child
    wait $child
    part=$(echo "rows.$format".*.part)
    cp "$part" kept.part
    cp c.chk kept
    for at in 10000 20000 40000; do
        for byte in 7 8; do # one of them is another one
            cp kept.part "$part"
            printf $byte | dd of="$part" bs=1 seek=$at conv=notrunc 2>/dev/null
            cp "$part" changed
            cmp -s changed kept.part && continue
            # shellcheck disable=SC2086
            call 2 $args --resume
            err_has "its unfinished part $part has changed since it was written; restore that file"
            that 'the checkpoint is as it was' cmp c.chk kept
            that 'the rows are as they were' cmp "$part" changed
        done
    done
    cp kept.part "$part"
    # shellcheck disable=SC2086
    call 0 $args --resume
    call 0 run rolling-disk --steps 100000 --every 10 --quiet --output "whole.$format"
    that 'the same bytes' cmp "rows.$format" "whole.$format"
    rm -f rows* whole* kept* changed
done
finish
