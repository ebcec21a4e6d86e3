/* SPDX-License-Identifier: BSD-3-Clause */
/* What collocation leaves of gaps and velocities that modes hold is taken away at the node, in the kinetic metric. */
#include "multibody/contact/events/events.h"

#include <math.h>
#include <string.h>

enum { SETTLE_ROUNDS = 4 };

/* A gap that is open by more, of the reach, is no error of a step. */
#define SETTLE_MOST 0.1

/* Impulses E->impulse that take the velocities `miss` away from the rows that modes hold; normals: only from those of
 * gaps. */
static void settle_solve(mb_events *E, const double *miss, int normals)
{
    const mb_contacts *c = E->motion->contacts;
    int n = 0, count = 0;
    memset(E->impulse, 0, sz(c->rows) * sizeof *E->impulse);
    double *row = E->free; /* their numbers */
    for (int a = 0; a < c->acting; a++) {
        const int i = c->which[a], held = mb_event_unknowns(E, i);
        const int take = !normals ? held : c->contact[i].kind == MB_CONTACT_DRY ? 0 : held > 0;
        for (int k = 0; k < take; k++) row[count++] = c->row_of[a] + k;
    }
    for (int i = 0; i < count; i++) {
        const int r = (int)row[i];
        const double own = sqrt(E->W[r * c->rows + r]);
        E->right[i] = -miss[r] / own;
        for (int k = 0; k < count; k++, n++)
            E->matrix[n] = E->W[r * c->rows + (int)row[k]] / (own * sqrt(E->W[(int)row[k] * c->rows + (int)row[k]]));
    }
    if (count == 0) return;
    mb_events_solve(E, count);
    for (int i = 0; i < count; i++) {
        const int r = (int)row[i];
        E->impulse[r] = E->right[i] / sqrt(E->W[r * c->rows + r]);
    }
}

/* What acts is what is not open. */
static int settle_list(mb_events *E)
{
    mb_contacts *c = E->motion->contacts;
    int closed = 0;
    for (int i = 0; i < E->count; i++) closed += c->acts[i] = E->mode[i] != MB_EVENT_OPEN;
    return closed;
}

int mb_events_close(mb_events *E, mb_node *n)
{
    const mb_plan *plan = E->motion->plan;
    mb_contacts *c = E->motion->contacts;
    double last = INFINITY;
    if (!settle_list(E)) return 1;
    for (int round = 0; round < SETTLE_ROUNDS; round++) {
        double most = 0;
        mb_contacts_twists(E->motion, n);
        mb_events_rows(E, n, E->motion->twist);
        for (int a = 0; a < c->acting; a++) {
            const double gap = mb_contact_gap(plan, &c->contact[c->which[a]], n);
            c->b[c->row_of[a]] = gap;
            if (!(fabs(gap) <= most)) most = fabs(gap);
        }
        if (!(most <= SETTLE_MOST * plan->reach)) return 0;
        if (most == 0 || !(most < 0.5 * last)) break;
        last = most;
        settle_solve(E, c->b, 1);
        mb_events_wrench(E, n, E->impulse, E->push, E->z);
        for (int b = 0; b < plan->bodies; b++) {
            double turn[3];
            mb_mobile(turn, &n->mobility[b], E->push[b].v + 3);
            for (int k = 0; k < 3; k++) n->pose[b].r[k] += E->push[b].v[k] * n->mobility[b].inverse_mass;
            mb_turn_pose(&n->pose[b], turn);
        }
        mb_node_place(plan, n, n->q);
        mb_node_rows(plan, n, 0);
    }
    return 1;
}

void mb_events_settle(mb_events *E, mb_node *n)
{
    const mb_plan *plan = E->motion->plan;
    if (!settle_list(E)) return;
    for (int round = 0; round < 2; round++) {
        mb_contacts_twists(E->motion, n);
        mb_events_rows(E, n, E->motion->twist);
        settle_solve(E, E->motion->contacts->u, 0);
        mb_events_wrench(E, n, E->impulse, E->push, E->z);
        for (int b = 0; b < plan->bodies; b++)
            for (int k = 0; k < 6; k++) n->p[b].v[k] += E->push[b].v[k];
    }
}
