// SPDX-License-Identifier: BSD-3-Clause
// Models against MuJoCo itself: the mass matrix, the bias with springs and dampers, and the forces of actuators at a
// random state. It needs node and the npm package @mujoco/mujoco, 3.14.0, in node_modules of this folder or above it.
//   node mujoco_models.mjs DRIVER random COUNT [SEED]   MJCF models drawn at random
//   node mujoco_models.mjs DRIVER written xml|urdf NAME...   mechanisms, by file or name, that DRIVER writes
// DRIVER is the program of mujoco_driver.c. A difference ends with status 1 and leaves the model in the folder that is
// named; what this library refuses is counted by reason.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import loadMujoco from '@mujoco/mujoco';

const mujoco = await loadMujoco();
const HINGE = 3, SLIDE = 2, BALL = 1, FREE = 0;

// ---- random models ----

const random = (seed) => { // mulberry32
    let a = seed >>> 0;
    return () => {
        a = (a + 0x6d2b79f5) >>> 0;
        let t = Math.imul(a ^ (a >>> 15), 1 | a);
        t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
        return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
    };
};

const draw = (seed) => {
    const u = random(seed * 7919 + 13);
    const chance = (p) => u() < p, below = (n) => Math.floor(u() * n), pick = (list) => list[below(list.length)];
    const number = (low, high) => Number((low + (high - low) * u()).toFixed(3));
    const numbers = (count, low, high) => Array.from({ length: count }, () => number(low, high)).join(' ');
    const maybe = (p, name, value) => chance(p) ? ` ${name}="${value()}"` : '';
    const degree = chance(0.5), unit = degree ? 57 : 1;
    const classes = ['a', 'b', 'c'];
    let count = 0;
    const next = (word) => `${word}${count++}_`; // <replicate> adds digits to names

    const turn = () => ({
        0: () => '',
        1: () => ` quat="${numbers(4, -1, 1)}"`,
        2: () => ` axisangle="${numbers(3, -1, 1)} ${number(-1, 1) * unit}"`,
        3: () => ` euler="${[0, 0, 0].map(() => number(-1, 1) * unit).join(' ')}"`,
        4: () => ` xyaxes="1 ${numbers(2, -0.5, 0.5)} ${number(-0.5, 0.5)} 1 ${number(-0.5, 0.5)}"`,
        5: () => ` zaxis="${numbers(3, -1, 1)}"`
    })[below(6)]();
    const weight = () => chance(0.3) ? ` mass="${number(0.1, 2)}"` : maybe(0.4, 'density', () => number(200, 3000));
    const geom = () => {
        const type = pick(['sphere', 'capsule', 'cylinder', 'box', 'ellipsoid']);
        const sizes = { sphere: 1, capsule: 2, cylinder: 2, box: 3, ellipsoid: 3 }[type];
        const line = type !== 'sphere' && chance(0.3);
        const shape = line ? ` size="${number(0.02, 0.2)}" fromto="${numbers(3, -0.5, 0)} ${numbers(3, 0.1, 0.5)}"`
            : ` size="${numbers(sizes, 0.02, 0.3)}" pos="${numbers(3, -0.3, 0.3)}"${turn()}`;
        const shell = type !== 'ellipsoid' ? maybe(0.15, 'shellinertia', () => 'true') : '';
        return `<geom type="${type}"${shape}${weight()}${shell}${maybe(0.2, 'group', () => below(6))}` +
            `${maybe(0.15, 'class', () => pick(classes))}/>`;
    };
    const inertial = () => {
        const d = [number(0.01, 0.1), number(0.01, 0.1)], third = Number((0.3 * (d[0] + d[1]) +
            Math.abs(d[0] - d[1])).toFixed(4));
        const at = `pos="${numbers(3, -0.2, 0.2)}" mass="${number(0.2, 3)}"`;
        return chance(0.5) ? `<inertial ${at} diaginertia="${d.join(' ')} ${third}"${turn()}/>`
            : `<inertial ${at} fullinertia="0.05 0.06 0.07 ${numbers(3, -0.01, 0.01)}"/>`;
    };
    const joints = [];
    const joint = (type) => {
        const name = next('j'), angle = type === 'hinge' ? unit : 1, single = type === 'hinge' || type === 'slide';
        if (single) joints.push(name);
        return `<joint name="${name}" type="${type}"` + (type === 'free' ? '' : maybe(0.5, 'pos', () => numbers(3, -0.2, 0.2))) +
            (single ? maybe(0.7, 'axis', () => numbers(3, 0.1, 1)) + maybe(0.3, 'ref', () => number(-4, 4) * angle) +
                maybe(0.3, 'stiffness', () => number(0, 20)) + maybe(0.3, 'springref', () => number(-1, 1) * angle) +
                maybe(0.2, 'range', () => `${number(-2, -1) * angle} ${number(0, 2) * angle}`) +
                maybe(0.1, 'springdamper', () => `${number(0.1, 1)} ${number(0.2, 2)}`) : '') +
            maybe(0.3, 'damping', () => number(0, 2)) + maybe(0.2, 'armature', () => number(0, 0.5)) +
            maybe(0.15, 'class', () => pick(classes)) + '/>';
    };
    const motions = (top) => {
        if (top && chance(0.15)) return chance(0.5) ? `<freejoint name="${next('j')}"/>` : joint('free');
        if (chance(0.12)) return '';
        if (chance(0.15)) return joint('ball');
        return Array.from({ length: pick([1, 1, 1, 2, 2, 3]) }, () => joint(pick(['hinge', 'hinge', 'slide']))).join('');
    };
    let left = 1 + below(7);
    const body = (depth) => {
        left--;
        const name = next('body');
        let inside = motions(depth === 0);
        if (chance(0.4)) inside += inertial();
        for (let i = 1 + below(2); i > 0; i--)
            inside += chance(0.15) ? `<frame pos="${numbers(3, -0.2, 0.2)}"${turn()}>${geom()}</frame>`
                : chance(0.1) ? `<replicate count="${1 + below(3)}" offset="${numbers(3, 0, 0.2)}"` +
                    `${maybe(0.5, 'euler', () => `0 0 ${number(0, 1) * unit}`)}>${geom()}</replicate>` : geom();
        while (left > 0 && chance(0.6)) inside += body(depth + 1);
        const text = `<body name="${name}"${maybe(0.8, 'pos', () => numbers(3, -0.5, 0.5))}${turn()}` +
            `${maybe(0.15, 'childclass', () => pick(classes))}${maybe(0.15, 'gravcomp', () => number(0, 1.5))}>${inside}</body>`;
        if (chance(0.06) && !inside.includes('free'))
            return `<replicate count="2" offset="${numbers(3, 0.1, 0.4)}"${maybe(0.5, 'euler', () => `0 0 ${number(0, 1) * unit}`)}>` +
                `${text}</replicate>`;
        return chance(0.15) ? `<frame pos="${numbers(3, -0.3, 0.3)}"${turn()}${maybe(0.3, 'childclass',
            () => pick(classes))}>${text}</frame>` : text;
    };
    let bodies = '';
    while (left > 0) bodies += body(0);

    const compiler = `<compiler angle="${degree ? 'degree' : 'radian'}"` +
        maybe(0.4, 'eulerseq', () => pick(['xyz', 'XYZ', 'zyx', 'ZYX', 'zxz', 'xYz'])) +
        maybe(0.3, 'inertiafromgeom', () => pick(['true', 'auto'])) + maybe(0.1, 'boundmass', () => number(0.1, 1)) +
        maybe(0.1, 'boundinertia', () => number(0.01, 0.1)) + maybe(0.2, 'balanceinertia', () => 'true') +
        maybe(0.1, 'settotalmass', () => number(1, 20)) + maybe(0.2, 'inertiagrouprange', () => `0 ${3 + below(3)}`) + '/>';
    const defaults = () => maybe(0.5, 'x', () => '') === '' ? '' : (chance(0.5) ? `<geom density="${number(300, 2000)}"/>` : '') +
        (chance(0.5) ? `<joint damping="${number(0, 1)}" armature="${number(0, 0.2)}"/>` : '') +
        (chance(0.3) ? `<motor gear="${number(0.5, 3)}"/>` : '');
    const tops = `<default>${defaults()}<default class="a">${defaults()}<default class="b">${defaults()}</default></default>` +
        `<default class="c">${defaults()}</default></default>`;
    const limits = () => maybe(0.3, 'forcerange', () => `${number(-3, -0.5)} ${number(0.5, 3)}`);
    const gears = () => maybe(0.5, 'gear', () => number(0.5, 4) * pick([1, -1]));
    const actuator = () => {
        const j = pick(joints), kp = number(1, 50), kv = number(0.1, 5);
        return pick([
            () => `<motor joint="${j}"${gears()}${limits()}${maybe(0.2, 'ctrlrange', () => '-0.7 0.6')}/>`,
            () => `<position joint="${j}" kp="${kp}"${chance(0.5) ? ` kv="${kv}"` : maybe(0.5, 'dampratio', () => number(0.3, 2))}${gears()}${limits()}/>`,
            () => `<velocity joint="${j}" kv="${kv}"${gears()}${limits()}/>`,
            () => `<general joint="${j}" gainprm="${kp}"${gears()}${limits()}/>`,
            () => `<general joint="${j}" gainprm="${kp}" biastype="affine" biasprm="0 -${kp} -${kv}"${gears()}/>`,
            () => `<general joint="${j}" gainprm="${kp}" biastype="affine" biasprm="${kv} ${-kv} 0"${gears()}/>`
        ])();
    };
    const actuators = joints.length > 0 && chance(0.6)
        ? `<actuator>${Array.from({ length: 1 + below(3) }, actuator).join('')}</actuator>` : '';
    const equality = joints.length > 1 && chance(0.15)
        ? `<equality><joint joint1="${joints[0]}" joint2="${joints[1]}" polycoef="0 ${number(-2, 2)} 0 0 0"/></equality>` : '';
    const option = maybe(0.4, 'x', () => '') === '' ? '' : `<option gravity="${numbers(3, -10, 10)}"/>`;
    return `<mujoco>${compiler}${option}${tops}<worldbody>${bodies}</worldbody>${equality}${actuators}</mujoco>`;
};

// ---- both at one state ----

const quaternion = (x) => {
    const angle = Math.hypot(...x), s = angle > 1e-8 ? Math.sin(angle / 2) / angle : 0.5;
    return [Math.cos(angle / 2), s * x[0], s * x[1], s * x[2]];
};
const rotation = ([w, x, y, z]) => [[1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
    [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
    [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]];

// T, nv x n: MuJoCo's velocities are T times ours. Sets the state. null: the joints are not the same.
const take = (model, data, ours) => {
    const T = Array.from({ length: model.nv }, () => new Float64Array(ours.q.length));
    const qpos = Array.from(data.qpos), qvel = new Array(model.nv).fill(0);
    for (let j = 0; j < model.njnt; j++) {
        const at = model.jnt_qposadr[j], v = model.jnt_dofadr[j], type = model.jnt_type[j];
        const i = ours.names.indexOf(model.jnt(j).name), turns = type === FREE ? 3 : 0;
        if (i < 0) return null;
        if (type === HINGE || type === SLIDE) {
            qpos[at] = ours.q[i], T[v][i] = 1;
            continue;
        }
        for (let k = 0; k < turns; k++) qpos[at + k] = ours.q[i + k], T[v + k][i + k] = 1;
        const quat = quaternion(ours.q.slice(i + turns, i + turns + 3)), R = rotation(quat);
        for (let k = 0; k < 4; k++) qpos[at + turns + k] = quat[k];
        for (let r = 0; r < 3; r++) for (let c = 0; c < 3; c++) T[v + turns + r][i + turns + c] = R[c][r];
    }
    for (let r = 0; r < model.nv; r++) qvel[r] = T[r].reduce((sum, t, c) => sum + t * ours.v[c], 0);
    data.qpos.set(qpos), data.qvel.set(qvel);
    return T;
};

const back = (T, x) => Array.from(T[0] ?? [], (_, c) => T.reduce((sum, row, r) => sum + row[c] * x[r], 0));

const difference = (mine, his) => {
    const scale = Math.max(1e-6, ...his.map(Math.abs));
    return Math.max(0, ...his.map((x, i) => Math.abs(x - mine[i]))) / scale;
};

// What differs most, as text; '': nothing.
const compare = (model, data, ours) => {
    const n = ours.q.length;
    if (model.nv !== n) return `${n} coordinates, and ${model.nv} in MuJoCo`;
    const T = take(model, data, ours);
    if (T === null) return `other names of joints: ${ours.names.join(' ')}`;
    for (let j = 0; j < model.njnt && model.neq === 0; j++) {
        const i = ours.names.indexOf(model.jnt(j).name), start = model.qpos0[model.jnt_qposadr[j]];
        if (model.jnt_type[j] >= SLIDE && !(Math.abs(ours.start[i] - start) < 1e-10))
            return `${ours.names[i]} starts at ${ours.start[i]}, and at ${start} in MuJoCo`;
    }
    model.opt.disableflags |= (1 << 4) | (1 << 3) | (1 << 1); // contacts, limits, equalities
    if (mode === 'written' && rest[0] === 'urdf') delete ours.u, delete ours.actuators; // has none
    if (ours.u !== undefined && model.nu !== ours.u.length) return `${ours.u.length} controls, and ${model.nu} in MuJoCo`;
    if (ours.u !== undefined && model.nu > 0) data.ctrl.set(ours.u);
    mujoco.mj_forward(model, data);
    const buffer = new mujoco.DoubleBuffer(n * n);
    mujoco.mj_fullM(model, data, buffer);
    const full = Array.from(buffer.GetView());
    buffer.delete();
    const half = Array.from({ length: n }, (_, i) => back(T, full.slice(i * n, (i + 1) * n))); // M T
    const M = Array.from({ length: n }, (_, c) => back(T, half.map((row) => row[c])));
    const bias = back(T, Array.from(data.qfrc_bias, (b, i) => b - data.qfrc_passive[i]));
    const off = { 'mass matrix': difference(ours.M, M.flatMap((_, r) => M.map((column) => column[r]))),
        bias: difference(ours.bias, bias) };
    if (ours.actuators !== undefined) {
        const scale = Math.max(ours.scale[0], ...bias.map(Math.abs)), his = back(T, Array.from(data.qfrc_actuator));
        off.actuators = Math.max(0, ...his.map((x, i) => Math.abs(x - ours.actuators[i]))) / scale;
    }
    return Object.entries(off).filter(([what, e]) => !(e < (what === 'actuators' ? 1e-8 : 1e-10))).map(([what, e]) => `${what} by ${e.toExponential(1)}`).join(', ');
};

// ---- the whole ----

const [driver, mode, ...rest] = process.argv.slice(2);
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'liegrp-mujoco-'));
const ask = (lines) => execFileSync(driver, { input: lines.join('\n') + '\n', maxBuffer: 1 << 30 }).toString().trim()
    .split('\n').map((line) => JSON.parse(line));
const counts = {};
const count = (what) => { counts[what] = (counts[what] ?? 0) + 1; };
let wrong = 0;

const judge = (name, xml, ours, keep) => {
    let model = null, his = '';
    try { model = mujoco.MjModel.from_xml_string(xml); } catch (e) { his = String(e.message ?? e).split('\n')[0]; }
    if (ours.refused !== undefined) {
        count(`refused: ${ours.refused.replace(/^\S*?:\d+: /, '').replace(/'[^']*'/g, "'...'").replace(/[-+]?[0-9.]+(e[-+]\d+)?/g, 'N').slice(0, 90)}`);
    } else if (model === null) {
        count(`MuJoCo does not read it: ${his.replace(/'[^']*'/g, "'...'").slice(0, 70)}`);
        if (mode === 'written') wrong++, console.log(`${name}: MuJoCo does not read what was written: ${his}`);
    } else {
        const data = new mujoco.MjData(model), text = compare(model, data, ours);
        count(text === '' ? 'alike' : 'DIFFERENT');
        if (text !== '') wrong++, keep.kept = true, console.log(`${name}: ${text}: ${keep.file}`);
        data.delete();
    }
    if (model !== null) model.delete();
};

if (mode === 'random') {
    const first = Number(rest[1] ?? 1), files = [];
    for (let seed = first; seed < first + Number(rest[0]); seed++) {
        const file = path.join(folder, `${seed}.xml`);
        fs.writeFileSync(file, draw(seed));
        files.push({ file, seed, kept: false });
    }
    ask(files.map((f) => f.file)).forEach((ours, i) =>
        judge(`seed ${files[i].seed}`, fs.readFileSync(files[i].file, 'utf8'), ours, files[i]));
    for (const f of files) if (!f.kept) fs.unlinkSync(f.file);
} else {
    const [ending, ...names] = rest, files = names.map((name, i) => ({ name, file: path.join(folder, `${i}.${ending}`) }));
    ask(files.map((f) => `${f.name} ${f.file}`)).forEach((ours, i) => {
        const f = files[i];
        judge(f.name, fs.existsSync(f.file) ? fs.readFileSync(f.file, 'utf8') : '', ours, f);
        if (!f.kept && fs.existsSync(f.file)) fs.unlinkSync(f.file);
    });
}
if (fs.readdirSync(folder).length === 0) fs.rmdirSync(folder);
for (const [what, times] of Object.entries(counts).sort((a, b) => b[1] - a[1])) console.log(`${String(times).padStart(5)} ${what}`);
if ((counts.alike ?? 0) === 0) wrong++, console.log('nothing was compared');
process.exit(wrong > 0 ? 1 : 0);
