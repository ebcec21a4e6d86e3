/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/lib/origin.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/lib/choice.h"

static int is_among(const int *list, int option)
{
    while (*list >= 0 && *list != option) list++;
    return *list >= 0;
}

static int out_of_memory(const cli_origin *o)
{
    return cli_wrong(o->kind->command, "out of memory");
}

/* --from ---------------------------------------------------------------------------------------------------------- */

/* The value of --from in the command line; NULL: not given. */
static const char *find_from(int argc, char **argv)
{
    for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++) {
        if (strncmp(argv[i], "--from=", 7) == 0) return argv[i] + 7;
        if (strcmp(argv[i], "--from") == 0) return i + 1 < argc ? argv[i + 1] : "";
    }
    return NULL;
}

static char *join(const char *name, const char *value)
{
    const size_t room = strlen(name) + (value != NULL ? strlen(value) : 0) + 4;
    char *word = malloc(room);
    if (word != NULL) snprintf(word, room, "--%s%s%s", name, value != NULL ? "=" : "", value != NULL ? value : "");
    return word;
}

/* Appends the words of the line that are allowed with --from to the new line. */
static int add_idle(cli_origin *o, int argc, char **argv, int *shows, int *formatted)
{
    const cli_origin_kind *k = o->kind;
    cli_parser p = cli_begin(k->command, k->options, argc, argv);
    for (int found; (found = cli_next(&p)) != CLI_END;) {
        if (found == CLI_BAD) return CLI_WRONG_USE;
        if (found == CLI_HELP) continue; /* handled before */
        if (found == k->from) continue;
        if (found == k->allow) {
            o->allowed[o->allowed_count++] = p.value;
            continue;
        }
        if (found == CLI_WORD || !is_among(k->idle, found))
            return cli_wrong(k->command,
                             "--from %s determines the run; '%s%s' would change it. For another run give the command "
                             "itself, which the provenance records",
                             o->file, found == CLI_WORD ? "" : "--",
                             found == CLI_WORD ? p.value : k->options[found].name);
        const char *value = k->options[found].value != NULL ? p.value : NULL;
        if (found == k->output || found == k->plot || found == k->view) *shows = 1;
        if (found == k->format || (found == k->output && lg_format_of_file(p.value) >= 0)) *formatted = 1;
        o->argv[o->argc] = join(k->options[found].name, value);
        if (o->argv[o->argc++] == NULL) return out_of_memory(o);
    }
    return CLI_WELL;
}

/* Adds the format of the recorded rows if no option gives another one. */
static int add_format(cli_origin *o)
{
    const char *format = cli_origin_format(o->json);
    for (int i = 1; format != NULL && i < o->argc; i++) {
        if (strncmp(o->argv[i], "--output=", 9) != 0) continue;
        o->argv[o->argc] = join("format", format);
        return o->argv[o->argc++] != NULL ? CLI_WELL : out_of_memory(o);
    }
    return CLI_WELL;
}

/* The command and the words of the line; those of the provenance follow. */
static int begin_line(cli_origin *o, int argc, char **argv)
{
    int shows = 0, formatted = 0, status;
    o->argv[o->argc] = strdup(argv[0]);
    if (o->argv[o->argc++] == NULL) return out_of_memory(o);
    status = add_idle(o, argc, argv, &shows, &formatted);
    if (status != CLI_WELL) return status;
    if (!shows)
        return cli_wrong(o->kind->command, "--from %s computes rows: add --output FILE, --output - or --plot FILE",
                         o->file);
    return formatted ? CLI_WELL : add_format(o);
}

static int remake(cli_origin *o, int argc, char **argv)
{
    int count = 0, first, status;
    char **words = cli_origin_words(o->json, o->file, &count, o->message, sizeof o->message);
    if (words == NULL) return cli_wrong(o->kind->command, "%s", o->message);
    o->argv = calloc((size_t)(count + argc) + 4, sizeof *o->argv);
    o->allowed = calloc((size_t)argc, sizeof *o->allowed);
    status = o->argv != NULL && o->allowed != NULL ? begin_line(o, argc, argv) : out_of_memory(o);
    first = o->argc;
    for (int i = 0; i < count; i++) {
        if (status == CLI_WELL)
            o->argv[o->argc++] = words[i];
        else
            free(words[i]);
    }
    free(words);
    return status == CLI_WELL ? cli_origin_trust(o, first) : status;
}

static int asks_for_help(int argc, char **argv)
{
    for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++)
        if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0) return 1;
    return 0;
}

int cli_origin_begin(cli_origin *o, const cli_origin_kind *kind, int *argc, char ***argv)
{
    int status;
    memset(o, 0, sizeof *o);
    o->kind = kind;
    o->file = find_from(*argc, *argv);
    if (o->file != NULL && o->file[0] == '\0') o->file = NULL; /* cli_next() reports the missing value */
    if (o->file == NULL || asks_for_help(*argc, *argv)) return CLI_WELL;
    o->text = cli_origin_read(kind->command, o->file);
    if (o->text == NULL) return CLI_WRONG_USE;
    o->json = cli_origin_parse(kind->command, o->file, o->text);
    if (o->json == NULL) return CLI_WRONG_USE;
    if (cli_origin_differs(o->json, kind->command, o->file, o->message, sizeof o->message))
        return cli_wrong(kind->command, "%s", o->message);
    status = remake(o, *argc, *argv);
    if (status != CLI_WELL) return status;
    *argc = o->argc;
    *argv = o->argv;
    return CLI_WELL;
}

/* What makes the rows --------------------------------------------------------------------------------------------- */

static int add(char **list, int *count, char *word)
{
    if (word != NULL) list[(*count)++] = word;
    return word != NULL;
}

/* 1: the name of a regular file, which can be read again later; or of something that cannot be looked at now. */
static int is_file(const char *name)
{
    struct stat at;
    if (name == NULL) return 0;
    if (stat(name, &at) != 0) return errno != ENOENT && errno != ENOTDIR && errno != ENAMETOOLONG;
    return S_ISREG(at.st_mode);
}

const char *cli_origin_table(const cli_origin *o, int option, const char *value)
{
    if (option < 0 || (option != o->kind->control && strcmp(o->kind->options[option].name, "motion") != 0)) return NULL;
    const char *equal = strchr(value, '=');
    double number;
    return equal != NULL && !cli_number(equal + 1, &number) ? equal + 1 : NULL;
}

/* An option that makes the rows, and the file that it names. 0: out of memory. */
static int record_option(cli_origin *o, int option, const char *value)
{
    const cli_option *of = &o->kind->options[option];
    const char *file = cli_origin_table(o, option, value);
    if (!add(o->words, &o->count, join(of->name, of->value != NULL ? value : NULL))) return 0;
    return !is_file(file) || add(o->inputs, &o->input_count, strdup(file));
}

/* Records all words; one that looks like an option goes to the end, after "--". */
static int record(cli_origin *o, cli_parser *p)
{
    const char *last = NULL;
    int good = add(o->words, &o->count, strdup(o->kind->command));
    for (int found; good && (found = cli_next(p)) != CLI_END;) {
        if (found == CLI_WORD && p->value[0] == '-')
            last = p->value;
        else if (found == CLI_WORD)
            good = add(o->words, &o->count, strdup(p->value));
        else if (found >= 0 && !is_among(o->kind->idle, found))
            good = record_option(o, found, p->value);
    }
    return good && (last == NULL || (add(o->words, &o->count, strdup("--")) && add(o->words, &o->count, strdup(last))));
}

int cli_origin_record(cli_origin *o, int argc, char **argv, const cli_system *S, const char *name, const char *output)
{
    cli_parser p = cli_begin(o->kind->command, o->kind->options, argc, argv);
    int good;
    o->words = calloc((size_t)argc + 3, sizeof *o->words);
    int files = 0;
    while (cli_system_input(S, name, files) != NULL) files++;
    o->inputs = calloc((size_t)argc + 1 + (size_t)files, sizeof *o->inputs);
    good = o->words != NULL && o->inputs != NULL;
    for (int i = 0; good && i < files; i++) {
        const char *file = cli_system_input(S, name, i);
        if (is_file(file)) good = add(o->inputs, &o->input_count, strdup(file));
    }
    if (!good || !record(o, &p)) return out_of_memory(o);
    if (output != NULL && strcmp(output, "-") != 0) o->beside = cli_origin_beside(output);
    if (o->json != NULL && !cli_origin_has_words(o->json)) /* then these rows have none either */
        while (o->count > 0) free(o->words[--o->count]);
    return CLI_WELL;
}

int cli_origin_check(const char *text, void *context)
{
    cli_origin *o = context;
    return o->json != NULL && cli_origin_compare(o->json, o->file, text, o->message, sizeof o->message);
}

static void free_list(char **list, int count)
{
    for (int i = 0; list != NULL && i < count; i++) free(list[i]);
    free(list);
}

void cli_origin_free(cli_origin *o)
{
    cli_origin_forget(o->json);
    free(o->text);
    free(o->beside);
    free(o->allowed);
    free_list(o->argv, o->argc);
    free_list(o->words, o->count);
    free_list(o->inputs, o->input_count);
    memset(o, 0, sizeof *o);
}
