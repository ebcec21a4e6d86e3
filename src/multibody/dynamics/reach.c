/* SPDX-License-Identifier: BSD-3-Clause */
/* Inverse kinematics: Levenberg's method on the coordinates' group. A step solves
 *
 *   (Z^T J^T W J Z + mu) y = Z^T J^T W e,    delta = Z y,
 *
 * in the kinetic metric, where Z spans what loops and the limits that the step presses on allow. A trial is put back
 * onto loops and limits by Newton's method, and is taken if it comes nearer. */
#include <math.h>

#include <liegrp/groups/so3.h>

#include "base/dense.h"
#include "multibody/dynamics/metric.h"

#define MB_REACHED    1e-9  /* of the reach, and rad: what a pose that is reached may be off */
#define MB_BEYOND     1e-10 /* of the reach if that is below 1 m, m and rad: what is at a limit may be off */
#define MB_STATIONARY 1e-10 /* of |J| |e|: a smaller gradient is that of the nearest pose */
#define MB_ROUNDED    1e-6  /* of it too: the largest that rounding leaves where no step comes nearer */
enum { MB_REACH_ROUNDS = 1000, MB_CLOSE_ROUNDS = 30 };

typedef struct reach {
    lg_dynamics *d;
    const int *body;
    const double *pose, *point, *weight;
    int count;
    double cost, off[2]; /* |W e|^2; the largest distance and angle */
    double gradient;     /* relative to |J| |e| */
    double largest;      /* diagonal of J^T W J */
    int rows, rank;      /* of what is held; the other entries are free */
} reach;

static double weight_of(const reach *r, int i, int part)
{
    return r->weight != NULL ? r->weight[2 * i + part] : 1;
}

/* e of target i: displacement, and rotation vector in space. */
static void error_of(const reach *r, double *e, int i)
{
    const double *want = r->pose + 7 * i;
    double pose[7], q[4] = {0, 0, 0, 1}, x[4];
    lg_status_ignore(lg_dynamics_frame(r->d, pose, NULL, r->body[i], r->point != NULL ? r->point + 3 * i : NULL));
    for (int k = 0; k < 3; k++) e[k] = want[k] - pose[k];
    lg_status_ignore(lg_so3_project(q, want + 3));
    lg_so3_inverse(x, pose + 3);
    lg_so3_compose(x, q, x);
    const double sine = sqrt(mb_dot(x, x)), angle = 2 * atan2(sine, fabs(x[3]));
    for (int k = 0; k < 3; k++) e[3 + k] = sine > 0 ? (x[3] < 0 ? -angle : angle) / sine * x[k] : 0;
}

/* The cost at the present state. */
static void evaluate(reach *r)
{
    r->cost = r->off[0] = r->off[1] = 0;
    for (int i = 0; i < r->count; i++) {
        double e[6];
        error_of(r, e, i);
        for (int part = 0; part < 2; part++) {
            const double w = weight_of(r, i, part), *x = e + 3 * part, size = sqrt(mb_dot(x, x));
            const double scaled = w * size / (part ? 1 : r->d->m->plan.reach);
            if (w > 0) r->off[part] = fmax(r->off[part], size), r->cost += scaled * scaled;
        }
    }
}

/* B <- J^T W J, tau <- J^T W e. */
static void normal_equations(reach *r)
{
    lg_dynamics *d = r->d;
    mb_dense *w = d->dense;
    const int n = d->n;
    double *J = w->work;
    memset(w->B, 0, sz(n) * sz(n) * sizeof *w->B), memset(w->tau, 0, sz(n) * sizeof *w->tau);
    for (int t = 0; t < r->count; t++) {
        double e[6];
        error_of(r, e, t);
        lg_status_ignore(lg_dynamics_jacobian(d, J, r->body[t], r->point != NULL ? r->point + 3 * t : NULL));
        for (int row = 0; row < 6; row++) {
            const double scale = weight_of(r, t, row / 3) / (row < 3 ? d->m->plan.reach : 1), s = scale * scale;
            for (int i = 0; i < n; i++) {
                const double x = s * J[row * n + i];
                w->tau[i] += x * e[row];
                for (int k = 0; x != 0 && k < n; k++) w->B[i * n + k] += x * J[row * n + k];
            }
        }
    }
}

/* The rows of loops and of coordinates that stay, in the metric; returns how many. */
static int constrain(reach *r, int transposed)
{
    lg_dynamics *d = r->d;
    mb_dense *w = d->dense;
    int rows = d->position_rows;
    mb_dynamics_rows(d, &(mb_tree_rows){.G = w->G, .open = w->bend, .length = w->unit});
    for (int i = 0; i < d->n; i++) {
        if (!w->held[i]) continue;
        memset(w->G + rows * d->n, 0, sz(d->n) * sizeof *w->G);
        w->G[rows * d->n + i] = 1, w->bend[rows] = w->unit[rows] = 0;
        rows++;
    }
    for (int i = 0; i < d->limits; i++) {
        const char held = w->held[d->n + i];
        if (!held) continue;
        mb_loop_limit_row(d, w->G + rows * d->n, i);
        w->bend[rows] = mb_loop_limit_value(d, i) - (held == 1 ? d->limit[i].lower : d->limit[i].upper);
        w->unit[rows++] = 0;
    }
    mb_metric_rows(d, rows, transposed);
    return rows;
}

/* The most that the rank of these rows may be: those of loops have their rank, though more of them may be independent
 * where loops are open. */
static int rank_of(const lg_dynamics *d, int rows)
{
    return d->position_rank + rows - d->position_rows;
}

/* Coordinates beyond their limits come back to them, and stay there; 0: limits of one leave nothing between them. */
static int clamp(lg_dynamics *d)
{
    int possible = 1;
    for (int i = 0; i < d->limits; i++) possible &= d->limit[i].lower <= d->limit[i].upper;
    for (int i = 0; i < d->n; i++) {
        const double q = fmin(fmax(d->q[i], d->lower[i]), d->upper[i]);
        possible &= q >= d->lower[i];
        if (q != d->q[i]) d->q[i] = q, d->dense->held[i] = 1;
    }
    return possible;
}

static double beyond(const lg_dynamics *d)
{
    return MB_BEYOND * fmin(1, d->m->plan.reach);
}

/* Positions of joints that close loops are to stay at limits that they are beyond of; returns how many more. */
static int hold_beyond(lg_dynamics *d)
{
    int found = 0;
    mb_dynamics_node(d);
    for (int i = 0; i < d->limits; i++) {
        const double q = mb_loop_limit_value(d, i);
        const int side = q < d->limit[i].lower - beyond(d) ? 1 : q > d->limit[i].upper + beyond(d) ? 2 : 0;
        if (side && !d->dense->held[d->n + i]) d->dense->held[d->n + i] = (char)side, found++;
    }
    return found;
}

/* Newton onto loops and limits from the present positions; 0: it does not get there. L is that of a state near by. */
static int close_loops(reach *r)
{
    lg_dynamics *d = r->d;
    mb_dense *w = d->dense;
    const double scale = fmin(1, d->m->plan.reach);
    double last = INFINITY, off;
    if (!clamp(d)) return 0;
    for (int round = 0; round < MB_CLOSE_ROUNDS; round++) {
        if (!mb_dynamics_place(d)) return 0;
        if (d->position_rows == 0) return 1;
        const int rows = constrain(r, 0);
        const double open = lg_norm_max(w->bend, rows);
        if (!(open < 1e3 * d->m->plan.reach)) return 0;
        const int closed = open <= 1e-15 * scale || (open <= 1e-11 * scale && open >= 0.5 * last);
        if (closed && !hold_beyond(d)) return 1;
        last = open;
        if (closed) continue; /* with the limits that they are beyond of */
        for (int i = 0; i < rows; i++) w->bend[i] *= -w->unit[i];
        (void)mb_least(w->x, &off, w->rows, w->bend, rows, d->n, rank_of(d, rows), MB_DEPENDENT, w->work, w->pivot);
        mb_out_of_metric(d, w->x);
        mb_dynamics_move(d, d->q, w->x);
        (void)clamp(d);
    }
    return 0;
}

/* The equations of a step on what loops and held coordinates allow: the last `freedoms` of B and tau. */
static void reduce(reach *r)
{
    lg_dynamics *d = r->d;
    mb_dense *w = d->dense;
    const int n = d->n, rows = r->rows = constrain(r, 1);
    normal_equations(r);
    for (int i = 0; i < n; i++) mb_into_metric(d, w->B + i * n, 1);
    for (int i = 0; i < n; i++) mb_into_metric(d, w->B + i, n);
    mb_into_metric(d, w->tau, 1);
    const int rank = mb_triangulate(w->rows, w->pivot, w->beta, n, rows, rank_of(d, rows), MB_DEPENDENT);
    for (int i = 0; i < n; i++) mb_reflect(w->rows, w->beta, n, rows, rank, w->B + i * n, 1);
    for (int i = 0; i < n; i++) mb_reflect(w->rows, w->beta, n, rows, rank, w->B + i, n);
    mb_reflect(w->rows, w->beta, n, rows, rank, w->tau, 1);
    r->rank = rank, r->largest = 0;
    for (int i = rank; i < n; i++) r->largest = fmax(r->largest, w->B[i * n + i]);
    const double g = mb_stride_length(w->tau + rank, n - rank, 1);
    r->gradient = r->largest > 0 && r->cost > 0 ? g / sqrt(r->largest * r->cost) : 0;
}

/* x <- the step, with mu relative to the largest diagonal entry. 0: mu is too small. */
static int solve(reach *r, double mu)
{
    lg_dynamics *d = r->d;
    mb_dense *w = d->dense;
    const int n = d->n, free = n - r->rank;
    double *A = w->work, *y = w->x + r->rank;
    for (int i = 0; i < free; i++) {
        memcpy(A + i * free, w->B + (r->rank + i) * n + r->rank, sz(free) * sizeof *A);
        A[i * free + i] += mu * r->largest;
    }
    if (free == 0 || lg_cholesky(A, free, NULL) != LG_OK) return 0;
    for (int i = 0; i < n; i++) w->x[i] = i < r->rank ? 0 : w->tau[i];
    lg_cholesky_solve(A, free, y);
    mb_reflect_back(w->rows, w->beta, n, r->rows, r->rank, w->x, 1);
    mb_out_of_metric(d, w->x);
    return 1;
}

/* Coordinates at a limit that the step presses on are held. 0: there is none. */
static int press(reach *r)
{
    lg_dynamics *d = r->d;
    int found = 0;
    for (int i = 0; i < d->n; i++) {
        const double x = d->dense->x[i];
        const int low = d->q[i] <= d->lower[i] + beyond(d), high = d->q[i] >= d->upper[i] - beyond(d);
        if (!d->dense->held[i] && ((x < 0 && low) || (x > 0 && high))) d->dense->held[i] = 1, found = 1;
    }
    for (int i = 0; i < d->limits; i++) {
        char *held = &d->dense->held[d->n + i];
        if (*held) continue;
        const mb_loop_limit *l = &d->limit[i];
        const double q = mb_loop_limit_value(d, i);
        mb_loop_limit_row(d, d->along, i);
        const double rate = lg_dot(d->along, d->dense->x, d->n);
        *held = rate < 0 && q <= l->lower + beyond(d) ? 1 : rate > 0 && q >= l->upper - beyond(d) ? 2 : 0;
        found |= *held;
    }
    return found;
}

/* One step; *mu adapts. *nearest: 1: the present state is the nearest; -1: it is not, and no step comes nearer. */
static lg_status round_of(reach *r, double *mu, int *nearest, const char *who)
{
    lg_dynamics *d = r->d;
    mb_dense *w = d->dense;
    const double cost = r->cost;
    int solved;
    const lg_status st = mb_metric(d, who);
    if (st != LG_OK) return st;
    memset(w->held, 0, sz(d->n + d->limits));
    do {
        reduce(r);
        *nearest = r->gradient <= MB_STATIONARY;
        if (*nearest) return st;
        solved = solve(r, *mu);
    } while (solved && press(r));
    if (*mu > 1e10) {
        *nearest = r->gradient <= MB_ROUNDED ? 1 : -1;
        return st;
    }
    memcpy(w->start, d->q, sz(d->n) * sizeof *d->q);
    if (solved) {
        mb_dynamics_move(d, d->q, w->x);
        if (close_loops(r)) evaluate(r);
        if (r->cost < cost) {
            *mu = fmax(*mu * 0.1, 1e-15);
            return st;
        }
    }
    memcpy(d->q, w->start, sz(d->n) * sizeof *d->q);
    (void)mb_dynamics_place(d);
    evaluate(r);
    *mu = fmax(*mu, 1e-12) * 8;
    return st;
}

static lg_status check(const reach *r, const char *who)
{
    lg_dynamics *d = r->d;
    for (int i = 0; i < r->count; i++) {
        const double *pose = r->pose + 7 * i;
        if (r->body[i] < 0 || r->body[i] >= mb_seen(d->m, MB_BODIES))
            return lg_fail(&d->error, LG_ERROR_ARGUMENT, "%s: target %d: there is no body %d; bodies are 0 to %d", who,
                           i, r->body[i], mb_seen(d->m, MB_BODIES) - 1);
        if (!lg_all_finite(pose, 7) || (r->point != NULL && !lg_all_finite(r->point + 3 * i, 3)))
            return lg_fail(&d->error, LG_ERROR_NOT_FINITE, "%s: target %d: pose or point is not finite", who, i);
        if (!(weight_of(r, i, 0) >= 0) || !(weight_of(r, i, 1) >= 0) ||
            !isfinite(weight_of(r, i, 0) + weight_of(r, i, 1)))
            return lg_fail(&d->error, LG_ERROR_ARGUMENT, "%s: target %d: weights are %g and %g; expected 0 or more",
                           who, i, weight_of(r, i, 0), weight_of(r, i, 1));
        if (weight_of(r, i, 1) > 0 && !(lg_dot(pose + 3, pose + 3, 4) > 0))
            return lg_fail(&d->error, LG_ERROR_ARGUMENT, "%s: target %d: the quaternion is zero", who, i);
    }
    return LG_OK;
}

/* From the present positions. */
static lg_status search(reach *r, const char *who)
{
    lg_dynamics *d = r->d;
    double mu = 1e-3;
    int nearest = 0;
    lg_status st = mb_metric(d, who);
    if (st != LG_OK) return st;
    memset(d->dense->held, 0, sz(d->n + d->limits));
    if (!close_loops(r)) {
        memcpy(d->q, d->read, sz(d->n) * sizeof *d->q);
        (void)mb_dynamics_place(d);
        return lg_fail(&d->error, LG_ERROR_INCONSISTENT,
                       "%s: loops and limits of joints cannot both be satisfied from these positions; start nearer to "
                       "positions that do",
                       who);
    }
    evaluate(r);
    const double near[2] = {MB_REACHED * d->m->plan.reach, MB_REACHED};
    for (int round = 0; round < MB_REACH_ROUNDS && !nearest; round++) {
        if (r->off[0] <= 1e-4 * near[0] && r->off[1] <= 1e-4 * near[1]) break;
        st = round_of(r, &mu, &nearest, who);
        if (st != LG_OK) return st;
    }
    if (r->off[0] <= near[0] && r->off[1] <= near[1]) return LG_OK;
    return lg_fail(&d->error, nearest > 0 ? LG_ERROR_DOMAIN : LG_ERROR_CONVERGENCE,
                   nearest > 0
                       ? "%s: from this start the targets cannot be reached; the nearest state is %.3g m and %.3g rad "
                         "away"
                       : "%s: the search does not come to an end; it is %.3g m and %.3g rad away",
                   who, r->off[0], r->off[1]);
}

lg_status lg_dynamics_reach(lg_dynamics *d, double *off, const int *body, const double *pose, const double *point,
                            const double *weight, int count)
{
    static const char who[] = "lg_dynamics_reach";
    reach r = {.d = d, .body = body, .pose = pose, .point = point, .weight = weight, .count = count};
    lg_status st = mb_dynamics_begin(d, count > 0 && (body == NULL || pose == NULL) ? NULL : d, who);
    if (st == LG_OK && count < 0) st = lg_fail(&d->error, LG_ERROR_ARGUMENT, "%s: count is %d", who, count);
    if (st == LG_OK) st = check(&r, who);
    if (st != LG_OK) return st;
    memcpy(d->read, d->q, sz(d->n) * sizeof *d->q);
    memset(d->v, 0, sz(d->n) * sizeof *d->v);
    (void)mb_dynamics_place(d);
    st = search(&r, who);
    if (off != NULL) memcpy(off, r.off, sizeof r.off);
    return st;
}
