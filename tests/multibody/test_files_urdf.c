/* SPDX-License-Identifier: BSD-3-Clause */
/* URDF files that are not perfect: what is not read and would change the motion, what may be ignored, blanks before the
 * declaration. */
#include <string.h>

#include "multibody/files/reader.h"
#include "support/mechanisms.h"

#define MASS "<inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1'/></inertial>"
#define ROBOT(joint, rest)                                                                                             \
    "<robot name='r'><link name='a'/><link name='b'>" MASS "</link>"                                                   \
    "<joint name='j' " joint "<parent link='a'/><child link='b'/></joint>" rest "</robot>"

static lg_mechanism *with_ignored(const char *text, const char *name)
{
    const char *const names[] = {name, NULL};
    lg_mechanism_file o = lg_mechanism_file_default();
    o.ignore = names;
    return mechanism_of_text(text, &o);
}

static void refused(const char *text, const char *words)
{
    mechanism_rejected(LG_ERROR_UNSUPPORTED, text, words);
}

/* What would change the motion is refused, and read without it if its name is ignored; what says nothing is read. */
static void rule(void **unused)
{
    static const struct {
        const char *text, *words, *name, *remark;
    } cases[] = {
        {ROBOT("type='continuous'><dynamics damping='1' friction='0.5'/>", ""),
         "robot:1: friction of <dynamics> is not read and would change the motion; without it: --ignore friction",
         "friction", "friction of <dynamics> is ignored, as you ask"},
        {ROBOT("type='continuous'><dynamics dampening='1'/>", ""), "dampening of <dynamics>", "dampening",
         "dampening of <dynamics> is ignored"},
        {ROBOT("type='continuous'><spring stiffness='1'/>", ""), "<spring> is not read and would change", "spring",
         "<spring> is ignored"},
        {ROBOT("type='planar'><dynamics damping='1'/>", ""), "damping of <dynamics>", "damping",
         "damping of <dynamics> is ignored"},
        {ROBOT("type='floating'><dynamics damping='1'/>", ""), "damping of <dynamics>", "damping",
         "damping of <dynamics> is ignored"},
        {ROBOT("type='continuous'>", "<link name='c'><Inertial/></link><joint name='k' type='fixed'><parent link='b'/>"
                                     "<child link='c'/></joint>"),
         "<Inertial> is not read", "Inertial", "<Inertial> is ignored"},
    };
    static const char *const read[] = {
        ROBOT("type='continuous'><dynamics damping='1' friction='0.0'/><limit effort='1' velocity='2' current='3'/>",
              ""),
        ROBOT("type='planar'><dynamics damping='0'/><limit lower='1'/>", ""),
        ROBOT("type='floating'><dynamics damping='0'/><axis xyz='0 0 1'/>", ""),
        ROBOT(
            "type='continuous'><safety_controller k_velocity='1'/><calibration rising='1'/>",
            "<gazebo><static>true</static></gazebo><link name='c'><visual><blob friction='1'/></visual><sensor/></link>"
            "<joint name='k' type='fixed'><parent link='b'/><child link='c'/><mimic joint='j'/></joint>"),
    };
    (void)unused;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        refused(cases[i].text, cases[i].words);
        lg_mechanism *m = with_ignored(cases[i].text, cases[i].name);
        assert_true(mechanism_remarked(m, cases[i].remark));
        assert_false(mechanism_remarked(m, "nothing is ignored"));
        lg_mechanism_destroy(m);
    }
    for (size_t i = 0; i < sizeof read / sizeof read[0]; i++) lg_mechanism_destroy(mechanism_of_text(read[i], NULL));
}

/* Limits and collisions are one remark each; a mimic of a joint that is left out is left out with it. */
static void not_acted_on(void **unused)
{
    static const char text[] = ROBOT(
        "type='revolute'><limit lower='-1' upper='1' effort='1' velocity='1'/>",
        "<link name='c'><collision><geometry><box/></geometry></collision><collision/></link><joint name='k' "
        "type='prismatic'><parent link='b'/><child link='c'/><limit lower='0' upper='1'/><mimic joint='j'/></joint>");
    (void)unused;
    lg_mechanism *m = mechanism_of_text(text, NULL);
    assert_true(mechanism_remarked(m, "2 joint limits are watched, not enforced"));
    assert_true(mechanism_remarked(m, "2 colliding shapes of links pass through each other"));
    assert_true(mechanism_remarked(m, "joint 'k' is left out"));
    assert_false(mechanism_remarked(m, "<collision>"));
    assert_int_equal(lg_mechanism_gear_count(m), 0);
    lg_mechanism_destroy(m);
}

/* A name that ignores nothing is listed, with the reason, in both dialects. */
static void idle_names(void **unused)
{
    static const char *const texts[] = {
        ROBOT("type='continuous'><dynamics damping='1'/>", ""),
        "<mujoco><worldbody><body><joint name='j' damping='1'/><geom size='0.1'/></body></worldbody></mujoco>"};
    (void)unused;
    for (int i = 0; i < 2; i++) {
        lg_mechanism *m = with_ignored(texts[i], "frictionlos");
        assert_true(mechanism_remarked(
            m, "nothing is ignored as 'frictionlos': no element and no attribute of the file has this name"));
        lg_mechanism_destroy(m);
        m = with_ignored(texts[i], "damping");
        assert_true(
            mechanism_remarked(m, "nothing is ignored as 'damping': what has this name is read, or changes no motion"));
        lg_mechanism_destroy(m);
    }
}

/* Blanks before the declaration, which expat refuses, are skipped and told of; lines are those of the file. */
static void blanks(void **unused)
{
    static const char *const before[] = {"\n", " \t\r\n\n", "\xEF\xBB\xBF\n"};
    char text[800];
    (void)unused;
    for (int i = 0; i < 3; i++) {
        (void)snprintf(text, sizeof text, "%s<?xml version='1.0'?>%s", before[i],
                       ROBOT("type='continuous'>", "\n<x/>"));
        lg_mechanism *m = mechanism_of_text(text, NULL);
        assert_true(mechanism_remarked(m, "blanks before <?xml ...?> are skipped"));
        assert_true(mechanism_remarked(m, i == 1 ? "text:4: <x> is not read" : "text:3: <x> is not read"));
        lg_mechanism_destroy(m);
    }
    lg_mechanism *m = mechanism_of_text("\xEF\xBB\xBF<?xml version='1.0'?>" ROBOT("type='continuous'>", ""), NULL);
    assert_int_equal(lg_mechanism_remark_count(m), 0);
    lg_mechanism_destroy(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(rule), cmocka_unit_test(not_acted_on),
                                       cmocka_unit_test(idle_names), cmocka_unit_test(blanks)};
    suite_begin("multibody/files_urdf");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
