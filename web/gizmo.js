/* SPDX-License-Identifier: BSD-3-Clause */
/* The axes of space in a corner of a picture, and numbers along the lines of a ground. Its interface: README.md. */
(function () {
  'use strict';
  const liegrp = (window.liegrp = window.liegrp || {});
  const SIDE = 84; /* pixels */

  /* A text that faces the camera; `high` in lengths of its scene. */
  function sign(text, colour, high) {
    const canvas = document.createElement('canvas'), c = canvas.getContext('2d'), font = '600 44px "DejaVu Sans", Arial, sans-serif';
    c.font = font;
    canvas.width = Math.ceil(c.measureText(text).width) + 12, canvas.height = 56;
    c.font = font, c.textBaseline = 'middle', c.fillStyle = colour, c.fillText(text, 6, 29);
    const map = new THREE.CanvasTexture(canvas);
    map.minFilter = THREE.LinearFilter, map.encoding = THREE.sRGBEncoding;
    const sprite = new THREE.Sprite(new THREE.SpriteMaterial({ map, transparent: true, depthWrite: false }));
    sprite.scale.set((high * canvas.width) / canvas.height, high, 1);
    return sprite;
  }
  const plain = (x) => String(Number(x.toPrecision(6))).replace('-', '−');
  function clear(root) {
    root.traverse((o) => {
      if (o.geometry && !o.isSprite) o.geometry.dispose(); /* sprites share one */
      if (o.material) { if (o.material.map) o.material.map.dispose(); o.material.dispose(); }
    });
    root.remove(...root.children);
  }

  class Gizmo {
    constructor() {
      this.world = new THREE.Scene();
      this.lens = new THREE.OrthographicCamera(-1.45, 1.45, 1.45, -1.45, 0.1, 10);
      this.lens.up.set(0, 0, 1);
    }
    colour(colours) {
      clear(this.world);
      this.world.add(new THREE.HemisphereLight(0xffffff, 0xbbbbbb, 1.1));
      this.world.add(liegrp.shapes.object({ kind: 'axes', dimensions: [1], shade: 'metal' }, colours, '', []));
      ['x', 'y', 'z'].forEach((name, i) => {
        const s = sign(name, colours.axes[i], 0.42);
        s.position.setComponent(i, 1.2), this.world.add(s);
      });
    }
    /* Draws them as `lens` sees them, with the lower left corner of a pane at x, y. */
    draw(renderer, lens, x, y) {
      this.lens.position.copy(new THREE.Vector3(0, 0, 5).applyQuaternion(lens.quaternion));
      this.lens.quaternion.copy(lens.quaternion);
      renderer.setViewport(x + 6, y + 6, SIDE, SIDE), renderer.setScissor(x + 6, y + 6, SIDE, SIDE);
      renderer.clearDepth();
      renderer.render(this.world, this.lens);
    }
    dispose() { clear(this.world); }
  }

  /* Coordinates along the middle lines of a ground that is at rest, in its own axes. */
  class Ruler {
    constructor(ground, colours) {
      this.ground = ground, this.colours = colours, this.root = new THREE.Group();
      this.spacing = ground.grid.material.uniforms.spacing.value, ground.group.add(this.root);
      const d = ground.grid.geometry.parameters;
      this.reach = ground.endless ? 4 : Math.max(0, Math.min(4, Math.floor(Math.min(d.width, d.height) / 2 / (5 * this.spacing))));
    }
    /* With the crossing at x, y, a multiple of five squares. */
    place(x, y) {
      if (this.x === x && this.y === y) return;
      this.x = x, this.y = y, clear(this.root);
      const step = 5 * this.spacing, far = this.reach;
      for (let k = -far; k <= far; k++)
        for (const [a, b, name, value] of [[x + k * step, y, 'x', x + k * step], [x, y + k * step, 'y', y + k * step]]) {
          if (name === 'y' && k === 0) continue;
          const s = sign((k === 0 ? '' : name + ' ') + plain(value), this.colours.axes[name === 'x' ? 0 : 1], 0.45 * this.spacing);
          s.center.set(-0.05, -0.05), s.position.set(a, b, 0), this.root.add(s);
        }
    }
    show(on) { this.root.visible = on; }
  }
  liegrp.Gizmo = Gizmo, liegrp.Ruler = Ruler;
})();
