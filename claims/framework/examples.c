/* SPDX-License-Identifier: BSD-3-Clause */
/* Systems beyond the catalog that theorems need: without any symmetry, affine, on SE(3), chaotic. */
#include <math.h>
#include <string.h>

#include "claims/framework/examples.h"

static const lg_group *r3(void)
{
    return lg_rn(3);
}

static const lg_group *r7(void)
{
    return lg_rn(7);
}

/* A particle with z' = y x' in a potential without symmetry; with a drift, affine. --------------------------------- */

static int particle_configure(const lg_call *c, double *J, double *rows, char *why)
{
    (void)c, (void)rows, (void)why;
    J[0] = 1, J[4] = 1.2, J[8] = 0.8;
    return 0;
}

static int particle_potential(const lg_call *c, const double *q, double *V)
{
    (void)c;
    *V = (q[0] * q[0] + 2 * q[1] * q[1] + q[2] * q[2]) / 2 + q[0] * q[2] / 2 + cos(q[1]) / 3;
    return 0;
}

static int particle_gradient(const lg_call *c, const double *q, double *out)
{
    (void)c;
    out[0] = q[0] + q[2] / 2;
    out[1] = 2 * q[1] - sin(q[1]) / 3;
    out[2] = q[2] + q[0] / 2;
    return 0;
}

static int particle_rows(const lg_call *c, const double *q, double *mu, double *Y)
{
    (void)c, (void)Y;
    mu[0] = -q[1], mu[2] = 1;
    return 0;
}

static int affine_rows(const lg_call *c, const double *q, double *mu, double *Y)
{
    (void)c;
    mu[0] = -q[1], mu[2] = 1;
    Y[0] = sin(q[1]) / 2, Y[1] = q[0] / 4, Y[2] = 0.5 + q[0] * q[1] / 4;
    return 0;
}

static int particle_initial(const lg_call *c, double *q, double *v)
{
    static const double q0[3] = {0.3, -0.2, 0.5}, v0[3] = {0.7, 0.4, -0.2 * 0.7};
    (void)c;
    memcpy(q, q0, sizeof q0);
    memcpy(v, v0, sizeof v0);
    return 0;
}

static int affine_initial(const lg_call *c, double *q, double *v)
{
    double Y[3], mu[3] = {0};
    (void)particle_initial(c, q, v);
    (void)affine_rows(c, q, mu, Y);
    for (int i = 0; i < 3; i++) v[i] += Y[i];
    return 0;
}

static const lg_model_definition particle = {
    .size = sizeof(lg_model_definition),
    .name = "particle-potential",
    .summary = "particle with z' = y x' in a potential without symmetry",
    .group = r3,
    .constraint_count = 1,
    .configure = particle_configure,
    .initial = particle_initial,
    .step = 0.1,
    .callbacks = {.potential = particle_potential, .potential_gradient = particle_gradient, .covectors = particle_rows},
};

static const lg_model_definition affine = {
    .size = sizeof(lg_model_definition),
    .name = "particle-affine",
    .summary = "the same with an affine constraint",
    .group = r3,
    .constraint_count = 1,
    .configure = particle_configure,
    .initial = affine_initial,
    .step = 0.1,
    .callbacks = {.potential = particle_potential, .potential_gradient = particle_gradient, .covectors = affine_rows},
};

/* A body in space whose velocities are constrained in its own frame. ----------------------------------------------- */

static int body_configure(const lg_call *c, double *J, double *rows, char *why)
{
    static const double diagonal[6] = {2, 2.2, 1.8, 1, 1.4, 1.7};
    (void)c, (void)why;
    for (int i = 0; i < 6; i++) J[i * 7] = diagonal[i];
    J[1 * 6 + 5] = J[5 * 6 + 1] = 0.3; /* the centre of mass is not at the origin */
    J[2 * 6 + 4] = J[4 * 6 + 2] = -0.3;
    rows[0 * 6 + 1] = 1;
    rows[1 * 6 + 2] = 1, rows[1 * 6 + 3] = -0.3;
    return 0;
}

static int body_initial(const lg_call *c, double *g, double *xi)
{
    static const double xi0[6] = {0.8, 0, 0.3 * 0.4, 0.4, -0.5, 0.6};
    static const double cay[6] = {0.3, -0.2, 0.1, 0.4, -0.3, 0.2};
    (void)c;
    memcpy(xi, xi0, sizeof xi0);
    return lg_group_exp(lg_se3(), g, cay) != LG_OK;
}

static const lg_model_definition body = {
    .size = sizeof(lg_model_definition),
    .name = "body-se3",
    .summary = "body in space with two velocity constraints that are fixed in it",
    .group = lg_se3,
    .constraint_count = 2,
    .has_constant_rows = 1,
    .configure = body_configure,
    .initial = body_initial,
    .step = 0.1,
};

/* The chaotic oscillator: x' + sum y_i z_i' = 0 in R^7. ------------------------------------------------------------ */

static int chaotic_configure(const lg_call *c, double *J, double *rows, char *why)
{
    (void)c, (void)rows, (void)why;
    for (int i = 0; i < 7; i++) J[i * 8] = 1;
    return 0;
}

static int chaotic_potential(const lg_call *c, const double *q, double *V)
{
    const double *y = q + 1, *z = q + 4;
    (void)c;
    *V = q[0] * q[0] / 2 + z[0] * z[0] * z[1] * z[1] / 2;
    for (int i = 0; i < 3; i++) *V += (y[i] * y[i] + z[i] * z[i] + y[i] * y[i] * z[i] * z[i]) / 2;
    return 0;
}

static int chaotic_gradient(const lg_call *c, const double *q, double *out)
{
    const double *y = q + 1, *z = q + 4;
    (void)c;
    out[0] = q[0];
    for (int i = 0; i < 3; i++) {
        out[1 + i] = y[i] * (1 + z[i] * z[i]);
        out[4 + i] = z[i] * (1 + y[i] * y[i]);
    }
    out[4] += z[0] * z[1] * z[1];
    out[5] += z[1] * z[0] * z[0];
    return 0;
}

static int chaotic_rows(const lg_call *c, const double *q, double *mu, double *Y)
{
    (void)c, (void)Y;
    mu[0] = 1;
    for (int i = 0; i < 3; i++) mu[4 + i] = q[1 + i];
    return 0;
}

static int chaotic_initial(const lg_call *c, double *q, double *v)
{
    static const double q0[7] = {0.9, 0.6, 0.4, 0.2, 1, 1, 1};
    (void)c;
    memcpy(q, q0, sizeof q0);
    memset(v, 0, 7 * sizeof *v);
    v[1] = 0.3, v[4] = 0.2; /* projected onto the constraint at the start */
    return 0;
}

static const lg_model_definition chaotic = {
    .size = sizeof(lg_model_definition),
    .name = "chaotic-oscillator",
    .summary = "chaotic oscillator in R^7 with x' + sum y_i z_i' = 0",
    .group = r7,
    .constraint_count = 1,
    .configure = chaotic_configure,
    .initial = chaotic_initial,
    .step = 0.1,
    .callbacks = {.potential = chaotic_potential, .potential_gradient = chaotic_gradient, .covectors = chaotic_rows},
};

static const lg_model_definition *const examples[] = {
    &particle,
    &affine,
    &body,
    &chaotic,
    &claim_example_driven_sleigh,
    &claim_example_steered_blade,
    &claim_example_damped_top,
    &claim_example_moving_pivot,
    &claim_example_bead,
};
enum { EXAMPLES = sizeof examples / sizeof examples[0] };

const lg_model_definition *claim_example_at(int i)
{
    return i >= 0 && i < EXAMPLES ? examples[i] : NULL;
}

const lg_model_definition *claim_example(const char *name)
{
    for (int i = 0; i < EXAMPLES; i++)
        if (strcmp(examples[i]->name, name) == 0) return examples[i];
    return NULL;
}
