/* SPDX-License-Identifier: BSD-3-Clause */
/* liegrp info of a mechanism. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/info.h"
#include "cli/lib/json.h"
#include "cli/lib/mechanism.h"
#include "cli/lib/print.h"
#include "cli/lib/text.h"

/* A mechanism, and its motion at the start. */
typedef struct picture {
    const cli_system *S;
    const lg_mechanism *m;
    cli_instance i;
    double *row;
    double residual; /* of assembly */
    char
        refused[LG_MESSAGE_SIZE]; /* why its start is: surfaces overlap, or a joint is beyond its stop; "": it is not */
    int loops;
} picture;

static const char *world(const char *body)
{
    return body != NULL ? body : "the world";
}

/* NOUN_at(m, i): the description of part i. */
#define AT(noun)                                                                                                       \
    static lg_##noun noun##_at(const lg_mechanism *m, int i)                                                           \
    {                                                                                                                  \
        lg_##noun part;                                                                                                \
        lg_##noun##_init(&part, sizeof part);                                                                          \
        lg_status_ignore(lg_mechanism_read_##noun(m, &part, i));                                                       \
        return part;                                                                                                   \
    }
AT(body)
AT(joint)
AT(wheel)
AT(spring)
AT(gear)
AT(coordinate)
AT(tendon)
AT(drive)
AT(sphere_contact)

static int take_picture(picture *p)
{
    const char *message = "out of memory";
    lg_status status = cli_instance_make(&p->i, p->S, NULL, cli_mechanism_has_key(p->S), &message);
    lg_motion *assembled = NULL;
    if (status == LG_ERROR_INCONSISTENT && lg_motion_contact_count(p->i.mo) > 0)
        snprintf(p->refused, sizeof p->refused, "%s", message);
    else if (status != LG_OK)
        return cli_wrong("info", "%s: %s", p->S->name, message);
    p->row = calloc((size_t)lg_model_column_count(p->S->M), sizeof *p->row);
    status = p->row == NULL ? LG_ERROR_MEMORY : p->refused[0] != '\0' ? LG_OK : lg_motion_row(p->i.mo, p->row);
    for (int k = 0; p->row != NULL && p->refused[0] != '\0' && k < lg_model_column_count(p->S->M); k++)
        p->row[k] = (double)NAN;
    if (status == LG_OK) status = lg_motion_create(&assembled, p->S->M, NULL);
    if (status == LG_OK) status = lg_motion_start_joints(assembled, 0, NULL, NULL, 0);
    p->residual = status == LG_OK ? lg_motion_gap(assembled) : (double)NAN;
    lg_motion_destroy(assembled);
    for (int j = 0; j < lg_mechanism_joint_count(p->m); j++) p->loops += lg_mechanism_joint_closes(p->m, j);
    return status != LG_ERROR_MEMORY ? CLI_WELL : cli_wrong("info", "out of memory");
}

/* Text ------------------------------------------------------------------------------------------------------------ */

static void print_bodies(const lg_mechanism *m)
{
    puts("\nbodies");
    for (int i = 0; i < lg_mechanism_body_count(m); i++) {
        const lg_body b = body_at(m, i);
        cli_print(stdout, "  %-16s %g kg\n", b.name, b.mass);
    }
}

static void print_joints(const lg_mechanism *m)
{
    if (lg_mechanism_joint_count(m) > 0) puts("\njoints");
    for (int i = 0; i < lg_mechanism_joint_count(m); i++) {
        const lg_joint j = joint_at(m, i);
        cli_print(stdout, "  %-16s %-11s from %s to %s%s\n", j.name, lg_joint_kind_name(j.kind), world(j.parent),
                  world(j.child), lg_mechanism_joint_closes(m, i) ? ", closes a loop" : "");
        for (int k = 0; k < j.motions; k++) {
            const double *u = j.motion[k].axis, *p = j.motion[k].point;
            cli_print(stdout, "    %d              %-11s %s (%g, %g, %g)", k + 1, lg_joint_kind_name(j.motion[k].kind),
                      j.motion[k].kind == LG_JOINT_REVOLUTE ? "about" : "along", u[0], u[1], u[2]);
            if (j.motion[k].kind == LG_JOINT_REVOLUTE) cli_print(stdout, " at (%g, %g, %g)", p[0], p[1], p[2]);
            puts("");
        }
    }
}

static void print_other_parts(const lg_mechanism *m)
{
    if (lg_mechanism_wheel_count(m) > 0) puts("\nwheels");
    for (int i = 0; i < lg_mechanism_wheel_count(m); i++) {
        const lg_wheel w = wheel_at(m, i);
        cli_print(stdout, "  %-16s %s of %s, radius %g m, %s", w.name, lg_wheel_kind_name(w.kind), w.body, w.radius,
                  lg_contact_name(w.contact));
        if (w.contact == LG_CONTACT_OMNI) cli_print(stdout, ", rollers at %g rad", w.roller_angle);
        puts("");
    }
    if (lg_mechanism_spring_count(m) > 0) puts("\nsprings");
    for (int i = 0; i < lg_mechanism_spring_count(m); i++) {
        const lg_spring s = spring_at(m, i);
        cli_print(stdout, "  %-16s from %s to %s, %g N/m\n", s.name, world(s.parent), world(s.child), s.stiffness);
    }
    if (lg_mechanism_gear_count(m) > 0) puts("\ngears");
    for (int i = 0; i < lg_mechanism_gear_count(m); i++) {
        const lg_gear g = gear_at(m, i);
        const double power[] = {g.quadratic, g.cubic, g.quartic};
        if (g.driver == NULL)
            cli_print(stdout, "  %-16s %s = %g", g.name, g.joint, g.offset);
        else
            cli_print(stdout, "  %-16s %s = %g %s + %g", g.name, g.joint, g.ratio, g.driver, g.offset);
        for (int k = 0; k < 3; k++)
            if (power[k] != 0) cli_print(stdout, " + %g %s^%d", power[k], g.driver, k + 2);
        puts("");
    }
    if (lg_mechanism_coordinate_count(m) > 0) puts("\ncoordinates");
    for (int i = 0; i < lg_mechanism_coordinate_count(m); i++) {
        const lg_coordinate o = coordinate_at(m, i);
        cli_print(stdout, "  %-16s %s\n", o.name, o.joint);
    }
    if (lg_mechanism_tendon_count(m) > 0) puts("\ntendons");
    for (int i = 0; i < lg_mechanism_tendon_count(m); i++) {
        const lg_tendon t = tendon_at(m, i);
        cli_print(stdout, "  %-16s %d term%s, %g N/m%s\n", t.name, t.terms, t.terms > 1 ? "s" : "", t.stiffness,
                  t.held ? ", held" : "");
    }
    if (lg_mechanism_sphere_contact_count(m) > 0) puts("\nsphere contacts");
    for (int i = 0; i < lg_mechanism_sphere_contact_count(m); i++) {
        const lg_sphere_contact c = sphere_contact_at(m, i);
        cli_print(stdout, "  %-16s %s, radius %g m, %s %s %s, radius %g m\n", c.name, world(c.child), c.child_radius,
                  lg_contact_name(c.contact), c.inside ? "in" : "on", world(c.parent), c.parent_radius);
    }
    cli_info_motors(m);
}

static void print_drives(const lg_mechanism *m)
{
    if (lg_mechanism_drive_count(m) > 0) puts("\ndrives");
    for (int i = 0; i < lg_mechanism_drive_count(m); i++) {
        const lg_drive d = drive_at(m, i);
        cli_print(stdout, "  %-16s moves %s", d.name, d.joint != NULL ? d.joint : d.body);
        if (d.motion == NULL)
            cli_print(stdout, ", by a table of %d rows from t = %g to %g", d.count, d.times[0], d.times[d.count - 1]);
        puts("");
    }
}

static void print_keys(const lg_mechanism *m)
{
    if (lg_mechanism_key_count(m) > 0) puts("\nkeys (--key NAME)");
    for (int i = 0; i < lg_mechanism_key_count(m); i++) cli_print(stdout, "  %s\n", lg_mechanism_key_name(m, i));
}

/* Friction along a heading that a surface does not have. */
static int is_unset(const char *name, double value)
{
    const char *field = strrchr(name, '.');
    return field != NULL && strcmp(field, ".friction_along") == 0 && value < 0;
}

static void print_parameters(const lg_mechanism *m)
{
    char name[512], value[TEXT_NUMBER];
    puts("\nparameters (--param NAME=VALUE)");
    for (int i = 0; i < lg_mechanism_parameter_count(m); i++) {
        const double x = lg_mechanism_parameter_value(m, i) + 0.0; /* no sign of a zero */
        (void)lg_mechanism_parameter_name(m, name, sizeof name, i);
        if (is_unset(name, x)) continue;
        cli_print(stdout, "  %-24s = %-22s %s\n", name, text_number(value, x), lg_mechanism_parameter_unit(m, i));
    }
}

static void print_initial(const picture *p)
{
    char value[TEXT_NUMBER];
    int floats = 0;
    puts("\ninitial data (--init NAME=VALUE; velocities that are not given are projected onto the constraints)");
    for (int i = 0; i < lg_model_column_count(p->S->M); i++) {
        const char *name = lg_model_column(p->S->M, i)->name;
        if (!cli_mechanism_is_initial(p->S, i)) continue;
        cli_print(stdout, "  %-16s = %s\n", name, text_number(value, p->row[i]));
    }
    for (int b = 0; b < lg_mechanism_body_count(p->m); b++) floats += lg_motion_float_index(p->i.mo, b) >= 0;
    if (floats > 0)
        puts("  attitudes also by --init BODY_axis=X,Y,Z --init BODY_angle=A, BODY_euler=zyx:A,B,C or "
             "BODY_rotation=X,Y,Z");
}

static void print_text(const picture *p)
{
    const lg_mechanism *m = p->m;
    const char *text = cli_mechanism_text(p->S);
    const int rows = lg_mechanism_row_count(m), rank = lg_mechanism_rank(m), freedoms = lg_mechanism_freedoms(m);
    cli_print(stdout, "%s%s%s\n", p->S->name, text != NULL ? ": " : "", text != NULL ? text : "");
    cli_print(stdout, "mechanism of %d bod%s, %d degree%s of freedom; %d row%s of rank %d; %d loop%s\n",
              lg_mechanism_body_count(m), lg_mechanism_body_count(m) == 1 ? "y" : "ies", freedoms,
              freedoms == 1 ? "" : "s", rows, rows == 1 ? "" : "s", rank, p->loops, p->loops == 1 ? "" : "s");
    for (int i = 0; lg_mechanism_redundant(m, i) != NULL; i++)
        cli_print(stdout, "redundant: %s\n", lg_mechanism_redundant(m, i));
    if (p->refused[0] != '\0')
        cli_print(stdout, "warning: no motion starts as assembled: %s\n", p->refused);
    else
        printf("assembly: largest gap %.3g\n", p->residual);
    for (int i = 0; cli_mechanism_remark(p->S, i) != NULL; i++)
        cli_print(stdout, "remark: %s\n", cli_mechanism_remark(p->S, i));
    printf("step: %g by default\n", lg_model_default_step(p->S->M));
    print_bodies(m);
    print_joints(m);
    print_other_parts(m);
    cli_info_thrusters(m);
    print_drives(m);
    cli_info_contacts(m);
    print_keys(m);
    print_parameters(m);
    cli_info_controls(p->S);
    print_initial(p);
    cli_info_columns(p->S);
}

/* JSON ------------------------------------------------------------------------------------------------------------ */

/* `"KEY": "TEXT"` in an object, with a comma before it. */
static void json_body(const lg_mechanism *m, int i)
{
    const lg_body b = body_at(m, i);
    cli_json_string(stdout, b.name);
    cli_info_number("mass", b.mass);
    for (int k = 0; k < 6; k++) {
        fputs(k == 0 ? ", \"inertia\": [" : ", ", stdout);
        cli_json_number(stdout, b.inertia[k]);
    }
    putchar(']');
}

static void json_joint(const lg_mechanism *m, int i)
{
    const lg_joint j = joint_at(m, i);
    cli_json_string(stdout, j.name);
    cli_info_member("kind", lg_joint_kind_name(j.kind));
    cli_info_member("parent", j.parent);
    cli_info_member("child", j.child);
    cli_print(stdout, ", \"closes_loop\": %s", lg_mechanism_joint_closes(m, i) ? "true" : "false");
    for (int k = 0; k < j.motions; k++) {
        fputs(k == 0 ? ", \"motions\": [" : ", ", stdout);
        cli_json_string(stdout, lg_joint_kind_name(j.motion[k].kind));
    }
    if (j.motions > 0) putchar(']');
}

static void json_wheel(const lg_mechanism *m, int i)
{
    const lg_wheel w = wheel_at(m, i);
    cli_json_string(stdout, w.name);
    cli_info_member("body", w.body);
    cli_info_member("kind", lg_wheel_kind_name(w.kind));
    cli_info_member("contact", lg_contact_name(w.contact));
    cli_info_number("radius", w.radius);
    if (w.contact == LG_CONTACT_OMNI) cli_info_number("roller_angle", w.roller_angle);
}

static void json_spring(const lg_mechanism *m, int i)
{
    const lg_spring s = spring_at(m, i);
    cli_json_string(stdout, s.name);
    cli_info_member("parent", s.parent);
    cli_info_member("child", s.child);
    cli_info_number("stiffness", s.stiffness);
}

static void json_gear(const lg_mechanism *m, int i)
{
    const lg_gear g = gear_at(m, i);
    cli_json_string(stdout, g.name);
    cli_info_member("joint", g.joint);
    cli_info_member("driver", g.driver);
    cli_info_number("ratio", g.ratio), cli_info_number("offset", g.offset);
    cli_info_number("quadratic", g.quadratic), cli_info_number("cubic", g.cubic), cli_info_number("quartic", g.quartic);
}

static void json_sphere_contact(const lg_mechanism *m, int i)
{
    const lg_sphere_contact c = sphere_contact_at(m, i);
    cli_json_string(stdout, c.name);
    cli_info_member("parent", c.parent);
    cli_info_member("child", c.child);
    cli_info_member("contact", lg_contact_name(c.contact));
    cli_print(stdout, ", \"inside\": %s", c.inside ? "true" : "false");
    cli_info_number("parent_radius", c.parent_radius);
    cli_info_number("child_radius", c.child_radius);
}

static void json_coordinate(const lg_mechanism *m, int i)
{
    const lg_coordinate o = coordinate_at(m, i);
    cli_json_string(stdout, o.name);
    cli_info_member("joint", o.joint);
}

static void json_tendon(const lg_mechanism *m, int i)
{
    static const char *const kinds[] = {"joint", "point", "pulley"};
    const lg_tendon t = tendon_at(m, i);
    cli_json_string(stdout, t.name);
    cli_info_number("stiffness", t.stiffness);
    cli_info_number("damping", t.damping);
    cli_info_number("held", (double)t.held);
    cli_print(stdout, ", \"terms\": [");
    for (int k = 0; k < t.terms; k++) {
        const lg_tendon_term *e = &t.term[k];
        cli_print(stdout, "%s{\"kind\": \"%s\"", k > 0 ? ", " : "", kinds[e->kind]);
        if (e->kind != LG_TENDON_PULLEY) cli_info_member(e->kind == LG_TENDON_JOINT ? "joint" : "body", e->name);
        if (e->kind != LG_TENDON_POINT)
            cli_info_number(e->kind == LG_TENDON_JOINT ? "coefficient" : "divisor", e->number);
        if (e->kind == LG_TENDON_POINT)
            cli_print(stdout, ", \"point\": [%.17g, %.17g, %.17g]", e->point[0], e->point[1], e->point[2]);
        putchar('}');
    }
    putchar(']');
}

static void json_drive(const lg_mechanism *m, int i)
{
    const lg_drive d = drive_at(m, i);
    cli_json_string(stdout, d.name);
    cli_info_member(d.joint != NULL ? "joint" : "body", d.joint != NULL ? d.joint : d.body);
    if (d.motion != NULL) return;
    cli_info_number("rows", d.count);
    cli_info_number("begin", d.times[0]);
    cli_info_number("end", d.times[d.count - 1]);
}

static void json_key(const lg_mechanism *m, int i)
{
    cli_json_string(stdout, lg_mechanism_key_name(m, i));
}

static void json_parameter(const lg_mechanism *m, int i)
{
    char name[512];
    (void)lg_mechanism_parameter_name(m, name, sizeof name, i);
    cli_json_string(stdout, name);
    cli_info_number("default", lg_mechanism_parameter_value(m, i));
    cli_info_member("unit", lg_mechanism_parameter_unit(m, i));
}

/* An array of objects, each with a name first. */
static void json_list(const char *key, const lg_mechanism *m, int count, void (*print)(const lg_mechanism *, int))
{
    cli_info_json_key(key);
    putchar('[');
    for (int i = 0; i < count; i++) {
        cli_print(stdout, "%s\n    {\"name\": ", i > 0 ? "," : "");
        print(m, i);
        putchar('}');
    }
    fputs(count > 0 ? "\n  ]" : "]", stdout);
}

static void json_count(const char *key, int count)
{
    cli_info_json_key(key);
    printf("%d", count);
}

/* An array of texts. */
static void json_sentences(const char *key, const picture *p, const char *(*get)(const picture *p, int i))
{
    cli_info_json_key(key);
    putchar('[');
    for (int i = 0; get(p, i) != NULL; i++) {
        if (i > 0) fputs(", ", stdout);
        cli_json_string(stdout, get(p, i));
    }
    putchar(']');
}

static const char *redundant(const picture *p, int i)
{
    return lg_mechanism_redundant(p->m, i);
}

static const char *remark(const picture *p, int i)
{
    return cli_mechanism_remark(p->S, i);
}

static void json_initial(const picture *p)
{
    int first = 1;
    cli_info_json_key("initial");
    putchar('{');
    for (int i = 0; i < lg_model_column_count(p->S->M); i++) {
        if (!cli_mechanism_is_initial(p->S, i)) continue;
        if (!first) fputs(", ", stdout);
        first = 0;
        cli_json_string(stdout, lg_model_column(p->S->M, i)->name);
        fputs(": ", stdout);
        cli_json_number(stdout, p->row[i]);
    }
    putchar('}');
}

static void print_json(const picture *p)
{
    const lg_mechanism *m = p->m;
    fputs("{\n  \"name\": ", stdout);
    cli_json_string(stdout, p->S->name);
    cli_info_json_key("summary");
    cli_json_string(stdout, cli_mechanism_text(p->S));
    json_list("bodies", m, lg_mechanism_body_count(m), json_body);
    json_list("joints", m, lg_mechanism_joint_count(m), json_joint);
    json_list("wheels", m, lg_mechanism_wheel_count(m), json_wheel);
    json_list("springs", m, lg_mechanism_spring_count(m), json_spring);
    json_list("gears", m, lg_mechanism_gear_count(m), json_gear);
    json_list("sphere_contacts", m, lg_mechanism_sphere_contact_count(m), json_sphere_contact);
    json_list("motors", m, lg_mechanism_motor_count(m), cli_info_json_motor);
    json_list("coordinates", m, lg_mechanism_coordinate_count(m), json_coordinate);
    json_list("tendons", m, lg_mechanism_tendon_count(m), json_tendon);
    json_list("thrusters", m, lg_mechanism_thruster_count(m), cli_info_json_thruster);
    json_list("drives", m, lg_mechanism_drive_count(m), json_drive);
    json_list("surfaces", m, lg_mechanism_surface_count(m), cli_info_json_surface);
    json_list("surface_pairs", m, lg_mechanism_surface_pair_count(m), cli_info_json_surface_pair);
    cli_info_json_meetings(m);
    cli_info_json_held(m);
    json_list("keys", m, lg_mechanism_key_count(m), json_key);
    json_count("freedoms", lg_mechanism_freedoms(m));
    json_count("rows", lg_mechanism_row_count(m));
    json_count("rank", lg_mechanism_rank(m));
    json_count("loops", p->loops);
    json_sentences("redundant", p, redundant);
    json_sentences("remarks", p, remark);
    if (p->refused[0] != '\0') cli_info_json_key("start_refused"), cli_json_string(stdout, p->refused);
    cli_info_json_key("assembly_residual");
    cli_json_number(stdout, p->residual);
    cli_info_json_key("step");
    cli_json_number(stdout, lg_model_default_step(p->S->M));
    json_list("parameters", m, lg_mechanism_parameter_count(m), json_parameter);
    json_initial(p);
    cli_info_json_columns(p->S);
    puts("\n}");
}

int cli_info_mechanism(const cli_system *S, int json)
{
    picture p = {.S = S, .m = cli_mechanism_of(S)};
    const int status = take_picture(&p);
    if (status == CLI_WELL && json) print_json(&p);
    if (status == CLI_WELL && !json) print_text(&p);
    free(p.row);
    cli_instance_free(&p.i);
    return status;
}
