/* SPDX-License-Identifier: BSD-3-Clause */
/* Spheres that fall into one heap: how the time of 200 steps of 5 ms grows with their number, with impacts localised,
 * which is the default, and without. Seconds are those of the processor. build/benchmarks/bench_heaps [--quick] */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <liegrp/liegrp.h>

#include "benchmarks/support.h"

#define RADIUS 0.1
#define PITCH  0.22

static void fail(const char *what, const char *why)
{
    fprintf(stderr, "heaps: %s: %s\n", what, why);
    exit(1);
}

static void well(lg_status st, const lg_mechanism *m)
{
    if (st != LG_OK) fail("mechanism", lg_mechanism_message(m));
}

/* Layers of side x side spheres of 1 kg above the ground. */
static lg_mechanism *make(int count, int side)
{
    static const double gravity[3] = {0, 0, -9.81};
    lg_mechanism *m = NULL;
    well(lg_mechanism_create(&m), m);
    well(lg_mechanism_set_gravity(m, gravity), m);
    lg_surface ground = lg_surface_default("ground", NULL);
    ground.kind = LG_SURFACE_PLANE, ground.friction = ground.restitution = 1;
    well(lg_mechanism_add_surface(m, NULL, &ground), m);
    for (int i = 0; i < count; i++) {
        char name[16];
        (void)snprintf(name, sizeof name, "b%d", i);
        lg_body b = lg_body_default(name);
        b.mass = 1;
        b.inertia[0] = b.inertia[1] = b.inertia[2] = 0.4 * RADIUS * RADIUS;
        b.position[0] = PITCH * (i % side) + 0.01 * sin(i),
        b.position[1] = PITCH * (i / side % side) + 0.01 * cos(3 * i);
        b.position[2] = 0.6 * PITCH + PITCH * (i / (side * side));
        well(lg_mechanism_add_body(m, NULL, &b), m);
        lg_surface s = lg_surface_default(name, name);
        s.kind = LG_SURFACE_SPHERE, s.half[0] = RADIUS, s.friction = 0.4, s.restitution = 0.3;
        well(lg_mechanism_add_surface(m, NULL, &s), m);
    }
    well(lg_mechanism_compile(m), m);
    return m;
}

/* Seconds of a fall. */
static double fall(int count, int localise, int steps, double *impacts)
{
    lg_mechanism *m = make(count, (int)ceil(cbrt(count) - 1e-9));
    lg_model *M = NULL;
    lg_motion *mo = NULL;
    lg_motion_options o = lg_motion_options_default();
    lg_contact_options contact = lg_contact_options_default();
    o.step = 0.005, contact.localise = localise;
    if (lg_model_of_mechanism(&M, m, "heap") != LG_OK) fail("model", lg_model_message(M));
    lg_status st = lg_motion_create(&mo, M, &o);
    if (st == LG_OK) st = lg_motion_start_joints(mo, 0, NULL, NULL, 0);
    if (st == LG_OK) st = lg_motion_set_contact(mo, &contact);
    const clock_t begin = clock();
    if (st == LG_OK) st = lg_motion_step(mo, steps);
    const double seconds = (double)(clock() - begin) / CLOCKS_PER_SEC;
    if (st != LG_OK) fail("step", lg_motion_message(mo));
    *impacts = (double)lg_motion_impacts(mo);
    lg_motion_destroy(mo), lg_model_destroy(M), lg_mechanism_destroy(m);
    return seconds;
}

int main(int argc, char **argv)
{
    static const int counts[] = {50, 100, 200, 400, 1000};
    const bench_options o = bench_parse(argc, argv, "spheres that fall into one heap");
    if (o.json) fail("--json", "the table is text alone");
    const int sizes = o.quick ? 2 : 5, steps = o.quick ? 40 : 200;
    printf("| spheres | localised, s | impacts | localise = 0, s |\n|---|---|---|---|\n");
    for (int i = 0; i < sizes; i++) {
        double impacts, none;
        const double own = fall(counts[i], 1, steps, &impacts), plain = fall(counts[i], 0, steps, &none);
        printf("| %d | %.3g | %.0f | %.3g |\n", counts[i], own, impacts, plain);
        (void)fflush(stdout);
    }
    return 0;
}
