/* SPDX-License-Identifier: BSD-3-Clause */
/* [P2] section 8: the GNI on groupoids, (48), made of L_d, rows and a metric alone, is the specialised step: on the
 * pair groupoid for every system, on the group, on M x M x G (Atiyah) and on S^2 x SO(3) (action) where the system is
 * invariant. */
#include "claims/ferraro2015/paper_nodes.h"
#include "claims/ferraro2015/reduced.h"

enum { MOST = 3 * CLAIM_ELEMENT };

/* The deliberate error of a control. */
typedef enum flaw { SOUND, DRIFT_SIGN, WRONG_END, NO_H } flaw;

typedef struct scheme {
    const char *name;
    double w0, w1; /* weights of L at source and target; the rest to 1 at the geodesic midpoint */
} scheme;

static const scheme schemes[] = {{"trapezoidal", 0.5, 0.5}, {"euler-a", 1, 0}, {"euler-b", 0, 1}, {"midpoint", 0, 0}};

/* A system on a groupoid; the context of the callbacks. */
typedef struct world {
    const claim_system *s;
    lg_groupoid_kind kind;
    const lg_retraction *tau;
    scheme ld;
    flaw wrong;
    lg_groupoid *gpd;
    lg_group *made[2];                /* the products M and G, if they are products */
    int base_size;                    /* doubles of a point */
    int fibre[CLAIM_DIM];             /* coordinate i of the fibre is coordinate fibre[i] of the system */
    int entry[CLAIM_ELEMENT], points; /* double i of (M, G) is double entry[i] of the configuration, `points` are M's */
    lg_groupoid_system S;
    double inertia[CLAIM_DIM * CLAIM_DIM];
} world;

/* Points and elements ---------------------------------------------------------------------------------------------- */

/* An attitude R with R^T e_3 = gamma: a rotation of gamma to e_3, after one by pi where gamma looks down. */
static void attitude(const double *gamma, double *q)
{
    const int down = gamma[2] < -0.5;
    const double y = down ? -gamma[1] : gamma[1], z = down ? -gamma[2] : gamma[2];
    const double flip[4] = {1, 0, 0, 0}, turn[4] = {y, -gamma[0], 0, 1 + z};
    const double size = sqrt(turn[0] * turn[0] + turn[1] * turn[1] + turn[3] * turn[3]);
    for (int i = 0; i < 4; i++) q[i] = turn[i] / size;
    if (down && lg_group_compose(lg_so3(), q, q, flip) != LG_OK) q[0] = NAN;
}

/* A configuration over the point x; the coordinates that symmetry removes are those of the start. */
static void configuration(const world *w, const double *x, double *g)
{
    memcpy(g, w->s->g0, sizeof w->s->g0);
    if (w->kind == LG_GROUPOID_PAIR) memcpy(g, x, (size_t)w->base_size * sizeof *g);
    if (w->kind == LG_GROUPOID_ACTION) attitude(x, g);
    for (int i = 0; i < w->points && w->kind == LG_GROUPOID_ATIYAH; i++) g[w->entry[i]] = x[i];
}

static lg_status point_of(const world *w, const double *g, double *x)
{
    double R[9];
    if (w->kind == LG_GROUPOID_ACTION) {
        const lg_status status = lg_group_to_matrix(lg_so3(), R, g);
        memcpy(x, R + 6, 3 * sizeof *x);
        return status;
    }
    for (int i = 0; i < w->base_size; i++) x[i] = g[w->kind == LG_GROUPOID_ATIYAH ? w->entry[i] : i];
    return LG_OK;
}

/* The element k goes from x to x W, as configurations. */
static lg_status read_element(const world *w, const double *k, double *x, double *W)
{
    const lg_group *G = w->s->G;
    double y[CLAIM_ELEMENT];
    lg_status status;
    configuration(w, k, x);
    if (w->kind == LG_GROUPOID_GROUP || w->kind == LG_GROUPOID_ACTION) {
        memcpy(W, k + w->base_size, (size_t)w->s->size * sizeof *W);
        return LG_OK;
    }
    configuration(w, k + w->base_size, y);
    status = lg_group_inverse(G, W, x);
    if (status == LG_OK) status = lg_group_compose(G, W, W, y);
    for (int i = w->points; i < w->s->size && w->kind == LG_GROUPOID_ATIYAH; i++) W[w->entry[i]] = k[w->points + i];
    return status;
}

/* gamma.R = R^T gamma. */
static int turn(const lg_call *c, const double *gamma, const double *q, double *out)
{
    double R[9];
    const lg_status status = lg_group_to_matrix(lg_so3(), R, q);
    (void)c;
    for (int i = 0; i < 3; i++) out[i] = R[i] * gamma[0] + R[3 + i] * gamma[1] + R[6 + i] * gamma[2];
    return status != LG_OK;
}

/* L_d and its slopes ----------------------------------------------------------------------------------------------- */

/* L = xi.J(g) xi/2 - V(t, g). */
static double lagrangian_at(const world *w, double t, const double *g, const double *xi)
{
    const claim_system *s = w->s;
    const lg_call c = claim_call(s, (double[]){t});
    double J[CLAIM_DIM * CLAIM_DIM], V = 0, kinetic = 0;
    claim_metric(s, t, g, J);
    for (int i = 0; i < s->n; i++)
        for (int j = 0; j < s->n; j++) kinetic += xi[i] * J[i * s->n + j] * xi[j] / 2;
    if (s->S->callbacks.potential != NULL && s->S->callbacks.potential(&c, g, &V) != 0) return NAN;
    return kinetic - V;
}

/* L_d = h sum_i w_i L(g_i, xi), xi = tau^-1(W)/h. */
static int discrete_lagrangian(const lg_call *c, double h, const double *k, double *L)
{
    const world *w = c->context;
    const claim_system *s = w->s;
    const double w0 = w->wrong == WRONG_END ? w->ld.w1 : w->ld.w0, w1 = w->wrong == WRONG_END ? w->ld.w0 : w->ld.w1;
    double x[CLAIM_ELEMENT], W[CLAIM_ELEMENT], g[CLAIM_ELEMENT], xi[CLAIM_DIM], half[CLAIM_DIM], sum = 0;
    *L = NAN;
    if (read_element(w, k, x, W) != LG_OK || lg_retraction_tau_inv(w->tau, s->G, xi, W) != LG_OK) return 0;
    for (int i = 0; i < s->n; i++) xi[i] /= h;
    if (w0 != 0) sum += w0 * lagrangian_at(w, c->t, x, xi);
    if (w1 != 0) {
        if (lg_group_compose(s->G, g, x, W) != LG_OK) return 0;
        sum += w1 * lagrangian_at(w, c->t + h, g, xi);
    }
    if (w0 + w1 == 0) {
        if (lg_group_log(s->G, half, W) != LG_OK) return 0;
        for (int i = 0; i < s->n; i++) half[i] /= 2;
        if (lg_group_exp(s->G, g, half) != LG_OK || lg_group_compose(s->G, g, x, g) != LG_OK) return 0;
        sum += lagrangian_at(w, c->t + h / 2, g, xi);
    }
    *L = (w->wrong == NO_H ? 1 : h) * sum;
    return 0;
}

/* Constant metrics, L at the ends: (dtau^-1_{+-h xi})^* J xi +- w h dV. */
static int slope(const lg_call *c, double h, const double *k, double *out, double sign)
{
    const world *w = c->context;
    const claim_system *s = w->s;
    const double weight = sign > 0 ? w->ld.w0 : w->ld.w1;
    double x[CLAIM_ELEMENT], W[CLAIM_ELEMENT], step[CLAIM_DIM], xi[CLAIM_DIM], p[CLAIM_DIM], dV[CLAIM_DIM];
    if (read_element(w, k, x, W) != LG_OK || lg_retraction_tau_inv(w->tau, s->G, step, W) != LG_OK) return 1;
    for (int i = 0; i < s->n; i++) xi[i] = step[i] / h, step[i] *= sign;
    paper_lower(s, x, xi, p);
    if (lg_retraction_dtau_inv_dual(w->tau, s->G, p, step, p) != LG_OK) return 1;
    if (sign < 0 && lg_group_compose(s->G, x, x, W) != LG_OK) return 1;
    claim_gradient(s, sign > 0 ? c->t : c->t + h, x, dV);
    for (int i = 0; i < s->n; i++) out[i] = p[w->fibre[i]] + sign * weight * h * dV[w->fibre[i]];
    return 0;
}

static int slope_minus(const lg_call *c, double h, const double *k, double *out)
{
    return slope(c, h, k, out, 1);
}

static int slope_plus(const lg_call *c, double h, const double *k, double *out)
{
    return slope(c, h, k, out, -1);
}

static int rows(const lg_call *c, const double *x, double *mu, double *Y)
{
    const world *w = c->context;
    const claim_system *s = w->s;
    const lg_call call = claim_call(s, (double[]){c->t});
    double g[CLAIM_ELEMENT], A[CLAIM_ROWS * CLAIM_DIM] = {0}, y[CLAIM_DIM] = {0};
    configuration(w, x, g);
    if (s->S->callbacks.covectors != NULL) {
        if (s->S->callbacks.covectors(&call, g, A, y) != 0) return 1;
    } else {
        memcpy(A, s->S->covector_matrix, (size_t)(s->m * s->n) * sizeof *A);
        if (s->S->callbacks.drift != NULL && s->S->callbacks.drift(&call, g, y) != 0) return 1;
    }
    for (int i = 0; i < s->n; i++) {
        Y[i] = (w->wrong == DRIFT_SIGN ? -1 : 1) * y[w->fibre[i]];
        for (int a = 0; a < s->m; a++) mu[a * s->n + i] = A[a * s->n + w->fibre[i]];
    }
    return 0;
}

static int metric(const lg_call *c, const double *x, double *out)
{
    const world *w = c->context;
    const int n = w->s->n;
    double g[CLAIM_ELEMENT], J[CLAIM_DIM * CLAIM_DIM];
    configuration(w, x, g);
    claim_metric(w->s, c->t, g, J);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) out[i * n + j] = J[w->fibre[i] * n + w->fibre[j]];
    return 0;
}

/* Making a world --------------------------------------------------------------------------------------------------- */

/* M or G: the product of the factors that are abelian or not, in their order. */
static lg_status part(world *w, int abelian, const lg_group **out)
{
    const lg_group *factors[CLAIM_DIM];
    int count = 0;
    lg_status status;
    for (int k = 0; k < lg_group_factor_count(w->s->G); k++)
        if (lg_group_factor(w->s->G, k)->abelian == abelian) factors[count++] = lg_group_factor(w->s->G, k);
    *out = count == 1 ? factors[0] : NULL;
    if (count <= 1) return count == 1 ? LG_OK : LG_ERROR_ARGUMENT;
    status = lg_group_create_product(&w->made[abelian], factors, count);
    *out = w->made[abelian];
    return status;
}

/* The order of coordinates and doubles: M first on the Atiyah groupoid. */
static void order(world *w)
{
    const lg_group *G = w->s->G;
    int i = 0, e = 0;
    w->points = 0;
    for (int abelian = 1; abelian >= 0; abelian--) {
        for (int k = 0, at = 0, entry = 0; k < lg_group_factor_count(G); k++) {
            const lg_group *F = lg_group_factor(G, k);
            const int n = lg_group_dim(F), size = lg_group_element_size(F);
            const int take = w->kind == LG_GROUPOID_ATIYAH ? F->abelian == abelian : abelian;
            for (int j = 0; j < n && take; j++) w->fibre[i++] = at + j;
            for (int j = 0; j < size && take; j++) w->entry[e++] = entry + j;
            if (take && abelian) w->points = e;
            at += n, entry += size;
        }
    }
}

static lg_status make_groupoid(world *w)
{
    const lg_group *G = w->s->G, *M = NULL;
    switch (w->kind) {
    case LG_GROUPOID_PAIR:
        return lg_groupoid_create_pair(&w->gpd, G, NULL, NULL);
    case LG_GROUPOID_GROUP:
        return lg_groupoid_create_group(&w->gpd, G, NULL, NULL);
    case LG_GROUPOID_ATIYAH:
        if (part(w, 1, &M) != LG_OK || part(w, 0, &G) != LG_OK) return LG_ERROR_MEMORY;
        return lg_groupoid_create_atiyah(&w->gpd, M, G, NULL, NULL);
    default:
        return lg_groupoid_create_action(&w->gpd, G, NULL, 3, turn, NULL, NULL);
    }
}

static void fill_system(world *w, int with_slopes)
{
    const claim_system *s = w->s;
    static const double t = 0;
    const lg_call c = {w, NULL, t, 1, NULL, &t};
    double x[CLAIM_ELEMENT];
    w->S = lg_groupoid_system_default(w->gpd);
    w->S.context = w;
    if (with_slopes)
        w->S.slope_minus = slope_minus, w->S.slope_plus = slope_plus;
    else
        w->S.lagrangian = discrete_lagrangian;
    w->S.constraint_count = s->m;
    if (s->m > 0) w->S.covectors = rows;
    if (s->S->callbacks.metric != NULL) {
        w->S.metric = metric;
        return;
    }
    if (point_of(w, s->g0, x) == LG_OK) metric(&c, x, w->inertia);
    w->S.inertia = w->inertia;
}

static void free_world(world *w)
{
    lg_groupoid_destroy(w->gpd);
    for (int i = 0; i < 2; i++) lg_group_destroy(w->made[i]);
}

/* Side by side ----------------------------------------------------------------------------------------------------- */

static double largest_momentum(const lg_integrator *it, int n)
{
    double most = 1e-300;
    for (int i = 0; i < n; i++)
        most = fmax(most, fmax(fabs(lg_integrator_momentum_plus(it)[i]), fabs(lg_integrator_momentum_minus(it)[i])));
    return most;
}

/* The distance of the two states, relative to the momenta. */
static double compare(const world *w, const lg_groupoid_gni *it, const lg_integrator *ref, double h)
{
    const claim_system *s = w->s;
    double far = 0, x[CLAIM_ELEMENT] = {0}, v[CLAIM_DIM], xi[CLAIM_DIM], J[CLAIM_DIM * CLAIM_DIM], fast = 1e-300;
    const double *got[4] = {lg_groupoid_gni_momentum_plus(it), lg_groupoid_gni_momentum_minus(it),
                            lg_groupoid_gni_momentum(it), v};
    const double *want[4] = {lg_integrator_momentum_plus(ref), lg_integrator_momentum_minus(ref),
                             lg_integrator_momentum(ref), xi};
    const double scale = largest_momentum(ref, s->n);
    if (lg_groupoid_gni_velocity(it, v) != LG_OK || lg_integrator_velocity(ref, xi) != LG_OK) return NAN;
    claim_metric(s, lg_integrator_time(ref), lg_integrator_configuration(ref), J);
    for (int i = 0; i < s->n; i++) fast = fmax(fast, scale / J[i * s->n + i]);
    for (int k = 0; k < 4; k++)
        for (int i = 0; i < s->n; i++)
            far = paper_larger(far, fabs(got[k][i] - want[k][w->fibre[i]]) / (k < 3 ? scale : fast));
    far = paper_larger(far, fabs(lg_groupoid_gni_time(it) - lg_integrator_time(ref)) / fabs(h));
    for (int a = 0; a < s->m; a++)
        far =
            paper_larger(far, h * fabs(lg_groupoid_gni_multipliers(it)[a] - lg_integrator_multipliers(ref)[a]) / scale);
    if (w->kind == LG_GROUPOID_PAIR)
        return paper_larger(far, claim_distance(s->G, lg_groupoid_gni_base(it), lg_integrator_configuration(ref)));
    if (w->base_size == 0) return far;
    if (point_of(w, lg_integrator_configuration(ref), x) != LG_OK) return NAN;
    return paper_larger(far, claim_gap(lg_groupoid_gni_base(it), x, w->base_size));
}

/* Largest deviation over `steps` steps from the same start. */
static double side_by_side(claim_report *r, const world *w, lg_integrator *ref, int steps)
{
    const claim_system *s = w->s;
    const double h = lg_integrator_step_size(ref);
    double x[CLAIM_ELEMENT] = {0}, p[CLAIM_DIM], arrived = 0, most = NAN;
    lg_groupoid_gni *it = NULL;
    lg_status status = lg_groupoid_gni_create(&it, &w->S, h);
    for (int i = 0; i < s->n; i++) p[i] = lg_integrator_momentum_minus(ref)[w->fibre[i]];
    if (status == LG_OK) status = point_of(w, lg_integrator_configuration(ref), x);
    if (status == LG_OK) status = lg_groupoid_gni_start(it, lg_integrator_time(ref), x, p);
    for (int i = 0; status == LG_OK && i < s->n; i++) /* the momentum before the reflection */
        arrived =
            fmax(arrived, fabs(lg_groupoid_gni_momentum_plus(it)[i] - lg_integrator_momentum_plus(ref)[w->fibre[i]]));
    arrived /= largest_momentum(ref, s->n);
    for (int k = 0; status == LG_OK && k < steps && claim_steps(r, ref, 1); k++) {
        double far;
        status = lg_groupoid_gni_step(it);
        far = status == LG_OK ? compare(w, it, ref, h) : NAN;
        if (isnan(far)) most = NAN;
        if (isnan(far)) break;
        most = k == 0 ? fmax(arrived, far) : fmax(most, far);
    }
    claim_ok(r, status, w->gpd->name, lg_groupoid_gni_message(it));
    lg_groupoid_gni_destroy(it);
    return most;
}

static int steps_of(const claim_report *r)
{
    return r->full ? 20 : 5;
}

/* -1: the library refuses the combination. */
static double deviation(claim_report *r, const claim_system *s, lg_groupoid_kind kind, const scheme *ld,
                        const char *retraction, int with_slopes, flaw wrong)
{
    char method[40] = "gni:";
    world w = {.s = s, .kind = kind, .tau = lg_retraction_named(retraction), .ld = *ld, .wrong = wrong};
    lg_integrator *ref;
    double most = -1;
    if (s->m == 0) strcpy(method, "variational:");
    strcat(method, ld->name);
    ref = claim_start(r, s, method, retraction, s->h, LG_START_REACTION);
    if (ref == NULL) return -1;
    if (claim_ok(r, make_groupoid(&w), "the groupoid", NULL)) {
        w.base_size = w.gpd->base_size;
        order(&w);
        fill_system(&w, with_slopes);
        most = side_by_side(r, &w, ref, steps_of(r));
    }
    free_world(&w);
    lg_integrator_destroy(ref);
    return most;
}

/* 1 if the system is invariant under the left translations that the groupoid divides by. */
static int invariant(const claim_system *s, lg_groupoid_kind kind)
{
    int in_G[CLAIM_DIM];
    double A[2][CLAIM_ROWS * CLAIM_DIM], b[2][CLAIM_ROWS], dV[2][CLAIM_DIM], g[CLAIM_ELEMENT];
    if (kind == LG_GROUPOID_PAIR) return 1;
    if (s->S->callbacks.metric != NULL) return 0;
    if (kind == LG_GROUPOID_ATIYAH) {
        const int count = reduced_split(s, in_G);
        return count > 0 && count < s->n && reduced_invariant(s, in_G);
    }
    if (kind == LG_GROUPOID_GROUP) {
        for (int i = 0; i < s->n; i++) in_G[i] = 1;
        return reduced_invariant(s, in_G);
    }
    if (s->G != lg_so3()) return 0;
    claim_rows(s, 0, s->g0, A[0], b[0]);
    claim_gradient(s, 0, s->g0, dV[0]);
    for (int k = 1; k <= 3; k++) {
        const double about[3] = {0, 0, 0.7 * k};
        if (lg_group_exp(s->G, g, about) != LG_OK || lg_group_compose(s->G, g, g, s->g0) != LG_OK) return 0;
        claim_rows(s, 0, g, A[1], b[1]);
        claim_gradient(s, 0, g, dV[1]);
        if (claim_gap(A[0], A[1], s->m * s->n) > 1e-12 || claim_gap(b[0], b[1], s->m) > 1e-12) return 0;
        if (claim_gap(dV[0], dV[1], s->n) > 1e-9) return 0;
    }
    return 1;
}

static const char *kind_name(lg_groupoid_kind kind)
{
    return kind == LG_GROUPOID_PAIR     ? "pair"
           : kind == LG_GROUPOID_GROUP  ? "group"
           : kind == LG_GROUPOID_ATIYAH ? "Atiyah"
                                        : "action";
}

static void controls(claim_report *r, const claim_system *s, lg_groupoid_kind kind, const char *tau)
{
    double dV[CLAIM_DIM], most = 0;
    claim_gradient(s, 0, s->g0, dV);
    for (int i = 0; i < s->n; i++) most = fmax(most, fabs(dV[i]));
    claim_control(r, deviation(r, s, kind, &schemes[0], tau, 0, NO_H), 1e-6, "L_d without its factor h", "%s",
                  kind_name(kind));
    if ((s->traits & CLAIM_DRIFT) != 0)
        claim_control(r, deviation(r, s, kind, &schemes[0], tau, 0, DRIFT_SIGN), 1e-6, "-Pi for Pi: (38b) as printed",
                      "%s", kind_name(kind));
    if (most > 0)
        claim_control(r, deviation(r, s, kind, &schemes[1], tau, 0, WRONG_END), 1e-6, "V at the other end", "%s",
                      kind_name(kind));
}

/* sqrt of the metric's condition: the growth of momentum errors in the slow directions. */
static double condition(const claim_system *s)
{
    double J[CLAIM_DIM * CLAIM_DIM], re[CLAIM_DIM], im[CLAIM_DIM], low = INFINITY, high = 0;
    claim_metric(s, 0, s->g0, J);
    if (!claim_eigenvalues(s->n, J, re, im)) return NAN;
    for (int i = 0; i < s->n; i++) low = fmin(low, re[i]), high = fmax(high, re[i]);
    return sqrt(high / low);
}

static void forms_of(claim_report *r, const claim_system *s, void *context)
{
    static const lg_groupoid_kind kinds[] = {LG_GROUPOID_PAIR, LG_GROUPOID_GROUP, LG_GROUPOID_ATIYAH,
                                             LG_GROUPOID_ACTION};
    const double grown = condition(s);
    const int steps = steps_of(r);
    (void)context;
    if (s->S->projector_metric != NULL) return; /* the groupoids' projectors are the kinetic ones */
    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
        if (!invariant(s, kinds[k])) continue;
        for (int i = 0; claim_retraction(i) != NULL; i++)
            for (size_t m = 0; m < sizeof schemes / sizeof schemes[0]; m++) {
                const char *tau = claim_retraction(i);
                const double far = deviation(r, s, kinds[k], &schemes[m], tau, 0, SOUND);
                if (far == -1) continue;
                claim_below(r, far, 1e-13 * steps * grown, "differences of L_d: 1e-15 to 1e-13 a step; condition of J",
                            "%s, L_d alone", kind_name(kinds[k]));
                if (s->S->callbacks.metric == NULL && schemes[m].w0 + schemes[m].w1 > 0)
                    claim_below(r, deviation(r, s, kinds[k], &schemes[m], tau, 1, SOUND), 3e-14 * steps * grown,
                                "round-off; condition of J", "%s, with slopes", kind_name(kinds[k]));
            }
        if (claim_own_systems(r)) controls(r, s, kinds[k], claim_retraction((int)k % 2));
    }
}

static void groupoid_forms(claim_report *r)
{
    claim_each(r, 0, CLAIM_POSITION_ROWS | CLAIM_FORCE, forms_of, NULL);
    for (int i = 0; claim_own_systems(r) && reduced_example(i) != NULL; i++) {
        claim_system s;
        if (!claim_open_definition(r, &s, reduced_example(i), NULL)) continue;
        forms_of(r, &s, NULL);
        claim_close(&s);
    }
}

const claim claims_groupoid_forms[] = {
    {"groupoid-forms",
     "The GNI (48) on the pair, group, Atiyah and action groupoids, from the numbers L_d alone or with slopes, is the "
     "specialised step on every system and its reductions, for Euler A and B, trapezoidal and midpoint L_d.",
     "[P2] (47), (48), corrected affine term of (38)", 0.9, groupoid_forms},
    {0},
};
