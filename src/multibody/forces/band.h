/* SPDX-License-Identifier: BSD-3-Clause */
/* Spring that is slack between two lengths, with a damper: V = k/2 e^2, where e is by how much the length is beyond
 * them. */
#ifndef LG_MULTIBODY_FORCES_BAND_H
#define LG_MULTIBODY_FORCES_BAND_H

static const char *const mb_band_numbers[] = {"band-stiffness", "band-damping", "band-lower", "band-upper", NULL};
enum { mb_band_work = LG_WORK_DAMPERS };

KERNEL real mb_band_beyond(const mb_force *s, real q)
{
    const double lower = s->number[2], upper = s->number[3];
    return sel(q > upper, q - upper, sel(q < lower, q - lower, splat(0)));
}

/* -(V1 - V0)/(q1 - q0) = -k (e0 + e1)/2 times the slope of the chord of e, which is 1 where both ends are beyond the
 * same length. */
KERNEL void mb_band(mb_action *x, const mb_force *s)
{
    const double k = s->number[0], c = s->number[1], lower = s->number[2], upper = s->number[3];
    const real e0 = mb_band_beyond(s, x->q0), e1 = mb_band_beyond(s, x->q1), apart = x->q1 - x->q0;
    const real least = sel(x->q0 < x->q1, x->q0, x->q1), most = sel(x->q0 < x->q1, x->q1, x->q0);
    const real chord = sel(apart == 0.0, splat(0), (e1 - e0) / sel(apart == 0.0, splat(1), apart));
    const real slope = sel(either(least >= upper, most <= lower), splat(1), chord);
    x->potential = 0.5 * k * (e1 * e1);
    x->mean = -k * (0.5 * (e0 + e1)) * slope;
    x->stiffness = k * slope;
    x->drag = x->u - c * x->rate;
    x->damping = splat(c);
}

#endif
