/* SPDX-License-Identifier: BSD-3-Clause */
/* Rotors: the inertia that turns with the positions of a joint (rows/rotor.h). Compilation adds a body for each joint
 * that has one; these are the last bodies, and no reader of a mechanism sees them. */
#include <stdlib.h>

#include "multibody/parts/joint.h"
#include "multibody/parts/part.h"

/* To a length or an angle by name; what is wrong with the name is said later. */
static void add_inertia(lg_mechanism *m, const char *name, double I)
{
    int j, i;
    const mb_position *p = mb_position_named(m, &j, &i, name);
    if (p != NULL && p->kind != MB_VECTOR) m->rotor_inertia[MB_POSITIONS_MOST * j + i] += I;
}

/* Of each position: the joint's own inertia, and that of the motors that drive it. */
static int sum_inertias(lg_mechanism *m)
{
    const int joints = mb_seen(m, MB_JOINTS);
    double *I = m->rotor_inertia = calloc(MB_POSITIONS_MOST * (size_t)joints + 1, sizeof *I);
    for (int j = 0; I != NULL && j < joints; j++)
        for (int i = 0; i < mb_position_count(MB_JOINT_OF(m, j)); i++)
            I[MB_POSITIONS_MOST * j + i] = MB_JOINT_OF(m, j)->armature;
    for (int k = 0; I != NULL && k < m->part[MB_MOTORS].count; k++) {
        const lg_motor *d = MB_MOTOR_OF(m, k);
        add_inertia(m, d->joint, d->ratio * d->ratio * d->rotor_inertia);
    }
    for (int k = 0; I != NULL && k < m->part[MB_COORDINATES].count; k++)
        add_inertia(m, MB_COORDINATE_OF(m, k)->joint, MB_COORDINATE_OF(m, k)->armature);
    return I != NULL;
}

/* The inertia of the rotor's body: that of rotation vectors, which have one for all directions, or else the largest. */
static double rotor_inertia(const lg_mechanism *m, int j)
{
    const lg_joint *of = MB_JOINT_OF(m, j);
    double most = 0;
    for (int i = mb_position_count(of) - 1; i >= 0; i--) {
        const double I = m->rotor_inertia[MB_POSITIONS_MOST * j + i];
        if (mb_position_of(of, i)->kind == MB_VECTOR && I > 0) return I;
        most = fmax(most, I);
    }
    return most;
}

/* What makes angles of a rotor comparable with the places of bodies: the larger gyration radius of the joint's bodies.
 */
static double rotor_scale(const lg_mechanism *m, const lg_joint *j)
{
    int turns = 0;
    double square = 0;
    for (int i = 0; i < mb_position_count(j); i++) turns |= mb_position_of(j, i)->kind == MB_TURNS;
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
    lg_status st = sum_inertias(m) ? LG_OK : lg_fail(&m->error, LG_ERROR_MEMORY, "lg_mechanism_compile: out of memory");
    for (int j = 0; st == LG_OK && j < mb_seen(m, MB_JOINTS); j++) {
        const double I = rotor_inertia(m, j);
        if (I > 0) st = add_rotor(m, j, I);
    }
    return st;
}

void mb_take_rotor(lg_mechanism *m, int i)
{
    const lg_joint *from = MB_JOINT_OF(m, i);
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
    const double scale = rotor_scale(m, from), whole = rotor_inertia(m, i);
    j->rotor = low;
    for (int n = 0; n < mb_position_count(from); n++) {
        const double I = m->rotor_inertia[MB_POSITIONS_MOST * i + n];
        const mb_position *of = mb_position_of(from, n);
        if (I > 0) j->rate[j->rates++] = (mb_rotor_rate){of->kind, of->axis, scale * sqrt(I / whole)};
    }
    m->plan.rotor_rows += j->rates;
}

int mb_rotor_block(const mb_joint *j, int i, mb_block *block)
{
    if (j->rotor < 0) return 0;
    *block = (mb_block){.kind = MB_ROTOR, .source = i, .sides = 3, .body = {j->rotor, j->a, j->b}, .rows = j->rates};
    return 1;
}
