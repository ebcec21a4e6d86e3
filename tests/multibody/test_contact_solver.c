/* SPDX-License-Identifier: BSD-3-Clause */
/* The frictional complementarity solver alone: problems with answers, families of physical problems cold and warm, with
 * an independent check of the conditions. */
#include <math.h>
#include <string.h>

#include "support/contacts.h"
#include "support/suite.h"

static contacts_solver solver;

static mb_ncp_report solve(contacts_scene *s, mb_ncp *p, double *P, mb_ncp_effort effort)
{
    mb_ncp_report report;
    mb_ncp_dense_set(&solver.dense, s->W, s->contact, s->contacts);
    p->kernel = &solver.dense.kernel;
    mb_ncp_solve(&solver.work, p, P, effort, &report);
    return report;
}

/* ---- answers ---- */

/* A block that slides with mu = .3, sticks with a push below, and lifts off. */
static void block(void **unused)
{
    (void)unused;
    const double half[3] = {0.1, 0.1, 0.05}, at[3] = {0, 0, 0.05}, h = 0.005, g = 9.81;
    for (int k = 0; k < 3; k++) {
        const double speed[] = {2, 0, 0}, push[] = {0, 2.9, 30}, lift[] = {0, 0, 20};
        contacts_scene *s = contacts_new(h);
        contacts_box(s, 1, half, at);
        contacts_corners(s, CONTACTS_WORLD, 0, half, 0.3);
        s->velocity[0][0] = speed[k], s->wrench[0][0] = push[k], s->wrench[0][2] += lift[k];
        suite_case("case %d", k);
        double P[12] = {0}, sum[3] = {0};
        mb_ncp p = contacts_problem(s, 0.5);
        const mb_ncp_report r = solve(s, &p, P, MB_NCP_QUICK);
        assert_int_equal(r.outcome, MB_NCP_SOLVED);
        for (int i = 0; i < 12; i++) sum[i % 3] += P[i];
        /* rows of tangents are (x, y) of some basis: compare lengths */
        const double want_n = k == 2 ? 0 : g * h, want_t = k == 0 ? 0.3 * g * h : k == 1 ? 2.9 * h : 0;
        suite_near1("normal", sum[0], want_n, 1e-12, g * h);
        suite_near1("friction", hypot(sum[1], sum[2]), want_t, 1e-12, g * h);
        double again[12];
        memcpy(again, P, sizeof P);
        assert_int_equal(solve(s, &p, again, MB_NCP_QUICK).stage, MB_NCP_ENTRY);
        suite_same_bits("a solution is left alone", again, P, 12);
        contacts_free(s);
    }
}

int main(void)
{
    suite_begin("contact_solver");
    contacts_solver_make(&solver);
    const struct CMUnitTest tests[] = {cmocka_unit_test(block)};
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    contacts_solver_free(&solver);
    return failed;
}
