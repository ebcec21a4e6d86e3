/* SPDX-License-Identifier: BSD-3-Clause */
/* The state of a motion in terms of lg_mechanism_system(): configuration, velocity and momentum. */
#include <math.h>
#include <string.h>

#include <liegrp/groups/jacobian.h>
#include <liegrp/groups/so3.h>

#include "multibody/contact/landing.h"
#include "multibody/contact/near.h"
#include "multibody/motion.h"

/* That of one body; each may be NULL. */
static void body_state(const mb_plan *plan, int b, const mb_pose *pose, const mb_pair *pair, double *g, double *xi,
                       double *p)
{
    double L[3];
    if (g != NULL) memcpy(g, pose->r, sizeof pose->r), memcpy(g + 3, pose->q, sizeof pose->q);
    mb_back(L, pose->R, pair->v + 3);
    if (p != NULL) memcpy(p, pair->v, sizeof L), memcpy(p + 3, L, sizeof L);
    if (xi == NULL) return;
    for (int k = 0; k < 3; k++) xi[k] = pair->v[k] / plan->mass[b];
    mb_inverse_inertia(plan, b, xi + 3, L);
}

lg_status mb_sparse_state(const mb_sparse *mo, double *g, double *xi, double *p)
{
    const mb_node *n = mb_now(mo);
    if (!mo->started) return LG_ERROR_ARGUMENT;
    for (int b = 0; b < mo->mechanism->plan.bodies; b++)
        body_state(&mo->mechanism->plan, b, &n->pose[b], &n->p[b], g != NULL ? g + 7 * b : NULL,
                   xi != NULL ? xi + 6 * b : NULL, p != NULL ? p + 6 * b : NULL);
    return LG_OK;
}

/* Interpolation --------------------------------------------------------------------------------------------------- */

/* Cubic Hermite polynomial at s of three numbers that are 0 and y1 at the ends of a step of h, with rates v0 and v1;
 * and its rate. */
static void hermite(double *y, double *rate, const double *y1, const double *v0, const double *v1, double h, double s)
{
    const double c = s * s * (3 - 2 * s), d0 = s * (1 - s) * (1 - s), d1 = s * s * (s - 1);
    for (int k = 0; k < 3; k++) {
        y[k] = c * y1[k] + h * (d0 * v0[k] + d1 * v1[k]);
        rate[k] = 6 * s * (1 - s) * y1[k] / h + (1 - s) * (1 - 3 * s) * v0[k] + s * (3 * s - 2) * v1[k];
    }
}

static void multiply(double *out, const double *M, const double *x)
{
    const double a = x[0], b = x[1], c = x[2];
    for (int k = 0; k < 3; k++) out[k] = M[3 * k] * a + M[3 * k + 1] * b + M[3 * k + 2] * c;
}

/* A body at s between two states: r is a polynomial, and so is y of q = q0 exp(y), with omega = J_r(y) y'. */
static lg_status body_between(double *g, double *xi, const double *g0, const double *xi0, const double *g1,
                              const double *xi1, double h, double s)
{
    double y1[3], v1[3], y[3], rate[3], q[4], J[9];
    for (int k = 0; k < 3; k++) y1[k] = g1[k] - g0[k];
    hermite(y, xi, y1, xi0, xi1, h, s);
    for (int k = 0; k < 3; k++) g[k] = g0[k] + y[k];
    lg_so3_inverse(q, g0 + 3);
    lg_so3_compose(q, q, g1 + 3);
    if (lg_so3_log(y1, q) != LG_OK) return LG_ERROR_DOMAIN;
    lg_so3_right_jacobian_inv(J, y1);
    multiply(v1, J, xi1 + 3);
    hermite(y, rate, y1, xi0 + 3, v1, h, s);
    lg_so3_exp(q, y);
    lg_so3_compose(g + 3, g0 + 3, q);
    lg_so3_right_jacobian(J, y);
    multiply(xi + 3, J, rate);
    return LG_OK;
}

lg_status mb_sparse_interpolate(const mb_sparse *mo, double *t, double *g, double *xi, double s)
{
    const mb_plan *plan = &mo->mechanism->plan;
    const mb_saved *from = &mo->saved[0];
    const mb_node *n = mb_now(mo);
    const double h = mo->t - from->t;
    if (!mo->stepped || !(fabs(h) > 0)) return LG_ERROR_ARGUMENT;
    *t = s == 1 ? mo->t : from->t + s * h;
    for (int b = 0; b < plan->bodies; b++) {
        double g0[7], xi0[6], g1[7], xi1[6];
        body_state(plan, b, &from->pose[b], &from->p[b], g0, xi0, NULL);
        body_state(plan, b, &n->pose[b], &n->p[b], g1, xi1, NULL);
        const lg_status st = body_between(g + 7 * b, xi + 6 * b, g0, xi0, g1, xi1, h, s);
        if (st != LG_OK) return st;
        if (s == 1) memcpy(g + 7 * b, g1, sizeof g1), memcpy(xi + 6 * b, xi1, sizeof xi1);
    }
    return LG_OK;
}

/* Starts, and what is shown --------------------------------------------------------------------------------------- */

lg_status mb_sparse_start_state(mb_sparse *mo, double t0, const double *g, const double *xi, int project)
{
    for (int b = 0; b < mo->mechanism->plan.bodies; b++) {
        double *pose = mo->poses + 7 * b, *twist = mo->twists + 6 * b, x[3];
        lg_so3_act(x, g + 7 * b + 3, MB_BODY(mo->mechanism, b)->centre);
        for (int k = 0; k < 3; k++) pose[k] = g[7 * b + k] - x[k], twist[k] = xi[6 * b + k];
        memcpy(pose + 3, g + 7 * b + 3, 4 * sizeof *pose);
        lg_so3_act(twist + 3, pose + 3, xi + 6 * b + 3);
    }
    return mb_sparse_start_poses(mo, t0, mo->poses, mo->twists, project);
}

void mb_sparse_show(mb_sparse *mo, double t, const double *g, const double *p)
{
    const mb_plan *plan = &mo->mechanism->plan;
    mb_node *n = &mo->numbers.node[mo->numbers.now];
    for (int b = 0; b < plan->bodies; b++) {
        mb_pose_load(&n->pose[b], g + 7 * b);
        memcpy(n->p[b].v, p + 6 * b, 3 * sizeof *p);
        mb_turn(n->p[b].v + 3, n->pose[b].R, p + 6 * b + 3);
    }
    mb_stray none;
    (void)mb_node_lead(plan, n, t, -1, &none); /* between two times that it knows */
    mb_node_place(plan, n, n->q);
    mo->t = mo->t0 = t, mo->started = 1, mo->stepped = 0;
}

void mb_sparse_show_velocity(mb_sparse *mo, double t, const double *g, const double *xi)
{
    const mb_plan *plan = &mo->mechanism->plan;
    double *p = mo->wrenches;
    for (int b = 0; b < plan->bodies; b++) {
        for (int k = 0; k < 3; k++) p[6 * b + k] = plan->mass[b] * xi[6 * b + k];
        multiply(p + 6 * b + 3, plan->inertia + 9 * b, xi + 6 * b + 3);
    }
    mb_sparse_show(mo, t, g, p);
}

lg_status mb_sparse_remember(mb_sparse *mo)
{
    mb_save(mo, &mo->first);
    return LG_OK;
}

lg_status mb_sparse_set_step(mb_sparse *mo, double h)
{
    if (mo->numbers.contacts != NULL && h < 0)
        return lg_fail(&mo->head.error, LG_ERROR_ARGUMENT,
                       "lg_motion_set_step: step h is %g, and contacts run forwards only; give a positive step", h);
    if (h == mo->h) return LG_OK;
    mo->h = h, mo->t0 = mo->t, mo->count = 0;
    mb_forget(mo);
    return mo->numbers.contacts != NULL && mo->started ? mb_near_begin(mo, mb_now(mo), h, 0) : LG_OK;
}

lg_status mb_sparse_reset(mb_sparse *mo)
{
    mb_restore(mo, &mo->first);
    memcpy(mo->numbers.control, mo->first.control, sz(mo->plan.controls) * sizeof *mo->first.control);
    memcpy(mo->numbers.act, mo->first.act, sz(mb_activation_numbers(&mo->plan)) * sizeof *mo->first.act);
    mo->t0 = mo->t, mo->count = 0, mo->stepped = 0, mo->jumped = 0;
    if (mo->numbers.contacts != NULL) mb_contacts_forget(mo->numbers.contacts);
    mb_choose_rows(mo);
    mb_choice_look(&mo->choice, &mo->numbers);
    return mo->numbers.contacts != NULL ? mb_near_begin(mo, mb_now(mo), mo->h, 0) : LG_OK;
}
