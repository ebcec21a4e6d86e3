/* SPDX-License-Identifier: BSD-3-Clause */
/* The accuracy sweep: SO(3), SE(2), SE(3), SE_2(3) against multiprecision values (data/accuracy.json, made by
 * data/generate_accuracy.py), angles from 1e-160 to pi and logarithms up to pi itself.
 *
 * The bound is 2e-15 times the largest input-scaled term of each block: a translation scales with |v|, a quaternion's
 * vector part with |w|, a block of a tangent with the largest of its terms. So tiny inputs are held to *relative*
 * accuracy, and a translational block is not excused by a rotational one. */
#include <math.h>
#include <stdio.h>

#include "support/matrix.h"
#include "support/reference.h"
#include "support/suite.h"

static const double BOUND = 2e-15;

typedef struct space {
    const char *name;
    const lg_group *(*group)(void);
    int n, e;   /* dimension, doubles in an element */
    int nv, nw; /* translational and rotational coordinates */
} space;

static const space spaces[] = {{"SO3", lg_so3, 3, 4, 0, 3},
                               {"SE2", lg_se2, 3, 4, 2, 1},
                               {"SE3", lg_se3, 6, 7, 3, 3},
                               {"SE23", lg_se23, 9, 10, 6, 3}};
enum { SPACES = sizeof spaces / sizeof spaces[0] };

typedef struct scales {
    double v, w; /* |v|, |w| */
} scales;

static scales scale_of(const space *s, const double *xi)
{
    return (scales){mat_norm(xi, s->nv), mat_norm(xi + s->nv, s->nw)};
}

static void check_element(const space *s, const char *what, const double *got, const double *want, scales z, int cayley)
{
    double half = fmax(1, z.w / 2);
    suite_near(what, got, want, s->nv, BOUND, z.v * (cayley ? half : 1));
    if (s->nw == 3) {
        suite_near(what, got + s->nv, want + s->nv, 3, BOUND, z.w);
        suite_near1(what, got[s->e - 1], want[s->e - 1], BOUND, 1);
    } else {
        suite_near1(what, got[2], want[2], BOUND, 1);
        suite_near1(what, got[3], want[3], BOUND, z.w);
    }
}

static void check_algebra(const space *s, const char *what, const double *got, const double *want, double v, double w)
{
    suite_near(what, got, want, s->nv, BOUND, v);
    suite_near(what, got + s->nv, want + s->nv, s->nw, BOUND, w);
}

/* Blocks [[rotational, translational], [0, rotational]]. `rotational`: its largest term; the translational one's is
 * |v| times `lift`. */
static void check_tangent(const space *s, const char *what, const double *got, const double *want, scales z,
                          double rotational, double lift)
{
    for (int i = 0; i < s->n; i++) {
        for (int j = 0; j < s->n; j++) {
            int at = i * s->n + j;
            char entry[96];
            snprintf(entry, sizeof entry, "%s[%d][%d]", what, i, j);
            if (i < s->nv && j >= s->nv) {
                suite_near1(entry, got[at], want[at], BOUND, z.v * lift);
            } else if (i >= s->nv && j < s->nv) {
                suite_near1(entry, got[at], 0, 0, 1);
            } else {
                suite_near1(entry, got[at], want[at], BOUND, rotational);
            }
        }
    }
}

static void check_inverse(const space *s, const lg_retraction *r, const cJSON *item, int cayley)
{
    double g[10], want[9], got[9];
    ref_exactly(g, s->e, item, "g");
    ref_exactly(want, s->n, item, "inv");
    suite_input("g", g, s->e);
    suite_ok("inverse", lg_retraction_tau_inv(r, s->group(), got, g));
    scales z = scale_of(s, want);
    double translation = mat_norm(g, s->nv) * fmax(1, z.w / 2); /* |dexp^-1| <= pi/2, |1 - w/2| <= 1 + |w|/2 */
    check_algebra(s, cayley ? "cay_inv" : "log", got, want, fmax(z.v, translation), z.w);
}

static void check_item(const space *s, const lg_retraction *r, const cJSON *item, int cayley)
{
    double xi[9], want[81], got[81];
    ref_exactly(xi, s->n, item, "xi");
    suite_input("xi", xi, s->n);
    scales z = scale_of(s, xi);
    suite_ok("tau", lg_retraction_tau(r, s->group(), got, xi));
    ref_exactly(want, s->e, item, "tau");
    check_element(s, cayley ? "cay" : "exp", got, want, z, cayley);
    suite_ok("dtau", lg_retraction_dtau(r, s->group(), got, xi));
    ref_exactly(want, s->n * s->n, item, "dtau");
    check_tangent(s, cayley ? "dcay" : "dexp", got, want, z, 1, 1);
    suite_ok("dtau_inv", lg_retraction_dtau_inv(r, s->group(), got, xi));
    ref_exactly(want, s->n * s->n, item, "dtau_inv");
    check_tangent(s, cayley ? "dcay_inv" : "dexp_inv", got, want, z, fmax(1, cayley ? z.w * z.w / 4 : z.w / 2),
                  fmax(1, z.w / 2));
    check_inverse(s, r, item, cayley);
}

static void sweep(int cayley)
{
    cJSON *root = ref_load_shared("accuracy.json");
    for (int k = 0; k < SPACES; k++) {
        char key[32];
        snprintf(key, sizeof key, "%s_%s", spaces[k].name, cayley ? "cay" : "exp");
        int index = 0;
        const cJSON *item;
        cJSON_ArrayForEach(item, ref_get(root, key))
        {
            suite_case("%s[%d]", key, index++);
            check_item(&spaces[k], cayley ? lg_retraction_cayley() : lg_retraction_exp(), item, cayley);
        }
    }
    cJSON_Delete(root);
}

static void test_exponential(void **state)
{
    (void)state;
    sweep(0);
}

static void test_cayley(void **state)
{
    (void)state;
    sweep(1);
}

/* Logarithms at pi - 1e-1 ... pi - 1e-15 and pi, where the sign of the axis is free. */
static void test_log_near_pi(void **state)
{
    (void)state;
    cJSON *root = ref_load_shared("accuracy.json");
    for (int k = 0; k < SPACES; k++) {
        const space *s = &spaces[k];
        char key[32];
        snprintf(key, sizeof key, "%s_near_pi", s->name);
        const cJSON *item;
        cJSON_ArrayForEach(item, ref_get(root, key))
        {
            double g[10], want[9], got[9];
            ref_exactly(g, s->e, item, "g");
            ref_exactly(want, s->n, item, "inv");
            suite_case("log on %s, %s below pi", s->name, ref_get(item, "below_pi")->valuestring);
            suite_input("g", g, s->e);
            suite_ok("log", lg_group_log(s->group(), got, g));
            if (s->nw == 3 && g[s->e - 1] == 0 && mat_dot(got + s->nv, want + s->nv, 3) < 0) {
                for (int i = s->nv; i < s->n; i++) want[i] = -want[i];
                if (s->nv >=
                    3) { /* the translation belongs to the axis: v = r/2-parts change; go there and back instead */
                    double back[10];
                    suite_ok("exp", lg_group_exp(s->group(), back, got));
                    suite_near("exp log", back, g, s->nv, 4 * BOUND, mat_norm(g, 3));
                    continue;
                }
            }
            check_algebra(s, "log", got, want, fmax(mat_norm(want, s->nv), mat_norm(g, s->nv) * SUITE_PI / 2),
                          SUITE_PI);
        }
    }
    cJSON_Delete(root);
}

/* The logarithm through the rotation matrix (Shepperd's branches): 9e-16 absolute were measured, plus the rounding of
 * nine entries. */
static void test_log_of_matrix_near_pi(void **state)
{
    (void)state;
    cJSON *root = ref_load_shared("accuracy.json");
    const cJSON *item;
    cJSON_ArrayForEach(item, ref_get(root, "SO3_near_pi"))
    {
        double R[9], q[4], w[3], want[3];
        ref_exactly(R, 9, item, "matrix");
        ref_exactly(want, 3, item, "w");
        suite_case("log of a matrix, %s below pi", ref_get(item, "below_pi")->valuestring);
        suite_input("R", R, 9);
        suite_ok("from_matrix", lg_group_from_matrix(lg_so3(), q, R));
        suite_ok("log", lg_group_log(lg_so3(), w, q));
        double pi_gap = SUITE_PI - mat_norm(want, 3);
        if (pi_gap < 1e-14 && mat_dot(w, want, 3) < 0) { /* below the resolution of the matrix: either sign */
            for (int i = 0; i < 3; i++) want[i] = -want[i];
        }
        suite_near("log", w, want, 3, 2e-15, 1);
    }
    cJSON_Delete(root);
}

/* Near 2 pi dexp is singular: dexp dexp^-1 - 1 ~ 1e-15/(2 pi - |w|) (docs/theory.md section 2); Cayley knows no such
 * thing. */
static void test_near_two_pi(void **state)
{
    (void)state;
    lg_rng rng = suite_rng(7);
    for (int k = 0; k < SPACES * 12 * 20; k++) {
        const space *s = &spaces[k % SPACES];
        int n = s->n, power = 1 + (k / SPACES) % 12;
        double gap = pow(10, -power), xi[9] = {0}, u[3], D[81], I[81], P[81], E[81];
        suite_direction(u, s->nw, &rng);
        for (int i = 0; i < s->nw; i++) xi[s->nv + i] = (2 * SUITE_PI - gap) * u[i];
        if (s->nv > 0) suite_direction(xi, s->nv, &rng);
        suite_case("%s, %g below 2 pi", s->name, gap);
        suite_input("xi", xi, n);
        mat_identity(E, n);
        suite_ok("dexp", lg_retraction_dtau(lg_retraction_exp(), s->group(), D, xi));
        suite_ok("dexp_inv", lg_retraction_dtau_inv(lg_retraction_exp(), s->group(), I, xi));
        mat_mul(P, D, I, n, n, n);
        double lift = s->nv > 0 ? 1 / gap : 1; /* D^-1 Q D^-1 has the pole twice */
        suite_near("dexp dexp^-1 = 1", P, E, n * n, 1e-14 / gap, lift);
        suite_ok("dcay", lg_retraction_dtau(lg_retraction_cayley(), s->group(), D, xi));
        suite_ok("dcay_inv", lg_retraction_dtau_inv(lg_retraction_cayley(), s->group(), I, xi));
        mat_mul(P, D, I, n, n, n);
        suite_near("dcay dcay^-1 = 1", P, E, n * n, 4e-15, 16);
    }
}

/* Far from the principal branch too: exp against the matrix exponential in long double, rotations up to 1e3 rad. */
static void test_large_angles(void **state)
{
    (void)state;
    lg_rng rng = suite_rng(8);
    for (int k = 0; k < suite_count(600); k++) {
        const space *s = &spaces[k % SPACES];
        double xi[9] = {0}, g[10], M[25], E[25], angle = pow(10, 3 * lg_rng_uniform(&rng));
        suite_normal(xi, s->n, &rng);
        double w = mat_norm(xi + s->nv, s->nw);
        for (int i = 0; i < s->nw; i++) xi[s->nv + i] *= angle / w;
        suite_case("exp on %s", s->name);
        suite_input("xi", xi, s->n);
        suite_ok("exp", lg_group_exp(s->group(), g, xi));
        suite_ok("to_matrix", lg_group_to_matrix(s->group(), M, g));
        int N = lg_group_matrix_size(s->group());
        suite_ok("hat", lg_group_hat(s->group(), E, xi));
        mat_exp(E, E, N);
        suite_near("exp = e^hat", M, E, N * N, 4 * SUITE_EPS, angle * fmax(1, mat_norm(xi, s->nv)));
    }
}

int main(void)
{
    suite_begin("accuracy");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_exponential), cmocka_unit_test(test_cayley),
        cmocka_unit_test(test_log_near_pi), cmocka_unit_test(test_log_of_matrix_near_pi),
        cmocka_unit_test(test_near_two_pi), cmocka_unit_test(test_large_angles),
    };
    return cmocka_run_group_tests_name("accuracy", tests, NULL, NULL);
}
