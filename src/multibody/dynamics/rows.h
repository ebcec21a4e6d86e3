/* SPDX-License-Identifier: BSD-3-Clause */
/* rows.h: constraints in tree coordinates: G v = drift, G a = -bend, open = 0. */
#ifndef LG_MULTIBODY_DYNAMICS_ROWS_H
#define LG_MULTIBODY_DYNAMICS_ROWS_H

#include "multibody/dynamics/dynamics.h"

#define MB_DYNAMICS_OPEN 1e-8 /* what a state may violate: of lengths and angles, of velocities */

/* Has this block rows in tree coordinates? */
int mb_dynamics_has_rows(const mb_block *k);
/* Values of all rows, redundant ones too, in the order of lg_mechanism::all; each may be NULL. */
typedef struct mb_tree_rows {
    double *G;     /* rows x n */
    double *drift; /* of rows of velocities */
    double *bend;
    double *open;   /* of rows of positions */
    double *length; /* in the kinetic metric, of bodies that nothing connects: the scale of a row's rounding */
} mb_tree_rows;
void mb_dynamics_rows(lg_dynamics *d, const mb_tree_rows *to);
/* to (n) <- a row on these bodies, as forces along the coordinates. */
void mb_dynamics_gather_row(lg_dynamics *d, double *to, const mb_pair *row, const int *body, int sides);
/* Has the block the rotor of a joint that closes a loop? */
int mb_dynamics_turns_rotor(const lg_dynamics *d, const mb_block *k);
/* Adds these rotors: to M (n x n) their inertia, to f of bodies what turns them while those have d->acceleration. Each
 * may be NULL; M needs d->force. */
void mb_dynamics_rotors(lg_dynamics *d, double *M, mb_pair *f);
/* "joint", "wheel" or "gear", and the name of the part that has this row. */
const char *mb_dynamics_row_name(const lg_dynamics *d, int row, const char **name);
/* LG_ERROR_INCONSISTENT: the state violates a row. The node is at the state afterwards. */
lg_status mb_dynamics_closed(lg_dynamics *d, const char *who);

#endif
