/* SPDX-License-Identifier: BSD-3-Clause */
/* The falling rolling disk of rolling_disk.c with its height as a position constraint, phi = z - f(gamma), and the two
 * rows of no slip along x and y. */
#include "catalog/systems.h"

static int rows(const lg_call *c, const double *g, double *mu, double *Y)
{
    (void)Y;
    return lg_catalog_disk_rows(c, g, mu, 2);
}

static int rows_along(const lg_call *c, const double *g, const double *eta, double *dmu, double *dY)
{
    (void)dY;
    return lg_catalog_disk_rows_along(c, g, eta, dmu, 2);
}

static int height(const lg_call *c, const double *g, double *phi)
{
    lg_surface s;
    if (lg_catalog_disk_surface(&s, c->param, g + 3)) return 1;
    phi[0] = g[2] - s.height;
    return 0;
}

/* d f = <grad f, gamma x eta>, so that d phi = (e_3; gamma x grad f). */
static int height_differential(const lg_call *c, const double *g, double *out)
{
    lg_surface s;
    double gamma[3];
    if (lg_catalog_disk_surface(&s, c->param, g + 3)) return 1;
    lg_catalog_vertical(gamma, g + 3);
    out[2] = 1;
    lg_catalog_cross(out + 3, gamma, s.slope);
    return 0;
}

const lg_model_definition lg_catalog_rolling_disk_exact = {
    .size = sizeof(lg_model_definition),
    .name = "rolling-disk-exact",
    .summary = "falling disk that rolls on a plane without slipping, its height as a position constraint",
    .source = LG_BLOCH_2005 ", section The falling rolling disk",
    .remark =
        "rolling-disk with phi = z - r sqrt(gamma_1^2 + gamma_2^2) = 0 at every node instead of the third velocity "
        "constraint; for methods that keep position constraints. Data chosen for this catalog.",
    .factor_count = 2,
    .factors = lg_catalog_space_and_attitude,
    .coordinate_names = lg_catalog_disk_coordinates,
    .parameter_count = LG_DISK_PARAMETERS,
    .parameters = lg_catalog_disk_parameters,
    .constraints = 2,
    .invariant_count = LG_DISK_INVARIANTS - 1, /* without the gap: the summary has phi */
    .invariants = lg_catalog_disk_invariants,
    .configure = lg_catalog_disk_configure,
    .initial = lg_catalog_disk_initial,
    .potential = lg_catalog_weight,
    .potential_gradient = lg_catalog_weight_gradient,
    .potential_hessian = lg_catalog_no_hessian,
    .covectors = rows,
    .covectors_derivative = rows_along,
    .positions = 1,
    .position = height,
    .position_differential = height_differential,
    .step = 0.01,
};
