/* SPDX-License-Identifier: BSD-3-Clause */
/* What a reader takes along: rows and the picture as files, texts by the clipboard. */
(function () {
  'use strict';
  const liegrp = (window.liegrp = window.liegrp || {});

  /* The rows of a motion that are kept, as CSV: a number has the digits that give its bits again. */
  function csv(motion, columns) {
    const h = motion.history, lines = [columns.map((c) => c.name).join(',')];
    for (let i = 0; i < h.count; i++) lines.push(h.columns.map((c) => String(c[i])).join(','));
    return lines.join('\n') + '\n';
  }

  function file(name, content) {
    const at = URL.createObjectURL(content), a = liegrp.element('a', { href: at, download: name });
    document.body.append(a);
    a.click(), a.remove();
    setTimeout(() => URL.revokeObjectURL(at), 10000);
  }

  /* A file of rows for each motion, SYSTEM-METHOD.csv; of a thinned history SYSTEM-METHOD-every-K.csv. */
  function rows(motions, about) {
    for (const m of motions) {
      const of = m.label.replace(/[^\w.=-]+/g, '-'), every = m.history.stride > 1 ? '-every-' + m.history.stride : '';
      file(about.name + '-' + of + every + '.csv', new Blob([csv(m, about.columns)], { type: 'text/csv' }));
    }
  }

  /* The picture as it is seen; the canvas is kept only while it is drawn. */
  function picture(view, about) {
    view.render(performance.now());
    view.canvas.toBlob((blob) => file(about.name + '.png', blob), 'image/png');
  }

  async function copy(text, button) {
    const usual = button.textContent;
    let done = true;
    try { await navigator.clipboard.writeText(text); } catch (e) {
      const area = liegrp.element('textarea', { text });
      document.body.append(area), area.select();
      done = document.execCommand('copy');
      area.remove();
    }
    button.textContent = done ? 'Copied' : 'Select and copy it';
    setTimeout(() => { button.textContent = usual; }, 1500);
  }

  liegrp.take = { csv, rows, picture, copy };
})();
