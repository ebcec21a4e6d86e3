/* SPDX-License-Identifier: BSD-3-Clause */
/* Actuators of MJCF on hinges and slides: motors and servos of lg_motor. */
#include <math.h>
#include <string.h>

#include "multibody/files/mjcf.h"
#include "multibody/parts/joint.h"

const char *mj_joint_of(mj_reader *o, mb_element *e, const char *attribute, double *zero)
{
    const char *name = mb_needed_text(o->r, e, attribute);
    int position;
    const int k = lg_mechanism_joint_position(o->r->m, &position, name);
    const char *joint = lg_mechanism_joint_name(o->r->m, k);
    for (int i = 0; joint != NULL && position >= 0 && i < o->r->joints; i++) {
        const mb_file_joint *j = &o->r->joint[i];
        if (strcmp(j->name, joint) != 0 || j->left_out) continue;
        if (position >= (j->kind == LG_JOINT_COMPOSED ? j->motions : mb_joint_kinds[j->kind].positions)) continue;
        *zero = j->zero[position];
        return name;
    }
    if (name != NULL)
        mb_refuse(o->r, e, "%s of <%s>: '%.60s' is no hinge or slide%s", attribute, e->name, name,
                  mb_left_out(o->r, name));
    return NULL;
}

/* force = gain u + bias[0] + bias[1] l + bias[2] l', l = gear q. */
typedef struct law {
    double gain, bias[3];
} law;

static law law_of_general(mj_reader *o, mb_element *e)
{
    static const char *const gains[] = {"fixed", "affine", NULL}, *const biases[] = {"none", "affine", NULL};
    mb_reader *r = o->r;
    double gain[10] = {1}, bias[10] = {0};
    const int affine = mb_choice(r, e, "biastype", biases, 0);
    const int gains_affine = mb_choice(r, e, "gaintype", gains, 0);
    const char *dynamics = mb_text(e, "dyntype");
    if (dynamics != NULL && strcmp(dynamics, "none") != 0)
        mb_refuse_as(r, LG_ERROR_UNSUPPORTED, e,
                     "dyntype '%.40s': activations are not read; --ignore general leaves it out", dynamics);
    (void)mb_numbers(r, e, "gainprm", gain, 1, 10), (void)mb_numbers(r, e, "biasprm", bias, 1, 10);
    (void)mb_text(e, "dynprm");
    if (gains_affine && (gain[1] != 0 || gain[2] != 0))
        mb_refuse_as(r, LG_ERROR_UNSUPPORTED, e, "gainprm: a gain that depends on length or velocity is not read");
    return affine ? (law){gain[0], {bias[0], bias[1], bias[2]}} : (law){gain[0], {0, 0, 0}};
}

static law law_of(mj_reader *o, mb_element *e)
{
    mb_reader *r = o->r;
    if (mb_is(e, "general")) return law_of_general(o, e);
    if (mb_is(e, "motor")) return (law){1, {0, 0, 0}};
    const double kv = mb_number(r, e, "kv", mb_is(e, "velocity"));
    if (mb_is(e, "velocity")) return (law){kv, {0, 0, -kv}};
    const double kp = mb_number(r, e, "kp", 1);
    return (law){kp, {0, -kp, -kv}};
}

/* Least and greatest force. */
static void read_limits(mj_reader *o, double *to, mb_element *e, const char *range, const char *limited, double scale)
{
    double given[2];
    if (!mj_is_limited(o, e, limited, mb_numbers(o->r, e, range, given, 2, 2) > 0)) return;
    if (scale < 0) scale = -scale, given[0] = -given[1], given[1] = -given[0];
    to[0] = fmax(to[0], given[0] * scale), to[1] = fmin(to[1], given[1] * scale);
}

/* gear u times the gain is a motor; u and the length with one gain, or u and the velocity, are a servo. */
static void take_law(mb_reader *r, mb_element *e, lg_motor *motor, const law *f)
{
    if (f->bias[0] == 0 && f->bias[1] == 0 && f->bias[2] == 0) {
        motor->ratio *= f->gain;
        motor->lower /= fabs(f->gain), motor->upper /= fabs(f->gain);
        if (f->gain < 0) {
            const double lower = motor->lower;
            motor->lower = -motor->upper, motor->upper = -lower;
        }
    } else if (f->bias[0] == 0 && f->gain > 0 && f->bias[1] == -f->gain && f->bias[2] <= 0) {
        motor->position_gain = f->gain, motor->velocity_gain = -f->bias[2];
    } else if (f->bias[0] == 0 && f->gain > 0 && f->bias[1] == 0 && f->bias[2] == -f->gain) {
        motor->velocity_gain = f->gain;
    } else {
        mb_refuse_as(
            r, LG_ERROR_UNSUPPORTED, e,
            "<%s> with gain %g and bias %g, %g, %g is neither a motor (no bias) nor a servo (bias 0, -gain, -kv "
            "or 0, 0, -gain); --ignore %s leaves it out",
            e->name, f->gain, f->bias[0], f->bias[1], f->bias[2], e->name);
    }
}

/* In MuJoCo the defaults of all kinds of actuators are one. Those of another kind that are not only a ratio or a limit
 * are refused where they would act. */
static void inherit_actuator(mj_reader *o, mb_element *e)
{
    static const char *const kinds[] = {"general",  "motor",  "position", "velocity", "intvelocity", "damper",
                                        "cylinder", "muscle", "adhesion", "plugin",   NULL};
    static const char *const shared[] = {"gear", "ctrlrange", "ctrllimited", "forcerange", "forcelimited", NULL};
    static const char *const others[] = {"kp", "kv", "dampratio", "gainprm", "biasprm", "biastype", NULL};
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

/* An actuator without a name has that of its joint, from the second one of a joint on with a number. */
static const char *unnamed(mb_reader *r, const char *joint)
{
    const char *name = joint;
    for (int i = 2; r->status == LG_OK && mb_find(r->m, MB_MOTORS, name) >= 0; i++)
        name = mb_print(r, "%s_%d", joint, i);
    return name;
}

static void read_actuator(mj_reader *o, mb_element *e)
{
    mb_reader *r = o->r;
    double gear[6] = {1, 0, 0, 0, 0, 0}, zero, limits[2] = {-INFINITY, INFINITY};
    const char *name = mb_text(e, "name");
    inherit_actuator(o, e);
    if (mb_text(e, "jointinparent") != NULL && mb_text(e, "joint") == NULL)
        for (mb_attribute *a = e->attribute; a != NULL; a = a->next)
            if (strcmp(a->name, "jointinparent") == 0) a->name = "joint"; /* the same for hinges and slides */
    if (mb_text(e, "joint") == NULL) {
        mb_refuse_as(
            r, LG_ERROR_UNSUPPORTED, e,
            "<%s> does not act on a joint, and its other transmissions are not read; --ignore %s leaves it out",
            e->name, e->name);
        return;
    }
    const char *joint = mj_joint_of(o, e, "joint", &zero);
    (void)mb_numbers(r, e, "gear", gear, 1, 6);
    const law f = law_of(o, e);
    if (r->status != LG_OK || joint == NULL) return;
    lg_motor motor = lg_motor_default(name != NULL && name[0] ? name : unnamed(r, joint), joint);
    const int plain = f.bias[0] == 0 && f.bias[1] == 0 && f.bias[2] == 0;
    if (plain) read_limits(o, limits, e, "ctrlrange", "ctrllimited", f.gain);
    read_limits(o, limits, e, "forcerange", "forcelimited", 1);
    motor.ratio = gear[0], motor.lower = limits[0], motor.upper = limits[1];
    take_law(r, e, &motor, &f);
    int number = -1;
    const double ratio = mb_is(e, "position") ? mb_number(r, e, "dampratio", 0) : 0;
    if (r->status == LG_OK) mb_pass_on(r, e, lg_mechanism_add_motor(r->m, &number, &motor));
    if (ratio > 0) mj_wish_for(o, e, joint, number, &ratio);
    mj_keep_control(o, e, number);
}

void mj_actuators(mj_reader *o, mb_element *section)
{
    for (mb_element *e = section->child; e != NULL && o->r->status == LG_OK; e = e->next) {
        if (!mb_is(e, "motor") && !mb_is(e, "position") && !mb_is(e, "velocity") && !mb_is(e, "general")) continue;
        e->read = 1;
        if (mj_is_ignored(o->r, e->name)) {
            mb_passed_over(e);
            mb_note(o->r, e, "<%.40s> is ignored, as you ask", e->name);
        } else {
            read_actuator(o, e);
        }
    }
}
