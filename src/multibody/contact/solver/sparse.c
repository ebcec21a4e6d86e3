/* SPDX-License-Identifier: BSD-3-Clause */
#include "multibody/contact/solver/sparse.h"

#include <math.h>
#include <string.h>

static mb_ncp_sparse *of(mb_ncp_kernel *kernel)
{
    return (mb_ncp_sparse *)(void *)kernel;
}

static double dot6(const double *a, const double *b)
{
    const mb_twin *x = (const mb_twin *)a, *y = (const mb_twin *)b, sum = x[0] * y[0] + x[1] * y[1] + x[2] * y[2];
    return sum[0] + sum[1];
}

/* f += G^T P of one entry. */
static void push(const mb_ncp_sparse *s, double *f, const mb_ncp_rows *g, const double *P)
{
    for (int side = 0; side < g->sides; side++) {
        if (g->body[side] >= s->system.bodies) continue;
        double *to = f + 6 * g->body[side];
        for (int k = 0; k < g->rows; k++) mb_add6(to, P[k], g->part + 6 * (k * g->sides + side));
    }
}

/* u = G v of one entry. */
static void pull(const mb_ncp_sparse *s, double *u, const mb_ncp_rows *g, const double *v)
{
    for (int k = 0; k < g->rows; k++) {
        u[k] = 0;
        for (int side = 0; side < g->sides; side++)
            if (g->body[side] < s->system.bodies)
                u[k] += dot6(g->part + 6 * (k * g->sides + side), v + 6 * g->body[side]);
    }
}

/* v <- f J^-1 v of one body. */
static void mobile(const mb_ncp_sparse *s, double *v, int body)
{
    const double *T = s->inverse + 6 * body, x = v[3], y = v[4], z = v[5];
    for (int k = 0; k < 3; k++) v[k] *= s->system.factor / s->system.body[body].mass;
    v[3] = T[0] * x + T[3] * y + T[4] * z;
    v[4] = T[3] * x + T[1] * y + T[5] * z;
    v[5] = T[4] * x + T[5] * y + T[2] * z;
}

/* ---- the operations ---- */

static void gather(const mb_ncp_sparse *s, double *x, const double *P)
{
    memset(x, 0, 6 * sz(s->graph.count) * sizeof *x);
    for (int i = 0; i < s->system.contacts; i++) push(s, x, &s->system.contact[i], P + s->contact[i].at);
}

static void apply(mb_ncp_kernel *kernel, double *u, const double *P)
{
    const mb_ncp_sparse *s = of(kernel);
    gather(s, s->x, P);
    if (s->system.joints > 0) mb_blocks_solve(&s->free, &s->graph, s->x);
    for (int b = 0; b < s->system.bodies && s->system.joints == 0; b++) mobile(s, s->x + 6 * b, b);
    for (int i = 0; i < s->system.contacts; i++) pull(s, u + s->contact[i].at, &s->system.contact[i], s->x);
}

/* M += G_p^T K G_q over the parts of two sides of a contact, whose rows times K are T. */
static void add_block(double *M, const mb_ncp_rows *g, int p, double (*T)[6])
{
    for (int k = 0; k < g->rows; k++) {
        const double *part = g->part + 6 * (k * g->sides + p);
        for (int r = 0; r < 6; r++) mb_add6(M + 6 * r, part[r], T[k]);
    }
}

static void add_contact(const mb_ncp_sparse *s, int i)
{
    const mb_ncp_rows *g = &s->system.contact[i];
    const double *K = s->K + MB_NCP_BLOCK * i;
    for (int q = 0; q < g->sides; q++) {
        double T[3][6] = {{0}};
        if (g->body[q] >= s->system.bodies) continue;
        for (int a = 0; a < g->rows; a++)
            for (int b = 0; b < g->rows; b++) mb_add6(T[a], K[3 * a + b], g->part + 6 * (b * g->sides + q));
        for (int p = 0; p < g->sides; p++)
            if (g->body[p] < s->system.bodies)
                add_block(mb_block_of(&s->held, &s->graph, g->body[p], g->body[q]), g, p, T);
    }
}

/* [J/f, A^T; A, 0]. */
static void add_bodies(const mb_ncp_sparse *s, mb_blocks *m)
{
    static const int at[6] = {21, 28, 35, 22, 23, 29}, mirrored[6] = {21, 28, 35, 27, 33, 34};
    const mb_ncp_system *system = &s->system;
    for (int b = 0; b < system->bodies; b++) {
        double *D = m->diagonal + MB_BLOCK * b;
        for (int k = 0; k < 3; k++) D[7 * k] = system->body[b].mass / system->factor;
        for (int k = 0; k < 6; k++) D[at[k]] = D[mirrored[k]] = system->body[b].inertia[k] / system->factor;
    }
    for (int j = 0; j < system->joints; j++) {
        const mb_ncp_rows *g = &system->joint[j];
        const int vertex = system->bodies + j;
        for (int side = 0; side < g->sides; side++) {
            if (g->body[side] >= system->bodies) continue;
            double *below = mb_block_of(m, &s->graph, vertex, g->body[side]);
            double *beside = mb_block_of(m, &s->graph, g->body[side], vertex);
            for (int k = 0; k < g->rows; k++)
                for (int c = 0; c < 6; c++)
                    below[6 * k + c] = beside[6 * c + k] = g->part[6 * (k * g->sides + side) + c];
        }
    }
}

static int factor(mb_ncp_kernel *kernel, const double *K)
{
    mb_ncp_sparse *s = of(kernel);
    memcpy(s->K, K, MB_NCP_BLOCK * sz(s->system.contacts) * sizeof *K);
    mb_blocks_clear(&s->held, &s->graph);
    add_bodies(s, &s->held);
    for (int i = 0; i < s->system.contacts; i++) {
        int any = 0;
        for (int k = 0; k < MB_NCP_BLOCK; k++) any |= K[MB_NCP_BLOCK * i + k] != 0;
        if (any) add_contact(s, i);
    }
    return mb_blocks_factor(&s->held, &s->graph);
}

/* y = k - K u of contact i. */
static void law(const mb_ncp_sparse *s, int i, double *y, const double *k, const double *u)
{
    const double *K = s->K + MB_NCP_BLOCK * i;
    for (int a = 0; a < s->contact[i].rows; a++) {
        y[a] = k[a];
        for (int b = 0; b < s->contact[i].rows; b++) y[a] -= K[3 * a + b] * u[b];
    }
}

static void solve(mb_ncp_kernel *kernel, double *dP, double *du, const double *k, const double *r)
{
    const mb_ncp_sparse *s = of(kernel);
    for (int i = 0; i < s->system.contacts; i++) {
        const int at = s->contact[i].at;
        const double none[3] = {0, 0, 0};
        law(s, i, dP + at, k + at, r != NULL ? r + at : none);
    }
    gather(s, s->x, dP);
    mb_blocks_solve(&s->held, &s->graph, s->x);
    for (int i = 0; i < s->system.contacts; i++) {
        const int at = s->contact[i].at;
        pull(s, du + at, &s->system.contact[i], s->x);
        for (int a = 0; a < s->contact[i].rows && r != NULL; a++) du[at + a] += r[at + a];
        law(s, i, dP + at, k + at, du + at);
    }
}

/* ---- Gauss-Seidel, without joints ---- */

static void begin(mb_ncp_kernel *kernel, const double *P)
{
    const mb_ncp_sparse *s = of(kernel);
    gather(s, s->velocity, P);
    for (int b = 0; b < s->system.bodies; b++) mobile(s, s->velocity + 6 * b, b);
}

static void read(mb_ncp_kernel *kernel, int i, double *u)
{
    pull(of(kernel), u, &of(kernel)->system.contact[i], of(kernel)->velocity);
}

static void change(mb_ncp_kernel *kernel, int i, const double *dP)
{
    const mb_ncp_sparse *s = of(kernel);
    const mb_ncp_rows *g = &s->system.contact[i];
    for (int side = 0; side < g->sides; side++) {
        double v[6] = {0};
        if (g->body[side] >= s->system.bodies) continue;
        for (int k = 0; k < g->rows; k++) mb_add6(v, dP[k], g->part + 6 * (k * g->sides + side));
        mobile(s, v, g->body[side]);
        for (int c = 0; c < 6; c++) s->velocity[6 * g->body[side] + c] += v[c];
    }
}

/* ---- a new problem ---- */

/* f times the inverse of a symmetric matrix. 0: it is not definite. */
static int invert(double *T, const double *I, double f)
{
    const double xx = I[1] * I[2] - I[5] * I[5], xy = I[4] * I[5] - I[3] * I[2], xz = I[3] * I[5] - I[4] * I[1];
    const double det = I[0] * xx + I[3] * xy + I[4] * xz;
    if (!(I[0] > 0 && I[0] * I[1] - I[3] * I[3] > 0 && det > 0)) return 0;
    T[0] = f * xx / det, T[1] = f * (I[0] * I[2] - I[4] * I[4]) / det, T[2] = f * (I[0] * I[1] - I[3] * I[3]) / det;
    T[3] = f * xy / det, T[4] = f * xz / det, T[5] = f * (I[3] * I[4] - I[0] * I[5]) / det;
    return 1;
}

static void set_local(mb_ncp_sparse *s, int i)
{
    const mb_ncp_rows *g = &s->system.contact[i];
    double *W = s->local + MB_NCP_BLOCK * i;
    memset(W, 0, MB_NCP_BLOCK * sizeof *W);
    for (int side = 0; side < g->sides; side++) {
        if (g->body[side] >= s->system.bodies) continue;
        for (int b = 0; b < g->rows; b++) {
            double v[6];
            memcpy(v, g->part + 6 * (b * g->sides + side), sizeof v);
            mobile(s, v, g->body[side]);
            for (int a = 0; a < g->rows; a++) W[3 * a + b] += dot6(g->part + 6 * (a * g->sides + side), v);
        }
    }
}

/* One entry of the list of joined bodies; notes whether it differs from that of the present order. */
static void join(mb_ncp_sparse *s, const mb_ncp_rows *g, int *at, int *differs)
{
    for (int side = 0; side < MB_SIDES_MOST; side++, ++*at) {
        const int body = side < g->sides && g->body[side] < s->system.bodies ? g->body[side] : -1;
        *differs |= s->joins[*at] != body;
        s->joins[*at] = body;
    }
}

static int set_graph(mb_ncp_sparse *s)
{
    const mb_ncp_system *system = &s->system;
    const int vertices = system->bodies + system->joints;
    int at = 0, differs = s->graph.count != vertices;
    for (int j = 0; j < system->joints; j++) join(s, &system->joint[j], &at, &differs);
    for (int i = 0; i < system->contacts; i++) join(s, &system->contact[i], &at, &differs);
    if (!differs && at == s->joins_count && s->joins_made) return 1;
    s->joins_count = at;
    mb_elimination_begin(&s->graph, vertices);
    for (int e = 0; e < system->joints + system->contacts; e++) {
        const int *body = s->joins + MB_SIDES_MOST * e;
        for (int a = 0; a < MB_SIDES_MOST; a++) {
            if (body[a] < 0) continue;
            if (e < system->joints) mb_elimination_join(&s->graph, system->bodies + e, body[a]);
            for (int b = 0; b < a && e >= system->joints; b++)
                if (body[b] >= 0) mb_elimination_join(&s->graph, body[a], body[b]);
        }
    }
    return s->joins_made = mb_elimination_order(&s->graph, system->bodies);
}

mb_ncp_fit mb_ncp_sparse_set(mb_ncp_sparse *s, const mb_ncp_system *system, const mb_ncp_contact *contact)
{
    s->system = *system, s->contact = contact;
    for (int b = 0; b < system->bodies; b++)
        if (!(system->body[b].mass > 0) || !invert(s->inverse + 6 * b, system->body[b].inertia, system->factor))
            return MB_NCP_DEPENDENT;
    if (!set_graph(s)) return MB_NCP_NO_ROOM;
    for (int j = 0; j < system->joints; j++) s->graph.size[system->bodies + j] = system->joint[j].rows;
    for (int i = 0; i < system->contacts; i++) set_local(s, i);
    s->kernel = (mb_ncp_kernel){apply, factor, solve, begin, read, change, s->local};
    if (system->joints == 0) return MB_NCP_FITS;
    s->kernel.begin = NULL, s->kernel.read = NULL, s->kernel.change = NULL;
    mb_blocks_clear(&s->free, &s->graph);
    add_bodies(s, &s->free);
    return mb_blocks_factor(&s->free, &s->graph) ? MB_NCP_FITS : MB_NCP_DEPENDENT;
}

void mb_ncp_sparse_take(mb_ncp_sparse *s, lg_arena *a, int bodies, int contacts, int joints, int blocks)
{
    const int vertices = bodies + joints;
    mb_elimination_take(&s->graph, a, vertices, blocks);
    mb_blocks_take(&s->free, a, joints > 0 ? vertices : 0, joints > 0 ? blocks : 0);
    mb_blocks_take(&s->held, a, vertices, blocks);
    s->local = lg_take_doubles(a, MB_NCP_BLOCK * sz(contacts));
    s->K = lg_take_doubles(a, MB_NCP_BLOCK * sz(contacts));
    s->inverse = lg_take_doubles(a, 6 * sz(bodies));
    s->x = lg_take_doubles(a, 6 * sz(vertices));
    s->velocity = lg_take_doubles(a, 6 * sz(vertices));
    s->joins = lg_take(a, MB_SIDES_MOST * sz(contacts + joints) * sizeof(int));
    s->joins_count = 0, s->joins_made = 0;
}
