/* SPDX-License-Identifier: BSD-3-Clause */
/* Checkpoints of a motion: all that the next step depends on, and all that can be read of the state. */
#include "multibody/checkpoint.h"

#include <limits.h>
#include <math.h>
#include <string.h>

#include "base/message.h"
#include "multibody/forces/force.h"
#include "multibody/contact/contact.h"
#include "multibody/lanes.h"
#include "multibody/parts/part.h"

/* By how much the energy at the state may differ from the one that was kept: another machine's functions round
 * otherwise. */
#define SAME 1e-9

/* Of what ---------------------------------------------------------------------------------------------------------- */

#define NUMBERS_OF(name) mb_##name##_numbers,
static const char *const *const law_numbers[] = {MB_LAWS(NUMBERS_OF)};

static void describe_parts(lg_lines *l, const lg_mechanism *m, int first, int end)
{
    for (int kind = first; kind < end; kind++)
        for (int i = 0; mb_kind_of(kind)->describe != NULL && i < m->part[kind].count; i++)
            mb_kind_of(kind)->describe(l, m, i);
}

static void describe_forces(lg_lines *l, const mb_plan *plan)
{
    for (int i = 0; i < plan->forces; i++) {
        const mb_force *s = &plan->force[i];
        const char *const *name = law_numbers[s->law];
        for (int k = 0; name[k] != NULL; k++) lg_lines_number(l, name[k], s->number[k]);
        lg_lines_number(l, "rest", s->rest);
        lg_lines_numbers(l, "point", s->point_a, 3), lg_lines_numbers(l, "point", s->point_b, 3);
    }
}

/* Of joints: surfaces describe themselves. */
static void describe_contacts(lg_lines *l, const mb_plan *plan)
{
    for (const mb_contact *c = plan->contact; c < plan->contact + plan->contacts; c++) {
        if (c->kind > MB_CONTACT_DRY) continue;
        lg_lines_number(l, "coordinate", c->source);
        lg_lines_numbers(l, "stop", (double[]){c->side, c->limit, c->restitution, c->bound}, 4);
    }
}

void mb_sparse_describe(lg_lines *l, const void *object)
{
    const mb_sparse *mo = object;
    const lg_mechanism *m = mo->mechanism;
    const mb_plan *plan = &m->plan;
    lg_lines_text(l, "method", mo->method[0] != '\0' ? mo->method : "sem");
    lg_lines_number(l, "step", mo->h);
    for (int i = 0; i < plan->bodies; i++) {
        lg_lines_number(l, MB_BODY(m, i)->name, plan->mass[i]);
        if (MB_BODY(m, i)->gravity != 1) lg_lines_number(l, "gravity", MB_BODY(m, i)->gravity);
    }
    lg_lines_numbers(l, "inertia", plan->inertia, 9 * (size_t)plan->bodies);
    lg_lines_numbers(l, "gravity", plan->gravity, 3);
    lg_lines_number(l, "reach", plan->reach);
    lg_lines_number(l, "rows", plan->rows);
    lg_lines_number(l, "coordinates", plan->coordinates);
    lg_lines_number(l, "forces", plan->forces);
    describe_parts(l, m, 0, MB_SPRINGS);
    describe_forces(l, plan);
    describe_parts(l, m, MB_SPRINGS, MB_KINDS);
    describe_contacts(l, plan);
    lg_lines_text(l, "wrench", mo->wrench != NULL ? "function" : "none");
}

/* Its numbers ------------------------------------------------------------------------------------------------------ */

static void list_spans(lg_tape *t, mb_motion *m, int stages, mb_totals totals)
{
    mb_span span[MB_SPANS_MOST];
    int state;
    const int count = mb_spans(m, stages, totals, span, &state);
    for (int i = 0; i < count; i++) lg_tape_doubles(t, span[i].at, sz(span[i].count));
    for (int i = 0; t->reads && i < stages; i++) {
        if (lg_tape_is_whole(m->history[i].known, MB_PAST)) continue;
        m->history[i].known = 0;
        t->wrong = LG_WRONG_HISTORY;
    }
}

static void list_collocation(lg_tape *t, mb_collocation *o)
{
    lg_tape_doubles(t, o->size, 2);
    lg_tape_double(t, &o->t), lg_tape_double(t, &o->tolerance);
    lg_tape_double(t, &o->open), lg_tape_double(t, &o->miss), lg_tape_double(t, &o->defect);
    if (t->reads && !(o->tolerance > 0)) t->wrong = LG_WRONG_SETTINGS;
}

static void list_ledger(lg_tape *t, mb_ledger *l, int works, int reactions)
{
    lg_tape_double(t, &l->t), lg_tape_double(t, &l->work);
    lg_tape_doubles(t, l->motor_work, sz(works)), lg_tape_doubles(t, l->impulse, sz(reactions));
}

/* The internal integrator of adaptive steps. */
static void list_adaptive(lg_tape *t, mb_adaptive *c)
{
    const int works = c->numbers.plan->works, reactions = MB_REACTION * mb_room(c->numbers.plan)->blocks;
    double nothing[3] = {0, 0, 0};
    const mb_totals totals = {&c->numbers.work, c->numbers.motor_work, &nothing[0], &nothing[1], &nothing[2]};
    lg_step_size_list(&c->step_size, t);
    list_spans(t, &c->numbers, 1, totals);
    list_collocation(t, c->numbers.collocation);
    list_ledger(t, &c->now, works, reactions), list_ledger(t, &c->before, works, reactions);
    lg_tape_doubles(t, c->momentum_scale, 2);
}

static void list_adaptive_forces(mb_sparse *mo)
{
    mb_collocation *o = mo->adaptive->numbers.collocation;
    o->ask = mo->numbers.collocation->ask, o->owner = mo->numbers.collocation->owner;
}

void mb_list_adaptive(lg_tape *t, mb_sparse *mo)
{
    list_collocation(t, mo->numbers.collocation);
    list_adaptive(t, mo->adaptive);
    if (t->reads) list_adaptive_forces(mo);
}

/* H at the state, and what its terms are like. */
static double energy(const mb_sparse *mo, double *size)
{
    return mb_energy(&mo->mechanism->plan, mb_now(mo), size);
}

/* The mechanism is asked at the state that was read: if its energy is another one, or its joints are open, it is
 * another one. */
static void list_witness(lg_tape *t, mb_sparse *mo)
{
    double size = 0, kept[2] = {0, 0};
    const int asks = t->at != NULL && mo->started && t->wrong == NULL;
    const double here[2] = {asks ? energy(mo, &size) : 0, asks ? mb_residual(mo, 0, NULL) : 0};
    kept[0] = here[0], kept[1] = here[1];
    lg_tape_doubles(t, kept, 2);
    if (!t->reads || !asks) return;
    if (!(fabs(kept[0] - here[0]) <= SAME * size)) t->wrong = "the mechanism has another energy at that state";
    if (!(here[1] <= kept[1] + SAME * mo->mechanism->plan.reach)) t->wrong = "its joints are open at that state";
}

static void list_contacts(lg_tape *t, mb_contacts *c)
{
    lg_tape_int(t, &c->law, 0, LG_IMPACT_SEQUENTIAL, LG_WRONG_SETTINGS);
    lg_tape_int(t, &c->localise, 0, 1, LG_WRONG_SETTINGS);
    lg_tape_int(t, &c->events_most, 0, INT_MAX, LG_WRONG_SETTINGS);
    lg_tape_double(t, &c->capture);
    if (t->reads && !(c->capture > 0)) t->wrong = LG_WRONG_SETTINGS;
}

static void list_settings(lg_tape *t, mb_sparse *mo)
{
    const size_t normals = sz(mb_normals_before(mo->mechanism, MB_KINDS));
    lg_tape_int(t, &mo->started, 0, 1, LG_WRONG_START);
    lg_tape_int(t, &mo->stepped, 0, 1, LG_WRONG_STEPS);
    lg_tape_int(t, &mo->halvings, 0, 30, "its number of halvings is impossible");
    if (mo->numbers.contacts != NULL) list_contacts(t, mo->numbers.contacts);
    lg_tape_long(t, &mo->count, 0, INT64_MAX / 2, LG_WRONG_STEPS);
    lg_tape_double(t, &mo->t0), lg_tape_double(t, &mo->t);
    const double time = mo->t0 + (double)mo->count * mo->h; /* where a step ends is counted from there */
    lg_tape_double(t, &mo->step_work), lg_tape_double(t, &mo->lift_time);
    lg_tape_doubles(t, mo->normal_least, normals);
    lg_tape_doubles(t, mo->normal_time, normals);
    if (t->reads && mo->started && !(fabs(mo->t - time) <= SAME * (fabs(mo->h) + fabs(time))))
        t->wrong = "its time is not that of its steps";
}

/* What mb_sparse_reset() goes back to. */
static void list_start(lg_tape *t, const mb_plan *plan, mb_saved *s)
{
    lg_tape_doubles(t, (void *)s->pose, sz(plan->bodies) * sizeof *s->pose / sizeof(double));
    lg_tape_doubles(t, (void *)s->p, sz(plan->bodies) * sizeof *s->p / sizeof(double));
    lg_tape_doubles(t, s->q, sz(plan->coordinates));
    lg_tape_doubles(t, s->motor_work, sz(plan->works)), lg_tape_doubles(t, s->control, sz(plan->controls));
    lg_tape_doubles(t, s->act, sz(mb_activation_numbers(plan)));
    lg_tape_double(t, &s->t), lg_tape_double(t, &s->work);
}

void mb_sparse_list(lg_tape *t, void *object)
{
    mb_sparse *mo = object;
    const mb_totals totals = {&mo->work, mo->motor_work, &mo->scale, &mo->pivot, &mo->jumped};
    if (t->reads && t->at != NULL) mb_lose_step(mo);
    list_settings(t, mo);
    list_start(t, &mo->plan, &mo->first);
    list_spans(t, &mo->numbers, mb_stages(mo), totals);
    if (t->reads && !mb_choice_follow(&mo->choice)) t->wrong = "its choice of redundant rows is impossible";
    if (mo->numbers.collocation != NULL) mb_list_adaptive(t, mo);
    list_witness(t, mo);
}
