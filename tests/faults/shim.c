/* SPDX-License-Identifier: BSD-3-Clause */
/* Preloaded into the command line: LG_FAULT=malloc:N refuses the N-th allocation after main() has begun, from 0, of
 * those that the program, the library, the C library, expat and zlib ask for (others' own crashes are not ours). At the
 * end LG_FAULT_REPORT=FILE gets their number. LG_FAULT=calls marks the beginning of main() and its end for the injector: what
 * the C library or a profiler does after it is not the program's. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "marker.h"

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *p, size_t size);
void *__libc_memalign(size_t alignment, size_t size);

enum { RANGES = 64 };
static struct {
    char *from, *to;
} range[RANGES];
static int ranges;
static long count, fail_at = -1, begun;
static int (*program)(int, char **, char **);

/* Lists the mapped ranges of the objects whose allocations count. */
static int look(struct dl_phdr_info *o, size_t size, void *context)
{
    static const char *const names[] = {"liegrp", "libc.so", "libexpat", "libz.so"};
    int ours = o->dlpi_name[0] == '\0';
    (void)size, (void)context;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) ours |= strstr(o->dlpi_name, names[i]) != NULL;
    for (int i = 0; ours && i < o->dlpi_phnum && ranges < RANGES; i++) {
        if (o->dlpi_phdr[i].p_type != PT_LOAD) continue;
        range[ranges].from = (char *)o->dlpi_addr + o->dlpi_phdr[i].p_vaddr;
        range[ranges].to = range[ranges].from + o->dlpi_phdr[i].p_memsz;
        ranges++;
    }
    return 0;
}

static int refused(char *caller)
{
    int ours = 0;
    if (!begun) return 0;
    for (int i = 0; i < ranges && !ours; i++) ours = caller >= range[i].from && caller < range[i].to;
    if (!ours || __atomic_fetch_add(&count, 1, __ATOMIC_RELAXED) != fail_at) return 0;
    errno = ENOMEM;
    return 1;
}

#define CALLER ((char *)__builtin_return_address(0))

void *malloc(size_t size)
{
    return refused(CALLER) ? NULL : __libc_malloc(size);
}

void *calloc(size_t n, size_t size)
{
    return refused(CALLER) ? NULL : __libc_calloc(n, size);
}

void *realloc(void *p, size_t size)
{
    return refused(CALLER) ? NULL : __libc_realloc(p, size);
}

void *aligned_alloc(size_t alignment, size_t size)
{
    return refused(CALLER) ? NULL : __libc_memalign(alignment, size);
}

/* Who calls it counts, not the C library, in which it allocates. */
char *strdup(const char *text)
{
    const size_t size = strlen(text) + 1;
    char *copy = refused(CALLER) ? NULL : __libc_malloc(size);
    return copy != NULL ? memcpy(copy, text, size) : NULL;
}

static void report(void)
{
    const char *file = getenv("LG_FAULT_REPORT");
    char text[32];
    if (file == NULL) return;
    begun = 0;
    const int fd = open(file, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    const int length = snprintf(text, sizeof text, "%ld\n", count);
    if (fd >= 0 && write(fd, text, (size_t)length) < 0) _exit(99);
    if (fd >= 0) (void)close(fd);
}

static int begin(int argc, char **argv, char **environment)
{
    const char *fault = getenv("LG_FAULT");
    if (fault != NULL && strncmp(fault, "malloc:", 7) == 0) {
        fail_at = atol(fault + 7);
        (void)dl_iterate_phdr(look, NULL);
        (void)atexit(report);
        begun = 1;
    }
    (void)unsetenv("LD_PRELOAD"); /* gnuplot is not at stake */
    if (fault != NULL && strcmp(fault, "calls") == 0) (void)raise(FAULT_BEGIN);
    const int status = program(argc, argv, environment);
    (void)fflush(NULL); /* what main() left to be written can still fail */
    begun = 0;
    (void)syscall(SYS_getsid, FAULT_END);
    return status;
}

typedef int starter(int (*)(int, char **, char **), int, char **, int (*)(int, char **, char **), void (*)(void),
                    void (*)(void), void *);
starter __libc_start_main;
void *dlsym(void *handle, const char *name);

int __libc_start_main(int (*run)(int, char **, char **), int argc, char **argv, int (*init)(int, char **, char **),
                      void (*fini)(void), void (*end)(void), void *stack)
{
    void *next = dlsym((void *)-1L /* RTLD_NEXT */, "__libc_start_main");
    starter *start;
    memcpy(&start, &next, sizeof start);
    program = run;
    return start(begin, argc, argv, init, fini, end, stack);
}
