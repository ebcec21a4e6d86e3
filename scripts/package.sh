#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# package.sh [FOLDER]: builds the Debian packages of packaging/debian from the tracked files, in a scratch folder, and
# leaves them in FOLDER (default packages/). Installs nothing; scripts/setup.sh package does.
set -eu
cd "$(dirname "${BASH_SOURCE[0]}")/.."
out=${1:-packages}
mkdir -p "$out" && out=$(cd "$out" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

mkdir "$work/liegrp"
git ls-files -z | xargs -0 tar -cf - | tar -xf - -C "$work/liegrp"
cp -r "$work/liegrp/packaging/debian" "$work/liegrp/debian"
(cd "$work/liegrp" && dpkg-buildpackage -us -uc -b -j"${JOBS:-$(nproc)}")
cp "$work"/*.deb "$work"/*.changes "$work"/*.buildinfo "$out"
ls -1 "$out"/*.deb
# The maintainer has no address: the publisher of the packages puts one into control and changelog.
if command -v lintian >/dev/null 2>&1; then
    lintian --allow-root --fail-on error,warning --suppress-tags bogus-mail-host,bogus-mail-host-in-debian-changelog "$out"/*.changes
fi
