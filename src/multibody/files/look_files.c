/* SPDX-License-Identifier: BSD-3-Clause */
/* Files of a model: where they may be. Looks lie there or in the folder of a package; no name leads elsewhere.
 * What is missing is a remark, since a look never refuses a file. */
#ifndef _XOPEN_SOURCE
#define _XOPEN_SOURCE 700
#endif
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "multibody/files/reader.h"
#include "scene/mesh/mesh.h"

enum { PATH = 4096 };

int mb_is_folder(const char *path)
{
    struct stat s;
    return stat(path, &s) == 0 && S_ISDIR(s.st_mode);
}

/* 1: the path is `folder` or below it; both are real paths. */
static int is_below(const char *path, const char *folder)
{
    const size_t length = strlen(folder);
    return strncmp(path, folder, length) == 0 && (path[length] == '/' || folder[length - 1] == '/');
}

/* 1: path = folder/name, where `folder` has `length` bytes; 0 bytes: the working folder. */
static int join(char *path, const char *folder, size_t length, const char *name)
{
    const int n = snprintf(path, PATH, "%.*s/%s", length > 0 ? (int)length : 1, length > 0 ? folder : ".", name);
    return n > 0 && n < PATH;
}

/* 1: folder/name, or the folder itself if that is its name, is a folder of a package; *path is it. `marked`: it must
 * have a package.xml. */
static int holds(char *path, const char *folder, size_t length, const char *name, int marked)
{
    char mark[PATH];
    struct stat s;
    while (length > 1 && folder[length - 1] == '/') length--;
    const size_t own = strlen(name);
    for (int itself = 0; itself < 2; itself++) {
        if (itself &&
            (length <= own || folder[length - own - 1] != '/' || strncmp(folder + length - own, name, own) != 0))
            continue;
        if (!join(path, folder, length, itself ? "." : name) || !mb_is_folder(path)) continue;
        if (!marked || (join(mark, path, strlen(path), "package.xml") && stat(mark, &s) == 0)) return 1;
    }
    return 0;
}

/* The folder of a package; 0: not found. `model`: the real path of the model. */
static int find_package(const mb_reader *r, char *path, const char *name, const char *model)
{
    const size_t own = strlen(name);
    if (own == 0 || strcmp(name, ".") == 0 || strcmp(name, "..") == 0) return 0;
    for (const char *const *at = r->options.packages; at != NULL && *at != NULL; at++) {
        const char *equal = strchr(*at, '=');
        if (equal == NULL && holds(path, *at, strlen(*at), name, 0)) return 1;
        if (equal != NULL && (size_t)(equal - *at) == own && strncmp(*at, name, own) == 0)
            return join(path, equal + 1, strlen(equal + 1), ".");
    }
    for (size_t length = strlen(model); length > 0; length--)
        if (model[length] == '/' && holds(path, model, length, name, 1)) return 1;
    for (const char *at = getenv("ROS_PACKAGE_PATH"); at != NULL && *at != '\0';) {
        const size_t length = strcspn(at, ":");
        if (length > 0 && holds(path, at, length, name, 1)) return 1;
        at += length + (at[length] == ':');
    }
    return 0;
}

int mb_is_within(const mb_reader *r, const char *real, const char *model)
{
    char own[PATH];
    const char *slash = strrchr(model, '/');
    char *root = r->options.within != NULL ? realpath(r->options.within, NULL) : NULL;
    (void)snprintf(own, sizeof own, "%.*s", (int)(slash > model ? slash - model : 1), model);
    const int within = is_below(real, own) || (root != NULL && is_below(real, root));
    free(root);
    return within;
}

/* 1: a real path is where the model's files may be, in the folder of its package (NULL: none), or in one that the
 * caller names. */
static int is_allowed(const mb_reader *r, const char *real, const char *model, const char *package)
{
    char *root = package != NULL ? realpath(package, NULL) : NULL;
    int allowed = mb_is_within(r, real, model) || (root != NULL && is_below(real, root));
    free(root);
    for (const char *const *at = r->options.packages; !allowed && at != NULL && *at != NULL; at++) {
        const char *equal = strchr(*at, '=');
        root = realpath(equal != NULL ? equal + 1 : *at, NULL);
        allowed = root != NULL && is_below(real, root);
        free(root);
    }
    return allowed;
}

/* What a file is for, and what says that it cannot be had. */
typedef struct purpose {
    const char *verb; /* "shown", "read" */
    void (*tell)(mb_reader *r, const mb_element *e, const char *format, ...) LG_PRINTF(3, 4);
} purpose;

/* The ending of a format that is read; 0: the purpose is told. */
static int is_mesh(mb_reader *r, const mb_element *e, const purpose *to, const char *name)
{
    static const char *const endings[] = {".stl", ".obj", ".msh"};
    const char *dot = strrchr(name, '.');
    for (int k = 0; dot != NULL && k < 3; k++)
        if (strcasecmp(dot, endings[k]) == 0) return 1;
    to->tell(r, e, "meshes in '%.12s' files are not %s; those in .stl, .obj and .msh files are", dot != NULL ? dot : "",
             to->verb);
    return 0;
}

/* The path that a name means, and the folder of its package in `package` ("": none). 0: not found, which is told. */
static int place(mb_reader *r, const mb_element *e, const purpose *to, char *path, char *package, const char *name,
                 const char *model)
{
    static const char *const schemes[] = {"package://", "model://"};
    package[0] = '\0';
    for (int k = 0; k < 2; k++) {
        char own[256];
        const size_t scheme = strlen(schemes[k]);
        if (strncmp(name, schemes[k], scheme) != 0) continue;
        const char *slash = strchr(name + scheme, '/');
        const int length = (int)(slash != NULL && slash - name - (long)scheme < 255 ? slash - name - (long)scheme : 0);
        (void)snprintf(own, sizeof own, "%.*s", length, name + scheme);
        if (length > 0 && find_package(r, package, own, model) && join(path, package, strlen(package), slash + 1))
            return 1;
        to->tell(r, e,
                 "meshes of package '%.40s' are not %s: it is not found; --package NAME=FOLDER "
                 "(lg_mechanism_file::packages)",
                 own, to->verb);
        return 0;
    }
    if (strncmp(name, "file://", 7) == 0) name += 7;
    const char *slash = strrchr(r->path, '/');
    if (name[0] == '/') return join(path, "/", 1, name + 1);
    return join(path, r->path, slash != NULL ? (size_t)(slash - r->path) + 1 : 0, name);
}

static const char *find(mb_reader *r, const mb_element *e, const purpose *to, const char *name)
{
    char path[PATH], package[PATH];
    struct stat s;
    const char *kept = NULL;
    if (name == NULL || r->status != LG_OK || !is_mesh(r, e, to, name)) return NULL;
    if (r->path == NULL) {
        to->tell(r, e, "meshes are not %s: this text has no folder", to->verb);
        return NULL;
    }
    char *model = realpath(r->path, NULL), *real = NULL;
    if (model == NULL || !place(r, e, to, path, package, name, model)) {
        free(model);
        return NULL;
    }
    if ((real = realpath(path, NULL)) == NULL || stat(real, &s) != 0)
        to->tell(r, e, "mesh '%.80s' is not %s: there is no such file", name, to->verb);
    else if (!is_allowed(r, real, model, package[0] != '\0' ? package : NULL))
        to->tell(r, e, "mesh '%.60s' is not %s: it is outside of the model's folder; allow it: --within FOLDER", name,
                 to->verb);
    else if (!S_ISREG(s.st_mode) || (size_t)s.st_size > LG_MESH_BYTES)
        to->tell(r, e, "mesh '%.60s' is not %s: it is not a file of at most %d MiB", name, to->verb,
                 (int)(LG_MESH_BYTES >> 20));
    else
        kept = mb_print(r, "%s", real);
    free(model), free(real);
    return kept;
}

const char *mb_find_look(mb_reader *r, const mb_element *e, const char *name)
{
    static const purpose look = {"shown", mb_note};
    return find(r, e, &look, name);
}

/* Refuses a mesh that the motion needs. */
static void refuse_mesh(mb_reader *r, const mb_element *e, const char *format, ...) LG_PRINTF(3, 4);
static void refuse_mesh(mb_reader *r, const mb_element *e, const char *format, ...)
{
    char text[256];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    mb_refuse(r, e, "%s; without it: --ignore mesh (lg_mechanism_file::ignore)", text);
}

const char *mb_find_mesh(mb_reader *r, const mb_element *e, const char *name)
{
    static const purpose contact = {"read, and a contact needs it", refuse_mesh};
    return find(r, e, &contact, name);
}
