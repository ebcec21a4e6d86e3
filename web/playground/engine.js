/* SPDX-License-Identifier: BSD-3-Clause */
/* The library in WebAssembly as objects of JavaScript, for the functions of web/playground/shim.h. This file depends on
 * no system, method or column. In node (tests) it is a module, in the page window.liegrp.engine. */
(function () {
  'use strict';

  /* The places of a refusal, as enum pg_place. */
  const PLACES = ['parameters', 'initial', 'controls', 'method', 'retraction', 'step', 'system', ''];
  const POSE = 7;

  class Refusal extends Error {
    constructor(place, message, name) {
      super(message.replace(/^lg_\w+: /, '')); /* without the function's name */
      this.place = place, this.value = name || '';
    }
  }

  function engine(module) {
    const call = (name, result, types) => module.cwrap('pg_' + name, result, types);
    const pg = {
      catalog: call('catalog', 'number', []),
      open: call('open', 'number', ['string']),
      close: call('close', null, ['number']),
      message: call('message', 'string', ['number']),
      where: call('where', 'number', ['number']),
      set: call('set', 'number', ['number', 'number', 'string', 'number']),
      describe: call('describe', 'number', ['number']),
      start: call('start', 'number', ['number', 'string', 'string', 'number', 'number']),
      end: call('end', null, ['number']),
      step: call('step', 'number', ['number', 'number']),
      runMessage: call('run_message', 'string', ['number']),
      row: call('row', 'number', ['number']),
      poses: call('poses', 'number', ['number']),
      bodies: call('bodies', 'number', ['number']),
      scene: call('scene', 'string', ['number']),
    };

    /* Copies a text of the library and frees it. */
    const taken = (at) => {
      const text = at ? module.UTF8ToString(at) : '';
      module._free(at);
      return text ? JSON.parse(text) : null;
    };
    const numbers = (at, count) => new Float64Array(module.HEAPF64.buffer, at, count).slice();

    class Run {
      constructor(system, at) {
        this.system = system, this.at = at, this.columns = system.about.columns.length, this.bodies = pg.bodies(at);
        this.ended = '';
      }
      /* Makes steps; fewer than asked: `ended` says why. Returns how many. */
      step(count) {
        const done = this.ended ? 0 : pg.step(this.at, count);
        if (done < count && !this.ended) this.ended = pg.runMessage(this.at) || 'The run has ended.';
        return done;
      }
      row() { return numbers(pg.row(this.at), this.columns); }
      poses() { return numbers(pg.poses(this.at), POSE * this.bodies); }
      scene() {
        const text = this.bodies > 0 ? pg.scene(this.at) : null;
        return text ? JSON.parse(text) : null;
      }
      end() { if (this.at) pg.end(this.at), this.at = 0; }
    }

    /* A system with values; runs are made once they are set. Throws a Refusal. */
    class System {
      constructor(name) {
        this.at = pg.open(name), this.about = taken(pg.describe(this.at)), this.runs = [];
        if (this.about) return;
        const message = pg.message(this.at);
        pg.close(this.at);
        throw new Refusal('system', message || 'The system cannot be opened.');
      }
      set(place, name, value) {
        if (!pg.set(this.at, PLACES.indexOf(place), name, value)) throw new Refusal(place, pg.message(this.at), name);
      }
      /* Starts a run with these values. Throws a Refusal. */
      start(method, retraction, step, project) {
        const at = pg.start(this.at, method, retraction, step || 0, project ? 1 : 0);
        if (!at) throw new Refusal(PLACES[pg.where(this.at)] || 'system', pg.message(this.at));
        const run = new Run(this, at);
        this.runs.push(run);
        return run;
      }
      close() {
        for (const r of this.runs) r.end();
        pg.close(this.at), this.runs = [], this.at = 0;
      }
    }

    return { catalog: taken(pg.catalog()), System, Refusal };
  }

  if (typeof window !== 'undefined') (window.liegrp = window.liegrp || {}).engine = engine;
  else module.exports = { engine };
})();
