/* SPDX-License-Identifier: BSD-3-Clause */
/* <sensor> of MJCF: functions of the state as columns, where they are asked for. */
#include <stdlib.h>
#include <string.h>

#include "multibody/files/mjcf.h"
#include "multibody/parts/joint.h"
#include "multibody/sensors.h"

/* Room for one more of `size` bytes; NULL: out of memory. */
static void *room(mb_reader *r, void *array, int count, size_t size)
{
    const int full = (count & (count - 1)) == 0; /* a power of two, or 0 */
    void *more = full ? realloc(array, (count > 0 ? 2 * (size_t)count : 1) * size) : array;
    if (more == NULL) mb_refuse_as(r, LG_ERROR_MEMORY, NULL, "out of memory");
    return more;
}

/* The frame of a sensor: a site, or the frame of a body. 0: another one. */
static int frame_of(mb_reader *r, mb_element *e, mb_sensor *s)
{
    const char *site = mb_text(e, "site"), *type = mb_text(e, "objtype"), *name = mb_text(e, "objname");
    if (site == NULL && type != NULL && strcmp(type, "site") == 0) site = name;
    if (site != NULL) return lg_mechanism_site(r->m, &s->body, s->pose, site) == LG_OK;
    if (type == NULL || name == NULL || strcmp(type, "xbody") != 0) return 0;
    const int link = mb_link_named(r, name);
    if (link < 0 || r->link[link].leader == MB_NO_BODY) return 0;
    const char *body = mb_body_of(r, link);
    s->body = body != NULL ? lg_mechanism_body(r->m, body) : -1;
    memcpy(s->pose, r->link[link].in_body.g, sizeof s->pose);
    return 1;
}

/* 0: no sensor that is known here. */
static int read_sensor(mb_reader *r, mb_element *e, mb_sensor *s)
{
    int kind = 0;
    while (kind < MB_SENSOR_KINDS && !mb_is(e, mb_sensors[kind].name)) kind++;
    if (kind == MB_SENSOR_KINDS || mb_text(e, "reftype") != NULL || mb_text(e, "refname") != NULL) return 0;
    s->kind = (mb_sensor_kind)kind;
    s->cutoff = mb_number(r, e, "cutoff", 0);
    if (kind != MB_JOINT_POSITION && kind != MB_JOINT_VELOCITY) return frame_of(r, e, s);
    const char *joint = mb_text(e, "joint");
    if (joint == NULL) return 0;
    s->joint = lg_mechanism_joint_position(r->m, &s->position, joint);
    return s->joint >= 0 && s->position >= 0;
}

static void take_sensor(mb_reader *r, mb_element *e, int number)
{
    lg_mechanism *m = r->m;
    mb_sensor s = {.body = -1};
    const char *name = mb_text(e, "name");
    const int known = read_sensor(r, e, &s);
    e->read = 1;
    mb_passed_over(e);
    if (!known) mb_note(r, e, "<%.40s> among the sensors has no column", e->name);
    if (!known || r->status != LG_OK) return;
    mb_sensor *more = room(r, m->sensor, m->sensors, sizeof *more);
    if (more == NULL) return;
    m->sensor = more;
    if (name == NULL || name[0] == '\0') name = mb_print(r, "%s%d", e->name, number);
    s.name = name != NULL ? strdup(name) : NULL;
    if (s.name != NULL)
        m->sensor[m->sensors++] = s;
    else
        mb_refuse_as(r, LG_ERROR_MEMORY, NULL, "out of memory");
}

void mj_sensors(mj_reader *o, mb_element *section)
{
    int number = 0;
    if (!o->r->options.sensors) {
        mb_passed_over(section);
        mb_note(o->r, section, "sensors are columns where they are asked for: --sensors (lg_mechanism_file::sensors)");
        return;
    }
    for (mb_element *e = section->child; e != NULL && o->r->status == LG_OK; e = e->next)
        take_sensor(o->r, e, ++number);
}
