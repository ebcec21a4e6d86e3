/* SPDX-License-Identifier: BSD-3-Clause */
/* Vectors of a motion as arrows: velocities and momenta of bodies, reactions of joints. Its interface: README.md. */
(function () {
  'use strict';
  const liegrp = (window.liegrp = window.liegrp || {});
  const BODY = 9; /* numbers of a body: velocity, momentum, angular momentum */

  /* Where each kind is in the numbers of a body; reactions are those of joints. Angular momenta have a ring. */
  const KINDS = [
    { name: 'velocity', unit: 'm/s', at: 0, light: '#1668b8', dark: '#6fb4f5' },
    { name: 'momentum', unit: 'kg m/s', at: 3, light: '#7b3fb0', dark: '#c79bf0' },
    { name: 'angular momentum', unit: 'kg m²/s', at: 6, ring: true, light: '#8a6a00', dark: '#e3c04a' },
    { name: 'reaction', unit: 'N', at: -1, light: '#b0185f', dark: '#ff85b8' },
  ];
  liegrp.arrowKinds = KINDS.map((k) => k.name);
  liegrp.arrowUnit = (kind) => KINDS[kind].unit;
  liegrp.arrowColour = (kind) => KINDS[kind][liegrp.isDark() ? 'dark' : 'light'];

  /* 1, 2 or 5 times a power of ten, next to x. */
  function nice(x) {
    const p = Math.pow(10, Math.floor(Math.log10(x))), f = x / p;
    return (f < 1.5 ? 1 : f < 3.5 ? 2 : f < 7.5 ? 5 : 10) * p;
  }

  /* A unit arrow along z from 0; place() gives it its length. */
  class Arrow {
    constructor(root, shapes, material) {
      this.parts = { shaft: shapes.shaft, tip: shapes.tip, ring: shapes.ring };
      for (const name of Object.keys(this.parts)) {
        const o = (this.parts[name] = new THREE.Mesh(this.parts[name], material));
        o.renderOrder = 6, o.frustumCulled = false, root.add(o);
      }
    }
    hide() { for (const o of Object.values(this.parts)) o.visible = false; }
    place(from, vector, perMetre, size) {
      const strength = vector.length(), thick = 0.018 * size, length = perMetre > 0 ? Math.min(strength / perMetre, 4 * size) : 0;
      this.hide();
      if (!(length > 0.2 * thick)) return;
      const { shaft, tip, ring } = this.parts, head = Math.min(5 * thick, 0.6 * length);
      const along = new THREE.Quaternion().setFromUnitVectors(new THREE.Vector3(0, 0, 1), vector.clone().divideScalar(strength));
      for (const o of Object.values(this.parts)) o.visible = true, o.quaternion.copy(along), o.position.copy(from);
      shaft.scale.set(0.5 * thick, 0.5 * thick, length - 0.5 * head);
      tip.scale.set(0.32 * head, 0.32 * head, head), tip.position.addScaledVector(vector, length / strength);
      ring.scale.setScalar(Math.min(3 * thick, 0.3 * length)), ring.position.addScaledVector(vector, (0.45 * length) / strength);
    }
  }

  class Arrows {
    /* recorded: as in the data, { centres, bodies, joints, reactions }; size: of the system. */
    constructor(recorded, size, bodies) {
      this.recorded = recorded, this.size = size, this.bodies = bodies, this.joints = recorded.joints || [];
      this.root = new THREE.Group(), this.kinds = new Set(), this.made = [], this.shown = [];
      this.geometry = {
        shaft: new THREE.CylinderBufferGeometry(1, 1, 1, 12).rotateX(Math.PI / 2).translate(0, 0, 0.5),
        tip: new THREE.ConeBufferGeometry(1, 1, 20).rotateX(Math.PI / 2).translate(0, 0, -0.5),
        ring: new THREE.TorusBufferGeometry(1, 0.16, 8, 32),
      };
      this.materials = KINDS.map((_, i) => new THREE.MeshBasicMaterial({
        color: liegrp.shapes.linear(liegrp.arrowColour(i)), transparent: true, opacity: 0.95, depthTest: false, depthWrite: false,
      }));
      this.none = new THREE.MeshBasicMaterial({ visible: false });
      this.scales = KINDS.map((_, i) => this.scale(i));
    }
    count(kind) { return KINDS[kind].at < 0 ? this.joints.length : this.bodies; }
    /* Number i of kind k in row r; NaN where it is not known. */
    vector(out, kind, i, r) {
      const { at } = KINDS[kind], joint = at < 0, values = joint ? this.recorded.reactions : this.recorded.bodies;
      const k = joint ? 3 * (r * this.joints.length + i) : BODY * (r * this.bodies + i) + at;
      return out.set(values[k], values[k + 1], values[k + 2]);
    }
    rows() { return this.bodies > 0 ? this.recorded.bodies.length / (BODY * this.bodies) : 0; }
    /* Of an arrow of 1 m: nine in ten rows have arrows that are shorter than the system is large; 0: there are none. */
    scale(kind) {
      const most = [], x = new THREE.Vector3(), stride = Math.max(1, Math.floor(this.rows() / 400));
      for (let r = 0; r < this.rows(); r += stride) {
        let longest = 0;
        for (let i = 0; i < this.count(kind); i++) longest = Math.max(longest, this.vector(x, kind, i, r).length() || 0);
        if (longest > 0) most.push(longest);
      }
      most.sort((a, b) => a - b);
      return most.length > 0 ? nice(most[Math.floor(0.9 * (most.length - 1))] / (0.9 * this.size)) : 0;
    }
    has(kind) { return this.scales[kind] > 0; }
    /* Shows these kinds, a Set of their names. */
    show(kinds) { this.kinds = kinds; }

    /* Places the arrows for row r, with fractions between two rows, at `frames`, the bodies' objects. */
    place(r, frames) {
      const from = new THREE.Vector3(), a = new THREE.Vector3(), b = new THREE.Vector3(), last = this.rows() - 1;
      const i = Math.max(0, Math.min(last, Math.floor(r))), f = i < last ? r - i : 0;
      let used = 0;
      this.shown = [];
      KINDS.forEach((k, kind) => {
        if (!this.kinds.has(k.name) || !this.has(kind)) return;
        for (let n = 0; n < this.count(kind); n++) {
          this.vector(a, kind, n, i);
          if (f > 0) a.multiplyScalar(1 - f).addScaledVector(this.vector(b, kind, n, i + 1), f);
          const body = k.at < 0 ? this.joints[n].body : n;
          if (k.at < 0) from.fromArray(this.joints[n].point);
          else from.fromArray(this.recorded.centres, 3 * n);
          if (body >= 0) from.applyQuaternion(frames[body].quaternion).add(frames[body].position);
          if (!isFinite(a.x + a.y + a.z) || (body >= 0 && !frames[body].visible)) continue;
          const arrow = this.arrow(used++, kind);
          arrow.place(from, a, this.scales[kind], this.size);
          this.shown.push({ kind: k.name, of: k.at < 0 ? this.joints[n].name : n, from: from.toArray(), vector: a.toArray(), arrow });
        }
      });
      for (const arrow of this.made.slice(used)) arrow.hide();
    }
    /* Arrow number i, in the look of a kind. */
    arrow(i, kind) {
      if (!this.made[i]) this.made[i] = new Arrow(this.root, this.geometry, this.materials[kind]);
      const arrow = this.made[i];
      for (const o of Object.values(arrow.parts)) o.material = this.materials[kind];
      arrow.parts.ring.material = KINDS[kind].ring ? this.materials[kind] : this.none;
      return arrow;
    }
    dispose() {
      for (const g of Object.values(this.geometry)) g.dispose();
      for (const m of [...this.materials, this.none]) m.dispose();
    }
  }
  liegrp.Arrows = Arrows;
})();
