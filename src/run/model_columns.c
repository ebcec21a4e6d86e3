/* SPDX-License-Identifier: BSD-3-Clause */
/* The columns of a row: names, the configuration as written (angles unwrapped), and the way back from what the user
 * gives by column name. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "run/model_private.h"

#include <liegrp/base/elementary.h>

static const double two_pi = 6.283185307179586476925286766559;

int lg_columns_of_factor(const lg_group *factor)
{
    return factor->kind == LG_KIND_SE2 ? 3 : factor->element_size;
}

int lg_columns_of_group(const lg_group *G)
{
    int columns = 0;
    for (int i = 0; i < lg_group_factor_count(G); i++) columns += lg_columns_of_factor(lg_group_factor(G, i));
    return columns;
}

/* Names ------------------------------------------------------------------------------------------------------- */

static int is_vector(const lg_group *factor)
{
    return factor->kind == LG_KIND_RN || factor->kind == LG_KIND_TORUS;
}

/* Name of column i of a factor without suffix; `coordinate` counts R^n and T^n coordinates over all factors. */
static void base_name(char *name, const lg_model *M, const lg_group *factor, int i, int coordinate)
{
    static const char *const pose[] = {"x", "y", "z", "qx", "qy", "qz", "qw"};
    static const char *const planar[] = {"x", "y", "theta"};
    const char *const *given = M->definition->coordinate_names;
    const int N = factor->matrix_size;
    switch (factor->kind) {
    case LG_KIND_SO3:
        snprintf(name, LG_COLUMN_NAME, "%s", pose[3 + i]);
        break;
    case LG_KIND_SE3:
        snprintf(name, LG_COLUMN_NAME, "%s", pose[i]);
        break;
    case LG_KIND_SE2:
        snprintf(name, LG_COLUMN_NAME, "%s", planar[i]);
        break;
    case LG_KIND_QUADRATIC:
        snprintf(name, LG_COLUMN_NAME, "Y_%d_%d", i / N + 1, i % N + 1);
        break;
    case LG_KIND_RN:
    case LG_KIND_TORUS:
        if (given != NULL) {
            snprintf(name, LG_COLUMN_NAME, "%.60s", given[coordinate]);
        } else {
            snprintf(name, LG_COLUMN_NAME, "q_%d", coordinate + 1);
        }
        break;
    case LG_KIND_USER:
    case LG_KIND_PRODUCT:
        snprintf(name, LG_COLUMN_NAME, "g_%d", i + 1);
        break;
    }
}

static int name_is_taken(const lg_model *M, int count, const char *name)
{
    for (int i = 0; i < count; i++) {
        if (strcmp(M->names[i], name) == 0) return 1;
    }
    return 0;
}

/* Names of factor f from column `at` on with suffix number `suffix` (1: none); 0 if one of them is taken. */
static int name_factor(lg_model *M, const lg_group *factor, int at, int coordinate, int suffix)
{
    for (int i = 0; i < lg_columns_of_factor(factor); i++) {
        char *name = M->names[at + i];
        base_name(name, M, factor, i, coordinate + i);
        if (suffix > 1) {
            const size_t used = strlen(name);
            snprintf(name + used, LG_COLUMN_NAME - used, "_%d", suffix);
        }
        if (name_is_taken(M, at + i, name)) return 0;
    }
    return 1;
}

/* 1 for the first factor of its kind, 2 for the second, ...; the coordinates of R^n and T^n have names of their own. */
static int occurrence(const lg_group *G, int f)
{
    int count = 1;
    if (is_vector(lg_group_factor(G, f))) return 1;
    for (int i = 0; i < f; i++) count += lg_group_factor(G, i)->kind == lg_group_factor(G, f)->kind;
    return count;
}

static int name_numbered(lg_model *M, int at, const char *stem)
{
    for (int i = 0; i < M->n; i++) snprintf(M->names[at + i], LG_COLUMN_NAME, "%s_%d", stem, i + 1);
    return at + M->n;
}

void lg_model_name_columns(lg_model *M)
{
    static const char *const monitors[] = {"energy", "energy_post", "constraint", "normal"};
    int at = 0, coordinate = 0;
    snprintf(M->names[at++], LG_COLUMN_NAME, "step");
    snprintf(M->names[at++], LG_COLUMN_NAME, "t");
    for (int f = 0; f < lg_group_factor_count(M->group); f++) {
        const lg_group *factor = lg_group_factor(M->group, f);
        int suffix = occurrence(M->group, f);
        while (!name_factor(M, factor, at, coordinate, suffix) && suffix <= M->names_count) suffix++;
        at += lg_columns_of_factor(factor);
        if (is_vector(factor)) coordinate += factor->dim;
        if (factor->kind == LG_KIND_TORUS || factor->kind == LG_KIND_SE2) M->angles = 1;
    }
    at = name_numbered(M, at, "xi");
    at = name_numbered(M, at, "p");
    for (int i = 0; i < 4; i++) snprintf(M->names[at++], LG_COLUMN_NAME, "%s", monitors[i]);
    for (int i = 0; i < M->definition->invariant_count; i++) {
        snprintf(M->names[at++], LG_COLUMN_NAME, "inv_%.70s", M->definition->invariants[i].name);
    }
}

/* The configuration as written --------------------------------------------------------------------------------- */

/* The angle equal to `angle` modulo 2 pi that is nearest to `previous` (NaN: none, the angle itself). */
static double unwrap(double angle, double previous)
{
    if (!isfinite(previous) || !isfinite(angle)) return angle;
    return angle + two_pi * nearbyint((previous - angle) / two_pi);
}

static void write_factor(const lg_group *factor, double *columns, const double *g, const double *previous)
{
    if (factor->kind == LG_KIND_SE2) {
        columns[0] = g[0];
        columns[1] = g[1];
        columns[2] = unwrap(lg_real_atan2(g[3], g[2]), previous != NULL ? previous[2] : NAN);
    } else if (factor->kind == LG_KIND_TORUS) {
        for (int i = 0; i < factor->dim; i++) columns[i] = unwrap(g[i], previous != NULL ? previous[i] : NAN);
    } else {
        memcpy(columns, g, (size_t)factor->element_size * sizeof *g);
    }
}

void lg_model_columns(const lg_model *M, double *columns, const double *g, const double *previous)
{
    if (M == NULL || M->definition == NULL) return;
    for (int f = 0; f < lg_group_factor_count(M->group); f++) {
        const lg_group *factor = lg_group_factor(M->group, f);
        const int count = lg_columns_of_factor(factor);
        write_factor(factor, columns, g, previous);
        columns += count;
        g += factor->element_size;
        if (previous != NULL) previous += count;
    }
}

/* The way back -------------------------------------------------------------------------------------------------- */

/* q <- what is given of a quaternion, the rest as it is, normalised. */
static lg_status read_quaternion(lg_error *e, double *q, const double *given)
{
    double v[4], norm, sum = 0;
    int said = 0;
    for (int i = 0; i < 4; i++) {
        said += !isnan(given[i]);
        v[i] = isnan(given[i]) ? q[i] : given[i];
        sum += v[i] * v[i];
    }
    if (said == 0) return LG_OK;
    norm = sqrt(sum);
    if (!(fabs(norm - 1) <= 1e-3)) {
        return lg_fail(e, LG_ERROR_ARGUMENT,
                       "the initial quaternion (qx, qy, qz, qw) = (%g, %g, %g, %g) has norm %.10g; it must be within "
                       "1e-3 of 1 (components that are not given keep their defaults)",
                       v[0], v[1], v[2], v[3], norm);
    }
    for (int i = 0; i < 4; i++) q[i] = v[i] / norm;
    return LG_OK;
}

static void read_plain(double *g, const double *given, int count)
{
    for (int i = 0; i < count; i++) {
        if (!isnan(given[i])) g[i] = given[i];
    }
}

/* Into (-pi, pi]. */
static double principal(double angle)
{
    const double r = remainder(angle, two_pi);
    return r <= -0.5 * two_pi ? 0.5 * two_pi : r;
}

lg_status lg_columns_read_factor(lg_error *e, const lg_group *factor, double *g, const double *given)
{
    switch (factor->kind) {
    case LG_KIND_SO3:
        return read_quaternion(e, g, given);
    case LG_KIND_SE3:
        read_plain(g, given, 3);
        return read_quaternion(e, g + 3, given + 3);
    case LG_KIND_SE2:
        read_plain(g, given, 2);
        if (!isnan(given[2])) {
            lg_real_sincos(&g[3], &g[2], given[2]);
        }
        return LG_OK;
    case LG_KIND_TORUS:
        for (int i = 0; i < factor->dim; i++) {
            if (!isnan(given[i])) g[i] = principal(given[i]);
        }
        return LG_OK;
    case LG_KIND_RN:
    case LG_KIND_QUADRATIC:
    case LG_KIND_USER:
    case LG_KIND_PRODUCT:
        read_plain(g, given, factor->element_size);
        return LG_OK;
    }
    return LG_OK;
}
