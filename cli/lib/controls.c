/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/lib/controls.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The option ------------------------------------------------------------------------------------------------------ */

int cli_unknown_control(const char *command, const cli_system *S, const char *name)
{
    enum { MOST = 64 };
    cli_column all[MOST];
    const char *names[MOST + 1];
    const int count = S->kind->controls(S), shown = count < MOST ? count : MOST;
    if (count == 0) return cli_wrong(command, "--control %s: %s has no controls", name, S->name);
    for (int i = 0; i < shown; i++) {
        cli_control_of(&all[i], S, i);
        names[i] = all[i].name;
    }
    names[shown] = NULL;
    return cli_unknown(command, "control", name, names);
}

int cli_control_find(const cli_system *S, const char *name)
{
    for (int i = 0; i < S->kind->controls(S); i++) {
        cli_column control;
        cli_control_of(&control, S, i);
        if (strcmp(control.name, name) == 0 || strcmp(control.also, name) == 0) return i;
    }
    return -1;
}

static int read_one(cli_controls *c, const char *command, const char *text, const cli_system *S, int files)
{
    const char *equal = strchr(text, '=');
    char name[160];
    double value;
    int i;
    if (equal == NULL || equal == text || equal[1] == '\0') {
        return cli_wrong(command, "--control must be NAME=VALUE%s, got '%s'", files ? " or NAME=FILE" : "", text);
    }
    if (!files && strchr(equal, ':') != NULL) return CLI_WELL; /* a range, cli/grid.h */
    snprintf(name, sizeof name, "%.*s", (int)(equal - text < 159 ? equal - text : 159), text);
    i = cli_control_find(S, name);
    if (i < 0) return cli_unknown_control(command, S, name);
    if (c->of[i].given) return cli_wrong(command, "--control %s is given twice", name);
    c->of[i].given = 1;
    if (cli_number(equal + 1, &value)) {
        return cli_table_add(&c->of[i].table, -INFINITY, &value) ? CLI_WELL : cli_wrong(command, "out of memory");
    }
    if (!files) return cli_wrong(command, "--control must be NAME=VALUE with a finite number, got '%s'", text);
    return cli_table_read(&c->of[i].table, command, "control", equal + 1);
}

int cli_controls_read(cli_controls *c, const char *command, const cli_option *options, int control, int argc,
                      char **argv, const cli_system *S, int files)
{
    cli_parser p = cli_begin(command, options, argc, argv);
    int status = CLI_WELL;
    c->count = S->kind->controls(S);
    c->of = calloc((size_t)c->count + 1, sizeof *c->of);
    if (c->of == NULL) return cli_wrong(command, "out of memory");
    for (int i = 0; i < c->count; i++) c->of[i].table.columns = 1;
    for (int found; status == CLI_WELL && (found = cli_next(&p)) != CLI_END;) {
        if (found != control) continue;
        if (c->count == 0) return cli_wrong(command, "--control %s: %s has no controls", p.value, S->name);
        status = read_one(c, command, p.value, S, files);
    }
    const double *first = cli_first_controls(S);
    for (int i = 0; first != NULL && status == CLI_WELL && i < c->count; i++) {
        if (c->of[i].given) continue;
        c->of[i].given = 1;
        if (!cli_table_add(&c->of[i].table, -INFINITY, &first[i])) status = cli_wrong(command, "out of memory");
    }
    return status;
}

void cli_controls_free(cli_controls *c)
{
    for (int i = 0; c->of != NULL && i < c->count; i++) {
        free(c->of[i].table.times);
        free(c->of[i].table.values);
    }
    free(c->of);
    c->of = NULL;
}

int cli_controls_given(const cli_controls *c)
{
    for (int i = 0; c->of != NULL && i < c->count; i++) {
        if (c->of[i].given) return 1;
    }
    return 0;
}

/* Values ---------------------------------------------------------------------------------------------------------- */

/* The value at a time; times of nodes are rounded, which `tolerance` allows for. */
static double value_at(const cli_table *c, double t, double tolerance)
{
    int64_t low = 0, high = c->count; /* the first `low` times are not after t, those from `high` on are */
    while (low < high) {
        const int64_t middle = low + (high - low) / 2;
        if (c->times[middle] <= t + tolerance) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low > 0 ? c->values[low - 1] : 0;
}

/* A step back in time covers the interval that ends at t. */
void cli_controls_at(const cli_controls *c, double *u, double t, double h)
{
    const double from = h < 0 ? t + h : t;
    for (int i = 0; i < c->count; i++) {
        if (c->of[i].given) u[i] = value_at(&c->of[i].table, from, 1e-9 * fabs(h));
    }
}

int cli_controls_hold(const lg_motion *mo, double *u, void *context)
{
    cli_controls_at(context, u, lg_motion_time(mo), lg_motion_step_size(mo));
    return 0;
}
