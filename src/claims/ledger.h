/* SPDX-License-Identifier: BSD-3-Clause */
/* The files of the ledger. */
#ifndef CLAIMS_LEDGER_H
#define CLAIMS_LEDGER_H

#include "claims/claims.h"

extern const claim claims_retractions[];
extern const claim claims_gni_energy[];
extern const claim claims_gni_momentum[];
extern const claim claims_gni_structure[];
extern const claim claims_euler[];
extern const claim claims_euler_pairs[];
extern const claim claims_reduced_rattle[];
extern const claim claims_rolling_ball[];
extern const claim claims_chaplygin_sphere[];
extern const claim claims_groupoid_forms[];
extern const claim claims_dla[];
extern const claim claims_formulations[];
extern const claim claims_planar_figures[];
extern const claim claims_discrete_sleigh[];
extern const claim claims_survey_stability[];
extern const claim claims_survey_momentum[];
extern const claim claims_survey_rolling[];
extern const claim claims_sem[];
extern const claim claims_sem_order[];
extern const claim claims_sem_general[];
extern const claim claims_shared[];
extern const claim claims_benchmarks[];

#define CLAIM_LISTS                                                                                                    \
    claims_retractions, claims_gni_energy, claims_gni_momentum, claims_gni_structure, claims_euler,                    \
        claims_euler_pairs, claims_reduced_rattle, claims_rolling_ball, claims_chaplygin_sphere,                       \
        claims_groupoid_forms, claims_dla, claims_formulations, claims_planar_figures, claims_discrete_sleigh,         \
        claims_survey_stability, claims_survey_momentum, claims_survey_rolling, claims_sem, claims_sem_order,          \
        claims_sem_general, claims_shared, claims_benchmarks

#endif
