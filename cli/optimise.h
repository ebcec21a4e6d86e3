/* SPDX-License-Identifier: BSD-3-Clause */
/* liegrp optimise and gait: the problem that their options describe, its solution, and the run with the controls that
 * were found. */
#ifndef LIEGRP_CLI_OPTIMISE_H
#define LIEGRP_CLI_OPTIMISE_H

#include <liegrp/control/optimum.h>

#include "cli/run_job.h"

/* Rows of options of optimise and gait. */
#define OPTIMISE_LIMIT_OPTION                                                                                          \
    {                                                                                                                  \
        "limit", "NAME=MOST,...", "keeps a control within -MOST and MOST, or within LOW:HIGH; repeatable"              \
    }
#define OPTIMISE_EFFORT_OPTION                                                                                         \
    {                                                                                                                  \
        "effort", "NAME=WEIGHT,...", "weight of a control's square in the cost; repeatable"                            \
    }
#define OPTIMISE_OUTPUT_OPTION                                                                                         \
    {                                                                                                                  \
        "output", "FILE|-", "writes the rows of the motion; - is standard output"                                      \
    }
#define OPTIMISE_PLOT_COLUMNS_OPTION                                                                                   \
    {                                                                                                                  \
        "plot-columns", "A,B/X:Y/...", "columns of the panels, as in liegrp run"                                       \
    }
#define OPTIMISE_VIEW_OPTION                                                                                           \
    {                                                                                                                  \
        "view", "FILE", "writes a page, .html, with the motion, its controls and the iterations"                       \
    }
#define OPTIMISE_ITERATIONS_OPTION                                                                                     \
    {                                                                                                                  \
        "iterations", "N", "gives up after so many, default 200"                                                       \
    }
#define OPTIMISE_PRECISION_OPTION                                                                                      \
    {                                                                                                                  \
        "precision", "X", "relative error of the optimum, from 1e-14 to 0.1, default 1e-9"                             \
    }
#define OPTIMISE_QUIET_OPTION                                                                                          \
    {                                                                                                                  \
        "quiet", NULL, "no summary, no progress, no warnings"                                                          \
    }

/* A point of the iteration. */
typedef struct optimise_point {
    double cost, defect, end;
} optimise_point;

typedef struct optimise_job {
    run_job run;
    /* options */
    const char *free_time, *controls_file, *guess;
    double time, time_low, time_high, weight, precision;
    int64_t iterations, degree;
    int moving, weighed; /* --moving, --time-weight */
    /* the problem: c controls, n coordinates, elements of e numbers, of a mechanism n positions; arrays that are owned
     */
    int c, n, e;
    double *effort, *low, *high;                     /* c x c, c, c */
    double *start_g, *start_p, *target_g, *target_p; /* e, n, e, n; of a mechanism positions and velocities */
    double *start, *target;                          /* rows of the run */
    double *state_low, *state_high;                  /* e + n: --bound; one block */
    int *parameter_free, freed;                      /* --free: 1 for each that is; how many */
    double *parameter_low, *parameter_high;          /* one block */
    lg_clearance *avoid;                             /* --avoid */
    int avoided;
    int *row;    /* 2 n: the end conditions that hold */
    char **word; /* "optimise", "--to=NAME=VALUE", ... */
    int words;
    cli_system to;       /* the system in which the target is set */
    cli_instance begins; /* the motion at the start; of a mechanism the one that is steered */
    char *named;         /* 1 for each column that --to names */
    lg_optimum *o;
    lg_optimum_figures f;
    optimise_point *point; /* of each iteration */
    int points, room, drawn, again; /* again: the iteration began a second time, at the start */
    double began;         /* clock */
    double missed, speed; /* of the run at its end: the largest distance of named columns; the largest velocity left */
    /* of a gait (gait.c): target_g displaces its start */
    int closes, rests, unmeasured; /* --rest; 1: the multipliers are not known */
    int64_t periods;
    int *start_free;            /* 2 n, all 0: what --rest holds; NULL: the library's choice */
    double *by, *swing, *phase; /* of columns: --moves, NaN for `free`; --swing */
    int multipliers;            /* their number */
    double *re, *im;
} optimise_job;

/* Functions return CLI_WELL, or the exit status after a message. */

/* optimise.c: frees what a job has. */
void optimise_end(optimise_job *j);

/* ---- optimise_words.c: values of options that are lists, NAME=VALUE,NAME=VALUE ---- */

/* Calls take() with each part of the value of each option number `option`. A part begins where a name and '=' follow a
 * comma. */
int optimise_parts(optimise_job *j, int argc, char **argv, int option,
                   int (*take)(optimise_job *j, int option, const char *part));
/* --limit, --effort and --free-time. */
int optimise_read_controls(optimise_job *j, int argc, char **argv);

/* LOW:HIGH, two numbers, which may be infinite; 0: it is not. */
int optimise_range(const char *text, double *low, double *high);

/* ---- optimise_path.c: --bound and --avoid ---- */

int optimise_read_path(optimise_job *j, int argc, char **argv);
void optimise_print_path(const optimise_job *j);
/* On the page: a chart of distances; balls in the scene of the model, before the run. */
lg_status optimise_add_distances(const optimise_job *j, lg_view *v);
lg_status optimise_show_balls(const optimise_job *j);

/* ---- optimise_free.c: --free ---- */

int optimise_read_free(optimise_job *j, int argc, char **argv);
/* The run gets the best values. */
int optimise_set_free(optimise_job *j);

/* ---- optimise_target.c: --to, and what it says of a system; optimise_joints.c: of a mechanism ---- */

/* The start as element, momentum and row; room for the target and the conditions of the end. */
int optimise_read_start(optimise_job *j);
/* Start and target as elements, momenta and rows; the conditions of the end. */
int optimise_read_target(optimise_job *j, int argc, char **argv);
/* What end condition, or coordinate of a node, `row` is about. */
void optimise_row_name(const optimise_job *j, int row, char *text, size_t room);
/* Of a mechanism: target and conditions, once the start is known; the column of an end condition; how far positions and
 * velocities are from the target. */
int optimise_read_joints(optimise_job *j);
int optimise_joint_column(const optimise_job *j, int row);
/* 1: position `row` is a component of a rotation vector. */
int optimise_joint_turns(const optimise_job *j, int row);
void optimise_miss_joints(optimise_job *j, const lg_motion *mo);
/* Measures how far a motion's end is from the target. */
void optimise_miss(const lg_motion *mo, void *context);

/* ---- optimise_solve.c ---- */

/* Finds the optimum, and gives its controls to the run. */
int optimise_solve(optimise_job *j);
/* --controls FILE. */
int optimise_write_controls(const optimise_job *j);

/* ---- optimise_print.c ---- */

/* A message of the library in the words of the command line. */
void optimise_print_failure(const optimise_job *j, lg_status status, const char *message);
/* The figures of the optimum; of the run with its controls. */
void optimise_print(const optimise_job *j);
void optimise_print_end(const optimise_job *j);

/* ---- optimise_view.c ---- */

/* Adds charts of the controls and of the iterations to the page; the context is an optimise_job. */
lg_status optimise_add_charts(lg_view *v, void *context);

/* ---- gait_target.c: --moves, --swing and --rest; gait_orbit.c: the orbit that was found ---- */

int gait_read_target(optimise_job *j, int argc, char **argv);
lg_status gait_guess(optimise_job *j);
/* The run starts where the orbit does; its multipliers. */
int gait_begin(optimise_job *j);
/* Measures how far the end of a motion is from where its periods should lead. */
void gait_miss(const lg_motion *mo, void *context);
void gait_print(const optimise_job *j);
void gait_print_end(const optimise_job *j);

#endif
