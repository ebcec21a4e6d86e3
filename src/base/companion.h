/* SPDX-License-Identifier: BSD-3-Clause */
/** @file companion.h
 *  A small text beside a file, NAME and what follows, that belongs to that file's contents: it never stands beside
 * other ones. Before the file gets its name the old text is put away and the new one is ready under a private name;
 * after that it gets its own. Whoever is killed in between leaves the file without a text. */
#ifndef LIEGRP_SRC_BASE_COMPANION_H
#define LIEGRP_SRC_BASE_COMPANION_H

#include <stddef.h>

typedef struct lg_companion {
    char *name; /* NULL: there is none, nothing happens */
    char *part; /* the new one; NULL: none */
    char *away; /* the old one; NULL: there was none */
    const char *mark;
} lg_companion;

/** A companion of the file NAME in a folder. One that is there must be a regular file that begins with `mark`; -1 with
 *  errno otherwise: EEXIST, it is something else, and there is no companion; or the system's. Where the name would be
 * too long there is none. */
int lg_companion_find(lg_companion *c, int folder, const char *name, const char *suffix, const char *mark);
/** What is there under that name is left alone if it is none by now. Writes the new text (NULL: none) beside the file
 * whose descriptor is `like`, with its permissions, and puts the old one away. -1 with errno: all is as it was. */
int lg_companion_prepare(lg_companion *c, int folder, const char *text, size_t size, int like);
/** The file has its name: so gets the text, and the old one goes. -1 with errno: then there is none. */
int lg_companion_settle(lg_companion *c, int folder);
/** The file did not get its name: the old text is back. */
void lg_companion_undo(lg_companion *c, int folder);
void lg_companion_free(lg_companion *c);

#endif
