#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# without.sh: a build without three.js makes no pages and reports what is missing; set-up with -Dview=enabled fails.
set -u
cd "$(dirname "$0")/../.." || exit 1
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
failed=0
fail() {
    echo "FAIL: $*"
    failed=1
}

meson setup "$dir/b" -Dthree="$dir/none.js" -Dtests=false -Ddocs=disabled -Dbenchmarks=disabled -Dpython=disabled \
    -Dmpi=disabled -Doptimization=0 -Dwidths= -Dtangents=disabled >"$dir/log" 2>&1 || fail 'the build without three.js cannot be set up'
ninja -C "$dir/b" cli/liegrp >>"$dir/log" 2>&1 || fail 'the tool is not built without three.js'
"$dir/b/cli/liegrp" run suslov --steps 3 --quiet --view "$dir/a.html" 2>"$dir/err"
[ $? -eq 2 ] || fail '--view is not refused'
grep -q 'libjs-three' "$dir/err" || fail '--view does not say what is missing'
[ ! -e "$dir/a.html" ] || fail 'a page was written'
"$dir/b/cli/liegrp" run suslov --steps 3 --quiet --output "$dir/a.csv" || fail 'a run without a page fails'
meson setup "$dir/c" -Dview=enabled -Dthree="$dir/none.js" -Dtests=false -Ddocs=disabled -Dpython=disabled \
    >"$dir/log" 2>&1 && fail '-Dview=enabled is set up without three.js'
grep -q 'install libjs-three' "$dir/log" || fail '-Dview=enabled does not say what to install'
[ "$failed" -eq 0 ] || tail -n 20 "$dir/log"
exit "$failed"
