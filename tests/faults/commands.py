#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""commands.py LIEGRP INJECTOR SHIM ROBOTS [--all]: every command, and in it the n-th allocation or system call fails.

A new command is a line of COMMANDS. Its files hold OLD before each run. A failed run reports it by its exit status and
a message; each file is then the old one or the complete new one. A run that succeeds has made the same bytes as one
without a fault. No temporary file stays, and nothing crashes. `--all` takes every n, which is the long suite.
"""
import os
import shutil
import subprocess
import sys
import tempfile

liegrp, injector, shim, robots = (os.path.abspath(a) for a in sys.argv[1:5])
everything = "--all" in sys.argv[5:]
only = os.environ.get("LG_FAULT_COMMAND", "")  # a part of it
robot = robots + "/arm.urdf"

# Command lines (`bench`, whose runs take a second, only with --all) and their files. A fake gnuplot draws WORD.svg.
COMMANDS = [
    ("list", []),
    ("info suslov --json", []),
    ("info rolling-ball --check", []),
    ("info double-pendulum", []),
    (f"info {robot}", []),
    ("run suslov --steps 5 --output a.csv", ["a.csv", "a.csv.json"]),
    ("run rolling-ball --steps 5 --monitor --probe --output a.npy", ["a.npy", "a.npy.json"]),
    ("run suslov --steps 5 --quiet --output a.npz", ["a.npz"]),
    ("run suslov --steps 5 --quiet --output a.h5", ["a.h5"]),
    ("run --from ../origin.csv --quiet --output a.csv", ["a.csv", "a.csv.json"]),
    ("run --from ../origin.npz --quiet --output -", []),
    ("run --from ../origin.h5 --quiet --output a.csv --no-provenance", ["a.csv", "a.csv.json"]),
    ("run suslov --steps 5 --quiet --output -", []),
    ("run suslov --steps 5 --quiet --output a.csv --plot a.svg", ["a.csv", "a.csv.json", "a.svg"]),
    ("run double-pendulum --steps 5 --quiet --output a.csv", ["a.csv", "a.csv.json"]),
    ("run suslov --steps 5 --quiet --view a.html --compare gni", ["a.html"]),
    ("run double-pendulum --steps 3 --quiet --view a.html --output a.csv", ["a.csv", "a.csv.json", "a.html"]),
    (f"run {robot} --steps 3 --quiet --output a.csv --plot a.svg", ["a.csv", "a.csv.json", "a.svg"]),
    ("sweep rolling-ball --param Omega=0:1:3 --steps 3 --threads 1 --quiet --output a.csv --plot a.svg", ["a.csv", "a.csv.json", "a.svg"]),
    ("convergence particle --levels 2 --methods sem --quiet --output a.csv --plot a.svg", ["a.csv", "a.csv.json", "a.svg"]),
    ("figure 000-2 --quiet --output a.csv --output a.svg", ["a.csv", "a.csv.json", "a.svg"]),
    ("bench groups --quick --quiet --output a.json", ["a.json"]),
    ("verify suslov-measure --json --threads 1", []),
]
with tempfile.TemporaryDirectory() as probe:  # a build without three.js has no pages
    if subprocess.run([liegrp, *"run suslov --steps 1 --quiet --view".split(), probe + "/a.html"]).returncode != 0:
        COMMANDS = [(line, files) for line, files in COMMANDS if "--view" not in line]
        print("without pages")
# The calls that fail, and why a command may ignore that and make the same bytes; None: it must report it.
CALLS = {
    "malloc": "streams of the C library continue without a buffer",
    "write": None,
    "openat": "files that the C library looks for at run time are optional",
    "close": "of files that were only read, or are saved already",
    "fsync": None,
    "rename": None,
    "unlink": "a file stays behind",
    "flock": "file systems without locks",
    "stat": "the file gets the permissions of a new one, or its lock stays",
    "fchmod": None,
    "fcntl": "standard streams count as closed",
    "read": "files that describe the machine are optional",
    "access": None,
    "pipe": None,
    "fork": None,
    "kill": None,
}
# Libraries that do not survive a fault: HDF5 1.10 crashes where close() fails.
OTHERS = {"close": ".h5"}
OLD = b"what was there\n"
OLD_ORIGIN = b'{\n  "liegrp provenance": 1,\n  "system": "what was there"\n}\n'  # the sidecar of the old rows
failures = 0


def is_origin(name):
    """Is this file the sidecar of a result file?"""
    return name.endswith((".csv.json", ".npy.json"))


def old(name):
    return OLD_ORIGIN if is_origin(name) else OLD


def fail(text):
    global failures
    failures += 1
    print("FAIL:", text)


class Run:
    """One run: exit status, both streams, files, names that were left."""

    def __init__(self, command, files, call, n):
        for name in os.listdir("."):
            os.remove(name)
        for name in files:
            with open(name, "wb") as f:
                f.write(old(name))
        env = dict(os.environ, LD_PRELOAD=shim, OPENBLAS_NUM_THREADS="1", OMP_NUM_THREADS="1", HWLOC_HIDE_ERRORS="2")
        env["PATH"] = bin_folder + ":" + env["PATH"]
        line = [liegrp] + command.split()
        if call == "malloc":
            env.update(LG_FAULT=f"malloc:{n}", LG_FAULT_REPORT=report)
        else:
            env.update(LD_PRELOAD="", LG_FAULT="calls")
            line = ["/usr/bin/env", "LD_PRELOAD=" + shim] + line
            line = [injector, call, str(n), report] + line
        with open(os.devnull) as none:
            done = subprocess.run(line, env=env, stdin=none, capture_output=True, timeout=120)
        self.status = done.returncode
        self.out, self.err = done.stdout, done.stderr
        self.files = {}
        for name in files:
            try:
                with open(name, "rb") as f:
                    self.files[name] = f.read()
            except OSError:
                self.files[name] = None
        self.left = sorted(set(os.listdir(".")) - set(files))

    def counts(self):
        """How often each call was made; of an untraced run the allocations."""
        with open(report) as f:
            lines = [line.split() for line in f]
        return {line[0]: int(line[1]) for line in lines} if len(lines) > 1 else {"malloc": int(lines[0][0])}


def steady(data):
    """Without what is measured in seconds."""
    return b"\n".join(line for line in data.split(b"\n") if b" s," not in line and b"steps/s" not in line
                      and b"second" not in line and b" s (" not in line)


def is_new(command, data, clean):
    """The bytes of a run without a fault; of a benchmark, whose figures differ, the same lines."""
    if command.startswith("bench") and data is not None:
        data, clean = data.count(b"\n"), clean.count(b"\n")
    return data == clean


def is_reported_in_row(command, data):
    """A sweep continues without the failed instance, whose row has the status of LG_ERROR_MEMORY."""
    rows = [line.split(b",") for line in (data or b"").split(b"\n") if line]
    return command.startswith("sweep") and any(b"9" == row[rows[0].index(b"status")] for row in rows[1:])


def check(command, files, clean, call, n):
    run = Run(command, files, call, n)
    what = f"{command}: {call} {n}"
    if run.status == 0 and call == "malloc" and is_reported_in_row(command, run.files.get("a.csv")):
        return 0
    if call == "kill":
        if run.status not in (137, -9, 0):
            fail(f"{what}: exit status {run.status}")
    elif run.status < 0 or run.status >= 126:
        fail(f"{what}: crash, exit status {run.status}")
        return 0
    for name in files:
        new = is_new(command, run.files[name], clean.files[name])
        if is_origin(name):  # it may be missing, but never describes other rows
            rows = name[:-len(".json")]
            rows_new = is_new(command, run.files[rows], clean.files[rows])
            if run.files[name] is not None and (not new if rows_new else run.files[name] != OLD_ORIGIN):
                fail(f"{what}: {name} does not describe its rows")
            if call != "kill" and run.files[name] is None and not rows_new:
                fail(f"{what}: {name} has gone")
        elif run.files[name] != OLD and not new:
            fail(f"{what}: {name} is neither the old file nor the new one")
        if run.status == 0 and not new:
            fail(f"{what}: exit status 0, but {name} was not written")
    if call == "kill":
        return 0
    if any(not (call == "unlink" or call == "stat" and name.endswith(".lock")) for name in run.left):
        fail(f"{what}: {run.left} is left")
    if run.status != 0:
        if not run.err.strip() and not run.out.strip():
            fail(f"{what}: no message")
        if command.startswith("verify") and run.status == 1 and b"FAILS" in run.out:  # a claim without its measurements
            return 0
        if call == "malloc" and b"memory" not in run.err + run.out and not command.startswith("bench"):
            fail(f"{what}: exit status {run.status}, but no word of memory: {run.err[-200:]}")
        return 0
    if steady(run.out) != steady(clean.out) and not command.startswith("bench"):
        fail(f"{what}: exit status 0, but another output")
    if CALLS[call] is None:
        fail(f"{what}: the fault was not reported")
    return 1


def check_figures():
    """Every figure with an early allocation that fails: in its opening, stepping or collecting."""
    faults = reported = 0
    for line in Run("list figures", [], "malloc", -1).out.decode().split("\n"):
        if not line.strip():
            continue
        name = line.split()[0]
        late = name not in ("survival", "retractions")  # these compute all else for seconds before they report it
        for n in range(1, 40) if everything else (6, 27) if late else (6,):
            run = Run(f"figure {name} --quiet --output a.csv --no-provenance", ["a.csv"], "malloc", n)
            faults += 1
            reported += run.status != 0
            if run.status not in (0, 2, 3):
                fail(f"figure {name}: malloc {n}: exit status {run.status}")
            if (run.status == 0) != (run.files["a.csv"] != OLD) or run.left:
                fail(f"figure {name}: malloc {n}: exit status {run.status}, but the file is another, or {run.left}")
            if run.status != 0 and b"memory" not in run.err:
                fail(f"figure {name}: malloc {n}: no word of memory: {run.err[-200:]}")
    if reported == 0:
        fail("figures: no failed allocation was reported")
    print(f"| {'figure, each':44} | {'':6} | {faults:6} | {faults - reported:5} |", flush=True)


folder = tempfile.mkdtemp()
report = folder + "/count"
bin_folder = folder + "/bin"
os.mkdir(bin_folder)
os.mkdir(folder + "/work")
with open(bin_folder + "/gnuplot", "w") as script:
    script.write("#!/bin/sh\nexec cat\n")
os.chmod(bin_folder + "/gnuplot", 0o755)
os.chdir(folder)
for name in ("origin.csv", "origin.npz", "origin.h5"):
    subprocess.run([liegrp, "run", "suslov", "--steps", "5", "--quiet", "--output", name], check=True)
os.chdir(folder + "/work")
try:
    if Run("list", [], "write", -1).status == 98:
        print("processes cannot be traced here")
        sys.exit(77)
    print(f"| {'command':44} | {'calls':>6} | {'faults':>6} | {'quiet':>5} |")
    for command, files in [c for c in COMMANDS if only in c[0] and (everything or not c[0].startswith("bench"))]:
        calls = faults = quiet = 0
        clean = Run(command, files, "malloc", -1)
        if clean.status != 0:
            fail(f"{command}: exit status {clean.status} without a fault: {clean.err}")
            continue
        made = clean.counts() | Run(command, files, "write", -1).counts()
        for call in [c for c in CALLS if c not in OTHERS or OTHERS[c] not in command]:
            most = made[call]
            calls += most
            step = 1 if everything else max(1, most // (3 if call == "malloc" else 1))
            for n in range(most // 2 % step, most, step):
                faults += 1
                quiet += check(command, files, clean, call, n)
        print(f"| {command.replace(robots + '/', ''):44.44} | {calls:6} | {faults:6} | {quiet:5} |", flush=True)
    if only in "figures":
        check_figures()
finally:
    shutil.rmtree(folder)
print(f"{failures} failed")
sys.exit(1 if failures else 0)
