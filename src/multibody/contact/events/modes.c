/* SPDX-License-Identifier: BSD-3-Clause */
/* Which modes begin at a node, after impacts and landings there: of what is closed and does not separate, those of the
 * accelerations a,
 *
 *   0 <= lambda_n, a_n >= 0 and one of them 0;    what rests sticks, or |lambda_t| = mu lambda_n opposite to a_t;
 *   what slips: lambda_t = -mu lambda_n u_t/|u_t|,
 *
 * which is a problem of solver/, since a slip is an acceleration that is very fast. */
#include "multibody/contact/events/events.h"

#include "groups/rotation.h"
#include "multibody/collocation.h"
#include "multibody/contact/landing.h"
#include "multibody/reactions.h"
#include "multibody/sound.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* Gaps below this, of the reach, are those of an event. */
#define MODES_TOUCHES 1e-12
/* What separates faster than this, of the capture speed, is open. */
#define MODES_LEAVES 1e-3
/* Normal velocities below this of it are rounding. */
#define MODES_ROUNDED 1e-9
/* What slips slower than this, of the fastest, and of the reach in 1/s, rests. */
#define MODES_RESTS 1e-10, 1e-12
/* Accelerations below this of all are none. */
#define MODES_STILL 1e-7
/* How much faster than all accelerations a slip is. */
#define MODES_FAST 1e4
/* A margin that is zero with an event, of what is nothing. */
#define MODES_ALSO 1e3

static lg_status modes_refuse(mb_sparse *mo, const char *what)
{
    if (mb_events_failed(mo)) return mb_explain(mo, 0);
    return lg_fail(&mo->head.error, LG_ERROR_CONVERGENCE, "lg_motion_step: t = %.10g: %s; take a smaller step, or sem",
                   mo->t, what);
}

static mb_node *modes_node(mb_sparse *mo)
{
    return &mo->numbers.node[mo->numbers.now];
}

/* ---- impacts ---- */

/* 1: something touches and approaches faster than the capture speed. */
static int modes_strikes(mb_sparse *mo)
{
    const mb_contacts *c = mo->numbers.contacts;
    const mb_node *n = modes_node(mo);
    for (int i = 0; i < c->count; i++) {
        const mb_contact *k = &c->contact[i];
        if (k->kind == MB_CONTACT_DRY || mb_contact_rests(k, n)) continue;
        if (mb_contact_gap(&mo->plan, k, n) > MODES_TOUCHES * mo->plan.reach) continue;
        if (mb_contact_rate(&mo->numbers, k, n) < -c->capture) return 1;
    }
    return 0;
}

/* What joints hold in an impact counts in their mean forces. */
static void modes_owe(mb_sparse *mo)
{
    mb_motion *m = &mo->numbers;
    const mb_plan *plan = m->plan;
    const mb_node *n = modes_node(mo);
    memcpy(m->y, m->owed, sz(plan->rows) * sizeof *m->y);
    memset(m->owed, 0, sz(plan->rows) * sizeof *m->owed);
    mb_backward(plan, &plan->node, n->factor, m->y);
    for (int e = 0; e < plan->blocks; e++)
        mb_reaction_add(plan, &plan->block[e], m->reaction + MB_REACTION * plan->block[e].number, n->rows.row, n->pose,
                        m->y);
}

static lg_status modes_strike(mb_sparse *mo, int *events)
{
    mb_contacts *c = mo->numbers.contacts;
    while (modes_strikes(mo)) {
        if (++*events > c->events_most) return LG_OK; /* the step says so */
        const lg_status st = mb_contacts_impact(mo);
        if (st != LG_OK) return st;
        if (!c->struck) return LG_OK;
        modes_owe(mo);
    }
    return LG_OK;
}

/* ---- what is closed ---- */

static void modes_place(mb_sparse *mo)
{
    mb_motion *m = &mo->numbers;
    const mb_node *n = modes_node(mo);
    const mb_place at = mb_place_at(m, n);
    mb_contacts_twists(m, n);
    mb_events_rows(m->collocation->events, n, m->twist);
    (void)mb_contacts_operator(m, &at);
}

/* What is closed and does not separate acts. */
static int modes_closed(mb_sparse *mo)
{
    mb_contacts *c = mo->numbers.contacts;
    const mb_events *E = mo->numbers.collocation->events;
    const mb_node *n = modes_node(mo);
    int closed = 0;
    for (int i = 0; i < c->count; i++) {
        const mb_contact *k = &c->contact[i];
        c->acts[i] = k->kind == MB_CONTACT_DRY;
        if (!c->acts[i] && E->asked[i] != MB_EVENT_OPEN && !mb_contact_rests(k, n) &&
            mb_is_closed(&mo->plan, k, mb_contact_gap(&mo->plan, k, n))) {
            const double rate = mb_contact_rate(&mo->numbers, k, n);
            c->acts[i] = rate <= MODES_LEAVES * c->capture && rate >= -c->capture;
        }
        closed += c->acts[i];
    }
    return closed;
}

/* What is left of normal velocities of what acts is taken away, which is capture too. */
static void modes_hold(mb_sparse *mo)
{
    mb_contacts *c = mo->numbers.contacts;
    mb_events *E = mo->numbers.collocation->events;
    mb_node *n = modes_node(mo);
    const double T = mb_kinetic(&mo->plan, n);
    double fastest = 0;
    (void)mb_contacts_list(c);
    for (int a = 0; a < c->acting; a++) {
        const mb_contact *k = &c->contact[c->which[a]];
        if (k->kind != MB_CONTACT_DRY) fastest = fmax(fastest, fabs(mb_contact_rate(&mo->numbers, k, n)));
    }
    if (!(fastest > MODES_ROUNDED * c->capture)) return; /* as mb_events_settle() does once modes are known */
    for (int a = 0; a < c->acting; a++) E->mode[c->which[a]] = MB_EVENT_SLIDES;
    mb_events_settle(E, n);
    const double work = mb_kinetic(&mo->plan, n) - T;
    mb_add_works(mo, work, &work, mb_kind_at(&mo->plan, LG_WORK_LANDING), 1);
}

/* What approaches slower than the capture speed loses its normal velocity. 1: nothing was found. */
static int modes_land(mb_sparse *mo)
{
    mb_motion *m = &mo->numbers;
    mb_contacts *c = m->contacts;
    mb_events *E = m->collocation->events;
    const mb_plan *plan = m->plan;
    mb_node *n = modes_node(mo);
    double fastest = 0, works[2] = {0, 0};
    modes_place(mo);
    for (int a = 0; a < c->acting; a++)
        if (c->contact[c->which[a]].kind != MB_CONTACT_DRY) fastest = fmax(fastest, -c->u[c->row_of[a]]);
    if (!(fastest > MODES_ROUNDED * c->capture)) return 0;
    for (int a = 0; a < c->acting; a++)
        if (c->contact[c->which[a]].kind == MB_CONTACT_DRY) c->relation[a].low = c->relation[a].high = 0;
    memcpy(c->b, c->u, sz(c->rows) * sizeof *c->b);
    memset(c->x, 0, sz(c->rows) * sizeof *c->x);
    if (!mb_contacts_solve(m, c->acting, 0, 0)) return 1;
    c->kernel->apply(c->kernel, c->v, c->x);
    for (int a = 0; a < c->acting; a++)
        for (int k = 0; k < c->contact[c->which[a]].rows; k++) {
            const int r = c->row_of[a] + k;
            works[k > 0] += c->x[r] * (c->u[r] + 0.5 * c->v[r]);
        }
    memcpy(E->impulse, c->x, sz(c->rows) * sizeof *c->x);
    mb_events_wrench(E, n, E->impulse, E->push, E->z);
    for (int b = 0; b < plan->bodies; b++)
        for (int k = 0; k < 6; k++) n->p[b].v[k] += E->push[b].v[k];
    mb_add_works(mo, works[0], &works[0], mb_kind_at(plan, LG_WORK_LANDING), 1);
    mb_add_works(mo, works[1], &works[1], mb_kind_at(plan, LG_WORK_FRICTION), 1);
    mb_forget(mo);
    return 0;
}

/* ---- the problem of accelerations ---- */

static double modes_still(const mb_sparse *mo, const mb_contact *k)
{
    const mb_events *E = mo->numbers.collocation->events;
    const double part[2] = {MODES_RESTS}, still = part[0] * E->speed + part[1] * mo->plan.reach;
    return k->kind == MB_CONTACT_DRY && !mo->plan.coordinate[k->source].slides ? still / mo->plan.reach : still;
}

/* The direction in which contact a slips at the node; 0: it rests. */
static int modes_slips(const mb_sparse *mo, int a, double *d)
{
    const mb_contacts *c = mo->numbers.contacts;
    const mb_events *E = mo->numbers.collocation->events;
    const int i = c->which[a], dry = c->contact[i].kind == MB_CONTACT_DRY;
    const double *u = c->u + c->row_of[a] + (dry ? 0 : 1), speed = dry ? fabs(u[0]) : lg_length(u, 2);
    memcpy(d, E->direction + 2 * i, 2 * sizeof *d);
    if (E->asked[i] == MB_EVENT_SLIDES) return 1;
    if (!(speed > modes_still(mo, &c->contact[i]))) return 0;
    d[0] = u[0] / speed, d[1] = dry ? 0 : u[1] / speed;
    return 1;
}

/* The relations of what acts, and E->free as their velocities; as many as this returns. */
static int modes_relate(mb_sparse *mo, double fast)
{
    mb_contacts *c = mo->numbers.contacts;
    mb_events *E = mo->numbers.collocation->events;
    int count = 0;
    memcpy(c->b, E->free, sz(c->rows) * sizeof *c->b);
    for (int a = 0; a < c->acting; a++) {
        const mb_contact *k = &c->contact[c->which[a]];
        const int r = c->row_of[a], dry = k->kind == MB_CONTACT_DRY, viscous = k->viscous > 0;
        const int slips = (dry || k->rows == 3) && modes_slips(mo, a, E->direction + 2 * c->which[a]);
        const double *d = E->direction + 2 * c->which[a], low = slips && d[0] > 0 ? -1 : slips ? 1 : -1;
        E->mode[c->which[a]] = slips || viscous ? MB_EVENT_SLIDES : MB_EVENT_STICKS;
        if (dry) {
            c->relation[count++] = (mb_ncp_contact){r, 1, 0, low * k->bound, slips ? low * k->bound : k->bound};
            continue;
        }
        c->relation[count++] = (mb_ncp_contact){r, viscous ? 1 : k->rows, viscous ? 0 : k->friction, 0, INFINITY};
        for (int t = 1; t < k->rows; t++)
            if (viscous)
                c->relation[count++] = (mb_ncp_contact){r + t, 1, 0, 0, 0};
            else if (slips)
                c->b[r + t] += fast * d[t - 1];
    }
    return count;
}

/* Modes of what acts by the solution: what is left of accelerations decides, since forces need not be unique. */
static void modes_read(mb_sparse *mo, double size)
{
    const mb_contacts *c = mo->numbers.contacts;
    mb_events *E = mo->numbers.collocation->events;
    double most = 0;
    for (int a = 0; a < c->acting; a++) most = fmax(most, c->x[c->row_of[a]]);
    for (int a = 0; a < c->acting; a++) {
        const int i = c->which[a], r = c->row_of[a];
        const mb_contact *k = &c->contact[i];
        const double *x = c->x + r, *v = c->v + r;
        for (int t = 0; t < k->rows; t++) E->begin[3 * i + t] = x[t];
        if (k->kind != MB_CONTACT_DRY && x[0] <= 1e-9 * most && v[0] > MODES_STILL * size) E->mode[i] = MB_EVENT_OPEN;
        if (E->mode[i] != MB_EVENT_STICKS) continue;
        const int dry = k->kind == MB_CONTACT_DRY, t = dry ? 0 : 1;
        const double turns = dry ? fabs(v[0]) : k->rows == 3 ? lg_length(v + 1, 2) : 0;
        if (!(turns > MODES_STILL * size)) continue;
        E->mode[i] = MB_EVENT_SLIDES;
        E->direction[2 * i] = v[t] / turns, E->direction[2 * i + 1] = dry ? 0 : v[t + 1] / turns;
    }
}

/* Modes of what acts. 1: nothing was found. */
static int modes_solve(mb_sparse *mo)
{
    mb_motion *m = &mo->numbers;
    mb_contacts *c = m->contacts;
    mb_events *E = m->collocation->events;
    const mb_plan *plan = m->plan;
    double size = sqrt(small_dot(3, plan->gravity, plan->gravity));
    E->place = MB_EVENT_FREE;
    const int well = mb_collocation_probe(m, modes_node(mo), mo->t);
    E->place = MB_EVENT_STAGES;
    if (!well) return 1;
    modes_place(mo);
    for (int r = 0; r < c->rows; r++) size = fmax(size, fabs(E->free[r]));
    const int relations = modes_relate(mo, MODES_FAST * size);
    memset(c->x, 0, sz(c->rows) * sizeof *c->x);
    if (!mb_contacts_solve(m, relations, 0, 0)) return 1;
    c->kernel->apply(c->kernel, c->v, c->x);
    for (int r = 0; r < c->rows; r++) c->v[r] += c->b[r];
    modes_read(mo, size);
    return 0;
}

/* A contact whose margin is below zero where a part begins gets another mode. 1: there was one. */
static int modes_mend(mb_sparse *mo)
{
    mb_events *E = mo->numbers.collocation->events;
    const double *force = E->x + 3 * E->stages * E->count;
    int worst = -1, margin = 0;
    double most = 0;
    for (int i = 0; i < E->count; i++)
        for (int k = 0; k < MB_MARGINS; k++) {
            const double value = E->last[MB_MARGINS * i + k];
            if (E->mode[i] == MB_EVENT_OPEN || (k == MB_MARGIN_TANGENT && E->mode[i] == MB_EVENT_SLIDES)) continue;
            if (value < -10 * mb_event_nothing(mo, i, k) && value < most) worst = i, margin = k, most = value;
        }
    if (worst < 0) return 0;
    const double *x = force + 3 * worst, pull = lg_length(x + 1, 2);
    const int dry = mo->numbers.contacts->contact[worst].kind == MB_CONTACT_DRY;
    E->mode[worst] = margin == MB_MARGIN_NORMAL ? MB_EVENT_OPEN : MB_EVENT_SLIDES;
    double *d = E->direction + 2 * worst;
    if (margin == MB_MARGIN_TANGENT) d[0] = dry ? (x[0] > 0 ? -1 : 1) : -x[1] / pull, d[1] = dry ? 0 : -x[2] / pull;
    return 1;
}

lg_status mb_events_choose(mb_sparse *mo, int *events)
{
    mb_motion *m = &mo->numbers;
    mb_events *E = m->collocation->events;
    const lg_status st = modes_strike(mo, events);
    if (st != LG_OK || *events > m->contacts->events_most) return st;
    m->contacts->effort = MB_NCP_WHOLE;
    E->speed = fmax(E->speed, mb_fastest(&mo->plan, modes_node(mo)));
    for (int i = 0; i < E->count; i++) E->mode[i] = MB_EVENT_OPEN;
    memset(E->begin, 0, 3 * sz(E->count) * sizeof *E->begin);
    const int closed = modes_closed(mo);
    if (closed && modes_land(mo)) return modes_refuse(mo, "the impulses of a landing were not found");
    if (closed && modes_closed(mo)) modes_hold(mo);
    if (closed && modes_solve(mo)) return modes_refuse(mo, "the forces of contacts were not found");
    for (int i = 0; i < E->count; i++) E->asked[i] = -1;
    for (int turn = 0; turn <= 4 * E->count + 8; turn++) {
        mb_events_settle(E, modes_node(mo));
        memcpy(E->heading, E->direction, 2 * sz(E->count) * sizeof *E->heading);
        if (!mb_events_arrive(mo, modes_node(mo), mo->t)) break;
        memcpy(E->first, E->last, MB_MARGINS * sz(E->count) * sizeof *E->first);
        if (!modes_mend(mo)) return LG_OK;
    }
    return modes_refuse(mo, "no forces of contacts, in their cones and without pulls, hold what touches");
}

void mb_events_ask(mb_sparse *mo, const mb_hit *hit)
{
    mb_events *E = mo->numbers.collocation->events;
    const int mode = E->mode[hit->contact], k = hit->margin;
    if (mode == MB_EVENT_OPEN || (k == MB_MARGIN_TANGENT && mode == MB_EVENT_SLIDES)) return;
    for (int i = 0; i < E->count; i++) {
        const double *x = E->x + 3 * (E->stages * E->count + i), pull = lg_length(x + 1, 2);
        const int dry = mo->numbers.contacts->contact[i].kind == MB_CONTACT_DRY;
        if (E->mode[i] == MB_EVENT_OPEN || (k == MB_MARGIN_TANGENT && E->mode[i] != mode)) continue;
        if (i != hit->contact && !(E->last[MB_MARGINS * i + k] <= MODES_ALSO * mb_event_nothing(mo, i, k))) continue;
        E->asked[i] = k == MB_MARGIN_NORMAL ? MB_EVENT_OPEN : MB_EVENT_SLIDES;
        double *d = E->direction + 2 * i;
        if (k == MB_MARGIN_TANGENT) d[0] = dry ? (x[0] > 0 ? -1 : 1) : -x[1] / pull, d[1] = dry ? 0 : -x[2] / pull;
    }
}
