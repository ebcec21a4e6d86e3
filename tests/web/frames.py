#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Frames per second of pages of runs, drawn by a processor: frames.py LIEGRP [SYSTEM...].

A page of each system at 1280 x 800 draws 12 rows, each read back so that it is complete, without and with shadows. A
table of milliseconds a frame (median) and frames per second goes to standard output.
"""
import os
import statistics
import subprocess
import sys
import tempfile

from browser import Page

SYSTEMS = ["chaplygin-sleigh", "rolling-disk", "bicycle", "dominoes"]
DRAW = """
  const p = liegrp.player, v = p.view, gl = v.renderer.getContext(), one = new Uint8Array(4), took = [], n = 12;
  v.adapt = () => {}; /* no drop in quality */
  v.renderer.shadowMap.enabled = arguments[0], v.renderer.shadowMap.needsUpdate = true;
  v.world.traverse((o) => { for (const m of o.material ? [].concat(o.material) : []) m.needsUpdate = true; });
  for (let i = 0; i < n; i++) {
    const from = performance.now();
    p.data.tracks.forEach((t, k) => v.setRow(k, (i * (t.rows - 1)) / (n - 1)));
    v.render(), gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, one);
    if (i > 1) took.push(performance.now() - from);
  }
  return took;"""


def main():
    liegrp, systems = os.path.abspath(sys.argv[1]), sys.argv[2:] or SYSTEMS
    print("system               shadows   ms/frame   frames/s")
    with tempfile.TemporaryDirectory() as place:
        os.chdir(place)
        for name in systems:
            subprocess.run([liegrp, "run", name, "--steps", "200", "--quiet", "--view", name + ".html"], check=True)
        with Page() as b:
            b.emulate(1280, prefers_color_scheme="light", prefers_reduced_motion="reduce")
            b.resize(1280, 800)
            for name in systems:
                b.open(name + ".html")
                for shadows in (False, True):
                    ms = statistics.median(b.run(DRAW, shadows))
                    print(f"{name:<20} {'yes' if shadows else 'no':<9} {ms:8.1f} {1000 / ms:10.1f}")


main()
