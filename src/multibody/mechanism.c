/* SPDX-License-Identifier: BSD-3-Clause */
/* Describing a mechanism: parts by name, checked as they come. */
#include "multibody/mechanism.h"

#include <liegrp/scene/scene.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/dense.h"
#include "groups/rotation.h"

/* ---- the mechanism ---- */

lg_status lg_mechanism_create(lg_mechanism **mechanism)
{
    if (mechanism == NULL) return LG_ERROR_ARGUMENT;
    lg_mechanism *m = calloc(1, sizeof *m);
    *mechanism = m;
    if (m == NULL) return LG_ERROR_MEMORY;
    m->gravity[2] = -9.81;
    return LG_OK;
}

void mb_uncompile(lg_mechanism *m)
{
    for (int i = 0; m->redundant != NULL && m->redundant[i] != NULL; i++) free(m->redundant[i]);
    free(m->mass), free(m->inertia), free(m->inverse_inertia), free(m->joint), free(m->wheel), free(m->gear);
    free(m->coordinate), free(m->drive), free(m->spring), free(m->block), free(m->coordinate_of), free(m->link);
    free(m->walk), free(m->pose), free(m->redundant), free(m->all), free(m->excess), free(m->whole_block);
    free(m->shares_load), m->shares_load = NULL;
    if (m->whole_block != NULL) {
        mb_symbolic_free(&m->whole.node), mb_symbolic_free(&m->whole.mean), mb_saddle_free(&m->whole.saddle);
        m->whole_block = NULL;
        memset(&m->whole, 0, sizeof m->whole);
    }
    mb_system_free(m->system), m->system = NULL;
    for (mb_context *c = m->context, *next; c != NULL; c = next) next = c->next, lg_release(c);
    m->context = NULL;
    for (; m->hidden > 0; m->hidden--) mb_part_drop(m, MB_BODIES), mb_part_drop(m, MB_JOINTS);
    free(m->hub), m->hub = NULL;
    mb_symbolic_free(&m->plan.node), mb_symbolic_free(&m->plan.mean), mb_saddle_free(&m->plan.saddle);
    m->mass = m->inertia = m->inverse_inertia = m->pose = NULL;
    m->joint = NULL, m->wheel = NULL, m->gear = NULL, m->coordinate = NULL, m->drive = NULL, m->spring = NULL;
    m->block = m->all = m->excess = NULL, m->all_rows = m->all_count = 0, m->coordinate_of = m->walk = NULL,
    m->link = NULL, m->redundant = NULL;
    memset(&m->plan, 0, sizeof m->plan);
    m->compiled = 0, m->moved[0] = '\0';
}

void lg_mechanism_destroy(lg_mechanism *m)
{
    if (m == NULL) return;
    mb_uncompile(m);
    for (int k = 0; k < MB_KINDS; k++) {
        while (m->part[k].count > 0) mb_part_drop(m, k);
        free(m->part[k].at), free(m->part[k].parameter_end), free(m->part[k].slot);
    }
    for (int i = 0; i < m->remarks; i++) free(m->remark[i]);
    for (int i = 0; i < m->merged_count; i++) free(m->merged[i].name);
    free(m->remark), free(m->merged);
    lg_scene_destroy(m->look);
    free(m);
}

const char *lg_mechanism_message(const lg_mechanism *m)
{
    return m != NULL ? m->error.message : "lg_mechanism_message: the mechanism is NULL";
}

/* ---- adding parts ---- */

/* The leading minors of the inertia, and the triangle inequality up to rounding: no rigid body violates it. */
static lg_status check_inertia(lg_mechanism *m, const lg_body *b)
{
    const double *I = b->inertia, xx = I[0], yy = I[1], zz = I[2], xy = I[3], xz = I[4], yz = I[5];
    const double second = xx * yy - xy * xy;
    const double third = zz * second - xx * yz * yz - yy * xz * xz + 2 * xy * xz * yz;
    if (!(xx > 0 && second > 0 && third > 0))
        return lg_fail(
            &m->error, LG_ERROR_ARGUMENT,
            "body '%.60s': inertia (xx, yy, zz, xy, xz, yz) = (%g, %g, %g, %g, %g, %g) is not positive definite",
            b->name, xx, yy, zz, xy, xz, yz);
    const double slack = 1e-9 * (xx + yy + zz);
    if (xx + yy < zz - slack || yy + zz < xx - slack || zz + xx < yy - slack)
        return lg_fail(
            &m->error, LG_ERROR_ARGUMENT,
            "body '%.60s': no distribution of mass has the inertia (xx, yy, zz) = (%g, %g, %g): each must be at "
            "most the sum of the other two",
            b->name, xx, yy, zz);
    return LG_OK;
}

lg_status lg_mechanism_add_body(lg_mechanism *m, int *index, const lg_body *body)
{
    lg_body own = lg_body_default(NULL);
    if (m == NULL) return LG_ERROR_ARGUMENT;
    lg_status st = mb_part_begin(m, MB_BODIES, &own, body);
    if (st != LG_OK) return st;
    if (!(own.mass > 0) || !isfinite(own.mass))
        return lg_fail(&m->error, LG_ERROR_ARGUMENT, "body '%.60s': mass is %g kg; it must be positive and finite",
                       own.name, own.mass);
    if (!lg_all_finite(own.inertia, 6) || !lg_all_finite(own.centre, 3) || !lg_all_finite(own.position, 3) ||
        !lg_all_finite(own.attitude, 4))
        return lg_fail(&m->error, LG_ERROR_ARGUMENT, "body '%.60s': a value is not finite", own.name);
    st = check_inertia(m, &own);
    if (st != LG_OK) return st;
    const double norm = lg_length(own.attitude, 4);
    if (fabs(norm - 1) > 1e-6)
        return lg_fail(&m->error, LG_ERROR_ARGUMENT,
                       "body '%.60s': attitude has length %g; it must be a unit quaternion", own.name, norm);
    for (int i = 0; i < 4; i++) own.attitude[i] /= norm;
    return mb_part_keep(m, MB_BODIES, &own, index);
}

static int is_rotation(const double *F)
{
    double off = 0;
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) {
            const double s = F[i] * F[k] + F[3 + i] * F[3 + k] + F[6 + i] * F[6 + k];
            off = fmax(off, fabs(s - (i == k)));
        }
    const double det =
        F[0] * (F[4] * F[8] - F[5] * F[7]) - F[1] * (F[3] * F[8] - F[5] * F[6]) + F[2] * (F[3] * F[7] - F[4] * F[6]);
    return off < 1e-6 && det > 0;
}

lg_status lg_mechanism_add_joint(lg_mechanism *m, int *index, const lg_joint *joint)
{
    lg_joint own = lg_joint_default(NULL, LG_JOINT_REVOLUTE, NULL, NULL);
    if (m == NULL) return LG_ERROR_ARGUMENT;
    lg_status st = mb_part_begin(m, MB_JOINTS, &own, joint);
    if (st != LG_OK) return st;
    lg_error *e = &m->error;
    if ((int)own.kind < LG_JOINT_FIXED || (int)own.kind > LG_JOINT_FREE)
        return lg_fail(e, LG_ERROR_ARGUMENT, "joint '%.60s': kind %d is not an lg_joint_kind", own.name, (int)own.kind);
    if (!lg_all_finite(own.point, 3) || !lg_all_finite(own.axis, 3) || !lg_all_finite(own.second, 3) ||
        !lg_all_finite(own.parent_point, 3) || !lg_all_finite(own.parent_frame, 9) ||
        !lg_all_finite(own.child_point, 3) || !lg_all_finite(own.child_frame, 9) ||
        !isfinite(own.length + own.stiffness + own.rest + own.damping))
        return lg_fail(e, LG_ERROR_ARGUMENT, "joint '%.60s': a value is not finite", own.name);
    if (!own.on_bodies && !(lg_length(own.axis, 3) > 0))
        return lg_fail(e, LG_ERROR_ARGUMENT, "joint '%.60s': the axis is zero", own.name);
    if (own.on_bodies && (!is_rotation(own.parent_frame) || !is_rotation(own.child_frame)))
        return lg_fail(e, LG_ERROR_ARGUMENT, "joint '%.60s': %s_frame is not a rotation", own.name,
                       is_rotation(own.parent_frame) ? "child" : "parent");
    if (own.length < 0 || own.damping < 0 || own.stiffness < 0)
        return lg_fail(e, LG_ERROR_ARGUMENT, "joint '%.60s': %s is %g; it must not be negative", own.name,
                       own.length < 0    ? "length"
                       : own.damping < 0 ? "damping"
                                         : "stiffness",
                       own.length < 0    ? own.length
                       : own.damping < 0 ? own.damping
                                         : own.stiffness);
    if (own.in_space &&
        (own.kind == LG_JOINT_PRISMATIC || own.kind == LG_JOINT_CYLINDRICAL || own.kind == LG_JOINT_PLANAR))
        return lg_fail(e, LG_ERROR_ARGUMENT,
                       "joint '%.60s': it slides, so that its rows turn with the parent; in_space must be 0", own.name);
    if ((own.stiffness != 0 || own.damping != 0) && own.kind != LG_JOINT_REVOLUTE && own.kind != LG_JOINT_PRISMATIC)
        return lg_fail(e, LG_ERROR_ARGUMENT,
                       "joint '%.60s': stiffness and damping act on one position: on revolute and prismatic joints",
                       own.name);
    if (!(own.lower <= own.upper))
        return lg_fail(e, LG_ERROR_ARGUMENT, "joint '%.60s': lower limit %g, upper limit %g; it must be lower <= upper",
                       own.name, own.lower, own.upper);
    if ((own.lower > -INFINITY || own.upper < INFINITY) && own.kind != LG_JOINT_REVOLUTE &&
        own.kind != LG_JOINT_PRISMATIC)
        return lg_fail(e, LG_ERROR_ARGUMENT,
                       "joint '%.60s': limits are those of one position: of revolute and prismatic joints", own.name);
    return mb_part_keep(m, MB_JOINTS, &own, index);
}

lg_status lg_mechanism_add_wheel(lg_mechanism *m, int *index, const lg_wheel *wheel)
{
    lg_wheel own = lg_wheel_default(NULL, NULL);
    if (m == NULL) return LG_ERROR_ARGUMENT;
    lg_status st = mb_part_begin(m, MB_WHEELS, &own, wheel);
    if (st != LG_OK) return st;
    lg_error *e = &m->error;
    if (own.kind != LG_WHEEL_DISK && own.kind != LG_WHEEL_BALL)
        return lg_fail(e, LG_ERROR_ARGUMENT, "wheel '%.60s': kind %d is not an lg_wheel_kind", own.name, (int)own.kind);
    if ((int)own.contact < LG_CONTACT_ROLLS || (int)own.contact > LG_CONTACT_SLIDES)
        return lg_fail(e, LG_ERROR_ARGUMENT, "wheel '%.60s': contact %d is not an lg_contact", own.name,
                       (int)own.contact);
    if (own.kind == LG_WHEEL_BALL && own.contact == LG_CONTACT_EDGE)
        return lg_fail(e, LG_ERROR_ARGUMENT, "wheel '%.60s': a ball has no edge; it rolls or slides", own.name);
    if (!(own.radius > 0) || !(own.tube >= 0) || !isfinite(own.radius + own.tube + own.ground_spin) ||
        !lg_all_finite(own.centre, 3) || !lg_all_finite(own.axle, 3) || !lg_all_finite(own.ground_normal, 3) ||
        !lg_all_finite(own.ground_point, 3) || !lg_all_finite(own.ground_velocity, 3))
        return lg_fail(e, LG_ERROR_ARGUMENT,
                       "wheel '%.60s': radius %g must be positive, tube %g not negative, and all values finite",
                       own.name, own.radius, own.tube);
    if (own.kind == LG_WHEEL_BALL && own.tube != 0)
        return lg_fail(e, LG_ERROR_ARGUMENT, "wheel '%.60s': a ball has no tube; tube must be 0, not %g", own.name,
                       own.tube);
    if (!(lg_length(own.axle, 3) > 0) || !(lg_length(own.ground_normal, 3) > 0))
        return lg_fail(e, LG_ERROR_ARGUMENT, "wheel '%.60s': %s is zero", own.name,
                       lg_length(own.axle, 3) > 0 ? "ground_normal" : "axle");
    const double *n = own.ground_normal, *v = own.ground_velocity;
    const double rises = (n[0] * v[0] + n[1] * v[1] + n[2] * v[2]) / lg_length(n, 3);
    if (fabs(rises) > 1e-6 * lg_length(v, 3))
        return lg_fail(
            e, LG_ERROR_ARGUMENT,
            "wheel '%.60s': ground_velocity leaves the plane with %g m/s along ground_normal; a plane slides "
            "along itself",
            own.name, rises);
    return mb_part_keep(m, MB_WHEELS, &own, index);
}

lg_status lg_mechanism_add_spring(lg_mechanism *m, int *index, const lg_spring *spring)
{
    lg_spring own = lg_spring_default(NULL, NULL, NULL);
    if (m == NULL) return LG_ERROR_ARGUMENT;
    lg_status st = mb_part_begin(m, MB_SPRINGS, &own, spring);
    if (st != LG_OK) return st;
    if (!lg_all_finite(own.parent_point, 3) || !lg_all_finite(own.child_point, 3) || !(own.stiffness >= 0) ||
        !(own.damping >= 0) || !isfinite(own.stiffness + own.damping + own.rest))
        return lg_fail(&m->error, LG_ERROR_ARGUMENT,
                       "spring '%.60s': stiffness %g and damping %g must not be negative, and all values finite",
                       own.name, own.stiffness, own.damping);
    return mb_part_keep(m, MB_SPRINGS, &own, index);
}

lg_status lg_mechanism_add_motor(lg_mechanism *m, int *index, const lg_motor *motor)
{
    lg_motor own = lg_motor_default(NULL, NULL);
    if (m == NULL) return LG_ERROR_ARGUMENT;
    lg_status st = mb_part_begin(m, MB_MOTORS, &own, motor);
    return st == LG_OK ? mb_part_keep(m, MB_MOTORS, &own, index) : st;
}

lg_status lg_mechanism_add_gear(lg_mechanism *m, int *index, const lg_gear *gear)
{
    lg_gear own = lg_gear_default(NULL, NULL, NULL);
    if (m == NULL) return LG_ERROR_ARGUMENT;
    lg_status st = mb_part_begin(m, MB_GEARS, &own, gear);
    if (st != LG_OK) return st;
    if (!isfinite(own.ratio) || own.ratio == 0 || !isfinite(own.offset))
        return lg_fail(&m->error, LG_ERROR_ARGUMENT,
                       "gear '%.60s': ratio %g must be finite and not 0, offset %g finite", own.name, own.ratio,
                       own.offset);
    return mb_part_keep(m, MB_GEARS, &own, index);
}

static lg_status before_compilation(lg_mechanism *m, const char *function)
{
    lg_error_clear(&m->error);
    if (!m->compiled) return LG_OK;
    return lg_fail(&m->error, LG_ERROR_ARGUMENT, "%s: the mechanism is compiled already", function);
}

lg_status lg_mechanism_set_gravity(lg_mechanism *m, const double *gravity)
{
    if (m == NULL) return LG_ERROR_ARGUMENT;
    const lg_status st = before_compilation(m, "lg_mechanism_set_gravity");
    if (st != LG_OK) return st;
    if (gravity == NULL || !lg_all_finite(gravity, 3))
        return lg_fail(&m->error, LG_ERROR_ARGUMENT, "lg_mechanism_set_gravity: three finite numbers are needed");
    memcpy(m->gravity, gravity, sizeof m->gravity);
    return LG_OK;
}

lg_status lg_mechanism_keep_order(lg_mechanism *m)
{
    if (m == NULL) return LG_ERROR_ARGUMENT;
    const lg_status st = before_compilation(m, "lg_mechanism_keep_order");
    if (st == LG_OK) m->keep_order = 1;
    return st;
}

lg_status lg_mechanism_compile(lg_mechanism *m)
{
    if (m == NULL) return LG_ERROR_ARGUMENT;
    lg_status st = before_compilation(m, "lg_mechanism_compile");
    if (st != LG_OK) return st;
    if (m->part[MB_BODIES].count == 0)
        return lg_fail(&m->error, LG_ERROR_ARGUMENT, "lg_mechanism_compile: there is no body");
    st = mb_check_altered(m);
    if (st == LG_OK) st = mb_split_hubs(m);
    if (st == LG_OK) st = mb_make_parts(m);
    if (st == LG_OK) st = mb_make_tree(m);
    if (st == LG_OK) st = mb_make_blocks(m);
    if (st == LG_OK && (!mb_saddle_make(&m->plan) || !mb_make_whole(m)))
        st = lg_fail(&m->error, LG_ERROR_MEMORY, "lg_mechanism_compile: out of memory");
    if (st == LG_OK)
        m->compiled = 1;
    else
        mb_uncompile(m);
    return st;
}
