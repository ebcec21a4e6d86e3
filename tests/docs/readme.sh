#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The program in the README is examples/quickstart.c to the letter, and every file that it names exists. $1: the source folder.
cd "$1" || exit 1
shown=$(awk '/^```c$/{on=1; next} /^```$/{on=0} on' README.md)
if [ "$shown" != "$(cat examples/quickstart.c)" ]; then
    echo "README.md: the program differs from examples/quickstart.c"
    exit 1
fi
for file in $(grep -o '`[a-z]*/[a-z_./-]*`' README.md | tr -d '\140' | grep -v '^build/\|^demo/'); do
    [ -e "$file" ] || { echo "README.md names $file, which does not exist"; exit 1; }
done
