/* SPDX-License-Identifier: BSD-3-Clause */
/* liegrp verify: checks the ledger of claims and prints each measured figure with its bound. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "claims/framework/claims.h"
#include "cli/commands.h"
#include "cli/lib/json.h"
#include "cli/ledger_page.h"
#include "cli/lib/options.h"
#include "cli/lib/print.h"
#include "cli/lib/system.h"

/* Room for the case of a measurement: system, method, retraction and separators. */
enum { CASE = 176 };

enum { O_JSON, O_FULL, O_ALL, O_SYSTEM, O_THREADS, O_PAGE, O_QUIET, O_COUNT };

static const cli_option options[] = {
    [O_JSON] = {"json", NULL, "every measurement as JSON"},
    [O_FULL] = {"full", NULL, "includes the long runs, up to 1e6 steps; takes about an hour"},
    [O_ALL] = {"all", NULL, "lists every measurement, not only the one nearest to its bound"},
    [O_SYSTEM] = {"system", "SYSTEM", "checks this system, such as ./my-system.so, instead of the ledger's own"},
    [O_THREADS] = {"threads", "N", "number of claims checked in parallel; default: one per processor"},
    [O_PAGE] = {"page", NULL, "prints the ledger page of the manual, as Markdown"},
    [O_QUIET] = {"quiet", NULL, "shows no progress on a terminal"},
    [O_COUNT] = {NULL, NULL, NULL},
};

/* The chosen claims, and the results. */
typedef struct job {
    const claim **chosen;
    claim_report *reports;
    int count, done;
    int json, full, all, page, quiet;
    int64_t threads;
    const char *system;
    lg_model *M;
} job;

static const cli_item exits[] = {{"0", "all claims hold"}, {"1", "a claim fails"}, {"2", "wrong use"}, {NULL, NULL}};

/* Names of claims, then of their folders. */
static cli_item word(int i)
{
    const int claims = claim_count();
    if (i < claims) return (cli_item){claim_at_index(i)->id, claim_at_index(i)->text};
    i -= claims;
    for (int k = 0; k < claims; k++) {
        if (k > 0 && strcmp(claim_room(k), claim_room(k - 1)) == 0) continue;
        if (i-- == 0) return (cli_item){claim_room(k), "all claims of this folder"};
    }
    return (cli_item){NULL, NULL};
}

const cli_manual cli_verify_manual = {
    .command = "verify",
    .summary = "checks theorems of the literature by measurement",
    .usage = "liegrp verify [CLAIM|FOLDER...] [OPTION...]",
    .text =
        "Checks theorems of the literature and of this project by measurement: every claim is run on all systems, "
        "methods and retractions to which it applies. `liegrp list claims` lists the claims; without CLAIM all are "
        "checked. A FOLDER of claims/ selects all claims in it: groups, ferraro2008, ferraro2015, cortes2001, "
        "fedorov2005, bloch2005, sem, consistency, multibody. The table shows the measurement nearest to its bound, "
        "and the number of measurements. Controls are systems or coefficients that must violate the claim.",
    .options = options,
    .exits = exits,
    .examples = "liegrp verify sem-energy gni-volume --all",
    .words = word,
    .many = 1,
};

/* The command line ------------------------------------------------------------------------------------------------ */

static void add(job *j, const claim *c)
{
    for (int i = 0; i < j->count; i++)
        if (j->chosen[i] == c) return;
    j->chosen[j->count++] = c;
}

/* Adds all claims of a folder. 0: unknown folder. */
static int choose_room(job *j, const char *room)
{
    const int count = claim_count();
    int found = 0;
    for (int i = 0; i < count; i++)
        if (strcmp(claim_room(i), room) == 0) add(j, claim_at_index(i)), found = 1;
    return found;
}

static int choose(job *j, const char *id)
{
    const claim *c = claim_find(id);
    const int count = claim_count();
    if (c != NULL) {
        add(j, c);
        return CLI_WELL;
    }
    if (choose_room(j, id)) return CLI_WELL;
    const char **names = calloc(2 * (size_t)count + 1, sizeof *names);
    int status, used = 0;
    for (int i = 0; names != NULL && i < count; i++) {
        names[used++] = claim_at_index(i)->id;
        if (i == 0 || strcmp(claim_room(i), claim_room(i - 1)) != 0) names[used++] = claim_room(i);
    }
    status = names != NULL ? cli_unknown("verify", "claim", id, names) : CLI_WRONG_USE;
    free(names);
    return status;
}

static int read_option(job *j, int option, const char *value)
{
    const cli_target targets[] = {{O_JSON, .flag = &j->json},   {O_FULL, .flag = &j->full},
                                  {O_ALL, .flag = &j->all},     {O_SYSTEM, .text = &j->system},
                                  {O_PAGE, .flag = &j->page},   {O_THREADS, .count = &j->threads, .low = 1, .high = 64},
                                  {O_QUIET, .flag = &j->quiet}, {.option = CLI_END}};
    return option == CLI_WORD ? choose(j, value) : cli_put("verify", options, targets, option, value);
}

static int prepare(job *j, int argc, char **argv)
{
    cli_parser p = cli_begin("verify", options, argc, argv);
    const int all = claim_count();
    int status = CLI_WELL;
    j->chosen = calloc((size_t)all, sizeof *j->chosen);
    j->reports = calloc((size_t)all, sizeof *j->reports);
    if (j->chosen == NULL || j->reports == NULL) return cli_wrong("verify", "out of memory");
    for (int found; status == CLI_WELL && (found = cli_next(&p)) != CLI_END;) {
        if (found == CLI_HELP) return CLI_HELP;
        status = found == CLI_BAD ? CLI_WRONG_USE : read_option(j, found, p.value);
    }
    if (status != CLI_WELL) return status;
    if (j->json && j->page) return cli_wrong("verify", "--json and --page exclude each other");
    if (j->count == 0)
        for (int i = 0; i < all; i++) j->chosen[j->count++] = claim_at_index(i);
    if (j->threads == 0) {
        const long processors = sysconf(_SC_NPROCESSORS_ONLN);
        j->threads = processors < 1 ? 1 : processors > 64 ? 64 : processors;
    }
    if (j->system == NULL) return CLI_WELL;
    cli_system S;
    status = cli_open_system("verify", j->system, NULL, &S);
    j->M = S.M;
    return status;
}

/* Text output ------------------------------------------------------------------------------------------------ */

static const char *verdict_text(const claim_report *r)
{
    const int verdict = claim_verdict(r);
    return verdict > 0 ? "holds" : verdict == 0 ? "FAILS" : "does not apply";
}

static const char *range_text(const claim_measure *m, char *text, size_t room)
{
    if (isinf(m->low) && isinf(m->high)) {
        snprintf(text, room, "-");
    } else if (isinf(m->low)) {
        snprintf(text, room, "<= %.3g", m->high);
    } else if (isinf(m->high)) {
        snprintf(text, room, ">= %.3g", m->low);
    } else {
        snprintf(text, room, "%.4g .. %.4g", m->low, m->high);
    }
    return text;
}

/* The case as one text: "suslov, gni, cayley". */
static const char *case_of(const claim_measure *m, char *text, size_t room)
{
    snprintf(text, room, "%s%s%s%s%s", m->system, m->method[0] != '\0' ? ", " : "", m->method,
             m->retraction[0] != '\0' ? ", " : "", m->retraction);
    return text;
}

static void print_measure(const claim_measure *m)
{
    char text[CASE], range[64];
    if (m->trouble[0] != '\0') {
        cli_print(stdout, "    %-4s %s: %s\n", "FAIL", case_of(m, text, sizeof text), m->trouble);
        return;
    }
    if (m->skipped) {
        cli_print(stdout, "    %-4s %-38s %-12.4g %-18s not seen on this system: %s%s (%s)\n", "skip",
                  case_of(m, text, sizeof text), m->value, range_text(m, range, sizeof range),
                  m->control ? "control: " : "", m->what, m->why);
        return;
    }
    cli_print(stdout, "    %-4s %-38s %-12.4g %-18s %s%s (%s)\n", m->passed ? "ok" : "FAIL",
              case_of(m, text, sizeof text), m->value, range_text(m, range, sizeof range),
              m->control ? "control: " : "", m->what, m->why);
}

/* One row: claim, verdict, figure, bound, number of measurements, the measured quantity and its place. */
static void print_row(const job *j, int i)
{
    const claim_report *r = &j->reports[i];
    const claim_measure *worst = claim_worst(r);
    char text[CASE], range[64];
    if (worst == NULL) {
        cli_print(stdout, "%-28s %s\n", j->chosen[i]->id, verdict_text(r));
        return;
    }
    cli_print(stdout, "%-28s %-6s ", j->chosen[i]->id, verdict_text(r));
    case_of(worst, text, sizeof text);
    if (worst->trouble[0] != '\0') {
        cli_print(stdout, "%-11s %-18s %6d  %s%s%s\n", "-", "-", claim_measured(r), worst->trouble,
                  text[0] != '\0' ? "; " : "", text);
    } else {
        cli_print(stdout, "%-11.3g %-18s %6d  %s%s%s%s\n", worst->value, range_text(worst, range, sizeof range),
                  claim_measured(r), worst->control ? "control: " : "", worst->what, text[0] != '\0' ? "; " : "", text);
        if (!worst->passed && !j->all) cli_print(stdout, "    the bound: %s\n", worst->why);
    }
    for (int k = 0; j->all && k < r->count; k++) print_measure(&r->measures[k]);
}

static void print_table(const job *j, int failed)
{
    int measured = 0, idle = 0, skipped = 0;
    cli_print(stdout, "%-28s %-6s %-11s %-18s %6s  %s\n", "claim", "", "measured", "bound", "of", "what; on");
    for (int i = 0; i < j->count; i++) {
        print_row(j, i);
        measured += claim_measured(&j->reports[i]);
        skipped += j->reports[i].count - claim_measured(&j->reports[i]);
        idle += claim_verdict(&j->reports[i]) < 0;
    }
    printf("\n%d of %d claims hold", j->count - failed - idle, j->count);
    if (failed > 0) cli_print(stdout, ", %d %s", failed, failed == 1 ? "fails" : "fail");
    if (idle > 0) cli_print(stdout, ", %d %s not apply", idle, idle == 1 ? "does" : "do");
    printf(", %d measurements\n", measured);
    if (skipped > 0 && j->M != NULL)
        printf(
            "%d more skipped: the system does not show an effect that a control violates, or an order above round-off "
            "(--all lists them)\n",
            skipped);
}

/* JSON and Markdown ----------------------------------------------------------------------------------------------- */

static void json_field(const char *key, const char *text)
{
    cli_print(stdout, ", \"%s\": ", key);
    cli_json_string(stdout, text);
}

static void json_measure(const claim_measure *m, int last)
{
    cli_print(stdout, "      {\"control\": %s, \"passed\": %s, \"skipped\": %s", m->control ? "true" : "false",
              m->passed ? "true" : "false", m->skipped ? "true" : "false");
    json_field("system", m->system);
    json_field("method", m->method);
    json_field("retraction", m->retraction);
    json_field("what", m->what);
    fputs(", \"value\": ", stdout);
    cli_json_number(stdout, m->value);
    fputs(", \"low\": ", stdout);
    cli_json_number(stdout, m->low);
    fputs(", \"high\": ", stdout);
    cli_json_number(stdout, m->high);
    json_field("bound_from", m->why);
    if (m->trouble[0] != '\0') json_field("trouble", m->trouble);
    cli_print(stdout, "}%s\n", last ? "" : ",");
}

static void print_json(const job *j, int failed)
{
    cli_print(stdout, "{\"version\": \"%s\", \"full\": %s, \"failed\": %d, \"claims\": [\n", lg_version(),
              j->full ? "true" : "false", failed);
    for (int i = 0; i < j->count; i++) {
        const claim_report *r = &j->reports[i];
        fputs("  {\"id\": ", stdout);
        cli_json_string(stdout, j->chosen[i]->id);
        json_field("verdict", verdict_text(r));
        json_field("text", j->chosen[i]->text);
        json_field("source", j->chosen[i]->source);
        printf(", \"seconds\": %.3f,\n    \"measures\": [\n", r->seconds);
        for (int k = 0; k < r->count; k++) json_measure(&r->measures[k], k == r->count - 1);
        cli_print(stdout, "    ]}%s\n", i == j->count - 1 ? "" : ",");
    }
    puts("]}");
}

/* Called after every claim. */
static void report_done(int index, void *context)
{
    job *j = context;
    j->done++;
    if (j->quiet || j->json || !isatty(STDERR_FILENO)) return;
    cli_print(stderr, "\r%3d of %d claims, last %-40s", j->done, j->count, j->chosen[index]->id);
    if (j->done == j->count) cli_print(stderr, "\r%79s\r", "");
}

static int verify(job *j)
{
    char why[LG_MESSAGE_SIZE];
    const lg_model_definition *only = j->M != NULL ? claim_in_own_units(lg_model_describe(j->M), why) : NULL;
    int failed;
    if (j->M != NULL && only == NULL) return cli_wrong("verify", "%s: %s", j->system, why);
    failed = claim_verify(j->chosen, j->reports, j->count, (int)j->threads, j->full, only, report_done, j);
    if (j->json) {
        print_json(j, failed);
    } else if (j->page) {
        cli_ledger_page(j->chosen, j->reports, j->count);
    } else {
        print_table(j, failed);
    }
    for (int i = 0; i < j->count; i++) claim_report_free(&j->reports[i]);
    return cli_flush("verify", failed > 0 ? CLI_FAILED : CLI_WELL);
}

int cli_verify(int argc, char **argv)
{
    job j = {0};
    int status = prepare(&j, argc, argv);
    if (status == CLI_HELP) {
        status = cli_print_help(&cli_verify_manual);
    } else if (status == CLI_WELL) {
        status = verify(&j);
    }
    lg_model_destroy(j.M);
    free(j.chosen);
    free(j.reports);
    return status;
}
