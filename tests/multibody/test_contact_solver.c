/* SPDX-License-Identifier: BSD-3-Clause */
/* The frictional complementarity solver alone: problems with answers, degenerate and impossible ones, families of
 * physical problems cold and warm with an independent check of the conditions, random graphs of bodies; both operators.
 */
#include <math.h>
#include <string.h>

#include "base/dense.h"
#include "support/allocations.h"
#include "support/contacts.h"
#include "support/suite.h"

enum { ROWS = 3 * CONTACTS_MOST };

static contacts_solver solver;

static mb_ncp_report solve(const contacts_scene *s, mb_ncp *p, double *P, mb_ncp_effort effort, int sparse)
{
    mb_ncp_report report;
    const long before = allocations;
    contacts_use(&solver, s, p, sparse);
    mb_ncp_solve(&solver.work, p, P, effort, &report);
    assert_int_equal(allocations, before);
    return report;
}

/* Fails unless the conditions hold, to a few tolerances. */
static void check(const contacts_scene *s, const mb_ncp *p, const double *P, double most)
{
    double cone;
    suite_below("violation of the conditions", contacts_violation(s, p, P, &cone), most * p->tolerance);
    suite_below("outside the cone", cone, 0);
}

/* ---- answers ---- */

/* A block that slides with mu = .3, sticks with a push below the limit, and lifts off. */
static void block(void **unused)
{
    (void)unused;
    const double half[3] = {0.1, 0.1, 0.05}, at[3] = {0, 0, 0.05}, h = 0.005, g = 9.81;
    for (int k = 0; k < 6; k++) {
        const double speed[] = {2, 0, 0}, push[] = {0, 2.9, 30}, lift[] = {0, 0, 20};
        const int sparse = k / 3, which = k % 3;
        contacts_scene *s = contacts_new(h);
        contacts_box(s, 1, half, at);
        contacts_corners(s, CONTACTS_WORLD, 0, half, 0.3);
        s->velocity[0][0] = speed[which], s->wrench[0][0] = push[which], s->wrench[0][2] += lift[which];
        suite_case("case %d, %s", which, sparse ? "sparse" : "dense");
        double P[12] = {0}, sum[3] = {0}, again[12];
        mb_ncp p = contacts_problem(s, 0.5);
        assert_int_equal(solve(s, &p, P, MB_NCP_QUICK, sparse).outcome, MB_NCP_SOLVED);
        for (int i = 0; i < 12; i++) sum[i % 3] += P[i];
        const double want_n = which == 2 ? 0 : g * h, want_t = which == 0 ? 0.3 * g * h : which == 1 ? 2.9 * h : 0;
        suite_near1("normal", sum[0], want_n, 1e-12, g * h);
        suite_near1("friction", hypot(sum[1], sum[2]), want_t, 1e-12, g * h);
        memcpy(again, P, sizeof P);
        assert_int_equal(solve(s, &p, again, MB_NCP_QUICK, sparse).stage, MB_NCP_ENTRY);
        suite_same_bits("a solution is left alone", again, P, 12);
        contacts_free(s);
    }
}

/* One problem with a dense W, from P = 0. */
static mb_ncp_report small(const mb_ncp_contact *contact, int contacts, const double *W, const double *b, double *P)
{
    mb_ncp_report report;
    mb_ncp_dense_set(&solver.dense, W, contact, contacts);
    const mb_ncp_contact *last = &contact[contacts - 1];
    const mb_ncp p = {contacts, last->at + last->rows, contact, b, &solver.dense.kernel, 1, 1e-12, 1e-12, 0, 0};
    memset(P, 0, sz(p.rows) * sizeof *P);
    mb_ncp_solve(&solver.work, &p, P, MB_NCP_WHOLE, &report);
    return report;
}

/* Rows of one number: W = 2, some b. */
static void intervals(void **unused)
{
    (void)unused;
    const double W = 2;
    static const struct {
        double low, high, b, P;
    } row[] = {{0, (double)INFINITY, -3, 1.5},
               {0, (double)INFINITY, 3, 0},
               {1, (double)INFINITY, 3, 1},
               {1, (double)INFINITY, -3, 1.5},
               {1, (double)INFINITY, -1, 1},
               {-0.4, 0.4, 3, -0.4},
               {-0.4, 0.4, -3, 0.4},
               {-0.4, 0.4, 0.5, -0.25},
               {-0.4, 0.4, 0, 0},
               {0.7, 0.7, -9, 0.7},
               {0, 0, 5, 0},
               {-1, 3, -10, 3}};
    for (int i = 0; i < (int)(sizeof row / sizeof *row); i++) {
        const mb_ncp_contact c = {0, 1, 0, row[i].low, row[i].high};
        double P[1];
        suite_case("row %d", i);
        assert_int_equal(small(&c, 1, &W, &row[i].b, P).outcome, MB_NCP_SOLVED);
        suite_near1("P", P[0], row[i].P, 1e-12, 1);
    }
}

/* A mass in a plane and in space, W = I: normal 1, tangent speed 2; as expansion with a bound that holds and slides. */
static void expansion(void **unused)
{
    (void)unused;
    static const double identity[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    static const double planar[4] = {1, 0, 0, 1};
    static const struct {
        double low, mu, b[3], P[3];
    } is[] = {{0, 0.5, {-1, 2, 0}, {1, -0.5, 0}},      {0.8, 0.5, {1, 2, 0}, {0.8, -0.4, 0}},
              {0.8, 0.5, {1, 0.1, 0}, {0.8, -0.1, 0}}, {0.8, 0.5, {-1, 0, 3}, {1, 0, -0.5}},
              {0.8, 0, {1, 2, 0}, {0.8, 0, 0}},        {0, 2, {-1, 1.5, 0}, {1, -1.5, 0}}};
    for (int i = 0; i < (int)(sizeof is / sizeof *is); i++)
        for (int rows = 2; rows < 4; rows++) {
            const mb_ncp_contact c = {0, rows, is[i].mu, is[i].low, (double)INFINITY};
            double P[3];
            if (rows == 2 && is[i].b[2] != 0) continue;
            suite_case("case %d, %d rows", i, rows);
            assert_int_equal(small(&c, 1, rows == 2 ? planar : identity, is[i].b, P).outcome, MB_NCP_SOLVED);
            suite_near("P", P, is[i].P, rows, 1e-11, 1);
        }
}

/* Problems without a solution, rows that cannot move, NaN. */
static void impossible(void **unused)
{
    (void)unused;
    const mb_ncp_contact free[] = {{0, 1, 0, 0, (double)INFINITY}, {1, 1, 0, 0, (double)INFINITY}};
    const double jammed[4] = {1, -1, -1, 1}, closing[2] = {-1, -1}, opening[2] = {-1, 1};
    double P[3] = {0};
    mb_ncp_report r = small(free, 2, jammed, closing, P); /* u_1 + u_2 = -2 whatever P is */
    assert_int_equal(r.outcome, MB_NCP_REFUSED);
    assert_true(r.factorisations < 20000);
    assert_int_equal(small(free, 2, jammed, opening, P).outcome, MB_NCP_SOLVED); /* compatible: u = 0 */
    const double rounded[2] = {-1, 1 - 1e-11};                                   /* impossible by 1e-11 */
    r = small(free, 2, jammed, rounded, P);
    assert_int_equal(r.outcome, MB_NCP_FLOOR);
    suite_below("residual at the floor", r.residual, 1e-11);
    suite_below("factors", r.factorisations, 250);
    const double still[4] = {0, 0, 0, 2}, b[2] = {1e-3, -1}, into[2] = {-1e-3, -1};
    assert_int_equal(small(free, 2, still, b, P).outcome, MB_NCP_SOLVED);
    suite_near("a row that cannot move", P, (double[2]){0, 0.5}, 2, 1e-12, 1);
    assert_int_equal(small(free, 2, still, into, P).outcome, MB_NCP_REFUSED);
    suite_near("P is unchanged", P, (double[2]){0, 0}, 2, 0, 1);
    for (int i = 0; i < 2; i++) {
        const double bad[2] = {i ? -1 : (double)NAN, i ? (double)NAN : -1};
        r = small(free, 2, still, bad, P);
        assert_int_equal(r.outcome, MB_NCP_REFUSED);
        assert_int_equal(r.factorisations, 0);
    }
    const mb_ncp_contact cone = {0, 3, 0.5, 0, (double)INFINITY};
    const double nothing[9] = {0}, rest[3] = {0, 0, 0};
    assert_int_equal(small(&cone, 1, nothing, rest, P).outcome, MB_NCP_SOLVED);
}

/* ---- methods alone ---- */

/* Impulses 0 as the point from which a method starts. */
static mb_ncp_work *begin(const contacts_scene *s, mb_ncp *p)
{
    static const double zero[ROWS];
    mb_ncp_work *w = &solver.work;
    contacts_use(&solver, s, p, 1);
    w->best_residual = (double)INFINITY, w->factorisations = 0;
    mb_ncp_scales(w->d, p);
    mb_ncp_move(w, p, &w->x, zero);
    return w;
}

/* A projection is nearer than all points of the set: (z - Pr z).(q - Pr z) <= 0. */
static void projections(void **unused)
{
    (void)unused;
    lg_rng rng = suite_rng(7);
    for (int i = 0; i < suite_count(3000); i++) {
        const int kind = i % 4;
        const double mu = 2 * lg_rng_uniform(&rng) * (kind > 0), low = kind == 1 ? lg_rng_uniform(&rng) : 0;
        const mb_ncp_contact c = {0, kind == 3 ? 1 : 3, kind == 3 ? 0 : mu, kind == 3 ? -1 : low,
                                  kind == 3 ? 0.5 : (double)INFINITY};
        double z[3] = {0}, x[3], q[3] = {0}, product = 0;
        suite_normal(z, c.rows, &rng), suite_normal(q, c.rows, &rng);
        q[0] = mb_ncp_clamp(&c, q[0] + 1);
        const double most = hypot(q[1], q[2]), radius = c.friction * q[0] * lg_rng_uniform(&rng);
        for (int k = 1; k < 3; k++) q[k] *= most > 0 ? radius / most : 0;
        memcpy(x, z, sizeof z);
        mb_ncp_project(x, &c);
        for (int k = 0; k < 3; k++) product += (z[k] - x[k]) * (q[k] - x[k]);
        suite_case("kind %d", kind);
        suite_below("variational inequality", product, 1e-13);
        suite_below("outside", fmax(c.low - x[0], hypot(x[1], x[2]) - c.friction * x[0]), 1e-14);
    }
}

/* One contact is solved by one sweep. */
static void one_contact(void **unused)
{
    (void)unused;
    lg_rng rng = suite_rng(8);
    for (int i = 0; i < suite_count(3000); i++) {
        const int rows = 1 + i % 3;
        const mb_ncp_contact c = {0, rows, rows > 1 ? 1.5 * lg_rng_uniform(&rng) : 0, i % 2 ? lg_rng_uniform(&rng) : 0,
                                  (double)INFINITY};
        double A[9], W[9] = {0}, b[3];
        suite_normal(A, 9, &rng), suite_normal(b, 3, &rng);
        for (int k = 0; k < rows * rows; k++)
            for (int j = 0; j < 3; j++) W[k] += A[3 * (k / rows) + j] * A[3 * (k % rows) + j];
        mb_ncp_dense_set(&solver.dense, W, &c, 1);
        const mb_ncp p = {1, rows, &c, b, &solver.dense.kernel, 1, 1e-12, 1e-12, 0, 0};
        mb_ncp_work *w = &solver.work;
        const double zero[3] = {0};
        mb_ncp_scales(w->d, &p);
        mb_ncp_move(w, &p, &w->x, zero);
        assert_true(mb_ncp_seidel(w, &p, 1));
        suite_case("%d rows, low %g", rows, c.low);
        suite_below("residual", w->x.residual, 1e-9);
    }
}

/* Stacks above and below slip by one method, cold. Without acceleration ADMM takes thousands of iterations. */
static void alone(void **unused)
{
    (void)unused;
    for (int f = 0; f <= CONTACTS_STACK_58; f++) {
        contacts_scene *s = contacts_make((contacts_family)f, 0);
        mb_ncp p = contacts_problem(s, 0.5);
        mb_ncp_work *w = begin(s, &p);
        suite_case("%s", contacts_family_name((contacts_family)f));
        mb_ncp_admm(w, &p, 1e-5);
        suite_below("ADMM", w->best_residual, p.tolerance);
        suite_below("its factors", w->factorisations, 40);
        w = begin(s, &p);
        mb_ncp_interior(w, &p, 1, 1e-6);
        suite_below("interior point", w->best_residual, 1e-6);
        suite_below("its factors", w->factorisations, 16);
        contacts_free(s);
    }
    int near = 0;
    for (int i = 0; i < 40; i++) {
        contacts_scene *s = contacts_synthetic((uint64_t)i);
        mb_ncp p = contacts_problem(s, 0.5);
        mb_ncp_work *w = begin(s, &p);
        mb_ncp_interior(w, &p, 1, 1e-6);
        near += w->best_residual <= 1e-6;
        contacts_free(s);
    }
    print_message("# interior point: %d of 40 random graphs\n", near);
    suite_above("random graphs by the interior point", near, 27);
}

/* ---- operators ---- */

/* Blocks that must be pivoted more than once: LU swaps whole rows, so a solution swaps all before it substitutes. */
static void six(void **unused)
{
    (void)unused;
    lg_rng rng = suite_rng(1);
    for (int i = 0; i < suite_count(1000); i++) {
        double A[MB_BLOCK], LU[MB_BLOCK], x[6], b[6] = {0};
        int pivot[6];
        for (int k = 0; k < MB_BLOCK; k++) A[k] = lg_rng_normal(&rng) * (lg_rng_uniform(&rng) < 0.5 ? 1e-3 : 1);
        suite_normal(x, 6, &rng);
        for (int k = 0; k < MB_BLOCK; k++) b[k / 6] += A[k] * x[k % 6];
        memcpy(LU, A, sizeof A);
        assert_true(mb_block_factor(LU, pivot, 6));
        mb_block_solve(LU, pivot, b, 6);
        double left = 0, size = 0; /* of A b - A x: no condition number enters */
        for (int r = 0; r < 6; r++) {
            double sum = 0;
            for (int k = 0; k < 6; k++) sum += A[6 * r + k] * (b[k] - x[k]), size = fmax(size, fabs(b[k]));
            left = fmax(left, fabs(sum));
        }
        suite_below("residual", left, 1e-13 * size * 10);
    }
    double zero[MB_BLOCK] = {0};
    int pivot[6];
    assert_false(mb_block_factor(zero, pivot, 6));
}

/* The graph of bodies and the dense W do the same to random numbers. */
static void operators(void **unused)
{
    (void)unused;
    for (int f = 0; f < CONTACTS_FAMILIES + 6; f++) {
        contacts_scene *s =
            f < CONTACTS_FAMILIES ? contacts_make((contacts_family)f, 1) : contacts_synthetic((uint64_t)f);
        for (int b = 0; b < s->bodies; b++) { /* axes that are not the principal ones */
            double *I = s->body[b].inertia;
            const double least = fmin(I[0], fmin(I[1], I[2]));
            I[3] = 0.1 * least, I[4] = -0.2 * least, I[5] = 0.3 * least;
        }
        mb_ncp p = contacts_problem(s, f % 2 ? 1 : 0.5);
        lg_rng rng = suite_rng((uint64_t)f);
        static double P[ROWS], k[ROWS], r[ROWS], K[MB_NCP_BLOCK * CONTACTS_MOST], u[2][ROWS], dP[2][ROWS], du[2][ROWS];
        suite_case("family %d", f);
        suite_normal(P, p.rows, &rng), suite_normal(k, p.rows, &rng), suite_normal(r, p.rows, &rng);
        memset(K, 0, sizeof K);
        for (int i = 0; i < p.contacts; i++)
            for (int a = 0; a < 3 && i % 3 > 0; a++) {
                K[MB_NCP_BLOCK * i + 4 * a] = fabs(lg_rng_normal(&rng));
                K[MB_NCP_BLOCK * i + 3 * a] += 0.3 * lg_rng_normal(&rng) * (a > 0);
            }
        for (int m = 0; m < 2; m++) {
            contacts_use(&solver, s, &p, m);
            p.kernel->apply(p.kernel, u[m], P);
            assert_true(p.kernel->factor(p.kernel, K));
            p.kernel->solve(p.kernel, dP[m], du[m], k, r);
        }
        suite_near("W P", u[1], u[0], p.rows, 1e-10, lg_norm_max(u[0], p.rows));
        suite_near("dP", dP[1], dP[0], p.rows, 1e-10, lg_norm_max(dP[0], p.rows));
        suite_near("du", du[1], du[0], p.rows, 1e-10, lg_norm_max(du[0], p.rows));
        contacts_free(s);
    }
}

/* The graph refuses what does not fit or determine the motion. */
static void refusals(void **unused)
{
    (void)unused;
    contacts_scene *s = contacts_make(CONTACTS_CHAIN_5, 1);
    const mb_ncp p = contacts_problem(s, 0.5);
    mb_ncp_sparse few = {0};
    lg_arena a = {NULL, 0};
    mb_ncp_sparse_take(&few, &a, 10, 20, 9, 40);
    void *memory = lg_reserve(a.used);
    assert_non_null(memory);
    a = (lg_arena){memory, 0};
    mb_ncp_sparse_take(&few, &a, 10, 20, 9, 40);
    assert_int_equal(mb_ncp_sparse_set(&few, &s->system, p.contact), MB_NCP_NO_ROOM);
    assert_true(few.graph.blocks > 40);
    lg_release(memory);
    s->joint[1] = s->joint[0]; /* twice */
    assert_int_equal(mb_ncp_sparse_set(&solver.sparse, &s->system, p.contact), MB_NCP_DEPENDENT);
    contacts_free(s);
    s = contacts_make(CONTACTS_BOXES, 1);
    contacts_problem(s, 0.5);
    s->body[0].inertia[1] = 0;
    assert_int_equal(mb_ncp_sparse_set(&solver.sparse, &s->system, s->contact), MB_NCP_DEPENDENT);
    contacts_free(s);
}

/* ---- families ---- */

enum { COLD, WARM, NODE, CALLS };

typedef struct tally {
    int calls, left, factors, stage[MB_NCP_STAGES];
} tally;

static void call(contacts_scene *s, mb_ncp *p, double *P, int sparse, tally *t)
{
    const mb_ncp_report r = solve(s, p, P, MB_NCP_QUICK, sparse);
    t->calls++, t->factors += r.factorisations, t->stage[r.stage]++;
    t->left += r.outcome != MB_NCP_SOLVED;
    if (r.outcome == MB_NCP_SOLVED) check(s, p, P, 4);
}

/* Steps of a scene; each is solved cold, then warm: five sweeps whose velocities approach the step's, then its node. */
static void steps(contacts_family f, uint64_t seed, int count, int sparse, tally *t)
{
    contacts_scene *s = contacts_make(f, seed);
    double old[CONTACTS_BODIES][6], now[CONTACTS_BODIES][6];
    memcpy(old, s->velocity, sizeof old);
    for (int k = 0; k < count; k++) {
        double P[ROWS] = {0};
        suite_case("%s, seed %d, step %d, %s", contacts_family_name(f), (int)seed, k, sparse ? "sparse" : "dense");
        mb_ncp p = contacts_problem(s, 0.5);
        call(s, &p, P, sparse, &t[COLD]);
        memcpy(now, s->velocity, sizeof now);
        for (int sweep = 1; sweep <= 5; sweep++) {
            const double part = sweep < 5 ? pow(1e-3, sweep) : 0;
            for (int i = 0; i < 6 * s->bodies; i++)
                s->velocity[i / 6][i % 6] = now[i / 6][i % 6] + part * (old[i / 6][i % 6] - now[i / 6][i % 6]);
            p = contacts_problem(s, 0.5);
            call(s, &p, s->P, sparse, &t[WARM]);
        }
        memcpy(old, now, sizeof old);
        contacts_advance(s, s->P);
        p = contacts_problem(s, 1);
        memcpy(s->R, s->P, sizeof s->R);
        call(s, &p, s->R, sparse, &t[NODE]);
        contacts_advance(s, s->R);
    }
    contacts_free(s);
}

/* All are solved, but for a few nodes of heaps, where contacts wedge. */
static void families(void **unused)
{
    (void)unused;
    tally warm = {0};
    for (int f = 0; f < CONTACTS_FAMILIES; f++) {
        const int seeded = f >= CONTACTS_CHAIN_5, seeds = seeded ? suite_count(10) : 1;
        tally t[CALLS] = {{0}};
        for (int seed = 0; seed < seeds; seed++)
            for (int sparse = 0; sparse < 2; sparse++)
                if (sparse || seed == 0) steps((contacts_family)f, (uint64_t)seed, seeded ? 4 : 16, sparse, t);
        suite_case("%s", contacts_family_name((contacts_family)f));
        print_message("# %-14s factors a call: cold %5.2f, warm %4.2f, node %5.2f; unsolved %d, %d, %d of %d, %d, %d\n",
                      contacts_family_name((contacts_family)f), t[COLD].factors / (double)t[COLD].calls,
                      t[WARM].factors / (double)t[WARM].calls, t[NODE].factors / (double)t[NODE].calls, t[COLD].left,
                      t[WARM].left, t[NODE].left, t[COLD].calls, t[WARM].calls, t[NODE].calls);
        suite_below("unsolved, cold and warm", t[COLD].left + t[WARM].left, 0);
        suite_below("unsolved nodes", t[NODE].left, f == CONTACTS_BALLS ? 0.1 * t[NODE].calls : 0);
        if (f != CONTACTS_BALLS) warm.calls += t[WARM].calls, warm.factors += t[WARM].factors;
    }
    suite_below("factors a warm call", warm.factors / (double)warm.calls, 1);
}

/* A resting and a pushed stack for longer. */
static void stacks(void **unused)
{
    (void)unused;
    for (int f = 0; f <= CONTACTS_STACK_58; f++) {
        tally t[CALLS] = {{0}};
        steps((contacts_family)f, 0, 40, 1, t);
        for (int k = 0; k < CALLS; k++) suite_below("unsolved", t[k].left, 0);
        suite_below("factors a warm call", t[WARM].factors / (double)t[WARM].calls, 0.5);
        suite_below("factors a node", t[NODE].factors / (double)t[NODE].calls, 1.5);
    }
}

/* Coupled by cycles, some of these have no solution: their paths in mu end before they arrive. */
static void random_graphs(void **unused)
{
    (void)unused;
    const int count = suite_count(240);
    int solved[2] = {0, 0};
    for (int i = 0; i < count; i++) {
        contacts_scene *s = contacts_synthetic((uint64_t)i);
        mb_ncp p = contacts_problem(s, 0.5);
        suite_case("random graph %d", i);
        for (int effort = 0, well = 0; effort < 2; effort++) {
            double P[ROWS] = {0};
            if (!well && solve(s, &p, P, (mb_ncp_effort)effort, 1).outcome == MB_NCP_SOLVED) {
                check(s, &p, P, 20);
                well = 1;
            }
            solved[effort] += well;
        }
        contacts_free(s);
    }
    print_message("# random graphs: %d of %d, with the last resort %d\n", solved[0], count, solved[1]);
    suite_above("solved", solved[0], count == 240 ? 231 : 0.9 * count);
    suite_above("solved with the last resort", solved[1], count == 240 ? 238 : 0.9 * count);
}

static double kinetic(const contacts_scene *s)
{
    double sum = 0;
    for (int b = 0; b < s->bodies; b++)
        for (int k = 0; k < 6; k++)
            sum += 0.5 * (k < 3 ? s->body[b].mass : s->body[b].inertia[k - 3]) * s->velocity[b][k] * s->velocity[b][k];
    return sum;
}

/* Impacts by Poisson's law: compression P_c, then expansion from its end with P_n >= e P_c. Energy is lost in all. */
static void impacts(void **unused)
{
    (void)unused;
    static const contacts_family family[] = {CONTACTS_STACK_REST, CONTACTS_STACK_HEAVY, CONTACTS_CHAIN_5,
                                             CONTACTS_BOXES,      CONTACTS_TANGLE,      CONTACTS_DUPLICATE};
    for (int i = 0; i < 6 * suite_count(10); i++) {
        contacts_scene *s = contacts_make(family[i % 6], (uint64_t)i);
        lg_rng rng = suite_rng((uint64_t)i);
        const double e = lg_rng_uniform(&rng);
        for (int b = 0; b < s->bodies; b++) s->velocity[b][0] += 1, s->velocity[b][2] -= 2;
        double P[ROWS] = {0};
        suite_case("%s, e = %g", contacts_family_name(family[i % 6]), e);
        mb_ncp p = contacts_problem(s, 1);
        assert_int_equal(solve(s, &p, P, MB_NCP_WHOLE, i % 2).outcome, MB_NCP_SOLVED);
        check(s, &p, P, 4);
        const double before = kinetic(s);
        contacts_advance(s, P);
        for (int k = 0; k < s->contacts; k++) s->contact[k].low = e * P[s->contact[k].at];
        p = contacts_problem(s, 1);
        for (int k = 0; k < s->rows; k++) P[k] *= e; /* a guess */
        assert_int_equal(solve(s, &p, P, MB_NCP_WHOLE, i % 2).outcome, MB_NCP_SOLVED);
        check(s, &p, P, 4);
        int held = 0;
        for (int k = 0; k < s->contacts; k++) held += s->contact[k].low > 0 && P[s->contact[k].at] == s->contact[k].low;
        suite_above("contacts that leave", held, 0);
        contacts_advance(s, P);
        suite_below("kinetic energy", kinetic(s) - before, 1e-12 * before);
        contacts_free(s);
    }
}

/* Equal calls have equal bits, whatever was solved between them. */
static void repeats(void **unused)
{
    (void)unused;
    for (int f = 0; f < 4; f++) {
        contacts_scene *s = contacts_synthetic((uint64_t)f), *other = contacts_make(CONTACTS_CHAIN_5, 3);
        double P[3][ROWS] = {{0}};
        mb_ncp p = contacts_problem(s, 0.5), q = contacts_problem(other, 0.5);
        const mb_ncp_report first = solve(s, &p, P[0], MB_NCP_QUICK, 1);
        solve(other, &q, P[2], MB_NCP_QUICK, 1);
        const mb_ncp_report second = solve(s, &p, P[1], MB_NCP_QUICK, 1);
        suite_same_bits("impulses", P[1], P[0], p.rows);
        assert_int_equal(first.factorisations, second.factorisations);
        contacts_free(s), contacts_free(other);
    }
}

int main(void)
{
    suite_begin("contact_solver");
    contacts_solver_make(&solver);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(block),      cmocka_unit_test(intervals),     cmocka_unit_test(expansion),
        cmocka_unit_test(impossible), cmocka_unit_test(projections),   cmocka_unit_test(one_contact),
        cmocka_unit_test(alone),      cmocka_unit_test(impacts),       cmocka_unit_test(six),
        cmocka_unit_test(operators),  cmocka_unit_test(refusals),      cmocka_unit_test(stacks),
        cmocka_unit_test(families),   cmocka_unit_test(random_graphs), cmocka_unit_test(repeats)};
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    contacts_solver_free(&solver);
    return failed;
}
