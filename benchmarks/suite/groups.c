/* SPDX-License-Identifier: BSD-3-Clause */
/* Operations on groups: nanoseconds per element and worst error, one thread. Random directions, angles in (0, pi). */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "benchmarks/suite/bench.h"
#include "benchmarks/suite/operations.h"

/* STAGGER keeps the arrays from beginning at the same place of a page: the times of the shortest operations depend on
 * the relative position of the arrays (SE(2) compose: 1.5 to 2.1 ns), so it is fixed here. */
enum { ELEMENTS = 4000, FEW_ELEMENTS = 128, MOST = 36, STAGGER = 264, ARRAYS = 6 };

enum { SINGLE, DIRECT, BY_ELEMENT, BY_ENTRY_1, BY_ENTRY_2, BY_ENTRY_4, BY_ENTRY_8, TEXTBOOK, WAYS };
static const char *const way_names[WAYS] = {"any group",  "direct",     "elements",   "entries x1",
                                            "entries x2", "entries x4", "entries x8", "textbook"};

static const char *const operation_names[2][BENCH_OPERATIONS] = {
    {"exp", "log", "dexp", "dexp_inv", "compose", "inverse", "Ad", "Ad*"},
    {"cay", "cay_inv", "dcay", "dcay_inv", NULL, NULL, NULL, NULL}};

typedef struct space {
    const lg_group *G;
    const char *key; /* of the stored values */
    int slow;        /* no vector kernels: LAPACKE, microseconds */
} space;

typedef struct job {
    bench_report *r;
    const bench_settings *s;
    double *block;
    const space *space;
} job;

static double *array(const job *j, int i)
{
    return j->block + (size_t)i * (ELEMENTS * MOST + STAGGER);
}

/* Uniform in (0, 1); the same sequence in every run. */
static double uniform(unsigned long long *state)
{
    *state = *state * 6364136223846793005ULL + 1442695040888963407ULL;
    return ((double)(*state >> 12) + 0.5) * 0x1p-52;
}

/* Other coordinates in (-1, 1), rotations by an angle in (0, pi) about a random axis; so(4): of a norm in (0, 3). */
static void random_vector(const lg_group *G, double *xi, unsigned long long *state)
{
    const lg_group *last = lg_group_factor(G, lg_group_factor_count(G) - 1);
    const int n = lg_group_dim(G), rotation = last->kind == LG_KIND_SE2 ? 1 : last->kind == LG_KIND_QUADRATIC ? n : 3;
    const double angle = (rotation == n && n > 3 ? 3 : 3.14159265358979312) * uniform(state);
    double norm = 0, *w = xi + n - rotation;
    for (int i = 0; i < n; i++) xi[i] = 2 * uniform(state) - 1;
    for (int i = 0; i < rotation; i++) norm += w[i] * w[i];
    for (int i = 0; i < rotation; i++) w[i] *= angle / sqrt(norm);
}

static int fill(const bench_work *w, double *to, int elements, unsigned long long seed)
{
    unsigned long long state = seed;
    const int n = lg_group_dim(w->G), size = elements ? lg_group_element_size(w->G) : n;
    double xi[6];
    for (long i = 0; i < w->elements; i++) {
        random_vector(w->G, xi, &state);
        if (!elements) {
            memcpy(to + i * size, xi, (size_t)n * sizeof *to);
        } else if (lg_retraction_tau(lg_retraction_exp(), w->G, to + i * size, xi) != LG_OK) {
            return 1;
        }
    }
    return 0;
}

static void transpose(double *to, const double *from, long elements, int size)
{
    for (long k = 0; k < elements; k++)
        for (int i = 0; i < size; i++) to[i * elements + k] = from[k * size + i];
}

/* The inputs in both layouts: arrays 0, 1 and 2, 3. */
static int prepare(const job *j, bench_work *w)
{
    const int sa = bench_size_a(w), sb = bench_size_b(w);
    const int on_group = w->operation == BENCH_TAU_INV || w->operation >= BENCH_COMPOSE;
    if (fill(w, array(j, 0), on_group, 20240611)) return 1;
    transpose(array(j, 2), array(j, 0), w->elements, sa);
    if (sb == 0) return 0;
    if (fill(w, array(j, 1), w->operation == BENCH_COMPOSE, 20240612)) return 1;
    transpose(array(j, 3), array(j, 1), w->elements, sb);
    return 0;
}

static bench_work work_of(const job *j, const bench_work *base, int way)
{
    bench_work w = *base;
    const int entries = way >= BY_ENTRY_1 && way <= BY_ENTRY_8;
    w.a = array(j, entries ? 2 : 0), w.b = array(j, entries ? 3 : 1);
    w.out = array(j, 4);
    w.layout = entries ? LG_LAYOUT_ENTRIES : LG_LAYOUT_ELEMENTS;
    w.width = entries ? 1 << (way - BY_ENTRY_1) : 0;
    return w;
}

/* NULL: this operation has no such way. */
static bench_run run_of(const job *j, const bench_direct *d, int way)
{
    if (way == SINGLE) return bench_single;
    if (way == DIRECT) return d->ours;
    if (way == TEXTBOOK) return d->textbook;
    if (way == BY_ELEMENT) return bench_batch;
    if (j->space->slow) return way == BY_ENTRY_1 ? bench_batch : NULL;
    return lg_width_supported(1 << (way - BY_ENTRY_1)) ? bench_batch : NULL;
}

/* All ways must give the bits of the first, except the textbook; returns how many do not. */
static int differing(const job *j, const bench_case *cases, bench_work *const *works, int count)
{
    const int size = bench_size_out(works[0]);
    const long all = works[0]->elements * size;
    double *first = array(j, 5), *out = array(j, 4);
    int bad = 0;
    (void)cases[0].run(works[0], works[0]->elements);
    memcpy(first, out, (size_t)all * sizeof *out);
    for (int k = 1; k < count; k++) {
        memset(out, 0, (size_t)all * sizeof *out);
        (void)cases[k].run(works[k], works[k]->elements);
        const int entries = works[k]->layout == LG_LAYOUT_ENTRIES;
        int same = 1;
        for (long e = 0; e < works[k]->elements; e++)
            for (int i = 0; i < size; i++)
                same &= out[entries ? i * works[k]->elements + e : e * size + i] == first[e * size + i];
        bad += !same;
    }
    return bad;
}

static void write_row(const job *j, const bench_work *base, const char *name, const char *retraction,
                      const bench_case *const *timed, const bench_direct *d, const double *error)
{
    const bench_case *best = NULL;
    for (int way = 0; way < TEXTBOOK; way++)
        if (timed[way] != NULL && (best == NULL || timed[way]->median < best->median)) best = timed[way];
    bench_row(j->r);
    bench_text(j->r, lg_group_name(base->G));
    bench_text(j->r, name);
    bench_text(j->r, retraction);
    for (int way = 0; way < WAYS; way++) bench_timing(j->r, timed[way]);
    bench_number(j->r, timed[TEXTBOOK] != NULL && best != NULL ? bench_ratio(timed[TEXTBOOK], best) : (double)NAN);
    bench_number(j->r, d->best);
    bench_number(j->r, error[0]);
    bench_number(j->r, error[1]);
}

/* One operation in all ways. */
static void measure(job *j, bench_operation operation, const char *retraction)
{
    const int cayley = strcmp(retraction, "cayley") == 0;
    const char *name = operation_names[cayley][operation];
    const bench_direct d = bench_direct_find(j->space->G, operation, retraction);
    bench_work base = {.operation = operation, .G = j->space->G, .r = lg_retraction_named(retraction)};
    bench_work works[WAYS], *used[WAYS];
    bench_case cases[WAYS] = {{0}};
    const bench_case *timed[WAYS] = {NULL};
    char key[32];
    double error[2];
    int count = 0, ours;
    base.elements = j->space->slow ? FEW_ELEMENTS : ELEMENTS;
    if (prepare(j, &base)) {
        bench_fail(j->r, "%s: no inputs", lg_group_name(base.G));
        return;
    }
    for (int way = 0; way < WAYS; way++) {
        if (run_of(j, &d, way) == NULL) continue;
        works[way] = work_of(j, &base, way);
        used[count] = &works[way];
        cases[count] = (bench_case){.name = way_names[way], .run = run_of(j, &d, way), .context = &works[way]};
        cases[count].count = base.elements * (j->s->quick || j->space->slow ? 1 : 8);
        timed[way] = &cases[count++];
    }
    ours = count - (d.textbook != NULL);
    if (differing(j, cases, used, ours) > 0 && !j->space->slow)
        bench_fail(j->r, "%s %s: the ways to call it do not agree to the last bit", lg_group_name(base.G), name);
    bench_time(j->r, cases, count);
    for (int k = 0; k < count; k++)
        if (used[k]->failures > 0) bench_fail(j->r, "%s %s: %s fails", lg_group_name(base.G), name, cases[k].name);
    snprintf(key, sizeof key, operation < BENCH_COMPOSE ? "%s_%s" : "%s", j->space->key, cayley ? "cay" : "exp");
    error[0] = bench_error(&base, bench_single, key);
    error[1] = d.textbook != NULL ? bench_error(&base, d.textbook, key) : (double)NAN;
    write_row(j, &base, name, operation < BENCH_COMPOSE ? retraction : "", timed, &d, error);
}

static void columns(bench_report *r)
{
    bench_table(r, "operations",
                "nanoseconds per element, and the worst error against multiprecision values relative to the largest "
                "number of its block");
    bench_column(r, "group", "");
    bench_column(r, "operation", "");
    bench_column(r, "retraction", "");
    for (int way = 0; way < WAYS; way++) bench_column(r, way_names[way], "%.1f");
    bench_column(r, "textbook / best", "%.1f");
    bench_column(r, "C++ libraries, stored", "%.1f");
    bench_column(r, "error", "%.0e");
    bench_column(r, "error, textbook", "%.0e");
}

static void measure_space(job *j)
{
    static const char *const retractions[] = {"exp", "cayley"};
    bench_tell(j->s, "groups: %s", lg_group_name(j->space->G));
    for (int i = 0; i < 2; i++)
        for (int op = BENCH_TAU; op <= BENCH_DTAU_INV; op++) measure(j, (bench_operation)op, retractions[i]);
    for (int op = BENCH_COMPOSE; op < BENCH_OPERATIONS; op++) measure(j, (bench_operation)op, "exp");
}

void bench_groups(bench_report *r, const bench_settings *s)
{
    const lg_group *const factors[2] = {lg_rn(2), lg_so3()};
    lg_group *ball = NULL, *so4 = NULL;
    job j = {.r = r, .s = s, .block = calloc((size_t)ARRAYS * (ELEMENTS * MOST + STAGGER), sizeof(double))};
    if (j.block != NULL && lg_group_create_product(&ball, factors, 2) == LG_OK &&
        lg_group_create_so(&so4, 4) == LG_OK) {
        const space spaces[] = {
            {lg_so3(), "SO3", 0}, {lg_se2(), "SE2", 0}, {lg_se3(), "SE3", 0}, {ball, "SO3", 0}, {so4, "SO4", 1}};
        bench_begin(r, s, BENCH_MANY);
        columns(r);
        for (int i = 0; i < (int)(sizeof spaces / sizeof spaces[0]); i++) {
            j.space = &spaces[i];
            measure_space(&j);
        }
        bench_say(
            r,
            "any group: lg_retraction_tau() and the like, one element per call; direct: lg_so3_exp() and the like; "
            "elements, entries: lg_batch_*() on arrays of structures and structures of arrays, xN elements at a time.");
        bench_say(
            r,
            "C++ libraries, stored: the best figure known to us on this kind of machine, not from this run. SO(4) uses "
            "LAPACKE, one element at a time.");
    } else {
        bench_fail(r, "out of memory");
    }
    lg_group_destroy(ball), lg_group_destroy(so4);
    free(j.block);
}
