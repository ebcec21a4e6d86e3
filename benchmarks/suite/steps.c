/* SPDX-License-Identifier: BSD-3-Clause */
/* The cost of a GNI step through the generic API, against the same step written by hand with the same stopping rule
 * (hand.h), in turn in one run. The ball is that of the paper:
 *   L = m v^2/2 + w.I w/2,   v_x - r w_2 + Omega y = 0,   v_y + r w_1 - Omega x = 0,   w in the body. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <liegrp/liegrp.h>

#include "benchmarks/suite/bench.h"
#include "benchmarks/suite/hand.h"

enum { STEPS = 2000, AGREE_STEPS = 1000 };
static const double step_size = 0.01;

/* Systems --------------------------------------------------------------------------------------------------------- */

static int ball_drift(const lg_call *c, const double *g, double *Y)
{
    Y[0] = -c->param[0] * g[1];
    Y[1] = c->param[0] * g[0];
    return 0;
}

static int ball_covectors(const lg_call *c, const double *g, double *mu, double *Y)
{
    mu[0] = mu[6] = 1;
    mu[3] = -c->param[1];
    mu[7] = c->param[1];
    return ball_drift(c, g, Y);
}

static int sleigh_covectors(const lg_call *c, const double *g, double *mu, double *Y)
{
    (void)c, (void)g, (void)Y;
    mu[1] = 1;
    return 0;
}

static int particle_covectors(const lg_call *c, const double *g, double *mu, double *Y)
{
    (void)c, (void)Y;
    mu[0] = -g[1], mu[2] = 1;
    return 0;
}

static int particle_potential(const lg_call *c, const double *g, double *V)
{
    (void)c;
    *V = g[0] * g[0] + g[1] * g[1];
    return 0;
}

static int particle_gradient(const lg_call *c, const double *g, double *dV)
{
    (void)c;
    dV[0] = 2 * g[0], dV[1] = 2 * g[1];
    return 0;
}

static const double ball_rows[10] = {1, 0, 0, -1, 0, 0, 1, 1, 0, 0}, ball_parameters[2] = {0.2, 1};
static const double sleigh_row[3] = {0, 1, 0}, unit[3] = {1, 1, 1};

typedef enum kind { BALL, BODY, SLEIGH, SPACE, PARTICLE } kind;

/* The start of each: g, xi. */
static const double starts[][13] = {
    [BALL] = {1, 0.5, 0, 0, 0, 1, 2 - 0.1, -0.4 + 0.2, 0.4, 2,
              0.7}, /* rolls: v = (r w_2 - Omega y, -r w_1 + Omega x) */
    [BODY] = {0, 0, 0, 1, 1, 0.5, 2},
    [SLEIGH] = {0, 0, 1, 0, -0.6, 0, 1},
    [SPACE] = {0, 0, 0, 0, 0, 0, 1, 0.3, 0.2, 0.1, 1, 0.5, 2},
    [PARTICLE] = {1, 0, 0, 1, 1.4142135623730951, 0},
};

static lg_system system_of(kind k, const lg_group *G, int callbacks)
{
    lg_system S = lg_system_default(G);
    if (k == BALL) {
        S.inertia_diagonal = bench_ball_inertia;
        S.constraint_count = 2;
        S.parameter_count = 2;
        S.parameter_values = ball_parameters;
        if (callbacks) S.callbacks.covectors = ball_covectors;
        if (!callbacks) S.covector_matrix = ball_rows, S.callbacks.drift = ball_drift;
    } else if (k == BODY || k == SPACE) {
        S.inertia_diagonal = bench_body_inertia + (k == BODY ? 3 : 0);
    } else if (k == SLEIGH) {
        S.inertia = bench_sleigh_inertia;
        S.constraint_count = 1;
        if (callbacks) S.callbacks.covectors = sleigh_covectors;
        if (!callbacks) S.covector_matrix = sleigh_row;
    } else {
        S.inertia_diagonal = unit;
        S.constraint_count = 1;
        S.callbacks.covectors = particle_covectors;
        S.callbacks.potential = particle_potential;
        S.callbacks.potential_gradient = particle_gradient;
    }
    return S;
}

/* Runs ------------------------------------------------------------------------------------------------------------ */

/* One line: a system with a retraction, through the API and by hand. */
typedef struct line {
    const char *name, *retraction, *rows;
    kind what;
    int callbacks;
    bench_hand_walk walk;
    lg_integrator *it;
    bench_hand hand;
} line;

static const line all_lines[] = {
    {.name = "rolling ball", .retraction = "cayley", .rows = "callback", .what = BALL, .callbacks = 1},
    {.name = "rolling ball", .retraction = "cayley", .rows = "constant", .what = BALL},
    {.name = "rolling ball", .retraction = "exp", .rows = "callback", .what = BALL, .callbacks = 1},
    {.name = "rolling ball", .retraction = "exp", .rows = "constant", .what = BALL},
    {.name = "rigid body", .retraction = "cayley", .rows = "none", .what = BODY},
    {.name = "rigid body", .retraction = "exp", .rows = "none", .what = BODY},
    {.name = "Chaplygin sleigh", .retraction = "cayley", .rows = "callback", .what = SLEIGH, .callbacks = 1},
    {.name = "Chaplygin sleigh", .retraction = "cayley", .rows = "constant", .what = SLEIGH},
    {.name = "Chaplygin sleigh", .retraction = "exp", .rows = "constant", .what = SLEIGH},
    {.name = "body in space", .retraction = "cayley", .rows = "none", .what = SPACE},
    {.name = "body in space", .retraction = "exp", .rows = "none", .what = SPACE},
    {.name = "particle, V = x^2 + y^2", .retraction = "exp", .rows = "callback", .what = PARTICLE, .callbacks = 1},
};
enum { LINES = sizeof all_lines / sizeof all_lines[0] };

static bench_hand_walk walk_of(const line *l)
{
    const int exponential = strcmp(l->retraction, "exp") == 0;
    switch (l->what) {
    case BALL:
        return exponential ? bench_hand_ball_exp : bench_hand_ball_cayley;
    case BODY:
        return exponential ? bench_hand_body_exp : bench_hand_body_cayley;
    case SLEIGH:
        return exponential ? bench_hand_sleigh_exp : bench_hand_sleigh_cayley;
    case SPACE:
        return exponential ? bench_hand_space_exp : bench_hand_space_cayley;
    default:
        return bench_hand_particle;
    }
}

/* Every round makes the same steps from the initial state. */
static double run_library(void *context, long count)
{
    lg_integrator *it = ((line *)context)->it;
    if (lg_integrator_reset(it) != LG_OK || lg_integrator_run(it, count, 1, NULL, NULL) != LG_OK) return (double)NAN;
    return lg_integrator_configuration(it)[0];
}

static double run_hand(void *context, long count)
{
    line *l = context;
    l->walk(&l->hand, count);
    return l->hand.g[0];
}

static lg_status open_line(line *l, const lg_group *ball)
{
    const lg_group *const groups[] = {ball, lg_so3(), lg_se2(), lg_se3(), lg_rn(3)};
    const lg_group *G = groups[l->what];
    const lg_system S = system_of(l->what, G, l->callbacks);
    const double *g0 = starts[l->what];
    lg_status st = lg_integrator_create(&l->it, &S, "gni", l->retraction, step_size);
    if (st == LG_OK) st = lg_integrator_start(l->it, 0, g0, g0 + lg_group_element_size(G), LG_START_REACTION, 0);
    if (st != LG_OK) return st;
    l->walk = walk_of(l);
    l->hand.h = step_size;
    memcpy(l->hand.g0, lg_integrator_configuration(l->it), (size_t)lg_group_element_size(G) * sizeof *l->hand.g0);
    memcpy(l->hand.p0, lg_integrator_momentum_minus(l->it), (size_t)lg_group_dim(G) * sizeof *l->hand.p0);
    return LG_OK;
}

static double largest_difference(const double *a, const double *b, int n)
{
    double d = 0;
    for (int i = 0; i < n; i++)
        if (!(fabs(a[i] - b[i]) <= d)) d = fabs(a[i] - b[i]);
    return d;
}

/* The difference of the states after AGREE_STEPS steps. */
static double disagreement(line *l)
{
    const lg_group *G = lg_integrator_group(l->it);
    (void)run_library(l, AGREE_STEPS);
    (void)run_hand(l, AGREE_STEPS);
    return fmax(largest_difference(lg_integrator_configuration(l->it), l->hand.g, lg_group_element_size(G)),
                largest_difference(lg_integrator_momentum_minus(l->it), l->hand.p, lg_group_dim(G)));
}

/* Peers ----------------------------------------------------------------------------------------------------------- */

enum { PEERS = 4 };

typedef struct peer_run {
    const bench_step_peer *peer;
    void *opened;
} peer_run;

static double run_peer(void *context, long count)
{
    peer_run *p = context;
    double y[9];
    return p->peer->run(p->opened, count, y) ? (double)NAN : y[0];
}

static int open_peers(peer_run *peers, bench_report *r, const bench_settings *s)
{
    double y0[9];
    int count = 0;
    memcpy(y0, starts[BALL], 6 * sizeof *y0);
    memcpy(y0 + 6, starts[BALL] + 8, 3 * sizeof *y0);
    for (; s->step_peers != NULL && count < PEERS && s->step_peers[count] != NULL; count++) {
        peers[count].peer = s->step_peers[count];
        peers[count].opened = peers[count].peer->open(y0, step_size);
        bench_report_version(r, peers[count].peer->name, peers[count].peer->version);
        if (peers[count].opened == NULL) {
            bench_fail(r, "%s: cannot be opened", peers[count].peer->name);
            break;
        }
    }
    return count;
}

/* Report ---------------------------------------------------------------------------------------------------------- */

static void columns(bench_report *r)
{
    bench_table(r, "steps", "one step of gni, h = 0.01: nanoseconds through the API and by hand");
    bench_column(r, "system", "");
    bench_column(r, "group", "");
    bench_column(r, "retraction", "");
    bench_column(r, "rows", "");
    bench_column(r, "generic", "%.1f");
    bench_column(r, "by hand", "%.1f");
    bench_column(r, "ratio", "%.2f");
    bench_column(r, "differ after 1000", "%.0e");
    bench_column(r, "Newton iterations", "%.0f");
    bench_column(r, "bytes", "%.0f");
}

static void write_line(bench_report *r, line *l, const bench_case *generic, const bench_case *hand)
{
    const double differ = disagreement(l);
    bench_row(r);
    bench_text(r, l->name);
    bench_text(r, lg_group_name(lg_integrator_group(l->it)));
    bench_text(r, l->retraction);
    bench_text(r, l->rows);
    bench_timing(r, generic);
    bench_timing(r, hand);
    bench_number(r, bench_ratio(generic, hand));
    bench_number(r, differ);
    bench_number(r, (double)lg_integrator_iterations(l->it));
    bench_number(r, (double)lg_integrator_bytes(l->it));
    if (!(differ < 1e-11)) bench_fail(r, "%s, %s: generic and by hand differ by %.1e", l->name, l->retraction, differ);
}

static void write_peers(bench_report *r, const bench_case *c, int count)
{
    if (count == 0) return;
    bench_table(r, "peers",
                "one fixed step on the same ball, multipliers and velocity of the centre eliminated by hand");
    bench_column(r, "peer", "");
    bench_column(r, "ns", "%.1f");
    bench_column(r, "gni, cayley, callback / peer", "%.2f");
    for (int i = 0; i < count; i++) {
        bench_row(r);
        bench_text(r, c[2 * LINES + i].name);
        bench_timing(r, &c[2 * LINES + i]);
        bench_number(r, bench_ratio(&c[0], &c[2 * LINES + i]));
    }
}

/* The four ratios that have a bound. */
static void write_goals(bench_report *r, const bench_case *c)
{
    static const char *const names[] = {"cayley, callback", "cayley, constant rows", "exp, callback",
                                        "exp, constant rows"};
    static const double bounds[] = {1.5, 1.25, 1.5, 1.25};
    for (int i = 0; i < 4; i++) {
        const double ratio = bench_ratio(&c[2 * i], &c[2 * i + 1]);
        char name[BENCH_NAME];
        snprintf(name, sizeof name, "generic over hand, R^2 x SO(3), %s", names[i]);
        bench_figure(r, name, ratio, "R^2 x SO(3), %s: %.2f of the step by hand (meant to be at most %.2f)", names[i],
                     ratio, bounds[i]);
    }
}

static void measure(bench_report *r, const bench_settings *s, line *lines)
{
    bench_case c[2 * LINES + PEERS] = {{0}};
    peer_run peers[PEERS];
    const int count = open_peers(peers, r, s);
    for (int i = 0; i < LINES; i++) {
        c[2 * i] = (bench_case){.name = lines[i].name, .run = run_library, .context = &lines[i]};
        c[2 * i + 1] = (bench_case){.name = "by hand", .run = run_hand, .context = &lines[i]};
    }
    for (int i = 0; i < count; i++)
        c[2 * LINES + i] = (bench_case){.name = peers[i].peer->name, .run = run_peer, .context = &peers[i]};
    for (int i = 0; i < 2 * LINES + count; i++) c[i].count = s->quick ? STEPS / 10 : STEPS;
    bench_time(r, c, 2 * LINES + count);
    columns(r);
    for (int i = 0; i < LINES; i++) write_line(r, &lines[i], &c[2 * i], &c[2 * i + 1]);
    write_peers(r, c, count);
    write_goals(r, c);
    for (int i = 0; i < count; i++) peers[i].peer->close(peers[i].opened);
}

void bench_steps(bench_report *r, const bench_settings *s)
{
    const lg_group *const factors[2] = {lg_rn(2), lg_so3()};
    lg_group *ball = NULL;
    line lines[LINES];
    lg_status st = lg_group_create_product(&ball, factors, 2);
    memcpy(lines, all_lines, sizeof lines);
    bench_begin(r, s, BENCH_ROUNDS);
    bench_tell(s, "steps");
    for (int i = 0; i < LINES && st == LG_OK; i++) {
        st = open_line(&lines[i], ball);
        if (st != LG_OK) bench_fail(r, "%s: %s", lines[i].name, lg_integrator_message(lines[i].it));
    }
    if (st == LG_OK) measure(r, s, lines);
    if (st != LG_OK) bench_fail(r, "no group");
    for (int i = 0; i < LINES; i++) lg_integrator_destroy(lines[i].it);
    lg_group_destroy(ball);
}
