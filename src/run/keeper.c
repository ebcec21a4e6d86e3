/* SPDX-License-Identifier: BSD-3-Clause */
#include "run/keeper.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "run/format.h"

/* Of a checkpoint: more than those of another run, which is told what differs. */
static uint64_t most_bytes(const lg_keeper *k)
{
    return LG_FILE_MOST + lg_checkpoint_bytes(&k->kept, k->run);
}

lg_status lg_keeper_begin(lg_keeper *k, const lg_keeper_options *options, double now, int *found, lg_error *e)
{
    void *bytes = NULL;
    size_t size = 0;
    lg_status status;
    *found = 0;
    k->path = options->path;
    k->every = options->every > 0 ? options->every : LG_KEEPER_EVERY;
    k->last = now;
    if (k->path == NULL) return LG_OK;
    status = lg_file_try(k->path, e);
    if (status == LG_OK && lg_file_names_device(k->path))
        status = lg_fail(e, LG_ERROR_IO, "%.160s: a checkpoint needs a file, and this is not one", k->path);
    if (status == LG_OK) status = lg_file_read(k->path, most_bytes(k), &bytes, &size, e);
    if (status == LG_OK && bytes != NULL && !options->resume)
        status = lg_fail(e, LG_ERROR_ARGUMENT,
                         "%.160s: it holds a run that is not finished; go on with it (resume), or remove it", k->path);
    if (status == LG_OK && bytes != NULL) {
        k->kept.function = k->path;
        status = lg_checkpoint_read(&k->kept, k->run, bytes, size, e);
        *found = status == LG_OK;
    }
    free(bytes);
    return status;
}

void lg_keeper_describe(lg_lines *l, int rows, lg_format format)
{
    lg_lines_text(l, "format", !rows ? "none" : lg_format_at((int)format)->name);
    if (rows) lg_lines_text(l, "rows", "by their sum");
}

void lg_keeper_list(lg_tape *t, lg_keeper *k)
{
    static const char wrong[] = "the place of its rows is impossible";
    lg_tape_bytes(t, k->rows.part, sizeof k->rows.part);
    lg_tape_long(t, &k->rows.size, 0, INT64_MAX, wrong);
    lg_tape_long(t, &k->rows.rows, 0, INT64_MAX, wrong);
    lg_tape_bytes(t, &k->rows.sum, sizeof k->rows.sum);
    if (t->reads && memchr(k->rows.part, '\0', sizeof k->rows.part) == NULL) {
        k->rows.part[0] = '\0';
        t->wrong = wrong;
    }
}

int lg_keeper_is_due(const lg_keeper *k, double now)
{
    return k->path != NULL && now - k->last >= k->every;
}

lg_status lg_keeper_write(lg_keeper *k, lg_writer *w, double now, lg_error *e)
{
    lg_file *file = NULL;
    lg_status status = w != NULL ? lg_writer_mark(w, &k->rows, e) : LG_OK;
    if (status != LG_OK) return status;
    const size_t size = lg_checkpoint_bytes(&k->kept, k->run);
    void *bytes = malloc(size);
    if (bytes == NULL) return lg_fail(e, LG_ERROR_MEMORY, "out of memory for a checkpoint");
    lg_checkpoint_write(&k->kept, k->run, bytes);
    status = lg_file_open(&file, k->path, e);
    if (status == LG_OK) {
        (void)fwrite(bytes, 1, size, lg_file_stream(file)); /* closing knows if that failed */
        status = lg_file_close(file, 1, e);
    }
    free(bytes);
    k->last = now;
    return status;
}

void lg_keeper_end(const lg_keeper *k)
{
    if (k->path != NULL) (void)unlink(k->path);
}
