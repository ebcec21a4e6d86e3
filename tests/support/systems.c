/* SPDX-License-Identifier: BSD-3-Clause */
#include "systems.h"

#include <math.h>
#include <string.h>

#include "matrix.h"
#include "reference.h"

const char *const test_system_names[TEST_SYSTEMS] = {
    "particle", "affine_particle", "so3_bi",       "so3_right",     "suslov",         "sleigh", "ball_formal",
    "ball_hom", "ball_phys",       "veselova_top", "reduced_mixed", "reduced_affine", "se3"};

/* ---- rotations ---- */

static void rotation(double *R, const double *q)
{
    suite_ok("to_matrix", lg_group_to_matrix(lg_so3(), R, q));
}

/* D = R hat(eta), the derivative of R along eta. */
static void turn(double *D, const double *q, const double *eta)
{
    double R[9], X[9];
    rotation(R, q);
    suite_ok("hat", lg_group_hat(lg_so3(), X, eta));
    mat_mul(D, R, X, 3, 3, 3);
}

/* ---- particle: R^3 ---- */

static const double particle_J[3] = {1, 1.2, 0.8};

static int particle_V(const lg_call *c, const double *g, double *V)
{
    (void)c;
    *V = (g[0] * g[0] + 2 * g[1] * g[1] + g[2] * g[2]) / 2 + g[0] * g[2] / 2 + cos(g[1]) / 3;
    return 0;
}

static int particle_dV(const lg_call *c, const double *g, double *out)
{
    (void)c;
    out[0] = g[0] + g[2] / 2;
    out[1] = 2 * g[1] - sin(g[1]) / 3;
    out[2] = g[2] + g[0] / 2;
    return 0;
}

static int particle_rows(const lg_call *c, const double *g, double *mu, double *Y)
{
    (void)c;
    (void)Y;
    mu[0] = -g[1];
    mu[2] = 1;
    return 0;
}

static int particle_drows(const lg_call *c, const double *g, const double *eta, double *dmu, double *dY)
{
    (void)c;
    (void)g;
    (void)dY;
    dmu[0] = -eta[1];
    return 0;
}

static int affine_rows(const lg_call *c, const double *g, double *mu, double *Y)
{
    particle_rows(c, g, mu, Y);
    Y[0] = sin(g[1]) / 2;
    Y[1] = g[0] / 4;
    Y[2] = 0.5 + g[0] * g[1] / 4;
    return 0;
}

static int affine_drows(const lg_call *c, const double *g, const double *eta, double *dmu, double *dY)
{
    particle_drows(c, g, eta, dmu, dY);
    dY[0] = cos(g[1]) * eta[1] / 2;
    dY[1] = eta[0] / 4;
    dY[2] = (eta[0] * g[1] + g[0] * eta[1]) / 4;
    return 0;
}

static void make_particle(test_system *t, int affine)
{
    static const double g0[3] = {0.3, -0.2, 0.5};
    const double v[3] = {0.7, 0.4, g0[1] * 0.7};
    double mu[3] = {0}, Y[3] = {0};
    t->S = lg_system_default(lg_rn(3));
    t->S.inertia_diagonal = particle_J;
    t->S.callbacks.potential = particle_V;
    t->S.callbacks.potential_gradient = particle_dV;
    t->S.constraint_count = 1;
    t->S.callbacks.covectors = affine ? affine_rows : particle_rows;
    t->S.callbacks.covectors_derivative = affine ? affine_drows : particle_drows;
    memcpy(t->g0, g0, sizeof g0);
    if (affine) affine_rows(NULL, g0, mu, Y);
    for (int i = 0; i < 3; i++) t->xi0[i] = v[i] + Y[i];
}

/* ---- SO(3) ---- */

static const double unit_J[3] = {1, 1, 1};
static const double suslov_J[9] = {1, 0.1, 0.3, 0.1, 1.4, 0.2, 0.3, 0.2, 2};
static const double suslov_row[3] = {0, 0, 1};
static const double attitude[3] = {0.4, -0.3, 0.7};
static const double chi[3] = {0.5, 0.2, -0.7};

static int bi_rows(const lg_call *c, const double *g, double *mu, double *Y)
{
    double R[9];
    (void)c;
    (void)Y;
    rotation(R, g);
    mu[0] = R[0] + 0.5;
    mu[1] = R[5] - R[6] / 3;
    mu[2] = 1 + R[1] * R[8];
    return 0;
}

static int bi_drows(const lg_call *c, const double *g, const double *eta, double *dmu, double *dY)
{
    double R[9], D[9];
    (void)c;
    (void)dY;
    rotation(R, g);
    turn(D, g, eta);
    dmu[0] = D[0];
    dmu[1] = D[5] - D[6] / 3;
    dmu[2] = D[1] * R[8] + R[1] * D[8];
    return 0;
}

static int gamma_rows(const lg_call *c, const double *g, double *mu, double *Y)
{
    double R[9];
    (void)c;
    (void)Y;
    rotation(R, g);
    memcpy(mu, R + 6, 3 * sizeof(double));
    return 0;
}

static int gamma_drows(const lg_call *c, const double *g, const double *eta, double *dmu, double *dY)
{
    double D[9];
    (void)c;
    (void)dY;
    turn(D, g, eta);
    memcpy(dmu, D + 6, 3 * sizeof(double));
    return 0;
}

static int top_V(const lg_call *c, const double *g, double *V)
{
    double R[9];
    (void)c;
    rotation(R, g);
    *V = mat_dot(chi, R + 6, 3);
    return 0;
}

static int top_dV(const lg_call *c, const double *g, double *out)
{
    double R[9];
    (void)c;
    rotation(R, g);
    for (int i = 0; i < 3; i++) out[i] = chi[(i + 1) % 3] * R[6 + (i + 2) % 3] - chi[(i + 2) % 3] * R[6 + (i + 1) % 3];
    return 0;
}

static void make_so3(test_system *t, lg_covectors_fn rows, lg_covectors_along_fn drows, int bi_invariant)
{
    static const double wish[3] = {0.9, -0.5, 0.6};
    double mu[3] = {0}, Y[3];
    t->S = lg_system_default(lg_so3());
    if (bi_invariant) {
        t->S.inertia_diagonal = unit_J;
    } else {
        t->S.inertia = suslov_J;
    }
    t->S.constraint_count = 1;
    t->S.callbacks.covectors = rows;
    t->S.callbacks.covectors_derivative = drows;
    suite_ok("attitude", lg_retraction_tau(lg_retraction_cayley(), lg_so3(), t->g0, attitude));
    rows(NULL, t->g0, mu, Y);
    double along = mat_dot(mu, wish, 3) / mat_dot(mu, mu, 3);
    for (int i = 0; i < 3; i++) t->xi0[i] = wish[i] - along * mu[i];
}

static void make_suslov(test_system *t)
{
    static const double xi0[3] = {0.5, -0.8, 0};
    t->S = lg_system_default(lg_so3());
    t->S.inertia = suslov_J;
    t->S.constraint_count = 1;
    t->S.covector_matrix = suslov_row;
    t->left_invariant = 1;
    suite_ok("attitude", lg_retraction_tau(lg_retraction_cayley(), lg_so3(), t->g0, attitude));
    memcpy(t->xi0, xi0, sizeof xi0);
}

/* ---- SE(2), SE(3) ---- */

static void make_sleigh(test_system *t)
{
    static const double J[9] = {1, 0, 0, 0, 1, 0.2, 0, 0.2, 1.04}, row[3] = {0, 1, 0};
    static const double xi0[3] = {-0.6, 0, 0.9}, place[3] = {0.2, -0.1, 0.3};
    t->S = lg_system_default(lg_se2());
    t->S.inertia = J;
    t->S.constraint_count = 1;
    t->S.covector_matrix = row;
    t->left_invariant = 1;
    suite_ok("place", lg_retraction_tau(lg_retraction_cayley(), lg_se2(), t->g0, place));
    memcpy(t->xi0, xi0, sizeof xi0);
}

/* The initial element is that of the reference file. */
static void make_se3(test_system *t)
{
    static const double J[36] = {2,   0, 0,    0,    0.1,  -0.2, 0,    2,    0,   -0.1, 0,    0.3,
                                 0,   0, 2,    0.2,  -0.3, 0,    0,    -0.1, 0.2, 1.1,  0.05, 0,
                                 0.1, 0, -0.3, 0.05, 1.4,  0.1,  -0.2, 0.3,  0,   0,    0.1,  1.8};
    static const double rows[12] = {0, 1, 0, 0, 0, 0, 0, 0, 1, -0.3, 0, 0};
    static const double xi0[6] = {0.6, 0, 0.15, 0.5, -0.4, 0.7};
    t->S = lg_system_default(lg_se3());
    t->S.inertia = J;
    t->S.constraint_count = 2;
    t->S.covector_matrix = rows;
    t->left_invariant = 1;
    memcpy(t->xi0, xi0, sizeof xi0);
    cJSON *root = ref_load("group_steps.json");
    test_system_element(lg_se3(), t->g0, ref_get(ref_get(root, "se3_cay|rattle"), "g0"));
    cJSON_Delete(root);
}

/* ---- R^2 x SO(3) ---- */

const lg_group *test_system_plane_and_attitude(void)
{
    static lg_group *G;
    if (G == NULL) {
        const lg_group *factors[2] = {lg_rn(2), lg_so3()};
        suite_ok("product", lg_group_create_product(&G, factors, 2));
    }
    return G;
}

static int table_drift(double Omega, const double *g, double *Y)
{
    Y[0] = -Omega * g[1];
    Y[1] = Omega * g[0];
    return 0;
}

static int slow_drift(const lg_call *c, const double *g, double *Y)
{
    (void)c;
    return table_drift(0.2, g, Y);
}

static int unit_drift(const lg_call *c, const double *g, double *Y)
{
    (void)c;
    return table_drift(1, g, Y);
}

static int slow_along(const lg_call *c, const double *g, const double *eta, double *dmu, double *dY)
{
    (void)c;
    (void)g;
    (void)dmu;
    return table_drift(0.2, eta, dY);
}

static int unit_along(const lg_call *c, const double *g, const double *eta, double *dmu, double *dY)
{
    (void)c;
    (void)g;
    (void)dmu;
    return table_drift(1, eta, dY);
}

static const double ball_J[5] = {3, 3, 1, 1.1, 1.2};

static void make_ball(test_system *t, int homogeneous)
{
    static const double rows[10] = {1, 0, 0, -1, 0, 0, 1, 1, 0, 0};
    static const double hom_J[5] = {1, 1, 2.0 / 3, 2.0 / 3, 2.0 / 3};
    static const double formal_xi[5] = {0, 0.4, -0.2, 0, 0.4}, hom_xi[5] = {1, 1, 0, 2, 0};
    t->S = lg_system_default(test_system_plane_and_attitude());
    t->S.inertia_diagonal = homogeneous ? hom_J : ball_J;
    t->S.constraint_count = 2;
    t->S.covector_matrix = rows;
    t->S.callbacks.drift = homogeneous ? unit_drift : slow_drift;
    t->S.callbacks.covectors_derivative = homogeneous ? unit_along : slow_along;
    t->g0[0] = 1;
    t->g0[1] = homogeneous ? 1 : 0;
    t->g0[5] = 1;
    memcpy(t->xi0, homogeneous ? hom_xi : formal_xi, sizeof hom_xi);
}

static int rolling_rows(const lg_call *c, const double *g, double *mu, double *Y)
{
    double R[9];
    (void)c;
    rotation(R, g + 2);
    mu[0] = mu[6] = 1;
    for (int i = 0; i < 3; i++) {
        mu[2 + i] = -R[3 + i];
        mu[7 + i] = R[i];
    }
    return table_drift(0.2, g, Y);
}

static int rolling_drows(const lg_call *c, const double *g, const double *eta, double *dmu, double *dY)
{
    double D[9];
    (void)c;
    turn(D, g + 2, eta + 2);
    for (int i = 0; i < 3; i++) {
        dmu[2 + i] = -D[3 + i];
        dmu[7 + i] = D[i];
    }
    return table_drift(0.2, eta, dY);
}

static void make_ball_phys(test_system *t)
{
    static const double w[3] = {-0.2, 0.5, 0.4};
    double mu[10] = {0}, Y[5] = {0};
    t->S = lg_system_default(test_system_plane_and_attitude());
    t->S.inertia_diagonal = ball_J;
    t->S.constraint_count = 2;
    t->S.callbacks.covectors = rolling_rows;
    t->S.callbacks.covectors_derivative = rolling_drows;
    t->g0[0] = 1;
    suite_ok("attitude", lg_retraction_tau(lg_retraction_cayley(), lg_so3(), t->g0 + 2, attitude));
    rolling_rows(NULL, t->g0, mu, Y);
    t->xi0[0] = Y[0] - mat_dot(mu + 2, w, 3);
    t->xi0[1] = Y[1] - mat_dot(mu + 7, w, 3);
    memcpy(t->xi0 + 2, w, sizeof w);
}

static int mixed_rows(const lg_call *c, const double *g, double *mu, double *Y)
{
    const double x = g[0], y = g[1];
    const double rows[10] = {1, x, -1 - y / 2, 0, sin(y), 0, 1, cos(x), x * y, 1};
    (void)c;
    (void)Y;
    memcpy(mu, rows, sizeof rows);
    return 0;
}

static int mixed_drows(const lg_call *c, const double *g, const double *eta, double *dmu, double *dY)
{
    const double x = g[0], y = g[1];
    const double rows[10] = {
        0, eta[0], -eta[1] / 2, 0, cos(y) * eta[1], 0, 0, -sin(x) * eta[0], eta[0] * y + x * eta[1], 0};
    (void)c;
    (void)dY;
    memcpy(dmu, rows, sizeof rows);
    return 0;
}

static int mixed_affine_rows(const lg_call *c, const double *g, double *mu, double *Y)
{
    mixed_rows(c, g, mu, Y);
    Y[3] = 0.2;
    return table_drift(0.5, g, Y);
}

static int mixed_affine_drows(const lg_call *c, const double *g, const double *eta, double *dmu, double *dY)
{
    mixed_drows(c, g, eta, dmu, dY);
    return table_drift(0.5, eta, dY);
}

static int mixed_V(const lg_call *c, const double *g, double *V)
{
    (void)c;
    *V = g[0] * g[0] / 2 + g[1] * g[1] + g[0] * g[1] / 3;
    return 0;
}

static int mixed_dV(const lg_call *c, const double *g, double *out)
{
    (void)c;
    out[0] = g[0] + g[1] / 3;
    out[1] = 2 * g[1] + g[0] / 3;
    return 0;
}

static void make_mixed(test_system *t, int affine)
{
    static const double J[25] = {2,   0.3, 0.2, 0,    0.1, 0.3, 1.5, 0,   -0.2, 0.3, 0.2, 0,  1,
                                 0.1, 0,   0,   -0.2, 0.1, 1.3, 0.2, 0.1, 0.3,  0,   0.2, 1.7};
    static const double xi0[5] = {0.4192850638909755213977332, -0.1723675343019407328693719,
                                  0.6850848723276604314346484, 0.155208063530630673017962,
                                  -0.4634940747569547444497126};
    static const double g0[6] = {0.3, -0.4, 0, 0, 0, 1};
    double mu[10], Y[5] = {0};
    t->S = lg_system_default(test_system_plane_and_attitude());
    t->S.inertia = J;
    t->S.callbacks.potential = mixed_V;
    t->S.callbacks.potential_gradient = mixed_dV;
    t->S.constraint_count = 2;
    t->S.callbacks.covectors = affine ? mixed_affine_rows : mixed_rows;
    t->S.callbacks.covectors_derivative = affine ? mixed_affine_drows : mixed_drows;
    memcpy(t->g0, g0, sizeof g0);
    if (affine) mixed_affine_rows(NULL, g0, mu, Y);
    for (int i = 0; i < 5; i++) t->xi0[i] = xi0[i] + Y[i];
}

void test_system_make(test_system *t, const char *name)
{
    memset(t, 0, sizeof *t);
    t->name = name;
    t->h = 0.1;
    if (strcmp(name, "particle") == 0)
        make_particle(t, 0);
    else if (strcmp(name, "affine_particle") == 0)
        make_particle(t, 1);
    else if (strcmp(name, "so3_bi") == 0)
        make_so3(t, bi_rows, bi_drows, 1);
    else if (strcmp(name, "so3_right") == 0)
        make_so3(t, gamma_rows, gamma_drows, 1);
    else if (strcmp(name, "suslov") == 0)
        make_suslov(t);
    else if (strcmp(name, "sleigh") == 0)
        make_sleigh(t);
    else if (strcmp(name, "ball_formal") == 0)
        make_ball(t, 0);
    else if (strcmp(name, "ball_hom") == 0)
        make_ball(t, 1);
    else if (strcmp(name, "ball_phys") == 0)
        make_ball_phys(t);
    else if (strcmp(name, "veselova_top") == 0) {
        make_so3(t, gamma_rows, gamma_drows, 0);
        t->S.callbacks.potential = top_V;
        t->S.callbacks.potential_gradient = top_dV;
    } else if (strcmp(name, "reduced_mixed") == 0)
        make_mixed(t, 0);
    else if (strcmp(name, "reduced_affine") == 0)
        make_mixed(t, 1);
    else if (strcmp(name, "se3") == 0)
        make_se3(t);
    else
        suite_fail("no test system '%s'", name);
}

/* ---- elements of reference files ---- */

void test_system_element(const lg_group *G, double *g, const struct cJSON *blocks)
{
    for (int i = 0; i < lg_group_factor_count(G); i++) {
        const lg_group *F = lg_group_factor(G, i);
        double x[16] = {0};
        const cJSON *block = cJSON_GetArrayItem(blocks, i);
        if (block == NULL) suite_fail("reference: too few blocks");
        int count = ref_numbers(x, 16, block);
        if (F->kind == LG_KIND_RN) {
            memcpy(g, x, sizeof(double) * (size_t)count);
        } else {
            suite_ok("from_matrix", lg_group_from_matrix(F, g, x));
        }
        g += lg_group_element_size(F);
    }
}

void test_system_same_element(const char *what, const lg_group *G, const double *g, const struct cJSON *blocks,
                              double tolerance)
{
    for (int i = 0; i < lg_group_factor_count(G); i++) {
        const lg_group *F = lg_group_factor(G, i);
        double want[16], got[SUITE_MATRIX];
        int count = ref_numbers(want, 16, cJSON_GetArrayItem(blocks, i));
        if (F->kind == LG_KIND_RN) {
            memcpy(got, g, sizeof(double) * (size_t)count);
        } else {
            suite_ok("to_matrix", lg_group_to_matrix(F, got, g));
        }
        double scale = 1;
        for (int j = 0; j < count; j++) scale = fmax(scale, fabs(want[j]));
        suite_near(what, got, want, count, tolerance, scale);
        g += lg_group_element_size(F);
    }
}
