// SPDX-License-Identifier: BSD-3-Clause
// Typesets the formulas of a page by KaTeX. They are on it as TeX, in elements of the class `math`; those of the class
// `display` are on a line of their own. A mark after a formula stays on its line.
'use strict';
for (const place of document.querySelectorAll('.math')) {
    katex.render(place.textContent, place, { displayMode: place.classList.contains('display'), throwOnError: false });
    const rest = place.nextSibling;
    const mark = rest && rest.nodeType === Node.TEXT_NODE && /^[.,;:)\]]+/.exec(rest.data);
    const last = [...place.querySelectorAll('.base')].pop();
    if (mark && last) {
        const line = document.createElement('span');
        line.style.whiteSpace = 'nowrap';
        last.replaceWith(line);
        line.append(last, mark[0]);
        rest.data = rest.data.slice(mark[0].length);
    }
}
