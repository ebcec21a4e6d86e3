/* SPDX-License-Identifier: BSD-3-Clause */
#include "benchmarks/suite/racer.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static lg_status add_link(lg_mechanism *m, const bench_mechanism *what, int i, const double *from, const double *to)
{
    static const double row[4][3] = {{0, 0, 0}, {0, 0, 0.5}, {0.9, 0, 0.8}, {0.9, 0, 0}};
    char name[16], parent[16];
    (void)snprintf(name, sizeof name, "link%d", i), (void)snprintf(parent, sizeof parent, "link%d", i - 1);
    lg_body b = lg_body_default(name);
    b.mass = 1, b.inertia[0] = 0.01, b.inertia[1] = b.inertia[2] = 0.03;
    if (what->loop) from = row[i], to = row[i + 1];
    for (int k = 0; k < 3; k++) b.position[k] = 0.5 * (from[k] + to[k]);
    const double half = 0.5 * atan2(from[2] - to[2], to[0] - from[0]); /* x leads from end to end */
    b.attitude[1] = sin(half), b.attitude[3] = cos(half);
    lg_status st = lg_mechanism_add_body(m, NULL, &b);
    if (st != LG_OK) return st;
    lg_joint j =
        lg_joint_default(name, what->spherical ? LG_JOINT_SPHERICAL : LG_JOINT_REVOLUTE, i > 0 ? parent : NULL, name);
    memcpy(j.point, from, sizeof j.point);
    const int y = what->loop || i % 2 == 0;
    j.axis[0] = 0, j.axis[1] = y ? 1 : 0, j.axis[2] = y ? 0 : 1;
    st = lg_mechanism_add_joint(m, NULL, &j);
    if (st != LG_OK || !what->loop || i < what->links - 1) return st;
    j.name = "ground", j.parent = name, j.child = NULL;
    memcpy(j.point, to, sizeof j.point);
    return lg_mechanism_add_joint(m, NULL, &j);
}

void bench_racer_start(bench_racer *r)
{
    r->started = 1;
    if (r->peer != NULL) {
        r->peer->reset(r->opened);
        return;
    }
    double *v = calloc((size_t)lg_motion_position_count(r->mo) + 1, sizeof *v);
    if (v == NULL) return;
    v[0] = r->what->speed;
    if (lg_motion_start_joints(r->mo, 0, NULL, v, 1) != LG_OK) v[0] = 0;
    free(v);
}

static const char *open_ours(bench_racer *r)
{
    lg_status st = lg_mechanism_create(&r->m);
    for (int i = 0; st == LG_OK && i < r->what->links; i++) {
        const double from[3] = {0.5 * i, 0, 0}, to[3] = {0.5 * i + 0.5, 0, 0};
        st = add_link(r->m, r->what, i, from, to);
    }
    if (st == LG_OK) st = lg_mechanism_compile(r->m);
    if (st != LG_OK) return lg_mechanism_message(r->m);
    lg_motion_options o = lg_motion_options_default();
    o.method = r->name, o.step = r->what->h;
    st = lg_model_of_mechanism(&r->M, r->m, NULL);
    if (st != LG_OK) return lg_model_message(r->M);
    st = lg_motion_create(&r->mo, r->M, &o);
    return st == LG_OK ? NULL : lg_motion_message(r->mo);
}

const char *bench_racer_open(bench_racer *r)
{
    if (r->peer == NULL) return open_ours(r);
    r->opened = r->peer->open(r->what);
    return r->opened != NULL ? NULL : "it cannot be opened";
}

int bench_racer_step(bench_racer *r, long count)
{
    return r->peer != NULL ? r->peer->step(r->opened, count) : lg_motion_step(r->mo, count) != LG_OK;
}

void bench_racer_close(bench_racer *r)
{
    if (r->opened != NULL) r->peer->close(r->opened);
    lg_motion_destroy(r->mo);
    lg_model_destroy(r->M);
    lg_mechanism_destroy(r->m);
    r->opened = NULL, r->mo = NULL, r->M = NULL, r->m = NULL;
}
