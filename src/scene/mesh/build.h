/* SPDX-License-Identifier: BSD-3-Clause */
/** @file build.h
 *  A mesh that grows, and the text of a file that is read: shared by the readers. */
#ifndef LIEGRP_SRC_SCENE_MESH_BUILD_H
#define LIEGRP_SRC_SCENE_MESH_BUILD_H

#include <stdint.h>

#include "scene/mesh/mesh.h"

/** A mesh that grows. Its status is that of the first failure; the functions do nothing after it. */
typedef struct mesh_build {
    lg_mesh mesh;
    int vertex_room, triangle_room;
    int *slot; /* a hash table of vertices, -1: free */
    uint32_t slots;
    const char *name;
    lg_status status;
    lg_error *error;
} mesh_build;

/** The vertex with these coordinates, a new one if there is none yet; -1 after a failure. */
int mesh_add_vertex(mesh_build *b, const double *x);
/** A triangle, unless two corners are equal. */
void mesh_add_triangle(mesh_build *b, int i, int j, int k);
/** Grows an array of `size` bytes an element that holds *room, for one more than `count`; NULL: out of memory. */
void *mesh_room(mesh_build *b, void *array, int *room, int count, size_t size);
/** Frees the table; the mesh is empty after a failure. Returns the status. */
lg_status mesh_finish(mesh_build *b, lg_mesh *m);

/** A text between two addresses, read word by word. */
typedef struct mesh_text {
    const char *at, *end;
    long line;
    mesh_build *build;
} mesh_text;

/** A word and its length. */
typedef struct mesh_word {
    const char *at;
    size_t length;
} mesh_word;

/** A word as the arguments of "%.*s"; messages make it printable. */
#define MESH_WORD(w) (int)((w).length < 32 ? (w).length : 32), (w).at

/** The text of a file, behind its byte-order mark; refuses one with a zero byte as no file of this `kind`. */
mesh_text mesh_text_of(mesh_build *b, const unsigned char *bytes, size_t size, const char *kind);
/** The next word of the text, or of its line; of length 0 at the end. A backslash at the end of a line continues it. */
mesh_word mesh_next_word(mesh_text *t);
mesh_word mesh_word_of_line(mesh_text *t);
/** Goes to the beginning of the next line. */
void mesh_skip_line(mesh_text *t);
/** 1: the word is this one, in upper or lower case. */
int mesh_is_word(mesh_word w, const char *text);
/** A finite coordinate; 0 after a refusal. */
double mesh_coordinate(mesh_text *t, mesh_word w);

/** Refuse the file at the line of the text, or at a byte. */
void mesh_refuse_line(mesh_text *t, const char *format, ...) LG_PRINTF(2, 3);
void mesh_refuse_byte(mesh_build *b, size_t at, const char *format, ...) LG_PRINTF(3, 4);

/** Numbers of a binary file, in the order of x86. */
uint32_t mesh_count_at(const unsigned char *bytes);
/** Three coordinates at an offset of the file; refuses those that are not finite. */
void mesh_point_at(mesh_build *b, double *x, const unsigned char *bytes, size_t at);

/** The formats. */
void mesh_read_stl(mesh_build *b, const unsigned char *bytes, size_t size);
void mesh_read_obj(mesh_build *b, const unsigned char *bytes, size_t size);
void mesh_read_msh(mesh_build *b, const unsigned char *bytes, size_t size);

#endif
