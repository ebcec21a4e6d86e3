/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/lib/terminal.h"

#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

/* 0 also for the terminal that mpirun gives to ranks: it has no columns, and what it gets may go to a file. */
int cli_width(FILE *f)
{
    struct winsize size;
    if (!isatty(fileno(f)) || ioctl(fileno(f), TIOCGWINSZ, &size) != 0) return 0;
    return size.ws_col;
}

/* Is the variable set, and not empty? */
static int set(const char *name)
{
    const char *value = getenv(name);
    return value != NULL && value[0] != '\0';
}

static int has_colours(FILE *f)
{
    const char *terminal = getenv("TERM");
    if (set("NO_COLOR")) return 0;
    if (set("CLICOLOR_FORCE")) return 1;
    return cli_width(f) > 0 && terminal != NULL && strcmp(terminal, "dumb") != 0;
}

const char *cli_coloured(FILE *f, cli_ink ink)
{
    static const char *const sequences[] = {"\033[0m", "\033[1m", "\033[1;31m", "\033[33m"};
    return has_colours(f) ? sequences[ink] : "";
}

void cli_mark(FILE *f, cli_ink ink, const char *words)
{
    fprintf(f, "%s%s:%s ", cli_coloured(f, ink), words, cli_coloured(f, CLI_PLAIN));
}

int cli_columns(const char *text, size_t length)
{
    int count = 0;
    for (size_t i = 0; i < length; i++) count += ((unsigned char)text[i] & 0xc0) != 0x80;
    return count;
}

void cli_wrap(FILE *f, const char *text, int at, int indent, int width)
{
    for (int first = 1; *text != '\0'; first = 0) {
        const size_t length = strcspn(text, " \n");
        const int wide = cli_columns(text, length);
        if (!first && at + 1 + wide > width && at > indent) {
            fprintf(f, "\n%*s", indent, "");
            at = indent;
        } else if (!first && at > indent) {
            fputc(' ', f), at++;
        }
        fprintf(f, "%.*s", (int)length, text);
        at += wide;
        text += length;
        for (; *text == ' ' || *text == '\n'; text++) {
            if (*text != '\n') continue;
            fprintf(f, "\n%*s", text[1] == '\n' ? 0 : indent, "");
            at = indent;
        }
    }
    fputc('\n', f);
}
