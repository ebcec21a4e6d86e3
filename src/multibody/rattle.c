/* SPDX-License-Identifier: BSD-3-Clause */
/* RATTLE: the variational step of L_d = h (T(xi) - V(g0)/2 - V(g1)/2), g1 = g0 cay(h xi). Momenta in space:
 *
 *   P = p0 + (h/2) (f0 + A0^T lambda0),     phi(g1) = 0,
 *   p1 = P + (h/2) (f1 + A1^T lambda1),     A1 J^-1 p1 = 0,
 *
 * with P = m v, and for rotations R0^T P = M + x x M/2 + x (x.M)/4, M = I w, x = h w, the transpose of Cayley's inverse
 * differential. It is symplectic and keeps the momentum maps; the energy stays bounded. A sweep makes one step of
 * Newton for w in each body and corrects lambda0 with the factor of the node that it leaves; the new node is factored
 * once. h G xi = phi(g1) - phi(g0) with the rows G at the averaged pose. */
#include "multibody/rattle.h"

#include <math.h>
#include <string.h>

/* x <- M^-1 x, 3 x 3, by its adjugate. */
KERNEL void mb_solve3(const real *M, real *x)
{
    real a[3], b[3], c[3];
    small_cross(a, M + 3, M + 6), small_cross(b, M + 6, M), small_cross(c, M, M + 3);
    const real d = 1.0 / mb_dot(M, a), p = x[0], q = x[1], r = x[2];
    for (int k = 0; k < 3; k++) x[k] = d * (a[k] * p + b[k] * q + c[k] * r);
}

/* One step of Newton towards M + h w x M/2 + h^2 w (w.M)/4 = P, M = I w; d <- the change of w. */
KERNEL void mb_legendre(real *w, real *d, const double *I, const real *P, double h)
{
    const double a = 0.5 * h, b = 0.25 * h * h;
    real M[3], g[3], D[9];
    for (int i = 0; i < 3; i++) M[i] = I[3 * i] * w[0] + I[3 * i + 1] * w[1] + I[3 * i + 2] * w[2];
    const real wM = mb_dot(w, M);
    small_cross(g, w, M);
    for (int i = 0; i < 3; i++) d[i] = (P[i] - M[i]) - (a * g[i] + b * (w[i] * wM));
    for (int k = 0; k < 3; k++) { /* column k: I e + a (e x M + w x I e) + b (e (w.M) + 2 w (M.e)) */
        const double c[3] = {I[k], I[3 + k], I[6 + k]};
        const real u[3] = {splat(c[0]), splat(c[1]), splat(c[2])};
        small_cross(g, w, u);
        for (int i = 0; i < 3; i++) D[3 * i + k] = c[i] + a * g[i] + b * (2.0 * (w[i] * M[k]));
        D[4 * k] = D[4 * k] + b * wM;
    }
    D[1] = D[1] + a * M[2], D[2] = D[2] - a * M[1], D[3] = D[3] - a * M[2]; /* e x M = -M x e */
    D[5] = D[5] + a * M[0], D[6] = D[6] + a * M[1], D[7] = D[7] - a * M[0];
    mb_solve3(D, d);
    for (int k = 0; k < 3; k++) w[k] = w[k] + d[k];
}

/* xi from the momenta P = m->minus; returns |change|^2 in the metric, *scale = |xi|^2. */
static real mb_rattle_velocities(mb_motion *m, const mb_node *n0, double h, real *scale)
{
    const mb_plan *plan = m->plan;
    real change = splat(0);
    *scale = splat(0);
    for (int b = 0; b < plan->bodies; b++) {
        const double *I = plan->inertia + 9 * b;
        real P[3], d[3], *xi = m->x.xi[b].v;
        mb_back(P, n0->pose[b].R, m->minus[b].v + 3);
        mb_legendre(xi + 3, d, I, P, h);
        for (int k = 0; k < 3; k++) {
            const real v = m->minus[b].v[k] * (1.0 / plan->mass[b]), dv = v - xi[k];
            xi[k] = v;
            change = change + plan->mass[b] * (dv * dv) + I[4 * k] * (d[k] * d[k]);
            *scale = *scale + plan->mass[b] * (v * v) + I[4 * k] * (xi[3 + k] * xi[3 + k]);
        }
    }
    return change;
}

/* x <- C^-1 x; returns |x|^2 in the metric of C^-1. */
static real mb_rattle_solve(const mb_plan *plan, const mb_symbolic *S, const real *L, real *x)
{
    real size = splat(0);
    mb_forward(plan, S, L, x);
    for (int i = 0; i < plan->rows; i++) size = size + x[i] * x[i];
    mb_backward(plan, S, L, x);
    return size;
}

/* G xi = -phi(g0)/h corrects lambda0 with the factor of the node that is left, in the lanes `mean` with that of the
 * averaged pose. */
static real mb_rattle_lambda(mb_motion *m, const mb_node *n0, const mb_node *n1, double h, mask mean)
{
    const mb_plan *plan = m->plan;
    real *y = m->y, *z = m->kick[1], size = splat(0);
    mb_rows_evaluate(plan, m->mean.row, y, y, m->mean_pose, n0, n1, plan->blocks);
    for (int b = 0; b < plan->bodies; b++) {
        memcpy(m->twist[b].v, m->x.xi[b].v, 3 * sizeof(real));
        mb_turn(m->twist[b].v + 3, m->mean_pose[b].R, m->x.xi[b].v + 3);
    }
    mb_pull(plan, m->mean.row, y, m->twist, plan->blocks);
    for (int i = 0; i < plan->rows; i++) z[i] = y[i] = y[i] + n0->phi[i] / h;
    if (any(other(mean))) size = mb_rattle_solve(plan, &plan->node, n0->factor, y);
    if (any(mean)) {
        mb_products(plan, m->mean, m->mean_mobility, plan->blocks);
        mb_gram(plan, &plan->mean, m->mean_factor, m->mean);
        mb_factor(plan, &plan->mean, m->mean_factor);
        size = sel(mean, mb_rattle_solve(plan, &plan->mean, m->mean_factor, z), size);
        mb_choose(mean, y, z, plan->rows);
    }
    for (int i = 0; i < plan->rows; i++) m->x.mu[i] = m->x.mu[i] - 2 / h * y[i];
    return size;
}

/* P and xi, g1 and lambda0; m->plus are p0 + (h/2) f0. */
static int mb_rattle_sweep(mb_motion *m, const mb_node *n0, mb_node *n1, double h, mb_convergence *convergence)
{
    const mb_plan *plan = m->plan;
    const double jitter = mb_jitter(plan, h);
    real slow = splat(0);
    for (int sweep = 1; sweep <= MB_SWEEPS_MOST; sweep++) {
        real scale;
        if (LANES > 1) mb_hold(m, mb_done(convergence, 0));
        memcpy(m->minus, m->plus, (size_t)(plan->bodies + 1) * sizeof *m->minus);
        mb_push(plan, n0->rows.row, m->minus, 0.5 * h, m->x.mu, plan->blocks);
        real size = mb_rattle_velocities(m, n0, h, &scale);
        mb_arc(m, n0, n1, h);
        size = size + mb_rattle_lambda(m, n0, n1, h, slow > 0.0);
        const real e = root(size / (scale + m->scale + 1e-300)), moved = root(size) / jitter;
        int going = 0;
        for (int l = 0; l < LANES; l++) {
            if (convergence[l].done) continue;
            mb_judge(&convergence[l], lane_of(e, l), lane_of(moved, l), sweep, 1e-3);
            as_doubles(&m->sweeps)[l] += 1;
            if (convergence[l].done < 0) return 0;
            going |= !convergence[l].done;
            if (!convergence[l].done) as_doubles(&slow)[l] = convergence[l].theta > 0.3;
        }
        if (!going) return 1;
    }
    return 0;
}

/* p1, with lambda1 from the hidden rows; m->minus are P + (h/2) f1. */
static void mb_rattle_arrive(mb_motion *m, mb_node *n1, double h)
{
    const mb_plan *plan = m->plan;
    real *lambda = m->kick[1];
    for (int b = 0; b < plan->bodies; b++) {
        mb_mobile(m->twist[b].v + 3, &n1->mobility[b], m->minus[b].v + 3);
        for (int k = 0; k < 3; k++) m->twist[b].v[k] = m->minus[b].v[k] * n1->mobility[b].inverse_mass;
    }
    mb_pull(plan, n1->rows.row, lambda, m->twist, plan->blocks);
    mb_forward(plan, &plan->node, n1->factor, lambda);
    mb_backward(plan, &plan->node, n1->factor, lambda);
    for (int i = 0; i < plan->rows; i++) lambda[i] = -2 / h * lambda[i];
    mb_push(plan, n1->rows.row, m->minus, 0.5 * h, lambda, plan->blocks);
    memcpy(n1->p, m->minus, (size_t)plan->bodies * sizeof *n1->p);
}

LG_ENGINE int mb_rattle(mb_motion *m, const mb_node *n0, mb_node *n1, double h, mb_convergence *convergence)
{
    const mb_plan *plan = m->plan;
    (void)mb_node_forces(plan, m->wrench, n0, NULL, m->slope, m->input, NULL);
    m->scale = splat(0);
    for (int k = 0; k < 6; k++) m->plus[plan->bodies].v[k] = m->twist[plan->bodies].v[k] = splat(0);
    for (int b = 0; b < plan->bodies; b++) {
        const real *f = m->wrench[b].v;
        real w[3];
        mb_mobile(w, &n0->mobility[b], f + 3);
        m->scale = m->scale + (h * h) * (mb_dot(f, f) * n0->mobility[b].inverse_mass + mb_dot(w, f + 3));
        for (int k = 0; k < 6; k++) m->plus[b].v[k] = n0->p[b].v[k] + 0.5 * h * f[k];
    }
    if (!mb_rattle_sweep(m, n0, n1, h, convergence)) return 0;
    mb_node_rows(plan, n1, 0);
    (void)mb_node_forces(plan, m->wrench, n1, NULL, m->slope, m->input, NULL);
    for (int b = 0; b < plan->bodies; b++)
        for (int k = 0; k < 6; k++) m->minus[b].v[k] = m->minus[b].v[k] + 0.5 * h * m->wrench[b].v[k];
    memcpy(m->kick[0], m->x.mu, (size_t)plan->rows * sizeof *m->kick[0]);
    mb_rattle_arrive(m, n1, h);
    return 1;
}
