/* SPDX-License-Identifier: BSD-3-Clause */
/* The processes of one command. A launcher (mpirun, srun) starts the same command line N times; rank 0 writes and
 * speaks, and what goes wrong on another rank is told by it, once. Without a launcher there is one rank, nothing of MPI
 * is called, and every function below does what is left to do for one. */
#ifndef LIEGRP_CLI_RANKS_H
#define LIEGRP_CLI_RANKS_H

#include <stdint.h>
#include <stdio.h>

/* What is needed of MPI. All ranks call these together, in the same order. */
typedef struct cli_messages {
    void (*start)(int *rank, int *ranks);
    void (*stop)(void);
    void (*share)(void *bytes, int size, int from);             /* from one rank to all others */
    int (*first)(int mine);                                     /* the lowest rank whose `mine` is not 0; or ranks */
    void (*send)(const void *bytes, int size, int last);        /* to rank 0 */
    int (*receive)(void *bytes, int room, int from, int *last); /* how many came; rank 0 only */
    int (*processors)(void); /* this rank's share of those of its machine, at least 1 */
} cli_messages;

/* NULL where the program was built without MPI. */
const cli_messages *cli_mpi(void);

typedef struct cli_ranks {
    const char *command;
    const cli_messages *mpi; /* NULL: alone */
    int rank, ranks;
    FILE *said; /* what a rank but 0 would have told; NULL: nothing is kept */
    int errors; /* its own standard error */
} cli_ranks;

/* Joins the other ranks, if there are any; from then on only rank 0 is heard. CLI_WELL, or CLI_WRONG_USE on all after
 * one message: a launcher of several processes and no MPI, or not its MPI, or ranks with other arguments. To be ended
 * in any case. */
int cli_ranks_begin(cli_ranks *r, const char *command, int argc, char **argv);
void cli_ranks_end(cli_ranks *r);
/* The status of the lowest rank that is not well, on all of them; what a rank but 0 has told is told by rank 0. */
int cli_ranks_agree(cli_ranks *r, int status);
/* Rank 0's number, on all. */
int64_t cli_ranks_share(const cli_ranks *r, int64_t number);
/* Threads for this rank, if it is one of several and OMP_NUM_THREADS does not say; 0: as many as there would be. */
int cli_ranks_threads(const cli_ranks *r);

#endif
