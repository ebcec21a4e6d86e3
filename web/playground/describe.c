/* SPDX-License-Identifier: BSD-3-Clause */
/* The description of a system as JSON: names, units, meanings, ranges, and the methods that accept it. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <liegrp/liegrp.h>

#include "base/json.h"
#include "cli/lib/mechanism.h"
#include "cli/lib/names.h"
#include "run/engine.h"
#include "web/playground/inside.h"

/* The catalog ----------------------------------------------------------------------------------------------------- */

static void list(lg_json *j, const char *name, cli_item (*at)(int i))
{
    lg_json_open(j, name, '[');
    for (int i = 0; at(i).name != NULL; i++) {
        lg_json_open(j, NULL, '{');
        lg_json_text(j, "name", at(i).name);
        lg_json_text(j, "summary", at(i).text);
        lg_json_close(j, '}');
    }
    lg_json_close(j, ']');
}

char *pg_catalog(void)
{
    lg_json j = {0};
    lg_json_open(&j, NULL, '{');
    lg_json_text(&j, "version", lg_version());
    list(&j, "systems", cli_system_at);
    list(&j, "mechanisms", cli_mechanism_at);
    list(&j, "methods", cli_method_at);
    list(&j, "compositions", cli_composition_at);
    list(&j, "retractions", cli_retraction_at);
    lg_json_close(&j, '}');
    return j.text;
}

/* A system -------------------------------------------------------------------------------------------------------- */

static void parameters_of_model(lg_json *j, const lg_model *M)
{
    const lg_model_definition *d = lg_model_describe(M);
    for (int i = 0; i < d->parameter_count; i++) {
        const lg_parameter *p = &d->parameters[i];
        lg_json_open(j, NULL, '{');
        lg_json_text(j, "name", p->name);
        lg_json_text(j, "unit", p->unit);
        lg_json_text(j, "meaning", p->meaning);
        lg_json_number(j, "value", p->value);
        lg_json_number(j, "low", p->low);
        lg_json_number(j, "high", p->high);
        lg_json_whole(j, "open", p->open);
        lg_json_close(j, '}');
    }
}

static void parameters_of_mechanism(lg_json *j, const cli_system *S)
{
    const lg_mechanism *m = cli_mechanism_of(S);
    const char *name;
    for (int i = 0; (name = S->kind->settable(S, i, 0)) != NULL; i++) {
        lg_json_open(j, NULL, '{');
        lg_json_text(j, "name", name);
        lg_json_text(j, "unit", S->kind->parameter_unit(S, name));
        lg_json_text(j, "meaning", "");
        lg_json_number(j, "value", lg_mechanism_parameter_value(m, lg_mechanism_parameter(m, name)));
        lg_json_close(j, '}');
    }
}

static void column(lg_json *j, const cli_column *c)
{
    lg_json_open(j, NULL, '{');
    lg_json_text(j, "name", c->name);
    lg_json_text(j, "unit", c->unit);
    lg_json_text(j, "meaning", c->meaning);
}

/* Columns of the row that are initial values. */
static void initial(lg_json *j, const cli_system *S)
{
    const char *name;
    cli_column c;
    lg_json_open(j, "initial", '[');
    for (int i = 0; (name = S->kind->settable(S, i, 1)) != NULL; i++) {
        const int at = lg_model_column_find(S->M, name);
        cli_column_of(&c, S, at);
        column(j, &c);
        lg_json_whole(j, "column", at);
        lg_json_close(j, '}');
    }
    lg_json_close(j, ']');
}

static void columns(lg_json *j, const cli_system *S)
{
    cli_column c;
    lg_json_open(j, "columns", '[');
    for (int i = 0; i < lg_model_column_count(S->M); i++) {
        cli_column_of(&c, S, i);
        column(j, &c);
        lg_json_close(j, '}');
    }
    lg_json_close(j, ']');
    lg_json_open(j, "controls", '[');
    for (int i = 0; i < S->kind->controls(S); i++) {
        cli_control_of(&c, S, i);
        column(j, &c);
        lg_json_close(j, '}');
    }
    lg_json_close(j, ']');
}

/* The name of a method, and the reason of its refusal; null: it accepts the system. */
static void fits(lg_json *j, const char *name, const char *refusal)
{
    lg_json_open(j, NULL, '{');
    lg_json_text(j, "name", name);
    lg_json_text(j, "refused", refusal);
    lg_json_close(j, '}');
}

static void methods(lg_json *j, const cli_system *S)
{
    lg_motion_options o = lg_motion_options_default();
    o.step = 0.01;
    lg_json_open(j, "methods", '[');
    for (int i = 0; (o.method = cli_method_at(i).name) != NULL; i++) {
        lg_motion *mo = NULL;
        /* the page has no room for the dense engine of a mechanism */
        if (S->R != NULL && !lg_method_is_sparse(o.method)) continue;
        fits(j, o.method, lg_motion_create(&mo, S->M, &o) == LG_OK ? NULL : lg_motion_message(mo));
        lg_motion_destroy(mo);
    }
    lg_json_close(j, ']');
}

char *pg_describe(pg_system *s)
{
    const cli_system *S = pg_inside(s);
    const lg_model_definition *d = S != NULL ? lg_model_describe(S->M) : NULL;
    lg_json j = {0};
    if (S == NULL) return NULL;
    lg_json_open(&j, NULL, '{');
    lg_json_text(&j, "name", S->name);
    lg_json_text(&j, "noun", S->kind->noun);
    lg_json_text(&j, "summary", d != NULL ? d->summary : cli_mechanism_text(S));
    lg_json_text(&j, "source", d != NULL ? d->source : NULL);
    lg_json_text(&j, "remark", d != NULL ? d->remark : NULL);
    lg_json_number(&j, "step", lg_model_default_step(S->M));
    lg_json_open(&j, "parameters", '[');
    if (d != NULL)
        parameters_of_model(&j, S->M);
    else
        parameters_of_mechanism(&j, S);
    lg_json_close(&j, ']');
    initial(&j, S);
    columns(&j, S);
    methods(&j, S);
    lg_json_close(&j, '}');
    return j.text;
}
