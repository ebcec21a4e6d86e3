/* SPDX-License-Identifier: BSD-3-Clause */
/* Sites of MJCF: points and frames of bodies that tendons, actuators and equalities name. */
#include <stdlib.h>
#include <string.h>

#include <liegrp/groups/se3.h>

#include "multibody/files/mjcf.h"

struct mj_site {
    const char *name;
    mb_element *at;
    int link; /* -1: the world */
};

static int by_name(const void *a, const void *b)
{
    return strcmp(((const mj_site *)a)->name, ((const mj_site *)b)->name);
}

/* Counts the sites of a body or of the world, and lists them once there is room. */
static int list_of(mb_element *body, int link, mj_site *to)
{
    int count = 0;
    for (mb_element *e = body->child; e != NULL; e = e->next) { /* what is not named stays unread */
        const char *name = mb_is(e, "site") ? mb_text(e, "name") : NULL;
        if (name == NULL) continue;
        if (to != NULL) to[count] = (mj_site){name, e, link};
        count++;
    }
    return count;
}

static int list_all(mj_reader *o, mj_site *to)
{
    mb_element *root = o->r->document.root;
    int count = 0;
    for (mb_element *w = mb_each_element(root, "worldbody", NULL); w != NULL; w = mb_each_element(root, "worldbody", w))
        count += list_of(w, -1, to != NULL ? to + count : NULL);
    for (int k = 0; k < o->r->links; k++) count += list_of(o->r->link[k].at, k, to != NULL ? to + count : NULL);
    return count;
}

void mj_list_sites(mj_reader *o)
{
    o->sites = list_all(o, NULL);
    o->site = mb_take(o->r, (size_t)(o->sites + 1) * sizeof *o->site);
    if (o->site == NULL) return;
    (void)list_all(o, o->site);
    qsort(o->site, (size_t)o->sites, sizeof *o->site, by_name);
    for (int i = 1; i < o->sites && o->r->status == LG_OK; i++)
        if (strcmp(o->site[i].name, o->site[i - 1].name) == 0)
            mb_refuse(o->r, o->site[i].at, "a second site '%.60s'; give it another name", o->site[i].name);
}

int mj_site_of(mj_reader *o, mb_element *e, const char *attribute, int *link, mb_place *in_link)
{
    mb_reader *r = o->r;
    const mj_site key = {.name = mb_needed_text(r, e, attribute)};
    if (o->site == NULL && r->status == LG_OK) mj_list_sites(o);
    if (r->status != LG_OK) return 0;
    const mj_site *found = bsearch(&key, o->site, (size_t)o->sites, sizeof key, by_name);
    if (found == NULL) {
        mb_refuse(r, e, "%s of <%s>: there is no site '%.60s'", attribute, e->name, key.name);
        return 0;
    }
    mj_inherit(o, found->at, mj_class_around(found->at));
    if (mb_text(found->at, "fromto") != NULL)
        mb_refuse_as(r, LG_ERROR_UNSUPPORTED, found->at, "fromto of a site that <%s> names is not read; give it pos",
                     e->name);
    *link = found->link, *in_link = mj_place(o, found->at);
    found->at->read = 1;
    mb_passed_over(found->at);
    if (*link >= 0) mb_needs_body(r, e, *link);
    return r->status == LG_OK;
}

const char *mj_site_in_body(mj_reader *o, mb_element *e, const char *attribute, mb_place *in_body)
{
    int link = -1;
    mb_place in_link = mb_here;
    if (!mj_site_of(o, e, attribute, &link, &in_link)) return NULL;
    const mb_place of = link >= 0 ? o->r->link[link].in_body : mb_place_of(o->r, -1);
    lg_se3_compose(in_body->g, of.g, in_link.g);
    return mb_body_of(o->r, link);
}
