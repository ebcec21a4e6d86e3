/* SPDX-License-Identifier: BSD-3-Clause */
/* The systems of the catalog, one file each, and the few formulas that several of them share. A new system is one file
 * that ends in its definition, one line in LG_CATALOG_LIST and one line in src/meson.build; two, if it has callbacks
 * that a step evaluates (laned.h). */
#ifndef LG_CATALOG_SYSTEMS_H
#define LG_CATALOG_SYSTEMS_H

#include <math.h>

#include <liegrp/base/elementary.h>
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
    X(chaplygin_sphere, "chaplygin-sphere")                                                                            \
    X(mobile_arm, "mobile-arm")                                                                                        \
    X(roller_racer, "roller-racer")                                                                                    \
    X(cart_trailer, "cart-trailer")                                                                                    \
    X(two_wheeled_robot, "two-wheeled-robot")                                                                          \
    X(snakeboard, "snakeboard")                                                                                        \
    X(snakeboard_planar, "snakeboard-planar")                                                                          \
    X(mobile_robot, "mobile-robot")                                                                                    \
    X(chaplygin_sleigh_planar, "chaplygin-sleigh-planar")                                                              \
    X(cvt, "cvt")                                                                                                      \
    X(contact_oscillator, "contact-oscillator")                                                                        \
    X(two_link_arm, "two-link-arm")                                                                                    \
    X(double_spherical_pendulum, "double-spherical-pendulum")                                                          \
    X(heavy_top, "heavy-top")                                                                                          \
    X(veselova_top, "veselova-top")                                                                                    \
    X(rolling_disk, "rolling-disk")                                                                                    \
    X(rolling_disk_exact, "rolling-disk-exact")                                                                        \
    X(rattleback, "rattleback")                                                                                        \
    X(turntable, "turntable")                                                                                          \
    X(chaplygin_top, "chaplygin-top")                                                                                  \
    X(affine_line, "affine-line")                                                                                      \
    X(ball_on_inclined_turntable, "ball-on-inclined-turntable")

#define LG_CATALOG_DECLARE(identifier, name) extern const lg_model_definition lg_catalog_##identifier;
LG_CATALOG_LIST(LG_CATALOG_DECLARE)
#undef LG_CATALOG_DECLARE

#define LG_COUNT(array) ((int)(sizeof(array) / sizeof((array)[0])))
/* The members of a definition for the arrays of these names in its file. */
#define LG_FACTORS    .factor_count = LG_COUNT(factors), .factors = factors
#define LG_PARAMETERS .parameter_count = LG_COUNT(parameters), .parameters = parameters
#define LG_INVARIANTS .invariant_count = LG_COUNT(invariants), .invariants = invariants

/* A parameter that must be positive; one that may also be 0; one that may be any finite number. */
#define LG_POSITIVE(name, unit, meaning, value)                                                                        \
    {                                                                                                                  \
        name, unit, meaning, value, 0, INFINITY, 1                                                                     \
    }
#define LG_NOT_NEGATIVE(name, unit, meaning, value)                                                                    \
    {                                                                                                                  \
        name, unit, meaning, value, 0, INFINITY, 0                                                                     \
    }
#define LG_ANY(name, unit, meaning, value)                                                                             \
    {                                                                                                                  \
        name, unit, meaning, value, -INFINITY, INFINITY, 1                                                             \
    }

/* Sources of several systems, as docs/bibliography.md has them. */
#define LG_CORTES_2001                                                                                                 \
    "J. Cortes, S. Martinez, Non-holonomic integrators, Nonlinearity 14 (2001), doi:10.1088/0951-7715/14/5/322"
#define LG_FERRARO_2008                                                                                                \
    "S. Ferraro, D. Iglesias, D. Martin de Diego, Momentum and energy preserving integrators for nonholonomic "        \
    "dynamics, Nonlinearity 21 (2008), doi:10.1088/0951-7715/21/8/009"
#define LG_FERRARO_2015                                                                                                \
    "S. Ferraro, F. Jimenez, D. Martin de Diego, New developments on the geometric nonholonomic integrator, "          \
    "Nonlinearity 28 (2015), arXiv:1312.1587"
#define LG_BLOCH_2005 "A. M. Bloch, J. E. Marsden, D. V. Zenkov, Nonholonomic dynamics, Notices of the AMS 52 (2005)"
#define LG_MODIN_2020                                                                                                  \
    "K. Modin, O. Verdier, What makes nonholonomic integrators work?, Numerische Mathematik 145 (2020), "              \
    "doi:10.1007/s00211-020-01126-y"

/* shared.c */

/* Factors: lg_catalog_r2() is R^2, lg_catalog_t1() is T^1. */
#define LG_CATALOG_FACTORS(X)                                                                                          \
    X(r1, lg_rn(1))                                                                                                    \
    X(r2, lg_rn(2)) X(r3, lg_rn(3)) X(r6, lg_rn(6)) X(t1, lg_torus(1)) X(t2, lg_torus(2)) X(t3, lg_torus(3))
#define LG_CATALOG_FACTOR(name, group) const lg_group *lg_catalog_##name(void);
LG_CATALOG_FACTORS(LG_CATALOG_FACTOR)
#undef LG_CATALOG_FACTOR

/* q(t) = q0 exp(t w): the motion with constant body velocity w. Nonzero: failure. */
int lg_catalog_uniform_rotation(double *q, const double *q0, const double *w, double t);
/* Component i of R p for systems on SO(3), as an invariant's value. */
int lg_catalog_spatial_momentum_1(const lg_call *c, const double *g, const double *p, double *out);
int lg_catalog_spatial_momentum_2(const lg_call *c, const double *g, const double *p, double *out);
int lg_catalog_spatial_momentum_3(const lg_call *c, const double *g, const double *p, double *out);
/* The pose of a body that turns about the origin, for systems on SO(3). */
int lg_catalog_attitude_pose(const lg_call *c, const double *g, double *poses);
/* |p|^2 for systems on SO(3). */
int lg_catalog_momentum_squared(const lg_call *c, const double *g, const double *p, double *out);
/* gd(s0 + d) - gd(s0) without cancellation, gd(s) = atan(sinh s). */
double lg_catalog_gd_difference(double s0, double d);
/* The angle into (-pi, pi]. */
double lg_catalog_angle(double angle);
/* A planar body at q = (x, y, theta) with the velocity or momentum v in these coordinates: the element g of SE(2), and
 * v in the body's axes. And back, theta in (-pi, pi]. */
void lg_catalog_plane_to_body(const double *q, const double *v, double *g, double *body);
void lg_catalog_plane_from_body(const double *g, const double *body, double *q, double *v);

/* chaplygin_sleigh.c: shared with chaplygin_sleigh_planar.c. */
int lg_catalog_sleigh_look(const lg_call *c, lg_scene *scene);

/* particle.c: the rows (-y, 0, 1) of z' = y x', and their derivative; shared with particle_quadratic.c. */
int lg_catalog_particle_rows(const lg_call *c, const double *g, double *mu, double *Y);
int lg_catalog_particle_rows_along(const lg_call *c, const double *g, const double *eta, double *dmu, double *dY);
int lg_catalog_particle_look(const lg_call *c, lg_scene *scene);
int lg_catalog_particle_poses(const lg_call *c, const double *g, double *poses);
int lg_catalog_particle_configure(const lg_call *c, double *J, double *rows, char *why);

/* rolling_ball.c: shared by both balls on a table; parameters m, r, Omega, I1, I2, I3, momenta (p_x, p_y, p_omega). */
enum { LG_BALL_M, LG_BALL_R, LG_BALL_OMEGA, LG_BALL_I1, LG_BALL_I2, LG_BALL_I3 };
/* J = diag(m, m, I1, I2, I3). */
void lg_catalog_ball_inertia(const double *param, double *J);
/* 1 if I1 = I2 = I3. */
int lg_catalog_ball_homogeneous(const double *param);
/* H - Omega (x p_y - y p_x). */
int lg_catalog_ball_moving_energy(const lg_call *c, const double *g, const double *p, double *out);
/* Angular momentum about the contact, for physical balls; the GNI too conserves it exactly. */
int lg_catalog_ball_contact_momentum_1(const lg_call *c, const double *g, const double *p, double *out);
int lg_catalog_ball_contact_momentum_2(const lg_call *c, const double *g, const double *p, double *out);
int lg_catalog_ball_contact_momentum_3(const lg_call *c, const double *g, const double *p, double *out);
#define LG_BALL_CONTACT_MOMENTA                                                                                        \
    {"contact_momentum_1", "first component of R p_omega + r (-p_y, p_x, 0), angular momentum about the contact",      \
     lg_catalog_ball_contact_momentum_1},                                                                              \
        {"contact_momentum_2", "its second component", lg_catalog_ball_contact_momentum_2},                            \
    {                                                                                                                  \
        "contact_momentum_3", "its third component", lg_catalog_ball_contact_momentum_3                                \
    }
/* Position z, velocity v and angular velocity w (spatial) at t of a homogeneous ball from z0, v0 and w0_3. */
void lg_catalog_ball_path(const double *param, double t, const double *z0, const double *v0, double w0_3, double *z,
                          double *v, double *w);

/* vehicles.c: a car with a link on it, elements (x, y, cos, sin, alpha); these parameters first. */
enum { LG_LINK_M, LG_LINK_I, LG_LINK_B, LG_LINK_ML, LG_LINK_IL, LG_LINK_L, LG_LINK_COUNT };
#define LG_LINK_PARAMETERS(link, distance)                                                                             \
    LG_POSITIVE("m", "kg", "mass of the car; its centre of mass lies on the axle", 1),                                 \
        LG_POSITIVE("I", "kg m^2", "moment of inertia of the car about its centre of mass", 0.3),                      \
        LG_ANY("b", "m", "distance of the joint ahead of the car's axle", 0.4),                                        \
        LG_POSITIVE("ml", "kg", "mass of the " link, 0.6),                                                             \
        LG_POSITIVE("Il", "kg m^2", "moment of inertia of the " link " about its centre of mass", 0.1),                \
        LG_ANY("l", "m", "distance of the centre of mass of the " link " from the joint", distance)
/* J (4 x 4, zero on entry) on (v1, v2, w, alpha'); the same as a field; the gradient of xi.J xi/2. */
void lg_catalog_link_metric(const double *param, double alpha, double *J);
int lg_catalog_link_inertia(const lg_call *c, const double *g, double *J);
int lg_catalog_link_inertia_gradient(const lg_call *c, const double *g, const double *xi, double *dT);
/* Poses of the car and of the link, whose frame is at the joint. */
int lg_catalog_link_poses(const lg_call *c, const double *g, double *poses);
/* Two independent vectors orthogonal to r != 0 in R^3. */
void lg_catalog_across(double *u, double *v, const double *r);
/* Projects xi onto the plane of u and v in the metric J, n x n. */
void lg_catalog_onto_plane(double *xi, const double *J, const double *u, const double *v, int n);

/* snakeboard.c: shared with snakeboard_planar.c, the board in coordinates. */
enum { LG_BOARD_PARAMETERS = 5, LG_BOARD_INVARIANTS = 3 };
extern const lg_parameter lg_catalog_board_parameters[LG_BOARD_PARAMETERS];
/* J = diag(m, m, J + 2 J1, J0, 2 J1). */
int lg_catalog_board_configure(const lg_call *c, double *J, double *rows, char *why);

int lg_catalog_board_look(const lg_call *c, lg_scene *scene);
/* At the element g of SE(2) x T^2. */
void lg_catalog_board_poses(double *poses, double r, const double *g);

/* rigid.c: bodies in the field of gravity; more in rigid.h. */

/* The 3 x 3 block J, rows `stride` apart, of an inertia from its entries I11, I12, I13, I22, I23, I33. Nonzero, with
 * the reason in `why`: it is not positive definite. */
int lg_catalog_inertia(double *J, char *why, const double *entry, int stride);

/* Component i of R p_omega + r (-p_y, p_x, 0). */
double lg_catalog_contact_momentum(const double *q, const double *p, const double *p_omega, double r, int i);
/* V = m g z on R^3 x SO(3), its gradient and second derivative; parameters m, g, ... */
enum { LG_ROLLING_M, LG_ROLLING_G };
int lg_catalog_weight(const lg_call *c, const double *g, double *V);
int lg_catalog_weight_gradient(const lg_call *c, const double *g, double *out);
int lg_catalog_no_hessian(const lg_call *c, const double *g, const double *eta, double *out);

/* rolling_disk.c: shared with rolling_disk_exact.c; the first two also with rattleback.c. */
typedef const lg_group *(*lg_catalog_group)(void);
extern const lg_catalog_group lg_catalog_space_and_attitude[2];
extern const char *const lg_catalog_disk_coordinates[3];
enum { LG_DISK_R = LG_ROLLING_G + 1, LG_DISK_ID, LG_DISK_IA, LG_DISK_PARAMETERS, LG_DISK_INVARIANTS = 3 };
extern const lg_parameter lg_catalog_disk_parameters[LG_DISK_PARAMETERS];
extern const lg_invariant lg_catalog_disk_invariants[LG_DISK_INVARIANTS];
extern const lg_column_text lg_catalog_disk_columns[];
int lg_catalog_disk_configure(const lg_call *c, double *J, double *rows, char *why);
int lg_catalog_disk_initial(const lg_call *c, double *g0, double *xi0);
int lg_catalog_disk_look(const lg_call *c, lg_scene *scene);
int lg_catalog_disk_poses(const lg_call *c, const double *g, double *poses);

#endif
