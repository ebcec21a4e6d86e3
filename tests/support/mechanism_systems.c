/* SPDX-License-Identifier: BSD-3-Clause */
#include "support/mechanism_systems.h"

#include <math.h>
#include <string.h>

#include <liegrp/multibody/gallery.h>

#include "support/matrix.h"

const double gallery_controls[MECHANISM_MOST] = {0.02, 0.04, 0.06, 0.08, 0.1, 0.12, 0.14, 0.16, 0.18, 0.2,
                                                 0.22, 0.24, 0.26, 0.28, 0.3, 0.32, 0.34, 0.36, 0.38};

lg_mechanism *gallery_mechanism(int i, int kept)
{
    lg_mechanism *m = NULL;
    mechanism_well(lg_gallery_describe(&m, i), m);
    if (kept) mechanism_well(lg_mechanism_keep_order(m), m);
    mechanism_well(lg_mechanism_compile(m), m);
    return m;
}

lg_motion *gallery_motion(const lg_mechanism *m, int i, const char *method, double h)
{
    lg_motion *mo = NULL;
    motion_well(motion_create(&mo, m, method, h), mo);
    motion_well(lg_gallery_start(mo, i), mo);
    if (lg_mechanism_motor_count(m) > 0) motion_well(lg_motion_set_control(mo, gallery_controls), mo);
    return mo;
}

const lg_system *system_of(lg_mechanism *m)
{
    const lg_system *S;
    mechanism_well(lg_mechanism_system(m, &S), m);
    return S;
}

void integrator_well(lg_status st, const lg_integrator *it)
{
    if (st != LG_OK) suite_fail("%s: %s", lg_status_name(st), lg_integrator_message(it));
}

/* The integrator of a mechanism's system, from the state of its motion. */
lg_integrator *dense_of(lg_mechanism *m, const lg_motion *mo, const char *method, double h)
{
    double g[7 * MECHANISM_MOST], p[6 * MECHANISM_MOST];
    lg_integrator *it;
    integrator_well(lg_integrator_create(&it, system_of(m), method, "cayley", h), it);
    suite_ok("state", lg_motion_state(mo, g, NULL, p));
    integrator_well(lg_integrator_start_momentum(it, lg_motion_time(mo), g, p), it);
    return it;
}

/* Both after some steps; quaternions of both have the sign that steps give them. */
lg_status motion_start_momentum(lg_motion *mo, lg_mechanism *m, double t0, const double *g, const double *p,
                                int project)
{
    const lg_system *S = system_of(m);
    const int n = 6 * lg_mechanism_body_count(m);
    double xi[6 * MECHANISM_MOST], block[36];
    for (int b = 0; b < n; b += 6) {
        for (int i = 0; i < 36; i++) {
            const int row = b + i / 6, column = b + i % 6;
            block[i] = S->inertia != NULL ? S->inertia[row * n + column] : row == column ? S->inertia_diagonal[row] : 0;
        }
        assert_true(mat_solve(xi + b, block, p + b, 6));
    }
    return lg_motion_start_state(mo, t0, g, xi, project);
}

void mechanism_compare(const lg_motion *mo, const lg_integrator *it, int bodies, double tolerance)
{
    double g[7 * MECHANISM_MOST], p[6 * MECHANISM_MOST];
    suite_ok("state", lg_motion_state(mo, g, NULL, p));
    suite_near("configuration", lg_integrator_configuration(it), g, 7 * bodies, tolerance, 1);
    suite_near("momentum", lg_integrator_momentum(it), p, 6 * bodies, tolerance, fmax(1, mat_norm(p, 6 * bodies)));
}

void mechanism_both_steps(lg_mechanism *m, lg_motion *mo, double h, int steps, double tolerance)
{
    lg_integrator *it = dense_of(m, mo, "sem:cholesky", h);
    if (system_of(m)->callbacks.control_count > 0) {
        motion_well(lg_motion_set_control(mo, gallery_controls), mo);
        integrator_well(lg_integrator_set_control(it, gallery_controls), it);
    }
    const double H = lg_motion_energy(mo);
    suite_near1("energy at the start", lg_integrator_energy(it), H, 1e-13, fmax(1, fabs(H)));
    for (int i = 0; i < steps; i++) {
        const double before = lg_integrator_energy(it);
        integrator_well(lg_integrator_step(it), it);
        motion_well(lg_motion_step(mo, 1), mo);
        suite_near1("balance", lg_integrator_energy(it) - before, lg_integrator_step_work(it), 1e-11,
                    fmax(1, fabs(before)));
    }
    mechanism_compare(mo, it, lg_mechanism_body_count(m), tolerance);
    lg_integrator_destroy(it);
}

lg_motion *motion_started(const lg_mechanism *m, const char *method, double h, lg_rng *rng)
{
    lg_motion *mo = NULL;
    double v[6 * MECHANISM_MOST];
    motion_well(motion_create(&mo, m, method, h), mo);
    suite_normal(v, lg_motion_position_count(mo), rng);
    motion_well(lg_motion_start_joints(mo, 0, NULL, v, 1), mo);
    return mo;
}

void mechanism_derivatives(lg_mechanism *m, const lg_motion *mo, int points, lg_rng *rng)
{
    double g[7 * MECHANISM_MOST];
    lg_error e;
    suite_ok("state", lg_motion_state(mo, g, NULL, NULL));
    if (lg_system_validate(system_of(m), &e) != LG_OK) suite_fail("%s", e.message);
    if (lg_system_check(system_of(m), rng, g, points, 0, &e) != LG_OK) suite_fail("%s", e.message);
}

void mechanism_sem_order(const lg_mechanism *m, const double *v, const double *u, double h, double tolerance)
{
    double x[4][12 * MECHANISM_MOST], error[2] = {0, 0};
    int n = 0;
    for (int k = 0; k < 4; k++) {
        lg_motion *mo = NULL;
        motion_well(motion_create(&mo, m, k < 2 ? "sem" : "gauss", k < 2 ? h / (1 << k) : 2 * h / (1 << (k - 2))), mo);
        motion_well(lg_motion_start_joints(mo, 0, NULL, v, 1), mo);
        if (u != NULL) motion_well(lg_motion_set_control(mo, u), mo);
        const double H = lg_motion_energy(mo);
        motion_well(lg_motion_run_to(mo, 0.4), mo);
        suite_near1("balance", lg_motion_energy(mo) - H, lg_motion_work(mo), k < 2 ? 1e-12 : 1e-11, 10);
        n = lg_motion_position_count(mo);
        suite_ok("positions", lg_motion_positions(mo, x[k], x[k] + n));
        lg_motion_destroy(mo);
    }
    suite_near("gauss", x[3], x[2], 2 * n, tolerance, 1);
    for (int k = 0; k < 2; k++)
        for (int i = 0; i < 2 * n; i++) error[k] = fmax(error[k], fabs(x[k][i] - x[3][i]));
    suite_near1("order", log2(error[0] / error[1]), 2, 0.2, 1);
}
