/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/lib/fit.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/lib/symbols.h"
#include "cli/lib/terminal.h"

enum { LEAST = 40, INDENT = 4 };

void cli_fit_begin(cli_fit *t)
{
    t->kept = NULL, t->width = cli_width(stdout);
    if (t->width < LEAST || fflush(stdout) != 0) return;
    t->kept = tmpfile();
    t->out = t->kept != NULL ? dup(STDOUT_FILENO) : -1;
    if (t->out >= 0 && dup2(fileno(t->kept), STDOUT_FILENO) >= 0) return;
    if (t->out >= 0) close(t->out);
    if (t->kept != NULL) fclose(t->kept);
    t->kept = NULL;
}

/* Does the terminal show UTF-8? */
static int is_utf8(void)
{
    static const char *const names[] = {"LC_ALL", "LC_CTYPE", "LANG"};
    for (int i = 0; i < 3; i++) {
        const char *value = getenv(names[i]);
        if (value != NULL && value[0] != '\0')
            return strstr(value, "UTF-8") != NULL || strstr(value, "utf8") != NULL || strstr(value, "UTF8") != NULL;
    }
    return 0;
}

void cli_fit_end(cli_fit *t)
{
    char *line = NULL;
    size_t room = 0;
    if (t->kept == NULL) return;
    fflush(stdout);
    dup2(t->out, STDOUT_FILENO);
    close(t->out);
    rewind(t->kept);
    for (ssize_t length; (length = getline(&line, &room, t->kept)) >= 0;) {
        if (length > 0 && line[length - 1] == '\n') line[length - 1] = '\0';
        cli_fit_line(stdout, line, t->width, is_utf8());
    }
    free(line);
    fclose(t->kept);
}

/* Has the line a word, such as a list of names, that is wider than the terminal? */
static int has_wide_word(const char *line, int width)
{
    for (size_t length; *line != '\0'; line += length + (line[length] == ' ')) {
        length = strcspn(line, " ");
        if (cli_columns(line, length) > width) return 1;
    }
    return 0;
}

/* The line with superscripts if `symbols`; what they save goes to the next gap of two blanks. `loose`: with a blank
 * after each comma. NULL: out of memory. */
static char *for_people(const char *line, int symbols, int loose)
{
    const size_t room = 4 * strlen(line) + 1;
    char *to = malloc(room);
    size_t used = 0;
    int saved = 0;
    for (; to != NULL && *line != '\0';) {
        size_t bytes = 0;
        const size_t read = symbols ? symbols_exponent(to + used, room - used, line, &bytes) : 0;
        if (read > 0) {
            saved += (int)read - cli_columns(to + used, bytes);
            used += bytes, line += read;
            continue;
        }
        for (; saved > 0 && line[0] == ' ' && line[1] == ' '; saved--) to[used++] = ' ';
        to[used++] = *line++;
        if (loose && line[-1] == ',' && line[0] != ' ') to[used++] = ' ';
    }
    if (to != NULL) to[used] = '\0';
    return to;
}

/* Where the text behind the last two blanks of the line begins. */
static size_t last_column(const char *line)
{
    size_t at = strspn(line, " ");
    for (size_t i = at; line[i] != '\0'; i++)
        if (line[i] == ' ' && line[i + 1] == ' ' && line[i + 2] != ' ' && line[i + 2] != '\0') at = i + 2;
    return at;
}

void cli_fit_line(FILE *f, const char *line, int width, int symbols)
{
    char *own = for_people(line, symbols, has_wide_word(line, width));
    const char *text = own != NULL ? own : line;
    const size_t at = last_column(text);
    const int before = cli_columns(text, at);
    if (cli_columns(text, strlen(text)) <= width) {
        fprintf(f, "%s\n", text);
    } else {
        fprintf(f, "%.*s", (int)at, text);
        cli_wrap(f, text + at, before, 2 * before <= width && before > INDENT ? before : INDENT, width);
    }
    free(own);
}
