/* SPDX-License-Identifier: BSD-3-Clause */
/* A mechanism from its creation to its compilation. */
#include "multibody/contact/shapes/shape.h"
#include "multibody/keys.h"
#include "multibody/sensors.h"

#include <liegrp/scene/scene.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/dense.h"

/* ---- the mechanism ---- */

lg_status lg_mechanism_create(lg_mechanism **mechanism)
{
    if (mechanism == NULL) return LG_ERROR_ARGUMENT;
    lg_mechanism *m = calloc(1, sizeof *m);
    *mechanism = m;
    if (m == NULL) return LG_ERROR_MEMORY;
    m->gravity[2] = -9.81;
    return LG_OK;
}

void mb_uncompile(lg_mechanism *m)
{
    for (int i = 0; m->redundant != NULL && m->redundant[i] != NULL; i++) free(m->redundant[i]);
    for (int k = 0; k < MB_KINDS; k++) free(m->made[k]), m->made[k] = NULL;
    free(m->mass), free(m->weight), free(m->inertia), free(m->inverse_inertia);
    free(m->chain), m->chain = NULL, m->chains = 0;
    free(m->coordinate), free(m->force), free(m->ball), free(m->activation), free(m->block), free(m->coordinate_of),
        free(m->link);
    free(m->contact), m->contact = NULL, m->contact_room = 0;
    free(m->nearby), m->nearby = NULL;
    for (mb_polytope *p = m->solid, *next; p != NULL; p = next) next = p->next, free(p);
    m->solid = NULL;
    free(m->tendon_term), free(m->tendon_body), free(m->tendon_pair);
    m->tendon_term = NULL, m->tendon_body = m->tendon_pair = NULL;
    free(m->walk), free(m->pose), free(m->redundant), free(m->all), free(m->excess), free(m->whole_block);
    free(m->shares_load), m->shares_load = NULL;
    if (m->whole_block != NULL) {
        mb_symbolic_free(&m->whole.node), mb_symbolic_free(&m->whole.mean), mb_saddle_free(&m->whole.saddle);
        m->whole_block = NULL;
        memset(&m->whole, 0, sizeof m->whole);
    }
    mb_system_free(m->system), m->system = NULL;
    for (mb_context *c = m->context, *next; c != NULL; c = next) next = c->next, lg_release(c);
    m->context = NULL;
    for (; m->rotors > 0; m->rotors--) mb_part_drop(m, MB_BODIES);
    for (; m->hidden > 0; m->hidden--) mb_part_drop(m, MB_BODIES), mb_part_drop(m, MB_JOINTS);
    free(m->hub), m->hub = NULL;
    free(m->rotor_inertia), m->rotor_inertia = NULL;
    free(m->neighbour), m->neighbour = NULL, m->neighbours = 0;
    mb_symbolic_free(&m->plan.node), mb_symbolic_free(&m->plan.mean), mb_saddle_free(&m->plan.saddle);
    m->mass = m->weight = m->inertia = m->inverse_inertia = m->pose = NULL;
    m->joint = NULL, m->wheel = NULL, m->gear = NULL, m->coordinate = NULL, m->force = NULL, m->ball = NULL;
    m->activation = NULL;
    m->block = m->all = m->excess = NULL, m->all_rows = m->all_count = 0, m->coordinate_of = m->walk = NULL,
    m->link = NULL, m->redundant = NULL;
    memset(&m->plan, 0, sizeof m->plan);
    m->compiled = 0, m->moved[0] = '\0';
}

void lg_mechanism_destroy(lg_mechanism *m)
{
    if (m == NULL) return;
    mb_uncompile(m);
    for (int k = 0; k < MB_KINDS; k++) {
        while (m->part[k].count > 0) mb_part_drop(m, k);
        free(m->part[k].at), free(m->part[k].parameter_end), free(m->part[k].slot);
    }
    for (int i = 0; i < m->remarks; i++) free(m->remark[i]);
    for (int i = 0; i < m->losses; i++) free(m->lost[i]);
    for (int i = 0; i < m->merged_count; i++) free(m->merged[i].name);
    for (int i = 0; i < m->sites; i++) free(m->site[i].name);
    for (int i = 0; i < m->sensors; i++) free(m->sensor[i].name), free(m->sensor[i].part);
    for (int i = 0; i < m->files; i++) free(m->file[i]);
    free(m->remark), free(m->lost), free(m->near), free(m->merged), free(m->site), free(m->sensor), free(m->keys),
        free(m->file);
    lg_scene_destroy(m->look);
    free(m);
}

const char *lg_mechanism_message(const lg_mechanism *m)
{
    return m != NULL ? m->error.message : "lg_mechanism_message: the mechanism is NULL";
}

/* ---- copies ---- */

static lg_status copy_look(lg_scene **copy, const lg_scene *look)
{
    lg_status st = look != NULL ? lg_scene_create(copy) : LG_OK;
    for (int i = 0; st == LG_OK && i < lg_scene_body_count(look); i++)
        st = lg_scene_add_body(*copy, NULL, lg_scene_body_name(look, i));
    for (int i = 0; st == LG_OK && i < lg_scene_shape_count(look); i++)
        st = lg_scene_add(*copy, NULL, lg_scene_shape(look, i));
    return st;
}

lg_status mb_keep_near(lg_mechanism *m, int joint, const double *near, int count)
{
    const size_t room = MB_POSITIONS_MOST * ((size_t)joint + 1);
    if (joint >= m->nears) {
        double *more = realloc(m->near, room * sizeof *more);
        if (more == NULL) return lg_fail(&m->error, LG_ERROR_MEMORY, "out of memory");
        for (size_t i = MB_POSITIONS_MOST * (size_t)m->nears; i < room; i++) more[i] = 0;
        m->near = more, m->nears = joint + 1;
    }
    memcpy(m->near + MB_POSITIONS_MOST * joint, near, (size_t)count * sizeof *near);
    return LG_OK;
}

/* Places on bodies. 0: out of memory. */
static int copy_places(mb_merged **to, int *count, const mb_merged *from, int all)
{
    *to = calloc((size_t)all + 1, sizeof **to);
    if (*to == NULL) return 0;
    for (; *count < all; ++*count) {
        mb_merged *own = &(*to)[*count];
        *own = from[*count];
        if ((own->name = strdup(own->name)) == NULL) return 0;
    }
    return 1;
}

/* Remarks, names of files, links, sites, starts and the step of a file. 0: out of memory. */
static int copy_file(lg_mechanism *m, const lg_mechanism *from)
{
    m->remark = calloc((size_t)from->remarks + 1, sizeof *m->remark);
    m->file = calloc((size_t)from->files + 1, sizeof *m->file);
    if (from->keys != NULL) m->keys = malloc(from->keys->bytes);
    if (m->remark == NULL || m->file == NULL || (from->keys != NULL && m->keys == NULL)) return 0;
    if (from->keys != NULL) memcpy(m->keys, from->keys, from->keys->bytes);
    if (!copy_places(&m->merged, &m->merged_count, from->merged, from->merged_count)) return 0;
    if (!copy_places(&m->site, &m->sites, from->site, from->sites)) return 0;
    m->sensor = calloc((size_t)from->sensors + 1, sizeof *m->sensor);
    for (; m->sensor != NULL && m->sensors < from->sensors; m->sensors++) {
        mb_sensor *to = &m->sensor[m->sensors];
        *to = from->sensor[m->sensors];
        const size_t bytes = (size_t)to->parts * sizeof *to->part;
        to->name = strdup(to->name), to->part = malloc(bytes + 1);
        if (to->name != NULL && to->part != NULL) {
            memcpy(to->part, from->sensor[m->sensors].part, bytes);
            continue;
        }
        free(to->name), free(to->part);
        return 0;
    }
    if (m->sensor == NULL) return 0;
    for (; m->files < from->files; m->files++)
        if ((m->file[m->files] = strdup(from->file[m->files])) == NULL) return 0;
    for (; m->remarks < from->remarks; m->remarks++)
        if ((m->remark[m->remarks] = strdup(from->remark[m->remarks])) == NULL) return 0;
    for (int j = 0; j < from->nears; j++)
        if (mb_keep_near(m, j, from->near + MB_POSITIONS_MOST * j, MB_POSITIONS_MOST) != LG_OK) return 0;
    m->file_step = from->file_step, m->unchecked = from->unchecked, m->shaped = from->shaped;
    return 1;
}

lg_status mb_describe_again(lg_mechanism **copy, const lg_mechanism *m)
{
    lg_status st = lg_mechanism_create(copy);
    if (st != LG_OK) return st;
    st = mb_copy_parts(*copy, m);
    if (st == LG_OK && !copy_file(*copy, m)) st = LG_ERROR_MEMORY;
    if (st == LG_OK) st = copy_look(&(*copy)->look, m->look);
    memcpy((*copy)->gravity, m->gravity, sizeof m->gravity);
    (*copy)->keep_order = m->keep_order, (*copy)->altered = m->altered, (*copy)->gallery = m->gallery;
    return st;
}

/* ---- compilation ---- */

static lg_status before_compilation(lg_mechanism *m, const char *function)
{
    lg_error_clear(&m->error);
    if (!m->compiled) return LG_OK;
    return lg_fail(&m->error, LG_ERROR_ARGUMENT, "%s: the mechanism is compiled already", function);
}

lg_status lg_mechanism_set_gravity(lg_mechanism *m, const double *gravity)
{
    if (m == NULL) return LG_ERROR_ARGUMENT;
    const lg_status st = before_compilation(m, "lg_mechanism_set_gravity");
    if (st != LG_OK) return st;
    if (gravity == NULL || !lg_all_finite(gravity, 3))
        return lg_fail(&m->error, LG_ERROR_ARGUMENT, "lg_mechanism_set_gravity: three finite numbers are needed");
    memcpy(m->gravity, gravity, sizeof m->gravity);
    return LG_OK;
}

lg_status lg_mechanism_keep_order(lg_mechanism *m)
{
    if (m == NULL) return LG_ERROR_ARGUMENT;
    const lg_status st = before_compilation(m, "lg_mechanism_keep_order");
    if (st == LG_OK) m->keep_order = 1;
    return st;
}

lg_status lg_mechanism_compile(lg_mechanism *m)
{
    if (m == NULL) return LG_ERROR_ARGUMENT;
    lg_status st = before_compilation(m, "lg_mechanism_compile");
    if (st != LG_OK) return st;
    if (m->part[MB_BODIES].count == 0)
        return lg_fail(&m->error, LG_ERROR_ARGUMENT, "lg_mechanism_compile: there is no body");
    st = mb_check_altered(m);
    if (st == LG_OK) st = mb_split_hubs(m);
    if (st == LG_OK) st = mb_add_rotors(m);
    if (st == LG_OK) st = mb_make_parts(m);
    if (st == LG_OK) st = mb_make_tree(m);
    if (st == LG_OK) st = mb_make_blocks(m);
    if (st == LG_OK && (!mb_saddle_make(&m->plan) || !mb_make_whole(m)))
        st = lg_fail(&m->error, LG_ERROR_MEMORY, "lg_mechanism_compile: out of memory");
    if (st == LG_OK)
        m->compiled = 1;
    else
        mb_uncompile(m);
    return st;
}
