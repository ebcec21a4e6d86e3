/* SPDX-License-Identifier: BSD-3-Clause */
#include "energy_systems.h"

#include <string.h>

/* Which family makes a name; the first ten are those of test_system_make(). */
static const struct {
    const char *name;
    void (*make)(test_system *t, const char *name);
    double h;
} table[] = {
    {"particle", test_system_make, 0.1},
    {"so3_bi", test_system_make, 0.1},
    {"ball_formal", test_system_make, 0.1},
    {"ball_hom", test_system_make, 0.1},
    {"ball_phys", test_system_make, 0.1},
    {"veselova_top", test_system_make, 0.1},
    {"affine_particle", test_system_make, 0.1},
    {"reduced_mixed", test_system_make, 0.1},
    {"reduced_affine", test_system_make, 0.1},
    {"se3", test_system_make, 0.1},
    {"particle_quad", make_wheel, 0.1},
    {"snakeboard", make_wheel, 0.1},
    {"robot", make_wheel, 0.1},
    {"sleighM", make_wheel, 0.1},
    {"twolink", make_pendulum, 0.02},
    {"sphp", make_pendulum, 0.1},
    {"sphs", make_pendulum, 0.1},
    {"sphm", make_pendulum, 0.1},
    {"dsp", make_pendulum, 0.1},
    {"movpend", make_pendulum, 0.1},
    {"cvt_rev", make_benchmark, 0.1},
    {"cvt_non", make_benchmark, 0.1},
    {"cvt_non4", make_benchmark, 0.1},
    {"contact", make_benchmark, 0.1},
    {"contact_eps", make_benchmark, 0.1},
    {"contact_shift", make_benchmark, 0.1},
    {"chaotic", make_benchmark, 0.1},
    {"sleigh", make_vehicle, 0.1},
    {"sleigh_pot", make_vehicle, 0.1},
    {"sdrive", make_vehicle, 0.1},
    {"blade", make_vehicle, 0.1},
    {"arm", make_vehicle, 0.1},
    {"arm_free", make_vehicle, 0.1},
    {"racer", make_vehicle, 0.1},
    {"trailer", make_vehicle, 0.1},
    {"suslov", make_attitude, 0.1},
    {"se3_pot", make_attitude, 0.1},
    {"veselova", make_attitude, 0.1},
    {"top", make_attitude, 0.1},
    {"dtop", make_attitude, 0.1},
    {"vtop", make_attitude, 0.1},
    {"ballt", make_attitude, 0.1},
    {"ball_phys0", make_attitude, 0.1},
    {"disk", make_rolling, 0.01},
    {"diskB", make_rolling, 0.01},
    {"diskH", make_rolling, 0.01},
    {"rattleback-", make_rolling, 0.001},
    {"rattleback+", make_rolling, 0.001},
    {"rattle-", make_rolling, 0.001},
    {"rattle+", make_rolling, 0.001},
};

enum { COUNT = sizeof table / sizeof table[0] };

const char *energy_system_name(int i)
{
    return i < COUNT ? table[i].name : NULL;
}

void energy_system_make(test_system *t, const char *name)
{
    for (int i = 0; i < COUNT; i++) {
        if (strcmp(table[i].name, name) != 0) continue;
        memset(t, 0, sizeof *t);
        table[i].make(t, name);
        t->name = table[i].name;
        t->h = table[i].h;
        system_project(&t->S, 0, t->g0, t->xi0);
        return;
    }
    suite_fail("no test system '%s'", name);
}
