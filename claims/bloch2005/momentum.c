/* SPDX-License-Identifier: BSD-3-Clause */
/* [P4]: the momentum equation (theorem 3) on every system that has a symmetry. */
#include "claims/bloch2005/survey.h"

/* Symmetries of a system: left translations along basis vectors, and rotations of everything about the vertical, alone
 * or together with one of the angles, if they preserve metric, potential and constraint distribution. */
enum { VERTICAL = -1, MOST = 2 * CLAIM_DIM };
typedef struct symmetry {
    int count, direction[MOST]; /* d >= 0: along e_d; VERTICAL; VERTICAL - 1 - i: and the angle i */
} symmetry;

/* The rotation of one factor by `angle`, and its generator xi in the body (NULL: not wanted). */
static int turn_factor(const lg_group *F, int angle_index, double angle, const double *g, double *out, double *xi)
{
    const int n = lg_group_dim(F), axis = F->kind == LG_KIND_SE3 ? 5 : 2;
    double e[CLAIM_DIM] = {0}, inverse[CLAIM_ELEMENT];
    if (F->kind == LG_KIND_RN && n > 1) {
        memcpy(out, g, (size_t)n * sizeof *out);
        for (int i = 0; xi != NULL && i < n; i++) xi[i] = 0;
        for (int i = 0; i + 1 < n; i += n % 3 == 0 ? 3 : n) { /* points of the plane or of space */
            out[i] = cos(angle) * g[i] - sin(angle) * g[i + 1];
            out[i + 1] = sin(angle) * g[i] + cos(angle) * g[i + 1];
            if (xi != NULL) xi[i] = -g[i + 1], xi[i + 1] = g[i];
        }
        return 0;
    }
    if (F->kind == LG_KIND_SO3 || F->kind == LG_KIND_SE2 || F->kind == LG_KIND_SE3) e[axis] = 1;
    if (F->kind == LG_KIND_TORUS && angle_index >= 0 && angle_index < n) e[angle_index] = 1;
    if (xi != NULL && (lg_group_inverse(F, inverse, g) != LG_OK || lg_group_Ad_apply(F, xi, inverse, e) != LG_OK))
        return 1;
    for (int i = 0; i < n; i++) e[i] *= angle;
    return lg_group_exp(F, out, e) != LG_OK || lg_group_compose(F, out, out, g) != LG_OK;
}

/* The action of direction d by `angle` on g, and its generator in the body. */
static int act(const claim_system *s, int d, double angle, const double *g, double *out, double *xi)
{
    double e[CLAIM_DIM] = {0}, inverse[CLAIM_ELEMENT];
    int turned = VERTICAL - 1 - d, failed = 0;
    if (d >= 0) {
        e[d] = 1;
        if (xi != NULL &&
            (lg_group_inverse(s->G, inverse, g) != LG_OK || lg_group_Ad_apply(s->G, xi, inverse, e) != LG_OK))
            return 1;
        e[d] = angle;
        return lg_group_exp(s->G, out, e) != LG_OK || lg_group_compose(s->G, out, out, g) != LG_OK;
    }
    for (int i = 0; i < lg_group_factor_count(s->G); i++) {
        const lg_group *F = lg_group_factor(s->G, i);
        failed |= turn_factor(F, turned, angle, g, out, xi);
        if (F->kind == LG_KIND_TORUS) turned -= lg_group_dim(F);
        g += lg_group_element_size(F), out += lg_group_element_size(F), xi = xi != NULL ? xi + lg_group_dim(F) : NULL;
    }
    return failed;
}

/* M -> T^T M T, T the tangent of a vertical rotation: it acts on R^n; elsewhere it does not change body coordinates. */
static void turn_back(const claim_system *s, double angle, double *M)
{
    const double c = cos(angle), sn = sin(angle);
    const int n = s->n;
    int from = 0;
    for (int k = 0; k < lg_group_factor_count(s->G); from += lg_group_dim(lg_group_factor(s->G, k++))) {
        const lg_group *F = lg_group_factor(s->G, k);
        const int size = lg_group_dim(F);
        if (F->kind != LG_KIND_RN || size < 2) continue;
        for (int i = from; i + 1 < from + size; i += size % 3 == 0 ? 3 : size) {
            for (int j = 0; j < n; j++) {
                const double x = M[i * n + j], y = M[(i + 1) * n + j];
                M[i * n + j] = c * x + sn * y, M[(i + 1) * n + j] = c * y - sn * x;
            }
            for (int j = 0; j < n; j++) {
                const double x = M[j * n + i], y = M[j * n + i + 1];
                M[j * n + i] = c * x + sn * y, M[j * n + i + 1] = c * y - sn * x;
            }
        }
    }
}

/* Metric, potential and the projection onto the constraints at g, 2 n^2 + 1 numbers. */
static int fields_at(const claim_system *s, const double *g, double *out)
{
    const lg_call c = claim_call(s, (double[]){0});
    const int nn = s->n * s->n;
    claim_metric(s, 0, g, out);
    memset(out + nn, 0, (size_t)(nn + 1) * sizeof *out);
    if (s->m > 0 && lg_system_projectors(s->S, out + nn, NULL, NULL, 0, g, NULL) != LG_OK) return 1;
    return s->S->callbacks.potential != NULL && s->S->callbacks.potential(&c, g, out + 2 * nn) != 0;
}

/* 1 if the generator of d at g is not a combination of those of y. */
static int is_new(const claim_system *s, const symmetry *y, int d, const double *g)
{
    double basis[MOST + 1][CLAIM_DIM], moved[CLAIM_ELEMENT];
    for (int j = 0; j <= y->count; j++) {
        double size;
        if (act(s, j < y->count ? y->direction[j] : d, 0, g, moved, basis[j])) return 0;
        for (int b = 0; b < j; b++) {
            const double along = survey_dot(basis[j], basis[b], s->n);
            for (int i = 0; i < s->n; i++) basis[j][i] -= along * basis[b][i];
        }
        size = survey_norm(basis[j], s->n);
        if (j == y->count) return size > 1e-6;
        for (int i = 0; i < s->n; i++) basis[j][i] = size > 1e-6 ? basis[j][i] / size : 0;
    }
    return 0;
}

static int is_symmetry(const claim_system *s, const symmetry *y, int d)
{
    static const double angle = 0.6;
    double here[2 * CLAIM_DIM * CLAIM_DIM + 1], there[2 * CLAIM_DIM * CLAIM_DIM + 1];
    double g[CLAIM_ELEMENT], moved[CLAIM_ELEMENT], step[CLAIM_DIM];
    lg_rng rng = {21};
    for (int k = 0; k < 3; k++) {
        for (int i = 0; i < s->n; i++) step[i] = 0.3 * lg_rng_normal(&rng);
        if (lg_group_exp(s->G, g, step) != LG_OK || lg_group_compose(s->G, g, s->g0, g) != LG_OK) return 0;
        if (!is_new(s, y, d, g)) return 0;
        if (act(s, d, angle, g, moved, NULL) || fields_at(s, g, here) || fields_at(s, moved, there)) return 0;
        if (d < 0) turn_back(s, angle, there), turn_back(s, angle, there + s->n * s->n);
        if (!(claim_gap(here, there, 2 * s->n * s->n + 1) < 1e-11)) return 0;
    }
    return 1;
}

static symmetry find_symmetry(const claim_system *s)
{
    symmetry y = {0};
    int angles = 0;
    for (int d = 0; d < s->n; d++)
        if (is_symmetry(s, &y, d)) y.direction[y.count++] = d;
    for (int k = 0; k < lg_group_factor_count(s->G); k++)
        if (lg_group_factor(s->G, k)->kind == LG_KIND_TORUS) angles += lg_group_dim(lg_group_factor(s->G, k));
    for (int d = VERTICAL; d >= VERTICAL - angles; d--)
        if (is_symmetry(s, &y, d) && y.count < MOST) y.direction[y.count++] = d;
    return y;
}

/* A section of g^D: the part of a fixed vector that lies in the kernel of B = A S, S the generators (columns) at g. */
typedef struct section {
    const symmetry *symmetry;
    double reference[MOST];
} section;

static int generators(const claim_system *s, const symmetry *y, const double *g, double *S)
{
    double moved[CLAIM_ELEMENT];
    for (int j = 0; j < y->count; j++)
        if (act(s, y->direction[j], 0, g, moved, S + j * s->n)) return 1;
    return 0;
}

/* out = (coefficients c of the section at g, its generator S c in the body): count + n numbers. */
static int section_at(const claim_system *s, const section *k, const double *g, double *out)
{
    double S[MOST * CLAIM_DIM], A[CLAIM_ROWS * CLAIM_DIM], B[CLAIM_ROWS][MOST];
    const int count = k->symmetry->count, rows = claim_rows(s, 0, g, A, NULL);
    if (generators(s, k->symmetry, g, S)) return 1;
    for (int a = 0; a < rows; a++)
        for (int j = 0; j < count; j++) B[a][j] = survey_dot(A + a * s->n, S + j * s->n, s->n);
    memcpy(out, k->reference, (size_t)count * sizeof *out);
    for (int a = 0; a < rows; a++) { /* Gram and Schmidt; rows that do not involve the symmetry drop out */
        const double before = survey_norm(A + a * s->n, s->n);
        for (int b = 0; b < a; b++) {
            const double along = survey_dot(B[a], B[b], count);
            for (int j = 0; j < count; j++) B[a][j] -= along * B[b][j];
        }
        const double left = survey_norm(B[a], count);
        for (int j = 0; j < count; j++) B[a][j] = left > 1e-9 * before ? B[a][j] / left : 0;
        const double along = survey_dot(out, B[a], count);
        for (int j = 0; j < count; j++) out[j] -= along * B[a][j];
    }
    for (int i = 0; i < s->n; i++) {
        out[count + i] = 0;
        for (int j = 0; j < count; j++) out[count + i] += out[j] * S[j * s->n + i];
    }
    return 0;
}

/* J = <p, S c>, then c and S c. */
static int momentum_value(const claim_system *s, const double *g, const double *p, const void *context, double *out)
{
    const section *k = context;
    if (section_at(s, k, g, out + 1)) return 1;
    out[0] = survey_dot(p, out + 1 + k->symmetry->count, s->n);
    return 0;
}

typedef struct defects {
    double right, misread, size; /* |dJ/dt - <p, (dc/dt)_Q>|, |dJ/dt - <p, d(c_Q)/dt>|, |dJ/dt| over |p| and pace */
} defects;

/* Theorem 3 at a random state. */
static int continuous_defects(claim_report *r, const claim_system *s, const section *k, lg_rng *rng, defects *d)
{
    double g[CLAIM_ELEMENT], xi[CLAIM_DIM], p[CLAIM_DIM], rate[1 + MOST + CLAIM_DIM], S[MOST * CLAIM_DIM];
    const int count = k->symmetry->count;
    double right = 0;
    if (!survey_state(r, s, rng, 0.2, g, xi) || !claim_momentum_of(r, s, 0, g, xi, p)) return 0;
    if (!survey_rate(r, s, g, xi, 1 + count + s->n, momentum_value, k, rate)) return 0;
    if (generators(s, k->symmetry, g, S)) return 0;
    for (int j = 0; j < count; j++) right += rate[1 + j] * survey_dot(p, S + j * s->n, s->n);
    const double scale = survey_norm(p, s->n) * survey_pace(r, s, g, xi);
    d->right = fmax(d->right, fabs(rate[0] - right) / scale);
    d->misread = fmax(d->misread, fabs(rate[0] - survey_dot(p, rate + 1 + count, s->n)) / scale);
    d->size = fmax(d->size, fabs(rate[0]) / scale);
    return 1;
}

/* J_{k+1} - J_k = <p^+_{k+1}, (c_{k+1} - c_k)_Q> along `steps` steps, relative to |p| and the largest generator; *moved
 * is the change of J. */
static double discrete_defect(claim_report *r, const claim_system *s, const section *k, lg_integrator *it, int steps,
                              double *moved)
{
    double at[MOST + CLAIM_DIM], before[MOST], S[MOST * CLAIM_DIM], worst = 0;
    const int count = k->symmetry->count;
    double J = NAN, first = NAN;
    *moved = 0;
    for (int i = 0; i <= steps; i++) {
        const double last = J, *plus = lg_integrator_momentum_plus(it);
        double right = 0, size = 0;
        if (section_at(s, k, lg_integrator_configuration(it), at) ||
            generators(s, k->symmetry, lg_integrator_configuration(it), S))
            return NAN;
        J = survey_dot(lg_integrator_momentum(it), at + count, s->n);
        if (i == 0) first = J;
        for (int j = 0; j < count; j++) size = fmax(size, survey_norm(S + j * s->n, s->n));
        size *= survey_norm(plus, s->n);
        for (int j = 0; j < count; j++) right += (at[j] - before[j]) * survey_dot(plus, S + j * s->n, s->n);
        if (i > 0) worst = fmax(worst, fabs(J - last - right) / size);
        *moved = fmax(*moved, fabs(J - first) / size);
        memcpy(before, at, sizeof before);
        if (i < steps && !claim_steps(r, it, 1)) return NAN;
    }
    return worst;
}

/* Methods whose reactions act at nodes, around an inner step that keeps momenta. The energy-momentum step keeps those
 * of left translations, and those of rotations of R^n if the metric is constant and there are no holonomic constraints,
 * see sem-momentum-consistent. */
static int keeps(const claim_system *s, const symmetry *y, const char *method)
{
    if (strcmp(method, "sem") != 0 || !(s->traits & (CLAIM_METRIC | CLAIM_POSITION_ROWS))) return 1;
    for (int j = 0; j < y->count; j++)
        if (y->direction[j] < 0 && lg_group_factor(s->G, 0)->kind == LG_KIND_RN) return 0;
    return 1;
}

/* One method with both retractions; control: its reactions act in the middle or nowhere. */
static void momentum_method(claim_report *r, const claim_system *s, const section *k, const char *method, int control)
{
    const int steps = r->full ? 5000 : 50;
    for (int i = 0; claim_retraction(i) != NULL; i++) {
        lg_integrator *it = claim_start(r, s, method, claim_retraction(i), s->h, LG_START_REACTION);
        double moved, defect;
        if (it == NULL) continue;
        defect = discrete_defect(r, s, k, it, steps, &moved);
        lg_integrator_destroy(it);
        if (control)
            claim_control(r, defect, 1e-6, "its reactions do not act at nodes", "the same of a step");
        else
            claim_below(r, defect, r->full ? 3e-13 : 2e-14, "round-off of a step and the solver",
                        "|J_k+1 - J_k - <p^+, (c_k+1 - c_k)_Q>| / |p|, %d steps; J moves by %.1e", steps, moved);
    }
}

/* 0: the section vanishes, no symmetry lies in the constraint distribution. */
static int find_section(const claim_system *s, symmetry *y, section *k)
{
    double at[MOST + CLAIM_DIM];
    *y = find_symmetry(s);
    k->symmetry = y;
    for (int j = 0; j < y->count; j++) k->reference[j] = cos(1.0 + 2 * j);
    return y->count > 0 && !section_at(s, k, s->g0, at) && survey_norm(at + y->count, s->n) > 1e-9;
}

static void momentum_system(claim_report *r, const claim_system *s, void *context)
{
    static const char *const methods[] = {"gni", "gni:midpoint",    "gni:euler-a", "gni-r", "rattle",
                                          "dla", "dla:trapezoidal", "nsv",         "smv",   "sem"};
    symmetry y;
    section k;
    defects d = {0};
    lg_rng rng = {22};
    (void)context;
    if (!find_section(s, &y, &k)) return;
    for (int i = 0; i < (r->full ? 20 : 4); i++)
        if (!continuous_defects(r, s, &k, &rng, &d)) return;
    claim_case(r, s->name, NULL, NULL);
    claim_below(r, d.right, 5e-12, "differences: rounding, 2e-16 over a step of 3e-4",
                "|dJ/dt - <p, (dc/dt)_Q>| relative to |p| and pace, %d symmetries; |dJ/dt| to %.1e", y.count, d.size);
    for (size_t i = 0; i < sizeof methods / sizeof methods[0]; i++)
        if (keeps(s, &y, methods[i])) momentum_method(r, s, &k, methods[i], 0);
}

/* The sleigh's section (1; y, -x), rotation about the contact: J = p_1 and dJ/dt = -a p_1 p_2/(I + m a^2), .12 by
 * default; the components of its generator are constant, so the theorem misread would give 0. */
static int contact_section(const claim_system *s, const double *g, const double *p, const void *context, double *out)
{
    double inverse[4], eta[3];
    (void)context;
    out[1] = g[1], out[2] = -g[0], out[3] = 1;
    if (lg_group_inverse(s->G, inverse, g) != LG_OK || lg_group_Ad_apply(s->G, eta, inverse, out + 1) != LG_OK)
        return 1;
    out[0] = survey_dot(p, eta, 3);
    return 0;
}

static void momentum_sleigh(claim_report *r, const char *settings)
{
    claim_system s;
    double rate[4], inverse[4], eta[3], p[3], m, a, I;
    if (!claim_open(r, &s, "chaplygin-sleigh", settings)) return;
    m = s.S->parameter_values[0], I = s.S->parameter_values[1], a = s.S->parameter_values[2];
    s.g0[0] = 0.7, s.g0[1] = -0.4; /* where the section changes */
    if (claim_momentum_of(r, &s, 0, s.g0, s.xi0, p) &&
        survey_rate(r, &s, s.g0, s.xi0, 4, contact_section, NULL, rate) &&
        claim_ok(r, lg_group_inverse(s.G, inverse, s.g0), "inverse", NULL) &&
        claim_ok(r, lg_group_Ad_apply(s.G, eta, inverse, rate + 1), "Ad", NULL)) {
        claim_case(r, s.name, NULL, NULL);
        claim_below(r, fabs(rate[0] - survey_dot(p, eta, 3)), 1e-11, "differences",
                    "dJ/dt of the section (1; y, -x) against theorem 3");
        claim_below(r, fabs(rate[0] + a * p[2] * p[0] / (I + m * a * a)), 1e-11, "differences",
                    "dJ/dt = %.4g against -a p1 p2/(I + m a^2)", rate[0]);
        claim_control(r, fabs(rate[0]), 1e-2, "d(c_Q)/dt = 0 instead of (dc/dt)_Q", "the same, misread");
    }
    claim_close(&s);
}

/* Controls: the generator taken first and then differentiated; a method whose reactions do not act at nodes. */
static void momentum_controls(claim_report *r, const char *name)
{
    claim_system s;
    symmetry y;
    section k;
    defects d = {0};
    lg_rng rng = {23};
    if (!claim_open(r, &s, name, NULL)) return;
    if (find_section(&s, &y, &k) && continuous_defects(r, &s, &k, &rng, &d)) {
        claim_case(r, s.name, NULL, NULL);
        claim_control(r, d.misread, 1e-4, "d(c_Q)/dt instead of (dc/dt)_Q", "theorem 3, misread");
        momentum_method(r, &s, &k, "rkmk4", 1);
    }
    claim_close(&s);
}

static void momentum_equation(claim_report *r)
{
    static const char *const settings[] = {"", "a=-0.5 m=2", "I=0.3 a=0.4 m=1.7"};
    static const char *const controls[] = {"chaplygin-sleigh", "suslov", "chaplygin-sleigh-planar", "rolling-disk"};
    claim_each(r, 0, CLAIM_FORCE | CLAIM_TIME, momentum_system, NULL);
    if (!claim_own_systems(r)) return;
    for (int i = 0; i < 3; i++) momentum_sleigh(r, settings[i]);
    for (int i = 0; i < 4; i++) momentum_controls(r, controls[i]);
}

const claim claims_survey_momentum[] = {
    {"momentum-equation",
     "The component J = <p, c_Q> of the momentum map along a section c of the symmetries that lie in the constraint "
     "distribution satisfies dJ/dt = <p, (dc/dt)_Q>: the algebra element is differentiated, then its generator taken. "
     "Methods whose reactions act at the nodes satisfy the discrete equation in each step.",
     "[P4] theorem 3, equation (6)", 0.1, momentum_equation},
    {0},
};
