/* SPDX-License-Identifier: BSD-3-Clause */
/* injector CALL N REPORT COMMAND...: runs the command, whose N-th system call of that name between the shim's marks
 * fails as it would on a full or broken disk, or at which it is killed (CALL kill: any of the calls that change files).
 * N < 0: none. REPORT gets a line `CALL NUMBER` for each name: how many there were. Exit status 98: processes cannot be
 * traced here. x86-64 and Linux only. */
#define _GNU_SOURCE
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

#include "marker.h"

enum { CANNOT = 98, CHANGES = 1 };

static const struct {
    const char *name;
    long number;
    int error;
    int changes; /* files */
} calls[] = {
    {"write", SYS_write, ENOSPC, CHANGES},
    {"openat", SYS_openat, EMFILE, CHANGES},
    {"close", SYS_close, EIO, CHANGES},
    {"fsync", SYS_fsync, EIO, CHANGES},
    {"rename", SYS_renameat, EIO, CHANGES},
    {"unlink", SYS_unlinkat, EIO, CHANGES},
    {"fchmod", SYS_fchmod, EPERM, CHANGES},
    {"flock", SYS_flock, ENOLCK, 0},
    {"stat", SYS_newfstatat, EIO, 0},
    {"fcntl", SYS_fcntl, EMFILE, 0},
    {"read", SYS_read, EIO, 0},
    {"access", SYS_faccessat2, EACCES, 0},
    {"pipe", SYS_pipe, EMFILE, 0},
    {"fork", SYS_clone, EAGAIN, 0},
};
enum { CALLS = sizeof calls / sizeof calls[0] };

typedef struct trace {
    const char *name;
    long at, count[CALLS], changes; /* how many so far: of each call, and of those that change files */
    int begun, inside, error;       /* inside a call; an error that it must return */
} trace;

/* Counts the call; 1 if it is the one asked for, *error: how it fails. */
static int wanted(trace *t, long number, int *error)
{
    for (int i = 0; i < CALLS; i++) {
        if (calls[i].number != number) continue;
        const long change = calls[i].changes ? t->changes++ : -1, n = t->count[i]++;
        *error = calls[i].error;
        return t->at >= 0 && (strcmp(t->name, "kill") == 0 ? change == t->at : strcmp(t->name, calls[i].name) == 0 && n == t->at);
    }
    return 0;
}

/* At the entry and at the exit of each system call of the first thread. */
static void look(trace *t, pid_t child)
{
    struct user_regs_struct r;
    if (ptrace(PTRACE_GETREGS, child, NULL, &r) != 0) return;
    t->inside = !t->inside;
    if (!t->inside) {
        if (t->error == 0) return;
        r.rax = (unsigned long long)-(long long)t->error;
        t->error = 0;
        (void)ptrace(PTRACE_SETREGS, child, NULL, &r);
        return;
    }
    int error;
    if (r.orig_rax == SYS_getsid && r.rdi == FAULT_END) t->begun = 0;
    if (r.orig_rax == SYS_write && r.rdi == STDERR_FILENO) return; /* errors must be reported somewhere */
    if (!t->begun || !wanted(t, (long)r.orig_rax, &error)) return;
    if (strcmp(t->name, "kill") == 0) {
        (void)kill(child, SIGKILL);
        return;
    }
    if (r.orig_rax == SYS_close) { /* it closes, and then fails */
        t->error = error;
        return;
    }
    t->error = error;
    r.orig_rax = (unsigned long long)-1;
    (void)ptrace(PTRACE_SETREGS, child, NULL, &r);
}

/* Before main() and after it, where the loader makes a thousand calls, the command does not stop at each. */
static int follow(trace *t, pid_t child)
{
    int status;
    if (waitpid(child, &status, 0) != child || !WIFSTOPPED(status)) return CANNOT;
    if (ptrace(PTRACE_SETOPTIONS, child, NULL, PTRACE_O_TRACESYSGOOD | PTRACE_O_EXITKILL) != 0) return CANNOT;
    for (long deliver = 0;;) {
        if (ptrace(t->begun ? PTRACE_SYSCALL : PTRACE_CONT, child, NULL, deliver) != 0 && errno != ESRCH) return CANNOT;
        if (waitpid(child, &status, 0) != child) return CANNOT;
        if (WIFEXITED(status)) return WEXITSTATUS(status);
        if (WIFSIGNALED(status)) return 128 + WTERMSIG(status);
        deliver = 0;
        if (WSTOPSIG(status) == (SIGTRAP | 0x80))
            look(t, child);
        else if (WSTOPSIG(status) == FAULT_BEGIN)
            t->begun = 1;
        else if (WSTOPSIG(status) != SIGTRAP)
            deliver = WSTOPSIG(status);
    }
}

int main(int argc, char **argv)
{
    if (argc < 5) return CANNOT;
    trace t = {.name = argv[1], .at = atol(argv[2])};
    const pid_t child = fork();
    if (child < 0) return CANNOT;
    if (child == 0) {
        if (ptrace(PTRACE_TRACEME, 0, NULL, NULL) != 0) _exit(CANNOT);
        execv(argv[4], argv + 4);
        _exit(CANNOT);
    }
    const int status = follow(&t, child);
    FILE *f = fopen(argv[3], "w");
    if (f == NULL) return CANNOT;
    for (int i = 0; i < CALLS; i++) fprintf(f, "%s %ld\n", calls[i].name, t.count[i]);
    fprintf(f, "kill %ld\n", t.changes);
    return fclose(f) == 0 ? status : CANNOT;
}
