/* SPDX-License-Identifier: BSD-3-Clause */
/* The data of a page: README.md, The data. */
(function () {
  'use strict';
  const liegrp = (window.liegrp = window.liegrp || {}), numbers = liegrp.numbers;

  /* The data with arrays of numbers in place of their texts; a track gets `column`, by name, and `times`. */
  liegrp.read = function (text) {
    const data = JSON.parse(text);
    if (data.format !== 1) throw new Error('these data have format ' + data.format + ', this page reads 1');
    for (const t of data.tracks) {
      if (typeof t.scene === 'number') t.scene = data.tracks[t.scene].scene;
      t.poses = numbers(t.poses, Float32Array);
      if (t.contacts) t.contacts.counts = numbers(t.contacts.counts, Uint32Array), t.contacts.values = numbers(t.contacts.values, Float32Array);
      if (t.arrows) {
        for (const name of ['centres', 'bodies', 'reactions']) if (t.arrows[name]) t.arrows[name] = numbers(t.arrows[name], Float32Array);
        for (const j of t.arrows.joints || []) j.point = numbers(j.point, Float32Array);
      }
      t.column = Object.create(null);
      for (const c of t.columns) c.values = numbers(c.values, Float64Array), (t.column[c.name] = c);
      t.times = t.column.t ? t.column.t.values : Float64Array.from({ length: t.rows }, (_, i) => i);
    }
    for (const chart of (data.charts = data.charts || []))
      for (const c of chart.curves) c.x = numbers(c.x, Float64Array), c.y = numbers(c.y, Float64Array);
    return data;
  };

  const varies = (c) => c.values.some((v) => v !== c.values[0] && isFinite(v));
  /* Columns that are 0 but for rounding where a method keeps them. */
  const RESIDUALS = ['constraint', 'normal', 'gap', 'slip'];
  liegrp.isResidual = (name) => RESIDUALS.includes(name);
  const known = (c) => c.values.some(isFinite);

  /* The first plots, [{columns, difference, log}]: energy, invariants, constraints, and moving coordinates. */
  liegrp.suits = function (data) {
    const plots = [], first = data.tracks[0];
    const is = (name) => data.tracks.some((t) => t.column[name] && known(t.column[name]));
    if (is('energy')) plots.push({ columns: ['energy'], difference: true });
    const residuals = RESIDUALS.filter(is);
    const moving = residuals.filter((name) => data.tracks.some((t) => t.column[name] && varies(t.column[name])));
    if (moving.length > 0) plots.push({ columns: [moving[0]], log: true });
    if (moving.length > 1) plots.push({ columns: [moving[1]], log: true });
    for (const c of first.columns)
      if (plots.length < 3 && /^inv_/.test(c.name) && known(c)) plots.push({ columns: [c.name], difference: true });
    const motion = first.columns.filter((c) => !['step', 't'].includes(c.name) && varies(c));
    const alike = motion.filter((c) => c.unit === motion[0].unit); /* an axis has one unit */
    if (motion.length > 0) plots.push({ columns: alike.slice(0, data.tracks.length > 1 ? 1 : 3).map((c) => c.name), difference: false });
    return plots.slice(0, 4);
  };
})();
