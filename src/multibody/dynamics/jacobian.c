/* SPDX-License-Identifier: BSD-3-Clause */
/* Frames on bodies, how coordinates move them, and the rates of that. */
#include "multibody/dynamics/dynamics.h"

#include <math.h>

#include <liegrp/groups/so3.h>

/* A point of a body in space, and its velocity. point: NULL: the origin of the body's frame. */
static void point_of(double *p, double *v, const lg_dynamics *d, int body, const double *point)
{
    const mb_frame *f = &d->mo->frame[body];
    double x[3];
    for (int k = 0; k < 3; k++) x[k] = (point != NULL ? point[k] : 0) - MB_BODY(d->m, body)->centre[k];
    mb_turn(x, f->R, x);
    small_cross(v, f->w, x);
    for (int k = 0; k < 3; k++) p[k] = f->r[k] + x[k], v[k] += f->v[k];
}

/* Is there a body of this number, and are the numbers of the point finite? */
static lg_status begin(lg_dynamics *d, const void *given, int body, const double *point, const char *who)
{
    const lg_status st = mb_dynamics_begin(d, given, who);
    if (st != LG_OK) return st;
    if (body < 0 || body >= mb_seen(d->m, MB_BODIES))
        return lg_fail(&d->error, LG_ERROR_ARGUMENT, "%s: there is no body %d; bodies are 0 to %d", who, body,
                       mb_seen(d->m, MB_BODIES) - 1);
    for (int k = 0; point != NULL && k < 3; k++)
        if (!isfinite(point[k])) return lg_fail(&d->error, LG_ERROR_NOT_FINITE, "%s: the point is not finite", who);
    return LG_OK;
}

lg_status lg_dynamics_frame(lg_dynamics *d, double *pose, double *twist, int body, const double *point)
{
    double p[3], v[3];
    lg_status st = begin(d, d, body, point, "lg_dynamics_frame");
    if (st != LG_OK) return st;
    point_of(p, v, d, body, point);
    if (twist != NULL) memcpy(twist, v, sizeof v), memcpy(twist + 3, d->mo->frame[body].w, sizeof v);
    if (pose == NULL) return LG_OK;
    memcpy(pose, p, sizeof p);
    st = lg_so3_from_matrix(pose + 3, d->mo->frame[body].R);
    return st == LG_OK ? st : lg_fail(&d->error, st, "lg_dynamics_frame: the attitude is no rotation");
}

/* The columns of all coordinates that carry the point, or their rates. */
static void columns(const lg_dynamics *d, double *J, int body, const double *point, int rates)
{
    const size_t n = sz(d->n);
    double p[3], v[3], x[3];
    point_of(p, v, d, body, point);
    memset(J, 0, 6 * n * sizeof *J);
    for (int b = body; b < d->m->plan.bodies; b = d->m->link[b].parent)
        for (int i = d->first[b]; i < d->first[b] + d->count[b]; i++) {
            const mb_screw *s = &d->screw[i];
            if (rates)
                mb_screw_rate_at(x, s, p, v);
            else
                mb_screw_at(x, s, p);
            for (size_t k = 0; k < 3; k++) {
                J[k * n + sz(i)] = x[k];
                if (s->turns) J[(3 + k) * n + sz(i)] = rates ? s->axis_rate[k] : s->axis[k];
            }
        }
}

lg_status lg_dynamics_jacobian(lg_dynamics *d, double *J, int body, const double *point)
{
    const lg_status st = begin(d, J, body, point, "lg_dynamics_jacobian");
    if (st == LG_OK) columns(d, J, body, point, 0);
    return st;
}

lg_status lg_dynamics_jacobian_rate(lg_dynamics *d, double *rate, int body, const double *point)
{
    const lg_status st = begin(d, rate, body, point, "lg_dynamics_jacobian_rate");
    if (st == LG_OK) columns(d, rate, body, point, 1);
    return st;
}
