/* SPDX-License-Identifier: BSD-3-Clause */
/* Which contacts are held through a step, and where there is an event in it. */
#include "multibody/contact/held.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "groups/rotation.h"
#include "multibody/contact/landing.h"
#include "multibody/contact/sweeps.h"
#include "multibody/parts/part.h"

/* Tangents slip if their velocity is above this part of the fastest point's. */
#define HELD_SLIPS 1e-9

/* A disc is reached if less than this of its radius is left. */
#define HELD_EDGE 1e-9

/* Impulses of tangents at a node that are below this part of the disc's radius are rounding. */
#define HELD_NOTHING 1e-13

/* The contact in words: "ball on ground", "the stop of joint knee". */
static void held_name(char *to, size_t size, const lg_mechanism *m, const mb_contact *k)
{
    if (k->kind > MB_CONTACT_DRY) {
        (void)snprintf(to, size, "'%.40s' on '%.40s'", mb_contact_side(m, k, 1), mb_contact_side(m, k, 0));
        return;
    }
    (void)snprintf(to, size, "the %s of joint '%.60s'", k->kind == MB_CONTACT_STOP ? "stop" : "dry friction",
                   MB_JOINT_OF(m, m->plan.coordinate[k->source].joint)->name);
}

static lg_status held_refuse(mb_sparse *before, lg_status st, const mb_contact *k, const char *who, const char *what)
{
    char name[128];
    held_name(name, sizeof name, before->mechanism, k);
    return lg_fail(&before->head.error, st, "%s: in the step from t = %.10g contact %s %s", who, before->t, name, what);
}

/* The velocity of the tangents, or of dry friction, at a node. */
static double held_slip(const mb_plan *plan, const mb_contact *k, const mb_node *n)
{
    const mb_site site = {NULL, n->pose, n->pose, n->pose, n->q, n->q, NULL};
    const int first = k->kind == MB_CONTACT_DRY ? 0 : 1;
    mb_pair row[MB_CONTACT_PARTS];
    double square = 0, w[3];
    mb_contact_rows(plan, k, row, &site);
    for (int i = first; i < k->rows; i++) {
        double u = 0;
        for (int s = 0; s < 2; s++) {
            const int b = k->body[s];
            if (b < plan->bodies) mb_mobile(w, &n->mobility[b], n->p[b].v + 3);
            u += b >= plan->bodies ? mb_dot6(row[2 * i + s].v, n->given[b - plan->bodies].v)
                                   : n->mobility[b].inverse_mass * mb_dot(row[2 * i + s].v, n->p[b].v) +
                                         mb_dot(row[2 * i + s].v + 3, w);
        }
        square += u * u;
    }
    return sqrt(square);
}

/* The speed of the fastest point, or what gravity makes of it in a step. */
static double held_speed(const mb_plan *plan, const mb_node *n, double h)
{
    double fastest = 0, w[3];
    for (int b = 0; b < plan->bodies; b++) {
        mb_mobile(w, &n->mobility[b], n->p[b].v + 3);
        fastest = fmax(fastest, lg_length(n->p[b].v, 3) * n->mobility[b].inverse_mass + plan->reach * lg_length(w, 3));
    }
    return fastest + h * lg_length(plan->gravity, 3);
}

/* What the tangents do in the step. */
static mb_grip held_in_step(const mb_contact *k, const double *P, double h)
{
    if (k->kind == MB_CONTACT_DRY) return fabs(P[0]) < k->bound * h * (1 - HELD_EDGE) ? MB_GRIP_STICKS : MB_GRIP_GIVEN;
    if (k->rows == 1) return MB_GRIP_NONE;
    if (k->viscous > 0) return MB_GRIP_VISCOUS;
    return lg_length(P + 1, 2) < k->friction * P[0] * (1 - HELD_EDGE) ? MB_GRIP_STICKS : MB_GRIP_SLIPS;
}

/* What they do at its end. */
static mb_grip held_at_node(const mb_held *o, double h)
{
    const mb_contact *k = o->contact;
    const double R[3] = {o->P[0] + o->Q[0], o->P[1] + o->Q[1], o->P[2] + o->Q[2]};
    if (k->kind == MB_CONTACT_DRY || k->rows == 1 || k->viscous > 0)
        return o->step == MB_GRIP_VISCOUS ? MB_GRIP_GIVEN : held_in_step(k, R, h);
    if (o->step == MB_GRIP_SLIPS && lg_length(o->Q + 1, 2) <= HELD_NOTHING * k->friction * o->P[0])
        return MB_GRIP_GIVEN;
    return held_in_step(k, R, h);
}

/* What is the matter with a contact that slips or sticks in one part of the step alone; NULL: nothing. */
static const char *held_event(const mb_held *o, double slip, double least)
{
    const int sticks = o->step == MB_GRIP_STICKS;
    if (o->step == MB_GRIP_NONE || o->step == MB_GRIP_VISCOUS) return NULL;
    if (sticks && slip > least) return "comes to stick";
    if (!sticks && slip <= least) return "begins to slip";
    if (sticks && o->node != MB_GRIP_STICKS) return "begins to slip";
    if (!sticks && o->node == MB_GRIP_STICKS) return "comes to stick";
    return NULL;
}

/* What is the matter with contact i, which may be closed; "" if it is open throughout. */
static const char *held_opens(const mb_contacts *c, const mb_plan *plan, int i)
{
    const int begins = mb_is_closed(plan, &c->contact[i], c->gap0[i]), ends = c->acts[i];
    const double P = c->P[3 * i];
    if (c->contact[i].kind == MB_CONTACT_DRY) return NULL;
    if (!begins) return P > 0 || ends ? "lands" : "";
    if (c->rests[i]) return "";
    if (!ends) return "opens";
    return P > 0 ? NULL : "bears no load, so that it opens or stays closed";
}

/* Something struck, or the step was made in parts: the contact that acted and is open again, or another one. */
static lg_status held_parts(mb_sparse *before, const mb_contacts *c, const char *who)
{
    int found = -1;
    for (int i = 0; i < c->count; i++)
        if (found < 0 || (lg_length(c->force + 3 * i, 3) > 0 && c->P[3 * i] == 0)) found = i;
    return held_refuse(before, LG_ERROR_SINGULAR, &c->contact[found], who,
                       "or another one lands or strikes, or the step is made in parts: there is no derivative");
}

/* The contact as it is held; LG_OK without a contact: it is open. */
static lg_status held_look(mb_sparse *before, const mb_sparse *after, int i, mb_held *o, const char *who)
{
    const mb_contacts *c = after->numbers.contacts;
    const mb_node *n0 = &after->numbers.node[after->numbers.now ^ 1];
    const mb_contact *k = &c->contact[i];
    const char *why = held_opens(c, &after->plan, i);
    char text[160];
    o->contact = NULL;
    if (why != NULL && *why == '\0') return LG_OK;
    if (k->kind >= MB_CONTACT_RIM)
        return held_refuse(before, LG_ERROR_UNSUPPORTED, k, who,
                           "is one of shapes without a derivative; those of points, balls and round shapes on planes "
                           "and of balls have one");
    o->contact = k;
    memcpy(o->P, c->P + 3 * i, sizeof o->P), memset(o->Q, 0, sizeof o->Q);
    for (int a = 0; a < c->acting; a++)
        if (c->which[a] == i) memcpy(o->Q, c->x + c->row_of[a], sz(k->rows) * sizeof *o->Q);
    o->step = held_in_step(k, o->P, after->h), o->node = held_at_node(o, after->h);
    if (why == NULL)
        why = held_event(o, held_slip(&after->plan, k, n0), HELD_SLIPS * held_speed(&after->plan, n0, after->h));
    if (why == NULL) return LG_OK;
    (void)snprintf(text, sizeof text, "%s: there is no derivative", why);
    return held_refuse(before, LG_ERROR_SINGULAR, k, who, text);
}

lg_status mb_held_find(mb_sparse *before, const mb_sparse *after, mb_held *held, int *count, const char *who)
{
    const mb_contacts *c = after->numbers.contacts;
    int rows = 0;
    *count = 0;
    if (c->keyed)
        return lg_fail(&before->head.error, LG_ERROR_UNSUPPORTED,
                       "%s: more than 1000 pairs of surfaces may touch; describe fewer", who);
    if (c->length != after->h || c->struck || c->impacts > 0) return held_parts(before, c, who);
    for (int i = 0; i < c->count; i++) {
        const lg_status st = held_look(before, after, i, &held[*count], who);
        if (st != LG_OK) return st;
        if (held[*count].contact == NULL) continue;
        rows += c->contact[i].rows;
        if (c->paired)
            return held_refuse(before, LG_ERROR_UNSUPPORTED, &c->contact[i], who,
                               "is closed, and nothing that is closed has friction; give it some");
        ++*count;
    }
    if (rows <= MB_DENSE_ROWS) return LG_OK;
    return lg_fail(&before->head.error, LG_ERROR_UNSUPPORTED,
                   "%s: contacts with %d rows are closed; there are derivatives for %d", who, rows, MB_DENSE_ROWS);
}

int mb_held_alike(const mb_held *a, int a_count, const mb_held *b, int b_count)
{
    if (a_count != b_count) return 0;
    for (int i = 0; i < a_count; i++)
        if (a[i].step != b[i].step || a[i].node != b[i].node || a[i].contact->source != b[i].contact->source) return 0;
    return 1;
}
