/* SPDX-License-Identifier: BSD-3-Clause */
/** @file monitor.h
 *  What should hold along a trajectory, watched while it runs: energy, invariants, residuals, the parasitic mode.
 *
 *  A monitor samples every K-th state. Making one takes all memory; observing allocates nothing, prints nothing and
 *  cannot fail, so that a run never ends because it is watched: what cannot be evaluated becomes NaN. A monitor belongs
 *  to one thread at a time. What happens between the samples is not seen: "largest" means largest over the samples. */
#ifndef LIEGRP_RUN_MONITOR_H
#define LIEGRP_RUN_MONITOR_H

#include "../integrators/integrator.h"
#include "model.h"

LG_BEGIN

/** A monitor: opaque. */
typedef struct lg_monitor lg_monitor;

/** A quantity that the true motion keeps constant, in its own unit; all NaN before the first sample, and where one of
 *  the samples was NaN. */
typedef struct lg_monitor_quantity {
    const char *name; /**< "energy", or the invariant's name */
    double first;     /**< at the first sample */
    double low;       /**< least value */
    double high;      /**< largest value */
    double deviation; /**< largest |value - first| */
    double slope;     /**< drift per unit of time, as lg_trend_slope(); NaN for fewer than 2 samples */
    double half;      /**< half width of the slope's 95 % confidence interval; NaN for fewer than 8 samples */
} lg_monitor_quantity;

/** What a monitor has seen; start from lg_monitor_figures_default(). */
typedef struct lg_monitor_figures {
    size_t size;                  /**< sizeof(lg_monitor_figures), set by lg_monitor_figures_default() */
    int64_t every;                /**< K */
    int64_t samples;              /**< states sampled */
    double time_first;            /**< t of the first sample; NaN if there is none */
    double time_last;             /**< t of the last one */
    lg_monitor_quantity energy;   /**< H(p~) */
    double energy_post_deviation; /**< largest |H(p^-) - H(p^-)_0|; NaN: only for the GNI */
    double work;              /**< sum of lg_integrator_step_work() from the first sample to the last, of all steps that
                               * were shown to lg_monitor_observe(); NaN: only for `sem` */
    double balance;           /**< largest |H(p~) - H(p~)_0 - work until then|; NaN likewise */
    int invariants;           /**< number of invariants, lg_monitor_invariant() */
    double constraint;        /**< largest |A (xi - Y)| as lg_integrator_constraint_residual(); 0 without constraints */
    double holonomic;         /**< largest |phi|; NaN without holonomic constraints */
    double group;             /**< largest distance from the group, lg_group_residual() */
    double momentum;          /**< largest relative residual of the momentum equation, see below; NaN: none is known */
    int64_t momentum_samples; /**< samples at which it could be evaluated */
    double normal;            /**< largest |p^- - p~| (metric J^-1); NaN: only for the GNI with velocity rows */
    double normal_first;      /**< largest in the first tenth of the samples; NaN likewise */
    double normal_last;       /**< and in the last tenth */
    double growth;            /**< growth rate of the normal part, 1/time: least-squares slope of the logarithm of its
                               * largest values in up to 400 blocks; NaN: no normal part, or fewer than 8 blocks */
    double growth_half;       /**< half width of its 95 % confidence interval */
    double growth_predicted;  /**< mean of what lg_monitor_predict() found, 1/time; NaN: nothing */
    int64_t growth_predictions; /**< how many rates that is the mean of */
} lg_monitor_figures;

/** lg_monitor_figures_default() of figures of `size` bytes. */
LG_API void lg_monitor_figures_init(lg_monitor_figures *figures, size_t size);
/** No figures yet, for lg_monitor_read() to fill. */
static inline lg_monitor_figures lg_monitor_figures_default(void)
{
    lg_monitor_figures figures;
    lg_monitor_figures_init(&figures, sizeof figures);
    return figures;
}

/** Makes a monitor for runs of `it`, started or not, of about `steps` steps (0: not known). K = `every`, or for 0 as
 *  many steps as give 500 to 1000 samples: 1 up to 1000 steps; 1 also if `steps` is 0. M supplies the invariants;
 * NULL: none. Both must outlive the monitor's last observation, and what M's definition points to the monitor. Where
 * a run has 1e5 steps or more, the K of 0 costs less than 5 % of it (benchmarks/monitors.c). LG_ERROR_ARGUMENT: `m` or
 * `it` is NULL, `it` or M was never made, M is not on the group of `it`, steps < 0, every < 0; LG_ERROR_MEMORY. Then
 * *m is NULL. */
LG_API LG_MUST_CHECK lg_status lg_monitor_create(lg_monitor **m, const lg_model *M, const lg_integrator *it,
                                                 int64_t steps, int64_t every);
/** Frees it; NULL is left alone. */
LG_API void lg_monitor_destroy(lg_monitor *m);
/** Bytes that it takes. */
LG_API size_t lg_monitor_bytes(const lg_monitor *m);
/** Looks at the present state: the first time that it is called, and at every K-th call after that; else it only
 *  counts and adds up the work. Call it at the start and after every step. Integrators of another system or method are
 * not looked at, nor are those that are not started; NULL is left alone. */
LG_API void lg_monitor_observe(lg_monitor *m, const lg_integrator *it);
/** The same as an observer of lg_integrator_run(), context = the monitor; returns 0. */
LG_API int lg_monitor_observer(const lg_integrator *it, void *m);
/** Adds the growth rate of the parasitic mode that the linearisation at the present state predicts,
 * lg_diagnostics_parasitic_growth(), to the mean of lg_monitor_figures::growth_predicted. It costs some hundred steps
 * and allocates; where the method has no such mode it does nothing. Statuses of lg_diagnostics_parasitic_growth(). */
LG_API LG_MUST_CHECK lg_status lg_monitor_predict(lg_monitor *m, const lg_integrator *it);
/** What has been seen so far. LG_ERROR_ARGUMENT: a pointer is NULL, `size` is not set (lg_monitor_figures_default()).
 *
 *  The momentum equation of a step is that p^+ at its end is p^- at its beginning, reactions and impulses of potential,
 *  metric and forces added on the way, transported. Its residual is evaluated at the node that was left,
 *  r = P*[Ad*_{W^-1} p^+_{k+1} - p^-_k - h sum_i w_i Ad*_{U_i^-1} f_i], W = g_k^-1 g_{k+1}, U_i = g_k^-1 g(s_i), with
 *  the method's own points and weights (docs/theory.md sections 3, 6, 7): P* takes off the span of the rows at g_k,
 *  where all reactions lie. The figure is |r| / max(|p^-|, |p^+|) in the metric J^-1; on SE(2) and SE(3) its round-off
 *  grows like the distance from the origin. It is not small where a truncated series stands in for the retraction's
 *  tangent: that step does not transport the momentum. NaN for holonomic constraints, compositions, `sml`, the option
 *  `user`, `sem:gonzalez` with a potential, and baselines. Steps that are not of the full length (events), and with
 *  points inside those that turn by more than 3 rad, are left out. */
LG_API LG_MUST_CHECK lg_status lg_monitor_read(const lg_monitor *m, lg_monitor_figures *f);
/** Invariant i. LG_ERROR_ARGUMENT: a pointer is NULL, there is no invariant i. */
LG_API LG_MUST_CHECK lg_status lg_monitor_invariant(const lg_monitor *m, lg_monitor_quantity *q, int i);

LG_END

#endif
