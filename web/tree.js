/* SPDX-License-Identifier: BSD-3-Clause */
/* The bodies of a scene as a tree, each below the one that its joint is on: to select and to hide. README.md. */
(function () {
  'use strict';
  const liegrp = (window.liegrp = window.liegrp || {});
  const MOST = 2000;

  class Tree {
    constructor(host, view, scene, changed) {
      this.view = view, this.changed = changed, this.labels = [], this.boxes = [];
      const lists = new Map(), items = [], many = scene.bodies.length - MOST;
      const under = (b) => lists.get(b) || (lists.set(b, document.createElement('ul')), lists.get(b));
      scene.bodies.slice(0, MOST).forEach((name, b) => {
        items[b] = this.item(name, b);
        under(scene.parents && scene.parents[b] < MOST ? scene.parents[b] : -1).append(items[b]);
      });
      for (const [b, list] of lists) if (b >= 0) items[b].append(list);
      if (many > 0) under(-1).append(Object.assign(document.createElement('li'), { textContent: 'and ' + many + ' more' }));
      host.append(under(-1));
      this.refresh();
    }
    item(name, b) {
      const item = document.createElement('li'), box = document.createElement('input'), label = document.createElement('button');
      box.type = 'checkbox', box.title = 'Show ' + name, box.setAttribute('aria-label', 'Show ' + name);
      box.addEventListener('change', () => {
        this.view.hidden = box.checked ? this.view.hidden.filter((x) => x !== b) : [...this.view.hidden, b];
        this.changed();
      });
      label.type = 'button', label.textContent = name, label.title = 'Select ' + name;
      label.addEventListener('click', () => this.select(b));
      for (const [begin, end] of [['mouseenter', 'mouseleave'], ['focus', 'blur']])
        label.addEventListener(begin, () => this.view.mark(b)), label.addEventListener(end, () => this.view.mark(-1));
      this.labels[b] = label, this.boxes[b] = box;
      item.append(box, label);
      return item;
    }
    /* Selects a body; the selected one, or -1: none. */
    select(b) {
      this.view.selected = this.view.selected === b ? -1 : b;
      this.refresh(), this.changed();
    }
    refresh() {
      this.labels.forEach((l, b) => l.setAttribute('aria-pressed', String(this.view.selected === b)));
      this.boxes.forEach((x, b) => { x.checked = !this.view.hidden.includes(b); });
    }
  }
  liegrp.Tree = Tree;
})();
