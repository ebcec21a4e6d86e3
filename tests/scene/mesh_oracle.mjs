// SPDX-License-Identifier: BSD-3-Clause
// Writes mesh_mujoco.h: mass, centre of mass and inertia that MuJoCo finds for one irregular mesh and for OBJ files.
//     npm install @mujoco/mujoco && node tests/scene/mesh_oracle.mjs > tests/scene/mesh_mujoco.h
import loadMujoco from '@mujoco/mujoco';

const mujoco = await loadMujoco();

// An L-shaped prism, bent and twisted: not convex, not star-shaped, without symmetry. In eighths, so exact as floats.
const corners = [[0, 0], [24, 2], [25, 9], [10, 8], [8, 30], [-1, 29]];
const points = [...corners.map(([x, y]) => [x, y, (x * y) % 5]),
  ...corners.map(([x, y]) => [x + 3, y - 2, 11 + (x + y) % 4])];
const lids = [[0, 1, 2], [0, 2, 3], [0, 3, 5], [3, 4, 5]];
const closed = [...lids.map(([a, b, c]) => [a, c, b]), ...lids.map(([a, b, c]) => [a + 6, b + 6, c + 6])];
for (let i = 0; i < 6; i++) {
  const j = (i + 1) % 6;
  closed.push([i, j, j + 6], [i, j + 6, i + 6]);
}

function full(model) {
  const [w, x, y, z] = model.body_iquat.slice(4, 8), d = model.body_inertia.slice(3, 6);
  const R = [[1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
    [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
    [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]];
  const moment = (i, k) => R[i][0] * d[0] * R[k][0] + R[i][1] * d[1] * R[k][1] + R[i][2] * d[2] * R[k][2];
  return [moment(0, 0), moment(1, 1), moment(2, 2), moment(0, 1), moment(0, 2), moment(1, 2)];
}

function compile(mesh, files) {
  const xml = `<mujoco><asset><mesh name="m" ${mesh}/></asset>
    <worldbody><body><freejoint/><geom type="mesh" mesh="m" density="1"/></body></worldbody></mujoco>`;
  const folder = new mujoco.MjVFS();
  for (const [name, text] of Object.entries(files)) folder.addBuffer(name, new TextEncoder().encode(text));
  try {
    const model = mujoco.MjModel.from_xml_string(xml, folder);
    const values = [model.body_mass[1], ...model.body_ipos.slice(3, 6), ...full(model)];
    model.delete();
    return values.join(', ');
  } catch (error) {
    return null; // its own hull, where the scale mirrors
  } finally {
    folder.delete();
  }
}

// A box whose sides are bent quadrilaterals; then a second object, or none.
const bent = [[0, 0, 0], [2, 0.1, 0], [2, 3, 0.3], [-0.2, 3, 0], [0.4, 0, 1.5], [2, 0, 1], [2.5, 3, 1.2], [0, 3.5, 1]];
const sides = [[1, 4, 3, 2], [5, 6, 7, 8], [1, 2, 6, 5], [2, 3, 7, 6], [3, 4, 8, 7], [4, 1, 5, 8]];
const box = bent.map(x => `v ${x.join(' ')}\n`).join('') + 'o box\n' + sides.map(f => `f ${f.join(' ')}\n`).join('');
const two = box + 'o lid\n' + bent.map(([x, y, z]) => `v ${x + 4} ${y} ${2 * z}\n`).join('') +
  sides.map(f => `f ${f.map(i => i + 8).join(' ')}\n`).join('');

const lines = text => text.match(/.{1,112}(?:\s|$)/g).map(line => '    ' + line.trim()).join('\n');
const row = (name, values) => console.log(lines(`${name} ${values}`));
const kinds = ['legacy', 'exact', 'convex', 'shell'];
console.log(`/* SPDX-License-Identifier: BSD-3-Clause */
/* Written by mesh_oracle.mjs with MuJoCo ${mujoco.mj_versionString()}. */
/* clang-format off */
static const int eighths[] = {`);
row('', points.flat().join(', '));
console.log('};\nstatic const int irregular[] = {');
row('', closed.flat().join(', '));
console.log(`};
/* Mass, centre, moments xx, yy, zz, xy, xz, yz. The last \`holes\` triangles are left out. */
static const struct {
    lg_mesh_kind kind;
    int holes;
    double scale[3], value[10];
} of_mujoco[] = {`);
for (const kind of kinds) {
  for (const [holes, scale] of [[0, [1, 1, 1]], [0, [0.5, 2, 1.5]], [0, [-1, 1, 2]], [2, [1, 1, 1]]]) {
    const values = compile(`inertia="${kind}" scale="${scale.join(' ')}"
      vertex="${points.flat().map(v => v / 8).join(' ')}"
      face="${closed.slice(0, closed.length - holes).flat().join(' ')}"`, {});
    if (values) row(`{LG_MESH_${kind.toUpperCase()}, ${holes}, {${scale.join(', ')}},`, `{${values}}},`);
  }
}
console.log('};\nstatic const char *const objects[] = {');
for (const text of [box, two])
  console.log(text.split('\n').slice(0, -1).map(l => `    "${l}\\n"`).join('\n') + ',');
console.log(`};
/* By the place in \`objects\`. */
static const struct {
    int file;
    lg_mesh_kind kind;
    double value[10];
} of_files[] = {`);
for (const [i, text] of [box, two].entries())
  for (const kind of kinds)
    row(`{${i}, LG_MESH_${kind.toUpperCase()},`, `{${compile(`inertia="${kind}" file="m.obj"`, {'m.obj': text})}}},`);
console.log('};\n/* clang-format on */');
