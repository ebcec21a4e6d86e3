/* SPDX-License-Identifier: BSD-3-Clause */
/* What elements of the sections beside the bodies refer to: with bodies that are copied they are copied too. */
#include <stdlib.h>
#include <string.h>

#include "base/sum.h"
#include "multibody/files/mjcf.h"

enum { MOST = 20000000 }; /* elements that are searched */

/* ---- kinds ---- */

static char kind_of_object(const char *type)
{
    static const char *const names[] = {"body", "xbody", "joint", "geom", "site", "tendon", "actuator"};
    static const char kinds[] = "bbjgsta";
    for (int i = 0; type != NULL && i < 7; i++)
        if (strcmp(type, names[i]) == 0) return kinds[i];
    return 0;
}

static const char *value_of(const mb_element *e, const char *name)
{
    const mb_attribute *a = e->attribute;
    while (a != NULL && strcmp(a->name, name) != 0) a = a->next;
    return a != NULL ? a->value : NULL;
}

char mj_kind_of_reference(const mb_element *e, const char *attribute)
{
    static const struct {
        const char *name;
        char kind;
    } all[] = {{"joint", 'j'},   {"joint1", 'j'},   {"joint2", 'j'}, {"jointinparent", 'j'}, {"body", 'b'},
               {"body1", 'b'},   {"body2", 'b'},    {"geom", 'g'},   {"geom1", 'g'},         {"geom2", 'g'},
               {"site", 's'},    {"site1", 's'},    {"site2", 's'},  {"cranksite", 's'},     {"slidersite", 's'},
               {"refsite", 's'}, {"sidesite", 's'}, {"tendon", 't'}, {"tendon1", 't'},       {"tendon2", 't'},
               {"actuator", 'a'}};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        if (strcmp(attribute, all[i].name) == 0) return all[i].kind;
    const int object = strcmp(attribute, "objname") == 0, reference = strcmp(attribute, "refname") == 0;
    if (e == NULL) return object || reference;
    return object ? kind_of_object(value_of(e, "objtype")) : reference ? kind_of_object(value_of(e, "reftype")) : 0;
}

/* What an element with this name is. */
static char kind_of_element(const mb_element *e)
{
    if (mb_is(e, "body")) return 'b';
    if (mb_is(e, "joint") || mb_is(e, "freejoint")) return 'j';
    return mb_is(e, "geom") ? 'g' : mb_is(e, "site") ? 's' : 0;
}

/* ---- names ---- */

typedef struct entry {
    const char *name;
    char kind;
} entry;

typedef struct names {
    entry *slot;
    size_t slots, count;
} names;

static entry *place_of(const names *n, char kind, const char *name)
{
    size_t i = (size_t)(lg_sum(LG_SUM ^ (unsigned char)kind, name, strlen(name)) % n->slots);
    while (n->slot[i].name != NULL && (n->slot[i].kind != kind || strcmp(n->slot[i].name, name) != 0))
        i = (i + 1) % n->slots;
    return &n->slot[i];
}

static void add_name(mj_reader *o, names *n, char kind, const char *name)
{
    if (2 * n->count >= n->slots) {
        names more = {calloc(2 * n->slots + 16, sizeof *more.slot), 2 * n->slots + 16, n->count};
        if (more.slot == NULL) {
            mb_refuse_as(o->r, LG_ERROR_MEMORY, NULL, "out of memory");
            return;
        }
        for (size_t i = 0; i < n->slots; i++)
            if (n->slot[i].name != NULL) *place_of(&more, n->slot[i].kind, n->slot[i].name) = n->slot[i];
        free(n->slot);
        *n = more;
    }
    entry *to = place_of(n, kind, name);
    n->count += to->name == NULL;
    *to = (entry){name, kind};
}

/* The names of all that an element contains. */
static void add_all(mj_reader *o, names *n, const mb_element *within)
{
    for (const mb_element *e = within->child; e != NULL && o->r->status == LG_OK;) {
        const char *name = value_of(e, "name");
        const char kind = kind_of_element(e);
        o->compared++;
        if (name != NULL && kind != 0) add_name(o, n, kind, name);
        const mb_element *next = e->child;
        for (; next == NULL && e != within; e = e->parent) next = e->next;
        e = next;
    }
}

/* ---- sections ---- */

/* Counts references into the names, and others. */
static void count(const names *n, const mb_element *e, int *inside, int *outside)
{
    for (const mb_attribute *a = e->attribute; a != NULL; a = a->next) {
        const char kind = mj_kind_of_reference(e, a->name);
        if (kind == 0) continue;
        if (place_of(n, kind, a->value)->name != NULL)
            ++*inside;
        else
            ++*outside;
    }
}

/* Takes what refers to the names alone out of a section, to the end of a list; with `keep` it stays. */
static mj_reference **take(mj_reader *o, names *n, mb_element *section, char kind, mj_reference **end, int keep)
{
    mb_element *first = section->child;
    section->child = section->last = NULL;
    for (mb_element *e = first, *next; e != NULL; e = next) {
        int inside = 0, outside = 0;
        next = e->next, e->next = NULL;
        count(n, e, &inside, &outside);
        for (const mb_element *c = e->child; c != NULL; c = c->next, o->compared++) count(n, c, &inside, &outside);
        o->compared++;
        if (inside == 0 || keep) {
            *(section->last != NULL ? &section->last->next : &section->child) = e;
            section->last = e;
        }
        if (inside == 0) continue;
        mj_reference *x = outside == 0 ? mb_take(o->r, sizeof *x) : NULL;
        if (outside > 0 && !keep)
            mb_note(o->r, e, "<%.40s> refers to what is copied and to what is not: it does not act, as in MuJoCo",
                    e->name);
        if (x == NULL) continue;
        *x = (mj_reference){NULL, e};
        *end = x, end = &x->next;
        const char *name = value_of(e, "name");
        if (name != NULL && kind != 0) add_name(o, n, kind, name);
    }
    return end;
}

const mj_reference *mj_take_references(mj_reader *o, mb_element *root, const mb_element *within, int keep)
{
    static const char *const sections[] = {"tendon", "actuator", "equality", "sensor"};
    static const char kinds[] = {'t', 'a', 0, 0};
    mj_reference *first = NULL, **end = &first;
    names n = {NULL, 0, 0};
    add_all(o, &n, within);
    for (int i = 0; i < 4 && n.count > 0; i++)
        for (mb_element *s = root->child; s != NULL && o->r->status == LG_OK; s = s->next)
            if (mb_is(s, sections[i])) end = take(o, &n, s, kinds[i], end, keep);
    free(n.slot);
    if (o->compared > MOST) mb_refuse(o->r, within, "too many copies, and elements that may refer to them");
    return first;
}
