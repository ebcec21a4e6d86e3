/* SPDX-License-Identifier: BSD-3-Clause */
/* <attach> of MJCF: a body of another model, or all of its world, in place of the element. Names have a prefix;
 * classes, meshes and what refers to the body come along; settings of <compiler> stay those of the other model. */
#include <stdlib.h>
#include <string.h>

#include "multibody/files/mjcf.h"

enum { MOST_DEEP = 16 };

/* A model that was read: the mark of its <model>. */
typedef struct model {
    mb_element *root;
    const mj_settings *settings;
} model;

static const char *value_of(const mb_element *e, const char *name)
{
    const mb_attribute *a = e->attribute;
    while (a != NULL && strcmp(a->name, name) != 0) a = a->next;
    return a != NULL ? a->value : NULL;
}

/* ---- other models ---- */

/* Sections that come along, or that mean nothing for a body elsewhere. */
static void check_sections(mb_reader *r, const mb_element *root)
{
    static const char *const known[] = {"compiler", "option",   "size",      "visual",   "statistic",
                                        "default",  "asset",    "worldbody", "contact",  "equality",
                                        "tendon",   "actuator", "sensor",    "keyframe", "custom"};
    for (const mb_element *e = root->child; e != NULL; e = e->next) {
        size_t i = 0;
        while (i < sizeof known / sizeof known[0] && !mb_is(e, known[i])) i++;
        if (i == sizeof known / sizeof known[0])
            mb_refuse_as(r, LG_ERROR_UNSUPPORTED, e, "<%.40s> of a model that is attached is not read", e->name);
        if (mb_is(e, "keyframe")) mb_note(r, e, "keys of a model that is attached are not read");
    }
}

/* The folder of a path from that of the first model on, with a / behind; the whole one of a path from elsewhere. */
static const char *folder_from(mb_reader *r, const char *first, const char *path)
{
    const char *slash = strrchr(first, '/'), *end = strrchr(path, '/');
    size_t skip = slash != NULL ? (size_t)(slash - first) + 1 : 0;
    if (strncmp(path, first, skip) != 0) skip = 0;
    const size_t whole = end != NULL ? (size_t)(end - path) + 1 : 0;
    return whole > skip ? mb_print(r, "%.*s", (int)(whole - skip), path + skip) : "";
}

/* The settings of the model, whose document is the reader's now. */
static const mj_settings *settings_of(mj_reader *o, const char *folder)
{
    mb_reader *r = o->r;
    const mj_settings before = o->own;
    mj_settings *own = mb_take(r, sizeof *own);
    if (own == NULL) return NULL;
    o->own = mj_default, o->own.folder = folder;
    o->least_mass = o->least_inertia = o->total_mass = 0;
    mj_read_compilers(o);
    *own = o->own, o->own = before;
    if (o->least_mass > 0 || o->least_inertia > 0 || o->total_mass > 0)
        mb_refuse_as(r, LG_ERROR_UNSUPPORTED, r->document.root,
                     "boundmass, boundinertia and settotalmass of a model that is attached are not read; give them to "
                     "the model that attaches it");
    return own;
}

/* Reads the file of a <model>, with what it includes and attaches. NULL: refused. */
static const model *load(mj_reader *o, mb_element *e)
{
    mb_reader *r = o->r;
    const char *file = mb_needed_text(r, e, "file"), *path = r->path;
    model *m = mb_take(r, sizeof *m);
    if (e->mark != NULL || m == NULL || file == NULL) return e->mark;
    if (++o->attaching > MOST_DEEP)
        mb_refuse(r, e, "models attach each other more than %d deep; does one attach itself?", MOST_DEEP);
    char *real = r->status == LG_OK ? mj_find_file(r, e, file) : NULL;
    mb_element *root = NULL, *first = r->document.root;
    if (real != NULL)
        r->status = mb_document_read_more(&r->document, &root, real, mb_print(r, "%s", file), &r->m->error);
    free(real);
    if (r->status != LG_OK) return NULL;
    if (!mb_is(root, "mujoco"))
        mb_refuse(r, root, "the root element is <%.60s>; a model begins with <mujoco>", root->name);
    r->document.root = root, r->path = mb_print(r, "%s", r->m->file[r->m->files - 1]);
    mj_include(r);
    mj_attach(o);
    *m = (model){root, settings_of(o, folder_from(r, o->path, r->path))};
    check_sections(r, root);
    r->document.root = first, r->path = path, o->attaching--;
    e->mark = m;
    return r->status == LG_OK ? m : NULL;
}

/* The model of this name: that of <model>, or without it that of the other file itself. */
static const model *model_named(mj_reader *o, mb_element *at, const char *name)
{
    mb_element *root = o->r->document.root;
    for (int own = 0; own < 2; own++)
        for (mb_element *s = mb_each_element(root, "asset", NULL); s != NULL; s = mb_each_element(root, "asset", s))
            for (mb_element *e = s->child; e != NULL && o->r->status == LG_OK; e = e->next) {
                if (!mb_is(e, "model") || (mb_text(e, "name") != NULL) == own) continue;
                const char *called = mb_text(e, "name");
                if (own && load(o, e) != NULL) called = mb_text(((const model *)e->mark)->root, "model");
                e->read = 1;
                if (called != NULL && strcmp(called, name) == 0) return load(o, e);
            }
    mb_refuse(o->r, at, "there is no <model name=\"%.60s\"> in <asset>", name);
    return NULL;
}

/* ---- attaching ---- */

/* The body of this name in a model; *class: that of the bodies around it. */
static const mb_element *body_named(mj_reader *o, const mb_element *at, const mb_element *root, const char *name,
                                    const char **class)
{
    const mb_element *e = root->child;
    for (; e != NULL && (!mb_is(e, "body") || value_of(e, "name") == NULL || strcmp(value_of(e, "name"), name) != 0);) {
        const mb_element *next = mb_is(e, "default") ? NULL : e->child;
        for (; next == NULL && e != root; e = e->parent) next = e->next;
        e = next;
    }
    if (e == NULL) mb_refuse(o->r, at, "the model has no body '%.60s'", name);
    for (const mb_element *up = e != NULL ? e->parent : NULL; up != NULL; up = up->parent) {
        if (*class == NULL) *class = value_of(up, "childclass");
        if (mb_is(up, "frame") || mb_is(up, "replicate"))
            mb_refuse_as(o->r, LG_ERROR_UNSUPPORTED, at, "body '%.60s' is inside of a <%s>; attach a body around it",
                         name, up->name);
    }
    return e;
}

/* A new section behind all others. */
static mb_element *new_section(mj_reader *o, const char *name)
{
    mb_element *root = o->r->document.root, *e = mb_take(o->r, sizeof *e);
    if (e == NULL) return NULL;
    *e = (mb_element){.parent = root, .name = name, .file = root->file, .line = root->line, .read = 1};
    *(root->last != NULL ? &root->last->next : &root->child) = e;
    root->last = e;
    return e;
}

/* Defaults of the other model, the last section first, since the first value counts; their class is called `main`. */
static void bring_defaults(mj_reader *o, const model *m, const char *main, const mj_rename *how)
{
    mb_element *to = new_section(o, "default");
    if (to == NULL) return;
    to->settings = m->settings;
    mj_give(o, to, "class", main);
    for (const mb_element *before = NULL, *last; o->r->status == LG_OK; before = last) {
        last = NULL;
        for (const mb_element *e = m->root->child; e != NULL && e != before; e = e->next)
            if (mb_is(e, "default")) last = e;
        if (last == NULL) return;
        mj_copy_children(o, last, to, how);
    }
}

/* Meshes and height fields. */
static void bring_assets(mj_reader *o, const model *m, const char *main, const mj_rename *how)
{
    mb_element *to = new_section(o, "asset");
    for (const mb_element *s = m->root->child; to != NULL && s != NULL; s = s->next)
        for (const mb_element *e = mb_is(s, "asset") ? s->child : NULL; e != NULL; e = e->next) {
            mb_element *copy = mb_is(e, "mesh") || mb_is(e, "hfield") ? mj_copy_one(o, e, to, how) : NULL;
            if (copy == NULL) continue;
            if (value_of(e, "file") != NULL && value_of(e, "name") == NULL)
                mj_give(o, copy, "name", mj_name_of_file(o->r, how->prefix, value_of(e, "file")));
            mj_give(o, copy, "class", main);
        }
}

/* Actuators and so on that refer to what comes along. */
static void bring_references(mj_reader *o, const model *m, const mb_element *within, const char *main,
                             const mj_rename *how)
{
    for (const mj_reference *x = mj_take_references(o, m->root, within, 1); x != NULL && o->r->status == LG_OK;
         x = x->next) {
        mb_element *root = o->r->document.root, *to = root->child;
        while (to != NULL && (to->settings != m->settings || !mb_is(to, x->at->parent->name))) to = to->next;
        if (to == NULL) to = new_section(o, x->at->parent->name);
        if (to == NULL) return;
        to->settings = m->settings;
        mb_element *copy = mj_copy_one(o, x->at, to, how);
        if (copy == NULL) return;
        mj_copy_children(o, x->at, copy, how);
        mj_give(o, copy, "class", main);
    }
}

/* The name that the model gives to the class of all. */
static const char *main_of(const mb_element *root)
{
    const char *name = NULL;
    for (const mb_element *e = root->child; e != NULL; e = e->next)
        if (mb_is(e, "default")) name = value_of(e, "class");
    return name != NULL ? name : "main";
}

/* What stands in place of an <attach>: the children of `whole`. */
static void attach(mj_reader *o, mb_element *e, mb_element *whole)
{
    mb_reader *r = o->r;
    const char *name = mb_needed_text(r, e, "model"), *body = mb_text(e, "body"), *prefix = mb_text(e, "prefix");
    const char *class = NULL;
    if (prefix == NULL) mb_refuse(r, e, "<attach> has no attribute 'prefix'");
    const model *m = r->status == LG_OK ? model_named(o, e, name) : NULL;
    if (m == NULL) return;
    const mj_rename how = {prefix, "", mb_print(r, "%s#%d ", prefix, ++o->attached), m->settings};
    const char *main = mb_print(r, "%s%s", how.classes, main_of(m->root));
    const mb_element *from = body != NULL ? body_named(o, e, m->root, body, &class) : m->root;
    if (r->status != LG_OK) return;
    mb_element *copy = body != NULL ? mj_copy_one(o, from, whole, &how) : NULL;
    if (copy != NULL) mj_copy_children(o, from, copy, &how);
    for (const mb_element *s = m->root->child; body == NULL && s != NULL; s = s->next)
        if (mb_is(s, "worldbody")) mj_copy_children(o, s, whole, &how);
    if (class != NULL) class = mb_print(r, "%s%s", how.classes, class);
    for (mb_element *c = whole->child; c != NULL; c = c->next)
        mj_give(o, c, mb_is(c, "body") || mb_is(c, "frame") || mb_is(c, "replicate") ? "childclass" : "class",
                class != NULL ? class : main);
    bring_references(o, m, from, main, &how);
    bring_assets(o, m, main, &how);
    bring_defaults(o, m, main, &how);
}

/* The next element of a walk that does not enter e. */
static mb_element *after(mb_element *e)
{
    while (e != NULL && e->next == NULL) e = e->parent;
    return e != NULL ? e->next : NULL;
}

void mj_attach(mj_reader *o)
{
    mb_reader *r = o->r;
    if (o->path == NULL) o->path = r->path;
    for (mb_element *e = r->document.root, *next; e != NULL && r->status == LG_OK; e = next) {
        mb_element whole = {.name = "attach"}, *before = NULL;
        next = e->child != NULL ? e->child : after(e);
        if (!mb_is(e, "attach") || e->parent == NULL) continue;
        mb_element *parent = e->parent;
        next = after(e);
        attach(o, e, &whole);
        for (mb_element *c = parent->child; c != e; c = c->next) before = c;
        mj_move_children(&whole, parent, &before);
        *(before != NULL ? &before->next : &parent->child) = e->next;
        if (parent->last == e) parent->last = before;
    }
}
