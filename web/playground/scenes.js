/* SPDX-License-Identifier: BSD-3-Clause */
/* Guided scenes: a link each, and what to look at. */
(function () {
  'use strict';
  window.liegrp = window.liegrp || {};
  window.liegrp.scenes = [
    {
      id: 'sleigh', title: 'The sleigh that turns back', link: 's=chaplygin-sleigh&m=gni&m2=sem&x=2&y=xi_1',
      text: 'A sleigh on a blade always ends up running straight, its mass centre in front. The reflection of gni excites a ' +
        'parasitic mode that grows until the sleigh rattles and turns back; the shared multipliers of sem have no such mode.',
    },
    {
      id: 'rattleback', title: 'The rattleback', link: 's=rattleback&m=sem',
      text: 'Spun the wrong way, a celtic stone begins to rattle, stops and turns the other way round. Energy and rolling ' +
        'are exact at every step, so what you see is the stone and not the method.',
    },
    {
      id: 'turntable', title: 'The ball on a turntable', link: 's=turntable&m=sem',
      text: 'A ball that rolls on a turning table does not fly off: it goes in circles. Its table here turns faster and ' +
        'slower with time, and friction at the contact does all that you see.',
    },
    {
      id: 'disk', title: 'The falling disk', link: 's=rolling-disk&m=sem',
      text: 'A coin that rolls and leans: the point where it touches the table draws loops. Tilt it, spin it, and see when ' +
        'it stays upright.',
    },
    {
      id: 'bicycle', title: 'The bicycle that rides alone', link: 's=bicycle&m=sem',
      text: 'Pushed to the side at 4.6 m/s, the benchmark bicycle steers into the fall and rights itself, with nobody on it. ' +
        'Slower than 4.3 m/s it falls: change the velocity of its frame.',
    },
  ];
})();
