/* SPDX-License-Identifier: BSD-3-Clause */
/* MuJoCo in `bench_peers contact`. It has no restitution: its contacts are springs and dampers, whose damping ratio
 * that of a contact with this restitution has where solref is "direct". */
#include <math.h>
#include <mujoco/mujoco.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "benchmarks/peers_contact.h"

typedef struct engine {
    const contact_scene *scene;
    mjModel *m;
    mjData *d;
    int substeps;
} engine;

static const char *const settings[] = {"defaults",
                                       "elliptic cones, impratio 100, solref 2h",
                                       "h/5, elliptic cones, impratio 100, solref 2h, noslip",
                                       "h/5, solref direct, elliptic cones",
                                       "h/5, solref direct, elliptic cones, RK4",
                                       NULL};

static void write_options(FILE *f, const contact_scene *s, int setting)
{
    const double h = setting >= 2 ? s->h / 5 : s->h, w = 0.25 / h, e = fmax(s->restitution, 1e-3);
    const double ratio = -log(e) / hypot(acos(-1), log(e));
    fprintf(f, "<option timestep='%.17g' gravity='%.17g %.17g %.17g'", h, s->gravity[0], s->gravity[1], s->gravity[2]);
    if (setting > 0) fprintf(f, " cone='elliptic' impratio='%d'", setting < 3 ? 100 : 1);
    if (setting == 2) fprintf(f, " noslip_iterations='20'");
    if (setting == 4) fprintf(f, " integrator='RK4'");
    fprintf(f, "/><default><geom friction='%.17g 0 0'", s->friction);
    if (setting == 1 || setting == 2) fprintf(f, " solref='%.17g 1'", 2 * h);
    if (setting >= 3) fprintf(f, " solref='%.17g %.17g'", -w * w, -2 * ratio * w);
    fprintf(f, "/></default>");
}

static void write_body(FILE *f, const contact_scene *s, int i)
{
    static const char *const kinds[] = {"sphere", "box", "capsule"};
    const double *p = s->pose[i], end = s->size[0] + s->size[1];
    const int nested = s->joints && i > 0;
    if (nested)
        fprintf(f, "<body name='b%d' pos='0 0 %.17g'><joint type='ball' pos='0 0 %.17g'/>", i, 2 * end, -end);
    else
        fprintf(f, "<body name='b%d' pos='%.17g %.17g %.17g' quat='%.17g %.17g %.17g %.17g'><freejoint/>", i, p[0],
                p[1], p[2], p[6], p[3], p[4], p[5]);
    fprintf(f, "<inertial pos='0 0 0' mass='%.17g' diaginertia='%.17g %.17g %.17g'/>", s->mass, s->inertia[0],
            s->inertia[1], s->inertia[2]);
    fprintf(f, "<geom type='%s' size='%.17g %.17g %.17g' contype='1' conaffinity='%d'/>", kinds[s->shape], s->size[0],
            s->size[1], s->size[2], !s->joints);
    if (s->joints && i + 1 < s->bodies) write_body(f, s, i + 1);
    fprintf(f, "</body>");
}

static void write_model(FILE *f, const contact_scene *s, int setting)
{
    fprintf(f, "<mujoco>");
    write_options(f, s, setting);
    fprintf(f, "<worldbody>");
    if (s->ground) fprintf(f, "<geom type='plane' size='0 0 1' contype='1' conaffinity='1'/>");
    for (int i = 0; i < (s->joints ? 1 : s->bodies); i++) write_body(f, s, i);
    fprintf(f, "</worldbody></mujoco>\n");
}

static void quiet(const char *text)
{
    (void)text;
}

static void close_engine(void *opened)
{
    engine *e = opened;
    if (e->d != NULL) mj_deleteData(e->d);
    if (e->m != NULL) mj_deleteModel(e->m);
    free(e);
}

static void *open_engine(const contact_scene *s, int setting)
{
    char path[] = "/tmp/liegrp-bench-XXXXXX", why[256] = "";
    const int file = mkstemp(path);
    FILE *f = file >= 0 ? fdopen(file, "w") : NULL;
    engine *e = calloc(1, sizeof *e);
    if (f == NULL || e == NULL) {
        if (f != NULL) (void)fclose(f);
        free(e);
        return NULL;
    }
    write_model(f, s, setting);
    (void)fclose(f);
    e->scene = s, e->substeps = setting >= 2 ? 5 : 1;
    mju_user_warning = quiet; /* a motion that explodes is seen from its numbers; MuJoCo would write a log file */
    e->m = mj_loadXML(path, NULL, why, sizeof why);
    (void)unlink(path);
    if (e->m == NULL) fprintf(stderr, "bench_peers: MuJoCo: %s\n", why);
    e->d = e->m != NULL ? mj_makeData(e->m) : NULL;
    if (e->d == NULL) {
        close_engine(e);
        return NULL;
    }
    for (int i = 0; !s->joints && i < s->bodies; i++)
        for (int k = 0; k < 3; k++) e->d->qvel[6 * i + k] = s->velocity[i][k];
    e->d->xfrc_applied[6] = s->push, e->d->xfrc_applied[10] = -0.1 * s->push; /* at the lower face */
    return e;
}

static int step(void *opened)
{
    engine *e = opened;
    for (int i = 0; i < e->substeps; i++) mj_step(e->m, e->d);
    int warnings = 0; /* exploded, or no memory left for contacts or rows */
    for (int i = 0; i < mjNWARNING; i++) warnings += e->d->warning[i].number;
    return warnings > 0 || !isfinite(e->d->qpos[0]);
}

static void read_body(void *opened, contact_state *state, int body)
{
    engine *e = opened;
    mjtNum velocity[6];
    if (body == 0) mj_kinematics(e->m, e->d), mj_comPos(e->m, e->d), mj_comVel(e->m, e->d);
    const mjtNum *x = e->d->xpos + 3 * (body + 1), *q = e->d->xquat + 4 * (body + 1); /* body 0 is the world */
    mj_objectVelocity(e->m, e->d, mjOBJ_XBODY, body + 1, velocity, 0);
    memcpy(state->x, x, sizeof state->x), memcpy(state->w, velocity, sizeof state->w);
    memcpy(state->v, velocity + 3, sizeof state->v);
    state->q[0] = q[1], state->q[1] = q[2], state->q[2] = q[3], state->q[3] = q[0];
}

#define TEXT(x)    #x
#define TEXT_OF(x) TEXT(x)
const contact_peer contact_mujoco = {
    "MuJoCo", TEXT_OF(mjVERSION_HEADER), settings, open_engine, step, read_body, NULL, close_engine};
