/* SPDX-License-Identifier: BSD-3-Clause */
/* A state in tree coordinates: the frames of all bodies, and a screw for each coordinate. */
#include "multibody/dynamics/rows.h"

#include <math.h>

#include <liegrp/groups/so3.h>

#include "base/dense.h"
#include "multibody/parts/joint.h"
#include "multibody/rows/composed.h"

/* ---- creation ---- */

static void dynamics_carve(lg_dynamics *d, lg_arena *a, int n, int bodies)
{
    d->q = lg_take_doubles(a, sz(n)), d->v = lg_take_doubles(a, sz(n));
    d->kept = lg_take_doubles(a, 2 * sz(n)), d->read = lg_take_doubles(a, 2 * sz(n));
    d->armature = lg_take_doubles(a, sz(n)), d->along = lg_take_doubles(a, sz(n));
    d->lower = lg_take_doubles(a, sz(n)), d->upper = lg_take_doubles(a, sz(n));
    d->limit = lg_take(a, sz(mb_dynamics_limits_most(d)) * sizeof *d->limit);
    d->solution = lg_take_doubles(a, 2 * sz(mb_room(&d->m->plan)->rows));
    d->screw = lg_take(a, sz(n) * sizeof *d->screw);
    d->first = lg_take(a, sz(bodies + 1) * sizeof *d->first), d->count = lg_take(a, sz(bodies + 1) * sizeof *d->count);
    d->bend = lg_take(a, sz(bodies + 1) * sizeof *d->bend);
    d->force = lg_take(a, sz(bodies + 1) * sizeof *d->force);
    d->acceleration = lg_take(a, sz(bodies + 1) * sizeof *d->acceleration);
    d->composite = lg_take(a, sz(bodies + 1) * sizeof *d->composite);
}

/* Which coordinates a body's link has, and the inertia of their rotor. */
static void number_coordinates(lg_dynamics *d)
{
    const lg_mechanism *m = d->m;
    for (int b = 0; b < m->plan.bodies; b++) {
        const int j = m->link[b].joint;
        if (mb_is_rotor(&m->plan, b)) continue;
        d->first[b] = j >= 0 ? d->mo->position_of_joint[j] : d->mo->position_of_body[b];
        d->count[b] = j >= 0 ? mb_position_count(MB_JOINT_OF(m, j)) : 6;
        for (int i = 0; j >= 0 && i < d->count[b]; i++)
            d->armature[d->first[b] + i] = m->rotor_inertia[MB_POSITIONS_MOST * j + i];
    }
    mb_dynamics_take_limits(d);
    for (int e = 0; e < m->all_count; e++) {
        const int rows = mb_dynamics_has_rows(&m->all[e]) ? m->all[e].rows : 0;
        d->rotors += mb_dynamics_turns_rotor(d, &m->all[e]);
        d->rows += rows, d->position_rows += mb_facts_of(&m->all[e])->velocity ? 0 : rows;
    }
    d->rank = d->n - mb_freedoms(&m->plan), d->position_rank = d->n - mb_position_freedoms(&m->plan);
    for (const mb_force *f = m->plan.force; f < m->plan.force + m->plan.forces; f++)
        if (f->control < 0) d->passive |= mb_dynamics_along(d, f) >= 0 ? MB_PASSIVE_ALONG : MB_PASSIVE_ANY;
    for (const mb_ball *s = m->plan.ball; s < m->plan.ball + m->plan.balls; s++)
        if (s->damping > 0) d->passive |= MB_PASSIVE_ANY;
}

int mb_dynamics_along(const lg_dynamics *d, const mb_force *f)
{
    const int j = f->coordinate >= 0 ? d->m->coordinate[f->coordinate].joint : -1;
    return j >= 0 && mb_position_count(MB_JOINT_OF(d->m, j)) == 1 ? d->mo->position_of_joint[j] : -1;
}

lg_status lg_dynamics_create(lg_dynamics **dynamics, const lg_mechanism *mechanism)
{
    if (dynamics == NULL) return LG_ERROR_ARGUMENT;
    *dynamics = NULL;
    const int compiled = mechanism != NULL && mechanism->compiled;
    lg_dynamics head = {.m = mechanism};
    lg_arena a = {NULL, 0};
    lg_status st = compiled ? mb_sparse_create(&head.mo, mechanism, NULL, 1) : LG_OK;
    if (st == LG_OK && compiled) {
        head.n = head.mo->positions, head.bodies = mechanism->plan.bodies - mechanism->plan.rotors;
        dynamics_carve(&head, &a, head.n, mechanism->plan.bodies);
    }
    if (head.mo != NULL) head.mo->numbers.contacts = NULL; /* it moves nothing */
    lg_dynamics *d = st == LG_OK ? lg_reserve(lg_aligned(sizeof *d) + a.used) : NULL;
    if (d == NULL) {
        mb_sparse_destroy(head.mo);
        return LG_ERROR_MEMORY;
    }
    *d = head, *dynamics = d;
    if (!compiled)
        return lg_fail(&d->error, LG_ERROR_ARGUMENT,
                       "lg_dynamics_create: the mechanism is %s; call lg_mechanism_compile() first",
                       mechanism == NULL ? "NULL" : "not compiled");
    if (mechanism->plan.drives > 0)
        return lg_fail(&d->error, LG_ERROR_UNSUPPORTED,
                       "lg_dynamics_create: drive '%.60s' gives a motion in time, and (q, v) has none; describe the "
                       "mechanism without drives, whose motor_forces() tells what they take",
                       MB_DRIVE_OF(mechanism, 0)->name);
    a = (lg_arena){(char *)d + lg_aligned(sizeof *d), 0};
    dynamics_carve(d, &a, d->n, mechanism->plan.bodies);
    number_coordinates(d);
    return lg_dynamics_set(d, d->q, NULL);
}

lg_status mb_dynamics_assembled(lg_dynamics *d)
{
    const lg_status st = mb_sparse_start(d->mo, 0, NULL, NULL, 1);
    return st == LG_OK ? lg_dynamics_take(d, &d->mo->head) : st;
}

void lg_dynamics_destroy(lg_dynamics *d)
{
    if (d == NULL) return;
    mb_sparse_destroy(d->mo);
    lg_release(d->dense);
    lg_release(d);
}

const char *lg_dynamics_message(const lg_dynamics *d)
{
    return d != NULL ? d->error.message : LG_NO_OBJECT("dynamics");
}

int lg_dynamics_count(const lg_dynamics *d)
{
    return d != NULL ? d->n : 0;
}

int lg_dynamics_joint_index(const lg_dynamics *d, int *count, int joint)
{
    return d != NULL && d->mo != NULL ? lg_motion_joint_index(&d->mo->head, count, joint) : -1;
}

int lg_dynamics_float_index(const lg_dynamics *d, int body)
{
    return d != NULL && d->mo != NULL ? lg_motion_float_index(&d->mo->head, body) : -1;
}

lg_status mb_dynamics_begin(lg_dynamics *d, const void *given, const char *who)
{
    if (d == NULL || d->mo == NULL) return LG_ERROR_ARGUMENT;
    lg_error_clear(&d->error);
    return given != NULL ? LG_OK : lg_fail(&d->error, LG_ERROR_ARGUMENT, "%s: the array is NULL", who);
}

lg_status mb_dynamics_finite(lg_dynamics *d, const double *x, int count, const char *what, const char *who)
{
    for (int i = 0; x != NULL && i < count; i++)
        if (!isfinite(x[i])) return lg_fail(&d->error, LG_ERROR_NOT_FINITE, "%s: %s %d is %g", who, what, i, x[i]);
    return LG_OK;
}

/* ---- the state ---- */

/* Those of a composed joint, about the places of its motions; frames between them turn with w and move with u where the
 * joint begins, c. */
static void chain_screws(mb_screw *s, const mb_joint *j, const mb_frame *a, const double *q, const double *v,
                         double sign)
{
    const mb_chain *chain = j->chain;
    mb_links l;
    double c[3], w[3], u[3], turn[3];
    mb_links_of(&l, j, a->R, q);
    mb_turn(c, a->R, j->anchor_a);
    small_cross(u, a->w, c);
    for (int k = 0; k < 3; k++) w[k] = a->w[k], u[k] += a->v[k], c[k] += a->r[k];
    for (int i = 0; i < chain->count; i++, s++) {
        const double *p = l.point[i];
        s->turns = !chain->motion[i].slides;
        small_cross(turn, w, p);
        for (int k = 0; k < 3; k++) {
            s->axis[k] = l.axes[i][3 * k + 2];
            s->point[k] = c[k] + p[k], s->point_rate[k] = u[k] + turn[k];
        }
        small_cross(s->axis_rate, w, s->axis);
        small_cross(turn, p, s->axis);
        for (int k = 0; k < 3; k++) {
            u[k] += v[i] * (s->turns ? turn[k] : s->axis[k]);
            if (s->turns) w[k] += v[i] * s->axis[k];
        }
        for (int k = 0; k < 3; k++) s->axis[k] *= sign, s->axis_rate[k] *= sign;
    }
}

/* The screws of a joint between frames a and b; `sign` -1: the child carries the parent. */
static void joint_screws(mb_screw *s, const mb_joint_kind *kind, const mb_joint *j, const mb_frame *a,
                         const mb_frame *b, double sign)
{
    double x[3], turn[3];
    mb_turn(x, b->R, j->anchor_b);
    small_cross(turn, b->w, x);
    for (int i = 0; i < kind->positions; i++, s++) {
        const mb_position *p = kind->position[i];
        const int second = p->kind == MB_TURNS && p->axis != 2; /* the child's axis */
        s->turns = p->kind != MB_SLIDES;
        mb_axis(s->axis, second ? b->R : a->R, second ? j->frame_b : j->frame_a, p->axis);
        for (int k = 0; k < 3; k++) {
            s->axis[k] *= sign;
            s->point[k] = b->r[k] + x[k], s->point_rate[k] = b->v[k] + turn[k];
        }
        small_cross(s->axis_rate, second ? b->w : a->w, s->axis);
    }
}

/* Those of a body that floats: of a free joint to the world at its frame. */
static void floating_screws(mb_screw *s, const double *centre, const mb_frame *f)
{
    static const mb_joint_kind *const kind = &mb_joint_kinds[LG_JOINT_FREE];
    mb_joint j = {.frame_a = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
    for (int k = 0; k < 3; k++) j.anchor_b[k] = -centre[k];
    joint_screws(s, kind, &j, &mb_world, f, 1);
}

/* The acceleration of a body on a parent that does not accelerate, while the rates of v are 0. */
static void bend_of(double *bend, const lg_dynamics *d, int b)
{
    const mb_frame *f = &d->mo->frame[b], *parent = &d->mo->frame[d->m->link[b].parent];
    double x[3];
    for (int k = 0; k < 3; k++) x[k] = f->v[k] - parent->v[k], bend[3 + k] = 0;
    small_cross(bend, parent->w, x);
    for (int i = d->first[b]; i < d->first[b] + d->count[b]; i++) {
        const mb_screw *s = &d->screw[i];
        mb_screw_rate_at(x, s, f->r, f->v);
        for (int k = 0; k < 3; k++) {
            bend[k] += d->v[i] * x[k];
            if (s->turns) bend[3 + k] += d->v[i] * s->axis_rate[k];
        }
    }
}

int mb_dynamics_place(lg_dynamics *d)
{
    const lg_mechanism *m = d->m;
    mb_frame *frame = d->mo->frame;
    double sum = 0;
    int moves = 0;
    d->node = 0;
    for (int i = 0; i < d->n; i++) moves |= d->v[i] != 0;
    mb_frames_from_positions(d->mo, frame, d->q, moves ? d->v : NULL);
    for (int b = 0; b < d->bodies; b++) {
        const mb_link *l = &m->link[b];
        mb_screw *s = d->screw + (d->first[b] >= 0 ? d->first[b] : 0);
        const mb_joint *j = l->joint >= 0 ? &m->joint[l->joint] : NULL;
        if (j == NULL)
            floating_screws(s, MB_BODY(m, b)->centre, &frame[b]);
        else if (j->chain != NULL)
            chain_screws(s, j, &frame[j->a], d->q + d->first[b], d->v + d->first[b], l->reverse ? -1 : 1);
        else
            joint_screws(s, mb_joint_facts(m, l->joint), j, &frame[j->a], &frame[j->b], l->reverse ? -1 : 1);
        if (moves)
            bend_of(d->bend[b].v, d, b);
        else
            memset(&d->bend[b], 0, sizeof d->bend[b]);
        for (int k = 0; k < 3; k++) sum += frame[b].r[k] * 0 + d->bend[b].v[k] * 0 + frame[b].R[4 * k] * 0;
    }
    return sum == 0;
}

/* x <- exp(w) applied after the rotation vector x. */
static void turn_further(double *x, const double *w)
{
    double p[4], q[4];
    lg_so3_exp(p, w), lg_so3_exp(q, x);
    lg_so3_compose(q, p, q);
    lg_status_ignore(lg_so3_log(x, q)); /* of a unit quaternion */
}

void mb_dynamics_move(const lg_dynamics *d, double *q, const double *x)
{
    static const lg_joint floats = {.kind = LG_JOINT_FREE};
    for (int b = 0; b < d->bodies; b++) {
        const int j = d->m->link[b].joint, first = d->first[b], count = d->count[b];
        const lg_joint *of = j >= 0 ? MB_JOINT_OF(d->m, j) : &floats;
        const int scalars = count > 0 && mb_position_of(of, count - 1)->kind == MB_VECTOR ? count - 3 : count;
        for (int i = first; i < first + scalars; i++) q[i] += x[i];
        if (scalars < count) turn_further(q + first + scalars, x + first + scalars);
    }
}

/* On failure the state is as it was. */
static lg_status take(lg_dynamics *d, const double *q, const double *v, const char *who)
{
    const size_t bytes = sz(d->n) * sizeof *q;
    if (!lg_all_finite(q, d->n) || (v != NULL && !lg_all_finite(v, d->n)))
        return lg_fail(&d->error, LG_ERROR_NOT_FINITE, "%s: a position or velocity is not finite", who);
    memcpy(d->kept, d->q, bytes), memcpy(d->kept + d->n, d->v, bytes);
    memmove(d->q, q, bytes);
    if (v != NULL)
        memmove(d->v, v, bytes);
    else
        memset(d->v, 0, bytes);
    if (mb_dynamics_place(d)) return LG_OK;
    memcpy(d->q, d->kept, bytes), memcpy(d->v, d->kept + d->n, bytes);
    (void)mb_dynamics_place(d);
    return lg_fail(&d->error, LG_ERROR_NOT_FINITE,
                   "%s: positions or velocities are so large that a body's place or acceleration is not finite", who);
}

lg_status lg_dynamics_set(lg_dynamics *d, const double *q, const double *v)
{
    const lg_status st = mb_dynamics_begin(d, q, "lg_dynamics_set");
    return st == LG_OK ? take(d, q, v, "lg_dynamics_set") : st;
}

lg_status lg_dynamics_take(lg_dynamics *d, const lg_motion *mo)
{
    lg_status st = mb_dynamics_begin(d, d, "lg_dynamics_take");
    if (st != LG_OK) return st;
    const mb_sparse *from = mb_of(mo);
    if (from == NULL || from->mechanism != d->m || !from->started)
        return lg_fail(&d->error, LG_ERROR_ARGUMENT, "lg_dynamics_take: the motion is %s",
                       from != NULL && from->mechanism == d->m ? "not started" : "not one of this mechanism");
    st = lg_motion_positions(mo, d->read, d->read + d->n);
    return st == LG_OK ? take(d, d->read, d->read + d->n, "lg_dynamics_take") : st;
}

lg_status lg_dynamics_state(const lg_dynamics *d, double *q, double *v)
{
    if (d == NULL || d->mo == NULL) return LG_ERROR_ARGUMENT;
    if (q != NULL) memcpy(q, d->q, sz(d->n) * sizeof *q);
    if (v != NULL) memcpy(v, d->v, sz(d->n) * sizeof *v);
    return LG_OK;
}

void mb_dynamics_node(lg_dynamics *d)
{
    if (d->node) return;
    lg_status_ignore(mb_load_frames(d->mo, d->q)); /* all is finite: place() saw it */
    mb_load_twists(d->mo);
    mb_pair *twist = d->mo->numbers.twist;
    for (int b = 0; b <= d->m->plan.bodies; b++) {
        const mb_frame *f = &d->mo->frame[b];
        memcpy(twist[b].v, f->v, sizeof f->v), memcpy(twist[b].v + 3, f->w, sizeof f->w);
    }
    d->node = 1;
}
