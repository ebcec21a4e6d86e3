/* SPDX-License-Identifier: BSD-3-Clause */
/* The falling rolling disk on R^3 x SO(3), (x, y, z) its centre: no slip at the contact, three velocity rows of which
 * the third is the differential of z - f(gamma), f = r sqrt(gamma_1^2 + gamma_2^2). The height itself is not fixed;
 * rolling_disk_exact.c fixes it, with the functions of this file. */
#include "catalog/laned.h"
#include "catalog/look.h"
#include "catalog/rigid.h"

KERNEL int rolling_disk_rows(const lane_call *c, const real *g, real *mu, real *Y)
{
    surface s;
    (void)Y;
    if (disk_surface(&s, c->param, g + 3)) return 1;
    rolling_rows(mu, g + 3, &s, 3, 3);
    return 0;
}

KERNEL int rolling_disk_rows_along(const lane_call *c, const real *g, const real *eta, real *dmu, real *dY)
{
    surface s;
    (void)dY;
    if (disk_surface(&s, c->param, g + 3)) return 1;
    rolling_rows_along(dmu, g + 3, eta + 3, &s, 3, 3);
    return 0;
}

LG_LANED_COVECTORS(lg_disk_rows, rolling_disk_rows)
LG_LANED_COVECTORS_ALONG(lg_disk_rows_along, rolling_disk_rows_along)
LG_LANED_TOGETHER(lg_disk_together, 7, 6, rolling_disk_rows, rolling_disk_rows_along, weight_gradient)

#if LANES == 1

const lg_parameter lg_catalog_disk_parameters[LG_DISK_PARAMETERS] = {
    LG_POSITIVE("m", "kg", "mass", 1),
    LG_NOT_NEGATIVE("g", "m/s^2", "gravity", 9.81),
    LG_POSITIVE("r", "m", "radius", 1),
    LG_POSITIVE("Id", "kg m^2", "moment of inertia about a diameter", 0.25),
    LG_POSITIVE("Ia", "kg m^2", "moment of inertia about the axis", 0.5),
};

const char *const lg_catalog_disk_coordinates[] = {"x", "y", "z"};

const lg_catalog_group lg_catalog_space_and_attitude[2] = {lg_catalog_r3, lg_so3};

int lg_catalog_disk_configure(const lg_call *c, double *J, double *rolling_disk_rows, char *why)
{
    const double *param = c->param;
    (void)rolling_disk_rows, (void)why;
    for (int i = 0; i < 3; i++) {
        J[7 * i] = param[LG_ROLLING_M];
        J[7 * (3 + i)] = param[i < 2 ? LG_DISK_ID : LG_DISK_IA];
    }
    return 0;
}

/* The disk rolls backwards along x, leaning by 0.27 rad. */
int lg_catalog_disk_initial(const lg_call *c, double *g0, double *xi0)
{
    const double *param = c->param;
    static const double omega[3] = {0.2, 0.5, 4};
    surface s;
    g0[0] = g0[1] = 0;
    g0[3] = lg_real_sin(0.65), g0[4] = g0[5] = 0, g0[6] = lg_real_cos(0.65);
    if (disk_surface(&s, param, g0 + 3)) return 0;
    g0[2] = s.height;
    rolling_velocity(xi0, g0 + 3, omega, &s);
    for (int i = 0; i < 3; i++) xi0[3 + i] = omega[i];
    return 0;
}

/* The even and the odd solution of (1 - s^2) y'' - 2 s y' - kappa y = 0 and their derivatives, u = (u1, u1', u2, u2'):
 * c_(k+2) = (k(k+1) + kappa)/((k+1)(k+2)) c_k, all terms of one sign. Returns 1 if that takes more than MOST_TERMS:
 * flatter than about 0.01 rad, where both solutions have a logarithm. */
#define MOST_TERMS 200000
static int legendre(double kappa, double s, double *u)
{
    for (int first = 0; first < 2; first++) {
        double c = 1, power = first == 1 ? 1 : 0, y = first == 1 ? s : 1, dy = first; /* power = s^(k-1) */
        int k = first;
        for (; k < MOST_TERMS; k += 2) {
            c *= (k * (k + 1.0) + kappa) / ((k + 1.0) * (k + 2.0));
            power = k == 0 ? s : power * s * s;
            const double slope = (k + 2) * c * power;
            y += c * power * s;
            dy += slope;
            if (fabs(slope) <= 1e-17 * fabs(dy)) break;
        }
        if (k >= MOST_TERMS) return 1;
        u[2 * first] = y;
        u[2 * first + 1] = dy;
    }
    return 0;
}

/* With s = sin(theta) = gamma_3, theta the angle of disk and vertical, y = Omega_3 satisfies Legendre's equation with
 * kappa = m r^2 Ia/((Ia + m r^2) Id) along every motion, and y' = w = -m r^2 Omega_eta/((Ia + m r^2) cos(theta)), eta =
 * (gamma_1, gamma_2, 0)/cos(theta): the two constants are y's coefficients by u1 and u2, u1 u2' - u2 u1' = 1/(1 - s^2).
 */
static int linear_integrals(const lg_call *c, const double *g, const double *p, double *out)
{
    const double *param = c->param, Id = param[LG_DISK_ID], Ia = param[LG_DISK_IA];
    const double mrr = param[LG_ROLLING_M] * param[LG_DISK_R] * param[LG_DISK_R];
    double gamma[3], u[4];
    vertical(gamma, g + 3);
    const double cc = gamma[0] * gamma[0] + gamma[1] * gamma[1];
    out[0] = out[1] = (double)NAN;
    if (!(cc > 0) || legendre(mrr * Ia / ((Ia + mrr) * Id), gamma[2], u)) return 0;
    const double y = p[5] / Ia, w = -mrr * (gamma[0] * p[3] + gamma[1] * p[4]) / (Id * (Ia + mrr) * cc);
    out[0] = (y * u[3] - w * u[2]) * cc;
    out[1] = (w * u[0] - y * u[1]) * cc;
    return 0;
}

static int C1(const lg_call *c, const double *g, const double *p, double *out)
{
    double C[2];
    const int status = linear_integrals(c, g, p, C);
    *out = C[0];
    return status;
}

static int C2(const lg_call *c, const double *g, const double *p, double *out)
{
    double C[2];
    const int status = linear_integrals(c, g, p, C);
    *out = C[1];
    return status;
}

static int gap(const lg_call *c, const double *g, const double *p, double *out)
{
    surface s;
    (void)p;
    if (disk_surface(&s, c->param, g + 3)) return 1;
    *out = g[2] - s.height;
    return 0;
}

const lg_invariant lg_catalog_disk_invariants[LG_DISK_INVARIANTS] = {
    {"C1", "linear integral: coefficient of the even solution of Legendre's equation in Omega_3(gamma_3)", C1},
    {"C2", "linear integral: the same for the odd solution", C2},
    {"gap", "height of the disk's lowest point, z - r sqrt(gamma_1^2 + gamma_2^2)", gap},
};

const lg_column_text lg_catalog_disk_columns[] = {
    {"x", "m", "centre of the disk, first coordinate"},
    {"y", "m", "centre of the disk, second coordinate"},
    {"z", "m", "centre of the disk, height"},
    {"inv_C1", "rad/s", NULL},
    {"inv_C2", "rad/s", NULL},
    {"inv_gap", "m", NULL},
    {NULL, NULL, NULL},
};

int lg_catalog_disk_look(const lg_call *c, lg_scene *scene)
{
    const double r = c->param[LG_DISK_R];
    const int ground = lg_look_ground(scene, "ground", -1, 0), body = lg_look_body(scene, "disk");
    lg_shape disk = lg_look_at("disk", LG_SHAPE_CYLINDER, LG_SHADE_WHEEL, body, 0, 0, 0);
    disk.dimensions[0] = r, disk.rolls_on = ground, disk.trail = 2;
    lg_look_add(scene, &disk);
    lg_look_rod(scene, "axis", LG_SHADE_METAL, body, (const double[3]){0, 0, -r / 4}, (const double[3]){0, 0, r / 4},
                0.04 * r);
    return 0;
}

int lg_catalog_disk_poses(const lg_call *c, const double *g, double *poses)
{
    (void)c;
    for (int i = 0; i < LG_POSE_SIZE; i++) poses[i] = g[i];
    return 0;
}

static const lg_together together = {lg_disk_together, lg_disk_rows, lg_disk_rows_along, lg_catalog_weight_gradient};

const lg_model_definition lg_catalog_rolling_disk = {
    .size = sizeof(lg_model_definition),
    .name = "rolling-disk",
    .summary = "falling disk that rolls on a plane without slipping, three velocity constraints",
    .source = LG_BLOCH_2005
    ", section The falling rolling disk, Figure 2; linear integrals: A. Vierkandt (1892), S. A. Chaplygin "
    "(1897), D. Korteweg (1899)",
    .remark = "x, y, z are the coordinates of the centre. The height is constrained through its velocity only (column "
              "inv_gap); rolling-disk-exact fixes it. inv_C1 and inv_C2 are nan where the disk lies within 0.01 rad of "
              "flat. The data are our own: a uniform disk.",
    .factor_count = 2,
    .factors = lg_catalog_space_and_attitude,
    .coordinate_names = lg_catalog_disk_coordinates,
    .parameter_count = LG_DISK_PARAMETERS,
    .parameters = lg_catalog_disk_parameters,
    .constraint_count = 3,
    .invariant_count = LG_DISK_INVARIANTS,
    .invariants = lg_catalog_disk_invariants,
    .configure = lg_catalog_disk_configure,
    .initial = lg_catalog_disk_initial,
    .step = 0.01,
    .callbacks = {.columns = lg_catalog_disk_columns,
                  .plot = "x:y/e3_x,e3_y,e3_z/conserved",
                  .potential = lg_catalog_weight,
                  .potential_gradient = lg_catalog_weight_gradient,
                  .potential_hessian = lg_catalog_no_hessian,
                  .covectors = lg_disk_rows,
                  .covectors_derivative = lg_disk_rows_along,
                  .together = &together,
                  .lanes = LG_LANED_ALL,
                  .look = lg_catalog_disk_look,
                  .poses = lg_catalog_disk_poses},
};

#endif
