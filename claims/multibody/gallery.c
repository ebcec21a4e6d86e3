/* SPDX-License-Identifier: BSD-3-Clause */
/* What every mechanism of the gallery keeps, and how fast its motion converges. */
#include "claims/multibody/motions.h"

static void balance(claim_report *r)
{
    static const char *const methods[] = {"sem", "sem@suzuki4"};
    const int64_t steps = r->full ? 2500 : 200; /* motors drive some faster and faster */
    for (int i = 0; claim_own_systems(r) && i < claim_gallery_count(); i++)
        for (int k = 0; k < 2; k++) {
            claim_motion x;
            claim_deviations d;
            if (claim_motion_open(r, &x, lg_gallery_name(i), methods[k], 0) &&
                claim_motion_watch(r, &x, k ? steps / 5 : steps, 1, &d)) {
                claim_below(r, d.balance / d.scale, r->full ? 1e-10 : 1e-12, "round-off of H and of the work",
                            "largest |H - H_0 - work|, %d steps", (int)(k ? steps / 5 : steps));
                claim_below(r, d.gap, 1e-13, "round-off: parts of the reach",
                            "largest gap of joints, loops and wheels");
                claim_below(r, d.slip, 1e-11, "round-off of velocities", "largest slip: |A xi - drift|");
            }
            claim_motion_close(&x);
        }
}

static void order(claim_report *r)
{
    static const struct {
        const char *name;
        double T;
        int count;
    } cases[] = {{"double-pendulum", 0.4, 40}, {"four-bar", 0.2, 20}, {"strandbeest", 0.1, 20}, {"bicycle", 0.4, 20},
                 {"vehicle", 0.4, 20},         {"furuta", 0.2, 40},   {"arm", 0.2, 20}};
    static const struct {
        const char *method;
        double order, margin;
    } methods[] = {{"sem", 2, 0.1}, {"sem@suzuki4", 4, 0.5}};
    double truth[7 * 20], g[7 * 20];
    for (size_t i = 0; claim_own_systems(r) && i < sizeof cases / sizeof cases[0]; i++) {
        if (!claim_motion_arrive(r, cases[i].name, "sem@kahan-li6", cases[i].T, (r->full ? 10 : 5) * cases[i].count, 0,
                                 truth))
            continue;
        for (int k = 0; k < 2; k++) {
            double errors[3];
            int ok = 1;
            for (int level = 0; ok && level < 3; level++) {
                const int n =
                    claim_motion_arrive(r, cases[i].name, methods[k].method, cases[i].T, cases[i].count << level, 0, g);
                errors[level] = claim_gap(g, truth, n);
                ok = n > 0;
            }
            if (ok)
                claim_between(r, claim_slope(errors, 3, 1e-13), methods[k].order - methods[k].margin,
                              methods[k].order + methods[k].margin, "the method's order",
                              "order of the poses at %.3g s, steps h, h/2, h/4", cases[i].T);
        }
    }
}

static void long_runs(claim_report *r)
{
    static const double steps_of[] = {1e-3, 1e-2};
    claim_motion x;
    claim_deviations d;
    if (!claim_own_systems(r)) return;
    for (int i = 0; i < 2; i++) {
        const int64_t steps = r->full ? 100000 : 400;
        if (claim_motion_open(r, &x, "chain", "sem", steps_of[i]) && claim_motion_watch(r, &x, steps, 10, &d))
            claim_below(r, d.energy, 1e-9, "round-off: 1e5 steps of 245 J stay below",
                        "largest |H - H_0| in J, %d steps", (int)steps);
        claim_motion_close(&x);
    }
    if (claim_motion_open(r, &x, "four-bar", "sem", 5e-3) && claim_motion_watch(r, &x, 4000, 1, &d)) {
        claim_below(r, d.gap, 1e-14, "round-off", "largest gap of the loop in m, 20 s");
        claim_below(r, d.energy, 1e-12, "round-off", "largest |H - H_0| in J, 20 s");
    }
    claim_motion_close(&x);
    static const char *const driven[] = {"vehicle", "furuta", "arm"};
    for (int i = 0; i < 3; i++) {
        if (claim_motion_open(r, &x, driven[i], "sem", 0) && claim_motion_watch(r, &x, 1000, 1, &d)) {
            claim_below(r, d.balance / d.scale, 1e-12, "round-off", "largest |H - H_0 - work|, relative, 1000 steps");
            claim_control(r, d.energy / d.scale, 1e-2, "motors and dampers do work", "largest change of H, relative");
        }
        claim_motion_close(&x);
    }
}

const claim claims_multibody[] = {
    {"multibody-balance",
     "Mechanisms of bodies, joints, loops, wheels, springs and motors keep the balance of energy and work, their joints "
     "closed and their wheels rolling to round-off at every node, under the step and its compositions.",
     CLAIM_MULTIBODY, 1, balance},
    {"multibody-order", "The sparse step of a mechanism has order 2, its compositions theirs.", CLAIM_MULTIBODY, 0.5,
     order},
    {"multibody-long",
     "Ten links keep their energy to 1e-9 J of 245 J, a four-bar its loop to 1e-14 m and its energy to 1e-12 J in 20 s; "
     "with motors and dampers the work balances to 1e-12.",
     CLAIM_MULTIBODY, 2, long_runs},
    {0},
};
