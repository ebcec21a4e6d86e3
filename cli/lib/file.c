/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/lib/file.h"

#include <signal.h>
#include <string.h>

#include "base/file.h"
#include "cli/lib/options.h"

static int complain(const char *command, const lg_error *e)
{
    fprintf(stderr, "liegrp %s: %s\n", command, e->message);
    return CLI_WRONG_USE;
}

/* While there is something to be removed, a signal waits. */
static void hold_signals(sigset_t *before)
{
    sigset_t all;
    sigfillset(&all);
    (void)sigprocmask(SIG_BLOCK, &all, before);
}

static void release_signals(const sigset_t *before)
{
    (void)sigprocmask(SIG_SETMASK, before, NULL);
}

int cli_file_possible(const char *command, const char *file)
{
    lg_error e = {LG_OK, ""};
    sigset_t before;
    hold_signals(&before);
    const lg_status status = lg_file_try(file, &e);
    release_signals(&before);
    return status == LG_OK ? CLI_WELL : complain(command, &e);
}

int cli_file_write(const char *command, const char *file, void (*write)(FILE *f, const void *context),
                   const void *context)
{
    lg_error e = {LG_OK, ""};
    lg_file *f;
    sigset_t before;
    lg_status status;
    const int holds = !lg_file_names_device(file); /* a pipe can wait for ever */
    if (holds) hold_signals(&before);
    status = lg_file_open(&f, file, &e);
    if (status == LG_OK) {
        write(lg_file_stream(f), context);
        status = lg_file_close(f, 1, &e);
    }
    if (holds) release_signals(&before);
    return status == LG_OK ? CLI_WELL : complain(command, &e);
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
