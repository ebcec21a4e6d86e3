/* SPDX-License-Identifier: BSD-3-Clause */
/* Numbers of a mechanism by name, and its parts as they were described. */
#include <liegrp/multibody/parameters.h>

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/sized.h"
#include "multibody/mechanism.h"

/* Fields ---------------------------------------------------------------------------------------------------------- */

typedef struct field {
    const char *name, *unit;
    size_t offset;
} field;

#define AT(type, member) offsetof(type, member)
static const field body_fields[] = {
    {"mass", "kg", AT(lg_body, mass)},
    {"inertia_xx", "kg m^2", AT(lg_body, inertia[0])},
    {"inertia_yy", "kg m^2", AT(lg_body, inertia[1])},
    {"inertia_zz", "kg m^2", AT(lg_body, inertia[2])},
    {"inertia_xy", "kg m^2", AT(lg_body, inertia[3])},
    {"inertia_xz", "kg m^2", AT(lg_body, inertia[4])},
    {"inertia_yz", "kg m^2", AT(lg_body, inertia[5])},
    {"centre_x", "m", AT(lg_body, centre[0])},
    {"centre_y", "m", AT(lg_body, centre[1])},
    {"centre_z", "m", AT(lg_body, centre[2])},
    {"position_x", "m", AT(lg_body, position[0])},
    {"position_y", "m", AT(lg_body, position[1])},
    {"position_z", "m", AT(lg_body, position[2])},
};
static const field turning_fields[] = {
    {"stiffness", "N m/rad", AT(lg_joint, stiffness)},
    {"rest", "rad", AT(lg_joint, rest)},
    {"damping", "N m s/rad", AT(lg_joint, damping)},
};
static const field sliding_fields[] = {
    {"stiffness", "N/m", AT(lg_joint, stiffness)},
    {"rest", "m", AT(lg_joint, rest)},
    {"damping", "N s/m", AT(lg_joint, damping)},
};
static const field distance_fields[] = {{"length", "m", AT(lg_joint, length)}};
static const field wheel_fields[] = {
    {"radius", "m", AT(lg_wheel, radius)},
    {"tube", "m", AT(lg_wheel, tube)},
    {"ground_velocity_x", "m/s", AT(lg_wheel, ground_velocity[0])},
    {"ground_velocity_y", "m/s", AT(lg_wheel, ground_velocity[1])},
    {"ground_velocity_z", "m/s", AT(lg_wheel, ground_velocity[2])},
    {"ground_spin", "rad/s", AT(lg_wheel, ground_spin)},
};
static const field spring_fields[] = {
    {"stiffness", "N/m", AT(lg_spring, stiffness)},
    {"rest", "m", AT(lg_spring, rest)},
    {"damping", "N s/m", AT(lg_spring, damping)},
};
static const field gear_fields[] = {
    {"ratio", "-", AT(lg_gear, ratio)},
    {"offset", "rad", AT(lg_gear, offset)},
};
static const field gravity_fields[] = {{"x", "m/s^2", 0}, {"y", "m/s^2", 8}, {"z", "m/s^2", 16}};
#undef AT

/* Kinds of parts; gravity is one more, with a single part. */
enum { GRAVITY = MB_KINDS };

static const size_t sizes[MB_KINDS] = {sizeof(lg_body),   sizeof(lg_joint), sizeof(lg_wheel),
                                       sizeof(lg_spring), sizeof(lg_motor), sizeof(lg_gear)};
static const char *const nouns[MB_KINDS] = {"body", "joint", "wheel", "spring", "motor", "gear"};

/* A part: its kind, name, numbers and fields. */
typedef struct part {
    int kind;
    const char *name;
    char *at;
    const field *fields;
    int count;
} part;

#define FIELDS(p, table) (p).fields = (table), (p).count = (int)(sizeof(table) / sizeof(table)[0])

static part part_of(const lg_mechanism *m, int kind, int i)
{
    part p = {kind, "gravity", (char *)(uintptr_t)m->gravity, NULL, 0};
    if (kind < MB_KINDS) {
        p.at = m->part[kind].at + (size_t)i * sizes[kind];
        p.name = ((const lg_body *)(const void *)p.at)->name; /* all descriptions begin with size and name */
    }
    switch (kind) {
    case MB_BODIES:
        FIELDS(p, body_fields);
        break;
    case MB_JOINTS: {
        const lg_joint_kind joint = MB_JOINT_OF(m, i)->kind;
        if (joint == LG_JOINT_REVOLUTE) FIELDS(p, turning_fields);
        if (joint == LG_JOINT_PRISMATIC) FIELDS(p, sliding_fields);
        if (joint == LG_JOINT_DISTANCE) FIELDS(p, distance_fields);
        break;
    }
    case MB_WHEELS:
        FIELDS(p, wheel_fields);
        break;
    case MB_SPRINGS:
        FIELDS(p, spring_fields);
        break;
    case MB_GEARS:
        FIELDS(p, gear_fields);
        break;
    case GRAVITY:
        FIELDS(p, gravity_fields);
        break;
    default:
        break;
    }
    return p;
}

/* Gravity comes first. */
static const int order[] = {GRAVITY, MB_BODIES, MB_JOINTS, MB_WHEELS, MB_SPRINGS, MB_GEARS};
enum { ORDER = sizeof order / sizeof order[0] };

static int parts_of(const lg_mechanism *m, int kind)
{
    return kind == GRAVITY ? 1 : mb_seen(m, kind);
}

int mb_parameters_of_part(const lg_mechanism *m, int kind, int i)
{
    return part_of(m, kind, i).count;
}

/* The parameters of the first `parts` parts of a kind. */
static int parameters_before(const lg_mechanism *m, int kind, int parts)
{
    if (parts == 0) return 0;
    return kind == GRAVITY ? part_of(m, GRAVITY, 0).count : m->part[kind].parameter_end[parts - 1];
}

/* Parameter i: its part, and which field in *f; a count of 0: there is none. */
static part find(const lg_mechanism *m, int i, int *f)
{
    const part none = {GRAVITY, NULL, NULL, NULL, 0};
    for (int k = 0; m != NULL && i >= 0 && k < ORDER; k++) {
        const int parts = parts_of(m, order[k]), count = parameters_before(m, order[k], parts);
        if (i >= count) {
            i -= count;
            continue;
        }
        int low = 0, high = parts - 1; /* the first part whose parameters end beyond i */
        while (low < high) {
            const int middle = low + (high - low) / 2;
            if (parameters_before(m, order[k], middle + 1) > i)
                high = middle;
            else
                low = middle + 1;
        }
        *f = i - parameters_before(m, order[k], low);
        return part_of(m, order[k], low);
    }
    return none;
}

int lg_mechanism_parameter_count(const lg_mechanism *m)
{
    int count = 0;
    for (int k = 0; m != NULL && k < ORDER; k++) count += parameters_before(m, order[k], parts_of(m, order[k]));
    return count;
}

/* The part of a kind with a name of `length` characters; -1: none. */
static int part_named(const lg_mechanism *m, int kind, const char *name, size_t length)
{
    if (kind < MB_KINDS) return mb_find_within(m, kind, name, length);
    return length == strlen("gravity") && strncmp(name, "gravity", length) == 0 ? 0 : -1;
}

/* The number of a field of part n among the parameters of its kind; -1: no such part or field. */
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
    for (int before = 0, k = 0; k < ORDER; k++) {
        const int kind = order[k];
        int at = field_named(m, kind, part_named(m, kind, name, length), dot + 1);
        const size_t prefix = kind < MB_KINDS ? strlen(nouns[kind]) : 0;
        if (prefix > 0 && prefix < length && strncmp(name, nouns[kind], prefix) == 0 && name[prefix] == ':') {
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
                                                 : snprintf(name, size, "%s:%s.%s", nouns[p.kind], p.name, last);
}

static double *number_of(const part *p, int f)
{
    return (double *)(void *)(p->at + p->fields[f].offset);
}

void mb_list_parameters(const lg_mechanism *m, lg_json *j)
{
    for (int k = 0; k < ORDER; k++) {
        const int count = parts_of(m, order[k]), named = order[k] < MB_KINDS;
        if (count > 0 && named) lg_json_open(j, nouns[order[k]], '{');
        for (int n = 0; n < count; n++) {
            const part p = part_of(m, order[k], n);
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

/* Setting --------------------------------------------------------------------------------------------------------- */

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
    int f = 0;
    if (m == NULL || name == NULL) return LG_ERROR_ARGUMENT;
    lg_error_clear(&m->error);
    if (m->compiled)
        return lg_fail(&m->error, LG_ERROR_ARGUMENT,
                       "lg_mechanism_set_parameter: the mechanism is compiled; set parameters before");
    const int i = lg_mechanism_parameter(m, name);
    if (i < 0) return unknown(m, name);
    if (!isfinite(value))
        return lg_fail(&m->error, LG_ERROR_ARGUMENT, "parameter '%.60s' is %g; it must be finite", name, value);
    const part p = find(m, i, &f);
    *number_of(&p, f) = value;
    m->altered = 1;
    return LG_OK;
}

/* A part is possible where a new mechanism takes it. */
static lg_status add_again(lg_mechanism *m, int kind, const void *at)
{
    switch (kind) {
    case MB_BODIES:
        return lg_mechanism_add_body(m, NULL, at);
    case MB_JOINTS:
        return lg_mechanism_add_joint(m, NULL, at);
    case MB_WHEELS:
        return lg_mechanism_add_wheel(m, NULL, at);
    case MB_SPRINGS:
        return lg_mechanism_add_spring(m, NULL, at);
    case MB_MOTORS:
        return lg_mechanism_add_motor(m, NULL, at);
    default:
        return lg_mechanism_add_gear(m, NULL, at);
    }
}

lg_status mb_check_altered(lg_mechanism *m)
{
    lg_status st = LG_OK;
    for (int kind = 0; m->altered && st == LG_OK && kind < MB_KINDS; kind++) {
        for (int i = 0; st == LG_OK && i < m->part[kind].count; i++) {
            lg_mechanism *scratch;
            st = lg_mechanism_create(&scratch);
            if (st == LG_OK) st = add_again(scratch, kind, m->part[kind].at + (size_t)i * sizes[kind]);
            if (st != LG_OK)
                (void)lg_fail(&m->error, st, "%s", scratch != NULL ? scratch->error.message : "out of memory");
            lg_mechanism_destroy(scratch);
        }
    }
    return st;
}

/* Descriptions ---------------------------------------------------------------------------------------------------- */

/* `least`: the part of the description that every caller has. */
static lg_status read_part(const lg_mechanism *m, int kind, void *to, int i, size_t least)
{
    if (m == NULL || to == NULL || i < 0 || i >= mb_seen(m, kind)) return LG_ERROR_ARGUMENT;
    const lg_sized sized = {nouns[kind], "", sizes[kind], least};
    const size_t size = *(const size_t *)to;
    if (!lg_sized_fits(&sized, size)) return LG_ERROR_ARGUMENT;
    lg_sized_give(&sized, to, size, m->part[kind].at + (size_t)i * sizes[kind]);
    return LG_OK;
}

#define READ(noun, kind, last)                                                                                         \
    lg_status lg_mechanism_read_##noun(const lg_mechanism *m, lg_##noun *noun, int i)                                  \
    {                                                                                                                  \
        return read_part(m, kind, noun, i, LG_END_OF(lg_##noun, last));                                                \
    }
READ(body, MB_BODIES, position)
READ(joint, MB_JOINTS, rest)
READ(wheel, MB_WHEELS, ground_velocity)
READ(spring, MB_SPRINGS, rest)
READ(motor, MB_MOTORS, joint)
READ(gear, MB_GEARS, ratio)

int lg_mechanism_gear_count(const lg_mechanism *m)
{
    return m != NULL ? m->part[MB_GEARS].count : 0;
}

int lg_mechanism_joint_closes(const lg_mechanism *m, int i)
{
    if (m == NULL || !m->compiled || i < 0 || i >= mb_seen(m, MB_JOINTS)) return 0;
    const int end[2] = {m->joint[i].a, m->joint[i].b}; /* a link hangs on a joint of its own */
    for (int k = 0; k < 2; k++)
        if (end[k] < m->plan.bodies && m->link[end[k]].joint == i) return 0;
    return 1;
}
