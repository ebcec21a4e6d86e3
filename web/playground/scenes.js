/* SPDX-License-Identifier: BSD-3-Clause */
/* Guided scenes. Each is a lesson: what to watch and until when, a question, its answer, and changes to try, which are
 * added to the link. tests/web/playground.py measures what the answers say. */
(function () {
  'use strict';
  window.liegrp = window.liegrp || {};
  window.liegrp.scenes = [
    {
      id: 'sleigh', title: 'The sleigh that turns back', link: 's=chaplygin-sleigh&m=gni&m2=sem&p.a=0.5&x=5&y=xi_1',
      watch: 'A sleigh on a blade ends up running straight, its centre of mass in front. Two methods compute it. Watch the ' +
        'velocity along the blade, xi_1, until t = 30 s.',
      question: 'One of the two sleighs turns back at t = 25 s. Does a real one?',
      answer: 'No. On the straight run the motion contracts, and there a parasitic mode of gni grows: the plot of ' +
        '|p⁻ − p̃| shows it grow a hundredfold before the sleigh turns. sem has no such mode, and keeps 1.269 m/s. With ' +
        'the centre of mass nearer to the blade the run contracts more slowly, and the mode needs twice the time; steps five ' +
        'times shorter only delay it, to t = 34 s.',
      tries: [['Centre of mass 0.2 m ahead', 'p.a=0.2'], ['Both, in steps of 0.02 s', 'h=0.02']],
    },
    {
      id: 'rattleback', title: 'The rattleback', link: 's=rattleback&m=sem&x=0.5&y=xi_6',
      watch: 'A celtic stone is spun about the vertical. Watch its spin, xi_6, and how it rocks, until t = 5 s.',
      question: 'The stone stops and turns the other way. Where did the energy of its spin go, and is the method to blame?',
      answer: 'Into rocking, and from there into the spin the other way: the axes of inertia are turned against those of ' +
        'the curved underside, so that rocking and spin exchange energy. The sum stays the same to the last digits, as the ' +
        'first plot shows. Spun the other way the stone reverses too, but only after 46 s.',
      tries: [['Spin it the other way', 'i.xi_6=1&x=5'], ['Axes that are not turned', 'p.I12=0']],
    },
    {
      id: 'turntable', title: 'The ball on a turntable',
      link: 's=turntable&m=sem&p.Omega0=1&p.amplitude=0&p.I1=1.2&p.I2=1.2&i.x=4&i.xi_1=0&i.xi_2=0&i.xi_3=0&i.xi_4=0&i.xi_5=0&x=2&y=x',
      watch: 'A ball rolls on a table that turns once in 6.28 s. Watch where it is, x, until t = 25 s.',
      question: 'The ball is not thrown off; it goes round in a circle. How many turns of the table does one round take?',
      answer: 'Three and a half: a homogeneous ball goes round with 2/7 of the angular velocity of the table, whatever its ' +
        'mass, size and start, here once in 22.0 s. A hollow ball takes two and a half. If the table turns now faster, ' +
        'now slower, the circle does not close.',
      tries: [['A hollow ball', 'p.I1=2&p.I2=2&p.I3=2'], ['A table that sways', 'p.amplitude=0.3']],
    },
    {
      id: 'disk', title: 'The falling disk', link: 's=rolling-disk&m=sem&y=z',
      watch: 'A coin of 1 m radius leans while it rolls. Watch the height of its centre, z, for some seconds.',
      question: 'Why does it not fall, and what changes when it rolls more slowly?',
      answer: 'It turns into its lean, as a cyclist does, and the point where it touches the ground draws loops. The slower ' +
        'it rolls, the deeper it sinks before it recovers: to 0.85 m at 4 m/s, to 0.50 m at 2 m/s, to 0.32 m at 1.5 m/s.',
      tries: [['2 m/s', 'i.xi_1=-2&i.xi_6=2'], ['1.5 m/s', 'i.xi_1=-1.5&i.xi_6=1.5']],
    },
    {
      id: 'bicycle', title: 'The bicycle that steers itself', link: 's=bicycle&m=sem&y=frame_wx',
      watch: 'A bicycle whose rider does nothing is knocked over at 4.6 m/s. Watch how fast it leans, frame_wx, until t = 10 s.',
      question: 'From which velocity on does it right itself?',
      answer: 'From 4.29 m/s on: it steers into its fall, and the swaying dies out. At 4.2 m/s the swaying grows instead. ' +
        'A bicycle needs neither gyroscopic wheels nor trail for this (Kooijman and others, Science, 2011); what counts is ' +
        'how lean and steer are coupled.',
      tries: [['4.2 m/s', 'i.frame_vx=4.2'], ['3.5 m/s', 'i.frame_vx=3.5']],
    },
    {
      id: 'cradle', title: 'Newton’s cradle', link: 's=cradle&m=sem&x=0.5&y=hinge5',
      watch: 'The first of five equal balls is raised and let go. Watch the last ball, hinge5, until t = 2 s.',
      question: 'How many balls leave on the other side if two are raised? What if the last ball has three times the mass?',
      answer: 'Two, to the same height: one ball with twice the velocity would have the momentum of both, but twice the ' +
        'energy. A last ball of three times the mass leaves with half the angle, and the first one is thrown back. Each ' +
        'blow is solved for all contacts together, and the energy stays the same to the last digits.',
      tries: [['Two balls', 'i.hinge2=0.5'], ['Three balls', 'i.hinge2=0.5&i.hinge3=0.5'], ['A last ball of 1.5 kg', 'p.ball5.mass=1.5']],
    },
    {
      id: 'tippe-top', title: 'The top that turns over', link: 's=tippe-top&m=sem&x=0.5&y=top_z',
      watch: 'A top whose centre of mass lies below the middle of its sphere is spun on ground with friction. Watch the ' +
        'height of its centre of mass, top_z, until t = 7 s.',
      question: 'The centre of mass rises by 12 mm. What lifts it: has the top gained energy?',
      answer: 'No: its energy falls from 41 to 16 mJ. Friction where it slides takes energy and angular momentum from the ' +
        'spin, which goes from 154 to 83 rad/s, and turns the axis over. Below a certain spin there is too little to take: ' +
        'at 60 rad/s the top stops on its way.',
      tries: [['Spun at 80 rad/s', 'i.top_wz=80&i.top_wx=8'], ['Spun at 60 rad/s', 'i.top_wz=60&i.top_wx=6']],
    },
    {
      id: 'robot', title: 'The robot you steer', link: 's=two-wheeled-robot&m=sem&x=5&y=xi_3',
      watch: 'Two motors turn the wheels of a robot, the right one more strongly; friction limits its speed. Watch it settle ' +
        'on a circle until t = 40 s, then move the sliders of the motors.',
      question: 'The circle has a radius of 3.0 m. The centre of mass lies 0.05 m ahead of the axle: does the circle become ' +
        'larger or smaller if it lies on the axle?',
      answer: 'Smaller: 1 m. A mass ahead of the axle wants to go straight on and resists the turn; 0.1 m ahead the radius ' +
        'is 5.0 m. The difference of the torques turns the robot, their sum drives it: with one forwards and one backwards ' +
        'it turns nearly on the spot.',
      tries: [['Mass on the axle', 'p.a=0'], ['Mass 0.1 m ahead', 'p.a=0.1'], ['Turn on the spot', 'u.u_1=-0.25&u.u_2=0']],
    },
  ];
})();
