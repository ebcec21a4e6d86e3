/* SPDX-License-Identifier: BSD-3-Clause */
/* The spanning tree: a joint belongs to it if the joints before it in the list do not connect its bodies yet; the
 * others close loops. Bodies are walked from the world, then from each body that is left, which floats. */
#include <stdlib.h>

#include "multibody/parts/joint.h"

/* The joints at each body as linked lists: next[2 j + s] leads on from side s of joint j; heads by body. */
typedef struct incidence {
    int *head, *next;
    int *up; /* union-find over bodies */
} incidence;

/* The representative of x among connected bodies; paths are halved on the way. */
static int root_of(int *up, int x)
{
    while (up[x] != x) x = up[x] = up[up[x]];
    return x;
}

/* 1: joint j connects what was apart. A distance leaves five freedoms and is no place to measure positions from. */
static int joins(const lg_mechanism *m, int *up, int j)
{
    if (mb_joint_facts(m, j)->distance) return 0;
    const int a = root_of(up, m->joint[j].a), b = root_of(up, m->joint[j].b);
    if (a == b) return 0;
    up[a > b ? b : a] = a > b ? a : b;
    return 1;
}

static int incidence_make(incidence *n, const lg_mechanism *m)
{
    const int bodies = m->plan.bodies, joints = m->part[MB_JOINTS].count;
    n->head = malloc(((size_t)bodies + 1) * sizeof *n->head);
    n->next = malloc((2 * (size_t)joints + 1) * sizeof *n->next);
    n->up = malloc(((size_t)bodies + 1) * sizeof *n->up);
    char *tree = calloc((size_t)joints + 1, 1);
    const int well = n->head != NULL && n->next != NULL && n->up != NULL && tree != NULL;
    for (int b = 0; well && b <= bodies; b++) n->head[b] = -1, n->up[b] = b;
    for (int i = 0, seen = mb_seen(m, MB_JOINTS); well && i < joints; i++) { /* those between shares first */
        const int j = (seen + i) % joints;
        tree[j] = (char)joins(m, n->up, j);
    }
    for (int j = joints - 1; well && j >= 0; j--) {
        for (int s = 1; tree[j] && s >= 0; s--) {
            const int b = s ? m->joint[j].b : m->joint[j].a;
            n->next[2 * j + s] = n->head[b];
            n->head[b] = 2 * j + s;
        }
    }
    free(tree);
    return well;
}

/* Hangs all bodies that can be reached from body b on the tree; `walk` is the queue. */
static int reach(lg_mechanism *m, const incidence *n, char *done, int from, int count)
{
    int first = count;
    for (int b = from;;) {
        for (int end = n->head[b]; end >= 0; end = n->next[end]) {
            const int j = end / 2, reverse = end % 2, to = reverse ? m->joint[j].a : m->joint[j].b;
            if (done[to]) continue;
            done[to] = 1;
            m->link[to] = (mb_link){j, b, reverse};
            m->walk[count++] = to;
        }
        if (first == count) return count;
        b = m->walk[first++];
    }
}

lg_status mb_make_tree(lg_mechanism *m)
{
    const int bodies = m->plan.bodies;
    incidence n = {NULL, NULL, NULL};
    char *done = calloc((size_t)bodies + 1, 1);
    m->link = calloc((size_t)bodies + 1, sizeof *m->link);
    m->walk = calloc((size_t)bodies + 1, sizeof *m->walk);
    const int well = incidence_make(&n, m) && done != NULL && m->link != NULL && m->walk != NULL;
    if (well) {
        done[bodies] = 1;
        int count = reach(m, &n, done, bodies, 0);
        for (int b = 0; b < bodies; b++) {
            if (done[b]) continue;
            done[b] = 1;
            m->link[b] = (mb_link){-1, bodies, 0};
            m->walk[count++] = b;
            count = reach(m, &n, done, b, count);
        }
    }
    free(n.head), free(n.next), free(n.up), free(done);
    return well ? LG_OK : lg_fail(&m->error, LG_ERROR_MEMORY, "lg_mechanism_compile: out of memory");
}
