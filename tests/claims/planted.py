#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Plants errors in a copy of the library, one at a time, and sees that the right claims turn red.

usage: planted.py SOURCE-ROOT BUILD-ROOT LIBRARY TOOL [--all]

tests/claims/plants.txt lists them; without --all those marked `fast` only. What the error does not reach is taken from
BUILD-ROOT as it is: the objects that read its file are compiled from a copy of the sources and linked to the others. Of
what is compiled once for each vector width that is width 1, with which the claims step; with --all every width. What is
recompiled without an error must be green."""
import collections
import json
import os
import pathlib
import shlex
import shutil
import subprocess
import sys
import tempfile

COPIED = ("src", "include", "claims")


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
    """The sources once more, and the library and the command line linked from what is compiled of them."""

    def __init__(self, source, build, library, tool, every_width, folder):
        self.source, self.build, self.folder = source, build, pathlib.Path(folder)
        self.root = self.folder / "copy"
        self.library, self.tool = library, tool
        self.every_width = every_width
        for name in COPIED:
            shutil.copytree(source / name, self.root / name)
        self.commands = {one["output"]: shlex.split(one["command"])
                         for one in json.loads((build / "compile_commands.json").read_text())}
        self.readers = self.read_dependencies()

    def call(self, command):
        done = subprocess.run(command, cwd=self.build, capture_output=True, text=True)
        if done.returncode != 0:
            sys.exit(f"{shlex.join(command)}\n{done.stdout}{done.stderr}")
        return done.stdout

    def read_dependencies(self):
        """For each file of the sources the objects that read it."""
        readers, target = collections.defaultdict(list), None
        for line in self.call(["ninja", "-t", "deps"]).splitlines():
            if line.startswith(" "):
                readers[os.path.realpath(self.build / line.strip())].append(target)
            else:
                target = line.partition(":")[0]
        return readers

    def copied(self, path):
        """Where this file or folder of the sources stands in the copy, or None."""
        path = pathlib.Path(os.path.realpath(self.build / path))
        inside = path == self.source or any(path.is_relative_to(self.source / name) for name in COPIED)
        return str(self.root / path.relative_to(self.source)) if inside else None

    def compile(self, name):
        """The object of this name from the copy. Not optimised much: an error is one all the same."""
        words, out = iter(self.commands[name]), []
        for word in words:
            if word in ("-o", "-MQ", "-MF"):
                next(words)
            elif word != "-MD":
                copied = self.copied(word[2:]) if word.startswith("-I") else None
                out += [f"-I{copied}", word] if copied else [self.copied(word) or word]
        target = self.folder / "objects" / name
        target.parent.mkdir(parents=True, exist_ok=True)
        self.call(out + ["-Og", "-w", "-o", str(target)])
        return str(target)

    def link(self, target, objects):
        """Links TARGET of the build folder from these objects and its others, into self.folder. Those of its archives go
        in front of them, so that nobody asks the archives any more."""
        words = shlex.split(self.call(["ninja", "-t", "commands", target]).splitlines()[-1])
        at, out = words.index("-o") + 1, []
        members = [new for old, new in objects.items() if old not in words]
        words[at] = str(self.folder / os.path.basename(target))
        for word in words:
            if word.endswith(".a"):
                out, members = out + members, []
            if word.startswith("-Wl,-soname,"):
                soname = self.folder / word.rpartition(",")[2]
                soname.unlink(missing_ok=True)
                soname.symlink_to(words[at])
            out.append(objects.get(word, word))
        self.call(out)

    def make(self, file):
        """Compiles what reads this file, and links what that is part of."""
        for name in (self.library, self.tool):
            (self.folder / os.path.basename(name)).unlink(missing_ok=True)
        wide = set() if self.every_width else {"-DLANES=2", "-DLANES=4", "-DLANES=8"}
        names = [name for name in self.readers[str(self.source / file)]
                 if name.startswith(("src/", "claims/")) and not wide.intersection(self.commands[name])]
        if not names:
            sys.exit(f"nothing of {self.build} reads {file}")
        objects = {name: self.compile(name) for name in names}
        claims = {name: path for name, path in objects.items() if name.startswith("claims/")}
        if claims.keys() != objects.keys():
            self.link(self.library, {name: path for name, path in objects.items() if name not in claims})
        if claims:
            self.link(self.tool, claims)

    def red(self, claims):
        """Those of the claims that do not hold."""
        tool = self.folder / os.path.basename(self.tool)
        done = subprocess.run([str(tool if tool.exists() else self.build / self.tool), "verify", "--json", *claims],
                              env={**os.environ, "LD_LIBRARY_PATH": f"{self.folder}:{(self.build / self.library).parent}"},
                              capture_output=True, text=True, timeout=600)
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
    copy.make(plant["file"])
    claims = plant["claims"].split()
    green = set(claims) - copy.red(claims)
    path.write_text(text)
    print(f"{'FAIL' if green else 'ok  '} {plant['file']}: {plant['before']}  ->  {plant['after']}"
          f"\n       {' '.join(claims)}{'  STAYED GREEN: ' + ' '.join(sorted(green)) if green else ''}", flush=True)
    return green


def main():
    source, build = (pathlib.Path(word).resolve() for word in sys.argv[1:3])
    library, tool = (os.path.relpath(os.path.realpath(word), build) for word in sys.argv[3:5])
    plants = read_plants(source / "tests" / "claims" / "plants.txt")
    for p in plants:
        must_stand_once(p, (source / p["file"]).read_text())
    everything = "--all" in sys.argv
    plants = [p for p in plants if everything or p["speed"] == "fast"]
    with tempfile.TemporaryDirectory() as folder:
        copy = Copy(source, build, library, tool, everything, folder)
        claims = sorted({c for p in plants for c in p["claims"].split()})
        copy.make(plants[0]["file"])
        red = copy.red(claims)
        if red:
            sys.exit(f"red without any planted error: {' '.join(sorted(red))}")
        failed = [p for p in plants if try_plant(copy, p)]
    print(f"{len(plants)} errors planted, {len(plants) - len(failed)} noticed by all claims that should")
    sys.exit(1 if failed or not plants else 0)


main()
