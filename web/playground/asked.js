/* SPDX-License-Identifier: BSD-3-Clause */
/* What a link asks for, or the list of systems, and what is shown instead where the library refuses it. */
(function () {
  'use strict';
  const liegrp = (window.liegrp = window.liegrp || {});

  /* `does`: what the page can do, by the names of its functions. */
  liegrp.asked = function (page, does) {
    function open(name) {
      const system = new page.engine.System(name);
      page.about[name] = page.about[name] || system.about;
      return system;
    }

    /* What the library says of a system, or of a method that should step it; nothing if all is well. */
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

    /* What a link asks for. What it says wrong is left out, and where nothing would move the default does; both are said. */
    function follow() {
      if (location.hash === page.written) return;
      const asked = location.hash.slice(1), state = liegrp.state.read(asked), wrong = state.wrong;
      if (!state.system || refusal(state.system)) {
        does.showScene(liegrp.scenes[0]);
        if (asked) {
          does.say((state.system ? "The link names the unknown system '" + state.system + "'" : 'The link names no system: ' + asked) +
            '. The list "Name" has all systems; this is a scene instead.');
        }
        return;
      }
      const match = liegrp.scenes.find((s) => liegrp.state.write(liegrp.state.read(s.link)) === asked);
      page.state = state, page.scene = match ? match.id : '';
      does.rebuild(true);
      if (state.column && !page.about[state.system].columns.some((c) => c.name === state.column))
        wrong.push('y=' + state.column), state.column = '';
      const left = wrong.length > 0 ? 'Left out of the link, because it is not understood: ' + wrong.join(', ') + '. ' : '';
      does.say(left + (page.motions.length > 0 ? '' : instead()));
    }

    /* The system by default, with what was refused still beside its cause. */
    function instead() {
      const { system, speed, layout, column } = page.state, refused = page.refused;
      page.state = { ...liegrp.state.fresh(), system, speed, layout, column, method: usual(system) };
      does.rebuild(true);
      for (const [error, method] of refused) does.refuse(error, method);
      return 'The link is refused: ' + [...new Set(refused.map(([error]) => error.message))].join('; ') +
        '. This is ' + system + ' with its defaults and ' + page.state.method + '.';
    }

    /* The method that a system has by default. */
    function usual(name) {
      const taking = page.about[name].methods.filter((m) => !m.refused).map((m) => m.name);
      return taking.includes('sem') ? 'sem' : taking[0];
    }

    /* Another system with the methods and the retraction that were chosen, if it takes them; if not, it is said. */
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
        does.say(said.join(' ') + ' It runs with ' + methods.join(' beside ') + (kept ? '' : ' and exp') + '.');
      does.play(page.playing);
    }

    return { open, follow, choose };
  };
})();
