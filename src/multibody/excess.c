/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows that are left out because they depend on others. The others imply them as long as the dependence lasts; where it
 * ends, motions violate them. So they are checked near the assembled configuration, at each start, and after each step.
 */
#include <math.h>
#include <string.h>

#include <liegrp/base/random.h>

#include "groups/so3.h"
#include "multibody/excess.h"
#include "multibody/work.h"

#define MB_NEARBY 0.3   /* how far from it, relative to the reach and in radians */
#define MB_OPEN   1e-12 /* what rows may be open there */
#define MB_LOOSE  1e-11 /* what rows of velocities may miss, of the velocities */

/* Random momenta that the rows allow, as fast as reach/s; leaders move, too. */
static void stir(const lg_mechanism *m, mb_work *w, lg_rng *rng)
{
    for (int b = 0; b < m->plan.bodies; b++) {
        double x[6], turn[3];
        for (int k = 0; k < 6; k++) x[k] = 2 * lg_rng_uniform(rng) - 1;
        for (int k = 0; k < 3; k++) {
            const double *I = m->inertia + 9 * b + 3 * k;
            w->node.p[b].v[k] = m->mass[b] * m->plan.reach * x[k];
            turn[k] = I[0] * x[3] + I[1] * x[4] + I[2] * x[5];
        }
        mb_turn(w->node.p[b].v + 3, w->node.pose[b].R, turn);
    }
    for (int i = 1; i < m->plan.grounds; i++)
        for (int k = 0; k < 6; k++) w->node.given[i].v[k] = (2 * lg_rng_uniform(rng) - 1) * (k < 3 ? m->plan.reach : 1);
    mb_settle(&w->plan, &w->node, w->x, w->twist);
}

/* Moves the node by its velocities for a time in which nothing goes farther than `far` of the reach. */
static void displace(const lg_mechanism *m, mb_work *w, double far)
{
    const double time = far * m->plan.reach / fmax(mb_fastest(&m->plan, &w->node), 1e-300);
    for (int b = 0; b < m->plan.bodies; b++) {
        mb_pose *p = &w->node.pose[b];
        double turn[3];
        mb_mobile(turn, &w->node.mobility[b], w->node.p[b].v + 3);
        for (int k = 0; k < 3; k++) {
            p->r[k] += time * w->node.mobility[b].inverse_mass * w->node.p[b].v[k];
            turn[k] *= time;
        }
        mb_turn_pose(p, turn);
    }
    for (int i = 1; i < m->plan.grounds; i++) {
        mb_pose *p = &w->node.pose[m->plan.bodies + i];
        const double *v = w->node.given[i].v, turn[3] = {time * v[3], time * v[4], time * v[5]};
        for (int k = 0; k < 3; k++) p->r[k] += time * v[k];
        mb_turn_pose(p, turn);
        so3_to_matrix(p->R, p->q);
    }
}

static lg_status singular(lg_mechanism *m, const mb_block *k, double off)
{
    const char *name, *noun = mb_block_noun(m, k, &name);
    return lg_fail(&m->error, LG_ERROR_SINGULAR,
                   "lg_mechanism_compile: %s '%.60s' depends on others as assembled, but not in configurations near "
                   "it (off by %.2g): the mechanism is assembled in a singular configuration, such as flat or "
                   "stretched; assemble it in another one. Where a joint repeats others, align them to 1e-12",
                   noun, name, off);
}

/* Moves the mechanism to a random configuration near its assembled one, at most *far from it. 0: none was found. */
static int go_near(const lg_mechanism *m, mb_work *w, lg_rng *rng, double *far)
{
    int open, rounds;
    for (; *far > 1e-5; *far *= 0.1) {
        mb_node_load(&w->plan, &w->node, m->pose);
        mb_place_leaders(w);
        mb_node_place(&w->plan, &w->node, w->node.q);
        mb_node_rows(&w->plan, &w->node, 0);
        memset(w->node.drift, 0, (size_t)w->plan.rows * sizeof *w->node.drift);
        stir(m, w, rng);
        displace(m, w, *far);
        if (mb_newton(m, w, 0, &open, &rounds) < 1e-13) return 1;
    }
    return 0;
}

/* Far away the rows that are kept may depend on each other although the rank stays, and lead elsewhere: a row
 * that opens there is checked nearer. Where the rank changes nearby, it opens there too. */
static lg_status check_near(lg_mechanism *m, mb_work *w, lg_rng *rng)
{
    const mb_block *where = m->excess;
    double far = MB_NEARBY, off = NAN;
    for (int nearer = 0; nearer < 3 && go_near(m, w, rng, &far); nearer++, far *= 0.1) {
        off = mb_excess_open(&m->plan, &w->node, &where);
        if (!(off <= MB_OPEN)) continue;
        stir(m, w, rng);
        off = mb_excess_slip(&m->plan, &w->node, 0, &where);
        if (off <= MB_LOOSE) return LG_OK;
    }
    return singular(m, where, off);
}

/* Rows that depend on each other must ask for the same: two wheels of one body on belts of different speed do not. */
static lg_status check_grounds(lg_mechanism *m, mb_work *w)
{
    const mb_block *where = m->excess;
    const char *name;
    mb_node_load(&w->plan, &w->node, m->pose);
    mb_node_place(&w->plan, &w->node, w->node.q);
    mb_node_rows(&w->plan, &w->node, 0);
    memset(w->node.p, 0, (size_t)w->plan.bodies * sizeof *w->node.p);
    mb_settle(&w->plan, &w->node, w->x, w->twist);
    if (mb_excess_slip(&m->plan, &w->node, 0, &where) <= MB_LOOSE) return LG_OK;
    const char *noun = mb_block_noun(m, where, &name);
    return lg_fail(
        &m->error, LG_ERROR_ARGUMENT,
        "lg_mechanism_compile: %s '%.60s' cannot roll on its moving ground: the others, on which it depends, "
        "ask for another velocity; give their grounds velocities that agree",
        noun, name);
}

lg_status mb_check_excess(lg_mechanism *m, mb_work *w)
{
    lg_rng rng = {1};
    lg_status st = check_grounds(m, w);
    for (int i = 0; st == LG_OK && i < 3; i++) st = check_near(m, w, &rng);
    return st;
}
