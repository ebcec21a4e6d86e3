/* SPDX-License-Identifier: BSD-3-Clause */
#include "multibody/work.h"

#include <stdlib.h>
#include <string.h>

void mb_work_free(mb_work *w)
{
    mb_symbolic_free(&w->plan.node), mb_symbolic_free(&w->plan.mean);
    free(w->block), lg_release(w->memory);
    memset(w, 0, sizeof *w);
}

static void mb_work_carve(mb_work *w, lg_arena *a)
{
    mb_node_carve(&w->node, a, &w->plan);
    w->twist = lg_take(a, sz(mb_frames(&w->plan)) * sizeof(mb_pair));
    w->wrench = lg_take(a, sz(mb_frames(&w->plan)) * sizeof(mb_pair));
    w->x = lg_take_doubles(a, (size_t)w->plan.rows + 1);
    w->sum = lg_take_doubles(a, (size_t)w->plan.rows + 1);
}

/* Numbers the blocks' rows and parts; holonomic blocks come first. */
void mb_number_blocks(mb_plan *p, mb_block *block, int count)
{
    p->rows = p->parts = p->holonomic_rows = p->holonomic_parts = p->holonomic_blocks = 0;
    p->blocks = count;
    p->block = block;
    for (int e = 0; e < count; e++) {
        block[e].at = p->rows, block[e].part = p->parts;
        p->rows += block[e].rows, p->parts += block[e].rows * block[e].sides;
        if (mb_facts_of(&block[e])->velocity) continue;
        p->holonomic_blocks = e + 1, p->holonomic_rows = p->rows, p->holonomic_parts = p->parts;
    }
}

/* Order and symbolic factors of a plan whose blocks are numbered. */
int mb_make_factors(mb_plan *p, int keep_order)
{
    int *order = malloc(((size_t)p->blocks + 1) * sizeof *order);
    int well = order != NULL;
    for (int part = 0; well && part < 2; part++) {
        const int count = part ? p->holonomic_blocks : p->blocks;
        for (int e = 0; e < count; e++) order[e] = e;
        well = (keep_order || mb_order(order, p->block, count, p->bodies)) &&
               mb_symbolic_make(part ? &p->mean : &p->node, p->block, order, count, p->bodies);
    }
    free(order);
    return well;
}

void mb_place_leaders(mb_work *w)
{
    static const double still[7] = {0, 0, 0, 0, 0, 0, 1};
    const mb_plan *p = &w->plan;
    mb_turn_bodies(p, &w->node);
    if (p->drives > 0) mb_coordinates(p, &w->node, w->node.q, 0, p->coordinates);
    for (int i = 0; i < p->drives; i++) {
        const mb_follower *d = &p->drive[i];
        mb_pose *to = &w->node.pose[d->leader];
        const mb_pose *body = &w->node.pose[d->weld.a];
        mb_pose_load(to, still);
        if (d->coordinate >= 0) {
            to->r[0] = w->node.q[d->coordinate];
            continue;
        }
        double arm[3];
        *to = *body;
        mb_turn(arm, body->R, d->weld.anchor_a);
        for (int k = 0; k < 3; k++) to->r[k] += arm[k];
    }
}

/* Work on these blocks, at the mechanism's poses. */
int mb_work_make(mb_work *w, const lg_mechanism *m, const mb_block *block, int count)
{
    memset(w, 0, sizeof *w);
    w->plan = m->plan;
    memset(&w->plan.node, 0, sizeof w->plan.node), memset(&w->plan.mean, 0, sizeof w->plan.mean);
    w->block = malloc(((size_t)count + 1) * sizeof *block);
    if (w->block == NULL) return 0;
    memcpy(w->block, block, (size_t)count * sizeof *block);
    mb_number_blocks(&w->plan, w->block, count);
    lg_arena a = {NULL, 0};
    if (mb_make_factors(&w->plan, m->keep_order)) {
        mb_work_carve(w, &a);
        w->memory = lg_reserve(a.used);
    }
    if (w->memory == NULL) {
        mb_work_free(w);
        return 0;
    }
    a = (lg_arena){w->memory, 0};
    mb_work_carve(w, &a);
    mb_node_load(&w->plan, &w->node, m->pose);
    mb_begin_near(&w->plan, w->node.q);
    mb_place_leaders(w);
    return 1;
}
