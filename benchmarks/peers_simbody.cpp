// SPDX-License-Identifier: BSD-3-Clause
// Simbody with explicit Euler and Merson's Runge-Kutta, steps fixed, in joint coordinates. The loop is a ball
// constraint, which the integrators project onto after each step.
#include <Simbody.h>

#include <algorithm>
#include <cmath>
#include <memory>

extern "C" {
#include "benchmarks/peers.h"
}

using namespace SimTK;

namespace {

struct Engine {
    const bench_mechanism &what;
    MultibodySystem system;
    SimbodyMatterSubsystem matter;
    GeneralForceSubsystem forces;
    Force::Gravity gravity;
    Array_<MobilizedBody> links;
    State begin;
    std::unique_ptr<Integrator> integrator;
    double time;

    explicit Engine(const bench_mechanism &w)
        : what(w), matter(system), forces(system), gravity(forces, matter, -ZAxis, 9.81), time(0)
    {
        MobilizedBody last = matter.Ground();
        for (int i = 0; i < w.links; i++) links.push_back(last = add(last, i));
        if (w.loop) Constraint::Ball(matter.Ground(), Vec3(end(w.links)), links.back(), Vec3(0.4, 0, 0));
        begin = system.realizeTopology();
        if (w.loop) { // the bodies' x axes lead along the links
            for (int i = 0; i < w.links; i++) links[i].setOneQ(begin, 0, angle(i) - (i > 0 ? angle(i - 1) : 0));
            const double s = w.speed; // the coupler does not turn
            links[0].setOneU(begin, 0, s), links[1].setOneU(begin, 0, -s), links[2].setOneU(begin, 0, 0.5 * s / 0.8);
        }
    }

    static Vec3 end(int i)
    {
        static const double row[4][2] = {{0, 0}, {0, 0.5}, {0.9, 0.8}, {0.9, 0}};
        return Vec3(row[i][0], 0, row[i][1]);
    }

    static double angle(int i)
    {
        const Vec3 d = end(i + 1) - end(i);
        return std::atan2(-d[2], d[0]);
    }

    // A link of its length along x: its frame is in the middle, joints at both ends. A pin turns about z.
    MobilizedBody add(MobilizedBody &parent, int i)
    {
        const double length = what.loop ? (end(i + 1) - end(i)).norm() : 0.5;
        const double before = i == 0 ? 0 : what.loop ? 0.5 * (end(i) - end(i - 1)).norm() : 0.25;
        const Body::Rigid body(MassProperties(1, Vec3(0), Inertia(0.01, 0.03, 0.03)));
        const Vec3 out(before, 0, 0), in(-0.5 * length, 0, 0);
        if (what.spherical) return MobilizedBody::Ball(parent, Transform(out), body, Transform(in));
        const Rotation axis = what.loop || i % 2 == 0 ? Rotation(-Pi / 2, XAxis) : Rotation();
        return MobilizedBody::Pin(parent, Transform(axis, out), body, Transform(axis, in));
    }

    double gap() const
    {
        if (!what.loop) return 0;
        const State &s = integrator->getState();
        system.realize(s, Stage::Position);
        return (links.back().findStationLocationInGround(s, Vec3(0.4, 0, 0)) - end(what.links)).norm();
    }
};

template <class Method> void *open_with(const bench_mechanism *w)
{
    if (w->links > 1000) return nullptr; // there is one such engine to compare with
    try {
        std::unique_ptr<Engine> e(new Engine(*w));
        e->integrator.reset(new Method(e->system));
        e->integrator->setFixedStepSize(w->h);
        e->integrator->setAllowInterpolation(false);
        return e.release();
    } catch (const std::exception &) {
        return nullptr;
    }
}

void reset(void *opened)
{
    Engine *e = static_cast<Engine *>(opened);
    e->time = 0;
    e->integrator->initialize(e->begin);
}

int step(void *opened, long count)
{
    Engine *e = static_cast<Engine *>(opened);
    try {
        e->time += static_cast<double>(count) * e->what.h;
        while (e->integrator->getTime() < e->time - 0.5 * e->what.h) e->integrator->stepTo(e->time);
        return 0;
    } catch (const std::exception &) {
        return 1;
    }
}

double energy(void *opened)
{
    const Engine *e = static_cast<Engine *>(opened);
    e->system.realize(e->integrator->getState(), Stage::Dynamics);
    return e->system.calcEnergy(e->integrator->getState());
}

double gap(void *opened)
{
    return static_cast<const Engine *>(opened)->gap();
}

void centres(void *opened, double *x)
{
    const Engine *e = static_cast<Engine *>(opened);
    std::fill(x, x + 3 * e->links.size(), std::nan("")); // of a motion that exploded
    try {
        e->system.realize(e->integrator->getState(), Stage::Position);
    } catch (const std::exception &) {
        return;
    }
    const State &s = e->integrator->getState();
    for (size_t i = 0; i < e->links.size(); i++) {
        const Vec3 c = e->links[i].findStationLocationInGround(s, e->links[i].getBodyMassCenterStation(s));
        for (int k = 0; k < 3; k++) x[3 * i + static_cast<size_t>(k)] = c[k];
    }
}

void close_engine(void *opened)
{
    delete static_cast<Engine *>(opened);
}

} // namespace

extern "C" {
const bench_mechanism_peer mechanism_peer_simbody_euler = {
    "Simbody Euler", SIMBODY_VERSION, open_with<ExplicitEulerIntegrator>, reset, step, energy, gap,
    centres,         close_engine};
const bench_mechanism_peer mechanism_peer_simbody_merson = {
    "Simbody Merson", SIMBODY_VERSION, open_with<RungeKuttaMersonIntegrator>, reset, step, energy, gap,
    centres,          close_engine};
}
