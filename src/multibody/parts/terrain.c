/* SPDX-License-Identifier: BSD-3-Clause */
/* Surfaces that are terrain: triangles and height fields of the world. */
#include "multibody/contact/meet.h"
#include "multibody/contact/shapes/terrain.h"
#include "multibody/parts/part.h"

static lg_status check_triangles(lg_mechanism *m, const lg_surface *s)
{
    if (s->points < 3 || s->points > LG_TERRAIN_MOST || s->point == NULL)
        return lg_fail(&m->error, LG_ERROR_ARGUMENT, "surface '%.60s': triangles have %d points; give 3 to %d", s->name,
                       s->point != NULL ? s->points : 0, LG_TERRAIN_MOST);
    if (s->triangles < 1 || s->triangles > LG_TERRAIN_MOST || s->triangle == NULL)
        return lg_fail(&m->error, LG_ERROR_ARGUMENT, "surface '%.60s': it has %d triangles; give 1 to %d", s->name,
                       s->triangle != NULL ? s->triangles : 0, LG_TERRAIN_MOST);
    if (!lg_all_finite(s->point, 3 * s->points))
        return lg_fail(&m->error, LG_ERROR_ARGUMENT, "surface '%.60s': a point is not finite", s->name);
    for (int i = 0; i < 3 * s->triangles; i++)
        if (s->triangle[i] < 0 || s->triangle[i] >= s->points)
            return lg_fail(&m->error, LG_ERROR_ARGUMENT,
                           "surface '%.60s': triangle %d names point %d; there are %d, from 0", s->name, i / 3,
                           s->triangle[i], s->points);
    return LG_OK;
}

static lg_status check_heights(lg_mechanism *m, const lg_surface *s)
{
    if (s->rows < 2 || s->columns < 2 || s->rows > LG_TERRAIN_MOST / s->columns || s->height == NULL)
        return lg_fail(&m->error, LG_ERROR_ARGUMENT,
                       "surface '%.60s': heights of %d rows and %d columns; give 2 of each or more, and at most %d "
                       "heights",
                       s->name, s->rows, s->columns, LG_TERRAIN_MOST);
    for (int i = 0; i < s->rows * s->columns; i++)
        if (!isfinite(s->height[i]))
            return lg_fail(&m->error, LG_ERROR_ARGUMENT,
                           "surface '%.60s': the height in row %d, column %d is %g; it must be finite", s->name,
                           i / s->columns, i % s->columns, s->height[i]);
    return LG_OK;
}

lg_status mb_check_terrain(lg_mechanism *m, const lg_surface *s)
{
    const char *kind = lg_surface_kind_name(s->kind);
    if (s->kind != LG_SURFACE_TRIANGLES && s->triangles != 0)
        return lg_fail(&m->error, LG_ERROR_ARGUMENT,
                       "surface '%.60s': of kind %s it has no triangles; only kind triangles has", s->name, kind);
    if (s->kind != LG_SURFACE_HEIGHTS && (s->rows != 0 || s->columns != 0))
        return lg_fail(&m->error, LG_ERROR_ARGUMENT,
                       "surface '%.60s': of kind %s it has no rows and columns; only kind heights has", s->name, kind);
    if (s->kind < LG_SURFACE_TRIANGLES) return LG_OK;
    if (s->body != NULL)
        return lg_fail(&m->error, LG_ERROR_UNSUPPORTED,
                       "surface '%.60s': terrain does not move, and cannot be of body '%.60s'; leave its body out, or "
                       "take hulls and boxes for it",
                       s->name, s->body);
    if (s->friction_along >= 0)
        return lg_fail(&m->error, LG_ERROR_ARGUMENT,
                       "surface '%.60s': terrain has no heading; friction_along is that of what slides on a plane",
                       s->name);
    return s->kind == LG_SURFACE_HEIGHTS ? check_heights(m, s) : check_triangles(m, s);
}

lg_status mb_make_terrain(lg_mechanism *m, mb_surface *s, const lg_surface *from)
{
    const char *why = NULL;
    int where = 0;
    mb_terrain *g = from->kind == LG_SURFACE_HEIGHTS
                        ? mb_terrain_of_heights(from->height, from->rows, from->columns, from->half, &why)
                        : mb_terrain_make(from->point, from->points, from->triangle, from->triangles, &why, &where);
    if (g == NULL && why == NULL) return lg_fail(&m->error, LG_ERROR_MEMORY, "lg_mechanism_compile: out of memory");
    if (g == NULL)
        return lg_fail(&m->error, LG_ERROR_ARGUMENT, "lg_mechanism_compile: surface '%.60s': triangle %d %s",
                       from->name, where, why);
    g->link.next = m->solid, m->solid = &g->link, s->shape.terrain = g;
    return LG_OK;
}
