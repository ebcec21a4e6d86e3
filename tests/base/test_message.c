/* SPDX-License-Identifier: BSD-3-Clause */
/* Numbers in messages. */
#include <math.h>
#include <string.h>
#include <wchar.h>

#include <liegrp/liegrp.h>

#include "base/message.h"
#include "suite.h"

static void numbers(void **state)
{
    const double v[4] = {0.1, -2, copysign((double)NAN, -1), copysign((double)NAN, 1)};
    char text[80];
    (void)state;
    lg_print_values(text, sizeof text, v, 4);
    assert_string_equal(text, "0.1, -2, nan, nan");
    lg_print_values(text, sizeof text, v, 0);
    assert_string_equal(text, "-");
    lg_print_values(text, 30, v, 4);
    assert_string_equal(text, "0.1, -2");
}

/* A message that is too long is cut; without a place for it the status comes back all the same. */
static void texts(void **state)
{
    lg_error e;
    (void)state;
    assert_int_equal(lg_fail(&e, LG_ERROR_DOMAIN, "%s: %*s", "here", 2 * (int)sizeof e.message, ""), LG_ERROR_DOMAIN);
    assert_int_equal(strlen(e.message), sizeof e.message - 1);
    assert_int_equal(lg_fail(NULL, LG_ERROR_DOMAIN, "not read"), LG_ERROR_DOMAIN);
    /* A text that the C library cannot spell leaves no half of one. */
    static const wchar_t half_of_a_pair[] = {0xd800, 0};
    assert_int_equal(lg_fail(&e, LG_ERROR_DOMAIN, "here: %ls", half_of_a_pair), LG_ERROR_DOMAIN);
    assert_string_equal(e.message, "");
    lg_error_clear(&e);
    assert_int_equal(e.status, LG_OK);
    assert_string_equal(e.message, "");
}

/* The message of a NULL object gives both possible reasons: NULL was passed, or memory ran out. */
static void no_object(void **state)
{
    const char *const said[] = {lg_integrator_message(NULL), lg_linearisation_message(NULL), lg_pullback_message(NULL),
                                lg_chaplygin_message(NULL),  lg_model_message(NULL),         lg_reference_message(NULL),
                                lg_ensemble_message(NULL),   lg_groupoid_gni_message(NULL)};
    (void)state;
    for (size_t i = 0; i < sizeof said / sizeof said[0]; i++) suite_contains("message", said[i], "NULL was passed");
}

/* As the headers say: no warning. */
static void dropped(void **state)
{
    const double axis[3] = {0, 0, 1};
    double q[4] = {0};
    (void)state;
    lg_status_ignore(lg_so3_from_axis_angle(q, axis, 0));
    assert_true(q[3] > 0.5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(numbers), cmocka_unit_test(texts), cmocka_unit_test(no_object),
                                       cmocka_unit_test(dropped)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
