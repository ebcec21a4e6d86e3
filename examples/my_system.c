/* SPDX-License-Identifier: BSD-3-Clause */
/* A system of your own for the command line: a knife edge on an inclined plane, that is a planar body (SE(2)) whose
 * blade does not slip sideways. Compiled as a shared object it runs like a system of the catalog:
 *   cc -shared -fPIC my_system.c -o my-system.so
 *   liegrp info ./my-system.so
 *   liegrp run ./my-system.so --param slope=0.3 --time 20 --plot knife.png
 *   liegrp run ./my-system.so --param slope=0.3 --time 20 --view knife.html */
#include <liegrp/liegrp.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { M, I, G, SLOPE };

/* name, unit, meaning, default, lowest, highest, 1: the bounds themselves are not allowed */
static const lg_parameter parameters[] = {
    {"m", "kg", "mass", 1, 0, INFINITY, 1},
    {"I", "kg m^2", "moment of inertia about the blade's contact, under the centre of mass", 0.5, 0, INFINITY, 1},
    {"g", "m/s^2", "gravity", 9.81, -INFINITY, INFINITY, 1},
    {"slope", "rad", "angle of the plane, which falls along x", 0.2, 0, 1.6, 0},
};

/* The inertia J (3 x 3) on the velocities (v1, v2, w) in the body, and the row of the constraint v2 = 0. */
static int configure(const lg_call *c, double *J, double *rows, char *why)
{
    const double *param = c->param;
    if (param[I] < 1e-6 * param[M]) { /* refuses parameters that are in range individually but not together */
        (void)snprintf(why, LG_MESSAGE_SIZE, "I/m = %g is less than 1e-6 m^2; no body is that thin",
                       param[I] / param[M]);
        return 1;
    }
    J[0] = J[4] = param[M];
    J[8] = param[I];
    rows[1] = 1;
    return 0;
}

/* Default initial data: g0 = (x, y, cos theta, sin theta), xi0 = (v1, v2, w). */
static int initial(const lg_call *c, double *g0, double *xi0)
{
    (void)c;
    g0[0] = g0[1] = g0[3] = xi0[0] = xi0[1] = 0;
    g0[2] = 1;
    xi0[2] = 1;
    return 0;
}

static int potential(const lg_call *c, const double *g, double *V)
{
    *V = -c->param[M] * c->param[G] * sin(c->param[SLOPE]) * g[0];
    return 0; /* nonzero stops the run with a message */
}

/* <dV, eta> = d/ds V(g exp(s eta)): the covector (-m g sin slope, 0) of the plane in the body's axes. It may be left
 * out; the library then uses differences. */
static int potential_gradient(const lg_call *c, const double *g, double *dV)
{
    const double pull = c->param[M] * c->param[G] * sin(c->param[SLOPE]);
    dV[0] = -pull * g[2];
    dV[1] = pull * g[3];
    return 0;
}

/* No moment acts on the body, so this is constant along the true motion. Every run has a column inv_turning, which
 * shows the error of the method. */
static int turning(const lg_call *c, const double *g, const double *p, double *out)
{
    (void)c;
    (void)g;
    *out = p[2];
    return 0;
}

static const lg_invariant invariants[] = {{"turning", "I w, the angular momentum about the contact", turning}};

/* Words for `liegrp info` and for pictures, as far as they do not follow from the group; a NULL name ends the list. */
static const lg_column_text columns[] = {{"xi_1", "m/s", "velocity along the edge"},
                                         {"xi_2", "m/s", "velocity across it"},
                                         {"inv_turning", "kg m^2/s", NULL},
                                         {NULL, NULL, NULL}};

/* The turn about axis y by the slope. */
static void tilt(const lg_call *c, double *q)
{
    const double half = c->param[SLOPE] / 2;
    q[0] = q[2] = 0, q[1] = sin(half), q[3] = cos(half);
}

/* Shapes to draw: a plane, and on a body a plate and its blade. Sizes follow from the parameters. */
static int look(const lg_call *c, lg_scene *scene)
{
    const double long_ = sqrt(c->param[I] / c->param[M]), high = 0.1 * long_;
    lg_shape plane = lg_shape_default("plane", LG_SHAPE_PLANE, -1);
    lg_shape plate = lg_shape_default("plate", LG_SHAPE_BOX, 0), blade = lg_shape_default("blade", LG_SHAPE_BOX, 0);
    tilt(c, plane.attitude);
    plane.shade = LG_SHADE_GROUND;
    plate.position[2] = 1.5 * high, blade.position[2] = 0.5 * high, blade.shade = LG_SHADE_MARK;
    memcpy(plate.dimensions, (const double[3]){long_, 0.5 * long_, high}, sizeof plate.dimensions);
    memcpy(blade.dimensions, (const double[3]){0.7 * long_, 0.1 * high, high}, sizeof blade.dimensions);
    blade.rolls_on = 0, blade.trail = 2; /* touches the plane, and leaves a trail there */
    return lg_scene_add_body(scene, NULL, "knife") != LG_OK || lg_scene_add(scene, NULL, &plane) != LG_OK ||
           lg_scene_add(scene, NULL, &plate) != LG_OK || lg_scene_add(scene, NULL, &blade) != LG_OK;
}

/* Where the bodies are, here one: x, y, z and a quaternion. The plane's coordinates are turned by the slope. */
static int poses(const lg_call *c, const double *g, double *pose)
{
    const double half = atan2(g[3], g[2]) / 2, heading[4] = {0, 0, sin(half), cos(half)}, at[3] = {g[0], g[1], 0};
    double q[4];
    tilt(c, q);
    lg_so3_act(pose, q, at);
    lg_so3_compose(pose + 3, q, heading);
    return 0;
}

static const lg_model_definition definition = {
    .size = sizeof(lg_model_definition),
    .name = "knife-edge",
    .summary = "knife edge on an inclined plane",
    .source = "a classic of nonholonomic mechanics",
    .remark = "While it turns it does not run down the plane: it drifts along y, on a cycloid.",
    .group = lg_se2,
    .parameter_count = 4,
    .parameters = parameters,
    .constraint_count = 1,
    .has_constant_rows = 1,
    .invariant_count = 1,
    .invariants = invariants,
    .configure = configure,
    .initial = initial,
    .callbacks = {.potential = potential,
                  .potential_gradient = potential_gradient,
                  .columns = columns,
                  .look = look,
                  .poses = poses},
};

/* The function that liegrp looks for. */
LG_API const lg_model_definition *liegrp_system(void);
const lg_model_definition *liegrp_system(void)
{
    return &definition;
}
