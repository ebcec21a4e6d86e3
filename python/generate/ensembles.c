/* SPDX-License-Identifier: BSD-3-Clause */
/* Ensembles as arrays, and inputs of a constant matrix. No lock of Python's holds these loops up. */

/* Setting --------------------------------------------------------------------------------------------------------- */

/* What instances of a definition begin with, numbers by name for each: names of parameters, then of initial values. */
typedef struct lgp_values {
    const char *const *names;
    int parameters, initials;
    const double *values; /* count x (parameters + initials) */
} lgp_values;

static lg_status lgp_set_values(int64_t instance, lg_model *M, lg_motion *mo, void *context)
{
    const lgp_values *v = context;
    const int all = v->parameters + v->initials;
    const double *value = v->values + instance * all;
    lg_status status = LG_OK;
    (void)mo;
    for (int k = 0; k < all && status == LG_OK; k++)
        status =
            k < v->parameters ? lg_model_set(M, v->names[k], value[k]) : lg_model_set_initial(M, v->names[k], value[k]);
    return status;
}

/* What instances of a mechanism start from. */
typedef struct lgp_starts {
    const double *rows;                   /* count x columns of the model, or */
    const double *positions, *velocities; /* count x numbers each; NULL: as assembled, at rest */
    size_t columns, numbers;
    double t0;
    int project;
} lgp_starts;

static lg_status lgp_start_motion(int64_t instance, lg_model *M, lg_motion *mo, void *context)
{
    const lgp_starts *s = context;
    const size_t at = (size_t)instance * s->numbers;
    (void)M;
    if (s->rows != NULL) return lg_motion_start(mo, s->t0, s->rows + (size_t)instance * s->columns, s->project);
    return lg_motion_start_joints(mo, s->t0, s->positions != NULL ? s->positions + at : NULL,
                                  s->velocities != NULL ? s->velocities + at : NULL, s->project);
}

/* Starts every instance from its rows of g and xi; those that cannot be started are retired. */
static void lgp_ensemble_start(lg_ensemble *E, double t0, const double *g, size_t size, const double *xi, size_t n,
                               int project)
{
    for (int64_t i = 0; i < lg_ensemble_count(E); i++)
        lg_status_ignore(lg_ensemble_start_state(E, i, t0, g + (size_t)i * size, xi + (size_t)i * n, project));
}

/* Reading --------------------------------------------------------------------------------------------------------- */

/* States of instances at several times; instance i has its own part of every array. NULL: not wanted. */
typedef struct lgp_samples {
    int64_t slots;  /* states of an instance */
    int64_t *seen;  /* how many it has shown so far */
    size_t size, n; /* numbers of an element, of a velocity */
    size_t numbers; /* of positions */
    int bodies;
    double *t, *g, *xi, *p, *energy, *positions, *velocities, *poses, *work;
} lgp_samples;

static double *lgp_place(double *array, int64_t slot, size_t size)
{
    return array != NULL ? array + (size_t)slot * size : NULL;
}

static int lgp_sample(int64_t instance, const lg_motion *mo, void *context)
{
    lgp_samples *s = context;
    const int64_t slot = instance * s->slots + s->seen[instance];
    if (s->seen[instance] >= s->slots) return 0;
    s->seen[instance]++;
    *lgp_place(s->t, slot, 1) = lg_motion_time(mo);
    *lgp_place(s->energy, slot, 1) = lg_motion_energy(mo);
    if (s->g != NULL)
        lg_status_ignore(lg_motion_state(mo, lgp_place(s->g, slot, s->size), lgp_place(s->xi, slot, s->n),
                                         lgp_place(s->p, slot, s->n)));
    if (s->positions == NULL) return 0;
    *lgp_place(s->work, slot, 1) = lg_motion_work(mo);
    lg_status_ignore(lg_motion_positions(mo, lgp_place(s->positions, slot, s->numbers),
                                         lgp_place(s->velocities, slot, s->numbers)));
    for (int b = 0; b < s->bodies; b++)
        lg_status_ignore(lg_motion_body_pose(mo, lgp_place(s->poses, slot * s->bodies + b, 7), b));
    return 0;
}

/* Inputs ---------------------------------------------------------------------------------------------------------- */

/* The constant n x k matrix B of a force B u. */
typedef struct lgp_matrix {
    int n, k;
    const double *entries;
} lgp_matrix;

/* Data of a model with such a force: its definition, and its context `matrix`, before which lies the owner of Python
 * functions for lgp_owner(). */
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

/* The definition of a model with these inputs instead of its own forces. It has neither the model's invariants nor its
 * exact solution. 0: the model has forces, or a context without an owner. */
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
