/* SPDX-License-Identifier: BSD-3-Clause */
#include "claims/multibody/motions.h"

lg_status claim_motion_create(claim_motion *x, const char *method, double h)
{
    lg_motion_options o = lg_motion_options_default();
    o.method = method, o.step = h;
    const lg_status status = lg_model_of_mechanism(&x->M, x->m, NULL);
    return status == LG_OK ? lg_motion_create(&x->mo, x->M, &o) : status;
}

int claim_gallery_count(void)
{
    return lg_gallery_index("bouncing-ball");
}

int claim_motion_open(claim_report *r, claim_motion *x, const char *name, const char *method, double h)
{
    const int i = lg_gallery_index(name);
    memset(x, 0, sizeof *x);
    claim_case(r, name, method, NULL);
    x->h = h > 0 ? h : lg_gallery_step(i);
    return claim_ok(r, lg_gallery_create(&x->m, i), "mechanism", lg_mechanism_message(x->m)) &&
           claim_ok(r, claim_motion_create(x, method, x->h), "motion", lg_motion_message(x->mo)) &&
           claim_ok(r, lg_gallery_start(x->mo, i), "start", lg_motion_message(x->mo));
}

void claim_motion_close(claim_motion *x)
{
    lg_motion_destroy(x->mo);
    lg_model_destroy(x->M);
    lg_mechanism_destroy(x->m);
}

int claim_motion_steps(claim_report *r, claim_motion *x, int64_t steps)
{
    return claim_ok(r, lg_motion_step(x->mo, steps), "step", lg_motion_message(x->mo));
}

int claim_motion_watch(claim_report *r, claim_motion *x, int64_t steps, int every, claim_deviations *d)
{
    const double H0 = lg_motion_energy(x->mo);
    memset(d, 0, sizeof *d);
    d->scale = fmax(1, fabs(H0));
    for (int64_t k = 0; k < steps; k += every) {
        if (!claim_motion_steps(r, x, every)) return 0;
        const double H = lg_motion_energy(x->mo), work = lg_motion_work(x->mo);
        d->balance = claim_worse(d->balance, fabs(H - H0 - work));
        d->energy = claim_worse(d->energy, fabs(H - H0));
        d->gap = claim_worse(d->gap, lg_motion_gap(x->mo));
        d->slip = claim_worse(d->slip, lg_motion_slip(x->mo));
        d->scale = fmax(d->scale, fmax(fabs(H), fabs(work)));
    }
    return 1;
}

int claim_motion_arrive(claim_report *r, const char *name, const char *method, double T, int count, double tolerance,
                        double *poses)
{
    claim_motion x;
    int ok = claim_motion_open(r, &x, name, method, T / count);
    if (ok && tolerance > 0) ok = claim_ok(r, lg_motion_set_tolerance(x.mo, tolerance), "tolerance", "");
    ok = ok && claim_motion_steps(r, &x, count);
    for (int b = 0; ok && b < lg_mechanism_body_count(x.m); b++)
        ok = claim_ok(r, lg_motion_body_pose(x.mo, poses + 7 * b, b), "pose", "");
    const int n = ok ? 7 * lg_mechanism_body_count(x.m) : 0;
    claim_motion_close(&x);
    return n;
}
