/* SPDX-License-Identifier: BSD-3-Clause */
/* Motions: every mechanism of the gallery from its own state by every method, and by steps that are found. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <liegrp/multibody/gallery.h>
#include <liegrp/multibody/system.h>

#include "bits.h"
#include "support/motions.h"

enum { BODIES = 32, STEPS = 6 };

typedef struct way {
    const char *method;
    double tolerance; /* 0: none */
} way;

static lg_status move(lg_motion *mo, int i, double tolerance)
{
    lg_status st = lg_gallery_start(mo, i);
    if (st == LG_OK && tolerance > 0) st = lg_motion_set_tolerance(mo, tolerance);
    return st == LG_OK ? lg_motion_step(mo, STEPS) : st;
}

static void one_line(int i, const way *w, const bits_ways *ways)
{
    double x[13 * BODIES] = {0};
    char words[120];
    uint64_t digest = bits_none();
    lg_mechanism *m = NULL;
    lg_motion *mo = NULL;
    if (!bits_wanted(ways)) return;
    lg_status st = lg_gallery_create(&m, i);
    if (st == LG_OK) st = motion_create(&mo, m, w->method, (w->tolerance > 0 ? 10 : 1) * lg_gallery_step(i));
    const int refused = st != LG_OK; /* rattle takes no wheels */
    if (!refused) st = move(mo, i, w->tolerance);
    const int bodies = lg_mechanism_body_count(m);
    if (!refused && lg_motion_state(mo, x, NULL, x + 7 * bodies) == LG_OK) bits_fold(&digest, x, 13 * (size_t)bodies);
    lg_motion_destroy(mo);
    lg_mechanism_destroy(m);
    if (refused) return;
    bits_instance(st == LG_OK);
    if (w->tolerance > 0)
        snprintf(words, sizeof words, "motion %s %s tolerance %g", lg_gallery_name(i), w->method, w->tolerance);
    else
        snprintf(words, sizeof words, "motion %s %s", lg_gallery_name(i), w->method);
    bits_line(words, digest);
}

void bits_of_motions(const bits_ways *ways)
{
    static const way all[] = {{"sem", 0},   {"sem@suzuki4", 0},    {"rattle", 0},
                              {"gauss", 0}, {"gauss:stages=3", 0}, {"gauss", 1e-8}};
    char width[16];
    bits_ways most = *ways;
    if (ways->thin <= 3) most.thin = 1, most.phase = 0; /* few, and their methods come in sixes: a third has two */
    snprintf(width, sizeof width, "%d", ways->width > 0 ? ways->width : 1);
    setenv("LIEGRP_WIDTH", width, 1); /* of stages */
    for (int i = 0; i < lg_gallery_count(); i++)
        for (size_t k = 0; k < sizeof all / sizeof all[0]; k++) one_line(i, &all[k], &most);
    unsetenv("LIEGRP_WIDTH");
}
