/* SPDX-License-Identifier: BSD-3-Clause */
/* Sensors and sites of a file. */
#include "multibody/sensors.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <liegrp/groups/se3.h>
#include <liegrp/groups/so3.h>
#include <liegrp/multibody/file.h>

#include "multibody/dynamics/dynamics.h"
#include "multibody/forces/along.h"
#include "multibody/forces/ball.h"
#include "multibody/forces/thrust.h"
#include "multibody/parts/part.h"

const mb_sensor_facts mb_sensors[MB_SENSOR_KINDS] = {
    [MB_FRAME_POSITION] = {"framepos", 3, "m", "position, in space, of sensor"},
    [MB_FRAME_ATTITUDE] = {"framequat", 4, "-", "attitude: component of the unit quaternion (x, y, z, w), of sensor"},
    [MB_FRAME_X] = {"framexaxis", 3, "-", "first axis, in space, of sensor"},
    [MB_FRAME_Y] = {"frameyaxis", 3, "-", "second axis, in space, of sensor"},
    [MB_FRAME_Z] = {"framezaxis", 3, "-", "third axis, in space, of sensor"},
    [MB_FRAME_VELOCITY] = {"framelinvel", 3, "m/s", "velocity, in space, of sensor"},
    [MB_FRAME_SPIN] = {"frameangvel", 3, "rad/s", "angular velocity, in space, of sensor"},
    [MB_VELOCIMETER] = {"velocimeter", 3, "m/s", "velocity, in its own axes, of sensor"},
    [MB_GYRO] = {"gyro", 3, "rad/s", "angular velocity, in its own axes, of sensor"},
    [MB_MAGNETOMETER] = {"magnetometer", 3, "-", "magnetic field, in its own axes, of sensor"},
    [MB_BALL_ATTITUDE] = {"ballquat", 4, "-", "attitude: component of the unit quaternion (x, y, z, w), of sensor"},
    [MB_BALL_SPIN] = {"ballangvel", 3, "rad/s", "angular velocity, in the axes of the child, of sensor"},
    [MB_FRAME_ACCELERATION] = {"framelinacc", 3, "m/s^2", "acceleration less gravity, in space, of sensor"},
    [MB_FRAME_TWISTING] = {"frameangacc", 3, "rad/s^2", "angular acceleration, in space, of sensor"},
    [MB_ACCELEROMETER] = {"accelerometer", 3, "m/s^2", "acceleration less gravity, in its own axes, of sensor"},
    [MB_SENSOR_FORCE] = {"force", 3, "N", "force of the parent on the body, in its own axes, of sensor"},
    [MB_SENSOR_TORQUE] = {"torque", 3, "N m", "torque of the parent on the body, in its own axes, of sensor"},
    [MB_JOINT_POSITION] = {"jointpos", 1, NULL, "position of sensor"},
    [MB_JOINT_VELOCITY] = {"jointvel", 1, NULL, "velocity of sensor"},
    [MB_JOINT_BEYOND] = {"jointlimitpos", 1, NULL, "room to the limit, where it is passed, of sensor"},
    [MB_JOINT_PASSING] = {"jointlimitvel", 1, NULL, "rate of the room to the limit, where it is passed, of sensor"},
    [MB_JOINT_EFFORT] = {"jointactuatorfrc", 1, NULL, "force of all actuators along the joint of sensor"},
    [MB_ACTUATOR_LENGTH] = {"actuatorpos", 1, NULL, "length of the transmission of sensor"},
    [MB_ACTUATOR_RATE] = {"actuatorvel", 1, NULL, "rate of the length of the transmission of sensor"},
    [MB_ACTUATOR_EFFORT] = {"actuatorfrc", 1, NULL, "force of the actuator of sensor"},
    [MB_TENDON_EFFORT] = {"tendonactuatorfrc", 1, NULL, "force of the actuator on the tendon of sensor"},
    [MB_TENDON_LENGTH] = {"tendonpos", 1, NULL, "length of the tendon of sensor"},
    [MB_TENDON_RATE] = {"tendonvel", 1, NULL, "rate of the length of the tendon of sensor"},
    [MB_SUBTREE_CENTRE] = {"subtreecom", 3, "m", "centre of mass, in space, of sensor"},
    [MB_SUBTREE_VELOCITY] = {"subtreelinvel", 3, "m/s", "velocity of the centre of mass, in space, of sensor"},
    [MB_SUBTREE_SPIN] = {"subtreeangmom", 3, "N m s", "angular momentum about the centre of mass, in space, of sensor"},
    [MB_POTENTIAL] = {"e_potential", 1, "J", "potential of gravity and springs of sensor"},
    [MB_KINETIC] = {"e_kinetic", 1, "J", "kinetic energy of sensor"},
    [MB_CLOCK] = {"clock", 1, "s", "time of sensor"},
};

int mb_sensor_observes(const mb_sensor *s)
{
    return (s->kind >= MB_FRAME_ACCELERATION && s->kind <= MB_SENSOR_TORQUE) ||
           (s->kind >= MB_JOINT_EFFORT && s->kind <= MB_TENDON_RATE);
}

/* ---- frames ---- */

typedef struct frame {
    double pose[7], velocity[3], spin[3]; /* in space; the velocity is that of the origin */
} frame;

/* A frame of a body (-1: the world). */
static void read_frame(frame *f, const lg_motion *mo, int body, const double *pose)
{
    double at[7] = {0, 0, 0, 0, 0, 0, 1}, twist[6] = {0, 0, 0, 0, 0, 0};
    memset(f->velocity, 0, sizeof f->velocity);
    if (body >= 0) {
        lg_status_ignore(lg_motion_body_pose(mo, at, body));
        lg_status_ignore(lg_motion_body_twist(mo, twist, body));
        lg_status_ignore(lg_motion_point(mo, NULL, f->velocity, body, pose));
    }
    lg_se3_compose(f->pose, at, pose);
    memcpy(f->spin, twist + 3, sizeof f->spin);
}

/* f as it is seen from the frame a. */
static void see_from(frame *f, const frame *a)
{
    double back[7], turn[4], x[3], drag[3];
    lg_se3_inverse(back, a->pose);
    lg_so3_inverse(turn, a->pose + 3);
    for (int k = 0; k < 3; k++) x[k] = f->pose[k] - a->pose[k];
    small_cross(drag, a->spin, x);
    for (int k = 0; k < 3; k++) f->velocity[k] -= a->velocity[k] + drag[k], f->spin[k] -= a->spin[k];
    lg_so3_act(f->velocity, turn, f->velocity), lg_so3_act(f->spin, turn, f->spin);
    lg_se3_compose(f->pose, back, f->pose);
}

static void read_on_frame(const mb_sensor *s, const lg_motion *mo, double *out)
{
    frame f, from;
    double back[4], axis[3] = {0, 0, 0};
    read_frame(&f, mo, s->body, s->pose);
    if (s->relative) read_frame(&from, mo, s->from, s->from_pose), see_from(&f, &from);
    const double *q = f.pose + 3;
    lg_so3_inverse(back, q);
    if (s->kind == MB_FRAME_POSITION) memcpy(out, f.pose, 3 * sizeof *out);
    if (s->kind == MB_FRAME_ATTITUDE || s->kind == MB_BALL_ATTITUDE) memcpy(out, q, 4 * sizeof *out);
    if (s->kind == MB_FRAME_VELOCITY) memcpy(out, f.velocity, sizeof f.velocity);
    if (s->kind == MB_FRAME_SPIN) memcpy(out, f.spin, sizeof f.spin);
    if (s->kind == MB_VELOCIMETER) lg_so3_act(out, back, f.velocity);
    if (s->kind == MB_GYRO || s->kind == MB_BALL_SPIN) lg_so3_act(out, back, f.spin);
    if (s->kind == MB_MAGNETOMETER) lg_so3_act(out, back, s->field);
    if (s->kind >= MB_FRAME_X && s->kind <= MB_FRAME_Z) {
        axis[s->kind - MB_FRAME_X] = 1;
        lg_so3_act(out, q, axis);
    }
}

/* ---- accelerations ---- */

/* The acceleration of point x of a body, less gravity. */
static void accelerate_point(double *a, const lg_dynamics *d, int body, const double *x)
{
    double arm[3], turn[3], t[3];
    for (int k = 0; k < 3; k++) a[k] = -d->m->plan.gravity[k];
    if (body < 0) return;
    const mb_frame *f = &d->mo->frame[body];
    const double *rate = d->mo->wrenches + 6 * body;
    for (int k = 0; k < 3; k++) arm[k] = x[k] - f->r[k];
    small_cross(turn, f->w, arm);
    small_cross(t, f->w, turn);
    small_cross(turn, rate + 3, arm);
    for (int k = 0; k < 3; k++) a[k] += rate[k] + turn[k] + t[k];
}

/* A part of a subtree with the numbers of now; NaN where the body has others than in the file, and it is a part only.
 */
static mb_sensor_mass mass_of(const lg_mechanism *m, const mb_sensor_part *p)
{
    if (p->body < 0) return p->own;
    mb_sensor_mass now = mb_sensor_mass_of(m, p->body);
    if (!p->torn) return now;
    if (memcmp(&now, &p->body_had, sizeof now) == 0) return p->own;
    now.mass = NAN;
    return now;
}

/* The centre of a part of a subtree, in space. */
static void centre_of(double *x, const lg_dynamics *d, const mb_sensor_part *p, const double *centre)
{
    double c[3];
    memcpy(x, centre, sizeof c);
    if (p->body < 0) return;
    const mb_frame *f = &d->mo->frame[p->body];
    for (int k = 0; k < 3; k++) c[k] = centre[k] - MB_BODY(d->m, p->body)->centre[k];
    mb_turn(x, f->R, c);
    for (int k = 0; k < 3; k++) x[k] += f->r[k];
}

/* y = R I R^T x. */
static void turn_by_inertia(double *y, const double *R, const double *inertia, const double *x)
{
    double I[9], own[3];
    mb_inertia_matrix(I, inertia);
    mb_back(own, R, x);
    mb_turn(own, I, own);
    mb_turn(y, R, own);
}

/* f += sign times a force and a torque at x, about the point `at`. */
static void add_wrench(double *f, double sign, const double *force, const double *torque, const double *x,
                       const double *at)
{
    double arm[3], t[3];
    for (int k = 0; k < 3; k++) arm[k] = x[k] - at[k];
    small_cross(t, arm, force);
    for (int k = 0; k < 3; k++) f[k] += sign * force[k], f[3 + k] += sign * (torque[k] + t[k]);
}

/* The force, with its length and rate, of a force law at the state. */
static void act(mb_action *x, const lg_dynamics *d, const mb_force *s)
{
    mb_motion *n = &d->mo->numbers;
    const mb_node *at = &n->node[0];
    mb_action_of(x, s, at, at, at->pose, 1, n->control);
    x->rate = mb_action_rate(x, &d->m->plan, s, n->twist, n->slope);
    mb_force_law(x, s);
}

/* m a, I alpha + w x I w of a part, less its weight, about a point. */
static void add_inertia(double *f, const lg_dynamics *d, const mb_sensor_part *p, const double *at)
{
    const mb_sensor_mass own = mass_of(d->m, p);
    double x[3], force[3], torque[3] = {0, 0, 0}, spin[3];
    centre_of(x, d, p, own.centre);
    accelerate_point(force, d, p->body, x);
    for (int k = 0; k < 3; k++) force[k] *= own.mass;
    if (p->body >= 0) {
        const mb_frame *b = &d->mo->frame[p->body];
        turn_by_inertia(spin, b->R, own.inertia, b->w);
        small_cross(spin, b->w, spin);
        turn_by_inertia(torque, b->R, own.inertia, d->mo->wrenches + 6 * p->body + 3);
        for (int k = 0; k < 3; k++) torque[k] += spin[k];
    }
    add_wrench(f, 1, force, torque, x, at);
}

/* The part of the subtree that a body of the plan is in; NULL: none. */
static const mb_sensor_part *part_of(const mb_sensor *s, const lg_dynamics *d, int body)
{
    const int host = body < d->m->plan.bodies ? d->m->hub[body].host : -1;
    for (const mb_sensor_part *p = s->part; p < s->part + s->parts; p++)
        if (p->body == host) return p;
    return NULL;
}

/* Takes away what loops and grounds do. */
static void subtract_reactions(double *f, const mb_sensor *s, const lg_dynamics *d, const double *at)
{
    const mb_plan *plan = &d->mo->plan;
    for (const mb_block *k = plan->block; k < plan->block + plan->blocks; k++) {
        const int kind = mb_facts_of(k)->part;
        if (k->kind == MB_ROTOR || kind == MB_GEARS || kind == MB_TENDONS || kind == MB_DRIVES) continue;
        if (kind == MB_JOINTS && (k->source < s->loops_from || k->source >= mb_seen(d->m, MB_JOINTS))) continue;
        for (int side = 0; side < k->sides; side++) {
            double wrench[6];
            if (k->body[side] >= plan->bodies || part_of(s, d, k->body[side]) == NULL) continue;
            mb_observed_reaction(d, wrench, k, side);
            add_wrench(f, -1, wrench, wrench + 3, d->mo->numbers.node[0].pose[k->body[side]].r, at);
        }
    }
}

/* Takes away the pull of a force law on a tendon, at its points. */
static void subtract_pull(double *f, const mb_sensor *s, const lg_dynamics *d, const mb_force *law, const double *at)
{
    static const double none[3] = {0, 0, 0};
    const mb_tendon *t = law->tendon;
    const mb_pose *pose = d->mo->numbers.node[0].pose;
    mb_action x, line;
    act(&x, d, law);
    for (const mb_tendon_term *e = t->term; e < t->term + t->terms; e++) {
        const double l = e->along.coordinate < 0 ? mb_line(&line, &e->along, pose) : 0;
        for (int side = 0; side < 2 && l > 0; side++) {
            const int body = side ? e->along.b : e->along.a;
            const mb_sensor_part *p = part_of(s, d, body);
            double point[3], force[3];
            if (p == NULL || !p->pulled) continue;
            for (int k = 0; k < 3; k++) {
                point[k] = pose[body].r[k] + (side ? line.xb : line.xa)[k];
                force[k] = (side ? 1 : -1) * (x.mean + x.drag) * e->weight * line.d[k] / l;
            }
            add_wrench(f, -1, force, none, point, at);
        }
    }
}

/* What the parent of the subtree does to it, about a point: MuJoCo counts all other forces but these to that. */
static void transmitted(double *f, const mb_sensor *s, const lg_dynamics *d, const double *at)
{
    memset(f, 0, 6 * sizeof *f);
    for (const mb_sensor_part *p = s->part; p < s->part + s->parts; p++) add_inertia(f, d, p, at);
    subtract_reactions(f, s, d, at);
    for (const mb_force *law = d->m->plan.force; law < d->m->plan.force + d->m->plan.forces; law++)
        if (law->tendon != NULL) subtract_pull(f, s, d, law, at);
}

static void read_acceleration(const mb_sensor *s, const lg_motion *mo, const lg_dynamics *d, double *out)
{
    frame f;
    double back[4], wrench[6];
    read_frame(&f, mo, s->body, s->pose);
    lg_so3_inverse(back, f.pose + 3);
    if (s->body < 0 && s->parts == 0) { /* MuJoCo's sensors of what is fixed have no weight */
        memset(out, 0, 3 * sizeof *out);
    } else if (s->kind == MB_FRAME_TWISTING) {
        memcpy(out, d->mo->wrenches + 6 * s->body + 3, 3 * sizeof *out);
    } else if (s->kind == MB_SENSOR_FORCE || s->kind == MB_SENSOR_TORQUE) {
        transmitted(wrench, s, d, f.pose);
        lg_so3_act(out, back, wrench + (s->kind == MB_SENSOR_TORQUE ? 3 : 0));
    } else {
        accelerate_point(out, d, s->body, f.pose);
        if (s->kind == MB_ACCELEROMETER) lg_so3_act(out, back, out);
    }
}

/* ---- joints, tendons, actuators ---- */

static double read_joint(const mb_sensor *s, const lg_motion *mo)
{
    double q[MB_POSITIONS_MOST], v[MB_POSITIONS_MOST];
    if (lg_motion_joint(mo, q, v, s->joint) != LG_OK) return NAN;
    if (s->kind == MB_JOINT_POSITION) return q[s->position];
    if (s->kind == MB_JOINT_VELOCITY) return v[s->position];
    const lg_mechanism *m = mb_of(mo)->mechanism;
    const lg_coordinate *own = s->coordinate >= 0 ? MB_COORDINATE_OF(m, s->coordinate) : NULL;
    const double below = q[s->position] - (own != NULL ? own->lower : MB_JOINT_OF(m, s->joint)->lower);
    const double above = (own != NULL ? own->upper : MB_JOINT_OF(m, s->joint)->upper) - q[s->position];
    if (below < 0) return s->kind == MB_JOINT_BEYOND ? below : v[s->position];
    if (above < 0) return s->kind == MB_JOINT_BEYOND ? above : -v[s->position];
    return 0;
}

/* The force of all actuators along a position of a joint of the tree. */
static double joint_effort(const mb_sensor *s, lg_dynamics *d)
{
    const mb_plan *plan = &d->m->plan;
    const mb_node *at = &d->mo->numbers.node[0];
    const int first = lg_dynamics_joint_index(d, NULL, s->joint);
    if (first < 0) return NAN;
    memset(d->force, 0, sz(plan->bodies + 1) * sizeof *d->force);
    memset(d->along, 0, sz(d->n) * sizeof *d->along);
    for (const mb_force *f = plan->force; f < plan->force + plan->forces; f++) {
        mb_action x;
        if (f->control < 0) continue;
        act(&x, d, f);
        mb_action_push(&x, d->force, f, d->mo->numbers.slope);
    }
    for (const mb_thruster *t = plan->thruster; t < plan->thruster + plan->thrusters; t++) {
        mb_pair f;
        mb_thrust(&f, t, at->pose[t->body].R, d->mo->numbers.control);
        for (int k = 0; k < 6; k++) d->force[t->body].v[k] += f.v[k];
    }
    mb_dynamics_gather(d, d->along, d->force);
    return d->along[first + s->position];
}

/* The length of the sensor's tendon, or its rate. */
static double read_tendon(const mb_sensor *s, const lg_dynamics *d)
{
    const mb_tendon *t = &d->m->plan.tendon[s->tendon];
    const mb_motion *n = &d->mo->numbers;
    double sum = 0;
    if (s->kind == MB_TENDON_LENGTH) return mb_tendon_length(t, &n->node[0]);
    for (const mb_tendon_term *e = t->term; e < t->term + t->terms; e++) {
        mb_action x = {.over = 1};
        const double l = e->along.coordinate < 0 ? mb_line(&x, &e->along, n->node[0].pose) : 1;
        if (l > 0) x.over = l;
        sum += e->weight * mb_action_rate(&x, &d->m->plan, &e->along, n->twist, n->slope);
    }
    return sum;
}

static double read_actuator(const mb_sensor *s, const lg_dynamics *d)
{
    const mb_plan *plan = &d->m->plan;
    const int motor = s->control < d->m->part[MB_MOTORS].count;
    const double gear = motor ? MB_MOTOR_OF(d->m, s->control)->ratio / s->gain : 0;
    double sum = 0;
    for (const mb_force *f = plan->force; motor && f < plan->force + plan->forces; f++) {
        mb_action x;
        if (f->control != s->control) continue;
        act(&x, d, f);
        sum += s->kind == MB_ACTUATOR_LENGTH ? gear * x.q0
               : s->kind == MB_ACTUATOR_RATE ? gear * x.rate
                                             : (x.mean + x.drag) / gear;
    }
    for (const mb_thruster *t = plan->thruster; t < plan->thruster + plan->thrusters; t++)
        if (t->control == s->control) sum += s->gain * mb_thrust_of(t, d->mo->numbers.control);
    return sum;
}

/* ---- sums ---- */

/* Centre of mass, its velocity, angular momentum about it. */
static void read_subtree(const mb_sensor *s, const lg_motion *mo, double *out)
{
    double mass = 0, x[3] = {0, 0, 0}, v[3] = {0, 0, 0}, L[3] = {0, 0, 0};
    frame f;
    for (int pass = 0; pass < 2; pass++)
        for (const mb_sensor_part *p = s->part; p < s->part + s->parts; p++) {
            const mb_sensor_mass own = mass_of(mb_of(mo)->mechanism, p);
            double R[9], at[7] = {own.centre[0], own.centre[1], own.centre[2], 0, 0, 0, 1}, arm[3], move[3], t[3];
            read_frame(&f, mo, p->body, at);
            if (pass == 0) {
                mass += own.mass;
                for (int k = 0; k < 3; k++) x[k] += own.mass * f.pose[k], v[k] += own.mass * f.velocity[k];
                continue;
            }
            for (int k = 0; k < 3; k++) {
                arm[k] = f.pose[k] - x[k] / mass;
                move[k] = own.mass * (f.velocity[k] - v[k] / mass);
            }
            small_cross(t, arm, move);
            lg_so3_to_matrix(R, f.pose + 3);
            turn_by_inertia(move, R, own.inertia, f.spin);
            for (int k = 0; k < 3; k++) L[k] += t[k] + move[k];
        }
    for (int k = 0; k < 3; k++)
        out[k] = s->kind == MB_SUBTREE_SPIN ? L[k] : (s->kind == MB_SUBTREE_CENTRE ? x : v)[k] / mass;
}

/* That of gravity on all links, fixed ones too, and of springs. */
static double read_potential(const mb_sensor *s, const lg_motion *mo)
{
    const mb_sparse *own = mb_of(mo);
    const mb_plan *plan = &own->mechanism->plan;
    const mb_node *n = mb_now(own);
    double V = 0;
    for (const mb_sensor_part *p = s->part; p < s->part + s->parts; p++) {
        const mb_sensor_mass m = mass_of(own->mechanism, p);
        const double at[7] = {m.centre[0], m.centre[1], m.centre[2], 0, 0, 0, 1};
        frame f;
        read_frame(&f, mo, p->body, at);
        V -= m.mass * mb_dot(plan->gravity, f.pose);
    }
    for (const mb_force *f = plan->force; f < plan->force + plan->forces; f++) {
        mb_action x;
        if (f->control >= 0) continue;
        mb_action_of(&x, f, n, n, n->pose, 1, NULL);
        mb_force_law(&x, f);
        V += x.potential;
    }
    return V;
}

void mb_sensor_read(const mb_sensor *s, const lg_motion *mo, lg_dynamics *d, double *out)
{
    const mb_sensor_kind kind = s->kind;
    if (d == NULL && mb_sensor_observes(s))
        for (int k = 0; k < mb_sensors[kind].size; k++) out[k] = NAN;
    else if (kind <= MB_BALL_SPIN)
        read_on_frame(s, mo, out);
    else if (kind <= MB_SENSOR_TORQUE)
        read_acceleration(s, mo, d, out);
    else if (kind <= MB_JOINT_PASSING)
        *out = read_joint(s, mo);
    else if (kind == MB_JOINT_EFFORT)
        *out = joint_effort(s, d);
    else if (kind <= MB_TENDON_EFFORT)
        *out = read_actuator(s, d);
    else if (kind <= MB_TENDON_RATE)
        *out = read_tendon(s, d);
    else if (kind <= MB_SUBTREE_SPIN)
        read_subtree(s, mo, out);
    else
        *out = kind == MB_CLOCK       ? mb_of(mo)->t
               : kind == MB_POTENTIAL ? read_potential(s, mo)
                                      : mb_kinetic(&mb_of(mo)->mechanism->plan, mb_now(mb_of(mo)));
    const int unit = (kind >= MB_FRAME_ATTITUDE && kind <= MB_FRAME_Z) || kind == MB_BALL_ATTITUDE;
    for (int k = 0; k < mb_sensors[kind].size && s->cutoff > 0 && !unit; k++)
        out[k] = fmax(-s->cutoff, fmin(s->cutoff, out[k]));
}

/* ---- sites ---- */

int lg_mechanism_site_count(const lg_mechanism *m)
{
    return m != NULL ? m->sites : 0;
}

const char *lg_mechanism_site_name(const lg_mechanism *m, int i)
{
    return i >= 0 && i < lg_mechanism_site_count(m) ? m->site[i].name : NULL;
}

/* Sites are sorted by name. */
static int is_before(const void *name, const void *site)
{
    return strcmp(name, ((const mb_merged *)site)->name);
}

lg_status lg_mechanism_site(const lg_mechanism *m, int *body, double *pose, const char *name)
{
    if (m == NULL || body == NULL || name == NULL || m->sites == 0) return LG_ERROR_ARGUMENT;
    const mb_merged *found = bsearch(name, m->site, (size_t)m->sites, sizeof *found, is_before);
    if (found == NULL) return LG_ERROR_ARGUMENT;
    *body = found->body;
    if (pose != NULL) memcpy(pose, found->pose, sizeof found->pose);
    return LG_OK;
}

lg_status mb_sensors_observe(lg_dynamics **observer, const mb_sparse *mo)
{
    mb_sparse *own = mb_of(&mo->head);
    int needed = 0;
    for (int i = 0; i < mo->mechanism->sensors; i++) needed |= mb_sensor_observes(&mo->mechanism->sensor[i]);
    if (!needed) return LG_OK;
    const int first = own->observer == NULL;
    lg_status st = first ? lg_dynamics_create(&own->observer, mo->mechanism) : LG_OK;
    if (st == LG_OK) {
        st = mb_observe(own->observer, mo);
        if (st == LG_OK) *observer = own->observer;
        if (st == LG_ERROR_SINGULAR) st = LG_OK;
    }
    if (st == LG_OK) return LG_OK;
    st = lg_fail(&own->head.error, st, "sensors of forces and accelerations: %s", lg_dynamics_message(own->observer));
    if (first) lg_dynamics_destroy(own->observer), own->observer = NULL;
    return st;
}
