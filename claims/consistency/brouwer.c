/* SPDX-License-Identifier: BSD-3-Clause */
/* Brouwer's law: round-off that has no bias makes invariants wander like the square root of the number of steps. */
#include "claims/framework/harness.h"

#define SOURCE                                                                                                          \
    "this library, docs/theory.md section 19, after D. Brouwer, Astron. J. 46 (1937), and E. Hairer, R. I. McLachlan, " \
    "A. Razakarivony, BIT 48 (2008)"

enum { MEMBERS = 64, MARKS = 7, FIGURES = 4 };

/* Of every member an energy and R p at the start, in long double, and how far they are off, relative to their size. */
typedef struct walk {
    double (*energy)(const lg_integrator *it);
    long double first[MEMBERS][FIGURES], off[MEMBERS][FIGURES];
    int begun;
} walk;

/* R p for the rotation of the quaternion q of any length. */
static void turned(long double *out, const double *q, const double *p)
{
    const long double x = q[0], y = q[1], z = q[2], w = q[3], size = x * x + y * y + z * z + w * w;
    const long double a[3] = {2 * (y * p[2] - z * p[1]), 2 * (z * p[0] - x * p[2]), 2 * (x * p[1] - y * p[0])};
    out[0] = p[0] + (w * a[0] + y * a[2] - z * a[1]) / size;
    out[1] = p[1] + (w * a[1] + z * a[0] - x * a[2]) / size;
    out[2] = p[2] + (w * a[2] + x * a[1] - y * a[0]) / size;
}

static int look(int64_t i, const lg_motion *mo, void *context)
{
    const lg_integrator *it = lg_motion_integrator(mo);
    walk *x = context;
    long double now[FIGURES], size = 0;
    now[0] = x->energy(it);
    turned(now + 1, lg_integrator_configuration(it), lg_integrator_momentum(it));
    for (int k = 0; !x->begun && k < FIGURES; k++) x->first[i][k] = now[k];
    for (int k = 1; k < FIGURES; k++) size += x->first[i][k] * x->first[i][k];
    for (int k = 0; k < FIGURES; k++)
        x->off[i][k] = (now[k] - x->first[i][k]) / (k ? sqrtl(size) : fabsl(x->first[i][0]));
    return 0;
}

/* Bodies that tumble, each its own way. */
static lg_status tumble(int64_t i, lg_model *M, lg_motion *mo, void *context)
{
    static const char *const names[] = {"xi_1", "xi_2", "xi_3"};
    lg_rng rng = {(uint64_t)(1000 + i)};
    lg_status st = LG_OK;
    (void)mo, (void)context;
    for (int k = 0; k < 3 && st == LG_OK; k++) st = lg_model_set_initial(M, names[k], 0.6 * lg_rng_normal(&rng));
    return st;
}

/* rms over the members of figures `from` to `to`. */
static double spread(const walk *x, int members, int from, int to)
{
    long double sum = 0;
    for (int i = 0; i < members; i++)
        for (int k = from; k <= to; k++) sum += x->off[i][k] * x->off[i][k];
    return (double)sqrtl(sum / members);
}

/* Exponents with which the energy and R p go off, and how far they are off at the end. */
typedef struct law {
    double exponent[2], end[2];
} law;

enum { ENERGY, MOMENTUM };

/* Runs the members to `steps` steps, with marks at a half, a quarter, ... of them; 0 after claim_trouble(). */
static int march(claim_report *r, lg_ensemble *E, walk *x, int members, int64_t steps, law *out)
{
    double rms[2][MARKS];
    int64_t done = 0;
    if (!claim_ok(r, lg_ensemble_visit(E, look, x), "the start", lg_ensemble_message(E))) return 0;
    x->begun = 1;
    for (int k = 0; k < MARKS; k++) {
        const int64_t mark = steps >> (MARKS - 1 - k);
        if (!claim_ok(r, lg_ensemble_run(E, mark - done, mark - done, NULL, NULL), "the run", lg_ensemble_message(E)) ||
            !claim_ok(r, lg_ensemble_visit(E, look, x), "the end", lg_ensemble_message(E)))
            return 0;
        done = mark;
        rms[ENERGY][k] = spread(x, members, 0, 0), rms[MOMENTUM][k] = spread(x, members, 1, 3);
    }
    for (int j = 0; j < 2; j++) {
        double slope = 0, squares = 0;
        for (int k = 0; k < MARKS; k++) {
            const double at = k - 0.5 * (MARKS - 1);
            slope += at * log2(rms[j][k]), squares += at * at;
        }
        out->exponent[j] = slope / squares, out->end[j] = rms[j][MARKS - 1];
    }
    return 1;
}

/* A motion whose energy errors are round-off alone, and its energy. */
typedef struct bodies {
    const char *name, *settings, *retraction;
    double (*energy)(const lg_integrator *it);
} bodies;

static const bodies free_bodies = {"rigid-body", NULL, "exp", lg_integrator_energy};
/* Of a symmetric body a free step keeps H, and the reflection H(p^-). K A^T is not 1 in double precision here. With
 * exp, whose polynomials have a fixed error of 2e-17, a bias of 2e-20 a step shows beyond 1e7 steps. */
static const bodies reflected_bodies = {"suslov", "I11=1.3 I12=0 I13=0 I22=1.3 I23=0 I33=2.1 a1=0.3 a2=0.7 a3=0.2",
                                        "cayley", lg_integrator_energy_post};

/* A walk is seen in its mean over many bodies, a drift in every one of them, and late. */
static int64_t length(const claim_report *r, int drifting)
{
    return r->full ? 100000000 : drifting ? 1 << 18 : 1 << 17;
}

static int wander(claim_report *r, const bodies *which, const char *method, law *out)
{
    const int drifting = strstr(method, ":compensated") == NULL, members = r->full ? 16 : drifting ? 8 : MEMBERS;
    lg_ensemble_options options = lg_ensemble_options_default();
    lg_ensemble *E = NULL;
    walk x = {.energy = which->energy, .begun = 0};
    claim_system s;
    options.method = method, options.retraction = which->retraction, options.step = 0.1, options.threads = 1,
    options.project = 1;
    if (!claim_open(r, &s, which->name, which->settings)) return 0;
    claim_case(r, s.name, method, which->retraction);
    const lg_status st = lg_ensemble_create(&E, s.M, members, &options);
    const int ok = claim_ok(r, st, "the ensemble", lg_ensemble_message(E)) &&
                   claim_ok(r, lg_ensemble_set_all(E, tumble, NULL), "the members", lg_ensemble_message(E)) &&
                   march(r, E, &x, members, length(r, drifting), out);
    lg_ensemble_destroy(E);
    claim_close(&s);
    return ok;
}

static void walks(claim_report *r, const law *of, int k, const char *symbol)
{
    claim_between(r, of->exponent[k], 0.4, 0.6, "a walk without bias", "exponent of |%s - first|, to %.0e steps; %.1e",
                  symbol, (double)length(r, 0), of->end[k]);
}

static void drifts(claim_report *r, const law *of, int k, const char *symbol)
{
    claim_control(r, of->exponent[k], 0.8, "the plain step drifts", "exponent of |%s - first|, to %.0e steps; %.1e",
                  symbol, (double)length(r, 1), of->end[k]);
}

static void gni(claim_report *r)
{
    law of;
    if (!claim_own_systems(r)) return;
    if (wander(r, &free_bodies, "gni:compensated", &of)) walks(r, &of, MOMENTUM, "R p");
    if (wander(r, &free_bodies, "gni", &of)) drifts(r, &of, MOMENTUM, "R p");
    if (wander(r, &reflected_bodies, "gni:compensated", &of)) walks(r, &of, ENERGY, "H(p^-)");
    if (wander(r, &reflected_bodies, "gni", &of)) drifts(r, &of, ENERGY, "H(p^-)");
}

static void sem(claim_report *r)
{
    law of;
    if (!claim_own_systems(r)) return;
    if (wander(r, &free_bodies, "sem:compensated", &of)) {
        walks(r, &of, MOMENTUM, "R p");
        claim_below(r, of.end[ENERGY], 4.5e-16, "2 ulp: it is compared with that of the start",
                    "|H - first| after %.0e steps", (double)length(r, 0));
        claim_between(r, of.exponent[ENERGY], -0.1, 0.1, "it does not grow", "exponent of |H - first|, to %.0e steps",
                      (double)length(r, 0));
    }
    if (wander(r, &free_bodies, "sem", &of)) drifts(r, &of, MOMENTUM, "R p"), drifts(r, &of, ENERGY, "H");
}

const claim claims_brouwer[] = {
    {"brouwer-gni",
     "With compensated steps of the GNI the momentum in space of free bodies, and H(p^-) of symmetric bodies that are "
     "reflected, go off like the square root of the number of steps, by Brouwer's law; with plain steps like that "
     "number.",
     SOURCE, 10, gni},
    {"brouwer-sem",
     "With compensated steps of sem the momentum in space of free bodies goes off like the square root of the number "
     "of steps, by Brouwer's law, and their energy stays where it was; with plain steps both go off like that number.",
     SOURCE, 9, sem},
    {0},
};
