/* SPDX-License-Identifier: BSD-3-Clause */
/* Contacts that stay closed without friction are rows of joints until one of them pulls: with normal rows A at the
 * nodes and G at the averaged pose, orthogonal to those of joints, W = A J^-1 A^T = L L^T,
 *
 *   p^- = p_0 + A_0^T L_0^-T k,   p^+ = p^- + h f + G^T P,   p_1 = p^+ + A_1^T L_1^-T k,
 *   G J^-1 (p^+ - p^-) = 0,   A_1 J^-1 p_1 = 0,   xi = J^-1 (p^- + p^+)/2 + J^-1 G^T nu,   G xi = -gap_0/h.
 *
 * What the kick at one node gives, k.k/2, that at the other takes: H is kept, where impulses Q at the end alone lose
 * O(h^3) a second. */
#include "multibody/contact/sweeps.h"
#include "multibody/corrections.h"

#include <math.h>
#include <string.h>

enum { BEGIN, END, MEAN };

/* A row depends on others if less than this of its W is its own. */
#define MB_OWN 1e-9

/* Velocities of gaps that are below this, relative to the fastest point, are those of closed contacts. */
#define MB_AT_REST 1e-9

void mb_pairs_take(mb_contacts *c, lg_arena *a, const mb_plan *plan)
{
    const int most = c->rows_most < MB_DENSE_ROWS ? c->rows_most : MB_DENSE_ROWS;
    for (int e = 0; e < 3; e++) c->pairs[e].L = lg_take_doubles(a, sz(most) * sz(most));
    for (int e = 0; e < MEAN; e++) {
        c->pairs[e].row = MB_TAKE(a, mb_pair, 2 * most);
        c->pairs[e].product = MB_TAKE(a, mb_pair, 2 * most);
    }
    c->kick = lg_take_doubles(a, sz(most));
    c->begin = lg_take_doubles(a, sz(plan->rows));
    c->depart = MB_TAKE(a, mb_pair, mb_frames(plan));
}

/* Rows and products of a place become the present ones, and back. */
static void turn_to(mb_contacts *c, int e)
{
    mb_pair *const row = c->row, *const product = c->product;
    if (e == MEAN) return;
    c->row = c->pairs[e].row, c->product = c->pairs[e].product;
    c->pairs[e].row = row, c->pairs[e].product = product;
}

/* Rows at a place and the factor L of W. 0: they depend on each other. */
static int look(mb_motion *m, int e, const mb_place *at)
{
    mb_contacts *c = m->contacts;
    double *L = c->pairs[e].L, own = INFINITY;
    const int n = c->rows;
    turn_to(c, e);
    mb_contacts_rows(m, at);
    mb_contacts_matrix(m, at);
    turn_to(c, e);
    memcpy(L, c->W, sz(n) * sz(n) * sizeof *L);
    mb_factor_diagonal(L, n);
    for (int i = 0; i < n && own >= MB_OWN; i++) {
        const double r = L[i * n + i];
        own = 1 / (r * r * c->W[i * n + i]); /* NaN where W is not definite */
    }
    return own >= MB_OWN;
}

/* m->wrench = row^T x without what joints take, whose answer is added to `of_joints`, which may be NULL, times s. */
static void project(mb_motion *m, int e, const mb_place *at, const double *x, double *of_joints, double s)
{
    mb_contacts *c = m->contacts;
    mb_clear(m->wrench, mb_frames(m->plan) - 1);
    turn_to(c, e);
    mb_contacts_wrench(c, m->wrench, 1, x, 0);
    turn_to(c, e);
    mb_contacts_answer(m, at);
    for (int i = 0; i < at->rows && of_joints != NULL; i++) of_joints[i] += s * m->y[i];
    mb_backward(m->plan, at->S, at->factor, m->y);
    mb_push(m->plan, at->joints, m->wrench, -1, m->y, at->blocks);
}

/* x = L^-T k. */
static void impulses_of(const mb_contacts *c, int e, double *x, const double *k)
{
    memcpy(x, k, sz(c->rows) * sizeof *x);
    mb_backward_diagonal(x, c->pairs[e].L, c->rows);
}

/* Velocities of the rows at a node with these momenta. */
static void velocities_at(mb_motion *m, int e, const mb_node *n, const mb_pair *p, double *u)
{
    for (int b = 0; b < m->plan->bodies; b++) mb_part_product(&m->twist[b], &p[b], &n->mobility[b]);
    mb_ground_twists(m->plan, m->twist, NULL);
    turn_to(m->contacts, e);
    mb_contacts_velocities(m->contacts, u, m->twist);
    turn_to(m->contacts, e);
}

/* ---- the verbs ---- */

/* The speed of the fastest point, or what gravity makes of it in a step. */
static double speed_at(const mb_plan *plan, const mb_node *n, double h)
{
    double fastest = 0, w[3];
    for (int b = 0; b < plan->bodies; b++) {
        mb_mobile(w, &n->mobility[b], n->p[b].v + 3);
        const double v = sqrt(mb_dot(n->p[b].v, n->p[b].v)) * n->mobility[b].inverse_mass;
        fastest = fmax(fastest, v + plan->reach * sqrt(mb_dot(w, w)));
    }
    return fastest + h * sqrt(small_dot(3, plan->gravity, plan->gravity));
}

int mb_pairs_begin(mb_motion *m, const mb_node *n0, double h)
{
    mb_contacts *c = m->contacts;
    const mb_plan *plan = m->plan;
    if (plan->drives > 0 || plan->drifts) return 0;
    for (int i = 0; i < c->count; i++)
        if (c->acts[i] && (c->contact[i].kind == MB_CONTACT_DRY || c->contact[i].rows > 1)) return 0;
    if (!mb_contacts_list(c) || c->rows == 0 || c->rows > MB_DENSE_ROWS) return 0;
    const double slow = MB_AT_REST * speed_at(plan, n0, h);
    for (int a = 0; a < c->acting; a++)
        if (!(fabs(mb_contact_rate(m, &c->contact[c->which[a]], n0)) <= slow)) return 0;
    const mb_place at = mb_place_at(m, n0);
    if (!look(m, BEGIN, &at)) return 0;
    mb_clear(c->depart, mb_frames(plan) - 1);
    memset(c->kick, 0, sz(c->rows) * sizeof *c->kick);
    return c->paired = 1;
}

void mb_pairs_place(mb_motion *m, const mb_node *n0, const mb_node *n1)
{
    mb_place mean = mb_place_between(m, n0, n1), end = mb_place_at(m, n1);
    mean.f = 1;
    m->contacts->refused = !look(m, MEAN, &mean) || !look(m, END, &end);
}

void mb_pairs_depart(mb_motion *m)
{
    for (int b = 0; b < m->plan->bodies; b++)
        for (int k = 0; k < 6; k++) m->minus[b].v[k] += m->contacts->depart[b].v[k];
}

/* G J^-1 (p^+ - p^-) = 0 corrects P, p^+ and mu. */
static double correct_impulses(mb_motion *m, const mb_node *n0, const mb_node *n1, double h)
{
    mb_contacts *c = m->contacts;
    const mb_plan *plan = m->plan;
    const mb_place mean = mb_place_between(m, n0, n1);
    double size = 0;
    for (int b = 0; b < plan->bodies; b++) {
        double p0[3], p1[3], w[3];
        mb_back(p0, n0->pose[b].R, m->minus[b].v + 3), mb_back(p1, n1->pose[b].R, m->plus[b].v + 3);
        for (int k = 0; k < 3; k++) p1[k] -= p0[k];
        mb_inverse_inertia(plan, b, w, p1);
        mb_turn(m->twist[b].v + 3, m->mean_pose[b].R, w);
        for (int k = 0; k < 3; k++) m->twist[b].v[k] = (m->plus[b].v[k] - m->minus[b].v[k]) / plan->mass[b];
    }
    mb_ground_twists(plan, m->twist, NULL);
    mb_contacts_velocities(c, c->x, m->twist);
    mb_forward_diagonal(c->x, c->pairs[MEAN].L, c->rows);
    for (int i = 0; i < c->rows; i++) size += c->x[i] * c->x[i];
    mb_backward_diagonal(c->x, c->pairs[MEAN].L, c->rows);
    for (int i = 0; i < c->rows; i++) c->x[i] = -c->x[i], c->P[3 * c->which[i]] += c->x[i];
    project(m, MEAN, &mean, c->x, NULL, 0);
    for (int i = 0; i < mean.rows; i++) m->x.mu[i] += m->y[i] / h;
    for (int b = 0; b < plan->bodies; b++)
        for (int k = 0; k < 6; k++) m->plus[b].v[k] += m->wrench[b].v[k];
    return size;
}

/* A_1 J^-1 p_1 = 0 corrects k, p^- and p^+. */
static double correct_kick(mb_motion *m, const mb_node *n0, const mb_node *n1, double h)
{
    mb_contacts *c = m->contacts;
    const mb_plan *plan = m->plan;
    const mb_place at = mb_place_at(m, n0);
    double *d = c->v, size = 0;
    memcpy(m->wrench, m->plus, sz(mb_frames(plan)) * sizeof *m->wrench);
    mb_kick(m, n1, m->wrench, 0.5 * h, m->x.l);
    velocities_at(m, END, n1, m->wrench, d);
    mb_forward_diagonal(d, c->pairs[END].L, c->rows);
    for (int i = 0; i < c->rows; i++) {
        d[i] = -0.5 * (d[i] + c->kick[i]);
        c->kick[i] += d[i], size += 4 * d[i] * d[i];
    }
    impulses_of(c, BEGIN, c->x, d);
    project(m, BEGIN, &at, c->x, NULL, 0);
    for (int b = 0; b < plan->bodies; b++)
        for (int k = 0; k < 6; k++) {
            const double by = m->wrench[b].v[k];
            c->depart[b].v[k] += by, m->minus[b].v[k] += by, m->plus[b].v[k] += by;
        }
    return size;
}

double mb_pairs_correct(mb_motion *m, const mb_node *n0, const mb_node *n1, double h, double *scale)
{
    mb_contacts *c = m->contacts;
    const mb_plan *plan = m->plan;
    const mb_place mean = mb_place_between(m, n0, n1);
    if (c->refused) return NAN;
    double size = correct_impulses(m, n0, n1, h);
    size += correct_kick(m, n0, n1, h);
    memcpy(m->mixing.before, m->x.xi, sz(plan->bodies) * sizeof *m->mixing.before);
    (void)mb_correct_xi(m, n0, n1, h, scale); /* without nu */
    mb_contacts_step_velocities(m, c->x);
    for (int i = 0; i < c->rows; i++) c->x[i] = -c->gap0[c->which[i]] / h - c->x[i];
    mb_forward_diagonal(c->x, c->pairs[MEAN].L, c->rows);
    mb_backward_diagonal(c->x, c->pairs[MEAN].L, c->rows);
    project(m, MEAN, &mean, c->x, NULL, 0);
    mb_contacts_shift(m, 1);
    for (int b = 0; b < plan->bodies; b++)
        for (int k = 0; k < 6; k++) {
            const double d = m->x.xi[b].v[k] - m->mixing.before[b].v[k];
            size += (k < 3 ? plan->mass[b] : plan->inertia[9 * b + 4 * (k - 3)]) * d * d;
        }
    return size;
}

int mb_pairs_hold(mb_motion *m, const mb_node *n0, const mb_node *n1, double h)
{
    mb_contacts *c = m->contacts;
    int holds = 1;
    impulses_of(c, BEGIN, c->u, c->kick), impulses_of(c, END, c->v, c->kick);
    for (int i = 0; i < c->rows; i++) {
        c->x[i] = c->u[i] + c->P[3 * c->which[i]] + c->v[i];
        holds &= c->x[i] >= 0;
    }
    if (holds && mb_contacts_join(m, n0, n1, h) == 0) return 1;
    for (int i = 0; i < c->rows; i++) c->P[3 * c->which[i]] = fmax(0, c->x[i]);
    return 0;
}

void mb_pairs_arrive(mb_motion *m, const mb_node *n0, mb_node *n1, double h)
{
    mb_contacts *c = m->contacts;
    const mb_place at[2] = {mb_place_at(m, n0), mb_place_at(m, n1)};
    for (int e = 0; e < 2; e++) {
        double *x = c->x, *u = c->u;
        const mb_node *n = e == BEGIN ? n0 : n1;
        impulses_of(c, e, x, c->kick);
        turn_to(c, e);
        mb_contacts_impulse(c, x, 0);
        turn_to(c, e);
        project(m, e, &at[e], x, e == BEGIN ? c->begin : c->node, -1 / h);
        for (int b = 0; b < m->plan->bodies && e == END; b++)
            for (int k = 0; k < 6; k++) n1->p[b].v[k] += m->wrench[b].v[k];
        velocities_at(m, e, n, n->p, u);
        for (int i = 0; i < c->rows; i++) {
            c->work[LG_WORK_NODE] += x[i] * u[i]; /* k.k/2 of both cancel */
            c->P[3 * c->which[i]] += x[i];
        }
    }
}
