/* SPDX-License-Identifier: BSD-3-Clause */
/* Methods by name: NAME[:OPTION,...][@COMPOSITION], each a constraint rule x a free step x a composition. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/decimal.h"
#include "base/message.h"
#include "integrators/collocation/tableau.h"
#include "integrators/engine/free_step.h"
#include "integrators/engine/rule.h"
#include "integrators/steps/energy_momentum.h"

/* The options of a family. */
enum { QUADRATURE = 1u, DISCRETE = 2u, ARC = 4u, STAGES = 8u, COMPENSATED = 16u };

typedef struct family {
    const char *name;
    const lg_rule *rule;
    const lg_free_step *step;
    unsigned options;
    int raw;
    lg_point point[2]; /* the default quadrature of L_d */
    lg_point row[2];   /* of omega_d */
} family;

/* clang-format off */
#define NO     {{0, 0}, {0, 0}}
#define ENDS   {{0, 0.5}, {1, 0.5}}
#define MIDDLE {{0.5, 1}, {0, 0}}

/* The families: name, rule (rules/), free step (steps/), options, raw rows, points of L_d and of omega_d. A new rule or
 * free step is a file and its line here. */
#define FAMILIES(X)                                                                                                    \
    X("sem",         shared,        energy_momentum, ARC | COMPENSATED,     0, NO,     NO)                             \
    X("nsv",         shared,        variational,     0,                     0, ENDS,   NO)                             \
    X("smv",         shared,        variational,     0,                     1, ENDS,   NO)                             \
    X("sml",         middle,        variational,     0,                     0, ENDS,   NO)                             \
    X("gni",         reflection,    variational,     QUADRATURE | COMPENSATED,            0, ENDS,   NO)                             \
    X("gni-r",       restart,       variational,     0,                     0, ENDS,   NO)                             \
    X("dla",         discrete,      variational,     QUADRATURE | DISCRETE, 0, MIDDLE, MIDDLE)                         \
    X("rattle",      none,          variational,     QUADRATURE,            0, ENDS,   NO)                             \
    X("variational", none,          variational,     QUADRATURE | COMPENSATED,            0, ENDS,   NO)                             \
    X("gauss",       collocation,   collocation,     STAGES,                0, NO,     NO)                             \
    X("rk4",         accelerations, rk4,             0,                     0, NO,     NO)                             \
    X("rkmk4",       accelerations, rkmk4,           0,                     0, NO,     NO)

#define DECLARE(name, rule, step, options, raw, point, row)                                                            \
    extern const lg_rule lg_rule_##rule;                                                                               \
    extern const lg_free_step lg_free_step_##step;
#define AS_FAMILY(name, rule, step, options, raw, point, row)                                                          \
    {name, &lg_rule_##rule, &lg_free_step_##step, options, raw, point, row},
/* clang-format on */

FAMILIES(DECLARE)
extern const lg_free_step lg_free_step_user; /* the option `user` */

static const family families[] = {FAMILIES(AS_FAMILY)};

/* clang-format off */
/* The methods that lg_method_names() lists: name and summary. */
#define METHODS(X)                                                                                                     \
    X("sem", "shared multipliers x energy-momentum step: constraints and energy exact, order 2; the default "          \
             "(gauss=1..8 nodes, 4)")                                                                                  \
    X("sem:gonzalez", "the same with Gonzalez' discrete gradient: one potential a residual, moves energy between "     \
                      "subsystems")                                                                                    \
    X("sem:cholesky", "the same in rows that Cholesky's factor makes orthonormal, without alignment: as mechanisms do") \
    X("sem:momentum", "the same, keeping rotational momentum with holonomic constraints (alpha = 1)")                   \
    X("nsv", "shared multipliers in orthonormal rows x trapezoidal variational step, order 2")                         \
    X("smv", "nsv with the raw rows: depends on their frame, for comparison")                                          \
    X("sml", "drift-kick-drift with one multiplier in the middle, order 2, for comparison")                            \
    X("gni", "geometric nonholonomic integrator, trapezoidal discrete Lagrangian (nonholonomic RATTLE), order 2")      \
    X("gni:trapezoidal", "the same as gni")                                                                            \
    X("gni:euler-a", "GNI with the Lagrangian at the left end, order 1")                                               \
    X("gni:euler-b", "GNI with the Lagrangian at the right end, order 1")                                              \
    X("gni:midpoint", "GNI with the Lagrangian at the geodesic midpoint, order 2; also alpha=A, symmetric-alpha=A")    \
    X("gni:user", "GNI with the system's own discrete Lagrangian (discrete_slope_1, discrete_slope_2)")                \
    X("gni-r", "GNI restarted on the constraints every step: no parasitic mode, not reversible, for comparison")       \
    X("dla", "discrete Lagrange-d'Alembert, L_d and omega_d at the midpoint, order 2")                                 \
    X("dla:midpoint", "the same as dla")                                                                               \
    X("dla:trapezoidal", "DLA with L_d and omega_d at both ends, order 2")                                             \
    X("dla:midleft", "DLA with L_d at the midpoint and omega_d at the left end, order 1")                              \
    X("dla:alpha=0.5", "DLA at q_A, any A from 0 (left end) to 1, order 1 unless A = 0.5")                             \
    X("dla:symmetric-alpha=0.25", "DLA at q_A and q_{1-A}, any A from 0 to 1, order 2")                                \
    X("dla:user", "DLA with the system's own L_d and omega_d (discrete_slope_1, _2, discrete_constraint)")             \
    X("rattle", "holonomic constraints only: RATTLE, order 2")                                                          \
    X("variational", "variational integrator with the trapezoidal discrete Lagrangian, no velocity constraints")       \
    X("variational:trapezoidal", "the same as variational")                                                            \
    X("variational:euler-a", "symplectic Euler, potential at the left end, order 1")                                   \
    X("variational:euler-b", "symplectic Euler, potential at the right end, order 1")                                  \
    X("variational:midpoint", "variational integrator at the geodesic midpoint, order 2")                              \
    X("variational:user", "variational integrator of the system's own discrete Lagrangian")                            \
    X("gauss", "Gauss collocation of order 2 S: trajectories; constraints and energy exact at nodes (stages=S, 1..8 " \
               "or 16; 8)")                                                                                            \
    X("rk4", "classical Runge-Kutta on the embedded equations without multipliers, order 4, a baseline")               \
    X("rkmk4", "Runge-Kutta-Munthe-Kaas on the group, order 4, a baseline")

/* clang-format on */
#define AS_PAIR(name, summary) {name, summary},
#define AS_NAME(name, summary) name,

static const char *const listed[][2] = {METHODS(AS_PAIR)};
static const char *const names[] = {METHODS(AS_NAME) NULL};

const char *const *lg_method_names(void)
{
    return names;
}

const char *lg_method_summary(const char *name)
{
    for (size_t i = 0; name && i < sizeof listed / sizeof listed[0]; i++)
        if (!strcmp(name, listed[i][0])) return listed[i][1];
    return NULL;
}

/* ---- reading a specification ---- */

/* Sets the points of L_d, and with DLA those of omega_d. */
static void method_place(lg_method *M, unsigned options, double s0, double w0, double s1, double w1)
{
    const lg_point point[2] = {{s0, w0}, {s1, w1}};
    memcpy(M->point, point, sizeof point);
    if (options & DISCRETE) memcpy(M->row, point, sizeof point);
}

/* Reads the number after "NAME=", up to the end of the option; 0: another option, or not a number in [low, high]. */
static int method_number_of(const char *option, size_t length, const char *name, double low, double high, double *value)
{
    size_t n = strlen(name);
    char text[32];
    const char *end;
    if (length <= n || length - n >= sizeof text || strncmp(option, name, n)) return 0;
    memcpy(text, option + n, length - n);
    text[length - n] = 0;
    *value = lg_decimal_read(text, &end);
    return end != text && !*end && *value >= low && *value <= high;
}

static int method_is(const char *option, size_t length, const char *name)
{
    return strlen(name) == length && !strncmp(option, name, length);
}

/* Applies an option; 0: the family does not have it. */
static int method_apply_quadrature(lg_method *M, unsigned options, const char *o, size_t length)
{
    double a;
    if (method_is(o, length, "trapezoidal"))
        method_place(M, options, 0, 0.5, 1, 0.5);
    else if (method_is(o, length, "midpoint"))
        method_place(M, options, 0.5, 1, 0, 0);
    else if (!(options & DISCRETE) && method_is(o, length, "euler-a"))
        method_place(M, options, 0, 1, 0, 0);
    else if (!(options & DISCRETE) && method_is(o, length, "euler-b"))
        method_place(M, options, 1, 1, 0, 0);
    else if (method_number_of(o, length, "alpha=", 0, 1, &a))
        method_place(M, options, a, 1, 0, 0);
    else if (method_number_of(o, length, "symmetric-alpha=", 0, 1, &a))
        method_place(M, options, a, 0.5, 1 - a, 0.5);
    else if (method_is(o, length, "user"))
        M->step = &lg_free_step_user;
    else
        return 0;
    return 1;
}

static int method_apply_arc(lg_method *M, const char *o, size_t length)
{
    double count;
    if (method_is(o, length, "gonzalez"))
        M->gonzalez = 1;
    else if (method_is(o, length, "momentum"))
        M->rotational = 1;
    else if (method_is(o, length, "cholesky"))
        M->cholesky = 1;
    else if (method_number_of(o, length, "gauss=", 1, LG_QUADRATURE_MOST, &count) && count == floor(count))
        M->nodes = (int)count;
    else
        return 0;
    return 1;
}

static int method_apply_stages(lg_method *M, const char *o, size_t length)
{
    double count;
    if (method_is(o, length, "stage"))
        M->form = LG_FORM_STAGE;
    else if (method_is(o, length, "rate"))
        M->form = LG_FORM_RATE;
    else if (method_number_of(o, length, "stages=", 1, LG_STAGES_MOST, &count) && (count == 16 || count <= 8) &&
             count == floor(count))
        M->collocation_stages = (int)count;
    else
        return 0;
    return 1;
}

static int method_apply_option(lg_method *M, unsigned options, const char *o, size_t length)
{
    if ((options & QUADRATURE) && method_apply_quadrature(M, options, o, length)) return 1;
    if ((options & ARC) && method_apply_arc(M, o, length)) return 1;
    if ((options & STAGES) && method_apply_stages(M, o, length)) return 1;
    if (!(options & DISCRETE) || !method_is(o, length, "midleft")) return 0;
    method_place(M, options, 0.5, 1, 0, 0);
    M->row[0].s = 0;
    return 1;
}

/* Does this option take a number? */
static int method_takes_number(unsigned options, const char *o, size_t length)
{
    const char *known[3] = {options & ARC      ? "gauss="
                            : options & STAGES ? "stages="
                                               : "",
                            options & QUADRATURE ? "alpha=" : "", options & QUADRATURE ? "symmetric-alpha=" : ""};
    for (int i = 0; i < 3; i++) {
        size_t n = strlen(known[i]);
        if (n && length >= n && !strncmp(o, known[i], n)) return 1;
    }
    return 0;
}

static const char *method_options_of(unsigned options)
{
    if (options & ARC) return "gauss=1..8, gonzalez, momentum, cholesky, compensated";
    if (options & STAGES) return "stages=S with S from 1 to 8 or 16, stage, rate";
    if (options & DISCRETE)
        return "midpoint, trapezoidal, midleft, alpha=A and symmetric-alpha=A with A in [0, 1], user";
    if (options & COMPENSATED)
        return "trapezoidal, euler-a, euler-b, midpoint, alpha=A and symmetric-alpha=A with A in [0, 1], user, "
               "compensated";
    if (options & QUADRATURE)
        return "trapezoidal, euler-a, euler-b, midpoint, alpha=A and symmetric-alpha=A with A in [0, 1], user";
    return "none";
}

static int method_count_points(const lg_point *p)
{
    return p[0].weight == 0 ? 0 : p[1].weight == 0 ? 1 : 2;
}

/* Two points at the same place are one. */
static void method_merge(lg_point *p)
{
    if (p[1].weight == 0 || p[0].s != p[1].s) return;
    p[0].weight += p[1].weight;
    p[1].weight = 0;
}

static lg_status method_read_options(lg_method *M, const family *F, const char *spec, const char *at, lg_error *e)
{
    int count = 0;
    while (*at == ':' || *at == ',') {
        size_t length = strcspn(++at, ",@");
        if ((F->options & COMPENSATED) && method_is(at, length, "compensated")) {
            M->compensated = 1;
            at += length;
            continue;
        }
        if (count++ && !(F->options & (ARC | STAGES)))
            return lg_fail(e, LG_ERROR_ARGUMENT, "method '%.60s': %s takes one option%s, not several", spec, F->name,
                           F->options & COMPENSATED ? " in addition to compensated" : "");
        if (!method_apply_option(M, F->options, at, length) && method_takes_number(F->options, at, length))
            return lg_fail(e, LG_ERROR_ARGUMENT, "method '%.60s': '%.*s': expected %s", spec,
                           (int)(length < 40 ? length : 40), at,
                           F->options & ARC      ? "a whole number from 1 to 8"
                           : F->options & STAGES ? "a whole number from 1 to 8, or 16"
                                                 : "a number in [0, 1]");
        if ((F->options & STAGES) && method_is(at, length, "symmetric"))
            return lg_fail(
                e, LG_ERROR_UNSUPPORTED,
                "method '%.60s': the symmetric variant has no solver that always converges, and where it "
                "converges its trajectories are no better; use gauss, whose defect of symmetry is of order 2 S + 1",
                spec);
        if (!method_apply_option(M, F->options, at, length))
            return lg_fail(e, LG_ERROR_ARGUMENT, "method '%.60s': %s has no option '%.*s'; its options: %s", spec,
                           F->name, (int)(length < 40 ? length : 40), at, method_options_of(F->options));
        at += length;
    }
    if (M->gonzalez && (M->rotational || M->nodes))
        return lg_fail(e, LG_ERROR_ARGUMENT,
                       "method '%.60s': gonzalez has neither Gauss nodes nor holonomic constraints; drop gauss and "
                       "momentum",
                       spec);
    if (!M->nodes) M->nodes = 4;
    if ((F->options & STAGES) && !M->collocation_stages) M->collocation_stages = 8;
    if (*at == '@') {
        M->composition = lg_composition_named(at + 1, strlen(at + 1));
        if (!M->composition)
            return lg_fail(e, LG_ERROR_ARGUMENT,
                           "method '%.60s': unknown composition '%.40s'; expected yoshida4, suzuki4, kahan-li6 or "
                           "kahan-li8",
                           spec, at + 1);
    }
    return LG_OK;
}

lg_status lg_method_parse(lg_method *M, const char *spec, lg_error *e)
{
    if (!spec) spec = "sem";
    size_t length = strcspn(spec, ":@");
    const family *F = NULL;
    for (size_t i = 0; i < sizeof families / sizeof families[0]; i++)
        if (method_is(spec, length, families[i].name)) F = &families[i];
    if (!F)
        return lg_fail(
            e, LG_ERROR_ARGUMENT,
            "unknown method '%.60s'; expected sem, nsv, smv, sml, gni, gni-r, dla, rattle, variational, gauss, rk4 "
            "or rkmk4, then options after ':' and a composition after '@'",
            spec);
    memset(M, 0, sizeof *M);
    if (strlen(spec) >= sizeof M->name)
        return lg_fail(e, LG_ERROR_ARGUMENT, "method '%.60s...' is too long; expected less than %zu characters", spec,
                       sizeof M->name);
    strcpy(M->name, spec);
    M->rule = F->rule, M->step = F->step, M->raw = F->raw;
    memcpy(M->point, F->point, sizeof M->point);
    memcpy(M->row, F->row, sizeof M->row);
    lg_status st = method_read_options(M, F, spec, spec + length, e);
    method_merge(M->point), method_merge(M->row);
    M->points = method_count_points(M->point), M->rows = method_count_points(M->row);
    return st;
}
