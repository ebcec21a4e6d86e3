/* SPDX-License-Identifier: BSD-3-Clause */
/* Colours, and the shapes of a scene as objects of three.js. Its interface: README.md. */
(function () {
  'use strict';
  const liegrp = (window.liegrp = window.liegrp || {});

  /* Numbers in texts: base64, little-endian on every machine. */
  const READ = { Float32Array: 'getFloat32', Float64Array: 'getFloat64', Uint32Array: 'getUint32' };
  liegrp.numbers = function (text, Kind) {
    const s = atob(text), raw = new Uint8Array(s.length), size = Kind.BYTES_PER_ELEMENT;
    for (let i = 0; i < s.length; i++) raw[i] = s.charCodeAt(i);
    const view = new DataView(raw.buffer), out = new Kind(s.length / size);
    for (let i = 0; i < out.length; i++) out[i] = view[READ[Kind.name]](size * i, true);
    return out;
  };

  /* Colours --------------------------------------------------------------------------------------------------------- */

  /* Colours of shades, light and dark; rolling shapes have two tones. */
  const LIGHT = {
    paper: '#f7f6f2', ground: '#fffefb', grid: '#8d8a80', lines: 0.3,
    body: '#4a77a8', second: '#8fae9b', wheel: '#43515d', metal: '#aab2b8', mark: '#d2463c', ghost: '#7f9bb8',
    pale: '#efe9dc', axes: ['#c9554d', '#4f9a5f', '#4a77c4'], shadow: 0.2, sky: '#ffffff', earth: '#d9d2c4',
  };
  const DARK = {
    paper: '#14171b', ground: '#191d22', grid: '#8b97a3', lines: 0.26,
    body: '#6fa0d4', second: '#93b8a2', wheel: '#46535f', metal: '#98a2aa', mark: '#ef6a5c', ghost: '#8fb0d4',
    pale: '#e6dfd0', axes: ['#e0766d', '#6fbd80', '#6f9be8'], shadow: 0.45, sky: '#dfe8f2', earth: '#2c3036',
  };
  /* One for each track, in trails and plots alike. */
  const TRACKS_LIGHT = ['#2166ac', '#d1701a', '#2f8a57', '#8a56b3', '#b23a5b', '#7a6a1f'];
  const TRACKS_DARK = ['#69a9ea', '#f0a052', '#62c48c', '#bd93e6', '#ec7d9c', '#c9b65a'];

  liegrp.isDark = () => matchMedia('(prefers-color-scheme: dark)').matches;
  liegrp.trackColour = (i) => {
    const list = liegrp.isDark() ? TRACKS_DARK : TRACKS_LIGHT;
    return list[i % list.length];
  };
  const palette = () => (liegrp.isDark() ? DARK : LIGHT);
  const linear = (text) => new THREE.Color(text).convertSRGBToLinear();
  const mixed = (a, b, part) => '#' + new THREE.Color(a).lerp(new THREE.Color(b), part).getHexString();

  /* Sectors about the axis make the rotation of rolling shapes visible. kind: 'cap', 'band' or 'ball'. */
  function sectors(dark, pale, kind) {
    const canvas = document.createElement('canvas');
    const wide = kind === 'cap' ? 512 : 1024, high = kind === 'band' ? 8 : 512;
    canvas.width = wide, canvas.height = high;
    const c = canvas.getContext('2d');
    c.fillStyle = pale, c.fillRect(0, 0, wide, high);
    c.fillStyle = dark;
    for (let i = 0; i < 8; i += 2) {
      if (kind === 'cap') {
        c.beginPath(), c.moveTo(256, 256);
        c.arc(256, 256, 512, (i * Math.PI) / 4, ((i + 1) * Math.PI) / 4), c.fill();
      } else if (kind === 'band') {
        c.fillRect((i * wide) / 8, 0, wide / 8, high);
      } else { /* halves are shifted, so that no turn looks like another */
        c.fillRect((i * wide) / 8, 0, wide / 8, high / 2);
        c.fillRect(((i + 1) * wide) / 8, high / 2, wide / 8, high / 2);
      }
    }
    if (kind === 'cap') {
      c.lineWidth = 44, c.strokeStyle = dark, c.beginPath(), c.arc(256, 256, 234, 0, 7), c.stroke();
      c.beginPath(), c.arc(256, 256, 40, 0, 7), c.fill();
    }
    const texture = new THREE.CanvasTexture(canvas);
    texture.encoding = THREE.sRGBEncoding;
    texture.anisotropy = 8;
    return texture;
  }

  /* Shapes ---------------------------------------------------------------------------------------------------------- */

  const rolls = (shape) => shape.shade === 'wheel' || shape.rolls_on >= 0;

  function material(shape, colours, tint, kind) {
    const own = shape.colour && '#' + new THREE.Color(...shape.colour).getHexString();
    const hills = shape.kind === 'mesh' && shape.shade === 'ground' && mixed(colours.earth, colours.grid, 0.4);
    const shade = own || hills || colours[shape.shade] || colours.body; /* white slopes would all be alike */
    const colour = tint ? mixed(shade, tint, 0.72) : shade;
    if (shape.shade === 'ghost')
      return new THREE.MeshStandardMaterial({
        color: linear(colour), transparent: true, opacity: 0.17, depthWrite: false, roughness: 0.9,
        side: THREE.DoubleSide,
      });
    const look = { roughness: shape.shade === 'metal' ? 0.38 : 0.62, metalness: shape.shade === 'metal' ? 0.35 : 0 };
    if (shape.opacity < 1) Object.assign(look, { transparent: true, opacity: shape.opacity, depthWrite: false });
    if (shape.kind === 'mesh') Object.assign(look, { flatShading: true, side: THREE.DoubleSide });
    if (kind) {
      look.map = sectors(colour, mixed(colours.pale, tint || colours.pale, 0.25), kind);
    } else {
      look.color = linear(colour);
    }
    return new THREE.MeshStandardMaterial(look);
  }

  function cylinder(radius, length, materials) {
    const geometry = new THREE.CylinderBufferGeometry(radius, radius, Math.max(length, 0.03 * radius), 72, 1);
    geometry.rotateX(Math.PI / 2); /* along z */
    return new THREE.Mesh(geometry, materials);
  }

  function arrows(length, colours, tint) {
    const group = new THREE.Group();
    for (let i = 0; i < 3; i++) {
      const m = new THREE.MeshStandardMaterial({
        color: linear(tint ? mixed(colours.axes[i], tint, 0.5) : colours.axes[i]), roughness: 0.6,
      });
      const shaft = new THREE.CylinderBufferGeometry(0.022 * length, 0.022 * length, 0.8 * length, 16);
      shaft.translate(0, 0.4 * length, 0);
      const tip = new THREE.ConeBufferGeometry(0.065 * length, 0.2 * length, 24);
      tip.translate(0, 0.9 * length, 0);
      for (const g of [shaft, tip]) {
        if (i === 0) g.rotateZ(-Math.PI / 2);
        if (i === 2) g.rotateX(Math.PI / 2);
        group.add(new THREE.Mesh(g, m));
      }
    }
    return group;
  }

  function spokes(R, r, m) {
    const group = new THREE.Group();
    for (let i = 0; i < 3; i++) {
      const g = new THREE.CylinderBufferGeometry(0.28 * r, 0.28 * r, 2 * R, 10);
      g.rotateZ((i * Math.PI) / 3);
      group.add(new THREE.Mesh(g, m));
    }
    return group;
  }

  /* Reads the meshes of a scene, once, and gives shapes of them the ball that they fill: `middle` in the body, `radius`. */
  function prepare(scene) {
    for (const m of scene.meshes || []) {
      if (typeof m.vertices !== 'string') continue;
      m.vertices = liegrp.numbers(m.vertices, Float32Array), m.faces = new Uint16Array(liegrp.numbers(m.faces, Uint32Array));
      m.box = new THREE.Box3().setFromArray(m.vertices);
    }
    for (const s of scene.shapes) {
      const m = s.kind === 'mesh' && scene.meshes && scene.meshes[s.mesh];
      if (!m || !m.box || m.box.isEmpty()) continue;
      const scale = new THREE.Vector3().fromArray(s.scale);
      s.radius = 0.5 * m.box.getSize(new THREE.Vector3()).multiply(scale).length();
      s.middle = m.box.getCenter(new THREE.Vector3()).multiply(scale).applyQuaternion(new THREE.Quaternion().fromArray(s.attitude))
        .add(new THREE.Vector3().fromArray(s.position)).toArray();
    }
  }

  function triangles(shape, mesh, m, colours) {
    const g = new THREE.BufferGeometry();
    g.setAttribute('position', new THREE.BufferAttribute(mesh.vertices, 3));
    g.setIndex(new THREE.BufferAttribute(mesh.faces, 1));
    const o = new THREE.Mesh(g, m);
    o.scale.fromArray(shape.scale);
    if (shape.shade === 'ground') { /* as the lines of the plane */
      const lines = new THREE.LineBasicMaterial({ color: linear(colours.grid), transparent: true, opacity: colours.lines });
      o.add(new THREE.LineSegments(new THREE.WireframeGeometry(g), lines));
    }
    return o;
  }

  /* The object of a shape at its own origin; a rod is a unit cylinder along z, which place() stretches. */
  function object(shape, colours, tint, meshes) {
    const d = shape.dimensions, turning = rolls(shape);
    const plain = (kind) => material(shape, colours, tint, turning && shape.shade !== 'ghost' ? kind : '');
    switch (shape.kind) {
      case 'axes': return arrows(d[0], colours, tint);
      case 'sphere': {
        const g = new THREE.SphereBufferGeometry(d[0], 64, 40);
        return new THREE.Mesh(g.rotateX(Math.PI / 2), plain('ball'));
      }
      case 'ellipsoid': {
        const g = new THREE.SphereBufferGeometry(1, 64, 40);
        g.rotateX(Math.PI / 2).scale(d[0], d[1], d[2]);
        g.computeVertexNormals();
        return new THREE.Mesh(g, plain('ball'));
      }
      case 'cylinder': return cylinder(d[0], d[1], [plain('band'), plain('cap'), plain('cap')]);
      case 'torus': {
        const mesh = new THREE.Mesh(new THREE.TorusBufferGeometry(d[0], d[1], 24, 96), plain('band'));
        if (turning) mesh.add(spokes(d[0], Math.min(d[1], 0.12 * d[0]), material(shape, colours, tint, '')));
        return mesh;
      }
      case 'box': return new THREE.Mesh(new THREE.BoxBufferGeometry(d[0], d[1], d[2]), plain(''));
      case 'rod': {
        const g = new THREE.CylinderBufferGeometry(d[0], d[0], 1, 24);
        return new THREE.Mesh(g.rotateX(Math.PI / 2).translate(0, 0, 0.5), plain(''));
      }
      case 'mesh': return shape.middle ? triangles(shape, meshes[shape.mesh], plain(''), colours) : null;
      default: return null;
    }
  }

  /* The radius of a ball about the shape's origin, of a mesh about its middle, that holds it. */
  function reach(shape) {
    const d = shape.dimensions;
    switch (shape.kind) {
      case 'ellipsoid': return Math.max(d[0], d[1], d[2]);
      case 'mesh': return shape.radius || 0;
      case 'cylinder': return Math.hypot(d[0], d[1] / 2);
      case 'torus': return d[0] + d[1];
      case 'box': return 0.5 * Math.hypot(d[0], d[1], d[2]);
      default: return d[0];
    }
  }

  /* The farthest point of a shape along the direction d, in its own frame. */
  function farthest(shape, d, out) {
    const s = shape.dimensions, flat = Math.hypot(d.x, d.y);
    switch (shape.kind) {
      case 'sphere': return out.copy(d).multiplyScalar(s[0]);
      case 'ellipsoid': {
        const n = Math.hypot(s[0] * d.x, s[1] * d.y, s[2] * d.z);
        return out.set((s[0] * s[0] * d.x) / n, (s[1] * s[1] * d.y) / n, (s[2] * s[2] * d.z) / n);
      }
      case 'cylinder': {
        const f = flat > 1e-9 ? s[0] / flat : 0;
        return out.set(f * d.x, f * d.y, Math.abs(d.z) > 1e-9 ? (Math.sign(d.z) * s[1]) / 2 : 0);
      }
      case 'torus': {
        const f = flat > 1e-9 ? s[0] / flat : 0;
        return out.set((f + s[1]) * d.x, (f + s[1]) * d.y, s[1] * d.z);
      }
      case 'box': return out.set((Math.sign(d.x) * s[0]) / 2, (Math.sign(d.y) * s[1]) / 2, (Math.sign(d.z) * s[2]) / 2);
      default: return out.set(0, 0, 0);
    }
  }

  /* Ground ---------------------------------------------------------------------------------------------------------- */

  const GRID_VERTEX = `
    varying vec2 at;
    void main() { at = position.xy; gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0); }`;
  const GRID_FRAGMENT = `
    varying vec2 at;
    uniform vec3 colour, fill;
    uniform float spacing, lines, fade, turning;
    uniform vec2 middle;
    float line(vec2 p, float wide) {
      vec2 w = fwidth(p), d = abs(fract(p - 0.5) - 0.5) / w;
      float seen = 1.0 - smoothstep(0.06, 0.3, max(w.x, w.y));
      return (1.0 - min(min(d.x, d.y) / wide, 1.0)) * seen;
    }
    /* Rings and twelve sectors about the axis, every other one darker: a table that turns is seen to turn. */
    float wheel() {
      float r = length(at), wide = length(fwidth(at)), sector = atan(at.y, at.x) * 1.9098593;
      float spoke = r * abs(sin((sector - floor(sector + 0.5)) / 1.9098593));
      float ring = spacing * abs(fract(r / spacing - 0.5) - 0.5), seen = 1.0 - smoothstep(0.06, 0.3, wide / spacing);
      float drawn = max(1.0 - min(spoke / wide, 1.0), (1.0 - min(ring / wide, 1.0)) * seen);
      return max(0.6 * drawn, 0.3 * mod(floor(sector), 2.0)) * lines;
    }
    void main() {
      float far = fade > 0.0 ? 1.0 - smoothstep(0.15, 1.0, length(at - middle) / fade) : 1.0;
      float a = turning > 0.5 ? wheel() : max(0.4 * line(at / spacing, 1.0), line(at / (5.0 * spacing), 1.2)) * lines;
      gl_FragColor = vec4(mix(fill, colour, a), far);
    }`;

  /* 1, 2 or 5 times a power of ten, at most x. */
  function nice(x) {
    const p = Math.pow(10, Math.floor(Math.log10(x))), f = x / p;
    return (f >= 5 ? 5 : f >= 2 ? 2 : 1) * p;
  }

  function ground(shape, size, extent, colours) {
    const endless = !(shape.dimensions[0] > 0 && shape.dimensions[1] > 0);
    const far = endless ? 6 * Math.max(2 * size, extent) : 0;
    const wide = endless ? 2 * far : shape.dimensions[0], high = endless ? 2 * far : shape.dimensions[1];
    const group = new THREE.Group(), geometry = new THREE.PlaneBufferGeometry(wide, high);
    const grid = new THREE.Mesh(geometry, new THREE.ShaderMaterial({
      vertexShader: GRID_VERTEX, fragmentShader: GRID_FRAGMENT, transparent: true, side: THREE.DoubleSide,
      extensions: { derivatives: true }, depthWrite: !endless, polygonOffset: true, polygonOffsetFactor: 1,
      polygonOffsetUnits: 2,
      uniforms: {
        colour: { value: new THREE.Color(colours.grid) }, fill: { value: new THREE.Color(colours.ground) },
        lines: { value: colours.lines }, spacing: { value: nice(Math.max(size / 1.5, extent / 40)) }, fade: { value: far },
        middle: { value: new THREE.Vector2() }, turning: { value: shape.body >= 0 ? 1 : 0 },
      },
    }));
    grid.renderOrder = -2;
    const shadow = new THREE.Mesh(geometry, new THREE.ShadowMaterial({ opacity: colours.shadow, depthWrite: false }));
    shadow.receiveShadow = true;
    shadow.renderOrder = -1;
    group.add(grid, shadow);
    return { group, grid, shadow, endless, still: shape.body < 0 };
  }

  liegrp.shapes = { palette, linear, mixed, object, prepare, reach, farthest, ground };
})();
