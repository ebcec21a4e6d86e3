/* SPDX-License-Identifier: BSD-3-Clause */
/* Collocation of mechanisms: what its nodes keep, its orders, and the errors that come for a tolerance. */
#include "claims/multibody/motions.h"

static void keeps(claim_report *r)
{
    static const double lengths[] = {1, 2};
    const int64_t steps = r->full ? 1000 : 200; /* motors drive some faster and faster */
    for (int i = 0; claim_own_systems(r) && i < claim_gallery_count(); i++)
        for (int k = 0; k < 2; k++) {
            claim_motion x;
            claim_deviations d;
            const double h = lengths[k] * lg_gallery_step(i);
            if (claim_motion_open(r, &x, lg_gallery_name(i), "gauss", h) && claim_motion_watch(r, &x, steps, 1, &d)) {
                if (lg_motion_work(x.mo) == 0)
                    claim_below(r, d.energy / d.scale, 1e-12, "round-off of T + |V|: H is kept at the nodes",
                                "largest |H - H_0|, relative, %d steps of %g", (int)steps, h);
                else
                    claim_below(r, d.balance / d.scale, k ? 1e-5 : 1e-8, "the work is a quadrature of order 16",
                                "largest |H - H_0 - work|, relative, %d steps of %g", (int)steps, h);
                claim_below(r, d.gap, 5e-14, "round-off of positions, which grow",
                            "largest gap of joints, loops and wheels");
                claim_below(r, d.slip, 1e-11, "round-off of velocities", "largest slip: |A xi - drift|");
            }
            claim_motion_close(&x);
        }
}

/* The chain of ten links of the benchmarks whips. */
static void long_run(claim_report *r)
{
    const int64_t steps = r->full ? 100000 : 1000;
    claim_motion x;
    claim_deviations d;
    if (!claim_own_systems(r)) return;
    if (claim_motion_open(r, &x, "chain", "gauss", 0.02) && claim_motion_watch(r, &x, steps, 10, &d)) {
        claim_below(r, d.energy, 1e-12 * 245, "round-off", "largest |H - H_0| in J, %d steps of 0.02", (int)steps);
        claim_below(r, d.gap, 1e-14, "round-off", "largest gap of the joints in m");
    }
    claim_motion_close(&x);
}

static void order(claim_report *r)
{
    static const struct {
        const char *name;
        double T;
        int count;
    } cases[] = {{"double-pendulum", 0.4, 20}, {"four-bar", 0.2, 20}, {"strandbeest", 0.1, 20},
                 {"bicycle", 0.4, 20},         {"vehicle", 0.4, 20},  {"arm", 0.2, 20}};
    double truth[7 * 20], g[7 * 20];
    for (size_t i = 0; claim_own_systems(r) && i < sizeof cases / sizeof cases[0]; i++) {
        int n = claim_motion_arrive(r, cases[i].name, "sem@kahan-li8", cases[i].T, 4 * cases[i].count, 0, g);
        if (n == 0 || claim_motion_arrive(r, cases[i].name, "gauss", cases[i].T, 4 * cases[i].count, 0, truth) != n)
            continue;
        claim_below(r, claim_gap(g, truth, n), 1e-12, "round-off of an independent method",
                    "distance of the poses at %.3g s from those of sem@kahan-li8", cases[i].T);
        for (int s = 1; s <= 3; s++) { /* steps of three stages are soon at round-off */
            const int count = s < 3 ? cases[i].count : cases[i].count / 2;
            const char *const methods[] = {"gauss:stages=1", "gauss:stages=2", "gauss:stages=3"};
            double errors[3];
            int ok = 1;
            for (int level = 0; ok && level < 3; level++) {
                n = claim_motion_arrive(r, cases[i].name, methods[s - 1], cases[i].T, count << level, 0, g);
                errors[level] = claim_gap(g, truth, n);
                ok = n > 0;
            }
            if (ok)
                claim_between(r, claim_slope(errors, 3, 1e-13), 2 * s - 0.5, 2 * s + 0.8, "the method's order",
                              "order of the poses at %.3g s with %d stages, steps h, h/2, h/4", cases[i].T, s);
        }
    }
}

static void tolerance(claim_report *r)
{
    static const double tolerances[] = {1e-4, 1e-7, 1e-10};
    double truth[7 * 20], g[7 * 20];
    for (int i = 0; claim_own_systems(r) && i < claim_gallery_count(); i++) {
        const double T = 100 * lg_gallery_step(i);
        if (!claim_motion_arrive(r, lg_gallery_name(i), "gauss:stages=16", T, 1, 1e-13, truth)) continue;
        for (int k = 0; k < 3; k++) {
            const int n = claim_motion_arrive(r, lg_gallery_name(i), "gauss", T, 1, tolerances[k], g);
            if (n > 0)
                claim_below(r, claim_gap(g, truth, n), 10 * tolerances[k], "ten tolerances over a hundred steps",
                            "error of the poses at %.3g s, asked for %g", T, tolerances[k]);
        }
    }
}

const claim claims_multibody_trajectories[] = {
    {"multibody-gauss-keeps",
     "Collocation of mechanisms keeps joints, loops and rolling, and the energy where nothing does work, to round-off at "
     "every node, whatever the step.",
     CLAIM_MULTIBODY, 2, keeps},
    {"multibody-gauss-long", "Ten links keep 245 J to 1e-12 and their joints to 1e-14 m in steps of 0.02.",
     CLAIM_MULTIBODY, 1, long_run},
    {"multibody-gauss-order", "Collocation of mechanisms with S stages has order 2 S.", CLAIM_MULTIBODY, 0.5, order},
    {"multibody-gauss-tolerance",
     "Asked for a tolerance, a mechanism ends within ten of it after up to a hundred steps.", CLAIM_MULTIBODY, 0.5,
     tolerance},
    {0},
};
