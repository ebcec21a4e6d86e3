/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/lib/options.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/lib/print.h"
#include "cli/lib/terminal.h"

/* Options --------------------------------------------------------------------------------------------------------- */

cli_parser cli_begin(const char *command, const cli_option *options, int argc, char **argv)
{
    const cli_parser p = {command, options, argc, argv, 1, 0, NULL};
    return p;
}

static int unknown_option(const cli_parser *p, const char *name)
{
    enum { MOST = 96 };
    const char *names[MOST];
    const char *meant;
    int count = 0;
    for (const cli_option *o = p->options; o->name != NULL && count < MOST - 2; o++) names[count++] = o->name;
    names[count++] = "help";
    names[count] = NULL;
    meant = cli_suggestion(name, names);
    if (meant != NULL) {
        cli_wrong(p->command, "unknown option '--%s'; did you mean '--%s'?", name, meant);
    } else {
        cli_wrong(p->command, "unknown option '--%s'", name);
    }
    return CLI_BAD;
}

int cli_takes(const cli_option *o, const char *word)
{
    const size_t length = strlen(word);
    if (o->value == NULL || o->value[0] != '[') return o->value != NULL;
    for (const char *at = o->value; length > 0 && *at != '\0' && *at != ']'; at += 1 + strcspn(at + 1, "|]"))
        if (strncmp(at + 1, word, length) == 0 && strchr("|]", at[length + 1]) != NULL) return 1;
    return 0;
}

/* The option at `name`, whose value may follow '=' or be the next argument. */
static int take_option(cli_parser *p, const char *name)
{
    const char *equal = strchr(name, '=');
    const size_t length = equal != NULL ? (size_t)(equal - name) : strlen(name);
    char word[64];
    snprintf(word, sizeof word, "%.*s", (int)(length < 60 ? length : 60), name);
    if (strcmp(word, "help") == 0 && equal == NULL) return CLI_HELP;
    for (int i = 0; p->options[i].name != NULL; i++) {
        const cli_option *o = &p->options[i];
        if (strcmp(o->name, word) != 0) continue;
        p->value = equal != NULL ? equal + 1 : NULL;
        if (o->value == NULL && equal != NULL) {
            cli_wrong(p->command, "option '--%s' takes no value", o->name);
            return CLI_BAD;
        }
        if (o->value != NULL && equal == NULL && o->value[0] == '[') {
            if (p->at < p->argc && cli_takes(o, p->argv[p->at])) p->value = p->argv[p->at++];
        } else if (o->value != NULL && equal == NULL) {
            if (p->at >= p->argc || strncmp(p->argv[p->at], "--", 2) == 0) {
                cli_wrong(p->command, "option '--%s' needs a value: --%s %s", o->name, o->name, o->value);
                return CLI_BAD;
            }
            p->value = p->argv[p->at++];
        }
        if (p->value != NULL && p->value[0] == '\0') {
            cli_wrong(p->command, "the value of option '--%s' is empty: --%s %s", o->name, o->name, o->value);
            return CLI_BAD;
        }
        return i;
    }
    return unknown_option(p, word);
}

int cli_next(cli_parser *p)
{
    const char *word;
    if (p->at >= p->argc) return CLI_END;
    word = p->argv[p->at++];
    if (!p->words_only && strcmp(word, "--") == 0) {
        p->words_only = 1;
        return cli_next(p);
    }
    if (!p->words_only && strncmp(word, "--", 2) == 0) return take_option(p, word + 2);
    if (!p->words_only && strcmp(word, "-h") == 0) return CLI_HELP;
    if (!p->words_only && word[0] == '-' && word[1] != '\0') {
        cli_wrong(p->command, "unknown option '%s'; options begin with two dashes", word);
        return CLI_BAD;
    }
    p->value = word;
    return CLI_WORD;
}

/* Messages -------------------------------------------------------------------------------------------------------- */

int cli_wrong(const char *command, const char *format, ...)
{
    const char *blank = command[0] != '\0' ? " " : "";
    char tool[80];
    va_list arguments;
    snprintf(tool, sizeof tool, "liegrp%s%.60s", blank, command);
    cli_mark(stderr, CLI_ERROR, tool);
    va_start(arguments, format);
    cli_vprint(stderr, format, arguments);
    va_end(arguments);
    cli_print(stderr, "\nsee liegrp%s%s --help\n", blank, command);
    return CLI_WRONG_USE;
}

static int least(int a, int b)
{
    return a < b ? a : b;
}

/* What a word is compared with. */
typedef enum { WHOLE, BEGINNING, ANYWHERE } extent;

/* The Levenshtein distance of two short words, or of `a` to the nearest beginning or part of `b`; 99 if one is long. */
static int distance(const char *a, const char *b, extent where)
{
    enum { MOST = 40 };
    const int na = (int)strlen(a), nb = (int)strlen(b);
    int row[MOST + 1] = {0}, nearest;
    if (na > MOST || nb > MOST) return 99;
    for (int j = 0; j <= nb; j++) row[j] = where == ANYWHERE ? 0 : j;
    for (int i = 1; i <= na; i++) {
        int corner = row[0];
        row[0] = i;
        for (int j = 1; j <= nb; j++) {
            const int change = corner + (tolower((unsigned char)a[i - 1]) != tolower((unsigned char)b[j - 1]));
            corner = row[j];
            row[j] = least(change, least(row[j], row[j - 1]) + 1);
        }
    }
    nearest = row[nb];
    for (int j = 0; where != WHOLE && j < nb; j++) nearest = least(nearest, row[j]);
    return nearest;
}

const char *cli_suggestion(const char *word, const char *const *names)
{
    const char *best = NULL;
    int nearest = least(3, (int)strlen(word)); /* a word of two letters would be "near" everything */
    for (; *names != NULL; names++) {
        const int d = distance(word, *names, WHOLE);
        if (d < nearest) {
            nearest = d;
            best = *names;
        }
    }
    return best;
}

enum { LISTED = 12, NEAREST = 3 }; /* names that a message lists; of longer lists it gives the nearest */

/* How far a name is from a word; one that contains the word is nearer than all that do not. Of others the best
 * beginning and the best part count: a word is more often cut short than wrong everywhere. */
static int remoteness(const char *word, const char *name)
{
    const int within = word[0] != '\0' && strstr(name, word) != NULL;
    if (within) return (int)strlen(name) - (int)strlen(word) - 1000;
    return 100 * (distance(word, name, BEGINNING) + distance(word, name, ANYWHERE)) + distance(word, name, WHOLE);
}

/* nearest[0 ...] are the NEAREST names; NULL: fewer. */
static void find_nearest(const char **nearest, const char *word, const char *const *names)
{
    for (; *names != NULL; names++) {
        int at = NEAREST;
        while (at > 0 && (nearest[at - 1] == NULL || remoteness(word, *names) < remoteness(word, nearest[at - 1])))
            at--;
        for (int k = NEAREST - 1; k > at; k--) nearest[k] = nearest[k - 1];
        if (at < NEAREST) nearest[at] = *names;
    }
}

int cli_nearest(char *list, size_t room, const char *word, const char *const *names)
{
    const char *nearest[NEAREST + 1] = {NULL};
    const char *const *listed = names;
    int count = 0;
    while (names[count] != NULL) count++;
    if (count > LISTED) find_nearest(nearest, word, names), listed = nearest;
    list[0] = '\0';
    for (size_t used = 0; *listed != NULL && used < room; listed++, used = strlen(list))
        snprintf(list + used, room - used, "%s%s", used > 0 ? ", " : "", *listed);
    return count > LISTED ? count : 0;
}

int cli_unknown(const char *command, const char *what, const char *word, const char *const *names)
{
    const char *meant = cli_suggestion(word, names);
    char list[1024], suggestion[128] = "";
    const int count = cli_nearest(list, sizeof list, word, names);
    if (meant != NULL) snprintf(suggestion, sizeof suggestion, "did you mean '%s'? ", meant);
    if (count > 0)
        return cli_wrong(command, "unknown %s '%s'; %sthe nearest of %d are %s; liegrp list has all", what, word,
                         suggestion, count, list);
    return cli_wrong(command, "unknown %s '%s'; %sknown: %s", what, word, suggestion, list);
}

/* Numbers --------------------------------------------------------------------------------------------------------- */

int cli_number(const char *text, double *value)
{
    char *end;
    double number;
    if (text[0] == '\0' || isspace((unsigned char)text[0])) return 0;
    number = strtod(text, &end);
    if (*end != '\0' || end == text || !isfinite(number)) return 0;
    *value = number;
    return 1;
}

int cli_count(const char *text, int64_t *value)
{
    double number;
    if (!cli_number(text, &number) || !(number >= 0 && number <= 1e15) || number != floor(number)) return 0;
    *value = (int64_t)number; /* exact: below 2^53 */
    return 1;
}

int cli_three(const char *text, double *values)
{
    for (int i = 0; i < 3; i++) {
        const size_t length = strcspn(text, ",");
        char part[64];
        if (length >= sizeof part || (text[length] == ',') != (i < 2)) return 0;
        snprintf(part, sizeof part, "%.*s", (int)length, text);
        if (!cli_number(part, &values[i])) return 0;
        text += length + 1;
    }
    return 1;
}

int cli_angle(const char *text, double *value, int *degrees)
{
    const size_t length = strlen(text);
    char number[64];
    *degrees = length > 3 && length < sizeof number && strcmp(text + length - 3, "deg") == 0;
    if (!*degrees) return cli_number(text, value);
    snprintf(number, sizeof number, "%.*s", (int)(length - 3), text);
    if (!cli_number(number, value)) return 0;
    *value *= 0.017453292519943295; /* pi/180 */
    return 1;
}

int cli_assignment(const char *text, char *name, unsigned long room, double *value, int *degrees)
{
    const char *equal = strchr(text, '=');
    if (equal == NULL || equal == text) return 0;
    snprintf(name, room, "%.*s", (int)(equal - text < 1000 ? equal - text : 1000), text);
    return cli_angle(equal + 1, value, degrees);
}

int cli_put(const char *command, const cli_option *options, const cli_target *targets, int option, const char *value)
{
    const int64_t most = INT64_C(1000000000000000);
    while (targets->option != option && targets->option != CLI_END) targets++;
    if (targets->option == CLI_END) return CLI_WELL;
    const cli_target *t = targets;
    if (option == CLI_WORD && *t->text != NULL)
        return cli_wrong(command, "unexpected argument '%s': one system at a time", value);
    if (t->count != NULL) {
        const int64_t high = t->high > 0 ? t->high : most;
        if (!cli_count(value, t->count) || *t->count < t->low || *t->count > high)
            return cli_wrong(command, "--%s must be a whole number from %" PRId64 " to %.0f%s, got '%s'",
                             options[option].name, t->low, high == most ? 1.0 : (double)high, high == most ? "e15" : "",
                             value);
    }
    if (t->number != NULL && (!cli_number(value, t->number) || (t->nonzero && *t->number == 0)))
        return cli_wrong(command, "--%s must be a finite number%s, got '%s'", options[option].name,
                         t->nonzero ? ", not 0" : "", value);
    if (t->text != NULL) *t->text = value;
    if (t->flag != NULL) *t->flag = 1;
    return CLI_WELL;
}

int cli_flush(const char *command, int status)
{
    if ((fflush(stdout) == 0 && !ferror(stdout)) || status != CLI_WELL) return status;
    cli_print(stderr, "liegrp %s: standard output: %s\n", command, strerror(errno));
    return CLI_WRONG_USE;
}
