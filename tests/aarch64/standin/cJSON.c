/* SPDX-License-Identifier: BSD-3-Clause */
/* A reader of JSON as the test data have it: no escapes in strings. */
#include "cJSON.h"

#include <stdlib.h>
#include <string.h>

static const char *skip(const char *p)
{
    return p + strspn(p, " \t\r\n");
}

/* The string at the quotation mark p; *end is behind it. */
static char *quoted(const char *p, const char **end)
{
    const size_t n = *p == '"' ? strcspn(p + 1, "\"\\") : 0;
    char *text = *p == '"' && p[1 + n] == '"' ? calloc(n + 1, 1) : NULL;
    if (text != NULL) memcpy(text, p + 1, n);
    *end = p + n + 2;
    return text;
}

static cJSON *value(const char *p, const char **end);

/* Parses the members from p to the closing bracket and returns its end; NULL: there is no such bracket. */
static const char *members(cJSON *node, const char *p, char closing)
{
    cJSON **link = &node->child;
    for (p = skip(p); *p != closing; p = skip(p)) {
        char *key = NULL;
        if (node->child != NULL) {
            if (*p != ',') return NULL;
            p = skip(p + 1);
        }
        if (closing == '}') {
            key = quoted(p, &p);
            if (key == NULL) return NULL;
            p = skip(p);
            if (*p++ != ':') {
                free(key);
                return NULL;
            }
        }
        cJSON *child = value(skip(p), &p);
        if (child == NULL) {
            free(key);
            return NULL;
        }
        child->string = key;
        *link = child;
        link = &child->next;
    }
    return p + 1;
}

static cJSON *value(const char *p, const char **end)
{
    static const struct {
        const char *name;
        int type;
    } words[] = {{"null", STANDIN_NULL}, {"false", STANDIN_FALSE}, {"true", STANDIN_TRUE}};
    cJSON *node = calloc(1, sizeof *node);
    const char *after = NULL;
    if (node == NULL) return NULL;
    if (*p == '{' || *p == '[') {
        node->type = *p == '{' ? STANDIN_OBJECT : STANDIN_ARRAY;
        after = members(node, p + 1, *p == '{' ? '}' : ']');
    } else if (*p == '"') {
        node->type = STANDIN_STRING;
        node->valuestring = quoted(p, &after);
        if (node->valuestring == NULL) after = NULL;
    } else {
        char *stop;
        for (int k = 0; k < 3; k++)
            if (!strncmp(p, words[k].name, strlen(words[k].name)))
                node->type = words[k].type, after = p + strlen(words[k].name);
        if (after == NULL) {
            node->type = STANDIN_NUMBER;
            node->valuedouble = strtod(p, &stop);
            node->valueint = (int)node->valuedouble;
            after = stop != p ? stop : NULL;
        }
    }
    if (after == NULL) {
        cJSON_Delete(node);
        return NULL;
    }
    *end = after;
    return node;
}

cJSON *cJSON_Parse(const char *text)
{
    const char *end;
    return value(skip(text), &end);
}

void cJSON_Delete(cJSON *node)
{
    while (node != NULL) {
        cJSON *next = node->next;
        cJSON_Delete(node->child);
        free(node->valuestring);
        free(node->string);
        free(node);
        node = next;
    }
}

cJSON *cJSON_GetObjectItemCaseSensitive(const cJSON *object, const char *key)
{
    cJSON *child = object != NULL ? object->child : NULL;
    while (child != NULL && (child->string == NULL || strcmp(child->string, key) != 0)) child = child->next;
    return child;
}

cJSON *cJSON_GetArrayItem(const cJSON *array, int index)
{
    cJSON *child = array != NULL ? array->child : NULL;
    for (; child != NULL && index > 0; index--) child = child->next;
    return child;
}

int cJSON_GetArraySize(const cJSON *array)
{
    int count = 0;
    for (const cJSON *child = array != NULL ? array->child : NULL; child != NULL; child = child->next) count++;
    return count;
}
