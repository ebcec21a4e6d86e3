/* SPDX-License-Identifier: BSD-3-Clause */
#include "support/contacts.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/dense.h"

#define GRAVITY 9.81

static void cross(double *c, const double *a, const double *b)
{
    c[0] = a[1] * b[2] - a[2] * b[1], c[1] = a[2] * b[0] - a[0] * b[2], c[2] = a[0] * b[1] - a[1] * b[0];
}

static void *take(size_t count, size_t size)
{
    void *p = calloc(count, size);
    if (p == NULL) fprintf(stderr, "out of memory\n"), exit(1);
    return p;
}

contacts_scene *contacts_new(double h)
{
    contacts_scene *s = take(1, sizeof *s);
    s->h = h;
    return s;
}

void contacts_free(contacts_scene *s)
{
    if (s != NULL) free(s->W);
    free(s);
}

int contacts_box(contacts_scene *s, double mass, const double *half, const double *position)
{
    const int b = s->bodies++;
    s->body[b].mass = mass;
    for (int k = 0; k < 3; k++) {
        const double x = half[(k + 1) % 3], y = half[(k + 2) % 3];
        s->body[b].inertia[k] = mass * (x * x + y * y) / 3;
        s->position[b][k] = position[k];
        s->extent = fmax(s->extent, fabs(position[k]) + half[k]);
    }
    s->wrench[b][2] = -mass * GRAVITY;
    return b;
}

/* ---- rows ---- */

/* Body `side` of a row on the velocity along `way` at a point of the body. */
static void on_point(const contacts_scene *s, double *part, int body, const double *point, const double *way,
                     double sign)
{
    double arm[3], turn[3];
    memset(part, 0, 6 * sizeof *part);
    if (body >= s->bodies) return;
    for (int k = 0; k < 3; k++) arm[k] = point[k] - s->position[body][k];
    cross(turn, arm, way);
    for (int k = 0; k < 3; k++) part[k] = sign * way[k], part[3 + k] = sign * turn[k];
}

static void on_angle(double *part, const double *axis, double sign)
{
    memset(part, 0, 6 * sizeof *part);
    for (int k = 0; k < 3; k++) part[3 + k] = sign * axis[k];
}

/* Two unit vectors normal to n. */
static void across(double *t, double *q, const double *n)
{
    const double e[3] = {fabs(n[0]) < 0.6, fabs(n[0]) >= 0.6, 0};
    cross(q, n, e);
    const double size = sqrt(lg_dot(q, q, 3));
    for (int k = 0; k < 3; k++) q[k] /= size;
    cross(t, q, n);
}

static mb_ncp_contact *add_contact(contacts_scene *s, int a, int b, int rows, double gap)
{
    const int i = s->contacts++;
    s->touch[i] = (mb_ncp_rows){.rows = rows, .sides = 2, .body = {a, b}, .part = s->touch_part[i]};
    s->gap[i] = gap;
    s->contact[i] = (mb_ncp_contact){s->rows, rows, 0, 0, (double)INFINITY};
    s->rows += rows;
    return &s->contact[i];
}

int contacts_touch(contacts_scene *s, int a, int b, const double *point, const double *normal, double gap, double mu)
{
    const int i = s->contacts;
    double way[3][3];
    memcpy(way[0], normal, sizeof way[0]);
    across(way[1], way[2], normal);
    add_contact(s, a, b, 3, gap)->friction = mu;
    for (int k = 0; k < 3; k++) {
        on_point(s, s->touch_part[i] + 12 * k, a, point, way[k], -1);
        on_point(s, s->touch_part[i] + 12 * k + 6, b, point, way[k], 1);
    }
    return i;
}

void contacts_corners(contacts_scene *s, int a, int b, const double *half, double mu)
{
    const double up[3] = {0, 0, 1};
    for (int i = 0; i < 4; i++) {
        double point[3] = {s->position[b][0] + (i & 1 ? half[0] : -half[0]),
                           s->position[b][1] + (i & 2 ? half[1] : -half[1]), s->position[b][2] - half[2]};
        contacts_touch(s, a, b, point, up, 0, mu);
    }
}

int contacts_angle(contacts_scene *s, int a, int b, const double *axis, double low, double high, double gap)
{
    const int i = s->contacts;
    mb_ncp_contact *c = add_contact(s, a, b, 1, gap);
    c->low = low, c->high = high;
    on_angle(s->touch_part[i], axis, -1), on_angle(s->touch_part[i] + 6, axis, 1);
    return i;
}

void contacts_joint(contacts_scene *s, int a, int b, const double *point, const double *axis)
{
    const double way[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    const int i = s->joints++, rows = axis != NULL ? 5 : 3;
    double *part = s->joint_part[i], other[2][3];
    s->joint[i] = (mb_ncp_rows){.rows = rows, .sides = 2, .body = {a, b}, .part = part};
    for (int k = 0; k < 3; k++) {
        on_point(s, part + 12 * k, a, point, way[k], -1);
        on_point(s, part + 12 * k + 6, b, point, way[k], 1);
    }
    if (axis == NULL) return;
    across(other[0], other[1], axis);
    for (int k = 0; k < 2; k++) {
        on_angle(part + 12 * (3 + k), other[k], -1);
        on_angle(part + 12 * (3 + k) + 6, other[k], 1);
    }
}

/* ---- the problem ---- */

/* x <- J^-1 x, of all bodies. */
static void mobile(const contacts_scene *s, double *x)
{
    for (int b = 0; b < s->bodies; b++) {
        const double turn[3] = {x[6 * b + 3], x[6 * b + 4], x[6 * b + 5]};
        for (int k = 0; k < 3; k++) x[6 * b + k] /= s->body[b].mass;
        lg_matvec(x + 6 * b + 3, s->inverse[b], turn, 3, 3);
    }
}

/* y = rows times velocities. */
static void pull(const contacts_scene *s, double *y, const mb_ncp_rows *r, const double *v)
{
    for (int k = 0; k < r->rows; k++) {
        y[k] = 0;
        for (int side = 0; side < r->sides; side++)
            if (r->body[side] < s->bodies)
                y[k] += lg_dot(r->part + 6 * (k * r->sides + side), v + 6 * r->body[side], 6);
    }
}

static void push(const contacts_scene *s, double *f, const mb_ncp_rows *r, const double *P)
{
    for (int k = 0; k < r->rows; k++)
        for (int side = 0; side < r->sides; side++)
            for (int c = 0; c < 6 && r->body[side] < s->bodies; c++)
                f[6 * r->body[side] + c] += P[k] * r->part[6 * (k * r->sides + side) + c];
}

/* The rows of all joints, and the Cholesky factor of A J^-1 A^T. */
typedef struct projector {
    int rows;
    double *A, *L, *y;
} projector;

static projector projector_make(const contacts_scene *s)
{
    const size_t n = 6 * sz(s->bodies), most = 6 * sz(s->joints) + 1;
    projector p = {0, take(most * n + 1, sizeof(double)), take(most * most, sizeof(double)),
                   take(most, sizeof(double))};
    double *x = take(n + 1, sizeof *x);
    for (int j = 0; j < s->joints; j++)
        for (int k = 0; k < s->joint[j].rows; k++) {
            const double one[6] = {k == 0, k == 1, k == 2, k == 3, k == 4, k == 5};
            push(s, p.A + sz(p.rows++) * n, &s->joint[j], one);
        }
    for (int i = 0; i < p.rows; i++) {
        memcpy(x, p.A + sz(i) * n, n * sizeof *x);
        mobile(s, x);
        for (int k = 0; k < p.rows; k++) p.L[i * p.rows + k] = lg_dot(p.A + sz(k) * n, x, (int)n);
    }
    if (lg_cholesky(p.L, p.rows, NULL) != LG_OK) fprintf(stderr, "dependent rows of joints\n"), exit(1);
    free(x);
    return p;
}

/* v <- Pi v: joints hold. */
static void project(const contacts_scene *s, projector *p, double *v)
{
    const int n = 6 * s->bodies;
    double *f = take(sz(n) + 1, sizeof *f);
    for (int i = 0; i < p->rows; i++) p->y[i] = lg_dot(p->A + i * n, v, n);
    lg_cholesky_solve(p->L, p->rows, p->y);
    for (int i = 0; i < p->rows; i++)
        for (int c = 0; c < n; c++) f[c] -= p->y[i] * p->A[i * n + c];
    mobile(s, f);
    for (int c = 0; c < n; c++) v[c] += f[c];
    free(f);
}

static void projector_free(projector *p)
{
    free(p->A), free(p->L), free(p->y);
}

/* v + f J^-1 (wrenches h + G^T P), on the joints; wrenches in a step alone. */
static void moved(const contacts_scene *s, double *v, const double *P)
{
    const double factor = s->system.factor;
    double *f = take(6 * sz(s->bodies) + 1, sizeof *f);
    for (int c = 0; c < 6 * s->bodies && factor < 1; c++) f[c] = s->h * s->wrench[c / 6][c % 6];
    for (int i = 0; P != NULL && i < s->contacts; i++) push(s, f, &s->touch[i], P + s->contact[i].at);
    mobile(s, f);
    for (int c = 0; c < 6 * s->bodies; c++) v[c] = s->velocity[c / 6][c % 6] + factor * f[c];
    projector p = projector_make(s);
    project(s, &p, v);
    projector_free(&p);
    free(f);
}

static void invert(contacts_scene *s)
{
    for (int b = 0; b < s->bodies; b++) {
        const double *I = s->body[b].inertia;
        const double full[9] = {I[0], I[3], I[4], I[3], I[1], I[5], I[4], I[5], I[2]};
        double work[9];
        if (lg_spd_inverse(s->inverse[b], full, 3, work) != LG_OK) fprintf(stderr, "an inertia is singular\n"), exit(1);
    }
}

static void make_dense(contacts_scene *s)
{
    const int n = s->rows;
    double *v = take(6 * sz(s->bodies) + 1, sizeof *v), y[6];
    projector p = projector_make(s);
    free(s->W);
    s->W = take(sz(n) * sz(n) + 1, sizeof *s->W);
    for (int i = 0; i < s->contacts; i++)
        for (int k = 0; k < s->contact[i].rows; k++) {
            const double one[3] = {k == 0, k == 1, k == 2};
            memset(v, 0, 6 * sz(s->bodies) * sizeof *v);
            push(s, v, &s->touch[i], one);
            mobile(s, v), project(s, &p, v);
            for (int j = 0; j < s->contacts; j++) {
                pull(s, y, &s->touch[j], v);
                for (int a = 0; a < s->contact[j].rows; a++)
                    s->W[(s->contact[j].at + a) * n + s->contact[i].at + k] = s->system.factor * y[a];
            }
        }
    projector_free(&p);
    free(v);
}

mb_ncp contacts_problem(contacts_scene *s, double factor)
{
    double *v = take(6 * sz(s->bodies) + 1, sizeof *v);
    s->system = (mb_ncp_system){s->bodies, s->contacts, s->joints, s->body, s->touch, s->joint, factor};
    invert(s);
    make_dense(s);
    moved(s, v, NULL);
    s->speed = GRAVITY * s->h;
    for (int b = 0; b < s->bodies; b++)
        s->speed = fmax(s->speed, GRAVITY * s->h + sqrt(lg_dot(s->velocity[b], s->velocity[b], 3)));
    for (int i = 0; i < s->contacts; i++) {
        pull(s, s->b + s->contact[i].at, &s->touch[i], v);
        for (int k = 0; k < s->contact[i].rows && !(factor < 1); k++)
            s->b[s->contact[i].at + k] -= lg_dot(s->W + (s->contact[i].at + k) * s->rows, s->P, s->rows);
        if (factor < 1 && s->contact[i].high == (double)INFINITY) s->b[s->contact[i].at] += s->gap[i] / s->h;
    }
    free(v);
    const double tolerance = fmax(1e-12, mb_ncp_rounding(s->extent, s->h, s->speed));
    return (mb_ncp){s->contacts, s->rows, s->contact, s->b, NULL, s->speed, tolerance, tolerance, 0, 0};
}

void contacts_advance(contacts_scene *s, const double *P)
{
    double *v = take(6 * sz(s->bodies) + 1, sizeof *v), y[6];
    const int step = s->system.factor < 1;
    double Q[3 * CONTACTS_MOST];
    for (int i = 0; i < s->rows; i++) Q[i] = P[i] - (step ? 0 : s->P[i]);
    moved(s, v, Q);
    for (int i = 0; i < s->contacts && step; i++) {
        pull(s, y, &s->touch[i], v);
        s->gap[i] += s->h * y[0];
    }
    for (int c = 0; c < 6 * s->bodies; c++)
        s->velocity[c / 6][c % 6] = step ? 2 * v[c] - s->velocity[c / 6][c % 6] : v[c];
    free(v);
}

double contacts_violation(const contacts_scene *s, const mb_ncp *p, const double *P, double *cone)
{
    double worst = 0;
    *cone = 0;
    for (int i = 0; i < p->contacts; i++) {
        const mb_ncp_contact *c = &p->contact[i];
        const double *x = P + c->at;
        double u[3] = {0, 0, 0}, d = 1e-300;
        for (int k = 0; k < c->rows; k++) {
            u[k] = p->b[c->at + k] + lg_dot(s->W + (c->at + k) * p->rows, P, p->rows);
            d = fmax(d, s->W[(c->at + k) * (p->rows + 1)]);
        }
        const double above = d * (x[0] - c->low), below = d * (c->high - x[0]);
        worst = fmax(worst, fmax(fmin(-u[0], below), fmin(u[0], above)) / p->speed);
        *cone = fmax(*cone, fmax(c->low - x[0], x[0] - c->high));
        if (c->rows == 1) continue;
        const double t2 = c->rows > 2 ? x[2] : 0, size = sqrt(x[1] * x[1] + t2 * t2), most = c->friction * x[0];
        *cone = fmax(*cone, (size - most) / fmax(most, 1e-300));
        /* Inside the disc nothing slips; on its edge u_t is opposite to P_t. What turns one of them into the other's
         * direction is a change of u_t, or of P_t where that is less. */
        const double speed = sqrt(u[1] * u[1] + u[2] * u[2]), share = fmin(1, d * size / fmax(speed, 1e-300));
        const double along = size > 0 ? (x[1] * u[1] + t2 * u[2]) / size : 0;
        const double aside = size > 0 ? fabs(x[1] * u[2] - t2 * u[1]) / size : 0;
        worst = fmax(worst, fmin(speed, fmax(share * fmax(aside, along), d * (most - size))) / p->speed);
    }
    return worst;
}

void contacts_solver_make(contacts_solver *s)
{
    memset(s, 0, sizeof *s);
    lg_arena a = {NULL, 0};
    for (int pass = 0; pass < 2; pass++) {
        mb_ncp_work_take(&s->work, &a, CONTACTS_MOST);
        mb_ncp_dense_take(&s->dense, &a, CONTACTS_MOST);
        const int vertices = CONTACTS_BODIES + CONTACTS_JOINTS;
        mb_ncp_sparse_take(&s->sparse, &a, CONTACTS_BODIES, CONTACTS_MOST, CONTACTS_JOINTS, vertices * (vertices - 1));
        if (pass > 0) break;
        s->block = lg_reserve(a.used);
        if (s->block == NULL) fprintf(stderr, "out of memory\n"), exit(1);
        a = (lg_arena){s->block, 0};
    }
}

void contacts_solver_free(contacts_solver *s)
{
    lg_release(s->block);
}

void contacts_use(contacts_solver *s, const contacts_scene *scene, mb_ncp *p, int sparse)
{
    p->kernel = sparse ? &s->sparse.kernel : &s->dense.kernel;
    if (!sparse) mb_ncp_dense_set(&s->dense, scene->W, scene->contact, scene->contacts);
    if (sparse && mb_ncp_sparse_set(&s->sparse, &scene->system, scene->contact) != MB_NCP_FITS)
        fprintf(stderr, "the graph of bodies does not fit\n"), exit(1);
}
