/* SPDX-License-Identifier: BSD-3-Clause */
/* What a mechanism looks like: shapes that somebody gave, and for all else what masses, joints and wheels tell. */
#include "multibody/scene.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <liegrp/groups/so3.h>

#include "base/dense.h"
#include "groups/rotation.h"
#include "multibody/motion.h"
#include "multibody/parts/joint.h"
#include "multibody/parts/part.h"
#include "scene/scene.h"

/* Shapes of one's own --------------------------------------------------------------------------------------------- */

/* Adds the bodies of the mechanism that the scene lacks. */
static lg_status add_bodies(const lg_mechanism *m, lg_scene *scene)
{
    lg_status status = LG_OK;
    for (int b = lg_scene_body_count(scene); b < mb_seen(m, MB_BODIES) && status == LG_OK; b++)
        status = lg_scene_add_body(scene, NULL, MB_BODY(m, b)->name);
    return status;
}

lg_status lg_mechanism_add_shape(lg_mechanism *m, int *index, const lg_shape *shape)
{
    lg_status status = LG_OK;
    if (m == NULL) return LG_ERROR_ARGUMENT;
    lg_error_clear(&m->error);
    if (m->look == NULL) status = lg_scene_create(&m->look);
    if (status != LG_OK) return lg_fail(&m->error, status, "lg_mechanism_add_shape: out of memory");
    status = add_bodies(m, m->look);
    if (status == LG_OK) status = lg_scene_add(m->look, index, shape);
    return status == LG_OK ? LG_OK : lg_fail(&m->error, status, "%s", lg_scene_message(m->look));
}

/* What follows from the mechanism --------------------------------------------------------------------------------- */

/* How a body is seen: as the box of its mass and inertia, by shapes of its own, as a wheel, or as a link, bars from
 * joint to joint. */
enum { BOX = 0, OWN, WHEEL, LINK };

int mb_look_host(const mb_maker *k, int b)
{
    return b >= k->m->plan.bodies ? -1 : k->m->hub != NULL ? k->m->hub[b].host : b;
}

void mb_look_add(const mb_maker *k, const lg_shape *shape)
{
    lg_status_ignore(lg_scene_add(k->scene, NULL, shape)); /* the scene remembers it */
}

void mb_look_from_centre(const mb_maker *k, double *x, int body, const double *anchor)
{
    for (int i = 0; i < 3; i++) x[i] = anchor[i] + (body >= 0 ? MB_BODY(k->m, body)->centre[i] : 0);
}

/* The attitude whose z is along the unit vector d. */
static void along(double *q, const double *d)
{
    const double w = 1 + d[2], length = sqrt(d[0] * d[0] + d[1] * d[1] + w * w);
    const int down = !(length > 1e-6);
    q[0] = down ? 1 : -d[1] / length, q[1] = down ? 0 : d[0] / length, q[2] = 0, q[3] = down ? 0 : w / length;
}

/* Sorts the joints by the bodies that they join. */
static void find_joints(const mb_maker *k)
{
    const int bodies = mb_seen(k->m, MB_BODIES), joints = mb_seen(k->m, MB_JOINTS);
    for (int pass = 0; pass < 2; pass++) { /* counts, then places; first[b + 1] is where the next joint of b goes */
        for (int b = 0, sum = 0; pass == 1 && b < bodies; b++) {
            const int count = k->first[b + 1];
            k->first[b + 1] = sum, sum += count;
        }
        for (int i = 0; i < joints; i++) {
            const int end[2] = {mb_look_host(k, k->m->joint[i].a), mb_look_host(k, k->m->joint[i].b)};
            for (int s = 0; s < (end[0] == end[1] ? 1 : 2); s++) {
                if (end[s] < 0) continue;
                if (pass == 1) k->at[k->first[end[s] + 1]] = i;
                k->first[end[s] + 1]++;
            }
        }
    }
}

/* The end of joint i on a body, from its centre of mass; NULL: it has none there, where a bar could end. */
static const double *anchor_on(const mb_maker *k, int i, int body)
{
    const mb_joint *j = &k->m->joint[i];
    const int a = mb_look_host(k, j->a), b = mb_look_host(k, j->b), other = a == body ? b : a;
    if (j->translational < 2) return NULL;
    if ((a != body && b != body) || (other >= 0 && k->shown[other] == WHEEL)) return NULL;
    return a == body ? j->anchor_a : j->anchor_b;
}

static double distance(const double *x, const double *y)
{
    const double d[3] = {x[0] - y[0], x[1] - y[1], x[2] - y[2]};
    return lg_length(d, 3);
}

/* Neighbours differ. */
static int shade_of(int body)
{
    return body % 2 == 0 ? LG_SHADE_BODY : LG_SHADE_SECOND;
}

/* Is this the inertia of a rod that ends at x, from its centre: m |x|^2/3 across, little along it? */
static int is_rod(const lg_body *b, const double *x)
{
    const double r = lg_length(x, 3), full = b->mass * r * r / 3;
    double I[9], Ix[3];
    if (!(r > 0)) return 0;
    mb_inertia_matrix(I, b->inertia);
    lg_matvec(Ix, I, x, 3, 3);
    const double along = lg_dot(x, Ix, 3) / (r * r), across = (I[0] + I[4] + I[8] - along) / 2;
    return along < 0.2 * across && across > 0.5 * full && across < 2 * full;
}

/* A bar of a link between two points of a body, from its centre of mass. */
static void add_bar(const mb_maker *k, int body, const double *from, const double *to)
{
    lg_shape rod = lg_shape_default(MB_BODY(k->m, body)->name, LG_SHAPE_ROD, body);
    if (!(distance(from, to) > 1e-3 * k->size[body])) return;
    mb_look_from_centre(k, rod.position, body, from);
    mb_look_from_centre(k, rod.end, body, to);
    rod.dimensions[0] = 0.07 * k->size[body], rod.shade = shade_of(body);
    mb_look_add(k, &rod);
}

/* The bars of a link: from each joint to the next one, round if there are more than two; a rod on one
 * joint, whose tip leaves a trail. */
static void add_bars(const mb_maker *k, int body)
{
    const double *first = NULL, *last = NULL;
    int bars = 0;
    for (int n = k->first[body]; n < k->first[body + 1]; n++) {
        const double *x = anchor_on(k, k->at[n], body);
        if (x == NULL || (last != NULL && !(distance(x, last) > 1e-3 * k->size[body]))) continue;
        if (last != NULL) add_bar(k, body, last, x), bars++;
        if (first == NULL) first = x;
        last = x;
    }
    if (bars == 0 && first != NULL) {
        const double end[3] = {-first[0], -first[1], -first[2]};
        lg_shape tip = lg_shape_default("tip", LG_SHAPE_SPHERE, body);
        add_bar(k, body, first, end);
        mb_look_from_centre(k, tip.position, body, end);
        tip.dimensions[0] = 0.1 * k->size[body], tip.shade = LG_SHADE_MARK, tip.trail = 1;
        mb_look_add(k, &tip);
    } else if (bars > 1) {
        add_bar(k, body, last, first);
    }
}

/* Bodies with two joints apart, or one joint at the end of a rod, are links. Their size follows from joints alone. */
static void find_links(const mb_maker *k)
{
    for (int b = 0; b < mb_seen(k->m, MB_BODIES); b++) {
        const double *first = NULL;
        double reach = 0, apart = 0;
        for (int n = k->first[b]; n < k->first[b + 1]; n++) {
            const double *x = anchor_on(k, k->at[n], b);
            if (x == NULL) continue;
            if (first == NULL) first = x;
            reach = fmax(reach, lg_length(x, 3)), apart = fmax(apart, distance(x, first));
        }
        if (k->shown[b] != BOX || first == NULL) continue;
        if (!(apart > 0.1 * reach) && !is_rod(MB_BODY(k->m, b), first)) continue;
        k->shown[b] = LINK, k->size[b] = reach;
    }
}

static void find_sizes(const mb_maker *k)
{
    for (int b = 0; b < mb_seen(k->m, MB_BODIES); b++) {
        const double *I = MB_BODY(k->m, b)->inertia;
        k->size[b] = sqrt(6 * (I[0] + I[1] + I[2]) / MB_BODY(k->m, b)->mass);
    }
    for (int i = 0; i < mb_seen(k->m, MB_JOINTS); i++) {
        const mb_joint *j = &k->m->joint[i];
        const int a = mb_look_host(k, j->a), b = mb_look_host(k, j->b);
        if (a >= 0) k->size[a] = fmax(k->size[a], lg_length(j->anchor_a, 3));
        if (b >= 0) k->size[b] = fmax(k->size[b], lg_length(j->anchor_b, 3));
    }
}

static void find_shown(const mb_maker *k)
{
    for (int i = 0; i < lg_scene_shape_count(k->m->look); i++) {
        const int64_t body = lg_scene_shape(k->m->look, i)->body;
        if (body >= 0) k->shown[body] = OWN;
    }
    for (int i = 0; i < mb_seen(k->m, MB_WHEELS); i++) {
        const mb_wheel *w = &k->m->wheel[i];
        if (!(lg_length(w->centre, 3) > 1e-9 * w->radius)) k->shown[mb_look_host(k, w->b)] = WHEEL;
    }
}

/* The smaller one of two bodies, one of which may be the world. */
static double size_of_pair(const mb_maker *k, int a, int b)
{
    const double x = a >= 0 ? k->size[a] : INFINITY, y = b >= 0 ? k->size[b] : INFINITY;
    return x < y ? x : y;
}

/* The box of mass and inertia. A needle or a plate keeps some thickness. */
static void add_box(const mb_maker *k, int body)
{
    const lg_body *b = MB_BODY(k->m, body);
    double I[9];
    lg_shape box = lg_shape_default(b->name, LG_SHAPE_BOX, body);
    mb_inertia_matrix(I, b->inertia);
    lg_shape_take_inertia(&box, b->mass, I);
    for (int i = 0; i < 3; i++) box.dimensions[i] = fmax(0.02 * k->size[body], box.dimensions[i]);
    memcpy(box.position, b->centre, sizeof box.position);
    box.shade = shade_of(body);
    mb_look_add(k, &box);
}

/* A rod from the centre of mass of a body to a joint or spring. */
static void add_arm(const mb_maker *k, int body, const double *anchor)
{
    if (body < 0 || k->shown[body] == OWN || k->shown[body] == WHEEL) return;
    if (!(lg_length(anchor, 3) > 1e-9 * k->size[body])) return;
    lg_shape rod = lg_shape_default(MB_BODY(k->m, body)->name, LG_SHAPE_ROD, body);
    memcpy(rod.position, MB_BODY(k->m, body)->centre, sizeof rod.position);
    mb_look_from_centre(k, rod.end, body, anchor);
    rod.dimensions[0] = 0.02 * k->size[body], rod.shade = LG_SHADE_METAL;
    mb_look_add(k, &rod);
}

/* A rod between points of two bodies. */
static void add_link(const mb_maker *k, const char *name, int a, int b, const double *from, const double *to, int shade)
{
    lg_shape rod = lg_shape_default(name, LG_SHAPE_ROD, a);
    mb_look_from_centre(k, rod.position, a, from);
    mb_look_from_centre(k, rod.end, b, to);
    rod.end_body = b, rod.shade = shade;
    rod.dimensions[0] = 0.015 * size_of_pair(k, a, b);
    mb_look_add(k, &rod);
}

static void add_joint(const mb_maker *k, int i)
{
    const mb_joint *j = &k->m->joint[i];
    const lg_joint *described = MB_JOINT_OF(k->m, i);
    const int a = mb_look_host(k, j->a), b = mb_look_host(k, j->b), body = b >= 0 ? b : a;
    const double *F = b >= 0 ? j->frame_b : j->frame_a, axis[3] = {F[2], F[5], F[8]};
    const double size = size_of_pair(k, a, b);
    const mb_look looks = mb_joint_facts(k->m, i)->look;
    if (looks == MB_LOOK_BAR) add_link(k, described->name, a, b, j->anchor_a, j->anchor_b, LG_SHADE_METAL);
    if (looks == MB_LOOK_BAR || looks == MB_LOOK_NOTHING) return;
    /* the bars of links end at joints anyway */
    if (a >= 0 && k->shown[a] != LINK) add_arm(k, a, j->anchor_a);
    if (b >= 0 && k->shown[b] != LINK) add_arm(k, b, j->anchor_b);
    if (looks == MB_LOOK_ARMS) return;
    const int ball = looks == MB_LOOK_BALL;
    lg_shape s = lg_shape_default(described->name, ball ? LG_SHAPE_SPHERE : LG_SHAPE_CYLINDER, body);
    mb_look_from_centre(k, s.position, body, b >= 0 ? j->anchor_b : j->anchor_a);
    along(s.attitude, axis);
    s.dimensions[0] = 0.04 * size, s.dimensions[1] = ball ? 0 : 0.2 * size;
    s.shade = LG_SHADE_METAL;
    mb_look_add(k, &s);
}

/* Wheels ---------------------------------------------------------------------------------------------------------- */

/* The plane of wheel i among the shapes from `first` on, a new one if there is none: its number; -1: the scene refused
 * it. */
static int ground_of(const mb_maker *k, int first, int i)
{
    const mb_wheel *w = &k->m->wheel[i];
    lg_shape shape = lg_shape_default("ground", LG_SHAPE_PLANE, -1);
    int index = -1;
    memcpy(shape.position, w->origin, sizeof shape.position);
    along(shape.attitude, w->normal);
    shape.shade = LG_SHADE_GROUND;
    for (int s = first; s < lg_scene_shape_count(k->scene); s++) {
        const lg_shape *other = lg_scene_shape(k->scene, s);
        double apart = 0;
        for (int n = 0; n < 3; n++) apart += w->normal[n] * (w->origin[n] - other->position[n]);
        if (other->kind == LG_SHAPE_PLANE && apart == 0 &&
            memcmp(other->attitude, shape.attitude, sizeof shape.attitude) == 0)
            return s;
    }
    lg_status_ignore(lg_scene_add(k->scene, &index, &shape));
    return index;
}

static void add_wheel(const mb_maker *k, int i, int plane)
{
    const mb_wheel *w = &k->m->wheel[i];
    const lg_wheel *described = MB_WHEEL_OF(k->m, i);
    const int ball = w->kind == MB_WHEEL_BALL, body = mb_look_host(k, w->b);
    lg_shape s = lg_shape_default(described->name,
                                  ball          ? LG_SHAPE_SPHERE
                                  : w->tube > 0 ? LG_SHAPE_TORUS
                                                : LG_SHAPE_CYLINDER,
                                  body);
    mb_look_from_centre(k, s.position, body, w->centre);
    along(s.attitude, w->axle);
    s.dimensions[0] = w->radius, s.dimensions[1] = ball ? 0 : w->tube;
    s.shade = described->contact == LG_CONTACT_ROLLS ? LG_SHADE_WHEEL : LG_SHADE_MARK;
    s.rolls_on = plane, s.trail = plane >= 0 ? 2 : 0;
    mb_look_add(k, &s);
}

/* The whole -------------------------------------------------------------------------------------------------------- */

/* The shapes that were given, in their order. */
static void add_given(const mb_maker *k)
{
    for (int i = 0; i < lg_scene_shape_count(k->m->look); i++) mb_look_add(k, lg_scene_shape(k->m->look, i));
}

static void fill(const mb_maker *k)
{
    const lg_mechanism *m = k->m;
    find_joints(k);
    find_sizes(k);
    find_shown(k);
    find_links(k);
    add_given(k);
    const int first = lg_scene_shape_count(k->scene);
    for (int i = 0; i < mb_seen(m, MB_WHEELS); i++) add_wheel(k, i, ground_of(k, first, i));
    for (int b = 0; b < mb_seen(m, MB_BODIES); b++) {
        if (k->shown[b] == BOX) add_box(k, b);
        if (k->shown[b] == LINK) add_bars(k, b);
    }
    for (int i = 0; i < mb_seen(m, MB_JOINTS); i++) add_joint(k, i);
    for (int i = 0; i < mb_seen(m, MB_SPRINGS); i++) {
        const mb_force *s = &m->plan.line[i];
        add_arm(k, mb_look_host(k, s->a), s->point_a);
        add_arm(k, mb_look_host(k, s->b), s->point_b);
        add_link(k, MB_SPRING_OF(m, i)->name, mb_look_host(k, s->a), mb_look_host(k, s->b), s->point_a, s->point_b,
                 LG_SHADE_MARK);
    }
    for (int kind = 0; kind < MB_KINDS; kind++)
        for (int i = 0; mb_kind_of(kind)->show != NULL && i < mb_seen(m, kind); i++) mb_kind_of(kind)->show(k, i);
}

static void fill_scene(const lg_mechanism *m, lg_scene *scene)
{
    const size_t bodies = (size_t)mb_seen(m, MB_BODIES) + 1;
    const size_t ends = 2 * (size_t)mb_seen(m, MB_JOINTS) + 1;
    const mb_maker k = {m,
                        scene,
                        calloc(bodies, sizeof(double)),
                        calloc(bodies, sizeof(int)),
                        calloc(bodies, sizeof(int)),
                        calloc(ends, sizeof(int))};
    if (k.size == NULL || k.shown == NULL || k.first == NULL || k.at == NULL) {
        (void)lg_fail(&scene->first, LG_ERROR_MEMORY, "out of memory");
    } else if (add_bodies(m, scene) == LG_OK) {
        fill(&k);
    }
    free(k.size), free(k.shown), free(k.first), free(k.at);
}

lg_status lg_mechanism_scene(const lg_mechanism *m, lg_scene **scene)
{
    lg_scene *made = NULL;
    if (scene == NULL) return LG_ERROR_ARGUMENT;
    *scene = NULL;
    if (m == NULL || !m->compiled) return LG_ERROR_ARGUMENT;
    lg_status status = lg_scene_create(&made);
    if (status != LG_OK) return status;
    fill_scene(m, made);
    status = made->first.status;
    if (status != LG_OK) {
        lg_scene_destroy(made);
        return status;
    }
    *scene = made;
    return LG_OK;
}

void mb_frames_of(const lg_mechanism *m, double *poses, const double *g)
{
    for (int b = 0; b < mb_seen(m, MB_BODIES); b++) {
        double x[3];
        lg_so3_act(x, g + 7 * b + 3, MB_BODY(m, b)->centre);
        for (int i = 0; i < 3; i++) poses[7 * b + i] = g[7 * b + i] - x[i];
        memcpy(poses + 7 * b + 3, g + 7 * b + 3, 4 * sizeof *poses);
    }
}

void mb_sparse_poses(const mb_sparse *mo, double *poses)
{
    for (int b = 0; b < mb_seen(mo->mechanism, MB_BODIES); b++)
        lg_status_ignore(lg_motion_body_pose(&mo->head, poses + LG_POSE_SIZE * b, b));
}
