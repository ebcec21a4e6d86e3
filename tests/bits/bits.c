/* SPDX-License-Identifier: BSD-3-Clause */
/* bits [--width W] [--threads T] [--thin K] [--whole] FILE: the digests of what the library computes are those in FILE.
 * bits --write FILE: writes them. bits --libm: prints a digest of libm's values, which are not promised to agree.
 * Width 0 computes one by one; without --width all widths of the machine, with 1, 2 or 4 threads, each wide one a third
 * of the lines or, --whole, all. --thin K (7 where LG_TEST_REDUCED is set): every K-th line. Exit status 0: they agree;
 * 1: some differ, and these are printed; 2: wrong use. Needs no test framework, so that it runs anywhere. */
#include "bits.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- digests ---- */

uint64_t bits_none(void)
{
    return UINT64_C(14695981039346656037);
}

void bits_fold(uint64_t *digest, const double *x, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        uint64_t bits;
        memcpy(&bits, &x[i], sizeof bits);
        if (isnan(x[i])) bits = 1;
        for (int k = 0; k < 8; k++) *digest = (*digest ^ ((bits >> (8 * k)) & 255)) * UINT64_C(1099511628211);
    }
}

/* ---- the file ---- */

enum { MOST = 12000, WORDS = 120 };

typedef struct line {
    char words[WORDS];
    uint64_t digest;
} line;

static line stored[MOST];
static int stored_count, at, seen, turn, wrong, instances, ended;
static FILE *sink; /* not NULL: lines are written there */

static void give_up(const char *what, const char *which)
{
    fprintf(stderr, "bits: %s %s\n", what, which);
    exit(2);
}

static void read_all(const char *path)
{
    char text[256];
    FILE *file = fopen(path, "r");
    if (file == NULL) give_up("cannot read", path);
    while (fgets(text, sizeof text, file) != NULL) {
        line *l = &stored[stored_count];
        char *last = strrchr(text, ' ');
        if (text[0] == '#' || last == NULL) continue;
        if (stored_count == MOST || last - text >= WORDS) give_up("too much in", path);
        *last = 0;
        snprintf(l->words, sizeof l->words, "%.*s", WORDS - 1, text);
        l->digest = strtoull(last + 1, NULL, 16);
        stored_count++;
    }
    fclose(file);
}

/* Lines come in the file's order, but for those that are left out. */
static const line *find(const char *words)
{
    for (int k = 0; k < stored_count; k++) {
        const line *l = &stored[(at + k) % stored_count];
        if (strcmp(l->words, words) != 0) continue;
        at = (at + k + 1) % stored_count;
        return l;
    }
    return NULL;
}

void bits_line(const char *words, uint64_t digest)
{
    seen++;
    if (sink != NULL) {
        fprintf(sink, "%s %016llx\n", words, (unsigned long long)digest);
        return;
    }
    const line *l = find(words);
    if (l != NULL && l->digest == digest) return;
    wrong++;
    if (wrong > 20) return;
    printf("%s: %016llx, ", words, (unsigned long long)digest);
    if (l != NULL)
        printf("stored %016llx\n", (unsigned long long)l->digest);
    else
        printf("not stored\n");
}

void bits_instance(int ended_well)
{
    instances++;
    ended += ended_well;
}

int bits_wanted(const bits_ways *ways)
{
    return turn++ % ways->thin == ways->phase;
}

/* ---- */

/* A digest of what libm gives: it differs where libm takes another variant. */
static void print_libm(void)
{
    uint64_t digest = bits_none();
    for (int k = 1; k < 20000; k++) {
        const double x = 0.00731 * k, values[] = {sin(x), cos(x), exp(x / 10), log(x), atan2(x, 1.7)};
        bits_fold(&digest, values, sizeof values / sizeof values[0]);
    }
    printf("%016llx\n", (unsigned long long)digest);
}

static void go(const bits_ways *ways)
{
    const int before = wrong;
    seen = at = turn = instances = ended = 0;
    bits_of_functions();
    bits_of_operations(ways);
    bits_of_runs(ways);
    bits_of_motions(ways);
    if (ended < 0.9 * instances) give_up("too few", "instances run to the end");
    if (sink != NULL) return;
    if (ways->thin == 1 && seen != stored_count) wrong++;
    printf("width %d, %d threads: %d of %d lines, %d of %d instances to the end, %d differ\n", ways->width,
           ways->threads, seen, stored_count, ended, instances, wrong - before);
}

static void write_all(const char *path)
{
    const bits_ways ways = {0, 1, 1, 0};
    sink = fopen(path, "w");
    if (sink == NULL) give_up("cannot write", path);
    fputs(
        "# What the library computes, to the bit: FNV-1a over the states of runs, results of operations and values of\n"
        "# functions. tests/bits/bits.c compares, on every machine, compiler, width and number of threads, and writes\n"
        "# this file anew where digits are meant to change: BUILD/tests/bits --write tests/data/bits.txt\n",
        sink);
    go(&ways);
    if (fclose(sink) != 0) give_up("cannot write", path);
    printf("%d lines\n", seen);
}

/* Lines alone, and a third of them at each width, another one from width to width: at widths 1, 2 and 4 together all.
 * Retractions come in fours, so that a third has all of them. */
static void all_ways(bits_ways ways, int whole)
{
    static const int plans[][2] = {{0, 1}, {1, 2}, {2, 4}, {4, 1}, {8, 4}};
    const int thirds = ways.thin == 1 && !whole;
    for (size_t k = 0; k < sizeof plans / sizeof plans[0]; k++) {
        ways.width = plans[k][0], ways.threads = plans[k][1];
        if (k > 0 && thirds) ways.thin = 3, ways.phase = (int)k % 3;
        if (ways.width == 0 || lg_width_supported(ways.width)) go(&ways);
    }
}

int main(int argc, char **argv)
{
    bits_ways ways = {-1, 1, 0, 0};
    const char *path = NULL;
    int writes = 0, whole = 0;
    if (argc == 2 && !strcmp(argv[1], "--libm")) {
        print_libm();
        return 0;
    }
    for (int i = 1; i < argc; i++) {
        int *number = !strcmp(argv[i], "--width")     ? &ways.width
                      : !strcmp(argv[i], "--threads") ? &ways.threads
                      : !strcmp(argv[i], "--thin")    ? &ways.thin
                                                      : NULL;
        if (number != NULL && i + 1 < argc)
            *number = atoi(argv[++i]);
        else if (!strcmp(argv[i], "--write"))
            writes = 1;
        else if (!strcmp(argv[i], "--whole"))
            whole = 1;
        else
            path = argv[i];
    }
    if (path == NULL || ways.thin < 0)
        give_up("usage: bits [--write] [--width W] [--threads T] [--thin K] [--whole]", "FILE");
    if (writes) {
        write_all(path);
        return 0;
    }
    if (ways.thin == 0) ways.thin = getenv("LG_TEST_REDUCED") != NULL ? 7 : 1;
    read_all(path);
    if (ways.width < 0)
        all_ways(ways, whole);
    else if (ways.width == 0 || lg_width_supported(ways.width))
        go(&ways);
    else
        give_up("this machine lacks that", "width");
    return wrong != 0;
}
