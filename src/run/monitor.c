/* SPDX-License-Identifier: BSD-3-Clause */
/* Monitors: figures of every K-th state, in constant memory. */
#include <liegrp/run/monitor.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/sized.h"
#include "integrators/diagnostics/diagnostics.h"
#include "run/model_private.h"
#include "run/engine.h"

/* A run of that many steps is sampled at every step, a longer one between half as often and that often. */
#define SAMPLES 1000

struct lg_monitor {
    size_t bytes;
    int64_t every, left; /* K, and calls until the next sample */
    lg_watch watch;
    double work;          /* since the last sample */
    const void *known;    /* the motion, or integrator, that was sampled last */
    lg_trend *invariants; /* one each */
    int count;            /* of invariants */
    const lg_invariant *invariant;
    double group, momentum; /* largest */
    int64_t momentum_samples;
    int has_normal;   /* a normal part exists */
    double predicted; /* sum of predictions */
    int64_t predictions;
    lg_momentum_equation *equation;
    void *scratch;                 /* of the group */
    lg_integrator_kind kind;       /* what integrators must be to be looked at */
    const lg_mechanism *mechanism; /* what motions by the sparse step must be of; NULL: integrators are looked at */
};

/* Making and freeing -------------------------------------------------------------------------------------------- */

/* K for a run of `steps` steps. */
static int64_t choose_every(int64_t steps)
{
    return steps <= SAMPLES ? 1 : (steps - 1) / SAMPLES + 1;
}

static void monitor_carve(lg_monitor *m, lg_arena *a, const lg_integrator *it, int invariants)
{
    m->invariants = lg_take(a, sz(invariants) * sizeof *m->invariants);
    if (it == NULL) return;
    m->scratch = lg_take(a, lg_integrator_system(it)->group->work_bytes);
    m->equation = lg_momentum_equation_take(a, it);
}

static void monitor_begin(lg_monitor *m, const lg_model_definition *d, const lg_integrator *it)
{
    m->group = m->momentum = NAN;
    m->left = 1;
    lg_watch_begin(&m->watch);
    if (it != NULL) m->kind = lg_integrator_kind_of(it), m->has_normal = lg_integrator_has_normal_part(it);
    if (d == NULL) return;
    m->invariant = d->invariants;
    m->count = d->invariant_count;
    for (int i = 0; i < m->count; i++) lg_trend_begin(&m->invariants[i]);
}

static lg_status create(lg_monitor **m, const lg_model_definition *d, const lg_integrator *it, int64_t steps,
                        int64_t every)
{
    const int invariants = d != NULL ? d->invariant_count : 0;
    const size_t head = lg_round_up(sizeof(lg_monitor));
    lg_arena arena = {NULL, 0};
    lg_monitor sizing, *o;
    monitor_carve(&sizing, &arena, it, invariants);
    o = lg_reserve(head + arena.used);
    if (o == NULL) return LG_ERROR_MEMORY;
    o->bytes = head + arena.used;
    arena = (lg_arena){(char *)o + head, 0};
    monitor_carve(o, &arena, it, invariants);
    o->every = every > 0 ? every : choose_every(steps);
    monitor_begin(o, d, it);
    *m = o;
    return LG_OK;
}

lg_status lg_monitor_create(lg_monitor **m, const lg_motion *mo, int64_t steps, int64_t every)
{
    const lg_integrator *it = lg_motion_integrator(mo);
    if (m == NULL) return LG_ERROR_ARGUMENT;
    *m = NULL;
    if (mo == NULL || mo->engine == NULL || steps < 0 || every < 0) return LG_ERROR_ARGUMENT;
    const lg_status status = create(m, lg_model_describe(mo->model), it, steps, every);
    if (status == LG_OK && it == NULL) (*m)->mechanism = lg_model_mechanism(mo->model);
    return status;
}

lg_status lg_monitor_create_for(lg_monitor **m, const lg_model *M, const lg_integrator *it, int64_t steps,
                                int64_t every)
{
    const lg_system *S = lg_integrator_system(it);
    *m = NULL;
    if (S == NULL || steps < 0 || every < 0) return LG_ERROR_ARGUMENT;
    if (M != NULL && (M->definition == NULL || M->group != S->group)) return LG_ERROR_ARGUMENT;
    return create(m, lg_model_describe(M), it, steps, every);
}

void lg_monitor_destroy(lg_monitor *m)
{
    lg_release(m);
}

size_t lg_monitor_bytes(const lg_monitor *m)
{
    return m != NULL ? m->bytes : 0;
}

/* Observing ----------------------------------------------------------------------------------------------------- */

static void watch_invariants(lg_monitor *m, const lg_integrator *it, double t)
{
    const lg_call call = lg_integrator_call(it, &t);
    const double *g = lg_integrator_configuration(it), *p = lg_integrator_momentum(it);
    for (int i = 0; i < m->count; i++) {
        double value = NAN;
        if (m->invariant[i].value(&call, g, p, &value) != 0) value = NAN;
        lg_trend_add(&m->invariants[i], t, value);
    }
}

static void watch_residuals(lg_monitor *m, const lg_integrator *it)
{
    const lg_group *G = m->kind.group;
    const double momentum = lg_momentum_equation_residual(m->equation, it);
    const double group = G->residual != NULL ? G->residual(G, lg_integrator_configuration(it), m->scratch) : 0;
    m->group = m->watch.count == 0 ? group : lg_watch_larger(m->group, group);
    if (isnan(momentum)) return; /* there is no such equation for this step */
    m->momentum = m->momentum_samples++ == 0 ? momentum : lg_watch_larger(m->momentum, momentum);
}

/* Counts a state of `what`, whose last step did `work`; 1: it is to be sampled. */
static int is_due(lg_monitor *m, const void *what, double work)
{
    if (what != NULL && what == m->known) m->work += work; /* steps between samples do work, too */
    if (--m->left > 0) return 0;
    m->left = m->every;
    return 1;
}

static void sample(lg_monitor *m, const void *what, const lg_observation *now)
{
    lg_watch_add(&m->watch, now, m->work);
    m->work = 0;
    m->known = what;
}

void lg_monitor_observe_state(lg_monitor *m, const lg_motion *mo, const lg_observation *s)
{
    const lg_integrator *it = lg_motion_integrator(mo);
    if (m == NULL || !is_due(m, mo, mo != NULL && mo == m->known ? mo->engine->step_work(mo) : 0)) return;
    if (mo == NULL || mo->engine == NULL || !mo->engine->started(mo)) return;
    if (m->mechanism != NULL ? it != NULL || lg_model_mechanism(mo->model) != m->mechanism
                             : !lg_integrator_is_of_kind(it, &m->kind))
        return;
    const lg_observation now = s != NULL ? *s : mo->engine->observation(mo);
    if (it != NULL) watch_invariants(m, it, now.t), watch_residuals(m, it);
    sample(m, mo, &now);
}

void lg_monitor_observe(lg_monitor *m, const lg_motion *mo)
{
    lg_monitor_observe_state(m, mo, NULL);
}

int lg_monitor_observer(const lg_integrator *it, void *monitor)
{
    lg_monitor *m = monitor;
    if (!is_due(m, it, it == m->known ? lg_integrator_step_work(it) : 0) || !lg_integrator_is_of_kind(it, &m->kind))
        return 0;
    const lg_observation now = lg_observe(it);
    watch_invariants(m, it, now.t);
    watch_residuals(m, it);
    sample(m, it, &now);
    return 0;
}

lg_status lg_monitor_predict(lg_monitor *m, const lg_motion *mo)
{
    const lg_integrator *it = lg_motion_integrator(mo);
    double rate;
    if (m == NULL || mo == NULL || mo->engine == NULL) return LG_ERROR_ARGUMENT;
    const lg_status status = it != NULL ? lg_diagnostics_parasitic_growth(it, &rate, NULL) : LG_OK;
    if (it == NULL || status != LG_OK || isnan(rate)) return status;
    m->predicted += rate;
    m->predictions++;
    return LG_OK;
}

/* Checkpoints --------------------------------------------------------------------------------------------------- */

void lg_monitor_list(lg_tape *t, lg_monitor *m, const lg_motion *mo)
{
    static const char wrong[] = "a figure of its monitor is impossible";
    int known = m->known == mo;
    lg_tape_long(t, &m->left, 0, INT64_MAX, wrong), lg_tape_long(t, &m->momentum_samples, 0, INT64_MAX, wrong);
    lg_tape_long(t, &m->predictions, 0, INT64_MAX, wrong);
    lg_tape_double(t, &m->work), lg_tape_double(t, &m->group), lg_tape_double(t, &m->momentum);
    lg_tape_double(t, &m->predicted);
    lg_watch_list(t, &m->watch);
    for (int i = 0; i < m->count; i++) lg_trend_list(t, &m->invariants[i]);
    lg_tape_int(t, &known, 0, 1, wrong);
    if (t->reads) m->known = known ? mo : NULL;
}

/* Reading ------------------------------------------------------------------------------------------------------- */

static lg_monitor_quantity quantity_of(const lg_trend *s, const char *name)
{
    lg_monitor_quantity q = {name, NAN, NAN, NAN, NAN, NAN, NAN};
    if (s->count == 0 || isnan(s->scale)) return q;
    q.first = s->first;
    q.low = s->low;
    q.high = s->high;
    q.deviation = fmax(s->high - s->first, s->first - s->low);
    q.slope = lg_trend_slope(s, &q.half);
    return q;
}

static const lg_sized kind =
    LG_SIZED_AS(lg_monitor_figures, growth_predicted, "start from lg_monitor_figures_default()");

void lg_monitor_figures_init(lg_monitor_figures *figures, size_t size)
{
    const lg_monitor_figures own = {.size = sizeof own};
    lg_sized_give(&kind, figures, size, &own);
}

lg_status lg_monitor_read(const lg_monitor *m, lg_monitor_figures *figures)
{
    lg_monitor_figures own = lg_monitor_figures_default(), *f = &own;
    const lg_watch *w;
    if (m == NULL || figures == NULL || !lg_sized_fits(&kind, figures->size)) return LG_ERROR_ARGUMENT;
    w = &m->watch;
    f->every = m->every;
    f->samples = w->count;
    f->time_first = w->time_first;
    f->time_last = w->time_last;
    f->energy = quantity_of(&w->energy, "energy");
    f->energy_post_deviation = w->post;
    f->work = w->work;
    f->balance = w->balance;
    f->invariants = m->count;
    f->constraint = w->extremes.constraint;
    f->holonomic = m->mechanism != NULL || m->kind.holonomic_count > 0 ? w->holonomic : NAN;
    f->group = m->group;
    f->momentum = m->momentum;
    f->momentum_samples = m->momentum_samples;
    f->normal = f->normal_first = f->normal_last = f->growth = f->growth_half = NAN;
    if (m->has_normal) {
        f->normal = w->normal;
        f->normal_first = lg_peaks_first(&w->peaks);
        f->normal_last = lg_peaks_last(&w->peaks);
        f->growth = lg_peaks_growth(&w->peaks, &f->growth_half);
    }
    f->growth_predictions = m->predictions;
    f->growth_predicted = m->predictions > 0 ? m->predicted / (double)m->predictions : NAN;
    lg_sized_give(&kind, figures, figures->size, &own);
    return LG_OK;
}

lg_status lg_monitor_invariant(const lg_monitor *m, lg_monitor_quantity *q, int i)
{
    if (m == NULL || q == NULL || i < 0 || i >= m->count) return LG_ERROR_ARGUMENT;
    *q = quantity_of(&m->invariants[i], m->invariant[i].name);
    return LG_OK;
}
