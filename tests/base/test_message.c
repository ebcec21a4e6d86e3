/* SPDX-License-Identifier: BSD-3-Clause */
/* Numbers in messages. */
#include <math.h>
#include <string.h>

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
    assert_int_equal(lg_fail(NULL, LG_ERROR_DOMAIN, "nobody reads this"), LG_ERROR_DOMAIN);
    lg_error_clear(&e);
    assert_int_equal(e.status, LG_OK);
    assert_string_equal(e.message, "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(numbers), cmocka_unit_test(texts)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
