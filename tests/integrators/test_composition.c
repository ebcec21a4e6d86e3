/* SPDX-License-Identifier: BSD-3-Clause */
/* Compositions: states against the independent implementation (methods_compositions.json for shared multipliers,
 * the entries `double` of group_compositions.json for the GNI, whose every coefficient is two half steps with a
 * rescaled normal part), orders 4, 6, 8 of g and p~ separately, refusals. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "support/matrix.h"
#include "support/reference.h"
#include "support/runs.h"

static const char *const retractions[] = {"exp", "cayley"};

static const char *composition_of(const char *key)
{
    if (strstr(key, "yoshida4") != NULL) return "@yoshida4";
    if (strstr(key, "suzuki4") != NULL) return "@suzuki4";
    if (strstr(key, "kahanli6") != NULL) return "@kahan-li6";
    suite_fail("reference: no composition '%s'", key);
}

/* ---- states ---- */

static void shared_states(const test_system *t, const char *key, const cJSON *item)
{
    char method[48];
    const char *rule = strstr(key, "SMV") != NULL ? "smv" : strstr(key, "NSV") != NULL ? "nsv" : "sem";
    snprintf(method, sizeof method, "%s%s", rule, composition_of(key));
    lg_integrator *it =
        run_start(t, method, strncmp(key, "cay", 3) == 0 ? "cayley" : "exp", ref_number(ref_get(item, "macro_step")));
    const double H = lg_integrator_energy(it);
    for (const cJSON *state = ref_get(item, "states")->child; state != NULL; state = state->next) {
        const int k = (int)ref_number(ref_get(state, "k"));
        suite_case("%s %s after %d steps", t->name, key, k);
        run_steps(it, k - lg_integrator_step_index(it));
        suite_near1("t", lg_integrator_time(it), 0.2 * k, 1e-15, 1);
        test_system_same_element("g", t->S.group, lg_integrator_configuration(it), ref_get(state, "g"), 1e-13);
        ref_near("p", lg_integrator_momentum(it), state, "p", lg_group_dim(t->S.group), 1e-13);
        const double gain = ref_number(ref_get(state, "H_minus_H0")); /* five digits */
        suite_near1("H - H_0", lg_integrator_energy(it) - H, gain, 1e-13 + 1e-4 * fabs(gain), 1);
    }
    run_end(&it);
}

static void test_shared(void **state)
{
    (void)state;
    cJSON *root = ref_load("methods_compositions.json");
    int count = 0;
    for (const cJSON *system = ref_get(root, "systems")->child; system != NULL; system = system->next)
        for (const cJSON *item = system->child; item != NULL; item = item->next, count++) {
            test_system t;
            energy_system_make(&t, system->string);
            shared_states(&t, item->string, item);
        }
    assert_int_equal(count, 45);
    cJSON_Delete(root);
}

static void test_gni(void **state)
{
    (void)state;
    cJSON *root = ref_load("group_compositions.json");
    int count = 0;
    for (const cJSON *item = root->child; item != NULL; item = item->next) {
        char name[64], method[48];
        test_system t;
        if (!cJSON_IsObject(item) || strstr(item->string, "|double|") == NULL) continue;
        snprintf(name, sizeof name, "%s", item->string);
        *strchr(name, '|') = '\0';
        char *end = strstr(name, "_cay");
        if (end != NULL) *end = '\0';
        test_system_make(&t, name); /* the sleigh is that of group_steps.json */
        snprintf(method, sizeof method, "gni%s", composition_of(item->string));
        suite_case("%s", item->string);
        lg_integrator *it = run_start(&t, method, "cayley", 0.2);
        run_steps(it, 5);
        test_system_same_element("g", t.S.group, lg_integrator_configuration(it), ref_get(item, "g"), 1e-13);
        const int n = lg_group_dim(t.S.group);
        ref_near("p~", lg_integrator_momentum(it), item, "p_avg", n, 1e-13);
        /* the normal part of p^- per length of the last half step, c h/2 */
        const double c = strstr(item->string, "yoshida4") != NULL ? 1.351207191959657634 : 0.39216144400731413928;
        double rate[SUITE_DIM], want[SUITE_DIM];
        for (int i = 0; i < n; i++)
            rate[i] = (lg_integrator_momentum_minus(it)[i] - lg_integrator_momentum(it)[i]) / (c * 0.1);
        ref_exactly(want, n, item, "normal_rate_d");
        suite_near("(p^- - p~)/(c h/2)", rate, want, n, 1e-12, 1);
        run_end(&it);
        count++;
    }
    assert_int_equal(count, 6);
    cJSON_Delete(root);
}

/* ---- orders ---- */

static const struct {
    const char *name;
    int order;
    double slack;
    int counts[6];
} compositions[] = {{"@yoshida4", 4, 0.2, {24, 32, 48, 64, 96, 128}},
                    {"@suzuki4", 4, 0.2, {12, 16, 24, 32, 48, 64}},
                    {"@kahan-li6", 6, 0.4, {8, 10, 12, 16, 20, 24}},
                    {"@kahan-li8", 8, 0.4, {6, 7, 8, 10, 12, 16}}};

/* `loose`: added to the slack of order 8, whose errors reach round-off before the next term has died out. */
static void orders_of(const test_system *t, const char *rule, const char *retraction, double T, double loose)
{
    char method[48];
    run_state truth;
    snprintf(method, sizeof method, "%s@kahan-li8", rule);
    run_to(&truth, t, method, retraction, T, 60);
    run_state check;
    run_truth(&check, t, T, 2000);
    suite_case("the finest run of %s, %s, %s", t->name, method, retraction);
    suite_below("distance from the continuous motion", run_difference(t->S.group, &truth, &check), 1e-9);
    int slopes = 0;
    for (int k = 0; k < 4; k++) {
        snprintf(method, sizeof method, "%s%s", rule, compositions[k].name);
        suite_case("order of %s, %s, %s", t->name, method, retraction);
        run_orders o = run_measure(t, &truth, method, retraction, T, compositions[k].counts, 6, 5e-13);
        const double slack = compositions[k].slack + (compositions[k].order == 8 ? loose : 0);
        run_near_order("g", o.g, o.used_g, compositions[k].order, slack);
        run_near_order("p~", o.p, o.used_p, compositions[k].order, slack);
        slopes += (o.used_g >= 3) + (o.used_p >= 3);
    }
    suite_case("slopes measured of %s, %s, %s", t->name, rule, retraction);
    assert_true(slopes >= 4);
}

static void test_orders(void **state)
{
    (void)state;
    static const struct {
        const char *name, *rule;
        double T, loose;
    } list[] = {
        {"particle", "sem", 2, 0},      {"particle", "nsv", 2, 0},      {"particle", "smv", 2, 0},
        {"particle", "gni", 2, 0},      {"snakeboard", "sem", 2, 0},    {"sleigh", "sem", 2, 0},
        {"sleigh", "gni", 2, 0},        {"suslov", "sem", 2, 0},        {"suslov", "nsv", 2, 0},
        {"vtop", "sem", 2, 0},          {"vtop", "gni", 2, 0.8},        {"ball_phys", "sem", 2, 0},
        {"ball_phys", "gni", 2, 0},     {"sleigh_pot", "sem", 1, 0},    {"sphp", "sem", 2, 0},
        {"sphp", "sem:momentum", 2, 0}, {"sleighM", "sem", 2, 0},       {"sdrive", "sem", 2, 0},
        {"blade", "sem", 2, 0},         {"movpend", "sem", 1, 0},       {"particle", "sem:gonzalez", 2, 0.8},
        {"trailer", "sem", 2, 0},       {"twolink", "sem", 0.2, 0},     {"diskH", "sem", 0.2, 0},
        {"suslov", "sml", 2, 0},        {"vtop", "dla:midpoint", 2, 0},
    };
    for (size_t i = 0; i < sizeof list / sizeof list[0]; i++)
        for (int r = 0; r < 2; r++) {
            test_system t;
            energy_system_make(&t, list[i].name);
            if (r == 1 && t.S.group->kind == LG_KIND_RN) continue;
            orders_of(&t, list[i].rule, retractions[r], list[i].T, list[i].loose);
        }
}

/* ---- refusals ---- */

static void test_refused(void **state)
{
    (void)state;
    static const struct {
        const char *method, *retraction;
    } list[] = {
        {"gni:euler-a", "exp"}, {"gni:euler-b", "exp"},          {"gni-r", "exp"},         {"rk4", "exp"},
        {"rkmk4", "exp"},       {"dla:midleft", "exp"},          {"gni:alpha=0.3", "exp"}, {"gni", "second-kind"},
        {"nsv", "second-kind"}, {"variational:alpha=0.2", "exp"}};
    test_system t;
    energy_system_make(&t, "suslov");
    for (size_t i = 0; i < sizeof list / sizeof list[0]; i++)
        for (int k = 0; k < 4; k++) {
            char method[64];
            lg_integrator *it = NULL;
            lg_system S = t.S;
            if (strncmp(list[i].method, "variational", 11) == 0) {
                S.constraint_count = 0;
                S.covector_matrix = NULL;
            }
            suite_case("%s with %s", list[i].method, list[i].retraction);
            suite_ok("alone", lg_integrator_create(&it, &S, list[i].method, list[i].retraction, 0.1));
            run_end(&it);
            snprintf(method, sizeof method, "%s%s", list[i].method, compositions[k].name);
            suite_case("%s with %s", method, list[i].retraction);
            suite_status("create", lg_integrator_create(&it, &S, method, list[i].retraction, 0.1),
                         LG_ERROR_UNSUPPORTED);
            suite_contains("message", lg_integrator_message(it), "symmetric");
            run_end(&it);
        }
    lg_integrator *it = NULL;
    suite_case("sem@nothing");
    suite_status("create", lg_integrator_create(&it, &t.S, "sem@nothing", "exp", 0.1), LG_ERROR_ARGUMENT);
    suite_contains("message", lg_integrator_message(it), "nothing");
    run_end(&it);
}

int main(void)
{
    suite_begin("compositions");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_shared),
        cmocka_unit_test(test_gni),
        cmocka_unit_test(test_orders),
        cmocka_unit_test(test_refused),
    };
    return cmocka_run_group_tests_name("composition", tests, NULL, NULL);
}
