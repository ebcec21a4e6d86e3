/* SPDX-License-Identifier: BSD-3-Clause */
/** @file mesh.h
 *  Triangle meshes: read from STL, OBJ and MuJoCo's MSH, their faults, their mass, their convex hull, and coarser ones
 *  to draw. */
#ifndef LIEGRP_SRC_SCENE_MESH_MESH_H
#define LIEGRP_SRC_SCENE_MESH_MESH_H

#include <stddef.h>

#include "base/message.h"

/** The largest file that is read. */
#define LG_MESH_BYTES ((size_t)256 << 20)
/** The largest magnitude of a coordinate: fifth powers, as in an inertia, do not overflow. */
#define LG_MESH_FAR 1e50

/** A mesh that owns its arrays; {0} is an empty one. No two vertices are equal. */
typedef struct lg_mesh {
    int vertices, triangles;
    double *vertex;  /**< 3 coordinates each */
    int *triangle;   /**< 3 vertices each, counterclockwise as seen from outside */
    int first;       /**< number of triangles, from the beginning, of the first object that has any: of an OBJ file with
                          several objects MuJoCo reads this one; all triangles in the other formats */
    int collapsed;   /**< triangles with two equal corners, which were left out */
    int overlapping; /**< faces that could not be cut into triangles without overlap: most cross themselves */
    int mirrored;    /**< 1: the product of the scales is negative */
} lg_mesh;

/** How a file is written. */
typedef enum lg_mesh_format {
    LG_MESH_BY_NAME, /**< by the ending of its name: .stl, .obj or .msh, in upper or lower case */
    LG_MESH_STL,     /**< binary or ASCII, with any number of solids */
    LG_MESH_OBJ,     /**< `v`, `f`, `o` and `g`; other lines are skipped, and free-form surfaces refused */
    LG_MESH_MSH      /**< MuJoCo's own binary format */
} lg_mesh_format;

/** Reads a regular file of at most LG_MESH_BYTES. A mesh may have vertices alone. Equal vertices are merged, and -0 is
 * 0. On failure *m is empty. LG_ERROR_IO: the system's reason, not a regular file, or too large; LG_ERROR_UNSUPPORTED:
 * the format; LG_ERROR_ARGUMENT: the contents, with line or byte; LG_ERROR_MEMORY. */
lg_status lg_mesh_read(lg_mesh *m, const char *path, lg_mesh_format format, lg_error *e);
/** lg_mesh_read() of the bytes of a file; messages begin with `name`, whose ending counts for LG_MESH_BY_NAME. */
lg_status lg_mesh_parse(lg_mesh *m, const void *bytes, size_t size, const char *name, lg_mesh_format format,
                        lg_error *e);
/** A mesh of points alone, three coordinates each, of which equal ones are merged. On failure *m is empty.
 *  LG_ERROR_MEMORY. */
lg_status lg_mesh_of_points(lg_mesh *m, const double *point, int points, const char *name, lg_error *e);
/** A mesh of triangles between these points, three each, of which equal points are merged. On failure *m is empty.
 *  LG_ERROR_MEMORY. */
lg_status lg_mesh_of_triangles(lg_mesh *m, const double *point, int points, const int *triangle, int triangles,
                               const char *name, lg_error *e);
/** Frees the arrays and makes the mesh empty. */
void lg_mesh_free(lg_mesh *m);

/** Multiplies the coordinates by three factors. If their product is negative, each triangle is turned over, so that it
 *  still faces outwards. LG_ERROR_ARGUMENT: a factor is 0 or not finite, or a coordinate exceeds LG_MESH_FAR; the mesh
 *  then stays as it is. */
lg_status lg_mesh_scale(lg_mesh *m, const double *scale, const char *name, lg_error *e);

/** The kinds of mass that MuJoCo distinguishes (`inertia` of <mesh>), with its meaning also for surfaces with holes. */
typedef enum lg_mesh_kind {
    LG_MESH_LEGACY, /**< volumes of tetrahedra, all counted as positive: wrong for shapes that are not star-shaped */
    LG_MESH_EXACT,  /**< signed volumes of tetrahedra: right for every closed surface */
    LG_MESH_CONVEX, /**< of the convex hull */
    LG_MESH_SHELL   /**< of the surface */
} lg_mesh_kind;

/** Mass properties at density 1. */
typedef struct lg_mesh_mass {
    double measure;    /**< volume; area for LG_MESH_SHELL */
    double centre[3];  /**< centre of mass */
    double inertia[9]; /**< about the centre of mass, 3 x 3 */
} lg_mesh_mass;

/** Mass properties. A mesh of vertices alone stands for its convex hull, as in MuJoCo. The tetrahedra have the mean
 *  point of the surface as apex, and for volume and inertia the centre of mass that they gave; the choice matters for
 *  LG_MESH_LEGACY, and for surfaces with holes. LG_ERROR_DOMAIN: no area, no volume, a negative one (the triangles face
 *  inwards), or an inertia that no body has; LG_ERROR_MEMORY, LG_ERROR_UNSUPPORTED as lg_mesh_hull(). */
lg_status lg_mesh_weigh(lg_mesh_mass *mass, const lg_mesh *m, lg_mesh_kind kind, const char *name, lg_error *e);

/** *hull = the convex hull of all vertices, exact: which side of a plane a vertex is on is decided without rounding.
 *  Numbers below 1e-60 of the largest coordinate count as 0. On failure *hull is empty. LG_ERROR_DOMAIN: all vertices
 *  lie in a plane; LG_ERROR_UNSUPPORTED: the hull takes too long; LG_ERROR_MEMORY. */
lg_status lg_mesh_hull(lg_mesh *hull, const lg_mesh *m, const char *name, lg_error *e);

/** Faults of a mesh. An edge of a closed surface belongs to two triangles, which pass it in opposite
 *  directions. */
typedef struct lg_mesh_faults {
    int open_edges;    /**< edges of one triangle only */
    int opposed_edges; /**< other edges that are not passed equally often in both directions */
    int shared_edges;  /**< edges of more than two triangles, passed equally often in both directions: harmless */
    int flat;          /**< triangles without area, those left out by the reader included */
    int overlapping;   /**< as in lg_mesh */
    int mirrored;      /**< as in lg_mesh */
    int triangles;     /**< of the mesh */
    double volume;     /**< signed, from the middle of the mesh: negative if the triangles face inwards */
    double area;       /**< of the surface */
    double extent[3];  /**< lengths of the box around the vertices */
} lg_mesh_faults;

/** Looks for faults. LG_ERROR_MEMORY. */
lg_status lg_mesh_examine(lg_mesh_faults *f, const lg_mesh *m, lg_error *e);
/** 1: the surface is closed, so it has a volume. */
int lg_mesh_is_closed(const lg_mesh_faults *f);
/** The text of the faults, joined by "; ", by the rules of snprintf(); "" for a sound mesh. */
int lg_mesh_describe(char *text, size_t room, const lg_mesh_faults *f);

/** *coarse = a mesh of at most `most` triangles (at least LG_MESH_FEWEST) to draw instead of m. Vertices in one cell of
 * a grid become their mean; triangles that collapse or coincide are left out, so small parts can vanish. A mesh that is
 *  small enough is copied. *moved = the largest distance that a vertex has moved. On failure *coarse is empty.
 *  LG_ERROR_ARGUMENT: `most` is too small; LG_ERROR_MEMORY. */
lg_status lg_mesh_coarsen(lg_mesh *coarse, double *moved, const lg_mesh *m, int most, lg_error *e);
enum { LG_MESH_FEWEST = 128 };

#endif
