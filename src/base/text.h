/* SPDX-License-Identifier: BSD-3-Clause */
/** @file text.h
 *  Untrusted names, quoted for other languages. */
#ifndef LIEGRP_SRC_BASE_TEXT_H
#define LIEGRP_SRC_BASE_TEXT_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/** The length in bytes of the UTF-8 character at `text`, 1 at the text's end; 0 if it is not UTF-8. *code (may be NULL)
 * = its number. */
int lg_text_character(const char *text, uint32_t *code);
/** 1: the character can be shown as it is. 0: control characters (C0, DEL, C1), marks that change the text direction,
 *  line separators, characters without a width or a meaning. A terminal obeys some of these, and hides the others.
 */
int lg_text_is_shown(uint32_t code);
/** Makes a text printable, by the rules of snprintf(): other characters are written as in C, \n, \x1b, \u202e; bytes
 *  that are not UTF-8 as \xff. It reads `most` bytes at most, and leaves out a character that they cut. */
int lg_text_shown(char *to, size_t room, const char *text, size_t most);
/** Copies as many whole characters as fit, and ends the text. */
void lg_text_copy(char *to, size_t room, const char *text);
/** As a field of a CSV (RFC 4180): in double quotes if it contains a comma, a quote or a line's end. Negative on
 *  failure. */
int lg_text_csv(FILE *f, const char *text);
/** A literal of Python in ASCII, with its quotes, by the rules of snprintf(). Bytes that are not UTF-8 become the
 *  characters with these numbers. */
int lg_text_python(char *to, size_t room, const char *text);

#endif
