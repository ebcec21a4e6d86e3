/* SPDX-License-Identifier: BSD-3-Clause */
/* Tendons of MJCF, fixed and spatial; those that wrap around geoms may be left out if nothing pulls on them. */
#include <math.h>
#include <string.h>

#include "multibody/files/mjcf.h"
#include "multibody/parts/part.h"

/* A number of the tendon; MuJoCo takes polynomials. */
static double linear(mj_reader *o, mb_element *e, const char *name)
{
    double x[8] = {0};
    const int count = mb_numbers(o->r, e, name, x, 1, 8);
    for (int i = 1; i < count; i++)
        if (x[i] != 0)
            mb_refuse_as(o->r, LG_ERROR_UNSUPPORTED, e,
                         "%s of <%s> is a polynomial, which is not read; give one number", name, e->name);
    return x[0];
}

const char *mj_tendon_name(mj_reader *o, const char *name)
{
    int position;
    return lg_mechanism_joint_position(o->r->m, &position, name) >= 0 ? mb_print(o->r, "%s tendon", name) : name;
}

/* 1: an element of such a section names it. */
static int is_named(const mj_reader *o, const char *section, const char *name)
{
    mb_element *root = o->r->document.root;
    for (mb_element *s = mb_each_element(root, section, NULL); s != NULL; s = mb_each_element(root, section, s))
        for (mb_element *e = s->child; name != NULL && e != NULL; e = e->next) {
            const char *of = mb_text(e, "tendon");
            if (of != NULL && strcmp(of, name) == 0) return 1;
        }
    return 0;
}

/* 1: an equality that acts holds it. */
static int is_held(const mj_reader *o, const char *name)
{
    mb_element *root = o->r->document.root;
    if (o->free || o->open || name == NULL || mb_ignores(o->r, "equality")) return 0;
    for (mb_element *s = mb_each_element(root, "equality", NULL); s != NULL; s = mb_each_element(root, "equality", s))
        for (mb_element *e = s->child; e != NULL; e = e->next) {
            const char *one = mb_is(e, "tendon") ? mb_text(e, "tendon1") : NULL, *active = mb_text(e, "active");
            if (one != NULL && strcmp(one, name) == 0 && (active == NULL || strcmp(active, "true") == 0)) return 1;
        }
    return 0;
}

static int wraps(const mb_element *tendon)
{
    for (const mb_element *e = tendon->child; e != NULL; e = e->next)
        if (mb_is(e, "geom")) return 1;
    return 0;
}

/* Adds a term; *rest: what it adds to the length at which the spring is slack. */
static void read_term(mj_reader *o, mb_element *e, lg_tendon_term *to, double *rest)
{
    mb_reader *r = o->r;
    double zero;
    mb_place in_body = mb_here;
    e->read = 1;
    if (mb_is(e, "joint")) {
        to->name = mj_joint_of(o, e, "joint", &zero);
        to->number = mb_needed_number(r, e, "coef");
        if (r->status == LG_OK) *rest += to->number * mj_spring_rest(o, to->name);
    } else if (mb_is(e, "pulley")) {
        to->kind = LG_TENDON_PULLEY, to->number = mb_needed_number(r, e, "divisor");
    } else {
        to->kind = LG_TENDON_POINT, to->name = mj_site_in_body(o, e, "site", &in_body);
        memcpy(to->point, in_body.g, sizeof to->point);
    }
}

static int read_terms(mj_reader *o, mb_element *tendon, lg_tendon_term *to, double *rest)
{
    static const char *const kinds[2][2] = {{"joint", NULL}, {"site", "pulley"}};
    const char *const *kind = kinds[mb_is(tendon, "spatial")];
    int terms = 0;
    for (mb_element *e = tendon->child; e != NULL && o->r->status == LG_OK; e = e->next) {
        if (!mb_is(e, kind[0]) && (kind[1] == NULL || !mb_is(e, kind[1]))) continue;
        if (terms == LG_TENDON_TERMS)
            mb_refuse(o->r, e, "more than %d elements in a tendon, which is too many", LG_TENDON_TERMS);
        else
            read_term(o, e, &to[terms++], rest);
    }
    return terms;
}

/* The lengths at which the spring is slack; without any those at the joints' springref. */
static void read_rest(mj_reader *o, mb_element *e, lg_tendon *t, double rest)
{
    mb_reader *r = o->r;
    double given[2] = {-1, -1};
    if (mb_numbers(r, e, "springlength", given, 1, 2) == 1) given[1] = given[0];
    if (given[0] != -1 || given[1] != -1) {
        t->rest_lower = given[0], t->rest_upper = given[1];
    } else if (mb_is(e, "fixed")) {
        t->rest_lower = t->rest_upper = rest;
    } else if (t->stiffness != 0) {
        for (int i = 0; i < r->joints && r->status == LG_OK; i++)
            if (!mj_rests_at_start(&r->joint[i]))
                mb_refuse_as(r, LG_ERROR_UNSUPPORTED, e,
                             "the spring of this tendon is slack where every joint is at its springref, and that of "
                             "'%.60s' is not its ref; give springlength",
                             r->joint[i].name);
    }
}

/* 1: its length changes, and all that it is tied to is a body or the world: a sensor alone never refuses a file. */
static int can_be_seen(const mj_reader *o, const mb_element *tendon)
{
    int before = MB_NO_BODY, moves = 0;
    for (mb_element *e = tendon->child; e != NULL; e = e->next) {
        const char *site = mb_is(e, "site") ? mb_text(e, "site") : NULL;
        moves |= mb_is(e, "joint");
        if (mb_is(e, "geom")) return 0;
        if (mb_is(e, "pulley")) before = MB_NO_BODY;
        if (site == NULL) continue;
        const int link = mj_link_of_site(o, site), body = link >= 0 ? o->r->link[link].leader : -1;
        if (body == MB_NO_BODY) return 0;
        moves |= before != MB_NO_BODY && before != body;
        before = body;
    }
    return moves;
}

/* 1: held, it is a gear: a sum of two positions. */
static int is_gear(const mb_element *tendon)
{
    int joints = 0;
    for (const mb_element *e = tendon->child; e != NULL; e = e->next) joints += mb_is(e, "joint");
    return mb_is(tendon, "fixed") && joints == 2;
}

static void read_tendon(mj_reader *o, mb_element *e)
{
    mb_reader *r = o->r;
    lg_tendon_term term[LG_TENDON_TERMS] = {{.name = NULL}};
    lg_tendon t = lg_tendon_default(mj_tendon_name(o, mj_name_of(o, e)));
    double range[2], rest = 0;
    t.stiffness = linear(o, e, "stiffness"), t.damping = linear(o, e, "damping");
    if (o->slack) t.stiffness = 0;
    if (o->undamped) t.damping = 0;
    o->tendon_limits += mj_is_limited(o, e, "limited", mb_numbers(r, e, "range", range, 2, 2) > 0);
    const int driven = !o->inert && is_named(o, "actuator", mb_text(e, "name"));
    const int held = is_held(o, mb_text(e, "name"));
    const int sensed = r->options.sensors && can_be_seen(o, e) && is_named(o, "sensor", mb_text(e, "name"));
    if (t.stiffness == 0 && t.damping == 0 && !driven && !sensed && (!held || is_gear(e))) {
        (void)mb_text(e, "springlength");
        for (mb_element *c = e->child; c != NULL; c = c->next) c->read = 1, mb_passed_over(c);
        if (!held) mb_note(r, e, "tendons that exert no force are not read");
        return;
    }
    if (wraps(e))
        mb_refuse_as(r, LG_ERROR_UNSUPPORTED, e,
                     "tendon '%.60s' wraps around a geom, which is not read, and pulls; without tendons: --ignore "
                     "tendon (lg_mechanism_file::ignore)",
                     t.name);
    t.terms = read_terms(o, e, term, &rest), t.term = term;
    read_rest(o, e, &t, rest);
    if (r->status == LG_OK) mb_pass_on(r, e, lg_mechanism_add_tendon(r->m, NULL, &t));
}

/* ---- held lengths ---- */

static mb_element *tendon_named(const mj_reader *o, const char *name)
{
    mb_element *root = o->r->document.root;
    for (mb_element *s = mb_each_element(root, "tendon", NULL); s != NULL; s = mb_each_element(root, "tendon", s))
        for (mb_element *e = s->child; name != NULL && e != NULL; e = e->next) {
            const char *own = mb_text(e, "name");
            if (own != NULL && strcmp(own, name) == 0) return e;
        }
    return NULL;
}

/* The coefficients of a sum of two positions as a gear; 0: it is none. */
static int hold_as_gear(mj_reader *o, mb_element *e, mb_element *tendon, const double *polynomial)
{
    const char *joint[2] = {NULL, NULL};
    double coef[2] = {0, 0}, zero[2] = {0, 0};
    int count = 0;
    if (!is_gear(tendon)) return 0;
    for (mb_element *j = tendon->child; j != NULL && o->r->status == LG_OK; j = j->next)
        if (mb_is(j, "joint"))
            joint[count] = mj_joint_of(o, j, "joint", &zero[count]), coef[count++] = mb_number(o->r, j, "coef", 0);
    if (o->r->status != LG_OK || coef[0] == 0 || coef[1] == 0 || strcmp(joint[0], joint[1]) == 0) return 0;
    lg_gear g = lg_gear_default(mj_name_of(o, e), joint[0], joint[1]);
    g.ratio = -coef[1] / coef[0], g.offset = polynomial[0] / coef[0] + zero[0] - g.ratio * zero[1];
    mb_pass_on(o->r, e, lg_mechanism_add_gear(o->r->m, NULL, &g));
    return 1;
}

void mj_hold_tendon(mj_reader *o, mb_element *e)
{
    mb_reader *r = o->r;
    const char *name = mb_needed_text(r, e, "tendon1");
    mb_element *tendon = tendon_named(o, name);
    double c[5] = {0};
    if (r->status == LG_OK && tendon == NULL) mb_refuse(r, e, "tendon1: there is no tendon '%.60s'", name);
    if (r->status == LG_OK && mb_text(e, "tendon2") != NULL)
        mb_refuse_as(
            r, LG_ERROR_UNSUPPORTED, e,
            "tendon2: lengths of two tendons that depend on each other are not read; where both are fixed, give "
            "one tendon with the joints of both; --ignore tendon leaves tendons out");
    (void)mb_numbers(r, e, "polycoef", c, 1, 5);
    if (r->status != LG_OK || hold_as_gear(o, e, tendon, c) || r->status != LG_OK) return;
    const int i = mb_find(r->m, MB_TENDONS, mj_tendon_name(o, name));
    if (i < 0) {
        mb_refuse(r, e, "tendon1: the length of '%.60s' is no sum of positions of several joints or of distances",
                  name);
        return;
    }
    lg_tendon *own = mb_part_at(r->m, MB_TENDONS, i);
    (void)mb_text(e, "name");
    own->held = 1, own->change = c[0];
}

void mj_tendons(mj_reader *o, mb_element *section)
{
    for (mb_element *e = section->child; e != NULL && o->r->status == LG_OK; e = e->next) {
        if (!mb_is(e, "fixed") && !mb_is(e, "spatial")) continue;
        e->read = 1;
        mj_inherit_as(o, e, "tendon");
        if (!mb_ignores(o->r, "tendon")) {
            read_tendon(o, e);
            continue;
        }
        mb_passed_over(e);
        mb_note(o->r, e, "<tendon> is ignored, as you ask");
    }
}
