/* SPDX-License-Identifier: BSD-3-Clause */
/* Plus, minus and the Jacobians of the operations, on any group and, by name, on the named groups. All
 * are made of Ad and of the tangents of exp; the table of formulas is in the header. */
#include <liegrp/groups/jacobian.h>

#include <string.h>
#include <liegrp/groups/se2.h>
#include <liegrp/groups/se23.h>
#include <liegrp/groups/se3.h>
#include <liegrp/groups/so2.h>
#include <liegrp/groups/so3.h>

#include "groups/product.h"
#include "groups/scratch.h"

/* One call: its status so far, and scratch for two vectors and two elements. */
typedef struct jacobian_call {
    lg_scratch s;
    const lg_group *G;
    lg_status st;
    double *xi, *eta, *g, *h;
} jacobian_call;

/* `given`: 0 if an argument is NULL. */
static void open_call(jacobian_call *c, const lg_group *G, int given)
{
    c->G = G;
    c->s.heap = NULL;
    c->st = given && lg_group_complete(G) ? LG_OK : LG_ERROR_ARGUMENT;
    if (c->st != LG_OK) return;
    const size_t n = sz(G->dim), e = sz(G->element_size);
    c->st = lg_scratch_open(&c->s, G, 2 * n + 2 * e);
    if (c->st != LG_OK) return;
    c->xi = c->s.own;
    c->eta = c->xi + n;
    c->g = c->eta + n;
    c->h = c->g + e;
}

static lg_status close_call(jacobian_call *c)
{
    lg_scratch_close(&c->s);
    return c->st;
}

static void inverse(jacobian_call *c, double *r, const double *a)
{
    if (c->st == LG_OK) c->st = c->G->inverse(c->G, r, a, c->s.work);
}

static void compose(jacobian_call *c, double *r, const double *a, const double *b)
{
    if (c->st == LG_OK) c->st = c->G->compose(c->G, r, a, b, c->s.work);
}

/* A map of the exponential, which may be missing. */
static void through(jacobian_call *c, lg_group_unary map, double *out, const double *in)
{
    if (c->st == LG_OK) c->st = map ? map(c->G, out, in, c->s.work) : LG_ERROR_UNSUPPORTED;
}

#define MAP(G, name) ((G)->exp ? (G)->exp->name : NULL)

static void exponential(jacobian_call *c, double *g, const double *xi)
{
    if (c->st == LG_OK) through(c, MAP(c->G, tau), g, xi);
}

static void logarithm(jacobian_call *c, double *xi, const double *g)
{
    if (c->st == LG_OK) through(c, MAP(c->G, tau_inv), xi, g);
}

static void negate(double *out, const double *in, size_t count)
{
    for (size_t i = 0; i < count; i++) out[i] = -in[i];
}

/* J = sign Ad_g; J may be NULL. */
static void adjoint(jacobian_call *c, double *J, const double *g, int sign)
{
    if (c->st != LG_OK || !J) return;
    c->st = c->G->Ad(c->G, J, g, c->s.work);
    if (c->st == LG_OK && sign < 0) negate(J, J, sz(c->G->dim) * sz(c->G->dim));
}

static void unit(jacobian_call *c, double *J)
{
    const size_t n = c->st == LG_OK && J ? sz(c->G->dim) : 0;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) J[i * n + j] = i == j ? 1.0 : 0.0;
}

/* J = dexp_xi and J = sign dexp^-1_xi; J may be NULL. */
static void tangent(jacobian_call *c, double *J, const double *xi)
{
    if (c->st == LG_OK && J) through(c, MAP(c->G, dtau), J, xi);
}

static void tangent_inv(jacobian_call *c, double *J, const double *xi, int sign)
{
    if (c->st != LG_OK || !J) return;
    through(c, MAP(c->G, dtau_inv), J, xi);
    if (c->st == LG_OK && sign < 0) negate(J, J, sz(c->G->dim) * sz(c->G->dim));
}

/* ---- between, plus and minus ---- */

lg_status lg_group_between(const lg_group *G, double *r, const double *a, const double *b)
{
    jacobian_call c;
    open_call(&c, G, r && a && b);
    inverse(&c, c.g, a);
    compose(&c, r, c.g, b);
    return close_call(&c);
}

lg_status lg_group_right_plus(const lg_group *G, double *r, const double *a, const double *xi)
{
    jacobian_call c;
    open_call(&c, G, r && a && xi);
    exponential(&c, c.g, xi);
    compose(&c, r, a, c.g);
    return close_call(&c);
}

lg_status lg_group_left_plus(const lg_group *G, double *r, const double *a, const double *xi)
{
    jacobian_call c;
    open_call(&c, G, r && a && xi);
    exponential(&c, c.g, xi);
    compose(&c, r, c.g, a);
    return close_call(&c);
}

static void right_difference(jacobian_call *c, double *xi, const double *a, const double *b)
{
    inverse(c, c->g, b);
    compose(c, c->h, c->g, a);
    logarithm(c, xi, c->h);
}

static void left_difference(jacobian_call *c, double *xi, const double *a, const double *b)
{
    inverse(c, c->g, b);
    compose(c, c->h, a, c->g);
    logarithm(c, xi, c->h);
}

lg_status lg_group_right_minus(const lg_group *G, double *xi, const double *a, const double *b)
{
    jacobian_call c;
    open_call(&c, G, xi && a && b);
    right_difference(&c, xi, a, b);
    return close_call(&c);
}

lg_status lg_group_left_minus(const lg_group *G, double *xi, const double *a, const double *b)
{
    jacobian_call c;
    open_call(&c, G, xi && a && b);
    left_difference(&c, xi, a, b);
    return close_call(&c);
}

/* ---- exp and log ---- */

static void minus(jacobian_call *c, const double *xi)
{
    if (c->st == LG_OK) negate(c->eta, xi, sz(c->G->dim));
}

lg_status lg_group_right_jacobian(const lg_group *G, double *J, const double *xi)
{
    jacobian_call c;
    open_call(&c, G, J && xi);
    minus(&c, xi);
    tangent(&c, J, c.eta);
    return close_call(&c);
}

lg_status lg_group_left_jacobian(const lg_group *G, double *J, const double *xi)
{
    jacobian_call c;
    open_call(&c, G, J && xi);
    tangent(&c, J, xi);
    return close_call(&c);
}

lg_status lg_group_right_jacobian_inv(const lg_group *G, double *J, const double *xi)
{
    jacobian_call c;
    open_call(&c, G, J && xi);
    minus(&c, xi);
    tangent_inv(&c, J, c.eta, 1);
    return close_call(&c);
}

lg_status lg_group_left_jacobian_inv(const lg_group *G, double *J, const double *xi)
{
    jacobian_call c;
    open_call(&c, G, J && xi);
    tangent_inv(&c, J, xi, 1);
    return close_call(&c);
}

/* ---- operations ---- */

lg_status lg_group_compose_right_jacobian(const lg_group *G, double *Ja, double *Jb, const double *a, const double *b)
{
    jacobian_call c;
    open_call(&c, G, a && b);
    inverse(&c, c.g, b);
    adjoint(&c, Ja, c.g, 1);
    unit(&c, Jb);
    return close_call(&c);
}

lg_status lg_group_compose_left_jacobian(const lg_group *G, double *Ja, double *Jb, const double *a, const double *b)
{
    jacobian_call c;
    open_call(&c, G, a && b);
    adjoint(&c, Jb, a, 1);
    unit(&c, Ja);
    return close_call(&c);
}

lg_status lg_group_inverse_right_jacobian(const lg_group *G, double *J, const double *a)
{
    jacobian_call c;
    open_call(&c, G, J && a);
    adjoint(&c, J, a, -1);
    return close_call(&c);
}

lg_status lg_group_inverse_left_jacobian(const lg_group *G, double *J, const double *a)
{
    jacobian_call c;
    open_call(&c, G, J && a);
    inverse(&c, c.g, a);
    adjoint(&c, J, c.g, -1);
    return close_call(&c);
}

lg_status lg_group_between_right_jacobian(const lg_group *G, double *Ja, double *Jb, const double *a, const double *b)
{
    jacobian_call c;
    open_call(&c, G, a && b);
    inverse(&c, c.g, b);
    compose(&c, c.h, c.g, a);
    adjoint(&c, Ja, c.h, -1);
    unit(&c, Jb);
    return close_call(&c);
}

lg_status lg_group_between_left_jacobian(const lg_group *G, double *Ja, double *Jb, const double *a, const double *b)
{
    jacobian_call c;
    open_call(&c, G, a && b);
    inverse(&c, c.g, a);
    adjoint(&c, Ja, c.g, -1);
    adjoint(&c, Jb, c.g, 1);
    return close_call(&c);
}

lg_status lg_group_right_plus_jacobian(const lg_group *G, double *Ja, double *Jxi, const double *a, const double *xi)
{
    jacobian_call c;
    open_call(&c, G, a && xi);
    minus(&c, xi);
    exponential(&c, c.g, c.eta);
    adjoint(&c, Ja, c.g, 1);
    tangent(&c, Jxi, c.eta);
    return close_call(&c);
}

lg_status lg_group_left_plus_jacobian(const lg_group *G, double *Ja, double *Jxi, const double *a, const double *xi)
{
    jacobian_call c;
    open_call(&c, G, a && xi);
    exponential(&c, c.g, xi);
    tangent(&c, Jxi, xi);
    adjoint(&c, Ja, c.g, 1);
    return close_call(&c);
}

lg_status lg_group_right_minus_jacobian(const lg_group *G, double *Ja, double *Jb, const double *a, const double *b)
{
    jacobian_call c;
    open_call(&c, G, a && b);
    right_difference(&c, c.xi, a, b);
    minus(&c, c.xi);
    tangent_inv(&c, Ja, c.eta, 1);
    tangent_inv(&c, Jb, c.xi, -1);
    return close_call(&c);
}

lg_status lg_group_left_minus_jacobian(const lg_group *G, double *Ja, double *Jb, const double *a, const double *b)
{
    jacobian_call c;
    open_call(&c, G, a && b);
    left_difference(&c, c.xi, a, b);
    minus(&c, c.xi);
    tangent_inv(&c, Ja, c.xi, 1);
    tangent_inv(&c, Jb, c.eta, -1);
    return close_call(&c);
}

/* ---- the named groups ---- */

/* The right Jacobian is the left one at -xi. */
#define LEFT(name, f, n)                                                                                               \
    void name(double J[static(n) * (n)], const double xi[static n])                                                    \
    {                                                                                                                  \
        f(J, xi);                                                                                                      \
    }
#define RIGHT(name, f, n)                                                                                              \
    void name(double J[static(n) * (n)], const double xi[static n])                                                    \
    {                                                                                                                  \
        double eta[n];                                                                                                 \
        negate(eta, xi, n);                                                                                            \
        f(J, eta);                                                                                                     \
    }

LEFT(lg_so2_left_jacobian, lg_so2_dexp, 1)
LEFT(lg_so2_left_jacobian_inv, lg_so2_dexp_inv, 1)
RIGHT(lg_so2_right_jacobian, lg_so2_dexp, 1)
RIGHT(lg_so2_right_jacobian_inv, lg_so2_dexp_inv, 1)
LEFT(lg_so3_left_jacobian, lg_so3_dexp, 3)
LEFT(lg_so3_left_jacobian_inv, lg_so3_dexp_inv, 3)
RIGHT(lg_so3_right_jacobian, lg_so3_dexp, 3)
RIGHT(lg_so3_right_jacobian_inv, lg_so3_dexp_inv, 3)
LEFT(lg_se2_left_jacobian, lg_se2_dexp, 3)
LEFT(lg_se2_left_jacobian_inv, lg_se2_dexp_inv, 3)
RIGHT(lg_se2_right_jacobian, lg_se2_dexp, 3)
RIGHT(lg_se2_right_jacobian_inv, lg_se2_dexp_inv, 3)
LEFT(lg_se3_left_jacobian, lg_se3_dexp, 6)
LEFT(lg_se3_left_jacobian_inv, lg_se3_dexp_inv, 6)
RIGHT(lg_se3_right_jacobian, lg_se3_dexp, 6)
RIGHT(lg_se3_right_jacobian_inv, lg_se3_dexp_inv, 6)
LEFT(lg_se23_left_jacobian, lg_se23_dexp, 9)
LEFT(lg_se23_left_jacobian_inv, lg_se23_dexp_inv, 9)
RIGHT(lg_se23_right_jacobian, lg_se23_dexp, 9)
RIGHT(lg_se23_right_jacobian_inv, lg_se23_dexp_inv, 9)

/* ---- the action on points ---- */

/* J, `columns` wide, from column `at`: s hat(y) for s = -1, R, or -R hat(x). */
static void put_hat(double *J, int columns, int at, const double y[3])
{
    const double H[9] = {0, y[2], -y[1], -y[2], 0, y[0], y[1], -y[0], 0};
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) J[columns * i + at + j] = H[3 * i + j];
}

static void put_rotation(double *J, int columns, int at, const double R[9])
{
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) J[columns * i + at + j] = R[3 * i + j];
}

static void put_turned_hat(double *J, int columns, int at, const double R[9], const double x[3])
{
    for (int i = 0; i < 3; i++) { /* the row of -R hat(x) is x cross the row of R */
        const double *r = R + 3 * i;
        J[columns * i + at] = x[1] * r[2] - x[2] * r[1];
        J[columns * i + at + 1] = x[2] * r[0] - x[0] * r[2];
        J[columns * i + at + 2] = x[0] * r[1] - x[1] * r[0];
    }
}

static void right_action(double *J, int columns, const double q[4], const double x[3])
{
    double M[27] = {0}, R[9];
    lg_so3_to_matrix(R, q);
    if (columns > 3) put_rotation(M, columns, 0, R);
    put_turned_hat(M, columns, columns - 3, R, x);
    memcpy(J, M, 3 * sz(columns) * sizeof *J);
}

static void left_action(double *J, int columns, const double y[3])
{
    static const double one[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    double M[27] = {0};
    if (columns > 3) put_rotation(M, columns, 0, one);
    put_hat(M, columns, columns - 3, y);
    memcpy(J, M, 3 * sz(columns) * sizeof *J);
}

void lg_so2_act_right_jacobian(double J[static 2], const double g[static 2], const double x[static 2])
{
    lg_so2_act_left_jacobian(J, g, x);
}

void lg_so2_act_left_jacobian(double J[static 2], const double g[static 2], const double x[static 2])
{
    double y[2];
    lg_so2_act(y, g, x);
    J[0] = -y[1];
    J[1] = y[0];
}

void lg_so3_act_right_jacobian(double J[static 9], const double q[static 4], const double x[static 3])
{
    right_action(J, 3, q, x);
}

void lg_so3_act_left_jacobian(double J[static 9], const double q[static 4], const double x[static 3])
{
    double y[3];
    lg_so3_act(y, q, x);
    left_action(J, 3, y);
}

void lg_se2_act_right_jacobian(double J[static 6], const double g[static 4], const double x[static 2])
{
    const double c = g[2], s = g[3], u = x[0], v = x[1];
    const double M[6] = {c, -s, -s * u - c * v, s, c, c * u - s * v};
    memcpy(J, M, sizeof M);
}

void lg_se2_act_left_jacobian(double J[static 6], const double g[static 4], const double x[static 2])
{
    double y[2];
    lg_se2_act(y, g, x);
    const double M[6] = {1, 0, -y[1], 0, 1, y[0]};
    memcpy(J, M, sizeof M);
}

void lg_se3_act_right_jacobian(double J[static 18], const double g[static 7], const double x[static 3])
{
    right_action(J, 6, g + 3, x);
}

void lg_se3_act_left_jacobian(double J[static 18], const double g[static 7], const double x[static 3])
{
    double y[3];
    lg_se3_act(y, g, x);
    left_action(J, 6, y);
}

void lg_se23_act_right_jacobian(double J[static 27], const double g[static 10], const double x[static 3])
{
    right_action(J, 9, g + 6, x);
}

void lg_se23_act_left_jacobian(double J[static 27], const double g[static 10], const double x[static 3])
{
    double y[3];
    lg_se23_act(y, g, x);
    left_action(J, 9, y);
}
