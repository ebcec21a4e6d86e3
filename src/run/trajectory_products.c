/* SPDX-License-Identifier: BSD-3-Clause */
/* Results of a trajectory's matrices: products from both sides, sensitivities, Floquet multipliers. */
#include <math.h>
#include <string.h>

#include "base/dense.h"
#include "base/lapack.h"
#include "run/trajectory_private.h"

size_t lg_trajectory_bytes(const lg_trajectory *tr)
{
    return tr ? tr->bytes : 0;
}

const char *lg_trajectory_message(const lg_trajectory *tr)
{
    return tr ? tr->error.message : LG_NO_OBJECT("trajectory");
}

int lg_trajectory_steps(const lg_trajectory *tr)
{
    return tr ? tr->steps : 0;
}

int lg_trajectory_deviations(const lg_trajectory *tr)
{
    return tr ? tr->k : 0;
}

int lg_trajectory_controls(const lg_trajectory *tr)
{
    return tr ? tr->controls : 0;
}

int lg_trajectory_parameters(const lg_trajectory *tr)
{
    return tr ? tr->parameters : 0;
}

int lg_trajectory_inputs(const lg_trajectory *tr)
{
    return tr && tr->steps ? tr->k + tr->steps * tr->controls + 1 + tr->parameters : 0;
}

int lg_trajectory_state_size(const lg_trajectory *tr)
{
    return tr ? tr->state_size : 0;
}

int lg_trajectory_reached(const lg_trajectory *tr)
{
    return tr ? tr->reached : -1;
}

lg_status lg_trajectory_state(const lg_trajectory *tr, double *t, double *x, int node)
{
    if (!lg_trajectory_has(tr, node)) return LG_ERROR_ARGUMENT;
    if (t) *t = tr->t[node];
    if (x) memcpy(x, tr->x + sz(node) * sz(tr->state_size), sz(tr->state_size) * sizeof *x);
    return LG_OK;
}

lg_status lg_trajectory_basis(const lg_trajectory *tr, double *C, int node)
{
    if (!lg_trajectory_has(tr, node) || !C) return LG_ERROR_ARGUMENT;
    if (!tr->basis) return LG_ERROR_UNSUPPORTED;
    const size_t size = sz(tr->state_size) * sz(tr->k);
    memcpy(C, tr->basis + sz(node) * size, size * sizeof *C);
    return LG_OK;
}

lg_status lg_trajectory_offset(const lg_trajectory *tr, double *D, int node)
{
    if (!lg_trajectory_has(tr, node) || !D) return LG_ERROR_ARGUMENT;
    if (!tr->variation) return LG_ERROR_UNSUPPORTED;
    const size_t size = sz(tr->state_size) * sz(tr->parameters);
    memcpy(D, tr->offset + sz(node) * size, size * sizeof *D);
    return LG_OK;
}

/* ---- products ---- */

/* s + the sum of m_j in_j; what is not known does not count where `in` is 0. */
static double products_add(double s, const double *m, const double *in, int count)
{
    for (int j = 0; j < count; j++)
        if (in[j] != 0) s += m[j] * in[j];
    return s;
}

lg_status lg_trajectory_apply(const lg_trajectory *tr, double *nodes, const double *in)
{
    if (!lg_trajectory_has(tr, 0) || !nodes || !in) return LG_ERROR_ARGUMENT;
    const int k = tr->k, c = tr->controls, rest = 1 + tr->parameters;
    const double *border = in + k + tr->steps * c;
    memcpy(nodes, in, sz(k) * sizeof *nodes);
    for (int i = 0; i < tr->reached; i++) {
        const double *M = lg_trajectory_step(tr, i), *u = in + k + i * c;
        double *z = nodes + sz(i) * sz(k);
        for (int r = 0; r < k; r++, M += tr->width) {
            double s = lg_dot(M, z, k);
            if (tr->before && i > 0) s = products_add(s, M + k, u - c, c);
            s = products_add(s, M + k + tr->before, u, c);
            z[k + r] = products_add(s, M + k + tr->before + c, border, rest);
        }
    }
    if (tr->reached < tr->steps) lg_fill_nan(nodes + sz(tr->reached + 1) * sz(k), (tr->steps - tr->reached) * k);
    return LG_OK;
}

/* Adds M_i^T tr->covector to the gradient, and makes it the covector at node i. */
static void products_pull(const lg_trajectory *tr, double *gradient, int i)
{
    const int k = tr->k, c = tr->controls, border = k + tr->steps * c;
    const double *w = tr->pull;
    lg_matvec_transposed(tr->pull, lg_trajectory_step(tr, i), tr->covector, k, tr->width);
    memcpy(tr->covector, w, sz(k) * sizeof *w);
    w += k;
    for (int j = 0; j < tr->before; j++)
        if (i > 0) gradient[k + (i - 1) * c + j] += w[j];
    w += tr->before;
    for (int j = 0; j < c; j++) gradient[k + i * c + j] += w[j];
    for (int j = 0; j < 1 + tr->parameters; j++) gradient[border + j] += w[c + j];
}

lg_status lg_trajectory_gradient(const lg_trajectory *tr, double *gradient, const double *nodes, const double *controls)
{
    if (!lg_trajectory_has(tr, tr ? tr->steps : 0) || !gradient || !nodes) return LG_ERROR_ARGUMENT;
    const int k = tr->k, count = tr->steps * tr->controls;
    memset(gradient, 0, sz(lg_trajectory_inputs(tr)) * sizeof *gradient);
    if (controls) memcpy(gradient + k, controls, sz(count) * sizeof *controls);
    memcpy(tr->covector, nodes + sz(tr->steps) * sz(k), sz(k) * sizeof *nodes);
    for (int i = tr->steps - 1; i >= 0; i--) {
        products_pull(tr, gradient, i);
        for (int j = 0; j < k; j++) tr->covector[j] += nodes[sz(i) * sz(k) + sz(j)];
    }
    memcpy(gradient, tr->covector, sz(k) * sizeof *gradient);
    return LG_OK;
}

/* row = row r of the sensitivity of a node. */
static void products_row(const lg_trajectory *tr, double *row, int node, int r)
{
    memset(row, 0, sz(lg_trajectory_inputs(tr)) * sizeof *row);
    memset(tr->covector, 0, sz(tr->k) * sizeof *tr->covector);
    tr->covector[r] = 1;
    for (int i = node - 1; i >= 0; i--) products_pull(tr, row, i);
    memcpy(row, tr->covector, sz(tr->k) * sizeof *row);
}

lg_status lg_trajectory_sensitivity(const lg_trajectory *tr, double *S, int node)
{
    if (!lg_trajectory_has(tr, node) || !S) return LG_ERROR_ARGUMENT;
    const size_t inputs = sz(lg_trajectory_inputs(tr));
    for (int r = 0; r < tr->k; r++) products_row(tr, S + sz(r) * inputs, node, r);
    return LG_OK;
}

lg_status lg_trajectory_monodromy(const lg_trajectory *tr, double *M)
{
    if (!lg_trajectory_has(tr, tr ? tr->steps : 0) || !M) return LG_ERROR_ARGUMENT;
    for (int r = 0; r < tr->k; r++) {
        products_row(tr, tr->inputs, tr->steps, r);
        memcpy(M + sz(r) * sz(tr->k), tr->inputs, sz(tr->k) * sizeof *M);
    }
    return LG_OK;
}

/* ---- Floquet multipliers ---- */

/* The largest first, and of conjugate ones that with the positive imaginary part. */
static void products_sort(double *re, double *im, int k)
{
    for (int i = 1; i < k; i++) {
        const double x = re[i], y = im[i];
        int j = i;
        for (; j > 0 && hypot(x, y) > hypot(re[j - 1], im[j - 1]); j--) re[j] = re[j - 1], im[j] = im[j - 1];
        re[j] = x, im[j] = y;
    }
}

lg_status lg_trajectory_multipliers(const lg_trajectory *tr, double *re, double *im)
{
    if (!re || !im) return LG_ERROR_ARGUMENT;
    const lg_status st = lg_trajectory_monodromy(tr, tr ? tr->square : NULL);
    if (st != LG_OK) return st;
    if (!lg_all_finite(tr->square, tr->k * tr->k)) return LG_ERROR_NOT_FINITE;
    if (!LG_HAS_LAPACK) return LG_ERROR_UNSUPPORTED;
    const lapack_int k = tr->k; /* that LAPACK reads the transposed matrix does not change its eigenvalues */
    if (LAPACKE_dgeev_work(LAPACK_COL_MAJOR, 'N', 'N', k, tr->square, k, re, im, NULL, 1, NULL, 1, tr->work,
                           LG_TRAJECTORY_WORK * k) != 0)
        return LG_ERROR_CONVERGENCE;
    products_sort(re, im, tr->k);
    return LG_OK;
}
