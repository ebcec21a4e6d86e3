/* SPDX-License-Identifier: BSD-3-Clause */
/* Files that appear whole. All names are relative to the target's folder, which is opened once: what happens to the
 * folders above, or to the working folder of the process, does not matter any more. */
#define _GNU_SOURCE /* O_PATH */
#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/message.h"

/* Where a name leads: a name in an opened folder, or a descriptor of this process. */
typedef struct place {
    int folder;
    int descriptor; /* -1: none */
    int exists;
    struct stat at;
    char *path; /* after all links */
    char *name; /* its last part, inside it */
} place;

enum { GUARD = 48 };       /* bytes of the lock's name */
enum { FOREIGN = EUSERS }; /* a number of errno that no call here sets: somebody else's file, see is_foreign() */

struct lg_file {
    place p;
    FILE *stream;
    char *shown; /* what messages call it */
    char *part;  /* the name until it is complete; NULL: written directly */
    char guard[GUARD];
    int lock; /* -1: none */
};

/* What errno says, with the file's name. */
static lg_status io_error(lg_error *error, const char *name, int number)
{
    if (number == EWOULDBLOCK)
        return lg_fail(error, LG_ERROR_IO, "%.160s: another run is writing this file; let it end, or take another name",
                       name);
    if (number == FOREIGN)
        return lg_fail(error, LG_ERROR_IO,
                       "%.160s: it, or a link on the way, belongs to somebody else, in a folder where everybody may "
                       "create names; take another name or folder",
                       name);
    return lg_fail_system(error, name, number);
}

/* Places ---------------------------------------------------------------------------------------------------------- */

/* The number of /dev/stdout, /dev/fd/N and their like; -1: it is none of them. */
static int own_descriptor(const char *path)
{
    static const char *const folders[] = {"/dev/fd/", "/proc/self/fd/"};
    if (strcmp(path, "/dev/stdout") == 0) return STDOUT_FILENO;
    if (strcmp(path, "/dev/stderr") == 0) return STDERR_FILENO;
    for (int i = 0; i < 2; i++) {
        const size_t length = strlen(folders[i]);
        const char *digits = path + length;
        if (strncmp(path, folders[i], length) != 0) continue;
        if (digits[0] != '\0' && strlen(digits) < 7 && strspn(digits, "0123456789") == strlen(digits))
            return (int)strtol(digits, NULL, 10);
    }
    return -1;
}

/* A folder that may not be read can still be written to. */
static int open_folder(const char *path)
{
    const int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    return fd >= 0 || errno != EACCES ? fd : open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);
}

/* Opens the folder of the path and looks at its last part, a link itself if it is one. */
static int look(place *p)
{
    char *slash = strrchr(p->path, '/');
    p->name = slash != NULL ? slash + 1 : p->path;
    if (p->name[0] == '\0') {
        errno = slash != NULL ? EISDIR : ENOENT;
        return -1;
    }
    if (slash != NULL) *slash = '\0';
    p->folder = open_folder(slash == NULL ? "." : slash == p->path ? "/" : p->path);
    if (slash != NULL) *slash = '/';
    if (p->folder < 0) return -1;
    p->exists = fstatat(p->folder, p->name, &p->at, AT_SYMLINK_NOFOLLOW) == 0;
    return p->exists || errno == ENOENT ? 0 : -1;
}

/* In a folder like /tmp, where everybody may create names: is this one somebody else's? */
static int is_foreign(const place *p)
{
    const mode_t shared = S_ISVTX | S_IWOTH;
    struct stat folder;
    return fstat(p->folder, &folder) == 0 && (folder.st_mode & shared) == shared && p->at.st_uid != geteuid() &&
           p->at.st_uid != folder.st_uid;
}

/* The path that the link at the place names, as seen from here. */
static char *follow(const place *p)
{
    enum { MOST = 4096 };
    const size_t folder = (size_t)(p->name - p->path);
    char *next = malloc(folder + MOST + 1), *target;
    ssize_t length;
    if (next == NULL) return NULL;
    memcpy(next, p->path, folder);
    target = next + folder;
    length = readlinkat(p->folder, p->name, target, MOST);
    if (length < 0 || length == MOST) {
        if (length == MOST) errno = ENAMETOOLONG;
        free(next);
        return NULL;
    }
    target[length] = '\0';
    if (target[0] == '/') memmove(next, target, (size_t)length + 1);
    return next;
}

static void forget_place(place *p)
{
    if (p->folder >= 0) (void)close(p->folder);
    free(p->path);
}

/* -1 with errno; the place is then forgotten. */
static int find_place(place *p, const char *path)
{
    int number;
    memset(p, 0, sizeof *p);
    p->folder = p->descriptor = -1;
    p->path = strdup(path);
    for (int links = 0; p->path != NULL && links < 40; links++) {
        char *next;
        p->descriptor = own_descriptor(p->path);
        if (p->descriptor >= 0) {
            p->exists = fstat(p->descriptor, &p->at) == 0;
            if (p->exists) return 0;
            break;
        }
        if (look(p) != 0) break;
        if (!p->exists || !S_ISLNK(p->at.st_mode)) return 0;
        errno = FOREIGN;
        next = is_foreign(p) ? NULL : follow(p);
        if (next == NULL) break;
        forget_place(p);
        p->folder = -1;
        p->path = next;
        errno = ELOOP;
    }
    number = errno;
    forget_place(p);
    errno = number;
    return -1;
}

static int is_direct(const place *p)
{
    return p->descriptor >= 0 || (p->exists && !S_ISREG(p->at.st_mode));
}

/* 0 if it may be written, as far as can be said before. */
static int is_writable(const place *p)
{
    if (p->descriptor >= 0) return 0;
    if (p->exists && S_ISDIR(p->at.st_mode)) {
        errno = EISDIR;
        return -1;
    }
    if (p->exists && faccessat(p->folder, p->name, W_OK, AT_EACCESS) != 0) return -1;
    if (p->exists && S_ISREG(p->at.st_mode) && geteuid() != 0 && is_foreign(p)) {
        errno = FOREIGN; /* the system would refuse it at the end */
        return -1;
    }
    return 0;
}

/* The lock -------------------------------------------------------------------------------------------------------- */

/* Is it the file of that name still? Who had it before may have removed the name. */
static int is_named(int fd, int folder, const char *name)
{
    struct stat mine, named;
    return fstat(fd, &mine) == 0 && fstatat(folder, name, &named, AT_SYMLINK_NOFOLLOW) == 0 &&
           mine.st_dev == named.st_dev && mine.st_ino == named.st_ino;
}

/* A file that exists to be locked; nothing is written into it. Another user's can be locked without writing. */
static int open_guard(int folder, const char *guard)
{
    const int flags = O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC;
    struct stat at;
    int fd = openat(folder, guard, O_RDWR | O_CREAT | flags, 0666);
    if (fd < 0 && errno == EACCES) fd = openat(folder, guard, O_RDONLY | flags);
    if (fd < 0 || (fstat(fd, &at) == 0 && S_ISREG(at.st_mode))) return fd;
    (void)close(fd);
    errno = EEXIST;
    return -1;
}

/* Locks the target under a name that follows from its name; -1 with errno: EWOULDBLOCK if another writer is at it. What
 * one that was killed has left is no obstacle. Where the file system knows no locks there are none. */
static int take_lock(lg_file *f)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325); /* FNV-1a: a name of fixed length */
    for (const char *c = f->p.name; *c != '\0'; c++) hash = (hash ^ (unsigned char)*c) * UINT64_C(0x100000001b3);
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

/* NAME.XXXXXXXXXX.part, with ten letters that nobody can foresee; a long name is cut before a character. */
static void invent_part(const lg_file *f, size_t most)
{
    enum { LETTERS = 10 };
    static const char letters[] = "abcdefghijklmnopqrstuvwxyz234567";
    const size_t tail = 1 + LETTERS + strlen(".part");
    size_t kept = strlen(f->p.name);
    uint64_t random = 0;
    char *at;
    if (getrandom(&random, sizeof random, GRND_NONBLOCK) != (ssize_t)sizeof random) {
        struct timespec t = {0};
        (void)clock_gettime(CLOCK_REALTIME, &t);
        random = (uint64_t)t.tv_nsec * UINT64_C(0x9e3779b97f4a7c15) ^ (uint64_t)getpid() << 32 ^ (uint64_t)(uintptr_t)f;
    }
    if (kept > most - tail) {
        kept = most - tail;
        while (kept > 0 && ((unsigned char)f->p.name[kept] & 0xc0) == 0x80) kept--;
    }
    memcpy(f->part, f->p.name, kept);
    at = f->part + kept;
    *at++ = '.';
    for (int i = 0; i < LETTERS; i++, random >>= 5) *at++ = letters[random & 31];
    memcpy(at, ".part", sizeof ".part");
}

/* The part, which nobody else can have opened. It is private while an old file's permissions are not known to fit. */
static int create_part(lg_file *f)
{
    const mode_t mode = f->p.exists ? 0600 : 0666;
    const long most = fpathconf(f->p.folder, _PC_NAME_MAX);
    f->part = malloc(strlen(f->p.name) + 32);
    if (f->part == NULL) return -1;
    for (int tries = 0; tries < 100; tries++) {
        int fd;
        invent_part(f, most > 32 ? (size_t)most : 255);
        fd = openat(f->p.folder, f->part, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode);
        if (fd >= 0 || errno != EEXIST) return fd;
    }
    return -1;
}

static int open_place(const lg_file *f)
{
    if (f->p.descriptor >= 0) return fcntl(f->p.descriptor, F_DUPFD_CLOEXEC, 0);
    return openat(f->p.folder, f->p.name, O_WRONLY | O_NOCTTY | O_CLOEXEC);
}

static void free_file(lg_file *f)
{
    drop_lock(f);
    forget_place(&f->p);
    free(f->part);
    free(f->shown);
    free(f);
}

static int open_stream(lg_file *f)
{
    int fd, number;
    if (is_writable(&f->p) != 0) return -1;
    if (!is_direct(&f->p) && take_lock(f) != 0) return -1;
    fd = is_direct(&f->p) ? open_place(f) : create_part(f);
    if (fd < 0) return -1;
    f->stream = fdopen(fd, "wb");
    if (f->stream != NULL) return 0;
    number = errno;
    if (f->part != NULL) (void)unlinkat(f->p.folder, f->part, 0);
    (void)close(fd);
    errno = number;
    return -1;
}

lg_status lg_file_open(lg_file **file, const char *path, lg_error *error)
{
    lg_status status;
    lg_file *f = calloc(1, sizeof *f);
    *file = NULL;
    if (f == NULL) return lg_fail(error, LG_ERROR_MEMORY, "out of memory");
    f->lock = -1;
    if (find_place(&f->p, path) != 0) {
        status = io_error(error, path, errno);
        free(f);
        return status;
    }
    f->shown = strdup(path);
    if (f->shown != NULL && open_stream(f) == 0) {
        *file = f;
        return LG_OK;
    }
    status = io_error(error, path, errno);
    free_file(f);
    return status;
}

FILE *lg_file_stream(const lg_file *file)
{
    return file->stream;
}

int lg_file_is_device(const lg_file *file)
{
    return file->part == NULL;
}

/* Closing --------------------------------------------------------------------------------------------------------- */

/* The permissions of the file that is replaced, and its owner and group where that is allowed. A group that cannot be
 * kept has no more rights than everybody. */
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

/* Onto the disk, where the file system knows how. */
static int save(int fd)
{
    if (fsync(fd) == 0 || errno == EINVAL || errno == ENOTSUP || errno == EROFS || errno == EBADF) return 0;
    return -1;
}

/* Everything to its place; the stream is closed in any case. */
static int finish(const lg_file *f, int keep)
{
    const int fd = fileno(f->stream);
    int number = 0;
    errno = 0;
    if (keep && (fflush(f->stream) != 0 || ferror(f->stream) ||
                 (f->part != NULL && (keep_mode(f, fd) != 0 || save(fd) != 0)))) {
        number = errno != 0 ? errno : EIO;
    }
    if (fclose(f->stream) != 0 && number == 0) number = errno;
    if (!keep) number = 0;
    if (f->part == NULL) {
        errno = number;
        return number != 0 ? -1 : 0;
    }
    if (keep && number == 0 && renameat(f->p.folder, f->part, f->p.folder, f->p.name) != 0) number = errno;
    if (keep && number == 0) return save(f->p.folder);
    (void)unlinkat(f->p.folder, f->part, 0);
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

/* Questions ------------------------------------------------------------------------------------------------------- */

lg_status lg_file_try(const char *path, lg_error *error)
{
    place p;
    lg_file *f;
    lg_status status = LG_OK;
    if (find_place(&p, path) != 0) return io_error(error, path, errno);
    if (is_writable(&p) != 0) {
        status = io_error(error, path, errno);
    } else if (!is_direct(&p)) {
        status = lg_file_open(&f, path, error);
        if (status == LG_OK) status = lg_file_close(f, 0, error);
    }
    forget_place(&p);
    return status;
}

int lg_file_names_device(const char *path)
{
    place p;
    int direct;
    if (find_place(&p, path) != 0) return 0;
    direct = is_direct(&p);
    forget_place(&p);
    return direct;
}

int lg_file_same(const char *a, const char *b)
{
    place p, q;
    struct stat one, other;
    int same = 0;
    if (find_place(&p, a) != 0) return 0;
    if (find_place(&q, b) == 0) {
        if (p.exists && q.exists) {
            same = p.at.st_dev == q.at.st_dev && p.at.st_ino == q.at.st_ino && !S_ISCHR(p.at.st_mode);
        } else if (!p.exists && !q.exists && fstat(p.folder, &one) == 0 && fstat(q.folder, &other) == 0) {
            same = one.st_dev == other.st_dev && one.st_ino == other.st_ino && strcmp(p.name, q.name) == 0;
        }
        forget_place(&q);
    }
    forget_place(&p);
    return same;
}
