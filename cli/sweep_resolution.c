/* SPDX-License-Identifier: BSD-3-Clause */
/* Does the step of a sweep resolve the motions of its points? */
#include "cli/lib/progress.h"
#include "cli/sweep.h"

enum {
    POINTS = 1000, /* number of examined points of a larger sweep, about */
    FIRST = 16,    /* steps at the start, */
    LATER = 2,     /* and at each of the others */
    MARKS = 8      /* parts of a run, between which points are examined */
};

int64_t cli_batch_mark(const cli_sweep *s, int64_t done)
{
    const int64_t part = s->steps / MARKS;
    if (s->blind || part < FIRST || done / part + 1 >= MARKS) return s->steps;
    return (done / part + 1) * part;
}

/* Scrambled, so that no line of a grid is left out. */
int cli_sweep_examines(const cli_sweep *s, int64_t point)
{
    uint64_t x = (uint64_t)point * UINT64_C(0x9e3779b97f4a7c15);
    x = (x ^ (x >> 31)) * UINT64_C(0xbf58476d1ce4e5b9);
    return !s->blind && s->steps > 0 && (x >> 11) % ((uint64_t)(s->grid.count / POINTS) + 1) == 0;
}

static int examine(int64_t i, const lg_motion *mo, void *context)
{
    const cli_batch *b = context;
    const cli_sweep *s = b->sweep;
    const int64_t steps = lg_motion_step_index(mo) == 0 ? FIRST : LATER, most = steps < s->steps ? steps : s->steps;
    const lg_integrator *it = lg_motion_integrator(mo);
    if (lg_ensemble_status(b->E, i) != LG_OK || !cli_sweep_examines(s, cli_deal_point(&b->deal, i))) return 0;
    /* Steps that fail here also fail in the sweep, which reports it. */
    lg_status_ignore(it != NULL ? lg_diagnostics_resolution(it, &b->seen[i], most)
                                : lg_motion_resolution(mo, &b->seen[i], most));
    return 0;
}

int cli_batch_examine(cli_batch *b)
{
    const double began = cli_now();
    lg_status status;
    if (b->sweep->blind) return 0;
    status = lg_ensemble_visit(b->E, examine, b);
    b->examining += cli_now() - began;
    return status != LG_OK;
}

void cli_batch_count_resolution(cli_batch *b, int64_t i)
{
    cli_tally *t = &b->tally;
    const double worst = lg_resolution_worst(&b->seen[i]);
    if (b->seen[i].samples == 0) return;
    t->examined++;
    if (lg_resolution_suffices(&b->seen[i])) return;
    t->unresolved++;
    if (!(worst > t->worst)) return;
    t->worst = worst;
    t->unresolved_at = cli_deal_point(&b->deal, i);
}
