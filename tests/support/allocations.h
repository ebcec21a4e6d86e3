/* SPDX-License-Identifier: BSD-3-Clause */
/** @file allocations.h
 *  malloc and its like, replaced by counting ones over glibc's own; the sanitizers replace them too, so that tests are
 *  skipped there. Include it in one file of a program. */
#ifndef TESTS_SUPPORT_ALLOCATIONS_H
#define TESTS_SUPPORT_ALLOCATIONS_H

#include <errno.h>
#include <stdlib.h>

#include "support/suite.h"

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define COUNTED 0
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define COUNTED 0
#endif
#endif
#if !defined(COUNTED)
#if defined(__GLIBC__)
#define COUNTED 1
#else
#define COUNTED 0
#endif
#endif

static long allocations, live, fail_at = -1;

#if COUNTED

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *p, size_t size);
void *__libc_memalign(size_t alignment, size_t size);
void __libc_free(void *p);

static int refused(void)
{
    if (allocations++ != fail_at) return 0;
    errno = ENOMEM;
    return 1;
}

static void *counted(void *p)
{
    live += p != NULL;
    return p;
}

void *malloc(size_t size)
{
    return refused() ? NULL : counted(__libc_malloc(size));
}

void *calloc(size_t count, size_t size)
{
    return refused() ? NULL : counted(__libc_calloc(count, size));
}

void *realloc(void *p, size_t size)
{
    if (refused()) return NULL;
    live -= p != NULL;
    return counted(__libc_realloc(p, size));
}

void *aligned_alloc(size_t alignment, size_t size)
{
    return refused() ? NULL : counted(__libc_memalign(alignment, size));
}

int posix_memalign(void **p, size_t alignment, size_t size)
{
    *p = refused() ? NULL : counted(__libc_memalign(alignment, size));
    return *p == NULL ? 12 : 0; /* ENOMEM */
}

void free(void *p)
{
    live -= p != NULL;
    __libc_free(p);
}

#endif

static inline void only_if_counted(void)
{
    (void)allocations, (void)live, (void)fail_at; /* not every test looks at all of them */
    if (!COUNTED) skip();
}

#endif
