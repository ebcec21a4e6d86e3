/* SPDX-License-Identifier: BSD-3-Clause */
#include "support/mechanisms.h"
#include "support/matrix.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "multibody/files/reader.h"

void mechanism_well(lg_status st, const lg_mechanism *m)
{
    if (st != LG_OK) suite_fail("%s: %s", lg_status_name(st), lg_mechanism_message(m));
}

void motion_well(lg_status st, const lg_motion *mo)
{
    if (st != LG_OK) suite_fail("%s: %s", lg_status_name(st), lg_motion_message(mo));
}

lg_mechanism *mechanism_of_text(const char *text, const lg_mechanism_file *options)
{
    lg_mechanism *m = NULL;
    const lg_status st = mb_read_text(&m, "text", text, strlen(text), options);
    mechanism_well(st, m);
    return m;
}

void mechanism_rejected(lg_status want, const char *text, const char *words)
{
    lg_mechanism *m;
    suite_case("%.250s", text);
    const lg_status st = mb_read_text(&m, "robot", text, strlen(text), NULL);
    suite_status(lg_mechanism_message(m), st, want);
    suite_contains("message", lg_mechanism_message(m), words);
    suite_contains("place", lg_mechanism_message(m), "robot:");
    lg_mechanism_destroy(m);
}

int mechanism_remarked(const lg_mechanism *m, const char *text)
{
    for (int i = 0; i < lg_mechanism_remark_count(m); i++)
        if (strstr(lg_mechanism_remark(m, i), text) != NULL) return 1;
    return 0;
}

void mechanism_add_body(lg_mechanism *m, const char *name, double x, double y, double z)
{
    lg_body b = lg_body_default(name);
    b.mass = 1;
    b.inertia[0] = 0.02, b.inertia[1] = 0.03, b.inertia[2] = 0.04;
    b.position[0] = x, b.position[1] = y, b.position[2] = z;
    mechanism_well(lg_mechanism_add_body(m, NULL, &b), m);
}

void mechanism_add_joint(lg_mechanism *m, const char *name, lg_joint_kind kind, const char *parent, const char *child,
                         const double *point, const double *axis)
{
    lg_joint j = lg_joint_default(name, kind, parent, child);
    memcpy(j.point, point, sizeof j.point);
    memcpy(j.axis, axis, sizeof j.axis);
    mechanism_well(lg_mechanism_add_joint(m, NULL, &j), m);
}

lg_mechanism *mechanism_disk_on_rod(double lean, double last, const double *to, const double *at)
{
    lg_mechanism *m;
    lg_body b = lg_body_default("disk");
    lg_wheel w = lg_wheel_default("wheel", "disk");
    lg_joint rod = lg_joint_default("rod", LG_JOINT_DISTANCE, NULL, "disk");
    b.mass = 1, b.inertia[0] = 0.01, b.inertia[1] = 0.02, b.inertia[2] = last;
    b.position[2] = 0.2 * cos(lean), b.attitude[0] = sin(lean / 2), b.attitude[3] = cos(lean / 2);
    w.radius = 0.2;
    mechanism_well(lg_mechanism_create(&m), NULL);
    mechanism_well(lg_mechanism_add_body(m, NULL, &b), m);
    if (to != NULL) {
        memcpy(rod.parent_point, to, sizeof rod.parent_point), memcpy(rod.child_point, at, sizeof rod.child_point);
        mechanism_well(lg_mechanism_add_wheel(m, NULL, &w), m);
        mechanism_well(lg_mechanism_add_joint(m, NULL, &rod), m);
    }
    mechanism_well(lg_mechanism_compile(m), m);
    return m;
}

/* ---- reference states ---- */

static lg_joint_kind kind_of(const char *name)
{
    static const char *const names[] = {"fixed",     "revolute", "prismatic", "cylindrical", "universal",
                                        "spherical", "planar",   "distance",  "free"};
    for (int i = 0; i < 9; i++)
        if (strcmp(names[i], name) == 0) return (lg_joint_kind)i;
    suite_fail("mechanisms: no joint '%s'", name);
}

static void add_bodies(lg_mechanism *m, const cJSON *item)
{
    const cJSON *from;
    double pose[7 * 16];
    int i = 0;
    (void)ref_numbers(pose, 7 * 16, ref_get(ref_get(item, "start"), "g"));
    cJSON_ArrayForEach(from, ref_get(item, "bodies"))
    {
        char name[16];
        double I[9];
        (void)snprintf(name, sizeof name, "%d", i);
        lg_body b = lg_body_default(name);
        b.mass = ref_number(ref_get(from, "mass"));
        ref_exactly(I, 9, from, "inertia");
        const double own[6] = {I[0], I[4], I[8], I[1], I[2], I[5]};
        memcpy(b.inertia, own, sizeof own);
        memcpy(b.position, pose + 7 * i, sizeof b.position);
        memcpy(b.attitude, pose + 7 * i + 3, sizeof b.attitude);
        mechanism_well(lg_mechanism_add_body(m, NULL, &b), m);
        i++;
    }
}

static const char *body_name(char *text, const cJSON *index)
{
    const int i = (int)ref_number(index);
    if (i < 0) return NULL;
    (void)snprintf(text, 16, "%d", i);
    return text;
}

static void add_joints(lg_mechanism *m, const cJSON *item)
{
    const cJSON *from;
    int i = 0;
    cJSON_ArrayForEach(from, ref_get(item, "joints"))
    {
        char name[16], a[16], b[16];
        (void)snprintf(name, sizeof name, "j%d", i++);
        lg_joint j = lg_joint_default(name, kind_of(ref_get(from, "kind")->valuestring),
                                      body_name(a, ref_get(from, "a")), body_name(b, ref_get(from, "b")));
        j.on_bodies = 1;
        j.in_space = strcmp(ref_get(from, "translational_rows")->valuestring, "space") == 0;
        ref_exactly(j.parent_point, 3, from, "point_a");
        ref_exactly(j.child_point, 3, from, "point_b");
        ref_exactly(j.parent_frame, 9, from, "frame_a");
        ref_exactly(j.child_frame, 9, from, "frame_b");
        mechanism_well(lg_mechanism_add_joint(m, NULL, &j), m);
    }
    i = 0;
    cJSON_ArrayForEach(from, ref_get(item, "wheels"))
    {
        char name[16], b[16];
        (void)snprintf(name, sizeof name, "w%d", i++);
        lg_wheel w = lg_wheel_default(name, body_name(b, ref_get(from, "body")));
        w.radius = ref_number(ref_get(from, "radius"));
        ref_exactly(w.axle, 3, from, "axle");
        ref_exactly(w.centre, 3, from, "centre");
        mechanism_well(lg_mechanism_add_wheel(m, NULL, &w), m);
    }
}

lg_mechanism *mechanism_of(const cJSON *item)
{
    lg_mechanism *m;
    mechanism_well(lg_mechanism_create(&m), NULL);
    add_bodies(m, item);
    add_joints(m, item);
    mechanism_well(lg_mechanism_keep_order(m), m);
    mechanism_well(lg_mechanism_compile(m), m);
    return m;
}

lg_motion *motion_of(const lg_mechanism *m, const cJSON *item, const char *method)
{
    lg_motion *mo;
    const int bodies = lg_mechanism_body_count(m);
    const cJSON *start = ref_get(item, "start"), *from;
    double pose[7 * 16], p[6 * 16], twist[6 * 16];
    int b = 0;
    ref_exactly(pose, 7 * bodies, start, "g");
    ref_exactly(p, 6 * bodies, start, "p");
    motion_well(motion_create(&mo, m, method, ref_number(ref_get(item, "h"))), mo);
    cJSON_ArrayForEach(from, ref_get(item, "bodies"))
    {
        double I[9], w[3];
        ref_exactly(I, 9, from, "inertia");
        (void)mat_solve(w, I, p + 6 * b + 3, 3);
        for (int k = 0; k < 3; k++) twist[6 * b + k] = p[6 * b + k] / ref_number(ref_get(from, "mass"));
        lg_so3_act(twist + 6 * b + 3, pose + 7 * b + 3, w);
        b++;
    }
    motion_well(lg_motion_start_poses(mo, 0, pose, twist, 0), mo);
    return mo;
}
