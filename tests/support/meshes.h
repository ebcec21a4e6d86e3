/* SPDX-License-Identifier: BSD-3-Clause */
/** @file meshes.h
 *  Meshes of known shape, and the bytes of files with them. */
#ifndef TESTS_SUPPORT_MESHES_H
#define TESTS_SUPPORT_MESHES_H

#include "scene/mesh/mesh.h"
#include "support/suite.h"

/** A file in memory; free `bytes`. */
typedef struct mesh_file {
    char *bytes;
    size_t size, room;
} mesh_file;

/** Appends bytes, or text. */
void mesh_file_add(mesh_file *f, const void *bytes, size_t size);
void mesh_file_print(mesh_file *f, const char *format, ...) __attribute__((format(printf, 2, 3)));

/** How a mesh is written. */
typedef enum mesh_style { STL_BINARY, STL_ASCII, OBJ, OBJ_BACK, MSH, MESH_STYLES } mesh_style;

/** A name with the ending of the style. */
const char *mesh_style_name(mesh_style style);
lg_mesh_format mesh_style_format(mesh_style style);
/** A mesh in a style; OBJ_BACK: faces between the vertices, with texture coordinates and negative numbers. */
mesh_file mesh_file_of(const lg_mesh *m, mesh_style style);

/** A mesh from points and triangles; fails the test if it cannot be made. */
lg_mesh mesh_of(const double *points, int vertices, const int *triangles, int count);
/** Edge 1, middle 0. */
lg_mesh mesh_cube(void);
/** Corners (1, 1, 1) and its like; edge sqrt(8), middle 0. */
lg_mesh mesh_tetrahedron(void);
/** Corners on the axes; edge sqrt(2). */
lg_mesh mesh_octahedron(void);
/** Edge 2. */
lg_mesh mesh_icosahedron(void);
/** A sphere of radius 1 in n bands. */
lg_mesh mesh_sphere(int n);
/** Another mesh with each point R x + r; R may be NULL. */
lg_mesh mesh_moved(const lg_mesh *m, const double *R, const double *r);

#endif
