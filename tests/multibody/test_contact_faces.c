/* SPDX-License-Identifier: BSD-3-Clause */
/* Disks and cylinders whose rim touches, and whose other side comes down, with its restitution,
 * until they lie. */
#include <math.h>

#include "support/touching.h"

/* A disk or cylinder on the ground, tilted about the y axis, that turns about its own axis; its low side is `up` above.
 */
static lg_motion *tilted(lg_mechanism **m, lg_surface_kind kind, double friction, double restitution, double h,
                         double tilt, double spin, double up)
{
    const double half[3] = {0.2, 0.02, 0.02};
    const double z = half[0] * sin(tilt) + (kind == LG_SURFACE_CYLINDER ? half[1] * cos(tilt) : 0) + up;
    const double pose[7] = {0, 0, z, 0, sin(tilt / 2), 0, cos(tilt / 2)};
    const double v[6] = {0, 0, 0, spin * sin(tilt), 0, spin * cos(tilt)};
    *m = touch_ground(friction, restitution, 0);
    touch_thing(*m, "b", kind, half, (double[3]){0, 0, z}, 0, friction, restitution);
    lg_motion *mo = touch_motion(*m, h);
    motion_well(lg_motion_start_poses(mo, 0, pose, v, 0), mo);
    suite_case("%s: tilt %g, spin %g, friction %g, restitution %g, h = %g", lg_surface_kind_name(kind), tilt, spin,
               friction, restitution, h);
    return mo;
}

static void finish(lg_motion *mo, lg_mechanism *m)
{
    lg_motion_destroy(mo);
    lg_mechanism_destroy(m);
}

/* It rocks from side to side for ever. */
static void rocks(void **unused)
{
    (void)unused;
    lg_mechanism *m;
    lg_motion *mo = tilted(&m, LG_SURFACE_DISK, 0, 1, 0.005, 0.5, 0, 0);
    touch_watch w = touch_begin(mo);
    touch_run(&w, mo, 600);
    suite_near1("energy", lg_motion_energy(mo), w.H0, 1e-11, w.H0);
    suite_above("impacts", (double)lg_motion_impacts(mo), 8);
    finish(mo, m);
}

/* Each strike takes 1 - e^2 of what turns it, whatever the step is, until it lies. */
static void strikes(void **unused)
{
    (void)unused;
    double first[2] = {0, 0};
    for (int k = 0; k < 2; k++) {
        lg_mechanism *m;
        const double h = k ? 0.001 : 0.005;
        lg_motion *mo = tilted(&m, LG_SURFACE_DISK, 0, 0.5, h, 0.5, 0, 0);
        touch_watch w = touch_begin(mo);
        while (lg_motion_impacts(mo) == 0) touch_run(&w, mo, 1);
        first[k] = touch_account(mo).impact_normal / w.H0;
        touch_run(&w, mo, (int64_t)(3 / h));
        suite_above("impacts", (double)lg_motion_impacts(mo), 5);
        suite_below("at rest", lg_motion_energy(mo), 1e-12);
        suite_below("node", fabs(touch_account(mo).node), 0.01 * w.H0);
        finish(mo, m);
    }
    suite_near1("first strike", first[0], first[1], 1e-5, 1);
}

/* Slow and fast, flat and steep, dropped or not: in the end they lie. */
static void lie(void **unused)
{
    static const struct {
        lg_surface_kind kind;
        double friction, restitution, h, tilt, spin, up;
    } all[] = {
        {LG_SURFACE_CYLINDER, 0.3, 0.5, 0.005, 0.2, 20, 0},    {LG_SURFACE_CYLINDER, 0.3, 0.5, 0.01, 0.2, 20, 0},
        {LG_SURFACE_DISK, 0.3, 0.5, 0.005, 0.5, 0, 0},         {LG_SURFACE_DISK, 0.3, 0, 0.005, 0.5, 10, 0},
        {LG_SURFACE_CYLINDER, 0.3, 0.5, 0.0025, 0.01, 0, 0.2}, {LG_SURFACE_CYLINDER, 0.3, 0.5, 0.0025, 0.01, 5, 0.2},
        {LG_SURFACE_CYLINDER, 0.3, 0.5, 0.005, 0.05, 1, 0.2},  {LG_SURFACE_DISK, 0.6, 0.5, 0.005, 1.4, 1, 0}};
    (void)unused;
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        lg_mechanism *m;
        lg_motion *mo =
            tilted(&m, all[i].kind, all[i].friction, all[i].restitution, all[i].h, all[i].tilt, all[i].spin, all[i].up);
        touch_watch w = touch_begin(mo);
        touch_run(&w, mo, (int64_t)(3 / all[i].h));
        const double least = all[i].kind == LG_SURFACE_CYLINDER ? 9.81 * 0.02 : 0;
        suite_near1("it lies", lg_motion_energy(mo), least, 1e-12, w.H0);
        finish(mo, m);
    }
}

int main(void)
{
    suite_begin("contact_faces");
    const struct CMUnitTest tests[] = {cmocka_unit_test(rocks), cmocka_unit_test(strikes), cmocka_unit_test(lie)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
