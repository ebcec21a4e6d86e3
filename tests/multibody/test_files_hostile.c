/* SPDX-License-Identifier: BSD-3-Clause */
/* Wrong files: each is refused with place, cause and advice, or read; nothing crashes, hangs or leaks. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "multibody/files/reader.h"
#include "support/mechanisms.h"

#define ROBOTS LG_TEST_DATA "/../../examples/robots/"

static void rejected(const char *text, const char *words)
{
    mechanism_rejected(LG_ERROR_ARGUMENT, text, words);
}

/* ---- XML ---- */

static void not_xml(void **unused)
{
    (void)unused;
    rejected("", "not well-formed");
    rejected("<!-- -->\n<?xml version='1.0'?><robot name='r'/>",
             "robot:2: <?xml ...?> must be the first thing in a file; delete");
    rejected("\n \n<?xml version='1.0'?>\n<robot name='r'/>", "robot:4: the robot has no <link>");
    rejected("no robot", "robot:1: this is not well-formed XML");
    rejected("<robot>\n<link></robot>", "robot:2: this is not well-formed XML: mismatched tag");
    rejected("<robot name='a' name='b'/>", "duplicate attribute");
    mechanism_rejected(LG_ERROR_UNSUPPORTED, "<sdf version='1.6'/>", "the root element is <sdf>");
    mechanism_rejected(LG_ERROR_UNSUPPORTED,
                       "<?xml version='1.0'?>\n<!DOCTYPE robot [\n<!ENTITY a 'aaaaaaaaaa'>\n<!ENTITY b "
                       "'&a;&a;&a;&a;'>]><robot name='&b;'/>",
                       "robot:3: the document declares an entity");
    mechanism_rejected(LG_ERROR_UNSUPPORTED, "<!DOCTYPE r [<!ENTITY f SYSTEM 'file:///etc/passwd'>]><robot>&f;</robot>",
                       "entity");
}

/* Ways in which a DTD can change a document: defaults of attributes that grow with the elements, other texts, and
 * entities that are left out because their declaration is elsewhere. */
static void document_types(void **unused)
{
    (void)unused;
    static const char *const lists[] = {"<!ATTLIST link name CDATA 'yyyyyyyy'>", "<!ATTLIST link name CDATA #IMPLIED>",
                                        "<!ATTLIST link name NMTOKENS #REQUIRED>",
                                        "<!ATTLIST link a CDATA #FIXED 'y' b (c | d) 'c'>"};
    static const char *const elsewhere[] = {"robot SYSTEM 'robot.dtd'", "robot PUBLIC 'robot' 'robot.dtd'",
                                            "robot [\n%more; <!ENTITY e 'a'>]"};
    char text[400];
    for (int i = 0; i < 4; i++) {
        snprintf(text, sizeof text, "<?xml version='1.0'?>\n<!DOCTYPE robot [\n%s]><robot><link/></robot>", lists[i]);
        mechanism_rejected(LG_ERROR_UNSUPPORTED, text, "robot:3: the document declares attributes");
    }
    for (int i = 0; i < 3; i++) {
        snprintf(text, sizeof text, "<!DOCTYPE %s>\n<robot><link name='&e;'/></robot>", elsewhere[i]);
        mechanism_rejected(LG_ERROR_UNSUPPORTED, text, "declarations in another file or parameter entity");
        snprintf(text, sizeof text,
                 "<?xml version='1.0' standalone='yes'?><!DOCTYPE %s>\n<robot><link name='&e;'/></robot>",
                 elsewhere[i]);
        mechanism_rejected(i < 2 ? LG_ERROR_ARGUMENT : LG_ERROR_UNSUPPORTED, text,
                           i < 2 ? "undefined entity" : "entity");
    }
    mechanism_rejected(LG_ERROR_UNSUPPORTED, "<!DOCTYPE r [<!ENTITY % e 'x'>]><robot/>",
                       "robot:1: the document declares an entity");
    rejected("<!DOCTYPE r [<![INCLUDE[<!ELEMENT r ANY>]]>]><robot/>", "not well-formed");
    rejected("<!DOCTYPE robot [<!ELEMENT robot ANY><!NOTATION n SYSTEM 'n'>]><robot/>", "no <link>"); /* harmless */
    rejected("<!DOCTYPE robot><robot/>", "no <link>");
}

static char *repeated(const char *head, const char *piece, int count, const char *tail)
{
    const size_t h = strlen(head), p = strlen(piece), t = strlen(tail);
    char *text = malloc(h + p * (size_t)count + t + 1);
    memcpy(text, head, h);
    for (int i = 0; i < count; i++) memcpy(text + h + p * (size_t)i, piece, p);
    memcpy(text + h + p * (size_t)count, tail, t + 1);
    return text;
}

static void too_much(void **unused)
{
    (void)unused;
    char *text = repeated("<robot>", "<a>", 100000, "");
    rejected(text, "nested more than 1000 deep");
    free(text);
    text = repeated("<mujoco><worldbody>", "<body>", 990, "");
    rejected(text, "not well-formed"); /* deep, but no deeper than is read */
    free(text);
    text = repeated("<robot>", "<link/>", 1000000, "</robot>");
    rejected(text, "a million");
    free(text);
    text =
        repeated("<robot>", "<!-- a comment of sixty-four bytes, again, again, again, again -->", 1100000, "</robot>");
    rejected(text, "more than 64 MiB");
    free(text);
    text =
        repeated("<robot>", "<!-- a comment of sixty-four bytes, again, again, again, again -->", 500000, "</robot>");
    rejected(text, "no <link>");
    free(text);
    static const char *const endless[] = {"<robot name='", "<robot", "<robot><!-- ", "<robot a"};
    static const char *const pieces[] = {"y", "y", "y", "='' a"};
    for (int i = 0; i < 4; i++) {
        text = repeated(endless[i], pieces[i], 11 << 20, "");
        rejected(text, "more than 8 MiB");
        free(text);
    }
    char name[32], *all = malloc(2000);
    size_t used = (size_t)snprintf(all, 2000, "<robot ");
    for (int i = 0; i < 65; i++) {
        (void)snprintf(name, sizeof name, "a%d='' ", i);
        used += (size_t)snprintf(all + used, 2000 - used, "%s", name);
    }
    (void)snprintf(all + used, 2000 - used, "/>");
    rejected(all, "more than 64 attributes");
    free(all);
}

/* As many kinds of things as there are elements: remarks do not grow with them. */
/* ---- URDF ---- */

#define MASS    "<inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1' ixy='0' ixz='0' iyz='0'/></inertial>"
#define A       "<link name='a'/>"
#define B       "<link name='b'>" MASS "</link>"
#define C       "<link name='c'>" MASS "</link>"
#define AB      "<parent link='a'/><child link='b'/>"
#define HINGE   "<joint name='j' type='continuous'>" AB "</joint>"
#define URDF(x) "<robot name='r'>" x "</robot>"

static void many_remarks(void **unused)
{
    (void)unused;
    char *text = malloc(400000);
    size_t used = (size_t)snprintf(text, 400000, "<robot name='r'>" A B HINGE);
    lg_mechanism *m;
    for (int i = 0; i < 20000; i++) used += (size_t)snprintf(text + used, 400000 - used, "<a%d/>", i);
    used += (size_t)snprintf(text + used, 400000 - used, "</robot>");
    suite_ok("read", mb_read_text(&m, "robot", text, used, NULL));
    assert_true(lg_mechanism_remark_count(m) <= 201);
    suite_contains("last", lg_mechanism_remark(m, lg_mechanism_remark_count(m) - 1), "19800 times");
    lg_mechanism_destroy(m);
    free(text);
}
#define INERTIAL(mass, inertia)                                                                                        \
    URDF(A "<link name='b'>\n<inertial>" mass "<inertia " inertia "/></inertial></link>" HINGE)

static void wrong_trees(void **unused)
{
    (void)unused;
    rejected(URDF(""), "no <link>");
    rejected(URDF("<link/>"), "<link> has no attribute 'name'");
    rejected(URDF("<link name=''/>"), "no attribute 'name'");
    rejected(URDF(A "\n" A), "robot:2: the name 'a' is taken by the <link> in line 1");
    rejected(URDF(A B), "'a' and 'b' are both children of no joint");
    rejected(URDF(A B "<joint name='j' type='fixed'>" AB "</joint>"), "nothing moves");
    rejected(URDF(A B "<joint name='j' type='hinge'>" AB "</joint>"),
             "type of <joint> is 'hinge'; it must be one of: revolute");
    rejected(URDF(A B "<joint name='j'>" AB "</joint>"), "no attribute 'type'");
    rejected(URDF(A B "<joint type='fixed'>" AB "</joint>"), "no attribute 'name'");
    rejected(URDF(A B "<joint name='j' type='fixed'><child link='b'/></joint>"), "'j' has no <parent>");
    rejected(URDF(A B "<joint name='j' type='fixed'><parent/><child link='b'/></joint>"),
             "<parent> has no attribute 'link'");
    rejected(URDF(A B "<joint name='j' type='fixed'>" AB AB "</joint>"), "this <joint> has two <parent>");
    rejected(URDF(A B "<joint name='j' type='fixed'><parent link='z'/><child link='b'/></joint>"),
             "joint 'j': there is no link 'z'");
    rejected(URDF(A B HINGE "<joint name='k' type='fixed'>" AB "</joint>"),
             "link 'b' is the child of joints 'j' and 'k'");
    rejected(URDF(A B HINGE C "<joint name='j' type='continuous'><parent link='b'/><child link='c'/></joint>"),
             "joint 'j': the name is taken");
    rejected(URDF(A B "<joint name='j' type='fixed'>" AB
                      "</joint><joint name='k' type='fixed'><parent link='b'/><child "
                      "link='a'/></joint>"),
             "the joints make a ring");
    rejected(URDF(A B C "<joint name='j' type='fixed'><parent link='b'/><child link='c'/></joint><joint name='k' "
                        "type='fixed'><parent link='c'/><child link='b'/></joint>"),
             "link 'b' hangs on a ring of joints and not on the root 'a'");
    rejected(URDF(A "<link name='b'/>" HINGE),
             "link 'b' has no mass, but joint 'j' lets it move; give it an <inertial>");
}

static void wrong_values(void **unused)
{
    (void)unused;
#define WELL "ixx='1' iyy='1' izz='1'"
    rejected(INERTIAL("", WELL), "has no <mass>");
    rejected(INERTIAL("<mass/>", WELL), "<mass> has no attribute 'value'");
    rejected(INERTIAL("<mass value='heavy'/>", WELL), "robot:2: value of <mass>: 'heavy' is not a finite number");
    rejected(INERTIAL("<mass value='nan'/>", WELL), "'nan' is not a finite number");
    rejected(INERTIAL("<mass value='inf'/>", WELL), "'inf' is not a finite number");
    rejected(INERTIAL("<mass value='1e999'/>", WELL), "'1e999' is not a finite number");
    rejected(INERTIAL("<mass value='0x1p3'/>", WELL), "'0x1p3' is not a finite number");
    rejected(INERTIAL("<mass value='1,5'/>", WELL), "'1,5' is not a finite number");
    rejected(INERTIAL("<mass value='1 2'/>", WELL), "value of <mass> is '1 2'; it must be 1 number");
    rejected(INERTIAL("<mass value=' '/>", WELL), "it must be 1 number");
    rejected(INERTIAL("<mass value='-1'/>", WELL), "link 'b': mass is -1 kg");
    rejected(INERTIAL("<mass value='0'/>", WELL), "link 'b' has no mass");
    rejected(INERTIAL("<mass value='1'/>", "ixx='1' izz='1'"), "<inertia> has no attribute 'iyy'");
    rejected(INERTIAL("<mass value='1'/>", "ixx='1' iyy='-1' izz='1'"), "(1, -1, 1, 0, 0, 0)");
    rejected(INERTIAL("<mass value='1'/>", "ixx='1' iyy='1' izz='1' ixy='2'"),
             "body 'b': inertia (xx, yy, zz, xy, xz, yz) = (1, 1, 1, 2, 0, 0) is not positive definite");
    rejected(URDF(A B "<joint name='j' type='continuous'>" AB "<axis xyz='0 0 0'/></joint>"), "length 0");
    rejected(URDF(A B "<joint name='j' type='continuous'>" AB "<axis/></joint>"), "<axis> has no attribute 'xyz'");
    rejected(URDF(A B "<joint name='j' type='continuous'>" AB "<origin xyz='1 2'/></joint>"), "it must be 3 numbers");
    rejected(URDF(A B "<joint name='j' type='continuous'>" AB "<origin rpy='1 2 3 4'/></joint>"),
             "it must be 3 numbers");
    rejected(URDF(A B "<joint name='j' type='revolute'>" AB "<limit lower='1' upper='-1'/></joint>"), "lower <= upper");
    rejected(URDF(A B "<joint name='j' type='continuous'>" AB "<dynamics damping='-1'/></joint>"), "damping is -1");
    rejected(URDF(A B "<joint name='j' type='continuous'>" AB "<mimic joint='k'/></joint>"),
             "mimics 'k', but no joint");
    rejected(URDF(A B "<joint name='j' type='continuous'>" AB "<mimic joint='j'/></joint>"), "mimics itself");
    rejected(URDF(A B "<joint name='j' type='continuous'>" AB "<mimic/></joint>"), "<mimic> has no attribute 'joint'");
    mechanism_rejected(LG_ERROR_UNSUPPORTED, "<robot xmlns:xacro='x'><xacro:arm/></robot>",
                       "expand the file first: xacro");
    mechanism_rejected(LG_ERROR_UNSUPPORTED, URDF("<link name='${prefix}a'/>"), "macro of xacro");
    mechanism_rejected(LG_ERROR_UNSUPPORTED, URDF("<link name='a'><visual mesh='$(find x)/a.stl'/></link>"),
                       "macro of xacro");
}

#define EXTENDED(x) URDF(A B HINGE "<liegrp>" x "</liegrp>")
#define LOOP(x)     EXTENDED("<loop_joint name='l' " x "</loop_joint>")
#define SPHERES(x)  EXTENDED("<sphere_contact name='s' " x "/>")

static void wrong_extensions(void **unused)
{
    (void)unused;
    rejected(EXTENDED("<whel/>"), "<whel> in <liegrp> is not known; it may contain <loop_joint>, <wheel>, <spring>, "
                                  "<gear>, <sphere_contact>, <surface>, <surface_pair>, <ground> and <stops>");
    rejected(EXTENDED("<wheel name='w' link='b'/>"), "<wheel> has no attribute 'radius'");
    rejected(EXTENDED("<wheel link='b' radius='1'/>"), "<wheel> has no attribute 'name'");
    rejected(EXTENDED("<wheel name='w' link='z' radius='1'/>"), "there is no link 'z'");
    rejected(EXTENDED("<wheel name='w' link='a' radius='1'/>"), "link 'a', which stands still");
    rejected(EXTENDED("<wheel name='w' link='b' radius='-1'/>"), "radius -1 must be positive");
    rejected(EXTENDED("<wheel name='w' link='b' radius='1' contact='slips'/>"), "one of: rolls, edge, slides");
    rejected(EXTENDED("<wheel name='w' link='b' radius='1' center='0 0 0'/>"), "center of <wheel> is not known");
    rejected(LOOP("type='fixed' link1='a'>"), "no attribute 'link2'");
    rejected(LOOP("type='hinge' link1='a' link2='b'>"), "one of: fixed, revolute");
    rejected(LOOP("type='distance' link1='a' link2='b'>"), "a distance is between two points");
    rejected(LOOP("type='universal' link1='a' link2='b'><axis xyz='0 0 1'/><axis2 xyz='0 0 2'/>"), "parallel");
    rejected(EXTENDED("<spring name='s' link1='a' link2='b' stiffness='-1'/>"), "spring 's'");
    rejected(EXTENDED("<spring name='s' link1='a' link2='a' stiffness='1'/>"), "connects the world with itself");
    rejected(LOOP("type='fixed' link1='b' link2='b'>"), "connects body 'b' with itself");
    rejected(EXTENDED("<spring name='s' link2='b' stiffness='1'/>"), "no attribute 'link1'");
    rejected(SPHERES("link1='a' radius1='1' radius2='1'"), "<sphere_contact> has no attribute 'link2'");
    rejected(SPHERES("link1='a' link2='b' radius1='1'"), "<sphere_contact> has no attribute 'radius2'");
    rejected(SPHERES("link1='a' link2='a' radius1='1' radius2='1'"), "connects the world with itself");
    rejected(SPHERES("link1='a' link2='b' radius1='-1' radius2='1'"), "must not be negative");
    rejected(SPHERES("link1='a' link2='b' radius1='1' radius2='1' inside='true'"), "does not fit into the parent's");
    rejected(SPHERES("link1='a' link2='b' radius1='1' radius2='1' inside='yes'"), "one of: false, true");
    rejected(SPHERES("link1='a' link2='b' radius1='1' radius2='1' contact='edge'"), "one of: rolls, slides");
    rejected(SPHERES("link1='a' link2='b' radius1='1' radius2='1' centre2='1 2'"), "centre2");
    rejected(SPHERES("link1='a' link2='b' radius1='1' radius2='1' point1='0 0 0'"),
             "point1 of <sphere_contact> is not known");
    rejected(URDF(A B HINGE "<liegrp root='flying'/>"), "one of: fixed, floating");
    rejected(URDF("<link name='world'/>" B
                  "<joint name='j' type='continuous'><parent link='world'/><child link='b'/></joint>"
                  "<liegrp root='floating'/>"),
             "the root is the link 'world', which does not float");
}

/* ---- MJCF ---- */

#define MJCF(x)  "<mujoco>" x "</mujoco>"
#define WORLD(x) MJCF("<worldbody>" x "</worldbody>")
#define HEAVY    "<inertial pos='0 0 0' mass='1' diaginertia='1 1 1'/>"
#define BODY(x)  WORLD("<body name='b'>" HEAVY x "</body>")

static void wrong_mjcf(void **unused)
{
    (void)unused;
    rejected(MJCF(""), "no <body>");
    rejected(WORLD("<body name='b'>" HEAVY "</body>"), "nothing moves");
    rejected(WORLD("<body name='b'><joint name='j'/><geom size='1' mass='0'/></body>"),
             "body 'b' has no mass, but joint 'j' lets it move; give it an <inertial>, or a <geom> with a mass");
    rejected(WORLD("<body name='b'><joint/><geom type='box' size='1 0 1'/></body>"), "the size of this <geom> is 0");
    mechanism_rejected(LG_ERROR_UNSUPPORTED, WORLD("<body name='b'><joint/><geom type='sdf' mesh='m'/></body>"),
                       "a <geom> of type 'fitted to a mesh' has a mass that is not read");
    mechanism_rejected(LG_ERROR_UNSUPPORTED, WORLD("<body name='b'><joint/><geom type='hfield' hfield='h'/></body>"),
                       "a <geom> of type 'hfield' has a mass that is not read");
    mechanism_rejected(LG_ERROR_UNSUPPORTED,
                       WORLD("<body><joint/><geom type='ellipsoid' size='1 1 1' shellinertia='true'/></body>"),
                       "surface of an ellipsoid");
    rejected(WORLD("<body name='b'><inertial pos='0 0 0' mass='1'/><joint/></body>"), "is not positive definite");
    rejected(WORLD("<body name='b'><inertial pos='0 0 0' mass='0' diaginertia='1 1 1'/><joint/></body>"),
             "must be positive");
    rejected(WORLD("<body name='b' quat='1 0 0 0' euler='0 0 0'>" HEAVY "<joint/></body>"), "in 2 ways");
    rejected(WORLD("<body name='b' quat='0 0 0 0'>" HEAVY "<joint/></body>"), "length 0");
    rejected(WORLD("<body name='b' xyaxes='1 0 0 2 0 0'>" HEAVY "<joint/></body>"), "parallel");
    rejected(BODY("<joint type='screw'/>"), "one of: hinge, slide, ball, free");
    rejected(BODY("<joint axis='0 0 0'/>"), "length 0");
    rejected(BODY("<joint name='j' armature='-0.1'/>"), "joint 'j': armature is -0.1");
    rejected(BODY("<joint type='ball' stiffness='1'/>"), "lengths and angles");
    rejected(BODY("<joint class='soft'/>"), "no <default class=\"soft\">");
    rejected(BODY("<freejoint/><body><freejoint/>" HEAVY "</body>"), "not a child of <worldbody>");
    mechanism_rejected(LG_ERROR_UNSUPPORTED, BODY("<joint/><joint type='ball'/>"),
                       "has 2 joints, and one of them is a ball");
    mechanism_rejected(LG_ERROR_UNSUPPORTED, BODY("<joint/><joint/><joint/><joint/><joint/><joint/><joint/>"),
                       "seventh joint");
    rejected(BODY("<joint/><joint axis='1 0 0' damping='-1'/>"), "damping -1, friction 0");
    rejected(WORLD("<attach model='m'/>"), "<attach> has no attribute 'prefix'");
    rejected(WORLD("<replicate count='0'/>"), "a whole number from 1");
    rejected(WORLD("<replicate count='2.5'/>"), "a whole number from 1");
    rejected(WORLD("<replicate count='9999'><replicate count='9999'><site/></replicate></replicate>"), "a million");
    mechanism_rejected(LG_ERROR_UNSUPPORTED,
                       WORLD("<replicate count='3001' offset='1 0 0'><body>" HEAVY "<joint springdamper='1 1'/></body>"
                             "</replicate>"),
                       "it is a dense matrix, and there are 3001 coordinates");
    mechanism_rejected(LG_ERROR_UNSUPPORTED, MJCF("<include file='a.xml'/>"), "this text has no folder");
    rejected(MJCF("<compiler coordinate='global'/>"), "one of: local");
    rejected(MJCF("<compiler eulerseq='xyw'/>"), "three of x, y, z");
    rejected(MJCF("<option timestep='0'/>"), "timestep is 0");
#define AFTER(x) MJCF("<worldbody><body name='b'>" HEAVY "<joint name='j'/></body></worldbody>" x)
    mechanism_rejected(LG_ERROR_UNSUPPORTED, AFTER("<actuator><motor/></actuator>"),
                       "<motor> acts on no joint, tendon or site");
    mechanism_rejected(LG_ERROR_UNSUPPORTED, AFTER("<actuator><muscle joint='j'/></actuator>"),
                       "<muscle> is not read and would change the motion; without it: --ignore muscle");
    mechanism_rejected(LG_ERROR_UNSUPPORTED, AFTER("<actuator><general joint='j' dyntype='user'/></actuator>"),
                       "activations");
    mechanism_rejected(LG_ERROR_UNSUPPORTED,
                       AFTER("<actuator><general joint='j' biastype='affine' biasprm='1'/></actuator>"),
                       "neither a motor (no bias) nor a servo");
    mechanism_rejected(LG_ERROR_UNSUPPORTED,
                       AFTER("<actuator><general joint='j' gainprm='0' biastype='affine' biasprm='0 -1'/></actuator>"),
                       "neither a motor (no bias) nor a servo");
    mechanism_rejected(LG_ERROR_UNSUPPORTED, AFTER("<option density='1.2'/>"), "density of <option>");
    mechanism_rejected(LG_ERROR_ARGUMENT, AFTER("<tendon><fixed stiffness='1'/></tendon>"), "has 0 terms");
    mechanism_rejected(
        LG_ERROR_UNSUPPORTED, BODY("<joint frictionloss='0.1'/>"),
        "frictionloss of <joint> is not read and would change the motion; without it: --ignore frictionloss");
    mechanism_rejected(LG_ERROR_UNSUPPORTED, BODY("<joint type='ball' springdamper='1 1'/>"),
                       "springdamper of a ball joint");
    mechanism_rejected(LG_ERROR_UNSUPPORTED, BODY("<joint spin='1'/>"), "spin of <joint> is not read");

    rejected(AFTER("<actuator><motor joint='k'/></actuator>"), "'k' is no hinge or slide");
    rejected(AFTER("<equality><connect body1='z' anchor='0 0 0'/></equality>"), "no link 'z'");
    rejected(AFTER("<equality><connect body1='b'/></equality>"), "no attribute 'anchor'");
    rejected(AFTER("<equality><connect body1='b' body2='b' anchor='0 0 0'/></equality>"),
             "<connect> connects body 'b' with itself");
    rejected(AFTER("<equality><joint joint1='j' joint2='j'/></equality>"), "one joint");
    mechanism_rejected(LG_ERROR_ARGUMENT, AFTER("<equality><connect site1='a' site2='b'/></equality>"),
                       "there is no site 'a'");
    mechanism_rejected(LG_ERROR_ARGUMENT, AFTER("<equality><joint joint1='k'/></equality>"),
                       "'k' is no hinge or slide");
    mechanism_rejected(LG_ERROR_ARGUMENT, AFTER("<equality><joint joint1='j' joint2='j' polycoef='0 1 1'/></equality>"),
                       "are one joint");
}

/* ---- options and files ---- */

static void wrong_calls(void **unused)
{
    (void)unused;
    const char *text = URDF(A B HINGE);
    lg_mechanism_file o = lg_mechanism_file_default();
    lg_mechanism *m;
    suite_status("NULL", lg_mechanism_read(NULL, "x", NULL), LG_ERROR_ARGUMENT);
    suite_status("no path", lg_mechanism_read(&m, NULL, NULL), LG_ERROR_ARGUMENT);
    suite_contains("message", lg_mechanism_message(m), "the path is NULL");
    lg_mechanism_destroy(m);
    suite_status("no file", lg_mechanism_read(&m, "/no/such.urdf", NULL), LG_ERROR_IO);
    suite_contains("message", lg_mechanism_message(m), "/no/such.urdf: No such file");
    lg_mechanism_destroy(m);
    suite_status("a folder", lg_mechanism_read(&m, "/", NULL), LG_ERROR_IO);
    suite_contains("message", lg_mechanism_message(m), "Is a directory");
    lg_mechanism_destroy(m);
    o.root = (lg_root)7;
    suite_status("root", mb_read_text(&m, "robot", text, strlen(text), &o), LG_ERROR_ARGUMENT);
    suite_contains("message", lg_mechanism_message(m), "lg_root");
    lg_mechanism_destroy(m);
    o = lg_mechanism_file_default(), o.attitude[0] = 1;
    suite_status("attitude", mb_read_text(&m, "robot", text, strlen(text), &o), LG_ERROR_ARGUMENT);
    suite_contains("message", lg_mechanism_message(m), "unit quaternion");
    lg_mechanism_destroy(m);
    o = lg_mechanism_file_default(), o.root = LG_ROOT_FLOATING;
    suite_status("massless root", mb_read_text(&m, "robot", text, strlen(text), &o), LG_ERROR_ARGUMENT);
    suite_contains("message", lg_mechanism_message(m), "link 'a' has no mass, but its floating root lets it move");
    lg_mechanism_destroy(m);
    text = BODY("<joint/>");
    suite_status("MJCF", mb_read_text(&m, "robot", text, strlen(text), &o), LG_ERROR_UNSUPPORTED);
    suite_contains("message", lg_mechanism_message(m), "<freejoint>");
    lg_mechanism_destroy(m);
}

static char *content_of(const char *name, size_t *length)
{
    char path[512], *text = malloc(1 << 16);
    (void)snprintf(path, sizeof path, ROBOTS "%s", name);
    FILE *f = fopen(path, "rb");
    assert_non_null(f);
    *length = fread(text, 1, 1 << 16, f);
    (void)fclose(f);
    return text;
}

static const char *const samples[] = {"arm.urdf",     "rover.urdf",    "scara.urdf",  "quadruped.urdf",
                                      "fourbar.urdf", "cart_pole.xml", "fourbar.xml", "mecanum.urdf"};

/* Bytes changed, left out or doubled: a status with a message, or a mechanism, which is compiled. */
static void mutated(void **unused)
{
    (void)unused;
    static const char *const bits[] = {"<",   ">",   "/", "'", "\"", "0", "-", "1e300", "nan", " ", "<link name='a'/>",
                                       "&a;", "\xff"};
    lg_rng rng = suite_rng(31);
    int read = 0;
    for (size_t s = 0; s < sizeof samples / sizeof samples[0]; s++) {
        size_t length;
        char *text = content_of(samples[s], &length), *changed = malloc(length + 64);
        for (int i = 0; i < suite_count(300); i++) {
            const size_t at = (size_t)(lg_rng_uniform(&rng) * (double)length);
            const size_t cut = (size_t)(lg_rng_uniform(&rng) * (i % 3 ? 3 : 40)),
                         end = at + cut < length ? at + cut : length;
            const char *put =
                bits[(size_t)(lg_rng_uniform(&rng) * sizeof bits / sizeof bits[0]) % (sizeof bits / sizeof bits[0])];
            memcpy(changed, text, at);
            memcpy(changed + at, put, strlen(put));
            memcpy(changed + at + strlen(put), text + end, length - end);
            lg_mechanism *m;
            suite_case("%s, %zu bytes at %zu replaced by %s", samples[s], end - at, at, put);
            lg_status st = mb_read_text(&m, samples[s], changed, at + strlen(put) + length - end, NULL);
            read += st == LG_OK;
            if (st == LG_OK) st = lg_mechanism_compile(m);
            if (st != LG_OK && lg_mechanism_message(m)[0] == '\0')
                suite_fail("%s without a message", lg_status_name(st));
            lg_mechanism_destroy(m);
        }
        free(text), free(changed);
    }
    suite_above("some are still read", read, suite_count(300));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(not_xml),          cmocka_unit_test(document_types), cmocka_unit_test(too_much),
        cmocka_unit_test(many_remarks),     cmocka_unit_test(wrong_trees),    cmocka_unit_test(wrong_values),
        cmocka_unit_test(wrong_extensions), cmocka_unit_test(wrong_mjcf),     cmocka_unit_test(wrong_calls),
        cmocka_unit_test(mutated),
    };
    suite_begin("files_hostile");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
