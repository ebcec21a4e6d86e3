/* SPDX-License-Identifier: BSD-3-Clause */
/** @file json.h
 *  A JSON text that grows: members of nested objects and arrays, each member of the outermost on its own line. */
#ifndef LIEGRP_SRC_BASE_JSON_H
#define LIEGRP_SRC_BASE_JSON_H

#include <stddef.h>
#include <stdint.h>

/** Must be zero-initialised. */
typedef struct lg_json {
    char *text; /**< the text so far, zero-terminated; to be freed */
    size_t used, room;
    int depth, begun; /**< begun 1: the innermost object has a member already */
    int failed;       /**< 1: out of memory; later calls have no effect */
} lg_json;

/** Opens an object '{' or an array '['; inside an array, and for the outermost, `name` is NULL, as below. */
void lg_json_open(lg_json *j, const char *name, char bracket);
/** Closes it, with '}' or ']'. */
void lg_json_close(lg_json *j, char bracket);
/** A text; bytes that are not UTF-8 become the characters with these numbers. NULL: null. */
void lg_json_text(lg_json *j, const char *name, const char *value);
/** The shortest text, 15 to 17 digits, that reads back to `value`; null if `value` is not finite. */
void lg_json_number(lg_json *j, const char *name, double value);
void lg_json_whole(lg_json *j, const char *name, int64_t value);
/** An array of numbers. */
void lg_json_numbers(lg_json *j, const char *name, const double *values, int64_t count);
/** A value that is JSON already. */
void lg_json_raw(lg_json *j, const char *name, const char *json);
void lg_json_free(lg_json *j);

#endif
