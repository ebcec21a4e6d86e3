/* SPDX-License-Identifier: BSD-3-Clause */
/* Contacts in the sweeps of a step. With the impulses P of what acts,
 *
 *   p^+ = p^- + h f + G_c^T P - h G^T mu,    u = G_c xi,
 *   0 <= P_n, u_n + gap_0/h >= 0 and one of them 0;    |P_t| <= mu P_n, opposite to u_t where they are equal,
 *
 * so that the gap at the end is not negative. Each sweep corrects P by these relations with u = b + W P, where W = 1/2
 * G_c J^-1 Pi G_c^T eliminates the rows G of joints, and xi and mu with it. */
#include "multibody/contact/near.h"
#include "multibody/contact/sweeps.h"

#include <math.h>
#include <string.h>

/* What has a gap below this, relative to the mechanism's size, is closed. */
#define MB_CLOSED 1e-10

mb_contacts *mb_contacts_carve(lg_arena *a, const mb_plan *plan)
{
    mb_contacts local = {0}, *home = mb_take(a, sizeof *home), *c = home != NULL ? home : &local;
    const int count = plan->contacts, joints = plan->rows;
    c->contact = lg_take(a, sz(count) * sizeof *c->contact);
    if (home != NULL) memcpy(c->contact, plan->contact, sz(count) * sizeof *c->contact);
    c->most = c->count = count, c->rows_most = 0, c->all = c, c->near = plan->near;
    for (int i = 0; i < count; i++) c->rows_most += plan->contact[i].rows, c->rooms |= plan->contact[i].room > 0;
    if (plan->near != NULL) c->count = plan->near->first, c->rooms |= plan->near->stride > 1;
    c->keyed = c->rooms || plan->near != NULL;
    const int many = MB_BODY_ROWS * plan->bodies, most = many > MB_CONTACT_ROWS ? many : MB_CONTACT_ROWS;
    if (c->rows_most > most) c->rows_most = most;
    const int rows = c->rows_most;
    c->which = lg_take(a, sz(count) * sizeof *c->which);
    c->row_of = lg_take(a, sz(count) * sizeof *c->row_of);
    c->acts = lg_take(a, sz(count) * sizeof *c->acts), c->rests = lg_take(a, sz(count) * sizeof *c->rests);
    c->settles = lg_take(a, sz(count) * sizeof *c->settles);
    c->root = lg_take(a, sz(plan->bodies) * sizeof *c->root);
    c->marked = lg_take(a, sz(plan->bodies) * sizeof *c->marked);
    c->gap0 = lg_take_doubles(a, sz(count)), c->gap = lg_take_doubles(a, sz(count));
    c->P = lg_take_doubles(a, 3 * sz(count)), c->R = lg_take_doubles(a, 3 * sz(count));
    c->push = lg_take_doubles(a, 3 * sz(count)), c->force = lg_take_doubles(a, 3 * sz(count));
    c->key = lg_take_doubles(a, c->keyed ? sz(count) : 0);
    mb_near_carve(c, a, plan);
    c->node = lg_take_doubles(a, sz(joints));
    c->totals = plan->works + 1, c->carry = lg_take_doubles(a, sz(c->totals));
    c->row = MB_TAKE(a, mb_pair, 2 * rows), c->product = MB_TAKE(a, mb_pair, 2 * rows);
    c->b = lg_take_doubles(a, sz(rows)), c->u = lg_take_doubles(a, sz(rows)), c->x = lg_take_doubles(a, sz(rows));
    c->v = lg_take_doubles(a, sz(rows)), c->u0 = lg_take_doubles(a, sz(rows));
    c->compression = lg_take_doubles(a, sz(rows)), c->led = lg_take_doubles(a, sz(joints));
    c->relation = lg_take(a, sz(rows) * sizeof *c->relation);
    c->relation_of = lg_take(a, sz(rows) * sizeof *c->relation_of);
    mb_ncp_work_take(&c->work_of, a, rows);
    mb_contacts_operator_take(c, a, plan);
    mb_pairs_take(c, a, plan);
    c->capture = 0.01, c->localise = 1, c->events_most = 50;
    return home;
}

int mb_is_closed(const mb_plan *plan, const mb_contact *c, double gap)
{
    return c->kind != MB_CONTACT_DRY && gap <= MB_CLOSED * plan->reach;
}

int mb_contacts_list(mb_contacts *c)
{
    c->acting = c->rows = 0;
    for (int i = 0; i < c->count; i++) {
        if (!c->acts[i]) continue;
        if (c->rows + c->contact[i].rows > c->rows_most) return 0;
        c->which[c->acting] = i, c->row_of[c->acting] = c->rows;
        c->acting++, c->rows += c->contact[i].rows;
    }
    return 1;
}

void mb_contacts_begin(mb_motion *m, const mb_node *n0, double h)
{
    mb_contacts *c = m->contacts;
    const double longer = c->length > 0 ? h / c->length : 0;
    mb_contacts_meet(c, n0);
    for (int i = 0; i < c->count; i++) {
        c->gap0[i] = mb_contact_gap(m->plan, &c->contact[i], n0);
        c->rests[i] = mb_contact_rests(&c->contact[i], n0);
    }
    for (int i = 0; i < c->count; i++) {
        c->acts[i] =
            c->contact[i].kind == MB_CONTACT_DRY || (mb_is_closed(m->plan, &c->contact[i], c->gap0[i]) &&
                                                     !c->rests[i] && !mb_contact_is_told(c, m->plan, c->gap0, i));
        for (int k = 0; k < 3; k++) c->P[3 * i + k] *= c->acts[i] ? longer : 0;
    }
    c->length = h, c->refused = c->landed = c->paired = 0, c->overlaps = -1, c->apex = INFINITY;
    memset(c->work, 0, sizeof c->work);
    memset(c->push, 0, 3 * sz(c->count) * sizeof *c->push);
    memset(c->node, 0, sz(m->plan->rows) * sizeof *c->node);
    memset(c->begin, 0, sz(m->plan->rows) * sizeof *c->begin);
}

void mb_contacts_rows(mb_motion *m, const mb_place *at)
{
    mb_contacts *c = m->contacts;
    const mb_plan *plan = m->plan;
    for (int a = 0; a < c->acting; a++) {
        const mb_contact *k = &c->contact[c->which[a]];
        mb_pair *row = c->row + 2 * c->row_of[a], *product = c->product + 2 * c->row_of[a];
        mb_contact_rows(plan, k, row, &at->site);
        for (int i = 0; i < 2 * k->rows; i++) {
            const int b = k->body[i % 2];
            if (b < plan->bodies)
                mb_part_product(product + i, row + i, &at->mobility[b]);
            else
                memset(product + i, 0, sizeof *product);
        }
    }
}

mb_place mb_place_between(const mb_motion *m, const mb_node *n0, const mb_node *n1)
{
    const mb_plan *plan = m->plan;
    return (mb_place){{NULL, m->mean_pose, n0->pose, n1->pose, n0->q, n1->q, NULL},
                      m->mean_mobility,
                      m->mean.row,
                      &plan->mean,
                      m->mean_factor,
                      plan->holonomic_blocks,
                      plan->holonomic_rows,
                      0.5};
}

mb_place mb_place_at(const mb_motion *m, const mb_node *n)
{
    const mb_plan *plan = m->plan;
    return (mb_place){{NULL, n->pose, n->pose, n->pose, n->q, n->q, NULL},
                      n->mobility,
                      n->rows.row,
                      &plan->node,
                      n->factor,
                      plan->blocks,
                      plan->rows,
                      1};
}

void mb_contacts_twists(mb_motion *m, const mb_node *n)
{
    for (int b = 0; b < m->plan->bodies; b++) {
        mb_mobile(m->twist[b].v + 3, &n->mobility[b], n->p[b].v + 3);
        for (int k = 0; k < 3; k++) m->twist[b].v[k] = n->p[b].v[k] * n->mobility[b].inverse_mass;
    }
    mb_ground_twists(m->plan, m->twist, n->given);
}

/* With all rows of joints instead, where some are of velocities alone, as those of rotors and wheels are: l, which
 * keeps them at the end, acts in both halves of the step, so that xi answers an impulse with 1/2 J^-1 Pi where Pi
 * eliminates them too. */
static mb_place answer_of(const mb_motion *m, const mb_node *n1, mb_place mean)
{
    const mb_plan *plan = m->plan;
    if (plan->rows == plan->holonomic_rows) return mean;
    mean.joints = n1->rows.row, mean.S = &plan->node, mean.factor = n1->factor;
    mean.blocks = plan->blocks, mean.rows = plan->rows;
    return mean;
}

/* What gaps of surfaces may change by in the step, at most. */
static double way_of(const mb_motion *m, double h)
{
    double fastest = 0;
    for (int b = 0; b < m->plan->bodies; b++) {
        const double *v = m->x.xi[b].v;
        fastest = fmax(fastest, sqrt(mb_dot(v, v)) + 2 * m->plan->reach * sqrt(mb_dot(v + 3, v + 3)));
    }
    return 2 * h * fastest;
}

int mb_contacts_join(mb_motion *m, const mb_node *n0, const mb_node *n1, double h)
{
    mb_contacts *c = m->contacts;
    const mb_plan *plan = m->plan;
    const double way = plan->drives > 0 ? INFINITY : way_of(m, h);
    int joined = 0;
    for (int i = c->count - 1; i >= 0; i--) { /* features before what they are of */
        /* While a landing is looked for, what a feature has told may still join, but not if one tells that lands. */
        const int open = c->landing && !c->settles[i] && !mb_is_closed(plan, &c->contact[i], c->gap0[i]);
        const int joins = !c->acts[i] && !open;
        c->gap[i] = INFINITY;
        if (!c->rests[i] && (joins || c->rooms) && (c->contact[i].kind == MB_CONTACT_STOP || c->gap0[i] <= way))
            c->gap[i] = mb_contact_gap(plan, &c->contact[i], n1);
        if (joins && c->contact[i].room > 0 && c->gap[i] < 0 && !mb_contact_is_told(c, plan, c->gap, i))
            joined += mb_features_join(c, plan, i, n0, n1);
        if (joins) c->acts[i] = c->gap[i] < 0 && !mb_contact_is_told(c, plan, c->gap, i), joined += c->acts[i];
    }
    return joined;
}

void mb_contacts_place(mb_motion *m, const mb_node *n0, const mb_node *n1, double h)
{
    mb_contacts *c = m->contacts;
    const mb_place mean = mb_place_between(m, n0, n1);
    if (c->paired) {
        mb_pairs_place(m, n0, n1);
        return;
    }
    (void)mb_contacts_join(m, n0, n1, h);
    if (!mb_contacts_list(c)) c->refused = 1, c->acting = c->rows = 0;
    mb_contacts_rows(m, &mean);
}

void mb_contacts_wrench(const mb_contacts *c, mb_pair *f, double s, const double *x, int three)
{
    for (int a = 0; a < c->acting; a++) {
        const mb_contact *k = &c->contact[c->which[a]];
        for (int i = 0; i < k->rows; i++) {
            const double by = s * x[three ? 3 * c->which[a] + i : c->row_of[a] + i];
            for (int e = 0; e < 2; e++)
                for (int n = 0; n < 6; n++) f[k->body[e]].v[n] += by * c->row[2 * (c->row_of[a] + i) + e].v[n];
        }
    }
}

void mb_contacts_push(mb_motion *m, double h)
{
    mb_contacts_wrench(m->contacts, m->wrench, 1 / h, m->contacts->P, 1);
}

void mb_contacts_answer(mb_motion *m, const mb_place *at)
{
    const mb_plan *plan = m->plan;
    for (int b = 0; b < plan->bodies; b++) mb_part_product(&m->twist[b], &m->wrench[b], &at->mobility[b]);
    mb_ground_twists(plan, m->twist, NULL);
    mb_pull(plan, at->joints, m->y, m->twist, at->blocks);
    mb_forward(plan, at->S, at->factor, m->y);
}

void mb_contacts_impulse(mb_contacts *c, const double *x, int three)
{
    for (int a = 0; a < c->acting; a++) {
        const int i = c->which[a], r = c->row_of[a], along = c->contact[i].kind <= MB_CONTACT_DRY;
        for (int n = 0; n < c->contact[i].rows; n++) {
            const double by = x[three ? 3 * i + n : r + n];
            for (int k = 0; k < (along ? 1 : 3); k++)
                c->push[3 * i + k] += by * (along ? c->contact[i].side : c->row[2 * (r + n) + 1].v[k]);
        }
    }
}

void mb_contacts_account(mb_motion *m)
{
    for (int i = 0; i < LG_WORKS; i++)
        if (m->contacts->work[i] != 0) mb_did(m, (lg_work)i, m->contacts->work[i]);
}

void mb_contacts_velocities(const mb_contacts *c, double *u, const mb_pair *twist)
{
    for (int a = 0; a < c->acting; a++) {
        const mb_contact *k = &c->contact[c->which[a]];
        for (int i = c->row_of[a]; i < c->row_of[a] + k->rows; i++)
            u[i] = mb_dot6(c->row[2 * i].v, twist[k->body[0]].v) + mb_dot6(c->row[2 * i + 1].v, twist[k->body[1]].v);
    }
}

void mb_contacts_step_velocities(mb_motion *m, double *u)
{
    const mb_plan *plan = m->plan;
    for (int b = 0; b < plan->bodies; b++) {
        memcpy(m->twist[b].v, m->x.xi[b].v, 3 * sizeof *m->twist[b].v);
        mb_turn(m->twist[b].v + 3, m->mean_pose[b].R, m->x.xi[b].v + 3);
    }
    mb_ground_twists(plan, m->twist, m->led);
    mb_contacts_velocities(m->contacts, u, m->twist);
}

/* m->wrench without what the joints of this place take, whose answer m->y becomes their impulses. */
static void take_up(mb_motion *m, const mb_place *at)
{
    mb_backward(m->plan, at->S, at->factor, m->y);
    mb_push(m->plan, at->joints, m->wrench, -1, m->y, at->blocks);
}

double mb_contacts_shift(mb_motion *m, double s)
{
    const mb_plan *plan = m->plan;
    double change = 0;
    for (int b = 0; b < plan->bodies; b++) {
        double t[3], d[6];
        mb_back(t, m->mean_pose[b].R, m->wrench[b].v + 3);
        mb_inverse_inertia(plan, b, d + 3, t);
        for (int k = 0; k < 3; k++) d[k] = s * m->wrench[b].v[k] / plan->mass[b], d[3 + k] *= s;
        for (int k = 0; k < 6; k++) {
            m->x.xi[b].v[k] += d[k];
            change += (k < 3 ? plan->mass[b] : plan->inertia[9 * b + 4 * (k - 3)]) * d[k] * d[k];
        }
    }
    return change;
}

/* xi, mu and l follow the impulses dP, of rows; returns |d xi|^2 in the metric. */
static double follow(mb_motion *m, const mb_place *mean, const double *dP, double h)
{
    mb_contacts *c = m->contacts;
    const mb_plan *plan = m->plan;
    mb_clear(m->wrench, mb_frames(plan) - 1);
    mb_contacts_wrench(c, m->wrench, 1, dP, 0);
    mb_contacts_answer(m, mean), take_up(m, mean);
    for (int i = 0; i < plan->holonomic_rows; i++) m->x.mu[i] += m->y[i] / h;
    if (c->place.rows > mean->rows) {
        mb_contacts_answer(m, &c->place);
        for (int i = 0; i < plan->rows; i++) m->x.l[i] -= m->y[i] / h;
        take_up(m, &c->place);
    }
    return mb_contacts_shift(m, 0.5);
}

/* The tangents of a viscous contact get the impulse -c P_n u_t, with P_n of the sweep before and what it changes of
 * u_t: P_t = -(W_tt + 1/(c P_n))^-1 (u_t - W_tt P_t). Relations with these, as many as this returns. */
static int slide(mb_contacts *c)
{
    int count = 0, viscous = 0;
    for (int a = 0; a < c->acting; a++) viscous |= c->contact[c->which[a]].viscous > 0;
    if (!viscous) return c->acting;
    for (int a = 0; a < c->acting; a++) {
        const mb_contact *k = &c->contact[c->which[a]];
        const double *W = c->kernel->local + MB_NCP_BLOCK * a;
        const int r = c->row_of[a];
        if (!(k->viscous > 0)) continue;
        const double soft = 1 / (k->viscous * c->x[r]), xx = W[4] + soft, yy = W[8] + soft, xy = W[5];
        const double bx = c->u[r + 1] - W[4] * c->x[r + 1] - xy * c->x[r + 2];
        const double by = c->u[r + 2] - xy * c->x[r + 1] - W[8] * c->x[r + 2];
        const int slides = c->x[r] > 0;
        c->x[r + 1] = slides ? -(yy * bx - xy * by) / (xx * yy - xy * xy) : 0;
        c->x[r + 2] = slides ? -(xx * by - xy * bx) / (xx * yy - xy * xy) : 0;
    }
    memcpy(c->relation_of, c->relation, sz(c->acting) * sizeof *c->relation);
    for (int a = 0; a < c->acting; a++) {
        const mb_ncp_contact own = c->relation_of[a];
        const int given = c->contact[c->which[a]].viscous > 0;
        c->relation[count] = own;
        if (given) c->relation[count].rows = 1;
        count++;
        for (int n = 1; n < own.rows && given; n++)
            c->relation[count++] = (mb_ncp_contact){own.at + n, 1, 0, c->x[own.at + n], c->x[own.at + n]};
    }
    return count;
}

/* The gap that a step may use up. What is deeper than rounding is not pushed out, which would take work. */
static double aim(const mb_plan *plan, const mb_contacts *c, int i)
{
    return c->gap0[i] > -MB_CLOSED * plan->reach ? c->gap0[i] : 0;
}

double mb_contacts_correct(mb_motion *m, const mb_node *n0, const mb_node *n1, double h, double size)
{
    mb_contacts *c = m->contacts;
    if (c->refused) return NAN;
    if (c->acting == 0) return 0;
    const mb_place mean = mb_place_between(m, n0, n1), answer = answer_of(m, n1, mean);
    if ((c->refused = !mb_contacts_operator(m, &answer))) return NAN;
    for (int a = 0; a < c->acting; a++)
        for (int n = 0; n < c->contact[c->which[a]].rows; n++) c->x[c->row_of[a] + n] = c->P[3 * c->which[a] + n];
    memcpy(c->v, c->x, sz(c->rows) * sizeof *c->v);
    mb_contacts_step_velocities(m, c->u);
    c->kernel->apply(c->kernel, c->b, c->x);
    for (int i = 0; i < c->rows; i++) c->b[i] = c->u[i] - c->b[i];
    for (int a = 0; a < c->acting; a++) {
        const int i = c->which[a];
        const mb_contact *k = &c->contact[i];
        mb_ncp_contact *q = &c->relation[a];
        if (k->kind == MB_CONTACT_DRY)
            q->low = -k->bound * h, q->high = k->bound * h;
        else
            c->b[q->at] += aim(m->plan, c, i) / (c->gap0[i] > 0 ? h : fmax(h, c->whole));
    }
    const int relations = slide(c);
    if (c->refused || !mb_contacts_solve(m, relations, h, sqrt(size / m->plan->whole_mass))) {
        c->refused = 1;
        return NAN;
    }
    for (int a = 0; a < c->acting; a++)
        for (int n = 0; n < c->contact[c->which[a]].rows; n++) c->P[3 * c->which[a] + n] = c->x[c->row_of[a] + n];
    for (int i = 0; i < c->rows; i++) c->v[i] = c->x[i] - c->v[i];
    return follow(m, &mean, c->v, h);
}
