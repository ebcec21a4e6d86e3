/* SPDX-License-Identifier: BSD-3-Clause */
/* Steps of a motion with contacts. What comes down faster than the capture speed ends a step: a part of it is found
 * after which the first of them touches, an impact follows, and the rest of the step. */
#include "multibody/contact/events/events.h"
#include "multibody/contact/islands.h"
#include "multibody/contact/near.h"
#include "multibody/contact/sweeps.h"

#include <math.h>
#include <string.h>

#include "groups/rotation.h"

enum { MB_SEARCH_MOST = 60, MB_HALVINGS = 20 };

/* A rest of the step that is shorter than this of it is round-off of its parts: no step is so short. */
#define MB_NOTHING 1e-12

/* So much of the way to where the other side of a face strikes is made in a part. */
#define MB_FALLS 0.9

/* In a rest that is shorter than this the rounding of positions is a velocity of its own. If no impulses balance it,
 * the rest is left out: nothing moves by more than this part of its way in the step. */
#define MB_BRIEF 1e-9

/* An overlap of this, relative to the mechanism's size, is no rounding. */
#define MB_SINKS 1e-12

/* 1: it was open at the beginning of the step, and may land with an impact. */
static int is_open(const mb_sparse *mo, int i)
{
    const mb_contacts *c = mo->numbers.contacts;
    return c->contact[i].kind != MB_CONTACT_DRY && !c->rests[i] && !c->settles[i] &&
           !mb_is_closed(mo->numbers.plan, &c->contact[i], c->gap0[i]);
}

/* A part h of the step in which only what is closed acts, and what settles; 0: there is no such step. The state stays,
 * but the other node is that after it. */
static int try_part(mb_sparse *mo, double h)
{
    mb_motion *n = &mo->numbers;
    mb_contacts *c = n->contacts;
    n->t = mo->t;
    c->landing = MB_LANDING_TRIAL;
    const int failed = mb_step(n, h, 0);
    c->landing = MB_LANDING_NONE;
    if (failed) return 0;
    n->now ^= 1;
    n->history[0].known = 1; /* the next trial is near this one */
    return 1;
}

/* When gap i, which is c->gap after h, is 0, by the parabola through its beginning, and how fast it closes there; h:
 * never. */
static double foresee(mb_sparse *mo, int i, double h, double *speed)
{
    mb_motion *n = &mo->numbers;
    const mb_contacts *c = n->contacts;
    const double rate = mb_contact_rate(n, &c->contact[i], &n->node[n->now]);
    const double bend = (c->gap[i] - c->gap0[i] - rate * h) / (h * h), square = rate * rate - 4 * bend * c->gap0[i];
    *speed = sqrt(fmax(square, 0));
    return square > 0 ? 2 * c->gap0[i] / (*speed - rate) : h;
}

/* What has landed after a part h: the number of the first, and when it did; -1: nothing. What closes slower than the
 * capture speed makes no impact: it settles. */
static int first_landed(mb_sparse *mo, double h, double *when, int *settled)
{
    mb_contacts *c = mo->numbers.contacts;
    int first = -1;
    *settled = 0;
    for (int i = 0; i < c->count; i++) {
        double speed;
        if (!is_open(mo, i) || c->gap[i] >= 0) continue;
        const double s = foresee(mo, i, h, &speed);
        if (speed <= c->capture)
            c->settles[i] = *settled = 1;
        else if (first < 0 || s < *when)
            first = i, *when = s;
    }
    return first;
}

/* The rounding of gap i, which is the difference of its bodies' positions. */
static double rounding_of(const mb_sparse *mo, int i)
{
    const mb_node *n = mb_now(mo);
    const int *body = mo->numbers.contacts->contact[i].body;
    double far = 0;
    for (int s = 0; s < 2; s++) far = fmax(far, lg_length(n->pose[body[s]].r, 3));
    return 4e-16 * fmax(mo->numbers.plan->reach, far);
}

/* What trials of a landing foresee: `next` after a part `s`. */
typedef struct mb_trial {
    double s, next;
    int lands; /* -1: none was made */
} mb_trial;

/* Where two of them agree that the gap closes, between lo and hi; else where the later one foresees it. */
static double agree(const mb_trial *a, const mb_trial *b, double lo, double hi)
{
    const double of_a = a->next - a->s, of_b = b->next - b->s, s = b->s - of_b * (b->s - a->s) / (of_b - of_a);
    return a->lands == b->lands && s > lo && s < hi ? s : b->next;
}

/* What comes down fast enough to land first in a part h, as velocities are, and *when; -1: nothing. *rows: of what is
 * closed. */
static int will_land(mb_sparse *mo, double h, double *when, int *rows)
{
    mb_motion *n = &mo->numbers;
    const mb_contacts *c = n->contacts;
    const mb_node *now = &n->node[n->now];
    int first = -1;
    *when = h, *rows = 0;
    for (int i = 0; i < c->count; i++) {
        const mb_contact *k = &c->contact[i];
        const double gap = mb_contact_gap(n->plan, k, now);
        if (mb_is_closed(n->plan, k, gap)) *rows += k->rows;
        if (k->kind == MB_CONTACT_DRY || mb_is_closed(n->plan, k, gap) || mb_contact_rests(k, now)) continue;
        if (isinf(gap)) continue;
        const double speed = -mb_contact_rate(n, k, now);
        if (speed > fmax(c->capture, gap / *when)) first = i, *when = gap / speed;
    }
    return first;
}

/* The part of a step of h after which the first gap closes: where its parabola through the last trial foresees it; h:
 * none does. Each trial is nearer by orders of magnitude. The first trial is of the whole step, or, where many rows
 * act, of the part after which velocities foresee the first landing. */
static double find_landing(mb_sparse *mo, double h)
{
    mb_contacts *c = mo->numbers.contacts;
    double lo = 0, hi = h, s, next = h, speed;
    int rows, lands = will_land(mo, h, &s, &rows), struck = 0, settled;
    if (rows <= MB_DENSE_ROWS) lands = -1, s = h; /* a trial of all of it is cheap, and sees more */
    mb_trial last = {.lands = -1};
    memset(c->settles, 0, sz(c->count) * sizeof *c->settles);
    for (int i = 0; i < MB_SEARCH_MOST; i++) {
        if (!try_part(mo, s)) return s == h ? h : lo > 0 ? lo : 0.5 * s;
        const int first = first_landed(mo, s, &next, &settled);
        if (first < 0 && settled) continue; /* they act in the next trial */
        if (first < 0 && !struck && s == h) return h;
        if (first >= 0)
            lands = first, hi = s, struck = 1;
        else
            lo = s, next = foresee(mo, lands, s, &speed);
        const double exact = rounding_of(mo, lands);
        if (fabs(c->gap[lands]) <= exact || hi - lo <= 1e-16 * h) break;
        const mb_trial own = {s, next, lands};
        next = agree(&last, &own, lo, hi), last = own;
        s = next > lo && next < hi && i % 8 < 7 ? next : struck ? 0.5 * (lo + hi) : h;
    }
    return s;
}

/* The impulses of a part of the step count in the mean forces. */
static void take_forces(mb_sparse *mo)
{
    mb_contacts *c = mo->numbers.contacts;
    for (int i = 0; i < 3 * c->count; i++) c->force[i] += c->push[i] / mo->whole;
}

/* An impact at the present node; its works and reactions count. */
static lg_status strike(mb_sparse *mo)
{
    mb_motion *n = &mo->numbers;
    mb_contacts *c = n->contacts;
    c->effort = MB_NCP_WHOLE;
    if (mb_contacts_strike(n, &n->node[n->now], mo->whole))
        return lg_fail(&mo->head.error, LG_ERROR_CONVERGENCE,
                       "lg_motion_step: t = %.10g: the impulses of an impact of %d contacts were not found", mo->t,
                       c->acting);
    if (!c->struck) return LG_OK;
    double sum = 0;
    for (int i = 0; i < LG_WORKS; i++) sum += c->work[i];
    mb_add_works(mo, sum, c->work, mb_kind_at(n->plan, 0), LG_WORKS);
    for (int i = 0; i < n->plan->rows; i++) n->owed[i] += c->node[i];
    take_forces(mo);
    mb_forget(mo);
    return mb_tell_impact(mo);
}

/* 1: what was open overlaps after a part in which it did not act. Friction on redundant contacts leaves velocities
 * open, so that the part need not end where the search for the landing did. */
static int overlaps(const mb_sparse *mo)
{
    const mb_contacts *c = mo->numbers.contacts;
    for (int i = 0; i < c->count; i++)
        if (is_open(mo, i) && c->gap[i] < -MB_SINKS * mo->numbers.plan->reach) return 1;
    return 0;
}

/* A part *h of the step, or up to the apex of what an impact has thrown up and comes back in it. */
static lg_status advance(mb_sparse *mo, double *h)
{
    mb_contacts *c = mo->numbers.contacts;
    mb_save(mo, &mo->saved[3]);
    const lg_status st = mb_advance_part(mo, *h);
    if (st != LG_OK || !c->localise || !(c->apex < *h)) return st;
    mb_restore(mo, &mo->saved[3]);
    *h = c->apex, c->struck = 0;
    return mb_advance_part(mo, *h);
}

/* A step in which the other side of a face strikes goes there in parts, each of which leaves a tenth of the tilt. */
static lg_status fall(mb_sparse *mo, double h, double *done)
{
    mb_motion *n = &mo->numbers;
    mb_contacts *c = n->contacts;
    const double left = mb_face_falls(n, &n->node[n->now]);
    *done = fmin(MB_FALLS * left, MB_FALLS * h);
    if (left == 0) { /* it is there */
        memset(c->push, 0, 3 * sz(c->count) * sizeof *c->push);
        c->falls = MB_FALLS_NO_MORE;
        return LG_OK;
    }
    const lg_status st = advance(mo, done);
    if (st == LG_OK && !mb_face_flattens(n, &n->node[n->now ^ 1], &n->node[n->now])) c->falls = MB_FALLS_NO_MORE;
    return st;
}

/* After a step of *h, or instead of it: the other side of a face strikes in it. */
static lg_status begin_fall(mb_sparse *mo, double *h)
{
    mb_motion *n = &mo->numbers;
    mb_contacts *c = n->contacts;
    if (c->falls != MB_FALLS_NONE) return LG_OK;
    const int i = mb_faces_strike(n, &n->node[n->now ^ 1], &n->node[n->now]);
    if (i < 0) return LG_OK;
    mb_restore(mo, &mo->saved[3]);
    c->falls = i;
    return fall(mo, *h, h);
}

/* A part of the step, h long at most: *done says how long. After an impact another one is likely. */
static lg_status part(mb_sparse *mo, double h, double *done, int events)
{
    mb_contacts *c = mo->numbers.contacts;
    const int search = c->localise && events < c->events_most;
    double when;
    int rows;
    if (c->falls >= 0) return fall(mo, h, done);
    if (!search || events == 0 || will_land(mo, h, &when, &rows) < 0) {
        *done = h;
        const lg_status st = advance(mo, done);
        if (st != LG_OK || !search) return st;
        if (!c->landed) return begin_fall(mo, done);
        mb_restore(mo, &mo->saved[3]);
        mo->numbers.history[0].known = 1; /* the part that landed begins the search */
        h = *done;
    }
    double s = find_landing(mo, h);
    lg_status st = LG_OK;
    for (double cut = 1e-3;; cut = fmin(4 * cut, 0.5)) {
        c->landing = s < h ? MB_LANDING_PART : MB_LANDING_NONE;
        *done = s;
        st = advance(mo, done);
        if (c->landing == MB_LANDING_NONE || st != LG_OK || !overlaps(mo)) break;
        mb_restore(mo, &mo->saved[3]);
        s = (1 - cut) * *done;
    }
    const int whole = c->landing == MB_LANDING_NONE;
    c->landing = MB_LANDING_NONE;
    return st == LG_OK && whole && search ? begin_fall(mo, done) : st;
}

lg_status mb_contacts_advance_all(mb_sparse *mo, double h)
{
    mb_contacts *c = mo->numbers.contacts;
    const double least = ldexp(h, -MB_HALVINGS);
    double made = 0, length = h;
    lg_status st = LG_OK;
    c->whole = h, c->falls = MB_FALLS_NONE;
    memset(c->force, 0, 3 * sz(c->count) * sizeof *c->force);
    mb_reactions_begin(&mo->numbers, 1);
    for (int events = 0; made < h && st == LG_OK && !c->all->strayed;) {
        double done = 0;
        st = events < c->events_most ? strike(mo) : LG_OK;
        events += c->struck;
        if (st != LG_OK) break;
        length = fmin(length, h - made);
        c->effort = length < h && length <= 2 * least ? MB_NCP_WHOLE : MB_NCP_QUICK; /* else a part is halved */
        st = part(mo, length, &done, events);
        if (st == LG_OK) {
            take_forces(mo);
            mb_near_watch(mo->numbers.plan, c, mb_now(mo));
            made += done;
            if (h - made < MB_NOTHING * h) made = h;
            length = 2 * length;
        } else if ((st == LG_ERROR_CONVERGENCE || st == LG_ERROR_SINGULAR) && h - made < MB_BRIEF * h) {
            made = h, st = LG_OK;
        } else if ((st == LG_ERROR_CONVERGENCE || st == LG_ERROR_SINGULAR) && 0.5 * length >= least) {
            length *= 0.5, st = LG_OK;
        }
    }
    if (st == LG_OK) mb_contacts_meet(c, &mo->numbers.node[mo->numbers.now]);
    return st;
}

lg_status mb_contacts_impact(mb_sparse *mo)
{
    return strike(mo);
}

lg_status mb_contacts_advance(mb_sparse *mo, double h)
{
    const mb_contacts *c = mo->numbers.contacts;
    if (mo->numbers.collocation != NULL) return mb_events_advance(mo, h);
    const int coupled = mo->islands == NULL || mo->numbers.ask != NULL;
    for (int again = 0; again < MB_NEAR_MOST; again++) {
        lg_status st = mb_near_begin(mo, mb_now(mo), h, again);
        if (st != LG_OK) return st;
        st = coupled ? mb_contacts_advance_all(mo, h) : mb_islands_advance(mo, h);
        if (!c->strayed || st == LG_ERROR_CALLBACK || st == LG_ERROR_INTERRUPTED) return st;
        mb_restore(mo, &mo->saved[1]);
    }
    return lg_fail(
        &mo->head.error, LG_ERROR_CONVERGENCE,
        "lg_motion_step: t = %.10g: surfaces move farther in a step of h = %g than their velocities say; take "
        "a smaller step",
        mo->t, h);
}
