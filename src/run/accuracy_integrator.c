/* SPDX-License-Identifier: BSD-3-Clause */
/* What an accuracy asks of an integrator. */
#include <math.h>
#include <string.h>

#include "integrators/integrator.h"
#include "run/accuracy.h"
#include "run/begin.h"

static lg_status integrator_begin(void **it, const void *source, double h)
{
    const lg_model_source *s = source;
    lg_integrator *own = NULL;
    lg_error e = {LG_OK, ""};
    const lg_status status = lg_run_begin(&own, s->M, s->o, h, &e);
    *it = own;
    return status;
}

static lg_status integrator_clone(void **copy, const void *it)
{
    lg_integrator *own = NULL;
    const lg_status status = lg_integrator_clone(&own, it);
    *copy = own;
    return status;
}

static void integrator_destroy(void *it)
{
    lg_integrator_destroy(it);
}

static lg_status integrator_follow(void *it, const void *other)
{
    return lg_integrator_follow(it, other);
}

static lg_status integrator_step(void *it)
{
    return lg_integrator_step(it);
}

static lg_status integrator_set_control(void *it, const double *u)
{
    return lg_integrator_set_control(it, u);
}

static double integrator_step_size(const void *it)
{
    return lg_integrator_step_size(it);
}

static double integrator_time(const void *it)
{
    return lg_integrator_time(it);
}

static int integrator_iterations(const void *it)
{
    return lg_integrator_iterations(it);
}

static int integrator_order(const void *it)
{
    return lg_integrator_order(it);
}

static size_t integrator_size(const void *it)
{
    return (size_t)lg_integrator_group(it)->element_size;
}

static void integrator_configuration(double *g, const void *it)
{
    memcpy(g, lg_integrator_configuration(it), integrator_size(it) * sizeof *g);
}

static lg_apart integrator_apart(const void *it, const double *a, const double *b)
{
    return lg_configurations_apart(lg_integrator_group(it), a, b);
}

static double integrator_velocities(const void *a, const void *b, double *speed)
{
    return lg_velocities_apart(a, b, speed);
}

static double integrator_repeat(lg_resolution *r, const void *it, void *before)
{
    return lg_resolution_add(r, it, before);
}

static int integrator_controlled(const void *it)
{
    return lg_integrator_tolerance(it) > 0;
}

/* As far as numbers go: below what may be asked for, round-off is all that is left. */
static void integrator_tighten(void *it)
{
    const lg_integrator *own = it;
    lg_adaptive_set(own->workspace, fmax(1e-3 * lg_integrator_tolerance(own), 1e-16));
}

const lg_mover_kind lg_mover_integrator = {
    .begin = integrator_begin,
    .clone = integrator_clone,
    .destroy = integrator_destroy,
    .follow = integrator_follow,
    .step = integrator_step,
    .set_control = integrator_set_control,
    .step_size = integrator_step_size,
    .time = integrator_time,
    .iterations = integrator_iterations,
    .order = integrator_order,
    .size = integrator_size,
    .configuration = integrator_configuration,
    .apart = integrator_apart,
    .velocities = integrator_velocities,
    .repeat = integrator_repeat,
    .controlled = integrator_controlled,
    .tighten = integrator_tighten,
};
