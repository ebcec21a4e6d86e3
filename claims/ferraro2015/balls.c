/* SPDX-License-Identifier: BSD-3-Clause */
#include "claims/ferraro2015/balls.h"

#include <stdio.h>

void ball_seen(const ball *b, const double *g, const double *omega, double *w)
{
    if (!b->spatial)
        memcpy(w, omega, 3 * sizeof *w);
    else if (lg_group_Ad_apply(lg_so3(), w, g + 2, omega) != LG_OK)
        w[0] = NAN;
}

/* Rolling: x' = r w_2 - Omega y, y' = -r w_1 + Omega x. */
void ball_roll(ball *b)
{
    double w[3];
    ball_seen(b, b->s.g0, b->s.xi0 + 2, w);
    b->s.xi0[0] = b->r * w[1] - b->Omega * b->s.g0[1];
    b->s.xi0[1] = -b->r * w[0] + b->Omega * b->s.g0[0];
    b->z0 = b->s.g0[0] + I * b->s.g0[1];
    b->v0 = b->s.xi0[0] + I * b->s.xi0[1];
    memcpy(b->w0, w, sizeof w);
}

int ball_open(claim_report *r, ball *b, const char *name, const char *settings, lg_rng *rng)
{
    memset(b, 0, sizeof *b);
    if (!claim_open(r, &b->s, name, settings)) return 0;
    b->spatial = strcmp(name, "chaplygin-sphere") == 0;
    if (lg_model_get(b->s.M, &b->m, "m") != LG_OK || lg_model_get(b->s.M, &b->r, "r") != LG_OK ||
        lg_model_get(b->s.M, &b->Omega, "Omega") != LG_OK || lg_model_get(b->s.M, &b->inertia[0], "I1") != LG_OK ||
        lg_model_get(b->s.M, &b->inertia[1], "I2") != LG_OK || lg_model_get(b->s.M, &b->inertia[2], "I3") != LG_OK) {
        claim_trouble(r, "%s lacks a parameter", name);
        claim_close(&b->s);
        return 0;
    }
    b->kappa = b->Omega * b->inertia[0] / (b->inertia[0] + b->m * b->r * b->r);
    if (rng != NULL) {
        for (int i = 0; i < 2; i++) b->s.g0[i] = lg_rng_normal(rng);
        for (int i = 2; i < 5; i++) b->s.xi0[i] = 0.7 * lg_rng_normal(rng);
        if (lg_group_random(lg_so3(), b->s.g0 + 2, rng) != LG_OK) b->s.g0[2] = NAN;
    }
    ball_roll(b);
    return 1;
}

/* A random homogeneous ball with random data, as rolling-ball or, k odd, as chaplygin-sphere. */
static int random_homogeneous(claim_report *r, ball *b, int k, lg_rng *rng)
{
    char settings[160];
    const double m = 0.5 + 2 * lg_rng_uniform(rng), radius = 0.5 + lg_rng_uniform(rng);
    const double inertia = 0.2 + lg_rng_uniform(rng);
    const double Omega = (k % 4 < 2 ? 1 : -1) * (0.4 + 0.6 * lg_rng_uniform(rng));
    snprintf(settings, sizeof settings, "m=%.3f r=%.3f Omega=%.3f I1=%.3f I2=%.3f I3=%.3f", m, radius, Omega, inertia,
             inertia, inertia);
    return ball_open(r, b, k % 2 == 0 ? "rolling-ball" : "chaplygin-sphere", settings, rng);
}

int ball_homogeneous(claim_report *r, ball *b, int k, lg_rng *rng)
{
    return k == 0 ? ball_open(r, b, "rolling-ball", NULL, NULL) : random_homogeneous(r, b, k, rng);
}

void ball_closed_form(const ball *b, double t, double complex *z, double complex *v, double *w)
{
    const double complex turn = cexp(I * b->kappa * t);
    double complex plane;
    *z = b->z0 + b->v0 * (turn - 1) / (I * b->kappa);
    *v = b->v0 * turn;
    plane = (b->Omega * *z + I * *v) / b->r;
    w[0] = creal(plane), w[1] = cimag(plane), w[2] = b->w0[2];
}
