/* SPDX-License-Identifier: BSD-3-Clause */
/* Second derivatives of a stage, part of tangent.c: elements that move along curves, and the weighted sum of residual
 * and outputs. */

/* The first derivatives alone. */
static real tangent_straight(const real &a)
{
    real r = a;
    for (int k = TANGENT_FIRST; k < TANGENT_VECTORS; k++) r.d[k] = tangent_vector{};
    return r;
}

/* *to = g exp(eta) with its second derivatives, eta being w->vector: every tau that is used here has those of exp. */
static int tangent_curve(lg_workspace *w, const double *g, real **to)
{
    const int e = w->plan->element_size;
    real *from = w->lanes->rows + e;
    *to = from + e;
    for (int i = 0; i < e; i++) from[i] = splat(g[i]);
    return lg_move_lanes(w, *to, from, w->vector, every_lane());
}

/* Second derivatives of the weighted sum of F and of the outputs. The change of node next is g_1 exp(r): r' is a change
 * of g, and g_1 exp(r' s) is what it has of g'' without r''. */
static int tangent_weigh(lg_workspace *w, const lg_tangent_task *o, int nz, const real *F, duration h)
{
    const lg_node *b = w->next;
    const lg_plan *P = w->plan;
    const int n = P->n;
    const double *weight = o->weights + nz;
    real sum = splat(0), *moved;
    lanes_get(o->g1, b->g, P->element_size, LANES - 1);
    const int code = o->chart(w->lanes->task, o->g1);
    if (code) return lg_workspace_fail_callback(w, code);
    for (int k = 0; k < P->factor_count; k++)
        for (int j = P->factors[k].offset; j < P->factors[k].offset + P->factors[k].n; j++)
            w->vector[j] = tangent_straight(tangent_eta(w, o, &P->factors[k], j, b->g));
    if (tangent_curve(w, o->g1, &moved)) return 1;
    for (int i = 0; i < P->element_size; i++) moved[i] = b->g[i] - moved[i];
    for (int k = 0; k < P->factor_count; k++)
        for (int j = P->factors[k].offset; j < P->factors[k].offset + P->factors[k].n; j++)
            tangent_add(sum, weight[j], tangent_eta(w, o, &P->factors[k], j, moved));
    const real *p = P->method.rule->depart(w, h, b);
    for (int i = 0; i < nz; i++) tangent_add(sum, o->weights[i], F[i]);
    for (int j = 0; j < n; j++) tangent_add(sum, weight[n + j], p[j]);
    for (int r = 0; r < P->m; r++) tangent_add(sum, weight[2 * n + r], b->lambda[r]);
    for (int k = 0; k < LG_DIRECTIONS && o->first + k < o->count; k++)
        o->curve[o->first + k] = 2 * tangent_get(sum, LG_DIRECTIONS + k);
    return 0;
}
