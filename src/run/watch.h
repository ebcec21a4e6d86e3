/* SPDX-License-Identifier: BSD-3-Clause */
/* Watching a run: figures of the states that are shown, in constant memory. There is one rule for all of them: a NaN
 * stays, so that it is seen. What lg_run() returns, a monitor's figures and those of an ensemble's instances are views
 * of this. */
#ifndef LG_RUN_WATCH_H
#define LG_RUN_WATCH_H

#include <liegrp/run/ensemble.h>
#include <liegrp/run/monitor.h>
#include <liegrp/run/trend.h>

#include "base/tape.h"

/* Most blocks in which largest values are kept; when they are full, each two become one. */
#define LG_PEAK_BLOCKS 400

/* ---- extremes: all that is kept of an instance of an ensemble ---- */

/* The first state. */
void lg_extremes_begin(lg_ensemble_figures *x, double energy, double constraint);
/* One state more. */
void lg_extremes_add(lg_ensemble_figures *x, double energy, double constraint);

/* ---- peaks: the largest values of a series, by parts of it ---- */

typedef struct lg_peak {
    double begin, end; /* t */
    double largest;
} lg_peak;

/* Values in the order of t. So the first and the last tenth are known wherever the series ends. */
typedef struct lg_peaks {
    lg_peak block[LG_PEAK_BLOCKS]; /* `complete` of them, then the one that is being filled */
    int complete;
    int64_t width, filled; /* values in a block, and in that one */
} lg_peaks;

void lg_peaks_begin(lg_peaks *s);
void lg_peaks_add(lg_peaks *s, double t, double x);
/* The largest value in the first tenth of the blocks, and in the last; NaN without values. */
double lg_peaks_first(const lg_peaks *s);
double lg_peaks_last(const lg_peaks *s);
/* Slope of log(largest value) over complete blocks, with the half width of its interval as lg_trend_slope(). */
double lg_peaks_growth(const lg_peaks *s, double *half);

/* ---- the watch ---- */

/* Quantities of a state, by the functions lg_integrator_... of the same names. */
typedef struct lg_observation {
    double t;
    double energy;      /* H(p~) */
    double energy_post; /* H(p^-); NaN but for the GNI */
    double constraint;  /* |A (xi - Y)| */
    double holonomic;   /* |phi|; 0 without holonomic constraints */
    double normal;      /* |p^- - p~|; NaN but for the GNI */
} lg_observation;

lg_observation lg_observe(const lg_integrator *it);

typedef struct lg_watch {
    int64_t count; /* states */
    double time_first, time_last;
    lg_ensemble_figures extremes;
    lg_trend energy;
    double post_first, post; /* H(p^-) of the first state, and the largest |H(p^-) - post_first| */
    double holonomic;        /* largest */
    double work, balance;    /* sum, and the largest |H(p~) - H(p~)_0 - work until then| */
    double normal;           /* largest; NaN but for the GNI */
    int has_normal;          /* 1: the first state had a normal part */
    lg_peaks peaks;          /* of the normal part */
} lg_watch;

void lg_watch_begin(lg_watch *w);
/* One state; `work` is what was done since the last one, 0 for the first. */
void lg_watch_add(lg_watch *w, const lg_observation *s, double work);

/* For checkpoints. */
void lg_watch_list(lg_tape *t, lg_watch *w);
void lg_trend_list(lg_tape *t, lg_trend *s);

/* A NaN, or the larger. */
double lg_watch_larger(double a, double b);

/* ---- monitor.c ---- */

/* lg_monitor_observe() of a state that has been seen. */
void lg_monitor_observe_state(lg_monitor *m, const lg_motion *mo, const lg_observation *s);
/* For the checkpoint of a run of `mo`. */
void lg_monitor_list(lg_tape *t, lg_monitor *m, const lg_motion *mo);
/* A monitor of integrators that are no motion's, with the invariants of M (NULL: none); and what observes one, for
 * lg_integrator_run(), the state at the start too. Returns 0. */
lg_status lg_monitor_create_for(lg_monitor **m, const lg_model *M, const lg_integrator *it, int64_t steps,
                                int64_t every);
int lg_monitor_observer(const lg_integrator *it, void *monitor);

#endif
