/* SPDX-License-Identifier: BSD-3-Clause */
/* MuJoCo with its three integrators at its defaults; contact is off. The loop is an equality `connect`. */
#include <math.h>
#include <mujoco/mujoco.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "benchmarks/peers.h"

typedef struct engine {
    const bench_mechanism *what;
    mjModel *m;
    mjData *d;
} engine;

static void write_link(FILE *f, const bench_mechanism *w, int i)
{
    static const double row[4][2] = {{0, 0}, {0, 0.5}, {0.9, 0.8}, {0.9, 0}};
    const int last = i == w->links - 1;
    if (w->loop) { /* frames stay parallel to the world's; the inertia's axes lie along the link */
        const double x = row[i + 1][0] - row[i][0], z = row[i + 1][1] - row[i][1], half = 0.5 * atan2(-z, x);
        fprintf(f, "<body name='b%d' pos='%.17g 0 %.17g'>", i, i ? row[i][0] - row[i - 1][0] : 0.0,
                i ? row[i][1] - row[i - 1][1] : 0.0);
        fprintf(f,
                "<joint type='hinge' axis='0 1 0'/><inertial mass='1' pos='%.17g 0 %.17g' quat='%.17g 0 %.17g 0' "
                "diaginertia='0.01 0.03 0.03'/>",
                0.5 * x, 0.5 * z, cos(half), sin(half));
    } else {
        fprintf(f, "<body name='b%d' pos='%g 0 0'>", i, i ? 0.5 : 0.0);
        if (w->spherical)
            fprintf(f, "<joint type='ball'/>");
        else
            fprintf(f, "<joint type='hinge' axis='%s'/>", i % 2 ? "0 0 1" : "0 1 0");
        fprintf(f, "<inertial mass='1' pos='0.25 0 0' diaginertia='0.01 0.03 0.03'/>");
    }
    if (!last) write_link(f, w, i + 1);
    fprintf(f, "</body>");
}

/* A motion that explodes is seen from its numbers; MuJoCo would write a log file. */
static void quiet(const char *text)
{
    (void)text;
}

static void *open_with(const bench_mechanism *w, const char *integrator)
{
    if (w->links > 90) return NULL; /* its files may not be deeper */
    char path[] = "/tmp/liegrp-bench-XXXXXX", why[256] = "";
    const int file = mkstemp(path);
    FILE *f = file >= 0 ? fdopen(file, "w") : NULL;
    engine *e = calloc(1, sizeof *e);
    if (f == NULL || e == NULL) {
        if (f != NULL) (void)fclose(f);
        free(e);
        return NULL;
    }
    fprintf(f,
            "<mujoco><option timestep='%.17g' integrator='%s' gravity='0 0 -9.81'><flag contact='disable'/></option>"
            "<worldbody>",
            w->h, integrator);
    write_link(f, w, 0);
    fprintf(f, "</worldbody>");
    if (w->loop) fprintf(f, "<equality><connect body1='b2' anchor='0 0 -0.8'/></equality>");
    fprintf(f, "</mujoco>\n");
    (void)fclose(f);
    e->what = w;
    mju_user_warning = quiet;
    e->m = mj_loadXML(path, NULL, why, sizeof why);
    (void)unlink(path);
    if (e->m == NULL) fprintf(stderr, "bench_peers: MuJoCo: %s\n", why);
    e->d = e->m != NULL ? mj_makeData(e->m) : NULL;
    if (e->d != NULL) return e;
    if (e->m != NULL) mj_deleteModel(e->m);
    free(e);
    return NULL;
}

static void *open_euler(const bench_mechanism *w)
{
    return open_with(w, "Euler");
}

static void *open_implicit(const bench_mechanism *w)
{
    return open_with(w, "implicit");
}

static void *open_rk4(const bench_mechanism *w)
{
    return open_with(w, "RK4");
}

/* The crank starts with its speed s; the coupler, (0.9, 0.8) - (0, 0.5), does not turn, and the rocker does at
 * 0.5 s/0.8. MuJoCo's rates are relative. */
static void reset(void *opened)
{
    engine *e = opened;
    mj_resetData(e->m, e->d);
    if (!e->what->loop) return;
    const double s = e->what->speed;
    e->d->qvel[0] = s, e->d->qvel[1] = -s, e->d->qvel[2] = 0.5 * s / 0.8;
}

static int step(void *opened, long count)
{
    engine *e = opened;
    for (long i = 0; i < count; i++) mj_step(e->m, e->d);
    return !isfinite(e->d->qpos[0]) || e->d->warning[mjWARN_BADQACC].number > 0;
}

static double energy(void *opened)
{
    engine *e = opened;
    e->m->opt.enableflags |= mjENBL_ENERGY;
    mj_forward(e->m, e->d);
    e->m->opt.enableflags &= ~mjENBL_ENERGY;
    return e->d->energy[0] + e->d->energy[1];
}

static double gap(void *opened)
{
    engine *e = opened;
    double r = 0;
    if (!e->what->loop) return 0;
    mj_forward(e->m, e->d);
    static const double end[3] = {0, 0, -0.8}, axle[3] = {0.9, 0, 0};
    const mjtNum *x = e->d->xpos + 3 * 3, *R = e->d->xmat + 9 * 3; /* bodies count from the world */
    for (int k = 0; k < 3; k++) {
        const double d = x[k] + R[3 * k] * end[0] + R[3 * k + 1] * end[1] + R[3 * k + 2] * end[2] - axle[k];
        r += d * d;
    }
    return sqrt(r);
}

static void centres(void *opened, double *x)
{
    engine *e = opened;
    mj_kinematics(e->m, e->d);
    memcpy(x, e->d->xipos + 3, 3 * (size_t)e->what->links * sizeof *x); /* the first one is the world */
}

static void close_engine(void *opened)
{
    engine *e = opened;
    mj_deleteData(e->d);
    mj_deleteModel(e->m);
    free(e);
}

/* ---- what a controller asks ---- */

static void inverse(void *opened, double *tau, const double *q, const double *v, const double *a)
{
    engine *e = opened;
    const size_t bytes = (size_t)e->m->nv * sizeof *q;
    memcpy(e->d->qpos, q, bytes), memcpy(e->d->qvel, v, bytes), memcpy(e->d->qacc, a, bytes);
    mj_inverse(e->m, e->d);
    memcpy(tau, e->d->qfrc_inverse, bytes);
}

/* Only what the matrix needs. */
static void mass_matrix(void *opened, double *M, const double *q)
{
    engine *e = opened;
    memcpy(e->d->qpos, q, (size_t)e->m->nv * sizeof *q);
    mj_kinematics(e->m, e->d), mj_comPos(e->m, e->d), mj_crb(e->m, e->d);
    mj_fullM(e->m, M, e->d->qM);
}

#define TEXT(x)    #x
#define TEXT_OF(x) TEXT(x)
#define VERSION    TEXT_OF(mjVERSION_HEADER) /* 222 is 2.2.2 */
const bench_mechanism_peer mechanism_peer_mujoco_euler = {"MuJoCo Euler", VERSION, open_euler, reset,       step,
                                                          energy,         gap,     centres,    close_engine};
const bench_mechanism_peer mechanism_peer_mujoco_implicit = {
    "MuJoCo implicit", VERSION, open_implicit, reset, step, energy, gap, centres, close_engine};
const bench_mechanism_peer mechanism_peer_mujoco_rk4 = {"MuJoCo RK4", VERSION, open_rk4, reset,       step,
                                                        energy,       gap,     centres,  close_engine};
const bench_dynamics_peer dynamics_peer_mujoco = {"MuJoCo", VERSION, open_euler, inverse, mass_matrix, close_engine};
