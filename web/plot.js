/* SPDX-License-Identifier: BSD-3-Clause */
/* Plots on a canvas: series over time, a cursor at the present, values at the pointer. Interface: README.md. */
(function () {
  'use strict';
  const liegrp = (window.liegrp = window.liegrp || {});

  /* Numbers --------------------------------------------------------------------------------------------------------- */

  const SUPERSCRIPTS = '⁰¹²³⁴⁵⁶⁷⁸⁹';
  const raised = (n) => (n < 0 ? '⁻' : '') + [...String(Math.abs(n))].map((d) => SUPERSCRIPTS[d]).join('');
  const minus = (text) => text.replace('-', '−');

  /* A number for people, with `digits` significant ones. */
  liegrp.number = function (x, digits) {
    if (!isFinite(x)) return isNaN(x) ? '–' : x > 0 ? '∞' : '−∞';
    if (Number.isInteger(x) && Math.abs(x) < 1e6) return minus(String(x));
    const e = Math.floor(Math.log10(Math.abs(x)));
    if (e < -4 || e >= 6) {
      const [m, p] = x.toExponential(digits - 1).split('e');
      return minus(m) + '·10' + raised(Number(p));
    }
    return minus(x.toPrecision(digits).replace(/e.*/, ''));
  };

  /* Ticks at 1, 2, 5 times powers of ten, about `count`. */
  function ticks(from, to, count) {
    const rough = (to - from) / Math.max(1, count), p = Math.pow(10, Math.floor(Math.log10(rough)));
    const f = rough / p, step = (f > 5 ? 10 : f > 2 ? 5 : f > 1 ? 2 : 1) * p, list = [];
    for (let k = Math.ceil(from / step - 1e-9); k * step <= to + 1e-9 * step; k++) list.push(k * step);
    return { step, list };
  }

  /* Texts of ticks: one power of ten for all where numbers are large or small. */
  function labels(t) {
    const most = Math.max(...t.list.map(Math.abs), t.step), e = Math.floor(Math.log10(most));
    const shift = e < -3 || e > 4 ? e : 0, unit = Math.pow(10, shift);
    const places = Math.max(0, Math.min(12, Math.ceil(-Math.log10(t.step / unit) - 1e-9)));
    return {
      texts: t.list.map((x) => minus((Math.abs(x) < 1e-9 * t.step ? 0 : x / unit).toFixed(places))),
      power: shift ? '·10' + raised(shift) : '',
    };
  }

  function powers(from, to, count) {
    const a = Math.ceil(from - 1e-9), b = Math.floor(to + 1e-9), by = Math.max(1, Math.ceil((b - a) / count)), list = [];
    for (let k = Math.ceil(a / by) * by; k <= b; k += by) list.push(k);
    return list;
  }

  /* The number of the last x that is not after `at`. */
  liegrp.before = function (x, count, at) {
    let a = 0, b = count - 1;
    if (count < 1 || !(x[0] <= at) && x[count - 1] > x[0]) return 0;
    const up = x[count - 1] >= x[0];
    while (a < b) {
      const m = (a + b + 1) >> 1;
      if (up ? x[m] <= at : x[m] >= at) a = m;
      else b = m - 1;
    }
    return a;
  };

  /* The plot -------------------------------------------------------------------------------------------------------- */

  const DASHES = [[], [6, 3], [2, 3], [8, 3, 2, 3]];
  const TOP = 20, RIGHT = 14, BOTTOM = 26;
  /* What rounding makes of numbers near 1 in a run. */
  const NOISE = 1e-13;

  class Plot {
    constructor(host, options) {
      this.host = host, this.options = options || {}, this.series = [], this.cursor = NaN, this.hover = NaN;
      this.log = !!this.options.log, this.difference = !!this.options.difference;
      this.canvas = document.createElement('canvas');
      this.canvas.className = 'plot-canvas';
      this.canvas.setAttribute('role', 'img');
      host.appendChild(this.canvas);
      this.pointer();
      this.watch = new ResizeObserver(() => this.changed());
      this.watch.observe(host);
      this.styled = () => this.changed();
      matchMedia('(prefers-color-scheme: dark)').addEventListener('change', this.styled);
    }

    /* [{label, colour, dash, x, y, count}]: y over x, `count` (default all) of them; NaN and infinity make a gap. */
    setSeries(series) {
      this.series = series;
      this.canvas.setAttribute('aria-label', 'Plot of ' + (this.options.title || series.map((s) => s.label).join(', ')));
      this.changed();
    }
    setCursor(t) { if (t !== this.cursor) this.cursor = t, this.changed(); }
    setLog(on) { this.log = !!on, this.changed(); }
    /* Differences from the first value, in doubles. */
    setDifference(on) { this.difference = !!on, this.changed(); }
    changed() {
      if (!this.waiting) this.waiting = requestAnimationFrame(() => { this.waiting = 0, this.draw(); });
    }
    dispose() {
      cancelAnimationFrame(this.waiting), this.watch.disconnect(), this.canvas.remove();
      matchMedia('(prefers-color-scheme: dark)').removeEventListener('change', this.styled);
    }

    value(s, i) {
      const y = this.difference ? s.y[i] - s.y[0] : s.y[i];
      return this.log ? (y === 0 ? NaN : Math.log10(Math.abs(y))) : y;
    }
    count(s) { return s.count === undefined ? s.x.length : s.count; }
    /* The height below which a plot of a residual, or of a difference, shows rounding; 0: it shows neither. */
    noise() {
      const first = Math.max(0, ...this.series.map((s) => Math.abs(s.y[0]) || 0));
      return this.difference ? NOISE * first : this.options.residual ? NOISE : 0;
    }

    /* The box of all finite points: this.x, this.y = [from, to]. */
    range() {
      let x0 = Infinity, x1 = -Infinity, y0 = Infinity, y1 = -Infinity;
      for (const s of this.series) {
        for (let i = 0, n = this.count(s); i < n; i++) {
          const y = this.value(s, i);
          if (s.x[i] < x0) x0 = s.x[i];
          if (s.x[i] > x1) x1 = s.x[i];
          if (!isFinite(y)) continue;
          if (y < y0) y0 = y;
          if (y > y1) y1 = y;
        }
      }
      if (!(x1 > x0)) x0 = isFinite(x0) ? x0 - 0.5 : 0, x1 = x0 + 1;
      if (!(y1 >= y0)) y0 = this.log ? -1 : 0, y1 = this.log ? 0 : 1, (this.empty = true);
      else this.empty = false;
      /* rounding must not fill the height of the plot */
      const noise = this.noise(), least = noise > 0 ? 10 * noise : 1e-9 * Math.max(Math.abs(y0), Math.abs(y1));
      if (this.log && noise > 0) {
        y0 = Math.log10(noise) - 5, y1 = Math.max(y1, Math.log10(noise) + 13);
      } else if (y1 - y0 < (this.log ? 1 : least) || y1 === y0) {
        const m = 0.5 * (y0 + y1), d = 0.5 * (this.log ? 1 : least) || 0.5;
        y0 = m - d, y1 = m + d;
      }
      const margin = 0.07 * (y1 - y0);
      this.x = [x0, x1], this.y = [y0 - margin, y1 + margin];
    }

    px(x) { return this.left + ((x - this.x[0]) / (this.x[1] - this.x[0])) * (this.width - this.left - RIGHT); }
    py(y) { return TOP + ((this.y[1] - y) / (this.y[1] - this.y[0])) * (this.height - TOP - BOTTOM); }

    draw() {
      const ratio = window.devicePixelRatio || 1, style = getComputedStyle(this.host), c = this.canvas.getContext('2d');
      this.width = this.host.clientWidth, this.height = this.host.clientHeight;
      if (this.width < 10 || this.height < 10) return;
      this.canvas.width = Math.round(this.width * ratio), this.canvas.height = Math.round(this.height * ratio);
      this.canvas.style.width = this.width + 'px', this.canvas.style.height = this.height + 'px';
      c.setTransform(ratio, 0, 0, ratio, 0, 0);
      this.ink = style.color, this.font = style.fontFamily;
      this.faint = style.getPropertyValue('--faint').trim() || 'rgba(128,128,128,.25)';
      this.quiet = style.getPropertyValue('--quiet').trim() || '#777';
      this.range();
      this.axes(c);
      this.band(c);
      c.save(), c.beginPath(), c.rect(this.left - 1, TOP - 3, this.width - this.left - RIGHT + 2, this.height - TOP - BOTTOM + 6), c.clip();
      for (const s of this.series) this.line(c, s);
      c.restore();
      this.now(c);
    }

    axes(c) {
      const rows = Math.max(2, Math.floor((this.height - TOP - BOTTOM) / 34));
      const y = this.log ? { list: powers(this.y[0], this.y[1], rows) } : ticks(this.y[0], this.y[1], rows);
      const text = this.log ? { texts: y.list.map((k) => '10' + raised(k)), power: '' } : labels(y);
      c.font = '11px ' + this.font, c.lineWidth = 1, c.fillStyle = this.quiet;
      this.left = 12 + Math.max(24, ...text.texts.map((t) => c.measureText(t).width));
      c.textAlign = 'right', c.textBaseline = 'middle';
      y.list.forEach((v, i) => {
        const at = Math.round(this.py(v)) + 0.5;
        c.strokeStyle = this.faint, c.beginPath(), c.moveTo(this.left, at), c.lineTo(this.width - RIGHT, at), c.stroke();
        c.fillText(text.texts[i], this.left - 7, at);
      });
      if (text.power) c.textAlign = 'left', c.fillText(text.power, Math.max(8, this.left - 24), 9);
      const x = ticks(this.x[0], this.x[1], Math.max(2, Math.floor((this.width - this.left) / 84))), xt = labels(x);
      c.textAlign = 'center', c.textBaseline = 'alphabetic';
      x.list.forEach((v, i) => c.fillText(xt.texts[i], Math.round(this.px(v)), this.height - 8));
      if (xt.power) c.textAlign = 'right', c.fillText(xt.power, this.width - 2, this.height - BOTTOM - 4);
      if (this.empty) c.textAlign = 'center', c.fillText('nothing to show', 0.5 * (this.left + this.width), 0.5 * this.height);
    }

    /* What lies below rounding, in grey. */
    band(c) {
      const noise = this.noise();
      if (!(noise > 0)) return;
      const from = Math.max(this.y[0], this.log ? -Infinity : -noise), to = Math.min(this.y[1], this.log ? Math.log10(noise) : noise);
      if (!(to > from)) return;
      c.fillStyle = this.faint, c.globalAlpha = 0.45;
      c.fillRect(this.left, this.py(to), this.width - this.left - RIGHT, this.py(from) - this.py(to));
      c.globalAlpha = 1;
      if (this.log) c.fillStyle = this.quiet, c.textAlign = 'left', c.fillText('rounding', this.left + 6, this.py(to) + 14);
    }

    line(c, s) {
      c.strokeStyle = s.colour, c.lineWidth = 1.5, c.lineJoin = 'round';
      c.setLineDash(DASHES[(s.dash || 0) % DASHES.length]);
      c.beginPath();
      let gap = true;
      for (let i = 0, n = this.count(s); i < n; i++) {
        const y = this.value(s, i);
        if (!isFinite(y)) { gap = true; continue; }
        if (gap) c.moveTo(this.px(s.x[i]), this.py(y));
        else c.lineTo(this.px(s.x[i]), this.py(y));
        gap = false;
      }
      c.stroke(), c.setLineDash([]);
    }

    /* The cursor at the present time or at the pointer, with values. */
    now(c) {
      const t = isNaN(this.hover) ? this.cursor : this.hover;
      if (!(t >= this.x[0] && t <= this.x[1])) return;
      const at = Math.round(this.px(t)) + 0.5;
      c.strokeStyle = this.ink, c.globalAlpha = 0.45;
      c.beginPath(), c.moveTo(at, TOP), c.lineTo(at, this.height - BOTTOM), c.stroke(), c.globalAlpha = 1;
      for (const s of this.series) {
        if (!this.reaches(s, t)) continue;
        const i = this.nearest(s, t), y = this.value(s, i);
        if (!isFinite(y)) continue;
        c.fillStyle = s.colour, c.beginPath(), c.arc(this.px(s.x[i]), this.py(y), 3, 0, 7), c.fill();
      }
      if (!isNaN(this.hover)) this.readOut(c, t, at);
    }
    reaches(s, t) {
      const n = this.count(s);
      return n > 0 && t <= Math.max(s.x[0], s.x[n - 1]) * (1 + 1e-12) + 1e-12 && t >= Math.min(s.x[0], s.x[n - 1]);
    }
    nearest(s, t) {
      const n = this.count(s), i = liegrp.before(s.x, n, t);
      return i + 1 < n && Math.abs(s.x[i + 1] - t) < Math.abs(s.x[i] - t) ? i + 1 : i;
    }
    /* The value of a series at a time, as shown. */
    at(s, t) {
      if (!this.reaches(s, t)) return NaN;
      const i = this.nearest(s, t);
      return this.difference ? s.y[i] - s.y[0] : s.y[i];
    }

    readOut(c, t, at) {
      const lines = [[(this.options.abscissa || 't') + ' = ' + liegrp.number(t, 5), this.quiet]];
      for (const s of this.series) lines.push([(this.series.length > 1 ? s.label + '  ' : '') + liegrp.number(this.at(s, t), 6), s.colour]);
      c.font = '12px ' + this.font;
      const wide = Math.max(...lines.map((l) => c.measureText(l[0]).width)) + 18, high = 17 * lines.length + 10;
      const x = at + 10 + wide > this.width ? at - 10 - wide : at + 10, y = TOP + 2;
      c.fillStyle = getComputedStyle(this.host).getPropertyValue('--card').trim() || '#fff';
      c.strokeStyle = this.faint, c.globalAlpha = 0.95;
      c.beginPath(), c.rect(x + 0.5, y + 0.5, wide, high), c.fill(), c.globalAlpha = 1, c.stroke();
      c.textAlign = 'left', c.textBaseline = 'middle';
      lines.forEach((l, i) => { c.fillStyle = l[1], c.fillText(l[0], x + 9, y + 14 + 17 * i); });
    }

    pointer() {
      const time = (e) => {
        const r = this.canvas.getBoundingClientRect(), f = (e.clientX - r.left - this.left) / (this.width - this.left - RIGHT);
        return this.x[0] + Math.min(1, Math.max(0, f)) * (this.x[1] - this.x[0]);
      };
      const seek = (e) => { if (this.options.onseek) this.options.onseek(time(e)); };
      this.canvas.style.touchAction = 'pan-y';
      this.canvas.addEventListener('pointermove', (e) => {
        if (!this.x) return;
        this.hover = time(e);
        if (e.buttons & 1) seek(e);
        this.changed();
      });
      this.canvas.addEventListener('pointerleave', () => { this.hover = NaN, this.changed(); });
      this.canvas.addEventListener('pointerdown', (e) => { if (this.x) this.canvas.setPointerCapture(e.pointerId), seek(e); });
    }
  }
  liegrp.Plot = Plot;
})();
