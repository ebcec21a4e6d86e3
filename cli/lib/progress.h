/* SPDX-License-Identifier: BSD-3-Clause */
/* Shared by long commands: the clock, a progress bar, and Ctrl-C. */
#ifndef LIEGRP_CLI_PROGRESS_H
#define LIEGRP_CLI_PROGRESS_H

/* From now on Ctrl-C, SIGTERM and SIGHUP (a terminal that is closed) only set what cli_caught() returns. */
void cli_catch_signals(void);
/* The signal that has arrived, 0: none. */
int cli_caught(void);
/* Changes with every signal. */
int cli_caught_count(void);
/* Seconds of a monotonic clock. */
double cli_now(void);
/* Draws a progress bar on a terminal after the first second: `done` in (0, 1]. Sets *drawn = 1 when it is visible. */
void cli_bar(int *drawn, const char *title, double done, double elapsed);
/* Shows a line in place of a bar, for work whose end is not known. */
void cli_tick(int *drawn, const char *text, double elapsed);
void cli_erase_bar(int drawn);

#endif
