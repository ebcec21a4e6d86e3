/* SPDX-License-Identifier: BSD-3-Clause */
/* The columns of a mechanism. Positions and velocities have the order of lg_motion_positions(), but for
 * bodies that float, whose attitude is a quaternion there. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <liegrp/groups/so3.h>
#include <liegrp/multibody/file.h>

#include "base/dense.h"
#include "base/sum.h"
#include "multibody/keys.h"
#include "multibody/motion.h"
#include "multibody/parts/joint.h"
#include "multibody/sensors.h"
#include "run/contact_columns.h"
#include "run/control_words.h"
#include "run/figure_columns.h"
#include "run/motion_columns.h"

/* Numbers of columns before the first position, and of a pose. */
enum { FIRST = 2, POSE = 7, TWIST = 6 };

struct lg_motion_columns {
    const lg_mechanism *m;
    int joints;    /* positions of joints */
    int floats;    /* bodies that float */
    int *floater;  /* which ones */
    char *in_tree; /* joints: 1 for those of the spanning tree */
    int motors, count, made;
    int acts;            /* columns of activations */
    int drives;          /* columns of drives and contacts */
    int sensors;         /* columns of sensors, the last ones */
    int figures;         /* columns between those of drives and of sensors */
    lg_column_kind kind; /* of the columns that are being made */
    size_t places;       /* of the table of names: a column's number + 1 where its name is, 0 in an empty place */
    int *table;
    char **names;      /* as `column` has them */
    lg_column *column; /* meanings are ours to free */
};

/* Words ----------------------------------------------------------------------------------------------------------- */

static char *text_of(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* NULL: out of memory. */
static char *text_of(const char *format, ...)
{
    va_list list;
    va_start(list, format);
    const int length = vsnprintf(NULL, 0, format, list);
    va_end(list);
    char *text = malloc((size_t)length + 1);
    va_start(list, format);
    if (text != NULL) (void)vsnprintf(text, (size_t)length + 1, format, list);
    va_end(list);
    return text;
}

/* Making ---------------------------------------------------------------------------------------------------------- */

/* The place of a name in the table: its own, or an empty one. */
static size_t place_of(const lg_motion_columns *c, const char *name)
{
    size_t place = (size_t)(lg_sum(LG_SUM, name, strlen(name)) % c->places);
    while (c->table[place] != 0 && strcmp(c->names[c->table[place] - 1], name) != 0) place = (place + 1) % c->places;
    return place;
}

/* Adds a column, which owns both texts. 0: out of memory. */
static int add(lg_motion_columns *c, char *name, const char *unit, char *meaning)
{
    const int joint = c->made >= FIRST && c->made < c->count - c->sensors - c->figures;
    char *own = name;
    for (int k = 2; own != NULL && (c->table[place_of(c, own)] != 0 || (joint && lg_is_figure(c->m, own))); k++) {
        if (own != name) free(own);
        own = text_of("%s_%d", name, k);
    }
    if (own != name) free(name);
    c->names[c->made] = own;
    if (own != NULL) c->table[place_of(c, own)] = c->made + 1;
    c->column[c->made] = (lg_column){own, unit, meaning, c->kind};
    c->made++;
    return own != NULL && meaning != NULL;
}

/* 1: control i acts with dynamics. */
static int acts(const lg_motion_columns *c, int i)
{
    return c->m->plan.activation[i].kind != LG_ACTIVATION_NONE;
}

/* The name of the lg_coordinate that is position i of a joint; NULL: there is none. */
static const char *coordinate_of(const lg_mechanism *m, int joint, int i)
{
    for (int k = 0; k < mb_seen(m, MB_COORDINATES); k++) {
        int position;
        const char *name = MB_COORDINATE_OF(m, k)->name;
        if (lg_mechanism_joint_position(m, &position, name) == joint && position == i) return name;
    }
    return NULL;
}

static int add_joint(lg_motion_columns *c, int joint, int velocity)
{
    const lg_joint *j = MB_JOINT_OF(c->m, joint);
    const int count = mb_position_count(j);
    int well = 1;
    for (int i = 0; well && i < count; i++) {
        const mb_position *w = mb_position_of(j, i);
        const char *own = count > 1 ? coordinate_of(c->m, joint, i) : NULL;
        char part[16] = "";
        if (count > 1 && own == NULL) (void)snprintf(part, sizeof part, "_%d", i + 1);
        well = add(c, text_of("%s%s%s", own != NULL ? own : j->name, velocity ? "_vel" : "", part),
                   velocity ? w->rate : w->unit,
                   text_of("%s%s joint %s", velocity ? "rate of the " : "", w->what, j->name));
    }
    return well;
}

static int add_float(lg_motion_columns *c, int body, int velocity)
{
    static const char *const pose[POSE] = {"x", "y", "z", "qx", "qy", "qz", "qw"};
    static const char *const twist[TWIST] = {"vx", "vy", "vz", "wx", "wy", "wz"};
    const char *name = MB_BODY(c->m, body)->name;
    int well = 1;
    for (int i = 0; well && i < (velocity ? TWIST : POSE); i++) {
        const char *unit = velocity ? (i < 3 ? "m/s" : "rad/s") : i < 3 ? "m" : "-";
        const char *what = velocity ? (i < 3 ? "velocity of the origin" : "angular velocity, in space,")
                           : i < 3  ? "position of the origin"
                                    : "attitude: component of the unit quaternion (x, y, z, w)";
        well = add(c, text_of("%s_%s", name, velocity ? twist[i] : pose[i]), unit, text_of("%s of %s", what, name));
    }
    return well;
}

static int add_control(lg_motion_columns *c, int i)
{
    const lg_control_words w = lg_control_words_of(c->m, i);
    return add(c, text_of("%s_%s%s", w.stem, w.suffix, w.part), w.unit,
               text_of("%s of %s %s during the step that begins", w.what, w.noun, w.of));
}

/* Of a joint 2 columns, of a body 7. */
static int drive_columns(const lg_motion_columns *c, int i)
{
    return MB_DRIVE_OF(c->m, i)->joint != NULL ? 2 : TWIST + 1;
}

static int add_drive(lg_motion_columns *c, int i)
{
    static const char *const part[] = {"fx", "fy", "fz", "tx", "ty", "tz"};
    const lg_drive *own = MB_DRIVE_OF(c->m, i);
    int joint, k, well = 1;
    if (own->joint != NULL) {
        const int slides = mb_position_named(c->m, &joint, &k, own->joint)->kind == MB_SLIDES;
        well = add(c, text_of("%s_force", own->name), slides ? "N" : "N m",
                   text_of("%s of drive %s, mean of the last step", slides ? "force" : "torque", own->name));
    }
    for (k = 0; own->joint == NULL && well && k < TWIST; k++)
        well = add(c, text_of("%s_%s", own->name, part[k]), k < 3 ? "N" : "N m",
                   text_of("%s of drive %s%s, in space, mean of the last step", k < 3 ? "force" : "torque", own->name,
                           k < 3 ? "" : " about the origin of the frame"));
    return well && add(c, text_of("%s_work", own->name), "J", text_of("work of drive %s since the start", own->name));
}

static int add_figures(lg_motion_columns *c)
{
    for (int i = 0; i < c->m->part[MB_DRIVES].count; i++)
        if (!add_drive(c, i)) return 0;
    for (int i = 0; i < lg_contact_column_count(c->m); i++) {
        const char *unit = "", *meaning = "";
        char *name = lg_contact_column(c->m, &unit, &meaning, i);
        if (!add(c, name, unit, text_of("%s", meaning))) return 0;
    }
    const lg_figure_column *own;
    int well = 1;
    for (int i = 0; well && (own = lg_figure_column_at(c->m, i)) != NULL; i++)
        well = add(c, text_of("%s", own->name), own->unit, text_of("%s", own->meaning));
    return well;
}

static int add_sensor(lg_motion_columns *c, const mb_sensor *s)
{
    static const char *const vector[] = {"_x", "_y", "_z"}, *const turn[] = {"_qx", "_qy", "_qz", "_qw"};
    const mb_sensor_facts *f = &mb_sensors[s->kind];
    int well = 1;
    for (int k = 0; well && k < f->size; k++)
        well = add(c,
                   text_of("%s%s", s->name,
                           f->size == 1   ? ""
                           : f->size == 4 ? turn[k]
                                          : vector[k]),
                   s->unit != NULL ? s->unit : f->unit, text_of("%s %s", f->meaning, s->name));
    return well;
}

static int add_activation(lg_motion_columns *c, int i)
{
    const char *name, *noun = mb_control_noun(c->m, i, &name);
    return add(c, text_of("%s_act", name), "-", text_of("activation of %s %s", noun, name));
}

static int add_all(lg_motion_columns *c)
{
    const lg_mechanism *m = c->m;
    int well =
        add(c, text_of("step"), "-", text_of("number of the step")) && add(c, text_of("t"), "s", text_of("time"));
    for (int velocity = 0; velocity < 2; velocity++) {
        c->kind = velocity ? LG_COLUMN_VELOCITY : LG_COLUMN_CONFIGURATION;
        for (int j = 0; well && j < mb_seen(m, MB_JOINTS); j++)
            if (c->in_tree[j]) well = add_joint(c, j, velocity);
        for (int f = 0; well && f < c->floats; f++) well = add_float(c, c->floater[f], velocity);
    }
    c->kind = LG_COLUMN_CONTROL;
    for (int i = 0; well && i < c->motors; i++) well = add_control(c, i);
    c->kind = LG_COLUMN_ACTIVATION;
    for (int i = 0; well && i < c->motors; i++)
        if (acts(c, i)) well = add_activation(c, i);
    c->kind = LG_COLUMN_FIGURE;
    well = well && add_figures(c);
    for (int i = 0; well && i < m->sensors; i++) well = add_sensor(c, &m->sensor[i]);
    return well;
}

/* How many there will be. */
static int count_columns(lg_motion_columns *c)
{
    const lg_mechanism *m = c->m;
    for (int b = 0; b < m->plan.bodies; b++)
        if (m->link[b].joint >= 0) c->in_tree[m->link[b].joint] = 1;
    for (int j = 0; j < mb_seen(m, MB_JOINTS); j++)
        if (c->in_tree[j]) c->joints += mb_position_count(MB_JOINT_OF(m, j));
    for (int b = 0; b < mb_seen(m, MB_BODIES); b++)
        if (m->link[b].joint < 0) c->floater[c->floats++] = b;
    c->motors = m->plan.controls;
    for (int i = 0; i < m->part[MB_DRIVES].count; i++) c->drives += drive_columns(c, i);
    c->drives += lg_contact_column_count(m);
    for (int i = 0; i < c->motors; i++) c->acts += acts(c, i);
    for (int i = 0; i < m->sensors; i++) c->sensors += mb_sensors[m->sensor[i].kind].size;
    c->figures = lg_figure_column_count(m);
    return c->sensors + FIRST + 2 * c->joints + (POSE + TWIST) * c->floats + c->motors + c->acts + c->drives +
           c->figures;
}

lg_status lg_motion_columns_create(lg_motion_columns **columns, const lg_mechanism *m)
{
    if (columns == NULL) return LG_ERROR_ARGUMENT;
    *columns = NULL;
    if (m == NULL || !m->compiled) return LG_ERROR_ARGUMENT;
    lg_motion_columns *c = calloc(1, sizeof *c);
    int well = c != NULL;
    if (well) {
        c->m = m;
        c->floater = calloc((size_t)m->plan.bodies, sizeof *c->floater);
        c->in_tree = calloc((size_t)m->part[MB_JOINTS].count + 1, 1);
        well = c->floater != NULL && c->in_tree != NULL;
    }
    if (well) {
        c->count = count_columns(c);
        c->places = 2 * (size_t)c->count + 1;
        c->table = calloc(c->places, sizeof *c->table);
        c->names = calloc((size_t)c->count, sizeof *c->names);
        c->column = calloc((size_t)c->count, sizeof *c->column);
        well = c->table != NULL && c->names != NULL && c->column != NULL && add_all(c);
    }
    if (well)
        *columns = c;
    else
        lg_motion_columns_destroy(c);
    return well ? LG_OK : LG_ERROR_MEMORY;
}

void lg_motion_columns_destroy(lg_motion_columns *c)
{
    if (c == NULL) return;
    for (int i = 0; i < c->made; i++) {
        free(c->names[i]);
        free((void *)(uintptr_t)c->column[i].meaning);
    }
    free(c->names);
    free(c->column);
    free(c->floater);
    free(c->in_tree);
    free(c->table);
    free(c);
}

/* Reading --------------------------------------------------------------------------------------------------------- */

int lg_motion_columns_count(const lg_motion_columns *c)
{
    return c != NULL ? c->count : 0;
}

char *const *lg_motion_columns_names(const lg_motion_columns *c)
{
    return c->names;
}

const lg_column *lg_motion_columns_column(const lg_motion_columns *c, int i)
{
    return i >= 0 && i < lg_motion_columns_count(c) ? &c->column[i] : NULL;
}

int lg_motion_columns_find(const lg_motion_columns *c, const char *name)
{
    return c != NULL && name != NULL ? c->table[place_of(c, name)] - 1 : -1;
}

static int controls_at(const lg_motion_columns *c)
{
    return c->count - c->sensors - c->figures - c->drives - c->acts - c->motors;
}

int lg_motion_columns_is_initial(const lg_motion_columns *c, int i)
{
    const int controls = controls_at(c);
    return (i >= FIRST && i < controls) || (i >= controls + c->motors && i < controls + c->motors + c->acts);
}

/* Where the velocities begin. */
static int velocities_at(const lg_motion_columns *c)
{
    return FIRST + c->joints + POSE * c->floats;
}

lg_status lg_motion_columns_row(const lg_motion_columns *c, double *row, const mb_sparse *mo, int64_t step, double work,
                                const double *account)
{
    double *at = row + velocities_at(c);
    row[0] = (double)step;
    row[1] = mo->t;
    lg_status st = lg_motion_positions(&mo->head, row + FIRST, at);
    for (int f = 0; st == LG_OK && f < c->floats; f++)
        st = lg_motion_body_pose(&mo->head, row + FIRST + c->joints + POSE * f, c->floater[f]);
    at += c->joints + TWIST * c->floats;
    for (int i = 0; i < c->motors; i++) *at++ = mo->numbers.control[i];
    for (int i = 0; i < c->motors; i++)
        if (acts(c, i)) *at++ = lg_motion_activation(&mo->head, i);
    for (int i = 0; i < c->m->part[MB_DRIVES].count; i++) {
        const int forces = drive_columns(c, i) - 1;
        for (int k = 0; k < forces; k++) at[k] = NAN; /* before the first step there is none */
        lg_status_ignore(lg_motion_drive(&mo->head, mo->stepped ? at : NULL, at + forces, i));
        at += forces + 1;
    }
    at = lg_contact_row(at, mo);
    at = lg_figure_row(at, mo, work, account);
    lg_dynamics *observer = NULL;
    if (st == LG_OK) st = mb_sensors_observe(&observer, mo);
    for (int i = 0; i < c->m->sensors; at += mb_sensors[c->m->sensor[i].kind].size, i++)
        mb_sensor_read(&c->m->sensor[i], &mo->head, observer, at);
    return st;
}

lg_status lg_motion_columns_show(const lg_motion_columns *c, double *row, mb_sparse *mo, double t, const double *g,
                                 const double *xi)
{
    mb_sparse_show_velocity(mo, t, g, xi);
    const lg_status st = lg_motion_columns_row(c, row, mo, 0, NAN, NULL);
    for (int i = 0; i < c->figures + c->drives; i++) row[c->count - c->sensors - c->figures - c->drives + i] = NAN;
    return st;
}

/* Starting -------------------------------------------------------------------------------------------------------- */

/* Replaces those components of a unit quaternion that are given; the rest is scaled. 0: no unit quaternion has them. */
static int replace_quaternion(double *q, const double *given)
{
    double own = 0, rest = 0;
    int count = 0; /* there is one at least */
    for (int i = 0; i < 4; i++) {
        if (isnan(given[i]))
            rest += q[i] * q[i];
        else
            own += given[i] * given[i], count++;
    }
    if (count == 4) rest = 0;
    if (count == 4 ? fabs(own - 1) > 1e-3 : own > 1 || (own < 1 && rest == 0)) return 0;
    const double scale = rest > 0 ? sqrt((1 - own) / rest) : 0, length = count == 4 ? sqrt(own) : 1;
    for (int i = 0; i < 4; i++) q[i] = isnan(given[i]) ? scale * q[i] : given[i] / length;
    return 1;
}

/* Replaces what is given; returns how much. */
static int replace(double *to, const double *given, int count)
{
    int replaced = 0;
    for (int i = 0; i < count; i++) {
        if (isnan(given[i])) continue;
        to[i] = given[i];
        replaced++;
    }
    return replaced;
}

/* As above, of bodies that float; *failed: 1 + the one whose quaternion is impossible. */
static void replace_floats(const lg_motion_columns *c, const mb_sparse *mo, double *q, const double *row, int *failed)
{
    for (int f = 0; f < c->floats; f++) {
        const double *given = row + FIRST + c->joints + POSE * f;
        double *to = q + c->joints + TWIST * f, pose[POSE];
        const int turned = !(isnan(given[3]) && isnan(given[4]) && isnan(given[5]) && isnan(given[6]));
        (void)replace(to, given, 3);
        if (!turned) continue;
        lg_status_ignore(lg_motion_body_pose(&mo->head, pose, c->floater[f]));
        if (!replace_quaternion(pose + 3, given + 3) || lg_so3_log(to + 3, pose + 3) != LG_OK) *failed = f + 1;
    }
}

/* Without projection: what is given must satisfy the constraints, and velocities that are not given are projected. */
static lg_status start_exactly(mb_sparse *mo, double t0, const double *q, const double *v, double *now,
                               int given_velocities)
{
    lg_status st = mb_sparse_start(mo, t0, q, v, 0);
    if (st != LG_ERROR_INCONSISTENT || given_velocities) return st;
    st = mb_sparse_start(mo, t0, q, v, 1);
    if (st == LG_OK) st = lg_motion_positions(&mo->head, now, NULL);
    if (st != LG_OK) return st;
    double moved = 0;
    for (int i = 0; i < mo->positions; i++) moved = fmax(moved, fabs(now[i] - q[i]));
    return moved <= 1e-8 * fmax(1, mo->mechanism->plan.reach) ? LG_OK : mb_sparse_start(mo, t0, q, v, 0);
}

lg_status lg_motion_columns_start(const lg_motion_columns *c, mb_sparse *mo, double t0, const double *row, int project)
{
    const int count = mo->positions;
    double *q = calloc(3 * (size_t)count + 1, sizeof *q), *v = q + count;
    int failed = 0;
    if (q == NULL) return lg_fail(&mo->head.error, LG_ERROR_MEMORY, "out of memory");
    lg_status st = lg_motion_positions(&mo->head, q, v);
    const int velocities = replace(v, row + velocities_at(c), count);
    (void)replace(q, row + FIRST, c->joints);
    replace_floats(c, mo, q, row, &failed);
    if (failed > 0)
        st = lg_fail(&mo->head.error, LG_ERROR_ARGUMENT, "the quaternion of body '%.60s' does not have length 1",
                     MB_BODY(c->m, c->floater[failed - 1])->name);
    if (st == LG_OK)
        st = project ? mb_sparse_start(mo, t0, q, v, 1) : start_exactly(mo, t0, q, v, v + count, velocities > 0);
    free(q);
    const double *act = row + controls_at(c) + c->motors;
    for (int i = 0; i < c->motors; i++) {
        if (!acts(c, i)) continue;
        if (st == LG_OK && !isnan(*act)) st = mb_set_activation(mo, i, *act, "lg_motion_start");
        act++;
    }
    return st;
}

lg_status lg_motion_columns_key(const lg_motion_columns *c, double *row, int i, lg_error *e)
{
    const lg_mechanism *m = c->m;
    const mb_keys *k = m->keys;
    if (i < 0 || i >= lg_mechanism_key_count(m))
        return lg_fail(e, LG_ERROR_ARGUMENT, "there is no key %d; the mechanism has %d", i, lg_mechanism_key_count(m));
    if (k->key[i].refusal != 0)
        return lg_fail(e, LG_ERROR_UNSUPPORTED, "%s", (const char *)mb_in_keys(k, k->key[i].refusal));
    int *first = malloc(((size_t)m->part[MB_JOINTS].count + 1) * sizeof *first), at = FIRST;
    if (first == NULL) return lg_fail(e, LG_ERROR_MEMORY, "out of memory");
    for (int j = 0; j < mb_seen(m, MB_JOINTS); j++) {
        first[j] = c->in_tree[j] ? at : -1;
        if (c->in_tree[j]) at += mb_position_count(MB_JOINT_OF(m, j));
    }
    for (int n = 0; n < c->count; n++) row[n] = NAN;
    row[1] = k->key[i].time;
    double *velocity = row + velocities_at(c), *control = velocity + c->joints + TWIST * c->floats;
    for (int n = 0; n < c->joints; n++) velocity[n] = 0;
    for (int n = 0; n < c->motors; n++) control[n] = 0;
    const int well = mb_key_write(k, i, row, velocity - FIRST, control, control + c->motors, first);
    free(first);
    if (well) return LG_OK;
    return lg_fail(e, LG_ERROR_ARGUMENT, "key '%.60s' has a quaternion of length 0", lg_mechanism_key_name(m, i));
}

/* A row holds the joints of the tree; those that close loops follow, but for round-off. */
lg_status lg_motion_columns_place(const lg_motion_columns *c, mb_sparse *mo, const double *row)
{
    const double *joints = row + FIRST, *floats = joints + c->joints;
    if (mo->mechanism != c->m)
        return lg_fail(&mo->head.error, LG_ERROR_ARGUMENT, "the columns are those of another mechanism");
    for (int i = FIRST - 1; i < velocities_at(c); i++) {
        if (!isfinite(row[i])) return lg_fail(&mo->head.error, LG_ERROR_ARGUMENT, "'%.80s' is not finite", c->names[i]);
    }
    double *q = calloc((size_t)mo->positions + 1, sizeof *q);
    lg_status st = q == NULL ? lg_fail(&mo->head.error, LG_ERROR_MEMORY, "out of memory") : LG_OK;
    if (st == LG_OK) memcpy(q, joints, (size_t)c->joints * sizeof *q);
    for (int f = 0; st == LG_OK && f < c->floats; f++) {
        double *to = q + c->joints + TWIST * f, turn[4] = {0, 0, 0, 1};
        memcpy(to, floats + POSE * f, 3 * sizeof *to);
        if (!replace_quaternion(turn, floats + POSE * f + 3) || lg_so3_log(to + 3, turn) != LG_OK)
            st = lg_fail(&mo->head.error, LG_ERROR_ARGUMENT, "the quaternion of body '%.60s' does not have length 1",
                         MB_BODY(c->m, c->floater[f])->name);
    }
    if (st == LG_OK) st = mb_sparse_start(mo, row[1], q, NULL, 0);
    if (st == LG_ERROR_INCONSISTENT) st = mb_sparse_start(mo, row[1], q, NULL, 1);
    free(q);
    return st;
}
