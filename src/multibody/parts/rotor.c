/* SPDX-License-Identifier: BSD-3-Clause */
/* Rotors: the inertia that turns with the positions of a joint (rows/rotor.h). Compilation adds a body for each joint
 * that has one; these are the last bodies, and no reader of a mechanism sees them. */
#include <stdlib.h>

#include "multibody/parts/joint.h"
#include "multibody/parts/part.h"

/* Of each joint: its own inertia, and that of the motors that drive it. */
static double *rotor_inertias(const lg_mechanism *m)
{
    const int joints = mb_seen(m, MB_JOINTS);
    double *I = calloc((size_t)joints + 1, sizeof *I);
    for (int j = 0; I != NULL && j < joints; j++) I[j] = MB_JOINT_OF(m, j)->armature;
    for (int i = 0; I != NULL && i < m->part[MB_MOTORS].count; i++) {
        const lg_motor *d = MB_MOTOR_OF(m, i);
        const int j = mb_find(m, MB_JOINTS, d->joint);
        if (j >= 0) I[j] += d->ratio * d->ratio * d->rotor_inertia;
    }
    return I;
}

/* What makes angles of a rotor comparable with the places of bodies: the larger gyration radius of the joint's bodies.
 */
static double rotor_scale(const lg_mechanism *m, const lg_joint *j)
{
    const mb_joint_kind *k = &mb_joint_kinds[j->kind];
    int turns = 0;
    double square = 0;
    for (int i = 0; i < k->positions; i++) turns |= k->position[i]->kind == MB_TURNS;
    for (int s = 0; s < 2; s++) {
        const int b = mb_find(m, MB_BODIES, s ? j->child : j->parent);
        if (b < 0) continue;
        const lg_body *body = MB_BODY(m, b);
        square = fmax(square, (body->inertia[0] + body->inertia[1] + body->inertia[2]) / body->mass);
    }
    return turns && square > 0 ? sqrt(square) : 1;
}

static lg_status add_rotor(lg_mechanism *m, int j, double I)
{
    const lg_joint *joint = MB_JOINT_OF(m, j);
    const double scale = rotor_scale(m, joint);
    const int b = m->part[MB_BODIES].count;
    lg_body body = lg_body_default(joint->name);
    body.mass = I / (scale * scale), body.inertia[0] = body.inertia[1] = body.inertia[2] = I;
    const lg_status st = mb_part_append(m, MB_BODIES, &body);
    if (st != LG_OK) return st;
    m->rotors++;
    m->hub[b] = (mb_hub){.host = b, .first = j, .shares = 1};
    return LG_OK;
}

lg_status mb_add_rotors(lg_mechanism *m)
{
    double *I = rotor_inertias(m);
    lg_status st = I != NULL ? LG_OK : lg_fail(&m->error, LG_ERROR_MEMORY, "lg_mechanism_compile: out of memory");
    for (int j = 0; st == LG_OK && j < mb_seen(m, MB_JOINTS); j++)
        if (I[j] > 0) st = add_rotor(m, j, I[j]);
    free(I);
    return st;
}

void mb_take_rotor(lg_mechanism *m, int i)
{
    const lg_joint *from = MB_JOINT_OF(m, i);
    const mb_joint_kind *k = &mb_joint_kinds[from->kind];
    mb_joint *j = &m->joint[i];
    int low = m->plan.bodies - m->rotors, high = m->plan.bodies; /* rotors are in the order of their joints */
    while (low < high) {
        const int middle = low + (high - low) / 2;
        if (m->hub[middle].first < i)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == m->plan.bodies || m->hub[low].first != i) return;
    j->rotor = low;
    j->rotor_scale = rotor_scale(m, from), j->rates = k->positions;
    for (int n = 0; n < k->positions; n++) j->rate[n] = (mb_rotor_rate){k->position[n]->kind, k->position[n]->axis};
    m->plan.rotor_rows += k->positions;
}

int mb_rotor_block(const mb_joint *j, int i, mb_block *block)
{
    if (j->rotor < 0) return 0;
    *block = (mb_block){.kind = MB_ROTOR, .source = i, .sides = 3, .body = {j->rotor, j->a, j->b}, .rows = j->rates};
    return 1;
}
