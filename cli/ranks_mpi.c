/* SPDX-License-Identifier: BSD-3-Clause */
/* The only file that uses MPI: a module that the tool loads under a launcher (ranks_load.c). MPI errors are fatal: MPI
 * reports them and ends all ranks. */
#define _GNU_SOURCE /* sched_getaffinity */
#include "cli/ranks.h"

#include <mpi.h>
#include <sched.h>
#include <string.h>
#include <unistd.h>

static void start(int *rank, int *ranks)
{
    int given;
    MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &given);
    MPI_Comm_rank(MPI_COMM_WORLD, rank);
    MPI_Comm_size(MPI_COMM_WORLD, ranks);
}

static void stop(void)
{
    MPI_Finalize();
}

static void share(void *bytes, int size, int from)
{
    MPI_Bcast(bytes, size, MPI_BYTE, from, MPI_COMM_WORLD);
}

static int first(int mine)
{
    int rank, ranks, lowest;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (!mine) rank = ranks;
    MPI_Allreduce(&rank, &lowest, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    return lowest;
}

static void send(const void *bytes, int size, int last)
{
    MPI_Send(bytes, size, MPI_BYTE, 0, last, MPI_COMM_WORLD);
}

static int receive(void *bytes, int room, int from, int *last)
{
    MPI_Status status;
    int got;
    MPI_Recv(bytes, room, MPI_BYTE, from, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
    MPI_Get_count(&status, MPI_BYTE, &got);
    *last = status.MPI_TAG;
    return got;
}

/* The processors on which the ranks of this machine may run, divided by the number of these ranks; at most those on
 * which this rank may run. */
static int processors(void)
{
    MPI_Comm here;
    int ranks, mine, all;
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &here);
    MPI_Comm_size(here, &ranks);
#ifdef CPU_COUNT
    cpu_set_t set;
    CPU_ZERO(&set);
    if (sched_getaffinity(0, sizeof set, &set) != 0) CPU_SET(0, &set);
    mine = CPU_COUNT(&set);
    MPI_Allreduce(MPI_IN_PLACE, &set, (int)sizeof set, MPI_BYTE, MPI_BOR, here);
    all = CPU_COUNT(&set);
#else
    mine = all = (int)sysconf(_SC_NPROCESSORS_ONLN);
#endif
    MPI_Comm_free(&here);
    all /= ranks;
    if (all > mine) all = mine;
    return all > 0 ? all : 1;
}

const cli_messages cli_mpi_messages;
const cli_messages cli_mpi_messages = {start, stop, share, first, send, receive, processors};
