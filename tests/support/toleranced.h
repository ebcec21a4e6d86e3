/* SPDX-License-Identifier: BSD-3-Clause */
/* Models of the catalog with a tolerance. */
#ifndef TESTS_SUPPORT_TOLERANCED_H
#define TESTS_SUPPORT_TOLERANCED_H

#include <math.h>
#include <stdlib.h>

#include <liegrp/liegrp.h>

#include "suite.h"

typedef struct subject {
    lg_model *M;
    const lg_system *S;
    double g0[SUITE_ELEMENT], xi0[SUITE_DIM], h;
} subject;

static inline void open_subject(subject *s, const char *name)
{
    int given;
    suite_ok("model", lg_catalog_create(&s->M, name));
    suite_ok("system", lg_model_system(s->M, &s->S));
    suite_ok("initial", lg_model_initial(s->M, s->g0, s->xi0, &given));
    s->h = lg_model_default_step(s->M);
}

static inline lg_integrator *start(const subject *s, double h, double tolerance)
{
    lg_integrator *it = NULL;
    suite_ok("create", lg_integrator_create(&it, s->S, "gauss", "exp", h));
    suite_ok("start", lg_integrator_start(it, 0, s->g0, s->xi0, LG_START_REACTION, 1));
    if (tolerance > 0) suite_ok("tolerance", lg_integrator_set_tolerance(it, tolerance));
    return it;
}

static inline void step(lg_integrator *it, int count)
{
    for (int k = 0; k < count; k++)
        if (lg_integrator_step(it) != LG_OK) suite_fail("step %d: %s", k + 1, lg_integrator_message(it));
}

#endif
