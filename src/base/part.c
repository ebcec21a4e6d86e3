/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/part.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>

#include "base/sum.h"

/* Draws a random number; 0: not available now. */
static int draw(uint64_t *random)
{
#ifdef __EMSCRIPTEN__ /* whose C library declares getrandom() and has none */
    (void)random;
    return 0;
#else
    return getrandom(random, sizeof *random, GRND_NONBLOCK) == (ssize_t)sizeof *random;
#endif
}

/* Makes a private name; a long name is cut between two characters. */
static void invent(char *part, const char *name, size_t most)
{
    enum { LETTERS = 10 };
    static const char letters[] = "abcdefghijklmnopqrstuvwxyz234567";
    const size_t tail = 1 + LETTERS + strlen(".part");
    size_t kept = strlen(name);
    uint64_t random = 0;
    char *at;
    if (!draw(&random)) {
        struct timespec t = {0};
        (void)clock_gettime(CLOCK_REALTIME, &t);
        random =
            (uint64_t)t.tv_nsec * UINT64_C(0x9e3779b97f4a7c15) ^ (uint64_t)getpid() << 32 ^ (uint64_t)(uintptr_t)part;
    }
    if (kept > most - tail) {
        kept = most - tail;
        while (kept > 0 && ((unsigned char)name[kept] & 0xc0) == 0x80) kept--;
    }
    memcpy(part, name, kept);
    at = part + kept;
    *at++ = '.';
    for (int i = 0; i < LETTERS; i++, random >>= 5) *at++ = letters[random & 31];
    memcpy(at, ".part", sizeof ".part");
}

int lg_part_create(int folder, const char *name, mode_t mode, char **part)
{
    const long most = fpathconf(folder, _PC_NAME_MAX);
    *part = malloc(strlen(name) + 32);
    if (*part == NULL) return -1;
    for (int tries = 0; tries < 100; tries++) {
        int fd;
        invent(*part, name, most > 32 ? (size_t)most : 255);
        fd = openat(folder, *part, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode);
        if (fd >= 0) return fd;
        if (errno != EEXIST) break;
    }
    const int number = errno;
    free(*part);
    *part = NULL;
    errno = number;
    return -1;
}

int lg_part_sum(uint64_t *sum, int fd, int64_t from, int64_t to)
{
    unsigned char piece[1 << 14];
    while (from < to) {
        const size_t want = to - from < (int64_t)sizeof piece ? (size_t)(to - from) : sizeof piece;
        const ssize_t got = pread(fd, piece, want, (off_t)from);
        if (got < 0 && errno == EINTR) continue;
        if (got == 0) errno = EIO;
        if (got <= 0) return -1;
        *sum = lg_sum(*sum, piece, (size_t)got);
        from += got;
    }
    return 0;
}

/* 0, or a number of errno. */
static int take_up(int fd, const lg_part_left *left)
{
    struct stat at;
    uint64_t sum = LG_SUM;
    if (fstat(fd, &at) != 0) return errno;
    if (!S_ISREG(at.st_mode) || at.st_nlink != 1 || at.st_uid != geteuid() || at.st_size < left->size) return EINVAL;
    if (lg_part_sum(&sum, fd, left->head, left->size) != 0) return errno;
    if (sum != left->sum) return LG_PART_CHANGED;
    if (ftruncate(fd, (off_t)left->size) != 0 || lseek(fd, 0, SEEK_END) != (off_t)left->size) return EINVAL;
    return 0;
}

int lg_part_open(int folder, const lg_part_left *left)
{
    const char *tail = strrchr(left->part, '.');
    errno = EINVAL;
    if (strchr(left->part, '/') != NULL || tail == NULL || strcmp(tail, ".part") != 0 || left->size < 0) return -1;
    const int fd = openat(folder, left->part, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    const int number = fd >= 0 ? take_up(fd, left) : 0;
    if (number == 0) return fd;
    (void)close(fd);
    errno = number;
    return -1;
}

int lg_part_save(int fd)
{
    if (fsync(fd) == 0 || errno == EINVAL || errno == ENOTSUP || errno == EROFS || errno == EBADF) return 0;
    return -1;
}
