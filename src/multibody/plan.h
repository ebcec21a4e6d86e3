/* SPDX-License-Identifier: BSD-3-Clause */
/* plan.h: what a compiled mechanism is: its bodies, joints and wheels as numbers, its rows in blocks, and the symbolic
 * factor of their Gram matrix. While it moves nothing changes here but which of the rows that depend on each other a
 * motion's own plan keeps (choice.h). */
#ifndef LG_MULTIBODY_PLAN_H
#define LG_MULTIBODY_PLAN_H

#include <liegrp/multibody/mechanism.h>

#include "base/account.h"
#include "base/message.h"
#include "multibody/parts/list.h"
#include "multibody/rows/row.h"

/* The effect of a position of a joint: it moves the frame on the child along an axis of the parent's, turns it about an
 * axis of its own, or is a component of the rotation vector between both. */
typedef enum mb_position_kind { MB_SLIDES, MB_TURNS, MB_VECTOR } mb_position_kind;

/* A velocity that turns a rotor. */
typedef struct mb_rotor_rate {
    mb_position_kind kind;
    int axis;
    double scale; /* of a length or an angle: the rotor's velocity over that of the joint */
} mb_rotor_rate;

/* A hinge or a slide of a composed joint, in the joint's frame at position 0, which each frame between two motions
 * carries along. */
typedef struct mb_elementary {
    int slides;
    double frame[9]; /* columns are axes, the third along the hinge or the slide */
    double point[3]; /* of a hinge */
} mb_elementary;

enum { MB_CHAIN_MOST = 6 };

/* The motions of a composed joint, from a to b (rows/chain.h). */
typedef struct mb_chain {
    int count, coordinate;      /* motions; the coordinate of the first, which the others follow */
    int middle;                 /* `across` turns with the frame before motion number `middle` */
    double length;              /* makes lengths comparable with angles */
    double across[5][6];        /* wrenches on that frame in which the motions next to it do no work */
    double from[3], side[2][3]; /* of four motions: three directions at assembly (mb_chain_reference()) */
    mb_elementary motion[MB_CHAIN_MOST];
} mb_chain;

enum { MB_REACTION = 7 }; /* numbers of a block's reaction (reactions.h) */

/* The rows of a joint between bodies a and b (docs/theory.md section 17): a_i = R_a F_a e_i, b_i = R_b F_b e_i and d
 * from the anchor on a to the anchor on b. */
typedef struct mb_joint {
    int a, b;           /* indices of bodies */
    int translational;  /* number of rows a_i.d = 0, or e_i.d = 0 if in_space */
    int axis[3];        /* their i */
    int rotational;     /* number of rows a_i.b_j = 0 */
    int pair[3][2];     /* their i, j */
    int in_space;       /* 1: translational rows along the axes of space */
    double length;      /* > 0: one row (d.d - length^2)/(2 length) instead */
    double anchor_a[3]; /* from the centre of mass, in the body's axes */
    double anchor_b[3];
    double frame_a[9]; /* F_a: its columns are the joint's axes in the body's */
    double frame_b[9];
    int rotor; /* the body that is its rotor (rows/rotor.h); -1: none */
    int rates; /* velocities that turn the rotor */
    mb_rotor_rate rate[6];
    const mb_chain *chain; /* of a composed joint, whose rows these are instead; NULL: another kind */
} mb_joint;

/* The coordinate of a rotor that velocity number i turns. */
static inline int mb_rotor_slot(const mb_rotor_rate *r, int i)
{
    return r->kind == MB_VECTOR ? 3 + r->axis : i;
}

typedef enum mb_wheel_kind { MB_WHEEL_DISK, MB_WHEEL_BALL } mb_wheel_kind;

/* A wheel of body b on the plane n.(x - origin) = 0. */
typedef struct mb_wheel {
    mb_wheel_kind kind;
    int b;
    double radius, tube;       /* the tube's radius adds to the height */
    double axle[3], centre[3]; /* in the body's axes, from the centre of mass */
    double normal[3], origin[3];
    double tangent[3];  /* a direction in the plane: the first row of a ball */
    double velocity[3]; /* of the ground where it touches: linear part */
    double spin;        /* and rad/s about the normal through the origin */
    double roller[2];   /* cosine and sine of the angle from the heading to the rollers' axes on the ground */
} mb_wheel;

/* A coordinate of a joint: the length a_i.d, the angle about a_3, or the angle about b_1, which follows that; of a
 * composed joint that of motion `axis`. */
typedef struct mb_coordinate {
    int joint, position; /* the position of the joint that it is */
    int slides;          /* 1: a length */
    int axis;            /* i; 2 or 0 of an angle */
    double near;         /* of the values that a pose has, that near this is meant at assembly and at a start from it */
} mb_coordinate;

/* q_second - ratio q_first = offset, two coordinates that move together; or, curved, a polynomial of q_first. */
typedef struct mb_gear {
    int first, second; /* coordinates; first -1: none */
    double ratio, offset;
    int curved;
    double curve[3]; /* of q_first^2, ^3, ^4 */
    int side[2][2];  /* the parts of its row that bodies a and b of each coordinate's joint share */
} mb_gear;

/* A force along a length: of a joint's coordinate, of a tendon, or between points of two bodies (forces/force.h). */
typedef struct mb_force {
    int law;
    int coordinate;                 /* -1: another length */
    const struct mb_tendon *tendon; /* NULL: another length */
    int a, b;                       /* bodies */
    int control;                    /* of a motor; -1: none */
    int varies;                     /* 1: of a motor with an activation, which is not held during a step */
    double gain;                    /* the force that a control of 1 is */
    double rest;                    /* the length at which a spring is slack */
    double number[4];               /* the law's */
    double point_a[3], point_b[3];  /* from the centre of mass, in the body's axes */
} mb_force;

/* A part of a tendon's length, weight times that of `along`, whose bodies have these parts of the tendon's row. */
typedef struct mb_tendon_term {
    double weight;
    mb_force along; /* its length alone */
    int side[2];
} mb_tendon_term;

/* A length that is a sum (forces/tendon.h). Its row has a part for each of its bodies. */
typedef struct mb_tendon {
    double constant; /* lengths that never change */
    double length;   /* at which it is held, if it is */
    int terms;
    mb_tendon_term *term;
    int bodies;
    int *body;
    int row;  /* the first of its parts among the slopes; -1: no force acts on it */
    int link; /* in the saddle's graph, of its bodies 0 and 1; then those of 0 and 2, 1 and 2, 0 and 3 and so on */
} mb_tendon;

/* A damper or a motor of a rotation vector (forces/ball.h). */
typedef struct mb_ball {
    int joint, axis, control; /* control -1: none */
    double damping, gain;
} mb_ball;

/* A force and a torque for a control of 1, in the axes of the body, about the centre of mass. */
typedef struct mb_thruster {
    int body, control;
    double wrench[6], limit[2]; /* the control is held between the limits */
} mb_thruster;

/* A motion that is given (lead.h): that of a coordinate, or of a body's pose. */
typedef struct mb_follower {
    int coordinate;         /* -1: a body follows */
    int leader;             /* the frame that it follows */
    mb_joint weld;          /* of a body, which holds it to the leader */
    const lg_drive *motion; /* as described */
    const double *second;   /* of a table: its second derivatives (base/cubic.h) */
} mb_follower;

/* What is made of a control u (activation.h). */
typedef struct mb_activation {
    lg_activation kind;
    double time;     /* T of a filter */
    double limit[2]; /* u is held between these, */
    double range[2]; /* and the activation between these */
} mb_activation;

/* A vertex of the constraint graph: rows that are eliminated together. A row has a part for each body it acts on. */
typedef struct mb_block {
    mb_block_kind kind;
    int source;              /* index of the joint, wheel or gear */
    int sides;               /* number of parts of a row */
    int body[MB_SIDES_MOST]; /* whose they are */
    int rows;                /* rows kept */
    int all;                 /* rows it has */
    int lengths;             /* rows whose phi is a length; the others' are angles */
    int kept[MB_ROWS_MOST];  /* which ones */
    int at;                  /* index of its first row */
    int part;                /* index of its first row's first part */
    int number;              /* its place among the blocks with all rows: those of plan->whole, if there is one */
    int tree;                /* 1: a joint of the tree, whose rows never depend on each other */
} mb_block;

typedef struct mb_row_facts {
    int part;     /* the kind of part that has these rows */
    int first;    /* the number of the first, among all rows of a part */
    int velocity; /* 1: equations of velocities, which no phi has */
    int normal;   /* 1: its force is the part's normal force */
} mb_row_facts;

static inline const mb_row_facts *mb_facts_of(const mb_block *k)
{
#define MB_ROW_FACTS(KIND, name, ...) [MB_##KIND] = {__VA_ARGS__},
    static const mb_row_facts facts[] = {MB_ROW_LIST(MB_ROW_FACTS)};
#undef MB_ROW_FACTS
    return &facts[k->kind];
}

/* The sparse Cholesky factor of A J^-1 A^T, symbolically. Positions are those of the elimination. */
typedef struct mb_symbolic {
    int count;      /* positions */
    int *block;     /* the block at a position */
    int *first;     /* count + 1: where a column's blocks below the diagonal begin in `row`, `value` */
    int *row;       /* their positions, ascending */
    int *value;     /* where their numbers begin */
    int *diagonal;  /* where the diagonal block's numbers begin */
    int *target;    /* for each column, for each pair s >= t of blocks below: where the product goes */
    int *target_at; /* where a column's targets begin */
    int terms;      /* contributions of bodies to the Gram matrix */
    int *term;      /* 5 numbers each: value, row block, its side, column block, its side */
    int numbers;    /* of the factor */
} mb_symbolic;

/* Newton's matrix [J + K, A^T; A, 0]: vertices are bodies, then blocks. The factor's numbers begin at these places: a
 * body's diagonal block; the block of the two bodies of a link, joints, then springs and pairs of tendons (-1: none),
 * and 1 if its rows are those of a; the blocks of a block's sides. */
typedef struct mb_saddle {
    mb_symbolic factor;
    int *rows; /* of vertices */
    int *body;
    int *link;
    int *side;
} mb_saddle;

typedef struct mb_plan {
    int bodies;  /* the world is body number `bodies`; */
    int grounds; /* it and the leaders after it: frames whose motion is given */
    int rotors;  /* the last of them */
    int rotor_rows;
    int drifts; /* 1: rows of velocities have a drift: the ground of a wheel moves */
    int closes; /* 1: there are rows besides those of the tree, so that configurations may be singular */
    int blocks; /* first the holonomic ones, then the others */
    int holonomic_blocks;
    int rows, holonomic_rows;
    int parts, holonomic_parts; /* of rows */
    int excess_count;
    const mb_block *excess; /* blocks with redundant rows, `kept` and `rows` being those */
    double reach;           /* a scale of lengths */
    double whole_mass;
    double gravity[3];
    const double *mass;    /* bodies */
    const double *weight;  /* the mass that gravity pulls at */
    const double *inertia; /* 9 each, in the body's axes */
    const double *inverse_inertia;
    const void *const *made; /* numbers on bodies by kind of part; these are some of them: */
    int joints;
    const mb_joint *joint;
    const mb_wheel *wheel;
    const mb_gear *gear;
    int coordinates; /* all; the rows of the first `driven` act in a step */
    int driven;
    const mb_coordinate *coordinate;
    int slopes; /* parts of the rows of coordinates, two each, and of tendons */
    int tendons, pairs;
    const mb_tendon *tendon;
    const int *pair; /* two bodies each, of tendons */
    int servos, thrusters;
    const mb_thruster *thruster;
    int balls;
    const mb_ball *ball;
    int drives;
    const mb_follower *drive;
    int activations;                 /* controls that are held or act with dynamics; 0: forces take all as they are */
    const mb_activation *activation; /* of each control */
    int contacts;                    /* contact/contact.h */
    const struct mb_contact *contact;
    const struct mb_near *near;  /* contact/near.h: the last contacts are slots of pairs; NULL: none are */
    int works;                   /* controls, drives and kinds (base/account.h), whose works are summed up */
    int controls, forces, lines; /* the last `lines` forces act between two points */
    const mb_force *force, *line;
    const mb_block *block;
    mb_symbolic node; /* all rows */
    mb_symbolic mean; /* the holonomic ones */
    mb_saddle saddle;
    const struct mb_plan *whole; /* the plan with every row of every block; NULL: no row is redundant */
} mb_plan;

static inline void mb_begin_near(const mb_plan *plan, double *q)
{
    for (int c = 0; c < plan->coordinates; c++) q[c] = plan->coordinate[c].near;
}

/* Of mb_motion::act. */
static inline int mb_activation_numbers(const mb_plan *plan)
{
    return plan->activations > 0 ? 2 * plan->controls : 0;
}

/* Bodies, the world and leaders. */
static inline int mb_frames(const mb_plan *plan)
{
    return plan->bodies + plan->grounds;
}

static inline int mb_is_rotor(const mb_plan *plan, int b)
{
    return b >= plan->bodies - plan->rotors && b < plan->bodies;
}

/* Freedoms of positions and of velocities; a rotor has none of its own. */
static inline int mb_position_freedoms(const mb_plan *plan)
{
    return 6 * (plan->bodies - plan->rotors) - plan->holonomic_rows;
}
static inline int mb_freedoms(const mb_plan *plan)
{
    return 6 * (plan->bodies - plan->rotors) - (plan->rows - plan->rotor_rows);
}

/* The place of a kind among the works. */
static inline int mb_kind_at(const mb_plan *plan, lg_work kind)
{
    return plan->works - LG_WORKS + (int)kind;
}

/* The plan that says how much memory numbers take, whichever of the redundant rows are kept. */
static inline const mb_plan *mb_room(const mb_plan *plan)
{
    return plan->whole != NULL ? plan->whole : plan;
}

#endif
