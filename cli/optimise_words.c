/* SPDX-License-Identifier: BSD-3-Clause */
/* Values of options that are lists of names and values. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/optimise.h"

/* Lists ------------------------------------------------------------------------------------------------------------ */

/* The comma before the next NAME=; NULL: the rest is one part, such as axis=0,0,1. */
static char *next_part(char *text)
{
    for (char *comma = strchr(text, ','); comma != NULL; comma = strchr(comma + 1, ',')) {
        const size_t name = strcspn(comma + 1, ",=");
        if (comma[1 + name] == '=' || comma[1] == '\0') return comma;
    }
    return NULL;
}

static int take_parts(optimise_job *j, int option, const char *value,
                      int (*take)(optimise_job *j, int option, const char *part))
{
    char *list = strdup(value), *at = list;
    int status = CLI_WELL;
    if (list == NULL) return cli_wrong(j->run.command, "out of memory");
    while (status == CLI_WELL && at != NULL) {
        char *comma = next_part(at);
        if (comma != NULL) *comma++ = '\0';
        status = take(j, option, at);
        at = comma;
    }
    free(list);
    return status;
}

int optimise_parts(optimise_job *j, int argc, char **argv, int option,
                   int (*take)(optimise_job *j, int option, const char *part))
{
    cli_parser p = cli_begin(j->run.command, j->run.options, argc, argv);
    int status = CLI_WELL;
    for (int found; status == CLI_WELL && (found = cli_next(&p)) != CLI_END;)
        if (found == option) status = take_parts(j, option, p.value, take);
    return status;
}

/* Controls --------------------------------------------------------------------------------------------------------- */

/* The control that NAME=... is about, and the text behind '='. -1 after a message. */
static int control_of(optimise_job *j, int option, const char *part, const char *form, const char **value)
{
    const char *equal = strchr(part, '='), *what = j->run.options[option].name;
    char name[160];
    if (equal == NULL || equal == part || equal[1] == '\0') {
        (void)cli_wrong(j->run.command, "--%s must be %s, got '%s'", what, form, part);
        return -1;
    }
    snprintf(name, sizeof name, "%.*s", (int)(equal - part < 159 ? equal - part : 159), part);
    *value = equal + 1;
    const int i = cli_control_find(&j->run.S, name);
    if (i < 0) (void)cli_unknown_control(j->run.command, &j->run.S, name);
    return i;
}

/* A number, or an infinity. */
static int read_bound(const char *text, double *value)
{
    const int sign = text[0] == '-' ? -1 : 1;
    if (strcmp(text + (sign < 0), "inf") != 0) return cli_number(text, value);
    *value = sign * (double)INFINITY;
    return 1;
}

int optimise_range(const char *text, double *low, double *high)
{
    const char *colon = strchr(text, ':');
    char first[64];
    if (colon == NULL || colon - text >= (long)sizeof first) return 0;
    snprintf(first, sizeof first, "%.*s", (int)(colon - text), text);
    return read_bound(first, low) && read_bound(colon + 1, high);
}

/* LOW:HIGH, two finite numbers; 0: it is not. */
static int read_range(const char *text, double *low, double *high)
{
    return optimise_range(text, low, high) && isfinite(*low) && isfinite(*high);
}

/* What a control may be by itself: a motor has limits of its torque, and of its control. */
static void own_limits(const optimise_job *j, int i, double *low, double *high)
{
    *low = (double)-INFINITY, *high = (double)INFINITY;
    if (j->run.S.R == NULL) return;
    const lg_mechanism *m = lg_model_mechanism(lg_motion_model(j->begins.mo));
    const int motors = lg_mechanism_motor_count(m);
    lg_motor motor = lg_motor_default(NULL, NULL);
    lg_thruster thruster = lg_thruster_default(NULL, NULL);
    if (i < motors && lg_mechanism_read_motor(m, &motor, i) == LG_OK) {
        *low = fmax(motor.lower, motor.control_lower), *high = fmin(motor.upper, motor.control_upper);
    } else if (i >= motors && lg_mechanism_read_thruster(m, &thruster, i - motors) == LG_OK) {
        *low = thruster.lower, *high = thruster.upper;
    }
}

static int take_limit(optimise_job *j, int option, const char *part)
{
    const char *value;
    double low, high, least, most;
    const int i = control_of(j, option, part, "NAME=MOST or NAME=LOW:HIGH", &value);
    if (i < 0) return CLI_WRONG_USE;
    if (!read_range(value, &low, &high)) {
        if (!cli_number(value, &high) || !(high > 0))
            return cli_wrong(j->run.command, "--limit %s: give a positive number, or LOW:HIGH", part);
        low = -high;
    }
    if (!(low < high)) return cli_wrong(j->run.command, "--limit %s: the first number must be below the second", part);
    own_limits(j, i, &least, &most);
    if (low < least || high > most)
        return cli_wrong(j->run.command, "--limit %s goes beyond %.6g:%.6g, the limits of the motor itself", part,
                         least, most);
    if (j->low[i] != least || j->high[i] != most)
        return cli_wrong(j->run.command, "--limit %s: this control has a limit already", part);
    j->low[i] = low, j->high[i] = high;
    return CLI_WELL;
}

static int take_effort(optimise_job *j, int option, const char *part)
{
    const char *value;
    const int i = control_of(j, option, part, "NAME=WEIGHT", &value);
    if (i < 0) return CLI_WRONG_USE;
    if (!cli_number(value, &j->effort[i * j->c + i]) || !(j->effort[i * j->c + i] > 0))
        return cli_wrong(j->run.command, "--effort %s: the weight must be a positive number", part);
    return CLI_WELL;
}

static int read_time(optimise_job *j)
{
    const char *command = j->run.command, *what = j->closes ? "period" : "time";
    if (j->run.time == NULL && j->free_time == NULL)
        return cli_wrong(command, "how long may the motion take? Give --%s T, or --free-%s LOW:HIGH", what, what);
    if (j->run.time != NULL && (!cli_number(j->run.time, &j->time) || !(j->time > 0)))
        return cli_wrong(command, "--%s must be positive, got '%s'", what, j->run.time);
    if (j->free_time == NULL && j->weighed)
        return cli_wrong(command, "--time-weight is for a free %s: give --free-%s LOW:HIGH", what, what);
    if (j->free_time == NULL) return CLI_WELL;
    if (!read_range(j->free_time, &j->time_low, &j->time_high) || !(j->time_low > 0) || !(j->time_low < j->time_high))
        return cli_wrong(command, "--free-%s must be LOW:HIGH with 0 < LOW < HIGH, got '%s'", what, j->free_time);
    if (j->run.time == NULL) j->time = sqrt(j->time_low * j->time_high);
    if (j->time < j->time_low || j->time > j->time_high)
        return cli_wrong(command, "--%s %s, where the iteration begins, is not within --free-%s %s", what, j->run.time,
                         what, j->free_time);
    return CLI_WELL;
}

int optimise_read_controls(optimise_job *j, int argc, char **argv)
{
    const size_t c = (size_t)j->c;
    j->effort = calloc(c * c, sizeof *j->effort);
    j->low = calloc(c, sizeof *j->low);
    j->high = calloc(c, sizeof *j->high);
    if (j->effort == NULL || j->low == NULL || j->high == NULL) return cli_wrong(j->run.command, "out of memory");
    for (int i = 0; i < j->c; i++) {
        own_limits(j, i, &j->low[i], &j->high[i]);
        const double most = fmax(fabs(j->low[i]), fabs(j->high[i]));
        j->effort[i * j->c + i] = isfinite(most) && most > 0 ? 1 / (most * most) : 1; /* as lg_optimum has it */
    }
    int status = read_time(j);
    if (status == CLI_WELL) status = optimise_parts(j, argc, argv, run_job_number(&j->run, "limit"), take_limit);
    return status == CLI_WELL ? optimise_parts(j, argc, argv, run_job_number(&j->run, "effort"), take_effort) : status;
}
