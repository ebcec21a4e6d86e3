/* SPDX-License-Identifier: BSD-3-Clause */
/* Files that appear complete or not at all. All names are relative to the target's folder, which is opened once, so
 * renaming the folders above or changing the working directory has no effect. */
#define _GNU_SOURCE /* O_PATH */
#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/companion.h"
#include "base/message.h"
#include "base/part.h"
#include "base/place.h"
#include "base/sum.h"

enum { GUARD = 48 }; /* bytes of the lock's name */

struct lg_file {
    lg_place p;
    FILE *stream;
    char *shown; /* the name in messages */
    char *part;  /* private name until the file is complete; NULL: written directly */
    FILE *draft; /* the first version, while lg_file_remake() rewrites it; NULL: there is no draft */
    char *draft_part;
    lg_companion beside;
    const char *text; /* of the companion, or NULL */
    size_t text_size;
    char guard[GUARD];
    int lock; /* -1: none */
};

/* The message of an error number, with the file's name. */
static lg_status io_error(lg_error *error, const char *name, int number)
{
    if (number == EWOULDBLOCK)
        return lg_fail(error, LG_ERROR_IO, "%.160s: another run is writing this file; let it end, or take another name",
                       name);
    if (number == LG_PLACE_FOREIGN)
        return lg_fail(error, LG_ERROR_IO,
                       "%.160s: it, or a link in its path, belongs to another user, in a folder where everybody may "
                       "create files; choose another name or folder",
                       name);
    return lg_fail_system(error, name, number);
}

/* The lock -------------------------------------------------------------------------------------------------------- */

/* Does the name still refer to this file? The previous owner of the lock may have removed the name. */
static int is_named(int fd, int folder, const char *name)
{
    struct stat mine, named;
    return fstat(fd, &mine) == 0 && fstatat(folder, name, &named, AT_SYMLINK_NOFOLLOW) == 0 &&
           mine.st_dev == named.st_dev && mine.st_ino == named.st_ino;
}

/* A file that exists only to be locked. That of another user can be locked without permission to write. */
static int open_guard(int folder, const char *guard)
{
    const int flags = O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC;
    struct stat at;
    int fd = openat(folder, guard, O_RDWR | O_CREAT | flags, 0666);
    if (fd < 0 && errno == EACCES && (fd = openat(folder, guard, O_RDONLY | flags)) < 0)
        errno = EACCES; /* a folder where nothing may be created: it is not the guard that is missing */
    if (fd < 0 || (fstat(fd, &at) == 0 && S_ISREG(at.st_mode))) return fd;
    (void)close(fd);
    errno = EEXIST;
    return -1;
}

/* Locks the target by a lock file whose name is a hash of its name; -1 with errno: EWOULDBLOCK if another writer holds
 * the lock. A killed writer leaves no lock. File systems without locks are not protected. */
static int take_lock(lg_file *f)
{
    const uint64_t hash = lg_sum(LG_SUM, f->p.name, strlen(f->p.name)); /* a name of fixed length */
    snprintf(f->guard, sizeof f->guard, ".liegrp-%016llx.lock", (unsigned long long)hash);
    for (;;) {
        const int fd = open_guard(f->p.folder, f->guard);
        int number = 0;
        if (fd < 0) return -1;
        if (flock(fd, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
            number = EWOULDBLOCK;
        } else if (is_named(fd, f->p.folder, f->guard)) {
            f->lock = fd;
            return 0;
        }
        (void)close(fd);
        errno = number;
        if (number != 0) return -1;
    }
}

static void drop_lock(const lg_file *f)
{
    struct stat at;
    if (f->lock < 0) return;
    if (fstat(f->lock, &at) == 0 && at.st_size == 0) (void)unlinkat(f->p.folder, f->guard, 0);
    (void)close(f->lock);
}

/* Opening --------------------------------------------------------------------------------------------------------- */

/* Until the permissions of an existing file are copied, the new one is private. */
static int create_part(lg_file *f)
{
    return lg_part_create(f->p.folder, f->p.name, f->p.exists ? 0600 : 0666, &f->part);
}

static int open_place(const lg_file *f)
{
    if (f->p.descriptor >= 0) return fcntl(f->p.descriptor, F_DUPFD_CLOEXEC, 0);
    return openat(f->p.folder, f->p.name, O_WRONLY | O_NOCTTY | O_CLOEXEC);
}

static void free_file(lg_file *f)
{
    drop_lock(f);
    lg_place_forget(&f->p);
    lg_companion_free(&f->beside);
    free(f->part);
    free(f->draft_part);
    free(f->shown);
    free(f);
}

/* `left` NULL: a new file. */
static int open_stream(lg_file *f, const lg_part_left *left)
{
    int fd, number;
    if (lg_place_is_writable(&f->p) != 0) return -1;
    if (left != NULL && lg_place_is_direct(&f->p)) {
        errno = EINVAL;
        return -1;
    }
    if (!lg_place_is_direct(&f->p) && take_lock(f) != 0) return -1;
    if (left != NULL && (f->part = strdup(left->part)) == NULL) return -1;
    fd = left != NULL ? lg_part_open(f->p.folder, left) : lg_place_is_direct(&f->p) ? open_place(f) : create_part(f);
    if (fd < 0) return -1;
    f->stream = fdopen(fd, lg_place_is_direct(&f->p) ? "wb" : "w+b");
    if (f->stream != NULL) return 0;
    number = errno;
    if (f->part != NULL && left == NULL) (void)unlinkat(f->p.folder, f->part, 0);
    (void)close(fd);
    errno = number;
    return -1;
}

static lg_status open_file(lg_file **file, const char *path, const lg_part_left *left, lg_error *error)
{
    lg_status status;
    lg_file *f = calloc(1, sizeof *f);
    *file = NULL;
    if (f == NULL) return lg_fail(error, LG_ERROR_MEMORY, "out of memory");
    f->lock = -1;
    if (lg_place_find(&f->p, path) != 0) {
        status = io_error(error, path, errno);
        free(f);
        return status;
    }
    f->shown = strdup(path);
    if (f->shown != NULL && open_stream(f, left) == 0) {
        *file = f;
        return LG_OK;
    }
    status = io_error(error, path, errno);
    free_file(f);
    return status;
}

lg_status lg_file_open(lg_file **file, const char *path, lg_error *error)
{
    return open_file(file, path, NULL, error);
}

lg_status lg_file_reopen(lg_file **file, const char *path, const lg_part_left *left, lg_error *error)
{
    const lg_status status = open_file(file, path, left, error);
    if (status == LG_ERROR_IO && errno == LG_PART_CHANGED)
        return lg_fail(error, LG_ERROR_IO,
                       "%.120s: its unfinished part %.120s has changed since it was written; restore that file, or "
                       "start again without it",
                       path, left->part);
    if (status != LG_ERROR_IO || (errno != EINVAL && errno != ENOENT)) return status;
    return lg_fail(error, LG_ERROR_IO, "%.120s: its unfinished part %.120s is missing or shorter than when it was left",
                   path, left->part);
}

const char *lg_file_part(const lg_file *file)
{
    return file->part;
}

FILE *lg_file_stream(const lg_file *file)
{
    return file->stream;
}

int lg_file_is_device(const lg_file *file)
{
    return file->part == NULL;
}

/* Rewriting -------------------------------------------------------------------------------------------------------- */

lg_status lg_file_remake(lg_file *f, lg_error *error)
{
    char *rows = f->part;
    const int fd = create_part(f);
    FILE *stream = fd >= 0 ? fdopen(fd, "w+b") : NULL;
    if (stream != NULL) {
        f->draft = f->stream;
        f->draft_part = rows;
        f->stream = stream;
        return LG_OK;
    }
    const lg_status status = io_error(error, f->shown, errno);
    if (fd >= 0) {
        (void)close(fd);
        (void)unlinkat(f->p.folder, f->part, 0);
        free(f->part);
    }
    f->part = rows;
    return status;
}

void lg_file_unmake(lg_file *f)
{
    if (f->draft == NULL) return;
    (void)fclose(f->stream);
    (void)unlinkat(f->p.folder, f->part, 0);
    free(f->part);
    f->stream = f->draft;
    f->part = f->draft_part;
    f->draft = NULL;
    f->draft_part = NULL;
}

static void drop_draft(lg_file *f)
{
    if (f->draft == NULL) return;
    (void)fclose(f->draft);
    (void)unlinkat(f->p.folder, f->draft_part, 0);
    f->draft = NULL;
}

/* Companions ------------------------------------------------------------------------------------------------------ */

lg_status lg_file_companion(lg_file *f, const char *suffix, const char *mark, int needed, lg_error *error)
{
    if (f->part == NULL || lg_companion_find(&f->beside, f->p.folder, f->p.name, suffix, mark) == 0) return LG_OK;
    if (errno != EEXIST) return lg_fail_system(error, f->shown, errno);
    if (!needed) return LG_OK;
    return lg_fail(error, LG_ERROR_IO,
                   "%.120s%s: this file exists and is not the sidecar that liegrp writes for %.80s; rename it, or "
                   "choose another output name",
                   f->shown, suffix, f->shown);
}

void lg_file_companion_text(lg_file *f, const char *text, size_t size)
{
    f->text = text;
    f->text_size = size;
}

/* Closing --------------------------------------------------------------------------------------------------------- */

/* Copies the permissions of the replaced file, and its owner and group where that is allowed. If the group cannot be
 * copied, the new group gets only the permissions of others. */
static int keep_mode(const lg_file *f, int fd)
{
    struct stat old = f->p.at, mine;
    mode_t mode;
    if (fstatat(f->p.folder, f->p.name, &old, AT_SYMLINK_NOFOLLOW) != 0 && !f->p.exists) return 0;
    if (!S_ISREG(old.st_mode)) return 0;
    mode = old.st_mode & 0777;
    if (fstat(fd, &mine) != 0) return -1;
    if (mine.st_uid != old.st_uid) (void)!fchown(fd, old.st_uid, (gid_t)-1);
    if (mine.st_gid != old.st_gid && fchown(fd, (uid_t)-1, old.st_gid) != 0)
        mode = (mode & (mode_t)~070) | (mode & 007) << 3;
    return fchmod(fd, mode);
}

/* Flushes the stream and returns the error number, or 0. A failed write may have left only a flag; one more write makes
 * the device report its error again. That extra byte is harmless, since the file is discarded. */
static int flush(FILE *stream)
{
    errno = 0;
    if (fflush(stream) == 0 && !ferror(stream)) return 0;
    if (errno == 0) (void)(fputc('\n', stream) != EOF && fflush(stream) == 0);
    return errno != 0 ? errno : EIO;
}

/* Completes contents, permissions and companion before the file gets its name; always closes the stream. */
static int complete(lg_file *f, int keep)
{
    const int fd = fileno(f->stream);
    int number = keep ? flush(f->stream) : 0;
    errno = 0;
    if (keep && number == 0 && f->part != NULL &&
        (keep_mode(f, fd) != 0 || lg_part_save(fd) != 0 ||
         lg_companion_prepare(&f->beside, f->p.folder, f->text, f->text_size, fd) != 0)) {
        number = errno != 0 ? errno : EIO;
    }
    if (fclose(f->stream) != 0 && number == 0) number = errno;
    errno = number;
    return number != 0 ? -1 : 0;
}

/* Renames the finished files to their names, or removes them. */
static int finish(lg_file *f, int keep)
{
    int number = complete(f, keep) != 0 && keep ? errno : 0;
    if (f->part != NULL) {
        if (keep && number == 0 && renameat(f->p.folder, f->part, f->p.folder, f->p.name) != 0) number = errno;
        if (keep && number == 0) {
            if (lg_companion_settle(&f->beside, f->p.folder) != 0 || lg_part_save(f->p.folder) != 0) number = errno;
        } else {
            lg_companion_undo(&f->beside, f->p.folder);
            (void)unlinkat(f->p.folder, f->part, 0);
        }
        drop_draft(f);
    }
    errno = number;
    return number != 0 ? -1 : 0;
}

lg_status lg_file_close(lg_file *file, int keep, lg_error *error)
{
    lg_status status = LG_OK;
    if (file == NULL) return LG_OK;
    if (finish(file, keep) != 0) status = io_error(error, file->shown, errno);
    free_file(file);
    return status;
}

lg_status lg_file_save(const lg_file *file, lg_error *error)
{
    int number = flush(file->stream);
    if (number == 0 && lg_part_save(fileno(file->stream)) != 0) number = errno != 0 ? errno : EIO;
    return number == 0 ? LG_OK : io_error(error, file->shown, number);
}

lg_status lg_file_leave(lg_file *file, lg_error *error)
{
    lg_status status;
    if (file == NULL) return LG_OK;
    status = lg_file_save(file, error);
    (void)fclose(file->stream);
    free_file(file);
    return status;
}

/* Reading --------------------------------------------------------------------------------------------------------- */

static lg_status too_large(const char *path, uint64_t most, lg_error *error)
{
    return lg_fail(error, LG_ERROR_IO,
                   "%.160s: it has more than %llu bytes, which is the most that is read; is it the right file?", path,
                   (unsigned long long)most);
}

/* *absent = 1: the file does not exist. */
static lg_status open_to_read(FILE **stream, int *absent, const char *path, uint64_t most, lg_error *error)
{
    struct stat at;
    const int fd = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC); /* a pipe does not wait for its writer */
    lg_status status = LG_OK;
    *stream = NULL;
    *absent = fd < 0 && errno == ENOENT;
    if (fd < 0 && errno == ENXIO) return lg_fail(error, LG_ERROR_IO, "%.160s: it is no regular file", path);
    if (fd < 0) return io_error(error, path, errno);
    if (fstat(fd, &at) != 0)
        status = io_error(error, path, errno);
    else if (S_ISDIR(at.st_mode))
        status = io_error(error, path, EISDIR);
    else if (!S_ISREG(at.st_mode))
        status = lg_fail(error, LG_ERROR_IO, "%.160s: it is no regular file", path);
    else if (at.st_size > 0 && (uint64_t)at.st_size > most)
        status = too_large(path, most, error);
    else if ((*stream = fdopen(fd, "rb")) == NULL)
        status = io_error(error, path, errno);
    if (status != LG_OK) (void)close(fd);
    return status;
}

lg_status lg_file_open_to_read(FILE **stream, const char *path, uint64_t most, lg_error *error)
{
    int absent;
    return open_to_read(stream, &absent, path, most, error);
}

/* Reads the whole stream, but at most `most` + 1 bytes; NULL with errno. */
static char *read_all(FILE *f, uint64_t most, size_t *size)
{
    char *bytes = NULL;
    size_t room = 0;
    *size = 0;
    do {
        char *more = *size == room ? realloc(bytes, room = 2 * room + 4096) : bytes;
        if (more == NULL) break;
        bytes = more;
        *size += fread(bytes + *size, 1, room - *size, f);
    } while (!feof(f) && !ferror(f) && *size <= most);
    if (bytes != NULL && (feof(f) || *size > most) && !ferror(f)) return bytes;
    free(bytes);
    return NULL;
}

lg_status lg_file_read(const char *path, uint64_t most, void **bytes, size_t *size, lg_error *error)
{
    FILE *f;
    int absent;
    lg_status status = open_to_read(&f, &absent, path, most, error);
    *bytes = NULL;
    *size = 0;
    if (absent) lg_error_clear(error);
    if (f == NULL) return absent ? LG_OK : status;
    errno = 0;
    *bytes = read_all(f, most, size);
    if (*bytes == NULL) status = io_error(error, path, errno != 0 ? errno : EIO);
    if (*size > most) {
        status = too_large(path, most, error);
        free(*bytes);
        *bytes = NULL;
    }
    (void)fclose(f);
    return status;
}

/* Questions ------------------------------------------------------------------------------------------------------- */

lg_status lg_file_try(const char *path, lg_error *error)
{
    lg_place p;
    lg_file *f;
    lg_status status = LG_OK;
    if (lg_place_find(&p, path) != 0) return io_error(error, path, errno);
    if (lg_place_is_writable(&p) != 0) {
        status = io_error(error, path, errno);
    } else if (!lg_place_is_direct(&p)) {
        status = lg_file_open(&f, path, error);
        if (status == LG_OK) status = lg_file_close(f, 0, error);
    }
    lg_place_forget(&p);
    return status;
}

int lg_file_names_device(const char *path)
{
    lg_place p;
    int direct;
    if (lg_place_find(&p, path) != 0) return 0;
    direct = lg_place_is_direct(&p);
    lg_place_forget(&p);
    return direct;
}

int lg_file_same(const char *a, const char *b)
{
    lg_place p, q;
    struct stat one, other;
    int same = 0;
    if (lg_place_find(&p, a) != 0) return 0;
    if (lg_place_find(&q, b) == 0) {
        if (p.exists && q.exists) {
            same = p.at.st_dev == q.at.st_dev && p.at.st_ino == q.at.st_ino && !S_ISCHR(p.at.st_mode);
        } else if (!p.exists && !q.exists && fstat(p.folder, &one) == 0 && fstat(q.folder, &other) == 0) {
            same = one.st_dev == other.st_dev && one.st_ino == other.st_ino && strcmp(p.name, q.name) == 0;
        }
        lg_place_forget(&q);
    }
    lg_place_forget(&p);
    return same;
}
