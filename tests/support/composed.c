/* SPDX-License-Identifier: BSD-3-Clause */
#include "support/composed.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* The least of what the screws have besides those before them, relative to their lengths. */
static double apart(const lg_joint *j)
{
    double s[LG_JOINT_MOTIONS][6], least = 1;
    for (int i = 0; i < j->motions; i++) {
        const double *u = j->motion[i].axis, *p = j->motion[i].point;
        const double moment[3] = {p[1] * u[2] - p[2] * u[1], p[2] * u[0] - p[0] * u[2], p[0] * u[1] - p[1] * u[0]};
        const int slides = j->motion[i].kind == LG_JOINT_PRISMATIC;
        double whole = 0, left = 0;
        for (int k = 0; k < 3; k++) s[i][k] = slides ? 0 : u[k], s[i][3 + k] = slides ? u[k] : moment[k];
        for (int k = 0; k < 6; k++) whole += s[i][k] * s[i][k];
        for (int n = 0; n < i; n++) {
            double c = 0;
            for (int k = 0; k < 6; k++) c += s[n][k] * s[i][k];
            for (int k = 0; k < 6; k++) s[i][k] -= c * s[n][k];
        }
        for (int k = 0; k < 6; k++) left += s[i][k] * s[i][k];
        for (int k = 0; k < 6; k++) s[i][k] /= sqrt(left);
        least = fmin(least, sqrt(left / whole));
    }
    return least;
}

void composed_motions(lg_joint *j, int motions, lg_rng *rng)
{
    do {
        j->motions = motions;
        for (int i = 0; i < motions; i++) {
            lg_joint_motion *of = &j->motion[i];
            of->kind = lg_rng_uniform(rng) < 0.6 ? LG_JOINT_REVOLUTE : LG_JOINT_PRISMATIC;
            suite_normal(of->axis, 3, rng), suite_normal(of->point, 3, rng);
            const double *u = of->axis, length = sqrt(u[0] * u[0] + u[1] * u[1] + u[2] * u[2]);
            for (int k = 0; k < 3; k++) of->point[k] *= 0.4, of->axis[k] /= length;
        }
    } while (apart(j) < 0.5);
}

static void random_body(lg_mechanism *m, const char *name, lg_rng *rng)
{
    lg_body b = lg_body_default(name);
    double q[4], x[3], y[3];
    suite_normal(q, 4, rng), suite_normal(x, 3, rng), suite_normal(y, 3, rng);
    b.mass = 0.5 + lg_rng_uniform(rng);
    for (int k = 0; k < 3; k++)
        b.inertia[k] = 0.1 + 0.05 * lg_rng_uniform(rng), b.inertia[3 + k] = 0.02 * lg_rng_uniform(rng);
    suite_ok("attitude", lg_so3_project(b.attitude, q));
    for (int k = 0; k < 3; k++) b.position[k] = 0.5 * x[k], b.centre[k] = 0.3 * y[k];
    mechanism_well(lg_mechanism_add_body(m, NULL, &b), m);
}

void composed_add(lg_mechanism *m, const lg_joint *joint, double between)
{
    char at[24] = "";
    if (!(between > 0)) {
        mechanism_well(lg_mechanism_add_joint(m, NULL, joint), m);
        return;
    }
    for (int i = 0; i < joint->motions; i++) {
        char name[24], to[24];
        (void)snprintf(name, sizeof name, "%s_%d", joint->name, i + 1);
        (void)snprintf(to, sizeof to, "%s_body_%d", joint->name, i + 1);
        lg_joint j = lg_joint_default(name, joint->motion[i].kind, i > 0 ? at : joint->parent,
                                      i + 1 < joint->motions ? to : joint->child);
        lg_body b = lg_body_default(to);
        memcpy(j.axis, joint->motion[i].axis, sizeof j.axis), memcpy(j.point, joint->motion[i].point, sizeof j.point);
        b.mass = between, b.inertia[0] = b.inertia[1] = b.inertia[2] = 0.1 * between;
        if (i + 1 < joint->motions) mechanism_well(lg_mechanism_add_body(m, NULL, &b), m);
        mechanism_well(lg_mechanism_add_joint(m, NULL, &j), m);
        memcpy(at, to, sizeof at);
    }
}

lg_mechanism *composed_pair(int motions, lg_rng *rng, double between, composed_parts parts)
{
    lg_mechanism *m;
    lg_joint first = lg_joint_default("first", LG_JOINT_COMPOSED, NULL, "one"),
             second = lg_joint_default("second", LG_JOINT_COMPOSED, "two", "one");
    mechanism_well(lg_mechanism_create(&m), NULL);
    random_body(m, "one", rng), random_body(m, "two", rng);
    composed_motions(&first, motions, rng);
    composed_motions(&second, 2 + (int)(2 * lg_rng_uniform(rng)), rng);
    composed_add(m, &first, between), composed_add(m, &second, between);
    if (parts != NULL) parts(m, between > 0 ? "_" : ".", motions);
    mechanism_well(lg_mechanism_compile(m), m);
    return m;
}

void composed_state(double *q, double *v, const lg_mechanism *m, lg_rng *rng)
{
    const int n = lg_mechanism_freedoms(m);
    suite_normal(q, n, rng), suite_normal(v, n, rng);
    for (int i = 0; i < n; i++) q[i] = 0.5 * tanh(q[i]);
}
