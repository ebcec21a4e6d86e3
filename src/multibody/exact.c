/* SPDX-License-Identifier: BSD-3-Clause */
/* The derivative of a step by numbers that carry derivatives, where the library and the mechanism have it. */
#include <string.h>

#include "base/width.h"
#include "multibody/derivative.h"
#include "multibody/lanes.h"
#include "multibody/linear.h"

#ifdef LG_TANGENTS

static const mb_derivative_table *exact_table(void)
{
    const int width = lg_width_choose(0);
    LG_IF_WIDTH_8(if (width == 8) return &mb_derivative_8;)
    LG_IF_WIDTH_4(if (width == 4) return &mb_derivative_4;)
    (void)width;
    return &mb_derivative_2;
}

#else

static const mb_derivative_table *exact_table(void)
{
    return NULL;
}

#endif

/* 1: the step of this motion is one of sem that sweeps alone solve: neither joints with several motions, which an
 * iteration of their own solves, nor servos, nor a user-supplied wrench. */
static int exact_has_form(const mb_sparse *mo)
{
    const mb_motion *m = &mo->numbers;
    if (m->rattle || m->collocation != NULL || mo->adaptive != NULL) return 0;
    if (mb_stages(mo) > 1 || mo->wrench != NULL || mo->plan.servos > 0 || mo->plan.activations > 0) return 0;
    for (int j = 0; j < mo->plan.joints; j++)
        if (mo->plan.joint[j].chain != NULL) return 0;
    return 1;
}

/* z <- the basis of the state before, one deviation after the other. */
static void exact_fill(const mb_linear *L, double *z)
{
    const size_t n = sz(L->n);
    for (int part = 0; part < 2; part++)
        for (int i = 0; i < L->count[part]; i++, z += 2 * n) {
            memset(z, 0, 2 * n * sizeof *z);
            memcpy(z + (size_t)part * n, L->basis[part] + (size_t)i * n, n * sizeof *z);
        }
}

/* Deviations after the step, where the memory begins, and before it; then the numbers with derivatives. */
static void *exact_carve(lg_arena *a, double **to, double **z, size_t outputs, size_t bytes)
{
    *to = mb_take(a, outputs), *z = mb_take(a, outputs);
    return mb_take(a, bytes);
}

size_t mb_linear_exact_bytes(const mb_linear *L, const mb_sparse *after)
{
    const mb_derivative_table *table = exact_has_form(after) ? exact_table() : NULL;
    const int all = L->count[0] + L->count[1] + after->plan.controls;
    double *to, *z;
    lg_arena a = {NULL, 0};
    if (table == NULL) return 0;
    (void)exact_carve(&a, &to, &z, 2 * sz(L->n) * sz(all) * sizeof(double), table->bytes(&after->plan));
    return a.used;
}

int mb_linear_exact(const mb_linear *L, mb_sparse *after, double **deviations)
{
    const mb_derivative_table *table = exact_has_form(after) ? exact_table() : NULL;
    const int columns = L->count[0] + L->count[1], all = columns + after->plan.controls;
    const mb_totals totals = {&after->work, after->motor_work, &after->scale, &after->pivot, &after->jumped};
    mb_span span[MB_SPANS_MOST];
    double *to, *z;
    int state;
    *deviations = NULL;
    if (table == NULL) return 0;
    const size_t outputs = 2 * sz(L->n) * sz(all) * sizeof(double), bytes = table->bytes(&after->plan);
    const size_t whole = mb_linear_exact_bytes(L, after);
    char *memory = L->room != NULL ? L->room : lg_reserve(whole);
    if (memory == NULL) return 0;
    if (L->room != NULL) { /* as the call before divided it */
        lg_undivide(memory, whole);
        memset(memory, 0, whole);
    }
    lg_arena a = {memory, 0};
    void *work = exact_carve(&a, &to, &z, outputs, bytes);
    mb_derivative_task task = {.t = L->mo->t, .h = L->mo->h, .z = z, .columns = columns, .to = to, .span = span};
    task.held = L->held, task.contacts = L->contacts;
    mb_contacts *contacts = after->numbers.contacts;
    after->numbers.contacts = NULL; /* the task has what is held */
    task.spans = mb_spans(&after->numbers, 1, totals, span, &state);
    after->numbers.contacts = contacts;
    exact_fill(L, z);
    const int failed = table->step(work, &after->plan, &task);
    if (failed) {
        if (L->room == NULL) lg_release(memory);
        return failed == 2 ? -1 : 0;
    }
    *deviations = to; /* where the memory begins */
    return 1;
}
