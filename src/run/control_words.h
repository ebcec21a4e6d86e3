/* SPDX-License-Identifier: BSD-3-Clause */
/* control_words.h: words about the columns of a mechanism's controls. */
#ifndef LG_RUN_CONTROL_WORDS_H
#define LG_RUN_CONTROL_WORDS_H

#include "multibody/mechanism.h"

/* The column STEM_SUFFIXPART of the mechanism's own strings, such as hook_tau_2: "WHAT of NOUN OF". */
typedef struct lg_control_words {
    const char *stem, *suffix, *unit, *what, *noun, *of;
    char part[16];
} lg_control_words;

lg_control_words lg_control_words_of(const lg_mechanism *m, int control);

#endif
