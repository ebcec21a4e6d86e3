/* SPDX-License-Identifier: BSD-3-Clause */
/* A table of times and values: text with rows T,U. Every line is read, or refused with its number. */
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/place.h"
#include "base/text.h"
#include "cli/lib/system.h"
#include "cli/lib/table.h"

#define MOST (INT64_C(256) << 20) /* bytes of the largest table that is read */

enum { SHOWN = 48, MOST_COLUMNS = 512 };

typedef struct reading {
    cli_table *to;
    const char *command, *option, *name;
    int64_t line;
    int begun; /* a row, or the header, has been read */
} reading;

int cli_table_add(cli_table *c, double time, const double *values)
{
    const size_t columns = (size_t)c->columns;
    if (c->count == c->room) {
        const int64_t room = c->room > 0 ? 2 * c->room : 16;
        double *times = realloc(c->times, (size_t)room * sizeof *times), *more;
        if (times != NULL) c->times = times;
        more = times != NULL ? realloc(c->values, columns * (size_t)room * sizeof *more) : NULL;
        if (more == NULL) return 0;
        c->values = more;
        c->room = room;
    }
    c->times[c->count] = time;
    memcpy(c->values + columns * (size_t)c->count++, values, columns * sizeof *values);
    return 1;
}

/* Messages -------------------------------------------------------------------------------------------------------- */

/* Characters beyond ASCII that are invisible or look like blanks, dashes and quotes of ASCII; control characters. */
static int is_spacing(uint32_t c)
{
    return (c >= 0x80 && c < 0xc0) || (c >= 0x2000 && c < 0x2070) || c == 0x2212 || c == 0xfeff;
}

/* The beginning of a text, as it can be printed; returns `to`. */
static const char *shown(char to[SHOWN], const char *text)
{
    size_t used = 0;
    while (*text != '\0' && used + 4 < SHOWN) {
        uint32_t code = 0;
        const int bytes = lg_text_character(text, &code);
        const int plain = bytes > 0 && code >= 0x20 && code != 0x7f && !is_spacing(code);
        used += (size_t)snprintf(to + used, SHOWN - used, "%.*s", plain ? bytes : 1, plain ? text : "?");
        text += bytes > 0 ? bytes : 1;
    }
    to[used] = '\0';
    return to;
}

/* What a row is. */
static const char *row_of(const reading *r)
{
    if (r->to->named) return "a line of names, t,NAME,..., then lines of numbers: the time, and a value for each name";
    if (r->to->columns > 1) return "eight finite numbers, the time, a place and a quaternion: T,X,Y,Z,QX,QY,QZ,QW";
    if (strcmp(r->option, "control") == 0) return "two finite numbers, the time and the control: T,U";
    return "two finite numbers, the time and the position: T,Q";
}

static int refuse(const reading *r, const char *text, const char *why)
{
    char start[SHOWN];
    return cli_wrong(r->command, "--%s: %s, line %" PRId64 ": '%s' %s; give %s", r->option, r->name, r->line,
                     shown(start, text), why, row_of(r));
}

/* Lines ----------------------------------------------------------------------------------------------------------- */

static char *trim(char *text)
{
    char *end = text + strlen(text);
    while (end > text && (end[-1] == ' ' || end[-1] == '\t')) *--end = '\0';
    return text + strspn(text, " \t");
}

/* 1: the field begins like a number, after any signs, quotes and blanks of any alphabet; 2: like a word;
 * 0: like neither. */
static int beginning(const char *field, const char *end)
{
    for (int bytes; field<end; field += bytes> 0 ? bytes : 1) {
        uint32_t c = 0;
        bytes = lg_text_character(field, &c);
        if (bytes == 1 && isdigit((unsigned char)*field)) return 1;
        if (bytes > 1 && c >= 0xff10 && c <= 0xff19) return 1; /* digits as wide as an ideograph */
        if ((bytes == 1 && (isalpha((unsigned char)*field) || *field == '_')) || (bytes > 1 && !is_spacing(c)))
            return 2;
    }
    return 0;
}

/* nan, -inf: a number for strtod(), in letters. */
static int is_no_word(const char *field, const char *end)
{
    char text[SHOWN], *start, *stop;
    snprintf(text, sizeof text, "%.*s", (int)(end - field < SHOWN ? end - field : SHOWN), field);
    start = trim(text);
    (void)strtod(start, &stop);
    return stop > start && *stop == '\0';
}

/* No field of the line begins like a number, and one is a word. Fields end at a comma, semicolon or tab. */
static int is_header(const char *line)
{
    int words = 0;
    for (const char *at = line;; at++) {
        const char *end = at + strcspn(at, ",;\t");
        const int first = beginning(at, end);
        if (first == 1 || is_no_word(at, end)) return 0;
        words += first == 2;
        if (*end == '\0') return words > 0;
        at = end;
    }
}

static int read_number(const reading *r, const char *text, double *value)
{
    char *end;
    if (cli_number(text, value)) return CLI_WELL;
    if (*text == '\0') return refuse(r, text, "is found where a number is needed");
    *value = strtod(text, &end);
    if (end == text || *end != '\0') return refuse(r, text, "is not a number");
    if (isnan(*value) || isalpha((unsigned char)text[text[0] == '-' || text[0] == '+']))
        return refuse(r, text, "is not finite");
    return refuse(r, text, "is beyond the largest number, 1.8e308");
}

static int read_row(const reading *r, char *line)
{
    cli_table *c = r->to;
    double number[1 + MOST_COLUMNS];
    int status = CLI_WELL, commas = 0;
    for (const char *at = line; (at = strchr(at, ',')) != NULL; at++) commas++;
    if (commas == 0) return refuse(r, line, "has no comma");
    if (c->named && commas != c->columns) return refuse(r, line, "has another number of commas than the line of names");
    if (commas > c->columns)
        return refuse(r, line, c->columns == 1 ? "has more than one comma" : "has more than seven commas");
    if (commas < c->columns) return refuse(r, line, "has less than seven commas");
    for (int i = 0; status == CLI_WELL && i <= c->columns; i++) {
        char *comma = strchr(line, ',');
        if (comma != NULL) *comma = '\0';
        char *field = trim(line);
        if (c->named && i != c->time_at && (*field == '\0' || strcasecmp(field, "nan") == 0))
            number[i] = (double)NAN;
        else
            status = read_number(r, field, &number[i]);
        if (comma != NULL) line = comma + 1;
    }
    if (status != CLI_WELL) return status;
    const double time = number[c->time_at];
    memmove(number + 1, number, (size_t)c->time_at * sizeof *number);
    number[0] = time;
    const double before = c->count > 0 ? c->times[c->count - 1] : (double)-INFINITY;
    if (number[0] < before || (number[0] == before && !c->named))
        return cli_wrong(r->command, "--%s: %s, line %" PRId64 ": the times must increase, %.15g does not follow %.15g",
                         r->option, r->name, r->line, number[0], before);
    return cli_table_add(c, number[0], number + 1) ? CLI_WELL : cli_wrong(r->command, "out of memory");
}

/* The line of names. */
static int read_header(const reading *r, char *line)
{
    cli_table *c = r->to;
    if (!is_header(line)) return refuse(r, line, "does not name the columns");
    c->time_at = -1;
    for (const char *at = line; at != NULL; c->columns++) {
        const size_t length = strcspn(at, ",");
        if (length == 1 && *at == 't') c->time_at = c->columns;
        at = at[length] == ',' ? at + length + 1 : NULL;
    }
    c->columns--;
    if (c->columns < 1 || c->columns > MOST_COLUMNS) return refuse(r, line, "has no comma, or more than 512");
    if (c->time_at < 0) return refuse(r, line, "does not name the time, t");
    c->header = strdup(line);
    return c->header != NULL ? CLI_WELL : cli_wrong(r->command, "out of memory");
}

static int read_line(reading *r, char *line, size_t length)
{
    const int first = !r->begun;
    r->line++;
    if (memchr(line, '\0', length) != NULL)
        return cli_wrong(r->command,
                         "--%s: %s, line %" PRId64 ": a zero byte: the file is binary, or text in UTF-16; save it "
                         "as UTF-8",
                         r->option, r->name, r->line);
    line[length] = '\0';
    line = trim(line);
    if (*line == '\0') return CLI_WELL;
    r->begun = 1;
    if (first && r->to->named) return read_header(r, line);
    return first && is_header(line) ? CLI_WELL : read_row(r, line);
}

/* Lines end in LF, CR LF or CR. There is room for one byte behind the last one. */
static int read_lines(reading *r, char *at, const char *end)
{
    int status = CLI_WELL;
    if (end - at >= 3 && memcmp(at, "\xef\xbb\xbf", 3) == 0) at += 3; /* how spreadsheet programs mark UTF-8 */
    while (status == CLI_WELL && at < end) {
        char *stop = at;
        while (stop < end && *stop != '\n' && *stop != '\r') stop++;
        const int two = end - stop >= 2 && stop[0] == '\r' && stop[1] == '\n';
        status = read_line(r, at, (size_t)(stop - at));
        at = stop + 1 + two;
    }
    if (status == CLI_WELL && r->to->count == 0)
        return cli_wrong(r->command, "--%s: %s has no rows; give %s in each line", r->option, r->name,
                         strrchr(row_of(r), ' ') + 1);
    return status;
}

/* The file -------------------------------------------------------------------------------------------------------- */

static int too_long(const reading *r)
{
    return cli_wrong(r->command, "--%s: %s has more than %" PRId64 " MiB, the most that a table may have", r->option,
                     r->name, MOST >> 20);
}

/* The contents of the file, up to MOST bytes; to be freed in any case. */
static int read_bytes(const reading *r, FILE *f, char **bytes, size_t *size)
{
    size_t room = 0;
    while (!feof(f) && !ferror(f)) {
        if (*size + 1 >= room) {
            char *more = realloc(*bytes, room = 2 * room + 4096);
            if (more == NULL) return cli_wrong(r->command, "out of memory");
            *bytes = more;
        }
        *size += fread(*bytes + *size, 1, room - 1 - *size, f);
        if ((int64_t)*size > MOST) return too_long(r);
    }
    return ferror(f) ? cli_wrong(r->command, "--%s: %s: %s", r->option, r->name, strerror(errno)) : CLI_WELL;
}

/* 1: the output of another program, as `<(program)` or /dev/stdin. A named pipe could wait forever. */
static int is_own_pipe(const char *name, const struct stat *at)
{
    lg_place p;
    if (!S_ISFIFO(at->st_mode) || lg_place_find(&p, name) != 0) return 0;
    const int own = p.descriptor >= 0;
    lg_place_forget(&p);
    return own;
}

static int check_file(const reading *r, int fd)
{
    struct stat at;
    if (fstat(fd, &at) != 0) return cli_wrong(r->command, "--%s: %s: %s", r->option, r->name, strerror(errno));
    if (S_ISREG(at.st_mode)) return at.st_size > MOST ? too_long(r) : CLI_WELL;
    if (is_own_pipe(r->name, &at) && fcntl(fd, F_SETFL, O_RDONLY) == 0) return CLI_WELL; /* it waits for its bytes */
    return cli_wrong(r->command, "--%s: %s is %s; give a file", r->option, r->name,
                     S_ISDIR(at.st_mode)    ? "a directory"
                     : S_ISFIFO(at.st_mode) ? "a pipe that has a name"
                                            : "a device");
}

int cli_table_read(cli_table *c, const char *command, const char *option, const char *name)
{
    reading r = {c, command, option, name, 0, 0};
    char *bytes = NULL;
    size_t size = 0;
    const int fd = open(name, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    if (fd < 0)
        return cli_wrong(command, "--%s: '%s' is %sa file (%s)", option, name,
                         strcmp(option, "control") == 0 ? "neither a finite number nor " : "not ", strerror(errno));
    int status = check_file(&r, fd);
    FILE *f = status == CLI_WELL ? fdopen(fd, "rb") : NULL;
    if (f == NULL) {
        if (status == CLI_WELL) status = cli_wrong(command, "--%s: %s: %s", option, name, strerror(errno));
        (void)close(fd);
        return status;
    }
    status = read_bytes(&r, f, &bytes, &size);
    (void)fclose(f);
    if (status == CLI_WELL) status = read_lines(&r, bytes, bytes + size);
    free(bytes);
    return status;
}
