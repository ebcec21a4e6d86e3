/* SPDX-License-Identifier: BSD-3-Clause */
/* Assembly and rank. Bodies move to the nearest poses that close all joints (Newton in the kinetic metric, with a
 * regularised factor, since rows may depend on each other). Then rows are taken block by block: what a row has besides
 * the rows before it is found by projection in the metric, not from squares, and a row with nothing of its own is
 * redundant. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "multibody/mechanism.h"
#include "multibody/step.h"

#define MB_REDUNDANT 1e-10 /* of a row's length in the metric */

/* A plan over some of the blocks, and one node of it. */
typedef struct work {
    mb_plan plan;
    mb_block *block;
    mb_node node;
    void *memory;
    mb_pair *twist, *wrench;
    double *x, *sum;
} work;

static void work_free(work *w)
{
    mb_symbolic_free(&w->plan.node), mb_symbolic_free(&w->plan.mean);
    free(w->block), free(w->memory);
    memset(w, 0, sizeof *w);
}

static void work_carve(work *w, lg_arena *a)
{
    mb_node_carve(&w->node, a, &w->plan);
    w->twist = lg_take(a, ((size_t)w->plan.bodies + 1) * sizeof(mb_pair));
    w->wrench = lg_take(a, ((size_t)w->plan.bodies + 1) * sizeof(mb_pair));
    w->x = lg_take_doubles(a, (size_t)w->plan.rows + 1);
    w->sum = lg_take_doubles(a, (size_t)w->plan.rows + 1);
}

/* Numbers the blocks' rows and parts; holonomic blocks come first. */
static void number_blocks(mb_plan *p, mb_block *block, int count)
{
    p->rows = p->parts = p->holonomic_rows = p->holonomic_parts = p->holonomic_blocks = 0;
    p->blocks = count;
    p->block = block;
    for (int e = 0; e < count; e++) {
        block[e].at = p->rows, block[e].part = p->parts;
        p->rows += block[e].rows, p->parts += block[e].rows * block[e].sides;
        if (block[e].kind == MB_ROLL || block[e].kind == MB_SKATE) continue;
        p->holonomic_blocks = e + 1, p->holonomic_rows = p->rows, p->holonomic_parts = p->parts;
    }
}

/* Order and symbolic factors of a plan whose blocks are numbered. */
static int make_factors(mb_plan *p, int keep_order)
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

/* Work on these blocks, at the mechanism's poses. */
static int work_make(work *w, const lg_mechanism *m, const mb_block *block, int count)
{
    memset(w, 0, sizeof *w);
    w->plan = m->plan;
    memset(&w->plan.node, 0, sizeof w->plan.node), memset(&w->plan.mean, 0, sizeof w->plan.mean);
    w->block = malloc(((size_t)count + 1) * sizeof *block);
    if (w->block == NULL) return 0;
    memcpy(w->block, block, (size_t)count * sizeof *block);
    number_blocks(&w->plan, w->block, count);
    lg_arena a = {NULL, 0};
    if (make_factors(&w->plan, m->keep_order)) {
        work_carve(w, &a);
        lg_align(&a);
        w->memory = aligned_alloc(LG_ALIGN, a.used);
    }
    if (w->memory == NULL) {
        work_free(w);
        return 0;
    }
    memset(w->memory, 0, a.used);
    a = (lg_arena){w->memory, 0};
    work_carve(w, &a);
    mb_node_load(&w->plan, &w->node, m->pose);
    return 1;
}

/* ---- assembly ---- */

static double worst_of(const work *w, int *block)
{
    double worst = 0;
    *block = 0;
    for (int e = 0; e < w->plan.holonomic_blocks; e++)
        for (int i = w->block[e].at; i < w->block[e].at + w->block[e].rows; i++) {
            if (fabs(w->node.phi[i]) <= worst) continue;
            worst = fabs(w->node.phi[i]);
            *block = e;
        }
    return worst;
}

/* A scale of lengths: the largest distance of a centre of mass from the first one, at least 1e-3. */
double mb_reach(const lg_mechanism *m)
{
    double reach = 1e-3;
    for (int b = 1; b < m->plan.bodies; b++)
        for (int k = 0; k < 3; k++) reach = fmax(reach, fabs(m->pose[7 * b + k] - m->pose[k]));
    return reach;
}

const char *mb_block_noun(const lg_mechanism *m, const mb_block *k, const char **name)
{
    switch (k->kind) {
    case MB_JOINT:
        *name = MB_JOINT_OF(m, k->source)->name;
        return "joint";
    case MB_GEAR:
        *name = MB_GEAR_OF(m, k->source)->name;
        return "gear";
    default:
        *name = MB_WHEEL_OF(m, k->source)->name;
        return "wheel";
    }
}

/* Moves m->pose onto phi = 0. */
static lg_status assemble(lg_mechanism *m, const mb_block *block, int count)
{
    work w;
    if (!work_make(&w, m, block, count))
        return lg_fail(&m->error, LG_ERROR_MEMORY, "lg_mechanism_compile: out of memory");
    const double reach = mb_reach(m);
    double last = INFINITY;
    int open = 0, rounds = 0;
    for (; rounds < 60; rounds++) {
        mb_node_place(&w.plan, &w.node, w.node.q);
        mb_node_rows(&w.plan, &w.node, 1e-9);
        const double phi = worst_of(&w, &open);
        if (!(phi > 1e-15 * reach) || (phi < 1e-12 * reach && phi >= 0.5 * last)) break;
        if (!(phi < 1e9 * reach)) break;
        last = phi;
        mb_close(&w.plan, &w.node, w.x, w.wrench);
    }
    const double phi = worst_of(&w, &open);
    const int closed = phi < 1e-11 * reach;
    for (int b = 0; closed && b < m->plan.bodies; b++) {
        memcpy(m->pose + 7 * b, w.node.pose[b].r, 3 * sizeof(double));
        memcpy(m->pose + 7 * b + 3, w.node.pose[b].q, 4 * sizeof(double));
    }
    const char *name, *noun = mb_block_noun(m, &block[open], &name);
    work_free(&w);
    if (closed) return LG_OK;
    return lg_fail(
        &m->error, LG_ERROR_CONVERGENCE,
        "lg_mechanism_compile: the joints do not close from the poses at assembly: %s '%.60s' stays open by %.3g "
        "after %d rounds; give poses that are nearer, or look for parts that cannot fit",
        noun, name, phi, rounds);
}

/* ---- rank ---- */

/* What stands against the rows kept so far. */
typedef struct survey {
    lg_mechanism *m;
    work w;         /* the kept blocks */
    mb_block *kept; /* the same before they are numbered */
    int count;
    mb_pair *own[MB_ROWS_MOST]; /* directions of the rows of the present block, normalised in the metric */
    char text[LG_MESSAGE_SIZE];
} survey;

static double product(const work *w, const mb_pair *f, const mb_pair *g)
{
    double s = 0;
    for (int b = 0; b < w->plan.bodies; b++) {
        double turn[3];
        mb_mobile(turn, &w->node.mobility[b], f[b].v + 3);
        s += w->node.mobility[b].inverse_mass * mb_dot(f[b].v, g[b].v) + mb_dot(turn, g[b].v + 3);
    }
    return s;
}

/* f <- its part across all kept rows. w->sum collects the coefficients. */
static void project(work *w, mb_pair *f)
{
    mb_plan *p = &w->plan;
    for (int b = 0; b < p->bodies; b++) {
        for (int k = 0; k < 3; k++) w->twist[b].v[k] = w->node.mobility[b].inverse_mass * f[b].v[k];
        mb_mobile(w->twist[b].v + 3, &w->node.mobility[b], f[b].v + 3);
    }
    mb_pull(p, w->node.rows.row, w->x, w->twist, p->blocks);
    mb_forward(p, &p->node, w->node.factor, w->x);
    mb_backward(p, &p->node, w->node.factor, w->x);
    for (int i = 0; i < p->rows; i++) w->sum[i] += w->x[i];
    mb_push(p, w->node.rows.row, f, -1, w->x, p->blocks);
    memset(&f[p->bodies], 0, sizeof *f);
}

/* Whether a row is independent of the kept ones and of `rows` earlier ones of its block; own[rows] becomes its
 * direction. */
static int independent(survey *s, const mb_block *k, const mb_pair *row, int rows)
{
    work *w = &s->w;
    mb_pair *f = s->own[rows];
    memset(f, 0, ((size_t)w->plan.bodies + 1) * sizeof *f);
    memset(w->sum, 0, (size_t)w->plan.rows * sizeof *w->sum);
    for (int side = 0; side < k->sides; side++)
        if (k->body[side] != w->plan.bodies)
            for (int j = 0; j < 6; j++) f[k->body[side]].v[j] += row[side].v[j];
    const double whole = sqrt(product(w, f, f));
    for (int round = 0; round < 3; round++) {
        if (w->plan.rows > 0) project(w, f);
        for (int i = 0; i < rows; i++) {
            const double c = product(w, s->own[i], f);
            for (int b = 0; b < w->plan.bodies; b++)
                for (int j = 0; j < 6; j++) f[b].v[j] -= c * s->own[i][b].v[j];
        }
    }
    const double rest = sqrt(product(w, f, f));
    if (!(rest > MB_REDUNDANT * whole)) return 0;
    for (int b = 0; b < w->plan.bodies; b++)
        for (int j = 0; j < 6; j++) f[b].v[j] /= rest;
    return 1;
}

/* " depends on those of 'a', 'b'": the blocks with the largest coefficients. */
static void name_others(survey *s, size_t at)
{
    const work *w = &s->w;
    double largest = 0;
    int named = 0;
    for (int i = 0; i < w->plan.rows; i++) largest = fmax(largest, fabs(w->sum[i]));
    for (int e = 0; e < w->plan.blocks && named < 4; e++) {
        double c = 0;
        for (int i = w->block[e].at; i < w->block[e].at + w->block[e].rows; i++) c = fmax(c, fabs(w->sum[i]));
        if (!(c > 1e-6 * largest)) continue;
        const char *name;
        (void)mb_block_noun(s->m, &w->block[e], &name);
        at += (size_t)snprintf(s->text + at, sizeof s->text - at, "%s'%.40s'",
                               named == 0 ? " depends on those of " : ", ", named < 3 ? name : "...");
        named++;
    }
    if (named == 0) (void)snprintf(s->text + at, sizeof s->text - at, " depends on its others");
}

static int remember_redundant(survey *s, const mb_block *k, int row, int index)
{
    const char *name, *noun = mb_block_noun(s->m, k, &name);
    const int at = snprintf(s->text, sizeof s->text, "%s '%.60s': row %d", noun, name, row + 1);
    name_others(s, (size_t)at);
    char *text = malloc(strlen(s->text) + 1);
    if (text == NULL) return 0;
    strcpy(text, s->text);
    s->m->redundant[index] = text;
    return 1;
}

/* Rebuilds the factor over the kept blocks. */
static int refresh(survey *s)
{
    work_free(&s->w);
    if (!work_make(&s->w, s->m, s->kept, s->count)) return 0;
    mb_node_place(&s->w.plan, &s->w.node, s->w.node.q);
    mb_node_rows(&s->w.plan, &s->w.node, 0);
    return 1;
}

static int is_link(const lg_mechanism *m, const mb_block *k)
{
    for (int s = 0; k->kind == MB_JOINT && s < 2; s++)
        if (k->body[s] < m->plan.bodies && m->link[k->body[s]].joint == k->source) return 1;
    return 0;
}

/* Takes the rows of one block that are independent. 0: out of memory. */
static int take_block(survey *s, const mb_block *from, int *redundant)
{
    mb_block k = *from;
    mb_pair row[MB_SIDES_MOST * MB_ROWS_MOST];
    double value[MB_ROWS_MOST];
    k.rows = 0;
    mb_rows_of(&s->w.plan, from, row, value, &s->w.node);
    for (int i = 0; i < from->rows; i++) {
        if (independent(s, from, row + i * from->sides, k.rows))
            k.kept[k.rows++] = i;
        else if (!remember_redundant(s, from, i, (*redundant)++))
            return 0;
    }
    if (k.rows == 0) return 1;
    s->kept[s->count++] = k;
    return refresh(s);
}

static void survey_free(survey *s)
{
    work_free(&s->w);
    free(s->kept), free(s->own[0]);
}

/* m->redundant and *kept from all blocks at m->pose; returns the rank, -1: out of memory. */
static int survey_rank(lg_mechanism *m, const mb_block *block, int count, mb_block **kept, int *kept_count)
{
    survey s = {.m = m};
    const size_t bodies = (size_t)m->plan.bodies + 1;
    int redundant = 0, rows = 0;
    s.kept = malloc(((size_t)count + 1) * sizeof *s.kept);
    s.own[0] = calloc(bodies * MB_ROWS_MOST, sizeof(mb_pair));
    int well = s.kept != NULL && s.own[0] != NULL;
    for (int i = 1; well && i < MB_ROWS_MOST; i++) s.own[i] = s.own[0] + (size_t)i * bodies;
    for (int e = 0; well && e < count; e++)
        if (is_link(m, &block[e])) s.kept[s.count++] = block[e];
    well = well && refresh(&s);
    for (int e = 0; well && e < count; e++)
        if (!is_link(m, &block[e])) well = take_block(&s, &block[e], &redundant);
    rows = s.w.plan.rows;
    if (well) *kept = s.kept, *kept_count = s.count, s.kept = NULL;
    survey_free(&s);
    return well ? rows : -1;
}

/* ---- blocks ---- */

static int list_blocks(const lg_mechanism *m, mb_block *block)
{
    int count = 0;
    for (int j = 0; j < m->part[MB_JOINTS].count; j++) {
        const mb_joint *from = &m->joint[j];
        const int rows = from->translational + from->rotational;
        if (rows > 0)
            block[count++] =
                (mb_block){.kind = MB_JOINT, .source = j, .sides = 2, .body = {from->a, from->b}, .rows = rows};
    }
    for (int i = 0; i < m->part[MB_WHEELS].count; i++)
        block[count++] = (mb_block){.kind = MB_HEIGHT, .source = i, .sides = 1, .body = {m->wheel[i].b}, .rows = 1};
    for (int i = 0; i < m->part[MB_GEARS].count; i++) {
        const mb_gear *g = &m->gear[i];
        mb_block *k = &block[count++];
        *k = (mb_block){.kind = MB_GEAR, .source = i, .rows = 1};
        for (int c = 0; c < 2; c++)
            for (int s = 0; s < 2; s++) {
                const mb_joint *j = &m->joint[m->coordinate[c ? g->second : g->first].joint];
                k->body[g->side[c][s]] = s ? j->b : j->a;
                if (g->side[c][s] >= k->sides) k->sides = g->side[c][s] + 1;
            }
    }
    for (int i = 0; i < m->part[MB_WHEELS].count; i++) {
        const int contact = MB_WHEEL_OF(m, i)->contact;
        if (contact == LG_CONTACT_SLIDES) continue;
        const int skate = contact == LG_CONTACT_EDGE;
        block[count++] = (mb_block){.kind = skate ? MB_SKATE : MB_ROLL,
                                    .source = i,
                                    .sides = 1,
                                    .body = {m->wheel[i].b},
                                    .rows = skate ? 1 : 2};
    }
    for (int e = 0; e < count; e++) {
        block[e].all = block[e].rows;
        for (int i = 0; i < block[e].rows; i++) block[e].kept[i] = i;
    }
    return count;
}

/* Kept blocks in the order of the list again. */
static void restore_order(mb_block *block, int count)
{
    for (int i = 1; i < count; i++) {
        const mb_block k = block[i];
        const int nonholonomic = k.kind == MB_ROLL || k.kind == MB_SKATE;
        int at = i;
        for (; at > 0; at--) {
            const mb_block *p = &block[at - 1];
            const int before = p->kind == MB_ROLL || p->kind == MB_SKATE;
            if (before < nonholonomic ||
                (before == nonholonomic && (p->kind < k.kind || (p->kind == k.kind && p->source < k.source))))
                break;
            block[at] = *p;
        }
        block[at] = k;
    }
}

lg_status mb_make_blocks(lg_mechanism *m)
{
    const int most = m->part[MB_JOINTS].count + 2 * m->part[MB_WHEELS].count + m->part[MB_GEARS].count;
    mb_block *all = calloc((size_t)most + 1, sizeof *all), *kept = NULL;
    int count = all != NULL ? list_blocks(m, all) : 0, kept_count = 0;
    for (int e = 0; e < count; e++) m->all_rows += all[e].rows;
    m->redundant = calloc((size_t)m->all_rows + 1, sizeof *m->redundant);
    lg_status st = all != NULL && m->redundant != NULL ? assemble(m, all, count) : LG_ERROR_MEMORY;
    if (st == LG_OK && survey_rank(m, all, count, &kept, &kept_count) < 0) st = LG_ERROR_MEMORY;
    m->all = all, m->all_count = count;
    m->block = kept;
    if (st == LG_OK) {
        restore_order(kept, kept_count);
        number_blocks(&m->plan, kept, kept_count);
        if (!make_factors(&m->plan, m->keep_order)) st = LG_ERROR_MEMORY;
    }
    if (st == LG_ERROR_MEMORY) return lg_fail(&m->error, st, "lg_mechanism_compile: out of memory");
    if (st == LG_OK && 6 * m->plan.bodies == m->plan.rows)
        return lg_fail(&m->error, LG_ERROR_ARGUMENT,
                       "lg_mechanism_compile: nothing can move: the %d rows leave no freedom", m->plan.rows);
    return st;
}
