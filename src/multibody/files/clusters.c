/* SPDX-License-Identifier: BSD-3-Clause */
/* Links: which there are, where they are in space, and which ones are one body. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <liegrp/groups/se3.h>

#include "multibody/files/reader.h"

/* Makes room for one more element of `size` bytes. */
static void *grow(mb_reader *r, void *at, int count, int *room, size_t size)
{
    if (count < *room) return at;
    const int next = *room > 0 ? 2 * *room : 16;
    void *more = realloc(at, (size_t)next * size);
    if (more == NULL)
        mb_refuse_as(r, LG_ERROR_MEMORY, NULL, "out of memory");
    else
        *room = next;
    return more != NULL ? more : at;
}

int mb_new_link(mb_reader *r, const char *name, mb_element *e)
{
    if (r->status != LG_OK) return -1;
    if (r->links == MB_LINKS_MOST) mb_refuse(r, e, "more than %d links; that many are not read", MB_LINKS_MOST);
    r->link = grow(r, r->link, r->links, &r->link_room, sizeof *r->link);
    if (r->status != LG_OK) return -1;
    r->link[r->links] = (mb_file_link){
        .name = name, .at = e, .parent = -1, .joint = -1, .leader = -1, .in_parent = mb_here, .place = mb_here};
    return r->links++;
}

int mb_new_joint(mb_reader *r, const char *name, mb_element *e, lg_joint_kind kind, int parent, int child)
{
    if (r->status != LG_OK) return -1;
    if (r->joints == MB_LINKS_MOST) mb_refuse(r, e, "more than %d joints; that many are not read", MB_LINKS_MOST);
    r->joint = grow(r, r->joint, r->joints, &r->joint_room, sizeof *r->joint);
    if (r->status != LG_OK) return -1;
    r->joint[r->joints] = (mb_file_joint){.name = name,
                                          .at = e,
                                          .kind = kind,
                                          .parent = parent,
                                          .child = child,
                                          .axis = {0, 0, 1},
                                          .all = {.lower = -INFINITY, .upper = INFINITY}};
    return r->joints++;
}

/* ---- names ---- */

typedef struct named {
    const char *name;
    int link;
} named;

static int by_name(const void *a, const void *b)
{
    const named *x = a, *y = b;
    const int order = strcmp(x->name, y->name);
    return order != 0 ? order : (x->link > y->link) - (x->link < y->link);
}

void mb_sort_links(mb_reader *r)
{
    if (r->status != LG_OK) return;
    named *list = malloc(((size_t)r->links + 1) * sizeof *list);
    r->by_name = malloc(((size_t)r->links + 1) * sizeof *r->by_name);
    if (list == NULL || r->by_name == NULL) {
        mb_refuse_as(r, LG_ERROR_MEMORY, NULL, "out of memory");
        free(list);
        return;
    }
    for (int i = 0; i < r->links; i++) list[i] = (named){r->link[i].name, i};
    qsort(list, (size_t)r->links, sizeof *list, by_name);
    for (int i = 0; i < r->links; i++) {
        r->by_name[i] = list[i].link;
        if (i > 0 && strcmp(list[i - 1].name, list[i].name) == 0)
            mb_refuse(r, r->link[list[i].link].at, "the name '%.60s' is taken by the <%s> in line %d", list[i].name,
                      r->link[list[i].link].at->name, r->link[list[i - 1].link].at->line);
    }
    free(list);
}

int mb_link_named(const mb_reader *r, const char *name)
{
    int low = 0, high = r->links;
    while (low < high) {
        const int middle = low + (high - low) / 2, order = strcmp(r->link[r->by_name[middle]].name, name);
        if (order == 0) return r->by_name[middle];
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return -1;
}

/* ---- places and clusters ---- */

mb_place mb_place_of(const mb_reader *r, int link)
{
    mb_place root;
    if (link >= 0) return r->link[link].place;
    memcpy(root.g, r->options.position, sizeof r->options.position);
    memcpy(root.g + 3, r->options.attitude, sizeof r->options.attitude);
    return root;
}

/* 1: the link is one with its parent. A link of mass 0 is no body, and what has a mass and is fixed need not be one. */
static int merges(const mb_reader *r, const mb_file_link *l, const int *massive, int world)
{
    if (l->joint < 0 || r->joint[l->joint].kind != LG_JOINT_FIXED) return 0;
    if (!r->options.keep_fixed || l->mass <= 0) return 1;
    const int cluster = l->parent >= 0 ? r->link[l->parent].leader : world;
    return cluster != world && !massive[cluster];
}

/* Clusters are numbered by their first link in the walk until all are known; `links` is the world's. */
static void find(mb_reader *r, int floating, int *massive)
{
    const int world = r->links;
    for (int i = 0; i < r->links; i++) {
        const int k = r->walk[i];
        mb_file_link *l = &r->link[k];
        const mb_place up = mb_place_of(r, l->parent);
        lg_se3_compose(l->place.g, up.g, l->in_parent.g);
        if (l->joint < 0)
            l->leader = floating ? k : world;
        else if (merges(r, l, massive, world))
            l->leader = l->parent >= 0 ? r->link[l->parent].leader : world;
        else
            l->leader = k;
        if (l->mass > 0 && !massive[l->leader]) massive[l->leader] = k + 1;
    }
}

static void refuse_massless(mb_reader *r, const mb_file_link *l, const char *why)
{
    const char *joint = l->joint >= 0 ? r->joint[l->joint].name : "its floating root";
    const char *noun = l->joint >= 0 ? "joint " : "", *mark = l->joint >= 0 ? "'" : "";
    mb_refuse(r, l->at, "%s '%.50s' has no mass, but %s%s%.50s%s lets it move; give it an <inertial>%s%s", l->at->name,
              l->name, noun, mark, joint, mark,
              mb_is(l->at, "body") ? ", or a <geom> with a mass" : ", or make the joint fixed", why);
}

/* A link without mass that is a body gets the least inertia, if there is one, and the mass that has it at 0.1 m.
 * Returns its number + 1, as a link with a mass. */
static int take_least(mb_reader *r, int link)
{
    mb_file_link *top = &r->link[link];
    const double I = r->options.least_inertia;
    if (!(I > 0)) {
        refuse_massless(r, top, ", or read it with a least inertia (--least-inertia)");
        return 0;
    }
    top->mass = 100 * I;
    for (int k = 0; k < 3; k++) top->inertia[k] = I;
    mb_note(r, top->at, "%s '%.60s' has no mass: it gets the least inertia, %g kg m^2 about each axis, and %g kg",
            top->at->name, top->name, I, top->mass);
    return link + 1;
}

/* Nothing moves; a link that would do so has no mass. */
static void refuse_standstill(mb_reader *r)
{
    for (int i = 0; i < r->joints; i++)
        if (r->joint[i].left_out) refuse_massless(r, &r->link[r->joint[i].child], "");
    const char *way =
        mb_is(r->document.root, "robot") ? "; let its root float: --floating (lg_mechanism_file::root)" : "";
    for (int i = 0; i < r->links && *way != 0; i++)
        if (strcmp(r->link[i].name, "world") == 0)
            way = "; its root is the link 'world': make the joint to its child a floating one";
    mb_refuse(r, r->document.root, "nothing moves: every link is fixed to the world%s", way);
}

void mb_cluster(mb_reader *r, int floating)
{
    if (r->status != LG_OK) return;
    const int world = r->links;
    int *massive = calloc((size_t)r->links + 1, sizeof *massive), bodies = 0; /* 1 + the first link with a mass */
    if (massive == NULL) {
        mb_refuse_as(r, LG_ERROR_MEMORY, NULL, "out of memory");
        return;
    }
    find(r, floating, massive);
    mb_compose(r, massive);
    for (int i = 0; i < r->links && r->status == LG_OK; i++) {
        mb_file_link *l = &r->link[i];
        double back[7];
        const int first = l->leader;
        if (first >= 0 && first < world && !massive[first]) massive[first] = take_least(r, first);
        if (first == MB_NO_BODY || r->status != LG_OK) continue;
        if (first < world) {
            l->leader = massive[first] - 1;
            bodies++;
            lg_se3_inverse(back, r->link[l->leader].place.g);
            lg_se3_compose(l->in_body.g, back, l->place.g);
            if (l->leader == i) l->in_body = mb_here;
        } else {
            l->leader = -1;
            l->in_body = l->place;
        }
    }
    if (r->status == LG_OK && bodies == 0) refuse_standstill(r);
    free(massive);
}
