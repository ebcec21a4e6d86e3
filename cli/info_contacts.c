/* SPDX-License-Identifier: BSD-3-Clause */
/* liegrp info of what touches: surfaces, pairs, stops, dry friction. */
#include <math.h>
#include <stdio.h>

#include "cli/info.h"
#include "cli/lib/json.h"
#include "cli/lib/print.h"

static lg_surface surface_at(const lg_mechanism *m, int i)
{
    lg_surface s;
    lg_surface_init(&s, sizeof s);
    lg_status_ignore(lg_mechanism_read_surface(m, &s, i));
    return s;
}

static lg_surface_pair pair_at(const lg_mechanism *m, int i)
{
    lg_surface_pair p;
    lg_surface_pair_init(&p, sizeof p);
    lg_status_ignore(lg_mechanism_read_surface_pair(m, &p, i));
    return p;
}

/* Stops and dry friction of joint i, or of coordinate i less the number of joints; 0: it has neither. */
typedef struct held {
    const char *name;
    int stops;
    double lower, upper, restitution, friction;
} held;

static int held_at(held *h, const lg_mechanism *m, int i)
{
    const int joints = lg_mechanism_joint_count(m);
    if (i < joints) {
        lg_joint j = lg_joint_default(NULL, LG_JOINT_REVOLUTE, NULL, NULL);
        lg_status_ignore(lg_mechanism_read_joint(m, &j, i));
        *h = (held){j.name, j.stops != 0, j.lower, j.upper, j.stop_restitution, j.friction_speed == 0 ? j.friction : 0};
    } else {
        lg_coordinate c = lg_coordinate_default(NULL, NULL);
        lg_status_ignore(lg_mechanism_read_coordinate(m, &c, i - joints));
        *h = (held){c.name, c.stops != 0, c.lower, c.upper, c.stop_restitution, c.friction_speed == 0 ? c.friction : 0};
    }
    return h->stops || h->friction > 0;
}

static int all_held(const lg_mechanism *m)
{
    return lg_mechanism_joint_count(m) + lg_mechanism_coordinate_count(m);
}

static int meeting_at(lg_surface_meeting *is, const lg_mechanism *m, int i, int j)
{
    return lg_mechanism_surface_meeting(m, is, i, j) == LG_OK && is->touch;
}

/* The first of them, and how many there are. */
static void tell_meetings(const lg_mechanism *m)
{
    enum { SHOWN = 24 };
    const int surfaces = lg_mechanism_surface_count(m);
    lg_surface_meeting is;
    int count = 0;
    for (int i = 0; i < surfaces; i++)
        for (int j = i + 1; j < surfaces; j++) {
            if (!meeting_at(&is, m, i, j)) continue;
            if (!count++) puts("\nsurfaces that touch");
            if (count > SHOWN) continue;
            cli_print(stdout, "  %s and %s: friction %g, restitution %g", lg_mechanism_surface_name(m, i),
                      lg_mechanism_surface_name(m, j), is.friction, is.restitution);
            if (is.viscous > 0) printf(", viscous %g s/m", is.viscous);
            printf(" (%s)\n", lg_meeting_reason_text(is.reason));
        }
    if (count > SHOWN) printf("  and %d more, %d pairs in all; --json lists them\n", count - SHOWN, count);
}

void cli_info_contacts(const lg_mechanism *m)
{
    held h;
    if (lg_mechanism_surface_count(m) > 0) puts("\nsurfaces");
    for (int i = 0; i < lg_mechanism_surface_count(m); i++) {
        const lg_surface s = surface_at(m, i);
        cli_print(stdout, "  %-16s %s of %s, friction %g, restitution %g", s.name, lg_surface_kind_name(s.kind),
                  s.body != NULL ? s.body : "the world", s.friction, s.restitution);
        if (s.viscous > 0) cli_print(stdout, ", viscous %g s/m", s.viscous);
        if (s.friction_along >= 0) cli_print(stdout, ", friction along its heading %g", s.friction_along);
        if (s.points > 0) printf(", %d points", s.points);
        if (s.group != 0) printf(", group %d", s.group);
        if (s.contype != 1 || s.conaffinity != 1) printf(", contype %d, conaffinity %d", s.contype, s.conaffinity);
        if (s.priority != 0) printf(", priority %d", s.priority);
        puts("");
    }
    if (lg_mechanism_surface_pair_count(m) > 0) puts("\npairs of surfaces");
    for (int i = 0; i < lg_mechanism_surface_pair_count(m); i++) {
        const lg_surface_pair p = pair_at(m, i);
        cli_print(stdout, "  %-16s %s and %s%s", p.name, p.first, p.second, p.ignored ? ", do not touch" : "");
        if (p.friction >= 0) printf(", friction %g", p.friction);
        if (p.restitution >= 0) printf(", restitution %g", p.restitution);
        if (p.viscous >= 0) printf(", viscous %g s/m", p.viscous);
        puts("");
    }
    tell_meetings(m);
    for (int i = 0, any = 0; i < all_held(m); i++) {
        if (!held_at(&h, m, i)) continue;
        if (!any++) puts("\nstops and dry friction");
        cli_print(stdout, "  %-16s", h.name);
        if (h.stops) printf(" stops at %g and %g, restitution %g", h.lower, h.upper, h.restitution);
        if (h.friction > 0) printf("%s dry friction %g", h.stops ? "," : "", h.friction);
        puts("");
    }
}

/* JSON ------------------------------------------------------------------------------------------------------------ */

static void number(const char *key, double value)
{
    cli_print(stdout, ", \"%s\": ", key);
    cli_json_number(stdout, value);
}

static void word(const char *key, const char *text)
{
    cli_print(stdout, ", \"%s\": ", key);
    cli_json_string(stdout, text);
}

void cli_info_json_surface(const lg_mechanism *m, int i)
{
    const lg_surface s = surface_at(m, i);
    cli_json_string(stdout, s.name);
    word("body", s.body), word("kind", lg_surface_kind_name(s.kind));
    number("friction", s.friction), number("restitution", s.restitution), number("group", s.group);
    number("viscous", s.viscous), number("contype", s.contype), number("conaffinity", s.conaffinity);
    number("priority", s.priority);
    word("rule", s.rule == LG_FRICTION_GREATER ? "greater" : "smaller");
    if (s.friction_along >= 0) number("friction_along", s.friction_along);
}

void cli_info_json_surface_pair(const lg_mechanism *m, int i)
{
    const lg_surface_pair p = pair_at(m, i);
    cli_json_string(stdout, p.name);
    word("first", p.first), word("second", p.second);
    printf(", \"ignored\": %s", p.ignored ? "true" : "false");
    if (p.friction >= 0) number("friction", p.friction);
    if (p.restitution >= 0) number("restitution", p.restitution);
    if (p.viscous >= 0) number("viscous", p.viscous);
}

void cli_info_json_meetings(const lg_mechanism *m)
{
    const int surfaces = lg_mechanism_surface_count(m);
    lg_surface_meeting is;
    cli_info_json_key("contacts");
    putchar('[');
    for (int i = 0, any = 0; i < surfaces; i++)
        for (int j = i + 1; j < surfaces; j++) {
            if (!meeting_at(&is, m, i, j)) continue;
            fputs(any++ ? ",\n    {\"first\": " : "\n    {\"first\": ", stdout);
            cli_json_string(stdout, lg_mechanism_surface_name(m, i));
            word("second", lg_mechanism_surface_name(m, j));
            number("friction", is.friction), number("restitution", is.restitution), number("viscous", is.viscous);
            word("rule", lg_meeting_reason_text(is.reason));
            putchar('}');
        }
    putchar(']');
}

void cli_info_json_held(const lg_mechanism *m)
{
    held h;
    cli_info_json_key("stops_and_dry_friction");
    putchar('[');
    for (int i = 0, any = 0; i < all_held(m); i++) {
        if (!held_at(&h, m, i)) continue;
        fputs(any++ ? ",\n    {\"name\": " : "\n    {\"name\": ", stdout);
        cli_json_string(stdout, h.name);
        printf(", \"stops\": %s", h.stops ? "true" : "false");
        if (h.stops && h.lower > -INFINITY) number("lower", h.lower);
        if (h.stops && h.upper < INFINITY) number("upper", h.upper);
        if (h.stops) number("restitution", h.restitution);
        number("dry_friction", h.friction);
        putchar('}');
    }
    putchar(']');
}
