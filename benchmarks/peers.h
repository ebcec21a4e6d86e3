/* SPDX-License-Identifier: BSD-3-Clause */
/* Other integrators as peers in `liegrp bench methods` and `steps`; the lists end with NULL. */
#ifndef BENCHMARKS_PEERS_H
#define BENCHMARKS_PEERS_H

#include "benchmarks/suite/peer.h"

#ifdef WITH_GSL
extern const bench_peer peer_gsl_rk8pd, peer_gsl_msadams;
extern const bench_peer peer_gsl_rk8pd_projected, peer_gsl_rk8pd_fixed, peer_gsl_rk8pd_fixed_projected;
extern const bench_step_peer step_peer_gsl_rk4;
#endif
#ifdef WITH_SUNDIALS
extern const bench_peer peer_cvode_adams, peer_cvode_bdf, peer_cvode_energy, peer_arkode_5, peer_arkode_8;
extern const bench_peer peer_arkode_8_projected;
#endif
#ifdef WITH_BOOST
extern const bench_peer peer_boost_stoer, peer_boost_fehlberg;
#endif
extern const bench_peer peer_dop853, peer_dop853_projected, peer_dop853_fixed, peer_dop853_fixed_projected;
extern const bench_peer peer_taylor;
#ifdef WITH_MUJOCO
extern const bench_mechanism_peer mechanism_peer_mujoco_euler, mechanism_peer_mujoco_implicit;
extern const bench_mechanism_peer mechanism_peer_mujoco_rk4;
extern const bench_dynamics_peer dynamics_peer_mujoco;
#endif
#ifdef WITH_KDL
extern const bench_dynamics_peer dynamics_peer_kdl;
#endif
#ifdef WITH_SIMBODY
extern const bench_mechanism_peer mechanism_peer_simbody_euler, mechanism_peer_simbody_merson;
#endif

#endif
