/* SPDX-License-Identifier: BSD-3-Clause */
/** @file sized.h
 *  Public structs that grow at their end (docs/conventions.md, binary compatibility): the first member, `size_t size`,
 *  says how much of the struct the caller was compiled with. The library works on a copy of its own size. */
#ifndef LIEGRP_SRC_BASE_SIZED_H
#define LIEGRP_SRC_BASE_SIZED_H

#include <stddef.h>

#include "base/message.h"

/** Where the bytes of a member end. */
#define LG_END_OF(type, member) (offsetof(type, member) + sizeof(((type *)0)->member))

/** A member of a descriptor that stays the caller's, such as lg_group: zero where the caller's struct lacks it. Every
 *  member behind the last that all callers have is read in this way. */
#define LG_FIELD(type, object, member) ((object)->size >= LG_END_OF(type, member) ? (object)->member : 0)

/** The description of a struct that grows. */
typedef struct lg_sized {
    const char *name;   /**< "lg_system" */
    const char *advice; /**< what a caller without a size should do: "start from lg_system_default()" */
    size_t size;        /**< the library's */
    size_t least;       /**< the part that every caller has */
} lg_sized;

/** lg_sized of a type; `last` is the last member that every caller has. */
#define LG_SIZED_AS(type, last, advice)                                                                                \
    {                                                                                                                  \
#type, advice, sizeof(type), LG_END_OF(type, last)                                                             \
    }

/** 1: the library can read a struct of this size. */
static inline int lg_sized_fits(const lg_sized *kind, size_t size)
{
    return size >= kind->least && size <= kind->size;
}

/** LG_OK, or LG_ERROR_ARGUMENT with advice for a size that does not fit. `name` (may be NULL) identifies the object in
 *  the message. */
lg_status lg_sized_check(const lg_sized *kind, size_t size, const char *name, lg_error *e);

/** Copies the caller's members over `own`, which has the library's size and holds the defaults. Errors as
 *  lg_sized_check(); then `own` stays as it is. */
lg_status lg_sized_take(const lg_sized *kind, void *own, const void *given, lg_error *e);

/** Fills the caller's struct of `size` bytes from `own`, with zeros beyond that, and sets its size. */
void lg_sized_give(const lg_sized *kind, void *given, size_t size, const void *own);

#endif
