/* SPDX-License-Identifier: BSD-3-Clause */
/* Wide bodies. All rows on one body meet in the Gram matrix: n joints on it cost n^2. So compilation takes a body with
 * many of them apart: shares of its mass and inertia, all in its place, held together by a tree of fixed joints. That
 * is the same mechanism. Shares and their joints come after the parts that were described; public functions do not
 * count them. */
#include <stdlib.h>

#include "multibody/parts/part.h"

enum {
    MB_WIDE = 8, /* joints and wheels that a body may have in one piece */
    MB_SEATS = 4 /* and those that one share takes, besides its joints to other shares */
};

/* Counts one more joint or wheel at the body of this name. */
static void count_at(lg_mechanism *m, const char *name)
{
    const int b = name != NULL ? mb_find(m, MB_BODIES, name) : -1;
    if (b >= 0) m->hub[b].load++;
}

static void count_loads(lg_mechanism *m)
{
    for (int kind = 0; kind < MB_KINDS; kind++) {
        const mb_part_kind *k = mb_kind_of(kind);
        for (int i = 0; k->loads != NULL && i < m->part[kind].count; i++)
            for (int s = 1; k->loads(mb_part_at(m, kind, i)) && s < k->strings; s++)
                count_at(m, *(char *const *)(const void *)((char *)mb_part_at(m, kind, i) + k->string[s]));
    }
}

/* A further share of body b, fixed to share `to`. */
static lg_status add_share(lg_mechanism *m, int b, int to)
{
    const int share = m->part[MB_BODIES].count;
    lg_body body = *MB_BODY(m, b);
    lg_joint joint = lg_joint_default(body.name, LG_JOINT_FIXED, body.name, body.name);
    lg_status st = mb_part_append(m, MB_BODIES, &body);
    if (st != LG_OK) return st;
    st = mb_part_append(m, MB_JOINTS, &joint);
    if (st != LG_OK) {
        mb_part_drop(m, MB_BODIES);
        return st;
    }
    m->hub[share] = (mb_hub){.host = b, .fixed_to = to};
    m->hidden++;
    return LG_OK;
}

lg_status mb_split_hubs(lg_mechanism *m)
{
    const int bodies = m->part[MB_BODIES].count;
    lg_status st = LG_OK;
    int most = bodies;
    for (int kind = 0; kind < MB_KINDS; kind++) most += mb_kind_of(kind)->loads != NULL ? m->part[kind].count : 0;
    m->hub = calloc(2 * (size_t)most + (size_t)m->part[MB_JOINTS].count + 1, sizeof *m->hub);
    if (m->hub == NULL) return lg_fail(&m->error, LG_ERROR_MEMORY, "lg_mechanism_compile: out of memory");
    count_loads(m);
    for (int b = 0; st == LG_OK && b < bodies; b++) {
        mb_hub *hub = &m->hub[b];
        const int first = m->part[MB_BODIES].count - 1; /* share s > 0 is body first + s */
        *hub = (mb_hub){.host = b, .first = first, .load = hub->load, .shares = 1};
        if (hub->load > MB_WIDE && !m->keep_order) hub->shares = (hub->load + MB_SEATS - 1) / MB_SEATS;
        for (int s = 1; st == LG_OK && s < hub->shares; s++) st = add_share(m, b, s > 2 ? first + (s - 1) / 2 : b);
    }
    return st;
}

int mb_seat(lg_mechanism *m, int body)
{
    if (body >= mb_seen(m, MB_BODIES) || m->hub[body].shares < 2) return body;
    const int s = m->hub[body].seated++ / MB_SEATS;
    return s == 0 ? body : m->hub[body].first + s;
}
