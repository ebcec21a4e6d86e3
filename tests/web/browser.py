#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Pages of runs in a browser: browser.py LIEGRP|PAGE.html [FOLDER for pictures].

Opens pages from the disk: presses keys, clicks, reads what is shown, at the width of a telephone, by night, and without
WebGL. Of a page that is there already: draws it at several widths, by day and by night.
"""
import os
import subprocess
import sys
import tempfile
import time

from driver import Browser

failures = []


def that(title, true, seen=None):
    if not true:
        failures.append(title)
        print(f"FAIL: {title}" + (f": {seen!r}" if seen is not None else ""))


class Page(Browser):
    """A window without access to the network, with enough time for animations."""

    def __init__(self, width=1280, height=1000, *switches):
        super().__init__(width, height, ("--host-resolver-rules=MAP * ~NOTFOUND", *switches))

    def emulate(self, width, **features):
        """A telephone of that width, and what the page is asked to prefer."""
        self.devtools("Emulation.setDeviceMetricsOverride",
                      {"width": width, "height": 800, "deviceScaleFactor": 2, "mobile": True})
        self.devtools("Emulation.setEmulatedMedia",
                      {"features": [{"name": n.replace("_", "-"), "value": v} for n, v in features.items()]})

    def open(self, file, link=""):
        super().open("about:blank")
        super().open("file://" + os.path.abspath(file) + link)
        time.sleep(0.6)

    def ask(self, script, *arguments):
        return self.run("return " + script, *arguments)

    def press(self, key):
        self.keys(key)
        time.sleep(0.15)

    def click(self, selector):
        super().click(selector)
        time.sleep(0.15)

    def errors(self):
        return [message for level, message in self.log() if level == "SEVERE"]

    def picture(self, file):
        if file:
            self.screenshot(file)


def clock(b):
    return float(b.ask("document.getElementById('clock').textContent").split()[2].replace("−", "-"))


def shown(b, column, track=0):
    return b.ask("[...document.querySelectorAll(`td[data-column=\"${arguments[0]}\"]`)][arguments[1]].textContent",
                 column, track)


def drawn(b):
    """1: the canvas of the scene has more than one colour."""
    return b.ask("""(() => {
      const v = liegrp.player.view;
      v.render();
      const gl = v.renderer.getContext(), w = v.canvas.width, h = v.canvas.height, p = new Uint8Array(4 * w * h);
      gl.readPixels(0, 0, w, h, gl.RGBA, gl.UNSIGNED_BYTE, p);
      const seen = new Set();
      for (let i = 0; i < p.length; i += 4) seen.add(p[i] << 16 | p[i + 1] << 8 | p[i + 2]);
      return seen.size;
    })()""")


def keys_and_numbers(b, picture):
    b.open("two.html")
    that("it plays by itself", b.ask("liegrp.player.playing"))
    b.press("Space")
    that("space pauses", not b.ask("liegrp.player.playing"))
    b.press("Home")
    that("home is the beginning", clock(b) == 0, clock(b))
    b.press("Right")
    that("an arrow moves one step ahead", abs(clock(b) - 0.1) < 0.011, clock(b))
    b.press("End")
    that("end is the end", clock(b) == 20, clock(b))
    b.click("#numbers summary")
    that("numbers of the end are those of the rows", shown(b, "step") == "200", shown(b, "step"))
    first = b.ask("liegrp.player.data.tracks[0].column.x.values[200]")
    that("x is the row's", abs(float(shown(b, "x").replace("−", "-").replace("·10", "e")) - first) < 1e-8, shown(b, "x"))
    that("two tracks are side by side", b.ask("liegrp.player.view.panes()") == 2)
    that("there is something to see", drawn(b) > 50, drawn(b))
    b.press("o")
    that("o lays them over each other", b.ask("liegrp.player.view.panes()") == 1)
    b.press("f")
    that("f follows", b.ask("document.getElementById('follow').getAttribute('aria-pressed')") == "true")
    b.press("?")
    that("? shows the keys", b.ask("document.getElementById('help').open"))
    b.click("#close")
    b.picture(picture("overlay"))
    time.sleep(0.4)
    link = b.ask("location.hash")
    b.open("two.html", link)
    that("a link leads to the same time", clock(b) == 20 and not b.ask("liegrp.player.playing"), link)
    that("of which nothing is left out", b.ask("document.getElementById('unread').hidden"), link)
    that("and the same picture", b.ask("liegrp.player.view.panes()") == 1 and b.ask("liegrp.player.view.follow"))
    plots = b.ask("liegrp.player.plots.length")
    b.click(".plot .buttons button:last-child")
    that("a plot can be removed", b.ask("liegrp.player.plots.length") == plots - 1)
    b.ask("(() => { const a = document.getElementById('add'); a.value = 'theta'; a.dispatchEvent(new Event('change')); })()")
    that("and another one added", b.ask("liegrp.player.plots.length") == plots)
    that("no errors", not b.errors(), b.errors())
    b.open("two.html", "#t=nonsense&camera=1,2&plots=[[1,0,%22%3Cb%3E%22]]&speed=-3&layout=%3Cb%3E")
    that("an invalid link does no harm", clock(b) == 0 and b.ask("document.querySelectorAll('b').length") == 0)
    said = b.ask("document.getElementById('unread').textContent")
    that("and the ignored parts are listed", said == "Ignored parts of the link: t=nonsense, "
         "camera=1,2, a plot of <b>, speed=-3, layout=<b>", said)
    that("no errors of such a link", not b.errors(), b.errors())
    b.open("two.html", "#t=20.1&x=1&speed=2")
    that("a time beyond the run, too", b.ask("document.getElementById('unread').textContent").endswith(": t=20.1, x=1"))


def narrow(b, picture, pages):
    for name in pages:
        for scheme, wide in (("light", 360), ("dark", 360), ("light", 1280)):
            b.emulate(wide, prefers_color_scheme=scheme, prefers_reduced_motion="reduce")
            b.open(name + ".html")
            that(f"{name} at {wide}: the page fits the window", b.ask("document.documentElement.scrollWidth") <= wide,
                 b.ask("document.documentElement.scrollWidth"))
            that(f"{name}: the motion does not start by itself", not b.ask("liegrp.player.playing"))
            that(f"{name}: something is to be seen", drawn(b) > 20, drawn(b))
            b.press("End")
            b.picture(picture(f"{os.path.basename(name)}-{scheme}-{wide}"))
            that(f"{name}: no errors", not b.errors(), b.errors())


LAMP = """<robot name="lamp"><material name="red"><color rgba="0.85 0.2 0.15 1"/></material>
<link name="base"><visual name="foot"><geometry><cylinder radius="0.3" length="0.1"/></geometry><material name="red"/>
</visual></link>
<link name="arm"><inertial><origin xyz="0 0 0.4"/><mass value="2"/><inertia ixx="0.1" iyy="0.1" izz="0.01"/></inertial>
<visual><origin xyz="0 0 0.4"/><geometry><box size="0.1 0.1 0.8"/></geometry><material><color rgba="0 0 1 0.4"/>
</material></visual></link>
<link name="bob"><inertial><origin xyz="0 0 0.3"/><mass value="1"/><inertia ixx="0.1" iyy="0.1" izz="0.1"/></inertial>
<visual><origin xyz="0 0 0.3"/><geometry><mesh filename="package://lamp/bob.stl" scale="0.2 0.2 -0.2"/></geometry></visual>
<visual><geometry><mesh filename="package://lamp/broken.stl"/></geometry></visual></link>
<joint name="j" type="continuous"><parent link="base"/><child link="arm"/><axis xyz="0 1 0"/></joint>
<joint name="k" type="continuous"><parent link="arm"/><child link="bob"/><origin xyz="0 0 0.8"/><axis xyz="0 1 0"/>
</joint></robot>"""


def make_lamp():
    """A robot with materials, a mesh, and a file that is no mesh; -> the words of its run."""
    corners = [(1, 1, 1), (-1, -1, 1), (-1, 1, -1), (1, -1, -1)]
    sides = [(0, 1, 3), (0, 2, 1), (0, 3, 2), (1, 2, 3)]
    os.mkdir("package")
    with open("lamp.urdf", "w") as f:
        f.write(LAMP)
    with open("package/broken.stl", "w") as f:
        f.write("solid\nfacet")
    with open("package/bob.stl", "w") as f:
        f.write("solid\n" + "".join("facet normal 0 0 0\nouter loop\n" + "".join("vertex %g %g %g\n" % corners[k] for k in s)
                                    + "endloop\nendfacet\n" for s in sides) + "endsolid\n")
    return ["lamp.urdf", "--package", "lamp=package", "--time", "0.2", "--compare", "gauss"]


def looks(b, picture):
    """Colours, opacity, meshes; names of what is pointed at; the tree of bodies; what cannot be shown."""
    b.open("lamp.html")
    b.press("Space")
    b.press("Home")
    of = "liegrp.player.view.tracks[0].objects"
    found = b.ask(f"{of}.map((o) => [o.userData.shape.kind, [].concat(o.material)[0].transparent])")
    that("shapes and meshes are there", [k for k, _ in found[:3]] == ["cylinder", "box", "mesh"], found)
    that("opacity is that of the file", [t for _, t in found[:3]] == [False, True, False], found)
    colour = b.ask(f"{of}[0].material[0].map ? 0 : {of}[0].material[0].color.clone().convertLinearToSRGB().toArray()")
    that("a material by name", max(abs(x - y) for x, y in zip(colour, (0.85, 0.2, 0.15))) < 0.01, colour)
    that("the mesh has its scale", b.ask(f"{of}[2].scale.toArray()") == [0.2, 0.2, -0.2])
    that("and its triangles", b.ask(f"{of}[2].geometry.index.count") == 12)
    that("two tracks have one scene", b.ask("liegrp.player.data.tracks[0].scene === liegrp.player.data.tracks[1].scene"))
    names = set(b.ask("""(() => {
      const v = liegrp.player.view, r = v.canvas.getBoundingClientRect(), seen = [];
      for (let x = 5; x < r.width; x += 9) for (let y = 5; y < r.height; y += 9) {
        v.canvas.dispatchEvent(new PointerEvent('pointermove', { clientX: r.left + x, clientY: r.top + y }));
        const tip = document.getElementById('tip');
        seen.push(tip.hidden ? '' : tip.textContent);
      }
      return seen;
    })()"""))
    that("names are told", names >= {"", "foot", "arm", "bob"}, names)
    tree = b.ask("[...document.querySelectorAll('#tree > ul > li > ul > li')].map((e) => e.textContent)")
    that("the tree of bodies", tree == ["bob"], tree)
    b.click("#bodies summary")
    b.ask("document.querySelector('#tree li li button').focus()")
    lit = b.ask(f"{of}.map((o) => [].concat(o.material)[0].emissive.getHex() > 0)")
    that("a body of the tree is lit", lit[:3] == [False, False, True], lit)
    said = b.ask("document.getElementById('notes').textContent")
    that("a mesh that is wrong is told of", "A mesh is not shown: broken.stl" in said and said.count("broken") == 1, said)
    that("no errors with looks", not b.errors(), b.errors())
    b.picture(picture("lamp"))


def without_webgl(picture):
    with Page(1000, 900, "--disable-gpu", "--disable-3d-apis") as b:
        b.open("two.html")
        that("without WebGL a message says it", "WebGL" in b.ask("document.getElementById('plain').textContent"))
        that("and nothing else is missing", b.ask("liegrp.player.plots.length") >= 3)
        b.press("Space")
        b.press("End")
        b.click("#numbers summary")
        that("numbers are there", shown(b, "step") == "200", shown(b, "step"))
        b.picture(picture("without-webgl"))


def make_pages(liegrp):
    def run(name, *words):
        subprocess.run([liegrp, "run", *words, "--quiet", "--view", name + ".html"], check=True)
    run("two", "chaplygin-sleigh", "--time", "20", "--compare", "gni")
    run("disk", "rolling-disk", "--time", "10")
    run("bicycle", "bicycle", "--steps", "500")
    run("four-bar", "four-bar", "--steps", "300", "--compare", "gauss:stages=2")
    run("lamp", *make_lamp())
    return ["two", "disk", "bicycle", "four-bar", "lamp"]


def main():
    liegrp, folder = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2]) if len(sys.argv) > 2 else None
    if folder:
        os.makedirs(folder, exist_ok=True)
    picture = lambda name: os.path.join(folder, name + ".png") if folder else None
    if liegrp.endswith(".html"):
        with Page() as b:
            narrow(b, picture, [liegrp[:-len(".html")]])
        print(f"{len(failures)} failed")
        sys.exit(1 if failures else 0)
    with tempfile.TemporaryDirectory() as place:
        os.chdir(place)
        pages = make_pages(liegrp)
        with Page() as b:
            keys_and_numbers(b, picture)
            looks(b, picture)
            narrow(b, picture, pages)
        without_webgl(picture)
    print(f"{len(failures)} failed")
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
