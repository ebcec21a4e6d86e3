/* SPDX-License-Identifier: BSD-3-Clause */
/* The points of a sweep over a mechanism: an ensemble; or, if parameters vary or the method has no ensembles, each
 * point is compiled, started and stepped alone, and threads take points in turn. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef _OPENMP
#include <omp.h>
#endif

#include "cli/lib/mechanism.h"
#include "cli/lib/progress.h"
#include "cli/sweep.h"

enum { FIRST = 16, LATER = 2 };

/* Result of a point. */
typedef struct outcome {
    lg_status status;
    int64_t steps;
    char reason[LG_MESSAGE_SIZE];
} outcome;

/* A point on its way. */
typedef struct point {
    cli_batch *b;
    int64_t i;
    cli_instance instance;
    double energy; /* at the start */
} point;

lg_motion_options cli_sweep_motion(const cli_sweep *s)
{
    lg_motion_options o = lg_motion_options_default();
    o.method = s->e.method, o.step = s->e.step, o.tolerance = s->e.tolerance, o.halvings = s->e.halvings;
    return o;
}

/* Is there any reason why no motion can be made? */
static lg_status try_motion(cli_batch *b)
{
    const lg_motion_options o = cli_sweep_motion(b->sweep);
    lg_motion *mo = NULL;
    lg_status status = lg_motion_create(&mo, b->sweep->S.M, &o);
    if (status == LG_OK && b->sweep->e.contact != NULL) status = lg_motion_set_contact(mo, b->sweep->e.contact);
    if (status != LG_OK)
        snprintf(b->message, sizeof b->message, "%s", mo != NULL ? lg_motion_message(mo) : "out of memory");
    lg_motion_destroy(mo);
    return status;
}

lg_status cli_batch_make_mechanism(cli_batch *b, int64_t count, const char **message)
{
    const cli_sweep *s = b->sweep;
    const char *why;       /* parameters that cannot be compiled are a failure of every point */
    const lg_scene *scene; /* which needs the compiled mechanism */
    cli_instance made = {NULL, NULL};
    cli_system S = s->S;
    lg_status status = try_motion(b);
    *message = b->message;
    if (status != LG_OK || s->apart) return status;
    S.R = cli_mechanism_copy(s->S.R);
    int compiles =
        S.R != NULL && cli_grid_set(&s->grid, 0, &S) == LG_OK && cli_instance_compile(&made, &S, &why) == LG_OK;
    lg_model *M = made.M != NULL ? made.M : s->S.M;
    compiles = compiles && lg_model_scene(M, &scene) == LG_OK;
    cli_mechanism_free(S.R);
    if (compiles) status = lg_ensemble_create(&b->E, M, count, &s->e);
    cli_instance_free(&made);
    if (!compiles) return LG_OK;
    if (status != LG_OK) *message = b->E != NULL ? lg_ensemble_message(b->E) : "out of memory";
    return status;
}

/* Controls that are not given keep the mechanism's values. */
static lg_status set_controls(const cli_batch *b, int64_t i, lg_motion *mo)
{
    const cli_sweep *s = b->sweep;
    const int count = s->controls.count, columns = lg_model_column_count(s->S.M);
    if (count == 0) return LG_OK;
    double *row = malloc((size_t)columns * sizeof *row), *u = row;
    if (row == NULL || lg_motion_row(mo, row) != LG_OK) {
        free(row);
        return LG_ERROR_MEMORY;
    }
    while (lg_model_column(s->S.M, (int)(u - row))->kind != LG_COLUMN_CONTROL) u++;
    cli_controls_at(&s->controls, u, 0, 0);
    cli_grid_controls(&s->grid, cli_deal_point(&b->deal, i), u);
    const lg_status status = lg_motion_set_control(mo, u);
    free(row);
    return status;
}

lg_status cli_batch_start_motion(const cli_batch *b, int64_t i, lg_motion *mo)
{
    const cli_sweep *s = b->sweep;
    cli_system S = s->S;
    S.R = cli_mechanism_copy(s->S.R);
    lg_status status = S.R != NULL ? cli_grid_set(&s->grid, cli_deal_point(&b->deal, i), &S) : LG_ERROR_MEMORY;
    if (status == LG_OK) status = cli_instance_start(mo, &S, s->e.project);
    if (status == LG_OK) status = set_controls(b, i, mo);
    cli_mechanism_free(S.R);
    return status;
}

/* One by one ------------------------------------------------------------------------------------------------------ */

static void measure(const point *p)
{
    cli_batch *b = p->b;
    const lg_motion *mo = p->instance.mo;
    b->drift[p->i] = cli_batch_larger(b->drift[p->i], fabs(lg_motion_energy(mo) - p->energy));
    b->constraint[p->i] = cli_batch_larger(b->constraint[p->i], cli_batch_residual(mo));
}

/* Looks at the present state: figures, a row where it is due. */
static void look(point *p, int64_t step)
{
    cli_batch *b = p->b;
    const cli_sweep *s = b->sweep;
    const lg_motion *mo = p->instance.mo;
    const int due = s->every > 0 ? step % s->every == 0 : step == s->steps;
    if (step == 0) p->energy = lg_motion_energy(mo), b->drift[p->i] = b->constraint[p->i] = 0;
    if (due || step % s->e.monitor == 0) measure(p);
    if (due) cli_batch_add_row(b, p->i, mo, LG_OK);
}

static void examine(point *p, int64_t step)
{
    const cli_sweep *s = p->b->sweep;
    const int64_t most = step == 0 ? FIRST : LATER;
    if (step >= s->steps || (step > 0 && cli_batch_mark(s, step - 1) != step)) return;
    if (!cli_sweep_examines(s, cli_deal_point(&p->b->deal, p->i))) return;
    /* Steps that fail here also fail in the sweep, which reports it. */
    lg_status_ignore(lg_motion_resolution(p->instance.mo, &p->b->seen[p->i], most < s->steps ? most : s->steps));
}

static void walk(point *p, outcome *out)
{
    const cli_sweep *s = p->b->sweep;
    for (int64_t step = 0;; step++) {
        look(p, step);
        out->steps = step;
        if (step >= s->steps || cli_caught() != 0) return;
        examine(p, step);
        out->status = lg_motion_step(p->instance.mo, 1);
        if (out->status == LG_OK) continue;
        measure(p);
        cli_batch_add_failure(p->b, p->i, p->instance.mo, out->status);
        snprintf(out->reason, sizeof out->reason, "%s", lg_motion_message(p->instance.mo));
        return;
    }
}

static void compute(cli_batch *b, int64_t i, outcome *out)
{
    const cli_sweep *s = b->sweep;
    const lg_motion_options o = cli_sweep_motion(s);
    const char *message = "out of memory";
    cli_system S = s->S;
    point p = {.b = b, .i = i};
    memset(out, 0, sizeof *out);
    S.R = cli_mechanism_copy(s->S.R);
    out->status = S.R != NULL ? cli_grid_set(&s->grid, cli_deal_point(&b->deal, i), &S) : LG_ERROR_MEMORY;
    if (out->status == LG_OK) out->status = cli_instance_make(&p.instance, &S, &o, s->e.project, &message);
    if (out->status == LG_OK) out->status = set_controls(b, i, p.instance.mo);
    if (out->status == LG_OK) {
        walk(&p, out);
    } else {
        snprintf(out->reason, sizeof out->reason, "%s", message);
        cli_batch_add_empty_row(b, i, out->status);
    }
    cli_instance_free(&p.instance);
    cli_mechanism_free(S.R);
}

/* As many as OpenMP chooses. */
static int most_threads(void)
{
#ifdef _OPENMP
    return omp_get_max_threads();
#else
    return 1;
#endif
}

int cli_batch_compute_apart(cli_batch *b, int (*tell)(double done, void *context), void *context)
{
    const int threads = b->sweep->e.threads > 0 ? b->sweep->e.threads : most_threads();
    outcome *out = calloc((size_t)b->count, sizeof *out);
    int64_t piece = threads;
    int stopped = out == NULL || tell(0, context);
    b->threads = threads < b->count ? threads : (int)b->count;
    for (int64_t done = 0; !stopped && done < b->count;) {
        const double began = cli_now();
        const int64_t end = done + piece < b->count ? done + piece : b->count;
#ifdef _OPENMP
#pragma omp parallel for schedule(dynamic) num_threads(threads)
#endif
        for (int64_t i = done; i < end; i++) compute(b, i, &out[i]);
        done = end;
        stopped = tell((double)done / (double)b->count, context);
        if (cli_now() - began < 0.05) piece *= 2;
    }
    for (int64_t i = 0; !stopped && i < b->count; i++)
        cli_batch_count(b, i, out[i].status, out[i].steps, out[i].reason);
    free(out);
    return stopped;
}
