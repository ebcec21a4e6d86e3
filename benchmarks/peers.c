/* SPDX-License-Identifier: BSD-3-Clause */
/* liegrp bench with other software for comparison: build/benchmarks/bench_peers methods|steps|mechanisms|contact
 * [--json]
 * [--quick]
 * [--output FILE.json] [--plot FILE]. Software that was not found at configuration is left out, with a notice. */
#include "benchmarks/peers.h"
#include "benchmarks/peers_contact.h"

#include "cli/lib/bench_program.h"

static const bench_peer *const peers[] = {
#ifdef WITH_GSL
    &peer_gsl_rk8pd,
    &peer_gsl_msadams,
#endif
#ifdef WITH_SUNDIALS
    &peer_cvode_adams,
    &peer_cvode_bdf,
    &peer_cvode_energy,
    &peer_arkode_5,
    &peer_arkode_8,
#endif
    NULL,
};

static const bench_step_peer *const step_peers[] = {
#ifdef WITH_GSL
    &step_peer_gsl_rk4,
#endif
    NULL,
};

static const bench_mechanism_peer *const mechanism_peers[] = {
#ifdef WITH_MUJOCO
    &mechanism_peer_mujoco_euler,
    &mechanism_peer_mujoco_implicit,
    &mechanism_peer_mujoco_rk4,
#endif
#ifdef WITH_SIMBODY
    &mechanism_peer_simbody_euler,
    &mechanism_peer_simbody_merson,
#endif
    NULL,
};

static const bench_dynamics_peer *const dynamics_peers[] = {
#ifdef WITH_MUJOCO
    &dynamics_peer_mujoco,
#endif
#ifdef WITH_KDL
    &dynamics_peer_kdl,
#endif
    NULL,
};

static const bench_entry entries[] = {
    {"methods", "error against cost of all methods and the peers on six systems", bench_methods, 1},
    {"steps", "a step of the library, by hand, and of the peers", bench_steps, 0},
    {"mechanisms", "chains of bodies and a four-bar, compared with a dynamics engine", bench_mechanisms, 0},
    {"contact", "balls, blocks, a cradle, stacks and chains that touch, compared with engines", bench_contact, 0},
    {NULL, NULL, NULL, 0},
};

static cli_item item(int i)
{
    return (cli_item){entries[i].name, entries[i].help};
}

static const cli_manual manual = {
    .command = "bench",
    .summary = "the same as liegrp bench, with other software",
    .usage = "bench_peers NAME [OPTION...]",
    .text =
        "The same as liegrp bench, with GSL, SUNDIALS, MuJoCo, Simbody, KDL, ODE and Bullet where they are available:",
    .shown = item,
    .options = cli_bench_options,
    .exits = cli_bench_exits,
    .examples = "bench_peers methods --quick",
    .words = item,
};

#ifndef WITH_GSL
#define ABSENT_GSL "GSL (libgsl-dev) "
#else
#define ABSENT_GSL ""
#endif
#ifndef WITH_SUNDIALS
#define ABSENT_SUNDIALS "SUNDIALS (libsundials-dev) "
#else
#define ABSENT_SUNDIALS ""
#endif

#ifndef WITH_MUJOCO
#define ABSENT_MUJOCO "MuJoCo (libmujoco-dev) "
#else
#define ABSENT_MUJOCO ""
#endif

#ifndef WITH_SIMBODY
#define ABSENT_SIMBODY "Simbody (libsimbody-dev) "
#else
#define ABSENT_SIMBODY ""
#endif

#ifndef WITH_KDL
#define ABSENT_KDL "KDL (liborocos-kdl-dev) "
#else
#define ABSENT_KDL ""
#endif

#ifndef WITH_ODE
#define ABSENT_ODE "ODE (libode-dev) "
#else
#define ABSENT_ODE ""
#endif

#ifndef WITH_BULLET
#define ABSENT_BULLET "Bullet (libbullet-dev) "
#else
#define ABSENT_BULLET ""
#endif

int main(int argc, char **argv)
{
    static const char absent[] =
        ABSENT_GSL ABSENT_SUNDIALS ABSENT_MUJOCO ABSENT_SIMBODY ABSENT_KDL ABSENT_ODE ABSENT_BULLET;
    static const cli_bench_program program = {&manual, entries, peers, step_peers, mechanism_peers, dynamics_peers};
    if (absent[0] != '\0') fprintf(stderr, "bench_peers: not found, left out: %s\n", absent);
    return cli_bench_main(&program, argc, argv);
}
