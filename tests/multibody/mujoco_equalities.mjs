// SPDX-License-Identifier: BSD-3-Clause
// Writes tests/data/multibody_mujoco_equalities.json: accelerations of models with equalities of joints and tendons, for
// test_files_mjcf_equalities.c. MuJoCo is soft there; these are exact, M a + A^T l = f, A a = -A' v, with MuJoCo's mass
// matrix M, its smooth forces f and its rows A, whose A' v is a difference. It needs node and the npm package
// @mujoco/mujoco, here in the version 3.14.0:
//
//   npm install @mujoco/mujoco@3.14.0
//   node mujoco_equalities.mjs > multibody_mujoco_equalities.json
import loadMujoco from '@mujoco/mujoco';

const mujoco = await loadMujoco();

// Hinges and slides, those of two branches; positions at assembly are not 0.
const model = (after) => '<mujoco><compiler angle="radian"/><option gravity="0.5 0.3 -9.81" jacobian="dense">' +
    '<flag contact="disable" limit="disable"/></option><worldbody><site name="w" pos="0.2 0.5 1.4"/>' +
    '<body name="a" pos="0 0 1"><joint name="ja" axis="0.2 1 0" ref="0.3"/>' +
    '<inertial mass="2" pos="0.3 0.05 0" quat="0.9 0.1 0.2 0.1" diaginertia="0.03 0.05 0.06"/><site name="s" pos="0.3 0.1 0.1"/>' +
    '<body name="b" pos="0.6 0 0"><joint name="jb" axis="0.1 1 0.3" damping="0.2"/>' +
    '<inertial mass="1" pos="0.2 0 0.02" diaginertia="0.01 0.02 0.02"/><site name="u" pos="0.1 0.1 -0.1"/>' +
    '<body name="c" pos="0.4 0 0"><joint name="jc" type="slide" axis="1 0 0.2" ref="0.1" stiffness="20"/>' +
    '<inertial mass="0.7" pos="0.1 0.02 0" diaginertia="0.004 0.006 0.005"/><site name="c"/></body></body></body>' +
    '<body name="d" pos="0 1 1"><joint name="jd" axis="0 1 0.1" ref="-0.2" armature="0.05"/>' +
    '<inertial mass="1.5" pos="0.4 0 0" diaginertia="0.02 0.04 0.04"/><site name="d" pos="0.2 0 0.1"/>' +
    '<body name="e" pos="0.5 0 0"><joint name="je" axis="0.1 1 0"/>' +
    '<inertial mass="1" pos="0.2 0 0" diaginertia="0.01 0.02 0.02"/><site name="e" pos="0.2 0.1 0"/></body></body></worldbody>' +
    `${after}</mujoco>`;
const equality = (text) => `<equality>${text}</equality>`;

const items = {
    quartic: model(equality('<joint joint1="jb" joint2="ja" polycoef="0.1 0.4 0.7 -0.3 0.2"/>')),
    chain: model(equality('<joint joint1="jb" joint2="ja" polycoef="0 0 0.7"/>' +
        '<joint joint1="jc" joint2="jb" polycoef="0.05 0.1 0.3 0.05 -0.1"/><joint joint1="jd" joint2="jc" polycoef="0 1 0 2"/>')),
    held: model(equality('<joint joint1="je" polycoef="0.25 3 4"/><joint joint1="jc" joint2="ja" polycoef="-0.1 0"/>')),
    sum: model('<tendon><fixed name="t"><joint joint="ja" coef="0.7"/><joint joint="jb" coef="-1.2"/>' +
        '<joint joint="jc" coef="2"/></fixed></tendon>' + equality('<tendon tendon1="t" polycoef="0.2"/>')),
    cord: model('<tendon><spatial name="t" stiffness="30" damping="2" springlength="0.3"><site site="w"/><site site="s"/>' +
        '<site site="u"/><pulley divisor="2"/><site site="c"/><site site="s"/></spatial></tendon>' +
        '<tendon><spatial name="pull"><site site="s"/><site site="d"/></spatial></tendon>' +
        equality('<tendon tendon1="t" polycoef="-0.05"/><tendon tendon1="pull"/>'))
};

const wave = (n, size, seed) => Array.from({ length: n }, (_, i) => Number((size * Math.sin(1.7 * i + 2.3 * seed + 0.4)).toFixed(6)));
const times = (A, x) => A.map((row) => row.reduce((sum, a, k) => sum + a * x[k], 0));

// The solution of A x = b by Gauss' elimination with pivots.
const solve = (A, b) => {
    const rows = A.map((row, i) => [...row, b[i]]), n = b.length;
    for (let k = 0; k < n; k++) {
        const at = rows.reduce((best, row, i) => i >= k && Math.abs(row[k]) > Math.abs(rows[best][k]) ? i : best, k);
        [rows[k], rows[at]] = [rows[at], rows[k]];
        for (let i = 0; i < n; i++)
            if (i !== k) {
                const s = rows[i][k] / rows[k][k];
                for (let j = k; j <= n; j++) rows[i][j] -= s * rows[k][j];
            }
    }
    return rows.map((row, i) => row[n] / row[i]);
};

// The rows and their residuals at a state, M and f.
const at = (model, data, q, v) => {
    data.qpos.set(q), data.qvel.set(v);
    mujoco.mj_forward(model, data);
    const n = model.nv, matrix = (x) => Array.from({ length: x.length / n }, (_, i) => x.slice(i * n, i * n + n));
    const buffer = new mujoco.DoubleBuffer(n * n);
    mujoco.mj_fullM(model, data, buffer);
    const M = matrix(Array.from(buffer.GetView()));
    buffer.delete();
    return { A: matrix(Array.from(data.efc_J)), open: Array.from(data.efc_pos), M, f: Array.from(data.qfrc_smooth) };
};

// y of the least |y| with A y = b.
const shortest = (A, b) => {
    const l = solve(A.map((row) => times(A, row)), b);
    return A[0].map((_, k) => A.reduce((sum, row, i) => sum + row[k] * l[i], 0));
};

const state = (model, seed) => {
    const data = new mujoco.MjData(model);
    let q = wave(model.nq, 0.4, seed), v = wave(model.nv, 1.5, seed + 1);
    for (let round = 0; round < 20; round++) {
        const { A, open } = at(model, data, q, v);
        q = q.map((x, k) => x - shortest(A, open)[k]);
    }
    const { A, M, f } = at(model, data, q, v), n = model.nv, m = A.length;
    v = v.map((x, k) => x - shortest(A, times(A, v))[k]);
    const forces = at(model, data, q, v).f, bend = Array(m).fill(0), h = 0.01;
    [4 / 5, -1 / 5, 4 / 105, -1 / 280].forEach((weight, k) => {
        const rate = (s) => times(at(model, data, q.map((x, i) => x + s * v[i]), v).A, v);
        const there = rate((k + 1) * h), back = rate(-(k + 1) * h);
        for (let i = 0; i < m; i++) bend[i] += weight * (there[i] - back[i]) / h;
    });
    const K = [...M.map((row, i) => [...row, ...A.map((r) => r[i])]), ...A.map((row) => [...row, ...Array(m).fill(0)])];
    const a = solve(K, [...forces, ...bend.map((x) => -x)]).slice(0, n);
    return { q, v, a };
};

process.stdout.write(JSON.stringify({
    _about: `Written by mujoco_equalities.mjs with MuJoCo ${mujoco.mj_versionString()} (npm @mujoco/mujoco).`,
    items: Object.entries(items).map(([name, mjcf]) => {
        const model = mujoco.MjModel.from_xml_string(mjcf);
        return { name, mjcf, states: [1, 2, 3].map((k) => state(model, k)) };
    })
}, (key, value) => typeof value === 'number' && !Number.isInteger(value) ? String(value) : value, 1)
    .replace(/\[\s+("?[-0-9][^\[\]]*?)\s+\]/g, (_, inside) => `[${inside.replace(/\s+/g, ' ')}]`) + '\n');
