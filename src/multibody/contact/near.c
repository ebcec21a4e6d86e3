/* SPDX-License-Identifier: BSD-3-Clause */
/* Pairs are found by a sweep along the axis on which the surfaces are spread widest: boxes that overlap there are
 * compared on the others. */
#include "multibody/contact/near.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "multibody/contact/landing.h"
#include "multibody/parts/part.h"

/* Slots for each surface. */
enum { MB_SLOTS = 8 };

/* ---- of a mechanism ---- */

mb_near *mb_near_make(lg_mechanism *m, int64_t pairs, int room, int rows)
{
    const int surfaces = m->part[MB_SURFACES].count, bodies = m->part[MB_BODIES].count;
    const mb_surface *s = m->made[MB_SURFACES];
    mb_near *near = malloc(sizeof *near + (sz(surfaces) + sz(bodies) + 2) * sizeof(int));
    if (near == NULL) return NULL;
    const int64_t most = (int64_t)MB_SLOTS * surfaces;
    *near =
        (mb_near){.m = m, .first = m->plan.contacts, .stride = 1 + room, .slots = (int)(pairs < most ? pairs : most)};
    near->surface = (int *)(near + 1), near->first_of = near->surface + surfaces;
    for (int b = 0; b <= bodies; b++) {
        near->first_of[b] = near->surfaces;
        for (int i = 0; i < surfaces; i++)
            if (s[i].body == b && !mb_is_ground(s[i].shape.kind)) near->surface[near->surfaces++] = i;
    }
    near->first_of[bodies + 1] = near->surfaces;
    for (int i = 0; i < near->slots * near->stride; i++) {
        mb_contact *c = mb_contact_add(m, MB_CONTACT_EMPTY, rows, bodies, bodies);
        if (c == NULL) return free(near), NULL;
        c->surface[0] = c->surface[1] = near->surface[0];
    }
    return near;
}

void mb_near_carve(mb_contacts *c, lg_arena *a, const mb_plan *plan)
{
    const mb_near *near = plan->near;
    if (near == NULL) return;
    c->bound = lg_take(a, sz(near->m->part[MB_SURFACES].count) * sizeof *c->bound);
    c->order = lg_take(a, sz(near->surfaces) * sizeof *c->order);
    c->found = lg_take_doubles(a, sz(near->slots));
    for (int i = 0; i < near->surfaces && a->base != NULL; i++) c->order[i] = near->surface[i];
}

/* ---- keys of pairs ---- */

static double key_of(const mb_near *near, int i, int j)
{
    const double count = near->m->part[MB_SURFACES].count;
    return i < j ? i * count + j + 1 : j * count + i + 1;
}

/* What the contacts of a slot are about. */
static void describe(const mb_near *near, double key, mb_contact *c)
{
    const int64_t count = near->m->part[MB_SURFACES].count, pair = (int64_t)key - 1;
    mb_pair_contacts(near->m, c, (int)(pair / count), (int)(pair % count), near->stride);
}

/* 1: the contact is the first one of the slot of the key. */
static int is_of(const mb_near *near, const mb_contact *c, double key)
{
    return c->surface[0] != c->surface[1] && key_of(near, c->surface[0], c->surface[1]) == key;
}

int mb_near_count(const mb_contacts *c)
{
    const mb_near *near = c->near;
    if (near == NULL) return c->count;
    int i = near->first;
    while (i < c->most && c->key[i] != 0) i += near->stride;
    return i;
}

mb_contact mb_near_contact(const mb_contacts *c, int i)
{
    mb_contact slot[1 + MB_FEATURES_MOST];
    const int in = (i - c->near->first) % c->near->stride;
    describe(c->near, c->key[i - in], slot);
    return slot[in];
}

/* ---- bounds ---- */

static void bound_of(mb_bound *to, const mb_surface *s, const mb_pose *p)
{
    double axis[9];
    mb_turn3(to->x, p->R, s->at);
    for (int k = 0; k < 3; k++) to->x[k] += p->r[k], to->half[k] = s->shape.reach;
    if (s->shape.kind != LG_SURFACE_BOX && s->shape.kind != LG_SURFACE_CAPSULE) return;
    mb_product3(axis, p->R, s->frame);
    for (int i = 0; i < 3; i++)
        to->half[i] = s->shape.kind == LG_SURFACE_CAPSULE
                          ? s->shape.radius + s->shape.half[1] * fabs(axis[3 * i + 2])
                          : s->shape.half[0] * fabs(axis[3 * i]) + s->shape.half[1] * fabs(axis[3 * i + 1]) +
                                s->shape.half[2] * fabs(axis[3 * i + 2]);
}

static int is_ball(const mb_surface *s)
{
    return s->shape.kind == LG_SURFACE_SPHERE || s->shape.kind == LG_SURFACE_POINT;
}

/* How far the points of a surface have gone, at most: of a ball its centre. */
static double way_of(const mb_bound *from, const mb_bound *to, const mb_surface *s)
{
    double d[3], way = 0;
    for (int k = 0; k < 3; k++) {
        d[k] = to->x[k] - from->x[k];
        way = fmax(way, fabs(d[k]) + fmax(0, to->half[k] - from->half[k]));
    }
    return is_ball(s) ? sqrt(mb_dot3(d, d)) : way;
}

void mb_near_watch(const mb_plan *plan, mb_contacts *c, const mb_node *n)
{
    const mb_near *near = plan->near;
    if (near == NULL) return;
    mb_contacts *all = c->all;
    const mb_surface *s = near->m->made[MB_SURFACES];
    for (int k = 0; k < plan->bodies; k++) {
        const int b = c->body_of != NULL ? c->body_of[k] : k;
        for (int e = near->first_of[b]; e < near->first_of[b + 1]; e++) {
            const int i = near->surface[e];
            mb_bound now;
            bound_of(&now, &s[i], &n->pose[k]);
            const double way = way_of(&all->bound[i], &now, &s[i]);
            if (way <= all->bound[i].margin) continue;
            all->bound[i].way = fmax(all->bound[i].way, way);
            all->strayed = 1;
        }
    }
}

/* The speed of a body's points as far from its centre of mass as `reach`. */
static double speed_of(const mb_plan *plan, const mb_node *n, int b, double reach)
{
    double w[3];
    if (b >= plan->bodies) return 0;
    mb_mobile(w, &n->mobility[b], n->p[b].v + 3);
    return n->mobility[b].inverse_mass * sqrt(mb_dot3(n->p[b].v, n->p[b].v)) + reach * sqrt(mb_dot3(w, w));
}

/* The bounds at the node. Margins are twice what a body's velocity and weight make of them, and room for what others
 * push, unless it is `tight`. */
static void bound_all(mb_contacts *c, const mb_plan *plan, const mb_node *n, double h, int again, int tight)
{
    const mb_near *near = c->near;
    const mb_surface *s = near->m->made[MB_SURFACES];
    const double fall = h * sqrt(mb_dot3(plan->gravity, plan->gravity));
    double fastest = 0;
    for (int b = 0; b < plan->bodies; b++) fastest = fmax(fastest, speed_of(plan, n, b, 0));
    for (int e = 0; e < near->surfaces; e++) {
        const int i = near->surface[e], b = s[i].body;
        mb_bound *to = &c->bound[i];
        const double arm = sqrt(mb_dot3(s[i].at, s[i].at)) + (is_ball(&s[i]) ? 0 : s[i].shape.reach);
        bound_of(to, &s[i], &n->pose[b]);
        const double pushed = tight ? 0 : fmin(2 * h * fastest, 0.1 * s[i].shape.reach);
        to->margin = b < plan->bodies ? 2 * h * (speed_of(plan, n, b, arm) + fall) + pushed : 0;
        if (again) to->margin = fmax(to->margin, 2 * to->way);
        if (!again) to->way = 0;
    }
}

/* ---- the sweep ---- */

static double low_of(const mb_bound *b, int axis)
{
    return b->x[axis] - b->half[axis] - b->margin;
}

/* The axis along which centres are spread widest. */
static int widest(const mb_contacts *c)
{
    const mb_near *near = c->near;
    double most = -1;
    int axis = 0;
    for (int k = 0; k < 3; k++) {
        double mean = 0, spread = 0;
        for (int e = 0; e < near->surfaces; e++) mean += c->bound[near->surface[e]].x[k] / near->surfaces;
        for (int e = 0; e < near->surfaces; e++) {
            const double d = c->bound[near->surface[e]].x[k] - mean;
            spread += d * d;
        }
        if (spread > most) most = spread, axis = k;
    }
    return axis;
}

static void order_along(mb_contacts *c, int axis)
{
    for (int gap = c->near->surfaces / 2; gap > 0; gap /= 2)
        for (int i = gap; i < c->near->surfaces; i++) {
            const int own = c->order[i];
            const double low = low_of(&c->bound[own], axis);
            int k = i;
            for (; k >= gap; k -= gap) {
                const double other = low_of(&c->bound[c->order[k - gap]], axis);
                if (other < low || (other == low && c->order[k - gap] < own)) break;
                c->order[k] = c->order[k - gap];
            }
            c->order[k] = own;
        }
}

static void sort(double *x, int count)
{
    for (int gap = count / 2; gap > 0; gap /= 2)
        for (int i = gap; i < count; i++) {
            const double own = x[i];
            int k = i;
            for (; k >= gap && x[k - gap] > own; k -= gap) x[k] = x[k - gap];
            x[k] = own;
        }
}

/* 1: both may touch in the step. */
static int are_near(const mb_bound *a, const mb_bound *b, const mb_surface *s, const mb_surface *t)
{
    const double margin = a->margin + b->margin;
    double d[3];
    for (int k = 0; k < 3; k++) {
        d[k] = b->x[k] - a->x[k];
        if (fabs(d[k]) > a->half[k] + b->half[k] + margin) return 0;
    }
    const double reach = s->shape.reach + t->shape.reach + margin;
    return !is_ball(s) || !is_ball(t) || mb_dot3(d, d) <= reach * reach;
}

/* c->found: the keys of pairs, ascending. Returns their number, more than there are slots if it is too great. */
static int find(mb_contacts *c)
{
    const mb_near *near = c->near;
    const mb_surface *s = near->m->made[MB_SURFACES];
    const int axis = widest(c);
    int count = 0;
    order_along(c, axis);
    for (int p = 0; p < near->surfaces; p++) {
        const int i = c->order[p];
        const double high = c->bound[i].x[axis] + c->bound[i].half[axis] + c->bound[i].margin;
        for (int q = p + 1; q < near->surfaces; q++) {
            const int j = c->order[q];
            if (low_of(&c->bound[j], axis) > high) break;
            if (s[i].body == s[j].body || !are_near(&c->bound[i], &c->bound[j], &s[i], &s[j])) continue;
            if (!mb_pair_touches(near->m, i < j ? i : j, i < j ? j : i)) continue;
            if (count < near->slots) c->found[count] = key_of(near, i, j);
            count++;
        }
    }
    if (count <= near->slots) sort(c->found, count);
    return count;
}

/* ---- slots ---- */

/* The pairs of c->found take the slots; what was there moves with its pair. */
static void take_slots(mb_contacts *c, int count)
{
    const mb_near *near = c->near;
    const int first = near->first, stride = near->stride, last = mb_near_count(c);
    double *P = c->R, *key = c->gap;
    memcpy(P + 3 * first, c->P + 3 * first, 3 * sz(last - first) * sizeof *P);
    memcpy(key + first, c->key + first, sz(last - first) * sizeof *key);
    for (int k = 0, from = first; k < count; k++) {
        const int to = first + k * stride;
        while (from < last && key[from] < c->found[k]) from += stride;
        if (from < last && key[from] == c->found[k]) {
            memcpy(c->P + 3 * to, P + 3 * from, 3 * sz(stride) * sizeof *P);
            memcpy(c->key + to, key + from, sz(stride) * sizeof *key);
        } else {
            memset(c->P + 3 * to, 0, 3 * sz(stride) * sizeof *P);
            memset(c->key + to, 0, sz(stride) * sizeof *key);
            c->key[to] = c->found[k];
        }
        if (!is_of(near, &c->contact[to], c->found[k])) describe(near, c->found[k], &c->contact[to]);
    }
    c->count = first + count * stride;
    if (c->count < last) {
        memset(c->P + 3 * c->count, 0, 3 * sz(last - c->count) * sizeof *P);
        memset(c->key + c->count, 0, sz(last - c->count) * sizeof *key);
    }
    memset(c->force + 3 * first, 0, 3 * sz(c->most - first) * sizeof *P);
}

lg_status mb_near_begin(mb_sparse *mo, const mb_node *n, double h, int again)
{
    mb_contacts *c = mo->numbers.contacts;
    if (c->near == NULL) return LG_OK;
    bound_all(c, &mo->plan, n, h, again, 0);
    int count = find(c);
    if (count > c->near->slots) bound_all(c, &mo->plan, n, h, again, 1), count = find(c);
    c->strayed = 0;
    if (count > c->near->slots)
        return lg_fail(&mo->head.error, LG_ERROR_CONVERGENCE,
                       "lg_motion_step: t = %.10g: %d pairs of surfaces are near each other, of at most %d; take a "
                       "smaller step, or give those that never touch one group",
                       mo->t, count, c->near->slots);
    take_slots(c, count);
    return LG_OK;
}
