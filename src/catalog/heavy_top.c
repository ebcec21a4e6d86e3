/* SPDX-License-Identifier: BSD-3-Clause */
/* The heavy top on SO(3): a rigid body with a fixed point in the field of gravity, V = m g <chi, gamma> with gamma the
 * vertical and chi the centre of mass in the body: M' = M x Omega + m g gamma x chi, gamma' = gamma x Omega. */
#include "catalog/laned.h"
#include "catalog/look.h"
#include "catalog/rigid.h"

enum { MASS, GRAVITY, I1, I2, I3, CHI1, CHI2, CHI3 };

KERNEL int heavy_top_potential(const lane_call *c, const real *g, real *V)
{
    real gamma[3];
    vertical(gamma, g);
    *V = c->param[MASS] * c->param[GRAVITY] * so3_dot(c->param + CHI1, gamma);
    return 0;
}

/* d gamma = gamma x eta, so dV = m g chi x gamma. */
KERNEL int heavy_top_potential_gradient(const lane_call *c, const real *g, real *out)
{
    real gamma[3];
    vertical(gamma, g);
    so3_cross(out, c->param + CHI1, gamma);
    for (int i = 0; i < 3; i++) out[i] *= c->param[MASS] * c->param[GRAVITY];
    return 0;
}

KERNEL int heavy_top_potential_hessian(const lane_call *c, const real *g, const real *eta, real *out)
{
    real gamma[3];
    vertical(gamma, g);
    so3_cross(gamma, gamma, eta);
    so3_cross(out, c->param + CHI1, gamma);
    for (int i = 0; i < 3; i++) out[i] *= c->param[MASS] * c->param[GRAVITY];
    return 0;
}

LG_LANED_FIELD(lg_heavy_top_potential, heavy_top_potential)
LG_LANED_FIELD(lg_heavy_top_gradient, heavy_top_potential_gradient)
LG_LANED_ALONG(lg_heavy_top_hessian, heavy_top_potential_hessian)

#if LANES == 1

static const lg_parameter parameters[] = {
    LG_POSITIVE("m", "kg", "mass", 1),
    LG_NOT_NEGATIVE("g", "m/s^2", "gravity", 9.81),
    LG_POSITIVE("I1", "kg m^2", "first principal moment of inertia about the fixed point", 1),
    LG_POSITIVE("I2", "kg m^2", "second principal moment of inertia about the fixed point", 1.5),
    LG_POSITIVE("I3", "kg m^2", "third principal moment of inertia about the fixed point", 2.2),
    LG_ANY("chi1", "m", "centre of mass from the fixed point, first component in the body", 0.05),
    LG_ANY("chi2", "m", "centre of mass, second component", 0.02),
    LG_ANY("chi3", "m", "centre of mass, third component", 0.3),
};

static int heavy_top_configure(const lg_call *c, double *J, double *rows, char *why)
{
    const double *param = c->param;
    (void)rows, (void)why;
    for (int i = 0; i < 3; i++) J[4 * i] = param[I1 + i];
    return 0;
}

static int heavy_top_initial(const lg_call *c, double *g0, double *xi0)
{
    (void)c;
    g0[0] = g0[1] = g0[2] = 0, g0[3] = 1;
    xi0[0] = 0.3, xi0[1] = -0.2, xi0[2] = 5;
    return 0;
}

static int is_lagrange(const double *param)
{
    return param[I1] == param[I2] && param[CHI1] == 0 && param[CHI2] == 0;
}

static int axial_momentum(const lg_call *c, const double *g, const double *p, double *out)
{
    (void)g;
    *out = is_lagrange(c->param) ? p[2] : (double)NAN;
    return 0;
}

/* I1 = I2 = 2 I3, chi3 = 0: with z = Omega_1 + i Omega_2, e = gamma_1 + i gamma_2, k = (m g/I3) (chi1 + i chi2) both
 * z^2 and k e rotate by -i Omega_3 and have the common term i k gamma_3 z, so |z^2 - k e| is constant. */
static int kovalevskaya(const lg_call *c, const double *g, const double *p, double *out)
{
    const double *param = c->param, k = param[MASS] * param[GRAVITY] / param[I3];
    const double x = p[0] / param[I1], y = p[1] / param[I2];
    double e[3];
    vertical(e, g);
    const double re = x * x - y * y - k * (param[CHI1] * e[0] - param[CHI2] * e[1]);
    const double im = 2 * x * y - k * (param[CHI1] * e[1] + param[CHI2] * e[0]);
    const int holds = param[I1] == param[I2] && param[I1] == 2 * param[I3] && param[CHI3] == 0;
    *out = holds ? re * re + im * im : (double)NAN;
    return 0;
}

static const lg_invariant invariants[] = {
    {"spatial_momentum_3", "third component of R p, angular momentum about the vertical",
     lg_catalog_spatial_momentum_3},
    {"axial_momentum", "p_3 of Lagrange's top; nan unless I1 = I2, chi1 = chi2 = 0", axial_momentum},
    {"kovalevskaya", "Kovalevskaya's integral; nan unless I1 = I2 = 2 I3, chi3 = 0", kovalevskaya},
};

/* A gyroscope: a ring with the moment I3 about the axis, on spokes. */
static int heavy_top_look(const lg_call *c, lg_scene *scene)
{
    const double *p = c->param, *chi = p + CHI1, r = sqrt(p[I3] / p[MASS]), zero[3] = {0, 0, 0};
    const double far = sqrt(chi[0] * chi[0] + chi[1] * chi[1] + chi[2] * chi[2]),
                 reach = far > 0 ? 1 + 0.7 * r / far : 0;
    const double tip[3] = {reach * chi[0], reach * chi[1], reach * chi[2]};
    const int body = lg_look_body(scene, "top");
    lg_shape ring = lg_look_at("ring", LG_SHAPE_TORUS, LG_SHADE_WHEEL, body, chi[0], chi[1], chi[2]);
    lg_shape end = lg_look_at("end of the axis", LG_SHAPE_SPHERE, LG_SHADE_MARK, body, tip[0], tip[1], tip[2]);
    ring.dimensions[0] = r, ring.dimensions[1] = 0.1 * r;
    end.dimensions[0] = 0.06 * r, end.trail = 1;
    lg_look_add(scene, &ring);
    lg_look_add(scene, &end);
    for (int i = 0; i < 2; i++) {
        const double from[3] = {chi[0] - r * (i == 0), chi[1] - r * (i == 1), chi[2]};
        const double to[3] = {chi[0] + r * (i == 0), chi[1] + r * (i == 1), chi[2]};
        lg_look_rod(scene, "spoke", LG_SHADE_METAL, body, from, to, 0.03 * r);
    }
    lg_look_rod(scene, "axis", LG_SHADE_METAL, body, zero, tip, 0.03 * r);
    lg_look_ball(scene, "centre of mass", LG_SHADE_MARK, body, chi, 0.1 * r);
    lg_look_ball(scene, "fixed point", LG_SHADE_METAL, -1, zero, 0.08 * r);
    return 0;
}

static const lg_column_text column_texts[] = {
    {"inv_spatial_momentum_3", "kg m^2/s", NULL},
    {"inv_axial_momentum", "kg m^2/s", NULL},
    {"inv_kovalevskaya", "1/s^4", NULL},
    {NULL, NULL, NULL},
};

const lg_model_definition lg_catalog_heavy_top = {
    .size = sizeof(lg_model_definition),
    .name = "heavy-top",
    .summary = "heavy top: a rigid body with a fixed point in the field of gravity",
    .source = LG_BLOCH_2005 ", equation (12), on SO(3) with a potential; Lagrange (1788), Kovalevskaya (1889)",
    .remark = "Lagrange's top: I2=I1, chi1=0, chi2=0; Kovalevskaya's top: I1=I2=2 I3, chi3=0. The data are our own.",
    .group = lg_so3,
    LG_PARAMETERS,
    LG_INVARIANTS,
    .configure = heavy_top_configure,
    .initial = heavy_top_initial,
    .step = 0.01,
    .callbacks = {.columns = column_texts,
                  .potential = lg_heavy_top_potential,
                  .potential_gradient = lg_heavy_top_gradient,
                  .potential_hessian = lg_heavy_top_hessian,
                  .lanes = LG_LANED_ALL,
                  .look = heavy_top_look,
                  .poses = lg_catalog_attitude_pose},
};

#endif
