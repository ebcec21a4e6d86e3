/* SPDX-License-Identifier: BSD-3-Clause */
#include "reference.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "suite.h"

#ifndef LG_TEST_DATA
#define LG_TEST_DATA "tests/data"
#endif
#ifndef LG_SHARED_DATA
#define LG_SHARED_DATA "data"
#endif

static cJSON *load_from(const char *folder, const char *name)
{
    char path[1024];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *f = fopen(path, "rb");
    if (f == NULL) suite_fail("cannot open %s", path);
    fseek(f, 0, SEEK_END);
    long size = ftell(f);
    rewind(f);
    char *text = malloc((size_t)size + 1);
    size_t got = text != NULL ? fread(text, 1, (size_t)size, f) : 0;
    fclose(f);
    if (text == NULL || got != (size_t)size) suite_fail("cannot read %s", path);
    text[size] = '\0';
    cJSON *root = cJSON_Parse(text);
    free(text);
    if (root == NULL) suite_fail("%s is not JSON", path);
    return root;
}

cJSON *ref_load(const char *name)
{
    return load_from(LG_TEST_DATA, name);
}

cJSON *ref_load_shared(const char *name)
{
    return load_from(LG_SHARED_DATA, name);
}

const cJSON *ref_get(const cJSON *node, const char *key)
{
    const cJSON *child = cJSON_GetObjectItemCaseSensitive(node, key);
    if (child == NULL) suite_fail("reference: no member '%s'", key);
    return child;
}

double ref_number(const cJSON *node)
{
    if (cJSON_IsNumber(node)) return node->valuedouble;
    if (!cJSON_IsString(node)) suite_fail("reference: a number was expected");
    char *end = NULL;
    double x = strtod(node->valuestring, &end);
    if (end == node->valuestring || *end != '\0') suite_fail("reference: '%s' is no number", node->valuestring);
    return x;
}

int ref_numbers(double *out, int capacity, const cJSON *node)
{
    if (!cJSON_IsArray(node)) {
        if (capacity < 1) suite_fail("reference: more numbers than expected");
        *out = ref_number(node);
        return 1;
    }
    int count = 0;
    for (const cJSON *child = node->child; child != NULL; child = child->next) {
        count += ref_numbers(out + count, capacity - count, child);
    }
    return count;
}

void ref_exactly(double *out, int n, const cJSON *node, const char *key)
{
    int got = ref_numbers(out, n, ref_get(node, key));
    if (got != n) suite_fail("reference: '%s' holds %d numbers instead of %d", key, got, n);
}

void ref_near(const char *what, const double *got, const cJSON *node, const char *key, int n, double tolerance)
{
    double want[SUITE_DIM], scale = 1;
    ref_exactly(want, n, node, key);
    for (int i = 0; i < n; i++) scale = fmax(scale, fabs(want[i]));
    suite_near(what, got, want, n, tolerance, scale);
}
