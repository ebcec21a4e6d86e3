/* SPDX-License-Identifier: BSD-3-Clause */
/* Derivatives that accelerations and linearisations ask for: lg_system_check() finds a wrong entry and an instance that
 * got its neighbour's value, who does not announce lanes is asked for one instance at a time, and rates of rows and
 * positions are those of differences. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mechanics/standalone.h"
#include "support/suite.h"

enum { N = 5 };

typedef enum culprit { NONE, ALONG, PARTIAL, ACCELERATION, HESSIAN, CULPRITS } culprit;

static const char *const names[CULPRITS] = {"", "covectors_derivative", "covectors_rate", "holonomic_acceleration",
                                            "potential_hessian"};

/* The error in one callback, and the calls of each. */
typedef struct plant {
    culprit who;
    int entry;  /* of the output: off by 1e-3 */
    int shared; /* 1: all instances get the first one's value instead */
    int code;   /* returned */
    int calls[CULPRITS], widest[CULPRITS];
} plant;

/* Where instance l of a call finds its numbers: value i of `a` is a[i * L + from]. */
typedef struct lane {
    int L, l, from;
    double t;
} lane;

static plant *asked(const lg_call *c, culprit who)
{
    plant *o = (plant *)(uintptr_t)c->context;
    o->calls[who]++;
    if (c->lanes > o->widest[who]) o->widest[who] = c->lanes;
    return o;
}

/* Lane l; nothing behind the last. */
static lane lane_of(const lg_call *c, const plant *o, culprit who, int l)
{
    const int from = (o && o->shared && o->who == who) || l == c->lanes ? 0 : l;
    return (lane){c->lanes, l, from, c->times[from]};
}

static void put(double *out, int i, const lane *k, double value)
{
    out[i * k->L + k->l] = value;
}

static int spoil(const plant *o, culprit who, double *out, int lanes)
{
    if (o->who != who || o->shared) return 0;
    out[o->entry * lanes] += 1e-3;
    return o->code;
}

#define Q(i)            g[(i)*k.L + k.from]
#define ETA(i)          eta[(i)*k.L + k.from]
#define EVERY_LANE(who) for (lane k = lane_of(c, o, who, 0); k.l < c->lanes; k = lane_of(c, o, who, k.l + 1))

/* mu = (0, t sin q0, 0, 0, 1), Y = (0, 0, 0, 0, cos t q1). */
static int rows(const lg_call *c, const double *g, double *mu, double *Y)
{
    const plant *o = NULL;
    EVERY_LANE(NONE)
    {
        put(mu, 1, &k, k.t * sin(Q(0)));
        put(mu, 4, &k, 1);
        put(Y, 4, &k, cos(k.t) * Q(1));
    }
    return 0;
}

static int rows_along(const lg_call *c, const double *g, const double *eta, double *dmu, double *dY)
{
    const plant *o = asked(c, ALONG);
    EVERY_LANE(ALONG)
    {
        put(dmu, 1, &k, k.t * cos(Q(0)) * ETA(0));
        put(dY, 4, &k, cos(k.t) * ETA(1));
    }
    return spoil(o, ALONG, o->entry < N ? dmu : dY - N * c->lanes, c->lanes);
}

static int rows_rate(const lg_call *c, const double *g, double *dmu, double *dY)
{
    const plant *o = asked(c, PARTIAL);
    EVERY_LANE(PARTIAL)
    {
        put(dmu, 1, &k, sin(Q(0)));
        put(dY, 4, &k, -sin(k.t) * Q(1));
    }
    return spoil(o, PARTIAL, o->entry < N ? dmu : dY - N * c->lanes, c->lanes);
}

/* phi_1 = q0^2/2 + sin t q1 + q2 q3, phi_2 = q2 - t^2 q4^2. */
static int position(const lg_call *c, const double *g, double *phi)
{
    const plant *o = NULL;
    EVERY_LANE(NONE)
    {
        put(phi, 0, &k, Q(0) * Q(0) / 2 + sin(k.t) * Q(1) + Q(2) * Q(3));
        put(phi, 1, &k, Q(2) - k.t * k.t * Q(4) * Q(4));
    }
    return 0;
}

static int position_differential(const lg_call *c, const double *g, double *out)
{
    const plant *o = NULL;
    EVERY_LANE(NONE)
    {
        put(out, 0, &k, Q(0)), put(out, 1, &k, sin(k.t)), put(out, 2, &k, Q(3)), put(out, 3, &k, Q(2));
        put(out, N + 2, &k, 1), put(out, N + 4, &k, -2 * k.t * k.t * Q(4));
    }
    return 0;
}

static int position_rate(const lg_call *c, const double *g, double *out)
{
    const plant *o = NULL;
    EVERY_LANE(NONE)
    {
        put(out, 0, &k, cos(k.t) * Q(1));
        put(out, 1, &k, -2 * k.t * Q(4) * Q(4));
    }
    return 0;
}

static int position_acceleration(const lg_call *c, const double *g, const double *eta, double *out)
{
    const plant *o = asked(c, ACCELERATION);
    EVERY_LANE(ACCELERATION)
    {
        const double x = Q(4), v = ETA(4), t = k.t;
        put(out, 0, &k, ETA(0) * ETA(0) + 2 * cos(t) * ETA(1) - sin(t) * Q(1) + 2 * ETA(2) * ETA(3));
        put(out, 1, &k, -2 * (x * x + 4 * t * x * v + t * t * v * v));
    }
    return spoil(o, ACCELERATION, out, c->lanes);
}

/* V = q1^2 q4/2 + cos(t q2). */
static int potential(const lg_call *c, const double *g, double *V)
{
    const plant *o = NULL;
    EVERY_LANE(NONE) put(V, 0, &k, Q(1) * Q(1) * Q(4) / 2 + cos(k.t * Q(2)));
    return 0;
}

static int gradient(const lg_call *c, const double *g, double *out)
{
    const plant *o = NULL;
    EVERY_LANE(NONE)
    {
        put(out, 1, &k, Q(1) * Q(4));
        put(out, 2, &k, -k.t * sin(k.t * Q(2)));
        put(out, 4, &k, Q(1) * Q(1) / 2);
    }
    return 0;
}

static int hessian(const lg_call *c, const double *g, const double *eta, double *out)
{
    const plant *o = asked(c, HESSIAN);
    EVERY_LANE(HESSIAN)
    {
        put(out, 1, &k, ETA(1) * Q(4) + Q(1) * ETA(4));
        put(out, 2, &k, -k.t * k.t * cos(k.t * Q(2)) * ETA(2));
        put(out, 4, &k, Q(1) * ETA(1));
    }
    return spoil(o, HESSIAN, out, c->lanes);
}

static const double start[N] = {1.2, 0.4, 0.9, 1.1, 0.8};

/* On R^5, everything depends on time. */
static lg_system make(plant *o, lg_group **G)
{
    static const double inertia[N] = {1, 2, 1.5, 0.7, 1.1};
    suite_ok("R^5", lg_group_create_rn(G, N));
    lg_system S = lg_system_default(*G);
    S.context = o, S.inertia_diagonal = inertia, S.constraint_count = 1;
    S.callbacks.time_dependent = 1, S.callbacks.holonomic_count = 2;
    S.callbacks.lanes = LG_LANES_OWN_TIMES | LG_LANES_DERIVATIVES;
    S.callbacks.covectors = rows, S.callbacks.covectors_derivative = rows_along, S.callbacks.covectors_rate = rows_rate;
    S.callbacks.holonomic = position, S.callbacks.holonomic_differential = position_differential;
    S.callbacks.holonomic_rate = position_rate, S.callbacks.holonomic_acceleration = position_acceleration;
    S.callbacks.potential = potential, S.callbacks.potential_gradient = gradient,
    S.callbacks.potential_hessian = hessian;
    return S;
}

static lg_status check(const lg_system *S, lg_error *e)
{
    lg_rng rng = suite_rng(36000);
    *e = (lg_error){LG_OK, ""};
    return lg_system_check(S, &rng, start, 5, 0, e);
}

static void test_wrong_entries(void **state)
{
    static const int count[CULPRITS] = {0, 2 * N, 2 * N, 2, N};
    lg_group *G = NULL;
    lg_error e;
    (void)state;
    for (culprit who = NONE; who < CULPRITS; who++)
        for (int entry = 0; entry < count[who] || (who == NONE && entry == 0); entry++) {
            plant o = {.who = who, .entry = entry};
            lg_system S = make(&o, &G);
            suite_case("%s, entry %d", names[who], entry);
            S.callbacks.lanes = LG_LANES_ONE;
            suite_status("check", check(&S, &e), who == NONE ? LG_OK : LG_ERROR_ARGUMENT);
            if (who != NONE) suite_contains("message", e.message, names[who]);
            if (who != NONE) suite_contains("message", e.message, "differences give");
            lg_group_destroy(G);
        }
}

static void test_failing(void **state)
{
    lg_group *G = NULL;
    lg_error e;
    (void)state;
    for (culprit who = ALONG; who < CULPRITS; who++) {
        plant o = {.who = who, .code = 7};
        lg_system S = make(&o, &G);
        char words[80];
        snprintf(words, sizeof words, "callback %s returned 7", names[who]);
        for (int lanes = 0; lanes < 2; lanes++) {
            suite_case("%s, lanes %d", names[who], lanes);
            if (!lanes) S.callbacks.lanes = LG_LANES_ONE;
            suite_status("check", check(&S, &e), LG_ERROR_CALLBACK);
            suite_contains("message", e.message, words);
        }
        lg_group_destroy(G);
    }
}

/* Several instances share a call only with LG_LANES_DERIVATIVES, and each gets its own value. */
static void test_lanes(void **state)
{
    lg_group *G = NULL;
    lg_error e;
    (void)state;
    for (culprit who = NONE; who < CULPRITS; who++)
        for (int derivatives = 0; derivatives < 2; derivatives++) {
            plant o = {.who = who, .shared = who != NONE};
            lg_system S = make(&o, &G);
            const int found = who != NONE && derivatives && lg_width_supported(2);
            S.callbacks.lanes = LG_LANES_OWN_TIMES | (derivatives ? LG_LANES_DERIVATIVES : 0);
            suite_case("%s, lanes %d", names[who], S.callbacks.lanes);
            suite_status("check", check(&S, &e), found ? LG_ERROR_ARGUMENT : LG_OK);
            if (found) suite_contains("message", e.message, names[who]);
            if (found) suite_contains("message", e.message, "of instance 2 of 2");
            for (culprit i = ALONG; i < CULPRITS && !found; i++) {
                assert_true(o.calls[i] > 0);
                assert_true(derivatives && lg_width_supported(2) ? o.widest[i] > 1 : o.widest[i] == 1);
            }
            lg_group_destroy(G);
        }
}

static void test_contradictions(void **state)
{
    static const int wrong[] = {3, 4, 7, 8, -1};
    plant o = {0};
    lg_group *G = NULL;
    lg_error e;
    (void)state;
    lg_system S = make(&o, &G);
    for (int i = 0; i < 5; i++) {
        suite_case("lanes %d", wrong[i]);
        S.callbacks.lanes = wrong[i];
        suite_status("validate", lg_system_validate(&S, &e), LG_ERROR_ARGUMENT);
        suite_contains("message", e.message, wrong[i] == 4 ? "LG_LANES_DERIVATIVES alone" : "not a number of lanes");
    }
    S.callbacks.lanes = LG_LANES_ONE;
    suite_case("without what they are derivatives of");
    S.callbacks.time_dependent = 0, S.callbacks.holonomic_count = 0, S.callbacks.potential = NULL;
    S.callbacks.holonomic = S.callbacks.holonomic_differential = S.callbacks.holonomic_rate = NULL;
    S.callbacks.potential_gradient = NULL, S.callbacks.potential_hessian = NULL;
    suite_status("validate", lg_system_validate(&S, &e), LG_ERROR_ARGUMENT);
    suite_contains("message", e.message, "holonomic_acceleration without holonomic");
    S.callbacks.holonomic_acceleration = NULL;
    suite_status("check", check(&S, &e), LG_ERROR_ARGUMENT);
    suite_contains("message", e.message, "covectors depends on the time");
    static const double row[N] = {0, 1, 0, 0, 0};
    S.callbacks.covectors = NULL, S.covector_matrix = row;
    suite_status("validate", lg_system_validate(&S, &e), LG_ERROR_ARGUMENT);
    suite_contains("message", e.message, "covectors_rate without covectors or drift");
    lg_group_destroy(G);
}

/* The rates along a motion by callbacks are those by differences, whichever of the callbacks are there. */
static void test_rates(void **state)
{
    static const double xi[N] = {0.3, -0.8, 0.5, 1.1, -0.6};
    const double t = 0.7;
    double want[3][2 * N], got[3][2 * N];
    lg_group *G = NULL;
    (void)state;
    for (int known = 0; known < 8; known++) {
        plant o = {0};
        lg_standalone field;
        lg_system S = make(&o, &G);
        suite_case("callbacks %d", known);
        if (!(known & 1)) S.callbacks.covectors_derivative = NULL;
        if (!(known & 2)) S.callbacks.covectors_rate = NULL;
        if (!(known & 4)) S.callbacks.holonomic_acceleration = NULL;
        suite_ok("open", lg_standalone_open(&field, &S, NULL));
        memset(got, 0, sizeof got);
        assert_int_equal(lg_field_rows_rate(&field.f, t, start, xi, got[0], got[0] + N), 0);
        assert_int_equal(lg_field_rows_partial(&field.f, t, start, got[1], got[1] + N), 0);
        assert_int_equal(lg_field_hidden_rate(&field.f, t, start, xi, got[2]), 0);
        if (known == 0) memcpy(want, got, sizeof want);
        suite_near("rows along the motion", got[0], want[0], 2 * N, 1e-10, 1);
        suite_near("rows at rest", got[1], want[1], 2 * N, 1e-10, 1);
        suite_near("positions", got[2], want[2], 2, 1e-10, 1);
        assert_int_equal(o.calls[ALONG], known & 1 && known & 2 ? 1 : 0);
        assert_int_equal(o.calls[PARTIAL], (known & 2 ? 1 : 0) + (known & 1 && known & 2 ? 1 : 0));
        assert_int_equal(o.calls[ACCELERATION], known & 4 ? 1 : 0);
        lg_release(field.block);
        lg_group_destroy(G);
    }
    suite_near1("a row's rate", want[0][1], sin(start[0]) + t * cos(start[0]) * xi[0], 1e-10, 1);
    suite_near1("the drift's rate", want[0][N + 4], -sin(t) * start[1] + cos(t) * xi[1], 1e-10, 1);
}

int main(void)
{
    suite_begin("derivatives");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_wrong_entries),  cmocka_unit_test(test_failing), cmocka_unit_test(test_lanes),
        cmocka_unit_test(test_contradictions), cmocka_unit_test(test_rates),
    };
    return cmocka_run_group_tests_name("derivatives", tests, NULL, NULL);
}
