/* SPDX-License-Identifier: BSD-3-Clause */
#include "blocks.h"

#include <stdio.h>
#include <string.h>

/* ---- instances ---- */

/* Symmetric numbers stay symmetric, zeros stay zero. */
static const double *vary(double *to, const double *from, int count, double factor)
{
    for (int i = 0; from && i < count; i++) to[i] = from[i] * factor;
    return from ? to : NULL;
}

/* Numbers of lane l: lane 0 is the system as it is. */
static void make_instance(block *b, int l, const lg_system *S, const double *g0, const double *xi0)
{
    block_numbers *o = &b->numbers[l];
    const int n = S->group->dim, m = S->constraint_count;
    double eta[SUITE_DIM], turn[SUITE_ELEMENT];
    lg_system *T = &b->S[l];
    *T = *S;
    T->inertia = vary(o->inertia, S->inertia, n * n, 1 + 0.02 * l);
    T->inertia_diagonal = vary(o->inertia, S->inertia_diagonal, n, 1 + 0.02 * l);
    T->covector_matrix = vary(o->rows, S->covector_matrix, m * n, 1 - 0.03 * l);
    T->projector_metric = vary(o->projector, S->projector_metric, n * n, 1 + 0.01 * l);
    assert_true(S->parameter_count <= BLOCK_PARAMETERS);
    for (int i = 0; i < S->parameter_count; i++)
        o->values[i] = (S->parameter_values ? S->parameter_values[i] : S->parameters[i].value) * (1 + 0.01 * l);
    if (S->parameter_count) T->parameter_values = o->values;
    for (int i = 0; i < n; i++) eta[i] = 0.01 * l * (i % 3 - 1), o->xi0[i] = xi0[i] * (1 + 0.05 * l);
    suite_ok("exp", lg_group_exp(S->group, turn, eta));
    suite_ok("compose", lg_group_compose(S->group, o->g0, g0, turn));
    if (!l) memcpy(o->g0, g0, (size_t)S->group->element_size * sizeof *g0);
}

static int start(const block *b, lg_integrator *it, int l, const double *g0, const double *xi0)
{
    return lg_integrator_start(it, b->t0[l], g0, xi0, LG_START_REACTION, 1) == LG_OK;
}

/* The scalar holds lane l's instance at its start; then the lane does. */
static void begin(block *b, int l)
{
    const block_numbers *o = &b->numbers[l];
    lg_error e = {LG_OK, ""};
    suite_ok("adopt", lg_integrator_adopt(b->scalar, &b->S[l], &e));
    if (!start(b, b->scalar, l, o->g0, o->xi0))
        suite_fail("the scalar does not start: %s", lg_integrator_message(b->scalar));
    lg_wide_put(b->W, l, b->scalar);
    b->begun[l] = b->step;
}

/* An instance that cannot be started where it was put is started where the system is. */
static int open_lane(block *b, int l, const char *method, const char *retraction, const double *g0, const double *xi0)
{
    if (lg_integrator_create(&b->alone[l], &b->S[l], method, retraction, b->h) != LG_OK) return 0;
    if (!lg_integrator_fits(b->scalar, &b->S[l])) suite_fail("lane %d is of another structure", l);
    if (!start(b, b->alone[l], l, b->numbers[l].g0, b->numbers[l].xi0)) {
        memcpy(b->numbers[l].g0, g0, sizeof b->numbers[l].g0);
        memcpy(b->numbers[l].xi0, xi0, sizeof b->numbers[l].xi0);
        if (!start(b, b->alone[l], l, g0, xi0)) return 0;
    }
    begin(b, l);
    return 1;
}

int block_open(block *b, const lg_system *S, const char *method, const char *retraction, double h, const double *g0,
               const double *xi0, int width)
{
    memset(b, 0, sizeof *b);
    b->width = width, b->h = h;
    int made = lg_integrator_create(&b->scalar, S, method, retraction, h) == LG_OK;
    const int has_form = made && lg_wide_has_form(b->scalar);
    const lg_status st = made ? lg_wide_create(&b->W, b->scalar, width) : LG_ERROR_UNSUPPORTED;
    assert_int_equal(st, has_form ? LG_OK : LG_ERROR_UNSUPPORTED);
    made = has_form;
    for (int l = 0; made && l < width; l++) {
        b->t0[l] = S->callbacks.lanes ? 0 : 0.3 * l * h;
        make_instance(b, l, S, g0, xi0);
        made = open_lane(b, l, method, retraction, g0, xi0);
    }
    if (made) return 1;
    block_close(b);
    return 0;
}

void block_close(block *b)
{
    for (int l = 0; l < b->width; l++) lg_integrator_destroy(b->alone[l]);
    lg_integrator_destroy(b->scalar);
    lg_wide_destroy(b->W);
    b->width = 0;
}

/* ---- comparison ---- */

static void same(const char *what, const double *got, const double *want, int n, int l)
{
    char text[80];
    snprintf(text, sizeof text, "%s of lane %d", what, l);
    suite_same_bits(text, got, want, n);
}

/* All that an integrator says of its state. */
static void same_reports(const lg_integrator *got, const lg_integrator *want, int l)
{
    const lg_system *S = &want->S;
    const int n = S->group->dim;
    const double scalars[2][7] = {{lg_integrator_time(got), lg_integrator_step_work(got), lg_integrator_iterations(got),
                                   lg_integrator_energy(got), lg_integrator_energy_post(got),
                                   lg_integrator_constraint_residual(got), lg_integrator_holonomic_residual(got)},
                                  {lg_integrator_time(want), lg_integrator_step_work(want),
                                   lg_integrator_iterations(want), lg_integrator_energy(want),
                                   lg_integrator_energy_post(want), lg_integrator_constraint_residual(want),
                                   lg_integrator_holonomic_residual(want)}};
    same("scalars", scalars[0], scalars[1], 7, l);
    same("g", lg_integrator_configuration(got), lg_integrator_configuration(want), S->group->element_size, l);
    same("p^+", lg_integrator_momentum_plus(got), lg_integrator_momentum_plus(want), n, l);
    same("p^-", lg_integrator_momentum_minus(got), lg_integrator_momentum_minus(want), n, l);
    same("p~", lg_integrator_momentum(got), lg_integrator_momentum(want), n, l);
    same("xi", lg_integrator_step_velocity(got), lg_integrator_step_velocity(want), n, l);
    same("multipliers", lg_integrator_holonomic_multipliers(got), lg_integrator_holonomic_multipliers(want),
         S->callbacks.holonomic_count + S->constraint_count, l);
}

static void same_between(const lg_integrator *got, const lg_integrator *want, int l)
{
    double t[2], g[2][SUITE_ELEMENT], xi[2][SUITE_DIM];
    const lg_status st = lg_integrator_interpolate(want, &t[1], g[1], xi[1], 0.3);
    assert_int_equal(lg_integrator_interpolate(got, &t[0], g[0], xi[0], 0.3), st);
    if (st != LG_OK) return;
    same("time between nodes", &t[0], &t[1], 1, l);
    same("g between nodes", g[0], g[1], want->S.group->element_size, l);
    same("velocity between nodes", xi[0], xi[1], want->S.group->dim, l);
}

/* Differences that are not known yet may be anything. */
static void same_images(block *b, int l)
{
    const lg_plan *P = &b->alone[l]->plan;
    const int state = (int)lg_state_size(P), size = (int)lg_snapshot_size(P), n = P->n, unknown = 3 + n * n;
    const int memory = P->fused ? 0 : (int)lg_history_size(P);
    const double *got = b->snapshots[0] + state, *want = b->snapshots[1] + state;
    assert_true((size_t)size <= sizeof b->snapshots[0] / sizeof(double));
    lg_snapshot_save(b->alone[l]->workspace, b->snapshots[1]);
    lg_wide_save(b->W, l, b->snapshots[0]);
    same("snapshot", b->snapshots[0], b->snapshots[1], state, l);
    for (int i = state; i < size; i += memory, got += memory, want += memory)
        same("solver's memory", got, want, unknown + (int)want[1] * (memory - unknown) / LG_HISTORY, l);
}

static void take_seat(block *b, int l)
{
    lg_wide_get(b->W, l, b->scalar);
    b->scalar->step = b->alone[l]->step, b->scalar->t0 = b->scalar->base_t = b->t0[l];
}

void block_compare(block *b)
{
    for (int l = 0; l < b->width; l++) {
        if (b->retired[l]) continue;
        take_seat(b, l);
        same_reports(b->scalar, b->alone[l], l);
        same_between(b->scalar, b->alone[l], l);
        same_images(b, l);
    }
}

/* ---- steps ---- */

/* Lane l steps in the scalar; 0: it fails as it does alone. */
static int step_apart(block *b, int l, double t1, lg_status alone)
{
    take_seat(b, l);
    if (!lg_step(b->scalar->workspace, b->h, &t1)) {
        suite_ok("lane alone", alone);
        lg_wide_put(b->W, l, b->scalar);
        return 1;
    }
    lg_error e = {LG_OK, ""};
    const lg_status st = lg_explain(b->scalar, "lg_integrator_step", &e);
    assert_int_equal(st, alone);
    assert_string_equal(e.message, lg_integrator_message(b->alone[l]));
    return 0;
}

void block_restart(block *b, int l)
{
    if (b->retired[l]) return;
    suite_ok("reset", lg_integrator_reset(b->alone[l]));
    begin(b, l);
}

void block_step(block *b)
{
    double t1[BLOCK_LANES];
    lg_status alone[BLOCK_LANES];
    int healthy = -1;
    for (int l = 0; l < b->width; l++) t1[l] = b->t0[l] + (double)(b->step - b->begun[l] + 1) * b->h;
    for (int l = 0; l < b->width; l++) alone[l] = b->retired[l] ? LG_OK : lg_integrator_step(b->alone[l]);
    const int apart = lg_wide_step(b->W, b->h, t1);
    *(apart ? &b->apart : &b->at_once) += 1;
    for (int l = 0; l < b->width; l++) {
        if (!apart) suite_ok("lane alone", alone[l]);
        if (apart && !b->retired[l] && !step_apart(b, l, t1[l], alone[l])) b->retired[l] = 1;
        if (!b->retired[l]) healthy = l;
    }
    for (int l = 0; l < b->width && healthy >= 0; l++)
        if (b->retired[l]) lg_wide_copy(b->W, l, healthy);
    if (b->step++ % 7 == 0 || apart) block_compare(b);
}
