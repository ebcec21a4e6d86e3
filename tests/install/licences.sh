#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# licences.sh FOLDER...: whatever of others is in these folders (pages, tools, an installed tree) has the text of its
# licence there (scripts/licences.py); and the check sees what has none.
set -eu
check=$(cd "$(dirname "$0")/../../scripts" && pwd)/licences.py
"$check" --check "$@"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/unknown" "$work/page"
echo 'alert(1)' >"$work/unknown/other.js"
echo '<script>THREE.REVISION="111"</script>' >"$work/page/page.html"
for folder in unknown page; do
    if "$check" --check "$work/$folder" 2>/dev/null; then
        echo "licences: what is in $folder has no licence, and it was not seen" >&2
        exit 1
    fi
done
echo 'licences: everything that is embedded has its text'
