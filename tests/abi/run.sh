#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# run.sh INCLUDE LIBRARY SYMBOLS [FLAG...]: does the library keep its word on binary compatibility
# (docs/conventions.md)? The programs are compiled against the present headers, older and newer ones (headers.py); the
# exported symbols are compared with the list SYMBOLS, all declarations with declarations.txt, and the soname is 1. FLAGs are those that the library itself needs of a program.
set -eu
include=$1 library=$2 symbols=$3
shift 3
here=$(cd "$(dirname "$0")" && pwd)
CC=${CC:-cc}

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() { echo "abi test: $*" >&2; exit 1; }
LC_ALL=C
LD_LIBRARY_PATH=$(dirname "$library")${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
export LC_ALL LD_LIBRARY_PATH

mkdir "$work/older" "$work/newer"
python3 "$here/headers.py" "$include" "$work/older" "$work/newer" "$work/layout.c" >"$work/structs" ||
    fail 'headers.py failed'
$CC -std=c11 -Wall -Wextra -Werror -fsyntax-only -I"$include" "$work/layout.c" || fail 'a struct cannot grow'

# The manual lists the structs that grow, and none that does not exist.
page=$here/../../docs/conventions.md
sed -n '/^\*\*Structs that grow/,/^$/p' "$page" | grep -o 'lg_[a-z_]*' | sort -u | diff "$work/structs" - ||
    fail "structs with a size (<) are not those of $page (>)"
for name in $(sed -n '/^\*\*Frozen structs/,/^$/p' "$page" | grep -o 'lg_[a-z_]*'); do
    grep -rqE "^(typedef struct $name \{|\} $name;)" "$include" || fail "$page: there is no struct $name"
done

for headers in "$include" "$work/older" "$work/newer"; do
    for program in consumer refused; do
        # shellcheck disable=SC2086 # CC is words
        $CC -std=c11 -Wall -Wextra -Werror -I"$headers" -o "$work/$program.$(basename "$headers")" \
            "$here/$program.c" "$library" -lm "$@" || fail "$program.c does not compile against $headers"
    done
done
if command -v "${CXX:-c++}" >/dev/null 2>&1; then
    echo '#include <liegrp/liegrp.h>' >"$work/headers.cpp"
    ${CXX:-c++} -std=c++11 -Wall -Wextra -Wpedantic -Werror -fsyntax-only -I"$include" "$work/headers.cpp" ||
        fail 'the headers are not C++'
fi

"$work/consumer.include" >"$work/now" || { cat "$work/now"; fail 'the program with the present headers failed'; }
"$work/consumer.older" >"$work/then" || { cat "$work/then"; fail 'the program with older headers failed'; }
cmp -s "$work/now" "$work/then" || { diff "$work/now" "$work/then" || true; fail 'older headers give other numbers'; }
echo "ok: the same numbers with older headers ($(wc -l <"$work/structs") structs, $(wc -l <"$work/now") lines)"

# refused PROGRAM WORDS: every refusal has the status and, where there is a message, the words.
refused() {
    program=$1 words=$2
    shift 2
    "$program" "$@" >"$work/said" || fail "the program ended: $(cat "$work/said")"
    if grep -v "^LG_ERROR_ARGUMENT: .*$words" "$work/said" | grep -vx 'LG_ERROR_ARGUMENT: '; then
        fail "refusals without: $words"
    fi
    [ "$(grep -c "$words" "$work/said")" -ge 11 ] || fail "too few refusals with: $words"
}
refused "$work/refused.newer" 'compiled against a newer header; update the library'
refused "$work/refused.include" 'its size is 0, expected [0-9]* to [0-9]*; s[et].*\(_default()\|sizeof\)' 0
refused "$work/refused.older" 'its size is 0, expected' 0
echo "ok: $(wc -l <"$work/said") refusals of newer structs, and of structs without a size"

if [ "$symbols" != none ]; then
    nm -D --defined-only "$library" | awk '{ print $NF }' | grep '^lg_' | sort >"$work/symbols"
    sort "$symbols" | diff - "$work/symbols" >"$work/difference" || {
        cat "$work/difference"
        fail "exported symbols (>) are not those of $symbols (<): removing or changing one breaks programs"
    }
    echo "ok: $(wc -l <"$work/symbols") exported symbols"
fi
python3 "$here/declarations.py" "$include" "$here/declarations.txt" || fail "compared with $here/declarations.txt"
readelf -d "$library" | grep -q 'SONAME.*\[libliegrp\.so\.1\]' || fail "the soname of $library is not libliegrp.so.1"
