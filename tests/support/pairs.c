/* SPDX-License-Identifier: BSD-3-Clause */
#include "support/pairs.h"

#include <math.h>
#include <string.h>

static int freedoms(lg_joint_kind kind)
{
    static const int count[] = {0, 1, 1, 2, 2, 3, 3, 5, 6};
    return count[kind];
}

int pair_scalar(lg_joint_kind kind)
{
    return kind == LG_JOINT_REVOLUTE || kind == LG_JOINT_PRISMATIC;
}

/* ---- kinematics ---- */

static void turns(double *R, const double *angle)
{
    double A[9], B[9], C[9];
    oracle_rotation(A, 2, angle[0]), oracle_rotation(B, 1, angle[1]);
    oracle_product(C, A, B);
    oracle_rotation(A, 0, angle[2]);
    oracle_product(R, C, A);
}

/* The child's joint frame from the parent's. */
static void inside(const pair_link *j, const double *q, double *t, double *M)
{
    double A[9], B[9];
    memset(t, 0, 3 * sizeof *t);
    oracle_rotation(M, 2, 0);
    switch (j->kind) {
    case LG_JOINT_REVOLUTE:
        oracle_rotation(M, 2, q[0]);
        break;
    case LG_JOINT_PRISMATIC:
        t[2] = q[0];
        break;
    case LG_JOINT_CYLINDRICAL:
        t[2] = q[0], oracle_rotation(M, 2, q[1]);
        break;
    case LG_JOINT_UNIVERSAL:
        oracle_rotation(A, 2, q[0]), oracle_rotation(B, 0, q[1]), oracle_product(M, A, B);
        break;
    case LG_JOINT_SPHERICAL:
        turns(M, q);
        break;
    case LG_JOINT_PLANAR:
        t[0] = q[0], t[1] = q[1], oracle_rotation(M, 2, q[2]);
        break;
    case LG_JOINT_DISTANCE:
        t[0] = j->length * cos(q[0]) * cos(q[1]), t[1] = j->length * sin(q[0]) * cos(q[1]);
        t[2] = j->length * sin(q[1]);
        turns(M, q + 2);
        break;
    case LG_JOINT_FREE:
        memcpy(t, q, 3 * sizeof *t), turns(M, q + 3);
        break;
    default:
        break;
    }
}

static void follow(const pair_link *j, const double *q, const oracle_pose *a, oracle_pose *b)
{
    double t[3], M[9], F[9], G[9], x[3];
    inside(j, q, t, M);
    oracle_product(F, a->R, j->parent);
    oracle_product(G, F, M);
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            b->R[3 * i + k] =
                G[3 * i] * j->child[3 * k] + G[3 * i + 1] * j->child[3 * k + 1] + G[3 * i + 2] * j->child[3 * k + 2];
    oracle_turn(x, a->R, j->on_parent);
    for (int k = 0; k < 3; k++) b->r[k] = a->r[k] + x[k];
    oracle_turn(x, F, t);
    for (int k = 0; k < 3; k++) b->r[k] += x[k];
    oracle_turn(x, b->R, j->on_child);
    for (int k = 0; k < 3; k++) b->r[k] -= x[k];
}

/* The wheel's centre above its point of contact, in the plane's axes, and its axes. */
static void stand(const pair *p, const double *q, double *arm, double *R)
{
    const lg_wheel *w = &p->wheel;
    double A[9], B[9], C[9];
    memset(arm, 0, 3 * sizeof *arm);
    if (w->kind == LG_WHEEL_BALL) {
        arm[2] = w->radius;
        turns(R, q + 2);
        return;
    }
    oracle_rotation(A, 2, q[2]), oracle_rotation(B, 0, q[3]);
    oracle_product(C, A, B);
    for (int k = 0; k < 3; k++) arm[k] = w->radius * C[3 * k + 2];
    arm[2] += w->tube;
    oracle_rotation(A, 1, q[4]);
    oracle_product(R, C, A);
}

/* q = place of the contact, then yaw, lean and spin of a disk or three turns of a ball. */
static void roll(const pair *p, const double *q, oracle_pose *b)
{
    double arm[3], R[9], S[9], x[3];
    stand(p, q, arm, R);
    oracle_product(S, p->plane, R);
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            b->R[3 * i + k] = S[3 * i] * p->wheel_frame[3 * k] + S[3 * i + 1] * p->wheel_frame[3 * k + 1] +
                              S[3 * i + 2] * p->wheel_frame[3 * k + 2];
    arm[0] += q[0], arm[1] += q[1];
    oracle_turn(b->r, p->plane, arm);
    oracle_turn(x, b->R, p->wheel.centre);
    for (int k = 0; k < 3; k++) b->r[k] += p->wheel.ground_point[k] - x[k];
}

static int first_coordinates(const pair *p)
{
    return p->wheels ? 5 : freedoms(p->joint[0].kind);
}

void pair_frames(const pair *p, const double *q, oracle_pose *b)
{
    static const oracle_pose world = {{0, 0, 0}, {1, 0, 0, 0, 1, 0, 0, 0, 1}};
    if (p->wheels)
        roll(p, q, &b[0]);
    else
        follow(&p->joint[0], q, &world, &b[0]);
    follow(&p->joint[1], q + first_coordinates(p), &b[0], &b[1]);
}

static void poses(const void *context, const double *q, oracle_pose *b)
{
    const pair *p = context;
    pair_frames(p, q, b);
    for (int i = 0; i < 2; i++) {
        double x[3];
        oracle_turn(x, b[i].R, p->centre[i]);
        for (int k = 0; k < 3; k++) b[i].r[k] += x[k];
    }
}

/* Length of the spring, positions of the joints. */
static void measure(const void *context, const double *q, double *x)
{
    const pair *p = context;
    oracle_pose b[2];
    double y[3], s = 0;
    pair_frames(p, q, b);
    oracle_turn(y, b[1].R, p->on_last);
    for (int k = 0; k < 3; k++) y[k] += b[1].r[k] - p->on_world[k], s += y[k] * y[k];
    x[0] = sqrt(s), x[1] = q[0], x[2] = q[first_coordinates(p)];
}

static void cross(double *c, const double *a, const double *b)
{
    for (int k = 0; k < 3; k++) c[k] = a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3];
}

/* The velocity of the ground at a point of the plane, in its axes. */
static void ground(const pair *p, const double *at, double *v)
{
    oracle_back(v, p->plane, p->wheel.ground_velocity);
    v[0] -= p->wheel.ground_spin * at[1], v[1] += p->wheel.ground_spin * at[0];
}

/* u = rates of the three angles, then what the contact leaves free. */
static void rates_on_wheel(const pair *p, const double *q, const double *u, double *rate)
{
    const lg_wheel *w = &p->wheel;
    const double yaw[3] = {0, 0, 1}, tilt[3] = {cos(q[2]), sin(q[2]), 0}, side[3] = {-sin(q[2]), cos(q[2]), 0};
    double arm[3], R[9], turn[3], whole[3], moved[3], slip[3], v[3];
    stand(p, q, arm, R);
    memcpy(rate + 2, u, 3 * sizeof *u);
    if (w->contact == LG_CONTACT_SLIDES) {
        rate[0] = u[3], rate[1] = u[4];
    } else if (w->kind == LG_WHEEL_BALL) {
        for (int k = 0; k < 3; k++)
            whole[k] = u[0] * yaw[k] + u[1] * side[k] + u[2] * R[3 * k]; /* the last turn is about the body's axis */
        cross(slip, whole, arm);
        ground(p, q, v);
        for (int k = 0; k < 2; k++) rate[k] = v[k] + slip[k];
    } else {
        for (int k = 0; k < 3; k++) {
            turn[k] = u[0] * yaw[k] + u[1] * tilt[k];
            whole[k] = turn[k] + u[2] * R[3 * k + 1];
        }
        double up[3] = {arm[0], arm[1], arm[2] - w->tube};
        cross(moved, turn, up); /* of the centre relative to the contact */
        cross(slip, whole, arm);
        if (w->contact == LG_CONTACT_ROLLS || w->contact == LG_CONTACT_OMNI) {
            ground(p, q, v);
            const double s = w->contact == LG_CONTACT_OMNI ? u[3] : 0; /* square to the roller's axis */
            const double along = -s * sin(w->roller_angle), across = s * cos(w->roller_angle);
            for (int k = 0; k < 2; k++) rate[k] = v[k] - moved[k] + slip[k] + along * tilt[k] + across * side[k];
        } else { /* the centre does not move across its heading, as the ground below it sees it */
            const double below[2] = {q[0] + arm[0], q[1] + arm[1]};
            ground(p, below, v);
            const double across = (v[0] - moved[0]) * side[0] + (v[1] - moved[1]) * side[1];
            for (int k = 0; k < 2; k++) rate[k] = u[3] * tilt[k] + across * side[k];
        }
    }
}

static int wheel_speeds(const pair *p)
{
    static const int left[] = {
        [LG_CONTACT_ROLLS] = 3, [LG_CONTACT_EDGE] = 4, [LG_CONTACT_OMNI] = 4, [LG_CONTACT_SLIDES] = 5};
    return left[p->wheel.contact];
}

/* The first position of joint 1 closes the loop. */
static void close_loop(const pair *p, const double *q, double *rate, int first, int last)
{
    const oracle o = {.context = p, .coordinates = first + last, .lengths = 3, .measure = measure};
    double alone[ORACLE_Q] = {0}, opens[ORACLE_LENGTHS], closes[ORACLE_LENGTHS];
    rate[first] = 0, alone[first] = 1;
    oracle_stretch(&o, q, rate, opens), oracle_stretch(&o, q, alone, closes);
    rate[first] = -opens[0] / closes[0];
}

static void rates(const void *context, const double *q, const double *u, double *rate)
{
    const pair *p = context;
    const int first = first_coordinates(p), speeds = p->wheels ? wheel_speeds(p) : first;
    if (p->wheels)
        rates_on_wheel(p, q, u, rate);
    else
        memcpy(rate, u, (size_t)first * sizeof *u);
    const int last = freedoms(p->joint[1].kind);
    const double x = q[0],
                 slope = p->ratio + 2 * p->curve[0] * x + 3 * p->curve[1] * x * x + 4 * p->curve[2] * x * x * x;
    for (int k = p->rod; k < last; k++) rate[first + k] = p->ratio != 0 ? slope * u[0] : u[speeds + k - p->rod];
    if (p->rod) close_loop(p, q, rate, first, last);
}

oracle pair_oracle(const pair *p, const double *gravity)
{
    oracle o = {.bodies = 2, .context = p, .poses = poses, .rates = rates, .lengths = 3, .measure = measure};
    const int last = freedoms(p->joint[1].kind);
    o.coordinates = first_coordinates(p) + last;
    o.speeds = (p->wheels ? wheel_speeds(p) : first_coordinates(p)) + (p->ratio != 0 ? 0 : last - p->rod);
    memcpy(o.gravity, gravity, sizeof o.gravity);
    for (int b = 0; b < 2; b++) {
        o.mass[b] = p->mass[b];
        memcpy(o.inertia[b], p->inertia[b], sizeof o.inertia[b]);
    }
    if (!p->rod) o.stiffness[0] = p->stiffness, o.damping[0] = p->damping, o.rest[0] = p->rest;
    for (int j = 0; j < 2; j++) {
        if (!pair_scalar(p->joint[j].kind) || (j == 0 && p->wheels)) continue;
        o.stiffness[1 + j] = p->stiffness / 3, o.damping[1 + j] = p->damping / 5, o.rest[1 + j] = 0.1;
        o.effort[1 + j] = p->effort * (j + 1), o.friction[1 + j] = p->effort / 2;
    }
    return o;
}

double pair_length(const pair *p, const double *q)
{
    double x[3];
    measure(p, q, x);
    return x[0];
}
