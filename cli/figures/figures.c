/* SPDX-License-Identifier: BSD-3-Clause */
/* Draws the figures of the table. */
#include "cli/figures/figures.h"

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

/* Values ---------------------------------------------------------------------------------------------------------- */

/* Of a body on R^3 x SO(3), from R(q), gamma = R^T e_3, its last row, and omega; the contact of a disk is at x + R rho,
 * rho = -r (gamma_1, gamma_2, 0)/|.| with r = 1. */
static double value_of_body(figure_value v, const lg_integrator *it)
{
    const double *x = lg_integrator_configuration(it);
    double R[9], xi[6];
    if (lg_group_to_matrix(lg_so3(), R, x + 3) != LG_OK || lg_integrator_velocity(it, xi) != LG_OK) return NAN;
    const double level = hypot(R[6], R[7]), *omega = xi + 3;
    switch (v) {
    case FIGURE_CONTACT_X:
        return x[0] - (R[0] * R[6] + R[1] * R[7]) / level;
    case FIGURE_CONTACT_Y:
        return x[1] - (R[3] * R[6] + R[4] * R[7]) / level;
    case FIGURE_TILT:
        return atan2(R[8], level);
    case FIGURE_TILT_RATE:
        return (R[6] * omega[1] - R[7] * omega[0]) / level;
    default:
        return R[6] * omega[0] + R[7] * omega[1] + R[8] * omega[2];
    }
}

static double value_of(figure_value v, const lg_integrator *it)
{
    const double *x = lg_integrator_configuration(it), *p = lg_integrator_momentum(it);
    const double *plus = lg_integrator_momentum_plus(it), *xi = lg_integrator_step_velocity(it);
    switch (v) {
    case FIGURE_TIME:
        return lg_integrator_time(it);
    case FIGURE_X:
        return x[0];
    case FIGURE_Y:
        return x[1];
    case FIGURE_ENERGY:
        return lg_integrator_energy(it);
    case FIGURE_RESIDUAL:
        return lg_integrator_constraint_residual(it);
    case FIGURE_NORMAL:
        return lg_integrator_normal_part(it);
    case FIGURE_STEP_CHANGE:
        if (lg_integrator_step_index(it) == 0) return NAN;
        return (xi[0] * xi[0] + xi[1] * xi[1] + xi[2] * xi[2]) / 2 - 13.5;
    case FIGURE_CHANGE:
        return lg_integrator_energy(it) - 13.5;
    case FIGURE_BODY_TURNING:
        return p[2];
    case FIGURE_BODY_RUNNING:
        return p[0];
    case FIGURE_TURNING:
        return plus[2];
    case FIGURE_RUNNING:
        return plus[0] * cos(x[2]) + plus[1] * sin(x[2]);
    default:
        return value_of_body(v, it);
    }
}

/* Series ---------------------------------------------------------------------------------------------------------- */

void figure_trace(sheet *sh, claim_report *r, const claim_system *s, const figure_series *t)
{
    lg_integrator *it = claim_start(r, s, t->method, t->retraction, t->h, t->start);
    sheet_series(sh, t->label, t->style, SHEET_BY_LABEL);
    if (it == NULL) return;
    sheet_point(sh, value_of(t->x, it), value_of(t->y, it));
    for (long k = t->every; k <= t->steps && claim_steps(r, it, t->every); k += t->every)
        sheet_point(sh, value_of(t->x, it), value_of(t->y, it));
    lg_integrator_destroy(it);
}

void figure_power(sheet *sh, const char *label, double from, double to, double factor, double slope)
{
    sheet_series(sh, label, STYLE_GUIDE, SHEET_BY_LABEL);
    sheet_point(sh, from, factor * pow(from, slope));
    sheet_point(sh, to, factor * pow(to, slope));
}

void figure_ellipse(sheet *sh, double x, double y, double a, double b, int sides)
{
    for (int k = 0; k <= sides; k++) {
        const double angle = k * FIGURE_PI / (sides / 2);
        sheet_point(sh, x + a * cos(angle), y + b * sin(angle));
    }
}

static void draw_panel(sheet *sh, claim_report *r, claim_system *s, const figure_panel *p)
{
    sheet_panel(sh, p->title, p->x, p->y, p->flags);
    if (p->low < p->high) sheet_limits(sh, 'y', p->low, p->high);
    for (int i = 0; p->backward && i < s->n; i++) s->xi0[i] = -s->xi0[i];
    for (const figure_series *t = p->series; t->method != NULL; t++) figure_trace(sh, r, s, t);
    if (p->draw != NULL) p->draw(sh, r, s);
}

sheet *figure_draw(const figure *f, claim_report *r, sheet_watcher see, void *context)
{
    sheet *sh = sheet_begin(1);
    claim_system s;
    double speed = 0;
    if (sh != NULL) sheet_watch(sh, see, context);
    if (sh == NULL || (f->system != NULL && !claim_open(r, &s, f->system, f->settings))) return sh;
    for (int i = 0; i < 5; i++) speed += fabs(f->velocity[i]);
    if (speed > 0) memcpy(s.xi0, f->velocity, (size_t)s.n * sizeof *s.xi0);
    if (f->draw != NULL) f->draw(sh, r, &s);
    for (const figure_panel *p = f->panels; p->title != NULL; p++) draw_panel(sh, r, &s, p);
    if (f->system != NULL) claim_close(&s);
    return sh;
}
