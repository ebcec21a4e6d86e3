/* SPDX-License-Identifier: BSD-3-Clause */
#include "bench.h"

#include <stdlib.h>
#include <string.h>

#include "energy_systems.h"
#include "retractions/retraction.h"

void bench_open(bench *b, const lg_system *S, const lg_retraction *r)
{
    lg_error e;
    lg_arena size = {NULL, 0};
    if (lg_standalone_open(&b->alone, S, &e) != LG_OK) suite_fail("alone: %s", e.message);
    lg_acceleration_carve(&b->a, &b->alone.f, &size);
    if (r != NULL) lg_field_init(&b->alone.f, &b->alone.S, r);
    size_t work = lg_field_work_bytes(&b->alone.f);
    lg_field_carve(&b->alone.f, &size);
    (void)lg_take(&size, work);
    b->block = lg_reserve(size.used);
    assert_non_null(b->block);
    lg_arena arena = {b->block, 0};
    lg_acceleration_carve(&b->a, &b->alone.f, &arena);
    lg_field_carve(&b->alone.f, &arena);
    b->alone.f.work = lg_take(&arena, work);
    b->alone.f.control = b->alone.control;
}

void bench_close(bench *b)
{
    lg_release(b->block);
    lg_release(b->alone.block);
}

void bench_accelerate(bench *b, double t, const double *g, const double *xi, double *xidot)
{
    int code = -1;
    suite_ok("acceleration", lg_field_acceleration(&b->alone.f, &b->a, t, g, xi, xidot, &code));
    assert_int_equal(code, 0);
}

lg_system bench_stripped(const lg_system *S)
{
    lg_system plain = *S;
    plain.callbacks.potential_gradient = NULL, plain.callbacks.metric_gradient = NULL,
    plain.callbacks.covectors_derivative = NULL;
    plain.callbacks.holonomic_differential = NULL, plain.callbacks.holonomic_rate = NULL;
    plain.callbacks.covectors_rate = NULL, plain.callbacks.holonomic_acceleration = NULL;
    return plain;
}

int bench_system(test_system *t, int i)
{
    if (i < TEST_SYSTEMS) {
        test_system_make(t, test_system_names[i]);
        return 1;
    }
    const char *name = energy_system_name(i - TEST_SYSTEMS);
    if (name == NULL) return 0;
    energy_system_make(t, name);
    return 1;
}

int bench_sharp(const test_system *t)
{
    return strncmp(t->name, "rattle", 6) == 0;
}
