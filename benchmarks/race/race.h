/* SPDX-License-Identifier: BSD-3-Clause */
/* The race of trajectories: what it costs to have the state at a time T to a given error, for methods of the library
 * and for other integrators.
 *   systems.c  what is raced, its start, its true end, the error of an end
 *   ends.c     the true ends, which truth.c computes in quadruple precision
 *   quad.c     the equations in quadruple precision
 *   check.c    are the right-hand sides those of the library's systems?
 *   racers.c   who races, and one run of each
 *   ladder.c   all steps and tolerances of a racer; what it costs to reach an error
 *   tables.c   the report */
#ifndef BENCHMARKS_RACE_H
#define BENCHMARKS_RACE_H

#include "benchmarks/peers.h"
#include "benchmarks/problems.h"
#include "benchmarks/suite/bench.h"
#include "benchmarks/suite/motion.h"

enum { RACE_SYSTEMS = 7, RACE_TIMES = 3, RACE_ERRORS = 4 };

/* Systems ---------------------------------------------------------------------------------------------------------- */

/* A system of the catalog with its defaults and one parameter that differs (NULL: none), and where it was at the start
 * and will be: y = (g, xi). */
typedef struct race_system {
    const char *name, *parameter;
    double value;
    double finest; /* the step of truth.c */
} race_system;

/* The true end at T. */
typedef struct race_end {
    const char *system;
    double T, uncertain; /* how far the two computations of it differ */
    double start[PROBLEM_STATE], end[PROBLEM_STATE];
} race_end;

extern const race_system race_systems[RACE_SYSTEMS];
extern const double race_times[RACE_TIMES], race_errors[RACE_ERRORS];
extern const race_end race_ends[];
extern const int race_end_count;

/* A system, open. */
typedef struct race_course {
    bench_motion motion;
    const problem *equations;
    problem_data data;
    const problem_reduction *reduction; /* NULL: none */
    problem_data reduced;
    const race_end *truth; /* of the present T */
    double T;
} race_course;

/* Opens the system and checks its right-hand side; nonzero: failure, with the reason in motion.message. Close it all
 * the same. */
int race_open(race_course *c, const race_system *system);
void race_close(race_course *c);
/* Sets T; nonzero: its true end is unknown, or belongs to another start. */
int race_set_time(race_course *c, double T);
/* The largest difference to the true end, over the stored numbers of g, with the sign of the quaternion that fits
 * better and angles modulo 2 pi, and the body velocity. */
double race_error(const race_course *c, const double *y);
/* Compares the equations, and the reduced ones, with the accelerations of the library's system at states of a motion;
 * the largest difference relative to the largest number, or NaN if the library fails. */
double race_check(race_course *c);
/* race_check() of the Taylor peer's series against the equations; NaN: it has none for the system. */
double race_check_series(race_course *c);

/* The larger one; NaN if one is. */
static inline double race_larger(double a, double b)
{
    return a != a || b <= a ? a : b;
}

/* Racers ----------------------------------------------------------------------------------------------------------- */

typedef enum race_kind { RACE_OURS, RACE_FIXED, RACE_ADAPTIVE } race_kind;

typedef struct race_racer {
    const char *name;
    race_kind kind;
    unsigned tables;        /* that list it: RACE_MAIN, ... */
    const bench_peer *peer; /* NULL: ours; a fixed step takes the place of the tolerance */
    int outputs;            /* 1: projects the end onto constraints and energy */
    int reduced;            /* 1: gets the equations that are reduced by hand */
    const char *method;     /* ours */
    int solvers;            /* ours: the tolerances of the solver that are tried; 0: its default */
    int width;              /* ours: the most lanes; 0: as many as there are */
    int one_by_one;         /* ours: callbacks see one state at a time */
} race_racer;

enum { RACE_MAIN = 1, RACE_PROJECTED = 2, RACE_REDUCED = 4, RACE_WIDTHS = 8, RACE_METHODS = 16 };

/* The first is ours, to which the others are compared; at most RACE_RACERS. */
enum { RACE_RACERS = 40, RACE_SOLVERS = 5 };
extern const race_racer race_racers[];
extern const int race_racer_count;
extern const double race_solvers[RACE_SOLVERS];

/* How a racer is set: its step or tolerance, and the tolerance of our solver (0: the default). */
typedef struct race_setting {
    double setting, solver;
} race_setting;

typedef struct race_car race_car;

/* A racer that is ready to run to the course's T; NULL: it cannot. */
race_car *race_car_open(const race_racer *r, race_course *c, race_setting s);
/* From the start to T; nonzero: it failed. */
int race_car_run(race_car *car, double *y);
void race_car_close(race_car *car);

/* Ladders ---------------------------------------------------------------------------------------------------------- */

typedef struct race_point {
    race_setting with;
    double error, energy; /* at the end; energy relative to the scale of the motion */
    double ns;            /* of the run, the best of several */
} race_point;

enum { RACE_POINTS = 400 };

typedef struct race_ladder {
    const race_racer *racer;
    race_point point[RACE_POINTS];
    int count;
} race_ladder;

typedef struct race_limits {
    double run, ladder; /* seconds of a run and of a ladder after which it ends */
    double factor;      /* from step to step */
    int steps;          /* most of them, from 8 or T down */
    int decades, fine;  /* tolerances from 1e-1 to 1e-decades, so many in a decade */
    int rounds;         /* for the times of the best points */
} race_limits;

/* Runs the racer with all settings. */
void race_climb(race_ladder *l, const race_racer *r, race_course *c, const race_limits *limits);
/* Times the points that may be the cheapest for an error anew, those of all ladders in turn. */
void race_time(race_ladder *ladders, int count, race_course *c, const race_limits *limits);
/* The cheapest point with at most this error, or NULL. */
const race_point *race_cheapest(const race_ladder *l, double error);
/* The point with this tolerance, or NULL. */
const race_point *race_at(const race_ladder *l, double tolerance);
/* The least error. */
double race_least(const race_ladder *l);

/* Tables ----------------------------------------------------------------------------------------------------------- */

/* What became of a racer on a course. */
typedef struct race_result {
    int ran;
    race_point cheapest[RACE_ERRORS]; /* ns 0: none */
    race_point asked[RACE_ERRORS];    /* with this tolerance; ns 0: none */
    double least;
} race_result;

typedef struct race_results {
    race_result of[RACE_SYSTEMS][RACE_TIMES][RACE_RACERS];
    double checked[RACE_SYSTEMS]; /* race_check(); NaN: did not run */
} race_results;

void race_keep(race_result *r, const race_ladder *l);
void race_write(bench_report *r, const race_results *all, unsigned tables);

#endif
