/* SPDX-License-Identifier: BSD-3-Clause */
/* Between the nodes and around a state: events, steps to a time, dense output, probes. */
#include "claims/consistency/along_run.h"

const char *claim_run_method(int i)
{
    static const char *const methods[] = {"sem", "gni", "dla", "nsv", "gni:midpoint", "variational", "gni@suzuki4"};
    return methods[i % (int)(sizeof methods / sizeof methods[0])];
}

/* The figures that the controls collect over all systems. */
typedef struct tally {
    int index;
    double late;      /* |f| at the event of a linear interpolation */
    double one_sided; /* reversibility of gni-r */
    double truncated; /* momentum equation with a truncated tangent */
} tally;

/* Events ----------------------------------------------------------------------------------------------------------- */

/* f = <w, xi> - c + s + s^2/2, s = (t - t0)/h: in every system a chord is far from it. */
typedef struct level {
    int n;
    double w[CLAIM_DIM], c, h, t0;
} level;

static int level_at(const lg_call *c, const double *g, const double *xi, double *f)
{
    const level *l = c->context;
    const double s = (c->t - l->t0) / l->h;
    (void)g;
    *f = s + s * s / 2 - l->c;
    for (int i = 0; i < l->n; i++) *f += l->w[i] * xi[i];
    return 0;
}

static double level_of(const level *l, const lg_integrator *it)
{
    lg_call c = {.context = l, .t = lg_integrator_time(it)};
    double xi[CLAIM_DIM], f = NAN;
    if (lg_integrator_velocity(it, xi) == LG_OK) (void)level_at(&c, NULL, xi, &f);
    return f;
}

/* A level in the middle of the next step, rising or falling at random. */
static int draw_level(claim_report *r, const claim_system *s, const char *method, const char *retraction, level *l,
                      double *size)
{
    lg_integrator *it = claim_start(r, s, method, retraction, s->h, LG_START_REACTION);
    lg_rng rng = {19};
    double before, after, speed = 0;
    int ok = it != NULL && claim_steps(r, it, 3);
    l->n = s->n, l->c = 0, l->h = s->h, l->t0 = ok ? lg_integrator_time(it) : 0;
    for (int i = 0; i < s->n; i++) speed = fmax(speed, fabs(s->xi0[i]));
    for (int i = 0; i < s->n; i++) l->w[i] = 0.5 * lg_rng_normal(&rng) / fmax(speed, 1e-300);
    if (ok) before = level_of(l, it);
    ok = ok && claim_steps(r, it, 1);
    if (ok) {
        after = level_of(l, it);
        l->c = 0.6 * before + 0.4 * after;
        *size = fabs(after - before);
        ok = *size > 0.1;
    }
    lg_integrator_destroy(it);
    return ok;
}

static void check_event(claim_report *r, const claim_system *s, const char *method, const char *retraction, tally *all)
{
    level l;
    double size, f, t;
    claim_state a, b;
    lg_event e = {.size = sizeof(lg_event), .value = level_at, .context = &l};
    lg_integrator *it, *other;
    int found = 0, wrong = 0;
    if (!draw_level(r, s, method, retraction, &l, &size)) return;
    it = claim_start(r, s, method, retraction, s->h, LG_START_REACTION);
    other = claim_start(r, s, method, retraction, s->h, LG_START_REACTION);
    if (it == NULL || other == NULL || !claim_steps(r, it, 3) || !claim_steps(r, other, 3)) goto done;
    const int rises = level_of(&l, it) < 0;
    e.direction = rises ? LG_CROSSING_DOWN : LG_CROSSING_UP;
    if (!claim_ok(r, lg_integrator_step_to_event(other, &wrong, &e), "lg_integrator_step_to_event",
                  lg_integrator_message(other)))
        goto done;
    claim_below(r, wrong != 0, 0, "the other direction", "events that cross the other way");
    e.direction = rises ? LG_CROSSING_UP : LG_CROSSING_DOWN;
    if (!claim_ok(r, lg_integrator_step_to_event(it, &found, &e), "lg_integrator_step_to_event",
                  lg_integrator_message(it)))
        goto done;
    f = level_of(&l, it), t = lg_integrator_time(it);
    claim_between(r, found, rises ? 1 : -1, rises ? 1 : -1, "the direction of the crossing", "the event found");
    claim_below(r, (rises ? 1 : -1) * -f / size, 0, "the state lies behind the root", "how far before the root");
    claim_below(r, fabs(f) / size, 2e-11, "a tolerance of 1e-12 steps", "|f| at the event, relative to its change");
    all->late = fmax(all->late, fabs((t - l.t0) / s->h - 0.4));
    claim_read(it, &a);
    lg_integrator_destroy(other);
    other = claim_start(r, s, method, retraction, s->h, LG_START_REACTION);
    if (other == NULL || !claim_steps(r, other, 3)) goto done;
    if (!claim_ok(r, lg_integrator_step_to(other, t), "lg_integrator_step_to", lg_integrator_message(other))) goto done;
    claim_read(other, &b);
    claim_below(r, fmax(claim_distance(s->G, a.g, b.g), claim_gap(a.p, b.p, s->n)), 1e-11, "steps solved to 1e-14",
                "the event's state and that of a step to its time");
    claim_below(r, lg_integrator_constraint_residual(it), 2e-14, "as at every node",
                "constraint residual at the event");
    if (claim_steps(r, it, 1))
        claim_below(r, fabs(lg_integrator_time(it) - t - s->h), 1e-15 * fmax(1, fabs(t)), "round-off",
                    "the step after it is h");
done:
    lg_integrator_destroy(other);
    lg_integrator_destroy(it);
}

/* Steps to a time -------------------------------------------------------------------------------------------------- */

static double momenta_gap(const lg_integrator *a, const lg_integrator *b, int n)
{
    double size = 0;
    for (int i = 0; i < n; i++) size = fmax(size, fabs(lg_integrator_momentum_plus(b)[i]));
    return fmax(claim_gap(lg_integrator_momentum_plus(a), lg_integrator_momentum_plus(b), n),
                fmax(claim_gap(lg_integrator_momentum_minus(a), lg_integrator_momentum_minus(b), n),
                     claim_gap(lg_integrator_momentum(a), lg_integrator_momentum(b), n))) /
           fmax(size, 1e-300);
}

/* A nearly full step is close to lg_integrator_step(), in all momenta and multipliers; a run to a time ends there. */
static void check_times(claim_report *r, const claim_system *s, const char *method, const char *retraction)
{
    const double part = 1 - 1e-7;
    lg_integrator *full = claim_start(r, s, method, retraction, s->h, LG_START_REACTION);
    lg_integrator *it = claim_start(r, s, method, retraction, s->h, LG_START_REACTION);
    if (full == NULL || it == NULL || !claim_steps(r, full, 4) || !claim_steps(r, it, 3)) goto done;
    if (!claim_ok(r, lg_integrator_step_to(it, lg_integrator_time(it) + part * s->h), "lg_integrator_step_to",
                  lg_integrator_message(it)))
        goto done;
    claim_below(r, momenta_gap(it, full, s->n), 1e-6, "1e-7 of a step's change, a stiff one's too",
                "momenta after a step that is shorter by 1e-7");
    claim_below(r, claim_distance(s->G, lg_integrator_configuration(it), lg_integrator_configuration(full)), 1e-6,
                "1e-7 of a step's change, a stiff one's too", "configuration after a step that is shorter by 1e-7");
    lg_integrator_destroy(it);
    it = claim_start(r, s, method, retraction, s->h, LG_START_REACTION);
    if (it == NULL) goto done;
    if (!claim_ok(r, lg_integrator_run_to(it, 3.3 * s->h, 1, NULL, NULL), "lg_integrator_run_to",
                  lg_integrator_message(it)))
        goto done;
    claim_below(r, fabs(lg_integrator_time(it) - 3.3 * s->h), 0, "exactly", "a run to t = 3.3 h ends there");
    claim_between(r, (double)lg_integrator_step_index(it), 4, 4, "three full steps and one part", "steps of it");
    lg_integrator_destroy(full);
    full = claim_start(r, s, method, retraction, s->h, LG_START_REACTION);
    if (full == NULL || !claim_steps(r, full, 3)) goto done;
    if (!claim_ok(r, lg_integrator_step_to(full, 3.3 * s->h), "lg_integrator_step_to", lg_integrator_message(full)))
        goto done;
    claim_below(r, momenta_gap(it, full, s->n), 0, "the same steps", "the same with single steps");
done:
    lg_integrator_destroy(it);
    lg_integrator_destroy(full);
}

/* The part of p^- (GNI) or p^+ (DLA) that is normal to the constraints. */
static double normal_of(const lg_integrator *it, int dla, int n)
{
    return claim_gap(dla ? lg_integrator_momentum_plus(it) : lg_integrator_momentum_minus(it),
                     lg_integrator_momentum(it), n);
}

/* Also after a short step it is that of a full one; otherwise it would jump at events. */
static void check_normal(claim_report *r, const claim_system *s, const char *method, const char *retraction)
{
    const int dla = strncmp(method, "dla", 3) == 0;
    lg_integrator *full = claim_start(r, s, method, retraction, s->h / 4, LG_START_REACTION);
    lg_integrator *it = claim_start(r, s, method, retraction, s->h / 4, LG_START_REACTION);
    double before, after, size = 0;
    if (full == NULL || it == NULL || !claim_steps(r, full, 4) || !claim_steps(r, it, 3)) goto done;
    before = normal_of(full, dla, s->n);
    for (int i = 0; i < s->n; i++) size = fmax(size, fabs(lg_integrator_momentum(full)[i]));
    if (s->S->constraint_count == 0 || before < 1e-3 * size) goto done; /* may change its sign */
    if (!claim_ok(r, lg_integrator_step_to(it, lg_integrator_time(it) + s->h / 80), "lg_integrator_step_to",
                  lg_integrator_message(it)))
        goto done;
    after = normal_of(it, dla, s->n);
    claim_between(r, after / before, 0.6, 1.6, "O(h); a step of h/20: 20 or 1/20 without the rescaling",
                  "normal part after a short step against a full one");
done:
    lg_integrator_destroy(it);
    lg_integrator_destroy(full);
}

/* Dense output ----------------------------------------------------------------------------------------------------- */

static void check_between(claim_report *r, const claim_system *s, const char *method, const char *retraction)
{
    static const double at[4] = {0, 0.3, 0.8, 1};
    double g[CLAIM_ELEMENT], ga[CLAIM_ELEMENT], want[CLAIM_ELEMENT], va[CLAIM_DIM], vb[CLAIM_DIM], v[CLAIM_DIM], t;
    double place = 0, speed = 0, size = 1, time = 0;
    lg_integrator *it = claim_start(r, s, method, retraction, s->h, LG_START_REACTION);
    if (it == NULL || !claim_steps(r, it, 2)) goto done;
    memcpy(ga, lg_integrator_configuration(it), (size_t)s->size * sizeof *ga);
    if (lg_integrator_velocity(it, va) != LG_OK || !claim_steps(r, it, 1) || lg_integrator_velocity(it, vb) != LG_OK)
        goto done;
    for (int k = 0; k < 4; k++) {
        const lg_status status = lg_integrator_interpolate(it, &t, g, v, at[k]);
        if (!claim_ok(r, status, "lg_integrator_interpolate", "")) goto done;
        if (lg_group_interpolate(s->G, want, ga, lg_integrator_configuration(it), at[k]) != LG_OK) goto done;
        place = fmax(place, claim_distance(s->G, g, want));
        time = fmax(time, fabs(t - (2 + at[k]) * s->h));
        for (int i = 0; i < s->n; i++) {
            size = fmax(size, fabs(va[i]));
            speed = fmax(speed, fabs(v[i] - (1 - at[k]) * va[i] - at[k] * vb[i]));
        }
    }
    claim_below(r, place, 5e-15, "round-off", "dense output against the geodesic");
    claim_below(r, speed / size, 2e-15, "round-off", "its velocity against the mean of the nodes'");
    claim_below(r, time, 1e-15 * fmax(1, 3 * s->h), "round-off", "its time");
done:
    lg_integrator_destroy(it);
}

/* Probes ----------------------------------------------------------------------------------------------------------- */

/* Largest |lambda| with a negative real part. */
static double alternating(const double *M, int n2, int *count)
{
    double re[2 * CLAIM_DIM], im[2 * CLAIM_DIM], most = 0;
    *count = 0;
    if (!claim_eigenvalues(n2, M, re, im)) return NAN;
    for (int i = 0; i < n2; i++) {
        if (!(re[i] < 0) || hypot(re[i], im[i]) < 1e-3) continue;
        most = fmax(most, hypot(re[i], im[i]));
        (*count)++;
    }
    return most;
}

/* |p| in the metric J^-1. */
static double size_of(const double *p, const double *velocity, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++) sum += p[i] * velocity[i];
    return sqrt(fabs(sum));
}

/* The result of lg_diagnostics_reversibility() for a method that is not reversible, against our own steps there and
 * back. */
static void check_defect(claim_report *r, const claim_system *s)
{
    double J[CLAIM_DIM * CLAIM_DIM], g[CLAIM_ELEMENT], p[CLAIM_DIM], xi[CLAIM_DIM], d[CLAIM_DIM], way = 0, size = 0;
    double defect, own, most = 0;
    lg_integrator *back = NULL, *it = claim_start(r, s, "rkmk4", "exp", s->h, LG_START_REACTION);
    lg_status status;
    if (it == NULL || !claim_steps(r, it, 1)) goto done;
    if (!claim_ok(r, lg_diagnostics_reversibility(it, &defect, 3), "lg_diagnostics_reversibility", "")) goto done;
    memcpy(g, lg_integrator_configuration(it), (size_t)s->size * sizeof *g);
    memcpy(p, lg_integrator_momentum(it), (size_t)s->n * sizeof *p);
    for (int k = 0; k < 6; k++) {
        if (k == 3) {
            status = lg_integrator_create(&back, s->S, "rkmk4", "exp", -s->h);
            if (status == LG_OK)
                status = lg_integrator_start_momentum(back, lg_integrator_time(it), lg_integrator_configuration(it),
                                                      lg_integrator_momentum(it));
            if (status != LG_OK) goto done; /* off the constraints by then */
            lg_integrator_destroy(it);
            it = back, back = NULL;
        }
        if (!claim_steps(r, it, 1) || lg_integrator_velocity(it, xi) != LG_OK) goto done;
        size = fmax(size, size_of(lg_integrator_momentum(it), xi, s->n));
        for (int i = 0; i < s->n; i++) d[i] = lg_integrator_step_velocity(it)[i];
        if (k < 3) way += s->h * size_of(d, d, s->n);
    }
    for (int i = 0; i < s->size; i++) most = fmax(most, fabs(g[i]));
    own = claim_distance(s->G, g, lg_integrator_configuration(it)) / fmax(most, way);
    for (int i = 0; i < s->n; i++) d[i] = lg_integrator_momentum(it)[i] - p[i];
    claim_metric(s, lg_integrator_time(it), lg_integrator_configuration(it), J);
    if (claim_solve(s->n, J, d, xi)) own = fmax(own, size_of(d, xi, s->n) / size);
    if (own > 1e-13)
        claim_between(r, defect / own, 0.999, 1.001, "the same steps", "reversibility of rkmk4 against our own steps");
    else
        claim_skip(r, "reversibility of rkmk4 against our own steps");
done:
    lg_integrator_destroy(back);
    lg_integrator_destroy(it);
}

static void check_probes(claim_report *r, const claim_system *s, const char *retraction, tally *all)
{
    double M[4 * CLAIM_DIM * CLAIM_DIM], defect, det, rate, own;
    int count = 0, found = 0;
    lg_integrator *it = claim_start(r, s, "gni", retraction, s->h, LG_START_REACTION);
    if (it != NULL && claim_steps(r, it, 2)) {
        if (claim_ok(r, lg_diagnostics_reversibility(it, &defect, 3), "lg_diagnostics_reversibility", ""))
            claim_below(r, defect, 5e-14, "round-off of 6 steps", "reversibility");
        if (claim_step_matrix(r, s, it, M) &&
            claim_ok(r, lg_diagnostics_determinant(it, &det), "lg_diagnostics_determinant", "")) {
            claim_below(r, fabs(det - claim_determinant(2 * s->n, M)) / fmax(1, fabs(det)), 1e-12,
                        "another elimination", "determinant of the step against its matrix");
            own = alternating(M, 2 * s->n, &found);
            if (claim_ok(r, lg_diagnostics_parasitic_growth(it, &rate, &count), "lg_diagnostics_parasitic_growth",
                         "") &&
                !isnan(rate)) {
                claim_below(r, fabs(exp(rate * s->h) - own), 1e-11, "the same eigenvalues",
                            "growth of the parasitic mode against its multiplier");
                claim_between(r, count, found, found, "the same eigenvalues", "number of multipliers");
            }
        }
    }
    lg_integrator_destroy(it);
    it = claim_start(r, s, "gni-r", retraction, s->h, LG_START_REACTION);
    if (it != NULL && claim_steps(r, it, 2) && lg_diagnostics_reversibility(it, &defect, 3) == LG_OK)
        all->one_sided = fmax(all->one_sided, defect);
    lg_integrator_destroy(it);
    it = claim_start(r, s, "sem", retraction, s->h, LG_START_REACTION);
    if (it != NULL && claim_steps(r, it, 2) &&
        claim_ok(r, lg_diagnostics_reversibility(it, &defect, 3), "lg_diagnostics_reversibility", ""))
        claim_below(r, defect, 5e-14, "round-off of 6 steps", "reversibility");
    lg_integrator_destroy(it);
}

/* The claim -------------------------------------------------------------------------------------------------------- */

static void one(claim_report *r, const claim_system *s, void *context)
{
    tally *all = context;
    const int k = all->index++;
    const char *method = claim_run_method(k), *other = claim_run_method(k + 3), *retraction = claim_retraction(k % 2);
    check_event(r, s, method, retraction, all);
    check_event(r, s, other, "exp", all);
    check_times(r, s, method, retraction);
    check_normal(r, s, "gni", retraction);
    check_normal(r, s, "dla", "exp");
    check_between(r, s, method, retraction);
    check_between(r, s, other, "cayley");
    check_probes(r, s, retraction, all);
    check_defect(r, s);
    claim_run_figures(r, s, k, &all->truncated);
    claim_run_orders(r, s);
}

static void along(claim_report *r)
{
    tally all = {0};
    claim_each(r, 0, 0, one, &all);
    claim_case(r, NULL, NULL, NULL);
    claim_control(r, all.late, 1e-2, "f is not linear in time", "the event's time against that of a chord, in steps");
    claim_control(r, all.one_sided, 1e-5, "gni-r restarts at every node", "reversibility");
    claim_control(r, all.truncated, 1e-6, "a tangent cut off at ad", "residual of the momentum equation");
    claim_run_trends(r);
}

const claim claims_along_run[] = {
    {"along-a-run",
     "The reports of a run agree with its steps: events lie on the root and are states of the method, dense output is "
     "the geodesic, rows, figures, monitors, probes and observed orders are those of the states.",
     "this library, docs/theory.md section 15", 1, along},
    {0},
};
