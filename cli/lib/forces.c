/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/lib/forces.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "run/model_private.h"

/* Forces B u, and what their model's definition points to. */
struct cli_forces {
    lg_model_definition definition;
    int n, k;
    double *B; /* n x k */
    lg_column_text *texts;
    char **names;
};

void cli_forces_free(cli_forces *f)
{
    if (f == NULL) return;
    for (int j = 0; f->names != NULL && j < f->k; j++) free(f->names[j]);
    free(f->names), free(f->texts), free(f->B), free(f);
}

static int push(const lg_call *c, const double *g, const double *xi, double *out)
{
    const cli_forces *f = c->context;
    const int lanes = c->lanes;
    (void)g, (void)xi;
    for (int i = 0; i < f->n; i++)
        for (int j = 0; j < f->k; j++)
            for (int l = 0; l < lanes; l++) out[i * lanes + l] += f->B[i * f->k + j] * c->control[j * lanes + l];
    return 0;
}

/* The number of a velocity of this name; -1: there is none. */
static int velocity(const cli_system *S, const char *name)
{
    int number = 0;
    for (int i = 0; i < lg_model_column_count(S->M); i++) {
        const lg_column *c = lg_model_column(S->M, i);
        if (c->kind != LG_COLUMN_VELOCITY) continue;
        if (strcmp(c->name, name) == 0) return number;
        number++;
    }
    return -1;
}

/* Column j of B from "xi_4-xi_3". */
static int read_terms(const char *command, const cli_system *S, cli_forces *f, int j, const char *part)
{
    for (const char *at = strchr(part, '=') + 1; *at != '\0';) {
        char name[160];
        const double sign = *at == '-' ? -1 : 1;
        if (*at == '-' || *at == '+') at++;
        const size_t length = strcspn(at, "+-");
        snprintf(name, sizeof name, "%.*s", length < sizeof name ? (int)length : 0, at);
        const int i = velocity(S, name);
        if (i < 0)
            return cli_wrong(command, "--force %s: '%s' is no velocity of %s; liegrp info %s lists them", part, name,
                             S->name, S->name);
        f->B[i * f->k + j] += sign;
        at += length;
    }
    for (int i = 0; i < f->n; i++)
        if (f->B[i * f->k + j] != 0) return CLI_WELL;
    return cli_wrong(command, "--force %s pushes along nothing", part);
}

static int read_force(const char *command, const cli_system *S, cli_forces *f, int j, const char *part)
{
    const char *equal = strchr(part, '=');
    if (equal == NULL || equal == part || equal[1] == '\0')
        return cli_wrong(command, "--force must be NAME=VELOCITY..., such as rotor=xi_4-xi_3, got '%s'", part);
    f->names[j] = strndup(part, (size_t)(equal - part));
    if (f->names[j] == NULL) return cli_wrong(command, "out of memory");
    for (int i = 0; i < j; i++)
        if (strcmp(f->names[i], f->names[j]) == 0)
            return cli_wrong(command, "--force: two controls are named %s", f->names[j]);
    f->texts[j] = (lg_column_text){.name = f->names[j], .unit = "", .meaning = "force of --force"};
    return read_terms(command, S, f, j, part);
}

/* The model with these forces in place of the system's own, which has none. */
static int replace(const char *command, cli_system *S, cli_forces *f)
{
    lg_model_definition *d = &f->definition;
    lg_model *driven;
    *d = *lg_model_describe(S->M);
    d->invariant_count = 0;
    d->exact = NULL;
    d->callbacks.force = push;
    d->callbacks.control_count = f->k;
    d->callbacks.controls = f->texts;
    d->callbacks.model_context = f;
    if (lg_model_create(&driven, d) != LG_OK) {
        (void)cli_wrong(command, "%s", lg_model_message(driven));
        lg_model_destroy(driven);
        return CLI_WRONG_USE;
    }
    lg_model_destroy(S->M);
    S->M = driven;
    return CLI_WELL;
}

static int refuse(const char *command, const cli_system *S)
{
    const lg_callbacks *own = &lg_model_describe(S->M)->callbacks;
    if (own->force == NULL && own->control_count == 0 && own->model_context == NULL) return CLI_WELL;
    return cli_wrong(command, "--force: %s has %s of its own; it is for systems without", S->name,
                     own->control_count > 0 ? "controls"
                     : own->force != NULL   ? "forces"
                                            : "a context");
}

int cli_add_forces(const char *command, const cli_option *options, int option, int argc, char **argv, cli_system *S)
{
    int count = 0, status;
    cli_parser p = cli_begin(command, options, argc, argv);
    for (int found; option >= 0 && (found = cli_next(&p)) != CLI_END;) count += found == option;
    if (count == 0) return CLI_WELL;
    if ((status = refuse(command, S)) != CLI_WELL) return status;
    cli_forces *f = S->forces = calloc(1, sizeof *f);
    if (f == NULL) return cli_wrong(command, "out of memory");
    f->n = S->M->n, f->k = count;
    f->B = calloc((size_t)f->n * (size_t)f->k, sizeof *f->B);
    f->texts = calloc((size_t)f->k, sizeof *f->texts);
    f->names = calloc((size_t)f->k, sizeof *f->names);
    if (f->B == NULL || f->texts == NULL || f->names == NULL) return cli_wrong(command, "out of memory");
    p = cli_begin(command, options, argc, argv);
    int j = 0;
    for (int found; status == CLI_WELL && (found = cli_next(&p)) != CLI_END;)
        if (found == option) status = read_force(command, S, f, j++, p.value);
    return status == CLI_WELL ? replace(command, S, f) : status;
}
