/* SPDX-License-Identifier: BSD-3-Clause */
/* Derivatives with respect to parameters of a mechanism. */
#include "multibody/vary.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include <liegrp/multibody/parameters.h>

#include "base/differences.h"
#include "multibody/activation.h"

enum { POINTS = 8, TRIES = 3 };

#define VARY_PART   0x1p-7 /* how far apart points are, in units of a parameter's scale */
#define VARY_APART  1e-6   /* derivatives of two orders differ by more where steps are no smooth function */
#define VARY_ROUNDS 1e-11  /* of a velocity: what that may be rounding */

/* Where a function is evaluated, in units of the distance, and the weights of its derivative, and of one of lower
 * order: on both sides; or, less its value here, on one side. */
typedef struct vary_rule {
    int offset[POINTS];
    double weight[POINTS], low[POINTS];
} vary_rule;

static const double central[] = {LG_CENTRAL_8}, central_low[] = {LG_CENTRAL_6, 0};

static vary_rule vary_rule_of(int side)
{
    static const double forward[] = {8, -14, 56.0 / 3, -17.5, 11.2, -14.0 / 3, 8.0 / 7, -0.125};
    static const double forward_low[] = {7, -10.5, 35.0 / 3, -8.75, 4.2, -7.0 / 6, 1.0 / 7, 0};
    vary_rule r;
    for (int j = 0; j < POINTS; j++) {
        const int half = POINTS / 2, at = j < half ? j - half : j - half + 1;
        r.offset[j] = side != 0 ? side * (j + 1) : at;
        r.weight[j] = side != 0 ? side * forward[j] : at > 0 ? central[at - 1] : -central[-at - 1];
        r.low[j] = side != 0 ? side * forward_low[j] : at > 0 ? central_low[at - 1] : -central_low[-at - 1];
    }
    return r;
}

/* One parameter. */
typedef struct vary_one {
    int parameter;
    double distance;
    vary_rule rule;
    lg_mechanism *mechanism[POINTS];
    mb_sparse *motion[POINTS];
} vary_one;

struct mb_variation {
    const lg_mechanism *mechanism;
    int changes; /* of the motion's mechanism, when it was made */
    int count;
    vary_one *one;
};

/* ---- neighbours ---- */

static void vary_empty(vary_one *o)
{
    for (int j = 0; j < POINTS; j++) {
        mb_sparse_destroy(o->motion[j]), lg_mechanism_destroy(o->mechanism[j]);
        o->motion[j] = NULL, o->mechanism[j] = NULL;
    }
}

/* 1: states of one are states of the other, and so are the rows that are kept. */
static int vary_alike(const mb_plan *a, const mb_plan *b)
{
    const int whole = (a->whole != NULL ? a->whole->rows : 0) - (b->whole != NULL ? b->whole->rows : 0);
    return a->bodies == b->bodies && a->rotors == b->rotors && a->rows == b->rows && whole == 0 &&
           a->holonomic_rows == b->holonomic_rows && a->coordinates == b->coordinates && a->controls == b->controls &&
           a->grounds == b->grounds && a->contacts == b->contacts;
}

/* The mechanism with parameter i changed to a value, and a motion of it. */
static lg_status vary_neighbour(const mb_sparse *mo, lg_mechanism **m, mb_sparse **motion, int i, double value,
                                char *why)
{
    lg_status st = mb_describe_again(m, mo->mechanism);
    if (st != LG_OK) return st;
    mb_set_number(*m, i, value);
    st = lg_mechanism_compile(*m);
    (void)snprintf(why, LG_MESSAGE_SIZE, "%s", lg_mechanism_message(*m));
    if (st != LG_OK) return st;
    if (!vary_alike(&(*m)->plan, &mo->mechanism->plan)) {
        (void)snprintf(why, LG_MESSAGE_SIZE, "the mechanism has other rows or contacts there");
        return LG_ERROR_UNSUPPORTED;
    }
    st = mb_sparse_create(motion, *m, mo->method[0] != '\0' ? mo->method : NULL, mo->h);
    if (st == LG_OK) st = mb_sparse_start(*motion, 0, NULL, NULL, 1);
    if (st != LG_OK && *motion != NULL) (void)snprintf(why, LG_MESSAGE_SIZE, "%s", (*motion)->head.error.message);
    return st;
}

/* Neighbours at all points; on failure `why` says what is wrong with one of them. */
static lg_status vary_surround(vary_one *o, const mb_sparse *mo, int i, int side, double distance, char *why)
{
    const double value = lg_mechanism_parameter_value(mo->mechanism, i);
    lg_status st = LG_OK;
    o->parameter = i, o->distance = distance, o->rule = vary_rule_of(side);
    for (int n = 0; n < POINTS && st == LG_OK; n++) {
        const int j = n % 2 == 0 ? n / 2 : POINTS - 1 - n / 2; /* from outside inwards: those are refused first */
        st = vary_neighbour(mo, &o->mechanism[j], &o->motion[j], i, value + o->rule.offset[j] * distance, why);
    }
    if (st != LG_OK) vary_empty(o);
    return st;
}

static lg_status vary_choose(vary_one *o, mb_sparse *mo, int i, const char *who)
{
    static const int side[] = {0, 1, -1};
    char why[LG_MESSAGE_SIZE] = "", name[80];
    double distance = VARY_PART * mb_parameter_scale(mo->mechanism, i);
    for (int n = 0; n < TRIES; n++, distance /= 16)
        for (int s = 0; s < 3; s++) {
            const lg_status st = vary_surround(o, mo, i, side[s], distance, why);
            if (st == LG_OK) return LG_OK;
            if (st == LG_ERROR_MEMORY) return lg_fail(&mo->head.error, st, "%s: out of memory", who);
        }
    (void)lg_mechanism_parameter_name(mo->mechanism, name, sizeof name, i);
    return lg_fail(&mo->head.error, LG_ERROR_UNSUPPORTED,
                   "%s: there is no derivative with respect to %s = %.10g: mechanisms next to this one are refused: "
                   "%.200s",
                   who, name, lg_mechanism_parameter_value(mo->mechanism, i), why);
}

/* ---- the object ---- */

static lg_status vary_refuse(mb_sparse *mo, const int *which, int count, const char *who)
{
    const int all = lg_mechanism_parameter_count(mo->mechanism);
    char name[80];
    lg_error_clear(&mo->head.error);
    if (count < 1 || which == NULL)
        return lg_fail(&mo->head.error, LG_ERROR_ARGUMENT, "%s: %s", who,
                       count < 1 ? "no parameter is named" : "the list of parameters is NULL");
    for (int i = 0; i < count; i++) {
        if (which[i] < 0 || which[i] >= all)
            return lg_fail(&mo->head.error, LG_ERROR_ARGUMENT,
                           "%s: there is no parameter number %d; the mechanism has %d, from 0, which "
                           "lg_mechanism_parameter_name() names",
                           who, which[i], all);
        for (int j = 0; j < i; j++) {
            if (which[j] != which[i]) continue;
            (void)lg_mechanism_parameter_name(mo->mechanism, name, sizeof name, which[i]);
            return lg_fail(&mo->head.error, LG_ERROR_ARGUMENT, "%s: parameter %s is named twice", who, name);
        }
    }
    if (mo->mechanism->plan.contacts == 0) return LG_OK;
    const char *part, *noun = mb_contact_noun(mo->mechanism, &part);
    return lg_fail(&mo->head.error, LG_ERROR_UNSUPPORTED,
                   "%s: contacts, as of %s '%.60s', open and close; derivatives with respect to parameters are of "
                   "mechanisms without surfaces, stops and dry friction",
                   who, noun, part);
}

lg_status mb_vary_create(mb_variation **v, mb_sparse *mo, const int *which, int count, const char *who)
{
    lg_status st = vary_refuse(mo, which, count, who);
    *v = NULL;
    if (st != LG_OK) return st;
    const size_t head = lg_aligned(sizeof **v);
    mb_variation *o = lg_reserve(head + sz(count) * sizeof *o->one);
    if (o == NULL) return lg_fail(&mo->head.error, LG_ERROR_MEMORY, "%s: out of memory", who);
    o->mechanism = mo->mechanism, o->changes = mo->changes, o->one = (vary_one *)(void *)((char *)o + head);
    for (; o->count < count && st == LG_OK; o->count++) st = vary_choose(&o->one[o->count], mo, which[o->count], who);
    if (st != LG_OK)
        mb_vary_destroy(o);
    else
        *v = o;
    return st;
}

void mb_vary_destroy(mb_variation *v)
{
    for (int i = 0; v != NULL && i < v->count; i++) vary_empty(&v->one[i]);
    lg_release(v);
}

int mb_vary_fits(const mb_variation *v, const mb_sparse *mo)
{
    return v->mechanism == mo->mechanism && v->changes == mo->changes;
}

/* ---- columns ---- */

/* L->near <- coordinates of the motion, in the neighbour's order: of coordinates that no force needs the order differs.
 */
static void vary_near(mb_linear *L)
{
    const mb_plan *from = &L->mo->plan, *to = &L->copy->plan;
    for (int c = 0; c < to->coordinates; c++) {
        int k = c; /* where it is in most cases */
        while (from->coordinate[k].joint != to->coordinate[c].joint ||
               from->coordinate[k].position != to->coordinate[c].position)
            k = k + 1 < from->coordinates ? k + 1 : 0;
        L->near[c] = mb_now(L->mo)->q[k];
    }
}

/* L's copy, a motion of the neighbour, gets what the motion has in addition to its mechanism. */
static lg_status vary_follow(mb_linear *L)
{
    const mb_sparse *mo = L->mo;
    mb_sparse *c = L->copy;
    c->h = mo->h, c->scale = mo->scale, c->pivot = mo->pivot, c->halvings = 0;
    mb_linear_copy_choice(L);
    vary_near(L);
    mb_copy_controls(c, mo);
    return mb_sparse_set_wrench(c, mo->wrench, mo->context);
}

/* L->to <- less what the nominal state after the step changes by where it is projected onto the neighbour: that is what
 * D of the next node says. Projections of mechanisms that roll move along deviations, too. */
static lg_status vary_less_offset(mb_linear *L)
{
    mb_linear end = *L->end;
    end.copy = L->copy, end.other = 1, end.who = L->who, end.after = L->after;
    memset(end.z, 0, 2 * sz(L->n) * sizeof *end.z);
    vary_near(&end);
    const lg_status st = mb_linear_place(&end, end.z, 0);
    if (st != LG_OK) return lg_fail(&L->mo->head.error, st, "%s", end.mo->head.error.message);
    mb_linear_read(&end);
    for (int d = 0; d < 2 * L->n; d++) L->to[d] -= end.to[d];
    return LG_OK;
}

/* The state of L's copy next to the present one, read; with a step also L->to, by how much the state after it differs
 * from the nominal one, less what D says. */
static lg_status vary_point(mb_linear *L, double *q, int step)
{
    lg_status st = vary_follow(L);
    if (st != LG_OK) return lg_fail(&L->mo->head.error, st, "%s: %s", L->who, L->copy->head.error.message);
    memset(L->z, 0, 2 * sz(L->n) * sizeof *L->z);
    st = mb_linear_place(L, L->z, 0);
    if (st == LG_OK) st = lg_motion_positions(&L->copy->head, q, q + L->mo->positions);
    if (st == LG_OK && step) st = mb_linear_advance(L);
    return st == LG_OK && step ? vary_less_offset(L) : st;
}

/* Refuses twists of two orders that disagree: steps next to this one take other branches, or depend on the parameter
 * too strongly. */
static lg_status vary_judge(const vary_one *o, const mb_linear *L, const double *high, const double *here)
{
    double apart = 0, size = 0, speed = 0;
    char name[80];
    for (int d = 0; d < L->n; d++) {
        apart = fmax(apart, fabs(high[d] - L->low[d]));
        size = fmax(size, fabs(high[d])), speed = fmax(speed, fabs(here[d]));
    }
    if (apart <= VARY_APART * size + VARY_ROUNDS * speed / o->distance) return LG_OK;
    (void)lg_mechanism_parameter_name(L->mo->mechanism, name, sizeof name, o->parameter);
    return lg_fail(
        &L->mo->head.error, LG_ERROR_SINGULAR,
        "%s: t = %.10g: there is no derivative with respect to %s: differences of two orders are %.2g apart, "
        "of %.2g; steps are no smooth function of the parameter within %.2g of it",
        L->who, L->mo->t, name, apart, size, POINTS * o->distance);
}

static lg_status vary_column(const vary_one *o, mb_linear *L, double *P, double *D, int i, int count)
{
    const int positions = L->mo->positions, n = L->n;
    double *sum = L->sum, *read = L->read, *q = read + 2 * positions, *here = L->from;
    mb_sparse *own = L->copy;
    lg_status st = LG_OK;
    memset(sum, 0, 2 * sz(n) * sizeof *sum), memset(read, 0, 2 * sz(positions) * sizeof *read);
    memset(L->low, 0, sz(n) * sizeof *L->low);
    if (P != NULL) mb_linear_twists(L, here, mb_now(L->end->mo));
    for (int j = 0; j < POINTS && st == LG_OK; j++) {
        const double w = o->rule.weight[j] / o->distance, low = o->rule.low[j] / o->distance;
        L->copy = o->motion[j], L->other = 1;
        st = vary_point(L, q, P != NULL);
        for (int d = 0; P != NULL && d < n; d++) {
            sum[d] += w * L->to[d], sum[n + d] += w * L->to[n + d], L->low[d] += low * L->to[n + d];
        }
        for (int d = 0; d < 2 * positions; d++) read[d] += w * (q[d] - L->now[d]);
    }
    L->copy = own, L->other = 0;
    if (st == LG_OK && P != NULL) st = vary_judge(o, L, sum + n, here);
    if (st == LG_OK && P != NULL) mb_linear_column(L, P, i, count);
    for (int d = 0; D != NULL && d < 2 * positions; d++) D[d * count + i] = read[d];
    return st;
}

lg_status mb_vary_columns(const mb_variation *v, mb_linear *L, double *P, double *D)
{
    lg_status st = lg_motion_positions(&L->mo->head, L->now, L->now + L->mo->positions);
    for (int i = 0; i < v->count && st == LG_OK; i++) st = vary_column(&v->one[i], L, P, D, i, v->count);
    return st;
}
