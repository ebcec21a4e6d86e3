/* SPDX-License-Identifier: BSD-3-Clause */
#define _GNU_SOURCE /* O_PATH */
#include "base/place.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The number of /dev/stdout, /dev/fd/N and the like; -1 for other paths. */
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
static int look(lg_place *p)
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

/* Does the name belong to another user, in a folder like /tmp where everybody may create files? */
static int is_foreign(const lg_place *p)
{
    const mode_t shared = S_ISVTX | S_IWOTH;
    struct stat folder;
    return fstat(p->folder, &folder) == 0 && (folder.st_mode & shared) == shared && p->at.st_uid != geteuid() &&
           p->at.st_uid != folder.st_uid;
}

/* The target of the link at the place, as a path that can be opened from here. */
static char *follow(const lg_place *p)
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

void lg_place_forget(lg_place *p)
{
    if (p->folder >= 0) (void)close(p->folder);
    free(p->path);
}

/* -1 with errno, and nothing to forget. */
int lg_place_find(lg_place *p, const char *path)
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
        errno = LG_PLACE_FOREIGN;
        next = is_foreign(p) ? NULL : follow(p);
        if (next == NULL) break;
        lg_place_forget(p);
        p->folder = -1;
        p->path = next;
        errno = ELOOP;
    }
    number = errno;
    lg_place_forget(p);
    errno = number;
    return -1;
}

int lg_place_is_direct(const lg_place *p)
{
    return p->descriptor >= 0 || (p->exists && !S_ISREG(p->at.st_mode));
}

/* 0 if it may be written, as far as this can be known before opening. */
int lg_place_is_writable(const lg_place *p)
{
    if (p->descriptor >= 0) return 0;
    if (p->exists && S_ISDIR(p->at.st_mode)) {
        errno = EISDIR;
        return -1;
    }
    if (p->exists && faccessat(p->folder, p->name, W_OK, AT_EACCESS) != 0) return -1;
    if (p->exists && S_ISREG(p->at.st_mode) && geteuid() != 0 && is_foreign(p)) {
        errno = LG_PLACE_FOREIGN; /* the system would refuse it at the end */
        return -1;
    }
    return 0;
}
