/* SPDX-License-Identifier: BSD-3-Clause */
/* Monitors: figures of every K-th state, in constant memory. */
#include <liegrp/run/monitor.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/sized.h"
#include "integrators/diagnostics/diagnostics.h"
#include "run/model_private.h"
#include "run/watch.h"

/* A run of that many steps is sampled at every step, a longer one between half as often and that often. */
#define SAMPLES 1000

struct lg_monitor {
    size_t bytes;
    int64_t every, left; /* K, and calls until the next sample */
    lg_watch watch;
    double work;                /* since the last sample */
    const lg_integrator *known; /* the one that was sampled last */
    lg_trend *invariants;       /* one each */
    int count;                  /* of invariants */
    const lg_invariant *invariant;
    double group, momentum; /* largest */
    int64_t momentum_samples;
    int has_normal;   /* a normal part exists */
    double predicted; /* sum of predictions */
    int64_t predictions;
    lg_momentum_equation *equation;
    void *scratch;           /* of the group */
    lg_integrator_kind kind; /* what integrators must be to be looked at */
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
    m->scratch = lg_take(a, lg_integrator_system(it)->group->work_bytes);
    m->equation = lg_momentum_equation_take(a, it);
}

static void monitor_begin(lg_monitor *m, const lg_model *M, const lg_integrator *it)
{
    m->kind = lg_integrator_kind_of(it);
    m->has_normal = lg_integrator_has_normal_part(it);
    m->group = m->momentum = NAN;
    m->left = 1;
    lg_watch_begin(&m->watch);
    if (M == NULL) return;
    m->invariant = M->definition->invariants;
    m->count = M->definition->invariant_count;
    for (int i = 0; i < m->count; i++) lg_trend_begin(&m->invariants[i]);
}

lg_status lg_monitor_create(lg_monitor **m, const lg_model *M, const lg_integrator *it, int64_t steps, int64_t every)
{
    const int invariants = M != NULL && M->definition != NULL ? M->definition->invariant_count : 0;
    const size_t head = lg_round_up(sizeof(lg_monitor));
    lg_arena arena = {NULL, 0};
    const lg_system *S = lg_integrator_system(it);
    lg_monitor sizing, *o;
    if (m == NULL) return LG_ERROR_ARGUMENT;
    *m = NULL;
    if (S == NULL || steps < 0 || every < 0) return LG_ERROR_ARGUMENT;
    if (M != NULL && (M->definition == NULL || M->group != S->group)) return LG_ERROR_ARGUMENT;
    monitor_carve(&sizing, &arena, it, invariants);
    o = lg_reserve(head + arena.used);
    if (o == NULL) return LG_ERROR_MEMORY;
    o->bytes = head + arena.used;
    arena = (lg_arena){(char *)o + head, 0};
    monitor_carve(o, &arena, it, invariants);
    o->every = every > 0 ? every : choose_every(steps);
    monitor_begin(o, M, it);
    *m = o;
    return LG_OK;
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

void lg_monitor_add(lg_monitor *m, const lg_integrator *it, const lg_observation *s)
{
    if (m == NULL) return;
    if (it != NULL && it == m->known) m->work += lg_integrator_step_work(it); /* steps between samples do work, too */
    if (--m->left > 0) return;
    m->left = m->every;
    if (!lg_integrator_is_of_kind(it, &m->kind)) return;
    const lg_observation now = s != NULL ? *s : lg_observe(it);
    watch_invariants(m, it, now.t);
    watch_residuals(m, it);
    lg_watch_add(&m->watch, &now, m->work);
    m->work = 0;
    m->known = it;
}

void lg_monitor_observe(lg_monitor *m, const lg_integrator *it)
{
    lg_monitor_add(m, it, NULL);
}

int lg_monitor_observer(const lg_integrator *it, void *m)
{
    lg_monitor_observe(m, it);
    return 0;
}

lg_status lg_monitor_predict(lg_monitor *m, const lg_integrator *it)
{
    double rate;
    lg_status status;
    if (m == NULL) return LG_ERROR_ARGUMENT;
    status = lg_diagnostics_parasitic_growth(it, &rate, NULL);
    if (status != LG_OK || isnan(rate)) return status;
    m->predicted += rate;
    m->predictions++;
    return LG_OK;
}

/* Checkpoints --------------------------------------------------------------------------------------------------- */

void lg_monitor_list(lg_tape *t, lg_monitor *m, const lg_integrator *it)
{
    static const char wrong[] = "a figure of its monitor is impossible";
    int known = m->known == it;
    lg_tape_long(t, &m->left, 0, INT64_MAX, wrong), lg_tape_long(t, &m->momentum_samples, 0, INT64_MAX, wrong);
    lg_tape_long(t, &m->predictions, 0, INT64_MAX, wrong);
    lg_tape_double(t, &m->work), lg_tape_double(t, &m->group), lg_tape_double(t, &m->momentum);
    lg_tape_double(t, &m->predicted);
    lg_watch_list(t, &m->watch);
    for (int i = 0; i < m->count; i++) lg_trend_list(t, &m->invariants[i]);
    lg_tape_int(t, &known, 0, 1, wrong);
    if (t->reads) m->known = known ? it : NULL;
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
    f->holonomic = m->kind.holonomic_count > 0 ? w->holonomic : NAN;
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
