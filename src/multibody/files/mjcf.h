/* SPDX-License-Identifier: BSD-3-Clause */
/* mjcf.h: the parts of the MJCF reader. */
#ifndef LG_MULTIBODY_FILES_MJCF_H
#define LG_MULTIBODY_FILES_MJCF_H

#include <liegrp/scene/scene.h>

#include "multibody/files/reader.h"
#include "scene/mesh/mesh.h"

typedef struct mj_wish mj_wish;
typedef struct mj_mesh mj_mesh;
typedef struct mj_site mj_site;

/* A joint of the file, in its order: a list. */
typedef struct mj_joined {
    struct mj_joined *next;
    const char *name; /* of the joint, or the coordinate, of the mechanism */
    lg_joint_kind kind;
    double attitude[4]; /* of the body at assembly in the frame of a free one; else 1 */
    mb_element *at;
} mj_joined;

/* A joint or coordinate that the file does not name: a list. */
typedef struct mj_unnamed {
    struct mj_unnamed *next;
    const char *body;
    char *name;
    size_t room;
    int number;
} mj_unnamed;

/* What <compiler> says of the elements of its model. */
typedef struct mj_settings {
    const char *folder;             /* of the model, from that of the file on, with a / behind; "": the same */
    const char *meshdir, *assetdir; /* folders of files; NULL: none */
    int strippath;                  /* 1: without the folders that files are named with */
    int exact;                      /* 1: inertias of meshes are exact where they are not of another kind */
    int fitaabb;                    /* 1: primitives are fitted to the boxes around meshes */
    double unit;                    /* of angles, rad */
    char euler[4];                  /* axes of the angles; of the body as turned so far, capital: of the frame around */
    int autolimits;
    int from_geoms;   /* masses are those of geoms: 0: of no body, 1: of all, 2: of those without <inertial> */
    double groups[2]; /* of these geoms */
    int balance;      /* 1: moments that no mass has become their mean */
} mj_settings;

typedef struct mj_reader {
    mb_reader *r;
    mj_settings own;
    mj_wish *wish;     /* a list (mjcf_inertia.c) */
    mj_mesh *mesh;     /* of <asset>, sorted by name (mjcf_meshes.c); NULL: not listed yet */
    mj_mesh *material; /* of <asset>, likewise; without masses */
    int meshes, materials;
    mj_unnamed *unnamed_joint;
    mj_site *site; /* of all bodies, the last one first; then sorted by name (mjcf_sites.c) */
    int sites;
    const char *path;        /* of the first model */
    int attached, attaching; /* models so far; how deep models that attach models are nested */
    mj_joined *joined, **joined_end;
    double gravity[3];
    int heavy;                                    /* 1: gravity is given */
    int weightless;                               /* 1: a flag turns it off */
    int free, open, smooth;                       /* 1: flags turn constraints, equalities, dry friction off, */
    int slack, undamped, unclamped, inert;        /* springs, dampers, ctrlrange, actuators */
    size_t copied;                                /* bytes of names of copies */
    size_t compared;                              /* elements that were searched for references */
    double least_mass, least_inertia, total_mass; /* 0: none */
    int colliding;                                /* geoms that would touch others */
    int unlimited, untouched, unfiltered;         /* 1: flags turn limits, contacts, the filter of parents off, */
    int overridden;                               /* o_friction and the like on */
    int tendon_limits;
    int unnamed_line, unnamed; /* constraints without a name so far in this line */
} mj_reader;

/* Those of an element. */
static inline const mj_settings *mj_settings_of(const mj_reader *o, const mb_element *e)
{
    return e->settings != NULL ? e->settings : &o->own;
}

/* ---- mjcf_values.c ---- */

/* Gives an element the attributes of its class that it lacks; `childclass` (NULL: none) is that of the bodies around.
 */
void mj_inherit(mj_reader *o, mb_element *e, const char *childclass);
/* Those of a class that calls the element `as`: fixed and spatial ones "tendon". */
void mj_inherit_as(mj_reader *o, mb_element *e, const char *as);
/* Those attributes of its class that elements of several kinds share. Lists end with NULL. */
void mj_inherit_shared(mj_reader *o, mb_element *e, const char *const *kinds, const char *const *names);
/* Marks the defaults of elements that are read: unknown ones are reported where they are used. */
void mj_pass_defaults(mj_reader *o);
/* 1: a range of the element holds: the attribute `name` is "true", or "auto" and there is a range. */
int mj_is_limited(mj_reader *o, mb_element *e, const char *name, int range);
/* The rotation of an attribute euler, if there is one, its angles taken so many times. */
void mj_euler(mj_reader *o, mb_element *e, double times, double *q);
/* In the frame around it, pos and one of quat, axisangle, euler, xyaxes, zaxis. */
mb_place mj_place(mj_reader *o, mb_element *e);

/* An element's place in the frame around it (mjcf_frames.c), from that in the frame. */
mb_place mj_in_frame(const mb_element *e, const mb_place *at);

/* ---- mjcf_include.c ---- */

/* The real path of a file that the model names, relative to its folder, where it must be; NULL: refused. The caller
 * frees it. */
char *mj_find_file(mb_reader *r, const mb_element *e, const char *name);
/* Replaces each <include> by what its file holds. */
void mj_include(mb_reader *r);

/* ---- mjcf_attach.c ---- */

/* Replaces each <attach> by the body of another model. */
void mj_attach(mj_reader *o);
/* o->own <- what the sections <compiler> of the document say. */
void mj_read_compilers(mj_reader *o);
extern const mj_settings mj_default;

/* ---- mjcf_references.c ---- */

/* What an attribute refers to: 'j' a joint, 'b' a body, 'g' a geom, 's' a site, 't' a tendon, 'a' an actuator; 0: to
 * nothing. e NULL: any of them for the attributes whose kind others of the element say. */
char mj_kind_of_reference(const mb_element *e, const char *attribute);

/* Elements of the sections beside the bodies: a list. */
typedef struct mj_reference {
    struct mj_reference *next;
    mb_element *at;
} mj_reference;

/* Takes the elements that refer to what an element contains out of the sections of the document with this root. Those
 * that refer to something else too are gone, as in MuJoCo. With `keep` all stay where they are. */
const mj_reference *mj_take_references(mj_reader *o, mb_element *root, const mb_element *within, int keep);

/* ---- mjcf_frames.c ---- */

/* How names of copies differ from those of the original. */
typedef struct mj_rename {
    const char *prefix, *suffix;
    const char *classes;         /* before names of classes; NULL: these stay */
    const mj_settings *settings; /* of elements that have none; NULL: they stay */
} mj_rename;

/* A copy of an element without its children, the last child of its parent; the children, copied below another element.
 */
mb_element *mj_copy_one(mj_reader *o, const mb_element *from, mb_element *parent, const mj_rename *how);
void mj_copy_children(mj_reader *o, const mb_element *from, mb_element *to, const mj_rename *how);
/* Puts the children of `from` behind *last, a child of their new parent (NULL: before all); *last follows. */
void mj_move_children(mb_element *from, mb_element *parent, mb_element **last);
/* Gives an element an attribute that it lacks; value NULL: nothing. */
void mj_give(mj_reader *o, mb_element *e, const char *attribute, const char *value);
/* The children of frames take their place among those of an element. */
void mj_open_frames(mj_reader *o, mb_element *parent);

/* ---- mjcf_geoms.c ---- */

/* The link has the mass, centre and inertia of the geoms of its body. */
void mj_mass_of_geoms(mj_reader *o, mb_element *body, mb_file_link *l, const char *childclass);
/* Bounds on all masses and inertias, and their sum, as <compiler> has them. */
void mj_bound_masses(mj_reader *o);

/* ---- mjcf_meshes.c ---- */

/* The name of a file without folders and ending, behind a prefix. */
const char *mj_name_of_file(mb_reader *r, const char *prefix, const char *file);
/* The name of a mesh or a height field: without one of its own that of its file, without the ending. */
const char *mj_name_of_asset(mb_reader *r, mb_element *e);
/* The path of its file, in <compiler meshdir>, relative to the model's folder. */
const char *mj_path_of_asset(mj_reader *o, const mb_element *e, const char *file);
/* Mass, centre and inertia of the mesh of this name, at density 1; NULL: refused. */
const lg_mesh_mass *mj_mesh_mass(mj_reader *o, const mb_element *geom, const char *name);

/* The mesh that a geom shows, on its place; 0: a remark says why not. */
struct mj_geom;
int mj_show_mesh(mj_reader *o, mb_element *geom, struct mj_geom *g, lg_shape *s);
/* The <material> of this name with the attributes of its class; NULL: there is none. */
mb_element *mj_material(mj_reader *o, const char *name);

/* Kind and points of the surface of a mesh: the convex hull. 0: refused. */
int mj_mesh_hull(mj_reader *o, mb_element *geom, lg_surface *s, const char *name);
/* Kind and heights of the surface of a height field. 0: refused. */
int mj_hfield(mj_reader *o, mb_element *geom, lg_surface *s);

/* ---- mjcf_colliders.c ---- */

/* Geoms that collide as surfaces, with <contact>; once all joints are described. */
void mj_colliders(mj_reader *o);

/* ---- mjcf_inertia.c ---- */

/* Spring and damper of the position of this name from a time constant and a damping ratio; or, of a motor on it (-1:
 * none), the damping from its ratio. Found by the second function, once bodies, joints and motors are described. */
void mj_wish_for(mj_reader *o, const mb_element *e, const char *name, int motor, const double *number);
void mj_fulfil_wishes(mj_reader *o);

/* ---- mjcf_tendons.c ---- */

/* The name that a tendon has here: another one than joints have. */
const char *mj_tendon_name(mj_reader *o, const char *name);
void mj_tendons(mj_reader *o, mb_element *section);
/* <tendon> of <equality>: a length that stays. */
void mj_hold_tendon(mj_reader *o, mb_element *e);

/* ---- mjcf_sites.c ---- */

/* A named frame on a link (-1: the world), after mb_emit(). Once all of them are read mj_sort_sites() makes those of
 * the mechanism; two of one name are refused. */
void mj_read_site(mj_reader *o, mb_element *e, int link, const char *childclass);
void mj_sort_sites(mj_reader *o);
/* The site that an attribute names: the link that has it (-1: the world), and its frame in that of the link. 0:
 * refused.
 */
int mj_site_of(mj_reader *o, mb_element *e, const char *attribute, int *link, mb_place *in_link);
/* The link of a site by its name; -1: the world, or there is none. */
int mj_link_of_site(const mj_reader *o, const char *name);
/* The body that has it (NULL: the world, or refused), and its frame in that of the body. */
const char *mj_site_in_body(mj_reader *o, mb_element *e, const char *attribute, mb_place *place);

/* ---- mjcf.c ---- */

/* The name of an element of <equality> or <tendon>, which it need not have. */
const char *mj_name_of(mj_reader *o, mb_element *e);

/* ---- mjcf_sensors.c ---- */

/* Sensors that are columns. */
void mj_sensors(mj_reader *o, mb_element *section);

/* ---- mjcf_keys.c ---- */

/* Notes the next joint of the file, of a link; and the number of the motor of an actuator, or MJ_THRUSTER minus that of
 * its thruster. */
enum { MJ_THRUSTER = -2 };
void mj_keep_joint(mj_reader *o, mb_element *at, const char *name, lg_joint_kind kind, int link);
void mj_keep_control(mj_reader *o, mb_element *actuator, int control);
/* Named starts. Those that are wrong say so when they are asked for. */
void mj_keys(mj_reader *o);

/* ---- mjcf_rule.c ---- */

/* Refuses what was not read and would change the motion. */
void mj_judge_unread(mb_reader *r);

/* ---- mjcf_joints.c ---- */

/* The joint or joints of a body, as one joint to its parent. */
void mj_joints(mj_reader *o, mb_element *body, int link, int parent, const char *childclass);
/* Writes the names of joints that have none, once all are read. */
void mj_settle_names(mj_reader *o);

/* ---- mjcf_actuators.c ---- */

/* A hinge or a slide by name; *zero: its position at assembly. NULL: refused. */
const char *mj_joint_of(mj_reader *o, mb_element *e, const char *attribute, double *zero);
/* The position of this hinge or slide at which its spring is slack. */
double mj_spring_rest(const mj_reader *o, const char *name);
/* 1: that is where all positions of the joint are at assembly. */
int mj_rests_at_start(const mb_file_joint *j);
void mj_actuators(mj_reader *o, mb_element *section);
/* Ranges of the force of all actuators on a joint, once these are there. */
void mj_limit_joint_forces(mj_reader *o);

/* ---- shapes.c ---- */

typedef enum mj_geom_kind {
    MJ_SPHERE,
    MJ_CAPSULE,
    MJ_CYLINDER,
    MJ_BOX,
    MJ_ELLIPSOID,
    MJ_PLANE,
    MJ_MESH,
    MJ_OTHER /* a height field and so on */
} mj_geom_kind;

typedef struct mj_geom {
    mj_geom_kind kind;
    const char *type, *mesh;
    double size[3]; /* half lengths; of a capsule or cylinder radius and half length */
    mb_place at;    /* in the body */
} mj_geom;

/* The shape of a <geom> that has the attributes of its class. 0: refused. */
int mj_read_shape(mj_reader *o, mb_element *e, mj_geom *g);

/* The geoms of a body or of the world (link -1), after mb_emit(). */
void mj_read_geoms(mj_reader *o, mb_element *parent, int link);

#endif
