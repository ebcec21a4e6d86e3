/* SPDX-License-Identifier: BSD-3-Clause */
/* The box that has a mass and an inertia. */
#include <math.h>
#include <string.h>

#include <liegrp/groups/so3.h>

#include "scene/scene.h"

/* Principal moments and axes of a symmetric matrix by Jacobi's rotations; columns of R, a rotation. */
static void principal(double *moments, double *R, const double *inertia)
{
    double A[9];
    memcpy(A, inertia, sizeof A);
    for (int i = 0; i < 9; i++) R[i] = i % 4 == 0;
    for (int sweep = 0; sweep < 30; sweep++) {
        for (int pair = 0; pair < 3; pair++) {
            const int p = pair == 2, q = pair == 0 ? 1 : 2;
            if (fabs(A[3 * p + q]) <= 1e-14 * (fabs(A[4 * p]) + fabs(A[4 * q]))) continue;
            const double theta = (A[4 * q] - A[4 * p]) / (2 * A[3 * p + q]);
            const double t = copysign(1, theta) / (fabs(theta) + sqrt(theta * theta + 1)), c = 1 / sqrt(t * t + 1);
            for (int i = 0; i < 3; i++) {
                const double x = A[3 * i + p], y = A[3 * i + q], u = R[3 * i + p], v = R[3 * i + q];
                A[3 * i + p] = c * x - t * c * y, A[3 * i + q] = t * c * x + c * y;
                R[3 * i + p] = c * u - t * c * v, R[3 * i + q] = t * c * u + c * v;
            }
            for (int i = 0; i < 3; i++) {
                const double x = A[3 * p + i], y = A[3 * q + i];
                A[3 * p + i] = c * x - t * c * y, A[3 * q + i] = t * c * x + c * y;
            }
        }
    }
    for (int i = 0; i < 3; i++) moments[i] = A[4 * i];
}

/* A box with edges a_i has I_1 = m (a_2^2 + a_3^2)/12 and so on: a_1^2 = 6 (I_2 + I_3 - I_1)/m. */
void lg_shape_take_inertia(lg_shape *box, double mass, const double *inertia)
{
    double moments[3], R[9], q[4];
    principal(moments, R, inertia);
    const double sum = moments[0] + moments[1] + moments[2];
    if (lg_so3_from_matrix(q, R) == LG_OK) memcpy(box->attitude, q, sizeof q);
    for (int i = 0; i < 3; i++) box->dimensions[i] = sqrt(6 * fmax(0, sum - 2 * moments[i]) / mass);
}
