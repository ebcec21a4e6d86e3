/* SPDX-License-Identifier: BSD-3-Clause */
/* <frame> and <replicate> of MJCF: their children take their place among those of their parent, each with the place of
 * the frame as its mark, by which mj_place() moves it. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <liegrp/groups/se3.h>
#include <liegrp/groups/so3.h>

#include "multibody/files/mjcf.h"

void mj_give(mj_reader *o, mb_element *e, const char *attribute, const char *class)
{
    if (class == NULL || mb_text(e, attribute) != NULL) return;
    mb_attribute *a = mb_take(o->r, sizeof *a);
    if (a == NULL) return;
    *a = (mb_attribute){e->attribute, attribute, class, 1};
    e->attribute = a;
}

/* A child of a frame gets the place of the frame and its class. */
static void place_child(mj_reader *o, mb_element *c, const mb_place *frame, const char *class)
{
    mb_place *mark = mb_take(o->r, sizeof *mark);
    if (mark == NULL) return;
    *mark = *frame;
    if (c->mark != NULL) lg_se3_compose(mark->g, frame->g, ((const mb_place *)c->mark)->g);
    c->mark = mark;
    const int holds = mb_is(c, "body") || mb_is(c, "frame") || mb_is(c, "replicate");
    if (holds) mj_give(o, c, "childclass", class);
    if (!holds && !mb_is(c, "inertial")) mj_give(o, c, "class", class);
}

/* ---- copies ---- */

/* A value as the copy has it, where it names something of the copy. */
static const char *renamed(mj_reader *o, const mb_attribute *a, const mj_rename *how)
{
    static const char *const assets[] = {"mesh", "material", "hfield", "texture"};
    const char *prefix = how->prefix;
    int names =
        strcmp(a->name, "name") == 0 || strcmp(a->name, "target") == 0 || mj_kind_of_reference(NULL, a->name) != 0;
    for (int i = 0; i < 4; i++) names |= prefix[0] != '\0' && strcmp(a->name, assets[i]) == 0;
    if (how->classes != NULL && (strcmp(a->name, "class") == 0 || strcmp(a->name, "childclass") == 0))
        names = 1, prefix = how->classes;
    if (!names) return a->value;
    o->copied += strlen(prefix) + strlen(a->value) + strlen(how->suffix) + 1;
    return mb_print(o->r, "%s%s%s", prefix, a->value, how->suffix);
}

mb_element *mj_copy_one(mj_reader *o, const mb_element *from, mb_element *parent, const mj_rename *how)
{
    mb_element *e = mb_take(o->r, sizeof *e);
    if (e == NULL) return NULL;
    *e = *from;
    e->parent = parent, e->child = e->last = e->next = NULL, e->attribute = NULL;
    if (how->settings != NULL && e->settings == NULL) e->settings = how->settings;
    mb_attribute **end = &e->attribute;
    for (const mb_attribute *a = from->attribute; a != NULL && o->r->status == LG_OK; a = a->next) {
        mb_attribute *own = mb_take(o->r, sizeof *own);
        if (own == NULL) return NULL;
        *own = (mb_attribute){NULL, a->name, renamed(o, a, how), a->read};
        o->r->document.nodes++;
        *end = own, end = &own->next;
    }
    if (parent->last != NULL)
        parent->last->next = e;
    else
        parent->child = e;
    parent->last = e;
    o->r->document.nodes++;
    if (o->r->document.nodes > MB_XML_NODES || o->copied > MB_XML_BYTES)
        mb_refuse(o->r, from, "copies make more than a million elements and attributes, or names of more than 64 MiB");
    return e;
}

/* The children of an element, copied below another one. */
void mj_copy_children(mj_reader *o, const mb_element *from, mb_element *to, const mj_rename *how)
{
    const mb_element *at = from;
    mb_element *copy = to;
    while (o->r->status == LG_OK) {
        if (at->child != NULL) {
            at = at->child;
        } else {
            while (at != from && at->next == NULL) at = at->parent, copy = copy->parent;
            if (at == from) return;
            at = at->next, copy = copy->parent;
        }
        copy = mj_copy_one(o, at, copy, how);
        if (copy == NULL) return;
    }
}

/* ---- in place of the frame ---- */

void mj_move_children(mb_element *from, mb_element *parent, mb_element **last)
{
    if (from->child == NULL) return;
    for (mb_element *c = from->child; c != NULL; c = c->next) c->parent = parent;
    mb_element **to = *last != NULL ? &(*last)->next : &parent->child;
    from->last->next = *to, *to = from->child, *last = from->last;
    from->child = from->last = NULL;
}

static void open_frame(mj_reader *o, mb_element *e, mb_element **last)
{
    const mb_place at = mj_place(o, e);
    const char *class = mb_text(e, "childclass");
    (void)mb_text(e, "name");
    for (mb_element *c = e->child; c != NULL && o->r->status == LG_OK; c = c->next) place_child(o, c, &at, class);
    mj_move_children(e, e->parent, last);
}

/* Opens all frames in an element. */
static void open_all(mj_reader *o, mb_element *e)
{
    mj_open_frames(o, e);
    for (mb_element *c = e->child; c != NULL && o->r->status == LG_OK; c = c->next)
        if (mb_is(c, "body")) open_all(o, c);
}

/* Copies of the elements of other sections that refer to what is copied, behind all that their section has. */
static void copy_references(mj_reader *o, const mj_reference *x, const mj_rename *how)
{
    for (; x != NULL && o->r->status == LG_OK; x = x->next) {
        mb_element *copy = mj_copy_one(o, x->at, x->at->parent, how);
        if (copy != NULL) mj_copy_children(o, x->at, copy, how);
    }
}

/* count copies: copy i is moved by (offset, euler) i times, and its names end in sep and i. */
static void open_replicate(mj_reader *o, mb_element *e, mb_element **last)
{
    enum { MOST = 10000 };
    mb_reader *r = o->r;
    const double count = mb_needed_number(r, e, "count");
    const char *sep = mb_text(e, "sep"), *class = mb_text(e, "childclass");
    double offset[3] = {0, 0, 0}, moved[3];
    mb_place at = mb_here;
    int digits = 1;
    (void)mb_numbers(r, e, "offset", offset, 3, 3);
    if (r->status == LG_OK && !(count >= 1 && count <= MOST && count == floor(count)))
        mb_refuse(r, e, "count of <replicate> is %g; it must be a whole number from 1 to %d", count, MOST);
    open_all(o, e); /* as MuJoCo has it: the number of an inner copy comes first in names */
    if (e->child == NULL || r->status != LG_OK) return;
    const mj_reference *references = mj_take_references(o, r->document.root, e, 0);
    digits += (count >= 10) + (count >= 100) + (count >= 1000) + (count >= 10000);
    for (int i = 0; r->status == LG_OK && i < count; i++) {
        char suffix[64];
        mb_element whole = {.name = e->name};
        mj_euler(o, e, i, at.g + 3); /* i times the angles, as MuJoCo has it: not the i-th power */
        mb_place frame = at;
        if (e->mark != NULL) lg_se3_compose(frame.g, ((mb_place *)e->mark)->g, at.g);
        (void)snprintf(suffix, sizeof suffix, "%.32s%0*d", sep != NULL ? sep : "", digits, i);
        const mj_rename how = {.prefix = "", .suffix = suffix};
        mj_copy_children(o, e, &whole, &how);
        copy_references(o, references, &how);
        for (mb_element *c = whole.child; c != NULL && r->status == LG_OK; c = c->next)
            place_child(o, c, &frame, class);
        mj_move_children(&whole, e->parent, last);
        lg_so3_act(moved, at.g + 3, offset);
        for (int k = 0; k < 3; k++) at.g[k] += moved[k];
    }
}

void mj_open_frames(mj_reader *o, mb_element *parent)
{
    mb_element *before = NULL;
    for (mb_element *e = parent->child; e != NULL && o->r->status == LG_OK;) {
        const int frame = mb_is(e, "frame");
        if (!frame && !mb_is(e, "replicate")) {
            before = e, e = e->next;
            continue;
        }
        mb_element *last = before;
        e->read = 1;
        if (frame)
            open_frame(o, e, &last);
        else
            open_replicate(o, e, &last);
        *(last != NULL ? &last->next : &parent->child) = e->next;
        if (parent->last == e) parent->last = last;
        e = before != NULL ? before->next : parent->child; /* what it held, which may be frames again */
    }
}
