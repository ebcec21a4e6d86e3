/* SPDX-License-Identifier: BSD-3-Clause */
/** @file companion.h
 *  A small text file next to a file NAME, called NAME plus a suffix, that describes exactly its contents. Before
 *  the file gets its name the old text is moved away and the new one is complete under a private name; afterwards the
 *  new text gets its name. A process that is killed in between leaves the file without a text. */
#ifndef LIEGRP_SRC_BASE_COMPANION_H
#define LIEGRP_SRC_BASE_COMPANION_H

#include <stddef.h>

typedef struct lg_companion {
    char *name; /* NULL: no companion, the functions do nothing */
    char *part; /* private name of the new text, or NULL */
    char *away; /* private name of the old text, or NULL */
    const char *mark;
} lg_companion;

/** Names the companion of the file NAME in a folder. An existing one must be a regular file that begins with `mark`.
 *  Returns -1 and no companion, with errno EEXIST if that name is another kind of file, or with the system's number.
 *  If the name would be too long there is no companion, without an error. */
int lg_companion_find(lg_companion *c, int folder, const char *name, const char *suffix, const char *mark);
/** Writes the new text (NULL: no text) next to the file with descriptor `like`, with its permissions, and moves the old
 *  text away. A file of that name that is not a companion is left alone. -1 with errno: nothing has changed. */
int lg_companion_prepare(lg_companion *c, int folder, const char *text, size_t size, int like);
/** After the file got its name: names the new text and deletes the old one. -1 with errno: there is no companion. */
int lg_companion_settle(lg_companion *c, int folder);
/** If the file did not get its name: restores the old text. */
void lg_companion_undo(lg_companion *c, int folder);
void lg_companion_free(lg_companion *c);

#endif
