/* SPDX-License-Identifier: BSD-3-Clause */
#include "suite.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Products of two angles of 1e-160 are denormal, so they have no relative accuracy. */
static const double UNDERFLOW = 1e-306;

static uint64_t seed;
static char note[16384];

void suite_begin(const char *name)
{
    const char *text = getenv("LG_TEST_SEED");
    seed = text != NULL ? strtoull(text, NULL, 0) : 20240611u;
    printf("# %s: LG_TEST_SEED=%llu%s\n", name, (unsigned long long)seed, suite_reduced() ? " (reduced)" : "");
    fflush(stdout);
}

lg_rng suite_rng(uint64_t stream)
{
    lg_rng rng = {seed ^ (stream * 0x9e3779b97f4a7c15u)};
    return rng;
}

int suite_reduced(void)
{
    const char *text = getenv("LG_TEST_REDUCED");
    return text != NULL && *text != '\0' && strcmp(text, "0") != 0;
}

int suite_count(int n)
{
    if (!suite_reduced()) return n;
    return n >= 10 ? n / 10 : 1;
}

void suite_case(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(note, sizeof note - 2, format, args);
    va_end(args);
    strcat(note, "\n");
}

void suite_input(const char *name, const double *x, int n)
{
    size_t used = strlen(note);
    int wrote = snprintf(note + used, sizeof note - used, "  %s =", name);
    for (int i = 0; i < n && wrote > 0 && used + (size_t)wrote < sizeof note; i++) {
        used += (size_t)wrote;
        wrote = snprintf(note + used, sizeof note - used, " %a", x[i]);
    }
    used = strlen(note);
    if (used + 2 < sizeof note) memcpy(note + used, "\n", 2);
}

void suite_fail(const char *format, ...)
{
    char text[2048];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    fflush(stdout);
    fprintf(stderr, "%s\n  LG_TEST_SEED=%llu\n  case: %s", text, (unsigned long long)seed,
            note); /* cmocka's cuts at 1 KiB */
    fail();
    abort(); /* fail() does not return, but is not declared so */
}

void suite_near(const char *what, const double *got, const double *want, int n, double tolerance, double scale)
{
    for (int i = 0; i < n; i++) {
        double error = fabs(got[i] - want[i]);
        if (!(error <= tolerance * scale + UNDERFLOW)) {
            suite_fail("%s: entry %d is %.17g (%a), not %.17g (%a): off by %.2e = %.3g x scale %.2e, allowed %.2g",
                       what, i, got[i], got[i], want[i], want[i], error, error / scale, scale, tolerance);
        }
    }
}

void suite_near1(const char *what, double got, double want, double tolerance, double scale)
{
    suite_near(what, &got, &want, 1, tolerance, scale);
}

void suite_below(const char *what, double value, double bound)
{
    if (!(value <= bound)) suite_fail("%s: %.3e is not <= %.3e", what, value, bound);
}

void suite_above(const char *what, double value, double bound)
{
    if (!(value > bound)) suite_fail("%s: %.3e is not > %.3e", what, value, bound);
}

void suite_same_bits(const char *what, const double *got, const double *want, int n)
{
    for (int i = 0; i < n; i++) {
        if (memcmp(&got[i], &want[i], sizeof got[i]) != 0) {
            suite_fail("%s: entry %d is %a, not %a to the bit", what, i, got[i], want[i]);
        }
    }
}

void suite_ok(const char *what, lg_status status)
{
    suite_status(what, status, LG_OK);
}

void suite_status(const char *what, lg_status status, lg_status want)
{
    if (status != want) suite_fail("%s: %s instead of %s", what, lg_status_name(status), lg_status_name(want));
}

void suite_contains(const char *what, const char *text, const char *part)
{
    if (text == NULL || strstr(text, part) == NULL)
        suite_fail("%s: \"%s\" does not mention \"%s\"", what, text ? text : "NULL", part);
}

double suite_distance(const double *a, const double *b, int n)
{
    double worst = 0;
    for (int i = 0; i < n; i++) {
        double d = fabs(a[i] - b[i]);
        if (!(d <= worst)) worst = d;
        if (isnan(d)) return d;
    }
    return worst;
}

int suite_any_nan(const double *x, int n)
{
    for (int i = 0; i < n; i++) {
        if (isnan(x[i])) return 1;
    }
    return 0;
}

double suite_angle(lg_rng *rng, double limit)
{
    static const double list[] = {0.0, 1e-160,          1e-12,           1e-8,     1e-4,      0.999999,
                                  1.0, 1.000001,        1.9999999,       2.0,      2.0000001, SUITE_PI / 2,
                                  3.0, SUITE_PI - 1e-3, SUITE_PI - 1e-8, SUITE_PI, 4.0};
    enum { COUNT = sizeof list / sizeof list[0] };
    if (lg_rng_uniform(rng) < 0.5) {
        double angle = list[(int)(lg_rng_uniform(rng) * COUNT)];
        if (angle <= limit) return angle;
    }
    return limit * lg_rng_uniform(rng);
}

void suite_normal(double *x, int n, lg_rng *rng)
{
    for (int i = 0; i < n; i++) x[i] = lg_rng_normal(rng);
}

void suite_direction(double *u, int n, lg_rng *rng)
{
    double norm = 0;
    if (lg_rng_uniform(rng) < 0.2) {
        int axis = (int)(lg_rng_uniform(rng) * n);
        for (int i = 0; i < n; i++) u[i] = i == axis ? 1 : 0;
        return;
    }
    while (norm < 1e-3) {
        suite_normal(u, n, rng);
        norm = 0;
        for (int i = 0; i < n; i++) norm += u[i] * u[i];
        norm = sqrt(norm);
    }
    for (int i = 0; i < n; i++) u[i] /= norm;
}

/* A translation of size 1e-8 to 1e2, most often near 1. */
static void translation(double *v, int n, lg_rng *rng)
{
    suite_direction(v, n, rng);
    double size = lg_rng_uniform(rng) < 0.5 ? 1 : pow(10, -8 + 10 * lg_rng_uniform(rng));
    for (int i = 0; i < n; i++) v[i] *= size;
}

static void scaled(double *xi, int n, lg_rng *rng, double limit)
{
    double angle = suite_angle(rng, limit);
    suite_direction(xi, n, rng);
    for (int i = 0; i < n; i++) xi[i] *= angle;
}

static void fill_block(lg_block_kind kind, double *xi, int n, lg_rng *rng, double limit)
{
    switch (kind) {
    case LG_BLOCK_VECTOR:
    case LG_BLOCK_POSITION:
    case LG_BLOCK_VELOCITY:
        translation(xi, n, rng);
        break;
    case LG_BLOCK_ANGLES:
    case LG_BLOCK_PLANE_ROTATION:
        for (int i = 0; i < n; i++) xi[i] = suite_angle(rng, limit) * (lg_rng_uniform(rng) < 0.5 ? -1 : 1);
        break;
    case LG_BLOCK_QUATERNION:
        scaled(xi, 3, rng, limit);
        break;
    default:
        scaled(xi, n, rng, limit < 1.5 ? limit : 1.5); /* hyperbolic directions grow like e^|xi| */
        break;
    }
}

void suite_algebra(const lg_group *G, double *xi, lg_rng *rng, double limit)
{
    for (int i = 0; i < lg_group_block_count(G); i++) {
        const lg_group_block b = lg_group_block_at(G, i);
        fill_block(b.kind, xi + b.algebra, b.algebra_size, rng, limit);
    }
}

void suite_element(const lg_group *G, double *g, lg_rng *rng)
{
    double choice = lg_rng_uniform(rng);
    if (choice < 0.05) {
        suite_ok("identity", lg_group_identity(G, g));
    } else if (choice < 0.3 && G->random != NULL) {
        suite_ok("random", lg_group_random(G, g, rng));
    } else {
        double xi[SUITE_DIM];
        suite_algebra(G, xi, rng, 3.0);
        suite_ok("exp", lg_group_exp(G, g, xi));
    }
}
