/* SPDX-License-Identifier: BSD-3-Clause */
/* A mesh that grows, and the words and numbers of files. */
#include "scene/mesh/build.h"

#include <ctype.h>
#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/decimal.h"

/* The mesh -------------------------------------------------------------------------------------------------------- */

void *mesh_room(mesh_build *b, void *array, int *room, int count, size_t size)
{
    if (count < *room) return array;
    const int wanted = *room < INT_MAX / 2 ? 2 * *room + 64 : INT_MAX;
    void *more = count < wanted && (size_t)wanted <= SIZE_MAX / size ? realloc(array, (size_t)wanted * size) : NULL;
    if (more != NULL)
        *room = wanted;
    else if (b->status == LG_OK)
        b->status = lg_fail(b->error, LG_ERROR_MEMORY, "%.120s: out of memory", b->name);
    return more;
}

/* Mixes all bits of a vertex, so that grids do not collide. */
static uint32_t hash(const double *x)
{
    uint64_t h = 0;
    for (int i = 0; i < 3; i++) {
        uint64_t bits;
        memcpy(&bits, &x[i], sizeof bits);
        h = (h ^ bits) * UINT64_C(0x9e3779b97f4a7c15);
        h ^= h >> 32;
    }
    h *= UINT64_C(0xbf58476d1ce4e5b9);
    return (uint32_t)(h >> 32);
}

/* Where a vertex is in the table, or where it belongs. */
static uint32_t place(const mesh_build *b, const double *x)
{
    uint32_t at = hash(x) & (b->slots - 1);
    while (b->slot[at] >= 0 && memcmp(b->mesh.vertex + 3 * (size_t)b->slot[at], x, 3 * sizeof *x) != 0)
        at = (at + 1) & (b->slots - 1);
    return at;
}

/* At most half of the table is taken. */
static int enlarge(mesh_build *b)
{
    if ((uint32_t)b->mesh.vertices < b->slots / 2) return 1;
    const uint32_t slots = b->slots == 0 ? 256 : 2 * b->slots;
    free(b->slot);
    b->slot = slots > b->slots ? malloc(slots * sizeof *b->slot) : NULL;
    if (b->slot == NULL) {
        b->status = lg_fail(b->error, LG_ERROR_MEMORY, "%.120s: out of memory", b->name);
        return 0;
    }
    b->slots = slots;
    memset(b->slot, 0xff, slots * sizeof *b->slot);
    for (int i = 0; i < b->mesh.vertices; i++) b->slot[place(b, b->mesh.vertex + 3 * (size_t)i)] = i;
    return 1;
}

int mesh_add_vertex(mesh_build *b, const double *x)
{
    const double own[3] = {x[0] + 0.0, x[1] + 0.0, x[2] + 0.0}; /* -0 becomes 0 */
    if (b->status != LG_OK || !enlarge(b)) return -1;
    const uint32_t at = place(b, own);
    if (b->slot[at] >= 0) return b->slot[at];
    double *more = mesh_room(b, b->mesh.vertex, &b->vertex_room, b->mesh.vertices, sizeof own);
    if (more == NULL) return -1;
    b->mesh.vertex = more;
    memcpy(more + 3 * (size_t)b->mesh.vertices, own, sizeof own);
    return b->slot[at] = b->mesh.vertices++;
}

void mesh_add_triangle(mesh_build *b, int i, int j, int k)
{
    const int corner[3] = {i, j, k};
    if (b->status != LG_OK) return;
    if (i == j || j == k || k == i) {
        b->mesh.collapsed++;
        return;
    }
    int *more = mesh_room(b, b->mesh.triangle, &b->triangle_room, b->mesh.triangles, sizeof corner);
    if (more == NULL) return;
    b->mesh.triangle = more;
    memcpy(more + 3 * (size_t)b->mesh.triangles++, corner, sizeof corner);
}

lg_status mesh_finish(mesh_build *b, lg_mesh *m)
{
    free(b->slot);
    if (b->status != LG_OK) lg_mesh_free(&b->mesh);
    *m = b->mesh;
    return b->status;
}

/* Refusals -------------------------------------------------------------------------------------------------------- */

static void refuse(mesh_build *b, const char *place_text, const char *format, va_list list)
{
    char words[LG_MESSAGE_SIZE];
    if (b->status != LG_OK) return;
    vsnprintf(words, sizeof words, format, list);
    b->status = lg_fail(b->error, LG_ERROR_ARGUMENT, "%.120s:%s %s", b->name, place_text, words);
}

void mesh_refuse_line(mesh_text *t, const char *format, ...)
{
    char line[32];
    va_list list;
    snprintf(line, sizeof line, "%ld:", t->line);
    va_start(list, format);
    refuse(t->build, line, format, list);
    va_end(list);
}

void mesh_refuse_byte(mesh_build *b, size_t at, const char *format, ...)
{
    char byte[40];
    va_list list;
    snprintf(byte, sizeof byte, " byte %zu:", at);
    va_start(list, format);
    refuse(b, byte, format, list);
    va_end(list);
}

/* Words ----------------------------------------------------------------------------------------------------------- */

mesh_text mesh_text_of(mesh_build *b, const unsigned char *bytes, size_t size, const char *kind)
{
    const size_t mark = size >= 3 && memcmp(bytes, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
    const unsigned char *zero = size > 0 ? memchr(bytes, '\0', size) : NULL;
    if (zero != NULL) mesh_refuse_byte(b, (size_t)(zero - bytes), "a zero byte; it is no %s file", kind);
    return (mesh_text){.at = (const char *)bytes + mark, .end = (const char *)bytes + size, .line = 1, .build = b};
}

/* 2: the end of a line that is continued, with its length in *length. */
static int is_blank(const mesh_text *t, size_t *length)
{
    const size_t left = (size_t)(t->end - t->at);
    *length = 1;
    if (*t->at == ' ' || *t->at == '\t' || *t->at == '\r' || *t->at == '\v' || *t->at == '\f') return 1;
    if (*t->at != '\\' || left < 2) return 0;
    *length = t->at[1] == '\n' ? 2 : 3;
    return t->at[1] == '\n' || (left > 2 && t->at[1] == '\r' && t->at[2] == '\n') ? 2 : 0;
}

mesh_word mesh_word_of_line(mesh_text *t)
{
    size_t length;
    for (int blank; t->at < t->end && (blank = is_blank(t, &length)) != 0; t->at += length) t->line += blank == 2;
    mesh_word w = {t->at, 0};
    while (t->at < t->end && *t->at != '\n' && is_blank(t, &length) == 0) t->at++;
    w.length = (size_t)(t->at - w.at);
    return w;
}

mesh_word mesh_next_word(mesh_text *t)
{
    mesh_word w = mesh_word_of_line(t);
    while (w.length == 0 && t->at < t->end) {
        t->at++, t->line++;
        w = mesh_word_of_line(t);
    }
    return w;
}

void mesh_skip_line(mesh_text *t)
{
    const char *end = t->at < t->end ? memchr(t->at, '\n', (size_t)(t->end - t->at)) : NULL;
    t->at = end != NULL ? end + 1 : t->end;
    t->line += end != NULL;
}

int mesh_is_word(mesh_word w, const char *text)
{
    return w.length == strlen(text) && strncasecmp(w.at, text, w.length) == 0;
}

/* Numbers --------------------------------------------------------------------------------------------------------- */

double mesh_coordinate(mesh_text *t, mesh_word w)
{
    char text[LG_DECIMAL_ROOM];
    const char *end = text;
    const size_t length = w.length < sizeof text ? w.length : 0;
    memcpy(text, w.at, length);
    text[length] = '\0';
    const double x = lg_decimal_read(text, &end);
    if (length > 0 && *end == '\0' && end == text + length && fabs(x) <= LG_MESH_FAR) return x;
    if (w.length == 0)
        mesh_refuse_line(t, "a coordinate is missing; a vertex has three numbers");
    else
        mesh_refuse_line(t, "'%.*s' is no coordinate; write a finite number of magnitude below %g", MESH_WORD(w),
                         LG_MESH_FAR);
    return 0;
}

uint32_t mesh_count_at(const unsigned char *bytes)
{
    return bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

void mesh_point_at(mesh_build *b, double *x, const unsigned char *bytes, size_t at)
{
    for (size_t i = 0; i < 3; i++) {
        const uint32_t bits = mesh_count_at(bytes + at + 4 * i);
        float own;
        memcpy(&own, &bits, sizeof own);
        x[i] = (double)own;
        if (!isfinite(x[i]))
            mesh_refuse_byte(b, at + 4 * i, "a coordinate is %s; export the mesh again",
                             isnan(x[i]) ? "not a number" : "infinite");
    }
}
