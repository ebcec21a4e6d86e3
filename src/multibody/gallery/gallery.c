/* SPDX-License-Identifier: BSD-3-Clause */
/* The gallery: its rooms as one list. */
#include <math.h>
#include <string.h>

#include "multibody/gallery/gallery.h"
#include "multibody/motion.h"

static const mb_exhibit *exhibit(int i)
{
    const mb_exhibit *const rooms[] = {mb_pendulums, mb_loops, mb_wheeled, mb_touching};
    for (size_t r = 0; i >= 0 && r < sizeof rooms / sizeof rooms[0]; r++)
        for (const mb_exhibit *e = rooms[r]; e->name != NULL; e++)
            if (i-- == 0) return e;
    return NULL;
}

int lg_gallery_count(void)
{
    int count = 0;
    while (exhibit(count) != NULL) count++;
    return count;
}

int lg_gallery_index(const char *name)
{
    const mb_exhibit *e;
    for (int i = 0; name != NULL && (e = exhibit(i)) != NULL; i++)
        if (strcmp(e->name, name) == 0) return i;
    return -1;
}

const char *lg_gallery_name(int i)
{
    const mb_exhibit *e = exhibit(i);
    return e != NULL ? e->name : NULL;
}

const char *lg_gallery_text(int i)
{
    const mb_exhibit *e = exhibit(i);
    return e != NULL ? e->text : NULL;
}

double lg_gallery_step(int i)
{
    const mb_exhibit *e = exhibit(i);
    return e != NULL ? e->step : NAN;
}

const char *lg_gallery_plot(int i)
{
    const mb_exhibit *e = exhibit(i);
    return e != NULL ? e->plot : NULL;
}

lg_status lg_gallery_describe(lg_mechanism **m, int i)
{
    const mb_exhibit *e = exhibit(i);
    if (m == NULL) return LG_ERROR_ARGUMENT;
    lg_status st = lg_mechanism_create(m);
    if (st != LG_OK) return st;
    if (e == NULL)
        return lg_fail(&(*m)->error, LG_ERROR_ARGUMENT,
                       "lg_gallery_describe: there is no mechanism %d; they are numbered from 0 to %d", i,
                       lg_gallery_count() - 1);
    mb_builder g = {*m, LG_OK};
    e->describe(&g);
    (*m)->gallery = i + 1;
    return g.status;
}

lg_status lg_gallery_create(lg_mechanism **m, int i)
{
    const lg_status st = lg_gallery_describe(m, i);
    return st == LG_OK ? lg_mechanism_compile(*m) : st;
}

/* *is = 1: the mechanism has the exhibit's bodies and joints. */
static lg_status is_exhibit(int *is, const lg_mechanism *m, const mb_exhibit *e)
{
    lg_mechanism *own;
    lg_status st = lg_mechanism_create(&own);
    if (st == LG_OK) {
        mb_builder g = {own, LG_OK};
        e->describe(&g);
        st = g.status;
    }
    int same = st == LG_OK;
    for (int kind = MB_BODIES; same && kind < MB_KINDS; kind++) same = mb_seen(m, kind) == mb_seen(own, kind);
    for (int b = 0; same && b < mb_seen(m, MB_BODIES); b++)
        same = strcmp(MB_BODY(m, b)->name, MB_BODY(own, b)->name) == 0;
    for (int j = 0; same && j < mb_seen(m, MB_JOINTS); j++)
        same = strcmp(MB_JOINT_OF(m, j)->name, MB_JOINT_OF(own, j)->name) == 0;
    lg_mechanism_destroy(own);
    *is = same;
    return st;
}

lg_status mb_gallery_start(mb_sparse *mo, int i)
{
    const mb_exhibit *e = exhibit(i);
    int is;
    if (e == NULL)
        return lg_fail(&mo->head.error, LG_ERROR_ARGUMENT,
                       "lg_gallery_start: there is no mechanism %d; they are numbered from 0 to %d", i,
                       lg_gallery_count() - 1);
    lg_status st = is_exhibit(&is, mo->mechanism, e);
    if (st == LG_OK && !is)
        return lg_fail(&mo->head.error, LG_ERROR_ARGUMENT, "lg_gallery_start: the motion's mechanism is not '%s'",
                       e->name);
    if (st == LG_OK) st = e->start(mo);
    return st == LG_ERROR_MEMORY ? lg_fail(&mo->head.error, st, "lg_gallery_start: out of memory") : st;
}
