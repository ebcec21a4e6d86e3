/* SPDX-License-Identifier: BSD-3-Clause */
/** @file monitor.h
 *  Watches along a trajectory what should hold: energy, invariants, residuals, the parasitic mode.
 *
 *  A monitor samples every K-th state. Creating it takes all memory. Observing allocates nothing, prints nothing and
 *  cannot fail, so a run never ends because it is watched: a value that cannot be evaluated becomes NaN. A monitor
 *  belongs to one thread at a time. It does not see what happens between the samples: "largest" means largest over the
 *  samples.
 *
 *  Momenta: p^+ arrives at a node, p^- leaves it after the reactions have acted, p~ is the momentum at the node that
 *  satisfies the constraints; W = g_k^-1 g_{k+1} is the increment of a step (docs/conventions.md). */
#ifndef LIEGRP_RUN_MONITOR_H
#define LIEGRP_RUN_MONITOR_H

#include "motion.h"

LG_BEGIN

/** A monitor: opaque. */
typedef struct lg_monitor lg_monitor;

/** A quantity that the true motion keeps constant, in its own unit. All values are NaN before the first sample, and
 *  after a sample that was NaN. */
typedef struct lg_monitor_quantity {
    const char *name; /**< "energy", or the name of the invariant */
    double first;     /**< value at the first sample */
    double low;       /**< smallest value */
    double high;      /**< largest value */
    double deviation; /**< largest |value - first| */
    double slope;     /**< drift per unit of time, by lg_trend_slope(); NaN for fewer than 2 samples */
    double half;      /**< half width of the slope's 95 % confidence interval; NaN for fewer than 8 samples */
} lg_monitor_quantity;

/** The figures of a monitor; start from lg_monitor_figures_default(). */
typedef struct lg_monitor_figures {
    size_t size;                  /**< sizeof(lg_monitor_figures), set by lg_monitor_figures_default() */
    int64_t every;                /**< K, the sampling interval in steps */
    int64_t samples;              /**< number of states sampled */
    double time_first;            /**< t of the first sample; NaN before it */
    double time_last;             /**< t of the last sample */
    lg_monitor_quantity energy;   /**< H(p~) */
    double energy_post_deviation; /**< largest |H(p^-) - H(p^-)_0| for the GNI; else NaN */
    double work;              /**< by which the sum of lg_motion_account() changed from the first sample to the last, in
                               *   all steps that lg_monitor_observe() saw; NaN where lg_motion_work() is */
    double balance;           /**< largest |H(p~) - H(p~)_0 - work up to then|; NaN where the work is */
    int invariants;           /**< number of invariants, see lg_monitor_invariant() */
    double constraint;        /**< largest |A (xi - Y)|, by lg_integrator_constraint_residual(); 0 without
                               *   constraints */
    double holonomic;         /**< largest |phi|; NaN without holonomic constraints */
    double group;             /**< largest distance from the group, by lg_group_residual() */
    double momentum;          /**< largest relative residual of the momentum equation, see lg_monitor_read(); NaN where
                               *   none is known */
    int64_t momentum_samples; /**< number of samples at which it could be evaluated */
    double normal;            /**< largest |p^- - p~| (metric J^-1) for the GNI with velocity constraints; else NaN */
    double normal_first;      /**< largest in the first tenth of the samples; else NaN */
    double normal_last;       /**< the same in the last tenth */
    double growth;            /**< growth rate of the normal part, 1/time: least-squares slope of the logarithm of its
                               *   largest values in up to 400 blocks; NaN without a normal part or with fewer than 8
                               *   blocks */
    double growth_half;       /**< half width of its 95 % confidence interval */
    double growth_predicted;  /**< mean of the rates that lg_monitor_predict() found, 1/time; NaN before the first
                                 prediction */
    int64_t growth_predictions; /**< number of rates in that mean */
} lg_monitor_figures;

/** Initialises figures of `size` bytes; see lg_monitor_figures_default(). */
LG_API void lg_monitor_figures_init(lg_monitor_figures *figures, size_t size);
/** Empty figures for lg_monitor_read() to fill. */
static inline lg_monitor_figures lg_monitor_figures_default(void)
{
    lg_monitor_figures figures;
    lg_monitor_figures_init(&figures, sizeof figures);
    return figures;
}

/** Creates a monitor for runs of `mo`, started or not, of about `steps` steps (0: unknown). K = `every`. If `every` is
 *  0, K is chosen to give 500 to 1000 samples: 1 up to 1000 steps, and 1 if `steps` is 0. In a run of 1e5 steps or more
 *  that K costs less than 5 % of the run (benchmarks/monitors.c). The invariants are those of the motion's model. On
 *  failure *m is NULL.
 *  - LG_ERROR_ARGUMENT: `m` or `mo` is NULL, the creation of `mo` failed, steps < 0, or every < 0.
 *  - LG_ERROR_MEMORY: out of memory. */
LG_API LG_MUST_CHECK lg_status lg_monitor_create(lg_monitor **m, const lg_motion *mo, int64_t steps, int64_t every);
/** Frees the object. NULL is allowed. */
LG_API void lg_monitor_destroy(lg_monitor *m);
/** Memory of the object in bytes. */
LG_API size_t lg_monitor_bytes(const lg_monitor *m);
/** Looks at the present state on the first call and on every K-th call after that. Other calls only count and add up
 *  the work. Call it at the start and after every step. Motions of another model or method, motions that are not
 *  started, and NULL are ignored. */
LG_API void lg_monitor_observe(lg_monitor *m, const lg_motion *mo);
/** Adds one rate to the mean lg_monitor_figures::growth_predicted: the growth rate of the parasitic mode that the
 *  linearisation at the present state predicts, lg_diagnostics_parasitic_growth(). It costs some hundred steps and
 *  allocates. It does nothing for a method without such a mode. Errors are those of
 *  lg_diagnostics_parasitic_growth(). */
LG_API LG_MUST_CHECK lg_status lg_monitor_predict(lg_monitor *m, const lg_motion *mo);
/** Fills the figures with what has been seen so far.
 *
 *  The momentum equation of a step says that p^+ at its end is p^- at its beginning plus the impulses of reactions,
 *  potential, metric and forces on the way, transported. Its residual is evaluated at the node that the step left, r =
 *  P*[Ad*_{W^-1} p^+_{k+1} - p^-_k - h sum_i w_i Ad*_{U_i^-1} f_i] with U_i = g_k^-1 g(s_i) and the method's own points
 *  and weights (docs/theory.md sections 3, 6, 7). P* removes the span of the rows at g_k, which contains all reactions.
 *  The figure is |r| / max(|p^-|, |p^+|) in the metric J^-1. On SE(2) and SE(3) its round-off grows with the distance
 *  from the origin. It is not small where the retraction's tangent is a truncated series, because such a step does not
 *  transport the momentum. It is NaN for holonomic constraints, compositions, `sml`, the option `user`, `sem:gonzalez`
 *  with a potential, and baselines. It leaves out steps that do not have the full length (events), and steps with
 *  interior points that turn by more than 3 rad.
 *  - LG_ERROR_ARGUMENT: a pointer is NULL, or `size` is not set (lg_monitor_figures_default()). */
LG_API LG_MUST_CHECK lg_status lg_monitor_read(const lg_monitor *m, lg_monitor_figures *f);
/** *q = what has been seen of invariant i.
 *  - LG_ERROR_ARGUMENT: a pointer is NULL, or there is no invariant i. */
LG_API LG_MUST_CHECK lg_status lg_monitor_invariant(const lg_monitor *m, lg_monitor_quantity *q, int i);

LG_END

#endif
