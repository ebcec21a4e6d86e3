/* SPDX-License-Identifier: BSD-3-Clause */
/* <include> of MJCF: the children of another file's root in place of the element. Names of files are relative to the
 * folder of the model's own file, and lead to files in it, or in the folder that the caller allows. A file is included
 * once, as MuJoCo has it, so that there are neither cycles nor files that grow without bounds. */
#ifndef _XOPEN_SOURCE
#define _XOPEN_SOURCE 700
#endif
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "multibody/files/mjcf.h"

enum { MOST_FILES = 1000 };

/* Files that were included, by their real paths, first that of the model itself; each a malloc() of realpath(). */
typedef struct included {
    char *path[MOST_FILES];
    int count;
} included;

/* "folder/" of a path; "" if it has none. */
static size_t folder_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash != NULL ? (size_t)(slash - path) + 1 : 0;
}

/* Keeps the name of a file that is opened. 0: out of memory. */
static int keep_name(lg_mechanism *m, char *path)
{
    char **more = realloc(m->file, (size_t)(m->files + 1) * sizeof *more);
    if (more == NULL) return 0;
    m->file = more, m->file[m->files++] = path;
    return 1;
}

int mb_keep_file(mb_reader *r, const char *path)
{
    char *own = malloc(strlen(path) + 1);
    if (own != NULL && keep_name(r->m, strcpy(own, path))) return 1;
    free(own);
    mb_refuse_as(r, LG_ERROR_MEMORY, NULL, "out of memory");
    return 0;
}

char *mj_find_file(mb_reader *r, const mb_element *e, const char *name)
{
    if (r->path == NULL) {
        mb_refuse_as(r, LG_ERROR_UNSUPPORTED, e, "<%.40s> names a file, and this text has no folder; read it from one",
                     e->name);
        return NULL;
    }
    const size_t folder = folder_of(r->path);
    char *path = malloc(folder + strlen(name) + 1), *model = realpath(r->path, NULL), *real = NULL;
    if (path == NULL) {
        mb_refuse_as(r, LG_ERROR_MEMORY, NULL, "out of memory");
        free(model);
        return NULL;
    }
    const size_t before = name[0] == '/' ? 0 : folder;
    memcpy(path, r->path, before), strcpy(path + before, name);
    if (model == NULL || (real = realpath(path, NULL)) == NULL)
        mb_refuse_as(r, LG_ERROR_IO, e, "file '%.100s': %s", name, strerror(errno));
    else if (!mb_is_within(r, real, model))
        mb_refuse(r, e, "file '%.80s' is outside of the model's folder%s; allow it: --within FOLDER", name,
                  r->options.within != NULL ? " and of that of --within" : "");
    free(model);
    if (r->status == LG_OK && keep_name(r->m, path)) return real;
    if (r->status == LG_OK) mb_refuse_as(r, LG_ERROR_MEMORY, NULL, "out of memory");
    free(path), free(real);
    return NULL;
}

/* Reads the file of an <include>; NULL: refused. */
static mb_element *read_file(mb_reader *r, mb_element *e, included *done)
{
    const char *name = mb_needed_text(r, e, "file");
    mb_element *root = NULL;
    if (name == NULL) return NULL;
    if (r->path != NULL && done->count == 0 && (done->path[done->count++] = realpath(r->path, NULL)) == NULL)
        mb_refuse_as(r, LG_ERROR_IO, e, "%s", strerror(errno));
    char *path = r->status == LG_OK ? mj_find_file(r, e, name) : NULL;
    if (path == NULL) return NULL;
    for (int i = 0; i < done->count; i++)
        if (strcmp(done->path[i], path) == 0)
            mb_refuse(r, e, "file '%.80s' is included a second time, or includes itself; include it once", name);
    if (done->count == MOST_FILES) mb_refuse(r, e, "more than %d included files", MOST_FILES);
    if (r->status != LG_OK) {
        free(path);
        return NULL;
    }
    done->path[done->count++] = path;
    const char *shown = mb_print(r, "%s", name);
    if (r->status == LG_OK) r->status = mb_document_read_more(&r->document, &root, path, shown, &r->m->error);
    return r->status == LG_OK ? root : NULL;
}

/* The next element of a walk that does not enter e. */
static mb_element *after(mb_element *e)
{
    while (e != NULL && e->next == NULL) e = e->parent;
    return e != NULL ? e->next : NULL;
}

/* The children of `root` replace e among those of its parent. */
static void splice(mb_element *e, mb_element *root)
{
    mb_element *parent = e->parent, *before = NULL;
    for (mb_element *c = parent->child; c != e; c = c->next) before = c;
    for (mb_element *c = root->child; c != NULL; c = c->next) c->parent = parent;
    mb_element *first = root->child != NULL ? root->child : e->next, *last = root->child != NULL ? root->last : before;
    if (root->child != NULL) root->last->next = e->next;
    if (before != NULL)
        before->next = first;
    else
        parent->child = first;
    if (parent->last == e) parent->last = last;
}

/* Readers of bodies call themselves. */
static void check_depth(mb_reader *r)
{
    int depth = 1;
    for (mb_element *e = r->document.root; e != NULL && r->status == LG_OK;) {
        if (depth > MB_XML_DEPTH) mb_refuse(r, e, "elements are nested more than %d deep", MB_XML_DEPTH);
        if (e->child != NULL) {
            e = e->child, depth++;
            continue;
        }
        while (e != NULL && e->next == NULL) e = e->parent, depth--;
        if (e != NULL) e = e->next;
    }
}

void mj_include(mb_reader *r)
{
    included done = {.count = 0};
    for (mb_element *e = r->document.root; e != NULL && r->status == LG_OK;) {
        mb_element *next = e->child != NULL ? e->child : after(e);
        if (mb_is(e, "include") && e->parent != NULL) {
            mb_element *follows = after(e), *root = read_file(r, e, &done);
            if (root == NULL) break;
            splice(e, root);
            next = root->child != NULL ? root->child : follows;
        }
        e = next;
    }
    for (int i = 0; i < done.count; i++) free(done.path[i]);
    check_depth(r);
}
