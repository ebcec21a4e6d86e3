/* SPDX-License-Identifier: BSD-3-Clause */
/** @file view_private.h
 *  Inside a view: its tracks (view.c), and the page that is made of them (view_page.c). */
#ifndef LIEGRP_SRC_RUN_VIEW_PRIVATE_H
#define LIEGRP_SRC_RUN_VIEW_PRIVATE_H

#include <liegrp/run/view.h>

#include "base/message.h"

/** What the page says of a column. */
typedef struct lg_view_text {
    char *name, *unit, *meaning;
} lg_view_text;

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
    double *rows, *last; /**< kept ones, and the last one seen */
    float *poses;        /**< LG_POSE_SIZE a body, of the kept rows and then of the last one */
    double *pose;        /**< scratch of one row */
} lg_view_track;

struct lg_view {
    lg_error error;
    char *title, *summary, *command, *provenance;
    lg_view_track *tracks;
    int count;
    char *json; /**< what lg_view_json() made last */
};

/** 1: the last row seen is not among those that are kept, and follows them. */
int lg_view_has_tail(const lg_view_track *t);

#endif
