/* SPDX-License-Identifier: BSD-3-Clause */
/* Controls for an acceleration, and the nearest acceleration that rows allow, in the kinetic metric. With the rows'
 * multipliers projected away, Z^T L^-1 (B u - tau) = 0, where Z spans the rates that all rows allow. */
#include <math.h>

#include "multibody/dynamics/metric.h"
#include "multibody/forces/along.h"

#define MB_MISSING 1e-8 /* of the forces: what controls may leave */

/* The metric and the rows in it: rows x n, or the transpose. The state satisfies them. */
static lg_status prepare(lg_dynamics *d, int transposed, const char *who)
{
    lg_status st = mb_dynamics_closed(d, who);
    if (st == LG_OK) st = mb_metric(d, who);
    if (st != LG_OK) return st;
    mb_dynamics_rows(d, &(mb_tree_rows){.G = d->dense->G, .bend = d->dense->bend, .length = d->dense->unit});
    mb_metric_rows(d, d->rows, transposed);
    return LG_OK;
}

/* x <- what the rates a miss of the rows, G a + bend, in the metric; returns the largest, of row *worst. */
static double miss(const lg_dynamics *d, double *x, const double *a, int *worst)
{
    const mb_dense *w = d->dense;
    double most = 0;
    for (int r = 0; r < d->rows; r++) {
        x[r] = w->bend[r];
        for (int i = 0; i < d->n; i++) x[r] += w->G[r * d->n + i] * a[i];
        x[r] *= w->unit[r];
        if (fabs(x[r]) > most) most = fabs(x[r]), *worst = r;
    }
    return most;
}

lg_status lg_dynamics_admissible(lg_dynamics *d, double *a)
{
    static const char who[] = "lg_dynamics_admissible";
    int worst = 0;
    double off;
    lg_status st = mb_dynamics_begin(d, a, who);
    if (st == LG_OK) st = mb_dynamics_finite(d, a, d->n, "acceleration", who);
    if (st == LG_OK && d->rows > 0) st = prepare(d, 0, who);
    if (st != LG_OK || d->rows == 0) return st;
    mb_dense *w = d->dense;
    (void)miss(d, w->bend, a, &worst);
    (void)mb_least(w->x, &off, w->rows, w->bend, d->rows, d->n, d->rank, MB_DEPENDENT, w->work, w->pivot);
    mb_out_of_metric(d, w->x);
    for (int i = 0; i < d->n; i++) a[i] -= w->x[i];
    return st;
}

/* The column of a control whose wrenches are in d->force. */
static void take_column(lg_dynamics *d, int control)
{
    mb_dense *w = d->dense;
    const int k = d->m->plan.controls;
    memset(w->tau, 0, sz(d->n) * sizeof *w->tau);
    mb_dynamics_gather(d, w->tau, d->force);
    for (int c = 0; c < d->n; c++) w->B[c * k + control] = w->tau[c];
    mb_into_metric(d, w->B + control, k);
}

/* B <- the forces of motors and thrusters of 1, in the metric. */
static void motor_columns(lg_dynamics *d)
{
    const mb_plan *plan = &d->m->plan;
    mb_motion *n = &d->mo->numbers;
    mb_slopes(plan, n->slope, n->node[0].pose, &n->node[0], &n->node[0]);
    for (int i = 0; i < plan->forces; i++) {
        const mb_force *s = &plan->force[i];
        if (s->control < 0) continue;
        memset(d->force, 0, sz(plan->bodies + 1) * sizeof *d->force);
        const double ratio = MB_MOTOR_OF(d->m, s->control)->ratio;
        for (int side = 0; side < mb_force_sides(s); side++) {
            mb_pair *f = &d->force[mb_force_body(s, side)];
            for (int c = 0; c < 6; c++) f->v[c] += ratio * n->slope[mb_force_slope(s) + side].v[c];
        }
        take_column(d, s->control);
    }
    for (const mb_ball *s = plan->ball; s < plan->ball + plan->balls; s++) {
        const mb_joint *j = &plan->joint[s->joint];
        double T[3];
        if (s->control < 0) continue;
        mb_axis(T, n->node[0].pose[j->a].R, j->frame_a, s->axis);
        memset(d->force, 0, sz(plan->bodies + 1) * sizeof *d->force);
        for (int c = 0; c < 3; c++) d->force[j->a].v[3 + c] = -s->gain * T[c], d->force[j->b].v[3 + c] = s->gain * T[c];
        take_column(d, s->control);
    }
    for (const mb_thruster *t = plan->thruster; t < plan->thruster + plan->thrusters; t++) {
        const double *R = n->node[0].pose[t->body].R;
        memset(d->force, 0, sz(plan->bodies + 1) * sizeof *d->force);
        mb_turn(d->force[t->body].v, R, t->wrench), mb_turn(d->force[t->body].v + 3, R, t->wrench + 3);
        take_column(d, t->control);
    }
}

/* Projects the motors and tau onto what all rows allow: those entries from the rank of the rows on, which is returned.
 */
static int project(lg_dynamics *d)
{
    mb_dense *w = d->dense;
    const int n = d->n, rows = d->rows, k = d->m->plan.controls;
    const int rank = mb_triangulate(w->rows, w->pivot, w->beta, n, rows, d->rank, MB_DEPENDENT);
    mb_reflect(w->rows, w->beta, n, rows, rank, w->tau, 1);
    for (int j = 0; j < k; j++) {
        const double whole = mb_stride_length(w->B + j, n, k);
        mb_reflect(w->rows, w->beta, n, rows, rank, w->B + j, k);
        if (mb_stride_length(w->B + rank * k + j, n - rank, k) > MB_DEPENDENT * whole) continue;
        for (int i = rank; i < n; i++) w->B[i * k + j] = 0; /* the rows take all of it */
    }
    return rank;
}

/* What a brake can do depends on how fast its joint turns, and it only brakes. */
static lg_status refuse_brakes(lg_dynamics *d, const char *who)
{
    for (int i = 0; i < d->m->plan.forces; i++) {
        const mb_force *s = &d->m->plan.force[i];
        if (s->law == MB_LAW_brake)
            return lg_fail(&d->error, LG_ERROR_UNSUPPORTED,
                           "%s: motor '%.60s' is a brake, whose force its control alone does not set; take a mechanism "
                           "without it",
                           who, MB_MOTOR_OF(d->m, s->control)->name);
    }
    return LG_OK;
}

lg_status lg_dynamics_motors(lg_dynamics *d, double *u, const double *a, int least)
{
    static const char who[] = "lg_dynamics_motors";
    int worst = 0;
    double off;
    lg_status st = mb_dynamics_begin(d, a, who);
    if (st == LG_OK) st = refuse_brakes(d, who);
    const int k = st == LG_OK ? d->m->plan.controls : 0;
    if (st == LG_OK && u == NULL && k > 0) st = lg_fail(&d->error, LG_ERROR_ARGUMENT, "%s: the controls are NULL", who);
    if (st == LG_OK) st = mb_dynamics_finite(d, a, d->n, "acceleration", who);
    if (st == LG_OK) st = prepare(d, 1, who);
    if (st != LG_OK) return st;
    mb_dense *w = d->dense;
    motor_columns(d);
    st = lg_dynamics_inverse(d, w->tau, a);
    if (st != LG_OK) return st;
    mb_into_metric(d, w->tau, 1);
    const double size = mb_stride_length(w->tau, d->n, 1) + mb_metric_length(d, a), open = miss(d, w->bend, a, &worst);
    if (open > MB_MISSING * size) {
        const char *name, *noun = mb_dynamics_row_name(d, worst, &name);
        return lg_fail(&d->error, LG_ERROR_INCONSISTENT,
                       "%s: %s '%.60s' does not allow this acceleration, by %.2g of it; lg_dynamics_admissible() gives "
                       "the nearest that all allow",
                       who, noun, name, open / size);
    }
    const int rows = project(d), freedoms = d->n - rows;
    const int rank =
        mb_least(w->x, &off, w->B + rows * k, w->tau + rows, freedoms, k, k, MB_DEPENDENT, w->work, w->pivot);
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
