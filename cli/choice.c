/* SPDX-License-Identifier: BSD-3-Clause */
#include "choice.h"

#include <stdio.h>
#include <string.h>

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

int cli_read_start(const char *command, const char *name, int *start)
{
    static const char *const names[] = {"reaction", "legendre", "paper", NULL};
    static const int starts[] = {LG_START_REACTION, LG_START_LEGENDRE, LG_START_PAPER};
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

/* The method's name without options and composition if there is no such method, else NULL. */
static const char *unknown_method(const char *spec, char *name, size_t room)
{
    const size_t length = strcspn(spec, ":@");
    snprintf(name, room, "%.*s", (int)(length < room ? length : room), spec);
    return lg_method_summary(name) == NULL ? name : NULL;
}

void cli_print_failure(const char *command, const char *method, lg_status status, const char *message)
{
    static const char flag[] = "LG_START_PROJECT";
    char name[64];
    const char *unknown = status == LG_ERROR_ARGUMENT ? unknown_method(method, name, sizeof name) : NULL;
    const char *meant = unknown != NULL ? cli_suggestion(unknown, lg_method_names()) : NULL;
    const char *at;
    if (message[0] == '\0') message = lg_status_text(status);
    at = strstr(message, flag);
    fprintf(stderr, "liegrp %s: ", command);
    if (at != NULL) {
        fprintf(stderr, "%.*s--project%s", (int)(at - message), message, at + sizeof flag - 1);
    } else {
        fputs(message, stderr);
    }
    if (meant != NULL) fprintf(stderr, "; did you mean '%s'?", meant);
    fputc('\n', stderr);
}

int cli_is_numeric(lg_status status)
{
    return status == LG_ERROR_CONVERGENCE || status == LG_ERROR_DOMAIN || status == LG_ERROR_SINGULAR ||
           status == LG_ERROR_NOT_FINITE || status == LG_ERROR_CALLBACK;
}
