/* SPDX-License-Identifier: BSD-3-Clause */
/* Linearised steps along a motion: the products of fifty of them, with what controls and the length of the step add on
 * the way, are the derivatives of whole runs, which are differenced with order eight. What is refused. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <liegrp/multibody/gallery.h>
#include <liegrp/multibody/linearise.h>

#include "base/differences.h"
#include "support/mechanisms.h"

enum { STEPS = 50, MOST = 40, READ = 80 };

static const double weight[] = {LG_CENTRAL_8};

typedef struct along {
    const lg_mechanism *m;
    const char *method;
    double h;
    int k, positions, controls;
    double start[READ], u[8];
    double C[READ * MOST], end[READ * MOST];     /* what y means at the start and at the end */
    double A[MOST * MOST], B[MOST * 8], H[MOST]; /* of the whole run: of the start, of controls that are held, of h */
} along;

/* read <- joint positions and velocities after a run with all this. */
static void run(const along *a, double *read, const double *start, const double *u, double h)
{
    lg_motion *mo;
    motion_well(motion_create(&mo, a->m, a->method, h), mo);
    motion_well(lg_motion_start_joints(mo, 0, start, start + a->positions, 1), mo);
    if (a->controls > 0) motion_well(lg_motion_set_control(mo, u), mo);
    motion_well(lg_motion_step(mo, STEPS), mo);
    motion_well(lg_motion_positions(mo, read, read + a->positions), mo);
    lg_motion_destroy(mo);
}

/* to <- A to + x for `columns` columns of k numbers. */
static void follow(double *to, const double *A, const double *x, int k, int columns)
{
    double sum[MOST];
    for (int c = 0; c < columns; c++) {
        for (int i = 0; i < k; i++) {
            sum[i] = x != NULL ? x[i * columns + c] : 0;
            for (int j = 0; j < k; j++) sum[i] += A[i * k + j] * to[j * columns + c];
        }
        for (int i = 0; i < k; i++) to[i * columns + c] = sum[i];
    }
}

static void chain(along *a, lg_motion *mo)
{
    static double A[MOST * MOST], B[MOST * 8], h[MOST];
    memset(a->A, 0, sizeof a->A), memset(a->B, 0, sizeof a->B), memset(a->H, 0, sizeof a->H);
    for (int i = 0; i < a->k; i++) a->A[i * a->k + i] = 1;
    motion_well(lg_motion_basis(mo, a->C), mo);
    for (int step = 0; step < STEPS; step++) {
        motion_well(lg_motion_linearise_along(mo, A, B, h), mo);
        follow(a->A, A, NULL, a->k, a->k), follow(a->B, A, B, a->k, a->controls), follow(a->H, A, h, a->k, 1);
        motion_well(lg_motion_step(mo, 1), mo);
    }
    motion_well(lg_motion_basis(mo, a->end), mo);
}

/* How far off C y1 is from the run's derivative along a curve of starts, controls and lengths; *size: the largest entry
 * so far. */
static double apart(const along *a, double *size, const double *start, const double *u, double h, double e,
                    const double *y1, int stride)
{
    double sum[READ] = {0}, x[READ], v[8], read[READ], off = 0;
    for (int j = -4; j <= 4; j++) {
        if (j == 0) continue;
        for (int i = 0; i < 2 * a->positions; i++) x[i] = a->start[i] + j * e * (start != NULL ? start[i * a->k] : 0);
        for (int i = 0; i < a->controls; i++) v[i] = a->u[i] + j * e * (u != NULL ? u[i] : 0);
        run(a, read, x, v, a->h + j * e * h);
        const double w = (j > 0 ? weight[j - 1] : -weight[-j - 1]) / e;
        for (int i = 0; i < 2 * a->positions; i++) sum[i] += w * read[i];
    }
    for (int i = 0; i < 2 * a->positions; i++) {
        double d = 0;
        for (int c = 0; c < a->k; c++) d += a->end[i * a->k + c] * y1[c * stride];
        off = fmax(off, fabs(d - sum[i])), *size = fmax(*size, fabs(sum[i]));
    }
    return off;
}

/* A change that moves the state by about `move`, of what a column of M is the derivative. */
static double part(const double *M, int rows, int stride, double move)
{
    double size = 0;
    for (int r = 0; r < rows; r++) size = fmax(size, fabs(M[r * stride]));
    return move / size;
}

/* `move`: as large as truncation lets the differences of runs be. Differences of steps are right to 1e-11; the arm
 * amplifies their round-off. */
#ifdef LG_TANGENTS
#define ARM 1e-11
#else
#define ARM 5e-11
#endif
static void check(const char *name, const char *method, double move, double within)
{
    static along a;
    const int i = lg_gallery_index(name);
    lg_mechanism *m;
    lg_motion *mo;
    suite_case("%s, %s", name, method);
    mechanism_well(lg_gallery_create(&m, i), m);
    a = (along){.m = m, .method = method, .h = lg_gallery_step(i), .controls = lg_mechanism_motor_count(m)};
    motion_well(motion_create(&mo, m, method, a.h), mo);
    motion_well(lg_gallery_start(mo, i), mo);
    a.positions = lg_motion_position_count(mo), a.k = lg_motion_freedoms(mo, NULL);
    assert_true(a.k <= MOST && 2 * a.positions <= READ && a.controls <= 8);
    motion_well(lg_motion_positions(mo, a.start, a.start + a.positions), mo);
    if (a.controls > 0) memcpy(a.u, lg_motion_control(mo), (size_t)a.controls * sizeof *a.u);
    motion_well(lg_motion_start_joints(mo, 0, a.start, a.start + a.positions, 1), mo);
    if (a.controls > 0) motion_well(lg_motion_set_control(mo, a.u), mo);
    chain(&a, mo);
    double off = 0, size = 0;
    for (int c = 0; c < a.k; c++)
        off = fmax(off, apart(&a, &size, a.C + c, NULL, 0, part(a.C + c, 2 * a.positions, a.k, move), a.A + c, a.k));
    suite_below("start", off / size, within);
    off = size = 0;
    for (int c = 0; c < a.controls; c++) {
        double unit[8] = {0};
        unit[c] = 1;
        off = fmax(off, apart(&a, &size, NULL, unit, 0, part(a.B + c, a.k, a.controls, move), a.B + c, a.controls));
    }
    if (a.controls > 0) suite_below("controls", off / size, within);
    size = 0;
    off = apart(&a, &size, NULL, NULL, 1, 0.001 * a.h, a.H, 1);
    suite_below("length", off / size, within);
    lg_motion_destroy(mo);
    lg_mechanism_destroy(m);
}

static void whole_runs(void **unused)
{
    (void)unused;
    check("double-pendulum", "sem", 0.003, 1e-11), check("furuta", "sem", 0.001, 1e-11);
    check("four-bar", "sem", 0.003, 1e-11), check("vehicle", "sem", 0.003, 1e-11), check("arm", "sem", 0.001, ARM);
    check("double-pendulum", "rattle", 0.003, 1e-11), check("furuta", "sem@suzuki4", 0.001, 1e-11);
    check("furuta", "gauss", 0.001, 1e-11);
}

/* What has no such derivative, and what a call that fails leaves. */
static void refusals(void **unused)
{
    (void)unused;
    lg_mechanism *m;
    lg_motion *mo;
    double A[16], C[16], before[4], after[4];
    mechanism_well(lg_gallery_create(&m, lg_gallery_index("double-pendulum")), m);
    motion_well(motion_create(&mo, m, "gauss", 0.01), mo);
    suite_status("not started", lg_motion_linearise_along(mo, A, NULL, NULL), LG_ERROR_ARGUMENT);
    suite_status("not started", lg_motion_basis(mo, C), LG_ERROR_ARGUMENT);
    motion_well(lg_gallery_start(mo, lg_gallery_index("double-pendulum")), mo);
    motion_well(lg_motion_step(mo, 3), mo);
    motion_well(lg_motion_positions(mo, before, before + 2), mo);
    suite_status("no matrix", lg_motion_linearise_along(mo, NULL, NULL, NULL), LG_ERROR_ARGUMENT);
    suite_status("no matrix", lg_motion_basis(mo, NULL), LG_ERROR_ARGUMENT);
    motion_well(lg_motion_linearise_along(mo, A, NULL, NULL), mo);
    motion_well(lg_motion_positions(mo, after, after + 2), mo);
    suite_same_bits("state", after, before, 4);
    motion_well(lg_motion_set_tolerance(mo, 1e-8), mo);
    suite_status("tolerance", lg_motion_linearise_along(mo, A, NULL, NULL), LG_ERROR_UNSUPPORTED);
    suite_contains("message", lg_motion_message(mo), "steps that are found for a tolerance are no smooth function");
    lg_motion_destroy(mo);
    motion_well(motion_create(&mo, m, "gni", 0.01), mo);
    motion_well(lg_gallery_start(mo, lg_gallery_index("double-pendulum")), mo);
    suite_status("dense", lg_motion_linearise_along(mo, A, NULL, NULL), LG_ERROR_UNSUPPORTED);
    suite_contains("message", lg_motion_message(mo), "lg_linearisation");
    suite_status("no motion", lg_motion_linearise_along(NULL, A, NULL, NULL), LG_ERROR_ARGUMENT);
    lg_motion_destroy(mo);
    motion_well(motion_create(&mo, m, "sem", 10), mo);
    motion_well(lg_gallery_start(mo, lg_gallery_index("double-pendulum")), mo);
    suite_status("a step that fails", lg_motion_linearise_along(mo, A, NULL, NULL), lg_motion_step(mo, 1));
    suite_contains("message", lg_motion_message(mo), "lg_motion_step");
    lg_motion_destroy(mo);
    lg_mechanism_destroy(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(whole_runs), cmocka_unit_test(refusals)};
    suite_begin("multibody/linearise_along");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
