#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Plants errors in a copy of the library, one at a time, and sees that the right claims turn red.

usage: planted.py SOURCE-ROOT COMPILER [--all]

tests/claims/plants.txt lists them; without --all those marked `fast` only. The copy as it is must be green."""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile


def read_plants(path):
    """A plant is a block of lines `KEY: VALUE`, closed by an empty line: file, before, after, claims, speed."""
    plants, block = [], {}
    for line in path.read_text().splitlines() + [""]:
        if line.startswith("#"):
            continue
        if line.strip():
            key, _, value = line.partition(": ")
            block[key] = value
        elif block:
            missing = {"file", "before", "after", "claims", "speed"} - block.keys()
            if missing:
                sys.exit(f"{path}: a plant in {block.get('file', '?')} lacks {', '.join(sorted(missing))}")
            plants.append(block)
            block = {}
    return plants


class Copy:
    """The library and the command line, built apart."""

    def __init__(self, source, compiler, folder):
        self.root = pathlib.Path(folder) / "copy"
        self.build = self.root / "build"
        self.root.mkdir()
        for name in ("src", "include", "claims", "data", "benchmarks", "cli", "docs", "examples", "python", "web"):
            shutil.copytree(source / name, self.root / name)
        for name in ("meson.build", "meson_options.txt"):
            shutil.copy(source / name, self.root / name)
        self.call(["meson", "setup", str(self.build), str(self.root), "-Dtests=false", "-Ddocs=disabled",
                   "-Dbenchmarks=disabled", "-Dpython=disabled", "-Dwerror=false"], {"CC": compiler})
        self.make()

    def call(self, command, more=None):
        done = subprocess.run(command, capture_output=True, text=True, env={**os.environ, **(more or {})})
        if done.returncode != 0:
            sys.exit(f"{' '.join(command)}\n{done.stdout}{done.stderr}")

    def make(self):
        self.call(["ninja", "-C", str(self.build), "cli/liegrp"])

    def red(self, claims):
        """Those of the claims that do not hold."""
        done = subprocess.run([str(self.build / "cli" / "liegrp"), "verify", "--json", *claims], capture_output=True,
                              text=True, timeout=600)
        if done.returncode not in (0, 1):
            return {*claims} if done.returncode < 0 else sys.exit(f"liegrp verify: {done.stderr}")
        return {c["id"] for c in json.loads(done.stdout)["claims"] if c["verdict"] == "FAILS"}


def must_stand_once(plant, text):
    count = text.count(plant["before"])
    if count != 1:
        sys.exit(f"plants.txt: '{plant['before']}' stands {count} times in {plant['file']}")


def try_plant(copy, plant):
    """The claims that should have turned red and did not."""
    path = copy.root / plant["file"]
    text = path.read_text()
    path.write_text(text.replace(plant["before"], plant["after"]))
    copy.make()
    claims = plant["claims"].split()
    green = set(claims) - copy.red(claims)
    path.write_text(text)
    print(f"{'FAIL' if green else 'ok  '} {plant['file']}: {plant['before']}  ->  {plant['after']}"
          f"\n       {' '.join(claims)}{'  STAYED GREEN: ' + ' '.join(sorted(green)) if green else ''}", flush=True)
    return green


def main():
    source, compiler = pathlib.Path(sys.argv[1]), sys.argv[2]
    plants = read_plants(source / "tests" / "claims" / "plants.txt")
    for p in plants:
        must_stand_once(p, (source / p["file"]).read_text())
    plants = [p for p in plants if "--all" in sys.argv or p["speed"] == "fast"]
    with tempfile.TemporaryDirectory() as folder:
        copy = Copy(source, compiler, folder)
        claims = sorted({c for p in plants for c in p["claims"].split()})
        red = copy.red(claims)
        if red:
            sys.exit(f"red without any planted error: {' '.join(sorted(red))}")
        failed = [p for p in plants if try_plant(copy, p)]
    print(f"{len(plants)} errors planted, {len(plants) - len(failed)} noticed by all claims that should")
    sys.exit(1 if failed or not plants else 0)


main()
