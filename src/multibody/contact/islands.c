/* SPDX-License-Identifier: BSD-3-Clause */
#include "multibody/contact/islands.h"
#include "multibody/contact/sweeps.h"

#include <math.h>
#include <string.h>

/* Impacts of islands that are nearer than this of the step are one. */
#define MB_AT_ONCE 1e-9

/* Newton's matrix of free bodies is diagonal (saddle.c). */
static void carve_saddle(mb_islands *I, lg_arena *a, int bodies)
{
    mb_saddle *s = &I->one.plan.saddle;
    mb_symbolic *f = &s->factor;
    int **const of[] = {&f->block, &f->first, &f->row, &f->value, &f->diagonal, &f->target, &f->target_at, &s->rows};
    for (size_t i = 0; i < sizeof of / sizeof *of; i++) *of[i] = lg_take(a, (sz(bodies) + 1) * sizeof(int));
    s->body = f->diagonal;
    for (int b = 0; b < bodies && a->base != NULL; b++) f->block[b] = b, f->diagonal[b] = 36 * b, s->rows[b] = 6;
}

mb_islands *mb_islands_carve(lg_arena *a, const mb_sparse *mo)
{
    const mb_plan *plan = &mo->plan;
    if (!mb_is_free(plan)) return NULL;
    mb_islands local = {0}, *home = mb_take(a, sizeof *home), *I = home != NULL ? home : &local;
    const size_t bodies = sz(plan->bodies), contacts = sz(plan->contacts);
    I->one.plan = *plan, I->one.mechanism = mo->mechanism;
    mb_motion_carve(&I->one.numbers, a, &I->one.plan, 1);
    I->one.numbers.contacts = mb_contacts_carve(a, plan);
    mb_saved_carve(&I->one.saved[0], a, plan), mb_saved_carve(&I->one.saved[3], a, plan);
    I->one.impacts = lg_take(a, contacts * sizeof *I->one.impacts);
    I->one.motor_work = lg_take_doubles(a, sz(plan->works));
    carve_saddle(I, a, plan->bodies);
    I->one.choice.plan = &I->one.plan, I->one.choice.base = &I->one.plan;
    I->mass = lg_take_doubles(a, bodies), I->weight = lg_take_doubles(a, bodies);
    I->inertia = lg_take_doubles(a, 9 * bodies), I->inverse_inertia = lg_take_doubles(a, 9 * bodies);
    I->number = lg_take(a, contacts * sizeof *I->number);
    int **const of_bodies[] = {&I->root, &I->member, &I->next_member, &I->touching, &I->place, &I->due, &I->body};
    for (size_t i = 0; i < sizeof of_bodies / sizeof *of_bodies; i++)
        *of_bodies[i] = lg_take(a, (bodies + 1) * sizeof(int));
    I->next_touching = lg_take(a, contacts * sizeof *I->next_touching);
    I->work = lg_take_doubles(a, LG_WORKS * bodies), I->gained = lg_take_doubles(a, bodies);
    I->impulse = lg_take_doubles(a, sz(mb_contacts_numbers(plan)));
    I->strikes_most = 4 * plan->contacts + 256;
    I->struck = lg_take(a, sz(I->strikes_most) * sizeof *I->struck);
    I->one.plan.mass = I->mass, I->one.plan.weight = I->weight;
    I->one.plan.inertia = I->inertia, I->one.plan.inverse_inertia = I->inverse_inertia;
    if (home == NULL) return home;
    mb_contacts *own = I->one.numbers.contacts;
    own->number = I->number, own->body_of = I->body, own->all = mo->numbers.contacts, own->near = NULL;
    return home;
}

/* ---- which bodies are one island ---- */

static int root_of(mb_islands *I, int b)
{
    while (I->root[b] != b) b = I->root[b] = I->root[I->root[b]];
    return b;
}

/* The islands of both bodies become one. 1: they were two. */
static int join(mb_islands *I, const mb_contact *c, int bodies)
{
    if (c->body[0] >= bodies || c->body[1] >= bodies) return 0;
    const int a = root_of(I, c->body[0]), b = root_of(I, c->body[1]);
    if (a == b) return 0;
    I->root[a > b ? a : b] = a < b ? a : b;
    I->due[a] = I->due[b] = 1;
    return 1;
}

/* What is closed at the beginning of the step joins, and what will be soon as velocities are. */
static void begin(mb_sparse *mo, double h)
{
    mb_islands *I = mo->islands;
    const mb_contacts *c = mo->numbers.contacts;
    const mb_node *n = mb_now(mo);
    double way = 0; /* most gaps are greater */
    for (int b = 0; b < mo->plan.bodies; b++) {
        I->root[b] = b, I->due[b] = 1;
        way = fmax(way, 4 * h * sqrt(mb_dot(n->p[b].v, n->p[b].v)) / mo->plan.mass[b]);
    }
    for (int i = 0; i < c->count; i++) {
        const mb_contact *k = &c->contact[i];
        if (k->body[0] >= mo->plan.bodies || k->body[1] >= mo->plan.bodies) continue;
        const double gap = mb_contact_gap(&mo->plan, k, n);
        if (mb_is_closed(&mo->plan, k, gap) || (gap < way && gap + h * mb_contact_rate(&mo->numbers, k, n) < 0))
            (void)join(I, k, mo->plan.bodies);
    }
    I->strikes = 0;
}

/* What overlaps at the end of the step joins. 1: something did. */
static int meet(mb_sparse *mo)
{
    mb_islands *I = mo->islands;
    const mb_contacts *c = mo->numbers.contacts;
    const mb_node *n1 = &mo->numbers.node[mo->numbers.now ^ 1];
    int joined = 0;
    for (int i = 0; i < c->count; i++) {
        const mb_contact *k = &c->contact[i];
        if (k->body[0] >= mo->plan.bodies || k->body[1] >= mo->plan.bodies ||
            root_of(I, k->body[0]) == root_of(I, k->body[1]))
            continue;
        if (!mb_contact_rests(k, mb_now(mo)) && mb_contact_gap(&mo->plan, k, n1) < 0)
            joined |= join(I, k, mo->plan.bodies);
    }
    return joined;
}

/* The bodies and contacts of each island. Returns the number of islands. */
static int list(mb_sparse *mo)
{
    mb_islands *I = mo->islands;
    const mb_contacts *c = mo->numbers.contacts;
    const int bodies = mo->plan.bodies;
    int count = 0;
    for (int b = 0; b < bodies; b++) I->member[b] = I->touching[b] = -1;
    for (int b = bodies - 1; b >= 0; b--) {
        const int r = root_of(I, b);
        I->next_member[b] = I->member[r], I->member[r] = b;
        count += r == b;
    }
    for (int i = c->count - 1; i >= 0; i--) {
        const int *body = c->contact[i].body, r = root_of(I, body[body[1] >= bodies ? 0 : 1]);
        if (body[0] < bodies && body[1] < bodies && root_of(I, body[0]) != r) continue;
        I->next_touching[i] = I->touching[r], I->touching[r] = i;
    }
    return count;
}

/* ---- the step of one island ---- */

/* One body becomes number k of the island. */
static void take_body(mb_sparse *mo, int b, int k)
{
    mb_islands *I = mo->islands;
    const mb_node *from = mb_now(mo);
    mb_node *to = &I->one.numbers.node[I->one.numbers.now];
    to->pose[k] = from->pose[b], to->p[k] = from->p[b], to->mobility[k] = from->mobility[b];
    I->mass[k] = mo->plan.mass[b], I->weight[k] = mo->plan.weight[b];
    memcpy(I->inertia + 9 * k, mo->plan.inertia + 9 * b, 9 * sizeof(double));
    memcpy(I->inverse_inertia + 9 * k, mo->plan.inverse_inertia + 9 * b, 9 * sizeof(double));
    I->one.plan.whole_mass += mo->plan.mass[b];
    I->place[b] = k, I->body[k] = b;
}

static void take_contact(mb_sparse *mo, int i, int k)
{
    mb_islands *I = mo->islands;
    const mb_contacts *from = mo->numbers.contacts;
    mb_contacts *to = I->one.numbers.contacts;
    const int bodies = mo->plan.bodies;
    to->contact[k] = from->contact[i], I->number[k] = i;
    for (int s = 0; s < 2; s++) {
        const int b = to->contact[k].body[s];
        to->contact[k].body[s] = b < bodies ? I->place[b] : I->one.plan.bodies;
    }
    const double *saved = I->impulse + MB_SAVED_FIRST;
    if (from->rooms) to->key[k] = saved[6 * from->count + from->totals + i];
    memcpy(to->P + 3 * k, saved + 3 * i, 3 * sizeof *to->P);
}

static void gather(mb_sparse *mo, int r, double h)
{
    const lg_contact_options options = mb_contacts_options(mo->numbers.contacts);
    mb_islands *I = mo->islands;
    mb_sparse *one = &I->one;
    mb_motion *n = &one->numbers;
    mb_plan *plan = &one->plan;
    plan->bodies = plan->contacts = 0, plan->whole_mass = 0;
    for (int b = I->member[r]; b >= 0; b = I->next_member[b]) take_body(mo, b, plan->bodies++);
    for (int i = I->touching[r]; i >= 0; i = I->next_touching[i]) take_contact(mo, i, plan->contacts++);
    plan->saddle.factor.count = plan->bodies, plan->saddle.factor.numbers = 36 * plan->bodies;
    for (int i = 0; i < 2; i++) mb_world_load(&n->node[i].pose[plan->bodies]);
    mb_world_load(&n->mean_pose[plan->bodies]);
    mb_contacts_set_options(n->contacts, &options);
    n->contacts->count = plan->contacts, n->contacts->length = I->impulse[1];
    one->t = mo->t, one->whole = h, one->work = 0, one->scale = mo->scale;
    memset(one->motor_work, 0, LG_WORKS * sizeof *one->motor_work);
    memset(n->contacts->carry, 0, sz(n->contacts->totals) * sizeof *n->contacts->carry), n->contacts->gained = 0;
    mb_forget(one);
}

/* The end of the step, and what was done in it. */
static void scatter(mb_sparse *mo, int r, double h)
{
    mb_islands *I = mo->islands;
    mb_sparse *one = &I->one;
    const mb_node *from = mb_now(one);
    const mb_contacts *c = one->numbers.contacts;
    mb_node *to = &mo->numbers.node[mo->numbers.now ^ 1];
    for (int b = I->member[r], k = 0; b >= 0; b = I->next_member[b], k++)
        to->pose[b] = from->pose[k], to->p[b] = from->p[k], to->mobility[b] = from->mobility[k];
    for (int k = 0; k < 3 * c->count; k++) {
        const int i = 3 * I->number[k / 3] + k % 3;
        mo->numbers.contacts->P[i] = c->length < h ? c->P[k] * (h / c->length) : c->P[k];
        mo->numbers.contacts->force[i] = c->force[k];
    }
    for (int k = 0; k < c->count && c->rooms; k++) mo->numbers.contacts->key[I->number[k]] = c->key[k];
    memcpy(I->work + LG_WORKS * r, one->motor_work, LG_WORKS * sizeof *I->work), I->gained[r] = c->gained;
    mo->numbers.sweeps = fmax(mo->numbers.sweeps, one->numbers.sweeps);
}

/* An impact of the island; one contact counts it where nobody is told of it. */
static int note(double t, const lg_impact *impacts, int count, void *context)
{
    mb_islands *I = context;
    for (int i = 0; i < count && (i == 0 || I->tells); i++) {
        if (I->strikes == I->strikes_most) return 1;
        mb_struck *s = &I->struck[I->strikes++];
        s->t = t, s->body = I->present, s->impact = impacts[i];
    }
    return 0;
}

/* Of an island that makes its step again. */
static void drop_strikes(mb_islands *I, int r)
{
    int kept = 0;
    for (int i = 0; i < I->strikes; i++)
        if (root_of(I, I->struck[i].body) != r) I->struck[kept++] = I->struck[i];
    I->strikes = kept;
}

static lg_status step_island(mb_sparse *mo, int r, double h)
{
    mb_islands *I = mo->islands;
    mb_sparse *one = &I->one;
    drop_strikes(I, r);
    gather(mo, r, h);
    one->impact = note, one->impact_context = I, I->present = r, I->tells = mo->impact != NULL;
    const lg_status st = mb_contacts_advance_all(one, h);
    if (st == LG_OK) scatter(mo, r, h);
    if (st == LG_ERROR_CALLBACK)
        return lg_fail(
            &mo->head.error, LG_ERROR_CONVERGENCE,
            "lg_motion_step: t = %.10g: more than %d contacts are struck in a step of h = %g; take a smaller "
            "step, or set lg_contact_options::events",
            mo->t, I->strikes_most, h);
    if (st != LG_OK) mo->head.error = one->head.error;
    return st;
}

/* ---- impacts of all islands ---- */

static int is_later(const mb_struck *a, const mb_struck *b)
{
    return a->t != b->t ? a->t > b->t : a->impact.contact > b->impact.contact;
}

/* Those of each island are in the order of time already. */
static void sort(mb_struck *s, int count)
{
    for (int gap = count / 2; gap > 0; gap /= 2)
        for (int i = gap; i < count; i++) {
            const mb_struck own = s[i];
            int k = i;
            for (; k >= gap && is_later(&s[k - gap], &own); k -= gap) s[k] = s[k - gap];
            s[k] = own;
        }
}

/* Counts and tells them, those at one time together. */
static lg_status tell(mb_sparse *mo, double h)
{
    mb_islands *I = mo->islands;
    mb_contacts *c = mo->numbers.contacts;
    sort(I->struck, I->strikes);
    for (int i = 0; i < I->strikes;) {
        const double t = I->struck[i].t;
        int count = 0;
        for (; i < I->strikes && count < c->count && I->struck[i].t <= t + MB_AT_ONCE * h; i++)
            mo->impacts[count++] = I->struck[i].impact;
        c->impacts++;
        const lg_status st = mb_tell_impacts(mo, t, count);
        if (st != LG_OK) return st;
    }
    return LG_OK;
}

/* ---- the step ---- */

/* All islands are at the end of the step: so is the motion. */
static lg_status arrive(mb_sparse *mo, double h)
{
    mb_islands *I = mo->islands;
    mb_motion *n = &mo->numbers;
    double *kinds = n->motor_work + mb_kind_at(&mo->plan, 0);
    memset(kinds, 0, LG_WORKS * sizeof *kinds);
    n->work = 0, n->now ^= 1;
    for (int r = 0; r < mo->plan.bodies; r++) {
        if (I->root[r] != r) continue;
        for (int i = 0; i < LG_WORKS; i++) mb_did(n, (lg_work)i, I->work[LG_WORKS * r + i]);
        n->contacts->gained += I->gained[r];
    }
    mb_add_works(mo, n->work, kinds, mb_kind_at(&mo->plan, 0), LG_WORKS);
    n->contacts->length = h, n->contacts->effort = MB_NCP_WHOLE; /* the balance of each island was sharper */
    mb_contacts_meet(n->contacts, mb_now(mo));
    mb_forget(mo);
    const lg_status st = mb_check_step(mo, h);
    mo->t += h;
    return st == LG_OK ? tell(mo, h) : st;
}

/* The island of all bodies is the motion, whose steps guess the next. */
lg_status mb_islands_advance(mb_sparse *mo, double h)
{
    mb_islands *I = mo->islands;
    lg_status st = LG_OK;
    mb_contacts *c = mo->numbers.contacts;
    mb_contacts_save(c, I->impulse);
    mb_save(mo, &mo->saved[0]);
    memset(c->P, 0, 3 * sz(c->count) * sizeof *c->P), memset(c->force, 0, 3 * sz(c->count) * sizeof *c->force);
    mo->numbers.sweeps = 0;
    begin(mo, h);
    do {
        if (list(mo) == 1) {
            mb_contacts_restore(c, I->impulse);
            return mb_contacts_advance_all(mo, h);
        }
        for (int r = 0; r < mo->plan.bodies && st == LG_OK; r++)
            if (I->root[r] == r && I->due[r]) st = step_island(mo, r, h), I->due[r] = 0;
    } while (st == LG_OK && !c->strayed && meet(mo));
    return st == LG_OK && !c->strayed ? arrive(mo, h) : st;
}
