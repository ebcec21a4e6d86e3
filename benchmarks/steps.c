/* SPDX-License-Identifier: BSD-3-Clause */
/* Cost of a GNI step through the generic API. The yardstick is the rolling ball of the paper on R^2 x SO(3), Cayley,
 * with user callbacks, against the same step written out inline by hand (same stopping rule of Newton), and against one
 * fixed step of GSL's rk4 on the same equations; all in turn in the same run. Other systems for information.
 *   L = m v^2/2 + w.I w/2,   v_x - r w_2 + Omega y = 0,   v_y + r w_1 - Omega x = 0,   w in the body (formal) */
#include <gsl/gsl_errno.h>
#include <gsl/gsl_odeiv2.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <liegrp/liegrp.h>

#include "support.h"

#define H     0.01
#define STEPS 2000 /* in a round */

enum { MASS, RADIUS, OMEGA, I1, I2, I3, PARAMETERS };
static const double ball_param[PARAMETERS] = {3, 1, 0.2, 1, 1.1, 1.2};
static const double ball_inertia[5] = {3, 3, 1, 1.1, 1.2};
static const double ball_rows[10] = {1, 0, 0, -1, 0, 0, 1, 1, 0, 0}; /* radius 1 */
static const double ball_g0[6] = {1, 0.5, 0, 0, 0, 1};               /* (x, y), quaternion */
static const double ball_w0[3] = {0.4, 2, 0.7};

static void fail(const char *what, const char *why)
{
    fprintf(stderr, "steps: %s: %s\n", what, why);
    exit(1);
}

/* ---- through the library ---- */

static int ball_drift(const lg_call *c, const double *g, double *Y)
{
    Y[0] = -c->param[OMEGA] * g[1];
    Y[1] = c->param[OMEGA] * g[0];
    return 0;
}

static int ball_covectors(const lg_call *c, const double *g, double *mu, double *Y)
{
    mu[0] = 1;
    mu[3] = -c->param[RADIUS];
    mu[6] = 1;
    mu[7] = c->param[RADIUS];
    return ball_drift(c, g, Y);
}

/* An integrator at its initial state. */
static lg_integrator *make(const lg_system *S, const char *method, const char *retraction, const double *g0,
                           const double *xi0)
{
    lg_integrator *it = NULL;
    lg_status st = lg_integrator_create(&it, S, method, retraction, H);
    if (st == LG_OK) st = lg_integrator_start(it, 0, g0, xi0, LG_START_REACTION);
    if (st != LG_OK) fail(lg_group_name(S->group), lg_message(it));
    return it;
}

static lg_integrator *make_ball(const lg_group *G, int constant, const char *retraction)
{
    const double *p = ball_param, *w = ball_w0, *g = ball_g0;
    const double xi0[5] = {p[RADIUS] * w[1] - p[OMEGA] * g[1], -p[RADIUS] * w[0] + p[OMEGA] * g[0], w[0], w[1], w[2]};
    lg_system S = lg_system_default(G);
    S.inertia_diagonal = ball_inertia;
    S.constraints = 2;
    S.parameter_count = PARAMETERS;
    S.parameter_values = ball_param;
    if (constant) {
        S.covector_matrix = ball_rows;
        S.drift = ball_drift;
    } else {
        S.covectors = ball_covectors;
    }
    return make(&S, "gni", retraction, ball_g0, xi0);
}

/* Every round walks the same way from the initial state. */
static double run_library(void *context, long count)
{
    lg_integrator *it = context;
    if (lg_integrator_reset(it) != LG_OK || lg_run_steps(it, count, 1, NULL, NULL) != LG_OK)
        fail("run", lg_message(it));
    return lg_configuration(it)[0];
}

/* ---- by hand: everything that the problem allows to work out beforehand is ---- */

typedef struct hand {
    double J[3], Jinv[3], minv, r, Omega, k, h;
    double s1, s2;                   /* 1/(A J^-1 A^T), which is diagonal */
    double g0[6], p0[5], g[6], p[5]; /* p = p^- */
} hand;

static void hand_init(hand *b, const lg_integrator *it)
{
    const double *p = ball_param;
    for (int i = 0; i < 3; i++) b->J[i] = p[I1 + i], b->Jinv[i] = 1 / p[I1 + i];
    b->minv = 1 / p[MASS], b->r = p[RADIUS], b->Omega = p[OMEGA], b->h = H, b->k = H / 2;
    b->s1 = 1 / (b->minv + b->r * b->r * b->Jinv[1]);
    b->s2 = 1 / (b->minv + b->r * b->r * b->Jinv[0]);
    memcpy(b->g0, lg_configuration(it), sizeof b->g0);
    memcpy(b->p0, lg_momentum_minus(it), sizeof b->p0);
}

/* One correction of J w + k w x J w + k^2 (w.J w) w = p, k = h/2, by cofactors; returns whether it was the last. */
static inline int hand_newton(const hand *b, const double *p, double *w)
{
    const double k = b->k, x = w[0], y = w[1], z = w[2], A = b->J[0], B = b->J[1], C = b->J[2];
    const double a = A * x, c = B * y, d = C * z, s = k * k * (x * a + y * c + z * d), t = 2 * k * k;
    const double f0 = a + k * (y * d - z * c) + s * x - p[0], f1 = c + k * (z * a - x * d) + s * y - p[1];
    const double f2 = d + k * (x * c - y * a) + s * z - p[2];
    const double m00 = A + s + t * x * a, m01 = k * (d - z * B) + t * x * c, m02 = k * (y * C - c) + t * x * d;
    const double m10 = k * (z * A - d) + t * y * a, m11 = B + s + t * y * c, m12 = k * (a - x * C) + t * y * d;
    const double m20 = k * (c - y * A) + t * z * a, m21 = k * (x * B - a) + t * z * c, m22 = C + s + t * z * d;
    const double c00 = m11 * m22 - m12 * m21, c01 = m12 * m20 - m10 * m22, c02 = m10 * m21 - m11 * m20;
    const double i = 1 / (m00 * c00 + m01 * c01 + m02 * c02);
    const double e0 = i * (c00 * f0 + (m02 * m21 - m01 * m22) * f1 + (m01 * m12 - m02 * m11) * f2);
    const double e1 = i * (c01 * f0 + (m00 * m22 - m02 * m20) * f1 + (m02 * m10 - m00 * m12) * f2);
    const double e2 = i * (c02 * f0 + (m01 * m20 - m00 * m21) * f1 + (m00 * m11 - m01 * m10) * f2);
    w[0] = x - e0, w[1] = y - e1, w[2] = z - e2;
    return e0 * e0 + e1 * e1 + e2 * e2 <= 1e-16 * (w[0] * w[0] + w[1] * w[1] + w[2] * w[2]);
}

/* q <- q (u, 1)/|q (u, 1)|. */
static inline void hand_turn(double *q, const double *u)
{
    const double a = q[0] + q[3] * u[0] + (q[1] * u[2] - q[2] * u[1]),
                 b = q[1] + q[3] * u[1] + (q[2] * u[0] - q[0] * u[2]);
    const double c = q[2] + q[3] * u[2] + (q[0] * u[1] - q[1] * u[0]),
                 d = q[3] - q[0] * u[0] - q[1] * u[1] - q[2] * u[2];
    const double i = 1 / sqrt(a * a + b * b + c * c + d * d);
    q[0] = i * a, q[1] = i * b, q[2] = i * c, q[3] = i * d;
}

static double run_hand(void *context, long count)
{
    hand *b = context;
    double g[6], p[5];
    memcpy(g, b->g0, sizeof g);
    memcpy(p, b->p0, sizeof p);
    for (long n = 0; n < count; n++) {
        double w[3] = {b->Jinv[0] * p[2], b->Jinv[1] * p[3], b->Jinv[2] * p[4]};
        for (int i = 0; i < 50 && !hand_newton(b, p + 2, w); i++) {
        }
        const double u[3] = {b->k * w[0], b->k * w[1], b->k * w[2]},
                     f = 2 / (1 + u[0] * u[0] + u[1] * u[1] + u[2] * u[2]);
        const double c0 = p[3] * u[2] - p[4] * u[1], c1 = p[4] * u[0] - p[2] * u[2], c2 = p[2] * u[1] - p[3] * u[0];
        g[0] += b->h * b->minv * p[0];
        g[1] += b->h * b->minv * p[1];
        hand_turn(g + 2, u);
        p[2] += f * (c0 + (c1 * u[2] - c2 * u[1])); /* p + f (p x u + (p x u) x u) */
        p[3] += f * (c1 + (c2 * u[0] - c0 * u[2]));
        p[4] += f * (c2 + (c0 * u[1] - c1 * u[0]));
        const double l1 = 2 * b->s1 * (b->minv * p[0] - b->r * b->Jinv[1] * p[3] + b->Omega * g[1]);
        const double l2 = 2 * b->s2 * (b->minv * p[1] + b->r * b->Jinv[0] * p[2] - b->Omega * g[0]);
        p[0] -= l1;
        p[3] += b->r * l1;
        p[1] -= l2;
        p[2] -= b->r * l2;
    }
    memcpy(b->g, g, sizeof g);
    memcpy(b->p, p, sizeof p);
    return g[0];
}

/* ---- GSL's rk4 on the same equations, multipliers and velocity of the centre eliminated ---- */

typedef struct rk4 {
    gsl_odeiv2_step *step;
    gsl_odeiv2_system system;
    double y0[9], y[9]; /* x, y, quaternion, w */
} rk4;

/* I1 w1' = (I2 - I3) w2 w3 + r l2, I2 w2' = (I3 - I1) w3 w1 - r l1, l1 = m x'', l2 = m y''. */
static int ball_equations(double t, const double *y, double *dy, void *context)
{
    const double *c = context, *q = y + 2, *w = y + 6, r = c[RADIUS], mr = c[MASS] * r;
    (void)t;
    dy[0] = r * w[1] - c[OMEGA] * y[1];
    dy[1] = -r * w[0] + c[OMEGA] * y[0];
    dy[2] = 0.5 * (q[3] * w[0] + q[1] * w[2] - q[2] * w[1]);
    dy[3] = 0.5 * (q[3] * w[1] + q[2] * w[0] - q[0] * w[2]);
    dy[4] = 0.5 * (q[3] * w[2] + q[0] * w[1] - q[1] * w[0]);
    dy[5] = -0.5 * (q[0] * w[0] + q[1] * w[1] + q[2] * w[2]);
    dy[6] = ((c[I2] - c[I3]) * w[1] * w[2] + mr * c[OMEGA] * dy[0]) / (c[I1] + mr * r);
    dy[7] = ((c[I3] - c[I1]) * w[2] * w[0] + mr * c[OMEGA] * dy[1]) / (c[I2] + mr * r);
    dy[8] = (c[I1] - c[I2]) * w[0] * w[1] / c[I3];
    return GSL_SUCCESS;
}

static void rk4_init(rk4 *o)
{
    double *param = malloc(sizeof ball_param);
    o->step = gsl_odeiv2_step_alloc(gsl_odeiv2_step_rk4, 9);
    if (!param || !o->step) fail("rk4", "out of memory");
    memcpy(param, ball_param, sizeof ball_param);
    o->system = (gsl_odeiv2_system){ball_equations, NULL, 9, param};
    memcpy(o->y0, ball_g0, sizeof ball_g0);
    memcpy(o->y0 + 6, ball_w0, sizeof ball_w0);
}

static double run_rk4(void *context, long count)
{
    rk4 *o = context;
    double error[9];
    memcpy(o->y, o->y0, sizeof o->y);
    for (long n = 0; n < count; n++)
        if (gsl_odeiv2_step_apply(o->step, (double)n * H, H, o->y, error, NULL, NULL, &o->system) != GSL_SUCCESS)
            fail("rk4", "step failed");
    return o->y[0];
}

/* ---- checks ---- */

static double largest_difference(const double *a, const double *b, int n)
{
    double d = 0;
    for (int i = 0; i < n; i++) d = fmax(d, fabs(a[i] - b[i]));
    return d;
}

/* Library and hand agree to 1e-12 after 1000 steps, rk4 to the order of the step; nonzero: they do not. */
static int check(lg_integrator *const *balls, int count, hand *b, rk4 *o, int json)
{
    int bad = 0;
    run_hand(b, 1000);
    for (int k = 0; k < count; k++) {
        run_library(balls[k], 1000);
        const double d = fmax(largest_difference(lg_configuration(balls[k]), b->g, 6),
                              largest_difference(lg_momentum_minus(balls[k]), b->p, 5));
        if (!json) printf("library (%s) against hand after 1000 steps: %.1e\n", k ? "constant rows" : "callback", d);
        bad = bad || !(d < 1e-12);
    }
    run_rk4(o, 1000);
    const double d = largest_difference(o->y, b->g, 6);
    if (!json) printf("rk4 against hand after 1000 steps: %.1e (a second-order method)\n", d);
    return bad || !(d < 1e-2);
}

/* ---- other systems, for information ---- */

static lg_integrator *make_sleigh(const char *retraction)
{
    static const double inertia[9] = {1, 0, 0, 0, 1, 0.2, 0, 0.2, 1.04}, blade[3] = {0, 1, 0};
    static const double g0[4] = {0, 0, 1, 0}, xi0[3] = {-0.6, 0, 1};
    lg_system S = lg_system_default(lg_se2());
    S.inertia = inertia;
    S.constraints = 1;
    S.covector_matrix = blade;
    return make(&S, "gni", retraction, g0, xi0);
}

/* A free body: on SO(3), or on SE(3) with its mass in front. */
static lg_integrator *make_body(const lg_group *G, const char *retraction)
{
    static const double inertia[6] = {2, 2.5, 3, 1, 1.5, 2}, g0[7] = {0, 0, 0, 0, 0, 0, 1},
                        xi0[6] = {0.3, 0.2, 0.1, 1, 0.5, 2};
    const int skip = 6 - lg_dim(G);
    lg_system S = lg_system_default(G);
    S.inertia_diagonal = inertia + skip;
    return make(&S, "variational", retraction, g0 + skip, xi0 + skip);
}

/* Eight angles, an inertia that couples them all, three constant rows. */
static lg_integrator *make_eight(const lg_group *G)
{
    double inertia[64], rows[24] = {0}, zero[16] = {0};
    for (int i = 0; i < 64; i++) inertia[i] = i % 9 == 0 ? 2 : 0.1;
    for (int a = 0; a < 3; a++) rows[8 * a + a] = 1, rows[8 * a + a + 4] = -1;
    lg_system S = lg_system_default(G);
    S.inertia = inertia;
    S.constraints = 3;
    S.covector_matrix = rows;
    if (lg_identity(G, zero) != LG_OK) fail("eight", "identity");
    double xi0[8] = {0.1, 0.2, 0.3, 0.4, 0.1, 0.2, 0.3, 0.5};
    return make(&S, "gni", "cayley", zero, xi0);
}

/* ---- report ---- */

enum {
    CALLBACK,
    CONSTANT,
    HAND,
    RK4,
    EXP,
    SLEIGH_CAYLEY,
    SLEIGH_EXP,
    BODY_CAYLEY,
    BODY_EXP,
    SE3_CAYLEY,
    SE3_EXP,
    EIGHT,
    SE3_RN,
    CASES
};

static void print_case(bench_options *o, const bench_case *c, const bench_case *all)
{
    static const char *const names[] = {"to_hand", "to_rk4", "bytes", "newton_iterations"};
    const int is_ball = c - all <= EXP;
    const lg_integrator *it = c->run == run_library ? c->context : NULL;
    const double values[] = {
        is_ball ? bench_ratio(c, all + HAND) : (double)NAN, is_ball ? bench_ratio(c, all + RK4) : (double)NAN,
        it ? (double)lg_integrator_bytes(it) : (double)NAN, it ? (double)lg_newton_iterations(it) : (double)NAN};
    if (o->json) {
        bench_json_case(o, c, names, values, 4);
        return;
    }
    printf("%-48s %8.1f [%6.1f .. %6.1f]", c->name, c->median, c->low, c->high);
    if (is_ball)
        printf(" %7.2f %7.2f", values[0], values[1]);
    else
        printf(" %7s %7s", "", "");
    if (it) printf(" %6.0f %2.0f", values[2], values[3]);
    printf("\n");
}

static void print_goals(const bench_case *c)
{
    const double callback = bench_ratio(c + CALLBACK, c + HAND), constant = bench_ratio(c + CONSTANT, c + HAND);
    const double rk = bench_ratio(c + CALLBACK, c + RK4);
    size_t bytes = 0;
    for (int k = 0; k < CASES; k++)
        if (c[k].run == run_library && lg_integrator_bytes(c[k].context) > bytes)
            bytes = lg_integrator_bytes(c[k].context);
    printf("goals: callback/hand %.2f (1.60), constant/hand %.2f (1.30), callback/rk4 %.2f (0.50), largest integrator "
           "%zu bytes (8192)\n",
           callback, constant, rk, bytes);
}

static lg_group *product(const lg_group *a, const lg_group *b)
{
    const lg_group *const factors[2] = {a, b};
    lg_group *G = NULL;
    if (lg_group_product(&G, factors, 2) != LG_OK) fail("product", "cannot be made");
    return G;
}

int main(int argc, char **argv)
{
    bench_options o = bench_parse(argc, argv, "steps: nanoseconds per step of the integrators");
    const long steps = o.quick ? 200 : STEPS;
    lg_group *ball = product(lg_rn(2), lg_so3()), *eight = product(lg_rn(4), lg_torus(4)),
             *se3_rn = product(lg_se3(), lg_rn(2));
    hand b;
    rk4 r;
    bench_case c[CASES] = {
        [CALLBACK] = {.name = "ball, cayley, covectors by callback", .context = make_ball(ball, 0, "cayley")},
        [CONSTANT] = {.name = "ball, cayley, constant covectors", .context = make_ball(ball, 1, "cayley")},
        [HAND] = {.name = "ball, cayley, inline by hand", .run = run_hand, .context = &b},
        [RK4] = {.name = "ball, GSL rk4", .run = run_rk4, .context = &r},
        [EXP] = {.name = "ball, exp, covectors by callback", .context = make_ball(ball, 0, "exp")},
        [SLEIGH_CAYLEY] = {.name = "Chaplygin sleigh on SE(2), cayley", .context = make_sleigh("cayley")},
        [SLEIGH_EXP] = {.name = "Chaplygin sleigh on SE(2), exp", .context = make_sleigh("exp")},
        [BODY_CAYLEY] = {.name = "rigid body on SO(3), cayley", .context = make_body(lg_so3(), "cayley")},
        [BODY_EXP] = {.name = "rigid body on SO(3), exp", .context = make_body(lg_so3(), "exp")},
        [SE3_CAYLEY] = {.name = "rigid body on SE(3), cayley", .context = make_body(lg_se3(), "cayley")},
        [SE3_EXP] = {.name = "rigid body on SE(3), exp", .context = make_body(lg_se3(), "exp")},
        [EIGHT] = {.name = "n = 8, R^4 x T^4 coupled, 3 rows, generic flow", .context = make_eight(eight)},
        [SE3_RN] = {.name = "n = 8, SE(3) x R^2 coupled, 3 rows, generic flow", .context = make_eight(se3_rn)},
    };
    hand_init(&b, c[CALLBACK].context);
    rk4_init(&r);
    for (int k = 0; k < CASES; k++) {
        if (!c[k].run) c[k].run = run_library;
        c[k].count = steps;
    }
    lg_integrator *const balls[2] = {c[CALLBACK].context, c[CONSTANT].context};
    bench_open(&o, "steps");
    const int bad = check(balls, 2, &b, &r, o.json);
    bench_measure(c, CASES, &o);
    if (!o.json) printf("%-48s %8s %19s %7s %7s %6s %s\n", "", "ns/step", "", "to hand", "to rk4", "bytes", "Newton");
    for (int k = 0; k < CASES; k++) print_case(&o, &c[k], c);
    if (!o.json) print_goals(c);
    bench_close(&o);
    for (int k = 0; k < CASES; k++)
        if (c[k].run == run_library) lg_integrator_destroy(c[k].context);
    gsl_odeiv2_step_free(r.step);
    free(r.system.params);
    lg_group_destroy(ball), lg_group_destroy(eight), lg_group_destroy(se3_rn);
    if (bad) fprintf(stderr, "steps: library, hand and rk4 disagree\n");
    return bad;
}
