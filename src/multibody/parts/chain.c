/* SPDX-License-Identifier: BSD-3-Clause */
/* The motions of a composed joint: checks, positions, numbers on bodies (rows/chain.h, rows/composed.h). */
#include "multibody/parts/joint.h"

#include "groups/rotation.h"
#include "multibody/rows/composed.h"

#define MB_DEPENDENT_MOTIONS 1e-6

/* ---- positions ---- */

#define ANGLE(i, word)                                                                                                 \
    {                                                                                                                  \
        MB_TURNS, i, "rad", "rad/s", word " motion, an angle, of"                                                      \
    }
#define LENGTH(i, word)                                                                                                \
    {                                                                                                                  \
        MB_SLIDES, i, "m", "m/s", word " motion, a length, of"                                                         \
    }
static const mb_position angles[] = {ANGLE(0, "first"),  ANGLE(1, "second"), ANGLE(2, "third"),
                                     ANGLE(3, "fourth"), ANGLE(4, "fifth"),  ANGLE(5, "sixth")};
static const mb_position lengths[] = {LENGTH(0, "first"),  LENGTH(1, "second"), LENGTH(2, "third"),
                                      LENGTH(3, "fourth"), LENGTH(4, "fifth"),  LENGTH(5, "sixth")};

const mb_position *mb_position_of(const lg_joint *j, int i)
{
    if (j->kind != LG_JOINT_COMPOSED) return mb_joint_kinds[j->kind].position[i];
    return j->motion[i].kind == LG_JOINT_PRISMATIC ? &lengths[i] : &angles[i];
}

/* ---- descriptions ---- */

lg_status mb_check_motions(lg_mechanism *m, const lg_joint *j)
{
    if (j->kind != LG_JOINT_COMPOSED && j->motions != 0)
        return lg_fail(&m->error, LG_ERROR_ARGUMENT,
                       "joint '%.60s': it has %lld motions, but is %s; motions are those of a composed joint", j->name,
                       (long long)j->motions, mb_joint_kinds[j->kind].name);
    if (j->kind != LG_JOINT_COMPOSED) return LG_OK;
    if (j->motions < 1 || j->motions > LG_JOINT_MOTIONS)
        return lg_fail(&m->error, LG_ERROR_ARGUMENT, "joint '%.60s': %lld motions; a composed joint has 1 to %d",
                       j->name, (long long)j->motions, LG_JOINT_MOTIONS);
    for (int i = 0; i < j->motions; i++) {
        const lg_joint_motion *of = &j->motion[i];
        if (of->kind != LG_JOINT_REVOLUTE && of->kind != LG_JOINT_PRISMATIC)
            return lg_fail(&m->error, LG_ERROR_ARGUMENT,
                           "joint '%.60s': motion %d is of kind %d; it must be revolute or prismatic", j->name, i + 1,
                           (int)of->kind);
        if (!lg_all_finite(of->axis, 3) || !lg_all_finite(of->point, 3) || !(lg_length(of->axis, 3) > 0))
            return lg_fail(&m->error, LG_ERROR_ARGUMENT,
                           "joint '%.60s': the axis of motion %d is zero, or a number is not finite", j->name, i + 1);
    }
    return LG_OK;
}

void mb_describe_motions(lg_lines *l, const mb_chain *chain)
{
    for (int i = 0; i < chain->count; i++) {
        const mb_elementary *e = &chain->motion[i];
        double numbers[13] = {e->slides};
        memcpy(numbers + 1, e->frame, sizeof e->frame), memcpy(numbers + 10, e->point, sizeof e->point);
        lg_lines_numbers(l, "motion", numbers, 13);
    }
}

/* ---- numbers on bodies ---- */

/* The most that is left of a unit vector of n numbers beside `count` orthonormal ones, as one more of these. */
static void extend(double (*basis)[6], int count, int n)
{
    double best = -1, x[6], left[6] = {0};
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < n; k++) x[k] = k == i;
        for (int round = 0; round < 2; round++)
            for (int b = 0; b < count; b++) {
                const double c = lg_dot(basis[b], x, n);
                for (int k = 0; k < n; k++) x[k] -= c * basis[b][k];
            }
        const double length = lg_length(x, n);
        if (length <= best + 1e-12) continue;
        best = length;
        for (int k = 0; k < n; k++) left[k] = x[k] / length;
    }
    memcpy(basis[count], left, sizeof left);
}

/* The screw of a motion in the joint's frame. */
static void screw(double *s, const mb_chain *c, int i)
{
    const mb_elementary *e = &c->motion[i];
    const double u[3] = {e->frame[2], e->frame[5], e->frame[8]};
    small_cross(s + 3, e->point, u);
    for (int k = 0; k < 3; k++) s[k] = e->slides ? 0 : u[k], s[3 + k] = e->slides ? u[k] : s[3 + k] / c->length;
}

/* The wrenches in which the motions next to the middle frame do no work. 0: these motions are one and the same. */
static int make_across(mb_chain *c)
{
    double basis[6][6];
    int count = 0;
    c->middle = c->count > 3 ? 2 : 1;
    for (int i = c->middle - 1; i <= c->middle && i < c->count; i++) {
        double *s = basis[count];
        screw(s, c, i);
        const double whole = lg_length(s, 6), with = count > 0 ? lg_dot(basis[0], s, 6) : 0;
        for (int k = 0; k < 6; k++) s[k] -= with * (count > 0 ? basis[0][k] : 0);
        const double left = lg_length(s, 6);
        if (!(left > MB_DEPENDENT_MOTIONS * whole)) return 0;
        for (int k = 0; k < 6; k++) s[k] /= left;
        count++;
    }
    for (int i = 0; i < 6 - count; i++) {
        extend(basis, count + i, 6);
        memcpy(c->across[i], basis[count + i], sizeof c->across[i]);
    }
    return 1;
}

/* Of four motions: the direction of mb_across_three() at position 0, and two across it. */
static void take_reference(mb_chain *c, const mb_joint *j)
{
    static const double here[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, zeros[MB_CHAIN_MOST] = {0};
    mb_passage o;
    mb_pair four[4];
    double n[4][4], basis[3][6] = {{0}};
    o.j = j;
    mb_links_of(&o.links, j, here, zeros);
    mb_screws_of(&o.screws, c, &o.links);
    mb_passage_across(&o, four, 4);
    (void)mb_passage_others(&o, n, four);
    mb_across_four(basis[0], n[0], n[1]);
    const double length = lg_length(basis[0], 3);
    for (int k = 0; k < 3; k++) basis[0][k] /= length;
    extend(basis, 1, 3), extend(basis, 2, 3);
    memcpy(c->from, basis[0], sizeof c->from);
    for (int i = 0; i < 2; i++) memcpy(c->side[i], basis[1 + i], sizeof c->side[i]);
}

static double pivot_of(const mb_joint *j, const double *q)
{
    static const double here[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    mb_links l;
    mb_screws o;
    mb_links_of(&l, j, here, q);
    mb_screws_of(&o, j->chain, &l);
    return o.pivot > 0 ? sqrt(o.pivot) : 0;
}

int mb_locked_joint(double *pivot, const lg_mechanism *m, const double *q)
{
    int which = -1;
    *pivot = 1;
    for (int j = 0; m->chains > 0 && j < mb_seen(m, MB_JOINTS); j++) {
        const mb_chain *chain = m->joint[j].chain;
        if (chain == NULL) continue;
        const double own = pivot_of(&m->joint[j], q + chain->coordinate);
        if (which < 0 || own < *pivot) which = j, *pivot = own;
    }
    return which;
}

/* A motion in the joint's frame, from numbers of that frame, or of space with an origin there. */
static void take_motion(mb_elementary *e, const lg_joint_motion *from, const double *origin)
{
    static const double any[3] = {0, 0, 0};
    e->slides = from->kind == LG_JOINT_PRISMATIC;
    (void)mb_frame_from(e->frame, from->axis, any);
    for (int k = 0; k < 3; k++) e->point[k] = e->slides ? 0 : from->point[k] - origin[k];
}

lg_status mb_take_motions(lg_mechanism *m, int i, const mb_placed *a, const mb_placed *b)
{
    static const double along[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, zeros[MB_CHAIN_MOST] = {0};
    const lg_joint *from = MB_JOINT_OF(m, i);
    mb_joint *j = &m->joint[i];
    mb_chain *c = &m->chain[m->chains++];
    double origin[3] = {0, 0, 0};
    for (int n = (int)from->motions - 1; n >= 0 && !from->on_bodies; n--)
        if (from->motion[n].kind == LG_JOINT_REVOLUTE) memcpy(origin, from->motion[n].point, sizeof origin);
    if (!from->on_bodies) {
        mb_attach(j->anchor_a, j->frame_a, a, origin, along);
        mb_attach(j->anchor_b, j->frame_b, b, origin, along);
    }
    c->count = (int)from->motions;
    c->length = fmax(lg_length(j->anchor_a, 3), lg_length(j->anchor_b, 3));
    for (int n = 0; n < c->count; n++) {
        take_motion(&c->motion[n], &from->motion[n], origin);
        c->length = fmax(c->length, lg_length(c->motion[n].point, 3));
    }
    if (!(c->length > 0)) c->length = 1;
    j->chain = c;
    double near[MB_CHAIN_MOST];
    for (int n = 0; n < c->count; n++) near[n] = mb_near_of(m, i, n);
    const int apart = make_across(c) && pivot_of(j, zeros) > MB_DEPENDENT_MOTIONS;
    if (!apart || !(pivot_of(j, near) > MB_DEPENDENT_MOTIONS))
        return lg_fail(&m->error, LG_ERROR_SINGULAR,
                       "joint '%.60s': its motions depend on each other where %s, such as hinges "
                       "about one line, or gimbals in line; describe it in another position, or leave one out",
                       from->name, apart ? "it is described" : "all positions are 0");
    if (c->count == 4) take_reference(c, j);
    for (int n = 0; n < c->count; n++) {
        const int at = mb_coordinate_add(m, i, n);
        if (n == 0) c->coordinate = at;
    }
    return LG_OK;
}
