/* SPDX-License-Identifier: BSD-3-Clause */
/* The public motion: creation and steps. Starting is start.c, reading is state.c and reading.c. */
#include "base/exact.h"
#include "multibody/contact/events/events.h"
#include "multibody/contact/islands.h"
#include "multibody/motion.h"
#include "multibody/activation.h"
#include "multibody/parts/joint.h"
#include "multibody/parts/part.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include <liegrp/multibody/dynamics.h>

#include "multibody/forces/force.h"

/* ---- creation ---- */

double mb_stage_step(const mb_sparse *mo, double h, int stage)
{
    const lg_composition *c = mo->composition;
    if (c == NULL) return h;
    return h * c->c[stage < c->stages - stage ? stage : c->stages - 1 - stage];
}

void mb_saved_carve(mb_saved *saved, lg_arena *a, const mb_plan *plan)
{
    const size_t bodies = sz(mb_frames(plan));
    saved->pose = lg_take(a, bodies * sizeof *saved->pose);
    saved->p = lg_take(a, bodies * sizeof *saved->p);
    saved->q = lg_take_doubles(a, (size_t)plan->coordinates);
    saved->motor_work = lg_take_doubles(a, (size_t)plan->works);
    saved->control = lg_take_doubles(a, (size_t)plan->controls);
    saved->act = lg_take_doubles(a, sz(mb_activation_numbers(plan)));
    saved->impulse = lg_take_doubles(a, sz(mb_contacts_numbers(plan)));
    saved->reaction = lg_take_doubles(a, MB_REACTION * sz(mb_room(plan)->blocks));
}

/* Of contacts in the steps of gauss. */
static void carve_events(mb_sparse *mo, lg_arena *a)
{
    mb_collocation *o = mo->numbers.collocation;
    if (mo->plan.contacts == 0) return;
    mb_events *E = mb_events_carve(a, &mo->plan, mo->collocation_stages);
    if (o != NULL) o->events = E, E->motion = &mo->numbers;
}

static void motion_carve(mb_sparse *mo, lg_arena *a)
{
    const mb_plan *plan = &mo->plan;
    const size_t bodies = sz(mb_frames(plan)), normals = sz(mb_normals_before(mo->mechanism, MB_KINDS));
    mb_motion_carve(&mo->numbers, a, plan, mb_stages(mo));
    mo->numbers.contacts = plan->contacts > 0 ? mb_contacts_carve(a, plan) : NULL;
    if (plan->closes) mb_motion_carve(&mo->finer, a, plan, 1);
    if (mo->collocation_stages > 0) {
        mo->numbers.collocation = mb_collocation_carve(a, plan, mo->collocation_stages);
        mo->adaptive = mb_adaptive_carve(a, plan, mo->collocation_stages);
        carve_events(mo, a);
    }
    for (int i = 0; i < 5; i++) mb_saved_carve(i < 4 ? &mo->saved[i] : &mo->first, a, plan);
    mo->multiplier = lg_take_doubles(a, (size_t)plan->rows + 1);
    mo->motor_work = lg_take_doubles(a, (size_t)plan->works);
    mo->normal = lg_take_doubles(a, normals);
    mo->normal_least = lg_take_doubles(a, normals);
    mo->normal_time = lg_take_doubles(a, normals);
    mo->frame = lg_take(a, bodies * sizeof *mo->frame);
    mo->poses = lg_take_doubles(a, 7 * bodies);
    mo->twists = lg_take_doubles(a, 6 * bodies);
    mo->wrenches = lg_take_doubles(a, 6 * bodies);
    mo->impacts = lg_take(a, sz(plan->contacts) * sizeof *mo->impacts);
    mo->islands = mo->collocation_stages == 0 ? mb_islands_carve(a, mo) : NULL;
    mo->position_of_joint = lg_take(a, ((size_t)mo->mechanism->part[MB_JOINTS].count + 1) * sizeof(int));
    mo->position_of_body = lg_take(a, bodies * sizeof(int));
    mb_choice_carve(&mo->choice, a, plan);
}

/* The plan begins as compiled. */
static void choose_rows(mb_sparse *mo)
{
    mb_choice *c = &mo->choice;
    c->plan = &mo->plan, c->base = &mo->mechanism->plan;
    c->moving[0] = &mo->numbers, c->moving[1] = mo->adaptive != NULL ? &mo->adaptive->numbers : NULL;
    c->stages = mb_stages(mo), c->pivot = &mo->pivot;
    if (mo->adaptive != NULL) mo->adaptive->choice = c;
    mb_choice_reset(c);
}

static void number_positions(mb_sparse *mo)
{
    const lg_mechanism *m = mo->mechanism;
    for (int j = 0; j < m->part[MB_JOINTS].count; j++) mo->position_of_joint[j] = -1;
    for (int b = 0; b < m->plan.bodies; b++) {
        const int j = m->link[b].joint;
        mo->position_of_body[b] = -1;
        if (j >= 0) mo->position_of_joint[j] = 0;
    }
    for (int j = 0; j < m->part[MB_JOINTS].count; j++) {
        if (mo->position_of_joint[j] < 0) continue;
        mo->position_of_joint[j] = mo->positions;
        mo->positions += mb_position_count(MB_JOINT_OF(m, j));
    }
    for (int b = 0; b < m->plan.bodies; b++) {
        if (m->link[b].joint >= 0 || mb_is_rotor(&m->plan, b)) continue;
        mo->position_of_body[b] = mo->positions;
        mo->positions += 6;
    }
}

/* The world stays where it is. */
static void place_world(mb_sparse *mo)
{
    const int world = mo->mechanism->plan.bodies;
    for (int i = 0; i < 2; i++) mb_world_load(&mo->numbers.node[i].pose[world]);
    mb_world_load(&mo->numbers.mean_pose[world]);
}

/* rattle is variational: constraints on positions, forces from potentials and motors. */
static lg_status check_rattle(mb_sparse *o, const lg_mechanism *m)
{
    const mb_plan *p = &m->plan;
    if (p->holonomic_blocks < p->blocks) {
        const mb_block *k = &p->block[p->holonomic_blocks];
        const char *name, *noun = mb_block_noun(m, k, &name);
        if (mb_is_rotor(p, k->body[0]))
            return lg_fail(&o->head.error, LG_ERROR_UNSUPPORTED,
                           "lg_motion_create: rattle takes constraints on positions only and %s '%.60s' turns a rotor; "
                           "use sem",
                           noun, name);
        return lg_fail(&o->head.error, LG_ERROR_UNSUPPORTED,
                       "lg_motion_create: rattle takes constraints on positions only and %s '%.60s' rolls; use sem, or "
                       "make the %s slide",
                       noun, name, noun);
    }
    if (p->drives > 0)
        return lg_fail(&o->head.error, LG_ERROR_UNSUPPORTED,
                       "lg_motion_create: rattle takes no constraints that depend on time, as that of drive '%.60s'; "
                       "use sem",
                       MB_DRIVE_OF(m, 0)->name);
    if (p->thrusters > 0)
        return lg_fail(&o->head.error, LG_ERROR_UNSUPPORTED,
                       "lg_motion_create: rattle takes no forces that turn with a body, as that of thruster '%.60s'; "
                       "use sem",
                       MB_THRUSTER_OF(m, 0)->name);
    if (p->balls > 0)
        return lg_fail(&o->head.error, LG_ERROR_UNSUPPORTED,
                       "lg_motion_create: rattle takes no torques on the rotation vector of joint '%.60s'; use sem",
                       MB_JOINT_OF(m, p->ball[0].joint)->name);
    for (const mb_force *s = p->force; s < p->force + p->forces; s++) {
        const int joint = s->coordinate >= 0 ? p->coordinate[s->coordinate].joint : -1;
        const int tendon = s->tendon != NULL ? (int)(s->tendon - p->tendon) : -1;
        if (!mb_force_works(s)) continue;
        if (s->control >= 0)
            return lg_fail(&o->head.error, LG_ERROR_UNSUPPORTED,
                           "lg_motion_create: rattle takes no forces that dissipate and motor '%.60s' %s; use sem",
                           MB_MOTOR_OF(m, s->control)->name,
                           s->law == MB_LAW_brake ? "brakes" : "is a servo, or its limits do not let it rest");
        return lg_fail(&o->head.error, LG_ERROR_UNSUPPORTED,
                       "lg_motion_create: rattle takes no forces that dissipate and %s '%.60s' has one; use sem",
                       tendon >= 0 ? "tendon"
                       : joint < 0 ? "spring"
                                   : "joint",
                       tendon >= 0 ? MB_TENDON_OF(m, tendon)->name
                       : joint < 0 ? MB_SPRING_OF(m, s - p->line)->name
                                   : MB_JOINT_OF(m, joint)->name);
    }
    return LG_OK;
}

int mb_method_is_gauss(const char *method)
{
    return method != NULL && strcspn(method, ":@") == 5 && strncmp(method, "gauss", 5) == 0;
}

/* The engine's names; the equations of mechanisms are those of accelerations. */
static lg_status parse_gauss(mb_sparse *o, const char *method)
{
    lg_method M;
    const lg_status st = lg_method_parse(&M, method, &o->head.error);
    if (st != LG_OK) return st;
    if (M.form == LG_FORM_STAGE)
        return lg_fail(&o->head.error, LG_ERROR_UNSUPPORTED,
                       "lg_motion_create: '%.60s': mechanisms have the rate form alone, since rows know their second "
                       "derivatives; leave 'stage' out",
                       method);
    if (M.composition != NULL)
        return lg_fail(&o->head.error, LG_ERROR_ARGUMENT,
                       "lg_motion_create: '%.60s': compositions raise the order of symmetric steps, and the projection "
                       "at a node is not; choose the order by the stages, such as gauss:stages=8",
                       method);
    o->collocation_stages = M.collocation_stages;
    return LG_OK;
}

static lg_status parse(mb_sparse *o, const lg_mechanism *m, const char *method, double h)
{
    lg_error *e = &o->head.error;
    if (m == NULL || !m->compiled)
        return lg_fail(e, LG_ERROR_ARGUMENT,
                       "lg_motion_create: the mechanism is not compiled; call lg_mechanism_compile()");
    if (!isfinite(h) || h == 0)
        return lg_fail(e, LG_ERROR_ARGUMENT, "lg_motion_create: step h is %g; it must be finite and not 0", h);
    if (method == NULL) method = "sem";
    if (mb_method_is_gauss(method)) {
        const lg_status st = mb_contacts_take(o, m, method);
        return st == LG_OK ? parse_gauss(o, method) : st;
    }
    const char *at = strchr(method, '@');
    const size_t length = at != NULL ? (size_t)(at - method) : strlen(method);
    o->numbers.rattle = length == 6 && strncmp(method, "rattle", 6) == 0;
    if (!o->numbers.rattle && (length != 3 || strncmp(method, "sem", 3) != 0))
        return lg_fail(e, LG_ERROR_ARGUMENT,
                       "lg_motion_create: there is no method '%.60s'; mechanisms have sem, rattle, gauss and "
                       "compositions of the first two, such as sem@suzuki4",
                       method);
    if (at != NULL && (o->composition = lg_composition_named(at + 1, strlen(at + 1))) == NULL)
        return lg_fail(e, LG_ERROR_ARGUMENT,
                       "lg_motion_create: method '%.60s': unknown composition '%.40s'; expected yoshida4, suzuki4, "
                       "kahan-li6 or kahan-li8",
                       method, at + 1);
    const lg_status st = mb_contacts_take(o, m, o->numbers.rattle ? "rattle" : method);
    return st == LG_OK && o->numbers.rattle ? check_rattle(o, m) : st;
}

/* A motion of which all but the arrays is set gets these. */
static void furnish(mb_sparse *mo, char *arrays)
{
    lg_arena a = {arrays, 0};
    motion_carve(mo, &a);
    choose_rows(mo);
    mb_forget_normals(mo);
    place_world(mo);
    number_positions(mo);
}

lg_status mb_sparse_create(mb_sparse **motion, const lg_mechanism *mechanism, const char *method, double h)
{
    if (motion == NULL) return LG_ERROR_ARGUMENT;
    mb_sparse probe = {.mechanism = mechanism, .h = h};
    lg_status st = parse(&probe, mechanism, method, h);
    lg_arena a = {NULL, 0};
    if (st == LG_OK) probe.plan = mechanism->plan, motion_carve(&probe, &a);
    const size_t head = lg_aligned(sizeof probe);
    lg_align(&a);
    mb_sparse *mo = lg_reserve(head + a.used);
    *motion = mo;
    if (mo == NULL) return LG_ERROR_MEMORY;
    *mo = probe;
    mo->head.bodies = mo;
    if (st == LG_OK) mo->head.engine = &lg_engine_sparse;
    mo->bytes = head + a.used;
    if (st == LG_OK && method != NULL) (void)snprintf(mo->method, sizeof mo->method, "%s", method);
    if (st == LG_OK) furnish(mo, (char *)mo + head);
    return st;
}

lg_status mb_sparse_renew(mb_sparse *mo, const lg_mechanism *mechanism)
{
    const lg_motion head = mo->head;
    mb_sparse probe = {.mechanism = mechanism, .h = mo->h};
    lg_status st = parse(&probe, mechanism, mo->method[0] != '\0' ? mo->method : NULL, mo->h);
    lg_arena a = {NULL, 0};
    if (st != LG_OK) return lg_fail(&mo->head.error, st, "%s", probe.head.error.message);
    probe.plan = mechanism->plan, motion_carve(&probe, &a);
    char *arrays = lg_reserve(a.used);
    if (arrays == NULL) return lg_fail(&mo->head.error, LG_ERROR_MEMORY, "lg_motion_set_parameters: out of memory");
    mb_sparse_destroy(mo->inside), lg_dynamics_destroy(mo->observer), lg_release(mo->renewed);
    probe.bytes = mo->bytes, probe.changes = mo->changes + 1, probe.renewed = arrays;
    memcpy(probe.method, mo->method, sizeof probe.method);
    *mo = probe;
    mo->head = head;
    furnish(mo, arrays);
    return LG_OK;
}

void mb_sparse_destroy(mb_sparse *mo)
{
    if (mo != NULL) mb_sparse_destroy(mo->inside), lg_dynamics_destroy(mo->observer), lg_release(mo->renewed);
    lg_release(mo);
}

/* ---- controls and wrenches ---- */

lg_status mb_sparse_set_control(mb_sparse *mo, const double *u)
{
    if (mo == NULL || mo->numbers.plan == NULL) return LG_ERROR_ARGUMENT;
    const int count = mo->mechanism->plan.controls;
    if (u == NULL)
        return lg_fail(&mo->head.error, LG_ERROR_ARGUMENT,
                       "lg_motion_set_control: the controls are NULL; give %d numbers, one a motor or thruster", count);
    for (int i = 0; i < count; i++) {
        const char *name, *noun = mb_control_noun(mo->mechanism, i, &name);
        if (!isfinite(u[i]))
            return lg_fail(&mo->head.error, LG_ERROR_NOT_FINITE, "lg_motion_set_control: %s '%.60s' gets %g", noun,
                           name, u[i]);
    }
    mb_activations_turn(&mo->plan, mo->numbers.act, mo->numbers.control, u, mo->t);
    memcpy(mo->numbers.control, u, (size_t)count * sizeof *u);
    return LG_OK;
}

/* The motion that owns these numbers: they are its member. */
static mb_sparse *owner_of(mb_motion *n)
{
    return (mb_sparse *)(void *)((char *)n - offsetof(mb_sparse, numbers));
}

/* Calls the caller's function; what fails is remembered. */
static int call(mb_sparse *mo, double t, const double *poses, const double *twists, double *wrenches)
{
    const int bodies = mo->mechanism->plan.bodies;
    memset(wrenches, 0, 6 * (size_t)bodies * sizeof *wrenches);
    const int code = mo->wrench(t, poses, twists, wrenches, mo->context);
    for (int i = 0; i < 6 * bodies; i++)
        if (code == 0 && !isfinite(wrenches[i])) mo->unfit = i / 6 + 1;
    return code != 0 ? code : mo->unfit;
}

/* At a stage of collocation. */
static int ask_at(void *owner, double t, const double *poses, const double *twists, double *wrenches)
{
    return call(owner, t, poses, twists, wrenches);
}

/* At the middle of the step. */
static int ask(mb_motion *n, const mb_node *n0, const mb_node *n1, double h)
{
    mb_sparse *mo = owner_of(n);
    const int bodies = n->plan->bodies;
    for (int b = 0; b < bodies; b++) {
        double *pose = mo->poses + 7 * b, *twist = mo->twists + 6 * b, w[3], length = 0;
        for (int k = 0; k < 3; k++) pose[k] = n->mean_pose[b].r[k], twist[k] = n->x.xi[b].v[k];
        for (int k = 0; k < 4; k++) {
            pose[3 + k] = n0->pose[b].q[k] + n1->pose[b].q[k];
            length += pose[3 + k] * pose[3 + k];
        }
        for (int k = 0; k < 4; k++) pose[3 + k] /= sqrt(length);
        mb_turn(w, n0->pose[b].R, n->x.xi[b].v + 3);
        memcpy(twist + 3, w, sizeof w);
    }
    const int code = call(mo, mo->t + 0.5 * h, mo->poses, mo->twists, mo->wrenches);
    for (int b = 0; b < bodies; b++) memcpy(n->force[b].v, mo->wrenches + 6 * b, sizeof n->force[b].v);
    return code;
}

lg_status mb_sparse_set_wrench(mb_sparse *mo, lg_wrench_fn wrench, void *context)
{
    if (mo->numbers.rattle && wrench != NULL)
        return lg_fail(&mo->head.error, LG_ERROR_ARGUMENT,
                       "lg_motion_set_wrench: rattle takes no wrench function; use sem");
    mo->wrench = wrench, mo->context = context;
    mo->numbers.ask = wrench != NULL ? ask : NULL;
    if (mo->numbers.collocation != NULL) {
        mo->numbers.collocation->ask = wrench != NULL ? ask_at : NULL, mo->numbers.collocation->owner = mo;
        mb_adaptive_forget(mo->adaptive);
    }
    memset(mo->numbers.force, 0, (size_t)mo->mechanism->plan.bodies * sizeof *mo->numbers.force);
    return LG_OK;
}

lg_status mb_sparse_set_halvings(mb_sparse *mo, int halvings)
{
    if (mo == NULL || mo->numbers.plan == NULL) return LG_ERROR_ARGUMENT;
    if (halvings < 0 || halvings > 30)
        return lg_fail(&mo->head.error, LG_ERROR_ARGUMENT, "lg_motion_set_halvings: %d; it must be from 0 to 30",
                       halvings);
    mo->halvings = halvings;
    return LG_OK;
}

/* ---- a tolerance ---- */

lg_status mb_sparse_set_tolerance(mb_sparse *mo, double tolerance)
{
    if (mo == NULL || mo->numbers.plan == NULL) return LG_ERROR_ARGUMENT;
    if (mo->adaptive == NULL)
        return lg_fail(&mo->head.error, LG_ERROR_UNSUPPORTED,
                       "lg_motion_set_tolerance: method '%.40s' has steps of the given length only; create the motion "
                       "with gauss",
                       mo->method[0] != '\0' ? mo->method : "sem");
    if (mo->numbers.contacts != NULL)
        return lg_fail(&mo->head.error, LG_ERROR_UNSUPPORTED,
                       "lg_motion_set_tolerance: steps with contacts have the given length, with events inside; leave "
                       "the tolerance out, and take a smaller step");
    if (tolerance != 0 && !(tolerance >= LG_TOLERANCE_LEAST && tolerance <= LG_TOLERANCE_MOST))
        return lg_fail(&mo->head.error, LG_ERROR_ARGUMENT,
                       "lg_motion_set_tolerance: %g; expected 0 (none) or from %g, what round-off lets a step keep, to "
                       "%g",
                       tolerance, LG_TOLERANCE_LEAST, LG_TOLERANCE_MOST);
    mb_adaptive_set(mo->adaptive, tolerance);
    mb_collocation_forget(mo->numbers.collocation);
    if (tolerance == 0) mo->numbers.collocation->tolerance = mo->adaptive->numbers.collocation->tolerance;
    return LG_OK;
}

lg_status mb_sparse_set_solver(mb_sparse *mo, double tolerance)
{
    if (mo == NULL || mo->numbers.plan == NULL) return LG_ERROR_ARGUMENT;
    if (mo->numbers.collocation == NULL)
        return lg_fail(&mo->head.error, LG_ERROR_UNSUPPORTED,
                       "lg_motion_set_solver: the sweeps of '%.40s' end at round-off; create the motion with gauss",
                       mo->method[0] != '\0' ? mo->method : "sem");
    if (!(tolerance >= 1e-16 && tolerance <= 1e-3))
        return lg_fail(&mo->head.error, LG_ERROR_ARGUMENT, "lg_motion_set_solver: %g; expected from 1e-16 to 1e-3",
                       tolerance);
    mo->numbers.collocation->tolerance = tolerance;
    return LG_OK;
}

double mb_sparse_tolerance(const mb_sparse *mo)
{
    return mo != NULL && mb_is_adaptive(mo) ? mo->adaptive->step_size.tolerance : 0;
}

double mb_sparse_found_step(const mb_sparse *mo)
{
    return mo != NULL && mb_is_adaptive(mo) && mo->adaptive->step_size.taken != 0 ? mo->adaptive->step_size.taken : NAN;
}

double mb_sparse_step_error(const mb_sparse *mo)
{
    return mo != NULL && mb_is_adaptive(mo) && mo->adaptive->step_size.taken != 0 ? mo->adaptive->step_size.error : NAN;
}

/* ---- steps ---- */

void mb_save(const mb_sparse *mo, mb_saved *to)
{
    const mb_plan *plan = &mo->plan;
    const mb_node *n = mb_now(mo);
    memcpy(to->pose, n->pose, (size_t)plan->bodies * sizeof *n->pose);
    memcpy(to->p, n->p, (size_t)plan->bodies * sizeof *n->p);
    memcpy(to->q, n->q, (size_t)plan->coordinates * sizeof *n->q);
    memcpy(to->motor_work, mo->motor_work, (size_t)plan->works * sizeof *mo->motor_work);
    memcpy(to->control, mo->numbers.control, (size_t)plan->controls * sizeof *to->control);
    memcpy(to->act, mo->numbers.act, sz(mb_activation_numbers(plan)) * sizeof *to->act);
    memcpy(to->reaction, mo->numbers.reaction, MB_REACTION * sz(mb_room(plan)->blocks) * sizeof *to->reaction);
    to->t = mo->t, to->work = mo->work;
    if (mo->numbers.contacts != NULL) mb_contacts_save(mo->numbers.contacts, to->impulse);
}

void mb_restore(mb_sparse *mo, const mb_saved *from)
{
    const mb_plan *plan = &mo->plan;
    mb_node *n = &mo->numbers.node[mo->numbers.now];
    memcpy(n->pose, from->pose, (size_t)plan->bodies * sizeof *n->pose);
    memcpy(n->p, from->p, (size_t)plan->bodies * sizeof *n->p);
    memcpy(mo->motor_work, from->motor_work, (size_t)plan->works * sizeof *mo->motor_work);
    memcpy(mo->numbers.reaction, from->reaction, MB_REACTION * sz(mb_room(plan)->blocks) * sizeof *from->reaction);
    memset(mo->numbers.owed, 0, sz(plan->rows) * sizeof *mo->numbers.owed);
    mo->t = from->t, mo->work = from->work;
    if (mo->numbers.contacts != NULL) mb_contacts_restore(mo->numbers.contacts, from->impulse);
    mb_stray none;
    (void)mb_node_lead(plan, n, mo->t, -1, &none); /* it was there before */
    memcpy(n->q, from->q, (size_t)plan->coordinates * sizeof *n->q);
    mb_turn_bodies(plan, n);
    mb_node_rows(plan, n, 0);
    mb_forget(mo);
}

/* One sub-step of h; nonzero: it failed. */
static int step(mb_sparse *mo, double h, int stage)
{
    mb_motion *n = &mo->numbers;
    const mb_ledger now = {mo->t, mo->work, mo->motor_work, NULL};
    if (mb_is_adaptive(mo)) return mb_adaptive_step(mo->adaptive, n, &now, h, mo->t + h);
    n->t = mo->t;
    if (n->collocation != NULL) n->collocation->t = mo->t;
    return mb_step(n, h, stage);
}

/* As mb_restore(), where the frames have not moved: nothing is forgotten. */
static void restore_totals(mb_sparse *mo, const mb_saved *from)
{
    memcpy(mo->motor_work, from->motor_work, sz(mo->plan.works) * sizeof *mo->motor_work);
    mo->t = from->t, mo->work = from->work;
    if (mo->numbers.contacts != NULL) mb_contacts_restore(mo->numbers.contacts, from->impulse);
}

/* *total += x, number i of the totals. What slips and strikes for long turns over much more than H: with contacts, what
 * rounding takes is added with the next term. */
static void add_total(mb_sparse *mo, double *total, int i, double x)
{
    mb_contacts *c = mo->numbers.contacts;
    if (c == NULL)
        *total += x;
    else
        exact_sum(total, &c->carry[i], *total, x + c->carry[i]);
}

void mb_add_works(mb_sparse *mo, double sum, const double *work, int first, int count)
{
    for (int i = 0; i < count; i++) add_total(mo, &mo->motor_work[first + i], first + i, work[i]);
    add_total(mo, &mo->work, mo->plan.works, sum);
}

static lg_status attempt(mb_sparse *mo, double h)
{
    mb_motion *n = &mo->numbers;
    lg_status st = LG_OK;
    mb_save(mo, &mo->saved[0]);
    n->span = fabs(h);
    for (int s = 0; s < mb_stages(mo) && st == LG_OK; s++) {
        const double part = mb_stage_step(mo, h, s);
        n->callback = mo->unfit = 0;
        st = step(mo, part, s) ? mb_explain(mo, part) : mb_check_step(mo, part);
        mb_add_works(mo, n->work, n->motor_work, 0, n->plan->works);
        mo->t += part;
        if (st == LG_OK && n->summed != 0) mb_reactions_add(n, part / mo->whole);
    }
    if (st == LG_OK && n->summed != 0) mb_reactions_end(n);
    if (st == LG_ERROR_INTERRUPTED)
        restore_totals(mo, &mo->saved[0]);
    else if (st != LG_OK)
        mb_restore(mo, &mo->saved[0]), mo->stepped = 0; /* its multipliers are invalid */
    return st;
}

/* A step of h with all its sub-steps, with other rows where those that were kept come to depend on each other; the
 * state is what it was if it fails. */
static lg_status advance(mb_sparse *mo, double h)
{
    if (!mb_is_adaptive(mo)) mb_choice_look(&mo->choice, &mo->numbers); /* otherwise the internal integrator does so */
    lg_status st = attempt(mo, h);
    if ((st == LG_ERROR_SINGULAR || st == LG_ERROR_CONVERGENCE) && !mb_is_far(mo) &&
        mb_choice_again(&mo->choice, &mo->numbers))
        st = attempt(mo, h);
    return st;
}

lg_status mb_advance_part(mb_sparse *mo, double h)
{
    return advance(mo, h);
}

/* As advance(), or as 2, 4, ... 2^depth steps that make up h; only the caller can restore what came before them. */
static lg_status advance_halving(mb_sparse *mo, double h, int depth)
{
    const lg_status st = advance(mo, h);
    if (st == LG_OK || depth == 0 || st == LG_ERROR_CALLBACK || st == LG_ERROR_NOT_FINITE ||
        mo->numbers.stray.kind != MB_STRAY_NONE)
        return st;
    if (mb_is_far(mo) || mb_is_stopped(mo)) return st;
    lg_status half = LG_OK;
    if (mo->numbers.summed == 0) mb_reactions_begin(&mo->numbers, 1);
    for (int i = 0; i < 2 && half == LG_OK; i++) half = advance_halving(mo, 0.5 * h, depth - 1);
    mb_forget(mo);
    return half;
}

lg_status mb_advance(mb_sparse *mo, double h)
{
    mo->whole = h;
    mb_reactions_begin(&mo->numbers, mb_stages(mo) > 1);
    const int parts = mo->halvings > 0 || mo->numbers.contacts != NULL;
    if (parts) mb_save(mo, &mo->saved[1]);
    const lg_status st =
        mo->numbers.contacts != NULL ? mb_contacts_advance(mo, h) : advance_halving(mo, h, mo->halvings);
    const int moved = st != LG_ERROR_INTERRUPTED || mo->t != mo->saved[1].t;
    if (st != LG_OK && parts && moved) mb_restore(mo, &mo->saved[1]), mo->stepped = 0;
    if (st == LG_OK) lg_error_clear(&mo->head.error); /* of what halving mended */
    return st;
}

lg_status mb_sparse_step(mb_sparse *mo, int64_t steps)
{
    for (int64_t i = 0; i < steps; i++) {
        const double worked = mb_account_sum(mo);
        mo->t = mo->t0 + (double)mo->count * mo->h;
        const lg_status st = mb_advance(mo, mo->h);
        if (st != LG_OK) return st;
        mo->step_work = mb_account_sum(mo) - worked;
        mo->count++;
        mo->stepped = 1;
        mo->t = mo->t0 + (double)mo->count * mo->h;
    }
    return LG_OK;
}
