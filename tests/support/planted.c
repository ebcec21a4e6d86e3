/* SPDX-License-Identifier: BSD-3-Clause */
#include "planted.h"

#include <math.h>
#include <stdio.h>

const char *const kind_names[KINDS] = {"1e-3 off", "negative",        "zero",         "transposed",
                                       "left out", "one number more", "not in place", "other side"};
const char *const member_names[MEMBERS] = {"identity",
                                           "compose",
                                           "inverse",
                                           "Ad",
                                           "ad",
                                           "coAd",
                                           "hat",
                                           "vee",
                                           "to_matrix",
                                           "from_matrix",
                                           "project",
                                           "second_kind_inv",
                                           "tau",
                                           "tau_inv",
                                           "dtau",
                                           "dtau_inv",
                                           "dtau_inv_dual",
                                           "dtau_inv_dual_derivative",
                                           "cay tau",
                                           "cay tau_inv",
                                           "cay dtau",
                                           "cay dtau_inv",
                                           "cay dtau_inv_dual",
                                           "cay dtau_inv_dual_derivative"};
planted plant;
int found, missed;

void expect(const char *what, lg_status got, lg_status want, const lg_error *e)
{
    if (got != want) suite_fail("%s: %s (%s), not %s", what, lg_status_name(got), e->message, lg_status_name(want));
}

void change(double *x, double value)
{
    plant.changed |= fabs(*x - value) > 1e-5 * fmax(1, fabs(value)) || isnan(value);
    *x = value;
}

void spoil(member m, double *out, int count, int rows, const double *copy, const double *in)
{
    int top = 0;
    if (plant.member != (int)m) return;
    for (int i = 1; i < count; i++)
        if (fabs(out[i]) > fabs(out[top])) top = i;
    switch (plant.kind) {
    case TENTH_OF_A_PERCENT:
        change(&out[top], out[top] * 1.001);
        break;
    case SIGN:
        for (int i = 0; i < count; i++) change(&out[i], -out[i]);
        break;
    case ZERO:
        for (int i = 0; i < count; i++) change(&out[i], 0);
        break;
    case TRANSPOSED:
        for (int i = 0; i < rows; i++)
            for (int j = 0; j < i; j++) {
                const double t = out[i * rows + j];
                change(&out[i * rows + j], out[j * rows + i]);
                change(&out[j * rows + i], t);
            }
        break;
    case LEFT_OUT:
        change(&out[count - 1], (double)NAN);
        break;
    case TOO_MANY:
        change(&out[count], 1);
        plant.changed = 1;
        break;
    default:
        if (in == out && copy) change(&out[top], out[top] + 1);
        plant.changed |= in == out;
    }
}

const double *mirror(const lg_group *G, int m, double *x, const double *in)
{
    const int from_element = m == INVERSE || m == AD || m == COAD || m == TO_MATRIX || m == PROJECT ||
                             m == SECOND_KIND || m == TAU_INV || m == CAY_TAU_INV;
    const int from_matrix = m == VEE || m == FROM_MATRIX, size = G->matrix_size * G->matrix_size;
    if (from_element) {
        suite_ok("inverse", lg_group_inverse(plant.base, x, in));
        return x;
    }
    for (int i = 0; i < (from_matrix ? size : G->dim); i++) x[i] = -in[i];
    return x;
}

int mirrored(int m)
{
    return plant.member == m && plant.kind == OTHER_SIDE;
}

int harmless(const lg_group *base, int m)
{
    const int element =
        m == IDENTITY || m == COMPOSE || m == INVERSE || m == FROM_MATRIX || m == PROJECT || m == TAU || m == CAY_TAU;
    if (plant.kind != SIGN) return 0;
    return m == IDENTITY ? base->kind == LG_KIND_SO3 || base->kind == LG_KIND_SE3 || base->kind == LG_KIND_SE23 ||
                               base->kind == LG_KIND_PRODUCT
                         : element && base->kind == LG_KIND_SO3;
}

void miss(const lg_group *base, int m, int j, const char *message)
{
    printf("missed: %s of %s, %s: '%s'\n", member_names[m], base->name, kind_names[j], message);
    missed++;
}
