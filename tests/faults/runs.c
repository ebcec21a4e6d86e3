/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs of models into files, what is measured beside them, references, convergence. */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "faults.h"
#include "models.h"
#include "runs.h"

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
    lg_monitor *m;
    lg_reference *R;
    lg_convergence convergence;
} own;

static void close_all(void)
{
    lg_monitor_destroy(own.m);
    lg_reference_destroy(own.R);
    own.m = NULL, own.R = NULL;
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

static lg_run_options options_of(const fault_case *c)
{
    static const char *const methods[] = {"sem", "gni", "gauss", "sem", "gauss", "sem", "sem"};
    lg_run_options o = lg_run_options_default();
    o.method = methods[c->j], o.steps = 8, o.monitor = &own.m;
    if (c->j == 3) o.format = LG_FORMAT_NPY;
    if (c->j == 4) o.tolerance = 1e-8;
    if (c->j == 5) o.provenance = 1;
    if (c->j == 6) o.format = LG_FORMAT_NPZ;
    o.output = fault_file();
    return o;
}

static lg_status run(fault_case *c)
{
    const lg_run_options o = options_of(c);
    lg_monitor_destroy(own.m);
    own.m = NULL;
    own.result = lg_run_result_default();
    fault_file_begin();
    lg_status st = lg_run(fault_own.M, &own.result, &o);
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

static lg_run_options few_steps(const fault_case *c)
{
    lg_run_options o = lg_run_options_default();
    o.method = c->b, o.steps = 4;
    return o;
}

static lg_status reference(fault_case *c)
{
    const lg_run_options o = few_steps(c);
    lg_reference_destroy(own.R);
    own.R = NULL;
    lg_status st = lg_reference_create(&own.R, fault_own.M, &o);
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
    const lg_run_options o = few_steps(c);
    lg_status st = lg_convergence_measure(fault_own.M, &own.convergence, own.R, &o, 3);
    c->said = own.convergence.message;
    if (st != LG_OK) return st;
    for (int k = 0; k < own.convergence.levels; k++) {
        fault_fold(c, own.convergence.level[k].error, own.convergence.columns);
        fault_fold_text(c, own.convergence.level[k].message);
    }
    fault_fold(c, own.convergence.order, own.convergence.columns);
    return st;
}

const fault_row fault_runs[] = {
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
     .elsewhere = "what is measured beside a run never ends it: tests/run/test_accuracy.c"},
    {.name = "reference, convergence",
     .first = fault_catalog,
     .second = methods,
     .stride = 5,
     .verbs = {MODEL, reference, convergence},
     .close = close_all,
     .elsewhere = "a step size or a method whose callback fails is left out: tests/run/test_convergence.c"},
    {.name = NULL},
};
