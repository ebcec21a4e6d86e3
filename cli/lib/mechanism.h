/* SPDX-License-Identifier: BSD-3-Clause */
/* A mechanism of the command line: a name from the gallery, or a file. */
#ifndef LIEGRP_CLI_MECHANISM_H
#define LIEGRP_CLI_MECHANISM_H

#include "base/checkpoint.h"
#include "cli/lib/checkpoint.h"
#include "cli/lib/system.h"

/* The compiled mechanism with its defaults; its parts, and the remarks on its file. */
const lg_mechanism *cli_mechanism_of(const cli_system *S);
/* Description of the mechanism, one sentence; NULL: unknown. */
const char *cli_mechanism_text(const cli_system *S);
/* 1: it starts from a named start of its file. */
int cli_mechanism_has_key(const cli_system *S);
/* Remark i on its file; NULL: no more. */
const char *cli_mechanism_remark(const cli_system *S, int i);
/* Writes it to a file, whose remarks follow the others. 0, or the exit status after a message. */
int cli_mechanism_write(const char *command, const cli_system *S, const char *file);
/* Stores the violations of the joints' limits that were seen with the state of a run. */
void cli_mechanism_keep(cli_mechanism *R, cli_checkpoint *k);
/* Lists the options that its motion depends on. */
void cli_mechanism_list_options(lg_lines *l, const cli_system *S);
/* 1: the columns of positions or velocities. */
int cli_mechanism_is_initial(const cli_system *S, int column);

/* A motion of a system with the parameters and initial values that are set, or of an instance of its own in a sweep. */
typedef struct cli_instance {
    lg_model *M;   /* with these parameters; NULL: the system's own, none is set */
    lg_motion *mo; /* started; NULL: it is compiled only */
} cli_instance;

/* Makes it and starts it. On failure *message says why, until it is freed; free it in either case. */
lg_status cli_instance_make(cli_instance *i, const cli_system *S, const lg_motion_options *o, int project,
                            const char **message);
void cli_instance_free(cli_instance *i);
/* Its parts: a model of its own where parameters were set; its model, the system's own where none was, with the
 * initial values that are set; a motion from these. */
lg_status cli_instance_compile(cli_instance *i, const cli_system *S, const char **message);
lg_status cli_instance_model(cli_instance *i, const cli_system *S, lg_model **M, const char **message);
lg_status cli_instance_start(lg_motion *mo, const cli_system *S, int project);
/* As lg_run(), with a new instance; cli_run_remark() has the remarks on a mechanism. */
lg_status cli_run_system(const cli_system *S, lg_run_result *result, const cli_run_options *o);
/* Remark i on a run; NULL: no more. */
const char *cli_run_remark(const cli_system *S, int i);

/* A copy of the system with its parameters and initial values; changes of one do not affect the other. NULL: out of
 * memory. */
cli_mechanism *cli_mechanism_copy(const cli_mechanism *R);
/* As cli_mechanism_copy(), without values that were set. */
cli_mechanism *cli_mechanism_again(const cli_mechanism *R);
/* The initial value that was set in a column; NaN: none was. */
double cli_mechanism_given(const cli_mechanism *R, int column);
void cli_mechanism_free(cli_mechanism *R);
/* File i that its own file made it read; NULL: no more. */
const char *cli_mechanism_file(const cli_mechanism *R, int i);

#endif
