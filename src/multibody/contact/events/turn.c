/* SPDX-License-Identifier: BSD-3-Clause */
/* Directions of friction at the stages of a step. Sweeps alone do not find them where slip begins or ends: there
 * friction turns as fast as a small velocity does. With the angles y of all stages i and contacts, and G(y) those of
 * the velocities that a sweep has made with them, whose part across friction is
 *
 *   u_i = ... + h sum_j a_ij (W F)_j y_j,    G' = (h a_ij (W F)_j)/|u_i|,
 *
 * Newton's correction is (1 - G')^-1 (G(y) - y). */
#include "multibody/contact/events/events.h"

#include <math.h>
#include <string.h>

#include <liegrp/base/elementary.h>

#include "base/dense.h"
#include "groups/rotation.h"
#include "multibody/equations.h"
#include "multibody/sound.h"

/* A slip that is slower than this, of the fastest, and of the reach in 1/s, has no direction of its own. */
#define TURN_STILL  1e-13
#define TURN_SLOWER 1e-14

static int turn_slips(const mb_events *E, int i)
{
    const mb_contact *k = &E->motion->contacts->contact[i];
    return k->rows == 3 && k->viscous <= 0 && E->mode[i] == MB_EVENT_SLIDES;
}

static double turn_still(const mb_events *E)
{
    return TURN_STILL * E->speed + TURN_SLOWER * E->motion->plan->reach;
}

/* The velocities of the tangents of contact i at a stage. */
static void turn_velocity(const mb_events *E, const mb_stage_workspace *o, int stage, int i, double *u)
{
    const mb_contact *k = &E->motion->contacts->contact[i];
    const mb_node *n = &o->node[stage];
    const mb_site at = {NULL, n->pose, n->pose, n->pose, n->q, n->q, NULL};
    mb_pair row[MB_CONTACT_PARTS];
    mb_contact_rows(o->plan, k, row, &at);
    for (int t = 0; t < 2; t++)
        u[t] = mb_dot6(row[2 + 2 * t].v, o->twist[k->body[0]].v) + mb_dot6(row[3 + 2 * t].v, o->twist[k->body[1]].v);
}

/* The direction d of the velocity u, which may have turned back since the direction before; the speed, negative then.
 */
static double turn_to(double *d, const double *u, double still)
{
    const double speed = lg_length(u, 2), sign = u[0] * d[0] + u[1] * d[1] < 0 ? -1 : 1;
    if (!(speed > still)) return 0;
    d[0] = sign * u[0] / speed, d[1] = sign * u[1] / speed;
    return sign * speed;
}

/* Rows of a stage: angles between friction and slip into E->turn, and 1 - G'. */
static void turn_rows(mb_events *E, mb_stage_workspace *o, const mb_stage_task *task, int stage)
{
    const lg_tableau *T = task->tableau;
    const int n = E->tangents, all = n * E->stages;
    mb_stage_twists(o, stage);
    for (int i = 0; i < E->count; i++) {
        if (E->tangent[i] < 0) continue;
        const int row = stage * n + E->tangent[i];
        double *to = E->change + (size_t)row * (size_t)all, *d = E->heading + 2 * i, u[2];
        const double *last = E->turned + 2 * (stage * E->count + i);
        memset(to, 0, sz(all) * sizeof *to);
        to[row] = 1, E->turn[row] = 0;
        if (!turn_slips(E, i)) continue;
        turn_velocity(E, o, stage, i, u);
        const double speed = turn_to(d, u, turn_still(E));
        if (speed == 0 || !E->swept) continue;
        E->turn[row] = lg_real_atan2(last[0] * d[1] - last[1] * d[0], last[0] * d[0] + last[1] * d[1]);
        for (int j = 0; j < E->stages; j++)
            for (int k = 0; k < n; k++)
                to[j * n + k] -= task->h * T->a[stage * T->s + j] *
                                 E->turns[(size_t)(j * n + E->tangent[i]) * (size_t)n + (size_t)k] / speed;
    }
}

void mb_events_turn(mb_events *E, mb_stage_workspace *o, const mb_stage_task *task)
{
    const int all = E->tangents * E->stages;
    int slips = 0;
    memcpy(E->heading, E->direction, 2 * sz(E->count) * sizeof *E->heading);
    for (int i = 0; i < E->count; i++) slips |= turn_slips(E, i);
    if (!slips) return;
    for (int s = 0; s < E->stages; s++) {
        turn_rows(E, o, task, s);
        for (int i = 0; i < E->count && !E->swept; i++)
            memcpy(E->turned + 2 * (s * E->count + i), E->heading + 2 * i, 2 * sizeof *E->turned);
    }
    mb_stage_twists(o, 0);
    if (!E->swept || lg_lu_factor_loops(E->change, E->change_pivot, all) != LG_OK) return;
    lg_lu_solve_loops(E->change, E->change_pivot, all, E->turn);
    for (int s = 0; s < E->stages; s++)
        for (int i = 0; i < E->count; i++) {
            if (!turn_slips(E, i)) continue;
            double *d = E->turned + 2 * (s * E->count + i), to[2];
            double c, sn;
            lg_real_sincos(&sn, &c, E->turn[s * E->tangents + E->tangent[i]]);
            to[0] = c * d[0] - sn * d[1], to[1] = sn * d[0] + c * d[1];
            memcpy(d, to, sizeof to);
        }
}

void mb_events_head(mb_events *E, int stage)
{
    const mb_contacts *c = E->motion->contacts;
    for (int a = 0; a < c->acting; a++) {
        const int i = c->which[a];
        double *d = E->heading + 2 * i;
        if (!turn_slips(E, i)) continue;
        if (E->place == MB_EVENT_STAGES)
            memcpy(d, E->turned + 2 * (stage * E->count + i), 2 * sizeof *d);
        else
            (void)turn_to(d, c->u + c->row_of[a] + 1, turn_still(E));
    }
}

void mb_events_turned(mb_events *E, int stage)
{
    const mb_contacts *c = E->motion->contacts;
    const int n = E->tangents;
    E->swept |= stage == E->stages - 1;
    double *to = E->turns + sz(stage) * sz(n) * sz(n);
    memset(to, 0, sz(n) * sz(n) * sizeof *to);
    for (int a = 0; a < c->acting; a++)
        for (int e = 0; e < c->acting; e++) {
            const int i = c->which[a], j = c->which[e];
            if (!turn_slips(E, i) || !turn_slips(E, j)) continue;
            const double *p = E->heading + 2 * i, *q = E->heading + 2 * j;
            const double *W = E->W + sz(c->row_of[a] + 1) * sz(c->rows) + sz(c->row_of[e] + 1), *V = W + c->rows;
            const double x = -p[1] * W[0] + p[0] * V[0], y = -p[1] * W[1] + p[0] * V[1];
            to[E->tangent[i] * n + E->tangent[j]] =
                -c->contact[j].friction * E->impulse[c->row_of[e]] * (x * -q[1] + y * q[0]);
        }
}
