#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# plots.sh LIEGRP: contents of pictures of runs and sweeps.
. "$(dirname "$0")/common.sh"
begin "$1"
command -v gnuplot >/dev/null 2>&1 || { echo 'plots.sh: no gnuplot; ./scripts/setup.sh build installs it'; exit 1; }

# shows FILE TEXT..., hides FILE TEXT...: the picture has, or does not have, texts that begin with these.
shows() {
    file=$1
    shift
    for text; do that "$file should show $text" grep -qF -e ">$text" "$file"; done
}
hides() {
    file=$1
    shift
    for text; do that "$file should not show $text" sh -c "! grep -qF -e '$text' '$file'"; done
}

# --- run: what suits a system -----------------------------------------------------------------------------------------
# The table does work on the ball: energy and work, and their balance together with the moving energy.
call 0 run rolling-ball --steps 50 --plot ball.svg --quiet
that 'gnuplot has nothing to complain about' test ! -s err
shows ball.svg 'H − H₀' work 'H − H₀ − work' 'change of moving_energy' 'x [m]' 'y [m]' 'energy [J]'
call 0 run rolling-ball --method gni --steps 50 --plot gni.svg --quiet
hides gni.svg work
shows gni.svg 'change of moving_energy'
call 0 run suslov --steps 50 --plot suslov.svg --quiet
shows suslov.svg e3_x e3_y e3_z 'H − H₀ [10⁻¹³ J]' '(c) residual of the constraints'
hides suslov.svg qw work
call 0 run double-spherical-pendulum --steps 50 --plot two.svg --quiet
shows two.svg 'x1, y1' 'x2, y2' z1 z2
for system in $("$liegrp" list systems | cut -f1); do
    call 0 run "$system" --steps 3 --plot any.svg --quiet
    that 'nothing is amiss' test ! -s err
    that 'the energy is there' grep -q 'H − H₀' any.svg
    that 'several panels' grep -qF '>(b) ' any.svg
done

# --- run: chosen columns ----------------------------------------------------------------------------------------------
call 0 run roller-racer --steps 20 --plot own.svg --plot-columns 'x:y/xi_*/p_1,p_2/energy' --quiet
shows own.svg '(a) path' '(b) ξ₁, ξ₂' '(c) ξ₃, ξ₄' '(d) p₁, p₂' '(e) energy'
wrong "no column of suslov matches 'inv_*'" run suslov --steps 20 --plot own.svg --plot-columns 'inv_*'
wrong "unknown column 'xi1' of suslov; did you mean 'xi_1'?" run suslov --plot own.svg --plot-columns xi1
wrong 'an empty name' run suslov --plot own.svg --plot-columns xi_1,,xi_2
call 0 run suslov --steps 20 --plot own.svg --plot-columns xi_1,balance,normal --quiet
err_has "'normal' has no finite values in this run"
wrong 'nothing to show' run suslov --steps 20 --plot none.svg --plot-columns normal --quiet
that 'no picture' test ! -e none.svg

# --- sweep ------------------------------------------------------------------------------------------------------------
call 0 sweep suslov --param I11=1:3:5 --steps 50 --method gni --plot curve.svg --quiet
that 'gnuplot has nothing to complain about' test ! -s err
shows curve.svg 'I11 [kg m²]' 'largest |H − H₀| ['
call 0 sweep suslov --param I11=1:3:5 --init xi_1=0:1:4 --project --steps 50 --plot map.svg --plot-columns xi_2,status \
    --output map.csv --quiet
shows map.svg 'I11 [kg m²]' 'initial ξ₁ [rad/s]' '(a) ξ₂ [rad/s]' '(b) status [–]'
that 'the rows are written too' test "$(wc -l <map.csv)" -eq 21
call 0 sweep suslov --random 20 --param I11=1:3 --steps 5 --plot random.png --quiet
that 'a PNG' sh -c 'head -c 4 random.png | grep -aq PNG'
wrong 'but 3 are swept' sweep suslov --param I11=1:3:2 --param I22=1:3:2 --param I33=2:3:2 --plot a.svg
wrong "did you mean 'xi_1'?" sweep suslov --param I11=1:3:2 --plot a.svg --plot-columns xi1
wrong '--plot-columns needs --plot' sweep suslov --param I11=1:3:2 --plot-columns xi_1

finish
