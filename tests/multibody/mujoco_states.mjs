// SPDX-License-Identifier: BSD-3-Clause
// Writes tests/data/multibody_mujoco.json: what MuJoCo says of mechanisms of ours at states of ours, for
// test_dynamics_peers.c. It needs node and the npm package @mujoco/mujoco, here in the version 3.14.0:
//
//   npm install @mujoco/mujoco@3.14.0
//   node mujoco_states.mjs > multibody_mujoco.json
//
// Coordinates are the library's: of a free joint the position, the rotation vector, the velocity and the angular
// velocity in space. MuJoCo has the angular velocity in the body's axes, v = T' v_MuJoCo with T' = diag(1, R); its
// accelerations follow by the same matrix, since R' w = 0.
import loadMujoco from '@mujoco/mujoco';

const mujoco = await loadMujoco();

const inertial = (mass, place, quat, diagonal) =>
    `<inertial mass="${mass}" pos="${place}" quat="${quat}" diaginertia="${diagonal}"/>`;

// ---- mechanisms ----

const short = (x) => Number(x.toFixed(4));

// Seven hinges with skew axes off the bodies' origins; rotors, a spring, dampers.
const arm = () => {
    const axis = ['0.1 0.05 1', '0.05 1 0.1', '0.1 -0.1 1', '0.2 -1 0.1', '-0.1 0.1 1', '0.1 1 -0.3', '1 0.1 0.2'];
    const place = ['0 0 0.34', '0.01 0.02 0.18', '0 -0.03 0.21', '0.02 0 0.19', '0 0.01 0.2', '0.03 0 0.19',
        '0.09 0.02 0.08'];
    const extra = ['armature="0.12"', 'armature="0.1" damping="0.5"', '', 'stiffness="3" springref="0.2"', '',
        'armature="0.03" damping="0.2"', ''];
    let text = '';
    for (let i = 0; i < 7; i++)
        text += `<body name="link${i}" pos="${place[i]}" quat="0.9 ${short(0.1 * i)} -0.2 ${short(0.3 - 0.1 * i)}">` +
            `<joint name="j${i}" type="hinge" axis="${axis[i]}" pos="0.01 ${0.005 * i} -0.02" ${extra[i]}/>` +
            inertial(4 - 0.5 * i, `0.02 -0.03 ${short(0.12 - 0.01 * i)}`, `0.8 0.2 ${short(0.1 * i)} -0.3`,
                `${short(0.03 - 0.002 * i)} ${short(0.025 - 0.002 * i)} ${short(0.012 - 0.001 * i)}`);
    return { body: text + '</body>'.repeat(7), tool: 'link6' };
};

// A carriage with a mast, which carries a telescope on one side and a universal joint on the other.
const tree = () => ({
    body: '<body name="carriage" pos="0.1 0 0.4">' +
        '<joint name="x" type="slide" axis="1 0.2 0" damping="2"/>' +
        inertial(6, '0.1 0 0.05', '0.9 0.1 0.2 0.3', '0.2 0.3 0.4') +
        '<body name="mast" pos="0 0.1 0.3" quat="0.8 0.3 0 0.1">' +
        '<joint name="yaw" type="hinge" axis="0.1 0 1" armature="0.05"/>' +
        inertial(3, '0 0.02 0.2', '0.7 0 0.4 -0.1', '0.05 0.06 0.02') +
        '<body name="boom" pos="0 0 0.5"><joint name="lift" type="hinge" axis="0 1 0.1" pos="0.02 0 0"/>' +
        inertial(2, '0.3 0 0.01', '0.9 0.2 0.1 0', '0.01 0.07 0.08') +
        '<body name="telescope" pos="0.5 0 0"><joint name="out" type="slide" axis="1 0 0.3" stiffness="40"' +
        ' springref="0.1" armature="0.7"/>' + inertial(1.2, '0.1 0.02 0', '0.6 0.1 0.5 0.2', '0.004 0.03 0.032') +
        '</body></body>' +
        '<body name="pan" pos="-0.1 0 0.4"><joint name="a" type="hinge" axis="1 0 0"/>' +
        '<joint name="b" type="hinge" axis="0 1 0"/>' +
        inertial(0.8, '0 0.1 -0.2', '0.9 -0.3 0.1 0.2', '0.006 0.005 0.009') + '</body></body></body>',
    tool: 'telescope'
});

// A trunk that floats on two legs of three hinges.
const biped = () => {
    const leg = (name, side) => `<body name="${name} hip" pos="0 ${0.1 * side} -0.2">` +
        `<joint name="${name} roll" type="hinge" axis="1 0 0.1" armature="0.02"/>` +
        inertial(1.5, '0.01 0 -0.03', `0.9 ${0.1 * side} 0.2 0`, '0.004 0.005 0.003') +
        `<body name="${name} thigh" pos="0.01 ${0.02 * side} -0.05">` +
        `<joint name="${name} pitch" type="hinge" axis="0 1 ${0.1 * side}" armature="0.03"/>` +
        inertial(4, '0 0.01 -0.2', `0.9 0.1 ${0.2 * side} 0.1`, '0.06 0.055 0.01') +
        `<body name="${name} shank" pos="0 0 -0.4"><joint name="${name} knee" type="hinge" axis="0.05 1 0"/>` +
        inertial(2.5, '0.02 0 -0.18', `0.95 0 ${0.1 * side} 0.2`, '0.03 0.028 0.004') + '</body></body></body>';
    return {
        body: '<body name="trunk"><freejoint name="float"/>' +
            inertial(20, '0.03 0.01 0.15', '0.9 0.1 -0.2 0.1', '0.9 0.8 0.4') + leg('left', 1) + leg('right', -1) +
            '</body>',
        free: true, tool: 'left shank'
    };
};

const document = (m) => '<mujoco><compiler angle="radian"/><option gravity="0.3 -0.2 -9.81"><flag contact="disable"/>' +
    `</option><worldbody>${m.body}</worldbody></mujoco>`;

// ---- states ----

const POINT = [0.05, -0.12, 0.31];

// Numbers without a pattern, of a size.
const wave = (count, size, seed) =>
    Array.from({ length: count }, (_, i) => short(size * Math.sin(1.7 * seed + (2.3 + seed) * i + i * i)));

const rotation = (v) => {
    const angle = Math.hypot(...v), s = angle > 0 ? Math.sin(angle / 2) / angle : 0.5;
    const [w, x, y, z] = [Math.cos(angle / 2), ...v.map((c) => s * c)];
    return {
        quat: [w, x, y, z],
        R: [[1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]]
    };
};

// T x (transposed: T' x) of velocities or forces, T = diag(1, R, 1): R on numbers 3, 4, 5 where the first joint is free.
const turned = (R, x, back) => R === null ? x : x.map((c, i) => i < 3 || i > 5 ? c
    : [0, 1, 2].reduce((sum, k) => sum + (back ? R[k][i - 3] : R[i - 3][k]) * x[3 + k], 0));

const matrix = (fill, rows, columns) => {
    const buffer = new mujoco.DoubleBuffer(rows * columns);
    fill(buffer);
    const all = Array.from(buffer.GetView());
    buffer.delete();
    return Array.from({ length: rows }, (_, i) => all.slice(i * columns, (i + 1) * columns));
};

const transposed = (A) => A[0].map((_, k) => A.map((row) => row[k]));

// Jp above Jr of a point of a body.
const jacobian = (call, model, data, body) => {
    const at = Array.from(data.xpos).slice(3 * body, 3 * body + 3), m = Array.from(data.xmat).slice(9 * body, 9 * body + 9);
    const point = at.map((c, i) => c + POINT.reduce((sum, p, k) => sum + m[3 * i + k] * p, 0));
    const Jp = new mujoco.DoubleBuffer(3 * model.nv), Jr = new mujoco.DoubleBuffer(3 * model.nv);
    call(model, data, Jp, Jr, point, body);
    const all = [...Jp.GetView(), ...Jr.GetView()];
    Jp.delete(), Jr.delete();
    return Array.from({ length: 6 }, (_, i) => all.slice(i * model.nv, (i + 1) * model.nv));
};

const state = (m, model, data, body, seed) => {
    const n = model.nv, q = wave(n, 1.2, seed), v = wave(n, 2, seed + 1), a = wave(n, 3, seed + 2);
    const turn = m.free ? rotation(q.slice(3, 6)) : null, R = turn === null ? null : turn.R;
    data.qpos.set(turn === null ? q : [...q.slice(0, 3), ...turn.quat, ...q.slice(6)]);
    data.qvel.set(turned(R, v, true)), data.qacc.set(turned(R, a, true));
    mujoco.mj_forward(model, data);
    const M = matrix((to) => mujoco.mj_fullM(model, data, to), n, n).map((row) => turned(R, row));
    const bias = turned(R, Array.from(data.qfrc_bias));
    const J = jacobian(mujoco.mj_jac, model, data, body).map((row) => turned(R, row));
    const bend = jacobian(mujoco.mj_jacDot, model, data, body)
        .map((row) => row.reduce((sum, c, i) => sum + c * data.qvel[i], 0));
    data.qacc.set(turned(R, a, true));
    mujoco.mj_inverse(model, data);
    return {
        q, v, a, mass_matrix: transposed(transposed(M).map((row) => turned(R, row))), bias,
        inverse: turned(R, Array.from(data.qfrc_inverse)), jacobian: J, jacobian_rate_v: bend
    };
};

const items = [['arm', arm()], ['tree', tree()], ['biped', biped()]].map(([name, m]) => {
    const model = mujoco.MjModel.from_xml_string(document(m)), data = new mujoco.MjData(model);
    const body = mujoco.mj_name2id(model, mujoco.mjtObj.mjOBJ_BODY.value, m.tool);
    return { name, mjcf: document(m), tool: m.tool, point: POINT, states: [1, 2, 3].map((k) => state(m, model, data, body, k)) };
});

process.stdout.write(JSON.stringify({
    _about: `Written by mujoco_states.mjs with MuJoCo ${mujoco.mj_versionString()} (npm @mujoco/mujoco). bias: gravity, ` +
        'Coriolis and centrifugal forces without springs and dampers, which inverse has.',
    items
}, (key, value) => typeof value === 'number' && !Number.isInteger(value) ? String(value) : value, 1)
    .replace(/\[\s+("?[-0-9][^\[\]]*?)\s+\]/g, (_, inside) => `[${inside.replace(/\s+/g, ' ')}]`) + '\n');
