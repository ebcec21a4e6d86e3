/* SPDX-License-Identifier: BSD-3-Clause */
/* The system that a link or the list of systems asks for, and its replacement if the library refuses it. */
(function () {
  'use strict';
  const liegrp = (window.liegrp = window.liegrp || {});

  /* `does`: the functions of the page by name. */
  liegrp.asked = function (page, does) {
    function open(name) {
      const system = new page.engine.System(name);
      page.about[name] = page.about[name] || system.about;
      return system;
    }

    /* The library's refusal of a system, or of a method for it; nothing if it accepts them. */
    function refusal(name, method, retraction) {
      let system = null;
      try {
        system = open(name);
        if (method) system.start(method, retraction || 'exp', 0, false);
        return '';
      } catch (e) {
        if (!(e instanceof page.engine.Refusal)) throw e;
        return e.message;
      } finally {
        if (system) system.close();
      }
    }

    /* Applies a link. Invalid parts are ignored; if nothing would move, the default runs. Both are reported. */
    function follow() {
      if (location.hash === page.written) return;
      const asked = location.hash.slice(1), state = liegrp.state.read(asked), wrong = state.wrong;
      if (!state.system || refusal(state.system)) {
        does.showScene(liegrp.scenes[0], liegrp.scenes[0].link);
        if (asked) {
          does.say((state.system ? "The link names the unknown system '" + state.system + "'" : 'The link names no system: ' + asked) +
            '. The list "Name" has all systems; this is a scene instead.');
        }
        return;
      }
      const links = (s) => ['', ...s.tries.map(([, change]) => '&' + change)].map((change) => s.link + change);
      const match = liegrp.scenes.find((s) => links(s).some((link) => liegrp.state.write(liegrp.state.read(link)) === asked));
      page.state = state, page.scene = match ? match.id : '';
      does.rebuild(true);
      if (state.column && !page.about[state.system].columns.some((c) => c.name === state.column))
        wrong.push('y=' + state.column), state.column = '';
      const left = wrong.length > 0 ? 'Ignored parts of the link: ' + wrong.join(', ') + '. ' : '';
      does.say(left + (page.motions.length > 0 ? '' : instead()));
    }

    /* Shows the system with its defaults; refusals stay next to their cause. */
    function instead() {
      const { system, speed, layout, column } = page.state, refused = page.refused;
      page.state = { ...liegrp.state.fresh(), system, speed, layout, column, method: usual(system) };
      does.rebuild(true);
      for (const [error, method] of refused) does.refuse(error, method);
      return 'The link is refused: ' + [...new Set(refused.map(([error]) => error.message))].join('; ') +
        '. This is ' + system + ' with its defaults and ' + page.state.method + '.';
    }

    /* The default method of a system. */
    function usual(name) {
      const taking = page.about[name].methods.filter((m) => !m.refused).map((m) => m.name);
      return taking.includes('sem') ? 'sem' : taking[0];
    }

    /* Changes the system; methods and retraction stay if it accepts them, otherwise the reason is reported. */
    function choose(name) {
      const { speed, layout, method, second, retraction } = page.state, said = [];
      const takes = (m, r) => {
        const why = refusal(name, m, r);
        if (why) said.push(name + ' does not take ' + (r || m) + ': ' + why + '.');
        return !why;
      };
      const methods = [method, second].filter((m) => m && takes(m));
      if (methods.length === 0) methods.push(usual(name));
      const kept = page.about[name].noun !== 'system' || retraction === 'exp' || takes(methods[0], retraction);
      page.scene = '';
      page.state = {
        ...liegrp.state.fresh(), system: name, speed, layout, method: methods[0], second: methods[1] || '',
        retraction: kept ? retraction : 'exp',
      };
      does.changed(true);
      if (said.length > 0)
        does.say(said.join(' ') + ' It runs with ' + methods.join(' and ') + (kept ? '' : ' and exp') + '.');
      does.play(page.playing);
    }

    return { open, follow, choose };
  };
})();
