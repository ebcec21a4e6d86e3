/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/lib/file.h"

#include <string.h>

#include "base/file.h"
#include "cli/lib/options.h"

static int complain(const char *command, const lg_error *e)
{
    fprintf(stderr, "liegrp %s: %s\n", command, e->message);
    return CLI_WRONG_USE;
}

int cli_file_possible(const char *command, const char *file)
{
    lg_error e = {LG_OK, ""};
    return lg_file_try(file, &e) == LG_OK ? CLI_WELL : complain(command, &e);
}

int cli_file_write(const char *command, const char *file, void (*write)(FILE *f, const void *context),
                   const void *context)
{
    lg_error e = {LG_OK, ""};
    lg_file *f;
    if (lg_file_open(&f, file, &e) != LG_OK) return complain(command, &e);
    write(lg_file_stream(f), context);
    return lg_file_close(f, 1, &e) == LG_OK ? CLI_WELL : complain(command, &e);
}

int cli_files_differ(const char *command, const cli_named_file *files, int count)
{
    static const cli_named_file streams[] = {{"standard output", "/dev/stdout"}, {"standard error", "/dev/stderr"}};
    for (int i = 0; i < count; i++) {
        const char *mine = files[i].file;
        if (mine == NULL || strcmp(mine, "-") == 0 || strcmp(mine, "/dev/stdout") == 0) continue;
        for (int k = 0; k < i + 2; k++) {
            const cli_named_file *other = k < 2 ? &streams[k] : &files[k - 2];
            if (other->file == NULL || !lg_file_same(mine, other->file)) continue;
            return cli_wrong(command, "%s %s and %s are the same file%s%s; each needs its own", files[i].option, mine,
                             other->option, k < 2 ? "" : ", ", k < 2 ? "" : other->file);
        }
    }
    return CLI_WELL;
}
