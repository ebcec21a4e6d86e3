/* SPDX-License-Identifier: BSD-3-Clause */
/* What the derivative of a step costs, and its second derivatives contracted with weights, in steps of the same object
 * in the same run: at every vector width that this machine has, since numbers with derivatives fill its vectors. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <liegrp/liegrp.h>

#include "benchmarks/suite/bench.h"
#include "benchmarks/suite/motion.h"
#include "benchmarks/suite/racer.h"

enum { WIDTHS = 3, WARM = 20 };
static const int all_widths[WIDTHS] = {2, 4, 8};

/* What is stepped: an integrator with its linearisation, or a motion of a mechanism. */
typedef struct subject {
    lg_integrator *it;
    lg_linearisation *lin;
    lg_motion *mo;
    double *A, *B;
    double *H, *weights; /* of second derivatives; NULL: first ones are timed */
    int width;
} subject;

/* A kind of subject that shares a figure; each is the largest ratio of its rows. */
typedef enum kind {
    SEM,
    METRIC,
    EXPLICIT,
    GAUSS_3,
    GAUSS_5,
    OTHERS,
    TWO_BODIES,
    VEHICLE,
    ARM,
    GROWTH,
    CURVATURE,
    KINDS
} kind;
static const char *const kind_names[KINDS] = {"sem, n <= 6",
                                              "sem, J(g)",
                                              "gni, explicit",
                                              "gauss, n = 3",
                                              "gauss, n = 5",
                                              "other methods",
                                              "two bodies",
                                              "vehicle",
                                              "arm of seven axes",
                                              "chains, per column",
                                              "second derivatives, n = 3"};

static const struct {
    const char *system, *method;
    kind what;
} systems[] = {
    {"rigid-body", "sem", SEM},
    {"chaplygin-sleigh", "sem", SEM},
    {"suslov", "sem", SEM},
    {"rolling-ball", "sem", SEM},
    {"heavy-top", "sem", SEM},
    {"snakeboard", "sem", SEM},
    {"two-wheeled-robot", "sem", SEM},
    {"rattleback", "sem", SEM},
    {"chaplygin-top", "sem", METRIC},
    {"rigid-body", "gni", EXPLICIT},
    {"chaplygin-sleigh", "gni", EXPLICIT},
    {"suslov", "gni", EXPLICIT},
    {"rolling-ball", "gni", EXPLICIT},
    {"snakeboard", "gni", EXPLICIT},
    {"rigid-body", "gauss", GAUSS_3},
    {"suslov", "gauss", GAUSS_3},
    {"chaplygin-sleigh", "gauss", GAUSS_3},
    {"rolling-ball", "gauss", GAUSS_5},
    {"two-wheeled-robot", "gauss", GAUSS_5},
    {"rigid-body", "rattle", OTHERS},
    {"heavy-top", "rattle", OTHERS},
    {"rolling-ball", "dla", OTHERS},
    {"rolling-ball", "sem@suzuki4", OTHERS},
    {"rolling-ball", "rkmk4", OTHERS},
};

static const char *const curved[] = {"rigid-body", "chaplygin-sleigh", "suslov", "heavy-top"};

static const struct {
    const char *mechanism; /* of the gallery; NULL: a chain of `links` */
    int links;
    kind what;
} mechanisms[] = {
    {"double-pendulum", 0, TWO_BODIES},
    {"furuta", 0, TWO_BODIES},
    {"vehicle", 0, VEHICLE},
    {"bicycle", 0, VEHICLE},
    {"arm", 0, ARM},
    {NULL, 5, GROWTH},
    {NULL, 10, GROWTH},
    {NULL, 20, GROWTH},
};

/* Measured -------------------------------------------------------------------------------------------------------- */

/* Objects choose their width where they are created or, for mechanisms, differentiated. */
static void set_width(int width)
{
    char text[16];
    snprintf(text, sizeof text, "%d", width);
    (void)setenv("LIEGRP_WIDTH", text, 1);
}

static double run_step(void *context, long count)
{
    const subject *s = context;
    lg_status st = s->mo != NULL ? lg_motion_reset(s->mo) : lg_integrator_reset(s->it);
    if (st == LG_OK) st = s->mo != NULL ? lg_motion_step(s->mo, count) : lg_integrator_run(s->it, count, 1, NULL, NULL);
    return st != LG_OK ? (double)NAN : s->mo != NULL ? lg_motion_energy(s->mo) : lg_integrator_configuration(s->it)[0];
}

static double run_linearised(void *context, long count)
{
    const subject *s = context;
    lg_status st = s->mo != NULL ? lg_motion_reset(s->mo) : lg_integrator_reset(s->it);
    set_width(s->width);
    if (st == LG_OK && s->mo != NULL) st = lg_motion_step(s->mo, WARM);
    for (long i = 0; i < count && st == LG_OK; i++)
        st = s->mo != NULL ? lg_motion_linearise_along(s->mo, s->A, s->B, NULL) : lg_linearisation_step(s->lin, s->it);
    return st == LG_OK ? 0 : (double)NAN;
}

/* With respect to the state. */
static double run_curvature(void *context, long count)
{
    const subject *s = context;
    const int inputs = 2 * lg_group_dim(lg_integrator_group(s->it));
    lg_status st = LG_OK;
    set_width(s->width);
    for (long i = 0; i < count && st == LG_OK; i++)
        st = lg_linearisation_curvature(s->lin, s->H, s->it, s->weights, inputs);
    return st == LG_OK ? 0 : (double)NAN;
}

/* Rows ------------------------------------------------------------------------------------------------------------ */

static void columns(bench_report *r, const char *name, const char *title, const char *ratio)
{
    bench_table(r, name, title);
    bench_column(r, "name", ""), bench_column(r, "method", "");
    bench_column(r, "inputs", "%.0f"), bench_column(r, "derivatives", "");
    bench_column(r, "width", "%.0f"), bench_column(r, "step, ns", "%.0f");
    bench_column(r, ratio, "%.1f"), bench_column(r, "per input", "%.2f");
}

/* Times a subject and writes its row. Returns the ratio, that of a chain for each input; NaN: it failed. */
static double measure(bench_report *r, subject *s, const char *name, const char *method, kind what, int inputs,
                      long count)
{
    bench_case c[2] = {
        {.name = "step", .run = run_step, .context = s, .count = 10 * count},
        {.name = "linearised", .run = s->H ? run_curvature : run_linearised, .context = s, .count = count}};
    bench_time(r, c, 2);
    const double ratio = bench_ratio(&c[1], &c[0]);
    if (isnan(c[0].sink) || isnan(c[1].sink)) {
        bench_fail(r, "linearised: %s, %s: %s", name, method,
                   s->mo != NULL ? lg_motion_message(s->mo) : lg_linearisation_message(s->lin));
        return (double)NAN;
    }
    const int tangents = s->lin == NULL || lg_linearisation_kind(s->lin) == LG_DERIVATIVES_TANGENTS;
    bench_row(r);
    bench_text(r, name), bench_text(r, method), bench_number(r, inputs);
    bench_text(r, s->lin == NULL ? "" : tangents ? "tangents" : "differences");
    bench_number(r, s->width), bench_number(r, c[0].median);
    bench_number(r, ratio), bench_number(r, ratio / inputs);
    return what == GROWTH ? ratio / inputs : ratio;
}

static double measure_system(bench_report *r, const bench_settings *s, const char *system, const char *method,
                             kind what, int width)
{
    enum { MOST = 12 };
    double H[MOST * MOST], weights[2 * MOST];
    bench_motion m;
    subject o = {.width = width, .H = what == CURVATURE ? H : NULL, .weights = weights};
    double ratio = (double)NAN;
    set_width(width);
    for (int i = 0; i < 2 * MOST; i++) weights[i] = 1;
    if (!bench_motion_open(&m, system, NULL, NULL, 0))
        o.it = bench_motion_integrator(&m, method, lg_retraction_exp(), m.step);
    if (o.it == NULL)
        bench_fail(r, "linearised: %s", m.message);
    else if (lg_linearisation_create(&o.lin, o.it) != LG_OK)
        bench_fail(r, "linearised: %s: %s", system, lg_linearisation_message(o.lin));
    else
        ratio = measure(r, &o, system, method, what,
                        o.H ? 2 * lg_group_dim(lg_integrator_group(o.it)) : lg_linearisation_columns(o.lin),
                        s->quick ? 2 : 200);
    lg_linearisation_destroy(o.lin), lg_integrator_destroy(o.it);
    bench_motion_close(&m);
    return ratio;
}

/* NULL, or why the mechanism of the gallery has no motion. */
static const char *open_gallery(bench_racer *r, const char *name)
{
    int i = 0;
    while (lg_gallery_name(i) != NULL && strcmp(lg_gallery_name(i), name) != 0) i++;
    lg_status st = lg_gallery_create(&r->m, i);
    if (st != LG_OK) return r->m != NULL ? lg_mechanism_message(r->m) : "out of memory";
    lg_motion_options o = lg_motion_options_default();
    o.method = r->name, o.step = lg_gallery_step(i);
    st = lg_model_of_mechanism(&r->M, r->m, NULL);
    if (st != LG_OK) return lg_model_message(r->M);
    st = lg_motion_create(&r->mo, r->M, &o);
    if (st == LG_OK) st = lg_gallery_start(r->mo, i);
    return st == LG_OK ? NULL : lg_motion_message(r->mo);
}

static double measure_mechanism(bench_report *r, const bench_settings *s, int i, int width)
{
    const bench_mechanism what = {"chain", mechanisms[i].links, 0, 0, 1e-3, 0};
    bench_racer racer = {.what = &what, .name = "sem"};
    subject o = {.width = width};
    char name[BENCH_NAME];
    double ratio = (double)NAN;
    const char *why =
        mechanisms[i].mechanism != NULL ? open_gallery(&racer, mechanisms[i].mechanism) : bench_racer_open(&racer);
    if (why == NULL && mechanisms[i].mechanism == NULL) bench_racer_start(&racer);
    o.mo = racer.mo;
    const int k = lg_motion_freedoms(o.mo, NULL);
    const int controls = why == NULL ? lg_model_control_count(lg_motion_model(o.mo)) : 0;
    o.A = calloc((size_t)(k * k) + 1, sizeof *o.A), o.B = calloc((size_t)(k * controls) + 1, sizeof *o.B);
    if (why == NULL && (o.A == NULL || o.B == NULL)) why = "out of memory";
    snprintf(name, sizeof name, "chain of %d", mechanisms[i].links);
    if (mechanisms[i].mechanism != NULL) snprintf(name, sizeof name, "%s", mechanisms[i].mechanism);
    if (why != NULL)
        bench_fail(r, "linearised: %s: %s", name, why);
    else
        ratio = measure(r, &o, name, "sem", mechanisms[i].what, k + controls, s->quick ? 1 : 20);
    free(o.A), free(o.B);
    bench_racer_close(&racer);
    return ratio;
}

/* Report ---------------------------------------------------------------------------------------------------------- */

static void keep(double *most, double ratio)
{
    if (!(ratio <= *most)) *most = ratio;
}

static void write_figures(bench_report *r, const double most[][KINDS], const int *widths, int count)
{
    for (int k = 0; k < KINDS; k++)
        for (int w = 0; w < count; w++) {
            char name[BENCH_NAME];
            if (k == OTHERS) continue;
            snprintf(name, sizeof name, "%s, width %d", kind_names[k], widths[w]);
            bench_figure(r, name, most[w][k], "%s: %s up to %.1f steps", name,
                         k == CURVATURE ? "they take" : "a linearised step takes", most[w][k]);
        }
}

void bench_linearised(bench_report *r, const bench_settings *s)
{
    const char *environment = getenv("LIEGRP_WIDTH");
    char *asked = environment != NULL ? strdup(environment) : NULL;
    double most[WIDTHS][KINDS] = {{0}};
    int widths[WIDTHS], count = 0;
    for (int i = 0; i < WIDTHS; i++)
        if (lg_width_supported(all_widths[i])) widths[count++] = all_widths[i];
    bench_begin(r, s, BENCH_FEW);
    columns(r, "systems", "A linearised step of a system, in steps: all inputs of lg_linearisation_step()",
            "linearised / step");
    for (size_t i = 0; i < sizeof systems / sizeof systems[0]; i++) {
        bench_tell(s, "%s, %s", systems[i].system, systems[i].method);
        for (int w = 0; w < count; w++)
            keep(&most[w][systems[i].what],
                 measure_system(r, s, systems[i].system, systems[i].method, systems[i].what, widths[w]));
    }
    columns(r, "curvature", "Second derivatives of a step, in steps: lg_linearisation_curvature() for the state",
            "curvature / step");
    for (size_t i = 0; i < sizeof curved / sizeof curved[0]; i++) {
        bench_tell(s, "%s, second derivatives", curved[i]);
        for (int w = 0; w < count; w++)
            keep(&most[w][CURVATURE], measure_system(r, s, curved[i], "sem", CURVATURE, widths[w]));
    }
    columns(r, "mechanisms", "A linearised step of a mechanism, in steps: lg_motion_linearise_along(), A and B",
            "linearised / step");
    for (size_t i = 0; i < sizeof mechanisms / sizeof mechanisms[0]; i++) {
        bench_tell(s, "%s", mechanisms[i].mechanism != NULL ? mechanisms[i].mechanism : "chain");
        for (int w = 0; w < count; w++) keep(&most[w][mechanisms[i].what], measure_mechanism(r, s, (int)i, widths[w]));
    }
    write_figures(r, (const double(*)[KINDS])most, widths, count);
    if (asked != NULL)
        (void)setenv("LIEGRP_WIDTH", asked, 1);
    else
        (void)unsetenv("LIEGRP_WIDTH");
    free(asked);
}
