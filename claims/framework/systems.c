/* SPDX-License-Identifier: BSD-3-Clause */
/* The systems that claims loop over: the catalog, variants of it that a theorem needs, the examples of
 * claims/framework/examples.c; opened with consistent initial data, classified by their traits. */
#include <stdio.h>
#include <stdlib.h>

#include "claims/framework/examples.h"
#include "claims/framework/harness.h"

/* The catalog with other parameters. */
static const struct {
    const char *system, *settings;
} variants[] = {
    {"biinvariant-so3", "distribution=1"}, {"chaplygin-sphere", "Omega=0"},   {"cvt", "c2=-0.1"},
    {"cvt", "c2=-0.1 quartic=1"},          {"contact-oscillator", "shift=1"}, {"chaplygin-sleigh", "a=0"},
};

/* Opening --------------------------------------------------------------------------------------------------------- */

/* "NAME=VALUE NAME=VALUE" into the model. */
static int set_all(claim_report *r, claim_system *s, const char *settings)
{
    char name[64];
    int used;
    double value;
    while (sscanf(settings, " %63[^= ]=%lf%n", name, &value, &used) == 2) {
        if (!claim_ok(r, lg_model_set(s->M, name, value), s->label, lg_model_message(s->M))) return 0;
        settings += used;
    }
    return 1;
}

int claim_settle(claim_report *r, claim_system *s)
{
    lg_integrator *it = NULL;
    int ok;
    lg_status status = lg_integrator_create(&it, s->S, "sem", "exp", s->h);
    if (status == LG_OK) status = lg_integrator_start(it, 0, s->g0, s->xi0, LG_START_REACTION, 1);
    ok = claim_ok(r, status, s->label, lg_integrator_message(it));
    if (ok) {
        memcpy(s->g0, lg_integrator_configuration(it), (size_t)s->size * sizeof *s->g0);
        ok = claim_ok(r, lg_integrator_velocity(it, s->xi0), s->label, lg_integrator_message(it));
    }
    lg_integrator_destroy(it);
    return ok;
}

lg_call claim_call(const claim_system *s, const double *t)
{
    static const double still[CLAIM_DIM] = {0};
    return lg_system_call(s->S, t, still);
}

/* Largest |row entry - entry of the rows at g0| and |Y| near g0. */
static void look_at_rows(const claim_system *s, double *change, double *drift)
{
    double A[CLAIM_ROWS * CLAIM_DIM], A0[CLAIM_ROWS * CLAIM_DIM], b[CLAIM_ROWS], g[CLAIM_ELEMENT], xi[CLAIM_DIM];
    lg_rng rng = {7};
    const int rows = claim_rows(s, 0, s->g0, A0, b);
    *change = *drift = 0;
    for (int k = 0; k < 4; k++) {
        for (int i = 0; i < s->n; i++) xi[i] = 0.3 * lg_rng_normal(&rng);
        if (lg_group_exp(s->G, g, xi) != LG_OK || lg_group_compose(s->G, g, s->g0, g) != LG_OK)
            memcpy(g, s->g0, sizeof g);
        claim_rows(s, 0, g, A, b);
        for (int i = s->S->callbacks.holonomic_count; i < rows; i++) *drift = fmax(*drift, fabs(b[i]));
        for (int i = 0; i < rows * s->n; i++) *change = fmax(*change, fabs(A[i] - A0[i]));
    }
}

/* Largest |ad*_xi J xi| for random xi. */
static double look_at_metric(const claim_system *s)
{
    double J[CLAIM_DIM * CLAIM_DIM], xi[CLAIM_DIM], p[CLAIM_DIM], out[CLAIM_DIM], most = 0;
    lg_rng rng = {8};
    claim_metric(s, 0, s->g0, J);
    for (int k = 0; k < 4; k++) {
        for (int i = 0; i < s->n; i++) xi[i] = lg_rng_normal(&rng);
        for (int i = 0; i < s->n; i++) {
            p[i] = 0;
            for (int j = 0; j < s->n; j++) p[i] += J[i * s->n + j] * xi[j];
        }
        if (lg_group_coad_apply(s->G, out, xi, p) != LG_OK) return NAN;
        for (int i = 0; i < s->n; i++) most = fmax(most, fabs(out[i]));
    }
    return most;
}

static unsigned traits_of(const claim_system *s)
{
    const lg_system *S = s->S;
    unsigned traits = 0;
    double change = 0, drift = 0;
    look_at_rows(s, &change, &drift);
    if (S->constraint_count > 0) traits |= CLAIM_VELOCITY_ROWS;
    if (S->callbacks.holonomic_count > 0) traits |= CLAIM_POSITION_ROWS;
    if (S->callbacks.potential != NULL) traits |= CLAIM_POTENTIAL;
    if (S->callbacks.force != NULL) traits |= CLAIM_FORCE;
    if (S->callbacks.control_count > 0) traits |= CLAIM_CONTROLS;
    if (drift > 1e-12) traits |= CLAIM_DRIFT;
    if (S->callbacks.time_dependent) traits |= CLAIM_TIME;
    if (S->callbacks.metric != NULL) traits |= CLAIM_METRIC;
    if (change < 1e-12) traits |= CLAIM_CONSTANT_ROWS;
    if (lg_group_factor_count(s->G) == 1 ? s->G->abelian : 1) traits |= CLAIM_ABELIAN;
    for (int i = 0; i < lg_group_factor_count(s->G); i++)
        if (!lg_group_factor(s->G, i)->abelian) traits &= ~(unsigned)CLAIM_ABELIAN;
    if (S->callbacks.metric == NULL && look_at_metric(s) < 1e-12) traits |= CLAIM_BIINVARIANT;
    return traits;
}

int claim_open_definition(claim_report *r, claim_system *s, const lg_model_definition *d, const char *settings)
{
    lg_status status;
    memset(s, 0, sizeof *s);
    if (settings == NULL) settings = "";
    snprintf(s->label, sizeof s->label, "%s%s%s", d->name, settings[0] != '\0' ? " " : "", settings);
    s->name = s->label;
    claim_case(r, s->label, NULL, NULL);
    status = lg_model_create(&s->M, d);
    if (!claim_ok(r, status, d->name, lg_model_message(s->M)) || !set_all(r, s, settings)) goto failed;
    if (!claim_ok(r, lg_model_system(s->M, &s->S), s->label, lg_model_message(s->M))) goto failed;
    s->G = s->S->group;
    s->n = lg_group_dim(s->G);
    s->size = lg_group_element_size(s->G);
    s->m = s->S->callbacks.holonomic_count + s->S->constraint_count;
    s->h = lg_model_default_step(s->M);
    if (s->n > CLAIM_DIM || s->size > CLAIM_ELEMENT || s->m > CLAIM_ROWS) {
        claim_trouble(r, "%s: the ledger takes systems of at most dimension %d, %d numbers per element and %d rows",
                      d->name, CLAIM_DIM, CLAIM_ELEMENT, CLAIM_ROWS);
        goto failed;
    }
    if (!claim_ok(r, lg_model_initial(s->M, s->g0, s->xi0, NULL), s->label, lg_model_message(s->M))) goto failed;
    if (!claim_settle(r, s)) goto failed;
    if (d == r->only && !claim_prepare_own(r, s)) goto failed;
    s->traits = traits_of(s);
    return 1;
failed:
    claim_close(s);
    return 0;
}

int claim_open(claim_report *r, claim_system *s, const char *name, const char *settings)
{
    const lg_model_definition *d = lg_catalog_definition(name);
    if (d == NULL) d = claim_example(name);
    memset(s, 0, sizeof *s);
    if (d != NULL) return claim_open_definition(r, s, d, settings);
    claim_trouble(r, "there is no system '%s'", name);
    return 0;
}

void claim_close(claim_system *s)
{
    lg_model_destroy(s->M);
    s->M = NULL;
}

/* Loops ----------------------------------------------------------------------------------------------------------- */

static void one(claim_report *r, const lg_model_definition *d, const char *settings, unsigned with, unsigned without,
                claim_body body, void *context)
{
    claim_system s;
    if (!claim_open_definition(r, &s, d, settings)) return;
    if ((s.traits & with) == with && (s.traits & without) == 0) {
        claim_case(r, s.name, NULL, NULL);
        body(r, &s, context);
    }
    claim_close(&s);
}

int claim_own_systems(const claim_report *r)
{
    return r->only == NULL;
}

void claim_each(claim_report *r, unsigned with, unsigned without, claim_body body, void *context)
{
    if (r->only != NULL) {
        one(r, r->only, NULL, with, without, body, context);
        return;
    }
    for (const char *const *name = lg_catalog_names(); *name != NULL; name++)
        one(r, lg_catalog_definition(*name), NULL, with, without, body, context);
    for (size_t i = 0; i < sizeof variants / sizeof variants[0]; i++)
        one(r, lg_catalog_definition(variants[i].system), variants[i].settings, with, without, body, context);
    for (int i = 0; claim_example_at(i) != NULL; i++) one(r, claim_example_at(i), NULL, with, without, body, context);
}
