/* SPDX-License-Identifier: BSD-3-Clause */
/* The files of the ledger in its order, each with its room, which is its folder in claims/. */
#ifndef CLAIMS_LEDGER_H
#define CLAIMS_LEDGER_H

#include "claims/framework/claims.h"

/* clang-format off */
#define CLAIM_FILES(X) \
    X(groups, retractions) \
    X(groups, group_operations) \
    X(ferraro2008, gni_energy) \
    X(ferraro2008, gni_average) \
    X(ferraro2008, gni_momentum) \
    X(ferraro2008, gni_structure) \
    X(ferraro2008, gni_parasitic) \
    X(ferraro2008, gni_orders) \
    X(ferraro2015, euler) \
    X(ferraro2015, euler_pairs) \
    X(ferraro2015, reduced_rattle) \
    X(ferraro2015, rolling_ball) \
    X(ferraro2015, chaplygin_sphere) \
    X(ferraro2015, groupoid_forms) \
    X(cortes2001, dla) \
    X(cortes2001, dla_momentum) \
    X(cortes2001, formulations) \
    X(cortes2001, chaplygin) \
    X(cortes2001, planar_figures) \
    X(fedorov2005, discrete_sleigh) \
    X(bloch2005, survey_stability) \
    X(bloch2005, survey_measure) \
    X(bloch2005, survey_momentum) \
    X(bloch2005, survey_noether) \
    X(bloch2005, survey_poisson) \
    X(bloch2005, survey_rolling) \
    X(bloch2005, survey_top) \
    X(sem, sem) \
    X(sem, sem_momentum) \
    X(sem, sem_order) \
    X(sem, sem_frames) \
    X(sem, sem_long) \
    X(sem, sem_general) \
    X(sem, sem_work) \
    X(sem, shared) \
    X(consistency, along_run) \
    X(consistency, step_derivative) \
    X(consistency, catalog_consistent) \
    X(consistency, brouwer) \
    X(sem, benchmarks) \
    X(collocation, gauss) \
    X(multibody, multibody) \
    X(multibody, multibody_benchmarks) \
    X(multibody, multibody_bicycle)       \
    X(multibody, multibody_gauge) \
    X(multibody, multibody_joints) \
    X(multibody, multibody_touching) \
    X(multibody, multibody_trajectories) \
    X(multibody, multibody_contacts)
/* clang-format on */

#define CLAIM_DECLARE(room, file) extern const claim claims_##file[];
#define CLAIM_LIST(room, file)    {#room, claims_##file},

CLAIM_FILES(CLAIM_DECLARE)

#endif
