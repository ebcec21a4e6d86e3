/* SPDX-License-Identifier: BSD-3-Clause */
#include "combinations.h"

#include <string.h>

#include "run_models.h"

static const char *const methods[] = {
    "sem", "sem:gauss=2",     "sem:gonzalez",  "nsv",          "smv",           "sml",
    "gni", "gni:euler-a",     "gni:euler-b",   "gni:midpoint", "gni:alpha=0.3", "gni-r",
    "dla", "dla:trapezoidal", "dla:alpha=0.2", "rattle",       "variational",   "variational:euler-a",
    "rk4", "rkmk4",           "gni@yoshida4",  "sem@suzuki4"};
static const char *const retractions[] = {"exp", "cayley", "second-kind"};
enum { METHODS = sizeof methods / sizeof methods[0], RETRACTIONS = sizeof retractions / sizeof retractions[0] };

int combination_open(combination *c, int i)
{
    static const lg_model_definition *const models[] = {&run_models_rod, &run_models_sleigh};
    int count = 0;
    memset(c, 0, sizeof *c);
    while (lg_catalog_names()[count] != NULL) count++;
    if (i >= count + 2) return 0;
    if (i < count) {
        suite_ok("open", lg_catalog_create(&c->M, lg_catalog_names()[i]));
    } else {
        suite_ok("create", lg_model_create(&c->M, models[i - count]));
    }
    suite_ok("system", lg_model_system(c->M, &c->S));
    suite_ok("initial", lg_model_initial(c->M, c->g0, c->xi0, NULL));
    c->name = lg_model_describe(c->M)->name;
    c->h = lg_model_describe(c->M)->step > 0 ? lg_model_describe(c->M)->step : 0.01;
    return 1;
}

lg_integrator *combination_start(const combination *c, const char *method, const char *retraction)
{
    lg_integrator *it = NULL;
    suite_case("%s, %s, %s", c->name, method, retraction);
    const lg_status status = lg_integrator_create(&it, c->S, method, retraction, c->h);
    if (status != LG_OK) {
        suite_status("create", status, LG_ERROR_UNSUPPORTED);
        lg_integrator_destroy(it);
        return NULL;
    }
    if (lg_integrator_start(it, 0, c->g0, c->xi0, LG_START_REACTION, 1) != LG_OK) {
        suite_fail("start: %s", lg_integrator_message(it));
    }
    return it;
}

void combination_each(combination_body body)
{
    combination c;
    for (int i = 0; combination_open(&c, i); i++) {
        for (int k = 0; k < METHODS * RETRACTIONS; k++) {
            const char *method = methods[k / RETRACTIONS], *retraction = retractions[k % RETRACTIONS];
            lg_integrator *it = combination_start(&c, method, retraction);
            if (it != NULL) body(&c, it, method, retraction);
            lg_integrator_destroy(it);
        }
        lg_model_destroy(c.M);
    }
}
