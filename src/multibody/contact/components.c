/* SPDX-License-Identifier: BSD-3-Clause */
/* Components of free bodies: those that are connected by contacts which act. What happens in one changes no other until
 * they touch, so that an impact solves for those that are struck alone. */
#include "multibody/contact/sweeps.h"

static int root_of(int *root, int b)
{
    while (root[b] != b) b = root[b] = root[root[b]];
    return b;
}

static void mark(mb_contacts *c, const mb_plan *plan, int i, int is)
{
    for (int s = 0; s < 2; s++)
        if (c->contact[i].body[s] < plan->bodies) c->marked[c->root[c->contact[i].body[s]]] = is;
}

int mb_is_free(const mb_plan *plan)
{
    return plan->contacts > 0 && plan->bodies > 1 && plan->blocks == 0 && plan->coordinates == 0 && plan->forces == 0 &&
           plan->balls == 0 && plan->controls == 0 && plan->drives == 0 && plan->tendons == 0;
}

void mb_components_find(mb_contacts *c, const mb_plan *plan)
{
    for (int b = 0; b < plan->bodies; b++) c->root[b] = b, c->marked[b] = 1;
    for (int i = 0; i < c->count; i++) {
        const int *body = c->contact[i].body;
        if (!c->acts[i] || body[0] >= plan->bodies || body[1] >= plan->bodies) continue;
        const int a = root_of(c->root, body[0]), b = root_of(c->root, body[1]);
        c->root[a > b ? a : b] = a < b ? a : b;
    }
    for (int b = 0; b < plan->bodies; b++) c->root[b] = root_of(c->root, b);
    for (int i = 0; i < c->count; i++)
        if (c->acts[i]) mark(c, plan, i, 0);
}

void mb_components_mark(mb_contacts *c, const mb_plan *plan, int i)
{
    mark(c, plan, i, 1);
}

int mb_components_has(const mb_contacts *c, const mb_plan *plan, int i)
{
    for (int s = 0; s < 2; s++) {
        const int b = c->contact[i].body[s];
        if (b < plan->bodies && !c->marked[c->root[b]]) return 0;
    }
    return 1;
}
