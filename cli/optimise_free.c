/* SPDX-License-Identifier: BSD-3-Clause */
/* --free: parameters of a system that the optimum chooses. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/lib/print.h"
#include "cli/optimise.h"

static int count_parameters(const optimise_job *j)
{
    int count = 0;
    while (j->run.S.kind->settable(&j->run.S, count, 0) != NULL) count++;
    return count;
}

/* The parameter of this name; -1 after a message. */
static int find_parameter(const optimise_job *j, const char *name)
{
    const char **names = calloc((size_t)count_parameters(j) + 1, sizeof *names);
    int found = -1;
    if (names == NULL) {
        (void)cli_wrong(j->run.command, "out of memory");
        return -1;
    }
    for (int i = 0; i < count_parameters(j); i++) {
        names[i] = j->run.S.kind->settable(&j->run.S, i, 0);
        if (strcmp(names[i], name) == 0) found = i;
    }
    if (found < 0) (void)cli_unknown(j->run.command, "parameter", name, names);
    free(names);
    return found;
}

/* NAME or NAME=LOW:HIGH. */
static int take_free(optimise_job *j, int option, const char *part)
{
    const char *equal = strchr(part, '=');
    char name[160];
    double low = (double)-INFINITY, high = (double)INFINITY;
    (void)option;
    snprintf(name, sizeof name, "%.*s", (int)(equal != NULL && equal - part < 159 ? equal - part : 159), part);
    const int i = find_parameter(j, name);
    if (i < 0) return CLI_WRONG_USE;
    if (equal != NULL && !optimise_range(equal + 1, &low, &high))
        return cli_wrong(j->run.command, "--free must be NAME or NAME=LOW:HIGH, got '%s'", part);
    if (!(low < high)) return cli_wrong(j->run.command, "--free %s: the first number must be below the second", part);
    if (j->parameter_free[i]) return cli_wrong(j->run.command, "--free %s: this parameter is free already", part);
    j->parameter_free[i] = 1, j->parameter_low[i] = low, j->parameter_high[i] = high, j->freed++;
    return CLI_WELL;
}

int optimise_read_free(optimise_job *j, int argc, char **argv)
{
    const size_t count = j->run.S.R == NULL ? (size_t)count_parameters(j) : 0;
    if (count == 0) return CLI_WELL;
    j->parameter_free = calloc(count, sizeof *j->parameter_free);
    j->parameter_low = calloc(2 * count, sizeof *j->parameter_low);
    if (j->parameter_free == NULL || j->parameter_low == NULL) return cli_wrong(j->run.command, "out of memory");
    j->parameter_high = j->parameter_low + count;
    return optimise_parts(j, argc, argv, run_job_number(&j->run, "free"), take_free);
}

int optimise_set_free(optimise_job *j)
{
    const double *value = lg_optimum_parameters(j->o);
    for (int i = 0; j->freed > 0 && i < count_parameters(j); i++) {
        const char *name = j->run.S.kind->settable(&j->run.S, i, 0);
        if (!j->parameter_free[i]) continue;
        if (!j->run.quiet) cli_print(stderr, "parameter %s: %.10g\n", name, value[i]);
        if (j->run.S.kind->set(&j->run.S, name, value[i], 0) != LG_OK)
            return cli_wrong(j->run.command, "--free %s: %s; give narrower bounds", name,
                             j->run.S.kind->message(&j->run.S));
    }
    return CLI_WELL;
}
