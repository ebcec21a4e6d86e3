/* SPDX-License-Identifier: BSD-3-Clause */
/* What links look like: <visual> of URDF and <geom> of MJCF as shapes of bodies. Nothing of it acts on the motion. */
#include <math.h>
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

/* ---- URDF ---- */

/* The shape of a <geometry>; 0: none that is known here. */
static int read_geometry(mb_reader *r, mb_element *geometry, lg_shape *s)
{
    mb_element *box = mb_only(r, geometry, "box"), *cylinder = mb_only(r, geometry, "cylinder"),
               *sphere = mb_only(r, geometry, "sphere");
    if (box != NULL) {
        s->kind = LG_SHAPE_BOX;
        (void)mb_numbers(r, box, "size", s->dimensions, 3, 3);
    } else if (cylinder != NULL) {
        s->kind = LG_SHAPE_CYLINDER;
        s->dimensions[0] = mb_number(r, cylinder, "radius", 0);
        s->dimensions[1] = mb_number(r, cylinder, "length", 0);
    } else if (sphere != NULL) {
        s->kind = LG_SHAPE_SPHERE;
        s->dimensions[0] = mb_number(r, sphere, "radius", 0);
    }
    return box != NULL || cylinder != NULL || sphere != NULL;
}

void mb_read_visuals(mb_reader *r)
{
    for (int i = 0; i < r->links && r->status == LG_OK; i++) {
        mb_element *link = r->link[i].at;
        for (mb_element *e = link->child; e != NULL && r->status == LG_OK; e = e->next) {
            lg_shape s = lg_shape_default(r->link[i].name, LG_SHAPE_BOX, -1);
            if (!mb_is(e, "visual")) continue;
            mb_element *geometry = NULL, *material = NULL, *origin = NULL;
            for (mb_element *c = e->child; c != NULL; c = c->next) {
                if (mb_is(c, "geometry")) geometry = c;
                if (mb_is(c, "material")) material = c;
                if (mb_is(c, "origin")) origin = c;
            }
            const int known = geometry != NULL && geometry->child != NULL && !mb_is(geometry->child, "mesh");
            if (!known) continue; /* it stays unread and gets a remark */
            e->read = geometry->read = 1;
            if (origin != NULL) origin->read = 1;
            if (material != NULL) material->read = 1, mb_passed_over(material);
            (void)mb_text(e, "name");
            const mb_place at = mb_origin(r, origin);
            s.shade = i % 2 == 0 ? LG_SHADE_BODY : LG_SHADE_SECOND;
            if (read_geometry(r, geometry, &s)) add(r, e, i, &at, &s);
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
        ball.kind = LG_SHAPE_SPHERE, ball.dimensions[0] = radius;
        lg_se3_compose(end.g, at->g, local.g);
        add(r, e, link, &end, &ball);
    }
}

static void read_geom(mj_reader *o, mb_element *e, int link)
{
    mb_reader *r = o->r;
    mj_geom g;
    mj_inherit(o, e, class_around(e));
    if (r->status != LG_OK || !mj_read_shape(o, e, &g)) return;
    const char *name = mb_text(e, "name");
    const double *size = g.size;
    o->colliding += mb_number(r, e, "contype", 1) != 0 || mb_number(r, e, "conaffinity", 1) != 0;
    mb_passed_over(e), e->read = 1; /* colour, contacts and the like */
    if (g.kind >= MJ_MESH) {
        mb_note(r, e, "<geom> of type '%.40s' is not shown", g.type);
        return;
    }
    lg_shape s = lg_shape_default(name != NULL ? name : link >= 0 ? r->link[link].name : "world", LG_SHAPE_SPHERE, -1);
    s.shade = g.kind == MJ_PLANE ? LG_SHADE_GROUND : link % 2 == 0 ? LG_SHADE_BODY : LG_SHADE_SECOND;
    if (g.kind == MJ_CAPSULE) {
        add_capsule(r, e, link, &g.at, &s, size[0], size[1]);
        return;
    }
    static const int kinds[] = {
        [MJ_SPHERE] = LG_SHAPE_SPHERE, [MJ_CYLINDER] = LG_SHAPE_CYLINDER,   [MJ_CAPSULE] = LG_SHAPE_ROD,
        [MJ_BOX] = LG_SHAPE_BOX,       [MJ_ELLIPSOID] = LG_SHAPE_ELLIPSOID, [MJ_PLANE] = LG_SHAPE_PLANE};
    s.kind = kinds[g.kind];
    for (int k = 0; k < 3; k++) s.dimensions[k] = g.kind == MJ_BOX || g.kind == MJ_PLANE ? 2 * size[k] : size[k];
    if (g.kind == MJ_CYLINDER) s.dimensions[1] = 2 * size[1], s.dimensions[2] = 0;
    if (g.kind == MJ_SPHERE) s.dimensions[1] = s.dimensions[2] = 0;
    add(r, e, link, &g.at, &s);
}

void mj_read_geoms(mj_reader *o, mb_element *parent, int link)
{
    for (mb_element *e = parent->child; e != NULL && o->r->status == LG_OK; e = e->next) {
        if (mb_is(e, "geom")) read_geom(o, e, link);
    }
}
