/* SPDX-License-Identifier: BSD-3-Clause */
/* touch.h: which surfaces touch, and with what values, by their descriptions alone; of a mechanism that need not be
 * compiled. */
#ifndef LG_MULTIBODY_CONTACT_TOUCH_H
#define LG_MULTIBODY_CONTACT_TOUCH_H

#include <liegrp/multibody/contact.h>

#include "multibody/mechanism.h"

#define MB_SURFACE_OF(m, i) MB_PART(m, MB_SURFACES, lg_surface, i)
#define MB_PAIR_OF(m, i)    MB_PART(m, MB_SURFACE_PAIRS, lg_surface_pair, i)

/* 1: a surface of this kind is a in its pairs, as planes and terrain are. */
static inline int mb_is_ground(lg_surface_kind kind)
{
    return kind >= LG_SURFACE_PLANE;
}
/* 1: contacts of surfaces of these kinds and sizes have rows; a plane is a, of the world if `of_world`. */
int mb_can_meet(const lg_surface *a, const lg_surface *b, int of_world);
/* 1: contype of one and conaffinity of the other have a bit in common. */
int mb_bits_meet(int contype, int conaffinity, int other_contype, int other_conaffinity);
/* The rule of the friction of two surfaces without a pair, and that friction. */
lg_meeting_reason mb_friction_reason(const lg_surface *a, const lg_surface *b);
double mb_friction_of(const lg_surface *a, const lg_surface *b);
/* Keys of the `count` pairs of bodies with a joint between them that is not free, ascending; the world is a neighbour
 * of what is fixed to it. NULL: out of memory; the caller frees it. */
int64_t *mb_neighbours_of(const lg_mechanism *m, int *count);
/* The key of bodies a and b in any order; the world is the number of bodies. Their order. */
int64_t mb_pair_key(const lg_mechanism *m, int a, int b);
int mb_compare_keys(const void *a, const void *b);

#endif
