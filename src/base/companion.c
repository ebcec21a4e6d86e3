/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/companion.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/part.h"

/* 0: it begins with the mark; EEXIST: it does not; or the system's number. */
static int look_inside(int folder, const char *name, const char *mark)
{
    enum { MOST = 64 };
    char head[MOST];
    const size_t length = strlen(mark) < MOST ? strlen(mark) : MOST;
    const int fd = openat(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    if (fd < 0) return errno;
    const ssize_t got = read(fd, head, length);
    const int number = got < 0 ? errno : got == (ssize_t)length && memcmp(head, mark, length) == 0 ? 0 : EEXIST;
    (void)close(fd);
    return number;
}

/* 0: the name is a companion; ENOENT: it does not exist; EEXIST: another kind of file; or the system's error number. */
static int look(const lg_companion *c, int folder)
{
    struct stat at;
    if (fstatat(folder, c->name, &at, AT_SYMLINK_NOFOLLOW) != 0) return errno;
    return S_ISREG(at.st_mode) ? look_inside(folder, c->name, c->mark) : EEXIST;
}

int lg_companion_find(lg_companion *c, int folder, const char *name, const char *suffix, const char *mark)
{
    const size_t room = strlen(name) + strlen(suffix) + 1;
    int number;
    c->mark = mark;
    c->name = malloc(room);
    if (c->name == NULL) return -1;
    snprintf(c->name, room, "%s%s", name, suffix);
    number = look(c, folder);
    if (number == 0 || number == ENOENT) return 0;
    lg_companion_free(c);
    errno = number;
    return number == ENAMETOOLONG ? 0 : -1;
}

static int write_all(int fd, const char *text, size_t size)
{
    while (size > 0) {
        const ssize_t wrote = write(fd, text, size);
        if (wrote < 0 && errno == EINTR) continue;
        if (wrote <= 0) return -1;
        text += wrote;
        size -= (size_t)wrote;
    }
    return 0;
}

static int write_part(lg_companion *c, int folder, const char *text, size_t size, int like)
{
    struct stat at;
    const int fd = lg_part_create(folder, c->name, 0600, &c->part);
    int number = 0;
    if (fd < 0) return -1;
    if (fstat(like, &at) != 0 || fchmod(fd, at.st_mode & 0777) != 0 || write_all(fd, text, size) != 0 ||
        lg_part_save(fd) != 0)
        number = errno;
    if (close(fd) != 0 && number == 0) number = errno;
    errno = number;
    return number != 0 ? -1 : 0;
}

/* Moves the old text to a new private name. */
static int put_away(lg_companion *c, int folder)
{
    const int there = look(c, folder);
    if (there == ENOENT) return 0;
    errno = there;
    if (there != 0) return -1;
    const int fd = lg_part_create(folder, c->name, 0600, &c->away);
    if (fd < 0) return -1;
    (void)close(fd);
    if (renameat(folder, c->name, folder, c->away) == 0) return 0;
    const int number = errno;
    (void)unlinkat(folder, c->away, 0);
    free(c->away);
    c->away = NULL;
    errno = number;
    return -1;
}

int lg_companion_prepare(lg_companion *c, int folder, const char *text, size_t size, int like)
{
    int number;
    if (c->name == NULL) return 0;
    if (look(c, folder) == EEXIST) {
        lg_companion_free(c);
        return 0;
    }
    if ((text == NULL || write_part(c, folder, text, size, like) == 0) && put_away(c, folder) == 0) return 0;
    number = errno;
    lg_companion_undo(c, folder);
    errno = number;
    return -1;
}

static void drop(char **name, int folder)
{
    if (*name != NULL) (void)unlinkat(folder, *name, 0);
    free(*name);
    *name = NULL;
}

int lg_companion_settle(lg_companion *c, int folder)
{
    int number = 0;
    if (c->name == NULL) return 0;
    if (c->part != NULL && renameat(folder, c->part, folder, c->name) != 0) {
        number = errno;
        drop(&c->part, folder);
    }
    drop(&c->away, folder);
    errno = number;
    return number != 0 ? -1 : 0;
}

void lg_companion_undo(lg_companion *c, int folder)
{
    if (c->name == NULL) return;
    drop(&c->part, folder);
    if (c->away != NULL) (void)renameat(folder, c->away, folder, c->name);
    free(c->away);
    c->away = NULL;
}

void lg_companion_free(lg_companion *c)
{
    free(c->name);
    free(c->part);
    free(c->away);
    *c = (lg_companion){NULL, NULL, NULL, NULL};
}
