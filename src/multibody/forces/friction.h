/* SPDX-License-Identifier: BSD-3-Clause */
/* Smooth Coulomb friction: Q = -T tanh(q'/v). With the damper of a drive it is viscous too. */
#ifndef LG_MULTIBODY_FORCES_FRICTION_H
#define LG_MULTIBODY_FORCES_FRICTION_H

static const char *const mb_friction_numbers[] = {"friction", "friction-speed", NULL};
enum { mb_friction_work = LG_WORK_FRICTION };

/* tanh x = a/(a + 2) with a = e^2x - 1, from that of 2x/256 by a <- a (a + 2); 1 beyond |x| = 20. Without branches and
 * calls: what does not read it does not compute it. */
KERNEL real mb_friction_tanh(real x)
{
    static const double terms[10] = {1.0,       1.0 / 2,    1.0 / 6,     1.0 / 24,     1.0 / 120,
                                     1.0 / 720, 1.0 / 5040, 1.0 / 40320, 1.0 / 362880, 1.0 / 3628800};
    const real size = magnitude(x), z = sel(size > 20.0, splat(20), size) * (2.0 / 256);
    real a = z * poly10(terms, z);
    for (int i = 0; i < 8; i++) a = a * (a + 2.0);
    a = a / (a + 2.0);
    return sel(x < 0.0, -a, a);
}

/* Newton's correction overshoots with the slope of tanh alone, and crawls with that of the chord from 0: their mean. */
KERNEL void mb_friction(mb_action *x, const mb_force *s)
{
    const double most = s->number[0], speed = s->number[1];
    const real v = x->rate / speed, t = mb_friction_tanh(v), chord = sel(magnitude(v) > 1e-6, t / v, splat(1));
    x->potential = x->mean = x->stiffness = splat(0);
    x->drag = x->u - most * t;
    x->damping = (most / speed) * (0.5 * ((1.0 - t * t) + chord));
}

#endif
