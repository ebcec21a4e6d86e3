/* SPDX-License-Identifier: BSD-3-Clause */
/* work.h: numbers on some of a mechanism's blocks while it is compiled. */
#ifndef LG_MULTIBODY_WORK_H
#define LG_MULTIBODY_WORK_H

#include "multibody/mechanism.h"
#include "multibody/step.h"

/* A plan over some of the blocks, and one node of it. */
typedef struct mb_work {
    mb_plan plan;
    mb_block *block;
    mb_node node;
    void *memory;
    mb_pair *twist, *wrench;
    double *x, *sum;
} mb_work;

/* Numbers the blocks' rows and parts; holonomic blocks come first. */
void mb_number_blocks(mb_plan *p, mb_block *block, int count);
/* Order and symbolic factors of a plan whose blocks are numbered. 0: out of memory. */
int mb_make_factors(mb_plan *p, int keep_order);
/* Work on these blocks, at the mechanism's poses. 0: out of memory. */
int mb_work_make(mb_work *w, const lg_mechanism *m, const mb_block *block, int count);
void mb_work_free(mb_work *w);
/* Leaders to where what follows them is. */
void mb_place_leaders(mb_work *w);

/* assemble.c: how far bodies went, in m and rad, and which went farthest. */
typedef struct mb_moved {
    double far, angle;
    int farthest, turned;
} mb_moved;

/* A move by this part of the reach, or of 1 rad, is reported. */
#define MB_NOTICED 1e-4

/* From poses of 7 numbers to these, of the bodies that were described. */
void mb_moved_most(mb_moved *most, const lg_mechanism *m, const double *from, const mb_pose *pose);
/* "moved body 'a' by 4.9 m and turned body 'b' by 0.2 rad"; the number of characters, 0 if there is nothing to tell. */
size_t mb_print_moved(char *text, size_t size, const lg_mechanism *m, const mb_moved *most);
/* assemble.c: moves m->pose onto phi = 0. */
lg_status mb_assemble(lg_mechanism *m, const mb_block *block, int count);
/* Newton from the node's poses with a factor that is regularised by so much; returns the largest |phi| that is left,
 * relative to mb_row_scale(), the block that has it, and the rounds made. */
double mb_newton(const lg_mechanism *m, mb_work *w, double regular, int *open, int *rounds);
/* excess.c: do the rows that were left out hold wherever the others do, also near the assembled configuration?
 * `w` is work on the rows that were kept. */
lg_status mb_check_excess(lg_mechanism *m, mb_work *w);

#endif
