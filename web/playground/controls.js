/* SPDX-License-Identifier: BSD-3-Clause */
/* Controls of numbers: a slider that suits the value's size and sign, the number itself, its unit and meaning, and a
 * place for refusals. */
(function () {
  'use strict';
  const liegrp = (window.liegrp = window.liegrp || {});
  const TICKS = 600;

  const element = (name, attributes, ...children) => {
    const e = document.createElement(name);
    for (const [key, value] of Object.entries(attributes || {})) {
      if (key === 'text') e.textContent = value;
      else if (key.startsWith('on')) e.addEventListener(key.slice(2), value);
      else if (value !== undefined && value !== null) e.setAttribute(key, value);
    }
    e.append(...children.filter((c) => c !== null && c !== undefined));
    return e;
  };
  liegrp.element = element;

  /* The range of a slider: {from, to, log}. Positive values move by factors, others by about their size. */
  function range(spec, value) {
    const low = spec.low === null || spec.low === undefined ? -Infinity : spec.low;
    const high = spec.high === null || spec.high === undefined ? Infinity : spec.high;
    const usual = isFinite(spec.value) && spec.value !== null ? spec.value : 0, size = Math.max(Math.abs(usual), Math.abs(value));
    if (/^attitude/.test(spec.meaning || '')) return { from: -1, to: 1, log: false };
    if (isFinite(low) && isFinite(high) && !(low > 0 && high / low > 50)) return { from: low, to: high, log: false };
    if (low >= 0 && usual > 0) {
      const least = Math.min(usual, value > 0 ? value : usual), most = Math.max(usual, value);
      return { from: Math.max(low, least / 20), to: Math.min(high, most * 20), log: true };
    }
    const m = size > 0 ? 3 * size : 1;
    return { from: Math.max(low, -m), to: Math.min(high, m), log: false };
  }

  const rounded = (x) => (x === 0 ? 0 : Number(x.toPrecision(3)));

  function place(r, value) {
    const f = r.log ? Math.log(value / r.from) / Math.log(r.to / r.from) : (value - r.from) / (r.to - r.from);
    return Math.round(TICKS * Math.min(1, Math.max(0, isFinite(f) ? f : 0)));
  }
  function value(r, tick) {
    const f = tick / TICKS, x = r.log ? r.from * Math.pow(r.to / r.from, f) : r.from + f * (r.to - r.from);
    return Math.abs(x) < 1e-3 * (r.to - r.from) && !r.log ? 0 : rounded(x);
  }

  let counter = 0;

  /* One number. `set(name, value)` is called as it changes; value undefined: back to the default. */
  class NumberControl {
    constructor(spec, set) {
      this.spec = spec, this.set = set, this.given = undefined, this.usual = spec.value;
      const id = 'n' + ++counter, title = spec.name + (spec.meaning ? ': ' + spec.meaning : '');
      this.slider = element('input', {
        type: 'range', min: 0, max: TICKS, step: 1, 'aria-label': title, tabindex: '0',
        oninput: () => this.slid(value(this.range, Number(this.slider.value))),
      });
      this.number = element('input', {
        type: 'text', inputmode: 'decimal', id, autocomplete: 'off', spellcheck: 'false', 'data-name': spec.name,
        'aria-describedby': id + 'w',
        onchange: () => this.typed(), onkeydown: (e) => this.key(e),
      });
      this.back = element('button', {
        type: 'button', class: 'back', title: 'Back to the default', 'aria-label': 'Default of ' + spec.name, text: '↺',
        onclick: () => { this.take(undefined), this.number.focus(); },
      });
      this.why = element('p', { class: 'refusal', id: id + 'w', role: 'alert', hidden: '' });
      this.root = element('div', { class: 'number', title: spec.meaning || null },
        element('label', { for: id }, element('span', { class: 'name', text: spec.name }),
          spec.meaning ? element('span', { class: 'meaning', text: spec.meaning }) : null),
        this.slider,
        element('span', { class: 'entry' }, this.number, element('span', { class: 'unit', text: spec.unit && spec.unit !== '-' ? spec.unit : '' })),
        this.back, this.why);
      this.show();
    }
    key(e) {
      if (e.key === 'Enter') this.typed();
      if (e.key !== 'ArrowUp' && e.key !== 'ArrowDown') return;
      e.preventDefault();
      const r = this.range, tick = place(r, this.value()) + (e.key === 'ArrowUp' ? 6 : -6);
      this.take(value(r, Math.min(TICKS, Math.max(0, tick))));
    }
    typed() {
      const text = this.number.value.trim().replace('−', '-').replace(',', '.'), x = Number(text);
      if (text === this.shown) return;
      if (text === '') this.take(undefined);
      else if (isNaN(x)) this.refuse("'" + text + "' is not a number");
      else this.take(x);
    }
    /* Shows the number at once; the motion changes after a short pause. */
    slid(x) {
      this.given = x;
      this.show();
      clearTimeout(this.waiting);
      this.waiting = setTimeout(() => this.take(x), 70);
    }
    take(x) {
      clearTimeout(this.waiting);
      this.given = x;
      this.refuse('');
      this.show();
      this.set(this.spec.name, x);
    }
    value() { return this.given !== undefined ? this.given : this.usual; }
    /* Sets the value from outside: that of the state, or the default. */
    put(given, usual) {
      if (usual !== undefined && usual !== null) this.usual = usual;
      this.given = given;
      this.show();
    }
    show() {
      const x = this.value(), known = x !== null && x !== undefined && isFinite(x);
      if (!this.range || !known || x < this.range.from || x > this.range.to) this.range = range(this.spec, known ? x : 0);
      this.shown = known ? String(x) : '';
      if (document.activeElement !== this.slider) this.slider.value = known ? place(this.range, x) : 0;
      this.slider.setAttribute('aria-valuetext', this.shown + ' ' + (this.spec.unit || ''));
      if (document.activeElement !== this.number || this.number.value.trim() === '') this.number.value = short(x, known);
      else this.number.value = short(x, known);
      this.shown = this.number.value.trim();
      this.root.classList.toggle('changed', this.given !== undefined);
    }
    refuse(message) {
      this.why.textContent = message, this.why.hidden = !message;
      this.number.setAttribute('aria-invalid', message ? 'true' : 'false');
    }
  }
  /* A given value in full; a derived one with as many digits as people read. */
  function short(x, known) {
    if (!known) return '';
    const text = String(x);
    return text.length <= 9 ? text : String(Number(x.toPrecision(6)));
  }
  liegrp.NumberControl = NumberControl;
})();
