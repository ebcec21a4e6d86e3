/* SPDX-License-Identifier: BSD-3-Clause */
/** @file cmocka.h
 *  What the tests use of cmocka, for machines that it is not installed for: a failure ends the program. */
#ifndef TESTS_STANDIN_CMOCKA_H
#define TESTS_STANDIN_CMOCKA_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct CMUnitTest {
    const char *name;
    void (*run)(void **state);
};

static inline void standin_fail(const char *what, const char *file, int line)
{
    fflush(stdout);
    fprintf(stderr, "%s:%d: %s\n", file, line, what);
    exit(1);
}

static inline int standin_run(const struct CMUnitTest *tests, size_t count)
{
    void *state = NULL;
    for (size_t k = 0; k < count; k++) {
        printf("%s\n", tests[k].name);
        fflush(stdout);
        tests[k].run(&state);
    }
    return 0;
}

/* clang-format off */
#define cmocka_unit_test(f) {#f, f}
#define cmocka_run_group_tests(tests, setup, teardown) standin_run(tests, sizeof(tests) / sizeof *(tests))
#define cmocka_run_group_tests_name(name, tests, setup, teardown) cmocka_run_group_tests(tests, setup, teardown)
#define standin_check(ok, what) ((ok) ? (void)0 : standin_fail(what, __FILE__, __LINE__))
#define fail() standin_fail("failed", __FILE__, __LINE__)
#define fail_msg(...) (fprintf(stderr, __VA_ARGS__), standin_fail("", __FILE__, __LINE__))
#define assert_true(x) standin_check(x, #x)
#define assert_false(x) standin_check(!(x), "not " #x)
#define assert_null(x) standin_check((x) == NULL, #x " is NULL")
#define assert_non_null(x) standin_check((x) != NULL, #x " is not NULL")
#define assert_int_equal(a, b) standin_check((a) == (b), #a " == " #b)
#define assert_ptr_equal(a, b) standin_check((const void *)(a) == (const void *)(b), #a " == " #b)
#define assert_string_equal(a, b) standin_check(strcmp(a, b) == 0, #a " is " #b)
#define assert_memory_equal(a, b, size) standin_check(memcmp(a, b, size) == 0, #a " is " #b)
#define assert_in_range(x, low, high) standin_check((x) >= (low) && (x) <= (high), #x " in range")
/* clang-format on */

#endif
