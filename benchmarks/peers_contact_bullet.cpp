// SPDX-License-Identifier: BSD-3-Clause
// Bullet in `bench_peers contact`, in single precision, as Debian builds it. A pair has the product of both frictions
// and restitutions: each surface has the root.
#include <BulletDynamics/MLCPSolvers/btDantzigSolver.h>
#include <BulletDynamics/MLCPSolvers/btMLCPSolver.h>
#include <btBulletDynamicsCommon.h>

#include <cmath>
#include <memory>
#include <vector>

extern "C" {
#include "benchmarks/peers_contact.h"
}

namespace {

const char *const settings[] = {"defaults", "200 iterations, every impact bounces",
                                "h/5, 200 iterations, every impact bounces",
                                "h/5, Dantzig's solver, every impact bounces", nullptr};

struct Engine {
    const contact_scene &scene;
    int substeps;
    btDefaultCollisionConfiguration configuration;
    btCollisionDispatcher dispatcher;
    btDbvtBroadphase broadphase;
    btDantzigSolver dantzig;
    btMLCPSolver complementarity;
    btSequentialImpulseConstraintSolver impulses;
    std::vector<std::unique_ptr<btCollisionShape>> shapes;
    std::vector<std::unique_ptr<btDefaultMotionState>> places;
    std::vector<std::unique_ptr<btRigidBody>> bodies;
    std::vector<std::unique_ptr<btTypedConstraint>> joints;
    std::unique_ptr<btDiscreteDynamicsWorld> world;
    int first;

    static btScalar number(double x)
    {
        return static_cast<btScalar>(x);
    }

    static btVector3 vector(const double *x)
    {
        return btVector3(number(x[0]), number(x[1]), number(x[2]));
    }

    Engine(const contact_scene &s, int setting)
        : scene(s), substeps(setting >= 2 ? 5 : 1), dispatcher(&configuration), complementarity(&dantzig), first(0)
    {
        btConstraintSolver *solver = &impulses;
        if (setting == 3) solver = &complementarity;
        world.reset(new btDiscreteDynamicsWorld(&dispatcher, &broadphase, solver, &configuration));
        world->setGravity(vector(s.gravity));
        if (setting > 0) {
            world->getSolverInfo().m_numIterations = 200;
            world->getSolverInfo().m_restitutionVelocityThreshold = 0;
        }
        if (s.ground) {
            static const double origin[7] = {0, 0, 0, 0, 0, 0, 1}, none[3] = {0, 0, 0};
            add(new btStaticPlaneShape(btVector3(0, 0, 1), 0), 0, origin, none, 2, 1);
            first = 1;
        }
        for (int i = 0; i < s.bodies; i++) add_body(i);
    }

    ~Engine()
    {
        for (const auto &j : joints) world->removeConstraint(j.get());
        for (const auto &b : bodies) world->removeRigidBody(b.get());
    }

    void add(btCollisionShape *shape, double mass, const double *p, const double *v, int group, int mask)
    {
        const btTransform place(btQuaternion(number(p[3]), number(p[4]), number(p[5]), number(p[6])), vector(p));
        const btVector3 inertia = mass > 0 ? vector(scene.inertia) : btVector3(0, 0, 0);
        shapes.emplace_back(shape);
        places.emplace_back(new btDefaultMotionState(place));
        btRigidBody::btRigidBodyConstructionInfo info(number(mass), places.back().get(), shape, inertia);
        info.m_friction = number(std::sqrt(scene.friction)), info.m_restitution = number(std::sqrt(scene.restitution));
        bodies.emplace_back(new btRigidBody(info));
        bodies.back()->setLinearVelocity(vector(v));
        bodies.back()->setActivationState(DISABLE_DEACTIVATION);
        world->addRigidBody(bodies.back().get(), group, mask);
    }

    void add_body(int i)
    {
        const double *size = scene.size, up[3] = {0, 0, size[0] + size[1]}, down[3] = {0, 0, -up[2]};
        btCollisionShape *shape;
        if (scene.shape == CONTACT_BALL)
            shape = new btSphereShape(number(size[0]));
        else if (scene.shape == CONTACT_BOX)
            shape = new btBoxShape(vector(size));
        else
            shape = new btCapsuleShapeZ(number(size[0]), number(2 * size[1]));
        add(shape, scene.mass, scene.pose[i], scene.velocity[i], 1, scene.joints ? 2 : 3);
        if (!scene.joints || i == 0) return;
        joints.emplace_back(new btPoint2PointConstraint(body(i - 1), body(i), vector(up), vector(down)));
        world->addConstraint(joints.back().get(), true);
    }

    btRigidBody &body(int i) const
    {
        return *bodies[static_cast<size_t>(first + i)];
    }
};

void *open_engine(const contact_scene *s, int setting)
{
    return new Engine(*s, setting);
}

int step(void *opened)
{
    Engine *e = static_cast<Engine *>(opened);
    for (int i = 0; i < e->substeps; i++) {
        if (e->scene.push > 0)
            e->body(0).applyForce(btVector3(Engine::number(e->scene.push), 0, 0),
                                  btVector3(0, 0, Engine::number(-0.1)));
        e->world->stepSimulation(Engine::number(e->scene.h / e->substeps), 0);
    }
    return !std::isfinite(e->body(0).getWorldTransform().getOrigin().x());
}

void read_body(void *opened, contact_state *state, int body)
{
    const Engine *e = static_cast<const Engine *>(opened);
    const btRigidBody &b = e->body(body);
    const btTransform &place = b.getWorldTransform();
    const btQuaternion q = place.getRotation();
    for (int k = 0; k < 3; k++) {
        state->x[k] = static_cast<double>(place.getOrigin()[k]);
        state->v[k] = static_cast<double>(b.getLinearVelocity()[k]);
        state->w[k] = static_cast<double>(b.getAngularVelocity()[k]);
    }
    for (int k = 0; k < 4; k++) state->q[k] = static_cast<double>(q[k]);
}

void close_engine(void *opened)
{
    delete static_cast<Engine *>(opened);
}

} // namespace

extern "C" {
const contact_peer contact_bullet = {"Bullet", BULLET_VERSION, settings, open_engine,
                                     step,     read_body,      nullptr,  close_engine};
}
