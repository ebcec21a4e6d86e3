/* SPDX-License-Identifier: BSD-3-Clause */
/* The bodies of the catalog's mechanisms, described a second time and independently. */
#ifndef CLAIMS_CATALOG_BODIES_H
#define CLAIMS_CATALOG_BODIES_H

#include "claims/framework/harness.h"

/* Kinetic energy of velocity xi at g from the places of the system's masses along g exp(s xi), by differences; 0: this
 * system is not covered. */
int claim_kinetic_of_bodies(const claim_system *s, const double *g, const double *xi, double *T);
/* Its potential at g, if it comes from weight, up to a constant; 0: not covered. */
int claim_weight_of_bodies(const claim_system *s, const double *g, double *V);
/* Power of the forces with controls u. 0: not covered. */
int claim_power_of_forces(const claim_system *s, const double *g, const double *xi, const double *u, double *power);
/* Angular velocity about the vertical, a column of the rattleback. 0: another system. */
int claim_spin_of(const claim_system *s, const double *g, const double *xi, double *spin);

#endif
