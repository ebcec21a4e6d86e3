/* SPDX-License-Identifier: BSD-3-Clause */
/* The GNI: volume and reversibility (docs/theory.md sections 3, 5, 11 and 14). */
#include "claims/ferraro2008/gni.h"

enum { MOST = 2 * CLAIM_DIM };

/* Volume ----------------------------------------------------------------------------------------------------------- */

/* The symplectic form on (eta, mu), left-trivialised at p: <mu, zeta> - <nu, eta> - <p, [eta, zeta]>. Its determinant
 * is 1 for all p, so in these variables Liouville's volume is d eta d p, on groups that are not unimodular, too. */
static int symplectic(const claim_system *s, const double *p, double *Omega)
{
    const int n = s->n;
    memset(Omega, 0, (size_t)(4 * n * n) * sizeof *Omega);
    for (int i = 0; i < n; i++) {
        double e[CLAIM_DIM] = {0}, row[CLAIM_DIM];
        e[i] = 1;
        if (lg_group_coad_apply(s->G, row, e, p) != LG_OK) return 0; /* <p, [e_i, e_j]> */
        for (int j = 0; j < n; j++) Omega[i * 2 * n + j] = -row[j];
        Omega[i * 2 * n + n + i] = -1;
        Omega[(n + i) * 2 * n + i] = 1;
    }
    return 1;
}

/* An orthonormal basis of the columns of M, 2n x rank, the largest taken first. */
static void span(int n2, const double *M, int rank, double *B)
{
    double rest[MOST * MOST];
    memcpy(rest, M, (size_t)(n2 * n2) * sizeof *rest);
    for (int k = 0; k < rank; k++) {
        double most = 0;
        int at = 0;
        for (int j = 0; j < n2; j++) {
            double length = 0;
            for (int i = 0; i < n2; i++) length += rest[i * n2 + j] * rest[i * n2 + j];
            if (length > most) most = length, at = j;
        }
        for (int i = 0; i < n2; i++) B[i * rank + k] = rest[i * n2 + at] / sqrt(most);
        for (int j = 0; j < n2; j++) {
            double along = 0;
            for (int i = 0; i < n2; i++) along += B[i * rank + k] * rest[i * n2 + j];
            for (int i = 0; i < n2; i++) rest[i * n2 + j] -= along * B[i * rank + k];
        }
    }
}

/* Determinant of the symplectic form on the columns of B: the square of the volume that they span. */
static double volume(const claim_system *s, const double *p, int rank, const double *B)
{
    const int n2 = 2 * s->n;
    double Omega[MOST * MOST], half[MOST * MOST], W[MOST * MOST];
    if (!symplectic(s, p, Omega)) return (double)NAN;
    for (int i = 0; i < n2; i++) {
        for (int k = 0; k < rank; k++) {
            half[i * rank + k] = 0;
            for (int j = 0; j < n2; j++) half[i * rank + k] += Omega[i * n2 + j] * B[j * rank + k];
        }
    }
    for (int a = 0; a < rank; a++) {
        for (int k = 0; k < rank; k++) {
            W[a * rank + k] = 0;
            for (int i = 0; i < n2; i++) W[a * rank + k] += B[i * rank + a] * half[i * rank + k];
        }
    }
    return claim_determinant(rank, W);
}

/* The effect of a step on volume. */
typedef struct volumes {
    double ratio;   /* | |volume after/volume before| - 1 | */
    double sign;    /* |det - (-1)^m|, without holonomic constraints */
    double reduced; /* | |det dp'/dp| - |det Ad_W| |, for systems that are left-invariant */
    double haar;    /* | |det Ad_W| - 1 |: 0 but where the group is not unimodular */
} volumes;

/* Two steps: the columns of the first one's matrix span the tangent space that the second starts in. With holonomic
 * constraints it is a proper subspace. */
static int measure_volume(claim_report *r, const claim_system *s, lg_integrator *it, volumes *x)
{
    const int n = s->n, n2 = 2 * n, rank = 2 * (n - s->S->callbacks.holonomic_count);
    double M[MOST * MOST], B[MOST * MOST], C[MOST * MOST], Ad[CLAIM_DIM * CLAIM_DIM], W[CLAIM_ELEMENT];
    if (!claim_step_matrix(r, s, it, M) || !claim_steps(r, it, 1)) return 0;
    span(n2, M, rank, B);
    const double before = volume(s, lg_integrator_momentum_minus(it), rank, B);
    if (!claim_step_matrix(r, s, it, M) || lg_group_inverse(s->G, W, lg_integrator_configuration(it)) != LG_OK)
        return 0;
    if (!claim_steps(r, it, 1) || lg_group_compose(s->G, W, W, lg_integrator_configuration(it)) != LG_OK) return 0;
    for (int i = 0; i < n2; i++) {
        for (int k = 0; k < rank; k++) {
            C[i * rank + k] = 0;
            for (int j = 0; j < n2; j++) C[i * rank + k] += M[i * n2 + j] * B[j * rank + k];
        }
    }
    x->ratio = fmax(x->ratio, fabs(sqrt(fabs(volume(s, lg_integrator_momentum_minus(it), rank, C) / before)) - 1));
    x->sign = fmax(x->sign, fabs(claim_determinant(n2, M) - (s->S->constraint_count % 2 ? -1 : 1)));
    for (int i = 0; i < n * n; i++) C[i] = M[(n + i / n) * n2 + n + i % n];
    if (lg_group_Ad(s->G, Ad, W) != LG_OK) return 0;
    x->reduced = fmax(x->reduced, fabs(fabs(claim_determinant(n, C)) - fabs(claim_determinant(n, Ad))));
    x->haar = fmax(x->haar, fabs(fabs(claim_determinant(n, Ad)) - 1));
    return 1;
}

/* The volumes at `states` places of a run. 0: refused or trouble. */
static int volumes_of(claim_report *r, const claim_system *s, const char *method, const char *retraction, int states,
                      volumes *x)
{
    lg_integrator *it = claim_start(r, s, method, retraction, s->h, LG_START_LEGENDRE);
    int ok = it != NULL;
    memset(x, 0, sizeof *x);
    for (int i = 0; ok && i < states; i++) ok = claim_steps(r, it, 1 + i % 4 * 5) && measure_volume(r, s, it, x);
    lg_integrator_destroy(it);
    return ok;
}

static const char by_derivative[] = "the step's derivative by differences: 20 x what is measured at 8 places";

static void keeps_volume(claim_report *r, const claim_system *s, void *context)
{
    const int states = *(const int *)context;
    const int invariant = (s->traits & CLAIM_CONSTANT_ROWS) && !(s->traits & CLAIM_NOT_LEFT_INVARIANT);
    for (int k = 0; k < CLAIM_GNI_VARIANTS + 1; k++) { /* gni with both */
        volumes x;
        const int v = k < 2 ? 0 : k - 1;
        if (!volumes_of(r, s, claim_gni_variants[v], claim_retraction(k % 2), k < 2 ? states : 1, &x)) continue;
        claim_below(r, x.ratio, 2e-12, by_derivative, "|volume after a step/before - 1|");
        if (s->S->callbacks.holonomic_count == 0)
            claim_below(r, x.sign, 2e-12, by_derivative, "|det - (-1)^m|, m = %d", s->m);
        if (invariant) claim_below(r, x.reduced, 2e-12, by_derivative, "|det dp'/dp| - |det Ad_W|");
    }
}

/* Methods and systems without the property; and a group whose reduced map has det Ad_W != 1. */
static void volume_controls(claim_report *r)
{
    static const struct {
        const char *system, *method, *retraction;
        double h; /* 0: the system's */
        const char *why;
    } list[] = {
        {"suslov", "gni-r", "exp", 0, "it drops the normal part"},
        {"suslov", "gni", "exp:order=2", 1, "a truncated tangent is not the slope of any L_d"},
        {"two-wheeled-robot", "gni", "exp", 0, "friction"},
    };
    for (size_t i = 0; i < sizeof list / sizeof list[0]; i++) {
        claim_system s;
        volumes x;
        if (!claim_open(r, &s, list[i].system, "")) continue;
        if (list[i].h > 0) s.h = list[i].h;
        if (volumes_of(r, &s, list[i].method, list[i].retraction, 3, &x))
            claim_control(r, x.ratio, 1e-6, list[i].why, "|volume after a step/before - 1|");
        claim_close(&s);
    }
    claim_system s;
    volumes x;
    if (!claim_open(r, &s, "affine-line", "")) return;
    if (volumes_of(r, &s, "gni", "exp", 3, &x))
        claim_control(r, x.haar, 1e-3, "the group is not unimodular", "| |det Ad_W| - 1 |");
    claim_close(&s);
}

static void volume_claim(claim_report *r)
{
    int states = r->full ? 8 : 3; /* with more steps the affine line is too far out for differences */
    claim_each(r, 0, CLAIM_FORCE, keeps_volume, &states);
    if (claim_own_systems(r)) volume_controls(r);
}

/* Reversibility ---------------------------------------------------------------------------------------------------- */

/* A variant and the one that undoes it: the left end becomes the right end on the way back. */
static const char *const back_and_forth[][2] = {
    {"gni", "gni"},
    {"gni:midpoint", "gni:midpoint"},
    {"gni:symmetric-alpha=0.2", "gni:symmetric-alpha=0.2"},
    {"gni:euler-a", "gni:euler-b"},
    {"gni:alpha=0.3", "gni:alpha=0.7"},
};
enum { PAIRS = sizeof back_and_forth / sizeof back_and_forth[0] };

/* The way back: `home` from the end of a run with -p^+ or, with a step of -h, with p^+; it comes to (g_0, -p^-_0), or
 * p^-_0, as its p^+. Returns the distance from there, relative to 1 and |p|; NaN after trouble. */
static double way_back(claim_report *r, const claim_system *s, lg_integrator *home, double t, int steps, double sign,
                       const claim_state *end, const claim_state *begin)
{
    double p[CLAIM_DIM], scale = 1;
    for (int i = 0; i < s->n; i++) p[i] = sign * end->p[i];
    if (!claim_ok(r, lg_integrator_start_momentum(home, t, end->g, p), "the way back", lg_integrator_message(home)))
        return (double)NAN;
    if (!claim_steps(r, home, steps)) return (double)NAN;
    for (int i = 0; i < s->n; i++) {
        p[i] = sign * lg_integrator_momentum_plus(home)[i];
        scale = fmax(scale, fabs(begin->p[i]));
    }
    return fmax(claim_distance(s->G, begin->g, lg_integrator_configuration(home)),
                claim_gap(p, begin->p, s->n) / scale);
}

/* There with one variant, back with the other: with p reversed, or with time. NaN: refused or trouble. */
static double there_and_back(claim_report *r, const claim_system *s, const char *const *pair, const char *retraction,
                             int steps, int turn_momentum)
{
    lg_integrator *it = claim_start(r, s, pair[0], retraction, s->h, LG_START_REACTION), *home = NULL;
    claim_state begin, end;
    double d = (double)NAN;
    if (it == NULL) return d;
    claim_read(it, &begin);
    memcpy(begin.p, lg_integrator_momentum_minus(it), (size_t)s->n * sizeof *begin.p);
    if (claim_steps(r, it, steps)) {
        claim_read(it, &end);
        memcpy(end.p, lg_integrator_momentum_plus(it), (size_t)s->n * sizeof *end.p);
        const lg_status status = lg_integrator_create(&home, s->S, pair[1], retraction, turn_momentum ? s->h : -s->h);
        if (claim_ok(r, status, pair[1], lg_integrator_message(home)))
            d = way_back(r, s, home, turn_momentum ? 0 : lg_integrator_time(it), steps, turn_momentum ? -1 : 1, &end,
                         &begin);
    }
    lg_integrator_destroy(home);
    lg_integrator_destroy(it);
    return d;
}

static void comes_back(claim_report *r, const claim_system *s, void *context)
{
    const int steps = *(const int *)context;
    for (int k = 0; k < PAIRS + 1; k++) { /* gni with both retractions */
        const char *const *pair = back_and_forth[k < 2 ? 0 : k - 1], *const tau = claim_retraction(k % 2);
        const double d = there_and_back(r, s, pair, tau, steps, 0);
        if (!isnan(d))
            claim_below(r, d, 2e-13, "round-off, 12 x what is measured", "|there and back by -h|, %d steps", steps);
        if (s->traits & (CLAIM_WORK | CLAIM_CONTROLS)) continue;
        const double e = there_and_back(r, s, pair, tau, steps, 1);
        if (!isnan(e))
            claim_below(r, e, 2e-13, "round-off, 12 x what is measured", "|there and back by -p^+|, %d steps", steps);
    }
}

/* One-sided Lagrangians undone by themselves, a retraction without symmetry, and drift reversed by -p. */
static void reversible_controls(claim_report *r, int steps)
{
    static const struct {
        const char *system, *pair[2], *retraction;
        int turn;
        const char *why;
    } list[] = {
        {"particle-potential", {"gni:euler-a", "gni:euler-a"}, "exp", 0, "its adjoint is gni:euler-b"},
        {"veselova-top", {"gni:alpha=0.3", "gni:alpha=0.3"}, "cayley", 1, "its adjoint is gni:alpha=0.7"},
        {"suslov", {"gni", "gni"}, "second-kind", 0, "the retraction is not symmetric"},
        {"rolling-ball", {"gni", "gni"}, "exp", 1, "the drift is not reversed with p"},
        {"suslov", {"gni-r", "gni-r"}, "exp", 0, "it restarts at every node"},
    };
    for (size_t i = 0; i < sizeof list / sizeof list[0]; i++) {
        claim_system s;
        if (!claim_open(r, &s, list[i].system, "")) continue;
        const double d = there_and_back(r, &s, list[i].pair, list[i].retraction, steps, list[i].turn);
        claim_control(r, d, 1e-7, list[i].why, "|there and back by %s|", list[i].turn ? "-p^+" : "-h");
        claim_close(&s);
    }
}

static void reversible(claim_report *r)
{
    int steps = 50;
    claim_each(r, 0, 0, comes_back, &steps);
    if (claim_own_systems(r)) reversible_controls(r, steps);
}

const claim claims_gni_structure[] = {
    {"gni-volume",
     "Every step of every variant of the GNI preserves Liouville's volume up to the sign (-1)^m, m the number of rows: "
     "any distribution, affine too, any potential and metric, in the tangent space of holonomic constraints where "
     "there are some. The reduced map of p has |det Ad_W|.",
     "this library, docs/theory.md section 5", 0.3, volume_claim},
    {"gni-reversible",
     "The GNI goes back exactly the way it came: from (g, -p^+), or with the step -h from (g, p^+) and then with drift "
     "and explicit time as well; one-sided Lagrangians by their adjoints.",
     "this library, docs/theory.md section 11", 0.3, reversible},
    {0},
};
