/* SPDX-License-Identifier: BSD-3-Clause */
/* Guided scenes: a link each, and what to look at. */
(function () {
  'use strict';
  window.liegrp = window.liegrp || {};
  window.liegrp.scenes = [
    {
      id: 'sleigh', title: 'The sleigh that turns back', link: 's=chaplygin-sleigh&m=gni&m2=sem&p.a=0.5&x=5&y=xi_1',
      text: 'A sleigh on a blade ends up running straight, its centre of mass in front, and under sem it does. Under gni a ' +
        'parasitic mode grows on the straight run, the sleigh begins to rattle and turns back: there is no such motion.',
    },
    {
      id: 'rattleback', title: 'The rattleback', link: 's=rattleback&m=sem&x=0.5&y=xi_6',
      text: 'Spun the wrong way round, a celtic stone begins to rattle, stops, and turns the other way. The step keeps its ' +
        'energy to the last digits while it does so: it is the stone that reverses, not the method.',
    },
    {
      id: 'turntable', title: 'The ball on a turntable', link: 's=turntable&m=sem&p.Omega0=1&p.amplitude=0.05&i.x=4&i.xi_1=0&i.xi_2=0&i.xi_3=0&i.xi_4=0&i.xi_5=0&x=2&y=x',
      text: 'A ball that rolls on a turning table is not thrown off: it goes round in a circle, much slower than the table. ' +
        'This table turns now faster, now slower, and so the circle does not quite close.',
    },
    {
      id: 'disk', title: 'The falling disk', link: 's=rolling-disk&m=sem&y=z',
      text: 'A coin that leans while it rolls does not fall: it turns into its lean, and the point where it touches the ' +
        'ground draws loops. Take velocity from it, in the initial data, and see when it comes close to the ground.',
    },
    {
      id: 'bicycle', title: 'The bicycle that rides alone', link: 's=bicycle&m=sem&y=frame_wx',
      text: 'Knocked over at 4.6 m/s, a bicycle with nobody on it steers into its fall and rights itself. Below ' +
        '4.3 m/s its swaying grows instead: give the frame another velocity in the initial data.',
    },
  ];
})();
