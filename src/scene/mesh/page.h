/* SPDX-License-Identifier: BSD-3-Clause */
/** @file page.h
 *  Meshes in a scene's text: each file once, coarser than it is. */
#ifndef LIEGRP_SRC_SCENE_MESH_PAGE_H
#define LIEGRP_SRC_SCENE_MESH_PAGE_H

#include "base/json.h"

/** Bounds of one scene: files; triangles of all of them, about, and of each. */
enum { LG_MESH_FILES = 300, LG_MESH_TRIANGLES = 40000, LG_MESH_TRIANGLES_EACH = 4000 };

/** The files of a scene, in the order of their first shape. Must be zero-initialised. */
typedef struct lg_mesh_list {
    const char *path[LG_MESH_FILES];
    int count;
    int *of; /**< the caller's: of each shape */
} lg_mesh_list;

/** The number of a file (NULL: none) in the list; -1: none, or the list is full. */
int lg_mesh_list_add(lg_mesh_list *list, const char *path);
/** Reads the files one after the other and writes the member "meshes". A file that cannot be shown has a "fault". */
void lg_mesh_list_write(const lg_mesh_list *list, lg_json *j);

#endif
