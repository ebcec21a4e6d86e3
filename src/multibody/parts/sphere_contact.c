/* SPDX-License-Identifier: BSD-3-Clause */
/* Two spheres that touch: one rolls or slides on the other, or inside it. */
#include <liegrp/multibody/parameters.h>

#include "groups/rotation.h"
#include "multibody/motion.h"
#include "multibody/parts/part.h"
#include "multibody/rows/touch.h"
#include "multibody/scene.h"

static const mb_field fields[] = {
    {"parent_radius", "m", offsetof(lg_sphere_contact, parent_radius)},
    {"child_radius", "m", offsetof(lg_sphere_contact, child_radius)},
    {NULL, NULL, 0},
};

static lg_status check_contact(lg_mechanism *m, void *part)
{
    const lg_sphere_contact *own = part;
    lg_error *e = &m->error;
    if (own->contact != LG_CONTACT_ROLLS && own->contact != LG_CONTACT_SLIDES)
        return lg_fail(e, LG_ERROR_ARGUMENT, "sphere contact '%.60s': contact is %d; spheres roll (%d) or slide (%d)",
                       own->name, (int)own->contact, LG_CONTACT_ROLLS, LG_CONTACT_SLIDES);
    if (!lg_all_finite(own->parent_centre, 3) || !lg_all_finite(own->child_centre, 3) || !(own->parent_radius >= 0) ||
        !(own->child_radius >= 0) || !(own->parent_radius + own->child_radius > 0) ||
        !isfinite(own->parent_radius + own->child_radius))
        return lg_fail(e, LG_ERROR_ARGUMENT,
                       "sphere contact '%.60s': radii %g and %g must not be negative nor both 0, and all values finite",
                       own->name, own->parent_radius, own->child_radius);
    if (own->inside && !(own->parent_radius > own->child_radius))
        return lg_fail(
            e, LG_ERROR_ARGUMENT,
            "sphere contact '%.60s': the child's sphere of radius %g does not fit into the parent's of radius "
            "%g; inside, the parent's must be larger",
            own->name, own->child_radius, own->parent_radius);
    return LG_OK;
}

static int contact_loads(const void *part)
{
    return ((const lg_sphere_contact *)part)->contact == LG_CONTACT_ROLLS ? 3 : 1;
}

static lg_status make_contact(lg_mechanism *m, int i)
{
    const lg_sphere_contact *from = mb_part_at(m, MB_SPHERE_CONTACTS, i);
    mb_spheres *s = &((mb_spheres *)m->made[MB_SPHERE_CONTACTS])[i];
    mb_joint *j = &s->line;
    double xa[3], xb[3], d[3], S[9], none[3] = {0, 0, 0};
    const lg_status st = mb_both_bodies(m, "sphere contact", from->name, from->parent, from->child, &j->a, &j->b);
    if (st != LG_OK) return st;
    const mb_placed a = mb_placed_of(m, j->a), b = mb_placed_of(m, j->b);
    j->a = mb_seat(m, j->a), j->b = mb_seat(m, j->b);
    mb_anchor(j->anchor_a, &a, from->parent_centre);
    mb_anchor(j->anchor_b, &b, from->child_centre);
    s->ra = from->parent_radius, s->rb = from->inside ? -from->child_radius : from->child_radius;
    j->length = s->ra + s->rb;
    mb_distance(j, a.r, a.R, b.r, b.R, xa, xb, d);
    if (!(lg_length(d, 3) > 1e-6 * j->length))
        return lg_fail(&m->error, LG_ERROR_ARGUMENT,
                       "sphere contact '%.60s': the centres coincide at assembly, so that nothing tells where the "
                       "spheres touch; give a pose near the contact",
                       from->name);
    (void)mb_frame_from(S, d, none);
    mb_attach(xa, j->frame_a, &a, a.r, S);
    return LG_OK;
}

static int contact_blocks(const lg_mechanism *m, int i, int velocities, mb_block *block)
{
    const mb_joint *j = &((const mb_spheres *)m->made[MB_SPHERE_CONTACTS])[i].line;
    const lg_sphere_contact *from = mb_part_at(m, MB_SPHERE_CONTACTS, i);
    if (velocities && from->contact != LG_CONTACT_ROLLS) return 0;
    const int rows = velocities ? 2 : 1;
    *block =
        (mb_block){.kind = velocities ? MB_ROLLING : MB_TOUCH, .source = i, .sides = 2, .rows = rows, .lengths = rows};
    block->body[0] = j->a, block->body[1] = j->b;
    return 1;
}

static double contact_reach(const lg_mechanism *m, int i)
{
    const mb_spheres *s = &((const mb_spheres *)m->made[MB_SPHERE_CONTACTS])[i];
    const double far = fmax(lg_length(s->line.anchor_a, 3), lg_length(s->line.anchor_b, 3));
    return fmax(far, fmax(s->ra, fabs(s->rb)));
}

static void describe_contact(lg_lines *l, const lg_mechanism *m, int i)
{
    const mb_spheres *s = &((const mb_spheres *)m->made[MB_SPHERE_CONTACTS])[i];
    const lg_sphere_contact *from = mb_part_at(m, MB_SPHERE_CONTACTS, i);
    lg_lines_text(l, "sphere-contact", from->name);
    lg_lines_number(l, "contact", (double)from->contact);
    lg_lines_number(l, "parent-radius", s->ra), lg_lines_number(l, "child-radius", s->rb);
    lg_lines_numbers(l, "parent-centre", s->line.anchor_a, 3), lg_lines_numbers(l, "child-centre", s->line.anchor_b, 3);
    lg_lines_numbers(l, "axes", s->line.frame_a, 9);
}

/* The sphere inside alone is shown: the one around it would hide it. A point shows nothing. */
static void mark_contact(const struct mb_maker *k, int i)
{
    const mb_spheres *s = &((const mb_spheres *)k->m->made[MB_SPHERE_CONTACTS])[i];
    if (s->rb > 0 && s->ra > 0) mb_look_mark(k, s->line.a, s->line.anchor_a, s->ra);
    if (s->rb != 0) mb_look_mark(k, s->line.b, s->line.anchor_b, fabs(s->rb));
}

static void show_contact(const struct mb_maker *k, int i)
{
    const mb_spheres *s = &((const mb_spheres *)k->m->made[MB_SPHERE_CONTACTS])[i];
    const lg_sphere_contact *from = mb_part_at(k->m, MB_SPHERE_CONTACTS, i);
    for (int side = s->rb < 0 ? 1 : 0; side < 2; side++) {
        const int body = mb_look_host(k, side ? s->line.b : s->line.a);
        lg_shape ball = lg_shape_default(from->name, LG_SHAPE_SPHERE, body);
        mb_look_from_centre(k, ball.position, body, side ? s->line.anchor_b : s->line.anchor_a);
        ball.dimensions[0] = side ? fabs(s->rb) : s->ra;
        ball.shade = side ? LG_SHADE_WHEEL : LG_SHADE_GROUND;
        if (ball.dimensions[0] > 0) mb_look_add(k, &ball);
    }
}

static const lg_sphere_contact standard = {.size = sizeof standard};

const mb_part_kind mb_sphere_contact_part = {
    .noun = "sphere contact",
    .size = LG_SIZED_AS(lg_sphere_contact, child_radius, "start from lg_sphere_contact_default()"),
    .standard = &standard,
    .strings = 3,
    .string = {offsetof(lg_sphere_contact, name), offsetof(lg_sphere_contact, parent),
               offsetof(lg_sphere_contact, child)},
    .fields = fields,
    .check = check_contact,
    .loads = contact_loads,
    .numbers = sizeof(mb_spheres),
    .make = make_contact,
    .blocks = contact_blocks,
    .reach = contact_reach,
    .normal = 1,
    .describe = describe_contact,
    .mark = mark_contact,
    .show = show_contact,
};

/* ---- reading ---- */

lg_status lg_motion_sphere_contact_force(const lg_motion *motion, double *force, int contact)
{
    return mb_read_force(motion, force, MB_SPHERE_CONTACTS, contact);
}

lg_status lg_motion_sphere_contact_normal(const lg_motion *motion, double *force, double *time, int contact)
{
    return mb_read_normal(motion, force, time, MB_SPHERE_CONTACTS, contact);
}
