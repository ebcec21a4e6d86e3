/* SPDX-License-Identifier: BSD-3-Clause */
/* The points of a sweep over a mechanism: each is compiled where parameters vary, started and stepped by itself;
 * threads take points in turn. */
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

enum { FIRST = 16, LATER = 2, MARKS = 8 };

/* What became of a point. */
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

lg_status cli_batch_try_mechanism(cli_batch *b, const char **message)
{
    const cli_sweep *s = b->sweep;
    const char *why = "out of memory";
    lg_motion *mo = NULL;
    lg_status status = lg_motion_create(&mo, s->S.M, &s->motion);
    if (status != LG_OK) snprintf(b->message, sizeof b->message, "%s", mo != NULL ? lg_motion_message(mo) : why);
    lg_motion_destroy(mo);
    *message = b->message;
    return status;
}

static double larger(double a, double b)
{
    return isnan(a) || b <= a ? a : b; /* a NaN stays */
}

/* What is not given stays as the mechanism has it. */
static lg_status set_controls(point *p)
{
    const cli_sweep *s = p->b->sweep;
    lg_motion *mo = p->instance.mo;
    const int count = s->controls.count, columns = lg_model_column_count(s->S.M);
    if (count == 0) return LG_OK;
    double *row = malloc((size_t)columns * sizeof *row), *u = row;
    if (row == NULL || lg_motion_row(mo, row) != LG_OK) {
        free(row);
        return LG_ERROR_MEMORY;
    }
    while (lg_model_column(s->S.M, (int)(u - row))->kind != LG_COLUMN_CONTROL) u++;
    cli_controls_at(&s->controls, u, 0, 0);
    cli_grid_controls(&s->grid, cli_deal_point(&p->b->deal, p->i), u);
    const lg_status status = lg_motion_set_control(mo, u);
    free(row);
    return status;
}

/* Looks at the present state: figures, a row where it is due. */
static void look(point *p, int64_t step)
{
    cli_batch *b = p->b;
    const cli_sweep *s = b->sweep;
    const lg_motion *mo = p->instance.mo;
    const double energy = lg_motion_energy(mo), residual = larger(lg_motion_gap(mo), lg_motion_slip(mo));
    if (step == 0) {
        p->energy = energy;
        b->drift[p->i] = 0;
        b->constraint[p->i] = residual;
    }
    b->drift[p->i] = larger(b->drift[p->i], fabs(energy - p->energy));
    b->constraint[p->i] = larger(b->constraint[p->i], residual);
    if (s->every > 0 ? step % s->every != 0 : step != s->steps) return;
    lg_status_ignore(lg_motion_row(mo, cli_batch_begin_row(b, p->i, LG_OK)));
}

/* The row of the last good state of a point that failed. */
static void look_at_failed(point *p, lg_status status, int64_t step)
{
    cli_batch *b = p->b;
    const cli_sweep *s = b->sweep;
    double *last =
        b->filled[p->i] > 0 ? b->rows + (size_t)(p->i * b->each + b->filled[p->i] - 1) * (size_t)s->columns : NULL;
    if (last != NULL && last[s->at_row] == (double)step)
        last[s->at_status] = (double)status; /* its row is there already */
    else
        lg_status_ignore(lg_motion_row(p->instance.mo, cli_batch_begin_row(b, p->i, status)));
}

static void examine(point *p, int64_t step)
{
    const cli_sweep *s = p->b->sweep;
    const int64_t part = s->steps / MARKS, most = step == 0 ? FIRST : LATER;
    if (step >= s->steps || (step > 0 && (part < FIRST || step % part != 0))) return;
    if (!cli_sweep_examines(s, cli_deal_point(&p->b->deal, p->i))) return;
    /* If steps fail here they do so in the sweep, which says it. */
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
        look_at_failed(p, out->status, step);
        snprintf(out->reason, sizeof out->reason, "%s", lg_motion_message(p->instance.mo));
        return;
    }
}

static void compute(cli_batch *b, int64_t i, outcome *out)
{
    const cli_sweep *s = b->sweep;
    const char *message = "out of memory";
    cli_system S = s->S;
    point p = {.b = b, .i = i};
    memset(out, 0, sizeof *out);
    S.R = cli_mechanism_copy(s->S.R);
    out->status = S.R != NULL ? cli_grid_set(&s->grid, cli_deal_point(&b->deal, i), &S) : LG_ERROR_MEMORY;
    if (out->status == LG_OK)
        out->status = cli_instance_make(&p.instance, &S, &s->motion, s->e.project, &message);
    if (out->status == LG_OK) out->status = set_controls(&p);
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

int cli_batch_compute_mechanism(cli_batch *b, int (*tell)(double done, void *context), void *context)
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
