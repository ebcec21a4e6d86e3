/* SPDX-License-Identifier: BSD-3-Clause */
/* Ensembles of models as arrays, and inputs of a constant matrix. No lock of Python's holds these loops up. */

/* Setting --------------------------------------------------------------------------------------------------------- */

/* Numbers by name for each instance: names of parameters, then of initial values. */
typedef struct lgp_values {
    const char *const *names;
    int parameters, initials;
    const double *values; /* count x (parameters + initials) */
} lgp_values;

static lg_status lgp_set_values(int64_t instance, lg_model *M, void *context)
{
    const lgp_values *v = context;
    const int all = v->parameters + v->initials;
    const double *value = v->values + instance * all;
    lg_status status = LG_OK;
    for (int k = 0; k < all && status == LG_OK; k++)
        status =
            k < v->parameters ? lg_model_set(M, v->names[k], value[k]) : lg_model_set_initial(M, v->names[k], value[k]);
    return status;
}

/* Starts every instance from its rows of g and xi; those that cannot be started are retired. */
static void lgp_ensemble_start(lg_ensemble *E, double t0, const double *g, size_t size, const double *xi, size_t n)
{
    for (int64_t i = 0; i < lg_ensemble_count(E); i++)
        lg_status_ignore(lg_ensemble_start(E, i, t0, g + (size_t)i * size, xi + (size_t)i * n));
}

/* Reading --------------------------------------------------------------------------------------------------------- */

/* States of instances at several times; instance i has its own part of every array. NULL: not wanted. */
typedef struct lgp_samples {
    int64_t slots;  /* states of an instance */
    int64_t *seen;  /* how many it has shown so far */
    size_t size, n; /* numbers of an element, of a velocity */
    double *t, *g, *xi, *p, *energy;
} lgp_samples;

static int lgp_sample(int64_t instance, const lg_integrator *it, void *context)
{
    lgp_samples *s = context;
    const int64_t slot = instance * s->slots + s->seen[instance];
    if (s->seen[instance] >= s->slots) return 0;
    s->seen[instance]++;
    if (s->t != NULL) s->t[slot] = lg_integrator_time(it);
    if (s->g != NULL) memcpy(s->g + (size_t)slot * s->size, lg_integrator_configuration(it), s->size * sizeof(double));
    if (s->xi != NULL) lg_status_ignore(lg_integrator_velocity(it, s->xi + (size_t)slot * s->n));
    if (s->p != NULL) memcpy(s->p + (size_t)slot * s->n, lg_integrator_momentum(it), s->n * sizeof(double));
    if (s->energy != NULL) s->energy[slot] = lg_integrator_energy(it);
    return 0;
}

/* Inputs ---------------------------------------------------------------------------------------------------------- */

/* The constant n x k matrix B of a force B u. */
typedef struct lgp_matrix {
    int n, k;
    const double *entries;
} lgp_matrix;

/* A model with such a force: the definition that it is made from; its context is `matrix`, before which stands the
 * owner of functions in Python, for lgp_owner(). */
typedef struct lgp_inputs {
    lg_model_definition definition;
    void *owner;
    lgp_matrix matrix;
} lgp_inputs;

static int lgp_input_force(const lg_call *c, const double *g, const double *xi, double *out)
{
    const lgp_matrix *B = c->context;
    const int L = c->lanes;
    (void)g, (void)xi;
    for (int i = 0; i < B->n; i++)
        for (int j = 0; j < B->k; j++)
            for (int l = 0; l < L; l++) out[i * L + l] += B->entries[i * B->k + j] * c->control[j * L + l];
    return 0;
}

/* The definition of a model with these inputs instead of its own forces. What is conserved or known exactly without
 * them is not with them. 0: the model has forces, or a context that is not an owner's. */
static int lgp_with_inputs(lgp_inputs *inputs, const lg_model *M, const lg_column_text *controls)
{
    const lg_model_definition *own = lg_model_describe(M);
    lg_model_definition *d = &inputs->definition;
    if (own->callbacks.force != NULL || own->callbacks.control_count > 0 ||
        (own->callbacks.model_context != NULL && inputs->owner == NULL))
        return 0;
    *d = *own;
    d->invariant_count = 0;
    d->exact = NULL;
    d->callbacks.plot = NULL;
    d->callbacks.columns = NULL;
    d->callbacks.force = lgp_input_force;
    d->callbacks.control_count = inputs->matrix.k;
    d->callbacks.controls = controls;
    d->callbacks.model_context = &inputs->matrix;
    return 1;
}
