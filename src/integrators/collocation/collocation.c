/* SPDX-License-Identifier: BSD-3-Clause */
/* A step of Gauss collocation, in its verbs (docs/architecture.md; the equations: docs/theory.md
 * section 18). lg_step() of engine/step.c makes it, by the free step at the end of this file and the rule in
 * projection.c; with a tolerance adaptive.c makes it as a substep whose size step_size.c chooses.
 *
 * From (g_0, p_0) on the constraints, stages i = 1, ..., S with coefficients a_ij, b_i, c_i (tableau.c):
 *   predict      g', p', lambda at the stages from the polynomial of the step before      tableau.c, sums.h
 *   until the stages converge, each sweep (stages.c; with an instance in every lane instances.c):
 *     place        g_i = g_0 + h sum_j a_ij g_j',  p_i = p_0 + h sum_j a_ij p_j'          stages.c, sums.h
 *     fields       A_i, b_i, J_i, dV(g_i), f_i                                            fields.c
 *     correct      stage form: p_i onto A_i J_i^-1 p_i = b_i, lambda_i accordingly        sweep.c, stages.c
 *     rates        g_i' = g_i xi_i^,  p_i' = ad*_xi p_i + dT - dV + f + A_i^T lambda_i    sweep.c
 *                  rate form: lambda_i from A_i xi_i' = b_i' - A_i' xi_i                  sweep.c
 *   sum          g_1 = g_0 + h sum_i b_i g_i',  p^_1 = p_0 + h sum_i b_i p_i'             here
 *   settle       round-off off g_1                                                        here, factors/
 *   close        g_1 <- g_1 exp(-J^-1 A^T C^-1 phi(g_1)) until phi = 0                    projection.c
 *   evaluate     A, b, J at g_1                                                           engine/node.c
 *   momenta      p_1 = p^_1 - A^T C^-1 (A J^-1 p^_1 - b)                                  projection.c
 *   energy       p_1 <- p_1 sqrt((H_0 - V(g_1))/T(p_1)) where H is conserved              projection.c
 *   keep         g', p', lambda for the next prediction                                   projection.c */
#include "integrators/collocation/collocation.h"

#include <math.h>
#include <string.h>

#include "base/dense.h"
#include "integrators/engine/free_step.h"

static size_t collocation_numbers(const lg_plan *P)
{
    return sz(P->element_size + P->n + P->m);
}

static size_t collocation_values(const lg_plan *P)
{
    return sz(P->S->parameter_count) + sz(P->S->callbacks.control_count);
}

size_t lg_collocation_rates(const lg_plan *P)
{
    return collocation_numbers(P) * sz(P->method.collocation_stages);
}

/* ---- memory ---- */

static lg_collocation *collocation_carve(lg_arena *a, const lg_plan *P)
{
    const lg_wide_settings none = {0};
    const size_t count = lg_collocation_rates(P);
    lg_collocation local, *home = lg_take(a, sizeof *home), *o = home ? home : &local;
    o->rates = lg_take_doubles(a, count), o->memory = lg_take_doubles(a, count);
    o->around = lg_take_doubles(a, count);
    o->values = lg_take_doubles(a, collocation_values(P));
    lg_controls_carve(&o->controls, a, P->S->callbacks.control_count, P->method.collocation_stages);
    o->wide = NULL;
    if (P->stage_width > 1) {
        lg_align(a);
        void *memory = lg_take(a, lg_wide_place_bytes(P, P->stage_width));
        if (memory) o->wide = lg_wide_place(memory, P, &none, P->stage_width);
    }
    return home;
}

size_t lg_collocation_bytes(const lg_plan *P)
{
    lg_arena a = {NULL, 0};
    (void)collocation_carve(&a, P);
    return a.used;
}

lg_collocation *lg_collocation_bind(void *memory, const lg_plan *P)
{
    lg_arena a = {memory, 0};
    lg_collocation *o = collocation_carve(&a, P);
    lg_tableau_make(&o->tableau, P->method.collocation_stages);
    o->span = o->extension.span = 0, o->current = 0, o->fixed = 0;
    return o;
}

void lg_collocation_reload(lg_workspace *w)
{
    if (w->collocation) w->collocation->current = 0;
}

void lg_collocation_forget(lg_workspace *w)
{
    if (!w->collocation) return;
    w->collocation->span = 0;
    lg_adaptive_forget(w);
}

void lg_collocation_back(lg_workspace *w)
{
    if (w->collocation && w->collocation->step_size.tolerance == 0) w->collocation->at = 0;
}

void lg_collocation_copy(lg_workspace *to, const lg_workspace *from)
{
    const lg_plan *P = to->plan;
    const lg_collocation *b = from->collocation;
    lg_collocation *a = to->collocation;
    if (!a) return;
    a->span = b->span, a->at = b->at;
    memcpy(a->memory, b->memory, lg_collocation_rates(P) * sizeof *a->memory);
    lg_adaptive_copy(to, from);
}

int lg_collocation_spans(const lg_workspace *w, lg_span *s)
{
    lg_collocation *o = w->collocation;
    const lg_plan *P = w->plan;
    s[0] = (lg_span){&o->span, 1}, s[1] = (lg_span){&o->at, 1};
    s[2] = (lg_span){o->memory, (int)lg_collocation_rates(P)};
    return 3;
}

void lg_collocation_list(lg_workspace *w, lg_tape *t)
{
    lg_collocation *o = w->collocation;
    lg_step_size_list(&o->step_size, t);
    lg_tape_doubles(t, o->values, collocation_values(w->plan));
    lg_adaptive_list_nodes(w, t);
    if (t->reads) o->current = 0;
}

/* ---- the step ---- */

/* Brings the wide workspace up to date for callbacks and stages; 1: constants may have changed. */
static int collocation_refresh(lg_workspace *w)
{
    lg_collocation *o = w->collocation;
    const lg_system *S = w->plan->S;
    const size_t parameters = sz(S->parameter_count) * sizeof(double);
    const size_t controls = sz(S->callbacks.control_count) * sizeof(double);
    double *control = o->values + S->parameter_count;
    const int anew = !o->current;
    if (o->wide && !o->current) lg_wide_set_constants(o->wide, w);
    if (!o->current || (parameters && memcmp(o->values, S->parameter_values, parameters)) ||
        (controls && memcmp(control, w->field->control, controls))) {
        if (parameters) memcpy(o->values, S->parameter_values, parameters);
        if (controls) memcpy(control, w->field->control, controls);
        if (o->wide) lg_wide_set_values(o->wide, o->values, control);
    }
    o->current = 1;
    return anew;
}

/* The controls at the stages; NULL: they are held. */
static const double *collocation_controls(const lg_workspace *w)
{
    const lg_controls *o = &w->collocation->controls;
    return o->degree ? o->stages : NULL;
}

/* Solves the stages in the lanes of the wide workspace, or here. */
static int collocation_dispatch(lg_workspace *w, lg_stage_task *task,
                                int (*lanes)(lg_wide *W, lg_stage_task *task, lg_failure *failure),
                                int (*here)(lg_workspace *w, lg_stage_task *task))
{
    lg_collocation *o = w->collocation;
    const int bad = o->wide ? lanes(o->wide, task, &w->failure) : here(w, task);
    if (bad && o->wide && w->failure.status == LG_ERROR_CALLBACK) w->field->failed = w->failure.what;
    return bad;
}

static int collocation_solve(lg_workspace *w, lg_stage_task *task)
{
    return collocation_dispatch(w, task, lg_wide_collocate, lg_stages_solve);
}

int lg_collocation_fields(lg_workspace *w, double h, double t, const double *at, double *fields)
{
    lg_stage_task task = {.tableau = &w->collocation->tableau, .h = h, .t = t, .memory = at, .rates = fields};
    task.controls = collocation_controls(w);
    task.anew = collocation_refresh(w);
    return collocation_dispatch(w, &task, lg_wide_fields, lg_stages_fields);
}

int lg_collocation_eliminate(const lg_workspace *w, double *A, int n, int stride)
{
    const lg_wide *W = w->collocation->wide;
    return W ? lg_wide_eliminate(W, A, n, stride) : lg_stages_eliminate(A, n, stride);
}

/* Momenta near 0 are round-off of forces that cancel: *momentum becomes a part of the impulse of one step. 0: momenta
 * are larger. */
static int collocation_raise_momentum_scale(lg_workspace *w, double h, const lg_node *a, double *momentum)
{
    const double part = 0.01;
    const lg_plan *P = w->plan;
    double *f = w->vector, *xi = w->collocation->rates, most = 0; /* the rates that failed are no use */
    lg_raise(P, xi, a, a->p_tilde);
    if (P->potential && !lg_field_gradient(w->field, a->t, a->g, f)) most += lg_norm_max(f, P->n);
    if (P->force && !lg_field_force(w->field, a->t, a->g, xi, f)) most += lg_norm_max(f, P->n);
    most *= part * fabs(h);
    if (!(most > *momentum) || !(most > lg_norm_max(a->p_tilde, P->n))) return 0;
    *momentum = most;
    return 1;
}

int lg_collocation_solve_from(lg_workspace *w, double h, const lg_node *a, const double *rates, double span, double at)
{
    lg_collocation *o = w->collocation;
    lg_stage_task task = {.tableau = &o->tableau, .h = h, .t = a->t, .g = a->g, .p = a->p_tilde};
    task.anew = collocation_refresh(w);
    task.memory = rates && lg_tableau_leads(&o->tableau, &o->extension, at, h, span) ? rates : NULL;
    task.extension = &o->extension;
    task.controls = collocation_controls(w);
    task.momentum_scale = o->step_size.tolerance > 0 ? o->step_size.momentum_scale : 0;
    task.tolerance = w->implicit_tolerance, task.sweeps_most = w->evaluations_max;
    task.rates = o->rates;
    w->advice = 0;
    int bad = collocation_solve(w, &task);
    if (bad && task.memory && w->failure.status != LG_ERROR_CALLBACK) { /* a guess may mislead */
        task.memory = NULL;
        bad = collocation_solve(w, &task);
    }
    if (bad && w->failure.status == LG_ERROR_CONVERGENCE &&
        collocation_raise_momentum_scale(w, h, a, &task.momentum_scale))
        bad = collocation_solve(w, &task);
    o->moving = task.moving, o->defect = task.defect, o->contraction = task.contraction;
    w->sweeps = task.sweeps;
    return bad;
}

int lg_collocation_solve(lg_workspace *w, double h, double at, const lg_node *a)
{
    const lg_collocation *o = w->collocation;
    return lg_collocation_solve_from(w, h, a, o->memory, o->span, at);
}

/* to = from + h sum_j b_j r_j, with sums of even and odd stages in one vector; rounding errors are carried on. */
static inline __attribute__((always_inline)) void collocation_sum_of(int s, const double *b, double h,
                                                                     const double *rates, const double *from,
                                                                     const double *carry, double *to, double *rest,
                                                                     int count)
{
    for (int i = 0; i < count; i++) {
        const double *r = rates + i * s;
        lg_two parts = {0, 0};
        for (int j = 0; j + 1 < s; j += 2) {
            lg_two weight, rate;
            memcpy(&weight, b + j, sizeof weight), memcpy(&rate, r + j, sizeof rate);
            parts += weight * rate;
        }
        if (s % 2) parts[0] += b[s - 1] * r[s - 1];
        const double step = h * (parts[0] + parts[1]) + carry[i], sum = from[i] + step, back = sum - from[i];
        to[i] = sum;
        rest[i] = (from[i] - (sum - back)) + (step - back);
    }
}

static void collocation_sum(const lg_tableau *T, double h, const double *rates, const double *from, const double *carry,
                            double *to, double *rest, int count)
{
    if (T->s == LG_STAGES_USUAL)
        collocation_sum_of(LG_STAGES_USUAL, T->b, h, rates, from, carry, to, rest, count);
    else
        collocation_sum_of(T->s, T->b, h, rates, from, carry, to, rest, count);
}

void lg_collocation_settle(const lg_plan *P, double *g, void *work)
{
    for (int k = 0; k < P->factor_count; k++) {
        const lg_factor_plan *f = &P->factors[k];
        double *part = g + f->element_offset;
        if (f->table->settle)
            f->table->settle(f, part);
        else if (f->group->project)
            (void)f->group->project(f->group, part, part, work);
    }
}

void lg_collocation_sum(lg_workspace *w, double h, const lg_node *a, lg_node *b)
{
    const lg_plan *P = w->plan;
    const lg_collocation *o = w->collocation;
    const int e = P->element_size, s = o->tableau.s;
    collocation_sum(&o->tableau, h, o->rates, a->g, a->carry, b->g, b->carry, e);
    collocation_sum(&o->tableau, h, o->rates + e * s, a->p_tilde, a->carry + e, b->p_plus, b->carry + e, P->n);
    lg_collocation_settle(P, b->g, w->scratch);
    b->iterations = w->sweeps;
}

/* lg_collocation_inside() by a step of its own. */
static int collocation_part(lg_workspace *w, double s, lg_node *to)
{
    const lg_collocation *o = w->collocation;
    const lg_node *a = w->next;
    const double h = s * w->length;
    to->t = a->t + h;
    if (lg_collocation_solve_from(w, h, a, o->memory, o->span, 0)) {
        memcpy(to->g, a->g, sz(w->plan->element_size) * sizeof *to->g);
        return 1;
    }
    lg_collocation_sum(w, h, a, to);
    return lg_collocation_arrive(w, a, to);
}

int lg_collocation_inside(lg_workspace *w, double s, lg_node *to)
{
    lg_collocation *o = w->collocation;
    w->destination = to;
    if (o->step_size.tolerance > 0) return lg_adaptive_inside(w, w->now->t - (1 - s) * w->length, to);
    if (o->controls.degree) lg_controls_reach(&o->controls, &o->tableau, s);
    const int bad = collocation_part(w, s, to);
    if (o->controls.degree) lg_controls_reach(&o->controls, &o->tableau, 1);
    return bad;
}

/* The stages diverge: advises the largest of h/2, h/4, ... with which they converge. */
static void collocation_advise(lg_workspace *w, double h, const lg_node *a)
{
    const lg_failure failure = w->failure;
    for (int k = 0; k < 20 && w->advice == 0; k++) {
        h *= 0.5;
        if (!lg_collocation_solve_from(w, h, a, NULL, 0, 0)) w->advice = h;
    }
    w->failure = failure;
}

static int collocation_advance(lg_workspace *w, double h, const lg_node *a, const real *p0, lg_node *b)
{
    (void)p0;
    if (lg_collocation_solve(w, h, a == w->now ? w->collocation->at : 0, a)) {
        if (w->failure.status == LG_ERROR_CONVERGENCE) collocation_advise(w, h, a);
        memcpy(b->g, a->g, sz(w->plan->element_size) * sizeof *b->g);
        return 1;
    }
    lg_collocation_sum(w, h, a, b);
    lg_raise(w->plan, b->xi, a, a->p_tilde); /* until the projection */
    return 0;
}

const lg_free_step lg_free_step_collocation = {
    .name = "collocation",
    .gives = LG_CAN_CONSTRAIN | LG_CAN_POSITION,
    .needs = LG_IS_DIRECT | LG_LEAVES_GROUP,
    .wide = LG_WIDE_COLLOCATION,
    .why_not_symmetric = "the projection at its nodes is not, though the error of that is of higher order; take more "
                         "stages instead",
    .advance = collocation_advance};
