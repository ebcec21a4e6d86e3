/* SPDX-License-Identifier: BSD-3-Clause */
/* liegrp info: the description of a system, as text or as JSON. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <liegrp/liegrp.h>

#include "cli/commands.h"
#include "cli/info.h"
#include "cli/lib/fit.h"
#include "cli/lib/json.h"
#include "cli/lib/mechanism.h"
#include "cli/lib/names.h"
#include "cli/lib/options.h"
#include "cli/lib/print.h"
#include "cli/lib/system.h"
#include "cli/lib/text.h"

static const cli_option options[] = {
    {"json", NULL, "prints JSON"},
    {"check", NULL, "first checks the group, and compares the system's derivatives with differences"},
    CLI_FLOATING_OPTION,
    CLI_WHEEL_OPTION,
    CLI_LEAST_INERTIA_OPTION,
    CLI_IGNORE_OPTION,
    CLI_KEY_OPTION,
    CLI_WITHIN_OPTION,
    CLI_PACKAGE_OPTION,
    CLI_SENSORS_OPTION,
    CLI_MOTION_OPTION,
    CLI_CONTACTS_OPTION,
    CLI_GROUND_OPTION,
    {"write", "FILE", "writes a mechanism as MJCF (.xml, .mjcf) or URDF (.urdf)"},
    {NULL, NULL, NULL},
};
enum {
    O_JSON,
    O_CHECK,
    O_FLOATING,
    O_WHEEL,
    O_LEAST_INERTIA,
    O_IGNORE,
    O_KEY,
    O_WITHIN,
    O_PACKAGE,
    O_SENSORS,
    O_MOTION,
    O_CONTACTS,
    O_GROUND,
    O_WRITE,
    CHECK_POINTS = 20,
    GROUP_POINTS = 5
};

/* A system as info shows it: its definition, and the row of step 0 of its default run. */
typedef struct picture {
    cli_system S;
    lg_model *M; /* of S */
    const lg_model_definition *d;
    const char *group;
    int columns, n; /* of the configuration; dimension */
    double *row;
} picture;

/* Checks the group, and the derivatives near the initial element; worth doing once for every new system. */
static int check(const picture *p)
{
    const lg_system *S = NULL;
    lg_error error;
    lg_rng rng = {1};
    double *g0;
    lg_status status = lg_model_system(p->M, &S);
    if (status != LG_OK) return cli_wrong("info", "%s", lg_model_message(p->M));
    status = lg_group_check(S->group, &rng, GROUP_POINTS, 0, &error);
    if (status != LG_OK) return cli_wrong("info", "%s: %s", p->d->name, error.message);
    g0 = calloc((size_t)lg_group_element_size(S->group), sizeof *g0);
    if (g0 == NULL) return cli_wrong("info", "out of memory");
    status = lg_model_initial(p->M, g0, NULL, NULL);
    if (status == LG_OK) status = lg_system_check(S, &rng, g0, CHECK_POINTS, 0, &error);
    free(g0);
    return status == LG_OK ? CLI_WELL : cli_wrong("info", "%s: %s", p->d->name, error.message);
}

/* 0, or the exit status after a message. */
static int take_picture(picture *p, int checked)
{
    lg_motion *mo = NULL;
    const lg_system *S = NULL;
    const char *why = NULL;
    p->M = p->S.M;
    p->d = lg_model_describe(p->M);
    if (checked && check(p) != CLI_WELL) return CLI_WRONG_USE;
    if (lg_model_system(p->M, &S) != LG_OK) why = lg_model_message(p->M);
    if (why == NULL) {
        p->group = lg_group_name(S->group);
        p->n = lg_group_dim(S->group);
        for (int i = 0; i < lg_model_column_count(p->M); i++)
            p->columns += lg_model_column(p->M, i)->kind == LG_COLUMN_CONFIGURATION;
        p->row = calloc((size_t)lg_model_column_count(p->M), sizeof *p->row);
        if (p->row == NULL) return cli_wrong("info", "out of memory");
        if (lg_motion_create(&mo, p->M, NULL) != LG_OK || lg_motion_start(mo, 0, NULL, 0) != LG_OK ||
            lg_motion_row(mo, p->row) != LG_OK)
            why = lg_motion_message(mo);
    }
    if (why != NULL) (void)cli_wrong("info", "%s", why);
    lg_motion_destroy(mo);
    return why != NULL ? CLI_WRONG_USE : CLI_WELL;
}

/* Text ------------------------------------------------------------------------------------------------------------ */

/* A user's system may leave these out. */
static const char *plain(const char *text)
{
    return text != NULL ? text : "";
}

static void print_range(const lg_parameter *q)
{
    const char *equal = q->open ? "" : "=";
    if (isfinite(q->low)) cli_print(stdout, ", >%s %g", equal, q->low);
    if (isfinite(q->high)) cli_print(stdout, ", <%s %g", equal, q->high);
}

static void print_parameters(const lg_model_definition *d)
{
    puts(d->parameter_count > 0 ? "\nparameters (--param NAME=VALUE)" : "\nparameters: none");
    for (int i = 0; i < d->parameter_count; i++) {
        const lg_parameter *q = &d->parameters[i];
        char value[TEXT_NUMBER];
        cli_print(stdout, "  %-8s = %-20s %-8s %s", q->name, text_number(value, q->value), plain(q->unit),
                  plain(q->meaning));
        print_range(q);
        putchar('\n');
    }
}

static void print_count(int count, const char *what)
{
    if (count > 0) cli_print(stdout, ", %d %s%s", count, what, count == 1 ? "" : "s");
}

void cli_info_controls(const cli_system *S)
{
    const int count = S->kind->controls(S);
    if (count > 0) puts("\ncontrols (--control NAME=VALUE or NAME=FILE)");
    for (int i = 0; i < count; i++) {
        cli_column c;
        cli_control_of(&c, S, i);
        cli_print(stdout, "  %-8s %-8s %s\n", c.name, c.unit, c.meaning);
    }
}

static void print_initial(const picture *p)
{
    char value[TEXT_NUMBER];
    puts("\ninitial data (--init NAME=VALUE; the default velocity is projected onto the constraints)");
    for (int i = 2; i < 2 + p->columns + p->n; i++)
        cli_print(stdout, "  %-8s = %s\n", lg_model_column(p->M, i)->name, text_number(value, p->row[i]));
    if (lg_model_column_find(p->S.M, "qw") >= 0)
        puts("  also by --init axis=X,Y,Z --init angle=A, --init euler=zyx:A,B,C or --init rotation=X,Y,Z");
}

/* Name, unit (- for a pure number) and meaning of each column. */
void cli_info_columns(const cli_system *S)
{
    const int count = lg_model_column_count(S->M);
    int widest = 0, units = 0;
    cli_column c;
    for (int i = 0; i < count; i++) {
        cli_column_of(&c, S, i);
        if ((int)strlen(c.name) > widest) widest = (int)strlen(c.name);
        if ((int)strlen(c.unit) > units) units = (int)strlen(c.unit);
    }
    puts("\ncolumns");
    for (int i = 0; i < count; i++) cli_print(stdout, "%s%s", i > 0 ? "," : "  ", lg_model_column(S->M, i)->name);
    puts("\n\nunit (- of a pure number, blank: unknown) and meaning of each column");
    for (int i = 0; i < count; i++) {
        cli_column_of(&c, S, i);
        cli_print(stdout, "  %-*s  %-*s  %s\n", widest, c.name, units, c.unit, c.meaning);
    }
}

static void print_text(const picture *p)
{
    const lg_model_definition *d = p->d;
    cli_print(stdout, "%s%s%s\n", d->name, d->summary != NULL ? ": " : "", plain(d->summary));
    cli_print(stdout, "group %s, dimension %d", p->group, p->n);
    print_count(d->constraint_count, "velocity constraint");
    print_count(d->callbacks.holonomic_count, "holonomic constraint");
    print_count(d->callbacks.control_count, "control");
    if (d->callbacks.force != NULL && d->callbacks.control_count == 0) fputs(", forces", stdout);
    puts(d->callbacks.time_dependent ? ", depends on time" : "");
    if (d->source != NULL) cli_print(stdout, "source: %s\n", d->source);
    if (d->remark != NULL) cli_print(stdout, "remark: %s\n", d->remark);
    cli_print(stdout, "exact solution: %s\n", d->exact != NULL ? "known" : "none");
    printf("step: %g by default\n", lg_model_default_step(p->M));
    print_parameters(d);
    cli_info_controls(&p->S);
    print_initial(p);
    cli_info_columns(&p->S);
    if (d->invariant_count == 0) puts("\ninvariants: only the energy");
}

/* JSON ------------------------------------------------------------------------------------------------------------ */

/* `,`, a new line, and a key. */
void cli_info_json_key(const char *key)
{
    fputs(",\n  ", stdout);
    cli_json_string(stdout, key);
    fputs(": ", stdout);
}

static void json_text(const char *key, const char *text)
{
    cli_info_json_key(key);
    cli_json_string(stdout, text);
}

static void json_count(const char *key, int count)
{
    cli_info_json_key(key);
    printf("%d", count);
}

static void json_truth(const char *key, int truth)
{
    cli_info_json_key(key);
    fputs(truth ? "true" : "false", stdout);
}

static void json_parameters(const lg_model_definition *d)
{
    cli_info_json_key("parameters");
    putchar('[');
    for (int i = 0; i < d->parameter_count; i++) {
        const lg_parameter *q = &d->parameters[i];
        cli_print(stdout, "%s\n    {\"name\": ", i > 0 ? "," : "");
        cli_json_string(stdout, q->name);
        fputs(", \"default\": ", stdout);
        cli_json_number(stdout, q->value);
        fputs(", \"unit\": ", stdout);
        cli_json_string(stdout, plain(q->unit));
        fputs(", \"meaning\": ", stdout);
        cli_json_string(stdout, q->meaning);
        fputs(", \"low\": ", stdout);
        cli_json_number(stdout, q->low);
        fputs(", \"high\": ", stdout);
        cli_json_number(stdout, q->high);
        cli_print(stdout, ", \"bounds_allowed\": %s}", q->open ? "false" : "true");
    }
    fputs(d->parameter_count > 0 ? "\n  ]" : "]", stdout);
}

static void json_initial(const picture *p)
{
    cli_info_json_key("initial");
    putchar('{');
    for (int i = 2; i < 2 + p->columns + p->n; i++) {
        if (i > 2) fputs(", ", stdout);
        cli_json_string(stdout, lg_model_column(p->M, i)->name);
        fputs(": ", stdout);
        cli_json_number(stdout, p->row[i]);
    }
    putchar('}');
}

static void json_columns(const cli_system *S)
{
    cli_info_json_key("columns");
    putchar('[');
    for (int i = 0; i < lg_model_column_count(S->M); i++) {
        if (i > 0) fputs(", ", stdout);
        cli_json_string(stdout, lg_model_column(S->M, i)->name);
    }
    putchar(']');
}

/* Objects with name, unit and meaning, of columns or of controls. */
static void json_texts(const char *key, const cli_system *S, int count,
                       void (*get)(cli_column *, const cli_system *, int))
{
    cli_info_json_key(key);
    putchar('[');
    for (int i = 0; i < count; i++) {
        cli_column c;
        get(&c, S, i);
        cli_print(stdout, "%s\n    {\"name\": ", i > 0 ? "," : "");
        cli_json_string(stdout, c.name);
        fputs(", \"unit\": ", stdout);
        cli_json_string(stdout, c.unit);
        fputs(", \"meaning\": ", stdout);
        cli_json_string(stdout, c.meaning);
        putchar('}');
    }
    fputs(count > 0 ? "\n  ]" : "]", stdout);
}

void cli_info_json_columns(const cli_system *S)
{
    json_columns(S);
    json_texts("column_texts", S, lg_model_column_count(S->M), cli_column_of);
    json_texts("control_texts", S, S->kind->controls(S), cli_control_of);
}

static void json_invariants(const picture *p)
{
    const lg_model_definition *d = p->d;
    const int first = lg_model_column_count(p->M) - d->invariant_count;
    cli_info_json_key("invariants");
    putchar('[');
    for (int i = 0; i < d->invariant_count; i++) {
        cli_print(stdout, "%s\n    {\"name\": ", i > 0 ? "," : "");
        cli_json_string(stdout, d->invariants[i].name);
        fputs(", \"column\": ", stdout);
        cli_json_string(stdout, lg_model_column(p->M, first + i)->name);
        fputs(", \"meaning\": ", stdout);
        cli_json_string(stdout, d->invariants[i].meaning);
        fputs(", \"initial\": ", stdout);
        cli_json_number(stdout, p->row[first + i]);
        putchar('}');
    }
    fputs(d->invariant_count > 0 ? "\n  ]" : "]", stdout);
}

static void print_json(const picture *p)
{
    fputs("{\n  \"name\": ", stdout);
    cli_json_string(stdout, p->d->name);
    json_text("summary", p->d->summary);
    json_text("source", p->d->source);
    json_text("remark", p->d->remark);
    json_text("group", p->group);
    json_count("dimension", p->n);
    json_count("constraints", p->d->constraint_count);
    json_count("positions", p->d->callbacks.holonomic_count);
    json_count("controls", p->d->callbacks.control_count);
    json_truth("forces", p->d->callbacks.force != NULL);
    json_truth("time_dependent", p->d->callbacks.time_dependent);
    json_truth("exact", p->d->exact != NULL);
    cli_info_json_key("step");
    cli_json_number(stdout, lg_model_default_step(p->M));
    json_parameters(p->d);
    json_initial(p);
    cli_info_json_columns(&p->S);
    json_invariants(p);
    puts("\n}");
}

/* The subcommand -------------------------------------------------------------------------------------------------- */

static const cli_item exits[] = {{"0", "success"}, {"2", "wrong use, or a check that fails"}, {NULL, NULL}};

const cli_manual cli_info_manual = {
    .command = "info",
    .summary = "describes a system or a mechanism: parameters, initial data, columns, source",
    .usage = "liegrp info SYSTEM [OPTION...]",
    .text = "Prints parameters (name, default, unit, meaning, range), initial data, columns, invariants, source. "
            "`liegrp list systems` lists the systems. A SYSTEM that contains '/' or ends in .so is a file with a "
            "system of your own, such as ./my-system.so. Of a mechanism (`liegrp list mechanisms`, or a file that ends "
            "in .urdf, .xml or .mjcf) it also prints bodies, joints, degrees of freedom and redundant rows. "
            "--write writes it as MJCF or URDF, as it is assembled; what the format cannot say is an error, unless "
            "--ignore names it.",
    .options = options,
    .exits = exits,
    .examples = "liegrp info rolling-ball\nliegrp info ./my-system.so --check\n"
                "liegrp info arm --write arm.xml",
    .words = cli_any_system_at,
    .files = 1,
};

/* Of a model. */
static int print_model(const cli_system *S, int json, int checked)
{
    picture p = {*S, NULL, NULL, NULL, 0, 0, NULL};
    const int status = take_picture(&p, checked);
    if (status == CLI_WELL && json) print_json(&p);
    if (status == CLI_WELL && !json) print_text(&p);
    if (status == CLI_WELL && !json && checked)
        cli_print(stdout,
                  "\ncheck: %s is a group, and derivatives agree with differences, at %d and %d random elements\n",
                  p.group, GROUP_POINTS, CHECK_POINTS);
    free(p.row);
    return status;
}

/* The arguments. */
typedef struct job {
    const char *name, *write;
    int json, checked;
    cli_mechanism_options mechanism;
} job;

static int read_arguments(job *j, cli_parser parser)
{
    for (int found; (found = cli_next(&parser)) != CLI_END;) {
        if (found == CLI_HELP) return CLI_HELP;
        if (found == CLI_BAD) return CLI_WRONG_USE;
        if (found == CLI_WORD && j->name != NULL) return cli_wrong("info", "unexpected argument '%s'", parser.value);
        if (found == CLI_WORD) j->name = parser.value;
        if (found == O_CHECK) j->checked = 1;
        if (found == O_JSON) j->json = 1;
        if (found == O_WRITE) j->write = parser.value, j->mechanism.writes = 1;
        if (found >= 0 && cli_mechanism_option(&j->mechanism, "info", &options[found], parser.value) != CLI_WELL)
            return CLI_WRONG_USE;
    }
    return j->name != NULL ? CLI_WELL : cli_wrong("info", "no system is given; see liegrp list systems");
}

int cli_info(int argc, char **argv)
{
    static const int of_models[] = {O_CHECK, -1},
                     of_mechanisms[] = {O_FLOATING, O_WHEEL,  O_LEAST_INERTIA, O_IGNORE, O_KEY,   O_WITHIN, O_PACKAGE,
                                        O_SENSORS,  O_MOTION, O_CONTACTS,      O_GROUND, O_WRITE, -1};
    cli_system S = {.kind = NULL};
    cli_fit fit = {.kept = NULL};
    job j;
    int status;
    memset(&j, 0, sizeof j);
    if (cli_mechanism_options_begin(&j.mechanism, "info", argc) != CLI_WELL) return CLI_WRONG_USE;
    status = read_arguments(&j, cli_begin("info", options, argc, argv));
    if (status == CLI_WELL) status = cli_open_system("info", j.name, &j.mechanism, &S);
    if (status == CLI_WELL) status = cli_refuse_options("info", options, argc, argv, &S, of_models, of_mechanisms);
    if (status == CLI_WELL && j.write != NULL) status = cli_mechanism_write("info", &S, j.write);
    if (!j.json) cli_fit_begin(&fit);
    if (status == CLI_WELL) status = S.R == NULL ? print_model(&S, j.json, j.checked) : cli_info_mechanism(&S, j.json);
    cli_fit_end(&fit);
    cli_close_system(&S);
    cli_mechanism_options_end(&j.mechanism);
    return status == CLI_HELP ? cli_print_help(&cli_info_manual) : cli_flush("info", status);
}
