/* SPDX-License-Identifier: BSD-3-Clause */
/* landing.h: steps of a motion with contacts. */
#ifndef LG_MULTIBODY_CONTACT_LANDING_H
#define LG_MULTIBODY_CONTACT_LANDING_H

#include "multibody/contact/contact.h"
#include "multibody/motion.h"

/* A step of h, with its impacts. On failure the state is not what it was. */
lg_status mb_contacts_advance(mb_sparse *mo, double h);
/* An impact at the present node, if there is one; its works and reactions count. */
lg_status mb_contacts_impact(mb_sparse *mo);
/* reading.c: refuses methods and steps that have no contacts, if the mechanism has them. */
lg_status mb_contacts_take(mb_sparse *mo, const lg_mechanism *m, const char *method);
/* The options as they are, and as another motion has them, unchecked. */
lg_contact_options mb_contacts_options(const mb_contacts *c);
void mb_contacts_set_options(mb_contacts *c, const lg_contact_options *o);
/* impacts.c: tells the caller's function, if there is one, of the impact that was made. */
lg_status mb_tell_impact(mb_sparse *mo);
/* So of the first `count` of mo->impacts, at time t. */
lg_status mb_tell_impacts(mb_sparse *mo, double t, int count);
/* Nothing is known of steps before. */
void mb_contacts_forget(mb_contacts *c);
/* What is known of the last step, and what is counted. */
int mb_contacts_numbers(const mb_plan *plan);
enum { MB_SAVED_FIRST = 4 }; /* their number, the length and counts; then impulses and forces of each, `carry`, keys */
void mb_contacts_save(const mb_contacts *c, double *to);
void mb_contacts_restore(mb_contacts *c, const double *from);
/* The reason why a step of h failed whose impulses were not found. */
lg_status mb_contacts_explain(mb_sparse *mo, double h);
/* apart.c: moves bodies apart that overlap, and starts from there, with a remark. They may overlap still. */
lg_status mb_contacts_separate(mb_sparse *mo);
/* Of a start that the caller asks for. LG_ERROR_INCONSISTENT: surfaces overlap, or a joint is beyond its stop; it is
 * not started then. */
lg_status mb_contacts_check_start(mb_sparse *mo);

#endif
