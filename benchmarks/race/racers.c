/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "benchmarks/race/race.h"

#define OURS(name, tables, method, solvers, width, one_by_one)                                                         \
    {                                                                                                                  \
        name, RACE_OURS, tables, NULL, 0, 0, method, solvers, width, one_by_one                                        \
    }
/* `gauss` finds its own steps for a tolerance. */
#define FINDS(name, tables, method)                                                                                    \
    {                                                                                                                  \
        name, RACE_ADAPTIVE, tables, NULL, 0, 0, method, 0, 0, 0                                                       \
    }
#define THEIRS(name, kind, tables, peer, outputs)                                                                      \
    {                                                                                                                  \
        name, kind, tables, &peer, outputs, 0, NULL, 0, 0, 0                                                           \
    }
#define REDUCED(name, kind, peer)                                                                                      \
    {                                                                                                                  \
        name, kind, RACE_REDUCED, &peer, 0, 1, NULL, 0, 0, 0                                                           \
    }

/* A new method of the library is a line here. */
const race_racer race_racers[] = {
    OURS("gauss", RACE_MAIN | RACE_PROJECTED | RACE_REDUCED | RACE_WIDTHS | RACE_METHODS, "gauss", RACE_SOLVERS, 0, 0),
    FINDS("gauss, tolerance", RACE_MAIN, "gauss"),
    OURS("4 lanes", RACE_WIDTHS, "gauss", RACE_SOLVERS, 4, 0),
    OURS("1 lane", RACE_WIDTHS, "gauss", RACE_SOLVERS, 1, 0),
    OURS("callbacks one by one", RACE_WIDTHS, "gauss", RACE_SOLVERS, 0, 1),
    OURS("sem@kahan-li8", RACE_METHODS, "sem@kahan-li8", 0, 0, 0),
    OURS("gni@kahan-li8", RACE_METHODS, "gni@kahan-li8", 0, 0, 0),
    OURS("rkmk4", RACE_METHODS, "rkmk4", 0, 0, 0),
#ifdef WITH_GSL
    THEIRS("rk8pd", RACE_ADAPTIVE, RACE_MAIN | RACE_WIDTHS, peer_gsl_rk8pd, 0),
    THEIRS("rk8pd fixed", RACE_FIXED, RACE_MAIN, peer_gsl_rk8pd_fixed, 0),
    THEIRS("msadams", RACE_ADAPTIVE, RACE_MAIN, peer_gsl_msadams, 0),
#endif
#ifdef WITH_SUNDIALS
    THEIRS("CVODE", RACE_ADAPTIVE, RACE_MAIN, peer_cvode_adams, 0),
    THEIRS("ARKODE", RACE_ADAPTIVE, RACE_MAIN, peer_arkode_8, 0),
#endif
    THEIRS("DOP853", RACE_ADAPTIVE, RACE_MAIN, peer_dop853, 0),
    THEIRS("DOP853 fixed", RACE_FIXED, RACE_MAIN, peer_dop853_fixed, 0),
    THEIRS("Taylor", RACE_ADAPTIVE, RACE_MAIN, peer_taylor, 0),
#ifdef WITH_BOOST
    THEIRS("Bulirsch-Stoer", RACE_ADAPTIVE, RACE_MAIN, peer_boost_stoer, 0),
    THEIRS("Fehlberg", RACE_ADAPTIVE, RACE_MAIN, peer_boost_fehlberg, 0),
#endif
#ifdef WITH_GSL
    THEIRS("rk8pd", RACE_ADAPTIVE, RACE_PROJECTED, peer_gsl_rk8pd_projected, 0),
    THEIRS("rk8pd fixed", RACE_FIXED, RACE_PROJECTED, peer_gsl_rk8pd_fixed_projected, 0),
    THEIRS("msadams", RACE_ADAPTIVE, RACE_PROJECTED, peer_gsl_msadams, 1),
#endif
#ifdef WITH_SUNDIALS
    THEIRS("CVODE", RACE_ADAPTIVE, RACE_PROJECTED, peer_cvode_adams, 1),
    THEIRS("CVODE BDF", RACE_ADAPTIVE, RACE_PROJECTED, peer_cvode_energy, 0),
    THEIRS("ARKODE", RACE_ADAPTIVE, RACE_PROJECTED, peer_arkode_8_projected, 0),
#endif
    THEIRS("DOP853", RACE_ADAPTIVE, RACE_PROJECTED, peer_dop853_projected, 0),
    THEIRS("DOP853 fixed", RACE_FIXED, RACE_PROJECTED, peer_dop853_fixed_projected, 0),
#ifdef WITH_BOOST
    THEIRS("Bulirsch-Stoer", RACE_ADAPTIVE, RACE_PROJECTED, peer_boost_stoer, 1),
#endif
#ifdef WITH_GSL
    REDUCED("rk8pd", RACE_ADAPTIVE, peer_gsl_rk8pd),
    REDUCED("rk8pd fixed", RACE_FIXED, peer_gsl_rk8pd_fixed),
#endif
    REDUCED("DOP853", RACE_ADAPTIVE, peer_dop853),
    REDUCED("DOP853 fixed", RACE_FIXED, peer_dop853_fixed),
#ifdef WITH_BOOST
    REDUCED("Bulirsch-Stoer", RACE_ADAPTIVE, peer_boost_stoer),
#endif
};
const int race_racer_count = sizeof race_racers / sizeof race_racers[0];
_Static_assert(sizeof race_racers / sizeof race_racers[0] <= RACE_RACERS, "RACE_RACERS");

const double race_solvers[RACE_SOLVERS] = {1e-16, 1e-13, 1e-10, 1e-8, 1e-6};

struct race_car {
    const race_racer *racer;
    race_course *course;
    lg_integrator *it;
    long steps;
    void *opened;
    double H;
};

/* The library reads the width when an integrator is made. */
static void set_width(int width)
{
    char text[8];
    snprintf(text, sizeof text, "%d", width);
    if (width > 0)
        (void)setenv("LIEGRP_WIDTH", text, 1);
    else
        (void)unsetenv("LIEGRP_WIDTH");
}

static int open_ours(race_car *car, const race_racer *r, race_setting s)
{
    bench_motion *m = &car->course->motion;
    lg_system S = *m->S;
    const int finds = r->kind == RACE_ADAPTIVE;
    if (r->one_by_one) S.callbacks.lanes = LG_LANES_ONE;
    car->steps = finds ? 1 : (long)ceil(car->course->T / s.setting - 1e-9);
    set_width(r->width);
    lg_status st =
        lg_integrator_create_with(&car->it, &S, r->method, lg_retraction_exp(), car->course->T / (double)car->steps);
    set_width(0);
    if (st == LG_OK && finds) st = lg_integrator_set_tolerance(car->it, s.setting);
    if (st == LG_OK && s.solver > 0) st = lg_integrator_set_solver(car->it, s.solver, 100);
    if (st == LG_OK) st = lg_integrator_start(car->it, 0, m->y0, m->y0 + m->element, LG_START_REACTION, 1);
    return st != LG_OK;
}

static int open_theirs(race_car *car, const race_racer *r, race_setting s)
{
    const race_course *c = car->course;
    const problem_reduction *o = c->reduction;
    bench_problem p = {c->motion.label, c->data.param, c->motion.element, c->motion.dim, c->motion.y0};
    double y0[PROBLEM_STATE];
    if (r->reduced) {
        if (o == NULL) return 1;
        for (int i = 0; i < o->reduced.size; i++) y0[i] = c->motion.y0[o->place[i]];
        p = (bench_problem){o->reduced.system, c->data.param, o->reduced.velocity,
                            o->reduced.size - o->reduced.velocity, y0};
    }
    car->opened = r->peer->open(&p, s.setting);
    return car->opened == NULL;
}

race_car *race_car_open(const race_racer *r, race_course *c, race_setting s)
{
    race_car *car = calloc(1, sizeof *car);
    if (car == NULL) return NULL;
    car->racer = r, car->course = c;
    car->H = problem_energy(c->equations, &c->data, c->motion.y0);
    if ((r->peer == NULL ? open_ours(car, r, s) : open_theirs(car, r, s)) == 0) return car;
    race_car_close(car);
    return NULL;
}

int race_car_run(race_car *car, double *y)
{
    const race_course *c = car->course;
    if (car->racer->peer == NULL) {
        if (lg_integrator_reset(car->it) != LG_OK || lg_integrator_run(car->it, car->steps, 1, NULL, NULL) != LG_OK ||
            lg_integrator_velocity(car->it, y + c->motion.element) != LG_OK)
            return 1;
        memcpy(y, lg_integrator_configuration(car->it), (size_t)c->motion.element * sizeof *y);
        return 0;
    }
    if (car->racer->reduced) {
        double less[PROBLEM_STATE];
        if (car->racer->peer->run(car->opened, c->T, less, NULL, NULL)) return 1;
        c->reduction->expand(&c->reduced, less, y);
        return 0;
    }
    if (car->racer->peer->run(car->opened, c->T, y, NULL, NULL)) return 1;
    if (car->racer->outputs) {
        problem_project(c->equations, &c->data, y, NULL);
        problem_project_energy(c->equations, &c->data, y, car->H);
    }
    return 0;
}

void race_car_close(race_car *car)
{
    if (car == NULL) return;
    lg_integrator_destroy(car->it);
    if (car->opened != NULL) car->racer->peer->close(car->opened);
    free(car);
}
