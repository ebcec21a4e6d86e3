/* SPDX-License-Identifier: BSD-3-Clause */
/* What rows of contacts change by while bodies move with constant twists. A row of the contact point is y.u with
 * u = v_b + w_b x k_b - v_a - w_a x k_a. Normal rows are the derivatives of gaps, so that theirs is phi''. Tangents are
 * held only where u = 0: then y' does not count, and the change is y.(w_b x k_b' - w_a x k_a'), k being the places
 * where the bodies touch, which move on both. */
#include "multibody/contact/events/events.h"

#include <math.h>

#include "multibody/rows/coordinate.h"

/* From the centres of mass to where the bodies touch: their changes. */
typedef struct bends_place {
    double a[3], b[3];
} bends_place;

/* The point of the plane or the centre on both bodies, and the vector d between them. */
static void bends_between(mb_moving *d, mb_moving *xa, mb_moving *xb, const mb_contact *c, const mb_ends *e)
{
    mb_moving_point(xa, e->Ra, c->at[0], e->a + 3);
    mb_moving_point(xb, e->Rb, c->at[1], e->b + 3);
    for (int k = 0; k < 3; k++) {
        d->at[k] = (e->rb[k] - e->ra[k]) + (xb->at[k] - xa->at[k]);
        d->rate[k] = (e->b[k] - e->a[k]) + (xb->rate[k] - xa->rate[k]);
        d->bend[k] = xb->bend[k] - xa->bend[k];
    }
}

static double bends_of_point(bends_place *place, const mb_contact *c, const mb_ends *e)
{
    mb_moving d, xa, xb, n;
    bends_between(&d, &xa, &xb, c, e);
    mb_moving_axis(&n, e->Ra, c->frame[0], 2, e->a + 3);
    for (int k = 0; k < 3; k++) {
        place->b[k] = xb.rate[k] - c->radius[1] * n.rate[k];
        place->a[k] = place->b[k] + e->b[k] - e->a[k];
    }
    return mb_product_bend(&n, &d);
}

static double bends_of_spheres(bends_place *place, const mb_contact *c, const mb_ends *e)
{
    mb_moving d, xa, xb;
    bends_between(&d, &xa, &xb, c, e);
    const double size = sqrt(mb_dot(d.at, d.at)), along = mb_dot(d.at, d.rate) / size;
    for (int k = 0; k < 3; k++) {
        const double turn = (d.rate[k] - d.at[k] * along / size) / size;
        place->a[k] = xa.rate[k] + c->radius[0] * turn, place->b[k] = xb.rate[k] - c->radius[1] * turn;
    }
    return (mb_dot(d.rate, d.rate) + mb_dot(d.at, d.bend) - along * along) / size;
}

/* y = D A^T n of an axis n that stands still, A = R F: y' = D A^T (n x w) and so on; s = |y|. The lowest point is
 * A D y/s away from the centre. */
static double bends_of_round(bends_place *place, const mb_contact *c, const mb_ends *e)
{
    double n[3], turn[2][3], y[3], dy[3], ddy[3], axis[3][3], low[3] = {0}, moves[3] = {0}, across[3];
    const double *w = e->b + 3;
    mb_moving x;
    mb_axis(n, e->Ra, c->frame[0], 2);
    mb_moving_point(&x, e->Rb, c->at[1], w);
    small_cross(turn[0], n, w), small_cross(turn[1], turn[0], w);
    for (int i = 0; i < 3; i++) {
        mb_axis(axis[i], e->Rb, c->frame[1], i);
        y[i] = c->half[i] * mb_dot(axis[i], n);
        dy[i] = c->half[i] * mb_dot(axis[i], turn[0]), ddy[i] = c->half[i] * mb_dot(axis[i], turn[1]);
    }
    const double s = sqrt(mb_dot(y, y)), ds = mb_dot(y, dy) / s;
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) {
            low[k] += axis[i][k] * c->half[i] * y[i] / s;
            moves[k] += axis[i][k] * c->half[i] * (dy[i] - y[i] * ds / s) / s;
        }
    small_cross(across, w, low);
    for (int k = 0; k < 3; k++) {
        place->b[k] = x.rate[k] - across[k] - moves[k];
        place->a[k] = place->b[k] + e->b[k] - e->a[k];
    }
    return mb_dot(n, x.bend) - (mb_dot(dy, dy) + mb_dot(y, ddy) - ds * ds) / s;
}

void mb_event_bends(const mb_plan *plan, const mb_contact *c, double *bend, const mb_pair *row, const mb_site *at)
{
    const mb_ends e = mb_ends_of(at, c->body[0], c->body[1]);
    bends_place place = {{0}, {0}};
    double turn[2][3], rate;
    if (c->kind <= MB_CONTACT_DRY) {
        mb_coordinate_moves(plan, c->source, at, c->body[0], c->body[1], &rate, bend);
        bend[0] *= c->side;
        return;
    }
    bend[0] = c->kind == MB_CONTACT_POINT   ? bends_of_point(&place, c, &e)
              : c->kind == MB_CONTACT_ROUND ? bends_of_round(&place, c, &e)
                                            : bends_of_spheres(&place, c, &e);
    small_cross(turn[0], e.a + 3, place.a), small_cross(turn[1], e.b + 3, place.b);
    for (int i = 1; i < c->rows; i++) bend[i] = mb_dot(row[2 * i + 1].v, turn[1]) - mb_dot(row[2 * i + 1].v, turn[0]);
}
