/* SPDX-License-Identifier: BSD-3-Clause */
/* Euler-Poincare equations on aff(1), the smallest group that is not unimodular: the maps s -> a s + b of the line with
 * a > 0, elements (a, b), algebra (x, y) = [[x, y], [0, 0]], [e1, e2] = e2. The group is implemented like a group of
 * the user. */
#include "catalog/look.h"
#include "catalog/systems.h"

/* The group --------------------------------------------------------------------------------------------------- */

static lg_status affine_line_identity(const lg_group *G, double *g)
{
    (void)G;
    g[0] = 1;
    g[1] = 0;
    return LG_OK;
}

static lg_status affine_line_compose(const lg_group *G, double *out, const double *g, const double *h, void *work)
{
    const double a = g[0] * h[0], b = g[0] * h[1] + g[1];
    (void)G, (void)work;
    out[0] = a;
    out[1] = b;
    return LG_OK;
}

static lg_status affine_line_inverse(const lg_group *G, double *out, const double *g, void *work)
{
    const double a = g[0], b = g[1];
    (void)G, (void)work;
    out[0] = 1 / a;
    out[1] = -b / a;
    return LG_OK;
}

static void matrix(double *M, double m00, double m01, double m10, double m11)
{
    M[0] = m00;
    M[1] = m01;
    M[2] = m10;
    M[3] = m11;
}

static lg_status affine_line_Ad(const lg_group *G, double *M, const double *g, void *work)
{
    (void)G, (void)work;
    matrix(M, 1, 0, -g[1], g[0]);
    return LG_OK;
}

static lg_status affine_line_ad(const lg_group *G, double *M, const double *xi, void *work)
{
    (void)G, (void)work;
    matrix(M, 0, 0, -xi[1], xi[0]);
    return LG_OK;
}

static lg_status affine_line_hat(const lg_group *G, double *X, const double *xi, void *work)
{
    (void)G, (void)work;
    matrix(X, xi[0], xi[1], 0, 0);
    return LG_OK;
}

static lg_status affine_line_vee(const lg_group *G, double *xi, const double *X, void *work)
{
    const double x = X[0], y = X[1];
    (void)G, (void)work;
    xi[0] = x;
    xi[1] = y;
    return LG_OK;
}

static lg_status affine_line_to_matrix(const lg_group *G, double *X, const double *g, void *work)
{
    (void)G, (void)work;
    matrix(X, g[0], g[1], 0, 1);
    return LG_OK;
}

static lg_status affine_line_from_matrix(const lg_group *G, double *g, const double *X, void *work)
{
    if (!(X[0] > 0)) return LG_ERROR_DOMAIN;
    return affine_line_vee(G, g, X, work);
}

/* Every (a, b) with a > 0 is an element; with a <= 0 no element is near. */
static double affine_line_residual(const lg_group *G, const double *g, void *work)
{
    (void)G, (void)work;
    if (isnan(g[0]) || isnan(g[1])) return (double)NAN;
    return g[0] > 0 ? 0 : 1 - g[0];
}

static lg_status affine_line_project(const lg_group *G, double *out, const double *g, void *work)
{
    if (g[0] <= 0) return LG_ERROR_DOMAIN;
    return affine_line_vee(G, out, g, work);
}

static lg_status affine_line_random_element(const lg_group *G, double *g, lg_rng *rng, void *work)
{
    (void)G, (void)work;
    g[0] = lg_real_exp(lg_rng_normal(rng));
    g[1] = lg_rng_normal(rng);
    return LG_OK;
}

/* Exponential: a = e^x, b = y (e^x - 1)/x. As ad^2 = x ad, f(ad) = f(0) + (f(x) - f(0))/x ad. */

static double expm1_over(double x)
{
    double sum = 1;
    if (!(fabs(x) <= 0.5)) return (lg_real_exp(x) - 1) / x;
    for (int j = 16; j > 1; j--) sum = 1 + x / j * sum;
    return sum;
}

static lg_status exponential(const lg_group *G, double *g, const double *xi, void *work)
{
    const double x = xi[0], y = xi[1];
    (void)G, (void)work;
    g[0] = lg_real_exp(x);
    g[1] = y * expm1_over(x);
    return LG_OK;
}

static lg_status logarithm(const lg_group *G, double *xi, const double *g, void *work)
{
    if (g[0] <= 0) return LG_ERROR_DOMAIN;
    const double x = lg_real_log(g[0]), b = g[1];
    (void)G, (void)work;
    xi[0] = x;
    xi[1] = b / expm1_over(x);
    return LG_OK;
}

/* 1 + k ad. */
static void along_ad(double *M, const double *xi, double k)
{
    matrix(M, 1, 0, -k * xi[1], 1 + k * xi[0]);
}

/* ((e^x - 1)/x - 1)/x = 1/2 + x/6 + x^2/24 + ...: the series below 0.1, where it ends at 1e-18. */
static lg_status dexp(const lg_group *G, double *M, const double *xi, void *work)
{
    const double x = xi[0];
    double k = 1;
    (void)G, (void)work;
    for (int j = 11; j > 2; j--) k = 1 + x / j * k;
    along_ad(M, xi, fabs(x) < 0.1 ? k / 2 : (expm1_over(x) - 1) / x);
    return LG_OK;
}

/* (x/(e^x - 1) - 1)/x = -1/2 + x/12 - x^3/720 + x^5/30240 - x^7/1209600 + ..., by its series for small x. */
static lg_status dexp_inv(const lg_group *G, double *M, const double *xi, void *work)
{
    const double x = xi[0], xx = x * x, series = -0.5 + x / 12 * (1 - xx / 60 * (1 - xx / 42 * (1 - xx / 40)));
    (void)G, (void)work;
    along_ad(M, xi, fabs(x) < 0.1 ? series : (1 / expm1_over(x) - 1) / x);
    return LG_OK;
}

/* Cayley: (1 - X/2)^-1 (1 + X/2), an element for |x| < 2. */

static lg_status cayley(const lg_group *G, double *g, const double *xi, void *work)
{
    const double x = xi[0], y = xi[1];
    if (fabs(x) >= 2) return LG_ERROR_DOMAIN;
    (void)G, (void)work;
    g[0] = (2 + x) / (2 - x);
    g[1] = 2 * y / (2 - x);
    return LG_OK;
}

static lg_status cayley_inv(const lg_group *G, double *xi, const double *g, void *work)
{
    const double a = g[0], b = g[1];
    if (a <= 0) return LG_ERROR_DOMAIN;
    (void)G, (void)work;
    xi[0] = 2 * (a - 1) / (a + 1);
    xi[1] = 2 * b / (a + 1);
    return LG_OK;
}

/* dcay^-1 (u, v) = (u (1 - x^2/4), v - (x v - y u)/2 - x y u/4). */
static lg_status dcay_inv(const lg_group *G, double *M, const double *xi, void *work)
{
    const double x = xi[0], y = xi[1];
    (void)G, (void)work;
    matrix(M, 1 - x * x / 4, 0, y / 2 - x * y / 4, 1 - x / 2);
    return LG_OK;
}

static lg_status dcay(const lg_group *G, double *M, const double *xi, void *work)
{
    const double x = xi[0], y = xi[1], u = 1 / (1 - x * x / 4), v = 1 / (1 - x / 2);
    (void)G, (void)work;
    matrix(M, u, 0, -y / 2 * u, v);
    return LG_OK;
}

static const lg_group_maps exponential_maps = {
    .tau = exponential, .tau_inv = logarithm, .dtau = dexp, .dtau_inv = dexp_inv};
static const lg_group_maps cayley_maps = {.tau = cayley, .tau_inv = cayley_inv, .dtau = dcay, .dtau_inv = dcay_inv};

static const lg_group affine_group = {
    .size = sizeof(lg_group),
    .name = "Aff(1)",
    .dim = 2,
    .element_size = 2,
    .matrix_size = 2,
    .identity = affine_line_identity,
    .compose = affine_line_compose,
    .inverse = affine_line_inverse,
    .Ad = affine_line_Ad,
    .ad = affine_line_ad,
    .hat = affine_line_hat,
    .vee = affine_line_vee,
    .to_matrix = affine_line_to_matrix,
    .from_matrix = affine_line_from_matrix,
    .residual = affine_line_residual,
    .project = affine_line_project,
    .random = affine_line_random_element,
    .exp = &exponential_maps,
    .cay = &cayley_maps,
};

static const lg_group *group(void)
{
    return &affine_group;
}

/* The system ---------------------------------------------------------------------------------------------------- */

enum { I1, I2 };

static const lg_parameter parameters[] = {
    LG_POSITIVE("I1", "kg m^2", "inertia of the dilation", 1),
    LG_POSITIVE("I2", "kg m^2", "inertia of the translation", 2),
};

static int affine_line_configure(const lg_call *c, double *J, double *rows, char *why)
{
    const double *param = c->param;
    (void)rows, (void)why;
    J[0] = param[I1];
    J[3] = param[I2];
    return 0;
}

static int affine_line_initial(const lg_call *c, double *g0, double *xi0)
{
    const double *param = c->param;
    g0[0] = 1, g0[1] = 0;
    xi0[0] = 0.5 / param[I1];
    xi0[1] = 0.8 / param[I2];
    return 0;
}

/* Ad*_(g^-1) p = (p_1 + b p_2/a, p_2/a). */
static int spatial_momentum_1(const lg_call *c, const double *g, const double *p, double *out)
{
    (void)c;
    *out = p[0] + g[1] * p[1] / g[0];
    return 0;
}

static int spatial_momentum_2(const lg_call *c, const double *g, const double *p, double *out)
{
    (void)c;
    *out = p[1] / g[0];
    return 0;
}

static const lg_invariant invariants[] = {
    {"spatial_momentum_1", "first component of Ad*_(g^-1) p, p_1 + b p_2/a", spatial_momentum_1},
    {"spatial_momentum_2", "its second component, p_2/a", spatial_momentum_2},
};

/* p_1' = -p_2^2/I2, p_2' = p_1 p_2/I1: with k = sqrt(2E/I1), s = s0 + k t: p_1 = -sqrt(2 E I1) tanh s, p_2 = P sech s;
 * then a and b from the spatial momentum. */
static int affine_line_exact(const lg_call *c, const double *g0, const double *xi0, double *g, double *xi)
{
    const double *param = c->param;
    const double t = c->t;
    const double x0 = xi0[0], y0 = xi0[1], a0 = g0[0], b0 = g0[1];
    if (y0 == 0) {
        xi[0] = x0;
        xi[1] = 0;
        g[0] = a0 * lg_real_exp(x0 * t);
        g[1] = b0;
        return 0;
    }
    const double ratio = sqrt(param[I2] / param[I1]), k = hypot(x0, ratio * y0);
    const double s0 = -asinh(x0 / (ratio * fabs(y0))), s = s0 + k * t;
    xi[0] = -k * tanh(s);
    xi[1] = copysign(k / ratio / cosh(s), y0);
    g[0] = a0 * xi[1] / y0;
    g[1] = b0 + param[I1] * (x0 - xi[0]) * a0 / (param[I2] * y0);
    return 0;
}

/* The map s -> a s + b as the point (b, a) of the upper half plane, where motions are halves of ellipses. */
static int affine_line_look(const lg_call *c, lg_scene *scene)
{
    lg_shape point = lg_look_at("map (b, a)", LG_SHAPE_SPHERE, LG_SHADE_BODY, lg_look_body(scene, "map"), 0, 0, 0);
    (void)c;
    point.dimensions[0] = 0.05, point.trail = 1;
    lg_look_add(scene, &point);
    lg_look_rod(scene, "boundary a = 0", LG_SHADE_METAL, -1, (const double[3]){-3, 0, 0}, (const double[3]){3, 0, 0},
                0.01);
    return 0;
}

static int affine_line_poses(const lg_call *c, const double *g, double *poses)
{
    (void)c;
    lg_look_place(poses, g[1], 0, g[0]);
    return 0;
}

static const lg_column_text column_texts[] = {
    {"g_1", "", "scale a > 0 of the map s -> a s + b"},
    {"g_2", "", "shift b of the map"},
    {"xi_1", "1/s", "rate of dilation, a'/a"},
    {"xi_2", "1/s", "rate of translation, b'/a"},
    {"p_1", "kg m^2/s", "momentum of the dilation"},
    {"p_2", "kg m^2/s", "momentum of the translation"},
    {"inv_spatial_momentum_1", "kg m^2/s", NULL},
    {"inv_spatial_momentum_2", "kg m^2/s", NULL},
    {NULL, NULL, NULL},
};

const lg_model_definition lg_catalog_affine_line = {
    .size = sizeof(lg_model_definition),
    .name = "affine-line",
    .summary = "Euler-Poincare equations on the affine group of the line, which is not unimodular",
    .source = LG_BLOCH_2005 ", equation (12) and Theorem 6, on aff(1)",
    .remark = "The columns are g_1 = a > 0 and g_2 = b of the map s -> a s + b: a geodesic of the hyperbolic plane, "
              "half an ellipse. All motions with p_2 != 0 tend to p = (-sqrt(2 E I1), 0): there is no invariant "
              "measure. cayley needs abs(h xi_1) < 2. The data are our own.",
    .group = group,
    LG_PARAMETERS,
    LG_INVARIANTS,
    .configure = affine_line_configure,
    .initial = affine_line_initial,
    .exact = affine_line_exact,
    .step = 0.05,
    .callbacks = {.columns = column_texts,
                  .plot = "g_2:g_1/g_1,g_2/conserved",
                  .look = affine_line_look,
                  .poses = affine_line_poses},
};
