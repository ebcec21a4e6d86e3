/* SPDX-License-Identifier: BSD-3-Clause */
/* What rows did in a step: its impulse over its length, 1/2 A0^T L0^-T l + 1/2 A1^T L1^-T l - G^T mu, or
 * 1/2 A0^T lambda0 + 1/2 A1^T lambda1 with rattle. Where a sub-step arrives the next one departs, with the same rows:
 * what it owes that node waits for it. Collocation has the means of its stages (stages.c). */
#include "multibody/reactions.h"

#include <string.h>

#include "multibody/collocation.h"
#include "multibody/contact/contact.h"

LG_ENGINE void mb_reactions_begin(mb_motion *m, int summed)
{
    m->summed = splat(summed);
    memset(m->reaction, 0, MB_REACTION * sz(mb_room(m->plan)->blocks) * sizeof *m->reaction);
    memset(m->owed, 0, sz(m->plan->rows) * sizeof *m->owed);
}

static void reactions_at(mb_motion *m, const mb_node *n)
{
    const mb_plan *plan = m->plan;
    if (!m->rattle) mb_backward(plan, &plan->node, n->factor, m->y);
    for (int e = 0; e < plan->blocks; e++) {
        const mb_block *k = &plan->block[e];
        mb_reaction_add(plan, k, m->reaction + MB_REACTION * k->number, n->rows.row, n->pose, m->y);
    }
}

LG_ENGINE void mb_reactions_add(mb_motion *m, double weight)
{
    const mb_plan *plan = m->plan;
#if LANES == 1
    if (m->collocation != NULL) {
        for (int i = 0; i < MB_REACTION * mb_room(plan)->blocks; i++)
            m->reaction[i] += weight * m->collocation->reaction[i];
        return;
    }
#endif
    const real *departs = m->rattle ? m->kick[0] : m->x.l, *arrives = m->rattle ? m->kick[1] : m->x.l;
    for (int i = 0; i < plan->rows; i++) {
        m->y[i] = m->owed[i] + 0.5 * weight * departs[i];
        m->owed[i] = 0.5 * weight * arrives[i];
#if LANES == 1
        if (m->contacts == NULL) continue;
        m->y[i] += weight * m->contacts->begin[i], m->owed[i] += weight * m->contacts->node[i];
#endif
    }
    reactions_at(m, &m->node[m->now ^ 1]);
    if (m->rattle) return;
    for (int i = 0; i < plan->holonomic_rows; i++) m->y[i] = -weight * m->x.mu[i];
    for (int e = 0; e < plan->holonomic_blocks; e++) {
        const mb_block *k = &plan->block[e];
        mb_reaction_add(plan, k, m->reaction + MB_REACTION * k->number, m->mean.row, m->mean_pose, m->y);
    }
}

LG_ENGINE void mb_reactions_end(mb_motion *m)
{
    if (m->collocation != NULL) return;
    memcpy(m->y, m->owed, sz(m->plan->rows) * sizeof *m->y);
    memset(m->owed, 0, sz(m->plan->rows) * sizeof *m->owed);
    reactions_at(m, &m->node[m->now]);
}
