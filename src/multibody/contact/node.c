/* SPDX-License-Identifier: BSD-3-Clause */
/* Contacts at a node. The impulses P of a step leave velocities of its end that go to and fro from step to step. Q puts
 * them right, p_1 = p^+ + A_c^T Q, with R = P + Q:
 *
 *   0 <= R_n, u_n >= 0 and one of them 0;    |R_t| <= mu R_n, opposite to u_t, or Q_t = 0 where it slides on.
 *
 * The impulses of an impact are those of another such problem. Both do the work Q.(u^+ + u_1)/2, since the rows of
 * joints are satisfied before and after. */
#include "multibody/contact/sweeps.h"

#include <math.h>
#include <string.h>

#include "groups/rotation.h"

enum { MB_TURNS_A_CONTACT = 200 }; /* of sequential impacts, before they are given up */

/* ---- the problem at a node ---- */

/* Rows at the node of what acts, W, and the velocities u of the momenta there. 0: there is no room. */
static int look(mb_motion *m, const mb_node *n)
{
    mb_contacts *c = m->contacts;
    const mb_place at = mb_place_at(m, n);
    if (!mb_contacts_list(c)) return 0;
    mb_contacts_rows(m, &at);
    if (!mb_contacts_operator(m, &at)) return 0;
    mb_contacts_twists(m, n);
    mb_contacts_velocities(c, c->u, m->twist);
    return 1;
}

/* The works of moving ground and of drives where the rows of joints have the impulses -y. */
static void led_works(mb_motion *m, const mb_node *n)
{
    mb_contacts *c = m->contacts;
    const mb_plan *plan = m->plan;
    mb_clear(m->twist, mb_frames(plan) - 1);
    mb_ground_twists(plan, m->twist, n->given);
    mb_pull(plan, n->rows.row, c->led, m->twist, plan->blocks);
    for (int i = 0; i < plan->rows; i++)
        if (i < plan->holonomic_rows)
            c->work[LG_WORK_DRIVES] += m->y[i] * c->led[i];
        else
            c->work[LG_WORK_GROUND] -= m->y[i] * (n->drift[i] - c->led[i]);
}

/* p += row^T Q, with what the joints answer, as forces that act as long as `span`. */
static void push(mb_motion *m, mb_node *n, const double *Q, double span)
{
    mb_contacts *c = m->contacts;
    const mb_plan *plan = m->plan;
    mb_clear(m->wrench, mb_frames(plan) - 1);
    mb_contacts_wrench(c, m->wrench, 1, Q, 0);
    mb_contacts_impulse(c, Q, 0);
    mb_contacts_answer(m, &c->place);
    for (int i = 0; i < plan->rows; i++) c->node[i] -= m->y[i] / span;
    mb_backward(plan, &plan->node, n->factor, m->y);
    mb_push(plan, n->rows.row, m->wrench, -1, m->y, plan->blocks);
    for (int b = 0; b < plan->bodies; b++)
        for (int k = 0; k < 6; k++) n->p[b].v[k] += m->wrench[b].v[k];
    if (plan->drives > 0 || plan->drifts) led_works(m, n);
}

/* v <- u + W x. */
static void answer(const mb_contacts *c, double *v, const double *x)
{
    c->kernel->apply(c->kernel, v, x);
    for (int i = 0; i < c->rows; i++) v[i] += c->u[i];
}

/* ---- the end of a step ---- */

/* c->v: the velocities c->u of rows, with those of centres of mass as their positions are rounded. */
static void rounded_velocities(mb_motion *m, const mb_node *n0, const mb_node *n1, double h)
{
    mb_contacts *c = m->contacts;
    memcpy(c->v, c->u, sz(c->rows) * sizeof *c->v);
    for (int a = 0; a < c->acting; a++) {
        const mb_contact *k = &c->contact[c->which[a]];
        for (int i = c->row_of[a]; i < c->row_of[a] + k->rows; i++)
            for (int s = 0; s < 2; s++) {
                const int b = k->body[s];
                for (int x = 0; x < 3 && b < m->plan->bodies; x++)
                    c->v[i] += c->row[2 * i + s].v[x] * ((n1->pose[b].r[x] - n0->pose[b].r[x]) / h - m->x.xi[b].v[x]);
            }
    }
}

/* 1: it did not slip in the step. */
static int stuck(const mb_contact *k, const double *P, double h)
{
    if (k->kind == MB_CONTACT_DRY) return fabs(P[0]) < k->bound * h * (1 - 1e-9);
    return k->rows > 1 && lg_length(P + 1, 2) < k->friction * P[0] * (1 - 1e-9);
}

/* How what moved freely at `begins` would have come to the end, by the acceleration of the step without its impulse:
 * whether it was open and came down fast, and when it turned if an impact had thrown it up. */
static void look_back(mb_contacts *c, int a, double begins, int open, double h)
{
    const int i = c->which[a];
    const double mean = open ? -c->gap0[i] / h : 0,
                 change = mean - c->kernel->local[MB_NCP_BLOCK * a] * c->P[3 * i] - begins;
    if (open)
        c->landed |= fmax(fmax(-mean, -begins), sqrt(fmax(0, begins * begins + 4 * change * mean))) > c->capture;
    else if (begins > c->capture)
        c->apex = fmin(c->apex, -0.5 * h * begins / change);
}

/* The works of P, and whether what was open came down fast. What is at rest has velocities of round-off that its
 * positions do not follow: the potential energy does not know of them, and the works of what holds it must not. */
static void account(mb_motion *m, const mb_node *n0, const mb_node *n1, double h)
{
    mb_contacts *c = m->contacts;
    const mb_plan *plan = m->plan;
    mb_contacts_step_velocities(m, c->u);
    rounded_velocities(m, n0, n1, h);
    for (int a = 0; a < c->acting; a++) {
        const int i = c->which[a], r = c->row_of[a];
        const mb_contact *k = &c->contact[i];
        const double *P = c->P + 3 * i;
        const int sticks = stuck(k, P, h), dry = k->kind == MB_CONTACT_DRY;
        for (int n = 0; n < k->rows; n++) {
            const int normal = n == 0 && !dry;
            c->work[normal ? LG_WORK_LANDING : LG_WORK_FRICTION] += P[n] * (normal || sticks ? c->v : c->u)[r + n];
        }
        const int open = !mb_is_closed(plan, k, c->gap0[i]);
        if (!dry && (open || c->struck) && P[0] > 0) look_back(c, a, mb_contact_rate(m, k, n0), open, h);
    }
}

double mb_contact_rate(mb_motion *m, const mb_contact *k, const mb_node *n)
{
    const mb_plan *plan = m->plan;
    const mb_site site = {NULL, n->pose, n->pose, n->pose, n->q, n->q, NULL};
    mb_pair row[MB_CONTACT_PARTS];
    double rate = 0, w[3];
    mb_contact_rows(plan, k, row, &site);
    for (int s = 0; s < 2; s++) {
        const int b = k->body[s];
        if (b >= plan->bodies) {
            rate += mb_dot6(row[s].v, n->given[b - plan->bodies].v);
            continue;
        }
        mb_mobile(w, &n->mobility[b], n->p[b].v + 3);
        rate += n->mobility[b].inverse_mass * mb_dot(row[s].v, n->p[b].v) + mb_dot(row[s].v + 3, w);
    }
    return rate;
}

/* 1: it slides on through the node, in the direction in which it slid in the step (mean), and P_t stays what it is. */
static int slides_on(const mb_contacts *c, int a, const double *mean)
{
    const int i = c->which[a], r = c->row_of[a];
    const mb_contact *k = &c->contact[i];
    const double *P = c->P + 3 * i, *W = c->kernel->local + MB_NCP_BLOCK * a;
    if (k->kind == MB_CONTACT_DRY)
        return fabs(P[0]) >= k->bound * c->length * (1 - 1e-12) && c->u[r] * mean[3 * i] > 0 && P[0] * mean[3 * i] <= 0;
    if (k->viscous > 0) return 1;
    const double *u = mean + 3 * i + 1, speed = lg_length(u, 2), pull = lg_length(P + 1, 2);
    const double most = fmax(W[4], W[8]);
    return pull >= k->friction * P[0] * (1 - 1e-9) && u[0] * c->u[r + 1] + u[1] * c->u[r + 2] > 0 &&
           k->friction * P[0] * most <= 0.5 * speed;
}

/* The relations at the node, as many as this returns. */
static int relate(mb_contacts *c, const double *mean)
{
    int count = 0;
    for (int a = 0; a < c->acting; a++) {
        const int i = c->which[a], r = c->row_of[a];
        const mb_contact *k = &c->contact[i];
        const double *P = c->P + 3 * i, most = k->bound * c->length;
        const int given = (k->rows > 1 || k->kind == MB_CONTACT_DRY) && slides_on(c, a, mean);
        if (k->kind == MB_CONTACT_DRY) {
            c->relation[count++] = (mb_ncp_contact){r, 1, 0, given ? P[0] : -most, given ? P[0] : most};
            continue;
        }
        const int whole = k->rows > 1 && !given;
        c->relation[count++] = (mb_ncp_contact){r, whole ? k->rows : 1, whole ? k->friction : 0, 0, INFINITY};
        for (int n = 1; n < k->rows && given; n++) c->relation[count++] = (mb_ncp_contact){r + n, 1, 0, P[n], P[n]};
    }
    return count;
}

/* x <- Q, less of its tangents where friction, whose disc moves with the normal impulses, would do work: none of
 * Q.(u + W Q/2) with Q = Q_n + s Q_t. */
static void guard(mb_contacts *c)
{
    double a = 0, b = 0, d = 0, s = 0;
    double *normal = c->v, *tangent = c->u0;
    memset(normal, 0, sz(c->rows) * sizeof *normal), memset(tangent, 0, sz(c->rows) * sizeof *tangent);
    for (int k = 0; k < c->acting; k++)
        for (int n = 0; n < c->contact[c->which[k]].rows; n++) {
            const int i = c->row_of[k] + n;
            *(n == 0 ? normal + i : tangent + i) = c->x[i];
        }
    c->kernel->apply(c->kernel, c->b, normal);
    for (int i = 0; i < c->rows; i++) {
        a += normal[i] * (c->u[i] + 0.5 * c->b[i]);
        b += tangent[i] * (c->u[i] + c->b[i]);
    }
    c->kernel->apply(c->kernel, c->b, tangent);
    for (int i = 0; i < c->rows; i++) d += 0.5 * tangent[i] * c->b[i];
    if (!(a + b + d > 0)) return;
    if (a <= 0 && d > 0) s = fmax(0, (sqrt(b * b - 4 * a * d) - b) / (2 * d));
    for (int i = 0; i < c->rows; i++) c->x[i] = a > 0 ? 0 : normal[i] + fmin(s, 1) * (1 - 1e-12) * tangent[i];
}

/* The first contact of two shapes that overlap at the end; -1: none. Before a landing what is open does not act. */
static int overlapping(const mb_contacts *c, const mb_plan *plan)
{
    for (int i = 0; i < c->count; i++) {
        const mb_contact *k = &c->contact[i];
        if (k->shape[0] == NULL || k->shape[1] == NULL || c->gap[i] >= -MB_OVERLAP * plan->reach) continue;
        if (c->landing == MB_LANDING_NONE || mb_is_closed(plan, k, c->gap0[i])) return i;
    }
    return -1;
}

int mb_contacts_arrive(mb_motion *m, const mb_node *n0, mb_node *n1, double h)
{
    mb_contacts *c = m->contacts;
    const mb_plan *plan = m->plan;
    double *mean = c->R; /* velocities in the step, until they are read */
    account(m, n0, n1, h);
    mb_contacts_impulse(c, c->P, 1);
    for (int a = 0; a < c->acting; a++)
        for (int n = 0; n < c->contact[c->which[a]].rows; n++) mean[3 * c->which[a] + n] = c->u[c->row_of[a] + n];
    for (int i = c->count - 1; i >= 0; i--) { /* features before what they are of */
        const int acted = c->acts[i];
        c->gap[i] = mb_contact_gap(plan, &c->contact[i], n1);
        /* What comes to the surface at the node, and no earlier, is left to an impact there or to the next step. */
        const int touched = mb_is_closed(plan, &c->contact[i], c->gap0[i]) || (acted && c->P[3 * i] > 0);
        c->acts[i] = c->contact[i].kind == MB_CONTACT_DRY ||
                     (!c->rests[i] && touched && mb_is_closed(plan, &c->contact[i], c->gap[i]) &&
                      !mb_contact_is_told(c, plan, c->gap, i));
        if (!acted) memset(mean + 3 * i, 0, 3 * sizeof *mean);
    }
    if (c->landing == MB_LANDING_TRIAL) return 0;
    if ((c->overlaps = overlapping(c, plan)) >= 0) return c->refused = 1;
    if (c->paired) {
        mb_pairs_arrive(m, n0, n1, h);
        return 0;
    }
    if (!look(m, n1)) return c->refused = 1;
    if (c->rows == 0) return 0;
    for (int a = 0; a < c->acting; a++)
        for (int n = 0; n < c->contact[c->which[a]].rows; n++) c->x[c->row_of[a] + n] = c->P[3 * c->which[a] + n];
    c->kernel->apply(c->kernel, c->b, c->x);
    for (int i = 0; i < c->rows; i++) c->b[i] = c->u[i] - c->b[i];
    const int relations = relate(c, mean);
    if (!mb_contacts_solve(m, relations, h, 0)) return c->refused = 1;
    for (int a = 0; a < c->acting; a++)
        for (int n = 0; n < c->contact[c->which[a]].rows; n++) c->x[c->row_of[a] + n] -= c->P[3 * c->which[a] + n];
    guard(c);
    answer(c, c->b, c->x);
    for (int i = 0; i < c->rows; i++) c->work[LG_WORK_NODE] += 0.5 * c->x[i] * (c->u[i] + c->b[i]);
    push(m, n1, c->x, h);
    return 0;
}

/* ---- impacts ---- */

/* Adds the works of impulses x, which change u to b, and what they gain beyond rounding. */
static void lose(mb_contacts *c, const double *x)
{
    double gain = 0, size = 0;
    for (int a = 0; a < c->acting; a++)
        for (int n = 0; n < c->contact[c->which[a]].rows; n++) {
            const int i = c->row_of[a] + n;
            const double work = 0.5 * x[i] * (c->u[i] + c->b[i]);
            c->work[n > 0 ? LG_WORK_IMPACT_FRICTION : LG_WORK_IMPACT_NORMAL] += work;
            gain += work, size += fabs(x[i] * c->u[i]);
        }
    if (gain > 1e-12 * size) c->gained += gain;
}

static double restitution_of(const mb_contacts *c, int a)
{
    return c->u[c->row_of[a]] < -c->capture ? c->contact[c->which[a]].restitution : 0;
}

static void relate_impact(mb_contacts *c, const double *compression, double scale, int alone)
{
    for (int a = 0; a < c->acting; a++) {
        const mb_contact *k = &c->contact[c->which[a]];
        const int out = alone >= 0 && a != alone;
        const double least = !out && compression != NULL ? scale * restitution_of(c, a) * compression[c->row_of[a]] : 0;
        c->relation[a] =
            (mb_ncp_contact){c->row_of[a], k->rows, k->rows > 1 && !out ? k->friction : 0, least, out ? 0 : INFINITY};
    }
}

/* Compression until nothing approaches, then an expansion whose normal impulses are at least e times those. Friction
 * may make it gain energy: then e is smaller. alone >= 0: one contact takes part. */
static int poisson(mb_motion *m, int alone)
{
    mb_contacts *c = m->contacts;
    double *Pc = c->compression;
    memcpy(c->b, c->u, sz(c->rows) * sizeof *c->b);
    memset(c->x, 0, sz(c->rows) * sizeof *c->x);
    relate_impact(c, NULL, 0, alone);
    if (!mb_contacts_solve(m, c->acting, 0, 0)) return 1;
    memcpy(Pc, c->x, sz(c->rows) * sizeof *Pc);
    for (double scale = 1; scale > 1e-3; scale *= 0.5) {
        double gain = 0, size = 0;
        answer(c, c->b, Pc);
        relate_impact(c, Pc, scale, alone);
        for (int a = 0; a < c->acting; a++)
            for (int n = 0; n < c->contact[c->which[a]].rows; n++)
                c->x[c->row_of[a] + n] = n == 0 ? c->relation[a].low : 0;
        if (!mb_contacts_solve(m, c->acting, 0, 0)) return 1;
        for (int i = 0; i < c->rows; i++) c->x[i] += Pc[i];
        answer(c, c->b, c->x);
        for (int i = 0; i < c->rows; i++) gain += 0.5 * c->x[i] * (c->u[i] + c->b[i]), size += fabs(c->x[i] * c->u[i]);
        if (gain <= 1e-14 * size) break;
    }
    return 0;
}

/* u_n after it is at least -e times u_n before. */
static int newton(mb_motion *m)
{
    mb_contacts *c = m->contacts;
    memcpy(c->b, c->u, sz(c->rows) * sizeof *c->b);
    memset(c->x, 0, sz(c->rows) * sizeof *c->x);
    for (int a = 0; a < c->acting; a++) c->b[c->row_of[a]] += restitution_of(c, a) * c->u[c->row_of[a]];
    relate_impact(c, NULL, 0, -1);
    if (!mb_contacts_solve(m, c->acting, 0, 0)) return 1;
    answer(c, c->b, c->x);
    return 0;
}

/* One contact after the other, the fastest first. */
static int sequential(mb_motion *m)
{
    mb_contacts *c = m->contacts;
    double *sum = c->v, scale = 0;
    memset(sum, 0, sz(c->rows) * sizeof *sum);
    memcpy(c->u0, c->u, sz(c->rows) * sizeof *c->u0);
    for (int a = 0; a < c->acting; a++) scale = fmax(scale, -c->u[c->row_of[a]]);
    for (int turn = 0; turn < MB_TURNS_A_CONTACT * (c->acting + 1); turn++) {
        int fastest = -1;
        double approach = fmax(1e-13 * scale, turn == 0 ? 0 : 1e-3 * c->capture);
        for (int a = 0; a < c->acting; a++)
            if (-c->u[c->row_of[a]] > approach) approach = -c->u[c->row_of[a]], fastest = a;
        if (fastest < 0) {
            memcpy(c->x, sum, sz(c->rows) * sizeof *sum);
            memcpy(c->b, c->u, sz(c->rows) * sizeof *c->b);
            memcpy(c->u, c->u0, sz(c->rows) * sizeof *c->u);
            return 0;
        }
        if (poisson(m, fastest)) return 1;
        for (int i = 0; i < c->rows; i++) sum[i] += c->x[i];
        memcpy(c->u, c->b, sz(c->rows) * sizeof *c->u);
    }
    return 1;
}

/* Of many rows, only those of components in which something approaches faster than the capture speed act. 0: they do
 * already. */
static int leave_out(mb_motion *m)
{
    mb_contacts *c = m->contacts;
    int left = 0;
    if (c->rows <= MB_DENSE_ROWS || !mb_is_free(m->plan)) return 0;
    mb_components_find(c, m->plan);
    for (int a = 0; a < c->acting; a++)
        if (c->u[c->row_of[a]] < -c->capture) mb_components_mark(c, m->plan, c->which[a]);
    for (int a = 0; a < c->acting; a++)
        if (!mb_components_has(c, m->plan, c->which[a])) c->acts[c->which[a]] = 0, left = 1;
    return left;
}

int mb_contacts_strike(mb_motion *m, mb_node *n, double whole)
{
    mb_contacts *c = m->contacts;
    double fastest = 0;
    memset(c->work, 0, sizeof c->work);
    memset(c->push, 0, 3 * sz(c->count) * sizeof *c->push);
    c->struck = 0;
    mb_contacts_meet(c, n);
    for (int i = c->count - 1; i >= 0; i--) { /* features before what they are of */
        c->gap[i] = mb_contact_gap(m->plan, &c->contact[i], n);
        c->acts[i] = mb_is_closed(m->plan, &c->contact[i], c->gap[i]) && !mb_contact_rests(&c->contact[i], n) &&
                     !mb_contact_is_told(c, m->plan, c->gap, i);
    }
    const int faces = mb_faces_meet(m, n);
    memset(c->node, 0, sz(m->plan->rows) * sizeof *c->node);
    if (!look(m, n)) return 1;
    for (int a = 0; a < c->acting; a++) fastest = fmax(fastest, -c->u[c->row_of[a]]);
    if (!(fastest > c->capture)) return 0;
    if (leave_out(m) && !look(m, n)) return 1;
    if (c->law == LG_IMPACT_NEWTON ? newton(m) : c->law == LG_IMPACT_SEQUENTIAL ? sequential(m) : poisson(m, -1))
        return !faces; /* these come to lie without an impact */
    lose(c, c->x);
    push(m, n, c->x, whole);
    c->impacts++, c->struck = 1;
    return 0;
}
