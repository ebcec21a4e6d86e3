/* SPDX-License-Identifier: BSD-3-Clause */
/* The roller racer: a car and a link that is hinged to it, each with an axle that does not slip sideways. SE(2) x R,
 * velocities (v1, v2, w, alpha') at the middle of the car's axle. The link's axle is at distance d from the hinge: its
 * velocity across the link is -s v1 + c (v2 + b w) + d (w + alpha'), s, c of alpha. */
#include "catalog/laned.h"
#include "catalog/look.h"
#include "catalog/systems.h"

#include <stdio.h>
#include <string.h>

enum { D = LG_LINK_COUNT, SPRING };

KERNEL int roller_racer_rows(const lane_call *c, const real *g, real *mu, real *Y)
{
    const real d = c->param[D];
    real sine, cosine;
    (void)Y;
    sincos_of(g[4], &sine, &cosine);
    mu[1] = splat(1);
    mu[4] = -sine;
    mu[5] = cosine;
    mu[6] = c->param[LG_LINK_B] * cosine + d;
    mu[7] = d;
    return 0;
}

KERNEL int roller_racer_potential(const lane_call *c, const real *g, real *V)
{
    *V = c->param[SPRING] * g[4] * g[4] / 2;
    return 0;
}

KERNEL int roller_racer_gradient(const lane_call *c, const real *g, real *dV)
{
    dV[3] = c->param[SPRING] * g[4];
    return 0;
}

KERNEL int roller_racer_rows_along(const lane_call *c, const real *g, const real *eta, real *dmu, real *dY)
{
    real sine, cosine;
    (void)dY;
    sincos_of(g[4], &sine, &cosine);
    dmu[4] = -cosine * eta[3];
    dmu[5] = -sine * eta[3];
    dmu[6] = -c->param[LG_LINK_B] * sine * eta[3];
    return 0;
}

KERNEL int roller_racer_hessian(const lane_call *c, const real *g, const real *eta, real *out)
{
    (void)g;
    out[3] = c->param[SPRING] * eta[3];
    return 0;
}

LG_LANED_COVECTORS(lg_roller_racer_rows, roller_racer_rows)
LG_LANED_FIELD(lg_roller_racer_potential, roller_racer_potential)
LG_LANED_FIELD(lg_roller_racer_gradient, roller_racer_gradient)
LG_LANED_COVECTORS_ALONG(lg_roller_racer_rows_along, roller_racer_rows_along)
LG_LANED_ALONG(lg_roller_racer_hessian, roller_racer_hessian)

#if LANES == 1

static const lg_parameter parameters[] = {
    LG_LINK_PARAMETERS("link", 0.25),
    LG_ANY("d", "m", "distance of the link's axle from the hinge, along the link", 0.5),
    LG_ANY("k", "N m", "stiffness of the hinge, V = k alpha^2/2", 0.5),
};

static const lg_group *(*const factors[])(void) = {lg_se2, lg_catalog_r1};
static const char *const coordinates[] = {"alpha"};

static int roller_racer_configure(const lg_call *c, double *J, double *roller_racer_rows, char *why)
{
    const double *param = c->param;
    (void)J;
    (void)roller_racer_rows;
    if (param[LG_LINK_B] != 0 || param[D] != 0) return 0;
    (void)snprintf(why, LG_MESSAGE_SIZE,
                   "with b = d = 0 both axles lie at the hinge and their rows are dependent at alpha = 0; one of b, "
                   "d must differ from 0");
    return 1;
}

/* (0.6, 0, 0.9, -0.7) projected onto the rows in the metric J. */
static int roller_racer_initial(const lg_call *c, double *g0, double *xi0)
{
    const double *param = c->param;
    static const double start[5] = {0, 0, 1, 0, 0.4}, wanted[4] = {0.6, 0, 0.9, -0.7};
    const double row[3] = {-lg_real_sin(start[4]), param[LG_LINK_B] * lg_real_cos(start[4]) + param[D], param[D]};
    double J[16] = {0}, a[3], b[3];
    memcpy(g0, start, sizeof start);
    memcpy(xi0, wanted, sizeof wanted);
    lg_catalog_across(a, b, row); /* on (v1, w, alpha') */
    const double u[4] = {a[0], 0, a[1], a[2]}, v[4] = {b[0], 0, b[1], b[2]};
    lg_catalog_link_metric(param, g0[4], J);
    lg_catalog_onto_plane(xi0, J, u, v, 4);
    return 0;
}

static int roller_racer_look(const lg_call *c, lg_scene *scene)
{
    const double *p = c->param;
    const int ground = lg_look_ground(scene, "ground", -1, 0);
    const int car = lg_look_body(scene, "car"), link = lg_look_body(scene, "link");
    const double size = lg_look_plate(scene, "car", LG_SHADE_BODY, car, p[LG_LINK_M], p[LG_LINK_I], 0), z = 0.12 * size;
    lg_look_axle(scene, "axle", car, ground, 0, 0.3 * size, 0.12 * size);
    lg_look_hitch(scene, car, p[LG_LINK_B], link, 0, z, 0.04 * size);
    lg_look_axle(scene, "axle of the link", link, ground, p[D], 0.2 * size, 0.12 * size);
    lg_look_rod(scene, "link", LG_SHADE_SECOND, link, (const double[3]){0, 0, z}, (const double[3]){p[D], 0, z},
                0.025 * size);
    lg_look_ball(scene, "centre of mass", LG_SHADE_MARK, link, (const double[3]){p[LG_LINK_L], 0, z}, 0.035 * size);
    return 0;
}

static const lg_column_text column_texts[] = {
    {"x", "m", "middle of the car's axle, first coordinate"},
    {"y", "m", "middle of the car's axle, second coordinate"},
    {"theta", "rad", "heading of the car, unwrapped"},
    {"alpha", "rad", "angle of the link to the car"},
    {"xi_1", "m/s", "velocity along the car"},
    {"xi_2", "m/s", "velocity across the car"},
    {"xi_3", "rad/s", "angular velocity of the car"},
    {NULL, NULL, NULL},
};

const lg_model_definition lg_catalog_roller_racer = {
    .size = sizeof(lg_model_definition),
    .name = "roller-racer",
    .summary = "roller racer: two hinged bodies, each on an axle that does not slip sideways",
    .source = "P. S. Krishnaprasad, D. P. Tsakiris, Oscillations, SE(2)-snakes and motion control: a study of the "
              "roller racer, Dynamical Systems 16 (2001), doi:10.1080/14689360110090424",
    .remark =
        "x, y are the coordinates of the middle of the car's axle, xi = (velocity along the car, across it, its "
        "angular velocity, alpha'), alpha is the link's angle to the car. The spring at the hinge and the data are our "
        "own. The energy is the only invariant. The parasitic mode of the GNI grows here (column normal).",
    LG_FACTORS,
    .coordinate_names = coordinates,
    LG_PARAMETERS,
    .constraint_count = 2,
    .configure = roller_racer_configure,
    .initial = roller_racer_initial,
    .step = 0.05,
    .callbacks = {.columns = column_texts,
                  .plot = "x:y/theta,alpha/conserved",
                  .metric = lg_catalog_link_inertia,
                  .metric_gradient = lg_catalog_link_inertia_gradient,
                  .potential = lg_roller_racer_potential,
                  .potential_gradient = lg_roller_racer_gradient,
                  .potential_hessian = lg_roller_racer_hessian,
                  .covectors = lg_roller_racer_rows,
                  .covectors_derivative = lg_roller_racer_rows_along,
                  .lanes = LG_LANED_ALL,
                  .look = roller_racer_look,
                  .poses = lg_catalog_link_poses},
};

#endif
