// SPDX-License-Identifier: BSD-3-Clause
// KDL: recursive Newton-Euler and the mass matrix of a revolute chain.
#include <kdl/chain.hpp>
#include <kdl/chaindynparam.hpp>
#include <kdl/chainidsolver_recursive_newton_euler.hpp>
#include <kdl/config.h>

#include <algorithm>

extern "C" {
#include "benchmarks/peers.h"
}

using namespace KDL;

namespace {

// A segment's inertia is in the frame at its far end.
Chain chain_of(const bench_mechanism &w)
{
    Chain chain;
    for (int i = 0; i < w.links; i++)
        chain.addSegment(Segment(Joint(i % 2 ? Joint::RotZ : Joint::RotY), Frame(Vector(0.5, 0, 0)),
                                 RigidBodyInertia(1, Vector(-0.25, 0, 0), RotationalInertia(0.01, 0.03, 0.03))));
    return chain;
}

struct Engine {
    const Chain chain;
    const unsigned n;
    ChainIdSolver_RNE newton_euler;
    ChainDynParam parameters;
    JntArray q, v, a, tau;
    JntSpaceInertiaMatrix M;
    const Wrenches none;

    explicit Engine(const bench_mechanism &w)
        : chain(chain_of(w)), n(chain.getNrOfJoints()), newton_euler(chain, Vector(0, 0, -9.81)),
          parameters(chain, Vector(0, 0, -9.81)), q(n), v(n), a(n), tau(n), M(n), none(n)
    {
    }
};

void copy(JntArray &to, const double *from)
{
    std::copy(from, from + to.rows(), to.data.data());
}

void *open(const bench_mechanism *w)
{
    return w->spherical || w->loop ? nullptr : new Engine(*w);
}

void inverse(void *opened, double *tau, const double *q, const double *v, const double *a)
{
    Engine &e = *static_cast<Engine *>(opened);
    copy(e.q, q), copy(e.v, v), copy(e.a, a);
    e.newton_euler.CartToJnt(e.q, e.v, e.a, e.none, e.tau);
    std::copy(e.tau.data.data(), e.tau.data.data() + e.n, tau);
}

void mass_matrix(void *opened, double *M, const double *q)
{
    Engine &e = *static_cast<Engine *>(opened);
    copy(e.q, q);
    e.parameters.JntToMass(e.q, e.M);
    std::copy(e.M.data.data(), e.M.data.data() + e.n * e.n, M); // symmetric
}

void close(void *opened)
{
    delete static_cast<Engine *>(opened);
}

} // namespace

extern "C" const bench_dynamics_peer dynamics_peer_kdl = {"KDL", KDL_VERSION_STRING, open, inverse, mass_matrix, close};
