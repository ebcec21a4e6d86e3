/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/sweep_checkpoint.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "cli/lib/mechanism.h"
#include "cli/lib/progress.h"

static void describe_range(lg_lines *l, const cli_range *r)
{
    lg_lines_text(l, "range", r->name);
    lg_lines_text(l, "of", r->control > 0 ? "control" : r->initial ? "init" : "param");
    lg_lines_number(l, "from", r->from);
    lg_lines_number(l, "to", r->to);
    lg_lines_number(l, "count", (double)r->count);
}

static void describe(lg_lines *l, const void *object)
{
    const sweep_checkpoint *c = object;
    const cli_sweep *s = c->s;
    lg_lines_text(l, "system", s->S.name);
    lg_lines_text(l, "of", c->o.label);
    if (s->S.R != NULL) cli_mechanism_list_options(l, &s->S);
    lg_lines_number(l, "halvings", (double)s->e.halvings);
    for (int i = 0; i < s->grid.ranges; i++) describe_range(l, &s->grid.range[i]);
    lg_lines_sum(l, "values", c->said);
    lg_lines_number(l, "random", (double)s->grid.random);
    lg_lines_number(l, "seed", (double)s->grid.seed);
    lg_lines_number(l, "first", (double)c->first);
    lg_lines_number(l, "instances", (double)c->count);
    lg_lines_text(l, "method", s->e.method);
    lg_lines_text(l, "retraction", c->retraction);
    if (s->e.tolerance != 0) lg_lines_number(l, "tolerance", s->e.tolerance);
    lg_lines_number(l, "step", s->e.step);
    lg_lines_number(l, "steps", (double)s->steps);
    lg_lines_number(l, "every", (double)s->every);
    lg_lines_number(l, "watch", (double)s->e.monitor);
    lg_lines_number(l, "start", (double)s->e.start);
    lg_lines_number(l, "project", s->e.project);
    lg_lines_number(l, "no-accuracy", s->blind);
    lg_keeper_describe(l, c->writes, c->format);
    lg_lines_number(l, "columns", s->columns);
    lg_lines_number(l, "picture", (double)(c->plot->room * c->plot->width));
}

static void list_tally(lg_tape *t, cli_tally *a)
{
    static const char wrong[] = "a figure of its instances is impossible";
    int64_t *const counts[] = {&a->instances, &a->failed, &a->steps, &a->examined, &a->unresolved};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) lg_tape_long(t, counts[i], 0, INT64_MAX, wrong);
    for (int i = 0; i < LG_STATUS_COUNT; i++) lg_tape_long(t, &a->by_status[i], 0, INT64_MAX, wrong);
    lg_tape_double(t, &a->drift), lg_tape_double(t, &a->constraint), lg_tape_double(t, &a->gain);
    lg_tape_double(t, &a->worst), lg_tape_long(t, &a->gain_at, 0, INT64_MAX, wrong);
    lg_tape_long(t, &a->drift_at, 0, INT64_MAX, wrong), lg_tape_long(t, &a->constraint_at, 0, INT64_MAX, wrong);
    lg_tape_long(t, &a->unresolved_at, 0, INT64_MAX, wrong);
    lg_tape_int(t, &a->described, 0, CLI_DESCRIBED, wrong);
    for (int i = 0; i < CLI_DESCRIBED; i++) {
        int status = (int)a->failure[i].status;
        lg_tape_int(t, &status, 0, LG_STATUS_COUNT - 1, wrong);
        a->failure[i].status = (lg_status)status;
        lg_tape_long(t, &a->failure[i].instance, 0, INT64_MAX, wrong);
        lg_tape_bytes(t, a->failure[i].message, sizeof a->failure[i].message);
        a->failure[i].message[sizeof a->failure[i].message - 1] = '\0';
    }
}

static void list(lg_tape *t, void *object)
{
    sweep_checkpoint *c = object;
    sweep_plot *p = c->plot;
    double elapsed = cli_now() - *c->began;
    lg_tape_long(t, c->done, 0, c->count, "its number of instances is impossible");
    list_tally(t, c->all);
    lg_tape_int(t, c->width, 0, 64, "its width is impossible"),
        lg_tape_int(t, c->threads, 0, INT_MAX, "its number of threads is impossible");
    lg_tape_double(t, &elapsed);
    if (t->reads) *c->began = cli_now() - elapsed;
    lg_tape_long(t, &p->used, 0, p->room, "its picture has more points than there are");
    if (p->points != NULL) lg_tape_doubles(t, p->points, (size_t)(p->room * p->width));
    lg_keeper_list(t, &c->keeper);
}

lg_status sweep_checkpoint_begin(sweep_checkpoint *c, int *found, lg_error *e)
{
    const lg_keeper_options options = {c->o.file, c->o.every, c->o.resume};
    c->keeper.kept = (lg_kept){"sweep", NULL, describe, list};
    c->keeper.run = c;
    return lg_keeper_begin(&c->keeper, &options, cli_now(), found, e);
}

lg_status sweep_checkpoint_pass(sweep_checkpoint *c, lg_writer *w, int wanted, lg_error *e)
{
    const double now = cli_now();
    if (!wanted && !lg_keeper_is_due(&c->keeper, now)) return LG_OK;
    return lg_keeper_write(&c->keeper, w, now, e);
}

int sweep_checkpoint_say(sweep_checkpoint *c, const char *value)
{
    c->said = lg_sum(c->said != 0 ? c->said : LG_SUM, value, strlen(value) + 1);
    return CLI_WELL;
}

lg_status sweep_checkpoint_close(sweep_checkpoint *c, lg_writer *w, int keep, int stopped, lg_error *e)
{
    const int finished = *c->done == c->count;
    lg_status status;
    if (c->o.file != NULL && (stopped || !finished)) return lg_writer_leave(w, e);
    if (c->o.file != NULL && keep && lg_writer_complete(w, e) != LG_OK) { /* the rows stay for another try */
        lg_status_ignore(lg_writer_leave(w, NULL));
        return e->status;
    }
    status = lg_writer_close(w, keep, e);
    if (status == LG_OK && finished) lg_keeper_end(&c->keeper);
    return status;
}
