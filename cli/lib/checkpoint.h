/* SPDX-License-Identifier: BSD-3-Clause */
/* --checkpoint, --checkpoint-every and --resume. */
#ifndef LIEGRP_CLI_CHECKPOINT_H
#define LIEGRP_CLI_CHECKPOINT_H

#include "cli/lib/controls.h"
#include "cli/lib/system.h"

/* Their texts for --help, shared by all commands. */
#define CLI_CHECKPOINT_OPTION                                                                                          \
    {                                                                                                                  \
        "checkpoint", "FILE", "keeps the state in a file, from which a killed run can continue"                        \
    }
#define CLI_CHECKPOINT_EVERY_OPTION                                                                                    \
    {                                                                                                                  \
        "checkpoint-every", "S", "seconds between checkpoints, default 60"                                             \
    }
#define CLI_RESUME_OPTION                                                                                              \
    {                                                                                                                  \
        "resume", NULL, "continues from the checkpoint, if there is one; the rows have the same bytes"                 \
    }

enum { CLI_MEMORY = 8 };

typedef struct cli_checkpoint {
    const char *file; /* NULL: none */
    double every;     /* seconds; 0: as the library has it */
    int resume;
    char label[96]; /* checksums of data that the library does not see */
    lg_run_memory memory[CLI_MEMORY];
    int count; /* of these */
} cli_checkpoint;

/* Takes the value of --checkpoint-every. CLI_WELL, or CLI_WRONG_USE after a message. */
int cli_checkpoint_every(cli_checkpoint *c, const char *command, const char *value);
/* Checks the three options against each other and the rows' file. CLI_WELL, or CLI_WRONG_USE after a message. */
int cli_checkpoint_settle(const cli_checkpoint *c, const char *command, const char *output);
/* Adds to the checkpoint's label what the library does not see: the contents of the system's file, the controls, and
 * `text` (may be NULL). */
void cli_checkpoint_label(cli_checkpoint *c, const cli_system *S, const char *name, const cli_controls *controls,
                          const char *text);
/* Stores these bytes with the state of the run. */
void cli_checkpoint_keep(cli_checkpoint *c, void *at, size_t bytes);

#endif
