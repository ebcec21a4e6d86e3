/* SPDX-License-Identifier: BSD-3-Clause */
/* Threads: a thread with objects of its own gets the bits that it gets alone, while others do the same; groups,
 * retractions, definitions, compiled mechanisms and models that do not change are shared by all.
 * ThreadSanitizer finds nothing here (scripts/threads.sh). */
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include <liegrp/liegrp.h>

#include "base/checkpoint.h"
#include "support/models.h"

enum { THREADS = 4, MOST = 400, STEPS = 12, INSTANCES = 20 };

/* The shared objects, which are constant once the threads run. */
typedef struct shared {
    lg_model *M[64];
    lg_mechanism *m[32];
    int models, mechanisms;
} shared;

static const char *const methods[] = {"sem", "gauss", "gni", "sem@suzuki4"};

static uint64_t add(uint64_t sum, const double *x, int count)
{
    return lg_sum(sum, x, (size_t)count * sizeof *x);
}

/* An integrator of a shared model's system, with a checkpoint and a clone on the way. */
static uint64_t integrate(const lg_system *S, const double *g0, const double *xi0, const char *method, double h)
{
    lg_integrator *it = NULL, *copy = NULL;
    uint64_t sum = LG_SUM;
    lg_status st = lg_integrator_create(&it, S, method, "exp", h);
    if (st == LG_OK) st = lg_integrator_start(it, 0, g0, xi0, LG_START_REACTION, 1);
    if (st == LG_OK) st = lg_integrator_run(it, STEPS, 1, NULL, NULL);
    if (st == LG_OK) st = lg_integrator_clone(&copy, it);
    if (st == LG_OK) st = lg_integrator_step(copy);
    if (copy != NULL && st == LG_OK) {
        sum = add(sum, lg_integrator_configuration(copy), lg_group_element_size(S->group));
        sum = add(sum, lg_integrator_momentum(copy), lg_group_dim(S->group));
    }
    lg_integrator_destroy(it);
    lg_integrator_destroy(copy);
    return sum + (uint64_t)st;
}

static uint64_t of_model(const lg_model *shared_model, const char *method)
{
    lg_model *M = NULL;
    const lg_system *S = NULL;
    double g0[64], xi0[64];
    uint64_t sum = 0;
    if (lg_model_create(&M, lg_model_describe(shared_model)) == LG_OK && lg_model_system(M, &S) == LG_OK &&
        lg_model_initial(M, g0, xi0, NULL) == LG_OK)
        sum = integrate(S, g0, xi0, method, lg_model_default_step(M));
    lg_model_destroy(M);
    return sum;
}

/* An ensemble of a model that others read at the same time, on two threads of its own. */
static uint64_t of_ensemble(const lg_model *M)
{
    lg_ensemble_options o = lg_ensemble_options_default();
    lg_ensemble *E = NULL;
    uint64_t sum = LG_SUM;
    double t, g[64], p[64];
    o.threads = 2;
    lg_status st = lg_ensemble_create(&E, M, INSTANCES, &o);
    if (st == LG_OK) st = lg_ensemble_run(E, STEPS, 1, NULL, NULL);
    if (st == LG_OK) st = lg_ensemble_state(E, &t, g, p, INSTANCES - 1);
    if (st == LG_OK) sum = add(sum, g, 1);
    lg_ensemble_destroy(E);
    return sum + (uint64_t)st;
}

static uint64_t of_mechanism(lg_mechanism *m, const char *method)
{
    lg_model *M = NULL;
    lg_motion *mo = NULL;
    lg_motion_options o = lg_motion_options_default();
    uint64_t sum = LG_SUM;
    o.method = method, o.step = 1e-3;
    lg_status st = lg_model_of_mechanism(&M, m, NULL);
    if (st == LG_OK) st = lg_motion_create(&mo, M, &o);
    if (st == LG_OK) st = lg_motion_start_joints(mo, 0, NULL, NULL, 1);
    if (st == LG_OK) st = lg_motion_step(mo, STEPS);
    if (st == LG_OK) {
        const double figures[] = {lg_motion_energy(mo), lg_motion_gap(mo), lg_motion_work(mo)};
        sum = add(sum, figures, 3);
    }
    lg_motion_destroy(mo);
    lg_model_destroy(M);
    return sum + (uint64_t)st;
}

/* Piece number i of the work; 0 beyond the last. */
static int piece(const shared *s, int i, uint64_t *sum)
{
    const int count = (int)(sizeof methods / sizeof *methods);
    if (i < s->models * count) {
        *sum = of_model(s->M[i / count], methods[i % count]);
        return 1;
    }
    i -= s->models * count;
    if (i < s->models) {
        *sum = of_ensemble(s->M[i]);
        return 1;
    }
    i -= s->models;
    if (i >= 2 * s->mechanisms) return 0;
    *sum = of_mechanism(s->m[i / 2], methods[i % 2]);
    return 1;
}

typedef struct worker {
    const shared *s;
    int first, count; /* of the pieces, which it makes in a circle */
    uint64_t sum[MOST];
} worker;

static void *work(void *context)
{
    worker *w = context;
    for (int k = 0; k < w->count; k++) {
        const int i = (w->first + k) % w->count;
        (void)piece(w->s, i, &w->sum[i]);
    }
    return NULL;
}

static void prepare(shared *s)
{
    memset(s, 0, sizeof *s);
    for (const char *const *name = lg_catalog_names(); *name != NULL; name++) {
        if (model_left_out(name)) continue;
        suite_ok("model", lg_catalog_create(&s->M[s->models++], *name));
    }
    for (int i = 0; i < lg_gallery_count(); i++)
        if (!suite_reduced() || i % 4 == 0) suite_ok("mechanism", lg_gallery_create(&s->m[s->mechanisms++], i));
}

static void test_threads(void **state)
{
    static worker w[THREADS];
    pthread_t thread[THREADS];
    shared s;
    uint64_t alone[MOST];
    int count = 0;
    (void)state;
    prepare(&s);
    while (count < MOST && piece(&s, count, &alone[count])) count++;
    printf("%d pieces of work\n", count);
    assert_true(count < MOST);
    for (int k = 0; k < THREADS; k++) {
        w[k] = (worker){.s = &s, .first = k * count / THREADS, .count = count};
        assert_int_equal(pthread_create(&thread[k], NULL, work, &w[k]), 0);
    }
    for (int k = 0; k < THREADS; k++) assert_int_equal(pthread_join(thread[k], NULL), 0);
    for (int i = 0; i < count; i++)
        for (int k = 0; k < THREADS; k++)
            if (w[k].sum[i] != alone[i]) suite_fail("piece %d has other bits in thread %d", i, k);
    for (int i = 0; i < s.models; i++) lg_model_destroy(s.M[i]);
    for (int i = 0; i < s.mechanisms; i++) lg_mechanism_destroy(s.m[i]);
}

int main(void)
{
    suite_begin("threads");
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_threads)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
