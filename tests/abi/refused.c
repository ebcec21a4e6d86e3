/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints how the library refuses structs that it does not know: compiled against newer headers, or, with an argument,
 * without their sizes (run.sh). Where a call has no object for a message, its status is all there is. */
#include "parts.h"

static int blank;

#define SAY(call, message)                                                                                             \
    do {                                                                                                               \
        const lg_status status_ = (call);                                                                              \
        printf("%s: %s\n", lg_status_name(status_), message);                                                          \
    } while (0)
#define SPOIL(object) ((object)->size = blank ? 0 : (object)->size)

static void systems(void)
{
    lg_error e = {LG_OK, ""};
    lg_integrator *it = NULL;
    lg_model *M = NULL;
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
}

static void groupoids(void)
{
    static const double one[2] = {1, 1};
    lg_error e = {LG_OK, ""};
    lg_groupoid_gni *o = NULL;
    lg_groupoid *gpd = NULL, *pair = pairs();
    double out[2];
    lg_group *G = NEW(lg_group);
    memcpy(G, plane(), sizeof *G);
    SPOIL(G);
    SAY(lg_groupoid_create_pair(&gpd, G, NULL, &e), e.message);

    SPOIL(pair);
    SAY(lg_groupoid_compose(pair, out, one, one, &e), e.message);

    MUST(lg_groupoid_create_pair(&gpd, lg_rn(1), NULL, &e), "pair", e.message);
    lg_groupoid_system *on = oscillator(gpd);
    SPOIL(on);
    SAY(lg_groupoid_gni_create(&o, on, 0.1), lg_groupoid_gni_message(o));
    lg_groupoid_gni_destroy(o);
    lg_groupoid_destroy(gpd);
}

static void runs(lg_model *M)
{
    lg_ensemble *E = NULL;
    lg_reference *R = NULL;
    lg_motion *mo = NULL;
    lg_motion_options *by = NEW(lg_motion_options);
    lg_ensemble_options *a = NEW(lg_ensemble_options);
    lg_motion_options_init(by, sizeof *by);
    lg_ensemble_options_init(a, sizeof *a);
    SPOIL(by);
    SAY(lg_motion_create(&mo, M, by), lg_motion_message(mo));
    lg_motion_destroy(mo);
    SAY(lg_reference_create(&R, M, by, 20, 0), lg_reference_message(R));
    lg_reference_destroy(R);
    SPOIL(a);
    SAY(lg_ensemble_create(&E, M, 3, a), lg_ensemble_message(E));
    lg_ensemble_destroy(E);
}

/* Parts of a mechanism, and its ensembles. */
static void mechanisms(void)
{
    lg_mechanism *m = NULL;
    lg_body *body = NEW(lg_body);
    lg_joint *joint = NEW(lg_joint);
    lg_wheel *wheel = NEW(lg_wheel);
    lg_spring *spring = NEW(lg_spring);
    lg_motor *motor = NEW(lg_motor);
    lg_gear *gear = NEW(lg_gear);
    lg_sphere_contact *contact = NEW(lg_sphere_contact);
    lg_body_init(body, sizeof *body), lg_joint_init(joint, sizeof *joint), lg_wheel_init(wheel, sizeof *wheel);
    lg_spring_init(spring, sizeof *spring), lg_motor_init(motor, sizeof *motor), lg_gear_init(gear, sizeof *gear);
    lg_surface *surface = NEW(lg_surface);
    lg_surface_pair *pair = NEW(lg_surface_pair);
    lg_sphere_contact_init(contact, sizeof *contact);
    lg_surface_init(surface, sizeof *surface), lg_surface_pair_init(pair, sizeof *pair);
    MUST(lg_mechanism_create(&m), "mechanism", "");
    SPOIL(body);
    SAY(lg_mechanism_add_body(m, NULL, body), lg_mechanism_message(m));
    SPOIL(joint);
    SAY(lg_mechanism_add_joint(m, NULL, joint), lg_mechanism_message(m));
    SPOIL(wheel);
    SAY(lg_mechanism_add_wheel(m, NULL, wheel), lg_mechanism_message(m));
    SPOIL(spring);
    SAY(lg_mechanism_add_spring(m, NULL, spring), lg_mechanism_message(m));
    SPOIL(motor);
    SAY(lg_mechanism_add_motor(m, NULL, motor), lg_mechanism_message(m));
    SPOIL(gear);
    SAY(lg_mechanism_add_gear(m, NULL, gear), lg_mechanism_message(m));
    SPOIL(contact);
    SAY(lg_mechanism_add_sphere_contact(m, NULL, contact), lg_mechanism_message(m));
    SPOIL(surface);
    SAY(lg_mechanism_add_surface(m, NULL, surface), lg_mechanism_message(m));
    SPOIL(pair);
    SAY(lg_mechanism_add_surface_pair(m, NULL, pair), lg_mechanism_message(m));
    lg_mechanism_destroy(m);
    lg_mechanism_file *file = NEW(lg_mechanism_file);
    lg_mechanism_file_init(file, sizeof *file);
    SPOIL(file);
    SAY(lg_mechanism_read(&m, "none.urdf", file), lg_mechanism_message(m));
    lg_mechanism_destroy(m);
}

static void scenes(void)
{
    lg_scene *scene = NULL;
    lg_shape *shape = NEW(lg_shape);
    MUST(lg_scene_create(&scene), "scene", "");
    lg_shape_init(shape, sizeof *shape);
    SPOIL(shape);
    SAY(lg_scene_add(scene, NULL, shape), lg_scene_message(scene));
    lg_scene_destroy(scene);
}

static void optima(void)
{
    lg_optimum *o = NULL;
    lg_system *S = NEW(lg_system);
    lg_optimum_problem *problem = NEW(lg_optimum_problem);
    lg_system_init(S, sizeof *S, lg_rn(2));
    lg_optimum_problem_init(problem, sizeof *problem, S);
    SPOIL(problem);
    SAY(lg_optimum_create(&o, problem), lg_optimum_message(o));
    lg_optimum_destroy(o);
}

static void identifications(const lg_model *M)
{
    lg_identification *id = NULL;
    lg_identification_problem *problem = NEW(lg_identification_problem);
    lg_identification_problem_init(problem, sizeof *problem, M);
    SPOIL(problem);
    SAY(lg_identification_create(&id, problem), lg_identification_message(id));
    lg_identification_destroy(id);
}

static void whole_motions(void)
{
    lg_mechanism *m = NULL;
    lg_model *M = NULL;
    lg_motion *mo = NULL;
    lg_run_options *o = NEW(lg_run_options);
    lg_run_result *f = NEW(lg_run_result);
    lg_run_options_init(o, sizeof *o), lg_run_result_init(f, sizeof *f);
    MUST(lg_gallery_create(&m, lg_gallery_index("furuta")), "gallery", lg_mechanism_message(m));
    MUST(lg_model_of_mechanism(&M, m, NULL), "model", lg_model_message(M));
    MUST(lg_motion_create(&mo, M, NULL), "motion", lg_motion_message(mo));
    MUST(lg_motion_start(mo, 0, NULL, 0), "start", lg_motion_message(mo));
    lg_contact_options *contact = NEW(lg_contact_options);
    lg_contact_options_init(contact, sizeof *contact);
    SPOIL(contact);
    SAY(lg_motion_set_contact(mo, contact), lg_motion_message(mo));
    SPOIL(o);
    SAY(lg_run(mo, f, o), f->message);
    SPOIL(f);
    SAY(lg_run(mo, f, o), lg_motion_message(mo));
    lg_motion_destroy(mo);
    lg_model_destroy(M);
    lg_mechanism_destroy(m);
}

static int nothing(const lg_call *c, const double *g, const double *xi, double *f)
{
    (void)c, (void)g, (void)xi;
    *f = 1;
    return 0;
}

/* The rolling ball, which needs no struct of ours. */
static void steps(lg_model *M)
{
    double g0[16], xi0[16];
    int found;
    lg_integrator *it = NULL;
    lg_monitor *m = NULL;
    lg_motion *mo = NULL;
    const lg_system *S = NULL;
    lg_event *event = NEW(lg_event);
    lg_resolution *seen = NEW(lg_resolution);
    lg_monitor_figures *figures = NEW(lg_monitor_figures);
    lg_retraction *r = NEW(lg_retraction);
    memcpy(r, straight(), sizeof *r);
    MUST(lg_model_system(M, &S), "system", "");
    SPOIL(r);
    SAY(lg_integrator_create_with(&it, S, NULL, r, 0.1), lg_integrator_message(it));
    lg_integrator_destroy(it);

    MUST(lg_model_initial(M, g0, xi0, NULL), "initial", "");
    MUST(lg_integrator_create(&it, S, NULL, NULL, 0.1), "create", "");
    MUST(lg_integrator_start(it, 0, g0, xi0, LG_START_REACTION, 0), "start", lg_integrator_message(it));
    lg_event_init(event, sizeof *event, nothing, NULL);
    SPOIL(event);
    SAY(lg_integrator_step_to_event(it, &found, event), lg_integrator_message(it));

    lg_resolution_init(seen, sizeof *seen);
    SPOIL(seen);
    SAY(lg_diagnostics_resolution(it, seen, 1), "");

    MUST(lg_motion_create(&mo, M, NULL), "motion", lg_motion_message(mo));
    MUST(lg_monitor_create(&m, mo, 1, 1), "monitor", "");
    lg_monitor_figures_init(figures, sizeof *figures);
    SPOIL(figures);
    SAY(lg_monitor_read(m, figures), "");
    lg_monitor_destroy(m);
    lg_motion_destroy(mo);
    lg_integrator_destroy(it);
}

static void batches(void)
{
    static const double one[2] = {1, 1};
    double out[2];
    lg_batch *b = NEW(lg_batch);
    lg_batch_init(b, sizeof *b, 1);
    SPOIL(b);
    SAY(lg_batch_compose(lg_rn(2), b, out, one, one), "");
}

int main(int argc, char **argv)
{
    lg_model *M = NULL;
    (void)argv;
    blank = argc > 1;
    MUST(lg_catalog_create(&M, "rolling-ball"), "model", "");
    systems();
    groupoids();
    runs(M);
    mechanisms();
    scenes();
    optima();
    identifications(M);
    whole_motions();
    steps(M);
    batches();
    lg_model_destroy(M);
    return 0;
}
