/* SPDX-License-Identifier: BSD-3-Clause */
/* Faces that come down on their rim's other side. The rim of a face that is tilted touches in its lowest point, which
 * runs around it ever faster the flatter the face is, until no step follows it. Where the other side comes down faster
 * than the capture speed, the step goes there in parts, and points around the rim take part in an impact. */
#include "multibody/contact/sweeps.h"

#include <math.h>

/* No point of a body on its rim falls faster, of gravity. */
#define MB_TOPPLES 2

/* The height of the other side above a plane of the world that the rim k touches, and its greatest speed. */
static double other_side(const mb_contact *k, const mb_node *n, double *speed)
{
    const int b = k->body[1];
    double w[3], axis[3], normal[3], x[3];
    mb_axis(normal, n->pose[k->body[0]].R, k->frame[0], 2), mb_axis(axis, n->pose[b].R, k->frame[1], 2);
    mb_mobile(w, &n->mobility[b], n->p[b].v + 3);
    small_cross(x, w, normal);
    *speed = 2 * k->half[0] * sqrt(small_dot(3, x, x));
    small_cross(x, axis, normal);
    return 2 * k->half[0] * sqrt(small_dot(3, x, x));
}

/* 1: the other side comes down slower than the capture speed. */
static int is_slow(const mb_motion *m, double height, double speed)
{
    const double pull = MB_TOPPLES * sqrt(small_dot(3, m->plan->gravity, m->plan->gravity));
    return speed * speed + 2 * pull * height <= m->contacts->capture * m->contacts->capture;
}

/* The tilt of a face, in its body's axes, in which its rim runs. */
static void tilt_of(double *y, const mb_contact *k, const mb_node *n)
{
    double normal[3], axis[3];
    const double *R = n->pose[k->body[1]].R;
    mb_axis(normal, n->pose[k->body[0]].R, k->frame[0], 2);
    for (int i = 0; i < 2; i++) mb_axis(axis, R, k->frame[1], i), y[i] = small_dot(3, axis, normal);
}

/* The cosine of the angle by which the tilt has turned, times *rest, its size at n1 over that at n0. */
static double turned(const mb_contact *k, const mb_node *n0, const mb_node *n1, double *rest)
{
    double y0[2], y1[2];
    tilt_of(y0, k, n0), tilt_of(y1, k, n1);
    const double size = y0[0] * y0[0] + y0[1] * y0[1];
    *rest = sqrt((y1[0] * y1[0] + y1[1] * y1[1]) / size);
    return (y0[0] * y1[0] + y0[1] * y1[1]) / size;
}

/* A face whose other side is nearer than this of its diameter is there. */
#define MB_THERE 1e-6

/* The other side strikes if a part of the step leaves no more than this of the tilt; else its rim rolls on. */
#define MB_FLATTER 0.3

static int is_there(const mb_contact *k, double height)
{
    return height <= 2 * MB_THERE * k->half[0];
}

double mb_face_falls(const mb_motion *m, const mb_node *n)
{
    const mb_contact *k = &m->contacts->contact[m->contacts->falls];
    double speed;
    const double height = other_side(k, n, &speed);
    return is_there(k, height) ? 0 : height / speed;
}

/* The point of rim i that is the lowest, and those a quarter, a half and three quarters of a turn from it take part. */
static void take_quarters(mb_contacts *c, int i)
{
    int first = i + 1, points = 0;
    for (int k = i + 1; k < c->count && c->contact[k].face < 0; k++) {
        points++;
        if (c->gap[k] < c->gap[first]) first = k;
    }
    c->acts[i] = 0;
    for (int k = i + 1; k <= i + points; k++) c->acts[k] = (k - first) % (points / 4) == 0;
}

int mb_faces_meet(const mb_motion *m, const mb_node *n)
{
    mb_contacts *c = m->contacts;
    double speed;
    int any = 0;
    for (int i = 0; i < c->count; i++) {
        const mb_contact *k = &c->contact[i];
        if (k->face <= 0 || !c->acts[i] || !is_there(k, other_side(k, n, &speed))) continue;
        take_quarters(c, i), any = 1;
    }
    return any;
}

int mb_face_flattens(const mb_motion *m, const mb_node *n0, const mb_node *n1)
{
    double rest;
    (void)turned(&m->contacts->contact[m->contacts->falls], n0, n1, &rest);
    return rest <= MB_FLATTER;
}

int mb_faces_strike(const mb_motion *m, const mb_node *n0, const mb_node *n1)
{
    const mb_contacts *c = m->contacts;
    double first = 0, rest, speed;
    int which = -1;
    for (int i = 0; i < c->count; i++) {
        const mb_contact *k = &c->contact[i];
        if (k->face <= 0 || c->rests[i] || !mb_is_closed(m->plan, k, c->gap0[i])) continue;
        const double turn = turned(k, n0, n1, &rest);
        if (!(turn < first) || !mb_is_closed(m->plan, k, c->gap[i])) continue;
        const double height = other_side(k, n0, &speed);
        if (!is_slow(m, height, speed)) first = turn, which = i;
    }
    return which;
}
