/* SPDX-License-Identifier: BSD-3-Clause */
/* liegrp complete: prints the candidates for the last word of a command line that is being typed. The scripts in
 * cli/completions/ only pass the words on and show the answer, so that they know every name that the tool knows. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "cli/commands.h"
#include "cli/lib/attitude.h"
#include "cli/lib/mechanism.h"
#include "cli/lib/names.h"
#include "cli/lib/print.h"
#include "cli/lib/system.h"

static const cli_option options[] = {{NULL, NULL, NULL}};

static const cli_item exits[] = {{"0", "success, even without candidates"}, {"2", "wrong use"}, {NULL, NULL}};

const cli_manual cli_complete_manual = {
    .command = "complete",
    .summary = "lists the possible next words of a command line, for the completion of shells",
    .usage = "liegrp complete -- [WORD...]",
    .text =
        "Takes the words typed so far after `liegrp` and prints the candidates for the last one. Each line has a "
        "candidate, a tab and an explanation. A candidate that ends in `=` is incomplete. The line `:files` means that "
        "a file name is also possible there, after the last `=` of the word if it has one. Parameters, initial values, "
        "controls and columns are those of the system on the line; a file with a system of your own is opened to read "
        "them.",
    .options = options,
    .exits = exits,
    .examples = "liegrp complete -- run rolling-ball --param ''\nliegrp complete -- run suslov --method=gni:",
};

/* The line so far, and the place in it. */
typedef struct query {
    const cli_manual *m;      /* of the command */
    const char *system;       /* the first word without dashes; NULL: none yet */
    const cli_option *option; /* whose value is asked for; NULL: none */
    const char *word;         /* that is being typed */
    size_t kept;              /* so much of it stays; candidates are for the rest */
    int words_only;           /* after `--` */
    cli_mechanism_options mechanism;
} query;

/* Candidates ------------------------------------------------------------------------------------------------------- */

/* Prints the candidate NAME and its suffix `tail` if the word typed so far begins it. */
static void offer(const query *q, const char *name, const char *tail, const char *text)
{
    const char *typed = q->word + q->kept;
    char whole[512];
    const int length = snprintf(whole, sizeof whole, "%s%s", name, tail);
    if (length < 0 || (size_t)length >= sizeof whole || strncmp(whole, typed, strlen(typed)) != 0) return;
    if (lg_text_shown(NULL, 0, whole, SIZE_MAX) != length) return; /* no shell could type it */
    printf("%.*s%s", (int)q->kept, q->word, whole);
    cli_print(stdout, "\t%s\n", text != NULL ? text : "");
}

static void offer_list(const query *q, cli_list_at list)
{
    for (int i = 0; list(i).name != NULL; i++) offer(q, list(i).name, "", list(i).text);
}

static void offer_files(void)
{
    puts(":files");
}

/* The query for the part of the word after the last of these characters. */
static query behind(const query *q, const char *separators)
{
    query rest = *q;
    for (const char *at; (at = strpbrk(rest.word + rest.kept, separators)) != NULL;)
        rest.kept = (size_t)(at - rest.word) + 1;
    return rest;
}

static void offer_method(const query *q)
{
    const char *typed = q->word + q->kept;
    query rest = *q;
    if (strchr(typed, '@') != NULL) {
        rest = behind(q, "@");
        offer_list(&rest, cli_composition_at);
        return;
    }
    offer_list(q, cli_method_at);
    offer_list(q, cli_method_number_at);
    if (lg_method_summary(typed) == NULL) return;
    rest.kept += strlen(typed);
    for (int i = 0; cli_composition_at(i).name != NULL; i++) {
        char name[64];
        snprintf(name, sizeof name, "@%s", cli_composition_at(i).name);
        offer(&rest, name, "", cli_composition_at(i).text);
    }
}

static void offer_retraction(const query *q)
{
    offer_list(q, cli_retraction_at);
    offer(q, "exp:order=", "", "the exponential, its tangents truncated at an order, 0 to 20");
}

static void offer_methods(const query *q)
{
    const query last = behind(q, ",");
    offer_method(&last);
}

static void offer_retractions(const query *q)
{
    const query last = behind(q, ",");
    offer_retraction(&last);
}

static void offer_start(const query *q)
{
    offer_list(q, cli_start_at);
}

static void offer_system(const query *q)
{
    offer_list(q, cli_system_at);
    offer_files();
}

/* Names of the system on the line ---------------------------------------------------------------------------------- */

/* 0: there is no system, or it does not open; in either case close it. */
static int open_system(const query *q, cli_system *S)
{
    const int mechanisms = q->m->words == cli_any_system_at;
    memset(S, 0, sizeof *S);
    return q->system != NULL &&
           cli_open_system("complete", q->system, mechanisms ? &q->mechanism : NULL, S) == CLI_WELL;
}

static const char *parameter_text(const cli_system *S, int i, const char *name)
{
    const char *meaning = S->R == NULL ? lg_model_describe(S->M)->parameters[i].meaning : NULL;
    return meaning != NULL ? meaning : S->kind->parameter_unit(S, name);
}

static void offer_param(const query *q)
{
    cli_system S;
    const char *name;
    if (open_system(q, &S)) {
        for (int i = 0; (name = S.kind->settable(&S, i, 0)) != NULL; i++)
            offer(q, name, "=", parameter_text(&S, i, name));
    }
    cli_close_system(&S);
}

/* Offers axis, angle, euler and rotation for the attitude whose first component is this column. */
static void offer_attitude(const query *q, const cli_system *S, const char *column)
{
    static const cli_item words[] = {{"axis", "X,Y,Z: with angle, an attitude"},
                                     {"angle", "about the axis, in rad or as 30deg"},
                                     {"euler", "zyx:A,B,C: an attitude"},
                                     {"rotation", "X,Y,Z: an attitude, axis times angle"}};
    const char *at = strstr(column, "qx");
    for (size_t i = 0; at != NULL && i < sizeof words / sizeof words[0]; i++) {
        char name[192];
        snprintf(name, sizeof name, "%.*s%s%s=", (int)(at - column), column, words[i].name, at + 2);
        if (cli_attitude_is(S, name)) offer(q, name, "", words[i].text);
    }
}

static void offer_init(const query *q)
{
    cli_system S;
    const char *name;
    if (open_system(q, &S)) {
        for (int i = 0; (name = S.kind->settable(&S, i, 1)) != NULL; i++) {
            cli_column c = {.meaning = ""};
            if (lg_model_column_find(S.M, name) >= 0) cli_column_of(&c, &S, lg_model_column_find(S.M, name));
            offer(q, name, "=", c.meaning);
            offer_attitude(q, &S, name);
        }
    }
    cli_close_system(&S);
}

static void offer_control(const query *q)
{
    cli_system S;
    if (strchr(q->word + q->kept, '=') != NULL) {
        if (strstr(q->option->value, "FILE") != NULL) offer_files();
        return;
    }
    if (open_system(q, &S)) {
        for (int i = 0; i < S.kind->controls(&S); i++) {
            cli_column c;
            cli_control_of(&c, &S, i);
            offer(q, c.name, "=", c.meaning);
        }
    }
    cli_close_system(&S);
}

/* Names of lists NAME=VALUE,NAME=VALUE. */
static void offer_targets(const query *q)
{
    const query last = behind(q, ",");
    offer_init(&last);
}

static void offer_controls(const query *q)
{
    const query last = behind(q, ",");
    offer_control(&last);
}

/* Names of parameters, or of initial values, in a list. */
static void offer_unknowns(const query *q)
{
    const int initial = strcmp(q->option->name, "free-init") == 0;
    const query last = behind(q, ",");
    cli_system S;
    const char *name;
    if (open_system(q, &S))
        for (int i = 0; (name = S.kind->settable(&S, i, initial)) != NULL; i++)
            offer(&last, name, "", initial ? "" : parameter_text(&S, i, name));
    cli_close_system(&S);
}

static void offer_key(const query *q)
{
    cli_system S;
    if (open_system(q, &S) && S.R != NULL) {
        const lg_mechanism *m = cli_mechanism_of(&S);
        for (int i = 0; i < lg_mechanism_key_count(m); i++) offer(q, lg_mechanism_key_name(m, i), "", "");
    }
    cli_close_system(&S);
}

static void offer_joints(const query *q)
{
    cli_system S;
    if (open_system(q, &S) && S.R != NULL) {
        lg_joint joint = lg_joint_default(NULL, LG_JOINT_REVOLUTE, NULL, NULL);
        const lg_mechanism *m = cli_mechanism_of(&S);
        for (int i = 0; i < lg_mechanism_joint_count(m); i++)
            if (lg_mechanism_read_joint(m, &joint, i) == LG_OK && joint.kind != LG_JOINT_FIXED)
                offer(q, joint.name, "", lg_joint_kind_name(joint.kind));
    }
    cli_close_system(&S);
}

static void offer_columns(const query *q)
{
    const int sweep = q->m == &cli_sweep_manual;
    const query last = behind(q, sweep ? ",/" : ",/:");
    cli_system S;
    if (open_system(q, &S)) {
        for (int i = 0; i < lg_model_column_count(S.M); i++) {
            cli_column c;
            cli_column_of(&c, &S, i);
            offer(&last, c.name, "", c.meaning);
        }
        offer(&last, sweep ? "energy_drift" : "balance", "", sweep ? "largest change of the energy" : "H - H_0 - work");
        if (!sweep) offer(&last, "motion", "", "the motion, in panels that suit the system");
        if (!sweep) offer(&last, "conserved", "", "what is conserved, in panels that suit the system");
    }
    cli_close_system(&S);
}

/* Values and words --------------------------------------------------------------------------------------------------
 */

/* Of "csv|npy" or "[all|ground]". */
static void offer_choices(const query *q, const char *choices)
{
    for (choices += *choices == '['; *choices != '\0'; choices += *choices != '\0') {
        char word[64];
        const size_t length = strcspn(choices, "|]");
        snprintf(word, sizeof word, "%.*s", (int)length, choices);
        offer(q, word, "", "");
        choices += length;
    }
}

/* An option has the same meaning in all commands. Options whose placeholder says enough are not listed. */
static void offer_value(const query *q)
{
    static const struct {
        const char *option;
        void (*offer)(const query *q);
    } values[] = {
        {"method", offer_method},         {"methods", offer_methods},
        {"retraction", offer_retraction}, {"retractions", offer_retractions},
        {"start", offer_start},           {"system", offer_system},
        {"param", offer_param},           {"init", offer_init},
        {"control", offer_control},       {"to", offer_targets},
        {"moves", offer_targets},         {"swing", offer_targets},
        {"limit", offer_controls},        {"effort", offer_controls},
        {"plot-columns", offer_columns},  {"key", offer_key},
        {"motor", offer_joints},          {"free", offer_unknowns},
        {"free-init", offer_unknowns},    {"bound", offer_targets},
    };
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) {
        if (strcmp(values[i].option, q->option->name) != 0) continue;
        values[i].offer(q);
        return;
    }
    if (strstr(q->option->value, "FILE") != NULL)
        offer_files();
    else if (strchr(q->option->value, '|') != NULL)
        offer_choices(q, q->option->value);
}

static void offer_options(const query *q)
{
    for (const cli_option *o = q->m->options; o->name != NULL; o++) {
        char name[64];
        snprintf(name, sizeof name, "--%s", o->name);
        offer(q, name, "", o->help);
    }
    offer(q, "--help", "", "describes the command");
}

static void offer_words(const query *q)
{
    if (q->m->words == NULL) return;
    offer_list(q, q->m->words);
    if (q->m->files) offer_files();
}

/* The line --------------------------------------------------------------------------------------------------------- */

/* The option of this name, `length` bytes, if it has a value. */
static const cli_option *find_option(const cli_manual *m, const char *name, size_t length)
{
    for (const cli_option *o = m->options; o->name != NULL; o++)
        if (o->value != NULL && strlen(o->name) == length && strncmp(o->name, name, length) == 0) return o;
    return NULL;
}

/* A word before the last. */
static void pass(query *q, const char *word)
{
    if (q->option != NULL && !cli_takes(q->option, word)) q->option = NULL;
    if (q->option != NULL) {
        if (strcmp(q->option->name, "least-inertia") == 0) (void)cli_number(word, &q->mechanism.least_inertia);
        if (strcmp(q->option->name, "ignore") == 0) q->mechanism.ignore[q->mechanism.ignored++] = word;
        if (strcmp(q->option->name, "within") == 0) q->mechanism.within = word;
        if (strcmp(q->option->name, "motor") == 0) q->mechanism.motor[q->mechanism.motors++] = word;
        if (strcmp(q->option->name, "wheel") == 0) q->mechanism.wheel[q->mechanism.wheels++] = word;
        q->option = NULL;
    } else if (!q->words_only && strcmp(word, "--") == 0) {
        q->words_only = 1;
    } else if (!q->words_only && strncmp(word, "--", 2) == 0) {
        q->option = find_option(q->m, word + 2, strlen(word + 2));
        if (strcmp(word, "--floating") == 0) q->mechanism.floating = 1;
        if (strcmp(word, "--sensors") == 0) q->mechanism.sensors = 1;
    } else if (q->system == NULL) {
        q->system = word;
    }
}

/* The last word. */
static void answer(query *q)
{
    const char *equal = strchr(q->word, '=');
    if (q->option != NULL) offer_value(q);
    if (q->option != NULL && q->option->value[0] != '[') return;
    if (!q->words_only && strncmp(q->word, "--", 2) == 0 && equal != NULL) {
        q->option = find_option(q->m, q->word + 2, (size_t)(equal - q->word) - 2);
        q->kept = (size_t)(equal - q->word) + 1;
        if (q->option != NULL) offer_value(q);
    } else if (!q->words_only && (q->word[0] == '-' || (q->system != NULL && !q->m->many))) {
        offer_options(q);
    } else {
        offer_words(q);
    }
}

int cli_complete(int argc, char **argv)
{
    static char nothing[] = "";
    query q = {.m = &cli_tool_manual, .word = argc > 2 ? argv[argc - 1] : nothing};
    if (argc > 1 && strcmp(argv[1], "--help") == 0) return cli_print_help(&cli_complete_manual);
    if (argc < 2 || strcmp(argv[1], "--") != 0) return cli_wrong("complete", "the words must follow two dashes");
    if (argc > 3) q.m = argv[2][0] != '\0' ? cli_manual_of(argv[2]) : NULL;
    if (q.m == NULL) return CLI_WELL;
    if (cli_mechanism_options_begin(&q.mechanism, "complete", argc) != CLI_WELL) return CLI_WRONG_USE;
    for (int i = 3; i < argc - 1; i++) pass(&q, argv[i]);
    answer(&q);
    cli_mechanism_options_end(&q.mechanism);
    return cli_flush("complete", CLI_WELL);
}
