/* SPDX-License-Identifier: BSD-3-Clause */
/* Height fields of MJCF as terrain. MuJoCo scales elevations to lie between 0 and 1; the first row is that of the
 * greatest y. */
#include <math.h>
#include <string.h>

#include "multibody/files/mjcf.h"

/* The <hfield> that a geom names. */
static mb_element *find(mj_reader *o, mb_element *geom)
{
    const char *name = mb_needed_text(o->r, geom, "hfield");
    mb_element *root = o->r->document.root;
    for (mb_element *s = mb_each_element(root, "asset", NULL); s != NULL; s = mb_each_element(root, "asset", s))
        for (mb_element *e = mb_each_element(s, "hfield", NULL); e != NULL; e = mb_each_element(s, "hfield", e)) {
            const char *own = mb_text(e, "name");
            if (name != NULL && own != NULL && strcmp(own, name) == 0) return s->read = 1, e;
        }
    if (o->r->status == LG_OK) mb_refuse(o->r, geom, "there is no <hfield name=\"%.60s\"> in <asset>", name);
    return NULL;
}

int mj_hfield(mj_reader *o, mb_element *geom, lg_surface *s)
{
    mb_reader *r = o->r;
    mb_element *e = find(o, geom);
    double size[4] = {0}, *given, low = INFINITY, high = -INFINITY;
    if (e == NULL) return 0;
    if (mb_text(e, "file") != NULL)
        mb_refuse_as(r, LG_ERROR_UNSUPPORTED, e,
                     "a height field in a file is not read; write its numbers into the attribute elevation, or without "
                     "it: --ignore hfield (lg_mechanism_file::ignore)");
    s->kind = LG_SURFACE_HEIGHTS, s->rows = mb_whole(r, e, "nrow", 0), s->columns = mb_whole(r, e, "ncol", 0);
    if (mb_needed_text(r, e, "size") != NULL) (void)mb_numbers(r, e, "size", size, 4, 4);
    const int count = mb_list(r, e, "elevation", &given, LG_TERRAIN_MOST);
    const int sized = s->rows > 1 && s->columns > 1 && s->rows <= LG_TERRAIN_MOST / s->columns;
    if (r->status == LG_OK && !sized)
        mb_refuse(r, e, "nrow is %d and ncol %d; give 2 of each or more, and at most %d heights", s->rows, s->columns,
                  LG_TERRAIN_MOST);
    if (r->status == LG_OK && count > 0 && count != s->rows * s->columns)
        mb_refuse(r, e, "elevation has %d numbers, not %d x %d", count, s->rows, s->columns);
    double *height = r->status == LG_OK ? mb_take(r, (size_t)s->rows * (size_t)s->columns * sizeof *height) : NULL;
    if (height == NULL) return 0;
    for (int i = 0; i < count; i++) low = fmin(low, given[i]), high = fmax(high, given[i]);
    for (int i = 0; i < s->rows * s->columns; i++) {
        const int row = s->rows - 1 - i / s->columns, at = row * s->columns + i % s->columns;
        height[i] = count > 0 && high > low ? size[2] * (given[at] - low) / (high - low) : 0;
    }
    s->height = height, s->half[0] = size[0], s->half[1] = size[1], e->read = 1;
    return 1;
}
