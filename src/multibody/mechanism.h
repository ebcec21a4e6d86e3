/* SPDX-License-Identifier: BSD-3-Clause */
/* mechanism.h: a mechanism as it was described, and what compilation makes of it. */
#ifndef LG_MULTIBODY_MECHANISM_H
#define LG_MULTIBODY_MECHANISM_H

#include <liegrp/multibody/contact.h>
#include <liegrp/multibody/mechanism.h>
#include <liegrp/multibody/tendon.h>

#include "base/json.h"
#include "base/message.h"
#include "multibody/graph.h"
#include "multibody/plan.h"
#include "multibody/saddle.h"

/* All joints, or wheels and so on: `count` public descriptions whose strings belong to the mechanism. */
typedef struct mb_parts {
    char *at;
    int count, room;
    int *parameter_end; /* of the parts up to this one: the number of their parameters */
    int *slot;          /* numbers of parts, found by their names; -1: empty */
    int slots;          /* a power of two, or 0 */
} mb_parts;

enum { MB_SHARE_ROWS = 6, MB_POSITIONS_MOST = 6 }; /* of the joint between two shares of a body; of a joint */

/* How a body hangs on the tree. */
typedef struct mb_link {
    int joint;   /* -1: none, the body is free */
    int parent;  /* a body; `bodies` is the world */
    int reverse; /* 1: the joint's child is the parent in the tree */
} mb_link;

/* A link of a file that became part of a body with another name. */
typedef struct mb_merged {
    char *name;
    int body;       /* -1: the world */
    double pose[7]; /* in the body's frame */
} mb_merged;

/* How a wide body is shared out (hub.c). */
typedef struct mb_hub {
    int host;     /* the body that was described: of a share its whole, else itself */
    int shares;   /* a whole has 1 or more */
    int first;    /* share s > 0 is body first + s, share 0 the body itself; of a rotor: its joint */
    int fixed_to; /* of a share: the share that carries it */
    int load;     /* joints and wheels */
    int seated;   /* those that have their share already */
} mb_hub;

struct lg_mechanism {
    lg_error error;
    mb_parts part[MB_KINDS];
    double gravity[3];
    int keep_order;
    int altered; /* 1: a parameter was set after its part was added */
    int compiled;
    int hidden;            /* the last bodies, and as many last joints, are shares of wide bodies */
    int rotors;            /* the bodies after these (parts/rotor.c) */
    mb_hub *hub;           /* bodies */
    double *rotor_inertia; /* positions, as coordinate_of */
    mb_plan plan;
    /* the plan's arrays, ours to free */
    double *mass, *weight, *inertia, *inverse_inertia;
    void *made[MB_KINDS]; /* numbers on bodies, of each part; these are joints, wheels and gears: */
    mb_joint *joint;
    mb_wheel *wheel;
    mb_gear *gear;
    mb_chain *chain; /* of composed joints */
    int chains;
    mb_coordinate *coordinate;
    mb_force *force;
    mb_tendon_term *tendon_term; /* of all tendons, and their bodies and pairs of these */
    int *tendon_body, *tendon_pair;
    mb_ball *ball;
    mb_activation *activation;
    struct mb_contact *contact;
    struct mb_near *nearby;    /* contact/near.h */
    struct mb_polytope *solid; /* the polytopes of surfaces, a list */
    int contact_room;
    int64_t *neighbour; /* contact/meet.c: pairs of bodies whose surfaces do not touch, ascending; NULL: no surfaces */
    int neighbours;
    mb_block *block;
    int *coordinate_of; /* positions, MB_POSITIONS_MOST a joint: 1 + the coordinate; 0: none */
    mb_link *link;      /* bodies */
    int *walk;          /* bodies, parents first */
    double *pose;       /* assembled: centre of mass and quaternion, 7 a body */
    mb_block *all;      /* every block with every row */
    mb_plan whole;      /* of all blocks, if a row is redundant */
    mb_block *whole_block;
    int all_count, all_rows;
    mb_block *excess;           /* the plan's */
    char *shares_load;          /* normal forces: 1: its row takes part in a redundancy */
    char **redundant;           /* a sentence on each of these; NULL after the last */
    struct mb_system *system;   /* lg_mechanism_system(); NULL: not made yet */
    struct mb_context *context; /* a list: of each lg_mechanism_model() */
    /* of the file that it comes from */
    char **remark; /* what was not read */
    int remarks;
    char **file; /* further files that were opened, as seen from where its own file was */
    int files;
    double *near; /* MB_POSITIONS_MOST for each of the first `nears` joints: mb_coordinate::near; others have 0 */
    int nears;
    char **lost; /* by the last lg_mechanism_write() */
    int losses;
    char moved[256]; /* how far assembly moved bodies; "": by rounding */
    mb_merged *merged;
    int merged_count;
    mb_merged *site; /* points with frames on bodies */
    int sites;
    struct mb_sensor *sensor; /* those that are columns */
    int sensors;
    struct mb_keys *keys;  /* named starts; NULL: none */
    int unchecked;         /* the first bodies: moments of files, which no distribution of mass needs to have */
    int reading;           /* 1: the body that is checked is one of these */
    double file_step;      /* 0: none */
    int gallery;           /* 1 + its number there; 0: it comes from somewhere else */
    struct lg_scene *look; /* shapes that were given; NULL: none */
    int shaped;            /* the first surfaces: they are shapes of a file, which shows them or others instead */
};

#define MB_PART(m, kind, type, i) (&((const type *)(const void *)(m)->part[kind].at)[i])
#define MB_BODY(m, i)             MB_PART(m, MB_BODIES, lg_body, i)
#define MB_JOINT_OF(m, i)         MB_PART(m, MB_JOINTS, lg_joint, i)
#define MB_COORDINATE_OF(m, i)    MB_PART(m, MB_COORDINATES, lg_coordinate, i)
#define MB_THRUSTER_OF(m, i)      MB_PART(m, MB_THRUSTERS, lg_thruster, i)
#define MB_WHEEL_OF(m, i)         MB_PART(m, MB_WHEELS, lg_wheel, i)
#define MB_SPRING_OF(m, i)        MB_PART(m, MB_SPRINGS, lg_spring, i)
#define MB_MOTOR_OF(m, i)         MB_PART(m, MB_MOTORS, lg_motor, i)
#define MB_DRIVE_OF(m, i)         MB_PART(m, MB_DRIVES, lg_drive, i)
#define MB_GEAR_OF(m, i)          MB_PART(m, MB_GEARS, lg_gear, i)
#define MB_TENDON_OF(m, i)        MB_PART(m, MB_TENDONS, lg_tendon, i)

/* The number of the part of this kind with this name; -1: no part has it. */
int mb_find(const lg_mechanism *m, int kind, const char *name);
/* The name is the first `length` characters. */
int mb_find_within(const lg_mechanism *m, int kind, const char *name, size_t length);
/* The number of described parts of this kind, without shares. */
int mb_seen(const lg_mechanism *m, int kind);
/* "joint", "wheel" or "gear", and the name of the part that a block comes from. */
const char *mb_block_noun(const lg_mechanism *m, const mb_block *k, const char **name);
/* Appends a part, with strings of its own, which no name finds; takes the last one back. */
lg_status mb_part_append(lg_mechanism *m, int kind, void *own);
void mb_part_drop(lg_mechanism *m, int kind);
lg_status mb_copy_parts(lg_mechanism *m, const lg_mechanism *from);
/* *copy = a mechanism of the same description, not compiled; destroy it also after a failure. */
lg_status mb_describe_again(lg_mechanism **copy, const lg_mechanism *m);
/* parameters.c: parameter i, which exists, of a mechanism that is not compiled becomes the value. */
void mb_set_number(lg_mechanism *m, int i, double value);
/* Of a compiled mechanism: how much changes of parameter i are to be compared with; positive. */
double mb_parameter_scale(const lg_mechanism *m, int i);
/* parameters.c: how many parameters a part has; it never changes. */
int mb_parameters_of_part(const lg_mechanism *m, int kind, int i);
/* parameters.c: all of them, by kind, part and field, in time that grows with their number only. */
void mb_list_parameters(const lg_mechanism *m, lg_json *j);
/* parameters.c: are parts whose parameters were set still possible? */
lg_status mb_check_altered(lg_mechanism *m);
/* The noun and the name of the part that control i moves. */
const char *mb_control_noun(const lg_mechanism *m, int i, const char **name);
/* A value of mb_coordinate::near; LG_ERROR_MEMORY. */
lg_status mb_keep_near(lg_mechanism *m, int joint, const double *near, int count);
static inline double mb_near_of(const lg_mechanism *m, int joint, int position)
{
    return joint < m->nears ? m->near[MB_POSITIONS_MOST * joint + position] : 0;
}
/* Frees what compilation made. */
void mb_uncompile(lg_mechanism *m);

/* hub.c: takes wide bodies apart. */
lg_status mb_split_hubs(lg_mechanism *m);
/* The share of a body that takes the next joint or wheel. */
int mb_seat(lg_mechanism *m, int body);
/* parts/rotor.c: adds a body for each joint with a rotor. */
lg_status mb_add_rotors(lg_mechanism *m);
/* parts/make.c: parts as numbers on bodies, from the descriptions. */
lg_status mb_make_parts(lg_mechanism *m);
/* contact/reading.c: what makes contacts of a compiled mechanism, "surface" and its name. */
const char *mb_contact_noun(const lg_mechanism *m, const char **name);
/* parts/surface.c: the contacts of surfaces, of parts that are made. */
lg_status mb_make_contacts(lg_mechanism *m);
/* tree.c: how bodies hang together; joints that close loops are those of no link. */
lg_status mb_make_tree(lg_mechanism *m);
/* rank.c: closes the joints and finds which rows depend on others; makes blocks and factors. */
lg_status mb_make_blocks(lg_mechanism *m);
/* rank.c: the plan with every row, if there are redundant ones. 0: out of memory. */
int mb_make_whole(lg_mechanism *m);
/* dynamics/dynamics.c: the state is that of the assembled mechanism, at rest. */
struct lg_dynamics;
lg_status mb_dynamics_assembled(struct lg_dynamics *d);
/* system.c */
void mb_system_free(struct mb_system *s);
/* Where lg_call::context points in the callbacks of a mechanism: the beginning of a block of memory that belongs to it.
 */
typedef struct mb_context {
    lg_mechanism *mechanism;
    struct mb_context *next;
} mb_context;
/* A scale of lengths: how far centres of mass are from the origin, joints and wheels from them, and how large bodies
 * are, as their inertia tells. */
double mb_reach(const lg_mechanism *m);
/* The 3 x 3 matrix of an inertia xx, yy, zz, xy, xz, yz. */
static inline void mb_inertia_matrix(double *M, const double *I)
{
    M[0] = I[0], M[4] = I[1], M[8] = I[2];
    M[1] = M[3] = I[3], M[2] = M[6] = I[4], M[5] = M[7] = I[5];
}

#endif
