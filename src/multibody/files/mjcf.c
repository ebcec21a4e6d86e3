/* SPDX-License-Identifier: BSD-3-Clause */
/* The part of MJCF that describes bodies, joints, equality constraints and motors. */
#include "multibody/files/mjcf.h"
#include "multibody/parts/joint.h"

#include <stdlib.h>
#include <string.h>

#include <liegrp/groups/se3.h>
#include <liegrp/groups/so3.h>

#define degree 0.017453292519943295

/* ---- settings ---- */

const mj_settings mj_default = {
    .folder = "", .unit = degree, .euler = "xyz", .autolimits = 1, .from_geoms = 2, .groups = {0, 5}};

static void read_compiler(mj_reader *o, mb_element *e)
{
    static const char *const angles[] = {"degree", "radian", NULL}, *const coordinates[] = {"local", NULL},
                             *const answers[] = {"false", "true", "auto", NULL};
    mj_settings *s = &o->own;
    const char *sequence = mb_text(e, "eulerseq"), *meshdir = mb_text(e, "meshdir"), *assetdir = mb_text(e, "assetdir");
    if (mb_choice(o->r, e, "angle", angles, s->unit >= 1) == 1)
        s->unit = 1;
    else
        s->unit = degree;
    (void)mb_choice(o->r, e, "coordinate", coordinates, 0);
    s->autolimits = mb_choice(o->r, e, "autolimits", answers, s->autolimits);
    s->from_geoms = mb_choice(o->r, e, "inertiafromgeom", answers, s->from_geoms);
    s->balance = mb_choice(o->r, e, "balanceinertia", answers, s->balance);
    s->exact = mb_choice(o->r, e, "exactmeshinertia", answers, s->exact);
    s->fitaabb = mb_choice(o->r, e, "fitaabb", answers, s->fitaabb);
    s->strippath = mb_choice(o->r, e, "strippath", answers, s->strippath);
    if (meshdir != NULL) s->meshdir = meshdir;
    if (assetdir != NULL) s->assetdir = assetdir;
    (void)mb_numbers(o->r, e, "inertiagrouprange", s->groups, 2, 2);
    o->least_mass = mb_number(o->r, e, "boundmass", o->least_mass);
    o->least_inertia = mb_number(o->r, e, "boundinertia", o->least_inertia);
    o->total_mass = mb_number(o->r, e, "settotalmass", o->total_mass);
    if (sequence == NULL) return;
    if (strlen(sequence) != 3 || strspn(sequence, "xyzXYZ") != 3) {
        mb_refuse(o->r, e, "eulerseq is '%.40s'; it must be three of x, y, z, X, Y, Z", sequence);
        return;
    }
    memcpy(s->euler, sequence, sizeof s->euler);
}

static void read_option(mj_reader *o, mb_element *e)
{
    static const char *const answers[] = {"disable", "enable", NULL};
    static const double none[3] = {0, 0, 0};
    mb_reader *r = o->r;
    const double step = mb_number(r, e, "timestep", r->m->file_step > 0 ? r->m->file_step : 0.002);
    mb_element *flag = mb_only(r, e, "flag");
    if (!(step > 0)) mb_refuse(r, e, "timestep is %g; it must be positive", step);
    o->heavy |= mb_numbers(r, e, "gravity", o->gravity, 3, 3) > 0;
    if (flag != NULL) {
        o->weightless = mb_choice(r, flag, "gravity", answers, !o->weightless) == 0;
        o->free = mb_choice(r, flag, "constraint", answers, !o->free) == 0;
        o->open = mb_choice(r, flag, "equality", answers, !o->open) == 0;
        o->smooth = mb_choice(r, flag, "frictionloss", answers, !o->smooth) == 0;
        o->slack = mb_choice(r, flag, "spring", answers, !o->slack) == 0;
        o->undamped = mb_choice(r, flag, "damper", answers, !o->undamped) == 0;
        o->unclamped = mb_choice(r, flag, "clampctrl", answers, !o->unclamped) == 0;
        o->inert = mb_choice(r, flag, "actuation", answers, !o->inert) == 0;
        o->unlimited = mb_choice(r, flag, "limit", answers, !o->unlimited) == 0;
        o->untouched = mb_choice(r, flag, "contact", answers, !o->untouched) == 0;
        o->unfiltered = mb_choice(r, flag, "filterparent", answers, !o->unfiltered) == 0;
        o->overridden = mb_choice(r, flag, "override", answers, o->overridden);
    }
    if (r->status != LG_OK) return;
    r->m->file_step = step;
    if (o->heavy || o->weightless) mb_pass_on(r, e, lg_mechanism_set_gravity(r->m, o->weightless ? none : o->gravity));
}

/* ---- bodies ---- */

static void read_inertial(mj_reader *o, mb_file_link *l, mb_element *e)
{
    mb_reader *r = o->r;
    const mb_place at = mj_place(o, e);
    double I[6] = {0, 0, 0, 0, 0, 0};
    const int principal = mb_numbers(r, e, "diaginertia", I, 3, 3), full = mb_numbers(r, e, "fullinertia", I, 6, 6);
    if (principal > 0 && full > 0)
        mb_refuse(r, e, "body '%.60s': <inertial> has both diaginertia and fullinertia; leave one", l->name);
    l->mass = mb_needed_number(r, e, "mass");
    if (r->status == LG_OK && !(l->mass > 0))
        mb_refuse(r, e, "body '%.60s': mass is %g kg; it must be positive, or leave <inertial> out", l->name, l->mass);
    memcpy(l->centre, at.g, sizeof l->centre);
    mb_turn_inertia(l->inertia, at.g + 3, I);
}

/* What changes bodies and is not read. */
static void refuse_others(mb_reader *r, const mb_element *body)
{
    static const char *const others[] = {"composite", "flexcomp"};
    for (const mb_element *e = body->child; e != NULL; e = e->next)
        for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
            if (mb_is(e, others[i]))
                mb_refuse_as(r, LG_ERROR_UNSUPPORTED, e,
                             "<%s> makes or moves bodies and is not read; let MuJoCo write the model without it "
                             "(mj_saveLastXML)",
                             others[i]);
}

/* The bodies inside of an element, each with what it contains: no deeper than the document. */
static void read_bodies(mj_reader *o, mb_element *parent, int parent_link, const char *childclass)
{
    mb_reader *r = o->r;
    mj_open_frames(o, parent);
    refuse_others(r, parent);
    for (mb_element *e = mb_each_element(parent, "body", NULL); e != NULL && r->status == LG_OK;
         e = mb_each_element(parent, "body", e)) {
        const char *name = mb_text(e, "name"), *own = mb_text(e, "childclass");
        const char *class = own != NULL ? own : childclass;
        const int k = mb_new_link(r, name != NULL && name[0] ? name : mb_print(r, "body%d", r->links + 1), e);
        if (r->status != LG_OK) return;
        r->link[k].in_parent = mj_place(o, e);
        const double borne = mb_number(r, e, "gravcomp", 0);
        r->link[k].gravcomp = o->slack && o->undamped ? 0 : borne; /* a passive force in MuJoCo, which has none then */
        mj_open_frames(o, e);
        mb_element *inertial = mb_only(r, e, "inertial"); /* also of a frame */
        const int from_geoms = mj_settings_of(o, e)->from_geoms;
        if (from_geoms == 1 || (from_geoms == 2 && inertial == NULL)) mj_mass_of_geoms(o, e, &r->link[k], class);
        if (inertial != NULL && !(r->link[k].mass > 0))
            read_inertial(o, &r->link[k], inertial);
        else if (inertial != NULL)
            mb_passed_over(inertial);
        mj_joints(o, e, k, parent_link, class);
        read_bodies(o, e, k, class);
    }
}

/* ---- constraints ---- */

/* Without a name of its own a constraint has that of its element and line, from the second one of a line on with a
 * number: joint7, joint7_2. */
const char *mj_name_of(mj_reader *o, mb_element *e)
{
    const char *name = mb_text(e, "name");
    if (name != NULL && name[0]) return name;
    o->unnamed = o->unnamed_line == e->line ? o->unnamed + 1 : 1;
    o->unnamed_line = e->line;
    name = mb_print(o->r, "%s%d", e->name, e->line);
    return o->unnamed == 1 ? name : mb_print(o->r, "%s_%d", name, o->unnamed);
}

/* Links of both bodies and their frames in space; without a second body it is the world. Instead two sites: 2. */
static int both(mj_reader *o, mb_element *e, int *link, mb_place *place)
{
    const char *body;
    mb_place in_body;
    for (int i = 0; i < 2 && mb_text(e, "site1") != NULL; i++) {
        mb_place in_link = mb_here;
        if (!mj_site_of(o, e, i ? "site2" : "site1", &link[i], &in_link)) return 0;
        const mb_place of = mb_place_of(o->r, link[i]);
        lg_se3_compose(place[i].g, of.g, in_link.g);
        if (i == 0) continue;
        mb_apart(o->r, e, mb_body_of(o->r, link[0]), mb_body_of(o->r, link[1]));
        return o->r->status == LG_OK ? 2 : 0;
    }
    if (mb_needed_text(o->r, e, "body1") == NULL) return 0;
    link[1] = -1;
    (void)mb_attached(o->r, e, "body1", &body, &link[0], &in_body);
    (void)mb_attached(o->r, e, "body2", &body, &link[1], &in_body);
    for (int i = 0; i < 2; i++) place[i] = mb_place_of(o->r, link[i]);
    if (o->r->status == LG_OK) mb_apart(o->r, e, mb_body_of(o->r, link[0]), mb_body_of(o->r, link[1]));
    return o->r->status == LG_OK;
}

static void read_connect(mj_reader *o, mb_element *e)
{
    int link[2];
    mb_place at[2];
    double anchor[3];
    const int kind = both(o, e, link, at);
    if (kind == 0) return;
    if (mb_numbers(o->r, e, "anchor", anchor, 3, 3) == 0 && kind == 1)
        mb_refuse(o->r, e, "<connect> has no attribute 'anchor'");
    lg_joint d =
        lg_joint_default(mj_name_of(o, e), LG_JOINT_SPHERICAL, mb_body_of(o->r, link[0]), mb_body_of(o->r, link[1]));
    if (o->r->status != LG_OK) return;
    if (kind == 2) {
        d.on_bodies = 1;
        mb_put_on(o->r, d.parent_point, d.parent_frame, link[0], &at[0]);
        mb_put_on(o->r, d.child_point, d.child_frame, link[1], &at[1]);
    } else {
        lg_se3_act(d.point, at[0].g, anchor);
    }
    mb_pass_on(o->r, e, lg_mechanism_add_joint(o->r->m, NULL, &d));
}

static void read_weld(mj_reader *o, mb_element *e)
{
    int link[2];
    mb_place at[2];
    double v[7] = {0, 0, 0, 0, 0, 0, 0};
    const int kind = both(o, e, link, at);
    if (kind == 0) return;
    lg_joint d =
        lg_joint_default(mj_name_of(o, e), LG_JOINT_FIXED, mb_body_of(o->r, link[0]), mb_body_of(o->r, link[1]));
    const mb_place first = at[0], second = at[1];
    mb_place one = kind == 2 ? first : second;
    (void)mb_numbers(o->r, e, "relpose", v, 7, 7);
    if (kind == 2) v[3] = v[4] = v[5] = v[6] = 0;           /* frames of sites coincide */
    if (v[3] != 0 || v[4] != 0 || v[5] != 0 || v[6] != 0) { /* zeros: the present poses */
        mb_place relative = {{v[0], v[1], v[2], v[4], v[5], v[6], v[3]}};
        mb_unit(o->r, e, "relpose", relative.g + 3, 4);
        lg_se3_compose(one.g, first.g, relative.g);
    }
    if (o->r->status != LG_OK) return;
    d.on_bodies = 1;
    mb_put_on(o->r, d.parent_point, d.parent_frame, link[0], &one);
    mb_put_on(o->r, d.child_point, d.child_frame, link[1], &second);
    mb_pass_on(o->r, e, lg_mechanism_add_joint(o->r->m, NULL, &d));
}

/* q1 - q1_0 = P(q2 - q2_0), or without joint2 P(0). */
static void read_coupling(mj_reader *o, mb_element *e)
{
    double c[5] = {0, 1, 0, 0, 0}, zero[2] = {0, 0};
    mb_reader *r = o->r;
    const char *first = mj_joint_of(o, e, "joint1", &zero[0]), *second = NULL;
    if (first != NULL && mb_text(e, "joint2") != NULL) second = mj_joint_of(o, e, "joint2", &zero[1]);
    (void)mb_numbers(r, e, "polycoef", c, 1, 5);
    if (second != NULL && strcmp(first, second) == 0) mb_refuse(r, e, "joint1 and joint2 are one joint; couple two");
    if (r->status != LG_OK || first == NULL) return;
    const int constant = second == NULL || (c[1] == 0 && c[2] == 0 && c[3] == 0 && c[4] == 0);
    lg_gear g = lg_gear_default(mj_name_of(o, e), first, constant ? NULL : second);
    if (constant) c[1] = c[2] = c[3] = c[4] = 0;
    c[0] += zero[0];
    mb_shift_polynomial(c, -zero[1]);
    g.offset = c[0], g.ratio = c[1], g.quadratic = c[2], g.cubic = c[3], g.quartic = c[4];
    mb_pass_on(r, e, lg_mechanism_add_gear(r->m, NULL, &g));
}

static void read_equality(mj_reader *o, mb_element *section)
{
    static const char *const answers[] = {"false", "true", NULL};
    static const struct {
        const char *name;
        void (*read)(mj_reader *o, mb_element *e);
    } kinds[] = {{"connect", read_connect}, {"weld", read_weld}, {"joint", read_coupling}, {"tendon", mj_hold_tendon}};
    for (mb_element *e = section->child; e != NULL && o->r->status == LG_OK; e = e->next)
        for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
            if (!mb_is(e, kinds[i].name)) continue;
            e->read = 1;
            mj_inherit_as(o, e, "equality");
            if (mb_is(e, "tendon") && mb_ignores(o->r, "tendon")) {
                mb_passed_over(e);
                mb_note(o->r, e, "<tendon> is ignored, as you ask");
                continue;
            }
            if (o->free || o->open) {
                mb_passed_over(e);
                mb_note(o->r, e, "<%s> does not act, as <flag> says", e->name);
            } else if (mb_choice(o->r, e, "active", answers, 1) == 1) {
                kinds[i].read(o, e);
            } else {
                mb_passed_over(e);
                mb_note(o->r, e, "<%s> that is not active is not read", e->name);
            }
        }
}

/* ---- the document ---- */

static void each_section(mj_reader *o, const char *name, void (*read)(mj_reader *o, mb_element *e))
{
    mb_element *root = o->r->document.root;
    for (mb_element *e = mb_each_element(root, name, NULL); e != NULL && o->r->status == LG_OK;
         e = mb_each_element(root, name, e))
        read(o, e);
}

void mj_read_compilers(mj_reader *o)
{
    each_section(o, "compiler", read_compiler);
}

static void read_worldbody(mj_reader *o, mb_element *e)
{
    read_bodies(o, e, -1, NULL);
}

static void read_world_geoms(mj_reader *o, mb_element *e)
{
    mj_read_geoms(o, e, -1);
}

void mb_read_mjcf(mb_reader *r)
{
    mj_reader o = {.r = r, .own = mj_default, .gravity = {0, 0, -9.81}};
    (void)mb_text(r->document.root, "model");
    if (r->options.root == LG_ROOT_FLOATING)
        mb_refuse_as(r, LG_ERROR_UNSUPPORTED, NULL,
                     "a floating root is for URDF; in MJCF <freejoint> says what floats");
    o.joined_end = &o.joined;
    mj_include(r);
    mj_attach(&o);
    mj_read_compilers(&o);
    each_section(&o, "option", read_option);
    mj_pass_defaults(&o);
    each_section(&o, "worldbody", read_worldbody);
    if (r->links == 0) mb_refuse(r, r->document.root, "the model has no <body> in <worldbody>");
    mj_bound_masses(&o);
    mb_sort_links(r);
    mj_settle_names(&o);
    r->walk = r->status == LG_OK ? malloc((size_t)r->links * sizeof *r->walk) : NULL;
    for (int k = 0; r->walk != NULL && k < r->links; k++) r->walk[k] = k;
    if (r->status == LG_OK && r->walk == NULL) mb_refuse_as(r, LG_ERROR_MEMORY, NULL, "out of memory");
    mb_cluster(r, 0);
    if (r->status == LG_OK) mb_emit(r);
    each_section(&o, "worldbody", read_world_geoms);
    for (int k = 0; k < r->links && r->status == LG_OK; k++) mj_read_geoms(&o, r->link[k].at, k);
    mj_sort_sites(&o);
    each_section(&o, "tendon", mj_tendons);
    each_section(&o, "actuator", mj_actuators);
    mj_limit_joint_forces(&o);
    mj_fulfil_wishes(&o); /* without the equalities */
    each_section(&o, "equality", read_equality);
    mj_colliders(&o);
    each_section(&o, "sensor", mj_sensors);
    mj_keys(&o);
    if (r->status == LG_OK) mj_judge_unread(r);
    if (!o.free) mb_note_limits(r);
    if (r->status == LG_OK && !o.free && o.tendon_limits > 0)
        mb_note(r, r->document.root, "%d tendon limit%s not enforced", o.tendon_limits,
                o.tendon_limits > 1 ? "s are" : " is");
    mb_note_contacts(r, o.colliding, "geoms");
}
