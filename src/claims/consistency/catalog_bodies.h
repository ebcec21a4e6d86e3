/* SPDX-License-Identifier: BSD-3-Clause */
/* What the catalog's mechanisms are made of, told once more and from the outside. */
#ifndef CLAIMS_CATALOG_BODIES_H
#define CLAIMS_CATALOG_BODIES_H

#include "claims/harness.h"

/* Kinetic energy of velocity xi at g from the places of the system's masses along g exp(s xi), by differences; 0: this
 * system is not told. */
int claim_kinetic_of_bodies(const claim_system *s, const double *g, const double *xi, double *T);

#endif
