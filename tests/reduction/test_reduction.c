/* SPDX-License-Identifier: BSD-3-Clause */
/* The reduced system itself: L*, the forces and their signs, equation (32) of [P1] with slopes of L*_d taken by
 * differences, theorem 5.6 with its control, closed forms; what the printed forces of non-abelian groups miss. */
#include <math.h>
#include <string.h>

#include "chaplygin_systems.h"
#include "matrix.h"

enum { S = 2 }; /* all systems here have two shape directions */

static lg_chaplygin *open_case(const chaplygin_case *t, double h)
{
    lg_chaplygin *o = NULL;
    lg_status st = lg_chaplygin_create(&o, &t->S, t->shape, t->count, "exp", h);
    if (st == LG_OK) st = lg_chaplygin_start(o, 0, t->g0, t->v0);
    if (st != LG_OK) suite_fail("%s: %s", t->name, lg_chaplygin_message(o));
    return o;
}

static void ok(const lg_chaplygin *o, lg_status st)
{
    if (st != LG_OK) suite_fail("%s", lg_chaplygin_message(o));
}

/* A point (r, v) near the data. */
static void point(const chaplygin_case *t, lg_rng *rng, double *r, double *v)
{
    lg_chaplygin *o = open_case(t, 0.1);
    lg_chaplygin_shape(o, r);
    for (int b = 0; b < S; b++) {
        r[b] += 0.2 * lg_rng_normal(rng);
        v[b] = t->v0[b] + lg_rng_normal(rng);
    }
    lg_chaplygin_destroy(o);
}

typedef struct pieces {
    double D1[S], D2[S], minus[S], plus[S];
} pieces;

static pieces slopes(lg_chaplygin *o, const double *r, const double *v)
{
    pieces p;
    ok(o, lg_chaplygin_slopes(o, p.D1, p.D2, p.minus, p.plus, r, v));
    return p;
}

/* L*_d(r0, r1) = h L*((r0 + r1)/2, (r1 - r0)/h) with end `end` moved by s along b. */
static double action(lg_chaplygin *o, double h, const double *r, const double *v, int end, int b, double s)
{
    double middle[S], u[S], L;
    for (int k = 0; k < S; k++) {
        double r0 = r[k] + (end == 0 && k == b ? s : 0), r1 = r[k] + h * v[k] + (end == 1 && k == b ? s : 0);
        middle[k] = 0.5 * (r0 + r1);
        u[k] = (r1 - r0) / h;
    }
    ok(o, lg_chaplygin_lagrangian(o, &L, middle, u));
    return h * L;
}

static double action_slope(lg_chaplygin *o, double h, const double *r, const double *v, int end, int b)
{
    double e = 1e-3 * h; /* u moves by 1e-3: see the differences of field.c */
    return (8 * (action(o, h, r, v, end, b, e) - action(o, h, r, v, end, b, -e)) -
            (action(o, h, r, v, end, b, 2 * e) - action(o, h, r, v, end, b, -2 * e))) /
           (12 * e);
}

/* ---- equation (32) ---- */

/* D_1 L*_d and D_2 L*_d are the slopes of the reduced action; (32) holds along a run; P is what both sides say. */
static void test_equation(void **state)
{
    (void)state;
    lg_rng rng = suite_rng(1);
    for (int i = 0; i < CHAPLYGIN_CASES; i++) {
        chaplygin_case t;
        double r[S], v[S], h = 0.1, carried[S] = {0};
        chaplygin_make(&t, chaplygin_names[i]);
        lg_chaplygin *o = open_case(&t, h);
        for (int k = 0; k < suite_count(50); k++) {
            suite_case("%s: slopes of L*_d", t.name);
            point(&t, &rng, r, v);
            suite_input("r", r, S), suite_input("v", v, S);
            pieces p = slopes(o, r, v);
            for (int b = 0; b < S; b++) {
                suite_near1("D_1 L*_d", p.D1[b], action_slope(o, h, r, v, 0, b), 1e-10, 10);
                suite_near1("D_2 L*_d", p.D2[b], action_slope(o, h, r, v, 1, b), 1e-10, 10);
            }
        }
        for (int k = 0; k < 30; k++) {
            double P[S];
            suite_case("%s: equation (32), step %d", t.name, k);
            memcpy(P, lg_chaplygin_momentum(o), sizeof P);
            lg_chaplygin_shape(o, r);
            ok(o, lg_chaplygin_step(o));
            for (int b = 0; b < S; b++) v[b] = lg_chaplygin_step_velocity(o)[t.shape[b]];
            pieces p = slopes(o, r, v);
            for (int b = 0; b < S; b++) {
                if (k > 0) suite_near1("(32)", p.D1[b] + carried[b], p.minus[b], 1e-12, 10);
                suite_near1("-D_1 L*_d + F^-", p.minus[b] - p.D1[b], P[b], 1e-12, 10);
                carried[b] = p.D2[b] - p.plus[b];
                suite_near1("D_2 L*_d - F^+", carried[b], lg_chaplygin_momentum(o)[b], 1e-12, 10);
            }
        }
        lg_chaplygin_destroy(o);
    }
}

/* ---- forces ---- */

/* F does no work. (F^- + F^+)/h of one pair tends to F at its middle like h^2. Both signs of F, and that of its
 * bracket, come out of this, because F^-, F^+ make (32) the projection of DLA (test_chaplygin.c). */
static void test_force_is_the_limit(void **state)
{
    (void)state;
    lg_rng rng = suite_rng(2);
    for (int i = 0; i < CHAPLYGIN_CASES; i++) {
        chaplygin_case t;
        double r[S], v[S], middle[S], F[S], error[6];
        chaplygin_make(&t, chaplygin_names[i]);
        point(&t, &rng, r, v);
        suite_case("%s", t.name);
        suite_input("r", r, S), suite_input("v", v, S);
        for (int k = 0; k < 6; k++) {
            double h = 0.1 / (1 << k);
            lg_chaplygin *o = open_case(&t, h);
            pieces p = slopes(o, r, v);
            for (int b = 0; b < S; b++) middle[b] = r[b] + 0.5 * h * v[b];
            ok(o, lg_chaplygin_force(o, F, middle, v));
            suite_near1("v.F", mat_dot(v, F, S), 0, 1e-11, 1 + mat_norm(F, S));
            for (int b = 0; b < S; b++) p.plus[b] = (p.plus[b] + p.minus[b]) / h - F[b];
            error[k] = mat_norm(p.plus, S);
            lg_chaplygin_destroy(o);
        }
        if (strcmp(t.name, "flat") == 0) suite_below("no force at all", mat_norm(F, S) + error[0], 1e-11);
        if (error[0] < 1e-10) continue; /* linear connection of an abelian group: exact, see the next test */
        suite_near1("slope", log2(error[4] / error[5]), 2, 0.05, 1);
    }
}

/* The curvature term alone, by differences of A: p.(v^c (d_c A_b - d_b A_c)), and p.[xi, A_b]. */
static void curvature(lg_chaplygin *o, const chaplygin_case *t, const double *r, const double *v, double *turn,
                      double *bracket, double *p)
{
    int n = t->S.group->dim, d = t->S.constraint_count, fibre[SUITE_DIM], at = 0;
    double A[8], plus[8], minus[8], D[S][8], J[SUITE_MATRIX], xi[SUITE_DIM] = {0}, full[SUITE_DIM];
    for (int i = 0; i < n; i++)
        if (i != t->shape[0] && i != t->shape[1]) fibre[at++] = i;
    for (int b = 0; b < S; b++) {
        double moved[S] = {r[0], r[1]}, e = 1e-4;
        moved[b] = r[b] + e;
        ok(o, lg_chaplygin_connection(o, plus, moved));
        moved[b] = r[b] - e;
        ok(o, lg_chaplygin_connection(o, minus, moved));
        for (int i = 0; i < S * d; i++) D[b][i] = (plus[i] - minus[i]) / (2 * e);
    }
    ok(o, lg_chaplygin_connection(o, A, r));
    for (int b = 0; b < S; b++) xi[t->shape[b]] = v[b];
    for (int a = 0; a < d; a++) xi[fibre[a]] = -(A[S * a] * v[0] + A[S * a + 1] * v[1]);
    chaplygin_case there = *t;
    double *place = there.g0 + (strcmp(t->name, "mirror") == 0 ? 4 : t->shape[0]);
    memcpy(place, r, S * sizeof *r);
    plain_fields(&t->S, there.g0, NULL, J, NULL, NULL);
    mat_apply(full, J, xi, n, n);
    for (int a = 0; a < d; a++) p[a] = full[fibre[a]];
    for (int b = 0; b < S; b++) {
        double lift[SUITE_DIM] = {0}, xi_only[SUITE_DIM] = {0}, along[SUITE_DIM];
        turn[b] = bracket[b] = 0;
        for (int a = 0; a < d; a++)
            for (int k = 0; k < S; k++) turn[b] += p[a] * v[k] * (D[k][S * a + b] - D[b][S * a + k]);
        for (int a = 0; a < d; a++) lift[fibre[a]] = A[S * a + b], xi_only[fibre[a]] = xi[fibre[a]];
        suite_ok("ad", lg_group_ad_apply(t->S.group, along, xi_only, lift));
        bracket[b] = mat_dot(full, along, n);
    }
}

static void test_force_terms(void **state)
{
    (void)state;
    lg_rng rng = suite_rng(3);
    for (int i = 0; i < CHAPLYGIN_CASES; i++) {
        chaplygin_case t;
        double r[S], v[S], F[S], turn[S], bracket[S], p[SUITE_DIM], wrong = 0;
        chaplygin_make(&t, chaplygin_names[i]);
        lg_chaplygin *o = open_case(&t, 0.1);
        for (int k = 0; k < suite_count(20); k++) {
            point(&t, &rng, r, v);
            suite_case("%s", t.name);
            suite_input("r", r, S), suite_input("v", v, S);
            curvature(o, &t, r, v, turn, bracket, p);
            ok(o, lg_chaplygin_force(o, F, r, v));
            for (int b = 0; b < S; b++) suite_near1("F", F[b], turn[b] + bracket[b], 1e-8, 10);
            wrong = fmax(wrong, fabs(F[0] - (turn[0] - bracket[0])));
        }
        if (i >= 5) suite_above("the bracket with the sign printed in 5.3.3", wrong, 0.01); /* SE(2), SO(3) */
        lg_chaplygin_destroy(o);
    }
}

/* Abelian group, A linear in r: F^- = F^+ = (h/2) F(middle, v), so theorem 5.5 with F = (-y x' y', y x'^2). On the
 * robot, whose A is not linear, they are not. */
static void test_abelian_forces(void **state)
{
    (void)state;
    lg_rng rng = suite_rng(4);
    static const char *const names[3] = {"particle", "free", "robot"};
    for (int i = 0; i < 3; i++) {
        chaplygin_case t;
        double r[S], v[S], F[S], m[S], h = 0.1, off = 0, L;
        chaplygin_make(&t, names[i]);
        lg_chaplygin *o = open_case(&t, h);
        for (int k = 0; k < 20; k++) {
            point(&t, &rng, r, v);
            suite_case("%s", t.name);
            suite_input("r", r, S), suite_input("v", v, S);
            for (int b = 0; b < S; b++) m[b] = r[b] + 0.5 * h * v[b];
            pieces p = slopes(o, r, v);
            ok(o, lg_chaplygin_force(o, F, m, v));
            ok(o, lg_chaplygin_lagrangian(o, &L, m, v));
            off = fmax(off, fabs(p.minus[0] - 0.5 * h * F[0]) + fabs(p.minus[1] - 0.5 * h * F[1]));
            if (i == 2) continue;
            double y = m[1], want[S] = {-y * v[0] * v[1], y * v[0] * v[0]}, scale = 1 + mat_norm(want, S);
            double V = i == 0 ? m[0] * m[0] + y * y : 0;
            suite_near("F", F, want, S, 1e-14, scale);
            suite_near1("L*", L, 0.5 * ((1 + y * y) * v[0] * v[0] + v[1] * v[1]) - V, 1e-14, scale + V);
            for (int b = 0; b < S; b++) {
                suite_near1("F^-", p.minus[b], 0.5 * h * F[b], 1e-14, scale);
                suite_near1("F^+", p.plus[b], 0.5 * h * F[b], 1e-14, scale);
            }
        }
        if (i == 2) suite_above("robot: F^- is not (h/2) F", off, 1e-5);
        lg_chaplygin_destroy(o);
    }
}

/* ---- closed forms ---- */

/* Three shapes in a row, of a run. */
static void three(lg_chaplygin *o, double *r)
{
    for (int k = 0; k < 3; k++) {
        lg_chaplygin_shape(o, r + S * k);
        if (k < 2) ok(o, lg_chaplygin_step(o));
    }
}

/* theta_{k+1} - 2 theta_k + theta_{k-1} = 0, (3 I + m R^2 cos(dtheta/2)) (psi_{k+1} - 2 psi_k + psi_{k-1})/h^2 =
 * -5 (cos psi_{k+1/2} + cos psi_{k-1/2}); with m R^2 without the cosine it fails. */
static void test_robot(void **state)
{
    (void)state;
    chaplygin_case t;
    double r[3 * S], h = 0.1, worst = 0, wrong = 0;
    chaplygin_make(&t, "robot");
    lg_chaplygin *o = open_case(&t, h);
    for (int k = 0; k < 500; k++) {
        three(o, r);
        double a = (r[5] - 2 * r[3] + r[1]) / (h * h), d = cos(0.5 * (r[2] - r[0]));
        double torque = -5 * (cos(0.5 * (r[1] + r[3])) + cos(0.5 * (r[3] + r[5])));
        worst = fmax(worst, fabs(r[4] - 2 * r[2] + r[0]));
        worst = fmax(worst, fabs((3 + d) * a - torque) * h * h);
        wrong = fmax(wrong, fabs(4 * a - torque));
    }
    suite_case("robot");
    suite_below("reduced equations", worst, 1e-11);
    suite_above("without the cosine", wrong, 5e-4);
    lg_chaplygin_destroy(o);
}

/* Theorem 5.6: `flat` follows the discrete Euler-Lagrange equations of (h/2)|dr/h|^2 - h V(middle), lambda = 0; the
 * particle does not follow those of its own L*_d. */
static void test_theorem_5_6(void **state)
{
    (void)state;
    chaplygin_case t;
    double r[3 * S], h = 0.1, worst = 0, lambda = 0, control = 0, v[S];
    chaplygin_make(&t, "flat");
    lg_chaplygin *o = open_case(&t, h);
    for (int k = 0; k < 200; k++) {
        three(o, r);
        for (int b = 0; b < S; b++) {
            double a = (r[4 + b] - 2 * r[2 + b] + r[b]) / (h * h), pull = 0.5 * (r[4 + b] + 2 * r[2 + b] + r[b]);
            worst = fmax(worst, fabs(a + pull) * h * h);
        }
        lambda = fmax(lambda, fabs(lg_chaplygin_multipliers(o)[0]));
    }
    suite_case("theorem 5.6");
    suite_below("discrete Euler-Lagrange", worst, 1e-13);
    suite_below("multiplier", lambda, 1e-12);
    lg_chaplygin_destroy(o);
    chaplygin_make(&t, "particle");
    o = open_case(&t, h);
    for (int k = 0; k < 60; k++) {
        three(o, r);
        for (int b = 0; b < S; b++) v[b] = (r[2 + b] - r[b]) / h;
        pieces before = slopes(o, r, v);
        for (int b = 0; b < S; b++) v[b] = (r[4 + b] - r[2 + b]) / h;
        pieces after = slopes(o, r + S, v);
        for (int b = 0; b < S; b++) control = fmax(control, fabs(after.D1[b] + before.D2[b]));
    }
    suite_above("control: the particle is not variational", control, 0.05);
    lg_chaplygin_destroy(o);
}

/* ---- non-abelian groups: what the printed forces miss ---- */

/* For a constant connection, where nothing else is approximated: F^-, F^+ as printed, (h/2) p.[xi, A_b]; and with
 * Ad_{exp(-+h zeta)} put in its place, p.(A_b - Ad A_b)/2 and p.(Ad A_b - A_b)/2. */
static void printed(lg_chaplygin *o, const chaplygin_case *t, double h, const double *r, const double *v, pieces *first,
                    pieces *second)
{
    double A[6], turn[S], p[3], zeta[3], W[4], there[3], back[3];
    ok(o, lg_chaplygin_connection(o, A, r));
    curvature(o, t, r, v, turn, first->minus, p);
    for (int b = 0; b < S; b++) {
        const double column[3] = {A[b], A[S + b], A[2 * S + b]};
        first->minus[b] = first->plus[b] = 0.5 * h * first->minus[b];
        for (int a = 0; a < 3; a++) zeta[a] = -h * (A[S * a] * v[0] + A[S * a + 1] * v[1]);
        suite_ok("exp", lg_group_exp(lg_se2(), W, zeta));
        suite_ok("Ad", lg_group_Ad_apply(lg_se2(), there, W, column));
        suite_ok("inverse", lg_group_inverse(lg_se2(), W, W));
        suite_ok("Ad", lg_group_Ad_apply(lg_se2(), back, W, column));
        second->minus[b] = 0.5 * (mat_dot(p, column, 3) - mat_dot(p, back, 3));
        second->plus[b] = 0.5 * (mat_dot(p, there, 3) - mat_dot(p, column, 3));
    }
}

/* Both miss F^- by O(h^2), because dL_d/dg is (dexp^-1)^* p and not p, and F^+ by nearly the opposite, so that a node,
 * (32), misses O(h^3): the scheme keeps its order, but is not DLA. */
static void test_printed_forces(void **state)
{
    (void)state;
    chaplygin_case t;
    double end[2][6], node[2][6];
    chaplygin_make(&t, "carriage");
    for (int k = 0; k < 6; k++) {
        double h = 0.2 / (1 << k), r[S], v[S];
        pieces exact[2], form[2][2];
        lg_chaplygin *o = open_case(&t, h);
        for (int i = 0; i < 2; i++) {
            lg_chaplygin_shape(o, r);
            ok(o, lg_chaplygin_step(o));
            memcpy(v, lg_chaplygin_step_velocity(o), sizeof v);
            exact[i] = slopes(o, r, v);
            printed(o, &t, h, r, v, &form[0][i], &form[1][i]);
        }
        for (int i = 0; i < 2; i++) {
            double before = form[i][0].plus[0] - exact[0].plus[0], after = form[i][1].minus[0] - exact[1].minus[0];
            end[i][k] = fabs(after);
            node[i][k] = fabs(before + after);
        }
        lg_chaplygin_destroy(o);
    }
    for (int i = 0; i < 2; i++) {
        suite_case("carriage, %s", i ? "with Ad" : "as printed");
        suite_above("F^-", end[i][0], 1e-4);
        suite_near1("slope of F^-", log2(end[i][4] / end[i][5]), 2, 0.05, 1);
        suite_above("(32)", node[i][0], 1e-5);
        suite_near1("slope of (32)", log2(node[i][4] / node[i][5]), 3, 0.1, 1);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_equation),      cmocka_unit_test(test_force_is_the_limit),
                                       cmocka_unit_test(test_force_terms),   cmocka_unit_test(test_abelian_forces),
                                       cmocka_unit_test(test_robot),         cmocka_unit_test(test_theorem_5_6),
                                       cmocka_unit_test(test_printed_forces)};
    suite_begin("reduction");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
