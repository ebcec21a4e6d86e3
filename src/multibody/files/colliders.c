/* SPDX-License-Identifier: BSD-3-Clause */
/* Shapes of files that collide, as surfaces: what both dialects share, and <collision> of URDF. */
#include <stdlib.h>
#include <string.h>

#include <liegrp/groups/se3.h>

#include "base/decimal.h"
#include "multibody/contact/touch.h"
#include "multibody/files/reader.h"
#include "scene/mesh/mesh.h"

/* ---- surfaces ---- */

const char *mb_new_name(mb_reader *r, int kind, const char *wanted)
{
    const char *name = wanted;
    for (int i = 2; mb_find(r->m, kind, name) >= 0 && r->status == LG_OK; i++) name = mb_print(r, "%s_%d", wanted, i);
    return name;
}

int mb_shapes_collide(const mb_reader *r)
{
    return r->options.contacts == LG_FILE_CONTACTS_ALL || r->options.contacts == LG_FILE_CONTACTS_GROUND;
}

/* Room for one more; NULL: out of memory. */
static mb_collider *new_collider(mb_reader *r)
{
    if (r->colliders == r->collider_room) {
        const int room = r->collider_room > 0 ? 2 * r->collider_room : 64;
        mb_collider *more = realloc(r->collider, (size_t)room * sizeof *more);
        if (more == NULL) {
            mb_refuse_as(r, LG_ERROR_MEMORY, NULL, "out of memory");
            return NULL;
        }
        r->collider = more, r->collider_room = room;
    }
    return &r->collider[r->colliders++];
}

mb_collider *mb_collide(mb_reader *r, mb_element *e, int link, const mb_place *at, lg_surface *s, const char *name)
{
    if (link >= 0) mb_needs_body(r, e, link);
    if (r->status != LG_OK) return NULL;
    const mb_place in_body = link >= 0 ? r->link[link].in_body : mb_place_of(r, -1);
    mb_place whole;
    lg_se3_compose(whole.g, in_body.g, at->g);
    memcpy(s->position, whole.g, sizeof s->position), memcpy(s->attitude, whole.g + 3, sizeof s->attitude);
    s->name = mb_new_name(r, MB_SURFACES, name), s->body = mb_body_of(r, link);
    if (r->options.contacts == LG_FILE_CONTACTS_GROUND && !mb_is_ground(s->kind)) s->group = MB_SHAPES_OF_FILE;
    int number = -1;
    mb_pass_on(r, e, lg_mechanism_add_surface(r->m, &number, s));
    mb_collider *c = r->status == LG_OK ? new_collider(r) : NULL;
    if (c == NULL) return NULL;
    const int body = s->body != NULL ? mb_find(r->m, MB_BODIES, s->body) : r->m->part[MB_BODIES].count;
    *c = (mb_collider){.at = e, .name = name, .link = link, .surface = number, .body = body, .condim = 3};
    r->m->shaped = number + 1;
    return c;
}

int mb_hull_of(mb_reader *r, const mb_element *e, lg_surface *s, const lg_mesh *mesh, const char *name)
{
    lg_mesh hull = {0};
    lg_error error;
    lg_error_clear(&error);
    const lg_status st = lg_mesh_hull(&hull, mesh, name, &error);
    if (st != LG_OK)
        mb_refuse_as(r, st, e, "%.200s; without it: --ignore mesh (lg_mechanism_file::ignore)", error.message);
    else if (hull.vertices > LG_SURFACE_POINTS)
        mb_refuse_as(r, LG_ERROR_UNSUPPORTED, e,
                     "%.80s: its convex hull has %d vertices, more than %d; make the mesh coarser, or without it: "
                     "--ignore mesh (lg_mechanism_file::ignore)",
                     name, hull.vertices, LG_SURFACE_POINTS);
    const size_t bytes = 3 * (size_t)hull.vertices * sizeof(double);
    double *point = r->status == LG_OK ? mb_take(r, bytes) : NULL;
    if (point != NULL) memcpy(point, hull.vertex, bytes), s->points = hull.vertices, s->point = point;
    s->kind = LG_SURFACE_HULL;
    lg_mesh_free(&hull);
    return point != NULL;
}

/* ---- which of them touch ---- */

int mb_colliders_meet(const mb_reader *r, const mb_neighbours *of, const mb_collider *a, const mb_collider *b)
{
    const lg_surface *s = MB_SURFACE_OF(r->m, a->surface), *t = MB_SURFACE_OF(r->m, b->surface);
    if (a->body == b->body || (s->group != 0 && s->group == t->group)) return 0;
    if (!mb_bits_meet(s->contype, s->conaffinity, t->contype, t->conaffinity)) return 0;
    const int64_t key = mb_pair_key(r->m, a->body, b->body);
    return bsearch(&key, of->key, (size_t)of->count, sizeof key, mb_compare_keys) == NULL;
}

void mb_refuse_unmet(mb_reader *r, const mb_collider *a, const mb_collider *b)
{
    const lg_surface *s = MB_SURFACE_OF(r->m, a->surface), *t = MB_SURFACE_OF(r->m, b->surface);
    const int turned = mb_is_ground(t->kind);
    if (mb_can_meet(turned ? t : s, turned ? s : t, (turned ? t : s)->body == NULL)) return;
    const char *instead = s->kind >= LG_SURFACE_TRIANGLES || t->kind >= LG_SURFACE_TRIANGLES
                              ? "take capsules or spheres instead, leave the terrain out (--ignore hfield)"
                              : "with planes alone: --contacts ground (lg_mechanism_file::contacts)";
    mb_refuse_as(r, LG_ERROR_UNSUPPORTED, b->at,
                 "'%.60s' (%s) would touch '%.60s' (%s), a pair of kinds that has no contacts; %s, or exclude the pair "
                 "in the file",
                 t->name, lg_surface_kind_name(t->kind), s->name, lg_surface_kind_name(s->kind), instead);
}

/* 1: a pair of the file ignores these surfaces. */
static int is_ignored(const lg_mechanism *m, const char *a, const char *b)
{
    for (int i = 0; i < m->part[MB_SURFACE_PAIRS].count; i++) {
        const lg_surface_pair *p = MB_PAIR_OF(m, i);
        if (!p->ignored) continue;
        if (strcmp(p->first, a) == 0 && strcmp(p->second, b) == 0) return 1;
        if (strcmp(p->first, b) == 0 && strcmp(p->second, a) == 0) return 1;
    }
    return 0;
}

mb_neighbours mb_take_neighbours(mb_reader *r)
{
    mb_neighbours of = {0};
    if (r->status != LG_OK) return of;
    of.key = mb_neighbours_of(r->m, &of.count);
    if (of.key == NULL) mb_refuse_as(r, LG_ERROR_MEMORY, NULL, "out of memory");
    return of;
}

static void judge_pairs(mb_reader *r)
{
    mb_neighbours of = mb_take_neighbours(r);
    for (int i = 0; i < r->colliders; i++)
        for (int j = i + 1; j < r->colliders && r->status == LG_OK; j++) {
            const mb_collider *a = &r->collider[i], *b = &r->collider[j];
            if (mb_colliders_meet(r, &of, a, b) &&
                !is_ignored(r->m, MB_SURFACE_OF(r->m, a->surface)->name, MB_SURFACE_OF(r->m, b->surface)->name))
                mb_refuse_unmet(r, a, b);
        }
    free(of.key);
}

/* ---- URDF ---- */

/* The number in the text of an element, which is read; `otherwise`: there is no such element. */
static double text_number(mb_reader *r, mb_element *e, double otherwise)
{
    if (e == NULL) return otherwise;
    const char *text = e->text != NULL ? e->text + strspn(e->text, " \t\r\n") : "", *end = NULL;
    const double n = lg_decimal_read(text, &end);
    e->read = 1;
    if (end == text || end[strspn(end, " \t\r\n")] != '\0' || !(n >= 0) || n - n != 0)
        mb_refuse(r, e, "<%.40s> is '%.40s'; it must be a number that is not negative", e->name, text);
    return n;
}

/* The first element of this name below another, at any depth; NULL: none. */
static mb_element *below(mb_element *top, const char *name)
{
    for (mb_element *e = top != NULL ? top->child : NULL; e != NULL;) {
        if (mb_is(e, name)) return e;
        mb_element *next = e->child;
        for (; next == NULL && e != top; e = e->parent) next = e->next;
        e = next;
    }
    return NULL;
}

/* Refuses a number other than 0 of an element of <contact> or <gazebo> that is not acted on, or notes that it is
 * ignored. */
static void refuse_number(mb_reader *r, mb_element *e, double value)
{
    if (e == NULL || !(value > 0)) return;
    if (mb_ignores(r, e->name))
        mb_note(r, e, "<%.40s> is ignored, as you ask", e->name);
    else
        mb_refuse_as(r, LG_ERROR_UNSUPPORTED, e,
                     "<%.40s> is not acted on with contacts and would change the motion; without it: --ignore %.40s "
                     "(lg_mechanism_file::ignore)",
                     e->name, e->name);
}

/* Friction and restitution of Gazebo in <gazebo reference=LINK> or in <surface> of a <collision>. */
static void read_gazebo(mb_reader *r, mb_element *top, lg_surface *s)
{
    static const char *const first[] = {"mu1", "mu"}, *const slips[] = {"slip1", "slip2"};
    static const char *const soft[] = {"kp",        "kd",      "soft_cfm", "soft_erp",
                                       "min_depth", "max_vel", "minDepth", "maxVel"};
    if (top == NULL) return;
    for (int k = 0; k < 2; k++) s->friction = text_number(r, below(top, first[k]), s->friction);
    mb_element *second = below(top, "mu2"), *bounce = below(top, "restitution_coefficient");
    s->restitution = text_number(r, bounce, s->restitution);
    const double other = text_number(r, second, s->friction);
    refuse_number(r, second, other != s->friction);
    for (int k = 0; k < 2; k++) refuse_number(r, below(top, slips[k]), text_number(r, below(top, slips[k]), 0));
    refuse_number(r, below(top, "torsional"), 1);
    for (int k = 0; k < 8; k++) {
        mb_element *e = below(top, soft[k]);
        if (e == NULL) continue;
        mb_note(r, e, "kp, kd and the like make contacts soft; contacts here are rigid");
        e->read = 1;
    }
}

/* <contact> of a link, as Bullet has it, and <gazebo> of it. */
static void read_values(mb_reader *r, mb_element *link, lg_surface *s)
{
    static const char *const soft[] = {"stiffness", "damping", "contact_cfm", "contact_erp"};
    static const char *const others[] = {"rolling_friction", "spinning_friction"};
    const char *name = mb_text(link, "name");
    mb_element *contact = mb_each_element(link, "contact", NULL), *root = r->document.root;
    for (mb_element *e = mb_each_element(root, "gazebo", NULL); e != NULL; e = mb_each_element(root, "gazebo", e)) {
        const char *reference = mb_text(e, "reference");
        if (reference != NULL && name != NULL && strcmp(reference, name) == 0) read_gazebo(r, e, s);
    }
    if (contact == NULL) return;
    mb_element *friction = mb_only(r, contact, "lateral_friction"), *bounce = mb_only(r, contact, "restitution");
    if (friction != NULL) s->friction = mb_needed_number(r, friction, "value");
    if (bounce != NULL) s->restitution = mb_needed_number(r, bounce, "value");
    for (int k = 0; k < 2; k++) {
        mb_element *e = mb_only(r, contact, others[k]);
        if (e != NULL) refuse_number(r, e, mb_number(r, e, "value", 0));
    }
    for (int k = 0; k < 4; k++)
        if (mb_each_element(contact, soft[k], NULL) != NULL)
            mb_note(r, contact, "stiffness, damping and the like make contacts soft; contacts here are rigid");
    mb_passed_over(contact);
}

/* 0: refused, or the caller ignores meshes. */
static int read_mesh(mb_reader *r, mb_element *e, lg_surface *s)
{
    double scale[3] = {1, 1, 1};
    const int scaled = mb_numbers(r, e, "scale", scale, 3, 3);
    const char *name = mb_needed_text(r, e, "filename");
    lg_mesh mesh = {0};
    lg_error error;
    lg_error_clear(&error);
    if (mb_ignores(r, "mesh")) {
        mb_note(r, e, "<mesh> of a <collision> is ignored, as you ask");
        return 0;
    }
    const char *path = mb_find_mesh(r, e, name);
    if (path == NULL || !mb_keep_file(r, path)) return 0;
    lg_status st = lg_mesh_read(&mesh, path, LG_MESH_BY_NAME, &error);
    if (st == LG_OK && scaled > 0) st = lg_mesh_scale(&mesh, scale, name, &error);
    if (st != LG_OK) mb_refuse_as(r, st, e, "%.240s", error.message);
    const int well = st == LG_OK && mb_hull_of(r, e, s, &mesh, name);
    lg_mesh_free(&mesh);
    return well;
}

/* The shape of a <geometry>; 0: refused, or ignored. */
static int read_geometry(mb_reader *r, mb_element *geometry, lg_surface *s)
{
    static const char *const names[] = {"sphere", "capsule", "box", "cylinder", "mesh"};
    mb_element *e = NULL;
    int kind = 0;
    for (; kind < 5 && (e = mb_each_element(geometry, names[kind], NULL)) == NULL;) kind++;
    if (e == NULL) {
        mb_refuse(r, geometry, "<geometry> of a <collision> has no sphere, capsule, box, cylinder or mesh");
        return 0;
    }
    e->read = 1;
    if (kind == 4) return read_mesh(r, e, s);
    s->kind = (lg_surface_kind)(LG_SURFACE_SPHERE + kind);
    if (s->kind == LG_SURFACE_BOX && mb_numbers(r, e, "size", s->half, 3, 3) == 0)
        mb_refuse(r, e, "<box> has no attribute 'size'");
    if (s->kind != LG_SURFACE_BOX) s->half[0] = mb_needed_number(r, e, "radius");
    if (s->kind == LG_SURFACE_CAPSULE || s->kind == LG_SURFACE_CYLINDER) s->half[1] = mb_needed_number(r, e, "length");
    for (int k = s->kind == LG_SURFACE_BOX ? 0 : 1; k < 3; k++) s->half[k] /= 2;
    return r->status == LG_OK;
}

static void read_collision(mb_reader *r, mb_element *e, int link, const lg_surface *values)
{
    lg_surface s = *values;
    const char *name = mb_text(e, "name");
    mb_element *geometry = mb_needed(r, e, "geometry");
    const mb_place at = mb_origin(r, mb_only(r, e, "origin"));
    mb_element *surface = mb_each_element(e, "surface", NULL);
    read_gazebo(r, surface, &s);
    if (geometry != NULL && read_geometry(r, geometry, &s))
        (void)mb_collide(r, e, link, &at, &s,
                         name != NULL && name[0] ? name : mb_print(r, "%s_collision", r->link[link].name));
    mb_passed_over(e);
}

int mb_read_collisions(mb_reader *r)
{
    int count = 0;
    for (int i = 0; i < r->links && r->status == LG_OK; i++) {
        mb_element *link = r->link[i].at, *e = mb_each_element(link, "collision", NULL);
        lg_surface values = lg_surface_default(NULL, NULL);
        if (e != NULL && mb_shapes_collide(r)) read_values(r, link, &values);
        for (; e != NULL && r->status == LG_OK; e = mb_each_element(link, "collision", e), count++)
            if (mb_shapes_collide(r))
                read_collision(r, e, i, &values);
            else
                mb_passed_over(e);
    }
    return count;
}

void mb_judge_collisions(mb_reader *r)
{
    if (r->status == LG_OK && r->colliders > 0) judge_pairs(r);
}
