/* SPDX-License-Identifier: BSD-3-Clause */
/* Pages: tracks of models and of motions, their rows, their data, and the file. */
#include <stdio.h>
#include <string.h>

#include <liegrp/run/view.h>

#include "faults.h"
#include "models.h"
#include "runs.h"
#include "support/motions.h"

enum { ROOM = 1 << 12, ROWS = 70 };

static struct {
    lg_view *v;
    lg_mechanism *m;
    lg_motion *mo;
    lg_model *M;
    int tracks;
} own;

static void close_all(void)
{
    lg_view_destroy(own.v);
    lg_motion_destroy(own.mo);
    lg_model_destroy(own.M);
    lg_mechanism_destroy(own.m);
    memset(&own, 0, sizeof own);
    fault_model_close();
    fault_file_close();
}

static lg_status view(fault_case *c)
{
    lg_view_destroy(own.v);
    own.v = NULL, own.tracks = 0;
    (void)c;
    return lg_view_create(&own.v, "a page", "of a test");
}

/* A first row: that of a model's run is made once for each, it is not what fails here. */
static double first_row[ROOM];
static char row_of[64];

static int keep_row(const double *row, int columns, void *context)
{
    (void)context;
    if (columns > ROOM) suite_fail("a row has %d columns", columns);
    memcpy(first_row, row, (size_t)columns * sizeof *row);
    return 0;
}

static lg_status model_row(fault_case *c)
{
    model_run o = model_run_default();
    lg_run_result r = lg_run_result_default();
    if (strcmp(row_of, c->a) == 0) return LG_OK;
    o.run.steps = 0, o.run.row = keep_row, o.run.accuracy = 0;
    suite_ok("a row", model_run_whole(fault_own.M, &r, &o));
    snprintf(row_of, sizeof row_of, "%s", c->a);
    return LG_OK;
}

static lg_status model_track(fault_case *c)
{
    int track = -1;
    const lg_status st = lg_view_add(own.v, &track, fault_own.M, "sem");
    c->said = lg_view_message(own.v);
    if (st == LG_OK && track != own.tracks++) suite_fail("track %d", track);
    return st;
}

static lg_status motion(fault_case *c)
{
    lg_motion_destroy(own.mo);
    lg_model_destroy(own.M);
    lg_mechanism_destroy(own.m);
    own.M = NULL, own.mo = NULL, own.m = NULL, row_of[0] = 0;
    lg_status st = lg_gallery_create(&own.m, c->i);
    if (st == LG_OK) st = lg_model_of_mechanism(&own.M, own.m, NULL);
    if (st == LG_OK) st = lg_motion_create(&own.mo, own.M, NULL);
    if (st == LG_OK) st = lg_motion_start(own.mo, 0, NULL, 1);
    if (st == LG_OK && lg_model_column_count(own.M) > ROOM) suite_fail("too many columns");
    return st == LG_OK ? lg_motion_row(own.mo, first_row) : st;
}

static lg_status motion_track(fault_case *c)
{
    int track = -1;
    const lg_status st = lg_view_add(own.v, &track, own.M, "sem");
    c->said = lg_view_message(own.v);
    if (st == LG_OK && track != own.tracks++) suite_fail("track %d", track);
    return st;
}

static lg_status texts(fault_case *c)
{
    lg_status st = lg_view_column(own.v, 0, 1, "s", "time");
    if (st == LG_OK) st = lg_view_note(own.v, 0, "ends early");
    if (st == LG_OK) st = lg_view_origin(own.v, "liegrp run", "from a test");
    c->said = lg_view_message(own.v);
    return st;
}

/* So many that memory grows. */
static lg_status rows(fault_case *c)
{
    lg_status st = LG_OK;
    for (int64_t k; st == LG_OK && (k = lg_view_row_count(own.v, 0)) < ROWS;) {
        first_row[0] = (double)k, first_row[1] = 0.01 * (double)k;
        st = lg_view_row(own.v, 0, first_row);
    }
    c->said = lg_view_message(own.v);
    return st;
}

static lg_status json(fault_case *c)
{
    const char *text = NULL;
    const lg_status st = lg_view_json(own.v, &text);
    c->said = lg_view_message(own.v);
    if (st == LG_OK) fault_fold_text(c, text);
    return st;
}

static lg_status write_page(fault_case *c)
{
    fault_file_begin();
    const lg_status st = lg_view_write(own.v, fault_file(), "<pre>" LG_VIEW_MARK "</pre>");
    c->said = lg_view_message(own.v);
    fault_file_end(c, st);
    return st;
}

#define PAGE texts, rows, json, write_page
const fault_row fault_views[] = {
    {.name = "page of a model",
     .first = fault_catalog,
     .stride = 3,
     .verbs = {MODEL, model_row, view, model_track, PAGE},
     .close = close_all,
     .quiet = {FAULT_STREAM, NULL},
     .quiet_most = 1},
    {.name = "page of a motion",
     .first = fault_gallery,
     .stride = 2,
     .verbs = {motion, view, motion_track, PAGE},
     .close = close_all,
     .quiet = {FAULT_STREAM, NULL},
     .quiet_most = 1},
    {.name = NULL},
};
