/* SPDX-License-Identifier: BSD-3-Clause */
/* [P0]: the discrete momentum equation of the GNI and horizontal symmetries (docs/theory.md sections 1 and 3).
 *
 * Left-trivialised, a generator xi of the left action of the group on itself is Ad_{g^-1} xi at g. */
#include "claims/ferraro2008/gni.h"

static const char round_off[] = "round-off of a step: 10 x what is measured";

static double dot(const double *a, const double *b, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++) sum += a[i] * b[i];
    return sum;
}

static double size_of(const double *a, int n)
{
    double most = 0;
    for (int i = 0; i < n; i++) most = fmax(most, fabs(a[i]));
    return most;
}

/* Orthonormal basis of the span of the rows of A, m x n, in place; returns how many are independent. */
static int orthonormal(double *A, int m, int n)
{
    int count = 0;
    for (int a = 0; a < m; a++) {
        double row[CLAIM_DIM];
        const double before = sqrt(dot(A + a * n, A + a * n, n));
        memcpy(row, A + a * n, (size_t)n * sizeof *row);
        for (int pass = 0; pass < 2; pass++) {
            for (int b = 0; b < count; b++) {
                const double along = dot(row, A + b * n, n);
                for (int i = 0; i < n; i++) row[i] -= along * A[b * n + i];
            }
        }
        const double length = sqrt(dot(row, row, n));
        if (!(length > 1e-9 * before)) continue;
        for (int i = 0; i < n; i++) A[count * n + i] = row[i] / length;
        count++;
    }
    return count;
}

/* eta_i: the projection of e_i onto D = ker A, which depends smoothly on g. A is orthonormal. */
static void section(const double *A, int m, int n, int i, double *eta)
{
    memset(eta, 0, (size_t)n * sizeof *eta);
    eta[i] = 1;
    for (int a = 0; a < m; a++)
        for (int j = 0; j < n; j++) eta[j] -= A[a * n + i] * A[a * n + j];
}

/* The orthonormal rows at the integrator's node; returns their number. */
static int rows_at(const claim_system *s, const lg_integrator *it, double *A)
{
    return orthonormal(A, claim_rows(s, lg_integrator_time(it), lg_integrator_configuration(it), A, NULL), s->n);
}

/* Invariance under the reflection -------------------------------------------------------------------------------- */

/* Largest residuals of a run, relative to |p^+|. */
typedef struct jumps {
    double along;  /* <p^- - p^+, eta> for eta in D */
    double across; /* p^- - p^+ itself: shows that there is something to reflect */
    double other;  /* <w, eta> if p^+ were reflected by P - Q instead of its transpose: a control */
    double skew;   /* largest |Q - Q^T|: where it is 0 there is no such control */
} jumps;

static int look_at_jump(claim_report *r, const claim_system *s, const lg_integrator *it, jumps *x)
{
    double A[CLAIM_ROWS * CLAIM_DIM], Q[CLAIM_DIM * CLAIM_DIM], eta[CLAIM_DIM], d[CLAIM_DIM], w[CLAIM_DIM];
    const double *plus = lg_integrator_momentum_plus(it), *minus = lg_integrator_momentum_minus(it);
    const int n = s->n, m = rows_at(s, it, A);
    const double scale = size_of(plus, n);
    lg_error error;
    lg_status status =
        lg_system_projectors(s->S, NULL, Q, NULL, lg_integrator_time(it), lg_integrator_configuration(it), &error);
    if (!claim_ok(r, status, "projectors", error.message)) return 0;
    for (int i = 0; i < n; i++) {
        d[i] = minus[i] - plus[i];
        w[i] = 0;
        for (int j = 0; j < n; j++) {
            w[i] -= 2 * Q[j * n + i] * plus[j];
            x->skew = fmax(x->skew, fabs(Q[j * n + i] - Q[i * n + j]));
        }
    }
    for (int i = 0; i < n; i++) {
        section(A, m, n, i, eta);
        x->along = fmax(x->along, fabs(dot(d, eta, n)) / scale);
        x->other = fmax(x->other, fabs(dot(w, eta, n)) / scale);
    }
    x->across = fmax(x->across, size_of(d, n) / scale);
    return 1;
}

/* Starts again with a p^-_0 that has more of a normal part, so that there is something to reflect. */
static lg_integrator *start_pushed(claim_report *r, const claim_system *s, const char *method, const char *retraction)
{
    lg_integrator *it = claim_start(r, s, method, retraction, s->h, LG_START_REACTION);
    double p[CLAIM_DIM];
    lg_rng rng = {31};
    if (it == NULL) return NULL;
    const double scale = size_of(lg_integrator_momentum(it), s->n);
    for (int i = 0; i < s->n; i++) p[i] = lg_integrator_momentum_minus(it)[i] + 0.02 * scale * lg_rng_normal(&rng);
    if (claim_ok(r, lg_integrator_start_momentum(it, 0, s->g0, p), "start", lg_integrator_message(it))) return it;
    lg_integrator_destroy(it);
    return NULL;
}

static void keeps_horizontal(claim_report *r, const claim_system *s, void *context)
{
    for (int k = 0; k < CLAIM_GNI_VARIANTS; k++) {
        lg_integrator *it = start_pushed(r, s, claim_gni_variants[k], claim_retraction(k % 2));
        jumps x = {0};
        const int steps = claim_gni_steps(claim_gni_variants[k], *(const int *)context);
        int ok = it != NULL;
        for (int i = 0; ok && i < steps; i++) ok = claim_steps(r, it, 1) && look_at_jump(r, s, it, &x);
        lg_integrator_destroy(it);
        if (!ok) continue;
        claim_below(r, x.along, 1e-14, round_off, "|<p^- - p^+, eta>|/|p| for eta in D, %d steps", steps);
        if (k > 0) continue;
        claim_control(r, x.across, 1e-3, "there is a reaction", "|p^- - p^+|/|p|");
        if (x.skew > 0.1) claim_control(r, x.other, 1e-4, "P - Q acts on vectors", "the same with P - Q for (P - Q)*");
    }
}

/* The momentum equation ----------------------------------------------------------------------------------------------
 */

/* Without potential and with constant J every left translation is a symmetry of L_d: with J_k = <p^+_k, eta(g_k)>
 * J_{k+1} - J_k = <p^+_{k+1}, eta(g_{k+1}) - Ad_{W^-1} eta(g_k)> for every section eta of D. */
enum { NOT_FREE = CLAIM_POTENTIAL | CLAIM_FORCE | CLAIM_METRIC | CLAIM_POSITION_ROWS };

/* Largest residuals of a run, relative to |p|. */
typedef struct equations {
    double equation; /* of the momentum equation */
    double change;   /* |J_{k+1} - J_k|: a control */
    double outside;  /* of the equation for e_i, which are not in D: a control */
} equations;

/* The equation for one section, before and after a step. */
static double misses(const claim_system *s, const double *V, const double *p, const double *p1, const double *eta,
                     const double *eta1, double *change)
{
    double moved[CLAIM_DIM];
    const int n = s->n;
    if (lg_group_Ad_apply(s->G, moved, V, eta) != LG_OK) return (double)NAN;
    const double left = dot(p1, eta1, n) - dot(p, eta, n), scale = size_of(p1, n) * fmax(1, size_of(moved, n));
    for (int i = 0; i < n; i++) moved[i] = eta1[i] - moved[i];
    *change = fmax(*change, fabs(left) / scale);
    return fabs(left - dot(p1, moved, n)) / scale;
}

static int equation_step(claim_report *r, const claim_system *s, const lg_retraction *tau, lg_integrator *it,
                         equations *x)
{
    const int n = s->n;
    double A[2][CLAIM_ROWS * CLAIM_DIM], V[CLAIM_ELEMENT], p[CLAIM_DIM], eta[2][CLAIM_DIM], unused = 0;
    const int m0 = rows_at(s, it, A[0]);
    memcpy(p, lg_integrator_momentum_plus(it), (size_t)n * sizeof *p);
    if (!claim_steps(r, it, 1)) return 0;
    const int m1 = rows_at(s, it, A[1]);
    for (int i = 0; i < n; i++) eta[0][i] = -lg_integrator_step_size(it) * lg_integrator_step_velocity(it)[i];
    if (!claim_ok(r, lg_retraction_tau(tau, s->G, V, eta[0]), "tau", NULL)) return 0; /* W^-1 */
    for (int i = 0; i < n; i++) {
        section(A[0], m0, n, i, eta[0]);
        section(A[1], m1, n, i, eta[1]);
        x->equation = fmax(x->equation, misses(s, V, p, lg_integrator_momentum_plus(it), eta[0], eta[1], &x->change));
        section(A[0], 0, n, i, eta[0]);
        x->outside = fmax(x->outside, misses(s, V, p, lg_integrator_momentum_plus(it), eta[0], eta[0], &unused));
    }
    return 1;
}

static void keeps_equation(claim_report *r, const claim_system *s, void *context)
{
    const int steps = *(const int *)context;
    for (int k = 0; k < 4 && claim_retraction(k % 2) != NULL; k++) {
        lg_integrator *it = start_pushed(r, s, k < 2 ? "gni" : "gni:midpoint", claim_retraction(k % 2));
        equations x = {0};
        int ok = it != NULL;
        for (int i = 0; ok && i < steps; i++)
            ok = equation_step(r, s, lg_retraction_named(claim_retraction(k % 2)), it, &x);
        lg_integrator_destroy(it);
        if (!ok) continue;
        claim_below(r, x.equation, 1e-14, round_off,
                    "J_{k+1} - J_k - <p^+_{k+1}, (xi_{k+1} - xi_k)_Q>, relative, %d steps", steps);
        if (k > 1) continue;
        /* With Ad*_W p = p and rows that stand still nothing changes: the rolling ball in body coordinates. */
        if ((s->traits & CLAIM_BIINVARIANT) == 0 || (s->traits & CLAIM_CONSTANT_ROWS) == 0)
            claim_control(r, x.change, 1e-3, "the right side is not 0", "|J_{k+1} - J_k|/|p|");
        claim_control(r, x.outside, 1e-3, "sections that are not in D", "the equation for e_1, ..., e_n");
    }
}

/* The examples of the paper ------------------------------------------------------------------------------------------
 */

/* Three nodes, the steps between them, and p^+ at the last two. */
typedef struct nodes {
    const double *q[3];
    const double *step[2]; /* q_{k+1} - q_k, angles wrapped */
    const double *p[2];
    const double *param;
} nodes;

/* Residuals of the equations of an example, and the changes of J for comparison. */
typedef void (*example)(const nodes *k, double *residual, double *change);

/* (9a)-(9c): the momentum equations for (1, 0, y) and (0, 1, 0), and the constraint in average; times h^2 and h. */
static void particle_example(const nodes *k, double *residual, double *change)
{
    const double *a = k->step[0], *b = k->step[1], y1 = k->q[1][1], y2 = k->q[2][1];
    residual[0] = b[0] - a[0] + y1 * (b[2] - a[2]);
    residual[1] = (b[0] + y2 * b[2]) - (a[0] + y1 * a[2]) - (y2 - y1) * b[2];
    residual[2] = b[1] - a[1];
    residual[3] = a[2] + b[2] - y1 * (a[0] + b[0]);
    change[0] = (b[0] + y2 * b[2]) - (a[0] + y1 * a[2]);
}

/* As printed, for a d_x + b d_y + c d_theta with a = r cos theta cos phi, b = r sin theta cos phi, c = -sin phi. */
static void snakeboard_example(const nodes *k, double *residual, double *change)
{
    const double m = k->param[0], J = k->param[1] + 2 * k->param[3], r = k->param[4], inertia[3] = {m, m, J};
    double section[2][3], J0 = 0, J1 = 0, right = 0;
    for (int i = 0; i < 2; i++) {
        const double theta = k->q[i + 1][2], phi = k->q[i + 1][4];
        section[i][0] = r * cos(theta) * cos(phi);
        section[i][1] = r * sin(theta) * cos(phi);
        section[i][2] = -sin(phi);
    }
    for (int i = 0; i < 3; i++) {
        J0 += inertia[i] * section[0][i] * k->step[0][i];
        J1 += inertia[i] * section[1][i] * k->step[1][i];
        right += inertia[i] * (section[1][i] - section[0][i]) * k->step[1][i];
    }
    residual[0] = J1 - J0 - right;
    change[0] = J1 - J0;
}

/* Along the blade, xi = (cos theta, sin theta, 0), and the rotation about the contact, xi_Q = (y_k - y, x - x_k, 1). */
static void sleigh_example(const nodes *k, double *residual, double *change)
{
    const double *p = k->p[0], *q = k->p[1], *step = k->step[1];
    const double c0 = cos(k->q[1][2]), s0 = sin(k->q[1][2]), c1 = cos(k->q[2][2]), s1 = sin(k->q[2][2]);
    change[0] = (q[0] * c1 + q[1] * s1) - (p[0] * c0 + p[1] * s0);
    residual[0] = change[0] - (q[0] * (c1 - c0) + q[1] * (s1 - s0));
    change[1] = q[2] - p[2];
    residual[1] = change[1] - (q[0] * step[1] - q[1] * step[0]);
}

/* Runs an example; the largest |residual_i| and |change_i|, over the largest |q| or |p| and |step|. */
static int run_example(claim_report *r, const claim_system *s, const char *method, int steps, example look,
                       double *residual, double *change)
{
    double q[3][CLAIM_ELEMENT], step[2][CLAIM_DIM] = {{0}}, p[2][CLAIM_DIM] = {{0}}, inverse[CLAIM_ELEMENT];
    const nodes k = {{q[0], q[1], q[2]}, {step[0], step[1]}, {p[0], p[1]}, s->S->parameter_values};
    lg_integrator *it = claim_start(r, s, method, "exp", s->h, LG_START_REACTION);
    int ok = it != NULL;
    memset(q, 0, sizeof q);
    if (ok) memcpy(q[2], lg_integrator_configuration(it), (size_t)s->size * sizeof **q);
    for (int i = 0; ok && i < steps; i++) {
        double now[4] = {0}, turn[4] = {0}, scale = 1;
        memcpy(q[0], q[1], sizeof q[0]), memcpy(q[1], q[2], sizeof q[0]);
        memcpy(step[0], step[1], sizeof step[0]), memcpy(p[0], p[1], sizeof p[0]);
        ok = claim_steps(r, it, 1) && lg_group_inverse(s->G, inverse, q[1]) == LG_OK;
        memcpy(q[2], lg_integrator_configuration(it), (size_t)s->size * sizeof **q);
        memcpy(p[1], lg_integrator_momentum_plus(it), (size_t)s->n * sizeof **p);
        ok = ok && lg_group_compose(s->G, inverse, inverse, q[2]) == LG_OK &&
             lg_group_log(s->G, step[1], inverse) == LG_OK;
        if (i == 0) continue;
        look(&k, now, turn);
        for (int j = 0; j < s->size; j++) scale = fmax(scale, fabs(q[2][j]));
        for (int j = 0; j < 4; j++) {
            residual[j] = fmax(residual[j], fabs(now[j]) / (scale * scale));
            change[j] = fmax(change[j], fabs(turn[j]));
        }
    }
    lg_integrator_destroy(it);
    return ok;
}

static void examples_of_paper(claim_report *r)
{
    static const struct {
        const char *name;
        example look;
        int equations;
        const char *what;
    } list[] = {
        {"particle", particle_example, 4, "(9a), its momentum equation, (9b), (9c)"},
        {"snakeboard-planar", snakeboard_example, 1, "the snakeboard's momentum equation as printed"},
        {"chaplygin-sleigh-planar", sleigh_example, 2, "momentum equations of blade and rotation"},
    };
    for (int i = 0; i < 3; i++) {
        claim_system s;
        if (!claim_open(r, &s, list[i].name, "")) continue;
        for (int v = 0; v < CLAIM_GNI_VARIANTS; v++) {
            double residual[4] = {0}, change[4] = {0}, most = 0;
            if (!run_example(r, &s, claim_gni_variants[v], 200, list[i].look, residual, change)) continue;
            for (int j = 0; j < list[i].equations; j++) most = fmax(most, residual[j]);
            claim_below(r, most, 5e-15, "round-off: 6 x what is measured, over |q|^2", "%s", list[i].what);
            if (v == 0) claim_control(r, change[0], 1e-4, "the right side is not 0", "change of J a step");
        }
        claim_close(&s);
    }
}

/* "... the DLA method also yields (9a) and (9b)", but it replaces (9c). */
static void particle_under_dla(claim_report *r)
{
    claim_system s;
    double residual[4] = {0}, change[4] = {0};
    if (!claim_open(r, &s, "particle", "")) return;
    if (run_example(r, &s, "dla:midpoint", 200, particle_example, residual, change)) {
        claim_below(r, fmax(residual[0], fmax(residual[1], residual[2])), 1e-14, "the solver's 1e-14", "(9a), (9b)");
        claim_control(r, residual[3], 1e-6, "DLA has a constraint of its own", "(9c)");
    }
    claim_close(&s);
}

static void momentum_equation(claim_report *r)
{
    int steps = r->full ? 1000 : 100;
    claim_each(r, CLAIM_VELOCITY_ROWS, 0, keeps_horizontal, &steps);
    claim_each(r, CLAIM_VELOCITY_ROWS, NOT_FREE, keeps_equation, &steps);
    if (!claim_own_systems(r)) return;
    examples_of_paper(r);
    particle_under_dla(r);
}

/* Horizontal symmetries ----------------------------------------------------------------------------------------------
 */

/* Takes from the orthonormal K (count x n) the direction of `row`: what is left annihilates it. Returns the new count.
 */
static int annihilate(double *K, int count, int n, const double *row)
{
    double c[CLAIM_DIM], length = 0;
    for (int a = 0; a < count; a++) {
        c[a] = dot(K + a * n, row, n);
        length += c[a] * c[a];
    }
    if (length <= 1e-20 * dot(row, row, n) || length == 0) return count;
    /* Householder's reflection of c to the first place, applied to K; then the first of K goes. */
    length = sqrt(length);
    const double first = c[0] + copysign(length, c[0]), beta = 1 / (length * fabs(first));
    c[0] = first;
    for (int i = 0; i < n; i++) {
        double along = 0;
        for (int a = 0; a < count; a++) along += c[a] * K[a * n + i];
        for (int a = 0; a < count; a++) K[a * n + i] -= beta * along * c[a];
    }
    memmove(K, K + n, (size_t)((count - 1) * n) * sizeof *K);
    return count - 1;
}

/* Covectors, seen from space, at a random place: rows of A and dV. Takes them from K; returns what is left. */
static int look_for_symmetry(const claim_system *s, lg_rng *rng, int horizontal, double *K, int count)
{
    double A[(CLAIM_ROWS + 1) * CLAIM_DIM], g[CLAIM_ELEMENT], xi[CLAIM_DIM], back[CLAIM_ELEMENT];
    const double t = s->traits & CLAIM_TIME ? lg_rng_uniform(rng) : 0;
    int rows;
    for (int i = 0; i < s->n; i++) xi[i] = 0.7 * lg_rng_normal(rng);
    if (lg_group_exp(s->G, g, xi) != LG_OK || lg_group_compose(s->G, g, s->g0, g) != LG_OK) return 0;
    if (lg_group_inverse(s->G, back, g) != LG_OK) return 0;
    rows = claim_rows(s, t, g, A, NULL);
    if (!horizontal) rows = 0;
    if (s->traits & CLAIM_POTENTIAL) claim_gradient(s, t, g, A + rows++ * s->n);
    for (int a = 0; a < rows && count > 0; a++) {
        double *row = A + a * s->n;
        if (size_of(row, s->n) < 1e-12) continue;
        if (lg_group_coAd_apply(s->G, row, back, row) != LG_OK)
            return 0; /* <row, Ad_{g^-1} xi> = <Ad*_{g^-1} row, xi> */
        count = annihilate(K, count, s->n, row);
    }
    return count;
}

/* The symmetries of L_d, with `horizontal` those whose generators lie in D everywhere, as an orthonormal basis. */
static int find_symmetries(const claim_system *s, int horizontal, double *K)
{
    int count = s->n;
    lg_rng rng = {37};
    memset(K, 0, (size_t)(s->n * s->n) * sizeof *K);
    for (int i = 0; i < s->n; i++) K[i * s->n + i] = 1;
    for (int i = 0; i < 3 * s->n && count > 0; i++) count = look_for_symmetry(s, &rng, horizontal, K, count);
    return count;
}

/* Largest change of <p^+, Ad_{g^-1} xi> and of the same of p~ over a run, relative to |p||Ad_{g^-1} xi|. NaN: it
 * failed. */
static double momentum_change(claim_report *r, const claim_system *s, const char *method, const char *retraction,
                              int steps, const double *xi)
{
    lg_integrator *it = start_pushed(r, s, method, retraction);
    double first[2] = {0}, most = it != NULL ? 0 : (double)NAN, scale = 0;
    for (int k = 0; k <= steps && it != NULL; k++) {
        double back[CLAIM_ELEMENT], eta[CLAIM_DIM];
        if (k > 0 && !claim_steps(r, it, 1)) break;
        if (lg_group_inverse(s->G, back, lg_integrator_configuration(it)) != LG_OK ||
            lg_group_Ad_apply(s->G, eta, back, xi) != LG_OK)
            break;
        const double now[2] = {dot(lg_integrator_momentum_plus(it), eta, s->n),
                               dot(lg_integrator_momentum(it), eta, s->n)};
        if (k == 0) memcpy(first, now, sizeof first);
        scale = fmax(scale, size_of(lg_integrator_momentum_plus(it), s->n) * fmax(1, size_of(eta, s->n)));
        for (int i = 0; i < 2; i++) most = fmax(most, fabs(now[i] - first[i]) / scale);
    }
    lg_integrator_destroy(it);
    return most;
}

static void keeps_horizontal_momenta(claim_report *r, const claim_system *s, void *context)
{
    const int steps = *(const int *)context;
    double K[CLAIM_DIM * CLAIM_DIM], all[CLAIM_DIM * CLAIM_DIM], lost = 0;
    const int count = find_symmetries(s, 1, K), symmetries = find_symmetries(s, 0, all);
    for (int v = 0; v < CLAIM_GNI_VARIANTS && count > 0; v++) {
        double most = 0;
        for (int i = 0; i < count; i++)
            most =
                fmax(most, momentum_change(r, s, claim_gni_variants[v], claim_retraction(v % 2), steps, K + i * s->n));
        claim_below(r, most, 5e-15 + 5e-17 * steps, "round-off, also of one sign: 5e-17 a step",
                    "change of %d horizontal momenta, %d steps", count, steps);
    }
    if (count == 0 || symmetries == count) return;
    for (int i = 0; i < symmetries; i++) lost = fmax(lost, momentum_change(r, s, "gni", "exp", steps, all + i * s->n));
    claim_control(r, lost, 1e-3, "symmetries that are not horizontal", "change of the other momenta");
}

/* The known numbers of symmetries, since the loop above would silently skip a system. */
static void expect_symmetries(claim_report *r, int steps)
{
    static const struct {
        const char *name, *settings;
        int count;
        const char *what;
    } list[] = {
        {"particle", "", 1, "p_y"},
        {"snakeboard-planar", "", 2, "psi and phi"},
        {"snakeboard", "", 2, "psi and phi"},
        {"mobile-robot", "", 1, "theta"},
        {"veselova-top", "chi1=0 chi2=0 chi3=0", 2, "horizontal spatial momenta"},
        {"chaplygin-sphere", "", 3, "angular momentum about the contact"},
        {"chaplygin-sphere", "Omega=0 I1=0.9 I2=1.4 I3=2", 3, "angular momentum about the contact"},
        {"rigid-body", "", 3, "spatial momentum"},
        {"heavy-top", "", 1, "vertical momentum"},
    };
    for (size_t i = 0; i < sizeof list / sizeof list[0]; i++) {
        double K[CLAIM_DIM * CLAIM_DIM];
        claim_system s;
        if (!claim_open(r, &s, list[i].name, list[i].settings)) continue;
        claim_case(r, s.name, NULL, NULL);
        claim_between(r, find_symmetries(&s, 1, K), list[i].count, list[i].count, "the literature",
                      "number of horizontal symmetries: %s", list[i].what);
        if (list[i].settings[0] != '\0') keeps_horizontal_momenta(r, &s, &steps);
        claim_close(&s);
    }
}

static void horizontal_symmetry(claim_report *r)
{
    int steps = r->full ? 30000 : 300;
    claim_each(r, 0, CLAIM_FORCE | CLAIM_METRIC | CLAIM_POSITION_ROWS, keeps_horizontal_momenta, &steps);
    if (claim_own_systems(r)) expect_symmetries(r, steps);
}

const claim claims_gni_momentum[] = {
    {"gni-momentum-equation",
     "The reflection of the GNI changes momenta only across the distribution, <p^- - p^+, eta> = 0 for eta in D, so "
     "that the discrete momentum map obeys J_{k+1} - J_k = <p^+_{k+1}, (xi_{k+1} - xi_k)_Q> for every section of D "
     "under a symmetry of L_d: on every system, and as printed for the paper's examples.",
     "[P0] theorem 2, equations (9a)-(9c), examples 1-3", 0.2, momentum_equation},
    {"gni-horizontal-symmetry",
     "The GNI conserves the momentum of every horizontal symmetry, one whose generator lies in D everywhere: p_y of "
     "the particle, the snakeboard's rotor and wheels, horizontal momenta of Veselova's top, the angular momentum of "
     "the Chaplygin sphere about its contact; symmetries that are not horizontal give no conserved momentum.",
     "[P0] corollary 3", 0.3, horizontal_symmetry},
    {0},
};
