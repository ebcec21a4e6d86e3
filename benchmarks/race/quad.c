/* SPDX-License-Identifier: BSD-3-Clause */
/* problems.c once more: its `double` is __float128 here, and the functions of libm are those of libquadmath. */
#include "benchmarks/race/quad.h"

#include <math.h>
#include <quadmath.h>
#include <stdlib.h>
#include <string.h>

#include "benchmarks/suite/peer.h"

#define double quad
#define sqrt                   sqrtq
#define sin                    sinq
#define cos                    cosq
#define problem_list           quad_problem_list
#define problem_count          quad_problem_count
#define problem_project        quad_problem_project
#define problem_energy         quad_problem_energy
#define problem_project_energy quad_problem_project_energy
#include "benchmarks/problems.c"
#undef double

enum { PARAMETERS = 16 };

struct quad_equations {
    const problem *p;
    problem_data data;
    quad param[PARAMETERS];
};

quad_equations *quad_open(const char *system, const double *param, int count, const double *start, quad *y)
{
    const problem *p = NULL;
    for (int i = 0; i < problem_count; i++)
        if (strcmp(problem_list[i].system, system) == 0) p = &problem_list[i];
    quad_equations *e = p != NULL && count <= PARAMETERS ? calloc(1, sizeof *e) : NULL;
    if (e == NULL) return NULL;
    for (int i = 0; i < count; i++) e->param[i] = param[i];
    e->p = p;
    e->data.param = e->param;
    if (p->prepare != NULL) p->prepare(&e->data);
    for (int i = 0; i < p->size; i++) y[i] = start[i];
    problem_project(p, &e->data, y, NULL);
    return e;
}

void quad_derivative(const quad_equations *e, const quad *y, quad *dy)
{
    e->p->equations(&e->data, y, dy);
}

int quad_size(const quad_equations *e)
{
    return e->p->size;
}

void quad_close(quad_equations *e)
{
    free(e);
}
