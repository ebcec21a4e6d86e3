/* SPDX-License-Identifier: BSD-3-Clause */
/* The page of a view: its data as JSON, numbers in base64, and the file. web/README.md describes the data. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <liegrp/base/version.h>

#include "base/base64.h"
#include "base/file.h"
#include "base/json.h"
#include "run/view_private.h"

/* JSON ------------------------------------------------------------------------------------------------------------ */

static void add_column(lg_json *j, const lg_view_track *t, int i, char *scratch)
{
    lg_base64 c = {.at = scratch};
    for (int64_t k = 0; k < t->kept; k++) lg_base64_double(&c, t->rows[k * t->columns + i]);
    if (lg_view_has_tail(t)) lg_base64_double(&c, t->last[i]);
    lg_base64_finish(&c);
    lg_json_open(j, NULL, '{');
    lg_json_text(j, "name", t->text[i].name);
    lg_json_text(j, "unit", t->text[i].unit);
    lg_json_text(j, "meaning", t->text[i].meaning);
    lg_json_text(j, "values", scratch);
    lg_json_close(j, '}');
}

/* `like`: an earlier track that has this scene; -1: none. */
static void add_track(lg_json *j, const lg_view_track *t, int like, int64_t rows, char *scratch)
{
    lg_base64 c = {.at = scratch};
    const int64_t numbers = rows * t->bodies_count * LG_POSE_SIZE;
    for (int64_t k = 0; k < numbers; k++) lg_base64_float(&c, t->poses[k]);
    lg_base64_finish(&c);
    lg_json_open(j, NULL, '{');
    lg_json_text(j, "label", t->label);
    lg_json_text(j, "note", t->note);
    lg_json_whole(j, "rows", rows);
    lg_json_whole(j, "every", t->every);
    if (like >= 0)
        lg_json_whole(j, "scene", like);
    else
        lg_json_raw(j, "scene", t->scene);
    lg_json_text(j, "poses", scratch);
    lg_view_touches_write(j, t, rows, scratch);
    lg_view_arrows_write(j, t, rows, scratch);
    lg_json_open(j, "columns", '[');
    for (int i = 0; i < t->columns; i++) add_column(j, t, i, scratch);
    lg_json_close(j, ']');
    lg_json_close(j, '}');
}

/* Bytes that the longest array of numbers takes as text. */
static size_t longest(const lg_view *v)
{
    size_t bytes = 0;
    for (int i = 0; i < v->count; i++) {
        const lg_view_track *t = &v->tracks[i];
        const size_t rows = (size_t)t->kept + 1, poses = 4 * LG_POSE_SIZE * (size_t)t->bodies_count;
        const size_t row = poses > 8 ? poses : 8;
        const size_t touches = 4 * LG_VIEW_TOUCH * (size_t)lg_view_touches_count(t, t->kept + lg_view_has_tail(t));
        if (rows * row > bytes) bytes = rows * row;
        if (touches > bytes) bytes = touches;
        if (4 * rows * (size_t)t->arrows_size > bytes) bytes = 4 * rows * (size_t)t->arrows_size;
    }
    const size_t chart = 8 * (size_t)lg_view_charts_longest(v);
    return LG_BASE64_ROOM(chart > bytes ? chart : bytes);
}

/* '<' stands in texts alone, where JSON has another way to write it: nothing ends the page's element. To be freed;
 * NULL: out of memory. */
static char *without_tags(const char *text)
{
    size_t tags = 0;
    for (const char *p = strchr(text, '<'); p != NULL; p = strchr(p + 1, '<')) tags++;
    char *out = malloc(strlen(text) + 5 * tags + 1), *at = out;
    for (const char *p = text; out != NULL && *p != '\0'; p++) {
        if (*p == '<')
            memcpy(at, "\\u003c", 6), at += 6;
        else
            *at++ = *p;
    }
    if (out != NULL) *at = '\0';
    return out;
}

/* The first track before track i that has its scene; -1: none. */
static int scene_like(const lg_view *v, int i)
{
    for (int k = 0; k < i; k++)
        if (strcmp(v->tracks[k].scene, v->tracks[i].scene) == 0) return k;
    return -1;
}

lg_status lg_view_json(lg_view *v, const char **text)
{
    if (v == NULL) return LG_ERROR_ARGUMENT;
    if (text == NULL) return lg_fail(&v->error, LG_ERROR_ARGUMENT, "a pointer is NULL");
    lg_json j = {0};
    char *scratch = malloc(longest(v));
    free(v->json);
    v->json = NULL;
    if (scratch != NULL) {
        lg_json_open(&j, NULL, '{');
        lg_json_whole(&j, "format", 1);
        lg_json_text(&j, "title", v->title);
        lg_json_text(&j, "summary", v->summary);
        lg_json_text(&j, "command", v->command != NULL ? v->command : "");
        lg_json_text(&j, "provenance", v->provenance != NULL ? v->provenance : "");
        lg_json_text(&j, "version", lg_version());
        lg_json_open(&j, "tracks", '[');
        for (int i = 0; i < v->count; i++)
            add_track(&j, &v->tracks[i], scene_like(v, i), lg_view_row_count(v, i), scratch);
        lg_json_close(&j, ']');
        lg_view_charts_write(&j, v, scratch);
        lg_json_close(&j, '}');
        if (!j.failed) v->json = without_tags(j.text);
    }
    lg_json_free(&j);
    free(scratch);
    *text = v->json;
    return v->json != NULL ? LG_OK : lg_fail(&v->error, LG_ERROR_MEMORY, "out of memory for a page");
}

/* The file -------------------------------------------------------------------------------------------------------- */

lg_status lg_view_write(lg_view *v, const char *path, const char *page)
{
    const char *json;
    lg_file *file;
    if (v == NULL) return LG_ERROR_ARGUMENT;
    if (path == NULL || page == NULL) return lg_fail(&v->error, LG_ERROR_ARGUMENT, "a pointer is NULL");
    const char *mark = strstr(page, LG_VIEW_MARK), *rest = mark != NULL ? mark + strlen(LG_VIEW_MARK) : NULL;
    if (mark == NULL || strstr(rest, LG_VIEW_MARK) != NULL)
        return lg_fail(&v->error, LG_ERROR_ARGUMENT, "the text of the page must hold %s once", LG_VIEW_MARK);
    lg_status status = lg_view_json(v, &json);
    if (status != LG_OK) return status;
    status = lg_file_open(&file, path, &v->error);
    if (status != LG_OK) return status;
    FILE *out = lg_file_stream(file);
    (void)fwrite(page, 1, (size_t)(mark - page), out); /* closing knows if one of these failed */
    (void)fputs(json, out);
    (void)fputs(rest, out);
    return lg_file_close(file, 1, &v->error);
}
