/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/grid.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/lib/choice.h"
#include "cli/lib/controls.h"

/* Points are counted in doubles too. */
#define MOST INT64_C(9007199254740992)

/* The numbers of "A", "A:B" or "A:B:C". Returns how many there are; 0: one of them is not a number. *degrees is 1 if A
 * or B is in degrees. */
static int read_numbers(const char *text, double *number, int *degrees)
{
    char part[3][64];
    int count = 0, in_degrees;
    *degrees = 0;
    for (const char *at = text;; at++) {
        const size_t length = strcspn(at, ":");
        if (count == 3 || length >= sizeof part[0]) return 0;
        snprintf(part[count], sizeof part[0], "%.*s", (int)length, at);
        if (!cli_angle(part[count], &number[count], &in_degrees) || (in_degrees && count == 2)) return 0;
        *degrees |= in_degrees;
        count++;
        at += length;
        if (*at == '\0') return count;
    }
}

/* Reads NAME=... into *r. */
static int read_range(const char *command, const char *option, const char *text, int64_t random, cli_range *r,
                      int *degrees)
{
    const char *equal = strchr(text, '=');
    const char *shape = random ? "NAME=FROM:TO or NAME=VALUE" : "NAME=FROM:TO:COUNT or NAME=VALUE";
    double number[3];
    const int count = equal != NULL && equal != text ? read_numbers(equal + 1, number, degrees) : 0;
    if (count == 0) return cli_wrong(command, "--%s must be %s with finite numbers, got '%s'", option, shape, text);
    snprintf(r->name, sizeof r->name, "%.*s", (int)(equal - text < 150 ? equal - text : 150), text);
    r->from = number[0];
    r->to = count > 1 ? number[1] : number[0];
    r->swept = count > 1;
    r->count = 1;
    if (count == 1) return CLI_WELL;
    if (!isfinite(r->to - r->from)) return cli_wrong(command, "--%s %s: the range is too wide", option, text);
    if (random && count == 3) {
        return cli_wrong(command, "--%s %s: --random sets the number of instances; give %s", option, text, shape);
    }
    if (!random && count == 2) {
        return cli_wrong(command, "--%s %s: the number of values is missing; give %s, or --random N for random values",
                         option, text, shape);
    }
    if (random) return CLI_WELL;
    if (!cli_count(strrchr(text, ':') + 1, &r->count) || r->count < 1) {
        return cli_wrong(command, "--%s %s: COUNT must be a whole number from 1 to 1e15", option, text);
    }
    if (r->count == 1 && r->from != r->to) {
        return cli_wrong(command, "--%s %s: one value from %g to %g; give NAME=VALUE, or a COUNT of 2 or more", option,
                         text, r->from, r->to);
    }
    return CLI_WELL;
}

static lg_status set(const cli_range *r, double value, const cli_system *S)
{
    if (r->control > 0) return LG_OK; /* it is set where the motion is */
    if (r->turned != NULL) return cli_attitude_turn(r->turned, value, S);
    return S->kind->set(S, r->name, value, r->initial);
}

/* Is the name one of the model's, not given before, and does the model accept both ends? */
static int check_range(const char *command, const cli_grid *grid, const cli_range *r, const cli_system *S)
{
    for (const cli_range *q = grid->range; q < r; q++) {
        if (q->initial == r->initial && q->control == r->control && strcmp(q->name, r->name) == 0) {
            return cli_wrong(command, "--%s %s is given twice",
                             r->control > 0 ? "control"
                             : r->initial   ? "init"
                                            : "param",
                             r->name);
        }
    }
    if (set(r, r->to, S) == LG_OK && set(r, r->from, S) == LG_OK) return CLI_WELL;
    return cli_refuse_value(command, S, r->name, r->initial);
}

/* "angle=", "frame_angle=", "angle_2=" */
static int is_angle(const char *text)
{
    const char *at = strstr(text, "angle"), *equal = strchr(text, '=');
    return at != NULL && equal != NULL && at < equal && (at == text || at[-1] == '_');
}

/* The value of --param or --init: a range, or a word for an attitude. */
static int read_value(cli_grid *grid, const char *command, const char *option, const char *text, int initial,
                      const cli_system *S)
{
    cli_range *r = &grid->range[grid->ranges];
    const int attitude = initial ? cli_attitude_is(S, text) : 0;
    const int range = is_angle(text) && strchr(text, ':') != NULL;
    int degrees, status = CLI_WELL;
    if (attitude && !range) {
        status = cli_attitude_read(&grid->attitudes, command, text);
        if (status != CLI_WELL || attitude == 1) return status;
    }
    r->initial = initial;
    status = read_range(command, option, text, grid->random, r, &degrees);
    if (status == CLI_WELL && degrees && !range) status = cli_check_degrees(command, option, r->name, initial, S);
    if (status != CLI_WELL) return status;
    grid->ranges++;
    if (!attitude || !range) return check_range(command, grid, r, S);
    r->turned = cli_attitude_turned(&grid->attitudes, command, text);
    return r->turned != NULL ? CLI_WELL : CLI_WRONG_USE;
}

/* A control that is a range. One value that all points share is read elsewhere. */
static int read_control(cli_grid *grid, const char *command, const char *text, const cli_system *S)
{
    int degrees;
    cli_range *r = &grid->range[grid->ranges];
    const char *equal = strchr(text, '=');
    if (equal == NULL || strchr(equal, ':') == NULL) return CLI_WELL;
    const int status = read_range(command, "control", text, grid->random, r, &degrees);
    if (status != CLI_WELL) return status;
    if (degrees) return cli_wrong(command, "--control %s: controls are not in degrees", text);
    r->control = 1 + cli_control_find(S, r->name);
    if (r->control == 0) return cli_unknown_control(command, S, r->name);
    grid->ranges++;
    return check_range(command, grid, r, S);
}

static int count_points(const char *command, cli_grid *grid)
{
    grid->count = 1;
    for (int i = 0; i < grid->ranges; i++) {
        const cli_range *r = &grid->range[i];
        grid->swept += r->swept;
        if (r->count > MOST / grid->count) {
            return cli_wrong(command, "the ranges make more than 9e15 instances; take fewer, or --random N");
        }
        grid->count *= r->count;
    }
    if (grid->random) grid->count = grid->random;
    if (grid->swept > CLI_RANGES) return cli_wrong(command, "more than %d ranges", CLI_RANGES);
    if (grid->swept == 0) {
        return cli_wrong(
            command,
            "no range to sweep; give --param, --init or --control NAME=FROM:TO%s (liegrp run makes a single run)",
            grid->random ? "" : ":COUNT");
    }
    return CLI_WELL;
}

int cli_grid_read(cli_grid *grid, const char *command, const cli_option *options, int param, int init, int control,
                  int argc, char **argv, const cli_system *S)
{
    cli_parser p = cli_begin(command, options, argc, argv);
    int status = CLI_WELL;
    grid->range = calloc((size_t)argc, sizeof *grid->range);
    if (grid->range == NULL) return cli_wrong(command, "out of memory");
    for (int found; status == CLI_WELL && (found = cli_next(&p)) != CLI_END;) {
        if (found == param || found == init)
            status = read_value(grid, command, options[found].name, p.value, found == init, S);
        if (found == control) status = read_control(grid, command, p.value, S);
    }
    if (status == CLI_WELL) status = cli_attitudes_set(&grid->attitudes, command, S);
    return status == CLI_WELL ? count_points(command, grid) : status;
}

void cli_grid_free(cli_grid *grid)
{
    free(grid->range);
    grid->range = NULL;
}

/* FROM, ..., TO; both ends are exact to the last bit. */
static double at(const cli_range *r, int64_t k)
{
    const double s = r->count > 1 ? (double)k / (double)(r->count - 1) : 0;
    return k == r->count - 1 ? r->to : r->from + s * (r->to - r->from);
}

/* The draws of all points form one sequence of the generator. Its state after k draws is the seed plus k times its
 * constant. */
static void draw(const cli_grid *grid, int64_t i, double *values)
{
    const uint64_t before = (uint64_t)i * (uint64_t)grid->swept;
    lg_rng rng = {grid->seed + before * UINT64_C(0x9E3779B97F4A7C15)};
    for (int k = 0; k < grid->ranges; k++) {
        const cli_range *r = &grid->range[k];
        if (r->swept) *values++ = r->from + lg_rng_uniform(&rng) * (r->to - r->from);
    }
}

void cli_grid_point(const cli_grid *grid, int64_t i, double *values)
{
    int v = grid->swept;
    if (grid->random) {
        draw(grid, i, values);
        return;
    }
    for (int k = grid->ranges - 1; k >= 0; k--) {
        const cli_range *r = &grid->range[k];
        if (!r->swept) continue;
        values[--v] = at(r, i % r->count);
        i /= r->count;
    }
}

void cli_grid_controls(const cli_grid *grid, int64_t i, double *u)
{
    double values[CLI_RANGES] = {0};
    const double *value = values;
    cli_grid_point(grid, i, values);
    for (int k = 0; k < grid->ranges; k++) {
        const cli_range *r = &grid->range[k];
        if (r->control > 0) u[r->control - 1] = *value;
        value += r->swept;
    }
}

lg_status cli_grid_set(const cli_grid *grid, int64_t i, const cli_system *S)
{
    double values[CLI_RANGES] = {0};
    const double *value = values;
    lg_status status = LG_OK;
    cli_grid_point(grid, i, values);
    status = cli_attitudes_give(&grid->attitudes, S);
    for (int k = 0; status == LG_OK && k < grid->ranges; k++)
        status = set(&grid->range[k], grid->range[k].swept ? *value++ : grid->range[k].from, S);
    return status;
}
