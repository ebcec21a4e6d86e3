/* SPDX-License-Identifier: BSD-3-Clause */
/* Motions of models and their monitors, runs into files with measurements, references, convergence. */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "faults.h"
#include "models.h"
#include "runs.h"
#include "support/motions.h"

static const char old[] = "what was there\n";

static const char *file_name(void)
{
    static char name[64];
    if (name[0] == '\0') snprintf(name, sizeof name, "faults-%ld.tmp", (long)getpid());
    return name;
}

/* Plain calls of the system: nothing here may fail. */
void fault_file_begin(void)
{
    const int fd = open(file_name(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (fd < 0 || write(fd, old, strlen(old)) != (ssize_t)strlen(old)) suite_fail("no file");
    (void)close(fd);
}

const char *fault_file(void)
{
    return file_name();
}

void fault_file_end(fault_case *c, lg_status status)
{
    static char text[1 << 16];
    const int fd = open(file_name(), O_RDONLY);
    const ssize_t n = fd < 0 ? -1 : read(fd, text, sizeof text - 1);
    if (n < 0) suite_fail("the file is gone");
    (void)close(fd);
    text[n] = '\0';
    if (status == LG_OK && strcmp(text, old) == 0) suite_fail("nothing was written");
    if (status != LG_OK && status != LG_ERROR_CALLBACK && strcmp(text, old) != 0) suite_fail("the old file is lost");
    fault_fold_text(c, text);
}

void fault_file_close(void)
{
    char beside[256];
    snprintf(beside, sizeof beside, "%s.json", file_name());
    (void)unlink(beside);
    (void)unlink(file_name());
}

static struct {
    lg_run_result result;
    lg_motion *mo, *copy;
    lg_monitor *m;
    lg_reference *R;
    lg_convergence convergence;
} own;

static void close_all(void)
{
    lg_monitor_destroy(own.m);
    lg_reference_destroy(own.R);
    lg_motion_destroy(own.copy);
    lg_motion_destroy(own.mo);
    own.m = NULL, own.R = NULL, own.copy = NULL, own.mo = NULL;
    fault_model_close();
    fault_file_close();
}

static const char *const *ways(void)
{
    static const char *const names[] = {"sem",     "gni", "gauss", "sem npy", "gauss tolerance", "sem provenance",
#ifndef LG_WITHOUT_ZLIB
                                        "sem npz",
#endif
                                        NULL};
    return names;
}

static model_run options_of(const fault_case *c)
{
    static const char *const methods[] = {"sem", "gni", "gauss", "sem", "gauss", "sem", "sem"};
    model_run o = model_run_default();
    o.motion.method = methods[c->j], o.run.steps = 8, o.run.monitor = &own.m;
    if (c->j == 3) o.run.format = LG_FORMAT_NPY;
    if (c->j == 4) o.motion.tolerance = 1e-8;
    if (c->j == 5) o.run.provenance = 1;
    if (c->j == 6) o.run.format = LG_FORMAT_NPZ;
    o.run.output = fault_file();
    return o;
}

static lg_status run(fault_case *c)
{
    const model_run o = options_of(c);
    lg_monitor_destroy(own.m);
    own.m = NULL;
    own.result = lg_run_result_default();
    fault_file_begin();
    lg_status st = model_run_whole(fault_own.M, &own.result, &o);
    c->said = own.result.message;
    fault_file_end(c, st);
    if (st != LG_OK) return st;
    fault_fold(c, &own.result.energy_first, 5);
    fault_fold(c, &own.result.error_rotation, 3);
    fault_fold(c, &own.result.resolution, 1);
    return st;
}

static const char *const *methods(void)
{
    static const char *const names[] = {"sem", "gni", NULL};
    return names;
}

static model_run few_steps(const fault_case *c)
{
    model_run o = model_run_default();
    o.motion.method = c->b, o.run.steps = 4;
    return o;
}

static lg_status reference(fault_case *c)
{
    const model_run o = few_steps(c);
    lg_reference_destroy(own.R);
    own.R = NULL;
    lg_status st = lg_reference_create(&own.R, fault_own.M, &o.motion, o.run.steps, 0);
    if (own.R != NULL) c->said = lg_reference_message(own.R);
    if (st != LG_OK) return st;
    for (int i = 0; i < lg_reference_column_count(own.R); i++) {
        const lg_convergence_column *column = lg_reference_column(own.R, i);
        fault_fold(c, &column->error, 2), fault_fold(c, &(double){column->exact}, 1);
    }
    if (lg_reference_method(own.R) != NULL) fault_fold_text(c, lg_reference_method(own.R));
    return st;
}

static lg_status convergence(fault_case *c)
{
    const model_run o = few_steps(c);
    lg_status st = lg_convergence_measure(fault_own.M, &own.convergence, own.R, &o.motion, o.run.steps, 3);
    c->said = own.convergence.message;
    if (st != LG_OK) return st;
    for (int k = 0; k < own.convergence.levels; k++) {
        fault_fold(c, own.convergence.level[k].error, own.convergence.columns);
        fault_fold_text(c, own.convergence.level[k].message);
    }
    fault_fold(c, own.convergence.order, own.convergence.columns);
    return st;
}

static const char *const *motion_methods(void)
{
    static const char *const names[] = {"sem", "gni", "gni:midpoint", "gauss", "rk4", NULL};
    return names;
}

static lg_status motion(fault_case *c)
{
    lg_motion_options o = lg_motion_options_default();
    lg_motion_destroy(own.mo);
    own.mo = NULL;
    o.method = c->b, o.step = 0.01;
    lg_status st = lg_motion_create(&own.mo, fault_own.M, &o);
    if (own.mo != NULL) c->said = lg_motion_message(own.mo);
    return st;
}

static lg_status start(fault_case *c)
{
    lg_status st = lg_motion_start(own.mo, 0, NULL, 1);
    c->said = lg_motion_message(own.mo);
    return st;
}

static lg_status monitor(fault_case *c)
{
    lg_monitor_figures f = lg_monitor_figures_default();
    lg_monitor_destroy(own.m);
    own.m = NULL;
    lg_status st = lg_monitor_create(&own.m, own.mo, 10, 1);
    if (st != LG_OK) return st;
    lg_monitor_observe(own.m, own.mo);
    st = lg_monitor_read(own.m, &f);
    fault_fold(c, &f.energy.first, 1);
    return st;
}

static lg_status steps_of(fault_case *c, lg_motion *mo, int64_t until)
{
    static double row[1000];
    lg_status st = LG_OK;
    if (lg_model_column_count(fault_own.M) > 1000) suite_fail("too many columns");
    while (st == LG_OK && lg_motion_step_index(mo) < until) st = lg_motion_step(mo, 1);
    c->said = lg_motion_message(mo);
    if (st == LG_OK) st = lg_motion_row(mo, row);
    if (st == LG_OK) fault_fold(c, row, lg_model_column_count(fault_own.M));
    return st;
}

static lg_status steps(fault_case *c)
{
    return steps_of(c, own.mo, 3);
}

static lg_status predict(fault_case *c)
{
    lg_status st = lg_monitor_predict(own.m, own.mo);
    (void)c;
    return st == LG_ERROR_UNSUPPORTED ? LG_OK : st;
}

static lg_status clone(fault_case *c)
{
    lg_motion_destroy(own.copy);
    own.copy = NULL;
    lg_status st = lg_motion_clone(&own.copy, own.mo);
    if (own.copy != NULL) c->said = lg_motion_message(own.copy);
    return st;
}

static lg_status steps_of_clone(fault_case *c)
{
    return steps_of(c, own.copy, 5);
}

static int passing(const lg_motion *mo, double *f, void *context)
{
    (void)context;
    if (fault_callback()) return FAULT_CODE;
    *f = lg_motion_time(mo) - 0.0421;
    return 0;
}

static lg_status event(fault_case *c)
{
    const lg_motion_event e = lg_motion_event_default(passing, NULL);
    int found = 0;
    lg_status st = LG_OK;
    while (st == LG_OK && !found && lg_motion_time(own.mo) < 0.1) st = lg_motion_step_to_event(own.mo, &found, &e);
    c->said = lg_motion_message(own.mo);
    if (st == LG_OK && !found) suite_fail("no event");
    return st == LG_OK ? steps_of(c, own.mo, 0) : st;
}

const fault_row fault_runs[] = {
    {.name = "motion of a model",
     .first = fault_catalog,
     .second = motion_methods,
     .stride = 5,
     .verbs = {MODEL, motion, start, monitor, steps, predict, clone, steps_of_clone, event},
     .close = close_all,
     .quiet = {NULL, "a value that cannot be evaluated becomes NaN, by contract"},
     .elsewhere = "a callback that fails refuses the copy's state: tests/integrators/test_checkpoints.c"},
    {.name = "lg_run",
     .first = fault_catalog,
     .second = ways,
     .stride = 5,
     .verbs = {MODEL, run},
     .close = close_all,
     .quiet = {FAULT_STREAM "; and a run that is complete is not lost for want of the growth rate at its end, "
                            "growth_predictions is 0 then",
               NULL},
     .quiet_most = 8,
     .elsewhere = "measurements during a run never end it: tests/run/test_accuracy.c"},
    {.name = "reference, convergence",
     .first = fault_catalog,
     .second = methods,
     .stride = 5,
     .verbs = {MODEL, reference, convergence},
     .close = close_all,
     .elsewhere = "a step size or a method whose callback fails is left out: tests/run/test_convergence.c"},
    {.name = NULL},
};
