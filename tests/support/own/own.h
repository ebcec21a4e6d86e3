/* SPDX-License-Identifier: BSD-3-Clause */
/* Systems as users write them, for `liegrp verify --system`: one shared object, in which the environment variable
 * LG_OWN_SYSTEM names the one that is opened. None of them resembles the catalog more than it must. */
#ifndef TESTS_SUPPORT_OWN_H
#define TESTS_SUPPORT_OWN_H

#include <math.h>

#include <liegrp/liegrp.h>

/* Right ones, by the file that has them; NULL ends a list. */
extern const lg_model_definition *const own_flat[], *const own_plane[], *const own_space[];
/* Wrong ones: something in each is not the derivative that it says it is. */
extern const lg_model_definition *const own_wrong[];

#endif
