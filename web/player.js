/* SPDX-License-Identifier: BSD-3-Clause */
/* The page of a recorded run. Texts of the data are only ever set as text, never as markup. */
(function () {
  'use strict';
  const liegrp = window.liegrp, id = (name) => document.getElementById(name);
  const SPEEDS = [0.05, 0.1, 0.25, 0.5, 1, 2, 5, 10, 20, 50, 100];

  const FLAGS = [['flat', false], ['axes', true], ['scale', false]]; /* of a view, and what they are at first */

  function element(name, className, text) {
    const e = document.createElement(name);
    if (className) e.className = className;
    if (text !== undefined) e.textContent = text;
    return e;
  }
  function button(text, title, pressed, action) {
    const b = element('button', '', text);
    b.title = title, b.setAttribute('aria-label', title);
    if (pressed !== null) b.setAttribute('aria-pressed', String(pressed));
    b.addEventListener('click', () => action(b));
    return b;
  }
  const toggle = (b) => {
    const on = b.getAttribute('aria-pressed') !== 'true';
    b.setAttribute('aria-pressed', String(on));
    return on;
  };

  /* "m/s^2" for people. */
  const unitText = (u) => (!u || u === '-' ? '' : u.replace(/\^\(1\/2\)/g, '¹ᐟ²').replace(/\^(-?)(\d)/g, (_, m, d) => (m ? '⁻' : '') + '⁰¹²³⁴⁵⁶⁷⁸⁹'[d]));

  class Player {
    constructor(data) {
      this.data = data, this.plots = [], this.marked = [], this.playing = false;
      const ends = data.tracks.filter((t) => t.rows > 0).map((t) => [t.times[0], t.times[t.rows - 1]]);
      this.first = ends.length ? ends[0][0] : 0;
      const back = ends.length && ends[0][1] < ends[0][0]; /* a run back in time */
      this.last = ends.reduce((e, [, b]) => (back ? Math.min(e, b) : Math.max(e, b)), this.first);
      this.time = this.first;
      this.unit = data.tracks.length && data.tracks[0].column.t ? data.tracks[0].column.t.unit : '';
      if (this.unit === '-') this.unit = '';
      this.speed = this.suitableSpeed();
      this.texts();
      this.stage();
      this.controls();
      data.charts.forEach((c) => this.addChart(c));
      this.fromLink();
      if (this.plots.length === 0) liegrp.suits(data).forEach((p) => this.addPlot(p));
      this.listColumns();
      this.numbers(), this.about();
      this.seek(this.time);
      window.addEventListener('hashchange', () => { if (location.hash !== this.wrote) this.fromLink(), this.seek(this.time); });
      const sentence = !!this.linked || matchMedia('(prefers-reduced-motion: reduce)').matches;
      if (!sentence) this.play(true);
    }

    /* A motion plays for about ten to thirty seconds. */
    suitableSpeed() {
      const span = Math.abs(this.last - this.first);
      return SPEEDS.reduce((best, s) => (Math.abs(Math.log(span / s / 20)) < Math.abs(Math.log(span / best / 20)) && (s < 1 ? span / 1 < 6 : span / 1 > 45) ? s : best), 1);
    }

    texts() {
      const d = this.data;
      document.title = d.title + ' – liegrp';
      id('title').textContent = d.title, id('summary').textContent = d.summary || '';
      for (const t of d.tracks) if (t.note) id('notes').append(element('li', '', t.label + ': ' + t.note));
      const faults = new Set([].concat(...d.tracks.map((t) => (t.scene.meshes || []).map((m) => m.fault))));
      for (const fault of faults) if (fault) id('notes').append(element('li', '', 'A mesh is not shown: ' + fault));
      const beyond = Math.max(0, ...d.tracks.map((t) => t.scene.shapes.filter((s) => s.kind === 'mesh' && s.mesh < 0).length));
      if (beyond > 0) id('notes').append(element('li', '', beyond + ' meshes of further files are not shown: a page has those of 300'));
      const touches = Math.max(0, ...d.tracks.map((t) => (t.contacts ? t.contacts.most : 0)));
      if (touches > 256) id('notes').append(element('li', '', 'A row has up to ' + touches + ' contacts; its first 256 are shown'));
      id('notes').hidden = !id('notes').children.length;
    }

    /* The scene ----------------------------------------------------------------------------------------------------- */

    stage() {
      const d = this.data, shown = d.tracks.some((t) => t.rows > 0 && t.scene.shapes.length > 0);
      if (shown && liegrp.SceneView && liegrp.SceneView.supported()) {
        try {
          this.view = new liegrp.SceneView(id('scene'), {
            label: this.alt(), oncamera: () => this.link(), onpoint: (at, x, y) => this.point(at, x, y),
            onpick: (at) => this.tree.select(at && at.shape.body >= 0 ? at.shape.body : this.view.selected),
          });
          this.view.setTracks(d.tracks.map((t) => ({ label: t.label, scene: t.scene, rows: t.rows, poses: t.poses, contacts: t.contacts, arrows: t.arrows })));
          this.view.fit(true);
        } catch (e) {
          this.view = null;
        }
      }
      if (!this.view) {
        id('stage').hidden = true, id('plain').hidden = false;
        id('plain').textContent = shown
          ? 'This browser has no WebGL, so the motion is not shown in three dimensions. The plots and numbers are complete.'
          : 'This system has no shapes to draw. The plots and numbers are complete.';
        return;
      }
      id('layout').hidden = d.tracks.length < 2;
      id('follow').addEventListener('click', () => this.follow());
      id('layout').addEventListener('click', () => this.overlay());
      id('trails').addEventListener('click', () => this.trails());
      id('fit').addEventListener('click', () => this.fit());
      for (const name of ['contacts', 'cones']) {
        id(name).hidden = !d.tracks.some((t) => t.contacts);
        id(name).addEventListener('click', () => this.touches(name));
      }
      this.panel = new liegrp.Panel(id('looks'), id('panel'), [liegrp.Panel.arrows(this.view),
        liegrp.Panel.cameras(this.view), liegrp.Panel.shows(this.view, id('stage')), this.saves()], () => (this.modes(), this.link()));
      this.tree = new liegrp.Tree(id('tree'), this.view, d.tracks[0].scene, () => this.link());
      id('bodies').hidden = !d.tracks[0].scene.bodies.length;
      this.pressed();
      new ResizeObserver(() => this.panes()).observe(id('stage'));
    }
    /* What the picture shows, for those who cannot see it. */
    alt() {
      const MOST = 12, bodies = this.data.tracks[0].scene.bodies, many = bodies.length - MOST;
      return 'Moving picture of ' + this.data.title + (bodies.length ? ': ' + bodies.slice(0, MOST).join(', ') + (many > 0 ? ' and ' + many + ' more' : '') : '')
        + '. The numbers are in the table below.';
    }
    /* The name of what is pointed at. */
    point(at, x, y) {
      const tip = id('tip');
      tip.hidden = !at || !at.name;
      if (!tip.hidden) tip.textContent = at.name, (tip.style.left = x + 12 + 'px'), (tip.style.top = y + 12 + 'px');
    }
    pressed() {
      if (!this.view) return;
      id('follow').setAttribute('aria-pressed', String(this.view.follow));
      id('layout').setAttribute('aria-pressed', String(this.view.layout === 'over'));
      for (const name of ['trails', 'contacts', 'cones']) id(name).setAttribute('aria-pressed', String(this.view[name]));
      if (this.panel) this.panel.refresh(), this.tree.refresh();
      this.modes();
      this.panes();
    }
    follow() { if (this.view) this.view.follow = !this.view.follow, this.pressed(), this.link(); }
    overlay() {
      if (!this.view || this.data.tracks.length < 2) return;
      this.view.layout = this.view.layout === 'over' ? 'side' : 'over';
      this.pressed(), this.link();
    }
    trails() { if (this.view) this.view.trails = !this.view.trails, this.pressed(), this.link(); }
    touches(name) { if (this.view && !id(name).hidden) this.view[name] = !this.view[name], this.pressed(), this.link(); }
    /* What the colours and lengths of contacts mean. */
    modes() {
      const box = id('modes'), per = this.view.perMetre();
      const touches = !id('contacts').hidden && this.view.contacts, arrows = liegrp.Panel.legend(this.view);
      const ground = this.view.scale && this.view.square() > 0;
      box.hidden = !touches && arrows.length === 0 && !ground;
      box.replaceChildren(...(touches ? liegrp.contactModes.map((mode, i) => {
        const key = element('span', 'key dot', mode);
        key.style.setProperty('--of', liegrp.contactColour(i));
        return key;
      }).concat(element('span', 'quiet', per > 0 ? 'forces of contacts: 1 m is ' + liegrp.number(per, 3) + ' N' : 'no forces')) : []), ...arrows, ...(ground ? [element('span', 'quiet', 'a square of the ground is ' + this.view.square() + ' m')] : []));
    }
    fit() { if (this.view) this.view.fit(false), this.link(); }
    panes() {
      const box = id('panes'), many = this.data.tracks.length > 1;
      box.replaceChildren();
      box.className = this.view.layout === 'over' ? 'over' : this.view.stacked() ? 'stacked' : '';
      if (!many) return;
      this.ended = this.data.tracks.map((t, i) => {
        const line = element('div'), key = element('span', 'key', t.label), ended = element('span', 'ended');
        key.style.setProperty('--of', liegrp.trackColour(i));
        line.append(key, ended), box.append(line);
        return ended;
      });
      this.showEnded();
    }
    showEnded() {
      if (!this.ended) return;
      this.data.tracks.forEach((t, i) => {
        const over = t.note && t.rows > 0 && Math.abs(this.time - this.first) > Math.abs(t.times[t.rows - 1] - this.first);
        this.ended[i].textContent = over ? '  ended at t = ' + liegrp.number(t.times[t.rows - 1], 4) : '';
      });
    }

    /* Files of the picture. */
    saves() {
      const name = this.data.title.replace(/[^\w-]+/g, '-');
      return { title: 'Save', items: [
        { text: 'picture', what: 'Save the picture as PNG', key: 's', act: () => liegrp.picture(this.view, name, [...id('modes').children].filter(() => !id('modes').hidden)
          .map((e) => [e.textContent, e.style.getPropertyValue('--of')])) },
        { text: 'film', what: 'Save the motion from the beginning, at this speed, as WebM', key: 'w', missing: liegrp.Film.missing,
          on: () => !!this.film, act: () => (this.film ? this.cut() : (this.seek(this.first), this.film = new liegrp.Film(this.view, name), this.play(true))) },
      ] };
    }
    cut() { if (this.film) this.film.stop(), (this.film = null), this.play(false), this.panel.refresh(); }

    /* Time ---------------------------------------------------------------------------------------------------------- */

    controls() {
      const scrub = id('scrub'), speed = id('speed');
      for (const s of SPEEDS) {
        const o = element('option', '', s + '×');
        o.value = s, speed.append(o);
      }
      speed.value = this.speed;
      id('play').addEventListener('click', () => this.play(!this.playing));
      scrub.addEventListener('input', () => this.seek(this.first + (scrub.value / 1000) * (this.last - this.first), true));
      speed.addEventListener('change', () => { this.speed = Number(speed.value), this.link(); });
      id('keys').addEventListener('click', () => this.help());
      id('close').addEventListener('click', () => id('help').close());
      document.addEventListener('keydown', (e) => this.key(e));
    }
    play(on) {
      if (on && this.time === this.last) this.seek(this.first);
      this.playing = on;
      id('play').classList.toggle('playing', on);
      id('play').setAttribute('aria-label', on ? 'Pause' : 'Play');
      this.then = 0;
      if (on) requestAnimationFrame((now) => this.frame(now));
      else this.link();
    }
    frame(now) {
      if (!this.playing) return;
      const back = this.last < this.first, took = this.then ? Math.min(0.1, (now - this.then) / 1000) : 0;
      this.then = now;
      let t = this.time + (back ? -1 : 1) * took * this.speed;
      const over = back ? t <= this.last : t >= this.last;
      if (over) t = this.last;
      this.seek(t, true);
      if (over) this.play(false), this.cut();
      else requestAnimationFrame((next) => this.frame(next));
    }
    seek(t, quietly) {
      const low = Math.min(this.first, this.last), high = Math.max(this.first, this.last);
      this.time = Math.min(high, Math.max(low, isFinite(t) ? t : this.first));
      const span = this.last - this.first || 1;
      id('scrub').value = (1000 * (this.time - this.first)) / span;
      const digits = Math.max(0, Math.min(6, 2 - Math.floor(Math.log10(Math.abs(span)))));
      const text = this.time.toFixed(digits).replace('-', '−') + (this.unit ? ' ' + this.unit : '');
      id('clock').textContent = 't = ' + text;
      id('scrub').setAttribute('aria-valuetext', text);
      if (this.view) this.data.tracks.forEach((track, i) => this.view.setRow(i, this.rowAt(track)));
      for (const p of this.plots) p.plot.setCursor(this.time);
      for (const plot of this.marked) plot.setCursor(this.time);
      this.showEnded();
      if (id('numbers').open) this.fillNumbers();
      if (!quietly || !this.playing) this.link();
    }
    rowAt(track) {
      const i = liegrp.before(track.times, track.rows, this.time);
      if (i + 1 >= track.rows) return i;
      const a = track.times[i], f = (this.time - a) / (track.times[i + 1] - a);
      return i + Math.min(1, Math.max(0, f || 0));
    }
    key(e) {
      const tag = (e.target.tagName || '').toLowerCase(), typing = tag === 'select' || tag === 'textarea' || (tag === 'input' && e.target.type !== 'range');
      if (typing || e.ctrlKey || e.metaKey || e.altKey || id('help').open) return;
      if ((tag === 'button' || tag === 'summary') && (e.key === ' ' || e.key === 'Enter')) return;
      const span = (this.last - this.first) / 200, v = this.view;
      const turn = (a, b) => (v ? v.turn(a, b) : 0);
      const actions = {
        ' ': () => this.play(!this.playing),
        ArrowLeft: () => (e.shiftKey ? turn(-0.1, 0) : this.seek(this.time - span)),
        ArrowRight: () => (e.shiftKey ? turn(0.1, 0) : this.seek(this.time + span)),
        ArrowUp: () => (e.shiftKey ? turn(0, 0.08) : null),
        ArrowDown: () => (e.shiftKey ? turn(0, -0.08) : null),
        Home: () => this.seek(this.first), End: () => this.seek(this.last),
        '+': () => v && v.zoom(0.85), '=': () => v && v.zoom(0.85), '-': () => v && v.zoom(1 / 0.85),
        f: () => this.follow(), o: () => this.overlay(), t: () => this.trails(), c: () => this.touches('contacts'),
        n: () => this.touches('cones'), r: () => this.fit(),
        ',': () => this.faster(-1), '.': () => this.faster(1), '?': () => this.help(),
      };
      if (v && !actions[e.key] && !e.shiftKey && this.panel.key(e.key)) return e.preventDefault();
      if (!actions[e.key] || ((e.key === 'ArrowUp' || e.key === 'ArrowDown') && !e.shiftKey)) return;
      e.preventDefault();
      actions[e.key]();
    }
    faster(by) {
      const i = Math.min(SPEEDS.length - 1, Math.max(0, SPEEDS.indexOf(this.speed) + by));
      this.speed = SPEEDS[i], id('speed').value = this.speed, this.link();
    }
    help() {
      const list = id('keylist');
      if (!list.children.length)
        for (const [key, what] of [['space', 'play, pause'], ['← →', 'back, forward'], ['home, end', 'the beginning, the end'],
          [', .', 'slower, faster'], ['f', 'follow the system'], ['o', 'overlay, or side by side'], ['t', 'trails'],
          ...(id('contacts').hidden ? [] : [['c', 'contacts: points and forces'], ['n', 'friction cones']]),
          ...(this.panel ? this.panel.help().map(([key, what]) => [key, what[0].toLowerCase() + what.slice(1)]) : []),
          ['r', 'everything in view'], ['+ −', 'closer, farther; also the wheel, after a click'],
          ['shift + arrows', 'turn the camera; also dragging'], ['shift + drag', 'shift the camera'], ['?', 'these keys']])
          list.append(element('dt', '', key), element('dd', '', what));
      id('help').showModal();
    }

    /* Plots --------------------------------------------------------------------------------------------------------- */

    addPlot(p) {
      const names = p.columns.filter((name) => this.data.tracks.some((t) => t.column[name]));
      if (names.length === 0) return;
      const of = this.data.tracks.map((t) => t.column[names[0]]).find((c) => c), many = this.data.tracks.length > 1;
      const card = element('article', 'plot'), head = element('div', 'plot-head'), host = element('div', 'canvas');
      const title = element('h3'), unit = element('span', 'unit', unitText(of.unit));
      const plot = new liegrp.Plot(host, { title: names.join(', '), log: p.log, difference: p.difference,
        residual: names.every(liegrp.isResidual), onseek: (t) => this.seek(t, true) });
      const entry = { columns: names, plot, card };
      const name = () => { title.textContent = names.map((n) => (plot.difference ? n + ' − ' + n + '₀' : n)).join(', '); };
      const buttons = element('div', 'buttons');
      buttons.append(
        button('Δ', 'Difference from the first value', plot.difference, (b) => { plot.setDifference(toggle(b)), name(), this.link(); }),
        button('log', 'Logarithmic scale, of absolute values', plot.log, (b) => { plot.setLog(toggle(b)), this.link(); }),
        button('×', 'Remove this plot', null, () => {
          plot.dispose(), card.remove(), this.plots.splice(this.plots.indexOf(entry), 1), this.link();
        }));
      name(), head.append(title, unit, buttons), card.append(head);
      const series = [];
      names.forEach((n, dash) => this.data.tracks.forEach((t, i) => {
        if (!t.column[n]) return;
        const colour = () => liegrp.trackColour(many ? i : dash);
        series.push({ label: many ? t.label + (names.length > 1 ? ' ' + n : '') : n, get colour() { return colour(); }, dash: many ? dash : 0, x: t.times, y: t.column[n].values });
      }));
      if (names.length === 1 && of.meaning) card.append(element('p', '', of.meaning));
      this.legend(card, series);
      card.append(host), id('plots').append(card);
      plot.setSeries(series), plot.setCursor(this.time);
      this.plots.push(entry);
    }
    legend(card, series) {
      if (series.length < 2) return;
      const legend = element('p', 'legend');
      for (const s of series) {
        const key = element('span', 'key', s.label);
        key.style.setProperty('--of', s.colour), legend.append(key);
      }
      card.append(legend);
    }
    /* Curves that are in no row; those over the time of the run are marked at the present. */
    addChart(chart) {
      const card = element('article', 'plot'), head = element('div', 'plot-head'), host = element('div', 'canvas');
      const timed = chart.abscissa === 't';
      const plot = new liegrp.Plot(host, { title: chart.title, log: chart.logarithmic === 1, abscissa: chart.abscissa,
        onseek: timed ? (t) => this.seek(t, true) : null });
      const series = chart.curves.map((c) => ({ label: c.label, get colour() { return liegrp.trackColour(c.colour); }, dash: c.dash, x: c.x, y: c.y }));
      head.append(element('h3', '', chart.title)), card.append(head);
      if (chart.meaning) card.append(element('p', '', chart.meaning));
      this.legend(card, series.filter((s) => s.dash === 0));
      card.append(host), id('plots').append(card);
      plot.setSeries(series);
      if (timed) this.marked.push(plot);
    }
    listColumns() {
      const add = id('add'), names = new Set(this.data.tracks.flatMap((t) => t.columns.map((c) => c.name)));
      add.append(element('option', '', '…'));
      for (const n of names) if (n !== 't' && n !== 'step') add.append(Object.assign(element('option', '', n), { value: n }));
      add.addEventListener('change', () => {
        if (add.selectedIndex > 0) this.addPlot({ columns: [add.value], log: liegrp.isResidual(add.value),
          difference: add.value === 'energy' || /^inv_/.test(add.value) });
        add.selectedIndex = 0, this.link();
      });
    }

    /* Numbers and where they come from ------------------------------------------------------------------------------ */

    numbers() {
      const table = id('table'), head = element('tr'), tracks = this.data.tracks;
      for (const text of ['', ...tracks.map((t) => t.label || 'value'), 'unit', 'meaning']) head.append(element('th', '', text));
      table.append(head);
      this.cells = [];
      const names = new Set(tracks.flatMap((t) => t.columns.map((c) => c.name)));
      for (const n of names) {
        const row = element('tr'), of = tracks.map((t) => t.column[n]).find((c) => c);
        row.append(element('th', '', n));
        tracks.forEach((t) => {
          const cell = element('td', 'value');
          cell.dataset.column = n;
          row.append(cell), this.cells.push([cell, t, t.column[n]]);
        });
        row.append(element('td', '', unitText(of.unit)), element('td', 'meaning', of.meaning)), table.append(row);
      }
      id('numbers').addEventListener('toggle', () => this.fillNumbers());
    }
    fillNumbers() {
      for (const [cell, t, c] of this.cells) {
        const ended = t.rows === 0 || Math.abs(this.time - this.first) > Math.abs(t.times[t.rows - 1] - this.first) * (1 + 1e-12);
        cell.textContent = c && !ended ? liegrp.number(c.values[Math.round(this.rowAt(t))], 10) : '–';
      }
    }
    about() {
      const d = this.data, box = id('told');
      const rows = d.tracks.map((t) => (d.tracks.length > 1 ? t.label + ' ' : '') + t.rows).join(', ');
      box.append(element('p', '', 'Computed by liegrp ' + d.version + '. Rows on this page: ' + rows + (d.tracks.some((t) => t.every > 1) ? ', thinned evenly; the last one is always here' : '') + '. Everything is inside this file: it needs no network, and may be sent, kept and put on a web page.'));
      if (d.command) {
        box.append(element('p', '', 'The command that made it'), element('pre', '', d.command));
        box.append(button('Copy', 'Copy the command', null, (b) => {
          const done = () => { b.textContent = 'Copied', setTimeout(() => { b.textContent = 'Copy'; }, 1500); };
          const select = () => getSelection().selectAllChildren(b.previousSibling);
          if (navigator.clipboard) navigator.clipboard.writeText(d.command).then(done, select);
          else select();
        }));
      }
      if (d.provenance) box.append(element('p', '', 'The provenance of the rows'), element('pre', '', d.provenance));
      box.append(element('p', '', 'Drawn with three.js r111, © 2010–2019 three.js authors.'));
    }

    /* Links --------------------------------------------------------------------------------------------------------- */

    /* #t=12.5&speed=2&camera=...&follow=1&layout=over&plots=energy*,x,y;constraint~ : * differences, ~ logarithmic */
    link() {
      if (this.linking) return;
      this.linking = setTimeout(() => {
        this.linking = 0;
        const p = new URLSearchParams(), v = this.view;
        p.set('t', String(Number(this.time.toPrecision(8)))), p.set('speed', this.speed);
        if (v) {
          p.set('camera', v.camera.map((x) => Number(x.toPrecision(5))).join(','));
          p.set('follow', v.follow ? 1 : 0), p.set('trails', v.trails ? 1 : 0), p.set('layout', v.layout);
          if (v.arrows.length) p.set('arrows', v.arrows.join(','));
          for (const [name, usual] of FLAGS) if (v[name] !== usual) p.set(name, v[name] ? 1 : 0);
          if (v.hidden.length) p.set('hidden', v.hidden.join(','));
          if (v.selected >= 0) p.set('selected', v.selected);
          if (!id('contacts').hidden) p.set('contacts', v.contacts ? 1 : 0), p.set('cones', v.cones ? 1 : 0);
        }
        p.set('plots', JSON.stringify(this.plots.map((e) => [e.plot.difference ? 1 : 0, e.plot.log ? 1 : 0, ...e.columns])));
        this.wrote = '#' + p.toString();
        try { history.replaceState(null, '', this.wrote); } catch (e) { /* inside a frame without an address */ }
      }, 250);
    }
    /* Invalid parts of a link are ignored and listed. */
    fromLink() {
      const asked = new URLSearchParams(location.hash.slice(1)), v = this.view || {}, wrong = [];
      const number = (x) => (x.trim() === '' ? NaN : Number(x)), flag = (x) => x === '0' || x === '1';
      this.linked = asked.has('t') || asked.has('camera');
      const takes = { /* each applies a value and returns whether the value is valid */
        __proto__: null,
        t: (x) => this.within(number(x)) && (this.time = number(x), true),
        speed: (x) => SPEEDS.includes(number(x)) && (this.speed = id('speed').value = number(x), true),
        layout: (x) => (x === 'side' || (x === 'over' && this.data.tracks.length > 1)) && (v.layout = x, true),
        follow: (x) => flag(x) && (v.follow = x === '1', true),
        trails: (x) => flag(x) && (v.trails = x === '1', true),
        contacts: (x) => flag(x) && (v.contacts = x === '1', true),
        cones: (x) => flag(x) && (v.cones = x === '1', true),
        ...Object.fromEntries(FLAGS.map(([name]) => [name, (x) => flag(x) && (v[name] = x === '1', true)])),
        hidden: (x) => x.split(',').every((b) => this.isBody(number(b))) && (v.hidden = x.split(',').map(Number), true),
        selected: (x) => this.isBody(number(x)) && (v.selected = Number(x), true),
        arrows: (x) => {
          const names = x.split(',');
          return names.every((n) => this.view && v.arrowsKnown().includes(n)) && (v.arrows = names, true);
        },
        camera: (x) => {
          const camera = x.split(',').map(number);
          return camera.length === 6 && camera.every(isFinite) && camera[2] > 0 && (v.camera = camera, true);
        },
        plots: (x) => {
          let list;
          try { list = JSON.parse(x); } catch (e) { return false; }
          if (!Array.isArray(list) || !list.every(Array.isArray)) return false;
          for (const e of this.plots.splice(0)) e.plot.dispose(), e.card.remove();
          for (const [difference, log, ...names] of list) {
            const columns = names.map(String), unknown = columns.filter((n) => !this.data.tracks.some((t) => t.column[n]));
            wrong.push(...unknown.map((n) => 'a plot of ' + n));
            this.addPlot({ difference: difference === 1, log: log === 1, columns });
          }
          return true;
        },
      };
      for (const [key, value] of asked) if (!takes[key] || !takes[key](value)) wrong.push(key + '=' + value);
      this.pressed();
      id('unread').hidden = wrong.length === 0;
      id('unread').textContent = 'Ignored parts of the link: ' + wrong.join(', ');
    }
    isBody(b) { return Number.isInteger(b) && b >= 0 && this.data.tracks.length > 0 && b < this.data.tracks[0].scene.bodies.length; }
    /* Is it a time of the run? The time of a link is rounded. */
    within(t) {
      const middle = (this.first + this.last) / 2, half = Math.abs(this.last - this.first) / 2;
      return Math.abs(t - middle) <= half + 1e-6 * (Math.abs(t) + half);
    }
  }

  try {
    liegrp.player = new Player(liegrp.read(id('liegrp-data').textContent));
  } catch (e) {
    id('stage').hidden = true, id('plain').hidden = false;
    id('plain').textContent = 'This page cannot be shown: ' + e.message;
  }
})();
