/* SPDX-License-Identifier: BSD-3-Clause */
/* The rounds of a sweep. */
#include "cli/sweep_job.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/message.h"
#include "cli/lib/choice.h"
#include "cli/lib/print.h"
#include "cli/lib/progress.h"
#include "run/format.h"

/* The sweep ------------------------------------------------------------------------------------------------------- */

static int tell(double done, void *context)
{
    sweep_job *j = context;
    const double part = ((double)j->done + done * (double)j->deal.count) / (double)j->count;
    if (!j->quiet && part > 0) cli_bar(&j->bar, j->s.S.name, part, cli_now() - j->began);
    return cli_caught() != 0;
}

static int fail(const sweep_job *j, lg_status status, const char *message)
{
    cli_print_failure("sweep", j->s.e.method, status, message);
    return CLI_WRONG_USE;
}

static int writes(const sweep_job *j)
{
    return j->output != NULL || j->stream != NULL;
}

/* The number of points of the next round: few at first, then about a second's worth, so that an interruption loses
 * little, and no more rows than fit into 64 MiB on each rank. */
static int64_t next_size(const sweep_job *j, double seconds)
{
    const int64_t left = j->count - j->done;
    const int64_t most = (INT64_C(1) << 23) / (j->b.each * j->s.columns);
    int64_t size = j->b.made != 0 ? j->b.made : j->keep.o.file != NULL ? 16 : 64;
    if (j->b.made > 0 && seconds < 0.5) size *= seconds < 0.1 ? 8 : 2;
    if (j->b.made > 0 && seconds > 4) size /= 2;
    if (size < 16) size = 16;
    if (size > 65536) size = 65536;
    if (size > most) size = most > 0 ? most : 1;
    size *= j->ranks.ranks;
    return size < left ? size : left;
}

/* Rank 0 continues from a checkpoint, if there is one, */
static int resume(sweep_job *j)
{
    lg_error e = {LG_OK, ""};
    if (sweep_checkpoint_begin(&j->keep, &j->resumed, &e) != LG_OK) return fail(j, e.status, e.message);
    if (j->resumed && !j->quiet)
        fprintf(stderr, "liegrp sweep: continues from instance %" PRId64 " of %" PRId64 "\n", j->done, j->count);
    return CLI_WELL;
}

static void describe_range(lg_json *l, const cli_range *r)
{
    lg_json_open(l, NULL, '{');
    lg_json_text(l, "of", r->control > 0 ? "control" : r->initial ? "init" : "param");
    lg_json_text(l, "name", r->name);
    lg_json_number(l, "from", r->from);
    lg_json_number(l, "to", r->to);
    lg_json_whole(l, "count", r->swept ? r->count : 1);
    lg_json_close(l, '}');
}

/* Those that all points have, unless a range names them. */
static void describe_parameters(lg_json *l, const lg_model *M)
{
    const lg_model_definition *d = lg_model_describe(M);
    lg_json_open(l, "parameters", '{');
    for (int i = 0; i < d->parameter_count; i++) lg_json_number(l, d->parameters[i].name, d->parameters[i].value);
    lg_json_close(l, '}');
}

/* Describes everything that the rows depend on. */
static void describe(lg_provenance *p, const sweep_job *j)
{
    const cli_sweep *s = &j->s;
    lg_provenance_begin(p, "sweep");
    lg_provenance_text(p, "system", s->S.name);
    if (s->S.R == NULL) describe_parameters(&p->json, s->S.M);
    lg_json_open(&p->json, "ranges", '[');
    for (int i = 0; i < s->grid.ranges; i++) describe_range(&p->json, &s->grid.range[i]);
    lg_json_close(&p->json, ']');
    lg_json_whole(&p->json, "random", s->grid.random);
    lg_json_whole(&p->json, "seed", (int64_t)s->grid.seed);
    lg_provenance_whole_number(p, "first", j->first);
    lg_provenance_whole_number(p, "count", j->count);
    lg_provenance_text(p, "method", s->e.method);
    if (s->S.R == NULL) lg_provenance_text(p, "retraction", s->e.retraction);
    if (s->S.R == NULL) lg_provenance_start(p, s->e.start);
    lg_json_whole(&p->json, "project", s->e.project);
    if (s->e.tolerance != 0) lg_provenance_number(p, "tolerance", s->e.tolerance);
    lg_provenance_number(p, "step", s->e.step);
    lg_provenance_whole_number(p, "steps", s->steps);
    lg_provenance_number(p, "time", (double)s->steps * s->e.step);
    lg_provenance_whole_number(p, "every", s->every);
    lg_json_whole(&p->json, "watch", s->e.monitor);
}

/* adds the provenance of the rows, */
static int tell_origin(sweep_job *j, char *const *names)
{
    lg_error e = {LG_OK, ""};
    const cli_origin *o = &j->origin;
    const lg_provenance_caller caller = {(const char *const *)o->words, o->count, (const char *const *)o->inputs,
                                         o->input_count};
    if (j->provenance.json.text != NULL) return CLI_WELL;
    describe(&j->provenance, j);
    if (lg_provenance_rows(&j->provenance, names, j->s.columns, j->kind, &caller, &e) != LG_OK)
        return fail(j, e.status, e.message);
    if (o->json == NULL) return CLI_WELL;
    char *text = lg_provenance_whole(&j->provenance, NULL, 0);
    if (text == NULL) return cli_wrong("sweep", "out of memory");
    const int differs = cli_origin_check(text, &j->origin);
    free(text);
    return differs ? cli_wrong("sweep", "%s", o->message) : CLI_WELL;
}

/* and opens the file of the rows. */
static int open_rows(sweep_job *j)
{
    lg_error e = {LG_OK, ""};
    const cli_sweep *s = &j->s;
    const lg_writer_options options = {.path = j->output,
                                       .stream = j->stream,
                                       .format = j->kind,
                                       .names = j->first == 0 || !lg_format_at((int)j->kind)->is_text ? s->names : NULL,
                                       .integers = s->integers,
                                       .columns = s->columns,
                                       .provenance = j->anonymous ? NULL : &j->provenance,
                                       .beside = 1};
    if (j->writer != NULL || j->ranks.rank != 0) return CLI_WELL;
    if (tell_origin(j, s->names) != CLI_WELL) return CLI_WRONG_USE;
    if (!writes(j)) return CLI_WELL;
    const lg_status status = j->resumed ? lg_writer_resume(&j->writer, &options, &j->keep.keeper.rows, &e)
                                        : lg_writer_open(&j->writer, &options, &e);
    return status == LG_OK ? CLI_WELL : fail(j, status, e.message);
}

/* Makes room for the round's points, and in the first round creates the writer, so that errors in the input show
 * here. */
static int prepare(sweep_job *j)
{
    const char *message;
    const lg_status status = cli_batch_size(&j->b, cli_deal_count(&j->deal), &message);
    if (status != LG_OK) return fail(j, status, message);
    if (open_rows(j) != CLI_WELL) return CLI_WRONG_USE;
    if (j->b.E == NULL) return CLI_WELL; /* fewer points than ranks, or a mechanism */
    j->width = lg_ensemble_width(j->b.E);
    if (lg_ensemble_threads(j->b.E) > j->threads) j->threads = lg_ensemble_threads(j->b.E);
    return CLI_WELL;
}

static int compute(sweep_job *j)
{
    const int stopped = cli_batch_compute(&j->b, &j->deal, tell, j);
    if (j->b.threads > j->threads) j->threads = j->b.threads;
    if (!stopped) return CLI_WELL;
    return cli_caught() != 0 ? 128 + cli_caught() : CLI_WRONG_USE;
}

static int write_rows(sweep_job *j)
{
    lg_error e = {LG_OK, ""};
    if (j->plot.file != NULL) sweep_plot_add(&j->plot, &j->b);
    const lg_status status = writes(j) ? cli_batch_write(&j->b, &j->ranks, j->writer, j->kind, &e) : LG_OK;
    return status == LG_OK ? CLI_WELL : fail(j, status, e.message);
}

/* A checkpoint between two rounds, if it is due or `wanted`. */
static int keep(sweep_job *j, int wanted)
{
    lg_error e = {LG_OK, ""};
    int status = CLI_WELL;
    if (j->keep.o.file == NULL) return CLI_WELL;
    if (j->ranks.rank == 0 && sweep_checkpoint_pass(&j->keep, j->writer, wanted, &e) != LG_OK)
        status = fail(j, e.status, e.message);
    return cli_ranks_agree(&j->ranks, status);
}

/* All rounds. Whatever happens on one rank, all ranks leave at the same place. CLI_WELL also after an interruption. */
static int walk(sweep_job *j)
{
    cli_ranks *r = &j->ranks;
    int status = cli_ranks_agree(r, r->rank == 0 ? resume(j) : CLI_WELL);
    if (status != CLI_WELL) return status;
    j->done = cli_ranks_share(r, j->done);
    for (double seconds = 0; j->done < j->count;) {
        const double began = cli_now();
        const int64_t size = cli_ranks_share(r, next_size(j, seconds));
        j->deal = cli_deal_out(j->first + j->done, size, r->rank, r->ranks);
        status = cli_ranks_agree(r, prepare(j));
        if (status == CLI_WELL && j->done == 0) status = keep(j, 1); /* from now on none is lost */
        if (status != CLI_WELL) return status;
        j->stopped = cli_ranks_agree(r, compute(j));
        if (j->stopped != CLI_WELL) return keep(j, 1);
        status = cli_ranks_agree(r, write_rows(j));
        if (status != CLI_WELL) return status;
        cli_tally_gather(&j->all, &j->b, r);
        j->done += j->deal.count;
        seconds = cli_now() - began;
        status = keep(j, 0);
        if (status != CLI_WELL) return status;
    }
    return cli_ranks_agree(r, open_rows(j)); /* where all were complete before */
}

/* The end --------------------------------------------------------------------------------------------------------- */

static void summarise(const sweep_job *j)
{
    const cli_sweep_end end = {.sweep = &j->s,
                               .tally = &j->all,
                               .seconds = cli_now() - j->began - j->b.examining,
                               .ranks = j->ranks.ranks,
                               .threads = j->threads,
                               .width = j->width};
    cli_sweep_summary(&end);
}

static void print_interruption(const sweep_job *j)
{
    fprintf(stderr, "liegrp sweep: interrupted: %" PRId64 " of %" PRId64 " instances are complete", j->done, j->count);
    if (j->keep.o.file != NULL) {
        fputs("; the same command with --resume continues\n", stderr);
        return;
    }
    if (j->output != NULL && j->done > 0) cli_print(stderr, "; %s holds them", j->output);
    if (j->done > 0) fprintf(stderr, "; --first %" PRId64 " continues", j->first + j->done);
    fputc('\n', stderr);
}

/* The messages and the files of rank 0. */
static int end(sweep_job *j, int status)
{
    lg_error e = {LG_OK, ""};
    cli_erase_bar(j->bar);
    lg_writer_conclude(j->writer, j->stopped != CLI_WELL ? "interrupted" : "complete", j->done);
    if (sweep_checkpoint_close(&j->keep, j->writer, status == CLI_WELL && j->done > 0, j->stopped, &e) != LG_OK)
        status = fail(j, e.status, e.message);
    if (status != CLI_WELL) return status;
    if (j->stopped != CLI_WELL) print_interruption(j);
    if (!j->quiet && j->done > 0) summarise(j);
    if (j->plot.file != NULL && j->done > 0) status = sweep_plot_draw(&j->plot);
    if (j->stopped != CLI_WELL) return j->stopped;
    if (status != CLI_WELL) return status;
    return j->all.failed == j->count ? CLI_NUMERICS : CLI_WELL;
}

/* Collects the parts of the job that a checkpoint contains. */
static void prepare_checkpoints(sweep_job *j)
{
    sweep_checkpoint *c = &j->keep;
    c->s = &j->s;
    c->retraction = j->s.e.retraction;
    c->format = j->kind;
    c->writes = writes(j);
    c->first = j->first, c->count = j->count;
    c->done = &j->done, c->all = &j->all;
    c->width = &j->width, c->threads = &j->threads;
    c->plot = &j->plot;
    c->began = &j->began;
    cli_checkpoint_label(&c->o, &j->s.S, j->system, &j->s.controls, j->plot.columns);
}

int sweep_run(sweep_job *j)
{
    int status;
    j->began = cli_now();
    j->all.drift = j->all.constraint = j->all.gain = j->all.worst = -1;
    if (j->s.e.threads == 0) j->s.e.threads = cli_ranks_threads(&j->ranks);
    cli_batch_begin(&j->b, &j->s);
    prepare_checkpoints(j);
    cli_catch_signals();
    status = walk(j);
    cli_batch_end(&j->b);
    return cli_ranks_agree(&j->ranks, j->ranks.rank == 0 ? end(j, status) : status);
}
