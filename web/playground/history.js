/* SPDX-License-Identifier: BSD-3-Clause */
/* One trajectory as it is computed: the node that was passed, the one ahead, and the rows so far, thinned. */
(function () {
  'use strict';
  const liegrp = (window.liegrp = window.liegrp || {});
  const MOST = 4096;

  /* Rows by column; when they are full, every second one is deleted. */
  class History {
    constructor(columns) {
      this.columns = Array.from({ length: columns }, () => new Float64Array(MOST));
      this.count = 0, this.stride = 1, this.seen = 0;
    }
    add(row) {
      if (this.seen++ % this.stride !== 0) return;
      if (this.count === MOST) {
        for (const c of this.columns) for (let i = 0; i < MOST / 2; i++) c[i] = c[2 * i];
        this.count = MOST / 2, this.stride *= 2;
        if ((this.seen - 1) % this.stride !== 0) return;
      }
      this.columns.forEach((c, i) => { c[this.count] = row[i]; });
      this.count++;
    }
  }

  /* The picture lies between `passed`, whose numbers are shown, and `ahead`. */
  class Motion {
    constructor(run, time, label) {
      this.run = run, this.time = time, this.label = label, this.nodes = 0;
      this.passed = this.ahead = { row: run.row(), poses: run.poses() };
      this.history = new History(run.columns);
      this.history.add(this.passed.row);
    }
    get ended() { return this.run.ended; }
    t(node) { return node.row[this.time]; }
    /* 1: the motion has advanced. */
    next() {
      if (this.run.step(1) < 1) return false;
      this.ahead = { row: this.run.row(), poses: this.run.poses() };
      return true;
    }
    /* The node ahead has been reached. */
    pass() {
      this.passed = this.ahead, this.nodes++;
      this.history.add(this.passed.row);
    }
    /* Makes one complete step. */
    step() {
      if (this.ahead === this.passed && !this.next()) return false;
      this.pass();
      return true;
    }
    /* The poses at a time between the two nodes. */
    between(clock) {
      const a = this.passed, b = this.ahead, ta = this.t(a), tb = this.t(b);
      const f = tb === ta ? 0 : Math.min(1, Math.max(0, (clock - ta) / (tb - ta))), out = a.poses.slice();
      if (f === 0) return out;
      for (let k = 0; k < out.length; k += 7) {
        let dot = 0, norm = 0;
        for (let i = 3; i < 7; i++) dot += a.poses[k + i] * b.poses[k + i];
        for (let i = 0; i < 7; i++) {
          const end = i >= 3 && dot < 0 ? -b.poses[k + i] : b.poses[k + i];
          out[k + i] = (1 - f) * a.poses[k + i] + f * end;
          if (i >= 3) norm += out[k + i] * out[k + i];
        }
        for (let i = 3; i < 7; i++) out[k + i] /= Math.sqrt(norm) || 1;
      }
      return out;
    }
  }

  /* Advances motions to a common time `clock` (in the direction of their steps), for at most `budget` milliseconds;
   * returns the time that was reached. `passing(i)` is called for each node that is passed. */
  function advance(motions, clock, forward, budget, passing) {
    const until = performance.now() + budget, before = (a, b) => (forward ? a < b : a > b);
    let busy = true, late = false;
    const going = motions.filter((m) => !m.ended);
    while (busy && !late) {
      busy = false;
      for (const m of going) {
        if (m.ended || before(clock, m.t(m.ahead))) continue;
        if (m.ahead !== m.passed) m.pass(), passing(m);
        if (m.next()) busy = true;
      }
      late = performance.now() > until;
    }
    for (const m of going)
      if (!m.ended && before(m.t(m.ahead), clock)) clock = m.t(m.ahead); /* slow motion, not a jump */
    return clock;
  }

  liegrp.Motion = Motion, liegrp.advance = advance;
})();
