/* SPDX-License-Identifier: BSD-3-Clause */
/* Instances of a mechanism: a sparse motion takes them in turn, lanes are those of multibody/lanes.h. A record is the
 * state of the motion: all that its next step continues from. */
#include <stdint.h>
#include <string.h>

#include "base/arena.h"
#include "base/message.h"
#include "base/width.h"
#include "multibody/checkpoint.h"
#include "multibody/contact/landing.h"
#include "multibody/lanes.h"
#include "run/ensemble_private.h"

/* ---- workers ---- */

static const mb_lanes_table *table_of(const lg_ensemble *E)
{
    LG_IF_WIDTH_8(if (E->width == 8) return &mb_lanes_8;)
    LG_IF_WIDTH_4(if (E->width == 4) return &mb_lanes_4;)
    return E->width == 2 ? &mb_lanes_2 : NULL;
}

static size_t bytes_of_lanes(const mb_sparse *mo, const lg_ensemble *E)
{
    return table_of(E)->bytes(&mo->mechanism->plan, mb_stages(mo));
}

/* The lengths of sub-steps follow the lanes in memory. */
static lg_status make_lanes(lg_worker *worker, const lg_ensemble *E, lg_error *e)
{
    const mb_sparse *mo = worker->motion[0]->bodies;
    const int stages = mb_stages(mo);
    if (stages > MB_STAGES_MOST)
        return lg_fail(e, LG_ERROR_UNSUPPORTED, "lg_ensemble_create: more than %d sub-steps", (int)MB_STAGES_MOST);
    const size_t bytes = bytes_of_lanes(mo, E);
    char *memory = lg_reserve(bytes + sz(stages) * sizeof(double));
    if (memory == NULL) return lg_fail(e, LG_ERROR_MEMORY, "lg_ensemble: out of memory");
    double *part = (double *)(void *)(memory + bytes);
    for (int s = 0; s < stages; s++) part[s] = mb_stage_step(mo, mo->h, s);
    worker->wide[0] = table_of(E)->make(memory, &mo->mechanism->plan, stages, part, mo->h, mo->numbers.rattle);
    return LG_OK;
}

/* The first motion has the options of contact that are given, or its own, and the others have those. */
static lg_status share_contact(lg_worker *worker, lg_ensemble *E)
{
    mb_contacts *c = worker->motion[0]->bodies->numbers.contacts;
    if (worker == E->workers[0]) {
        const lg_status status = E->contact_given ? lg_motion_set_contact(worker->motion[0], E->contact_given) : LG_OK;
        if (status == LG_OK && c != NULL) E->contact = mb_contacts_options(c);
        return status;
    }
    if (c != NULL) mb_contacts_set_options(c, &E->contact);
    return LG_OK;
}

static lg_status sparse_add(lg_worker *worker, lg_ensemble *E, lg_error *e)
{
    lg_motion **mo = &worker->motion[0];
    lg_status status = lg_motion_create(mo, E->model, &E->o);
    if (status == LG_OK) status = share_contact(worker, E);
    if (status == LG_OK)
        status = mb_sparse_start((*mo)->bodies, mb_first_time(&(*mo)->bodies->plan), NULL, NULL,
                                 1); /* it learns where the world is */
    if (status != LG_OK) {
        (void)lg_fail(e, status, "%s", *mo != NULL ? lg_motion_message(*mo) : lg_status_text(status));
        lg_motion_destroy(*mo);
        *mo = NULL;
        return status;
    }
    worker->classes = 1;
    if (worker == E->workers[0]) E->o.method = lg_motion_method(*mo), E->o.retraction = NULL;
    if ((*mo)->bodies->numbers.collocation != NULL) E->solver = (*mo)->bodies->numbers.collocation->tolerance;
    return E->width > 1 ? make_lanes(worker, E, e) : LG_OK;
}

static void sparse_remove(lg_worker *worker)
{
    worker->classes = 0;
    lg_release(worker->wide[0]);
    lg_motion_destroy(worker->motion[0]);
}

static size_t sparse_bytes(const lg_worker *worker, const lg_ensemble *E)
{
    const mb_sparse *mo = worker->motion[0]->bodies;
    return sizeof *worker + mo->bytes +
           (worker->wide[0] != NULL ? bytes_of_lanes(mo, E) + sz(mb_stages(mo)) * sizeof(double) : 0);
}

/* ---- records ---- */

/* The motion's numbers, `*state` spans of its state first. */
static int spans_of(mb_sparse *mo, mb_span *span, int *state)
{
    const mb_totals totals = {&mo->work, mo->motor_work, &mo->scale, &mo->pivot, &mo->jumped};
    return mb_spans(&mo->numbers, mb_stages(mo), totals, span, state);
}

/* With a tolerance a motion is between two nodes of its own: behind its state stands where it is. The bytes. */
static size_t list_adaptive(mb_sparse *mo, void *at, int reads)
{
    lg_tape t = {.at = at, .reads = reads};
    if (mb_is_adaptive(mo)) mb_list_adaptive(&t, mo);
    return t.used;
}

static size_t sparse_size(const lg_motion *motion, size_t *control_at)
{
    mb_sparse copy = *motion->bodies; /* the list is of pointers that may be written to; they are only read */
    mb_span span[MB_SPANS_MOST];
    size_t size = 0;
    int state;
    (void)spans_of(&copy, span, &state);
    for (int i = 0; i < state; i++) {
        if (span[i].at == copy.numbers.control) *control_at = size;
        size += sz(span[i].count);
    }
    return size + (list_adaptive(&copy, NULL, 0) + sizeof(double) - 1) / sizeof(double);
}

static void sparse_pack(const lg_motion *motion, double *record)
{
    mb_sparse copy = *motion->bodies;
    mb_span span[MB_SPANS_MOST];
    int count;
    (void)spans_of(&copy, span, &count);
    for (int i = 0; i < count; i++) {
        memcpy(record, span[i].at, sz(span[i].count) * sizeof *record);
        record += span[i].count;
    }
    (void)list_adaptive(&copy, record, 0);
}

/* record NULL: the motion is not started. */
static lg_status sparse_unpack(lg_motion *motion, const double *record, double t0, int64_t steps, lg_error *e)
{
    mb_sparse *mo = motion->bodies;
    mb_span span[MB_SPANS_MOST];
    int count;
    if (record == NULL) {
        mo->started = 0;
        return LG_OK;
    }
    if (!mo->started) { /* it learns where the world is */
        const lg_status status = mb_sparse_start(mo, mb_first_time(&mo->plan), NULL, NULL, 1);
        if (status != LG_OK) return lg_fail(e, status, "%s", motion->error.message);
    }
    (void)spans_of(mo, span, &count);
    for (int i = 0; i < count; i++) {
        memcpy(span[i].at, record, sz(span[i].count) * sizeof *record);
        record += span[i].count;
    }
    mb_node *n = &mo->numbers.node[mo->numbers.now];
    (void)mb_choice_follow(&mo->choice);
    mb_turn_bodies(&mo->plan, n);
    mb_node_rows(&mo->plan, n, 0);
    mo->t0 = t0, mo->count = steps, mo->t = t0 + (double)steps * mo->h;
    mo->started = 1, mo->stepped = 0, mo->numbers.sweeps = 0;
    if (mo->adaptive != NULL) mb_adaptive_forget(mo->adaptive);
    (void)list_adaptive(mo, (void *)(uintptr_t)record, 1);
    return LG_OK;
}

static void sparse_clock(const lg_motion *mo, double *t0, int64_t *steps)
{
    *t0 = mo->bodies->t0, *steps = mo->bodies->count;
}

static void sparse_give_control(lg_motion *mo, const double *u)
{
    memcpy(mo->bodies->numbers.control, u, sz(mo->bodies->plan.controls) * sizeof *u);
}

static int sparse_feels_control(const lg_motion *mo)
{
    return mo->bodies->plan.activations > 0;
}

static int has_options(const mb_contacts *c, const lg_contact_options *o)
{
    const lg_contact_options own = mb_contacts_options(c);
    return own.law == o->law && own.capture_speed == o->capture_speed && own.localise == o->localise &&
           own.events == o->events && own.separate == o->separate;
}

static lg_status sparse_fits(const lg_ensemble *E, const lg_motion *motion, const char *function, lg_error *e)
{
    const mb_sparse *like = E->workers[0]->motion[0]->bodies, *mo = motion->bodies;
    if (motion->engine != like->head.engine || mo->mechanism != like->mechanism)
        return lg_fail(e, LG_ERROR_ARGUMENT,
                       "%s: mixed systems: the motion is not one of the ensemble's mechanism, %s; make an ensemble for "
                       "each",
                       function, lg_model_name(E->model));
    if (mo->wrench != NULL)
        return lg_fail(e, LG_ERROR_UNSUPPORTED, "%s: the motion has a wrench function; ensembles have none", function);
    if (mb_sparse_tolerance(mo) != E->o.tolerance)
        return lg_fail(e, LG_ERROR_ARGUMENT, "%s: the motion has the tolerance %g, the ensemble %g", function,
                       mb_sparse_tolerance(mo), E->o.tolerance);
    if (mo->numbers.contacts != NULL && !has_options(mo->numbers.contacts, &E->contact))
        return lg_fail(e, LG_ERROR_ARGUMENT,
                       "%s: the motion has other options of contact, lg_motion_set_contact(); give the ensemble these, "
                       "lg_ensemble_options::contact",
                       function);
    if (mo->composition != like->composition || mo->collocation_stages != like->collocation_stages ||
        mo->numbers.rattle != like->numbers.rattle || mo->h != like->h || mo->halvings != E->o.halvings ||
        (mo->numbers.collocation != NULL && mo->numbers.collocation->tolerance != E->solver))
        return lg_fail(e, LG_ERROR_ARGUMENT,
                       "%s: the motion has another method, step or solver, or other halvings; create it with those of "
                       "the ensemble",
                       function);
    return LG_OK;
}

static void sparse_restore(const lg_ensemble *E, lg_motion *motion)
{
    mb_sparse *mo = motion->bodies;
    mo->wrench = NULL, mo->context = NULL, mo->impact = NULL;
    if (mo->numbers.contacts != NULL) mb_contacts_set_options(mo->numbers.contacts, &E->contact);
    mo->halvings = (int)E->o.halvings;
    if (mo->adaptive != NULL && mb_sparse_tolerance(mo) != E->o.tolerance)
        mb_adaptive_set(mo->adaptive, E->o.tolerance);
    if (mo->numbers.collocation != NULL) mo->numbers.collocation->tolerance = E->solver;
}

static void sparse_remember(lg_motion *mo)
{
    lg_status_ignore(mb_sparse_remember(mo->bodies));
}

static int sparse_step(lg_motion *mo, lg_error *e)
{
    const lg_status status = mb_sparse_step(mo->bodies, 1);
    if (status != LG_OK) *e = mo->error;
    return status != LG_OK;
}

/* ---- lanes ---- */

static lg_status sparse_load(lg_ensemble_block *b, int l, int64_t i, lg_error *e)
{
    const double *from = lg_ensemble_record(b->E, i);
    mb_span span[MB_SPANS_MOST];
    int state;
    (void)e;
    (void)table_of(b->E)->spans(b->wide, span, &state);
    for (int s = 0; s < state; s++)
        for (int k = 0; k < span[s].count; k++) span[s].at[k * b->E->width + l] = *from++;
    return LG_OK;
}

static void sparse_place(lg_ensemble_block *b)
{
    table_of(b->E)->place(b->wide);
}

static void sparse_get(const lg_ensemble_block *b, int l)
{
    mb_sparse *mo = b->motion->bodies;
    mb_span from[MB_SPANS_MOST], to[MB_SPANS_MOST];
    int state;
    const int count = table_of(b->E)->spans(b->wide, from, &state);
    (void)spans_of(mo, to, &state);
    for (int s = 0; s < count; s++)
        for (int k = 0; k < to[s].count; k++) to[s].at[k] = from[s].at[k * b->E->width + l];
    (void)mb_choice_follow(&mo->choice);
    if (mo->plan.block != mo->mechanism->plan.block) /* lanes were placed with the rows as compiled */
        mb_node_rows(&mo->plan, &mo->numbers.node[mo->numbers.now], 0);
    mo->t0 = b->t0[l], mo->count = (int64_t)b->step[l], mo->t = mo->t0 + b->step[l] * mo->h;
    mo->started = mo->stepped = 1;
    mb_lose_step(mo);
}

static void sparse_put(const lg_ensemble_block *b, int l)
{
    mb_span from[MB_SPANS_MOST], to[MB_SPANS_MOST];
    int state;
    const int count = table_of(b->E)->spans(b->wide, to, &state);
    (void)spans_of(b->motion->bodies, from, &state);
    for (int s = 0; s < count; s++)
        for (int k = 0; k < from[s].count; k++) to[s].at[k * b->E->width + l] = from[s].at[k];
}

static void sparse_copy(const lg_ensemble_block *b, int to, int from)
{
    const int width = b->E->width;
    mb_span span[MB_SPANS_MOST];
    int state;
    const int count = table_of(b->E)->spans(b->wide, span, &state);
    for (int s = 0; s < count; s++)
        for (int k = 0; k < span[s].count; k++) span[s].at[k * width + to] = span[s].at[k * width + from];
}

static void sparse_save(const lg_ensemble_block *b, int l, double *record)
{
    mb_span span[MB_SPANS_MOST];
    int state;
    (void)table_of(b->E)->spans(b->wide, span, &state);
    for (int s = 0; s < state; s++)
        for (int k = 0; k < span[s].count; k++) *record++ = span[s].at[k * b->E->width + l];
}

static int sparse_step_lanes(lg_ensemble_block *b)
{
    return table_of(b->E)->step(b->wide);
}

const lg_ensemble_engine lg_ensemble_sparse = {
    .add = sparse_add,
    .remove = sparse_remove,
    .bytes = sparse_bytes,
    .size = sparse_size,
    .pack = sparse_pack,
    .unpack = sparse_unpack,
    .clock = sparse_clock,
    .give_control = sparse_give_control,
    .feels_control = sparse_feels_control,
    .fits = sparse_fits,
    .restore = sparse_restore,
    .remember = sparse_remember,
    .step = sparse_step,
    .load = sparse_load,
    .place = sparse_place,
    .get = sparse_get,
    .put = sparse_put,
    .copy = sparse_copy,
    .save = sparse_save,
    .step_lanes = sparse_step_lanes,
};
