#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# mujoco_models.sh SCRIPT DRIVER FOLDER ARGUMENT...: runs SCRIPT, mujoco_models.mjs or mujoco_contacts.mjs, with MuJoCo
# from npm, which it installs into FOLDER unless it is there; status 77, skipped, where there is no node, or no npm and
# no network.
set -u
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
script=$1 driver=$2 folder=$3
shift 3
skip() {
    echo "SKIPPED: $1: nothing was compared with MuJoCo" >&2
    exit 77
}
command -v node >/dev/null || skip 'there is no node'
mkdir -p "$folder" && cp "$here/$script" "$folder" || exit 1
if [ ! -d "$folder/node_modules/@mujoco/mujoco" ]; then
    command -v npm >/dev/null || skip 'there is no npm'
    (cd "$folder" && flock npm.lock npm install --no-save --no-audit --no-fund @mujoco/mujoco@3.14.0) ||
        skip 'npm cannot install @mujoco/mujoco'
fi
exec node "$folder/$script" "$driver" "$@"
