/* SPDX-License-Identifier: BSD-3-Clause */
/** @file place.h
 *  Where a file's name leads, through links and devices, and whether it may be written there. */
#ifndef LIEGRP_SRC_BASE_PLACE_H
#define LIEGRP_SRC_BASE_PLACE_H

#include <errno.h>
#include <sys/stat.h>

/** An errno that no call here sets: another user's file, in a folder where everybody may create files. */
#define LG_PLACE_FOREIGN EUSERS

/** Where a name leads: a name in an opened folder, or a descriptor of this process. */
typedef struct lg_place {
    int folder;
    int descriptor; /* -1: none */
    int exists;
    struct stat at;
    char *path; /* after all links */
    char *name; /* its last part, inside it */
} lg_place;

/** Finds the place; -1 with errno, and nothing to forget. */
int lg_place_find(lg_place *p, const char *path);
void lg_place_forget(lg_place *p);
/** 1: a device, a pipe or a descriptor of this process: it is written directly. */
int lg_place_is_direct(const lg_place *p);
/** 0 if it may be written, as far as this can be known before opening; -1 with errno. */
int lg_place_is_writable(const lg_place *p);

#endif
