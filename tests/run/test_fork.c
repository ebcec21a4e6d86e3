/* SPDX-License-Identifier: BSD-3-Clause */
/* A process forks after an ensemble has run on several threads: parent and child both continue, to the same bits. */
#include <pthread.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support/ensembles.h"

enum { COUNT = 200 };

static lg_ensemble *make_ensemble(void)
{
    lg_ensemble_options o = lg_ensemble_options_default();
    lg_ensemble *E = NULL;
    lg_model *M = NULL;
    suite_ok("model", lg_model_create(&M, lg_catalog_definition("suslov")));
    o.threads = 4, o.width = 1;
    suite_ok("ensemble", lg_ensemble_create(&E, M, COUNT, &o));
    lg_model_destroy(M);
    return E;
}

static int run_to_end(lg_ensemble *E, double *g)
{
    double t, p[8];
    if (lg_ensemble_run(E, 20, 1, NULL, NULL) != LG_OK) return 1;
    return lg_ensemble_state(E, &t, g, p, COUNT - 1) != LG_OK;
}

/* 0: the child's ensembles, the one it has inherited and a new one, end as `want`; it has ten seconds. */
static int child(lg_ensemble *E, const double *want, int generations)
{
    double g[8] = {0};
    alarm(10);
    if (run_to_end(E, g) || memcmp(g, want, 4 * sizeof *g)) return 2;
    lg_ensemble *own = make_ensemble();
    if (run_to_end(own, g) || run_to_end(own, g) || memcmp(g, want, 4 * sizeof *g)) return 3;
    lg_ensemble_destroy(own);
    if (generations == 0) return 0;
    int status = 1;
    lg_ensemble *next = make_ensemble();
    if (run_to_end(next, g)) return 4;
    const pid_t pid = fork();
    if (pid == 0) _exit(child(next, want, generations - 1));
    return pid > 0 && waitpid(pid, &status, 0) == pid && status == 0 ? 0 : 5;
}

static void *fork_here(void *context)
{
    int *status = context;
    double g[8] = {0}, want[8] = {0};
    lg_ensemble *E = make_ensemble(), *same = make_ensemble();
    *status = 1;
    suite_ok("run", lg_ensemble_run(E, 20, 1, NULL, NULL));
    assert_int_equal(run_to_end(same, want) || run_to_end(same, want), 0);
    const pid_t pid = fork();
    if (pid == 0) _exit(child(E, want, 1));
    assert_true(pid > 0);
    assert_int_equal(waitpid(pid, status, 0), pid);
    assert_int_equal(run_to_end(E, g), 0); /* the parent */
    suite_same_bits("parent", g, want, 4);
    lg_ensemble_destroy(E);
    lg_ensemble_destroy(same);
    return NULL;
}

static void test_fork(void **state)
{
    int status;
    (void)state;
    fork_here(&status);
    if (status) suite_fail("the child ended with status %#x (%s)", status, WIFSIGNALED(status) ? "it hung" : "exit");
}

static void test_fork_of_a_thread(void **state)
{
    int status = 1;
    pthread_t thread;
    (void)state;
    assert_int_equal(pthread_create(&thread, NULL, fork_here, &status), 0);
    assert_int_equal(pthread_join(thread, NULL), 0);
    if (status) suite_fail("the child ended with status %#x (%s)", status, WIFSIGNALED(status) ? "it hung" : "exit");
}

int main(void)
{
    suite_begin("fork");
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_fork), cmocka_unit_test(test_fork_of_a_thread)};
    return cmocka_run_group_tests_name("fork", tests, NULL, NULL);
}
