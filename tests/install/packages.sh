#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# packages.sh FOLDER: installs the Debian packages of FOLDER (scripts/package.sh) on a clean system in a scratch folder
# and uses them there: the tool, pages of the manual, completion, a program by pkg-config, Python. Needs root and mmdebstrap;
# where no system can be set up, the packages are unpacked into a folder and the tool runs from there, and this is said.
set -u
packages=$(cd "$1" && pwd) || exit 1
here=$(cd "$(dirname "$0")" && pwd)
release=${RELEASE:-bookworm}
root=$(mktemp -d)
trap 'umount "$root/system/proc" 2>/dev/null; rm -rf --one-file-system "$root"' EXIT
fail() { echo "packages: $*" >&2; exit 1; }
inside() { chroot "$root/system" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root DEBIAN_FRONTEND=noninteractive "$@"; }

# A system with its package lists, from where this machine takes its own packages.
set_up() {
    local lists=()
    [ "$(id -u)" -eq 0 ] && command -v mmdebstrap >/dev/null 2>&1 || return 1
    [ ! -s /etc/apt/sources.list ] || lists+=(/etc/apt/sources.list)
    for file in /etc/apt/sources.list.d/*.sources /etc/apt/sources.list.d/*.list; do
        [ ! -e "$file" ] || lists+=("$file")
    done
    mmdebstrap --mode=root --variant=apt "$release" "$root/system" "${lists[@]}" >"$root/log" 2>&1 &&
        mount -t proc proc "$root/system/proc" 2>/dev/null
    [ -x "$root/system/usr/bin/apt-get" ]
}

clean_system() {
    cp "$packages"/*.deb "$here/consumer.c" "$root/system/tmp"
    inside sh -c 'apt-get update -q && apt-get install -q -y --no-install-recommends /tmp/*.deb gcc libc6-dev pkg-config man-db bash' \
        >"$root/log" 2>&1 || { tail -20 "$root/log"; fail 'apt-get install failed'; }
    inside liegrp run rolling-ball --steps 100 --quiet --output - | sha256sum >"$root/rows" || fail 'liegrp run failed'
    inside sh -c 'cc -o /tmp/consumer /tmp/consumer.c $(pkg-config --cflags --libs liegrp) && /tmp/consumer' ||
        fail 'a program by pkg-config'
    inside python3 -c "
import liegrp
run = liegrp.run(liegrp.Model('rolling-ball'), steps=100)
assert len(run.rows) == 101
assert '</html>' in run.view().html
assert liegrp.verify('gni-energy-biinvariant')[0].holds" ||
        fail 'the Python package'
    inside man -w liegrp-run || fail 'the page liegrp-run(1)'
    inside bash -c '. /usr/share/bash-completion/completions/liegrp; COMP_WORDS=(liegrp run rolling-ball --param "")
        COMP_CWORD=4; _liegrp; printf "%s\n" "${COMPREPLY[@]}"' | grep -qx Omega= || fail 'completion'
    inside sh -c 'apt-get remove -q -y "*liegrp*"' >"$root/log" 2>&1 || fail 'apt-get remove failed'
    ! inside sh -c 'command -v liegrp' || fail 'liegrp is still there after it was removed'
    echo 'packages: installed, used and removed on a clean system'
}

unpacked() {
    local lib
    for file in "$packages"/*.deb; do dpkg-deb -x "$file" "$root/prefix" || fail "$file"; done
    lib=$(dirname "$(find "$root/prefix" -name 'libliegrp.so.1')")
    LD_LIBRARY_PATH=$lib "$root/prefix/usr/bin/liegrp" run rolling-ball --steps 100 --quiet --output - | sha256sum \
        >"$root/rows" || fail 'liegrp run failed'
    echo 'packages: no clean system could be set up here; unpacked and used, NOT installed'
}

if set_up; then clean_system; else unpacked; fi
# The bits of a separate build, if there is one.
if [ -n "${2:-}" ]; then
    "$2" run rolling-ball --steps 100 --quiet --output - | sha256sum | cmp - "$root/rows" || fail 'other bits than '"$2"
    echo 'packages: the same bits'
else
    echo 'packages: their bits were NOT compared; build/ has no liegrp to compare them with'
fi
