/* SPDX-License-Identifier: BSD-3-Clause */
/* Height fields in files: a field has the numbers of its file in the order of a surface; a damaged file is refused with
 * the place of the damage; nothing crashes or leaks. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "scene/field/field.h"
#include "support/allocations.h"
#include "support/suite.h"

enum { MOST = 1000 };

/* Six rows of four numbers, from the greatest y down, which have the filters 0, 1, 2, 3, 4, 4, with ties of the last.
 * The data of the first are in two chunks, behind one of text. */
static const char grey8[] =
    "\x89\x50\x4e\x47\x0d\x0a\x1a\x0a\x00\x00\x00\x0d\x49\x48\x44\x52\x00\x00\x00\x04\x00\x00\x00\x06"
    "\x08\x00\x00\x00\x00\xc1\x52\x60\xa9\x00\x00\x00\x0a\x74\x45\x58\x74\x54\x69\x74\x6c\x65\x00\x68"
    "\x69\x6c\x6c\xbe\x84\x7a\xe6\x00\x00\x00\x09\x49\x44\x41\x54\x78\xda\x63\xe0\x3d\x5c\xa9\xcf\x68"
    "\xd0\x44\x7f\x99\x00\x00\x00\x1e\x49\x44\x41\x54\x24\x28\x28\xc8\x94\x7f\x4a\xb5\x81\x79\xd7\xef"
    "\xab\xd3\x58\x98\xc2\x77\x6f\x60\x99\x57\xdb\x13\x09\x00\x8b\xd6\x0a\xae\x4b\xbb\xa1\xd1\x00\x00"
    "\x00\x00\x49\x45\x4e\x44\xae\x42\x60\x82";
static const double heights8[24] = {170, 39, 164, 33,  12, 93, 24, 200, 10, 6,   20,  18,
                                    161, 13, 121, 229, 50, 67, 84, 101, 13, 195, 121, 47};
static const char grey16[] =
    "\x89\x50\x4e\x47\x0d\x0a\x1a\x0a\x00\x00\x00\x0d\x49\x48\x44\x52\x00\x00\x00\x04\x00\x00\x00\x06"
    "\x10\x00\x00\x00\x00\x91\xc2\xbc\xea\x00\x00\x00\x3d\x49\x44\x41\x54\x78\xda\x63\x60\x55\xf5\x39"
    "\x3f\xa5\xf2\x8e\x32\xa3\xf0\xac\x9c\xfa\xec\xfa\x9c\x7a\x26\xed\x78\x7f\x93\x62\xce\x69\xf7\x98"
    "\x33\x8e\x4d\x50\x59\xc4\xb7\xe5\x27\x4b\xaa\xb1\xcd\xbf\xb5\x77\xaf\xdf\x66\x69\x92\xfd\x7d\x19"
    "\x04\x01\x3e\xf1\x19\x20\xcc\x9c\x95\x0b\x00\x00\x00\x00\x49\x45\x4e\x44\xae\x42\x60\x82";
static const double heights16[24] = {28306, 26981, 25656, 24331, 60533, 50035, 39537, 29039,
                                     34626, 14955, 60820, 41149, 16121, 52813, 23969, 60661,
                                     5018,  32537, 60056, 22039, 1317,  19663, 38009, 56355};

/* Two rows of three, from the least y up. */
static const char own[] = "\2\0\0\0\3\0\0\0\0\0\x40\x40\0\0\0\x40\0\0\xa0\x40\0\0\0\x40\0\0\x80\x40\0\0\xd0\x40";

static lg_status parse(lg_field *f, const void *bytes, size_t size, lg_field_format format, lg_error *e)
{
    char *exact = malloc(size > 0 ? size : 1); /* of this size: a sanitizer sees a byte too far */
    if (exact == NULL) return lg_fail(e, LG_ERROR_MEMORY, "out of memory");
    memcpy(exact, bytes, size);
    const lg_status st = lg_field_parse(f, exact, size, "it", format, MOST, e);
    free(exact);
    return st;
}

static void rejected(const void *bytes, size_t size, lg_field_format format, lg_status want, const char *words)
{
    lg_field f;
    lg_error e = {0};
    suite_status(words, parse(&f, bytes, size, format, &e), want);
    suite_contains("message", e.message, words);
    assert_true(f.height == NULL && f.rows == 0);
}

/* ---- MuJoCo's format ---- */

static void mujoco(void **unused)
{
    static const double want[6] = {3, 2, 5, 2, 4, 6.5};
    (void)unused;
    lg_field f;
    lg_error e;
    suite_ok("own", lg_field_parse(&f, own, sizeof own - 1, "hill.bin", LG_FIELD_BY_NAME, MOST, &e));
    assert_true(f.rows == 2 && f.columns == 3 && f.bits == 0);
    suite_same_bits("heights", f.height, want, 6);
    lg_field_free(&f);
}

/* The numbers of rows and columns, and a height. */
static void wrong_mujoco(void **unused)
{
    static const struct {
        uint32_t rows, columns, height;
        const char *words;
    } wrong[] = {
        {2, 2, 0, "byte 0: 2 rows and 2 columns take 24 bytes, and the file has 32; it is cut off"},
        {0, 3, 0, "byte 0: 0 rows and 3 columns"},
        {UINT32_MAX, 3, 0, "byte 0: the count -1 is negative"},
        {3, UINT32_MAX, 0, "byte 4: the count -1 is negative"},
        {INT32_MAX, INT32_MAX, 0, "at most 1000 heights"},
        {65536, 65536, 0, "byte 0: 65536 rows and 65536 columns"},
        {1 << 30, 4, 0, "at most 1000 heights"},
        {32, 32, 0, "byte 0: 32 rows and 32 columns; 1 of each or more, and at most 1000 heights, are read"},
        {2, 3, 0x7fc00000, "byte 12: the height in row 0, column 1 is not a number"},
        {2, 3, 0xff800000, "byte 12: the height in row 0, column 1 is infinite"},
    };
    (void)unused;
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        unsigned char bytes[sizeof own];
        const uint32_t number[3] = {wrong[i].rows, wrong[i].columns, wrong[i].height};
        memcpy(bytes, own, sizeof own);
        for (int k = 0; k < 12; k++) bytes[k < 8 ? k : k + 4] = (unsigned char)(number[k / 4] >> (8 * (k % 4)));
        suite_case("%zu", i);
        rejected(bytes, sizeof own - 1, LG_FIELD_MUJOCO, LG_ERROR_ARGUMENT, wrong[i].words);
    }
    for (size_t size = 0; size < sizeof own - 1; size++)
        rejected(own, size, LG_FIELD_MUJOCO, LG_ERROR_ARGUMENT, size < 8 ? "the file ends" : "it is cut off");
    rejected(own, sizeof own, LG_FIELD_MUJOCO, LG_ERROR_ARGUMENT, "the file has 33");
}

/* ---- images ---- */

#ifdef LG_WITHOUT_ZLIB

static void images(void **unused)
{
    (void)unused;
    rejected(grey8, sizeof grey8 - 1, LG_FIELD_PNG, LG_ERROR_UNSUPPORTED, "built without it");
    rejected(grey16, sizeof grey16 - 1, LG_FIELD_PNG, LG_ERROR_UNSUPPORTED, "or convert the image to MuJoCo's own");
    assert_true(heights8[0] + heights16[0] > 0);
}

#else

#include <zlib.h>

static void images(void **unused)
{
    (void)unused;
    lg_field f;
    lg_error e;
    suite_ok("8 bits", lg_field_parse(&f, grey8, sizeof grey8 - 1, "hill.PNG", LG_FIELD_BY_NAME, MOST, &e));
    assert_true(f.rows == 6 && f.columns == 4 && f.bits == 8);
    suite_same_bits("8 bits", f.height, heights8, 24);
    lg_field_free(&f);
    suite_ok("16 bits", parse(&f, grey16, sizeof grey16 - 1, LG_FIELD_PNG, &e));
    assert_true(f.rows == 6 && f.columns == 4 && f.bits == 16);
    suite_same_bits("16 bits", f.height, heights16, 24);
    lg_field_free(&f);
}

/* Whatever bit is wrong, and wherever the file ends. */
static void damaged_images(void **unused)
{
    (void)unused;
    lg_field f;
    lg_error e;
    for (int deep = 0; deep < 2; deep++) {
        const char *image = deep ? grey16 : grey8;
        const size_t size = deep ? sizeof grey16 - 1 : sizeof grey8 - 1;
        for (size_t i = 0; i < size; i++) {
            char bytes[sizeof grey8];
            suite_case("%d: byte %zu", deep, i);
            assert_int_equal(parse(&f, image, i, LG_FIELD_PNG, &e), LG_ERROR_ARGUMENT);
            assert_non_null(strstr(e.message, "it: byte "));
            for (int bit = 0; bit < 8; bit++) {
                memcpy(bytes, image, size);
                bytes[i] = (char)(bytes[i] ^ 1 << bit);
                assert_int_equal(parse(&f, bytes, size, LG_FIELD_PNG, &e), LG_ERROR_ARGUMENT);
            }
        }
    }
}

static unsigned char *put(unsigned char *at, uint32_t number)
{
    for (int k = 0; k < 4; k++) at[k] = (unsigned char)(number >> (24 - 8 * k));
    return at + 4;
}

static unsigned char *put_chunk(unsigned char *at, const char *name, const void *data, size_t size)
{
    unsigned char *sum = put(at, (uint32_t)size);
    memcpy(sum, name, 4);
    if (size > 0) memcpy(sum + 4, data, size);
    return put(sum + 4 + size, (uint32_t)crc32(0, sum, (uInt)size + 4));
}

/* An image whose check sums are right and whose header or data are not. */
static void wrong_images(void **unused)
{
    static const struct {
        uint32_t columns, rows;
        unsigned char kind[5]; /* bits, colour, compression, filter, interlace */
        int filter;            /* of the row */
        size_t bytes;          /* of data */
        const char *chunk;     /* before IDAT */
        lg_status status;
        const char *words;
    } wrong[] = {
        {3, 1, {8, 2, 0, 0, 0}, 0, 4, NULL, LG_ERROR_UNSUPPORTED, "byte 24: an image of 8 bits and colour type 2, not"},
        {3, 1, {8, 3, 0, 0, 0}, 0, 4, NULL, LG_ERROR_UNSUPPORTED, "colour type 3"},
        {3, 1, {8, 4, 0, 0, 0}, 0, 4, NULL, LG_ERROR_UNSUPPORTED, "convert it, for example with"},
        {3, 1, {4, 0, 0, 0, 0}, 0, 4, NULL, LG_ERROR_UNSUPPORTED, "an image of 4 bits"},
        {3, 1, {8, 0, 0, 0, 1}, 0, 4, NULL, LG_ERROR_UNSUPPORTED, "colour type 0, interlaced"},
        {3, 1, {8, 0, 1, 0, 0}, 0, 4, NULL, LG_ERROR_ARGUMENT, "compression 1, filter 0"},
        {3, 0, {8, 0, 0, 0, 0}, 0, 4, NULL, LG_ERROR_ARGUMENT, "0 rows and 3 columns"},
        {UINT32_MAX, UINT32_MAX, {16, 0, 0, 0, 0}, 0, 4, NULL, LG_ERROR_ARGUMENT, "at most 1000 heights"},
        {1001, 1, {8, 0, 0, 0, 0}, 0, 4, NULL, LG_ERROR_ARGUMENT, "byte 16: 1 rows and 1001 columns"},
        {3, 1, {8, 0, 0, 0, 0}, 5, 4, NULL, LG_ERROR_ARGUMENT, "row 0 has filter 5"},
        {3, 1, {8, 0, 0, 0, 0}, 0, 3, NULL, LG_ERROR_ARGUMENT, "its data end after 3 of 4 bytes"},
        {3,
         1,
         {8, 0, 0, 0, 0},
         0,
         9,
         NULL,
         LG_ERROR_ARGUMENT,
         "its compressed data are cut off, or more than its size"},
        {3, 1, {8, 0, 0, 0, 0}, 0, 4, "WHAT", LG_ERROR_ARGUMENT, "an unknown chunk that must be read"},
        {3, 1, {8, 0, 0, 0, 0}, 0, 4, "IDAT", LG_ERROR_ARGUMENT, "its compressed data are damaged"},
        {3, 1, {8, 0, 0, 0, 0}, 0, 4, "note", LG_OK, ""},
    };
    (void)unused;
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        unsigned char bytes[300], header[13], row[9] = {(unsigned char)wrong[i].filter, 1, 2, 3}, packed[64],
                                              *at = bytes;
        uLongf size = sizeof packed;
        assert_int_equal(compress(packed, &size, row, wrong[i].bytes), Z_OK);
        memcpy(at, "\x89PNG\r\n\x1a\n", 8);
        memcpy(put(put(header, wrong[i].columns), wrong[i].rows), wrong[i].kind, 5);
        at = put_chunk(at + 8, "IHDR", header, sizeof header);
        if (wrong[i].chunk != NULL) at = put_chunk(at, wrong[i].chunk, "?", 1);
        at = put_chunk(put_chunk(at, "IDAT", packed, size), "IEND", NULL, 0);
        lg_field f;
        lg_error e;
        suite_case("%zu: %s", i, wrong[i].words);
        const lg_status st = parse(&f, bytes, (size_t)(at - bytes), LG_FIELD_PNG, &e);
        suite_status("parse", st, wrong[i].status);
        if (st != LG_OK) suite_contains("message", e.message, wrong[i].words);
        lg_field_free(&f);
    }
}

#endif

static void no_memory(void **unused)
{
    (void)unused;
    only_if_counted();
    lg_status st = LG_ERROR_MEMORY;
#ifdef LG_WITHOUT_ZLIB
    const int first = 1;
#else
    const int first = 0;
#endif
    for (int image = first; image < 2; image++, st = LG_ERROR_MEMORY)
        for (long n = 0; st != LG_OK; n++) {
            const long before = live;
            lg_field f;
            lg_error e;
            fail_at = allocations + n;
            st = image == 0 ? lg_field_parse(&f, grey8, sizeof grey8 - 1, "it", LG_FIELD_PNG, MOST, &e)
                            : lg_field_parse(&f, own, sizeof own - 1, "it", LG_FIELD_MUJOCO, MOST, &e);
            fail_at = -1;
            lg_field_free(&f);
            assert_int_equal(live, before);
            if (st != LG_OK) suite_status(e.message, st, LG_ERROR_MEMORY);
        }
}

int main(void)
{
    suite_begin("scene/field");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mujoco),         cmocka_unit_test(wrong_mujoco), cmocka_unit_test(images),
#ifndef LG_WITHOUT_ZLIB
        cmocka_unit_test(damaged_images), cmocka_unit_test(wrong_images),
#endif
        cmocka_unit_test(no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
