/* SPDX-License-Identifier: BSD-3-Clause */
/* How accurate a run is. Two measurements, neither of which touches the run's own integrator:
 * - The error of the trajectory: once the run is over, its first steps are made once more beside a run of half steps
 *   from the same initial data. For order p the error is 2^p/(2^p - 1) times their difference.
 * - Whether the step resolves the motion: some steps are repeated in smaller ones from the same state. */
#include "run/accuracy.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* That many steps are made once more, and of longer runs 1 of so many. */
#define HEAD  1000
#define SHARE 128
/* No more where their controls are kept. */
#define CONTROLLED 100000
/* Steps that are repeated: each of the first ones, then so many among those made once more, and so many after them. */
#define FIRST   16
#define SAMPLES 64
/* Seconds that the second run may take, and its part of the run's own. */
#define SECONDS_MOST 1.0
#define SECONDS_PART 0.1
/* The smallest step of the second run: h / 32 or / 128. */
#define FINEST 128
/* Errors of that part of the motion, or of that angle, make a trajectory that is lost. */
#define LOST       0.1
#define LOST_ANGLE 0.3

/* The mean of what steps get wrong. */
typedef struct mean {
    double sum;
    int64_t count;
} mean;

struct lg_accuracy {
    lg_accuracy_options o;
    const lg_engine *engine;
    double h;
    lg_motion *source;        /* the state that the run starts from, and its settings */
    lg_motion *probe;         /* repeats a step */
    lg_motion *again, *finer; /* the run once more, and with h / parts; NULL: that does not start */
    int parts;
    int controlled;              /* steps are found for a tolerance: `finer` has a smaller one */
    double *control;             /* of the first steps */
    double *first, *here, *fine; /* configurations: the initial one, those of `again` and `finer` */
    size_t controls;
    int64_t head, next, stride; /* steps made once more; the next step to repeat, and every so many */
    int due;                    /* the probe holds the state before the present step */
    int hardest;                /* iterations of a step so far */
    lg_resolution seen;
    double worst, worst_time;
    mean early, late; /* in the head and after it */
    double seconds;
};

static double now(void)
{
    struct timespec t = {0, 0}; /* which stays where there is no clock */
    (void)clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Beginning and end --------------------------------------------------------------------------------------------- */

/* The run once more with step h. A failure other than of memory does not concern this run. */
static lg_status accuracy_begin(lg_motion **mo, const lg_accuracy *a, double h)
{
    lg_status status = a->engine->like(mo, a->source, h);
    if (status == LG_OK) status = a->engine->follow(*mo, a->source);
    if (status == LG_OK) return LG_OK;
    lg_motion_destroy(*mo);
    *mo = NULL;
    return status == LG_ERROR_MEMORY ? status : LG_OK;
}

/* The run with smaller steps, or a smaller tolerance. */
static lg_status accuracy_begin_finer(lg_accuracy *a)
{
    const lg_status status = accuracy_begin(&a->finer, a, a->h / a->parts);
    if (a->controlled && a->finer != NULL) a->engine->run->tighten(a->finer);
    return status;
}

/* What repeats steps; a step that was found for a tolerance needs no second look. */
static lg_status accuracy_begin_probe(lg_accuracy *a, const lg_motion *mo)
{
    const lg_status status = a->controlled ? LG_ERROR_UNSUPPORTED : lg_motion_clone(&a->probe, mo);
    if (status == LG_OK || status == LG_ERROR_MEMORY) return status;
    if (!a->controlled) lg_motion_destroy(a->probe); /* a callback that fails now and then */
    a->probe = NULL;
    a->next = INT64_MAX;
    return a->controlled ? LG_OK : status;
}

static lg_status accuracy_fill(lg_accuracy *a, const lg_motion *mo)
{
    const size_t size = a->engine->run->size(mo);
    lg_status status;
    a->first = calloc(3 * size + (size_t)a->head * a->controls, sizeof *a->first);
    if (a->first == NULL) return LG_ERROR_MEMORY;
    a->here = a->first + size;
    a->fine = a->here + size;
    a->control = a->fine + size;
    a->engine->run->configuration(a->first, mo);
    status = lg_motion_clone(&a->source, mo);
    if (status == LG_OK) status = accuracy_begin_probe(a, mo);
    if (status != LG_OK) return status == LG_ERROR_MEMORY ? status : LG_OK;
    status = accuracy_begin(&a->again, a, a->h);
    return status == LG_OK ? accuracy_begin_finer(a) : status;
}

lg_status lg_accuracy_create(lg_accuracy **accuracy, const lg_accuracy_options *o, const lg_motion *mo, lg_error *e)
{
    lg_accuracy *a = *accuracy = calloc(1, sizeof *a);
    lg_status status = LG_ERROR_MEMORY;
    if (a != NULL) {
        const int64_t head = o->steps / SHARE > HEAD ? o->steps / SHARE : HEAD;
        a->o = *o;
        a->engine = mo->engine;
        a->controlled = a->engine->tolerance(mo) > 0;
        a->parts = a->controlled ? 1 : 2;
        a->h = a->engine->step_size(mo);
        a->controls = o->controls;
        a->head = head < o->steps ? head : o->steps;
        if (a->controls > 0 && a->head > CONTROLLED) a->head = CONTROLLED;
        a->next = a->head;
        a->stride = (o->steps - a->head) / SAMPLES + 1;
        a->seen = lg_resolution_default();
        a->worst_time = NAN;
        status = accuracy_fill(a, mo);
    }
    return status == LG_OK ? LG_OK : lg_fail(e, status, "%s", lg_status_text(status));
}

void lg_accuracy_destroy(lg_accuracy *a)
{
    if (a == NULL) return;
    lg_motion_destroy(a->source);
    lg_motion_destroy(a->probe);
    lg_motion_destroy(a->again);
    lg_motion_destroy(a->finer);
    free(a->first);
    free(a);
}

double lg_accuracy_seconds(const lg_accuracy *a)
{
    return a != NULL ? a->seconds : 0;
}

/* Steps that are repeated --------------------------------------------------------------------------------------- */

/* `it` made the step that the probe is to repeat. */
static void accuracy_repeat(lg_accuracy *a, const lg_motion *mo, const double *control, mean *m)
{
    double part = 0;
    if (a->controls > 0 && a->engine->set_control(a->probe, control) != LG_OK) return;
    part = a->engine->run->repeat(&a->seen, mo, a->probe);
    m->sum += part;
    m->count++;
    if (part > a->worst || isnan(a->worst_time)) {
        a->worst = part;
        a->worst_time = a->engine->time(mo) - a->h;
    }
}

void lg_accuracy_before(lg_accuracy *a, const lg_motion *mo, int64_t step)
{
    double began;
    if (a == NULL || step < a->next) return;
    began = now();
    a->due = a->engine->follow(a->probe, mo) == LG_OK;
    a->next = step + a->stride;
    a->seconds += now() - began;
}

void lg_accuracy_not_yet(lg_accuracy *a, int64_t step)
{
    if (a == NULL || !a->due) return;
    a->due = 0;
    a->next = step;
}

void lg_accuracy_after(lg_accuracy *a, const lg_motion *mo, const double *control, int64_t step)
{
    if (a == NULL) return;
    if (a->controls > 0 && step < a->head)
        memcpy(a->control + (size_t)step * a->controls, control, a->controls * sizeof *control);
    if (a->due) {
        const double began = now();
        accuracy_repeat(a, mo, control, &a->late);
        a->due = 0;
        a->seconds += now() - began;
    }
    if (a->engine->iterations(mo) > a->hardest) { /* the motion has become faster: look at the next step */
        a->hardest = a->engine->iterations(mo);
        if (a->probe != NULL && step >= a->head && a->next > step + 1) a->next = step + 1;
    }
}

/* Checkpoints --------------------------------------------------------------------------------------------------- */

void lg_accuracy_list(lg_tape *t, lg_accuracy *a)
{
    static const char wrong[] = "what it knows of its accuracy is impossible";
    if (a == NULL) return;
    lg_resolution *r = &a->seen;
    double *const numbers[] = {&r->rotation,         &r->position,  &r->velocity, &r->rotation_in_step,
                               &r->position_in_step, &r->speed,     &r->turn,     &a->worst,
                               &a->worst_time,       &a->early.sum, &a->late.sum, &a->seconds};
    int64_t *const counts[] = {&r->samples, &r->failed, &a->early.count, &a->late.count, &a->next};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) lg_tape_double(t, numbers[i]);
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) lg_tape_long(t, counts[i], 0, INT64_MAX, wrong);
    lg_tape_int(t, &a->hardest, 0, INT_MAX, wrong);
    lg_tape_doubles(t, a->control, (size_t)a->head * a->controls);
}

/* The run once more --------------------------------------------------------------------------------------------- */

/* Results of the comparison: errors and the extent of the motion. */
typedef struct view {
    double rotation, position, velocity, extent, speed, lost;
    int64_t steps;
} view;

static lg_status accuracy_step(lg_motion *mo, const lg_accuracy *a, const double *control, int steps)
{
    lg_status status = a->controls > 0 ? a->engine->set_control(mo, control) : LG_OK;
    for (int i = 0; status == LG_OK && i < steps; i++) status = a->engine->step(mo, 1);
    return status;
}

/* After a step of `again` and those of `finer`. */
static void accuracy_compare(const lg_accuracy *a, view *v)
{
    const double order = a->controlled ? 1000 : pow(a->parts, a->engine->run->order(a->again)),
                 factor = order / (order - 1);
    a->engine->run->configuration(a->here, a->again);
    a->engine->run->configuration(a->fine, a->finer);
    const lg_apart d = a->engine->run->apart(a->again, a->here, a->fine);
    const double position = factor * d.position, rotation = fmin(factor * d.rotation, acos(-1.0));
    double speed, velocity;
    velocity = factor * a->engine->run->velocities(a->again, a->finer, &speed);
    v->steps++;
    v->extent = fmax(v->extent, a->engine->run->apart(a->again, a->first, a->here).position);
    v->speed = fmax(v->speed, speed);
    v->rotation = fmax(v->rotation, rotation);
    v->position = position <= v->position ? v->position : position;
    v->velocity = velocity <= v->velocity ? v->velocity : velocity;
    if (isnan(v->lost) && !(rotation <= LOST_ANGLE && position <= LOST * v->extent && velocity <= LOST * v->speed))
        v->lost = a->engine->time(a->again);
}

/* Is step k of the head to be repeated? */
static int accuracy_is_due(int64_t k, int64_t steps)
{
    return k < FIRST || k % (steps / SAMPLES + 1) == 0;
}

/* The finer run fails where the run does not: the step is too large for mo, or for both. */
static void accuracy_fail(lg_accuracy *a, double t)
{
    if (a->seen.failed++ == 0) a->worst_time = t;
    a->worst = INFINITY;
    lg_motion_destroy(a->finer);
    a->finer = NULL;
}

/* Progress about every 100 ms of the second run, too; nonzero: it is to end. */
static int accuracy_look(const lg_accuracy *a, double at, double *reported)
{
    if (a->o.progress == NULL || at - *reported < 0.1) return 0;
    *reported = at;
    return a->o.progress(a->o.steps, a->o.steps, a->o.progress_context) != 0;
}

/* The first steps beside the finer run, which fails: 1. Steps are repeated the first time only. */
static int accuracy_run_again(lg_accuracy *a, view *v, int64_t steps, double until)
{
    const int first = a->early.count == 0;
    double at = now(), reported = at;
    for (int64_t k = 0; k < steps && at <= until; k++, at = now()) {
        const double *control = a->control + (size_t)k * a->controls;
        const int repeat =
            first && a->probe != NULL && accuracy_is_due(k, steps) && a->engine->follow(a->probe, a->again) == LG_OK;
        if (accuracy_step(a->again, a, control, 1) != LG_OK) return 0;
        if (repeat) accuracy_repeat(a, a->again, control, &a->early);
        if (a->finer != NULL && accuracy_step(a->finer, a, control, a->parts) != LG_OK)
            accuracy_fail(a, a->engine->time(a->again) - a->h);
        if (a->finer != NULL) accuracy_compare(a, v);
        if (a->finer == NULL && !first) return 1;
        if (accuracy_look(a, at, &reported)) return 0;
    }
    return a->finer == NULL;
}

/* With half steps, and with smaller ones where these fail: what is said is about all steps then. */
static void accuracy_run_finer(lg_accuracy *a, view *v, int64_t steps, double until)
{
    while (accuracy_run_again(a, v, steps, until) && a->parts < FINEST && !a->controlled) {
        a->parts *= 4;
        *v = (view){.lost = NAN};
        lg_motion_destroy(a->again);
        if (accuracy_begin(&a->again, a, a->h) != LG_OK || a->again == NULL) return;
        if (accuracy_begin_finer(a) != LG_OK) return;
    }
}

/* An error grows at least with the steps, and with what steps get wrong. */
static double accuracy_growth(const lg_accuracy *a, int64_t compared, int64_t steps)
{
    const double rest = (double)(steps - compared) / (double)compared;
    if (a->early.count == 0 || a->late.count == 0) return 1 + rest;
    const double early = a->early.sum / (double)a->early.count, late = a->late.sum / (double)a->late.count;
    return 1 + rest * (isfinite(late) && isfinite(early) && early > 0 ? late / early : 1);
}

/* NaN where nothing moves. */
static double accuracy_figure(double error, double motion, double growth, double most)
{
    return error == 0 && motion == 0 ? NAN : fmin(error * growth, most);
}

void lg_accuracy_conclude(lg_accuracy *a, lg_run_result *f)
{
    view v = {.lost = NAN};
    int64_t steps;
    if (a == NULL) return;
    steps = f->steps < a->head ? f->steps : a->head;
    if (a->again != NULL && !f->interrupted)
        accuracy_run_finer(a, &v, steps, now() + fmax(SECONDS_MOST, SECONDS_PART * f->seconds));
    if (v.steps > 0) {
        const double growth = accuracy_growth(a, v.steps, f->steps);
        f->error_rotation = accuracy_figure(v.rotation, a->seen.rotation_in_step, growth, acos(-1.0));
        f->error_position = accuracy_figure(v.position, v.extent, growth, INFINITY);
        f->error_velocity = accuracy_figure(v.velocity / (v.speed > 0 ? v.speed : 1), v.speed, growth, 2);
        f->error_steps = v.steps;
        f->error_lost = v.lost;
        f->error_parts = a->parts;
    }
    f->samples = a->seen.samples;
    f->resolution = f->samples > 0 ? lg_resolution_worst(&a->seen) : NAN;
    f->resolution_time = a->worst_time;
    f->turn = f->samples > 0 ? a->seen.turn : NAN;
    f->resolved = f->samples == 0 || lg_resolution_suffices(&a->seen);
}
