/* SPDX-License-Identifier: BSD-3-Clause */
/* Values of MJCF: classes of defaults, and the many ways to write a rotation. */
#include <math.h>
#include <string.h>

#include <liegrp/base/elementary.h>
#include <liegrp/groups/se3.h>
#include <liegrp/groups/so3.h>

#include "base/small.h"
#include "groups/rotation.h"
#include "multibody/files/mjcf.h"

/* ---- defaults ---- */

enum { MOST_CLASSES = 1000, MOST_LEVELS = 32 };

/* The next element of a walk through the <default> elements under `top`; NULL: no more. */
static mb_element *next_class(mb_element *top, mb_element *e)
{
    mb_element *inner = mb_each_element(e, "default", NULL);
    while (inner == NULL && e != top) {
        inner = mb_each_element(e->parent, "default", e);
        e = e->parent;
    }
    return inner;
}

/* The <default> of a class; NULL: the file has no such class. */
static mb_element *class_named(mj_reader *o, const char *name)
{
    mb_element *root = o->r->document.root;
    for (mb_element *top = mb_each_element(root, "default", NULL); top != NULL;
         top = mb_each_element(root, "default", top))
        for (mb_element *d = top; d != NULL; d = next_class(top, d)) {
            const char *own = mb_text(d, "class");
            if (strcmp(own != NULL ? own : d == top ? "main" : "", name) == 0) return d;
        }
    return NULL;
}

/* 1: an orientation other than by quat. */
static int is_alternative(const char *name)
{
    static const char *const names[] = {"axisangle", "xyaxes", "zaxis", "euler"};
    for (int i = 0; i < 4; i++)
        if (strcmp(name, names[i]) == 0) return 1;
    return 0;
}

/* 1: the element takes this attribute of the class. As in MuJoCo another orientation of the class replaces the
 * element's quat, which is removed here, and yields to any other orientation of the element. */
static int counts(mb_element *e, const char *name)
{
    const int quat = strcmp(name, "quat") == 0;
    if (!quat && !is_alternative(name)) return 1;
    for (const mb_attribute *a = e->attribute; a != NULL; a = a->next)
        if (is_alternative(a->name)) return 0;
    for (mb_attribute **a = &e->attribute; !quat && *a != NULL; a = &(*a)->next) {
        if (strcmp((*a)->name, "quat") != 0) continue;
        *a = (*a)->next;
        break;
    }
    return 1;
}

/* As in MuJoCo the last numbers of the class stay, where the element has fewer. */
static void complete(mj_reader *o, mb_attribute *own, const mb_attribute *class)
{
    static const char *const lists[] = {"size", "gainprm", "biasprm", "friction"}, space[] = " \t\r\n";
    int is_list = 0;
    for (int i = 0; i < 4; i++) is_list |= strcmp(own->name, lists[i]) == 0;
    if (!is_list) return;
    const char *tail = class->value + strspn(class->value, space);
    for (const char *at = own->value + strspn(own->value, space); *at != '\0'; at += strspn(at, space)) {
        at += strcspn(at, space);
        tail += strcspn(tail, space), tail += strspn(tail, space);
    }
    if (*tail == '\0') return;
    own->value = mb_print(o->r, "%s %s", own->value, tail);
}

/* The attribute, not marked as read; NULL: none. */
static mb_attribute *attribute_of(const mb_element *e, const char *name)
{
    mb_attribute *a = e->attribute;
    while (a != NULL && strcmp(a->name, name) != 0) a = a->next;
    return a;
}

static void add_copy(mj_reader *o, mb_element *e, const mb_attribute *a)
{
    mb_attribute *copy = mb_take(o->r, sizeof *copy);
    if (copy == NULL) return;
    *copy = (mb_attribute){e->attribute, a->name, a->value, 0};
    e->attribute = copy;
}

static void inherit_from(mj_reader *o, mb_element *e, const mb_element *from)
{
    int count = 0;
    for (const mb_attribute *a = e->attribute; a != NULL; a = a->next) count++;
    for (const mb_attribute *a = from->attribute; a != NULL && o->r->status == LG_OK; a = a->next) {
        mb_attribute *own = attribute_of(e, a->name);
        if (own != NULL) complete(o, own, a);
        if (own != NULL || strcmp(a->name, "class") == 0 || !counts(e, a->name)) continue;
        if (count++ >= MB_XML_ATTRIBUTES) mb_refuse(o->r, e, "more than 64 attributes with those of its class");
        add_copy(o, e, a);
    }
}

/* The last <default> of the file before `top` (NULL: of all), those of attached models apart. */
static mb_element *top_before(mb_element *root, const mb_element *top)
{
    mb_element *before = NULL;
    for (mb_element *t = mb_each_element(root, "default", NULL); t != NULL && t != top;
         t = mb_each_element(root, "default", t))
        if (t->settings == NULL) before = t;
    return before;
}

/* The <default> of an element's class; NULL: none. */
static mb_element *class_of(mj_reader *o, mb_element *e, const char *childclass)
{
    const char *own = mb_text(e, "class"), *name = own != NULL ? own : childclass != NULL ? childclass : "main";
    const int is_main = strcmp(name, "main") == 0;
    mb_element *d = is_main ? top_before(o->r->document.root, NULL) : class_named(o, name);
    if (d == NULL && !is_main) mb_refuse(o->r, e, "there is no <default class=\"%.60s\">", name);
    return d;
}

/* The <default> that counts after this one: the one around it, or the section before it, as in MuJoCo. NULL: none. */
static mb_element *class_around(mj_reader *o, const mb_element *d, int level)
{
    mb_element *root = o->r->document.root;
    if (level == MOST_LEVELS) mb_refuse(o->r, d, "defaults are nested more than %d deep", MOST_LEVELS);
    if (o->r->status != LG_OK || (d->parent == root && d->settings != NULL)) return NULL;
    return d->parent == root ? top_before(root, d) : d->parent;
}

/* From the defaults that are called `as`. */
static void inherit(mj_reader *o, mb_element *e, const char *as, const char *childclass)
{
    int level = 0;
    for (mb_element *d = class_of(o, e, childclass); d != NULL; d = class_around(o, d, level++))
        for (const mb_element *c = d->child; c != NULL; c = c->next)
            if (mb_is(c, as)) inherit_from(o, e, c);
}

/* The attribute in the last child of a <default> that has it and is one of these; NULL: none. */
static const mb_attribute *last_of(const mb_element *d, const char *const *kinds, const char *name)
{
    const mb_attribute *last = NULL;
    for (const mb_element *c = d->child; c != NULL; c = c->next)
        for (int k = 0; kinds[k] != NULL; k++)
            if (mb_is(c, kinds[k]) && attribute_of(c, name) != NULL) last = attribute_of(c, name);
    return last;
}

void mj_inherit_shared(mj_reader *o, mb_element *e, const char *const *kinds, const char *const *names)
{
    int level = 0;
    for (mb_element *d = class_of(o, e, NULL); d != NULL; d = class_around(o, d, level++))
        for (int i = 0; names[i] != NULL; i++) {
            const mb_attribute *found = last_of(d, kinds, names[i]);
            if (found != NULL && attribute_of(e, names[i]) == NULL) add_copy(o, e, found);
        }
}

void mj_inherit(mj_reader *o, mb_element *e, const char *childclass)
{
    inherit(o, e, e->name, childclass);
}

void mj_inherit_as(mj_reader *o, mb_element *e, const char *as)
{
    inherit(o, e, as, NULL);
}

void mj_pass_defaults(mj_reader *o)
{
    static const char *const used[] = {"joint", "motor", "position", "velocity", "general",
                                       "geom",  "mesh",  "tendon",   "equality", "site",
                                       "pair"};
    int count = 0;
    mb_element *root = o->r->document.root;
    for (mb_element *top = mb_each_element(root, "default", NULL); top != NULL;
         top = mb_each_element(root, "default", top))
        for (mb_element *d = top; d != NULL; d = next_class(top, d)) {
            (void)mb_text(d, "class");
            if (++count > MOST_CLASSES) {
                mb_refuse(o->r, d, "more than %d classes of defaults, which is too many", MOST_CLASSES);
                return;
            }
            int members = 0;
            for (const mb_element *c = d->child; c != NULL; c = c->next) members += !mb_is(c, "default");
            if (members > MB_XML_ATTRIBUTES)
                mb_refuse(o->r, d, "%d elements in a <default>, more than %d", members, MB_XML_ATTRIBUTES);
            for (size_t i = 0; i < sizeof used / sizeof used[0]; i++)
                for (mb_element *c = mb_each_element(d, used[i], NULL); c != NULL; c = mb_each_element(d, used[i], c))
                    mb_passed_over(c);
        }
}

int mj_is_limited(mj_reader *o, mb_element *e, const char *name, int range)
{
    static const char *const answers[] = {"false", "true", "auto", NULL};
    const int limited = mb_choice(o->r, e, name, answers, 2);
    return range && (limited == 1 || (limited == 2 && mj_settings_of(o, e)->autolimits));
}

/* ---- rotations ---- */

/* The shortest rotation that takes z to v. */
static void from_z(double *q, const double *v)
{
    const double q4[4] = {-v[1], v[0], 0, 1 + v[2]};
    if (lg_length(q4, 4) < 1e-12 || lg_unit(q, q4, 4) != LG_OK) q[0] = 1, q[1] = q[2] = q[3] = 0;
}

static void from_axes(mj_reader *o, mb_element *e, double *q, double *axes)
{
    double *x = axes, *y = axes + 3, z[3], R[9], along = 0;
    mb_unit(o->r, e, "xyaxes", x, 3);
    for (int k = 0; k < 3; k++) along += x[k] * y[k];
    for (int k = 0; k < 3; k++) y[k] -= along * x[k];
    if (!(lg_length(y, 3) > 1e-9)) mb_refuse(o->r, e, "xyaxes of <%s>: both axes are parallel", e->name);
    mb_unit(o->r, e, "xyaxes", y, 3);
    if (o->r->status != LG_OK) return;
    small_cross(z, x, y);
    for (int k = 0; k < 3; k++) R[3 * k] = x[k], R[3 * k + 1] = y[k], R[3 * k + 2] = z[k];
    if (lg_so3_from_matrix(q, R) != LG_OK) mb_refuse(o->r, e, "xyaxes of <%s> are no axes", e->name);
}

void mj_euler(mj_reader *o, mb_element *e, double times, double *q)
{
    double v[3];
    const char *euler = mj_settings_of(o, e)->euler;
    if (mb_numbers(o->r, e, "euler", v, 3, 3) == 0) return;
    q[0] = q[1] = q[2] = 0, q[3] = 1;
    for (int i = 0; i < 6;
         i++) { /* those about the frame around, the last one first, then those about the body's axes */
        const int k = i < 3 ? 2 - i : i - 3;
        const char first = i < 3 ? 'X' : 'x';
        double turn[4] = {0, 0, 0, 0};
        if (euler[k] < first || euler[k] > first + 2) continue;
        lg_real_sincos(&turn[euler[k] - first], &turn[3], 0.5 * (v[k] * times * mj_settings_of(o, e)->unit));
        lg_so3_compose(q, q, turn);
    }
}

mb_place mj_in_frame(const mb_element *e, const mb_place *at)
{
    mb_place p = *at;
    if (e->mark != NULL) lg_se3_compose(p.g, ((const mb_place *)e->mark)->g, at->g);
    return p;
}

mb_place mj_place(mj_reader *o, mb_element *e)
{
    mb_place p = mb_here;
    double v[6], *q = p.g + 3;
    int ways = 0;
    (void)mb_numbers(o->r, e, "pos", p.g, 3, 3);
    if (mb_numbers(o->r, e, "quat", v, 4, 4) > 0) {
        ways++;
        mb_unit(o->r, e, "quat", v, 4);
        q[0] = v[1], q[1] = v[2], q[2] = v[3], q[3] = v[0];
    }
    if (mb_numbers(o->r, e, "axisangle", v, 4, 4) > 0) {
        ways++;
        mb_unit(o->r, e, "axisangle", v, 3);
        for (int k = 0; k < 3; k++) v[k] *= v[3] * mj_settings_of(o, e)->unit;
        lg_so3_exp(q, v);
    }
    if (mb_text(e, "euler") != NULL) {
        ways++;
        mj_euler(o, e, 1, q);
    }
    if (mb_numbers(o->r, e, "xyaxes", v, 6, 6) > 0) {
        ways++;
        from_axes(o, e, q, v);
    }
    if (mb_numbers(o->r, e, "zaxis", v, 3, 3) > 0) {
        ways++;
        mb_unit(o->r, e, "zaxis", v, 3);
        from_z(q, v);
    }
    if (ways > 1) mb_refuse(o->r, e, "<%s> says its orientation in %d ways; leave one", e->name, ways);
    return mj_in_frame(e, &p);
}
