#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""What pages of runs can be asked to show: viewer.py LIEGRP [FOLDER for pictures].

Each control by its key or a click: what it changes in the state, in the picture's pixels and in the link. Arrows are
compared with vectors that are computed here from the columns of the page.
"""
import math
import os
import subprocess
import sys
import tempfile
import time

from browser import Page, failures, that

# Arrows of one kind as they are drawn: where they begin, their direction and length in space.
DRAWN = """(() => {
  const v = liegrp.player.view, kind = liegrp.arrowKinds.indexOf(arguments[0]);
  return v.tracks[arguments[1]].arrows.shown.filter((a) => a.kind === arguments[0]).map((a) => {
    const { shaft, tip } = a.arrow.parts, z = new THREE.Vector3(0, 0, 1).applyQuaternion(shaft.quaternion);
    const end = new THREE.Vector3().setFromMatrixPosition((tip.updateMatrixWorld(), tip.matrixWorld));
    shaft.updateMatrixWorld();
    const from = new THREE.Vector3().setFromMatrixPosition(shaft.matrixWorld);
    return [a.of, from.toArray(), z.toArray(), end.sub(from).multiplyScalar(v.arrowScale(kind)).toArray()];
  });
})()"""


def column(b, name, row, track=0):
    return b.ask("liegrp.player.data.tracks[arguments[2]].column[arguments[0]].values[arguments[1]]", name, row, track)


def pixels(b):
    """A number that is another one when the picture is."""
    return b.ask("""(() => {
      const v = liegrp.player.view;
      v.render();
      const gl = v.renderer.getContext(), w = v.canvas.width, h = v.canvas.height, p = new Uint8Array(4 * w * h);
      gl.readPixels(0, 0, w, h, gl.RGBA, gl.UNSIGNED_BYTE, p);
      let sum = 0;
      for (let i = 0; i < p.length; i++) sum = (sum * 31 + p[i]) % 4294967291;
      return sum;
    })()""")


def pressed(b, key):
    return b.ask("document.querySelector(`#panel [data-key=\"${arguments[0]}\"]`).getAttribute('aria-pressed')", key)


def close(a, b, size):
    return all(abs(x - y) < 2e-6 * size for x, y in zip(a, b))


def still(b, page, link="#t=0"):
    b.open(page + ".html", link)
    that(page + " does not move", not b.ask("liegrp.player.playing"))


def arrows(b, picture):
    still(b, "sleigh", "#t=1&speed=1")
    before = pixels(b)
    that("no arrows at first", b.ask(DRAWN, "velocity", 0) == [])
    row = b.ask("liegrp.player.data.tracks[0].times.indexOf(1)")
    that("a row at t = 1", row > 0, row)
    turn = column(b, "theta", row)
    space = lambda x, y: (math.cos(turn) * x - math.sin(turn) * y, math.sin(turn) * x + math.cos(turn) * y, 0)
    momentum = [column(b, f"p_{i}", row) for i in (1, 2, 3)]
    expected = {"v": ("velocity", space(*(column(b, f"xi_{i}", row) for i in (1, 2)))),
                "m": ("momentum", space(*momentum[:2])), "l": ("angular momentum", (0, 0, momentum[2]))}
    for key, (kind, vector) in expected.items():
        b.press(key)
        seen, size = b.ask(DRAWN, kind, 0), math.hypot(*vector)
        that(f"{key} shows one arrow of {kind}", len(seen) == 1 and pressed(b, key) == "true", seen)
        that(f"{kind} points along its vector", close(seen[0][2], [x / size for x in vector], 1), (seen, vector))
        that(f"{kind} is as long as the scale says", close(seen[0][3], vector, size), (seen, vector))
        that(f"{kind} begins at the body", close(seen[0][1], [column(b, "x", row), column(b, "y", row), 0], 10), seen)
        that(f"{kind} is in the legend", kind + ": 1 m is" in b.ask("document.getElementById('modes').textContent"))
        that(f"{kind} changes the picture", pixels(b) != before)
    that("no key for what is not there", b.ask("document.querySelector('#panel [data-key=\"j\"]')") is None)
    b.picture(picture("arrows"))
    time.sleep(0.4)
    link = b.ask("location.hash")
    b.open("sleigh.html", link)
    that("a link has its arrows", b.ask("liegrp.player.view.arrows.length") == 3, link)
    for key in expected:
        b.press(key)
    that("the keys switch them off", b.ask("liegrp.player.view.arrows.length") == 0 and b.ask(DRAWN, "velocity", 0) == [])
    b.press("v")
    b.press("Right")
    times = b.ask("[liegrp.player.time, ...liegrp.player.data.tracks[0].times.slice(0, 400)]")
    i = max(k for k, t in enumerate(times[1:]) if t <= times[0])
    part = (times[0] - times[1 + i]) / (times[2 + i] - times[1 + i])
    def at(k):
        a, x, y = column(b, "theta", k), column(b, "xi_1", k), column(b, "xi_2", k)
        return [math.cos(a) * x - math.sin(a) * y, math.sin(a) * x + math.cos(a) * y]
    between = [(1 - part) * x + part * y for x, y in zip(at(i), at(i + 1))]
    that("between rows arrows are between", close(b.ask(DRAWN, "velocity", 0)[0][3], between, 1), between)
    still(b, "sleigh", "#t=1&arrows=velocity,colour")
    that("the page reports unknown arrows of a link", "arrows=velocity,colour" in b.ask("document.getElementById('unread').textContent"))
    that("no errors with arrows", not b.errors(), b.errors())


def arrows_of_mechanisms(b):
    still(b, "four-bar", "#t=0&arrows=velocity,reaction&layout=over")
    that("no reactions before the first step", b.ask(DRAWN, "reaction", 0) == [])
    b.press("End")
    last = b.ask("liegrp.player.data.tracks[0].rows - 1")
    seen, rate, angle = b.ask(DRAWN, "velocity", 0), column(b, "a_vel", last), column(b, "a", last)
    that("an arrow each body", [s[0] for s in seen] == [0, 1, 2], seen)
    # the crank turns about y at its joint: omega x r
    point = b.ask("(() => { const a = liegrp.player.data.tracks[0].arrows; return [...a.joints[0].point, ...a.centres.slice(0, 3)]; })()")
    pose = b.ask("[...liegrp.player.data.tracks[0].poses.slice(arguments[0], arguments[0] + 7)]", 21 * last)
    half = 2 * math.atan2(pose[4], pose[6])
    arm = [point[3 + k] - point[k] for k in range(3)]
    x, z = math.cos(half) * arm[0] + math.sin(half) * arm[2], -math.sin(half) * arm[0] + math.cos(half) * arm[2]
    rate *= math.copysign(1, math.sin(half) * math.sin(angle))  # the axis is y, or against it
    vector, size = (rate * z, 0, -rate * x), abs(rate) * math.hypot(x, z)
    that("the crank's velocity is omega x r", close(seen[0][3], vector, 5 * size), (seen[0], vector, angle))
    forces = b.ask(DRAWN, "reaction", 0)
    that("a force each joint, by its name", [f[0] for f in forces] == ["a", "b", "c", "d"], forces)
    data = b.ask("[...liegrp.player.data.tracks[0].arrows.reactions.slice(12 * arguments[0])]", last)
    for k, f in enumerate(forces):
        size = math.hypot(*data[3 * k:3 * k + 3])
        that(f"reaction {f[0]} points along its vector", close(f[2], [x / size for x in data[3 * k:3 * k + 3]], 1), f)
    that("the tracks have one scale", b.ask("liegrp.arrowKinds.every((_, k) => liegrp.player.view.tracks.every((t) => "
                                            "t.arrows.scales[k] === liegrp.player.view.arrowScale(k)))"))
    that("a method without reactions shows none", b.ask(DRAWN, "reaction", 2) == [])
    that("no errors with mechanisms", not b.errors(), b.errors())


def panel(b, picture):
    still(b, "four-bar")
    that("the panel is closed", b.ask("document.getElementById('panel').hidden"))
    b.ask("document.getElementById('looks').focus()")
    b.press("Enter")
    that("Enter opens it", not b.ask("document.getElementById('panel').hidden")
         and b.ask("document.getElementById('looks').getAttribute('aria-expanded')") == "true")
    b.press("Tab")
    that("Tab leads into it", b.ask("document.getElementById('panel').contains(document.activeElement)"))
    b.press("Enter")
    that("Enter presses a button", b.ask("liegrp.player.view.arrows.length") == 1)
    b.picture(picture("panel"))
    b.press("Escape")
    that("Escape closes it, and leads back", b.ask("document.getElementById('panel').hidden")
         and b.ask("document.activeElement.id") == "looks")
    b.press("?")
    said = b.ask("document.getElementById('keylist').textContent")
    that("the help has every key", all(k in said for k in b.ask("liegrp.player.panel.help().map((h) => h[0])")), said)
    b.picture(picture("help"))
    that("the picture has a text", b.ask("liegrp.player.view.canvas.getAttribute('aria-label')")
         == "Moving picture of four-bar: crank, coupler, rocker. The numbers are in the table below.")
    that("every button has a name", b.ask("[...document.querySelectorAll('#stage button')].every((e) => (e.getAttribute('aria-label') || e.textContent).trim())"))


def tree(b, picture):
    """Bodies are selected and hidden, by keys, in the picture and by a link."""
    still(b, "four-bar", "#t=0.2&arrows=velocity&layout=over")
    hidden, selected = "liegrp.player.view.hidden", "liegrp.player.view.selected"
    b.click("#bodies summary")
    before = pixels(b)
    b.ask("document.querySelectorAll('#tree input')[1].focus()")
    b.press("Space")
    that("space hides a body", b.ask(hidden) == [1] and not b.ask("document.querySelectorAll('#tree input')[1].checked"))
    that("its arrow is hidden too", [s[0] for s in b.ask(DRAWN, "velocity", 0)] == [0, 2])
    that("the picture changes", pixels(b) != before)
    b.press("Space")
    that("space shows it again", b.ask(hidden) == [] and pixels(b) == before)
    b.press("Tab")
    lit = pixels(b)
    that("the focus lights a body", lit != before)
    b.press("Enter")
    that("Enter selects it", b.ask(selected) == 1
         and b.ask("document.querySelectorAll('#tree button')[1].getAttribute('aria-pressed')") == "true")
    b.ask("document.activeElement.blur()")
    that("it stays lit", pixels(b) == lit)
    b.ask("document.querySelectorAll('#tree input')[0].click()")
    time.sleep(0.4)
    link = b.ask("location.hash")
    b.open("four-bar.html", link)
    that("a link has both", b.ask(hidden) == [0] and b.ask(selected) == 1, link)
    that("hidden bodies have no name", "crank" not in names(b))
    still(b, "four-bar", "#t=0.2&layout=over&hidden=9")
    that("no such body", b.ask("document.getElementById('unread').textContent").endswith("hidden=9"))
    at = b.ask("""(() => {
      const v = liegrp.player.view, r = v.canvas.getBoundingClientRect();
      for (let x = 5; x < r.width; x += 5) for (let y = 5; y < r.height; y += 5) {
        const hit = v.pick(x, y);
        if (hit && hit.shape.body === 2) return [x, y];
      }
    })()""")
    send = """(() => { const c = liegrp.player.view.canvas, r = c.getBoundingClientRect();
      for (const [type, x] of [['pointerdown', 0], ['pointermove', arguments[2]], ['pointerup', arguments[2]]])
        c.dispatchEvent(new PointerEvent(type, { pointerId: 1, button: 0, buttons: 1, clientX: r.left + arguments[0] + x, clientY: r.top + arguments[1] })); })()"""
    b.ask("(() => { liegrp.player.view.canvas.setPointerCapture = () => {}; })()")
    b.ask(send, *at, 6)
    that("dragging selects nothing", b.ask(selected) == -1)
    b.ask("liegrp.player.view.turn(0.048, 0)")
    b.ask(send, *at, 0)
    that("a click selects what is there", b.ask(selected) == 2, b.ask(selected))
    that("no errors with the tree", not b.errors(), b.errors())


def names(b):
    """Names that the page shows for points all over the picture."""
    return b.ask("""(() => {
      const v = liegrp.player.view, seen = new Set();
      for (let x = 5; x < v.width; x += 9) for (let y = 5; y < v.height; y += 9) seen.add((v.pick(x, y) || { name: '' }).name);
      return [...seen];
    })()""")


def cameras(b, picture):
    still(b, "disk")
    sight = "liegrp.player.view.lens.getWorldDirection(new THREE.Vector3()).toArray()"
    look = lambda: (pixels(b), b.ask(sight))[1]
    axis = b.ask("(() => { const f = liegrp.player.view.tracks[0].frames[0]; return new THREE.Vector3(1, 0, 0).applyQuaternion(f.quaternion).toArray(); })()")
    for key, way in (("1", (0, 1, 0)), ("2", (-1, 0, 0)), ("3", (0, 0, -1)), ("4", axis)):
        before = pixels(b)
        b.press(key)
        that(f"{key} looks along {way}", all(abs(x - y) < 2e-3 for x, y in zip(look(), way)), look())
        that(f"{key} changes the picture", pixels(b) != before)
        b.picture(picture("camera-" + key))
    b.press("1")
    before = pixels(b)
    far = """(() => { const v = liegrp.player.view; v.render();
      const at = (y) => new THREE.Vector3(0, y, 0).project(v.lens).x - new THREE.Vector3(1, y, 0).project(v.lens).x;
      return at(0) / at(2); })()"""
    that("what is far is smaller", b.ask(far) > 1.01, b.ask(far))
    b.press("5")
    that("5: orthographic", pressed(b, "5") == "true" and abs(b.ask(far) - 1) < 1e-6 and pixels(b) != before, b.ask(far))
    that("names are found in it, too", "disk" in names(b), names(b))
    b.picture(picture("orthographic"))
    before = pixels(b)
    b.press("a")
    off = pixels(b)
    that("a: no axes", pressed(b, "a") == "false" and off != before)
    b.press("3")
    before = pixels(b)
    b.press("g")
    that("g: numbers on the ground", pressed(b, "g") == "true" and pixels(b) != before)
    square = b.ask("liegrp.player.view.square()")
    that("the legend has the square", f"a square of the ground is {square:g} m" in b.ask("document.getElementById('modes').textContent"))
    signs = b.ask("liegrp.player.view.tracks[0].grounds[0].ruler.root.children.map((s) => s.position.toArray())")
    that("numbers are at every fifth line", len(signs) > 8 and all(abs(p[k] / (5 * square) - round(p[k] / (5 * square))) < 1e-6
         for p in signs for k in (0, 1)), signs)
    b.picture(picture("scale"))
    time.sleep(0.4)
    link = b.ask("location.hash")
    b.open("disk.html", link)
    that("a link has these", b.ask("(() => { const v = liegrp.player.view; return [v.flat, v.axes, v.scale]; })()") == [True, False, True], link)
    b.press("z")
    b.wait("return document.fullscreenElement && document.fullscreenElement.id === 'stage'", seconds=5)
    that("z: full screen", pressed(b, "z") == "true" and b.ask("liegrp.player.view.height >= innerHeight - 2"))
    b.press("z")
    b.wait("return !document.fullscreenElement", seconds=5)
    that("no errors with cameras", not b.errors(), b.errors())


def framing(b, pages):
    """The ball about the system is at least a fifth of the picture, at the start and at the end."""
    for page in pages:
        for key in ("Home", "End"):
            still(b, page)
            b.press(key)
            part = b.ask("""(() => {
              const v = liegrp.player.view, t = v.tracks[0];
              v.render();
              const middle = t.middle(new THREE.Vector3()), up = new THREE.Vector3().setFromMatrixColumn(v.lens.matrix, 1);
              const y = (s) => middle.clone().addScaledVector(up, s * t.size).project(v.lens).y;
              return (y(1) - y(-1)) / 2 / Math.min(1, v.aspect());
            })()""")
            that(f"{page} at {key} fills its picture", 0.2 <= part <= 1.3, part)


def files(b):
    still(b, "disk", "#t=1&arrows=velocity")
    b.ask("(() => { window.kept = []; liegrp.save = (blob, name) => blob.arrayBuffer().then((a) => kept.push([name, blob.type, [...new Uint8Array(a)]])); })()")
    b.press("s")
    name, kind, data = b.wait("return window.kept[0]", seconds=10)
    size = [int.from_bytes(bytes(data[k:k + 4]), "big") for k in (16, 20)]
    that("s saves a PNG", name == "rolling-disk.png" and kind == "image/png" and bytes(data[:8]) == b"\x89PNG\r\n\x1a\n", name)
    that("as large as the canvas", size == b.ask("[liegrp.player.view.canvas.width, liegrp.player.view.canvas.height]"), size)
    that("it has more than one colour", b.run("""
      const done = arguments[arguments.length - 1], image = new Image();
      return new Promise((done) => {
        image.onload = () => {
          const c = document.createElement('canvas').getContext('2d');
          c.canvas.width = image.width, c.canvas.height = image.height, c.drawImage(image, 0, 0);
          done(new Set(new Uint32Array(c.getImageData(0, 0, image.width, image.height).data.buffer)).size);
        };
        image.src = URL.createObjectURL(new Blob([new Uint8Array(kept[0][2])], { type: 'image/png' }));
      });""") > 50)
    that("w is possible", not b.ask("liegrp.Film.missing()"), b.ask("liegrp.Film.missing()"))
    b.ask("(() => { const s = document.getElementById('speed'); s.value = '5'; s.dispatchEvent(new Event('change')); })()")
    b.press("w")
    that("w records", pressed(b, "w") == "true" and b.ask("liegrp.player.playing"))
    name, kind, data = b.wait("return window.kept[1]", seconds=60)
    that("it ends with the motion", b.ask("liegrp.player.time === liegrp.player.last") and pressed(b, "w") == "false")
    that("a WebM file", name == "rolling-disk.webm" and bytes(data[:4]) == b"\x1a\x45\xdf\xa3" and len(data) > 5000, (name, len(data)))
    wide = b.run("""return new Promise((done) => {
      const v = document.createElement('video');
      v.onloadeddata = () => done(v.videoWidth), v.onerror = () => done(-1);
      v.src = URL.createObjectURL(new Blob([new Uint8Array(kept[1][2])], { type: 'video/webm' }));
    });""")
    that("that plays", wide == b.ask("liegrp.player.view.canvas.width"), wide)
    that("no errors with files", not b.errors(), b.errors())


def make_pages(liegrp):
    def run(name, *words):
        subprocess.run([liegrp, "run", *words, "--quiet", "--view", name + ".html"], check=True)
    run("sleigh", "chaplygin-sleigh", "--time", "10", "--compare", "gni")
    run("disk", "rolling-disk", "--time", "5")
    run("bicycle", "bicycle", "--time", "5")
    run("sphere", "chaplygin-sphere", "--time", "5")
    run("four-bar", "four-bar", "--steps", "300", "--compare", "gauss:stages=2,rkmk4")


def main():
    liegrp, folder = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2]) if len(sys.argv) > 2 else None
    if folder:
        os.makedirs(folder, exist_ok=True)
    picture = lambda name: os.path.join(folder, name + ".png") if folder else None
    with tempfile.TemporaryDirectory() as place:
        os.chdir(place)
        make_pages(liegrp)
        with Page() as b:
            b.emulate(1280, prefers_color_scheme="light", prefers_reduced_motion="reduce")
            b.resize(900, 700)  # few pixels: a processor draws them
            arrows(b, picture)
            arrows_of_mechanisms(b)
            panel(b, picture)
            tree(b, picture)
            cameras(b, picture)
            framing(b, ["sleigh", "disk", "bicycle", "sphere", "four-bar"])
            files(b)
    print(f"{len(failures)} failed")
    sys.exit(1 if failures else 0)


main()
