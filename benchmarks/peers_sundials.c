/* SPDX-License-Identifier: BSD-3-Clause */
/* SUNDIALS. CVODE with Adams; with BDF and a projection onto the constraints, which CVODE offers for BDF only; and with
 * a projection onto the energy in addition. Fixed-point iteration, as its manual advises for problems that are not
 * stiff: BDF with Newton on dense difference quotients was a fifth more expensive. ARKODE's explicit Runge-Kutta pairs,
 * which have no projection; of its tables those that were the best on some problem (Verner's 6(5) of this version never
 * was). Vectors with fused operations, 5 % cheaper. */
#include <arkode/arkode_erkstep.h>
#include <cvode/cvode.h>
#include <cvode/cvode_proj.h>
#include <nvector/nvector_serial.h>
#include <stdlib.h>
#include <string.h>
#include <sundials/sundials_config.h>
#include <sunnonlinsol/sunnonlinsol_fixedpoint.h>

#include "benchmarks/peers.h"
#include "benchmarks/problems.h"

typedef struct sundials {
    const problem *p;
    problem_data data;
    SUNContext context;
    N_Vector y;
    void *memory;
    int erk;    /* 1: ARKODE, 0: CVODE */
    int energy; /* 1: projects onto the energy H too */
    double H;
    SUNNonlinearSolver nonlinear;
    long evaluations;
    double y0[PROBLEM_STATE];
} sundials;

static int equations(realtype t, N_Vector y, N_Vector dy, void *context)
{
    sundials *o = context;
    (void)t;
    o->evaluations++;
    o->p->equations(&o->data, N_VGetArrayPointer(y), N_VGetArrayPointer(dy));
    return 0;
}

/* The correction to the nearest state on the constraints; the error estimate keeps what is along them. */
static int project(realtype t, N_Vector now, N_Vector correction, realtype epsilon, N_Vector error, void *context)
{
    const sundials *o = context;
    const double *y = N_VGetArrayPointer(now);
    double *c = N_VGetArrayPointer(correction), to[PROBLEM_STATE];
    (void)t, (void)epsilon;
    memcpy(to, y, (size_t)o->p->size * sizeof *to);
    problem_project(o->p, &o->data, to, error != NULL ? N_VGetArrayPointer(error) : NULL);
    if (o->energy) problem_project_energy(o->p, &o->data, to, o->H);
    for (int i = 0; i < o->p->size; i++) c[i] = to[i] - y[i];
    return 0;
}

static void close_sundials(void *opened)
{
    sundials *o = opened;
    if (o->memory != NULL && o->erk) ERKStepFree(&o->memory);
    if (o->memory != NULL && !o->erk) CVodeFree(&o->memory);
    if (o->nonlinear != NULL) SUNNonlinSolFree(o->nonlinear);
    if (o->y != NULL) N_VDestroy(o->y);
    if (o->context != NULL) SUNContext_Free(&o->context);
    free(o);
}

static sundials *begin(const bench_problem *given, int erk)
{
    const problem *p = problem_find(given->system);
    sundials *o = p != NULL ? calloc(1, sizeof *o) : NULL;
    if (o == NULL) return NULL;
    o->p = p;
    o->erk = erk;
    o->data.param = given->param;
    if (p->prepare != NULL) p->prepare(&o->data);
    memcpy(o->y0, given->y0, (size_t)p->size * sizeof *o->y0);
    if (SUNContext_Create(NULL, &o->context) == 0) o->y = N_VNew_Serial(p->size, o->context);
    if (o->y == NULL) {
        close_sundials(o);
        return NULL;
    }
    (void)N_VEnableFusedOps_Serial(o->y, SUNTRUE);
    o->H = problem_energy(p, &o->data, o->y0);
    memcpy(N_VGetArrayPointer(o->y), o->y0, (size_t)p->size * sizeof *o->y0);
    return o;
}

/* Back to the initial state, with the counters at 0. */
static void rewind_sundials(sundials *o)
{
    o->evaluations = 0;
    memcpy(N_VGetArrayPointer(o->y), o->y0, (size_t)o->p->size * sizeof *o->y0);
}

_Static_assert(CV_SUCCESS == ARK_SUCCESS && CV_TSTOP_RETURN == ARK_TSTOP_RETURN && CV_NORMAL == ARK_NORMAL &&
                   CV_ONE_STEP == ARK_ONE_STEP,
               "CVode() and ERKStepEvolve() must return the same codes");

/* To T with either of them, after reinitialisation; step by step if there is an observer. */
static int march(sundials *o, int (*evolve)(void *, realtype, N_Vector, realtype *, int), double T, double *y,
                 bench_watch watch, void *context)
{
    double *now = N_VGetArrayPointer(o->y);
    realtype t = 0;
    for (long calls = 0; t < T; calls++) {
        if (calls == PROBLEM_STEPS) return 1;
        const int status = evolve(o->memory, T, o->y, &t, watch != NULL ? CV_ONE_STEP : CV_NORMAL);
        if (status != CV_SUCCESS && status != CV_TSTOP_RETURN) return 1;
        if (watch != NULL) watch(context, t, now);
    }
    memcpy(y, now, (size_t)o->p->size * sizeof *y);
    return 0;
}

/* CVODE ------------------------------------------------------------------------------------------------------------ */

static void *open_cvode(const bench_problem *given, double tolerance, int method)
{
    sundials *o = begin(given, 0);
    if (o == NULL) return NULL;
    o->nonlinear = SUNNonlinSol_FixedPoint(o->y, 0, o->context);
    o->memory = o->nonlinear != NULL ? CVodeCreate(method, o->context) : NULL;
    if (o->memory != NULL && CVodeInit(o->memory, equations, 0, o->y) == CV_SUCCESS &&
        CVodeSStolerances(o->memory, tolerance, tolerance) == CV_SUCCESS &&
        CVodeSetUserData(o->memory, o) == CV_SUCCESS && CVodeSetErrFile(o->memory, NULL) == CV_SUCCESS &&
        CVodeSetMaxNumSteps(o->memory, PROBLEM_STEPS) == CV_SUCCESS &&
        CVodeSetNonlinearSolver(o->memory, o->nonlinear) == CV_SUCCESS &&
        (method == CV_ADAMS || CVodeSetProjFn(o->memory, project) == CV_SUCCESS))
        return o;
    close_sundials(o);
    return NULL;
}

static int run_cvode(void *opened, double T, double *y, bench_watch watch, void *context)
{
    sundials *o = opened;
    rewind_sundials(o);
    if (CVodeReInit(o->memory, 0, o->y) != CV_SUCCESS || CVodeSetStopTime(o->memory, T) != CV_SUCCESS) return 1;
    return march(o, CVode, T, y, watch, context);
}

static long evaluations_of(const void *opened)
{
    return ((const sundials *)opened)->evaluations;
}

static void *open_cvode_adams(const bench_problem *p, double tolerance)
{
    return open_cvode(p, tolerance, CV_ADAMS);
}

static void *open_cvode_energy(const bench_problem *p, double tolerance)
{
    sundials *o = open_cvode(p, tolerance, CV_BDF);
    if (o != NULL) o->energy = 1;
    return o;
}

static void *open_cvode_bdf(const bench_problem *p, double tolerance)
{
    return open_cvode(p, tolerance, CV_BDF);
}

/* ARKODE ----------------------------------------------------------------------------------------------------------- */

static void *open_erk(const bench_problem *given, double tolerance, ARKODE_ERKTableID table)
{
    sundials *o = begin(given, 1);
    if (o == NULL) return NULL;
    o->memory = ERKStepCreate(equations, 0, o->y, o->context);
    if (o->memory != NULL && ERKStepSStolerances(o->memory, tolerance, tolerance) == ARK_SUCCESS &&
        ERKStepSetUserData(o->memory, o) == ARK_SUCCESS && ERKStepSetErrFile(o->memory, NULL) == ARK_SUCCESS &&
        ERKStepSetMaxNumSteps(o->memory, PROBLEM_STEPS) == ARK_SUCCESS &&
        ERKStepSetTableNum(o->memory, table) == ARK_SUCCESS)
        return o;
    close_sundials(o);
    return NULL;
}

static int run_erk(void *opened, double T, double *y, bench_watch watch, void *context)
{
    sundials *o = opened;
    rewind_sundials(o);
    if (ERKStepReInit(o->memory, equations, 0, o->y) != ARK_SUCCESS || ERKStepSetStopTime(o->memory, T) != ARK_SUCCESS)
        return 1;
    return march(o, ERKStepEvolve, T, y, watch, context);
}

static void *open_erk_5(const bench_problem *p, double tolerance)
{
    return open_erk(p, tolerance, ARKODE_DORMAND_PRINCE_7_4_5);
}

static void *open_erk_8(const bench_problem *p, double tolerance)
{
    return open_erk(p, tolerance, ARKODE_FEHLBERG_13_7_8);
}

/* Each step onto constraints and energy. */
static int after_step(realtype t, N_Vector now, void *context)
{
    const sundials *o = context;
    (void)t;
    problem_project(o->p, &o->data, N_VGetArrayPointer(now), NULL);
    problem_project_energy(o->p, &o->data, N_VGetArrayPointer(now), o->H);
    return 0;
}

static void *open_erk_8_projected(const bench_problem *p, double tolerance)
{
    sundials *o = open_erk(p, tolerance, ARKODE_FEHLBERG_13_7_8);
    if (o == NULL || ERKStepSetPostprocessStepFn(o->memory, after_step) == ARK_SUCCESS) return o;
    close_sundials(o);
    return NULL;
}

#define PEER(name, open, run)                                                                                          \
    {                                                                                                                  \
        name, SUNDIALS_VERSION, open, run, evaluations_of, close_sundials                                              \
    }
const bench_peer peer_cvode_adams = PEER("CVODE Adams", open_cvode_adams, run_cvode);
const bench_peer peer_cvode_bdf = PEER("CVODE BDF, projected", open_cvode_bdf, run_cvode);
const bench_peer peer_cvode_energy = PEER("energy-projected CVODE", open_cvode_energy, run_cvode);
const bench_peer peer_arkode_5 = PEER("ARKODE ERK 5(4)", open_erk_5, run_erk);
const bench_peer peer_arkode_8 = PEER("ARKODE ERK 8(7)", open_erk_8, run_erk);
const bench_peer peer_arkode_8_projected = PEER("ARKODE ERK 8(7)", open_erk_8_projected, run_erk);
