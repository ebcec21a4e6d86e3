/* SPDX-License-Identifier: BSD-3-Clause */
/* A panel of buttons over a picture, with a key each: what is shown, from where, and pictures of it. README.md. */
(function () {
  'use strict';
  const liegrp = (window.liegrp = window.liegrp || {});

  /* groups: [{ title, items: [{ text, what, key, colour, on, act, missing }] }]. `on` (of switches) says whether it is
   * on, `missing` why a button does nothing, '' if it does. */
  class Panel {
    constructor(opener, host, groups, changed) {
      this.opener = opener, this.host = host, this.changed = changed;
      this.items = [].concat(...groups.map((g) => g.items)), this.buttons = new Map();
      for (const g of groups) if (g.items.length > 0) host.append(this.group(g));
      opener.setAttribute('aria-expanded', 'false'), opener.setAttribute('aria-controls', host.id);
      opener.addEventListener('click', () => this.open(host.hidden));
      host.addEventListener('keydown', (e) => { if (e.key === 'Escape') this.open(false), opener.focus(), e.stopPropagation(); });
      document.addEventListener('fullscreenchange', () => this.refresh());
      this.refresh();
    }
    group(g) {
      const set = document.createElement('fieldset'), legend = document.createElement('legend');
      legend.textContent = g.title, set.append(legend);
      for (const item of g.items) {
        const b = document.createElement('button');
        b.type = 'button', b.textContent = item.text;
        b.setAttribute('aria-label', item.what);
        if (item.key) b.setAttribute('aria-keyshortcuts', item.key), b.dataset.key = item.key;
        if (item.colour) b.className = 'key', b.style.setProperty('--of', item.colour());
        b.addEventListener('click', () => this.act(item));
        this.buttons.set(item, b), set.append(b);
      }
      return set;
    }
    open(on) { this.host.hidden = !on, this.opener.setAttribute('aria-expanded', String(on)); }
    act(item) {
      if (item.missing && item.missing()) return;
      item.act(), this.refresh(), this.changed(item);
    }
    /* 1: a key was one of ours. */
    key(name) {
      const item = this.items.find((i) => i.key === name);
      if (item) this.act(item);
      return !!item;
    }
    refresh() {
      for (const [item, b] of this.buttons) {
        const missing = item.missing ? item.missing() : '';
        b.disabled = !!missing, b.title = (missing || item.what) + (item.key ? ' (' + item.key + ')' : '');
        if (item.on) b.setAttribute('aria-pressed', String(item.on()));
        if (item.colour) b.style.setProperty('--of', item.colour());
      }
    }
    help() { return this.items.filter((i) => i.key).map((i) => [i.key, i.what]); }
  }

  const KEYS = ['v', 'm', 'l', 'j'];
  /* The group of a scene's vectors. */
  Panel.arrows = (view) => ({
    title: 'Arrows',
    items: view.arrowsKnown().map((name) => ({
      text: name, what: 'Arrows: ' + name, key: KEYS[liegrp.arrowKinds.indexOf(name)],
      colour: () => liegrp.arrowColour(liegrp.arrowKinds.indexOf(name)), on: () => view.arrows.includes(name),
      act: () => { view.arrows = view.arrows.includes(name) ? view.arrows.filter((n) => n !== name) : [...view.arrows, name]; },
    })),
  });
  const flag = (view, name, text, key, what) => ({ text, what, key, on: () => view[name], act: () => { view[name] = !view[name]; } });
  const VIEWS = [['front', 'From the front, along y'], ['side', 'From the side, against x'], ['top', 'From above'],
    ['along', 'Along the x axis of the selected body']];
  Panel.cameras = (view) => ({
    title: 'Camera',
    items: VIEWS.map(([name, what], i) => ({ text: name, what, key: String(i + 1), act: () => view.face(name) }))
      .concat(flag(view, 'flat', 'orthographic', '5', 'Orthographic: parallel lines stay parallel')),
  });
  /* What else is in the picture; its frame is `stage`. */
  Panel.shows = (view, stage) => ({
    title: 'Picture',
    items: [flag(view, 'axes', 'axes', 'a', 'Axes of space in the corner'),
      { ...flag(view, 'scale', 'scale', 'g', 'Numbers on the ground'), missing: () => (view.square() > 0 ? '' : 'No ground that is at rest') },
      { text: 'full screen', what: 'Full screen', key: 'z', on: () => document.fullscreenElement === stage,
        missing: () => (document.fullscreenEnabled ? '' : 'This browser or frame does not allow full screen'),
        act: () => { (document.fullscreenElement ? document.exitFullscreen() : stage.requestFullscreen()).catch(() => {}); } }],
  });
  /* What the shown arrows mean, as elements. */
  Panel.legend = (view) => view.arrows.filter((name) => view.arrowsKnown().includes(name)).map((name) => {
    const kind = liegrp.arrowKinds.indexOf(name), e = document.createElement('span');
    e.className = 'key', e.style.setProperty('--of', liegrp.arrowColour(kind));
    e.textContent = name + ': 1 m is ' + liegrp.number(view.arrowScale(kind), 3) + ' ' + liegrp.arrowUnit(kind);
    return e;
  });
  liegrp.Panel = Panel;
})();
