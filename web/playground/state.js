/* SPDX-License-Identifier: BSD-3-Clause */
/* What the page shows, as a link and as a command line. */
(function () {
  'use strict';
  const liegrp = (window.liegrp = window.liegrp || {});
  const GROUPS = { p: 'parameters', i: 'initial', u: 'controls' };
  const none = () => Object.create(null); /* names are anybody's: 'constructor' is one */

  const fresh = () => ({
    system: '', method: 'sem', second: '', retraction: 'exp', step: 0, project: true,
    parameters: none(), initial: none(), controls: none(), speed: 1, layout: 'side', column: '', camera: null,
  });

  const number = (text) => (text !== null && text.trim() !== '' && isFinite(Number(text)) ? Number(text) : NaN);

  /* How a key of a link is read: where to, and from which text; what is undefined is wrong. */
  const text = (x) => x || undefined, finite = (x) => (isNaN(number(x)) ? undefined : number(x));
  const one = (...words) => (x) => (words.includes(x) ? x : undefined);
  const KEYS = new Map(Object.entries({
    s: ['system', text], m: ['method', text], m2: ['second', (x) => x], r: ['retraction', text], y: ['column', (x) => x],
    h: ['step', finite], x: ['speed', (x) => (number(x) > 0 ? number(x) : undefined)], l: ['layout', one('side', 'over')],
    project: ['project', (x) => ({ 0: false, 1: true })[x]],
    c: ['camera', (x) => {
      const camera = x.split(',').map(number);
      return camera.length === 6 && camera.every(isFinite) && camera[2] > 0 ? camera : undefined;
    }],
  }));

  /* A state from a link; what it does not say is by default. What it says wrong is left out and told in `wrong`. */
  function read(hash) {
    const state = { ...fresh(), wrong: [] };
    for (const [key, value] of new URLSearchParams(hash.replace(/^#/, ''))) {
      const group = key[1] === '.' && key.length > 2 ? GROUPS[key[0]] : undefined, [place, as] = KEYS.get(key) || [];
      const x = group ? finite(value) : place ? as(value) : undefined;
      if (x === undefined) state.wrong.push(key + '=' + value);
      else if (group) state[group][key.slice(2)] = x;
      else state[place] = x;
    }
    return state;
  }

  function write(state) {
    const q = new URLSearchParams(), usual = fresh();
    const put = (key, value, other) => { if (value !== other && value !== undefined && value !== null) q.set(key, value); };
    put('s', state.system, ''), put('m', state.method), put('m2', state.second, ''), put('r', state.retraction, usual.retraction);
    put('h', state.step, 0);
    for (const key of Object.keys(GROUPS))
      for (const [name, value] of Object.entries(state[GROUPS[key]])) q.set(key + '.' + name, value);
    if (!state.project) q.set('project', '0');
    put('x', state.speed, 1), put('l', state.layout, 'side'), put('y', state.column, '');
    if (state.camera) q.set('c', state.camera.map((x) => Number(x.toPrecision(4))).join(','));
    return q.toString();
  }

  const quoted = (word) => (/^[\w@%+=:,.\/-]+$/.test(word) ? word : "'" + word.replace(/'/g, "'\\''") + "'");

  /* The command that makes the same numbers. */
  function command(state, method, steps, isModel) {
    const words = ['liegrp', 'run', state.system, '--method', method];
    if (isModel && state.retraction !== 'exp') words.push('--retraction', state.retraction);
    if (state.step) words.push('--step', String(state.step));
    for (const [name, value] of Object.entries(state.parameters)) words.push('--param', name + '=' + value);
    for (const [name, value] of Object.entries(state.initial)) words.push('--init', name + '=' + value);
    if (state.project && Object.keys(state.initial).length > 0) words.push('--project');
    for (const [name, value] of Object.entries(state.controls)) words.push('--control', name + '=' + value);
    words.push('--steps', String(steps), '--output', 'rows.csv');
    return words.map(quoted).join(' ');
  }

  liegrp.state = { fresh, read, write, command };
})();
