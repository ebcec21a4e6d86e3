/* SPDX-License-Identifier: BSD-3-Clause */
/* Checkpoints in themselves: of a thing with some lines and two numbers. What does not fit is refused with what
 * differs, and the thing stays what it was. */
#include <stdio.h>
#include <string.h>

#include "base/checkpoint.h"
#include "suite.h"

typedef struct thing {
    const char *line[4]; /* NAME, VALUE; NULL: no more */
    int count;           /* of numbers */
    int whole[2];
} thing;

static void describe(lg_lines *l, const void *object)
{
    const thing *t = object;
    const double numbers[2] = {1, 2};
    for (int i = 0; i < 4 && t->line[i] != NULL; i += 2) lg_lines_text(l, t->line[i], t->line[i + 1]);
    lg_lines_numbers(l, "none", numbers, 0);
    lg_lines_numbers(l, "none", NULL, 2);
}

static void list(lg_tape *tape, void *object)
{
    thing *t = object;
    for (int i = 0; i < t->count; i++) lg_tape_int(tape, &t->whole[i], 0, 9, i == 0 ? "the first" : "the second");
}

static const lg_kept kept = {"thing", "thing_read", describe, list};

enum { ROOM = 2000 };
static unsigned char bytes[ROOM];

static size_t write_of(thing *t)
{
    const size_t size = lg_checkpoint_bytes(&kept, t);
    assert_true(size < ROOM);
    lg_checkpoint_write(&kept, t, bytes);
    return size;
}

/* What `from` has written is refused by `to`, which says why. */
static void refused(thing *from, const thing *to, const char *why)
{
    lg_error e = {LG_OK, ""};
    thing own = *to;
    suite_case("%s", why);
    suite_status("read", lg_checkpoint_read(&kept, &own, bytes, write_of(from), &e), LG_ERROR_ARGUMENT);
    suite_contains("message", e.message, why);
    assert_memory_equal(&own, to, sizeof own);
}

/* Not const: listing writes what it reads. */
static thing plain = {{"of", "stone", NULL, NULL}, 2, {3, 4}};

static void test_fits(void **state)
{
    (void)state;
    lg_error e = {LG_OK, ""};
    thing other = plain;
    other.whole[0] = other.whole[1] = 0;
    suite_ok("read", lg_checkpoint_read(&kept, &other, bytes, write_of(&plain), &e));
    assert_memory_equal(&other, &plain, sizeof other);
    thing split = plain;
    split.line[1] = "two\nlines"; /* a newline in a name does not end its line */
    other = split;
    suite_ok("read", lg_checkpoint_read(&kept, &other, bytes, write_of(&split), &e));
    assert_non_null(strstr((char *)bytes, "of two lines\n"));
}

static void test_lines(void **state)
{
    (void)state;
    thing more = plain, another = plain, less = plain, longer = plain;
    char name[440]; /* more than a message says of a line */
    memset(name, 'x', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    more.line[2] = "and", more.line[3] = "wood";
    another.line[1] = "brick";
    less.line[0] = NULL;
    longer.line[1] = name;
    refused(&plain, &another, "'of stone', and what reads it 'of brick'");
    refused(&plain, &longer, "'of stone', and what reads it 'of xxx");
    refused(&longer, &plain, "the checkpoint has 'of xxx");
    refused(&more, &plain, "the checkpoint has 'and wood' and the other has not");
    refused(&plain, &more, "what reads the checkpoint has 'and wood' and the other has not");
    refused(&less, &plain, "what reads the checkpoint has 'of stone'");
    refused(&plain, &less, "the checkpoint has 'of stone'");
}

static void test_numbers(void **state)
{
    (void)state;
    thing one = plain, first = plain, both = plain;
    one.count = 1;
    first.whole[1] = 10;
    both.whole[0] = -1, both.whole[1] = 10;
    refused(&one, &plain, "has 8 bytes of numbers, expected 16");
    refused(&plain, &one, "has 16 bytes of numbers, expected 8");
    refused(&first, &plain, "does not fit: the second");
    refused(&both, &plain, "does not fit: the first");
}

/* Every byte that is wrong, and every end that is missing. */
static void test_damage(void **state)
{
    (void)state;
    const size_t size = write_of(&plain);
    lg_error e = {LG_OK, ""};
    for (size_t i = 0; i < size; i++) {
        thing own = plain;
        suite_case("byte %d", (int)i);
        bytes[i] ^= 1;
        suite_status("damaged", lg_checkpoint_read(&kept, &own, bytes, size, &e), LG_ERROR_ARGUMENT);
        bytes[i] ^= 1;
        suite_status("cut", lg_checkpoint_read(&kept, &own, bytes, i, &e), LG_ERROR_ARGUMENT);
        suite_contains("message", e.message, "thing_read: ");
        assert_memory_equal(&own, &plain, sizeof own);
    }
    thing own = plain;
    suite_status("nothing", lg_checkpoint_read(&kept, &own, NULL, 100, &e), LG_ERROR_ARGUMENT);
    suite_contains("nothing", e.message, "no checkpoint");
    suite_status("too long", lg_checkpoint_read(&kept, &own, bytes, size + 1, &e), LG_ERROR_ARGUMENT);
}

int main(void)
{
    suite_begin("checkpoint");
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_fits), cmocka_unit_test(test_lines),
                                       cmocka_unit_test(test_numbers), cmocka_unit_test(test_damage)};
    return cmocka_run_group_tests_name("checkpoint", tests, NULL, NULL);
}
