/* SPDX-License-Identifier: BSD-3-Clause */
/* The operator W = f G_c J^-1 Pi G_c^T of the rows that act (solver/problem.h): a matrix for few rows, and the graph of
 * bodies and joints for many. */
#include "multibody/contact/sweeps.h"

#include <string.h>

/* More off-diagonal blocks of the factor than this for each body and joint are no sparse problem. */
enum { MB_FILL_MOST = 32 };

static int vertices_of(const mb_plan *plan)
{
    return plan->bodies + plan->blocks;
}

void mb_contacts_operator_take(mb_contacts *c, lg_arena *a, const mb_plan *plan)
{
    const int n = vertices_of(plan), dense = c->rows_most < MB_DENSE_ROWS ? c->rows_most : MB_DENSE_ROWS;
    c->y = lg_take_doubles(a, sz(dense) * (sz(plan->rows) + 1));
    c->W = lg_take_doubles(a, sz(dense) * sz(dense));
    mb_ncp_dense_take(&c->dense, a, dense);
    if (c->rows_most == dense) return;
    c->body = lg_take(a, sz(plan->bodies) * sizeof *c->body);
    c->joint = lg_take(a, sz(plan->blocks) * sizeof *c->joint);
    c->side = lg_take(a, sz(c->rows_most) * sizeof *c->side);
    const int most = n < MB_FILL_MOST ? n * (n - 1) : MB_FILL_MOST * n;
    mb_ncp_sparse_take(&c->sparse, a, plan->bodies, c->rows_most, plan->blocks, most);
}

/* ---- a matrix ---- */

/* y = L^-1 A J^-1 row^T of the rows that act, A being those of joints. */
static void joints_answer(mb_motion *m, const mb_place *at)
{
    mb_contacts *c = m->contacts;
    const mb_plan *plan = m->plan;
    const size_t stride = sz(plan->rows) + 1;
    mb_clear(m->twist, mb_frames(plan) - 1);
    for (int a = 0; a < c->acting && at->blocks > 0; a++) {
        const mb_contact *k = &c->contact[c->which[a]];
        for (int i = c->row_of[a]; i < c->row_of[a] + k->rows; i++) {
            double *y = c->y + sz(i) * stride;
            for (int s = 0; s < 2; s++) m->twist[k->body[s]] = c->product[2 * i + s];
            mb_pull(plan, at->joints, y, m->twist, at->blocks);
            mb_forward(plan, at->S, at->factor, y);
            for (int s = 0; s < 2; s++) memset(&m->twist[k->body[s]], 0, sizeof *m->twist);
        }
    }
}

/* W = f (G_c J^-1 G_c^T - Y^T Y). */
void mb_contacts_matrix(mb_motion *m, const mb_place *at)
{
    mb_contacts *c = m->contacts;
    const size_t stride = sz(m->plan->rows) + 1;
    joints_answer(m, at);
    for (int a = 0; a < c->acting; a++)
        for (int e = 0; e <= a; e++) {
            const mb_contact *p = &c->contact[c->which[a]], *q = &c->contact[c->which[e]];
            for (int i = c->row_of[a]; i < c->row_of[a] + p->rows; i++)
                for (int k = c->row_of[e]; k < c->row_of[e] + q->rows; k++) {
                    double w = -small_dot(at->rows, c->y + sz(i) * stride, c->y + sz(k) * stride);
                    for (int s = 0; s < 4; s++)
                        if (p->body[s / 2] == q->body[s % 2])
                            w += mb_dot6(c->row[2 * i + s / 2].v, c->product[2 * k + s % 2].v);
                    c->W[i * c->rows + k] = c->W[k * c->rows + i] = at->f * w;
                }
        }
}

/* ---- the graph of bodies ---- */

/* R I R^T from its inverse. */
static void inertia_of(double *I, const double *t)
{
    I[0] = t[1] * t[2] - t[5] * t[5], I[1] = t[0] * t[2] - t[4] * t[4], I[2] = t[0] * t[1] - t[3] * t[3];
    I[3] = t[4] * t[5] - t[3] * t[2], I[4] = t[3] * t[5] - t[4] * t[1], I[5] = t[3] * t[4] - t[5] * t[0];
    const double det = t[0] * I[0] + t[3] * I[3] + t[4] * I[4];
    for (int k = 0; k < 6; k++) I[k] /= det;
}

static void make_graph(mb_motion *m, const mb_place *at)
{
    mb_contacts *c = m->contacts;
    const mb_plan *plan = m->plan;
    c->joints = 0;
    for (int b = 0; b < plan->bodies; b++) {
        c->body[b].mass = plan->mass[b];
        inertia_of(c->body[b].inertia, at->mobility[b].turn);
    }
    for (int e = 0; e < at->blocks; e++) {
        const mb_block *k = &plan->block[e];
        if (k->rows == 0) continue;
        mb_ncp_rows *j = &c->joint[c->joints++];
        *j = (mb_ncp_rows){.rows = k->rows, .sides = k->sides, .part = at->joints[k->part].v};
        memcpy(j->body, k->body, sizeof j->body);
    }
}

static int set_graph(mb_motion *m, const mb_place *at, int relations)
{
    mb_contacts *c = m->contacts;
    for (int i = 0, a = 0; i < relations; i++) {
        const int row = c->relation[i].at;
        while (a + 1 < c->acting && c->row_of[a + 1] <= row) a++;
        const mb_contact *k = &c->contact[c->which[a]];
        c->side[i] = (mb_ncp_rows){
            .rows = c->relation[i].rows, .sides = 2, .body = {k->body[0], k->body[1]}, .part = c->row[2 * row].v};
    }
    const mb_ncp_system system = {.bodies = m->plan->bodies,
                                  .contacts = relations,
                                  .joints = c->joints,
                                  .body = c->body,
                                  .contact = c->side,
                                  .joint = c->joint,
                                  .factor = at->f};
    return mb_ncp_sparse_set(&c->sparse, &system, c->relation) == MB_NCP_FITS;
}

/* ---- the operator ---- */

int mb_contacts_set(mb_motion *m, int relations)
{
    mb_contacts *c = m->contacts;
    if (c->set == relations) return 1;
    c->set = relations;
    if (c->rows <= MB_DENSE_ROWS) {
        mb_ncp_dense_set(&c->dense, c->W, c->relation, relations);
        c->kernel = &c->dense.kernel;
        return 1;
    }
    c->kernel = &c->sparse.kernel;
    return set_graph(m, &c->place, relations);
}

int mb_contacts_operator(mb_motion *m, const mb_place *at)
{
    mb_contacts *c = m->contacts;
    c->place = *at, c->set = -1;
    if (c->rows <= MB_DENSE_ROWS)
        mb_contacts_matrix(m, at);
    else
        make_graph(m, at);
    for (int a = 0; a < c->acting; a++) {
        const mb_contact *k = &c->contact[c->which[a]];
        c->relation[a] = (mb_ncp_contact){c->row_of[a], k->rows, k->rows > 1 ? k->friction : 0, 0, INFINITY};
    }
    return mb_contacts_set(m, c->acting);
}
