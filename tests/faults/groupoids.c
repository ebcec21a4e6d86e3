/* SPDX-License-Identifier: BSD-3-Clause */
/* Groupoids of every kind and the GNI on them. */
#include <string.h>

#include "support/groupoids.h"

#include "faults.h"

static struct {
    lg_groupoid *gpd;
    lg_groupoid_gni *it;
    groupoid_world w;
    lg_groupoid_system S;
    lg_error error;
} own;

static void close_all(void)
{
    lg_groupoid_gni_destroy(own.it);
    lg_groupoid_destroy(own.gpd);
    own.it = NULL, own.gpd = NULL;
}

static const char *const *kinds(void)
{
    static const char *const names[] = {"pair", "group", "Atiyah", "action", NULL};
    return names;
}

static lg_status create(lg_groupoid **gpd, lg_groupoid_kind kind, const lg_group *G, lg_error *e)
{
    if (kind == LG_GROUPOID_PAIR) return lg_groupoid_create_pair(gpd, G, NULL, e);
    if (kind == LG_GROUPOID_GROUP) return lg_groupoid_create_group(gpd, G, NULL, e);
    if (kind == LG_GROUPOID_ATIYAH) return lg_groupoid_create_atiyah(gpd, lg_rn(2), lg_so3(), NULL, e);
    return lg_groupoid_create_action(gpd, G, NULL, 3, groupoid_turn, NULL, e);
}

static lg_status make(fault_case *c)
{
    own.error.message[0] = '\0';
    c->said = own.error.message;
    lg_status st = create(&own.gpd, (lg_groupoid_kind)(LG_GROUPOID_PAIR + c->i), lg_so3(), &own.error);
    if (st != LG_OK && own.gpd != NULL) suite_fail("a groupoid that failed");
    return st;
}

static lg_status operate(fault_case *c)
{
    double x[SUITE_ELEMENT] = {0}, k[GROUPOID_ELEMENT], eta[SUITE_DIM] = {0.1, 0.2, -0.3, 0.1, 0.2};
    x[c->i == 3 ? 0 : 3] = 1;
    lg_status st = lg_groupoid_section(own.gpd, k, x, eta);
    if (st == LG_OK) st = lg_groupoid_inverse(own.gpd, k, k);
    if (st == LG_OK) fault_fold(c, k, own.gpd->element_size);
    return st;
}

/* The GNI --------------------------------------------------------------------------------------------------------- */

static const char *const *cases(void)
{
    static const char *names[GROUPOID_CASES + 1];
    for (int k = 0; k < GROUPOID_CASES; k++) names[k] = groupoid_cases[k].system;
    return names;
}

static int lagrangian(const lg_call *c, double h, const double *g, double *L)
{
    return fault_callback() ? FAULT_CODE : own.w.S.lagrangian(c, h, g, L);
}

static int rows(const lg_call *c, const double *x, double *mu, double *Y)
{
    return fault_callback() ? FAULT_CODE : own.w.S.covectors(c, x, mu, Y);
}

/* The case itself, with a groupoid that is not at stake, is made once. */
static void open_case(int k)
{
    static int opened = -1;
    if (opened == k) return;
    if (opened >= 0) groupoid_world_free(&own.w);
    groupoid_world_make(&own.w, k, lg_retraction_exp(), 0.5, 0.5, NULL);
    own.S = own.w.S;
    own.S.lagrangian = lagrangian;
    own.S.covectors = own.w.S.covectors != NULL ? rows : NULL;
    opened = k;
}

static lg_status gni_make(fault_case *c)
{
    open_case(c->i);
    lg_groupoid_gni_destroy(own.it);
    own.it = NULL;
    lg_status st = lg_groupoid_gni_create(&own.it, &own.S, own.w.t.h);
    if (own.it != NULL) c->said = lg_groupoid_gni_message(own.it);
    return st;
}

static lg_status gni_start(fault_case *c)
{
    double x[SUITE_ELEMENT], p[SUITE_DIM];
    const int n = own.w.gpd->dim;
    const lg_system *S = &own.w.t.S;
    groupoid_world_point(&own.w, x, own.w.t.g0);
    for (int i = 0; i < n; i++) {
        p[i] = 0;
        for (int j = 0; j < n && S->inertia != NULL; j++) p[i] += S->inertia[i * n + j] * own.w.t.xi0[j];
        if (S->inertia == NULL) p[i] = S->inertia_diagonal[i] * own.w.t.xi0[i];
    }
    c->said = lg_groupoid_gni_message(own.it);
    return lg_groupoid_gni_start(own.it, 0, x, p);
}

static lg_status gni_steps(fault_case *c)
{
    lg_status st = LG_OK;
    while (st == LG_OK && lg_groupoid_gni_step_index(own.it) < 2) st = lg_groupoid_gni_step(own.it);
    c->said = lg_groupoid_gni_message(own.it);
    if (st != LG_OK) return st;
    fault_fold(c, lg_groupoid_gni_element(own.it), own.w.gpd->element_size);
    fault_fold(c, lg_groupoid_gni_momentum(own.it), own.w.gpd->dim);
    return st;
}

static lg_status legendre(fault_case *c)
{
    double minus[SUITE_DIM], plus[SUITE_DIM], accuracy;
    own.error.message[0] = '\0';
    c->said = own.error.message;
    lg_status st =
        lg_groupoid_legendre(&own.S, minus, plus, &accuracy, 0, own.w.t.h, lg_groupoid_gni_element(own.it), &own.error);
    if (st == LG_OK) fault_fold(c, minus, own.w.gpd->dim), fault_fold(c, plus, own.w.gpd->dim);
    return st;
}

/* From the element that the last step left. */
static lg_status gni_start_element(fault_case *c)
{
    double g[GROUPOID_ELEMENT];
    memcpy(g, lg_groupoid_gni_element(own.it), sizeof(double) * (size_t)own.w.gpd->element_size);
    const lg_status st = lg_groupoid_gni_start_element(own.it, 9, g);
    c->said = lg_groupoid_gni_message(own.it);
    if (st == LG_OK) fault_fold(c, lg_groupoid_gni_momentum(own.it), own.w.gpd->dim);
    return st;
}

const fault_row fault_groupoids[] = {
    {.name = "groupoid", .first = kinds, .stride = 1, .verbs = {make, operate}, .close = close_all},
    {.name = "GNI on a groupoid",
     .first = cases,
     .stride = 5,
     .verbs = {gni_make, gni_start, gni_steps, legendre, gni_start_element},
     .close = close_all},
    {.name = NULL},
};
