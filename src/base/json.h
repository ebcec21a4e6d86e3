/* SPDX-License-Identifier: BSD-3-Clause */
/** @file json.h
 *  A text in JSON that grows: members of nested objects and arrays, the outer ones each on a line of its own. */
#ifndef LIEGRP_SRC_BASE_JSON_H
#define LIEGRP_SRC_BASE_JSON_H

#include <stddef.h>
#include <stdint.h>

/** Zeros at the beginning. */
typedef struct lg_json {
    char *text; /**< so far, ended by a 0; to be freed */
    size_t used, room;
    int depth, begun; /**< begun 1: something stands in the innermost object already */
    int failed;       /**< 1: out of memory; what follows is lost */
} lg_json;

/** Opens an object '{' or an array '['; in an array, and outermost, `name` is NULL, as below. */
void lg_json_open(lg_json *j, const char *name, char bracket);
/** Closes it, with '}' or ']'. */
void lg_json_close(lg_json *j, char bracket);
/** A text; bytes that are no UTF-8 become the characters of these numbers. NULL: null. */
void lg_json_text(lg_json *j, const char *name, const char *value);
/** With the fewest digits, 15 to 17, that give it back; null where it is not finite. */
void lg_json_number(lg_json *j, const char *name, double value);
void lg_json_whole(lg_json *j, const char *name, int64_t value);
/** An array of numbers. */
void lg_json_numbers(lg_json *j, const char *name, const double *values, int64_t count);
/** A value that is JSON already. */
void lg_json_raw(lg_json *j, const char *name, const char *json);
void lg_json_free(lg_json *j);

#endif
