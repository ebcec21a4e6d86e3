/* SPDX-License-Identifier: BSD-3-Clause */
/* Starts that overlap: the bodies move apart as little as possible in the metric of their masses,
 *
 *   dx = J^-1 Pi G_c^T P,   0 <= P, gap + W P >= 0 and one of them 0,
 *
 * where Pi satisfies the rows of joints, until nothing overlaps. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <liegrp/groups/so3.h>

#include "multibody/contact/landing.h"
#include "multibody/contact/sweeps.h"
#include "multibody/parts/part.h"

enum { MB_APART_MOST = 40 };

/* The deepest overlap at the node; what is nearer than this may come to overlap, and acts. */
static double deepest(mb_motion *m, const mb_node *n)
{
    mb_contacts *c = m->contacts;
    double depth = 0;
    for (int i = 0; i < c->count; i++) {
        const mb_contact *k = &c->contact[i];
        c->gap[i] = k->kind == MB_CONTACT_DRY || mb_contact_rests(k, n) ? INFINITY : mb_contact_gap(m->plan, k, n);
        depth = fmax(depth, -c->gap[i]);
    }
    for (int i = 0; i < c->count; i++) c->acts[i] = c->gap[i] <= depth;
    return depth;
}

/* m->wrench: the motion J dx of the frames. 0: it was not found. */
static int find_motion(mb_motion *m, mb_node *n)
{
    mb_contacts *c = m->contacts;
    const mb_plan *plan = m->plan;
    const mb_place at = {{NULL, n->pose, n->pose, n->pose, n->q, n->q, NULL},
                         n->mobility,
                         n->rows.row,
                         &plan->node,
                         n->factor,
                         plan->holonomic_blocks,
                         plan->holonomic_rows,
                         1};
    int relations = 0;
    mb_node_rows(plan, n, 0);
    if (!mb_contacts_list(c)) return 0;
    mb_contacts_rows(m, &at);
    if (!mb_contacts_operator(m, &at)) return 0;
    for (int a = 0; a < c->acting; a++)
        for (int i = 0; i < c->contact[c->which[a]].rows; i++) {
            const int r = c->row_of[a] + i;
            c->relation[relations++] = (mb_ncp_contact){r, 1, 0, 0, i == 0 ? INFINITY : 0};
            c->b[r] = i == 0 ? c->gap[c->which[a]] : 0, c->x[r] = 0;
        }
    c->effort = MB_NCP_WHOLE;
    if (!mb_contacts_solve(m, relations, 0, 0)) return 0;
    mb_clear(m->wrench, mb_frames(plan) - 1);
    mb_contacts_wrench(c, m->wrench, 1, c->x, 0);
    mb_contacts_answer(m, &at);
    mb_backward(plan, at.S, at.factor, m->y);
    mb_push(plan, at.joints, m->wrench, -1, m->y, at.blocks);
    return 1;
}

/* Poses and twists of the bodies, moved by it, and the start from them. */
static lg_status move(mb_sparse *mo, double *poses, double *twists)
{
    const lg_mechanism *m = mo->mechanism;
    const mb_motion *own = &mo->numbers;
    const mb_node *n = mb_now(mo);
    for (int i = 0; i < mb_seen(m, MB_BODIES); i++) {
        lg_status_ignore(lg_motion_body_pose(&mo->head, poses + 7 * i, i));
        lg_status_ignore(lg_motion_body_twist(&mo->head, twists + 6 * i, i));
    }
    for (int b = 0; b < m->plan.bodies - m->plan.rotors; b++) {
        const int i = m->hub[b].host;
        double *pose = poses + 7 * i, w[3], turn[4], q[4], R[9], centre[3];
        mb_mobile(w, &n->mobility[b], own->wrench[b].v + 3);
        lg_so3_exp(turn, w), lg_so3_compose(q, turn, pose + 3);
        lg_so3_to_matrix(R, q), mb_turn(centre, R, MB_BODY(m, b)->centre);
        for (int k = 0; k < 3; k++)
            pose[k] = n->pose[b].r[k] + n->mobility[b].inverse_mass * own->wrench[b].v[k] - centre[k];
        memcpy(pose + 3, q, sizeof q);
    }
    return mb_sparse_start_poses(mo, mo->t0, poses, twists, 1);
}

lg_status mb_contacts_separate(mb_sparse *mo)
{
    const int bodies = mb_seen(mo->mechanism, MB_BODIES);
    const double near = 1e-14 * mo->plan.reach, begin = deepest(&mo->numbers, mb_now(mo));
    if (begin <= MB_OVERLAP * mo->plan.reach) return LG_OK;
    double *poses = malloc(13 * sz(bodies) * sizeof *poses), depth = begin, last = INFINITY;
    if (poses == NULL) return lg_fail(&mo->head.error, LG_ERROR_MEMORY, "lg_motion_start: out of memory");
    real size;
    const double H = mb_energy(&mo->plan, mb_now(mo), &size);
    lg_status st = LG_OK;
    for (int k = 0; k < MB_APART_MOST && st == LG_OK && depth > near && (depth > 1e-12 || depth < 0.5 * last); k++) {
        if (!find_motion(&mo->numbers, &mo->numbers.node[mo->numbers.now])) break;
        st = move(mo, poses, poses + 7 * bodies);
        last = depth, depth = deepest(&mo->numbers, mb_now(mo));
    }
    free(poses);
    if (st == LG_OK && depth <= MB_OVERLAP * mo->plan.reach)
        (void)snprintf(mo->remark, sizeof mo->remark,
                       "surfaces that overlapped by up to %.3g m were moved apart, which changed the energy by %.3g J",
                       begin, mb_energy(&mo->plan, mb_now(mo), &size) - H);
    return st;
}
