/* SPDX-License-Identifier: BSD-3-Clause */
/* Symbols for their names in ASCII, as pictures show them. */
#include "suite.h"

#include <string.h>

#include "cli/lib/symbols.h"

static void test_symbols_for_names(void **state)
{
    static const char *const pairs[][2] = {
        {"xi_k, Omega", "ξₖ, Ω"},
        {"gni, (xi_k + xi_{k+1})/2", "gni, (ξₖ + ξₖ₊₁)/2"},
        {"omega_1, omega_12", "ω₁, ω₁₂"},
        {"|p^- - p~|", "|p⁻ − p\xcc\x83|"},
        {"H - H_0", "H − H₀"},
        {"p_1^2/(I + m a^2)", "p₁²/(I + m a²)"},
        {"6e-4, 1e4, 1e-13, 2.5e+06", "6·10⁻⁴, 10⁴, 10⁻¹³, 2.5·10⁶"},
        {"(-1.5, 3.5), h = -0.1", "(−1.5, 3.5), h = −0.1"},
        {"kg m^2/s", "kg m²/s"},
        {"p_theta, p_psi_1", "p_θ, p_psi_1"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
        char text[100];
        assert_int_equal(symbols_of(text, sizeof text, pairs[i][0]), strlen(pairs[i][1]));
        assert_string_equal(text, pairs[i][1]);
    }
}

/* Names of methods, systems and columns, words that contain the name of a letter, and what is no index. */
static void test_other_text_stays(void **state)
{
    static const char *const texts[] = {
        "sem@kahan-li8",
        "dla:midpoint",
        "exp:order=2",
        "own_gni_rolling_ball",
        "spin about it",
        "q_w, x_",
        "gni-r",
        "R^{",
        "T*Q",
        "2 extra",
        "Jiménez",
        "0x1e4",
        "h1e4",
        "x_{",
        "",
        "10 steps",
    };
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        char text[100];
        (void)symbols_of(text, sizeof text, texts[i]);
        assert_string_equal(text, texts[i]);
    }
}

/* Whatever the room, whole characters and an end; lines become spaces. */
static void test_room(void **state)
{
    const char *const text = "xi_k of p~,\nH - H_0";
    char whole[100], part[100];
    const size_t length = symbols_of(whole, sizeof whole, text);
    (void)state;
    assert_null(strchr(whole, '\n'));
    for (size_t room = 1; room <= length + 1; room++) {
        const size_t used = symbols_of(part, room, text);
        assert_true(used < room);
        assert_int_equal(strlen(part), used);
        assert_memory_equal(part, whole, used);
        assert_true(((unsigned char)whole[used] & 0xc0) != 0x80);
    }
}

/* The combining tilde takes no room. */
static void test_width(void **state)
{
    (void)state;
    assert_int_equal(symbols_width("p\xcc\x83"), symbols_width("p"));
    assert_true(symbols_width("mmmm") > symbols_width("iiii"));
    assert_true(symbols_width("ξₖ") <= 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_symbols_for_names),
        cmocka_unit_test(test_other_text_stays),
        cmocka_unit_test(test_room),
        cmocka_unit_test(test_width),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
