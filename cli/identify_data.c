/* SPDX-License-Identifier: BSD-3-Clause */
/* What is measured, and what is looked for. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/identify.h"
#include "cli/lib/columns.h"
#include "cli/lib/names.h"

static int out_of_memory(const identify_job *j)
{
    return cli_wrong(j->run.command, "out of memory");
}

/* Cuts the next word off a list with commas; NULL: no more. */
static char *next_word(char **list)
{
    char *at = *list, *comma;
    if (at == NULL) return NULL;
    comma = strchr(at, ',');
    if (comma != NULL) *comma++ = '\0';
    *list = comma;
    at += strspn(at, " \t\"");
    at[strcspn(at, "\"\r")] = '\0';
    for (char *end = at + strlen(at); end > at && (end[-1] == ' ' || end[-1] == '\t');) *--end = '\0';
    return at;
}

/* 1: the name is in the list. */
static int is_in(const char *list, const char *name)
{
    const size_t length = strlen(name);
    for (const char *at = list; at != NULL; at = strchr(at, ',') == NULL ? NULL : strchr(at, ',') + 1)
        if (strncmp(at, name, length) == 0 && (at[length] == ',' || at[length] == '\0')) return 1;
    return 0;
}

/* Columns -----------------------------------------------------------------------------------------------------------
 */

/* Column `at` of the data is control i. */
static int take_control(identify_job *j, const char *name, int i, int at)
{
    cli_control *control = &j->run.controls.of[i];
    if (control->given) return cli_wrong(j->run.command, "the control '%s' is given twice", name);
    control->given = control->table.columns = 1;
    for (int64_t s = 0; s < j->data.count; s++) {
        const double value = j->data.values[s * j->data.columns + at];
        if (isnan(value))
            return cli_wrong(j->run.command, "--data: the control '%s' is missing at t = %.9g", name, j->data.times[s]);
        if (s > 0 && j->data.times[s] == j->data.times[s - 1]) continue; /* the first of one time holds */
        if (!cli_table_add(&control->table, j->data.times[s], &value)) return out_of_memory(j);
    }
    return CLI_WELL;
}

static void take_measured(identify_job *j, int column, int at)
{
    j->column[j->C] = lg_model_column(j->run.S.M, column)->name;
    j->from[j->C++] = at;
}

static void leave_out(identify_job *j, const char *name)
{
    strcat(j->unused, j->unused[0] != '\0' ? ", " : "");
    strcat(j->unused, name);
}

static int take_column(identify_job *j, const char *name, int at)
{
    const int control = cli_control_find(&j->run.S, name);
    const int column = lg_model_column_find(j->run.S.M, name);
    const int chosen = j->columns == NULL || is_in(j->columns, name);
    if (control >= 0) return take_control(j, name, control, at);
    const lg_column *c = lg_model_column(j->run.S.M, column);
    const int state = c != NULL && (c->kind == LG_COLUMN_CONFIGURATION || c->kind == LG_COLUMN_VELOCITY);
    if (c != NULL && chosen && (state || j->columns != NULL))
        take_measured(j, column, at);
    else
        leave_out(j, name);
    return CLI_WELL;
}

/* Every name of --columns must be a column of the data and of the system. */
static int check_chosen(const identify_job *j)
{
    char *list = j->columns != NULL ? strdup(j->columns) : NULL, *at = list;
    int status = CLI_WELL;
    if (j->columns != NULL && list == NULL) return out_of_memory(j);
    for (char *word; status == CLI_WELL && (word = next_word(&at)) != NULL;) {
        int found = 0;
        for (int i = 0; i < j->C; i++) found |= strcmp(j->column[i], word) == 0;
        if (found) continue;
        status =
            lg_model_column_find(j->run.S.M, word) < 0
                ? cli_wrong(j->run.command, "--columns: %s has no column '%s'; see liegrp info", j->run.S.name, word)
                : cli_wrong(j->run.command, "--columns: %s has no column '%s'", j->data_file, word);
    }
    free(list);
    return status;
}

static int take_values(identify_job *j)
{
    const size_t count = (size_t)j->data.count * (size_t)j->C;
    if (j->C == 0)
        return cli_wrong(j->run.command, "--data: no column of %s is one of %s; liegrp info lists them", j->data_file,
                         j->run.S.name);
    j->values = malloc(count * sizeof *j->values);
    if (j->values == NULL) return out_of_memory(j);
    for (size_t k = 0; k < count; k++)
        j->values[k] = j->data.values[k / (size_t)j->C * (size_t)j->data.columns + (size_t)j->from[k % (size_t)j->C]];
    return CLI_WELL;
}

int identify_read_data(identify_job *j)
{
    if (j->data_file == NULL) return cli_wrong(j->run.command, "what was measured? Give --data FILE, a CSV with names");
    j->data.named = 1;
    int status = cli_table_read(&j->data, j->run.command, "data", j->data_file);
    if (status != CLI_WELL) return status;
    const size_t columns = (size_t)j->data.columns;
    char *names = strdup(j->data.header), *at = names;
    j->column = calloc(columns, sizeof *j->column);
    j->from = calloc(columns, sizeof *j->from);
    j->unused = calloc(strlen(j->data.header) + 2 * columns + 2, 1);
    if (names == NULL || j->column == NULL || j->from == NULL || j->unused == NULL) {
        free(names);
        return out_of_memory(j);
    }
    for (int i = 0; i <= j->data.columns && status == CLI_WELL; i++) {
        const char *name = next_word(&at);
        if (i != j->data.time_at) status = take_column(j, name, i - (i > j->data.time_at));
    }
    free(names);
    if (status == CLI_WELL) status = check_chosen(j);
    return status == CLI_WELL ? take_values(j) : status;
}

/* Deviations --------------------------------------------------------------------------------------------------------
 */

/* NAME=S, or S of all. */
static int take_sigma(identify_job *j, const char *word)
{
    const char *equal = strchr(word, '=');
    double value;
    int found = 0;
    if (!cli_number(equal != NULL ? equal + 1 : word, &value) || !(value > 0))
        return cli_wrong(j->run.command, "--sigma must be S or COLUMN=S,... with positive S, got '%s'", word);
    for (int i = 0; i < j->C; i++) {
        const int named = equal != NULL && strncmp(j->column[i], word, (size_t)(equal - word)) == 0 &&
                          j->column[i][equal - word] == '\0';
        if (equal == NULL || named) j->deviation[i] = value, found = 1;
    }
    return found ? CLI_WELL : cli_wrong(j->run.command, "--sigma %s: no such column is measured", word);
}

int identify_read_sigma(identify_job *j)
{
    char *list = j->sigma != NULL ? strdup(j->sigma) : NULL, *at = list;
    int status = CLI_WELL;
    if (j->sigma == NULL) return CLI_WELL;
    j->deviation = calloc((size_t)j->C, sizeof *j->deviation);
    if (list == NULL || j->deviation == NULL) status = out_of_memory(j);
    for (char *word; status == CLI_WELL && (word = next_word(&at)) != NULL;) status = take_sigma(j, word);
    for (int i = 0; i < j->C && status == CLI_WELL; i++)
        if (j->deviation[i] == 0) status = cli_wrong(j->run.command, "--sigma: that of '%s' is missing", j->column[i]);
    free(list);
    return status;
}

/* Unknowns ----------------------------------------------------------------------------------------------------------
 */

/* NAME or NAME=SCALE. */
static int take_unknown(identify_job *j, const char *word, int initial)
{
    const char *equal = strchr(word, '=');
    lg_unknown *more = realloc(j->unknown, (size_t)(j->P + 1) * sizeof *more);
    if (more != NULL) j->unknown = more;
    char **names = more != NULL ? realloc(j->name, (size_t)(j->P + 1) * sizeof *names) : NULL;
    if (names == NULL) return out_of_memory(j);
    j->name = names;
    const lg_unknown u = {.initial = initial};
    more[j->P] = u;
    if (equal != NULL && (!cli_number(equal + 1, &more[j->P].scale) || !(more[j->P].scale > 0)))
        return cli_wrong(j->run.command, "--%s must be NAME or NAME=SCALE with a positive scale, got '%s'",
                         initial ? "free-init" : "free", word);
    char *name = strdup(word);
    if (name == NULL) return out_of_memory(j);
    if (equal != NULL) name[equal - word] = '\0';
    names[j->P] = name, more[j->P].name = name;
    j->P++;
    return CLI_WELL;
}

static int take_unknowns(identify_job *j, const char *value, int initial)
{
    char *list = strdup(value), *at = list;
    int status = list != NULL ? CLI_WELL : out_of_memory(j);
    for (char *word; status == CLI_WELL && (word = next_word(&at)) != NULL;) status = take_unknown(j, word, initial);
    free(list);
    return status;
}

int identify_read_unknowns(identify_job *j, int argc, char **argv)
{
    cli_parser p = cli_begin(j->run.command, j->run.options, argc, argv);
    const int parameter = run_job_number(&j->run, "free"), initial = run_job_number(&j->run, "free-init");
    int status = CLI_WELL;
    for (int found; status == CLI_WELL && (found = cli_next(&p)) != CLI_END;)
        if (found == parameter || found == initial) status = take_unknowns(j, p.value, found == initial);
    if (status == CLI_WELL && j->P == 0)
        status = cli_wrong(j->run.command, "what is looked for? Give --free NAME,... or --free-init NAME,...");
    return status;
}
