/* SPDX-License-Identifier: BSD-3-Clause */
/* Forces of contacts at a stage of collocation: with the accelerations a that the bodies have without them, and W,
 *
 *   row_r xi' + bend_r = row_r a + bend_r + sum_c (W F)_rc lambda_c = 0
 *
 * of the rows r that its mode holds, and the columns F of its forces. */
#include "multibody/contact/events/events.h"

#include <math.h>
#include <string.h>

#include "multibody/equations.h"
#include "multibody/rows/coordinate.h"

/* The forces of the rows of contact i for its unknown number k = 1, or for what is given (k < 0), into to[3]. */
static void stage_column(const mb_events *E, int i, const double *u, int k, double *to)
{
    const mb_contact *p = &E->motion->contacts->contact[i];
    const double *d = E->heading + 2 * i;
    memset(to, 0, 3 * sizeof *to);
    if (E->mode[i] == MB_EVENT_SLIDES && p->kind == MB_CONTACT_DRY) {
        to[0] = k < 0 ? -p->bound * d[0] : 0;
    } else if (k >= 0) {
        to[k] = 1;
        for (int t = 0; t < 2 && E->mode[i] == MB_EVENT_SLIDES && p->rows == 3; t++)
            to[1 + t] = p->viscous > 0 ? -p->viscous * u[1 + t] : -p->friction * d[t];
    }
}

/* E->impulse: the forces of all rows, such that rows that are held have no acceleration beside E->free. */
static void stage_solve(mb_events *E)
{
    const mb_contacts *c = E->motion->contacts;
    double *x = E->impulse, column[3];
    int n = 0, at = 0;
    memset(x, 0, sz(c->rows) * sizeof *x);
    for (int a = 0; a < c->acting; a++) {
        n += mb_event_unknowns(E, c->which[a]);
        stage_column(E, c->which[a], c->u + c->row_of[a], -1, column);
        x[c->row_of[a]] = column[0];
        for (int l = 0; l < mb_event_unknowns(E, c->which[a]); l++) { /* what they are at first: the rest is shortest */
            stage_column(E, c->which[a], c->u + c->row_of[a], l, column);
            for (int t = 0; t < c->contact[c->which[a]].rows; t++)
                x[c->row_of[a] + t] += column[t] * E->begin[3 * c->which[a] + l];
        }
    }
    for (int a = 0; a < c->acting; a++)
        for (int k = 0; k < mb_event_unknowns(E, c->which[a]); k++, at++) { /* equation number `at` */
            const double *W = E->W + sz(c->row_of[a] + k) * sz(c->rows), own = sqrt(W[c->row_of[a] + k]);
            int col = 0;
            E->right[at] = -E->free[c->row_of[a] + k];
            for (int r = 0; r < c->rows; r++) E->right[at] -= W[r] * x[r];
            E->right[at] /= own;
            for (int e = 0; e < c->acting; e++)
                for (int l = 0; l < mb_event_unknowns(E, c->which[e]); l++, col++) {
                    const int r = c->row_of[e];
                    double sum = 0;
                    stage_column(E, c->which[e], c->u + r, l, column);
                    for (int t = 0; t < c->contact[c->which[e]].rows; t++) sum += W[r + t] * column[t];
                    E->matrix[at * n + col] = sum / (own * sqrt(E->W[sz(r + l) * sz(c->rows) + sz(r + l)]));
                }
        }
    if (n == 0) return;
    mb_events_solve(E, n);
    for (int a = 0, k = 0; a < c->acting; a++)
        for (int l = 0; l < mb_event_unknowns(E, c->which[a]); l++, k++) {
            const int r = c->row_of[a], rows = c->contact[c->which[a]].rows;
            const double force = E->right[k] / sqrt(E->W[sz(r + l) * sz(c->rows) + sz(r + l)]);
            stage_column(E, c->which[a], c->u + r, l, column);
            for (int t = 0; t < rows; t++) x[r + t] += column[t] * force;
        }
}

/* Accelerations of bodies, in space, of the rates of a stage. */
static void stage_accelerations(mb_stage_workspace *o, int stage)
{
    const mb_plan *plan = o->plan;
    const mb_node *n = &o->node[stage];
    const double *r = o->rate + stage * o->numbers;
    mb_ground_twists(plan, o->acceleration, n->given + plan->grounds);
    for (int b = 0; b < plan->bodies; b++, r += MB_STATE) {
        double turn[3], *a = o->acceleration[b].v;
        for (int k = 0; k < 3; k++) a[k] = r[MB_AT_P + k] / plan->mass[b];
        mb_inverse_inertia(plan, b, turn, r + MB_AT_L);
        mb_turn(a + 3, n->pose[b].R, turn);
    }
}

/* E->free: row a + bend. */
static void stage_free(mb_events *E, const mb_stage_workspace *o, const mb_node *n)
{
    const mb_plan *plan = E->motion->plan;
    mb_contacts *c = E->motion->contacts;
    const mb_site at = {NULL, n->pose, n->pose, n->pose, n->q, n->q, o->twist};
    mb_contacts_velocities(c, E->free, o->acceleration);
    for (int a = 0; a < c->acting; a++) {
        const mb_contact *k = &c->contact[c->which[a]];
        mb_event_bends(plan, k, E->bend, c->row + 2 * c->row_of[a], &at);
        for (int i = 0; i < k->rows; i++) E->free[c->row_of[a] + i] += E->bend[i];
    }
}

/* E->fall: by the accelerations of tangents. */
static void stage_falls(mb_events *E)
{
    const mb_contacts *c = E->motion->contacts;
    memset(E->fall, 0, sz(E->count) * sizeof *E->fall);
    for (int a = 0; a < c->acting; a++) {
        const int i = c->which[a];
        if (c->contact[i].rows != 3 || E->mode[i] != MB_EVENT_SLIDES || c->contact[i].viscous > 0) continue;
        for (int t = 0; t < 2; t++) {
            const int r = c->row_of[a] + 1 + t;
            double rate = E->free[r];
            for (int k = 0; k < c->rows; k++) rate += E->W[r * c->rows + k] * E->impulse[k];
            E->fall[i] -= E->heading[2 * i + t] * rate;
        }
    }
}

/* What margins and the account read of a stage. */
static void stage_keep(mb_events *E, const mb_stage_workspace *o, int stage)
{
    const mb_contacts *c = E->motion->contacts;
    const mb_node *n = &o->node[stage];
    const int to = E->place == MB_EVENT_STAGES ? stage : E->stages;
    const size_t from = 3 * sz(to) * sz(E->count);
    double *u = E->u + from, *x = E->x + from, *pull = E->pull + from;
    memset(u, 0, 3 * sz(E->count) * sizeof *u), memset(x, 0, 3 * sz(E->count) * sizeof *x);
    memset(pull, 0, 3 * sz(E->count) * sizeof *pull);
    for (int a = 0; a < c->acting; a++) {
        const int i = c->which[a], along = c->contact[i].kind <= MB_CONTACT_DRY;
        for (int k = 0; k < c->contact[i].rows; k++) {
            const int r = c->row_of[a] + k;
            u[3 * i + k] = c->u[r], x[3 * i + k] = E->impulse[r];
            for (int d = 0; d < (along ? 1 : 3); d++)
                pull[3 * i + d] += E->impulse[r] * (along ? c->contact[i].side : c->row[2 * r + 1].v[d]);
        }
    }
    if (E->place == MB_EVENT_NODE) stage_falls(E);
    for (int i = 0; i < E->count; i++)
        if (E->mode[i] == MB_EVENT_OPEN) E->gap[to * E->count + i] = mb_contact_gap(o->plan, &c->contact[i], n);
}

void mb_events_react(mb_events *E, mb_stage_workspace *o, const mb_stage_task *task, int stage)
{
    const mb_plan *plan = o->plan;
    mb_contacts *c = E->motion->contacts;
    mb_node *n = &o->node[stage];
    double *lambda = o->lambda + stage * plan->rows, *rate = o->rate + stage * o->numbers;
    if (stage == 0 && E->place == MB_EVENT_STAGES) mb_events_turn(E, o, task);
    mb_coordinates(plan, n, E->motion->node[E->motion->now].q, plan->driven, plan->coordinates);
    mb_events_rows(E, n, o->twist);
    stage_accelerations(o, stage);
    stage_free(E, o, n);
    memset(E->impulse, 0, sz(c->rows) * sizeof *E->impulse);
    if (E->place == MB_EVENT_FREE) return;
    mb_events_head(E, stage);
    stage_solve(E);
    stage_keep(E, o, stage);
    if (E->place == MB_EVENT_STAGES) mb_events_turned(E, stage);
    if (c->acting == 0) return;
    mb_events_wrench(E, n, E->impulse, E->push, E->z);
    for (int i = 0; i < plan->rows; i++) lambda[i] -= E->z[i];
    for (int b = 0; b < plan->bodies; b++, rate += MB_STATE) {
        double turn[3];
        mb_back(turn, n->pose[b].R, E->push[b].v + 3);
        for (int k = 0; k < 3; k++) rate[MB_AT_P + k] += E->push[b].v[k], rate[MB_AT_L + k] += turn[k];
    }
}

int mb_events_dissipate(const mb_events *E)
{
    for (int i = 0; i < E->count; i++) {
        const mb_contact *k = &E->motion->contacts->contact[i];
        if (E->mode[i] == MB_EVENT_SLIDES && (k->friction > 0 || k->viscous > 0 || k->kind == MB_CONTACT_DRY)) return 1;
    }
    return 0;
}

void mb_events_account(mb_events *E, const double *weight, double h)
{
    mb_motion *m = E->motion;
    mb_contacts *c = m->contacts;
    double work = 0;
    memset(c->push, 0, 3 * sz(E->count) * sizeof *c->push), memset(c->P, 0, 3 * sz(E->count) * sizeof *c->P);
    for (int s = 0; s < E->stages; s++)
        for (int i = 0; i < 3 * E->count; i++) {
            const int at = 3 * s * E->count + i, dry = c->contact[i / 3].kind == MB_CONTACT_DRY;
            c->push[i] += h * weight[s] * E->pull[at], c->P[i] += h * weight[s] * E->x[at];
            if (i % 3 > 0 || dry) work += h * weight[s] * E->x[at] * E->u[at];
        }
    for (int i = 0; i < E->count; i++) /* rounding */
        if (c->contact[i].kind != MB_CONTACT_DRY) c->P[3 * i] = fmax(c->P[3 * i], 0);
    c->length = h;
    if (mb_events_dissipate(E)) mb_did(m, LG_WORK_FRICTION, work);
}
