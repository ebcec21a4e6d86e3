/* SPDX-License-Identifier: BSD-3-Clause */
/* The provenance of a file of rows. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/place.h"
#include "cli/lib/origin.h"
#include "run/format.h"

char *cli_origin_beside(const char *file)
{
    lg_place p;
    char *name = NULL;
    if (lg_place_find(&p, file) != 0) return NULL;
    if (!lg_place_is_direct(&p)) {
        const size_t room = strlen(p.path) + sizeof LG_PROVENANCE_SUFFIX;
        name = malloc(room);
        if (name != NULL) snprintf(name, room, "%s%s", p.path, LG_PROVENANCE_SUFFIX);
    }
    lg_place_forget(&p);
    return name;
}

/* A regular file as a string. NULL after an error, which is in *e; NULL with *e == LG_OK: there is no such file. */
static char *read_text(const char *file, lg_error *e)
{
    void *bytes = NULL;
    size_t size = 0;
    char *text = NULL;
    if (lg_file_read(file, LG_PROVENANCE_MOST, &bytes, &size, e) == LG_OK && bytes != NULL) {
        text = malloc(size + 1);
        if (text == NULL) (void)lg_fail(e, LG_ERROR_MEMORY, "out of memory");
    }
    if (text != NULL) {
        memcpy(text, bytes, size);
        text[size] = '\0';
    }
    free(bytes);
    return text;
}

static char *read_beside(const char *file, lg_error *e)
{
    char *name = cli_origin_beside(file), *text;
    if (name == NULL) {
        (void)lg_fail_system(e, file, errno != 0 ? errno : ENOENT);
        return NULL;
    }
    text = read_text(name, e);
    if (text == NULL && e->status == LG_OK)
        (void)lg_fail(e, LG_ERROR_ARGUMENT,
                      "%.160s has no provenance: there is no sidecar file %.160s%s, which liegrp writes with it", file,
                      file, LG_PROVENANCE_SUFFIX);
    free(name);
    return text;
}

char *cli_origin_read(const char *command, const char *file)
{
    lg_error e = {LG_OK, ""};
    const lg_format_facts *holder = NULL;
    char head[8] = "", *text = NULL;
    FILE *f;
    if (lg_file_names_device(file)) {
        cli_wrong(command, "--from %s: it is no regular file", file);
        return NULL;
    }
    if (lg_file_open_to_read(&f, file, UINT64_MAX, &e) != LG_OK) { /* rows may be many */
        cli_wrong(command, "--from: %s", e.message);
        return NULL;
    }
    head[fread(head, 1, sizeof head - 1, f)] = '\0';
    for (int i = 0; lg_format_at(i) != NULL; i++)
        if (lg_format_at(i)->magic != NULL &&
            strncmp(head, lg_format_at(i)->magic, strlen(lg_format_at(i)->magic)) == 0)
            holder = lg_format_at(i);
    if (holder != NULL)
        text = holder->text(f, file, &e);
    else if (head[strspn(head, " \t\r\n")] == '{')
        text = read_text(file, &e);
    else
        text = read_beside(file, &e);
    (void)fclose(f);
    if (text == NULL) cli_wrong(command, "--from: %s", e.message);
    return text;
}
