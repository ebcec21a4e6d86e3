/* SPDX-License-Identifier: BSD-3-Clause */
/* sem where forces, drifts and time do work: exact balance, passivity, constraints that depend on time. */
#include "claims/framework/variants.h"

/* A run: largest deviations, relative to the largest energy and to the total work. */
typedef struct watched {
    double energy, balance, constraint, size;
    int64_t steps;
} watched;

/* 1 while no attitude turns by more than a radian per step: beyond that nodes along the arc do not resolve V, and
 * friction may throw a ball off its table. */
static int resolved(const claim_system *s, const lg_integrator *it)
{
    double xi[CLAIM_DIM];
    int at = 0;
    if (lg_integrator_velocity(it, xi) != LG_OK) return 0;
    for (int k = 0; k < lg_group_factor_count(s->G); k++) {
        const lg_group *F = lg_group_factor(s->G, k);
        for (int i = at; i < at + lg_group_dim(F); i++)
            if (!F->abelian && fabs(xi[i] * lg_integrator_step_size(it)) > 1) return 0;
        at += lg_group_dim(F);
    }
    return 1;
}

/* At most `steps` steps, as long as they resolve the motion. */
static int watch(claim_report *r, const claim_system *s, const char *method, const char *retraction, int64_t steps,
                 watched *x)
{
    lg_integrator *it = claim_start(r, s, method, retraction, s->h, LG_START_REACTION);
    double H0, work = 0, lost = 0, sum = 0, scale = 0, xi[CLAIM_DIM]; /* the work in compensated summation */
    int ok = it != NULL;
    memset(x, 0, sizeof *x);
    H0 = ok ? lg_integrator_energy(it) : 0;
    for (; ok && x->steps < steps && resolved(s, it); x->steps++) {
        double kinetic = 0, add, next;
        ok = claim_steps(r, it, 1) &&
             claim_ok(r, lg_integrator_velocity(it, xi), "lg_integrator_velocity", lg_integrator_message(it));
        if (!ok) break;
        for (int i = 0; i < s->n; i++) {
            kinetic += 0.5 * lg_integrator_momentum(it)[i] * xi[i];
            x->size = fmax(x->size, fabs(xi[i]));
        }
        add = lg_integrator_step_work(it) - lost, next = work + add;
        lost = (next - work) - add, work = next;
        sum += fabs(lg_integrator_step_work(it));
        scale = fmax(scale, fmax(fabs(lg_integrator_energy(it)), kinetic));
        x->energy = fmax(x->energy, fabs(lg_integrator_energy(it) - H0));
        x->balance = fmax(x->balance, fabs(lg_integrator_energy(it) - H0 - work));
        x->constraint = fmax(x->constraint, lg_integrator_constraint_residual(it));
    }
    lg_integrator_destroy(it);
    x->energy /= scale, x->balance /= scale + sum;
    return ok;
}

/* 1 if anything can do work: a force, a drift, a potential or a holonomic constraint that depends on time. */
static int works(const claim_system *s)
{
    const lg_call now = claim_call(s, (double[]){0}), later = claim_call(s, (double[]){1.3});
    double V[2] = {0}, b[CLAIM_ROWS] = {0}, most = 0;
    if (s->traits & (CLAIM_FORCE | CLAIM_DRIFT)) return 1;
    if (!(s->traits & CLAIM_TIME)) return 0;
    if (s->S->callbacks.potential != NULL && s->S->callbacks.potential(&now, s->g0, &V[0]) == 0 &&
        s->S->callbacks.potential(&later, s->g0, &V[1]) == 0 && V[0] != V[1])
        return 1;
    (void)claim_rows(s, 1.3, s->g0, NULL, b);
    for (int i = 0; i < s->m; i++) most = fmax(most, fabs(b[i]));
    return most > 1e-12;
}

/* Work balance ---------------------------------------------------------------------------------------------------- */

static void balance_run(claim_report *r, const claim_system *s, const char *method, const char *retraction,
                        double gauss)
{
    watched x;
    if (!watch(r, s, method, retraction, r->full ? 100000 : 1000, &x) || x.steps == 0) return;
    claim_below(r, x.balance, 5e-14 + (1e-16 + gauss) * (double)x.steps,
                "round-off, 1e-16 a step; moving constraints: 1e-15, phi to 4e-15",
                "largest |H - H_0 - W|, relative, %lld steps", (long long)x.steps);
    claim_below(r, x.constraint / x.size, 1e-14, "round-off", "largest |A xi - b| by the largest |xi|");
    if (claim_own_systems(r))
        claim_control(r, x.energy, 1e-9, "without W there is no balance", "largest |H - H_0|, relative");
}

static void balance_body(claim_report *r, const claim_system *s, void *context)
{
    const double gauss = s->traits & CLAIM_TIME ? 1e-15 : 0; /* a step */
    (void)context;
    if (!works(s)) return;
    for (int i = 0; claim_retraction(i) != NULL; i++) {
        balance_run(r, s, "sem", claim_retraction(i), gauss);
        balance_run(r, s, "sem:gauss=8", claim_retraction(i), gauss);
        balance_run(r, s, "sem:momentum", claim_retraction(i), gauss);
        claim_agrees(r, s, "sem", claim_retraction(i));
    }
}

/* h <f, xi> of the last step from g0 at t0: f at the geodesic midpoint and at `xi`. */
static int own_work(const claim_system *s, const lg_integrator *it, double t0, const double *g0, const double *u,
                    const double *xi, double *W)
{
    const double h = lg_integrator_step_size(it);
    double U[CLAIM_ELEMENT], y[CLAIM_DIM], f[CLAIM_DIM] = {0};
    lg_call c = claim_call(s, (double[]){t0 + h / 2});
    c.control = u;
    if (lg_group_inverse(s->G, U, g0) != LG_OK ||
        lg_group_compose(s->G, U, U, lg_integrator_configuration(it)) != LG_OK)
        return 0;
    if (lg_group_log(s->G, y, U) != LG_OK) return 0;
    for (int i = 0; i < s->n; i++) y[i] /= 2;
    if (lg_group_exp(s->G, U, y) != LG_OK || lg_group_compose(s->G, U, g0, U) != LG_OK) return 0;
    if (s->S->callbacks.force(&c, U, xi, f) != 0) return 0;
    *W = 0;
    for (int i = 0; i < s->n; i++) *W += h * f[i] * xi[i];
    return 1;
}

/* One step with the controls u held: the work W = h <f, xi>, the part done by the controls, and the same with the
 * velocity of the node before. */
typedef struct power {
    double change, work, supply, early, reported;
} power;

static int one_step(claim_report *r, const claim_system *s, lg_integrator *it, const double *u, power *p)
{
    static const double none[CLAIM_DIM] = {0};
    const double t = lg_integrator_time(it), H = lg_integrator_energy(it);
    double g[CLAIM_ELEMENT], before[CLAIM_DIM], idle;
    if (s->S->callbacks.control_count > 0 &&
        !claim_ok(r, lg_integrator_set_control(it, u), "set_control", lg_integrator_message(it)))
        return 0;
    memcpy(g, lg_integrator_configuration(it), (size_t)s->size * sizeof *g);
    if (!claim_ok(r, lg_integrator_velocity(it, before), "lg_integrator_velocity", lg_integrator_message(it)) ||
        !claim_steps(r, it, 1))
        return 0;
    if (!own_work(s, it, t, g, u, lg_integrator_step_velocity(it), &p->work)) return 0;
    if (!own_work(s, it, t, g, none, lg_integrator_step_velocity(it), &idle)) return 0;
    if (!own_work(s, it, t, g, u, before, &p->early)) return 0;
    p->change = lg_integrator_energy(it) - H;
    p->supply = p->work - idle;
    p->reported = lg_integrator_step_work(it);
    return 1;
}

/* 200 steps, with random controls that are held over ten each. `passive`: the force without controls dissipates. */
static void force_run(claim_report *r, const claim_system *s, const char *retraction, int passive)
{
    double u[CLAIM_DIM] = {0}, error = 0, early = 0, size = 0, gain = -INFINITY;
    lg_rng rng = {34};
    lg_integrator *it = claim_start(r, s, "sem:gauss=8", retraction, s->h, LG_START_REACTION);
    int ok = it != NULL;
    power p;
    for (int k = 0; ok && k < 200 && resolved(s, it); k++) {
        for (int i = 0; i < s->S->callbacks.control_count && k % 10 == 0; i++) u[i] = lg_rng_normal(&rng);
        ok = one_step(r, s, it, u, &p);
        if (!ok) break;
        size = fmax(size, fabs(lg_integrator_energy(it))) + fabs(p.work);
        error = fmax(error, fmax(fabs(p.reported - p.work), fabs(p.change - p.work)));
        early = fmax(early, fabs(p.change - p.early));
        gain = fmax(gain, p.change - p.supply);
    }
    lg_integrator_destroy(it);
    if (!ok) return;
    if (passive) {
        claim_below(r, gain / size, 1e-15, "round-off of H", "H_(k+1) - H_k - h u.y, relative");
        return;
    }
    claim_below(r, error / size, 1e-14, "round-off of H", "|H_(k+1) - H_k - h <f, xi>|, relative");
    if (claim_own_systems(r))
        claim_control(r, early / size, 1e-10, "f at the velocity of the node before",
                      "|H_(k+1) - H_k - h <f, v>|, relative");
}

static void force_body(claim_report *r, const claim_system *s, void *context)
{
    (void)context;
    for (int i = 0; claim_retraction(i) != NULL; i++) force_run(r, s, claim_retraction(i), 0);
}

static void work_balance(claim_report *r)
{
    claim_each(r, 0, 0, balance_body, NULL);
    claim_each(r, CLAIM_FORCE, CLAIM_DRIFT | CLAIM_TIME, force_body, NULL);
}

/* Passivity ------------------------------------------------------------------------------------------------------- */

/* The largest rise of H in a step, relative to the scale of H. */
static double largest_rise(claim_report *r, const claim_system *s, const char *method, const char *retraction, double h,
                           int64_t steps, double *end)
{
    lg_integrator *it = claim_start(r, s, method, retraction, h, LG_START_REACTION);
    double rise = -INFINITY, H, scale;
    if (it == NULL) return NAN;
    H = lg_integrator_energy(it);
    scale = fmax(fabs(H), 1e-300);
    for (int64_t k = 0; k < steps && resolved(s, it) && claim_steps(r, it, 1); k++) {
        rise = fmax(rise, lg_integrator_energy(it) - H);
        H = lg_integrator_energy(it);
        scale = fmax(scale, fabs(H));
    }
    if (end != NULL) *end = H;
    lg_integrator_destroy(it);
    return rise / scale;
}

/* 1 if the force, without controls, never does positive work: a slow motion tells, where friction is least. */
static int dissipative(const claim_system *s)
{
    const lg_call c = claim_call(s, (double[]){0});
    lg_rng rng = {35};
    for (int k = 0; k < 60; k++) {
        const double size = pow(10, -(k % 4));
        double xi[CLAIM_DIM], f[CLAIM_DIM] = {0}, rate = 0;
        for (int i = 0; i < s->n; i++) xi[i] = size * lg_rng_normal(&rng);
        if (s->S->callbacks.force(&c, s->g0, xi, f) != 0) return 0;
        for (int i = 0; i < s->n; i++) rate += f[i] * xi[i];
        if (rate > 0) return 0;
    }
    return 1;
}

static void passive_body(claim_report *r, const claim_system *s, void *context)
{
    static const char *const others[] = {"nsv", "gni", "dla"};
    claim_variant some = {.friction = 0.02}, little = {.friction = 1e-8};
    claim_system slowed;
    double worst = -INFINITY;
    (void)context;
    if ((s->traits & CLAIM_FORCE) && (!claim_own_systems(r) || !dissipative(s))) return; /* seen at one place only */
    claim_vary(&slowed, &some, s);
    for (int i = 0; claim_retraction(i) != NULL; i++) {
        force_run(r, &slowed, claim_retraction(i), 0);
        for (int k = 1; k <= 4; k *= 4) {
            const double rise = largest_rise(r, &slowed, "sem:gauss=8", claim_retraction(i), k * s->h, 400 / k, NULL);
            if (!isnan(rise) && !isinf(rise))
                claim_below(r, rise, 1e-15, "H_(k+1) - H_k = -h <R xi, xi>; round-off of H",
                            "largest rise of H in a step with friction, h = %g", k * s->h);
        }
    }
    if (!claim_own_systems(r) || (s->traits & (CLAIM_POTENTIAL | CLAIM_FORCE)) != CLAIM_POTENTIAL) return;
    claim_vary(&slowed, &little, s);
    for (int i = 0; i < 3; i++) {
        const double rise = largest_rise(r, &slowed, others[i], "exp", s->h, 400, NULL);
        worst = fmax(worst, rise);
    }
    claim_control(r, worst, 1e-9, "nsv, gni and dla have no balance", "largest rise of H with a little friction");
}

static void damped_top(claim_report *r)
{
    static const double h[] = {0.1, 0.5, 1};
    claim_system s;
    if (!claim_open(r, &s, "damped-top", NULL)) return;
    for (int i = 0; claim_retraction(i) != NULL; i++)
        for (int k = 0; k < 3; k++) {
            double end = NAN;
            const double T = r->full ? 3000 : 300;
            const double rise = largest_rise(r, &s, "sem", claim_retraction(i), h[k], (int64_t)(T / h[k]), &end);
            claim_below(r, rise, 1e-15, "round-off of H", "largest rise of H to t = %g, h = %g", T, h[k]);
            claim_below(r, end + sqrt(0.78), 5e-8, "the least V is -|chi|", "H - min V at the end, h = %g", h[k]);
        }
    claim_close(&s);
}

/* With controls: H_(k+1) - H_k <= h u.y, u.y = <f(u) - f(0), xi>. */
static void controlled_body(claim_report *r, const claim_system *s, void *context)
{
    (void)context;
    if (!dissipative(s)) return;
    for (int i = 0; claim_retraction(i) != NULL; i++) force_run(r, s, claim_retraction(i), 1);
}

/* The robot without motor torques. */
static void idle_robot(claim_report *r)
{
    claim_system s;
    if (!claim_open(r, &s, "two-wheeled-robot", "tau_left=0 tau_right=0")) return;
    controlled_body(r, &s, NULL);
    claim_close(&s);
}

static void passivity(claim_report *r)
{
    claim_each(r, 0, CLAIM_DRIFT | CLAIM_TIME, passive_body, NULL);
    claim_each(r, CLAIM_CONTROLS, CLAIM_DRIFT | CLAIM_TIME, controlled_body, NULL);
    if (!claim_own_systems(r)) return;
    idle_robot(r);
    damped_top(r);
}

/* Time ------------------------------------------------------------------------------------------------------------ */

/* The state after 20 steps from time t0. */
static int from_time(claim_report *r, const claim_system *s, const char *retraction, double t0, claim_state *out)
{
    lg_integrator *it = NULL;
    lg_status status = lg_integrator_create(&it, s->S, "sem", retraction, s->h);
    int ok;
    claim_case(r, s->name, "sem", retraction);
    if (status == LG_OK) status = lg_integrator_start(it, t0, s->g0, s->xi0, LG_START_REACTION, 1);
    ok = !claim_refused(r, s, "sem", retraction, status, lg_integrator_message(it)) &&
         claim_ok(r, status, "start", lg_integrator_message(it)) && claim_steps(r, it, 20);
    if (ok) claim_read(it, out);
    lg_integrator_destroy(it);
    return ok;
}

static void time_order(claim_report *r, const claim_system *s, const char *method, double order)
{
    const double T = 8 * s->h, slack = 0.05 * order;
    claim_state truth;
    claim_order o;
    if (!claim_truth(r, s, T, 64, &truth, NULL)) return;
    if (!claim_measure_order(r, s, method, "exp", LG_START_REACTION, T, 16, 4, &truth, 1e-13, &o)) return;
    claim_order_between(r, o.g, order - slack, order + slack, "order of the composition", "order of the configuration");
    claim_order_between(r, o.p, order - slack, order + slack, "order of the composition", "order of the momentum");
}

static void time_body(claim_report *r, const claim_system *s, void *context)
{
    claim_variant a = {.later = 4.25};
    claim_system later;
    (void)context;
    claim_vary(&later, &a, s);
    for (int i = 0; claim_retraction(i) != NULL; i++) {
        claim_state one, other;
        const double back = claim_there_and_back(r, s, "sem", claim_retraction(i), s->h, 200);
        if (!isnan(back)) claim_below(r, back, 2e-12, "round-off of 400 steps", "200 steps there and back");
        claim_agrees(r, s, "sem", claim_retraction(i));
        if (!from_time(r, s, claim_retraction(i), 0, &one)) continue;
        if (!from_time(r, &later, claim_retraction(i), 4.25, &other)) continue;
        claim_below(r, claim_state_gap(s, &one, &other), 3e-14, "round-off", "everything 4.25 later, 20 steps");
        if (!claim_own_systems(r) || !from_time(r, &later, claim_retraction(i), 0, &other)) continue;
        claim_control(r, claim_state_gap(s, &one, &other), 1e-4, "started 4.25 too early",
                      "the system of 4.25 later, 20 steps");
    }
    time_order(r, s, "sem", 2);
    time_order(r, s, "sem@suzuki4", 4);
}

/* Rows A(t, g) xi = 0 that turn with time do no work: H stays. */
static void turned_body(claim_report *r, const claim_system *s, void *context)
{
    claim_variant a = {.turned = 0.3};
    claim_system turned;
    claim_extremes x;
    (void)context;
    claim_vary(&turned, &a, s);
    for (int i = 0; claim_retraction(i) != NULL; i++) {
        lg_integrator *it = claim_start(r, &turned, "sem:gauss=8", claim_retraction(i), s->h, LG_START_REACTION);
        if (it == NULL) continue;
        if (claim_watch(r, it, 500, &x)) {
            claim_below(r, x.energy, 2e-13, "round-off", "largest |H - H_0|, relative, rows that turn");
            claim_below(r, x.constraint, 1e-13, "round-off, velocities and rows of size 1 to 50", "largest |A(t) xi|");
        }
        lg_integrator_destroy(it);
    }
    if (!claim_own_systems(r)) return;
    lg_integrator *it = claim_start(r, &turned, "smv", "exp", s->h, LG_START_REACTION);
    if (it == NULL) return;
    if (claim_watch(r, it, 200, &x))
        claim_control(r, x.energy, 1e-7, "raw rows", "largest |H - H_0|, relative, rows that turn");
    lg_integrator_destroy(it);
}

static void time_dependent(claim_report *r)
{
    claim_each(r, CLAIM_TIME, 0, time_body, NULL);
    claim_each(r, CLAIM_VELOCITY_ROWS, CLAIM_WORK, turned_body, NULL);
}

const claim claims_sem_work[] = {
    {"sem-work-balance",
     "H changes by the work of forces, drift, moving constraints and V(t, g), H_(k+1) - H_k = W, to round-off at every "
     "step; that of forces is h <f, xi>, controls included, and the motion is that of the continuous equations.",
     "this library, docs/theory.md section 6", 0.2, work_balance},
    {"sem-passivity",
     "With friction f = -R xi the energy never rises, for any step, and with controls it never rises by more than "
     "the power that they supply, h u.y.",
     "this library, docs/theory.md section 6", 0.3, passivity},
    {"sem-time-dependent",
     "Where callbacks depend on time the step stays symmetric, of order 2 (Suzuki's composition of order 4) and exact "
     "at the nodes; rows A(t, g) xi = 0 that turn with time leave H as it is.",
     "this library, docs/theory.md section 6", 0.2, time_dependent},
    {0},
};
