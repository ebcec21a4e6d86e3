/* SPDX-License-Identifier: BSD-3-Clause */
/* search.js SITE: what a person types into the search of the manual's site leads, within three hits, to the page that
 * answers. The site's own search runs here, without a browser. */
'use strict';
const fs = require('fs'), vm = require('vm');

const WANTED = {
  install: 'questions', pip: 'python', licence: 'questions', URDF: 'mechanisms', friction: 'contact', gimbal: 'groups',
  quaternion: 'conventions', wheel: 'mechanisms', slip: 'contact', gait: 'command-line', parameter: 'conventions',
  checkpoint: 'command-line', 'energy drift': 'questions', 'step size': 'questions', Cayley: 'groups', order: 'methods',
  event: 'contact', torque: 'mechanisms', mass: 'mechanisms', gradient: 'methods',
};
const SHOW = '_displayNextItem(results, results.length, searchTerms, highlightTerms)';

/* The search, with as much of a browser as it touches; `found` gets the hits, the best one last. */
function load(site) {
  const nothing = () => {};
  const element = () => ({ appendChild: nothing, removeChild: nothing, querySelectorAll: () => [], classList: { add: nothing } });
  const world = vm.createContext({
    console, URLSearchParams, setTimeout: nothing, _: (text) => text, SPHINX_HIGHLIGHT_ENABLED: false,
    DOCUMENTATION_OPTIONS: {}, localStorage: { setItem: nothing }, window: { location: { search: '' } },
    document: { readyState: '', addEventListener: nothing, getElementById: element, createElement: element },
  });
  const read = (name) => fs.readFileSync(`${site}/${name}`, 'utf8');
  const tools = read('_static/searchtools.js').replace('_ready(Search.init);', '');
  if (!tools.includes(SHOW)) throw new Error('this version of Sphinx shows its hits in another way');
  vm.runInContext(read('_static/language_data.js'), world);
  vm.runInContext(`${tools.replace(SHOW, 'globalThis.found = results.slice()')}\nglobalThis.Search = Search;`, world);
  vm.runInContext(read('searchindex.js'), world);
  return world;
}

const world = load(process.argv[2]);
let errors = 0;
for (const [words, page] of Object.entries(WANTED)) {
  vm.runInContext(`Search.query(${JSON.stringify(words)})`, world);
  const first = world.found.reverse().slice(0, 3).map((hit) => hit[0] + hit[2]);
  if (!first.some((hit) => hit.split('#')[0] === page)) {
    errors++;
    console.log(`"${words}" leads to ${first.join(', ') || 'nothing'} and not to ${page}`);
  }
}
console.log(`${Object.keys(WANTED).length} searches, ${errors} errors`);
process.exit(errors > 0 ? 1 : 0);
