#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# wheel.sh WHEEL: installs a wheel (scripts/wheel.sh) on clean systems of Debian in scratch folders, which have Python and
# NumPy and no compiler, and uses it there: a run, a robot from a file, a page, the tool. Needs root and mmdebstrap; where
# no system can be set up, a virtual environment here is used, without a compiler on its path, and this is said.
# Settings: RELEASES, which systems, default "bookworm trixie"; SYSTEM, a folder with one that is there already.
set -u
wheel=$(realpath "$1") || exit 1
sources=$(cd "$(dirname "$0")/../.." && pwd)
scratch=$(mktemp -d)
trap '[ "${#mounted[@]}" -eq 0 ] || umount "${mounted[@]}"; rm -rf --one-file-system "$scratch"' EXIT
mounted=()
fail() { echo "wheel: $*" >&2; exit 1; }

cat >"$scratch/use.py" <<'PYTHON'
import shutil, subprocess, sys
import liegrp
assert not any(shutil.which(program) for program in ('cc', 'gcc', 'clang', 'meson', 'ninja')), 'a compiler is here'
run = liegrp.run(liegrp.Model('rolling-ball'), steps=100)
assert len(run.rows) == 101
page = run.view().html
assert '</html>' in page and 'three.js authors' in page
robot = liegrp.Mechanism.read('arm.urdf')
motion = liegrp.run(robot, steps=50)
assert len(motion.rows) == 51
assert liegrp.verify('gni-energy-biinvariant')[0].holds
tool = subprocess.run([sys.argv[1], 'run', 'rolling-ball', '--steps', '100', '--quiet', '--output', '-'], check=True,
                      capture_output=True, text=True).stdout
assert len(tool.splitlines()) == 102
print('wheel: a run, a page, a robot from a file, a claim, the tool', liegrp.__version__, 'Python', sys.version.split()[0])
PYTHON

# within ROOT FOLDER COMMAND...: installs the wheel in FOLDER of the system below ROOT and uses it; COMMAND enters it.
within() {
    local root=$1 folder=$2
    shift 2
    mkdir -p "$root$folder"
    cp "$wheel" "$scratch/use.py" "$sources"/examples/robots/arm.urdf "$root$folder"
    "$@" sh -eu -c "cd $folder && /usr/bin/python3 -m venv --system-site-packages venv &&
        venv/bin/python -m pip install --no-index --no-deps --quiet ./*.whl &&
        venv/bin/python use.py $folder/venv/bin/liegrp" || fail "it does not work in $root$folder"
}

# Each library that is inside has the text of its licence.
names=$(python3 -c 'import sys, zipfile; print(*zipfile.ZipFile(sys.argv[1]).namelist(), sep="\n")' "$wheel") || fail 'no wheel'
grep -q 'dist-info/.*LICENSE' <<<"$names" || fail 'the licence of liegrp is missing'
libraries=$(sed -n 's|^liegrp.libs/\(.*\)-liegrp\(.*\)|\1\2|p' <<<"$names")
[ -n "$libraries" ] || fail 'no library is inside'
for library in $libraries; do
    grep -qF "dist-info/licenses/$library.txt" <<<"$names" || fail "the licence of $library is missing"
done
echo "wheel: $(wc -w <<<"$libraries") libraries with their licences"

# The system's loader finds the folder of a program by /proc.
mount_proc() { mount -t proc proc "$1/proc" && mounted+=("$1/proc"); }
enter() { chroot "$1" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root "${@:2}"; }
# set_up RELEASE FOLDER
set_up() {
    [ "$(id -u)" -eq 0 ] && command -v mmdebstrap >/dev/null 2>&1 &&
        mmdebstrap --mode=root --variant=apt --include=python3-numpy,python3-cffi-backend,python3-venv "$1" "$2" >"$scratch/log" 2>&1 &&
        mount_proc "$2"
}
used=0
if [ -n "${SYSTEM:-}" ]; then
    mount_proc "$SYSTEM"
    within "$SYSTEM" /tmp/wheel enter "$SYSTEM" && used=1
else
    for release in ${RELEASES:-bookworm trixie}; do
        set_up "$release" "$scratch/$release" || continue
        within "$scratch/$release" /tmp/wheel enter "$scratch/$release"
        echo "wheel: installed and used on a clean $release"
        used=$((used + 1))
    done
fi
if [ "$used" -eq 0 ]; then
    mkdir "$scratch/path"
    for program in sh uname ldconfig; do ln -s "$(command -v $program)" "$scratch/path"; done
    within '' "$scratch/here" env -i PATH="$scratch/path" HOME="$scratch"
    echo 'wheel: no clean system could be set up here; used in a virtual environment without a compiler'
fi
