/* SPDX-License-Identifier: BSD-3-Clause */
/* Linearised equations on the manifold of states. A deviation z = (dr, dtheta; dv, dw) of each body, in space, obeys
 *
 *   dr' = dv,   dtheta' = dw + w x dtheta,   dv' = da,   dw' = dalpha,
 *
 * and J a = f - gyroscopic - A^T lambda, A a = -A' xi + drift'. Neighbouring states are displaced along a
 * basis of ker A_h and of ker A, orthonormal in the metric J, and projected; J-products with the bases read y back:
 * what projection adds is J-orthogonal to them. */
#include "multibody/motion.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <liegrp/groups/so3.h>
#include <liegrp/multibody/linearise.h>

#include "base/differences.h"
#include "multibody/activation.h"
#include "multibody/forces/force.h"
#include "multibody/linear.h"

static const double weight[] = {LG_CENTRAL_8};
enum { WEIGHTS = sizeof weight / sizeof weight[0] };

#define SMALL 0.003 /* displacements: radians, and parts of the reach */
#define ARC   0.05  /* the same along the motion */

void mb_linear_carve(mb_linear *L, lg_arena *a)
{
    const size_t n = (size_t)L->n, all = n * sizeof(double);
    L->basis[0] = mb_take(a, n * all);
    L->basis[1] = mb_take(a, n * all);
    for (int i = 0; i < 2; i++) L->candidate[i] = mb_take(a, n * all);
    L->z = mb_take(a, 2 * all), L->sum = mb_take(a, 2 * all), L->to = mb_take(a, 2 * all),
    L->from = mb_take(a, 2 * all);
    L->first = mb_take(a, 2 * all), L->tangent = mb_take(a, all), L->low = mb_take(a, all);
    L->after = mb_take(a, n / 6 * sizeof *L->after);
    L->x = mb_take(a, 2 * ((size_t)L->copy->mechanism->plan.rows + 1) * sizeof(double));
    L->read = mb_take(a, 4 * ((size_t)L->mo->positions + 1) * sizeof(double));
    L->now = mb_take(a, 2 * ((size_t)L->mo->positions + 1) * sizeof(double));
    L->near = mb_take(a, ((size_t)L->mo->mechanism->plan.coordinates + 1) * sizeof(double));
    L->control = mb_take(a, ((size_t)L->copy->mechanism->plan.controls + 1) * sizeof(double));
}

void mb_linear_copy_choice(mb_linear *L)
{
    mb_sparse *c = L->copy;
    memcpy(c->numbers.choice, L->mo->numbers.choice, sz(mb_choice_numbers(&c->plan)) * sizeof *c->numbers.choice);
    (void)mb_choice_follow(&c->choice);
    mb_node_rows(&c->plan, &c->numbers.node[c->numbers.now], 0);
    mb_choice_look(&c->choice, &c->numbers);
    c->choice.fixed = 1;
}

/* A copy of the motion at its state, that displaced states can be written into. */
lg_status mb_linear_copy(mb_linear *L)
{
    mb_sparse *mo = L->mo;
    const int bodies = mb_seen(mo->mechanism, MB_BODIES);
    lg_status st = mb_sparse_create(&L->copy, mo->mechanism, mo->method[0] != '\0' ? mo->method : NULL, mo->h);
    if (st != LG_OK) return lg_fail(&mo->head.error, st, "%s: out of memory", L->who);
    if (mo->numbers.contacts != NULL) mb_linear_touch(L);
    double *poses = malloc(13 * (size_t)bodies * sizeof *poses);
    if (poses == NULL) return lg_fail(&mo->head.error, LG_ERROR_MEMORY, "%s: out of memory", L->who);
    for (int b = 0; b < bodies && st == LG_OK; b++) {
        st = lg_motion_body_pose(&mo->head, poses + 7 * b, b);
        if (st == LG_OK) st = lg_motion_body_twist(&mo->head, poses + 7 * bodies + 6 * b, b);
    }
    if (st == LG_OK) st = mb_sparse_start_poses(L->copy, mo->t, poses, poses + 7 * bodies, 1);
    free(poses);
    if (st != LG_OK) return lg_fail(&mo->head.error, st, "%s: %s", L->who, L->copy->head.error.message);
    mb_linear_copy_choice(L);
    st = mb_sparse_set_wrench(L->copy, mo->wrench, mo->context);
    if (st == LG_OK) mb_copy_controls(L->copy, mo);
    return st;
}

lg_status mb_linear_place(mb_linear *L, const double *z, double s)
{
    const mb_plan *plan = &L->copy->plan;
    mb_sparse *c = L->copy;
    const mb_node *from = mb_now(L->mo);
    mb_node *n = &c->numbers.node[0];
    c->numbers.now = 0;
    for (int b = 0; b < plan->bodies; b++) {
        double turn[3];
        n->pose[b] = from->pose[b];
        for (int k = 0; k < 3; k++) n->pose[b].r[k] += s * z[6 * b + k], turn[k] = s * z[6 * b + 3 + k];
        mb_turn_pose(&n->pose[b], turn);
    }
    mb_stray none;
    (void)mb_node_lead(plan, n, L->mo->t, -1, &none); /* as the motion itself has it */
    mb_node_place(plan, n, L->other ? L->near : from->q);
    double last = INFINITY, phi = 0;
    for (int round = 0; round < 30; round++, last = phi) {
        mb_node_rows(plan, n, 0);
        phi = 0;
        for (int i = 0; i < plan->holonomic_rows; i++)
            if (!(fabs(n->phi[i]) <= phi)) phi = fabs(n->phi[i]);
        if (!(phi < mb_reach(L->mo->mechanism)) || phi <= 1e-16 * mb_reach(L->mo->mechanism) ||
            (phi < 1e-13 * mb_reach(L->mo->mechanism) && phi >= 0.5 * last))
            break;
        mb_close(plan, n, L->x, c->numbers.wrench);
        mb_node_place(plan, n, n->q);
    }
    if (!(phi < 1e-11 * mb_reach(L->mo->mechanism)))
        return lg_fail(&L->mo->head.error, LG_ERROR_SINGULAR,
                       "%s: a state next to the present one cannot be projected; it is too near to a singular "
                       "configuration",
                       L->who);
    for (int b = 0; b < plan->bodies; b++) {
        const double *xi = L->first + L->n + 6 * b;
        double w[3], p[3], v[6];
        for (int k = 0; k < 6; k++) v[k] = xi[k] + s * z[L->n + 6 * b + k];
        mb_back(w, n->pose[b].R, v + 3);
        mb_turn(p, plan->inertia + 9 * b, w);
        for (int k = 0; k < 3; k++) n->p[b].v[k] = plan->mass[b] * v[k];
        mb_turn(n->p[b].v + 3, n->pose[b].R, p);
    }
    mb_settle(plan, n, L->x, c->numbers.twist);
    c->t0 = c->t = L->mo->t, c->count = 0;
    mb_forget(c);
    return LG_OK;
}

/* ---- continuous equations ---- */

/* sum, the derivative of (xi, a) along z, becomes z'. */
static void rates(mb_linear *L, const double *z)
{
    for (int b = 0; 6 * b < L->n; b++) {
        double t[3];
        small_cross(t, L->first + L->n + 6 * b + 3, z + 6 * b + 3);
        for (int k = 0; k < 3; k++) L->sum[6 * b + 3 + k] += t[k];
        if (L->spin == NULL) continue;
        /* dr, dtheta, dv and dw themselves: what is displaced, and the derivative of xi before the line above */
        const double *vectors[4] = {z + 6 * b, z + 6 * b + 3, L->tangent + 6 * b, L->tangent + 6 * b + 3};
        for (int i = 0; i < 4; i++) {
            small_cross(t, L->spin, vectors[i]);
            for (int k = 0; k < 3; k++) L->sum[(i / 2) * L->n + 6 * b + 3 * (i % 2) + k] -= t[k];
        }
    }
}

/* ---- the step ---- */

lg_status mb_linear_advance(mb_linear *L)
{
    mb_sparse *c = L->copy;
    const lg_status st = mb_sparse_step(c, 1);
    if (st != LG_OK) return lg_fail(&L->mo->head.error, st, "%s: %s", L->who, c->head.error.message);
    mb_linear_read(L);
    return LG_OK;
}

void mb_linear_read(mb_linear *L)
{
    const mb_node *n = mb_now(L->copy);
    for (int b = 0; 6 * b < L->n; b++) {
        const double *q = n->pose[b].q, *q0 = L->after[b].q;
        const double x[4] = {-q0[0], -q0[1], -q0[2], q0[3]}; /* q q0^-1, Cayley's vector of it */
        const double w = q[3] * x[3] - q[0] * x[0] - q[1] * x[1] - q[2] * x[2];
        double v[3];
        small_cross(v, q, x);
        for (int k = 0; k < 3; k++) {
            L->to[6 * b + k] = n->pose[b].r[k] - L->after[b].r[k];
            L->to[6 * b + 3 + k] = 2 * (q[3] * x[k] + x[3] * q[k] + v[k]) / w;
        }
    }
    mb_linear_twists(L, L->to + L->n, n);
}

/* sum turns back by h spin. */
static void turn_back(mb_linear *L)
{
    double x[3], q[4], v[3];
    if (L->spin == NULL) return;
    for (int k = 0; k < 3; k++) x[k] = L->mo->h * L->spin[k];
    lg_so3_exp(q, x);
    for (int i = 0; i < 2 * L->n; i += 3) {
        lg_so3_act_inverse(v, q, L->sum + i);
        memcpy(L->sum + i, v, sizeof v);
    }
}

/* ---- both ---- */

/* How far to go along z: SMALL for displacements, and the same part of the rates for velocities. */
static double amount(const mb_linear *L, const double *z, int velocity)
{
    const double size = mb_linear_size(L, z + (velocity ? L->n : 0));
    return L->small / fmax(size, 1e-300) * (velocity ? 1 + mb_linear_size(L, L->first + L->n) : 1);
}

static lg_status evaluate(mb_linear *L)
{
    return L->steps ? mb_linear_advance(L) : mb_linear_accelerate(L);
}

/* Column i of a matrix with `columns` from sum, on the basis of the state or of the one after the step. */
void mb_linear_column(const mb_linear *state, double *M, int i, int columns)
{
    const mb_linear *L = state->end != NULL ? state->end : state;
    int row = 0;
    for (int part = 0; part < 2; part++) {
        mb_linear_metric(L, L->to, state->sum + part * L->n);
        for (int k = 0; k < L->count[part]; k++, row++)
            M[(size_t)row * (size_t)columns + (size_t)i] =
                small_dot(L->n, L->to, L->basis[part] + (size_t)k * (size_t)L->n);
    }
}

/* Column i of A and C. */
static lg_status state_column(mb_linear *L, double *A, double *C, int i)
{
    const int velocity = i >= L->count[0], k = L->count[0] + L->count[1], positions = L->mo->positions;
    const double *from = L->basis[velocity] + (size_t)(velocity ? i - L->count[0] : i) * (size_t)L->n;
    memset(L->z, 0, 2 * (size_t)L->n * sizeof *L->z);
    memcpy(L->z + (velocity ? L->n : 0), from, (size_t)L->n * sizeof *L->z);
    memset(L->sum, 0, 2 * (size_t)L->n * sizeof *L->sum);
    memset(L->read, 0, 2 * (size_t)positions * sizeof *L->read);
    const double s = amount(L, L->z, velocity);
    for (int j = -WEIGHTS; j <= WEIGHTS; j++) {
        if (j == 0) continue;
        lg_status st = mb_linear_place(L, L->z, j * s);
        double *q = L->read + 2 * positions;
        if (st == LG_OK && C != NULL) st = lg_motion_positions(&L->copy->head, q, q + positions);
        if (st == LG_OK && A != NULL) st = evaluate(L);
        if (st != LG_OK) return st;
        const double w = (j > 0 ? weight[j - 1] : -weight[-j - 1]) / s;
        for (int d = 0; A != NULL && d < 2 * L->n; d++) L->sum[d] += w * L->to[d];
        for (int d = 0; C != NULL && d < 2 * positions; d++) L->read[d] += w * q[d];
    }
    for (int d = 0; C != NULL && d < 2 * positions; d++) C[(size_t)d * (size_t)k + (size_t)i] = L->read[d];
    if (A == NULL) return LG_OK;
    if (L->steps) {
        turn_back(L);
    } else {
        memcpy(L->tangent, L->sum, (size_t)L->n * sizeof *L->tangent);
        rates(L, L->z);
    }
    mb_linear_column(L, A, i, k);
    return LG_OK;
}

/* Column j of B: the continuous equations are affine in the controls; a step is nearly so. */
static lg_status control_column(mb_linear *L, double *B, int j)
{
    const int controls = L->mo->mechanism->plan.controls;
    const double u = L->mo->numbers.control[j], *weights = weight;
    memset(L->sum, 0, 2 * (size_t)L->n * sizeof *L->sum);
    memset(L->z, 0, 2 * (size_t)L->n * sizeof *L->z);
    for (int i = -WEIGHTS; i <= WEIGHTS; i++) {
        if (i == 0 || L->control[j] == 0) continue;
        lg_status st = mb_linear_place(L, L->z, 0);
        L->copy->numbers.control[j] = u + i * L->control[j];
        if (st == LG_OK) st = evaluate(L);
        L->copy->numbers.control[j] = u;
        if (st != LG_OK) return st;
        const double w = (i > 0 ? weights[i - 1] : -weights[-i - 1]) / L->control[j];
        for (int d = 0; d < 2 * L->n; d++) L->sum[d] += w * L->to[d];
    }
    if (!L->steps) memset(L->sum, 0, (size_t)L->n * sizeof *L->sum);
    if (L->steps && L->control[j] != 0) turn_back(L);
    mb_linear_column(L, B, j, controls);
    return LG_OK;
}

void mb_control_limits(const mb_plan *plan, int j, double *limit)
{
    limit[0] = -INFINITY, limit[1] = INFINITY;
    for (const mb_thruster *t = plan->thruster; t < plan->thruster + plan->thrusters; t++)
        if (t->control == j) memcpy(limit, t->limit, sizeof t->limit);
    const double *own = plan->activation[j].limit;
    if (plan->activations > 0) limit[0] = fmax(limit[0], own[0]), limit[1] = fmin(limit[1], own[1]);
    for (const mb_force *s = plan->force; s < plan->force + plan->forces; s++) {
        if (s->control != j || s->law != MB_LAW_servo || mb_is_servo(s)) continue;
        limit[s->gain < 0] = s->number[2] / s->gain, limit[s->gain > 0] = s->number[3] / s->gain;
    }
}

/* How far a control is from where a limit begins to hold a force that follows it; 0: it holds it. */
static double control_room(const mb_plan *plan, int j, double u)
{
    double limit[2];
    mb_control_limits(plan, j, limit);
    return fmax(0, fmin(u - limit[0], limit[1] - u));
}

/* Changes of the controls after which a step's velocity changes by the amount of amount(). */
static lg_status control_sizes(mb_linear *L)
{
    const int controls = L->mo->mechanism->plan.controls;
    memset(L->z, 0, 2 * (size_t)L->n * sizeof *L->z);
    for (int j = 0; j < controls; j++) {
        lg_status st = mb_linear_place(L, L->z, 0);
        if (st == LG_OK) st = mb_linear_accelerate(L);
        if (st != LG_OK) return st;
        memcpy(L->sum, L->to, 2 * (size_t)L->n * sizeof *L->sum);
        L->copy->numbers.control[j] += 1;
        st = mb_linear_accelerate(L);
        L->copy->numbers.control[j] -= 1;
        if (st != LG_OK) return st;
        for (int d = 0; d < 2 * L->n; d++) L->sum[d] = L->to[d] - L->sum[d];
        const double change = mb_linear_size(L, L->sum + L->n) * (L->steps ? fabs(L->mo->h) : 1);
        L->control[j] = fmin(L->small / fmax(change, 1e-300), 1e9) * (L->steps ? 1 : 100);
        L->control[j] = fmin(L->control[j], control_room(&L->mo->plan, j, L->mo->numbers.control[j]) / (1 + WEIGHTS));
    }
    return LG_OK;
}

/* The derivative of a step with respect to its length. */
lg_status mb_linear_length(mb_linear *L, double *column_of_h)
{
    const double h = L->mo->h, e = h * ARC;
    memset(L->sum, 0, 2 * (size_t)L->n * sizeof *L->sum);
    memset(L->z, 0, 2 * (size_t)L->n * sizeof *L->z);
    for (int i = -WEIGHTS; i <= WEIGHTS; i++) {
        if (i == 0) continue;
        lg_status st = mb_linear_place(L, L->z, 0);
        L->copy->h = h + i * e;
        if (st == LG_OK) st = mb_linear_advance(L);
        if (st == LG_OK && L->held != NULL) st = mb_linear_holds(L);
        L->copy->h = h;
        if (st != LG_OK) return st;
        const double w = (i > 0 ? weight[i - 1] : -weight[-i - 1]) / e;
        for (int d = 0; d < 2 * L->n; d++) L->sum[d] += w * L->to[d];
    }
    mb_linear_column(L, column_of_h, 0, 1);
    return LG_OK;
}

/* The copy makes the step; L->after <- its poses. */
lg_status mb_linear_step_copy(mb_linear *L)
{
    memset(L->z, 0, 2 * (size_t)L->n * sizeof *L->z);
    lg_status st = mb_linear_place(L, L->z, 0);
    if (st == LG_OK) st = mb_sparse_step(L->copy, 1);
    if (st != LG_OK) return lg_fail(&L->mo->head.error, st, "%s: %s", L->who, L->copy->head.error.message);
    memcpy(L->after, mb_now(L->copy)->pose, (size_t)L->copy->plan.bodies * sizeof *L->after);
    return LG_OK;
}

/* A and B from the derivative of the step that led to `after`, if it has one: what mb_linear_exact() returns. */
int mb_linear_exactly(mb_linear *L, mb_sparse *after, double *A, double *B)
{
    const int k = L->count[0] + L->count[1], controls = B != NULL ? L->mo->mechanism->plan.controls : 0;
    double *deviations;
    const int exact = mb_linear_exact(L, after, &deviations);
    if (exact <= 0) return exact;
    for (int i = 0; i < k + controls; i++) {
        const int held = i >= k && !(control_room(&L->mo->plan, i - k, L->mo->numbers.control[i - k]) > 0);
        memcpy(L->sum, deviations + 2 * (size_t)L->n * (size_t)i, 2 * (size_t)L->n * sizeof *L->sum);
        if (held) memset(L->sum, 0, 2 * (size_t)L->n * sizeof *L->sum);
        if (!held) turn_back(L);
        mb_linear_column(L, i < k ? A : B, i < k ? i : i - k, i < k ? k : controls);
    }
    if (L->room == NULL) lg_release(deviations);
    return 1;
}

lg_status mb_linear_difference(mb_linear *L, double *A, double *B, double *C)
{
    const int columns = A != NULL || C != NULL ? L->count[0] + L->count[1] : 0;
    lg_status st = B != NULL ? control_sizes(L) : LG_OK;
    for (int i = 0; st == LG_OK && i < columns; i++) st = state_column(L, A, C, i);
    for (int j = 0; st == LG_OK && B != NULL && j < L->mo->mechanism->plan.controls; j++) st = control_column(L, B, j);
    return st;
}

lg_status mb_linear_step(mb_linear *L, double *A, double *B, double *h)
{
    const int exact = mb_linear_exactly(L, L->copy, A, B) > 0;
    const lg_status st = exact ? LG_OK : mb_linear_difference(L, A, B, NULL);
    return st == LG_OK && h != NULL ? mb_linear_length(L, h) : st;
}

static lg_status differentiate(mb_linear *L, double *A, double *B, double *C)
{
    lg_status st = mb_linear_bases(L);
    if (st == LG_OK && L->steps) st = mb_linear_step_copy(L);
    if (st == LG_OK && L->steps && mb_linear_exactly(L, L->copy, A, B) > 0) A = B = NULL;
    return st == LG_OK ? mb_linear_difference(L, A, B, C) : st;
}

/* Refuses motions that have no derivative, and with contacts those that `touches` does not allow. */
lg_status mb_linear_refuse(mb_sparse *mo, const char *who, int touches)
{
    lg_error_clear(&mo->head.error);
    if (!mo->started) return lg_fail(&mo->head.error, LG_ERROR_ARGUMENT, "%s: the motion is not started", who);
    const int acts = mb_first_activation(&mo->plan);
    if (acts >= 0) {
        const char *name, *noun = mb_control_noun(mo->mechanism, acts, &name);
        return lg_fail(&mo->head.error, LG_ERROR_UNSUPPORTED,
                       "%s: %s '%.60s' has an activation, a state that A does not contain; linearise the mechanism "
                       "without it, whose B then takes the activation, and add its equation",
                       who, noun, name);
    }
    if (mo->mechanism->plan.contacts == 0 || (touches && mo->numbers.collocation == NULL)) return LG_OK;
    const char *name, *noun = mb_contact_noun(mo->mechanism, &name);
    return lg_fail(&mo->head.error, LG_ERROR_UNSUPPORTED,
                   "%s: contacts, as of %s '%.60s', open and close; take lg_motion_linearise_along() of steps of sem, "
                   "or describe the mechanism without surfaces, stops and dry friction",
                   who, noun, name);
}

/* Takes the copy of L->mo and all memory. */
lg_status mb_linear_open(mb_linear *L)
{
    const mb_plan *plan = &L->mo->mechanism->plan;
    lg_arena a = {NULL, 0};
    L->n = 6 * plan->bodies;
    L->count[0] = mb_position_freedoms(plan), L->count[1] = mb_freedoms(plan);
    const lg_status st = mb_linear_copy(L);
    if (st != LG_OK) return st;
    mb_linear_carve(L, &a);
    L->memory = lg_reserve(a.used);
    if (L->memory == NULL) return lg_fail(&L->mo->head.error, LG_ERROR_MEMORY, "%s: out of memory", L->who);
    a = (lg_arena){L->memory, 0};
    mb_linear_carve(L, &a);
    mb_linear_twists(L, L->first + L->n, mb_now(L->mo));
    return LG_OK;
}

void mb_linear_close(mb_linear *L)
{
    lg_release(L->memory);
    mb_sparse_destroy(L->copy);
}

lg_status mb_sparse_linearise(mb_sparse *mo, double *A, double *B, double *C, const double *spin, int steps,
                              const char *who)
{
    mb_linear L = {.mo = mo, .steps = steps, .spin = spin, .who = who, .small = SMALL};
    lg_status st = mb_linear_refuse(mo, who, 0);
    if (st == LG_OK && A == NULL) st = lg_fail(&mo->head.error, LG_ERROR_ARGUMENT, "%s: A is NULL", who);
    if (st == LG_OK) st = mb_linear_open(&L);
    if (st == LG_OK) st = differentiate(&L, A, B, C);
    mb_linear_close(&L);
    return st;
}
