/* SPDX-License-Identifier: BSD-3-Clause */
/* Measurements, verdicts, and the claims checked side by side. */
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "claims/framework/harness.h"

/* Measurements ---------------------------------------------------------------------------------------------------- */

static void copy_name(char *to, size_t room, const char *from)
{
    snprintf(to, room, "%s", from != NULL ? from : "");
}

void claim_case(claim_report *r, const char *system, const char *method, const char *retraction)
{
    copy_name(r->system, sizeof r->system, system);
    copy_name(r->method, sizeof r->method, method);
    copy_name(r->retraction, sizeof r->retraction, retraction);
}

/* Room for one measurement more, with the present case; NULL: out of memory. */
static claim_measure *next_measure(claim_report *r)
{
    claim_measure *m;
    if (r->count == r->room) {
        const int room = r->room > 0 ? 2 * r->room : 16;
        m = realloc(r->measures, (size_t)room * sizeof *m);
        if (m == NULL) {
            r->broken = 1;
            return NULL;
        }
        r->measures = m;
        r->room = room;
    }
    m = &r->measures[r->count++];
    memset(m, 0, sizeof *m);
    copy_name(m->system, sizeof m->system, r->system);
    copy_name(m->method, sizeof m->method, r->method);
    copy_name(m->retraction, sizeof m->retraction, r->retraction);
    return m;
}

static claim_measure *measure(claim_report *r, double value, double low, double high, const char *why, const char *what,
                              va_list arguments)
{
    claim_measure *m = next_measure(r);
    if (m == NULL) return NULL;
    vsnprintf(m->what, sizeof m->what, what, arguments);
    m->value = value;
    m->low = low;
    m->high = high;
    m->why = why;
    m->passed = value >= low && value <= high;
    return m;
}

/* Bounds on round-off are those of the ledger's systems. A user's system may round worse, by differences in place of
 * its derivatives or because it amplifies errors. Real errors are much larger. */
static double widened(const claim_report *r, double bound)
{
    const double round_off = 1e-8, most = 1e-6;
    return r->slack > 1 && bound > 0 && bound < round_off ? fmin(bound * r->slack, most) : bound;
}

void claim_below(claim_report *r, double value, double bound, const char *why, const char *what, ...)
{
    va_list arguments;
    va_start(arguments, what);
    measure(r, value, -INFINITY, widened(r, bound), why, what, arguments);
    va_end(arguments);
}

void claim_above(claim_report *r, double value, double bound, const char *why, const char *what, ...)
{
    claim_measure *m;
    va_list arguments;
    va_start(arguments, what);
    m = measure(r, value, bound, INFINITY, why, what, arguments);
    va_end(arguments);
    if (m != NULL && r->only != NULL && value < bound) m->skipped = m->passed = 1;
}

void claim_between(claim_report *r, double value, double low, double high, const char *why, const char *what, ...)
{
    va_list arguments;
    va_start(arguments, what);
    measure(r, value, low, high, why, what, arguments);
    va_end(arguments);
}

void claim_order_between(claim_report *r, double order, double low, double high, const char *why, const char *what, ...)
{
    const double early = 0.3 * low; /* steps that are not small */
    claim_measure *m;
    va_list arguments;
    va_start(arguments, what);
    m = measure(r, order, r->only != NULL && isfinite(low) ? low - early : low, high, why, what, arguments);
    va_end(arguments);
    if (m != NULL && r->only != NULL && (isnan(order) || order > high)) m->skipped = m->passed = 1;
}

void claim_control(claim_report *r, double value, double bound, const char *why, const char *what, ...)
{
    claim_measure *m;
    va_list arguments;
    va_start(arguments, what);
    m = measure(r, value, bound, INFINITY, why, what, arguments);
    va_end(arguments);
    if (m == NULL) return;
    m->control = 1;
    m->skipped = !m->passed && r->only != NULL;
    if (m->skipped) m->passed = 1;
}

void claim_skip(claim_report *r, const char *what)
{
    claim_measure *m = next_measure(r);
    if (m == NULL) return;
    copy_name(m->what, sizeof m->what, what);
    m->value = NAN;
    m->low = -INFINITY;
    m->high = INFINITY;
    m->why = "nothing above round-off";
    m->passed = m->skipped = 1;
}

void claim_trouble(claim_report *r, const char *what, ...)
{
    claim_measure *m = next_measure(r);
    va_list arguments;
    if (m == NULL) return;
    va_start(arguments, what);
    vsnprintf(m->trouble, sizeof m->trouble, what, arguments);
    va_end(arguments);
    m->value = NAN;
    m->low = -INFINITY;
    m->high = INFINITY;
    m->why = "";
}

int claim_ok(claim_report *r, lg_status status, const char *what, const char *message)
{
    if (status == LG_OK) return 1;
    claim_trouble(r, "%s: %s", what, message != NULL && message[0] != '\0' ? message : lg_status_text(status));
    return 0;
}

/* Verdicts -------------------------------------------------------------------------------------------------------- */

int claim_verdict(const claim_report *r)
{
    int proper = 0;
    if (r->broken) return 0;
    for (int i = 0; i < r->count; i++) {
        if (!r->measures[i].passed) return 0;
        if (!r->measures[i].control && !r->measures[i].skipped) proper = 1;
    }
    return proper ? 1 : r->only != NULL ? -1 : 0;
}

double claim_share(const claim_measure *m)
{
    if (m->trouble[0] != '\0' || isnan(m->value)) return INFINITY;
    if (isinf(m->low)) return m->high != 0 ? fmax(m->value, 0) / m->high : m->value <= 0 ? 0 : INFINITY;
    if (isinf(m->high)) return m->value > 0 ? fmax(m->low, 0) / m->value : m->low <= m->value ? 0 : INFINITY;
    return m->high > m->low ? fabs(2 * m->value - m->low - m->high) / (m->high - m->low) : (m->passed ? 0 : INFINITY);
}

const claim_measure *claim_worst(const claim_report *r)
{
    const claim_measure *worst = NULL;
    double most = -1;
    for (int i = 0; i < r->count; i++) {
        const claim_measure *m = &r->measures[i];
        if (!m->passed) return m;
        if (!m->control && !m->skipped && claim_share(m) > most) most = claim_share(m), worst = m;
    }
    return worst;
}

int claim_measured(const claim_report *r)
{
    int count = 0;
    for (int i = 0; i < r->count; i++) count += !r->measures[i].skipped;
    return count;
}

void claim_report_free(claim_report *r)
{
    free(r->measures);
    r->measures = NULL;
    r->count = r->room = 0;
}

/* Checking -------------------------------------------------------------------------------------------------------- */

/* A claim that measures less than it did is red. Long runs measure more, on the same combinations and others. */
static void compare_count(const claim *c, claim_report *r)
{
    const int expected = claim_expected(c->id), count = r->count;
    if (!claim_own_systems(r) || claim_find(c->id) == NULL) return;
    claim_case(r, NULL, NULL, NULL);
    if (count < expected)
        claim_trouble(r, "%d measurements where %d are expected: something is refused or left out", count, expected);
    else if (count > expected && !r->full)
        claim_trouble(r, "%d measurements where %d are expected: write claims/framework/counts.h again, as it says",
                      count, expected);
}

/* The work shared by the threads. */
typedef struct queue {
    const claim *const *chosen;
    claim_report *reports;
    int *order; /* the most expensive first */
    int count, next;
    pthread_mutex_t lock;
    void (*done)(int index, void *context);
    void *context;
} queue;

static double now(void)
{
    struct timespec t;
    if (clock_gettime(CLOCK_MONOTONIC, &t) != 0) return 0;
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void *work(void *context)
{
    queue *q = context;
    for (;;) {
        int i;
        double began;
        pthread_mutex_lock(&q->lock);
        i = q->next < q->count ? q->order[q->next++] : -1;
        pthread_mutex_unlock(&q->lock);
        if (i < 0) return NULL;
        began = now();
        q->chosen[i]->check(&q->reports[i]);
        compare_count(q->chosen[i], &q->reports[i]);
        q->reports[i].seconds = now() - began;
        pthread_mutex_lock(&q->lock);
        if (q->done != NULL) q->done(i, q->context);
        pthread_mutex_unlock(&q->lock);
    }
}

/* Insertion sort: claims of equal cost stay in the order of the ledger. */
static void sort_by_cost(queue *q)
{
    for (int i = 0; i < q->count; i++) {
        int at = i;
        for (; at > 0 && q->chosen[q->order[at - 1]]->cost < q->chosen[i]->cost; at--) q->order[at] = q->order[at - 1];
        q->order[at] = i;
    }
}

int claim_verify(const claim *const *chosen, claim_report *reports, int count, int threads, int full,
                 const lg_model_definition *only, void (*done)(int index, void *context), void *context)
{
    enum { MOST = 64 };
    pthread_t helper[MOST];
    queue q = {.chosen = chosen, .reports = reports, .count = count, .done = done, .context = context};
    int helpers = 0, failed = 0;
    for (int i = 0; i < count; i++) reports[i] = (claim_report){.full = full, .only = only};
    q.order = malloc((size_t)(count > 0 ? count : 1) * sizeof *q.order);
    if (q.order == NULL) {
        for (int i = 0; i < count; i++) reports[i].broken = 1;
        return count;
    }
    sort_by_cost(&q);
    pthread_mutex_init(&q.lock, NULL);
    while (helpers < MOST && helpers + 1 < threads && helpers + 1 < count &&
           pthread_create(&helper[helpers], NULL, work, &q) == 0) {
        helpers++;
    }
    work(&q);
    for (int i = 0; i < helpers; i++) pthread_join(helper[i], NULL);
    pthread_mutex_destroy(&q.lock);
    free(q.order);
    for (int i = 0; i < count; i++) failed += claim_verdict(&reports[i]) == 0;
    return failed;
}
