/* SPDX-License-Identifier: BSD-3-Clause */
/* The derivative of what held contacts do in a step (held.h): a part of multibody/derivative.c, whose numbers carry
 * derivatives. Impulses solve r(P) = 0 with the relations r as equations; values are those of the step, and derivatives
 * follow by P <- P - G r, where G inverts the matrix of the values. It leaves out unknowns that depend on others, as
 * those of four corners on a plane do. */

/* A pivot below this part of the largest one is none. */
#define TOUCH_PIVOT 1e-9
/* Impulses that the relations leave open must not move anything by more than this. */
#define TOUCH_OPEN 1e-7

typedef struct touch {
    int count, rows;
    const mb_held *held;
    mb_pair *row;             /* two parts each */
    real *P, *Q, *before, *u; /* impulses in the step, at its end, those of the sweep before; velocities */
    real *r;
    real *gap;                /* of contacts, where the step begins */
    mb_pair *plus;            /* momenta that arrive, without Q */
    double *W, *G, *M, *work; /* rows x rows; `work`: 4 numbers a row */
} touch;

static void touch_carve(touch *o, lg_arena *a, const mb_plan *plan)
{
    const size_t rows = plan->contacts > 0 ? MB_DENSE_ROWS : 0;
    real **numbers[] = {&o->P, &o->Q, &o->before, &o->u, &o->r, &o->gap};
    double **matrices[] = {&o->W, &o->G, &o->M};
    o->row = MB_TAKE(a, mb_pair, 2 * rows), o->plus = MB_TAKE(a, mb_pair, rows > 0 ? plan->bodies : 0);
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) *numbers[i] = MB_TAKE(a, real, rows);
    for (size_t i = 0; i < sizeof matrices / sizeof matrices[0]; i++) *matrices[i] = lg_take_doubles(a, rows * rows);
    o->work = lg_take_doubles(a, 4 * rows);
}

static int touch_is_dry(const mb_held *k)
{
    return k->contact->kind == MB_CONTACT_DRY;
}

/* The values of the step. */
static void touch_load(touch *o, const mb_derivative_task *task)
{
    o->count = task->contacts, o->held = task->held, o->rows = 0;
    for (int i = 0; i < o->count; i++)
        for (int n = 0; n < o->held[i].contact->rows; n++, o->rows++)
            o->P[o->rows] = splat(o->held[i].P[n]), o->Q[o->rows] = splat(o->held[i].Q[n]);
}

static void touch_gaps(touch *o, const mb_plan *plan, const mb_node *n0)
{
    for (int i = 0; i < o->count; i++) o->gap[i] = mb_contact_gap(plan, o->held[i].contact, n0);
}

static void touch_rows(touch *o, const mb_plan *plan, const mb_site *at)
{
    mb_pair *row = o->row;
    for (int i = 0; i < o->count; row += 2 * o->held[i].contact->rows, i++)
        mb_contact_rows(plan, o->held[i].contact, row, at);
}

/* f += row^T x; x NULL: row number `only`. */
static void touch_push(const touch *o, mb_pair *f, const real *x, int only)
{
    for (int i = 0, at = 0; i < o->count; i++)
        for (int n = 0; n < o->held[i].contact->rows; n++, at++)
            for (int e = 0; e < 2 && (x != NULL || only == at); e++)
                for (int k = 0; k < 6; k++) {
                    const real part = o->row[2 * at + e].v[k];
                    f[o->held[i].contact->body[e]].v[k] += x != NULL ? x[at] * part : part;
                }
}

static void touch_velocities(const touch *o, real *u, const mb_pair *twist)
{
    for (int i = 0, at = 0; i < o->count; i++)
        for (int n = 0; n < o->held[i].contact->rows; n++, at++)
            u[at] = mb_dot6(o->row[2 * at].v, twist[o->held[i].contact->body[0]].v) +
                    mb_dot6(o->row[2 * at + 1].v, twist[o->held[i].contact->body[1]].v);
}

/* m->wrench without what the joints at this place take. */
static void touch_answer(mb_motion *m, const mb_place *at)
{
    const mb_plan *plan = m->plan;
    for (int b = 0; b < plan->bodies; b++) mb_part_product(&m->twist[b], &m->wrench[b], &at->mobility[b]);
    mb_ground_twists(plan, m->twist, NULL);
    mb_pull(plan, at->joints, m->y, m->twist, at->blocks);
    mb_forward(plan, at->S, at->factor, m->y);
    mb_backward(plan, at->S, at->factor, m->y);
    mb_push(plan, at->joints, m->wrench, -1, m->y, at->blocks);
}

/* W, the velocities that impulses make, by values. */
static void touch_matrix(touch *o, mb_motion *m, const mb_place *at)
{
    const int n = o->rows;
    for (int j = 0; j < n; j++) {
        mb_clear(m->wrench, mb_frames(m->plan) - 1);
        touch_push(o, m->wrench, NULL, j);
        touch_answer(m, at);
        for (int b = 0; b < m->plan->bodies; b++) mb_part_product(&m->twist[b], &m->wrench[b], &at->mobility[b]);
        mb_ground_twists(m->plan, m->twist, NULL);
        touch_velocities(o, o->u, m->twist);
        for (int i = 0; i < n; i++) o->W[i * n + j] = at->f * o->u[i].v;
    }
}

/* ---- relations ---- */

/* The residual of a relation of tangents: 0, with u a velocity. P and u begin with the normal. */
static real touch_tangent(const mb_contact *c, mb_grip hold, const real *P, const real *u, int n)
{
    if (hold == MB_GRIP_STICKS) return u[n];
    if (hold == MB_GRIP_VISCOUS) return P[n] / (c->viscous * P[0].v) + u[n] * (P[0] / P[0].v);
    const real size = root(u[1] * u[1] + u[2] * u[2]);
    return (size * P[n]) / (c->friction * P[0].v) + u[n] * (P[0] / P[0].v);
}

/* r of all relations, in the step of length h, or at its end with h = 0, where impulses are P + Q. */
static void touch_relate(const touch *o, real *r, double h)
{
    const real *u = o->u;
    for (int i = 0, at = 0; i < o->count; at += o->held[i].contact->rows, i++) {
        const mb_held *k = &o->held[i];
        const mb_grip hold = h > 0 ? k->step : k->node;
        real P[3];
        for (int n = 0; n < k->contact->rows; n++) P[n] = h > 0 ? o->P[at + n] : o->P[at + n] + o->Q[at + n];
        if (!touch_is_dry(k)) r[at] = h > 0 ? u[at] + o->gap[i] / h : u[at];
        for (int n = touch_is_dry(k) ? 0 : 1; n < k->contact->rows; n++)
            r[at + n] = hold == MB_GRIP_GIVEN ? splat(0) : touch_tangent(k->contact, hold, P, u + at, n);
    }
}

/* M = dr/dP of the values: each relation is of one contact, whose P and u have derivatives 1 in turn. */
static void touch_jacobian(touch *o, double h)
{
    const int n = o->rows;
    memset(o->M, 0, sizeof(double) * sz(n) * sz(n));
    for (int i = 0, at = 0; i < o->count; at += o->held[i].contact->rows, i++) {
        const mb_held *k = &o->held[i];
        const mb_grip hold = h > 0 ? k->step : k->node;
        const int rows = k->contact->rows;
        real P[3], u[3], r[3];
        for (int d = 0; d < rows; d++) { /* direction d: P_d; rows + d: u_d */
            P[d] = splat(h > 0 ? o->P[at + d].v : o->P[at + d].v + o->Q[at + d].v), u[d] = splat(o->u[at + d].v);
            tangent_set(P[d], d, 1), tangent_set(u[d], rows + d, 1);
        }
        for (int d = 0; d < rows; d++) {
            const int given = hold == MB_GRIP_GIVEN && (d > 0 || touch_is_dry(k));
            r[d] = given    ? o->W[(at + d) * n + at + d] * P[d]
                   : d == 0 ? u[d]
                            : touch_tangent(k->contact, hold, P, u, d);
            for (int e = 0; e < rows; e++) {
                o->M[(at + d) * n + at + e] += tangent_get(r[d], e);
                for (int j = 0; j < n; j++)
                    o->M[(at + d) * n + j] += tangent_get(r[d], rows + e) * o->W[(at + e) * n + j];
            }
        }
    }
}

/* G <- the inverse of M, in units in which W has ones on its diagonal, by elimination with full pivots; M is lost. */
static void touch_invert(touch *o)
{
    const int n = o->rows;
    double *M = o->M, *G = o->G, *scale = o->work, *row = scale + n, *column = row + n, most = 0, largest = 0;
    for (int i = 0; i < n; i++) largest = fmax(largest, o->W[i * n + i]);
    for (int i = 0; i < n; i++) { /* a row that joints hold has a W of 0 */
        const double own = o->W[i * n + i];
        scale[i] = sqrt(own > 1e-12 * largest ? own : largest), row[i] = column[i] = -1;
    }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) M[i * n + j] /= scale[i] * scale[j], G[i * n + j] = i == j;
    for (int rank = 0; rank < n; rank++) { /* Gauss and Jordan */
        int p = -1, q = -1;
        double best = 0;
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++)
                if (row[i] < 0 && column[j] < 0 && fabs(M[i * n + j]) > best) best = fabs(M[i * n + j]), p = i, q = j;
        most = fmax(most, best);
        if (p < 0 || best <= TOUCH_PIVOT * most) break;
        row[p] = q, column[q] = p;
        const double pivot = 1 / M[p * n + q];
        for (int j = 0; j < n; j++) M[p * n + j] *= pivot, G[p * n + j] *= pivot;
        for (int i = 0; i < n; i++) {
            const double by = M[i * n + q];
            if (i == p || by == 0) continue;
            for (int j = 0; j < n; j++) M[i * n + j] -= by * M[p * n + j], G[i * n + j] -= by * G[p * n + j];
        }
    }
    memcpy(M, G, sizeof(double) * sz(n) * sz(n)); /* row p solves for unknown row[p] */
    memset(G, 0, sizeof(double) * sz(n) * sz(n));
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n && row[i] >= 0; j++)
            G[(int)row[i] * n + j] = row[j] >= 0 ? M[i * n + j] / (scale[(int)row[i]] * scale[j]) : 0;
}

/* 1: impulses that the relations leave open move something: (1 - G M) of a unit must not. */
static int touch_is_open(touch *o, double h)
{
    const int n = o->rows;
    double *z = o->work + 3 * n, *scale = o->work; /* of touch_invert() */
    touch_jacobian(o, h);
    for (int j = 0; j < n; j++) {
        for (int i = 0; i < n; i++) {
            z[i] = i == j;
            for (int k = 0; k < n; k++) z[i] -= o->G[i * n + k] * o->M[k * n + j];
        }
        for (int i = 0; i < n; i++) {
            double moves = 0;
            for (int k = 0; k < n; k++) moves += o->W[i * n + k] * z[k];
            if (!(fabs(moves) <= TOUCH_OPEN * scale[i] * scale[j])) return 1;
        }
    }
    return 0;
}

/* 0, or 1: the impulses are not unique. o->u are velocities. */
static int touch_prepare(touch *o, mb_motion *m, const mb_place *at, double h, const real *u)
{
    touch_matrix(o, m, at);
    memcpy(o->u, u, sz(o->rows) * sizeof *u);
    touch_jacobian(o, h);
    touch_invert(o);
    return touch_is_open(o, h);
}

/* x <- x - G r, derivatives alone. */
static void touch_solve(const touch *o, real *x)
{
    const int n = o->rows;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            if (o->G[i * n + j] != 0) x[i] = tangent_of(x[i].v, x[i] - o->G[i * n + j] * o->r[j]);
}

/* ---- the verbs of a step ---- */

/* m->force: those of the impulses. */
static void touch_begin_sweep(touch *o, mb_motion *m, const mb_node *n0, const mb_node *n1, double h)
{
    const mb_site site = {NULL, m->mean_pose, n0->pose, n1->pose, n0->q, n1->q, NULL};
    touch_rows(o, m->plan, &site);
    mb_clear(m->wrench, mb_frames(m->plan) - 1);
    touch_push(o, m->wrench, o->P, 0);
    for (int b = 0; b < m->plan->bodies; b++)
        for (int k = 0; k < 6; k++) m->force[b].v[k] = m->wrench[b].v[k] / h;
}

/* u of the step. */
static void touch_step_velocities(touch *o, mb_motion *m)
{
    const mb_plan *plan = m->plan;
    for (int b = 0; b < plan->bodies; b++) {
        for (int k = 0; k < 3; k++) m->twist[b].v[k] = m->x.xi[b].v[k];
        mb_turn(m->twist[b].v + 3, m->mean_pose[b].R, m->x.xi[b].v + 3);
    }
    mb_ground_twists(plan, m->twist, m->led);
    touch_velocities(o, o->u, m->twist);
}

/* xi follows a change of the impulses. */
static void touch_follow(touch *o, mb_motion *m, const mb_place *at)
{
    for (int i = 0; i < o->rows; i++) o->r[i] = o->P[i] - o->before[i];
    mb_clear(m->wrench, mb_frames(m->plan) - 1);
    touch_push(o, m->wrench, o->r, 0);
    touch_answer(m, at);
    for (int b = 0; b < m->plan->bodies; b++) {
        real t[3], w[3];
        mb_back(t, m->mean_pose[b].R, m->wrench[b].v + 3);
        mb_inverse_inertia(m->plan, b, w, t);
        for (int k = 0; k < 3; k++) {
            m->x.xi[b].v[k] += (0.5 / m->plan->mass[b]) * m->wrench[b].v[k];
            m->x.xi[b].v[3 + k] += 0.5 * w[k];
        }
    }
}

/* Corrects P after a sweep; the first one finds G. 1: the impulses are not unique. */
static int touch_end_sweep(touch *o, mb_motion *m, const mb_node *n1, double h, int sweep)
{
    const mb_plan *plan = m->plan;
    const mb_place mean = {{NULL, m->mean_pose, NULL, NULL, NULL, NULL, NULL},
                           m->mean_mobility,
                           m->mean.row,
                           &plan->mean,
                           m->mean_factor,
                           plan->holonomic_blocks,
                           plan->holonomic_rows,
                           0.5};
    memcpy(o->before, o->P, sz(o->rows) * sizeof *o->P);
    if (sweep == 1) {
        mb_place at = mean;
        if (plan->rows > plan->holonomic_rows) at.joints = n1->rows.row, at.S = &plan->node, at.factor = n1->factor;
        if (plan->rows > plan->holonomic_rows) at.blocks = plan->blocks, at.rows = plan->rows;
        touch_step_velocities(o, m);
        memcpy(o->r, o->u, sz(o->rows) * sizeof *o->u);
        if (touch_prepare(o, m, &at, h, o->r)) return 1;
    }
    touch_step_velocities(o, m);
    touch_relate(o, o->r, h);
    touch_solve(o, o->P);
    touch_follow(o, m, &mean);
    return 0;
}

/* 1: the relations that the elimination left out hold, too; `sizes`: of the derivatives of xi, squares in the
 * metric, in which deviations are units. */
static int touch_holds(touch *o, mb_motion *m, double h, const double *sizes)
{
    touch_step_velocities(o, m);
    touch_relate(o, o->r, h);
    for (int k = 0; k < LG_DIRECTIONS; k++) {
        double left = 0;
        for (int i = 0; i < o->rows; i++) left = fmax(left, fabs(tangent_get(o->r[i], k)));
        if (!(left <= TOUCH_OPEN * sqrt((1 + sizes[k]) / m->plan->whole_mass))) return 0;
    }
    return 1;
}

/* n->p: the momenta that arrive and Q; o->u: their velocities. */
static void touch_arrive(touch *o, mb_motion *m, mb_node *n, const mb_place *at)
{
    const mb_plan *plan = m->plan;
    mb_clear(m->wrench, mb_frames(plan) - 1);
    touch_push(o, m->wrench, o->Q, 0);
    touch_answer(m, at);
    for (int b = 0; b < plan->bodies; b++) {
        for (int k = 0; k < 6; k++) n->p[b].v[k] = o->plus[b].v[k] + m->wrench[b].v[k];
        mb_part_product(&m->twist[b], &n->p[b], &n->mobility[b]);
    }
    mb_ground_twists(plan, m->twist, n->given);
    touch_velocities(o, o->u, m->twist);
}

/* Q at the end. 1: the impulses are not unique. */
static int touch_node(touch *o, mb_motion *m, mb_node *n)
{
    const mb_plan *plan = m->plan;
    const mb_site site = {NULL, n->pose, n->pose, n->pose, n->q, n->q, NULL};
    const mb_place at = {site, n->mobility, n->rows.row, &plan->node, n->factor, plan->blocks, plan->rows, 1};
    touch_rows(o, plan, &site);
    memcpy(o->plus, n->p, sz(plan->bodies) * sizeof *n->p);
    touch_arrive(o, m, n, &at);
    memcpy(o->r, o->u, sz(o->rows) * sizeof *o->u);
    if (touch_prepare(o, m, &at, 0, o->r)) return 1;
    for (int turn = 0; turn < 3; turn++) {
        touch_arrive(o, m, n, &at);
        touch_relate(o, o->r, 0);
        touch_solve(o, o->Q);
    }
    touch_arrive(o, m, n, &at);
    return 0;
}
