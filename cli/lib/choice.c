/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/lib/choice.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

int cli_set_values(const char *command, const cli_option *options, int param, int init, int argc, char **argv,
                   lg_model *M)
{
    cli_parser p = cli_begin(command, options, argc, argv);
    for (int found; (found = cli_next(&p)) != CLI_END;) {
        char name[64];
        double value;
        lg_status status;
        if (found != param && found != init) continue;
        if (!cli_assignment(p.value, name, sizeof name, &value)) {
            return cli_wrong(command, "--%s must be NAME=VALUE with a finite number, got '%s'", options[found].name,
                             p.value);
        }
        status = found == param ? lg_model_set(M, name, value) : lg_model_set_initial(M, name, value);
        if (status != LG_OK) return cli_wrong(command, "%s", lg_model_message(M));
    }
    return CLI_WELL;
}

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

int cli_settle_time(const char *command, const char *time_text, const char *steps_text, double step, int quiet,
                    int64_t *steps)
{
    double time, count, whole;
    if (time_text == NULL) return CLI_WELL;
    if (steps_text != NULL) return cli_wrong(command, "--steps and --time exclude each other");
    if (!cli_number(time_text, &time)) return CLI_WRONG_USE;
    count = time / step;
    whole = round(count);
    if (!(count >= 0)) {
        return cli_wrong(command, "--time %s and --step %g point in opposite directions", time_text, step);
    }
    if (!(whole <= 1e15)) return cli_wrong(command, "--time %s takes more than 1e15 steps of %g", time_text, step);
    *steps = (int64_t)whole;
    if (fabs(count - whole) > 1e-9 * fmax(1, whole) && !quiet) {
        fprintf(
            stderr,
            "liegrp %s: --time %s is not a multiple of the step %.15g; the run ends at the nearest one, t = %.15g\n",
            command, time_text, step, whole * step);
    }
    return CLI_WELL;
}

int cli_check_format(const char *command, const char *name)
{
    static const char *const formats[] = {"csv", "npy", NULL};
    return strcmp(name, "csv") == 0 || strcmp(name, "npy") == 0 ? CLI_WELL
                                                                : cli_unknown(command, "format", name, formats);
}

/* The format that the name of a file promises, "csv" or "npy"; NULL: none. */
static const char *promised(const char *file)
{
    const char *end = strrchr(file, '.');
    if (end == NULL || end == file) return NULL;
    return strcasecmp(end, ".npy") == 0 ? "npy" : strcasecmp(end, ".csv") == 0 ? "csv" : NULL;
}

int cli_settle_output(const char *command, const char *name, const char **output, FILE **stream, lg_format *format)
{
    const char *right = *output != NULL ? promised(*output) : NULL;
    if (*output == NULL && name != NULL)
        return cli_wrong(command, "--format %s says how --output writes the rows; add --output FILE, or --output -",
                         name);
    if (*output == NULL) return CLI_WELL;
    if (name != NULL && right != NULL && strcmp(name, right) != 0)
        return cli_wrong(command, "--format %s and --output %s contradict each other; drop --format, or name a .%s",
                         name, *output, name);
    if (name == NULL) name = right;
    *format = name != NULL && strcmp(name, "npy") == 0 ? LG_FORMAT_NPY : LG_FORMAT_CSV;
    if (strcmp(*output, "-") != 0 && strcmp(*output, "/dev/stdout") != 0) return CLI_WELL;
    if (*format == LG_FORMAT_NPY && isatty(STDOUT_FILENO)) {
        return cli_wrong(command, "npy is binary and cannot be written to a terminal; name a file");
    }
    *output = NULL;
    *stream = stdout;
    return CLI_WELL;
}

/* The method's name, without options and composition, if there is no such method; else NULL. */
static const char *unknown_method(const char *spec, char *name, size_t room)
{
    const size_t length = strcspn(spec, ":@");
    snprintf(name, room, "%.*s", (int)(length < room ? length : room), spec);
    return lg_method_summary(name) == NULL ? name : NULL;
}

void cli_print_message(lg_status status, const char *message)
{
    static const char advice[] = "set project = 1";
    const char *at;
    if (message[0] == '\0') message = lg_status_text(status);
    at = strstr(message, advice);
    if (at != NULL) {
        fprintf(stderr, "%.*sadd --project%s", (int)(at - message), message, at + sizeof advice - 1);
    } else {
        fputs(message, stderr);
    }
}

void cli_print_failure(const char *command, const char *method, lg_status status, const char *message)
{
    char name[64];
    const char *unknown = status == LG_ERROR_ARGUMENT ? unknown_method(method, name, sizeof name) : NULL;
    const char *meant = unknown != NULL ? cli_suggestion(unknown, lg_method_names()) : NULL;
    fprintf(stderr, "liegrp %s: ", command);
    cli_print_message(status, message);
    if (meant != NULL) fprintf(stderr, "; did you mean '%s'?", meant);
    fputc('\n', stderr);
}

int cli_is_numeric(lg_status status)
{
    return status == LG_ERROR_CONVERGENCE || status == LG_ERROR_DOMAIN || status == LG_ERROR_SINGULAR ||
           status == LG_ERROR_NOT_FINITE || status == LG_ERROR_CALLBACK;
}
