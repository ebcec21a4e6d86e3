/* SPDX-License-Identifier: BSD-3-Clause */
/* Tests the playground's functions on this machine: every system and mechanism opens, describes itself and runs under
 * every method that accepts it; refusals name their place. playground.py compares the numbers with the tool's in a
 * browser. */
#include "suite.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <cjson/cJSON.h>
#include <liegrp/liegrp.h>

#include "support/motions.h"
#include "web/playground/shim.h"

static cJSON *parsed(char *text)
{
    cJSON *json = text != NULL ? cJSON_Parse(text) : NULL;
    free(text);
    assert_non_null(json);
    return json;
}

static const char *text_of(const cJSON *object, const char *name)
{
    return cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(object, name));
}

/* A run of some steps: rows are finite where they must be, poses have unit quaternions, the scene is JSON. */
static void check_run(pg_system *s, const cJSON *about, const char *method)
{
    const int columns = cJSON_GetArraySize(cJSON_GetObjectItemCaseSensitive(about, "columns"));
    pg_run *r = pg_start(s, method, "exp", 0, 1);
    if (r == NULL) fail_msg("%s %s: %s", text_of(about, "name"), method, pg_message(s));
    assert_int_equal(pg_step(r, 5), 5);
    assert_string_equal(pg_run_message(r), "");
    assert_true(columns > 4);
    assert_true(pg_row(r)[0] == 5);
    assert_true(isfinite(pg_row(r)[1]) && isfinite(pg_row(r)[2]));
    assert_true(pg_bodies(r) > 0);
    const double *pose = pg_poses(r);
    for (int b = 0; b < pg_bodies(r); b++, pose += LG_POSE_SIZE) {
        const double norm = pose[3] * pose[3] + pose[4] * pose[4] + pose[5] * pose[5] + pose[6] * pose[6];
        assert_true(fabs(norm - 1) < 1e-6);
    }
    cJSON *scene = cJSON_Parse(pg_scene(r));
    assert_int_equal(cJSON_GetArraySize(cJSON_GetObjectItemCaseSensitive(scene, "bodies")), pg_bodies(r));
    cJSON_Delete(scene);
    pg_end(r);
}

/* Numbers of a list can be set to what they are. */
static void check_numbers(pg_system *s, const cJSON *about, const char *list, int place)
{
    const cJSON *item;
    cJSON_ArrayForEach(item, cJSON_GetObjectItemCaseSensitive(about, list))
    {
        const cJSON *value = cJSON_GetObjectItemCaseSensitive(item, "value");
        assert_non_null(text_of(item, "name"));
        if (place == PG_PARAMETERS) assert_true(pg_set(s, place, text_of(item, "name"), value->valuedouble));
        if (place == PG_CONTROLS) assert_true(pg_set(s, place, text_of(item, "name"), 0));
    }
}

static void check_system(const char *name)
{
    pg_system *s = pg_open(name);
    cJSON *about = parsed(pg_describe(s));
    const cJSON *method;
    int taking = 0;
    assert_string_equal(text_of(about, "name"), name);
    check_numbers(s, about, "parameters", PG_PARAMETERS);
    check_numbers(s, about, "controls", PG_CONTROLS);
    cJSON_ArrayForEach(method, cJSON_GetObjectItemCaseSensitive(about, "methods"))
    {
        if (text_of(method, "refused") != NULL) continue;
        check_run(s, about, text_of(method, "name"));
        taking++;
    }
    assert_true(taking > (lg_gallery_index(name) < gallery_without_contacts())); /* which only sem takes */
    cJSON_Delete(about);
    pg_close(s);
}

static void test_all_systems(void **state)
{
    cJSON *catalog = parsed(pg_catalog());
    const cJSON *item;
    int count = 0;
    (void)state;
    for (int list = 0; list < 2; list++)
        cJSON_ArrayForEach(item, cJSON_GetObjectItemCaseSensitive(catalog, list == 0 ? "systems" : "mechanisms"))
        {
            check_system(text_of(item, "name"));
            count++;
        }
    for (const char *const *name = lg_catalog_names(); *name != NULL; name++) count--;
    assert_int_equal(count, lg_gallery_count());
    cJSON_Delete(catalog);
}

/* A refusal: its place, and a part of its message. */
static void refused(const char *system, const char *method, const char *retraction, double step, int place,
                    const char *word)
{
    pg_system *s = pg_open(system);
    assert_null(pg_start(s, method, retraction, step, 0));
    if (pg_where(s) != place || strstr(pg_message(s), word) == NULL)
        fail_msg("%s %s %s: %d: %s", system, method, retraction, pg_where(s), pg_message(s));
    pg_close(s);
}

static void not_set(const char *system, int place, const char *name, double value, const char *word)
{
    pg_system *s = pg_open(system);
    assert_false(pg_set(s, place, name, value));
    assert_int_equal(pg_where(s), place);
    if (strstr(pg_message(s), word) == NULL) fail_msg("%s %s: %s", system, name, pg_message(s));
    pg_close(s);
}

static void test_refusals(void **state)
{
    pg_system *s;
    (void)state;
    refused("chaplygin-sleigh", "rattle", "exp", 0, PG_METHOD, "velocity constraints");
    refused("chaplygin-sleigh", "nix", "exp", 0, PG_METHOD, "nix");
    refused("chaplygin-sleigh", "sem", "nix", 0, PG_RETRACTION, "nix");
    refused("chaplygin-sleigh", "sem", "second-kind", 0, PG_RETRACTION, "second-kind");
    refused("chaplygin-sleigh", "sem", "exp", (double)INFINITY, PG_STEP, "finite");
    refused("bicycle", "rattle", "exp", 0, PG_METHOD, "rolls");
    refused("bicycle", "sem", "exp", (double)NAN, PG_STEP, "finite");
    not_set("chaplygin-sleigh", PG_PARAMETERS, "m", -1, "must be > 0");
    not_set("chaplygin-sleigh", PG_INITIAL, "nix", 1, "nix");
    not_set("chaplygin-sleigh", PG_CONTROLS, "nix", 1, "no control");
    not_set("bicycle", PG_PARAMETERS, "nix", 1, "nix");
    s = pg_open("chaplygin-sleigh");
    assert_true(pg_set(s, PG_INITIAL, "xi_2", 1));
    assert_null(pg_start(s, "sem", "exp", 0, 0));
    assert_int_equal(pg_where(s), PG_INITIAL);
    pg_close(s);
    s = pg_open("nix");
    assert_null(pg_describe(s));
    assert_int_equal(pg_where(s), PG_SYSTEM);
    assert_non_null(strstr(pg_message(s), "nix"));
    pg_close(s);
}

/* Steps one by one or together, and rows of lg_run(). */
static void test_rows_of_run(void **state)
{
    lg_motion_options o = lg_motion_options_default();
    lg_motion *mo = NULL;
    lg_model *M = NULL;
    double row[64];
    pg_system *s = pg_open("rolling-ball");
    pg_run *a, *b;
    (void)state;
    assert_true(pg_set(s, PG_PARAMETERS, "Omega", -0.5) && pg_set(s, PG_INITIAL, "xi_1", 0.25));
    a = pg_start(s, "gni", "cayley", 0.02, 1);
    b = pg_start(s, "gni", "cayley", 0.02, 1);
    assert_true(a != NULL && b != NULL);
    for (int k = 0; k < 30; k++) assert_int_equal(pg_step(a, 1), 1);
    assert_int_equal(pg_step(b, 30), 30);
    assert_int_equal(lg_catalog_create(&M, "rolling-ball"), LG_OK);
    assert_int_equal(lg_model_set(M, "Omega", -0.5), LG_OK);
    assert_int_equal(lg_model_set_initial(M, "xi_1", 0.25), LG_OK);
    o.method = "gni", o.retraction = "cayley", o.step = 0.02;
    assert_int_equal(lg_motion_create(&mo, M, &o), LG_OK);
    assert_int_equal(lg_motion_start(mo, 0, NULL, 1), LG_OK);
    assert_int_equal(lg_motion_step(mo, 30), LG_OK);
    assert_int_equal(lg_motion_row(mo, row), LG_OK);
    const size_t bytes = (size_t)lg_model_column_count(M) * sizeof *row;
    assert_memory_equal(pg_row(a), row, bytes);
    assert_memory_equal(pg_row(b), row, bytes);
    lg_motion_destroy(mo);
    lg_model_destroy(M);
    pg_end(a);
    pg_end(b);
    pg_close(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_all_systems),
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_rows_of_run),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
