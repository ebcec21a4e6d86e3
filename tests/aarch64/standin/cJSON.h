/* SPDX-License-Identifier: BSD-3-Clause */
/** @file cJSON.h
 *  What the tests use of cJSON, for machines that it is not installed for. */
#ifndef TESTS_STANDIN_CJSON_H
#define TESTS_STANDIN_CJSON_H

enum { STANDIN_NULL, STANDIN_FALSE, STANDIN_TRUE, STANDIN_NUMBER, STANDIN_STRING, STANDIN_ARRAY, STANDIN_OBJECT };

typedef struct cJSON {
    struct cJSON *next, *child;
    int type, valueint;
    double valuedouble;
    char *valuestring, *string;
} cJSON;

/** NULL: it is not JSON. */
cJSON *cJSON_Parse(const char *text);
void cJSON_Delete(cJSON *node);
cJSON *cJSON_GetObjectItemCaseSensitive(const cJSON *object, const char *key);
cJSON *cJSON_GetArrayItem(const cJSON *array, int index);
int cJSON_GetArraySize(const cJSON *array);

#define cJSON_GetObjectItem(object, key) cJSON_GetObjectItemCaseSensitive(object, key)
#define cJSON_IsArray(node)              ((node) && (node)->type == STANDIN_ARRAY)
#define cJSON_IsObject(node)             ((node) && (node)->type == STANDIN_OBJECT)
#define cJSON_IsString(node)             ((node) && (node)->type == STANDIN_STRING)
#define cJSON_IsNumber(node)             ((node) && (node)->type == STANDIN_NUMBER)
#define cJSON_IsTrue(node)               ((node) && (node)->type == STANDIN_TRUE)
#define cJSON_ArrayForEach(element, array)                                                                             \
    for (element = (array) ? (array)->child : NULL; element; element = element->next)

#endif
