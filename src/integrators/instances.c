/* SPDX-License-Identifier: BSD-3-Clause */
/* An integrator that the instances of an ensemble use in turn. */
#include "integrators/instances.h"

#include <stdint.h>
#include <string.h>

#include "integrators/collocation/collocation.h"
#include "integrators/integrator.h"

/* With a tolerance an instance is between two internal nodes; its position follows its snapshot. Returns the bytes. */
static size_t instance_list(const lg_integrator *it, void *at, int reads)
{
    lg_tape t = {.at = at, .reads = reads};
    if (lg_integrator_tolerance(it) > 0) lg_collocation_list(it->workspace, &t);
    return t.used;
}

size_t lg_instance_size(const lg_integrator *it)
{
    return lg_snapshot_size(&it->plan) + (instance_list(it, NULL, 0) + sizeof(double) - 1) / sizeof(double);
}

void lg_instance_set_control(lg_integrator *it, const double *control)
{
    memcpy(it->control, control, sz(it->S.callbacks.control_count) * sizeof *control);
}

int lg_instance_feels_control(const lg_integrator *it)
{
    return lg_instance_is_prescribed(it) || (it->plan.nonholonomic && it->plan.method.rule->state == LG_STATE_P_MINUS);
}

int lg_instance_is_prescribed(const lg_integrator *it)
{
    return it->S.callbacks.control_count && it->plan.m == it->plan.n;
}

void lg_instance_set_clock(lg_integrator *it, double t0, int64_t step)
{
    it->started = 1;
    it->step = step;
    it->t0 = it->base_t = t0;
    it->base_step = 0;
}

lg_status lg_instance_load(lg_integrator *it, const double *control, double t0, int64_t step, double t,
                           const double *snapshot, lg_error *e)
{
    lg_instance_set_control(it, control);
    lg_instance_set_clock(it, t0, step);
    lg_error_clear(&it->error);
    if (lg_snapshot_load(it->workspace, t, snapshot)) return lg_explain(it, "lg_ensemble", e);
    (void)instance_list(it, (void *)(uintptr_t)(snapshot + lg_snapshot_size(&it->plan)), 1);
    return LG_OK;
}

void lg_instance_save(const lg_integrator *it, double *snapshot)
{
    lg_snapshot_save(it->workspace, snapshot);
    (void)instance_list(it, snapshot + lg_snapshot_size(&it->plan), 0);
}

void lg_instance_set_first(lg_integrator *it)
{
    lg_integrator_set_first(it);
}

int lg_instance_step(lg_integrator *it, const char *function, lg_error *e)
{
    const double t1 = lg_next_time(it);
    it->busy = 1;
    const int bad = lg_step(it->workspace, it->h, &t1);
    if (bad) (void)lg_explain(it, function, e);
    it->busy = 0;
    if (!bad) it->step++;
    return bad;
}
