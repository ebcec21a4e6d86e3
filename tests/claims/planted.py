#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Plants errors in a copy of the library, one at a time, and sees that the right claims and tests turn red.

usage: planted.py SOURCE-ROOT BUILD-ROOT LIBRARY TOOL [--all]

tests/claims/plants.txt lists them; without --all those marked `fast` only. Objects whose sources read the changed file
are compiled from a copy of the sources and linked to the other objects of BUILD-ROOT. Sources that are compiled once
for each vector width are compiled at width 1, with which the claims step; for tests and with --all at every width.
Claims and tests that are recompiled without an error must be green.

A test is any of the fast suite, by its last suite and its name: integrators/gauss, cli/command line. Its program is
linked again, and it finds the library, the command line and the Python package with the error. Behind `: ` a part of
the test may follow, which is in the folder that its command ends with: python/python: test_symbols.py."""
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
PACKAGE = "python/liegrp"  # in the sources and, ready to be imported, in the build folder


def read_plants(path):
    """A plant is a block of lines `KEY: VALUE`, closed by an empty line: file, before, after, speed, and claims (with
    blanks between them), tests (with commas) or both."""
    plants, block = [], {}
    for line in path.read_text().splitlines() + [""]:
        if line.startswith("#"):
            continue
        if line.strip():
            key, _, value = line.partition(": ")
            block[key] = value
        elif block:
            missing = {"file", "before", "after", "speed"} - block.keys()
            if missing or not block.keys() & {"claims", "tests"}:
                sys.exit(f"{path}: a plant in {block.get('file', '?')} lacks "
                         f"{', '.join(sorted(missing)) or 'claims or tests'}")
            block["claims"] = block.get("claims", "").split()
            block["tests"] = [name.strip() for name in block.get("tests", "").split(",") if name.strip()]
            plants.append(block)
            block = {}
    return plants


def read_tests(build):
    """The fast tests that were built: SUITE/NAME and what is known of it."""
    known = json.loads((build / "meson-info" / "intro-tests.json").read_text())
    suites = [[suite.rpartition(":")[2] for suite in test["suite"]] for test in known]
    return {f"{suite[-1]}/{test['name']}": test for test, suite in zip(known, suites) if "fast" in suite}


class Copy:
    """The sources once more, and the library and the command line linked from what is compiled of them."""

    def __init__(self, source, build, library, tool, every_width, folder):
        self.source, self.build, self.folder = source, build, pathlib.Path(folder)
        self.root = self.folder / "copy"
        self.library, self.tool = library, tool
        self.every_width = every_width
        for name in COPIED:
            shutil.copytree(source / name, self.root / name)
        self.tests, self.package, self.objects = read_tests(build), self.folder / "python" / "liegrp", {}
        if (build / PACKAGE).is_dir():
            shutil.copytree(build / PACKAGE, self.package, ignore=shutil.ignore_patterns("*.p", "__pycache__"))
        self.commands = {one["output"]: shlex.split(one["command"])
                         for one in json.loads((build / "compile_commands.json").read_text())}
        self.links = {one["output"]: shlex.split(one["command"]) # -x: what files of arguments hold
                      for one in json.loads(self.call(["ninja", "-t", "compdb", "-x"]))}
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
        """The copy of this file or folder of the sources, or None."""
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
        """Links TARGET of the build folder from these objects and its others, into self.folder. Those of its
        archives go in front, so that they replace the archives' members."""
        words = list(self.links[target])
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

    def place(self, file):
        """Where this file of the sources is copied to."""
        inside = pathlib.PurePath(file)
        return self.package / inside.relative_to(PACKAGE) if inside.is_relative_to(PACKAGE) else self.root / file

    def compile_readers(self, file, folders):
        """The objects of these folders that read this file."""
        wide = set() if self.every_width else {"-DLANES=2", "-DLANES=4", "-DLANES=8"}
        return {name: self.compile(name) for name in self.readers[str(self.source / file)]
                if name.startswith(folders) and not wide.intersection(self.commands[name])}

    def make(self, file, tests):
        """Compiles what reads this file, and links what that is part of."""
        for name in (self.library, self.tool):
            (self.folder / os.path.basename(name)).unlink(missing_ok=True)
        self.objects = {}
        if file.startswith(PACKAGE):
            return
        every, self.every_width = self.every_width, self.every_width or bool(tests)
        self.objects = self.compile_readers(file, ("src/", "claims/"))
        self.every_width = every
        if not self.objects:
            sys.exit(f"nothing of {self.build} reads {file}")
        claims = {name: path for name, path in self.objects.items() if name.startswith("claims/")}
        if claims.keys() != self.objects.keys():
            self.link(self.library, {name: path for name, path in self.objects.items() if name not in claims})
        if claims:
            self.link(self.tool, claims)

    def replaced(self, word, file):
        """A word of a test's command: its program, the tool and the package are those of the copy."""
        path = os.path.relpath(self.build / word, self.build)
        made = self.folder / os.path.basename(path)
        if path == self.tool:
            return str(made if made.exists() else self.build / path)
        if path.startswith("tests/") and f"{path}.p" in {os.path.dirname(name) for name in self.commands}:
            own = self.compile_readers(file, (f"{path}.p/", "tests/libtest_support.a.p/"))
            parts = {name: at for name, at in self.objects.items() if name.startswith("src/")}
            self.link(path, {**parts, **own})
            return str(made)
        return str(self.build / word) if (self.build / word).exists() else word

    def fails(self, name, file):
        """Does this test fail? None: it is not built here."""
        name, _, part = name.partition(": ")
        if name not in self.tests:
            return None
        test = self.tests[name]
        words = [self.replaced(word, file) for word in test["cmd"]]
        if part:
            words[-1] = os.path.join(words[-1], part)
        env = {**os.environ, **test["env"]}
        if "PYTHONPATH" in env:
            env["PYTHONPATH"] = f"{self.package.parent}:{env['PYTHONPATH']}"
        env["LIEGRP_TOOL"] = self.replaced(self.tool, file)
        env["LD_LIBRARY_PATH"] = f"{self.folder}:{(self.build / self.library).parent}"
        done = subprocess.run(words, cwd=self.build, env=env, capture_output=True, text=True, timeout=600)
        if done.returncode in (77, 127) or (part and done.returncode not in (0, 1)):
            sys.exit(f"{name} cannot be run:\n{done.stdout}{done.stderr}")
        return done.returncode != 0

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
        sys.exit(f"plants.txt: '{plant['before']}' occurs {count} times in {plant['file']}")


def try_plant(copy, plant):
    """The claims and tests that should have turned red and did not."""
    path, claims = copy.place(plant["file"]), plant["claims"]
    text = path.read_text()
    path.write_text(text.replace(plant["before"], plant["after"]))
    copy.make(plant["file"], plant["tests"])
    green = set(claims) - (copy.red(claims) if claims else set())
    fails = {name: copy.fails(name, plant["file"]) for name in plant["tests"]}
    path.write_text(text)
    green |= {name for name, failed in fails.items() if failed is False}
    seen = [*claims, *(name for name, failed in fails.items() if failed is not None)]
    print(f"{'FAIL' if green else 'ok  ' if seen else 'skip'} {plant['file']}: {plant['before']}  ->  {plant['after']}"
          f"\n       {', '.join(seen)}{'  STAYED GREEN: ' + ', '.join(sorted(green)) if green else ''}", flush=True)
    return green


def red_without(copy, plants):
    """The red ones although no error is planted: for each file of a plant's tests, and all claims with the first."""
    files = {name: plant["file"] for plant in plants for name in plant["tests"]}
    claims = sorted({claim for plant in plants for claim in plant["claims"]})
    copy.make(plants[0]["file"], [])
    red = copy.red(claims)
    for name, file in files.items():
        copy.make(file, [name])
        red |= {name} if copy.fails(name, file) else set()
    return red


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
        red = red_without(copy, plants)
        if red:
            sys.exit(f"red without any planted error: {' '.join(sorted(red))}")
        failed = [p for p in plants if try_plant(copy, p)]
    print(f"{len(plants)} errors planted, {len(plants) - len(failed)} noticed by all claims and tests that should")
    sys.exit(1 if failed or not plants else 0)


if __name__ == "__main__":
    main()
