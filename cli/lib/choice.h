/* SPDX-License-Identifier: BSD-3-Clause */
/* Options that runs and comparisons share: parameters, initial data, start, method, retraction. */
#ifndef LIEGRP_CLI_CHOICE_H
#define LIEGRP_CLI_CHOICE_H

#include <stdio.h>

#include "cli/lib/system.h"

/* A value was given in degrees: CLI_WELL if that of the name is an angle, else CLI_WRONG_USE after a message. */
int cli_check_degrees(const char *command, const char *option, const char *name, int initial, const cli_system *S);
/* Sets the options number `param` and `init` of a command line, NAME=VALUE each, in the system. CLI_WELL, or
 * CLI_WRONG_USE after a message. */
int cli_set_values(const char *command, const cli_option *options, int param, int init, int argc, char **argv,
                   const cli_system *S);
/* A message for a parameter (or an initial value) that the system has just refused: it suggests the nearest name. */
int cli_refuse_value(const char *command, const cli_system *S, const char *name, int initial);
/* 1: the method has several kinds of start. */
int cli_method_starts(const char *method);
/* Refuses a start (NULL: not given) that this method does not have, and says, unless `quiet`, that it does not use a
 * retraction. CLI_WELL, or CLI_WRONG_USE after a message. */
int cli_check_use(const char *command, const char *method, const char *start, const char *retraction, int quiet);
/* lg_start by name. CLI_WELL, or CLI_WRONG_USE after a message. */
int cli_read_start(const char *command, const char *name, lg_start *start);
/* Does the retraction exist? CLI_WELL, or CLI_WRONG_USE after a message. */
int cli_check_retraction(const char *command, const char *name);
/* Converts --time (NULL: not given) to a number of steps from `begin` on, once the step is known; refuses --time with
 * --steps. CLI_WELL, or CLI_WRONG_USE after a message. */
int cli_settle_time(const char *command, const char *time_text, const char *steps_text, double step, double begin,
                    int quiet, int64_t *steps);
/* An option --tolerance: its value; the method that has one, `*method`, which is `chosen` (NULL: none was). CLI_WELL,
 * or CLI_WRONG_USE after a message. */
#define CLI_TOLERANCE_OPTION                                                                                           \
    {                                                                                                                  \
        "tolerance", "X", "gauss chooses steps with errors of at most X/100; --step is the interval of rows"           \
    }
int cli_read_tolerance(const char *command, const char *text, double *tolerance);
int cli_settle_tolerance(const char *command, const char *chosen, const char **method);
/* Rows of options that several commands have. */
#define CLI_METHOD_OPTION                                                                                              \
    {                                                                                                                  \
        "method", "SPEC", "default sem; see liegrp list methods and list compositions"                                 \
    }
#define CLI_RETRACTION_OPTION                                                                                          \
    {                                                                                                                  \
        "retraction", "NAME", "default exp; see liegrp list retractions"                                               \
    }
#define CLI_PARAM_OPTION                                                                                               \
    {                                                                                                                  \
        "param", "NAME=VALUE", "sets a parameter; repeatable"                                                          \
    }
#define CLI_EVERY_OPTION                                                                                               \
    {                                                                                                                  \
        "every", "K", "writes a row every K steps, default 1"                                                          \
    }
#define CLI_PLOT_OPTION                                                                                                \
    {                                                                                                                  \
        "plot", "FILE", "draws a .png, .svg or .pdf through gnuplot"                                                   \
    }
#define CLI_NO_ACCURACY_OPTION                                                                                         \
    {                                                                                                                  \
        "no-accuracy", NULL, "does not measure the accuracy of the run"                                                \
    }
/* An option --format; is its value a format? CLI_WELL, or CLI_WRONG_USE after a message. */
#define CLI_FORMAT_OPTION                                                                                              \
    {                                                                                                                  \
        "format", "csv|npy|npz|hdf5", "default by the name: .npy, .npz, .h5, .hdf5, else csv"                          \
    }
int cli_check_format(const char *command, const char *name);
/* The format of --output, by --format (`name`, NULL: not given) or by the file's name, which must not contradict each
 * other; `-` becomes stdout in *stream and NULL in *output. CLI_WELL, or CLI_WRONG_USE after a message. */
int cli_settle_output(const char *command, const char *name, const char **output, FILE **stream, lg_format *format);
/* The library's message in the words of the command line; the text of the status if the message is empty. */
void cli_print_message(lg_status status, const char *message);
/* Prints the library's message in the words of the command line; for an unknown method it suggests the nearest one. */
void cli_print_failure(const char *command, const char *method, lg_status status, const char *message);
/* 1 for failures that data and step sizes can cause during a run: exit status 3. */
int cli_is_numeric(lg_status status);

#endif
