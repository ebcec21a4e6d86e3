/* SPDX-License-Identifier: BSD-3-Clause */
/* Contacts of a motion: options, starts, and what can be read of them. */
#include "multibody/contact/events/events.h"
#include "multibody/contact/landing.h"
#include "multibody/contact/near.h"
#include "multibody/contact/sweeps.h"
#include "groups/rotation.h"
#include "multibody/parts/part.h"

#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <string.h>

static mb_contacts *contacts_of(const lg_motion *motion)
{
    mb_sparse *mo = mb_of(motion);
    return mo != NULL && motion->engine != &lg_engine_dense ? mo->numbers.contacts : NULL;
}

/* ---- options ---- */

static const char *const laws[] = {"poisson", "newton", "sequential"};

const char *lg_impact_law_name(lg_impact_law law)
{
    return (int)law >= 0 && law <= LG_IMPACT_SEQUENTIAL ? laws[law] : NULL;
}

static const lg_contact_options standard = {
    .size = sizeof standard, .law = LG_IMPACT_POISSON, .capture_speed = 0.01, .localise = 1, .events = 50};
static const lg_sized options_size = LG_SIZED_AS(lg_contact_options, events, "start from lg_contact_options_default()");

void lg_contact_options_init(lg_contact_options *options, size_t size)
{
    lg_sized_give(&options_size, options, size, &standard);
}

lg_status lg_motion_set_contact(lg_motion *motion, const lg_contact_options *given)
{
    mb_sparse *mo = mb_of(motion);
    if (mo == NULL) return LG_ERROR_ARGUMENT;
    lg_error *e = &mo->head.error;
    lg_contact_options o = standard;
    lg_error_clear(e);
    if (given == NULL) return lg_fail(e, LG_ERROR_ARGUMENT, "lg_motion_set_contact: the options are NULL");
    const lg_status st = lg_sized_take(&options_size, &o, given, e);
    if (st != LG_OK) return st;
    mb_contacts *c = contacts_of(motion);
    if (c == NULL)
        return lg_fail(e, LG_ERROR_ARGUMENT,
                       "lg_motion_set_contact: the motion has no contacts; add surfaces, stops or dry friction to its "
                       "mechanism, and take the method sem or gauss");
    if (lg_impact_law_name(o.law) == NULL)
        return lg_fail(e, LG_ERROR_ARGUMENT, "lg_motion_set_contact: law %d is not an lg_impact_law", (int)o.law);
    if (!(o.capture_speed > 0) || !isfinite(o.capture_speed))
        return lg_fail(e, LG_ERROR_ARGUMENT, "lg_motion_set_contact: capture_speed is %g; it must be positive",
                       o.capture_speed);
    if (o.events < 0 || (o.localise != 0 && o.localise != 1))
        return lg_fail(e, LG_ERROR_ARGUMENT,
                       "lg_motion_set_contact: localise is %d and events %" PRId64
                       "; give 0 or 1, and no negative number",
                       o.localise, o.events);
    if (o.separate != 0 && o.separate != 1)
        return lg_fail(e, LG_ERROR_ARGUMENT, "lg_motion_set_contact: separate is %lld; give 0 or 1",
                       (long long)o.separate);
    if (o.localise == 0 && mo->numbers.collocation != NULL)
        return lg_fail(
            e, LG_ERROR_UNSUPPORTED,
            "lg_motion_set_contact: localise is 0, and a step of '%.40s' ends where something lands; give 1, "
            "or use sem",
            mo->method);
    mb_contacts_set_options(c, &o);
    return LG_OK;
}

lg_contact_options mb_contacts_options(const mb_contacts *c)
{
    lg_contact_options o = standard;
    o.law = (lg_impact_law)c->law, o.capture_speed = c->capture, o.localise = c->localise, o.events = c->events_most;
    o.separate = c->separate;
    return o;
}

void mb_contacts_set_options(mb_contacts *c, const lg_contact_options *o)
{
    c->law = (int)o->law, c->capture = o->capture_speed, c->localise = o->localise;
    c->separate = (int)o->separate;
    c->events_most = o->events < INT_MAX ? (int)o->events : INT_MAX;
}

const char *mb_contact_side(const lg_mechanism *m, const mb_contact *k, int side)
{
    if (k->wheel < 0) return lg_mechanism_surface_name(m, k->surface[side]);
    return side == 0 ? "ground" : MB_WHEEL_OF(m, k->wheel)->name;
}

/* What makes contacts of a mechanism, and its name. */
const char *mb_contact_noun(const lg_mechanism *m, const char **name)
{
    const mb_contact *k = &m->plan.contact[0];
    if (k->kind > MB_CONTACT_DRY) {
        *name = mb_contact_side(m, k, 1);
        return k->wheel >= 0 ? "wheel" : "surface";
    }
    *name = MB_JOINT_OF(m, m->plan.coordinate[k->source].joint)->name;
    return k->kind == MB_CONTACT_STOP ? "the stops of joint" : "the dry friction of joint";
}

lg_status mb_contacts_take(mb_sparse *mo, const lg_mechanism *m, const char *method)
{
    const char *name;
    if (m->plan.contacts == 0) return LG_OK;
    const char *noun = mb_contact_noun(m, &name);
    const int events = mb_method_is_gauss(method);
    const lg_status st = events ? mb_events_take(mo, m, method) : LG_OK;
    if (st != LG_OK) return st;
    if (!events && strcmp(method, "sem") != 0)
        return lg_fail(&mo->head.error, LG_ERROR_UNSUPPORTED,
                       "lg_motion_create: '%.60s' knows no contacts, as of %s '%.60s'; use sem or gauss", method, noun,
                       name);
    if (mo->h > 0) return LG_OK;
    return lg_fail(&mo->head.error, LG_ERROR_UNSUPPORTED,
                   "lg_motion_create: step h is %g, and contacts, as of %s '%.60s', run forwards only; give a positive "
                   "step",
                   mo->h, noun, name);
}

/* ---- starts ---- */

/* The joint that a stop or dry friction belongs to. */
static int joint_of(const mb_plan *plan, const mb_contact *k)
{
    return k->kind <= MB_CONTACT_DRY ? plan->coordinate[k->source].joint : -1;
}

void mb_contacts_forget(mb_contacts *c)
{
    memset(c->P, 0, 3 * sz(c->most) * sizeof *c->P);
    memset(c->force, 0, 3 * sz(c->most) * sizeof *c->force);
    memset(c->carry, 0, sz(c->totals) * sizeof *c->carry);
    if (c->keyed) memset(c->key, 0, sz(c->most) * sizeof *c->key);
    c->count = mb_near_count(c);
    c->length = c->impacts = c->gained = 0;
}

int mb_contacts_numbers(const mb_plan *plan)
{
    return plan->contacts > 0 ? 7 * plan->contacts + plan->works + 5 : 0;
}

void mb_contacts_save(const mb_contacts *c, double *to)
{
    const int present = mb_near_count(c);
    const size_t count = 3 * sz(present);
    to[0] = present, to[1] = c->length, to[2] = c->impacts, to[3] = c->gained;
    to += MB_SAVED_FIRST;
    memcpy(to, c->P, count * sizeof *to), memcpy(to + count, c->force, count * sizeof *to);
    memcpy(to + 2 * count, c->carry, sz(c->totals) * sizeof *to);
    if (c->keyed) memcpy(to + 2 * count + c->totals, c->key, sz(present) * sizeof *to);
}

void mb_contacts_restore(mb_contacts *c, const double *from)
{
    const int present = (int)from[0];
    const size_t count = 3 * sz(present), rest = sz(c->most - present);
    c->length = from[1], c->impacts = from[2], c->gained = from[3];
    from += MB_SAVED_FIRST;
    memcpy(c->P, from, count * sizeof *from), memcpy(c->force, from + count, count * sizeof *from);
    memcpy(c->carry, from + 2 * count, sz(c->totals) * sizeof *from);
    if (c->keyed) memcpy(c->key, from + 2 * count + c->totals, sz(present) * sizeof *from);
    c->count = present;
    if (c->near == NULL) return;
    memset(c->P + count, 0, 3 * rest * sizeof *c->P), memset(c->force + count, 0, 3 * rest * sizeof *c->P);
    memset(c->key + present, 0, rest * sizeof *c->key);
}

lg_status mb_contacts_check_start(mb_sparse *mo)
{
    const mb_contacts *c = mo->numbers.contacts;
    const mb_plan *plan = &mo->plan;
    const lg_status moved =
        mo->numbers.contacts != NULL && mo->numbers.contacts->separate ? mb_contacts_separate(mo) : LG_OK;
    if (moved != LG_OK) return moved;
    for (int i = 0; c != NULL && i < c->count; i++) {
        const mb_contact *k = &c->contact[i];
        const double gap = mb_contact_rests(k, mb_now(mo)) ? 0 : mb_contact_gap(plan, k, mb_now(mo));
        if (gap >= -MB_OVERLAP * plan->reach) continue;
        mo->started = 0;
        if (k->kind == MB_CONTACT_STOP)
            return lg_fail(&mo->head.error, LG_ERROR_INCONSISTENT,
                           "lg_motion_start: joint '%.60s' is at %.6g, beyond its stop at %.6g; start between the "
                           "stops, or set stops to 0",
                           MB_JOINT_OF(mo->mechanism, joint_of(plan, k))->name, k->limit + k->side * gap, k->limit);
        return lg_fail(&mo->head.error, LG_ERROR_INCONSISTENT,
                       "lg_motion_start: %s '%.60s' and '%.60s' overlap by %.3g m; start where they do not, or "
                       "let an lg_surface_pair ignore them",
                       k->wheel >= 0 ? "wheel and ground" : "surfaces", mb_contact_side(mo->mechanism, k, 0),
                       mb_contact_side(mo->mechanism, k, 1), -gap);
    }
    return LG_OK;
}

lg_status mb_contacts_explain(mb_sparse *mo, double h)
{
    const mb_contacts *c = mo->numbers.contacts;
    int acting = 0, rows = 0;
    for (int i = 0; i < c->count; i++)
        if (c->acts[i]) acting++, rows += c->contact[i].rows;
    if (rows > c->rows_most)
        return lg_fail(&mo->head.error, LG_ERROR_CONVERGENCE,
                       "lg_motion_step: t = %.10g: %d contacts with %d rows act at once, of at most %d; describe "
                       "surfaces with fewer points, or leave out friction",
                       mo->t, acting, rows, c->rows_most);
    if (c->overlaps >= 0)
        return lg_fail(
            &mo->head.error, LG_ERROR_CONVERGENCE,
            "lg_motion_step: t = %.10g: surfaces '%.60s' and '%.60s' overlap by %.3g m after a step of h = %g; "
            "take a smaller step, and give terrain walls where bodies come below its border",
            mo->t, mb_contact_side(mo->mechanism, &c->contact[c->overlaps], 0),
            mb_contact_side(mo->mechanism, &c->contact[c->overlaps], 1), -c->gap[c->overlaps], h);
    return lg_fail(&mo->head.error, LG_ERROR_CONVERGENCE,
                   "lg_motion_step: t = %.10g: the impulses of %d contacts were not found with h = %g; take a smaller "
                   "step, allow halvings of a step, or give them less friction",
                   mo->t, acting, h);
}

/* ---- reading ---- */

int64_t lg_motion_impacts(const lg_motion *motion)
{
    const mb_contacts *c = contacts_of(motion);
    return c != NULL ? (int64_t)c->impacts : mb_of(motion) != NULL ? 0 : -1;
}

double lg_motion_impact_gain(const lg_motion *motion)
{
    const mb_contacts *c = contacts_of(motion);
    return c != NULL ? c->gained : mb_of(motion) != NULL ? 0 : NAN;
}

int lg_motion_contact_count(const lg_motion *motion)
{
    const mb_contacts *c = contacts_of(motion);
    return c != NULL ? mb_near_count(c) : 0;
}

/* The velocities of its rows at a node. */
static void slip_of(const mb_sparse *mo, const mb_contact *k, const mb_node *n, const mb_pair *row, double *u)
{
    for (int i = 0; i < k->rows; i++) {
        u[i] = 0;
        for (int s = 0; s < 2; s++) {
            const int b = k->body[s];
            double w[3];
            if (b >= mo->plan.bodies) {
                u[i] += mb_dot6(row[2 * i + s].v, n->given[b - mo->plan.bodies].v);
                continue;
            }
            mb_mobile(w, &n->mobility[b], n->p[b].v + 3);
            u[i] += n->mobility[b].inverse_mass * mb_dot(row[2 * i + s].v, n->p[b].v) + mb_dot(row[2 * i + s].v + 3, w);
        }
    }
}

lg_status lg_motion_contact(const lg_motion *motion, lg_contact_state *state, int i)
{
    const mb_contacts *c = contacts_of(motion);
    const mb_sparse *mo = mb_of(motion);
    if (c == NULL || state == NULL || i < 0 || i >= mb_near_count(c) || !mo->started) return LG_ERROR_ARGUMENT;
    const mb_node *n = mb_now(mo);
    mb_contact whole = mb_contact_at(c, i, n);
    const mb_contact *k = &whole;
    const mb_site site = {NULL, n->pose, n->pose, n->pose, n->q, n->q, NULL};
    mb_pair row[MB_CONTACT_PARTS];
    double u[3] = {0}, fastest = 0;
    memset(state, 0, sizeof *state);
    whole.along = 1;
    state->joint = joint_of(&mo->plan, k);
    for (int s = 0; s < 2; s++) state->surface[s] = state->joint >= 0 ? -1 : k->surface[s];
    const int rests = mb_contact_rests(k, n);
    state->wheel = k->wheel;
    state->gap = rests ? INFINITY : mb_contact_gap(&mo->plan, k, n);
    if (k->kind == MB_CONTACT_EMPTY) return LG_OK;
    mb_contact_rows(&mo->plan, k, row, &site);
    slip_of(mo, k, n, row, u);
    memcpy(state->force, c->force + 3 * i, sizeof state->force);
    if (state->joint >= 0) {
        state->slip[0] = k->side * u[0];
    } else {
        mb_contact_where(k, n, state->point, state->normal);
        for (int t = 1; t < k->rows; t++)
            for (int x = 0; x < 3; x++) state->slip[x] += u[t] * row[2 * t + 1].v[x];
    }
    for (int b = 0; b < mo->plan.bodies; b++)
        fastest = fmax(fastest, n->mobility[b].inverse_mass * lg_length(n->p[b].v, 3));
    const int closed = k->kind == MB_CONTACT_DRY || mb_is_closed(&mo->plan, k, state->gap);
    const double slip = k->kind == MB_CONTACT_STOP ? 0 : lg_length(state->slip, 3);
    state->mode = !closed                                    ? LG_CONTACT_OPEN
                  : slip > 1e-9 * (fastest + mo->plan.reach) ? LG_CONTACT_SLIPS
                                                             : LG_CONTACT_STICKS;
    return LG_OK;
}
