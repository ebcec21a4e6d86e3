/* SPDX-License-Identifier: BSD-3-Clause */
/* The functions that the playground's JavaScript calls: they open a system of the catalog or a mechanism of the
 * gallery, set its values, describe it, and run it with the numbers of `liegrp run`. Names, units, meanings and
 * refusals come from the library and the tool; this file repeats nothing of the catalog.
 *
 * Texts that are returned as char * are JSON and freed by the caller; those that are const belong to the object. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <liegrp/liegrp.h>

#include "cli/lib/mechanism.h"
#include "run/engine.h"
#include "web/playground/inside.h"

struct pg_system {
    cli_system S;
    double *control; /* the controls that were set; NaN: not */
    int controls, controlled;
    int where; /* a pg_place: what the message is about */
    char message[LG_MESSAGE_SIZE];
};

struct pg_run {
    pg_system *of;
    cli_instance i;
    const lg_scene *scene; /* NULL: nothing is known */
    int columns, bodies;
    double *row, *control, *poses; /* the first two are one block */
    char message[LG_MESSAGE_SIZE];
};

/* Systems --------------------------------------------------------------------------------------------------------- */

static int refuse(pg_system *s, int where, const char *message)
{
    s->where = where;
    snprintf(s->message, sizeof s->message, "%s", message);
    return 0;
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

/* The model, with what was set. */
static lg_model *model_of(const pg_run *r)
{
    return r->i.M != NULL ? r->i.M : r->of->S.M;
}

/* What of the choice a start that failed is about. */
static int place_of(const pg_run *r, const lg_motion_options *o)
{
    const lg_system *S = NULL;
    const lg_scene *scene; /* which compiles a mechanism */
    lg_motion_options other = {sizeof other, .method = o->method, .step = 1};
    lg_motion *mo = NULL;
    int place = PG_INITIAL;
    if (!isfinite(o->step)) return PG_STEP;
    if (r->of->S.R != NULL && lg_model_scene(model_of(r), &scene) != LG_OK) return PG_PARAMETERS;
    if (r->of->S.R == NULL && lg_model_system(model_of(r), &S) != LG_OK) return PG_PARAMETERS;
    if (lg_retraction_named(o->retraction) == NULL) return PG_RETRACTION;
    if (lg_motion_saved_bytes(r->i.mo) == 0 && lg_motion_method(r->i.mo)[0] == '\0') {
        place = lg_motion_create(&mo, model_of(r), &other) == LG_OK ? PG_RETRACTION : PG_METHOD;
        lg_motion_destroy(mo);
    }
    return place;
}

static int start(pg_run *r, const lg_motion_options *o, int project)
{
    pg_system *s = r->of;
    const char *message = "";
    lg_status status = cli_instance_make(&r->i, &s->S, o, project, &message);
    if (status != LG_OK) return refuse(s, place_of(r, o), message);
    memcpy(r->control, r->i.mo->engine->control(r->i.mo), (size_t)s->controls * sizeof *r->control);
    for (int i = 0; i < s->controls; i++)
        if (!isnan(s->control[i])) r->control[i] = s->control[i];
    if (s->controlled) status = lg_motion_set_control(r->i.mo, r->control);
    if (status == LG_OK) status = lg_motion_row(r->i.mo, r->row);
    return status == LG_OK || refuse(s, PG_CONTROLS, lg_motion_message(r->i.mo));
}

static int prepare_poses(pg_run *r)
{
    if (lg_model_scene(model_of(r), &r->scene) != LG_OK) r->scene = NULL;
    r->bodies = r->scene != NULL ? lg_scene_body_count(r->scene) : 0;
    r->poses = calloc((size_t)r->bodies * LG_POSE_SIZE + 1, sizeof *r->poses);
    return r->poses != NULL || refuse(r->of, PG_SYSTEM, "out of memory");
}

static pg_run *create_run(pg_system *s)
{
    pg_run *r = calloc(1, sizeof *r);
    if (r == NULL) return NULL;
    r->of = s;
    r->columns = lg_model_column_count(s->S.M);
    r->row = calloc((size_t)r->columns + (size_t)s->controls + 1, sizeof *r->row);
    r->control = r->row + r->columns;
    if (r->row != NULL) return r;
    free(r);
    return NULL;
}

pg_run *pg_start(pg_system *s, const char *method, const char *retraction, double step, int project)
{
    lg_motion_options o = lg_motion_options_default();
    pg_run *r = create_run(s);
    o.method = method, o.retraction = retraction, o.step = step;
    s->where = PG_NOWHERE;
    s->message[0] = '\0';
    if (r == NULL) {
        (void)refuse(s, PG_SYSTEM, "out of memory");
        return NULL;
    }
    if (start(r, &o, project) && prepare_poses(r)) return r;
    pg_end(r);
    return NULL;
}

void pg_end(pg_run *r)
{
    if (r == NULL) return;
    cli_instance_free(&r->i);
    free(r->row);
    free(r->poses);
    free(r);
}

/* Runs: steps ----------------------------------------------------------------------------------------------------- */

int pg_step(pg_run *r, int steps)
{
    int done = 0;
    lg_status status = r->of->controlled ? lg_motion_set_control(r->i.mo, r->control) : LG_OK;
    while (status == LG_OK && done < steps && (status = lg_motion_step(r->i.mo, 1)) == LG_OK) done++;
    if (status != LG_OK) snprintf(r->message, sizeof r->message, "%s", lg_motion_message(r->i.mo));
    lg_status_ignore(lg_motion_row(r->i.mo, r->row));
    return done;
}

const double *pg_row(const pg_run *r)
{
    return r->row;
}

const double *pg_poses(pg_run *r)
{
    if (r->bodies > 0) lg_status_ignore(lg_motion_poses(r->i.mo, r->poses));
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
    const char *text = NULL; /* the scene keeps it */
    return r->bodies > 0 && lg_scene_json((lg_scene *)(uintptr_t)r->scene, &text) == LG_OK ? text : NULL;
}
