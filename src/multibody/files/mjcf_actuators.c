/* SPDX-License-Identifier: BSD-3-Clause */
/* Actuators of MJCF: motors and servos of lg_motor on hinges, slides and tendons; thrusters at sites. */
#include <math.h>
#include <string.h>

#include <liegrp/groups/so3.h>

#include "base/small.h"
#include "groups/rotation.h"
#include "multibody/files/mjcf.h"
#include "multibody/parts/joint.h"

/* The joint of the file that has the position of this name; NULL: none. */
static const mb_file_joint *file_joint_of(const mj_reader *o, const char *name, int *position)
{
    const int k = lg_mechanism_joint_position(o->r->m, position, name);
    const mb_file_joint *j = k >= 0 && k < o->r->emitted ? &o->r->joint[o->r->of_joint[k]] : NULL;
    if (j == NULL || *position < 0) return NULL;
    return *position < (j->kind == LG_JOINT_COMPOSED ? j->motions : mb_joint_kinds[j->kind].positions) ? j : NULL;
}

double mj_spring_rest(const mj_reader *o, const char *name)
{
    int position;
    const mb_file_joint *j = file_joint_of(o, name, &position);
    return j == NULL ? 0 : j->several > 0 ? j->each[position].rest : j->all.rest;
}

int mj_rests_at_start(const mb_file_joint *j)
{
    int same = j->kind == LG_JOINT_FREE || j->several > 0 || j->all.rest == j->zero[0];
    for (int i = 0; i < j->several; i++) same &= j->each[i].rest == j->zero[i];
    return same;
}

const char *mj_joint_of(mj_reader *o, mb_element *e, const char *attribute, double *zero)
{
    const char *name = mb_needed_text(o->r, e, attribute);
    int position;
    const mb_file_joint *j = file_joint_of(o, name, &position);
    if (j != NULL) {
        *zero = j->zero[position];
        return name;
    }
    if (name != NULL)
        mb_refuse(o->r, e, "%s of <%s>: '%.60s' is no hinge or slide%s", attribute, e->name, name,
                  mb_left_out(o->r, name));
    return NULL;
}

/* force = gain u + bias[0] + bias[1] l + bias[2] l' - brake u l', l = gear q. */
typedef struct law {
    double gain, bias[3], brake;
} law;

static law law_of_general(mj_reader *o, mb_element *e)
{
    static const char *const gains[] = {"fixed", "affine", NULL}, *const biases[] = {"none", "affine", NULL};
    mb_reader *r = o->r;
    double gain[10] = {1}, bias[10] = {0};
    const int affine = mb_choice(r, e, "biastype", biases, 0);
    const int gains_affine = mb_choice(r, e, "gaintype", gains, 0);
    (void)mb_numbers(r, e, "gainprm", gain, 1, 10), (void)mb_numbers(r, e, "biasprm", bias, 1, 10);
    const int biased = affine && (bias[0] != 0 || bias[1] != 0 || bias[2] != 0);
    if (gains_affine && gain[0] == 0 && gain[1] == 0 && gain[2] < 0 && !biased) return (law){.brake = -gain[2]};
    if (gains_affine && (gain[1] != 0 || gain[2] != 0))
        mb_refuse_as(r, LG_ERROR_UNSUPPORTED, e,
                     "gainprm: a gain that depends on length or velocity is read only as that of a damper, 0 0 -kv "
                     "without bias; --ignore general leaves it out");
    return affine ? (law){gain[0], {bias[0], bias[1], bias[2]}, 0} : (law){.gain = gain[0]};
}

static law law_of_cylinder(mb_reader *r, mb_element *e)
{
    law f = {.gain = mb_number(r, e, "area", 1)};
    double diameter;
    if (mb_numbers(r, e, "diameter", &diameter, 1, 1) > 0) f.gain = LG_PI / 4 * diameter * diameter;
    (void)mb_numbers(r, e, "bias", f.bias, 3, 3);
    return f;
}

static law law_of(mj_reader *o, mb_element *e)
{
    mb_reader *r = o->r;
    if (mb_is(e, "general")) return law_of_general(o, e);
    if (mb_is(e, "motor")) return (law){.gain = 1};
    const double kv = mb_number(r, e, "kv", mb_is(e, "velocity") || mb_is(e, "damper"));
    if (mb_is(e, "velocity")) return (law){kv, {0, 0, -kv}, 0};
    if (mb_is(e, "damper")) return (law){.brake = kv};
    if (mb_is(e, "cylinder")) return law_of_cylinder(r, e);
    const double kp = mb_number(r, e, "kp", 1);
    return (law){kp, {0, -kp, -kv}, 0};
}

/* Least and greatest force. */
static void read_limits(mj_reader *o, double *to, mb_element *e, const char *range, const char *limited, double scale)
{
    double given[2];
    if (!mj_is_limited(o, e, limited, mb_numbers(o->r, e, range, given, 2, 2) > 0)) return;
    if (scale < 0) scale = -scale, given[0] = -given[1], given[1] = -given[0];
    to[0] = fmax(to[0], given[0] * scale), to[1] = fmin(to[1], given[1] * scale);
}

/* What MuJoCo integrates between a control and what it does. Its three ways to step a filter are one here, where the
 * activation is exact; actearly, a step ahead, is such a way too. */
static void read_activation(mj_reader *o, lg_motor *motor, mb_element *e)
{
    static const char *const kinds[] = {"none", "integrator", "filter", "filterexact", NULL};
    mb_reader *r = o->r;
    const char *dynamics = mb_is(e, "general") ? mb_text(e, "dyntype") : NULL;
    double time[10] = {1}, range[2] = {-INFINITY, INFINITY};
    int kind = 0;
    if (dynamics != NULL && (strcmp(dynamics, "muscle") == 0 || strcmp(dynamics, "user") == 0))
        mb_refuse_as(r, LG_ERROR_UNSUPPORTED, e,
                     "dyntype '%.40s' is not read, but activations of first order (filter, filterexact, integrator); "
                     "--ignore general leaves it out",
                     dynamics);
    else if (mb_is(e, "general"))
        kind = mb_choice(r, e, "dyntype", kinds, 0), (void)mb_numbers(r, e, "dynprm", time, 1, 10);
    if (mb_is(e, "intvelocity")) kind = 1;
    if (mb_is(e, "cylinder")) kind = 2, time[0] = mb_number(r, e, "timeconst", 1);
    if (mb_is(e, "position")) kind = (time[0] = mb_number(r, e, "timeconst", 0)) != 0 ? 2 : 0;
    (void)mb_text(e, "actearly");
    if (kind == 0 || r->status != LG_OK) return;
    if (kind > 1 && !(time[0] > 0))
        mb_refuse(r, e, "the time constant of <%s> is %g; it must be positive", e->name, time[0]);
    motor->activation = kind == 1 ? LG_ACTIVATION_INTEGRATOR : LG_ACTIVATION_FILTER;
    if (kind > 1) motor->time_constant = time[0];
    read_limits(o, range, e, "actrange", "actlimited", 1);
    motor->activation_lower = range[0], motor->activation_upper = range[1];
}

/* The range of the joint about its middle, times inheritrange: of a servo's control, or of the position that the
 * control of <intvelocity> moves. */
static void inherit_range(mj_reader *o, mb_element *e, lg_motor *motor)
{
    const double part = mb_number(o->r, e, "inheritrange", 0);
    int position;
    const mb_file_joint *j = part != 0 ? file_joint_of(o, motor->joint, &position) : NULL;
    if (part == 0 || o->r->status != LG_OK) return;
    const double lower = j == NULL ? -INFINITY : j->several > 0 ? j->each[position].lower : j->all.lower;
    const double upper = j == NULL ? INFINITY : j->several > 0 ? j->each[position].upper : j->all.upper;
    if (!(part > 0) || !isfinite(upper - lower)) {
        mb_refuse(o->r, e, "inheritrange of <%s> must be positive, and its joint '%.60s' needs a range", e->name,
                  motor->joint);
        return;
    }
    const double middle = 0.5 * (lower + upper), half = 0.5 * part * (upper - lower);
    const int integrates = motor->activation == LG_ACTIVATION_INTEGRATOR;
    if (o->unclamped && !integrates) return;
    *(integrates ? &motor->activation_lower : &motor->control_lower) = middle - half;
    *(integrates ? &motor->activation_upper : &motor->control_upper) = middle + half;
}

/* gear u times the gain is a motor; u and the length with one gain, or u and the velocity, are a servo. */
static void take_law(mb_reader *r, mb_element *e, lg_motor *motor, const law *f)
{
    const int limited = motor->lower > -INFINITY || motor->upper < INFINITY;
    if (f->brake != 0 && (limited || !(motor->control_lower >= 0)))
        mb_refuse_as(r, LG_ERROR_UNSUPPORTED, e,
                     "<%s> is a damper, which is read with a ctrlrange from 0 or more on, and without forcerange; "
                     "--ignore %s leaves it out",
                     e->name, e->name);
    if (f->brake != 0) {
        motor->damping_gain = f->brake;
    } else if (f->bias[0] == 0 && f->bias[1] == 0 && f->bias[2] == 0) {
        motor->ratio *= f->gain;
        motor->lower /= fabs(f->gain), motor->upper /= fabs(f->gain);
        if (f->gain < 0) {
            const double lower = motor->lower;
            motor->lower = -motor->upper, motor->upper = -lower;
        }
    } else if (f->bias[0] == 0 && f->bias[1] <= 0 && f->bias[2] <= 0 && f->gain != 0) {
        motor->position_gain = -f->bias[1], motor->velocity_gain = -f->bias[2];
        const double follows = f->bias[1] < 0 ? -f->bias[1] : -f->bias[2];
        if (f->gain < follows || f->gain > follows) motor->control_gain = f->gain;
    } else {
        mb_refuse_as(
            r, LG_ERROR_UNSUPPORTED, e,
            "<%s> with gain %g and bias %g, %g, %g is neither a motor (no bias) nor a servo (bias 0, -kp, -kv); --ignore "
            "%s leaves it out",
            e->name, f->gain, f->bias[0], f->bias[1], f->bias[2], e->name);
    }
}

/* In MuJoCo the defaults of all kinds of actuators are one. Those of another kind that are not only a ratio or a limit
 * are refused where they would act. */
static void inherit_actuator(mj_reader *o, mb_element *e)
{
    static const char *const kinds[] = {"general",  "motor",  "position", "velocity", "intvelocity", "damper",
                                        "cylinder", "muscle", "adhesion", "plugin",   NULL};
    static const char *const shared[] = {"gear",         "ctrlrange", "ctrllimited", "forcerange",
                                         "forcelimited", "actrange",  "actlimited",  NULL};
    static const char *const others[] = {"kp",       "kv",      "dampratio", "gainprm",   "biasprm",
                                         "biastype", "dyntype", "dynprm",    "timeconst", NULL};
    const char *class = mb_text(e, "class");
    mb_attribute own = {NULL, "class", class, 1};
    mj_inherit_shared(o, e, kinds, shared);
    mj_inherit(o, e, NULL);
    for (int i = 0; kinds[i] != NULL && !mb_is(e, "motor"); i++) {
        mb_element probe = {.name = e->name, .line = e->line, .file = e->file, .parent = e->parent};
        if (mb_is(e, kinds[i])) continue;
        if (class != NULL) probe.attribute = &own;
        mj_inherit_as(o, &probe, kinds[i]);
        for (int k = 0; others[k] != NULL; k++)
            if (mb_text(&probe, others[k]) != NULL && mb_text(e, others[k]) == NULL)
                mb_refuse_as(o->r, LG_ERROR_UNSUPPORTED, e,
                             "%s in the defaults of <%s> acts on <%s> too in MuJoCo, which is not read; give it here",
                             others[k], kinds[i], e->name);
    }
}

/* An actuator without a name has that of its joint; if another one has it, with its number in the file. */
static const char *unnamed(mb_reader *r, const char *joint)
{
    const char *name = joint;
    for (int i = r->m->part[MB_MOTORS].count + 1; r->status == LG_OK && mb_find(r->m, MB_MOTORS, name) >= 0; i++)
        name = mb_print(r, "%s_%d", joint, i);
    return name;
}

/* A wrench of a body that a control of 1 is, in the axes at a place in it: along its axis, as every wrench has one. */
static void add_thruster(mj_reader *o, mb_element *e, const char *name, const char *body, const mb_place *at,
                         const double *wrench, const lg_motor *as)
{
    mb_reader *r = o->r;
    lg_thruster t = lg_thruster_default(name, body);
    double f[3], c[3], x[3], square = 0, along = 0;
    if (r->status == LG_OK && body == NULL) mb_refuse(r, e, "<%s> pushes what is fixed to the world", e->name);
    if (r->status == LG_OK && (as->position_gain > 0 || as->velocity_gain > 0 || as->damping_gain > 0))
        mb_refuse_as(r, LG_ERROR_UNSUPPORTED, e, "<%s> is a %s, and what it pushes has no length; take a <motor>",
                     e->name, as->damping_gain > 0 ? "damper" : "servo");
    const int at_once = as->activation == LG_ACTIVATION_NONE;
    if (r->status == LG_OK && !at_once && (as->lower > -INFINITY || as->upper < INFINITY))
        mb_refuse_as(r, LG_ERROR_UNSUPPORTED, e,
                     "forcerange of <%s> with an activation at a site is not read; give actrange", e->name);
    if (r->status != LG_OK) return;
    lg_so3_act(f, at->g + 3, wrench), lg_so3_act(c, at->g + 3, wrench + 3);
    for (int k = 0; k < 3; k++) f[k] *= as->ratio, c[k] *= as->ratio;
    for (int k = 0; k < 3; k++) square += f[k] * f[k], along += f[k] * c[k];
    small_cross(x, f, c);
    for (int k = 0; k < 3; k++) t.point[k] = at->g[k] + (square > 0 ? x[k] / square : 0);
    t.force = sqrt(square), t.torque = square > 0 ? along / t.force : lg_length(c, 3);
    if (square > 0 || t.torque > 0) memcpy(t.axis, square > 0 ? f : c, sizeof t.axis);
    t.lower = at_once ? as->lower : as->control_lower, t.upper = at_once ? as->upper : as->control_upper;
    t.activation = as->activation, t.time_constant = as->time_constant;
    t.activation_lower = as->activation_lower, t.activation_upper = as->activation_upper;
    int number = -1;
    mb_pass_on(r, e, lg_mechanism_add_thruster(r->m, &number, &t));
    mj_keep_control(o, e, MJ_THRUSTER - number);
}

/* A torque on a ball or a free joint of the world's, in the axes of its body. 0: the joint is another. */
static int push_joint(mj_reader *o, mb_element *e, const char *attribute, const lg_motor *as, const double *gear)
{
    mb_reader *r = o->r;
    const char *name = mb_text(e, attribute);
    const mb_file_joint *j = NULL;
    for (int i = 0; name != NULL && i < r->joints && j == NULL; i++)
        if (strcmp(r->joint[i].name, name) == 0 && !r->joint[i].left_out) j = &r->joint[i];
    if (j == NULL || (j->kind != LG_JOINT_SPHERICAL && j->kind != LG_JOINT_FREE)) return 0;
    const int is_free = j->kind == LG_JOINT_FREE;
    double wrench[6] = {0};
    if (mb_body_of(r, j->parent) != NULL || strcmp(attribute, "joint") != 0)
        mb_refuse_as(r, LG_ERROR_UNSUPPORTED, e,
                     "a torque on the %s joint '%.60s' is read only if its parent is the world and its axes are those "
                     "of the body (joint=, not jointinparent=)",
                     is_free ? "free" : "ball", name);
    for (int k = 0; is_free && k < 3; k++)
        if (gear[k] != 0)
            mb_refuse_as(
                r, LG_ERROR_UNSUPPORTED, e,
                "gear of the free joint '%.60s' has a force along the axes of space, which is not read; take a "
                "site, whose forces turn with the body",
                name);
    mb_needs_body(r, e, j->child);
    memcpy(wrench + 3, gear + (is_free ? 3 : 0), 3 * sizeof *gear);
    const mb_place at = r->link[j->child].in_body;
    const char *own = mb_text(e, "name");
    add_thruster(o, e, own != NULL && own[0] ? own : name, mb_body_of(r, j->child), &at, wrench, as);
    return 1;
}

/* What the actuator acts on: an attribute; NULL: refused. */
static const char *transmission_of(mj_reader *o, mb_element *e)
{
    static const char *const kinds[] = {"joint", "jointinparent", "tendon", "site", NULL};
    const char *found = NULL;
    for (int i = 0; kinds[i] != NULL && found == NULL; i++)
        if (mb_text(e, kinds[i]) != NULL) found = kinds[i];
    if (found == NULL)
        mb_refuse_as(o->r, LG_ERROR_UNSUPPORTED, e,
                     "<%s> acts on no joint, tendon or site, and its other transmissions are not read; --ignore %s "
                     "leaves it out",
                     e->name, e->name);
    if (mb_text(e, "refsite") != NULL)
        mb_refuse_as(o->r, LG_ERROR_UNSUPPORTED, e,
                     "refsite of <%s>: pushing one site relative to another is not read; --ignore %s leaves it out",
                     e->name, e->name);
    return found;
}

/* The motor's joint, or the tendon instead. NULL: refused. */
static const char *driven_by(mj_reader *o, mb_element *e, const char *attribute)
{
    double zero;
    if (strcmp(attribute, "tendon") != 0) return mj_joint_of(o, e, attribute, &zero);
    const char *given = mb_needed_text(o->r, e, attribute), *name = given != NULL ? mj_tendon_name(o, given) : NULL;
    if (name != NULL && mb_find(o->r->m, MB_TENDONS, name) < 0)
        mb_refuse(o->r, e, "tendon of <%s>: '%.60s' is not there, is ignored, or wraps around a geom", e->name, given);
    return name;
}

static void read_actuator(mj_reader *o, mb_element *e)
{
    mb_reader *r = o->r;
    double gear[6] = {1, 0, 0, 0, 0, 0}, limits[2] = {-INFINITY, INFINITY};
    const char *name = mb_text(e, "name");
    inherit_actuator(o, e);
    const char *attribute = transmission_of(o, e);
    (void)mb_numbers(r, e, "gear", gear, 1, 6);
    const law f = law_of(o, e);
    if (r->status != LG_OK) return;
    lg_motor motor = lg_motor_default(NULL, NULL);
    double control[2] = {-INFINITY, INFINITY};
    const int servo = mb_is(e, "position") || mb_is(e, "intvelocity");
    read_activation(o, &motor, e);
    const int plain =
        f.bias[0] == 0 && f.bias[1] == 0 && f.bias[2] == 0 && f.brake == 0 && motor.activation == LG_ACTIVATION_NONE;
    if (!o->unclamped) read_limits(o, plain ? limits : control, e, "ctrlrange", "ctrllimited", plain ? f.gain : 1);
    motor.control_lower = control[0], motor.control_upper = control[1];
    read_limits(o, limits, e, "forcerange", "forcelimited", 1);
    motor.lower = limits[0], motor.upper = limits[1];
    take_law(r, e, &motor, &f);
    if (strcmp(attribute, "site") == 0) {
        mb_place at = mb_here;
        const char *body = mj_site_in_body(o, e, "site", &at);
        add_thruster(o, e, name != NULL && name[0] ? name : mb_text(e, "site"), body, &at, gear, &motor);
        return;
    }
    if (r->status != LG_OK || push_joint(o, e, attribute, &motor, gear)) return;
    motor.joint = driven_by(o, e, attribute);
    if (motor.joint == NULL) return;
    if (servo) inherit_range(o, e, &motor);
    motor.name = name != NULL && name[0] ? name : unnamed(r, motor.joint);
    motor.ratio *= gear[0];
    int number = -1;
    const double ratio = servo ? mb_number(r, e, "dampratio", 0) : 0;
    if (ratio > 0 && strcmp(attribute, "tendon") == 0)
        mb_refuse_as(r, LG_ERROR_UNSUPPORTED, e, "dampratio on a tendon is not read; give kv");
    if (r->status == LG_OK) mb_pass_on(r, e, lg_mechanism_add_motor(r->m, &number, &motor));
    if (r->status != LG_OK) return;
    if (ratio > 0) mj_wish_for(o, e, motor.joint, number, &ratio);
    mj_keep_control(o, e, number);
}

void mj_actuators(mj_reader *o, mb_element *section)
{
    static const char *const kinds[] = {"motor",       "position", "velocity", "general",
                                        "intvelocity", "cylinder", "damper",   NULL};
    for (mb_element *e = section->child; e != NULL && o->r->status == LG_OK; e = e->next) {
        int i = 0;
        while (kinds[i] != NULL && !mb_is(e, kinds[i])) i++;
        if (kinds[i] == NULL) continue;
        e->read = 1;
        if (mb_ignores(o->r, e->name)) {
            mb_passed_over(e);
            mb_note(o->r, e, "<%.40s> is ignored, as you ask", e->name);
        } else if (o->inert) {
            mb_passed_over(e);
            mb_note(o->r, e, "<%s> does not act, as <flag> says", e->name);
        } else {
            read_actuator(o, e);
        }
    }
}

/* ---- limits of joints ---- */

enum { SEVERAL = -1 };

/* For each position of a joint 1 + the motor on it, 0, or SEVERAL; *others: what else may push joints. */
static int *motors_of_positions(mj_reader *o, int *others)
{
    lg_mechanism *m = o->r->m;
    const size_t all = MB_POSITIONS_MOST * (size_t)lg_mechanism_joint_count(m) + 1;
    int *of = mb_take(o->r, all * sizeof *of), i;
    *others = lg_mechanism_thruster_count(m) > 0;
    if (of != NULL) memset(of, 0, all * sizeof *of);
    for (int k = 0; of != NULL && k < lg_mechanism_motor_count(m); k++) {
        const int j = lg_mechanism_joint_position(m, &i, MB_MOTOR_OF(m, k)->joint);
        *others |= j < 0;
        if (j < 0 || i < 0) continue;
        int *to = &of[MB_POSITIONS_MOST * j + i];
        *to = *to == 0 ? k + 1 : SEVERAL;
    }
    return of;
}

static void limit_joint_force(mj_reader *o, const mj_joined *w, const double *range, int motor)
{
    mb_reader *r = o->r;
    lg_motor *d = motor != SEVERAL ? mb_part_at(r->m, MB_MOTORS, motor - 1) : NULL;
    if (d == NULL || d->damping_gain > 0) {
        mb_refuse_as(r, LG_ERROR_UNSUPPORTED, w->at,
                     "actuatorfrcrange of joint '%.60s': a limit of the sum of several actuators, of a damper, or of "
                     "one that acts through a tendon or a site, is not read; --ignore actuatorfrcrange leaves it out",
                     w->name);
        return;
    }
    const double a = range[0] / d->ratio, b = range[1] / d->ratio;
    d->lower = fmax(d->lower, fmin(a, b)), d->upper = fmin(d->upper, fmax(a, b));
    if (!(range[0] < range[1]) || !(d->lower <= d->upper))
        mb_refuse(r, w->at, "actuatorfrcrange of joint '%.60s', %g to %g, leaves its actuator no force", w->name,
                  range[0], range[1]);
}

void mj_limit_joint_forces(mj_reader *o)
{
    mb_reader *r = o->r;
    int *of = NULL, others = 0, i;
    for (mj_joined *w = o->joined; w != NULL && r->status == LG_OK; w = w->next) {
        double range[2];
        const int given = mb_numbers(r, w->at, "actuatorfrcrange", range, 2, 2) > 0;
        if (!mj_is_limited(o, w->at, "actuatorfrclimited", given) || r->status != LG_OK) continue;
        if (mb_ignores(r, "actuatorfrcrange")) {
            mb_note(r, w->at, "actuatorfrcrange of <joint> is ignored, as you ask");
            continue;
        }
        if (of == NULL && (of = motors_of_positions(o, &others)) == NULL) return;
        const int j = lg_mechanism_joint_position(r->m, &i, w->name);
        const int motor = j < 0 || i < 0 ? 0 : of[MB_POSITIONS_MOST * j + i];
        if (motor != 0 || others) limit_joint_force(o, w, range, others ? SEVERAL : motor);
    }
}
