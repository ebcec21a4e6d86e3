/* SPDX-License-Identifier: BSD-3-Clause */
/* What long commands share: the clock, a bar on the screen, and Ctrl-C. */
#ifndef LIEGRP_CLI_PROGRESS_H
#define LIEGRP_CLI_PROGRESS_H

/* From now on Ctrl-C and SIGTERM only say so to cli_caught(). */
void cli_catch_signals(void);
/* The signal that has come, 0: none. */
int cli_caught(void);
/* Seconds on a clock that only goes forward. */
double cli_now(void);
/* A bar on a terminal once a second has gone: `done` in (0, 1]. *drawn = 1 when it stands there. */
void cli_bar(int *drawn, const char *title, double done, double elapsed);
void cli_erase_bar(int drawn);

#endif
