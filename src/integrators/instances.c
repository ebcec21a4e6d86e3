/* SPDX-License-Identifier: BSD-3-Clause */
/* An integrator that the instances of an ensemble take in turn. */
#include "integrators/instances.h"

#include <string.h>

#include "integrators/integrator.h"

size_t lg_instance_size(const lg_integrator *it)
{
    return lg_snapshot_size(&it->plan);
}

void lg_instance_set_control(lg_integrator *it, const double *control)
{
    memcpy(it->control, control, sz(it->S.callbacks.control_count) * sizeof *control);
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
    if (!lg_snapshot_load(it->workspace, t, snapshot)) return LG_OK;
    return lg_explain(it, "lg_ensemble", e);
}

void lg_instance_save(const lg_integrator *it, double *snapshot)
{
    lg_snapshot_save(it->workspace, snapshot);
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
