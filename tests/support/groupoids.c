/* SPDX-License-Identifier: BSD-3-Clause */
#include "groupoids.h"

#include <math.h>
#include <string.h>

#include "energy_systems.h"
#include "matrix.h"
#include "roster.h"

const groupoid_case groupoid_cases[GROUPOID_CASES] = {{"particle", LG_GROUPOID_PAIR},
                                                      {"affine_particle", LG_GROUPOID_PAIR},
                                                      {"so3_bi", LG_GROUPOID_PAIR},
                                                      {"so3_right", LG_GROUPOID_PAIR},
                                                      {"suslov", LG_GROUPOID_PAIR},
                                                      {"sleigh", LG_GROUPOID_PAIR},
                                                      {"ball_formal", LG_GROUPOID_PAIR},
                                                      {"ball_hom", LG_GROUPOID_PAIR},
                                                      {"ball_phys", LG_GROUPOID_PAIR},
                                                      {"veselova_top", LG_GROUPOID_PAIR},
                                                      {"reduced_mixed", LG_GROUPOID_PAIR},
                                                      {"reduced_affine", LG_GROUPOID_PAIR},
                                                      {"se3", LG_GROUPOID_PAIR},
                                                      {"suslov", LG_GROUPOID_GROUP},
                                                      {"sleigh", LG_GROUPOID_GROUP},
                                                      {"se3", LG_GROUPOID_GROUP},
                                                      {"ball_formal", LG_GROUPOID_ATIYAH},
                                                      {"ball_hom", LG_GROUPOID_ATIYAH},
                                                      {"reduced_mixed", LG_GROUPOID_ATIYAH},
                                                      {"reduced_affine", LG_GROUPOID_ATIYAH},
                                                      {"veselova_top", LG_GROUPOID_ACTION},
                                                      {"so3_right", LG_GROUPOID_ACTION},
                                                      {"suslov", LG_GROUPOID_ACTION}};

/* ---- systems ---- */

/* Doubles of the points in front of the group's part of an element. */
static int points(const groupoid_world *w)
{
    switch (w->kind) {
    case LG_GROUPOID_ATIYAH:
        return 4;
    case LG_GROUPOID_ACTION:
        return 3;
    default:
        return 0;
    }
}

/* h xi of an element; x and y become its ends as configurations of the test system, attitudes being 1 where they are
 * lost. */
static lg_status read_element(const groupoid_world *w, const double *k, double *x, double *y, double *step)
{
    const lg_group *G = w->t.S.group;
    double between[SUITE_ELEMENT];
    const int e = lg_group_element_size(G);
    lg_status status = lg_group_identity(G, x);
    memcpy(y, x, sizeof(double) * (size_t)e);
    if (w->kind == LG_GROUPOID_PAIR) {
        memcpy(x, k, sizeof(double) * (size_t)e);
        memcpy(y, k + e, sizeof(double) * (size_t)e);
        status = lg_group_inverse(G, between, x);
        if (status == LG_OK) status = lg_group_compose(G, between, between, y);
        return status == LG_OK ? lg_retraction_tau_inv(w->r, G, step, between) : status;
    }
    if (w->kind == LG_GROUPOID_ATIYAH) {
        memcpy(x, k, 2 * sizeof *k);
        memcpy(y, k + 2, 2 * sizeof *k);
        for (int i = 0; i < 2; i++) step[i] = y[i] - x[i];
        return lg_retraction_tau_inv(w->r, lg_so3(), step + 2, k + 4);
    }
    if (w->kind == LG_GROUPOID_ACTION) {
        memcpy(x, k, 3 * sizeof *k);
        status = groupoid_turn(NULL, k, k + 3, y) ? LG_ERROR_CALLBACK : LG_OK;
    }
    return status == LG_OK ? lg_retraction_tau_inv(w->r, G, step, k + points(w)) : status;
}

static const double chi[3] = {0.5, 0.2, -0.7};

/* V and dV at what read_element() made of a point. */
static void potential(const groupoid_world *w, const double *x, double *V, double *dV)
{
    const lg_call c = system_call(&w->t.S, 0);
    *V = 0;
    memset(dV, 0, sizeof(double) * SUITE_DIM);
    if (w->t.S.callbacks.potential == NULL) return;
    if (w->kind == LG_GROUPOID_ACTION) {
        *V = mat_dot(chi, x, 3);
        for (int i = 0; i < 3; i++) dV[i] = chi[(i + 1) % 3] * x[(i + 2) % 3] - chi[(i + 2) % 3] * x[(i + 1) % 3];
        return;
    }
    w->t.S.callbacks.potential(&c, x, V);
    w->t.S.callbacks.potential_gradient(&c, x, dV);
}

static void momentum(const groupoid_world *w, double *p, const double *xi)
{
    const int n = lg_group_dim(w->t.S.group);
    if (w->t.S.inertia != NULL) {
        mat_apply(p, w->t.S.inertia, xi, n, n);
    } else {
        for (int i = 0; i < n; i++) p[i] = w->t.S.inertia_diagonal[i] * xi[i];
    }
}

static int lagrangian(const lg_call *c, double h, const double *k, double *L)
{
    const groupoid_world *w = c->context;
    const int n = lg_group_dim(w->t.S.group);
    double x[SUITE_ELEMENT], y[SUITE_ELEMENT], xi[SUITE_DIM], p[SUITE_DIM], V0, V1;
    *L = NAN;
    if (read_element(w, k, x, y, xi) != LG_OK) return 0;
    for (int i = 0; i < n; i++) {
        if (!(fabs(xi[i]) <= w->limit)) return 0;
        xi[i] /= h;
    }
    momentum(w, p, xi);
    const double kinetic = mat_dot(xi, p, n) / 2;
    potential(w, x, &V0, p);
    potential(w, y, &V1, p);
    *L = h * (kinetic - w->w0 * V0 - w->w1 * V1);
    return 0;
}

/* (dtau^-1_{sign h xi})^* J xi + sign w h dV. */
static int exact(const lg_call *c, double h, const double *k, double *out, double sign)
{
    const groupoid_world *w = c->context;
    const int n = lg_group_dim(w->t.S.group);
    double x[SUITE_ELEMENT], y[SUITE_ELEMENT], step[SUITE_DIM], xi[SUITE_DIM], p[SUITE_DIM], dV[SUITE_DIM], V;
    suite_ok("element", read_element(w, k, x, y, step));
    for (int i = 0; i < n; i++) {
        xi[i] = step[i] / h;
        step[i] *= sign;
    }
    momentum(w, p, xi);
    suite_ok("dual", lg_retraction_dtau_inv_dual(w->r, w->t.S.group, out, step, p));
    potential(w, sign > 0 ? x : y, &V, dV);
    for (int i = 0; i < n; i++) out[i] += sign * (sign > 0 ? w->w0 : w->w1) * h * dV[i];
    return 0;
}

int groupoid_exact_minus(const lg_call *c, double h, const double *k, double *out)
{
    return exact(c, h, k, out, 1);
}

int groupoid_exact_plus(const lg_call *c, double h, const double *k, double *out)
{
    return exact(c, h, k, out, -1);
}

static int rows(const lg_call *c, const double *x, double *mu, double *Y)
{
    const groupoid_world *w = c->context;
    const lg_system *S = &w->t.S;
    double g[SUITE_ELEMENT];
    suite_ok("identity", lg_group_identity(S->group, g));
    if (w->kind == LG_GROUPOID_ACTION && S->callbacks.covectors != NULL) { /* both such systems have the row gamma */
        memcpy(mu, x, 3 * sizeof *mu);
        return 0;
    }
    memcpy(g, x, sizeof(double) * (size_t)w->gpd->base_size);
    const lg_call inner = system_call(S, c->t);
    if (S->callbacks.covectors != NULL) return S->callbacks.covectors(&inner, g, mu, Y);
    memcpy(mu, S->covector_matrix, sizeof(double) * (size_t)(S->constraint_count * lg_group_dim(S->group)));
    return S->callbacks.drift != NULL ? S->callbacks.drift(&inner, g, Y) : 0;
}

void groupoid_world_make(groupoid_world *w, int k, const lg_retraction *r, double w0, double w1,
                         const lg_retraction *chart)
{
    lg_error e;
    lg_status status = LG_OK;
    memset(w, 0, sizeof *w);
    test_system_make(&w->t, groupoid_cases[k].system);
    w->kind = groupoid_cases[k].kind;
    w->r = r, w->w0 = w0, w->w1 = w1;
    w->limit = INFINITY;
    if (w->kind == LG_GROUPOID_PAIR) status = lg_groupoid_create_pair(&w->gpd, w->t.S.group, chart, &e);
    if (w->kind == LG_GROUPOID_GROUP) status = lg_groupoid_create_group(&w->gpd, w->t.S.group, chart, &e);
    if (w->kind == LG_GROUPOID_ATIYAH) status = lg_groupoid_create_atiyah(&w->gpd, lg_rn(2), lg_so3(), chart, &e);
    if (w->kind == LG_GROUPOID_ACTION)
        status = lg_groupoid_create_action(&w->gpd, w->t.S.group, chart, 3, groupoid_turn, NULL, &e);
    if (status != LG_OK) suite_fail("%s", e.message);
    w->S = lg_groupoid_system_default(w->gpd);
    w->S.context = w;
    w->S.lagrangian = lagrangian;
    w->S.inertia = w->t.S.inertia;
    w->S.inertia_diagonal = w->t.S.inertia_diagonal;
    w->S.constraint_count = w->t.S.constraint_count;
    w->S.covectors = rows;
}

void groupoid_world_free(groupoid_world *w)
{
    lg_groupoid_destroy(w->gpd);
}

void groupoid_world_point(const groupoid_world *w, double *x, const double *g)
{
    double R[9];
    if (w->kind == LG_GROUPOID_ACTION) {
        suite_ok("attitude", lg_group_to_matrix(lg_so3(), R, g));
        memcpy(x, R + 6, 3 * sizeof *x);
        return;
    }
    memcpy(x, g, sizeof(double) * (size_t)w->gpd->base_size);
}

void groupoid_world_element(const groupoid_world *w, double *k, const double *a, const double *b)
{
    const lg_group *G = w->t.S.group;
    const int e = lg_group_element_size(G), m = w->gpd->base_size;
    double between[SUITE_ELEMENT];
    suite_ok("inverse", lg_group_inverse(G, between, a));
    suite_ok("compose", lg_group_compose(G, between, between, b));
    groupoid_world_point(w, k, a);
    if (w->kind == LG_GROUPOID_PAIR || w->kind == LG_GROUPOID_ATIYAH) groupoid_world_point(w, k + m, b);
    if (w->kind == LG_GROUPOID_ATIYAH) memcpy(k + 4, between + 2, 4 * sizeof *k);
    if (w->kind == LG_GROUPOID_GROUP || w->kind == LG_GROUPOID_ACTION)
        memcpy(k + points(w), between, sizeof(double) * (size_t)e);
}

/* ---- groupoids ---- */

int groupoid_turn(const lg_call *c, const double *gamma, const double *R, double *out)
{
    (void)c;
    lg_so3_act_inverse(out, R, gamma);
    return 0;
}

/* x.(R, r) = R^T (x - r), SE(2) acting on the plane from the right. */
static int move(const lg_call *c, const double *x, const double *g, double *out)
{
    const double u = x[0] - g[0], v = x[1] - g[1];
    (void)c;
    out[0] = g[2] * u + g[3] * v;
    out[1] = g[2] * v - g[3] * u;
    return 0;
}

/* x.W = xW, a group acting on itself. */
static int translate(const lg_call *c, const double *x, const double *W, double *out)
{
    return lg_group_compose(c->context, out, x, W) != LG_OK;
}

static lg_status hand_source(const lg_groupoid *gpd, double *x, const double *g, void *work)
{
    (void)gpd;
    (void)work;
    x[0] = g[0], x[1] = g[1];
    return LG_OK;
}

static lg_status hand_target(const lg_groupoid *gpd, double *x, const double *g, void *work)
{
    (void)gpd;
    (void)work;
    x[0] = g[2], x[1] = g[3];
    return LG_OK;
}

static lg_status hand_unit(const lg_groupoid *gpd, double *g, const double *x, void *work)
{
    (void)gpd;
    (void)work;
    g[0] = g[2] = x[0], g[1] = g[3] = x[1];
    return LG_OK;
}

static lg_status hand_inverse(const lg_groupoid *gpd, double *r, const double *g, void *work)
{
    (void)gpd;
    (void)work;
    r[0] = g[2], r[1] = g[3], r[2] = g[0], r[3] = g[1];
    return LG_OK;
}

static lg_status hand_multiply(const lg_groupoid *gpd, double *r, const double *g, const double *h, void *work)
{
    (void)gpd;
    (void)work;
    r[0] = g[0], r[1] = g[1], r[2] = h[2], r[3] = h[3];
    return LG_OK;
}

/* A curved section: only its slope at 0 matters. */
static lg_status hand_section(const lg_groupoid *gpd, double *g, const double *x, const double *eta, void *work)
{
    (void)gpd;
    (void)work;
    g[0] = x[0], g[1] = x[1], g[2] = x[0] + sin(eta[0]), g[3] = x[1] + eta[1] + eta[0] * eta[0] / 4;
    return LG_OK;
}

lg_groupoid groupoid_by_hand(void)
{
    lg_groupoid gpd;
    memset(&gpd, 0, sizeof gpd);
    gpd.size = sizeof gpd;
    gpd.name = "by hand";
    gpd.dim = gpd.base_size = 2, gpd.element_size = 4;
    gpd.source = hand_source, gpd.target = hand_target, gpd.unit = hand_unit;
    gpd.inverse = hand_inverse, gpd.multiply = hand_multiply, gpd.section = hand_section;
    return gpd;
}

enum { MOST = 4 * ROSTER_GROUPS + 3 };

static int fill(groupoid_entry *list)
{
    static lg_groupoid hand;
    const roster_group *groups = roster_groups();
    lg_groupoid *made = NULL;
    lg_error e;
    int n = 0;
#define ADD(call, base)                                                                                                \
    do {                                                                                                               \
        if ((call) != LG_OK) suite_fail("%s", e.message);                                                              \
        list[n++] = (groupoid_entry){made, base};                                                                      \
    } while (0)
    for (int i = 0; i < ROSTER_GROUPS; i++) {
        const lg_group *G = groups[i].G, *H = groups[(7 * i + 3) % ROSTER_GROUPS].G;
        const lg_retraction *chart = lg_retraction_supports(lg_retraction_cayley(), G) ? lg_retraction_cayley() : NULL;
        ADD(lg_groupoid_create_pair(&made, G, i % 2 ? chart : NULL, &e), G);
        ADD(lg_groupoid_create_group(&made, G, i % 2 ? NULL : chart, &e), NULL);
        ADD(lg_groupoid_create_atiyah(&made, G, H, NULL, &e), G);
        ADD(lg_groupoid_create_action(&made, G, NULL, lg_group_element_size(G), translate, G, &e), G);
    }
    ADD(lg_groupoid_create_action(&made, lg_so3(), NULL, 3, groupoid_turn, NULL, &e), NULL);
    ADD(lg_groupoid_create_action(&made, lg_se2(), lg_retraction_second_kind(), 2, move, NULL, &e), NULL);
#undef ADD
    hand = groupoid_by_hand();
    list[n++] = (groupoid_entry){&hand, NULL};
    return n;
}

const groupoid_entry *groupoid_roster(int *count)
{
    static groupoid_entry list[MOST];
    static int n;
    if (n == 0) n = fill(list);
    *count = n;
    return list;
}
