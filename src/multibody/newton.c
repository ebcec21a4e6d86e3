/* SPDX-License-Identifier: BSD-3-Clause */
/* Newton's correction of the velocities. A sweep maps xi to F(xi); stiff forces make it run away, since with
 * A dxi = A (F - xi) it answers to them as -J^-1 K dxi, K = (h^2/4) stiffness + (h/2) damping. The correction solves
 *
 *   (J + K) dxi + A^T nu = J (F(xi) - xi),     A dxi = A (F(xi) - xi)
 *
 * with the second derivatives of the forces and of the joints under their multipliers mu. Its fixed points are those of
 * the sweep. The matrix is factored as L D L^T, bodies and rows in one order. */
#include "multibody/newton.h"

#include <math.h>
#include <string.h>

#include "multibody/forces/slope.h"

/* ---- the matrix ---- */

/* L += s f, between bodies a and b of link i of the saddle's graph. */
static void mb_add_form(const mb_plan *plan, real *L, const mb_form *f, real s, int link, int a, int b)
{
    const mb_saddle *S = &plan->saddle;
    const int body[2] = {a, b};
    for (int e = 0; e < 2; e++) {
        if (body[e] >= plan->bodies) continue;
        real *to = L + S->body[body[e]];
        for (int i = 0; i < 6; i++)
            for (int k = 0; k < 6; k++) to[6 * i + k] = to[6 * i + k] + s * f->K[6 * e + i][6 * e + k];
    }
    if (S->link[2 * link] < 0) return;
    real *to = L + S->link[2 * link];
    const int row = S->link[2 * link + 1] ? 0 : 6;
    for (int i = 0; i < 6; i++)
        for (int k = 0; k < 6; k++) to[6 * i + k] = to[6 * i + k] + s * f->K[row + i][6 - row + k];
}

/* J in space at the averaged pose: masses, and the inverses of the mobilities. */
static void mb_add_bodies(mb_motion *m, real *L)
{
    const mb_plan *plan = m->plan;
    for (int b = 0; b < plan->bodies; b++) {
        const real *t = m->mean_mobility[b].turn;
        real *I = m->newton.inertia[b].turn, *to = L + plan->saddle.body[b];
        I[0] = t[1] * t[2] - t[5] * t[5], I[1] = t[0] * t[2] - t[4] * t[4], I[2] = t[0] * t[1] - t[3] * t[3];
        I[3] = t[4] * t[5] - t[3] * t[2], I[4] = t[3] * t[5] - t[4] * t[1], I[5] = t[3] * t[4] - t[5] * t[0];
        const real scale = 1.0 / (t[0] * I[0] + t[3] * I[3] + t[4] * I[4]);
        for (int k = 0; k < 6; k++) I[k] = I[k] * scale;
        for (int k = 0; k < 3; k++) to[7 * k] = splat(plan->mass[b]), to[7 * (3 + k)] = I[k];
        to[22] = to[27] = I[3], to[23] = to[33] = I[4], to[29] = to[34] = I[5];
    }
}

static void mb_add_rows(const mb_motion *m, real *L, const mb_node *n1)
{
    const mb_plan *plan = m->plan;
    for (int e = 0; e < plan->blocks; e++) {
        const mb_block *k = &plan->block[e];
        const mb_pair *row = (e < plan->holonomic_blocks ? m->mean.row : n1->rows.row) + k->part;
        for (int s = 0; s < k->sides; s++) {
            const int at = plan->saddle.side[MB_SIDES_MOST * e + s];
            for (int i = 0; at >= 0 && i < k->rows; i++)
                for (int j = 0; j < 6; j++) L[at + 6 * i + j] = row[i * k->sides + s].v[j];
        }
    }
}

static void mb_add_joints(const mb_motion *m, real *L, double h)
{
    const mb_plan *plan = m->plan;
    for (int e = 0; e < plan->holonomic_blocks; e++) {
        const mb_block *k = &plan->block[e];
        mb_form f;
        if (!mb_block_form(plan, k, &f, m->mean_pose, m->x.mu)) continue;
        mb_add_form(plan, L, &f, splat(0.25 * h * h), k->source, k->body[0],
                    k->body[1]); /* the link of joint i is number i */
    }
}

/* The row of a tendon times itself: a block for each body and each two of them. */
static void mb_add_row(const mb_motion *m, real *L, const mb_tendon *t, real s)
{
    const mb_plan *plan = m->plan;
    const mb_saddle *S = &plan->saddle;
    int link = 2 * t->link;
    for (int i = 0; i < t->bodies; i++)
        for (int j = 0; j <= i; j++) {
            const int own = i == j, at = own ? S->body[t->body[i]] : S->link[link], turned = own || S->link[link + 1];
            const real *a = m->slope[t->row + j].v, *b = m->slope[t->row + i].v, *p = turned ? a : b,
                       *q = turned ? b : a;
            for (int k = 0; at >= 0 && k < 36; k++) L[at + k] = L[at + k] + s * (p[k / 6] * q[k % 6]);
            if (!own) link += 2;
        }
}

/* Spring, damper and servo of a tendon; its pull on each line turns with it. */
static void mb_add_tendon(const mb_motion *m, real *L, const mb_node *n0, const mb_node *n1, double h,
                          const mb_force *s)
{
    const mb_tendon *t = s->tendon;
    mb_form f;
    mb_action x, y;
    mb_action_step(&x, m, s, n0, n1, m->mean_pose, h);
    mb_add_row(m, L, t, 0.25 * h * h * x.stiffness + 0.5 * h * x.damping);
    for (const mb_tendon_term *e = t->term; e < t->term + t->terms; e++) {
        if (e->along.coordinate >= 0) continue;
        const int i = e->side[0] > e->side[1] ? e->side[0] : e->side[1], j = e->side[0] + e->side[1] - i;
        mb_action_of(&y, &e->along, n0, n1, m->mean_pose, h, NULL);
        y.mean = e->weight * (x.mean + x.drag), y.drag = y.stiffness = y.damping = splat(0);
        const real scale = mb_action_form(&y, &f, &e->along, m->slope, h);
        mb_add_form(m->plan, L, &f, scale, t->link + i * (i - 1) / 2 + j, e->along.a, e->along.b);
    }
}

static void mb_add_force(const mb_motion *m, real *L, const mb_node *n0, const mb_node *n1, double h, const mb_force *s)
{
    const mb_plan *plan = m->plan;
    mb_form f;
    mb_action x;
    if (s->tendon != NULL) {
        mb_add_tendon(m, L, n0, n1, h, s);
        return;
    }
    mb_action_step(&x, m, s, n0, n1, m->mean_pose, h);
    const real scale = mb_action_form(&x, &f, s, m->slope, h);
    const int link = s->coordinate >= 0 ? plan->coordinate[s->coordinate].joint : plan->joints + (int)(s - plan->line);
    mb_add_form(plan, L, &f, scale, link, s->a, s->b);
}

/* The damper of a rotation vector. */
static void mb_add_ball(const mb_motion *m, real *L, double h, const mb_ball *s)
{
    const mb_joint *j = &m->plan->joint[s->joint];
    mb_form f;
    memset(&f, 0, sizeof f);
    for (int k = 0; k < 3; k++) {
        f.K[3 + k][3 + k] = f.K[9 + k][9 + k] = splat(1);
        f.K[3 + k][9 + k] = f.K[9 + k][3 + k] = splat(-1);
    }
    mb_add_form(m->plan, L, &f, splat(0.5 * h * s->damping), s->joint, j->a, j->b);
}

/* ---- L D L^T ---- */

/* A <- its factor: L below the diagonal, 1/D on it. */
static void mb_pivot(real *A, int m)
{
    for (int k = 0; k < m; k++) {
        real s[6];
        for (int j = 0; j < k; j++) s[j] = A[k * m + j], A[k * m + j] = s[j] * A[j * m + j];
        for (int j = 0; j < k; j++) A[k * m + k] = A[k * m + k] - s[j] * A[k * m + j];
        A[k * m + k] = 1.0 / A[k * m + k];
        for (int i = k + 1; i < m; i++)
            for (int j = 0; j < k; j++) A[i * m + k] = A[i * m + k] - A[i * m + j] * A[k * m + j];
    }
}

/* B <- B L^-T, n x m. */
static void mb_right(real *B, int n, const real *L, int m)
{
    for (int i = 0; i < n; i++)
        for (int k = 0; k < m; k++)
            for (int j = 0; j < k; j++) B[i * m + k] = B[i * m + k] - B[i * m + j] * L[k * m + j];
}

/* C -= A D^-1 B^T, n x p, over m columns. */
static void mb_reduce(real *C, const real *A, int n, const real *B, int p, const real *L, int m)
{
    for (int i = 0; i < n; i++) {
        real t[6];
        for (int j = 0; j < m; j++) t[j] = A[i * m + j] * L[j * m + j];
        for (int k = 0; k < p; k++)
            for (int j = 0; j < m; j++) C[i * p + k] = C[i * p + k] - t[j] * B[k * m + j];
    }
}

static void mb_saddle_factor(const mb_saddle *S, real *L)
{
    const mb_symbolic *F = &S->factor;
    for (int k = 0; k < F->count; k++) {
        const int m = S->rows[F->block[k]];
        real *D = L + F->diagonal[k];
        const int *target = F->target + F->target_at[k];
        mb_pivot(D, m);
        for (int s = F->first[k]; s < F->first[k + 1]; s++) {
            const int n = S->rows[F->block[F->row[s]]];
            mb_right(L + F->value[s], n, D, m);
            for (int t = F->first[k]; t <= s; t++)
                mb_reduce(L + *target++, L + F->value[s], n, L + F->value[t], S->rows[F->block[F->row[t]]], D, m);
        }
    }
}

/* Where the numbers of a vertex begin in a vector: six a body, then the rows. */
static int mb_at(const mb_plan *plan, int vertex)
{
    return vertex < plan->bodies ? 6 * vertex : 6 * plan->bodies + plan->block[vertex - plan->bodies].at;
}

static void mb_saddle_solve(const mb_plan *plan, const real *L, real *x)
{
    const mb_saddle *S = &plan->saddle;
    const mb_symbolic *F = &S->factor;
    for (int k = 0; k < F->count; k++) {
        const int m = S->rows[F->block[k]];
        const real *D = L + F->diagonal[k];
        real *y = x + mb_at(plan, F->block[k]), t[6];
        for (int i = 0; i < m; i++)
            for (int j = 0; j < i; j++) y[i] = y[i] - D[i * m + j] * y[j];
        for (int i = 0; i < m; i++) t[i] = y[i] * D[i * m + i];
        for (int s = F->first[k]; s < F->first[k + 1]; s++) {
            const int v = F->block[F->row[s]];
            mb_minus(x + mb_at(plan, v), L + F->value[s], S->rows[v], m, t);
        }
    }
    for (int k = F->count - 1; k >= 0; k--) {
        const int m = S->rows[F->block[k]];
        const real *D = L + F->diagonal[k];
        real *y = x + mb_at(plan, F->block[k]);
        for (int s = F->first[k]; s < F->first[k + 1]; s++) {
            const int v = F->block[F->row[s]];
            mb_minus_transposed(y, L + F->value[s], S->rows[v], m, x + mb_at(plan, v));
        }
        for (int i = m - 1; i >= 0; i--) {
            y[i] = y[i] * D[i * m + i];
            for (int j = i + 1; j < m; j++) y[i] = y[i] - D[j * m + i] * y[j];
        }
    }
}

/* ---- the correction ---- */

LG_ENGINE void mb_newton_factor(mb_motion *m, const mb_node *n0, const mb_node *n1, double h)
{
    const mb_plan *plan = m->plan;
    real *L = m->newton.factor;
    for (int i = 0; i < plan->saddle.factor.numbers; i++) L[i] = splat(0);
    mb_add_bodies(m, L);
    mb_add_rows(m, L, n1);
    mb_add_joints(m, L, h);
    for (int i = 0; i < plan->lines; i++) mb_add_force(m, L, n0, n1, h, &plan->line[i]);
    for (int i = 0; i < plan->forces - plan->lines; i++) mb_add_force(m, L, n0, n1, h, &plan->force[i]);
    for (int i = 0; i < plan->balls; i++) mb_add_ball(m, L, h, &plan->ball[i]);
    mb_saddle_factor(&plan->saddle, L);
}

/* J (F - xi) and A (F - xi), twists in space. */
static void mb_newton_right(mb_motion *m, const mb_node *n1, real *x)
{
    const mb_plan *plan = m->plan;
    for (int b = 0; b < plan->bodies; b++) {
        real d[6];
        for (int k = 0; k < 6; k++) d[k] = m->x.xi[b].v[k] - m->mixing.before[b].v[k];
        mb_turn(m->twist[b].v + 3, m->mean_pose[b].R, d + 3);
        mb_mobile(x + 6 * b + 3, &m->newton.inertia[b], m->twist[b].v + 3);
        for (int k = 0; k < 3; k++) m->twist[b].v[k] = d[k], x[6 * b + k] = plan->mass[b] * d[k];
    }
    mb_ground_twists(plan, m->twist, NULL);
    mb_pull(plan, m->mean.row, m->y, m->twist, plan->holonomic_blocks);
    for (int e = plan->holonomic_blocks; e < plan->blocks; e++)
        for (int i = 0; i < plan->block[e].rows; i++) {
            const mb_block *k = &plan->block[e];
            real s = splat(0);
            for (int side = 0; side < k->sides; side++)
                s = s + mb_dot6(n1->rows.row[k->part + i * k->sides + side].v, m->twist[k->body[side]].v);
            m->y[k->at + i] = s;
        }
    for (int i = 0; i < plan->rows; i++) x[6 * plan->bodies + i] = m->y[i];
}

/* y - Q of a servo whose force Q is an unknown; 0: there is none. */
static int mb_servo_open(const mb_motion *m, const mb_force *s, const mb_node *n0, const mb_node *n1, double h,
                         real *open)
{
    mb_action x = {.wanted = splat(0)};
    if (!m->decided || !mb_is_servo(s) || m->limit[s->control] != MB_LIMIT_NONE) return 0;
    mb_action_of(&x, s, n0, n1, n1->pose, h, m->input);
    mb_force_law(&x, s);
    *open = x.wanted - m->servo[s->control];
    return 1;
}

/* += (h/2) (y - Q) on the right-hand side. */
static void mb_servos_right(const mb_motion *m, const mb_node *n0, const mb_node *n1, double h, real *x)
{
    const mb_plan *plan = m->plan;
    for (const mb_force *s = plan->force; s < plan->line; s++) {
        real open;
        if (!mb_servo_open(m, s, n0, n1, h, &open)) continue;
        for (int side = 0; side < mb_force_sides(s); side++) {
            const real *row = m->slope[mb_force_slope(s) + side].v;
            const int b = mb_force_body(s, side);
            for (int k = 0; k < 6 && b < plan->bodies; k++) x[6 * b + k] = x[6 * b + k] + 0.5 * h * open * row[k];
        }
    }
}

/* Q becomes what y will be after the correction x. */
static void mb_servos_follow(mb_motion *m, const mb_node *n0, const mb_node *n1, double h, const real *x)
{
    const mb_plan *plan = m->plan;
    for (const mb_force *s = plan->force; s < plan->line; s++) {
        real open, rate = splat(0);
        if (!mb_servo_open(m, s, n0, n1, h, &open)) continue;
        for (int side = 0; side < mb_force_sides(s); side++)
            if (mb_force_body(s, side) < plan->bodies)
                rate = rate + mb_dot6(m->slope[mb_force_slope(s) + side].v, x + 6 * mb_force_body(s, side));
        m->servo[s->control] = m->servo[s->control] + (open - (0.5 * h * s->number[0] + s->number[1]) * rate);
    }
}

LG_ENGINE real mb_newton_correct(mb_motion *m, const mb_node *n0, const mb_node *n1, double h)
{
    const mb_plan *plan = m->plan;
    real *x = m->newton.x, change = splat(0);
    mb_newton_right(m, n1, x);
    mb_servos_right(m, n0, n1, h, x);
    mb_saddle_solve(plan, m->newton.factor, x);
    mb_servos_follow(m, n0, n1, h, x);
    for (int b = 0; b < plan->bodies; b++) {
        real d[6], t[3], p[3];
        mb_mobile(t, &m->newton.inertia[b], x + 6 * b + 3); /* w = I^-1 R^T (R^-T I R^-1) theta' */
        mb_back(p, m->mean_pose[b].R, t);
        const double *I = plan->inverse_inertia + 9 * b;
        for (int k = 0; k < 3; k++) {
            d[k] = x[6 * b + k];
            d[3 + k] = I[3 * k] * p[0] + I[3 * k + 1] * p[1] + I[3 * k + 2] * p[2];
        }
        for (int k = 0; k < 6; k++) m->x.xi[b].v[k] = m->mixing.before[b].v[k] + d[k];
        change = change + plan->mass[b] * mb_dot(d, d) + mb_dot(d + 3, p);
    }
    return change;
}

LG_ENGINE double mb_newton_floor(const mb_motion *m, const mb_node *n0, const mb_node *n1, double h)
{
    const mb_plan *plan = m->plan;
    const double unit = 4 * 0x1p-52 * h;
    real noise = splat(0), moves = m->scale;
    for (int b = 0; b < plan->bodies; b++)
        moves = moves + plan->mass[b] * mb_dot(m->x.xi[b].v, m->x.xi[b].v); /* the greater part will do */
    for (int i = 0; i < plan->lines; i++) {
        const mb_force *s = &plan->line[i];
        for (int e = 0; e < 2; e++) {
            const real *at = n1->pose[e ? s->b : s->a].r;
            const real f = unit * mb_force_probe(s).stiffness * (root(mb_dot(at, at)) + s->rest);
            for (int end = 0; end < 2; end++) noise = noise + f * f * n0->mobility[end ? s->b : s->a].inverse_mass;
        }
    }
    for (int i = 0; i < plan->forces - plan->lines; i++) {
        const mb_force *s = &plan->force[i];
        if (m->decided && mb_is_servo(s)) continue; /* its force does not answer to the rounding of q */
        const real size = s->tendon != NULL ? mb_tendon_size(s->tendon, n1) : magnitude(n1->q[s->coordinate]);
        const real f = unit * mb_force_probe(s).stiffness * (1.0 + size);
        for (int side = 0; side < mb_force_sides(s); side++) {
            mb_pair p;
            const mb_pair *row = &m->slope[mb_force_slope(s) + side];
            mb_part_product(&p, row, &n0->mobility[mb_force_body(s, side)]);
            noise = noise + f * f * mb_dot6(p.v, row->v);
        }
    }
    double worst = 0;
    for (int l = 0; l < LANES; l++) worst = fmax(worst, sqrt(lane_of(noise, l) / (lane_of(moves, l) + 1e-300)));
    return fmin(worst, 1e-7);
}
