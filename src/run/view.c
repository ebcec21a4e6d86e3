/* SPDX-License-Identifier: BSD-3-Clause */
/* The tracks of a view: rows as they come, thinned, and where the bodies are in them. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <liegrp/multibody/scene.h>

#include "base/sized.h"
#include "run/model_private.h"
#include "run/motion_columns.h"
#include "run/view_private.h"

enum { MOST_ROWS = 5000, LEAST_ROWS = 500, FIRST_ROWS = 64 };
/* Bytes of one track's numbers, about: fewer rows where they are long. */
static const int64_t MOST_BYTES = 12 * 1000 * 1000;

lg_status lg_view_no_memory(lg_view *v)
{
    return lg_fail(&v->error, LG_ERROR_MEMORY, "out of memory for a page");
}

lg_status lg_view_keep(lg_view *v, char **to, const char *text)
{
    char *copy = strdup(text != NULL ? text : "");
    if (copy == NULL) return lg_view_no_memory(v);
    free(*to);
    *to = copy;
    return LG_OK;
}

lg_view_track *lg_view_track_of(lg_view *v, int track)
{
    if (v == NULL) return NULL;
    if (track >= 0 && track < v->count) return &v->tracks[track];
    lg_status_ignore(lg_fail(&v->error, LG_ERROR_ARGUMENT, "there is no track %d: the view has %d", track, v->count));
    return NULL;
}

lg_status lg_view_null(lg_view *v)
{
    return v != NULL ? lg_fail(&v->error, LG_ERROR_ARGUMENT, "a pointer is NULL") : LG_ERROR_ARGUMENT;
}

/* The object ------------------------------------------------------------------------------------------------------ */

lg_status lg_view_create(lg_view **view, const char *title, const char *summary)
{
    if (view == NULL) return LG_ERROR_ARGUMENT;
    *view = NULL;
    if (title == NULL) return LG_ERROR_ARGUMENT;
    lg_view *v = calloc(1, sizeof *v);
    if (v == NULL) return LG_ERROR_MEMORY;
    lg_status status = lg_view_keep(v, &v->title, title);
    if (status == LG_OK) status = lg_view_keep(v, &v->summary, summary);
    if (status == LG_OK)
        *view = v;
    else
        lg_view_destroy(v);
    return status;
}

static void free_track(lg_view_track *t)
{
    for (int i = 0; t->text != NULL && i < t->columns; i++) {
        free(t->text[i].name);
        free(t->text[i].unit);
        free(t->text[i].meaning);
    }
    mb_sparse_destroy(t->bodies);
    lg_view_touches_free(t);
    lg_view_arrows_free(t);
    free(t->text);
    free(t->label);
    free(t->note);
    free(t->scene);
    free(t->element);
    free(t->rows);
    free(t->last);
    free(t->poses);
    free(t->pose);
}

void lg_view_destroy(lg_view *v)
{
    if (v == NULL) return;
    for (int i = 0; i < v->count; i++) free_track(&v->tracks[i]);
    lg_view_charts_free(v);
    free(v->tracks);
    free(v->title);
    free(v->summary);
    free(v->command);
    free(v->provenance);
    free(v->json);
    free(v);
}

const char *lg_view_message(const lg_view *v)
{
    return v != NULL ? v->error.message : LG_NO_OBJECT("view");
}

lg_status lg_view_origin(lg_view *v, const char *command, const char *provenance)
{
    if (v == NULL) return LG_ERROR_ARGUMENT;
    const lg_status status = lg_view_keep(v, &v->command, command);
    return status == LG_OK ? lg_view_keep(v, &v->provenance, provenance) : status;
}

/* Tracks ---------------------------------------------------------------------------------------------------------- */

/* Texts and memory of a track whose numbers of columns and bodies are known. */
static lg_status fill_track(lg_view *v, lg_view_track *t, const char *label, lg_scene *scene)
{
    const char *json;
    const size_t pose = LG_POSE_SIZE * (size_t)t->bodies_count;
    const int contacts = t->bodies != NULL ? t->bodies->plan.contacts : 0;
    const int64_t touches = contacts < LG_VIEW_TOUCHES ? contacts : LG_VIEW_TOUCHES;
    const int64_t bytes = 8 * (int64_t)t->columns + 4 * ((int64_t)pose + t->arrows_size + LG_VIEW_TOUCH * touches);
    t->every = 1;
    t->most = MOST_BYTES / bytes > MOST_ROWS    ? MOST_ROWS
              : MOST_BYTES / bytes < LEAST_ROWS ? LEAST_ROWS
                                                : MOST_BYTES / bytes;
    t->most -= t->most % 2;
    t->text = calloc((size_t)t->columns, sizeof *t->text);
    t->last = calloc((size_t)t->columns, sizeof *t->last);
    t->pose = calloc(pose + 1, sizeof *t->pose);
    if (t->text == NULL || t->last == NULL || t->pose == NULL) return lg_view_no_memory(v);
    lg_status status = lg_scene_json(scene, &json);
    if (status != LG_OK) return lg_fail(&v->error, status, "%s", lg_scene_message(scene));
    status = lg_view_keep(v, &t->label, label);
    if (status == LG_OK) status = lg_view_keep(v, &t->note, "");
    return status == LG_OK ? lg_view_keep(v, &t->scene, json) : status;
}

/* The track becomes one of the view's. It is freed if that fails. */
static lg_status admit(lg_view *v, int *track, lg_view_track *t, lg_status status)
{
    lg_view_track *more = NULL;
    if (status == LG_OK) {
        more = realloc(v->tracks, (size_t)(v->count + 1) * sizeof *more);
        if (more == NULL) status = lg_view_no_memory(v);
    }
    if (status != LG_OK) {
        free_track(t);
        return status;
    }
    v->tracks = more;
    more[v->count] = *t;
    *track = v->count++;
    return LG_OK;
}

/* A scene is const to those who ask for it, but the text it makes is its own. */
static lg_status model_scene(lg_view *v, lg_model *M, lg_scene **scene)
{
    const lg_scene *of;
    const lg_status status = lg_model_scene(M, &of);
    if (status != LG_OK) return lg_fail(&v->error, status, "%s", lg_model_message(M));
    *scene = M->scene;
    return LG_OK;
}

lg_status lg_view_add(lg_view *v, int *track, lg_model *M, const char *label)
{
    lg_scene *scene = NULL;
    if (v == NULL || track == NULL || M == NULL || label == NULL) return lg_view_null(v);
    lg_status status = lg_model_now(&M, M);
    if (status != LG_OK) return lg_fail(&v->error, status, "%s", lg_model_message(M));
    lg_view_track t = {.M = M};
    status = model_scene(v, M, &scene);
    if (status != LG_OK) return status;
    t.bodies_count = lg_scene_body_count(scene);
    t.columns = lg_model_column_count(M);
    if (M->mechanism != NULL)
        status = mb_sparse_create(&t.bodies, M->mechanism, NULL, 0.01);
    else if ((t.element = calloc((size_t)M->group->element_size, sizeof *t.element)) == NULL)
        status = LG_ERROR_MEMORY;
    if (status == LG_OK) status = lg_view_arrows_begin(&t);
    status = status != LG_OK ? lg_view_no_memory(v) : fill_track(v, &t, label, scene);
    for (int i = 0; status == LG_OK && i < t.columns; i++) {
        status = lg_view_keep(v, &t.text[i].name, lg_model_column(M, i)->name);
        if (status == LG_OK) status = lg_view_keep(v, &t.text[i].unit, lg_model_column(M, i)->unit);
        if (status == LG_OK) status = lg_view_keep(v, &t.text[i].meaning, lg_model_column(M, i)->meaning);
    }
    return admit(v, track, &t, status);
}

lg_status lg_view_column(lg_view *v, int track, int i, const char *unit, const char *meaning)
{
    lg_view_track *t = lg_view_track_of(v, track);
    if (t == NULL) return LG_ERROR_ARGUMENT;
    if (unit == NULL || meaning == NULL) return lg_view_null(v);
    if (i < 0 || i >= t->columns)
        return lg_fail(&v->error, LG_ERROR_ARGUMENT, "there is no column %d: track %d has %d", i, track, t->columns);
    const lg_status status = lg_view_keep(v, &t->text[i].unit, unit);
    return status == LG_OK ? lg_view_keep(v, &t->text[i].meaning, meaning) : status;
}

lg_status lg_view_note(lg_view *v, int track, const char *note)
{
    lg_view_track *t = lg_view_track_of(v, track);
    if (t == NULL) return LG_ERROR_ARGUMENT;
    return note == NULL ? lg_view_null(v) : lg_view_keep(v, &t->note, note);
}

/* Rows ------------------------------------------------------------------------------------------------------------ */

/* One factor of it. A method without structure leaves the group: what is nearest to its numbers is shown. */
static lg_status read_factor(lg_view *v, const lg_group *factor, double *g, const double *given)
{
    if (lg_group_columns(factor) != factor->element_size) return lg_columns_read(factor, g, given, &v->error);
    const lg_status status = lg_group_project(factor, g, given);
    return status == LG_OK ? status
                           : lg_fail(&v->error, LG_ERROR_ARGUMENT, "a row holds no element of %s", factor->name);
}

/* The configuration of a row as an element of the group. */
static lg_status read_element(lg_view *v, lg_view_track *t, const double *row)
{
    const double *given = row + LG_ROW_CONFIGURATION;
    double *g = t->element;
    for (int i = 0; i < t->M->columns; i++) {
        if (isfinite(given[i])) continue;
        return lg_fail(&v->error, LG_ERROR_ARGUMENT, "row %lld: '%s' is not finite", (long long)t->seen,
                       t->M->names[LG_ROW_CONFIGURATION + i]);
    }
    for (int f = 0; f < lg_group_factor_count(t->M->group); f++) {
        const lg_group *factor = lg_group_factor(t->M->group, f);
        const lg_status status = read_factor(v, factor, g, given);
        if (status != LG_OK) return status;
        given += lg_group_columns(factor);
        g += factor->element_size;
    }
    return LG_OK;
}

static lg_status find_poses(lg_view *v, lg_view_track *t, const double *row)
{
    lg_status status;
    if (t->bodies == NULL) {
        status = read_element(v, t, row);
        if (status != LG_OK) return status;
        status = lg_model_poses(t->M, t->pose, row[1], t->element);
        return status == LG_OK ? status : lg_fail(&v->error, status, "%s", lg_model_message(t->M));
    }
    status = lg_motion_columns_place(t->M->bodies, t->bodies, row);
    if (status == LG_OK) mb_sparse_poses(t->bodies, t->pose);
    return status == LG_OK ? status : lg_fail(&v->error, status, "%s", t->bodies->head.error.message);
}

/* Every second of the kept rows goes. */
static void thin(lg_view_track *t)
{
    const size_t pose = LG_POSE_SIZE * (size_t)t->bodies_count, columns = (size_t)t->columns;
    const size_t arrows = (size_t)t->arrows_size;
    for (int64_t i = 1; 2 * i < t->kept; i++) {
        memcpy(t->rows + (size_t)i * columns, t->rows + (size_t)(2 * i) * columns, columns * sizeof *t->rows);
        memcpy(t->poses + (size_t)i * pose, t->poses + (size_t)(2 * i) * pose, pose * sizeof *t->poses);
        memcpy(t->arrows + (size_t)i * arrows, t->arrows + (size_t)(2 * i) * arrows, arrows * sizeof *t->arrows);
        const lg_view_touch gone = t->touch[i];
        t->touch[i] = t->touch[2 * i], t->touch[2 * i] = gone;
    }
    t->kept = (t->kept + 1) / 2;
    t->every *= 2;
}

/* Room for one more row, and for the poses of the last one. */
static lg_status make_room(lg_view *v, lg_view_track *t)
{
    const size_t pose = LG_POSE_SIZE * (size_t)t->bodies_count;
    if (t->kept + 1 < t->room) return LG_OK;
    const int64_t room = t->room == 0 ? FIRST_ROWS : 2 * t->room;
    double *rows = realloc(t->rows, (size_t)room * (size_t)t->columns * sizeof *rows);
    if (rows == NULL) return lg_view_no_memory(v);
    t->rows = rows;
    float *poses = realloc(t->poses, ((size_t)room * pose + 1) * sizeof *poses);
    if (poses == NULL) return lg_view_no_memory(v);
    t->poses = poses;
    float *arrows = realloc(t->arrows, ((size_t)room * (size_t)t->arrows_size + 1) * sizeof *arrows);
    if (arrows == NULL) return lg_view_no_memory(v);
    t->arrows = arrows;
    lg_view_touch *touch = realloc(t->touch, (size_t)room * sizeof *touch);
    if (touch == NULL) return lg_view_no_memory(v);
    memset(touch + t->room, 0, (size_t)(room - t->room) * sizeof *touch);
    t->touch = touch;
    t->room = room;
    return LG_OK;
}

int lg_view_has_tail(const lg_view_track *t)
{
    return t->seen > 0 && (t->seen - 1) % t->every != 0;
}

lg_status lg_view_row(lg_view *v, int track, const double *row)
{
    lg_view_track *t = lg_view_track_of(v, track);
    if (t == NULL) return LG_ERROR_ARGUMENT;
    if (row == NULL) return lg_view_null(v);
    lg_status status = make_room(v, t);
    if (status == LG_OK) status = find_poses(v, t, row);
    if (status != LG_OK) return status;
    if (t->seen % t->every == 0 && t->kept == t->most - 1) thin(t); /* with the last row, `most` */
    const size_t pose = LG_POSE_SIZE * (size_t)t->bodies_count;
    float *at = t->poses + (size_t)t->kept * pose;
    for (size_t i = 0; i < pose; i++) at[i] = (float)t->pose[i];
    t->touch[t->kept].count = 0;
    lg_view_arrows_clear(t, t->kept);
    memcpy(t->last, row, (size_t)t->columns * sizeof *row);
    if (t->seen % t->every == 0) {
        memcpy(t->rows + (size_t)t->kept * (size_t)t->columns, row, (size_t)t->columns * sizeof *row);
        t->kept++;
    }
    t->seen++;
    return LG_OK;
}

int64_t lg_view_row_count(const lg_view *v, int track)
{
    if (v == NULL || track < 0 || track >= v->count) return 0;
    return v->tracks[track].kept + lg_view_has_tail(&v->tracks[track]);
}
