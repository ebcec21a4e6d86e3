/* SPDX-License-Identifier: BSD-3-Clause */
/* Numbers of a mechanism by name, and its parts as they were described. */
#include <liegrp/multibody/parameters.h>

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "multibody/parts/part.h"

/* Gravity is one more kind of part, the first, with a single part. */
enum { GRAVITY = -1 };

/* A part: its kind, name, numbers and fields. */
typedef struct part {
    int kind;
    const char *name;
    char *at;
    const mb_field *fields;
    int count;
} part;

static part part_of(const lg_mechanism *m, int kind, int i)
{
    static const mb_field none[] = {{NULL, NULL, 0}};
    static const mb_field gravity[] = {{"x", "m/s^2", 0}, {"y", "m/s^2", 8}, {"z", "m/s^2", 16}, {NULL, NULL, 0}};
    part p = {kind, "gravity", (char *)(uintptr_t)m->gravity, gravity, 0};
    if (kind != GRAVITY) {
        const mb_part_kind *k = mb_kind_of(kind);
        p.at = mb_part_at(m, kind, i);
        p.name = ((const lg_body *)(const void *)p.at)->name; /* all descriptions begin with size and name */
        p.fields = k->fields_of != NULL ? k->fields_of(p.at) : k->fields != NULL ? k->fields : none;
    }
    while (p.fields[p.count].name != NULL) p.count++;
    return p;
}

static const char *noun_of(int kind)
{
    return kind == GRAVITY ? "" : mb_kind_of(kind)->noun;
}

static int has_fields(int kind)
{
    return kind == GRAVITY || mb_kind_of(kind)->fields != NULL || mb_kind_of(kind)->fields_of != NULL;
}

static int parts_of(const lg_mechanism *m, int kind)
{
    return kind == GRAVITY ? 1 : mb_seen(m, kind);
}

int mb_parameters_of_part(const lg_mechanism *m, int kind, int i)
{
    return part_of(m, kind, i).count;
}

/* The number of parameters of the first `parts` parts of this kind. */
static int parameters_before(const lg_mechanism *m, int kind, int parts)
{
    if (parts == 0) return 0;
    return kind == GRAVITY ? part_of(m, GRAVITY, 0).count : m->part[kind].parameter_end[parts - 1];
}

/* Parameter i: its part, and which field in *f; a count of 0: there is no parameter i. */
static part find(const lg_mechanism *m, int i, int *f)
{
    const part none = {GRAVITY, NULL, NULL, NULL, 0};
    for (int kind = GRAVITY; m != NULL && i >= 0 && kind < MB_KINDS; kind++) {
        const int parts = parts_of(m, kind), count = parameters_before(m, kind, parts);
        if (i >= count) {
            i -= count;
            continue;
        }
        int low = 0, high = parts - 1; /* the first part whose parameters end beyond i */
        while (low < high) {
            const int middle = low + (high - low) / 2;
            if (parameters_before(m, kind, middle + 1) > i)
                high = middle;
            else
                low = middle + 1;
        }
        *f = i - parameters_before(m, kind, low);
        return part_of(m, kind, low);
    }
    return none;
}

int lg_mechanism_parameter_count(const lg_mechanism *m)
{
    int count = 0;
    for (int kind = GRAVITY; m != NULL && kind < MB_KINDS; kind++)
        count += parameters_before(m, kind, parts_of(m, kind));
    return count;
}

/* The part of this kind with a name of `length` characters; -1: no part has it. */
static int part_named(const lg_mechanism *m, int kind, const char *name, size_t length)
{
    if (kind != GRAVITY) return mb_find_within(m, kind, name, length);
    return length == strlen("gravity") && strncmp(name, "gravity", length) == 0 ? 0 : -1;
}

/* The number of a field of part n among the parameters of `kind`; -1: no such part or field. */
static int field_named(const lg_mechanism *m, int kind, int n, const char *name)
{
    if (n < 0) return -1;
    const part p = part_of(m, kind, n);
    for (int f = 0; f < p.count; f++)
        if (strcmp(p.fields[f].name, name) == 0) return parameters_before(m, kind, n) + f;
    return -1;
}

int lg_mechanism_parameter(const lg_mechanism *m, const char *name)
{
    const char *dot = name != NULL ? strrchr(name, '.') : NULL;
    if (m == NULL || dot == NULL) return -1;
    const size_t length = (size_t)(dot - name);
    for (int before = 0, kind = GRAVITY; kind < MB_KINDS; kind++) {
        int at = field_named(m, kind, part_named(m, kind, name, length), dot + 1);
        const char *noun = noun_of(kind);
        const size_t prefix = strlen(noun);
        if (prefix > 0 && prefix < length && strncmp(name, noun, prefix) == 0 && name[prefix] == ':') {
            const int n = part_named(m, kind, name + prefix + 1, length - prefix - 1);
            const int named = field_named(m, kind, n, dot + 1);
            if (at < 0 || (named >= 0 && named < at)) at = named;
        }
        if (at >= 0) return before + at;
        before += parameters_before(m, kind, parts_of(m, kind));
    }
    return -1;
}

int lg_mechanism_parameter_name(const lg_mechanism *m, char *name, size_t size, int i)
{
    int f = 0;
    const part p = find(m, i, &f);
    if (p.count == 0 || (name == NULL && size > 0)) return -1;
    const char *last = p.fields[f].name;
    char first[512];
    (void)snprintf(first, sizeof first, "%s.%s", p.name, last);
    return lg_mechanism_parameter(m, first) == i ? snprintf(name, size, "%s.%s", p.name, last)
                                                 : snprintf(name, size, "%s:%s.%s", noun_of(p.kind), p.name, last);
}

static double *number_of(const part *p, int f)
{
    return (double *)(void *)(p->at + p->fields[f].offset);
}

void mb_list_parameters(const lg_mechanism *m, lg_json *j)
{
    for (int kind = GRAVITY; kind < MB_KINDS; kind++) {
        const int count = has_fields(kind) ? parts_of(m, kind) : 0, named = kind != GRAVITY;
        if (count > 0 && named) lg_json_open(j, noun_of(kind), '{');
        for (int n = 0; n < count; n++) {
            const part p = part_of(m, kind, n);
            lg_json_open(j, p.name, '{');
            for (int f = 0; f < p.count; f++) lg_json_number(j, p.fields[f].name, *number_of(&p, f));
            lg_json_close(j, '}');
        }
        if (count > 0 && named) lg_json_close(j, '}');
    }
}

double lg_mechanism_parameter_value(const lg_mechanism *m, int i)
{
    int f = 0;
    const part p = find(m, i, &f);
    return p.count > 0 ? *number_of(&p, f) : NAN;
}

const char *lg_mechanism_parameter_unit(const lg_mechanism *m, int i)
{
    int f = 0;
    const part p = find(m, i, &f);
    return p.count > 0 ? p.fields[f].unit : NULL;
}

/* A length, velocity, mass and so on of the mechanism's own size, in the unit "N m/rad": of several, in the first. That
 * of forces and stiffnesses moves the lightest body in a quarter of a second, that of dampers stops it in a second. */
static double natural(const lg_mechanism *m, const char *unit)
{
    const double reach = mb_reach(m);
    double mass = m->plan.whole_mass, size = unit[0] == 'N' && strstr(unit, " s") == NULL ? 16 : 1;
    int below = 0;
    for (int b = 0; b < m->plan.bodies - m->plan.rotors && unit[0] == 'N'; b++) mass = fmin(mass, m->plan.mass[b]);
    for (const char *at = unit; *at != '\0' && *at != ','; at++) {
        if (*at == '/') below = 1;
        const int kg = strncmp(at, "kg", 2) == 0, square = at[1] == '^' && at[2] == '2';
        const double factor = kg ? mass : *at == 'N' ? mass * reach : *at == 'm' ? square ? reach * reach : reach : 1;
        size *= below ? 1 / factor : factor;
        if (kg || strncmp(at, "rad", 3) == 0) at += kg ? 1 : 2;
    }
    return size;
}

double mb_parameter_scale(const lg_mechanism *m, int i)
{
    int f = 0;
    const part p = find(m, i, &f);
    const char *unit = p.fields[f].unit;
    const double value = fabs(*number_of(&p, f)), own = natural(m, unit);
    if (p.kind == MB_BODIES && strncmp(p.fields[f].name, "inertia_", 8) == 0) {
        static const int row[] = {0, 1, 2, 0, 0, 1}, column[] = {0, 1, 2, 1, 2, 2};
        const lg_body *b = (const lg_body *)(const void *)p.at;
        const size_t entry = (p.fields[f].offset - offsetof(lg_body, inertia)) / sizeof *b->inertia;
        const double size = sqrt(fabs(b->inertia[row[entry]] * b->inertia[column[entry]]));
        return size > 0 ? size : own;
    }
    if (strchr("kNs", unit[0]) == NULL || unit[0] == '\0')
        return 0.25 * fmax(value, own); /* 0 is like any other value */
    if (unit[0] == 'N' && value > 0) return fmax(value, fmin(16 * value, own));
    return value > 0 ? value : own;
}

/* Setting --------------------------------------------------------------------------------------------------------- */

void mb_set_number(lg_mechanism *m, int i, double value)
{
    int f = 0;
    const part p = find(m, i, &f);
    *number_of(&p, f) = value;
    m->altered = 1;
}

enum { LONGEST = 96, NEAREST = 3 };

/* How many letters differ, as insertions, removals and replacements; names are cut off at LONGEST. */
static int distance(const char *a, const char *b)
{
    int row[LONGEST + 1];
    const int n = (int)strnlen(a, LONGEST), k = (int)strnlen(b, LONGEST);
    for (int j = 0; j <= k; j++) row[j] = j;
    for (int i = 1; i <= n; i++) {
        int corner = row[0];
        row[0] = i;
        for (int j = 1; j <= k; j++) {
            const int replaced = corner + (a[i - 1] != b[j - 1]);
            corner = row[j];
            row[j] = 1 + (row[j] < row[j - 1] ? row[j] : row[j - 1]);
            if (replaced < row[j]) row[j] = replaced;
        }
    }
    return row[k];
}

static lg_status unknown(lg_mechanism *m, const char *name)
{
    int nearest[NEAREST] = {-1, -1, -1}, far[NEAREST];
    char text[NEAREST][LONGEST];
    const int count = lg_mechanism_parameter_count(m);
    for (int i = 0; i < count; i++) {
        char other[LONGEST];
        (void)lg_mechanism_parameter_name(m, other, sizeof other, i);
        const int d = distance(name, other);
        int at = NEAREST;
        while (at > 0 && (nearest[at - 1] < 0 || d < far[at - 1])) at--;
        for (int k = NEAREST - 1; k > at; k--) nearest[k] = nearest[k - 1], far[k] = far[k - 1];
        if (at < NEAREST) nearest[at] = i, far[at] = d;
    }
    for (int k = 0; k < NEAREST; k++) (void)lg_mechanism_parameter_name(m, text[k], sizeof text[k], nearest[k]);
    return lg_fail(&m->error, LG_ERROR_ARGUMENT,
                   "there is no parameter '%.60s'; the nearest ones are %.80s, %.80s, %.80s", name, text[0], text[1],
                   text[2]);
}

lg_status lg_mechanism_set_parameter(lg_mechanism *m, const char *name, double value)
{
    if (m == NULL || name == NULL) return LG_ERROR_ARGUMENT;
    lg_error_clear(&m->error);
    if (m->compiled)
        return lg_fail(&m->error, LG_ERROR_ARGUMENT,
                       "lg_mechanism_set_parameter: the mechanism is compiled; set parameters before");
    const int i = lg_mechanism_parameter(m, name);
    if (i < 0) return unknown(m, name);
    if (!isfinite(value))
        return lg_fail(&m->error, LG_ERROR_ARGUMENT, "parameter '%.60s' is %g; it must be finite", name, value);
    mb_set_number(m, i, value);
    return LG_OK;
}

/* Descriptions ---------------------------------------------------------------------------------------------------- */

int lg_mechanism_joint_closes(const lg_mechanism *m, int i)
{
    if (m == NULL || !m->compiled || i < 0 || i >= mb_seen(m, MB_JOINTS)) return 0;
    const int end[2] = {m->joint[i].a, m->joint[i].b}; /* a link hangs on a joint of its own */
    for (int k = 0; k < 2; k++)
        if (end[k] < m->plan.bodies && m->link[end[k]].joint == i) return 0;
    return 1;
}
