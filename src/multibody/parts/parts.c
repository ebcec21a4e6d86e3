/* SPDX-License-Identifier: BSD-3-Clause */
/* The lists that hold the parts of a mechanism, and their names. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <liegrp/multibody/parameters.h>

#include "base/sum.h"
#include "multibody/parts/part.h"

const mb_part_kind *mb_kind_of(int kind)
{
#define MB_PART_KIND(KIND, name) &mb_##name##_part,
    static const mb_part_kind *const kinds[MB_KINDS] = {MB_PART_LIST(MB_PART_KIND)};
#undef MB_PART_KIND
    return kinds[kind];
}

void *mb_part_at(const lg_mechanism *m, int kind, int i)
{
    return m->part[kind].at + (size_t)i * mb_kind_of(kind)->size.size;
}

int mb_normals_before(const lg_mechanism *m, int kind)
{
    int count = 0;
    for (int k = 0; k < kind; k++) count += mb_kind_of(k)->normal ? m->part[k].count : 0;
    return count;
}

static char **string_at(void *part, const mb_part_kind *kind, int i)
{
    return (char **)(void *)((char *)part + kind->string[i]);
}

/* ---- names ---- */

static const char *name_of(const lg_mechanism *m, int kind, int i)
{
    return *string_at(mb_part_at(m, kind, i), mb_kind_of(kind), 0);
}

const char *mb_block_noun(const lg_mechanism *m, const mb_block *k, const char **name)
{
    const int part = mb_facts_of(k)->part;
    *name = name_of(m, part, k->source);
    return mb_kind_of(part)->noun;
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
    const uint64_t hash = lg_sum(LG_SUM, name, length);
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
    const int hidden = kind == MB_BODIES ? m->hidden + m->rotors : kind == MB_JOINTS ? m->hidden : 0;
    return m->part[kind].count - hidden;
}

/* ---- adding parts ---- */

static char *copy_of(const char *text)
{
    const size_t room = strlen(text) + 1;
    char *copy = malloc(room);
    if (copy != NULL) memcpy(copy, text, room);
    return copy;
}

/* Gives the part strings and memory of its own. */
static int own_memory(void *part, const mb_part_kind *kind)
{
    int s = 0;
    for (; s < kind->strings; s++) {
        char **text = string_at(part, kind, s);
        if (*text != NULL && (*text = copy_of(*text)) == NULL) break;
    }
    if (s == kind->strings && (kind->own == NULL || kind->own(part))) return 1;
    while (s-- > 0) free(*string_at(part, kind, s));
    return 0;
}

/* As in lg_mechanism_add_NAME(). */
static const char *function_name(const mb_part_kind *k)
{
    return k->size.name + strlen("lg_");
}

/* *own, the default, becomes what is given, if there may be a new part of this name. */
static lg_status begin(lg_mechanism *m, int kind, void *own, const void *given)
{
    const mb_part_kind *k = mb_kind_of(kind);
    lg_error_clear(&m->error);
    if (given == NULL)
        return lg_fail(&m->error, LG_ERROR_ARGUMENT, "lg_mechanism_add_%s: the description is NULL", function_name(k));
    lg_status st = lg_sized_take(&k->size, own, given, &m->error);
    if (st != LG_OK) return st;
    const char *name = *string_at(own, k, 0);
    if (m->compiled)
        return lg_fail(&m->error, LG_ERROR_ARGUMENT,
                       "lg_mechanism_add_%s: the mechanism is compiled; add all parts before", function_name(k));
    if (name == NULL || name[0] == 0)
        return lg_fail(&m->error, LG_ERROR_ARGUMENT, "lg_mechanism_add_%s: %s %d has no name", function_name(k),
                       k->noun, m->part[kind].count);
    if (mb_find(m, kind, name) >= 0)
        return lg_fail(&m->error, LG_ERROR_ARGUMENT, "%s '%.60s': the name is taken", k->noun, name);
    return LG_OK;
}

static lg_status out_of_memory(lg_mechanism *m, const mb_part_kind *k)
{
    return lg_fail(&m->error, LG_ERROR_MEMORY, "lg_mechanism_add_%s: out of memory", function_name(k));
}

lg_status mb_part_append(lg_mechanism *m, int kind, void *own)
{
    const mb_part_kind *k = mb_kind_of(kind);
    mb_parts *p = &m->part[kind];
    if (p->count == p->room) {
        const int room = p->room > 0 ? 2 * p->room : 8;
        char *at = p->room < INT32_MAX / 4 ? realloc(p->at, (size_t)room * k->size.size) : NULL;
        if (at != NULL) p->at = at;
        int *end = at != NULL ? realloc(p->parameter_end, (size_t)room * sizeof *end) : NULL;
        if (end == NULL) return out_of_memory(m, k);
        p->parameter_end = end, p->room = room;
    }
    if (!own_memory(own, k)) return out_of_memory(m, k);
    memcpy(p->at + (size_t)p->count * k->size.size, own, k->size.size);
    const int before = p->count > 0 ? p->parameter_end[p->count - 1] : 0;
    p->parameter_end[p->count] = before + mb_parameters_of_part(m, kind, p->count);
    p->count++;
    return LG_OK;
}

void mb_part_drop(lg_mechanism *m, int kind)
{
    void *last = mb_part_at(m, kind, --m->part[kind].count);
    for (int s = 0; s < mb_kind_of(kind)->strings; s++) free(*string_at(last, mb_kind_of(kind), s));
    if (mb_kind_of(kind)->disown != NULL) mb_kind_of(kind)->disown(last);
}

/* A description of any kind. */
typedef union any_part {
#define MEMBER(KIND, name) lg_##name name;
    MB_PART_LIST(MEMBER)
#undef MEMBER
} any_part;

static lg_status check(lg_mechanism *m, int kind, any_part *own)
{
    return mb_kind_of(kind)->check != NULL ? mb_kind_of(kind)->check(m, own) : LG_OK;
}

/* Appends a part that its name finds. */
static lg_status keep(lg_mechanism *m, int kind, any_part *own)
{
    if (!widen_slots(m, kind)) return out_of_memory(m, mb_kind_of(kind));
    const lg_status st = mb_part_append(m, kind, own);
    if (st == LG_OK) take_slot(m, kind, m->part[kind].count - 1);
    return st;
}

lg_status mb_copy_parts(lg_mechanism *m, const lg_mechanism *from)
{
    lg_status st = LG_OK;
    for (int kind = 0; kind < MB_KINDS; kind++)
        for (int i = 0; st == LG_OK && i < mb_seen(from, kind); i++) {
            any_part own;
            memcpy(&own, mb_part_at(from, kind, i), mb_kind_of(kind)->size.size);
            st = keep(m, kind, &own);
        }
    return st;
}

static lg_status add(lg_mechanism *m, int kind, int *index, const void *given)
{
    const mb_part_kind *k = mb_kind_of(kind);
    any_part own;
    if (m == NULL) return LG_ERROR_ARGUMENT;
    memcpy(&own, k->standard, k->size.size);
    lg_status st = begin(m, kind, &own, given);
    if (st == LG_OK) st = check(m, kind, &own);
    if (st != LG_OK) return st;
    st = keep(m, kind, &own);
    if (st != LG_OK) return st;
    m->gallery = 0; /* it is not as it was described there */
    if (index != NULL) *index = m->part[kind].count - 1;
    return LG_OK;
}

lg_status mb_check_altered(lg_mechanism *m)
{
    lg_status st = LG_OK;
    for (int kind = 0; m->altered && kind < MB_KINDS; kind++)
        for (int i = 0; st == LG_OK && i < m->part[kind].count; i++) {
            any_part own;
            memcpy(&own, mb_part_at(m, kind, i), mb_kind_of(kind)->size.size);
            m->reading = kind == MB_BODIES && i < m->unchecked;
            st = check(m, kind, &own);
        }
    m->reading = 0;
    return st;
}

static lg_status read(const lg_mechanism *m, int kind, void *to, int i)
{
    const lg_sized *sized = &mb_kind_of(kind)->size;
    if (m == NULL || to == NULL || i < 0 || i >= mb_seen(m, kind)) return LG_ERROR_ARGUMENT;
    const size_t size = *(const size_t *)to;
    if (!lg_sized_fits(sized, size)) return LG_ERROR_ARGUMENT;
    lg_sized_give(sized, to, size, mb_part_at(m, kind, i));
    return LG_OK;
}

#define PUBLIC(KIND, name)                                                                                             \
    void lg_##name##_init(lg_##name *name, size_t size)                                                                \
    {                                                                                                                  \
        lg_sized_give(&mb_##name##_part.size, name, size, mb_##name##_part.standard);                                  \
    }                                                                                                                  \
    lg_status lg_mechanism_add_##name(lg_mechanism *m, int *index, const lg_##name *name)                              \
    {                                                                                                                  \
        return add(m, MB_##KIND, index, name);                                                                         \
    }                                                                                                                  \
    lg_status lg_mechanism_read_##name(const lg_mechanism *m, lg_##name *name, int i)                                  \
    {                                                                                                                  \
        return read(m, MB_##KIND, name, i);                                                                            \
    }                                                                                                                  \
    const char *lg_mechanism_##name##_name(const lg_mechanism *m, int i)                                               \
    {                                                                                                                  \
        return m != NULL && i >= 0 && i < mb_seen(m, MB_##KIND) ? name_of(m, MB_##KIND, i) : NULL;                     \
    }                                                                                                                  \
    int lg_mechanism_##name##_count(const lg_mechanism *m)                                                             \
    {                                                                                                                  \
        return m != NULL ? mb_seen(m, MB_##KIND) : 0;                                                                  \
    }
MB_PART_LIST(PUBLIC)
