/* SPDX-License-Identifier: BSD-3-Clause */
/* The plots below the view: conserved quantities, residuals, and a column that the user chooses. A plot without values
 * is hidden. Columns have the names of docs/conventions.md. */
(function () {
  'use strict';
  const liegrp = (window.liegrp = window.liegrp || {}), element = (...a) => liegrp.element(...a);
  const SHOWN = 3; /* invariants; the others are hidden behind a button */

  class Plots {
    /* `choose(name)`: a column was chosen. */
    constructor(host, choose) {
      this.host = host, this.choose = choose, this.panels = [];
    }

    /* New panels for a system. */
    build(about, chosen) {
      for (const p of this.panels) p.plot.dispose();
      this.host.replaceChildren(), this.panels = [], this.columns = about.columns;
      this.number = Object.create(null);
      about.columns.forEach((c, i) => { this.number[c.name] = i; });
      const has = (name) => name in this.number, work = has('work') ? this.number.work : -1;
      this.panel({
        id: 'energy', title: work < 0 ? 'Energy, H − H₀' : 'Energy, H − H₀ − work', names: ['energy'], less: work, difference: true,
        note: work < 0 ? 'constant where nothing does work' : 'rounding, if the method keeps the balance',
      });
      this.chosenPanel(about, chosen);
      this.panel({ id: 'normal', title: 'Parasitic mode, |p⁻ − p̃|', names: ['normal'], log: true, residual: true, note: 'what of p⁻ is normal to the constraints' });
      this.panel({
        id: 'constraint', title: 'Constraints, largest residual', names: ['constraint', 'slip', 'gap'].filter(has), log: true, residual: true,
        note: 'rounding, where a method keeps them',
      });
      const invariants = about.columns.filter((c) => c.name.startsWith('inv_'));
      invariants.forEach((c, i) => this.panel({
        id: c.name, title: c.name.slice(4).replace(/_/g, ' ') + ', change', names: [c.name], difference: true, note: c.meaning, extra: i >= SHOWN,
      }));
      if (invariants.length > SHOWN) this.more(invariants.length - SHOWN);
    }

    panel(spec) {
      if (spec.names.length === 0 || !(spec.names[0] in this.number)) return;
      const box = element('div', { class: 'canvas' });
      if (spec.names.length > 1) spec.note = spec.names.map((n, i) => n + (i > 0 ? ', dashed' : '')).join('; ') + ': ' + spec.note;
      const unit = this.columns[this.number[spec.names[0]]].unit;
      const head = element('div', { class: 'plot-head' }, element('h3', { text: spec.title }, spec.head || null),
        element('span', { class: 'unit', text: unit && unit !== '-' ? unit : '' }));
      const root = element('div', { class: 'plot', 'data-plot': spec.id }, head, spec.note ? element('p', { text: spec.note }) : null, box);
      this.host.append(root);
      const plot = new liegrp.Plot(box, { title: spec.title, log: spec.log, difference: spec.difference, residual: spec.residual });
      this.panels.push({ ...spec, root, plot, unit: head.querySelector('.unit'), shown: undefined });
    }

    chosenPanel(about, chosen) {
      const usual = about.columns.findIndex((c) => /\/s$/.test(c.unit) && c.name !== 't'), first = usual > 0 ? usual : 2;
      const name = chosen in this.number ? chosen : about.columns[Math.min(first, about.columns.length - 1)].name;
      const select = element('select', {
        id: 'column', 'aria-label': 'The column to plot',
        onchange: () => { this.setChosen(select.value), this.choose(select.value), this.draw(this.motions, this.clock); },
      });
      for (const c of about.columns.slice(2)) select.append(element('option', { value: c.name, text: c.name, title: c.meaning }));
      select.value = name;
      this.panel({ id: 'chosen', title: '', names: [name], head: select, note: ' ' });
      this.setChosen(name);
    }
    setChosen(name) {
      const p = this.panels.find((x) => x.id === 'chosen'), c = this.columns[this.number[name]];
      p.names = [name], p.unit.textContent = c.unit && c.unit !== '-' ? c.unit : '';
      p.root.querySelector('p').textContent = c.meaning || '';
    }

    more(count) {
      this.hidden = true;
      const button = element('button', {
        type: 'button', class: 'quiet', text: count + ' more invariants', onclick: () => { this.hidden = false, button.remove(), this.draw(this.motions, this.clock); },
      });
      this.host.append(button);
    }

    series(panel) {
      const list = [];
      this.motions.forEach((m, i) => panel.names.forEach((name, k) => {
        const h = m.history, x = h.columns[m.time];
        let y = h.columns[this.number[name]];
        if (panel.less >= 0) y = y.map((v, j) => v - h.columns[panel.less][j]);
        list.push({ label: m.label + (panel.names.length > 1 ? ' ' + name : ''), colour: liegrp.trackColour(i), dash: k, x, y, count: h.count });
      }));
      return list;
    }

    /* True: a value is finite and, in a logarithmic plot, not 0. */
    defined(panel, series) {
      return series.some((s) => {
        for (let i = 0; i < s.count; i++) if (isFinite(s.y[i]) && (!panel.log || s.y[i] !== 0)) return true;
        return false;
      });
    }

    draw(motions, clock) {
      this.motions = motions, this.clock = clock;
      for (const p of this.panels) {
        const series = this.series(p), shown = this.defined(p, series) && !(p.extra && this.hidden);
        if (shown !== p.shown) p.root.hidden = !shown, p.shown = shown;
        if (shown) p.plot.setSeries(series), p.plot.setCursor(clock);
      }
    }
  }
  liegrp.Plots = Plots;
})();
