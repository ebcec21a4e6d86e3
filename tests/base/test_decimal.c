/* SPDX-License-Identifier: BSD-3-Clause */
/* Numbers in specifications and messages do not depend on the locale of the program around the library. */
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/decimal.h"
#include "support/suite.h"

/* A locale with decimal commas, made where the machine has none; 0: there is no way. */
static int commas(void)
{
    static const char *const names[] = {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8", "made"};
    char place[] = "/tmp/liegrp-locale-XXXXXX", command[200];
    for (int i = 0; i < 3; i++)
        if (setlocale(LC_ALL, names[i])) return 1;
    if (!mkdtemp(place)) return 0;
    snprintf(command, sizeof command, "localedef -i de_DE -f UTF-8 %s/made >%s/log 2>&1", place, place);
    int made = system(command) == 0 && setenv("LOCPATH", place, 1) == 0 && setlocale(LC_ALL, names[3]) != NULL;
    snprintf(command, sizeof command, "rm -r %s", place);
    return system(command) == 0 && made;
}

static void numbers(void)
{
    static const struct {
        const char *text;
        double value;
        int length;
    } list[] = {
        {"0.3", 0.3, 3},   {"-1.5e-3x", -1.5e-3, 7}, {".25", 0.25, 3}, {"3", 3, 1},  {"0,3", 0, 1}, {"", 0, 0},
        {"1.2.3", 1.2, 3}, {"0x10", 0, 1},           {"nan", 0, 0},    {" 1", 0, 0}, {"1e", 1, 1},  {"-", 0, 0}};
    for (size_t i = 0; i < sizeof list / sizeof list[0]; i++) {
        const char *end = NULL;
        suite_case("'%s'", list[i].text);
        assert_true(lg_decimal_read(list[i].text, &end) == list[i].value);
        assert_int_equal(end - list[i].text, list[i].length);
    }
}

static void specifications(void)
{
    static const double one[2] = {1, 1};
    lg_system S = lg_system_default(lg_rn(2));
    lg_integrator *it = NULL;
    S.inertia_diagonal = one;
    suite_ok("gni:alpha=0.3", lg_integrator_create(&it, &S, "gni:alpha=0.3", "exp", 0.25));
    lg_integrator_destroy(it);
    suite_status("h", lg_integrator_create(&it, &S, "gni:alpha=1.25", "exp", 0.25), LG_ERROR_ARGUMENT);
    lg_integrator_destroy(it);
    suite_ok("create", lg_integrator_create(&it, &S, "gni", "exp", 0.25));
    const double far[2] = {0, NAN};
    suite_status("start", lg_integrator_start(it, 0.5, far, one, LG_START_REACTION, 0), LG_ERROR_NOT_FINITE);
    assert_null(strstr(lg_integrator_message(it), "0,5"));
    lg_integrator_destroy(it);
}

static void test_c(void **state)
{
    (void)state;
    numbers();
    specifications();
}

static void test_commas(void **state)
{
    char text[64], *end;
    (void)state;
    if (!commas()) skip();
    snprintf(text, sizeof text, "%.1f", 0.5);
    assert_string_equal(text, "0,5"); /* or the test shows nothing */
    numbers();
    specifications();
    end = lg_decimal_normalise(text, text + strlen(text));
    assert_int_equal(end - text, 3);
    assert_memory_equal(text, "0.5", 3);
    lg_decimal o = lg_decimal_enter();
    snprintf(text, sizeof text, "%.1f", 0.5);
    lg_decimal_leave(&o);
    assert_string_equal(text, "0.5");
    snprintf(text, sizeof text, "%.1f", 0.5);
    assert_string_equal(text, "0,5"); /* the program's locale stays */
}

/* A separator of two bytes. */
static void test_normalise(void **state)
{
    char text[] = "-1\xd9\xab"
                  "25e-17";
    (void)state;
    *lg_decimal_normalise(text, text + strlen(text)) = '\0';
    assert_string_equal(text, "-1.25e-17");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_c), cmocka_unit_test(test_normalise),
                                       cmocka_unit_test(test_commas)};
    suite_begin("decimal numbers");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
