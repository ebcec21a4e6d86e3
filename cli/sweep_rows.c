/* SPDX-License-Identifier: BSD-3-Clause */
/* Sends the results of all ranks of a sweep to rank 0: the figures, and the rows as the bytes of the file, which every
 * rank formats itself. */
#include <string.h>

#include "cli/sweep.h"
#include "run/format.h"

/* Where a rank sends its rows: rank 0 to its writer, the others to rank 0. */
typedef struct way {
    const cli_ranks *ranks;
    lg_writer *writer; /* NULL but on rank 0 */
    lg_error *error;
    lg_status status;
} way;

static void pass(way *y, const char *text, size_t size, int last)
{
    if (y->ranks->rank > 0)
        y->ranks->mpi->send(text, (int)size, last);
    else if (y->status == LG_OK) /* rank 0 receives everything from the others even when the disk is full */
        y->status = lg_writer_bytes(y->writer, text, size, y->error);
}

/* Points [from, to) of a batch. */
static void pass_rows(const cli_batch *b, way *y, lg_format format, int64_t from, int64_t to)
{
    const cli_sweep *s = b->sweep;
    const size_t room = (size_t)s->columns * LG_WRITER_ROOM;
    const lg_format_facts *write = lg_format_at((int)format);
    const lg_table table = {.integers = s->integers, .columns = s->columns};
    size_t used = 0;
    for (int64_t i = from; i < to; i++)
        for (int64_t k = 0; k < b->filled[i]; k++) {
            const double *row = b->rows + (size_t)(i * b->each + k) * (size_t)s->columns;
            if (used + room > b->text_size) {
                pass(y, b->text, used, 0);
                used = 0;
            }
            used = (size_t)(write->row(b->text + used, &table, row) - b->text);
        }
    pass(y, b->text, used, 1);
}

static void take_rows(const cli_batch *b, way *y, int from)
{
    for (int last = 0; !last;) {
        const int got = y->ranks->mpi->receive(b->text, (int)b->text_size, from, &last);
        pass(y, b->text, (size_t)got, 0);
    }
}

lg_status cli_batch_write(const cli_batch *b, const cli_ranks *r, lg_writer *w, lg_format format, lg_error *e)
{
    const cli_deal *d = &b->deal;
    way y = {r, w, e, LG_OK};
    int64_t mine = 0;
    for (int64_t at = 0, k = 0; at < d->count; at += d->block, k++) {
        const int64_t size = d->count - at < d->block ? d->count - at : d->block;
        const int owner = (int)(k % d->ranks);
        if (owner == d->rank) {
            pass_rows(b, &y, format, mine, mine + size);
            mine += size;
        } else if (d->rank == 0) {
            take_rows(b, &y, owner);
        }
    }
    return y.status;
}

/* ---- figures ---- */

static void add_largest(double *largest, int64_t *at, double other, int64_t other_at)
{
    if (!(other > *largest) && !(other == *largest && other_at < *at)) return;
    *largest = other;
    *at = other_at;
}

/* The first failures of both, in order. */
static void add_described(cli_tally *all, const cli_tally *part)
{
    for (int i = 0; i < part->described; i++) {
        int at = all->described;
        while (at > 0 && all->failure[at - 1].instance > part->failure[i].instance) at--;
        if (at == CLI_DESCRIBED) return;
        if (all->described < CLI_DESCRIBED) all->described++;
        memmove(&all->failure[at + 1], &all->failure[at], (size_t)(all->described - 1 - at) * sizeof all->failure[0]);
        all->failure[at] = part->failure[i];
    }
}

void cli_tally_add(cli_tally *all, const cli_tally *part)
{
    all->instances += part->instances;
    all->failed += part->failed;
    all->steps += part->steps;
    for (int i = 0; i < LG_STATUS_COUNT; i++) all->by_status[i] += part->by_status[i];
    add_largest(&all->drift, &all->drift_at, part->drift, part->drift_at);
    add_largest(&all->constraint, &all->constraint_at, part->constraint, part->constraint_at);
    add_largest(&all->gain, &all->gain_at, part->gain, part->gain_at);
    all->examined += part->examined;
    all->unresolved += part->unresolved;
    add_largest(&all->worst, &all->unresolved_at, part->worst, part->unresolved_at);
    add_described(all, part);
}

void cli_tally_gather(cli_tally *all, const cli_batch *b, const cli_ranks *r)
{
    if (r->rank > 0) {
        r->mpi->send(&b->tally, (int)sizeof b->tally, 1);
        return;
    }
    cli_tally_add(all, &b->tally);
    for (int from = 1; from < r->ranks; from++) {
        cli_tally part;
        int last;
        (void)r->mpi->receive(&part, (int)sizeof part, from, &last);
        cli_tally_add(all, &part);
    }
}
