/* SPDX-License-Identifier: BSD-3-Clause */
/* The nonholonomic particle in the potential V = x^2 + y^2, with z' = y x'. */
#include "catalog/laned.h"
#include "catalog/look.h"
#include "catalog/particle.h"
#include "catalog/systems.h"

KERNEL int particle_quadratic_potential(const lane_call *c, const real *g, real *V)
{
    (void)c;
    *V = g[0] * g[0] + g[1] * g[1];
    return 0;
}

KERNEL int particle_quadratic_gradient(const lane_call *c, const real *g, real *dV)
{
    (void)c;
    dV[0] = 2 * g[0];
    dV[1] = 2 * g[1];
    return 0;
}

KERNEL int particle_quadratic_hessian(const lane_call *c, const real *g, const real *eta, real *out)
{
    (void)c, (void)g;
    out[0] = 2 * eta[0];
    out[1] = 2 * eta[1];
    return 0;
}

LG_LANED_FIELD(lg_particle_quadratic_potential, particle_quadratic_potential)
LG_LANED_FIELD(lg_particle_quadratic_gradient, particle_quadratic_gradient)
LG_LANED_ALONG(lg_particle_quadratic_hessian, particle_quadratic_hessian)
LG_LANED_TOGETHER(lg_particle_quadratic_together, 3, 3, particle_rows, particle_rows_along, particle_quadratic_gradient)

#if LANES == 1

static const char *const coordinates[] = {"x", "y", "z"};

static int particle_quadratic_initial(const lg_call *c, double *g0, double *xi0)
{
    (void)c;
    g0[0] = 1, g0[1] = 0, g0[2] = 0;
    xi0[0] = 1, xi0[1] = sqrt(2.0), xi0[2] = 0;
    return 0;
}

/* The row has no y component, so y'' = -2 y by itself. */
static int energy_y(const lg_call *c, const double *g, const double *p, double *out)
{
    (void)c;
    *out = p[1] * p[1] / 2 + g[1] * g[1];
    return 0;
}

static const lg_invariant invariants[] = {
    {"energy_y", "p_y^2/2 + y^2, the energy of the motion along y, which has no reaction force", energy_y},
};

/* The potential x^2 + y^2 is a valley along z. */
static int particle_quadratic_look(const lg_call *c, lg_scene *scene)
{
    lg_look_rod(scene, "bottom of the potential", LG_SHADE_GHOST, -1, (const double[3]){0, 0, -2},
                (const double[3]){0, 0, 2}, 0.02);
    return lg_catalog_particle_look(c, scene);
}

static const lg_together together = {lg_particle_quadratic_together, lg_catalog_particle_rows,
                                     lg_catalog_particle_rows_along, lg_particle_quadratic_gradient};

const lg_model_definition lg_catalog_particle_quadratic = {
    .size = sizeof(lg_model_definition),
    .name = "particle-quadratic",
    .summary = "particle in the potential x^2 + y^2 with the constraint z' = y x'",
    .source = LG_CORTES_2001 ", section 6.1",
    .group = lg_catalog_r3,
    .coordinate_names = coordinates,
    .constraint_count = 1,
    LG_INVARIANTS,
    .configure = lg_catalog_particle_configure,
    .initial = particle_quadratic_initial,
    .step = 0.1,
    .callbacks = {.plot = "x:y/z/conserved",
                  .potential = lg_particle_quadratic_potential,
                  .potential_gradient = lg_particle_quadratic_gradient,
                  .potential_hessian = lg_particle_quadratic_hessian,
                  .covectors = lg_catalog_particle_rows,
                  .covectors_derivative = lg_catalog_particle_rows_along,
                  .together = &together,
                  .lanes = LG_LANED_ALL,
                  .look = particle_quadratic_look,
                  .poses = lg_catalog_particle_poses},
};

#endif
