// SPDX-License-Identifier: BSD-3-Clause
// Writes tests/data/multibody_mujoco_tendons.json: the accelerations that MuJoCo finds for models with tendons and with
// actuators on tendons and sites, for test_files_mjcf_tendons.c. It needs node and the npm package @mujoco/mujoco, here
// in the version 3.14.0:
//
//   npm install @mujoco/mujoco@3.14.0
//   node mujoco_tendons.mjs > multibody_mujoco_tendons.json
import loadMujoco from '@mujoco/mujoco';

const mujoco = await loadMujoco();

// Three links of hinges and a slide, two of them in one body, with sites in frames.
const model = (compiled, tendon, actuator) => '<mujoco><compiler angle="radian"/><option gravity="0.3 -0.2 -9.81">' +
    '<flag contact="disable" limit="disable"/></option>' +
    '<default><default class="hooks"><site pos="0.03 0.01 -0.02"/></default></default><worldbody>' +
    '<site name="ground" pos="0.3 0.1 0.6"/><body name="upper" pos="0 0 0.5" quat="0.9 0.1 0.2 -0.1">' +
    `<joint name="roll" type="hinge" axis="1 0 0.1" pos="0.01 0 0.02" ${compiled}/>` +
    '<joint name="pitch" type="hinge" axis="0 1 0.2" springref="0.2" stiffness="1"/>' +
    '<inertial mass="2" pos="0.02 0.01 -0.1" quat="0.9 -0.2 0.1 0.3" diaginertia="0.03 0.025 0.012"/>' +
    '<frame pos="0.05 0 -0.1" quat="0.8 0.2 0.4 -0.1"><site name="hook" class="hooks"/>' +
    '<site name="jet" pos="0.1 -0.2 0.05" euler="0.3 -0.2 0.5"/></frame>' +
    '<body name="fore" pos="0.02 0.01 -0.3" quat="0.7 -0.2 0.3 0.1"><joint name="slide" type="slide" axis="0.1 0.2 1" damping="0.3"/>' +
    '<inertial mass="1.2" pos="0 0.02 -0.1" quat="1 0.2 0 0.1" diaginertia="0.01 0.012 0.006"/>' +
    '<site name="ring" pos="0.04 -0.02 0.03"/><site name="eye" pos="-0.03 0.05 -0.1"/>' +
    '<body name="hand" pos="0 0 -0.3" childclass="hooks"><site name="knuckle"/><joint name="wrist" type="hinge" axis="0.2 1 0" armature="0.02"/>' +
    '<inertial mass="0.6" pos="0.01 0 -0.05" quat="0.9 0 0.2 0.1" diaginertia="0.003 0.002 0.0015"/>' +
    '<site name="tip" pos="0.02 0.01 -0.12" quat="0.5 -0.3 0.6 0.2"/></body></body></body></worldbody>' +
    `<tendon>${tendon}</tendon><actuator>${actuator}</actuator></mujoco>`;

const fixed = (attributes) => `<fixed name="sum" ${attributes}><joint joint="roll" coef="0.7"/>` +
    '<joint joint="pitch" coef="-1.2"/><joint joint="slide" coef="3"/><joint joint="wrist" coef="0.4"/></fixed>';
const spatial = (attributes) => `<spatial name="cord" ${attributes}><site site="ground"/><site site="hook"/>` +
    '<site site="ring"/><pulley divisor="2"/><site site="eye"/><site site="tip"/><pulley divisor="3"/>' +
    '<site site="knuckle"/><site site="ground"/></spatial>';

const items = {
    fixed: model('ref="0.3" springref="-0.1"', fixed('stiffness="5" damping="0.7"'), ''),
    'fixed, slack': model('', fixed('stiffness="50" springlength="-0.4 0.3"'), ''),
    spatial: model('', spatial('stiffness="80" damping="4" springlength="0.5"'), ''),
    'spatial, slack': model('', spatial('stiffness="80" springlength="0.2 1.05"'), ''),
    rest: model('', spatial('stiffness="60"').replace('hook', 'jet'), '').replace(' springref="0.2"', ''),
    actuators: model('', fixed('') + spatial('damping="1"'),
        '<motor name="winch" tendon="cord" gear="3" ctrlrange="-0.8 0.9"/>' +
        '<position name="servo" tendon="sum" kp="40" kv="2" gear="1.5" forcerange="-30 25"/>' +
        '<velocity name="speed" tendon="cord" kv="5"/><general name="pull" tendon="sum" gainprm="4"/>'),
    sites: model('', '', '<motor name="jet" site="jet" gear="1 -2 0.5 0.3 0.2 -0.1" ctrlrange="-0.5 0.7"/>' +
        '<motor name="twist" site="tip" gear="0 0 0 0.1 0.3 -0.2"/><motor name="push" site="eye" gear="0 0 -2"/>' +
        '<motor name="hinge" jointinparent="wrist" gear="0.5"/>')
};

const wave = (n, size, seed) => Array.from({ length: n }, (_, i) => Number((size * Math.sin(1.7 * i + 2.3 * seed + 0.4)).toFixed(6)));

const state = (model, seed) => {
    const data = new mujoco.MjData(model), q = wave(model.nq, 0.5, seed), v = wave(model.nv, 2, seed + 1);
    const u = wave(model.nu, 1.5, seed + 2);
    data.qpos.set(q), data.qvel.set(v);
    if (model.nu > 0) data.ctrl.set(u);
    mujoco.mj_forward(model, data);
    return { q, v, u, a: Array.from(data.qacc) };
};

process.stdout.write(JSON.stringify({
    _about: `Written by mujoco_tendons.mjs with MuJoCo ${mujoco.mj_versionString()} (npm @mujoco/mujoco).`,
    items: Object.entries(items).map(([name, mjcf]) => {
        const model = mujoco.MjModel.from_xml_string(mjcf);
        return { name, mjcf, states: [1, 2, 3].map((k) => state(model, k)) };
    })
}, (key, value) => typeof value === 'number' && !Number.isInteger(value) ? String(value) : value, 1)
    .replace(/\[\s+("?[-0-9][^\[\]]*?)\s+\]/g, (_, inside) => `[${inside.replace(/\s+/g, ' ')}]`) + '\n');
