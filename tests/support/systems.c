/* SPDX-License-Identifier: BSD-3-Clause */
#include "systems.h"

#include <math.h>
#include <string.h>

#include "claims/framework/examples.h"
#include "matrix.h"
#include "reference.h"

const char *const test_system_names[TEST_SYSTEMS] = {
    "particle", "affine_particle", "so3_bi",       "so3_right",     "suslov",         "sleigh", "ball_formal",
    "ball_hom", "ball_phys",       "veselova_top", "reduced_mixed", "reduced_affine", "se3"};

/* ---- systems of the catalog and of the ledger ---- */

/* One model for each list of settings, opened once. */
static lg_model *open_once(const char *system, const setting *set)
{
    static struct {
        const char *system;
        const setting *set;
        lg_model *M;
    } open[64];
    const lg_model_definition *d = lg_catalog_definition(system);
    int i = 0;
    while (open[i].M != NULL && (strcmp(open[i].system, system) != 0 || open[i].set != set)) i++;
    assert_true(i < 63);
    if (open[i].M != NULL) return open[i].M;
    if (d == NULL) d = claim_example(system);
    if (d == NULL) suite_fail("no system '%s'", system);
    open[i].system = system, open[i].set = set;
    if (lg_model_create(&open[i].M, d) != LG_OK) suite_fail("%s", lg_model_message(open[i].M));
    for (; set != NULL && set->name != NULL; set++)
        if (lg_model_set(open[i].M, set->name, set->value) != LG_OK) suite_fail("%s", lg_model_message(open[i].M));
    return open[i].M;
}

/* 1 where coordinates and angles are all: an angle is a coordinate for the tests. */
static int flat(const lg_group *G)
{
    for (int i = 0; i < lg_group_factor_count(G); i++)
        if (lg_group_factor(G, i)->kind != LG_KIND_RN && lg_group_factor(G, i)->kind != LG_KIND_TORUS) return 0;
    return 1;
}

void test_system_of_model(test_system *t, const char *system, const setting *set)
{
    lg_model *M = open_once(system, set);
    const lg_system *S = NULL;
    if (lg_model_system(M, &S) != LG_OK) suite_fail("%s", lg_model_message(M));
    const lg_callbacks *from = &S->callbacks;
    lg_callbacks *to = &t->S.callbacks;
    suite_ok("initial", lg_model_initial(M, t->g0, t->xi0, NULL));
    t->S = lg_system_default(flat(S->group) ? lg_rn(lg_group_dim(S->group)) : S->group);
    t->S.context = S->context, t->S.parameter_values = S->parameter_values;
    t->S.parameters = S->parameters, t->S.parameter_count = S->parameter_count;
    t->S.inertia = S->inertia, t->S.inertia_diagonal = S->inertia_diagonal;
    t->S.constraint_count = S->constraint_count, t->S.covector_matrix = S->covector_matrix;
    to->control_count = from->control_count, to->holonomic_count = from->holonomic_count;
    to->time_dependent = from->time_dependent;
    to->metric = from->metric, to->metric_gradient = from->metric_gradient;
    to->potential = from->potential, to->potential_gradient = from->potential_gradient;
    to->force = from->force, to->covectors = from->covectors, to->drift = from->drift;
    to->covectors_derivative = from->covectors_derivative;
    to->holonomic = from->holonomic, to->holonomic_differential = from->holonomic_differential;
    to->holonomic_rate = from->holonomic_rate;
}

static void start_at(test_system *t, const double *place, const double *xi0)
{
    suite_ok("place", lg_retraction_tau(lg_retraction_cayley(), t->S.group, t->g0, place));
    memcpy(t->xi0, xi0, sizeof(double) * (size_t)lg_group_dim(t->S.group));
}

/* ---- SE(3) ---- */

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

/* The rows of the ledger's particles have no derivative there. */
static int affine_along(const lg_call *c, const double *g, const double *eta, double *dmu, double *dY)
{
    (void)c;
    dmu[0] = -eta[1];
    dY[0] = cos(g[1]) * eta[1] / 2;
    dY[1] = eta[0] / 4;
    dY[2] = (eta[0] * g[1] + g[0] * eta[1]) / 4;
    return 0;
}

void test_system_make(test_system *t, const char *name)
{
    static const setting right[] = {{"distribution", 1}, {0}},
                         ball[] = {{"m", 3}, {"Omega", 0.2}, {"I1", 1}, {"I2", 1.1}, {"I3", 1.2}, {0}};
    static const setting suslov[] = {{"I13", 0.3}, {"I22", 1.4}, {"I23", 0.2}, {0}};
    static const struct {
        const char *name, *system;
        const setting *set;
    } models[] = {{"particle", "particle-potential", NULL},
                  {"affine_particle", "particle-affine", NULL},
                  {"so3_bi", "biinvariant-so3", NULL},
                  {"so3_right", "biinvariant-so3", right},
                  {"suslov", "suslov", suslov},
                  {"sleigh", "chaplygin-sleigh", NULL},
                  {"ball_formal", "rolling-ball", ball},
                  {"ball_hom", "rolling-ball", NULL},
                  {"ball_phys", "chaplygin-sphere", NULL},
                  {"veselova_top", "veselova-top", NULL}};
    static const double attitude[3] = {0.4, -0.3, 0.7}, place[3] = {0.2, -0.1, 0.3};
    static const double suslov_xi[3] = {0.5, -0.8, 0}, sleigh_xi[3] = {-0.6, 0, 0.9},
                        ball_xi[5] = {0, 0.4, -0.2, 0, 0.4};
    memset(t, 0, sizeof *t);
    for (size_t i = 0; i < sizeof models / sizeof models[0]; i++)
        if (strcmp(name, models[i].name) == 0) test_system_of_model(t, models[i].system, models[i].set);
    t->name = name;
    t->h = 0.1;
    if (strcmp(name, "particle") == 0)
        t->S.callbacks.covectors_derivative = lg_catalog_definition("particle")->callbacks.covectors_derivative;
    else if (strcmp(name, "affine_particle") == 0)
        t->S.callbacks.covectors_derivative = affine_along;
    else if (strcmp(name, "suslov") == 0)
        start_at(t, attitude, suslov_xi);
    else if (strcmp(name, "sleigh") == 0)
        start_at(t, place, sleigh_xi);
    else if (strcmp(name, "ball_formal") == 0)
        start_at(t, (const double[5]){1}, ball_xi);
    else if (strncmp(name, "reduced_", 8) == 0)
        make_mixed(t, strcmp(name, "reduced_affine") == 0);
    else if (strcmp(name, "se3") == 0)
        make_se3(t);
    else if (t->S.group == NULL)
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
