/* SPDX-License-Identifier: BSD-3-Clause */
/* The free rigid body on SO(3): M' = M x Omega in the body, R M constant in space. */
#include "catalog/look.h"
#include "catalog/systems.h"

static const lg_parameter parameters[] = {
    LG_POSITIVE("I1", "kg m^2", "first principal moment of inertia", 1),
    LG_POSITIVE("I2", "kg m^2", "second principal moment of inertia", 1.5),
    LG_POSITIVE("I3", "kg m^2", "third principal moment of inertia", 2.2),
};

static int rigid_body_configure(const lg_call *c, double *J, double *rows, char *why)
{
    const double *param = c->param;
    (void)rows, (void)why;
    for (int i = 0; i < 3; i++) J[4 * i] = param[i];
    return 0;
}

static int rigid_body_initial(const lg_call *c, double *g0, double *xi0)
{
    (void)c;
    g0[0] = g0[1] = g0[2] = 0, g0[3] = 1;
    xi0[0] = 0.4, xi0[1] = 1, xi0[2] = -0.3;
    return 0;
}

static const lg_invariant invariants[] = {
    {"spatial_momentum_1", "first component of R p", lg_catalog_spatial_momentum_1},
    {"spatial_momentum_2", "second component of R p", lg_catalog_spatial_momentum_2},
    {"spatial_momentum_3", "third component of R p", lg_catalog_spatial_momentum_3},
    {"momentum_squared", "|p|^2", lg_catalog_momentum_squared},
};

/* The axis of symmetry, whose other two moments are equal; -1 if there is no such axis. */
static int symmetry_axis(const double *I)
{
    for (int k = 2; k >= 0; k--)
        if (I[(k + 1) % 3] == I[(k + 2) % 3]) return k;
    return -1;
}

/* Symmetric body, axis k, transverse moment I: the spatial velocity is L/I + kappa R e_k with L = R M constant and
 * kappa = (1 - I_k/I) Omega_k, so R(t) = exp(t L/I) R0 exp(t kappa e_k) = R0 exp(t M0/I) exp(t kappa e_k) and
 * Omega(t) = exp(-t kappa e_k) Omega0. */
static int rigid_body_exact(const lg_call *call, const double *g0, const double *xi0, double *g, double *xi)
{
    const double *param = call->param;
    const double t = call->t;
    const int k = symmetry_axis(param), i = (k + 1) % 3, j = (k + 2) % 3;
    if (k < 0) return 1;
    const double kappa = (1 - param[k] / param[i]) * xi0[k], c = lg_real_cos(kappa * t), s = lg_real_sin(kappa * t);
    double precession[3], spin[3] = {0, 0, 0};
    for (int a = 0; a < 3; a++) precession[a] = param[a] * xi0[a] / param[i];
    spin[k] = kappa;
    const double wi = xi0[i], wj = xi0[j];
    xi[k] = xi0[k];
    xi[i] = c * wi + s * wj;
    xi[j] = c * wj - s * wi;
    return lg_catalog_uniform_rotation(g, g0, precession, t) || lg_catalog_uniform_rotation(g, g, spin, t);
}

static int rigid_body_look(const lg_call *c, lg_scene *scene)
{
    const double *p = c->param, J[9] = {p[0], 0, 0, 0, p[1], 0, 0, 0, p[2]};
    lg_look_inertia(scene, "body with this inertia", lg_look_body(scene, "body"), p[0] + p[1] + p[2], J);
    return 0;
}

static const lg_column_text column_texts[] = {
    {"inv_spatial_momentum_1", "kg m^2/s", NULL},
    {"inv_spatial_momentum_2", "kg m^2/s", NULL},
    {"inv_spatial_momentum_3", "kg m^2/s", NULL},
    {"inv_momentum_squared", "J kg m^2", NULL},
    {NULL, NULL, NULL},
};

const lg_model_definition lg_catalog_rigid_body = {
    .size = sizeof(lg_model_definition),
    .name = "rigid-body",
    .summary = "free rigid body",
    .source = LG_BLOCH_2005 ", equation (12), on SO(3)",
    .remark = "Exact solution where two moments are equal (symmetric body).",
    .group = lg_so3,
    LG_PARAMETERS,
    LG_INVARIANTS,
    .configure = rigid_body_configure,
    .initial = rigid_body_initial,
    .exact = rigid_body_exact,
    .step = 0.05,
    .callbacks = {.columns = column_texts, .look = rigid_body_look, .poses = lg_catalog_attitude_pose},
};
