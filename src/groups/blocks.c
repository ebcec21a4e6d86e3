/* SPDX-License-Identifier: BSD-3-Clause */
#include "groups/blocks.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include <liegrp/base/elementary.h>
#include <liegrp/groups/so2.h>

#include "base/lane.h"
#include "base/message.h"
#include "groups/member.h"
#include "groups/rotation.h"

/* Blocks ---------------------------------------------------------------------------------------------------------- */

int lg_group_block_count(const lg_group *G)
{
    if (G == NULL) return 0;
    return LG_FIELD(lg_group, G, blocks) != NULL ? G->block_count : 1;
}

lg_group_block lg_group_block_at(const lg_group *G, int i)
{
    lg_group_block b = {.kind = LG_BLOCK_NUMBERS};
    if (i < 0 || i >= lg_group_block_count(G)) return b;
    if (LG_FIELD(lg_group, G, blocks) != NULL) b = G->blocks[i];
    if (b.element_size == 0) b.element_size = G->element_size - b.element;
    if (b.algebra_size == 0) b.algebra_size = G->dim - b.algebra;
    return b;
}

static int words_in(const char *text)
{
    int words = 1;
    for (; *text != '\0'; text++) words += *text == ' ';
    return words;
}

/* Of a matrix. */
static int rows_of(const lg_group_block *b)
{
    return (int)lround(sqrt(b->element_size));
}

/* Do kind and sizes match? */
static int block_fits(const lg_group_block *b)
{
    const int e = b->element_size, n = b->algebra_size;
    switch (b->kind) {
    case LG_BLOCK_VECTOR:
    case LG_BLOCK_ANGLES:
        return e == n;
    case LG_BLOCK_POSITION:
    case LG_BLOCK_VELOCITY:
        return e == n && (n == 2 || n == 3);
    case LG_BLOCK_PLANE_ROTATION:
        return e == 2 && n == 1;
    case LG_BLOCK_QUATERNION:
        return e == 4 && n == 3;
    case LG_BLOCK_MATRIX:
        return e == rows_of(b) * rows_of(b);
    default:
        return b->kind == LG_BLOCK_NUMBERS;
    }
}

const char *lg_group_blocks_wrong(const lg_group *G)
{
    int element = 0, algebra = 0;
    if (G->kind == LG_KIND_PRODUCT) return NULL; /* its factors were checked */
    for (int i = 0; i < lg_group_block_count(G); i++) {
        const lg_group_block b = lg_group_block_at(G, i);
        if (b.element != element || b.element_size < 1) return "its blocks leave gaps in an element, or overlap";
        if (b.algebra < 0 || b.algebra_size < 1) return "a block has no place in the algebra";
        if (!block_fits(&b)) return "the sizes of a block do not suit its kind";
        if (b.names != NULL && words_in(b.names) != lg_block_columns(&b)) return "a block has not one name a column";
        for (int j = 0; j < i; j++) {
            const lg_group_block o = lg_group_block_at(G, j);
            if (b.algebra < o.algebra + o.algebra_size && o.algebra < b.algebra + b.algebra_size)
                return "two blocks share components of the algebra";
        }
        element += b.element_size, algebra += b.algebra_size;
    }
    return element == G->element_size && algebra == G->dim ? NULL : "its blocks are not the whole element or algebra";
}

/* Elements -------------------------------------------------------------------------------------------------------- */

static int is_rotation(const lg_group_block *b)
{
    return b->kind == LG_BLOCK_PLANE_ROTATION || b->kind == LG_BLOCK_QUATERNION;
}

double lg_blocks_residual(const lg_group *G, const double *g, void *work)
{
    double off = 0;
    (void)work;
    for (int i = 0; i < lg_group_block_count(G); i++) {
        const lg_group_block b = lg_group_block_at(G, i);
        if (is_rotation(&b)) off += fabs(lg_length(g + b.element, b.element_size) - 1);
        for (int k = 0; !is_rotation(&b) && k < b.element_size; k++) off += 0.0 * g[b.element + k];
    }
    return off;
}

lg_status lg_blocks_random(const lg_group *G, double *g, lg_rng *rng, void *work)
{
    lg_status status = LG_OK;
    (void)work;
    for (int i = 0; status == LG_OK && i < lg_group_block_count(G); i++) {
        const lg_group_block b = lg_group_block_at(G, i);
        double *to = g + b.element;
        if (b.kind == LG_BLOCK_PLANE_ROTATION) {
            lg_so2_from_angle(to, LG_PI * (1 - 2 * lg_rng_uniform(rng)));
            continue;
        }
        for (int k = 0; k < b.element_size; k++)
            to[k] = b.kind == LG_BLOCK_ANGLES ? LG_PI * (1 - 2 * lg_rng_uniform(rng)) : lg_rng_normal(rng);
        if (b.kind == LG_BLOCK_QUATERNION) status = lg_unit(to, to, 4);
    }
    return status;
}

/* Names ----------------------------------------------------------------------------------------------------------- */

void lg_block_column_name(const lg_group_block *b, char *name, size_t room, int i)
{
    const char *word = b->names;
    name[0] = '\0';
    if (word != NULL) {
        for (; i > 0; i--) word += strcspn(word, " ") + 1;
        snprintf(name, room, "%.*s", (int)strcspn(word, " "), word);
    } else if (b->kind == LG_BLOCK_MATRIX) {
        snprintf(name, room, "Y_%d_%d", i / rows_of(b) + 1, i % rows_of(b) + 1);
    } else if (!lg_block_has_coordinates(b)) {
        snprintf(name, room, "g_%d", i + 1);
    }
}

/* Writing --------------------------------------------------------------------------------------------------------- */

/* The angle equal to `angle` modulo 2 pi that is nearest to *previous; without one the angle itself. */
static double unwrap(double angle, const double *previous)
{
    if (previous == NULL || !isfinite(*previous) || !isfinite(angle)) return angle;
    return angle + 2 * LG_PI * nearbyint((*previous - angle) / (2 * LG_PI));
}

void lg_columns_write(const lg_group *G, double *columns, const double *g, const double *previous)
{
    for (int i = 0; i < lg_group_block_count(G); i++) {
        const lg_group_block b = lg_group_block_at(G, i);
        const double *from = g + b.element;
        const int count = lg_block_columns(&b);
        for (int k = 0; k < count; k++)
            columns[k] = b.kind == LG_BLOCK_PLANE_ROTATION ? unwrap(lg_so2_to_angle(from), previous)
                         : b.kind == LG_BLOCK_ANGLES       ? unwrap(from[k], previous ? previous + k : NULL)
                                                           : from[k];
        columns += count;
        if (previous != NULL) previous += count;
    }
}

/* Reading --------------------------------------------------------------------------------------------------------- */

/* Into (-pi, pi]. */
static double principal(double angle)
{
    const double r = remainder(angle, 2 * LG_PI);
    return r <= -LG_PI ? LG_PI : r;
}

#define QUATERNION_TOLERANCE 1e-3 /* by how much the length of a quaternion that is given may differ from 1 */

/* Scales the components of v that are not given so that v becomes a unit quaternion; a single component becomes
 * positive if it was 0. Returns 0 if the given ones are too long, or the rest has no direction. */
static int complete_quaternion(double *v, const double *given)
{
    double said = 0, rest = 0;
    int missing = 0, last = 0;
    for (int i = 0; i < 4; i++) {
        if (isnan(given[i])) {
            rest += v[i] * v[i];
            missing++;
            last = i;
        } else {
            said += given[i] * given[i];
        }
    }
    const int full = sqrt(said) >= 1 - QUATERNION_TOLERANCE;
    if (missing == 0 || !(sqrt(said) <= 1 + QUATERNION_TOLERANCE)) return 0;
    if (rest == 0 && missing == 1) v[last] = rest = 1;
    if (rest == 0 && !full) return 0;
    const double scale = full ? 0 : sqrt((1 - said) / rest);
    for (int i = 0; i < 4; i++) {
        if (isnan(given[i])) v[i] *= scale;
    }
    return 1;
}

static double quaternion_length(const double *q)
{
    return sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
}

static lg_status take_quaternion(double *q, const double *given, lg_error *error)
{
    double v[4];
    int said = 0;
    for (int i = 0; i < 4; i++) {
        said += !isnan(given[i]);
        v[i] = isnan(given[i]) ? q[i] : given[i];
    }
    if (said == 0) return LG_OK;
    const double norm = quaternion_length(v);
    if (!(fabs(norm - 1) <= QUATERNION_TOLERANCE) && !complete_quaternion(v, given)) {
        return lg_fail(error, LG_ERROR_ARGUMENT,
                       "the initial quaternion (qx, qy, qz, qw) = (%g, %g, %g, %g) has norm %.10g; what is given must "
                       "leave room for a norm of 1, and all four components be within 1e-3 of it",
                       v[0], v[1], v[2], v[3], norm);
    }
    const double length = quaternion_length(v);
    for (int i = 0; i < 4; i++) q[i] = v[i] / length;
    return LG_OK;
}

lg_status lg_columns_read(const lg_group *G, double *g, const double *given, lg_error *error)
{
    lg_status status = LG_OK;
    for (int i = 0; status == LG_OK && i < lg_group_block_count(G); i++) {
        const lg_group_block b = lg_group_block_at(G, i);
        double *to = g + b.element;
        const int count = lg_block_columns(&b);
        if (b.kind == LG_BLOCK_QUATERNION) status = take_quaternion(to, given, error);
        for (int k = 0; b.kind != LG_BLOCK_QUATERNION && k < count; k++) {
            if (isnan(given[k])) continue;
            if (b.kind == LG_BLOCK_PLANE_ROTATION)
                lg_real_sincos(&to[1], &to[0], given[k]);
            else
                to[k] = b.kind == LG_BLOCK_ANGLES ? principal(given[k]) : given[k];
        }
        given += count;
    }
    return status;
}
