/* SPDX-License-Identifier: BSD-3-Clause */
/* A mechanism as an lg_model; for dense methods its bodies as a definition, whose columns are unused. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <liegrp/groups/so3.h>
#include <liegrp/multibody/system.h>

#include "base/arena.h"
#include "multibody/motion.h"
#include "run/model_private.h"
#include "run/motion_columns.h"

typedef const lg_group *(*factor)(void);

/* The objects that the definition points to, in one block owned by the mechanism. */
typedef struct contents {
    mb_context context; /* first, for the callbacks of the system */
    const lg_system *S;
    factor *factors;
} contents;

static const lg_group *space(void)
{
    return lg_rn(3);
}

static int configure(const lg_call *c, double *J, double *rows, char *why)
{
    const lg_system *S = ((const contents *)c->context)->S;
    const size_t n = (size_t)lg_group_dim(S->group);
    (void)rows, (void)why;
    if (S->inertia != NULL) memcpy(J, S->inertia, n * n * sizeof *J);
    for (size_t i = 0; S->inertia == NULL && i < n; i++) J[i * n + i] = S->inertia_diagonal[i];
    return 0;
}

/* As assembled and at rest. */
static int initial(const lg_call *c, double *g0, double *xi0)
{
    const mb_context *context = c->context;
    const size_t bodies = sz(context->mechanism->plan.bodies);
    memcpy(g0, context->mechanism->pose, 7 * bodies * sizeof *g0);
    memset(xi0, 0, 6 * bodies * sizeof *xi0);
    return 0;
}

/* Divides the block, and at last says how long it is. */
static contents *divide(lg_arena *a, const mb_plan *plan)
{
    contents *o = lg_take(a, sizeof *o);
    factor *factors = lg_take(a, 2 * sz(plan->bodies) * sizeof *factors);
    if (o != NULL) o->factors = factors;
    return o;
}

static contents *take(const mb_plan *plan)
{
    lg_arena a = {NULL, 0};
    (void)divide(&a, plan);
    a.base = lg_reserve(a.used), a.used = 0;
    return a.base != NULL ? divide(&a, plan) : NULL;
}

static lg_status create(lg_model **M, const contents *o, const char *name, double step)
{
    const lg_system *S = o->S;
    lg_model_definition d = {.size = sizeof d,
                             .name = name,
                             .summary = "",
                             .source = "a mechanism",
                             .factor_count = 2 * o->context.mechanism->plan.bodies,
                             .factors = o->factors,
                             .constraint_count = S->constraint_count,
                             .configure = configure,
                             .initial = initial,
                             .step = step,
                             .callbacks = S->callbacks};
    d.callbacks.model_context = &o->context;
    return lg_model_create(M, &d);
}

lg_status lg_model_dense(lg_model *M, const lg_model **dense)
{
    const lg_system *S;
    lg_mechanism *m = M->mechanism;
    lg_status st = M->dense == NULL ? lg_mechanism_system(m, &S) : LG_OK;
    *dense = M->dense;
    if (st != LG_OK) return lg_fail(&M->error, st, "%s", lg_mechanism_message(m));
    if (M->dense != NULL) return LG_OK;
    contents *o = take(&m->plan);
    if (o == NULL) return lg_fail(&M->error, LG_ERROR_MEMORY, "%s: out of memory", M->name);
    o->context.mechanism = m, o->S = S;
    for (int b = 0; b < m->plan.bodies; b++) o->factors[2 * b] = space, o->factors[2 * b + 1] = lg_so3;
    st = create(&M->dense, o, M->name, lg_model_default_step(M));
    o->context.next = m->context, m->context = &o->context;
    *dense = M->dense;
    if (st != LG_OK) st = lg_fail(&M->error, st, "%s", M->dense != NULL ? lg_model_message(M->dense) : "out of memory");
    return st;
}

lg_status lg_model_compile(lg_model **copy, const lg_model *M, lg_error *e)
{
    lg_mechanism *m = NULL;
    lg_status st = mb_describe_again(&m, M->described);
    *copy = NULL;
    if (st == LG_OK) st = lg_mechanism_compile(m);
    if (st != LG_OK) {
        const char *why = m != NULL ? lg_mechanism_message(m) : "";
        st = lg_fail(e, st, "%s: %s", M->name, why[0] != '\0' ? why : lg_status_text(st));
        lg_mechanism_destroy(m);
        return st;
    }
    st = lg_model_of_mechanism(copy, m, M->name);
    if (st == LG_OK)
        (*copy)->owned = m;
    else
        lg_mechanism_destroy(m);
    return st == LG_OK ? LG_OK : lg_fail(e, st, "%s: out of memory", M->name);
}

lg_status lg_model_now(lg_model **now, lg_model *M)
{
    *now = M;
    if (M->described == NULL) return LG_OK;
    if (!M->ready) {
        const lg_status st = lg_model_copy(now, M, &M->error);
        if (st != LG_OK) {
            lg_model_destroy(*now);
            *now = M;
            return st;
        }
        (*now)->before = M->with, M->with = *now, M->ready = 1;
    }
    *now = M->with;
    return LG_OK;
}

lg_status lg_model_of_mechanism(lg_model **model, lg_mechanism *m, const char *name)
{
    if (model == NULL) return LG_ERROR_ARGUMENT;
    if (m == NULL || !m->compiled)
        return lg_model_failed(model, LG_ERROR_ARGUMENT, "lg_model_of_mechanism: the mechanism is %s",
                               m == NULL ? "NULL" : "not compiled; call lg_mechanism_compile()");
    lg_model *M = *model = calloc(1, sizeof *M);
    if (M == NULL) return LG_ERROR_MEMORY;
    M->mechanism = m;
    M->name = strdup(name != NULL ? name : "mechanism");
    lg_status st = M->name != NULL ? lg_motion_columns_create(&M->bodies, m) : LG_ERROR_MEMORY;
    if (st == LG_OK) {
        M->names_count = lg_motion_columns_count(M->bodies);
        M->names = (char **)(uintptr_t)lg_motion_columns_names(M->bodies);
        M->column = lg_motion_columns_column(M->bodies, 0);
        M->initial = malloc((size_t)M->names_count * sizeof *M->initial);
        if (M->initial == NULL) st = LG_ERROR_MEMORY;
    }
    if (st != LG_OK) {
        lg_model_destroy(M);
        return lg_model_failed(model, st, "lg_model_of_mechanism: out of memory");
    }
    for (int i = 0; i < M->names_count; i++) M->initial[i] = (double)NAN;
    return LG_OK;
}
