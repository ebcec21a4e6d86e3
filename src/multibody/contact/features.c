/* SPDX-License-Identifier: BSD-3-Clause */
/* Features of shapes take the rooms after their contact. */
#include <math.h>
#include <string.h>

#include "multibody/contact/near.h"
#include "multibody/contact/shapes/manifold.h"
#include "multibody/parts/part.h"

/* A feature tells the gap of its shapes if it is as small but for this of the size. */
#define MB_TOLD 1e-13
/* What is beneath several faces of a terrain is farther from outside than from any of them: an overlap with one of this
 * of it tells it, for both would act in one direction or the other, from sweep to sweep. */
#define MB_TELLS 0.1
/* A feature that joins in a step was open at its beginning, but for this of the size. */
#define MB_BEGINS 1e-13
/* Places on a terrain are rounded by this of its size. */
#define MB_ROUND 2e-15

int mb_contact_is_told(const mb_contacts *c, const mb_plan *plan, const double *gap, int i)
{
    const mb_contact *k = &c->contact[i];
    const int terrain = k->room > 0 && k->shape[0]->terrain != NULL;
    const double tell = terrain && gap[i] < 0 ? MB_TELLS * gap[i] : gap[i];
    const double near = MB_TOLD * plan->reach + (terrain ? MB_ROUND * k->shape[0]->reach : 0);
    for (int j = i + 1; j <= i + k->room; j++)
        if (gap[j] <= tell + near) return 1;
    return 0;
}

static void placings_of(const mb_contact *k, const mb_node *n, mb_placing *at)
{
    for (int s = 0; s < 2; s++) {
        const mb_pose *p = &n->pose[k->body[s]], *a = &n->pose[k->body[0]];
        mb_turn3(at[s].x, p->R, k->at[s]);
        for (int i = 0; i < 3; i++) at[s].x[i] += p->r[i] - a->r[i];
        mb_product3(at[s].R, p->R, k->frame[s]);
    }
}

/* The features of the shapes of k at a node, in its frames. */
static int features_of(const mb_contact *k, const mb_node *n, mb_feature *feature)
{
    mb_placing at[2];
    mb_touch touch;
    double d[3];
    placings_of(k, n, at);
    const double reach = k->shape[0]->reach + k->shape[1]->reach, less = mb_manifold_size(k->shape);
    for (int i = 0; i < 3; i++) d[i] = at[1].x[i] - at[0].x[i];
    if (mb_dot3(d, d) > (reach + MB_FEATURE_FAR * less) * (reach + MB_FEATURE_FAR * less)) return 0;
    mb_shapes_touch(k->shape[0], &at[0], k->shape[1], &at[1], &touch);
    return touch.gap > MB_FEATURE_FAR * less ? 0 : mb_manifold(k->shape, at, &touch, feature);
}

/* The contact of a feature f of the shapes of k. */
static void fill(mb_contact *c, const mb_contact *k, const mb_feature *f)
{
    static const mb_contact_kind kinds[] = {
        [MB_FEATURE_POINT] = MB_CONTACT_POINT, [MB_FEATURE_RIM] = MB_CONTACT_RIM,
        [MB_FEATURE_CROSS] = MB_CONTACT_EDGES, [MB_FEATURE_BALL] = MB_CONTACT_SHAPES,
        [MB_FEATURE_LINE] = MB_CONTACT_LINE,   [MB_FEATURE_TIP] = MB_CONTACT_SPHERES,
        [MB_FEATURE_RING] = MB_CONTACT_RING};
    const double none[3] = {0, 0, 0};
    c->kind = kinds[f->kind];
    for (int s = 0; s < 2; s++) {
        const int from = s ^ f->first;
        double frame[9], x[3], axis[3];
        c->body[s] = k->body[from], c->surface[s] = k->surface[from], c->radius[s] = f->radius[s];
        c->shape[s] = f->kind == MB_FEATURE_BALL && s == 0 ? k->shape[from] : NULL;
        mb_turn3(x, k->frame[from], f->point[s]);
        for (int i = 0; i < 3; i++) c->at[s][i] = k->at[from][i] + x[i];
        memcpy(c->frame[s], k->frame[from], sizeof c->frame[s]);
        mb_turn3(axis, k->frame[from], f->along[s]);
        if (mb_dot3(axis, axis) > 0 && mb_frame_from(frame, axis, none)) memcpy(c->frame[s], frame, sizeof frame);
    }
    if (f->kind == MB_FEATURE_RIM) c->half[0] = k->shape[!f->first]->half[0];
    if (f->kind == MB_FEATURE_RING) c->half[0] = k->shape[f->first]->half[0];
}

mb_contact mb_contact_at(const mb_contacts *c, int i, const mb_node *n)
{
    mb_feature feature[MB_FEATURES_MOST];
    const int in_slot = c->near != NULL && i >= c->near->first;
    mb_contact own = in_slot ? mb_near_contact(c, i) : c->contact[i], shapes = c->contact[i];
    int of = i;
    if (in_slot) {
        of = i - (i - c->near->first) % c->near->stride;
        shapes = mb_near_contact(c, of);
    } else {
        while (of > 0 && i - of < MB_FEATURES_MOST && (of == i || c->contact[of].room < i - of)) of--;
        shapes = c->contact[of];
    }
    if (of == i || shapes.room < i - of) return own;
    own.kind = MB_CONTACT_EMPTY;
    const int count = c->key[i] != 0 ? features_of(&shapes, n, feature) : 0;
    for (int f = 0; f < count; f++)
        if (feature[f].key == c->key[i]) fill(&own, &shapes, &feature[f]);
    return own;
}

/* Empties the room j: its force is counted with that of the shapes k. */
static void leave(mb_contacts *c, int k, int j)
{
    for (int n = 0; n < 3; n++) {
        c->force[3 * k + n] += (mb_feature_first(c->key[j]) ? -1 : 1) * c->force[3 * j + n];
        c->force[3 * j + n] = c->P[3 * j + n] = 0;
    }
    c->key[j] = 0;
}

/* A room of the shapes i: an empty one, or that of the farthest feature that does not act; -1: all act. */
static int room_of(const mb_contacts *c, int i)
{
    int room = -1;
    for (int j = i + 1; j <= i + c->contact[i].room; j++) {
        if (c->key[j] == 0) return j;
        if (!c->acts[j] && (room < 0 || c->gap0[j] > c->gap0[room])) room = j;
    }
    return room;
}

/* 1: the feature f takes a room, as it was open at the beginning of the step. */
static int take_room(mb_contacts *c, const mb_plan *plan, int i, const mb_feature *f, const mb_node *n0,
                     const mb_node *n1)
{
    const int j = room_of(c, i);
    mb_contact own;
    if (j < 0) return 0;
    own = c->contact[j];
    fill(&own, &c->contact[i], f);
    const double gap = mb_contact_gap(plan, &own, n0);
    if (!(gap >= -MB_BEGINS * plan->reach)) return 0;
    if (c->key[j] != 0) leave(c, i, j);
    c->contact[j] = own, c->key[j] = f->key, c->acts[j] = 1;
    c->gap0[j] = gap, c->gap[j] = mb_contact_gap(plan, &own, n1);
    return 1;
}

int mb_features_join(mb_contacts *c, const mb_plan *plan, int i, const mb_node *n0, const mb_node *n1)
{
    mb_feature feature[MB_FEATURES_MOST];
    const mb_contact *k = &c->contact[i];
    int joined = 0;
    if (k->shape[0]->terrain == NULL) return 0;
    const int count = features_of(k, n1, feature);
    for (int f = 0; f < count; f++) {
        int known = feature[f].gap > MB_TELLS * c->gap[i];
        for (int r = i + 1; r <= i + k->room; r++) known |= c->key[r] == feature[f].key;
        if (!known) joined += take_room(c, plan, i, &feature[f], n0, n1);
    }
    return joined;
}

static void meet_features(mb_contacts *c, int i, const mb_node *n)
{
    mb_feature feature[MB_FEATURES_MOST];
    int at[MB_FEATURES_MOST];
    const mb_contact *k = &c->contact[i];
    int count = features_of(k, n, feature);
    if (count > k->room) count = k->room;
    for (int f = 0; f < count; f++) at[f] = -1;
    for (int j = i + 1; j <= i + k->room; j++) {
        int stays = 0;
        for (int f = 0; f < count && !stays; f++)
            if (c->key[j] == feature[f].key) stays = 1, at[f] = j;
        if (!stays && c->key[j] != 0) leave(c, i, j);
        c->contact[j].kind = MB_CONTACT_EMPTY;
    }
    for (int f = 0, j = i + 1; f < count; f++) {
        if (at[f] < 0) {
            while (c->key[j] != 0) j++;
            at[f] = j, c->key[j] = feature[f].key;
        }
        fill(&c->contact[at[f]], k, &feature[f]);
    }
}

void mb_contacts_meet(mb_contacts *c, const mb_node *n)
{
    for (int i = 0; i < c->count && c->rooms; i++)
        if (c->contact[i].room > 0) meet_features(c, i, n);
}
