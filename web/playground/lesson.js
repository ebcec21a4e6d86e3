/* SPDX-License-Identifier: BSD-3-Clause */
/* The lesson of a guided scene above its picture: what to watch, a question, the answer on request, changes to try. */
(function () {
  'use strict';
  const liegrp = (window.liegrp = window.liegrp || {}), element = (...a) => liegrp.element(...a);

  /* `show(scene, link)`: shows a scene with a link of its own. */
  liegrp.lesson = function (host, show) {
    let shown = null;

    const changes = (scene) => element('p', { class: 'tries' }, element('span', { text: 'Try: ' }),
      ...[['As it was', ''], ...scene.tries].map(([label, change]) => element('button', {
        type: 'button', text: label, 'data-change': change,
        onclick: () => show(scene, scene.link + (change ? '&' + change : '')),
      })));

    /* The lesson of a scene; of none it is hidden. The answer stays open while its changes are tried. */
    return function (scene) {
      host.hidden = !scene;
      if (!scene || scene === shown) return shown = scene || null;
      host.replaceChildren(element('p', { class: 'watch', text: scene.watch }),
        element('p', { class: 'question', text: scene.question }),
        element('details', {}, element('summary', { text: 'Answer' }), element('p', { text: scene.answer })), changes(scene));
      return shown = scene;
    };
  };
})();
