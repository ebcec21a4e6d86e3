/* SPDX-License-Identifier: BSD-3-Clause */
/* gallery.h: how mechanisms of the gallery are described and started. */
#ifndef LG_MULTIBODY_GALLERY_GALLERY_H
#define LG_MULTIBODY_GALLERY_GALLERY_H

#include <liegrp/multibody/gallery.h>

#include "multibody/motion.h"

/* A mechanism that is being described; the first failure stays. */
typedef struct mb_builder {
    lg_mechanism *m;
    lg_status status;
} mb_builder;

typedef struct mb_exhibit {
    const char *name, *text;
    double step;
    void (*describe)(mb_builder *g);
    lg_status (*start)(mb_sparse *mo);
    const char *plot; /* what a picture shows, see lg_gallery_plot(); NULL: nothing special */
} mb_exhibit;

/* builder.c */

/* A body with principal moments of inertia along its axes, at a place. */
void mb_build_body(mb_builder *g, const char *name, double mass, double xx, double yy, double zz,
                   const double *position);
/* A thin rod between two points, its x axis along it. */
void mb_build_rod(mb_builder *g, const char *name, double mass, const double *from, const double *to);
/* A revolute joint at a point about an axis; parent NULL: the world. */
void mb_build_hinge(mb_builder *g, const char *name, const char *parent, const char *child, const double *point,
                    const double *axis);
/* mb_build_hinge() with a damper. */
void mb_build_damped(mb_builder *g, const char *name, const char *parent, const char *child, const double *point,
                     const double *axis, double damping);
/* A disk that rolls on z = 0, its axle along y. */
void mb_build_wheel(mb_builder *g, const char *name, const char *body, double radius, lg_contact contact);
void mb_build_motor(mb_builder *g, const char *name, const char *joint);
/* The look of a body, -1: of the world. Rods from place to place, as assembled. */
void mb_build_bars(mb_builder *g, int body, double radius, int shade, const double (*place)[3], int count);
/* A ball that leaves a trail, at a place as assembled. */
void mb_build_tip(mb_builder *g, int body, double radius, const double *place);
/* A rod in the frame of the body. */
void mb_build_bar(mb_builder *g, const char *name, int body, double radius, int shade, const double *from,
                  const double *to);

/* As lg_gallery_start(). */
lg_status mb_gallery_start(mb_sparse *mo, int i);
/* At rest, as assembled. */
lg_status mb_start_at_rest(mb_sparse *mo);
/* As assembled, with velocities of joints. */
typedef struct mb_rate {
    const char *joint;
    double rate;
} mb_rate;
lg_status mb_start_with(mb_sparse *mo, const mb_rate *rates, int count);
/* One freedom: all velocities such that this joint has this rate. */
lg_status mb_start_driven(mb_sparse *mo, const char *joint, double rate);

/* wheels.c: the Whipple bicycle, and its start upright at a speed with a lean rate. */
void mb_build_whipple(mb_builder *g, lg_contact contact);
lg_status mb_start_whipple(mb_sparse *mo, double speed, double lean_rate);

/* The rooms: pendulums.c, loops.c, wheels.c, touching.c. */
extern const mb_exhibit mb_pendulums[], mb_loops[], mb_wheeled[], mb_touching[]; /* the last one has no name */

#endif
