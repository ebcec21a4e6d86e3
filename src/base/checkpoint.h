/* SPDX-License-Identifier: BSD-3-Clause */
/** @file checkpoint.h
 *  An object's state in bytes: a line with its kind, lines that describe the object, its numbers, and a checksum.
 *
 *      liegrp KIND checkpoint 1 \n NAME VALUE \n ... \n   order, count   numbers   sum
 *
 *  `order` is a constant whose bytes depend on the machine's byte order. The reader compares the lines with those of
 *  its own object, so its message can name the first difference. */
#ifndef LIEGRP_SRC_BASE_CHECKPOINT_H
#define LIEGRP_SRC_BASE_CHECKPOINT_H

#include "base/message.h"
#include "base/sum.h"
#include "base/tape.h"

/** Lines of text: written, or only counted. */
typedef struct lg_lines {
    char *at; /**< NULL: they are counted */
    size_t used;
} lg_lines;

/** A line "NAME VALUE". */
void lg_lines_text(lg_lines *l, const char *name, const char *value);
void lg_lines_number(lg_lines *l, const char *name, double value);
void lg_lines_sum(lg_lines *l, const char *name, uint64_t sum);
/** A line with the checksum of `count` numbers; nothing if there are no numbers. */
void lg_lines_numbers(lg_lines *l, const char *name, const double *value, size_t count);

/** Reasons, shared by several kinds of objects, why a number of a checkpoint is invalid. */
#define LG_WRONG_HISTORY  "what it knows of earlier steps is impossible"
#define LG_WRONG_SETTINGS "a setting of its solver is impossible"
#define LG_WRONG_STEPS    "a number of steps is impossible"
#define LG_WRONG_START    "it has neither started nor not started"

/** How to write and read the checkpoint of one kind of object. */
typedef struct lg_kept {
    const char *kind;                                      /**< "integrator" */
    const char *function;                                  /**< in messages */
    void (*describe)(lg_lines *lines, const void *object); /**< what must be the same where it is read */
    void (*list)(lg_tape *tape, void *object);             /**< its numbers */
} lg_kept;

/** Bytes of a checkpoint. */
size_t lg_checkpoint_bytes(const lg_kept *kept, const void *object);
/** Into `bytes`, which has room for that. */
void lg_checkpoint_write(const lg_kept *kept, const void *object, void *bytes);
/** Into the object. On failure it stays what it was.
 *  LG_ERROR_ARGUMENT: the bytes are no such checkpoint, damaged, or of another object. LG_ERROR_MEMORY. */
lg_status lg_checkpoint_read(const lg_kept *kept, void *object, const void *bytes, size_t size, lg_error *e);

#endif
