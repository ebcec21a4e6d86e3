/* SPDX-License-Identifier: BSD-3-Clause */
/* Models of the whole catalog, what is asked of a system, pullbacks and Chaplygin systems. */
#include "faults.h"
#include "models.h"
#include "support/chaplygin_systems.h"
#include "support/level_sets.h"

fault_model fault_own;

const char *const *fault_catalog(void)
{
    return lg_catalog_names();
}

const char *const *fault_gallery(void)
{
    static const char *names[64];
    for (int i = 0; i < lg_gallery_count(); i++) names[i] = lg_gallery_name(i);
    return names;
}

void fault_model_close(void)
{
    lg_model_destroy(fault_own.M);
    fault_own.M = NULL;
}

/* What fails when there is no object but an error. */
static lg_error *error_of(fault_case *c)
{
    static lg_error e;
    e.message[0] = '\0';
    c->said = e.message;
    return &e;
}

lg_status fault_model_make(fault_case *c)
{
    fault_model *o = &fault_own;
    fault_model_close();
    fault_trap_model(&o->definition, lg_catalog_definition(c->a));
    lg_status st = lg_model_create(&o->M, &o->definition);
    if (o->M != NULL) c->said = lg_model_message(o->M);
    return st;
}

lg_status fault_model_system(fault_case *c)
{
    fault_model *o = &fault_own;
    lg_status st = lg_model_system(o->M, &o->S);
    if (st == LG_OK) st = lg_model_initial(o->M, o->g, o->xi, NULL);
    c->said = lg_model_message(o->M);
    if (st == LG_OK) fault_fold(c, o->g, o->S->group->element_size), fault_fold(c, o->xi, o->S->group->dim);
    return st;
}

static lg_status model_scene(fault_case *c)
{
    const lg_scene *scene = NULL;
    const char *text = "";
    double poses[70];
    lg_status st = lg_model_scene(fault_own.M, &scene);
    if (st == LG_OK) st = lg_model_poses(fault_own.M, poses, 0.1, fault_own.g);
    c->said = lg_model_message(fault_own.M);
    if (st != LG_OK) return st;
    fault_fold(c, poses, LG_POSE_SIZE * lg_scene_body_count(scene));
    c->said = lg_scene_message(scene);
    const lg_status said = lg_scene_json((lg_scene *)(uintptr_t)scene, &text);
    if (said == LG_OK) fault_fold_text(c, text);
    if (said != LG_OK) c->said = lg_scene_message(scene);
    return said;
}

static lg_status validate(fault_case *c)
{
    return lg_system_validate(fault_own.S, error_of(c));
}

static lg_status check(fault_case *c)
{
    lg_rng rng = suite_rng(11);
    return lg_system_check(fault_own.S, &rng, fault_own.g, 2, 0, error_of(c));
}

static lg_status energy(fault_case *c)
{
    const int n = fault_own.S->group->dim;
    double H = 0, P[SUITE_MATRIX], Q[SUITE_MATRIX], Pi[SUITE_MATRIX];
    lg_status st = lg_system_energy(fault_own.S, &H, 0.1, fault_own.g, fault_own.xi, error_of(c));
    fault_fold(c, &H, 1);
    if (st != LG_OK) return st;
    st = lg_system_projectors(fault_own.S, P, Q, Pi, 0.1, fault_own.g, error_of(c));
    if (st == LG_OK) fault_fold(c, P, n * n);
    return st;
}

/* Pullbacks ------------------------------------------------------------------------------------------------------- */

static struct {
    level_space space;
    lg_system S;
    lg_pullback *p;
} flat;

static void pullback_close(void)
{
    lg_pullback_destroy(flat.p);
    flat.p = NULL;
}

static lg_status pullback_make(fault_case *c)
{
    const level_set *L = &sphere_set;
    pullback_close();
    level_space_open(&flat.space, &discrete_rules[0]);
    flat.S = flat.space.S;
    fault_trap(&flat.S.callbacks, &flat.space.S.callbacks);
    lg_status st = lg_pullback_create(&flat.p, &flat.S, L->r, NULL, L->chart, L->jacobian, NULL);
    if (flat.p != NULL) c->said = lg_pullback_message(flat.p);
    return st;
}

static lg_status pullback_check(fault_case *c)
{
    lg_status st = lg_pullback_check(flat.p, sphere_set.q0);
    c->said = lg_pullback_message(flat.p);
    return st;
}

static lg_status pullback_energy(fault_case *c)
{
    static const double p[4] = {0.3, -0.2, 0.1, 0.4};
    double H = 0;
    lg_status st = lg_system_energy(lg_pullback_system(flat.p), &H, 0.1, sphere_set.q0, p, error_of(c));
    fault_fold(c, &H, 1);
    return st;
}

/* Chaplygin systems ----------------------------------------------------------------------------------------------- */

static struct {
    chaplygin_case t;
    lg_system S;
    lg_chaplygin *o;
} reduced;

static const char *const *chaplygins(void)
{
    static const char *names[CHAPLYGIN_CASES + 1];
    for (int i = 0; i < CHAPLYGIN_CASES; i++) names[i] = chaplygin_names[i];
    return names;
}

static void chaplygin_close(void)
{
    lg_chaplygin_destroy(reduced.o);
    reduced.o = NULL;
}

static lg_status chaplygin_open(fault_case *c)
{
    chaplygin_close();
    chaplygin_make(&reduced.t, c->a);
    reduced.S = reduced.t.S;
    fault_trap(&reduced.S.callbacks, &reduced.t.S.callbacks);
    lg_status st =
        lg_chaplygin_create(&reduced.o, &reduced.S, reduced.t.shape, reduced.t.count, c->j ? "cayley" : "exp", 0.02);
    if (reduced.o != NULL) c->said = lg_chaplygin_message(reduced.o);
    return st;
}

static lg_status chaplygin_start(fault_case *c)
{
    c->said = lg_chaplygin_message(reduced.o);
    return lg_chaplygin_start(reduced.o, 0, reduced.t.g0, reduced.t.v0);
}

static lg_status chaplygin_steps(fault_case *c)
{
    lg_status st = LG_OK;
    double v[4];
    while (st == LG_OK && lg_chaplygin_step_index(reduced.o) < 3) st = lg_chaplygin_step(reduced.o);
    if (st == LG_OK) st = lg_chaplygin_velocity(reduced.o, v);
    c->said = lg_chaplygin_message(reduced.o);
    if (st != LG_OK) return st;
    fault_fold(c, v, reduced.t.count);
    fault_fold(c, lg_chaplygin_configuration(reduced.o), reduced.S.group->element_size);
    return st;
}

static const char *const *maps(void)
{
    static const char *const names[] = {"exp", "cayley", NULL};
    return names;
}

const fault_row fault_systems[] = {
    {.name = "model",
     .first = fault_catalog,
     .stride = 1,
     .verbs = {fault_model_make, fault_model_system},
     .close = fault_model_close},
    {.name = "scene of a model",
     .first = fault_catalog,
     .stride = 1,
     .verbs = {fault_model_make, fault_model_system, model_scene},
     .close = fault_model_close},
    {.name = "lg_system_*",
     .first = fault_catalog,
     .stride = 1,
     .verbs = {fault_model_make, fault_model_system, validate, check, energy},
     .close = fault_model_close,
     .quiet = {NULL, "where a callback fails near the point, the difference is made smaller"}},
    {.name = "pullback",
     .stride = 1,
     .verbs = {pullback_make, pullback_check, pullback_energy},
     .close = pullback_close},
    {.name = "chaplygin",
     .first = chaplygins,
     .second = maps,
     .stride = 1,
     .verbs = {chaplygin_open, chaplygin_start, chaplygin_steps},
     .close = chaplygin_close},
    {.name = NULL},
};
