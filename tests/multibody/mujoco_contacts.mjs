// SPDX-License-Identifier: BSD-3-Clause
// Which geoms of MJCF models drawn at random touch, and with what friction, against MuJoCo itself. It needs node and the
// npm package @mujoco/mujoco, 3.14.0, in node_modules of this folder or above it.
//   node mujoco_contacts.mjs LIEGRP COUNT [SEED]
// A difference ends with status 1 and leaves the model in the folder that is named; refusals are counted by reason.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import loadMujoco from '@mujoco/mujoco';

const mujoco = await loadMujoco();

const random = (seed) => { // mulberry32
    let a = seed >>> 0;
    return () => {
        a = (a + 0x6d2b79f5) >>> 0;
        let t = Math.imul(a ^ (a >>> 15), 1 | a);
        t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
        return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
    };
};

// Trees of balls with and without joints, some of them fixed to the world, over planes; pairs and excludes.
const draw = (seed) => {
    const u = random(seed * 7919 + 13);
    const chance = (p) => u() < p, below = (n) => Math.floor(u() * n), pick = (list) => list[below(list.length)];
    const number = () => Number(u().toFixed(3)), maybe = (p, name, value) => chance(p) ? ` ${name}="${value()}"` : '';
    const geoms = [], bodies = ['world'], bits = () => below(4);
    const values = () => maybe(0.3, 'contype', bits) + maybe(0.3, 'conaffinity', bits) + maybe(0.3, 'priority', () => below(3) - 1) +
        maybe(0.4, 'condim', () => pick([1, 1, 3, 4, 6])) + maybe(0.5, 'friction', number) + maybe(0.3, 'class', () => pick(['a', 'b'])) +
        maybe(0.2, 'solref', () => '0.01 1') + maybe(0.1, 'margin', () => 0.01);
    const geom = (body, plane) => {
        const name = `g${geoms.length}`;
        geoms.push({ name, body, plane });
        return `<geom name="${name}" ${plane ? 'type="plane" size="0 0 1"' : 'size="0.01"'} pos="${below(90)} ${below(90)} 20"${values()}/>`;
    };
    const body = (depth) => {
        const name = `b${bodies.length}`;
        bodies.push(name);
        let inside = pick(['', depth === 0 ? '<freejoint/>' : '', '<joint/>', '<joint/>', '<joint/><joint axis="1 0 0"/>', '<joint type="ball"/>']);
        for (let i = 1 + below(2); i > 0; i--) inside += geom(name, false);
        for (let i = below(3); i > 0 && depth < 3; i--) inside += body(depth + 1);
        return `<body name="${name}"${maybe(0.2, 'childclass', () => pick(['a', 'b']))} pos="0 0 ${below(9)}">${inside}</body>`;
    };
    let world = geom('world', true) + (chance(0.4) ? geom('world', true) : '') + (chance(0.4) ? geom('world', false) : '');
    for (let i = 1 + below(3); i > 0; i--) world += body(0);
    const taken = new Set();
    let contact = '';
    for (let i = below(4); i > 0; i--) {
        const a = pick(geoms), b = pick(geoms), key = [a.name, b.name].sort().join();
        if (a.body === b.body || (a.plane && b.plane) || taken.has(key)) continue;
        taken.add(key);
        const friction = number();
        contact += `<pair geom1="${a.name}" geom2="${b.name}"${maybe(0.5, 'friction', () => `${friction} ${friction}`)}` +
            `${maybe(0.4, 'condim', () => pick([1, 3, 4]))}${maybe(0.2, 'class', () => 'a')}/>`;
    }
    for (let i = below(4); i > 0; i--) contact += `<exclude body1="${pick(bodies)}" body2="${pick(bodies)}"/>`;
    const defaults = `<default><geom condim="${pick([1, 3])}"/><default class="a"><geom friction="${number()}" contype="${bits()}"/>` +
        `<pair friction="0.25 0.25" condim="3"/><default class="b"><geom priority="1"/></default></default></default>`;
    const flag = chance(0.2) ? '<option><flag filterparent="disable"/></option>' : '';
    return `<mujoco><size memory="2M"/>${flag}${defaults}<worldbody>${world}</worldbody><contact>${contact}</contact></mujoco>`;
};

// Pairs of names with the friction: MuJoCo's where everything is near everything.
const his = (xml) => {
    const model = mujoco.MjModel.from_xml_string(xml), data = new mujoco.MjData(model), pairs = new Map();
    for (const margin of [model.geom_margin, model.body_margin, model.pair_margin]) if (margin.length > 0) margin.fill(1e4);
    mujoco.mj_kinematics(model, data), mujoco.mj_comPos(model, data), mujoco.mj_collision(model, data);
    const weld = (i) => model.body_weldid[model.geom_bodyid[i]];
    const name = (i) => mujoco.mj_id2name(model, mujoco.mjtObj.mjOBJ_GEOM.value, i);
    const list = data.contact; // a copy
    for (let i = 0; i < data.ncon; i++) {
        const c = list.get(i);
        if (weld(c.geom1) !== weld(c.geom2)) // one rigid body: it changes no motion
            pairs.set([name(c.geom1), name(c.geom2)].sort().join(), c.dim === 1 || c.friction[0] === 1e-5 ? 0 : c.friction[0]); // its least one
        c.delete();
    }
    list.delete(), data.delete(), model.delete();
    return pairs;
};

const ours = (liegrp, file) => {
    const run = spawnSync(liegrp, ['info', file, '--contacts', '--json', '--ignore', 'condim'], { encoding: 'utf8' });
    if (run.status !== 0) return { refused: run.stderr.split('\n')[0].replace(/.*xml:\d+: /, '').replace(/'[^']*'/g, 'X') };
    return new Map(JSON.parse(run.stdout).contacts.map((c) => [[c.first, c.second].sort().join(), c.friction]));
};

const [liegrp, count, first = 1] = process.argv.slice(2), folder = fs.mkdtempSync(path.join(os.tmpdir(), 'contacts-'));
const counts = {};
let wrong = 0, pairs = 0;
for (let seed = Number(first); seed < Number(first) + Number(count); seed++) {
    const xml = draw(seed), file = path.join(folder, `${seed}.xml`);
    fs.writeFileSync(file, xml);
    const own = ours(liegrp, file);
    let theirs, what = own.refused;
    try { theirs = his(xml); } catch (e) { what ??= `MuJoCo: ${String(e.message ?? e).split('\n')[0]}`; }
    if (what === undefined) {
        const text = [...new Set([...theirs.keys(), ...own.keys()])].filter((k) => Math.abs(theirs.get(k) - own.get(k)) > 1e-15 ||
            theirs.has(k) !== own.has(k)).map((k) => `${k}: ${theirs.get(k)} and ours ${own.get(k)}`).join('; ');
        what = text === '' ? 'alike' : 'DIFFERENT';
        pairs += theirs.size;
        if (text !== '') wrong++, console.log(`${file}: ${text}`);
    }
    counts[what] = (counts[what] ?? 0) + 1;
    if (what !== 'DIFFERENT') fs.unlinkSync(file);
}
if (fs.readdirSync(folder).length === 0) fs.rmdirSync(folder);
for (const [what, times] of Object.entries(counts).sort((a, b) => b[1] - a[1])) console.log(`${String(times).padStart(5)} ${what}`);
console.log(`${pairs} pairs`);
if ((counts.alike ?? 0) < Number(count) / 2) wrong++, console.log('too few were compared');
process.exit(wrong > 0 ? 1 : 0);
