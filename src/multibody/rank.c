/* SPDX-License-Identifier: BSD-3-Clause */
/* Rank. Rows are taken block by block: what a row has besides the rows before it is found by projection in the metric,
 * not from squares, and a row with nothing of its own is redundant. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "multibody/parts/part.h"
#include "multibody/work.h"

#define MB_REDUNDANT 1e-10 /* of a row's length in the metric: a row with less of its own is redundant */
#define MB_NEARLY    1e-7  /* a row with less than this is too near to it: the Gram matrix has its square */

/* ---- rank ---- */

/* The rows kept so far, and what a further row is tested with. */
typedef struct survey {
    lg_mechanism *m;
    mb_work w;      /* the kept blocks */
    mb_block *kept; /* the same before they are numbered */
    char *named;    /* 1: redundant rows of the present block depend on this kept block */
    int count;
    int sentences;              /* in m->redundant */
    mb_pair *own[MB_ROWS_MOST]; /* directions of the rows of the present block, normalised in the metric */
    double least;               /* what a kept row has of its own */
    int driven;                 /* 1: a row depends on the motion of a drive, which another one determines too */
    char least_text[LG_MESSAGE_SIZE];
    char text[LG_MESSAGE_SIZE];
} survey;

static double product(const mb_work *w, const mb_pair *f, const mb_pair *g)
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
static void project(mb_work *w, mb_pair *f)
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

/* The part of a row that is independent of the kept ones and of `rows` earlier ones of its block, relative to its
 * length; own[rows] becomes its direction. */
static double own_part(survey *s, const mb_block *k, const mb_pair *row, int rows)
{
    mb_work *w = &s->w;
    mb_pair *f = s->own[rows];
    memset(f, 0, sz(mb_frames(&w->plan)) * sizeof *f);
    memset(w->sum, 0, (size_t)w->plan.rows * sizeof *w->sum);
    for (int side = 0; side < k->sides; side++)
        if (k->body[side] < w->plan.bodies)
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
    for (int b = 0; b < w->plan.bodies; b++)
        for (int j = 0; j < 6; j++) f[b].v[j] /= rest > 0 ? rest : 1;
    return rest > 0 ? rest / whole : 0;
}

/* 1: the block holds the shares of a wide body together, which users do not see. */
static int is_between_shares(const lg_mechanism *m, const mb_block *k)
{
    return k->source >= mb_seen(m, mb_facts_of(k)->part);
}

/* Marks the kept blocks on which the last row depends. */
static void mark_others(survey *s)
{
    const mb_work *w = &s->w;
    double largest = 0;
    for (int i = 0; i < w->plan.rows; i++) largest = fmax(largest, fabs(w->sum[i]));
    for (int e = 0; e < w->plan.blocks; e++)
        for (int i = w->block[e].at; i < w->block[e].at + w->block[e].rows; i++)
            if (fabs(w->sum[i]) > 1e-6 * largest && !is_between_shares(s->m, &w->block[e])) s->named[e] = 1;
}

/* The separator before item i of n in a list: "1, 2 and 3". */
static const char *comma(int i, int n)
{
    return i == 0 ? "" : i + 1 < n ? ", " : " and ";
}

/* "joint 'knee': rows 2 and 4 depend on those of 'hip' and 'ankle'", of the marked blocks. */
static void write_sentence(const survey *s, const mb_block *k, char *text)
{
    const char *name, *noun = mb_block_noun(s->m, k, &name);
    const size_t room = LG_MESSAGE_SIZE;
    int others = 0, named = 0;
    size_t at = (size_t)snprintf(text, room, "%s '%.60s': row%s ", noun, name, k->rows > 1 ? "s" : "");
    for (int i = 0; i < k->rows; i++)
        at += (size_t)snprintf(text + at, room - at, "%s%d", comma(i, k->rows), mb_facts_of(k)->first + k->kept[i]);
    at += (size_t)snprintf(text + at, room - at, " depend%s on ", k->rows > 1 ? "" : "s");
    for (int e = 0; e < s->w.plan.blocks; e++) others += s->named[e];
    if (others == 0) (void)snprintf(text + at, room - at, "its others");
    const int shown = others > 4 ? 3 : others, items = shown + (others > shown);
    for (int e = 0; e < s->w.plan.blocks && named < shown; e++) {
        if (!s->named[e]) continue;
        (void)mb_block_noun(s->m, &s->w.block[e], &name);
        at += (size_t)snprintf(text + at, room - at, "%s%s'%.40s'", named == 0 ? "those of " : "", comma(named, items),
                               name);
        named++;
    }
    if (others > shown) (void)snprintf(text + at, room - at, " and %d others", others - shown);
}

/* Where the force of a redundant block is a normal force, the motion does not determine it. */
static void share_load(lg_mechanism *m, const mb_block *k)
{
    const mb_row_facts *facts = mb_facts_of(k);
    if (facts->normal) m->shares_load[mb_normals_before(m, facts->part) + k->source] = 1;
}

/* 1: a drive is among rows that depend on each other. */
static int names_drive(const survey *s, const mb_block *left)
{
    int drive = left->kind == MB_DRIVE;
    for (int e = 0; e < s->w.plan.blocks; e++) drive |= s->named[e] && s->w.block[e].kind == MB_DRIVE;
    return drive;
}

/* The redundant rows `left` of a block: a sentence, and their place among those that are looked at in motion. */
static int remember_redundant(survey *s, const mb_block *left)
{
    share_load(s->m, left);
    for (int e = 0; e < s->w.plan.blocks; e++)
        if (s->named[e]) share_load(s->m, &s->w.block[e]);
    write_sentence(s, left, s->text);
    s->driven |= names_drive(s, left);
    char *text = malloc(strlen(s->text) + 1);
    if (text == NULL) return 0;
    strcpy(text, s->text);
    s->m->redundant[s->sentences++] = text;
    s->m->excess[s->m->plan.excess_count++] = *left;
    return 1;
}

/* Rebuilds the factor over the kept blocks. */
static int refresh(survey *s)
{
    mb_work_free(&s->w);
    if (!mb_work_make(&s->w, s->m, s->kept, s->count)) return 0;
    mb_node_place(&s->w.plan, &s->w.node, s->w.node.q);
    mb_node_rows(&s->w.plan, &s->w.node, 0);
    return 1;
}

static int is_link(const lg_mechanism *m, const mb_block *k)
{
    for (int s = 0; mb_facts_of(k)->part == MB_JOINTS && s < k->sides; s++)
        if (k->body[s] < m->plan.bodies && m->link[k->body[s]].joint == k->source) return 1;
    return 0;
}

/* Remembers the row that has least of its own, with those on which it nearly depends. */
static void remember_least(survey *s, const mb_block *from, int row, double part)
{
    if (!(part < s->least)) return;
    mb_block one = *from;
    one.rows = 1, one.kept[0] = row;
    s->least = part;
    if (part >= 1e-3) return;
    memset(s->named, 0, (size_t)s->w.plan.blocks);
    mark_others(s);
    write_sentence(s, &one, s->least_text);
}

/* Takes the rows of one block that are independent. 0: out of memory. */
static int take_block(survey *s, const mb_block *from)
{
    mb_block k = *from, left = *from;
    mb_pair row[MB_SIDES_MOST * MB_ROWS_MOST];
    double value[MB_ROWS_MOST];
    k.rows = left.rows = 0;
    mb_rows_of(&s->w.plan, from, row, value, &s->w.node);
    for (int i = 0; i < from->rows; i++) {
        const double part = own_part(s, from, row + i * from->sides, k.rows);
        if (!(part > MB_REDUNDANT)) {
            left.kept[left.rows++] = i;
            continue;
        }
        remember_least(s, from, i, part);
        k.kept[k.rows++] = i;
    }
    if (left.rows > 0) {
        memset(s->named, 0, (size_t)s->w.plan.blocks);
        for (int i = 0; i < left.rows; i++) {
            (void)own_part(s, from, row + left.kept[i] * from->sides, 0);
            mark_others(s);
        }
        if (!remember_redundant(s, &left)) return 0;
        if (s->driven) return 1;
    }
    if (k.rows == 0) return 1;
    s->kept[s->count++] = k;
    return refresh(s);
}

static int survey_begin(survey *s, lg_mechanism *m, int count)
{
    const size_t bodies = sz(mb_frames(&m->plan));
    *s = (survey){.m = m, .least = 1};
    s->kept = malloc(((size_t)count + 1) * sizeof *s->kept);
    s->named = calloc((size_t)count + 1, 1);
    s->own[0] = calloc(bodies * MB_ROWS_MOST, sizeof(mb_pair));
    for (int i = 1; s->own[0] != NULL && i < MB_ROWS_MOST; i++) s->own[i] = s->own[0] + (size_t)i * bodies;
    return s->kept != NULL && s->named != NULL && s->own[0] != NULL;
}

/* Refuses a mechanism that cannot move or is nearly singular. */
static lg_status judge(survey *s)
{
    lg_mechanism *m = s->m;
    const int near = s->least < 1e-3;
    s->w.plan.rotor_rows = m->plan.rotor_rows;
    if (s->driven)
        return lg_fail(
            &m->error, LG_ERROR_ARGUMENT,
            "lg_mechanism_compile: %.300s: a motion is given twice, which no mechanism can follow; leave one "
            "drive out",
            s->text);
    if (mb_freedoms(&s->w.plan) == 0 && m->plan.drives == 0)
        return lg_fail(&m->error, LG_ERROR_ARGUMENT,
                       "lg_mechanism_compile: nothing can move: the %d rows leave no freedom%s%.200s%s",
                       s->w.plan.rows - m->plan.rotor_rows - MB_SHARE_ROWS * m->hidden, near ? ". " : "",
                       near ? s->least_text : "",
                       near ? " almost: if it should be redundant, its points and axes must be exact to 1e-12" : "");
    if (s->least < MB_NEARLY)
        return lg_fail(&m->error, LG_ERROR_SINGULAR,
                       "lg_mechanism_compile: %.200s almost: by all but %.2g of its length. Either the mechanism is "
                       "assembled in a singular configuration, or a joint repeats others inexactly; if it should be "
                       "redundant, its points and axes must be exact to 1e-12",
                       s->least_text, s->least);
    return m->plan.excess_count > 0 ? mb_check_excess(m, &s->w) : LG_OK;
}

/* m->redundant, m->excess and *kept from all blocks at m->pose. */
static lg_status survey_rank(lg_mechanism *m, const mb_block *block, int count, mb_block **kept, int *kept_count)
{
    survey s;
    int well = survey_begin(&s, m, count);
    for (int e = 0; well && e < count; e++)
        if (is_link(m, &block[e])) s.kept[s.count++] = block[e];
    well = well && refresh(&s);
    m->plan.closes = s.count < count;
    for (int e = 0; well && e < count; e++)
        if (!is_link(m, &block[e]) && !s.driven) well = take_block(&s, &block[e]);
    const lg_status st = well ? judge(&s) : LG_ERROR_MEMORY;
    if (st == LG_OK) *kept = s.kept, *kept_count = s.count, s.kept = NULL;
    mb_work_free(&s.w);
    free(s.kept), free(s.named), free(s.own[0]);
    return st;
}

/* ---- blocks ---- */

static int list_blocks(const lg_mechanism *m, mb_block *block)
{
    int count = 0;
    for (int velocities = 0; velocities < 2; velocities++)
        for (int kind = 0; kind < MB_KINDS; kind++)
            for (int i = 0; mb_kind_of(kind)->blocks != NULL && i < m->part[kind].count; i++)
                count += mb_kind_of(kind)->blocks(m, i, velocities, &block[count]);
    for (int e = 0; e < count; e++) {
        block[e].all = block[e].rows, block[e].number = e, block[e].tree = is_link(m, &block[e]);
        for (int i = 0; i < block[e].rows; i++) block[e].kept[i] = i;
    }
    return count;
}

/* Kept blocks in the order of the list again. */
static void restore_order(mb_block *block, int count)
{
    for (int i = 1; i < count; i++) {
        const mb_block k = block[i];
        const int nonholonomic = mb_facts_of(&k)->velocity;
        int at = i;
        for (; at > 0; at--) {
            const mb_block *p = &block[at - 1];
            const int before = mb_facts_of(p)->velocity;
            if (before < nonholonomic ||
                (before == nonholonomic && (p->kind < k.kind || (p->kind == k.kind && p->source < k.source))))
                break;
            block[at] = *p;
        }
        block[at] = k;
    }
}

/* Blocks are numbered as the plan of all orders them. */
static void number_in_order(lg_mechanism *m)
{
    memcpy(m->whole_block, m->all, (size_t)m->all_count * sizeof *m->all);
    restore_order(m->whole_block, m->all_count);
    for (int e = 0; e < m->all_count; e++) m->all[m->whole_block[e].number].number = e;
    for (int e = 0; e < m->all_count; e++) m->whole_block[e].number = e;
}

int mb_make_whole(lg_mechanism *m)
{
    mb_plan *p = &m->whole;
    if (m->plan.excess_count == 0) return 1;
    *p = m->plan;
    p->excess_count = 0, p->excess = NULL;
    memset(&p->node, 0, sizeof p->node), memset(&p->mean, 0, sizeof p->mean), memset(&p->saddle, 0, sizeof p->saddle);
    mb_number_blocks(p, m->whole_block, m->all_count);
    if (!mb_make_factors(p, m->keep_order) || !mb_saddle_make(p)) return 0;
    m->plan.whole = p;
    return 1;
}

lg_status mb_make_blocks(lg_mechanism *m)
{
    int kept_count = 0, most = 0;
    for (int kind = 0; kind < MB_KINDS; kind++) most += mb_kind_of(kind)->blocks != NULL ? 2 * m->part[kind].count : 0;
    m->all = calloc((size_t)most + 1, sizeof *m->all);
    m->excess = calloc((size_t)most + 1, sizeof *m->excess);
    m->whole_block = calloc((size_t)most + 1, sizeof *m->whole_block);
    m->shares_load = calloc((size_t)mb_normals_before(m, MB_KINDS) + 1, 1);
    m->redundant = calloc((size_t)most + 1, sizeof *m->redundant);
    m->plan.excess = m->excess;
    lg_status st =
        m->all != NULL && m->excess != NULL && m->redundant != NULL && m->whole_block != NULL && m->shares_load != NULL
            ? LG_OK
            : LG_ERROR_MEMORY;
    if (st == LG_OK) {
        m->all_count = list_blocks(m, m->all);
        number_in_order(m);
        for (int e = 0; e < m->all_count; e++) m->all_rows += m->all[e].rows;
        st = mb_assemble(m, m->all, m->all_count);
    }
    if (st == LG_OK) st = survey_rank(m, m->all, m->all_count, &m->block, &kept_count);
    if (st == LG_OK) {
        restore_order(m->block, kept_count);
        mb_number_blocks(&m->plan, m->block, kept_count);
        if (!mb_make_factors(&m->plan, m->keep_order)) st = LG_ERROR_MEMORY;
    }
    return st == LG_ERROR_MEMORY ? lg_fail(&m->error, st, "lg_mechanism_compile: out of memory") : st;
}
