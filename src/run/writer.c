/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows into files. NumPy's format 1.0: https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html */
#include "run/writer.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/decimal.h"
#include "base/file.h"
#include "base/message.h"
#include "base/sum.h"
#include "base/text.h"
#include "run/hdf5.h"
#include "run/npz.h"

struct lg_writer {
    lg_writer_options o;
    FILE *file;        /* where the rows go */
    FILE *stream;      /* the end of the way if that is no regular file. What is not CSV then goes to a nameless file
                        * first, since its head tells the number of rows */
    lg_file *target;   /* NULL: the stream is the caller's */
    const char *shown; /* what messages call it */
    int64_t written;   /* bytes of rows */
    char *text;        /* one row */
    size_t head;       /* bytes of NumPy's head */
    int64_t summed;    /* place up to which `sum` goes, for lg_writer_mark() */
    uint64_t sum;
    const char *ended;
    int64_t done;
    int complete;
    char *origin; /* the whole provenance, when it is complete */
};

static int is_integer(const char *integers, int column)
{
    return integers != NULL ? integers[column] : column == 0;
}

static int is_text(lg_format format)
{
    return format == LG_FORMAT_CSV;
}

static int is_container(lg_format format)
{
    return format == LG_FORMAT_NPZ || format == LG_FORMAT_HDF5;
}

/* 1: the provenance stands in a file of its own. */
static int is_beside(const lg_writer_options *o)
{
    return o->beside && o->provenance != NULL && !is_container(o->format);
}

/* The head -------------------------------------------------------------------------------------------------------- */

static int write_csv_head(const lg_writer *w)
{
    if (w->o.names == NULL) return 0;
    for (int i = 0; i < w->o.columns; i++) {
        if (i > 0) fputc(',', w->file);
        if (lg_text_csv(w->file, w->o.names[i]) < 0) return -1;
    }
    return fputc('\n', w->file) == EOF ? -1 : 0;
}

/* ('NAME', '<f8'), of NumPy's dictionary. */
static int npy_field(const lg_writer *w, char *text, size_t room, int i)
{
    const int begun = snprintf(text, room, "%s(", i > 0 ? ", " : "");
    const size_t at = (size_t)begun < room ? (size_t)begun : room;
    const int named = begun + lg_text_python(text + at, room - at, w->o.names[i]);
    const size_t end = (size_t)named < room ? (size_t)named : room;
    return named + snprintf(text + end, room - end, ", '%s')", is_integer(w->o.integers, i) ? "<i8" : "<f8");
}

/* NumPy's dictionary, with room for any number of rows; returns its length, or what it would be. */
static size_t npy_dictionary(const lg_writer *w, char *text, size_t room)
{
    size_t used = 0;
    for (int i = -1; i <= w->o.columns; i++) {
        char *at = text + (used < room ? used : room);
        const size_t left = used < room ? room - used : 0;
        int wrote;
        if (i < 0) {
            wrote = snprintf(at, left, "{'descr': [");
        } else if (i < w->o.columns) {
            wrote = npy_field(w, at, left, i);
        } else {
            wrote = snprintf(at, left, "], 'fortran_order': False, 'shape': (%" PRId64 ",), }",
                             w->written / (8 * (int64_t)w->o.columns));
        }
        if (wrote > 0) used += (size_t)wrote;
    }
    return used;
}

enum { NPY_FIXED = 10 }; /* bytes of a head before the dictionary */

/* Bytes of the head: magic, version 1.0, length, dictionary, blanks up to a multiple of 64, newline. It leaves room for
 * the longest number of rows, so that it can be written again over itself. */
static size_t npy_head_size(const lg_writer *w)
{
    const size_t spare = 20;
    char nothing;
    return (NPY_FIXED + npy_dictionary(w, &nothing, 0) + spare + 1 + 63) / 64 * 64;
}

static int write_npy_head(lg_writer *w)
{
    const size_t body = w->head - NPY_FIXED;
    char nothing, *head;
    const size_t need = npy_dictionary(w, &nothing, 0);
    int failed;
    head = malloc(w->head + 1);
    if (head == NULL) return -1;
    memcpy(head, "\x93NUMPY\x01\x00", 8);
    head[8] = (char)(body & 255);
    head[9] = (char)(body >> 8);
    npy_dictionary(w, head + NPY_FIXED, body + 1);
    memset(head + NPY_FIXED + need, ' ', body - need);
    head[w->head - 1] = '\n';
    failed = fwrite(head, 1, w->head, w->file) != w->head;
    free(head);
    return failed ? -1 : 0;
}

/* Opening --------------------------------------------------------------------------------------------------------- */

static lg_hdf5_table table_of(const lg_writer *w)
{
    return (lg_hdf5_table){.rows = w->file,
                           .head = w->head,
                           .count = w->written / (8 * (int64_t)w->o.columns),
                           .names = w->o.names,
                           .integers = w->o.integers,
                           .columns = w->o.columns,
                           .provenance = w->o.provenance,
                           .text = w->origin,
                           .ended = w->ended,
                           .done = w->done};
}

/* Names of columns make the head long. numpy.load() refuses more than 10000 bytes unless it is given another
 * max_header_size; the format has room for 65535, also where it only keeps the rows of an HDF5. */
static lg_status check_head(const lg_writer *w, lg_error *error)
{
    const int own = w->o.format != LG_FORMAT_HDF5;
    const size_t most = own ? 10000 : 65535, body = is_text(w->o.format) ? 0 : w->head - NPY_FIXED;
    const lg_hdf5_table table = table_of(w);
    lg_error refused = {LG_OK, ""};
    if (body <= most) return LG_OK;
    return lg_fail(error, LG_ERROR_ARGUMENT,
                   "%.160s: the names of %d columns make the header of a NumPy array %zu bytes long, and %s %zu; take "
                   "csv%s",
                   w->shown, w->o.columns, body, own ? "numpy.load() reads at most" : "it has room for at most", most,
                   own && lg_hdf5_try(&table, &refused) == LG_OK ? " or hdf5" : "");
}

static lg_status open_stream(lg_writer *w, FILE *stream, lg_error *error)
{
    w->stream = stream;
    w->file = is_text(w->o.format) ? w->stream : tmpfile();
    return w->file != NULL ? LG_OK : lg_fail_system(error, "a temporary file", errno);
}

/* `from` NULL: a new file. */
static lg_status open_file(lg_writer *w, const lg_writer_place *from, lg_error *error)
{
    lg_status status;
    if (from != NULL) {
        const lg_part_left left = {from->part, (int64_t)w->head, from->size, from->sum};
        status = lg_file_reopen(&w->target, w->o.path, &left, error);
        w->summed = from->size;
        w->sum = from->sum;
    } else {
        status = lg_file_open(&w->target, w->o.path, error);
        w->summed = (int64_t)w->head;
        w->sum = LG_SUM;
    }
    if (status == LG_OK)
        status = lg_file_companion(w->target, LG_PROVENANCE_SUFFIX, LG_PROVENANCE_MARK, is_beside(&w->o), error);
    if (status != LG_OK) return status;
    if (lg_file_is_device(w->target)) return open_stream(w, lg_file_stream(w->target), error);
    w->file = lg_file_stream(w->target);
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
    if (w->o.format == LG_FORMAT_HDF5) {
        const lg_hdf5_table table = table_of(w);
        const lg_status status = lg_hdf5_try(&table, error);
        if (status != LG_OK) return status;
    }
    if (from != NULL) {
        w->written = from->rows;
        return LG_OK;
    }
    if ((is_text(w->o.format) ? write_csv_head(w) : write_npy_head(w)) == 0) return LG_OK;
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
    w->shown = options->stream == stdout ? "standard output" : "the stream";
    if (options->stream == NULL) w->shown = options->path;
    if (!is_text(w->o.format)) w->head = npy_head_size(w);
    w->text = malloc((size_t)w->o.columns * LG_WRITER_ROOM);
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
    const long at = status == LG_OK ? ftell(w->file) : 0;
    if (status != LG_OK) return status;
    if (at < 0 || lg_part_sum(&w->sum, fileno(w->file), w->summed, at) != 0)
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

/* %.17g whatever the locale's decimal point; NaN without sign. */
static char *put_number(char *to, double value)
{
    if (value == 0 && !signbit(value)) {
        *to = '0';
        return to + 1;
    }
    if (isnan(value)) return (char *)memcpy(to, "nan", 3) + 3;
    return lg_decimal_normalise(to, to + snprintf(to, LG_WRITER_ROOM, "%.17g", value));
}

static char *put_csv(char *to, const char *integers, int columns, const double *row)
{
    for (int i = 0; i < columns; i++) {
        if (i > 0) *to++ = ',';
        if (is_integer(integers, i))
            to += snprintf(to, LG_WRITER_ROOM, "%" PRId64, (int64_t)row[i]);
        else
            to = put_number(to, row[i]);
    }
    *to++ = '\n';
    return to;
}

static char *put_npy(char *to, const char *integers, int columns, const double *row)
{
    for (int i = 0; i < columns; i++) {
        const int64_t whole = is_integer(integers, i) ? (int64_t)row[i] : 0;
        uint64_t bits;
        memcpy(&bits, is_integer(integers, i) ? (const void *)&whole : (const void *)&row[i], sizeof bits);
        for (int k = 0; k < 8; k++) *to++ = (char)(unsigned char)(bits >> (8 * k)); /* little-endian everywhere */
    }
    return to;
}

size_t lg_writer_format(char *text, lg_format format, const char *integers, int columns, const double *row)
{
    char *end = is_text(format) ? put_csv(text, integers, columns, row) : put_npy(text, integers, columns, row);
    return (size_t)(end - text);
}

lg_status lg_writer_bytes(lg_writer *w, const char *bytes, size_t size, lg_error *error)
{
    if (fwrite(bytes, 1, size, w->file) != size) return lg_fail_system(error, w->shown, errno);
    w->written += (int64_t)size;
    return LG_OK;
}

lg_status lg_writer_row(lg_writer *w, const double *row, lg_error *error)
{
    return lg_writer_bytes(w, w->text, lg_writer_format(w->text, w->o.format, w->o.integers, w->o.columns, row), error);
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
    w->ended = ended;
    w->done = done;
}

/* The true number of rows into NumPy's head, and everything out of the buffers. */
static int complete_rows(lg_writer *w)
{
    if (!is_text(w->o.format)) {
        if (fflush(w->file) != 0 || fseek(w->file, 0, SEEK_SET) != 0 || write_npy_head(w) != 0) return -1;
    }
    return fflush(w->file) == 0 && !ferror(w->file) ? 0 : -1;
}

/* The rows, where they are now, into a container. */
static int pack(const lg_writer *w, FILE *to)
{
    const lg_hdf5_table table = table_of(w);
    if (w->o.format == LG_FORMAT_NPZ) return lg_npz_pack(to, w->file, w->origin);
    return lg_hdf5_pack(fileno(to), &table);
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
    if (pack(w, to) != 0) number = errno != 0 ? errno : EIO;
    (void)unlink(name);
    if (number != 0) {
        (void)fclose(to);
        return lg_fail_system(error, w->shown, number);
    }
    (void)fclose(w->file);
    w->file = to;
    return LG_OK;
}

static lg_status pack_file(lg_writer *w, lg_error *error)
{
    const lg_status status = lg_file_remake(w->target, error);
    if (status != LG_OK) return status;
    errno = 0;
    if (pack(w, lg_file_stream(w->target)) == 0) {
        w->file = lg_file_stream(w->target);
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
    if (w->o.provenance != NULL) {
        w->origin = lg_provenance_whole(w->o.provenance, w->ended, w->done);
        if (w->origin == NULL) return lg_fail(error, LG_ERROR_MEMORY, "out of memory");
    }
    if (is_container(w->o.format)) status = w->stream != NULL ? pack_stream(w, error) : pack_file(w, error);
    if (status == LG_OK && w->target != NULL && is_beside(&w->o))
        lg_file_companion_text(w->target, w->origin, strlen(w->origin));
    w->complete = status == LG_OK;
    return status;
}

static int pass_on(lg_writer *w)
{
    if (w->stream == NULL || w->file == w->stream) return 0;
    return copy(w->stream, w->file) != 0 || fflush(w->stream) != 0 ? -1 : 0;
}

lg_status lg_writer_close(lg_writer *w, int keep, lg_error *error)
{
    lg_status status, closed;
    if (w == NULL) return LG_OK;
    status = keep ? lg_writer_complete(w, error) : LG_OK;
    errno = 0;
    if (keep && status == LG_OK && pass_on(w) != 0) status = lg_fail_system(error, w->shown, errno != 0 ? errno : EIO);
    if (w->stream != NULL && w->file != w->stream) (void)fclose(w->file); /* nameless: what counts has been copied */
    closed = lg_file_close(w->target, keep && status == LG_OK, status == LG_OK ? error : NULL);
    if (status == LG_OK) status = closed;
    free_writer(w);
    return status;
}
