/* SPDX-License-Identifier: BSD-3-Clause */
/* The playground: a state (state.js), the library's runs of it (engine.js, history.js), and their display. */
(function () {
  'use strict';
  const liegrp = window.liegrp, el = liegrp.element, $ = (id) => document.getElementById(id);
  const FRAME = 1 / 15, BUDGET = 9; /* seconds of a frame at most; milliseconds of stepping in it */
  const KNOWN = { /* names that a student knows */
    sem: 'energy–momentum', nsv: 'Störmer–Verlet', gni: 'geometric nonholonomic', 'gni-r': 'gni, projected', dla: 'd’Alembert, discrete',
    rattle: 'leapfrog, constrained', variational: 'symplectic', gauss: 'Gauss collocation', rk4: 'Runge–Kutta', rkmk4: 'Runge–Kutta on the group',
  };
  const PREVIEW = { steps: 1500, time: 15, budget: 60 };

  const page = {
    state: null, engine: null, about: Object.create(null), system: null, refused: [], motions: [], clock: 0, playing: false, last: 0, view: null, drawn: 0,
    controls: { parameters: {}, initial: {}, controls: {} },
  };

  /* Lists ----------------------------------------------------------------------------------------------------------- */

  function group(label, items) {
    const g = el('optgroup', { label });
    for (const i of items) g.append(el('option', { value: i.name, text: i.name + (i.known ? ', ' + i.known : ''), title: i.summary }));
    return g;
  }

  function fillLists() {
    const c = page.engine.catalog;
    $('system').replaceChildren(group('Systems', c.systems), group('Mechanisms', c.mechanisms));
    $('retraction').replaceChildren(...c.retractions.map((r) => el('option', { value: r.name, text: r.name, title: r.summary })));
    $('version').textContent = c.version;
    $('scenes').replaceChildren(...liegrp.scenes.map((s) => el('button', {
      type: 'button', class: 'scene', 'data-scene': s.id, text: s.title, onclick: () => showScene(s, s.link),
    })));
  }

  const about = () => page.about[page.state.system];

  /* Methods that accept the system come first; the others may be chosen and report why they refuse it. */
  function fillMethods() {
    const summaries = Object.fromEntries(page.engine.catalog.methods.map((m) => [m.name, m.summary]));
    const taking = about().methods.filter((m) => !m.refused), refusing = about().methods.filter((m) => m.refused);
    const composed = page.engine.catalog.compositions.flatMap((c) => ['sem', 'gni'].filter((n) => taking.some((m) => m.name === n))
      .map((n) => ({ name: n + '@' + c.name, summary: c.summary })));
    for (const [id, chosen] of [['method', page.state.method], ['second', page.state.second]]) {
      const list = $(id), named = (m) => ({ name: m.name, summary: summaries[m.name], known: KNOWN[m.name] });
      list.replaceChildren(...(id === 'second' ? [el('option', { value: '', text: 'none' })] : []), group('accept this system', taking.map(named)));
      if (composed.length > 0) list.append(group('of higher order', composed));
      if (refusing.length > 0) list.append(group('refuse this system', refusing.map(named)));
      if (chosen && ![...list.options].some((o) => o.value === chosen)) list.append(el('option', { value: chosen, text: chosen }));
      list.value = chosen;
    }
    $('retraction').closest('.choice').hidden = about().noun !== 'system';
    $('retraction').value = page.state.retraction;
  }

  /* Controls of numbers. */
  function fillNumbers() {
    const of = { parameters: about().parameters, initial: about().initial, controls: about().controls };
    for (const [place, specs] of Object.entries(of)) {
      const host = $(place), own = (page.controls[place] = Object.create(null));
      host.replaceChildren();
      for (const spec of specs) {
        const c = new liegrp.NumberControl({ value: 0, ...spec }, (name, value) => {
          if (value === undefined) delete page.state[place][name];
          else page.state[place][name] = value;
          changed();
        });
        own[spec.name] = c;
        host.append(c.root);
      }
      $(place + '-group').hidden = specs.length === 0;
      hideMost(host, specs, own);
    }
    const step = (page.controls.step = new liegrp.NumberControl(
      { name: 'step', unit: 's', meaning: 'length of a step; negative goes back in time', value: about().step }, (name, value) => {
        page.state.step = value === undefined ? 0 : value;
        changed();
      }));
    $('step').replaceChildren(step.root);
  }

  /* Many numbers: those of a mechanism that are 0 are hidden until they are looked for. */
  function hideMost(host, specs, own) {
    if (specs.length < 12) return;
    let all = false;
    const usual = (s) => all || about().noun === 'system' || specs !== about().parameters || s.value || s.name in page.state.parameters;
    const hidden = specs.filter((s) => !usual(s)).length;
    const none = el('p', { class: 'quiet', role: 'status', hidden: '' });
    const button = el('button', { type: 'button', class: 'quiet', text: hidden + ' more that are 0', onclick: () => { all = true, sift(); } });
    const search = el('input', {
      type: 'search', class: 'find', placeholder: 'Find among ' + specs.length + ' numbers', 'aria-label': 'Find a number by name or meaning',
      oninput: () => sift(),
    });
    function sift() {
      const wanted = search.value.trim().toLowerCase(), has = (s) => (s.name + ' ' + (s.meaning || '')).toLowerCase().includes(wanted);
      const seen = specs.filter((s) => (wanted ? has(s) : usual(s)));
      for (const s of specs) own[s.name].root.hidden = !seen.includes(s);
      none.textContent = "No number has '" + search.value.trim() + "' in its name or meaning.", none.hidden = seen.length > 0;
      button.hidden = !!wanted || all || hidden === 0;
    }
    host.prepend(search), host.append(none, button);
    sift();
  }

  /* Building -------------------------------------------------------------------------------------------------------- */

  function say(text) { $('notice').textContent = text, $('notice').hidden = !text; }

  function clearRefusals() {
    page.refused = [];
    for (const p of document.querySelectorAll('.refusal')) p.textContent = '', p.hidden = true;
    for (const f of document.querySelectorAll('[aria-invalid=true]')) f.setAttribute('aria-invalid', 'false');
  }

  /* Shows a refusal next to its cause. */
  function refuse(error, method) {
    page.refused.push([error, method]);
    const control = error.place === 'step' ? page.controls.step : (page.controls[error.place] || {})[error.value];
    if (control) {
      control.root.closest('details').open = true;
      return control.refuse(error.message);
    }
    const at = $('why-' + (error.place === 'method' ? method : error.place)) || $('why-system');
    if (!at.textContent.includes(error.message)) at.textContent += (at.textContent ? ' ' : '') + error.message;
    at.hidden = false;
    const field = $(error.place === 'method' ? method : error.place);
    if (field && field.matches('select')) field.setAttribute('aria-invalid', 'true');
    if (at.closest('details')) at.closest('details').open = true; /* shows the refused value */
  }

  function tried(what, method) {
    try { return what(); } catch (e) {
      if (!(e instanceof page.engine.Refusal)) throw e;
      refuse(e, method);
      return null;
    }
  }

  /* Values that are refused stay with their controls; the others are `given`, for the command. */
  function setValues(system) {
    page.given = { parameters: {}, initial: {}, controls: {} };
    for (const place of ['parameters', 'initial', 'controls'])
      for (const [name, value] of Object.entries(page.state[place]))
        tried(() => { system.set(place, name, value), page.given[place][name] = value; });
  }

  function startMotions() {
    const s = page.state, time = about().columns.findIndex((c) => c.name === 't'), motions = [];
    for (const [id, method] of [['method', s.method], ['second', s.second]]) {
      if (!method) continue;
      const run = tried(() => page.system.start(method, s.retraction, s.step, s.project), id);
      if (run) motions.push(new liegrp.Motion(run, time, method));
    }
    if (motions.length === 2 && s.method === s.second) motions[1].label += ' (2)';
    return motions;
  }

  /* Sample poses for the camera: a part of the motion, if it is quickly computed. */
  function preview(method) {
    const until = performance.now() + PREVIEW.budget, list = [];
    let run = null;
    try { run = page.system.start(method, page.state.retraction, page.state.step, page.state.project); } catch (e) { return null; }
    const h = Math.abs(page.state.step || about().step), steps = Math.min(PREVIEW.steps, Math.ceil((PREVIEW.time * page.state.speed) / h));
    const stride = Math.max(1, Math.ceil(steps / 150));
    for (let k = 0; k <= steps && performance.now() < until; k += stride) {
      list.push(...run.poses());
      if (run.step(stride) < stride) break;
    }
    run.end();
    return list.length > 0 && list.every(isFinite) ? new Float32Array(list) : null;
  }

  function show(fresh) {
    $('panes').replaceChildren(...page.motions.map((m, i) => {
      const name = el('span', { class: 'key', text: m.label });
      name.style.setProperty('--of', liegrp.trackColour(i));
      return el('div', {}, name, el('span', { class: 'pane-note' }));
    }));
    arrange();
    if (!page.view) return;
    const scenes = page.motions.map((m) => m.run.scene());
    $('no-scene').hidden = scenes.length === 0 || scenes.every((s) => s);
    const key = JSON.stringify(scenes);
    if (fresh || key !== page.shown) {
      page.view.setTracks(page.motions.map((m, i) => ({
        label: m.label, scene: scenes[i] || { bodies: [], shapes: [] }, live: 4000, seen: preview(m.label.replace(' (2)', '')),
      })));
    } else {
      page.view.clearTrails();
    }
    page.shown = key, page.panel.refresh();
    if (page.state.camera) page.view.camera = page.state.camera;
    else if (fresh) page.view.fit(true);
    pressed('follow', page.view.follow);
    page.motions.forEach((m, i) => page.view.setPose(i, m.passed.poses, true));
  }

  const pressed = (id, on) => $(id).setAttribute('aria-pressed', String(!!on));

  /* Panes side by side, one below the other, or one for all. */
  function arrange() {
    const two = page.motions.length === 2, over = two && page.state.layout === 'over';
    $('stage').classList.toggle('two', two), $('stage').classList.toggle('over', over);
    $('layout').hidden = !two || !page.view, pressed('layout', over);
    if (page.view) page.view.layout = page.state.layout, page.view.resize();
    $('panes').className = over ? 'over' : two && $('stage').clientWidth < 560 ? 'stacked' : '';
  }

  /* Builds everything from the state. `fresh`: another system. */
  function rebuild(fresh) {
    const s = page.state;
    clearRefusals();
    if (page.system) page.system.close();
    page.system = asked.open(s.system);
    if (fresh) fillNumbers(), page.plots.build(about(), s.column);
    fillMethods();
    setValues(page.system);
    page.motions = startMotions();
    page.clock = page.motions.length > 0 ? page.motions[0].t(page.motions[0].passed) : 0;
    describe();
    putValues();
    show(fresh);
    update(true);
  }

  function describe() {
    const a = about();
    $('system').value = a.name, $('summary').textContent = a.summary || '';
    $('remark').textContent = a.remark || '', $('source').textContent = a.source || '';
    $('more').hidden = !a.remark && !a.source;
    document.title = a.name + ' – liegrp playground';
    const scene = liegrp.scenes.find((x) => x.id === page.scene);
    page.lesson(scene);
    for (const b of document.querySelectorAll('.scene')) {
      b.setAttribute('aria-pressed', String(b.dataset.scene === page.scene));
      if (b.dataset.scene === page.scene) $('scenes').scrollLeft = b.offsetLeft - ($('scenes').clientWidth - b.clientWidth) / 2;
    }
    $('said-system').textContent = a.name, $('said-methods').textContent = [page.state.method, page.state.second].filter((m) => m).join(' and ');
  }

  function putValues() {
    const first = page.motions[0];
    for (const place of ['parameters', 'initial', 'controls'])
      for (const [name, c] of Object.entries(page.controls[place]))
        c.put(page.state[place][name], place === 'initial' && first ? first.passed.row[c.spec.column] : undefined);
    page.controls.step.put(page.state.step || undefined);
    $('project').checked = page.state.project;
    $('speed').value = [...$('speed').options].some((o) => Number(o.value) === page.state.speed) ? String(page.state.speed) : '1';
    for (const id of ['method', 'second'])
      $('what-' + id).textContent = ($(id).selectedOptions[0] && $(id).selectedOptions[0].title) || '';
  }

  /* The user has changed the state: the motion begins again, and plays if it was playing. */
  let writing = 0;
  function changed(fresh) {
    if (fresh) page.state.camera = null;
    say('');
    rebuild(fresh);
    write();
  }
  function write() {
    clearTimeout(writing);
    writing = setTimeout(() => {
      const hash = '#' + liegrp.state.write(page.state);
      if (hash === location.hash) return;
      page.written = hash;
      try { history.replaceState(null, '', hash); } catch (e) { location.replace(hash); }
    }, 120);
  }

  /* A scene, or one of the changes to try in it. */
  function showScene(scene, link) {
    const speed = page.playing;
    say('');
    page.state = liegrp.state.read(link), page.scene = scene.id;
    rebuild(true), write(), play(speed || !matchMedia('(prefers-reduced-motion: reduce)').matches);
  }

  /* Running --------------------------------------------------------------------------------------------------------- */

  const forward = () => (page.state.step || about().step) > 0;

  function play(on) {
    page.playing = on && page.motions.some((m) => !m.ended);
    $('play').classList.toggle('playing', page.playing), $('play').setAttribute('aria-label', page.playing ? 'Pause' : 'Play');
    page.last = performance.now();
    if (page.playing) requestAnimationFrame(frame);
    update(true);
  }

  function frame(now) {
    if (!page.playing) return;
    const dt = Math.max(0, Math.min(FRAME, (now - page.last) / 1000));
    page.last = now;
    const aim = page.clock + (forward() ? 1 : -1) * dt * page.state.speed;
    const before = page.motions.map((m) => m.nodes), every = page.every || 1; /* some points of a trail in a frame */
    const reached = liegrp.advance(page.motions, aim, forward(), BUDGET, (m) => {
      if (page.view && m.nodes % every === 0) page.view.setPose(page.motions.indexOf(m), m.passed.poses, true);
    });
    page.every = Math.max(1, Math.round(Math.max(...page.motions.map((m, i) => m.nodes - before[i])) / 4));
    page.slow = Math.abs(aim - reached) > 0.3 * dt * page.state.speed && dt > 0;
    page.clock = reached;
    if (page.motions.every((m) => m.ended)) play(false);
    update(false);
    if (page.playing) requestAnimationFrame(frame);
  }

  /* One step of every motion, shown as it is. */
  function oneStep() {
    play(false);
    page.motions.forEach((m, i) => {
      if (m.step() && page.view) page.view.setPose(i, m.passed.poses, true);
    });
    if (page.motions.length > 0) page.clock = page.motions[0].t(page.motions[0].passed);
    update(true);
  }

  function restart() {
    rebuild(false);
    play(page.playing);
  }

  /* Display -------------------------------------------------------------------------------------------------------- */

  /* Updates poses in every frame, plots and numbers a few times a second. */
  function update(all) {
    if (page.view) page.motions.forEach((m, i) => page.view.setPose(i, m.between(page.clock), false));
    $('clock').textContent = 't = ' + liegrp.number(page.clock, 4) + ' s' + (page.playing && page.slow ? ', slow motion' : '');
    if (page.motions.length > 0) keepInView();
    const now = performance.now();
    if (!all && now - page.drawn < 90) return;
    page.drawn = now;
    if (!about()) return;
    if (page.motions.length > 0) page.plots.draw(page.motions, page.clock);
    numbers();
    notes();
    commands();
  }

  /* The camera follows a motion that leaves the picture, until the user turns it. */
  function keepInView() {
    const v = page.view;
    if (!v || v.follow || page.state.camera || v.tracks.length === 0) return;
    const away = v.tracks.some((t) => !v.box.clone().expandByScalar(0.4 * v.extent).containsPoint(t.middle(v.orbit.target.clone())));
    if (away) v.follow = true, v.orbit.distance *= 0.72, pressed('follow', true);
  }

  function notes() {
    const energy = about().columns.findIndex((c) => c.name === 'energy');
    page.motions.forEach((m, i) => {
      const pane = $('panes').children[i];
      if (!pane) return;
      const drift = m.passed.row[energy] - m.history.columns[energy][0];
      pane.lastChild.textContent = m.ended ? m.ended : 'H − H₀ = ' + liegrp.number(drift, 2);
      pane.classList.toggle('ended', !!m.ended);
    });
  }

  /* The rows at the nodes that were passed, with all digits. */
  function numbers() {
    if (!$('numbers').open) return;
    const columns = about().columns, table = $('table');
    if (table.dataset.of !== page.state.system + page.motions.length) {
      table.dataset.of = page.state.system + page.motions.length;
      table.replaceChildren(el('thead', {}, el('tr', {}, el('th', { text: 'column', scope: 'col' }), ...page.motions.map((m) => el('th', { text: m.label, scope: 'col' })), el('th', { text: 'unit', scope: 'col' }))),
        el('tbody', {}, ...columns.map((c) => el('tr', { title: c.meaning, 'data-column': c.name }, el('th', { text: c.name, scope: 'row' }),
          ...page.motions.map(() => el('td')), el('td', { class: 'unit', text: c.unit === '-' ? '' : c.unit })))));
    }
    page.motions.forEach((m, k) => {
      table.tHead.rows[0].cells[k + 1].textContent = m.label;
      columns.forEach((c, i) => { table.tBodies[0].rows[i].cells[k + 1].textContent = String(m.passed.row[i]); });
    });
  }

  function commands() {
    const isModel = about() && about().noun === 'system', seen = new Set(), lines = [];
    for (const m of page.motions) {
      const method = m.label.replace(' (2)', '');
      if (!seen.has(method)) lines.push(liegrp.state.command({ ...page.state, ...page.given }, method, m.passed.row[0], isModel));
      seen.add(method);
    }
    const text = lines.join('\n');
    if ($('command').textContent !== text) $('command').textContent = text;
  }

  /* Beginning ------------------------------------------------------------------------------------------------------- */

  function bind() {
    const on = (id, event, what) => $(id).addEventListener(event, what);
    on('system', 'change', () => asked.choose($('system').value));
    for (const id of ['method', 'second', 'retraction']) on(id, 'change', () => { page.state[id] = $(id).value, changed(), play(page.playing); });
    on('project', 'change', () => { page.state.project = $('project').checked, changed(); });
    on('speed', 'change', () => { page.state.speed = Number($('speed').value), write(); });
    on('layout', 'click', () => {
      page.state.layout = page.state.layout === 'over' ? 'side' : 'over', arrange(), write();
      if (!page.state.camera) page.view.fit(false); /* panes have another shape */
    });
    on('follow', 'click', () => { page.view.follow = !page.view.follow, pressed('follow', page.view.follow); });
    on('fit', 'click', () => { page.state.camera = null, page.view.fit(true), pressed('follow', page.view.follow), write(); });
    window.addEventListener('resize', arrange);
    on('play', 'click', () => play(!page.playing)), on('one', 'click', oneStep), on('restart', 'click', restart);
    on('numbers', 'toggle', () => update(true));
    on('copy', 'click', () => liegrp.take.copy($('command').textContent, $('copy')));
    on('rows', 'click', () => liegrp.take.rows(page.motions, about()));
    on('picture', 'click', () => liegrp.take.picture(page.view, about()));
    on('link', 'click', () => liegrp.take.copy(location.href.split('#')[0] + '#' + liegrp.state.write(page.state), $('link')));
    window.addEventListener('hashchange', asked.follow);
    document.addEventListener('keydown', keys);
    document.addEventListener('visibilitychange', () => { page.last = performance.now(); });
  }

  function keys(e) {
    if (e.altKey || e.ctrlKey || e.metaKey || /^(INPUT|SELECT|TEXTAREA|SUMMARY)$/.test(e.target.tagName)) return;
    const camera = page.view && e.target === page.view.canvas;
    if (e.key === ' ' && e.target.tagName !== 'BUTTON') e.preventDefault(), play(!page.playing);
    else if (e.key === '.') oneStep();
    else if (e.key === 'r') restart();
    else if (page.panel && !e.shiftKey && page.panel.key(e.key)) e.preventDefault();
    else if (camera && e.key.startsWith('Arrow')) {
      e.preventDefault();
      page.view.turn(e.key === 'ArrowLeft' ? -0.1 : e.key === 'ArrowRight' ? 0.1 : 0, e.key === 'ArrowUp' ? 0.08 : e.key === 'ArrowDown' ? -0.08 : 0);
    } else if (camera && (e.key === '+' || e.key === '-')) page.view.zoom(e.key === '+' ? 0.9 : 1.1);
  }

  /* The name of what is pointed at. */
  function tell(at, x, y) {
    $('tip').hidden = !at || !at.name;
    if (!$('tip').hidden) $('tip').textContent = at.name, $('tip').style.left = x + 12 + 'px', $('tip').style.top = y + 12 + 'px';
  }

  function begin(module) {
    page.engine = liegrp.engine(module), page.lesson = liegrp.lesson($('lesson'), showScene);
    page.plots = new liegrp.Plots($('plots'), (name) => { page.state.column = name, write(); });
    if (liegrp.SceneView && liegrp.SceneView.supported()) {
      page.view = new liegrp.SceneView($('scene'), {
        label: 'The system in three dimensions. Arrow keys turn the view, plus and minus come closer.',
        oncamera: () => { page.state.camera = page.view.camera, write(); }, onpoint: tell,
      });
      page.panel = new liegrp.Panel($('looks'), $('panel'), [liegrp.Panel.cameras(page.view), liegrp.Panel.shows(page.view, $('stage'))], () => {});
    } else {
      $('no-view').hidden = false, $('stage').classList.add('flat'), $('picture').closest('.choice').hidden = true;
    }
    fillLists(), bind();
    if (matchMedia('(max-width: 980px)').matches) for (const d of document.querySelectorAll('details.card')) d.open = false;
    document.body.classList.add('ready');
    asked.follow();
    play(!matchMedia('(prefers-reduced-motion: reduce)').matches);
  }

  const asked = liegrp.asked(page, { rebuild, changed, refuse, say, showScene, play });
  liegrp.page = page;
  window.addEventListener('DOMContentLoaded', () => {
    const fail = (text) => (e) => {
      $('fatal').textContent = text + ' (' + e.message + ')', $('fatal').hidden = false;
      console.error(e);
    };
    window.liegrpModule().then((module) => Promise.resolve(module).then(begin).catch(fail('Something is wrong in this page.')),
      fail('The playground needs a browser with WebAssembly and its vectors, of 2023 or later.'));
  });
})();
