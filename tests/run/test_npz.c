/* SPDX-License-Identifier: BSD-3-Clause */
/* Archives of others (run/npz.c), put together byte by byte: what a ZIP file and an array in it may say beyond what
 * liegrp and NumPy write, and what they may not. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "run/format.h"
#include "support/suite.h"

#ifdef LG_WITHOUT_ZLIB

static void test_refused(void **state)
{
    (void)state;
    lg_error e = {LG_OK, ""};
    assert_null(lg_npz.text(NULL, "rows.npz", &e));
    suite_contains("without zlib", e.message, "built without it");
}

int main(void)
{
    suite_begin("archives");
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#else

#include <zlib.h>

/* The parts of an archive with one member, and another that is ignored. */
typedef struct archive {
    const char *head;     /* of the array, before it is filled up to 128 bytes */
    const uint32_t *text; /* its characters */
    size_t characters;
    int method;         /* of packing; 0: stored */
    size_t note;        /* bytes of a note of the member */
    int wide_member;    /* its numbers are in an extra field */
    int stray_field;    /* 1: another extra field first; 2: one that is longer than all of them */
    int wide_directory; /* the place of the directory is in a 64-bit record; 2: whose signature is wrong; 3: no locator
                         */
    uint32_t sum_off;   /* added to its sum */
} archive;

enum { ROOM = 4096 };
static unsigned char made[ROOM];
static size_t length;

static void put(uint64_t value, int bytes)
{
    for (int i = 0; i < bytes; i++) made[length++] = (unsigned char)(value >> (8 * i));
}

static void put_bytes(const void *from, size_t size)
{
    memcpy(made + length, from, size);
    length += size;
}

static size_t make_array(const archive *a, unsigned char *to)
{
    const size_t head = strlen(a->head);
    memset(to, ' ', 128);
    memcpy(to, "\x93NUMPY\x01\x00\x76\x00", 10);
    memcpy(to + 10, a->head, head);
    for (size_t i = 0; i < a->characters; i++)
        for (int k = 0; k < 4; k++) to[128 + 4 * i + (size_t)k] = (unsigned char)(a->text[i] >> (8 * k));
    return 128 + 4 * a->characters;
}

static void put_numbers(const archive *a, const char *name, size_t size, uint32_t sum, size_t extra)
{
    put(0, 2), put((uint64_t)a->method, 2), put(0, 4), put(sum, 4);
    put(a->wide_member ? UINT32_MAX : size, 4), put(a->wide_member ? UINT32_MAX : size, 4);
    put(strlen(name), 2), put(extra, 2);
}

/* One line of the directory. */
static void put_entry(const archive *a, const char *name, size_t size, uint32_t sum, size_t at)
{
    const size_t extra = (a->stray_field ? 8u : 0u) + (a->wide_member ? 28u : 0u);
    put(0x02014b50, 4), put(45, 2), put(45, 2);
    put_numbers(a, name, size, sum, extra);
    put(a->note, 2), put(0, 2), put(0, 2), put(0, 4), put(a->wide_member ? UINT32_MAX : at, 4);
    put_bytes(name, strlen(name));
    if (a->stray_field) put(0x5455, 2), put(a->stray_field == 2 ? 4000 : 4, 2), put(7, 4);
    if (a->wide_member) put(1, 2), put(24, 2), put(size, 8), put(size, 8), put(at, 8);
    for (size_t i = 0; i < a->note; i++) put('n', 1);
}

static void put_end(const archive *a, size_t begun, size_t bytes)
{
    const size_t record = length;
    if (a->wide_directory) {
        put(a->wide_directory == 2 ? 0 : 0x06064b50, 4), put(44, 8), put(45, 2), put(45, 2), put(0, 4), put(0, 4);
        put(2, 8), put(2, 8), put(bytes, 8), put(begun, 8);
        put(a->wide_directory == 3 ? 0 : 0x07064b50, 4), put(0, 4), put(record, 8), put(1, 4);
    }
    put(0x06054b50, 4), put(0, 2), put(0, 2), put(2, 2), put(2, 2);
    put(a->wide_directory ? UINT32_MAX : bytes, 4), put(a->wide_directory ? UINT32_MAX : begun, 4), put(0, 2);
}

static void make(const archive *a)
{
    unsigned char array[1024];
    const size_t size = make_array(a, array);
    const uint32_t sum = (uint32_t)crc32(0, array, (uInt)size) + a->sum_off;
    length = 0;
    put(0x04034b50, 4), put(45, 2);
    put_numbers(a, "provenance.npy", size, sum, 0);
    put_bytes("provenance.npy", 14);
    put_bytes(array, size);
    const size_t begun = length;
    put_entry(a, "other.npy", size, sum, 0);
    put_entry(a, "provenance.npx", size, sum, 0); /* as long as the name that is wanted */
    put_entry(a, "provenance.npy", size, sum, 0);
    put_end(a, begun, length - begun);
}

static char *text_of(const archive *a, lg_error *e)
{
    make(a);
    FILE *f = fmemopen(made, length, "rb");
    assert_non_null(f);
    char *text = lg_npz.text(f, "some.npz", e);
    (void)fclose(f);
    return text;
}

static const uint32_t letters[] = {'a', 0xe9, 0x20ac, 0x1f600, 'z'};
static const archive plain = {
    .head = "{'descr': '<U5', 'fortran_order': False, 'shape': (), }", .text = letters, .characters = 5};

static void test_read(void **state)
{
    (void)state;
    archive a[] = {plain, plain, plain, plain, plain, plain};
    a[1].note = 20;
    a[2].wide_member = 1;
    a[3].wide_member = a[3].stray_field = 1;
    a[4].wide_directory = 1;
    a[5].wide_directory = a[5].wide_member = a[5].stray_field = 1;
    for (size_t i = 0; i < sizeof a / sizeof a[0]; i++) {
        suite_case("archive %d", (int)i);
        lg_error e = {LG_OK, ""};
        char *text = text_of(&a[i], &e);
        if (text == NULL) suite_fail("%s", e.message);
        assert_string_equal(text, "a\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80z");
        free(text);
    }
}

/* A character that there is not ends the text. */
static void test_impossible_character(void **state)
{
    (void)state;
    static const uint32_t odd[] = {'a', 'b', 0x110000, 'c', 'd'};
    archive a = plain;
    a.text = odd;
    char *text = text_of(&a, NULL);
    assert_non_null(text);
    assert_string_equal(text, "ab");
    free(text);
}

static void test_refusals(void **state)
{
    (void)state;
    static const struct {
        const char *head, *words;
        int method, wide_directory, wide_member, stray_field;
        uint32_t sum_off;
    } wrong[] = {
        {"{'descr': '<f8', 'fortran_order': False, 'shape': (), }", "is damaged", 0, 0, 0, 0, 0},
        {"{'descr': '<U5', 'fortran_order': False, 'shape': (5,), }", "is damaged", 0, 0, 0, 0, 0},
        {"{'descr': '<U6', 'fortran_order': False, 'shape': (), }", "is damaged", 0, 0, 0, 0,
         0}, /* longer than it is */
        {"{'descr': '<U999999999999', 'fortran_order': False, 'shape': (), }", "is damaged", 0, 0, 0, 0, 0},
        {NULL, "is damaged", 8, 0, 0, 0, 0},  /* not packed */
        {NULL, "no archive", 12, 0, 0, 0, 0}, /* packed in another way */
        {NULL, "is damaged", 0, 0, 0, 0, 1},
        {NULL, "no archive", 0, 2, 0, 0, 0},
        {NULL, "no archive", 0, 3, 0, 0, 0},
        {NULL, "is damaged", 0, 0, 1, 2, 0}, /* its numbers are behind a field without an end */
    };
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        suite_case("archive %d", (int)i);
        lg_error e = {LG_OK, ""};
        archive a = plain;
        if (wrong[i].head != NULL) a.head = wrong[i].head;
        a.method = wrong[i].method, a.wide_directory = wrong[i].wide_directory, a.wide_member = wrong[i].wide_member;
        a.stray_field = wrong[i].stray_field, a.sum_off = wrong[i].sum_off;
        assert_null(text_of(&a, &e));
        suite_status("refused", e.status, LG_ERROR_ARGUMENT);
        suite_contains("refused", e.message, wrong[i].words);
    }
}

/* An array whose head, or whose sign, is not one. */
static void test_heads(void **state)
{
    (void)state;
    lg_error e = {LG_OK, ""};
    make(&plain);
    const size_t at = 30 + 14;
    for (int k = 0; k < 2; k++) {
        unsigned char array[1024];
        make(&plain);
        if (k == 0) made[at] = 'N';
        if (k == 1) made[at + 9] = 0x7f; /* a head that is longer than the file */
        memcpy(array, made + at, 148);
        const uint32_t sum = (uint32_t)crc32(0, array, 148);
        for (size_t i = at + 148; i + 46 < length; i++) /* the sums of the directory */
            if (memcmp(made + i, "PK\x01\x02", 4) == 0)
                for (int b = 0; b < 4; b++) made[i + 16 + (size_t)b] = (unsigned char)(sum >> (8 * b));
        FILE *f = fmemopen(made, length, "rb");
        assert_non_null(f);
        assert_null(lg_npz.text(f, "some.npz", &e));
        suite_contains("refused", e.message, "is damaged");
        (void)fclose(f);
    }
}

int main(void)
{
    suite_begin("archives");
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_read), cmocka_unit_test(test_impossible_character),
                                       cmocka_unit_test(test_refusals), cmocka_unit_test(test_heads)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#endif
