/* SPDX-License-Identifier: BSD-3-Clause */
/* row.h: the kinds of rows, and what the file of each one states. A row is a linear equation between the twists of a
 * few bodies; the rows of one kind from one part make a block, which is eliminated together. NAME.h defines, at any
 * width and always inline, so that a loop over blocks of one kind has no calls:
 *
 *   mb_NAME_rows   the rows at a pose, and phi of a position row, the drift of a velocity row (A xi = drift). At the
 *                  average of two poses a position row is the exact discrete derivative, h G xi = phi_1 - phi_0
 *   mb_NAME_bend   A' xi - drift': what changes while the poses move with xi and xi stays what it is
 *                  (docs/theory.md section 18). A row's equation of acceleration is A xi' = drift' - A' xi
 *
 * These serve the sparse engine and the dense one (system.c) alike: see block.h. */
#ifndef LG_MULTIBODY_ROW_H
#define LG_MULTIBODY_ROW_H

/* KIND, name, and facts of the kind: see mb_row_facts in plan.h. A plan's blocks are in this order, those of positions
 * first. */
#define MB_ROW_LIST(X)                                                                                                 \
    X(JOINT, joint, .part = MB_JOINTS, .first = 1)                                                                     \
    X(COMPOSED, composed, .part = MB_JOINTS, .first = 1)                                                               \
    X(HEIGHT, height, .part = MB_WHEELS, .first = 1, .normal = 1)                                                      \
    X(GEAR, gear, .part = MB_GEARS, .first = 1)                                                                        \
    X(ROLL, roll, .part = MB_WHEELS, .first = 2, .velocity = 1)                                                        \
    X(SKATE, skate, .part = MB_WHEELS, .first = 3, .velocity = 1)                                                      \
    X(TOUCH, touch, .part = MB_SPHERE_CONTACTS, .first = 1, .normal = 1)                                               \
    X(ROLLING, rolling, .part = MB_SPHERE_CONTACTS, .first = 2, .velocity = 1)                                         \
    X(ROTOR, rotor, .part = MB_JOINTS, .first = MB_ROWS_MOST + 1, .velocity = 1)                                       \
    X(DRIVE, drive, .part = MB_DRIVES, .first = 1)                                                                     \
    X(HELD, held, .part = MB_TENDONS, .first = 1)

#define MB_ROW_KIND(KIND, name, ...) MB_##KIND,
typedef enum mb_block_kind { MB_ROW_LIST(MB_ROW_KIND) } mb_block_kind;
#undef MB_ROW_KIND

enum { MB_ROWS_MOST = 6, MB_SIDES_MOST = 4 }; /* rows of one block, bodies of one row */

#endif
