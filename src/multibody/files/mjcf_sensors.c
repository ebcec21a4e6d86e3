/* SPDX-License-Identifier: BSD-3-Clause */
/* <sensor> of MJCF: functions of the state as columns, where they are asked for. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <liegrp/groups/se3.h>
#include <liegrp/groups/so3.h>

#include "multibody/files/mjcf.h"
#include "multibody/parts/joint.h"
#include "multibody/sensors.h"

/* Room for one more of `size` bytes; NULL: out of memory. */
static void *room(mb_reader *r, void *array, int count, size_t size)
{
    const int full = (count & (count - 1)) == 0; /* a power of two, or 0 */
    void *more = full ? realloc(array, (count > 0 ? 2 * (size_t)count : 1) * size) : array;
    if (more == NULL) mb_refuse_as(r, LG_ERROR_MEMORY, NULL, "out of memory");
    return more;
}

/* ---- subtrees ---- */

/* Loops on a body (-1: the world) of which the subtree has a part only: they might be on that part or on the rest. */
static int has_loop(const mb_reader *r, int body)
{
    const char *name = body >= 0 ? lg_mechanism_body_name(r->m, body) : "";
    for (int j = r->emitted; j < lg_mechanism_joint_count(r->m); j++) {
        const lg_joint *at = MB_JOINT_OF(r->m, j);
        const char *parent = at->parent != NULL ? at->parent : "", *child = at->child != NULL ? at->child : "";
        if (strcmp(parent, name) == 0 || strcmp(child, name) == 0) return 1;
    }
    return 0;
}

/* Which links of a body the points of tendons on it are on: 1: of the subtree, 0: others, or there are none; -1: both.
 */
static int pulled_at(const mj_reader *o, const char *in, int leader)
{
    mb_element *root = o->r->document.root;
    int inside = 0, outside = 0;
    for (mb_element *s = mb_each_element(root, "tendon", NULL); s != NULL; s = mb_each_element(root, "tendon", s))
        for (mb_element *t = s->child; t != NULL; t = t->next)
            for (mb_element *e = mb_is(t, "spatial") ? t->child : NULL; e != NULL; e = e->next) {
                const char *site = mb_is(e, "site") ? mb_text(e, "site") : NULL;
                const int link = site != NULL ? mj_link_of_site(o, site) : -1;
                if (site == NULL || (link >= 0 ? o->r->link[link].leader : -1) != leader) continue;
                *(link >= 0 && in[link] ? &inside : &outside) = 1;
            }
    return inside && outside ? -1 : inside;
}

/* Adds a link to its part: mass and centre, then its inertia. */
static void add_link(mb_sensor_mass *p, const mb_file_link *l, int inertia)
{
    double c[3], I[6];
    lg_se3_act(c, l->in_body.g, l->centre);
    if (!inertia) p->mass += l->mass;
    for (int k = 0; k < 3; k++) c[k] = inertia ? c[k] - p->centre[k] / p->mass : p->centre[k] + l->mass * c[k];
    if (!inertia) {
        memcpy(p->centre, c, sizeof c);
        return;
    }
    mb_turn_inertia(I, l->in_body.g + 3, l->inertia);
    for (int k = 0; k < 6; k++) p->inertia[k] += I[k];
    mb_add_second(p->inertia, l->mass, c);
}

/* What a link carries, with it (-1: everything), by the bodies that its links are part of. A body that is whole has the
 * mechanism's numbers. 0: where loops act on a part of a body, `alone` cannot be said. */
static int take_subtree(mj_reader *o, mb_sensor *s, int link, int alone)
{
    mb_reader *r = o->r;
    const size_t links = (size_t)r->links;
    int *part = mb_take(r, (links + 1) * sizeof *part), known = 1;
    char *in = mb_take(r, 2 * links + 1), *torn = in != NULL ? in + links : NULL;
    s->loops_from = r->emitted;
    s->part = calloc(links + 1, sizeof *s->part);
    if (s->part == NULL) mb_refuse_as(r, LG_ERROR_MEMORY, NULL, "out of memory");
    if (part == NULL || in == NULL || s->part == NULL) return 0;
    memset(part, 0, (links + 1) * sizeof *part), memset(torn, 0, links + 1);
    for (int pass = 0; pass < 2; pass++)
        for (int i = 0; i < r->links; i++) {
            const mb_file_link *l = &r->link[i];
            const int of = l->leader >= 0 ? l->leader : r->links;
            in[i] = link < 0 || i == link || (l->parent >= 0 && in[l->parent]);
            if (l->mass <= 0 || l->leader == MB_NO_BODY) continue;
            if (!in[i]) torn[of] = 1;
            if (in[i] && part[of] == 0) {
                s->part[s->parts].body = l->leader >= 0 ? lg_mechanism_body(r->m, r->link[of].name) : -1;
                part[of] = ++s->parts;
            }
            if (in[i]) add_link(&s->part[part[of] - 1].own, l, pass);
        }
    for (int i = 0; i <= r->links; i++) {
        mb_sensor_part *p = &s->part[part[i] - (part[i] > 0)];
        if (part[i] == 0) continue;
        for (int k = 0; k < 3; k++) p->own.centre[k] /= p->own.mass;
        p->pulled = 1, p->torn = torn[i] || i == r->links;
        if (p->body >= 0) p->body_had = mb_sensor_mass_of(r->m, p->body);
        if (!p->torn) continue;
        p->pulled = pulled_at(o, in, i < r->links ? i : -1);
        known &= !alone || (p->pulled >= 0 && !has_loop(r, p->body));
    }
    return known && s->parts > 0;
}

/* ---- what a sensor is of ---- */

/* The frame of a link; 0: it has none. */
static int link_frame(const mb_reader *r, int link, int *body, double *pose)
{
    if (link < 0 || r->link[link].leader == MB_NO_BODY) return 0;
    const char *name = mb_body_of(r, link);
    *body = name != NULL ? lg_mechanism_body(r->m, name) : -1;
    memcpy(pose, r->link[link].in_body.g, sizeof r->link[link].in_body.g);
    return 1;
}

/* The centre of mass of a link, which is the origin of MuJoCo's "body"; its principal axes are not known here. */
static int link_centre(const mb_reader *r, int link, int *body, double *pose)
{
    if (!link_frame(r, link, body, pose) || r->link[link].mass <= 0) return 0;
    lg_se3_act(pose, r->link[link].in_body.g, r->link[link].centre);
    return 1;
}

/* 1: the axes of the frame do not matter. */
static int has_no_axes(mb_sensor_kind kind)
{
    return kind == MB_FRAME_POSITION || kind == MB_FRAME_VELOCITY || kind == MB_FRAME_SPIN ||
           kind == MB_FRAME_ACCELERATION || kind == MB_FRAME_TWISTING;
}

/* The frame of a site, or of a body. 0: another one. */
static int frame_of(const mb_reader *r, const char *type, const char *name, int *body, double *pose)
{
    if (type == NULL || name == NULL) return 0;
    if (strcmp(type, "site") == 0) return lg_mechanism_site(r->m, body, pose, name) == LG_OK;
    return strcmp(type, "xbody") == 0 && link_frame(r, mb_link_named(r, name), body, pose);
}

static int of_frame(mj_reader *o, mb_element *e, mb_sensor *s)
{
    mb_reader *r = o->r;
    const char *site = mb_text(e, "site"), *type = mb_text(e, "reftype"), *from = mb_text(e, "refname");
    const char *of = site != NULL ? "site" : mb_text(e, "objtype"), *name = site != NULL ? site : mb_text(e, "objname");
    const int centre = of != NULL && name != NULL && strcmp(of, "body") == 0 && has_no_axes(s->kind);
    if (centre ? !link_centre(r, mb_link_named(r, name), &s->body, s->pose) : !frame_of(r, of, name, &s->body, s->pose))
        return 0;
    s->relative = type != NULL || from != NULL;
    if (s->relative && (s->kind > MB_FRAME_SPIN || !frame_of(r, type, from, &s->from, s->from_pose))) return 0;
    s->field[1] = -0.5;
    for (mb_element *option = mb_each_element(r->document.root, "option", NULL); option != NULL;
         option = mb_each_element(r->document.root, "option", option))
        (void)mb_numbers(r, option, "magnetic", s->field, 3, 3);
    if (s->kind != MB_SENSOR_FORCE && s->kind != MB_SENSOR_TORQUE) return 1;
    const int link = mj_link_of_site(o, site);
    return link >= 0 && take_subtree(o, s, link, 1);
}

/* The frame of the child, seen from where that of the parent puts it at the start. */
static int of_ball(mb_reader *r, mb_element *e, mb_sensor *s)
{
    const char *joint = mb_text(e, "joint");
    for (int i = 0; joint != NULL && i < r->joints; i++) {
        const mb_file_joint *j = &r->joint[i];
        if (strcmp(j->name, joint) != 0) continue;
        if (j->kind != LG_JOINT_SPHERICAL || !link_frame(r, j->child, &s->body, s->pose)) return 0;
        s->relative = 1, s->from = -1;
        mb_place parent = mb_here;
        if (j->parent >= 0 && !link_frame(r, j->parent, &s->from, parent.g)) return 0;
        lg_se3_compose(s->from_pose, parent.g, r->link[j->child].in_parent.g);
        return 1;
    }
    return 0;
}

static int of_joint(mb_reader *r, mb_element *e, mb_sensor *s)
{
    const char *joint = mb_text(e, "joint");
    if (joint == NULL || (s->joint = lg_mechanism_joint_position(r->m, &s->position, joint)) < 0 || s->position < 0)
        return 0;
    const lg_joint *of = MB_JOINT_OF(r->m, s->joint);
    const mb_position *w = mb_position_of(of, s->position);
    if (w->kind == MB_VECTOR) return 0;
    const int rate = s->kind == MB_JOINT_VELOCITY || s->kind == MB_JOINT_PASSING, slides = w->kind == MB_SLIDES;
    s->unit = s->kind == MB_JOINT_EFFORT ? (slides ? "N" : "N m") : rate ? w->rate : w->unit;
    s->coordinate = mb_find(r->m, MB_COORDINATES, joint);
    return 1;
}

static int is_length(const lg_mechanism *m, int tendon)
{
    const lg_tendon_term *first = MB_TENDON_OF(m, tendon)->term;
    int joint, i;
    return first->kind != LG_TENDON_JOINT || mb_position_named(m, &joint, &i, first->name)->kind == MB_SLIDES;
}

static int of_tendon(mj_reader *o, mb_element *e, mb_sensor *s)
{
    const char *name = mb_text(e, "tendon");
    s->tendon = name != NULL ? mb_find(o->r->m, MB_TENDONS, mj_tendon_name(o, name)) : -1;
    if (s->tendon < 0) return 0;
    const int slides = is_length(o->r->m, s->tendon);
    s->unit = s->kind == MB_TENDON_RATE ? (slides ? "m/s" : "rad/s") : slides ? "m" : "rad";
    return 1;
}

/* The actuator with this name, or the only one on this tendon; what it became. */
static mb_element *actuator_of(const mj_reader *o, const char *attribute, const char *name, int *number)
{
    mb_element *root = o->r->document.root, *found = NULL;
    for (mb_element *x = mb_each_element(root, "actuator", NULL); x != NULL; x = mb_each_element(root, "actuator", x))
        for (mb_element *e = x->child; name != NULL && e != NULL; e = e->next) {
            const char *own = mb_text(e, attribute);
            if (own == NULL || strcmp(own, name) != 0) continue;
            if (found != NULL || e->mark == NULL) return NULL;
            found = e;
        }
    if (found != NULL) *number = *(const int *)found->mark;
    return found;
}

static int of_actuator(mj_reader *o, mb_element *e, mb_sensor *s)
{
    mb_reader *r = o->r;
    double gear[6] = {1, 0, 0, 0, 0, 0}, gain[10] = {1};
    const char *of = s->kind == MB_TENDON_EFFORT ? "tendon" : "actuator", *name = mb_text(e, of);
    int number, joint, i;
    mb_element *at = actuator_of(o, s->kind == MB_TENDON_EFFORT ? "tendon" : "name", name, &number);
    if (at == NULL) return 0;
    (void)mb_numbers(r, at, "gear", gear, 1, 6);
    if (number <= MJ_THRUSTER) {
        if (s->kind != MB_ACTUATOR_EFFORT) return 0;
        if (mb_is(at, "general")) (void)mb_numbers(r, at, "gainprm", gain, 1, 10);
        s->control = r->m->part[MB_MOTORS].count + (MJ_THRUSTER - number), s->gain = gain[0], s->unit = "-";
        return 1;
    }
    const lg_motor *motor = MB_MOTOR_OF(r->m, number);
    const int tendon = mb_find(r->m, MB_TENDONS, motor->joint);
    const mb_position *w = tendon < 0 ? mb_position_named(r->m, &joint, &i, motor->joint) : NULL;
    const int slides = w != NULL ? w->kind == MB_SLIDES : is_length(r->m, tendon);
    s->control = number, s->gain = motor->ratio / gear[0];
    s->unit = s->kind == MB_ACTUATOR_LENGTH ? (slides ? "m" : "rad")
              : s->kind == MB_ACTUATOR_RATE ? (slides ? "m/s" : "rad/s")
                                            : (slides ? "N" : "N m");
    return gear[0] != 0;
}

static int of_subtree(mj_reader *o, mb_element *e, mb_sensor *s)
{
    const char *body = mb_text(e, "body");
    if (body == NULL) return 0;
    const int link = mb_link_named(o->r, body);
    return (link >= 0 || strcmp(body, "world") == 0) && take_subtree(o, s, link, 0);
}

/* 0: no sensor that is known here. */
static int read_sensor(mj_reader *o, mb_element *e, mb_sensor *s)
{
    static const char *const late[] = {"delay", "interval", "nsample"};
    mb_reader *r = o->r;
    int kind = 0;
    while (kind < MB_SENSOR_KINDS && !mb_is(e, mb_sensors[kind].name)) kind++;
    for (int i = 0; i < 3; i++)
        if (mb_number(r, e, late[i], 0) != 0) return 0;
    if (kind == MB_SENSOR_KINDS) return 0;
    s->kind = (mb_sensor_kind)kind;
    s->cutoff = mb_number(r, e, "cutoff", 0);
    if (kind == MB_BALL_ATTITUDE || kind == MB_BALL_SPIN) return of_ball(r, e, s);
    if (kind <= MB_SENSOR_TORQUE) return of_frame(o, e, s);
    if (kind <= MB_JOINT_EFFORT) return of_joint(r, e, s);
    if (kind <= MB_TENDON_EFFORT) return of_actuator(o, e, s);
    if (kind <= MB_TENDON_RATE) return of_tendon(o, e, s);
    if (kind <= MB_SUBTREE_SPIN) return of_subtree(o, e, s);
    return kind != MB_POTENTIAL || take_subtree(o, s, -1, 0);
}

static void take_sensor(mj_reader *o, mb_element *e, int number)
{
    mb_reader *r = o->r;
    lg_mechanism *m = r->m;
    mb_sensor s = {.body = -1, .control = -1, .tendon = -1};
    const char *name = mb_text(e, "name");
    const int known = read_sensor(o, e, &s);
    e->read = 1;
    mb_passed_over(e);
    if (!known) mb_note(r, e, "<%.40s> among the sensors has no column", e->name);
    mb_sensor *more = known && r->status == LG_OK ? room(r, m->sensor, m->sensors, sizeof *more) : NULL;
    if (more == NULL) {
        free(s.part);
        return;
    }
    m->sensor = more;
    if (name == NULL || name[0] == '\0') name = mb_print(r, "%s%d", e->name, number);
    s.name = name != NULL ? strdup(name) : NULL;
    if (s.name != NULL) {
        m->sensor[m->sensors++] = s;
        return;
    }
    free(s.part);
    mb_refuse_as(r, LG_ERROR_MEMORY, NULL, "out of memory");
}

void mj_sensors(mj_reader *o, mb_element *section)
{
    int number = 0;
    if (!o->r->options.sensors) {
        mb_passed_over(section);
        mb_note(o->r, section, "sensors are columns where they are asked for: --sensors (lg_mechanism_file::sensors)");
        return;
    }
    for (mb_element *e = section->child; e != NULL && o->r->status == LG_OK; e = e->next) take_sensor(o, e, ++number);
}
