/* SPDX-License-Identifier: BSD-3-Clause */
#include "energy_systems.h"

#include <string.h>

static const double sleigh_xi[3] = {-0.6, 0, 1};
static const setting c2[] = {{"c2", -0.1}, {0}}, quartic[] = {{"c2", -0.1}, {"quartic", 1}, {0}};
static const setting eps_zero[] = {{"eps", 0}, {0}}, eps_some[] = {{"eps", 0.3}, {0}};
static const setting shift[] = {{"eps", 0}, {"shift", 1}, {0}}, free_arm[] = {{"kx", 0}, {0}};
static const setting at_rest[] = {{"Omega", 0}, {0}};

/* Who makes a name: test_system_make(), a family, or the catalog and the ledger, with settings and another velocity. */
static const struct {
    const char *name;
    double h;
    void (*make)(test_system *t, const char *name);
    const char *system;
    const setting *set;
    const double *xi0;
} table[] = {
    {"particle", 0.1, test_system_make, NULL, NULL, NULL},
    {"so3_bi", 0.1, test_system_make, NULL, NULL, NULL},
    {"ball_formal", 0.1, test_system_make, NULL, NULL, NULL},
    {"ball_hom", 0.1, test_system_make, NULL, NULL, NULL},
    {"ball_phys", 0.1, test_system_make, NULL, NULL, NULL},
    {"veselova_top", 0.1, test_system_make, NULL, NULL, NULL},
    {"affine_particle", 0.1, test_system_make, NULL, NULL, NULL},
    {"reduced_mixed", 0.1, test_system_make, NULL, NULL, NULL},
    {"reduced_affine", 0.1, test_system_make, NULL, NULL, NULL},
    {"se3", 0.1, test_system_make, NULL, NULL, NULL},
    {"particle_quad", 0.1, NULL, "particle-quadratic", NULL, NULL},
    {"snakeboard", 0.1, NULL, "snakeboard-planar", NULL, NULL},
    {"robot", 0.1, NULL, "mobile-robot", NULL, NULL},
    {"sleighM", 0.1, NULL, "chaplygin-sleigh-planar", NULL, sleigh_xi},
    {"twolink", 0.02, NULL, "two-link-arm", NULL, NULL},
    {"sphp", 0.1, make_pendulum, NULL, NULL, NULL},
    {"sphs", 0.1, make_pendulum, NULL, NULL, NULL},
    {"sphm", 0.1, make_pendulum, NULL, NULL, NULL},
    {"dsp", 0.1, NULL, "double-spherical-pendulum", NULL, NULL},
    {"movpend", 0.1, make_pendulum, NULL, NULL, NULL},
    {"cvt_rev", 0.1, NULL, "cvt", NULL, NULL},
    {"cvt_non", 0.1, NULL, "cvt", c2, NULL},
    {"cvt_non4", 0.1, NULL, "cvt", quartic, NULL},
    {"contact", 0.1, NULL, "contact-oscillator", eps_zero, NULL},
    {"contact_eps", 0.1, NULL, "contact-oscillator", eps_some, NULL},
    {"contact_shift", 0.1, NULL, "contact-oscillator", shift, NULL},
    {"chaotic", 0.1, NULL, "chaotic-oscillator", NULL, NULL},
    {"sleigh", 0.1, NULL, "chaplygin-sleigh", NULL, NULL},
    {"sleigh_pot", 0.1, make_body, NULL, NULL, NULL},
    {"sdrive", 0.1, NULL, "driven-sleigh", NULL, NULL},
    {"blade", 0.1, NULL, "steered-blade", NULL, NULL},
    {"arm", 0.1, NULL, "mobile-arm", NULL, NULL},
    {"arm_free", 0.1, NULL, "mobile-arm", free_arm, NULL},
    {"racer", 0.1, NULL, "roller-racer", NULL, NULL},
    {"trailer", 0.1, NULL, "cart-trailer", NULL, NULL},
    {"suslov", 0.1, NULL, "suslov", NULL, NULL},
    {"se3_pot", 0.1, make_body, NULL, NULL, NULL},
    {"veselova", 0.1, make_body, NULL, NULL, NULL},
    {"top", 0.1, make_body, NULL, NULL, NULL},
    {"dtop", 0.1, make_body, NULL, NULL, NULL},
    {"vtop", 0.1, make_body, NULL, NULL, NULL},
    {"ballt", 0.1, NULL, "turntable", NULL, NULL},
    {"ball_phys0", 0.1, NULL, "chaplygin-sphere", at_rest, NULL},
    {"disk", 0.01, NULL, "rolling-disk", NULL, NULL},
    {"diskB", 0.01, make_body, NULL, NULL, NULL},
    {"diskH", 0.01, NULL, "rolling-disk-exact", NULL, NULL},
    {"rattleback-", 0.001, make_body, NULL, NULL, NULL},
    {"rattleback+", 0.001, make_body, NULL, NULL, NULL},
    {"rattle-", 0.001, make_body, NULL, NULL, NULL},
    {"rattle+", 0.001, make_body, NULL, NULL, NULL},
};

enum { COUNT = sizeof table / sizeof table[0] };

/* The chaotic oscillator of the ledger has no derivative of its rows. */
static int chaotic_along(const lg_call *c, const double *q, const double *eta, double *dmu, double *dY)
{
    (void)c;
    (void)q;
    (void)dY;
    for (int i = 0; i < 3; i++) dmu[4 + i] = eta[1 + i];
    return 0;
}

const char *energy_system_name(int i)
{
    return i < COUNT ? table[i].name : NULL;
}

void energy_system_make(test_system *t, const char *name)
{
    for (int i = 0; i < COUNT; i++) {
        if (strcmp(table[i].name, name) != 0) continue;
        memset(t, 0, sizeof *t);
        if (table[i].make != NULL)
            table[i].make(t, name);
        else
            test_system_of_model(t, table[i].system, table[i].set);
        if (table[i].xi0 != NULL) memcpy(t->xi0, table[i].xi0, sizeof sleigh_xi);
        if (strcmp(name, "chaotic") == 0) t->S.callbacks.covectors_derivative = chaotic_along;
        if (strcmp(name, "arm_free") == 0) t->S.constraint_count = 0, t->S.covector_matrix = NULL;
        t->name = table[i].name;
        t->h = table[i].h;
        system_project(&t->S, 0, t->g0, t->xi0);
        return;
    }
    suite_fail("no test system '%s'", name);
}
