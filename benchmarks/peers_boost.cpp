// SPDX-License-Identifier: BSD-3-Clause
// Boost.Numeric.Odeint: the extrapolation method of Bulirsch and Stoer, whose order adapts itself, and Fehlberg's pair
// of orders 8 and 7; both control the step. States are arrays of known length, so that the compiler sees all loops.
#include <array>
#include <boost/numeric/odeint.hpp>
#include <boost/version.hpp>
#include <cstring>

extern "C" {
#include "benchmarks/peers.h"
#include "benchmarks/problems.h"
}

namespace odeint = boost::numeric::odeint;

namespace {

struct Course {
    const problem *p;
    problem_data data;
    double y0[PROBLEM_STATE], tolerance;
    long evaluations;
};

template <std::size_t n> struct Equations {
    Course *o;
    void operator()(const std::array<double, n> &y, std::array<double, n> &dy, double) const
    {
        o->evaluations++;
        o->p->equations(&o->data, y.data(), dy.data());
    }
};

template <std::size_t n, class Stepper> int march(Course *o, Stepper stepper, double T, double *out)
{
    std::array<double, n> y;
    double t = 0, h = 1e-4;
    std::memcpy(y.data(), o->y0, sizeof y);
    o->evaluations = 0;
    for (long steps = 0; t < T; steps++) {
        const double left = T - t;
        const bool last = h >= left;
        double step = last ? left : h;
        if (steps == PROBLEM_STEPS || !(t + step > t)) return 1;
        if (stepper.try_step(Equations<n>{o}, y, t, step) == odeint::success && last) break;
        h = step;
    }
    std::memcpy(out, y.data(), sizeof y);
    return 0;
}

template <std::size_t n> int stoer(Course *o, double T, double *y)
{
    return march<n>(o, odeint::bulirsch_stoer<std::array<double, n>>(o->tolerance, o->tolerance), T, y);
}

template <std::size_t n> int fehlberg(Course *o, double T, double *y)
{
    using Pair = odeint::runge_kutta_fehlberg78<std::array<double, n>>;
    return march<n>(o, odeint::make_controlled(o->tolerance, o->tolerance, Pair()), T, y);
}

int run_stoer(void *opened, double T, double *y, bench_watch, void *)
{
    Course *o = static_cast<Course *>(opened);
    switch (o->p->size) {
    case 5:
        return stoer<5>(o, T, y);
    case 6:
        return stoer<6>(o, T, y);
    case 7:
        return stoer<7>(o, T, y);
    case 9:
        return stoer<9>(o, T, y);
    case 11:
        return stoer<11>(o, T, y);
    case 13:
        return stoer<13>(o, T, y);
    default:
        return 1;
    }
}

int run_fehlberg(void *opened, double T, double *y, bench_watch, void *)
{
    Course *o = static_cast<Course *>(opened);
    switch (o->p->size) {
    case 5:
        return fehlberg<5>(o, T, y);
    case 6:
        return fehlberg<6>(o, T, y);
    case 7:
        return fehlberg<7>(o, T, y);
    case 9:
        return fehlberg<9>(o, T, y);
    case 11:
        return fehlberg<11>(o, T, y);
    case 13:
        return fehlberg<13>(o, T, y);
    default:
        return 1;
    }
}

void *open(const bench_problem *given, double tolerance)
{
    const problem *p = problem_find(given->system);
    if (p == nullptr) return nullptr;
    Course *o = new Course();
    o->p = p;
    o->data.param = given->param;
    if (p->prepare != nullptr) p->prepare(&o->data);
    std::memcpy(o->y0, given->y0, static_cast<std::size_t>(p->size) * sizeof *o->y0);
    o->tolerance = tolerance;
    return o;
}

long evaluations(const void *opened)
{
    return static_cast<const Course *>(opened)->evaluations;
}

void close(void *opened)
{
    delete static_cast<Course *>(opened);
}

} // namespace

extern "C" {
extern const bench_peer peer_boost_stoer = {
    "Bulirsch-Stoer (Boost)", BOOST_LIB_VERSION, open, run_stoer, evaluations, close};
extern const bench_peer peer_boost_fehlberg = {
    "Fehlberg 8(7) (Boost)", BOOST_LIB_VERSION, open, run_fehlberg, evaluations, close};
}
