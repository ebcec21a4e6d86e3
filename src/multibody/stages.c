/* SPDX-License-Identifier: BSD-3-Clause */
/* The sweeps. One sweep, of all stages at once:
 *   momenta   P_i, L_i from their rates; velocities                stages_momenta()
 *   poses     q_i, r_i with the new velocities                     stages_poses()
 *   rates     forces, rows, lambda; P', L' anew                    stages_rates() */
#include "multibody/stages.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "groups/so3.h"
#include "integrators/collocation/sums.h"
#include "multibody/forces.h"

/* Stages that moved by less keep the factor of C. */
#define STAGES_REUSE 1e-3
/* A change of the stages that no longer shrinks is round-off below this. */
#define STAGES_ROUND_OFF 2e-10
/* Larger changes tell how fast the sweeps contract. */
#define STAGES_CLEAR 1e-13
/* The contraction that sweeps are trusted to have at best. */
#define STAGES_TRUSTED 0.01
/* Where they changed so much, they run away. */
#define STAGES_FAR 1e3

/* A block is LANES stages. */
typedef struct mb_gauss {
    const mb_plan *plan;
    int s, blocks, numbers;
    mb_node *node;          /* of each block: poses, coordinates, rows with their factor */
    real *state, *rate;     /* numbers, block by block */
    real *spin;             /* w in the body's axes, likewise */
    real *lambda;           /* likewise */
    mb_pair *own;           /* the caller's wrenches, likewise */
    real *columns;          /* of the prediction */
    double at, span;        /* its task's; span 0: not made yet */
    real *weights;          /* h a_ij, for the length `h` */
    double h;               /* 0: not made yet */
    mb_pair *force, *twist; /* bodies and the world: of one block */
    mb_pair *acceleration;  /* likewise */
    mb_pair *slope;         /* two parts for each coordinate */
    real *control;
    real *bend, *x;                    /* rows */
    double *poses, *twists, *wrenches; /* of one stage, for the caller's function */
    double pushed[2];                  /* the largest force and torque on a body */
} mb_gauss;

static mb_gauss *stages_carve(lg_arena *a, const mb_plan *plan, int s)
{
    mb_gauss local = {0}, *home, *o;
    const int blocks = (s + LANES - 1) / LANES, bodies = plan->bodies + 1;
    lg_align(a);
    home = lg_take(a, sizeof *home);
    o = home != NULL ? home : &local;
    o->plan = plan, o->s = s, o->blocks = blocks, o->numbers = mb_state_numbers(plan);
    o->node = MB_TAKE(a, mb_node, blocks);
    for (int b = 0; b < blocks; b++) {
        mb_node none, *n = home != NULL ? &o->node[b] : &none;
        mb_node_carve(n, a, plan);
    }
    o->state = MB_TAKE(a, real, blocks * o->numbers);
    o->rate = MB_TAKE(a, real, blocks * o->numbers);
    o->spin = MB_TAKE(a, real, blocks * 3 * bodies);
    o->lambda = MB_TAKE(a, real, blocks * plan->rows);
    o->own = MB_TAKE(a, mb_pair, blocks * bodies);
    o->columns = MB_TAKE(a, real, s * blocks);
    o->weights = MB_TAKE(a, real, s * blocks);
    o->force = MB_TAKE(a, mb_pair, bodies);
    o->twist = MB_TAKE(a, mb_pair, bodies);
    o->acceleration = MB_TAKE(a, mb_pair, bodies);
    o->slope = MB_TAKE(a, mb_pair, 2 * plan->coordinates);
    o->control = MB_TAKE(a, real, plan->controls);
    o->bend = MB_TAKE(a, real, plan->rows);
    o->x = MB_TAKE(a, real, plan->rows);
    o->poses = MB_TAKE(a, double, 7 * bodies);
    o->twists = MB_TAKE(a, double, 6 * bodies);
    o->wrenches = MB_TAKE(a, double, 6 * bodies);
    lg_align(a);
    return home;
}

static size_t stages_bytes(const mb_plan *plan, int s)
{
    lg_arena a = {NULL, 0};
    (void)stages_carve(&a, plan, s);
    return a.used;
}

static void *stages_make(void *memory, const mb_plan *plan, int s)
{
    static const double world[7] = {0, 0, 0, 0, 0, 0, 1};
    lg_arena a = {memory, 0};
    mb_gauss *o = stages_carve(&a, plan, s);
    for (int b = 0; b < o->blocks; b++) mb_pose_load(&o->node[b].pose[plan->bodies], world);
    return o;
}

/* Lanes of a block whose stages are not repetitions. */
static int stages_of(const mb_gauss *o, int block)
{
    return o->s - block * LANES < LANES ? o->s - block * LANES : LANES;
}

/* ---- one sweep ---- */

/* Numbers [from, from + count) of every stage of a block. */
KERNEL void stages_sum_up(const mb_gauss *o, const mb_stage_task *task, int block, int from, int count, real *change)
{
    real *to = o->state + block * o->numbers + from;
    const double *r = (const double *)(o->rate + from), *start = task->start + from;
    if (o->s == LG_STAGES_USUAL)
        stages_move(LG_STAGES_USUAL, LG_STAGES_USUAL / (LANES < 8 ? LANES : 8), o->numbers, count, o->weights + block,
                    start, r, to, change);
    else
        stages_move(o->s, o->blocks, o->numbers, count, o->weights + block, start, r, to, change);
}

/* P, L and with them velocities and q' of a block; *change of both, relative. */
static void stages_momenta(mb_gauss *o, const mb_stage_task *task, int block, const double *size, real *change)
{
    const mb_plan *plan = o->plan;
    for (int b = 0; b < plan->bodies; b++) {
        real *s = o->state + block * o->numbers + MB_STATE * b, *r = o->rate + block * o->numbers + MB_STATE * b;
        real *w = o->spin + 3 * (block * plan->bodies + b), dP, dL;
        stages_sum_up(o, task, block, MB_STATE * b + MB_AT_P, 3, &dP);
        stages_sum_up(o, task, block, MB_STATE * b + MB_AT_L, 3, &dL);
        *change = larger_size(*change, larger_size(dP * size[0], dL * size[1]));
        for (int k = 0; k < 3; k++) r[MB_AT_R + k] = s[MB_AT_P + k] * (1.0 / plan->mass[b]);
        mb_inverse_inertia(plan, b, w, s + MB_AT_L);
        const real *q = s + MB_AT_Q, x = 0.5 * w[0], y = 0.5 * w[1], z = 0.5 * w[2];
        r[0] = q[3] * x + (q[1] * z - q[2] * y);
        r[1] = q[3] * y + (q[2] * x - q[0] * z);
        r[2] = q[3] * z + (q[0] * y - q[1] * x);
        r[3] = -(q[0] * x + q[1] * y + q[2] * z);
    }
}

/* Poses and coordinates of a block. */
static void stages_poses(mb_gauss *o, const mb_stage_task *task, int block, real *change)
{
    const mb_plan *plan = o->plan;
    mb_node *n = &o->node[block];
    const real *s = o->state + block * o->numbers;
    const double per_reach = 1 / plan->reach;
    for (int b = 0; b < plan->bodies; b++, s += MB_STATE) {
        real dq, dr;
        stages_sum_up(o, task, block, MB_STATE * b + MB_AT_Q, 4, &dq);
        stages_sum_up(o, task, block, MB_STATE * b + MB_AT_R, 3, &dr);
        *change = larger_size(*change, larger_size(dq, dr * per_reach));
        memcpy(n->pose[b].q, s + MB_AT_Q, sizeof n->pose[b].q);
        memcpy(n->pose[b].r, s + MB_AT_R, sizeof n->pose[b].r);
        so3_to_matrix(n->pose[b].R, n->pose[b].q);
    }
    stages_sum_up(o, task, block, MB_STATE * plan->bodies, plan->driven, NULL);
    mb_coordinates(plan, n, s, 0, plan->driven);
}

/* Velocities in space of a block. */
static void stages_twists(mb_gauss *o, int block)
{
    const mb_plan *plan = o->plan;
    const real *r = o->rate + block * o->numbers + MB_AT_R, *w = o->spin + 3 * block * plan->bodies;
    for (int b = 0; b < plan->bodies; b++, r += MB_STATE, w += 3) {
        for (int k = 0; k < 3; k++) o->twist[b].v[k] = r[k];
        mb_turn(o->twist[b].v + 3, o->node[block].pose[b].R, w);
    }
}

/* Adds the caller's wrenches. */
static int stages_ask(mb_gauss *o, mb_stage_task *task, int block)
{
    const int bodies = o->plan->bodies, count = stages_of(o, block);
    mb_pair *own = o->own + block * bodies;
    if (task->ask == NULL) return 0;
    for (int l = 0; l < LANES; l++) {
        const int i = block * LANES + l;
        for (int b = 0; b < bodies && l < count; b++) {
            const mb_pose *p = &o->node[block].pose[b];
            double *to = o->poses + 7 * b, length = 0;
            for (int k = 0; k < 3; k++) to[k] = lane_of(p->r[k], l);
            for (int k = 0; k < 4; k++) to[3 + k] = lane_of(p->q[k], l), length += to[3 + k] * to[3 + k];
            for (int k = 0; k < 4; k++) to[3 + k] /= sqrt(length);
            for (int k = 0; k < 6; k++) o->twists[6 * b + k] = lane_of(o->twist[b].v[k], l);
        }
        memset(o->wrenches, 0, 6 * sz(bodies) * (l < count ? sizeof *o->wrenches : 0)); /* the last one repeats */
        if (l < count)
            task->callback =
                task->ask(task->owner, task->t + task->h * task->tableau->c[i], o->poses, o->twists, o->wrenches);
        if (task->callback != 0) return 1;
        for (int b = 0; b < bodies; b++)
            for (int k = 0; k < 6; k++) as_doubles(&own[b].v[k])[l] = o->wrenches[6 * b + k];
    }
    for (int b = 0; b < bodies; b++)
        for (int k = 0; k < 6; k++) o->force[b].v[k] = o->force[b].v[k] + own[b].v[k];
    return 0;
}

/* J^-1 of the forces and gyroscopic torques, in space; L' without the rows of this call. */
static void stages_accelerate(mb_gauss *o, int block)
{
    const mb_plan *plan = o->plan;
    const real *s = o->state + block * o->numbers, *w = o->spin + 3 * block * plan->bodies;
    real *r = o->rate + block * o->numbers;
    memset(&o->acceleration[plan->bodies], 0, sizeof *o->acceleration);
    for (int b = 0; b < plan->bodies; b++, s += MB_STATE, r += MB_STATE, w += 3) {
        const real *R = o->node[block].pose[b].R, *f = o->force[b].v;
        real turn[3], *a = o->acceleration[b].v;
        mb_back(turn, R, f + 3);
        small_cross(r + MB_AT_L, s + MB_AT_L, w);
        for (int k = 0; k < 3; k++) {
            r[MB_AT_L + k] = r[MB_AT_L + k] + turn[k];
            a[k] = f[k] * (1.0 / plan->mass[b]);
        }
        mb_inverse_inertia(plan, b, turn, r + MB_AT_L);
        mb_turn(a + 3, R, turn);
    }
}

/* The Gram matrix of the rows, factored. */
static void stages_factor(mb_gauss *o, int block)
{
    const mb_plan *plan = o->plan;
    mb_node *n = &o->node[block];
    for (int b = 0; b < plan->bodies; b++)
        mb_mobility_of(&n->mobility[b], n->pose[b].R, 1.0 / plan->mass[b], plan->inverse_inertia + 9 * b);
    mb_products(plan, n->rows, n->mobility, plan->blocks);
    mb_gram(plan, &plan->node, n->factor, n->rows);
    mb_factor(plan, &plan->node, n->factor);
}

/* Rows and A' xi of a block; where the factor is kept, lambda already pushes. */
static void stages_rows(mb_gauss *o, int block, int factor)
{
    const mb_plan *plan = o->plan;
    mb_node *n = &o->node[block];
    real *lambda = o->lambda + block * plan->rows;
    for (int i = 0; factor && i < plan->rows; i++) lambda[i] = splat(0);
    for (int e = 0; e < plan->blocks; e++) {
        const mb_block *k = &plan->block[e];
        real *value = e < plan->holonomic_blocks ? n->phi : n->drift;
        mb_block_kept(plan, k, n->rows.row, value, n->pose, n->pose, n->pose, n->q);
        if (!factor) mb_push_block(k, n->rows.row, o->force, 1, lambda);
        mb_block_curvature(plan, k, o->bend, n->pose, o->twist);
    }
}

/* lambda of a block and with it P', L'; `factor`: of this sweep's rows. */
static void stages_react(mb_gauss *o, int block, int factor)
{
    const mb_plan *plan = o->plan;
    const mb_node *n = &o->node[block];
    real *lambda = o->lambda + block * plan->rows, *r = o->rate + block * o->numbers;
    if (factor) stages_factor(o, block);
    stages_accelerate(o, block);
    mb_pull(plan, n->rows.row, o->x, o->acceleration, plan->blocks);
    for (int i = 0; i < plan->rows; i++) o->x[i] = -o->x[i] - o->bend[i];
    mb_forward(plan, &plan->node, n->factor, o->x);
    mb_backward(plan, &plan->node, n->factor, o->x);
    for (int i = 0; i < plan->rows; i++) lambda[i] = lambda[i] + o->x[i];
    memset(o->acceleration, 0, sz(plan->bodies + 1) * sizeof *o->acceleration);
    mb_push(plan, n->rows.row, o->acceleration, 1, o->x, plan->blocks); /* what they push */
    for (int b = 0; b < plan->bodies; b++, r += MB_STATE) {
        real turn[3];
        mb_back(turn, n->pose[b].R, o->acceleration[b].v + 3);
        for (int k = 0; k < 3; k++) {
            r[MB_AT_P + k] = o->force[b].v[k] + o->acceleration[b].v[k];
            r[MB_AT_L + k] = r[MB_AT_L + k] + turn[k];
        }
    }
}

/* The rates of a block; nonzero: the caller's function failed. */
static int stages_rates(mb_gauss *o, mb_stage_task *task, int block, int factor)
{
    const mb_plan *plan = o->plan;
    mb_node *n = &o->node[block];
    real *rate = o->rate + block * o->numbers + MB_STATE * plan->bodies;
    stages_twists(o, block);
    mb_node_forces(plan, o->force, n, o->twist, o->slope, o->control);
    for (int c = 0; c < plan->driven; c++) rate[c] = mb_rate_along(plan, o->slope, o->twist, c);
    if (stages_ask(o, task, block)) return 1;
    stages_rows(o, block, factor);
    stages_react(o, block, factor);
    return 0;
}

/* ---- sweeps until the stages stand still ---- */

/* What momenta are compared with: the largest, and the largest impulses of forces and of rows, torques within reach
 * being forces: those are what they are rounded by. */
static void stages_measure(const mb_gauss *o, const mb_stage_task *task, double *size)
{
    const int bodies = o->plan->bodies;
    double most[2] = {DBL_MIN, DBL_MIN};
    for (int b = 0; b < bodies; b++)
        for (int k = 0; k < 6; k++) {
            double *to = &most[k / 3];
            for (int i = 0; i < o->blocks; i++) {
                const real *s = o->state + i * o->numbers + MB_STATE * b + MB_AT_P + k;
                *to = fmax(*to, largest_size(magnitude(*s)));
            }
        }
    const double reach = o->plan->reach, impulse = fabs(task->h) * fmax(o->pushed[0], o->pushed[1] / reach);
    size[0] = 1 / fmax(most[0], impulse), size[1] = 1 / fmax(most[1], impulse * reach);
}

/* The largest force and torque of a block that its rows have to hold. */
static void stages_pushed(mb_gauss *o, int block)
{
    const mb_plan *plan = o->plan;
    mb_pair *f = o->acceleration;
    memset(f, 0, sz(plan->bodies + 1) * sizeof *f);
    mb_push(plan, o->node[block].rows.row, f, 1, o->lambda + block * plan->rows, plan->blocks);
    for (int b = 0; b < plan->bodies; b++)
        for (int k = 0; k < 6; k++)
            o->pushed[k / 3] =
                fmax(o->pushed[k / 3], largest_size(larger_size(magnitude(f[b].v[k]), magnitude(o->force[b].v[k]))));
}

/* The first sweep: from the rates that are predicted. */
static int stages_first(mb_gauss *o, mb_stage_task *task, double *size)
{
    const double any_size[2] = {1, 1};
    real change = splat(0);
    const int bodies = o->plan->bodies;
    o->pushed[0] = o->pushed[1] = 0;
    for (int i = 0; i < o->blocks; i++)
        for (int b = 0; b < bodies; b++) stages_sum_up(o, task, i, MB_STATE * b + MB_AT_Q, 4, NULL);
    for (int i = 0; i < o->blocks; i++) stages_momenta(o, task, i, any_size, &change);
    for (int i = 0; i < o->blocks; i++) stages_poses(o, task, i, &change);
    for (int i = 0; i < o->blocks; i++) {
        if (stages_rates(o, task, i, 1)) return 1;
        stages_pushed(o, i);
    }
    stages_measure(o, task, size);
    return 0;
}

static int stages_sweep(mb_gauss *o, mb_stage_task *task, const double *size, double *change)
{
    real most = splat(0);
    for (int i = 0; i < o->blocks; i++) stages_momenta(o, task, i, size, &most);
    for (int i = 0; i < o->blocks; i++) stages_poses(o, task, i, &most);
    *change = largest_size(most);
    const int factor = !(*change <= STAGES_REUSE);
    for (int i = 0; i < o->blocks; i++)
        if (stages_rates(o, task, i, factor)) return 1;
    return 0;
}

/* All stages where the step departs: their rates are the first guess. */
static int stages_begin(mb_gauss *o, mb_stage_task *task)
{
    const mb_plan *plan = o->plan;
    const double any_size[2] = {1, 1};
    real change = splat(0);
    for (int i = 0; i < o->blocks * o->numbers; i++) o->rate[i] = splat(0);
    for (int i = 0; i < o->blocks; i++) {
        real *s = o->state + i * o->numbers;
        for (int k = 0; k < o->numbers; k++) s[k] = splat(task->start[k]);
        stages_momenta(o, task, i, any_size, &change);
    }
    for (int i = 0; i < o->blocks; i++) { /* there, not where the rates lead */
        mb_node *n = &o->node[i];
        const real *s = o->state + i * o->numbers;
        for (int b = 0; b < plan->bodies; b++, s += MB_STATE) {
            memcpy(n->pose[b].q, s + MB_AT_Q, sizeof n->pose[b].q);
            memcpy(n->pose[b].r, s + MB_AT_R, sizeof n->pose[b].r);
            so3_to_matrix(n->pose[b].R, n->pose[b].q);
        }
        mb_coordinates(plan, n, s, 0, plan->driven);
        if (stages_rates(o, task, i, 1)) return 1;
    }
    return 0;
}

static int stages_prepare(mb_gauss *o, mb_stage_task *task)
{
    const lg_tableau *T = task->tableau;
    for (int u = 0; u < o->plan->controls; u++) o->control[u] = splat(task->control[u]);
    if (o->h != task->h) stages_columns(o->weights, T->a, task->h, T->s, o->blocks);
    o->h = task->h;
    if (task->memory == NULL) return stages_begin(o, task);
    if (o->at != task->at || o->span != task->span) stages_columns(o->columns, task->extend, 1, T->s, o->blocks);
    o->at = task->at, o->span = task->span;
    stages_continue(o->rate, T->s, o->blocks, o->numbers, o->columns, task->memory);
    return 0;
}

/* ---- what came out ---- */

/* What dampers, moving ground and the caller's wrenches do at the stages of a block. */
static real stages_power(mb_gauss *o, const mb_stage_task *task, int block)
{
    const mb_plan *plan = o->plan;
    const mb_node *n = &o->node[block];
    const real *lambda = o->lambda + block * plan->rows;
    mb_slopes(plan, o->slope, n->pose, n->pose, n->pose);
    real power = mb_damping_power(plan, n, o->twist, o->slope);
    for (int i = plan->holonomic_rows; i < plan->rows; i++) power = power + lambda[i] * n->drift[i];
    for (int b = 0; task->ask != NULL && b < plan->bodies; b++)
        power = power + mb_dot6(o->own[block * plan->bodies + b].v, o->twist[b].v);
    return power;
}

/* Means over the step: sum_j b_j of what the stages of a block have. */
static void stages_add(const mb_gauss *o, const mb_stage_task *task, int block, double *to, real value)
{
    for (int l = 0; l < stages_of(o, block); l++) *to += task->tableau->b[block * LANES + l] * lane_of(value, l);
}

static void stages_account(mb_gauss *o, mb_stage_task *task)
{
    const mb_plan *plan = o->plan;
    memset(task->reaction, 0, 6 * sz(plan->blocks) * sizeof *task->reaction);
    task->work = 0;
    for (int i = 0; i < o->blocks; i++) {
        const mb_pair *row = o->node[i].rows.row;
        const real *lambda = o->lambda + i * plan->rows;
        real *rate = o->rate + i * o->numbers + MB_STATE * plan->bodies, bend;
        stages_twists(o, i);
        for (int c = plan->driven; c < plan->coordinates; c++)
            mb_coordinate_moves(plan, c, o->node[i].pose, o->twist, &rate[c], &bend);
        if (task->accounts) stages_add(o, task, i, &task->work, stages_power(o, task, i));
        for (int e = 0; e < plan->blocks; e++) {
            const mb_block *k = &plan->block[e];
            for (int c = 0; c < 6; c++) {
                real sum = splat(0);
                for (int a = 0; a < k->rows; a++)
                    sum = sum + lambda[k->at + a] * row[k->part + (a + 1) * k->sides - 1].v[c];
                stages_add(o, task, i, &task->reaction[6 * e + c], sum);
            }
        }
    }
    task->work *= task->h;
    stages_gather(task->rates, o->s, o->numbers, (const double *)o->rate);
}

/* Of few digits, the same on machines whose powers differ in the last one. */
static double stages_rounded(double x)
{
    int exponent;
    const double part = frexp(x, &exponent);
    return ldexp(floor(256 * part) / 256, exponent);
}

static int stages_solve(void *stages, mb_stage_task *task)
{
    mb_gauss *o = stages;
    double size[2], change = INFINITY, last = INFINITY, first = INFINITY;
    double contraction = STAGES_TRUSTED; /* in the mean */
    double theta = task->memory != NULL ? fmax(task->contraction, STAGES_TRUSTED) : 0.1;
    task->callback = 0, task->sweeps = 1;
    if (stages_prepare(o, task) || stages_first(o, task, size)) return 1;
    for (int k = 0; k < 2; k++) task->size[k] = 1 / size[k];
    for (int k = 1;; k++, last = change) {
        task->sweeps++;
        if (stages_sweep(o, task, size, &change)) return 1;
        if (k > 1) theta = fmax(change / last, STAGES_TRUSTED);
        if (k == 1) first = change;
        if (k > 1 && change > STAGES_CLEAR) contraction = stages_rounded(pow(change / first, 1.0 / (k - 1)));
        task->defect = change;
        if (change * theta <= task->tolerance || (k > 1 && theta >= 1 && change < STAGES_ROUND_OFF)) break;
        if (!(change <= STAGES_FAR) || k >= task->sweeps_most) return 1;
    }
    task->contraction = fmin(contraction, 1);
    stages_account(o, task);
    return 0;
}

#define MB_STAGES_NAME(width) mb_stages_##width
#define MB_STAGES(width)      MB_STAGES_NAME(width)
const mb_stages_table MB_STAGES(LANES) = {stages_bytes, stages_make, stages_solve};
