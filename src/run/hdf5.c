/* SPDX-License-Identifier: BSD-3-Clause */
/* No time is kept of any object, so the same rows make the same bytes. HDF5 prints what fails unless it is told not to;
 * how it prints is a matter of each thread, and put back afterwards. */
#include "run/hdf5.h"

#ifdef LG_WITHOUT_HDF5

#include <errno.h>

/* LCOV_EXCL_BR_STOP */

lg_status lg_hdf5_try(const lg_hdf5_table *t, lg_error *e)
{
    (void)t;
    return lg_format_check(LG_FORMAT_HDF5, e);
}

int lg_hdf5_pack(int to, const lg_hdf5_table *t)
{
    (void)to, (void)t;
    errno = ENOTSUP;
    return -1;
}

char *lg_hdf5_text(const char *path, lg_error *e)
{
    (void)lg_fail(e, LG_ERROR_ARGUMENT, "%.160s: it needs the HDF5 library, and liegrp was built without it", path);
    return NULL;
}

#else

#include <errno.h>
#include <hdf5.h>
#include <stdlib.h>
#include <string.h>

#define ROWS "rows"
#define TEXT "provenance"
enum { CHUNK = 1 << 18, LEVEL = 6 }; /* bytes of a chunk, of the rows as they are; as gzip has it */

typedef struct silence {
    H5E_auto2_t print;
    void *context;
} silence;

static silence be_silent(void)
{
    silence s = {NULL, NULL};
    (void)H5Eget_auto2(H5E_DEFAULT, &s.print, &s.context);
    (void)H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    return s;
}

static void end_silence(const silence *s)
{
    (void)H5Eclear2(H5E_DEFAULT);
    (void)H5Eset_auto2(H5E_DEFAULT, s->print, s->context);
}

/* Ids below 0 are none. */
static int close_id(hid_t id, herr_t (*close)(hid_t))
{
    return id < 0 || close(id) >= 0;
}

/* The table ------------------------------------------------------------------------------------------------------- */

static int is_integer(const lg_hdf5_table *t, int column)
{
    return t->integers != NULL ? t->integers[column] : column == 0;
}

static hid_t row_type(const lg_hdf5_table *t)
{
    const hid_t type = H5Tcreate(H5T_COMPOUND, 8 * (size_t)t->columns);
    for (int i = 0; type >= 0 && i < t->columns; i++) {
        if (H5Tinsert(type, t->names[i], 8 * (size_t)i, is_integer(t, i) ? H5T_STD_I64LE : H5T_IEEE_F64LE) >= 0)
            continue;
        (void)H5Tclose(type);
        return -1;
    }
    return type;
}

static hsize_t rows_per_chunk(const lg_hdf5_table *t)
{
    const hsize_t some = CHUNK / (8 * (hsize_t)t->columns), most = t->count > 0 ? (hsize_t)t->count : 1;
    return some < 1 ? 1 : some < most ? some : most;
}

/* LCOV_EXCL_BR_START: what follows fails where HDF5 itself does, in memory that no test can refuse it */

/* How the dataset lies in the file: in chunks, bytes of the same place side by side, compressed, without a time. */
static hid_t layout(const lg_hdf5_table *t)
{
    const hid_t how = H5Pcreate(H5P_DATASET_CREATE);
    const hsize_t chunk = rows_per_chunk(t);
    const unsigned level = LEVEL; /* mandatory: a chunk that cannot be compressed is an error, not stored as it is */
    if (how >= 0 && H5Pset_chunk(how, 1, &chunk) >= 0 && H5Pset_shuffle(how) >= 0 &&
        H5Pset_filter(how, H5Z_FILTER_DEFLATE, H5Z_FLAG_MANDATORY, 1, &level) >= 0 &&
        H5Pset_obj_track_times(how, 0) >= 0)
        return how;
    (void)close_id(how, H5Pclose);
    return -1;
}

static hid_t create_rows(hid_t file, const lg_hdf5_table *t, hid_t type)
{
    const hsize_t count = (hsize_t)t->count;
    const hid_t space = H5Screate_simple(1, &count, NULL), how = layout(t);
    const hid_t rows = space >= 0 && how >= 0 ? H5Dcreate2(file, ROWS, type, space, H5P_DEFAULT, how, H5P_DEFAULT) : -1;
    (void)close_id(how, H5Pclose);
    (void)close_id(space, H5Sclose);
    return rows;
}

/* `count` rows from row number `at` on. */
static int write_piece(hid_t rows, hid_t type, hsize_t at, hsize_t count, const char *bytes)
{
    const hid_t memory = H5Screate_simple(1, &count, NULL), space = H5Dget_space(rows);
    const int good = memory >= 0 && space >= 0 &&
                     H5Sselect_hyperslab(space, H5S_SELECT_SET, &at, NULL, &count, NULL) >= 0 &&
                     H5Dwrite(rows, type, memory, space, H5P_DEFAULT, bytes) >= 0;
    (void)close_id(space, H5Sclose);
    (void)close_id(memory, H5Sclose);
    return good;
}

/* LCOV_EXCL_BR_STOP */

static int copy_rows(hid_t rows, hid_t type, const lg_hdf5_table *t)
{
    const size_t row = 8 * (size_t)t->columns;
    const hsize_t chunk = rows_per_chunk(t);
    char *bytes = malloc((size_t)chunk * row);
    int good = bytes != NULL && fseeko(t->rows, (off_t)t->head, SEEK_SET) == 0;
    for (hsize_t at = 0; good && at < (hsize_t)t->count; at += chunk) {
        const hsize_t left = (hsize_t)t->count - at, now = left < chunk ? left : chunk;
        good = fread(bytes, row, (size_t)now, t->rows) == (size_t)now && write_piece(rows, type, at, now, bytes);
    }
    free(bytes);
    return good;
}

static int write_table(hid_t file, const lg_hdf5_table *t)
{
    const hid_t type = row_type(t), rows = type >= 0 ? create_rows(file, t, type) : -1;
    int good = rows >= 0 && (t->rows == NULL || copy_rows(rows, type, t));
    if (!close_id(rows, H5Dclose)) good = 0;
    (void)close_id(type, H5Tclose);
    return good;
}

/* Attributes ------------------------------------------------------------------------------------------------------ */

/* LCOV_EXCL_BR_START: as above */

/* A text of any length: it stands in the file's heap, an attribute itself holds no more than 64 kB. */
static hid_t text_type(void)
{
    const hid_t type = H5Tcopy(H5T_C_S1);
    if (type >= 0 && H5Tset_size(type, H5T_VARIABLE) >= 0 && H5Tset_cset(type, H5T_CSET_UTF8) >= 0) return type;
    (void)close_id(type, H5Tclose);
    return -1;
}

static int add_attribute(hid_t file, const char *name, hid_t stored, hid_t given, const void *value)
{
    const hid_t space = H5Screate(H5S_SCALAR);
    const hid_t a = space >= 0 ? H5Acreate2(file, name, stored, space, H5P_DEFAULT, H5P_DEFAULT) : -1;
    int good = a >= 0 && H5Awrite(a, given, value) >= 0;
    if (!close_id(a, H5Aclose)) good = 0;
    (void)close_id(space, H5Sclose);
    return good;
}

static int add_text(hid_t file, const char *name, const char *text)
{
    const hid_t type = text_type();
    const int good = type >= 0 && add_attribute(file, name, type, type, &text);
    (void)close_id(type, H5Tclose);
    return good;
}

/* LCOV_EXCL_BR_STOP */

static int add_fact(hid_t file, const lg_fact *f)
{
    const int64_t whole = (int64_t)f->number;
    if (f->text != NULL) return add_text(file, f->name, f->text);
    if (f->whole) return add_attribute(file, f->name, H5T_STD_I64LE, H5T_NATIVE_INT64, &whole);
    return add_attribute(file, f->name, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, &f->number);
}

static int write_attributes(hid_t file, const lg_hdf5_table *t)
{
    const lg_fact done = {"done", NULL, (double)t->done, 1}, ended = {"ended", t->ended, 0, 0};
    int good = 1;
    if (t->provenance == NULL) return 1;
    for (int i = 0; good && i < t->provenance->facts; i++) good = add_fact(file, &t->provenance->fact[i]);
    good = good && add_fact(file, &done) && (t->ended == NULL || add_fact(file, &ended));
    return good && add_text(file, TEXT, t->text);
}

/* Files ----------------------------------------------------------------------------------------------------------- */

/* LCOV_EXCL_BR_START: as above */

/* memory = 1: a file that is never written. */
static hid_t access_list(int memory)
{
    const hid_t how = H5Pcreate(H5P_FILE_ACCESS);
#if H5_VERSION_GE(1, 10, 7) /* not where file systems have no locks; the target has one of its own (base/file.h) */
    if (how >= 0) (void)H5Pset_file_locking(how, 0, 1);
#endif
    if (how >= 0 && H5Pset_libver_bounds(how, H5F_LIBVER_V18, H5F_LIBVER_V18) >= 0 &&
        (!memory || H5Pset_fapl_core(how, 1 << 16, 0) >= 0))
        return how;
    (void)close_id(how, H5Pclose);
    return -1;
}

static hid_t create_file(const char *name, int memory)
{
    const hid_t how = access_list(memory), what = H5Pcreate(H5P_FILE_CREATE);
    const hid_t file =
        how >= 0 && what >= 0 && H5Pset_obj_track_times(what, 0) >= 0 ? H5Fcreate(name, H5F_ACC_TRUNC, what, how) : -1;
    (void)close_id(what, H5Pclose);
    (void)close_id(how, H5Pclose);
    return file;
}

/* LCOV_EXCL_BR_STOP */

lg_status lg_hdf5_try(const lg_hdf5_table *t, lg_error *e)
{
    const silence s = be_silent();
    lg_hdf5_table empty = *t;
    const hid_t file = create_file("liegrp", 1);
    empty.rows = NULL;
    empty.count = 0;
    const int good = file >= 0 && write_table(file, &empty);
    (void)close_id(file, H5Fclose);
    end_silence(&s);
    if (file < 0) return lg_fail(e, LG_ERROR_MEMORY, "out of memory for an HDF5 file");
    if (good) return LG_OK;
    return lg_fail(e, LG_ERROR_ARGUMENT,
                   "%d columns are more than the head of an HDF5 table has room for, or out of memory; take csv",
                   t->columns);
}

int lg_hdf5_pack(int to, const lg_hdf5_table *t)
{
    const silence s = be_silent();
    char name[64];
    int good, number;
    snprintf(name, sizeof name, "/proc/self/fd/%d", to);
    errno = 0;
    const hid_t file = create_file(name, 0);
    good = file >= 0 && write_table(file, t) && write_attributes(file, t);
    number = errno;
    if (!close_id(file, H5Fclose)) {
        if (good) number = errno;
        good = 0;
    }
    end_silence(&s);
    errno = number != 0 ? number : EIO;
    return good ? 0 : -1;
}

static char *read_text(hid_t file)
{
    const hid_t a = H5Aopen(file, TEXT, H5P_DEFAULT), type = text_type(), stored = a >= 0 ? H5Aget_type(a) : -1;
    const hid_t space = a >= 0 ? H5Aget_space(a) : -1;
    char *text = NULL, *own = NULL;
    if (type >= 0 && stored >= 0 && space >= 0 && H5Tis_variable_str(stored) > 0 &&
        H5Sget_simple_extent_npoints(space) == 1 && H5Aread(a, type, &text) >= 0 && text != NULL) {
        own = strdup(text);
        (void)H5free_memory(text);
    }
    (void)close_id(space, H5Sclose);
    (void)close_id(stored, H5Tclose);
    (void)close_id(type, H5Tclose);
    (void)close_id(a, H5Aclose);
    return own;
}

char *lg_hdf5_text(const char *path, lg_error *e)
{
    const silence s = be_silent();
    errno = 0;
    const hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
    char *text = file >= 0 ? read_text(file) : NULL;
    const int number = errno;
    (void)close_id(file, H5Fclose);
    end_silence(&s);
    if (text == NULL && number == ENOMEM)
        (void)lg_fail_system(e, path, number);
    else if (text == NULL)
        (void)lg_fail(e, LG_ERROR_ARGUMENT, "%.160s: %s", path,
                      file >= 0 ? "it has no attribute " TEXT : "it is damaged, or no HDF5 file");
    return text;
}

#endif
