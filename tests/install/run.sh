#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# run.sh BUILD PREFIX LIBDIR VERSION: installs into a temporary directory, then acts as a user: compiles with the flags
# of pkg-config (shared, static, C++), runs, and checks the installed headers, soname and symbols.
set -eu
build=$1 prefix=$2 libdir=$3 version=$4
here=$(cd "$(dirname "$0")" && pwd)
CC=${CC:-cc}
CXX=${CXX:-c++}
strict='-Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror'

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() { echo "install test: $*" >&2; exit 1; }

DESTDIR="$work/stage" meson install -C "$build" --no-rebuild --tags devel,runtime >"$work/install.log" 2>&1 ||
    { cat "$work/install.log"; fail 'meson install failed'; }
root=$work/stage$prefix
lib=$root/$libdir

# The staged copy refers to its final prefix; point it to the present one.
mkdir "$work/pkgconfig"
sed "s|^prefix=.*|prefix=$root|" "$lib/pkgconfig/liegrp.pc" >"$work/pkgconfig/liegrp.pc"
PKG_CONFIG_PATH=$work/pkgconfig${PKG_CONFIG_PATH:+:$PKG_CONFIG_PATH}
LD_LIBRARY_PATH=$lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
export PKG_CONFIG_PATH LD_LIBRARY_PATH
[ "$(pkg-config --modversion liegrp)" = "$version" ] || fail "pkg-config's version is not $version"
grep -qx "version: $version" "$here/../../CITATION.cff" || fail "the version of CITATION.cff is not $version"
head -n 1 "$here/../../packaging/debian/changelog" | grep -qF "liegrp ($version)" || fail "packaging/debian/changelog begins with another version"

# expect TITLE PROGRAM: it runs well and says the version first.
expect() {
    said=$("$2") || fail "$1: the program failed: $said"
    [ "$said" = "$version" ] || fail "$1: version $version expected, the program said: $said"
    echo "ok: $1"
}

# shellcheck disable=SC2046,SC2086 # flags are words
{
    $CC -std=c11 $strict -o "$work/shared" "$here/consumer.c" $(pkg-config --cflags --libs liegrp)
    expect 'C, shared' "$work/shared"

    $CC -o "$work/plain" "$here/consumer.c" $(pkg-config --cflags --libs liegrp)
    expect 'C, no flags but those of pkg-config' "$work/plain"

    # The archive by name, and the private libraries behind it.
    $CC -std=c11 $strict -o "$work/static" "$here/consumer.c" $(pkg-config --cflags liegrp) "$lib/libliegrp.a" \
        $(pkg-config --static --libs liegrp | sed 's/-lliegrp//')
    (unset LD_LIBRARY_PATH && expect 'C, static' "$work/static")

    if command -v "$CXX" >/dev/null 2>&1; then
        for standard in c++11 c++17; do
            $CXX -std=$standard $strict -o "$work/cpp" "$here/consumer.cpp" $(pkg-config --cflags --libs liegrp)
            expect "C++ ($standard)" "$work/cpp"
        done
    else
        echo "skipped: C++ (no $CXX)"
    fi

    if command -v cmake >/dev/null 2>&1; then
        cp "$here/CMakeLists.txt" "$here/consumer.c" "$work"
        { CC=$CC cmake -S "$work" -B "$work/cmake" -DCMAKE_PREFIX_PATH="$root" -Dliegrp_DIR="$lib/cmake/liegrp" -DVERSION="$version" &&
            cmake --build "$work/cmake"; } >"$work/cmake.log" 2>&1 || { cat "$work/cmake.log"; fail 'CMake'; }
        expect 'CMake, find_package(liegrp)' "$work/cmake/consumer"
    else
        echo 'skipped: CMake (no cmake)'
    fi

    # Each header compiles alone, and the umbrella has them all.
    cd "$root/include"
    find liegrp -name '*.h' | sort >"$work/headers"
    while read -r header; do
        printf '#include <%s>\nint main(void) { return 0; }\n' "$header" >"$work/alone.c"
        $CC -std=c11 $strict -fsyntax-only $(pkg-config --cflags liegrp) "$work/alone.c" || fail "$header does not stand alone"
    done <"$work/headers"
}
while read -r header; do
    [ "$header" = liegrp/liegrp.h ] || grep -qxF "#include \"${header#liegrp/}\"" "$root/include/liegrp/liegrp.h" ||
        fail "liegrp.h does not include $header"
done <"$work/headers"
echo "ok: $(wc -l <"$work/headers") headers, each alone and all in liegrp.h"

if command -v objdump >/dev/null 2>&1; then
    objdump -p "$lib/libliegrp.so" | grep -q 'SONAME  *libliegrp\.so\.1$' || fail 'the soname is not libliegrp.so.1'
    stray=$(objdump -T "$lib/libliegrp.so" | awk '$0 ~ / g / && $0 !~ /UND/ { print $NF }' | grep -v '^lg_' || true)
    [ -z "$stray" ] || fail "exported without the prefix lg_: $stray"
    echo 'ok: soname and exported names'
fi

"$root/bin/liegrp" list >"$work/list" || fail 'liegrp list failed'
(unset LD_LIBRARY_PATH && "$root/bin/liegrp" list >/dev/null) || fail 'liegrp does not find its library by itself'
echo 'ok: liegrp list'
