/* SPDX-License-Identifier: BSD-3-Clause */
/* The sweeps, part of the walk at the head of collocation.c. One sweep, of all stages at once:
 *   momenta   P_i, L_i from their rates; velocities                stages_momenta()
 *   poses     q_i, r_i with the new velocities                     stages_poses()
 *   rates     forces, rows, lambda; P', L'                         mb_stage_rates() */
#include "multibody/activation.h"
#include "multibody/stages.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/lane_size.h"
#include "groups/so3.h"
#include "integrators/collocation/step_size.h"
#include "integrators/collocation/sums.h"
#include "multibody/equations.h"
#include "multibody/reactions.h"
#include "multibody/rows/block.h"
#include "multibody/rows/point.h"

/* Stages that moved by less keep the factor of C; by less than the other, where that is a tenth of the sweep before. */
#define STAGES_REUSE       1e-3
#define STAGES_REUSE_EARLY 1e-2
/* A change of the stages that no longer shrinks is round-off below this. */
#define STAGES_ROUND_OFF 2e-10
/* Sweeps with friction, which turn it by and by, are not there before this one if they do not shrink. */
enum { STAGES_PATIENT = 60 };
/* Larger changes tell how fast the sweeps contract. */
#define STAGES_CLEAR 1e-13
/* The contraction that sweeps are trusted to have at best. */
#define STAGES_TRUSTED 0.01
/* Where they changed so much, they run away. */
#define STAGES_FAR 1e3

static mb_stage_workspace *stages_carve(lg_arena *a, const mb_plan *plan, int s)
{
    mb_stage_workspace local = {0}, *home, *o;
    const int blocks = (s + LANES - 1) / LANES, bodies = mb_frames(plan);
    lg_align(a);
    home = (mb_stage_workspace *)lg_take(a, sizeof *home);
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
    o->slope = MB_TAKE(a, mb_pair, plan->slopes);
    o->control = MB_TAKE(a, real, blocks * plan->controls);
    o->inputs = MB_TAKE(a, double, plan->controls);
    o->power = MB_TAKE(a, real, plan->works);
    o->bend = MB_TAKE(a, real, plan->rows);
    o->x = MB_TAKE(a, real, plan->rows);
    o->plain = MB_TAKE(a, char, mb_room(plan)->blocks);
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

static void stages_choose(void *stages)
{
    mb_stage_workspace *o = (mb_stage_workspace *)stages;
    const mb_plan *plan = o->plan;
    const size_t parts = sz(mb_room(plan)->parts);
    for (int b = 0; b < o->blocks; b++) {
        memset(o->node[b].rows.row, 0, parts * sizeof(mb_pair));
        memset(o->node[b].rows.product, 0, parts * sizeof(mb_pair));
    }
    for (int e = 0; e < plan->blocks; e++) {
        o->plain[e] = (char)mb_is_plain(plan, &plan->block[e]);
        for (int b = 0; o->plain[e] && b < o->blocks; b++) mb_plain_begin(plan, &plan->block[e], o->node[b].rows);
    }
}

static void *stages_make(void *memory, const mb_plan *plan, int s)
{
    lg_arena a = {(char *)memory, 0};
    mb_stage_workspace *o = stages_carve(&a, plan, s);
    for (int b = 0; b < o->blocks; b++) mb_world_load(&o->node[b].pose[plan->bodies]);
    stages_choose(o);
    return o;
}

/* ---- one sweep ---- */

/* Numbers [from, from + count) of every stage; *change, unless NULL: the largest in every lane. */
KERNEL void stages_sum_up(const mb_stage_workspace *o, const mb_stage_task *task, int from, int count, real *change)
{
    const double *r = (const double *)(o->rate + from), *start = task->start + from;
    real *to[LG_STAGES_MOST], each[LG_STAGES_MOST], *most = change ? each : NULL;
    for (int i = 0; i < o->blocks; i++) to[i] = o->state + i * o->numbers + from;
    if (o->s == LG_STAGES_USUAL)
        stages_move(LG_STAGES_USUAL, LG_STAGES_USUAL / (LANES < 8 ? LANES : 8), o->numbers, count, o->weights, start, r,
                    to, most);
    else
        stages_move(o->s, o->blocks, o->numbers, count, o->weights, start, r, to, most);
    if (!change) return;
    *change = splat(0);
    for (int i = 0; i < o->blocks; i++) *change = larger_size(each[i], *change);
}

/* Velocities and q' of body b in a block. */
KERNEL void stages_turn(const mb_stage_workspace *o, int block, int b)
{
    const mb_plan *plan = o->plan;
    const real *s = o->state + block * o->numbers + MB_STATE * b;
    real *r = o->rate + block * o->numbers + MB_STATE * b, *w = o->spin + 3 * (block * plan->bodies + b);
    for (int k = 0; k < 3; k++) r[MB_AT_R + k] = s[MB_AT_P + k] * (1.0 / plan->mass[b]);
    mb_inverse_inertia(plan, b, w, s + MB_AT_L);
    const real *q = s + MB_AT_Q, x = 0.5 * w[0], y = 0.5 * w[1], z = 0.5 * w[2];
    r[0] = q[3] * x + (q[1] * z - q[2] * y);
    r[1] = q[3] * y + (q[2] * x - q[0] * z);
    r[2] = q[3] * z + (q[0] * y - q[1] * x);
    r[3] = -(q[0] * x + q[1] * y + q[2] * z);
}

/* P, L and with them velocities and q'; *change of both, relative. */
static void stages_momenta(mb_stage_workspace *o, const mb_stage_task *task, const double *size, real *change)
{
    for (int b = 0; b < o->plan->bodies; b++) {
        real dP, dL;
        stages_sum_up(o, task, MB_STATE * b + MB_AT_P, 3, &dP);
        stages_sum_up(o, task, MB_STATE * b + MB_AT_L, 3, &dL);
        *change = larger_size(*change, larger_size(dP * size[0], dL * size[1]));
        for (int i = 0; i < o->blocks; i++) stages_turn(o, i, b);
    }
}

/* The node of a block from its state. */
static void stages_show(mb_stage_workspace *o, int block)
{
    const mb_plan *plan = o->plan;
    mb_node *n = &o->node[block];
    const real *s = o->state + block * o->numbers;
    for (int b = 0; b < plan->bodies; b++, s += MB_STATE) {
        memcpy(n->pose[b].q, s + MB_AT_Q, sizeof n->pose[b].q);
        memcpy(n->pose[b].r, s + MB_AT_R, sizeof n->pose[b].r);
        so3_to_matrix(n->pose[b].R, n->pose[b].q);
    }
    mb_coordinates(plan, n, s, 0, plan->driven);
}

/* Poses and coordinates. */
static void stages_poses(mb_stage_workspace *o, const mb_stage_task *task, real *change)
{
    const mb_plan *plan = o->plan;
    const double per_reach = 1 / plan->reach;
    for (int b = 0; b < plan->bodies; b++) {
        real dq, dr;
        stages_sum_up(o, task, MB_STATE * b + MB_AT_Q, 4, &dq);
        stages_sum_up(o, task, MB_STATE * b + MB_AT_R, 3, &dr);
        *change = larger_size(*change, larger_size(dq, dr * per_reach));
    }
    stages_sum_up(o, task, MB_STATE * plan->bodies, plan->driven, NULL);
    for (int i = 0; i < o->blocks; i++) stages_show(o, i);
}

/* ---- sweeps until the stages stand still ---- */

/* What momenta are compared with: the largest, and the largest impulses of forces and of rows, torques within reach
 * being forces: those are what they are rounded by. */
static void stages_measure(const mb_stage_workspace *o, const mb_stage_task *task, double *size)
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
static void stages_pushed(mb_stage_workspace *o, int block)
{
    const mb_plan *plan = o->plan;
    mb_pair *f = o->acceleration;
    mb_clear(f, plan->bodies);
    mb_stage_push(o, block, f, o->lambda + block * plan->rows);
    for (int b = 0; b < plan->bodies; b++)
        for (int k = 0; k < 6; k++)
            o->pushed[k / 3] =
                fmax(o->pushed[k / 3], largest_size(larger_size(magnitude(f[b].v[k]), magnitude(o->force[b].v[k]))));
}

/* The first sweep: from the rates that are predicted. */
static int stages_first(mb_stage_workspace *o, mb_stage_task *task, double *size)
{
    const double any_size[2] = {1, 1};
    real change = splat(0);
    const int bodies = o->plan->bodies;
    o->pushed[0] = o->pushed[1] = 0;
    for (int b = 0; b < bodies; b++) stages_sum_up(o, task, MB_STATE * b + MB_AT_Q, 4, NULL);
    stages_momenta(o, task, any_size, &change);
    stages_poses(o, task, &change);
    for (int i = 0; i < o->blocks; i++) {
        if (mb_stage_rates(o, task, i, 1)) return 1;
        stages_pushed(o, i);
    }
    stages_measure(o, task, size);
    return 0;
}

/* One sweep; *change is how much the stages moved, `last` in the sweep before. */
static int stages_sweep(mb_stage_workspace *o, mb_stage_task *task, const double *size, double last, double *change)
{
    real most = splat(0);
    stages_momenta(o, task, size, &most);
    stages_poses(o, task, &most);
    *change = largest_size(most);
    const int early = *change <= STAGES_REUSE_EARLY && last < INFINITY && *change <= 0.1 * last;
    const int factor = !(*change <= STAGES_REUSE || early) || task->events != NULL;
    for (int i = 0; i < o->blocks; i++)
        if (mb_stage_rates(o, task, i, factor)) return 1;
    return 0;
}

/* All stages where the step departs: their rates are the first guess. */
static int stages_begin(mb_stage_workspace *o, mb_stage_task *task)
{
    const double any_size[2] = {1, 1};
    real change = splat(0);
    for (int i = 0; i < o->blocks * o->numbers; i++) o->rate[i] = splat(0);
    for (int i = 0; i < o->blocks; i++) {
        real *s = o->state + i * o->numbers;
        for (int k = 0; k < o->numbers; k++) s[k] = splat(task->start[k]);
    }
    stages_momenta(o, task, any_size, &change);
    for (int i = 0; i < o->blocks; i++) {
        stages_show(o, i); /* there, not where the rates lead */
        if (mb_stage_rates(o, task, i, 1)) return 1;
    }
    return 0;
}

/* Leaders at the stages; the last stage repeats in lanes that have none. */
static int stages_lead(mb_stage_workspace *o, mb_stage_task *task)
{
    for (int i = 0; i < o->blocks * LANES && o->plan->drives > 0; i++) {
        const int j = i < o->s ? i : o->s - 1;
        const double t = task->t + task->h * task->tableau->c[j];
        if (mb_node_lead(o->plan, &o->node[i / LANES], t, i % LANES, &task->stray)) return 1;
    }
    return 0;
}

/* What forces take of the controls at the stages. */
static void stages_inputs(mb_stage_workspace *o, const mb_stage_task *task)
{
    const mb_plan *plan = o->plan;
    const double *u = task->control;
    for (int i = 0; i < o->blocks * LANES && plan->controls > 0; i++) {
        const double t = task->t + task->h * task->tableau->c[i < o->s ? i : o->s - 1];
        if (plan->activations > 0) mb_inputs(plan, o->inputs, task->control, task->act, t, 0), u = o->inputs;
        real *to = o->control + i / LANES * plan->controls;
        for (int k = 0; k < plan->controls; k++) as_doubles(&to[k])[i % LANES] = u[k];
    }
}

static int stages_prepare(mb_stage_workspace *o, mb_stage_task *task)
{
    const lg_tableau *T = task->tableau;
    if (stages_lead(o, task)) return 1;
    stages_inputs(o, task);
    if (o->h != task->h) stages_columns(o->weights, T->a, task->h, T->s, o->blocks);
    o->h = task->h;
    if (task->memory == NULL) return stages_begin(o, task);
    const lg_extension *x = task->extension;
    if (o->at != x->at || o->span != x->span) stages_columns(o->columns, x->E, 1, T->s, o->blocks);
    o->at = x->at, o->span = x->span;
    stages_continue(o->rate, T->s, o->blocks, o->numbers, o->columns, task->memory);
    return 0;
}

/* ---- what came out ---- */

/* What dampers, servos, drives, moving ground and the caller's wrenches do at the stages of a block; o->power is that
 * of motors, drives and kinds. */
static real stages_power(mb_stage_workspace *o, const mb_stage_task *task, int block)
{
    const mb_plan *plan = o->plan;
    const mb_node *n = &o->node[block];
    const real *lambda = o->lambda + block * plan->rows;
    memset(&o->power[mb_kind_at(plan, LG_WORK_MOTORS)], 0, LG_WORKS * sizeof *o->power);
    real power = mb_node_forces(plan, o->force, n, o->twist, o->slope, o->control + block * plan->controls, o->power);
    for (int i = plan->holonomic_rows; i < plan->rows; i++)
        mb_add_work(plan, &power, o->power, LG_WORK_GROUND, lambda[i] * n->drift[i]);
    for (int i = 0; i < plan->drives; i++) o->power[plan->controls + i] = splat(0);
    for (int e = 0; plan->drives > 0 && e < plan->holonomic_blocks; e++) {
        const mb_block *k = &plan->block[e];
        if (k->kind != MB_DRIVE) continue;
        real *own = &o->power[plan->controls + k->source];
        *own = mb_drive_power(plan, k, n->rows.row, lambda, n->given);
        mb_add_work(plan, &power, o->power, LG_WORK_DRIVES, *own);
    }
    for (int b = 0; task->ask != NULL && b < plan->bodies; b++)
        mb_add_work(plan, &power, o->power, LG_WORK_WRENCH, mb_dot6(o->own[block * plan->bodies + b].v, o->twist[b].v));
    return power;
}

/* Means over the step: sum_j b_j of what the stages of a block have. */
static void stages_add(const mb_stage_workspace *o, const mb_stage_task *task, int block, double *to, real value)
{
    for (int l = 0; l < mb_stages_of(o, block); l++) *to += task->tableau->b[block * LANES + l] * lane_of(value, l);
}

static void stages_account(mb_stage_workspace *o, mb_stage_task *task)
{
    const mb_plan *plan = o->plan;
    memset(task->reaction, 0, MB_REACTION * sz(mb_room(plan)->blocks) * sizeof *task->reaction);
    task->work = 0;
    for (int u = 0; u < plan->works; u++) task->motor_work[u] = 0;
    for (int i = 0; i < o->blocks; i++) {
        const mb_pair *row = o->node[i].rows.row;
        const real *lambda = o->lambda + i * plan->rows;
        real *rate = o->rate + i * o->numbers + MB_STATE * plan->bodies, bend;
        mb_stage_twists(o, i);
        const mb_site at = {.pose = o->node[i].pose, .twist = o->twist};
        for (int c = plan->driven; c < plan->coordinates; c++) {
            const mb_joint *j = &plan->joint[plan->coordinate[c].joint];
            mb_coordinate_moves(plan, c, &at, j->a, j->b, &rate[c], &bend);
        }
        if (task->accounts) stages_add(o, task, i, &task->work, stages_power(o, task, i));
        for (int u = 0; task->accounts && u < plan->works; u++)
            stages_add(o, task, i, &task->motor_work[u], o->power[u]);
        for (int e = 0; e < plan->blocks; e++) {
            const mb_block *k = &plan->block[e];
            real one[MB_REACTION] = {splat(0)};
            mb_reaction_add(plan, k, one, row, o->node[i].pose, lambda);
            for (int c = 0; c < MB_REACTION; c++)
                stages_add(o, task, i, &task->reaction[MB_REACTION * k->number + c], one[c]);
        }
    }
    task->work *= task->h;
    for (int u = 0; u < plan->works; u++) task->motor_work[u] *= task->h;
    stages_gather(task->rates, o->s, o->numbers, (const double *)o->rate);
}

/* How far sweeps have come. */
typedef struct stages_progress {
    double first, last, change; /* of the stages: in the first sweep after stages_first(), the last but one, the last */
    double contraction;         /* in the mean */
    double theta;               /* of the last sweep */
} stages_progress;

/* After sweep k: 1: the stages have converged, -1: they diverge, 0: continue. */
static int stages_judge(stages_progress *p, const mb_stage_task *task, int k)
{
    if (k > 1) p->theta = fmax(p->change / p->last, STAGES_TRUSTED);
    if (k == 1) p->first = p->change;
    if (k > 1 && p->change > STAGES_CLEAR) p->contraction = lg_few_digits(pow(p->change / p->first, 1.0 / (k - 1)));
    const double round_off = task->events != NULL && k < STAGES_PATIENT ? STAGES_CLEAR : STAGES_ROUND_OFF;
    if (p->change * p->theta <= task->tolerance || (k > 1 && p->theta >= 1 && p->change < round_off)) return 1;
    return p->change <= STAGES_FAR && k < task->sweeps_most ? 0 : -1;
}

static int stages_solve(void *stages, mb_stage_task *task)
{
    mb_stage_workspace *o = (mb_stage_workspace *)stages;
    stages_progress p = {.first = INFINITY, .change = INFINITY, .contraction = STAGES_TRUSTED};
    double size[2];
    p.theta = task->memory != NULL ? fmax(task->contraction, STAGES_TRUSTED) : 0.1;
    task->callback = 0, task->sweeps = 1;
    if (stages_prepare(o, task)) return 1;
    if (task->sweeps_most == 0) return 0;
    if (stages_first(o, task, size)) return 1;
    for (int k = 0; k < 2; k++) task->size[k] = 1 / size[k];
    for (int k = 1, verdict = 0; verdict == 0; k++) {
        task->sweeps++;
        p.last = p.change;
        if (stages_sweep(o, task, size, p.last, &p.change)) return 1;
        verdict = stages_judge(&p, task, k);
        task->defect = p.change;
        if (verdict < 0) return 1;
    }
    task->contraction = fmin(p.contraction, 1);
    stages_account(o, task);
    return 0;
}

#define MB_STAGES_NAME(width) mb_stages_##width
#define MB_STAGES(width)      MB_STAGES_NAME(width)
const mb_stages_table MB_STAGES(LANES) = {stages_bytes, stages_make, stages_choose, stages_solve};
