/* SPDX-License-Identifier: BSD-3-Clause */
/* Geoms of MJCF that collide, as surfaces, with MuJoCo's rules for which of them do and with what friction. Surfaces
 * have these rules, but for those of their bodies, of <pair>, of <exclude> and of condim 1 beside 3: pairs of surfaces
 * say where the result differs. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "multibody/contact/touch.h"
#include "multibody/files/mjcf.h"

/* <pair> by its colliders, or <exclude> by its bodies. */
typedef struct mj_couple {
    int64_t key;
    mb_element *at;
    double friction;
    int condim;
} mj_couple;

typedef struct mj_couples {
    mj_couple *of;
    int count;
} mj_couples;

static int64_t key_of(int a, int b)
{
    return a < b ? (int64_t)a << 32 | b : (int64_t)b << 32 | a;
}

static int by_key(const void *a, const void *b)
{
    const int64_t x = ((const mj_couple *)a)->key, y = ((const mj_couple *)b)->key;
    return (x > y) - (x < y);
}

static const mj_couple *find(const mj_couples *c, int a, int b)
{
    const mj_couple key = {.key = key_of(a, b)};
    return c->count > 0 ? bsearch(&key, c->of, (size_t)c->count, sizeof key, by_key) : NULL;
}

/* ---- values of geoms and pairs ---- */

static int read_condim(mb_reader *r, mb_element *e)
{
    const double condim = mb_number(r, e, "condim", 3);
    if (condim != 1 && condim != 3 && condim != 4 && condim != 6)
        mb_refuse(r, e, "condim is %g; it must be 1, 3, 4 or 6", condim);
    return (int)condim;
}

static void note_softness(mb_reader *r, mb_element *e)
{
    static const char *const names[] = {"solref", "solimp", "margin", "gap", "solreffriction"};
    int any = 0;
    for (int k = 0; k < 5; k++) any |= mb_text(e, names[k]) != NULL;
    if (any) mb_note(r, e, "solref, solimp, margin and gap make contacts soft; contacts here are rigid");
}

/* Bits, as a whole number of 32 of them. */
static int read_bits(mb_reader *r, mb_element *e, const char *name)
{
    const double x = mb_number(r, e, name, 1);
    if (!(x >= INT32_MIN && x <= UINT32_MAX) || x != floor(x))
        mb_refuse(r, e, "%s is %g; it must be a whole number of 32 bits", name, x);
    return r->status == LG_OK ? (int)(uint32_t)(int64_t)x : 0;
}

/* ---- geoms ---- */

/* 1: a <pair> names this geom. */
static int is_paired(const mj_reader *o, const char *name)
{
    mb_element *root = o->r->document.root;
    for (mb_element *s = mb_each_element(root, "contact", NULL); s != NULL; s = mb_each_element(root, "contact", s))
        for (mb_element *p = mb_each_element(s, "pair", NULL); p != NULL; p = mb_each_element(s, "pair", p)) {
            const char *first = mb_text(p, "geom1"), *second = mb_text(p, "geom2");
            if ((first != NULL && strcmp(first, name) == 0) || (second != NULL && strcmp(second, name) == 0)) return 1;
        }
    return 0;
}

/* The word by which the caller ignores geoms of this kind. */
static const char *word_of(const mj_geom *g)
{
    return g->mesh != NULL ? "mesh" : g->type;
}

/* Kind and sizes of a surface; 0: refused, or ignored. */
static int take_shape(mj_reader *o, mb_element *e, const mj_geom *g, lg_surface *s)
{
    static const int kinds[] = {
        [MJ_SPHERE] = LG_SURFACE_SPHERE, [MJ_CYLINDER] = LG_SURFACE_CYLINDER,   [MJ_CAPSULE] = LG_SURFACE_CAPSULE,
        [MJ_BOX] = LG_SURFACE_BOX,       [MJ_ELLIPSOID] = LG_SURFACE_ELLIPSOID, [MJ_PLANE] = LG_SURFACE_PLANE};
    mb_reader *r = o->r;
    if (g->kind >= MJ_MESH && mb_ignores(r, word_of(g))) {
        mb_note(r, e, "<geom> of type '%.40s' is ignored and touches nothing, as you ask", g->type);
        return 0;
    }
    if (g->kind == MJ_OTHER && strcmp(g->type, "hfield") == 0) return mj_hfield(o, e, s);
    if (g->kind == MJ_OTHER || (g->kind == MJ_MESH && g->mesh == NULL))
        mb_refuse_as(r, LG_ERROR_UNSUPPORTED, e,
                     "a <geom> of type '%.40s' would touch others and is not read with contacts; without it: --ignore "
                     "%.40s (lg_mechanism_file::ignore)",
                     g->type, word_of(g));
    if (r->status != LG_OK) return 0;
    if (g->kind == MJ_MESH) return mj_mesh_hull(o, e, s, g->mesh);
    s->kind = (lg_surface_kind)kinds[g->kind];
    if (g->kind == MJ_CAPSULE && g->size[1] == 0) s->kind = LG_SURFACE_SPHERE;
    memcpy(s->half, g->size, sizeof s->half);
    return 1;
}

static void collide(mj_reader *o, mb_element *e, int link)
{
    mb_reader *r = o->r;
    mj_geom g;
    lg_surface s = lg_surface_default(NULL, NULL);
    double friction[3] = {1, 0, 0};
    const char *name = mb_text(e, "name");
    if (!mj_read_shape(o, e, &g)) return;
    s.contype = read_bits(r, e, "contype"), s.conaffinity = read_bits(r, e, "conaffinity");
    if (s.contype == 0 && s.conaffinity == 0 && (name == NULL || !is_paired(o, name))) return;
    (void)mb_numbers(r, e, "friction", friction, 1, 3);
    const int condim = read_condim(r, e);
    s.priority = mb_whole(r, e, "priority", 0), s.rule = LG_FRICTION_GREATER;
    s.friction = condim == 1 ? 0 : friction[0];
    note_softness(r, e);
    if (!take_shape(o, e, &g, &s) || r->status != LG_OK) return;
    const char *owner = link >= 0 ? r->link[link].name : "world";
    mb_collider *c = mb_collide(r, e, link, &g.at, &s, name != NULL && name[0] ? name : mb_print(r, "%s_geom", owner));
    if (c == NULL) return;
    c->condim = condim, c->friction = friction[0];
    c->name = name;
}

/* ---- <contact> ---- */

static int collider_named(mj_reader *o, mb_element *e, const char *attribute)
{
    mb_reader *r = o->r;
    const char *name = mb_needed_text(r, e, attribute);
    for (int i = 0; name != NULL && i < r->colliders; i++)
        if (r->collider[i].name != NULL && strcmp(r->collider[i].name, name) == 0) return i;
    if (r->status == LG_OK)
        mb_refuse(r, e, "%s of <pair>: there is no <geom name=\"%.60s\">, or it is ignored", attribute, name);
    return -1;
}

static void read_pair(mj_reader *o, mb_element *e, mj_couple *to)
{
    mb_reader *r = o->r;
    double friction[5] = {1, 1, 0, 0, 0};
    mj_inherit(o, e, NULL);
    const int a = collider_named(o, e, "geom1"), b = collider_named(o, e, "geom2");
    (void)mb_numbers(r, e, "friction", friction, 1, 5);
    if (a < 0 || b < 0) return;
    *to = (mj_couple){.key = key_of(a, b), .at = e, .friction = friction[0], .condim = read_condim(r, e)};
    note_softness(r, e);
    if (r->status == LG_OK && !(friction[0] >= 0))
        mb_refuse(r, e, "friction is %g; it must not be negative", friction[0]);
    if (r->status == LG_OK && a == b)
        mb_refuse(r, e, "geom1 and geom2 of <pair> are one geom, which cannot touch itself");
    if (r->status == LG_OK && to->condim > 1 && friction[0] != friction[1]) {
        if (mb_ignores(r, "friction"))
            mb_note(r, e, "the second friction of <pair> is ignored, as you ask");
        else
            mb_refuse_as(r, LG_ERROR_UNSUPPORTED, e,
                         "<pair> has the frictions %g and %g along two directions, of which one is read; make them "
                         "equal (a friction that is not given is 1), or with the first alone: --ignore friction "
                         "(lg_mechanism_file::ignore)",
                         friction[0], friction[1]);
    }
    mb_passed_over(e);
}

/* The link of a body; -1: the world. */
static int link_named(mj_reader *o, mb_element *e, const char *attribute)
{
    const char *name = mb_needed_text(o->r, e, attribute);
    const int link = name != NULL ? mb_link_named(o->r, name) : -1;
    if (name != NULL && link < 0 && strcmp(name, "world") != 0)
        mb_refuse(o->r, e, "%s of <exclude>: there is no body '%.60s'", attribute, name);
    return link;
}

static void read_exclude(mj_reader *o, mb_element *e, mj_couple *to)
{
    const int a = link_named(o, e, "body1"), b = link_named(o, e, "body2");
    *to = (mj_couple){.key = key_of(a + 1, b + 1), .at = e};
    mb_passed_over(e);
}

/* All elements of this name in the sections <contact>, sorted. */
static mj_couples list_couples(mj_reader *o, const char *name, void (*read)(mj_reader *, mb_element *, mj_couple *))
{
    mb_reader *r = o->r;
    mb_element *root = r->document.root;
    mj_couples list = {NULL, 0};
    for (int pass = 0; pass < 2 && r->status == LG_OK; pass++) {
        if (pass == 1) list.of = mb_take(r, ((size_t)list.count + 1) * sizeof *list.of);
        if (pass == 1) list.count = 0;
        for (mb_element *s = mb_each_element(root, "contact", NULL); s != NULL; s = mb_each_element(root, "contact", s))
            for (mb_element *e = mb_each_element(s, name, NULL); e != NULL && r->status == LG_OK;
                 e = mb_each_element(s, name, e), list.count++)
                if (pass == 1) read(o, e, &list.of[list.count]);
    }
    if (r->status == LG_OK) qsort(list.of, (size_t)list.count, sizeof *list.of, by_key);
    return list;
}

static void refuse_twice(mb_reader *r, const mj_couples *pairs)
{
    for (int i = 1; i < pairs->count && r->status == LG_OK; i++)
        if (pairs->of[i].key == pairs->of[i - 1].key)
            mb_refuse(r, pairs->of[i].at,
                      "a second <pair> of the same geoms; MuJoCo would double their contacts; leave "
                      "one");
}

/* ---- which of them touch ---- */

/* r->link: bodies between which no joint is, each by its first one; -1: the world. */
static int *find_welds(mb_reader *r)
{
    int *weld = mb_take(r, ((size_t)r->links + 1) * sizeof *weld);
    for (int k = 0; weld != NULL && k < r->links; k++) {
        mb_element *at = r->link[k].at;
        const int moves = mb_each_element(at, "joint", NULL) != NULL || mb_each_element(at, "freejoint", NULL) != NULL;
        weld[k] = moves ? k : r->link[k].parent >= 0 ? weld[r->link[k].parent] : -1;
    }
    return weld;
}

/* MuJoCo's filter of two bodies: one weld, or parent and child, unless the parent is the world. */
static int bodies_touch(const mj_reader *o, const int *weld, int a, int b)
{
    const int v = a >= 0 ? weld[a] : -1, w = b >= 0 ? weld[b] : -1;
    if (v == w) return 0;
    if (o->unfiltered || v < 0 || w < 0) return 1;
    const int over_v = o->r->link[v].parent, over_w = o->r->link[w].parent;
    return v != (over_w >= 0 ? weld[over_w] : -1) && w != (over_v >= 0 ? weld[over_v] : -1);
}

/* What MuJoCo makes of two geoms. */
typedef struct mj_verdict {
    int touch, condim;
    double friction;
} mj_verdict;

static mj_verdict judge(const mj_reader *o, const int *weld, const mj_couples *excludes, const mj_couple *pair,
                        const mb_collider *a, const mb_collider *b)
{
    const lg_mechanism *m = o->r->m;
    const lg_surface *s = MB_SURFACE_OF(m, a->surface), *t = MB_SURFACE_OF(m, b->surface);
    if (pair != NULL) return (mj_verdict){1, pair->condim, pair->condim == 1 ? 0 : pair->friction};
    mj_verdict v = {.condim = 3};
    v.touch = bodies_touch(o, weld, a->link, b->link) && find(excludes, a->link + 1, b->link + 1) == NULL &&
              mb_bits_meet(s->contype, s->conaffinity, t->contype, t->conaffinity);
    const mb_collider *of = s->priority == t->priority ? NULL : s->priority > t->priority ? a : b;
    v.condim = of != NULL ? of->condim : a->condim > b->condim ? a->condim : b->condim;
    v.friction = of != NULL ? of->friction : fmax(a->friction, b->friction);
    if (v.condim == 1) v.friction = 0;
    return v;
}

static void check_condim(mb_reader *r, const mb_collider *a, const mb_collider *b, const mj_couple *pair, int condim)
{
    if (condim < 4) return;
    const mb_element *e = pair != NULL ? pair->at : a->condim == condim ? a->at : b->at;
    if (mb_ignores(r, "condim"))
        mb_note(r, e, "condim %d is ignored and taken as 3, as you ask: no friction of spinning and rolling", condim);
    else
        mb_refuse_as(r, LG_ERROR_UNSUPPORTED, e,
                     "condim %d is friction of spinning or rolling, which contacts here do not have; as condim 3: "
                     "--ignore condim (lg_mechanism_file::ignore)",
                     condim);
}

/* A pair of surfaces, where their own rules say something else. */
static void settle(mj_reader *o, const mb_neighbours *of, const mj_verdict *v, const mb_collider *a,
                   const mb_collider *b, const mj_couple *pair)
{
    mb_reader *r = o->r;
    const lg_surface *s = MB_SURFACE_OF(r->m, a->surface), *t = MB_SURFACE_OF(r->m, b->surface);
    const int meet = mb_colliders_meet(r, of, a, b);
    if (v->touch && a->body == b->body) {
        mb_note(r, pair->at, "a <pair> of geoms of one rigid body changes no motion");
        return;
    }
    if (v->touch) check_condim(r, a, b, pair, v->condim);
    if (v->touch) mb_refuse_unmet(r, a, b);
    if (r->status != LG_OK || (v->touch == meet && (!meet || mb_friction_of(s, t) == v->friction))) return;
    if (!v->touch && a->body == b->body) return;
    const char *name = pair != NULL ? mb_text(pair->at, "name") : NULL;
    const mb_element *e = pair != NULL ? pair->at : b->at;
    lg_surface_pair p = lg_surface_pair_default(NULL, s->name, t->name);
    p.name = mb_new_name(r, MB_SURFACE_PAIRS, name != NULL && name[0] ? name : mb_print(r, "%s_%s", s->name, t->name));
    p.ignored = !v->touch;
    if (v->touch && mb_friction_of(s, t) != v->friction) p.friction = v->friction;
    mb_pass_on(r, e, lg_mechanism_add_surface_pair(r->m, NULL, &p));
}

static void settle_all(mj_reader *o, const mj_couples *pairs, const mj_couples *excludes)
{
    mb_reader *r = o->r;
    const int *weld = find_welds(r);
    mb_neighbours of = mb_take_neighbours(r);
    for (int i = 0; i < r->colliders; i++)
        for (int j = i + 1; j < r->colliders && r->status == LG_OK; j++) {
            const mb_collider *a = &r->collider[i], *b = &r->collider[j];
            const int planes = mb_is_ground(MB_SURFACE_OF(r->m, a->surface)->kind) +
                               mb_is_ground(MB_SURFACE_OF(r->m, b->surface)->kind);
            if (planes == 0 && r->options.contacts == LG_FILE_CONTACTS_GROUND) continue;
            const mj_couple *pair = find(pairs, i, j);
            mj_verdict v = judge(o, weld, excludes, pair, a, b);
            if (planes < 2) settle(o, &of, &v, a, b, pair);
        }
    free(of.key);
}

/* ---- the document ---- */

static void collide_all(mj_reader *o, mb_element *parent, int link)
{
    for (mb_element *e = mb_each_element(parent, "geom", NULL); e != NULL && o->r->status == LG_OK;
         e = mb_each_element(parent, "geom", e)) {
        collide(o, e, link);
        mb_passed_over(e);
    }
}

void mj_colliders(mj_reader *o)
{
    mb_reader *r = o->r;
    mb_element *root = r->document.root;
    if (r->status != LG_OK || !mb_shapes_collide(r)) return;
    if (o->free || o->untouched) {
        if (o->colliding > 0) mb_note(r, root, "contacts do not act, as <flag> says");
        return;
    }
    for (mb_element *e = mb_each_element(root, "worldbody", NULL); e != NULL; e = mb_each_element(root, "worldbody", e))
        collide_all(o, e, -1);
    for (int k = 0; k < r->links; k++) collide_all(o, r->link[k].at, k);
    const mj_couples pairs = list_couples(o, "pair", read_pair), excludes = list_couples(o, "exclude", read_exclude);
    refuse_twice(r, &pairs);
    if (o->overridden && r->colliders > 0 && !mb_ignores(r, "override"))
        mb_refuse_as(r, LG_ERROR_UNSUPPORTED, root,
                     "<flag override=\"enable\"> gives all contacts one friction and is not read; without it: --ignore "
                     "override (lg_mechanism_file::ignore)");
    if (r->status == LG_OK) settle_all(o, &pairs, &excludes);
    for (mb_element *s = mb_each_element(root, "contact", NULL); s != NULL; s = mb_each_element(root, "contact", s))
        s->read = 1;
}
