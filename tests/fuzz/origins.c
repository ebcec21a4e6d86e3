/* SPDX-License-Identifier: BSD-3-Clause */
/* Whatever --from reads: the first byte chooses between an archive and a text in JSON. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/lib/origin.h"
#include "fuzz.h"
#include "run/format.h"

static void read_archive(const uint8_t *data, size_t size)
{
    char *bytes = malloc(size + 1);
    if (bytes == NULL) abort();
    memcpy(bytes, data, size);
    FILE *f = fmemopen(bytes, size, "rb");
    free(f != NULL ? lg_npz.text(f, "archive", NULL) : NULL);
    if (f != NULL) (void)fclose(f);
    free(bytes);
}

static void read_json(const char *text)
{
    char why[1024];
    int count = 0;
    void *json = cli_origin_parse("run", "text", text);
    if (json == NULL) return;
    (void)cli_origin_differs(json, "run", "text", why, sizeof why);
    for (int i = 0; i < 8 && cli_origin_input(json, i) != NULL; i++) continue;
    char **words = cli_origin_words(json, "text", &count, why, sizeof why);
    for (int i = 0; words != NULL && i < count; i++) {
        fuzz_require(words[i] != NULL, "a word is missing", text);
        free(words[i]);
    }
    free(words);
    (void)cli_origin_format(json);
    (void)cli_origin_compare(json, "text", text, why, sizeof why);
    cli_origin_forget(json);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 2) return 0;
    if (data[0] & 1) {
        read_archive(data + 1, size - 1);
    } else {
        const fuzz_bytes b = {data + 1, size - 1, 0};
        char *text = fuzz_text(&b);
        read_json(text);
        free(text);
    }
    return 0;
}
