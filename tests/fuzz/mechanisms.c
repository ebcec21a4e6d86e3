/* SPDX-License-Identifier: BSD-3-Clause */
/* Mechanisms from bytes: an input that begins with '<' is a URDF or MJCF file, others build bodies, joints, wheels,
 * springs, motors and gears. What can be compiled makes a few steps; one that fails changes nothing. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "multibody/files/reader.h"

#include <liegrp/liegrp.h>

#include "fuzz.h"

enum { PARTS = 8, BODIES = 12, ROWS = 120, NAMES = 6 };

static const char *const names[NAMES] = {"a", "b", "c", "d", "e", ""};

/* A name that is mostly there; rarely none. */
static const char *name(fuzz_bytes *b)
{
    const int which = fuzz_byte(b);
    return which > 250 ? NULL : names[which % NAMES];
}

static const char *other(fuzz_bytes *b)
{
    const int which = fuzz_byte(b);
    return which % 5 == 4 ? NULL : names[which % 5];
}

static void three(fuzz_bytes *b, double *x)
{
    fuzz_numbers(b, x, 3, fuzz_byte(b) < 240);
}

/* A size that may be wrong. */
static size_t size_of(fuzz_bytes *b, size_t size)
{
    const int kind = fuzz_byte(b);
    return kind < 250 ? size : kind < 252 ? 0 : kind < 254 ? 16 : size + 8;
}

static lg_status add_body(lg_mechanism *m, fuzz_bytes *b)
{
    lg_body body = lg_body_default(name(b));
    body.mass = 1 + fuzz_mild(b) / 2;
    for (int i = 0; i < 3; i++) body.inertia[i] = 1;
    if (fuzz_byte(b) > 220) fuzz_numbers(b, body.inertia, 6, fuzz_byte(b) & 1);
    if (fuzz_byte(b) > 240) body.mass = fuzz_number(b);
    three(b, body.centre);
    three(b, body.position);
    if (fuzz_byte(b) > 200) fuzz_numbers(b, body.attitude, 4, 1);
    body.size = size_of(b, sizeof body);
    return lg_mechanism_add_body(m, NULL, &body);
}

/* Motions that may be too many or of another kind. */
static void add_motions(lg_joint *joint, fuzz_bytes *b)
{
    joint->motions = fuzz_between(b, -1, LG_JOINT_MOTIONS + 1);
    for (int i = 0; i < LG_JOINT_MOTIONS && i < joint->motions; i++) {
        const int kind = fuzz_byte(b);
        joint->motion[i].kind = kind > 240 ? LG_JOINT_FREE : kind & 1 ? LG_JOINT_PRISMATIC : LG_JOINT_REVOLUTE;
        three(b, joint->motion[i].axis), three(b, joint->motion[i].point);
    }
}

static lg_status add_joint(lg_mechanism *m, fuzz_bytes *b)
{
    lg_joint joint = lg_joint_default(name(b), (lg_joint_kind)fuzz_between(b, -1, 10), other(b), other(b));
    joint.axis[0] = 0, joint.axis[2] = 1;
    three(b, joint.point);
    const int more = fuzz_byte(b);
    if (more & 1) three(b, joint.axis);
    if (more & 2) three(b, joint.second);
    if (more & 4) joint.stiffness = fuzz_number(b), joint.rest = fuzz_number(b);
    if (more & 8) joint.damping = fuzz_number(b);
    if (more & 16) joint.lower = fuzz_number(b), joint.upper = fuzz_number(b);
    if (more & 32) three(b, joint.parent_point), three(b, joint.child_point), joint.length = fuzz_number(b);
    joint.on_bodies = more >> 6 & 1;
    joint.in_space = more >> 7;
    if (joint.kind == LG_JOINT_COMPOSED) add_motions(&joint, b);
    joint.size = size_of(b, sizeof joint);
    return lg_mechanism_add_joint(m, NULL, &joint);
}

static lg_status add_wheel(lg_mechanism *m, fuzz_bytes *b)
{
    lg_wheel wheel = lg_wheel_default(name(b), other(b));
    wheel.kind = (lg_wheel_kind)fuzz_between(b, 0, 1);
    wheel.contact = (lg_contact)fuzz_between(b, 0, 3);
    wheel.radius = 1 + fuzz_mild(b) / 2;
    const int more = fuzz_byte(b);
    if (more & 1) three(b, wheel.centre);
    if (more & 2) three(b, wheel.axle);
    if (more & 4) three(b, wheel.ground_normal), three(b, wheel.ground_point);
    if (more & 8) three(b, wheel.ground_velocity), wheel.ground_spin = fuzz_number(b);
    if (more & 16) wheel.tube = fuzz_number(b), wheel.radius = fuzz_number(b);
    wheel.size = size_of(b, sizeof wheel);
    return lg_mechanism_add_wheel(m, NULL, &wheel);
}

static lg_status add_small(lg_mechanism *m, fuzz_bytes *b, int kind)
{
    if (kind == 0) {
        lg_spring spring = lg_spring_default(name(b), other(b), other(b));
        three(b, spring.parent_point);
        three(b, spring.child_point);
        spring.stiffness = fuzz_number(b), spring.rest = fuzz_number(b), spring.damping = fuzz_number(b);
        spring.size = size_of(b, sizeof spring);
        return lg_mechanism_add_spring(m, NULL, &spring);
    }
    if (kind == 1) {
        lg_motor motor = lg_motor_default(name(b), other(b));
        motor.size = size_of(b, sizeof motor);
        return lg_mechanism_add_motor(m, NULL, &motor);
    }
    lg_gear gear = lg_gear_default(name(b), other(b), other(b));
    if (fuzz_byte(b) & 1) gear.ratio = fuzz_number(b), gear.offset = fuzz_number(b);
    gear.size = size_of(b, sizeof gear);
    return lg_mechanism_add_gear(m, NULL, &gear);
}

static lg_mechanism *build(fuzz_bytes *b)
{
    lg_mechanism *m;
    if (lg_mechanism_create(&m) != LG_OK) abort();
    const int parts = fuzz_between(b, 1, 2 * PARTS), bodies = fuzz_between(b, 1, 5);
    for (int i = 0; i < bodies + parts && (i < bodies || fuzz_more(b)); i++) {
        const int kind = i < bodies ? 0 : fuzz_between(b, 1, 7);
        lg_status status;
        if (kind == 0) {
            status = add_body(m, b);
        } else if (kind < 4) {
            status = add_joint(m, b);
        } else if (kind == 4) {
            status = add_wheel(m, b);
        } else {
            status = add_small(m, b, kind - 5);
        }
        fuzz_require_message(status, lg_mechanism_message(m), "adding a part");
    }
    if (fuzz_byte(b) & 1) fuzz_require_message(lg_mechanism_keep_order(m), lg_mechanism_message(m), "keep_order");
    return m;
}

/* The file; the last two bytes of the input choose how it is read. */
static lg_mechanism *read_file(const uint8_t *data, size_t size, fuzz_bytes *b)
{
    lg_mechanism *m = NULL;
    lg_mechanism_file o = lg_mechanism_file_default();
    const int kind = fuzz_byte(b);
    o.root = (lg_root)(kind % 3);
    o.keep_fixed = kind >> 4 & 1, o.least_inertia = kind >> 5 & 1 ? 1e-3 : 0;
    o.contacts = kind >> 6 & 3;
    char *text = malloc(size > 0 ? size : 1);
    if (text == NULL) abort();
    memcpy(text, data, size);
    const lg_status status = mb_read_text(&m, "file", text, size, &o);
    free(text);
    fuzz_require_message(status, lg_mechanism_message(m), "reading");
    for (int i = 0; i < lg_mechanism_remark_count(m); i++)
        fuzz_require(lg_mechanism_remark(m, i) != NULL, "a remark", "is missing");
    return m;
}

static void step(lg_motion *mo, int count, int steps)
{
    double before[6 * BODIES + ROWS], after[6 * BODIES + ROWS];
    if (count > 6 * BODIES + ROWS) return;
    for (int i = 0; i < steps; i++) {
        const int read = lg_motion_positions(mo, before, NULL) == LG_OK;
        const double t = lg_motion_time(mo);
        const lg_status status = lg_motion_step(mo, 1);
        fuzz_require_message(status, lg_motion_message(mo), "lg_motion_step");
        if (status == LG_OK) continue;
        const double later = lg_motion_time(mo);
        fuzz_require_same(&t, &later, sizeof t, "a step that failed has changed the time");
        fuzz_require(!read || lg_motion_positions(mo, after, NULL) == LG_OK, "a failed step", "took the state away");
        if (read) fuzz_require_same(before, after, (size_t)count * sizeof *after, "a failed step has moved joints");
        return;
    }
}

static void move(lg_mechanism *m, fuzz_bytes *b, int steps)
{
    static const char *const methods[] = {"sem", "rattle", "gauss:stages=2", "sem@yoshida4", "gauss", NULL};
    lg_model *M = NULL;
    lg_motion *mo = NULL;
    lg_motion_options o = lg_motion_options_default();
    double x[6 * BODIES + ROWS], v[6 * BODIES + ROWS];
    o.method = methods[fuzz_between(b, 0, 5)], o.step = 0.001 * (1 + fuzz_byte(b));
    if (lg_model_of_mechanism(&M, m, NULL) != LG_OK) abort();
    lg_status status = lg_motion_create(&mo, M, &o);
    fuzz_require_message(status, lg_motion_message(mo), "lg_motion_create");
    const int count = status == LG_OK ? lg_motion_position_count(mo) : 0;
    const int given = fuzz_byte(b);
    fuzz_numbers(b, x, 6 * BODIES + ROWS, given < 230);
    fuzz_numbers(b, v, 6 * BODIES + ROWS, given < 230);
    if (status == LG_OK && count <= 6 * BODIES + ROWS) {
        status = lg_motion_start_joints(mo, 0, given & 1 ? x : NULL, given & 2 ? v : NULL, 1);
        fuzz_require_message(status, lg_motion_message(mo), "lg_motion_start");
        if (status == LG_OK) step(mo, count, steps);
        (void)lg_motion_energy(mo), (void)lg_motion_gap(mo), (void)lg_motion_slip(mo);
        (void)lg_motion_limit(mo, NULL);
        for (int i = 0; i < lg_motion_contact_count(mo); i++) {
            lg_contact_state c;
            fuzz_require(lg_motion_contact(mo, &c, i) == LG_OK || status != LG_OK, "a contact", "cannot be read");
        }
    }
    lg_motion_destroy(mo);
    lg_model_destroy(M);
}

/* What a controller asks at a state of any numbers: what is refused has a message, and a state that is refused stays.
 */
static void ask(const lg_mechanism *m, fuzz_bytes *b)
{
    enum { MOST = 6 * BODIES };
    static double M[MOST * MOST], G[ROWS * MOST];
    double q[MOST], v[MOST], x[MOST], y[MOST], u[ROWS], pose[7];
    const int body = 0;
    lg_dynamics *d;
    lg_status status = lg_dynamics_create(&d, m);
    fuzz_require_message(status, lg_dynamics_message(d), "lg_dynamics_create");
    const int n = status == LG_OK ? lg_dynamics_count(d) : 0;
    if (status != LG_OK || n > MOST || lg_dynamics_row_count(d) > ROWS || lg_mechanism_motor_count(m) > ROWS) {
        lg_dynamics_destroy(d);
        return;
    }
    fuzz_numbers(b, q, MOST, fuzz_byte(b) < 230), fuzz_numbers(b, v, MOST, fuzz_byte(b) < 230);
    fuzz_require(lg_dynamics_state(d, x, NULL) == LG_OK, "a state", "cannot be read");
    status = lg_dynamics_set(d, q, v);
    fuzz_require_message(status, lg_dynamics_message(d), "lg_dynamics_set");
    fuzz_require(lg_dynamics_state(d, y, NULL) == LG_OK, "a state", "cannot be read");
    if (status != LG_OK) fuzz_require_same(x, y, (size_t)n * sizeof *x, "a state that was refused is taken");
    for (int pass = 0; pass < 2; pass++) { /* where it is, then with its loops closed */
        if (lg_dynamics_mass_matrix(d, M) != LG_OK || lg_dynamics_bias(d, y) != LG_OK) abort();
        fuzz_require_message(lg_dynamics_inverse(d, y, v), lg_dynamics_message(d), "lg_dynamics_inverse");
        if (lg_dynamics_rows(d, G, u, NULL) != LG_OK || lg_dynamics_passive(d, y) != LG_OK) abort();
        if (lg_dynamics_jacobian_rate(d, G, body, NULL) != LG_OK || lg_dynamics_centroidal(d, G, y) != LG_OK) abort();
        fuzz_require_message(lg_dynamics_acceleration(d, y, NULL, NULL), lg_dynamics_message(d), "acceleration");
        fuzz_require_message(lg_dynamics_admissible(d, y), lg_dynamics_message(d), "lg_dynamics_admissible");
        fuzz_require_message(lg_dynamics_motors(d, u, y, 1), lg_dynamics_message(d), "lg_dynamics_motors");
        status = lg_dynamics_reach(d, NULL, NULL, NULL, NULL, NULL, 0);
        fuzz_require_message(status, lg_dynamics_message(d), "lg_dynamics_reach");
    }
    fuzz_require_message(lg_dynamics_frame(d, pose, NULL, body, q), lg_dynamics_message(d), "lg_dynamics_frame");
    fuzz_require_message(lg_dynamics_reach(d, NULL, &body, pose, v, NULL, 1), lg_dynamics_message(d), "reach");
    lg_dynamics_destroy(d);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const int file = size > 0 && data[0] == '<';
    const size_t tail = file && size > 8 ? 8 : 0;
    fuzz_bytes b = {file ? data + size - tail : data, file ? tail : size, 0};
    lg_mechanism *m = file ? read_file(data, size, &b) : build(&b);
    if (m == NULL) return 0;
    if (lg_mechanism_body_count(m) <= BODIES && lg_mechanism_joint_count(m) <= 2 * BODIES) {
        const lg_status status = lg_mechanism_compile(m);
        fuzz_require_message(status, lg_mechanism_message(m), "lg_mechanism_compile");
        if (status == LG_OK) move(m, &b, fuzz_thorough(data, size) ? 3 : 1);
        if (status == LG_OK) ask(m, &b);
    }
    lg_mechanism_destroy(m);
    return 0;
}
