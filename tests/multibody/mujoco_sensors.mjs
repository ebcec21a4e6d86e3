// SPDX-License-Identifier: BSD-3-Clause
// Writes tests/data/multibody_mujoco_sensors.json: a model with sensors and keys, and what MuJoCo's sensors say at each
// key, for test_files_mjcf_sensors.c. It needs node and the npm package @mujoco/mujoco, here in the version 3.14.0:
//
//   npm install @mujoco/mujoco@3.14.0
//   node mujoco_sensors.mjs > multibody_mujoco_sensors.json
import loadMujoco from '@mujoco/mujoco';

const mujoco = await loadMujoco();

// A ship that floats, with a plate that is fixed to it, an arm of a hinge and a slide, a tool that is fixed to the arm, a
// ball on the plate, and a hinge with a rotor in space.
const bodies = '<worldbody><site name="origin" pos="1 0 0"/><body name="post" pos="0 0 0.5"><inertial pos="0 0 0.1" mass="3" diaginertia="0.1 0.1 0.1"/><site name="peg" pos="0 0.1 0.2" euler="0.1 0.2 0.4"/></body>' +
    '<body name="ship" pos="0.1 0.2 1" quat="0.8 0.1 0.2 0.3"><freejoint name="float"/>' +
    '<inertial pos="0.02 0.03 0.01" mass="2" diaginertia="0.02 0.03 0.04"/>' +
    '<body name="plate" pos="0.1 0 0.3" euler="0.2 0.1 0.4"><site name="imu" euler="0.3 0.2 0.1"/>' +
    '<inertial pos="0.05 0 0.02" mass="0.7" quat="0.9 0.2 0.1 0" diaginertia="0.006 0.007 0.008"/>' +
    '<body name="arm" pos="0 0 0.4"><joint name="h" axis="0 1 0.2" ref="0.3" damping="0.2" range="-0.5 0.5"/>' +
    '<joint name="s" type="slide" axis="1 0 0.1" stiffness="30" springref="0.05"/>' +
    '<inertial pos="0.1 0 0" mass="0.5" diaginertia="0.004 0.005 0.006"/><site name="wrist" pos="0.2 0 0" quat="0.9 0.1 0 0.3"/>' +
    '<body name="tool" pos="0.25 0 0.02" quat="0.7 0.1 0.5 0"><inertial pos="0.02 0.01 0.06" mass="0.3" diaginertia="0.001 0.0012 0.0008"/>' +
    '<site name="tip" pos="0.02 0 0.1" euler="0.5 0.2 -0.3"/><site name="grip" pos="0 0.01 0" euler="0.1 0.2 0.3"/></body></body>' +
    '<body name="eye" pos="-0.2 0.1 0.1" quat="0.9 0.3 0 0.1"><joint name="ball" type="ball"/>' +
    '<inertial pos="0 0.05 0.1" mass="0.4" diaginertia="0.002 0.003 0.0025"/><site name="lens" pos="0 0 0.1"/></body></body></body>' +
    '<body name="wheel" pos="0 1 0.2"><joint name="spin" axis="0.1 1 0" armature="0.02"/>' +
    '<inertial pos="0.03 0 0.05" mass="1.1" diaginertia="0.01 0.02 0.01"/><site name="rim" pos="0.2 0 0"/></body></worldbody>';
const tendons = '<tendon><fixed name="sum" stiffness="4" damping="0.1"><joint joint="h" coef="0.4"/><joint joint="spin" coef="-0.7"/></fixed>' +
    '<spatial name="cord" stiffness="20" springlength="0.5"><site site="origin"/><site site="tip"/><pulley divisor="2"/><site site="lens"/><site site="rim"/></spatial>' +
    '<spatial name="idle"><site site="imu"/><site site="grip"/></spatial></tendon>';
const actuators = '<actuator><motor name="m" joint="h" gear="2" ctrlrange="-1 1"/><position name="p" joint="s" kp="40" kv="3" gear="-1.5" forcerange="-9 9"/>' +
    '<motor name="pull" tendon="cord" gear="3"/><motor name="turn" tendon="sum" gear="-2"/><general name="jet" site="lens" gear="0 0.5 1 0.1 0 0" gainprm="2" ctrlrange="-0.6 0.6"/>' +
    '<velocity name="v" joint="spin" kv="0.3"/></actuator>';
const of = (kind, list) => list.map((x) => `<${kind} ${x}/>`).join('');
const frame = (type, name) => `objtype="${type}" objname="${name}"`;
const sensors = '<sensor>' + of('accelerometer', ['site="imu"', 'site="tip"', 'site="origin"', 'site="lens" cutoff="5"', 'site="peg"']) +
    of('force', ['site="tip"', 'site="wrist"', 'site="imu"', 'site="rim"', 'site="lens"', 'site="peg"']) +
    of('torque', ['site="tip"', 'site="wrist"', 'site="imu"', 'site="rim"', 'site="grip"', 'site="peg"']) +
    of('magnetometer', ['site="tip"']) + of('framelinacc', [frame('site', 'tip'), frame('xbody', 'eye'), frame('site', 'origin')]) +
    of('frameangacc', [frame('site', 'tip'), frame('xbody', 'wheel')]) +
    of('framepos', [`${frame('site', 'tip')} reftype="site" refname="imu"`, `${frame('xbody', 'ship')} reftype="xbody" refname="wheel"`]) +
    of('framequat', [`${frame('site', 'tip')} reftype="xbody" refname="wheel"`]) +
    of('framezaxis', [`${frame('site', 'tip')} reftype="site" refname="lens"`]) +
    of('framelinvel', [`${frame('site', 'tip')} reftype="site" refname="lens"`]) +
    of('frameangvel', [`${frame('site', 'tip')} reftype="site" refname="lens"`]) +
    of('framepos', [frame('body', 'arm'), frame('body', 'tool'), `${frame('body', 'tool')} reftype="site" refname="lens"`]) +
    of('framelinvel', [frame('body', 'tool')]) + of('frameangvel', [frame('body', 'eye')]) +
    of('framelinacc', [frame('body', 'tool')]) + of('frameangacc', [frame('body', 'wheel')]) +
    of('ballquat', ['joint="ball"']) + of('ballangvel', ['joint="ball"']) +
    of('jointlimitpos', ['joint="h"']) + of('jointlimitvel', ['joint="h"']) +
    of('jointactuatorfrc', ['joint="h"', 'joint="s"', 'joint="spin"']) + of('actuatorpos', ['actuator="m"', 'actuator="p"', 'actuator="pull"', 'actuator="turn"']) +
    of('actuatorvel', ['actuator="m"', 'actuator="p"', 'actuator="pull"', 'actuator="turn"']) +
    of('actuatorfrc', ['m', 'p', 'pull', 'turn', 'jet', 'v'].map((x) => `actuator="${x}"`)) +
    of('tendonactuatorfrc', ['tendon="cord"']) + of('tendonpos', ['tendon="cord"', 'tendon="sum"', 'tendon="idle"']) +
    of('tendonvel', ['tendon="cord"', 'tendon="sum"', 'tendon="idle"']) +
    of('subtreecom', ['body="arm"', 'body="tool"', 'body="world"']) + of('subtreelinvel', ['body="ship"', 'body="plate"']) +
    of('subtreeangmom', ['body="ship"', 'body="arm"', 'body="plate"']) + of('e_potential', ['']) + of('e_kinetic', ['']) + of('clock', ['']) + '</sensor>';

const wave = (n, size, seed) => Array.from({ length: n }, (_, i) => Number((size * Math.sin(1.7 * i + 2.3 * seed + 0.4)).toFixed(6)));
const key = (seed) => `<key time="${0.25 * seed}" qpos="${[...wave(3, 0.5, seed), ...wave(4, 1, seed + 1), 0.8 - 0.6 * seed, 0.07, ...wave(4, 1, seed + 2), 0.4 * seed].join(' ')}" ` +
    `qvel="${wave(12, 1.4, seed + 3).join(' ')}" ctrl="${wave(6, 1.2, seed + 4).join(' ')}"/>`;
const mjcf = '<mujoco><compiler angle="radian"/><option gravity="0.3 -0.2 -9.81" magnetic="0.2 -0.4 0.1"><flag contact="disable"/></option>' +
    bodies + tendons + actuators + sensors + `<keyframe>${[1, 2, 3].map(key).join('')}</keyframe></mujoco>`;

// Limits push in MuJoCo, and only the sensors of limits may see them.
const read = (index) => {
    const values = {};
    for (const pushing of [true, false]) {
        const model = mujoco.MjModel.from_xml_string(pushing ? mjcf : mjcf.replace('contact="disable"', 'contact="disable" limit="disable"'));
        const data = new mujoco.MjData(model);
        mujoco.mj_resetDataKeyframe(model, data, index);
        mujoco.mj_forward(model, data);
        for (let i = 0; i < model.nsensor; i++) {
            const element = sensors.match(/<[a-z_]+ /g)[i].slice(1, -1), name = `${element}${i + 1}`;
            if (element.startsWith('jointlimit') === pushing)
                values[name] = Array.from(data.sensordata).slice(model.sensor_adr[i], model.sensor_adr[i] + model.sensor_dim[i]);
        }
    }
    return values;
};

process.stdout.write(JSON.stringify({
    _about: `Written by mujoco_sensors.mjs with MuJoCo ${mujoco.mj_versionString()} (npm @mujoco/mujoco).`,
    mjcf, keys: [0, 1, 2].map(read)
}, (k, value) => typeof value === 'number' && !Number.isInteger(value) ? String(value) : value, 1)
    .replace(/\[\s+("?[-0-9][^\[\]]*?)\s+\]/g, (_, inside) => `[${inside.replace(/\s+/g, ' ')}]`) + '\n');
