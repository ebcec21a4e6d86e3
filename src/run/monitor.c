/* SPDX-License-Identifier: BSD-3-Clause */
/* Monitors: figures of every K-th state, in constant memory. */
#include <liegrp/run/monitor.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <liegrp/run/probe.h>
#include <liegrp/run/trend.h>

#include "base/sized.h"
#include "integrators/integrator.h"
#include "run/equation.h"
#include "run/model_private.h"
#include "run/probe.h"

/* The normal part's largest values are kept in at most this many blocks; when they are full, each two become one. */
#define BLOCKS 256
/* A run of that many steps is sampled at every step, a longer one between half as often and that often. */
#define SAMPLES 1000

typedef struct block {
    double begin, end; /* t */
    double most;
} block;

struct lg_monitor {
    size_t bytes;
    int64_t every, left; /* K, and calls until the next sample */
    int64_t samples;
    double time_first, time_last;
    lg_trend energy;
    lg_trend *invariants; /* one each */
    int count;            /* of invariants */
    const lg_invariant *invariant;
    double constraint, holonomic, group, momentum;
    int64_t momentum_samples;
    int has_normal;           /* a normal part exists */
    block normal[BLOCKS + 1]; /* `blocks` that are complete and the one that is being filled */
    int blocks;
    int64_t width, inside; /* samples in a block, and in that one */
    double predicted;      /* sum of predictions */
    int64_t predictions;
    lg_equation equation;
    const lg_group *home; /* what integrators must have to be looked at, */
    const lg_retraction *retraction;
    lg_method method;
    int m, holonomic_count;
};

/* Making and freeing -------------------------------------------------------------------------------------------- */

/* K for a run of `steps` steps. */
static int64_t choose_every(int64_t steps)
{
    return steps <= SAMPLES ? 1 : (steps - 1) / SAMPLES + 1;
}

static void carve(lg_monitor *m, lg_arena *a, const lg_integrator *it, int invariants)
{
    m->invariants = lg_take(a, sz(invariants) * sizeof *m->invariants);
    lg_equation_carve(&m->equation, a, it);
}

static void begin(lg_monitor *m, const lg_model *M, const lg_integrator *it)
{
    const lg_plan *P = &it->plan;
    m->home = P->S->group;
    m->retraction = P->retraction;
    m->method = P->method;
    m->m = P->m;
    m->holonomic_count = P->holonomic;
    m->time_first = m->time_last = NAN;
    m->constraint = m->momentum = m->holonomic = m->group = NAN;
    m->has_normal = (P->method.rule->needs & LG_IS_REFLECTION) && P->nonholonomic > 0;
    m->width = m->left = 1;
    lg_trend_begin(&m->energy);
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
    lg_monitor probe, *o;
    if (m == NULL) return LG_ERROR_ARGUMENT;
    *m = NULL;
    if (it == NULL || !it->made || steps < 0 || every < 0) return LG_ERROR_ARGUMENT;
    if (M != NULL && (M->definition == NULL || M->group != it->S.group)) return LG_ERROR_ARGUMENT;
    lg_equation_choose(&probe.equation, it);
    carve(&probe, &arena, it, invariants);
    o = calloc(1, head + arena.used);
    if (o == NULL) return LG_ERROR_MEMORY;
    o->bytes = head + arena.used;
    arena = (lg_arena){(char *)o + head, 0};
    lg_equation_choose(&o->equation, it);
    carve(o, &arena, it, invariants);
    o->every = every > 0 ? every : choose_every(steps);
    begin(o, M, it);
    *m = o;
    return LG_OK;
}

void lg_monitor_destroy(lg_monitor *m)
{
    free(m);
}

size_t lg_monitor_bytes(const lg_monitor *m)
{
    return m != NULL ? m->bytes : 0;
}

/* Observing ----------------------------------------------------------------------------------------------------- */

static double larger(double a, double b)
{
    return b > a || isnan(a) ? b : a; /* what is NaN does not count */
}

/* A residual that is NaN is worse than any number. */
static double worse(double a, double b)
{
    return isnan(a) || b <= a ? a : b;
}

static void keep_normal(lg_monitor *m, double t, double normal)
{
    block *b = &m->normal[m->blocks];
    if (m->inside == 0) *b = (block){t, t, normal};
    b->end = t;
    b->most = larger(b->most, normal);
    if (++m->inside < m->width) return;
    m->inside = 0;
    if (++m->blocks < BLOCKS) return;
    for (int i = 0; i < BLOCKS / 2; i++) {
        const block *pair = &m->normal[2 * i];
        m->normal[i] = (block){pair[0].begin, pair[1].end, larger(pair[0].most, pair[1].most)};
    }
    m->blocks = BLOCKS / 2;
    m->width *= 2;
}

static void watch_invariants(lg_monitor *m, const lg_integrator *it, double t)
{
    const lg_node *b = it->work->now;
    const lg_call call = lg_field_call(&it->field, &t);
    for (int i = 0; i < m->count; i++) {
        double value = NAN;
        if (m->invariant[i].value(&call, b->g, b->p_tilde, &value) != 0) value = NAN;
        lg_trend_add(&m->invariants[i], t, value);
    }
}

static void watch_residuals(lg_monitor *m, const lg_integrator *it)
{
    const lg_group *G = it->S.group;
    const int first = m->samples == 0;
    const double constraint = lg_integrator_constraint_residual(it), momentum = lg_equation_residual(&m->equation, it);
    const double group = G->residual != NULL ? G->residual(G, lg_integrator_configuration(it), m->equation.work) : 0;
    m->constraint = first ? constraint : worse(m->constraint, constraint);
    m->group = first ? group : worse(m->group, group);
    if (it->plan.holonomic > 0) {
        const double position = lg_integrator_holonomic_residual(it);
        m->holonomic = first ? position : worse(m->holonomic, position);
    }
    if (isnan(momentum)) return;
    m->momentum = larger(m->momentum, momentum);
    m->momentum_samples++;
}

static void sample(lg_monitor *m, const lg_integrator *it)
{
    const double t = lg_integrator_time(it);
    if (m->samples == 0) m->time_first = t;
    m->time_last = t;
    lg_trend_add(&m->energy, t, lg_integrator_energy(it));
    watch_invariants(m, it, t);
    watch_residuals(m, it);
    if (m->has_normal) keep_normal(m, t, lg_integrator_normal_part(it));
    m->samples++;
}

/* Is it the integrator that the monitor was made for, or one like it? */
static int fits(const lg_monitor *m, const lg_integrator *it)
{
    const lg_plan *P = &it->plan;
    return it->made && it->started && P->retraction == m->retraction && P->S->group == m->home && P->m == m->m &&
           P->holonomic == m->holonomic_count && strcmp(P->method.name, m->method.name) == 0;
}

void lg_monitor_observe(lg_monitor *m, const lg_integrator *it)
{
    if (m == NULL || --m->left > 0) return;
    m->left = m->every;
    if (it != NULL && fits(m, it)) sample(m, it);
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
    status = lg_probe_growth(it, &rate, NULL);
    if (status != LG_OK || isnan(rate)) return status;
    m->predicted += rate;
    m->predictions++;
    return LG_OK;
}

/* Reading ------------------------------------------------------------------------------------------------------- */

static lg_monitored figures_of(const lg_trend *s, const char *name)
{
    lg_monitored q = {name, NAN, NAN, NAN, NAN, NAN, NAN};
    if (s->count == 0 || isnan(s->scale)) return q;
    q.first = s->first;
    q.low = s->low;
    q.high = s->high;
    q.deviation = fmax(s->high - s->first, s->first - s->low);
    q.slope = lg_trend_slope(s, &q.half);
    return q;
}

static double largest(const block *blocks, int from, int to)
{
    double most = NAN;
    for (int i = from; i < to; i++) most = larger(most, blocks[i].most);
    return most;
}

static void read_normal(const lg_monitor *m, lg_monitor_figures *f)
{
    const int all = m->blocks + (m->inside > 0), tenth = (all + 9) / 10;
    lg_trend trend;
    f->normal_first = largest(m->normal, 0, tenth);
    f->normal_last = largest(m->normal, all - tenth, all);
    lg_trend_begin(&trend);
    for (int i = 0; i < m->blocks; i++) {
        const block *b = &m->normal[i];
        if (b->most > 0) lg_trend_add(&trend, 0.5 * (b->begin + b->end), log(b->most));
    }
    f->growth = lg_trend_slope(&trend, &f->growth_half);
}

static const lg_sized kind = LG_SIZED_AS(lg_monitor_figures, growth_predicted, "start from lg_monitor_figures_default()");

void lg_monitor_figures_init(lg_monitor_figures *figures, size_t size)
{
    const lg_monitor_figures own = {.size = sizeof own};
    lg_sized_give(&kind, figures, size, &own);
}

lg_status lg_monitor_read(const lg_monitor *m, lg_monitor_figures *figures)
{
    lg_monitor_figures own = lg_monitor_figures_default(), *f = &own;
    if (m == NULL || figures == NULL || !lg_sized_fits(&kind, figures->size)) return LG_ERROR_ARGUMENT;
    f->every = m->every;
    f->samples = m->samples;
    f->time_first = m->time_first;
    f->time_last = m->time_last;
    f->energy = figures_of(&m->energy, "energy");
    f->invariants = m->count;
    f->constraint = m->constraint;
    f->holonomic = m->holonomic;
    f->group = m->group;
    f->momentum = m->momentum;
    f->momentum_samples = m->momentum_samples;
    f->normal_first = f->normal_last = f->growth = f->growth_half = NAN;
    if (m->has_normal) read_normal(m, f);
    f->growth_predictions = m->predictions;
    f->growth_predicted = m->predictions > 0 ? m->predicted / (double)m->predictions : NAN;
    lg_sized_give(&kind, figures, figures->size, &own);
    return LG_OK;
}

lg_status lg_monitor_invariant(const lg_monitor *m, int i, lg_monitored *q)
{
    if (m == NULL || q == NULL || i < 0 || i >= m->count) return LG_ERROR_ARGUMENT;
    *q = figures_of(&m->invariants[i], m->invariant[i].name);
    return LG_OK;
}
