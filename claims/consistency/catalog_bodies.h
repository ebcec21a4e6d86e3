/* SPDX-License-Identifier: BSD-3-Clause */
/* What the catalog's mechanisms are made of, told once more and from the outside. */
#ifndef CLAIMS_CATALOG_BODIES_H
#define CLAIMS_CATALOG_BODIES_H

#include "claims/framework/harness.h"

/* Kinetic energy of velocity xi at g from the places of the system's masses along g exp(s xi), by differences; 0: this
 * system is not told. */
int claim_kinetic_of_bodies(const claim_system *s, const double *g, const double *xi, double *T);
/* Its potential at g where that is its weight, up to a constant; 0: it is not told. */
int claim_weight_of_bodies(const claim_system *s, const double *g, double *V);
/* Power of the forces with controls u. 0: this system's forces are not told. */
int claim_power_of_forces(const claim_system *s, const double *g, const double *xi, const double *u, double *power);
/* Angular velocity about the vertical, which the rattleback reports. 0: not this system. */
int claim_spin_of(const claim_system *s, const double *g, const double *xi, double *spin);

#endif
