/* SPDX-License-Identifier: BSD-3-Clause */
/* Draws scenes (include/liegrp/scene/scene.h, as JSON) with three.js, the global THREE: camera, light, panes.
 * Its interface: README.md. */
(function () {
  'use strict';
  const liegrp = (window.liegrp = window.liegrp || {});
  const { palette, linear } = liegrp.shapes, Track = liegrp.Track;

  const FIELD = 32; /* degrees, of the camera */
  const FAR = 4.2;  /* a motion over more of the system's size is followed: it would fill less than a fifth of the picture */

  /* The view -------------------------------------------------------------------------------------------------------- */

  class SceneView {
    /* 1: this browser draws in three dimensions. */
    static supported() {
      try {
        const c = document.createElement('canvas');
        return !!window.THREE && !!(c.getContext('webgl') || c.getContext('experimental-webgl'));
      } catch (e) {
        return false;
      }
    }

    constructor(host, options) {
      this.host = host, this.options = options || {};
      this.renderer = new THREE.WebGLRenderer({ antialias: true, preserveDrawingBuffer: !!this.options.keep });
      this.renderer.gammaOutput = true, this.renderer.gammaFactor = 2.2;
      this.renderer.shadowMap.enabled = true, this.renderer.shadowMap.type = THREE.PCFSoftShadowMap;
      this.renderer.autoClear = false;
      this.canvas = this.renderer.domElement;
      this.canvas.tabIndex = 0;
      this.canvas.setAttribute('role', 'img');
      this.canvas.setAttribute('aria-label', this.options.label || 'The system in three dimensions');
      host.appendChild(this.canvas);
      this.world = new THREE.Scene();
      this.lenses = [new THREE.PerspectiveCamera(FIELD, 1, 0.01, 1000), new THREE.OrthographicCamera(-1, 1, 1, -1, 0, 1)];
      for (const lens of this.lenses) lens.up.set(0, 0, 1);
      this.lens = this.lenses[0], this.half = Math.tan((FIELD * Math.PI) / 360);
      this.gizmo = new liegrp.Gizmo(), this._axes = true, this._scale = false;
      this.tracks = [], this.quality = 2, this.slow = 0;
      this._follow = false, this._layout = 'side', this._trails = true;
      this._contacts = this._cones = true, this._arrows = new Set();
      this._hidden = new Set(), this._selected = -1;
      this.orbit = { azimuth: -1.02, elevation: 0.42, distance: 10, target: new THREE.Vector3() };
      this.lights();
      liegrp.orbit(this);
      this.watch = new ResizeObserver(() => this.resize());
      this.watch.observe(host);
      matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => this.restyle());
      this.resize();
    }

    lights() {
      this.sky = new THREE.HemisphereLight(0xffffff, 0xffffff, 0.75);
      this.sky.position.set(0, 0, 1);
      this.sun = new THREE.DirectionalLight(0xffffff, 0.82);
      this.sun.castShadow = true;
      this.sun.shadow.mapSize.set(2048, 2048);
      this.sun.shadow.radius = 3;
      this.world.add(this.sky, this.sun, this.sun.target);
    }

    setTracks(given) {
      for (const t of this.tracks) this.world.remove(t.root), t.dispose();
      this.given = given;
      const overlaid = this._layout === 'over' && given.length > 1, colours = palette();
      this.colours = colours;
      this.tracks = given.map((g, i) => new Track(g, i, overlaid));
      this.size = Math.max(1e-9, ...this.tracks.map((t) => t.size));
      this.measure();
      this.tracks.forEach((t, i) => {
        t.build(colours, this.extent, overlaid ? liegrp.trackColour(i) : '', liegrp.trackColour(i));
        if (overlaid && i > 0) t.grounds.forEach((g) => (g.group.visible = false));
        if (this.quality < 2) t.grounds.forEach((g) => (g.shadow.visible = false));
        t.trails.forEach((trail) => { trail.mesh.material.visible = this._trails; });
        if (t.contacts) t.contacts.show(this._contacts, this._cones);
        if (t.arrows) t.arrows.show(this._arrows);
        t.hide(this._hidden), t.mark(this._selected);
        t.place();
        this.world.add(t.root);
      });
      liegrp.arrowKinds.forEach((_, k) => { /* tracks have one scale */
        const scale = this.arrowScale(k);
        for (const t of this.tracks) if (t.arrows) t.arrows.scales[k] = scale;
      });
      this.gizmo.colour(colours), this.showScale();
      this.sky.color.copy(linear(colours.sky)), this.sky.groundColor.copy(linear(colours.earth));
      this.renderer.setClearColor(colours.paper, 1);
      this.sun.shadow.bias = -0.0006;
      this.changed();
    }

    measure() {
      this.box = this.tracks.reduce((b, t) => b.union(t.box), new THREE.Box3());
      this.extent = this.tracks.length > 0 ? 0.5 * this.box.getSize(new THREE.Vector3()).length() : 1;
    }

    /* Shows the whole motion, or follows the system if it would be too small to see. */
    fit(followToo) {
      if (this.tracks.length === 0) return;
      this.tracks.forEach((t) => t.include()), this.measure();
      if (followToo) this._follow = this.extent > FAR * this.size;
      this.box.getCenter(this.orbit.target);
      const half = this.half, narrow = Math.min(1, this.aspect());
      if (this._follow) this.orbit.distance = (2.2 * this.size) / (half * narrow);
      else this.frame(half);
      this.changed();
    }

    /* The least distance from which the whole motion is in view, with a margin. */
    frame(half) {
      const o = this.orbit, c = Math.cos(o.elevation), wide = half * this.aspect();
      const back = new THREE.Vector3(Math.cos(o.azimuth) * c, Math.sin(o.azimuth) * c, Math.sin(o.elevation));
      const right = new THREE.Vector3(-Math.sin(o.azimuth), Math.cos(o.azimuth), 0);
      const up = new THREE.Vector3().crossVectors(back, right), p = new THREE.Vector3(), near = this.flat ? 0 : 1;
      for (let turn = 0; turn < 4; turn++) {
        let x0 = Infinity, x1 = -Infinity, y0 = Infinity, y1 = -Infinity, distance = 0;
        for (const t of this.tracks) {
          for (const [x, y, z, r] of t.points) {
            p.set(x, y, z).sub(o.target);
            const a = p.dot(right), b = p.dot(up), d = near * p.dot(back);
            distance = Math.max(distance, (Math.abs(a) + r) / wide + d, (Math.abs(b) + r) / half + d);
            const depth = turn > 0 ? Math.max(0.05 * o.distance, o.distance - d) : 1;
            x0 = Math.min(x0, (a - r) / depth), x1 = Math.max(x1, (a + r) / depth);
            y0 = Math.min(y0, (b - r) / depth), y1 = Math.max(y1, (b + r) / depth);
          }
        }
        if (!isFinite(x0)) return;
        o.distance = 1.14 * Math.max(distance, 1e-9);
        if (turn === 3) break;
        const scale = turn > 0 ? o.distance : 1;
        o.target.addScaledVector(right, 0.5 * (x0 + x1) * scale).addScaledVector(up, 0.5 * (y0 + y1) * scale);
      }
    }

    setRow(k, r) { if (this.tracks[k]) this.tracks[k].row(r), this.tracks[k].place(), this.changed(); }
    /* Live: poses of all bodies; `trace` false: trails do not grow. */
    setPose(k, poses, trace) {
      const t = this.tracks[k];
      if (!t) return;
      t.present.set(poses), t.place();
      if (trace !== false && t.live) for (const trail of t.trails) trail.add(t.trailPoint(trail.shape, t.present, 0)), trail.show();
      this.changed();
    }
    /* Live: the contacts, 12 numbers each. */
    setContacts(k, values) { if (this.tracks[k] && this.tracks[k].live) this.tracks[k].contacts.set(values), this.changed(); }
    clearTrails() { for (const t of this.tracks) if (t.live) t.trails.forEach((x) => x.clear()); this.changed(); }

    /* true: parallel lines stay parallel in the picture. */
    get flat() { return this.lens === this.lenses[1]; }
    set flat(on) { this.lens = this.lenses[on ? 1 : 0], this.changed(); }
    /* false: no axes in the corner. */
    get axes() { return this._axes; }
    set axes(on) { this._axes = !!on, this.changed(); }
    /* true: grounds have numbers. */
    get scale() { return this._scale; }
    set scale(on) { this._scale = !!on, this.showScale(), this.changed(); }
    showScale() {
      for (const t of this.tracks)
        t.grounds.filter((g) => g.still).forEach((g) => {
          if (this._scale && !g.ruler) g.ruler = new liegrp.Ruler(g, this.colours);
          if (g.ruler) g.ruler.show(this._scale);
        });
    }
    /* The edge of a square of the ground; 0: there is none that is at rest. */
    square() {
      const g = [].concat(...this.tracks.map((t) => t.grounds)).find((x) => x.still);
      return g ? g.grid.material.uniforms.spacing.value : 0;
    }
    get follow() { return this._follow; }
    set follow(on) {
      if (this._follow === !!on) return;
      this._follow = !!on;
      this.fit(false);
    }
    get layout() { return this._layout; }
    set layout(name) {
      if (this._layout === name) return;
      this._layout = name;
      this.restyle();
    }
    get trails() { return this._trails; }
    set trails(on) {
      this._trails = !!on;
      for (const t of this.tracks) t.trails.forEach((trail) => { trail.mesh.material.visible = this._trails; });
      this.changed();
    }
    get contacts() { return this._contacts; }
    set contacts(on) { this._contacts = !!on, this.showContacts(); }
    get cones() { return this._cones; }
    set cones(on) { this._cones = !!on, this.showContacts(); }
    showContacts() {
      for (const t of this.tracks) if (t.contacts) t.contacts.show(this._contacts, this._cones);
      this.changed();
    }
    /* Kinds of vectors that are shown, some of liegrp.arrowKinds, and those that some track has. */
    get arrows() { return [...this._arrows]; }
    set arrows(names) {
      this._arrows = new Set(names);
      for (const t of this.tracks) if (t.arrows) t.arrows.show(this._arrows), t.place();
      this.changed();
    }
    arrowsKnown() { return liegrp.arrowKinds.filter((_, k) => this.tracks.some((t) => t.arrows && t.arrows.has(k))); }
    /* What an arrow of 1 m is, of a kind. */
    arrowScale(kind) { return Math.max(0, ...this.tracks.map((t) => (t.arrows ? t.arrows.scales[kind] : 0))); }
    /* Newtons of an arrow of 1 m; 0: none has been seen. */
    perMetre() { return Math.max(0, ...this.tracks.map((t) => (t.contacts ? t.contacts.perMetre : 0))); }
    /* Draws everything again in new colours; poses and trails stay. */
    restyle() {
      if (!this.given) return;
      const before = this.tracks;
      this.setTracks(this.given);
      this.tracks.forEach((t, i) => { t.take(before[i]), t.include(); });
      this.measure();
      this.changed();
    }

    /* [azimuth, elevation, distance, x, y, z], for links. */
    get camera() {
      const o = this.orbit;
      return [o.azimuth, o.elevation, o.distance, o.target.x, o.target.y, o.target.z];
    }
    set camera(c) {
      if (!c || c.length !== 6 || !c.every(isFinite) || !(c[2] > 0)) return;
      Object.assign(this.orbit, { azimuth: c[0], elevation: c[1], distance: c[2] });
      this.orbit.target.set(c[3], c[4], c[5]);
      this.changed();
    }

    /* The shape under a point of the canvas, in pixels, and the name of what it belongs to; null: none. */
    pick(x, y) {
      const n = this.panes(), stacked = this.stacked(), w = stacked ? this.width : this.width / n, h = stacked ? this.height / n : this.height;
      const i = Math.min(n - 1, Math.floor(stacked ? y / h : x / w)), shown = n > 1 ? [this.tracks[i]] : this.tracks;
      if (!shown[0]) return null;
      this.aim(this.tracks[i]), this.lens.updateMatrixWorld();
      const ray = new THREE.Raycaster();
      ray.setFromCamera(new THREE.Vector2((2 * (stacked ? x : x - i * w)) / w - 1, 1 - (2 * (stacked ? y - i * h : y)) / h), this.lens);
      const hit = ray.intersectObjects([].concat(...shown.map((t) => t.objects)).filter((o) => o.visible && o.parent.visible), true)[0];
      let o = hit && hit.object;
      while (o && !o.userData.shape) o = o.parent;
      if (!o) return null;
      const shape = o.userData.shape, body = shape.body >= 0 ? shown[0].scene.bodies[shape.body] : '';
      return { shape, name: !shape.name || shape.name === body ? body : body ? body + ': ' + shape.name : shape.name };
    }
    /* Lights a body instead of the selected one; -1: that one. */
    mark(body) { for (const t of this.tracks) t.mark(body >= 0 ? body : this._selected); this.changed(); }
    get selected() { return this._selected; }
    set selected(body) { this._selected = body, this.mark(-1); }
    /* The numbers of bodies that are not shown. */
    get hidden() { return [...this._hidden]; }
    set hidden(list) {
      this._hidden = new Set(list);
      for (const t of this.tracks) t.hide(this._hidden), t.place();
      this.changed();
    }

    panes() { return this._layout === 'side' ? Math.max(1, this.tracks.length) : 1; }
    /* Panes are side by side, in portrait one below the other. */
    stacked() { return this.panes() > 1 && this.width < 560; }
    aspect() {
      const n = this.panes();
      return this.stacked() ? this.width / (this.height / n) : this.width / n / this.height;
    }
    resize() {
      this.width = Math.max(1, this.host.clientWidth), this.height = Math.max(1, this.host.clientHeight);
      this.ratio = this.quality > 0 ? Math.min(2, window.devicePixelRatio || 1) : 1;
      this.renderer.setPixelRatio(this.ratio);
      this.renderer.setSize(this.width, this.height);
      this.changed();
    }
    changed() {
      if (this.waiting) return;
      this.waiting = requestAnimationFrame((now) => { this.waiting = 0, this.render(now); });
    }

    /* If frames are slow, shadows are switched off first, then fine pixels. */
    adapt(now) {
      const took = now - (this.last || 0);
      this.last = now;
      if (took > 400) return;
      this.slow = took > 45 ? this.slow + 1 : Math.max(0, this.slow - 0.5);
      if (this.slow < 12 || this.quality === 0) return;
      this.slow = 0, this.quality--;
      this.renderer.shadowMap.enabled = false;
      for (const t of this.tracks) t.grounds.forEach((g) => (g.shadow.visible = false));
      this.world.traverse((o) => { for (const m of o.material ? [].concat(o.material) : []) m.needsUpdate = true; });
      if (this.quality === 0) this.resize();
    }

    /* The camera of a pane follows the pane's track, or all overlaid tracks from a distance that keeps them in view. */
    aim(track) {
      const o = this.orbit, target = o.target.clone(), half = this.half;
      let apart = 0;
      if (this._follow && track) {
        const middles = (this.panes() > 1 ? [track] : this.tracks).map((t) => t.middle(new THREE.Vector3()));
        new THREE.Box3().setFromPoints(middles).getCenter(target);
        apart = Math.max(...middles.map((m) => m.distanceTo(target)));
      }
      const c = Math.cos(o.elevation), distance = o.distance + (1.2 * apart) / (half * Math.min(1, this.aspect()));
      this.lens.position.set(Math.cos(o.azimuth) * c, Math.sin(o.azimuth) * c, Math.sin(o.elevation))
        .multiplyScalar(distance).add(target);
      this.lens.lookAt(target);
      this.lens.near = distance / 200, this.lens.far = distance * 40 + 40 * this.extent;
      this.lens.aspect = this.aspect();
      if (this.flat) {
        const high = distance * half, wide = high * this.aspect();
        Object.assign(this.lens, { left: -wide, right: wide, top: high, bottom: -high, near: -this.lens.far });
      }
      this.lens.updateProjectionMatrix();
      const reachOf = this._follow ? 4 * this.size + apart : Math.min(this.extent * 1.1, 2 * o.distance);
      const at = this._follow ? target : o.target, cam = this.sun.shadow.camera;
      this.sun.target.position.copy(at), this.sun.target.updateMatrixWorld();
      this.sun.position.set(0.45, -0.35, 1).multiplyScalar(3 * reachOf).add(at);
      Object.assign(cam, { left: -reachOf, right: reachOf, top: reachOf, bottom: -reachOf, near: 0.1 * reachOf, far: 6 * reachOf });
      cam.updateProjectionMatrix();
      return target;
    }

    render(now) {
      if (now) this.adapt(now);
      const n = this.panes(), stacked = this.stacked(), r = this.renderer;
      const w = stacked ? this.width : this.width / n, h = stacked ? this.height / n : this.height;
      r.setScissorTest(false), r.clear(); /* gaps between panes, from rounding */
      r.setScissorTest(true);
      for (let i = 0; i < n; i++) {
        const x = stacked ? 0 : i * w, y = stacked ? (n - 1 - i) * h : 0;
        this.tracks.forEach((t, k) => (t.root.visible = n === 1 || k === i));
        const target = this.aim(this.tracks[i]);
        for (const t of this.tracks) {
          for (const trail of t.trails) trail.uniforms.resolution.value.set(w, h);
          for (const g of t.grounds) {
            const local = g.group.worldToLocal(target.clone()), step = 5 * g.grid.material.uniforms.spacing.value;
            if (g.ruler && g.ruler.root.visible)
              g.ruler.place(...(g.endless ? [local.x, local.y].map((v) => Math.round(v / step) * step) : [0, 0]));
            if (!g.endless) continue;
            g.grid.material.uniforms.middle.value.set(local.x, local.y);
            const sx = Math.round(local.x / step) * step, sy = Math.round(local.y / step) * step;
            this.slide(g, sx, sy);
          }
        }
        r.setViewport(x, y, w, h), r.setScissor(x, y, w, h);
        r.clear();
        r.render(this.world, this.lens);
        if (this._axes) this.gizmo.draw(r, this.lens, x, y + (this.width < 620 ? 40 : 0));
      }
      if (this.options.onframe) this.options.onframe();
    }

    /* An endless ground moves with the camera. */
    slide(g, x, y) {
      const position = g.grid.geometry.attributes.position, far = g.grid.material.uniforms.fade.value;
      if (g.x === x && g.y === y) return;
      g.x = x, g.y = y;
      [[-1, 1], [1, 1], [-1, -1], [1, -1]].forEach(([a, b], i) => position.setXYZ(i, x + a * far, y + b * far, 0));
      position.needsUpdate = true;
      g.grid.geometry.computeBoundingSphere();
    }

    dispose() {
      cancelAnimationFrame(this.waiting);
      this.watch.disconnect();
      for (const t of this.tracks) t.dispose();
      this.gizmo.dispose();
      this.renderer.dispose(), this.canvas.remove();
    }
  }
  liegrp.SceneView = SceneView;
})();
