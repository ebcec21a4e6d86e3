#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# reproducible.sh: builds the sources twice, in folders whose names have different lengths, under other locales, time
# zones and umasks, and compares what they install, byte by byte. Settings: GCC, the compiler, default gcc.
set -u
cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit 1
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
fail() { echo "reproducible: $*" >&2; exit 1; }
export SOURCE_DATE_EPOCH CCACHE_DISABLE=1 # a cache would compare a build with itself
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct) || fail 'the sources are no clone'

# build FOLDER ENVIRONMENT...: a clone, its build, and what it installs below FOLDER/installed.
build() {
    local folder=$1
    shift
    git clone -q . "$folder/sources" || return 1
    (
        cd "$folder/sources" || exit 1
        env "$@" CC="${GCC:-gcc}" meson setup build --prefix /usr -Dtests=false -Dbenchmarks=disabled -Ddocs=disabled \
            -Dpython=enabled && env "$@" ninja -C build && env "$@" DESTDIR="$folder/installed" meson install -C build
    ) >"$scratch/log" 2>&1 || { tail -n 20 "$scratch/log"; return 1; }
}

build "$scratch/a" LC_ALL=C TZ=UTC || fail 'the first build'
(umask 027 && build "$scratch/another-folder/whose-name-is-longer" LC_ALL=C.UTF-8 TZ=Asia/Kolkata) ||
    fail 'the second build'

cd "$scratch/a/installed" || exit 1
other=$scratch/another-folder/whose-name-is-longer/installed
diff <(find . | LC_ALL=C sort) <(cd "$other" && find . | LC_ALL=C sort) || fail 'other files are installed'
differ=0 count=0
while read -r file; do
    count=$((count + 1))
    cmp "$file" "$other/$file" || differ=$((differ + 1))
done < <(find . -type f -print)
[ "$count" -gt 100 ] || fail "only $count files are installed"
[ "$differ" -eq 0 ] || fail "$differ of $count files differ"
echo "reproducible: $count files of two builds are the same"
