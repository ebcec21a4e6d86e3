/* SPDX-License-Identifier: BSD-3-Clause */
/* The snakeboard in coordinates (x, y, theta, psi, phi) on the abelian group R^2 x T^3: the system of snakeboard.c.
 * Constant metric, rows that turn with theta. */
#include "catalog/laned.h"
#include "catalog/look.h"
#include "catalog/systems.h"

#include <string.h>

enum { HALF_LENGTH = 4, BODY = 6 };

/* (sin theta, -cos theta, 0, 0, 0) and (sin phi cos theta, sin phi sin theta, r cos phi, 0, 0). */
KERNEL int snakeboard_planar_rows(const lane_call *c, const real *q, real *mu, real *Y)
{
    real st, ct, sp, cp;
    (void)Y;
    sincos_of(q[2], &st, &ct);
    sincos_of(q[4], &sp, &cp);
    mu[0] = st;
    mu[1] = -ct;
    mu[5] = sp * ct;
    mu[6] = sp * st;
    mu[7] = c->param[HALF_LENGTH] * cp;
    return 0;
}

KERNEL int snakeboard_planar_rows_along(const lane_call *c, const real *q, const real *eta, real *dmu, real *dY)
{
    real st, ct, sp, cp;
    (void)dY;
    sincos_of(q[2], &st, &ct);
    sincos_of(q[4], &sp, &cp);
    dmu[0] = ct * eta[2];
    dmu[1] = st * eta[2];
    dmu[5] = cp * ct * eta[4] - sp * st * eta[2];
    dmu[6] = cp * st * eta[4] + sp * ct * eta[2];
    dmu[7] = -c->param[HALF_LENGTH] * sp * eta[4];
    return 0;
}

LG_LANED_COVECTORS(lg_snakeboard_planar_rows, snakeboard_planar_rows)
LG_LANED_COVECTORS_ALONG(lg_snakeboard_planar_rows_along, snakeboard_planar_rows_along)
LG_LANED_TOGETHER(lg_snakeboard_planar_together, 5, 5, snakeboard_planar_rows, snakeboard_planar_rows_along,
                  no_gradient)

#if LANES == 1

static const lg_group *(*const factors[])(void) = {lg_catalog_r2, lg_catalog_t3};
static const char *const coordinates[] = {"x", "y", "theta", "psi", "phi"};

/* The element of SE(2) x T^2, and velocities or momenta of its body, at coordinates q. */
static void to_body(const double *q, const double *v, double *g, double *xi)
{
    lg_catalog_plane_to_body(q, v, g, xi);
    memcpy(g + 4, q + 3, 2 * sizeof *g);
    memcpy(xi + 3, v + 3, 2 * sizeof *xi);
}

static void from_body(const double *g, const double *xi, double *q, double *v)
{
    lg_catalog_plane_from_body(g, xi, q, v);
    memcpy(q + 3, g + 4, 2 * sizeof *q);
    memcpy(v + 3, xi + 3, 2 * sizeof *v);
}

static int snakeboard_planar_initial(const lg_call *c, double *q0, double *v0)
{
    double g[BODY], xi[BODY];
    const int code = lg_catalog_snakeboard.initial(c, g, xi);
    from_body(g, xi, q0, v0);
    return code;
}

static int momentum_psi(const lg_call *c, const double *q, const double *p, double *out)
{
    return lg_catalog_snakeboard.invariants[0].value(c, q, p, out);
}

static int momentum_phi(const lg_call *c, const double *q, const double *p, double *out)
{
    return lg_catalog_snakeboard.invariants[1].value(c, q, p, out);
}

static int snakeboard_planar_scaled_momentum(const lg_call *c, const double *q, const double *p, double *out)
{
    double g[BODY], body[BODY];
    to_body(q, p, g, body);
    return lg_catalog_snakeboard.invariants[2].value(c, g, body, out);
}

static const lg_invariant invariants[LG_BOARD_INVARIANTS] = {
    {"p_psi", "momentum of the rotor, a horizontal symmetry", momentum_psi},
    {"p_phi", "momentum of the axles, a horizontal symmetry", momentum_phi},
    {"scaled_momentum",
     "(r cos phi (p_x cos theta + p_y sin theta) - sin phi p_theta)/sqrt(m r^2 cos^2 phi + (J + 2 J1) sin^2 phi)",
     snakeboard_planar_scaled_momentum},
};

static int snakeboard_planar_exact(const lg_call *c, const double *q0, const double *v0, double *q, double *v)
{
    double g0[BODY], xi0[BODY], g[BODY], xi[BODY];
    to_body(q0, v0, g0, xi0);
    xi0[1] = fabs(xi0[1]) < 1e-12 * hypot(v0[0], v0[1]) ? 0 : xi0[1];
    if (lg_catalog_snakeboard.exact(c, g0, xi0, g, xi)) return 1;
    from_body(g, xi, q, v);
    return 0;
}

static int snakeboard_planar_poses(const lg_call *c, const double *q, double *poses)
{
    const double g[BODY] = {q[0], q[1], lg_real_cos(q[2]), lg_real_sin(q[2]), q[3], q[4]};
    lg_catalog_board_poses(poses, c->param[HALF_LENGTH], g);
    return 0;
}

static const lg_column_text column_texts[] = {
    {"x", "m", "centre of the board, first coordinate"},
    {"y", "m", "centre of the board, second coordinate"},
    {"theta", "rad", "heading of the board, unwrapped"},
    {"psi", "rad", "angle of the rotor in the plane, unwrapped"},
    {"phi", "rad", "angle of the axles to the board, unwrapped"},
    {"inv_p_psi", "kg m^2/s", NULL},
    {"inv_p_phi", "kg m^2/s", NULL},
    {"inv_scaled_momentum", "J^(1/2)", NULL},
    {NULL, NULL, NULL},
};

static const lg_together together = {lg_snakeboard_planar_together, lg_snakeboard_planar_rows,
                                     lg_snakeboard_planar_rows_along, NULL};

const lg_model_definition lg_catalog_snakeboard_planar = {
    .size = sizeof(lg_model_definition),
    .name = "snakeboard-planar",
    .summary = "snakeboard in coordinates, on R^2 x T^3",
    .source =
        LG_FERRARO_2008 ", section 5, Example 2; rows of full rank instead of the wheels' own; the data are our own",
    .remark = "The motion of snakeboard in the coordinates of the paper: xi = (x', y', theta', psi', phi'). The GNI "
              "conserves H(p^-) here (Theorem 1 of the paper: no potential, constant metric on an abelian group), not "
              "H(p~). The exact solution gives psi, phi and the speeds in closed form, the pose by a quadrature.",
    LG_FACTORS,
    .coordinate_names = coordinates,
    .parameter_count = LG_BOARD_PARAMETERS,
    .parameters = lg_catalog_board_parameters,
    .constraint_count = 2,
    .invariant_count = LG_BOARD_INVARIANTS,
    .invariants = invariants,
    .configure = lg_catalog_board_configure,
    .initial = snakeboard_planar_initial,
    .exact = snakeboard_planar_exact,
    .step = 0.1,
    .callbacks = {.columns = column_texts,
                  .plot = "x:y/theta,psi,phi/conserved",
                  .covectors = lg_snakeboard_planar_rows,
                  .covectors_derivative = lg_snakeboard_planar_rows_along,
                  .together = &together,
                  .lanes = LG_LANED_ALL,
                  .look = lg_catalog_board_look,
                  .poses = snakeboard_planar_poses},
};

#endif
