/* SPDX-License-Identifier: BSD-3-Clause */
/* Whatever reads a text: the first byte chooses the reader, the rest is the text; a new line separates arguments. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <liegrp/liegrp.h>

#include "base/decimal.h"
#include "base/text.h"
#include "cli/grid.h"
#include "cli/lib/attitude.h"
#include "cli/lib/choice.h"
#include "cli/lib/controls.h"
#include "cli/lib/plot_columns.h"
#include "cli/lib/symbols.h"
#include "cli/lib/text.h"
#include "fuzz.h"

enum { ARGUMENTS = 12 };

/* Three systems with a constraint, with holonomic ones, with controls; and a mechanism. Made once. */
static const char *const systems[] = {"chaplygin-sleigh", "double-spherical-pendulum", "two-wheeled-robot", "suslov"};

static cli_system system_of(const char *name)
{
    cli_system S;
    cli_mechanism_options o;
    memset(&o, 0, sizeof o);
    fuzz_require(cli_open_system("fuzz", name, &o, &S) == CLI_WELL, "a system is missing", name);
    return S;
}

/* The text as arguments of a command. */
static int split(char *text, char **argv)
{
    static char command[] = "command";
    int argc = 1;
    argv[0] = command;
    for (char *at = text; argc <= ARGUMENTS; at++) {
        argv[argc++] = at;
        at = strchr(at, '\n');
        if (at == NULL) break;
        *at = '\0';
    }
    argv[argc] = NULL;
    return argc;
}

/* ---- the library's readers ---- */

static void method(const char *text, int thorough)
{
    static lg_model *models[3];
    lg_status status = LG_OK; /* a word that one system does not understand is unknown to all */
    for (int i = 0; i < 3 && (status != LG_ERROR_ARGUMENT || thorough); i++) {
        const lg_system *S;
        lg_integrator *it;
        if (models[i] == NULL && lg_catalog_create(&models[i], systems[i]) != LG_OK) abort();
        if (lg_model_system(models[i], &S) != LG_OK) abort();
        status = lg_integrator_create(&it, S, text, NULL, 0.01);
        fuzz_require_message(status, lg_integrator_message(it), "a method");
        lg_integrator_destroy(it);
    }
    (void)lg_method_summary(text), (void)lg_composition_summary(text);
}

static void method_of_motion(const char *text)
{
    static lg_mechanism *m;
    static lg_model *M;
    lg_motion *mo;
    lg_motion_options o = lg_motion_options_default();
    if (M == NULL && (lg_gallery_create(&m, 0) != LG_OK || lg_model_of_mechanism(&M, m, NULL) != LG_OK)) abort();
    o.method = text, o.step = 0.01;
    const lg_status status = lg_motion_create(&mo, M, &o);
    fuzz_require_message(status, lg_motion_message(mo), "a method of motions");
    lg_motion_destroy(mo);
    (void)lg_gallery_index(text);
}

static void retraction(const char *text)
{
    const lg_retraction *r = lg_retraction_named(text);
    double g[4], xi[3] = {0.1, 0.2, 0.3};
    if (r == NULL || !lg_retraction_supports(r, lg_so3())) return;
    fuzz_require(lg_retraction_tau(r, lg_so3(), g, xi) == LG_OK, "a retraction that has a name", text);
    fuzz_require(lg_group_residual(lg_so3(), g) < 1e-12, "it leaves the group", text);
}

/* NAME=VALUE and the rest, of a system of the catalog. */
static void model(char *text)
{
    lg_model *M;
    char *argv[ARGUMENTS + 2], name[64];
    const int argc = split(text, argv);
    lg_status status = lg_catalog_create(&M, argv[1]);
    fuzz_require_message(status, lg_model_message(M), "a name of the catalog");
    for (int i = 2; i < argc && status == LG_OK; i++) {
        double value = NAN, read;
        int degrees;
        (void)cli_assignment(argv[i], name, sizeof name, &value, &degrees);
        if (strchr(argv[i], '=') == NULL) (void)snprintf(name, sizeof name, "%s", argv[i]);
        fuzz_require_message(lg_model_set(M, name, value), lg_model_message(M), "a parameter");
        fuzz_require_message(lg_model_get(M, &read, name), lg_model_message(M), "a parameter");
        fuzz_require_message(lg_model_set_initial(M, name, value), lg_model_message(M), "a column");
    }
    lg_model_destroy(M);
}

static void parameter(const char *text)
{
    static lg_mechanism *m; /* whose numbers change: no answer depends on them */
    double value = 0;
    char name[200] = "";
    int degrees;
    if (m == NULL && lg_gallery_describe(&m, 1) != LG_OK) abort();
    (void)cli_assignment(text, name, sizeof name, &value, &degrees);
    const int known = lg_mechanism_parameter(m, name) >= 0;
    const lg_status status = lg_mechanism_set_parameter(m, name, value);
    fuzz_require_message(status, lg_mechanism_message(m), "a mechanism's parameter");
    fuzz_require(known || status != LG_OK, "a parameter that does not exist was set", name);
    (void)lg_mechanism_body(m, text), (void)lg_mechanism_joint(m, text);
}

static void decimal(const char *text)
{
    const char *end = NULL;
    const size_t length = strlen(text);
    const double value = lg_decimal_read(text, &end);
    fuzz_require(end >= text && end <= text + length, "a number ends outside its text", text);
    if (end == text) return;
    char *stop, shortest[TEXT_NUMBER];
    const double want = strtod(text, &stop); /* the fuzzer's locale is C */
    fuzz_require(stop == end || *end == 'x' || *end == 'X' || end - text >= LG_DECIMAL_ROOM - 1 || stop > end,
                 "a number ends elsewhere than strtod's", text);
    if (stop == end) fuzz_require_same(&value, &want, sizeof value, "a number is not strtod's");
    if (isfinite(value)) {
        const double again = strtod(text_number(shortest, value), NULL);
        fuzz_require(again == value, "a number does not come back", shortest);
    }
}

static void quoted(FILE *nowhere, const char *text, int thorough)
{
    char exact[64];
    for (size_t room = 0; room <= sizeof exact; room += thorough ? 8 : 32) {
        memset(exact, '#', sizeof exact);
        const size_t used = symbols_of(exact, room, text);
        fuzz_require(room == 0 || (used < room && exact[used] == '\0'), "symbols overflow", text);
        if (room > 0) lg_text_copy(exact, room, text);
        fuzz_require(room == 0 || strlen(exact) < room, "a copy overflows", text);
        (void)lg_text_python(exact, room, text);
    }
    (void)symbols_width(text);
    const size_t length = strlen(text);
    size_t at = 0;
    while (at < length) {
        const int bytes = lg_text_character(text + at, NULL);
        at += bytes > 0 ? (size_t)bytes : 1;
    }
    fuzz_require(at == length, "a character goes beyond its text", text);
    (void)lg_text_csv(nowhere, text);
    text_gnuplot(nowhere, text);
    text_csv(nowhere, text);
}

/* ---- the command line's readers ---- */

static void number(const char *text)
{
    double value, three[3];
    int64_t count;
    char name[8];
    int degrees;
    if (cli_number(text, &value)) fuzz_require(isfinite(value), "a number is not finite", text);
    if (cli_count(text, &count)) fuzz_require(count >= 0 && count <= 1000000000000000, "a count is out of range", text);
    if (cli_three(text, three)) fuzz_require(isfinite(three[0] + 0 * three[2]), "three numbers are not finite", text);
    if (cli_angle(text, &value, &degrees)) fuzz_require(isfinite(value), "an angle is not finite", text);
    (void)cli_assignment(text, name, sizeof name, &value, &degrees);
    (void)cli_suggestion(text, lg_method_names());
}

enum { O_PARAM, O_INIT, O_CONTROL, O_COUNT };
static const cli_option options[] = {{"param", "P", ""}, {"init", "I", ""}, {"control", "C", ""}, {NULL, NULL, NULL}};

static void grid(char *text, int random, int which)
{
    static cli_system known[5];
    char *argv[ARGUMENTS + 2];
    cli_grid g;
    cli_controls controls;
    double values[CLI_RANGES];
    cli_system *S = &known[which % 5];
    if (S->name == NULL) *S = system_of(which % 5 < 4 ? systems[which % 5] : lg_gallery_name(1));
    memset(&g, 0, sizeof g);
    memset(&controls, 0, sizeof controls);
    g.random = random ? 3 : 0, g.seed = 1;
    const int argc = split(text, argv);
    int status = cli_grid_read(&g, "fuzz", options, O_PARAM, O_INIT, O_CONTROL, argc, argv, S);
    if (status == CLI_WELL) {
        fuzz_require(g.count >= 1 && g.swept <= CLI_RANGES, "a grid without points", text);
        cli_grid_point(&g, 0, values);
        cli_grid_point(&g, g.count - 1, values);
        for (int i = 0; i < g.swept; i++) fuzz_require(isfinite(values[i]), "a point is not finite", text);
        lg_status_ignore(cli_grid_set(&g, g.count / 2, S));
    }
    cli_grid_free(&g);
    status = cli_controls_read(&controls, "fuzz", options, O_CONTROL, argc, argv, S, 0);
    (void)status;
    cli_controls_free(&controls);
}

static void columns(const char *text, int which)
{
    static cli_system known[5];
    static plot_choice choice;
    cli_system *S = &known[which % 5];
    if (S->name == NULL) *S = system_of(which % 5 < 4 ? systems[which % 5] : lg_gallery_name(1));
    if (cli_plot_choose(&choice, "fuzz", S, text) != CLI_WELL) return;
    fuzz_require(choice.sources <= PLOT_SOURCES && choice.curves <= PLOT_CURVES && choice.panels <= PLOT_PANELS,
                 "a picture overflows", text);
    (void)cli_plot_needs_work(&choice);
}

/* Words of methods and starts, and formats. */
static void choice(char *text)
{
    char *argv[ARGUMENTS + 2];
    lg_start start;
    int64_t steps = -1;
    const int argc = split(text, argv);
    (void)cli_read_start("fuzz", argv[1], &start);
    (void)cli_check_retraction("fuzz", argv[1]);
    (void)cli_check_format("fuzz", argv[1]);
    (void)cli_method_starts(argv[1]);
    (void)cli_check_use("fuzz", argv[1], NULL, NULL, 0);
    cli_print_failure("fuzz", argv[1], LG_ERROR_ARGUMENT, "no");
    if (argc > 2 && cli_settle_time("fuzz", argv[1], NULL, atof(argv[2]), 0, 0, &steps) == CLI_WELL)
        fuzz_require(steps >= 0, "a time of negative steps", argv[1]);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static FILE *nowhere;
    if (nowhere == NULL) nowhere = fopen("/dev/null", "w");
    if (nowhere == NULL) abort();
    fuzz_bytes b = {data, size, 0};
    const int reader = fuzz_byte(&b);
    char *text = fuzz_text(&b);
    switch (reader) {
    case 'm':
        method(text, fuzz_thorough(data, size));
        break;
    case 'M':
        method_of_motion(text);
        break;
    case 'r':
        retraction(text);
        break;
    case 's':
        model(text);
        break;
    case 'p':
        parameter(text);
        break;
    case 'c':
        choice(text);
        break;
    case 'd':
        decimal(text);
        break;
    case 'q':
        quoted(nowhere, text, fuzz_thorough(data, size));
        break;
    case 'n':
        number(text);
        break;
    default:
        if (reader >= '0' && reader <= '4') grid(text, 0, reader - '0');
        if (reader >= '5' && reader <= '9') grid(text, 1, reader - '5');
        if (reader >= 'A' && reader <= 'E') columns(text, reader - 'A');
    }
    free(text);
    return 0;
}
