/* SPDX-License-Identifier: BSD-3-Clause */
/* Motions of mechanisms as arrays. No lock of Python's holds these loops up. */

/* Numbers of all bodies. */
static lg_status lgp_motion_poses(const lg_motion *mo, double *poses, double *twists, int bodies)
{
    lg_status status = LG_OK;
    for (int b = 0; b < bodies && status == LG_OK; b++) {
        if (poses != NULL) status = lg_motion_body_pose(mo, poses + 7 * b, b);
        if (twists != NULL && status == LG_OK) status = lg_motion_body_twist(mo, twists + 6 * b, b);
    }
    return status;
}
