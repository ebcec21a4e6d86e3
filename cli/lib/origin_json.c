/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads a provenance and compares it with this program. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <liegrp/base/version.h>

#include "base/sha256.h"
#include "cli/lib/origin.h"

#ifdef LG_WITHOUT_CJSON

void *cli_origin_parse(const char *command, const char *file, const char *text)
{
    (void)text;
    cli_wrong(command,
              "--from %s is read by cJSON, and liegrp was built without it: install it (Debian: libcjson-dev), "
              "configure with -Dcjson=enabled",
              file);
    return NULL;
}

void cli_origin_forget(void *json)
{
    (void)json;
}

int cli_origin_differs(const void *json, const char *command, const char *file, char *why, size_t room)
{
    (void)json, (void)command, (void)file, (void)why, (void)room;
    return 0;
}

const char *cli_origin_input(const void *json, int i)
{
    (void)json, (void)i;
    return NULL;
}

int cli_origin_inputs_differ(const void *json, const char *file, char *why, size_t room)
{
    (void)json, (void)file, (void)why, (void)room;
    return 0;
}

char **cli_origin_words(const void *json, const char *file, int *count, char *why, size_t room)
{
    (void)json, (void)file, (void)count, (void)why, (void)room;
    return NULL;
}

const char *cli_origin_format(const void *json)
{
    (void)json;
    return NULL;
}

int cli_origin_has_words(const void *json)
{
    (void)json;
    return 1;
}

int cli_origin_compare(const void *json, const char *file, const char *text, char *why, size_t room)
{
    (void)json, (void)file, (void)text, (void)why, (void)room;
    return 0;
}

#else

#include <cJSON.h>

static const cJSON *member(const cJSON *o, const char *name)
{
    return cJSON_GetObjectItemCaseSensitive(o, name);
}

/* A member that is a text; "" if it is not there. */
static const char *text_of(const cJSON *o, const char *name)
{
    const cJSON *m = member(o, name);
    return cJSON_IsString(m) ? m->valuestring : "";
}

static double number_of(const cJSON *o, const char *name)
{
    const cJSON *m = member(o, name);
    return cJSON_IsNumber(m) ? m->valuedouble : (double)NAN;
}

/* Reading --------------------------------------------------------------------------------------------------------- */

void *cli_origin_parse(const char *command, const char *file, const char *text)
{
    const char *end = NULL;
    cJSON *json = cJSON_ParseWithOpts(text, &end, 1);
    if (json == NULL) {
        cli_wrong(command, "--from %s: its provenance is damaged: it is not JSON from byte %td on", file,
                  end != NULL ? end - text : 0);
        return NULL;
    }
    if (number_of(json, "liegrp provenance") == 1) return json;
    if (member(json, "liegrp provenance") != NULL)
        cli_wrong(command, "--from %s: liegrp %s cannot read this version of the provenance", file, lg_version());
    else
        cli_wrong(command, "--from %s: it is JSON, but not a provenance of liegrp", file);
    cJSON_Delete(json);
    return NULL;
}

void cli_origin_forget(void *json)
{
    cJSON_Delete(json);
}

const char *cli_origin_format(const void *json)
{
    const char *format = text_of(json, "format");
    return format[0] != '\0' ? format : NULL;
}

int cli_origin_has_words(const void *json)
{
    return cJSON_IsArray(member(json, "arguments"));
}

const char *cli_origin_input(const void *json, int i)
{
    const cJSON *input = cJSON_GetArrayItem(member(json, "inputs"), i);
    return input != NULL ? text_of(input, "file") : NULL;
}

/* Files that were read then: are they the same now? */
int cli_origin_inputs_differ(const void *json, const char *file, char *why, size_t room)
{
    const cJSON *input;
    cJSON_ArrayForEach(input, member(json, "inputs"))
    {
        const char *name = text_of(input, "file"), *then = text_of(input, "sha256");
        char now[LG_SHA256_TEXT];
        lg_error e = {LG_OK, ""};
        if (lg_sha256_file(now, name, &e) != LG_OK) {
            snprintf(why, room, "--from %.160s: it was made from a file that cannot be read now: %.300s", file,
                     e.message);
            return 1;
        }
        if (strcmp(now, then) == 0) continue;
        snprintf(why, room, "--from %.160s: %.160s has changed since the rows were made: SHA-256 %.64s then, %s now",
                 file, name, then, now);
        return 1;
    }
    return 0;
}

/* 1: this command made it, by its words or by a program's run. */
static int is_of(const cJSON *json, const char *command)
{
    const char *word = cJSON_GetStringValue(cJSON_GetArrayItem(member(json, "arguments"), 0));
    if (word != NULL) return strcmp(word, command) == 0;
    return strcmp(command, "run") == 0 ? strcmp(text_of(json, "run"), "sweep") != 0
                                       : strcmp(text_of(json, "run"), command) == 0;
}

/* 1: made by a command whose output has no rows. */
static int is_table(const cJSON *json)
{
    const char *run = text_of(json, "run");
    return strcmp(run, "convergence") == 0 || strcmp(run, "figure") == 0;
}

int cli_origin_differs(const void *json, const char *command, const char *file, char *why, size_t room)
{
    const char *version = text_of(member(json, "library"), "version");
    if (strcmp(version, lg_version()) != 0) {
        snprintf(
            why, room,
            "--from %.160s: it was made by liegrp %.40s; this is liegrp %s, which may give other digits. To run it "
            "with this version give the command itself, which the provenance records",
            file, version, lg_version());
        return 1;
    }
    if (is_table(json)) {
        snprintf(why, room, "--from %.160s: it was made by liegrp %s; give that command, which the provenance records",
                 file, text_of(json, "run"));
        return 1;
    }
    if (!is_of(json, command)) {
        const char *word = cJSON_GetStringValue(cJSON_GetArrayItem(member(json, "arguments"), 0));
        if (word == NULL) word = strcmp(command, "run") == 0 ? "sweep" : "run"; /* of a program */
        snprintf(why, room, "--from %.160s: it was not made by liegrp %s; try liegrp %.40s", file, command, word);
        return 1;
    }
    if (strcmp(text_of(json, "ended"), "interrupted") == 0) {
        snprintf(
            why, room,
            "--from %.160s: it was interrupted after %.0f of %.0f; for all rows give the command itself, which the "
            "provenance records",
            file, number_of(json, "done"), number_of(json, "steps"));
        return 1;
    }
    return 0;
}

/* The words ------------------------------------------------------------------------------------------------------- */

typedef struct words {
    char **of;
    int count, room;
    int failed;  /* out of memory */
    int damaged; /* no text where one should be */
} words;

/* The word "--OPTION=NAME=VALUE"; parts that are NULL are left out. */
static void say(words *w, const char *option, const char *name, const char *value)
{
    const int valued = name != NULL || value != NULL;
    const char *const part[] = {option != NULL ? "--" : "",
                                option,
                                option != NULL && valued ? "=" : "",
                                name,
                                name != NULL && value != NULL ? "=" : "",
                                value};
    size_t room = 1;
    for (int i = 0; i < 6; i++) room += part[i] != NULL ? strlen(part[i]) : 0;
    char *word = w->count < w->room ? calloc(room, 1) : NULL;
    w->failed |= word == NULL;
    if (word == NULL) return;
    for (int i = 0; i < 6; i++)
        if (part[i] != NULL) strcat(word, part[i]); /* the array is large enough */
    w->of[w->count++] = word;
}

static void say_number(words *w, const char *option, const char *name, double value)
{
    char text[40];
    snprintf(text, sizeof text, "%.17g", value);
    say(w, option, name, text);
}

/* Composes the words of a command that repeats a program's run of a model. */
static void compose(words *w, const cJSON *json)
{
    const cJSON *m;
    const char *retraction = text_of(json, "retraction"), *start = text_of(json, "start");
    say(w, NULL, NULL, text_of(json, "system"));
    cJSON_ArrayForEach(m, member(json, "parameters")) say_number(w, "param", m->string, m->valuedouble);
    cJSON_ArrayForEach(m, member(json, "given")) say_number(w, "init", m->string, m->valuedouble);
    say(w, "method", NULL, text_of(json, "method"));
    if (strcmp(retraction, "exp") != 0) say(w, "retraction", NULL, retraction);
    if (strcmp(start, "reaction") != 0) say(w, "start", NULL, start);
    if (number_of(json, "project") != 0) say(w, "project", NULL, NULL);
    if (number_of(json, "tolerance") != 0) say_number(w, "tolerance", NULL, number_of(json, "tolerance"));
    say_number(w, "step", NULL, number_of(json, "step"));
    say_number(w, "steps", NULL, number_of(json, "steps"));
    say_number(w, "every", NULL, number_of(json, "every"));
}

static void copy_words(words *w, const cJSON *arguments)
{
    const cJSON *m;
    cJSON_ArrayForEach(m, arguments)
    {
        if (m == arguments->child) continue; /* the command */
        if (cJSON_IsString(m))
            say(w, NULL, NULL, m->valuestring);
        else
            w->damaged = 1;
    }
}

static const char *no_words(const cJSON *json)
{
    if (strcmp(text_of(json, "run"), "model") != 0)
        return "it was made by another program, which alone knows the mechanism";
    if (strcmp(text_of(json, "controls"), "none") != 0)
        return "it was made by another program, which alone knows the controls";
    return NULL;
}

char **cli_origin_words(const void *json, const char *file, int *count, char *why, size_t room)
{
    const cJSON *arguments = member(json, "arguments");
    const int given = cJSON_IsArray(arguments);
    const char *unknown = given ? NULL : no_words(json);
    words w = {.room = 32 + (given ? cJSON_GetArraySize(arguments)
                                   : cJSON_GetArraySize(member(json, "parameters")) +
                                         cJSON_GetArraySize(member(json, "given")))};
    if (unknown == NULL) w.of = calloc((size_t)w.room + 1, sizeof *w.of);
    if (w.of != NULL && given) copy_words(&w, arguments);
    if (w.of != NULL && !given) compose(&w, json);
    *count = w.count;
    if (w.of != NULL && !w.failed && !w.damaged) return w.of;
    for (int i = 0; w.of != NULL && i < w.count; i++) free(w.of[i]);
    free(w.of);
    snprintf(why, room, "--from %.160s: %s", file,
             unknown != NULL ? unknown
             : w.damaged     ? "its provenance is damaged: its arguments are not texts"
                             : "out of memory");
    return NULL;
}

/* Comparing ------------------------------------------------------------------------------------------------------- */

/* Where two values differ. */
typedef struct difference {
    char path[400];
    const cJSON *then, *now; /* NULL: not there */
} difference;

static int find_difference(difference *d, const cJSON *then, const cJSON *now, const char *path);

static int is_equal(const cJSON *a, const cJSON *b)
{
    if ((a->type & 0xff) != (b->type & 0xff)) return 0;
    if (cJSON_IsString(a)) return strcmp(a->valuestring, b->valuestring) == 0;
    if (cJSON_IsNumber(a)) return a->valuedouble == b->valuedouble;
    return 1;
}

static int differ(difference *d, const cJSON *then, const cJSON *now, const char *path)
{
    d->then = then;
    d->now = now;
    snprintf(d->path, sizeof d->path, "%s", path);
    return 1;
}

/* Members about the place of the rows, or how the library was built, do not matter. */
static int is_idle(const char *path)
{
    static const char *const names[] = {"format", "done", "ended", "library"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (strcmp(path, names[i]) == 0) return 1;
    return 0;
}

static int members_differ(difference *d, const cJSON *then, const cJSON *now, const char *path)
{
    const cJSON *m;
    char next[400];
    const char *dot = path[0] != '\0' ? "." : "";
    cJSON_ArrayForEach(m, then)
    {
        const cJSON *other = member(now, m->string);
        snprintf(next, sizeof next, "%.300s%s%.90s", path, dot, m->string);
        if (is_idle(next)) continue;
        if (other == NULL ? differ(d, m, NULL, next) : find_difference(d, m, other, next)) return 1;
    }
    cJSON_ArrayForEach(m, now)
    {
        snprintf(next, sizeof next, "%.300s%s%.90s", path, dot, m->string);
        if (!is_idle(next) && member(then, m->string) == NULL) return differ(d, NULL, m, next);
    }
    return 0;
}

static int find_difference(difference *d, const cJSON *then, const cJSON *now, const char *path)
{
    const cJSON *a = then->child, *b = now->child;
    if (!is_equal(then, now)) return differ(d, then, now, path);
    if (cJSON_IsObject(then)) return members_differ(d, then, now, path);
    for (; cJSON_IsArray(then) && (a != NULL || b != NULL); a = a->next, b = b->next) {
        if (a == NULL || b == NULL) return differ(d, a, b, path);
        if (find_difference(d, a, b, path)) return 1;
    }
    return 0;
}

/* A value in a few words. */
static void print(char *text, size_t room, const cJSON *value)
{
    char *all = value != NULL ? cJSON_PrintUnformatted(value) : NULL;
    snprintf(text, room, "%.*s%s", (int)(room - 8), all != NULL ? all : "nothing",
             all != NULL && strlen(all) > room - 8 ? "..." : "");
    cJSON_free(all);
}

int cli_origin_compare(const void *json, const char *file, const char *text, char *why, size_t room)
{
    cJSON *mine = cJSON_Parse(text);
    difference d = {"", NULL, NULL};
    char then[160], now[160];
    int differs = 1;
    if (mine == NULL) {
        snprintf(why, room, "out of memory");
    } else if ((differs = members_differ(&d, json, mine, "")) != 0) {
        print(then, sizeof then, d.then);
        print(now, sizeof now, d.now);
        if (d.now == NULL)
            snprintf(why, room, "--from %.160s: its provenance has a field that this run does not have: %s: %s", file,
                     d.path, then);
        else
            snprintf(why, room, "--from %.160s: its provenance contradicts its own command: %s is %s there, %s here",
                     file, d.path, then, now);
    }
    cJSON_Delete(mine);
    return differs;
}

#endif
