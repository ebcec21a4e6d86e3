/* SPDX-License-Identifier: BSD-3-Clause */
/* The systems of the catalog, one file each, and the few formulas that several of them share. A new system is one file
 * that ends in its definition, one line in LG_CATALOG_LIST and one line in src/meson.build. */
#ifndef LG_CATALOG_SYSTEMS_H
#define LG_CATALOG_SYSTEMS_H

#include <math.h>

#include <liegrp/run/model.h>

/* X(identifier, name), in the order in which `liegrp list systems` shows them. */
#define LG_CATALOG_LIST(X)                                                                                             \
    X(particle, "particle")                                                                                            \
    X(particle_quadratic, "particle-quadratic")                                                                        \
    X(rigid_body, "rigid-body")                                                                                        \
    X(biinvariant_so3, "biinvariant-so3")                                                                              \
    X(suslov, "suslov")                                                                                                \
    X(chaplygin_sleigh, "chaplygin-sleigh")                                                                            \
    X(rolling_ball, "rolling-ball")                                                                                    \
    X(chaplygin_sphere, "chaplygin-sphere")

#define LG_CATALOG_DECLARE(identifier, name) extern const lg_model_definition lg_catalog_##identifier;
LG_CATALOG_LIST(LG_CATALOG_DECLARE)
#undef LG_CATALOG_DECLARE

#define LG_COUNT(array) ((int)(sizeof(array) / sizeof((array)[0])))

/* A parameter that must be positive; one that may be any finite number. */
#define LG_POSITIVE(name, unit, meaning, value)                                                                        \
    {                                                                                                                  \
        name, unit, meaning, value, 0, INFINITY, 1                                                                     \
    }
#define LG_ANY(name, unit, meaning, value)                                                                             \
    {                                                                                                                  \
        name, unit, meaning, value, -INFINITY, INFINITY, 1                                                             \
    }

/* Where several systems come from. */
#define LG_FERRARO_2008                                                                                                \
    "S. Ferraro, D. Iglesias, D. Martin de Diego, Momentum and energy preserving integrators for nonholonomic "        \
    "dynamics, Nonlinearity 21 (2008)"
#define LG_FERRARO_2015                                                                                                \
    "S. Ferraro, F. Jimenez, D. Martin de Diego, New developments on the geometric nonholonomic integrator, "          \
    "Nonlinearity 28 (2015)"
#define LG_BLOCH_2005 "A. M. Bloch, J. E. Marsden, D. V. Zenkov, Nonholonomic dynamics, Notices of the AMS 52 (2005)"

/* shared.c */

/* out = a x b; out may be a or b. */
void lg_catalog_cross(double *out, const double *a, const double *b);
/* q(t) = q0 exp(t w): the motion with constant body velocity w. Nonzero: it failed. */
int lg_catalog_uniform_rotation(double *q, const double *q0, const double *w, double t);
/* Component i of R p for systems on SO(3), as an invariant's value. */
int lg_catalog_spatial_momentum_1(const lg_call *c, const double *g, const double *p, double *out);
int lg_catalog_spatial_momentum_2(const lg_call *c, const double *g, const double *p, double *out);
int lg_catalog_spatial_momentum_3(const lg_call *c, const double *g, const double *p, double *out);
/* |p|^2 for systems on SO(3). */
int lg_catalog_momentum_squared(const lg_call *c, const double *g, const double *p, double *out);
/* gd(s0 + d) - gd(s0) without cancellation, gd(s) = atan(sinh s). */
double lg_catalog_gd_difference(double s0, double d);

/* particle.c: the rows (-y, 0, 1) of z' = y x', and their derivative; shared with particle_quadratic.c. */
int lg_catalog_particle_rows(const lg_call *c, const double *g, double *mu, double *Y);
int lg_catalog_particle_rows_along(const lg_call *c, const double *g, const double *eta, double *dmu, double *dY);
int lg_catalog_particle_configure(const double *param, double *J, double *rows, char *why);

/* rolling_ball.c: what both balls on a table share; parameters m, r, Omega, I1, I2, I3, momenta (p_x, p_y, p_omega). */
enum { LG_BALL_M, LG_BALL_R, LG_BALL_OMEGA, LG_BALL_I1, LG_BALL_I2, LG_BALL_I3 };
/* J = diag(m, m, I1, I2, I3). */
void lg_catalog_ball_inertia(const double *param, double *J);
/* 1 if I1 = I2 = I3. */
int lg_catalog_ball_homogeneous(const double *param);
/* H - Omega (x p_y - y p_x). */
int lg_catalog_ball_moving_energy(const lg_call *c, const double *g, const double *p, double *out);
/* Position z, velocity v and angular velocity w (spatial) at t of a homogeneous ball from z0, v0 and w0_3. */
void lg_catalog_ball_path(const double *param, double t, const double *z0, const double *v0, double w0_3, double *z,
                          double *v, double *w);

#endif
