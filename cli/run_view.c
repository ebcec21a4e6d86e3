/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/run_view.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/lib/choice.h"
#include "cli/lib/file.h"
#include "cli/lib/print.h"
#include "cli/lib/progress.h"
#include "cli/lib/text.h"
#include "cli/run_job.h"

/* Options --------------------------------------------------------------------------------------------------------- */

#ifdef LG_WITHOUT_VIEW
static const char *page(void)
{
    return NULL;
}
#else
extern const char cli_view_page[]; /* web/embed.py */

static const char *page(void)
{
    return cli_view_page;
}
#endif

static int ends_in_html(const char *file)
{
    const char *dot = strrchr(file, '.');
    return dot != NULL && (strcmp(dot, ".html") == 0 || strcmp(dot, ".htm") == 0);
}

/* 1: the text after a comma is a method, not an option of the method before. */
static int is_method(const char *text)
{
    char family[64];
    snprintf(family, sizeof family, "%.*s", (int)strcspn(text, ":@,") < 60 ? (int)strcspn(text, ":@,") : 60, text);
    return lg_method_summary(family) != NULL;
}

/* Cuts "gni,sem:gauss=6" up at its commas. */
static int read_methods(cli_run_view *w, const char *command)
{
    if (w->compare == NULL) return CLI_WELL;
    w->methods = strdup(w->compare);
    if (w->methods == NULL) return cli_wrong(command, "out of memory");
    for (char *at = w->methods; at != NULL;) {
        char *next = strchr(at, ',');
        while (next != NULL && strcspn(at, ":,") < (size_t)(next - at) && !is_method(next + 1))
            next = strchr(next + 1, ',');
        if (next != NULL) *next++ = '\0';
        if (*at == '\0')
            return cli_wrong(command, "--compare must be a method, or several as in gni,rattle, got '%s'", w->compare);
        if (w->count > CLI_COMPARED)
            return cli_wrong(command, "--compare: a page shows at most %d methods in addition to the run's own",
                             CLI_COMPARED);
        w->shown[w->count++].method = at;
        at = next;
    }
    return CLI_WELL;
}

/* The command line, as one types it. */
static int keep_command(cli_run_view *w, const char *command, int argc, char **argv)
{
    size_t size = 0;
    FILE *f = open_memstream(&w->command, &size);
    if (f == NULL) return cli_wrong(command, "out of memory");
    fprintf(f, "liegrp %s", command);
    for (int i = 1; i < argc; i++) {
        fputc(' ', f);
        text_shell(f, argv[i]);
    }
    const int failed = ferror(f);
    return fclose(f) == 0 && !failed ? CLI_WELL : cli_wrong(command, "out of memory");
}

int cli_run_view_settle(run_job *j, int argc, char **argv)
{
    cli_run_view *w = &j->view;
    if (w->file == NULL)
        return w->compare == NULL ? CLI_WELL : cli_wrong(j->command, "--compare needs --view FILE.html");
    if (page() == NULL)
        return cli_wrong(j->command,
                         "--view: this liegrp was built without three.js. Install it (Debian: libjs-three), set "
                         "the build up again (meson setup --reconfigure) and build");
    if (!ends_in_html(w->file)) return cli_wrong(j->command, "--view %s: the name must end in .html", w->file);
    if (j->keep.file != NULL)
        return cli_wrong(j->command,
                         "--view shows all rows of one run, and --checkpoint keeps them in a file: make the page "
                         "in a run without checkpoints");
    w->count = 1;
    const int status = read_methods(w, j->command);
    if (status != CLI_WELL) return status;
    w->shown[0].method = j->o.motion.method;
    return keep_command(w, j->command, argc, argv);
}

/* Tracks ---------------------------------------------------------------------------------------------------------- */

/* Prints the library's refusal of a method. */
static int refuse(const run_job *j, const cli_shown *s, lg_status status, const char *message)
{
    cli_print_failure(j->command, s->method, status, message);
    return CLI_WRONG_USE;
}

static int add_track(run_job *j, cli_shown *s)
{
    lg_view *v = j->view.view;
    const char *message = NULL;
    lg_status status = cli_instance_make(&s->start, &j->S, &j->o.motion, j->o.project, &message);
    if (status != LG_OK) return refuse(j, s, status, message);
    status = lg_view_add(v, &s->track, s->start.M != NULL ? s->start.M : j->S.M, s->method);
    return status == LG_OK ? CLI_WELL : refuse(j, s, status, lg_view_message(v));
}

/* The run of another method: equal steps and rows, and no other output. */
static cli_run_options beside(const run_job *j, const cli_shown *s)
{
    cli_run_options o = {.motion = j->o.motion, .project = j->o.project, .run = lg_run_options_default()};
    o.motion.method = s->method;
    o.motion.tolerance = strncmp(s->method, "gauss", 5) == 0 ? j->o.motion.tolerance : 0;
    o.run.steps = j->o.run.steps;
    o.run.every = j->o.run.every;
    o.run.control = j->o.run.control;
    o.run.control_context = j->o.run.control_context;
    o.run.control_degree = j->o.run.control_degree;
    o.run.accuracy = 0;
    o.run.provenance = -1;
    return o;
}

/* A run of no steps finds a method that refuses the system before the run begins. */
static int try_method(const run_job *j, const cli_shown *s)
{
    cli_run_options o = beside(j, s);
    lg_run_result r = lg_run_result_default();
    o.run.steps = 0;
    const lg_status status = cli_run_system(&j->S, &r, &o);
    return status == LG_OK ? CLI_WELL : refuse(j, s, status, r.message);
}

static const char *text_of(const run_job *j)
{
    const char *text = j->S.R != NULL ? cli_mechanism_text(&j->S) : lg_model_describe(j->S.M)->summary;
    return text != NULL ? text : "";
}

int cli_run_view_begin(run_job *j)
{
    cli_run_view *w = &j->view;
    int status = CLI_WELL;
    if (w->file == NULL) return CLI_WELL;
    if (lg_view_create(&w->view, j->S.name, text_of(j)) != LG_OK) return cli_wrong(j->command, "out of memory");
    for (int i = 0; status == CLI_WELL && i < w->count; i++) {
        cli_shown *s = &w->shown[i];
        if (i > 0) status = try_method(j, s);
        if (status == CLI_WELL) status = add_track(j, s);
    }
    return status;
}

/* Rows ------------------------------------------------------------------------------------------------------------ */

/* One more row of a track; 1: it cannot be shown, nor those after it. */
static int show(cli_run_view *w, cli_shown *s, const double *row)
{
    lg_status status = lg_view_row(w->view, s->track, row);
    if (status == LG_OK) status = lg_view_motion(w->view, s->track, w->now);
    if (status == LG_OK) return 0;
    if (status == LG_ERROR_MEMORY) w->spent = 1;
    snprintf(s->lost, sizeof s->lost, "rows from t = %.10g on cannot be shown: %.300s", row[1],
             lg_view_message(w->view));
    return 1;
}

void cli_run_view_row(cli_run_view *w, const double *row)
{
    cli_shown *s = &w->shown[0];
    if (w->view != NULL && s->lost[0] == '\0') (void)show(w, s, row);
}

void cli_run_view_provenance(cli_run_view *w, const char *text)
{
    if (w->file == NULL || w->provenance != NULL) return;
    w->provenance = strdup(text);
    if (w->provenance == NULL) w->spent = 1;
}

/* A row of a method that is compared; the first that cannot be shown ends its run. */
typedef struct compared {
    cli_run_view *all;
    cli_shown *shown;
} compared;

static int compared_row(const double *row, int columns, void *context)
{
    compared *c = context;
    (void)columns;
    return show(c->all, c->shown, row);
}

static int stopped(int64_t step, int64_t steps, void *context)
{
    (void)step, (void)steps, (void)context;
    return cli_caught() != 0;
}

/* The reason why a track ends early: this one (may be NULL), or that the view could not take a row. */
static int add_note(const run_job *j, const cli_shown *s, const lg_run_result *r, const char *message)
{
    char note[LG_MESSAGE_SIZE + 512];
    if (s->lost[0] != '\0')
        snprintf(note, sizeof note, "%s", s->lost);
    else if (message != NULL)
        snprintf(note, sizeof note, "ended after %" PRId64 " of %" PRId64 " steps, at t = %.10g: %s", r->steps,
                 j->o.run.steps, r->time, message);
    else
        return CLI_WELL;
    if (!j->quiet && s != &j->view.shown[0])
        cli_print(stderr, "liegrp %s: --compare %s %s\n", j->command, s->method, note);
    const lg_status status = lg_view_note(j->view.view, s->track, note);
    return status == LG_OK ? CLI_WELL : cli_wrong(j->command, "out of memory");
}

/* Meshes of the page that could not be read; the first of its kind, and how many there are. */
static void tell_of_meshes(const run_job *j)
{
    static const char mark[] = "\"fault\": \"";
    const lg_scene *scene = NULL;
    const char *text = NULL;
    int meshes = 0, faults = 0;
    if (lg_model_scene(j->S.M, &scene) != LG_OK) return;
    for (int i = 0; i < lg_scene_shape_count(scene); i++) meshes += lg_scene_shape(scene, i)->kind == LG_SHAPE_MESH;
    if (meshes == 0 || lg_view_json(j->view.view, &text) != LG_OK) return;
    const char *first = strstr(text, mark);
    for (const char *at = first; at != NULL; at = strstr(at + 1, mark)) faults++;
    if (faults == 0) return;
    first += strlen(mark);
    cli_print(stderr, "liegrp %s: --view: %d mesh%s cannot be shown, such as %.*s\n", j->command, faults,
              faults > 1 ? "es" : "", (int)strcspn(first, "\""), first);
}

static int compare(run_job *j, cli_shown *s)
{
    cli_run_options o = beside(j, s);
    lg_run_result r = lg_run_result_default();
    compared c = {&j->view, s};
    o.run.row = compared_row;
    o.run.progress = stopped;
    o.run.row_context = &c;
    o.now = &j->view.now;
    const lg_status status = cli_run_system(&j->S, &r, &o);
    if (cli_caught() != 0) return 128 + cli_caught();
    if (status == LG_ERROR_MEMORY) j->view.spent = 1;
    return add_note(j, s, &r, status != LG_OK ? r.message : NULL);
}

/* The page -------------------------------------------------------------------------------------------------------- */

int cli_run_view_end(run_job *j, lg_status status)
{
    cli_run_view *w = &j->view;
    int result = CLI_WELL;
    if (w->view == NULL) return CLI_WELL;
    if (lg_view_row_count(w->view, w->shown[0].track) == 0)
        return cli_wrong(j->command, "--view: %s", w->shown[0].lost);
    if (lg_view_origin(w->view, w->command, w->provenance) != LG_OK) return cli_wrong(j->command, "out of memory");
    if (w->add != NULL && w->add(w->view, w->add_context) != LG_OK) return cli_wrong(j->command, "out of memory");
    result = add_note(j, &w->shown[0], &j->result,
                      status != LG_OK         ? j->result.message
                      : j->result.interrupted ? "interrupted"
                                              : NULL);
    for (int i = 1; result == CLI_WELL && !j->result.interrupted && i < w->count; i++)
        result = compare(j, &w->shown[i]);
    if (result == CLI_WELL && w->spent) return cli_wrong(j->command, "--view: out of memory; there is no page");
    if (result != CLI_WELL) return result;
    const lg_status written = cli_file_write_view(w->file, w->view, page());
    if (written == LG_OK && !j->quiet) tell_of_meshes(j);
    return written == LG_OK ? CLI_WELL : cli_wrong(j->command, "%s", lg_view_message(w->view));
}

void cli_run_view_free(cli_run_view *w)
{
    lg_view_destroy(w->view);
    for (int i = 0; i < w->count; i++) cli_instance_free(&w->shown[i].start);
    free(w->methods);
    free(w->command);
    free(w->provenance);
}
