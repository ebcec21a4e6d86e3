/* SPDX-License-Identifier: BSD-3-Clause */
/* SO(3) with a bi-invariant metric and one constraint that is not left-invariant: a case of theorem 1 and section 4.4
 * of the source. With n_i the rows of R, along eta: d n_i = n_i x eta. */
#include "catalog/laned.h"
#include "catalog/look.h"
#include "catalog/rigid.h"

#include <liegrp/groups/so3.h>

#include <stdio.h>

enum { MOMENT, DISTRIBUTION };

KERNEL void row_at(const real *param, const real *R, real *mu)
{
    const mask right_invariant = param[DISTRIBUTION] != 0.0;
    mu[0] = sel(right_invariant, R[6], R[0] + 0.5);
    mu[1] = sel(right_invariant, R[7], R[5] - R[6] / 3.0);
    mu[2] = sel(right_invariant, R[8], 1.0 + R[1] * R[8]);
}

KERNEL int biinvariant_so3_rows(const lane_call *c, const real *g, real *mu, real *Y)
{
    real R[9];
    (void)Y;
    so3_to_matrix(R, g);
    row_at(c->param, R, mu);
    return 0;
}

KERNEL int biinvariant_so3_rows_along(const lane_call *c, const real *g, const real *eta, real *dmu, real *dY)
{
    const mask right_invariant = c->param[DISTRIBUTION] != 0.0;
    real R[9], dR[9];
    (void)dY;
    so3_to_matrix(R, g);
    for (int i = 0; i < 3; i++) so3_cross(dR + 3 * i, R + 3 * i, eta);
    dmu[0] = sel(right_invariant, dR[6], dR[0]);
    dmu[1] = sel(right_invariant, dR[7], dR[5] - dR[6] / 3.0);
    dmu[2] = sel(right_invariant, dR[8], dR[1] * R[8] + R[1] * dR[8]);
    return 0;
}

LG_LANED_COVECTORS(lg_biinvariant_rows, biinvariant_so3_rows)
LG_LANED_COVECTORS_ALONG(lg_biinvariant_rows_along, biinvariant_so3_rows_along)

#if LANES == 1

static const lg_parameter parameters[] = {
    LG_POSITIVE("I", "kg m^2", "moment of inertia about every axis", 1),
    {"distribution", "",
     "0: a distribution without symmetry, A = (R11 + 1/2, R23 - R31/3, 1 + R12 R33); 1: a right-invariant one, "
     "third component of the spatial angular velocity = 0",
     0, 0, 1, 0},
};

static int biinvariant_so3_configure(const lg_call *c, double *J, double *biinvariant_so3_rows, char *why)
{
    const double *param = c->param;
    (void)biinvariant_so3_rows;
    if (param[DISTRIBUTION] != 0 && param[DISTRIBUTION] != 1) {
        (void)snprintf(why, LG_MESSAGE_SIZE, "distribution = %g is neither 0 (no symmetry) nor 1 (right-invariant)",
                       param[DISTRIBUTION]);
        return 1;
    }
    J[0] = J[4] = J[8] = param[MOMENT];
    return 0;
}

static int biinvariant_so3_initial(const lg_call *c, double *g0, double *xi0)
{
    const double *param = c->param;
    const double v[3] = {0.9, -0.5, 0.6};
    double R[9], mu[3];
    lg_so3_cay(g0, (const double[3]){0.4, -0.3, 0.7});
    lg_so3_to_matrix(R, g0);
    row_at(param, R, mu);
    const double s = (mu[0] * v[0] + mu[1] * v[1] + mu[2] * v[2]) / (mu[0] * mu[0] + mu[1] * mu[1] + mu[2] * mu[2]);
    for (int i = 0; i < 3; i++) xi0[i] = v[i] - s * mu[i];
    return 0;
}

/* (R p)' = lambda e3 with distribution 1, and the constraint keeps its third component at 0: R p is constant. */
static int right_invariant_momentum(const lg_call *c, const double *g, const double *p, int i, double *out)
{
    double L[3];
    lg_so3_act(L, g, p);
    *out = c->param[DISTRIBUTION] != 0 ? L[i] : (double)NAN;
    return 0;
}

static int spatial_momentum_1(const lg_call *c, const double *g, const double *p, double *out)
{
    return right_invariant_momentum(c, g, p, 0, out);
}

static int spatial_momentum_2(const lg_call *c, const double *g, const double *p, double *out)
{
    return right_invariant_momentum(c, g, p, 1, out);
}

static int spatial_momentum_3(const lg_call *c, const double *g, const double *p, double *out)
{
    return right_invariant_momentum(c, g, p, 2, out);
}

static const lg_invariant invariants[] = {
    {"momentum_squared", "|p|^2 = 2 I H", lg_catalog_momentum_squared},
    {"spatial_momentum_1", "first component of R p; nan with distribution 0, which does not conserve it",
     spatial_momentum_1},
    {"spatial_momentum_2", "second component of R p; nan with distribution 0", spatial_momentum_2},
    {"spatial_momentum_3", "third component of R p; nan with distribution 0", spatial_momentum_3},
};

/* Distribution 1: the spatial, hence the body velocity is constant. */
static int biinvariant_so3_exact(const lg_call *c, const double *g0, const double *xi0, double *g, double *xi)
{
    const double *param = c->param;
    const double t = c->t;
    if (param[DISTRIBUTION] == 0) return 1;
    const int failed = lg_catalog_uniform_rotation(g, g0, xi0, t);
    for (int i = 0; i < 3; i++) xi[i] = xi0[i];
    return failed;
}

static int biinvariant_so3_look(const lg_call *c, lg_scene *scene)
{
    const double I = c->param[MOMENT], J[9] = {I, 0, 0, 0, I, 0, 0, 0, I};
    lg_look_inertia(scene, "cube with this inertia", lg_look_body(scene, "body"), 3 * I, J);
    return 0;
}

static const lg_column_text column_texts[] = {
    {"inv_momentum_squared", "J kg m^2", NULL},
    {"inv_spatial_momentum_1", "kg m^2/s", NULL},
    {"inv_spatial_momentum_2", "kg m^2/s", NULL},
    {"inv_spatial_momentum_3", "kg m^2/s", NULL},
    {NULL, NULL, NULL},
};

const lg_model_definition lg_catalog_biinvariant_so3 = {
    .size = sizeof(lg_model_definition),
    .name = "biinvariant-so3",
    .summary = "bi-invariant metric on SO(3) with one constraint, without symmetry or right-invariant",
    .source = LG_FERRARO_2008 ", sections 4.3 (Theorem 1) and 4.4",
    .remark =
        "H(p^-) is conserved by the GNI with both distributions, H(p~) with distribution 1 only. Exact solution with "
        "distribution 1.",
    .group = lg_so3,
    LG_PARAMETERS,
    .constraint_count = 1,
    LG_INVARIANTS,
    .configure = biinvariant_so3_configure,
    .initial = biinvariant_so3_initial,
    .exact = biinvariant_so3_exact,
    .step = 0.1,
    .callbacks = {.columns = column_texts,
                  .covectors = lg_biinvariant_rows,
                  .covectors_derivative = lg_biinvariant_rows_along,
                  .lanes = LG_LANED_ALL,
                  .look = biinvariant_so3_look,
                  .poses = lg_catalog_attitude_pose},
};

#endif
