/* SPDX-License-Identifier: BSD-3-Clause */
/* Joints: kinds, checks, numbers on bodies, rows. */
#include "multibody/parts/joint.h"

#include "groups/rotation.h"
#include "multibody/forces/force.h"
#include "multibody/parts/part.h"
#include "multibody/scene.h"

/* ---- kinds ---- */

static const mb_position across[2] = {{MB_SLIDES, 0, "m", "m/s", "first length across the axis of"},
                                      {MB_SLIDES, 1, "m", "m/s", "second length across the axis of"}};
static const mb_position along = {MB_SLIDES, 2, "m", "m/s", "length along the axis of"};
static const mb_position about = {MB_TURNS, 2, "rad", "rad/s", "angle about the axis of"};
static const mb_position about_second = {MB_TURNS, 0, "rad", "rad/s", "angle about the second axis of"};
static const mb_position move[3] = {{MB_SLIDES, 0, "m", "m/s", "first coordinate of"},
                                    {MB_SLIDES, 1, "m", "m/s", "second coordinate of"},
                                    {MB_SLIDES, 2, "m", "m/s", "third coordinate of"}};
static const mb_position turn[3] = {{MB_VECTOR, 0, "rad", "rad/s", "first component of the rotation vector of"},
                                    {MB_VECTOR, 1, "rad", "rad/s", "second component of the rotation vector of"},
                                    {MB_VECTOR, 2, "rad", "rad/s", "third component of the rotation vector of"}};

const mb_joint_kind mb_joint_kinds[] = {
    [LG_JOINT_FIXED] = {"fixed", {3, {0, 1, 2}, 3, {{0, 2}, {1, 2}, {0, 1}}}, .look = MB_LOOK_ARMS},
    [LG_JOINT_REVOLUTE] = {"revolute", {3, {0, 1, 2}, 2, {{0, 2}, {1, 2}}}, 1, {&about}, .look = MB_LOOK_PIN},
    [LG_JOINT_PRISMATIC] = {"prismatic", {2, {0, 1}, 3, {{0, 2}, {1, 2}, {0, 1}}}, 1, {&along}, .look = MB_LOOK_PIN},
    [LG_JOINT_CYLINDRICAL] =
        {"cylindrical", {2, {0, 1}, 2, {{0, 2}, {1, 2}}}, 2, {&along, &about}, .look = MB_LOOK_PIN},
    [LG_JOINT_UNIVERSAL] = {"universal", {3, {0, 1, 2}, 1, {{2, 0}}}, 2, {&about, &about_second}, .look = MB_LOOK_BALL},
    [LG_JOINT_SPHERICAL] =
        {"spherical", {3, {0, 1, 2}, 0, {{0}}}, 3, {&turn[0], &turn[1], &turn[2]}, .look = MB_LOOK_BALL},
    [LG_JOINT_PLANAR] =
        {"planar", {1, {2}, 2, {{0, 2}, {1, 2}}}, 3, {&across[0], &across[1], &about}, .look = MB_LOOK_ARMS},
    [LG_JOINT_DISTANCE] = {"distance", {1, {0}, 0, {{0}}}, .distance = 1, .look = MB_LOOK_BAR},
    [LG_JOINT_FREE] = {"free",
                       {0, {0}, 0, {{0}}},
                       6,
                       {&move[0], &move[1], &move[2], &turn[0], &turn[1], &turn[2]},
                       .look = MB_LOOK_NOTHING},
    [LG_JOINT_COMPOSED] = {"composed", {0, {0}, 0, {{0}}}, .look = MB_LOOK_PINS},
};

static int is_kind(lg_joint_kind kind)
{
    return (int)kind >= 0 && (size_t)kind < sizeof mb_joint_kinds / sizeof mb_joint_kinds[0];
}

const char *lg_joint_kind_name(lg_joint_kind kind)
{
    return is_kind(kind) ? mb_joint_kinds[kind].name : NULL;
}

int lg_joint_kind_positions(lg_joint_kind kind)
{
    return is_kind(kind) ? mb_joint_kinds[kind].positions : -1;
}

const char *lg_joint_kind_unit(lg_joint_kind kind, int i)
{
    return i >= 0 && i < lg_joint_kind_positions(kind) ? mb_joint_kinds[kind].position[i]->unit : NULL;
}

/* ---- descriptions ---- */

static const mb_field turning_fields[] = {
    {"stiffness", "N m/rad", offsetof(lg_joint, stiffness)},
    {"rest", "rad", offsetof(lg_joint, rest)},
    {"damping", "N m s/rad", offsetof(lg_joint, damping)},
    {"friction", "N m", offsetof(lg_joint, friction)},
    {"friction_speed", "rad/s", offsetof(lg_joint, friction_speed)},
    {"armature", "kg m^2", offsetof(lg_joint, armature)},
    {NULL, NULL, 0},
};
static const mb_field sliding_fields[] = {
    {"stiffness", "N/m", offsetof(lg_joint, stiffness)},
    {"rest", "m", offsetof(lg_joint, rest)},
    {"damping", "N s/m", offsetof(lg_joint, damping)},
    {"friction", "N", offsetof(lg_joint, friction)},
    {"friction_speed", "m/s", offsetof(lg_joint, friction_speed)},
    {"armature", "kg", offsetof(lg_joint, armature)},
    {NULL, NULL, 0},
};
static const mb_field mixed_fields[] = {
    {"stiffness", "N/m, N m/rad", offsetof(lg_joint, stiffness)},
    {"rest", "m, rad", offsetof(lg_joint, rest)},
    {"damping", "N s/m, N m s/rad", offsetof(lg_joint, damping)},
    {"friction", "N, N m", offsetof(lg_joint, friction)},
    {"friction_speed", "m/s, rad/s", offsetof(lg_joint, friction_speed)},
    {"armature", "kg, kg m^2", offsetof(lg_joint, armature)},
    {NULL, NULL, 0},
};
static const mb_field distance_fields[] = {{"length", "m", offsetof(lg_joint, length)}, {NULL, NULL, 0}};
static const mb_field no_fields[] = {{NULL, NULL, 0}};
static const mb_field vector_fields[] = {
    {"damping", "N m s/rad", offsetof(lg_joint, damping)},
    {"armature", "kg m^2", offsetof(lg_joint, armature)},
    {NULL, NULL, 0},
};

static const mb_field *joint_fields(const void *part)
{
    const lg_joint *j = part;
    const int count = mb_position_count(j);
    if (mb_joint_kinds[j->kind].distance) return distance_fields;
    if (count == 0) return no_fields;
    const mb_position_kind first = mb_position_of(j, 0)->kind, last = mb_position_of(j, count - 1)->kind;
    if (last == MB_VECTOR) return vector_fields;
    return first != last ? mixed_fields : first == MB_SLIDES ? sliding_fields : turning_fields;
}

/* Its springs and limits act on lengths and angles, on each of them. */
static int has_lengths_or_angles(const lg_joint *j)
{
    const int count = mb_position_count(j);
    return count > 0 && mb_position_of(j, count - 1)->kind != MB_VECTOR;
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

static lg_status check_joint(lg_mechanism *m, void *part)
{
    const lg_joint *own = part;
    lg_error *e = &m->error;
    if (!is_kind(own->kind))
        return lg_fail(e, LG_ERROR_ARGUMENT, "joint '%.60s': kind %d is not an lg_joint_kind", own->name,
                       (int)own->kind);
    const mb_joint_kind *k = &mb_joint_kinds[own->kind];
    if (!lg_all_finite(own->point, 3) || !lg_all_finite(own->axis, 3) || !lg_all_finite(own->second, 3) ||
        !lg_all_finite(own->parent_point, 3) || !lg_all_finite(own->parent_frame, 9) ||
        !lg_all_finite(own->child_point, 3) || !lg_all_finite(own->child_frame, 9) ||
        !isfinite(own->length + own->stiffness + own->rest + own->damping + own->friction + own->friction_speed +
                  own->armature))
        return lg_fail(e, LG_ERROR_ARGUMENT, "joint '%.60s': a value is not finite", own->name);
    lg_status st = mb_check_motions(m, own);
    if (st != LG_OK) return st;
    if (own->in_space && own->kind == LG_JOINT_COMPOSED)
        return lg_fail(e, LG_ERROR_ARGUMENT,
                       "joint '%.60s': the rows of a composed joint follow its motions; in_space must be 0", own->name);
    if (!own->on_bodies && !(lg_length(own->axis, 3) > 0))
        return lg_fail(e, LG_ERROR_ARGUMENT, "joint '%.60s': the axis is zero", own->name);
    if (own->on_bodies && (!is_rotation(own->parent_frame) || !is_rotation(own->child_frame)))
        return lg_fail(e, LG_ERROR_ARGUMENT, "joint '%.60s': %s_frame is not a rotation", own->name,
                       is_rotation(own->parent_frame) ? "child" : "parent");
    static const char *const names[] = {"length", "damping", "stiffness", "friction", "friction_speed", "armature"};
    const double values[] = {own->length,   own->damping,        own->stiffness,
                             own->friction, own->friction_speed, own->armature};
    for (int i = 0; i < 6; i++)
        if (values[i] < 0)
            return lg_fail(e, LG_ERROR_ARGUMENT, "joint '%.60s': %s is %g; it must not be negative", own->name,
                           names[i], values[i]);
    st = mb_check_stops(m, "joint", own->name, own->stops, own->stop_restitution, own->lower, own->upper);
    if (st != LG_OK) return st;
    const int positions = mb_position_count(own), rows = mb_joint_row_count(own);
    if (own->in_space && positions > 0 && mb_position_of(own, 0)->kind == MB_SLIDES && rows > 0)
        return lg_fail(e, LG_ERROR_ARGUMENT,
                       "joint '%.60s': it slides, so that its rows turn with the parent; in_space must be 0",
                       own->name);
    const int turns_freely = positions > 0 && !has_lengths_or_angles(own); /* damping alone acts on it */
    if ((own->stiffness != 0 || (own->damping != 0 && !turns_freely) || own->friction != 0) &&
        !has_lengths_or_angles(own))
        return lg_fail(e, LG_ERROR_ARGUMENT,
                       "joint '%.60s': stiffness%s and friction act on lengths and angles, of which a %s joint "
                       "has none or not these alone; a spring between points or lg_motion_set_wrench() acts on bodies",
                       own->name, turns_freely ? "" : ", damping", k->name);
    if (own->armature > 0 && positions == 0)
        return lg_fail(e, LG_ERROR_ARGUMENT,
                       "joint '%.60s': armature is the inertia of a rotor that positions turn; a %s joint has none",
                       own->name, k->name);
    st = mb_check_limits(m, "joint", own->name, own->lower, own->upper);
    if (st != LG_OK) return st;
    if ((own->lower > -INFINITY || own->upper < INFINITY) && !has_lengths_or_angles(own))
        return lg_fail(e, LG_ERROR_ARGUMENT,
                       "joint '%.60s': limits are those of lengths and angles, of which a %s joint has none or not "
                       "these alone",
                       own->name, k->name);
    return LG_OK;
}

static int joint_loads(const void *part)
{
    return mb_joint_row_count(part);
}

/* ---- numbers on bodies ---- */

static void take_rows(mb_joint *j, lg_joint_kind kind)
{
    const mb_joint_kind *k = &mb_joint_kinds[kind];
    memset(j, 0, sizeof *j);
    j->translational = k->rows.translational, j->rotational = k->rows.rotational;
    memcpy(j->axis, k->rows.axis, sizeof j->axis);
    memcpy(j->pair, k->rows.pair, sizeof j->pair);
    j->rotor = -1;
}

/* Share `b` of a body is fixed to another at the centre of mass. */
static lg_status make_share_joint(const lg_mechanism *m, int b, mb_joint *j)
{
    take_rows(j, LG_JOINT_FIXED);
    j->a = m->hub[b].fixed_to, j->b = b;
    for (int k = 0; k < 9; k++) j->frame_a[k] = j->frame_b[k] = k % 4 == 0;
    return LG_OK;
}

/* Springs, dampers, friction and stops of all positions alike. */
static lg_status add_passives(lg_mechanism *m, int i)
{
    const lg_joint *from = MB_JOINT_OF(m, i);
    const mb_passive p = {from->stiffness,
                          from->rest,
                          from->damping,
                          from->friction,
                          from->friction_speed,
                          from->stops ? from->lower : -INFINITY,
                          from->stops ? from->upper : INFINITY,
                          from->stop_restitution};
    if (p.stiffness == 0 && p.damping == 0 && p.friction == 0 && !from->stops) return LG_OK;
    for (int n = 0; n < mb_position_count(from); n++) {
        if (mb_position_of(from, n)->kind == MB_VECTOR) { /* its components together */
            mb_ball_add(m, i)->damping = from->damping;
            break;
        }
        const lg_status st = mb_passive_add(m, mb_coordinate_add(m, i, n), &p);
        if (st != LG_OK) return st;
    }
    return LG_OK;
}

static lg_status make_joint(lg_mechanism *m, int i)
{
    const lg_joint *from = MB_JOINT_OF(m, i);
    const mb_joint_kind *k = &mb_joint_kinds[from->kind];
    mb_joint *j = &m->joint[i];
    const int share = i - mb_seen(m, MB_JOINTS), composed = from->kind == LG_JOINT_COMPOSED;
    if (share >= 0) return make_share_joint(m, mb_seen(m, MB_BODIES) + share, j);
    take_rows(j, from->kind);
    lg_status st = mb_both_bodies(m, "joint", from->name, from->parent, from->child, &j->a, &j->b);
    if (st != LG_OK) return st;
    const mb_placed a = mb_placed_of(m, j->a), b = mb_placed_of(m, j->b);
    j->in_space = from->in_space;
    mb_take_rotor(m, i);
    if (mb_joint_row_count(from) > 0) j->a = mb_seat(m, j->a), j->b = mb_seat(m, j->b);
    if (from->on_bodies || k->distance) {
        mb_anchor(j->anchor_a, &a, from->parent_point);
        mb_anchor(j->anchor_b, &b, from->child_point);
        memcpy(j->frame_a, from->parent_frame, sizeof j->frame_a);
        memcpy(j->frame_b, from->child_frame, sizeof j->frame_b);
    } else if (!composed) {
        double S[9];
        if (!mb_frame_from(S, from->axis, from->second))
            return lg_fail(&m->error, LG_ERROR_ARGUMENT, "joint '%.60s': the second axis is parallel to the axis",
                           from->name);
        mb_attach(j->anchor_a, j->frame_a, &a, from->point, S);
        mb_attach(j->anchor_b, j->frame_b, &b, from->point, S);
    }
    if (composed) st = mb_take_motions(m, i, &a, &b);
    if (st == LG_OK) st = add_passives(m, i);
    if (!k->distance) return st;
    j->length = from->length > 0 ? from->length : mb_apart_at_assembly(&a, j->anchor_a, &b, j->anchor_b);
    if (!(j->length > 0))
        return lg_fail(
            &m->error, LG_ERROR_ARGUMENT,
            "joint '%.60s': its points coincide at assembly; a distance must be positive (use a spherical joint)",
            from->name);
    return LG_OK;
}

static double joint_reach(const lg_mechanism *m, int i)
{
    return fmax(lg_length(m->joint[i].anchor_a, 3), lg_length(m->joint[i].anchor_b, 3));
}

static int joint_blocks(const lg_mechanism *m, int i, int velocities, mb_block *block)
{
    const mb_joint *j = &m->joint[i];
    const int composed = j->chain != NULL, rows = composed ? 6 - j->chain->count : j->translational + j->rotational;
    if (velocities) return mb_rotor_block(j, i, block);
    if (rows == 0) return 0;
    *block = (mb_block){.kind = composed ? MB_COMPOSED : MB_JOINT,
                        .source = i,
                        .sides = 2,
                        .body = {j->a, j->b},
                        .rows = rows,
                        .lengths = j->translational};
    return 1;
}

static void describe_joint(lg_lines *l, const lg_mechanism *m, int i)
{
    const mb_joint *j = &m->joint[i];
    double numbers[25] = {j->length};
    memcpy(numbers + 1, j->anchor_a, sizeof j->anchor_a), memcpy(numbers + 4, j->anchor_b, sizeof j->anchor_b);
    memcpy(numbers + 7, j->frame_a, sizeof j->frame_a), memcpy(numbers + 16, j->frame_b, sizeof j->frame_b);
    lg_lines_text(l, "joint", MB_JOINT_OF(m, i)->name);
    lg_lines_number(l, "kind", (double)MB_JOINT_OF(m, i)->kind);
    lg_lines_numbers(l, "points-and-axes", numbers, 25);
    if (j->chain != NULL) mb_describe_motions(l, j->chain);
}

/* A pin, or a ball of a length of 0, at a point of a body, from its centre of mass, along an axis of it. */
static void show_pin(const mb_maker *k, const char *name, int body, const double *at, const double *axis, double size,
                     int ball)
{
    lg_shape s = lg_shape_default(name, ball ? LG_SHAPE_SPHERE : LG_SHAPE_CYLINDER, body);
    mb_look_from_centre(k, s.position, body, at);
    mb_look_along(s.attitude, axis);
    s.dimensions[0] = 0.04 * size, s.dimensions[1] = ball ? 0 : 0.2 * size;
    s.shade = LG_SHADE_METAL;
    mb_look_add(k, &s);
}

/* The first motion on the parent and the last one on the child: frames between them are no bodies. */
static void show_ends(const mb_maker *k, const char *name, const mb_joint *j, int a, int b, double size)
{
    for (int side = 0; side < 2; side++) {
        const mb_elementary *e = &j->chain->motion[side ? j->chain->count - 1 : 0];
        const double *F = side ? j->frame_b : j->frame_a, *anchor = side ? j->anchor_b : j->anchor_a;
        double at[3], axis[3];
        for (int n = 0; n < 3; n++) {
            at[n] = anchor[n] + lg_dot(F + 3 * n, e->point, 3);
            axis[n] = F[3 * n] * e->frame[2] + F[3 * n + 1] * e->frame[5] + F[3 * n + 2] * e->frame[8];
        }
        if ((side ? b : a) >= 0) show_pin(k, name, side ? b : a, at, axis, size, 0);
    }
}

static void show_joint(const mb_maker *k, int i)
{
    const mb_joint *j = &k->m->joint[i];
    const lg_joint *described = MB_JOINT_OF(k->m, i);
    const int a = mb_look_host(k, j->a), b = mb_look_host(k, j->b), body = b >= 0 ? b : a;
    const double *F = b >= 0 ? j->frame_b : j->frame_a, axis[3] = {F[2], F[5], F[8]};
    const double size = mb_look_size(k, a, b);
    const mb_look looks = mb_joint_facts(k->m, i)->look;
    if (looks == MB_LOOK_BAR) mb_look_rod(k, described->name, a, b, j->anchor_a, j->anchor_b, LG_SHADE_METAL);
    if (looks == MB_LOOK_BAR || looks == MB_LOOK_NOTHING) return;
    /* the bars of links end at joints anyway */
    if (a >= 0 && k->shown[a] != MB_SHOWN_LINK) mb_look_arm(k, a, j->anchor_a);
    if (b >= 0 && k->shown[b] != MB_SHOWN_LINK) mb_look_arm(k, b, j->anchor_b);
    if (looks == MB_LOOK_PINS) show_ends(k, described->name, j, a, b, size);
    if (looks == MB_LOOK_ARMS || looks == MB_LOOK_PINS) return;
    show_pin(k, described->name, body, b >= 0 ? j->anchor_b : j->anchor_a, axis, size, looks == MB_LOOK_BALL);
}

/* lg_mechanism_system() has configurations without coordinates. */
static lg_status check_system(lg_mechanism *m, int i)
{
    if (MB_JOINT_OF(m, i)->kind != LG_JOINT_COMPOSED) return LG_OK;
    return lg_fail(&m->error, LG_ERROR_UNSUPPORTED,
                   "lg_mechanism_system: joint '%.60s' is composed, and its rows need the positions of its motions, "
                   "which a configuration of bodies does not have; use lg_motion_create(), or put bodies between the "
                   "motions",
                   MB_JOINT_OF(m, i)->name);
}

static const lg_joint standard = {.size = sizeof standard,
                                  .kind = LG_JOINT_REVOLUTE,
                                  .axis = {0, 0, 1},
                                  .parent_frame = {1, 0, 0, 0, 1, 0, 0, 0, 1},
                                  .child_frame = {1, 0, 0, 0, 1, 0, 0, 0, 1},
                                  .lower = -INFINITY,
                                  .upper = INFINITY};

const mb_part_kind mb_joint_part = {
    .noun = "joint",
    .size = LG_SIZED_AS(lg_joint, rest, "start from lg_joint_default()"),
    .standard = &standard,
    .strings = 3,
    .string = {offsetof(lg_joint, name), offsetof(lg_joint, parent), offsetof(lg_joint, child)},
    .fields_of = joint_fields,
    .check = check_joint,
    .loads = joint_loads,
    .numbers = sizeof(mb_joint),
    .make = make_joint,
    .blocks = joint_blocks,
    .reach = joint_reach,
    .check_system = check_system,
    .describe = describe_joint,
    .show = show_joint,
};
