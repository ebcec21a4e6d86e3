/* SPDX-License-Identifier: BSD-3-Clause */
/* part.h: the description that each file of parts/ ends with, and functions that these files share. */
#ifndef LG_MULTIBODY_PART_H
#define LG_MULTIBODY_PART_H

#include <math.h>
#include <string.h>

#include "base/checkpoint.h"
#include "base/dense.h"
#include "base/sized.h"
#include "multibody/mechanism.h"

/* A number of a part by name: a double in its description. A list of them ends with a name of NULL. */
typedef struct mb_field {
    const char *name, *unit;
    size_t offset;
} mb_field;

struct mb_pose;
struct mb_maker; /* scene.h */

typedef struct mb_part_kind {
    const char *noun;     /* in messages and names of parameters */
    lg_sized size;        /* of its public description */
    const void *standard; /* the description by default */
    int strings;          /* of the description: its name, then others */
    size_t string[3];     /* where they are */
    const mb_field *fields;
    const mb_field *(*fields_of)(const void *part); /* instead, where parts of the kind differ; NULL: they do not */
    /* Gives it other memory of its own, 0: there is none; and frees that. NULL: it has none */
    int (*own)(void *part);
    void (*disown)(void *part);
    /* Refuses what is impossible in a description, and may scale it; NULL: nothing is */
    lg_status (*check)(lg_mechanism *m, void *part);
    /* The number of rows on the bodies that the strings after the name call; NULL: none */
    int (*loads)(const void *part);
    size_t numbers; /* bytes of its numbers on bodies */
    /* Makes these of part i, whose names are looked up; NULL: there is nothing to do */
    lg_status (*make)(lg_mechanism *m, int i);
    /* The blocks of rows of part i, those of positions or of velocities, at most one. Returns their number; NULL: none
     */
    int (*blocks)(const lg_mechanism *m, int i, int velocities, mb_block *block);
    /* A scale of its lengths on its bodies; NULL: none */
    double (*reach)(const lg_mechanism *m, int i);
    int normal; /* 1: the force of its first row is a normal force */
    /* Refuses what lg_mechanism_system() cannot express; NULL: nothing */
    lg_status (*check_system)(lg_mechanism *m, int i);
    /* Writes what a checkpoint compares: names and numbers; NULL: nothing, or it is a force's (checkpoint.c) */
    void (*describe)(lg_lines *l, const lg_mechanism *m, int i);
    /* Adds its shapes; NULL: it has none */
    void (*show)(const struct mb_maker *k, int i);
    int show_first; /* 1: before those of bodies */
    /* Marks bodies that these shapes show (MB_SHOWN_PART); NULL: they show no body */
    void (*mark)(const struct mb_maker *k, int i);
} mb_part_kind;

/* Names, which end with NULL: by lg_wheel_kind, by lg_contact. */
extern const char *const mb_wheel_kinds[], *const mb_wheel_contacts[];

#define MB_PART_KIND(KIND, name) extern const mb_part_kind mb_##name##_part;
MB_PART_LIST(MB_PART_KIND)
#undef MB_PART_KIND
const mb_part_kind *mb_kind_of(int kind);
/* Part i of this kind as it was described. */
void *mb_part_at(const lg_mechanism *m, int kind, int i);
/* Normal forces are numbered kind by kind: the number of the first of this kind; of MB_KINDS: how many there are. */
int mb_normals_before(const lg_mechanism *m, int kind);

/* rotor.c: joint i takes the body that is its rotor, if it has one; its rows, as mb_part_kind::blocks. */
void mb_take_rotor(lg_mechanism *m, int i);
int mb_rotor_block(const mb_joint *j, int i, mb_block *block);

/* make.c: what turns names and points at assembly into numbers on bodies. */

/* A pose at assembly: the centre of mass and the matrix of the body's axes. */
typedef struct mb_placed {
    double r[3], R[9], centre[3];
} mb_placed;

/* Body i, or the world for i = body_count. */
mb_placed mb_placed_of(const lg_mechanism *m, int i);
/* A point of a body's frame, from the centre of mass. */
void mb_anchor(double *out, const mb_placed *p, const double *point_in_frame);
/* Anchor and frame on one body, from those in space. */
void mb_attach(double *out, double *frame, const mb_placed *p, const double *point, const double *S);
/* The distance of points of two bodies. */
double mb_apart_at_assembly(const mb_placed *a, const double *s, const mb_placed *b, const double *t);
/* The axes (columns) of a frame with its third along `axis` and its first along `second`, or, where that is zero, along
 * the axis of space that is farthest from `axis`. 0: second is parallel to axis. */
int mb_frame_from(double *S, const double *axis, const double *second);
lg_status mb_unknown(lg_mechanism *m, const char *noun, const char *name, const char *kind, const char *what);
/* The bodies that a part connects. */
lg_status mb_both_bodies(lg_mechanism *m, const char *noun, const char *name, const char *parent, const char *child,
                         int *a, int *b);
/* Gives a position of joint j a coordinate, if it has none yet. */
int mb_coordinate_add(lg_mechanism *m, int j, int position);
/* A force along coordinate c, -1: between points, with its law's numbers. */
mb_force *mb_force_add(lg_mechanism *m, int law, int c, double first, double second);
/* A spring, a damper, friction and stops along coordinate c of a joint or a coordinate; nothing where all are 0. */
typedef struct mb_passive {
    double stiffness, rest, damping, friction, friction_speed;
    double lower, upper, restitution; /* of stops; infinite: there is none */
} mb_passive;
lg_status mb_passive_add(lg_mechanism *m, int c, const mb_passive *p);
/* A contact of this kind between bodies a and b, zero otherwise; NULL: out of memory, with the message. */
struct mb_contact *mb_contact_add(lg_mechanism *m, int kind, int rows, int a, int b);
/* Stops without limits, or a restitution that is none, of a part "joint 'arm'". */
lg_status mb_check_stops(lg_mechanism *m, const char *noun, const char *name, int64_t stops, double restitution,
                         double lower, double upper);
lg_status mb_check_limits(lg_mechanism *m, const char *noun, const char *name, double lower, double upper);
/* Refuses an impossible one of a part "motor 'arm'". */
lg_status mb_check_activation(lg_mechanism *m, const char *noun, const char *name, const mb_activation *a);
/* That of a control; returns 1 if it has dynamics. */
int mb_activation_add(lg_mechanism *m, int control, const mb_activation *a);
/* mb_part_kind::check_system of a part with dynamics of control `i`. */
lg_status mb_activation_of_system(lg_mechanism *m, const char *noun, const char *name, int control);
/* Writes it for a checkpoint, where it is not that of all controls. */
void mb_activation_describe(lg_lines *l, const mb_activation *a);
/* A torque on the rotation vector of joint j. */
mb_ball *mb_ball_add(lg_mechanism *m, int j);
/* The coordinate of a length or an angle: "joint" of one position, or "joint.2". */
lg_status mb_driven(lg_mechanism *m, const char *noun, const char *name, const char *joint, int *coordinate);

#endif
