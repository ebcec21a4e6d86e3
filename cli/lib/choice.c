/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/lib/choice.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/lib/attitude.h"
#include "cli/lib/print.h"
#include "run/format.h"

/* Names of parameters and initial values --------------------------------------------------------------------------- */

enum { MOST_NAMES = 2000 };

/* The names that --param or --init takes, with NULL at the end. */
static void collect_names(const char *names[MOST_NAMES + 1], const cli_system *S, int initial)
{
    int count = 0;
    while (count < MOST_NAMES && (names[count] = S->kind->settable(S, count, initial)) != NULL) count++;
    names[count] = NULL;
}

static int is_among(const char *word, const char *const *names)
{
    while (*names != NULL && strcmp(*names, word) != 0) names++;
    return *names != NULL;
}

int cli_refuse_value(const char *command, const cli_system *S, const char *name, int initial)
{
    const char *names[MOST_NAMES + 1], *others[MOST_NAMES + 1], *meant;
    char list[256];
    collect_names(names, S, initial);
    collect_names(others, S, !initial);
    if (is_among(name, names)) return cli_wrong(command, "%s", S->kind->message(S)); /* it is the value */
    if (is_among(name, others)) {
        return cli_wrong(command, "%s; '%s' is %s: give --%s %s=...", S->kind->message(S), name,
                         initial ? "a parameter" : "an initial value", initial ? "param" : "init", name);
    }
    meant = cli_suggestion(name, names);
    if (meant == NULL) {
        meant = cli_suggestion(name, others);
        if (meant == NULL && cli_nearest(list, sizeof list, name, names) > 0)
            return cli_wrong(command, "%s; the nearest are %s", S->kind->message(S), list);
        if (meant == NULL) return cli_wrong(command, "%s", S->kind->message(S));
        return cli_wrong(command, "%s; did you mean --%s %s=...?", S->kind->message(S), initial ? "param" : "init",
                         meant);
    }
    return cli_wrong(command, "%s; did you mean '%s'?", S->kind->message(S), meant);
}

int cli_check_degrees(const char *command, const char *option, const char *name, int initial, const cli_system *S)
{
    cli_column c = {.unit = ""};
    const int column = initial ? lg_model_column_find(S->M, name) : -1;
    const char *unit = initial ? c.unit : S->kind->parameter_unit(S, name);
    if (column >= 0) cli_column_of(&c, S, column);
    if (unit == NULL || unit[0] == '\0' || strcmp(unit, "rad") == 0 || !S->kind->units(S)) return CLI_WELL;
    return cli_wrong(command, "--%s %s: its unit is %s; degrees are for angles in rad", option, name, unit);
}

/* NAME=VALUE; angles may be in degrees. */
static int set_value(const char *command, const char *option, const char *text, int initial, const cli_system *S)
{
    char name[256];
    double value;
    int degrees, checked = CLI_WELL;
    lg_status status;
    if (!cli_assignment(text, name, sizeof name, &value, &degrees)) {
        return cli_wrong(command, "--%s must be NAME=VALUE with a finite number, or an angle such as 30deg, got '%s'",
                         option, text);
    }
    if (degrees) checked = cli_check_degrees(command, option, name, initial, S);
    if (checked != CLI_WELL) return checked;
    status = S->kind->set(S, name, value, initial);
    return status == LG_OK ? CLI_WELL : cli_refuse_value(command, S, name, initial);
}

int cli_set_values(const char *command, const cli_option *options, int param, int init, int argc, char **argv,
                   const cli_system *S)
{
    cli_parser p = cli_begin(command, options, argc, argv);
    cli_attitudes attitudes = {.option = init >= 0 ? options[init].name : NULL};
    for (int found; (found = cli_next(&p)) != CLI_END;) {
        int status = CLI_WELL;
        if (found != param && found != init) continue;
        const int attitude = found == init ? cli_attitude_is(S, p.value) : 0;
        if (attitude) status = cli_attitude_read(&attitudes, command, p.value);
        if (status == CLI_WELL && attitude == 1) continue;
        if (status == CLI_WELL) status = set_value(command, options[found].name, p.value, found == init, S);
        if (status != CLI_WELL) return status;
    }
    return cli_attitudes_set(&attitudes, command, S);
}

/* Start and retraction ----------------------------------------------------------------------------------------------
 */

int cli_read_start(const char *command, const char *name, lg_start *start)
{
    static const char *const names[] = {"reaction", "legendre", "paper", NULL};
    static const lg_start starts[] = {LG_START_REACTION, LG_START_LEGENDRE, LG_START_PAPER};
    int i = 0;
    while (names[i] != NULL && strcmp(names[i], name) != 0) i++;
    if (names[i] == NULL) return cli_unknown(command, "start", name, names);
    *start = starts[i];
    return CLI_WELL;
}

int cli_check_retraction(const char *command, const char *name)
{
    if (lg_retraction_named(name) != NULL) return CLI_WELL;
    if (strncmp(name, "exp:order=", 10) == 0) {
        return cli_wrong(command, "retraction '%s': the order must be a whole number from 0 to 20", name);
    }
    return cli_unknown(command, "retraction", name, lg_retraction_names());
}

/* The family of a method: its name without options and composition. */
static int is_family(const char *method, const char *family)
{
    const size_t length = strcspn(method, ":@");
    return strlen(family) == length && strncmp(method, family, length) == 0;
}

int cli_method_starts(const char *method)
{
    static const char *const families[] = {"gni", "gni-r", "rattle", "variational"};
    for (size_t i = 0; i < sizeof families / sizeof families[0]; i++) {
        if (is_family(method, families[i])) return 1;
    }
    return 0;
}

int cli_check_use(const char *command, const char *method, const char *start, const char *retraction, int quiet)
{
    if (start != NULL && !cli_method_starts(method)) {
        return cli_wrong(command,
                         "--start %s has no effect: it concerns gni, gni-r, rattle and variational; method '%s' starts "
                         "from the momentum of the initial velocity",
                         start, method);
    }
    if (retraction != NULL && !quiet && is_family(method, "rk4"))
        cli_print(stderr, "liegrp %s: --retraction %s has no effect: rk4 uses no retraction; rkmk4 does\n", command,
                  retraction);
    if (retraction != NULL && !quiet && is_family(method, "sem") && strncmp(retraction, "exp:order=", 10) == 0)
        cli_print(stderr, "liegrp %s: --retraction %s is exp here: sem uses no tangents\n", command, retraction);
    return CLI_WELL;
}

int cli_settle_time(const char *command, const char *time_text, const char *steps_text, double step, double begin,
                    int quiet, int64_t *steps)
{
    double time, count, whole;
    if (time_text == NULL) return CLI_WELL;
    if (steps_text != NULL) return cli_wrong(command, "--steps and --time exclude each other");
    if (!cli_number(time_text, &time)) return CLI_WRONG_USE;
    count = (time - begin) / step;
    whole = round(count);
    if (!(count >= 0)) {
        return cli_wrong(command, "--time %s and --step %g point in opposite directions", time_text, step);
    }
    if (!(whole <= 1e15)) return cli_wrong(command, "--time %s takes more than 1e15 steps of %g", time_text, step);
    *steps = (int64_t)whole;
    if (fabs(count - whole) > 1e-9 * fmax(1, whole) && !quiet) {
        cli_print(
            stderr,
            "liegrp %s: --time %s is not a multiple of the step %.15g; the run ends at the nearest one, t = %.15g\n",
            command, time_text, step, begin + whole * step);
    }
    return CLI_WELL;
}

int cli_read_tolerance(const char *command, const char *text, double *tolerance)
{
    if (cli_number(text, tolerance) && *tolerance >= 1e-14 && *tolerance <= 0.1) return CLI_WELL;
    return cli_wrong(command, "--tolerance must be from 1e-14, what round-off lets a step keep, to 0.1, got '%s'",
                     text);
}

int cli_settle_tolerance(const char *command, const char *chosen, const char **method)
{
    if (chosen == NULL) *method = "gauss";
    if (strncmp(*method, "gauss", 5) == 0) return CLI_WELL;
    return cli_wrong(command, "--tolerance: %s has steps of one length; use --method gauss, or --step", *method);
}

int cli_check_format(const char *command, const char *name)
{
    enum { MOST = 16 };
    const char *formats[MOST + 1] = {NULL};
    for (int i = 0; i < MOST && lg_format_at(i) != NULL; i++) formats[i] = lg_format_at(i)->name;
    for (int i = 0; formats[i] != NULL; i++)
        if (strcmp(name, formats[i]) == 0) return CLI_WELL;
    return cli_unknown(command, "format", name, formats);
}

static lg_format format_of(const char *name, int right)
{
    int i = 0;
    if (name == NULL) return right >= 0 ? (lg_format)right : LG_FORMAT_CSV;
    while (strcmp(name, lg_format_at(i)->name) != 0) i++; /* cli_check_format() */
    return (lg_format)i;
}

int cli_settle_output(const char *command, const char *name, const char **output, FILE **stream, lg_format *format)
{
    const int right = lg_format_of_file(*output);
    lg_error e = {LG_OK, ""};
    if (*output == NULL && name != NULL)
        return cli_wrong(command, "--format %s says how --output writes the rows; add --output FILE, or --output -",
                         name);
    if (*output == NULL) return CLI_WELL;
    if (name != NULL && right >= 0 && strcmp(name, lg_format_at(right)->name) != 0)
        return cli_wrong(command, "--format %s and --output %s contradict each other; drop --format, or name a .%s",
                         name, *output, name);
    *format = format_of(name, right);
    if (lg_format_check(*format, &e) != LG_OK) return cli_wrong(command, "%s", e.message);
    if (strcmp(*output, "-") != 0 && strcmp(*output, "/dev/stdout") != 0) return CLI_WELL;
    if (!lg_format_at((int)*format)->is_text && isatty(STDOUT_FILENO))
        return cli_wrong(command, "%s is binary and cannot be written to a terminal; name a file",
                         lg_format_at((int)*format)->name);
    *output = NULL;
    *stream = stdout;
    return CLI_WELL;
}

/* The nearest spelling of a method that the library does not know: the whole name, or one of its parts. */
static const char *nearest_method(const char *method, char *text, size_t room)
{
    const size_t family = strcspn(method, ":@"), at = strcspn(method, "@");
    char part[64];
    const char *meant;
    snprintf(part, sizeof part, "%.*s", (int)(family < 60 ? family : 60), method);
    meant = lg_method_summary(part) == NULL ? cli_suggestion(part, lg_method_names()) : NULL;
    if (meant != NULL || lg_method_summary(part) == NULL) return meant;
    snprintf(part, sizeof part, "%.*s", (int)(at < 60 ? at : 60), method);
    if (strchr(part, '=') == NULL && lg_method_summary(part) == NULL) return cli_suggestion(part, lg_method_names());
    if (method[at] == '\0' || lg_composition_summary(method + at + 1) != NULL) return NULL;
    meant = cli_suggestion(method + at + 1, lg_composition_names());
    if (meant == NULL) return NULL;
    snprintf(text, room, "%s@%s", part, meant);
    return text;
}

void cli_print_message(lg_status status, const char *message)
{
    static const char *const advice[] = {"set project = 1", "start with project = 1"};
    if (message[0] == '\0') message = lg_status_text(status);
    if (strncmp(message, "lg_motion_", 10) == 0 && strstr(message, ": ") != NULL) message = strstr(message, ": ") + 2;
    for (size_t i = 0; i < sizeof advice / sizeof advice[0]; i++) {
        const char *at = strstr(message, advice[i]);
        if (at == NULL) continue;
        cli_print(stderr, "%.*sadd --project", (int)(at - message), message);
        message = at + strlen(advice[i]);
    }
    cli_print(stderr, "%s", message);
}

void cli_print_failure(const char *command, const char *method, lg_status status, const char *message)
{
    char text[128];
    const char *meant = status == LG_ERROR_ARGUMENT ? nearest_method(method, text, sizeof text) : NULL;
    cli_print(stderr, "liegrp %s: ", command);
    cli_print_message(status, message);
    if (meant != NULL) cli_print(stderr, "; did you mean '%s'?", meant);
    fputc('\n', stderr);
}

int cli_is_numeric(lg_status status)
{
    return status == LG_ERROR_CONVERGENCE || status == LG_ERROR_DOMAIN || status == LG_ERROR_SINGULAR ||
           status == LG_ERROR_NOT_FINITE || status == LG_ERROR_CALLBACK;
}
