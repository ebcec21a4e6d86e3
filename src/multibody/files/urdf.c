/* SPDX-License-Identifier: BSD-3-Clause */
/* URDF: links and joints by name, which make a tree. */
#include <stdlib.h>
#include <string.h>

#include <liegrp/groups/euler.h>
#include <liegrp/groups/se3.h>
#include <liegrp/groups/so3.h>

#include "multibody/files/reader.h"

mb_place mb_origin(mb_reader *r, mb_element *origin)
{
    mb_place p = mb_here;
    double rpy[3] = {0, 0, 0};
    if (origin == NULL) return p;
    (void)mb_numbers(r, origin, "xyz", p.g, 3, 3);
    if (mb_numbers(r, origin, "rpy", rpy, 3, 3) > 0)
        lg_status_ignore(lg_so3_from_euler(p.g + 3, rpy, "xyz")); /* about the fixed axes: R_z(y) R_y(p) R_x(r) */
    if (mb_numbers(r, origin, "quat_xyzw", p.g + 3, 4, 4) > 0) mb_unit(r, origin, "quat_xyzw", p.g + 3, 4);
    return p;
}

/* ---- links ---- */

static void read_inertial(mb_reader *r, mb_file_link *l, mb_element *inertial)
{
    static const char *const names[] = {"ixx", "iyy", "izz", "ixy", "ixz", "iyz"};
    const mb_place at = mb_origin(r, mb_only(r, inertial, "origin"));
    mb_element *mass = mb_needed(r, inertial, "mass"), *inertia = mb_only(r, inertial, "inertia");
    double I[6] = {0, 0, 0, 0, 0, 0};
    if (mass == NULL) return;
    l->mass = mb_needed_number(r, mass, "value");
    for (int k = 0; inertia != NULL && k < 6; k++)
        I[k] = k < 3 ? mb_needed_number(r, inertia, names[k]) : mb_number(r, inertia, names[k], 0);
    if (l->mass < 0) mb_refuse(r, mass, "link '%.60s': mass is %g kg; it must not be negative", l->name, l->mass);
    int any = 0;
    for (int k = 0; k < 6; k++) any |= I[k] != 0;
    if (any && l->mass == 0) mb_note(r, inertial, "link '%.60s' has an inertia but no mass", l->name);
    memcpy(l->centre, at.g, sizeof l->centre);
    mb_turn_inertia(l->inertia, at.g + 3, I);
}

static void read_links(mb_reader *r)
{
    for (mb_element *e = mb_each_element(r->document.root, "link", NULL); e != NULL;
         e = mb_each_element(r->document.root, "link", e)) {
        const int k = mb_new_link(r, mb_needed_text(r, e, "name"), e);
        mb_element *inertial = r->status == LG_OK ? mb_only(r, e, "inertial") : NULL;
        if (r->status != LG_OK) return;
        if (inertial != NULL) read_inertial(r, &r->link[k], inertial);
    }
    if (r->links == 0) mb_refuse(r, r->document.root, "the robot has no <link>");
}

/* ---- joints ---- */

enum { REVOLUTE, CONTINUOUS, PRISMATIC, FIXED, FLOATING, PLANAR, SPHERICAL };
static const char *const type_names[] = {"revolute", "continuous", "prismatic", "fixed",
                                         "floating", "planar",     "spherical", NULL};
static const lg_joint_kind type_kinds[] = {LG_JOINT_REVOLUTE, LG_JOINT_REVOLUTE, LG_JOINT_PRISMATIC, LG_JOINT_FIXED,
                                           LG_JOINT_FREE,     LG_JOINT_PLANAR,   LG_JOINT_SPHERICAL};

static int link_of(mb_reader *r, mb_element *joint, const char *end)
{
    mb_element *e = mb_needed(r, joint, end);
    const char *name = e != NULL ? mb_needed_text(r, e, "link") : NULL;
    if (name == NULL) return -1;
    const int k = mb_link_named(r, name);
    if (k < 0) mb_refuse(r, e, "joint '%.60s': there is no link '%.60s'", mb_text(joint, "name"), name);
    return k;
}

static void read_limits(mb_reader *r, mb_file_joint *j, mb_element *limit)
{
    double ends[2] = {0, 0};
    if (limit == NULL) return;
    const int lower = mb_numbers(r, limit, "lower", &ends[0], 1, 1),
              upper = mb_numbers(r, limit, "upper", &ends[1], 1, 1);
    if (lower + upper == 0) return;
    j->all.lower = ends[0], j->all.upper = ends[1];
    j->all.stops = r->options.contacts != 0 && ends[0] != ends[1];
    if (r->options.contacts != 0 && ends[0] == ends[1])
        mb_note(r, limit, "limits that leave a joint no room are no stops");
}

/* Axis, damping, limits and motor of a joint that moves. */
static void read_motion(mb_reader *r, mb_file_joint *j, mb_element *e, int type)
{
    mb_element *axis = mb_only(r, e, "axis"), *dynamics = mb_only(r, e, "dynamics");
    if (dynamics != NULL && type != PLANAR && type != FLOATING) j->all.damping = mb_number(r, dynamics, "damping", 0);
    if (dynamics != NULL && r->options.contacts && (type == REVOLUTE || type == CONTINUOUS || type == PRISMATIC))
        j->all.friction = mb_number(r, dynamics, "friction", 0);
    if (type == FLOATING || type == SPHERICAL) {
        if (axis != NULL) mb_passed_over(axis); /* exporters write it all the same */
        return;
    }
    memcpy(j->axis, (const double[3]){1, 0, 0}, sizeof j->axis);
    if (axis != NULL && mb_numbers(r, axis, "xyz", j->axis, 3, 3) == 0)
        mb_refuse(r, axis, "<axis> has no attribute 'xyz'");
    if (axis != NULL) mb_unit(r, axis, "xyz", j->axis, 3);
    if (type == PLANAR) return;
    mb_element *limit = mb_only(r, e, "limit");
    if (type != CONTINUOUS) read_limits(r, j, limit);
    if (mb_only(r, e, "mimic") == NULL) j->motor = j->name;
}

static void read_joint(mb_reader *r, mb_element *e)
{
    const char *name = mb_needed_text(r, e, "name");
    if (mb_needed_text(r, e, "type") == NULL) return;
    const int type = mb_choice(r, e, "type", type_names, FIXED);
    const int parent = link_of(r, e, "parent"), child = link_of(r, e, "child");
    const int k = mb_new_joint(r, name, e, type_kinds[type], parent, child);
    if (r->status != LG_OK) return;
    mb_file_joint *j = &r->joint[k];
    mb_file_link *l = &r->link[child];
    if (l->joint >= 0)
        mb_refuse(r, e,
                  "link '%.40s' is the child of joints '%.40s' and '%.40s', but links of a URDF make a tree; close the "
                  "loop by <loop_joint> in an element <liegrp>",
                  l->name, r->joint[l->joint].name, name);
    l->parent = parent, l->joint = k;
    l->in_parent = mb_origin(r, mb_only(r, e, "origin"));
    static const char *const idle[] = {"axis", "limit", "dynamics", "safety_controller", "mimic"};
    for (size_t i = 0; type == FIXED && i < sizeof idle / sizeof idle[0]; i++) /* exporters write them all the same */
        if (mb_each_element(e, idle[i], NULL) != NULL) mb_passed_over(mb_each_element(e, idle[i], NULL));
    if (type != FIXED) read_motion(r, j, e, type);
}

static void read_mimic(mb_reader *r, const mb_file_joint *j)
{
    mb_element *e = mb_each_element(j->at, "mimic", NULL);
    if (e != NULL && j->kind == LG_JOINT_FIXED) mb_passed_over(e);
    if (e == NULL || j->kind == LG_JOINT_FIXED) return;
    const char *name = mb_text(j->at, "name");
    lg_gear g = lg_gear_default(name, name, mb_needed_text(r, e, "joint"));
    g.ratio = mb_number(r, e, "multiplier", 1), g.offset = mb_number(r, e, "offset", 0);
    if (r->status != LG_OK) return;
    if (lg_mechanism_joint_position(r->m, NULL, g.driver) < 0)
        mb_refuse(r, e, "joint '%.60s' mimics '%.60s', but no joint that moves has that name%s", name, g.driver,
                  mb_left_out(r, g.driver));
    if (strcmp(g.driver, name) == 0) mb_refuse(r, e, "joint '%.60s' mimics itself", name);
    if (r->status == LG_OK) mb_pass_on(r, e, lg_mechanism_add_gear(r->m, NULL, &g));
}

/* ---- the tree ---- */

/* The one link that is not a child. */
static int root_of(mb_reader *r)
{
    int root = -1;
    for (int k = 0; k < r->links && r->status == LG_OK; k++) {
        if (r->link[k].joint >= 0) continue;
        if (root >= 0)
            mb_refuse(r, r->link[k].at,
                      "links '%.60s' and '%.60s' are both children of no joint; a robot has one root: connect them",
                      r->link[root].name, r->link[k].name);
        root = k;
    }
    if (r->status == LG_OK && root < 0)
        mb_refuse(r, r->document.root,
                  "the joints make a ring: every link is the child of a joint; one must be the root");
    return root;
}

/* r->walk: links with parents first. */
static void walk(mb_reader *r, int root)
{
    const size_t links = (size_t)r->links + 1;
    int *head = malloc(links * sizeof *head), *next = malloc(links * sizeof *next), count = 0;
    r->walk = malloc(links * sizeof *r->walk);
    if (head == NULL || next == NULL || r->walk == NULL) {
        mb_refuse_as(r, LG_ERROR_MEMORY, NULL, "out of memory");
    } else {
        for (int k = 0; k < r->links; k++) head[k] = -1;
        for (int k = r->links - 1; k >= 0; k--) {
            const int parent = r->link[k].parent;
            if (parent >= 0) next[k] = head[parent], head[parent] = k;
        }
        r->walk[count++] = root;
        for (int i = 0; i < count; i++)
            for (int k = head[r->walk[i]]; k >= 0; k = next[k]) r->walk[count++] = k;
        for (int k = 0; k < r->links; k++) head[k] = 0;
        for (int i = 0; i < count; i++) head[r->walk[i]] = 1;
        for (int k = 0; k < r->links && count < r->links; k++)
            if (!head[k])
                mb_refuse(r, r->link[k].at, "link '%.60s' hangs on a ring of joints and not on the root '%.60s'",
                          r->link[k].name, r->link[root].name);
    }
    free(head), free(next);
}

/* 1: the root link is a body that nothing holds. */
static int floats(mb_reader *r, mb_element *extension, int root)
{
    static const char *const roots[] = {"fixed", "floating", NULL};
    const int written = extension != NULL ? mb_choice(r, extension, "root", roots, 0) : 0;
    const int floating = r->options.root == LG_ROOT_FLOATING || (r->options.root == LG_ROOT_AS_WRITTEN && written);
    if (floating && r->status == LG_OK && strcmp(r->link[root].name, "world") == 0)
        mb_refuse(r, r->link[root].at,
                  "the root is the link 'world', which does not float; make the joint to its child a floating one");
    return floating && r->status == LG_OK;
}

/* What changes no motion, or is said to another program in words of its own. */
static const mb_harmless elements[] = {
    {"robot", "*"},
    {"link", "visual contact sensor self_filter collision_checking surface audio_source bullet gravity "
             "kinematic gazebo verbose"},
    {"joint", "calibration safety_controller limit axis joint_properties gazebo"},
    {"gazebo", "*"},
    {NULL, NULL},
};
static const mb_harmless attributes[] = {
    {"robot", "*"}, {"link", "*"},   {"joint", "*"}, {"inertial", "*"}, {"parent", "*"},
    {"child", "*"}, {"axis", "rpy"}, {"limit", "*"}, {"material", "*"}, {"dynamics", "D K mu_coulomb mu_viscous"},
    {NULL, NULL},
};

void mb_read_urdf(mb_reader *r)
{
    mb_element *robot = r->document.root;
    (void)mb_text(robot, "name"), (void)mb_text(robot, "version");
    mb_element *extension = mb_only(r, robot, "liegrp");
    read_links(r);
    mb_sort_links(r);
    for (mb_element *e = mb_each_element(robot, "joint", NULL); e != NULL && r->status == LG_OK;
         e = mb_each_element(robot, "joint", e))
        read_joint(r, e);
    mb_read_transmissions(r);
    if (r->status != LG_OK) return;
    const int root = root_of(r);
    if (r->status == LG_OK) walk(r, root);
    if (r->status != LG_OK) return;
    r->link[root].parent = -1;
    if (extension != NULL) mb_read_stops(r, extension);
    mb_cluster(r, floats(r, extension, root));
    if (r->status == LG_OK) mb_emit(r);
    mb_read_visuals(r);
    const int colliding = mb_read_collisions(r);
    for (int i = 0; i < r->joints && r->status == LG_OK; i++) read_mimic(r, &r->joint[i]);
    if (extension != NULL && r->status == LG_OK) mb_read_extension(r, extension);
    mb_judge_collisions(r);
    mb_note_limits(r);
    mb_note_contacts(r, colliding, "shapes of links");
    if (r->status == LG_OK) mb_judge_unread(r, elements, attributes);
}
