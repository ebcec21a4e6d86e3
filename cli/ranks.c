/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/ranks.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <liegrp/liegrp.h>

#include "base/sum.h"
#include "cli/lib/options.h"

/* The launcher ---------------------------------------------------------------------------------------------------- */

static int64_t number_in(const char *variable)
{
    const char *text = getenv(variable);
    int64_t value;
    return text != NULL && cli_count(text, &value) ? value : 0;
}

/* The number of processes that a launcher has started, and this one's number; 0: there is no launcher. */
static int64_t launched(int64_t *rank)
{
    static const char *const variables[][2] = {{"OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK"}, /* Open MPI */
                                               {"PMI_SIZE", "PMI_RANK"}, /* MPICH and its family */
                                               {"MV2_COMM_WORLD_SIZE", "MV2_COMM_WORLD_RANK"},
                                               {"SLURM_STEP_NUM_TASKS", "SLURM_PROCID"}}; /* srun */
    for (size_t i = 0; i < sizeof variables / sizeof variables[0]; i++) {
        if (getenv(variables[i][0]) == NULL) continue;
        *rank = number_in(variables[i][1]);
        return number_in(variables[i][0]);
    }
    *rank = 0;
    return 0;
}

/* One of the processes that cannot reach each other prints this; the launcher ends all as soon as one has ended. */
static int refuse(const char *command, int64_t rank, int64_t processes, const char *why)
{
    if (rank > 0) {
        (void)sleep(1);
        return CLI_WRONG_USE;
    }
    return cli_wrong(command,
                     "a launcher has started it %" PRId64
                     " times, and %s. Each process would compute everything and write the same file. Install an MPI "
                     "with its launcher (Debian: libopenmpi-dev, openmpi-bin) and build liegrp again with meson setup "
                     "-Dmpi=enabled, or start it once",
                     processes, why);
}

/* Messages ----------------------------------------------------------------------------------------------------- */

/* From now on this rank writes nothing to standard output, and redirects standard error to an unnamed file. */
static void silence(cli_ranks *r)
{
    const int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
    fflush(stdout);
    if (nowhere >= 0) (void)dup2(nowhere, STDOUT_FILENO);
    if (nowhere >= 0) (void)close(nowhere);
    r->said = tmpfile();
    if (r->said == NULL) return; /* its messages then appear directly */
    r->errors = dup(STDERR_FILENO);
    (void)dup2(fileno(r->said), STDERR_FILENO);
}

static void forget(const cli_ranks *r)
{
    if (r->said == NULL) return;
    (void)!ftruncate(fileno(r->said), 0);
    (void)lseek(fileno(r->said), 0, SEEK_SET);
}

enum { SAID = 4096 };

/* Prints "rank 2 on node17: " and the messages of this rank; without messages it prints nothing. */
static void recall(const cli_ranks *r, char text[SAID])
{
    char host[256] = "";
    ssize_t got = 0;
    int used;
    (void)gethostname(host, sizeof host - 1);
    used = snprintf(text, SAID, "rank %d on %s: ", r->rank, host);
    if (r->said != NULL) got = pread(fileno(r->said), text + used, (size_t)(SAID - 1 - used), 0);
    text[got > 0 ? used + (int)got : 0] = '\0';
}

int cli_ranks_agree(cli_ranks *r, int status)
{
    char text[SAID];
    int first;
    if (r->mpi == NULL) return status;
    first = r->mpi->first(status != CLI_WELL);
    if (first == r->ranks) {
        forget(r);
        return CLI_WELL;
    }
    r->mpi->share(&status, (int)sizeof status, first);
    if (first == 0) return status;
    if (r->rank == first) recall(r, text);
    r->mpi->share(text, SAID, first);
    if (r->rank == 0) fputs(text, stderr);
    return status;
}

int64_t cli_ranks_share(const cli_ranks *r, int64_t number)
{
    if (r->mpi != NULL) r->mpi->share(&number, (int)sizeof number, 0);
    return number;
}

int cli_ranks_threads(const cli_ranks *r)
{
    return r->mpi == NULL || getenv("OMP_NUM_THREADS") != NULL ? 0 : r->mpi->processors();
}

/* ----------------------------------------------------------------------------------------------------------------- */

/* A sum of the command line and the version. */
static int64_t print_of(int argc, char **argv)
{
    uint64_t sum = lg_sum(LG_SUM, lg_version(), strlen(lg_version()) + 1);
    for (int i = 0; i < argc; i++) sum = lg_sum(sum, argv[i], strlen(argv[i]) + 1);
    return (int64_t)sum;
}

static int check_arguments(cli_ranks *r, int argc, char **argv)
{
    const int64_t mine = print_of(argc, argv);
    int status = CLI_WELL;
    if (cli_ranks_share(r, mine) != mine) {
        status =
            cli_wrong(r->command, "this rank has other arguments or another version than rank 0; all ranks must be "
                                  "started alike");
    }
    return cli_ranks_agree(r, status);
}

int cli_ranks_begin(cli_ranks *r, const char *command, int argc, char **argv)
{
    int64_t rank;
    const int64_t processes = launched(&rank);
    memset(r, 0, sizeof *r);
    r->command = command;
    r->ranks = 1;
    r->errors = -1;
    if (processes <= 1) return CLI_WELL;
    const char *why = NULL;
    r->mpi = cli_mpi(&why);
    if (r->mpi == NULL) return refuse(command, rank, processes, why);
    r->mpi->start(&r->rank, &r->ranks);
    if (r->ranks != processes) return refuse(command, rank, processes, "it is not the launcher of liegrp's MPI");
    if (r->rank > 0) silence(r);
    return check_arguments(r, argc, argv);
}

void cli_ranks_end(cli_ranks *r)
{
    if (r->errors >= 0) {
        (void)dup2(r->errors, STDERR_FILENO);
        (void)close(r->errors);
    }
    if (r->said != NULL) (void)fclose(r->said);
    if (r->mpi != NULL) r->mpi->stop();
}
