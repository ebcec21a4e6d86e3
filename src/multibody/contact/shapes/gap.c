/* SPDX-License-Identifier: BSD-3-Clause */
/* The gap of two shapes: one is the host, in whose frame the other, the guest, is looked at. */
#include "multibody/contact/shapes/terrain.h"

/* Of two shapes that with the higher order is the host; 0: it has no gaps to others. */
static const int order_of[] = {
    [LG_SURFACE_POINT] = 1, [LG_SURFACE_SPHERE] = 1,   [LG_SURFACE_CAPSULE] = 2,   [LG_SURFACE_BOX] = 3,
    [LG_SURFACE_HULL] = 3,  [LG_SURFACE_CYLINDER] = 4, [LG_SURFACE_ELLIPSOID] = 5, [LG_SURFACE_DISK] = 6,
    [LG_SURFACE_TORUS] = 6, [LG_SURFACE_PLANE] = 0,    [LG_SURFACE_TRIANGLES] = 7, [LG_SURFACE_HEIGHTS] = 7};

int mb_shapes_can_touch(lg_surface_kind a, lg_surface_kind b)
{
    const int low = order_of[a] < order_of[b] ? order_of[a] : order_of[b], high = order_of[a] + order_of[b] - low;
    if (low == 0) return 0;
    if (high == 7) return low <= 3;
    if (high == 6) return (order_of[a] < order_of[b] ? a : b) == LG_SURFACE_SPHERE;
    return 1;
}

static void look(const mb_shape *host, const mb_shape *guest, const mb_placing *at, mb_apart *to)
{
    const double *x = at->x, axis[3] = {at->R[2], at->R[5], at->R[8]};
    double e[3], t = 0;
    if (host->terrain != NULL) {
        mb_terrain_apart(host->terrain, guest, at, to);
        return;
    }
    switch (order_of[guest->kind]) {
    case 1:
        to->gap = mb_point_apart(host, x, to->normal);
        for (int k = 0; k < 3; k++) to->foot[k] = x[k];
        break;
    case 2:
        for (int k = 0; k < 3; k++) e[k] = guest->half[1] * axis[k];
        to->gap = mb_segment_apart(host, x, e, &t, to->normal);
        for (int k = 0; k < 3; k++) to->foot[k] = x[k] + t * e[k];
        break;
    case 3:
        if (host->solid != NULL)
            mb_polytopes_apart(host->solid, guest->solid, at, to);
        else
            mb_polytope_apart(host, guest->solid, at, to);
        break;
    default:
        mb_rounds_apart(host, guest, at, to);
    }
}

void mb_shapes_touch(const mb_shape *a, const mb_placing *A, const mb_shape *b, const mb_placing *B, mb_touch *to)
{
    const int turned = order_of[a->kind] < order_of[b->kind];
    const mb_shape *host = turned ? b : a, *guest = turned ? a : b;
    const mb_placing *H = turned ? B : A, *G = turned ? A : B;
    const mb_placing at = mb_placing_in(H, G);
    mb_apart found;
    look(host, guest, &at, &found);
    to->gap = found.gap - (host->radius + guest->radius);
    double on_host[3], on_guest[3];
    for (int k = 0; k < 3; k++) {
        on_host[k] = found.foot[k] - (found.gap - host->radius) * found.normal[k];
        on_guest[k] = (found.foot[k] - at.x[k]) - guest->radius * found.normal[k];
    }
    mb_turn3(to->on[turned ? 1 : 0], H->R, on_host);
    mb_turn3(to->on[turned ? 0 : 1], H->R, on_guest);
    mb_turn3(to->normal, H->R, found.normal);
    for (int k = 0; k < 3 && turned; k++) to->normal[k] = -to->normal[k];
}
