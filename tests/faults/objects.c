/* SPDX-License-Identifier: BSD-3-Clause */
/* Goes through the tables of faults.h: every variant of every row with every fault. `--all` takes every variant, which
 * is the long suite; LG_TEST_REDUCED takes a few. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "faults.h"

enum { MOST = 200000 };

/* The counts of a row. */
typedef struct tally {
    long variants, refused, faults, quiet, most;
} tally;

static int all;

void fault_fold(fault_case *c, const double *x, int n)
{
    for (int i = 0; i < n; i++) {
        uint64_t bits;
        if (c->count < (int)(sizeof c->values / sizeof c->values[0])) c->values[c->count++] = x[i];
        memcpy(&bits, x + i, sizeof bits);
        if (x[i] != x[i]) bits = UINT64_C(0x7ff8000000000000); /* the sign of a NaN is the compiler's */
        c->digest = (c->digest ^ bits) * UINT64_C(0x100000001b3);
        c->digest ^= c->digest >> 29;
    }
}

void fault_fold_text(fault_case *c, const char *text)
{
    for (; *text != '\0'; text++) fault_fold(c, &(double){(unsigned char)*text}, 1);
}

/* The message tells what happened. */
static void check_failure(const fault_case *c, fault_kind kind, lg_status status)
{
    const lg_status want = kind == FAULT_MEMORY ? LG_ERROR_MEMORY : LG_ERROR_CALLBACK;
    suite_status(c->said != NULL ? c->said : "no object", status, want);
    if (c->said == NULL) return;
    if (kind == FAULT_MEMORY)
        suite_contains("message", c->said, "memory");
    else
        suite_contains("message", c->said, "77");
}

typedef enum outcome { REFUSED, TOLD, QUIET } outcome;

/* The row's verbs with fault n; *count: how many occurrences there were. */
static outcome drive(const fault_row *row, fault_case *c, fault_kind kind, long n, long *count)
{
    outcome o = QUIET;
    c->digest = UINT64_C(0xcbf29ce484222325), c->count = 0;
    fault_arm(kind, n);
    for (const fault_verb *verb = row->verbs; *verb != NULL; verb++) {
        const uint64_t before = c->digest;
        const int values = c->count;
        c->said = NULL;
        lg_status status = (*verb)(c);
        if (status == LG_OK) continue;
        if (!fault_struck() && n < 0) {
            o = REFUSED; /* this variant does not exist */
            break;
        }
        if (!fault_struck() || o == TOLD) suite_fail("%s without a fault: %s", lg_status_name(status), c->said);
        *count = fault_count();
        check_failure(c, kind, status);
        o = TOLD;
        c->digest = before, c->count = values;
        c->said = NULL;
        status = (*verb)(c);
        if (status != LG_OK) suite_fail("%s after the fault: %s", lg_status_name(status), c->said ? c->said : "-");
    }
    if (o != TOLD) *count = fault_count();
    row->close();
    return o;
}

/* Equal bits, or, where the row says why, equal numbers to 1e-7 of their size, or a NaN instead. */
static void compare(const fault_row *row, const fault_case *clean, const fault_case *c, fault_kind kind, outcome o)
{
    const double near_enough = 1e-7;
    if (c->digest == clean->digest) return;
    if (kind == FAULT_MEMORY || row->other_bits == NULL || c->count != clean->count)
        suite_fail("%s, and then other bits", o == QUIET ? "not reported" : "reported");
    for (int i = 0; i < c->count; i++) {
        const double a = clean->values[i], b = c->values[i];
        if (b != b && row->quiet[kind] != NULL) continue;
        if (!(fabs(a - b) <= near_enough * (1 + fabs(a))) && !(a != a && b != b))
            suite_fail("%s, and then %.17g instead of %.17g", o == QUIET ? "not reported" : "reported", b, a);
    }
}

static void one_variant(const fault_row *row, fault_case *c, fault_kind kind, tally *t)
{
    long count = 0, ignored = 0;
    suite_case("%s, %s %s, no fault", row->name, c->a, c->b);
    if (drive(row, c, kind, -1, &count) == REFUSED) { /* after this call all static objects exist */
        t->refused++;
        return;
    }
    static fault_case clean;
    clean = *c;
    (void)drive(row, c, kind, -1, &count);
    if (c->digest != clean.digest) suite_fail("the row itself does not repeat");
    t->variants++;
    t->most = count > t->most ? count : t->most;
    const long dense = all ? count : suite_reduced() ? 6 : 10; /* from there on some of them */
    const long step = count < dense ? 1 : (count - dense) / dense + 1;
    long quiet = 0;
    for (long n = 0; n < count; n += n < dense ? 1 : step) {
        const long live = fault_live();
        suite_case("%s, %s %s, %s %ld of %ld fails", row->name, c->a, c->b, kind ? "callback" : "allocation", n, count);
        const outcome o = drive(row, c, kind, n, &ignored);
        if (fault_live() != live) suite_fail("%ld allocations are left", fault_live() - live);
        if (o == QUIET && row->quiet[kind] == NULL) suite_fail("the fault was not reported");
        compare(row, &clean, c, kind, o);
        t->faults++;
        quiet += o == QUIET;
        if (kind == FAULT_MEMORY && quiet > row->quiet_most) suite_fail("%ld allocations are quiet", quiet);
    }
    t->quiet += quiet;
}

static const char *const *one_name(void)
{
    static const char *const names[] = {"", NULL};
    return names;
}

static void one_row(const fault_row *row, fault_kind kind)
{
    const char *const *first = (row->first ? row->first : one_name)();
    const char *const *second = (row->second ? row->second : one_name)();
    const int stride = all ? 1 : (suite_reduced() ? 10 : 2) * row->stride + 1;
    tally t = {0};
    int number = 0;
    for (int i = 0; first[i] != NULL; i++)
        for (int j = 0; second[j] != NULL; j++, number++) {
            static fault_case c;
            c.a = first[i], c.b = second[j], c.i = i, c.j = j;
            if (stride > 1 && number % stride != 0 && (t.variants > 0 || t.refused == 0)) continue;
            one_variant(row, &c, kind, &t);
        }
    if (t.variants == 0) suite_fail("%s: no variant runs", row->name);
    if (t.most == 0) return; /* it has no such thing */
    printf("| %-28s | %-10s | %8ld | %6ld | %6ld | %5ld |\n", row->name, kind ? "callback" : "allocation", t.variants,
           t.most, t.faults, t.quiet);
    fflush(stdout);
}

typedef struct job {
    const fault_row *row;
    fault_kind kind;
} job;

static void test_row(void **state)
{
    const job *j = *state;
    if (j->kind == FAULT_MEMORY && !fault_has_memory()) skip();
    one_row(j->row, j->kind);
}

int main(int argc, char **argv)
{
    enum { JOBS = 128 };
    static job jobs[JOBS];
    static struct CMUnitTest tests[JOBS];
    const fault_row *const tables[] = {fault_groups,    fault_systems,    fault_integrators, fault_runs,
                                       fault_groupoids, fault_mechanisms, fault_views};
    const char *only = getenv("LG_FAULT_ROW"); /* a part of the rows' names */
    int count = 0;
    all = argc > 1 && strcmp(argv[1], "--all") == 0;
    suite_begin("faults");
    for (int kind = 0; kind < FAULT_KINDS; kind++)
        for (size_t k = 0; k < sizeof tables / sizeof tables[0]; k++)
            for (const fault_row *row = tables[k]; row->name != NULL; row++) {
                if (kind == FAULT_CALLBACK && row->elsewhere != NULL) continue;
                if (only != NULL && strstr(row->name, only) == NULL) continue;
                if (count == JOBS) return 1;
                jobs[count] = (job){row, (fault_kind)kind};
                tests[count] = (struct CMUnitTest){row->name, test_row, NULL, NULL, &jobs[count]};
                count++;
            }
    return _cmocka_run_group_tests("faults", tests, (size_t)count, NULL, NULL);
}
