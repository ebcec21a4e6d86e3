/* SPDX-License-Identifier: BSD-3-Clause */
/* The choice of the rows that are kept. Plans are taken from the one with every row: its symbolic factors have room for
 * all, so that nothing is allocated and the order of elimination stays. */
#include "multibody/choice.h"

#include <math.h>
#include <string.h>

#include "multibody/sound.h"
#include "multibody/work.h"

#define CHOICE_GAIN     1.5   /* an exchange multiplies the volume of the kept rows by more */
#define CHOICE_LEAST    1.1   /* that bound after a step has failed */
#define CHOICE_REGULAR  1e-10 /* of the diagonal, where kept rows may depend on each other */
#define CHOICE_SINGULAR 1e-5  /* kept rows with a smaller pivot are looked at for such a dependence */
#define CHOICE_APART    1e-3  /* of its length: a row with more of its own can replace one of them */

/* ---- memory ---- */

static int *take_integers(lg_arena *a, int count)
{
    return lg_take(a, (sz(count) + 1) * sizeof(int));
}

static void carve_symbolic(mb_symbolic *S, lg_arena *a, const mb_symbolic *from)
{
    const int blocks = from->first[from->count], targets = from->target_at[from->count];
    S->block = take_integers(a, from->count), S->diagonal = take_integers(a, from->count);
    S->first = take_integers(a, from->count), S->target_at = take_integers(a, from->count);
    S->row = take_integers(a, blocks), S->value = take_integers(a, blocks);
    S->target = take_integers(a, targets), S->term = take_integers(a, 5 * from->terms);
}

void mb_choice_carve(mb_choice *c, lg_arena *a, const mb_plan *plan)
{
    const mb_plan *whole = plan->whole;
    if (whole == NULL) return;
    const int vertices = plan->bodies + whole->blocks;
    c->kept = lg_take(a, sz(whole->rows)), c->compiled = lg_take(a, sz(whole->rows));
    c->block = lg_take(a, sz(whole->blocks) * sizeof *c->block);
    c->excess = lg_take(a, sz(whole->blocks) * sizeof *c->excess);
    carve_symbolic(&c->node, a, &whole->node), carve_symbolic(&c->mean, a, &whole->mean);
    carve_symbolic(&c->saddle.factor, a, &whole->saddle.factor);
    c->saddle.rows = take_integers(a, vertices), c->saddle.side = take_integers(a, MB_SIDES_MOST * whole->blocks);
    c->index = take_integers(a, vertices), c->place = take_integers(a, vertices);
    c->twist = lg_take(a, sz(mb_frames(plan)) * sizeof *c->twist);
    c->x = lg_take_doubles(a, sz(plan->rows)), c->sum = lg_take_doubles(a, sz(plan->rows));
    c->length = lg_take_doubles(a, sz(plan->rows));
}

/* ---- plans ---- */

/* The factor without the vertices whose index is -1; `place` is scratch. */
static void select_vertices(mb_symbolic *to, const mb_symbolic *from, const int *index, int *place)
{
    int next = 0, targets = 0;
    to->count = 0, to->numbers = from->numbers;
    for (int k = 0; k < from->count; k++) {
        const int v = index[from->block[k]];
        place[k] = v < 0 ? -1 : to->count;
        if (v >= 0) to->block[to->count++] = v;
    }
    for (int k = 0; k < from->count; k++) {
        if (place[k] < 0) continue;
        const int *target = from->target + from->target_at[k];
        to->first[place[k]] = next, to->diagonal[place[k]] = from->diagonal[k], to->target_at[place[k]] = targets;
        for (int s = from->first[k]; s < from->first[k + 1]; s++) {
            const int has = place[from->row[s]] >= 0;
            for (int t = from->first[k]; t <= s; t++, target++)
                if (has && place[from->row[t]] >= 0) to->target[targets++] = *target;
            if (has) to->row[next] = place[from->row[s]], to->value[next++] = from->value[s];
        }
    }
    to->first[to->count] = next, to->target_at[to->count] = targets;
    to->terms = 0;
    for (int i = 0; i < from->terms; i++) {
        const int *t = from->term + 5 * i;
        int *own = to->term + 5 * to->terms;
        if (index[t[1]] < 0 || index[t[3]] < 0) continue;
        own[0] = t[0], own[1] = index[t[1]], own[2] = t[2], own[3] = index[t[3]], own[4] = t[4];
        to->terms++;
    }
}

static void select_saddle(mb_choice *c)
{
    const mb_plan *whole = c->base->whole;
    mb_saddle *s = &c->saddle;
    const int bodies = whole->bodies;
    for (int b = 0; b < bodies; b++) s->rows[b] = 6;
    for (int e = 0; e < whole->blocks; e++) {
        const int to = c->index[bodies + e];
        if (to < 0) continue;
        s->rows[to] = c->plan->block[to - bodies].rows;
        memcpy(s->side + MB_SIDES_MOST * (to - bodies), whole->saddle.side + MB_SIDES_MOST * e,
               MB_SIDES_MOST * sizeof(int));
    }
    select_vertices(&s->factor, &whole->saddle.factor, c->index, c->place);
    s->body = whole->saddle.body, s->link = whole->saddle.link;
    c->plan->saddle = *s;
}

/* The rows that the plan as compiled keeps. */
static void mark_compiled(const mb_choice *c, char *kept)
{
    const mb_plan *base = c->base;
    memset(kept, 0, sz(base->whole->rows));
    for (int e = 0; e < base->blocks; e++) {
        const mb_block *k = &base->block[e];
        for (int i = 0; i < k->rows; i++) kept[base->whole->block[k->number].at + k->kept[i]] = 1;
    }
}

/* The blocks of c->kept, and the rows that it leaves out. Vertices' indices follow the bodies'. */
static void divide_blocks(mb_choice *c)
{
    mb_plan *p = c->plan;
    const mb_plan *whole = c->base->whole;
    int blocks = 0;
    p->excess = c->excess, p->excess_count = 0;
    for (int b = 0; b < whole->bodies; b++) c->index[b] = b;
    for (int e = 0; e < whole->blocks; e++) {
        const mb_block *all = &whole->block[e];
        mb_block *k = &c->block[blocks], *left = &c->excess[p->excess_count];
        *k = *left = *all;
        k->rows = left->rows = 0;
        for (int i = 0; i < all->rows; i++) {
            mb_block *to = c->kept[all->at + i] ? k : left;
            to->kept[to->rows++] = i;
        }
        p->excess_count += left->rows > 0;
        c->index[whole->bodies + e] = k->rows > 0 ? whole->bodies + blocks : -1;
        blocks += k->rows > 0;
    }
    mb_number_blocks(p, c->block, blocks);
}

/* The plan of c->kept. */
static void realise(mb_choice *c)
{
    mb_plan *p = c->plan;
    const mb_plan *whole = c->base->whole;
    double *to = c->moving[0]->choice;
    *p = *c->base;
    to[MB_CHOICE_OTHER] = memcmp(c->compiled, c->kept, sz(whole->rows)) != 0;
    for (int i = 0; i < whole->rows; i++) to[mb_choice_rows(p) + i] = c->kept[i];
    if (to[MB_CHOICE_OTHER] > 0) {
        divide_blocks(c);
        select_saddle(c);
        for (int e = 0; e < whole->blocks; e++)
            c->index[e] = c->index[whole->bodies + e] < 0 ? -1 : c->index[whole->bodies + e] - whole->bodies;
        select_vertices(&c->node, &whole->node, c->index, c->place);
        select_vertices(&c->mean, &whole->mean, c->index, c->place);
        p->node = c->node, p->mean = c->mean;
    }
    for (int i = 0; i < 2; i++) {
        const mb_collocation *o = c->moving[i] != NULL ? c->moving[i]->collocation : NULL;
        if (o != NULL) o->table->choose(o->stages);
    }
}

void mb_choice_reset(mb_choice *c)
{
    if (c->base->whole == NULL) return;
    mark_compiled(c, c->compiled);
    memcpy(c->kept, c->compiled, sz(c->base->whole->rows));
    realise(c);
    memset(c->moving[0]->choice + MB_CHOICE_LIMITS, 0, sz(c->base->rows) * sizeof(double)); /* the first look is one */
}

/* 1: the numbers choose as many rows of either kind as compilation. */
static int is_choice(const mb_choice *c, const double *numbers)
{
    const mb_plan *whole = c->base->whole;
    int count[2] = {0, 0};
    for (int e = 0; e < whole->blocks; e++) {
        const mb_block *k = &whole->block[e];
        for (int i = 0; i < k->rows; i++) {
            const double x = numbers[mb_choice_rows(c->base) + k->at + i];
            if (x != 0 && x != 1) return 0;
            if (x == 0 && k->tree) return 0;
            count[e >= whole->holonomic_blocks] += x > 0;
        }
    }
    return count[0] == c->base->holonomic_rows && count[0] + count[1] == c->base->rows;
}

int mb_choice_follow(mb_choice *c)
{
    if (c->base->whole == NULL) return 1;
    const double *numbers = c->moving[0]->choice;
    int same = 1;
    if (!is_choice(c, numbers)) {
        mb_choice_reset(c);
        return 0;
    }
    for (int i = 0; i < c->base->whole->rows; i++) {
        const char kept = numbers[mb_choice_rows(c->base) + i] > 0;
        same &= kept == c->kept[i];
        c->kept[i] = kept;
    }
    if (!same) realise(c);
    return 1;
}

/* ---- exchanges ---- */

/* c->twist <- J^-1 r^T; returns the length of r, whose parts these are. */
static double load_row(mb_choice *c, const mb_block *k, const mb_pair *row, const mb_node *n)
{
    const int bodies = c->plan->bodies;
    double square = 0;
    memset(c->twist, 0, sz(mb_frames(c->plan)) * sizeof *c->twist);
    for (int s = 0; s < k->sides; s++) {
        mb_pair part;
        if (k->body[s] >= bodies) continue;
        mb_part_product(&part, &row[s], &n->mobility[k->body[s]]);
        square += small_dot(6, part.v, row[s].v);
        for (int j = 0; j < 6; j++) c->twist[k->body[s]].v[j] += part.v[j];
    }
    return sqrt(square);
}

/* x <- C^-1 A twist. */
static void solve_rows(mb_choice *c, const mb_node *n)
{
    const mb_plan *p = c->plan;
    mb_pull(p, n->rows.row, c->x, c->twist, p->blocks);
    mb_forward(p, &p->node, n->factor, c->x);
    mb_backward(p, &p->node, n->factor, c->x);
}

/* Lengths of the kept rows in the metric. */
static void measure_rows(mb_choice *c, const mb_node *n)
{
    const mb_plan *p = c->plan;
    for (int e = 0; e < p->blocks; e++) {
        const mb_block *k = &p->block[e];
        for (int i = 0; i < k->rows; i++) c->length[k->at + i] = sqrt(mb_row_square(p, k, i, n->rows));
    }
}

/* The kept row that may give way to one of block `left`, having the largest weight |x| |K|; -1: none. */
static int heaviest(const mb_choice *c, const mb_block *left, const double *x, double *weight)
{
    const mb_plan *p = c->plan;
    int best = -1;
    *weight = 0;
    for (int e = 0; e < p->blocks; e++) {
        const mb_block *k = &p->block[e];
        if (k->tree || mb_facts_of(k)->velocity != mb_facts_of(left)->velocity) continue;
        for (int i = 0; i < k->rows; i++) {
            const double own = fabs(x[k->at + i]) * c->length[k->at + i];
            if (own > *weight) *weight = own, best = c->base->whole->block[k->number].at + k->kept[i];
        }
    }
    return best;
}

static void evaluate(mb_choice *c, mb_node *n, double regular)
{
    mb_node_rows(c->plan, n, regular);
    measure_rows(c, n);
}

static void exchange(mb_choice *c, mb_node *n, int out, int in, double regular)
{
    c->kept[out] = 0, c->kept[in] = 1;
    realise(c);
    evaluate(c, n, regular);
}

/* The exchange that gains most; *in and *out are rows of the whole. */
static double best_exchange(mb_choice *c, const mb_node *n, int *out, int *in)
{
    const mb_plan *p = c->plan;
    double most = 0;
    for (int e = 0; e < p->excess_count; e++) {
        const mb_block *k = &p->excess[e];
        mb_pair row[MB_SIDES_MOST * MB_ROWS_MOST];
        double value[MB_ROWS_MOST], weight;
        mb_rows_of(p, k, row, value, n);
        for (int i = 0; i < k->rows; i++) {
            const double length = load_row(c, k, row + k->kept[i] * k->sides, n);
            solve_rows(c, n);
            const int from = heaviest(c, k, c->x, &weight);
            if (from < 0 || !(weight > most * length)) continue;
            most = weight / length;
            *out = from, *in = c->base->whole->block[k->number].at + k->kept[i];
        }
    }
    return most;
}

/* Exchanges rows at a node whose rows are known and independent; returns how many. */
static int enlarge(mb_choice *c, mb_node *n, double gain)
{
    int out = 0, in = 0, count = 0;
    measure_rows(c, n);
    while (count < 4 * c->base->whole->rows && best_exchange(c, n, &out, &in) > gain) {
        exchange(c, n, out, in, 0);
        count++;
    }
    return count;
}

/* ---- kept rows that depend on each other ---- */

/* sum <- coefficients of a combination of the kept rows that vanishes, if there is one; returns its length, relative to
 * that of its largest part. */
static double vanishing(mb_choice *c, const mb_node *n)
{
    const mb_plan *p = c->plan;
    double largest = 0, square = 0;
    for (int i = 0; i < p->rows; i++) c->sum[i] = 1 / c->length[i];
    for (int round = 0; round < 3; round++) {
        double most = 0;
        mb_forward(p, &p->node, n->factor, c->sum);
        mb_backward(p, &p->node, n->factor, c->sum);
        for (int i = 0; i < p->rows; i++) most = fmax(most, fabs(c->sum[i]) * c->length[i]);
        for (int i = 0; i < p->rows; i++) c->sum[i] /= most;
    }
    for (int i = 0; i < p->rows; i++) largest = fmax(largest, fabs(c->sum[i]) * c->length[i]);
    memset(c->twist, 0, sz(mb_frames(p)) * sizeof *c->twist);
    mb_push(p, n->rows.row, c->twist, 1, c->sum, p->blocks);
    for (int b = 0; b < p->bodies; b++) {
        mb_pair part;
        mb_part_product(&part, &c->twist[b], &n->mobility[b]);
        square += small_dot(6, part.v, c->twist[b].v);
    }
    return sqrt(square) / largest;
}

/* The part of a row that is independent of the kept ones, relative to its length. */
static double own_part(mb_choice *c, const mb_block *k, const mb_pair *row, const mb_node *n)
{
    const mb_plan *p = c->plan;
    const double length = load_row(c, k, row, n);
    double square = 0;
    for (int round = 0; round < 3; round++) {
        solve_rows(c, n);
        mb_push(p, n->rows.product, c->twist, -1, c->x, p->blocks);
        memset(&c->twist[p->bodies], 0, sizeof *c->twist);
    }
    for (int b = 0; b < p->bodies; b++) { /* T of these velocities */
        double w[3], q[3];
        mb_back(w, n->pose[b].R, c->twist[b].v + 3);
        mb_turn(q, p->inertia + 9 * b, w);
        square += p->mass[b] * mb_dot(c->twist[b].v, c->twist[b].v) + mb_dot(q, w);
    }
    return sqrt(square) / length;
}

/* Replaces a kept row that depends on the others by one that does not. 0: no row can replace it, or none depends. */
static int mend(mb_choice *c, mb_node *n)
{
    const mb_plan *p = c->plan;
    double most = CHOICE_APART, weight;
    int out = -1, in = -1;
    if (!(vanishing(c, n) < CHOICE_SINGULAR)) return 0;
    for (int e = 0; e < p->excess_count; e++) {
        const mb_block *k = &p->excess[e];
        mb_pair row[MB_SIDES_MOST * MB_ROWS_MOST];
        double value[MB_ROWS_MOST];
        const int from = heaviest(c, k, c->sum, &weight);
        if (!(weight > 1e-3)) continue;
        mb_rows_of(p, k, row, value, n);
        for (int i = 0; i < k->rows; i++) {
            const double own = own_part(c, k, row + k->kept[i] * k->sides, n);
            if (own > most) most = own, out = from, in = c->base->whole->block[k->number].at + k->kept[i];
        }
    }
    if (in >= 0) exchange(c, n, out, in, CHOICE_REGULAR);
    return in >= 0;
}

/* ---- when ---- */

static double smallest_pivot(const mb_choice *c, const mb_node *n)
{
    return mb_pivot_of(mb_slender(c->plan, &c->plan->node, n->factor, n->rows));
}

/* After rows were exchanged at node n. */
static void settle(mb_choice *c, mb_motion *m, mb_node *n)
{
    for (int i = 0; i < 2; i++) {
        mb_motion *other = c->moving[i];
        if (other == NULL) continue;
        for (int s = 0; s < (i ? 1 : c->stages); s++) other->history[s].known = other->history[s].stiff = 0;
        if (other != m) mb_node_rows(c->plan, &other->node[other->now], 0);
    }
    *c->pivot = smallest_pivot(c, n);
}

void mb_choice_look(mb_choice *c, mb_motion *m)
{
    mb_node *n = &m->node[m->now];
    if (c->base->whole == NULL || c->fixed) return;
    double *limit = c->moving[0]->choice + MB_CHOICE_LIMITS;
    if (!mb_falls(c->plan, n, limit)) return;
    if (smallest_pivot(c, n) < MB_FALLEN && enlarge(c, n, CHOICE_GAIN) > 0) settle(c, m, n);
    mb_watch(c->plan, n, limit, 1);
}

int mb_choice_again(mb_choice *c, mb_motion *m)
{
    mb_node *n = &m->node[m->now];
    if (c->base->whole == NULL || c->fixed) return 0;
    mb_node_rows(c->plan, n, 0);
    if (enlarge(c, n, CHOICE_LEAST) == 0) return 0;
    settle(c, m, n);
    return 1;
}

void mb_choice_start(mb_choice *c, mb_motion *m)
{
    mb_node *n = &m->node[m->now];
    if (c->base->whole == NULL) return;
    if (!(smallest_pivot(c, n) > CHOICE_SINGULAR)) {
        int count = 0;
        evaluate(c, n, CHOICE_REGULAR);
        while (count < c->base->whole->rows && mend(c, n)) count++;
        evaluate(c, n, 0);
        if (count > 0) (void)enlarge(c, n, CHOICE_GAIN);
    }
}
