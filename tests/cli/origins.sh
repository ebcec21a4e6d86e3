#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# origins.sh LIEGRP MY_SYSTEM [ROBOTS]: every format holds the same rows; rows have their provenance, in a sidecar or
# inside; --from computes them again, byte for byte, or reports the difference. The formats are those that liegrp was
# built with.
# Prints what fails; the exit status tells whether something did.
set -u
# shellcheck source=tests/cli/common.sh
. "$(cd "$(dirname "$0")" && pwd)/common.sh"
own=$(absolute "$2")
robots=${3:+$(absolute "$3")}
begin "$1"

# Debian's own, which has the modules; any other may lack them.
python=/usr/bin/python3
[ -x $python ] || python=python3
formats='csv npy'
"$liegrp" run suslov --steps 1 --quiet --output t.npz 2>/dev/null && formats="$formats npz"
"$liegrp" run suslov --steps 1 --quiet --output t.h5 2>/dev/null && formats="$formats h5"
has() { case " $formats " in *" $1 "*) true ;; *) false ;; esac; }
modules=$($python -c 'for name in "numpy", "h5py":
    try:
        __import__(name)
        print(name)
    except ImportError:
        pass' | tr '\n' ' ')
can() { case " $modules" in *" $1 "*) true ;; *) false ;; esac; }
rm -f t.*

# --- formats ----------------------------------------------------------------------------------------------------------
# rows COMMAND...: the rows of all formats are those of the NPY.
cat >compare.py <<'P'
import glob, json, os, sys
import numpy
for folder in sorted(glob.glob("rows.*")):
    rows = numpy.load(folder + "/r.npy")
    for name in sys.argv[1:]:
        where = folder, name
        if name == "npz":
            z = numpy.load(folder + "/r.npz")
            assert z.files == ["rows", "provenance"], (where, z.files)
            other, text = z["rows"], str(z["provenance"])
        else:
            import h5py
            h = h5py.File(folder + "/r.h5", "r")
            d = h["rows"]
            assert d.chunks is not None and d.compression == "gzip" and d.shuffle and d.dtype == rows.dtype, where
            other, text = d[:], h.attrs["provenance"]
            told = json.loads(text)
            for key in "system", "method", "step", "steps", "ended", "done":
                assert h.attrs[key] == told[key], (where, key)
        assert other.dtype == rows.dtype and other.tobytes() == rows.tobytes(), where
        told, beside = json.loads(text), json.load(open(folder + "/r.npy.json"))
        assert told.pop("format") == {"npz": "npz", "h5": "hdf5"}[name] and beside.pop("format") == "npy", where
        assert told == beside, where
P
# rows NAME COMMAND...: all formats into a folder of theirs.
rows() {
    folder=rows.$1
    shift
    mkdir "$folder"
    call 0 "$@" --output "$folder/r.npy"
    for kind in npz h5; do
        has $kind || continue
        call 0 "$@" --output "$folder/r.$kind"
    done
}
rows ball run rolling-ball --steps 100 --quiet
for kind in npz h5; do
    has $kind || continue
    call 0 run rolling-ball --steps 100 --quiet --output again.$kind
    that 'the same bytes once more' cmp -s again.$kind rows.ball/r.$kind
done
rows initial run suslov --steps 0 --quiet
rows mechanism run double-pendulum --steps 20 --quiet
rows sweep sweep rolling-ball --param Omega=0:1:3 --steps 10 --every 5 --quiet
rows chunks run rolling-ball --steps 20000 --every 2 --method gni --quiet
kinds=
for kind in npz h5; do
    if has $kind && can numpy && { [ $kind = npz ] || can h5py; }; then kinds="$kinds $kind"; fi
done
# shellcheck disable=SC2086 # words
[ -z "$kinds" ] || that "the rows of$kinds" $python compare.py $kinds
rm -rf rows.* again.*
for kind in npz hdf5; do
    has "$([ $kind = npz ] && echo npz || echo h5)" || {
        wrong 'liegrp was built without it' run suslov --steps 1 --output "t.$kind"
        continue
    }
    call 0 run suslov --steps 5 --quiet --format $kind --output plain
    call 0 run suslov --steps 5 --quiet --format $kind --output -
    that 'standard output has the same bytes' cmp -s out plain
    wrong 'contradict each other' run suslov --format csv --output "t.$kind"
done
wrong "unknown format 'xlsx'" run suslov --format xlsx --output t
library=$(grep -ao 'libhdf5[a-z_]*\.so[.0-9]*' "$liegrp" | head -n 1) # where it is loaded when a file asks for it
if [ -n "$library" ]; then
    call 0 run suslov --steps 5 --quiet --output whole.h5
    mkdir broken
    : >"broken/$library"
    elsewhere=${LD_LIBRARY_PATH-}
    export LD_LIBRARY_PATH="$PWD/broken"
    wrong "need the HDF5 library, which does not load" run suslov --steps 5 --output t.h5
    call 0 run suslov --steps 5 --quiet --output - # all else goes on without it
    wrong "need the HDF5 library, which does not load" run --from whole.h5 --output t.csv
    export LD_LIBRARY_PATH="$elsewhere"
    that 'no file without the library' test ! -e t.h5 -a ! -e t.csv
    rm -rf broken whole.h5
fi
rm -f plain

# NumPy reads no more names of columns than 10000 bytes of its header have room for: more are refused before the run.
# robot JOINTS: all of them in the world.
robot() {
    awk -v n="$1" 'BEGIN {
        print "<robot name=\"many\"><link name=\"world\"/>"
        for (i = 1; i <= n; i++) {
            print "<link name=\"link" i "\"><inertial><origin xyz=\"0 0 0.1\"/><mass value=\"1\"/>" \
                "<inertia ixx=\"1\" iyy=\"1\" izz=\"1\" ixy=\"0\" ixz=\"0\" iyz=\"0\"/></inertial></link>"
            print "<joint name=\"hinge" i "\" type=\"continuous\"><parent link=\"world\"/><child link=\"link" i "\"/>" \
                "<axis xyz=\"0 1 0\"/></joint>"
        }
        print "</robot>" }'
}
if [ -n "$robots" ]; then
    robot 130 >few.urdf
    robot 170 >many.urdf
    for kind in $formats; do
        call 0 run few.urdf --steps 2 --quiet --output "few.$kind"
    done
    can numpy && that 'numpy reads them' $python -c 'import numpy
assert len(numpy.load("few.npy").dtype.names) == 400'
    has npz && can numpy && that 'numpy reads them' $python -c 'import numpy
assert len(numpy.load("few.npz")["rows"].dtype.names) == 400'
    call 0 run many.urdf --steps 2 --quiet --output many.csv
    for kind in npy npz; do
        has $kind || continue
        wrong "many.$kind: the names of 520 columns make the header of a NumPy array 12022 bytes long" \
            run many.urdf --steps 2 --output "many.$kind"
        err_has 'and numpy.load() reads at most 10000; take csv'
        wrong 'numpy.load() reads at most 10000' run many.urdf --method gni --steps 3 --output "many.$kind"
        wrong 'numpy.load() reads at most 10000' sweep many.urdf --init hinge1=0:1:3 --steps 3 --output "many.$kind"
        wrong 'standard output: the names of 520' run many.urdf --steps 3 --format $kind --output -
        no_file "many.$kind"
    done
    if has h5; then
        wrong 'take csv or hdf5' run many.urdf --steps 2 --output many.npy
        call 0 run many.urdf --steps 2 --quiet --output many.h5
        can h5py && that 'h5py reads them' $python -c 'import h5py
assert len(h5py.File("many.h5", "r")["rows"].dtype.names) == 520'
        robot 1200 >most.urdf
        wrong 'take csv' run most.urdf --steps 2 --output most.h5
        wrong 'at most 10000; take csv' run most.urdf --steps 2 --output most.npy
        that 'hdf5 is no way out' not in_file hdf5 err
    fi
    rm -f few.* many.* most.*
fi

# --- sidecar files ----------------------------------------------------------------------------------------------------
call 0 run suslov --steps 5 --quiet --output a.csv
that 'a provenance' grep -q '"liegrp provenance": 1' a.csv.json
that 'with the command' grep -qF '"arguments": ["run", "suslov", "--steps=5"]' a.csv.json
chmod 600 a.csv
call 0 run suslov --steps 6 --quiet --output a.csv
that 'as private as the rows' test "$(stat -c %a a.csv.json)" = 600
cp a.csv before.csv
cp a.csv.json before.json
call 2 run suslov --steps 6 --quiet --output a.csv --init xi_1=nan
call 3 run suslov --steps 50 --step 1e200 --quiet --output failed.csv
that 'it says that the run failed' grep -q '"ended": "failed"' failed.csv.json
said='a run that ends badly'
that 'the rows stay' cmp -s a.csv before.csv
that 'and where they come from' cmp -s a.csv.json before.json
call 0 run suslov --steps 7 --quiet --output a.csv --no-provenance
that 'the old one is gone' test ! -e a.csv.json
call 0 run suslov --steps 7 --quiet --output a.csv
has npz && call 0 run suslov --steps 7 --quiet --format npz --output - && that 'no sidecar of a stream' test ! -e -.json
echo 'a letter' >a.csv.json
wrong 'is not the sidecar that liegrp writes for' run suslov --steps 7 --quiet --output a.csv
that 'somebody else'\''s file stays' grep -q letter a.csv.json
rm a.csv.json
mkdir a.csv.json
wrong 'is not the sidecar that liegrp writes for' run suslov --steps 7 --quiet --output a.csv
rmdir a.csv.json
mkdir there
ln -s there/real.csv link.csv
call 0 run suslov --steps 5 --quiet --output link.csv
that 'the sidecar is next to the target of the link' test -s there/real.csv.json -a ! -e link.csv.json
call 0 run --from link.csv --output b.csv --quiet
that 'and is found there' cmp -s b.csv there/real.csv
wrong 'are the same file' run suslov --steps 2 --output c.csv --plot c.csv.json.svg --checkpoint c.csv.json
call 0 run suslov --steps 2 --quiet --output /dev/null
that 'no sidecar of a device' test ! -e /dev/null.json
rm -rf there link.csv ./*.csv ./*.json

# --- made again -------------------------------------------------------------------------------------------------------
# with FILE again OPTION...: of rows that were made with a file, which --from wants to be named.
with() {
    named="--allow $1"
    shift
    "$@"
    named=
}
named=
# again OPTION...: the same bytes from the file and its sidecar alone: of the first run and the first sweep
# in every format, of the others in one of them after the other.
others=$formats
again() {
    command=$1
    shift
    case $* in
    'rolling-ball --steps 20' | 'rolling-ball --param Omega=0:1:3 '*) kinds=$formats ;;
    *)
        kinds=${others%% *}
        others="${others#* } $kinds"
        ;;
    esac
    for kind in $kinds; do
        call 0 "$command" "$@" --quiet --output "x.$kind"
        # shellcheck disable=SC2086 # words
        call 0 "$command" --from "x.$kind" $named --quiet --output "y.$kind"
        said="liegrp $command $* ($kind)"
        that 'the same bytes from its provenance' cmp -s "x.$kind" "y.$kind"
        [ ! -e "x.$kind.json" ] || that 'the same provenance' cmp -s "x.$kind.json" "y.$kind.json"
    done
    rm -f x.* y.*
}
again run rolling-ball --steps 20
again run rolling-ball --param Omega=0.9 --param I1=0.5 --init x=0.1 --init qx=0.6 --step 0.05 --time 1 --every 3
again run suslov --method gni:midpoint --start legendre --init xi_1=0.3 --project
again run suslov --method gni@suzuki4 --retraction cayley --steps 10 --step=-0.01
again run heavy-top --method gauss --tolerance 1e-8 --steps 10 --init axis=1,2,3 --init angle=30deg
again run chaplygin-sleigh --method rk4 --steps 5
printf '0,0.5\n0.02,-1\n' >torque.csv
with torque.csv again run two-wheeled-robot --control u_1=0.1 --control u_2=torque.csv --steps 20
again run double-pendulum --steps 10 --param gravity.z=-1.6
again run furuta --method gni --steps 5
again sweep rolling-ball --param Omega=0:1:3 --init x=0.5 --steps 5
again sweep suslov --random 5 --seed 7 --param I11=1:2 --steps 5 --every 2 --first 1
again sweep suslov --param I11=1:2:3 --tolerance 1e-7 --steps 5
again sweep furuta --control turn=0:0.05:3 --steps 5
if [ -n "$robots" ]; then
    cp "$robots/arm.urdf" "$robots/rover.urdf" .
    with arm.urdf again run arm.urdf --steps 5 --gravity 0,0,-1.6
    call 0 run arm.urdf --steps 5 --quiet --output x.csv
    echo ' ' >>arm.urdf
    wrong 'arm.urdf has changed since' run --from x.csv --allow arm.urdf --output y.csv
    rm arm.urdf
    wrong 'it was made from a file that cannot be read now: arm.urdf' run --from x.csv --allow arm.urdf --output y.csv
    mkdir model
    echo '<mujoco><asset><mesh name="m" file="m.obj"/></asset><worldbody><include file="part.xml"/></worldbody></mujoco>' \
        >model/main.xml
    echo '<mujocoinclude><body pos="0 0 1"><joint axis="0 1 0"/><geom type="mesh" mesh="m"/></body></mujocoinclude>' \
        >model/part.xml
    printf 'v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n' >model/m.obj
    with 'model/main.xml --allow model/part.xml --allow model/m.obj' again run model/main.xml --steps 5
    call 0 run model/main.xml --steps 5 --quiet --output x.csv
    wrong 'add --allow model/part.xml --allow model/m.obj' run --from x.csv --allow model/main.xml --output y.csv
    for name in part.xml m.obj; do
        echo ' ' >>model/$name
        wrong "model/$name has changed since" run --from x.csv --output y.csv \
            --allow model/main.xml --allow model/part.xml --allow model/m.obj
        call 0 run model/main.xml --steps 5 --quiet --output x.csv
    done
fi
cp "$own" ./own.so
with ./own.so again run ./own.so --steps 10
with own.so again run own.so --steps 10
cp "$own" ./-own.so
call 0 run --steps 10 --quiet --output x.csv -- -own.so
call 0 run --from x.csv --allow=-own.so --quiet --output y.csv
that 'a system that looks like an option' cmp -s x.csv y.csv
rm ./-own.so
call 0 run ./own.so --steps 10 --quiet --output x.csv
printf ' ' >>own.so
wrong 'own.so has changed since' run --from x.csv --allow ./own.so --output y.csv
cp "$own" ./own.so
echo '0.5,1' >>torque.csv
call 0 run two-wheeled-robot --control u_2=torque.csv --steps 5 --quiet --output x.csv
echo '0.7,1' >>torque.csv
wrong 'torque.csv has changed since' run --from x.csv --allow torque.csv --output y.csv
call 3 run suslov --steps 50 --step 1e200 --quiet --output x.csv
call 3 run --from x.csv --quiet --output y.csv
that 'a run that failed fails again' cmp -s x.csv y.csv
that 'and says so' cmp -s x.csv.json y.csv.json
rm -f ./*.csv ./*.json

# Everything that there is, once.
mkdir once again
for system in $("$liegrp" list systems | cut -f1) $("$liegrp" list mechanisms | cut -f1); do
    call 0 run "$system" --steps 3 --quiet --output "once/$system.csv"
    call 0 run --from "once/$system.csv" --quiet --output "again/$system.csv"
done
said='all systems and mechanisms'
that 'the same bytes and the same provenance' diff -r once again
that 'of each' test -s once/suslov.csv.json -a -s again/four-bar.csv.json
rm -rf once again

# program OPTION...: rows whose provenance has no words, as a program's has none, from what else it says.
program() {
    call 0 run "$@" --quiet --output x.csv
    sed '/"arguments"/d' x.csv.json >program.json
    call 0 run --from program.json --quiet --output y.csv
    said="without words: $*"
    that 'the same bytes' cmp -s x.csv y.csv
    that 'the same provenance' cmp -s program.json y.csv.json
}
program rolling-ball --param Omega=0.9 --init x=0.1 --init xi_1=0.3 --project --step 0.07 --steps 30 --every 3
program suslov --method gni:midpoint --start legendre --retraction cayley --step=-0.01 --steps 20
program heavy-top --method gauss --tolerance 1e-8 --init qx=0.6 --steps 10
call 0 run two-wheeled-robot --control u_1=1 --steps 2 --quiet --output x.csv
sed '/"arguments"/d' x.csv.json >program.json
wrong 'another program, which alone knows the controls' run --from program.json --output y.csv
call 0 run four-bar --steps 2 --quiet --output x.csv
sed '/"arguments"/d' x.csv.json >program.json
wrong 'another program, which alone knows the mechanism' run --from program.json --output y.csv
rm -f ./*.csv ./*.json

# --- options that may be combined with --from -------------------------------------------------------------------------
call 0 run rolling-ball --steps 20 --param Omega=0.9 --quiet --output x.npy
call 0 run --from x.npy --quiet --output -
that 'its own format, to standard output' cmp -s out x.npy
call 0 run --from x.npy.json --quiet --output plain
that 'from the provenance, in its own format' cmp -s plain x.npy
call 0 run --from x.npy --output x.csv --monitor-every 5 --no-accuracy --no-provenance
that 'another format' test "$(wc -l <x.csv)" -eq 22
call 0 run --from=x.npy --quiet --format csv --output y
that 'that is named' cmp -s x.csv y
call 0 run --from x.npy --quiet --output x.npy
wrong "'--steps' would change it" run --from x.npy --steps 30 --output y.npy
wrong "'suslov' would change it" run suslov --from x.npy --output y.npy
wrong 'computes rows: add --output FILE' run --from x.npy
wrong 'needs a value' run --from
wrong 'No such file' run --from nowhere.csv --output y.csv
wrong 'no regular file' run --from /dev/null --output y.csv
wrong 'it was not made by liegrp sweep' sweep --from x.npy --output y.npy
wrong 'has no provenance' run --from x.csv --output y.csv
wrong 'needs a value' run --from --help
call 0 run --from x.npy --help

# --- tampered files ---------------------------------------------------------------------------------------------------
# tampered SED TEXT: the provenance, edited, is refused with these words, and nothing is written.
tampered() {
    sed "$1" x.npy.json >t.json
    said="edited: $1"
    that 'it was changed' not cmp -s x.npy.json t.json
    wrong "$2" run --from t.json --output y.npy
    that 'nothing is written' test ! -e y.npy -a ! -e y.npy.json
}
tampered 's/"Omega": 0.9/"Omega": 0.8/' 'parameters.Omega is 0.8 there, 0.9 here'
tampered 's/"Omega=0.9"/x/; s/--param=Omega=0.9/--param=Omega=0.7/' 'parameters.Omega is 0.9 there, 0.7 here'
tampered 's/"version": "[^"]*"/"version": "99.0.0"/' 'it was made by liegrp 99.0.0'
tampered 's/"steps": 20/"steps": 20, "colour": "blue"/' 'a field that this run does not have: colour: "blue"'
tampered '/"method"/d' 'method is nothing there'
tampered 's/"liegrp provenance": 1/"liegrp provenance": 2/' 'cannot read this version of the provenance'
tampered 's/"liegrp provenance": 1/"something": 1/' 'not a provenance of liegrp'
tampered 's/"run", "rolling-ball"/"run", 7/' 'its arguments are not texts'
tampered 's/"run", "rolling-ball"/"run", "--no-such-option"/' 'unknown option'
tampered 's/"run", "rolling-ball"/"sweep", "rolling-ball"/' 'it was not made by liegrp run'
tampered 's/"ended": "complete"/"ended": "interrupted"/' 'it was interrupted after 20 of 20'
tampered '$d' 'its provenance is damaged: it is not JSON from byte'
tampered 's/"qx"/"qx_2"/' 'there, "qx" here'
for kind in npz h5; do
    has $kind || continue
    call 0 run suslov --steps 5 --quiet --output "x.$kind"
    head -c 300 "x.$kind" >"cut.$kind"
    wrong 'is damaged' run --from "cut.$kind" --output y.csv
    call 0 run suslov --steps 5 --quiet --output "x.$kind" --no-provenance
    call 2 run --from "x.$kind" --output y.csv
done

# A copy that numpy wrote, stored or packed; and texts of more than ASCII.
if has npz; then
    printf '0,0.1\n0.02,-0.2\n' >'größe é €.csv'
    call 0 run two-wheeled-robot --control 'u_1=größe é €.csv' --steps 5 --quiet --output x.npz
    call 0 run --from x.npz --allow 'größe é €.csv' --quiet --output y.npz
    that 'the same bytes once more' cmp -s x.npz y.npz
    for how in savez savez_compressed; do
        can numpy || break
        $python -c "import numpy; numpy.$how('copy.npz', **numpy.load('x.npz'))"
        call 0 run --from copy.npz --allow 'größe é €.csv' --quiet --output y.npz
        that "from a copy by numpy.$how" cmp -s x.npz y.npz
    done
    rm -f x.npz y.npz copy.npz 'größe é €.csv'
fi

# --- checkpoints, and the disk ----------------------------------------------------------------------------------------
for kind in $formats; do
    call 0 run rolling-disk --steps 40000 --every 10 --quiet --output "x.$kind"
    said="killed ($kind)"
    "$liegrp" run rolling-disk --steps 40000 --every 10 --quiet --output "y.$kind" --checkpoint c.chk \
        --checkpoint-every 0.02 2>err &
    child=$!
    sleep 0.1
    kill -KILL $child
    wait $child 2>/dev/null # until it is gone, and with it its lock; timeout(1) kills itself, too, and does not wait
    [ ! -e "y.$kind" ] || rm -f "y.$kind" "y.$kind.json" c.chk # it was killed after its file had its name
    call 0 run rolling-disk --steps 40000 --every 10 --quiet --output "y.$kind" --checkpoint c.chk --resume
    that 'the same bytes after --resume' cmp -s "x.$kind" "y.$kind"
    [ ! -e "x.$kind.json" ] || that 'the same provenance' cmp -s "x.$kind.json" "y.$kind.json"
    rm -f ./*.part .liegrp* # of the moment of the kill
    said="a file that may not grow ($kind)"
    cp "y.$kind" before
    (ulimit -f 8; exec "$liegrp" run rolling-disk --steps 3000 --quiet --output "y.$kind" >out 2>err)
    that 'exit status 2' test $? -eq 2
    err_has 'File too large'
    that 'the old file stays' cmp -s "y.$kind" before
    [ ! -e "x.$kind.json" ] || that 'with its provenance' cmp -s "x.$kind.json" "y.$kind.json"
    that 'nothing is left' test -z "$(find . -name '*.part' -o -name '.liegrp*')"
    rm -f x.* y.* before c.chk
done

finish
