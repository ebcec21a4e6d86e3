/* SPDX-License-Identifier: BSD-3-Clause */
/* A mechanism as an lg_system. Callbacks have no scratch, so that threads may share them: everything is made block by
 * block from the poses of a few bodies. */
#include <liegrp/multibody/system.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <liegrp/groups/so3.h>

#include "groups/rotation.h"
#include "multibody/forces/ball.h"
#include "multibody/forces/force.h"
#include "multibody/forces/thrust.h"
#include "multibody/parts/part.h"
#include "multibody/rows/block.h"

struct mb_system {
    lg_system S;
    mb_context context; /* of the system */
    lg_group *group;
    double *inertia; /* a diagonal or a matrix */
    int *row;        /* of each block, its first row: in the order of elimination, holonomic ones first */
};

static const lg_mechanism *mechanism_of(const lg_call *c)
{
    return ((const mb_context *)c->context)->mechanism;
}

/* ---- poses ---- */

typedef mb_pose place;

/* A body at both ends of a step, and the average; at a node all three are the same. */
typedef struct span {
    place start, end, mean;
} span;

static void place_of(place *p, const mb_plan *plan, const double *g, int body)
{
    static const double world[7] = {0, 0, 0, 0, 0, 0, 1};
    const double *from = body < plan->bodies ? g + 7 * body : world;
    memcpy(p->r, from, sizeof p->r), memcpy(p->q, from + 3, sizeof p->q);
    lg_so3_to_matrix(p->R, from + 3);
}

static void span_of(span *s, const mb_plan *plan, const double *g0, const double *g1, int body)
{
    place_of(&s->start, plan, g0, body);
    s->mean = s->end = s->start;
    if (g0 == g1) return;
    place_of(&s->end, plan, g1, body);
    for (int k = 0; k < 3; k++) s->mean.r[k] = 0.5 * (s->start.r[k] + s->end.r[k]);
    for (int k = 0; k < 9; k++) s->mean.R[k] = 0.5 * (s->start.R[k] + s->end.R[k]);
}

/* out += s times a row in space, as the body of `b` sees it: (F, R^T T). */
static void add(double *out, const mb_plan *plan, int body, const span *b, double s, const mb_pair *row)
{
    double T[3];
    if (body >= plan->bodies) return;
    mb_back(T, b->mean.R, row->v + 3);
    for (int k = 0; k < 3; k++) out[6 * body + k] += s * row->v[k], out[6 * body + 3 + k] += s * T[k];
}

/* ---- coordinates ---- */

static double value_of(const mb_plan *plan, int c, const place *a, const place *b, double near)
{
    const mb_coordinate *o = &plan->coordinate[c];
    return mb_coordinate_value(&plan->joint[o->joint], o, a->r, a->R, b->r, b->R, near);
}

/* q0 and q1 of coordinate c, q0 on the branch nearest to `near`; out += scale(q0, q1) times its row. */
typedef struct coordinate {
    int a, b;
    span sa, sb;
    mb_pair row[2];
    double q0, q1;
} coordinate;

static void coordinate_of(coordinate *o, const mb_plan *plan, int c, const double *g0, const double *g1, double near)
{
    const mb_coordinate *of = &plan->coordinate[c];
    const mb_joint *j = &plan->joint[of->joint];
    o->a = j->a, o->b = j->b;
    span_of(&o->sa, plan, g0, g1, j->a), span_of(&o->sb, plan, g0, g1, j->b);
    o->q0 = o->q1 = value_of(plan, c, &o->sa.start, &o->sb.start, near);
    if (g0 != g1) o->q1 = value_of(plan, c, &o->sa.end, &o->sb.end, o->q0);
    if (of->slides)
        mb_length_row(j, of->axis, o->row, o->sa.mean.r, o->sa.mean.R, o->sb.mean.r, o->sb.mean.R);
    else
        mb_angle_row(j, of->axis, o->row, o->sa.mean.R, o->sb.mean.R, o->sa.start.R, o->sb.start.R, o->sa.end.R,
                     o->sb.end.R);
}

static void coordinate_add(double *out, const mb_plan *plan, const coordinate *o, double s)
{
    add(out, plan, o->a, &o->sa, s, &o->row[0]);
    add(out, plan, o->b, &o->sb, s, &o->row[1]);
}

/* The length of a line, with its row. */
static void line_of(coordinate *o, const mb_plan *plan, const mb_force *s, const double *g0, const double *g1)
{
    double length[3], xa[3], xb[3], d[3], u[3], phi;
    o->a = s->a, o->b = s->b;
    span_of(&o->sa, plan, g0, g1, s->a), span_of(&o->sb, plan, g0, g1, s->b);
    const place *a[3] = {&o->sa.start, &o->sa.end, &o->sa.mean}, *b[3] = {&o->sb.start, &o->sb.end, &o->sb.mean};
    for (int i = 0; i < 3; i++) { /* the mean last */
        mb_turn_constant(xa, a[i]->R, s->point_a), mb_turn_constant(xb, b[i]->R, s->point_b);
        for (int k = 0; k < 3; k++) d[k] = (b[i]->r[k] - a[i]->r[k]) + (xb[k] - xa[k]);
        length[i] = sqrt(mb_dot(d, d));
    }
    o->q0 = length[0], o->q1 = length[1];
    const double l = 0.5 * (o->q0 + o->q1);
    for (int k = 0; k < 3; k++) u[k] = d[k] / (l > 0 ? l : 1);
    mb_row_along(o->row, &phi, u, xa, xb, d, 1);
}

/* The rate of a coordinate between g0 and g1, or at g0 with velocity xi. */
static double rate_of(const mb_plan *plan, const coordinate *o, const double *xi, double h)
{
    double rate = 0;
    if (xi == NULL) return (o->q1 - o->q0) / h;
    for (int side = 0; side < 2; side++) {
        const int body = side ? o->b : o->a;
        double w[3];
        if (body >= plan->bodies) continue;
        mb_turn(w, (side ? &o->sb : &o->sa)->start.R, xi + 6 * body + 3);
        rate += mb_dot(o->row[side].v, xi + 6 * body) + mb_dot(o->row[side].v + 3, w);
    }
    return rate;
}

/* A control within its limits. */
static double input_of(const mb_plan *plan, int i, const double *control)
{
    const double *limit = plan->activation[i].limit;
    return plan->activations > 0 ? fmin(fmax(control[i], limit[0]), limit[1]) : control[i];
}

/* A force between g0 and g1, or at g0 with velocity xi, and its row: at a joint's angle nearest to where its spring or
 * servo pulls. */
static mb_action action_of(coordinate *o, const lg_call *c, const mb_force *s, double h, const double *g0,
                           const double *g1, const double *xi)
{
    const mb_plan *plan = &mechanism_of(c)->plan;
    const double u = s->control >= 0 && c->control != NULL ? s->gain * input_of(plan, s->control, c->control) : 0;
    const int follows = mb_is_servo(s) && s->number[0] > 0;
    if (s->coordinate >= 0)
        coordinate_of(o, plan, s->coordinate, g0, g1, follows ? u / s->number[0] : s->rest);
    else
        line_of(o, plan, s, g0, g1);
    mb_action x = {.q0 = o->q0, .q1 = o->q1, .rate = rate_of(plan, o, xi, h), .u = u};
    mb_force_law(&x, s);
    return x;
}

/* ---- constraints ---- */

/* The rows of block k that are kept into out (n a row), their phi or drift into value; NULL: not wanted. */
static void add_block(const lg_mechanism *m, const mb_block *k, const double *g0, const double *g1, double *out,
                      double *value)
{
    static const int sides[MB_SIDES_MOST] = {0, 1, 2, 3};
    const mb_plan *plan = &m->plan;
    const int n = 6 * plan->bodies;
    mb_pair row[MB_SIDES_MOST * MB_ROWS_MOST];
    mb_pose pose[MB_SIDES_MOST], start[MB_SIDES_MOST], end[MB_SIDES_MOST];
    double all[MB_ROWS_MOST];
    span side[MB_SIDES_MOST];
    for (int s = 0; s < k->sides; s++) {
        span_of(&side[s], plan, g0, g1, k->body[s]);
        pose[s] = side[s].mean, start[s] = side[s].start, end[s] = side[s].end;
    }
    const mb_site at = {sides, pose, start, end, NULL, NULL, NULL};
    mb_block_rows(plan, k, row, all, &at);
    for (int i = 0; i < k->rows; i++) {
        if (value != NULL) value[i] = all[k->kept[i]];
        for (int s = 0; s < k->sides && out != NULL; s++)
            add(out + i * n, plan, k->body[s], &side[s], 1, &row[k->kept[i] * k->sides + s]);
    }
}

static int holonomic(const lg_call *c, const double *g, double *phi)
{
    const lg_mechanism *m = mechanism_of(c);
    const int *row = m->system->row;
    for (int e = 0; e < m->plan.holonomic_blocks; e++) add_block(m, &m->block[e], g, g, NULL, phi + row[e]);
    return 0;
}

static int holonomic_mean(const lg_call *c, double h, const double *g0, const double *g1, double *out)
{
    const lg_mechanism *m = mechanism_of(c);
    (void)h;
    for (int e = 0; e < m->plan.holonomic_blocks; e++)
        add_block(m, &m->block[e], g0, g1, out + 6 * m->plan.bodies * m->system->row[e], NULL);
    return 0;
}

static int holonomic_differential(const lg_call *c, const double *g, double *out)
{
    return holonomic_mean(c, 0, g, g, out);
}

/* The shortest y (6) with `rows` rows A (n apart) y = b: y = A^T C^-1 b. */
static void shortest(double *y, const double *A, int n, int rows, double *b)
{
    double C[6 * 6];
    for (int i = 0; i < rows; i++)
        for (int j = 0; j <= i; j++) C[i * 6 + j] = small_dot(6, A + i * n, A + j * n);
    for (int i = 0; i < rows; i++) {
        for (int j = 0; j <= i; j++) {
            double s = C[i * 6 + j];
            for (int k = 0; k < j; k++) s -= C[i * 6 + k] * C[j * 6 + k];
            C[i * 6 + j] = i == j ? sqrt(s) : s / C[j * 6 + j];
        }
        for (int k = 0; k < i; k++) b[i] -= C[i * 6 + k] * b[k];
        b[i] /= C[i * 6 + i];
    }
    for (int i = rows - 1; i >= 0; i--) {
        for (int k = i + 1; k < rows; k++) b[i] -= C[k * 6 + i] * b[k];
        b[i] /= C[i * 6 + i];
        for (int k = 0; k < 6; k++) y[k] += A[i * n + k] * b[i];
    }
}

/* Rotors that the bodies turn which move with Y turn with them. */
static void turn_rotors(const lg_mechanism *m, const double *mu, double *Y)
{
    const mb_plan *plan = &m->plan;
    const int n = 6 * plan->bodies;
    for (int e = plan->holonomic_blocks; e < plan->blocks; e++) {
        const mb_block *k = &plan->block[e];
        for (int i = 0; i < k->rows && mb_is_rotor(plan, k->body[0]); i++) {
            const double *row = mu + (m->system->row[e] - plan->holonomic_rows + i) * n, *own = row + 6 * k->body[0];
            double rate = 0; /* rows of one rotor are orthogonal to each other */
            for (int s = 1; s < 3; s++)
                if (k->body[s] < plan->bodies) rate += small_dot(6, row + 6 * k->body[s], Y + 6 * k->body[s]);
            for (int c = 0; c < 6; c++) Y[6 * k->body[0] + c] -= rate * own[c] / small_dot(6, own, own);
        }
    }
}

/* The rows of wheels are ordered body by body: those of one body have at most six numbers that are not 0, and
 * as they are independent there are at most six of them. Rows of several bodies have no drift. */
static int covectors(const lg_call *c, const double *g, double *mu, double *Y)
{
    const lg_mechanism *m = mechanism_of(c);
    const mb_plan *plan = &m->plan;
    const int n = 6 * plan->bodies, first = plan->holonomic_rows;
    for (int body = 0, rows; body <= plan->bodies; body++) {
        double A[6 * 6] = {0}, b[6] = {0}, drift[MB_ROWS_MOST], moves = 0;
        rows = 0;
        for (int e = plan->holonomic_blocks; e < plan->blocks; e++) {
            const mb_block *k = &plan->block[e];
            if (k->body[0] != body) continue;
            double *own = mu + (m->system->row[e] - first) * n;
            add_block(m, k, g, g, own, drift);
            for (int i = 0; i < k->rows && k->sides == 1 && rows < 6; i++, rows++) {
                memcpy(A + 6 * rows, own + i * n + 6 * body, 6 * sizeof *A);
                b[rows] = drift[i], moves = fmax(moves, fabs(drift[i]));
            }
        }
        if (moves > 0) shortest(Y + 6 * body, A, 6, rows, b);
    }
    if (plan->rotors > 0) turn_rotors(m, mu, Y);
    return 0;
}

/* ---- potential and forces ---- */

static int potential(const lg_call *c, const double *g, double *V)
{
    const mb_plan *plan = &mechanism_of(c)->plan;
    coordinate o;
    *V = 0;
    for (int b = 0; b < plan->bodies; b++)
        for (int k = 0; k < 3; k++) *V -= mb_gravity(plan, b, k) * g[7 * b + k];
    for (const mb_force *s = plan->force; s < plan->force + plan->forces; s++)
        if (mb_force_probe(s).potential != 0) *V += action_of(&o, c, s, 1, g, g, NULL).potential;
    return 0;
}

static int potential_mean(const lg_call *c, double h, const double *g0, const double *g1, double *out)
{
    const mb_plan *plan = &mechanism_of(c)->plan;
    coordinate o;
    for (int b = 0; b < plan->bodies; b++)
        for (int k = 0; k < 3; k++) out[6 * b + k] = -mb_gravity(plan, b, k);
    for (const mb_force *s = plan->force; s < plan->force + plan->forces; s++) {
        if (mb_force_probe(s).potential == 0) continue;
        const double mean = action_of(&o, c, s, h, g0, g1, NULL).mean;
        coordinate_add(out, plan, &o, -mean);
    }
    return 0;
}

static int potential_gradient(const lg_call *c, const double *g, double *out)
{
    return potential_mean(c, 1, g, g, out);
}

/* The angular velocity in space of a body between both ends, or at the start with velocity xi. */
static void turns_of(double *w, const mb_plan *plan, const span *s, int body, const double *xi, double h)
{
    const double *q = s->start.q, *p = s->end.q;
    double v[3], x[3];
    w[0] = w[1] = w[2] = 0;
    if (body >= plan->bodies) return;
    if (xi != NULL) {
        mb_turn(w, s->start.R, xi + 6 * body + 3);
        return;
    }
    small_cross(x, q, p); /* q0^-1 q1, whose Cayley vector is h w in the body */
    for (int k = 0; k < 3; k++) v[k] = q[3] * p[k] - p[3] * q[k] - x[k];
    const double cosine = q[3] * p[3] + mb_dot(q, p);
    for (int k = 0; k < 3; k++) v[k] *= 2 / (cosine * h);
    mb_turn(w, s->start.R, v);
}

static void add_balls(const lg_call *c, double h, const double *g0, const double *g1, const double *xi, double *out)
{
    const mb_plan *plan = &mechanism_of(c)->plan;
    for (const mb_ball *s = plan->ball; s < plan->ball + plan->balls; s++) {
        const mb_joint *j = &plan->joint[s->joint];
        span a, b;
        double wa[3], w[3];
        mb_pair row = {{0}};
        span_of(&a, plan, g0, g1, j->a), span_of(&b, plan, g0, g1, j->b);
        turns_of(wa, plan, &a, j->a, xi, h), turns_of(w, plan, &b, j->b, xi, h);
        for (int k = 0; k < 3; k++) w[k] -= wa[k];
        (void)mb_ball_torque(row.v + 3, plan, s, a.mean.R, w, c->control);
        add(out, plan, j->a, &a, -1, &row);
        add(out, plan, j->b, &b, 1, &row);
    }
}

/* Forces without a potential, between g0 and g1, or at g0 with velocity xi. */
static void forces(const lg_call *c, double h, const double *g0, const double *g1, const double *xi, double *out)
{
    const mb_plan *plan = &mechanism_of(c)->plan;
    coordinate o;
    for (const mb_force *s = plan->force; s < plan->force + plan->forces; s++) {
        if (mb_force_probe(s).drag == 0 && s->control < 0) continue;
        const double drag = action_of(&o, c, s, h, g0, g1, xi).drag;
        coordinate_add(out, plan, &o, drag);
    }
    for (const mb_thruster *t = plan->thruster; t < plan->thruster + plan->thrusters; t++) {
        span body;
        mb_pair w;
        span_of(&body, plan, g0, g1, t->body);
        mb_thrust(&w, t, body.mean.R, c->control);
        add(out, plan, t->body, &body, 1, &w);
    }
    if (plan->balls > 0) add_balls(c, h, g0, g1, xi, out);
}

static int force(const lg_call *c, const double *g, const double *xi, double *out)
{
    forces(c, 0, g, g, xi, out);
    return 0;
}

static int force_mean(const lg_call *c, double h, const double *g0, const double *g1, double *out)
{
    forces(c, h, g0, g1, NULL, out);
    return 0;
}

/* ---- the system ---- */

void mb_system_free(struct mb_system *s)
{
    if (s == NULL) return;
    lg_group_destroy(s->group);
    free(s->inertia), free(s->row);
    free(s);
}

/* All inertias are about principal axes. */
static int is_principal(const mb_plan *plan)
{
    for (int b = 0; b < plan->bodies; b++)
        for (int i = 0; i < 9; i++)
            if (i % 4 != 0 && plan->inertia[9 * b + i] != 0) return 0;
    return 1;
}

static lg_status make_inertia(struct mb_system *s, const mb_plan *plan)
{
    const int n = 6 * plan->bodies, diagonal = is_principal(plan);
    double *J = s->inertia = calloc((size_t)n * (diagonal ? 1 : (size_t)n), sizeof *s->inertia);
    if (J == NULL) return LG_ERROR_MEMORY;
    for (int i = 0; i < n; i++) {
        const double *I = plan->inertia + 9 * (i / 6);
        for (int k = 0; k < 3 && !diagonal && i % 6 >= 3; k++) J[i * n + i / 6 * 6 + 3 + k] = I[3 * (i % 6 - 3) + k];
        const double own = i % 6 < 3 ? plan->mass[i / 6] : I[4 * (i % 6 - 3)];
        J[diagonal ? i : i * n + i] = own;
    }
    if (diagonal)
        s->S.inertia_diagonal = J;
    else
        s->S.inertia = J;
    return LG_OK;
}

static lg_status make_group(struct mb_system *s, int bodies)
{
    const lg_group **factor = malloc(2 * (size_t)bodies * sizeof *factor);
    for (int i = 0; i < 2 * bodies && factor != NULL; i++) factor[i] = i % 2 ? lg_so3() : lg_rn(3);
    const lg_status st = factor != NULL ? lg_group_create_product(&s->group, factor, 2 * bodies) : LG_ERROR_MEMORY;
    free(factor);
    s->S = lg_system_default(s->group);
    return st;
}

/* Cholesky's factor is then the sparse one, where there are no velocity rows or they come last anyway. */
static lg_status make_rows(struct mb_system *s, const mb_plan *plan)
{
    int next[2] = {0, plan->holonomic_rows};
    s->row = malloc(((size_t)plan->blocks + 1) * sizeof *s->row);
    for (int k = 0; s->row != NULL && k < plan->blocks; k++) {
        const int e = plan->node.block[k], velocity = e >= plan->holonomic_blocks;
        s->row[e] = next[velocity], next[velocity] += plan->block[e].rows;
    }
    return s->row != NULL ? LG_OK : LG_ERROR_MEMORY;
}

static void set_callbacks(lg_callbacks *c, const mb_plan *plan)
{
    int acts = plan->gravity[0] != 0 || plan->gravity[1] != 0 || plan->gravity[2] != 0,
        works = plan->controls > 0 || plan->balls > 0;
    for (int i = 0; i < plan->forces; i++) {
        const mb_action x = mb_force_probe(&plan->force[i]);
        acts |= x.potential != 0, works |= x.drag != 0;
    }
    c->control_count = plan->controls, c->holonomic_count = plan->holonomic_rows;
    if (acts) c->potential = potential, c->potential_gradient = potential_gradient, c->potential_mean = potential_mean;
    if (works) c->force = force, c->force_mean = force_mean;
    if (plan->rows > plan->holonomic_rows) c->covectors = covectors;
    if (plan->holonomic_rows == 0) return;
    c->holonomic = holonomic, c->holonomic_differential = holonomic_differential, c->holonomic_mean = holonomic_mean;
}

static lg_status check(lg_mechanism *m)
{
    if (!m->compiled)
        return lg_fail(&m->error, LG_ERROR_ARGUMENT,
                       "lg_mechanism_system: the mechanism is not compiled; call lg_mechanism_compile()");
    if (lg_mechanism_freedoms(m) == 0)
        return lg_fail(&m->error, LG_ERROR_ARGUMENT,
                       "lg_mechanism_system: the mechanism cannot move: its %d independent rows take all freedoms of "
                       "%d bodies",
                       m->plan.rows, m->plan.bodies);
    if (m->plan.contacts > 0) {
        const char *name, *noun = mb_contact_noun(m, &name);
        return lg_fail(&m->error, LG_ERROR_UNSUPPORTED,
                       "lg_mechanism_system: a system of equations has no contacts, as of %s '%.60s'; use "
                       "lg_motion_create() with sem, or describe the mechanism without surfaces, stops and dry friction",
                       noun, name);
    }
    int pairs = 0;
    for (int e = m->plan.holonomic_blocks; e < m->plan.blocks; e++) pairs |= m->plan.block[e].sides == 2;
    if (m->plan.drifts && pairs)
        return lg_fail(
            &m->error, LG_ERROR_UNSUPPORTED,
            "lg_mechanism_system: wheels on grounds that move, together with rolling between bodies: only the "
            "sparse step finds the velocity that satisfies both; use that");
    for (int kind = 0; kind < MB_KINDS; kind++)
        for (int i = 0; mb_kind_of(kind)->check_system != NULL && i < m->part[kind].count; i++) {
            const lg_status st = mb_kind_of(kind)->check_system(m, i);
            if (st != LG_OK) return st;
        }
    return LG_OK;
}

lg_status lg_mechanism_system(lg_mechanism *m, const lg_system **S)
{
    if (m == NULL || S == NULL) return LG_ERROR_ARGUMENT;
    *S = NULL;
    lg_error_clear(&m->error);
    lg_status st = check(m);
    if (st != LG_OK) return st;
    struct mb_system *s = m->system != NULL ? m->system : calloc(1, sizeof *s);
    if (m->system == NULL) {
        st = s != NULL ? make_group(s, m->plan.bodies) : LG_ERROR_MEMORY;
        if (st == LG_OK) st = make_inertia(s, &m->plan);
        if (st == LG_OK) st = make_rows(s, &m->plan);
        if (st != LG_OK) {
            mb_system_free(s);
            return lg_fail(&m->error, st, "lg_mechanism_system: out of memory");
        }
        s->context.mechanism = m;
        s->S.context = &s->context;
        s->S.constraint_count = m->plan.rows - m->plan.holonomic_rows;
        set_callbacks(&s->S.callbacks, &m->plan);
        m->system = s;
    }
    *S = &s->S;
    return LG_OK;
}
