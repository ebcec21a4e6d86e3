/* SPDX-License-Identifier: BSD-3-Clause */
/* No time is kept of any object, so the same rows make the same bytes. HDF5 prints what fails unless it is told not to;
 * how it prints is a matter of each thread, and put back afterwards. */
#include "run/format.h"

#ifdef LG_WITHOUT_HDF5

/* LCOV_EXCL_BR_STOP */

static char *text_of(FILE *from, const char *path, lg_error *e)
{
    (void)from;
    (void)lg_fail(e, LG_ERROR_ARGUMENT, "%.160s: it needs the HDF5 library, and liegrp was built without it", path);
    return NULL;
}

#define CAN                                                                                                            \
    .missing = "hdf5 files are written by the HDF5 library, and liegrp was built without it: install it "              \
               "(Debian: libhdf5-dev), configure with -Dhdf5=enabled; or take npz or npy"

#else

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "run/hdf5_library.h"

#define ROWS "rows"
#define TEXT "provenance"
enum { CHUNK = 1 << 18, LEVEL = 6 }; /* bytes of a chunk, of the rows as they are; as gzip has it */

typedef struct silence {
    H5E_auto2_t print;
    void *context;
} silence;

static silence be_silent(const lg_hdf5_library *h5)
{
    silence s = {NULL, NULL};
    (void)h5->Eget_auto2(H5E_DEFAULT, &s.print, &s.context);
    (void)h5->Eset_auto2(H5E_DEFAULT, NULL, NULL);
    return s;
}

static void end_silence(const lg_hdf5_library *h5, const silence *s)
{
    (void)h5->Eclear2(H5E_DEFAULT);
    (void)h5->Eset_auto2(H5E_DEFAULT, s->print, s->context);
}

/* Ids below 0 are invalid. */
static int close_id(hid_t id, herr_t (*close)(hid_t))
{
    return id < 0 || close(id) >= 0;
}

/* The table ------------------------------------------------------------------------------------------------------- */

static hid_t row_type(const lg_hdf5_library *h5, const lg_table *t)
{
    const hid_t type = h5->Tcreate(H5T_COMPOUND, 8 * (size_t)t->columns);
    for (int i = 0; type >= 0 && i < t->columns; i++) {
        if (h5->Tinsert(type, t->names[i], 8 * (size_t)i,
                        lg_table_is_integer(t, i) ? *h5->T_STD_I64LE_g : *h5->T_IEEE_F64LE_g) >= 0)
            continue;
        (void)h5->Tclose(type);
        return -1;
    }
    return type;
}

static hsize_t rows_per_chunk(const lg_table *t)
{
    const hsize_t some = CHUNK / (8 * (hsize_t)t->columns), most = t->count > 0 ? (hsize_t)t->count : 1;
    return some < 1 ? 1 : some < most ? some : most;
}

/* LCOV_EXCL_BR_START: what follows fails where HDF5 itself does, in memory that no test can refuse it */

/* How the dataset lies in the file: in chunks, bytes of the same place side by side, compressed, without a time. */
static hid_t layout(const lg_hdf5_library *h5, const lg_table *t)
{
    const hid_t how = h5->Pcreate(*h5->P_CLS_DATASET_CREATE_ID_g);
    const hsize_t chunk = rows_per_chunk(t);
    const unsigned level = LEVEL; /* mandatory: a chunk that cannot be compressed is an error, not stored as it is */
    if (how >= 0 && h5->Pset_chunk(how, 1, &chunk) >= 0 && h5->Pset_shuffle(how) >= 0 &&
        h5->Pset_filter(how, H5Z_FILTER_DEFLATE, H5Z_FLAG_MANDATORY, 1, &level) >= 0 &&
        h5->Pset_obj_track_times(how, 0) >= 0)
        return how;
    (void)close_id(how, h5->Pclose);
    return -1;
}

static hid_t create_rows(const lg_hdf5_library *h5, hid_t file, const lg_table *t, hid_t type)
{
    const hsize_t count = (hsize_t)t->count;
    const hid_t space = h5->Screate_simple(1, &count, NULL), how = layout(h5, t);
    const hid_t rows =
        space >= 0 && how >= 0 ? h5->Dcreate2(file, ROWS, type, space, H5P_DEFAULT, how, H5P_DEFAULT) : -1;
    (void)close_id(how, h5->Pclose);
    (void)close_id(space, h5->Sclose);
    return rows;
}

/* `count` rows from row number `at` on. */
static int write_piece(const lg_hdf5_library *h5, hid_t rows, hid_t type, hsize_t at, hsize_t count, const char *bytes)
{
    const hid_t memory = h5->Screate_simple(1, &count, NULL), space = h5->Dget_space(rows);
    const int good = memory >= 0 && space >= 0 &&
                     h5->Sselect_hyperslab(space, H5S_SELECT_SET, &at, NULL, &count, NULL) >= 0 &&
                     h5->Dwrite(rows, type, memory, space, H5P_DEFAULT, bytes) >= 0;
    (void)close_id(space, h5->Sclose);
    (void)close_id(memory, h5->Sclose);
    return good;
}

/* LCOV_EXCL_BR_STOP */

static int copy_rows(const lg_hdf5_library *h5, hid_t rows, hid_t type, const lg_table *t)
{
    const size_t row = 8 * (size_t)t->columns;
    const hsize_t chunk = rows_per_chunk(t);
    char *bytes = malloc((size_t)chunk * row);
    int good = bytes != NULL && fseeko(t->rows, (off_t)t->head, SEEK_SET) == 0;
    for (hsize_t at = 0; good && at < (hsize_t)t->count; at += chunk) {
        const hsize_t left = (hsize_t)t->count - at, now = left < chunk ? left : chunk;
        good = fread(bytes, row, (size_t)now, t->rows) == (size_t)now && write_piece(h5, rows, type, at, now, bytes);
    }
    free(bytes);
    return good;
}

static int write_table(const lg_hdf5_library *h5, hid_t file, const lg_table *t)
{
    const hid_t type = row_type(h5, t), rows = type >= 0 ? create_rows(h5, file, t, type) : -1;
    int good = rows >= 0 && (t->rows == NULL || copy_rows(h5, rows, type, t));
    if (!close_id(rows, h5->Dclose)) good = 0;
    (void)close_id(type, h5->Tclose);
    return good;
}

/* Attributes ------------------------------------------------------------------------------------------------------ */

/* LCOV_EXCL_BR_START: as above */

/* A text of any length: it is in the file's heap, an attribute itself holds no more than 64 kB. */
static hid_t text_type(const lg_hdf5_library *h5)
{
    const hid_t type = h5->Tcopy(*h5->T_C_S1_g);
    if (type >= 0 && h5->Tset_size(type, H5T_VARIABLE) >= 0 && h5->Tset_cset(type, H5T_CSET_UTF8) >= 0) return type;
    (void)close_id(type, h5->Tclose);
    return -1;
}

static int add_attribute(const lg_hdf5_library *h5, hid_t file, const char *name, hid_t stored, hid_t given,
                         const void *value)
{
    const hid_t space = h5->Screate(H5S_SCALAR);
    const hid_t a = space >= 0 ? h5->Acreate2(file, name, stored, space, H5P_DEFAULT, H5P_DEFAULT) : -1;
    int good = a >= 0 && h5->Awrite(a, given, value) >= 0;
    if (!close_id(a, h5->Aclose)) good = 0;
    (void)close_id(space, h5->Sclose);
    return good;
}

static int add_text(const lg_hdf5_library *h5, hid_t file, const char *name, const char *text)
{
    const hid_t type = text_type(h5);
    const int good = type >= 0 && add_attribute(h5, file, name, type, type, &text);
    (void)close_id(type, h5->Tclose);
    return good;
}

/* LCOV_EXCL_BR_STOP */

static int add_fact(const lg_hdf5_library *h5, hid_t file, const lg_fact *f)
{
    const int64_t whole = (int64_t)f->number;
    if (f->text != NULL) return add_text(h5, file, f->name, f->text);
    if (f->whole) return add_attribute(h5, file, f->name, *h5->T_STD_I64LE_g, *h5->T_NATIVE_INT64_g, &whole);
    return add_attribute(h5, file, f->name, *h5->T_IEEE_F64LE_g, *h5->T_NATIVE_DOUBLE_g, &f->number);
}

static int write_attributes(const lg_hdf5_library *h5, hid_t file, const lg_table *t)
{
    const lg_fact done = {"done", NULL, (double)t->done, 1}, ended = {"ended", t->ended, 0, 0};
    int good = 1;
    if (t->provenance == NULL) return 1;
    for (int i = 0; good && i < t->provenance->facts; i++) good = add_fact(h5, file, &t->provenance->fact[i]);
    good = good && add_fact(h5, file, &done) && (t->ended == NULL || add_fact(h5, file, &ended));
    return good && add_text(h5, file, TEXT, t->text);
}

/* Files ----------------------------------------------------------------------------------------------------------- */

/* LCOV_EXCL_BR_START: as above */

/* memory = 1: a file that is never written. */
static hid_t access_list(const lg_hdf5_library *h5, int memory)
{
    const hid_t how = h5->Pcreate(*h5->P_CLS_FILE_ACCESS_ID_g);
#if H5_VERSION_GE(1, 10, 7) /* not where file systems have no locks; the target has one of its own (base/file.h) */
    if (how >= 0) (void)h5->Pset_file_locking(how, 0, 1);
#endif
    if (how >= 0 && h5->Pset_libver_bounds(how, H5F_LIBVER_V18, H5F_LIBVER_V18) >= 0 &&
        (!memory || h5->Pset_fapl_core(how, 1 << 16, 0) >= 0))
        return how;
    (void)close_id(how, h5->Pclose);
    return -1;
}

static hid_t create_file(const lg_hdf5_library *h5, const char *name, int memory)
{
    const hid_t how = access_list(h5, memory), what = h5->Pcreate(*h5->P_CLS_FILE_CREATE_ID_g);
    const hid_t file = how >= 0 && what >= 0 && h5->Pset_obj_track_times(what, 0) >= 0
                           ? h5->Fcreate(name, H5F_ACC_TRUNC, what, how)
                           : -1;
    (void)close_id(what, h5->Pclose);
    (void)close_id(how, h5->Pclose);
    return file;
}

/* LCOV_EXCL_BR_STOP */

/* Writes a table without rows into memory. */
static lg_status possible(const lg_table *t, lg_error *e)
{
    lg_hdf5_library h5;
    if (lg_hdf5_load(&h5, e) != LG_OK) return e->status;
    const silence s = be_silent(&h5);
    lg_table empty = *t;
    const hid_t file = create_file(&h5, "liegrp", 1);
    empty.rows = NULL;
    empty.count = 0;
    const int good = file >= 0 && write_table(&h5, file, &empty);
    (void)close_id(file, h5.Fclose);
    end_silence(&h5, &s);
    if (file < 0) return lg_fail(e, LG_ERROR_MEMORY, "out of memory for an HDF5 file");
    if (good) return LG_OK;
    return lg_fail(e, LG_ERROR_ARGUMENT,
                   "%d columns are more than the head of an HDF5 table has room for, or out of memory; take csv",
                   t->columns);
}

/* The dataset `rows`, compressed, and attributes of the root. */
static int pack(FILE *to, const lg_table *t)
{
    lg_hdf5_library h5;
    lg_error missing;
    char name[64];
    int good, number;
    if (lg_hdf5_load(&h5, &missing) != LG_OK) { /* LCOV_EXCL_BR_LINE: it was loaded for possible() */
        errno = ENOTSUP;
        return -1;
    }
    const silence s = be_silent(&h5);
    snprintf(name, sizeof name, "/proc/self/fd/%d", fileno(to));
    errno = 0;
    const hid_t file = create_file(&h5, name, 0);
    good = file >= 0 && write_table(&h5, file, t) && write_attributes(&h5, file, t);
    number = errno;
    if (!close_id(file, h5.Fclose)) {
        if (good) number = errno;
        good = 0;
    }
    end_silence(&h5, &s);
    errno = number != 0 ? number : EIO;
    return good ? 0 : -1;
}

static char *read_text(const lg_hdf5_library *h5, hid_t file)
{
    const hid_t a = h5->Aopen(file, TEXT, H5P_DEFAULT), type = text_type(h5), stored = a >= 0 ? h5->Aget_type(a) : -1;
    const hid_t space = a >= 0 ? h5->Aget_space(a) : -1;
    char *text = NULL, *own = NULL;
    if (type >= 0 && stored >= 0 && space >= 0 && h5->Tis_variable_str(stored) > 0 &&
        h5->Sget_simple_extent_npoints(space) == 1 && h5->Aread(a, type, &text) >= 0 && text != NULL) {
        own = strdup(text);
        (void)h5->free_memory(text);
    }
    (void)close_id(space, h5->Sclose);
    (void)close_id(stored, h5->Tclose);
    (void)close_id(type, h5->Tclose);
    (void)close_id(a, h5->Aclose);
    return own;
}

static char *text_of(FILE *from, const char *path, lg_error *e)
{
    (void)from; /* the library opens it itself */
    lg_hdf5_library h5;
    if (lg_hdf5_load(&h5, e) != LG_OK) return NULL;
    const silence s = be_silent(&h5);
    errno = 0;
    const hid_t file = h5.Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
    char *text = file >= 0 ? read_text(&h5, file) : NULL;
    const int number = errno;
    (void)close_id(file, h5.Fclose);
    end_silence(&h5, &s);
    if (text == NULL && number == ENOMEM)
        (void)lg_fail_system(e, path, number);
    else if (text == NULL)
        (void)lg_fail(e, LG_ERROR_ARGUMENT, "%.160s: %s", path,
                      file >= 0 ? "it has no attribute " TEXT : "it is damaged, or no HDF5 file");
    return text;
}

#define CAN .pack = pack, .possible = possible

#endif

const lg_format_facts lg_hdf5 = {.name = "hdf5",
                                 .endings = {".h5", ".hdf5"},
                                 .head_most = 65535,
                                 .head_why = "it has room for at most",
                                 LG_NPY_ROWS,
                                 CAN,
                                 .magic = "\x89HDF",
                                 .text = text_of};
