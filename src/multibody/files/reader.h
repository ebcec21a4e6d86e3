/* SPDX-License-Identifier: BSD-3-Clause */
/* reader.h: from the tree of a file to a mechanism. Both dialects describe links that hang on each other by joints;
 * clusters.c finds which links are one body, emit.c describes bodies and joints to the mechanism.
 *
 * The first failure stays in `status`; after it values are read as absent. */
#ifndef LG_MULTIBODY_FILES_READER_H
#define LG_MULTIBODY_FILES_READER_H

#include <math.h>

#include <liegrp/multibody/file.h>

#include "multibody/files/place.h"
#include "multibody/files/xml.h"
#include "multibody/mechanism.h"

/* The greatest numbers of links, joints and so on, and of different remarks. */
enum { MB_LINKS_MOST = 40000, MB_REMARKS_MOST = 200 };

enum { MB_NO_BODY = -2 };

typedef struct mb_file_link {
    const char *name;
    mb_element *at;
    int parent;         /* a link; -1: the world or none */
    int joint;          /* a joint of the file to the parent, -1: none, it is a root */
    mb_place in_parent; /* at position 0 */
    double mass;        /* 0: none */
    double inertia[6];  /* xx, yy, zz, xy, xz, yz about the centre of mass in the link's axes */
    double centre[3];   /* in the link's frame */
    double gravcomp;    /* the part of its weight that is borne */
    mb_place place;     /* in space */
    int leader;         /* the link whose body it is part of; -1: the world; MB_NO_BODY: a frame between motions */
    mb_place in_body;   /* in that link's frame; in space for the world */
} mb_file_link;

/* Numbers of a position of a joint. */
typedef struct mb_file_position {
    const char *name;
    double stiffness, rest, damping, lower, upper, armature;
    double friction;         /* dry */
    int stops;               /* 1: the limits are stops */
    double stop_restitution; /* of these */
} mb_file_position;

static inline int mb_is_limited(const mb_file_position *p)
{
    return p->lower > -INFINITY || p->upper < INFINITY;
}

/* A joint between a link and its parent; axis and point in the child's frame. */
typedef struct mb_file_joint {
    const char *name;
    mb_element *at;
    lg_joint_kind kind;
    int parent, child; /* links; -1: the world */
    double point[3], axis[3], second[3];
    double zero[LG_JOINT_MOTIONS]; /* position at assembly */
    int motions;                   /* of a composed joint, from the parent on, as the axis and the point */
    lg_joint_motion motion[LG_JOINT_MOTIONS];
    int absolute; /* 1: a free joint whose position is the pose in the parent, not the change of that at assembly */
    mb_file_position all; /* numbers of each position */
    const char *motor; /* the position that a motor of its name drives; NULL: none */
    double ratio;      /* of that motor; 0: none is given */
    int left_out;      /* 1: it fixes a link without mass, or its motions are those of another joint */
    int several;       /* positions with numbers of their own; 0: `all` counts */
    mb_file_position each[LG_JOINT_MOTIONS];
} mb_file_joint;

/* A shape of the file that collides: a surface of the mechanism. */
typedef struct mb_collider {
    mb_element *at;
    const char *name; /* of the file; NULL: none */
    int link;         /* -1: the world */
    int body;         /* the number of bodies: the world */
    int surface;
    int condim; /* of MJCF, with the friction that the surface has only where condim is not 1 */
    double friction;
} mb_collider;

/* Something that was not read. */
typedef struct mb_remark {
    char *text;
    const char *file;
    int line, count;
} mb_remark;

typedef struct mb_reader {
    lg_mechanism *m;
    lg_status status;
    mb_document document;
    char file[96];    /* as messages call it */
    const char *path; /* of the file; NULL: the text came from memory */
    lg_mechanism_file options;
    mb_file_link *link;
    mb_file_joint *joint;
    int links, joints, link_room, joint_room;
    int *of_joint, emitted; /* the joint of the file that joint k of the mechanism is, of the first `emitted` */
    int *by_name;           /* links, sorted by name */
    int *walk;              /* links, parents first */
    mb_remark *remark;
    int remarks, remark_room;
    mb_collider *collider;
    int colliders, collider_room;
    unsigned char *ignored; /* of each name of options.ignore; 1: something of this name was ignored */
} mb_reader;

/* ---- reader.c: values of elements ---- */

/* Refuses the file at this element (NULL: as a whole) with LG_ERROR_ARGUMENT or another status. */
void mb_refuse(mb_reader *r, const mb_element *e, const char *format, ...) LG_PRINTF(3, 4);
void mb_refuse_as(mb_reader *r, lg_status status, const mb_element *e, const char *format, ...) LG_PRINTF(4, 5);
/* Memory as long as the document lives; NULL: out of memory, which is refused. */
void *mb_take(mb_reader *r, size_t bytes);
/* A text that lives as long; "" after a failure. */
const char *mb_print(mb_reader *r, const char *format, ...) LG_PRINTF(2, 3);
/* Passes on the mechanism's message about a part from this element. */
void mb_pass_on(mb_reader *r, const mb_element *e, lg_status status);
/* Lists something that is not read, once for each text. */
void mb_note(mb_reader *r, const mb_element *e, const char *format, ...) LG_PRINTF(3, 4);
/* Adds a remark on every element and attribute that was not read, and hands all remarks to the mechanism. */
void mb_note_unread(mb_reader *r);

/* 1: the element is called this. */
int mb_is(const mb_element *e, const char *name);
/* The one child of this name; NULL: none. Two are refused. */
mb_element *mb_only(mb_reader *r, mb_element *e, const char *name);
/* The one child that must be there. */
mb_element *mb_needed(mb_reader *r, mb_element *e, const char *name);
/* The next child of this name after `from` (NULL: the first); NULL: no more. */
mb_element *mb_each_element(mb_element *e, const char *name, mb_element *from);
/* Marks attributes and children as read, which mean nothing here. */
void mb_passed_over(mb_element *e);
/* The attribute; NULL: none. */
const char *mb_text(mb_element *e, const char *name);
/* The attribute that must be there and not be empty; NULL after a failure. */
const char *mb_needed_text(mb_reader *r, mb_element *e, const char *name);
/* Reads `least` to `most` numbers, and returns how many; 0: there is no such attribute, `out` stays. */
int mb_numbers(mb_reader *r, mb_element *e, const char *name, double *out, int least, int most);
/* Any number of numbers, at most `most`, in memory of the document; *list stays NULL where there are none. */
int mb_list(mb_reader *r, mb_element *e, const char *name, double **list, int most);
/* One number, or `otherwise`. */
double mb_number(mb_reader *r, mb_element *e, const char *name, double otherwise);
/* The number that must be there. */
double mb_needed_number(mb_reader *r, mb_element *e, const char *name);
/* The index of the attribute's value among the choices, which NULL ends; `otherwise` without attribute. */
int mb_choice(mb_reader *r, mb_element *e, const char *name, const char *const *choices, int otherwise);
/* v <- v/|v|; a vector of length 0 is refused. */
void mb_unit(mb_reader *r, const mb_element *e, const char *name, double *v, int n);

/* ---- mjcf_rule.c: what is not read ---- */

/* Words of an element, by its name, without a meaning for the motion; "*": all. A list ends with NULL. */
typedef struct mb_harmless {
    const char *of, *words;
} mb_harmless;

/* Refuses what was not read and would change the motion: all but children and attributes of these lists, numbers that
 * say nothing, and names that the caller ignores. Looks are not judged. */
void mb_judge_unread(mb_reader *r, const mb_harmless *elements, const mb_harmless *attributes);
/* Limits of joints that are no stops and colliding shapes, which are not acted on, in a remark each. */
void mb_note_limits(mb_reader *r);
void mb_note_contacts(mb_reader *r, int colliding, const char *things);
/* 1: the caller ignores what has this name. */
int mb_ignores(const mb_reader *r, const char *name);
/* Lists names of options.ignore that ignored nothing. */
void mb_note_idle_names(mb_reader *r);

/* ---- clusters.c: links ---- */

/* A new link or joint; its index, -1 after a failure. */
int mb_new_link(mb_reader *r, const char *name, mb_element *e);
int mb_new_joint(mb_reader *r, const char *name, mb_element *e, lg_joint_kind kind, int parent, int child);
/* Sorts the links' names; two equal ones are refused. */
void mb_sort_links(mb_reader *r);
/* The link of this name; -1: none. */
int mb_link_named(const mb_reader *r, const char *name);
/* Places all links in space, and finds which ones are one body; roots are part of the world unless `floating`. Needs
 * r->walk. */
void mb_cluster(mb_reader *r, int floating);

/* ---- compose.c: links without mass ---- */

/* Fixes links without mass that carry nothing, and joins the joints before and behind those that carry one. Clusters
 * are numbered as in mb_cluster(), the world is `links`; massive: 1 + a link with a mass of each. */
void mb_compose(mb_reader *r, const int *massive);
/* ": its link has no mass, and it is left out" of such a joint, "" of others. */
const char *mb_left_out(const mb_reader *r, const char *joint);
/* A joint of motions becomes one of another kind if they are together that. */
void mb_name_kind(mb_file_joint *j);

/* ---- points.c: bodies without inertia ---- */

/* The sums over the links of a body, in the frame of the link that names it. */
typedef struct mb_file_mass {
    int links;                          /* with mass or inertia */
    int changed;                        /* 1: by mb_share_masses() */
    double mass, centre[3], inertia[6]; /* centre: times the mass; inertia about the centre of mass */
    double gravcomp;                    /* of all of them */
} mb_file_mass;

/* I += m (d.d - d d^T). */
void mb_add_second(double *I, double m, const double *d);
/* Gives bodies that have none an inertia that changes no motion, or the least one, or refuses them. */
void mb_share_masses(mb_reader *r, mb_file_mass *s);

/* ---- emit.c: the mechanism ---- */

/* Describes bodies, joints and motors. */
void mb_emit(mb_reader *r);
/* The link that an attribute names, "world" for the world: its body's name (NULL: the world), and its frame in that of
 * the body. 0: a failure, or there is no such attribute. */
int mb_attached(mb_reader *r, mb_element *e, const char *attribute, const char **body, int *link, mb_place *in_body);
/* Refuses a link that is no body, but a frame between motions. */
void mb_needs_body(mb_reader *r, const mb_element *e, int link);
/* Refuses what connects a body (NULL: the world) with itself. */
void mb_apart(mb_reader *r, const mb_element *e, const char *a, const char *b);
/* The frame of a link (-1: the world) in space. */
mb_place mb_place_of(const mb_reader *r, int link);
/* The name of a link's body; NULL: the world. */
const char *mb_body_of(const mb_reader *r, int link);

/* (xx, yy, zz, xy, xz, yz) of R I R^T, the numbers themselves where R is 1. */
void mb_turn_inertia(double *out, const double *q, const double *I);
/* q <- the rotation with its third axis along `axis` and its first towards `second` (zeros: anywhere). 0: they are
 * parallel. */
int mb_frame_about(double *q, const double *axis, const double *second);
/* Point and frame on the body of a link: those of a place in space. */
void mb_put_on(const mb_reader *r, double *point, double *frame, int link, const mb_place *in_space);

/* ---- dialects ---- */

void mb_read_urdf(mb_reader *r);
void mb_read_mjcf(mb_reader *r);
/* extension.c: loops, wheels and springs in <liegrp>. */
void mb_read_extension(mb_reader *r, mb_element *extension);
/* contacts.c: of contact in it. Stops before joints are described. */
/* An attribute that is a whole number; `otherwise`: it is not there. */
int mb_whole(mb_reader *r, mb_element *e, const char *name, int otherwise);
void mb_read_surface(mb_reader *r, mb_element *e);
void mb_read_surface_pair(mb_reader *r, mb_element *e);
void mb_read_ground(mb_reader *r, mb_element *e);
void mb_read_stops(mb_reader *r, mb_element *extension);
/* colliders.c: shapes that collide. */

/* The group of shapes of a file that touch planes alone. */
enum { MB_SHAPES_OF_FILE = -1 };
/* The name, with a number behind it if a part of this kind has it already. */
const char *mb_new_name(mb_reader *r, int kind, const char *wanted);
/* 1: they become surfaces. */
int mb_shapes_collide(const mb_reader *r);
/* Adds a surface whose kind, sizes and values are given, at a place in the frame of a link; NULL: refused. */
mb_collider *mb_collide(mb_reader *r, mb_element *e, int link, const mb_place *at, lg_surface *s, const char *name);
/* Kind and points of a surface: the convex hull of a mesh. 0: refused. */
struct lg_mesh;
int mb_hull_of(mb_reader *r, const mb_element *e, lg_surface *s, const struct lg_mesh *mesh, const char *name);
/* Pairs of bodies that a joint connects; the caller frees `key`. */
typedef struct mb_neighbours {
    int64_t *key;
    int count;
} mb_neighbours;
mb_neighbours mb_take_neighbours(mb_reader *r);
/* 1: surfaces touch, as far as no pair of them says otherwise. */
int mb_colliders_meet(const mb_reader *r, const mb_neighbours *of, const mb_collider *a, const mb_collider *b);
/* Refuses two that touch if their kinds cannot. */
void mb_refuse_unmet(mb_reader *r, const mb_collider *a, const mb_collider *b);
/* <collision> of links, after mb_emit(); their number. Which of them touch, once <liegrp> is read. */
int mb_read_collisions(mb_reader *r);
void mb_judge_collisions(mb_reader *r);

/* A place from xyz, rpy (or quat_xyzw) of an <origin>; NULL: none. */
mb_place mb_origin(mb_reader *r, mb_element *origin);

/* shapes.c: <visual> of links, after mb_emit(). */
void mb_read_visuals(mb_reader *r);
/* transmissions.c: ratios of the motors of joints, before mb_emit(). */
void mb_read_transmissions(mb_reader *r);

/* ---- look_files.c: where files may be ---- */

/* The real path of a mesh that can be shown, in the file's folder or in one of a package; NULL: a remark says why not.
 * It lives as long as the document. */
const char *mb_find_look(mb_reader *r, const mb_element *e, const char *name);
/* The real path of a mesh that the motion needs; NULL: refused. */
const char *mb_find_mesh(mb_reader *r, const mb_element *e, const char *name);
/* Keeps the name of a file that is opened, for lg_mechanism_file_name(). 0: refused. */
int mb_keep_file(mb_reader *r, const char *path);
/* 1: a real path is in the folder of the model, whose real path `model` is, or in that which the caller allows. */
int mb_is_within(const mb_reader *r, const char *real, const char *model);
/* 1: there is a folder of this name. */
int mb_is_folder(const char *path);

/* read.c: the mechanism of a file, or of a text that messages call `path`. */
lg_status mb_read_text(lg_mechanism **m, const char *path, const char *text, size_t length,
                       const lg_mechanism_file *options);

#endif
