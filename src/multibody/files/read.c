/* SPDX-License-Identifier: BSD-3-Clause */
/* The public reader: options, dialects by their root element, and what is known of a file afterwards. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/dense.h"
#include "base/sized.h"
#include "groups/rotation.h"
#include "multibody/files/reader.h"

static const lg_sized file_size = LG_SIZED_AS(lg_mechanism_file, position, "start from lg_mechanism_file_default()");

void lg_mechanism_file_init(lg_mechanism_file *options, size_t size)
{
    const lg_mechanism_file own = {.size = sizeof own, .attitude = {0, 0, 0, 1}};
    lg_sized_give(&file_size, options, size, &own);
}

static lg_status check_options(lg_mechanism_file *own, const lg_mechanism_file *given, lg_error *e)
{
    *own = lg_mechanism_file_default();
    if (given == NULL) return LG_OK;
    const lg_status st = lg_sized_take(&file_size, own, given, e);
    if (st != LG_OK) return st;
    if ((int)own->root < LG_ROOT_AS_WRITTEN || (int)own->root > LG_ROOT_FLOATING)
        return lg_fail(e, LG_ERROR_ARGUMENT, "lg_mechanism_read: root %d is not an lg_root", (int)own->root);
    if (own->contacts < LG_FILE_CONTACTS_NONE || own->contacts > LG_FILE_CONTACTS_JOINTS)
        return lg_fail(e, LG_ERROR_ARGUMENT, "lg_mechanism_read: contacts is %d, which is not an lg_file_contacts",
                       (int)own->contacts);
    if (!(own->least_inertia >= 0) || !isfinite(own->least_inertia))
        return lg_fail(e, LG_ERROR_ARGUMENT, "lg_mechanism_read: least_inertia is %g; it must not be negative",
                       own->least_inertia);
    const double norm = lg_length(own->attitude, 4);
    if (!lg_all_finite(own->position, 3) || !(fabs(norm - 1) < 1e-6))
        return lg_fail(e, LG_ERROR_ARGUMENT,
                       "lg_mechanism_read: position must be finite, and attitude a unit quaternion; its length is %g",
                       norm);
    for (int k = 0; k < 4; k++) own->attitude[k] /= norm;
    for (const char *const *at = own->packages; at != NULL && *at != NULL; at++) {
        const char *equal = strchr(*at, '='), *folder = equal != NULL ? equal + 1 : *at;
        if (!mb_is_folder(folder))
            return lg_fail(e, LG_ERROR_IO, "packages: '%.160s' is no folder (--package NAME=FOLDER or FOLDER)", folder);
    }
    if (own->within != NULL && !mb_is_folder(own->within))
        return lg_fail(e, LG_ERROR_IO, "within: '%.160s' is no folder (--within FOLDER)", own->within);
    return LG_OK;
}

/* What macros of xacro leave in a file that was not expanded. */
static void refuse_macros(mb_reader *r)
{
    for (const mb_element *e = r->document.root; e != NULL && r->status == LG_OK;) {
        int macro = strncmp(e->name, "xacro:", 6) == 0;
        for (const mb_attribute *a = e->attribute; a != NULL; a = a->next)
            macro |= strstr(a->value, "$(") != NULL || strstr(a->value, "${") != NULL;
        if (macro)
            mb_refuse_as(r, LG_ERROR_UNSUPPORTED, e,
                         "<%.60s> is a macro of xacro, or contains $(...) or ${...}; expand the file first: xacro "
                         "robot.urdf.xacro > robot.urdf",
                         e->name);
        const mb_element *next = e->child;
        for (; next == NULL && e != NULL; e = e->parent) next = e->next;
        e = next;
    }
}

static void read_root(mb_reader *r)
{
    mb_element *root = r->document.root;
    size_t names = 0;
    while (r->options.ignore != NULL && r->options.ignore[names] != NULL) names++;
    r->ignored = mb_take(r, names + 1);
    if (r->ignored == NULL) return;
    memset(r->ignored, 0, names + 1);
    root->read = 1;
    if (mb_is(root, "robot")) {
        refuse_macros(r);
        if (r->status == LG_OK) mb_read_urdf(r);
    } else if (mb_is(root, "mujoco")) {
        mb_read_mjcf(r);
    } else {
        mb_refuse_as(r, LG_ERROR_UNSUPPORTED, root,
                     "the root element is <%.60s>; a URDF begins with <robot>, an MJCF file with <mujoco>", root->name);
    }
    const mb_element blank = {.file = r->document.blank, .line = 1};
    if (blank.file != NULL)
        mb_note(r, &blank, "blanks before <?xml ...?> are skipped; it must be the first thing in a file");
    mb_note_idle_names(r);
    if (r->options.sensors && r->status == LG_OK && r->m->sensors == 0)
        mb_note(r, root, "no sensor is a column: the file has none that is a function of the state");
    if (r->status == LG_OK) mb_note_unread(r);
}

static lg_status read_file(lg_mechanism *m, const char *path, const char *text, size_t length,
                           const lg_mechanism_file *options)
{
    mb_reader r = {.m = m};
    if (path == NULL) return lg_fail(&m->error, LG_ERROR_ARGUMENT, "lg_mechanism_read: the path is NULL");
    r.status = check_options(&r.options, options, &m->error);
    if (r.status != LG_OK) return r.status;
    const size_t whole = strlen(path), shown = whole < sizeof r.file - 1 ? whole : sizeof r.file - 1;
    memcpy(r.file, path + whole - shown, shown + 1);
    r.path = text != NULL ? NULL : path;
    r.status = text != NULL ? mb_document_parse(&r.document, text, length, r.file, &m->error)
                            : mb_document_read(&r.document, path, r.file, &m->error);
    if (r.status == LG_OK) read_root(&r);
    mb_document_free(&r.document);
    free(r.link), free(r.joint), free(r.by_name), free(r.walk), free(r.remark), free(r.collider);
    return r.status;
}

lg_status mb_read_text(lg_mechanism **m, const char *path, const char *text, size_t length,
                       const lg_mechanism_file *options)
{
    const lg_status st = lg_mechanism_create(m);
    return st == LG_OK ? read_file(*m, path, text, length, options) : st;
}

lg_status lg_mechanism_read(lg_mechanism **m, const char *path, const lg_mechanism_file *options)
{
    return mb_read_text(m, path, NULL, 0, options);
}

int lg_mechanism_file_count(const lg_mechanism *m)
{
    return m != NULL ? m->files : 0;
}

const char *lg_mechanism_file_name(const lg_mechanism *m, int i)
{
    return m != NULL && i >= 0 && i < m->files ? m->file[i] : NULL;
}

int lg_mechanism_remark_count(const lg_mechanism *m)
{
    return m != NULL ? m->remarks + (m->moved[0] != '\0') + m->losses : 0;
}

const char *lg_mechanism_remark(const lg_mechanism *m, int i)
{
    if (m == NULL || i < 0) return NULL;
    if (i < m->remarks) return m->remark[i];
    i -= m->remarks;
    if (m->moved[0] != '\0' && i-- == 0) return m->moved;
    return i < m->losses ? m->lost[i] : NULL;
}

double lg_mechanism_file_step(const lg_mechanism *m)
{
    return m != NULL ? m->file_step : 0;
}

lg_status lg_mechanism_link(const lg_mechanism *m, int *body, double *pose, const char *name)
{
    if (m == NULL || body == NULL || name == NULL) return LG_ERROR_ARGUMENT;
    const double *at = mb_here.g;
    int found = mb_find(m, MB_BODIES, name);
    for (int i = 0; found < 0 && i < m->merged_count; i++) {
        if (strcmp(m->merged[i].name, name) != 0) continue;
        *body = m->merged[i].body;
        if (pose != NULL) memcpy(pose, m->merged[i].pose, sizeof m->merged[i].pose);
        return LG_OK;
    }
    if (found < 0) return LG_ERROR_ARGUMENT;
    *body = found;
    if (pose != NULL) memcpy(pose, at, sizeof mb_here.g);
    return LG_OK;
}
