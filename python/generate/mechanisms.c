/* SPDX-License-Identifier: BSD-3-Clause */
/* Motions and dynamics of mechanisms as arrays. No lock of Python's holds these loops up. */
#include <string.h>

/* Numbers of all bodies. */
static lg_status lgp_motion_poses(const lg_motion *mo, double *poses, double *twists, int bodies)
{
    lg_status status = LG_OK;
    for (int b = 0; b < bodies && status == LG_OK; b++) {
        if (poses != NULL) status = lg_motion_body_pose(mo, poses + 7 * b, b);
        if (twists != NULL && status == LG_OK) status = lg_motion_body_twist(mo, twists + 6 * b, b);
    }
    return status;
}

/* All contacts. */
static lg_status lgp_motion_contacts(const lg_motion *mo, lg_contact_state *to, int count)
{
    lg_status status = LG_OK;
    for (int i = 0; i < count && status == LG_OK; i++) status = lg_motion_contact(mo, to + i, i);
    return status;
}

/* What is asked of lg_dynamics at each of many states: numbers that come out, further numbers that go in, what is the
 * same for all. */
enum {
    LGP_MASS_MATRIX,
    LGP_INVERSE,
    LGP_BIAS,
    LGP_GRAVITY,
    LGP_PASSIVE,
    LGP_ACCELERATION,
    LGP_MOTORS,
    LGP_ADMISSIBLE,
    LGP_ROWS,
    LGP_POSE,
    LGP_TWIST,
    LGP_JACOBIAN,
    LGP_JACOBIAN_RATE,
    LGP_CENTRE,
    LGP_CENTRE_JACOBIAN,
    LGP_CENTROIDAL,
    LGP_REACH
};

typedef struct lgp_asked {
    int what;
    int number; /* of bodies; 1: the least controls */
    const int *body;
    const double *point, *weight;
    double *to[3];
    const double *in[2]; /* NULL: none */
    int to_size[3], in_size[2];
} lgp_asked;

static lg_status lgp_dynamics_at(lg_dynamics *d, const lgp_asked *x)
{
    double *to = x->to[0];
    const double *in = x->in[0];
    lg_status status;
    switch (x->what) {
    case LGP_MASS_MATRIX:
        return lg_dynamics_mass_matrix(d, to);
    case LGP_INVERSE:
        return lg_dynamics_inverse(d, to, in);
    case LGP_BIAS:
        return lg_dynamics_bias(d, to);
    case LGP_GRAVITY:
        return lg_dynamics_gravity(d, to);
    case LGP_PASSIVE:
        return lg_dynamics_passive(d, to);
    case LGP_ACCELERATION:
        return lg_dynamics_acceleration(d, to, in, x->in[1]);
    case LGP_MOTORS:
        return lg_dynamics_motors(d, to, in, x->number);
    case LGP_ADMISSIBLE:
        memcpy(to, in, (size_t)x->to_size[0] * sizeof *to);
        return lg_dynamics_admissible(d, to);
    case LGP_ROWS:
        return lg_dynamics_rows(d, to, x->to[1], x->to[2]);
    case LGP_POSE:
        return lg_dynamics_frame(d, to, NULL, *x->body, x->point);
    case LGP_TWIST:
        return lg_dynamics_frame(d, NULL, to, *x->body, x->point);
    case LGP_JACOBIAN:
        return lg_dynamics_jacobian(d, to, *x->body, x->point);
    case LGP_JACOBIAN_RATE:
        return lg_dynamics_jacobian_rate(d, to, *x->body, x->point);
    case LGP_CENTRE:
        return lg_dynamics_centre(d, to, NULL);
    case LGP_CENTRE_JACOBIAN:
        return lg_dynamics_centre_jacobian(d, to);
    case LGP_CENTROIDAL:
        return lg_dynamics_centroidal(d, to, x->to[1]);
    default:
        status = lg_dynamics_reach(d, x->to[1], x->body, in, x->point, x->weight, x->number);
        if (status != LG_OK && status != LG_ERROR_DOMAIN && status != LG_ERROR_CONVERGENCE) return status;
        return lg_dynamics_state(d, to, NULL);
    }
}

/* At `states` states; *at is the one that failed. */
static lg_status lgp_dynamics(lg_dynamics *d, const lgp_asked *asked, const double *q, const double *v, int64_t states,
                              int64_t *at)
{
    const int n = lg_dynamics_count(d);
    lgp_asked x = *asked;
    lg_status status = LG_OK;
    for (*at = 0; *at < states; ++*at) {
        status = lg_dynamics_set(d, q + n * *at, v != NULL ? v + n * *at : NULL);
        if (status == LG_OK) status = lgp_dynamics_at(d, &x);
        if (status != LG_OK) break;
        for (int k = 0; k < 3; k++)
            if (x.to[k] != NULL) x.to[k] += x.to_size[k];
        for (int k = 0; k < 2; k++)
            if (x.in[k] != NULL) x.in[k] += x.in_size[k];
    }
    return status;
}
