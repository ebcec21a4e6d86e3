/* SPDX-License-Identifier: BSD-3-Clause */
/* Gnuplot reads the script from its standard input and writes the picture to its standard output, so it learns no name
 * of a file: names that its language could misread do no harm. */
#define _XOPEN_SOURCE 700
#include "cli/lib/gnuplot.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/file.h"
#include "cli/lib/options.h"
#include "cli/lib/print.h"
#include "cli/lib/progress.h"

int cli_plot_knows(const char *file)
{
    static const char *const ends[] = {".png", ".svg", ".pdf"};
    const size_t length = strlen(file);
    for (int i = 0; i < 3; i++) {
        if (length > 4 && strcmp(file + length - 4, ends[i]) == 0) return 1;
    }
    return 0;
}

int cli_plot_check(const char *command, const char *file)
{
    if (file == NULL || cli_plot_knows(file)) return CLI_WELL;
    return cli_wrong(command, "--plot %s: the name must end in .png, .svg or .pdf", file);
}

static int complain(const char *command, const char *what, const char *why)
{
    cli_print(stderr, "liegrp %s: %s: %s\n", command, what, why);
    return CLI_WRONG_USE;
}

/* The script ------------------------------------------------------------------------------------------------------ */

/* Writes the script into the pipe and closes it. 0, or errno: gnuplot has only a part of the script, which it may draw.
 * If gnuplot has ended, its exit status shows the failure. */
static int send_script(int pipe, const char *file, const sheet *s)
{
    const style_page page = sheet_layout(s);
    struct sigaction ignore, before;
    FILE *f = fdopen(pipe, "w");
    int failed, number = errno;
    if (f == NULL) {
        (void)close(pipe);
        return number;
    }
    memset(&ignore, 0, sizeof ignore);
    ignore.sa_handler = SIG_IGN;
    sigemptyset(&ignore.sa_mask);
    (void)sigaction(SIGPIPE, &ignore, &before);
    style_terminal(f, file, &page);
    sheet_write_script(s, f);
    fputs("unset output\n", f);
    errno = 0;
    failed = fflush(f) != 0 || ferror(f);
    number = errno != 0 ? errno : EIO;
    (void)fclose(f);
    (void)sigaction(SIGPIPE, &before, NULL);
    return failed && number != EPIPE ? number : 0;
}

/* Gnuplot ---------------------------------------------------------------------------------------------------------- */

enum { NOT_FOUND = 127 };

/* In the child: closes the other end of its own input, whose end it would never see otherwise. */
static void become_gnuplot(int script, int other, int picture)
{
    (void)close(other);
    if (dup2(script, STDIN_FILENO) >= 0 && dup2(picture, STDOUT_FILENO) >= 0) /* LCOV_EXCL_BR_LINE: exec ends counts */
        execlp("gnuplot", "gnuplot", "--default-settings", "-", (char *)NULL);
    _exit(NOT_FOUND);
}

/* Waits for it; a signal that comes meanwhile ends it. */
static int wait_for(pid_t child, int *status, int signals)
{
    const struct timespec pause = {0, 5000000};
    for (;;) {
        const pid_t ended = waitpid(child, status, WNOHANG);
        if (ended == child) return 0;
        if (ended < 0 && errno != EINTR) return -1;
        if (cli_caught_count() != signals) (void)kill(child, SIGTERM);
        (void)nanosleep(&pause, NULL);
    }
}

/* Draws onto the descriptor. 0, or the exit status after a message. */
static int draw(const char *command, const char *file, const sheet *s, int picture)
{
    const int signals = cli_caught_count();
    int ends[2], status = 0, unsent;
    pid_t child;
    if (pipe(ends) != 0) return complain(command, "gnuplot", strerror(errno));
    child = fork();
    if (child == 0) become_gnuplot(ends[0], ends[1], picture); /* LCOV_EXCL_BR_LINE: exec ends counts */
    (void)close(ends[0]);
    if (child < 0) {
        (void)close(ends[1]);
        return complain(command, "gnuplot", strerror(errno));
    }
    unsent = send_script(ends[1], file, s);
    if (wait_for(child, &status, signals) != 0) return complain(command, "gnuplot", strerror(errno));
    if (cli_caught_count() != signals) {
        (void)complain(command, file, "interrupted, not drawn");
        return 128 + cli_caught();
    }
    if (unsent != 0) return complain(command, "no plot: gnuplot's script", strerror(unsent));
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return CLI_WELL;
    if (WIFEXITED(status) && WEXITSTATUS(status) == NOT_FOUND)
        return complain(command, "no plot", "gnuplot is not installed or not in PATH (Debian: gnuplot-nox)");
    return complain(command, "no plot", "gnuplot failed");
}

int cli_gnuplot(const char *command, const char *file, const sheet *s)
{
    lg_error e = {LG_OK, ""};
    lg_file *f;
    int status;
    if (!sheet_complete(s)) return complain(command, "no plot", "out of memory");
    /* Signals are blocked from here on, since a temporary file exists; a pipe, however, could wait forever. */
    if (!lg_file_names_device(file)) cli_catch_signals();
    if (lg_file_open(&f, file, &e) != LG_OK) return complain(command, "no plot", e.message);
    status = draw(command, file, s, fileno(lg_file_stream(f)));
    if (lg_file_close(f, status == CLI_WELL, &e) != LG_OK) return complain(command, "no plot", e.message);
    return status;
}
