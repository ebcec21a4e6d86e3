/* SPDX-License-Identifier: BSD-3-Clause */
/* Throughput of group operations, nanoseconds per element over 4096 elements, one thread: through the public per-group
 * functions, against a textbook version over libm (what a user would write) in the same run, and against the best
 * figure of C++ libraries on this kind of machine. Random directions, angles in (0, pi). */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <liegrp/liegrp.h>

#include "support.h"
#include "textbook.h"

/* STAGGER keeps the arrays from beginning at the same place of a page: the times of the shortest operations depend on
 * how the arrays lie to each other (SE(2) compose: 1.5 to 2.1 ns), so that is fixed here. */
enum { ELEMENTS = 4096, MOST = 36, STAGGER = 264 };

/* What the loops work on: vectors or elements in, elements or matrices out. */
typedef struct bench_work {
    double *in, *other, *out;
    int failures;
} bench_work;

/* A loop over all elements; `call` is one operation on element i of `w`. */
#define LOOP(name, size_out, size_in, call)                                                                            \
    static double name(void *context, long count)                                                                      \
    {                                                                                                                  \
        bench_work *w = context;                                                                                       \
        for (long done = 0; done < count; done += ELEMENTS)                                                            \
            for (long i = 0; i < ELEMENTS; i++) {                                                                      \
                double *out = w->out + i * (size_out);                                                                 \
                const double *in = w->in + i * (size_in), *other = w->other + i * (size_in);                           \
                (void)other;                                                                                           \
                call;                                                                                                  \
            }                                                                                                          \
        return w->out[0];                                                                                              \
    }

/* Ours and the textbook's loop of one operation. */
#define UNARY(group, op, size_out, size_in)                                                                            \
    LOOP(our_##group##_##op, size_out, size_in, lg_##group##_##op(out, in))                                            \
    LOOP(book_##group##_##op, size_out, size_in, textbook_##group##_##op(out, in))
#define CHECKED(group, op, size_out, size_in)                                                                          \
    LOOP(our_##group##_##op, size_out, size_in, w->failures += lg_##group##_##op(out, in) != LG_OK)                    \
    LOOP(book_##group##_##op, size_out, size_in, textbook_##group##_##op(out, in))
#define BINARY(group, op, size_out, size_in)                                                                           \
    LOOP(our_##group##_##op, size_out, size_in, lg_##group##_##op(out, in, other))                                     \
    LOOP(book_##group##_##op, size_out, size_in, textbook_##group##_##op(out, in, other))

UNARY(so3, exp, 4, 3)
CHECKED(so3, log, 3, 4)
UNARY(so3, dexp, 9, 3)
UNARY(so3, dexp_inv, 9, 3)
BINARY(so3, compose, 4, 4)
UNARY(se2, exp, 4, 3)
CHECKED(se2, log, 3, 4)
UNARY(se2, dexp, 9, 3)
UNARY(se2, dexp_inv, 9, 3)
BINARY(se2, compose, 4, 4)
UNARY(se3, exp, 7, 6)
CHECKED(se3, log, 6, 7)
UNARY(se3, dexp, 36, 6)
UNARY(se3, dexp_inv, 36, 6)
BINARY(se3, compose, 7, 7)

/* One line of the table. */
typedef struct operation {
    const char *name;
    const lg_group *(*group)(void);
    bench_run ours, textbook;
    int size_out, takes_elements; /* inputs are elements, else algebra vectors */
    double best;                  /* of the C++ libraries, ns; NaN: unknown */
} operation;

static const operation operations[] = {
    {"SO(3) exp", lg_so3, our_so3_exp, book_so3_exp, 4, 0, 15},
    {"SO(3) log", lg_so3, our_so3_log, book_so3_log, 3, 1, 21},
    {"SO(3) dexp", lg_so3, our_so3_dexp, book_so3_dexp, 9, 0, 28},
    {"SO(3) dexp_inv", lg_so3, our_so3_dexp_inv, book_so3_dexp_inv, 9, 0, 26},
    {"SO(3) compose", lg_so3, our_so3_compose, book_so3_compose, 4, 1, 2.5},
    {"SE(2) exp", lg_se2, our_se2_exp, book_se2_exp, 4, 0, 11},
    {"SE(2) log", lg_se2, our_se2_log, book_se2_log, 3, 1, 22},
    {"SE(2) dexp", lg_se2, our_se2_dexp, book_se2_dexp, 9, 0, 11},
    {"SE(2) dexp_inv", lg_se2, our_se2_dexp_inv, book_se2_dexp_inv, 9, 0, NAN},
    {"SE(2) compose", lg_se2, our_se2_compose, book_se2_compose, 4, 1, 2},
    {"SE(3) exp", lg_se3, our_se3_exp, book_se3_exp, 7, 0, 46},
    {"SE(3) log", lg_se3, our_se3_log, book_se3_log, 6, 1, 68},
    {"SE(3) dexp", lg_se3, our_se3_dexp, book_se3_dexp, 36, 0, 108},
    {"SE(3) dexp_inv", lg_se3, our_se3_dexp_inv, book_se3_dexp_inv, 36, 0, 117},
    {"SE(3) compose", lg_se3, our_se3_compose, book_se3_compose, 7, 1, 7.5},
};
enum { OPERATIONS = sizeof operations / sizeof *operations };

/* Uniform in (0, 1); the same sequence in every run. */
static double uniform(unsigned long long *state)
{
    *state = *state * 6364136223846793005ULL + 1442695040888963407ULL;
    return ((double)(*state >> 12) + 0.5) * 0x1p-52;
}

/* An algebra vector: translations in (-1, 1), rotation by an angle in (0, pi) about a random axis. */
static void random_vector(const lg_group *G, double *xi, unsigned long long *state)
{
    const double angle = LG_BENCH_PI * uniform(state);
    int at = 0;
    if (G->kind != LG_KIND_SO3)
        for (; at < (G->kind == LG_KIND_SE2 ? 2 : 3); at++) xi[at] = 2 * uniform(state) - 1;
    if (G->kind == LG_KIND_SE2) {
        xi[at] = uniform(state) < 0.5 ? angle : -angle;
        return;
    }
    const double z = 2 * uniform(state) - 1, turn = 2 * LG_BENCH_PI * uniform(state), r = sqrt(1 - z * z);
    xi[at] = angle * r * cos(turn), xi[at + 1] = angle * r * sin(turn), xi[at + 2] = angle * z;
}

static void fill(const operation *op, bench_work *w)
{
    const lg_group *G = op->group();
    const int size = op->takes_elements ? lg_element_size(G) : lg_dim(G);
    unsigned long long state = 20240611;
    double xi[6];
    w->failures = 0;
    for (long i = 0; i < 2 * ELEMENTS; i++) {
        double *to = i < ELEMENTS ? w->in + i * size : w->other + (i - ELEMENTS) * size;
        random_vector(G, xi, &state);
        if (!op->takes_elements)
            memcpy(to, xi, (size_t)size * sizeof *to);
        else if (lg_exp(G, to, xi) != LG_OK)
            w->failures++;
    }
}

/* Largest difference between ours and the textbook's over all elements; the latter loses digits near 0 and pi. */
static double disagreement(const operation *op, bench_work *w, double *copy)
{
    double d = 0;
    op->ours(w, ELEMENTS);
    memcpy(copy, w->out, (size_t)(ELEMENTS * op->size_out) * sizeof *copy);
    op->textbook(w, ELEMENTS);
    for (int i = 0; i < ELEMENTS * op->size_out; i++)
        if (!(fabs(copy[i] - w->out[i]) <= d)) d = fabs(copy[i] - w->out[i]);
    return d;
}

static void report(bench_options *o, const operation *op, const bench_case *c)
{
    static const char *const names[] = {"textbook", "to_textbook", "best_library", "to_best_library"};
    const double values[] = {c[1].median, bench_ratio(c, c + 1), op->best, c->median / op->best};
    if (o->json) {
        bench_json_case(o, c, names, values, 4);
        return;
    }
    printf("%-15s %7.2f [%6.2f .. %6.2f] %9.2f %6.2f ", op->name, c->median, c->low, c->high, values[0], values[1]);
    if (isfinite(op->best))
        printf("%8.1f  %s\n", op->best, c->median <= op->best ? "below" : "ABOVE");
    else
        printf("%8s\n", "-");
}

int main(int argc, char **argv)
{
    bench_options o = bench_parse(argc, argv, "groups: nanoseconds per group operation");
    const size_t size = ELEMENTS * MOST + STAGGER;
    double *block = calloc(4 * size, sizeof *block), *copy = block ? block + 3 * size : NULL;
    bench_work w = {block, block ? block + size : NULL, block ? block + 2 * size : NULL, 0};
    int bad = !block;
    bench_open(&o, "groups");
    if (!o.json) printf("%-15s %7s %18s %9s %6s %8s\n", "operation", "ours", "", "textbook", "ratio", "best C++");
    for (int k = 0; k < OPERATIONS && !bad; k++) {
        const operation *op = &operations[k];
        fill(op, &w);
        const double d = disagreement(op, &w, copy);
        if (!(d < 1e-6) || w.failures) {
            fprintf(stderr, "groups: %s and the textbook differ by %g\n", op->name, d);
            bad = 1;
        }
        const long count = o.quick ? ELEMENTS : 10 * ELEMENTS;
        bench_case c[2] = {{.name = op->name, .run = op->ours, .context = &w, .count = count},
                           {.name = "textbook", .run = op->textbook, .context = &w, .count = count}};
        bench_measure(c, 2, &o);
        report(&o, op, c);
    }
    bench_close(&o);
    free(block);
    return bad;
}
