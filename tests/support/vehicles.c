/* SPDX-License-Identifier: BSD-3-Clause */
#include "vehicles.h"

#include <string.h>

lg_model *open_vehicle(test_system *t, const char *system, const setting *set, int count)
{
    const lg_system *S = NULL;
    lg_model *M = NULL;
    lg_status status = lg_catalog_create(&M, system);
    memset(t, 0, sizeof *t);
    for (int i = 0; i < count && set[i].name != NULL && status == LG_OK; i++)
        status = lg_model_set(M, set[i].name, set[i].value);
    if (status == LG_OK) status = lg_model_system(M, &S);
    if (status == LG_OK) status = lg_model_initial(M, t->g0, t->xi0, NULL);
    if (status != LG_OK) suite_fail("%s", lg_model_message(M));
    t->name = lg_model_describe(M)->name;
    t->S = *S;
    t->h = 0.05;
    return M;
}

double vehicle_parameter(const lg_system *S, const char *name)
{
    for (int i = 0; i < S->parameter_count; i++)
        if (strcmp(S->parameters[i].name, name) == 0) return S->parameter_values[i];
    suite_fail("no parameter %s", name);
}
