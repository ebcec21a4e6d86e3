/* SPDX-License-Identifier: BSD-3-Clause */
/* Bodies without inertia about an axis, such as point masses. The motion may need none: on a hinge, a point mass off
 * the axis moves along an arc. Steps need an inertia in all directions. But mass on the axis of a hinge may be counted
 * with either of its bodies, since both move alike there: a small part of it, and of its extent along the axis, is
 * counted with the body instead of with the parent, which changes no motion. Bodies on slides turn with the parent, so
 * that the same holds of an inertia. */
#include <math.h>
#include <string.h>

#include <liegrp/groups/se3.h>
#include <liegrp/groups/so3.h>

#include "base/dense.h"
#include "multibody/files/reader.h"

#define MB_SHARE_LEAST 1e-3 /* of a body's mass: what is counted with it */

void mb_add_second(double *I, double m, const double *d)
{
    const double s = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
    for (int k = 0; k < 3; k++) I[k] += m * (s - d[k] * d[k]);
    I[3] -= m * d[0] * d[1], I[4] -= m * d[0] * d[2], I[5] -= m * d[1] * d[2];
}

void mb_principal_axes(double *w, double *V, const double *I)
{
    double A[9];
    mb_inertia_matrix(A, I);
    for (int i = 0; i < 9; i++) V[i] = i % 4 == 0;
    for (int sweep = 0; sweep < 12; sweep++)
        for (int n = 0; n < 3; n++) {
            const int p = n == 2, q = n == 0 ? 1 : 2, k = 3 - p - q;
            const double off = A[3 * p + q];
            if (off == 0) continue;
            const double t2 = (A[4 * q] - A[4 * p]) / (2 * off), t = (t2 < 0 ? -1 : 1) / (fabs(t2) + sqrt(1 + t2 * t2));
            const double c = 1 / sqrt(1 + t * t), s = t * c, x = A[3 * p + k], y = A[3 * q + k];
            A[4 * p] -= t * off, A[4 * q] += t * off, A[3 * p + q] = A[3 * q + p] = 0;
            A[3 * p + k] = A[3 * k + p] = c * x - s * y, A[3 * q + k] = A[3 * k + q] = s * x + c * y;
            for (int i = 0; i < 9; i += 3) {
                const double u = V[i + p], v = V[i + q];
                V[i + p] = c * u - s * v, V[i + q] = s * u + c * v;
            }
        }
    for (int i = 0; i < 3; i++) w[i] = A[4 * i];
}

void mb_principal(double *to, const double *I)
{
    double w[3], V[9];
    mb_principal_axes(w, V, I);
    to[0] = fmin(w[0], fmin(w[1], w[2])), to[2] = fmax(w[0], fmax(w[1], w[2]));
    to[1] = w[0] + w[1] + w[2] - to[0] - to[2];
}

/* += a mass at a point (negative: less), and a second moment along a direction u there. */
static void add_mass(mb_file_mass *s, double m, const double *at, double second, const double *u)
{
    double x[3];
    for (int k = 0; k < 3; k++) x[k] = at[k] - s->centre[k] / s->mass;
    mb_add_second(s->inertia, s->mass * m / (s->mass + m), x);
    mb_add_second(s->inertia, second, u);
    s->mass += m;
    for (int k = 0; k < 3; k++) s->centre[k] += m * at[k];
    s->changed = 1;
}

static double least_moment(const mb_file_mass *s)
{
    double I[3];
    mb_principal(I, s->inertia);
    return I[0];
}

/* 1: an axis without inertia. Moments below 0 are an error that others report. */
static int is_flat(const mb_file_mass *s)
{
    double I[3];
    mb_principal(I, s->inertia);
    return I[0] <= (s->changed ? 1e-7 : 1e-14) * I[2] && (s->changed || I[0] >= -1e-9 * I[2]);
}

/* A point and a direction of the frame of one link, in the frame of another link's body. */
static void into_body(const mb_reader *r, double *point, double *axis, int link, const mb_file_joint *j)
{
    double back[7], turn[7];
    const mb_place from = mb_place_of(r, j->child), to = mb_place_of(r, r->link[link].leader);
    lg_se3_inverse(back, to.g);
    lg_se3_compose(turn, back, from.g);
    lg_se3_act(point, turn, j->point);
    lg_so3_act(axis, turn + 3, j->axis);
}

/* The parent may give this, or is flat itself and comes later. */
static int can_give(const mb_file_mass *before, const mb_file_mass *after)
{
    return after->mass > 0 && (is_flat(before) || least_moment(after) >= 0.5 * least_moment(before));
}

static int share_of_hinge(const mb_reader *r, mb_file_mass *s, const mb_file_joint *j, int parent)
{
    mb_file_mass *own = &s[r->link[j->child].leader];
    double point[3], u[3], x[3], along = 0;
    if (parent >= 0 && s[parent].gravcomp != own->gravcomp) return 0; /* the mass would not have the same weight */
    into_body(r, point, u, j->child, j);
    for (int k = 0; k < 3; k++) x[k] = own->centre[k] / own->mass - point[k], along += x[k] * u[k];
    for (int k = 0; k < 3; k++) point[k] += along * u[k], x[k] -= along * u[k];
    const double arm = lg_dot(x, x, 3) * own->mass;
    for (double share = MB_SHARE_LEAST; share <= 1 && arm > 0; share *= 10) {
        mb_file_mass with = *own, without = {.mass = 0};
        add_mass(&with, share * own->mass, point, share * arm, u);
        if (!(least_moment(&with) >= 0.1 * share * arm)) continue;
        if (parent >= 0) {
            double at[3], axis[3];
            without = s[parent];
            into_body(r, at, axis, j->parent, j);
            for (int k = 0; k < 3; k++) at[k] += along * axis[k];
            add_mass(&without, -share * own->mass, at, -share * arm, axis);
            if (!can_give(&s[parent], &without)) return 0;
            s[parent] = without;
        }
        *own = with;
        return 1;
    }
    return 0;
}

static int share_of_slide(const mb_reader *r, mb_file_mass *s, const mb_file_joint *j, int parent)
{
    mb_file_mass *own = &s[r->link[j->child].leader];
    const double I = parent >= 0 ? 1e-3 * least_moment(&s[parent]) : 0.01 * own->mass;
    if (!(I > 0)) return 0;
    for (int k = 0; k < 3; k++) own->inertia[k] += I;
    for (int k = 0; k < 3 && parent >= 0; k++) s[parent].inertia[k] -= I;
    own->changed = 1;
    if (parent >= 0) s[parent].changed = 1;
    return least_moment(own) > 0;
}

static int share(const mb_reader *r, mb_file_mass *s, const mb_file_joint *j)
{
    const int parent = j->parent >= 0 ? r->link[j->parent].leader : -1;
    int slides = j->kind == LG_JOINT_PRISMATIC || j->kind == LG_JOINT_COMPOSED;
    for (int i = 0; i < j->motions; i++) slides &= j->motion[i].kind == LG_JOINT_PRISMATIC;
    if (slides) return share_of_slide(r, s, j, parent);
    return j->kind == LG_JOINT_REVOLUTE && share_of_hinge(r, s, j, parent);
}

void mb_share_masses(mb_reader *r, mb_file_mass *s)
{
    for (int i = r->links - 1; i >= 0 && r->status == LG_OK; i--) {
        const mb_file_link *l = &r->link[r->walk[i]];
        const mb_file_joint *j = l->joint >= 0 ? &r->joint[l->joint] : NULL;
        if (l->leader < 0 || (j != NULL && (j->left_out || (j->parent >= 0 && r->link[j->parent].leader == l->leader))))
            continue;
        mb_file_mass *own = &s[l->leader];
        const char *name = r->link[l->leader].name;
        const double I = r->options.least_inertia;
        if (!is_flat(own)) continue;
        const double mass = own->mass;
        if (j != NULL && share(r, s, j)) {
            if (own->mass > mass)
                mb_note(r, l->at,
                        "%s '%.30s' lacks inertia: %.3g kg on the axis of '%.30s' count with it, the motion is the "
                        "same",
                        l->at->name, name, own->mass - mass, j->name);
            else
                mb_note(r, l->at, "%s '%.60s' lacks inertia: it has some of its parent's, with which it turns",
                        l->at->name, name);
        } else if (I > 0) {
            for (int k = 0; k < 3; k++) own->inertia[k] += I;
            own->changed = 1;
            mb_note(r, l->at, "%s '%.60s' lacks inertia: it gets the least inertia, %g kg m^2", l->at->name, name, I);
        } else {
            mb_refuse(
                r, l->at,
                "%s '%.50s' has no inertia about an axis about which it can turn: its inertia (xx, yy, zz, xy, xz, yz) "
                "= (%g, %g, %g, %g, %g, %g) is not positive definite; give it one, or read it with a least inertia "
                "(--least-inertia)",
                l->at->name, name, own->inertia[0], own->inertia[1], own->inertia[2], own->inertia[3], own->inertia[4],
                own->inertia[5]);
        }
    }
}
