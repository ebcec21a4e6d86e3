/* SPDX-License-Identifier: BSD-3-Clause */
/* Springs and dampers that MuJoCo finds from the inertia of the tree of bodies at the start, without equalities:
 * springdamper of joints, dampratio of servos. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <liegrp/multibody/dynamics.h>

#include "base/dense.h"
#include "multibody/files/mjcf.h"
#include "multibody/parts/part.h"

enum { COORDINATES_MOST = 3000 }; /* of a dense inertia */

/* Numbers of a position of a joint, or of a motor, that are not known yet. */
struct mj_wish {
    mj_wish *next;
    const mb_element *at;
    const char *name; /* of the position, or of the motor's */
    int motor;        /* its number; -1: springdamper */
    double number[2]; /* time constant and damping ratio; the damping ratio */
};

void mj_wish_for(mj_reader *o, const mb_element *e, const char *name, int motor, const double *number)
{
    mj_wish *w = mb_take(o->r, sizeof *w);
    if (w == NULL) return;
    *w = (mj_wish){o->wish, e, name, motor, {number[0], motor < 0 ? number[1] : 0}};
    o->wish = w;
}

/* M of a copy of the mechanism at its start, n x n, and the diagonal of its inverse; the caller frees *M and the copy.
 */
static lg_status inertias(const lg_mechanism *m, lg_mechanism **own, lg_dynamics **d, double **M, double **inverse)
{
    lg_status st = mb_describe_again(own, m);
    lg_mechanism *copy = *own;
    if (st == LG_OK) st = lg_mechanism_compile(copy);
    if (st == LG_OK) st = lg_dynamics_create(d, copy);
    if (st == LG_OK) st = mb_dynamics_assembled(*d);
    const int n = lg_dynamics_count(*d);
    const size_t side = (size_t)n;
    if (st == LG_OK && n > COORDINATES_MOST)
        st = lg_fail(&copy->error, LG_ERROR_UNSUPPORTED,
                     "it is a dense matrix, and there are %d coordinates, more than %d; give stiffness and damping", n,
                     COORDINATES_MOST);
    if (st != LG_OK) return st;
    *M = calloc(2 * side * side + 2 * side + 1, sizeof **M);
    if (*M == NULL) st = LG_ERROR_MEMORY;
    if (st == LG_OK) {
        double *L = *M + side * side, *x = L + side * side;
        *inverse = x + side;
        st = lg_dynamics_mass_matrix(*d, *M);
        memcpy(L, *M, side * side * sizeof *L);
        if (st == LG_OK) st = lg_cholesky(L, n, NULL);
        for (int i = 0; st == LG_OK && i < n; i++) {
            memset(x, 0, side * sizeof *x), x[i] = 1;
            lg_cholesky_solve(L, n, x);
            (*inverse)[i] = x[i];
        }
    }
    return st;
}

/* The numbers of a position become those of the joint, or of its coordinate. */
static void give_spring(lg_mechanism *m, const char *name, double stiffness, double damping)
{
    const int c = mb_find(m, MB_COORDINATES, name);
    if (c >= 0) {
        lg_coordinate *own = mb_part_at(m, MB_COORDINATES, c);
        own->stiffness = stiffness, own->damping = damping;
        return;
    }
    lg_joint *own = mb_part_at(m, MB_JOINTS, mb_find(m, MB_JOINTS, name));
    own->stiffness = stiffness, own->damping = damping;
}

static void fulfil(const mj_reader *o, const mj_wish *w, int at, int n, const double *M, const double *inverse)
{
    lg_mechanism *m = o->r->m;
    if (w->motor < 0) {
        const double I = 1 / inverse[at], T = w->number[0], z = w->number[1];
        give_spring(m, w->name, o->slack ? 0 : I / (T * T * z * z), o->undamped ? 0 : 2 * I / T);
        return;
    }
    lg_motor *motor = mb_part_at(m, MB_MOTORS, w->motor);
    const double I = M[(size_t)at * (size_t)n + (size_t)at] / (motor->ratio * motor->ratio);
    motor->velocity_gain = w->number[0] * 2 * sqrt(motor->position_gain * I);
}

void mj_fulfil_wishes(mj_reader *o)
{
    mb_reader *r = o->r;
    lg_mechanism *tree = NULL;
    lg_dynamics *d = NULL;
    double *M = NULL, *inverse = NULL;
    if (o->wish == NULL || r->status != LG_OK) return;
    const lg_status st = inertias(r->m, &tree, &d, &M, &inverse);
    if (st != LG_OK)
        mb_refuse_as(r, st, o->wish->at, "springdamper and dampratio need the inertia at the start: %.150s",
                     lg_mechanism_message(tree));
    for (const mj_wish *w = o->wish; w != NULL && r->status == LG_OK; w = w->next) {
        int position;
        const int j = lg_mechanism_joint_position(tree, &position, w->name), at = lg_dynamics_joint_index(d, NULL, j);
        if (at >= 0 && position >= 0) fulfil(o, w, at + position, lg_dynamics_count(d), M, inverse);
    }
    free(M);
    lg_dynamics_destroy(d);
    lg_mechanism_destroy(tree);
}
