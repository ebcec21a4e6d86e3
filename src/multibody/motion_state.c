/* SPDX-License-Identifier: BSD-3-Clause */
/* The state of a motion in terms of lg_mechanism_system(): configuration and momentum. */
#include <liegrp/multibody/system.h>

#include <string.h>

#include <liegrp/groups/so3.h>

#include "multibody/motion.h"

lg_status lg_motion_state(const lg_motion *mo, double *g, double *p)
{
    if (mo == NULL || !mo->started) return LG_ERROR_ARGUMENT;
    const mb_node *n = mb_now(mo);
    for (int b = 0; b < mo->mechanism->plan.bodies; b++) {
        const mb_pose *pose = &n->pose[b];
        if (g != NULL) memcpy(g + 7 * b, pose->r, sizeof pose->r), memcpy(g + 7 * b + 3, pose->q, sizeof pose->q);
        if (p == NULL) continue;
        memcpy(p + 6 * b, n->p[b].v, 3 * sizeof *p);
        mb_back(p + 6 * b + 3, pose->R, n->p[b].v + 3);
    }
    return LG_OK;
}

lg_status lg_motion_start_state(lg_motion *mo, double t0, const double *g, const double *p, int project)
{
    if (mo == NULL || mo->numbers.plan == NULL) return LG_ERROR_ARGUMENT;
    if (g == NULL || p == NULL)
        return lg_fail(&mo->error, LG_ERROR_ARGUMENT, "lg_motion_start_state: configuration and momentum are needed");
    const mb_plan *plan = &mo->mechanism->plan;
    for (int b = 0; b < plan->bodies; b++) {
        const double *I = plan->inverse_inertia + 9 * b, *from = p + 6 * b;
        double *pose = mo->poses + 7 * b, *twist = mo->twists + 6 * b, x[3], w[3];
        lg_so3_act(x, g + 7 * b + 3, MB_BODY(mo->mechanism, b)->centre);
        for (int k = 0; k < 3; k++) {
            pose[k] = g[7 * b + k] - x[k], twist[k] = from[k] / plan->mass[b];
            w[k] = I[3 * k] * from[3] + I[3 * k + 1] * from[4] + I[3 * k + 2] * from[5];
        }
        memcpy(pose + 3, g + 7 * b + 3, 4 * sizeof *pose);
        lg_so3_act(twist + 3, pose + 3, w);
    }
    return lg_motion_start_poses(mo, t0, mo->poses, mo->twists, project);
}
