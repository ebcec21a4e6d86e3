/* SPDX-License-Identifier: BSD-3-Clause */
/** @file file.h
 *  Mechanisms from files: robots in URDF, and the part of MJCF that describes bodies, joints and motors
 *  (docs/mechanisms.md, "From a file").
 *
 *  lg_mechanism_read() describes a mechanism; add what the file lacks (wheels, springs), then call
 *  lg_mechanism_compile(). lg_mechanism_remark() lists elements of the file that were not read. */
#ifndef LIEGRP_MULTIBODY_FILE_H
#define LIEGRP_MULTIBODY_FILE_H

#include <stdint.h>

#include "mechanism.h"

LG_BEGIN

/** How the root link of a URDF is connected with the world. */
typedef enum lg_root {
    LG_ROOT_AS_WRITTEN = 0, /**< as the file says: fixed, unless it contains `<liegrp root="floating">` */
    LG_ROOT_FIXED = 1,      /**< it is part of the world */
    LG_ROOT_FLOATING = 2    /**< it is a free body. Not for a link named `world`, nor for MJCF, where
                             *   `<freejoint>` says what floats */
} lg_root;

/** Which contacts a file has (contact.h). */
typedef enum lg_file_contacts {
    LG_FILE_CONTACTS_NONE = 0,   /**< none: limits of joints are watched, dry friction is refused, shapes pass through
                                  *   each other */
    LG_FILE_CONTACTS_ALL = 1,    /**< limits of joints are stops, friction of joints (URDF `friction`, MJCF
                                  *   `frictionloss`) is dry friction, and shapes that collide are surfaces: `<collision>`
                                  *   of URDF, `<geom>` of MJCF with MuJoCo's rules for which of them touch. Two shapes
                                  *   that would touch and whose kinds have no contacts are refused */
    LG_FILE_CONTACTS_GROUND = 2, /**< as all, but shapes touch planes alone. A remark counts them */
    LG_FILE_CONTACTS_JOINTS = 3  /**< stops and dry friction alone; a remark counts the shapes */
} lg_file_contacts;

/** How a file is read. Start from lg_mechanism_file_default(). */
typedef struct lg_mechanism_file {
    size_t size;        /**< sizeof(lg_mechanism_file), set by lg_mechanism_file_default() */
    lg_root root;       /**< default as written */
    int keep_fixed;     /**< 0, the default: links that fixed joints connect become one body; 1: those with a mass stay
                         *   bodies of their own, and the fixed joint tells its wrench */
    double position[3]; /**< of the root link's frame (MJCF: the world body's) in space, m; default 0 */
    double attitude[4]; /**< of that frame: unit quaternion x, y, z, w; default 0, 0, 0, 1 */
    double least_inertia;      /**< kg m^2; 0, the default: none. A body that the motion needs and that has no mass gets
                                *   this about each axis, and the mass that has it at a distance of 0.1 m; one whose moments
                                *   are 0 where the motion needs them gets it, too. Remarks name each */
    const char *const *ignore; /**< names of elements and attributes that would change the motion, are not read, and are
                                *   left out all the same; ends with NULL. Remarks name what is left out, and names that
                                *   leave out nothing. NULL, the default: none */
    const char *const
        *packages;   /**< where packages of ROS are, whose meshes package://NAME/FILE are shown: "NAME=FOLDER",
                      *   or a folder that contains folders of packages; ends with NULL. A package is also
                      *   found around the file, and in the folders of the environment variable
                      *   ROS_PACKAGE_PATH, if its folder has a package.xml. NULL, the default: none */
    int64_t sensors; /**< 1: sensors of MJCF that are functions of the state are columns of rows, behind all others; 0,
                      * the default: none is */
    const char *within; /**< a folder in which, or below which, files may be that the model names: those of `<include>`,
                         *   models, meshes. NULL, the default: the folder of the model's file */
    int64_t contacts; /**< an lg_file_contacts; default none */
} lg_mechanism_file;

/** Initialises options of `size` bytes; see lg_mechanism_file_default(). */
LG_API void lg_mechanism_file_init(lg_mechanism_file *options, size_t size);
/** As written, at the origin. */
static inline lg_mechanism_file lg_mechanism_file_default(void)
{
    lg_mechanism_file options;
    lg_mechanism_file_init(&options, sizeof options);
    return options;
}

/** Reads a mechanism from a URDF or MJCF file; the root element says which it is, `<robot>` or `<mujoco>`. NULL
 *  options: the defaults. The mechanism is not compiled yet. On failure *m still holds the message, "robot.urdf:12:
 *  ...": read it with lg_mechanism_message() and free it with lg_mechanism_destroy().
 *  - LG_ERROR_ARGUMENT: an argument is NULL or impossible, or the file is wrong: the message says where, what, and what
 *    would be right.
 *  - LG_ERROR_UNSUPPORTED: the file needs what is not read (macros of xacro, dry friction of a joint without `contacts`),
 *    or the library was built without expat.
 *  - LG_ERROR_IO: the file cannot be read, or `packages` or `within` names no folder.
 *  - LG_ERROR_MEMORY: out of memory; *m is NULL if it could not be created. */
LG_API LG_MUST_CHECK lg_status lg_mechanism_read(lg_mechanism **m, const char *path, const lg_mechanism_file *options);

/** Writes a compiled mechanism to a file as MJCF (.xml, .mjcf) or URDF (.urdf), as it is assembled, such that MuJoCo
 *  reads it. Numbers are written to the last bit. An existing file is replaced once the new one is complete.
 *  `ignore` (may be NULL) are words that end with NULL: what one of them names, and the format cannot say, is left out.
 *  lg_mechanism_remark() then lists, after the remarks before, what was left out and what readers of the file treat
 *  differently; comments of the file repeat it. Not while other threads use the mechanism.
 *  - LG_ERROR_ARGUMENT: an argument is NULL, the mechanism is not compiled, the path ends otherwise, or a name has a
 *    character that no XML file can hold.
 *  - LG_ERROR_UNSUPPORTED: the format cannot say something; the message names it, and the word for `ignore`. Neither
 *    format has wheels (wheel), contacts of spheres (sphere_contact), thrusters (thruster), drives (drive), distances
 *    (distance), dry friction rounded off by a speed (friction). MJCF has no surfaces (surface), no restitution of stops
 *    (restitution), and closes loops only by fixed, spherical and revolute joints without springs, dampers, dry friction,
 *    stops, rotors and motors (loop, motor, gear); URDF by none, and it has only fixed,
 *    revolute, prismatic, planar and free joints (joint), no springs (spring, stiffness), rotors (armature), gravity of
 *    its own (gravity, gravcomp), and motors that are torques (motor).
 *  - LG_ERROR_IO: the file cannot be written.
 *  - LG_ERROR_MEMORY: out of memory. */
LG_API LG_MUST_CHECK lg_status lg_mechanism_write(lg_mechanism *m, const char *path, const char *const *ignore);

/** Number of remarks: one for each type of element in the file that was not read, once the mechanism is compiled one if
 *  assembly moved bodies, then those of the last lg_mechanism_write(). */
LG_API int lg_mechanism_remark_count(const lg_mechanism *m);
/** Remark i, such as "robot.urdf:12: <gazebo> is not read (7 times, first here)"; NULL beyond the last. If
 * assembly moved bodies from their given poses by more than 1e-4 of the mechanism's size or 1e-4 rad, the last remark
 * of a compiled mechanism reports it: "assembly moved body 'cart' by 4.9 m to close joints and put wheels on their
 *  grounds". */
LG_API const char *lg_mechanism_remark(const lg_mechanism *m, int i);
/** Number of further files that lg_mechanism_read() opened: those of `<include>`, and meshes whose mass counts. */
LG_API int lg_mechanism_file_count(const lg_mechanism *m);
/** The path of file i of these: the folder of the model's own path, and the name that the model gives it; NULL beyond
 *  the last. */
LG_API const char *lg_mechanism_file_name(const lg_mechanism *m, int i);
/** The step that the file asks for (MJCF: `<option timestep>`), s; 0: the file has no time step. */
LG_API double lg_mechanism_file_step(const lg_mechanism *m);

/** Where a link of the file is. The name is that of the link, also where several links became one body.
 *  *body is the number of the body that it is part of, -1 for the world; *pose (may be NULL) is the link's frame in
 *  that of the body, or in space: position and quaternion, 7 numbers.
 *  - LG_ERROR_ARGUMENT: an argument is NULL, or there is no link and no body of this name. */
LG_API LG_MUST_CHECK lg_status lg_mechanism_link(const lg_mechanism *m, int *body, double *pose, const char *name);

/** Number of named sites of the file (MJCF: `<site>`). */
LG_API int lg_mechanism_site_count(const lg_mechanism *m);
/** The name of site i, in the order of the alphabet; NULL beyond the last. */
LG_API const char *lg_mechanism_site_name(const lg_mechanism *m, int i);
/** Where a site of the file is: *body is the number of its body, -1 for the world; *pose (may be NULL) is its frame in
 *  that of the body, or in space: position and quaternion, 7 numbers. lg_motion_point() follows it.
 *  - LG_ERROR_ARGUMENT: an argument is NULL, or there is no site of this name. */
LG_API LG_MUST_CHECK lg_status lg_mechanism_site(const lg_mechanism *m, int *body, double *pose, const char *name);
/** Number of named starts of the file (MJCF: `<key>`). */
LG_API int lg_mechanism_key_count(const lg_mechanism *m);
/** The name of start i, in the order of the file, from 0 on; one that the file does not name is called by this number.
 *  NULL beyond the last. lg_motion_start_key() starts from it. */
LG_API const char *lg_mechanism_key_name(const lg_mechanism *m, int i);

LG_END

#endif
