/* SPDX-License-Identifier: BSD-3-Clause */
#include "claims/ferraro2015/paper_nodes.h"

const char *paper_method(double w0)
{
    return w0 == 1 ? "gni:euler-a" : w0 == 0 ? "gni:euler-b" : "gni:trapezoidal";
}

double paper_larger(double a, double b)
{
    return b > a || isnan(b) ? b : a;
}

double paper_largest(const double *a, int n)
{
    double most = 0;
    for (int i = 0; i < n; i++) most = paper_larger(most, fabs(a[i]));
    return most;
}

void paper_momentum(const claim_system *s, const paper_node *x, double h, double shift, double sign, double *out)
{
    double A[CLAIM_ROWS * CLAIM_DIM], dV[CLAIM_DIM];
    claim_rows(s, 0, x->g, A, NULL);
    claim_gradient(s, 0, x->g, dV);
    for (int i = 0; i < s->n; i++) {
        out[i] = x->p[i] + shift * h * dV[i];
        for (int a = 0; a < s->m; a++) out[i] += sign * h / 2 * A[a * s->n + i] * x->lambda[a];
    }
}

void paper_read(const claim_system *s, double w0, const lg_integrator *it, paper_node *x)
{
    double dV[CLAIM_DIM];
    memcpy(x->g, lg_integrator_configuration(it), (size_t)s->size * sizeof *x->g);
    claim_gradient(s, 0, x->g, dV);
    for (int i = 0; i < s->n; i++)
        x->p[i] = lg_integrator_momentum(it)[i] - (w0 - 0.5) * lg_integrator_step_size(it) * dV[i];
    for (int a = 0; a < s->m; a++) x->lambda[a] = -lg_integrator_multipliers(it)[a]; /* p- - p+ is h A^T of these */
}

int paper_multipliers(const claim_system *s, const double *g, const double *p, double *u)
{
    double J[CLAIM_DIM * CLAIM_DIM], A[CLAIM_ROWS * CLAIM_DIM], b[CLAIM_ROWS], C[CLAIM_ROWS * CLAIM_ROWS], v[CLAIM_DIM];
    claim_metric(s, 0, g, J);
    claim_rows(s, 0, g, A, b);
    if (!claim_solve(s->n, J, p, v)) return 0;
    for (int a = 0; a < s->m; a++) {
        u[a] = -b[a];
        for (int i = 0; i < s->n; i++) u[a] += A[a * s->n + i] * v[i];
    }
    for (int a = 0; a < s->m; a++) {
        if (!claim_solve(s->n, J, A + a * s->n, v)) return 0;
        for (int c = 0; c < s->m; c++) {
            C[c * s->m + a] = 0;
            for (int i = 0; i < s->n; i++) C[c * s->m + a] += A[c * s->n + i] * v[i];
        }
    }
    return claim_solve(s->m, C, u, u);
}

void paper_lower(const claim_system *s, const double *g, const double *xi, double *p)
{
    double J[CLAIM_DIM * CLAIM_DIM];
    claim_metric(s, 0, g, J);
    for (int i = 0; i < s->n; i++) {
        p[i] = 0;
        for (int j = 0; j < s->n; j++) p[i] += J[i * s->n + j] * xi[j];
    }
}

int paper_has_slopes(const claim_system *s)
{
    const lg_call c = claim_call(s, (double[]){0});
    double f[CLAIM_DIM] = {0};
    if (s->S->callbacks.force != NULL && s->S->callbacks.force(&c, s->g0, s->xi0, f) != 0) return 0;
    return s->S->callbacks.metric != NULL || s->S->callbacks.potential != NULL || paper_largest(f, s->n) > 0;
}

double paper_least_order(const claim_order *x)
{
    return isnan(x->g) ? x->p : isnan(x->p) ? x->g : fmin(x->g, x->p);
}

void paper_order(claim_report *r, const claim_order *x, double floor, double low, double high, const char *why,
                 const char *what)
{
    const double least = paper_least_order(x);
    if (isnan(x->g))
        claim_below(r, x->error_g, 10 * fmax(1, r->slack) * floor, "no observable order: exact", "error of g, %s",
                    what);
    else
        claim_skip(r, "error of g");
    if (isnan(x->p))
        claim_below(r, x->error_p, 10 * fmax(1, r->slack) * floor, "no observable order: exact", "error of p~, %s",
                    what);
    else
        claim_skip(r, "error of p~");
    if (isnan(least))
        claim_skip(r, "order of (g, p~)");
    else
        claim_order_between(r, least, low, high, why, "order of (g, p~), %s", what);
}
