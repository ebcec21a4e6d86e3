/* SPDX-License-Identifier: BSD-3-Clause */
/* The part of a step after which the first margin is zero, by repeating it: collocation has its order at the end of a
 * part, and half of it inside. Stages tell about where; then secants through the ends of trials. */
#include "multibody/contact/events/events.h"

#include "multibody/collocation.h"

#include <math.h>

enum { SEARCH_MOST = 60 };

/* Parts that differ by less than this of themselves are the same. */
#define SEARCH_SAME 4e-16
/* A margin of this is found, of what is nothing but for rounding. */
#define SEARCH_NEAR 0.1

/* What is known of where a part ends. */
typedef struct search_state {
    double low, high;    /* no margin is below zero after the first, one is after the second */
    double s, value;     /* of the last trial that ended at a value of the margin that is looked for */
    double best, best_s; /* the smallest of these */
    int known;           /* 1: s and value are */
} search_state;

/* A part s of the step, with its margins; 0: there is none. The state stays. The first one begins from the rates of the
 * part that was too long. */
static int search_try(mb_sparse *mo, double s, mb_hit *hit, int again)
{
    mb_motion *m = &mo->numbers;
    mb_collocation *o = m->collocation;
    const mb_guide guide = {again ? o->rates : o->memory, o->events->searched, 0};
    mb_node *to = &m->node[m->now ^ 1];
    m->t = o->t = mo->t;
    m->stray.kind = MB_STRAY_NONE;
    if (!mb_collocate(m, &m->node[m->now], to, s, &guide)) return 0;
    o->events->searched = s;
    if (!mb_events_arrive(mo, to, mo->t + s)) return 0;
    *hit = mb_events_look(mo, s);
    return 1;
}

/* The next trial after one of s, whose margin ends at value: by the line through the last two ends, or where stages saw
 * the margin pass zero. */
static double search_next(search_state *q, double s, double value, const mb_hit *hit, double slope)
{
    double next = 0.5 * (q->low + q->high);
    if (hit->contact >= 0 && !hit->at_end && hit->before > hit->value)
        next = hit->before_s + (hit->s - hit->before_s) * (hit->before / (hit->before - hit->value));
    else if (q->known && q->value != value)
        next = s - value * (s - q->s) / (value - q->value);
    else if (slope < 0)
        next = s - value / slope;
    if (fabs(value) < q->best) q->best = fabs(value), q->best_s = s;
    q->s = s, q->value = value, q->known = hit->contact < 0 || hit->at_end;
    return next > q->low && next < q->high ? next : 0.5 * (q->low + q->high);
}

/* The rate of a margin at the end of a trial of s, from its last stage; 0: unknown. */
static double search_slope(const mb_sparse *mo, const mb_hit *of, double s)
{
    const mb_events *E = mo->numbers.collocation->events;
    const double *c = mo->numbers.collocation->tableau.c;
    double d[2] = {E->heading[2 * of->contact], E->heading[2 * of->contact + 1]}, stage[MB_MARGINS];
    mb_event_margins(E, E->stages - 1, of->contact, d, stage);
    return (E->last[MB_MARGINS * of->contact + of->margin] - stage[of->margin]) / (s - c[E->stages - 1] * s);
}

double mb_events_search(mb_sparse *mo, double length, mb_hit *hit)
{
    mb_motion *m = &mo->numbers;
    mb_events *E = m->collocation->events;
    search_state q = {.high = length, .best = INFINITY};
    mb_hit of = *hit;
    double s = search_next(&q, length, of.value, &of, 0);
    q.known = of.at_end, q.best = INFINITY, E->searched = length;
    for (int i = 0, tried = 0; i < SEARCH_MOST; i++) {
        mb_hit now;
        if (!search_try(mo, s, &now, tried)) {
            if (mb_events_failed(mo)) return 0;
            q.high = s, q.known = tried = 0, s = 0.5 * (q.low + q.high);
            continue;
        }
        tried = 1;
        if (now.contact >= 0 && (now.contact != of.contact || now.margin != of.margin))
            of = now, q.known = 0, q.best = INFINITY;
        const double value = E->last[MB_MARGINS * of.contact + of.margin];
        const double nothing = mb_event_nothing(mo, of.contact, of.margin);
        const int ends = now.contact < 0 || now.at_end;
        *(now.contact < 0 ? &q.low : &q.high) = s;
        *hit = of;
        if (ends && (fabs(value) <= SEARCH_NEAR * nothing || q.high - q.low <= SEARCH_SAME * length)) return s;
        s = search_next(&q, s, value, &now, search_slope(mo, &of, s));
    }
    return q.best < INFINITY ? q.best_s : 0;
}
