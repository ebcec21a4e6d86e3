/* SPDX-License-Identifier: BSD-3-Clause */
/* Steps of a motion with contacts. What comes down faster than the capture speed ends a step: a part of it is found
 * after which the first of them touches, an impact follows, and the rest of the step. */
#include "multibody/contact/landing.h"
#include "multibody/contact/sweeps.h"

#include <math.h>
#include <string.h>

enum { MB_SEARCH_MOST = 60, MB_HALVINGS = 20 };

/* A rest of the step that is shorter than this of it is round-off of its parts: no step is so short. */
#define MB_NOTHING 1e-12

/* 1: it was open at the beginning of the step, and may land. */
static int is_open(const mb_sparse *mo, int i)
{
    const mb_contacts *c = mo->numbers.contacts;
    return c->contact[i].kind != MB_CONTACT_DRY && !c->rests[i] &&
           !mb_is_closed(mo->numbers.plan, &c->contact[i], c->gap0[i]);
}

/* A gap so small that the impact need not wait. */
static int is_nearly_closed(const mb_sparse *mo, double gap)
{
    return gap <= 1e-11 * mo->numbers.plan->reach;
}

/* The least gap, of what was open, after a part h of the step in which only what is closed acts; NaN: there is no such
 * step. The state stays. */
static double gap_after(mb_sparse *mo, double h)
{
    mb_motion *n = &mo->numbers;
    mb_contacts *c = n->contacts;
    const double known = n->history[0].known, theta = n->history[0].theta;
    double least = INFINITY;
    n->t = mo->t;
    c->landing = 1;
    const int failed = mb_step(n, h, 0);
    c->landing = 0;
    if (failed) return NAN;
    n->now ^= 1;
    mb_unremember(&n->history[0], known, theta);
    for (int i = 0; i < c->count; i++)
        if (is_open(mo, i)) least = fmin(least, c->gap[i]);
    return least;
}

/* When the first gap closes that is c->gap after h, by the parabolas through their beginnings; h: none does. */
static double foresee(mb_sparse *mo, double h)
{
    mb_motion *n = &mo->numbers;
    const mb_contacts *c = n->contacts;
    double first = h;
    for (int i = 0; i < c->count; i++) {
        if (!is_open(mo, i) || c->gap[i] >= 0) continue;
        const double rate = mb_contact_rate(n, &c->contact[i], &n->node[n->now]);
        const double bend = (c->gap[i] - c->gap0[i] - rate * h) / (h * h), root = rate * rate - 4 * bend * c->gap0[i];
        const double s = root >= 0 ? 2 * c->gap0[i] / (sqrt(root) - rate) : h;
        if (s > 0 && s < first) first = s;
    }
    return first;
}

/* The part of a step of h after which the first gap closes: where parabolas foresee it, then by regula falsi
 * (Illinois); h: none does. */
static double find_landing(mb_sparse *mo, double h)
{
    const mb_contacts *c = mo->numbers.contacts;
    const double exact = 4e-16 * mo->numbers.plan->reach;
    double lo = 0, hi = h, f = INFINITY, g = gap_after(mo, h);
    for (int i = 0; i < c->count; i++)
        if (is_open(mo, i)) f = fmin(f, c->gap0[i]);
    if (!(g < 0)) return h;
    double best = h, miss = fabs(g), s = foresee(mo, h);
    int side = 0; /* of the last trial: 1: beyond the landing, -1: before it */
    double above = 0, room = INFINITY; /* the longest part found that overlaps nothing, and its gap */
    for (int i = 0; i < MB_SEARCH_MOST && miss > exact && hi - lo > 1e-16 * h; i++) {
        if (i > 0) s = lo + (hi - lo) * f / (f - g);
        if (!(s > lo && s < hi)) s = 0.5 * (lo + hi);
        const double at = gap_after(mo, s);
        if (isnan(at)) return 0.5 * s;
        if (fabs(at) < miss) miss = fabs(at), best = s;
        if (at >= 0 && at < room) room = at, above = s;
        if (at > 0)
            g *= side < 0 ? 0.5 : 1, lo = s, f = at, side = -1;
        else
            f *= side > 0 ? 0.5 : 1, hi = s, g = at, side = 1;
    }
    return is_nearly_closed(mo, room) ? above : best;
}

/* The impulses of a part of the step count in the mean forces. */
static void take_forces(mb_sparse *mo)
{
    mb_contacts *c = mo->numbers.contacts;
    for (int i = 0; i < 3 * c->count; i++) c->force[i] += c->push[i] / mo->whole;
}

/* An impact at the present node; its works and reactions count. */
static lg_status strike(mb_sparse *mo)
{
    mb_motion *n = &mo->numbers;
    mb_contacts *c = n->contacts;
    c->effort = MB_NCP_WHOLE;
    if (mb_contacts_strike(n, &n->node[n->now], mo->whole))
        return lg_fail(&mo->head.error, LG_ERROR_CONVERGENCE,
                       "lg_motion_step: t = %.10g: the impulses of an impact of %d contacts were not found", mo->t,
                       c->acting);
    if (!c->struck) return LG_OK;
    double sum = 0;
    for (int i = 0; i < LG_WORKS; i++) sum += c->work[i];
    mb_add_works(mo, sum, c->work, mb_kind_at(n->plan, 0), LG_WORKS);
    for (int i = 0; i < n->plan->rows; i++) n->owed[i] += c->node[i];
    take_forces(mo);
    mb_forget(mo);
    return mb_tell_impact(mo);
}

/* A part of the step, h long at most: *done says how long. */
static lg_status part(mb_sparse *mo, double h, double *done, int events)
{
    mb_contacts *c = mo->numbers.contacts;
    mb_save(mo, &mo->saved[3]);
    lg_status st = mb_advance_part(mo, h);
    *done = h;
    if (st != LG_OK || !c->landed || !c->localise || events >= c->events_most) return st;
    mb_restore(mo, &mo->saved[3]);
    const double s = find_landing(mo, h);
    c->landing = s < h;
    st = mb_advance_part(mo, s);
    c->landing = 0;
    *done = s;
    return st;
}

lg_status mb_contacts_advance(mb_sparse *mo, double h)
{
    mb_contacts *c = mo->numbers.contacts;
    const double least = ldexp(h, -MB_HALVINGS);
    double made = 0, length = h;
    lg_status st = LG_OK;
    c->whole = h;
    memset(c->force, 0, 3 * sz(c->count) * sizeof *c->force);
    mb_reactions_begin(&mo->numbers, 1);
    for (int events = 0; made < h && st == LG_OK;) {
        double done = 0;
        st = events < c->events_most ? strike(mo) : LG_OK;
        events += c->struck;
        if (st != LG_OK) break;
        length = fmin(length, h - made);
        c->effort = length < h && length <= 2 * least ? MB_NCP_WHOLE : MB_NCP_QUICK; /* else a part is halved */
        st = part(mo, length, &done, events);
        if (st == LG_OK) {
            take_forces(mo);
            made += done;
            if (h - made < MB_NOTHING * h) made = h;
            length = 2 * length;
        } else if ((st == LG_ERROR_CONVERGENCE || st == LG_ERROR_SINGULAR) && 0.5 * length >= least) {
            length *= 0.5, st = LG_OK;
        }
    }
    return st;
}
