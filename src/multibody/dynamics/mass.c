/* SPDX-License-Identifier: BSD-3-Clause */
/* Composite rigid bodies: what a coordinate carries moves as one body. Coordinate j gives it the momentum P = m s_j(c)
 * and the spin L = I e_j about its centre of mass c, and M_ij = s_i(c).P + e_i.L for every i that carries j. */
#include "multibody/dynamics/rows.h"

/* Of one body. */
static void composite_of(mb_composite *C, const lg_dynamics *d, int b)
{
    static const int of[6][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {0, 2}, {1, 2}};
    const mb_frame *f = &d->mo->frame[b];
    double RI[9];
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            RI[3 * i + k] = mb_dot(f->R + 3 * i, d->m->inertia + 9 * b + 3 * k); /* I is symmetric */
    C->mass = d->m->mass[b];
    memcpy(C->centre, f->r, sizeof C->centre);
    for (int i = 0; i < 6; i++) C->inertia[i] = mb_dot(RI + 3 * of[i][0], f->R + 3 * of[i][1]);
}

/* C gets D too. */
static void composite_add(mb_composite *C, const mb_composite *D)
{
    const double part = D->mass / (C->mass + D->mass), mu = C->mass * part;
    double x[3];
    for (int k = 0; k < 3; k++) x[k] = D->centre[k] - C->centre[k], C->centre[k] += part * x[k];
    const double added[6] = {x[1] * x[1] + x[2] * x[2],
                             x[0] * x[0] + x[2] * x[2],
                             x[0] * x[0] + x[1] * x[1],
                             -x[0] * x[1],
                             -x[0] * x[2],
                             -x[1] * x[2]};
    for (int i = 0; i < 6; i++) C->inertia[i] += D->inertia[i] + mu * added[i];
    C->mass += D->mass;
}

/* Of each body with all that it carries; the world's is all bodies. */
static void compose(lg_dynamics *d)
{
    const int world = d->m->plan.bodies;
    for (int b = 0; b < d->bodies; b++) composite_of(&d->composite[b], d, b);
    memset(&d->composite[world], 0, sizeof *d->composite);
    for (int i = world - 1; i >= 0; i--)
        if (d->m->walk[i] < d->bodies)
            composite_add(&d->composite[d->m->link[d->m->walk[i]].parent], &d->composite[d->m->walk[i]]);
}

/* Momentum, and spin about the composite's centre of mass, that coordinate i gives to it. */
static void momentum_of(double *P, double *L, const mb_screw *s, const mb_composite *C)
{
    const double *I = C->inertia, *e = s->axis;
    mb_screw_at(P, s, C->centre);
    for (int k = 0; k < 3; k++) P[k] *= C->mass, L[k] = 0;
    if (!s->turns) return;
    L[0] = I[0] * e[0] + I[3] * e[1] + I[4] * e[2];
    L[1] = I[3] * e[0] + I[1] * e[1] + I[5] * e[2];
    L[2] = I[4] * e[0] + I[5] * e[1] + I[2] * e[2];
}

lg_status lg_dynamics_mass_matrix(lg_dynamics *d, double *M)
{
    const lg_status st = mb_dynamics_begin(d, M, "lg_dynamics_mass_matrix");
    if (st != LG_OK) return st;
    const size_t n = sz(d->n);
    compose(d);
    memset(M, 0, n * n * sizeof *M);
    for (int b = 0; b < d->bodies; b++) {
        const mb_composite *C = &d->composite[b];
        for (int j = d->first[b]; j < d->first[b] + d->count[b]; j++) {
            double P[3], L[3], x[3];
            momentum_of(P, L, &d->screw[j], C);
            for (int c = b; c < d->m->plan.bodies; c = d->m->link[c].parent) {
                for (int i = d->first[c]; i < d->first[c] + d->count[c] && (c != b || i <= j); i++) {
                    mb_screw_at(x, &d->screw[i], C->centre);
                    const double value = mb_dot(x, P) + (d->screw[i].turns ? mb_dot(d->screw[i].axis, L) : 0);
                    M[sz(i) * n + sz(j)] = M[sz(j) * n + sz(i)] = value;
                }
            }
            M[sz(j) * (n + 1)] += d->armature[j];
        }
    }
    mb_dynamics_rotors(d, M, NULL);
    return st;
}

/* ---- the centre of mass ---- */

lg_status lg_dynamics_centre(lg_dynamics *d, double *position, double *velocity)
{
    const lg_status st = mb_dynamics_begin(d, d, "lg_dynamics_centre");
    if (st != LG_OK) return st;
    double mass = 0, r[3] = {0, 0, 0}, v[3] = {0, 0, 0};
    for (int b = 0; b < d->bodies; b++) {
        const mb_frame *f = &d->mo->frame[b];
        mass += d->m->mass[b];
        for (int k = 0; k < 3; k++) r[k] += d->m->mass[b] * f->r[k], v[k] += d->m->mass[b] * f->v[k];
    }
    for (int k = 0; position != NULL && k < 3; k++) position[k] = r[k] / mass;
    for (int k = 0; velocity != NULL && k < 3; k++) velocity[k] = v[k] / mass;
    return st;
}

/* Rows of the linear momentum, and of the angular one about the centre of mass; NULL: of the centre's velocity alone.
 */
static void momenta(lg_dynamics *d, double *linear, double *angular)
{
    compose(d);
    const mb_composite *whole = &d->composite[d->m->plan.bodies];
    const size_t n = sz(d->n);
    const double scale = angular != NULL ? 1 : 1 / whole->mass;
    for (int b = 0; b < d->bodies; b++)
        for (int i = d->first[b]; i < d->first[b] + d->count[b]; i++) {
            const mb_composite *C = &d->composite[b];
            double P[3], L[3], x[3];
            momentum_of(P, L, &d->screw[i], C);
            for (int k = 0; k < 3; k++) x[k] = C->centre[k] - whole->centre[k];
            small_cross(x, x, P);
            for (size_t k = 0; k < 3; k++) {
                linear[k * n + sz(i)] = scale * P[k];
                if (angular != NULL) angular[k * n + sz(i)] = L[k] + x[k];
            }
        }
}

lg_status lg_dynamics_centre_jacobian(lg_dynamics *d, double *J)
{
    const lg_status st = mb_dynamics_begin(d, J, "lg_dynamics_centre_jacobian");
    if (st == LG_OK) momenta(d, J, NULL);
    return st;
}

lg_status lg_dynamics_centroidal(lg_dynamics *d, double *A, double *bend)
{
    const lg_status st = mb_dynamics_begin(d, A, "lg_dynamics_centroidal");
    if (st != LG_OK) return st;
    momenta(d, A, A + 3 * d->n);
    if (bend == NULL) return st;
    const double *centre = d->composite[d->m->plan.bodies].centre;
    for (int k = 0; k < 6; k++) bend[k] = 0;
    mb_dynamics_inertia(d, d->force, NULL, 1);
    for (int b = 0; b < d->bodies; b++) {
        const double *f = d->force[b].v;
        double x[3];
        for (int k = 0; k < 3; k++) x[k] = d->mo->frame[b].r[k] - centre[k];
        small_cross(x, x, f);
        for (int k = 0; k < 3; k++) bend[k] += f[k], bend[3 + k] += f[3 + k] + x[k];
    }
    return st;
}
