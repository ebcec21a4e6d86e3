/* SPDX-License-Identifier: BSD-3-Clause */
/* Mass and inertia of bodies from their geoms, and what <compiler> makes of those of all bodies. */
#include <math.h>
#include <string.h>

#include <liegrp/groups/se3.h>

#include "base/lane.h"
#include "multibody/files/mjcf.h"

/* ---- the inertia of primitives, about their centre, of density 1 ---- */

typedef struct moments {
    double volume, inertia[3];
} moments;

/* A solid whose second moments, the integrals of x^2, y^2 and z^2, are s. */
static moments of_seconds(double volume, double x, double y, double z)
{
    return (moments){volume, {y + z, x + z, x + y}};
}

static moments ellipsoid(double a, double b, double c)
{
    const double volume = 4.0 / 3 * LG_PI * a * b * c;
    return of_seconds(volume, volume * a * a / 5, volume * b * b / 5, volume * c * c / 5);
}

static moments box(double a, double b, double c)
{
    const double volume = 8 * a * b * c;
    return of_seconds(volume, volume * a * a / 3, volume * b * b / 3, volume * c * c / 3);
}

/* Of radius r and half length h. */
static moments cylinder(double r, double h)
{
    const double volume = 2 * LG_PI * r * r * h, across = volume * r * r / 4;
    return of_seconds(volume, across, across, volume * h * h / 3);
}

/* A cylinder and two half balls, whose z^2 is that of a ball about its centre, moved out by h. */
static moments capsule(double r, double h)
{
    const moments middle = cylinder(r, h);
    const double ball = 4.0 / 3 * LG_PI * r * r * r, across = LG_PI * r * r * h * r * r / 2 + ball * r * r / 5;
    const double along = 2 * LG_PI * r * r * h * h * h / 3 + ball * (r * r / 5 + h * h + 0.75 * h * r);
    return of_seconds(middle.volume + ball, across, across, along);
}

/* ---- their surfaces ---- */

static moments shell_of_box(double a, double b, double c)
{
    const double size[3] = {a, b, c};
    double area = 0, s[3] = {0, 0, 0};
    for (int k = 0; k < 3; k++) { /* two faces across k */
        const double u = size[(k + 1) % 3], v = size[(k + 2) % 3], faces = 8 * u * v;
        area += faces, s[k] += faces * size[k] * size[k];
        s[(k + 1) % 3] += faces * u * u / 3, s[(k + 2) % 3] += faces * v * v / 3;
    }
    return of_seconds(area, s[0], s[1], s[2]);
}

static moments shell_of_cylinder(double r, double h)
{
    const double wall = 4 * LG_PI * r * h, lids = 2 * LG_PI * r * r;
    const double across = wall * r * r / 2 + lids * r * r / 4;
    return of_seconds(wall + lids, across, across, wall * h * h / 3 + lids * h * h);
}

static moments shell_of_capsule(double r, double h)
{
    const double wall = 4 * LG_PI * r * h, ball = 4 * LG_PI * r * r, across = wall * r * r / 2 + ball * r * r / 3;
    return of_seconds(wall + ball, across, across, wall * h * h / 3 + ball * (r * r / 3 + h * h + h * r));
}

/* ---- geoms ---- */

static moments moments_of(mj_reader *o, mb_element *e, mj_geom_kind kind, const double *s, int shell)
{
    switch (kind) {
    case MJ_SPHERE:
        return shell ? shell_of_capsule(s[0], 0) : ellipsoid(s[0], s[0], s[0]);
    case MJ_CAPSULE:
        return shell ? shell_of_capsule(s[0], s[1]) : capsule(s[0], s[1]);
    case MJ_CYLINDER:
        return shell ? shell_of_cylinder(s[0], s[1]) : cylinder(s[0], s[1]);
    case MJ_BOX:
        return shell ? shell_of_box(s[0], s[1], s[2]) : box(s[0], s[1], s[2]);
    default:
        if (shell)
            mb_refuse_as(
                o->r, LG_ERROR_UNSUPPORTED, e,
                "the surface of an ellipsoid has no closed inertia; leave shellinertia out, or give the body an "
                "<inertial>");
        return ellipsoid(s[0], s[1], s[2]);
    }
}

/* The kind of a primitive by its type, and its size from half lengths x <= y <= z of a box; MJ_OTHER: none. */
static mj_geom_kind fit(double *size, const char *type, const double *half)
{
    static const char *const names[] = {"sphere", "capsule", "cylinder", "box", "ellipsoid"};
    int kind = type != NULL ? 0 : MJ_SPHERE;
    while (type != NULL && kind < MJ_PLANE && strcmp(names[kind], type) != 0) kind++;
    memcpy(size, half, 3 * sizeof *size);
    if (kind == MJ_SPHERE) size[0] = (half[0] + half[1] + half[2]) / 3;
    if (kind == MJ_CAPSULE || kind == MJ_CYLINDER) size[0] = (half[0] + half[1]) / 2, size[1] = half[2];
    if (kind == MJ_CAPSULE) size[1] = fmax(0, half[2] - size[0] / 2);
    return kind < MJ_PLANE ? (mj_geom_kind)kind : MJ_OTHER;
}

/* A primitive at the centre and along the principal axes of a mesh, of the size of the box with its moments. */
static void weigh_fitted(mj_reader *o, mb_element *e, const mj_geom *g, int shell, lg_mesh_mass *mass)
{
    mb_reader *r = o->r;
    double w[3], V[9], half[3], size[3];
    const double scale = mb_number(r, e, "fitscale", 1);
    const lg_mesh_mass *m = mj_mesh_mass(o, e, g->mesh);
    if (mj_settings_of(o, e)->fitaabb)
        mb_refuse_as(r, LG_ERROR_UNSUPPORTED, e,
                     "a <geom> fitted to a mesh as fitaabb has it is not read; give the body an <inertial>");
    if (m == NULL || r->status != LG_OK) return;
    const double *J = m->inertia;
    mb_principal_axes(w, V, (const double[6]){J[0], J[4], J[8], J[1], J[2], J[5]});
    int at[3] = {0, 1, 2}; /* axes, the greatest moment first */
    for (int n = 0; n < 3; n++) {
        const int i = n == 1 ? 1 : 0, first = at[i];
        if (w[at[i + 1]] > w[first]) at[i] = at[i + 1], at[i + 1] = first;
    }
    for (int k = 0; k < 3; k++)
        half[k] = scale * sqrt(fmax(0, 1.5 * (w[at[(k + 1) % 3]] + w[at[(k + 2) % 3]] - w[at[k]]) / m->measure));
    const mj_geom_kind kind = fit(size, mb_text(e, "type"), half);
    const moments own = moments_of(o, e, kind, size, shell);
    mass->measure = own.volume;
    memcpy(mass->centre, m->centre, sizeof mass->centre);
    for (int i = 0; i < 9; i++)
        for (int k = 0; k < 3; k++) mass->inertia[i] += own.inertia[k] * V[i / 3 * 3 + at[k]] * V[i % 3 * 3 + at[k]];
}

/* Density 1: volume or area, centre in the geom's frame, inertia about it; 0: refused. */
static int weigh_geom(mj_reader *o, mb_element *e, const char *body, const mj_geom *g, lg_mesh_mass *mass)
{
    static const char *const answers[] = {"false", "true", NULL};
    static const double none[3] = {0, 0, 0};
    double size[3];
    mb_reader *r = o->r;
    const int shell = mb_choice(r, e, "shellinertia", answers, 0);
    *mass = (lg_mesh_mass){0};
    if (g->mesh != NULL && g->kind == MJ_OTHER && fit(size, mb_text(e, "type"), none) != MJ_OTHER) {
        weigh_fitted(o, e, g, shell, mass);
        if (r->status == LG_OK && !(mass->measure > 0)) mb_refuse(r, e, "the mesh of this <geom> has no volume");
    } else if (g->kind == MJ_OTHER) {
        mb_refuse_as(r, LG_ERROR_UNSUPPORTED, e,
                     "body '%.40s' has no <inertial>, and a <geom> of type '%.20s' has a mass that is not read; give "
                     "the body an <inertial>, or this geom mass=\"0\"",
                     body, g->type);
    } else if (g->kind == MJ_MESH) {
        if (shell) mb_refuse(r, e, "shellinertia is not for meshes; give the <mesh> inertia=\"shell\"");
        if (g->mesh == NULL) mb_refuse(r, e, "<geom type=\"mesh\"> has no attribute 'mesh'");
        const lg_mesh_mass *of_mesh = r->status == LG_OK ? mj_mesh_mass(o, e, g->mesh) : NULL;
        if (of_mesh != NULL) *mass = *of_mesh;
    } else {
        const moments m = moments_of(o, e, g->kind, g->size, shell);
        mass->measure = m.volume;
        for (int k = 0; k < 3; k++) mass->inertia[4 * k] = m.inertia[k];
        if (r->status == LG_OK && !(m.volume > 0))
            mb_refuse(r, e, "the size of this <geom> is 0, and so is its mass; give it a size, or mass=\"0\"");
    }
    return r->status == LG_OK;
}

/* Adds a geom's mass, with its second moment about the link's origin, to the link: centre is a sum of m c so far. */
static void add_geom(mj_reader *o, mb_element *e, mb_file_link *l, const char *childclass)
{
    mb_reader *r = o->r;
    mj_geom g;
    mj_inherit(o, e, childclass);
    if (!mj_read_shape(o, e, &g)) return;
    const double group = mb_number(r, e, "group", 0), density = mb_number(r, e, "density", 1000);
    double mass = mb_number(r, e, "mass", -1), turned[6], c[3];
    if (g.kind == MJ_PLANE || group < mj_settings_of(o, e)->groups[0] || group > mj_settings_of(o, e)->groups[1] ||
        mass == 0)
        return;
    if (mass < 0 && density == 0) return;
    lg_mesh_mass m;
    if (!weigh_geom(o, e, l->name, &g, &m)) return;
    if (mass < 0) mass = density * m.measure;
    const double *J = m.inertia, f = mass / m.measure;
    const double I[6] = {f * J[0], f * J[4], f * J[8], f * J[1], f * J[2], f * J[5]};
    mb_turn_inertia(turned, g.at.g + 3, I);
    lg_se3_act(c, g.at.g, m.centre);
    mb_add_second(turned, mass, c);
    for (int k = 0; k < 6; k++) l->inertia[k] += turned[k];
    for (int k = 0; k < 3; k++) l->centre[k] += mass * c[k];
    l->mass += mass;
}

void mj_mass_of_geoms(mj_reader *o, mb_element *body, mb_file_link *l, const char *childclass)
{
    l->mass = 0;
    memset(l->inertia, 0, sizeof l->inertia), memset(l->centre, 0, sizeof l->centre);
    for (mb_element *e = body->child; e != NULL && o->r->status == LG_OK; e = e->next)
        if (mb_is(e, "geom")) add_geom(o, e, l, childclass);
    if (!(l->mass > 0)) return;
    for (int k = 0; k < 3; k++) l->centre[k] /= l->mass;
    mb_add_second(l->inertia, -l->mass, l->centre);
}

/* ---- what <compiler> makes of them ---- */

/* Principal moments of at least `least`; unequal ones that no mass has become their mean, if that is wished. */
static void bound_inertia(mj_reader *o, mb_file_link *l)
{
    double w[3], V[9];
    mb_principal_axes(w, V, l->inertia);
    int changed = 0, impossible = 0;
    for (int k = 0; k < 3; k++) changed |= w[k] < o->least_inertia, w[k] = fmax(w[k], o->least_inertia);
    const double sum = w[0] + w[1] + w[2];
    for (int k = 0; k < 3; k++) impossible |= mj_settings_of(o, l->at)->balance && w[k] > sum - w[k];
    for (int k = 0; k < 3 && impossible; k++) w[k] = sum / 3;
    if (!changed && !impossible) return;
    static const int at[6][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {0, 2}, {1, 2}};
    for (int n = 0; n < 6; n++) {
        const double *a = V + 3 * at[n][0], *b = V + 3 * at[n][1];
        l->inertia[n] = a[0] * b[0] * w[0] + a[1] * b[1] * w[1] + a[2] * b[2] * w[2];
    }
}

void mj_bound_masses(mj_reader *o)
{
    mb_reader *r = o->r;
    double whole = 0;
    for (int i = 0; i < r->links && r->status == LG_OK; i++) {
        mb_file_link *l = &r->link[i];
        l->mass = fmax(l->mass, o->least_mass);
        if (o->least_inertia > 0 || mj_settings_of(o, l->at)->balance) bound_inertia(o, l);
        whole += l->mass;
    }
    if (!(o->total_mass > 0) || !(whole > 0)) return;
    for (int i = 0; i < r->links; i++) {
        mb_file_link *l = &r->link[i];
        l->mass *= o->total_mass / whole;
        for (int k = 0; k < 6; k++) l->inertia[k] *= o->total_mass / whole;
    }
}
