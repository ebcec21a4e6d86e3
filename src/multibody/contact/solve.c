/* SPDX-License-Identifier: BSD-3-Clause */
/* The relations of contacts as a complementarity problem (solver/problem.h). */
#include "multibody/contact/sweeps.h"

#include <float.h>
#include <math.h>

/* The scale of velocities in a problem: free ones, and what forces make of them in a step. */
static double speed_of(const mb_motion *m, double h)
{
    const mb_contacts *c = m->contacts;
    double speed = 0;
    for (int i = 0; i < c->rows; i++) speed = fmax(speed, fabs(c->b[i]));
    if (h > 0) speed += sqrt(m->scale / m->plan->whole_mass) + 1e-12 * m->plan->reach / h;
    return speed;
}

/* Gaps are rounded in proportion to the coordinates, and rows of shapes leave out as much of what a gap changes by as
 * is rounding to them; divided by the step they round velocities. */
static double rounding(const mb_motion *m, double h, double speed)
{
    const mb_contacts *c = m->contacts;
    double part = 4 * DBL_EPSILON;
    for (int a = 0; a < c->acting && h > 0; a++)
        if (c->contact[c->which[a]].kind >= MB_CONTACT_RIM) part = 4 * DBL_EPSILON + MB_SHAPES_NOISE;
    return h > 0 ? fmax(1e-12, part * m->plan->reach / (h * speed)) : 1e-12;
}

/* In a sweep poses and velocities do not fit each other yet, and rows that joints make redundant contradict each other
 * by about this part of the correction of the velocities: no impulses solve them better. */
#define MB_SHARE 0.01

/* Redundant rows that slip move along what they do not determine, by the round-off that no impulse takes away over
 * Newton's proximal term; what moves makes the next sweep do it again. After so many sweeps the term is 1e-3. */
#define MB_SWEEPS_FEW 6

/* Dry friction holds what creeps at more than this part of the tolerance. */
#define MB_STILL 1e-3

int mb_contacts_solve(mb_motion *m, int relations, double h, double change)
{
    mb_contacts *c = m->contacts;
    const double speed = speed_of(m, h), share = MB_SHARE * change / speed;
    const double whole = rounding(m, fmax(h, c->whole), speed), part = rounding(m, h, speed);
    const int many = change > 0 && m->sweeps > MB_SWEEPS_FEW, holds = h > 0 && (m->sweeps == 0 || change == 0);
    mb_ncp_report report;
    if (!(speed > 0)) return isfinite(speed);
    if (!mb_contacts_set(m, relations)) return 0;
    const mb_ncp problem = {.contacts = relations,
                            .rows = c->rows,
                            .contact = c->relation,
                            .b = c->b,
                            .kernel = c->kernel,
                            .speed = speed,
                            .tolerance = many ? part : whole,
                            .floor = fmax(part, share),
                            .still = holds ? MB_STILL * whole : 0,
                            .damping = many ? 1e-3 : 0};
    const mb_ncp_outcome outcome = mb_ncp_solve(&c->work_of, &problem, c->x, c->effort, &report);
    return outcome != MB_NCP_REFUSED;
}
