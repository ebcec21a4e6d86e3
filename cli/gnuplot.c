/* SPDX-License-Identifier: BSD-3-Clause */
#include "gnuplot.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "options.h"

int cli_gnuplot_knows(const char *file)
{
    static const char *const ends[] = {".png", ".svg", ".pdf"};
    const size_t length = strlen(file);
    for (int i = 0; i < 3; i++) {
        if (length > 4 && strcmp(file + length - 4, ends[i]) == 0) return 1;
    }
    return 0;
}

/* The script ------------------------------------------------------------------------------------------------------ */

void cli_gnuplot_quote(FILE *f, const char *text)
{
    fputc('\'', f);
    for (; *text != '\0'; text++) {
        if (*text == '\'') fputc('\'', f);
        fputc(*text, f);
    }
    fputc('\'', f);
}

void cli_gnuplot_label(FILE *f, const char *axis, const char *name, const char *unit)
{
    char text[128];
    snprintf(text, sizeof text, unit[0] != '\0' ? "%s [%s]" : "%s", name, unit);
    fprintf(f, "set %slabel ", axis);
    cli_gnuplot_quote(f, text);
    fputc('\n', f);
}

static void set_terminal(FILE *f, const char *file, int width, int height)
{
    const char *end = file + strlen(file) - 4;
    if (strcmp(end, ".svg") == 0) {
        fprintf(f, "set terminal svg size %d,%d noenhanced font 'Arial,14' background 'white'\n", width, height);
    } else if (strcmp(end, ".pdf") == 0) {
        fprintf(f,
                "if (strstrt(GPVAL_TERMINALS, ' pdfcairo ') > 0) {\n"
                "  set terminal pdfcairo size %gin,%gin noenhanced font 'Sans,14'\n"
                "} else {\n  set terminal pdf size %gin,%gin noenhanced\n}\n",
                width / 100.0, height / 100.0, width / 100.0, height / 100.0);
    } else {
        fprintf(f,
                "if (strstrt(GPVAL_TERMINALS, ' pngcairo ') > 0) {\n"
                "  set terminal pngcairo size %d,%d noenhanced font 'Sans,11'\n"
                "} else {\n  set terminal png size %d,%d noenhanced\n}\n",
                width, height, width, height);
    }
}

/* The script in a temporary file, whose name is left in `name`. */
static int save_script(const char *command, char *name, size_t room, cli_writer write, const void *context)
{
    const char *folder = getenv("TMPDIR");
    FILE *f = NULL;
    int fd, failed;
    snprintf(name, room, "%s/liegrp-XXXXXX", folder != NULL && folder[0] != '\0' ? folder : "/tmp");
    fd = mkstemp(name);
    if (fd >= 0) f = fdopen(fd, "w");
    if (f == NULL) {
        if (fd >= 0) (void)close(fd);
        return cli_complain(command, name, strerror(errno));
    }
    write(f, context);
    failed = ferror(f);
    if (fclose(f) != 0 || failed) return cli_complain(command, name, strerror(errno));
    return CLI_WELL;
}

/* Running it ------------------------------------------------------------------------------------------------------ */

/* Runs gnuplot on the script; its standard output goes to ours for errors. */
static int run_script(const char *command, const char *script)
{
    enum { NOT_FOUND = 127 };
    int status = 0;
    const pid_t child = fork();
    if (child < 0) return cli_complain(command, "gnuplot", strerror(errno));
    if (child == 0) {
        if (dup2(STDERR_FILENO, STDOUT_FILENO) >= 0) {
            execlp("gnuplot", "gnuplot", "--default-settings", script, (char *)NULL);
        }
        _exit(NOT_FOUND);
    }
    while (waitpid(child, &status, 0) < 0) {
        if (errno != EINTR) return cli_complain(command, "gnuplot", strerror(errno));
    }
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return CLI_WELL;
    if (WIFEXITED(status) && WEXITSTATUS(status) == NOT_FOUND) {
        return cli_complain(command, "no plot", "gnuplot is not installed or not in PATH (Debian: gnuplot-nox)");
    }
    return cli_complain(command, "no plot", "gnuplot failed");
}

/* A script with its terminal and output. */
typedef struct picture {
    const char *file, *part;
    int width, height;
    cli_writer write;
    const void *context;
} picture;

static void write_picture(FILE *f, const void *context)
{
    const picture *p = context;
    set_terminal(f, p->file, p->width, p->height);
    fputs("set output ", f);
    cli_gnuplot_quote(f, p->part);
    fputc('\n', f);
    p->write(f, p->context);
    fputs("set output\n", f);
}

int cli_gnuplot_draw(const char *command, const char *file, int width, int height, cli_writer write,
                     const void *context)
{
    char script[512];
    char *part = cli_part_name(file);
    FILE *f = part != NULL ? fopen(part, "w") : NULL; /* gnuplot's own message would be about its line */
    const picture p = {file, part, width, height, write, context};
    int status;
    if (f == NULL) {
        status = cli_complain(command, file, strerror(errno));
        free(part);
        return status;
    }
    fclose(f);
    status = save_script(command, script, sizeof script, write_picture, &p);
    if (status == CLI_WELL) status = run_script(command, script);
    (void)remove(script);
    if (status == CLI_WELL && rename(part, file) != 0) status = cli_complain(command, file, strerror(errno));
    if (status != CLI_WELL) (void)remove(part);
    free(part);
    return status;
}
