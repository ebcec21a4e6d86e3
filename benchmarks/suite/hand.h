/* SPDX-License-Identifier: BSD-3-Clause */
/* GNI steps written by hand, with everything computed in advance that the problem allows, and with the library's
 * stopping rule. bench_steps() compares the generic step with these. */
#ifndef BENCH_HAND_H
#define BENCH_HAND_H

typedef struct bench_hand {
    double h;
    double g0[8], p0[6]; /* the start: configuration, p^- */
    double g[8], p[6];   /* the end of the last run */
} bench_hand;

typedef void (*bench_hand_walk)(bench_hand *b, long steps);

/* The rolling ball of the paper on R^2 x SO(3), m = 3, r = 1, Omega = 0.2, I = (1, 1.1, 1.2). */
extern const double bench_ball_inertia[5];
extern const double bench_ball_table;
void bench_hand_ball_cayley(bench_hand *b, long steps);
void bench_hand_ball_exp(bench_hand *b, long steps);
/* A free body on SO(3). */
extern const double bench_body_inertia[6]; /* on SE(3); the last three on SO(3) */
void bench_hand_body_cayley(bench_hand *b, long steps);
void bench_hand_body_exp(bench_hand *b, long steps);
/* The Chaplygin sleigh on SE(2), row (0, 1, 0). */
extern const double bench_sleigh_inertia[9];
void bench_hand_sleigh_cayley(bench_hand *b, long steps);
void bench_hand_sleigh_exp(bench_hand *b, long steps);
/* A free body on SE(3): a loop of one's own around lg_se3_*(). */
void bench_hand_space_cayley(bench_hand *b, long steps);
void bench_hand_space_exp(bench_hand *b, long steps);
/* The particle z' = y x', V = x^2 + y^2, on R^3. */
void bench_hand_particle(bench_hand *b, long steps);

#endif
