/* SPDX-License-Identifier: BSD-3-Clause */
/* A SYSTEM on the command line: a name from the catalog, a file with a system of the user, or a mechanism (from the
 * gallery, or from a file). Their common parts: columns, controls, parameters, initial values. */
#ifndef LIEGRP_CLI_SYSTEM_H
#define LIEGRP_CLI_SYSTEM_H

#include <liegrp/liegrp.h>

#include "cli/lib/contact.h"
#include "cli/lib/options.h"

/* A column or a control, for people. */
typedef struct cli_column {
    char name[160];
    char also[160]; /* another name of a control; "": none */
    char unit[40];  /* "-": a pure number; "": unknown */
    char meaning[320];
} cli_column;

typedef struct cli_mechanism cli_mechanism;
typedef struct cli_kind cli_kind;
typedef struct cli_forces cli_forces;

typedef struct cli_system {
    const cli_kind *kind;
    const char *name;
    lg_model *M;      /* as opened; of a mechanism without values that were set */
    cli_mechanism *R;   /* NULL: a definition */
    cli_forces *forces; /* of --force (forces.h); NULL: none */
} cli_system;

/* The options of a run. */
typedef struct cli_run_options {
    lg_motion_options motion;
    int project; /* as for lg_motion_start() */
    lg_run_options run;
    int (*probe)(const lg_motion *mo, void *context); /* --probe: called with the motion at its end; may be NULL */
    void *probe_context;
    lg_account *account;                               /* becomes that of the motion at its end; may be NULL */
    void (*ended)(const lg_motion *mo, void *context); /* called with the motion at its end; may be NULL */
    void *ended_context;
    cli_events *events;    /* the impacts of a mechanism; may be NULL */
    const lg_motion **now; /* becomes the motion before its first step; valid during the run; may be NULL */
} cli_run_options;

/* Operations that differ between models and mechanisms. */
struct cli_kind {
    const char *noun; /* "system" */
    int (*controls)(const cli_system *S);
    void (*control)(cli_column *c, const cli_system *S, int i);
    int (*units)(const cli_system *S);                        /* 1: it has units */
    const char *(*plot)(const cli_system *S);                 /* default of --plot-columns; NULL: motion/conserved */
    const char *(*motion)(const cli_system *S);               /* panels of `motion`; NULL: as in plot_columns.c */
    const char *(*conserved)(const cli_system *S);            /* panels of `conserved`; NULL: as in plot_columns.c */
    int (*constrained)(const cli_system *S);                  /* 1: it has residuals of constraints */
    int (*configures)(const cli_system *S, const char *name); /* 1: a column of the configuration */
    lg_status (*set)(const cli_system *S, const char *name, double value, int initial); /* or a parameter */
    const char *(*message)(const cli_system *S);                                        /* of the last refusal */
    /* The name of parameter, or initial value, i; NULL: no more. */
    const char *(*settable)(const cli_system *S, int i, int initial);
    const char *(*parameter_unit)(const cli_system *S,
                                  const char *name); /* "" or "-": a pure number; NULL: not known */
    void (*destroy)(cli_system *S);
};

/* Options of a mechanism, how it is read. */
typedef struct cli_mechanism_options {
    int floating;         /* the root of a file's mechanism is not fixed to the world */
    double least_inertia; /* of bodies of a file; 0: none */
    int pulled;           /* 1: gravity is given; 0: it is the mechanism's own */
    double gravity[3];
    int wheels; /* that are added, "LINK=RADIUS" or "LINK=RADIUS,AXIS" */
    const char **wheel;
    int ignored; /* elements of a file, by name */
    const char **ignore;
    int writes;      /* 1: they are also of a file that is written */
    const char *key; /* a start of the file, by its name; NULL: none */
    int sensors;     /* 1: those of a file are columns */
    int packages;    /* "NAME=FOLDER" or "FOLDER", for looks */
    const char **package;
    const char *within; /* where files of a model may be; NULL: in its own folder */
    int motors;         /* that are added, "JOINT" or "JOINT=MOST" */
    const char **motor;
    int motions; /* that are given, "NAME=FILE" */
    const char **motion;
    cli_contact_options contact;
} cli_mechanism_options;

/* Options with room for the wheels, motors and motions of a command line; free them with cli_mechanism_options_end().
 * CLI_WELL, or CLI_WRONG_USE after a message. */
int cli_mechanism_options_begin(cli_mechanism_options *o, const char *command, int argc);
void cli_mechanism_options_end(cli_mechanism_options *o);
/* Takes the value of one of the options below; any other option does nothing. CLI_WELL, or CLI_WRONG_USE after a
 * message. */
int cli_mechanism_option(cli_mechanism_options *o, const char *command, const cli_option *option, const char *value);
#define CLI_FLOATING_OPTION                                                                                            \
    {                                                                                                                  \
        "floating", NULL, "for a mechanism's file: its root is not fixed to the world"                                 \
    }
#define CLI_WHEEL_OPTION                                                                                               \
    {                                                                                                                  \
        "wheel", "LINK=RADIUS[,AXIS]", "for a mechanism's file: a wheel, its axle along x, y (default) or z"           \
    }
#define CLI_LEAST_INERTIA_OPTION                                                                                       \
    {                                                                                                                  \
        "least-inertia", "I", "for a mechanism's file: moments of bodies that need some and have none, kg m^2"         \
    }
#define CLI_IGNORE_OPTION                                                                                              \
    {                                                                                                                  \
        "ignore", "NAME", "for a file: leaves out what would change the motion and is not read; repeatable"            \
    }
#define CLI_KEY_OPTION                                                                                                 \
    {                                                                                                                  \
        "key", "NAME", "for an MJCF file: starts from this <key>, with its controls; 0, 1, ... without a name"         \
    }
#define CLI_PACKAGE_OPTION                                                                                             \
    {                                                                                                                  \
        "package", "NAME=FOLDER",                                                                                      \
            "for a file: where meshes of package://NAME are; or a FOLDER of packages; repeatable"                      \
    }
#define CLI_WITHIN_OPTION                                                                                              \
    {                                                                                                                  \
        "within", "FOLDER", "for a file: the files that it names may be anywhere below this folder"                    \
    }
#define CLI_SENSORS_OPTION                                                                                             \
    {                                                                                                                  \
        "sensors", NULL, "for an MJCF file: its sensors that are functions of the state are columns"                   \
    }
#define CLI_MOTION_OPTION                                                                                              \
    {                                                                                                                  \
        "motion", "NAME=FILE", "for a mechanism: a joint or body moves as a CSV of times says; repeatable"             \
    }
#define CLI_MOTOR_OPTION                                                                                               \
    {                                                                                                                  \
        "motor", "JOINT[=MOST]", "for a mechanism: a motor on a joint, with a greatest torque or force; repeatable"    \
    }
#define CLI_GRAVITY_OPTION                                                                                             \
    {                                                                                                                  \
        "gravity", "X,Y,Z", "for a mechanism: the acceleration of gravity, m/s^2"                                      \
    }
/* Takes the value of --halvings. */
int cli_read_halvings(const char *command, const char *value, int64_t *halvings);
#define CLI_HALVINGS_OPTION                                                                                            \
    {                                                                                                                  \
        "halvings", "N", "a step that fails is tried again as 2, 4, ... 2^N steps; default 0"                          \
    }

/* The retraction of these options. */
static inline const char *cli_retraction(const lg_motion_options *o)
{
    return o->retraction != NULL ? o->retraction : "exp";
}

/* Opens a SYSTEM; destroy it also after a failure. A name that contains '/' or ends in .so is a shared object that
 * defines `const lg_model_definition *liegrp_system(void)`; it stays loaded until the program ends, as its definition
 * must outlive the model. One that ends in .urdf, .xml or .mjcf is a mechanism's file. `o` NULL: the command takes no
 * mechanisms. CLI_WELL, or CLI_WRONG_USE after a message. */
int cli_open_system(const char *command, const char *name, const cli_mechanism_options *o, cli_system *S);
void cli_close_system(cli_system *S);
/* The SYSTEM, if it is the name of a file; else NULL. */
const char *cli_system_file(const char *name);
/* File i that the SYSTEM of this name was read from, its own first; NULL: no more. */
const char *cli_system_input(const cli_system *S, const char *name, int i);
/* Opens the system, which has this name, once more, without values that were set. CLI_WELL, or CLI_WRONG_USE after a
 * message. */
int cli_open_again(const char *command, const cli_system *S, const char *name, cli_system *again);
/* The initial value that was set in a column; NaN: none was. */
double cli_given(const cli_system *S, int column);
/* A model, which the caller keeps, as a system. */
cli_system cli_system_of(lg_model *M);
/* Refuses options of the command line that the kind of system does not have. Lists of option numbers, -1 at the end:
 * `models` are for models alone, `mechanisms` for mechanisms. CLI_WELL, or CLI_WRONG_USE after a message. */
int cli_refuse_options(const char *command, const cli_option *options, int argc, char **argv, const cli_system *S,
                       const int *models, const int *mechanisms);

/* When its motions begin; its controls of then, NULL: all 0. */
double cli_begins(const cli_system *S);
const double *cli_first_controls(const cli_system *S);
/* Column i, and control i. */
void cli_column_of(cli_column *c, const cli_system *S, int i);
void cli_control_of(cli_column *c, const cli_system *S, int i);
/* "J", or "-" if the system has no units. */
const char *cli_unit(const cli_system *S, const char *unit);

/* columns.c: models; mechanism.c: mechanisms. */
extern const cli_kind cli_model_kind, cli_mechanism_kind;
int cli_open_mechanism(const char *command, const char *name, const cli_mechanism_options *o, cli_system *S);
/* 1: the name is one of the gallery, or of a mechanism's file. */
int cli_is_mechanism(const char *name);

#endif
