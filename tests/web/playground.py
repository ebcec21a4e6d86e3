#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""playground.py PAGE LIEGRP [FOLDER]: the playground in a headless Chromium. Its numbers are those of the command that
it shows, for every system and mechanism; its refusals are those of the tool; a link brings back what was set; it works
by keys alone, on narrow screens and without WebGL. With FOLDER, pictures of all scenes are left there."""
import csv
import io
import os
import shlex
import subprocess
import sys
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from driver import Browser, programs  # noqa: E402

failures = []


def check(good, what):
    if not good:
        failures.append(what)
        print("FAILED:", what)


def tool(command):
    """The last row by column that the tool computes with a command of the page."""
    words = shlex.split(command)
    words[0], words[words.index("rows.csv")] = LIEGRP, "-"
    steps = int(words[words.index("--steps") + 1])
    run = subprocess.run(words + ["--quiet", "--every", str(max(1, steps))], capture_output=True, text=True)
    if run.returncode != 0:
        return {"refused": run.stderr}
    return {name: float(x) for name, x in list(csv.DictReader(io.StringIO(run.stdout)))[-1].items()}


class Page(Browser):
    def load(self, link=""):
        self.open("about:blank")
        self.open(PAGE + link)
        self.wait("return document.body.classList.contains('ready')")
        self.run("document.getElementById('numbers').open = true")

    def link(self, link):
        """Follows a link on the page that is there."""
        self.run("location.hash = arguments[0]", link)
        self.wait("return liegrp.state.write(liegrp.page.state) === liegrp.state.write(liegrp.state.read(arguments[0]))", link)

    def choose(self, id, value):
        self.run("const e = document.getElementById(arguments[0]); e.value = arguments[1];"
                 "e.dispatchEvent(new Event('change'))", id, value)

    def number(self, place, name, value):
        self.run("const e = document.querySelector(`#${arguments[0]} [data-name='${arguments[1]}']`); e.value = arguments[2];"
                 "e.dispatchEvent(new Event('change'))", place, name, str(value))

    def step(self, count):
        self.run("for (let i = 0; i < arguments[0]; i++) document.getElementById('one').click()", count)

    def rows(self):
        """The numbers on the page, a row for each motion."""
        table = self.run("return [...document.querySelectorAll('#table tbody tr')].map("
                         "(r) => [r.dataset.column, ...[...r.querySelectorAll('td:not(.unit)')].map((c) => c.textContent)])")
        return [{r[0]: float(r[k]) for r in table} for k in range(1, len(table[0]))] if table else []

    def text(self, selector):
        return self.run("const e = document.querySelector(arguments[0]); return e && !e.hidden ? e.textContent : ''", selector)

    def commands(self):
        return self.text("#command").splitlines()


def same(a, b):
    return a == b or (a != a and b != b)


# Dense methods do not know these, or not of every system: work, by kinds too.
UNKNOWN = ("energy_post", "normal", "work", "motors", "drives", "servos", "dampers", "ground", "friction")


def compare(page, what, steps):
    """Every number on the page is the tool's, to the last bit."""
    rows, commands = page.rows(), page.commands()
    check(len(rows) > 0 and len(commands) == len(rows), f"{what}: {len(rows)} motions, {len(commands)} commands")
    for row, command in zip(rows, commands):
        told = tool(command)
        check(row["step"] == steps and set(row) == set(told), f"{what}: columns or steps differ: {command}: {told.get('refused')}")
        wrong = [n for n in row if n in told and not same(row[n], told[n])]
        check(not wrong, f"{what}: {command}: " + ", ".join(f"{n} {row[n]!r}, the tool {told.get(n)!r}" for n in wrong[:3]))
        moving = [row[n] for n in row if n not in UNKNOWN and not n.startswith("inv_")]
        check(all(x - x == 0 for x in moving), f"{what}: numbers that are not finite")


def quiet(page):
    said = page.complaints()
    check(not said, f"the console says {said}")


def test_all_systems(page):
    page.load()
    names = page.run("return [...document.getElementById('system').options].map((o) => o.value)")
    listed = sum((subprocess.run([LIEGRP, "list", k], capture_output=True, text=True).stdout.splitlines()
                  for k in ("systems", "mechanisms")), [])
    check(names == [line.split("\t")[0] for line in listed], "the systems are those of liegrp list")
    for name in names:
        page.link(f"#s={name}&m=sem")
        methods = page.run("return liegrp.page.about[arguments[0]].methods.filter((m) => !m.refused).map((m) => m.name)", name)
        first = "sem" if "sem" in methods else methods[0]
        page.link(f"#s={name}&m={first}" + (f"&m2={methods[-1]}" if methods[-1] != first else ""))
        page.step(7)
        compare(page, name, 7)
        check(page.text("#no-scene") == "", f"{name}: it has no look")
    quiet(page)


def test_settings(page):
    page.load()
    page.choose("system", "rolling-ball")
    page.choose("method", "gni")
    page.choose("second", "sem@suzuki4")
    page.choose("retraction", "cayley")
    page.number("step", "step", "0.02")
    page.number("parameters", "Omega", "-1.25e-3")
    page.number("initial", "xi_1", "0.3")
    page.choose("column", "xi_2")
    page.step(40)
    compare(page, "settings", 40)
    commands, rows = page.commands(), page.rows()
    for word in ("--retraction cayley", "--step 0.02", "--param Omega=-0.00125", "--init xi_1=0.3", "--project"):
        check(all(word in c for c in commands), f"{word} is in {commands}")
    time.sleep(0.3)
    link = page.run("return location.hash")
    page.load(link)
    page.step(40)
    check(page.commands() == commands and all(same(a[n], b[n]) for a, b in zip(page.rows(), rows) for n in a),
          f"the link {link} brings the motion back: {commands}, {page.commands()}")
    check(page.run("return document.getElementById('column').value") == "xi_2", "and the column that is plotted")
    page.load("#s=bicycle&m=sem&p.frame.mass=70&i.frame_vx=5")
    page.step(20)
    compare(page, "a mechanism with values", 20)
    page.load("#s=furuta&m=sem&m2=gauss&u.turn=0.5&h=0.002")
    page.step(20)
    compare(page, "a mechanism with a motor", 20)
    page.load("#s=bicycle&m=sem&u.steer=1")
    check("no control" in page.text("#why-controls"), "a motor that is not there is refused")
    page.load("#s=two-wheeled-robot&m=sem&m2=gni")
    name = page.run("return liegrp.page.about['two-wheeled-robot'].controls[0].name")
    page.number("controls", name, "0.02")
    page.step(20)
    compare(page, "controls", 20)
    quiet(page)


def test_bad_links(page):
    """Whatever a link asks for, something moves, and what is not as the link says is said."""
    for link, *said in (("#s=nix&m=also&h=abc&p.m=1", "unknown system 'nix'"), ("#garbage", "no system: garbage"),
                        ("#s=constructor", "unknown system 'constructor'"), ("#s=suslov&m=nix", "unknown method 'nix'", "suslov with its defaults"),
                        ("#s=suslov&r=nix", "unknown retraction 'nix'"), ("#s=bicycle&m=nsv", "'nsv' takes no holonomic constraints", "its defaults and sem"),
                        ("#s=rolling-disk&i.qx=2", "has norm 2.15"), ("#s=suslov&h=abc&x=-1&l=up", "h=abc, x=-1, l=up"),
                        ("#s=suslov&p.I11=one&z=1", "p.I11=one, z=1"), ("#s=suslov&c=0,0,0,0,0,0", "c=0,0,0,0,0,0"),
                        ("#s=suslov&y=constructor", "y=constructor"), ("#s=suslov&i.constructor=1&p.__proto__=2",)):
        page.load(link)
        notice = page.text("#notice")
        check(all(words in notice for words in said), f"{link}: the page says {notice!r}")
        check(not page.text("#fatal"), f"{link}: {page.text('#fatal')}")
        page.step(3)
        check(len(page.rows()) > 0, f"{link}: nothing moves")
        if page.rows():
            compare(page, link, 3)
    check("'constructor'" in page.text("#why-initial") and "'__proto__'" in page.text("#why-parameters"), "names of JavaScript's own")
    page.load("#s=suslov&m=nix")
    page.choose("method", "gni")
    check(page.text("#notice") == "" and page.text("#why-method") == "", "what is set by hand ends the words on the link")
    page.load("#s=chaplygin-sleigh&p.m=-1&p.a=0.1")
    page.step(3)
    compare(page, "a link with a value that is refused", 3)
    check("p.m=-1" in page.run("return liegrp.state.write(liegrp.page.state)"), "the value that is refused stays to be corrected")
    quiet(page)


def test_another_system(page):
    """The methods and the retraction that were chosen stay, or the page says why not."""
    def seen():
        return page.run("const s = liegrp.page.state; return [s.method, s.second, s.retraction]")

    page.load("#s=chaplygin-sleigh&m=gni@suzuki4&m2=gauss:stages=2&r=cayley")
    page.choose("system", "suslov")
    check(seen() == ["gni@suzuki4", "gauss:stages=2", "cayley"] and not page.text("#notice"), f"methods stay: {seen()}")
    page.load("#s=chaplygin-sleigh&m=nsv&m2=sem")
    page.choose("system", "bicycle")
    check(seen()[:2] == ["sem", ""], f"a method that is refused goes: {seen()}")
    check("bicycle does not take nsv: method 'nsv' takes no holonomic constraints" in page.text("#notice") and "runs with sem." in page.text("#notice"),
          f"and it is said: {page.text('#notice')!r}")
    page.choose("system", "furuta")
    check(not page.text("#notice"), f"until the next choice: {page.text('#notice')!r}")
    page.load("#s=chaplygin-sleigh&m=gni&m2=dla")
    page.choose("system", "bicycle")
    check(seen()[:2] == ["gni", "dla"] and not page.text("#notice"), f"dense methods stay with a mechanism: {seen()}")
    page.step(3)
    compare(page, "a mechanism by dense methods", 3)
    page.load("#s=chaplygin-sleigh&m=nsv&m2=smv")
    page.choose("system", "bicycle")
    check(seen()[:2] == ["sem", ""] and "nsv" in page.text("#notice") and "smv" in page.text("#notice"), f"both are refused: {seen()}")
    page.step(3)
    compare(page, "another system", 3)
    quiet(page)


def test_picture(page):
    """Overlay, Fit, Follow and other colours lose neither a trail nor a body."""
    away = """const v = liegrp.page.view, over = v.panes() === 1;
        v.render();
        return v.tracks.map((t) => {
          v.aim(over ? v.tracks[0] : t), v.lens.updateMatrixWorld();
          const p = t.middle(new THREE.Vector3()).project(v.lens);
          return Math.max(Math.abs(p.x), Math.abs(p.y));
        });"""
    trails = """return liegrp.page.view.tracks.map((t) => t.trails.map((x) => [x.count, x.mesh.visible, ...x.points.slice(0, 3),
        ...x.points.slice(3 * x.count - 3, 3 * x.count)]))"""

    def clicked(*ids):
        for id in ids:
            page.run("document.getElementById(arguments[0]).click()", id)
        time.sleep(0.3)

    for link, until in (("#s=chaplygin-sleigh&m=gni&m2=sem&p.a=0.5&x=50", 120), ("#s=rolling-disk&m=sem&m2=rk4&x=2", 6)):
        page.load(link)
        clicked("play")
        page.wait("return liegrp.page.clock > arguments[0]", until, seconds=90)
        clicked("play")
        before = page.run(trails)
        check(all(t[0] > 20 and t[1] for track in before for t in track), f"{link}: trails {before}")
        for ids in (("fit",), ("layout",), ("fit",), ("follow",), ("layout",), ("follow",), ("fit",), ("layout",)):
            clicked(*ids)
            state = page.run("const v = liegrp.page.view; return v.layout + (v.follow ? ', following' : '')")
            check(page.run(trails) == before, f"{link}: {ids[0]} changes trails ({state}): {page.run(trails)}")
            far = page.run(away)
            check(max(far) < 1, f"{link}: {ids[0]} loses a body ({state}): {far}")
        page.devtools("Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": "dark"}]})
        time.sleep(0.3)
        check(page.run(trails) == before, f"{link}: other colours lose trails")
        page.devtools("Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": "light"},
                                                                 {"name": "prefers-reduced-motion", "value": "reduce"}]})
    quiet(page)


def test_refusals(page):
    def refused(where, link, *words):
        page.load(link)
        told = page.text(where).replace("set project = 1", "add --project")
        run = subprocess.run([LIEGRP, "run", *words, "--steps", "0", "--no-accuracy"], capture_output=True, text=True)
        check(run.returncode != 0 and told.strip() and told.strip() in run.stderr,
              f"{link}: the page says {told!r} at {where}, the tool {run.stderr!r}")

    refused("#parameters .number:first-child .refusal", "#s=chaplygin-sleigh&m=sem&p.m=-1", "chaplygin-sleigh", "--param", "m=-1")
    refused("#why-method", "#s=chaplygin-sleigh&m=rattle&m2=sem", "chaplygin-sleigh", "--method", "rattle")
    check(len(page.rows()) == 1, "the other method runs all the same")
    refused("#why-second", "#s=bicycle&m=sem&m2=rattle", "bicycle", "--method", "rattle")
    refused("#why-initial", "#s=rolling-disk&m=sem&i.xi_1=3&project=0", "rolling-disk", "--init", "xi_1=3")
    refused("#why-initial", "#s=rolling-disk&m=sem&i.qx=2", "rolling-disk", "--init", "qx=2", "--project")
    page.load("#s=rolling-disk&m=sem&r=nix")
    check("unknown retraction 'nix'" in page.text("#why-retraction"), "an unknown retraction")
    quiet(page)


def test_running(page):
    page.load("#s=chaplygin-sleigh&m=gni&m2=sem&x=10")
    page.run("document.getElementById('play').click()")
    page.wait("return liegrp.page.motions[1].passed.row[0] > 30")
    page.run("document.getElementById('play').click()")
    apart = page.run("return liegrp.page.motions.map((m) => m.passed.row[0])")
    check(abs(apart[0] - apart[1]) <= 1, f"both are at the same time: {apart}")
    compare(page, "after playing", apart[0]) if apart[0] == apart[1] else None
    shown = page.run("return [...document.querySelectorAll('.plot')].filter((p) => !p.hidden).map((p) => p.dataset.plot)")
    check("normal" in shown and "energy" in shown, f"plots: {shown}")
    page.link("#s=chaplygin-sleigh&m=sem")
    shown = page.run("return [...document.querySelectorAll('.plot')].filter((p) => !p.hidden).map((p) => p.dataset.plot)")
    check("normal" not in shown and "energy" in shown, f"plots that are undefined are hidden: {shown}")
    quiet(page)


def motion(page, link, time):
    """The rows of the motion that a link shows, by the tool."""
    page.link("#" + page.run("return liegrp.state.write(liegrp.state.read(arguments[0]))", link))
    command = shlex.split(page.commands()[0])
    command[0], command[command.index("--steps"):] = LIEGRP, ["--time", str(time), "--output", "-", "--quiet"]
    run = subprocess.run(command, capture_output=True, text=True)
    return [{name: float(x) for name, x in row.items()} for row in csv.DictReader(io.StringIO(run.stdout))]


def at(time):
    return lambda t, y: y[min(range(len(t)), key=lambda i: abs(t[i] - time))]


def after(time, of):
    return lambda t, y: of(y[next(i for i in range(len(t)) if t[i] > time):])


# Figures of the answers: scene, change, column, how it is read, from, to.
FACTS = (
    ("sleigh", "", "xi_1", at(24), .4, .7), ("sleigh", "", "xi_1", at(25), -.2, -.01), ("sleigh", "m=sem", "xi_1", at(30), 1.2685, 1.2695),
    ("sleigh", "h=0.02", "xi_1", at(34.4), -.3, .3), ("rattleback", "", "xi_6", at(5), 1, 1.5),
    ("rattleback", "i.xi_6=1", "xi_6", at(45), .05, .2), ("rattleback", "p.I12=0", "xi_6", after(0, max), -1, -.9),
    ("turntable", "", "x", at(22), 3.99, 4.01), ("turntable", "p.I1=2&p.I2=2&p.I3=2", "x", at(15.7), 3.99, 4.01),
    ("disk", "", "z", after(0, min), .845, .855), ("disk", "i.xi_1=-2&i.xi_6=2", "z", after(0, min), .495, .505),
    ("disk", "i.xi_1=-1.5&i.xi_6=1.5", "z", after(0, min), .315, .325), ("bicycle", "", "frame_wx", after(9, max), 0, .02),
    ("bicycle", "i.frame_vx=4.2", "frame_wx", after(9, max), .2, 1), ("cradle", "", "hinge5", after(0, min), -.501, -.499),
    ("cradle", "i.hinge2=0.5", "hinge5", at(.7), -.5, -.49), ("cradle", "i.hinge2=0.5", "hinge4", at(.7), -.5, -.49),
    ("cradle", "i.hinge2=0.5", "hinge3", at(.7), -1e-5, 1e-5), ("cradle", "p.ball5.mass=1.5", "hinge5", at(.7), -.26, -.24),
    ("tippe-top", "", "top_z", at(7), .0259, .0261), ("tippe-top", "", "energy", at(7), .0161, .0162),
    ("tippe-top", "", "top_wz", at(7), 83, 83.1), ("tippe-top", "i.top_wz=60&i.top_wx=6", "top_z", after(0, max), .02, .024),
    ("tippe-top", "i.top_wz=80&i.top_wx=8", "top_z", at(9), .0255, .0261),
    ("robot", "", "xi_3", at(40), .2103, .2105), ("robot", "p.a=0", "xi_1", at(40), .624, .626), ("robot", "p.a=0", "xi_3", at(40), .624, .626),
    ("robot", "p.a=0.1", "xi_3", at(40), .11, .14),
)


def test_lessons(page):
    page.load()
    scenes = {s["id"]: s for s in page.run("return liegrp.scenes")}
    check(len(scenes) >= 8, f"{len(scenes)} lessons")
    for name, scene in scenes.items():
        page.run("document.querySelector(`[data-scene=${arguments[0]}]`).click()", name)
        lesson = page.text("#lesson")
        check(all(scene[part] in lesson for part in ("watch", "question", "answer")), f"{name}: the lesson is on the page")
        check(not page.run("return document.querySelector('#lesson details').open"), f"{name}: the answer is hidden at first")
        for label, change in scene["tries"]:
            page.run("document.querySelector(`#lesson [data-change='${arguments[0]}']`).click()", change)
            check(page.text("#notice") == "" and not page.run("return liegrp.page.refused.length"), f"{name}, {label}: it is refused")
            check(page.run("return liegrp.page.scene") == name and page.text("#lesson") == lesson, f"{name}, {label}: its lesson stays")
            link = page.run("return liegrp.state.write(liegrp.page.state)")
            page.load("#" + link)
            check(page.text("#lesson") == lesson, f"{name}, {label}: the link brings its lesson")
    long, motions = {"cradle": 2, "tippe-top": 12, "bicycle": 12, "disk": 20, "turntable": 25}, {}
    for name, change, column, pick, low, high in FACTS:
        link = scenes[name]["link"] + ("&" + change if change else "")
        if link not in motions:
            motions[link] = motion(page, link, long.get(name, 46))
        x = pick([row["t"] for row in motions[link]], [row[column] for row in motions[link]])
        check(low <= x <= high, f"{name}, {change or 'as it is'}: {column} is {x}, not from {low} to {high}")
    page.choose("system", "suslov")
    check(page.text("#lesson") == "", "another system has no lesson")
    quiet(page)


def test_files(page):
    """The files that the page saves: rows with the bits of the tool, the picture."""
    page.load("#s=heavy-top&m=sem")
    page.run("window.saved = []; const make = URL.createObjectURL; URL.createObjectURL = (b) => { saved.push(b); return make(b); }")
    page.step(9)
    page.run("document.getElementById('rows').click(); document.getElementById('picture').click()")
    page.wait("return saved.length === 2")
    page.run("window.read = ''; saved[0].text().then((t) => { window.read = t; })")
    rows = list(csv.DictReader(io.StringIO(page.wait("return window.read"))))
    told = tool(page.commands()[0])
    check(len(rows) == 10 and set(rows[-1]) == set(told), f"{len(rows)} rows of {len(told)} columns")
    check(all(same(float(rows[-1][n]), told[n]) for n in told), "their numbers are the tool's")
    check(page.run("return [saved[1].type, saved[1].size > 5000]") == ["image/png", True], "the picture")
    quiet(page)


def test_find(page):
    page.load("#s=bicycle&m=sem")
    seen = "return Object.values(liegrp.page.controls.parameters).filter((c) => !c.root.hidden).map((c) => c.spec.name)"
    few, everything = page.run(seen), page.run("return Object.keys(liegrp.page.controls.parameters)")
    check(0 < len(few) < len(everything), f"{len(few)} of {len(everything)} numbers at first")
    page.run("document.querySelector('#parameters .find').focus()")
    page.keys(*"FRAME.mass")
    check(page.run(seen) == ["frame.mass"], f"found: {page.run(seen)}")
    page.keys(*"x")
    check(page.run(seen) == [] and "frame.massx" in page.text("#parameters .quiet[role=status]").lower(), "nothing is found")
    page.keys("Control+a", "Backspace")
    check(page.run(seen) == few, "and all are back")
    page.run("[...document.querySelectorAll('#parameters button.quiet')].at(-1).click()")
    check(page.run(seen) == everything, "those that are 0, too")
    quiet(page)


def test_sliders(page):
    page.load()
    for name in ("rattleback", "chaplygin-sleigh", "mobile-robot", "heavy-top", "bicycle"):
        page.link(f"#s={name}&m=sem")
        wrong = page.run("return Object.values(liegrp.page.controls.parameters).concat(Object.values(liegrp.page.controls.initial))"
                         ".filter((c) => { const r = c.range, x = c.value(); return !(r.from < r.to && x >= r.from && x <= r.to); })"
                         ".map((c) => c.spec.name)")
        check(not wrong, f"{name}: sliders that do not hold their values: {wrong}")
    page.load("#s=rattleback&m=sem")
    for name, sign in (("I12", -1), ("m", 1), ("offset", -1)):
        usual = page.run("return liegrp.page.controls.parameters[arguments[0]].usual", name)
        page.run("liegrp.page.controls.parameters[arguments[0]].slider.focus()", name)
        page.keys("Right", "Right", "Right")
        x = page.wait("return liegrp.page.state.parameters[arguments[0]]", name)
        check(x > usual and x * sign > 0 and abs(x - usual) < 0.1 * abs(usual), f"{name}: from {usual} to {x}")
        page.run("liegrp.page.controls.parameters[arguments[0]].back.click()", name)
        check(name not in page.run("return liegrp.page.state.parameters"), f"{name} goes back to its default")
    quiet(page)


def test_keys(page):
    page.load()
    focus = "const e = document.activeElement; return (e.dataset.name || e.id || e.dataset.scene || e.getAttribute('aria-label') || e.className || '')"

    def until(name):
        for _ in range(200):
            page.keys("Tab")
            if page.run(focus) == name:
                return True
        return False

    check(until("bicycle"), "a scene is reached by keys")
    page.keys("Enter")
    check(page.run("return liegrp.page.state.system") == "bicycle", "and chosen")
    for name in ("play", "one", "restart", "speed", "system", "method", "second"):
        check(until(name), f"{name} is reached by keys")
    page.run("document.getElementById('system').focus()")
    page.keys("Home", *"rattleb")  # from the first system on: mechanisms follow, rattleback-friction among them
    check(page.wait("return liegrp.page.state.system === 'rattleback'"), "a system is typed")
    check(until("m"), "a number is reached")
    page.keys("Control+a", "2", ".", "5", "Enter")
    check(page.run("return liegrp.page.state.parameters.m") == 2.5, "and typed")
    page.run("document.activeElement.blur()")
    before = page.run("return liegrp.page.motions[0].passed.row[0]")
    page.keys(".")
    check(page.run("return liegrp.page.motions[0].passed.row[0]") == before + 1, "a point makes a step")
    page.keys("Space")
    check(page.wait("return liegrp.page.playing"), "a space plays")
    page.keys("Space")
    check(not page.run("return liegrp.page.playing"), "and pauses")
    page.keys("3", "5", "a")
    state = page.run("const v = liegrp.page.view; return [v.lens.getWorldDirection(new THREE.Vector3()).z < -0.99, v.flat, v.axes]")
    check(state == [True, True, False], f"keys of the panel: from above, orthographic, no axes: {state}")
    check(until("looks"), "the panel is reached by keys")
    page.keys("Enter", "Tab", "Enter")  # the first of its buttons: from the front
    check(page.run("liegrp.page.view.render(); return liegrp.page.view.lens.getWorldDirection(new THREE.Vector3()).y > 0.99"), "and its buttons")
    unnamed = page.run("return [...document.querySelectorAll('button, select, input')].filter((e) => !e.textContent.trim() && "
                       "!e.getAttribute('aria-label') && !e.labels?.length).length")
    check(unnamed == 0, f"{unnamed} controls have no name")
    quiet(page)


def test_narrow(page):
    for width in (360, 390, 768):
        page.resize(width, 780)
        for link in ("", "#s=bicycle&m=sem", "#s=chaplygin-sleigh&m=gni&m2=rattle"):
            page.load(link)
            page.run("for (const d of document.querySelectorAll('details')) d.open = true")
            wide = page.run("return document.documentElement.scrollWidth")
            check(wide <= width, f"{link}: {wide} pixels wide on a screen of {width}")
    quiet(page)


def test_without_webgl(page):
    page.load("#s=rolling-ball&m=gni&m2=sem")
    check("WebGL" in page.text("#no-view"), "it says that there is no WebGL")
    page.step(5)
    compare(page, "without WebGL", 5)
    check(page.run("return [...document.querySelectorAll('.plot-canvas')].some((c) => c.width > 100)"), "plots are drawn")
    check(not [m for m in page.complaints() if "WebGL" not in m], "the console")


def pictures(folder):
    os.makedirs(folder, exist_ok=True)
    for name, size, dark in (("wide", (1280, 800), False), ("narrow", (390, 844), False), ("dark", (1280, 800), True)):
        with Page(*size, dark=dark) as page:
            page.load()
            for scene in page.run("return liegrp.scenes.map((s) => s.id)"):
                page.run("document.getElementById('numbers').open = false;"
                         "document.querySelector(`[data-scene=${arguments[0]}]`).click()", scene)
                time.sleep(8)
                page.screenshot(os.path.join(folder, f"{scene}-{name}.png"))
                page.screenshot(os.path.join(folder, f"{scene}-{name}-whole.png"), whole=True)


if __name__ == "__main__":
    if None in programs():
        sys.exit("playground.py: no chromium or chromedriver; ./scripts/setup.sh long installs them")
    PAGE, LIEGRP = "file://" + os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
    wanted = os.environ.get("LG_TEST_ONLY", "")
    for test, options in ((test_all_systems, ()), (test_settings, ()), (test_refusals, ()), (test_bad_links, ()), (test_another_system, ()),
                          (test_running, ()), (test_picture, ()), (test_lessons, ()), (test_files, ()), (test_find, ()), (test_sliders, ()), (test_keys, ()),
                          (test_narrow, ()), (test_without_webgl, ("--disable-3d-apis",))):
        if wanted and wanted not in test.__name__:
            continue
        began = time.monotonic()
        with Page(1280, 800, options, still=True) as browser_page:
            test(browser_page)
        print(f"{test.__name__}: {time.monotonic() - began:.0f} s")
    if len(sys.argv) > 3:
        pictures(sys.argv[3])
    print(f"{len(failures)} failures")
    sys.exit(bool(failures))
