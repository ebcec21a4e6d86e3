/* SPDX-License-Identifier: BSD-3-Clause */
/** @file mechanisms.h
 *  Mechanisms for tests: those of the reference states, and a gallery. */
#ifndef TESTS_SUPPORT_MECHANISMS_H
#define TESTS_SUPPORT_MECHANISMS_H

#include <liegrp/multibody/file.h>
#include <liegrp/multibody/motion.h>

#include "support/reference.h"
#include "support/motions.h"
#include "support/suite.h"

/** Fails the test unless `st` is LG_OK, with the mechanism's or the motion's message. */
void mechanism_well(lg_status st, const lg_mechanism *m);
void motion_well(lg_status st, const lg_motion *mo);

/** An item of multibody_states.json, eliminated in the order of its lists; compiled. */
lg_mechanism *mechanism_of(const cJSON *item);
/** Its motion with its step, started from its state. */
lg_motion *motion_of(const lg_mechanism *m, const cJSON *item, const char *method);

/** The mechanism that a file with this text describes; options NULL: the default. */
lg_mechanism *mechanism_of_text(const char *text, const lg_mechanism_file *options);
/** Expects that a file with this text, "robot", is refused with this status, and with a message that names the file and
 *  has these words. */
void mechanism_rejected(lg_status want, const char *text, const char *words);
/** 1: a remark has this text. */
int mechanism_remarked(const lg_mechanism *m, const char *text);

/** A body of mass 1 kg with inertia 0.02, 0.03, 0.04 at a place. */
void mechanism_add_body(lg_mechanism *m, const char *name, double x, double y, double z);
/** A joint at a point about an axis, both in space at assembly. */
void mechanism_add_joint(lg_mechanism *m, const char *name, lg_joint_kind kind, const char *parent, const char *child,
                         const double *point, const double *axis);
/** A disk of 1 kg and radius 0.2 m that leans by an angle and rolls on z = 0, with inertia 0.01, 0.02 and `last` (kg
 *  m^2); a rod ties the point `at` of it to the point `to` of the world. `to` = NULL: neither rod nor ground. */
lg_mechanism *mechanism_disk_on_rod(double lean, double last, const double *to, const double *at);

#endif
