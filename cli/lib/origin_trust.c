/* SPDX-License-Identifier: BSD-3-Clause */
/* Limits of what a provenance may do. It is data: its words make rows and nothing else. A file that it names is read,
 * or run, only if the command line names it too and its checksum is the recorded one. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "cli/lib/mechanism.h"
#include "cli/lib/origin.h"
#include "cli/lib/text.h"

/* Files ----------------------------------------------------------------------------------------------------------- */

/* The file that a word of the provenance makes the command read; NULL: none. */
static const char *file_of(const cli_origin *o, int found, const char *value)
{
    return found == CLI_WORD ? cli_system_file(value) : cli_origin_table(o, found, value);
}

static int is_allowed(const cli_origin *o, const char *file)
{
    for (int i = 0; i < o->allowed_count; i++)
        if (strcmp(o->allowed[i], file) == 0 || lg_file_same(o->allowed[i], file)) return 1;
    return 0;
}

static int is_input(const cli_origin *o, const char *file)
{
    const char *input = "";
    for (int i = 0; input != NULL && strcmp(input, file) != 0; i++) input = cli_origin_input(o->json, i);
    return input != NULL;
}

/* The files that the provenance names and the command line does not, as words to add to it; "": none. NULL: out of
 * memory. To be freed. */
static char *list_missing(const cli_origin *o)
{
    char *text = NULL;
    size_t size = 0;
    FILE *f = open_memstream(&text, &size);
    const char *file;
    if (f == NULL) return NULL;
    for (int i = 0; (file = cli_origin_input(o->json, i)) != NULL; i++) {
        if (is_allowed(o, file)) continue;
        fputs(file[0] == '-' ? " --allow=" : " --allow ", f);
        text_shell(f, file);
    }
    const int failed = ferror(f);
    if (fclose(f) == 0 && !failed) return text;
    free(text);
    return NULL;
}

/* `code`: one of them is a shared object. */
static int check_allowed(const cli_origin *o, int code)
{
    int used = 0, status = CLI_WELL;
    const char *file;
    char *missing = list_missing(o);
    if (missing == NULL) return cli_wrong(o->kind->command, "out of memory");
    if (missing[0] != '\0')
        status = cli_wrong(o->kind->command,
                           "--from %s names files%s; liegrp opens only those that you name. If you trust them, add%s",
                           o->file, code ? ", one of them a shared object, whose code runs" : "", missing);
    free(missing);
    for (int i = 0; status == CLI_WELL && i < o->allowed_count; i++, used = 0) {
        for (int k = 0; (file = cli_origin_input(o->json, k)) != NULL; k++)
            used |= strcmp(o->allowed[i], file) == 0 || lg_file_same(o->allowed[i], file);
        if (!used) return cli_wrong(o->kind->command, "--allow %s: %s names no such file", o->allowed[i], o->file);
    }
    return status;
}

/* Words ----------------------------------------------------------------------------------------------------------- */

static int is_idle(const cli_origin *o, int option)
{
    const int *idle = o->kind->idle;
    while (*idle >= 0 && *idle != option) idle++;
    return *idle >= 0;
}

/* Checks the words: a system, options that change its rows, and files with recorded checksums. */
static int check_words(const cli_origin *o, int first, int *code)
{
    cli_parser p = cli_begin(o->kind->command, o->kind->options, o->argc, o->argv);
    p.at = first;
    for (int found; (found = cli_next(&p)) != CLI_END;) {
        if (found == CLI_BAD) return CLI_WRONG_USE;
        if (found == CLI_HELP || is_idle(o, found))
            return cli_wrong(o->kind->command, "--from %s: its arguments have --%s, which does not affect rows",
                             o->file, found == CLI_HELP ? "help" : o->kind->options[found].name);
        const char *file = file_of(o, found, p.value);
        if (file != NULL && found == CLI_WORD && !cli_is_mechanism(file)) *code = 1;
        if (file == NULL || is_input(o, file)) continue;
        return cli_wrong(o->kind->command,
                         "--from %s: it does not have the SHA-256 of %s, which its arguments name, so that a change of "
                         "that file would not be noticed; give the command itself",
                         o->file, file);
    }
    return CLI_WELL;
}

/* Refuses inputs without a name, and more than MOST inputs. */
static int check_inputs(const cli_origin *o)
{
    enum { MOST = 4096 };
    const char *file = "";
    int count = 0;
    while (file != NULL && count <= MOST && (file = cli_origin_input(o->json, count)) != NULL && file[0] != '\0')
        count++;
    if (file == NULL) return CLI_WELL;
    return cli_wrong(o->kind->command, "--from %s: its provenance is damaged: %s", o->file,
                     count > MOST ? "it has more than 4096 inputs" : "an input has no name");
}

int cli_origin_trust(cli_origin *o, int first)
{
    int code = 0, status = check_inputs(o);
    if (status == CLI_WELL) status = check_words(o, first, &code);
    if (status == CLI_WELL) status = check_allowed(o, code);
    if (status == CLI_WELL && cli_origin_inputs_differ(o->json, o->file, o->message, sizeof o->message))
        return cli_wrong(o->kind->command, "%s", o->message);
    return status;
}
