/* SPDX-License-Identifier: BSD-3-Clause */
/* Tendons: lengths that are sums, with a spring and a damper (forces/tendon.h, forces/band.h). */
#include <stdlib.h>

#include "multibody/forces/force.h"
#include "multibody/parts/part.h"
#include "multibody/rows/coordinate.h"
#include "multibody/scene.h"

#define STIFFNESS                                                                                                      \
    {                                                                                                                  \
        "stiffness", "N/m, N m/rad", offsetof(lg_tendon, stiffness)                                                    \
    }
#define DAMPING                                                                                                        \
    {                                                                                                                  \
        "damping", "N s/m, N m s/rad", offsetof(lg_tendon, damping)                                                    \
    }
#define CHANGE                                                                                                         \
    {                                                                                                                  \
        "change", "m, rad", offsetof(lg_tendon, change)                                                                \
    }
static const mb_field fields[] = {STIFFNESS, DAMPING, {NULL, NULL, 0}};
static const mb_field fields_of_held[] = {STIFFNESS, DAMPING, CHANGE, {NULL, NULL, 0}};
static const mb_field fields_with_rest[] = {STIFFNESS,
                                            DAMPING,
                                            {"rest_lower", "m, rad", offsetof(lg_tendon, rest_lower)},
                                            {"rest_upper", "m, rad", offsetof(lg_tendon, rest_upper)},
                                            {NULL, NULL, 0}};
static const mb_field fields_of_held_with_rest[] = {STIFFNESS,
                                                    DAMPING,
                                                    {"rest_lower", "m, rad", offsetof(lg_tendon, rest_lower)},
                                                    {"rest_upper", "m, rad", offsetof(lg_tendon, rest_upper)},
                                                    CHANGE,
                                                    {NULL, NULL, 0}};

static int rests_at_assembly(const lg_tendon *d)
{
    return d->rest_lower == INFINITY && d->rest_upper == INFINITY;
}

static const mb_field *fields_of(const void *part)
{
    const lg_tendon *d = part;
    if (rests_at_assembly(d)) return d->held ? fields_of_held : fields;
    return d->held ? fields_of_held_with_rest : fields_with_rest;
}

/* ---- the description ---- */

static int ends_branch(const lg_tendon *d, int i)
{
    return i < 0 || i >= d->terms || d->term[i].kind == LG_TENDON_PULLEY;
}

/* The point before term i in its branch; -1: none. */
static int point_before(const lg_tendon *d, int i)
{
    for (i--; !ends_branch(d, i); i--)
        if (d->term[i].kind == LG_TENDON_POINT) return i;
    return -1;
}

/* 1: another point is in its branch. */
static int has_neighbour(const lg_tendon *d, int i)
{
    if (point_before(d, i) >= 0) return 1;
    for (i++; !ends_branch(d, i); i++)
        if (d->term[i].kind == LG_TENDON_POINT) return 1;
    return 0;
}

static lg_status check_term(lg_mechanism *m, const lg_tendon *own, int i)
{
    const lg_tendon_term *e = &own->term[i];
    lg_error *to = &m->error;
    switch (e->kind) {
    case LG_TENDON_JOINT:
        if (isfinite(e->number)) return LG_OK;
        return lg_fail(to, LG_ERROR_ARGUMENT, "tendon '%.60s': term %d has the coefficient %g; it must be finite",
                       own->name, i + 1, e->number);
    case LG_TENDON_POINT:
        if (!lg_all_finite(e->point, 3))
            return lg_fail(to, LG_ERROR_ARGUMENT, "tendon '%.60s': the point of term %d is not finite", own->name,
                           i + 1);
        if (has_neighbour(own, i)) return LG_OK;
        return lg_fail(to, LG_ERROR_ARGUMENT,
                       "tendon '%.60s': term %d is the only point of its branch; a branch has two or more, from which "
                       "pulleys separate it",
                       own->name, i + 1);
    case LG_TENDON_PULLEY:
        if (e->number > 0 && isfinite(e->number)) return LG_OK;
        return lg_fail(to, LG_ERROR_ARGUMENT,
                       "tendon '%.60s': term %d is a pulley with the divisor %g; it must be positive and finite",
                       own->name, i + 1, e->number);
    }
    return lg_fail(to, LG_ERROR_ARGUMENT, "tendon '%.60s': term %d is of kind %d; take an lg_tendon_kind", own->name,
                   i + 1, (int)e->kind);
}

static lg_status check_tendon(lg_mechanism *m, void *part)
{
    const lg_tendon *own = part;
    lg_error *e = &m->error;
    if (own->term == NULL || own->terms < 1 || own->terms > LG_TENDON_TERMS)
        return lg_fail(e, LG_ERROR_ARGUMENT, "tendon '%.60s' has %d terms; give 1 to %d", own->name,
                       own->term != NULL ? own->terms : 0, LG_TENDON_TERMS);
    for (int i = 0; i < own->terms; i++) {
        const lg_status st = check_term(m, own, i);
        if (st != LG_OK) return st;
    }
    if (!(own->stiffness >= 0) || !(own->damping >= 0) || !isfinite(own->stiffness + own->damping))
        return lg_fail(e, LG_ERROR_ARGUMENT,
                       "tendon '%.60s': stiffness %g and damping %g must be finite and not negative", own->name,
                       own->stiffness, own->damping);
    if ((own->held != 0 && own->held != 1) || !isfinite(own->change) || (!own->held && own->change != 0))
        return lg_fail(
            e, LG_ERROR_ARGUMENT,
            "tendon '%.60s': held is %d, change %g; held must be 0 or 1, change finite, and 0 where the tendon "
            "is not held",
            own->name, (int)own->held, own->change);
    if (rests_at_assembly(own)) return LG_OK;
    if (own->rest_lower <= own->rest_upper && isfinite(own->rest_lower) && isfinite(own->rest_upper)) return LG_OK;
    return lg_fail(e, LG_ERROR_ARGUMENT,
                   "tendon '%.60s': rest_lower %g, rest_upper %g; they must be finite and rest_lower <= rest_upper, or "
                   "both INFINITY: the length at assembly",
                   own->name, own->rest_lower, own->rest_upper);
}

static void free_terms(lg_tendon_term *term, int terms)
{
    for (int i = 0; i < terms; i++) free((void *)(uintptr_t)term[i].name);
    free(term);
}

/* The terms become the mechanism's. 0: out of memory. */
static int own_terms(void *part)
{
    lg_tendon *d = part;
    lg_tendon_term *term = malloc((size_t)d->terms * sizeof *term);
    for (int i = 0; term != NULL && i < d->terms; i++) {
        const char *name = d->term[i].name;
        term[i] = d->term[i], term[i].name = name != NULL ? strdup(name) : NULL;
        if (name != NULL && term[i].name == NULL) {
            free_terms(term, i);
            return 0;
        }
    }
    if (term != NULL) d->term = term;
    return term != NULL;
}

static void disown_terms(void *part)
{
    const lg_tendon *d = part;
    free_terms((lg_tendon_term *)(uintptr_t)d->term, d->terms);
}

/* ---- numbers on bodies ---- */

/* The length of a term at the poses that are described. */
static double length_at_assembly(const lg_mechanism *m, const mb_force *s)
{
    const mb_placed a = mb_placed_of(m, s->a), b = mb_placed_of(m, s->b);
    if (s->coordinate < 0) return mb_apart_at_assembly(&a, s->point_a, &b, s->point_b);
    const mb_coordinate *o = &m->coordinate[s->coordinate];
    const mb_joint *j = &m->joint[o->joint];
    if (j->chain == NULL) return mb_coordinate_value(j, o, a.r, a.R, b.r, b.R, 0);
    double q[MB_CHAIN_MOST], near[MB_CHAIN_MOST] = {0};
    mb_pose pa, pb;
    memcpy(pa.r, a.r, sizeof pa.r), memcpy(pa.R, a.R, sizeof pa.R);
    memcpy(pb.r, b.r, sizeof pb.r), memcpy(pb.R, b.R, sizeof pb.R);
    mb_chain_solve(j, q, &pa, &pb, near);
    return q[o->axis];
}

/* The part of the row that is a body's. */
static int side_of(lg_mechanism *m, mb_tendon *t, int body)
{
    int i = 0;
    while (i < t->bodies && t->body[i] != body) i++;
    if (i < t->bodies) return i;
    for (int k = 0; k < i; k++) {
        int *pair = m->tendon_pair + 2 * m->plan.pairs++;
        pair[0] = t->body[k], pair[1] = body;
    }
    t->body[t->bodies++] = body;
    return i;
}

/* A further term of the length. */
static void add_term(lg_mechanism *m, mb_tendon *t, double weight, const mb_force *along)
{
    if (along->a == along->b) {
        t->constant += weight * length_at_assembly(m, along);
        return;
    }
    mb_tendon_term *e = &t->term[t->terms++];
    *e = (mb_tendon_term){.weight = weight, .along = *along};
    e->side[0] = side_of(m, t, along->a), e->side[1] = side_of(m, t, along->b);
}

static lg_status add_joint(lg_mechanism *m, const lg_tendon *from, const lg_tendon_term *e, mb_tendon *t)
{
    mb_force s = {.coordinate = -1};
    const lg_status st = mb_driven(m, "tendon", from->name, e->name, &s.coordinate);
    if (st != LG_OK) return st;
    const mb_joint *j = &m->joint[m->coordinate[s.coordinate].joint];
    s.a = j->a, s.b = j->b;
    add_term(m, t, e->number, &s);
    return LG_OK;
}

/* The line from point `before` to point i. */
static lg_status add_line(lg_mechanism *m, const lg_tendon *from, int before, int i, double weight, mb_tendon *t)
{
    mb_force s = {.coordinate = -1};
    for (int end = 0; end < 2; end++) {
        const lg_tendon_term *e = &from->term[end ? i : before];
        const int b = e->name != NULL ? mb_find(m, MB_BODIES, e->name) : m->plan.bodies;
        if (b < 0) return mb_unknown(m, "tendon", from->name, "body", e->name);
        const mb_placed at = mb_placed_of(m, b);
        mb_anchor(end ? s.point_b : s.point_a, &at, e->point);
        *(end ? &s.b : &s.a) = b;
    }
    add_term(m, t, weight, &s);
    return LG_OK;
}

static void add_spring(lg_mechanism *m, const lg_tendon *from, const mb_tendon *t, double L)
{
    if (from->stiffness == 0 && from->damping == 0) return;
    mb_force *s = mb_force_add(m, MB_LAW_band, -1, from->stiffness, from->damping);
    s->tendon = t;
    s->number[2] = rests_at_assembly(from) ? L : from->rest_lower;
    s->number[3] = s->rest = rests_at_assembly(from) ? L : from->rest_upper;
}

/* What it does at its length. */
static lg_status act_on(lg_mechanism *m, const lg_tendon *from, mb_tendon *t)
{
    double L = t->constant;
    for (int i = 0; i < t->terms; i++) L += t->term[i].weight * length_at_assembly(m, &t->term[i].along);
    t->length = L + from->change;
    add_spring(m, from, t, L);
    if (!from->held || t->bodies <= MB_SIDES_MOST) return LG_OK;
    return lg_fail(&m->error, LG_ERROR_UNSUPPORTED, "tendon '%.60s' is held and joins %d bodies; up to %d are possible",
                   from->name, t->bodies, MB_SIDES_MOST);
}

static lg_status make_tendon(lg_mechanism *m, int i)
{
    const lg_tendon *from = MB_TENDON_OF(m, i);
    mb_tendon *t = (mb_tendon *)m->made[MB_TENDONS] + i;
    const mb_tendon *last = i > 0 ? t - 1 : NULL;
    double weight = 1;
    lg_status st = LG_OK;
    if (mb_find(m, MB_JOINTS, from->name) >= 0 || mb_find(m, MB_COORDINATES, from->name) >= 0)
        return lg_fail(
            &m->error, LG_ERROR_ARGUMENT,
            "tendon '%.60s': a joint or a coordinate has this name, so that motors could not tell them apart",
            from->name);
    t->term = last != NULL ? last->term + last->terms : m->tendon_term;
    t->body = last != NULL ? last->body + last->bodies : m->tendon_body;
    t->link = m->plan.joints + m->plan.lines + m->plan.pairs;
    for (int k = 0; k < from->terms && st == LG_OK; k++) {
        const lg_tendon_term *e = &from->term[k];
        const int before = e->kind == LG_TENDON_POINT ? point_before(from, k) : -1;
        if (e->kind == LG_TENDON_PULLEY)
            weight = 1 / e->number;
        else if (e->kind == LG_TENDON_JOINT)
            st = add_joint(m, from, e, t);
        else if (before >= 0)
            st = add_line(m, from, before, k, weight, t);
    }
    if (st == LG_OK && t->terms == 0)
        st = lg_fail(&m->error, LG_ERROR_ARGUMENT,
                     "tendon '%.60s': its length never changes; name a joint, or points of two bodies", from->name);
    return st == LG_OK ? act_on(m, from, t) : st;
}

static int tendon_blocks(const lg_mechanism *m, int i, int velocities, mb_block *block)
{
    const mb_tendon *t = &m->plan.tendon[i];
    if (velocities || !MB_TENDON_OF(m, i)->held) return 0;
    const int c = t->term[0].along.coordinate;
    *block = (mb_block){.kind = MB_HELD, .source = i, .rows = 1, .sides = t->bodies};
    block->lengths = c < 0 || m->coordinate[c].slides;
    for (int s = 0; s < t->bodies; s++) block->body[s] = t->body[s];
    return 1;
}

static lg_status check_tendon_of_system(lg_mechanism *m, int i)
{
    if (m->plan.tendon[i].row < 0 && !MB_TENDON_OF(m, i)->held) return LG_OK;
    return lg_fail(&m->error, LG_ERROR_UNSUPPORTED,
                   "lg_mechanism_system: tendon '%.60s' joins more than two bodies, which the callbacks of a system do "
                   "not know; use the sparse step",
                   MB_TENDON_OF(m, i)->name);
}

static void describe_tendon(lg_lines *l, const lg_mechanism *m, int i)
{
    const mb_tendon *t = (const mb_tendon *)m->made[MB_TENDONS] + i;
    lg_lines_text(l, "tendon", MB_TENDON_OF(m, i)->name);
    lg_lines_number(l, "constant", t->constant);
    if (MB_TENDON_OF(m, i)->held) lg_lines_number(l, "held", t->length);
    for (const mb_tendon_term *e = t->term; e < t->term + t->terms; e++) {
        lg_lines_number(l, "weight", e->weight);
        lg_lines_number(l, "coordinate", e->along.coordinate);
        lg_lines_number(l, "body", e->along.a), lg_lines_number(l, "body", e->along.b);
        lg_lines_numbers(l, "point", e->along.point_a, 3), lg_lines_numbers(l, "point", e->along.point_b, 3);
    }
}

static void show_tendon(const mb_maker *k, int i)
{
    const mb_tendon *t = &k->m->plan.tendon[i];
    for (const mb_tendon_term *e = t->term; e < t->term + t->terms; e++) {
        const mb_force *s = &e->along;
        if (s->coordinate < 0)
            mb_look_rod(k, MB_TENDON_OF(k->m, i)->name, mb_look_host(k, s->a), mb_look_host(k, s->b), s->point_a,
                        s->point_b, LG_SHADE_MARK);
    }
}

static const lg_tendon standard = {.size = sizeof standard, .rest_lower = INFINITY, .rest_upper = INFINITY};

const mb_part_kind mb_tendon_part = {
    .noun = "tendon",
    .size = LG_SIZED_AS(lg_tendon, rest_upper, "start from lg_tendon_default()"),
    .standard = &standard,
    .strings = 1,
    .string = {offsetof(lg_tendon, name)},
    .fields_of = fields_of,
    .check = check_tendon,
    .own = own_terms,
    .disown = disown_terms,
    .numbers = sizeof(mb_tendon),
    .make = make_tendon,
    .blocks = tendon_blocks,
    .check_system = check_tendon_of_system,
    .describe = describe_tendon,
    .show = show_tendon,
};
