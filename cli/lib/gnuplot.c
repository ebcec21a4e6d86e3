/* SPDX-License-Identifier: BSD-3-Clause */
/* Gnuplot reads a temporary script and writes a file beside the picture. */
#include "cli/lib/gnuplot.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/lib/options.h"
#include "cli/lib/style.h"
#include "cli/lib/text.h"

int cli_plot_knows(const char *file)
{
    static const char *const ends[] = {".png", ".svg", ".pdf"};
    const size_t length = strlen(file);
    for (int i = 0; i < 3; i++) {
        if (length > 4 && strcmp(file + length - 4, ends[i]) == 0) return 1;
    }
    return 0;
}

static int complain(const char *command, const char *what, const char *why)
{
    fprintf(stderr, "liegrp %s: %s: %s\n", command, what, why);
    return CLI_WRONG_USE;
}

/* "./FILE.part", or "FILE.part" where the name begins with '/': gnuplot may interpret other beginnings. */
static char *part_name(const char *file)
{
    const size_t room = strlen(file) + sizeof "./.part";
    char *part = malloc(room);
    if (part != NULL) snprintf(part, room, "%s%s.part", file[0] == '/' ? "" : "./", file);
    return part;
}

/* Writes the part through write() (NULL: leaves it empty) and, if that succeeds and `keep` is 1, renames it. */
static int write_part(const char *command, const char *file, void (*write)(FILE *f, const void *context),
                      const void *context, int keep)
{
    char *part = part_name(file);
    FILE *f = part != NULL ? fopen(part, "w") : NULL;
    int failed = f == NULL;
    if (f != NULL && write != NULL) write(f, context);
    if (f != NULL) {
        failed = ferror(f) != 0;
        failed |= fclose(f) != 0;
    }
    if (!failed && keep) failed = rename(part, file) != 0;
    if (failed) (void)complain(command, file, strerror(errno));
    if (f != NULL && (failed || !keep)) (void)remove(part);
    free(part);
    return failed ? CLI_WRONG_USE : CLI_WELL;
}

int cli_plot_possible(const char *command, const char *file)
{
    return write_part(command, file, NULL, NULL, 0);
}

int cli_write_beside(const char *command, const char *file, void (*write)(FILE *f, const void *context),
                     const void *context)
{
    return write_part(command, file, write, context, 1);
}

/* The script ------------------------------------------------------------------------------------------------------ */

/* Runs gnuplot on the script; its standard output goes to our standard error. */
static int run_gnuplot(const char *command, const char *script)
{
    enum { NOT_FOUND = 127 };
    int status = 0;
    const pid_t child = fork();
    if (child < 0) return complain(command, "gnuplot", strerror(errno));
    if (child == 0) {
        if (dup2(STDERR_FILENO, STDOUT_FILENO) >= 0) {
            execlp("gnuplot", "gnuplot", "--default-settings", script, (char *)NULL);
        }
        _exit(NOT_FOUND);
    }
    while (waitpid(child, &status, 0) < 0) {
        if (errno != EINTR) return complain(command, "gnuplot", strerror(errno));
    }
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return CLI_WELL;
    if (WIFEXITED(status) && WEXITSTATUS(status) == NOT_FOUND) {
        return complain(command, "no plot", "gnuplot is not installed or not in PATH (Debian: gnuplot-nox)");
    }
    return complain(command, "no plot", "gnuplot failed");
}

/* The script in a temporary file, whose name is left in `name`. */
static int save_script(const cli_picture *p, char *name, size_t room, const char *part)
{
    const char *folder = getenv("TMPDIR");
    FILE *f = NULL;
    int fd, failed;
    snprintf(name, room, "%s/liegrp-XXXXXX", folder != NULL && folder[0] != '\0' ? folder : "/tmp");
    fd = mkstemp(name);
    if (fd >= 0) f = fdopen(fd, "w");
    if (f == NULL) {
        if (fd >= 0) (void)close(fd);
        return complain(p->command, name, strerror(errno));
    }
    style_terminal(f, p->file, p->width, p->height);
    fputs("set output ", f);
    text_gnuplot(f, part);
    fputc('\n', f);
    p->write(f, p->context);
    fputs("set output\n", f);
    failed = ferror(f);
    if (fclose(f) != 0 || failed) return complain(p->command, name, strerror(errno));
    return CLI_WELL;
}

int cli_gnuplot(const cli_picture *p)
{
    char script[512] = "";
    char *part = part_name(p->file);
    int status = cli_plot_possible(p->command, p->file); /* gnuplot's own message would cite a line of the script */
    if (part == NULL || status != CLI_WELL) {
        free(part);
        return CLI_WRONG_USE;
    }
    status = save_script(p, script, sizeof script, part);
    if (status == CLI_WELL) status = run_gnuplot(p->command, script);
    if (script[0] != '\0') (void)remove(script);
    if (status == CLI_WELL && rename(part, p->file) != 0) status = complain(p->command, p->file, strerror(errno));
    if (status != CLI_WELL) (void)remove(part);
    free(part);
    return status;
}
