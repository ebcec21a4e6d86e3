/* SPDX-License-Identifier: BSD-3-Clause */
/* The table of all figures: each has a system, and panels of series along its trajectories. */
#ifndef LIEGRP_CLI_FIGURES_FIGURES_H
#define LIEGRP_CLI_FIGURES_FIGURES_H

#include "claims/framework/harness.h"
#include "cli/lib/manual.h"
#include "cli/lib/sheet.h"

/* A number of an integrator's current state. */
typedef enum figure_value {
    FIGURE_TIME,
    FIGURE_X, /* coordinates 0 and 1 of the configuration */
    FIGURE_Y,
    FIGURE_ENERGY,
    FIGURE_RESIDUAL,     /* of the continuous constraints; of DLA that of its discrete ones, which takes its place */
    FIGURE_NORMAL,       /* part of p^- */
    FIGURE_STEP_CHANGE,  /* of the energy of the step's velocity of the particle, here that of p^- for the GNI */
    FIGURE_CHANGE,       /* of the energy of the particle */
    FIGURE_BODY_TURNING, /* momenta of the sleigh on SE(2), about the contact and along the blade */
    FIGURE_BODY_RUNNING,
    FIGURE_TURNING, /* of the planar sleigh: the nonholonomic momentum, [P3] (9) */
    FIGURE_RUNNING,
    FIGURE_CONTACT_X, /* contact of the disk */
    FIGURE_CONTACT_Y,
    FIGURE_TILT, /* angle between the disk's plane and the vertical, and its rate */
    FIGURE_TILT_RATE,
    FIGURE_SPIN /* about the vertical, gamma . Omega */
} figure_value;

/* A trajectory from the system's initial data, as a curve of y over x. */
typedef struct figure_series {
    const char *label;
    style_kind style;
    const char *method, *retraction; /* method NULL ends a list */
    double h;
    long steps, every; /* steps between points */
    figure_value x, y;
    lg_start start;
} figure_series;

typedef struct figure_panel {
    const char *title, *x, *y; /* title NULL ends a list */
    int flags, backward;       /* 1: against the initial velocity */
    double low, high;          /* limits of y; 0, 0: none */
    figure_series series[5];
    void (*draw)(sheet *sh, claim_report *r, claim_system *s); /* more series; NULL: none */
} figure_panel;

typedef struct figure {
    const char *name;    /* "000-2" */
    const char *summary; /* one line: its contents */
    const char *title, *caption;
    const char *system, *settings;                             /* NULL: none, its defaults */
    double velocity[5];                                        /* all 0: the system's own */
    void (*draw)(sheet *sh, claim_report *r, claim_system *s); /* further panels, first; NULL: none */
    figure_panel panels[3];
} figure;

/* The i-th figure, NULL beyond the last; and by its name. */
const figure *figure_at(int i);
/* Its name and summary (cli_list_at). */
cli_item figure_item(int i);
const figure *figure_find(const char *name);
/* Draws it on a sheet; a failure becomes a measurement of the report; `see` is for sheet_watch(), NULL: none. NULL: out of
 * memory. */
sheet *figure_draw(const figure *f, claim_report *r, sheet_watcher see, void *context);

#define FIGURE_PI 3.14159265358979323846

/* Shared by the drawings. */
void figure_trace(sheet *sh, claim_report *r, const claim_system *s, const figure_series *series);
/* A guide y = factor x^slope between two abscissas. */
void figure_power(sheet *sh, const char *label, double from, double to, double factor, double slope);
/* Points of an ellipse about (x, y) with these half-axes, in the current series; an even number of sides. */
void figure_ellipse(sheet *sh, double x, double y, double a, double b, int sides);
/* The ball: its errors and its orbit, [P2] (ball.c); the others of methods.c. */
void figure_homogeneous(sheet *sh, claim_report *r, claim_system *s);
void figure_inhomogeneous(sheet *sh, claim_report *r, claim_system *s);
void figure_ball(sheet *sh, claim_report *r, claim_system *s);
void figure_orbit(sheet *sh, claim_report *r, claim_system *s);
void figure_survival(sheet *sh, claim_report *r, claim_system *s);
void figure_retractions(sheet *sh, claim_report *r, claim_system *s);

#endif
