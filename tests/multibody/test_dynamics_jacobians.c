/* SPDX-License-Identifier: BSD-3-Clause */
/* Jacobians and their rates, the centre of mass and centroidal momentum: by differences along paths, and those that
 * motions read. */
#include <math.h>
#include <string.h>

#include "support/dynamic_states.h"

enum { MOST = DYNAMIC_MOST };

/* Functions that are differentiated: two frames' positions and Jacobians, centre of mass, momentum matrix, momentum. */
typedef struct figures {
    double position[3], J[6 * MOST], centre[3], A[6 * MOST], momentum[6];
} figures;
enum { FIGURES = sizeof(figures) / sizeof(double) };

static void figures_of(figures *f, const dynamic_state *s, int body, const double *point)
{
    double pose[7];
    memset(f, 0, sizeof *f);
    dynamics_well(lg_dynamics_frame(s->d, pose, NULL, body, point), s->d);
    memcpy(f->position, pose, sizeof f->position);
    dynamics_well(lg_dynamics_jacobian(s->d, f->J, body, point), s->d);
    dynamics_well(lg_dynamics_centre(s->d, f->centre, NULL), s->d);
    dynamics_well(lg_dynamics_centroidal(s->d, f->A, NULL), s->d);
    for (int k = 0; k < 6; k++) f->momentum[k] = dynamic_dot(f->A + k * s->n, s->v, s->n);
}

/* The rates of all figures along the velocities. */
static void differences(figures *rate, const dynamic_state *s, int body, const double *point)
{
    const double e = 0.02 / fmax(1, dynamic_largest(s->v, s->n));
    static figures f;
    double q[MOST], *to = (double *)(void *)rate;
    const double *from = (const double *)(const void *)&f;
    memset(rate, 0, sizeof *rate);
    for (int k = 1; k <= 4; k++)
        for (int side = -1; side <= 1; side += 2) {
            dynamic_move(q, s, side * k * e);
            dynamics_well(lg_dynamics_set(s->d, q, s->v), s->d);
            figures_of(&f, s, body, point);
            for (int i = 0; i < FIGURES; i++) to[i] += side * dynamic_weight[k - 1] * from[i] / e;
        }
    dynamics_well(lg_dynamics_set(s->d, s->q, s->v), s->d);
}

static void times(double *y, const double *J, const dynamic_state *s, int rows)
{
    for (int k = 0; k < rows; k++) y[k] = dynamic_dot(J + k * s->n, s->v, s->n);
}

static void check(const dynamic_state *s, int body, const double *point, double size)
{
    static figures now, rate;
    static double J[6 * MOST];
    double twist[6], y[6], v[3], bend[6];
    const double speed = fmax(1, dynamic_largest(s->v, s->n)) * s->n, far = fmax(1, size);
    figures_of(&now, s, body, point);
    differences(&rate, s, body, point);
    dynamics_well(lg_dynamics_frame(s->d, NULL, twist, body, point), s->d);
    times(y, now.J, s, 6);
    suite_near("J v", y, twist, 6, 1e-13, speed * speed * far);
    suite_near("velocity", twist, rate.position, 3, 1e-9, speed * speed * far);
    dynamics_well(lg_dynamics_jacobian_rate(s->d, J, body, point), s->d);
    suite_near("J'", J, rate.J, 6 * s->n, 1e-8, speed * far * dynamic_largest(now.J, 6 * s->n));
    dynamics_well(lg_dynamics_centre(s->d, NULL, v), s->d);
    suite_near("centre", v, rate.centre, 3, 1e-9, speed * speed * far);
    dynamics_well(lg_dynamics_centre_jacobian(s->d, J), s->d);
    times(y, J, s, 3);
    suite_near("centre's J v", y, v, 3, 1e-13, speed * speed * far);
    dynamics_well(lg_dynamics_centroidal(s->d, J, bend), s->d);
    suite_near("A' v", bend, rate.momentum, 6, 1e-8, speed * speed * far * dynamic_largest(now.A, 6 * s->n));
}

/* A motion at this state has the point there. */
static void compare_point(const dynamic_state *s, int body, const double *point)
{
    lg_motion *mo;
    double x[3], v[3], pose[7], twist[6];
    motion_well(motion_create(&mo, s->m, NULL, 0.01), mo);
    motion_well(lg_motion_start_joints(mo, 0, s->q, s->v, 0), mo);
    suite_ok("point", lg_motion_point(mo, x, v, body, point));
    dynamics_well(lg_dynamics_frame(s->d, pose, twist, body, point), s->d);
    suite_near("point", pose, x, 3, 1e-12, 1 + dynamic_largest(x, 3));
    suite_near("its velocity", twist, v, 3, 1e-12, 1 + dynamic_largest(v, 3));
    lg_motion_destroy(mo);
}

static void random_states(void **unused)
{
    (void)unused;
    for (int i = 0; i < suite_count(90); i++) {
        lg_rng rng = suite_rng(1500 + (uint64_t)i);
        random_mechanism r;
        dynamic_state s;
        double point[3];
        random_mechanism_draw(&r, (random_family)(i % RANDOM_FAMILIES), 2 + i % 12, 1, &rng);
        suite_case("family %d, %d", i % RANDOM_FAMILIES, i);
        if (lg_mechanism_compile(r.m) == LG_OK) {
            dynamic_draw(&s, r.m, r.size, &rng);
            suite_normal(point, 3, &rng);
            for (int k = 0; k < 3; k++) point[k] *= r.size;
            check(&s, i % r.bodies, i % 3 ? point : NULL, r.size);
            if (i % RANDOM_FAMILIES == RANDOM_TREE && lg_mechanism_freedoms(r.m) == s.n)
                compare_point(&s, i % r.bodies, point);
            lg_dynamics_destroy(s.d);
        }
        lg_mechanism_destroy(r.m);
    }
}

/* Every kind of joint, with a rotor: it has no momentum in space. */
static void kinds(void **unused)
{
    (void)unused;
    for (int kind = LG_JOINT_FIXED + 1; kind <= LG_JOINT_FREE; kind++) {
        lg_rng rng = suite_rng(1600 + (uint64_t)kind);
        dynamic_state s;
        if (kind == LG_JOINT_DISTANCE) continue;
        suite_case("kind %d", kind);
        lg_mechanism *m = dynamic_rotor((lg_joint_kind)kind);
        dynamic_draw(&s, m, 1, &rng);
        check(&s, 1, NULL, 1);
        lg_dynamics_destroy(s.d), lg_mechanism_destroy(m);
    }
}

/* Readings of a motion at its state. */
static void gallery(void **unused)
{
    (void)unused;
    for (int i = 0; i < lg_gallery_count(); i++) {
        static const double point[3] = {0.1, -0.2, 0.3};
        lg_mechanism *m = gallery_mechanism(i, 0);
        lg_motion *mo = gallery_motion(m, i, NULL, lg_gallery_step(i));
        lg_rng rng = suite_rng(1700 + (uint64_t)i);
        static dynamic_state s;
        static double A[6 * MOST];
        double P[3], L[3], c[3], v[3], pose[2][7], twist[2][6], momentum[6], x[3];
        suite_case("%s", lg_gallery_name(i));
        dynamic_draw(&s, m, 1, &rng);
        motion_well(lg_motion_step(mo, 5), mo);
        dynamics_well(lg_dynamics_take(s.d, mo), s.d);
        dynamics_well(lg_dynamics_state(s.d, s.q, s.v), s.d);
        suite_ok("momentum", lg_motion_momentum(mo, P, L));
        dynamics_well(lg_dynamics_centroidal(s.d, A, NULL), s.d);
        dynamics_well(lg_dynamics_centre(s.d, c, v), s.d);
        times(momentum, A, &s, 6);
        const double scale = 1 + dynamic_largest(A, 6 * s.n) * fmax(1, dynamic_largest(s.v, s.n));
        suite_near("P", momentum, P, 3, 1e-12, scale);
        for (int k = 0; k < 3; k++) x[k] = c[(k + 1) % 3] * P[(k + 2) % 3] - c[(k + 2) % 3] * P[(k + 1) % 3];
        for (int k = 0; k < 3; k++) momentum[3 + k] += x[k];
        suite_near("L", momentum + 3, L, 3, 1e-12, scale * (1 + dynamic_largest(c, 3)));
        for (int b = 0; b < lg_mechanism_body_count(m); b++) {
            const double speed = 1 + dynamic_largest(s.v, s.n);
            suite_ok("pose", lg_motion_body_pose(mo, pose[0], b));
            dynamics_well(lg_dynamics_frame(s.d, pose[1], NULL, b, NULL), s.d);
            const double sign = dynamic_dot(pose[0] + 3, pose[1] + 3, 4) < 0 ? -1 : 1;
            for (int k = 3; k < 7; k++) pose[1][k] *= sign;
            suite_near("pose", pose[1], pose[0], 7, 1e-12, 1 + dynamic_largest(pose[0], 7));
            suite_ok("twist", lg_motion_body_twist(mo, twist[0], b));
            suite_ok("point", lg_motion_point(mo, pose[0], twist[0], b, point));
            dynamics_well(lg_dynamics_frame(s.d, pose[1], twist[1], b, point), s.d);
            suite_near("point", pose[1], pose[0], 3, 1e-12, 1 + dynamic_largest(pose[0], 7));
            suite_near("twist", twist[1], twist[0], 6, 1e-11, speed * speed);
        }
        check(&s, 0, point, 1);
        lg_dynamics_destroy(s.d), lg_motion_destroy(mo), lg_mechanism_destroy(m);
    }
}

static void refusals(void **unused)
{
    static const double no_number[3] = {0, NAN, 0};
    lg_mechanism *m;
    lg_dynamics *d;
    double J[6 * MOST];
    (void)unused;
    mechanism_well(lg_gallery_create(&m, lg_gallery_index("arm")), m);
    dynamics_well(lg_dynamics_create(&d, m), d);
    suite_status("no body", lg_dynamics_jacobian(d, J, 7, NULL), LG_ERROR_ARGUMENT);
    suite_contains("message", lg_dynamics_message(d), "lg_dynamics_jacobian: there is no body 7; bodies are 0 to 6");
    suite_status("no body", lg_dynamics_frame(d, J, NULL, -1, NULL), LG_ERROR_ARGUMENT);
    suite_status("no number", lg_dynamics_jacobian_rate(d, J, 0, no_number), LG_ERROR_NOT_FINITE);
    suite_status("nowhere", lg_dynamics_jacobian(d, NULL, 0, NULL), LG_ERROR_ARGUMENT);
    suite_status("nowhere", lg_dynamics_centroidal(d, NULL, J), LG_ERROR_ARGUMENT);
    suite_status("nothing", lg_dynamics_centre(NULL, J, J), LG_ERROR_ARGUMENT);
    dynamics_well(lg_dynamics_frame(d, NULL, NULL, 6, NULL), d);
    lg_dynamics_destroy(d), lg_mechanism_destroy(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_states),
        cmocka_unit_test(kinds),
        cmocka_unit_test(gallery),
        cmocka_unit_test(refusals),
    };
    suite_begin("multibody/dynamics_jacobians");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
