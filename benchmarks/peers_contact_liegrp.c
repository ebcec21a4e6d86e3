/* SPDX-License-Identifier: BSD-3-Clause */
/* The library in `bench_peers contact`: sem, with contacts as they are by default. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <liegrp/liegrp.h>

#include "benchmarks/peers_contact.h"

typedef struct engine {
    lg_mechanism *m;
    lg_model *M;
    lg_motion *mo;
} engine;

static const char *const settings[] = {"defaults", "localise = 0", "sequential", NULL};

/* A box of a stack carries the next one on a plane, its top, which nothing else touches. */
static lg_status add_top(lg_mechanism *m, const contact_scene *s, int i, const char *body)
{
    char top[16], next[16], pair[16];
    (void)snprintf(top, sizeof top, "top%d", i), (void)snprintf(next, sizeof next, "s%d", i + 1);
    (void)snprintf(pair, sizeof pair, "pair%d", i);
    lg_surface plane = lg_surface_default(top, body);
    plane.kind = LG_SURFACE_PLANE, plane.position[2] = s->size[2], plane.friction = s->friction, plane.group = 1;
    lg_surface_pair on = lg_surface_pair_default(pair, top, next);
    lg_surface_pair off = lg_surface_pair_default(top, top, "ground");
    off.ignored = 1;
    lg_status st = lg_mechanism_add_surface(m, NULL, &plane);
    if (st == LG_OK) st = lg_mechanism_add_surface_pair(m, NULL, &on);
    return st == LG_OK ? lg_mechanism_add_surface_pair(m, NULL, &off) : st;
}

static lg_status add_body(lg_mechanism *m, const contact_scene *s, int i)
{
    static const lg_surface_kind kinds[] = {LG_SURFACE_SPHERE, LG_SURFACE_BOX, LG_SURFACE_CAPSULE};
    char name[16], surface[16];
    (void)snprintf(name, sizeof name, "b%d", i), (void)snprintf(surface, sizeof surface, "s%d", i);
    lg_body b = lg_body_default(name);
    b.mass = s->mass;
    memcpy(b.inertia, s->inertia, sizeof s->inertia);
    memcpy(b.position, s->pose[i], sizeof b.position), memcpy(b.attitude, s->pose[i] + 3, sizeof b.attitude);
    lg_surface f = lg_surface_default(surface, name);
    f.kind = kinds[s->shape], f.friction = s->friction, f.restitution = s->restitution;
    f.group = s->joints || s->stack;
    memcpy(f.half, s->size, sizeof f.half);
    lg_status st = lg_mechanism_add_body(m, NULL, &b);
    if (st == LG_OK) st = lg_mechanism_add_surface(m, NULL, &f);
    if (st != LG_OK || !s->joints || i == 0) return st;
    char parent[16];
    (void)snprintf(parent, sizeof parent, "b%d", i - 1);
    lg_joint j = lg_joint_default(name, LG_JOINT_SPHERICAL, parent, name);
    for (int k = 0; k < 3; k++) j.point[k] = 0.5 * (s->pose[i - 1][k] + s->pose[i][k]);
    return lg_mechanism_add_joint(m, NULL, &j);
}

static lg_status build(lg_mechanism *m, const contact_scene *s)
{
    lg_surface ground = lg_surface_default("ground", NULL);
    ground.kind = LG_SURFACE_PLANE, ground.friction = s->friction, ground.restitution = s->restitution;
    lg_status st = lg_mechanism_set_gravity(m, s->gravity);
    if (st == LG_OK && s->ground) st = lg_mechanism_add_surface(m, NULL, &ground);
    for (int i = 0; st == LG_OK && i < s->bodies; i++) st = add_body(m, s, i);
    for (int i = 0; st == LG_OK && s->stack && i + 1 < s->bodies; i++) {
        char name[16];
        (void)snprintf(name, sizeof name, "b%d", i);
        st = add_top(m, s, i, name);
    }
    if (st != LG_OK || s->push <= 0) return st == LG_OK ? lg_mechanism_compile(m) : st;
    lg_thruster push = lg_thruster_default("push", "b0");
    push.axis[0] = 1, push.axis[2] = 0, push.point[2] = -0.1;
    st = lg_mechanism_add_thruster(m, NULL, &push);
    return st == LG_OK ? lg_mechanism_compile(m) : st;
}

static lg_status begin(engine *e, const contact_scene *s, int setting)
{
    double poses[7 * CONTACT_BODIES], twists[6 * CONTACT_BODIES] = {0};
    lg_motion_options o = lg_motion_options_default();
    lg_contact_options c = lg_contact_options_default();
    o.step = s->h, c.localise = setting != 1, c.law = setting == 2 ? LG_IMPACT_SEQUENTIAL : LG_IMPACT_POISSON;
    for (int i = 0; i < s->bodies; i++) {
        memcpy(poses + 7 * i, s->pose[i], sizeof s->pose[i]);
        memcpy(twists + 6 * i, s->velocity[i], sizeof s->velocity[i]);
    }
    lg_status st = lg_model_of_mechanism(&e->M, e->m, NULL);
    if (st == LG_OK) st = lg_motion_create(&e->mo, e->M, &o);
    if (st == LG_OK) st = lg_motion_set_contact(e->mo, &c);
    if (st == LG_OK) st = lg_motion_start_poses(e->mo, 0, poses, twists, 0);
    return st == LG_OK && s->push > 0 ? lg_motion_set_control(e->mo, &s->push) : st;
}

static void close_engine(void *opened)
{
    engine *e = opened;
    lg_motion_destroy(e->mo);
    lg_model_destroy(e->M);
    lg_mechanism_destroy(e->m);
    free(e);
}

static void *open_engine(const contact_scene *s, int setting)
{
    engine *e = calloc(1, sizeof *e);
    if (e == NULL) return NULL;
    lg_status st = lg_mechanism_create(&e->m);
    if (st == LG_OK) st = build(e->m, s);
    if (st == LG_OK) st = begin(e, s, setting);
    if (st == LG_OK) return e;
    fprintf(stderr, "bench_peers: %s: %s %s\n", s->name, e->m != NULL ? lg_mechanism_message(e->m) : "",
            e->mo != NULL ? lg_motion_message(e->mo) : "");
    close_engine(e);
    return NULL;
}

static int step(void *opened)
{
    engine *e = opened;
    const int bad = lg_motion_step(e->mo, 1) != LG_OK;
    if (bad) fprintf(stderr, "bench_peers: %s\n", lg_motion_message(e->mo));
    return bad;
}

static void read_body(void *opened, contact_state *state, int body)
{
    const engine *e = opened;
    double pose[7], twist[6];
    if (lg_motion_body_pose(e->mo, pose, body) != LG_OK || lg_motion_body_twist(e->mo, twist, body) != LG_OK)
        pose[0] = (double)NAN;
    memcpy(state->x, pose, sizeof state->x), memcpy(state->q, pose + 3, sizeof state->q);
    memcpy(state->v, twist, sizeof state->v), memcpy(state->w, twist + 3, sizeof state->w);
}

static void energy(const void *opened, double *H, double *account)
{
    const engine *e = opened;
    *H = lg_motion_energy(e->mo), *account = lg_motion_work(e->mo);
}

const contact_peer contact_liegrp = {"liegrp", NULL, settings, open_engine, step, read_body, energy, close_engine};
