/* SPDX-License-Identifier: BSD-3-Clause */
/* The Chaplygin sleigh on SE(2), velocities (v1, v2, theta') at the contact of the blade, v1 along it: v2 = 0. The
 * centre of mass lies at distance a from the contact along the blade. The row is left-invariant: a constant. */
#include "catalog/look.h"
#include "catalog/systems.h"

enum { MASS, MOMENT, OFFSET };

static const lg_parameter parameters[] = {
    LG_POSITIVE("m", "kg", "mass", 1),
    LG_POSITIVE("I", "kg m^2", "moment of inertia about the centre of mass", 1),
    LG_ANY("a", "m", "distance of the centre of mass from the contact, along the blade", 0.2),
};

static int chaplygin_sleigh_configure(const lg_call *c, double *J, double *rows, char *why)
{
    const double *param = c->param;
    const double m = param[MASS], a = param[OFFSET];
    (void)why;
    J[0] = J[4] = m;
    J[5] = J[7] = m * a;
    J[8] = param[MOMENT] + m * a * a;
    rows[1] = 1;
    return 0;
}

static int chaplygin_sleigh_initial(const lg_call *c, double *g0, double *xi0)
{
    (void)c;
    g0[0] = g0[1] = 0, g0[2] = 1, g0[3] = 0;
    xi0[0] = -0.6, xi0[1] = 0, xi0[2] = 1;
    return 0;
}

/* Along the motion theta - sign(w)/a sqrt(K/m) atan(sqrt(m) u / (sqrt(K) |w|)) is constant, K = I + m a^2: the arc
 * tangent is gd of a time, and tends to sign(a) pi/2. So theta tends to the angle below, and the sleigh to a straight
 * run there. Needs (u, w), which p gives on the constraint: p_1 = m u, p_3 = K w. */
static double final_heading(const double *param, const double *g, const double *p)
{
    const double m = param[MASS], a = param[OFFSET], K = param[MOMENT] + m * a * a;
    if (a == 0) return (double)NAN;
    const double u = p[0] / m, w = p[2] / K, limit = copysign(2 * atan(1.0), a);
    const double rest = limit - lg_real_atan2(sqrt(m) * u, sqrt(K) * fabs(w));
    return lg_real_atan2(g[3], g[2]) + copysign(sqrt(K / m) / a * rest, w);
}

static int final_heading_cos(const lg_call *c, const double *g, const double *p, double *out)
{
    *out = lg_real_cos(final_heading(c->param, g, p));
    return 0;
}

static int final_heading_sin(const lg_call *c, const double *g, const double *p, double *out)
{
    *out = lg_real_sin(final_heading(c->param, g, p));
    return 0;
}

static const lg_invariant invariants[] = {
    {"final_heading_cos", "cosine of the heading of the straight run to which the motion tends; nan for a = 0",
     final_heading_cos},
    {"final_heading_sin", "sine of the same heading", final_heading_sin},
};

/* The motion in closed form: U = sqrt(2E/m), kappa = m a U/K, s = s0 + kappa t, u = U tanh s, w = W sech s. */
typedef struct motion {
    double U, W, kappa, s0, ratio; /* ratio = sqrt(K/m)/a, with the sign of W */
    double u0, w0, theta0;
    int uniform; /* w = 0 or a = 0: u and w are constant */
} motion;

static motion motion_from(const double *param, const double *g0, const double *xi0)
{
    const double m = param[MASS], a = param[OFFSET], K = param[MOMENT] + m * a * a;
    motion M = {.u0 = xi0[0], .w0 = xi0[2], .theta0 = lg_real_atan2(g0[3], g0[2])};
    M.uniform = a == 0 || xi0[2] == 0;
    if (M.uniform) return M;
    M.U = hypot(xi0[0], sqrt(K / m) * xi0[2]);
    M.W = copysign(sqrt(m / K) * M.U, xi0[2]);
    M.kappa = m * a * M.U / K;
    M.s0 = asinh(sqrt(m / K) * xi0[0] / fabs(xi0[2]));
    M.ratio = copysign(sqrt(K / m), xi0[2]) / a;
    return M;
}

static void motion_at(const motion *M, double t, double *theta, double *u, double *w)
{
    const double s = M->s0 + M->kappa * t;
    *theta = M->theta0 + (M->uniform ? M->w0 * t : M->ratio * lg_catalog_gd_difference(M->s0, M->kappa * t));
    *u = M->uniform ? M->u0 : M->U * tanh(s);
    *w = M->uniform ? M->w0 : M->W / cosh(s);
}

/* x' + i y' = u exp(i theta) by Gauss quadrature of order 10 on panels in which no angle changes by more than 0.1 rad:
 * the relative error of a panel is below 0.1^10/10!. Returns 1 if that takes more than MOST_PANELS. */
#define MOST_PANELS 1e6
static int position(const motion *M, double t, const double *g0, double *g)
{
    static const double node[3] = {0, 0.538469310105683091036314, 0.906179845938663992797627};
    static const double weight[3] = {0.568888888888888888888889, 0.478628670499366468041292,
                                     0.236926885056189087514264};
    const double rate = fabs(M->kappa) + fmax(fabs(M->W), fabs(M->w0)), count = 1 + floor(fabs(t) * rate / 0.1);
    const double half = t / count / 2;
    double x = 0, y = 0;
    if (!(count <= MOST_PANELS)) return 1;
    for (double k = 0; k < count; k++) {
        for (int i = -2; i <= 2; i++) {
            const int j = i < 0 ? -i : i;
            double theta, u, w;
            motion_at(M, half * (2 * k + 1 + (i < 0 ? -node[j] : node[j])), &theta, &u, &w);
            x += weight[j] * u * lg_real_cos(theta);
            y += weight[j] * u * lg_real_sin(theta);
        }
    }
    g[0] = g0[0] + half * x;
    g[1] = g0[1] + half * y;
    return 0;
}

static int chaplygin_sleigh_exact(const lg_call *c, const double *g0, const double *xi0, double *g, double *xi)
{
    const double *param = c->param;
    const double t = c->t;
    if (fabs(xi0[1]) > 1e-12 * (fabs(xi0[0]) + fabs(xi0[2]))) return 1;
    const motion M = motion_from(param, g0, xi0);
    double theta;
    if (position(&M, t, g0, g)) return 1;
    motion_at(&M, t, &theta, &xi[0], &xi[2]);
    g[2] = lg_real_cos(theta);
    g[3] = lg_real_sin(theta);
    xi[1] = 0;
    return 0;
}

int lg_catalog_sleigh_look(const lg_call *c, lg_scene *scene)
{
    const double *param = c->param;
    const int ground = lg_look_ground(scene, "ice", -1, 0), body = lg_look_body(scene, "sleigh");
    const double length =
        lg_look_plate(scene, "sleigh", LG_SHADE_BODY, body, param[MASS], param[MOMENT], param[OFFSET]);
    lg_shape blade = lg_look_at("blade", LG_SHAPE_BOX, LG_SHADE_MARK, body, 0, 0, 0.05 * length);
    blade.dimensions[0] = 0.3 * length, blade.dimensions[1] = 0.015 * length, blade.dimensions[2] = 0.1 * length;
    blade.rolls_on = ground, blade.trail = 1;
    lg_look_add(scene, &blade);
    return 0;
}

static int chaplygin_sleigh_poses(const lg_call *c, const double *g, double *poses)
{
    (void)c;
    lg_look_plane_pose(poses, g[0], g[1], g[2], g[3]);
    return 0;
}

static const lg_column_text column_texts[] = {
    {"x", "m", "contact of the blade, first coordinate"},
    {"y", "m", "contact of the blade, second coordinate"},
    {"theta", "rad", "heading of the blade, unwrapped"},
    {"xi_1", "m/s", "velocity along the blade"},
    {"xi_2", "m/s", "velocity across the blade"},
    {"xi_3", "rad/s", "angular velocity"},
    {"inv_final_heading_cos", "", NULL},
    {"inv_final_heading_sin", "", NULL},
    {NULL, NULL, NULL},
};

const lg_model_definition lg_catalog_chaplygin_sleigh = {
    .size = sizeof(lg_model_definition),
    .name = "chaplygin-sleigh",
    .summary = "Chaplygin sleigh: a planar body with a blade that does not slip sideways",
    .source = LG_BLOCH_2005 ", equation (19); " LG_FERRARO_2008 ", section 5, Example 3",
    .remark = "x, y are the coordinates of the contact, xi = (velocity along the blade, across it, angular velocity). "
              "Every motion tends to a straight run; that attraction excites the parasitic mode of the GNI (column "
              "normal). The position of the exact solution comes from a quadrature.",
    .group = lg_se2,
    LG_PARAMETERS,
    .constraint_count = 1,
    LG_INVARIANTS,
    .has_constant_rows = 1,
    .configure = chaplygin_sleigh_configure,
    .initial = chaplygin_sleigh_initial,
    .exact = chaplygin_sleigh_exact,
    .step = 0.1,
    .callbacks = {.columns = column_texts,
                  .plot = "x:y/theta/conserved",
                  .look = lg_catalog_sleigh_look,
                  .poses = chaplygin_sleigh_poses},
};
