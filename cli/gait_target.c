/* SPDX-License-Identifier: BSD-3-Clause */
/* The problem of a gait: the displacement of a period, what is held at its start, and the first guess. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/lib/choice.h"
#include "cli/lib/columns.h"
#include "cli/optimise.h"
#include "groups/blocks.h"
#include "run/model_private.h"

#define PI 3.141592653589793

/* Columns ---------------------------------------------------------------------------------------------------------- */

/* The column of the configuration that "NAME=..." is about, and the text behind '='. -1 after a message. */
static int column_of(const optimise_job *j, const char *option, const char *part, const char **value)
{
    enum { MOST = 400 };
    const char *equal = strchr(part, '='), *names[MOST + 1];
    char name[160];
    int count = 0;
    if (equal == NULL || equal == part || equal[1] == '\0') {
        (void)cli_wrong(j->run.command, "--%s must be NAME=VALUE, got '%s'", option, part);
        return -1;
    }
    snprintf(name, sizeof name, "%.*s", (int)(equal - part < 159 ? equal - part : 159), part);
    *value = equal + 1;
    for (int i = 0; i < lg_model_column_count(j->run.S.M) && count < MOST; i++) {
        const lg_column *c = lg_model_column(j->run.S.M, i);
        if (c->kind != LG_COLUMN_CONFIGURATION) continue;
        if (strcmp(c->name, name) == 0) return i;
        names[count++] = c->name;
    }
    names[count] = NULL;
    (void)cli_unknown(j->run.command, "position", name, names);
    return -1;
}

static int take_move(optimise_job *j, int option, const char *part)
{
    const char *value;
    int degrees;
    (void)option;
    const int i = column_of(j, "moves", part, &value);
    if (i < 0) return CLI_WRONG_USE;
    if (j->named[i]) return cli_wrong(j->run.command, "--moves names %s twice", lg_model_column(j->run.S.M, i)->name);
    j->named[i] = 1;
    j->by[i] = (double)NAN;
    if (strcmp(value, "free") == 0) return CLI_WELL;
    if (!cli_angle(value, &j->by[i], &degrees))
        return cli_wrong(j->run.command, "--moves %s: give a finite number, or the word free", part);
    return CLI_WELL;
}

/* NAME=AMPLITUDE or NAME=AMPLITUDE:PHASE. */
static int take_swing(optimise_job *j, int option, const char *part)
{
    const char *value;
    char first[64];
    int degrees;
    (void)option;
    const int i = column_of(j, "swing", part, &value);
    if (i < 0) return CLI_WRONG_USE;
    const char *colon = strchr(value, ':');
    const size_t length = colon != NULL ? (size_t)(colon - value) : strlen(value);
    snprintf(first, sizeof first, "%.*s", length < sizeof first ? (int)length : 0, value);
    if (cli_angle(first, &j->swing[i], &degrees) && (colon == NULL || cli_angle(colon + 1, &j->phase[i], &degrees)))
        return CLI_WELL;
    return cli_wrong(j->run.command, "--swing %s: give AMPLITUDE or AMPLITUDE:PHASE, finite numbers", part);
}

/* Velocities that --init does not name are 0; with --rest it names none. */
static int rest(optimise_job *j)
{
    const cli_system *S = &j->run.S;
    for (int i = 0; i < lg_model_column_count(S->M); i++) {
        const lg_column *c = lg_model_column(S->M, i);
        if (c->kind != LG_COLUMN_VELOCITY) continue;
        if (isnan(cli_given(S, i)) && S->kind->set(S, c->name, 0, 1) != LG_OK)
            return cli_wrong(j->run.command, "%s", S->kind->message(S));
        if (j->rests && cli_given(S, i) != 0)
            return cli_wrong(j->run.command, "--rest starts at rest, and --init names %s; drop one of them", c->name);
    }
    return CLI_WELL;
}

/* Displacements ---------------------------------------------------------------------------------------------------- */

/* The conditions of a block of the group, `named` of whose columns --moves names, `frees` of these as free. */
static int mark_block(optimise_job *j, const lg_group_block *b, int column, int named, int frees)
{
    const int columns = lg_block_columns(b), whole = !lg_block_has_coordinates(b);
    const char *name = lg_model_column(j->run.S.M, column)->name, *command = j->run.command;
    for (int i = 0; i < b->algebra_size; i++) j->row[b->algebra + i] = whole ? frees == 0 : !isnan(j->by[column + i]);
    if (named > 0 && (b->kind == LG_BLOCK_QUATERNION || b->kind == LG_BLOCK_MATRIX))
        return cli_wrong(command, "--moves: an attitude, %s ..., is not displaced here; the library does it", name);
    if (whole && frees > 0 && frees < columns)
        return cli_wrong(command, "--moves: %s %s %s are free together, since the body's axes turn", name,
                         columns == 2 ? "and" : "...", lg_model_column(j->run.S.M, column + columns - 1)->name);
    for (int i = column; lg_block_turns(b->kind) && i < column + columns; i++)
        if (fabs(j->by[i]) > PI * (1 + 1e-12))
            return cli_wrong(command, "--moves %s=%.6g is more than half a turn, and a gait is known up to whole turns",
                             lg_model_column(j->run.S.M, i)->name, j->by[i]);
    return CLI_WELL;
}

/* Where column i is at the share s of the period, on a line with a sine. */
static double swung(const optimise_job *j, int i, double s)
{
    const double by = isnan(j->by[i]) ? 0 : j->by[i];
    return j->start[i] + s * by + j->swing[i] * (sin(2 * PI * s + j->phase[i]) - sin(j->phase[i]));
}

/* The element of a system at that share. */
static lg_status swing_system(optimise_job *j, double s, double *g)
{
    lg_model *M = j->to.M;
    lg_status status = LG_OK;
    for (int i = LG_ROW_CONFIGURATION; status == LG_OK && lg_model_column(M, i)->kind == LG_COLUMN_CONFIGURATION; i++)
        status = lg_model_set_initial(M, lg_model_column(M, i)->name, swung(j, i, s));
    return status == LG_OK ? lg_model_initial(M, g, j->target_p, NULL) : status;
}

/* target_g = D, which takes the start to its columns displaced: D = g_1 g_0^-1. */
static int displace_system(optimise_job *j)
{
    const lg_group *G = j->run.S.M->group;
    double *back = calloc((size_t)j->e, sizeof *back);
    lg_status status = back != NULL ? swing_system(j, 1, j->target_g) : LG_ERROR_MEMORY;
    if (status == LG_OK) status = lg_group_inverse(G, back, j->start_g);
    if (status == LG_OK) status = lg_group_compose(G, j->target_g, j->target_g, back);
    free(back);
    return status == LG_OK ? CLI_WELL : cli_wrong(j->run.command, "--moves: %s", lg_status_text(status));
}

static int read_system(optimise_job *j)
{
    const lg_model *M = j->run.S.M;
    for (int k = 0; k < lg_group_block_count(M->group); k++) {
        int column, named = 0, frees = 0;
        const lg_group_block b = cli_block(M, k, &column);
        for (int i = column; i < column + lg_block_columns(&b); i++)
            named += j->named[i], frees += isnan(j->by[i]) != 0;
        if (mark_block(j, &b, column, named, frees) != CLI_WELL) return CLI_WRONG_USE;
    }
    return displace_system(j);
}

/* Of a mechanism target_g are the differences of joint positions. */
static int read_mechanism(optimise_job *j)
{
    for (int i = 0; i < j->n; i++) {
        const int column = optimise_joint_column(j, i);
        j->row[i] = !isnan(j->by[column]);
        j->target_g[i] = j->row[i] ? j->by[column] : 0;
    }
    return CLI_WELL;
}

int gait_read_target(optimise_job *j, int argc, char **argv)
{
    const size_t columns = (size_t)lg_model_column_count(j->run.S.M);
    j->named = calloc(columns, 1);
    j->by = calloc(3 * columns, sizeof *j->by);
    if (j->named == NULL || j->by == NULL) return cli_wrong(j->run.command, "out of memory");
    j->swing = j->by + columns, j->phase = j->swing + columns;
    int status = optimise_parts(j, argc, argv, run_job_number(&j->run, "moves"), take_move);
    if (status == CLI_WELL && memchr(j->named, 1, columns) == NULL)
        status = cli_wrong(j->run.command, "where to? Give --moves NAME=VALUE,..., what a period adds to positions");
    if (status == CLI_WELL) status = optimise_parts(j, argc, argv, run_job_number(&j->run, "swing"), take_swing);
    if (status == CLI_WELL) status = rest(j);
    if (status == CLI_WELL) status = optimise_read_start(j);
    if (status != CLI_WELL) return status;
    for (int i = 0; i < j->n; i++) j->row[j->n + i] = 1;
    if (j->rests && (j->start_free = calloc(2 * (size_t)j->n, sizeof *j->start_free)) == NULL)
        return cli_wrong(j->run.command, "out of memory");
    return j->run.S.R != NULL ? read_mechanism(j) : read_system(j);
}

/* The guess -------------------------------------------------------------------------------------------------------- */

static lg_status guess_node(optimise_job *j, double s, double *g)
{
    if (j->run.S.R == NULL) return swing_system(j, s, g);
    for (int i = 0; i < j->n; i++) {
        const int column = optimise_joint_column(j, i);
        g[i] = j->start_g[i] + swung(j, column, s) - j->start[column];
    }
    return LG_OK;
}

lg_status gait_guess(optimise_job *j)
{
    const int nodes = lg_optimum_steps(j->o) + 1, columns = lg_model_column_count(j->run.S.M);
    int swings = 0;
    for (int i = 0; i < columns; i++) swings |= j->swing[i] != 0;
    if (!swings) return LG_OK;
    double *g = calloc((size_t)nodes * (size_t)j->e, sizeof *g);
    if (g == NULL) return LG_ERROR_MEMORY;
    lg_status status = LG_OK;
    for (int k = 0; status == LG_OK && k < nodes; k++)
        status = guess_node(j, (double)k / (nodes - 1), g + (size_t)k * (size_t)j->e);
    if (status == LG_OK) status = lg_optimum_guess(j->o, g, NULL, NULL, 0);
    free(g);
    return status;
}
