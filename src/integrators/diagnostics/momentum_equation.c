/* SPDX-License-Identifier: BSD-3-Clause */
/* The momentum equation at the node that was left (docs/theory.md sections 3, 6 and 7): with W = g_0^-1 g_1 and points
 * g_0 U_i, U_i = exp(s_i log W),
 *   r = Ad*_{W^-1} p^+ - p^- - h sum_i w_i Ad*_{U_i^-1} f_i,   f = dT - dV + force,
 * lies in the span of the rows at g_0. However a discrete Lagrangian shares f_i between the two ends, S_0 at g_0 and
 * S_1 at g_1, S_0 + Ad*_{W^-1} S_1 = Ad*_{U_i^-1} f_i. The energy-momentum step has its f along log W = k h xi. */
#include <math.h>
#include <string.h>

#include "base/dense.h"
#include "groups/coadjoint.h"
#include "base/lane.h"
#include "integrators/diagnostics/diagnostics.h"
#include "integrators/integrator.h"
#include "integrators/steps/quadrature.h"
#include "mechanics/gram.h"

/* Turns by more than this in a step cannot be distinguished from the shorter way round. */
#define LARGEST_TURN 3.0

/* ---- what the equation is ---- */

enum { MOMENTUM_EQUATION_POINTS = LG_QUADRATURE_MOST + 1 };

/* A point of the arc at which something pushes. */
typedef struct lg_impulse {
    double s, weight; /* g_k exp(s log W), and how much of h */
    int slope;        /* -dV and dT act there */
    int force;        /* and the force */
} lg_impulse;

struct lg_momentum_equation {
    int stated; /* 0: not defined for this system and method */
    int arcs;   /* 1: points inside the step are needed */
    int scaled; /* 1: slopes are taken along log W, which is k h xi factor by factor */
    int count;
    lg_impulse push[MOMENTUM_EQUATION_POINTS];
    double *V, *U, *g, *M;  /* W^-1, U^-1 and a point, elements; n x n, of groups without coAd */
    double *x, *y, *f, *r;  /* h xi, log W, a push, the residual; n each */
    double *z, *dv;         /* scratch; (v^+ - v^-)/2; n each */
    double *A, *AW, *C, *u; /* rows, m x n twice, m x m, m */
    void *work;             /* the group's scratch */
};

/* Pushes at the nodes of the energy-momentum step. */
static void quadrature_nodes(lg_impulse *push, int count)
{
    const lg_quadrature_node *node = lg_quadrature_nodes[count - 1];
    for (int i = 0; i < count; i++) push[i] = (lg_impulse){node[i].c, node[i].w, 1, 0};
}

/* Methods whose equation can be stated from outside: those whose step is one arc, its ends being nodes, with p^+ the
 * slope of our L_d or the energy-momentum step's. */
static int is_stated(const lg_plan *P)
{
    const lg_method *M = &P->method;
    if (P->stages != 1 || P->holonomic != 0 || M->rule->middle_kick != NULL || (M->step->needs & LG_IS_DIRECT))
        return 0;
    if (M->step->acts == LG_ACTS_ALONG_ARC) return !M->gonzalez || !P->potential;
    return M->step->acts == LG_ACTS_AT_POINTS;
}

static void choose_points(lg_momentum_equation *e, const lg_integrator *it)
{
    const lg_plan *P = &it->plan;
    const lg_method *M = &P->method;
    const int slopes = P->potential || !P->constant_metric;
    e->stated = is_stated(P);
    if (!e->stated || (!slopes && !P->force)) return;
    if (M->step->acts == LG_ACTS_ALONG_ARC) {
        e->scaled = e->arcs = 1;
        if (slopes) quadrature_nodes(e->push, e->count = M->nodes);
        if (P->force) e->push[e->count++] = (lg_impulse){0.5, 1, 0, 1};
        return;
    }
    for (int i = 0; i < M->points; i++) {
        e->push[e->count++] = (lg_impulse){M->point[i].s, M->point[i].weight, 1, 1};
        e->arcs |= M->point[i].s > 0 && M->point[i].s < 1;
    }
}

static void momentum_equation_carve(lg_momentum_equation *e, lg_arena *a, const lg_integrator *it)
{
    const lg_plan *P = &it->plan;
    const lg_group *G = P->S->group;
    const size_t n = sz(P->n), element_size = sz(P->element_size), m = sz(P->nonholonomic);
    e->V = lg_take_doubles(a, element_size), e->U = lg_take_doubles(a, element_size),
    e->g = lg_take_doubles(a, element_size);
    e->M = lg_take_doubles(a, n * n);
    e->x = lg_take_doubles(a, n), e->y = lg_take_doubles(a, n), e->f = lg_take_doubles(a, n);
    e->r = lg_take_doubles(a, n), e->z = lg_take_doubles(a, n), e->dv = lg_take_doubles(a, n);
    e->A = lg_take_doubles(a, m * n), e->AW = lg_take_doubles(a, m * n);
    e->C = lg_take_doubles(a, m * m), e->u = lg_take_doubles(a, m);
    e->work = lg_take(a, G->work_bytes);
}

lg_momentum_equation *lg_momentum_equation_take(lg_arena *a, const lg_integrator *it)
{
    lg_momentum_equation sizing, *e = lg_take(a, sizeof *e);
    momentum_equation_carve(e != NULL ? e : &sizing, a, it);
    if (e != NULL) choose_points(e, it);
    return e;
}

/* ---- its terms ---- */

/* out += s Ad*_V p, V an element. */
static lg_status add_transported(lg_momentum_equation *e, const lg_group *G, double *out, double s, const double *V,
                                 const double *p)
{
    lg_status status = LG_OK;
    if (G->abelian) {
        for (int i = 0; i < G->dim; i++) out[i] += s * p[i];
        return LG_OK;
    }
    status = lg_coadjoint(G, e->z, V, p, e->M, e->work);
    for (int i = 0; i < G->dim; i++) out[i] += s * e->z[i];
    return status;
}

/* e->y = log W with angles next to h xi, which is e->x; 1: it is not known. */
static int find_arc(lg_momentum_equation *e, const lg_plan *P, const lg_node *a, const lg_node *b)
{
    const lg_group *G = P->S->group;
    const double turn = 2 * LG_PI;
    if (G->exp == NULL || G->exp->tau == NULL || G->exp->tau_inv == NULL) return 1;
    if (G->inverse(G, e->g, a->g, e->work) != LG_OK || G->compose(G, e->g, e->g, b->g, e->work) != LG_OK) return 1;
    if (G->exp->tau_inv(G, e->y, e->g, e->work) != LG_OK) return 1;
    for (int k = 0; k < P->factor_count; k++) {
        const lg_factor_plan *f = &P->factors[k];
        for (int i = f->offset; i < f->offset + f->n; i++) {
            if (f->table->facts & LG_FACTOR_TURNS) e->y[i] += turn * nearbyint((e->x[i] - e->y[i]) / turn);
            if (!f->group->abelian && !(fabs(e->x[i]) <= LARGEST_TURN)) return 1;
        }
    }
    return 0;
}

/* f <- k f factor by factor, log W = k h xi. */
static void scale(const lg_momentum_equation *e, const lg_plan *P, double *f)
{
    for (int k = 0; k < P->factor_count; k++) {
        const int at = P->factors[k].offset, n = P->factors[k].n;
        const double xx = lg_dot(e->x + at, e->x + at, n);
        const double ratio = xx > 0 ? lg_dot(e->x + at, e->y + at, n) / xx : 1;
        for (int i = at; i < at + n; i++) f[i] *= ratio;
    }
}

/* e->f = what pushes at (t, g). */
static int find_push(lg_momentum_equation *e, const lg_integrator *it, const lg_impulse *q, double t, const double *g)
{
    const lg_plan *P = &it->plan;
    lg_field field = it->field;
    const double *xi = it->workspace->now->xi;
    const int n = P->n;
    memset(e->f, 0, sz(n) * sizeof *e->f);
    if (q->slope && P->potential) {
        if (lg_field_gradient(&field, t, g, e->z)) return 1;
        for (int i = 0; i < n; i++) e->f[i] -= e->z[i];
    }
    if (q->slope && !P->constant_metric) {
        if (lg_field_metric_gradient(&field, t, g, xi, e->z)) return 1;
        for (int i = 0; i < n; i++) e->f[i] += e->z[i];
        if (e->scaled && lg_field_metric_gradient(&field, t, g, e->dv, e->z)) return 1;
        for (int i = 0; e->scaled && i < n; i++) e->f[i] -= e->z[i];
    }
    if (e->scaled && q->slope) scale(e, P, e->f);
    if (q->force && P->force) {
        if (lg_field_force(&field, t, g, xi, e->z)) return 1;
        for (int i = 0; i < n; i++) e->f[i] += e->z[i];
    }
    return 0;
}

/* e->r -= the impulse of one push. */
static int take_off(lg_momentum_equation *e, const lg_integrator *it, const lg_impulse *q, double h)
{
    const lg_group *G = it->S.group;
    const lg_node *a = it->workspace->next, *b = it->workspace->now;
    const double t = a->t + q->s * h, c = -h * q->weight;
    if (q->s > 0 && q->s < 1) {
        for (int i = 0; i < it->plan.n; i++) e->f[i] = q->s * e->y[i];
        if (G->exp->tau(G, e->U, e->f, e->work) != LG_OK || G->compose(G, e->g, a->g, e->U, e->work) != LG_OK) return 1;
        if (G->inverse(G, e->U, e->U, e->work) != LG_OK || find_push(e, it, q, t, e->g)) return 1;
        return add_transported(e, G, e->r, c, e->U, e->f) != LG_OK;
    }
    if (find_push(e, it, q, t, q->s > 0 ? b->g : a->g)) return 1;
    if (q->s > 0) return add_transported(e, G, e->r, c, e->V, e->f) != LG_OK;
    for (int i = 0; i < it->plan.n; i++) e->r[i] += c * e->f[i];
    return 0;
}

/* e->r <- P* e->r with the velocity rows at the node that was left. */
static int take_off_rows(lg_momentum_equation *e, const lg_integrator *it)
{
    const lg_plan *P = &it->plan;
    const lg_node *a = it->workspace->next;
    const int n = P->n, m = P->nonholonomic;
    lg_field field = it->field;
    if (m == 0) return 0;
    if (lg_field_rows(&field, a->t, a->g, e->A, e->z)) return 1;
    gram_rows(e->AW, e->A, a->metric_inverse, P->diagonal, m, n);
    if (gram_factor(e->C, e->AW, e->A, m, n)) return 1;
    for (int i = 0; i < m; i++) e->u[i] = lg_dot(e->AW + i * n, e->r, n);
    gram_solve(e->C, e->u, m);
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++) e->r[j] -= e->u[i] * e->A[i * n + j];
    return 0;
}

/* ---- the equation ---- */

static double size_of(lg_momentum_equation *e, const lg_plan *P, const lg_node *b, const double *p)
{
    lg_raise(P, e->z, b, p);
    return sqrt(fabs(lg_dot(p, e->z, P->n)));
}

double lg_momentum_equation_residual(lg_momentum_equation *e, const lg_integrator *it)
{
    const lg_plan *P = &it->plan;
    const lg_group *G = P->S->group;
    const lg_node *a = it->workspace->next, *b = it->workspace->now;
    const double h = it->workspace->length;
    const double *leaving = P->method.rule->needs & LG_IS_DISCRETE ? a->p_plus : a->p_minus;
    double size;
    if (!e->stated || h != it->h) return NAN;
    if (!G->abelian && (G->inverse(G, e->V, b->g, e->work) != LG_OK || /* W^-1 = g_1^-1 g_0 */
                        G->compose(G, e->V, e->V, a->g, e->work) != LG_OK))
        return NAN;
    for (int i = 0; i < P->n; i++) e->x[i] = h * b->xi[i], e->r[i] = -leaving[i];
    if (add_transported(e, G, e->r, 1, e->V, b->p_plus) != LG_OK) return NAN;
    if (e->arcs && find_arc(e, P, a, b)) return NAN;
    if (e->scaled && !P->constant_metric) { /* v^- + v^+ = 2 xi */
        lg_raise(P, e->dv, b, b->p_plus);
        for (int i = 0; i < P->n; i++) e->dv[i] -= b->xi[i];
    }
    for (int i = 0; i < e->count; i++)
        if (take_off(e, it, &e->push[i], h)) return NAN;
    if (take_off_rows(e, it)) return NAN;
    size = fmax(size_of(e, P, a, leaving), size_of(e, P, b, b->p_plus));
    return size_of(e, P, a, e->r) / (size > 0 ? size : 1);
}
