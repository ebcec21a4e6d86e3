/* SPDX-License-Identifier: BSD-3-Clause */
/* The state of a motion in terms of lg_mechanism_system(): configuration, velocity and momentum. */
#include <string.h>

#include <liegrp/groups/so3.h>

#include "multibody/motion.h"

lg_status mb_sparse_state(const mb_sparse *mo, double *g, double *xi, double *p)
{
    const mb_plan *plan = &mo->mechanism->plan;
    const mb_node *n = mb_now(mo);
    if (!mo->started) return LG_ERROR_ARGUMENT;
    for (int b = 0; b < plan->bodies; b++) {
        const mb_pose *pose = &n->pose[b];
        double L[3];
        if (g != NULL) memcpy(g + 7 * b, pose->r, sizeof pose->r), memcpy(g + 7 * b + 3, pose->q, sizeof pose->q);
        mb_back(L, pose->R, n->p[b].v + 3);
        if (p != NULL) memcpy(p + 6 * b, n->p[b].v, sizeof L), memcpy(p + 6 * b + 3, L, sizeof L);
        if (xi == NULL) continue;
        for (int k = 0; k < 3; k++) xi[6 * b + k] = n->p[b].v[k] / plan->mass[b];
        mb_inverse_inertia(plan, b, xi + 6 * b + 3, L);
    }
    return LG_OK;
}

lg_status mb_sparse_start_state(mb_sparse *mo, double t0, const double *g, const double *xi, int project)
{
    for (int b = 0; b < mo->mechanism->plan.bodies; b++) {
        double *pose = mo->poses + 7 * b, *twist = mo->twists + 6 * b, x[3];
        lg_so3_act(x, g + 7 * b + 3, MB_BODY(mo->mechanism, b)->centre);
        for (int k = 0; k < 3; k++) pose[k] = g[7 * b + k] - x[k], twist[k] = xi[6 * b + k];
        memcpy(pose + 3, g + 7 * b + 3, 4 * sizeof *pose);
        lg_so3_act(twist + 3, pose + 3, xi + 6 * b + 3);
    }
    return lg_motion_start_poses(&mo->head, t0, mo->poses, mo->twists, project);
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
    mb_node_place(plan, n, n->q);
    mo->t = mo->t0 = t, mo->started = 1, mo->stepped = 0;
}

lg_status mb_sparse_remember(mb_sparse *mo)
{
    mb_save(mo, &mo->first);
    return LG_OK;
}

lg_status mb_sparse_reset(mb_sparse *mo)
{
    mb_restore(mo, &mo->first);
    memcpy(mo->numbers.control, mo->first.control, sz(mo->plan.controls) * sizeof *mo->first.control);
    mo->t0 = mo->t, mo->count = 0, mo->stepped = 0, mo->jumped = 0;
    mb_choose_rows(mo);
    mb_choice_look(&mo->choice, &mo->numbers);
    return LG_OK;
}
