/* SPDX-License-Identifier: BSD-3-Clause */
/* Mouse and touch in a scene. Its interface: README.md. */
(function () {
  'use strict';
  const liegrp = (window.liegrp = window.liegrp || {});

  const clamp = (x, a, b) => Math.min(b, Math.max(a, x));

  /* Drag turns, with shift or the right button or two fingers shifts, wheel and pinch come closer. */
  liegrp.orbit = function (view) {
    const held = new Map(), c = view.canvas, o = view.orbit;
    let apart = 0, went = 0; /* fingers; pixels since one was put down */
    const moved = () => { view.changed(); if (view.options.oncamera) view.options.oncamera(); };
    view.turn = (a, e) => {
      o.azimuth += a, o.elevation = clamp(o.elevation + e, -1.5, 1.5707);
      moved();
    };
    /* From the front, the side, above, or along the x axis of a body, so that everything is in view. */
    view.face = (name) => {
      const body = Math.max(0, view.selected), ahead = new THREE.Vector3(1, 0, 0);
      if (name === 'along' && view.tracks[0].frames[body]) ahead.applyQuaternion(view.tracks[0].frames[body].quaternion);
      const along = [Math.atan2(-ahead.y, -ahead.x), clamp(-Math.asin(clamp(ahead.z, -1, 1)), -1.5, 1.5707)];
      [o.azimuth, o.elevation] = { front: [-Math.PI / 2, 0], side: [0, 0], top: [-Math.PI / 2, 1.5707], along }[name];
      view.fit(false), moved();
    };
    view.zoom = (factor) => { o.distance = clamp(o.distance * factor, 1e-3 * view.size, 1e3 * view.extent); moved(); };
    view.shift = (x, y) => {
      const scale = (2 * o.distance * view.half) / view.height;
      const right = new THREE.Vector3().setFromMatrixColumn(view.lens.matrix, 0);
      const up = new THREE.Vector3().setFromMatrixColumn(view.lens.matrix, 1);
      o.target.addScaledVector(right, -x * scale).addScaledVector(up, y * scale);
      moved();
    };
    c.style.touchAction = 'pan-y';
    c.addEventListener('contextmenu', (e) => e.preventDefault());
    c.addEventListener('pointerdown', (e) => {
      c.setPointerCapture(e.pointerId), held.set(e.pointerId, [e.clientX, e.clientY]), apart = went = 0;
    });
    c.addEventListener('pointerup', (e) => {
      if (held.size === 1 && went < 4 && e.button === 0 && view.options.onpick) view.options.onpick(view.pick(e.offsetX, e.offsetY));
    });
    for (const end of ['pointerup', 'pointercancel']) c.addEventListener(end, (e) => { held.delete(e.pointerId), apart = 0; });
    c.addEventListener('pointerleave', () => { if (view.options.onpoint) view.options.onpoint(null); });
    c.addEventListener('pointermove', (e) => {
      const last = held.get(e.pointerId);
      if (view.options.onpoint) view.options.onpoint(last ? null : view.pick(e.offsetX, e.offsetY), e.offsetX, e.offsetY);
      if (!last) return;
      const x = e.clientX - last[0], y = e.clientY - last[1];
      went += Math.abs(x) + Math.abs(y), held.set(e.pointerId, [e.clientX, e.clientY]);
      if (held.size === 2) {
        const [a, b] = [...held.values()], now = Math.hypot(a[0] - b[0], a[1] - b[1]);
        if (apart > 0) view.zoom(apart / now);
        apart = now, view.shift(x / 2, y / 2);
      } else if (e.shiftKey || e.buttons === 2) {
        view.shift(x, y);
      } else {
        view.turn(-0.008 * x, 0.008 * y);
      }
    });
    c.addEventListener('wheel', (e) => {
      if (!e.ctrlKey && document.activeElement !== c && !view.options.wheel) return; /* the page scrolls */
      e.preventDefault(), view.zoom(Math.exp(0.0012 * e.deltaY));
    }, { passive: false });
  };
})();
