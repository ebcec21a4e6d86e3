/* SPDX-License-Identifier: BSD-3-Clause */
/* Contacts in a scene: points, forces as arrows, friction cones, coloured by mode. Its interface: README.md. */
(function () {
  'use strict';
  const liegrp = (window.liegrp = window.liegrp || {});
  const NUMBERS = 12; /* of a contact: its number, mode, friction, point, normal, force */
  const MODES = ['open', 'sticks', 'slips'];
  const LIGHT = ['#7d7a72', '#1f8a5b', '#d1601a'], DARK = ['#98a0a8', '#5fd09a', '#ff9a4d'];

  liegrp.contactModes = MODES;
  liegrp.contactColour = (mode) => (liegrp.isDark() ? DARK : LIGHT)[mode];

  /* 1, 2 or 5 times a power of ten, next to x. */
  function nice(x) {
    const p = Math.pow(10, Math.floor(Math.log10(x))), f = x / p;
    return (f < 1.5 ? 1 : f < 3.5 ? 2 : f < 7.5 ? 5 : 10) * p;
  }
  const strength = (v, i) => Math.hypot(v[i + 9], v[i + 10], v[i + 11]);
  function strongest(v, from, to) {
    let most = 0;
    for (let i = from; i < to; i += NUMBERS) most = Math.max(most, strength(v, i));
    return most;
  }

  /* Meshes of one contact, in front of everything: a force points into the body that it acts on. */
  class Mark {
    constructor(root, shapes) {
      this.dot = new THREE.Mesh(shapes.dot), this.shaft = new THREE.Mesh(shapes.shaft), this.tip = new THREE.Mesh(shapes.tip);
      this.cone = new THREE.Mesh(shapes.cone), this.rim = new THREE.LineLoop(shapes.rim);
      this.all = [this.cone, this.rim, this.shaft, this.tip, this.dot];
      this.all.forEach((o, i) => { o.renderOrder = 3 + i, o.frustumCulled = false, root.add(o); });
    }
    hide() { for (const o of this.all) o.visible = false; }
  }

  class Contacts {
    /* size: of the system; recorded: { counts, values } of all rows, null: live. */
    constructor(size, recorded) {
      this.size = size, this.recorded = recorded, this.root = new THREE.Group(), this.marks = [];
      this.forces = this.cones = true, this.values = new Float32Array(0);
      this.perMetre = 0; /* newtons of an arrow of 1 m; 0: no force has been seen */
      this.shapes = this.geometry();
      this.looks = MODES.map((_, mode) => this.materials(liegrp.contactColour(mode)));
      if (recorded) this.index();
    }
    geometry() {
      const rim = [];
      for (let i = 0; i < 48; i++) rim.push(Math.cos((i * Math.PI) / 24), Math.sin((i * Math.PI) / 24), 1);
      const circle = new THREE.BufferGeometry();
      circle.setAttribute('position', new THREE.BufferAttribute(new Float32Array(rim), 3));
      return {
        dot: new THREE.SphereBufferGeometry(1, 16, 12), rim: circle,
        shaft: new THREE.CylinderBufferGeometry(1, 1, 1, 12).rotateX(Math.PI / 2).translate(0, 0, 0.5),
        tip: new THREE.ConeBufferGeometry(1, 1, 20).rotateX(Math.PI / 2).translate(0, 0, -0.5),
        cone: new THREE.ConeBufferGeometry(1, 1, 48, 1, true).rotateX(-Math.PI / 2).translate(0, 0, 0.5), /* apex at 0 */
      };
    }
    materials(colour) {
      const look = { color: liegrp.shapes.linear(colour), transparent: true, depthTest: false, depthWrite: false };
      return {
        solid: new THREE.MeshBasicMaterial({ ...look, opacity: 0.95 }), faint: new THREE.MeshBasicMaterial({ ...look, opacity: 0.5 }),
        cone: new THREE.MeshBasicMaterial({ ...look, opacity: 0.13, side: THREE.DoubleSide }),
        rim: new THREE.LineBasicMaterial({ ...look, opacity: 0.6 }),
      };
    }

    /* Where each row begins, and the scale: nine in ten rows have forces that are shorter than the system is large. */
    index() {
      const { counts, values } = this.recorded, most = [];
      this.first = new Uint32Array(counts.length + 1);
      counts.forEach((n, i) => {
        this.first[i + 1] = this.first[i] + NUMBERS * n;
        const force = strongest(values, this.first[i], this.first[i + 1]);
        if (force > 0) most.push(force);
      });
      most.sort((a, b) => a - b);
      if (most.length > 0) this.scale(most[Math.floor(0.9 * (most.length - 1))]);
    }
    scale(force) { this.perMetre = nice(force / (0.6 * this.size)); }

    /* The row, of recorded ones, that is nearest to r. */
    row(r) {
      const i = Math.max(0, Math.min(this.recorded.counts.length - 1, Math.round(r)));
      this.set(this.recorded.values.subarray(this.first[i], this.first[i + 1]));
    }
    /* Shows these contacts; live, the scale follows forces that grow. */
    set(values) {
      const count = values.length / NUMBERS, most = this.recorded ? 0 : strongest(values, 0, values.length);
      if (most > 0 && !(most / this.perMetre < 1.6 * this.size)) this.scale(most);
      this.values = values;
      while (this.marks.length < count) this.marks.push(new Mark(this.root, this.shapes));
      this.marks.forEach((m, i) => (i < count && this.forces ? this.place(m, values, NUMBERS * i) : m.hide()));
    }
    show(forces, cones) { this.forces = forces, this.cones = cones, this.set(this.values); }

    place(m, v, i) {
      const mode = v[i + 1], look = this.looks[mode], force = strength(v, i), thick = 0.02 * this.size;
      const point = new THREE.Vector3().fromArray(v, i + 3), normal = new THREE.Vector3().fromArray(v, i + 6);
      const f = new THREE.Vector3().fromArray(v, i + 9), z = new THREE.Vector3(0, 0, 1);
      const length = this.perMetre > 0 ? Math.min(force / this.perMetre, 4 * this.size) : 0;
      m.hide();
      m.dot.visible = true, m.dot.material = mode === 0 ? look.faint : look.solid;
      m.dot.position.copy(point), m.dot.scale.setScalar(mode === 0 ? 1.2 * thick : 1.6 * thick);
      if (!(length > 0.2 * thick)) return;
      const head = Math.min(5 * thick, 0.6 * length), along = new THREE.Quaternion().setFromUnitVectors(z, f.clone().divideScalar(force));
      for (const o of [m.shaft, m.tip]) o.visible = true, o.material = look.solid, o.quaternion.copy(along);
      m.shaft.position.copy(point), m.shaft.scale.set(0.5 * thick, 0.5 * thick, length - 0.5 * head);
      m.tip.position.copy(point).addScaledVector(f, length / force), m.tip.scale.set(0.32 * head, 0.32 * head, head);
      const high = (f.dot(normal) / force) * length, friction = v[i + 2];
      if (!this.cones || !(friction > 0 && high > 0)) return;
      for (const o of [m.cone, m.rim]) {
        o.visible = true, o.position.copy(point), o.quaternion.setFromUnitVectors(z, normal);
        o.scale.set(friction * high, friction * high, high);
      }
      m.cone.material = look.cone, m.rim.material = look.rim;
    }

    dispose() {
      for (const g of Object.values(this.shapes)) g.dispose();
      for (const look of this.looks) for (const m of Object.values(look)) m.dispose();
    }
  }
  liegrp.Contacts = Contacts;
})();
