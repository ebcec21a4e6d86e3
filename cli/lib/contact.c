/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/lib/contact.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/lib/file.h"
#include "cli/lib/print.h"
#include "cli/lib/text.h"

/* Options --------------------------------------------------------------------------------------------------------- */

/* MU or MU,E. */
static int read_ground(cli_contact_options *o, const char *command, const char *value)
{
    const char *comma = strchr(value, ',');
    char mu[64];
    snprintf(mu, sizeof mu, "%.*s", (int)(comma != NULL && comma - value < 63 ? comma - value : 63), value);
    o->restitution = 0, o->grounded = 1;
    if (!cli_number(mu, &o->friction) || !(o->friction >= 0) || !isfinite(o->friction) ||
        (comma != NULL && (!cli_number(comma + 1, &o->restitution) || !(o->restitution >= 0 && o->restitution <= 1))))
        return cli_wrong(command,
                         "--ground must be MU or MU,E, a friction that is not negative and a restitution from "
                         "0 to 1, got '%s'",
                         value);
    return CLI_WELL;
}

static int read_law(cli_contact_options *o, const char *command, const char *value)
{
    const char *names[LG_IMPACT_SEQUENTIAL + 2] = {NULL};
    for (int i = 0; i <= LG_IMPACT_SEQUENTIAL; i++) {
        names[i] = lg_impact_law_name((lg_impact_law)i);
        if (strcmp(names[i], value) != 0) continue;
        o->motion.law = (lg_impact_law)i;
        return CLI_WELL;
    }
    return cli_unknown(command, "law of impacts", value, names);
}

static int read_contacts(cli_contact_options *o, const char *command, const char *value)
{
    static const char *const names[] = {"all", "ground", "joints", NULL};
    for (int i = 0; names[i] != NULL; i++) {
        if (value != NULL && strcmp(names[i], value) != 0) continue;
        o->of_file = (lg_file_contacts)((int)LG_FILE_CONTACTS_ALL + i);
        return CLI_WELL;
    }
    return cli_unknown(command, "kind of contacts", value, names);
}

int cli_contact_option(cli_contact_options *o, const char *command, const cli_option *option, const char *value)
{
    static const char *const of_motions[] = {"impact", "capture", "no-localise", "separate"};
    if (strcmp(option->name, "contacts") == 0) return read_contacts(o, command, value);
    if (strcmp(option->name, "ground") == 0) return read_ground(o, command, value);
    int i = 0;
    while (i < 4 && strcmp(option->name, of_motions[i]) != 0) i++;
    if (i == 4) return CLI_WELL;
    if (!o->given) o->motion = lg_contact_options_default();
    o->given = 1;
    if (i == 0) return read_law(o, command, value);
    if (i == 2) o->motion.localise = 0;
    if (i == 3) o->motion.separate = 1;
    if (i == 1 && (!cli_number(value, &o->motion.capture_speed) || !(o->motion.capture_speed > 0) ||
                   !isfinite(o->motion.capture_speed)))
        return cli_wrong(command, "--capture must be a positive speed, got '%s'", value);
    return CLI_WELL;
}

void cli_contact_list(lg_lines *l, const cli_contact_options *o)
{
    if (o->of_file) lg_lines_number(l, "contacts", (double)o->of_file);
    if (o->grounded) lg_lines_numbers(l, "ground", (double[]){o->friction, o->restitution}, 2);
    if (!o->given) return;
    lg_lines_number(l, "impact", (double)o->motion.law), lg_lines_number(l, "capture", o->motion.capture_speed);
    lg_lines_number(l, "localise", o->motion.localise);
    if (o->motion.separate) lg_lines_number(l, "separate", 1);
}

lg_status cli_contact_ground(lg_mechanism *m, const cli_contact_options *o)
{
    lg_surface plane = lg_surface_default("ground", NULL);
    plane.kind = LG_SURFACE_PLANE;
    plane.contype = plane.conaffinity = -1; /* surfaces with any bit touch it */
    plane.friction = o->friction, plane.restitution = o->restitution;
    return o->grounded ? lg_mechanism_add_surface(m, NULL, &plane) : LG_OK;
}

int cli_contact_touches(const lg_mechanism *m)
{
    for (int i = 0; i < lg_mechanism_surface_count(m); i++) {
        lg_surface s = lg_surface_default(NULL, NULL);
        if (lg_mechanism_read_surface(m, &s, i) == LG_OK && s.body != NULL && s.kind != LG_SURFACE_PLANE) return 1;
    }
    return 0;
}

/* Events ---------------------------------------------------------------------------------------------------------- */

struct cli_event {
    double t;
    lg_impact of;
};

int cli_events_take(double t, const lg_impact *impacts, int count, void *context)
{
    cli_events *e = context;
    while (e->count > 0 && e->event[e->count - 1].t > t) e->count--; /* of a step that was taken back */
    for (int i = 0; i < count; i++) {
        if (e->count == e->room) {
            const int room = e->room > 0 ? 2 * e->room : 64;
            struct cli_event *more = realloc(e->event, (size_t)room * sizeof *more);
            e->full |= more == NULL;
            if (more == NULL) return 1;
            e->event = more, e->room = room;
        }
        e->event[e->count++] = (struct cli_event){t, impacts[i]};
    }
    return 0;
}

typedef struct written {
    const cli_events *e;
    double t;
} written;

static void write_events(FILE *f, const void *context)
{
    const written *w = context;
    const lg_mechanism *m = w->e->m;
    fputs("t,first,second,approach,impulse,loss\n", f);
    for (int i = 0; i < w->e->count && w->e->event[i].t <= w->t; i++) {
        const lg_impact *k = &w->e->event[i].of;
        const double *p = k->impulse;
        const char *first = k->joint >= 0   ? lg_mechanism_joint_name(m, k->joint)
                            : k->wheel >= 0 ? "ground"
                                            : lg_mechanism_surface_name(m, k->surface[0]);
        const char *second = k->joint >= 0   ? "stop"
                             : k->wheel >= 0 ? lg_mechanism_wheel_name(m, k->wheel)
                                             : lg_mechanism_surface_name(m, k->surface[1]);
        char number[4][TEXT_NUMBER];
        cli_print(f, "%s,%s,%s,%s,%s,%s\n", text_number(number[0], w->e->event[i].t), first, second,
                  text_number(number[1], k->approach),
                  text_number(number[2], sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2])),
                  text_number(number[3], k->loss));
    }
}

int cli_events_write(const cli_events *e, double t)
{
    const written w = {e, t};
    if (e->file == NULL) return CLI_WELL;
    if (e->full) return cli_wrong("run", "--events: out of memory");
    return cli_file_write("run", e->file, write_events, &w);
}

void cli_events_free(cli_events *e)
{
    free(e->event);
}

/* Words ----------------------------------------------------------------------------------------------------------- */

void cli_contact_tell(char *text, size_t room, const lg_motion *mo, const cli_contact_options *o)
{
    lg_account a = lg_account_default();
    const int64_t impacts = lg_motion_impacts(mo);
    text[0] = '\0';
    if (lg_motion_contact_count(mo) == 0 || lg_motion_account(mo, &a) != LG_OK) return;
    int at = snprintf(text, room, "contact: %" PRId64 " impact%s", impacts, impacts == 1 ? "" : "s");
    if (impacts > 0)
        at += snprintf(text + at, room - (size_t)at, " (%s), which took %.6g J normally and %.6g J by friction",
                       lg_impact_law_name(o->given ? o->motion.law : LG_IMPACT_POISSON), a.impact_normal,
                       a.impact_friction);
    at += snprintf(text + at, room - (size_t)at, "; friction took %.6g J, landings %.6g J, nodes %.3g J", a.friction,
                   a.landing, a.node);
    if (lg_motion_impact_gain(mo) > 0)
        (void)snprintf(text + at, room - (size_t)at, "; warning: impacts added %.6g J of these, poisson adds none",
                       lg_motion_impact_gain(mo));
}
