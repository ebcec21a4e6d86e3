/* SPDX-License-Identifier: BSD-3-Clause */
#include "catalog_examples.h"

#include <math.h>
#include <string.h>

#include "energy_systems.h"
#include "runs.h"

lg_model *catalog_open(const catalog_example *x)
{
    lg_model *M = NULL;
    suite_case("%s, %s = %g, %s = %g, %s = %g", x->system, x->set[0].name ? x->set[0].name : "-", x->set[0].value,
               x->set[1].name ? x->set[1].name : "-", x->set[1].value, x->set[2].name ? x->set[2].name : "-",
               x->set[2].value);
    if (lg_catalog_create(&M, x->system) != LG_OK) suite_fail("%s", lg_model_message(M));
    for (int i = 0; i < 5 && x->set[i].name; i++)
        if (lg_model_set(M, x->set[i].name, x->set[i].value) != LG_OK) suite_fail("%s", lg_model_message(M));
    return M;
}

const lg_system *catalog_start(lg_model *M, double *g, double *xi)
{
    const lg_system *S = NULL;
    suite_ok("initial", lg_model_initial(M, g, xi, NULL));
    if (lg_model_system(M, &S) != LG_OK) suite_fail("%s", lg_model_message(M));
    return S;
}

lg_run_result catalog_run(lg_model *M, const char *method, double h, int64_t steps)
{
    lg_run_options o = lg_run_options_default();
    lg_run_result r = lg_run_result_default();
    o.method = method;
    o.step = h;
    o.steps = steps;
    suite_input("h", &h, 1);
    if (lg_run(M, &r, &o) != LG_OK) suite_fail("%s: %s", method, r.message);
    return r;
}

typedef struct follower {
    const lg_model_definition *definition;
    lg_call call;
    catalog_changes *out;
    int64_t steps;
    double energy;
} follower;

static void raise_to(double *most, double value)
{
    if (!(value <= *most)) *most = value; /* a NaN stays */
}

static int follow(const lg_integrator *it, void *context)
{
    follower *f = context;
    const int64_t k = lg_integrator_step_index(it);
    for (int i = 0; i < f->definition->invariant_count; i++) {
        double now = NAN;
        assert_int_equal(f->definition->invariants[i].value(&f->call, lg_integrator_configuration(it),
                                                            lg_integrator_momentum(it), &now),
                         0);
        if (k == 0) f->out->first[i] = now;
        now = fabs(now - f->out->first[i]);
        raise_to(&f->out->largest[i], now);
        if (4 * k <= f->steps) raise_to(&f->out->early[i], now);
        if (4 * k >= 3 * f->steps) raise_to(&f->out->late[i], now);
    }
    if (k == 0) f->energy = lg_integrator_energy(it);
    if (4 * k <= f->steps) raise_to(&f->out->energy_early, fabs(lg_integrator_energy(it) - f->energy));
    if (4 * k >= 3 * f->steps) raise_to(&f->out->energy_late, fabs(lg_integrator_energy(it) - f->energy));
    return 0;
}

void catalog_watch(catalog_changes *out, lg_model *M, const char *method, double h, int64_t steps)
{
    double g[SUITE_ELEMENT], xi[SUITE_DIM];
    const lg_system *S = catalog_start(M, g, xi);
    follower f = {lg_model_describe(M), system_call(S, 0), out, steps, 0};
    lg_integrator *it = run_start_at(S, method, "exp", h, 0, g, xi);
    assert_true(f.definition->invariant_count <= CATALOG_INVARIANTS);
    memset(out, 0, sizeof *out);
    follow(it, &f);
    if (lg_integrator_run(it, steps, 1, follow, &f) != LG_OK) suite_fail("%s: %s", method, lg_integrator_message(it));
    run_end(&it);
}
