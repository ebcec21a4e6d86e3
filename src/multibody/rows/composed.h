/* SPDX-License-Identifier: BSD-3-Clause */
/* composed.h: the rows of a composed joint, and of its coordinates (chain.h). Rows are wrenches on b, with their
 * opposite on a, in which no motion does work. The frame before the middle motion carries four constant wrenches in
 * which the two motions next to it do none; those of their combinations in which no other motion does any are chosen by
 * formulas that are smooth wherever the screws are independent, but for joints of four motions (mb_chain_reference()).
 * What averaging adds along the screws is projected away. */
#ifndef LG_MULTIBODY_COMPOSED_H
#define LG_MULTIBODY_COMPOSED_H

#include "multibody/rows/chain.h"

/* A joint between two nodes, or at one. */
typedef struct mb_passage {
    const mb_joint *j;
    mb_links links;
    mb_screws screws;
    real xa[3], xb[3]; /* c from the centres of mass */
} mb_passage;

MB_APART void mb_passage_of(mb_passage *o, const mb_joint *j, const mb_site *at, int a, int b)
{
    const int c = j->chain->coordinate;
    mb_links end;
    o->j = j;
    mb_links_of(&o->links, j, at->p1[a].R, at->q + c);
    if (at->p0 != at->p1) {
        mb_links_of(&end, j, at->p0[a].R, at->q0 + c);
        mb_links_average(&o->links, &end, j->chain->count);
    }
    mb_screws_of(&o->screws, j->chain, &o->links);
    mb_turn_constant(o->xa, at->pose[a].R, j->anchor_a);
    for (int k = 0; k < 3; k++) o->xb[k] = (at->pose[a].r[k] - at->pose[b].r[k]) + o->xa[k];
}

/* Both parts of a row with the wrench w. */
KERNEL void mb_passage_row(const mb_passage *o, mb_pair *row, const mb_pair *w)
{
    const double over = 1.0 / o->j->chain->length;
    real t[3];
    for (int k = 0; k < 3; k++) row[1].v[k] = w->v[3 + k] * over, row[0].v[k] = -row[1].v[k];
    small_cross(t, o->xb, row[1].v);
    for (int k = 0; k < 3; k++) row[1].v[3 + k] = w->v[k] + t[k];
    small_cross(t, o->xa, row[1].v);
    for (int k = 0; k < 3; k++) row[0].v[3 + k] = -(w->v[k] + t[k]);
}

/* ---- wrenches ---- */

/* Those that turn with the middle frame. */
KERNEL void mb_passage_across(const mb_passage *o, mb_pair *w, int count)
{
    const mb_chain *of = o->j->chain;
    real t[3];
    for (int i = 0; i < count; i++) {
        mb_turn_constant(w[i].v, o->links.middle, of->across[i]);
        mb_turn_constant(w[i].v + 3, o->links.middle, of->across[i] + 3);
        small_cross(t, o->links.origin, w[i].v + 3);
        for (int k = 0; k < 3; k++) w[i].v[k] = w[i].v[k] + t[k] * (1.0 / of->length);
    }
}

/* x <- three combinations of what is across the vector n of four, of which each is orthogonal to n: n times the
 * imaginary units, with n as a quaternion. */
KERNEL void mb_across_four(real *x, const real *n, const real *y)
{
    x[0] = (n[0] * y[1] - n[1] * y[0]) + (n[2] * y[3] - n[3] * y[2]);
    x[1] = (n[0] * y[2] - n[2] * y[0]) + (n[3] * y[1] - n[1] * y[3]);
    x[2] = (n[0] * y[3] - n[3] * y[0]) + (n[1] * y[2] - n[2] * y[1]);
}

/* Two vectors across x, turned from those at assembly as x is from its direction there, the short way. */
KERNEL void mb_across_three(real (*y)[3], const mb_chain *of, const real *x)
{
    const real size = root(mb_dot(x, x));
    real along = size;
    for (int k = 0; k < 3; k++) along = along + of->from[k] * x[k];
    for (int i = 0; i < 2; i++) {
        const double *t = of->side[i];
        const real part = (t[0] * x[0] + t[1] * x[1] + t[2] * x[2]) / along;
        for (int k = 0; k < 3; k++) y[i][k] = t[k] - part * (of->from[k] + x[k] / size);
    }
}

/* The screws next to the middle frame are those of motions middle - 1 and middle; n of each other one are the parts of
 * the four wrenches that do work in it. */
KERNEL int mb_passage_others(const mb_passage *o, real (*n)[4], const mb_pair *four)
{
    const mb_chain *of = o->j->chain;
    int others = 0;
    for (int i = 0; i < of->count; i++) {
        if (i == of->middle || i == of->middle - 1) continue;
        for (int k = 0; k < 4; k++) n[others][k] = mb_pair_dot(&four[k], &o->screws.s[i]);
        others++;
    }
    return others;
}

/* The wrenches of all rows but for what averaging adds. */
MB_APART void mb_passage_choose(const mb_passage *o, mb_pair *w)
{
    const mb_chain *of = o->j->chain;
    mb_pair four[4];
    real n[4][4], x[3][3], y[3][3];
    if (of->count < 3) {
        mb_passage_across(o, w, 6 - of->count);
        return;
    }
    mb_passage_across(o, four, 4);
    const int others = mb_passage_others(o, n, four);
    for (int i = 1; i < others; i++) mb_across_four(x[i - 1], n[0], n[i]);
    for (int i = 0; others == 1 && i < 3; i++)
        for (int k = 0; k < 3; k++) y[i][k] = splat(i == k ? 1 : 0);
    if (others == 2) mb_across_three(y, of, x[0]);
    if (others == 3) small_cross(y[0], x[0], x[1]);
    for (int c = 0; c < 6; c++) {
        const real column[4] = {four[0].v[c], four[1].v[c], four[2].v[c], four[3].v[c]};
        real of_four[3];
        mb_across_four(of_four, n[0], column);
        for (int i = 0; i < 4 - others; i++) w[i].v[c] = mb_dot(y[i], of_four);
    }
}

/* The wrenches of the rows. */
MB_APART void mb_passage_rows(const mb_passage *o, mb_pair *w)
{
    const int count = o->j->chain->count;
    mb_passage_choose(o, w);
    for (int i = 0; i < 6 - count; i++) {
        real x[MB_CHAIN_MOST];
        for (int n = 0; n < count; n++) x[n] = mb_pair_dot(&o->screws.s[n], &w[i]);
        mb_screws_solve(&o->screws, count, x);
        for (int n = 0; n < count; n++)
            for (int k = 0; k < 6; k++) w[i].v[k] = w[i].v[k] - x[n] * o->screws.s[n].v[k];
    }
}

/* The work of motion i's own row in its screw: of a length a_3.d, or of an angle (mb_angle_row()). */
KERNEL real mb_passage_work(const mb_passage *o, int i, real q0, real q1)
{
    const mb_chain *of = o->j->chain;
    const real *A = o->links.axes[i], u[3] = {A[2], A[5], A[8]};
    real s0, c0, s1, c1, g[3], t[3];
    if (of->motion[i].slides) return of->length * mb_dot(u, o->screws.s[i].v + 3);
    lane_sincos(q0, &s0, &c0), lane_sincos(q1, &s1, &c1);
    const real n = s1 * c0 - c1 * s0, w = c0 * c1 + s0 * s1, c = 0.5 * (c0 + c1), s = 0.5 * (s0 + s1);
    for (int k = 0; k < 3; k++) g[k] = c * A[3 * k + 1] - s * A[3 * k];
    small_cross(t, o->links.first[i], g);
    return mb_angle_ratio(n, w) * mb_dot(t, u);
}

/* The wrench of coordinate i: work (as above) in its own screw, none in the others. */
MB_APART void mb_passage_along(const mb_passage *o, mb_pair *w, int i, real work)
{
    const int count = o->j->chain->count;
    real x[MB_CHAIN_MOST];
    for (int n = 0; n < count; n++) x[n] = splat(0);
    x[i] = work;
    mb_screws_solve(&o->screws, count, x);
    for (int k = 0; k < 6; k++) w->v[k] = splat(0);
    for (int n = 0; n < count; n++)
        for (int k = 0; k < 6; k++) w->v[k] = w->v[k] + x[n] * o->screws.s[n].v[k];
}

/* ---- rows ---- */

MB_APART void mb_composed_rows(const mb_plan *plan, const mb_block *k, mb_pair *row, real *phi, const mb_site *at)
{
    const mb_joint *j = &plan->joint[k->source];
    mb_passage o;
    mb_pair w[MB_ROWS_MOST], gap;
    mb_passage_of(&o, j, at, at->body[0], at->body[1]);
    mb_passage_rows(&o, w);
    mb_chain_gap(&gap, j, &o.links, &at->p1[at->body[0]], &at->p1[at->body[1]]);
    for (int i = 0; i < 6 - j->chain->count; i++) {
        mb_passage_row(&o, row + 2 * i, &w[i]);
        phi[i] = mb_pair_dot(&w[i], &gap);
    }
}

/* The rows of coordinate i, or of all: i = -1. */
KERNEL void mb_chain_rows_of(const mb_joint *j, mb_pair *row, const mb_site *at, int a, int b, int i)
{
    const mb_chain *of = j->chain;
    mb_passage o;
    mb_pair w;
    mb_passage_of(&o, j, at, a, b);
    for (int n = 0; n < of->count; n++) {
        if (i >= 0 && n != i) continue;
        mb_passage_along(&o, &w, n, mb_passage_work(&o, n, at->q0[of->coordinate + n], at->q[of->coordinate + n]));
        mb_passage_row(&o, row, &w);
        row += 2;
    }
}

MB_APART void mb_chain_row(const mb_joint *j, mb_pair *row, const mb_site *at, int a, int b, int i)
{
    mb_chain_rows_of(j, row, at, a, b, i);
}

MB_APART void mb_chain_slopes(const mb_joint *j, mb_pair *row, const mb_site *at)
{
    mb_chain_rows_of(j, row, at, j->a, j->b, -1);
}

/* ---- while twists stay what they are ---- */

/* The motions' rates, and the part of the relative acceleration about c that they do not explain: J - sum q_i' s_i',
 * which wrenches multiply. */
MB_APART void mb_passage_bend(const mb_passage *o, const mb_ends *e, mb_pair *bend, real *rate)
{
    const mb_chain *of = o->j->chain;
    const double over = 1.0 / of->length;
    real t[3], x[3], w[3], v[3];
    mb_pair relative;
    small_cross(t, e->b + 3, o->xb), small_cross(x, e->a + 3, o->xa);
    for (int k = 0; k < 3; k++) {
        w[k] = e->a[3 + k], v[k] = (e->a[k] + x[k]) * over;
        relative.v[k] = e->b[3 + k] - w[k], relative.v[3 + k] = (e->b[k] + t[k]) * over - v[k];
    }
    for (int i = 0; i < of->count; i++) rate[i] = mb_pair_dot(&o->screws.s[i], &relative);
    mb_screws_solve(&o->screws, of->count, rate);
    small_cross(t, e->a + 3, e->a), small_cross(x, e->b + 3, e->b);
    for (int k = 0; k < 3; k++) bend->v[k] = splat(0), bend->v[3 + k] = (t[k] - x[k]) * over;
    for (int i = 0; i < of->count; i++) { /* (w, v): the twist of the frame before motion i */
        const real *s = o->screws.s[i].v;
        small_cross(t, w, s);
        for (int k = 0; k < 3; k++) bend->v[k] = bend->v[k] - rate[i] * t[k];
        small_cross(t, w, s + 3), small_cross(x, v, s);
        for (int k = 0; k < 3; k++) {
            bend->v[3 + k] = bend->v[3 + k] - rate[i] * (t[k] + x[k]);
            w[k] = w[k] + rate[i] * s[k], v[k] = v[k] + rate[i] * s[3 + k];
        }
    }
}

MB_APART void mb_composed_bend(const mb_plan *plan, const mb_block *k, real *bend, const mb_site *at)
{
    const mb_joint *j = &plan->joint[k->source];
    const mb_ends e = mb_ends_of(at, at->body[0], at->body[1]);
    mb_passage o;
    mb_pair w[MB_ROWS_MOST], of;
    real rate[MB_CHAIN_MOST];
    mb_passage_of(&o, j, at, at->body[0], at->body[1]);
    mb_passage_rows(&o, w);
    mb_passage_bend(&o, &e, &of, rate);
    for (int i = 0; i < 6 - j->chain->count; i++) bend[i] = mb_pair_dot(&w[i], &of);
}

/* The rate of coordinate i and its second derivative. */
MB_APART void mb_chain_moves(const mb_joint *j, int i, const mb_site *at, int a, int b, real *rate, real *bend)
{
    const mb_ends e = mb_ends_of(at, a, b);
    const real unit = splat(j->chain->motion[i].slides ? j->chain->length : 1);
    mb_passage o;
    mb_pair w, of;
    real rates[MB_CHAIN_MOST];
    mb_passage_of(&o, j, at, a, b);
    mb_passage_along(&o, &w, i, unit);
    mb_passage_bend(&o, &e, &of, rates);
    *rate = rates[i] * unit, *bend = mb_pair_dot(&w, &of);
}

#endif
