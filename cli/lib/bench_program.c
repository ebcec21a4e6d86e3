/* SPDX-License-Identifier: BSD-3-Clause */
/* liegrp bench: finds the benchmark, runs it, writes its results. */
#include "cli/lib/bench_program.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/lib/gnuplot.h"
#include "cli/lib/options.h"
#include "cli/lib/print.h"

enum { O_JSON, O_QUICK, O_OUTPUT, O_PLOT, O_QUIET, O_COUNT };

const cli_option cli_bench_options[] = {
    [O_JSON] = {"json", NULL, "prints JSON instead of the tables"},
    [O_QUICK] = {"quick", NULL, "few small rounds, only to check that it runs"},
    [O_OUTPUT] = {"output", "FILE.json", "writes the JSON"},
    [O_PLOT] = {"plot", "FILE", "draws the curves, if there are any: a .png, .svg or .pdf through gnuplot"},
    [O_QUIET] = {"quiet", NULL, "shows no progress"},
    [O_COUNT] = {NULL, NULL, NULL},
};

const cli_item cli_bench_exits[] = {
    {"0", "success"},
    {"1", "a benchmark failed"},
    {"2", "wrong use, or a file that cannot be written"},
    {NULL, NULL},
};

typedef struct job {
    const cli_bench_program *program;
    const bench_entry *chosen;
    const char *output, *plot;
    int json, quick, quiet;
} job;

static int choose(job *j, const char *name)
{
    enum { MOST = 16 };
    const char *names[MOST + 1] = {NULL};
    int count = 0;
    if (j->chosen != NULL) return cli_wrong("bench", "unexpected argument '%s': one benchmark at a time", name);
    for (const bench_entry *e = j->program->entries; e->name != NULL; e++) {
        if (strcmp(e->name, name) == 0) j->chosen = e;
        if (count < MOST) names[count++] = e->name;
    }
    return j->chosen != NULL ? CLI_WELL : cli_unknown("bench", "benchmark", name, names);
}

static int set_output(job *j, const char *file)
{
    const size_t length = strlen(file);
    if (length < 6 || strcmp(file + length - 5, ".json") != 0)
        return cli_wrong("bench", "--output %s: the name must end in .json", file);
    j->output = file;
    return CLI_WELL;
}

static int set_plot(job *j, const char *file)
{
    j->plot = file;
    return cli_plot_check("bench", file);
}

/* Refuses files that cannot be written before anything is measured. */
static int settle_files(const job *j)
{
    const cli_named_file files[] = {{"--output", j->output}, {"--plot", j->plot}};
    int status;
    if (j->plot != NULL && !j->chosen->curves) {
        char list[128] = "";
        for (const bench_entry *e = j->program->entries; e->name != NULL; e++) {
            const size_t used = strlen(list);
            if (e->curves) snprintf(list + used, sizeof list - used, "%s%s", used > 0 ? ", " : "", e->name);
        }
        return cli_wrong("bench", "--plot: '%s' has no curves; drop --plot, or take one that has: %s", j->chosen->name,
                         list);
    }
    status = cli_files_differ("bench", files, 2);
    if (status == CLI_WELL && j->output != NULL) status = cli_file_possible("bench", j->output);
    if (status == CLI_WELL && j->plot != NULL) status = cli_file_possible("bench", j->plot);
    return status;
}

static int prepare(job *j, int argc, char **argv)
{
    cli_parser p = cli_begin("bench", cli_bench_options, argc, argv);
    int status = CLI_WELL;
    for (int found; status == CLI_WELL && (found = cli_next(&p)) != CLI_END;) {
        if (found == CLI_HELP) return CLI_HELP;
        if (found == CLI_BAD) return CLI_WRONG_USE;
        if (found == CLI_WORD) status = choose(j, p.value);
        if (found == O_JSON) j->json = 1;
        if (found == O_QUICK) j->quick = 1;
        if (found == O_QUIET) j->quiet = 1;
        if (found == O_OUTPUT) status = set_output(j, p.value);
        if (found == O_PLOT) status = set_plot(j, p.value);
    }
    if (status != CLI_WELL) return status;
    if (j->chosen == NULL) return cli_wrong("bench", "no benchmark is given; --help lists them");
    return settle_files(j);
}

static void progress(const char *what)
{
    cli_print(stderr, "\r\033[K%s", what);
}

static void write_json(FILE *f, const void *report)
{
    bench_report_json(report, f);
}

static int write_files(const job *j, const bench_report *r)
{
    int status = CLI_WELL;
    if (j->output != NULL) status = cli_file_write("bench", j->output, write_json, r);
    if (status != CLI_WELL || j->plot == NULL) return status;
    if (bench_panel_count(r) == 0) return cli_wrong("bench", "--plot: '%s' has no curves", j->chosen->name);
    return cli_bench_draw(r, j->plot);
}

static int measure(const job *j)
{
    const int shown = !j->quiet && isatty(STDERR_FILENO);
    const cli_bench_program *p = j->program;
    const bench_settings s = {j->quick,           p->peers,          p->step_peers,
                              p->mechanism_peers, p->dynamics_peers, shown ? progress : NULL};
    bench_report *r = bench_report_begin(j->chosen->name, j->quick);
    int status = CLI_WELL;
    if (r != NULL) j->chosen->run(r, &s);
    if (shown) progress("");
    if (r == NULL || !bench_report_complete(r)) {
        status = cli_wrong("bench", "out of memory");
    } else {
        if (j->json) {
            bench_report_json(r, stdout);
        } else {
            bench_report_print(r, stdout);
        }
        if (bench_failure(r)[0] == '\0') {
            status = write_files(j, r);
        } else { /* a file that is there keeps its figures */
            cli_print(stderr, "liegrp bench: %s%s\n", bench_failure(r),
                      j->output != NULL || j->plot != NULL ? "; no file is written" : "");
            status = CLI_FAILED;
        }
    }
    bench_report_end(r);
    return cli_flush("bench", status);
}

int cli_bench_main(const cli_bench_program *program, int argc, char **argv)
{
    job j = {.program = program};
    const int status = prepare(&j, argc, argv);
    if (status == CLI_HELP) return cli_print_help(program->manual);
    return status == CLI_WELL ? measure(&j) : status;
}
