/* SPDX-License-Identifier: BSD-3-Clause */
/* What the page shows, as a link and as a command line. */
(function () {
  'use strict';
  const liegrp = (window.liegrp = window.liegrp || {});
  const GROUPS = { p: 'parameters', i: 'initial', u: 'controls' };

  const fresh = () => ({
    system: '', method: 'sem', second: '', retraction: 'exp', step: 0, project: true,
    parameters: {}, initial: {}, controls: {}, speed: 1, layout: 'side', column: '', camera: null,
  });

  const number = (text) => (text !== null && text.trim() !== '' && isFinite(Number(text)) ? Number(text) : NaN);

  /* A state from a link; what it does not say is by default, and what it says wrong is left out. */
  function read(hash) {
    const state = fresh(), q = new URLSearchParams(hash.replace(/^#/, ''));
    for (const [key, value] of q) {
      const group = GROUPS[key[0]];
      if (group && key[1] === '.' && key.length > 2 && !isNaN(number(value))) state[group][key.slice(2)] = number(value);
    }
    state.system = q.get('s') || '';
    state.method = q.get('m') || state.method, state.second = q.get('m2') || '';
    state.retraction = q.get('r') || state.retraction, state.column = q.get('y') || '';
    state.step = number(q.get('h')) || 0;
    state.project = q.get('project') !== '0';
    if (number(q.get('x')) > 0) state.speed = number(q.get('x'));
    if (q.get('l') === 'over') state.layout = 'over';
    const camera = (q.get('c') || '').split(',').map(Number);
    if (camera.length === 6 && camera.every(isFinite)) state.camera = camera;
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
