/* SPDX-License-Identifier: BSD-3-Clause */
/* Untrusted texts: valid and invalid UTF-8, fields of a CSV, literals of Python; names of statuses; structs of
 * older and newer callers. */
#include <stdio.h>
#include <stdint.h>
#include <string.h>

#include "base/message.h"
#include "base/sized.h"
#include "base/text.h"
#include "base/width.h"
#include "suite.h"

/* Characters with their number; 0 bytes: none. */
static const struct {
    const char *text;
    int bytes;
    uint32_t code;
} characters[] = {{"", 1, 0},
                  {"a", 1, 'a'},
                  {"\xc3\xa9", 2, 0xe9},
                  {"\xe2\x9c\x93", 3, 0x2713},
                  {"\xf0\x9f\x9a\xb2", 4, 0x1f6b2},
                  {"\xf4\x8f\xbf\xbf", 4, 0x10ffff},
                  {"\xed\x9f\xbf", 3, 0xd7ff},
                  {"\xee\x80\x80", 3, 0xe000},
                  {"\x80", 0, 0},             /* begins in the middle */
                  {"\xc3", 0, 0},             /* ends too early */
                  {"\xe2\x9c", 0, 0},         /* the same */
                  {"\xc0\xaf", 0, 0},         /* longer than need be */
                  {"\xe0\x80\xaf", 0, 0},     /* the same */
                  {"\xed\xa0\x80", 0, 0},     /* half of a pair */
                  {"\xf4\x90\x80\x80", 0, 0}, /* beyond the last */
                  {"\xff", 0, 0}};

static void test_characters(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof characters / sizeof characters[0]; i++) {
        uint32_t code = 77;
        suite_case("character %d", (int)i);
        assert_int_equal(lg_text_character(characters[i].text, &code), characters[i].bytes);
        assert_int_equal(lg_text_character(characters[i].text, NULL), characters[i].bytes);
        assert_int_equal(code, characters[i].bytes > 0 ? characters[i].code : 77);
    }
}

static void test_copies(void **state)
{
    (void)state;
    char to[8];
    lg_text_copy(to, 3, "a\xc3\xa9z");
    assert_string_equal(to, "a"); /* the letter is whole or left out */
    lg_text_copy(to, 4, "a\xc3\xa9z");
    assert_string_equal(to, "a\xc3\xa9");
    lg_text_copy(to, 3, "\xff\xff\xff");
    assert_string_equal(to, "\xff\xff");
    lg_text_copy(to, sizeof to, "");
    assert_string_equal(to, "");
}

static void csv_is(const char *text, const char *want)
{
    char got[64] = "";
    FILE *f = tmpfile();
    assert_non_null(f);
    assert_true(lg_text_csv(f, text) >= 0);
    rewind(f);
    got[fread(got, 1, sizeof got - 1, f)] = '\0';
    fclose(f);
    assert_string_equal(got, want);
}

static void test_csv(void **state)
{
    (void)state;
    csv_is("plain text", "plain text");
    csv_is("a,b", "\"a,b\"");
    csv_is("say \"b\"", "\"say \"\"b\"\"\"");
    csv_is("two\nlines", "\"two\nlines\"");
    FILE *full = fopen("/dev/full", "w");
    if (full == NULL) return; /* not everywhere */
    setvbuf(full, NULL, _IONBF, 0);
    assert_true(lg_text_csv(full, "plain") < 0);
    assert_true(lg_text_csv(full, "a,b") < 0);
    fclose(full);
}

static void test_python(void **state)
{
    (void)state;
    char text[80];
    static const char all[] = "'it\\'s \\\\ \\xe9 \\u2713 \\U0001f6b2 \\x0a \\xff'";
    const int length = lg_text_python(text, sizeof text, "it's \\ \xc3\xa9 \xe2\x9c\x93 \xf0\x9f\x9a\xb2 \n \xff");
    assert_string_equal(text, all);
    assert_int_equal(length, strlen(all));
    assert_int_equal(lg_text_python(text, 4, "abcdef"), 8); /* as snprintf() */
    assert_string_equal(text, "'ab");
}

static void test_statuses(void **state)
{
    (void)state;
    for (int i = 0; i < LG_STATUS_COUNT; i++) {
        const char *name = lg_status_name((lg_status)i), *text = lg_status_text((lg_status)i);
        assert_int_equal(strncmp(name, "LG_", 3), 0);
        for (int k = 0; k < i; k++) {
            assert_string_not_equal(name, lg_status_name((lg_status)k));
            assert_string_not_equal(text, lg_status_text((lg_status)k));
        }
    }
    assert_string_equal(lg_status_name(LG_STATUS_COUNT), "LG_UNKNOWN_STATUS");
    assert_string_equal(lg_status_text(LG_STATUS_COUNT), "unknown status");
}

static void test_system_messages(void **state)
{
    (void)state;
    lg_error e = {LG_OK, ""};
    suite_status("memory", lg_fail_system(&e, "file", 12 /* ENOMEM */), LG_ERROR_MEMORY);
    suite_contains("memory", e.message, "out of memory");
    suite_status("missing", lg_fail_system(&e, "file", 2 /* ENOENT */), LG_ERROR_IO);
    suite_contains("missing", e.message, "file");
    suite_status("unknown", lg_fail_system(&e, "file", 99999), LG_ERROR_IO);
    suite_contains("unknown", e.message, "99999");
}

/* A struct that grew twice: the library knows both fields, callers know one, both, or one more. */
typedef struct grown {
    size_t size;
    double first, second;
} grown;
static const lg_sized kind = LG_SIZED_AS(grown, first, "start from nothing");

static void test_sizes(void **state)
{
    (void)state;
    const size_t older = offsetof(grown, second), newer = sizeof(grown) + sizeof(double);
    double room[4] = {7, 7, 7, 7};
    const grown given = {sizeof(grown), 1, 2};
    grown own = {0, 10, 20};
    lg_error e = {LG_OK, ""};
    grown small = given;
    small.size = older;
    suite_ok("older", lg_sized_take(&kind, &own, &small, &e));
    assert_true(own.size == sizeof(grown) && own.first == 1 && own.second == 20);
    small.size = newer;
    suite_status("newer", lg_sized_take(&kind, &own, &small, &e), LG_ERROR_ARGUMENT);
    suite_contains("newer", e.message, "update the library");
    small.size = 0;
    suite_status("none", lg_sized_take(&kind, &own, &small, &e), LG_ERROR_ARGUMENT);
    suite_contains("none", e.message, "start from nothing");
    suite_status("named", lg_sized_check(&kind, newer, "mine", &e), LG_ERROR_ARGUMENT);
    suite_contains("named", e.message, "'mine'");
    lg_sized_give(&kind, room, newer, &given);
    assert_true(room[1] == 1 && room[2] == 2 && room[3] == 0);
    room[2] = 7;
    lg_sized_give(&kind, room, older, &given);
    assert_true(room[1] == 1 && room[2] == 7);
    suite_status("without a name", lg_sized_check(&kind, 0, NULL, &e), LG_ERROR_ARGUMENT);
    char few[4] = "abc";
    lg_sized_give(&kind, few, 2, &given);
    assert_int_equal(few[2], 'c');
}

static void test_widths(void **state)
{
    (void)state;
    assert_int_equal(lg_width_choose(3), 0);
    assert_int_equal(lg_width_choose(16), 0);
    assert_int_equal(lg_width_choose(-1), 0);
    for (int width = 1; width <= 8; width *= 2)
        assert_int_equal(lg_width_choose(width), lg_width_supported(width) ? width : 0);
    const int best = lg_width_choose(0);
    assert_true(lg_width_supported(best));
}

static void shown(const char *text, const char *want)
{
    char to[160];
    const int length = lg_text_shown(to, sizeof to, text, SIZE_MAX);
    suite_case("%s", want);
    assert_string_equal(to, want);
    assert_int_equal(length, strlen(want));
    assert_int_equal(lg_text_shown(NULL, 0, text, SIZE_MAX), length);
    for (size_t room = 1; room <= strlen(want); room++) { /* whole characters that fit */
        memset(to, '#', sizeof to);
        assert_int_equal(lg_text_shown(to, room, text, SIZE_MAX), length);
        assert_true(strlen(to) < room && strncmp(to, want, strlen(to)) == 0 && to[room] == '#');
    }
    (void)lg_text_shown(to, sizeof to, want, SIZE_MAX); /* once is enough */
    assert_string_equal(to, want);
}

/* Characters that a terminal obeys, and invisible ones. */
static void test_shown(void **state)
{
    (void)state;
    char to[32];
    shown("", "");
    shown("x_1 \xc3\xa9 \xe6\xbc\xa2 \xf0\x9f\x9a\xb2 \\", "x_1 \xc3\xa9 \xe6\xbc\xa2 \xf0\x9f\x9a\xb2 \\");
    shown("\x1b[31m\a\b\t\n\v\f\r\x7f\x01", "\\x1b[31m\\a\\b\\t\\n\\v\\f\\r\\x7f\\x01");
    shown("\xc2\x80\xc2\x9b\xc2\x9f\xc2\xa0", "\\u0080\\u009b\\u009f\xc2\xa0");
    shown("\x9b\xff\xc3\xc0\x80", "\\x9b\\xff\\xc3\\xc0\\x80");
    shown("\xd8\x9c\xe2\x80\x8b\xe2\x80\x8f\xe2\x80\xa8\xe2\x80\xae\xe2\x81\xa6\xef\xbb\xbf",
          "\\u061c\\u200b\\u200f\\u2028\\u202e\\u2066\\ufeff");
    shown("\xf3\xa0\x80\x81\xf0\x9f\xbf\xbe", "\\U000e0001\\U0001fffe");
    assert_int_equal(lg_text_shown(to, sizeof to, "\xc3\xa9\xc3\xa9", 3), 2); /* the second one is cut */
    assert_string_equal(to, "\xc3\xa9");
}

int main(void)
{
    suite_begin("texts");
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_shown),           cmocka_unit_test(test_characters),
                                       cmocka_unit_test(test_copies),          cmocka_unit_test(test_csv),
                                       cmocka_unit_test(test_python),          cmocka_unit_test(test_statuses),
                                       cmocka_unit_test(test_system_messages), cmocka_unit_test(test_sizes),
                                       cmocka_unit_test(test_widths)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
