/* SPDX-License-Identifier: BSD-3-Clause */
/** @file view_private.h
 *  Inside a view: its tracks (view.c), and the page that is made of them (view_page.c). */
#ifndef LIEGRP_SRC_RUN_VIEW_PRIVATE_H
#define LIEGRP_SRC_RUN_VIEW_PRIVATE_H

#include <liegrp/run/view.h>

#include "base/json.h"
#include "base/message.h"

/** What the page says of a column. */
typedef struct lg_view_text {
    char *name, *unit, *meaning;
} lg_view_text;

/** Contacts in a row that are shown, at most; numbers of one: its number, mode, friction coefficient (0: no cone),
 * point, normal, and force on the second surface. */
enum { LG_VIEW_TOUCHES = 256, LG_VIEW_TOUCH = 12 };
/** Numbers of a body's vectors: velocity, momentum, angular momentum. */
enum { LG_VIEW_BODY_ARROWS = 9 };

/** The contacts of a row. */
typedef struct lg_view_touch {
    int count;
    float *of;
} lg_view_touch;

typedef struct lg_view_track {
    char *label, *note;
    char *scene; /**< JSON */
    int columns, bodies_count;
    lg_view_text *text; /**< a column each */
    /* What finds poses: a model with an element of its group, or with the bodies of its mechanism. */
    lg_model *M;
    double *element;
    struct mb_sparse *bodies;
    /* The rows. */
    int64_t seen, every; /**< rows so far; of these every `every`-th is kept */
    int64_t kept, room, most;
    double *rows, *last;  /**< kept ones, and the last one seen */
    float *poses;         /**< LG_POSE_SIZE a body, of the kept rows and then of the last one */
    double *pose;         /**< scratch of one row */
    lg_view_touch *touch; /**< contacts, of the kept rows and then of the last one */
    int touches_most;     /**< the most contacts of a row, those that are not shown too; 0: there are none */
    float *arrows;        /**< vectors of bodies, then forces of joints, of the rows as `poses`; NaN: unknown */
    int arrows_size, joints_count, has_arrows; /**< numbers of a row; 1: some are known */
    double *work, *state, *twists;             /**< scratch of a model that is no mechanism's */
} lg_view_track;

typedef struct lg_view_line {
    char *label;
    int colour, dash;
    int64_t count;
    double *x, *y; /**< one block, x's */
} lg_view_line;

/** A chart: curves that are in no row. */
typedef struct lg_view_figure {
    char *title, *meaning, *abscissa;
    int logarithmic, count;
    lg_view_line *lines;
} lg_view_figure;

struct lg_view {
    lg_error error;
    char *title, *summary, *command, *provenance;
    lg_view_track *tracks;
    int count;
    lg_view_figure *figures;
    int figure_count;
    char *json; /**< what lg_view_json() made last */
};

/** view.c: failures; *to = a copy of a text in place of what it was, NULL becomes "". */
lg_status lg_view_no_memory(lg_view *v);
lg_status lg_view_null(lg_view *v);
lg_status lg_view_keep(lg_view *v, char **to, const char *text);

/** 1: the last row seen is not among those that are kept, and follows them. */
int lg_view_has_tail(const lg_view_track *t);

/** view.c: NULL, after a message if there is a view: there is no such track. */
lg_view_track *lg_view_track_of(lg_view *v, int track);

/** view_contacts.c: the contacts of a motion that are closed or nearly so, as LG_VIEW_TOUCH numbers each, at most so
 *  many; returns how many there are. */
int lg_view_touches(const lg_motion *mo, float *out, int most);
void lg_view_touches_free(lg_view_track *t);
int64_t lg_view_touches_count(const lg_view_track *t, int64_t rows);
/** The member "contacts" of a track, if it has any. */
void lg_view_touches_write(lg_json *j, const lg_view_track *t, int64_t rows, char *scratch);

/** view_arrows.c: sizes and scratch of vectors; LG_ERROR_MEMORY. All of a row are unknown. The member "arrows". */
lg_status lg_view_arrows_begin(lg_view_track *t);
void lg_view_arrows_free(lg_view_track *t);
void lg_view_arrows_clear(lg_view_track *t, int64_t row);
void lg_view_arrows_write(lg_json *j, const lg_view_track *t, int64_t rows, char *scratch);

/** view_charts.c: the longest curve; the member "charts", if there are any. */
int64_t lg_view_charts_longest(const lg_view *v);
void lg_view_charts_write(lg_json *j, const lg_view *v, char *scratch);
void lg_view_charts_free(lg_view *v);

#endif
