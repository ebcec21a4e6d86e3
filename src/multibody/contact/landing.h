/* SPDX-License-Identifier: BSD-3-Clause */
/* landing.h: steps of a motion with contacts. */
#ifndef LG_MULTIBODY_CONTACT_LANDING_H
#define LG_MULTIBODY_CONTACT_LANDING_H

#include "multibody/contact/contact.h"
#include "multibody/motion.h"

/* A step of h, with its impacts. On failure the state is not what it was. */
lg_status mb_contacts_advance(mb_sparse *mo, double h);
/* reading.c: nothing is known of steps before; the same of a motion that starts, whose surfaces may overlap:
 * LG_ERROR_INCONSISTENT. */
/* Refuses methods and steps that have no contacts, if the mechanism has them. */
lg_status mb_contacts_take(mb_sparse *mo, const lg_mechanism *m, const char *method);
void mb_contacts_forget(mb_contacts *c);
lg_status mb_contacts_start(mb_sparse *mo);

#endif
