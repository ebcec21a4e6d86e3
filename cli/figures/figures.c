/* SPDX-License-Identifier: BSD-3-Clause */
/* The list of figures, and what the drawings share. */
#include "cli/figures/figures.h"

static const figure *const lists[] = {figures_planar, figures_ball, figures_sleigh, figures_rolling, figures_methods};

const figure *figure_at(int i)
{
    for (size_t l = 0; i >= 0 && l < sizeof lists / sizeof lists[0]; l++)
        for (const figure *f = lists[l]; f->name != NULL; f++)
            if (i-- == 0) return f;
    return NULL;
}

cli_item figure_item(int i)
{
    const figure *f = figure_at(i);
    return f != NULL ? (cli_item){f->name, f->summary} : (cli_item){NULL, NULL};
}

const figure *figure_find(const char *name)
{
    const figure *f;
    for (int i = 0; (f = figure_at(i)) != NULL; i++)
        if (strcmp(f->name, name) == 0) return f;
    return NULL;
}

double figure_time(const claim_system *s, const lg_integrator *it)
{
    (void)s;
    return lg_integrator_time(it);
}

double figure_energy(const claim_system *s, const lg_integrator *it)
{
    (void)s;
    return lg_integrator_energy(it);
}

double figure_energy_post(const claim_system *s, const lg_integrator *it)
{
    (void)s;
    return lg_integrator_energy_post(it);
}

double figure_x(const claim_system *s, const lg_integrator *it)
{
    (void)s;
    return lg_integrator_configuration(it)[0];
}

double figure_y(const claim_system *s, const lg_integrator *it)
{
    (void)s;
    return lg_integrator_configuration(it)[1];
}

void figure_trace(sheet *sh, claim_report *r, const claim_system *s, const figure_run *run, const char *label,
                  style_kind style, figure_value x, figure_value y)
{
    lg_integrator *it = claim_start(r, s, run->method, run->retraction, run->h, run->start);
    sheet_series(sh, label, style);
    if (it == NULL) return;
    sheet_point(sh, x(s, it), y(s, it));
    for (long k = run->every; k <= run->steps && claim_steps(r, it, run->every); k += run->every)
        sheet_point(sh, x(s, it), y(s, it));
    lg_integrator_destroy(it);
}

void figure_power(sheet *sh, const char *label, double from, double to, double factor, double slope)
{
    sheet_series(sh, label, STYLE_GUIDE);
    sheet_point(sh, from, factor * pow(from, slope));
    sheet_point(sh, to, factor * pow(to, slope));
}
