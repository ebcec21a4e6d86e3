/* SPDX-License-Identifier: BSD-3-Clause */
/* A motion in a scene: its bodies, where they are, and the trails that they leave. Its interface: README.md. */
(function () {
  'use strict';
  const liegrp = (window.liegrp = window.liegrp || {});
  const { mixed, object, prepare, reach, farthest, ground } = liegrp.shapes;
  const POSE = 7, SOME = 400; /* numbers of a pose; poses or points of a trail that are sampled to measure a motion */

  /* Trails ---------------------------------------------------------------------------------------------------------- */

  const TRAIL_VERTEX = `
    attribute vec3 start, end;
    attribute float which;
    uniform vec2 resolution;
    uniform float width, now, count, future;
    varying float alpha;
    void main() {
      vec4 a = projectionMatrix * modelViewMatrix * vec4(start, 1.0);
      vec4 b = projectionMatrix * modelViewMatrix * vec4(end, 1.0);
      float near = 1e-3;
      if (a.w < near && b.w > near) a = mix(a, b, (near - a.w) / (b.w - a.w));
      if (b.w < near && a.w > near) b = mix(b, a, (near - b.w) / (a.w - b.w));
      vec2 d = b.xy / b.w * resolution - a.xy / a.w * resolution;
      float l = length(d);
      d = l > 1e-6 ? d / l : vec2(1.0, 0.0);
      vec4 p = mix(a, b, position.x);
      vec2 off = (vec2(-d.y, d.x) * position.y + d * (position.x - 0.5)) * width;
      p.xy += off / resolution * p.w;
      p.z -= 2e-4 * p.w;
      float age = (now - which) / max(count, 1.0);
      alpha = which + position.x > now + 0.001 ? future : mix(0.92, 0.45, clamp(age * 1.5, 0.0, 1.0));
      gl_Position = p;
    }`;
  const TRAIL_FRAGMENT = `
    varying float alpha;
    uniform vec3 colour;
    void main() { if (alpha < 0.01) discard; gl_FragColor = vec4(colour, alpha); }`;

  class Trail {
    constructor(capacity, colour, width) {
      this.capacity = Math.max(2, capacity), this.count = 0;
      this.points = new Float32Array(3 * this.capacity + 3);
      const g = new THREE.InstancedBufferGeometry();
      g.setAttribute('position', new THREE.BufferAttribute(new Float32Array([0, -1, 0, 1, -1, 0, 1, 1, 0, 0, 1, 0]), 3));
      g.setIndex([0, 1, 2, 0, 2, 3]);
      this.buffer = new THREE.InstancedInterleavedBuffer(this.points, 3, 1);
      this.buffer.setUsage ? this.buffer.setUsage(THREE.DynamicDrawUsage) : (this.buffer.dynamic = true);
      g.setAttribute('start', new THREE.InterleavedBufferAttribute(this.buffer, 3, 0));
      g.setAttribute('end', new THREE.InterleavedBufferAttribute(this.buffer, 3, 3));
      g.setAttribute('which', new THREE.InstancedBufferAttribute(Float32Array.from({ length: this.capacity }, (_, i) => i), 1));
      this.geometry = g;
      this.mesh = new THREE.Mesh(g, new THREE.ShaderMaterial({
        vertexShader: TRAIL_VERTEX, fragmentShader: TRAIL_FRAGMENT, transparent: true, depthWrite: false,
        side: THREE.DoubleSide,
        uniforms: {
          colour: { value: new THREE.Color(colour) }, resolution: { value: new THREE.Vector2(1, 1) },
          width: { value: width }, now: { value: 0 }, count: { value: 1 }, future: { value: 0 },
        },
      }));
      this.mesh.frustumCulled = false;
      this.mesh.renderOrder = 2;
      this.uniforms = this.mesh.material.uniforms;
      this.show();
    }
    show() {
      this.geometry.maxInstancedCount = Math.max(0, this.count - 1);
      this.mesh.visible = this.count > 1;
      this.uniforms.count.value = this.count;
      this.buffer.needsUpdate = true;
    }
    /* Appends a point; when the trail is full, its older half is deleted. */
    add(p) {
      if (this.count === this.capacity) {
        const half = this.capacity >> 1;
        this.points.copyWithin(0, 3 * (this.capacity - half), 3 * this.capacity);
        this.count = half;
      }
      this.points.set([p.x, p.y, p.z], 3 * this.count++);
      this.uniforms.now.value = this.count;
    }
    clear() { this.count = 0, this.show(); }
    /* Copies the passed points of another trail; a recorded trail keeps its own. */
    take(other, live) {
      if (live) this.points.set(other.points), this.count = other.count, this.show();
      this.uniforms.now.value = other.uniforms.now.value;
    }
  }

  /* A track --------------------------------------------------------------------------------------------------------- */

  const vector = (a) => new THREE.Vector3(a[0], a[1], a[2]);
  const quaternion = (a) => new THREE.Quaternion(a[0], a[1], a[2], a[3]);

  /* Position of a point fixed to a body. `poses` from `at` on; body -1: space. */
  function carry(out, poses, at, body, point, q) {
    out.copy(point);
    if (body < 0) return out;
    const k = at + POSE * body;
    q.set(poses[k + 3], poses[k + 4], poses[k + 5], poses[k + 6]);
    return out.applyQuaternion(q).add(new THREE.Vector3(poses[k], poses[k + 1], poses[k + 2]));
  }

  class Track {
    constructor(given, number, overlaid) {
      this.label = given.label || '', this.scene = given.scene, this.number = number;
      this.rows = given.rows || 0, this.poses = given.poses || null, this.recorded = given.contacts || null;
      this.vectors = given.arrows || null;
      this.bodies = this.scene.bodies.length;
      prepare(this.scene);
      this.present = new Float64Array(POSE * this.bodies);
      for (let i = 0; i < this.bodies; i++) this.present[POSE * i + 6] = 1;
      const seen = given.seen || this.poses; /* sample poses of a live track, which the camera frames */
      if (seen) this.present.set(seen.subarray(0, POSE * this.bodies));
      this.live = this.rows > 0 ? 0 : given.live || 4000;
      this.root = new THREE.Group();
      this.measure(seen);
      this.overlaid = overlaid;
    }

    /* The ball about the shapes at one time, and the box about all times that are known from the beginning. */
    measure(seen) {
      const now = new THREE.Box3(), x = new THREE.Vector3();
      this.grow(now, [], this.present, 0, true);
      if (now.isEmpty()) this.grow(now, [], this.present, 0, false);
      if (now.isEmpty()) now.expandByPoint(new THREE.Vector3(-1, -1, -1)), now.expandByPoint(new THREE.Vector3(1, 1, 1));
      this.known = { box: now.clone(), points: [] };
      this.grow(this.known.box, this.known.points, this.present, 0, false);
      const rows = seen && this.bodies > 0 ? seen.length / (POSE * this.bodies) : 0;
      const stride = Math.max(1, Math.floor(rows / SOME));
      for (let i = 0; i < rows; i += stride) this.grow(this.known.box, this.known.points, seen, i * this.bodies * POSE, false);
      this.size = Math.max(1e-9, 0.5 * now.getSize(x).length());
      this.offset = now.getCenter(new THREE.Vector3()).sub(this.centre(new THREE.Vector3()));
      this.box = this.known.box, this.points = this.known.points;
    }
    /* All shapes at these poses, or those that move. */
    grow(box, points, poses, at, moving) {
      const q = new THREE.Quaternion(), x = new THREE.Vector3();
      for (const s of this.scene.shapes) {
        if (s.kind === 'plane' || (moving && s.body < 0 && s.end_body < 0)) continue;
        for (const [body, point] of s.kind === 'rod' ? [[s.body, s.position], [s.end_body, s.end]] : [[s.body, s.middle || s.position]])
          this.touch(box, points, carry(x, poses, at, body, vector(point), q), reach(s));
      }
    }
    touch(box, points, x, r) {
      if (!isFinite(x.x + x.y + x.z)) return;
      box.expandByPoint(x.clone().addScalar(r)), box.expandByPoint(x.clone().addScalar(-r));
      points.push([x.x, x.y, x.z, r]);
    }
    /* Extends the box and points of a live track by its present bodies and trails. */
    include() {
      if (!this.live) return;
      this.box = this.known.box.clone(), this.points = this.known.points.slice();
      this.grow(this.box, this.points, this.present, 0, false);
      for (const t of this.trails) {
        const stride = Math.max(1, Math.floor(t.count / SOME)), r = reach(t.shape);
        for (let i = 0; i < t.count; i += stride) this.touch(this.box, this.points, new THREE.Vector3().fromArray(t.points, 3 * i), r);
      }
    }

    /* Copies poses and trails of another track of this scene. */
    take(other) {
      this.present.set(other.present), this.at = other.at, this.place();
      this.trails.forEach((t, i) => t.take(other.trails[i], this.live));
      if (this.contacts) this.contacts.perMetre = other.contacts.perMetre, this.contacts.set(other.contacts.values);
    }

    /* The mean of the bodies' origins. */
    centre(out) {
      out.set(0, 0, 0);
      for (let i = 0; i < this.bodies; i++)
        out.add(new THREE.Vector3(this.present[POSE * i], this.present[POSE * i + 1], this.present[POSE * i + 2]));
      return this.bodies > 0 ? out.multiplyScalar(1 / this.bodies) : out;
    }
    middle(out) { return this.centre(out).add(this.offset); }

    build(colours, extent, tint, colour) {
      this.frames = this.scene.bodies.map(() => new THREE.Group());
      this.root.add(...this.frames);
      this.items = [], this.grounds = [], this.trails = [], this.objects = [];
      for (const shape of this.scene.shapes) {
        if (shape.opacity === 0) continue;
        const parent = shape.body >= 0 ? this.frames[shape.body] : this.root;
        let o;
        if (shape.kind === 'plane') {
          const g = ground(shape, this.size, extent, colours);
          this.grounds.push(g);
          o = g.group;
        } else {
          o = object(shape, colours, tint, this.scene.meshes);
          if (o) o.userData.shape = shape, this.objects.push(o);
        }
        if (!o) continue;
        if (shape.kind === 'rod') {
          this.items.push({ shape, o }), this.root.add(o);
        } else {
          o.position.fromArray(shape.position), o.quaternion.fromArray(shape.attitude), parent.add(o);
        }
        if (shape.kind !== 'plane' && shape.shade !== 'ghost')
          o.traverse((m) => { if (m.isMesh) m.castShadow = true, m.receiveShadow = true; });
      }
      for (const shape of this.scene.shapes) if (shape.trail > 0) this.addTrail(shape, colours, colour);
      if (this.vectors) this.arrows = new liegrp.Arrows(this.vectors, this.size, this.bodies), this.root.add(this.arrows.root);
      if (!this.recorded && !this.live) return;
      this.contacts = new liegrp.Contacts(this.size, this.recorded);
      this.root.add(this.contacts.root);
    }

    addTrail(shape, colours, colour) {
      const of = shape.trail === 2 ? colour : this.scene.shapes.filter((s) => s.trail > 0).length > 1
        ? mixed(colour, colours.paper, 0.35) : colour;
      const trail = new Trail(this.rows || this.live, of, shape.trail === 2 ? 1.6 : 1.3);
      trail.shape = shape;
      if (this.rows > 0) {
        for (let i = 0; i < this.rows; i++) trail.add(this.trailPoint(shape, this.poses, i * this.bodies * POSE));
        trail.uniforms.future.value = 0.13;
        trail.show();
      }
      this.trails.push(trail), this.root.add(trail.mesh);
    }

    /* The point of a trail at these poses: the shape's origin, or the point that touches its plane. */
    trailPoint(shape, poses, at) {
      const q = new THREE.Quaternion(), x = new THREE.Vector3(), plane = this.scene.shapes[shape.rolls_on];
      carry(x, poses, at, shape.body, vector(shape.position), q);
      if (shape.trail !== 2 || !plane) return x;
      const own = quaternion(shape.attitude);
      if (shape.body >= 0) own.premultiply(q);
      const n = new THREE.Vector3(0, 0, -1).applyQuaternion(quaternion(plane.attitude));
      if (plane.body >= 0) {
        const k = at + POSE * plane.body;
        n.applyQuaternion(q.set(poses[k + 3], poses[k + 4], poses[k + 5], poses[k + 6]));
      }
      const p = farthest(shape, n.applyQuaternion(own.clone().conjugate()), new THREE.Vector3());
      return x.add(p.applyQuaternion(own));
    }

    /* Moves all shapes to the present poses. */
    place() {
      const q = new THREE.Quaternion(), a = new THREE.Vector3(), b = new THREE.Vector3(), z = new THREE.Vector3(0, 0, 1);
      const p = this.present;
      this.frames.forEach((f, i) => {
        const k = POSE * i;
        f.position.set(p[k], p[k + 1], p[k + 2]);
        f.quaternion.set(p[k + 3], p[k + 4], p[k + 5], p[k + 6]);
      });
      for (const { shape, o } of this.items) {
        carry(a, p, 0, shape.body, vector(shape.position), q);
        carry(b, p, 0, shape.end_body, vector(shape.end), q);
        const l = b.sub(a).length();
        o.visible = l > 0 && !(this.hidden && this.hidden.has(shape.body));
        if (!o.visible) continue;
        o.position.copy(a), o.quaternion.setFromUnitVectors(z, b.divideScalar(l)), o.scale.set(1, 1, l);
      }
      if (this.arrows) this.arrows.place(this.at || 0, this.frames);
    }

    /* The poses between two rows. */
    row(r) {
      if (this.rows === 0) return;
      const n = POSE * this.bodies, i = Math.max(0, Math.min(this.rows - 1, Math.floor(r)));
      const f = i + 1 < this.rows ? Math.max(0, r - i) : 0, p = this.poses, out = this.present;
      const s = i * n, e = f > 0 ? s + n : s;
      this.at = i + f;
      for (let b = 0; b < n; b += POSE) {
        let dot = 0, norm = 0;
        for (let k = 3; k < POSE; k++) dot += p[s + b + k] * p[e + b + k];
        for (let k = 0; k < POSE; k++) {
          const end = k >= 3 && dot < 0 ? -p[e + b + k] : p[e + b + k];
          out[b + k] = (1 - f) * p[s + b + k] + f * end;
          if (k >= 3) norm += out[b + k] * out[b + k];
        }
        for (let k = 3; k < POSE; k++) out[b + k] /= Math.sqrt(norm) || 1;
      }
      for (const t of this.trails) t.uniforms.now.value = i + f;
      if (this.recorded) this.contacts.row(r);
    }

    /* Bodies of this Set, and their trails, are not shown. */
    hide(bodies) {
      this.hidden = bodies;
      this.frames.forEach((f, b) => { f.visible = !bodies.has(b); });
      for (const t of this.trails) t.mesh.visible = t.count > 1 && !bodies.has(t.shape.body);
    }
    /* Lights the shapes of a body; -1: none. */
    mark(body) {
      for (const o of this.objects)
        o.traverse((m) => {
          for (const x of m.material ? [].concat(m.material) : [])
            if (x.emissive) x.emissive.set(body >= 0 && o.userData.shape.body === body ? 0x804010 : 0);
        });
    }

    dispose() {
      if (this.contacts) this.contacts.dispose();
      if (this.arrows) this.arrows.dispose();
      this.root.traverse((o) => {
        if (o.geometry) o.geometry.dispose();
        for (const m of o.material ? [].concat(o.material) : []) {
          if (m.map) m.map.dispose();
          m.dispose();
        }
      });
    }
  }
  liegrp.Track = Track;
})();
