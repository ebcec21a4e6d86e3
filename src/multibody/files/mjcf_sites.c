/* SPDX-License-Identifier: BSD-3-Clause */
/* Sites of MJCF: points and frames of bodies that tendons, actuators, equalities and sensors name, and the caller. */
#include <stdlib.h>
#include <string.h>

#include <liegrp/groups/se3.h>

#include "multibody/files/mjcf.h"

struct mj_site {
    mj_site *next; /* the one before it in the file */
    const char *name;
    mb_element *at;
    int link; /* -1: the world */
    mb_place in_link;
};

void mj_read_site(mj_reader *o, mb_element *e, int link, const char *childclass)
{
    mj_geom g;
    const char *name = mb_text(e, "name");
    e->read = 1;
    mj_inherit(o, e, childclass);
    if (o->r->status != LG_OK || !mj_read_shape(o, e, &g)) return;
    mb_passed_over(e); /* its look */
    mj_site *s = name != NULL && name[0] != '\0' ? mb_take(o->r, sizeof *s) : NULL;
    if (s == NULL) return;
    *s = (mj_site){o->site, name, e, link, g.at};
    o->site = s, o->sites++;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(((const mj_site *)a)->name, ((const mj_site *)b)->name);
}

/* Where a site is: on a body, or in space; NULL. */
static const char *in_body(const mb_reader *r, const mj_site *s, mb_place *place)
{
    const mb_place of = s->link >= 0 ? r->link[s->link].in_body : mb_place_of(r, -1);
    lg_se3_compose(place->g, of.g, s->in_link.g);
    return mb_body_of(r, s->link);
}

/* The mechanism has those whose link moves or is the world. */
static void keep(mb_reader *r, const mj_site *s)
{
    lg_mechanism *m = r->m;
    if (s->link >= 0 && r->link[s->link].leader == MB_NO_BODY) return;
    mb_merged *to = &m->site[m->sites];
    mb_place place;
    const char *body = in_body(r, s, &place);
    to->body = body != NULL ? lg_mechanism_body(m, body) : -1;
    memcpy(to->pose, place.g, sizeof to->pose);
    to->name = strdup(s->name);
    if (to->name != NULL)
        m->sites++;
    else
        mb_refuse_as(r, LG_ERROR_MEMORY, NULL, "out of memory");
}

void mj_sort_sites(mj_reader *o)
{
    mb_reader *r = o->r;
    if (r->status != LG_OK) return;
    mj_site *list = o->site;
    o->site = mb_take(r, (size_t)(o->sites + 1) * sizeof *o->site);
    if (o->site == NULL) return;
    for (int i = o->sites; list != NULL; list = list->next) o->site[--i] = *list;
    qsort(o->site, (size_t)o->sites, sizeof *o->site, by_name);
    r->m->site = calloc((size_t)o->sites + 1, sizeof *r->m->site);
    if (r->m->site == NULL) mb_refuse_as(r, LG_ERROR_MEMORY, NULL, "out of memory");
    for (int i = 0; i < o->sites && r->status == LG_OK; i++) {
        if (i > 0 && strcmp(o->site[i].name, o->site[i - 1].name) == 0)
            mb_refuse(r, o->site[i].at, "a second site '%.60s'; give it another name", o->site[i].name);
        keep(r, &o->site[i]);
    }
}

int mj_link_of_site(const mj_reader *o, const char *name)
{
    const mj_site key = {.name = name};
    const mj_site *found = bsearch(&key, o->site, (size_t)o->sites, sizeof key, by_name);
    return found != NULL ? found->link : -1;
}

/* The site that an attribute names; NULL: refused. */
static const mj_site *named(mj_reader *o, mb_element *e, const char *attribute)
{
    mb_reader *r = o->r;
    const mj_site key = {.name = mb_needed_text(r, e, attribute)};
    if (r->status != LG_OK) return NULL;
    const mj_site *found = bsearch(&key, o->site, (size_t)o->sites, sizeof key, by_name);
    if (found == NULL)
        mb_refuse(r, e, "%s of <%s>: there is no site '%.60s'", attribute, e->name, key.name);
    else if (mb_text(found->at, "fromto") != NULL)
        mb_refuse_as(r, LG_ERROR_UNSUPPORTED, found->at, "fromto of a site that <%s> names is not read; give it pos",
                     e->name);
    if (found != NULL && found->link >= 0) mb_needs_body(r, e, found->link);
    return r->status == LG_OK ? found : NULL;
}

int mj_site_of(mj_reader *o, mb_element *e, const char *attribute, int *link, mb_place *in_link)
{
    const mj_site *s = named(o, e, attribute);
    if (s != NULL) *link = s->link, *in_link = s->in_link;
    return s != NULL;
}

const char *mj_site_in_body(mj_reader *o, mb_element *e, const char *attribute, mb_place *place)
{
    const mj_site *s = named(o, e, attribute);
    return s != NULL ? in_body(o->r, s, place) : NULL;
}
