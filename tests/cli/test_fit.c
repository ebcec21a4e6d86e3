/* SPDX-License-Identifier: BSD-3-Clause */
/* Lines for a terminal: wrapped at blanks below their last column, exponents as superscripts. */
#include "suite.h"

#include <string.h>

#include "cli/lib/fit.h"

static void expect(const char *line, int width, int symbols, const char *wanted)
{
    char text[400];
    FILE *f = tmpfile();
    assert_non_null(f);
    cli_fit_line(f, line, width, symbols);
    rewind(f);
    text[fread(text, 1, sizeof text - 1, f)] = '\0';
    fclose(f);
    assert_string_equal(text, wanted);
}

static void test_short_lines_stay(void **state)
{
    (void)state;
    expect("", 40, 1, "\n");
    expect("  m        = 1       kg       mass, > 0", 40, 0, "  m        = 1       kg       mass, > 0\n");
    expect("my_system, x_1 and 2^x, a ^ b", 40, 1, "my_system, x_1 and 2^x, a ^ b\n");
}

static void test_long_lines_hang_below_their_last_column(void **state)
{
    (void)state;
    expect("  t  s  the time since the start of the run", 30, 0,
           "  t  s  the time since the\n        start of the run\n");
    expect("source: one two three four five six seven eight", 30, 0,
           "source: one two three four\n    five six seven eight\n");
    expect("  a_column_that_is_wide  rad/s  three words here", 40, 0,
           "  a_column_that_is_wide  rad/s  three\n    words here\n");
    expect("  step,t,x,y,theta,xi_1", 15, 0, "  step, t, x,\n    y, theta,\n    xi_1\n");
    expect("a-word-without-any-blank-that-is-too-long", 20, 0, "a-word-without-any-blank-that-is-too-long\n");
}

static void test_exponents_keep_columns(void **state)
{
    (void)state;
    expect("  I11  kg m^2    inertia", 80, 1, "  I11  kg m²     inertia\n");
    expect("  g    m/s^2     gravity", 80, 1, "  g    m/s²      gravity\n");
    expect("  n    J^(1/2)   size of p^- in J^-1", 80, 1, "  n    J¹ᐟ²      size of p⁻ in J⁻¹\n");
    expect("  n    J^(1/2)   size of p^- in J^-1", 80, 0, "  n    J^(1/2)   size of p^- in J^-1\n");
    expect("f^* g^T 10^12", 80, 1, "f^* gᵀ 10¹²\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_short_lines_stay),
        cmocka_unit_test(test_long_lines_hang_below_their_last_column),
        cmocka_unit_test(test_exponents_keep_columns),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
