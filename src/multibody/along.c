/* SPDX-License-Identifier: BSD-3-Clause */
/* Steps linearised along a motion: from the basis of the present state to that of the next one. */
#include <liegrp/multibody/linearise.h>

#include "multibody/vary.h"

/* `end` <- the state after the step that L's copy makes: from now on its motion, and L has no copy. */
static lg_status look_ahead(mb_linear *L, mb_linear *end)
{
    lg_error *e = &L->mo->head.error;
    lg_status st = mb_linear_step_copy(L);
    if (st != LG_OK) return st;
    end->mo = L->copy, L->copy = NULL;
    st = mb_linear_open(end);
    if (st == LG_OK) st = mb_linear_bases(end);
    if (st != LG_OK) return lg_fail(e, st, "%s, after the step", end->mo->head.error.message);
    L->end = end;
    return LG_OK;
}

/* A and B, if A is wanted; then h. */
static lg_status along_differentiate(mb_linear *L, mb_sparse *after, const mb_along *to)
{
    const int exact = to->A != NULL ? mb_linear_exactly(L, after, to->A, to->B) : 1;
    lg_status st = exact <= 0 && L->held != NULL ? mb_linear_unheld(L, exact) : LG_OK;
    if (st == LG_OK && (exact <= 0 || to->h != NULL)) st = mb_linear_copy(L);
    if (st == LG_OK && exact <= 0) st = mb_linear_difference(L, to->A, to->B, NULL);
    return st == LG_OK && to->h != NULL ? mb_linear_length(L, to->h) : st;
}

lg_status mb_sparse_along(mb_sparse *mo, const mb_along *to, const char *who)
{
    mb_linear end = {.who = who}, L = {.mo = mo, .steps = 1, .who = who, .small = MB_LINEAR_FINE};
    lg_status st = mb_linear_refuse(mo, who, 1);
    if (st == LG_OK && mb_sparse_tolerance(mo) > 0)
        st = lg_fail(&mo->head.error, LG_ERROR_UNSUPPORTED,
                     "%s: steps that are found for a tolerance are no smooth function of the state; set no tolerance",
                     who);
    if (st == LG_OK) st = mb_linear_open(&L);
    if (st == LG_OK) st = mb_linear_bases(&L);
    if (st == LG_OK) st = look_ahead(&L, &end);
    if (st == LG_OK && mo->numbers.contacts != NULL) st = mb_linear_hold(&L, end.mo);
    if (st == LG_OK) st = along_differentiate(&L, end.mo, to);
    if (st == LG_OK && to->v != NULL) st = mb_vary_columns(to->v, &L, to->P, to->D);
    mb_linear_close(&end), mb_sparse_destroy(end.mo);
    mb_linear_close(&L), lg_release(L.held);
    return st;
}

lg_status mb_sparse_linearise_along(mb_sparse *mo, double *A, double *B, double *h)
{
    static const char who[] = "lg_motion_linearise_along";
    const mb_along to = {.A = A, .B = B, .h = h};
    const lg_status st = mb_linear_refuse(mo, who, 1);
    if (st == LG_OK && A == NULL) return lg_fail(&mo->head.error, LG_ERROR_ARGUMENT, "%s: A is NULL", who);
    return st == LG_OK ? mb_sparse_along(mo, &to, who) : st;
}

lg_status mb_sparse_linearise_parameters(mb_sparse *mo, double *P, double *D, const int *which, int count)
{
    static const char who[] = "lg_motion_linearise_parameters";
    mb_variation *v = NULL;
    lg_status st = mb_linear_refuse(mo, who, 1);
    if (st == LG_OK && P == NULL) return lg_fail(&mo->head.error, LG_ERROR_ARGUMENT, "%s: P is NULL", who);
    if (st == LG_OK) st = mb_vary_create(&v, mo, which, count, who);
    const mb_along to = {.v = v, .P = P, .D = D};
    if (st == LG_OK) st = mb_sparse_along(mo, &to, who);
    mb_vary_destroy(v);
    return st;
}

lg_status mb_sparse_basis(mb_sparse *mo, double *C, const mb_variation *v, double *D)
{
    static const char who[] = "lg_motion_basis";
    mb_linear L = {.mo = mo, .who = who, .small = MB_LINEAR_FINE};
    lg_status st = mb_linear_refuse(mo, who, 1);
    if (st == LG_OK && C == NULL) st = lg_fail(&mo->head.error, LG_ERROR_ARGUMENT, "%s: C is NULL", who);
    if (st == LG_OK) st = mb_linear_open(&L);
    if (st == LG_OK) st = mb_linear_bases(&L);
    if (st == LG_OK) st = mb_linear_difference(&L, NULL, NULL, C);
    if (st == LG_OK && v != NULL) st = mb_vary_columns(v, &L, NULL, D);
    mb_linear_close(&L);
    return st;
}

int lg_motion_freedoms(const lg_motion *motion, int *positions)
{
    const mb_sparse *mo = mb_of(motion);
    if (mo == NULL || mo->numbers.plan == NULL) return 0;
    const mb_plan *plan = &mo->mechanism->plan;
    if (positions != NULL) *positions = mb_position_freedoms(plan);
    return mb_position_freedoms(plan) + mb_freedoms(plan);
}
