/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/lib/file.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "cli/lib/options.h"
#include "cli/lib/print.h"
#include "run/provenance.h"

static int complain(const char *command, const lg_error *e)
{
    cli_print(stderr, "liegrp %s: %s\n", command, e->message);
    return CLI_WRONG_USE;
}

/* Signals are blocked while a temporary file exists. */
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

/* The provenance of a table, for its sidecar file, to be freed; NULL after an error. */
static char *table_origin(const char *command, const cli_words *words, lg_error *e)
{
    const lg_provenance_caller caller = {(const char *const *)words->argv, words->argc, words->inputs, words->count};
    lg_provenance p;
    lg_provenance_begin(&p, command);
    char *text = lg_provenance_table(&p, LG_FORMAT_CSV, &caller, e) == LG_OK ? lg_provenance_whole(&p, NULL, 0) : NULL;
    if (text == NULL && e->status == LG_OK) lg_status_ignore(lg_fail(e, LG_ERROR_MEMORY, "out of memory"));
    lg_provenance_free(&p);
    return text;
}

static lg_status write_target(const char *file, int holds_text, const char *text,
                              void (*write)(FILE *f, const void *context), const void *context, lg_error *e)
{
    lg_file *f;
    lg_status status = lg_file_open(&f, file, e);
    if (status != LG_OK) return status;
    if (holds_text && !lg_file_is_device(f))
        status = lg_file_companion(f, LG_PROVENANCE_SUFFIX, LG_PROVENANCE_MARK, 0, e);
    if (status == LG_OK) write(lg_file_stream(f), context);
    if (status == LG_OK && text != NULL) lg_file_companion_text(f, text, strlen(text));
    const lg_status closed = lg_file_close(f, status == LG_OK, status == LG_OK ? e : NULL);
    return status == LG_OK ? closed : status;
}

static int write_file(const char *command, const char *file, int holds_text, const char *text,
                      void (*write)(FILE *f, const void *context), const void *context)
{
    lg_error e = {LG_OK, ""};
    sigset_t before;
    const int holds = !lg_file_names_device(file); /* a pipe can wait for ever */
    if (holds) hold_signals(&before);
    const lg_status status = write_target(file, holds_text, text, write, context, &e);
    if (holds) release_signals(&before);
    return status == LG_OK ? CLI_WELL : complain(command, &e);
}

lg_status cli_file_write_view(const char *file, lg_view *view, const char *page)
{
    sigset_t before;
    hold_signals(&before);
    const lg_status status = lg_view_write(view, file, page);
    release_signals(&before);
    return status;
}

int cli_file_write(const char *command, const char *file, void (*write)(FILE *f, const void *context),
                   const void *context)
{
    return write_file(command, file, 0, NULL, write, context);
}

int cli_file_write_table(const char *command, const char *file, const cli_words *words,
                         void (*write)(FILE *f, const void *context), const void *context)
{
    lg_error e = {LG_OK, ""};
    char *text = words != NULL ? table_origin(command, words, &e) : NULL;
    if (e.status != LG_OK) return complain(command, &e);
    const int status = write_file(command, file, 1, text, write, context);
    free(text);
    return status;
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
