/* SPDX-License-Identifier: BSD-3-Clause */
/* Controls for an acceleration, and the nearest acceleration that rows allow. Lengths are those of the kinetic metric
 * M = L L^T: forces are L^-1 tau, rates L^T a, rows G L^-T, so that units do not matter. With the rows' multipliers
 * projected away, Z^T L^-1 (B u - tau) = 0, where Z spans the rates that all rows allow. */
#include <math.h>

#include "base/arena.h"
#include "base/dense.h"
#include "multibody/dynamics/least.h"
#include "multibody/dynamics/rows.h"
#include "multibody/forces/force.h"

#define MB_DEPENDENT 1e-10 /* rows and motors whose part of their own is shorter depend on others */
#define MB_MISSING   1e-8  /* of the forces: what controls may leave */

/* Memory that grows with the square of the coordinates: taken when it is first asked for. */
struct mb_dense {
    double *L;           /* n x n: the factor of M */
    double *G, *bend;    /* rows x n, rows */
    double *rows, *unit; /* the rows in the metric, times `unit`, which makes their lengths 1 */
    double *B;           /* n x motors in the metric */
    double *tau, *x;     /* n, or rows */
    double *work, *beta;
    int *pivot;
};

static struct mb_dense *dense_carve(lg_arena *a, const lg_dynamics *d)
{
    const size_t n = sz(d->n), r = sz(d->rows), k = sz(d->m->plan.controls), most = n > k ? n : k;
    struct mb_dense sizes, *taken = lg_take(a, sizeof *taken), *w = taken != NULL ? taken : &sizes;
    w->L = lg_take_doubles(a, n * n);
    w->G = lg_take_doubles(a, r * n), w->rows = lg_take_doubles(a, r * n);
    w->bend = lg_take_doubles(a, r), w->unit = lg_take_doubles(a, r);
    w->B = lg_take_doubles(a, n * k);
    w->tau = lg_take_doubles(a, n), w->x = lg_take_doubles(a, most);
    w->work = lg_take_doubles(a, most * (most + 5)), w->beta = lg_take_doubles(a, 2 * r);
    w->pivot = lg_take(a, (r + 2 * most) * sizeof(int));
    return taken;
}

static lg_status dense_make(lg_dynamics *d, const char *who)
{
    lg_arena a = {NULL, 0};
    if (d->dense != NULL) return LG_OK;
    (void)dense_carve(&a, d);
    a = (lg_arena){lg_reserve(a.used), 0};
    if (a.base == NULL) return lg_fail(&d->error, LG_ERROR_MEMORY, "%s: out of memory", who);
    d->dense = dense_carve(&a, d);
    return LG_OK;
}

/* x <- L^-1 x, entries `stride` apart; x <- L^-T x. */
static void into_metric(const double *L, int n, double *x, int stride)
{
    for (int i = 0; i < n; i++) {
        double s = x[i * stride];
        for (int k = 0; k < i; k++) s -= L[i * n + k] * x[k * stride];
        x[i * stride] = s / L[i * n + i];
    }
}
static void out_of_metric(const double *L, int n, double *x)
{
    for (int i = n - 1; i >= 0; i--) {
        for (int k = i + 1; k < n; k++) x[i] -= L[k * n + i] * x[k];
        x[i] /= L[i * n + i];
    }
}

static double length_of(const double *x, int n, int stride)
{
    double s = 0;
    for (int i = 0; i < n; i++) s += x[i * stride] * x[i * stride];
    return sqrt(s);
}

/* M = L L^T, and the rows in the metric: rows x n, or the transpose. The state satisfies them. */
static lg_status prepare(lg_dynamics *d, int transposed, const char *who)
{
    lg_status st = mb_dynamics_closed(d, who);
    if (st == LG_OK) st = dense_make(d, who);
    if (st != LG_OK) return st;
    struct mb_dense *w = d->dense;
    const int n = d->n, stride = transposed ? d->rows : 1;
    int bad = -1;
    st = lg_dynamics_mass_matrix(d, w->L);
    if (st == LG_OK) st = lg_cholesky(w->L, n, &bad);
    if (st != LG_OK)
        return lg_fail(&d->error, LG_ERROR_SINGULAR, "%s: the mass matrix has no inertia left at coordinate %d", who,
                       bad);
    mb_dynamics_rows(d, &(mb_tree_rows){.G = w->G, .bend = w->bend, .length = w->unit});
    for (int r = 0; r < d->rows; r++) {
        double *to = w->rows + (transposed ? r : r * n);
        for (int i = 0; i < n; i++) to[i * stride] = w->G[r * n + i];
        into_metric(w->L, n, to, stride);
        const double length = length_of(to, n, stride);
        w->unit[r] = length > MB_DEPENDENT * w->unit[r] ? 1 / length : 0;
        for (int i = 0; i < n; i++) to[i * stride] *= w->unit[r];
    }
    return LG_OK;
}

/* |L^T a| */
static double metric_length(const lg_dynamics *d, const double *a)
{
    double square = 0;
    for (int i = 0; i < d->n; i++) {
        double s = 0;
        for (int k = i; k < d->n; k++) s += d->dense->L[k * d->n + i] * a[k];
        square += s * s;
    }
    return sqrt(square);
}

/* x <- what the rates a miss of the rows, G a + bend, in the metric; returns the largest, of row *worst. */
static double miss(const lg_dynamics *d, double *x, const double *a, int *worst)
{
    const struct mb_dense *w = d->dense;
    double most = 0;
    for (int r = 0; r < d->rows; r++) {
        x[r] = w->bend[r];
        for (int i = 0; i < d->n; i++) x[r] += w->G[r * d->n + i] * a[i];
        x[r] *= w->unit[r];
        if (!(fabs(x[r]) <= most)) most = fabs(x[r]), *worst = r;
    }
    return most;
}

lg_status lg_dynamics_admissible(lg_dynamics *d, double *a)
{
    static const char who[] = "lg_dynamics_admissible";
    int worst = 0;
    double off;
    lg_status st = mb_dynamics_begin(d, a, who);
    if (st == LG_OK && d->rows > 0) st = prepare(d, 0, who);
    if (st != LG_OK || d->rows == 0) return st;
    struct mb_dense *w = d->dense;
    (void)miss(d, w->bend, a, &worst);
    (void)mb_least(w->x, &off, w->rows, w->bend, d->rows, d->n, MB_DEPENDENT, w->work, w->pivot);
    out_of_metric(w->L, d->n, w->x);
    for (int i = 0; i < d->n; i++) a[i] -= w->x[i];
    return st;
}

/* B <- the forces of controls of 1, in the metric. */
static void motor_columns(lg_dynamics *d)
{
    const mb_plan *plan = &d->m->plan;
    const int k = plan->controls;
    mb_motion *n = &d->mo->numbers;
    struct mb_dense *w = d->dense;
    mb_slopes(plan, n->slope, n->node[0].pose, n->node[0].pose, n->node[0].pose);
    for (int i = 0; i < plan->forces; i++) {
        const mb_force *s = &plan->force[i];
        if (s->control < 0) continue;
        memset(d->force, 0, sz(plan->bodies + 1) * sizeof *d->force);
        memset(w->tau, 0, sz(d->n) * sizeof *w->tau);
        for (int side = 0; side < 2; side++) {
            const mb_joint *j = &plan->joint[plan->coordinate[s->coordinate].joint];
            mb_pair *f = &d->force[side ? j->b : j->a];
            for (int c = 0; c < 6; c++) f->v[c] += s->gain * n->slope[2 * s->coordinate + side].v[c];
        }
        mb_dynamics_gather(d, w->tau, d->force);
        for (int c = 0; c < d->n; c++) w->B[c * k + s->control] = w->tau[c];
        into_metric(w->L, d->n, w->B + s->control, k);
    }
}

/* Projects the motors and tau onto what all rows allow: those entries from the rank of the rows on, which is returned.
 */
static int project(lg_dynamics *d)
{
    struct mb_dense *w = d->dense;
    const int n = d->n, rows = d->rows, k = d->m->plan.controls;
    const int rank = mb_triangulate(w->rows, w->pivot, w->beta, n, rows, MB_DEPENDENT);
    mb_reflect(w->rows, w->beta, n, rows, rank, w->tau, 1);
    for (int j = 0; j < k; j++) {
        const double whole = length_of(w->B + j, n, k);
        mb_reflect(w->rows, w->beta, n, rows, rank, w->B + j, k);
        if (length_of(w->B + rank * k + j, n - rank, k) > MB_DEPENDENT * whole) continue;
        for (int i = rank; i < n; i++) w->B[i * k + j] = 0; /* the rows take all of it */
    }
    return rank;
}

lg_status lg_dynamics_motors(lg_dynamics *d, double *u, const double *a, int least)
{
    static const char who[] = "lg_dynamics_motors";
    int worst = 0;
    double off;
    lg_status st = mb_dynamics_begin(d, a, who);
    const int k = st == LG_OK ? d->m->plan.controls : 0;
    if (st == LG_OK && u == NULL && k > 0) st = lg_fail(&d->error, LG_ERROR_ARGUMENT, "%s: the controls are NULL", who);
    if (st == LG_OK) st = prepare(d, 1, who);
    if (st != LG_OK) return st;
    struct mb_dense *w = d->dense;
    motor_columns(d);
    st = lg_dynamics_inverse(d, w->tau, a);
    if (st != LG_OK) return st;
    into_metric(w->L, d->n, w->tau, 1);
    const double size = length_of(w->tau, d->n, 1) + metric_length(d, a), open = miss(d, w->bend, a, &worst);
    if (!(open <= MB_MISSING * size)) {
        const char *name, *noun = mb_dynamics_row_name(d, worst, &name);
        return lg_fail(&d->error, LG_ERROR_INCONSISTENT,
                       "%s: %s '%.60s' does not allow this acceleration, by %.2g of it; lg_dynamics_admissible() gives "
                       "the nearest that all allow",
                       who, noun, name, open / size);
    }
    const int rows = project(d), freedoms = d->n - rows;
    const int rank = mb_least(w->x, &off, w->B + rows * k, w->tau + rows, freedoms, k, MB_DEPENDENT, w->work, w->pivot);
    if (k > 0) memcpy(u, w->x, sz(k) * sizeof *u);
    if (!(off <= MB_MISSING * size))
        return lg_fail(
            &d->error, LG_ERROR_SINGULAR,
            "%s: %d motors have rank %d on %d freedoms of velocity, and this acceleration needs other forces: "
            "%.2g of all; add motors, or give an acceleration that they reach",
            who, k, rank, freedoms, off / size);
    if (rank < k && !least)
        return lg_fail(&d->error, LG_ERROR_SINGULAR,
                       "%s: %d motors have rank %d on %d freedoms of velocity, so that several controls do it; "
                       "least = 1 asks for those with the least sum of squares",
                       who, k, rank, freedoms);
    return LG_OK;
}
