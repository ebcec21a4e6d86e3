/* SPDX-License-Identifier: BSD-3-Clause */
/* The processes of one command. A launcher (mpirun, srun) starts the same command line N times; rank 0 writes the files
 * and prints all messages; it reports an error of another rank once. Without a launcher there is one rank, MPI is never
 * called, and every function below does what one rank needs. */
#ifndef LIEGRP_CLI_RANKS_H
#define LIEGRP_CLI_RANKS_H

#include <stdint.h>
#include <stdio.h>

/* The MPI functions in use. All ranks call them together, in the same order. */
typedef struct cli_messages {
    void (*start)(int *rank, int *ranks);
    void (*stop)(void);
    void (*share)(void *bytes, int size, int from);             /* from one rank to all others */
    int (*first)(int mine);                                     /* the lowest rank whose `mine` is not 0; or ranks */
    void (*send)(const void *bytes, int size, int last);        /* to rank 0 */
    int (*receive)(void *bytes, int room, int from, int *last); /* returns how many arrived; rank 0 only */
    int (*processors)(void); /* this rank's share of the processors of its machine, at least 1 */
} cli_messages;

/* Loads MPI. NULL: there is no MPI, for the reason in *why. */
const cli_messages *cli_mpi(const char **why);

typedef struct cli_ranks {
    const char *command;
    const cli_messages *mpi; /* NULL: a single rank */
    int rank, ranks;
    FILE *said; /* the messages of a rank other than 0; NULL: none are kept */
    int errors; /* its own standard error */
} cli_ranks;

/* Joins the other ranks, if there are any; from then on only rank 0 prints. CLI_WELL, or CLI_WRONG_USE on all ranks
 * after one message: a launcher has started several processes but there is no MPI or another MPI, or the ranks have
 * different arguments. End it in either case. */
int cli_ranks_begin(cli_ranks *r, const char *command, int argc, char **argv);
void cli_ranks_end(cli_ranks *r);
/* Returns, on all ranks, the status of the lowest rank that failed; rank 0 prints the messages of the others. */
int cli_ranks_agree(cli_ranks *r, int status);
/* Returns rank 0's number on all ranks. */
int64_t cli_ranks_share(const cli_ranks *r, int64_t number);
/* The number of threads for this rank, if it is one of several and OMP_NUM_THREADS is not set; 0: the default
 * number. */
int cli_ranks_threads(const cli_ranks *r);

#endif
