/* SPDX-License-Identifier: BSD-3-Clause */
/* Occurrences that are counted, and of which one fails. Allocations: all of the program where malloc can be replaced;
 * under the sanitizers, which replace it themselves, those of the library (the linker's --wrap). */
#include "faults.h"
#include "support/allocations.h"

static fault_kind armed;
static long calls, call_at = -1;
static int struck;

#if !COUNTED && defined(FAULTS_WRAPPED)

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *p, size_t size);
void *__real_aligned_alloc(size_t alignment, size_t size);
char *__real_strdup(const char *text);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *p, size_t size);
void *__wrap_aligned_alloc(size_t alignment, size_t size);
char *__wrap_strdup(const char *text);

static int refused(void)
{
    if (allocations++ != fail_at) return 0;
    errno = ENOMEM;
    return 1;
}

void *__wrap_malloc(size_t size)
{
    return refused() ? NULL : __real_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size)
{
    return refused() ? NULL : __real_calloc(count, size);
}

void *__wrap_realloc(void *p, size_t size)
{
    return refused() ? NULL : __real_realloc(p, size);
}

void *__wrap_aligned_alloc(size_t alignment, size_t size)
{
    return refused() ? NULL : __real_aligned_alloc(alignment, size);
}

char *__wrap_strdup(const char *text)
{
    return refused() ? NULL : __real_strdup(text);
}

#endif

void fault_arm(fault_kind kind, long n)
{
    armed = kind, struck = 0;
    allocations = calls = 0;
    fail_at = kind == FAULT_MEMORY ? n : -1;
    call_at = kind == FAULT_CALLBACK ? n : -1;
}

long fault_count(void)
{
    const long n = armed == FAULT_MEMORY ? allocations : calls;
    struck = fault_struck();
    fail_at = call_at = -1;
    return n;
}

int fault_struck(void)
{
    return struck || (fail_at >= 0 && allocations > fail_at) || (call_at >= 0 && calls > call_at);
}

long fault_live(void)
{
    return live;
}

int fault_has_memory(void)
{
#if COUNTED || defined(FAULTS_WRAPPED)
    return 1;
#else
    return 0;
#endif
}

int fault_callback(void)
{
    return calls++ == call_at;
}
