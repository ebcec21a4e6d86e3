/* SPDX-License-Identifier: BSD-3-Clause */
/* The Chaplygin sleigh in coordinates (x, y, theta) of its contact, on the abelian group R^2 x S^1: the metric depends
 * on the configuration. The system of chaplygin_sleigh.c, with the same parameters. */
#include "catalog/laned.h"
#include "catalog/look.h"
#include "catalog/systems.h"

enum { MASS, MOMENT, OFFSET };

/* T = m (x'^2 + y'^2)/2 + (I + m a^2) theta'^2/2 + m a theta' (y' cos theta - x' sin theta). */
KERNEL int chaplygin_sleigh_planar_metric(const lane_call *c, const real *q, real *J)
{
    const real m = c->param[MASS], a = c->param[OFFSET];
    real sine, cosine;
    sincos_of(q[2], &sine, &cosine);
    J[0] = J[4] = m;
    J[2] = J[6] = -m * a * sine;
    J[5] = J[7] = m * a * cosine;
    J[8] = c->param[MOMENT] + m * a * a;
    return 0;
}

KERNEL int chaplygin_sleigh_planar_metric_gradient(const lane_call *c, const real *q, const real *v, real *dT)
{
    real sine, cosine;
    sincos_of(q[2], &sine, &cosine);
    dT[2] = -c->param[MASS] * c->param[OFFSET] * v[2] * (v[0] * cosine + v[1] * sine);
    return 0;
}

KERNEL int chaplygin_sleigh_planar_rows(const lane_call *c, const real *q, real *mu, real *Y)
{
    real sine, cosine;
    (void)c, (void)Y;
    sincos_of(q[2], &sine, &cosine);
    mu[0] = sine;
    mu[1] = -cosine;
    return 0;
}

KERNEL int chaplygin_sleigh_planar_rows_along(const lane_call *c, const real *q, const real *eta, real *dmu, real *dY)
{
    real sine, cosine;
    (void)c, (void)dY;
    sincos_of(q[2], &sine, &cosine);
    dmu[0] = cosine * eta[2];
    dmu[1] = sine * eta[2];
    return 0;
}

LG_LANED_FIELD(lg_sleigh_planar_metric, chaplygin_sleigh_planar_metric)
LG_LANED_ALONG(lg_sleigh_planar_metric_gradient, chaplygin_sleigh_planar_metric_gradient)
LG_LANED_COVECTORS(lg_sleigh_planar_rows, chaplygin_sleigh_planar_rows)
LG_LANED_COVECTORS_ALONG(lg_sleigh_planar_rows_along, chaplygin_sleigh_planar_rows_along)

#if LANES == 1

static const lg_parameter parameters[] = {
    LG_POSITIVE("m", "kg", "mass", 1),
    LG_POSITIVE("I", "kg m^2", "moment of inertia about the centre of mass", 1),
    LG_ANY("a", "m", "distance of the centre of mass from the contact, along the blade", 0.2),
};

static const lg_group *(*const factors[])(void) = {lg_catalog_r2, lg_catalog_t1};
static const char *const coordinates[] = {"x", "y", "theta"};

static int chaplygin_sleigh_planar_configure(const lg_call *c, double *J, double *chaplygin_sleigh_planar_rows,
                                             char *why)
{
    (void)c, (void)J, (void)chaplygin_sleigh_planar_rows, (void)why;
    return 0;
}

static int chaplygin_sleigh_planar_initial(const lg_call *c, double *q0, double *v0)
{
    (void)c;
    q0[0] = q0[1] = q0[2] = 0;
    v0[0] = -2.4, v0[1] = 0, v0[2] = 0.576;
    return 0;
}

static int final_heading_cos(const lg_call *c, const double *q, const double *p, double *out)
{
    double g[4], body[3];
    lg_catalog_plane_to_body(q, p, g, body);
    return lg_catalog_chaplygin_sleigh.invariants[0].value(c, g, body, out);
}

static int final_heading_sin(const lg_call *c, const double *q, const double *p, double *out)
{
    double g[4], body[3];
    lg_catalog_plane_to_body(q, p, g, body);
    return lg_catalog_chaplygin_sleigh.invariants[1].value(c, g, body, out);
}

static const lg_invariant invariants[] = {
    {"final_heading_cos", "cosine of the heading of the straight run to which the motion tends; nan for a = 0",
     final_heading_cos},
    {"final_heading_sin", "sine of the same heading", final_heading_sin},
};

static int chaplygin_sleigh_planar_exact(const lg_call *c, const double *q0, const double *v0, double *q, double *v)
{
    double g0[4], xi0[3], g[4], xi[3];
    lg_catalog_plane_to_body(q0, v0, g0, xi0);
    if (fabs(xi0[1]) > 1e-12 * hypot(v0[0], v0[1])) return 1;
    xi0[1] = 0;
    if (lg_catalog_chaplygin_sleigh.exact(c, g0, xi0, g, xi)) return 1;
    lg_catalog_plane_from_body(g, xi, q, v);
    return 0;
}

static int chaplygin_sleigh_planar_poses(const lg_call *c, const double *q, double *poses)
{
    (void)c;
    lg_look_plane_pose(poses, q[0], q[1], lg_real_cos(q[2]), lg_real_sin(q[2]));
    return 0;
}

static const lg_column_text column_texts[] = {
    {"x", "m", "contact of the blade, first coordinate"},
    {"y", "m", "contact of the blade, second coordinate"},
    {"theta", "rad", "heading of the blade, unwrapped"},
    {"inv_final_heading_cos", "", NULL},
    {"inv_final_heading_sin", "", NULL},
    {NULL, NULL, NULL},
};

const lg_model_definition lg_catalog_chaplygin_sleigh_planar = {
    .size = sizeof(lg_model_definition),
    .name = "chaplygin-sleigh-planar",
    .summary = "Chaplygin sleigh in coordinates on R^2 x S^1, with a metric that depends on theta",
    .source = LG_FERRARO_2008 ", section 5, Example 3; Y. N. Fedorov, D. V. Zenkov, Dynamics of the discrete Chaplygin "
                              "sleigh, DCDS Supplement (2005), section 3",
    .remark =
        "The motion of chaplygin-sleigh in coordinates (Ferraro and others 2008): xi = (x', y', theta'). The default "
        "data give the first paper's q_1 = (-.2395, -.0070, .0589) for h = 0.1; the paper states no h, and "
        "determines only h xi. With h = 0.1 the GNI departs from the motion after about 30 s because of its "
        "parasitic mode (column normal). The position of the exact solution comes from a quadrature.",
    LG_FACTORS,
    .coordinate_names = coordinates,
    LG_PARAMETERS,
    .constraint_count = 1,
    LG_INVARIANTS,
    .configure = chaplygin_sleigh_planar_configure,
    .initial = chaplygin_sleigh_planar_initial,
    .exact = chaplygin_sleigh_planar_exact,
    .step = 0.1,
    .callbacks = {.columns = column_texts,
                  .plot = "x:y/theta/conserved",
                  .metric = lg_sleigh_planar_metric,
                  .metric_gradient = lg_sleigh_planar_metric_gradient,
                  .covectors = lg_sleigh_planar_rows,
                  .covectors_derivative = lg_sleigh_planar_rows_along,
                  .lanes = LG_LANED_ALL,
                  .look = lg_catalog_sleigh_look,
                  .poses = chaplygin_sleigh_planar_poses},
};

#endif
