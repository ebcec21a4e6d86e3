/* SPDX-License-Identifier: BSD-3-Clause */
/* liegrp convergence: observed orders over methods, retractions and step sizes. */
#include "cli/convergence.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/commands.h"
#include "cli/lib/choice.h"
#include "cli/lib/gnuplot.h"
#include "cli/lib/mechanism.h"
#include "cli/lib/names.h"
#include "cli/lib/options.h"
#include "cli/lib/origin.h"
#include "cli/lib/print.h"
#include "cli/lib/terminal.h"

enum {
    O_METHODS,
    O_RETRACTIONS,
    O_STEP,
    O_LEVELS,
    O_TIME,
    O_PARAM,
    O_INIT,
    O_START,
    O_PROJECT,
    O_JSON,
    O_OUTPUT,
    O_PLOT,
    O_FLOATING,
    O_WHEEL,
    O_LEAST_INERTIA,
    O_IGNORE,
    O_KEY,
    O_WITHIN,
    O_MOTION,
    O_GRAVITY,
    O_NO_PROVENANCE,
    O_QUIET,
    O_COUNT
};

static const cli_option options[] = {
    [O_METHODS] = {"methods", "A,B,...",
                   "default sem,gni,dla:midpoint,nsv, of mechanisms sem,rattle,gauss:stages=2; repeatable"},
    [O_RETRACTIONS] = {"retractions", "A,B,...", "default exp,cayley, of mechanisms exp; repeatable"},
    [O_STEP] = {"step", "H", "the coarsest step, by default one that suits the system"},
    [O_LEVELS] = {"levels", "L", "number of steps, each half the one before, 2 to 12, default 5"},
    [O_TIME] = {"time", "T", "the time at which errors are measured, a multiple of the step, default about 1"},
    [O_PARAM] = CLI_PARAM_OPTION,
    [O_INIT] = {"init", "NAME=VALUE", "sets an initial value by its column; repeatable"},
    [O_START] = {"start", "NAME", "start of the GNI: reaction (default), legendre or paper"},
    [O_PROJECT] = {"project", NULL, "projects the initial data onto the constraints"},
    [O_FLOATING] = CLI_FLOATING_OPTION,
    [O_WHEEL] = CLI_WHEEL_OPTION,
    [O_LEAST_INERTIA] = CLI_LEAST_INERTIA_OPTION,
    [O_IGNORE] = CLI_IGNORE_OPTION,
    [O_KEY] = CLI_KEY_OPTION,
    [O_WITHIN] = CLI_WITHIN_OPTION,
    [O_MOTION] = CLI_MOTION_OPTION,
    [O_GRAVITY] = CLI_GRAVITY_OPTION,
    [O_JSON] = {"json", NULL, "prints JSON instead of the table"},
    [O_OUTPUT] = {"output", "FILE.csv", "writes every error and order"},
    [O_PLOT] = CLI_PLOT_OPTION,
    [O_NO_PROVENANCE] = CLI_NO_PROVENANCE_OPTION,
    [O_QUIET] = {"quiet", NULL, "shows no progress and no warnings"},
    [O_COUNT] = {NULL, NULL, NULL},
};

/* Names, each a string of its own. */
typedef struct list {
    char **name;
    int count;
} list;

typedef struct job {
    const char *system, *output, *plot, *start;
    list methods, retractions;
    double step, time; /* NaN: not given */
    int64_t levels;
    int json, quiet, anonymous;
    cli_words words;
    const char **inputs; /* of the words */
    lg_motion_options o;
    int64_t steps;
    int project;
    cli_mechanism_options mechanism;
    cli_system S;
    cli_instance instance; /* whose model is measured */
    lg_model *M;
    lg_reference *R;
    cli_comparison all;
} job;

/* The command line ------------------------------------------------------------------------------------------------ */

static const cli_item exits[] = {
    {"0", "success"},
    {"2", "wrong use, or a file that cannot be written"},
    {"3", "the computation failed with every step"},
    {NULL, NULL},
};

const cli_manual cli_convergence_manual = {
    .command = "convergence",
    .summary = "measures the orders of methods and retractions on a system",
    .usage = "liegrp convergence SYSTEM [OPTION...]",
    .text = "Measures errors at the time T with steps H, H/2, H/4, ... The reference is the exact solution, or the "
            "solution of a composition of order 8 whose own error is estimated. Prints errors and observed orders of "
            "the reduced variables (momentum, shape), of the reconstructed ones (group elements) and of the energy, "
            "for every method with every retraction. A method that does not suit the system is listed with the reason. "
            "A comma separates methods, or options of one method: sem:gauss=2,momentum,gni are two methods.",
    .options = options,
    .common = O_PLOT + 1,
    .exits = exits,
    .examples = "liegrp convergence rolling-ball --methods sem,gni,sem@suzuki4 --plot orders.pdf",
    .words = cli_any_system_at,
    .files = 1,
};

/* Adds a name unless it is already there. */
static int add(list *l, const char *text, size_t length)
{
    char **grown = realloc(l->name, ((size_t)l->count + 1) * sizeof *grown), *name;
    if (grown == NULL) return cli_wrong("convergence", "out of memory");
    l->name = grown;
    for (int i = 0; i < l->count; i++) {
        if (strlen(l->name[i]) == length && strncmp(l->name[i], text, length) == 0) return CLI_WELL;
    }
    name = malloc(length + 1);
    if (name == NULL) return cli_wrong("convergence", "out of memory");
    memcpy(name, text, length);
    name[length] = '\0';
    l->name[l->count++] = name;
    return CLI_WELL;
}

static void forget(list *l)
{
    for (int i = 0; i < l->count; i++) free(l->name[i]);
    free(l->name);
}

/* Does a method's name begin here? */
static int is_method(const char *text)
{
    const size_t length = strcspn(text, ":@,");
    for (const char *const *name = lg_method_names(); *name != NULL; name++) {
        if (strlen(*name) == length && strncmp(*name, text, length) == 0) return 1;
    }
    return 0;
}

/* Length of the name at `text`, up to the comma that ends it. Between ':' and '@' a comma may separate options; it does
 * if no method's name follows. */
static size_t length_of(const char *text, int methods)
{
    size_t length = strcspn(text, ",");
    while (methods && text[length] == ',' && memchr(text, ':', length) != NULL && memchr(text, '@', length) == NULL &&
           !is_method(text + length + 1)) {
        length += 1 + strcspn(text + length + 1, ",");
    }
    return length;
}

static int add_all(list *l, int option, const char *value)
{
    for (const char *at = value;; at++) {
        const size_t length = length_of(at, option == O_METHODS);
        int status = CLI_WELL;
        if (length == 0)
            return cli_wrong("convergence", "--%s must be names with single commas between them, got '%s'",
                             options[option].name, value);
        status = add(l, at, length);
        at += length;
        if (status != CLI_WELL || *at == '\0') return status;
    }
}

/* --param and --init are read once there is a model. */
static int read_option(job *j, int option, const char *value)
{
    const cli_target targets[] = {{CLI_WORD, .text = &j->system},
                                  {O_STEP, .number = &j->step, .nonzero = 1},
                                  {O_TIME, .number = &j->time, .nonzero = 1},
                                  {O_LEVELS, .count = &j->levels, .low = 2, .high = LG_CONVERGENCE_LEVELS},
                                  {O_START, .text = &j->start},
                                  {O_OUTPUT, .text = &j->output},
                                  {O_PLOT, .text = &j->plot},
                                  {O_PROJECT, .flag = &j->project},
                                  {O_JSON, .flag = &j->json},
                                  {O_NO_PROVENANCE, .flag = &j->anonymous},
                                  {O_QUIET, .flag = &j->quiet},
                                  {.option = CLI_END}};
    const int status = cli_put("convergence", options, targets, option, value);
    if (status != CLI_WELL) return status;
    if (option == O_METHODS) return add_all(&j->methods, option, value);
    if (option == O_RETRACTIONS) return add_all(&j->retractions, option, value);
    if (option == O_START) return cli_read_start("convergence", value, &j->o.start);
    return option >= 0 ? cli_mechanism_option(&j->mechanism, "convergence", &options[option], value) : CLI_WELL;
}

/* Completes step and time in the options: a missing one follows from the other, or from the system. */
static int settle_steps(job *j)
{
    double count, whole;
    if (isnan(j->step)) j->step = copysign(lg_model_default_step(j->M), isnan(j->time) ? 1 : j->time);
    if (isnan(j->time)) j->time = fmax(1, round(1 / fabs(j->step))) * j->step;
    count = j->time / j->step;
    whole = round(count);
    if (count < 0) {
        return cli_wrong("convergence", "--time %.15g and --step %.15g point in opposite directions", j->time, j->step);
    }
    if (!(whole <= 1e12)) {
        return cli_wrong("convergence", "--time %.15g takes more than 1e12 steps of %.15g", j->time, j->step);
    }
    if (count < 1 - 1e-9) {
        return cli_wrong("convergence",
                         "--time %.15g is less than one step of %.15g; set --step to %.15g or a part of it", j->time,
                         j->step, j->time);
    }
    if (fabs(count - whole) > 1e-9 * whole) {
        return cli_wrong("convergence", "--time %.15g is not a multiple of the step %.15g; %.15g and %.15g are",
                         j->time, j->step, floor(count) * j->step, ceil(count) * j->step);
    }
    j->steps = (int64_t)whole;
    j->o.step = j->time / whole;
    return CLI_WELL;
}

static int settle_files(const job *j)
{
    const cli_named_file files[] = {
        {"the system", cli_system_file(j->system)}, {"--output", j->output}, {"--plot", j->plot}};
    int status = cli_plot_check("convergence", j->plot);
    if (status == CLI_WELL) status = cli_files_differ("convergence", files, 3);
    if (status == CLI_WELL && j->output != NULL) status = cli_file_possible("convergence", j->output);
    if (status == CLI_WELL && j->plot != NULL) status = cli_file_possible("convergence", j->plot);
    return status;
}

/* A start must concern one of the methods at least. */
static int check_start(const job *j)
{
    for (int i = 0; i < j->methods.count; i++) {
        if (cli_method_starts(j->methods.name[i])) return CLI_WELL;
    }
    return cli_check_use("convergence", j->methods.name[0], j->start, NULL, 1);
}

/* Motions start at 0 here, without controls. */
static int check_key(const job *j)
{
    const double *u = cli_first_controls(&j->S);
    int acts = cli_begins(&j->S) != 0;
    for (int i = 0; u != NULL && i < lg_model_control_count(j->S.M); i++) acts |= u[i] != 0;
    if (!acts) return CLI_WELL;
    return cli_wrong("convergence", "--key %s has controls, or a time other than 0, which only run and sweep have",
                     j->mechanism.key);
}

/* The model with what is set. */
static int settle_model(job *j, int argc, char **argv)
{
    const char *message = NULL;
    int status = cli_set_values("convergence", options, O_PARAM, O_INIT, argc, argv, &j->S);
    if (status != CLI_WELL || cli_instance_model(&j->instance, &j->S, &j->M, &message) == LG_OK) return status;
    return cli_wrong("convergence", "%s", message);
}

static int settle(job *j, int argc, char **argv)
{
    static const int of_models[] = {-1}, of_mechanisms[] = {O_FLOATING, O_WHEEL,  O_LEAST_INERTIA, O_IGNORE, O_KEY,
                                                            O_WITHIN,   O_MOTION, O_GRAVITY,       -1};
    int status;
    if (j->system == NULL) return cli_wrong("convergence", "no system is given; see liegrp list systems");
    status = cli_open_system("convergence", j->system, &j->mechanism, &j->S);
    if (status == CLI_WELL)
        status = cli_refuse_options("convergence", options, argc, argv, &j->S, of_models, of_mechanisms);
    if (j->methods.count == 0 && status == CLI_WELL)
        status =
            add_all(&j->methods, O_METHODS, j->S.R != NULL ? "sem,rattle,gauss:stages=2" : "sem,gni,dla:midpoint,nsv");
    if (j->retractions.count == 0 && status == CLI_WELL)
        status = add_all(&j->retractions, O_RETRACTIONS, j->S.R != NULL ? "exp" : "exp,cayley");
    for (int i = 0; status == CLI_WELL && i < j->retractions.count; i++) {
        status = cli_check_retraction("convergence", j->retractions.name[i]);
    }
    if (status == CLI_WELL) status = check_start(j);
    if (status == CLI_WELL) status = check_key(j);
    if (status == CLI_WELL) status = settle_model(j, argc, argv);
    if (status == CLI_WELL) status = settle_steps(j);
    if (status == CLI_WELL) status = settle_files(j);
    return status;
}

/* Measuring ------------------------------------------------------------------------------------------------------- */

static int fail(const char *method, lg_status status, const char *message)
{
    cli_print_failure("convergence", method, status, message);
    return cli_is_numeric(status) ? CLI_NUMERICS : CLI_WRONG_USE;
}

/* Finds the combinations that the library refuses; a name that does not exist is an error before anything is
 * computed. */
static int try_all(job *j)
{
    const lg_system *S = NULL;
    lg_status status = lg_model_system(j->M, &S); /* with the parameters */
    if (status != LG_OK) return cli_wrong("convergence", "%s", lg_model_message(j->M));
    for (int i = 0; i < j->all.count; i++) {
        cli_order *o = &j->all.orders[i];
        lg_motion *mo = NULL;
        j->o.method = o->method, j->o.retraction = o->retraction;
        status = lg_motion_create(&mo, j->M, &j->o);
        o->refused = status == LG_ERROR_UNSUPPORTED;
        if (o->refused) snprintf(o->c.message, sizeof o->c.message, "%s", lg_motion_message(mo));
        if (status != LG_OK && !o->refused) fail(o->method, status, lg_motion_message(mo));
        lg_motion_destroy(mo);
        if (status != LG_OK && !o->refused) return CLI_WRONG_USE;
    }
    return CLI_WELL;
}

static void show_progress(const job *j, const char *what, const char *with, int done)
{
    if (j->quiet || !isatty(STDERR_FILENO)) return;
    cli_print(stderr, "\r%79s\r", "");
    if (what != NULL)
        cli_print(stderr, "%s%s%s (%d of %d)", what, with[0] != '\0' ? ", " : "", with, done, j->all.count);
}

/* Warns about a reference that is not more accurate than the results. */
static void warn(const job *j)
{
    for (int i = 0; !j->quiet && i < lg_reference_column_count(j->R); i++) {
        const lg_convergence_column *c = lg_reference_column(j->R, i);
        if (c->error <= 1e-7 * c->scale) continue;
        cli_mark(stderr, CLI_WARNING, "liegrp convergence: warning");
        cli_print(stderr,
                  "the reference's own error is %.1e (%s); errors below ten times that are "
                  "not used. A shorter --time or a smaller --step improves it\n",
                  c->error, c->name);
        return;
    }
}

/* 0: not one step size reached T. */
static int arrived(const cli_comparison *all)
{
    for (int i = 0; i < all->count; i++) {
        for (int k = 0; !all->orders[i].refused && k < all->orders[i].c.levels; k++) {
            if (all->orders[i].c.level[k].status == LG_OK) return 1;
        }
    }
    return 0;
}

static int measure(job *j)
{
    lg_status status;
    int refused = 0;
    for (int i = 0; i < j->all.count; i++) refused += j->all.orders[i].refused;
    if (refused == j->all.count) return fail("", LG_ERROR_UNSUPPORTED, j->all.orders[0].c.message);
    show_progress(j, "reference", "", 0);
    status = lg_reference_create(&j->R, j->M, &j->o, j->steps, j->project);
    show_progress(j, NULL, NULL, 0);
    if (status != LG_OK) return fail("", status, lg_reference_message(j->R));
    j->all.R = j->R;
    warn(j);
    for (int i = 0; i < j->all.count; i++) {
        cli_order *o = &j->all.orders[i];
        if (o->refused) continue;
        show_progress(j, o->method, o->retraction, i + 1);
        j->o.method = o->method;
        j->o.retraction = o->retraction;
        status = lg_convergence_measure(j->M, &o->c, j->R, &j->o, j->steps, (int)j->levels);
        show_progress(j, NULL, NULL, 0);
        o->refused = status == LG_ERROR_UNSUPPORTED;
        if (status != LG_OK && !o->refused) return fail(o->method, status, o->c.message);
    }
    return CLI_WELL;
}

static int prepare(job *j)
{
    const int count = j->methods.count * j->retractions.count;
    j->all.orders = calloc((size_t)count, sizeof *j->all.orders);
    if (j->all.orders == NULL) return cli_wrong("convergence", "out of memory");
    j->all.S = &j->S;
    j->all.time = j->time;
    j->all.step = j->o.step;
    j->all.levels = (int)j->levels;
    j->all.methods = j->methods.count;
    j->all.retractions = j->retractions.count;
    j->all.count = count;
    for (int i = 0; i < count; i++) {
        j->all.orders[i].method = j->methods.name[i / j->retractions.count];
        j->all.orders[i].retraction = j->retractions.name[i % j->retractions.count];
    }
    return CLI_WELL;
}

/* The files first; the table even if one of them fails. */
static int show(const job *j)
{
    int status = CLI_WELL;
    if (j->output != NULL)
        status = cli_file_write_table("convergence", j->output, j->anonymous ? NULL : &j->words, cli_convergence_csv,
                                      &j->all);
    if (status == CLI_WELL && j->plot != NULL) status = cli_convergence_draw(&j->all, j->plot);
    if (j->json) {
        cli_convergence_json(stdout, &j->all);
    } else {
        cli_convergence_table(stdout, &j->all);
    }
    if (status == CLI_WELL && !arrived(&j->all)) status = CLI_NUMERICS;
    return status;
}

/* The files that the system was read from. */
static int list_inputs(job *j)
{
    int count = 0;
    while (cli_system_input(&j->S, j->system, count) != NULL) count++;
    j->inputs = calloc((size_t)count + 1, sizeof *j->inputs);
    if (j->inputs == NULL) return cli_wrong("convergence", "out of memory");
    for (int i = 0; i < count; i++) j->inputs[i] = cli_system_input(&j->S, j->system, i);
    j->words.inputs = j->inputs, j->words.count = count;
    return CLI_WELL;
}

int cli_convergence(int argc, char **argv)
{
    job j;
    cli_parser p = cli_begin("convergence", options, argc, argv);
    int status;
    memset(&j, 0, sizeof j);
    j.o = lg_motion_options_default();
    j.step = j.time = NAN;
    j.levels = 5;
    j.words = (cli_words){argc, argv, NULL, 0};
    status = cli_mechanism_options_begin(&j.mechanism, "convergence", argc);
    for (int found; status == CLI_WELL && (found = cli_next(&p)) != CLI_END;) {
        if (found == CLI_HELP) {
            status = cli_print_help(&cli_convergence_manual);
            goto done;
        }
        status = found == CLI_BAD ? CLI_WRONG_USE : read_option(&j, found, p.value);
    }
    if (status == CLI_WELL) status = settle(&j, argc, argv);
    if (status == CLI_WELL) status = list_inputs(&j);
    if (status == CLI_WELL) status = prepare(&j);
    if (status == CLI_WELL) status = try_all(&j);
    if (status == CLI_WELL) status = measure(&j);
    if (status == CLI_WELL) status = show(&j);
done:
    free(j.inputs);
    forget(&j.methods);
    forget(&j.retractions);
    free(j.all.orders);
    lg_reference_destroy(j.R);
    cli_instance_free(&j.instance);
    cli_close_system(&j.S);
    cli_mechanism_options_end(&j.mechanism);
    return cli_flush("convergence", status);
}
