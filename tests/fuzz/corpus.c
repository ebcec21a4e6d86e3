/* SPDX-License-Identifier: BSD-3-Clause */
/* Calls a target once for every file of a folder, without the fuzzer: so the target keeps working, and errors that were
 * found once stay found. The output of the target is discarded, unless it ends the program. */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"

static uint8_t *read_whole(const char *path, size_t *size)
{
    FILE *f = fopen(path, "rb");
    uint8_t *data = NULL;
    *size = 0;
    if (f == NULL) return NULL;
    for (size_t room = 4096, got = 1; got > 0; room *= 2) {
        data = realloc(data, room);
        got = data != NULL ? fread(data + *size, 1, room - *size, f) : 0;
        *size += got;
    }
    (void)fclose(f);
    uint8_t *exact = data != NULL ? malloc(*size > 0 ? *size : 1) : NULL; /* so that a byte too far is seen */
    if (exact != NULL && *size > 0) memcpy(exact, data, *size);
    free(data);
    return exact;
}

static int call(const char *path)
{
    size_t size;
    uint8_t *data = read_whole(path, &size);
    if (data == NULL) return -1;
    for (fuzz_all = 0; fuzz_all < 2; fuzz_all++) (void)LLVMFuzzerTestOneInput(data, size);
    free(data);
    return 0;
}

int main(int argc, char **argv)
{
    struct dirent **file;
    char path[4096];
    if (argc != 2) return 2;
    const int count = scandir(argv[1], &file, NULL, alphasort);
    int inputs = 0, failed = count < 0;
    for (int i = 0; i < count; i++) {
        if (file[i]->d_name[0] != '.') {
            (void)snprintf(path, sizeof path, "%s/%s", argv[1], file[i]->d_name);
            failed |= call(path) != 0;
            inputs++;
        }
        free(file[i]);
    }
    if (count >= 0) free(file);
    if (inputs == 0 || failed) {
        fprintf(stderr, "%s: %s: the inputs cannot be read\n", argv[0], argv[1]);
        return 1;
    }
    fprintf(stderr, "%d inputs\n", inputs);
    return 0;
}
