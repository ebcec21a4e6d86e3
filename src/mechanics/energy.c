/* SPDX-License-Identifier: BSD-3-Clause */
/* Energy and projectors of a system at a point, outside an integrator. */
#include <stdlib.h>

#include "base/dense.h"
#include "base/message.h"
#include "mechanics/standalone.h"
#include "mechanics/gram.h"

lg_status lg_system_energy(const lg_system *S, double *H, double t, const double *g, const double *p, lg_error *e)
{
    lg_standalone o;
    double V = 0, kinetic = 0;
    if (!g || !p || !H) return lg_fail(e, LG_ERROR_ARGUMENT, "lg_system_energy: an argument is NULL");
    lg_status st = lg_standalone_open(&o, S, e);
    if (st == LG_OK) {
        int code = lg_field_metric(&o.f, t, g, o.J);
        if (!code) code = lg_field_potential(&o.f, t, g, &V);
        st = code ? lg_standalone_failed(&o, code, e) : lg_standalone_invert(&o, o.J, "metric", e);
    }
    for (int i = 0; st == LG_OK && i < o.f.n; i++)
        for (int j = 0; j < o.f.n; j++) kinetic += 0.5 * p[i] * o.Jinv[i * o.f.n + j] * p[j];
    if (st == LG_OK) *H = kinetic + V;
    lg_release(o.block);
    return st;
}

/* Q* = A^T C^-1 A J'^-1, column by column. */
static void fill_projectors(const lg_standalone *o, double *P, double *Q)
{
    int n = o->f.n, rows = o->f.holonomic + o->f.m;
    double *u = o->extra;
    for (int j = 0; j < n; j++) {
        for (int a = 0; a < rows; a++) u[a] = o->AW[a * n + j];
        gram_solve(o->C, u, rows);
        for (int i = 0; i < n; i++) {
            double q = 0;
            for (int a = 0; a < rows; a++) q += o->A[a * n + i] * u[a];
            if (Q) Q[i * n + j] = q;
            if (P) P[i * n + j] = (i == j) - q;
        }
    }
}

/* C in the metric J. */
static lg_status factor_rows(lg_standalone *o, const double *J, const char *what, lg_error *e)
{
    lg_status st = lg_standalone_invert(o, J, what, e);
    if (st != LG_OK) return st;
    int bad = lg_standalone_gram(o);
    if (!bad) return LG_OK;
    const char *kind = o->f.holonomic ? lg_field_row_kind(&o->f, &bad) : "row";
    return lg_fail(e, LG_ERROR_SINGULAR,
                   "lg_system_projectors: %s %d depends on the rows before it at this configuration", kind, bad);
}

/* Pi = J Y; with holonomic constraints A^T C^-1 b in the kinetic metric, the shortest with A J^-1 Pi = b. */
static lg_status fill_drift(lg_standalone *o, double *Pi, lg_error *e)
{
    int n = o->f.n, rows = o->f.holonomic + o->f.m;
    if (!o->f.holonomic) {
        lg_matvec(Pi, o->J, o->Y, n, n);
        return LG_OK;
    }
    lg_status st = factor_rows(o, o->J, "metric", e);
    if (st != LG_OK) return st;
    gram_solve(o->C, o->b, rows);
    lg_matvec_transposed(Pi, o->A, o->b, rows, n);
    return LG_OK;
}

lg_status lg_system_projectors(const lg_system *S, double *P, double *Q, double *Pi, double t, const double *g,
                               lg_error *e)
{
    lg_standalone o;
    if (!g) return lg_fail(e, LG_ERROR_ARGUMENT, "lg_system_projectors: g is NULL");
    lg_status st = lg_standalone_open(&o, S, e);
    if (st == LG_OK) {
        int code = lg_field_metric(&o.f, t, g, o.J);
        if (!code) code = lg_field_all_rows(&o.f, t, g, o.A, o.Y, o.b);
        if (code) st = lg_standalone_failed(&o, code, e);
    }
    if (st == LG_OK && Pi) st = fill_drift(&o, Pi, e);
    if (st == LG_OK) st = factor_rows(&o, o.S.projector_metric ? o.S.projector_metric : o.J, "projector metric", e);
    if (st == LG_OK) fill_projectors(&o, P, Q);
    lg_release(o.block);
    return st;
}
