/* SPDX-License-Identifier: BSD-3-Clause */
/* Motions of definitions and of mechanisms through the same functions: clone, reset, run_to, checkpoints, events,
 * starts from states and rows, halvings, wrong input. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <liegrp/catalog/catalog.h>
#include <liegrp/multibody/gallery.h>
#include <liegrp/run/motion.h>

#include "support/run_models.h"
#include "support/suite.h"

enum { ROW = 400, BYTES = 1 << 20 };

/* Dense and sparse, of one step and of several, with steps that are found, with controls. */
static const struct way {
    const char *system, *mechanism; /* neither: a sleigh with two controls */
    const char *method;
    double tolerance;
} ways[] = {
    {"heavy-top", NULL, "sem", 0},
    {"rolling-ball", NULL, "gni", 0},
    {"chaplygin-sleigh", NULL, "gauss", 0},
    {"suslov", NULL, "gauss", 1e-8},
    {"double-spherical-pendulum", NULL, "rattle", 0},
    {"rolling-disk", NULL, "sem@yoshida4", 0},
    {NULL, NULL, "sem", 0},
    {NULL, "four-bar", "sem", 0},
    {NULL, "bicycle", "sem@yoshida4", 0},
    {NULL, "double-pendulum", "rattle", 0},
    {NULL, "chain", "gauss", 0},
    {NULL, "chain", "gauss", 1e-8},
    {NULL, "furuta", "sem", 0},
    {NULL, "furuta", "sem:gauss=2", 0},
};
enum { WAYS = sizeof ways / sizeof ways[0] };

typedef struct subject {
    lg_mechanism *m;
    lg_model *M;
    int columns, controls;
    double u[2];
    lg_motion_options o;
} subject;

static void well(lg_status status, const lg_motion *mo)
{
    if (status != LG_OK) suite_fail("%s: %s", lg_status_name(status), lg_motion_message(mo));
}

static subject subject_of(const struct way *w)
{
    subject s = {NULL, NULL, 0, 0, {0.3, -0.2}, lg_motion_options_default()};
    suite_case("%s by %s, tolerance %g",
               w->system != NULL      ? w->system
               : w->mechanism != NULL ? w->mechanism
                                      : "a sleigh",
               w->method, w->tolerance);
    if (w->mechanism != NULL) {
        suite_ok("mechanism", lg_gallery_create(&s.m, lg_gallery_index(w->mechanism)));
        suite_ok("model", lg_model_of_mechanism(&s.M, s.m, w->mechanism));
    } else {
        suite_ok("model",
                 w->system != NULL ? lg_catalog_create(&s.M, w->system) : lg_model_create(&s.M, &run_models_sleigh));
    }
    s.columns = lg_model_column_count(s.M), s.controls = lg_model_control_count(s.M);
    assert_true(s.columns < ROW && s.controls <= 2);
    s.o.method = w->method, s.o.tolerance = w->tolerance;
    return s;
}

static lg_motion *motion_of(const subject *s)
{
    lg_motion *mo;
    const lg_status status = lg_motion_create(&mo, s->M, &s->o);
    well(status, mo);
    return mo;
}

static lg_motion *started(const subject *s)
{
    lg_motion *mo = motion_of(s);
    well(lg_motion_start(mo, 0, NULL, 1), mo);
    return mo;
}

static void end(subject *s)
{
    lg_model_destroy(s->M);
    lg_mechanism_destroy(s->m);
}

static void same_rows(const char *what, const lg_motion *a, const lg_motion *b, const subject *s)
{
    double one[ROW], two[ROW];
    suite_ok("row", lg_motion_row(a, one));
    suite_ok("row", lg_motion_row(b, two));
    suite_same_bits(what, one, two, s->columns);
}

/* A copy, and what reads a checkpoint, continue to the bit; a reset motion starts again to the bit. */
static void test_copies(void **state)
{
    static double bytes[BYTES / sizeof(double)];
    (void)state;
    for (int k = 0; k < WAYS; k++) {
        subject s = subject_of(&ways[k]);
        lg_motion *mo = started(&s), *first = started(&s), *copy, *read = motion_of(&s);
        suite_ok("clone", lg_motion_clone(&copy, read));
        suite_status("a clone of what is not started", lg_motion_step(copy, 1), LG_ERROR_ARGUMENT);
        lg_motion_destroy(copy);
        well(lg_motion_step(mo, 3), mo);
        if (s.controls > 0) well(lg_motion_set_control(mo, s.u), mo);
        well(lg_motion_step(mo, 2), mo);
        suite_ok("clone", lg_motion_clone(&copy, mo));
        assert_ptr_equal(lg_motion_model(copy), s.M);
        assert_string_equal(lg_motion_method(copy), lg_motion_method(mo));
        const size_t size = lg_motion_saved_bytes(mo);
        assert_true(size > 0 && size <= BYTES && lg_motion_saved_bytes(read) == 0);
        suite_ok("save", lg_motion_save(mo, bytes, size));
        well(lg_motion_load(read, bytes, size), read);
        same_rows("the copy", copy, mo, &s);
        well(lg_motion_step(mo, 4), mo), well(lg_motion_step(copy, 4), copy), well(lg_motion_step(read, 4), read);
        same_rows("the copy continues", copy, mo, &s);
        same_rows("a checkpoint continues", read, mo, &s);
        assert_true(lg_motion_step_index(copy) == 9);
        well(lg_motion_reset(mo), mo);
        same_rows("the start", mo, first, &s);
        well(lg_motion_step(mo, 4), mo), well(lg_motion_step(first, 4), first);
        same_rows("and on", mo, first, &s);
        well(lg_motion_reset(copy), copy);
        well(lg_motion_reset(first), first);
        same_rows("the copy's start", copy, first, &s);
        ((unsigned char *)bytes)[size / 2] ^= 1;
        suite_status("damaged", lg_motion_load(read, bytes, size), LG_ERROR_ARGUMENT);
        suite_contains("damaged", lg_motion_message(read), "lg_motion_load");
        assert_true(lg_motion_step_index(read) == 9);
        suite_status("short", lg_motion_save(mo, bytes, size - 8), LG_ERROR_ARGUMENT);
        lg_motion_destroy(mo), lg_motion_destroy(first), lg_motion_destroy(copy), lg_motion_destroy(read);
        end(&s);
    }
}

static void test_run_to(void **state)
{
    (void)state;
    for (int k = 0; k < WAYS; k++) {
        subject s = subject_of(&ways[k]);
        lg_motion *mo = started(&s), *fine;
        const double h = lg_motion_step_size(mo), T = 4.37 * h;
        suite_near1("step", h, lg_model_default_step(s.M), 0, 1);
        well(lg_motion_run_to(mo, T), mo);
        suite_near1("time", lg_motion_time(mo), T, 1e-14, T);
        well(lg_motion_run_to(mo, T), mo);
        suite_near1("no step", lg_motion_time(mo), T, 1e-14, T);
        suite_below("gap", lg_motion_gap(mo), 1e-12);
        suite_below("slip", lg_motion_slip(mo), 1e-10);
        s.o.step = T / 16;
        fine = started(&s);
        well(lg_motion_step(fine, 16), fine);
        suite_near1("energy", lg_motion_energy(mo), lg_motion_energy(fine), 0.02, 1);
        well(lg_motion_step(mo, 1), mo);
        suite_near1("a full step", lg_motion_time(mo), T + h, 1e-14, T);
        suite_status("back", lg_motion_run_to(mo, 0), LG_ERROR_ARGUMENT);
        suite_contains("back", lg_motion_message(mo), "expected a time ahead");
        suite_status("never", lg_motion_run_to(mo, (double)NAN), LG_ERROR_ARGUMENT);
        lg_motion_destroy(mo), lg_motion_destroy(fine);
        end(&s);
    }
}

typedef struct crossing {
    int column, calls;
    double value;
} crossing;

static int crosses(const lg_motion *mo, double *f, void *context)
{
    crossing *c = context;
    double row[ROW];
    if (lg_motion_row(mo, row) != LG_OK) return 1;
    c->calls++;
    *f = row[c->column] - c->value;
    return 0;
}

/* The column that moves most in the fifth step passes a value of that step. */
static crossing crossing_of(const subject *s)
{
    double before[ROW], after[ROW];
    crossing c = {0, 0, 0};
    lg_motion *mo = started(s);
    well(lg_motion_step(mo, 4), mo);
    suite_ok("row", lg_motion_row(mo, before));
    well(lg_motion_step(mo, 1), mo);
    suite_ok("row", lg_motion_row(mo, after));
    for (int i = 2; i < s->columns; i++) {
        const lg_column_kind kind = lg_model_column(s->M, i)->kind;
        if (kind != LG_COLUMN_CONFIGURATION && kind != LG_COLUMN_VELOCITY) continue;
        if (c.column == 0 || fabs(after[i] - before[i]) > fabs(after[c.column] - before[c.column])) c.column = i;
    }
    c.value = 0.4 * before[c.column] + 0.6 * after[c.column];
    lg_motion_destroy(mo);
    return c;
}

static void test_events(void **state)
{
    (void)state;
    for (int k = 0; k < WAYS; k++) {
        subject s = subject_of(&ways[k]);
        crossing c = crossing_of(&s);
        lg_motion *mo = started(&s);
        const lg_motion_event e = lg_motion_event_default(crosses, &c);
        const double H = lg_motion_energy(mo), h = lg_motion_step_size(mo);
        double f = NAN;
        int found = 0, steps = 0;
        while (!found && steps < 8) well(lg_motion_step_to_event(mo, &found, &e), mo), steps++;
        if (!found || steps > 5) suite_fail("%s is found after %d steps", lg_model_column(s.M, c.column)->name, steps);
        assert_int_equal(crosses(mo, &f, &c), 0);
        suite_below("f at the event", fabs(f), 1e-8 * fmax(1, fabs(c.value)));
        assert_true(found == (f < 0 ? -1 : 1) || f == 0);
        assert_true(lg_motion_time(mo) < 5 * h);
        suite_below("gap", lg_motion_gap(mo), 1e-12);
        suite_below("slip", lg_motion_slip(mo), 1e-10);
        if (strncmp(s.o.method, "sem", 3) == 0 && !isnan(lg_motion_work(mo)))
            suite_below("balance", fabs(lg_motion_energy(mo) - H - lg_motion_work(mo)), 1e-11 * fmax(1, fabs(H)));
        const double t = lg_motion_time(mo);
        well(lg_motion_step(mo, 1), mo);
        suite_near1("a full step", lg_motion_time(mo), t + h, 1e-14, 1);
        lg_motion_destroy(mo);
        end(&s);
    }
}

static int spoiled(const lg_motion *mo, double *f, void *context)
{
    const int *kind = context;
    (void)mo;
    *f = *kind == 1 ? (double)NAN : 1;
    return *kind == 0 ? 7 : 0;
}

static void test_events_that_are_refused(void **state)
{
    (void)state;
    for (int k = 6; k < 8; k++) {
        subject s = subject_of(&ways[k]);
        lg_motion *mo = started(&s), *late = motion_of(&s), *at = started(&s);
        int found = 5, kind = 0;
        lg_motion_event e = lg_motion_event_default(spoiled, &kind);
        suite_status("not started", lg_motion_step_to_event(late, &found, &e), LG_ERROR_ARGUMENT);
        suite_status("it fails", lg_motion_step_to_event(mo, &found, &e), LG_ERROR_CALLBACK);
        suite_contains("it fails", lg_motion_message(mo), "returned 7");
        assert_int_equal(found, 0);
        kind = 1;
        suite_status("not a number", lg_motion_step_to_event(mo, &found, &e), LG_ERROR_NOT_FINITE);
        kind = 2;
        suite_status("no event", lg_motion_step_to_event(mo, &found, NULL), LG_ERROR_ARGUMENT);
        suite_status("nowhere", lg_motion_step_to_event(mo, NULL, &e), LG_ERROR_ARGUMENT);
        suite_contains("nowhere", lg_motion_message(mo), "found is NULL");
        e.tolerance = 1;
        suite_status("tolerance", lg_motion_step_to_event(mo, &found, &e), LG_ERROR_ARGUMENT);
        suite_contains("tolerance", lg_motion_message(mo), "from 1e-12 to 0.1");
        e.tolerance = 0, e.direction = (lg_crossing)9;
        suite_status("direction", lg_motion_step_to_event(mo, &found, &e), LG_ERROR_ARGUMENT);
        e = lg_motion_event_default(NULL, NULL);
        suite_status("no function", lg_motion_step_to_event(mo, &found, &e), LG_ERROR_ARGUMENT);
        same_rows("nothing has moved", mo, at, &s);
        lg_motion_destroy(mo), lg_motion_destroy(late), lg_motion_destroy(at);
        end(&s);
    }
}

/* A state and a row start another motion where they were read. */
static void test_starts(void **state)
{
    (void)state;
    for (int k = 0; k < WAYS; k++) {
        subject s = subject_of(&ways[k]);
        lg_motion *mo = started(&s), *other = motion_of(&s);
        double g[ROW], xi[ROW], p[ROW], row[ROW], again[ROW];
        if (s.controls > 0) well(lg_motion_set_control(mo, s.u), mo);
        well(lg_motion_step(mo, 5), mo);
        suite_ok("row", lg_motion_row(mo, row));
        suite_ok("state", lg_motion_state(mo, g, xi, p));
        suite_ok("state of nothing", lg_motion_state(mo, NULL, NULL, NULL));
        for (int way = 0; way < 2; way++) {
            well(way ? lg_motion_start(other, 2.5, row, 1) : lg_motion_start_state(other, 2.5, g, xi, 1), other);
            suite_ok("row", lg_motion_row(other, again));
            suite_near1("t0", again[1], 2.5, 0, 1);
            for (int i = 2; i < s.columns; i++) {
                const lg_column *c = lg_model_column(s.M, i);
                if (c->kind == LG_COLUMN_CONFIGURATION || c->kind == LG_COLUMN_VELOCITY)
                    suite_near1(c->name, cos(again[i]), cos(row[i]), 1e-9, 1); /* angles are unwound */
            }
            suite_near1("energy", lg_motion_energy(other), lg_motion_energy(mo), 1e-9,
                        fmax(1, fabs(lg_motion_energy(mo))));
        }
        for (int i = 0; i < s.columns; i++) row[i] = (double)NAN;
        well(lg_motion_start(other, 0, row, 1), other);
        well(lg_motion_reset(mo), mo);
        suite_near1("NaN: the default", lg_motion_energy(other), lg_motion_energy(mo), 1e-12, 1);
        suite_status("t0", lg_motion_start(other, (double)INFINITY, NULL, 1), LG_ERROR_NOT_FINITE);
        suite_contains("t0", lg_motion_message(other), "t0 is inf");
        suite_status("no state", lg_motion_start_state(other, 0, NULL, xi, 1), LG_ERROR_ARGUMENT);
        suite_contains("no state", lg_motion_message(other), "are needed");
        lg_motion_destroy(mo), lg_motion_destroy(other);
        end(&s);
    }
}

/* A step that is too large fails, and is made of halves where that is asked for. */
static void test_halvings(void **state)
{
    static const struct way large[] = {{"suslov", NULL, "gni", 0}, {NULL, "chain", "gauss", 0}};
    static const double h[] = {50, 20};
    (void)state;
    for (int k = 0; k < 2; k++) {
        subject s = subject_of(&large[k]);
        s.o.step = h[k];
        lg_motion *mo = started(&s), *at = started(&s), *fine;
        if (lg_motion_step(mo, 1) == LG_OK) suite_fail("a step of %g is made", h[k]);
        same_rows("nothing has moved", mo, at, &s);
        well(lg_motion_set_halvings(mo, 20), mo);
        well(lg_motion_step(mo, 1), mo);
        suite_near1("time", lg_motion_time(mo), h[k], 1e-12, 1);
        assert_true(lg_motion_step_index(mo) == 1);
        s.o.halvings = 20;
        fine = started(&s);
        well(lg_motion_step(fine, 1), fine);
        same_rows("as by the options", fine, mo, &s);
        suite_status("31", lg_motion_set_halvings(mo, 31), LG_ERROR_ARGUMENT);
        suite_status("-1", lg_motion_set_halvings(mo, -1), LG_ERROR_ARGUMENT);
        suite_contains("-1", lg_motion_message(mo), "30");
        lg_motion_destroy(mo), lg_motion_destroy(at), lg_motion_destroy(fine);
        end(&s);
    }
}

/* A retraction that is given as an object: the motion, its copy and what reads its checkpoint have it. */
static void test_own_retractions(void **state)
{
    static double bytes[BYTES / sizeof(double)];
    static const struct way plain = {"rolling-ball", NULL, "gni", 0};
    subject s = subject_of(&plain), named = subject_of(&plain);
    const lg_retraction *parts[] = {lg_retraction_exp(), lg_retraction_cayley()};
    lg_retraction *r = NULL;
    lg_motion *mo, *copy;
    (void)state;
    suite_ok("product", lg_retraction_create_product(&r, parts, 2));
    s.o.own_retraction = r, named.o.retraction = "cayley";
    mo = started(&s);
    lg_motion *other = started(&named); /* R^2 has one retraction */
    well(lg_motion_step(mo, 3), mo);
    well(lg_motion_step(other, 3), other);
    same_rows("by name", mo, other, &s);
    suite_ok("clone", lg_motion_clone(&copy, mo));
    const size_t size = lg_motion_saved_bytes(mo);
    suite_ok("save", lg_motion_save(mo, bytes, size));
    lg_motion *read = motion_of(&s);
    well(lg_motion_load(read, bytes, size), read);
    well(lg_motion_step(mo, 2), mo);
    well(lg_motion_step(copy, 2), copy);
    well(lg_motion_step(read, 2), read);
    same_rows("a copy", mo, copy, &s);
    same_rows("a checkpoint", mo, read, &s);
    lg_motion_destroy(mo), lg_motion_destroy(other), lg_motion_destroy(copy), lg_motion_destroy(read);
    s.o.retraction = "exp";
    suite_status("both", lg_motion_create(&mo, s.M, &s.o), LG_ERROR_ARGUMENT);
    suite_contains("both", lg_motion_message(mo), "leave one out");
    lg_motion_destroy(mo);
    subject bodies = subject_of(&(struct way){NULL, "double-pendulum", NULL, 0});
    bodies.o.own_retraction = r;
    suite_status("sparse", lg_motion_create(&mo, bodies.M, &bodies.o), LG_ERROR_UNSUPPORTED);
    suite_contains("sparse", lg_motion_message(mo), "has no retraction");
    lg_motion_destroy(mo);
    end(&s), end(&named), end(&bodies);
    lg_retraction_destroy(r);
}

/* Controls that are set hold, and are read. */
static void test_controls(void **state)
{
    static const struct way both[] = {{NULL, "furuta", NULL, 0}, {NULL, "furuta", "gni", 0}};
    const double u = 0.25;
    (void)state;
    for (int k = 0; k < 2; k++) {
        subject s = subject_of(&both[k]);
        lg_motion *mo = started(&s);
        well(lg_motion_set_control(mo, &u), mo);
        well(lg_motion_step(mo, 1), mo);
        assert_non_null(lg_motion_control(mo));
        suite_same_bits("control", lg_motion_control(mo), &u, 1);
        lg_motion_destroy(mo);
        end(&s);
    }
    subject s = subject_of(&(struct way){"heavy-top", NULL, NULL, 0});
    lg_motion *mo = started(&s);
    assert_null(lg_motion_control(mo));
    assert_null(lg_motion_control(NULL));
    lg_motion_destroy(mo);
    end(&s);
}

/* What there is to say of every function. */
static void test_wrong_input(void **state)
{
    static const struct way both[] = {{"heavy-top", NULL, NULL, 0}, {NULL, "double-pendulum", NULL, 0}};
    static const struct {
        const char *method, *retraction;
        double step, tolerance;
        int start, halvings;
        const char *said;
    } wrong[] = {{"nonsense", NULL, 0, 0, 0, 0, "nonsense"},
                 {"sem:gauss=2", "nonsense", 0, 0, 0, 0, "nonsense"},
                 {NULL, NULL, (double)INFINITY, 0, 0, 0, "the step is inf"},
                 {"gauss", NULL, 0, -1, 0, 0, "tolerance"},
                 {"sem", NULL, 0, 1e-9, 0, 0, "gauss"},
                 {NULL, NULL, 0, 0, 77, 0, "unknown start 77"},
                 {NULL, NULL, 0, 0, 0, 31, "31 halvings"}};
    (void)state;
    for (int k = 0; k < 2; k++) {
        subject s = subject_of(&both[k]);
        lg_motion *mo, *none = NULL;
        double row[ROW], u[2] = {(double)NAN, 0};
        for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
            lg_motion_options o = {sizeof o,           wrong[i].method,          wrong[i].retraction, wrong[i].step,
                                   wrong[i].tolerance, (lg_start)wrong[i].start, wrong[i].halvings,   NULL};
            if (lg_motion_create(&mo, s.M, &o) == LG_OK) suite_fail("the motion %d is made", (int)i);
            suite_contains("message", lg_motion_message(mo), wrong[i].said);
            suite_status("start", lg_motion_start(mo, 0, NULL, 1), LG_ERROR_ARGUMENT);
            suite_status("clone", lg_motion_clone(&none, mo), LG_ERROR_ARGUMENT);
            assert_true(none == NULL && isnan(lg_motion_step_size(mo)) && lg_motion_integrator(mo) == NULL);
            lg_motion_destroy(mo);
        }
        suite_status("no place", lg_motion_create(NULL, s.M, NULL), LG_ERROR_ARGUMENT);
        s.o.size = 3;
        suite_status("no size", lg_motion_create(&mo, s.M, &s.o), LG_ERROR_ARGUMENT);
        suite_contains("no size", lg_motion_message(mo), "lg_motion_options_default()");
        lg_motion_destroy(mo);
        s.o = lg_motion_options_default();
        mo = motion_of(&s);
        suite_status("step", lg_motion_step(mo, 1), LG_ERROR_ARGUMENT);
        suite_contains("step", lg_motion_message(mo), "lg_motion_start()");
        suite_status("reset", lg_motion_reset(mo), LG_ERROR_ARGUMENT);
        suite_status("run_to", lg_motion_run_to(mo, 1), LG_ERROR_ARGUMENT);
        suite_status("row", lg_motion_row(mo, row), LG_ERROR_ARGUMENT);
        suite_status("state", lg_motion_state(mo, row, NULL, NULL), LG_ERROR_ARGUMENT);
        suite_status("save", lg_motion_save(mo, row, 8), LG_ERROR_ARGUMENT);
        assert_true(isnan(lg_motion_time(mo)) && isnan(lg_motion_energy(mo)) && isnan(lg_motion_work(mo)));
        assert_true(isnan(lg_motion_gap(mo)) && isnan(lg_motion_slip(mo)) && isnan(lg_motion_found_step(mo)));
        assert_true(isnan(lg_motion_step_error(mo)) && lg_motion_iterations(mo) == 0 && lg_motion_remark(mo) == NULL);
        well(lg_motion_start(mo, 0, NULL, 1), mo);
        suite_status("back", lg_motion_step(mo, -1), LG_ERROR_ARGUMENT);
        suite_contains("back", lg_motion_message(mo), "must not be negative");
        suite_status("controls", lg_motion_set_control(mo, u), LG_ERROR_ARGUMENT);
        suite_contains("controls", lg_motion_message(mo), "controls");
        suite_status("tolerance", lg_motion_set_tolerance(mo, 1e-9), LG_ERROR_UNSUPPORTED);
        suite_contains("tolerance", lg_motion_message(mo), "gauss");
        suite_status("no bytes", lg_motion_load(mo, NULL, 0), LG_ERROR_ARGUMENT);
        assert_true(lg_motion_message(mo)[0] != '\0' && lg_motion_tolerance(mo) == 0);
        lg_motion_destroy(mo);
        end(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_copies),          cmocka_unit_test(test_run_to),
        cmocka_unit_test(test_events),          cmocka_unit_test(test_events_that_are_refused),
        cmocka_unit_test(test_starts),          cmocka_unit_test(test_halvings),
        cmocka_unit_test(test_own_retractions), cmocka_unit_test(test_controls),
        cmocka_unit_test(test_wrong_input),
    };
    suite_begin("motions");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
