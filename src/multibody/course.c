/* SPDX-License-Identifier: BSD-3-Clause */
#include "multibody/course.h"

#include <math.h>
#include <string.h>

#include <liegrp/groups/so3.h>

#include "multibody/activation.h"
#include "multibody/forces/force.h"

/* ---- creation ---- */

/* Why a step has no derivative, or depends on time. */
static lg_status course_refuse(const lg_mechanism *m, lg_error *e)
{
    static const char who[] = "lg_optimum_create";
    const mb_plan *plan = &m->plan;
    const char *name, *noun;
    if (plan->contacts > 0) {
        noun = mb_contact_noun(m, &name);
        return lg_fail(e, LG_ERROR_UNSUPPORTED,
                       "%s: a step with contacts, as of %s '%.60s', has no derivative where they open or close; "
                       "describe the mechanism without surfaces, stops and dry friction",
                       who, noun, name);
    }
    const int acts = mb_first_activation(plan);
    if (acts >= 0) {
        noun = mb_control_noun(m, acts, &name);
        return lg_fail(e, LG_ERROR_UNSUPPORTED,
                       "%s: %s '%.60s' has an activation, a state that nodes do not contain; describe it without", who,
                       noun, name);
    }
    if (plan->drives > 0)
        return lg_fail(
            e, LG_ERROR_UNSUPPORTED,
            "%s: drive '%.60s' prescribes a motion, so that a step depends on time; put a motor in its place", who,
            MB_DRIVE_OF(m, 0)->name);
    for (const mb_force *s = plan->force; s < plan->force + plan->forces; s++)
        if (mb_is_servo(s)) {
            noun = mb_control_noun(m, s->control, &name);
            return lg_fail(e, LG_ERROR_UNSUPPORTED,
                           "%s: %s '%.60s' is a servo, whose force has no derivative where it comes to its limits; "
                           "describe it without gains, so that its control is the force",
                           who, noun, name);
        }
    return LG_OK;
}

static void course_carve(mb_course *o, lg_arena *a)
{
    mb_linear_carve(&o->at, a), mb_linear_carve(&o->to, a);
    o->at.room = mb_take(a, mb_linear_exact_bytes(&o->at, o->copy));
    o->z = lg_take_doubles(a, 2 * sz(o->at.n)), o->x = lg_take_doubles(a, sz(o->state));
}

static lg_status course_motion(mb_sparse **mo, const lg_mechanism *m, const char *method, double h, lg_error *e)
{
    lg_status st = mb_sparse_create(mo, m, method, h);
    if (st == LG_OK) st = mb_sparse_start(*mo, 0, NULL, NULL, 1);
    if (*mo == NULL) return lg_fail(e, st, "lg_optimum_create: out of memory");
    return st == LG_OK ? LG_OK : lg_fail(e, st, "lg_optimum_create: %.280s", (*mo)->head.error.message);
}

lg_status mb_course_create(mb_course **out, const lg_mechanism *m, const char *method, double h, lg_error *e)
{
    mb_course probe = {.bytes = 0};
    lg_arena a = {NULL, 0};
    *out = NULL;
    lg_status st = course_refuse(m, e);
    if (st == LG_OK) st = course_motion(&probe.base, m, method, h, e);
    if (st == LG_OK) st = course_motion(&probe.copy, m, method, h, e);
    if (st == LG_OK) st = course_motion(&probe.end, m, method, h, e);
    probe.at = (mb_linear){.mo = probe.base, .copy = probe.copy, .who = "lg_optimum", .small = MB_LINEAR_FINE};
    probe.at.steps = 1;
    probe.to = (mb_linear){.mo = probe.end, .copy = probe.copy};
    probe.at.n = probe.to.n = 6 * m->plan.bodies;
    probe.at.count[0] = probe.to.count[0] = mb_position_freedoms(&m->plan);
    probe.at.count[1] = probe.to.count[1] = mb_freedoms(&m->plan);
    probe.k = probe.at.count[0] + probe.at.count[1];
    if (st == LG_OK) {
        probe.positions = probe.base->positions, probe.state = 13 * m->plan.bodies + m->plan.coordinates;
        course_carve(&probe, &a);
    }
    const size_t head = lg_aligned(sizeof probe), bytes = head + lg_aligned(a.used);
    mb_course *o = st == LG_OK ? lg_reserve(bytes) : NULL;
    if (st == LG_OK && o == NULL)
        st = lg_fail(e, LG_ERROR_MEMORY, "lg_optimum_create: out of memory (%zu bytes)", bytes);
    if (st != LG_OK) {
        mb_sparse_destroy(probe.base), mb_sparse_destroy(probe.copy), mb_sparse_destroy(probe.end);
        return st;
    }
    *o = probe;
    a = (lg_arena){(char *)o + head, 0};
    course_carve(o, &a);
    if (mb_linear_exact_bytes(&o->at, o->copy) == 0) o->at.room = NULL;
    o->at.end = &o->to, o->bytes = bytes;
    *out = o;
    return LG_OK;
}

void mb_course_destroy(mb_course *o)
{
    if (o == NULL) return;
    mb_sparse_destroy(o->base), mb_sparse_destroy(o->copy), mb_sparse_destroy(o->end);
    lg_release(o);
}

size_t mb_course_bytes(const mb_course *o)
{
    return o != NULL ? o->bytes + o->base->bytes + o->copy->bytes + o->end->bytes : 0;
}

/* ---- states ---- */

/* The motion's node <- x, without its rows. */
static void course_load(mb_sparse *mo, const double *x)
{
    const mb_plan *plan = &mo->plan;
    const double *twist = x + 7 * plan->bodies;
    mb_node *n = &mo->numbers.node[0];
    mo->numbers.now = 0;
    for (int b = 0; b < plan->bodies; b++) {
        memcpy(n->pose[b].r, x + 7 * b, sizeof n->pose[b].r);
        memcpy(n->pose[b].q, x + 7 * b + 3, sizeof n->pose[b].q);
    }
    memcpy(n->q, twist + 6 * plan->bodies, sz(plan->coordinates) * sizeof *n->q);
    mb_turn_bodies(plan, n);
    for (int b = 0; b < plan->bodies; b++) {
        double w[3], p[3];
        mb_back(w, n->pose[b].R, twist + 6 * b + 3);
        mb_turn(p, plan->inertia + 9 * b, w);
        for (int k = 0; k < 3; k++) n->p[b].v[k] = plan->mass[b] * twist[6 * b + k];
        mb_turn(n->p[b].v + 3, n->pose[b].R, p);
    }
}

/* x <- the motion's present node. */
static void course_store(const mb_course *o, double *x, const mb_sparse *mo)
{
    const mb_plan *plan = &mo->plan;
    const mb_node *n = mb_now(mo);
    for (int b = 0; b < plan->bodies; b++) {
        memcpy(x + 7 * b, n->pose[b].r, sizeof n->pose[b].r);
        memcpy(x + 7 * b + 3, n->pose[b].q, sizeof n->pose[b].q);
    }
    mb_linear_twists(&o->at, x + 7 * plan->bodies, n);
    memcpy(x + 13 * plan->bodies, n->q, sz(plan->coordinates) * sizeof *n->q);
}

/* `base` <- x, with the rows that it keeps; the copy keeps them too. */
static void course_base(mb_course *o, const double *x, double t)
{
    course_load(o->base, x);
    o->base->t = t;
    memcpy(o->at.first + o->at.n, x + 7 * o->base->plan.bodies, sz(o->at.n) * sizeof *x);
    if (o->base->plan.whole == NULL) return;
    mb_choose_rows(o->base);
    mb_linear_copy_choice(&o->at);
}

static lg_status course_say(mb_course *o, lg_status st, const mb_sparse *mo)
{
    if (st != LG_OK) (void)lg_fail(&o->error, st, "%.300s", mo->head.error.message);
    return st;
}

lg_status mb_course_start(mb_course *o, double *x, const double *q, const double *v, int project)
{
    const lg_status st = mb_sparse_start(o->base, 0, q, v, project);
    if (st == LG_OK) course_store(o, x, o->base);
    return course_say(o, st, o->base);
}

lg_status mb_course_read(mb_course *o, double *q, double *v, const double *x)
{
    course_load(o->base, x);
    o->base->started = 1; /* whatever the last start was */
    return course_say(o, lg_motion_positions(&o->base->head, q, v), o->base);
}

static void course_bases(mb_linear *L, const double *frame)
{
    memcpy(L->basis[0], frame, sz(L->count[0]) * sz(L->n) * sizeof *frame);
    memcpy(L->basis[1], frame + sz(L->count[0]) * sz(L->n), sz(L->count[1]) * sz(L->n) * sizeof *frame);
}

lg_status mb_course_look(mb_course *o, double *frame, const double *x)
{
    mb_linear *L = &o->at;
    const size_t n = sz(L->n);
    course_base(o, x, o->base->t);
    mb_node_rows(&o->base->plan, &o->base->numbers.node[0], 0);
    const lg_status st = mb_linear_bases(L);
    if (st != LG_OK) return course_say(o, st, o->base);
    memcpy(frame, L->basis[0], sz(L->count[0]) * n * sizeof *frame);
    memcpy(frame + sz(L->count[0]) * n, L->basis[1], sz(L->count[1]) * n * sizeof *frame);
    for (int i = 0; i < o->k; i++) mb_linear_metric(L, frame + (sz(o->k) + sz(i)) * n, frame + sz(i) * n);
    return LG_OK;
}

lg_status mb_course_reading(mb_course *o, double *C, const double *x, const double *frame)
{
    course_base(o, x, 0);
    course_bases(&o->at, frame);
    o->copy->started = 1;
    return course_say(o, mb_linear_difference(&o->at, NULL, NULL, C), o->base);
}

/* z <- Z y. */
static void course_deviation(const mb_course *o, double *z, const double *frame, const double *y)
{
    const int n = o->at.n;
    memset(z, 0, 2 * sz(n) * sizeof *z);
    for (int i = 0; i < o->k; i++) {
        double *part = z + (i < o->at.count[0] ? 0 : n);
        for (int d = 0; d < n; d++) part[d] += y[i] * frame[sz(i) * sz(n) + sz(d)];
    }
}

void mb_course_gather(const mb_course *o, double *c, const double *w, const double *frame)
{
    const int n = o->at.n;
    for (int i = 0; i < o->k; i++) c[i] = small_dot(n, w + (i < o->at.count[0] ? 0 : n), frame + sz(i) * sz(n));
}

void mb_course_spread(const mb_course *o, double *w, const double *c, const double *frame)
{
    course_deviation(o, w, frame + sz(o->k) * sz(o->at.n), c);
}

lg_status mb_course_displace(mb_course *o, double *to, const double *x, const double *frame, const double *y)
{
    course_base(o, x, o->base->t);
    course_deviation(o, o->z, frame, y);
    const lg_status st = mb_linear_place(&o->at, o->z, 1);
    if (st == LG_OK) course_store(o, to, o->copy);
    return course_say(o, st, o->base);
}

/* z <- how far a node is from x, in space. */
static void course_apart(const mb_course *o, double *z, const mb_node *node, const double *x)
{
    const int n = o->at.n, bodies = n / 6;
    for (int b = 0; b < bodies; b++) {
        const double *q = node->pose[b].q, *q0 = x + 7 * b + 3;
        const double p[4] = {-q0[0], -q0[1], -q0[2], q0[3]}; /* q q0^-1, Cayley's vector of it */
        const double w = q[3] * p[3] - q[0] * p[0] - q[1] * p[1] - q[2] * p[2];
        double v[3];
        small_cross(v, q, p);
        for (int k = 0; k < 3; k++) {
            z[6 * b + k] = node->pose[b].r[k] - x[7 * b + k];
            z[6 * b + 3 + k] = 2 * (q[3] * p[k] + p[3] * q[k] + v[k]) / w;
        }
    }
    mb_linear_twists(&o->at, z + n, node);
    for (int i = 0; i < n; i++) z[n + i] -= x[7 * bodies + i];
}

void mb_course_difference(mb_course *o, double *y, const double *other, const double *x, const double *frame)
{
    course_load(o->end, other);
    course_apart(o, o->z, &o->end->numbers.node[0], x);
    mb_course_gather(o, y, o->z, frame + sz(o->k) * sz(o->at.n));
}

/* ---- steps ---- */

lg_status mb_course_set(mb_course *o, const double *x, const double *frame, const double *u, double t, double h,
                        const double *x1, const double *frame1)
{
    const double *aim = x1 != NULL ? x1 : x;
    course_base(o, x, t);
    if (frame != NULL) course_bases(&o->at, frame);
    o->frame = frame, o->warm = 0;
    o->base->h = o->copy->h = h;
    const lg_status st = mb_sparse_set_control(o->base, u);
    if (st == LG_OK) mb_copy_controls(o->copy, o->base);
    course_load(o->end, aim);
    memcpy(o->at.after, o->end->numbers.node[0].pose, sz(o->end->plan.bodies) * sizeof *o->at.after);
    memcpy(o->to.first + o->at.n, aim + 7 * o->end->plan.bodies, sz(o->at.n) * sizeof *aim);
    if (frame1 != NULL) course_bases(&o->to, frame1);
    return course_say(o, st, o->base);
}

static lg_status course_go(mb_course *o)
{
    memset(o->z, 0, 2 * sz(o->at.n) * sizeof *o->z);
    lg_status st = mb_linear_place(&o->at, o->z, 0);
    if (st == LG_OK) st = mb_linear_advance(&o->at);
    return course_say(o, st, o->base);
}

lg_status mb_course_step(mb_course *o, double *x1)
{
    const lg_status st = course_go(o);
    if (st == LG_OK) course_store(o, x1, o->copy);
    return st;
}

lg_status mb_course_linearise(mb_course *o, double *A, double *B, double *H)
{
    const lg_status st = course_go(o);
    return st == LG_OK ? course_say(o, mb_linear_step(&o->at, A, B, H), o->base) : st;
}

lg_status mb_course_value(mb_course *o, double *value, const double *y, const double *u, double longer,
                          const mb_course_weights *weights)
{
    mb_linear *L = &o->at;
    const int n = L->n, positions = o->positions;
    const double h = o->base->h;
    *value = 0;
    course_deviation(o, o->z, o->frame, y);
    lg_status st = mb_linear_place(L, o->z, 1);
    if (st == LG_OK && weights->before != NULL) {
        course_store(o, o->x, o->base);
        course_apart(o, o->z, mb_now(o->copy), o->x);
        *value -= small_dot(2 * n, weights->before, o->z);
    }
    if (st == LG_OK && weights->reading != NULL) {
        o->copy->started = 1;
        st = lg_motion_positions(&o->copy->head, L->read, L->read + positions);
        *value += small_dot(2 * positions, weights->reading, L->read);
    }
    if (st != LG_OK || weights->after == NULL) return course_say(o, st, o->base);
    memcpy(o->copy->numbers.control, u, sz(o->copy->plan.controls) * sizeof *u);
    for (int i = 0; o->warm && i < mb_stages(o->copy); i++) o->copy->numbers.history[i].known = 1;
    o->copy->h = h + longer;
    st = mb_linear_advance(L);
    o->copy->h = h, o->warm = st == LG_OK;
    if (st == LG_OK)
        *value += small_dot(2 * n, weights->after, L->to) - small_dot(n, weights->after + n, o->to.first + n);
    return course_say(o, st, o->base);
}
