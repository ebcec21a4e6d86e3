/* SPDX-License-Identifier: BSD-3-Clause */
/* How much stack the library takes: threads of a robot's software have little. Each call is made in a thread whose
 * stack was painted, and the paint that is left is counted. */
#define _GNU_SOURCE
#include <pthread.h>
#include <string.h>
#include <sys/mman.h>

#include "support/combinations.h"
#include "support/motions.h"

enum {
    STACK = 1 << 18,
    STEP = 32 << 10, /* bytes that a step may take, and what is read between steps */
    ALL = 64 << 10,  /* and everything else */
    PAINT = 0xA5
};

typedef void (*call)(void *context);

typedef struct job {
    call make;
    void *context;
} job;

static void *work(void *of)
{
    const job *j = of;
    j->make(j->context);
    return NULL;
}

/* Bytes of a thread that does this, its own included. */
static long stack_of(call make, void *context)
{
    unsigned char *stack = mmap(NULL, STACK, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    job j = {make, context};
    pthread_attr_t attributes;
    pthread_t thread;
    long left = 0;
    if (stack == MAP_FAILED) suite_fail("no memory for a stack");
    memset(stack, PAINT, STACK);
    if (pthread_attr_init(&attributes) || pthread_attr_setstack(&attributes, stack, STACK) ||
        pthread_create(&thread, &attributes, work, &j) || pthread_join(thread, NULL))
        suite_fail("no thread");
    (void)pthread_attr_destroy(&attributes);
    while (left < STACK && stack[left] == PAINT) left++;
    (void)munmap(stack, STACK);
    return STACK - left;
}

static void nothing(void *context)
{
    (void)context;
}

/* Fails unless it takes at most so many bytes. */
static void takes(const char *what, call make, void *context, long most)
{
    static long own; /* what a thread takes for itself */
    if (own == 0) own = stack_of(nothing, NULL);
    const long used = stack_of(make, context) - own;
    if (used > most) suite_fail("%s takes %ld bytes of stack, at most %ld expected", what, used, most);
}

/* ---- what is called ---- */

static void steps(void *it)
{
    double xi[SUITE_DIM];
    for (int k = 0; k < 5; k++) lg_status_ignore(lg_integrator_step(it));
    lg_status_ignore(lg_integrator_velocity(it, xi));
    (void)(lg_integrator_energy(it) + lg_integrator_constraint_residual(it));
}

static void steps_of_each(const combination *c, lg_integrator *it, const char *method, const char *retraction)
{
    (void)c, (void)method, (void)retraction;
    takes("a step", steps, it, STEP);
}

static void gauss_steps(const combination *c, double tolerance)
{
    lg_integrator *it = combination_start(c, "gauss", "exp");
    suite_ok("tolerance", lg_integrator_set_tolerance(it, tolerance));
    takes("a step", steps, it, STEP);
    lg_integrator_destroy(it);
}

static void test_steps(void **state)
{
    combination c;
    (void)state;
    combination_each(steps_of_each);
    for (int i = 0; combination_open(&c, i); i++) {
        gauss_steps(&c, 0);
        gauss_steps(&c, 1e-9);
        lg_model_destroy(c.M);
    }
}

typedef struct course {
    lg_model *M;
    const char *method;
    double tolerance;
} course;

static void run(void *of)
{
    const course *c = of;
    model_run o = model_run_default();
    lg_run_result f = lg_run_result_default();
    o.motion.method = c->method;
    o.motion.tolerance = c->tolerance;
    o.run.steps = 20;
    o.project = 1;
    lg_status_ignore(model_run_whole(c->M, &f, &o));
}

static void ensemble(void *of)
{
    const course *c = of;
    lg_ensemble_options o = lg_ensemble_options_default();
    lg_ensemble *E = NULL;
    o.method = c->method;
    o.tolerance = c->tolerance;
    o.threads = 1;
    o.project = 1;
    if (lg_ensemble_create(&E, c->M, 9, &o) == LG_OK) lg_status_ignore(lg_ensemble_run(E, 5, 5, NULL, NULL));
    lg_ensemble_destroy(E);
}

static void test_runs(void **state)
{
    static const char *const methods[] = {"sem", "gni", "gauss", "gauss"};
    static const double tolerances[] = {0, 0, 0, 1e-9};
    (void)state;
    for (const char *const *name = lg_catalog_names(); *name != NULL; name++)
        for (int k = 0; k < 4; k++) {
            course c = {NULL, methods[k], tolerances[k]};
            suite_case("%s, %s, tolerance %g", *name, c.method, c.tolerance);
            suite_ok("create", lg_catalog_create(&c.M, *name));
            takes("lg_run()", run, &c, ALL);
            takes("an ensemble", ensemble, &c, ALL);
            lg_model_destroy(c.M);
        }
}

typedef struct gallery_course {
    int i;
    const char *method;
    lg_mechanism *m;
    lg_motion *mo;
} gallery_course;

static void begin_motion(void *of)
{
    gallery_course *c = of;
    lg_status_ignore(lg_gallery_create(&c->m, c->i));
    if (motion_create(&c->mo, c->m, c->method, lg_gallery_step(c->i)) == LG_OK)
        lg_status_ignore(lg_gallery_start(c->mo, c->i));
}

static void step_motion(void *of)
{
    const gallery_course *c = of;
    lg_status_ignore(lg_motion_step(c->mo, 3));
    (void)lg_motion_energy(c->mo);
}

static void test_motions(void **state)
{
    static const char *const methods[] = {"sem", "rattle", "gauss"};
    (void)state;
    for (int k = 0; k < 3 * lg_gallery_count(); k++) {
        gallery_course c = {k / 3, methods[k % 3], NULL, NULL};
        suite_case("%s, %s", lg_gallery_name(c.i), c.method);
        takes("its beginning", begin_motion, &c, ALL);
        takes("a step", step_motion, &c, STEP);
        lg_motion_destroy(c.mo);
        lg_mechanism_destroy(c.m);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_steps),
        cmocka_unit_test(test_runs),
        cmocka_unit_test(test_motions),
    };
    suite_begin("run/stack");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
