/* SPDX-License-Identifier: BSD-3-Clause */
/* The falling rolling disk of rolling_disk.c with its height as a holonomic constraint, phi = z - f(gamma), and the two
 * rows of no slip along x and y. */
#include "catalog/laned.h"
#include "catalog/look.h"
#include "catalog/rigid.h"

KERNEL int rolling_disk_exact_rows(const lane_call *c, const real *g, real *mu, real *Y)
{
    surface s;
    (void)Y;
    if (disk_surface(&s, c->param, g + 3)) return 1;
    rolling_rows(mu, g + 3, &s, 2, 3);
    return 0;
}

KERNEL int height(const lane_call *c, const real *g, real *phi)
{
    surface s;
    if (disk_surface(&s, c->param, g + 3)) return 1;
    phi[0] = g[2] - s.height;
    return 0;
}

/* d f = <grad f, gamma x eta>, so that d phi = (e_3; gamma x grad f). */
KERNEL int height_differential(const lane_call *c, const real *g, real *out)
{
    surface s;
    real gamma[3];
    if (disk_surface(&s, c->param, g + 3)) return 1;
    vertical(gamma, g + 3);
    out[2] = splat(1);
    so3_cross(out + 3, gamma, s.slope);
    return 0;
}

KERNEL int rolling_disk_exact_rows_along(const lane_call *c, const real *g, const real *eta, real *dmu, real *dY)
{
    surface s;
    (void)dY;
    if (disk_surface(&s, c->param, g + 3)) return 1;
    rolling_rows_along(dmu, g + 3, eta + 3, &s, 2, 3);
    return 0;
}

LG_LANED_COVECTORS(lg_disk_exact_rows, rolling_disk_exact_rows)
LG_LANED_FIELD(lg_disk_exact_height, height)
LG_LANED_FIELD(lg_disk_exact_differential, height_differential)
LG_LANED_COVECTORS_ALONG(lg_disk_exact_rows_along, rolling_disk_exact_rows_along)

#if LANES == 1

const lg_model_definition lg_catalog_rolling_disk_exact = {
    .size = sizeof(lg_model_definition),
    .name = "rolling-disk-exact",
    .summary = "falling disk that rolls on a plane without slipping, its height as a holonomic constraint",
    .source = LG_BLOCH_2005 ", section The falling rolling disk",
    .remark = "rolling-disk with phi = z - r sqrt(gamma_1^2 + gamma_2^2) = 0 at every node instead of the third "
              "velocity constraint; for methods that keep holonomic constraints. The data are our own.",
    .factor_count = 2,
    .factors = lg_catalog_space_and_attitude,
    .coordinate_names = lg_catalog_disk_coordinates,
    .parameter_count = LG_DISK_PARAMETERS,
    .parameters = lg_catalog_disk_parameters,
    .constraint_count = 2,
    .invariant_count = LG_DISK_INVARIANTS - 1, /* without the gap: the summary shows phi */
    .invariants = lg_catalog_disk_invariants,
    .configure = lg_catalog_disk_configure,
    .initial = lg_catalog_disk_initial,
    .step = 0.01,
    .callbacks = {.columns = lg_catalog_disk_columns,
                  .plot = "x:y/e3_x,e3_y,e3_z/conserved",
                  .potential = lg_catalog_weight,
                  .potential_gradient = lg_catalog_weight_gradient,
                  .potential_hessian = lg_catalog_no_hessian,
                  .covectors = lg_disk_exact_rows,
                  .covectors_derivative = lg_disk_exact_rows_along,
                  .holonomic_count = 1,
                  .holonomic = lg_disk_exact_height,
                  .holonomic_differential = lg_disk_exact_differential,
                  .lanes = LG_LANED_ALL,
                  .look = lg_catalog_disk_look,
                  .poses = lg_catalog_disk_poses},
};

#endif
