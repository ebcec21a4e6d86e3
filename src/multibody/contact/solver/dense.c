/* SPDX-License-Identifier: BSD-3-Clause */
/* dP = k - K du and du = W dP + r give (I + W K) du = W k + r. Only rows whose contact has K != 0 are coupled: an open
 * contact has dP = k. LU with partial pivoting in loops of our own: LAPACK's bits depend on the machine. */
#include "multibody/contact/solver/dense.h"

#include <math.h>
#include <string.h>

static mb_ncp_dense *of(mb_ncp_kernel *kernel)
{
    return (mb_ncp_dense *)(void *)kernel;
}

static double row_times(const mb_ncp_dense *s, int row, const double *P)
{
    const double *W = s->W + (size_t)row * sz(s->rows);
    double sum = 0;
    for (int k = 0; k < s->rows; k++) sum += W[k] * P[k];
    return sum;
}

static void apply(mb_ncp_kernel *kernel, double *u, const double *P)
{
    const mb_ncp_dense *s = of(kernel);
    for (int i = 0; i < s->rows; i++) u[i] = row_times(s, i, P);
}

/* Finds the active rows: positions of rows of contacts with K != 0. */
static void find_active(mb_ncp_dense *s)
{
    s->count = 0;
    for (int i = 0; i < s->contacts; i++) {
        const mb_ncp_contact *c = &s->contact[i];
        const double *K = s->K + MB_NCP_BLOCK * i;
        int any = 0;
        for (int a = 0; a < c->rows; a++)
            for (int b = 0; b < c->rows; b++) any |= K[3 * a + b] != 0;
        for (int a = 0; any && a < c->rows; a++) s->active[s->count++] = c->at + a;
    }
}

/* LU <- I + W K on the active rows. */
static void assemble(mb_ncp_dense *s)
{
    const int n = s->count;
    memset(s->LU, 0, sz(n) * sz(n) * sizeof *s->LU);
    for (int i = 0, column = 0; i < s->contacts && column < n; i++) {
        const mb_ncp_contact *c = &s->contact[i];
        const double *K = s->K + MB_NCP_BLOCK * i;
        if (s->active[column] != c->at) continue;
        for (int row = 0; row < n; row++) {
            const double *W = s->W + (size_t)s->active[row] * sz(s->rows) + c->at;
            for (int b = 0; b < c->rows; b++)
                for (int a = 0; a < c->rows; a++) s->LU[row * n + column + b] += W[a] * K[3 * a + b];
        }
        for (int b = 0; b < c->rows; b++) s->LU[(column + b) * n + column + b] += 1;
        column += c->rows;
    }
}

static void swap_rows(double *x, double *y, int n)
{
    for (int k = 0; k < n; k++) {
        const double keep = x[k];
        x[k] = y[k], y[k] = keep;
    }
}

static int factor(mb_ncp_kernel *kernel, const double *K)
{
    mb_ncp_dense *s = of(kernel);
    memcpy(s->K, K, MB_NCP_BLOCK * sz(s->contacts) * sizeof *K);
    find_active(s);
    assemble(s);
    const int n = s->count;
    double *A = s->LU;
    for (int k = 0; k < n; k++) {
        int pivot = k;
        for (int i = k + 1; i < n; i++)
            if (fabs(A[i * n + k]) > fabs(A[pivot * n + k])) pivot = i;
        s->pivot[k] = pivot;
        if (!(fabs(A[pivot * n + k]) > 0) || !isfinite(A[pivot * n + k])) return 0;
        if (pivot != k)
            swap_rows(A + k * n, A + pivot * n, n); /* whole rows: solve() swaps all before it substitutes */
        for (int i = k + 1; i < n; i++) {
            if (A[i * n + k] == 0) continue;
            const double l = A[i * n + k] /= A[k * n + k];
            for (int j = k + 1; j < n; j++) A[i * n + j] -= l * A[k * n + j];
        }
    }
    return 1;
}

static void substitute(const mb_ncp_dense *s, double *x)
{
    const int n = s->count;
    const double *A = s->LU;
    for (int k = 0; k < n; k++) swap_rows(x + k, x + s->pivot[k], 1);
    for (int i = 1; i < n; i++)
        for (int k = 0; k < i; k++) x[i] -= A[i * n + k] * x[k];
    for (int i = n - 1; i >= 0; i--) {
        for (int k = i + 1; k < n; k++) x[i] -= A[i * n + k] * x[k];
        x[i] /= A[i * n + i];
    }
}

static void solve(mb_ncp_kernel *kernel, double *dP, double *du, const double *k, const double *r)
{
    mb_ncp_dense *s = of(kernel);
    for (int i = 0; i < s->count; i++) {
        const int row = s->active[i];
        s->right[i] = row_times(s, row, k) + (r != NULL ? r[row] : 0);
    }
    substitute(s, s->right);
    memcpy(dP, k, sz(s->rows) * sizeof *dP);
    for (int i = 0, at = 0; i < s->contacts && at < s->count; i++) {
        const mb_ncp_contact *c = &s->contact[i];
        const double *K = s->K + MB_NCP_BLOCK * i;
        if (s->active[at] != c->at) continue;
        for (int a = 0; a < c->rows; a++)
            for (int b = 0; b < c->rows; b++) dP[c->at + a] -= K[3 * a + b] * s->right[at + b];
        at += c->rows;
    }
    apply(kernel, du, dP);
    for (int i = 0; r != NULL && i < s->rows; i++) du[i] += r[i];
    for (int i = 0; i < s->count; i++) du[s->active[i]] = s->right[i]; /* with K large these have more digits */
}

static void begin(mb_ncp_kernel *kernel, const double *P)
{
    memcpy(of(kernel)->P, P, sz(of(kernel)->rows) * sizeof *P);
}

static void read(mb_ncp_kernel *kernel, int i, double *u)
{
    const mb_ncp_dense *s = of(kernel);
    for (int k = 0; k < s->contact[i].rows; k++) u[k] = row_times(s, s->contact[i].at + k, s->P);
}

static void change(mb_ncp_kernel *kernel, int i, const double *dP)
{
    const mb_ncp_dense *s = of(kernel);
    for (int k = 0; k < s->contact[i].rows; k++) s->P[s->contact[i].at + k] += dP[k];
}

void mb_ncp_dense_take(mb_ncp_dense *s, lg_arena *a, int contacts)
{
    const size_t n = 3 * sz(contacts);
    s->local = lg_take_doubles(a, MB_NCP_BLOCK * sz(contacts));
    s->K = lg_take_doubles(a, MB_NCP_BLOCK * sz(contacts));
    s->P = lg_take_doubles(a, n);
    s->right = lg_take_doubles(a, n);
    s->LU = lg_take_doubles(a, n * n);
    s->pivot = lg_take(a, n * sizeof *s->pivot);
    s->active = lg_take(a, n * sizeof *s->active);
}

void mb_ncp_dense_set(mb_ncp_dense *s, const double *W, const mb_ncp_contact *contact, int contacts)
{
    s->contact = contact, s->contacts = contacts, s->W = W;
    s->rows = contacts > 0 ? contact[contacts - 1].at + contact[contacts - 1].rows : 0;
    for (int i = 0; i < contacts; i++)
        for (int a = 0; a < 3; a++)
            for (int b = 0; b < 3; b++)
                s->local[MB_NCP_BLOCK * i + 3 * a + b] =
                    a < contact[i].rows && b < contact[i].rows
                        ? W[(size_t)(contact[i].at + a) * sz(s->rows) + sz(contact[i].at + b)]
                        : 0;
    s->kernel = (mb_ncp_kernel){apply, factor, solve, begin, read, change, s->local};
}
