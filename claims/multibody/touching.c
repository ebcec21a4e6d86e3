/* SPDX-License-Identifier: BSD-3-Clause */
/* What mechanisms of the gallery that touch do in closed form. */
#include "claims/multibody/motions.h"

#include <liegrp/multibody/contact.h>

#define G  9.81
#define PI 3.14159265358979323846

enum { TOLD = 40 };

/* The impacts of a motion: how fast they came, and what they took. */
typedef struct impacts_of {
    double approach[TOLD], loss[TOLD];
    int count;
} impacts_of;

static int tell(double t, const lg_impact *impacts, int count, void *context)
{
    impacts_of *o = context;
    (void)t;
    if (o->count == TOLD) return 0;
    for (int i = 0; i < count; i++) {
        o->approach[o->count] = fmax(o->approach[o->count], impacts[i].approach);
        o->loss[o->count] += impacts[i].loss;
    }
    o->count++;
    return 0;
}

/* To time t, the impacts in o; pose and twist of the body. */
static int watch(claim_report *r, claim_motion *x, impacts_of *o, const char *name, double t, const char *body,
                 double *pose, double *twist)
{
    memset(o, 0, sizeof *o);
    if (!claim_motion_open(r, x, name, "sem", 0)) return 0;
    const int b = lg_mechanism_body(x->m, body);
    const double H = lg_motion_energy(x->mo);
    if (!claim_ok(r, lg_motion_set_impact(x->mo, tell, o), "impacts", lg_motion_message(x->mo)) ||
        !claim_ok(r, lg_motion_run_to(x->mo, t), "steps", lg_motion_message(x->mo)) ||
        !claim_ok(r, lg_motion_body_pose(x->mo, pose, b), "pose", "") ||
        !claim_ok(r, lg_motion_body_twist(x->mo, twist, b), "twist", ""))
        return 0;
    claim_below(r, fabs(lg_motion_energy(x->mo) - H - lg_motion_work(x->mo)) / fmax(1, fabs(H)), 1e-12,
                "round-off of H and of the account", "|H - H_0 - account|, relative");
    return 1;
}

static void touching(claim_report *r)
{
    const double sine2 = 0.01 / 0.17, left = (1 - 1.5 * sine2) * (1 - 1.5 * sine2); /* of the block's energy */
    const double above = 20 * G * (0.4 * cos(0.15) + 0.1 * sin(0.15) - 0.4);
    const double J = 11.5, eta = (1.5 + 10 * cos(PI / 4)) / J,
                 steady = 40 * G * sin(PI / 8) * sin(0.08) / (J * (1 - eta * eta));
    double pose[7], v[6], error = 0;
    claim_motion x;
    impacts_of o;
    if (!claim_own_systems(r)) return;
    if (watch(r, &x, &o, "bouncing-ball", 8, "ball", pose, v)) {
        for (int i = 0; i < 15; i++) error = claim_worse(error, fabs(o.approach[i] - pow(0.8, i) * sqrt(2 * G)));
        claim_below(r, error, 1e-10, "e^n sqrt(2 g H)", "error of 15 speeds at which it comes down, m/s");
        claim_below(r, fabs(v[0] - 0.5 * 5 / 7), 1e-12, "5/7 of the speed",
                    "error of the speed at which it rolls, m/s");
    }
    claim_motion_close(&x);
    if (watch(r, &x, &o, "rocking-block", 1.5, "block", pose, v))
        claim_below(r, fabs(o.loss[0] / above - (1 - left)), 1e-6, "Housner 1963",
                    "error of the part of the energy that the first impact takes");
    claim_motion_close(&x);
    if (watch(r, &x, &o, "pushed-stack", 1, "box5", pose, v))
        claim_below(r, fabs(pose[0] - 0.1 * (26 - 2.5 * G)), 1e-10, "(F - mu m g) t^2 / 2 m",
                    "error of the way of the highest box, m");
    claim_motion_close(&x);
    if (watch(r, &x, &o, "passive-walker", 20, "wheel", pose, v) && o.count > 20)
        claim_below(r, fabs(pow(o.approach[20] / (2 * sin(PI / 8)), 2) / steady - 1), 1e-5, "McGeer 1990, in 20 steps",
                    "distance of the squared speed from that of the steady gait, relative");
    claim_motion_close(&x);
    if (watch(r, &x, &o, "rattleback-friction", 5, "stone", pose, v))
        claim_above(r, v[5], 1, "from -1 rad/s: it has reversed", "spin after 5 s, rad/s");
    claim_motion_close(&x);
}

const claim claims_multibody_touching[] = {
    {"multibody-touching",
     "Mechanisms that touch keep the account of their energy to round-off, and do what is known in closed form: the "
     "bounces and the rolling of a ball, the loss of a rocking block, the slide of a stack, the gait of a walker, the "
     "reversal of a rattleback.",
     CLAIM_MULTIBODY, 1, touching},
    {0},
};
