/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/lib/print.h"
#include "cli/lib/progress.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* The only mutable globals of the program: a signal handler can reach nothing else. */
static volatile sig_atomic_t caught, count;

static void on_signal(int number)
{
    caught = number;
    count = (count + 1) % 1000;
}

void cli_catch_signals(void)
{
    struct sigaction action, before;
    memset(&action, 0, sizeof action);
    action.sa_handler = on_signal;
    action.sa_flags = SA_RESTART; /* a write in progress is finished */
    sigemptyset(&action.sa_mask);
    (void)sigaction(SIGINT, &action, NULL);
    (void)sigaction(SIGTERM, &action, NULL);
    /* Under nohup a terminal that is closed stops nothing. */
    if (sigaction(SIGHUP, NULL, &before) == 0 && before.sa_handler != SIG_IGN) (void)sigaction(SIGHUP, &action, NULL);
}

int cli_caught(void)
{
    return (int)caught;
}

int cli_caught_count(void)
{
    return (int)count;
}

double cli_now(void)
{
    struct timespec t = {0, 0}; /* which does not change without a clock */
    (void)clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

void cli_bar(int *drawn, const char *title, double done, double elapsed)
{
    enum { WIDTH = 40 };
    char bar[WIDTH + 1];
    if (elapsed <= 1 || !isatty(STDERR_FILENO)) return;
    for (int i = 0; i < WIDTH; i++) bar[i] = i < (int)(done * WIDTH) ? '#' : '.';
    bar[WIDTH] = '\0';
    cli_print(stderr, "\r%s [%s] %3d %%, %.0f s left  ", title, bar, (int)(100 * done), elapsed * (1 - done) / done);
    *drawn = 1;
}

void cli_tick(int *drawn, const char *text, double elapsed)
{
    if (elapsed <= 1 || !isatty(STDERR_FILENO)) return;
    cli_print(stderr, "\r%-79.79s", text);
    *drawn = 1;
}

void cli_erase_bar(int drawn)
{
    if (drawn) cli_print(stderr, "\r%79s\r", "");
}
