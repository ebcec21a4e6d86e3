/* SPDX-License-Identifier: BSD-3-Clause */
/* Parts of a mechanism: their kinds, defaults and names, and the lists that hold them. */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/sized.h"
#include "multibody/mechanism.h"

static const lg_sized body_size = LG_SIZED_AS(lg_body, position, "start from lg_body_default()");
static const lg_sized joint_size = LG_SIZED_AS(lg_joint, rest, "start from lg_joint_default()");
static const lg_sized wheel_size = LG_SIZED_AS(lg_wheel, ground_velocity, "start from lg_wheel_default()");
static const lg_sized spring_size = LG_SIZED_AS(lg_spring, rest, "start from lg_spring_default()");
static const lg_sized motor_size = LG_SIZED_AS(lg_motor, joint, "start from lg_motor_default()");
static const lg_sized gear_size = LG_SIZED_AS(lg_gear, ratio, "start from lg_gear_default()");

/* What there is to know of a kind of part. All structs begin with size and name. */
typedef struct part_kind {
    const char *noun;
    const lg_sized *size;
    int names;      /* strings that it has */
    size_t name[3]; /* where */
} part_kind;

static const part_kind kinds[MB_KINDS] = {
    {"body", &body_size, 1, {offsetof(lg_body, name)}},
    {"joint", &joint_size, 3, {offsetof(lg_joint, name), offsetof(lg_joint, parent), offsetof(lg_joint, child)}},
    {"wheel", &wheel_size, 2, {offsetof(lg_wheel, name), offsetof(lg_wheel, body)}},
    {"spring", &spring_size, 3, {offsetof(lg_spring, name), offsetof(lg_spring, parent), offsetof(lg_spring, child)}},
    {"motor", &motor_size, 2, {offsetof(lg_motor, name), offsetof(lg_motor, joint)}},
    {"gear", &gear_size, 3, {offsetof(lg_gear, name), offsetof(lg_gear, joint), offsetof(lg_gear, driver)}},
};

/* ---- defaults ---- */

void lg_body_init(lg_body *body, size_t size)
{
    const lg_body own = {.size = sizeof own, .attitude = {0, 0, 0, 1}};
    lg_sized_give(&body_size, body, size, &own);
}

void lg_joint_init(lg_joint *joint, size_t size)
{
    const lg_joint own = {.size = sizeof own,
                          .kind = LG_JOINT_REVOLUTE,
                          .axis = {0, 0, 1},
                          .parent_frame = {1, 0, 0, 0, 1, 0, 0, 0, 1},
                          .child_frame = {1, 0, 0, 0, 1, 0, 0, 0, 1},
                          .lower = -INFINITY,
                          .upper = INFINITY};
    lg_sized_give(&joint_size, joint, size, &own);
}

void lg_wheel_init(lg_wheel *wheel, size_t size)
{
    const lg_wheel own = {.size = sizeof own, .axle = {0, 1, 0}, .ground_normal = {0, 0, 1}};
    lg_sized_give(&wheel_size, wheel, size, &own);
}

void lg_spring_init(lg_spring *spring, size_t size)
{
    const lg_spring own = {.size = sizeof own, .rest = -1};
    lg_sized_give(&spring_size, spring, size, &own);
}

void lg_motor_init(lg_motor *motor, size_t size)
{
    const lg_motor own = {.size = sizeof own};
    lg_sized_give(&motor_size, motor, size, &own);
}

void lg_gear_init(lg_gear *gear, size_t size)
{
    const lg_gear own = {.size = sizeof own, .ratio = 1};
    lg_sized_give(&gear_size, gear, size, &own);
}

static char **string_at(char *part, const part_kind *kind, int i)
{
    return (char **)(void *)(part + kind->name[i]);
}

/* ---- names ---- */

static const char *name_of(const lg_mechanism *m, int kind, int i)
{
    return *string_at(m->part[kind].at + (size_t)i * kinds[kind].size->size, &kinds[kind], 0);
}

const char *mb_block_noun(const lg_mechanism *m, const mb_block *k, const char **name)
{
    const int part = mb_facts_of(k)->part;
    *name = name_of(m, part, k->source);
    return kinds[part].noun;
}

static int has_name(const lg_mechanism *m, int kind, int i, const char *name, size_t length)
{
    const char *own = name_of(m, kind, i);
    return strncmp(own, name, length) == 0 && own[length] == '\0';
}

/* The slot of a name of `length` characters, or the empty one that it may have. */
static int slot_of(const lg_mechanism *m, int kind, const char *name, size_t length)
{
    const mb_parts *p = &m->part[kind];
    uint64_t hash = 14695981039346656037u;
    for (size_t i = 0; i < length; i++) hash = (hash ^ (unsigned char)name[i]) * 1099511628211u;
    int at = (int)((hash ^ hash >> 32) & (uint64_t)(p->slots - 1));
    while (p->slot[at] >= 0 && !has_name(m, kind, p->slot[at], name, length)) at = (at + 1) & (p->slots - 1);
    return at;
}

static void take_slot(lg_mechanism *m, int kind, int i)
{
    const char *name = name_of(m, kind, i);
    m->part[kind].slot[slot_of(m, kind, name, strlen(name))] = i;
}

/* Twice as many slots as parts, at least. */
static int widen_slots(lg_mechanism *m, int kind)
{
    mb_parts *p = &m->part[kind];
    if (2 * (p->count + 1) <= p->slots) return 1;
    const int slots = p->slots > 0 ? 2 * p->slots : 16;
    int *slot = malloc((size_t)slots * sizeof *slot);
    if (slot == NULL) return 0;
    for (int i = 0; i < slots; i++) slot[i] = -1;
    free(p->slot);
    p->slot = slot, p->slots = slots;
    for (int i = 0; i < p->count; i++) take_slot(m, kind, i);
    return 1;
}

int mb_find_within(const lg_mechanism *m, int kind, const char *name, size_t length)
{
    return m->part[kind].slots > 0 ? m->part[kind].slot[slot_of(m, kind, name, length)] : -1;
}

int mb_find(const lg_mechanism *m, int kind, const char *name)
{
    return name != NULL ? mb_find_within(m, kind, name, strlen(name)) : -1;
}

int mb_seen(const lg_mechanism *m, int kind)
{
    return m->part[kind].count - (kind == MB_BODIES || kind == MB_JOINTS ? m->hidden : 0);
}

/* ---- adding parts ---- */

static char *copy_of(const char *text)
{
    const size_t room = strlen(text) + 1;
    char *copy = malloc(room);
    if (copy != NULL) memcpy(copy, text, room);
    return copy;
}

/* Gives the part strings of its own. */
static int own_strings(char *part, const part_kind *kind)
{
    for (int s = 0; s < kind->names; s++) {
        char **text = string_at(part, kind, s);
        if (*text == NULL || (*text = copy_of(*text)) != NULL) continue;
        while (s-- > 0) free(*string_at(part, kind, s));
        return 0;
    }
    return 1;
}

lg_status mb_part_begin(lg_mechanism *m, int kind, void *own, const void *given)
{
    const part_kind *k = &kinds[kind];
    lg_error_clear(&m->error);
    if (given == NULL)
        return lg_fail(&m->error, LG_ERROR_ARGUMENT, "lg_mechanism_add_%s: the description is NULL", k->noun);
    lg_status st = lg_sized_take(k->size, own, given, &m->error);
    if (st != LG_OK) return st;
    const char *name = *string_at(own, k, 0);
    if (m->compiled)
        return lg_fail(&m->error, LG_ERROR_ARGUMENT,
                       "lg_mechanism_add_%s: the mechanism is compiled; add all parts before", k->noun);
    if (name == NULL || name[0] == 0)
        return lg_fail(&m->error, LG_ERROR_ARGUMENT, "lg_mechanism_add_%s: %s %d has no name", k->noun, k->noun,
                       m->part[kind].count);
    if (mb_find(m, kind, name) >= 0)
        return lg_fail(&m->error, LG_ERROR_ARGUMENT, "%s '%.60s': the name is taken", k->noun, name);
    return LG_OK;
}

lg_status mb_part_append(lg_mechanism *m, int kind, void *own)
{
    const part_kind *k = &kinds[kind];
    mb_parts *p = &m->part[kind];
    if (p->count == p->room) {
        const int room = p->room > 0 ? 2 * p->room : 8;
        char *at = p->room < INT32_MAX / 4 ? realloc(p->at, (size_t)room * k->size->size) : NULL;
        if (at != NULL) p->at = at;
        int *end = at != NULL ? realloc(p->parameter_end, (size_t)room * sizeof *end) : NULL;
        if (end == NULL) return lg_fail(&m->error, LG_ERROR_MEMORY, "lg_mechanism_add_%s: out of memory", k->noun);
        p->parameter_end = end, p->room = room;
    }
    if (!own_strings(own, k)) return lg_fail(&m->error, LG_ERROR_MEMORY, "lg_mechanism_add_%s: out of memory", k->noun);
    memcpy(p->at + (size_t)p->count * k->size->size, own, k->size->size);
    const int before = p->count > 0 ? p->parameter_end[p->count - 1] : 0;
    p->parameter_end[p->count] = before + mb_parameters_of_part(m, kind, p->count);
    p->count++;
    return LG_OK;
}

void mb_part_drop(lg_mechanism *m, int kind)
{
    char *last = m->part[kind].at + (size_t)(--m->part[kind].count) * kinds[kind].size->size;
    for (int s = 0; s < kinds[kind].names; s++) free(*string_at(last, &kinds[kind], s));
}

lg_status mb_part_keep(lg_mechanism *m, int kind, void *own, int *index)
{
    mb_parts *p = &m->part[kind];
    const int i = p->count;
    if (!widen_slots(m, kind))
        return lg_fail(&m->error, LG_ERROR_MEMORY, "lg_mechanism_add_%s: out of memory", kinds[kind].noun);
    const lg_status st = mb_part_append(m, kind, own);
    if (st != LG_OK) return st;
    take_slot(m, kind, i);
    if (index != NULL) *index = i;
    return LG_OK;
}
