/* SPDX-License-Identifier: BSD-3-Clause */
/* A mechanism as an lg_model: its system, a state to start from, and names. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <math.h>

#include <liegrp/groups/so3.h>
#include <liegrp/multibody/system.h>

#include "base/arena.h"
#include "base/text.h"
#include "multibody/motion.h"
#include "multibody/scene.h"
#include "run/model_private.h"
#include "run/motion_columns.h"

enum { NAME_MOST = 80 };

typedef const lg_group *(*factor)(void);

/* What a model points to, in one block that belongs to the mechanism. */
typedef struct contents {
    mb_context context; /* first, for the callbacks of the system */
    const lg_system *S;
    double *g, *xi;
    factor *factors;
    const char **names;
    lg_column_text *controls;
    char *text; /* NAME_MOST bytes each: name, summary, then names of columns and controls */
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

static int initial(const lg_call *c, double *g0, double *xi0)
{
    const contents *o = c->context;
    const int bodies = o->context.mechanism->plan.bodies;
    memcpy(g0, o->g, (size_t)(7 * bodies) * sizeof *g0);
    memcpy(xi0, o->xi, (size_t)(6 * bodies) * sizeof *xi0);
    return 0;
}

/* Divides the block, and at last says how long it is. */
static contents *divide(lg_arena *a, const mb_plan *plan)
{
    const size_t N = sz(plan->bodies), controls = sz(plan->controls);
    contents *o = lg_take(a, sizeof *o);
    double *g = lg_take_doubles(a, 7 * N), *xi = lg_take_doubles(a, 6 * N);
    factor *factors = lg_take(a, 2 * N * sizeof *factors);
    const char **names = lg_take(a, 3 * N * sizeof *names);
    lg_column_text *texts = lg_take(a, (controls + 1) * sizeof *texts);
    char *text = lg_take(a, (3 * N + controls + 2) * NAME_MOST);
    if (o != NULL) o->g = g, o->xi = xi, o->factors = factors, o->names = names, o->controls = texts, o->text = text;
    return o;
}

static contents *take(const mb_plan *plan)
{
    lg_arena a = {NULL, 0};
    (void)divide(&a, plan);
    a.base = lg_reserve(a.used), a.used = 0;
    return a.base != NULL ? divide(&a, plan) : NULL;
}

/* A place for the next name, of at most 60 bytes of `name`. */
static char *name_next(char **text, const char *name)
{
    char *at = *text;
    *text += NAME_MOST;
    lg_text_copy(at, 61, name);
    return at;
}

static void set_names(contents *o, const lg_mechanism *m)
{
    char *text = o->text + (size_t)2 * NAME_MOST; /* behind name and summary */
    for (int b = 0; b < m->plan.bodies; b++) {
        o->factors[2 * b] = space, o->factors[2 * b + 1] = lg_so3;
        for (int k = 0; k < 3; k++) {
            char *name = name_next(&text, MB_BODY(m, b)->name);
            const size_t used = strlen(name);
            name[used] = '_', name[used + 1] = (char)('x' + k);
            o->names[3 * b + k] = name;
        }
    }
    for (int i = 0; i < m->plan.forces; i++) {
        const mb_force *d = &m->plan.force[i];
        if (d->control < 0) continue;
        const int slides = m->plan.coordinate[d->coordinate].slides;
        o->controls[d->control] =
            (lg_column_text){name_next(&text, MB_MOTOR_OF(m, d->control)->name), slides ? "N" : "N m",
                             slides ? "the motor's force" : "the motor's torque"};
    }
}

static int look(const lg_call *c, lg_scene *scene)
{
    const mb_context *context = c->context;
    mb_fill_scene(context->mechanism, scene);
    return 0;
}

static int poses(const lg_call *c, const double *g, double *out)
{
    const mb_context *context = c->context;
    mb_frames_of(context->mechanism, out, g);
    return 0;
}

static lg_status create(lg_model **M, const contents *o, double step)
{
    const lg_system *S = o->S;
    lg_model_definition d = {.size = sizeof d,
                             .name = o->text,
                             .summary = o->text + NAME_MOST,
                             .source = "a mechanism",
                             .factor_count = 2 * o->context.mechanism->plan.bodies,
                             .factors = o->factors,
                             .coordinate_names = o->names,
                             .constraint_count = S->constraint_count,
                             .configure = configure,
                             .initial = initial,
                             .step = step,
                             .callbacks = S->callbacks};
    d.callbacks.controls = o->controls;
    d.callbacks.model_context = &o->context;
    d.callbacks.look = look, d.callbacks.poses = poses;
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
    lg_text_copy(o->text, NAME_MOST, M->name);
    (void)snprintf(o->text + NAME_MOST, NAME_MOST, "a mechanism of %d bodies and %d joints", m->plan.bodies,
                   lg_mechanism_joint_count(m));
    set_names(o, m);
    memcpy(o->g, m->pose, (size_t)(7 * m->plan.bodies) * sizeof *o->g);
    st = create(&M->dense, o, lg_model_default_step(M));
    o->context.next = m->context, m->context = &o->context;
    *dense = M->dense;
    if (st != LG_OK) st = lg_fail(&M->error, st, "%s", M->dense != NULL ? lg_model_message(M->dense) : "out of memory");
    return st;
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
