/* SPDX-License-Identifier: BSD-3-Clause */
/* A program that uses every public struct that grows, compiled against the present headers and older ones (run.sh). It
 * prints what it computed, every bit of it. */
#include "parts.h"

static void numbers(const char *what, const double *v, int count)
{
    printf("%s", what);
    for (int i = 0; i < count; i++) printf(isnan(v[i]) ? " nan" : " %a", v[i]);
    printf("\n");
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
    lg_resolution *seen = NEW(lg_resolution);
    lg_integrator *it = NULL;
    lg_rng rng = {7};
    lg_error e;
    double random[2];
    int found = 0;
    S->callbacks.control_count = 1, S->callbacks.force = push;
    MUST(lg_system_validate(S, &e), "validate", e.message);
    MUST(lg_system_check(S, &rng, g0, 3, 0, &e), "check", e.message);
    MUST(lg_group_random(G, random, &rng), "random", "");
    MUST(lg_integrator_create_with(&it, S, "gni", straight(), 0.1), "create", lg_integrator_message(it));
    MUST(lg_integrator_start(it, 0, g0, xi0, LG_START_REACTION, 0), "start", lg_integrator_message(it));
    MUST(lg_integrator_set_control(it, &u), "control", lg_integrator_message(it));
    lg_event_init(event, sizeof *event, height, &level);
    while (!found) MUST(lg_integrator_step_to_event(it, &found, event), "event", lg_integrator_message(it));
    numbers("event", lg_integrator_configuration(it), 2);
    numbers("time", (double[]){lg_integrator_time(it), lg_integrator_energy(it)}, 2);
    lg_resolution_init(seen, sizeof *seen);
    MUST(lg_diagnostics_resolution(it, seen, 3), "resolution", "");
    if (seen->size != sizeof *seen) printf("a size was changed\n");
    numbers("resolution", (double[]){lg_resolution_worst(seen), seen->speed, lg_resolution_suffices(seen)}, 3);
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
    MUST(lg_pullback_create(&p, well(lg_rn(2)), 1, NULL, chart, chart_derivative, NULL), "pullback",
         lg_pullback_message(p));
    MUST(lg_integrator_create(&it, lg_pullback_system(p), "gni:user", "exp", 0.1), "create", lg_integrator_message(it));
    MUST(lg_integrator_start(it, 0, &q0, &u0, LG_START_REACTION, 0), "start", lg_integrator_message(it));
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

/* Models ----------------------------------------------------------------------------------------------------------- */

static const lg_group *the_plane(void)
{
    static const lg_group *G;
    if (G == NULL) G = plane();
    return G;
}

static int configure(const lg_call *c, double *J, double *rows_, char *why)
{
    (void)rows_, (void)why;
    J[0] = c->param[0], J[3] = 2;
    return 0;
}

static int initial(const lg_call *c, double *g0, double *xi0)
{
    g0[0] = c->param[0], g0[1] = 0.5, xi0[1] = 0.3;
    return 0;
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
    lg_motion *mo = NULL;
    lg_motion_options *by = NEW(lg_motion_options);
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
    lg_motion_options_init(by, sizeof *by);
    by->step = 0.1, by->method = "gni";
    MUST(lg_motion_create(&mo, M, by), "motion", lg_motion_message(mo));
    MUST(lg_motion_start(mo, 0, NULL, 0), "start", lg_motion_message(mo));
    o->steps = 20, o->monitor = &m;
    MUST(lg_run(mo, f, o), "run", f->message);
    MUST(lg_monitor_read(m, seen), "read", "");
    if (f->size != sizeof *f || seen->size != sizeof *seen) printf("a size was changed\n");
    numbers("run", (double[]){(double)f->steps, f->energy_low, f->energy_high, f->constraint, f->energy_slope}, 5);
    numbers("monitor", (double[]){(double)seen->samples, seen->energy.deviation, seen->group, seen->momentum}, 4);
    MUST(lg_reference_create(&R, M, by, 20, 0), "reference", lg_reference_message(R));
    MUST(lg_convergence_measure(M, c, R, by, 20, 3), "convergence", c->message);
    numbers("orders", c->order, c->columns);
    numbers("order", (double[]){lg_run_observed_order(M, by, 20)}, 1);
    lg_reference_destroy(R);
    lg_monitor_destroy(m);
    lg_motion_destroy(mo);
    MUST(lg_model_system(M, &made), "system", lg_model_message(M));
    *S = *made; /* as much of it as this program knows */
    S->size = sizeof *S;
    MUST(lg_system_energy(S, &H, 0, origin, origin, &e), "energy", e.message);
    numbers("energy", &H, 1);
    lg_model_destroy(M);
}

static void together(void)
{
    lg_model *M = model(), *other = model();
    lg_ensemble *E = NULL;
    lg_ensemble_options *o = NEW(lg_ensemble_options);
    lg_motion_options *n = NEW(lg_motion_options);
    lg_motion *mo = NULL;
    double t, g[2], p[2];
    lg_ensemble_options_init(o, sizeof *o), lg_motion_options_init(n, sizeof *n);
    o->step = n->step = 0.1;
    MUST(lg_ensemble_create(&E, M, 5, o), "ensemble", lg_ensemble_message(E));
    MUST(lg_model_set(M, "m", 1.5), "parameter", lg_model_message(M));
    MUST(lg_motion_create(&mo, M, n), "motion", lg_motion_message(mo));
    MUST(lg_motion_start(mo, 0, NULL, 0), "start", lg_motion_message(mo));
    MUST(lg_ensemble_set(E, 3, mo), "set", lg_ensemble_message(E));
    lg_motion_destroy(mo);
    lg_model_destroy(M); /* the ensemble does without it */
    MUST(lg_motion_create(&mo, other, n), "motion", lg_motion_message(mo));
    printf("other: %s\n", lg_status_name(lg_ensemble_set(E, 2, mo)));
    MUST(lg_ensemble_run(E, 20, 1, NULL, NULL), "run", lg_ensemble_message(E));
    MUST(lg_ensemble_state(E, &t, g, p, 3), "state", lg_ensemble_message(E));
    numbers("instance", (double[]){t, g[0], g[1], p[0], p[1]}, 5);
    lg_motion_destroy(mo);
    lg_ensemble_destroy(E);
    lg_model_destroy(other);
}

static int rises(const lg_motion *mo, double *f, void *unused)
{
    double q[2];
    (void)unused;
    if (lg_motion_positions(mo, q, NULL) != LG_OK) return 1;
    *f = q[0] - 0.02;
    return 0;
}

/* A pendulum on a sledge with a spring and a motor, alone and with others. */
static void mechanism(void)
{
    lg_mechanism *m = NULL;
    lg_model *M = NULL;
    lg_ensemble *E = NULL;
    lg_motion *mo = NULL;
    lg_body *b = NEW(lg_body);
    lg_joint *j = NEW(lg_joint);
    lg_spring *s = NEW(lg_spring);
    lg_motor *motor = NEW(lg_motor);
    lg_mechanism_file *file = NEW(lg_mechanism_file);
    lg_ensemble_options *o = NEW(lg_ensemble_options);
    lg_motion_event *event = NEW(lg_motion_event);
    double q[2];
    int found = 0;
    lg_mechanism_file_init(file, sizeof *file);
    printf("file: %s\n", lg_status_name(lg_mechanism_read(&m, "", file)));
    lg_mechanism_destroy(m);
    MUST(lg_mechanism_create(&m), "mechanism", "");
    for (int i = 0; i < 2; i++) {
        lg_body_init(b, sizeof *b), lg_joint_init(j, sizeof *j);
        b->name = i ? "bob" : "sledge", b->mass = 2 - i, b->position[2] = -i;
        for (int k = 0; k < 3; k++) b->inertia[k] = 0.1 * (k + 2);
        MUST(lg_mechanism_add_body(m, NULL, b), "body", lg_mechanism_message(m));
        j->name = i ? "pivot" : "rail", j->kind = i ? LG_JOINT_REVOLUTE : LG_JOINT_PRISMATIC;
        j->parent = i ? "sledge" : NULL, j->child = b->name;
        j->axis[0] = !i, j->axis[1] = i, j->axis[2] = 0;
        MUST(lg_mechanism_add_joint(m, NULL, j), "joint", lg_mechanism_message(m));
    }
    lg_spring_init(s, sizeof *s), lg_motor_init(motor, sizeof *motor);
    s->name = "spring", s->child = "bob", s->stiffness = 3, s->rest = 0.5, s->parent_point[0] = 0.7;
    MUST(lg_mechanism_add_spring(m, NULL, s), "spring", lg_mechanism_message(m));
    motor->name = "motor", motor->joint = "rail";
    MUST(lg_mechanism_add_motor(m, NULL, motor), "motor", lg_mechanism_message(m));
    MUST(lg_mechanism_compile(m), "compile", lg_mechanism_message(m));
    lg_ensemble_options_init(o, sizeof *o);
    o->step = 0.01;
    MUST(lg_model_of_mechanism(&M, m, NULL), "model", lg_model_message(M));
    MUST(lg_ensemble_create(&E, M, 3, o), "ensemble", lg_ensemble_message(E));
    MUST(lg_ensemble_set_controls(E, 1, (double[]){0.5}, 1), "controls", lg_ensemble_message(E));
    MUST(lg_ensemble_run(E, 20, 1, NULL, NULL), "run", lg_ensemble_message(E));
    MUST(lg_ensemble_motion(&mo, E, 1), "motion", lg_ensemble_message(E));
    MUST(lg_motion_positions(mo, q, NULL), "positions", "");
    numbers("mechanism", q, 2);
    lg_motion_event_init(event, sizeof *event, rises, NULL);
    for (int i = 0; i < 100 && !found; i++)
        MUST(lg_motion_step_to_event(mo, &found, event), "event", lg_motion_message(mo));
    numbers("rises", (double[]){lg_motion_time(mo), found}, 2);
    lg_motion_destroy(mo);
    lg_ensemble_destroy(E);
    lg_model_destroy(M);
    lg_mechanism_destroy(m);
}

/* A ball above a plane. */
static void scene(void)
{
    const double pose[LG_POSE_SIZE] = {1, 2, 3, 0, 0, 0, 1};
    lg_scene *made = NULL;
    lg_shape *s = NEW(lg_shape);
    double gap[4] = {0};
    MUST(lg_scene_create(&made), "scene", "");
    MUST(lg_scene_add_body(made, NULL, "ball"), "body", lg_scene_message(made));
    for (int i = 0; i < 2; i++) {
        lg_shape_init(s, sizeof *s);
        s->name = i ? "ball" : "ground", s->kind = i ? LG_SHAPE_SPHERE : LG_SHAPE_PLANE;
        s->body = s->end_body = i - 1, s->dimensions[0] = 0.5 * i, s->rolls_on = i - 1;
        MUST(lg_scene_add(made, NULL, s), "shape", lg_scene_message(made));
    }
    MUST(lg_scene_gap(made, gap, gap + 1, pose, 1), "gap", "");
    numbers("gap", gap, 4);
    lg_scene_destroy(made);
}

/* A whole motion of the gallery. */
static void whole_motion(void)
{
    const int i = lg_gallery_index("furuta");
    lg_mechanism *m = NULL;
    lg_model *M = NULL;
    lg_motion *mo = NULL;
    lg_motion_options *by = NEW(lg_motion_options);
    lg_run_options *o = NEW(lg_run_options);
    lg_run_result *f = NEW(lg_run_result);
    lg_run_options_init(o, sizeof *o), lg_run_result_init(f, sizeof *f);
    MUST(lg_gallery_create(&m, i), "gallery", lg_mechanism_message(m));
    lg_motion_options_init(by, sizeof *by);
    by->step = 0.01;
    MUST(lg_model_of_mechanism(&M, m, NULL), "model", lg_model_message(M));
    MUST(lg_motion_create(&mo, M, by), "motion", lg_motion_message(mo));
    MUST(lg_motion_start(mo, 0, NULL, 0), "start", lg_motion_message(mo));
    o->steps = 20;
    MUST(lg_run(mo, f, o), "run", f->message);
    numbers("furuta", (double[]){f->energy_high, f->work}, 2); /* older results have no errors */
    lg_motion_destroy(mo);
    lg_model_destroy(M);
    lg_mechanism_destroy(m);
}

/* Batches and groupoids -------------------------------------------------------------------------------------------- */

static void batch(void)
{
    const lg_group *G = plane();
    lg_group *product = NULL;
    lg_rng rng = {11};
    double random[6] = {0};
    const double xi[8] = {0.1, 0.2, -0.3, 0.4, 0.5, 0.6, 0.7, 0.8};
    double g[8];
    lg_batch *b = NEW(lg_batch);
    lg_batch_init(b, sizeof *b, 4);
    MUST(lg_batch_tau(straight(), G, b, g, xi), "batch", "");
    MUST(lg_batch_compose(G, b, g, g, g), "batch", "");
    numbers("batch", g, 8);
    MUST(lg_group_create_product(&product, (const lg_group *[]){G, lg_so3()}, 2), "product", "");
    printf("product: %s\n", lg_status_name(lg_group_random(product, random, &rng)));
    numbers("random", random, 2);
    lg_group_destroy(product);
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

int main(void)
{
    integrate();
    reduce();
    run();
    together();
    mechanism();
    scene();
    whole_motion();
    batch();
    on_pairs();
    return 0;
}
