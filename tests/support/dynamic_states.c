/* SPDX-License-Identifier: BSD-3-Clause */
#include "support/dynamic_states.h"

#include <math.h>
#include <string.h>

#include "base/differences.h"
#include "multibody/parts/joint.h"

const double dynamic_weight[4] = {LG_CENTRAL_8};

void dynamics_well(lg_status st, const lg_dynamics *d)
{
    if (st != LG_OK) suite_fail("%s: %s", lg_status_name(st), lg_dynamics_message(d));
}

double dynamic_dot(const double *a, const double *b, int n)
{
    double s = 0;
    for (int i = 0; i < n; i++) s += a[i] * b[i];
    return s;
}

double dynamic_largest(const double *x, int n)
{
    double most = 0;
    for (int i = 0; i < n; i++) most = fmax(most, fabs(x[i]));
    return most;
}

void dynamic_draw(dynamic_state *s, const lg_mechanism *m, double size, lg_rng *rng)
{
    s->m = m;
    dynamics_well(lg_dynamics_create(&s->d, m), s->d);
    s->n = lg_dynamics_count(s->d);
    suite_normal(s->q, s->n, rng), suite_normal(s->v, s->n, rng), suite_normal(s->a, s->n, rng);
    for (int i = 0; i < s->n; i++) s->q[i] *= fmin(size, 1);
    dynamics_well(lg_dynamics_set(s->d, s->q, s->v), s->d);
}

/* exp(t w) exp(x). */
static void turn(double *x, const double *w, double t)
{
    double tw[3] = {t * w[0], t * w[1], t * w[2]}, p[4], q[4];
    lg_so3_exp(p, tw), lg_so3_exp(q, x);
    lg_so3_compose(q, p, q);
    suite_ok("log", lg_so3_log(x, q));
}

void dynamic_move(double *q, const dynamic_state *s, double t)
{
    for (int i = 0; i < s->n; i++) q[i] = s->q[i] + t * s->v[i];
    for (int b = 0; b < s->m->plan.bodies; b++) {
        const int j = s->m->link[b].joint;
        const mb_joint_kind *kind = &mb_joint_kinds[j >= 0 ? MB_JOINT_OF(s->m, j)->kind : LG_JOINT_FREE];
        const int at = j >= 0 ? lg_dynamics_joint_index(s->d, NULL, j) : lg_dynamics_float_index(s->d, b);
        const int last = at + kind->positions - 3;
        if (at < 0 || kind->positions < 3 || kind->position[kind->positions - 1]->kind != MB_VECTOR) continue;
        memcpy(q + last, s->q + last, 3 * sizeof *q);
        turn(q + last, s->v + last, t);
    }
}

lg_mechanism *dynamic_rotor(lg_joint_kind kind)
{
    static const double at[3] = {-0.4, 0.1, 0.2}, along[3] = {0, 1, 0}, axis[3] = {1, 2, 2};
    lg_mechanism *m;
    lg_joint j = lg_joint_default("joint", kind, "b", "a");
    mechanism_well(lg_mechanism_create(&m), NULL);
    mechanism_add_body(m, "a", -0.2, 0.1, 0.3), mechanism_add_body(m, "b", 0.3, 0.2, -0.1);
    mechanism_add_joint(m, "hook", LG_JOINT_UNIVERSAL, NULL, "a", at, along);
    memcpy(j.axis, axis, sizeof axis), j.armature = 0.3;
    mechanism_well(lg_mechanism_add_joint(m, NULL, &j), m);
    mechanism_well(lg_mechanism_compile(m), m);
    return m;
}
