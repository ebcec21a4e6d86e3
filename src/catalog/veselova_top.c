/* SPDX-License-Identifier: BSD-3-Clause */
/* Veselova's problem with a potential, on SO(3): a rigid body with a fixed point whose angular velocity has no vertical
 * component, <gamma, Omega> = 0, V = <chi, gamma>. The row is right-invariant: e_3 in space, gamma = R^T e_3 in the
 * body, d gamma = gamma x eta. */
#include "catalog/laned.h"
#include "catalog/look.h"
#include "catalog/rigid.h"

#include <liegrp/groups/so3.h>

enum { I11, I12, I13, I22, I23, I33, CHI1, CHI2, CHI3 };

KERNEL int veselova_top_potential(const lane_call *c, const real *g, real *V)
{
    real gamma[3];
    vertical(gamma, g);
    *V = so3_dot(c->param + CHI1, gamma);
    return 0;
}

KERNEL int veselova_top_potential_gradient(const lane_call *c, const real *g, real *out)
{
    real gamma[3];
    vertical(gamma, g);
    so3_cross(out, c->param + CHI1, gamma);
    return 0;
}

KERNEL int veselova_top_rows(const lane_call *c, const real *g, real *mu, real *Y)
{
    (void)c, (void)Y;
    vertical(mu, g);
    return 0;
}

KERNEL int veselova_top_potential_hessian(const lane_call *c, const real *g, const real *eta, real *out)
{
    real turn[3];
    vertical(turn, g);
    so3_cross(turn, turn, eta);
    so3_cross(out, c->param + CHI1, turn);
    return 0;
}

KERNEL int veselova_top_rows_along(const lane_call *c, const real *g, const real *eta, real *dmu, real *dY)
{
    real gamma[3];
    (void)c, (void)dY;
    vertical(gamma, g);
    so3_cross(dmu, gamma, eta);
    return 0;
}

LG_LANED_COVECTORS(lg_veselova_rows, veselova_top_rows)
LG_LANED_FIELD(lg_veselova_potential, veselova_top_potential)
LG_LANED_FIELD(lg_veselova_potential_gradient, veselova_top_potential_gradient)
LG_LANED_ALONG(lg_veselova_potential_hessian, veselova_top_potential_hessian)
LG_LANED_COVECTORS_ALONG(lg_veselova_rows_along, veselova_top_rows_along)

#if LANES == 1

static const lg_parameter parameters[] = {
    LG_POSITIVE("I11", "kg m^2", "inertia, diagonal entry", 1),
    LG_ANY("I12", "kg m^2", "inertia, off-diagonal entry", 0.1),
    LG_ANY("I13", "kg m^2", "inertia, off-diagonal entry", 0.3),
    LG_POSITIVE("I22", "kg m^2", "inertia, diagonal entry", 1.4),
    LG_ANY("I23", "kg m^2", "inertia, off-diagonal entry", 0.2),
    LG_POSITIVE("I33", "kg m^2", "inertia, diagonal entry", 2),
    LG_ANY("chi1", "J", "weight times centre of mass, first component in the body", 0.5),
    LG_ANY("chi2", "J", "weight times centre of mass, second component", 0.2),
    LG_ANY("chi3", "J", "weight times centre of mass, third component", -0.7),
};

static int veselova_top_configure(const lg_call *c, double *J, double *veselova_top_rows, char *why)
{
    const double *param = c->param;
    (void)veselova_top_rows;
    return lg_catalog_inertia(J, why, param + I11, 3);
}

static int veselova_top_initial(const lg_call *c, double *g0, double *xi0)
{
    static const double omega[3] = {0.9, -0.5, 0.6};
    double gamma[3];
    (void)c;
    lg_so3_cay(g0, (const double[3]){0.4, -0.3, 0.7});
    vertical(gamma, g0);
    for (int i = 0; i < 3; i++) xi0[i] = omega[i] - so3_dot(gamma, omega) * gamma[i];
    return 0;
}

static int is_free(const double *param)
{
    return param[CHI1] == 0 && param[CHI2] == 0 && param[CHI3] == 0;
}

/* (R p)' = -R chi x e_3 + lambda e_3: the reaction is vertical. */
static int horizontal_momentum_1(const lg_call *c, const double *g, const double *p, double *out)
{
    if (is_free(c->param)) return lg_catalog_spatial_momentum_1(c, g, p, out);
    *out = (double)NAN;
    return 0;
}

static int horizontal_momentum_2(const lg_call *c, const double *g, const double *p, double *out)
{
    if (is_free(c->param)) return lg_catalog_spatial_momentum_2(c, g, p, out);
    *out = (double)NAN;
    return 0;
}

static const lg_invariant invariants[] = {
    {"horizontal_momentum_1", "first component of R p; nan unless chi = 0", horizontal_momentum_1},
    {"horizontal_momentum_2", "second component of R p; nan unless chi = 0", horizontal_momentum_2},
};

/* I = c Id, chi = 0: R p = c R Omega is horizontal and constant, and so is Omega. */
static int veselova_top_exact(const lg_call *c, const double *g0, const double *xi0, double *g, double *xi)
{
    const double *param = c->param;
    const double t = c->t;
    const int ball =
        param[I11] == param[I22] && param[I22] == param[I33] && param[I12] == 0 && param[I13] == 0 && param[I23] == 0;
    if (!ball || !is_free(param)) return 1;
    for (int i = 0; i < 3; i++) xi[i] = xi0[i];
    return lg_catalog_uniform_rotation(g, g0, xi0, t);
}

static int veselova_top_look(const lg_call *c, lg_scene *scene)
{
    const double *p = c->param, mass = p[I11] + p[I22] + p[I33];
    const double J[9] = {p[I11], p[I12], p[I13], p[I12], p[I22], p[I23], p[I13], p[I23], p[I33]};
    const int body = lg_look_body(scene, "body");
    lg_look_inertia(scene, "body with this inertia", body, mass, J);
    lg_look_rod(scene, "weight times centre of mass", LG_SHADE_MARK, body, (const double[3]){0, 0, 0}, p + CHI1, 0.03);
    lg_look_rod(scene, "vertical, about which nothing turns", LG_SHADE_METAL, -1, (const double[3]){0, 0, -1.6},
                (const double[3]){0, 0, 1.6}, 0.015);
    return 0;
}

static const lg_column_text column_texts[] = {
    {"inv_horizontal_momentum_1", "kg m^2/s", NULL},
    {"inv_horizontal_momentum_2", "kg m^2/s", NULL},
    {NULL, NULL, NULL},
};

const lg_model_definition lg_catalog_veselova_top = {
    .size = sizeof(lg_model_definition),
    .name = "veselova-top",
    .summary = "Veselova's top: rigid body with a fixed point and no rotation about the vertical, <gamma, Omega> = 0",
    .source = "A. P. Veselov, L. E. Veselova, Flows on Lie groups with a nonholonomic constraint and integrable "
              "non-Hamiltonian systems, Funct. Anal. Appl. 20 (1986), with the potential <chi, gamma>",
    .remark = "The row is right-invariant: without potential the horizontal angular momentum is conserved, also by the "
              "GNI. Exact solution for equal moments of inertia without potential. The data are our own.",
    .group = lg_so3,
    LG_PARAMETERS,
    .constraint_count = 1,
    LG_INVARIANTS,
    .configure = veselova_top_configure,
    .initial = veselova_top_initial,
    .exact = veselova_top_exact,
    .step = 0.1,
    .callbacks = {.columns = column_texts,
                  .potential = lg_veselova_potential,
                  .potential_gradient = lg_veselova_potential_gradient,
                  .potential_hessian = lg_veselova_potential_hessian,
                  .covectors = lg_veselova_rows,
                  .covectors_derivative = lg_veselova_rows_along,
                  .lanes = LG_LANED_ALL,
                  .look = veselova_top_look,
                  .poses = lg_catalog_attitude_pose},
};

#endif
