/* SPDX-License-Identifier: BSD-3-Clause */
/* What the playground's JavaScript calls: a system of the catalog or a mechanism of the gallery with values that are
 * set, what there is to say of it, and runs of it whose numbers are those of `liegrp run`. Names, units, meanings and
 * refusals are the library's and the tool's: nothing of the catalog stands here.
 *
 * Texts that are returned as char * are JSON and freed by the caller; those that are const belong to the object. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <liegrp/liegrp.h>

#include "cli/lib/mechanism.h"
#include "web/playground/inside.h"

enum { FIRST = 2 }; /* of the configuration, after step and t */

struct pg_system {
    cli_system S;
    double *control; /* the controls that were set; NaN: not */
    int controls, controlled;
    int where; /* a pg_place: what the message is about */
    char message[LG_MESSAGE_SIZE];
};

struct pg_run {
    pg_system *of;
    lg_integrator *it; /* of a model; */
    cli_instance i;    /* of a mechanism */
    lg_scene *scene;   /* of a mechanism */
    int columns, bodies;
    double *row, *configuration, *control, *poses; /* one block */
    char message[LG_MESSAGE_SIZE];
};

/* Systems --------------------------------------------------------------------------------------------------------- */

static int refuse(pg_system *s, int where, const char *message)
{
    s->where = where;
    snprintf(s->message, sizeof s->message, "%s", message);
    return 0;
}

static int is_mechanism(const pg_system *s)
{
    return s->S.R != NULL;
}

static int open_named(pg_system *s, const char *name)
{
    static const cli_mechanism_options none;
    lg_model *M = NULL;
    if (lg_gallery_index(name) >= 0) {
        s->S.name = lg_gallery_name(lg_gallery_index(name));
        return cli_open_mechanism("run", s->S.name, &none, &s->S) == CLI_WELL;
    }
    const lg_status status = lg_catalog_create(&M, name);
    if (status != LG_OK) (void)refuse(s, PG_SYSTEM, M != NULL ? lg_model_message(M) : lg_status_text(status));
    if (status != LG_OK) lg_model_destroy(M);
    if (status == LG_OK) s->S = cli_system_of(M);
    return status == LG_OK;
}

pg_system *pg_open(const char *name)
{
    pg_system *s = calloc(1, sizeof *s);
    if (s == NULL || !open_named(s, name)) return s;
    s->controls = s->S.kind->controls(&s->S);
    s->control = malloc(((size_t)s->controls + 1) * sizeof *s->control);
    if (s->control == NULL) (void)refuse(s, PG_SYSTEM, "out of memory");
    for (int i = 0; s->control != NULL && i < s->controls; i++) s->control[i] = (double)NAN;
    return s;
}

void pg_close(pg_system *s)
{
    if (s == NULL) return;
    cli_close_system(&s->S);
    free(s->control);
    free(s);
}

const cli_system *pg_inside(const pg_system *s)
{
    return s != NULL && s->control != NULL ? &s->S : NULL;
}

const char *pg_message(const pg_system *s)
{
    return s != NULL ? s->message : "out of memory";
}

int pg_where(const pg_system *s)
{
    return s != NULL ? s->where : PG_SYSTEM;
}

static int set_control(pg_system *s, const char *name, double value)
{
    cli_column c;
    for (int i = 0; i < s->controls; i++) {
        cli_control_of(&c, &s->S, i);
        if (strcmp(c.name, name) != 0 && strcmp(c.also, name) != 0) continue;
        s->control[i] = value;
        s->controlled = 1;
        return isfinite(value) ? 1 : refuse(s, PG_CONTROLS, "a control must be a finite number");
    }
    snprintf(s->message, sizeof s->message, "%s has no control '%.60s'", s->S.name, name);
    s->where = PG_CONTROLS;
    return 0;
}

int pg_set(pg_system *s, int place, const char *name, double value)
{
    if (place == PG_CONTROLS) return set_control(s, name, value);
    if (s->S.kind->set(&s->S, name, value, place == PG_INITIAL) == LG_OK) return 1;
    return refuse(s, place, s->S.kind->message(&s->S));
}

/* Runs: begin ----------------------------------------------------------------------------------------------------- */

static int keep_row(const double *row, int columns, void *context)
{
    memcpy(context, row, (size_t)columns * sizeof *row);
    return 0;
}

/* What of the choice a start that failed is about. */
static int place_of(pg_system *s, const lg_run_options *o)
{
    const lg_system *S = NULL;
    lg_integrator *it = NULL;
    int place = PG_INITIAL;
    if (!isfinite(o->step)) return PG_STEP;
    if (lg_model_system(s->S.M, &S) != LG_OK) return PG_PARAMETERS;
    if (lg_retraction_named(o->retraction) == NULL) return PG_RETRACTION;
    if (lg_integrator_create(&it, S, o->method, o->retraction, 1) != LG_OK) {
        lg_integrator_destroy(it);
        it = NULL;
        place = lg_integrator_create(&it, S, o->method, "exp", 1) == LG_OK ? PG_RETRACTION : PG_METHOD;
    }
    lg_integrator_destroy(it);
    return place;
}

/* A run of no steps says what `liegrp run` says, and gives the first row; then the same integrator for our steps. */
static int start_model(pg_run *r, const lg_run_options *options)
{
    pg_system *s = r->of;
    lg_model *M = s->S.M;
    lg_run_options o = *options;
    lg_run_result result = lg_run_result_default();
    const lg_system *S = NULL;
    int given = 0;
    o.steps = 0, o.accuracy = 0, o.row = keep_row, o.row_context = r->row;
    lg_status status = lg_run(M, &result, &o);
    if (status != LG_OK) return refuse(s, place_of(s, &o), result.message);
    memcpy(r->configuration, r->row + FIRST, (size_t)lg_model_column_count(M) * sizeof *r->row);
    status = lg_model_system(M, &S);
    if (status != LG_OK) return refuse(s, PG_PARAMETERS, lg_model_message(M));
    double *g = malloc((size_t)(lg_group_element_size(S->group) + lg_group_dim(S->group)) * sizeof *g);
    if (g == NULL) return refuse(s, PG_SYSTEM, "out of memory");
    double *xi = g + lg_group_element_size(S->group);
    status = lg_model_initial(M, g, xi, &given);
    if (status == LG_OK)
        status =
            lg_integrator_create(&r->it, S, o.method, o.retraction, o.step != 0 ? o.step : lg_model_default_step(M));
    if (status == LG_OK) status = lg_integrator_start(r->it, 0, g, xi, o.start, o.project || !given);
    free(g);
    return status == LG_OK || refuse(s, PG_INITIAL, r->it != NULL ? lg_integrator_message(r->it) : "out of memory");
}

static int start_mechanism(pg_run *r, const lg_run_options *o)
{
    pg_system *s = r->of;
    const char *message = "";
    const double step = o->step != 0 ? o->step : s->S.kind->step(&s->S);
    lg_status status = cli_instance_make(&r->i, &s->S, o->method, step, o->project, &message);
    if (status != LG_OK) { /* which of the three it made says where it stopped */
        const int place = r->i.columns == NULL                 ? PG_PARAMETERS
                          : lg_motion_saved_bytes(r->i.mo) > 0 ? PG_INITIAL
                                                               : PG_METHOD;
        return refuse(s, isfinite(step) ? place : PG_STEP, message);
    }
    memcpy(r->control, r->i.controls, (size_t)s->controls * sizeof *r->control);
    for (int i = 0; i < s->controls; i++)
        if (!isnan(s->control[i])) r->control[i] = s->control[i];
    if (s->controlled) status = lg_motion_set_control(r->i.mo, r->control);
    if (status == LG_OK) status = lg_motion_columns_row(r->i.columns, r->row, r->i.mo);
    return status == LG_OK || refuse(s, PG_CONTROLS, lg_motion_message(r->i.mo));
}

/* What it looks like; NULL: nothing is known. */
static lg_scene *scene_of(pg_run *r)
{
    const lg_scene *scene = NULL;
    if (is_mechanism(r->of)) return r->scene;
    return lg_model_scene(r->of->S.M, &scene) == LG_OK ? (lg_scene *)scene : NULL; /* which keeps its text */
}

static int prepare_poses(pg_run *r)
{
    if (is_mechanism(r->of) && lg_mechanism_scene(r->i.used, &r->scene) != LG_OK) r->scene = NULL;
    r->bodies = scene_of(r) != NULL ? lg_scene_body_count(scene_of(r)) : 0;
    r->poses = calloc((size_t)r->bodies * LG_POSE_SIZE + 1, sizeof *r->poses);
    return r->poses != NULL || refuse(r->of, PG_SYSTEM, "out of memory");
}

static pg_run *create_run(pg_system *s)
{
    pg_run *r = calloc(1, sizeof *r);
    if (r == NULL) return NULL;
    r->of = s;
    r->columns = s->S.kind->columns(&s->S);
    r->row = calloc(2 * (size_t)r->columns + (size_t)s->controls, sizeof *r->row);
    r->configuration = r->row + r->columns;
    r->control = r->configuration + r->columns;
    if (r->row != NULL) return r;
    free(r);
    return NULL;
}

pg_run *pg_start(pg_system *s, const char *method, const char *retraction, double step, int project)
{
    lg_run_options o = lg_run_options_default();
    pg_run *r = create_run(s);
    o.method = method, o.retraction = retraction, o.step = step, o.project = project;
    s->where = PG_NOWHERE;
    s->message[0] = '\0';
    if (r == NULL) {
        (void)refuse(s, PG_SYSTEM, "out of memory");
        return NULL;
    }
    if ((is_mechanism(s) ? start_mechanism(r, &o) : start_model(r, &o)) && prepare_poses(r)) return r;
    pg_end(r);
    return NULL;
}

void pg_end(pg_run *r)
{
    if (r == NULL) return;
    lg_integrator_destroy(r->it);
    cli_instance_free(&r->i);
    lg_scene_destroy(r->scene);
    free(r->row);
    free(r->poses);
    free(r);
}

/* Runs: steps ----------------------------------------------------------------------------------------------------- */

static lg_status step_model(pg_run *r)
{
    const pg_system *s = r->of;
    lg_status status = LG_OK;
    for (int i = 0; i < s->controls; i++) r->control[i] = isnan(s->control[i]) ? 0 : s->control[i];
    if (s->controlled) status = lg_integrator_set_control(r->it, r->control);
    if (status == LG_OK) status = lg_integrator_step(r->it);
    if (status == LG_OK)
        lg_model_columns(s->S.M, r->configuration, lg_integrator_configuration(r->it), r->configuration);
    else
        snprintf(r->message, sizeof r->message, "%s", lg_integrator_message(r->it));
    return status;
}

static lg_status step_motion(pg_run *r)
{
    lg_status status = LG_OK;
    if (r->of->controlled) status = lg_motion_set_control(r->i.mo, r->control);
    if (status == LG_OK) status = lg_motion_step(r->i.mo, 1);
    if (status != LG_OK) snprintf(r->message, sizeof r->message, "%s", lg_motion_message(r->i.mo));
    return status;
}

int pg_step(pg_run *r, int steps)
{
    int done = 0;
    const int mechanism = is_mechanism(r->of);
    while (done < steps && (mechanism ? step_motion(r) : step_model(r)) == LG_OK) done++;
    if (mechanism)
        lg_status_ignore(lg_motion_columns_row(r->i.columns, r->row, r->i.mo));
    else
        lg_status_ignore(lg_run_row(r->of->S.M, r->row, r->it, r->configuration));
    return done;
}

const double *pg_row(const pg_run *r)
{
    return r->row;
}

const double *pg_poses(pg_run *r)
{
    if (r->bodies > 0 && is_mechanism(r->of))
        lg_status_ignore(lg_motion_poses(r->i.mo, r->poses));
    else if (r->bodies > 0)
        lg_status_ignore(
            lg_model_poses(r->of->S.M, r->poses, lg_integrator_time(r->it), lg_integrator_configuration(r->it)));
    return r->poses;
}

int pg_bodies(const pg_run *r)
{
    return r->bodies;
}

const char *pg_run_message(const pg_run *r)
{
    return r->message;
}

const char *pg_scene(pg_run *r)
{
    const char *text = NULL;
    return r->bodies > 0 && lg_scene_json(scene_of(r), &text) == LG_OK ? text : NULL;
}
