/* SPDX-License-Identifier: BSD-3-Clause */
/* Properties of a step, measured on demand: reversibility, the determinant of its matrix, the parasitic growth rate. */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <liegrp/integrators/linearisation.h>

#include "base/dense.h"
#include "base/lapack.h"
#include "integrators/integrator.h"
#include "integrators/diagnostics/diagnostics.h"

static int diagnostics_ready(const lg_integrator *it)
{
    return it != NULL && it->made && it->started;
}

/* Reversibility ------------------------------------------------------------------------------------------------- */

static int is_restarted(const lg_integrator *it)
{
    return it->plan.method.rule->restarts;
}

/* The state is p^-, so that the way back carries on p^+. */
static int carries_minus(const lg_integrator *it)
{
    return it->plan.method.rule->state == LG_STATE_P_MINUS && !is_restarted(it);
}

/* |p| in the metric J^-1 at the present node; `v` is scratch. */
static double momentum_size(const lg_integrator *it, const double *p, double *v)
{
    lg_raise(&it->plan, v, it->workspace->now, p);
    return sqrt(lg_dot(p, v, it->plan.n));
}

/* `steps` steps, the length of the way and the largest |p~| on it; `v` is scratch. */
static lg_status walk(lg_integrator *it, int64_t steps, double *way, double *size, double *v)
{
    const int n = it->plan.n;
    for (int64_t k = 0; k < steps; k++) {
        const lg_node *b;
        const lg_status status = lg_integrator_step(it);
        if (status != LG_OK) return status;
        b = it->workspace->now;
        *way += fabs(it->h) * sqrt(lg_dot(b->xi, b->xi, n));
        *size = fmax(*size, momentum_size(it, b->p_tilde, v));
    }
    return LG_OK;
}

/* `it` turns round where it is: -h, and what its next step departs with. */
static void turn_round(lg_integrator *it)
{
    lg_node *b = it->workspace->now;
    it->h = -it->h;
    it->base_t = b->t;
    it->base_step = it->step;
    it->workspace->length = 0;
    lg_history_clear(it->workspace);
    if (is_restarted(it)) {
        lg_kick_rows(&it->plan, b, 0.5 * it->h);
    } else if (carries_minus(it)) {
        memcpy(b->p_minus, b->p_plus, sz(it->plan.n) * sizeof *b->p_minus);
    }
}

/* Configurations a and b: how far apart, relative to their size and to the way between. */
static double configuration_defect(const lg_group *G, const double *a, const double *b, double way)
{
    double distance = 0, size = fmax(way, DBL_MIN);
    for (int i = 0; i < G->element_size; i++) size = fmax(size, fabs(a[i]));
    if (lg_group_distance(G, &distance, a, b) != LG_OK) {
        distance = 0;
        for (int i = 0; i < G->element_size; i++) distance = fmax(distance, fabs(a[i] - b[i]));
    }
    return distance / size;
}

/* The difference between the momentum after the backward step and the initial momentum p, relative to `size`; `d` holds
 * 2 n numbers. */
static double momentum_defect(const lg_integrator *it, const double *p, double size, double *d)
{
    const lg_node *b = it->workspace->now;
    const double *back = carries_minus(it) ? b->p_plus : b->p_tilde;
    const int n = it->plan.n;
    for (int i = 0; i < n; i++) d[i] = back[i] - p[i];
    return momentum_size(it, d, d + n) / fmax(size, DBL_MIN);
}

lg_status lg_diagnostics_reversibility(const lg_integrator *it, double *defect, int64_t steps)
{
    lg_integrator *copy = NULL;
    lg_status status;
    double *scratch, way = 0, size = 0, back = 0;
    if (defect == NULL) return LG_ERROR_ARGUMENT;
    *defect = NAN;
    if (!diagnostics_ready(it) || steps < 1) return LG_ERROR_ARGUMENT;
    if (lg_integrator_degree(it)) return LG_ERROR_UNSUPPORTED;
    scratch = calloc(2 * sz(it->plan.n), sizeof *scratch);
    status = scratch != NULL ? lg_integrator_clone(&copy, it) : LG_ERROR_MEMORY;
    if (status == LG_OK) status = walk(copy, steps, &way, &size, scratch);
    if (status == LG_OK) turn_round(copy);
    if (status == LG_OK) status = walk(copy, steps, &back, &size, scratch);
    if (status == LG_OK) {
        const lg_node *a = it->workspace->now;
        const double g = configuration_defect(it->S.group, a->g, copy->workspace->now->g, way);
        const double p = momentum_defect(copy, carries_minus(it) ? a->p_minus : a->p_tilde, size, scratch);
        *defect = g > p || isnan(g) ? g : p;
    }
    lg_integrator_destroy(copy);
    free(scratch);
    return status;
}

/* The step's matrix --------------------------------------------------------------------------------------------- */

/* D = the derivative on (eta, p), 2n x 2n, to be freed. */
static lg_status step_matrix(double **D, const lg_integrator *it)
{
    lg_linearisation *lin = NULL;
    const size_t side = 2 * sz(it->plan.n);
    double *J = NULL;
    lg_status status;
    *D = NULL;
    status = lg_linearisation_create(&lin, it);
    if (status == LG_OK) status = lg_linearisation_compute(lin, it);
    if (status == LG_OK) {
        const size_t rows = sz(lg_linearisation_rows(lin)), columns = sz(lg_linearisation_columns(lin));
        J = malloc((rows * columns + side * side) * sizeof *J);
        status = J != NULL ? lg_linearisation_jacobian(lin, J + side * side) : LG_ERROR_MEMORY;
        for (size_t i = 0; status == LG_OK && i < side; i++)
            memcpy(J + i * side, J + side * side + i * columns, side * sizeof *J);
    }
    if (status == LG_OK) {
        *D = J;
    } else {
        free(J);
    }
    lg_linearisation_destroy(lin);
    return status;
}

lg_status lg_diagnostics_determinant(const lg_integrator *it, double *determinant)
{
    double *D, product;
    int *pivots, side;
    lg_status status;
    if (determinant == NULL) return LG_ERROR_ARGUMENT;
    *determinant = NAN;
    if (!diagnostics_ready(it)) return LG_ERROR_ARGUMENT;
    side = 2 * it->plan.n;
    status = step_matrix(&D, it);
    if (status != LG_OK) return status;
    pivots = malloc(sz(side) * sizeof *pivots);
    if (pivots == NULL) {
        free(D);
        return LG_ERROR_MEMORY;
    }
    if (!lg_all_finite(D, side * side)) {
        status = LG_ERROR_NOT_FINITE;
    } else if (lg_lu_factor(D, pivots, side) == LG_OK) {
        product = lg_lu_sign(D, pivots, side);
        for (int i = 0; i < side; i++) product *= fabs(D[i * side + i]);
        *determinant = product;
    } else {
        *determinant = 0; /* a pivot is 0 */
    }
    free(pivots);
    free(D);
    return status;
}

/* The eigenvalues of D, side x side, which is overwritten. The plain LAPACKE_dgeev() would allocate its memory itself,
 * and print when it runs out of memory; for that reason, too, D is transposed here. */
static lg_status eigenvalues(double *D, lapack_int side, double *re, double *im)
{
    double best = 0, *work;
    lapack_int failed;
    for (int i = 0; i < side; i++)
        for (int j = 0; j < i; j++) {
            const double keep = D[i * side + j];
            D[i * side + j] = D[j * side + i];
            D[j * side + i] = keep;
        }
    failed = LAPACKE_dgeev_work(LAPACK_COL_MAJOR, 'N', 'N', side, D, side, re, im, NULL, 1, NULL, 1, &best, -1);
    if (failed != 0) return LG_ERROR_CONVERGENCE;
    work = malloc((size_t)best * sizeof *work);
    if (work == NULL) return LG_ERROR_MEMORY;
    failed =
        LAPACKE_dgeev_work(LAPACK_COL_MAJOR, 'N', 'N', side, D, side, re, im, NULL, 1, NULL, 1, work, (lapack_int)best);
    free(work);
    return failed == 0 ? LG_OK : LG_ERROR_CONVERGENCE;
}

lg_status lg_diagnostics_parasitic_growth(const lg_integrator *it, double *rate, int *count)
{
    double *D, *re, *im, most = 0;
    int side, found = 0;
    lg_status status;
    if (count != NULL) *count = 0;
    if (rate == NULL) return LG_ERROR_ARGUMENT;
    *rate = NAN;
    if (!diagnostics_ready(it)) return LG_ERROR_ARGUMENT;
    if (!lg_integrator_has_parasitic_mode(it)) return LG_OK;
    if (!LG_HAS_LAPACK) return LG_ERROR_UNSUPPORTED;
    side = 2 * it->plan.n;
    status = step_matrix(&D, it);
    if (status != LG_OK) return status;
    re = malloc(2 * sz(side) * sizeof *re);
    if (re == NULL) {
        free(D);
        return LG_ERROR_MEMORY;
    }
    im = re + side;
    status = lg_all_finite(D, side * side) ? eigenvalues(D, side, re, im) : LG_ERROR_NOT_FINITE;
    for (int i = 0; status == LG_OK && i < side; i++) {
        const double size = hypot(re[i], im[i]);
        if (!(re[i] < 0) || size < 1e-3) continue; /* holonomic constraints have the multiplier 0, with any sign */
        found++;
        most = fmax(most, size);
    }
    if (found > 0) *rate = log(most) / fabs(it->h);
    if (count != NULL) *count = found;
    free(re);
    free(D);
    return status;
}
