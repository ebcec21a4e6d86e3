/* SPDX-License-Identifier: BSD-3-Clause */
/* The nonholonomic particle: L = (x'^2 + y'^2 + z'^2)/2, z' = y x', on R^3 as a group under translations. */
#include "catalog/laned.h"
#include "catalog/look.h"
#include "catalog/particle.h"
#include "catalog/systems.h"

LG_LANED_COVECTORS(lg_catalog_particle_rows, particle_rows)
LG_LANED_COVECTORS_ALONG(lg_catalog_particle_rows_along, particle_rows_along)

#if LANES == 1

static const char *const coordinates[] = {"x", "y", "z"};

int lg_catalog_particle_configure(const lg_call *c, double *J, double *particle_rows, char *why)
{
    (void)c, (void)particle_rows, (void)why;
    J[0] = J[4] = J[8] = 1;
    return 0;
}

static int particle_initial(const lg_call *c, double *g0, double *xi0)
{
    (void)c;
    g0[0] = 0, g0[1] = -5, g0[2] = 0;
    xi0[0] = 1, xi0[1] = 1, xi0[2] = -5;
    return 0;
}

/* y'' = 0 because the row has no y component. */
static int momentum_y(const lg_call *c, const double *g, const double *p, double *out)
{
    (void)c, (void)g;
    *out = p[1];
    return 0;
}

/* (1 + y^2) x'' = -y y' x' integrates to x' sqrt(1 + y^2) = C. */
static int particle_scaled_momentum(const lg_call *c, const double *g, const double *p, double *out)
{
    (void)c;
    *out = p[0] * sqrt(1 + g[1] * g[1]);
    return 0;
}

static const lg_invariant invariants[] = {
    {"p_y", "momentum along y, a horizontal symmetry (Corollary 3 of the source)", momentum_y},
    {"scaled_momentum", "p_x sqrt(1 + y^2)", particle_scaled_momentum},
};

/* y = y0 + y0' t, x = x0 + C/y0' (asinh y - asinh y0), z = z0 + C/y0' (sqrt(1 + y^2) - sqrt(1 + y0^2)), written so that
 * y0' -> 0 loses no digits: asinh y - asinh y0 = asinh(d f) with d = y - y0 and f = (1 + q)/(r + r0),
 * q = r r0 - y y0. */
static int particle_exact(const lg_call *c, const double *g0, const double *xi0, double *g, double *xi)
{
    const double t = c->t;
    const double y0 = g0[1], d = xi0[1] * t, y = y0 + d;
    const double r0 = sqrt(1 + y0 * y0), r = sqrt(1 + y * y), C = xi0[0] * r0;
    const double q = y * y0 > 0 ? (1 + y * y + y0 * y0) / (r * r0 + y * y0) : r * r0 - y * y0;
    const double f = (1 + q) / (r + r0);
    g[0] = g0[0] + C * t * (d == 0 ? f : asinh(d * f) / d);
    g[1] = y;
    g[2] = g0[2] + C * t * (y + y0) / (r + r0);
    xi[0] = C / r;
    xi[1] = xi0[1];
    xi[2] = y * xi[0];
    return 0;
}

int lg_catalog_particle_look(const lg_call *c, lg_scene *scene)
{
    (void)c;
    lg_look_point(scene, lg_look_body(scene, "particle"), 0.6);
    return 0;
}

/* z' = y x': velocities across (-y, 0, 1). */
int lg_catalog_particle_poses(const lg_call *c, const double *g, double *poses)
{
    (void)c;
    lg_look_place(poses, g[0], g[1], g[2]);
    lg_look_face(poses, -g[1], 0, 1);
    return 0;
}

const lg_model_definition lg_catalog_particle = {
    .size = sizeof(lg_model_definition),
    .name = "particle",
    .summary = "free particle in space with the constraint z' = y x'",
    .source = LG_FERRARO_2008 ", section 5, Example 1, equations (9a)-(9c)",
    .group = lg_catalog_r3,
    .coordinate_names = coordinates,
    .constraint_count = 1,
    LG_INVARIANTS,
    .configure = lg_catalog_particle_configure,
    .initial = particle_initial,
    .exact = particle_exact,
    .step = 0.1,
    .callbacks = {.plot = "x:y/z/conserved",
                  .covectors = lg_catalog_particle_rows,
                  .covectors_derivative = lg_catalog_particle_rows_along,
                  .lanes = LG_LANED_ALL,
                  .look = lg_catalog_particle_look,
                  .poses = lg_catalog_particle_poses},
};

#endif
