/* SPDX-License-Identifier: BSD-3-Clause */
/* The figures from the papers, and ours, by name. */
#ifndef LIEGRP_CLI_FIGURES_FIGURES_H
#define LIEGRP_CLI_FIGURES_FIGURES_H

#include "claims/framework/harness.h"
#include "cli/figures/sheet.h"
#include "cli/lib/manual.h"

typedef struct figure {
    const char *name;    /* "000-2"; NULL ends a list */
    const char *summary; /* one line: what it shows */
    const char *title;   /* above the picture */
    /* Fills the sheet; a failure becomes a measurement of the report. */
    void (*draw)(sheet *s, claim_report *r);
} figure;

/* The i-th figure, NULL beyond the last; and by its name. */
const figure *figure_at(int i);
/* Its name and summary (cli_list_at). */
cli_item figure_item(int i);
const figure *figure_find(const char *name);

extern const figure figures_planar[], figures_ball[], figures_sleigh[], figures_rolling[], figures_methods[];

#define FIGURE_PI 3.14159265358979323846

/* Shared by the drawings ------------------------------------------------------------------------------------------ */

/* A number of the current state. */
typedef double (*figure_value)(const claim_system *s, const lg_integrator *it);
double figure_time(const claim_system *s, const lg_integrator *it);
double figure_energy(const claim_system *s, const lg_integrator *it);
double figure_energy_post(const claim_system *s, const lg_integrator *it);
/* Coordinates 0 and 1 of the configuration. */
double figure_x(const claim_system *s, const lg_integrator *it);
double figure_y(const claim_system *s, const lg_integrator *it);

/* How to compute a trajectory. */
typedef struct figure_run {
    const char *method, *retraction;
    double h;
    lg_start start;
    long steps, every; /* a point every so many steps */
} figure_run;
/* A series of y against x along a trajectory from the system's initial data. */
void figure_trace(sheet *sh, claim_report *r, const claim_system *s, const figure_run *run, const char *label,
                  style_kind style, figure_value x, figure_value y);
/* A guide y = factor x^slope between two abscissas. */
void figure_power(sheet *sh, const char *label, double from, double to, double factor, double slope);

#endif
