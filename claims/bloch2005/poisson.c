/* SPDX-License-Identifier: BSD-3-Clause */
/* [P4] theorem 5: the constrained Hamilton equations on the constraint phase space in coordinates (r, s), and the
 * bracket that they come from, which satisfies Jacobi's identity only if the constraints are holonomic. On every system
 * on R^n and T^n. */
#include "claims/bloch2005/survey.h"

#define STEP 2e-3 /* of differences of order 6 of connection and bracket */

enum { MOST = 8, POINTS = 2 * MOST };

/* Coordinates q = (r^alpha, s^a): rows solved for the velocities of s, ds^a = -A^a_alpha dr^alpha. */
typedef struct split {
    const claim_system *s;
    int k, m;              /* numbers of r and s */
    int r[MOST], at[MOST]; /* their places in q */
} split;

/* The data of the equations at q. */
typedef struct frame {
    double A[MOST][MOST];       /* A^a_alpha */
    double X[MOST][MOST];       /* X_alpha^i, a basis of the distribution */
    double B[MOST][MOST][MOST]; /* B^b_alpha,beta */
} frame;

/* A and X at q; nonzero: the rows cannot be solved for s here. */
static int connection(const split *k, const double *q, frame *f)
{
    const int n = k->s->n;
    double rows[CLAIM_ROWS * CLAIM_DIM], left[MOST * MOST], right[MOST], x[MOST];
    claim_rows(k->s, 0, q, rows, NULL);
    memset(f, 0, sizeof *f);
    for (int a = 0; a < k->m; a++)
        for (int b = 0; b < k->m; b++) left[a * k->m + b] = rows[a * n + k->at[b]];
    for (int c = 0; c < k->k; c++) {
        for (int a = 0; a < k->m; a++) right[a] = rows[a * n + k->r[c]];
        if (!claim_solve(k->m, left, right, x)) return 1;
        f->X[c][k->r[c]] = 1;
        for (int a = 0; a < k->m; a++) f->A[a][c] = x[a], f->X[c][k->at[a]] = -x[a];
    }
    return 0;
}

/* dA[i] = dA/dq^i. */
static int connection_slopes(const split *k, const double *q, double dA[MOST][MOST][MOST])
{
    double moved[MOST];
    frame f;
    memset(dA, 0, sizeof(double) * MOST * MOST * MOST);
    for (int i = 0; i < k->s->n; i++) {
        for (int j = -3; j <= 3; j++) {
            const double weight = j == 0 ? 0 : (j > 0 ? 1 : -1) * survey_weight(j > 0 ? j : -j) / STEP;
            memcpy(moved, q, sizeof(double) * (size_t)k->s->n);
            moved[i] += j * STEP;
            if (connection(k, moved, &f)) return 1;
            for (int a = 0; a < k->m; a++)
                for (int c = 0; c < k->k; c++) dA[i][a][c] += weight * f.A[a][c];
        }
    }
    return 0;
}

/* B^b_ab = d_b A^b_a - d_a A^b_b + A^a_a d_a A^b_b - A^a_b d_a A^b_a, indices as in the paper below (4). */
static int frame_at(const split *k, const double *q, frame *f)
{
    double dA[MOST][MOST][MOST];
    if (connection_slopes(k, q, dA) || connection(k, q, f)) return 1;
    for (int b = 0; b < k->m; b++)
        for (int x = 0; x < k->k; x++)
            for (int y = 0; y < k->k; y++) {
                double sum = dA[k->r[y]][b][x] - dA[k->r[x]][b][y];
                for (int a = 0; a < k->m; a++) sum += f->A[a][x] * dA[k->at[a]][b][y] - f->A[a][y] * dA[k->at[a]][b][x];
                f->B[b][x][y] = sum;
            }
    return 0;
}

/* The velocity and momentum in the constraint phase space with these coordinates pt: xi = X^T v, v = (X J X^T)^-1 pt,
 * p = J xi; *H is the constrained Hamiltonian. */
static int lift(const split *k, const frame *f, const double *q, const double *pt, double *v, double *p, double *H)
{
    const lg_call c = claim_call(k->s, (double[]){0});
    const int n = k->s->n;
    double J[CLAIM_DIM * CLAIM_DIM], JX[MOST][MOST], G[MOST * MOST], V = 0;
    claim_metric(k->s, 0, q, J);
    for (int a = 0; a < k->k; a++)
        for (int i = 0; i < n; i++) JX[a][i] = survey_dot(J + i * n, f->X[a], n);
    for (int a = 0; a < k->k; a++)
        for (int b = 0; b < k->k; b++) G[a * k->k + b] = survey_dot(f->X[a], JX[b], n);
    if (!claim_solve(k->k, G, pt, v)) return 1;
    for (int i = 0; i < n; i++) {
        p[i] = 0;
        for (int a = 0; a < k->k; a++) p[i] += v[a] * JX[a][i];
    }
    if (k->s->S->callbacks.potential != NULL && k->s->S->callbacks.potential(&c, q, &V) != 0) return 1;
    *H = survey_dot(pt, v, k->k) / 2 + V;
    return 0;
}

/* Complete pivoting of the rows at q0 selects s. */
static int choose(const claim_system *s, const double *q0, split *k)
{
    double rows[CLAIM_ROWS * CLAIM_DIM];
    int taken[MOST] = {0};
    const int n = s->n;
    *k = (split){.s = s, .m = s->m};
    claim_rows(s, 0, q0, rows, NULL);
    for (int a = 0; a < s->m; a++) {
        int best = -1, row = a;
        for (int b = a; b < s->m; b++)
            for (int i = 0; i < n; i++)
                if (!taken[i] && (best < 0 || fabs(rows[b * n + i]) > fabs(rows[row * n + best]))) best = i, row = b;
        for (int i = 0; i < n; i++) {
            const double x = rows[a * n + i];
            rows[a * n + i] = rows[row * n + i];
            rows[row * n + i] = x;
        }
        if (!(fabs(rows[a * n + best]) > 1e-3)) return 0;
        for (int b = a + 1; b < s->m; b++) {
            const double factor = rows[b * n + best] / rows[a * n + best];
            for (int i = 0; i < n; i++) rows[b * n + i] -= factor * rows[a * n + i];
        }
        taken[best] = 1;
        k->at[a] = best;
    }
    for (int i = 0; i < n; i++)
        if (!taken[i]) k->r[k->k++] = i;
    return 1;
}

/* Theorem 5 ------------------------------------------------------------------------------------------------------- */

/* pt_alpha = X_alpha^i p_i, the coordinates of a state, and then A J^-1 p, the constraints. */
static int coordinates(const claim_system *s, const double *q, const double *p, const void *context, double *out)
{
    const split *k = context;
    double J[CLAIM_DIM * CLAIM_DIM], rows[CLAIM_ROWS * CLAIM_DIM], xi[CLAIM_DIM];
    frame f;
    claim_metric(s, 0, q, J);
    claim_rows(s, 0, q, rows, NULL);
    if (connection(k, q, &f) || !claim_solve(s->n, J, p, xi)) return 1;
    for (int a = 0; a < k->k; a++) out[a] = survey_dot(f.X[a], p, s->n);
    for (int a = 0; a < k->m; a++) out[k->k + a] = survey_dot(rows + a * s->n, xi, s->n);
    return 0;
}

/* dH_M/dq^i at fixed pt. */
static int hamiltonian_slopes(const split *k, const double *q, const double *pt, double *dH)
{
    double moved[MOST], v[MOST], p[MOST], H;
    frame f;
    for (int i = 0; i < k->s->n; i++) {
        dH[i] = 0;
        for (int j = -3; j <= 3; j++) {
            memcpy(moved, q, sizeof(double) * (size_t)k->s->n);
            moved[i] += j * STEP;
            if (j == 0) continue;
            if (connection(k, moved, &f) || lift(k, &f, moved, pt, v, p, &H)) return 1;
            dH[i] += (j > 0 ? H : -H) * survey_weight(j > 0 ? j : -j) / STEP;
        }
    }
    return 0;
}

/* The largest |pt'_theorem - pt'_motion|; `curvature` multiplies the term p_b B^b, 1 in the theorem. */
static int hamilton_defect(claim_report *r, const split *k, const double *q, const double *xi, double curvature,
                           double *defect)
{
    double p[CLAIM_DIM], pt[MOST], v[MOST], pm[MOST], dH[MOST], rate[MOST], H;
    frame f;
    if (!claim_momentum_of(r, k->s, 0, q, xi, p) || frame_at(k, q, &f)) return 0;
    if (coordinates(k->s, q, p, k, pt) || lift(k, &f, q, pt, v, pm, &H)) return 0;
    if (hamiltonian_slopes(k, q, pt, dH) || !survey_rate(r, k->s, q, xi, k->s->n, coordinates, k, rate)) return 0;
    *defect = claim_gap(p, pm, k->s->n); /* p is in the constraint phase space, and stays */
    for (int a = 0; a < k->m; a++) *defect = fmax(*defect, fabs(rate[k->k + a]));
    for (int a = 0; a < k->k; a++) {
        double right = -dH[k->r[a]];
        for (int b = 0; b < k->m; b++) {
            right += f.A[b][a] * dH[k->at[b]];
            for (int c = 0; c < k->k; c++) right -= curvature * pm[k->at[b]] * f.B[b][a][c] * v[c];
        }
        *defect = fmax(*defect, fabs(right - rate[a]));
    }
    return 1;
}

/* The bracket ----------------------------------------------------------------------------------------------------- */

/* P^ij = {z^i, z^j} at z = (q, pt). */
static int bracket(const split *k, const double *z, double P[POINTS][POINTS])
{
    const int n = k->s->n;
    double v[MOST], p[MOST], H;
    frame f;
    memset(P, 0, sizeof(double) * POINTS * POINTS);
    if (frame_at(k, z, &f) || lift(k, &f, z, z + n, v, p, &H)) return 1;
    for (int a = 0; a < k->k; a++) {
        for (int i = 0; i < n; i++) P[i][n + a] = f.X[a][i], P[n + a][i] = -f.X[a][i];
        for (int c = 0; c < k->k; c++)
            for (int b = 0; b < k->m; b++) P[n + a][n + c] -= p[k->at[b]] * f.B[b][a][c];
    }
    return 0;
}

/* Jacobiator {z^i, {z^j, z^l}} + cyclic for all i < j < l: the largest, and where wanted[] is three indices, that. */
static int jacobiator(const split *k, const double *z, const int *wanted, double *value)
{
    static const int turn[3][3] = {{0, 1, 2}, {1, 2, 0}, {2, 0, 1}};
    const int N = k->s->n + k->k;
    double P[POINTS][POINTS], side[POINTS][POINTS], slope[POINTS][POINTS][POINTS], moved[POINTS], most = 0;
    memset(slope, 0, sizeof slope);
    if (bracket(k, z, P)) return 0;
    for (int d = 0; d < N; d++)
        for (int j = -3; j <= 3; j++) {
            if (j == 0) continue;
            memcpy(moved, z, sizeof moved);
            moved[d] += j * STEP;
            if (bracket(k, moved, side)) return 0;
            for (int a = 0; a < N; a++)
                for (int b = 0; b < N; b++)
                    slope[d][a][b] += (j > 0 ? 1 : -1) * survey_weight(j > 0 ? j : -j) / STEP * side[a][b];
        }
    for (int a = 0; a < N; a++)
        for (int b = a + 1; b < N; b++)
            for (int c = b + 1; c < N; c++) {
                const int index[3] = {a, b, c};
                double sum = 0; /* {x, {y, w}} = sum_d P^xd d_d P^yw */
                for (int t = 0; t < 3; t++)
                    for (int d = 0; d < N; d++)
                        sum += P[index[turn[t][0]]][d] * slope[d][index[turn[t][1]]][index[turn[t][2]]];
                if (wanted == NULL)
                    most = fmax(most, fabs(sum));
                else if (a == wanted[0] && b == wanted[1] && c == wanted[2])
                    most = sum;
            }
    *value = most;
    return 1;
}

/* The figures of random states of a system. */
typedef struct findings {
    double equations, flat;   /* defects of theorem 5, with the curvature and without, over |p| and pace */
    double curvature, jacobi; /* the largest B and Jacobiator */
} findings;

static int look(claim_report *r, const split *k, lg_rng *rng, findings *most)
{
    const claim_system *s = k->s;
    double q[CLAIM_ELEMENT], xi[CLAIM_DIM], p[CLAIM_DIM], z[POINTS] = {0}, one, none, jacobi, scale;
    frame f;
    if (!survey_state(r, s, rng, 0.1, q, xi) || !claim_momentum_of(r, s, 0, q, xi, p)) return 0;
    scale = survey_norm(p, s->n) * survey_pace(r, s, q, xi);
    if (!hamilton_defect(r, k, q, xi, 1, &one) || !hamilton_defect(r, k, q, xi, 0, &none)) return 0;
    memcpy(z, q, sizeof(double) * (size_t)s->n);
    if (coordinates(s, q, p, k, z + s->n) || !jacobiator(k, z, NULL, &jacobi) || frame_at(k, q, &f)) return 0;
    most->equations = fmax(most->equations, one / scale);
    most->flat = fmax(most->flat, none / scale);
    most->jacobi = fmax(most->jacobi, jacobi);
    for (int b = 0; b < k->m; b++)
        for (int x = 0; x < k->k; x++)
            for (int y = 0; y < k->k; y++) most->curvature = fmax(most->curvature, fabs(f.B[b][x][y]));
    return 1;
}

/* 1: the numbers of an element are coordinates and their velocities are xi. On SO(2) there are two for one. */
static int in_coordinates(const claim_system *s)
{
    for (int i = 0; i < lg_group_factor_count(s->G); i++) {
        const lg_group_kind kind = lg_group_factor(s->G, i)->kind;
        if (kind != LG_KIND_RN && kind != LG_KIND_TORUS) return 0;
    }
    return 1;
}

/* context: 1 if the curvature term is known to matter, so that leaving it out is a control. */
static void poisson_system(claim_report *r, const claim_system *s, void *context)
{
    findings most = {0};
    split k;
    lg_rng rng = {41};
    if (!in_coordinates(s) || s->n > MOST || !choose(s, s->g0, &k)) return;
    for (int i = 0; i < (r->full ? 100 : 3); i++) {
        if (look(r, &k, &rng, &most)) continue;
        claim_trouble(r, "no coordinates (r, s) at a random state");
        return;
    }
    claim_case(r, s->name, NULL, NULL);
    claim_below(r, most.equations, 5e-12, "differences: rounding, 2e-16 over a step of 3e-4",
                "|pt'| of theorem 5 against the motion, relative to |p| and pace");
    if (context != NULL) claim_control(r, most.flat, 1e-3, "p_b B^b left out", "the same without the curvature");
    if (most.curvature > 1e-6)
        claim_above(r, most.jacobi, 1e-3 * most.curvature, "Jacobi's identity only for holonomic constraints",
                    "largest Jacobiator, curvature %.2g", most.curvature);
    else
        claim_below(r, most.jacobi, 1e-12, "rounding of differences", "largest Jacobiator, curvature %.1g",
                    most.curvature);
}

/* Two constraints of the theorem's own kind ----------------------------------------------------------------------- */

static const lg_group *space(void)
{
    return lg_rn(3);
}

static int space_configure(const lg_call *c, double *J, double *rows, char *why)
{
    (void)c, (void)rows, (void)why;
    J[0] = 1, J[4] = 1.3, J[8] = 0.7, J[1] = J[3] = 0.2, J[5] = J[7] = -0.1;
    return 0;
}

static int space_initial(const lg_call *c, double *q, double *v)
{
    (void)c;
    q[0] = 0.4, q[1] = -0.3, q[2] = 0.6;
    v[0] = 0.8, v[1] = 0.5, v[2] = 0.1; /* projected */
    return 0;
}

static int space_potential(const lg_call *c, const double *q, double *V)
{
    (void)c;
    *V = q[0] * q[0] / 2 + q[0] * q[1] * q[2] / 3 + cos(q[2]);
    return 0;
}

static int own_row(const lg_call *c, const double *q, double *mu, double *Y) /* z' = (y + z) x' */
{
    (void)c, (void)Y;
    mu[0] = -q[1] - q[2], mu[2] = 1;
    return 0;
}

static int product_row(const lg_call *c, const double *q, double *mu, double *Y) /* z' = y x' + x y' = (x y)' */
{
    (void)c, (void)Y;
    mu[0] = -q[1], mu[1] = -q[0], mu[2] = 1;
    return 0;
}

#define SPACE(title, row)                                                                                              \
    {                                                                                                                  \
        .size = sizeof(lg_model_definition), .name = title, .group = space, .constraint_count = 1,                     \
        .configure = space_configure, .initial = space_initial, .callbacks.potential = space_potential,                \
        .callbacks.covectors = row, .step = 0.1                                                                        \
    }
static const lg_model_definition rows_of_s = SPACE("z' = (y + z) x'", own_row);
static const lg_model_definition holonomic = SPACE("z' = y x' + x y'", product_row);

static void poisson_definition(claim_report *r, const lg_model_definition *d, int control)
{
    claim_system s;
    if (!claim_open_definition(r, &s, d, NULL)) return;
    poisson_system(r, &s, control ? &s : NULL);
    claim_close(&s);
}

/* Jacobiators in closed form ----------------------------------------------------------------------------------------
 */

/* {x, pt_x, pt_y} = y/(1 + y^2), {z, ...} = -1/(1 + y^2) for z' = y x', unit mass; {x, pt_x, pt_theta} = tan theta,
 * {theta, ...} = J^-1/cos theta (J = I + m a^2: 5/26 for the default), {y, ...} = -1 for the sleigh with s = y. */
static void closed_forms(claim_report *r, const char *name, const int *s_first)
{
    claim_system s;
    split k = {.k = 2, .m = 1, .r = {s_first[1], s_first[2]}, .at = {s_first[0]}};
    lg_rng rng = {43};
    if (!claim_open(r, &s, name, NULL)) return;
    k.s = &s;
    for (int i = 0; i < (r->full ? 50 : 4); i++) {
        const int sleigh = s_first[0] == 1;
        double z[POINTS] = {0}, got[3], want[3];
        for (int j = 0; j < 5; j++) z[j] = 0.6 * lg_rng_normal(&rng);
        if (sleigh) z[2] = fmax(-1.1, fmin(1.1, z[2]));
        for (int j = 0; j < 3; j++)
            if (!jacobiator(&k, z, (const int[3]){j, 3, 4}, &got[j])) got[j] = NAN;
        want[0] = sleigh ? tan(z[2]) : z[1] / (1 + z[1] * z[1]);
        want[1] = sleigh ? -1 : 0;
        want[2] = sleigh ? 5 / (26 * cos(z[2])) : -1 / (1 + z[1] * z[1]);
        claim_case(r, s.name, NULL, NULL);
        claim_below(r, claim_gap(got, want, 3), 1e-12, "rounding of differences",
                    "Jacobiators (%.4f, %.4f, %.4f) against closed form", got[0], got[1], got[2]);
    }
    claim_close(&s);
}

static void almost_poisson(claim_report *r)
{
    claim_each(r, CLAIM_ABELIAN | CLAIM_VELOCITY_ROWS, CLAIM_WORK | CLAIM_POSITION_ROWS, poisson_system, NULL);
    if (!claim_own_systems(r)) return;
    poisson_definition(r, &rows_of_s, 1);
    poisson_definition(r, &holonomic, 0);
    poisson_definition(r, lg_catalog_definition("particle"), 1);
    poisson_definition(r, lg_catalog_definition("chaplygin-sleigh-planar"), 1);
    closed_forms(r, "particle", (const int[3]){2, 0, 1});
    closed_forms(r, "chaplygin-sleigh-planar", (const int[3]){1, 0, 2});
}

const claim claims_survey_poisson[] = {
    {"almost-poisson",
     "The constrained Hamilton equations in coordinates (r, s), with the curvature of the constraints, are the motion; "
     "their bracket satisfies Jacobi's identity if and only if the constraints are holonomic.",
     "[P4] theorem 5, equations (9), (10)", 0.1, almost_poisson},
    {0},
};
