/* SPDX-License-Identifier: BSD-3-Clause */
/* Mass, centre and inertia of the meshes that geoms of MJCF name. A mesh is read when a mass depends on it, once. */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <liegrp/groups/se3.h>
#include <liegrp/groups/so3.h>

#include "multibody/files/mjcf.h"

struct mj_mesh {
    const char *name;
    mb_element *at;
    int known; /* 1: it has been weighed */
    lg_mesh_mass mass;
    int points; /* of its convex hull; 0: not found yet */
    const double *point;
};

/* ---- the meshes of the model ---- */

/* The name of a file without folders. */
static const char *last_part(const char *file)
{
    const char *slash = strrchr(file, '/');
    return slash != NULL ? slash + 1 : file;
}

const char *mj_name_of_file(mb_reader *r, const char *prefix, const char *file)
{
    file = last_part(file);
    const char *dot = strrchr(file, '.');
    return mb_print(r, "%s%.*s", prefix, (int)(dot != NULL ? (size_t)(dot - file) : strlen(file)), file);
}

const char *mj_name_of_asset(mb_reader *r, mb_element *e)
{
    const char *name = mb_text(e, "name"), *file = mb_text(e, "file");
    if (name != NULL && name[0]) return name;
    return file != NULL ? mj_name_of_file(r, "", file) : "";
}

static int by_name(const void *a, const void *b)
{
    return strcmp(((const mj_mesh *)a)->name, ((const mj_mesh *)b)->name);
}

/* The next element of this name in all sections <asset>; NULL: no more. */
static mb_element *next_asset(mb_element *root, mb_element *from, const char *name)
{
    mb_element *section = from != NULL ? from->parent : root->child, *e = from != NULL ? from->next : NULL;
    for (int entered = from != NULL; section != NULL; section = section->next, entered = 0) {
        if (!mb_is(section, "asset")) continue;
        for (e = entered ? e : section->child; e != NULL; e = e->next)
            if (mb_is(e, name)) return e;
    }
    return NULL;
}

/* All elements of this name, sorted by their own; NULL: out of memory. */
static mj_mesh *list_assets(mj_reader *o, const char *name, int inherits, int *count)
{
    mb_element *root = o->r->document.root;
    int all = 0;
    for (mb_element *e = next_asset(root, NULL, name); e != NULL; e = next_asset(root, e, name)) all++;
    mj_mesh *list = mb_take(o->r, (size_t)(all + 1) * sizeof *list);
    *count = 0;
    for (mb_element *e = next_asset(root, NULL, name);
         list != NULL && e != NULL && (o->r->status == LG_OK || !inherits); e = next_asset(root, e, name)) {
        if (inherits) mj_inherit(o, e, NULL);
        list[(*count)++] = (mj_mesh){.name = mj_name_of_asset(o->r, e), .at = e};
    }
    if (list != NULL) qsort(list, (size_t)*count, sizeof *list, by_name);
    return list;
}

static void list_meshes(mj_reader *o)
{
    o->mesh = list_assets(o, "mesh", 1, &o->meshes);
    for (int i = 1; i < o->meshes && o->r->status == LG_OK; i++)
        if (o->mesh[i].name[0] != '\0' && strcmp(o->mesh[i].name, o->mesh[i - 1].name) == 0)
            mb_refuse(o->r, o->mesh[i].at, "a second mesh '%.60s'; give it another name", o->mesh[i].name);
}

/* ---- one mesh ---- */

/* What makes another mesh of that of the file, and is not read. */
static void refuse_others(mj_reader *o, const mj_mesh *mesh, int convex)
{
    mb_reader *r = o->r;
    mb_element *e = mesh->at;
    const int from_file = mb_text(e, "file") != NULL, inside = mb_text(e, "vertex") != NULL;
    if (mb_text(e, "builtin") != NULL)
        mb_refuse_as(r, LG_ERROR_UNSUPPORTED, e,
                     "builtin of mesh '%.60s' is not read, and a mass depends on it; give the body an <inertial>, or "
                     "the mesh a file whose ending is .stl, .obj or .msh",
                     mesh->name);
    if (convex && mb_number(r, e, "maxhullvert", -1) >= 0)
        mb_refuse_as(r, LG_ERROR_UNSUPPORTED, e,
                     "maxhullvert of mesh '%.60s' is not read, and its inertia is that of the hull; leave it out",
                     mesh->name);
    if (from_file && inside) mb_refuse(r, e, "mesh '%.60s' has a file and vertices; leave one", mesh->name);
    if (!from_file && !inside) mb_refuse(r, e, "mesh '%.60s' has no file and no vertices", mesh->name);
}

const char *mj_path_of_asset(mj_reader *o, const mb_element *e, const char *file)
{
    const mj_settings *s = mj_settings_of(o, e);
    const char *folder = s->meshdir != NULL ? s->meshdir : s->assetdir != NULL ? s->assetdir : "";
    if (s->strippath) file = last_part(file);
    if (file[0] == '/' || (folder[0] == '\0' && s->folder[0] == '\0')) return file;
    const int slash = folder[0] != '\0' && folder[strlen(folder) - 1] != '/';
    return mb_print(o->r, "%s%s%s%s", folder[0] == '/' ? "" : s->folder, folder, slash ? "/" : "", file);
}

static void put(char *at, uint32_t bits)
{
    for (int k = 0; k < 4; k++) at[k] = (char)(unsigned char)(bits >> (8 * k));
}

/* The bytes of an MSH file of the vertices and faces that the element has, in memory of the document: MuJoCo keeps them
 * as floats, too. NULL: refused. */
static void *bytes_of(mb_reader *r, const mj_mesh *mesh, size_t *size)
{
    enum { MOST = 10000000 };
    double *vertex, *face;
    const int numbers = mb_list(r, mesh->at, "vertex", &vertex, MOST),
              corners = mb_list(r, mesh->at, "face", &face, MOST);
    const int vertices = numbers / 3, triangles = corners / 3;
    if (r->status == LG_OK && (numbers == 0 || numbers % 3 != 0 || corners % 3 != 0))
        mb_refuse(r, mesh->at, "mesh '%.60s': %d numbers of vertices and %d of faces; each needs three", mesh->name,
                  numbers, corners);
    for (int i = 0; i < corners && r->status == LG_OK; i++)
        if (!(face[i] >= 0 && face[i] < vertices && face[i] == floor(face[i])))
            mb_refuse(r, mesh->at, "mesh '%.60s': a face has corner %g, and the vertices are 0 to %d", mesh->name,
                      face[i], vertices - 1);
    const uint32_t count[4] = {(uint32_t)vertices, 0, 0, (uint32_t)triangles};
    *size = sizeof count + 4 * ((size_t)numbers + (size_t)corners);
    char *bytes = r->status == LG_OK ? mb_take(r, *size) : NULL;
    if (bytes == NULL) return NULL;
    for (int i = 0; i < 4; i++) put(bytes + 4 * i, count[i]);
    char *at = bytes + sizeof count;
    for (int i = 0; i < numbers; i++, at += 4) {
        const float x = (float)vertex[i];
        uint32_t bits;
        memcpy(&bits, &x, sizeof bits);
        put(at, bits);
    }
    for (int i = 0; i < corners; i++, at += 4) put(at, (uint32_t)face[i]);
    return bytes;
}

/* The format that the element names; its file's ending says it otherwise. */
static lg_mesh_format format_of(mb_reader *r, mb_element *e)
{
    static const char *const names[] = {"model/stl", "model/obj", "model/vnd.mujoco.msh", NULL};
    const int i = mb_choice(r, e, "content_type", names, -1);
    return i >= 0 ? (lg_mesh_format)(LG_MESH_STL + i) : LG_MESH_BY_NAME;
}

/* Reads the mesh. 0: refused, or *st is not LG_OK. */
static int read_mesh(mj_reader *o, const mj_mesh *mesh, lg_mesh *m, const char **shown, lg_status *st, lg_error *error)
{
    mb_reader *r = o->r;
    const char *file = mb_text(mesh->at, "file");
    const lg_mesh_format format = format_of(r, mesh->at);
    *shown = mesh->name;
    if (file == NULL) {
        size_t size;
        const void *bytes = bytes_of(r, mesh, &size);
        if (bytes != NULL) *st = lg_mesh_parse(m, bytes, size, mesh->name, LG_MESH_MSH, error);
        return bytes != NULL && *st == LG_OK;
    }
    *shown = mj_path_of_asset(o, mesh->at, file);
    char *path = r->status == LG_OK ? mj_find_file(r, mesh->at, *shown) : NULL;
    if (path != NULL) *st = lg_mesh_read(m, path, format, error);
    free(path);
    return path != NULL && *st == LG_OK;
}

/* Moves the vertices as refpos and refquat say. */
static void move(mj_reader *o, lg_mesh *m, mb_element *e)
{
    double at[3] = {0, 0, 0}, wxyz[4] = {1, 0, 0, 0}, R[9];
    const int moved = mb_numbers(o->r, e, "refpos", at, 3, 3), turned = mb_numbers(o->r, e, "refquat", wxyz, 4, 4);
    if (moved == 0 && turned == 0) return;
    mb_unit(o->r, e, "refquat", wxyz, 4);
    lg_so3_to_matrix(R, (const double[4]){wxyz[1], wxyz[2], wxyz[3], wxyz[0]});
    for (int i = 0; i < m->vertices; i++) {
        double *v = m->vertex + 3 * i, d[3];
        for (int k = 0; k < 3; k++) d[k] = v[k] - at[k];
        for (int k = 0; k < 3; k++) v[k] = R[k] * d[0] + R[3 + k] * d[1] + R[6 + k] * d[2];
    }
}

/* Remarks on what makes the mass doubtful. */
static void examine(mb_reader *r, const mj_mesh *mesh, const lg_mesh *m)
{
    lg_mesh_faults faults;
    char text[128];
    lg_error error;
    const lg_status st = lg_mesh_examine(&faults, m, &error);
    if (st != LG_OK) mb_refuse_as(r, st, mesh->at, "%s", error.message);
    if (st == LG_OK && lg_mesh_describe(text, sizeof text, &faults) > 0)
        mb_note(r, mesh->at, "mesh '%.40s': %s", mesh->name, text);
}

/* Reads the mesh, moved and scaled as its element says. The first failure is in r->status, or returned. */
static lg_status load(mj_reader *o, const mj_mesh *mesh, lg_mesh *m, const char **shown, lg_error *error)
{
    double scale[3] = {1, 1, 1};
    lg_status st = LG_OK;
    const int scaled = mb_numbers(o->r, mesh->at, "scale", scale, 3, 3);
    if (o->r->status == LG_OK && read_mesh(o, mesh, m, shown, &st, error)) move(o, m, mesh->at);
    if (o->r->status == LG_OK && st == LG_OK && scaled > 0) st = lg_mesh_scale(m, scale, *shown, error);
    return st;
}

static void weigh(mj_reader *o, mj_mesh *mesh)
{
    static const char *const kinds[] = {"legacy", "exact", "convex", "shell", NULL};
    mb_reader *r = o->r;
    mb_element *e = mesh->at;
    lg_error error;
    lg_mesh m = {0};
    const int kind = mb_choice(r, e, "inertia", kinds, mj_settings_of(o, e)->exact ? LG_MESH_EXACT : LG_MESH_LEGACY);
    const char *shown;
    refuse_others(o, mesh, kind == LG_MESH_CONVEX);
    lg_status st = load(o, mesh, &m, &shown, &error);
    if (r->status != LG_OK) {
        lg_mesh_free(&m);
        return;
    }
    if (st == LG_OK && m.first < m.triangles) {
        mb_note(r, e, "mesh '%.40s': its file has several objects, and the first counts, as in MuJoCo", mesh->name);
        m.triangles = m.first;
    }
    if (st == LG_OK && kind <= LG_MESH_EXACT) examine(r, mesh, &m);
    if (st == LG_OK) st = lg_mesh_weigh(&mesh->mass, &m, (lg_mesh_kind)kind, shown, &error);
    lg_mesh_free(&m);
    if (st != LG_OK)
        mb_refuse_as(r, st, e, "mesh '%.40s': %.180s; a body with an <inertial> needs no mesh", mesh->name,
                     error.message);
    mesh->known = e->read = e->parent->read = 1;
}

/* The mesh of this name; NULL: refused. */
static mj_mesh *find(mj_reader *o, const mb_element *geom, const char *name)
{
    if (o->mesh == NULL) list_meshes(o);
    if (o->r->status != LG_OK) return NULL;
    const mj_mesh key = {.name = name};
    mj_mesh *mesh = bsearch(&key, o->mesh, (size_t)o->meshes, sizeof *o->mesh, by_name);
    if (mesh == NULL) mb_refuse(o->r, geom, "there is no <mesh name=\"%.60s\"> in <asset>", name);
    return mesh;
}

const lg_mesh_mass *mj_mesh_mass(mj_reader *o, const mb_element *geom, const char *name)
{
    mj_mesh *mesh = find(o, geom, name);
    if (mesh != NULL && !mesh->known) weigh(o, mesh);
    return o->r->status == LG_OK ? &mesh->mass : NULL;
}

int mj_mesh_hull(mj_reader *o, mb_element *geom, lg_surface *s, const char *name)
{
    mj_mesh *mesh = find(o, geom, name);
    const char *shown;
    lg_error error;
    lg_mesh m = {0};
    if (mesh == NULL) return 0;
    s->kind = LG_SURFACE_HULL, s->points = mesh->points, s->point = mesh->point;
    if (mesh->points > 0) return 1;
    refuse_others(o, mesh, 0);
    lg_error_clear(&error);
    const lg_status st = load(o, mesh, &m, &shown, &error);
    if (st != LG_OK) mb_refuse_as(o->r, st, mesh->at, "mesh '%.40s': %.180s", mesh->name, error.message);
    if (mb_number(o->r, mesh->at, "maxhullvert", -1) >= 0)
        mb_note(o->r, mesh->at, "maxhullvert is not read: all vertices of the convex hull touch");
    const int well = o->r->status == LG_OK && mb_hull_of(o->r, mesh->at, s, &m, shown);
    lg_mesh_free(&m);
    mesh->points = s->points, mesh->point = s->point;
    mesh->at->read = mesh->at->parent->read = 1;
    return well;
}

/* ---- looks ---- */

/* The vertices v of the file become S R^T (v - p), with the scales S, refquat R and refpos p. */
int mj_show_mesh(mj_reader *o, mb_element *geom, mj_geom *g, lg_shape *s)
{
    mb_reader *r = o->r;
    mj_mesh *mesh = find(o, geom, g->mesh);
    if (mesh == NULL) return 0;
    mb_element *e = mesh->at;
    double wxyz[4] = {1, 0, 0, 0}, p[3] = {0, 0, 0}, *S = s->scale;
    mb_place back = mb_here, whole;
    e->read = e->parent->read = 1;
    s->kind = LG_SHAPE_MESH;
    (void)mb_numbers(r, e, "scale", S, 3, 3), (void)mb_numbers(r, e, "refpos", p, 3, 3);
    const int turned = mb_numbers(r, e, "refquat", wxyz, 4, 4) > 0;
    mb_unit(r, e, "refquat", wxyz, 4);
    const char *file = mb_text(e, "file");
    mb_passed_over(e);
    if (file == NULL || (turned && (S[0] != S[1] || S[1] != S[2]))) {
        mb_note(r, e, "mesh '%.60s' is not shown: %s", mesh->name,
                file == NULL ? "it has no file" : "refquat together with unequal scales is not read");
        return 0;
    }
    for (int k = 0; k < 3; k++) back.g[3 + k] = -wxyz[1 + k];
    back.g[6] = wxyz[0];
    lg_so3_act(back.g, back.g + 3, p);
    for (int k = 0; k < 3; k++) back.g[k] *= -S[k];
    lg_se3_compose(whole.g, g->at.g, back.g);
    g->at = whole;
    s->mesh = mb_find_look(r, e, mj_path_of_asset(o, e, file));
    return s->mesh != NULL;
}

/* ---- materials ---- */

mb_element *mj_material(mj_reader *o, const char *name)
{
    if (o->material == NULL) o->material = list_assets(o, "material", 0, &o->materials);
    if (o->material == NULL) return NULL;
    const mj_mesh key = {.name = name};
    mj_mesh *found = bsearch(&key, o->material, (size_t)o->materials, sizeof *o->material, by_name);
    if (found == NULL) return NULL;
    if (!found->known) mj_inherit(o, found->at, NULL), mb_passed_over(found->at);
    found->known = found->at->parent->read = 1;
    return found->at;
}
