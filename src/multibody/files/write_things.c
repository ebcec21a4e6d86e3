/* SPDX-License-Identifier: BSD-3-Clause */
/* What is on bodies: shapes, and the sites to which springs and tendons of MJCF are tied. A spring is a tendon of two
 * points. */
#include <stdlib.h>

#include "multibody/files/write.h"
#include "multibody/forces/force.h"
#include "multibody/parts/part.h"
#include "multibody/scene.h"

/* ---- lists ---- */

/* The terms of a spring. */
static void take_spring(const lg_spring *s, lg_tendon_term *term)
{
    const lg_tendon_term none = {.kind = LG_TENDON_POINT};
    term[0] = term[1] = none;
    term[0].name = s->parent, term[1].name = s->child;
    for (int k = 0; k < 3; k++) term[0].point[k] = s->parent_point[k], term[1].point[k] = s->child_point[k];
}

/* Lists the points of a tendon, or counts them where there is no room. */
static void list_points(mb_writer *w, const char *of, const lg_tendon_term *term, int terms)
{
    for (int i = 0; i < terms; i++) {
        if (term[i].kind != LG_TENDON_POINT) continue;
        const int body = term[i].name != NULL ? mb_find(w->m, MB_BODIES, term[i].name) : w->bodies;
        if (w->site != NULL) {
            mb_site_of_tendon *to = &w->site[w->sites];
            *to = (mb_site_of_tendon){.of = of, .number = i + 1, .body = body};
            for (int k = 0; k < 3; k++) to->point[k] = term[i].point[k];
        }
        w->sites++;
    }
}

static void list_sites(mb_writer *w)
{
    w->sites = 0;
    for (int i = 0; i < w->m->part[MB_SPRINGS].count; i++) {
        lg_tendon_term term[2];
        take_spring(MB_SPRING_OF(w->m, i), term);
        list_points(w, MB_SPRING_OF(w->m, i)->name, term, 2);
    }
    for (int i = 0; i < w->m->part[MB_TENDONS].count; i++) {
        const lg_tendon *t = MB_TENDON_OF(w->m, i);
        if (mb_tendon_fits(w, t)) list_points(w, t->name, t->term, t->terms);
    }
}

/* The body that thing i is on. */
static int body_of_thing(const mb_writer *w, int i)
{
    const int b = i >= 0 ? (int)lg_scene_shape(w->m->look, i)->body : w->site[-1 - i].body;
    return b >= 0 ? b : w->bodies;
}

void mb_take_things(mb_writer *w)
{
    const int shapes = w->m->look != NULL ? lg_scene_shape_count(w->m->look) : 0;
    list_sites(w);
    w->site = calloc((size_t)w->sites + 1, sizeof *w->site);
    w->first_thing = calloc((size_t)w->bodies + 3, sizeof *w->first_thing);
    w->thing = calloc((size_t)shapes + (size_t)w->sites + 1, sizeof *w->thing);
    if (w->site == NULL || w->first_thing == NULL || w->thing == NULL) {
        mb_write_fails(w, LG_ERROR_MEMORY, "out of memory");
        return;
    }
    list_sites(w);
    for (int i = -w->sites; i < shapes; i++) w->first_thing[body_of_thing(w, i) + 2]++;
    for (int b = 0; b <= w->bodies; b++) w->first_thing[b + 2] += w->first_thing[b + 1];
    for (int i = 0; i < shapes; i++) w->thing[w->first_thing[body_of_thing(w, i) + 1]++] = i;
    for (int i = 0; i < w->sites; i++) w->thing[w->first_thing[body_of_thing(w, -1 - i) + 1]++] = -1 - i;
}

/* ---- tendons ---- */

int mb_tendon_fits(const mb_writer *w, const lg_tendon *t)
{
    int kinds[2] = {0, 0};
    for (int i = 0; i < t->terms; i++) {
        int joint;
        kinds[t->term[i].kind == LG_TENDON_JOINT] = 1;
        if (t->term[i].kind == LG_TENDON_JOINT && mb_written_named(w, &joint, t->term[i].name) == NULL) return 0;
    }
    return !(kinds[0] && kinds[1]);
}

static void put_term(mb_writer *w, const char *of, const lg_tendon_term *e, int number)
{
    char suffix[16];
    int joint;
    (void)snprintf(suffix, sizeof suffix, "_%d", number);
    mb_put(w, "<%s", e->kind == LG_TENDON_JOINT ? "joint" : e->kind == LG_TENDON_PULLEY ? "pulley" : "site");
    if (e->kind == LG_TENDON_JOINT) mb_put_text(w, "joint", mb_written_named(w, &joint, e->name)->name, "");
    if (e->kind == LG_TENDON_POINT) mb_put_text(w, "site", of, suffix);
    if (e->kind != LG_TENDON_POINT) mb_put_numbers(w, e->kind == LG_TENDON_JOINT ? "coef" : "divisor", &e->number, 1);
    mb_put(w, "/>");
}

/* rest: the lengths between which the spring is slack, as compiled. MuJoCo's default is that at the springs'
 * references. */
static void put_tendon(mb_writer *w, const lg_tendon *t, const double *rest)
{
    const char *element = t->term[0].kind == LG_TENDON_JOINT ? "fixed" : "spatial";
    mb_put(w, "    <%s", element);
    mb_put_text(w, "name", t->name, "");
    mb_put_number(w, "stiffness", t->stiffness, 0), mb_put_number(w, "damping", t->damping, 0);
    if (t->stiffness > 0) mb_put_numbers(w, "springlength", rest, 2);
    mb_put(w, ">");
    for (int i = 0; i < t->terms; i++) put_term(w, t->name, &t->term[i], i + 1);
    mb_put(w, "</%s>\n", element);
}

static void put_spring(mb_writer *w, int i)
{
    const lg_spring *s = MB_SPRING_OF(w->m, i);
    const double rest[2] = {w->m->plan.line[i].rest, w->m->plan.line[i].rest};
    lg_tendon_term term[2];
    lg_tendon t = lg_tendon_default(s->name);
    take_spring(s, term);
    t.term = term, t.terms = 2, t.stiffness = s->stiffness, t.damping = s->damping;
    put_tendon(w, &t, rest);
}

static void put_own_tendon(mb_writer *w, int i)
{
    const lg_tendon *t = MB_TENDON_OF(w->m, i);
    const mb_plan *plan = &w->m->plan;
    double rest[2] = {0, 0};
    if (!mb_tendon_fits(w, t)) {
        mb_lose(w, "tendon",
                "tendon '%.60s' has joints and points, or a joint that closes a loop or a component of a rotation",
                t->name);
        return;
    }
    for (const mb_force *s = plan->force; s < plan->force + plan->forces; s++)
        if (s->tendon == &plan->tendon[i] && s->law == MB_LAW_band) rest[0] = s->number[2], rest[1] = s->number[3];
    put_tendon(w, t, rest);
}

void mb_put_tendons(mb_writer *w)
{
    const int springs = w->m->part[MB_SPRINGS].count, tendons = w->m->part[MB_TENDONS].count;
    if (springs + tendons == 0) return;
    mb_put(w, "  <tendon>\n");
    for (int i = 0; i < springs; i++) put_spring(w, i);
    for (int i = 0; i < tendons; i++) put_own_tendon(w, i);
    mb_put(w, "  </tendon>\n");
}
