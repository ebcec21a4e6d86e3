/* SPDX-License-Identifier: BSD-3-Clause */
/* What URDF lacks: loops, wheels, springs, gears and contact, in an element <liegrp> that other readers leave out.
 */
#include <string.h>

#include <liegrp/groups/se3.h>
#include <liegrp/groups/so3.h>

#include "multibody/files/reader.h"
#include "multibody/parts/part.h"

/* ---- loops ---- */

/* All kinds but free; and what URDF calls a hinge without limits. */
static lg_joint_kind loop_kind(mb_reader *r, mb_element *e)
{
    const char *names[LG_JOINT_COMPOSED + 2] = {NULL};
    for (int i = 0; i <= LG_JOINT_COMPOSED; i++) names[i] = lg_joint_kind_name((lg_joint_kind)i);
    names[LG_JOINT_FREE] = "continuous";
    const int kind = mb_choice(r, e, "type", names, 0);
    return kind == LG_JOINT_FREE ? LG_JOINT_REVOLUTE : (lg_joint_kind)kind;
}

/* The motions of a composed joint: <motion type="revolute" axis="0 0 1" point="0 0 0"/>. */
static void read_motions(mb_reader *r, mb_element *e, lg_joint *d)
{
    static const char *const kinds[] = {"revolute", "prismatic", NULL};
    for (mb_element *c = mb_each_element(e, "motion", NULL); c != NULL; c = mb_each_element(e, "motion", c)) {
        if (d->motions == LG_JOINT_MOTIONS)
            mb_refuse(r, c, "a composed joint has at most %d motions", LG_JOINT_MOTIONS);
        if (mb_needed_text(r, c, "type") == NULL || mb_needed_text(r, c, "axis") == NULL || r->status != LG_OK) return;
        lg_joint_motion *m = &d->motion[d->motions++];
        m->kind = mb_choice(r, c, "type", kinds, 0) == 1 ? LG_JOINT_PRISMATIC : LG_JOINT_REVOLUTE;
        (void)mb_numbers(r, c, "axis", m->axis, 3, 3), (void)mb_numbers(r, c, "point", m->point, 3, 3);
    }
}

/* The direction of a child element's attribute xyz. */
static void direction_of(mb_reader *r, mb_element *e, const char *child, double *v)
{
    mb_element *c = mb_only(r, e, child);
    if (c == NULL) return;
    if (mb_numbers(r, c, "xyz", v, 3, 3) == 0) mb_refuse(r, c, "<%s> has no attribute 'xyz'", child);
    mb_unit(r, c, "xyz", v, 3);
}

/* A frame on a link in space: its <origin>, turned so that its third axis is the joint's. */
static mb_place frame_on(mb_reader *r, int link, mb_element *origin, const mb_place *turn)
{
    const mb_place at = mb_place_of(r, link), local = mb_origin(r, origin);
    mb_place out;
    lg_se3_compose(out.g, link >= 0 ? at.g : mb_here.g, local.g);
    lg_se3_compose(out.g, out.g, turn->g);
    return out;
}

static void read_loop(mb_reader *r, mb_element *e)
{
    const char *name = mb_needed_text(r, e, "name"), *body[2];
    int link[2];
    mb_place in_body, turn = mb_here, one, two;
    double axis[3] = {1, 0, 0}, second[3] = {0, 0, 0};
    if (mb_needed_text(r, e, "type") == NULL || mb_needed_text(r, e, "link1") == NULL ||
        mb_needed_text(r, e, "link2") == NULL)
        return;
    const lg_joint_kind kind = loop_kind(r, e);
    if (!mb_attached(r, e, "link1", &body[0], &link[0], &in_body) ||
        !mb_attached(r, e, "link2", &body[1], &link[1], &in_body))
        return;
    mb_apart(r, e, body[0], body[1]);
    mb_element *first = mb_only(r, e, "origin"), *other = mb_only(r, e, "child_origin");
    direction_of(r, e, "axis", axis);
    direction_of(r, e, "axis2", second);
    if (kind == LG_JOINT_DISTANCE && other == NULL)
        mb_refuse(r, e, "a distance is between two points: <origin> on link1 and <child_origin> on link2");
    if (r->status == LG_OK && kind != LG_JOINT_COMPOSED && !mb_frame_about(turn.g + 3, axis, second))
        mb_refuse(r, e, "<axis2> is parallel to <axis>; it must be across");
    one = frame_on(r, link[0], first, &turn);
    two = other != NULL ? frame_on(r, link[1], other, &turn) : one;
    lg_joint d = lg_joint_default(name, kind, body[0], body[1]);
    mb_put_on(r, d.parent_point, d.parent_frame, link[0], &one);
    mb_put_on(r, d.child_point, d.child_frame, link[1], &two);
    d.on_bodies = 1;
    if (kind == LG_JOINT_COMPOSED) read_motions(r, e, &d);
    d.length = mb_number(r, e, "length", 0);
    d.stiffness = mb_number(r, e, "stiffness", 0), d.rest = mb_number(r, e, "rest", 0);
    d.damping = mb_number(r, e, "damping", 0);
    if (r->status == LG_OK) mb_pass_on(r, e, lg_mechanism_add_joint(r->m, NULL, &d));
}

/* ---- wheels, springs, contacts of spheres ---- */

static void read_wheel(mb_reader *r, mb_element *e)
{
    const char *name = mb_needed_text(r, e, "name"), *body;
    int link;
    mb_place in_body;
    double centre[3] = {0, 0, 0}, axle[3] = {0, 1, 0};
    if (mb_needed_text(r, e, "link") == NULL || !mb_attached(r, e, "link", &body, &link, &in_body)) return;
    if (body == NULL) mb_refuse(r, e, "wheel '%.60s' is on link '%.60s', which stands still", name, mb_text(e, "link"));
    lg_wheel w = lg_wheel_default(name, body);
    w.kind = (lg_wheel_kind)mb_choice(r, e, "kind", mb_wheel_kinds, 0);
    w.contact = (lg_contact)mb_choice(r, e, "contact", mb_wheel_contacts, 0);
    w.radius = mb_needed_number(r, e, "radius"), w.tube = mb_number(r, e, "tube", 0);
    (void)mb_numbers(r, e, "centre", centre, 3, 3);
    (void)mb_numbers(r, e, "axle", axle, 3, 3);
    (void)mb_numbers(r, e, "ground_normal", w.ground_normal, 3, 3);
    (void)mb_numbers(r, e, "ground_point", w.ground_point, 3, 3);
    (void)mb_numbers(r, e, "ground_velocity", w.ground_velocity, 3, 3);
    w.ground_spin = mb_number(r, e, "ground_spin", 0);
    w.roller_angle = mb_number(r, e, "roller_angle", 0);
    w.friction_along = mb_number(r, e, "friction_along", -1);
    w.friction = mb_number(r, e, "friction", w.friction), w.restitution = mb_number(r, e, "restitution", 0);
    lg_se3_act(w.centre, in_body.g, centre);
    lg_so3_act(w.axle, in_body.g + 3, axle);
    if (r->status == LG_OK) mb_pass_on(r, e, lg_mechanism_add_wheel(r->m, NULL, &w));
}

/* The bodies of link1 and link2, two strings, and a point on each of them. 0: refused. */
static int read_ends(mb_reader *r, mb_element *e, const char *const *points, const char **body, double *at[2])
{
    static const char *const ends[] = {"link1", "link2"};
    for (int i = 0; i < 2; i++) {
        double point[3] = {0, 0, 0};
        int link;
        mb_place in_body;
        if (mb_needed_text(r, e, ends[i]) == NULL || !mb_attached(r, e, ends[i], &body[i], &link, &in_body)) return 0;
        (void)mb_numbers(r, e, points[i], point, 3, 3);
        lg_se3_act(at[i], in_body.g, point);
    }
    mb_apart(r, e, body[0], body[1]);
    return 1;
}

static void read_spring(mb_reader *r, mb_element *e)
{
    static const char *const points[] = {"point1", "point2"};
    const char *body[2];
    lg_spring s = lg_spring_default(mb_needed_text(r, e, "name"), NULL, NULL);
    if (!read_ends(r, e, points, body, (double *[2]){s.parent_point, s.child_point})) return;
    s.parent = body[0], s.child = body[1];
    s.stiffness = mb_number(r, e, "stiffness", 0), s.damping = mb_number(r, e, "damping", 0);
    s.rest = mb_number(r, e, "rest", -1);
    if (r->status == LG_OK) mb_pass_on(r, e, lg_mechanism_add_spring(r->m, NULL, &s));
}

static void read_sphere_contact(mb_reader *r, mb_element *e)
{
    static const char *const centres[] = {"centre1", "centre2"}, *const answers[] = {"false", "true", NULL};
    const char *const contacts[] = {lg_contact_name(LG_CONTACT_ROLLS), lg_contact_name(LG_CONTACT_SLIDES), NULL};
    const char *body[2];
    lg_sphere_contact c = lg_sphere_contact_default(mb_needed_text(r, e, "name"), NULL, NULL);
    if (!read_ends(r, e, centres, body, (double *[2]){c.parent_centre, c.child_centre})) return;
    c.parent = body[0], c.child = body[1];
    c.parent_radius = mb_needed_number(r, e, "radius1"), c.child_radius = mb_needed_number(r, e, "radius2");
    c.contact = mb_choice(r, e, "contact", contacts, 0) == 1 ? LG_CONTACT_SLIDES : LG_CONTACT_ROLLS;
    c.inside = mb_choice(r, e, "inside", answers, 0);
    if (r->status == LG_OK) mb_pass_on(r, e, lg_mechanism_add_sphere_contact(r->m, NULL, &c));
}

/* <gear joint="a" driver="b" ratio="1" offset="0" quadratic="0" cubic="0" quartic="0"/>; without driver a is held. */
static void read_gear(mb_reader *r, mb_element *e)
{
    const char *driver = mb_text(e, "driver");
    lg_gear g = lg_gear_default(mb_needed_text(r, e, "name"), mb_needed_text(r, e, "joint"), driver);
    g.ratio = mb_number(r, e, "ratio", driver != NULL), g.offset = mb_number(r, e, "offset", 0);
    g.quadratic = mb_number(r, e, "quadratic", 0), g.cubic = mb_number(r, e, "cubic", 0);
    g.quartic = mb_number(r, e, "quartic", 0);
    if (r->status == LG_OK) mb_pass_on(r, e, lg_mechanism_add_gear(r->m, NULL, &g));
}

void mb_read_extension(mb_reader *r, mb_element *extension)
{
    static const struct {
        const char *name;
        void (*read)(mb_reader *r, mb_element *e);
    } parts[] = {{"loop_joint", read_loop},
                 {"wheel", read_wheel},
                 {"spring", read_spring},
                 {"gear", read_gear},
                 {"sphere_contact", read_sphere_contact},
                 {"surface", mb_read_surface},
                 {"surface_pair", mb_read_surface_pair},
                 {"ground", mb_read_ground},
                 {"stops", NULL}}; /* mb_read_stops() has read them */
    for (mb_element *e = extension->child; e != NULL && r->status == LG_OK; e = e->next) {
        size_t i = 0;
        while (i < sizeof parts / sizeof parts[0] && !mb_is(e, parts[i].name)) i++;
        if (i == sizeof parts / sizeof parts[0]) {
            mb_refuse(r, e,
                      "<%.60s> in <liegrp> is not known; it may contain <loop_joint>, <wheel>, <spring>, <gear>, "
                      "<sphere_contact>, <surface>, <surface_pair>, <ground> and <stops>",
                      e->name);
            return;
        }
        e->read = 1;
        if (parts[i].read != NULL) parts[i].read(r, e);
        for (const mb_attribute *a = e->attribute; a != NULL; a = a->next)
            if (!a->read) mb_refuse(r, e, "%.60s of <%s> is not known", a->name, e->name);
    }
}
