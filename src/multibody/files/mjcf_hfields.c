/* SPDX-License-Identifier: BSD-3-Clause */
/* Height fields of MJCF as terrain. MuJoCo scales heights to lie between 0 and 1. The first row of the attribute
 * `elevation` is that of the greatest y, and that of a surface the one of the least. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "multibody/files/mjcf.h"
#include "scene/field/field.h"

/* The <hfield> that a geom names. */
static mb_element *find(mj_reader *o, mb_element *geom)
{
    const char *name = mb_needed_text(o->r, geom, "hfield");
    mb_element *root = o->r->document.root;
    for (mb_element *s = mb_each_element(root, "asset", NULL); s != NULL; s = mb_each_element(root, "asset", s))
        for (mb_element *e = mb_each_element(s, "hfield", NULL); e != NULL; e = mb_each_element(s, "hfield", e))
            if (name != NULL && strcmp(mj_name_of_asset(o->r, e), name) == 0) return s->read = 1, e;
    if (o->r->status == LG_OK) mb_refuse(o->r, geom, "there is no <hfield name=\"%.60s\"> in <asset>", name);
    return NULL;
}

/* Heights of the file that the element names, as a surface has them. NULL: refused. */
static double *heights_of_file(mj_reader *o, mb_element *e, const char *file, lg_surface *s)
{
    static const char *const formats[] = {"image/vnd.mujoco.hfield", "image/png", NULL};
    mb_reader *r = o->r;
    lg_error error;
    lg_field field = {0};
    const int format = mb_choice(r, e, "content_type", formats, -1);
    if (mb_whole(r, e, "nrow", 0) != 0 || mb_whole(r, e, "ncol", 0) != 0 || mb_text(e, "elevation") != NULL)
        mb_refuse(r, e, "<hfield> has a file, and nrow, ncol or elevation beside it; leave one");
    char *path = r->status == LG_OK ? mj_find_file(r, e, mj_path_of_asset(o, e, file)) : NULL;
    if (path == NULL) return NULL;
    const lg_status st =
        lg_field_read(&field, path, format < 0 ? LG_FIELD_BY_NAME : (lg_field_format)(LG_FIELD_MUJOCO + format),
                      LG_TERRAIN_MOST, &error);
    free(path);
    if (st != LG_OK) mb_refuse_as(r, st, e, "%s", error.message);
    if (field.bits == 16) mb_note(r, e, "all 16 bits of the image are heights; MuJoCo reads the upper 8 of them");
    const size_t size = (size_t)field.rows * (size_t)field.columns * sizeof(double);
    double *height = r->status == LG_OK ? mb_take(r, size) : NULL;
    if (height != NULL) memcpy(height, field.height, size), s->rows = field.rows, s->columns = field.columns;
    lg_field_free(&field);
    return height;
}

/* Heights of the attribute `elevation`, all 0 without it, as a surface has them. NULL: refused. */
static double *heights_of_element(mb_reader *r, mb_element *e, lg_surface *s)
{
    double *given;
    s->rows = mb_whole(r, e, "nrow", 0), s->columns = mb_whole(r, e, "ncol", 0);
    const int count = mb_list(r, e, "elevation", &given, LG_TERRAIN_MOST);
    if (r->status == LG_OK && !(s->rows > 0 && s->columns > 0 && s->rows <= LG_TERRAIN_MOST / s->columns))
        mb_refuse(r, e, "nrow is %d and ncol %d; give 2 of each or more, and at most %d heights", s->rows, s->columns,
                  LG_TERRAIN_MOST);
    if (r->status == LG_OK && count > 0 && count != s->rows * s->columns)
        mb_refuse(r, e, "elevation has %d numbers, not %d x %d", count, s->rows, s->columns);
    double *height = r->status == LG_OK ? mb_take(r, (size_t)s->rows * (size_t)s->columns * sizeof *height) : NULL;
    for (int i = 0; height != NULL && i < s->rows * s->columns; i++) {
        const int row = s->rows - 1 - i / s->columns;
        height[i] = count > 0 ? given[row * s->columns + i % s->columns] : 0;
    }
    return height;
}

int mj_hfield(mj_reader *o, mb_element *geom, lg_surface *s)
{
    mb_reader *r = o->r;
    mb_element *e = find(o, geom);
    double size[4] = {0}, low = INFINITY, high = -INFINITY;
    if (e == NULL) return 0;
    const char *file = mb_text(e, "file");
    double *height = file != NULL && file[0] ? heights_of_file(o, e, file, s) : heights_of_element(r, e, s);
    if (mb_needed_text(r, e, "size") != NULL) (void)mb_numbers(r, e, "size", size, 4, 4);
    for (int k = 0; k < 4 && r->status == LG_OK; k++)
        if (!(size[k] > 0)) mb_refuse(r, e, "number %d of size is %g; it must be positive", k + 1, size[k]);
    if (r->status == LG_OK && (s->rows < 2 || s->columns < 2))
        mb_refuse(r, e, "%d rows and %d columns of heights; give 2 of each or more", s->rows, s->columns);
    if (r->status != LG_OK) return 0;
    const int count = s->rows * s->columns;
    for (int i = 0; i < count; i++) low = fmin(low, height[i]), high = fmax(high, height[i]);
    for (int i = 0; i < count; i++) height[i] = high > low ? size[2] * (height[i] - low) / (high - low) : 0;
    s->kind = LG_SURFACE_HEIGHTS, s->height = height, s->half[0] = size[0], s->half[1] = size[1], e->read = 1;
    return 1;
}
