/* SPDX-License-Identifier: BSD-3-Clause */
/* ODE in `bench_peers contact`: dWorldStep and dWorldQuickStep. Its friction cone is a pyramid on the normal force
 * (dContactApprox1); without that mu is a force. */
#include <math.h>
#include <ode/ode.h>
#include <stdlib.h>
#include <string.h>

#include "benchmarks/peers_contact.h"

enum { TOUCHES = 8 };

typedef struct engine {
    const contact_scene *scene;
    dWorldID world;
    dSpaceID space;
    dJointGroupID touches;
    dBodyID body[CONTACT_BODIES];
    int quick, substeps;
} engine;

static const char *const settings[] = {"defaults", "ERP 0.8, CFM 0", "h/5", "h/5, ERP 0.8, CFM 0", NULL};
static const char *const quick_settings[] = {"defaults", "ERP 0.8, CFM 0, 200 iterations", "h/5",
                                             "h/5, ERP 0.8, CFM 0, 200 iterations", NULL};

static void touch(void *opened, dGeomID a, dGeomID b)
{
    engine *e = opened;
    dContact c[TOUCHES];
    const int count = dCollide(a, b, TOUCHES, &c[0].geom, sizeof c[0]);
    for (int i = 0; i < count; i++) {
        c[i].surface = (dSurfaceParameters){
            .mode = dContactBounce | dContactApprox1, .mu = e->scene->friction, .bounce = e->scene->restitution};
        dJointAttach(dJointCreateContact(e->world, e->touches, &c[i]), dGeomGetBody(a), dGeomGetBody(b));
    }
}

static void add_body(engine *e, int i)
{
    const contact_scene *s = e->scene;
    const double *p = s->pose[i], *size = s->size;
    const dBodyID body = dBodyCreate(e->world);
    const dGeomID geom = s->shape == CONTACT_BALL  ? dCreateSphere(e->space, size[0])
                         : s->shape == CONTACT_BOX ? dCreateBox(e->space, 2 * size[0], 2 * size[1], 2 * size[2])
                                                   : dCreateCapsule(e->space, size[0], 2 * size[1]);
    const dQuaternion q = {p[6], p[3], p[4], p[5]};
    dMass mass;
    dMassSetParameters(&mass, s->mass, 0, 0, 0, s->inertia[0], s->inertia[1], s->inertia[2], 0, 0, 0);
    dBodySetMass(body, &mass);
    dGeomSetBody(geom, body);
    dGeomSetCategoryBits(geom, 1), dGeomSetCollideBits(geom, s->joints ? 2 : 3);
    dBodySetPosition(body, p[0], p[1], p[2]), dBodySetQuaternion(body, q);
    dBodySetLinearVel(body, s->velocity[i][0], s->velocity[i][1], s->velocity[i][2]);
    e->body[i] = body;
    if (!s->joints || i == 0) return;
    const double *last = s->pose[i - 1];
    const dJointID joint = dJointCreateBall(e->world, 0);
    dJointAttach(joint, e->body[i - 1], body);
    dJointSetBallAnchor(joint, 0.5 * (p[0] + last[0]), 0.5 * (p[1] + last[1]), 0.5 * (p[2] + last[2]));
}

static void quiet(int number, const char *text, va_list arguments)
{
    (void)number, (void)text, (void)arguments;
}

static void *open_with(const contact_scene *s, int setting, int quick)
{
    engine *e = calloc(1, sizeof *e);
    if (e == NULL) return NULL;
    dInitODE2(0);
    dSetMessageHandler(quiet); /* "LCP internal error" is seen from the motion */
    e->scene = s, e->quick = quick, e->substeps = setting >= 2 ? 5 : 1;
    e->world = dWorldCreate(), e->space = dHashSpaceCreate(0), e->touches = dJointGroupCreate(0);
    dWorldSetGravity(e->world, s->gravity[0], s->gravity[1], s->gravity[2]);
    if (setting % 2 == 1) {
        dWorldSetERP(e->world, 0.8), dWorldSetCFM(e->world, 0);
        dWorldSetQuickStepNumIterations(e->world, 200);
    }
    if (s->ground) {
        const dGeomID ground = dCreatePlane(e->space, 0, 0, 1, 0);
        dGeomSetCategoryBits(ground, 2), dGeomSetCollideBits(ground, 1);
    }
    for (int i = 0; i < s->bodies; i++) add_body(e, i);
    return e;
}

static void *open_step(const contact_scene *s, int setting)
{
    return open_with(s, setting, 0);
}

static void *open_quick(const contact_scene *s, int setting)
{
    return open_with(s, setting, 1);
}

/* ODE's collisions abort on numbers that are not finite. */
static int exploded(const engine *e)
{
    for (int i = 0; i < e->scene->bodies; i++) {
        const dReal *x = dBodyGetPosition(e->body[i]), *w = dBodyGetAngularVel(e->body[i]);
        for (int k = 0; k < 3; k++)
            if (!(fabs(x[k]) < 1e6 && fabs(w[k]) < 1e6)) return 1;
    }
    return 0;
}

static int step(void *opened)
{
    engine *e = opened;
    for (int i = 0; i < e->substeps && !exploded(e); i++) {
        const double h = e->scene->h / e->substeps;
        dSpaceCollide(e->space, e, touch);
        if (e->scene->push > 0) dBodyAddForceAtRelPos(e->body[0], e->scene->push, 0, 0, 0, 0, -0.1);
        if (e->quick)
            (void)dWorldQuickStep(e->world, h);
        else
            (void)dWorldStep(e->world, h);
        dJointGroupEmpty(e->touches);
    }
    return exploded(e);
}

static void read_body(void *opened, contact_state *state, int body)
{
    const engine *e = opened;
    const dReal *q = dBodyGetQuaternion(e->body[body]);
    memcpy(state->x, dBodyGetPosition(e->body[body]), sizeof state->x);
    memcpy(state->v, dBodyGetLinearVel(e->body[body]), sizeof state->v);
    memcpy(state->w, dBodyGetAngularVel(e->body[body]), sizeof state->w);
    state->q[0] = q[1], state->q[1] = q[2], state->q[2] = q[3], state->q[3] = q[0];
}

static void close_engine(void *opened)
{
    engine *e = opened;
    dJointGroupDestroy(e->touches), dSpaceDestroy(e->space), dWorldDestroy(e->world);
    dCloseODE();
    free(e);
}

const contact_peer contact_ode_step = {"ODE step", ODE_VERSION, settings, open_step,
                                       step,       read_body,   NULL,     close_engine};
const contact_peer contact_ode_quick = {"ODE quick", ODE_VERSION, quick_settings, open_quick,
                                        step,        read_body,   NULL,           close_engine};
