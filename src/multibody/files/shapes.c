/* SPDX-License-Identifier: BSD-3-Clause */
/* What links look like: <visual> of URDF and <geom> of MJCF as shapes of bodies. Nothing of it acts on the motion. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <liegrp/groups/se3.h>
#include <liegrp/multibody/scene.h>

#include "groups/rotation.h"
#include "multibody/files/mjcf.h"

/* The body of a link (-1: the world), and its frame there. */
static int body_of(const mb_reader *r, int link, mb_place *in_body)
{
    const char *name = mb_body_of(r, link);
    *in_body = link >= 0 ? r->link[link].in_body : mb_place_of(r, -1);
    return name != NULL ? lg_mechanism_body(r->m, name) : -1;
}

/* Adds a shape at a place in the frame of a link. Elements that are not shapes get a remark. */
static void add(mb_reader *r, const mb_element *e, int link, const mb_place *at, lg_shape *shape)
{
    mb_place in_body, whole;
    if (r->status != LG_OK) return;
    if (link >= 0 && r->link[link].leader == MB_NO_BODY) {
        mb_note(r, e, "'%.60s' is no body: its <%s> is not shown", r->link[link].name, e->name);
        return;
    }
    shape->body = shape->end_body = body_of(r, link, &in_body);
    lg_se3_compose(whole.g, in_body.g, at->g);
    memcpy(shape->position, whole.g, sizeof shape->position);
    memcpy(shape->attitude, whole.g + 3, sizeof shape->attitude);
    const lg_status status = lg_mechanism_add_shape(r->m, NULL, shape);
    if (status == LG_ERROR_ARGUMENT)
        mb_note(r, e, "<%s> is no shape and is not read: %.150s", e->name, lg_mechanism_message(r->m));
    else
        mb_pass_on(r, e, status);
}

/* A look never refuses a file: what is wrong with it becomes a remark. */
static void forgive(mb_reader *r, const mb_element *e)
{
    char text[LG_MESSAGE_SIZE];
    if (r->status != LG_ERROR_ARGUMENT && r->status != LG_ERROR_UNSUPPORTED) return;
    memcpy(text, r->m->error.message, sizeof text);
    lg_error_clear(&r->m->error);
    r->status = LG_OK;
    const char *place = strstr(text, ": "); /* the remark has its own */
    mb_note(r, e, "this <%.20s> is not shown: %.120s", e->name, place != NULL ? place + 2 : text);
}

/* A capsule is a rod with a ball at each end. */
static void add_capsule(mb_reader *r, const mb_element *e, int link, const mb_place *at, const lg_shape *like,
                        double radius, double half)
{
    lg_shape middle = *like;
    middle.kind = LG_SHAPE_CYLINDER, middle.dimensions[0] = radius, middle.dimensions[1] = 2 * half;
    add(r, e, link, at, &middle);
    for (int side = -1; side <= 1; side += 2) {
        const mb_place local = {{0, 0, side * half, 0, 0, 0, 1}};
        mb_place end;
        lg_shape ball = *like;
        ball.kind = LG_SHAPE_SPHERE, ball.dimensions[0] = radius, ball.dimensions[1] = 0;
        lg_se3_compose(end.g, at->g, local.g);
        add(r, e, link, &end, &ball);
    }
}

/* ---- materials of URDF ---- */

typedef struct material {
    const char *name;
    double colour[4];
    int order;
} material;

static int by_name(const void *a, const void *b)
{
    const material *x = a, *y = b;
    const int order = strcmp(x->name, y->name);
    return order != 0 ? order : (x->order > y->order) - (x->order < y->order);
}

/* The colour in a <material>; 0: none. */
static int read_colour(mb_reader *r, mb_element *e, double *colour)
{
    double given[4];
    mb_element *c = mb_each_element(e, "color", NULL);
    const int read = c != NULL && mb_numbers(r, c, "rgba", given, 4, 4) == 4;
    for (int k = 0; read && k < 4; k++) colour[k] = fmin(fmax(given[k], 0), 1);
    forgive(r, e);
    return read;
}

/* Materials with a name and a colour, of the robot and of visuals, sorted; the first of a name counts. */
static material *list_materials(mb_reader *r, int *count)
{
    int room = 1;
    *count = 0;
    for (int pass = 0; pass < 2; pass++) {
        material *list = pass == 1 ? mb_take(r, (size_t)room * sizeof *list) : NULL;
        if (pass == 1 && list == NULL) return NULL;
        for (mb_element *e = r->document.root->child, *next; e != NULL; e = next) {
            const int looks = mb_is(e, "link") || mb_is(e, "visual"), is = mb_is(e, "material");
            material m = {.name = is ? mb_text(e, "name") : NULL, .order = *count};
            room += pass == 0 && is;
            if (is && e->parent == r->document.root) e->read = 1;
            if (pass == 1 && m.name != NULL && read_colour(r, e, m.colour)) list[(*count)++] = m;
            next = looks ? e->child : NULL;
            for (mb_element *up = e; next == NULL && up != r->document.root; up = up->parent) next = up->next;
        }
        if (pass == 1) qsort(list, (size_t)*count, sizeof *list, by_name);
        if (pass == 1) return list;
    }
    return NULL;
}

/* The first material of this name; NULL: none. */
static const material *find_material(const material *list, int count, const char *name)
{
    int low = 0, high = count;
    while (low < high) {
        const int middle = low + (high - low) / 2;
        if (strcmp(list[middle].name, name) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low < count && strcmp(list[low].name, name) == 0 ? &list[low] : NULL;
}

static void take_material(mb_reader *r, mb_element *e, lg_shape *s, const material *list, int count)
{
    const char *name = mb_text(e, "name");
    e->read = 1;
    if (mb_each_element(e, "texture", NULL) != NULL) mb_note(r, e, "<texture> is not shown");
    if (!read_colour(r, e, s->colour) && name != NULL) {
        const material *of = find_material(list, count, name);
        if (of != NULL) memcpy(s->colour, of->colour, sizeof s->colour);
    }
    mb_passed_over(e);
}

/* ---- URDF ---- */

/* The shape of a <geometry>, a capsule as a cylinder of half the length. */
static void read_geometry(mb_reader *r, mb_element *e, lg_shape *s)
{
    e->read = 1;
    s->kind = mb_is(e, "box") ? LG_SHAPE_BOX : mb_is(e, "sphere") ? LG_SHAPE_SPHERE : LG_SHAPE_CYLINDER;
    if (mb_is(e, "box")) (void)mb_numbers(r, e, "size", s->dimensions, 3, 3);
    if (!mb_is(e, "box")) s->dimensions[0] = mb_number(r, e, "radius", 0);
    if (s->kind == LG_SHAPE_CYLINDER) s->dimensions[1] = mb_number(r, e, "length", 0);
}

/* 0: the mesh is not shown, and a remark says why. */
static int read_mesh(mb_reader *r, mb_element *e, lg_shape *s)
{
    e->read = 1;
    s->kind = LG_SHAPE_MESH;
    (void)mb_numbers(r, e, "scale", s->scale, 3, 3);
    s->mesh = mb_find_look(r, e, mb_needed_text(r, e, "filename"));
    return s->mesh != NULL;
}

static void read_visual(mb_reader *r, mb_element *e, int link, const material *list, int count)
{
    static const char *const shapes[] = {"box", "cylinder", "sphere", "capsule", "mesh"};
    mb_element *geometry = NULL, *look = NULL, *origin = NULL, *shape = NULL;
    for (mb_element *c = e->child; c != NULL; c = c->next) {
        if (mb_is(c, "geometry")) geometry = c;
        if (mb_is(c, "material")) look = c;
        if (mb_is(c, "origin")) origin = c;
    }
    for (size_t k = 0; geometry != NULL && shape == NULL && k < sizeof shapes / sizeof shapes[0]; k++)
        shape = mb_each_element(geometry, shapes[k], NULL);
    if (shape == NULL) return; /* it stays unread and gets a remark */
    const char *name = mb_text(e, "name");
    lg_shape s = lg_shape_default(name != NULL && name[0] ? name : r->link[link].name, LG_SHAPE_BOX, -1);
    e->read = geometry->read = 1;
    if (origin != NULL) origin->read = 1;
    if (look != NULL) take_material(r, look, &s, list, count);
    const mb_place at = mb_origin(r, origin);
    s.shade = link % 2 == 0 ? LG_SHADE_BODY : LG_SHADE_SECOND;
    if (mb_is(shape, "mesh")) {
        if (read_mesh(r, shape, &s)) add(r, e, link, &at, &s);
        return;
    }
    read_geometry(r, shape, &s);
    if (mb_is(shape, "capsule"))
        add_capsule(r, e, link, &at, &s, s.dimensions[0], 0.5 * s.dimensions[1]);
    else
        add(r, e, link, &at, &s);
}

void mb_read_visuals(mb_reader *r)
{
    int count = 0;
    const material *list = r->status == LG_OK ? list_materials(r, &count) : NULL;
    for (int i = 0; list != NULL && i < r->links && r->status == LG_OK; i++) {
        for (mb_element *e = r->link[i].at->child; e != NULL && r->status == LG_OK; e = e->next) {
            if (!mb_is(e, "visual")) continue;
            read_visual(r, e, i, list, count);
            forgive(r, e);
        }
    }
}

/* ---- MJCF ---- */

/* The class of the bodies around an element; NULL: none. */
static const char *class_around(const mb_element *e)
{
    for (mb_element *up = e->parent; up != NULL; up = up->parent) {
        const char *name = mb_text(up, "childclass");
        if (name != NULL) return name;
    }
    return NULL;
}

/* from and to instead of a place and the half length: z is along them. Returns the half length; -1: the attribute is
 * missing. */
static double read_ends(mb_reader *r, mb_element *e, mb_place *at)
{
    double v[6], d[3];
    static const double none[3] = {0, 0, 0};
    if (mb_numbers(r, e, "fromto", v, 6, 6) == 0) return -1;
    *at = mb_here;
    for (int k = 0; k < 3; k++) d[k] = v[3 + k] - v[k], at->g[k] = 0.5 * (v[k] + v[3 + k]);
    const double length = lg_length(d, 3);
    if (length > 0) (void)mb_frame_about(at->g + 3, d, none);
    return 0.5 * length;
}

int mj_read_shape(mj_reader *o, mb_element *e, mj_geom *g)
{
    static const char *const names[] = {"sphere", "capsule", "cylinder", "box", "ellipsoid", "plane", "mesh"};
    mb_reader *r = o->r;
    mb_place at;
    *g = (mj_geom){.kind = MJ_SPHERE, .type = mb_text(e, "type"), .mesh = mb_text(e, "mesh")};
    if (g->mesh != NULL && (g->type == NULL || strcmp(g->type, "mesh") != 0))
        g->kind = MJ_OTHER, g->type = "fitted to a mesh";
    if (g->kind != MJ_OTHER && g->type != NULL)
        while (g->kind < MJ_OTHER && strcmp(names[g->kind], g->type) != 0) g->kind++;
    if (g->type == NULL) g->type = names[g->kind];
    g->at = mj_place(o, e);
    if (g->kind >= MJ_MESH) return r->status == LG_OK;
    (void)mb_numbers(r, e, "size", g->size, 1, 3);
    const double half = read_ends(r, e, &at);
    if (half < 0) return r->status == LG_OK;
    g->at = mj_in_frame(e, &at);
    if (g->kind == MJ_CAPSULE || g->kind == MJ_CYLINDER) g->size[1] = half;
    if (g->kind == MJ_BOX || g->kind == MJ_ELLIPSOID) g->size[1] = g->size[0], g->size[2] = half;
    return r->status == LG_OK;
}

/* Its own colour, or that of its material. Planes are the ground, whose colour is that of the page. */
static void take_colour(mj_reader *o, mb_element *e, lg_shape *s)
{
    double own[4] = {0, 0, 0, 1};
    const char *name = mb_text(e, "material");
    mb_element *of = name != NULL ? mj_material(o, name) : NULL;
    const int given =
        mb_numbers(o->r, e, "rgba", own, 4, 4) > 0 || (of != NULL && mb_numbers(o->r, of, "rgba", own, 4, 4) > 0);
    for (int k = 0; given && s->kind != LG_SHAPE_PLANE && k < 4; k++) s->colour[k] = fmin(fmax(own[k], 0), 1);
}

/* The kind and dimensions of a geom; 0: it is not shown, and a remark says why. */
static int shape_of(mj_reader *o, mb_element *e, mj_geom *g, lg_shape *s)
{
    static const int kinds[] = {
        [MJ_SPHERE] = LG_SHAPE_SPHERE, [MJ_CYLINDER] = LG_SHAPE_CYLINDER,   [MJ_CAPSULE] = LG_SHAPE_ROD,
        [MJ_BOX] = LG_SHAPE_BOX,       [MJ_ELLIPSOID] = LG_SHAPE_ELLIPSOID, [MJ_PLANE] = LG_SHAPE_PLANE};
    const double *size = g->size;
    if (g->kind == MJ_MESH && g->mesh != NULL) return mj_show_mesh(o, e, g, s);
    if (g->kind >= MJ_MESH) {
        mb_note(o->r, e, "<geom> of type '%.40s' is not shown", g->type);
        return 0;
    }
    s->kind = kinds[g->kind];
    for (int k = 0; k < 3; k++) s->dimensions[k] = g->kind == MJ_BOX || g->kind == MJ_PLANE ? 2 * size[k] : size[k];
    if (g->kind == MJ_CYLINDER) s->dimensions[1] = 2 * size[1], s->dimensions[2] = 0;
    if (g->kind == MJ_SPHERE || g->kind == MJ_CAPSULE) s->dimensions[1] = s->dimensions[2] = 0;
    return 1;
}

static void read_geom(mj_reader *o, mb_element *e, int link)
{
    mb_reader *r = o->r;
    mj_geom g;
    mj_inherit(o, e, class_around(e));
    if (r->status != LG_OK || !mj_read_shape(o, e, &g)) return;
    const char *name = mb_text(e, "name");
    o->colliding += mb_number(r, e, "contype", 1) != 0 || mb_number(r, e, "conaffinity", 1) != 0;
    if (mb_number(r, e, "group", 0) > 2) {
        mb_note(r, e, "<geom> of a group above 2 is not shown, as in MuJoCo");
        mb_passed_over(e);
        return;
    }
    lg_shape s = lg_shape_default(name != NULL ? name : link >= 0 ? r->link[link].name : "world", LG_SHAPE_SPHERE, -1);
    s.shade = g.kind == MJ_PLANE ? LG_SHADE_GROUND : link % 2 == 0 ? LG_SHADE_BODY : LG_SHADE_SECOND;
    const int shown = shape_of(o, e, &g, &s);
    take_colour(o, e, &s);
    mb_passed_over(e); /* contacts and the like */
    if (shown && g.kind == MJ_CAPSULE)
        add_capsule(r, e, link, &g.at, &s, g.size[0], g.size[1]);
    else if (shown)
        add(r, e, link, &g.at, &s);
}
void mj_read_geoms(mj_reader *o, mb_element *parent, int link)
{
    for (mb_element *e = parent->child; e != NULL && o->r->status == LG_OK; e = e->next) {
        if (mb_is(e, "site")) mj_read_site(o, e, link, class_around(e));
        if (!mb_is(e, "geom")) continue;
        read_geom(o, e, link);
        forgive(o->r, e);
        e->read = 1;
    }
}
