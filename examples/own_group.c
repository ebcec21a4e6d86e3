/* SPDX-License-Identifier: BSD-3-Clause */
/* A group and a retraction of your own: the Heisenberg group, on which a free particle is one in the plane with a
 * magnetic field. The third velocity is its charge; the other two turn at the rate charge/m.
 *
 * As a program it checks both, and compares the motion with the closed form. Compiled as a shared object
 *   cc -shared -fPIC own_group.c -o own-group.so
 * the same file is a system for the command line:
 *   liegrp info ./own-group.so --check
 *   liegrp run ./own-group.so --param charge=2 --time 20 --plot orbit.png */
#include <liegrp/liegrp.h>

#include <math.h>
#include <stdio.h>

/* ---- the group: (x, y, z)(x', y', z') = (x + x', y + y', z + z' + x y'). Each operation computes all numbers before
 * it writes one, since its output may be its input. ---- */

static void put(double *out, double a, double b, double c)
{
    out[0] = a, out[1] = b, out[2] = c;
}

static void put_matrix(double *M, double m20, double m21)
{
    const double value[9] = {1, 0, 0, 0, 1, 0, m20, m21, 1};
    for (int i = 0; i < 9; i++) M[i] = value[i];
}

static lg_status identity(const lg_group *G, double *g)
{
    (void)G;
    put(g, 0, 0, 0);
    return LG_OK;
}

static lg_status compose(const lg_group *G, double *r, const double *a, const double *b, void *work)
{
    (void)G, (void)work;
    put(r, a[0] + b[0], a[1] + b[1], a[2] + b[2] + a[0] * b[1]);
    return LG_OK;
}

static lg_status inverse(const lg_group *G, double *r, const double *g, void *work)
{
    (void)G, (void)work;
    put(r, -g[0], -g[1], g[0] * g[1] - g[2]);
    return LG_OK;
}

/* d/ds g exp(s eta) g^-1 at s = 0 is (eta_1, eta_2, eta_3 + x eta_2 - y eta_1). */
static lg_status Ad(const lg_group *G, double *M, const double *g, void *work)
{
    (void)G, (void)work;
    put_matrix(M, -g[1], g[0]);
    return LG_OK;
}

/* [xi, eta] = (0, 0, xi_1 eta_2 - xi_2 eta_1). */
static lg_status ad(const lg_group *G, double *M, const double *xi, void *work)
{
    (void)G, (void)work;
    put_matrix(M, -xi[1], xi[0]);
    M[0] = M[4] = M[8] = 0;
    return LG_OK;
}

/* ---- its exponential, and the tangents (e^ad - 1)/ad = 1 + ad/2 and their inverse, for ad^2 = 0 ---- */

static lg_status exponential(const lg_group *G, double *g, const double *xi, void *work)
{
    (void)G, (void)work;
    put(g, xi[0], xi[1], xi[2] + xi[0] * xi[1] / 2);
    return LG_OK;
}

static lg_status logarithm(const lg_group *G, double *xi, const double *g, void *work)
{
    (void)G, (void)work;
    put(xi, g[0], g[1], g[2] - g[0] * g[1] / 2);
    return LG_OK;
}

static lg_status dexp(const lg_group *G, double *M, const double *xi, void *work)
{
    (void)G, (void)work;
    put_matrix(M, -xi[1] / 2, xi[0] / 2);
    return LG_OK;
}

static lg_status dexp_inv(const lg_group *G, double *M, const double *xi, void *work)
{
    (void)G, (void)work;
    put_matrix(M, xi[1] / 2, -xi[0] / 2);
    return LG_OK;
}

static const lg_group_maps exp_maps = {.tau = exponential, .tau_inv = logarithm, .dtau = dexp, .dtau_inv = dexp_inv};

/* x and y are coordinates; z is not one, since (x, y, z) exp(xi) adds x xi_2 too. */
static const lg_group_block blocks[] = {{LG_BLOCK_VECTOR, 0, 2, 0, 2, "x y"}, {LG_BLOCK_NUMBERS, 2, 1, 2, 1, "z"}};

static const lg_group heisenberg = {.size = sizeof(lg_group),
                                    .name = "Heisenberg",
                                    .dim = 3,
                                    .element_size = 3,
                                    .identity = identity,
                                    .compose = compose,
                                    .inverse = inverse,
                                    .Ad = Ad,
                                    .ad = ad,
                                    .exp = &exp_maps,
                                    .block_count = 2,
                                    .blocks = blocks};

/* ---- a retraction: the coordinates themselves. It is exact, but not symmetric: tau(xi) tau(-xi) = (0, 0, -xi_1 xi_2),
 * and Ad_tau(xi) xi = xi holds. ---- */

static lg_status tau(const lg_retraction *r, const lg_group *G, double *g, const double *xi, void *work)
{
    (void)r, (void)G, (void)work;
    put(g, xi[0], xi[1], xi[2]);
    return LG_OK;
}

/* D tau(xi).eta = (dtau_xi eta) tau(xi) with dtau_xi eta = (eta_1, eta_2, eta_3 - xi_2 eta_1). */
static lg_status dtau_inv(const lg_retraction *r, const lg_group *G, double *M, const double *xi, void *work)
{
    (void)r, (void)G, (void)work;
    put_matrix(M, xi[1], 0);
    return LG_OK;
}

static int supports(const lg_retraction *r, const lg_group *G)
{
    (void)r;
    return G == &heisenberg;
}

static const lg_retraction coordinates = {.size = sizeof(lg_retraction),
                                          .name = "coordinates",
                                          .flags = LG_RETRACTION_EXACT | LG_RETRACTION_COMMUTING,
                                          .tau = tau,
                                          .dtau_inv = dtau_inv,
                                          .supports = supports};

/* ---- the system ---- */

static const lg_group *group(void)
{
    return &heisenberg;
}

static const lg_parameter parameters[] = {{"m", "kg", "mass", 1, 0, INFINITY, 1},
                                          {"charge", "kg/s", "charge times field", 1.5, -INFINITY, INFINITY, 0}};

static int configure(const lg_call *c, double *J, double *rows, char *why)
{
    (void)rows, (void)why;
    J[0] = J[4] = c->param[0];
    J[8] = 1;
    return 0;
}

static int initial(const lg_call *c, double *g0, double *xi0)
{
    put(g0, 0, 0, 0);
    put(xi0, 1, 0, c->param[1]);
    return 0;
}

static int charge(const lg_call *c, const double *g, const double *p, double *out)
{
    (void)c, (void)g;
    *out = p[2];
    return 0;
}

static const lg_invariant invariants[] = {{"charge", "p_3, the momentum along the centre of the group", charge}};

static const lg_model_definition definition = {.size = sizeof(lg_model_definition),
                                               .name = "magnetic-particle",
                                               .summary = "particle in a plane with a magnetic field",
                                               .group = group,
                                               .parameter_count = 2,
                                               .parameters = parameters,
                                               .invariant_count = 1,
                                               .invariants = invariants,
                                               .configure = configure,
                                               .initial = initial,
                                               .step = 0.02};

LG_API const lg_model_definition *liegrp_system(void);
const lg_model_definition *liegrp_system(void)
{
    return &definition;
}

/* ---- the program ---- */

/* The axioms of the group and the promises of the retraction, at 20 random elements. */
static int check(void)
{
    lg_error e;
    lg_rng rng = {1};
    if (lg_group_check(&heisenberg, &rng, 20, 0, &e) == LG_OK &&
        lg_retraction_check(&coordinates, &heisenberg, &rng, 20, 0, &e) == LG_OK)
        return 0;
    fprintf(stderr, "%s\n", e.message);
    return 1;
}

/* Distance from the circle (sin(w t), 1 - cos(w t))/w, w = charge/m, after 1000 steps of 0.01. */
static int try_it(const lg_system *S, const lg_retraction *r)
{
    const double g0[3] = {0, 0, 0}, xi0[3] = {1, 0, 1.5}, w = 1.5, t = 10;
    lg_integrator *it = NULL;
    lg_status status = lg_integrator_create_with(&it, S, "variational", r, 0.01);
    if (status == LG_OK) status = lg_integrator_start(it, 0, g0, xi0, LG_START_REACTION, 0);
    const double H0 = status == LG_OK ? lg_integrator_energy(it) : 1;
    while (status == LG_OK && lg_integrator_step_index(it) < 1000) status = lg_integrator_step(it);
    if (status == LG_OK) {
        const double *g = lg_integrator_configuration(it);
        const double off = hypot(g[0] - sin(w * t) / w, g[1] - (1 - cos(w * t)) / w);
        printf("%-12s %.1e from the circle, energy within %.1e\n", r->name, off,
               fabs(lg_integrator_energy(it) / H0 - 1));
    } else {
        fprintf(stderr, "%s: %s\n", r->name, lg_integrator_message(it));
    }
    lg_integrator_destroy(it);
    return status != LG_OK;
}

int main(void)
{
    const double inertia[3] = {1, 1, 1};
    lg_system particle = lg_system_default(&heisenberg);
    particle.inertia_diagonal = inertia;
    return check() || try_it(&particle, lg_retraction_exp()) || try_it(&particle, &coordinates);
}
