/* SPDX-License-Identifier: BSD-3-Clause */
/* Contact in an element <liegrp> of a URDF: surfaces, pairs of them, the ground, and stops of joints. */
#include <math.h>
#include <string.h>

#include <liegrp/groups/se3.h>
#include <liegrp/groups/so3.h>
#include <liegrp/multibody/contact.h>

#include "multibody/files/reader.h"

int mb_whole(mb_reader *r, mb_element *e, const char *name, int otherwise)
{
    const double x = mb_number(r, e, name, otherwise);
    if (x >= INT32_MIN && x <= INT32_MAX && x == floor(x)) return (int)x;
    mb_refuse(r, e, "%s is %g; it must be a whole number", name, x);
    return otherwise;
}

/* Points, triangles, and heights of `rows` rows. */
static void read_points(mb_reader *r, mb_element *e, lg_surface *s)
{
    const int ground = s->kind == LG_SURFACE_TRIANGLES;
    double *point, *corner, *height;
    const int numbers = mb_list(r, e, "points", &point, 3 * (ground ? LG_TERRAIN_MOST : LG_SURFACE_POINTS));
    const int corners = mb_list(r, e, "triangles", &corner, 3 * LG_TERRAIN_MOST);
    const int heights = mb_list(r, e, "heights", &height, LG_TERRAIN_MOST);
    if (numbers % 3 != 0) mb_refuse(r, e, "points has %d numbers; each point has three", numbers);
    if (corners % 3 != 0) mb_refuse(r, e, "triangles has %d numbers; each triangle has three", corners);
    s->point = point, s->points = numbers / 3, s->height = height, s->rows = mb_whole(r, e, "rows", 0);
    if (r->status == LG_OK && heights > 0 && (s->rows < 1 || heights % s->rows != 0))
        mb_refuse(r, e, "heights has %d numbers, which are not %d rows", heights, s->rows);
    s->columns = s->rows > 0 ? heights / s->rows : 0;
    int *own = corners > 0 && r->status == LG_OK ? mb_take(r, (size_t)corners * sizeof *own) : NULL;
    for (int i = 0; i < corners && own != NULL; i++) {
        own[i] = corner[i] >= 0 && corner[i] < s->points ? (int)corner[i] : -1;
        if (!(own[i] <= corner[i] && own[i] >= corner[i]))
            mb_refuse(r, e, "triangles has %g; there are %d points, from 0", corner[i], s->points);
    }
    s->triangle = own, s->triangles = own != NULL ? corners / 3 : 0;
}

void mb_read_surface(mb_reader *r, mb_element *e)
{
    static const char *const rules[] = {"smaller", "greater", NULL};
    const char *names[LG_SURFACE_HEIGHTS + 2] = {NULL}, *body;
    for (int i = 0; i <= LG_SURFACE_HEIGHTS; i++) names[i] = lg_surface_kind_name((lg_surface_kind)i);
    double position[3] = {0, 0, 0}, attitude[4] = {0, 0, 0, 1};
    int link;
    mb_place in_body;
    lg_surface s = lg_surface_default(mb_needed_text(r, e, "name"), NULL);
    if (mb_needed_text(r, e, "link") == NULL || mb_needed_text(r, e, "kind") == NULL || r->status != LG_OK ||
        !mb_attached(r, e, "link", &body, &link, &in_body))
        return;
    s.body = body;
    s.kind = (lg_surface_kind)mb_choice(r, e, "kind", names, LG_SURFACE_SPHERE);
    (void)mb_numbers(r, e, "half", s.half, 1, 3);
    (void)mb_numbers(r, e, "position", position, 3, 3);
    if (mb_numbers(r, e, "attitude", attitude, 4, 4) > 0) mb_unit(r, e, "attitude", attitude, 4);
    s.friction = mb_number(r, e, "friction", s.friction), s.restitution = mb_number(r, e, "restitution", 0);
    s.viscous = mb_number(r, e, "viscous", 0);
    s.group = mb_whole(r, e, "group", 0);
    s.contype = mb_whole(r, e, "contype", 1), s.conaffinity = mb_whole(r, e, "conaffinity", 1);
    s.priority = mb_whole(r, e, "priority", 0);
    s.rule = (lg_friction_rule)mb_choice(r, e, "rule", rules, LG_FRICTION_SMALLER);
    s.friction_along = mb_number(r, e, "friction_along", -1);
    read_points(r, e, &s);
    lg_se3_act(s.position, in_body.g, position);
    lg_so3_compose(s.attitude, in_body.g + 3, attitude);
    if (r->status == LG_OK) mb_pass_on(r, e, lg_mechanism_add_surface(r->m, NULL, &s));
}

void mb_read_surface_pair(mb_reader *r, mb_element *e)
{
    static const char *const answers[] = {"false", "true", NULL};
    const char *name = mb_needed_text(r, e, "name"), *first = mb_needed_text(r, e, "first");
    lg_surface_pair p = lg_surface_pair_default(name, first, mb_needed_text(r, e, "second"));
    p.ignored = mb_choice(r, e, "ignored", answers, 0);
    p.friction = mb_number(r, e, "friction", -1), p.restitution = mb_number(r, e, "restitution", -1);
    p.viscous = mb_number(r, e, "viscous", -1);
    if (r->status == LG_OK) mb_pass_on(r, e, lg_mechanism_add_surface_pair(r->m, NULL, &p));
}

void mb_read_ground(mb_reader *r, mb_element *e)
{
    const char *name = mb_text(e, "name");
    lg_surface s = lg_surface_default(name != NULL ? name : "ground", NULL);
    s.kind = LG_SURFACE_PLANE, s.contype = s.conaffinity = -1;
    s.friction = mb_number(r, e, "friction", s.friction), s.restitution = mb_number(r, e, "restitution", 0);
    if (r->status == LG_OK) mb_pass_on(r, e, lg_mechanism_add_surface(r->m, NULL, &s));
}

void mb_read_stops(mb_reader *r, mb_element *extension)
{
    for (mb_element *e = mb_each_element(extension, "stops", NULL); e != NULL && r->status == LG_OK;
         e = mb_each_element(extension, "stops", e)) {
        const char *name = mb_needed_text(r, e, "joint");
        int i = 0;
        while (name != NULL && i < r->joints && strcmp(r->joint[i].name, name) != 0) i++;
        if (name == NULL) return;
        if (i == r->joints) {
            mb_refuse(r, e, "stops: there is no joint '%.60s'", name);
            return;
        }
        mb_file_position *p = &r->joint[i].all;
        if (!mb_is_limited(p))
            mb_refuse(r, e, "stops: joint '%.60s' has no limits; give it a <limit lower upper>", name);
        p->stops = 1, p->stop_restitution = mb_number(r, e, "restitution", 0);
    }
}
