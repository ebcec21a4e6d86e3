/* SPDX-License-Identifier: BSD-3-Clause */
/* tendon.h: lengths that are sums, L = c + sum_i w_i l_i, of coordinates of joints and distances between points. A
 * tendon's row is the sum of the rows of its terms: their products with h xi are the changes of l_i, so that its own is
 * L1 - L0. */
#ifndef LG_MULTIBODY_FORCES_TENDON_H
#define LG_MULTIBODY_FORCES_TENDON_H

/* L at a node whose coordinates are known. */
KERNEL real mb_tendon_length(const mb_tendon *t, const mb_node *n)
{
    real L = splat(t->constant);
    mb_action x;
    for (const mb_tendon_term *e = t->term; e < t->term + t->terms; e++) {
        const int c = e->along.coordinate;
        L = L + e->weight * (c >= 0 ? n->q[c] : mb_line(&x, &e->along, n->pose));
    }
    return L;
}

/* The sum of the numbers that L consists of. */
KERNEL real mb_tendon_size(const mb_tendon *t, const mb_node *n)
{
    real size = splat(0);
    for (const mb_tendon_term *e = t->term; e < t->term + t->terms; e++) {
        const int c = e->along.coordinate;
        const real *a = n->pose[e->along.a].r, *b = n->pose[e->along.b].r;
        size = size + fabs(e->weight) * (c >= 0 ? magnitude(n->q[c]) : root(mb_dot(a, a)) + root(mb_dot(b, b)));
    }
    return size;
}

/* The row at an averaged pose, whose ends are n0 and n1, from those of coordinates. */
KERNEL void mb_tendon_row(const mb_tendon *t, mb_pair *slope, const mb_pose *mean, const mb_node *n0, const mb_node *n1)
{
    mb_pair *row = slope + t->row;
    for (int i = 0; i < t->bodies; i++)
        for (int k = 0; k < 6; k++) row[i].v[k] = splat(0);
    for (const mb_tendon_term *e = t->term; e < t->term + t->terms; e++) {
        const mb_force *s = &e->along;
        mb_pair own[2];
        const mb_pair *from = s->coordinate >= 0 ? slope + 2 * s->coordinate : own;
        if (s->coordinate < 0) {
            mb_action x;
            const real l = 0.5 * (mb_line(&x, s, n0->pose) + mb_line(&x, s, n1->pose));
            mb_line_row(own, s, &mean[s->a], &mean[s->b], l);
        }
        for (int side = 0; side < 2; side++) {
            real *to = row[e->side[side]].v;
            for (int k = 0; k < 6; k++) to[k] = to[k] + e->weight * from[side].v[k];
        }
    }
}

/* L' of bodies with these twists. */
KERNEL real mb_tendon_rate(const mb_tendon *t, const mb_pair *slope, const mb_pair *twist)
{
    real rate = splat(0);
    for (int i = 0; i < t->bodies; i++) rate = rate + mb_dot6(slope[t->row + i].v, twist[t->body[i]].v);
    return rate;
}

/* f += Q times the row. */
KERNEL void mb_tendon_push(const mb_tendon *t, mb_pair *f, real Q, const mb_pair *slope)
{
    for (int i = 0; i < t->bodies; i++) {
        real *to = f[t->body[i]].v;
        for (int k = 0; k < 6; k++) to[k] = to[k] + Q * slope[t->row + i].v[k];
    }
}

#endif
