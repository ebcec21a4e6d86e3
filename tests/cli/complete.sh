#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# complete.sh LIEGRP COMPLETIONS: the candidates of liegrp complete, and the scripts of the installed shells.
. "$(dirname "$0")/common.sh"
scripts=$(cd "$2" && pwd)
begin "$1"

knows() { # knows CANDIDATE WORD...
    wanted=$1
    shift
    call 0 complete -- "$@"
    that "knows $wanted" grep -qF -e "$wanted	" out
}
lacks() { that "should not know $1" sh -c '! grep -qF -e "$1" out' - "$1"; }

knows run ''
knows --version --v
knows rolling-ball run ''
knows four-bar run four
knows --method run rolling-ball --m
knows Omega= run rolling-ball --param ''
lacks epsilon=
knows --param=Omega= run rolling-ball --param=Om
knows xi_1= sweep suslov --init xi
knows axis= run suslov --init ax
knows a_vel= run four-bar --init a_
knows u_1= run two-wheeled-robot --control ''
knows theta= optimise two-wheeled-robot --to x=1,y=1,th
knows u_2= optimise two-wheeled-robot --limit u_1=2,
knows u_1= optimise two-wheeled-robot --effort ''
knows phi= gait snakeboard --moves x=1,ph
knows psi= gait snakeboard --swing ps
knows elbow optimise double-pendulum --motor el
knows elbow= optimise double-pendulum --motor elbow --limit el
knows lower.mass identify double-pendulum --free upper.mass,lower.m
knows elbow_vel identify double-pendulum --free-init shoulder,elbow_
knows rest optimise two-wheeled-robot --guess r
knows sem@suzuki4 run suslov --method sem
knows sem@suzuki4 run suslov --method sem@
knows sem,gni:midpoint convergence suslov --methods sem,gni:m
knows cayley run suslov --retraction c
knows paper run suslov --start p
knows npy run suslov --format n
knows ground run --contacts gr
knows suslov run --contacts sus
knows suslov run --contacts joints sus
knows axis= run --contacts suslov --init ax
knows x:y run rolling-ball --plot-columns x:y
knows energy_drift sweep suslov --plot-columns energy_
knows sem-energy verify sem-en
knows ferraro2008 verify sem-energy fer
knows 000-5 figure 000-
knows methods bench m
knows systems list s
knows sweep help s
call 0 complete -- run suslov --output ''
that 'files' grep -qxF :files out
call 0 complete -- run nonsense --param ''
that 'nothing of an unknown system' test ! -s out
wrong 'two dashes' complete run
wrong 'two dashes' complete
call 0 complete --help
that 'help' grep -qF 'usage:' out
robot=$scripts/../../examples/robots/rover.urdf
knows four-bar run -- four
"$liegrp" info "$robot" >/dev/null 2>&1 && knows left_wheel_joint_vel= run "$robot" --floating --wheel left_wheel=0.1 --wheel right_wheel=0.1 --init left_wheel_joint_v
cat >keyed.xml <<'XML'
<mujoco><worldbody><body name="p"><joint name="j"/><geom size="0.1" pos="0.2 0 0"/></body></worldbody>
  <sensor><jointpos name="angle" joint="j"/></sensor><keyframe><key name="bent"/></keyframe></mujoco>
XML
"$liegrp" info keyed.xml >/dev/null 2>&1 && {
    knows bent run keyed.xml --key ''
    knows angle run keyed.xml --sensors --plot-columns a
}
call 0 complete -- run furuta --control turn=
that 'a control can be a file' grep -qxF :files out
call 0 complete -- sweep furuta --control turn=
that 'that of a sweep cannot' test ! -s out
for words in '-- nonsense' '-- verify -- nons' '-- complete x' '-- run --nonsense=x' '-- run nonsense --control' '-- ' '--'; do
    # shellcheck disable=SC2086 # words
    call 0 complete $words ''
done

# Every system has a name for each of its parameters, and the tool takes it.
"$liegrp" complete -- run rolling-ball --param '' | cut -f1 >names
while read -r name; do
    value=$("$liegrp" info rolling-ball | awk -v n="${name%=}" '$1 == n && $2 == "=" { print $3; exit }')
    call 0 run rolling-ball --steps 1 --quiet --param "$name$value"
done <names
# So are options of methods whose number is one's own.
"$liegrp" complete -- run suslov --method '' | cut -f1 | grep '=$' >names
that 'methods with numbers' test -s names
sed 's/^variational.*//' names | while read -r name; do
    [ -z "$name" ] || "$liegrp" run suslov --steps 1 --quiet --method "$name$(case $name in *alpha=) echo 0.3 ;; *) echo 4 ;; esac)" ||
        echo "$name"
done >bad 2>&1
that 'they are taken' test ! -s bad

# --- bash -------------------------------------------------------------------------------------------------------------
# typed WORD...: what bash would offer.
typed() {
    bash -c '. "$1/liegrp.bash"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _liegrp; printf "%s\n" "${COMPREPLY[@]}"' \
        - "$scripts" "$liegrp" "$@" >out 2>err
}
typed run rolling-ball --param ''
that 'bash: parameters' grep -qxF Omega= out
typed run suslov --method = sem @ su
that 'bash: words that bash has split' grep -qxF suzuki4 out
typed run suslov --method gni : mid
that 'bash: options of methods' grep -qxF midpoint out
typed ru
that 'bash: commands' grep -qxF run out
: >a-file.csv
typed run suslov --output a-f
that 'bash: files' grep -qxF a-file.csv out

# --- zsh and fish -----------------------------------------------------------------------------------------------------
if command -v zsh >/dev/null 2>&1; then that 'zsh: syntax' zsh -n "$scripts/_liegrp"; fi
if command -v fish >/dev/null 2>&1; then
    that 'fish: syntax' fish -n "$scripts/liegrp.fish"
    mkdir -p bin && ln -sf "$liegrp" bin/liegrp
    HOME=$PWD PATH=$PWD/bin:$PATH fish -c "source $scripts/liegrp.fish; complete -C 'liegrp run rolling-ball --param Om'" >out 2>err
    that 'fish: parameters' grep -q '^Omega=' out
fi
finish
