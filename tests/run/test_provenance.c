/* SPDX-License-Identifier: BSD-3-Clause */
/* Provenance: it gives parameters and initial data back to the bit, it is written exactly where the options say, and
 * it always describes its rows; damaged archives of it are refused. */
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cJSON.h>

#include <liegrp/catalog/catalog.h>
#include <liegrp/multibody/gallery.h>
#include <liegrp/run/run.h>

#include "base/file.h"
#include "base/json.h"
#include "base/sha256.h"
#include "run/format.h"
#include "run/provenance.h"
#include "support/mechanisms.h"

static char folder[] = "/tmp/liegrp-origin-XXXXXX";

static int is_there(const char *name)
{
    return access(name, F_OK) == 0;
}

static char *contents(const char *name)
{
    void *bytes = NULL;
    size_t size = 0;
    assert_int_equal(lg_file_read(name, LG_FILE_MOST, &bytes, &size, NULL), LG_OK);
    char *text = calloc(size + 1, 1);
    assert_true(bytes != NULL && text != NULL);
    memcpy(text, bytes, size);
    free(bytes);
    return text;
}

/* Parts ----------------------------------------------------------------------------------------------------------- */

/* FIPS 180-4's examples, and a message for each way in which its end is padded. */
static void sums(void **unused)
{
    (void)unused;
    static const struct {
        const char *text, *sum;
    } known[] = {
        {"", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
        {"abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"},
        {"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
         "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"},
        {"abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrst"
         "nopqrstu",
         "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1"}};
    char sum[LG_SHA256_TEXT], many[1000000];
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        lg_sha256(sum, known[i].text, strlen(known[i].text));
        assert_string_equal(sum, known[i].sum);
    }
    memset(many, 'a', sizeof many);
    lg_sha256(sum, many, sizeof many);
    assert_string_equal(sum, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
    lg_error e = {LG_OK, ""};
    assert_int_equal(lg_sha256_file(sum, "/nowhere/file", &e), LG_ERROR_IO);
    assert_non_null(strstr(e.message, "/nowhere/file"));
}

static void texts_and_numbers(void **unused)
{
    (void)unused;
    const double numbers[] = {0.1, -0.0, 1.0 / 3, 5e-324, 1.7976931348623157e308, 123456789, (double)NAN};
    lg_json j = {0};
    (void)setlocale(LC_NUMERIC, "de_DE.UTF-8"); /* where it is installed */
    lg_json_open(&j, NULL, '{');
    lg_json_text(&j, "a \"quote\"", "line\n\\ \x01 \xc3\xa9 \xff");
    lg_json_text(&j, "none", NULL);
    lg_json_numbers(&j, "numbers", numbers, 7);
    lg_json_whole(&j, "most", INT64_C(1000000000000000));
    lg_json_close(&j, '}');
    (void)setlocale(LC_NUMERIC, "C");
    cJSON *o = cJSON_Parse(j.text);
    assert_non_null(o);
    assert_string_equal(cJSON_GetObjectItem(o, "a \"quote\"")->valuestring, "line\n\\ \x01 \xc3\xa9 \xc3\xbf");
    assert_true(cJSON_IsNull(cJSON_GetObjectItem(o, "none")));
    for (int i = 0; i < 6; i++)
        assert_memory_equal(&cJSON_GetArrayItem(cJSON_GetObjectItem(o, "numbers"), i)->valuedouble, &numbers[i], 8);
    assert_true(cJSON_IsNull(cJSON_GetArrayItem(cJSON_GetObjectItem(o, "numbers"), 6)));
    assert_true(cJSON_GetObjectItem(o, "most")->valuedouble == 1e15);
    assert_non_null(strstr(j.text, "[0.1, -0, 0.3333333333333333, "));
    cJSON_Delete(o);
    lg_json_free(&j);
}

/* Models ---------------------------------------------------------------------------------------------------------- */

typedef struct told {
    char *text;
    int refuse;
} told;

static int hear(const char *text, void *context)
{
    told *t = context;
    free(t->text);
    t->text = strdup(text);
    return t->refuse;
}

static double number_at(const cJSON *o, const char *name)
{
    const cJSON *m = cJSON_GetObjectItemCaseSensitive(o, name);
    assert_true(cJSON_IsNumber(m));
    return m->valuedouble;
}

static lg_model *open_model(const char *name)
{
    lg_model *M = NULL;
    assert_int_equal(lg_catalog_create(&M, name), LG_OK);
    return M;
}

static void what_it_says(void **unused)
{
    (void)unused;
    static const char *const words[] = {"my", "program \"7\""}, *const files[] = {"input"};
    FILE *f = fopen("input", "w");
    assert_true(f != NULL && fputs("abc", f) >= 0 && fclose(f) == 0);
    lg_model *M = open_model("rolling-ball");
    model_run o = model_run_default();
    lg_run_result r = lg_run_result_default();
    told t = {NULL, 0};
    assert_int_equal(lg_model_set(M, "Omega", 1.0 / 3), LG_OK);
    assert_int_equal(lg_model_set_initial(M, "x", 0.1 + 0.2), LG_OK);
    o.motion.step = 0.7 / 11, o.run.steps = 3, o.motion.method = "gni:midpoint";
    o.run.arguments = words, o.run.argument_count = 2, o.run.inputs = files, o.run.input_count = 1;
    o.run.read_provenance = hear, o.run.read_provenance_context = &t;
    assert_int_equal(model_run_whole(M, &r, &o), LG_OK);
    cJSON *j = cJSON_Parse(t.text);
    assert_non_null(j);
    assert_int_equal(strncmp(t.text, LG_PROVENANCE_MARK, strlen(LG_PROVENANCE_MARK)), 0);
    assert_true(number_at(cJSON_GetObjectItem(j, "parameters"), "Omega") == 1.0 / 3);
    assert_true(number_at(cJSON_GetObjectItem(j, "given"), "x") == 0.1 + 0.2);
    assert_int_equal(cJSON_GetArraySize(cJSON_GetObjectItem(j, "given")), 1);
    assert_true(number_at(j, "step") == o.motion.step);
    assert_string_equal(cJSON_GetObjectItem(j, "method")->valuestring, "gni:midpoint");
    assert_string_equal(cJSON_GetArrayItem(cJSON_GetObjectItem(j, "arguments"), 1)->valuestring, "program \"7\"");
    assert_int_equal(cJSON_GetArraySize(cJSON_GetObjectItem(j, "columns")), lg_model_column_count(M));
    assert_non_null(strstr(t.text, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"));
    cJSON_Delete(j);
    assert_int_equal(unlink("input"), 0);
    assert_int_equal(model_run_whole(M, &r, &o), LG_ERROR_IO);
    assert_non_null(strstr(r.message, "input"));
    o.run.input_count = 0, t.refuse = 1, o.run.output = "refused.csv";
    assert_int_equal(model_run_whole(M, &r, &o), LG_ERROR_INTERRUPTED);
    assert_false(is_there("refused.csv"));
    o.run.provenance = 2;
    assert_int_equal(model_run_whole(M, &r, &o), LG_ERROR_ARGUMENT);
    free(t.text);
    lg_model_destroy(M);
}

static void where_it_is(void **unused)
{
    (void)unused;
    lg_model *M = open_model("suslov");
    model_run o = model_run_default();
    lg_run_result r = lg_run_result_default();
    o.run.steps = 4, o.run.accuracy = 0, o.run.output = "rows.csv";
    assert_int_equal(model_run_whole(M, &r, &o), LG_OK);
    assert_false(is_there("rows.csv.json"));
    o.run.provenance = 1;
    assert_int_equal(model_run_whole(M, &r, &o), LG_OK);
    char *first = contents("rows.csv.json");
    assert_int_equal(model_run_whole(M, &r, &o), LG_OK);
    char *again = contents("rows.csv.json");
    assert_string_equal(first, again); /* no time, no place */
    assert_non_null(strstr(first, "\"ended\": \"complete\""));
    o.run.steps = -1; /* a run that is refused */
    assert_int_equal(model_run_whole(M, &r, &o), LG_ERROR_ARGUMENT);
    assert_true(is_there("rows.csv.json"));
    o.run.steps = 4, o.run.provenance = 0; /* other rows: what was said of the old ones goes */
    assert_int_equal(model_run_whole(M, &r, &o), LG_OK);
    assert_false(is_there("rows.csv.json"));
    free(first);
    free(again);
    FILE *f = fopen("rows.csv.json", "w");
    assert_true(f != NULL && fputs("mine", f) >= 0 && fclose(f) == 0);
    assert_int_equal(model_run_whole(M, &r, &o), LG_OK); /* who wants none leaves others' files alone */
    char *mine = contents("rows.csv.json");
    assert_string_equal(mine, "mine");
    free(mine);
    o.run.provenance = 1;
    assert_int_equal(model_run_whole(M, &r, &o), LG_ERROR_IO);
    assert_non_null(strstr(r.message, "rows.csv.json"));
    assert_int_equal(unlink("rows.csv.json"), 0);
    lg_model_destroy(M);
}

/* 1: liegrp was built with the format; the file is there then. */
static int runs_as(lg_model *M, lg_format format, const char *output, int64_t provenance)
{
    model_run o = model_run_default();
    lg_run_result r = lg_run_result_default();
    o.run.steps = 4, o.run.accuracy = 0, o.run.format = format, o.run.output = output, o.run.provenance = provenance;
    const lg_status status = model_run_whole(M, &r, &o);
    if (status == LG_ERROR_ARGUMENT) assert_non_null(strstr(r.message, "built without it"));
    if (status != LG_ERROR_ARGUMENT) assert_int_equal(status, LG_OK);
    return status == LG_OK;
}

/* Every format is found by each ending of its files, and by nothing else. */
static void endings(void **unused)
{
    (void)unused;
    static const char *const none[] = {NULL, "", ".csv", "rows", "rows.", "rows.txt", "csv", "a.csv/rows", "rows.csv2"};
    assert_null(lg_format_at(-1));
    assert_null(lg_format_at(LG_FORMAT_HDF5 + 1));
    for (int i = 0; i <= LG_FORMAT_HDF5; i++)
        for (const char *const *ending = lg_format_at(i)->endings; *ending != NULL; ending++) {
            char file[32];
            snprintf(file, sizeof file, "a.b/rows%s", *ending);
            assert_int_equal(lg_format_of_file(file), i);
        }
    assert_int_equal(lg_format_of_file("ROWS.H5"), LG_FORMAT_HDF5);
    for (size_t i = 0; i < sizeof none / sizeof none[0]; i++) assert_int_equal(lg_format_of_file(none[i]), -1);
}

static void containers(void **unused)
{
    (void)unused;
    lg_model *M = open_model("suslov");
    lg_error e = {LG_OK, ""};
    assert_true(runs_as(M, LG_FORMAT_CSV, "rows", 1));
    char *beside = contents("rows.json");
    for (int k = 0; k < 2 && runs_as(M, LG_FORMAT_NPZ, "rows", k == 0 ? 0 : -1); k++) {
        assert_false(is_there("rows.json"));
        FILE *f = fopen("rows", "rb");
        char *text = lg_npz.text(f, "rows", &e);
        (void)fclose(f);
        assert_true((text != NULL) == (k == 0));
        if (k == 0) assert_true(strstr(text, "\"format\": \"npz\"") != NULL && strlen(text) == strlen(beside));
        if (k == 1) assert_non_null(strstr(e.message, "no archive with a member provenance.npy"));
        free(text);
    }
    (void)runs_as(M, LG_FORMAT_HDF5, "rows", 1);
    free(beside);
    lg_model_destroy(M);
}

/* Every byte of an archive, changed, and every length of it: its text or none, and nothing else. */
static void damaged_archives(void **unused)
{
    (void)unused;
    lg_model *M = open_model("suslov");
    void *bytes = NULL;
    size_t size = 0;
    if (runs_as(M, LG_FORMAT_NPZ, "whole.npz", 0)) {
        assert_int_equal(lg_file_read("whole.npz", LG_FILE_MOST, &bytes, &size, NULL), LG_OK);
        FILE *f = fopen("whole.npz", "rb");
        char *whole = lg_npz.text(f, "whole", NULL);
        (void)fclose(f);
        assert_non_null(whole);
        for (size_t i = 0; i < 2 * size - 1; i++) {
            char *some = malloc(size);
            const size_t length = i < size ? size : i - size + 1;
            assert_non_null(some);
            memcpy(some, bytes, size);
            if (i < size) some[i] = (char)(some[i] ^ 0x55);
            f = fmemopen(some, length, "rb");
            char *text = lg_npz.text(f, "some", NULL);
            if (text != NULL && i < size) assert_string_equal(text, whole);
            if (i >= size && length < size) assert_null(text);
            free(text);
            (void)fclose(f);
            free(some);
        }
        free(whole);
        free(bytes);
    }
    lg_model_destroy(M);
}

/* Mechanisms ------------------------------------------------------------------------------------------------------ */

static void of_a_mechanism(void **unused)
{
    (void)unused;
    const int i = lg_gallery_index("furuta");
    lg_mechanism *m = NULL;
    lg_motion *mo = NULL;
    lg_model *c = NULL;
    told t = {NULL, 0};
    mechanism_well(lg_gallery_describe(&m, i), m);
    mechanism_well(lg_mechanism_set_parameter(m, "pendulum.mass", 1.0 / 7), m);
    mechanism_well(lg_mechanism_compile(m), m);
    motion_well(motion_create(&mo, m, "sem", 0.01), mo);
    motion_well(lg_gallery_start(mo, i), mo);
    assert_int_equal(lg_model_of_mechanism(&c, m, NULL), LG_OK);
    double *row = calloc((size_t)lg_model_column_count(c), sizeof *row);
    assert_non_null(row);
    assert_int_equal(lg_motion_row(mo, row), LG_OK);
    lg_run_options o = lg_run_options_default();
    lg_run_result r = lg_run_result_default();
    o.steps = 3, o.read_provenance = hear, o.read_provenance_context = &t;
    assert_int_equal(lg_run(mo, &r, &o), LG_OK);
    cJSON *j = cJSON_Parse(t.text);
    assert_non_null(j);
    const cJSON *bodies = cJSON_GetObjectItem(cJSON_GetObjectItem(j, "parameters"), "body");
    assert_true(number_at(cJSON_GetObjectItem(bodies, "pendulum"), "mass") == 1.0 / 7);
    assert_string_equal(cJSON_GetObjectItem(j, "system")->valuestring, "mechanism");
    assert_string_equal(cJSON_GetObjectItem(j, "method")->valuestring, "sem");
    const cJSON *initial = cJSON_GetObjectItem(j, "initial"), *value;
    assert_int_equal(cJSON_GetArraySize(initial), lg_model_column_find(c, "energy") - 2);
    cJSON_ArrayForEach(value, initial) assert_true(value->valuedouble == row[lg_model_column_find(c, value->string)]);
    cJSON_Delete(j);
    t.refuse = 1;
    assert_int_equal(lg_run(mo, &r, &o), LG_ERROR_INTERRUPTED);
    o.provenance = -2;
    assert_int_equal(lg_run(mo, &r, &o), LG_ERROR_ARGUMENT);
    free(t.text);
    free(row);
    lg_model_destroy(c);
    lg_motion_destroy(mo);
    lg_mechanism_destroy(m);
}

static int torque(const lg_motion *mo, double *u, void *context)
{
    (void)context;
    u[0] = 0.01 * lg_motion_time(mo);
    return 0;
}

static int push(double t, const double *poses, const double *twists, double *wrench, void *context)
{
    (void)poses, (void)twists, (void)context;
    wrench[5] += 1e-3 * t;
    return 0;
}

/* Callbacks cannot be described, but their presence is recorded; a default method has its name. */
static void of_what_is_given(void **unused)
{
    (void)unused;
    const int i = lg_gallery_index("furuta");
    lg_mechanism *m = NULL;
    mechanism_well(lg_gallery_create(&m, i), m);
    for (int given = 0; given < 2; given++) {
        lg_motion *mo = NULL;
        told t = {NULL, 0};
        motion_well(motion_create(&mo, m, NULL, 0.01), mo);
        if (given) motion_well(lg_motion_set_wrench(mo, push, NULL), mo);
        motion_well(lg_gallery_start(mo, i), mo);
        lg_run_options o = lg_run_options_default();
        lg_run_result r = lg_run_result_default();
        o.steps = 3, o.read_provenance = hear, o.read_provenance_context = &t, o.control = given ? torque : NULL;
        assert_int_equal(lg_run(mo, &r, &o), LG_OK);
        cJSON *j = cJSON_Parse(t.text);
        assert_non_null(j);
        assert_string_equal(cJSON_GetObjectItem(j, "method")->valuestring, "sem");
        assert_string_equal(cJSON_GetObjectItem(j, "controls")->valuestring, given ? "given" : "none");
        assert_string_equal(cJSON_GetObjectItem(j, "wrenches")->valuestring, given ? "given" : "none");
        cJSON_Delete(j);
        free(t.text);
        lg_motion_destroy(mo);
    }
    lg_mechanism_destroy(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(sums),
                                       cmocka_unit_test(texts_and_numbers),
                                       cmocka_unit_test(what_it_says),
                                       cmocka_unit_test(where_it_is),
                                       cmocka_unit_test(endings),
                                       cmocka_unit_test(containers),
                                       cmocka_unit_test(damaged_archives),
                                       cmocka_unit_test(of_a_mechanism),
                                       cmocka_unit_test(of_what_is_given)};
    if (mkdtemp(folder) == NULL || chdir(folder) != 0) return 1;
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    static const char *const names[] = {"rows.csv", "rows", "whole.npz"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) (void)unlink(names[i]);
    if (rmdir(folder) != 0) return 1; /* something was left */
    return failed;
}
