/* SPDX-License-Identifier: BSD-3-Clause */
/* Mathematical symbols for their names in ASCII. */
#ifndef LIEGRP_CLI_SYMBOLS_H
#define LIEGRP_CLI_SYMBOLS_H

#include <stddef.h>

/* The text in UTF-8 with symbols: xi_k, omega_1, Omega, p~, p^-, x^2, H - H_0, 6e-4 as they are printed. Names of more
 * than one letter keep their underscores (my_system). Cut to the room at a character's end; returns its bytes. */
size_t symbols_of(char *to, size_t room, const char *text);
/* The exponent at the beginning of the text, ^2, ^-1, ^- or ^(1/2), as superscripts in `to`, *bytes of them; it is cut
 * to the room. Returns the bytes read, 0: the text begins with no exponent. */
size_t symbols_exponent(char *to, size_t room, const char *text, size_t *bytes);
/* The width of a text of symbols in mean characters of a proportional font, rather too much than too little. */
int symbols_width(const char *text);

#endif
