/* SPDX-License-Identifier: BSD-3-Clause */
/* The contact oscillator: (x, y, z) with x' + y z' = 0 and V = |q|^2/2 + eps x^2 z^2/2. */
#include "catalog/laned.h"
#include "catalog/look.h"
#include "catalog/systems.h"

#include <stdio.h>

enum { EPS, SHIFT };

KERNEL int contact_oscillator_potential(const lane_call *c, const real *q, real *V)
{
    *V = (q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + c->param[EPS] * q[0] * q[0] * q[2] * q[2]) / 2;
    return 0;
}

KERNEL int contact_oscillator_gradient(const lane_call *c, const real *q, real *dV)
{
    dV[0] = q[0] + c->param[EPS] * q[0] * q[2] * q[2];
    dV[1] = q[1];
    dV[2] = q[2] + c->param[EPS] * q[0] * q[0] * q[2];
    return 0;
}

KERNEL int contact_oscillator_rows(const lane_call *c, const real *q, real *mu, real *Y)
{
    (void)c, (void)Y;
    mu[0] = splat(1);
    mu[2] = q[1];
    return 0;
}

KERNEL int contact_oscillator_hessian(const lane_call *c, const real *q, const real *eta, real *out)
{
    const real k = c->param[EPS], mixed = 2 * k * q[0] * q[2];
    out[0] = (1 + k * q[2] * q[2]) * eta[0] + mixed * eta[2];
    out[1] = eta[1];
    out[2] = mixed * eta[0] + (1 + k * q[0] * q[0]) * eta[2];
    return 0;
}

KERNEL int contact_oscillator_rows_along(const lane_call *c, const real *q, const real *eta, real *dmu, real *dY)
{
    (void)c, (void)q, (void)dY;
    dmu[2] = eta[1];
    return 0;
}

LG_LANED_FIELD(lg_contact_potential, contact_oscillator_potential)
LG_LANED_FIELD(lg_contact_gradient, contact_oscillator_gradient)
LG_LANED_COVECTORS(lg_contact_rows, contact_oscillator_rows)
LG_LANED_ALONG(lg_contact_hessian, contact_oscillator_hessian)
LG_LANED_COVECTORS_ALONG(lg_contact_rows_along, contact_oscillator_rows_along)

#if LANES == 1

static const lg_parameter parameters[] = {
    {"eps", "", "coupling, eps x^2 z^2/2 in the potential", 0.3, 0, INFINITY, 0},
    {"shift", "", "0: starts at rest; 1: starts with the momentum 0 of H = |p + grad cos z|^2/2 + V", 0, 0, 1, 0},
};

static const char *const coordinates[] = {"x", "y", "z"};

static int contact_oscillator_configure(const lg_call *c, double *J, double *contact_oscillator_rows, char *why)
{
    const double *param = c->param;
    (void)contact_oscillator_rows;
    if (param[SHIFT] != 0 && param[SHIFT] != 1) {
        (void)snprintf(why, LG_MESSAGE_SIZE, "shift = %g is neither 0 (plain) nor 1 (shifted momentum)", param[SHIFT]);
        return 1;
    }
    J[0] = J[4] = J[8] = 1;
    return 0;
}

/* V = 3/2 for every eps. With the shift p = 0 means v = grad cos z = (0, 0, -sin z), which is moved onto x' + y z' = 0:
 * at y = 1 to half of (sin z, 0, -sin z). */
static int contact_oscillator_initial(const lg_call *c, double *q0, double *v0)
{
    const double *param = c->param;
    const double z = -0.7;
    q0[0] = sqrt((2 - z * z) / (1 + param[EPS] * z * z)), q0[1] = 1, q0[2] = z;
    v0[0] = v0[1] = v0[2] = 0;
    if (param[SHIFT] != 0) v0[0] = lg_real_sin(z) / 2, v0[2] = -lg_real_sin(z) / 2;
    return 0;
}

/* The row has no y component: y'' = -y. */
static int driver_energy(const lg_call *c, const double *q, const double *p, double *out)
{
    (void)c;
    *out = (p[1] * p[1] + q[1] * q[1]) / 2;
    return 0;
}

static int oscillator_energy(const lg_call *c, const double *q, const double *p, double *out)
{
    const double x = q[0] * q[0], z = q[2] * q[2];
    *out = (p[0] * p[0] + p[2] * p[2] + x + z + c->param[EPS] * x * z) / 2;
    return 0;
}

static const lg_invariant invariants[] = {
    {"driver_energy", "(p_2^2 + y^2)/2, the energy of the motion along y, which has no reaction force", driver_energy},
    {"oscillator_energy", "the rest of the energy", oscillator_energy},
};

static int contact_oscillator_look(const lg_call *c, lg_scene *scene)
{
    const int body = lg_look_body(scene, "particle");
    lg_shape spring = lg_look_at("spring to the origin", LG_SHAPE_ROD, LG_SHADE_METAL, -1, 0, 0, 0);
    (void)c;
    lg_look_point(scene, body, 0.3);
    spring.end_body = body, spring.dimensions[0] = 0.015;
    lg_look_add(scene, &spring);
    return 0;
}

/* x' + y z' = 0: velocities across (1, 0, y). */
static int contact_oscillator_poses(const lg_call *c, const double *q, double *poses)
{
    (void)c;
    lg_look_place(poses, q[0], q[1], q[2]);
    lg_look_face(poses, 1, 0, q[1]);
    return 0;
}

const lg_model_definition lg_catalog_contact_oscillator = {
    .size = sizeof(lg_model_definition),
    .name = "contact-oscillator",
    .summary = "harmonic oscillator in space with x' + y z' = 0, coupled by eps x^2 z^2/2",
    .source = "after " LG_MODIN_2020 "; the data are our own",
    .remark = "A shift of the momentum by a gradient changes neither the motion nor the methods here, whose momenta "
              "are kinetic: shift = 1 only sets the initial velocity, grad cos z projected onto the constraint. "
              "Methods that discretise the shift fail.",
    .group = lg_catalog_r3,
    .coordinate_names = coordinates,
    LG_PARAMETERS,
    .constraint_count = 1,
    LG_INVARIANTS,
    .configure = contact_oscillator_configure,
    .initial = contact_oscillator_initial,
    .step = 0.1,
    .callbacks = {.plot = "x:y/z/conserved",
                  .potential = lg_contact_potential,
                  .potential_gradient = lg_contact_gradient,
                  .potential_hessian = lg_contact_hessian,
                  .covectors = lg_contact_rows,
                  .covectors_derivative = lg_contact_rows_along,
                  .lanes = LG_LANED_ALL,
                  .look = contact_oscillator_look,
                  .poses = contact_oscillator_poses},
};

#endif
