/* SPDX-License-Identifier: BSD-3-Clause */
/* The target of an optimum: what --to names, as a state and as conditions of the end. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/lib/choice.h"
#include "cli/lib/columns.h"
#include "cli/lib/print.h"
#include "cli/optimise.h"
#include "groups/blocks.h"
#include "run/model_private.h"

#define PI 3.141592653589793

/* What --to names -------------------------------------------------------------------------------------------------- */

static int no_memory(const optimise_job *j)
{
    return cli_wrong(j->run.command, "out of memory");
}

/* A part of --to as a word of a command line, in which every name comes once. */
static int take_name(optimise_job *j, int option, const char *part)
{
    const size_t name = strcspn(part, "=") + 1, lead = strlen("--to="), room = lead + strlen(part) + 1;
    (void)option;
    for (int i = 1; i < j->words; i++)
        if (strncmp(j->word[i] + lead, part, name) == 0)
            return cli_wrong(j->run.command, "--to names %.*s twice", (int)name - 1, part);
    char **more = realloc(j->word, ((size_t)j->words + 2) * sizeof *more);
    if (more == NULL) return no_memory(j);
    j->word = more;
    more[j->words] = malloc(room);
    if (more[j->words] == NULL) return no_memory(j);
    snprintf(more[j->words++], room, "--to=%s", part);
    return CLI_WELL;
}

/* Sets what --to names in a system of its own, and marks these columns. */
static int read_names(optimise_job *j, int argc, char **argv)
{
    const int to = run_job_number(&j->run, "to"), columns = lg_model_column_count(j->run.S.M);
    j->word = calloc(1, sizeof *j->word);
    j->named = calloc((size_t)columns, 1);
    if (j->word == NULL || j->named == NULL || (j->word[0] = strdup(j->run.command)) == NULL) return no_memory(j);
    j->words = 1;
    int status = optimise_parts(j, argc, argv, to, take_name);
    if (status == CLI_WELL && j->words == 1)
        status = cli_wrong(j->run.command,
                           "where to? Give --to NAME=VALUE,...; liegrp info %s lists the names under initial data",
                           j->run.S.name);
    if (status == CLI_WELL)
        status = cli_set_values(j->run.command, j->run.options, CLI_BAD, to, j->words, j->word, &j->to);
    for (int i = 0; status == CLI_WELL && i < columns; i++) j->named[i] = (char)!isnan(cli_given(&j->to, i));
    return status;
}

/* Conditions ------------------------------------------------------------------------------------------------------- */

/* An end knows angles up to whole turns: one that is not the nearest way would become another. */
static int check_turn(const optimise_job *j, int column)
{
    const double to = cli_given(&j->to, column), from = j->start[column];
    if (fabs(to - from) <= PI * (1 + 1e-12)) return CLI_WELL;
    const char *name = lg_model_column(j->run.S.M, column)->name;
    return cli_wrong(j->run.command,
                     "--to %s=%.6g is more than half a turn from the start, %.6g, and an end is known up to whole "
                     "turns: it would be reached at %.6g. Name that, or go there in several motions",
                     name, to, from, from + remainder(to - from, 2 * PI));
}

/* The end conditions of a block of the group whose columns begin at `column`, `named` of them in --to. */
static int mark_block(optimise_job *j, const lg_group_block *b, int column, int named)
{
    const int columns = lg_block_columns(b);
    const int turns = b->kind == LG_BLOCK_ANGLES || b->kind == LG_BLOCK_PLANE_ROTATION;
    for (int i = 0; turns && i < columns; i++)
        if (j->named[column + i] && check_turn(j, column + i) != CLI_WELL) return CLI_WRONG_USE;
    if (lg_block_has_coordinates(b)) {
        for (int i = 0; i < columns; i++) j->row[b->algebra + i] = j->named[column + i];
        return CLI_WELL;
    }
    for (int i = 0; named > 0 && i < b->algebra_size; i++) j->row[b->algebra + i] = 1;
    if (named == 0 || named == columns || b->kind == LG_BLOCK_QUATERNION) return CLI_WELL;
    const lg_model *M = j->run.S.M;
    return cli_wrong(j->run.command, "--to: %s %s %s are one condition, since the body's axes turn; name all of them",
                     lg_model_column(M, column)->name, columns == 2 ? "and" : "...",
                     lg_model_column(M, column + columns - 1)->name);
}

/* What --to does not name is as in the start; a quaternion that is named in part is completed as by --init. */
static int fill_block(optimise_job *j, const lg_group_block *b, int column, int named)
{
    lg_status status = LG_OK;
    const int whole = !lg_block_has_coordinates(b);
    for (int i = column; status == LG_OK && i < column + lg_block_columns(b); i++)
        if (!j->named[i] && !(whole && named > 0))
            status = j->to.kind->set(&j->to, lg_model_column(j->run.S.M, i)->name, j->start[i], 1);
    return status == LG_OK ? CLI_WELL : cli_wrong(j->run.command, "%s", j->to.kind->message(&j->to));
}

static int mark_positions(optimise_job *j)
{
    int status = CLI_WELL;
    for (int k = 0; status == CLI_WELL && k < lg_group_block_count(j->run.S.M->group); k++) {
        int column, named = 0;
        const lg_group_block b = cli_block(j->run.S.M, k, &column);
        for (int i = 0; i < lg_block_columns(&b); i++) named += j->named[column + i];
        status = mark_block(j, &b, column, named);
        if (status == CLI_WELL) status = fill_block(j, &b, column, named);
    }
    return status;
}

/* The first named column of this kind; -1: none. */
static int first_named(const optimise_job *j, lg_column_kind kind)
{
    for (int i = 0; i < lg_model_column_count(j->run.S.M); i++)
        if (j->named[i] && lg_model_column(j->run.S.M, i)->kind == kind) return i;
    return -1;
}

/* Velocities end at 0 where --to names no others; with --moving they are free. */
static int mark_velocities(optimise_job *j)
{
    const lg_model *M = j->run.S.M;
    const int named = first_named(j, LG_COLUMN_VELOCITY);
    lg_status status = LG_OK;
    if (j->moving && named >= 0)
        return cli_wrong(j->run.command, "--moving leaves velocities free, and --to names %s; drop one of them",
                         lg_model_column(M, named)->name);
    for (int i = 0; i < j->n; i++) j->row[j->n + i] = !j->moving;
    for (int i = 0; status == LG_OK && i < lg_model_column_count(M); i++)
        if (!j->named[i] && lg_model_column(M, i)->kind == LG_COLUMN_VELOCITY)
            status = j->to.kind->set(&j->to, lg_model_column(M, i)->name, 0, 1);
    if (status != LG_OK) return cli_wrong(j->run.command, "%s", j->to.kind->message(&j->to));
    for (int i = 0; named >= 0 && M->system.callbacks.metric != NULL && i < j->n; i++)
        if (!j->row[i])
            return cli_wrong(j->run.command,
                             "--to %s: the inertia depends on the position here, so a velocity needs all positions",
                             lg_model_column(M, named)->name);
    return CLI_WELL;
}

/* States ----------------------------------------------------------------------------------------------------------- */

/* A motion of the system at its start, and that state: element and momentum, of a mechanism positions and velocities.
 */
static int begin(cli_instance *i, const cli_system *S, const optimise_job *j)
{
    const char *message = "out of memory";
    const lg_status status = cli_instance_make(i, S, &j->run.o.motion, j->run.o.project, &message);
    if (status != LG_OK && S == &j->to) {
        cli_print(stderr, "liegrp %s: the target: ", j->run.command);
        cli_print_message(status, message);
        fputc('\n', stderr);
    } else if (status != LG_OK) {
        cli_print_failure(j->run.command, j->run.o.motion.method, status, message);
    }
    return status == LG_OK ? CLI_WELL : CLI_WRONG_USE;
}

static int read_state(const optimise_job *j, const lg_motion *mo, double *g, double *p, double *row)
{
    lg_status status = lg_motion_row(mo, row);
    if (status == LG_OK) status = j->run.S.R != NULL ? lg_motion_positions(mo, g, p) : lg_motion_state(mo, g, NULL, p);
    return status == LG_OK ? CLI_WELL : cli_wrong(j->run.command, "%s", lg_motion_message(mo));
}

/* Of a system the target is a state too, which must satisfy the constraints. */
static int read_system(optimise_job *j)
{
    cli_instance ends;
    int status = mark_positions(j);
    if (status == CLI_WELL) status = mark_velocities(j);
    if (status != CLI_WELL) return status;
    status = begin(&ends, &j->to, j);
    if (status == CLI_WELL) status = read_state(j, ends.mo, j->target_g, j->target_p, j->target);
    cli_instance_free(&ends);
    return status;
}

/* Numbers of a state. */
static int count_numbers(optimise_job *j)
{
    const lg_system *system = NULL;
    j->n = j->e = j->run.S.R != NULL ? lg_motion_position_count(j->begins.mo) : 0;
    if (j->run.S.R != NULL) return CLI_WELL;
    if (lg_model_system(j->run.S.M, &system) != LG_OK)
        return cli_wrong(j->run.command, "%s", lg_model_message(j->run.S.M));
    j->n = system->group->dim, j->e = system->group->element_size;
    return CLI_WELL;
}

int optimise_read_start(optimise_job *j)
{
    const size_t columns = (size_t)lg_model_column_count(j->run.S.M);
    int status = begin(&j->begins, &j->run.S, j);
    if (status == CLI_WELL) status = count_numbers(j);
    if (status != CLI_WELL) return status;
    const size_t n = (size_t)j->n, e = (size_t)j->e;
    j->start_g = calloc(2 * (e + n + columns), sizeof *j->start_g);
    j->row = calloc(2 * n + 1, sizeof *j->row);
    if (j->start_g == NULL || j->row == NULL) return no_memory(j);
    j->target_g = j->start_g + e, j->start_p = j->target_g + e, j->target_p = j->start_p + n;
    j->start = j->target_p + n, j->target = j->start + columns;
    return read_state(j, j->begins.mo, j->start_g, j->start_p, j->start);
}

int optimise_read_target(optimise_job *j, int argc, char **argv)
{
    int status = read_names(j, argc, argv);
    if (status == CLI_WELL) status = optimise_read_start(j);
    if (status != CLI_WELL) return status;
    return j->run.S.R != NULL ? optimise_read_joints(j) : read_system(j);
}

void optimise_row_name(const optimise_job *j, int row, char *text, size_t room)
{
    const lg_model *M = j->run.S.M;
    if (j->run.S.R != NULL) {
        snprintf(text, room, "%s", lg_model_column(M, optimise_joint_column(j, row))->name);
        return;
    }
    if (row >= j->n) {
        snprintf(text, room, "p_%d", row - j->n + 1);
        return;
    }
    for (int k = 0; k < lg_group_block_count(M->group); k++) {
        int column;
        const lg_group_block b = cli_block(M, k, &column);
        if (row < b.algebra || row >= b.algebra + b.algebra_size) continue;
        if (lg_block_columns(&b) == b.algebra_size) column += row - b.algebra;
        snprintf(text, room, "%s%s", lg_model_column(M, column)->name,
                 lg_block_columns(&b) == b.algebra_size ? "" : " ...");
        return;
    }
}

/* The end of the run ----------------------------------------------------------------------------------------------- */

/* The largest component of log(target^-1 g) that --to names; NaN: it does not exist. */
static double distance(const optimise_job *j, const double *g)
{
    const lg_group *G = j->run.S.M->group;
    double *between = calloc((size_t)(j->e + j->n), sizeof *between), *log = between + j->e, most = 0;
    lg_status status = between != NULL ? lg_group_inverse(G, between, j->target_g) : LG_ERROR_MEMORY;
    if (status == LG_OK) status = lg_group_compose(G, between, between, g);
    if (status == LG_OK) status = lg_group_log(G, log, between);
    for (int i = 0; status == LG_OK && i < j->n; i++)
        if (j->row[i]) most = fmax(most, fabs(log[i]));
    free(between);
    return status == LG_OK ? most : (double)NAN;
}

void optimise_miss(const lg_motion *mo, void *context)
{
    optimise_job *j = context;
    if (j->run.S.R != NULL) {
        optimise_miss_joints(j, mo);
        return;
    }
    double *g = calloc((size_t)(j->e + j->n), sizeof *g), *xi = g + j->e;
    int first = 0;
    while (lg_model_column(j->run.S.M, first)->kind != LG_COLUMN_VELOCITY) first++;
    if (g != NULL && lg_motion_state(mo, g, xi, NULL) == LG_OK) {
        j->missed = distance(j, g), j->speed = 0;
        for (int i = 0; !j->moving && i < j->n; i++) j->speed = fmax(j->speed, fabs(xi[i] - j->target[first + i]));
    }
    free(g);
}
