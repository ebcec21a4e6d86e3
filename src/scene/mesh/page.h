/* SPDX-License-Identifier: BSD-3-Clause */
/** @file page.h
 *  Meshes in a scene's text: each file once and each hull, coarser than it is. */
#ifndef LIEGRP_SRC_SCENE_MESH_PAGE_H
#define LIEGRP_SRC_SCENE_MESH_PAGE_H

#include <liegrp/scene/scene.h>

#include "base/json.h"

/** Bounds of one scene: files; triangles of all of them, about, and of each. */
enum { LG_MESH_FILES = 300, LG_MESH_TRIANGLES = 40000, LG_MESH_TRIANGLES_EACH = 4000 };

/** The files and hulls of a scene, by their first shapes, in their order. Must be zero-initialised. */
typedef struct lg_mesh_list {
    const lg_shape *first[LG_MESH_FILES];
    int count;
    int *of; /**< the caller's: of each shape */
} lg_mesh_list;

/** The number of a shape's file or hull in the list; -1: it has none, or the list is full. */
int lg_mesh_list_add(lg_mesh_list *list, const lg_shape *s);
/** Makes the meshes one after the other and writes the member "meshes". One that cannot be shown has a "fault". */
void lg_mesh_list_write(const lg_mesh_list *list, lg_json *j);

#endif
