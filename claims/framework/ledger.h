/* SPDX-License-Identifier: BSD-3-Clause */
/* The files of the ledger, in its order. */
#ifndef CLAIMS_LEDGER_H
#define CLAIMS_LEDGER_H

#include "claims/framework/claims.h"

/* clang-format off */
#define CLAIM_FILES(X) \
    X(retractions) \
    X(group_operations) \
    X(gni_energy) \
    X(gni_average) \
    X(gni_momentum) \
    X(gni_structure) \
    X(gni_parasitic) \
    X(gni_orders) \
    X(euler) \
    X(euler_pairs) \
    X(reduced_rattle) \
    X(rolling_ball) \
    X(chaplygin_sphere) \
    X(groupoid_forms) \
    X(dla) \
    X(dla_momentum) \
    X(formulations) \
    X(chaplygin) \
    X(planar_figures) \
    X(discrete_sleigh) \
    X(survey_stability) \
    X(survey_measure) \
    X(survey_momentum) \
    X(survey_noether) \
    X(survey_poisson) \
    X(survey_rolling) \
    X(survey_top) \
    X(sem) \
    X(sem_momentum) \
    X(sem_order) \
    X(sem_frames) \
    X(sem_long) \
    X(sem_general) \
    X(sem_work) \
    X(shared) \
    X(along_run) \
    X(step_derivative) \
    X(catalog_consistent) \
    X(benchmarks) \
    X(multibody) \
    X(multibody_benchmarks) \
    X(multibody_bicycle)
/* clang-format on */

#define CLAIM_DECLARE(file) extern const claim claims_##file[];
#define CLAIM_LIST(file)    claims_##file,

CLAIM_FILES(CLAIM_DECLARE)

#endif
