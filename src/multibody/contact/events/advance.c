/* SPDX-License-Identifier: BSD-3-Clause */
/* A step of gauss with contacts, in parts between events:
 *
 *   choose   impacts and landings at the node, then the modes               modes.c
 *   part     collocation with these modes, as far as the step goes          collocation.c, stage.c, settle.c
 *   look     is a margin below zero at a stage or at the end?               margins.c
 *   search   if so: the part after which the first margin is zero           search.c
 *   ask      what the event ends                                            modes.c */
#include "multibody/contact/events/events.h"

#include "multibody/collocation.h"
#include "multibody/contact/landing.h"
#include "multibody/parts/part.h"

#include <math.h>
#include <string.h>

enum { ADVANCE_HALVINGS = 20, ADVANCE_PARTS = 400 };

/* A rest of the step that is shorter than this of it is round-off of its parts. */
#define ADVANCE_NOTHING 1e-12

/* Of a slip that ends: the share of what is left that a part makes, or so much more than all of it; below this speed,
 * of the fastest, it ends with its part, or below the next one, where it rests, if that part fails; and a turn by less
 * is none, in rad. */
#define ADVANCE_SHARE    0.75
#define ADVANCE_OVER     1.02
#define ADVANCE_SLOW     1e-6
#define ADVANCE_SLOWEST  1e-10
#define ADVANCE_STRAIGHT 1e-11

/* A face that is tilted by less is nearly flat, in rad. */
#define ADVANCE_FLAT 0.02

static lg_status advance_lost(mb_sparse *mo, double h)
{
    return lg_fail(&mo->head.error, LG_ERROR_CONVERGENCE,
                   "lg_motion_step: t = %.10g: an event of a contact in a step of h = %g was not found; take a smaller "
                   "step, or sem",
                   mo->t, h);
}

/* Of the rims that touch a plane the one whose face is nearest to lying on it, with its tilt in rad; -1: none. */
static int advance_flattest(const mb_sparse *mo, double *tilt)
{
    const mb_contacts *c = mo->numbers.contacts;
    const mb_events *E = mo->numbers.collocation->events;
    const mb_pose *pose = mb_now(mo)->pose;
    int flattest = -1;
    for (int i = 0; i < E->count; i++) {
        const mb_contact *k = &c->contact[i];
        double axis[3], normal[3], x[3];
        if (k->face <= 0 || E->mode[i] == MB_EVENT_OPEN) continue;
        mb_axis(normal, pose[k->body[0]].R, k->frame[0], 2), mb_axis(axis, pose[k->body[1]].R, k->frame[1], 2);
        small_cross(x, axis, normal);
        const double own = sqrt(small_dot(3, x, x));
        if (flattest < 0 || own < *tilt) flattest = i, *tilt = own;
    }
    return flattest;
}

static lg_status advance_parts(mb_sparse *mo, double h)
{
    double tilt = 1;
    const int i = advance_flattest(mo, &tilt);
    if (i < 0 || tilt > ADVANCE_FLAT)
        return lg_fail(&mo->head.error, LG_ERROR_CONVERGENCE,
                       "lg_motion_step: t = %.10g: a step of h = %g with contacts has more than %d parts: some of them "
                       "change too fast; take a smaller step, or sem",
                       mo->t, h, ADVANCE_PARTS);
    const mb_contact *k = &mo->numbers.contacts->contact[i];
    return lg_fail(&mo->head.error, LG_ERROR_CONVERGENCE,
                   "lg_motion_step: t = %.10g: a step of h = %g with contacts has more than %d parts: a face of "
                   "'%.60s' is tilted by %.2g rad on '%.60s', and its lowest point runs around its rim faster than "
                   "steps of gauss follow; take sem, which sets such a face down, or a hull of points on the rim",
                   mo->t, h, ADVANCE_PARTS, mb_contact_side(mo->mechanism, k, 1), tilt,
                   mb_contact_side(mo->mechanism, k, 0));
}

static lg_status advance_crowd(mb_sparse *mo, double h)
{
    return lg_fail(&mo->head.error, LG_ERROR_CONVERGENCE,
                   "lg_motion_step: t = %.10g: a step of h = %g has more than %d impacts and other events of contacts; "
                   "take a smaller step, a greater capture speed, or allow more events",
                   mo->t, h, mo->numbers.contacts->events_most);
}

/* The mean forces of the step gain those of a part. */
static void advance_take(mb_sparse *mo)
{
    mb_contacts *c = mo->numbers.contacts;
    for (int i = 0; i < 3 * c->count; i++) c->force[i] += c->push[i] / mo->whole;
}

/* Where a slip ends, u = 0, its direction turns like a power of the time that is left, u/|u| = d + c (t_1 - t)^k,
 * whatever k: no polynomial follows it but on parts that shrink with what is left. 1: the slip of contact i is still
 * fast, and not known to be straight. */
static int advance_curves(const mb_sparse *mo, int i)
{
    const mb_events *E = mo->numbers.collocation->events;
    if (E->mode[i] != MB_EVENT_SLIDES || mo->numbers.contacts->contact[i].rows != 3) return 0;
    return !E->straight[i] && E->first[MB_MARGINS * i + MB_MARGIN_TANGENT] > E->slow * E->speed;
}

/* The length of a part that begins, `length` at most: a share of the slip that is the first to end, or a little more
 * than the rest of it. */
static double advance_length(const mb_sparse *mo, double length)
{
    const mb_events *E = mo->numbers.collocation->events;
    int first = -1;
    for (int i = 0; i < E->count; i++) {
        if (!(E->fall[i] > 0)) continue;
        const double left = E->first[MB_MARGINS * i + MB_MARGIN_TANGENT] / E->fall[i];
        if (left > 0 && ADVANCE_OVER * left < length) length = ADVANCE_OVER * left, first = i;
    }
    return first >= 0 && advance_curves(mo, first) ? ADVANCE_SHARE / ADVANCE_OVER * length : length;
}

/* 1: a part of this length has failed that goes to the end of a slip which is slow, but turns: it becomes slower. */
static int advance_slower(mb_sparse *mo, double length)
{
    mb_events *E = mo->numbers.collocation->events;
    for (int i = 0; i < E->count && E->slow > ADVANCE_SLOWEST; i++)
        if (E->fall[i] > 0 && E->first[MB_MARGINS * i + MB_MARGIN_TANGENT] <= E->fall[i] * length) {
            E->slow = ADVANCE_SLOWEST;
            return 1;
        }
    return 0;
}

/* Which slips were straight in a part. */
static void advance_straight(mb_sparse *mo)
{
    mb_events *E = mo->numbers.collocation->events;
    for (int i = 0; i < E->count; i++) {
        const double *d = E->direction + 2 * i;
        double most = 0;
        for (int s = 0; s < E->stages; s++) {
            const double *to = E->turned + 2 * (s * E->count + i);
            most = fmax(most, fabs(d[0] * to[1] - d[1] * to[0]));
        }
        E->straight[i] = most <= ADVANCE_STRAIGHT;
    }
}

/* A part *length of the step, or up to the first event in it; *hit is that, or has no contact. */
static lg_status advance_part(mb_sparse *mo, double *length, mb_hit *hit)
{
    mb_motion *m = &mo->numbers;
    hit->contact = -1;
    mb_save(mo, &mo->saved[3]);
    lg_status st = mb_advance_part(mo, *length);
    if (st != LG_OK) return st;
    if (!mb_events_arrive(mo, &m->node[m->now], mo->t)) return mb_explain(mo, *length);
    advance_straight(mo);
    *hit = mb_events_look(mo, *length);
    if (hit->contact < 0) return LG_OK;
    const double whole = *length;
    mb_restore(mo, &mo->saved[3]);
    if (hit->margin == MB_MARGIN_TANGENT && advance_curves(mo, hit->contact))
        *length = ADVANCE_SHARE * mb_event_foreseen(hit), hit->contact = -1;
    else
        *length = mb_events_search(mo, whole, hit);
    if (!(*length > 0)) return mb_events_failed(mo) ? mb_explain(mo, whole) : advance_lost(mo, whole);
    st = mb_advance_part(mo, *length);
    if (st == LG_OK && !mb_events_arrive(mo, &m->node[m->now], mo->t)) return mb_explain(mo, *length);
    if (st == LG_OK) advance_straight(mo);
    return st;
}

/* What follows a part with an event, if it has one: its mode ends. */
static void advance_ask(mb_sparse *mo, const mb_hit *hit, int *events)
{
    const mb_events *E = mo->numbers.collocation->events;
    if (hit->contact < 0) return;
    *events += E->mode[hit->contact] != MB_EVENT_OPEN; /* an impact counts itself */
    mb_events_ask(mo, hit);
    mb_forget(mo);
}

lg_status mb_events_advance(mb_sparse *mo, double h)
{
    mb_contacts *c = mo->numbers.contacts;
    mb_events *E = mo->numbers.collocation->events;
    const double least = ldexp(h, -ADVANCE_HALVINGS);
    double made = 0, length = h;
    int events = 0, halved = 0, parts = 0;
    c->whole = h, E->speed = h * sqrt(small_dot(3, mo->plan.gravity, mo->plan.gravity));
    memset(c->force, 0, 3 * sz(c->count) * sizeof *c->force);
    for (int i = 0; i < E->count; i++) E->asked[i] = -1, E->straight[i] = 0;
    E->slow = ADVANCE_SLOW;
    mb_reactions_begin(&mo->numbers, 1);
    while (made < h) {
        mb_hit hit;
        if (++parts > ADVANCE_PARTS) return advance_parts(mo, h);
        lg_status st = mb_events_choose(mo, &events);
        if (st != LG_OK) return st;
        if (events > c->events_most) return advance_crowd(mo, h);
        double part = length = advance_length(mo, fmin(length, h - made));
        st = advance_part(mo, &part, &hit);
        if (st != LG_OK && mo->t != mo->saved[3].t) mb_restore(mo, &mo->saved[3]);
        if (st == LG_ERROR_CONVERGENCE && advance_slower(mo, length)) continue;
        if ((st == LG_ERROR_CONVERGENCE || st == LG_ERROR_SINGULAR) && 0.5 * length >= least) {
            length *= 0.5, halved = 1;
            continue;
        }
        if (st != LG_OK) return st;
        advance_take(mo);
        made += part, length = halved ? 2 * length : h, halved = 0;
        if (h - made < ADVANCE_NOTHING * h) made = h;
        advance_ask(mo, &hit, &events);
    }
    return LG_OK;
}

/* ---- what has events ---- */

lg_status mb_events_take(mb_sparse *mo, const lg_mechanism *m, const char *method)
{
    lg_error *e = &mo->head.error;
    for (int i = 0; i < m->plan.contacts; i++) {
        const mb_contact *k = &m->plan.contact[i];
        if (k->kind <= MB_CONTACT_SPHERES && k->room == 0 && !(k->along < 1 && k->kind > MB_CONTACT_DRY)) continue;
        return lg_fail(e, LG_ERROR_UNSUPPORTED,
                       "lg_motion_create: '%.60s' finds no events of surfaces '%.60s' and '%.60s', which %s; use sem",
                       method, mb_contact_side(m, k, 0), mb_contact_side(m, k, 1),
                       k->along < 1 ? "have another friction along their heading"
                                    : "touch at edges and corners of both, or are both round");
    }
    if (m->plan.contacts <= MB_EVENT_CONTACTS) return LG_OK;
    return lg_fail(e, LG_ERROR_UNSUPPORTED,
                   "lg_motion_create: '%.60s' finds events of at most %d contacts and the mechanism has %d; use sem",
                   method, MB_EVENT_CONTACTS, m->plan.contacts);
}
