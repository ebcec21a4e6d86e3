/* SPDX-License-Identifier: BSD-3-Clause */
/* A program that uses every public struct that grows, compiled against the present headers, older and newer ones
 * (run.sh). Each struct ends where the memory ends: whoever reads or writes beyond it is stopped by the machine.
 *   consumer            prints what it computed, every bit of it
 *   consumer refused    prints how the library refuses structs that it does not know; with sizes of 0 if a second
 *                       argument stands behind it */
#define _DEFAULT_SOURCE

#include <liegrp/liegrp.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* Memory ------------------------------------------------------------------------------------------------------------ */

/* `size` bytes that a page without access follows, filled with what nobody expects. Never freed. */
static void *at_the_edge(size_t size)
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE), room = (size + page - 1) / page * page;
    char *block = mmap(NULL, room + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (block == MAP_FAILED || mprotect(block + room, page, PROT_NONE) != 0) exit(99);
    memset(block, 0xa5, room);
    return block + room - size;
}

#define NEW(type) ((type *)at_the_edge(sizeof(type)))

/* The message is only there after the call. */
#define MUST(call, what, message)                                                                                      \
    do {                                                                                                               \
        const lg_status status_ = (call);                                                                              \
        if (status_ != LG_OK) printf("%s: %s: %s\n", what, lg_status_name(status_), message), exit(1);                 \
    } while (0)

static void numbers(const char *what, const double *v, int count)
{
    printf("%s", what);
    for (int i = 0; i < count; i++) printf(isnan(v[i]) ? " nan" : " %a", v[i]);
    printf("\n");
}

/* A group and a retraction of one's own: the plane ---------------------------------------------------------------- */

static lg_status zero(const lg_group *G, double *g)
{
    (void)G;
    g[0] = g[1] = 0;
    return LG_OK;
}

static lg_status sum(const lg_group *G, double *out, const double *a, const double *b, void *work)
{
    (void)G, (void)work;
    for (int i = 0; i < 2; i++) out[i] = a[i] + b[i];
    return LG_OK;
}

static lg_status negative(const lg_group *G, double *out, const double *in, void *work)
{
    (void)G, (void)work;
    for (int i = 0; i < 2; i++) out[i] = -in[i];
    return LG_OK;
}

static lg_status same(const lg_group *G, double *out, const double *in, void *work)
{
    (void)G, (void)work;
    memmove(out, in, 2 * sizeof *out);
    return LG_OK;
}

static lg_status unit(const lg_group *G, double *M, const double *in, void *work)
{
    (void)G, (void)in, (void)work;
    M[0] = M[3] = 1, M[1] = M[2] = 0;
    return LG_OK;
}

static lg_status none(const lg_group *G, double *M, const double *in, void *work)
{
    (void)G, (void)in, (void)work;
    memset(M, 0, 4 * sizeof *M);
    return LG_OK;
}

static const lg_group *plane(void)
{
    static const lg_group_maps maps = {same, same, unit, unit, NULL, NULL};
    lg_group *G = NEW(lg_group);
    memset(G, 0, sizeof *G);
    G->size = sizeof *G, G->name = "plane", G->dim = G->element_size = 2, G->abelian = 1;
    G->identity = zero, G->compose = sum, G->inverse = negative, G->Ad = unit, G->ad = none, G->exp = &maps;
    return G;
}

static lg_status step_tau(const lg_retraction *r, const lg_group *G, double *g, const double *xi, void *work)
{
    (void)r, (void)work;
    return lg_group_exp(G, g, xi);
}

static lg_status step_dtau_inv(const lg_retraction *r, const lg_group *G, double *M, const double *xi, void *work)
{
    (void)r;
    return unit(G, M, xi, work);
}

static const lg_retraction *straight(void)
{
    lg_retraction *r = NEW(lg_retraction);
    memset(r, 0, sizeof *r);
    r->size = sizeof *r, r->name = "straight", r->tau = step_tau, r->dtau_inv = step_dtau_inv;
    r->flags = LG_RETRACTION_SYMMETRIC | LG_RETRACTION_EXACT | LG_RETRACTION_COMMUTING;
    return r;
}

/* A system of one's own -------------------------------------------------------------------------------------------- */

static int potential(const lg_call *c, const double *g, double *V)
{
    (void)c;
    *V = 0.5 * g[0] * g[0] + 0.1 * g[1] * g[1] * g[1] * g[1];
    return 0;
}

static int potential_gradient(const lg_call *c, const double *g, double *out)
{
    (void)c;
    out[0] = g[0], out[1] = 0.4 * g[1] * g[1] * g[1];
    return 0;
}

static int push(const lg_call *c, const double *g, const double *xi, double *out)
{
    (void)g, (void)xi;
    out[1] = 0.01 * c->control[0];
    return 0;
}

static int height(const lg_call *c, const double *g, const double *xi, double *f)
{
    (void)xi;
    *f = g[0] - *(const double *)c->context;
    return 0;
}

static lg_system *well(const lg_group *G)
{
    static const double inertia[2] = {1, 2};
    lg_system *S = NEW(lg_system);
    lg_system_init(S, sizeof *S, G);
    S->inertia_diagonal = inertia;
    S->callbacks.potential = potential, S->callbacks.potential_gradient = potential_gradient;
    return S;
}

static void integrate(void)
{
    static const double level = 0.2, g0[2] = {1, 0.5}, xi0[2] = {0, 0.3}, u = 2;
    const lg_group *G = plane();
    lg_system *S = well(G);
    lg_event *event = NEW(lg_event);
    lg_integrator *it = NULL;
    lg_rng rng = {7};
    lg_error e;
    double random[2];
    int found = 0;
    S->callbacks.control_count = 1, S->callbacks.force = push;
    MUST(lg_system_validate(S, &e), "validate", e.message);
    MUST(lg_system_check(S, g0, 3, 0, &rng, &e), "check", e.message);
    MUST(lg_group_random(G, random, &rng), "random", "");
    MUST(lg_integrator_create_with(&it, S, "gni", straight(), 0.1), "create", lg_integrator_message(it));
    MUST(lg_integrator_start(it, 0, g0, xi0, LG_START_REACTION), "start", lg_integrator_message(it));
    MUST(lg_integrator_set_control(it, &u), "control", lg_integrator_message(it));
    lg_event_init(event, sizeof *event, height, &level);
    while (!found) MUST(lg_integrator_step_to_event(it, &found, event), "event", lg_integrator_message(it));
    numbers("event", lg_integrator_configuration(it), 2);
    numbers("time", (double[]){lg_integrator_time(it), lg_integrator_energy(it)}, 2);
    lg_integrator_destroy(it);
}

/* The bead of the plane on a line as seen through a chart, and as a Chaplygin system. */
static int chart(const lg_call *c, const double *q, double *v)
{
    (void)c;
    v[0] = q[0], v[1] = sin(q[0]);
    return 0;
}

static int chart_derivative(const lg_call *c, const double *q, double *D)
{
    (void)c;
    D[0] = 1, D[1] = cos(q[0]);
    return 0;
}

static int rows(const lg_call *c, const double *g, double *mu, double *Y)
{
    (void)c, (void)Y;
    mu[0] = -g[1], mu[1] = 0, mu[2] = 1;
    return 0;
}

static void reduce(void)
{
    static const double q0 = 0.4, u0 = 0.2, inertia[3] = {1, 1, 1}, r0[3] = {0.1, 0.2, 0.3}, v0[2] = {1, 0.5};
    static const int shape[2] = {0, 1};
    lg_pullback *p = NULL;
    lg_integrator *it = NULL;
    lg_group *G = NULL;
    lg_chaplygin *o = NULL;
    lg_system *S = NEW(lg_system);
    MUST(lg_pullback_create(&p, well(lg_rn(2)), 1, chart, chart_derivative, NULL, NULL), "pullback",
         lg_pullback_message(p));
    MUST(lg_integrator_create(&it, lg_pullback_system(p), "gni:user", "exp", 0.1), "create", lg_integrator_message(it));
    MUST(lg_integrator_start(it, 0, &q0, &u0, LG_START_REACTION), "start", lg_integrator_message(it));
    MUST(lg_integrator_run(it, 10, 1, NULL, NULL), "run", lg_integrator_message(it));
    numbers("chart", lg_integrator_configuration(it), 1);
    lg_integrator_destroy(it);
    lg_pullback_destroy(p);
    MUST(lg_group_create_product(&G, (const lg_group *[]){lg_rn(2), lg_rn(1)}, 2), "product", "");
    lg_system_init(S, sizeof *S, G);
    S->inertia_diagonal = inertia, S->constraint_count = 1, S->callbacks.covectors = rows;
    MUST(lg_chaplygin_create(&o, S, shape, 2, "exp", 0.1), "chaplygin", lg_chaplygin_message(o));
    MUST(lg_chaplygin_start(o, 0, r0, v0), "start", lg_chaplygin_message(o));
    for (int k = 0; k < 10; k++) MUST(lg_chaplygin_step(o), "step", lg_chaplygin_message(o));
    numbers("chaplygin", lg_chaplygin_configuration(o), 3);
    lg_chaplygin_destroy(o);
    lg_group_destroy(G);
}

/* Models ------------------------------------------------------------------------------------------------------------ */

static const lg_group *the_plane(void)
{
    static const lg_group *G;
    if (G == NULL) G = plane();
    return G;
}

static int configure(const double *param, double *J, double *rows_, char *why)
{
    (void)rows_, (void)why;
    J[0] = param[0], J[3] = 2;
    return 0;
}

static void initial(const double *param, double *g0, double *xi0)
{
    g0[0] = param[0], g0[1] = 0.5, xi0[1] = 0.3;
}

static int first(const lg_call *c, const double *g, const double *p, double *out)
{
    (void)g;
    *out = c->param[0] * p[0];
    return 0;
}

static lg_model *model(void)
{
    static const lg_parameter mass = {"m", "kg", "mass", 1, 0, INFINITY, 1};
    static const lg_invariant invariant = {"first", "", first};
    lg_model *M = NULL;
    lg_model_definition *d = NEW(lg_model_definition);
    memset(d, 0, sizeof *d);
    d->size = sizeof *d, d->name = "well", d->group = the_plane, d->configure = configure, d->initial = initial;
    d->parameter_count = d->invariant_count = 1, d->parameters = &mass, d->invariants = &invariant;
    d->callbacks.potential = potential, d->callbacks.potential_gradient = potential_gradient;
    MUST(lg_model_create(&M, d), "model", lg_model_message(M));
    return M;
}

static void run(void)
{
    lg_model *M = model();
    lg_monitor *m = NULL;
    lg_run_options *o = NEW(lg_run_options);
    lg_run_result *f = NEW(lg_run_result);
    lg_monitor_figures *seen = NEW(lg_monitor_figures);
    lg_reference *R = NULL;
    lg_convergence *c = NEW(lg_convergence);
    const lg_system *made = NULL;
    lg_system *S = NEW(lg_system);
    const double origin[2] = {1, 1};
    double H;
    lg_error e;
    lg_run_options_init(o, sizeof *o);
    lg_run_result_init(f, sizeof *f);
    lg_monitor_figures_init(seen, sizeof *seen);
    o->step = 0.1, o->steps = 20, o->method = "gni", o->monitor = &m;
    MUST(lg_run(f, M, o), "run", f->message);
    MUST(lg_monitor_read(m, seen), "read", "");
    if (f->size != sizeof *f || seen->size != sizeof *seen) printf("a size was changed\n");
    numbers("run", (double[]){(double)f->steps, f->energy_low, f->energy_high, f->constraint, f->energy_trend}, 5);
    numbers("monitor", (double[]){(double)seen->samples, seen->energy.deviation, seen->group, seen->momentum}, 4);
    o->monitor = NULL;
    MUST(lg_reference_create(&R, M, o), "reference", lg_reference_message(R));
    MUST(lg_convergence_measure(c, M, R, o, 3), "convergence", c->message);
    numbers("orders", c->order, c->columns);
    numbers("order", (double[]){lg_run_observed_order(M, o)}, 1);
    lg_reference_destroy(R);
    lg_monitor_destroy(m);
    MUST(lg_model_system(M, &made), "system", lg_model_message(M));
    *S = *made; /* as much of it as this program knows */
    S->size = sizeof *S;
    MUST(lg_system_energy(S, 0, origin, origin, &H, &e), "energy", e.message);
    numbers("energy", &H, 1);
    lg_model_destroy(M);
}

static void together(void)
{
    lg_model *M = model(), *other = model();
    lg_ensemble *E = NULL;
    lg_ensemble_options *o = NEW(lg_ensemble_options);
    double t, g[2], p[2];
    lg_ensemble_options_init(o, sizeof *o);
    o->step = 0.1;
    MUST(lg_ensemble_create(&E, M, 5, o), "ensemble", lg_ensemble_message(E));
    MUST(lg_model_set(M, "m", 1.5), "parameter", lg_model_message(M));
    MUST(lg_ensemble_set(E, 3, M), "set", lg_ensemble_message(E));
    lg_model_destroy(M); /* the ensemble does without it */
    printf("other: %s\n", lg_status_name(lg_ensemble_set(E, 2, other)));
    MUST(lg_ensemble_run(E, 20, 1, NULL, NULL), "run", lg_ensemble_message(E));
    MUST(lg_ensemble_state(E, 3, &t, g, p), "state", lg_ensemble_message(E));
    numbers("instance", (double[]){t, g[0], g[1], p[0], p[1]}, 5);
    lg_ensemble_destroy(E);
    lg_model_destroy(other);
}

/* Batches and groupoids -------------------------------------------------------------------------------------------- */

static void batch(void)
{
    const lg_group *G = plane();
    const double xi[8] = {0.1, 0.2, -0.3, 0.4, 0.5, 0.6, 0.7, 0.8};
    double g[8];
    lg_batch *b = NEW(lg_batch);
    lg_batch_init(b, sizeof *b, 4);
    MUST(lg_batch_tau(straight(), G, b, g, xi), "batch", "");
    MUST(lg_batch_compose(G, b, g, g, g), "batch", "");
    numbers("batch", g, 8);
}

static lg_status source(const lg_groupoid *gpd, double *x, const double *g, void *work)
{
    (void)gpd, (void)work;
    x[0] = g[0];
    return LG_OK;
}

static lg_status target(const lg_groupoid *gpd, double *x, const double *g, void *work)
{
    (void)gpd, (void)work;
    x[0] = g[1];
    return LG_OK;
}

static lg_status still(const lg_groupoid *gpd, double *g, const double *x, void *work)
{
    (void)gpd, (void)work;
    g[0] = g[1] = x[0];
    return LG_OK;
}

static lg_status reverse(const lg_groupoid *gpd, double *r, const double *g, void *work)
{
    (void)gpd, (void)work;
    r[0] = g[1], r[1] = g[0];
    return LG_OK;
}

static lg_status through(const lg_groupoid *gpd, double *r, const double *g, const double *h, void *work)
{
    (void)gpd, (void)work;
    r[0] = g[0], r[1] = h[1];
    return LG_OK;
}

static lg_status section(const lg_groupoid *gpd, double *g, const double *x, const double *eta, void *work)
{
    (void)gpd, (void)work;
    g[0] = x[0], g[1] = x[0] + eta[0];
    return LG_OK;
}

static int lagrangian(const lg_call *c, double h, const double *g, double *L)
{
    const double v = (g[1] - g[0]) / h, x = (g[0] + g[1]) / 2;
    (void)c;
    *L = h * (v * v / 2 - x * x / 2);
    return 0;
}

static lg_groupoid *pairs(void)
{
    lg_groupoid *gpd = NEW(lg_groupoid);
    memset(gpd, 0, sizeof *gpd);
    gpd->size = sizeof *gpd, gpd->name = "pairs", gpd->dim = gpd->base_size = 1, gpd->element_size = 2;
    gpd->source = source, gpd->target = target, gpd->unit = still;
    gpd->inverse = reverse, gpd->multiply = through, gpd->section = section;
    return gpd;
}

static lg_groupoid_system *oscillator(const lg_groupoid *gpd)
{
    static const double one = 1;
    lg_groupoid_system *S = NEW(lg_groupoid_system);
    lg_groupoid_system_init(S, sizeof *S, gpd);
    S->lagrangian = lagrangian, S->inertia_diagonal = &one;
    return S;
}

static void on_pairs(void)
{
    static const double x0 = 1, p0 = 0.2, g[2] = {1, 1.1}, h[2] = {1.1, 1.3};
    const lg_groupoid *gpd = pairs();
    lg_groupoid_gni *it = NULL;
    lg_error e;
    double r[2];
    MUST(lg_groupoid_compose(gpd, r, g, h, &e), "compose", e.message);
    MUST(lg_groupoid_gni_create(&it, oscillator(gpd), 0.1), "groupoid", lg_groupoid_gni_message(it));
    MUST(lg_groupoid_gni_start(it, 0, &x0, &p0), "start", lg_groupoid_gni_message(it));
    for (int k = 0; k < 10; k++) MUST(lg_groupoid_gni_step(it), "step", lg_groupoid_gni_message(it));
    numbers("groupoid", lg_groupoid_gni_base(it), 1);
    lg_groupoid_gni_destroy(it);
}

/* Refusals ----------------------------------------------------------------------------------------------------------- */

static int blank;

#define SAY(call, message)                                                                                             \
    do {                                                                                                               \
        const lg_status status_ = (call);                                                                              \
        printf("%s: %s\n", lg_status_name(status_), message);                                                          \
    } while (0)
#define SPOIL(object) ((object)->size = blank ? 0 : (object)->size)

/* Where a call has no object for a message, its status is all there is. */
static void refused(void)
{
    static const double one[2] = {1, 1};
    lg_error e = {LG_OK, ""};
    lg_integrator *it = NULL;
    lg_model *M = NULL;
    lg_ensemble *E = NULL;
    lg_groupoid_gni *o = NULL;
    double out[2];
    int found;
    lg_system *S = NEW(lg_system);
    lg_system_init(S, sizeof *S, lg_rn(2));
    SPOIL(S);
    SAY(lg_system_validate(S, &e), e.message);
    SAY(lg_integrator_create(&it, S, NULL, NULL, 0.1), lg_integrator_message(it));
    lg_integrator_destroy(it);

    lg_model_definition *d = NEW(lg_model_definition);
    memset(d, 0, sizeof *d);
    d->size = sizeof *d;
    SPOIL(d);
    SAY(lg_model_create(&M, d), lg_model_message(M));
    lg_model_destroy(M);

    lg_group *G = NEW(lg_group);
    memcpy(G, plane(), sizeof *G);
    SPOIL(G);
    lg_groupoid *gpd = NULL;
    SAY(lg_groupoid_create_pair(&gpd, G, NULL, &e), e.message);

    lg_groupoid *pair = pairs();
    SPOIL(pair);
    SAY(lg_groupoid_compose(pair, out, one, one, &e), e.message);

    /* What follows needs objects of the library's own. */
    MUST(lg_groupoid_create_pair(&gpd, lg_rn(1), NULL, &e), "pair", e.message);
    lg_groupoid_system *on = oscillator(gpd);
    SPOIL(on);
    SAY(lg_groupoid_gni_create(&o, on, 0.1), lg_groupoid_gni_message(o));
    lg_groupoid_gni_destroy(o);
    lg_groupoid_destroy(gpd);

    MUST(lg_catalog_create(&M, "rolling-ball"), "model", "");
    lg_run_options *r = NEW(lg_run_options);
    lg_run_result *f = NEW(lg_run_result);
    lg_run_options_init(r, sizeof *r);
    lg_run_result_init(f, sizeof *f);
    SPOIL(f);
    SAY(lg_run(f, M, r), lg_model_message(M));
    lg_reference *R = NULL;
    SPOIL(r);
    SAY(lg_reference_create(&R, M, r), lg_reference_message(R));
    lg_reference_destroy(R);

    lg_ensemble_options *a = NEW(lg_ensemble_options);
    lg_ensemble_options_init(a, sizeof *a);
    SPOIL(a);
    SAY(lg_ensemble_create(&E, M, 3, a), lg_ensemble_message(E));
    lg_ensemble_destroy(E);

    const lg_system *T = NULL;
    lg_retraction *t = NEW(lg_retraction);
    MUST(lg_model_system(M, &T), "system", "");
    memcpy(t, straight(), sizeof *t);
    SPOIL(t);
    SAY(lg_integrator_create_with(&it, T, NULL, t, 0.1), lg_integrator_message(it));
    lg_integrator_destroy(it);

    double g0[16], xi0[16];
    lg_event *event = NEW(lg_event);
    MUST(lg_model_initial(M, g0, xi0, NULL), "initial", "");
    MUST(lg_integrator_create(&it, T, NULL, NULL, 0.1), "create", "");
    MUST(lg_integrator_start(it, 0, g0, xi0, LG_START_REACTION), "start", lg_integrator_message(it));
    lg_event_init(event, sizeof *event, height, NULL);
    SPOIL(event);
    SAY(lg_integrator_step_to_event(it, &found, event), lg_integrator_message(it));

    lg_monitor *m = NULL;
    lg_monitor_figures *figures = NEW(lg_monitor_figures);
    MUST(lg_monitor_create(&m, M, it, 1, 1), "monitor", "");
    lg_monitor_figures_init(figures, sizeof *figures);
    SPOIL(figures);
    SAY(lg_monitor_read(m, figures), "");
    lg_batch *b = NEW(lg_batch);
    lg_batch_init(b, sizeof *b, 1);
    SPOIL(b);
    SAY(lg_batch_compose(lg_rn(2), b, out, one, one), "");
    lg_monitor_destroy(m);
    lg_integrator_destroy(it);
    lg_model_destroy(M);
}

int main(int argc, char **argv)
{
    if (argc > 1 && strcmp(argv[1], "refused") == 0) {
        blank = argc > 2;
        refused();
        return 0;
    }
    integrate();
    reduce();
    run();
    together();
    batch();
    on_pairs();
    return 0;
}
