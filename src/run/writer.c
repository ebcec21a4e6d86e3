/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows into files, whatever their format (format.h). */
#include "run/writer.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/message.h"
#include "base/sum.h"

struct lg_writer {
    lg_writer_options o;
    const lg_format_facts *f;
    lg_table t;        /* its `rows` is where the rows go */
    FILE *stream;      /* the end of the way if that is no regular file. What is not CSV then goes to a nameless file
                        * first, since its head tells the number of rows */
    lg_file *target;   /* NULL: the stream is the caller's */
    const char *shown; /* what messages call it */
    int64_t written;   /* bytes of rows */
    char *text;        /* one row */
    int64_t summed;    /* place up to which `sum` goes, for lg_writer_mark() */
    uint64_t sum;
    int complete;
    char *origin; /* the whole provenance, when it is complete */
};

/* 1: the provenance is in a file of its own. */
static int is_beside(const lg_writer *w)
{
    return w->o.beside && w->t.provenance != NULL && w->f->text == NULL;
}

/* Opening --------------------------------------------------------------------------------------------------------- */

/* 1: the format has room for the columns. */
static int fits(const lg_format_facts *f, const lg_table *t)
{
    lg_error refused = {LG_OK, ""};
    if (!f->is_text && t->head - LG_NPY_FIXED > f->head_most) return 0;
    return f->missing == NULL && (f->possible == NULL || f->possible(t, &refused) == LG_OK);
}

/* Names of columns make the head long. numpy.load() refuses more than 10000 bytes unless it is given another
 * max_header_size; the format has room for 65535, also where it only keeps the rows of an HDF5. */
static lg_status check_head(const lg_writer *w, lg_error *error)
{
    char others[64] = "";
    if (w->f->is_text || w->t.head - LG_NPY_FIXED <= w->f->head_most) return LG_OK;
    for (int i = 0; lg_format_at(i) != NULL; i++) {
        const size_t used = strlen(others);
        if (!fits(lg_format_at(i), &w->t)) continue;
        snprintf(others + used, sizeof others - used, "%s%s", used > 0 ? " or " : "", lg_format_at(i)->name);
    }
    return lg_fail(error, LG_ERROR_ARGUMENT,
                   "%.160s: the names of %d columns make the header of a NumPy array %zu bytes long, and %s %zu; take "
                   "%s",
                   w->shown, w->t.columns, w->t.head - LG_NPY_FIXED, w->f->head_why, w->f->head_most, others);
}

static lg_status open_stream(lg_writer *w, FILE *stream, lg_error *error)
{
    w->stream = stream;
    w->t.rows = w->f->is_text ? w->stream : tmpfile();
    return w->t.rows != NULL ? LG_OK : lg_fail_system(error, "a temporary file", errno);
}

/* `from` NULL: a new file. */
static lg_status open_file(lg_writer *w, const lg_writer_place *from, lg_error *error)
{
    lg_status status;
    if (from != NULL) {
        const lg_part_left left = {from->part, (int64_t)w->t.head, from->size, from->sum};
        status = lg_file_reopen(&w->target, w->o.path, &left, error);
        w->summed = from->size;
        w->sum = from->sum;
    } else {
        status = lg_file_open(&w->target, w->o.path, error);
        w->summed = (int64_t)w->t.head;
        w->sum = LG_SUM;
    }
    if (status == LG_OK)
        status = lg_file_companion(w->target, LG_PROVENANCE_SUFFIX, LG_PROVENANCE_MARK, is_beside(w), error);
    if (status != LG_OK) return status;
    if (lg_file_is_device(w->target)) return open_stream(w, lg_file_stream(w->target), error);
    w->t.rows = lg_file_stream(w->target);
    return LG_OK;
}

static void free_writer(lg_writer *w)
{
    free(w->text);
    free(w->origin);
    free(w);
}

/* The head stands there already where the file is one that was left. */
static lg_status begin(lg_writer *w, const lg_writer_place *from, lg_error *error)
{
    const lg_status status = w->f->possible != NULL ? w->f->possible(&w->t, error) : LG_OK;
    if (status != LG_OK) return status;
    if (from != NULL) {
        w->written = from->rows;
        return LG_OK;
    }
    if (w->f->write_head(w->t.rows, &w->t) == 0) return LG_OK;
    return lg_fail_system(error, w->shown, errno);
}

static lg_status make(lg_writer **out, const lg_writer_options *options, const lg_writer_place *from, lg_error *error)
{
    lg_writer *w;
    lg_status status = lg_format_check(options->format, error);
    *out = NULL;
    if (status != LG_OK) return status;
    w = calloc(1, sizeof *w);
    if (w == NULL) return lg_fail(error, LG_ERROR_MEMORY, "out of memory");
    w->o = *options;
    w->f = lg_format_at((int)options->format);
    w->t = (lg_table){
        .names = options->names, .integers = options->integers, .columns = options->columns, .provenance = options->provenance};
    w->shown = options->stream == stdout ? "standard output" : "the stream";
    if (options->stream == NULL) w->shown = options->path;
    if (!w->f->is_text) w->t.head = lg_npy_head_size(&w->t);
    w->text = malloc((size_t)w->t.columns * LG_WRITER_ROOM);
    if (w->text == NULL)
        status = lg_fail(error, LG_ERROR_MEMORY, "out of memory");
    else
        status = check_head(w, error);
    if (status == LG_OK)
        status = options->stream != NULL ? open_stream(w, options->stream, error) : open_file(w, from, error);
    if (status != LG_OK) {
        lg_status_ignore(lg_file_close(w->target, 0, NULL));
        free_writer(w);
        return status;
    }
    status = begin(w, from, error);
    if (status == LG_OK)
        *out = w;
    else
        (void)lg_writer_close(w, 0, NULL);
    return status;
}

lg_status lg_writer_open(lg_writer **out, const lg_writer_options *options, lg_error *error)
{
    return make(out, options, NULL, error);
}

lg_status lg_writer_resume(lg_writer **out, const lg_writer_options *options, const lg_writer_place *from,
                           lg_error *error)
{
    return make(out, options, from, error);
}

lg_status lg_writer_mark(lg_writer *w, lg_writer_place *place, lg_error *error)
{
    const lg_status status = lg_file_save(w->target, error);
    const long at = status == LG_OK ? ftell(w->t.rows) : 0;
    if (status != LG_OK) return status;
    if (at < 0 || lg_part_sum(&w->sum, fileno(w->t.rows), w->summed, at) != 0)
        return lg_fail_system(error, w->shown, errno);
    w->summed = at;
    snprintf(place->part, sizeof place->part, "%s", lg_file_part(w->target));
    place->size = at;
    place->rows = w->written;
    place->sum = w->sum;
    return LG_OK;
}

lg_status lg_writer_leave(lg_writer *w, lg_error *error)
{
    lg_status status;
    if (w == NULL) return LG_OK;
    status = lg_file_leave(w->target, error);
    free_writer(w);
    return status;
}

/* Rows ------------------------------------------------------------------------------------------------------------ */

lg_status lg_writer_bytes(lg_writer *w, const char *bytes, size_t size, lg_error *error)
{
    if (fwrite(bytes, 1, size, w->t.rows) != size) return lg_fail_system(error, w->shown, errno);
    w->written += (int64_t)size;
    return LG_OK;
}

lg_status lg_writer_row(lg_writer *w, const double *row, lg_error *error)
{
    return lg_writer_bytes(w, w->text, (size_t)(w->f->row(w->text, &w->t, row) - w->text), error);
}

/* Closing --------------------------------------------------------------------------------------------------------- */

/* The nameless file into the caller's stream. */
static int copy(FILE *to, FILE *from)
{
    char buffer[8192];
    size_t got;
    rewind(from);
    while ((got = fread(buffer, 1, sizeof buffer, from)) > 0) {
        if (fwrite(buffer, 1, got, to) != got) return -1;
    }
    return ferror(from) ? -1 : 0;
}

void lg_writer_conclude(lg_writer *w, const char *ended, int64_t done)
{
    if (w == NULL) return;
    w->t.ended = ended;
    w->t.done = done;
}

/* The true number of rows into NumPy's head, and everything out of the buffers. */
static int complete_rows(lg_writer *w)
{
    if (!w->f->is_text) {
        w->t.count = w->written / (8 * (int64_t)w->t.columns);
        if (fflush(w->t.rows) != 0 || fseek(w->t.rows, 0, SEEK_SET) != 0 || w->f->write_head(w->t.rows, &w->t) != 0)
            return -1;
    }
    return fflush(w->t.rows) == 0 && !ferror(w->t.rows) ? 0 : -1;
}

/* As tmpfile(), but it has a name as long as it is written: HDF5 asks for that. */
static FILE *create_temporary(char *name)
{
    const int fd = mkstemp(name);
    FILE *f = fd >= 0 ? fdopen(fd, "w+b") : NULL;
    if (f != NULL || fd < 0) return f;
    const int number = errno;
    (void)close(fd);
    (void)unlink(name);
    errno = number;
    return NULL;
}

/* A container of its own, which the rows' file makes way for. */
static lg_status pack_stream(lg_writer *w, lg_error *error)
{
    char name[] = "/tmp/liegrp-XXXXXX";
    FILE *to = create_temporary(name);
    int number = 0;
    if (to == NULL) return lg_fail_system(error, "a temporary file", errno);
    errno = 0;
    if (w->f->pack(to, &w->t) != 0) number = errno != 0 ? errno : EIO;
    (void)unlink(name);
    if (number != 0) {
        (void)fclose(to);
        return lg_fail_system(error, w->shown, number);
    }
    (void)fclose(w->t.rows);
    w->t.rows = to;
    return LG_OK;
}

static lg_status pack_file(lg_writer *w, lg_error *error)
{
    const lg_status status = lg_file_remake(w->target, error);
    if (status != LG_OK) return status;
    errno = 0;
    if (w->f->pack(lg_file_stream(w->target), &w->t) == 0) {
        w->t.rows = lg_file_stream(w->target);
        return LG_OK;
    }
    const int number = errno != 0 ? errno : EIO;
    lg_file_unmake(w->target);
    return lg_fail_system(error, w->shown, number);
}

lg_status lg_writer_complete(lg_writer *w, lg_error *error)
{
    lg_status status = LG_OK;
    if (w == NULL || w->complete) return LG_OK;
    errno = 0;
    if (complete_rows(w) != 0) return lg_fail_system(error, w->shown, errno != 0 ? errno : EIO);
    if (w->t.provenance != NULL) {
        w->t.text = w->origin = lg_provenance_whole(w->t.provenance, w->t.ended, w->t.done);
        if (w->origin == NULL) return lg_fail(error, LG_ERROR_MEMORY, "out of memory");
    }
    if (w->f->pack != NULL) status = w->stream != NULL ? pack_stream(w, error) : pack_file(w, error);
    if (status == LG_OK && w->target != NULL && is_beside(w))
        lg_file_companion_text(w->target, w->origin, strlen(w->origin));
    w->complete = status == LG_OK;
    return status;
}

static int pass_on(lg_writer *w)
{
    if (w->stream == NULL || w->t.rows == w->stream) return 0;
    return copy(w->stream, w->t.rows) != 0 || fflush(w->stream) != 0 ? -1 : 0;
}

lg_status lg_writer_close(lg_writer *w, int keep, lg_error *error)
{
    lg_status status, closed;
    if (w == NULL) return LG_OK;
    status = keep ? lg_writer_complete(w, error) : LG_OK;
    errno = 0;
    if (keep && status == LG_OK && pass_on(w) != 0) status = lg_fail_system(error, w->shown, errno != 0 ? errno : EIO);
    if (w->stream != NULL && w->t.rows != w->stream)
        (void)fclose(w->t.rows); /* nameless: what counts has been copied */
    closed = lg_file_close(w->target, keep && status == LG_OK, status == LG_OK ? error : NULL);
    if (status == LG_OK) status = closed;
    free_writer(w);
    return status;
}
