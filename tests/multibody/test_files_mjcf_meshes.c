/* SPDX-License-Identifier: BSD-3-Clause */
/* MJCF: masses of meshes. Mass, centre and inertia are MuJoCo's (3.14). */
#include <string.h>

#include <liegrp/groups/so3.h>
#include <liegrp/multibody/parameters.h>
#include <liegrp/multibody/scene.h>

#include "support/mechanisms.h"
#include "scene/mesh/mesh.h"
#include "support/model_files.h"

/* A twisted prism whose lids are an L: not convex, not star-shaped. */
static const char ell[] = "v 0 0 0\nv 0.4 0.02 0.01\nv 0.41 0.1 0\nv 0.12 0.11 0.02\nv 0.1 0.5 0\nv -0.02 0.48 0.01\n"
                          "v 0.03 -0.02 0.2\nv 0.42 0 0.22\nv 0.44 0.08 0.19\nv 0.15 0.09 0.21\nv 0.13 0.49 0.2\n"
                          "v 0.01 0.46 0.23\nf 1 3 2\nf 1 4 3\nf 1 6 4\nf 4 6 5\nf 7 8 9\nf 7 9 10\nf 7 10 12\n"
                          "f 10 11 12\nf 1 2 8\nf 1 8 7\nf 2 3 9\nf 2 9 8\nf 3 4 10\nf 3 10 9\nf 4 5 11\nf 4 11 10\n"
                          "f 5 6 12\nf 5 12 11\nf 6 1 7\nf 6 7 12\n";

/* The surface as numbers of the file. */
#define VERTICES                                                                                                       \
    "0 0 0 0.4 0.02 0.01 0.41 0.1 0 0.12 0.11 0.02 0.1 0.5 0 -0.02 0.48 0.01 0.03 -0.02 0.2 0.4"                       \
    "2 0 0.22 0.44 0.08 0.19 0.15 0.09 0.21 0.13 0.49 0.2 0.01 0.46 0.23"
#define FACES                                                                                                          \
    "0 2 1 0 3 2 0 5 3 3 5 4 6 7 8 6 8 9 6 9 11 9 10 11 0 1 7 0 7 6 1 2 8 1 8 7 2 3 9 2 9 8 3 4"                       \
    " 10 3 10 9 4 5 11 4 11 10 5 0 6 5 6 11"

/* A model of one body with a geom. */
static const char *model(const char *top, const char *mesh, const char *geom)
{
    static char text[2048];
    (void)snprintf(text, sizeof text,
                   "<mujoco>%s<asset/><asset><texture builtin='flat'/><mesh %s/></asset><worldbody>"
                   "<body name='b'><freejoint/><geom %s/></body></worldbody></mujoco>",
                   top, mesh, geom);
    return text;
}

static const struct {
    const char *top, *mesh, *geom;
    double mass, centre[3], inertia[6];
} cases[] = {
    {"",
     "file='ell.obj'",
     "type='mesh' mesh='ell' pos='0.1 0.2 0.3' euler='20 30 40'",
     20.775344239306044,
     {0.1512178713583791, 0.3808690206596999, 0.46753630386242184},
     {0.34086566821837716, 0.5827150125459576, 0.5090912855057101, 0.02165226427021674, 0.20101466923829042,
      -0.04200847868174855}},
    {"",
     "file='ell.obj' inertia='exact' scale='2 1 0.5' refpos='0.1 0.2 0.05' refquat='1 0.2 0.3 0.1'",
     "type='mesh' mesh='ell' pos='0.1 0 0' quat='1 1 0 0'",
     17.28066671381518,
     {0.07639473774506636, -0.03235517324581149, 0.007657869351004214},
     {0.3929256861007272, 0.7824078874579622, 0.4798118065231133, 0.05403124050326533, 0.07378236130106364,
      -0.08442278924176788}},
    {"",
     "file='ell.obj' inertia='convex'",
     "type='mesh' mesh='ell' density='700'",
     21.63070015415524,
     {0.16619685831496575, 0.20158705885595765, 0.10850513288726837},
     {0.4507419501990493, 0.326657643507149, 0.6112025963919056, 0.12328893483568244, -0.009359161261062449,
      0.0026537427147837753}},
    {"",
     "file='ell.obj' inertia='shell' scale='0.5 0.5 0.5'",
     "type='mesh' mesh='ell' density='3' pos='0 0 1'",
     0.40139364245914433,
     {0.06926485783513027, 0.09113621214663828, 1.0542105152467696},
     {0.003171032074043746, 0.002159145059615281, 0.004199690472766878, 0.0010371874948975285, -0.00005533435810404184,
      0.000011841544449935549}},
    {"<compiler meshdir='parts' strippath='true'/><default><mesh scale='0.1 0.1 0.1'/><geom type='mesh'/></default>",
     "file='nowhere/ell.obj'",
     "mesh='ell' mass='0.7'",
     0.7,
     {0.014345378049856404, 0.017629755459739983, 0.010837652511688481},
     {0.00015742907085952574, 0.00010597345506454395, 0.0002193188984899938, 0.00005798601242045925,
      -1.8614526043322688e-7, -0.0000015206189791337361}},
    {"",
     "name='m' vertex='" VERTICES "'",
     "type='mesh' mesh='m' pos='0.1 0 0'",
     30.901000220221768,
     {0.2661968583149657, 0.20158705885595765, 0.10850513288726836},
     {0.6439170717129277, 0.4666537764387839, 0.8731465662741503, 0.17612704976526056, -0.013370230372946133,
      0.003791061021119705}},
    {"",
     "name='m' vertex='" VERTICES "' face='" FACES "' scale='1 2 1'",
     "type='mesh' mesh='m'",
     41.55436763272364,
     {0.14556970713868853, 0.3470219500614618, 0.10834086477390426},
     {3.3600731560135615, 0.6269233834925958, 3.725276675091547, 0.6883383856573795, -0.0012076412485830528,
      -0.01790121554916183}},
    {"",
     "file='ell.obj' inertia='exact' content_type='model/obj'",
     "type='box' mesh='ell' pos='0.1 0 0.2' euler='10 20 30'",
     32.43127168581108,
     {0.15318483576105696, 0.20256710898668553, 0.33367324284310174},
     {0.5648515521175329, 0.8544180536771266, 0.9720009094079919, 0.2269495977310656, 0.23475671436257117,
      -0.13400501186423233}},
    {"",
     "file='ell.obj' inertia='exact'",
     "mesh='ell' pos='0.1 0 0.2' euler='10 20 30'",
     22.586297568016306,
     {0.15318483576105696, 0.20256710898668553, 0.33367324284310174},
     {0.2778066650861812, 0.2778066650861833, 0.2778066650861824, 0, 0, 0}},
    {"",
     "file='ell.obj' inertia='exact'",
     "type='capsule' mesh='ell' pos='0.1 0 0.2' euler='10 20 30'",
     28.079063198745843,
     {0.15318483576105696, 0.20256710898668553, 0.33367324284310174},
     {0.4698673438454609, 0.8268578796531619, 0.8656770683217253, 0.283523911061183, 0.24586805491558328,
      -0.1357464180030059}},
    {"",
     "file='ell.obj' inertia='exact'",
     "type='cylinder' mesh='ell' pos='0.1 0 0.2' euler='10 20 30'",
     26.20943004931534,
     {0.15318483576105696, 0.20256710898668553, 0.33367324284310174},
     {0.40363506467781624, 0.677994097604465, 0.707827927899174, 0.21789750216859757, 0.18895773139076114,
      -0.10432561155241099}},
    {"",
     "file='ell.obj' inertia='exact'",
     "type='ellipsoid' mesh='ell' pos='0.1 0 0.2' euler='10 20 30'",
     16.98097414578646,
     {0.15318483576105696, 0.20256710898668553, 0.33367324284310174},
     {0.17745334865012333, 0.26842334805265505, 0.3053630916278745, 0.07129831889670746, 0.07375099692223311,
      -0.042098916081688545}},
    {"",
     "file='ell.obj'",
     "type='box' mesh='ell'",
     29.78739097992319,
     {0.1434537804985641, 0.17629755459739982, 0.10837652511688484},
     {0.6699144693283888, 0.4509532485001273, 0.9332768255153612, 0.24675028904784294, -0.0007921116645120275,
      -0.0064707531518497265}},
    {"",
     "file='ell.obj' inertia='exact'",
     "type='box' mesh='ell' fitscale='0.5'",
     4.053908960726385,
     {0.12605922714626275, 0.18437353013780983, 0.10883964758374702},
     {0.025626510863168132, 0.015194815578382277, 0.03390587715853244, 0.00874842756494967, -0.00007464517346048509,
      -0.00028345413178519857}},
    {"<compiler assetdir='parts/'/>",
     "name='m' file='ell.obj'",
     "type='mesh' mesh='m' density='0'/><geom type='sphere' size='0.1' pos='1 0 0' mass='2'/><geom type='mesh' mesh='m' "
     "mass='1'",
     3,
     {0.7144845934995213, 0.058765851532466606, 0.036125508372294945},
     {0.0590407332346023, 0.5200836632349707, 0.5491661071456773, 0.10895505199190057, 0.061859743067649756,
      -0.012954908851980642}},
};

/* MuJoCo rounds vertices to floats. */
static void as_mujoco(void **unused)
{
    (void)unused;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        lg_mechanism *m;
        lg_body b = lg_body_default(NULL);
        suite_case("%s %s %s", cases[i].top, cases[i].mesh, cases[i].geom);
        model_write("main.xml", model(cases[i].top, cases[i].mesh, cases[i].geom));
        mechanism_well(model_read(&m, "main.xml"), m);
        mechanism_well(lg_mechanism_read_body(m, &b, 0), m);
        const double *I = cases[i].inertia;
        suite_near1("mass", b.mass, cases[i].mass, 3e-7, cases[i].mass);
        suite_near("centre", b.centre, cases[i].centre, 3, 3e-7, 1);
        suite_near("inertia", b.inertia, I, 6, 1e-6, I[0] + I[1] + I[2]);
        lg_mechanism_destroy(m);
    }
}

static void refusals(void **unused)
{
    static const struct {
        const char *mesh, *geom;
        lg_status status;
        const char *words;
    } wrong[] = {
        {"file='none.obj'", "type='mesh' mesh='none'", LG_ERROR_IO, "file 'none.obj': No such file"},
        {"file='../x.obj'", "type='mesh' mesh='x'", LG_ERROR_IO, "No such file"},
        {"file='/etc/passwd'", "type='mesh' mesh='passwd'", LG_ERROR_ARGUMENT, "outside of the model's folder"},
        {"file='main.xml'", "type='mesh' mesh='main'", LG_ERROR_UNSUPPORTED, "main.xml"},
        {"file='ell.obj'", "type='mesh' mesh='l'", LG_ERROR_ARGUMENT, "there is no <mesh name=\"l\"> in <asset>"},
        {"file='ell.obj'", "type='mesh'", LG_ERROR_ARGUMENT, "no attribute 'mesh'"},
        {"file='ell.obj'", "type='plane' mesh='ell'", LG_ERROR_UNSUPPORTED, "fitted to a mesh"},
        {"file='ell.obj'", "type='box' mesh='l'", LG_ERROR_ARGUMENT, "there is no <mesh name=\"l\"> in <asset>"},
        {"file='ell.obj'", "type='mesh' mesh='ell' shellinertia='true'", LG_ERROR_ARGUMENT, "inertia=\"shell\""},
        {"file='ell.obj' scale='1 0 1'", "type='mesh' mesh='ell'", LG_ERROR_ARGUMENT, "scale"},
        {"file='ell.obj' inertia='hollow'", "type='mesh' mesh='ell'", LG_ERROR_ARGUMENT, "inertia"},
        {"file='ell.obj' content_type='model/stl'", "type='mesh' mesh='ell'", LG_ERROR_ARGUMENT, "ell.obj"},
        {"file='ell.obj' content_type='text'", "type='mesh' mesh='ell'", LG_ERROR_ARGUMENT, "content_type"},
        {"name='m' builtin='sphere'", "type='mesh' mesh='m'", LG_ERROR_UNSUPPORTED, "builtin of mesh 'm'"},
        {"file='ell.obj' vertex='0 0 0'", "type='mesh' mesh='ell'", LG_ERROR_ARGUMENT, "a file and vertices"},
        {"name='m' vertex='0 0 0 1'", "type='mesh' mesh='m'", LG_ERROR_ARGUMENT, "each needs three"},
        {"name='m' vertex='0 0 nan'", "type='mesh' mesh='m'", LG_ERROR_ARGUMENT, "not a finite number"},
        {"name='m' vertex='0 0 1e300 1 0 0 0 1 0 0 0 0'", "type='mesh' mesh='m'", LG_ERROR_ARGUMENT, "infinite"},
        {"name='m' vertex='0 0 0 1 0 0 0 1 0' face='0 1 3'", "type='mesh' mesh='m'", LG_ERROR_ARGUMENT,
         "a face has corner 3, and the vertices are 0 to 2"},
        {"name='m' vertex='0 0 0 1 0 0 0 1 0' face='0 1 1.5'", "type='mesh' mesh='m'", LG_ERROR_ARGUMENT,
         "a face has corner 1.5"},
        {"name='m' vertex='0 0 0 1 0 0 0 1 0'", "type='mesh' mesh='m'", LG_ERROR_DOMAIN, "mesh 'm'"},
        {"file='ell.obj' inertia='convex' maxhullvert='8'", "type='mesh' mesh='ell'", LG_ERROR_UNSUPPORTED,
         "maxhullvert"},
        {"name='m'", "type='mesh' mesh='m'", LG_ERROR_ARGUMENT, "mesh 'm' has no file"},
        {"name='m' file='ell.obj'/><mesh name='m' file='ell.obj'", "type='mesh' mesh='m'", LG_ERROR_ARGUMENT,
         "a second mesh 'm'"},
        {"file='open.obj' inertia='exact' refquat='0 1 0 0' scale='-1 1 1'", "type='mesh' mesh='open'", LG_ERROR_DOMAIN,
         "mesh 'open'"},
    };
    (void)unused;
    model_write("open.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
        model_fails(model("", wrong[i].mesh, wrong[i].geom), wrong[i].status, wrong[i].words);
    mechanism_rejected(LG_ERROR_UNSUPPORTED, model("", "file='ell.obj'", "type='mesh' mesh='ell'"),
                       "this text has no folder");
    model_remove("open.obj");
}

/* Faults of the surface, further objects; meshes that no mass needs are not opened. */
static void remarks(void **unused)
{
    char text[sizeof ell + 64];
    lg_mechanism *m;
    (void)unused;
    (void)snprintf(text, sizeof text, "%so second\nf 1 2 3\n", ell);
    *strstr(text, "f 1 3 2\n") = '#';
    model_write("holes.obj", text);
    model_write("main.xml", model("", "file='holes.obj'", "type='mesh' mesh='holes'"));
    mechanism_well(model_read(&m, "main.xml"), m);
    assert_true(mechanism_remarked(m, "its file has several objects"));
    assert_true(mechanism_remarked(m, "mesh 'holes': "));
    assert_true(mechanism_remarked(m, "<texture> is not read"));
    assert_false(mechanism_remarked(m, "<mesh> is not read"));
    lg_mechanism_destroy(m);
    model_write("main.xml", model("", "file='none.obj'", "type='mesh' mesh='none' mass='0'/><geom size='1'"));
    mechanism_well(model_read(&m, "main.xml"), m);
    assert_true(mechanism_remarked(m, "<asset> is not read"));
    lg_mechanism_destroy(m);
    model_remove("holes.obj");
}

/* A mesh is drawn where its mass is; what cannot be shown is a remark. */
static void looks(void **unused)
{
    static const char *const meshes[] = {
        "file='ell.obj' inertia='exact' scale='2 2 2' refpos='0.1 0.2 0.05' refquat='1 0.2 0.3 0.1'",
        "file='ell.obj' inertia='exact' scale='2 -1 0.5' refpos='0.1 0.2 0.05'"};
    lg_mechanism *m;
    (void)unused;
    for (int i = 0; i < 2; i++) {
        lg_scene *scene;
        lg_mesh mesh;
        lg_mesh_mass mass;
        lg_error error;
        lg_body b = lg_body_default(NULL);
        double centre[3];
        model_write("main.xml", model("", meshes[i], "type='mesh' mesh='ell' pos='0.1 0 0' quat='1 1 0 0'"));
        mechanism_well(model_read(&m, "main.xml"), m);
        mechanism_well(lg_mechanism_compile(m), m);
        suite_ok("scene", lg_mechanism_scene(m, &scene));
        const lg_shape *s = lg_scene_shape(scene, 0);
        assert_int_equal(s->kind, LG_SHAPE_MESH);
        suite_ok("mesh", lg_mesh_read(&mesh, s->mesh, LG_MESH_BY_NAME, &error));
        suite_ok("scale", lg_mesh_scale(&mesh, s->scale, "ell", &error));
        suite_ok("weigh", lg_mesh_weigh(&mass, &mesh, LG_MESH_EXACT, "ell", &error));
        lg_so3_act(centre, s->attitude, mass.centre);
        for (int k = 0; k < 3; k++) centre[k] += s->position[k];
        suite_ok("body", lg_mechanism_read_body(m, &b, 0));
        suite_near("centre", centre, b.centre, 3, 1e-14, 1);
        lg_mesh_free(&mesh);
        lg_scene_destroy(scene);
        lg_mechanism_destroy(m);
    }
    static const struct {
        const char *mesh, *words;
    } wrong[] = {{"name='w' file='none.obj'", "mesh 'none.obj' is not shown: there is no such file"},
                 {"name='w'", "mesh 'w' is not shown: it has no file"},
                 {"name='w' file='ell.obj' scale='1 2 1' refquat='1 1 0 0'", "refquat together with unequal scales"},
                 {"name='v' file='ell.obj'", "this <geom> is not shown: there is no <mesh name=\"w\">"}};
    for (int i = 0; i < 4; i++) {
        model_write("main.xml", model("", wrong[i].mesh, "type='mesh' mesh='w' mass='0'/><geom size='1'"));
        mechanism_well(model_read(&m, "main.xml"), m);
        if (!mechanism_remarked(m, wrong[i].words)) suite_fail("no remark has '%s'", wrong[i].words);
        lg_mechanism_destroy(m);
    }
}

static int begin(void **unused)
{
    (void)unused;
    model_write("ell.obj", ell);
    if (mkdir(model_path("parts"), 0700) != 0) return 1;
    model_write("parts/ell.obj", ell);
    return 0;
}

static int end(void **unused)
{
    (void)unused;
    model_remove("parts/ell.obj"), model_remove("ell.obj"), model_remove("main.xml");
    return rmdir(model_path("parts")) != 0 || rmdir(model_path("")) != 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(as_mujoco),
        cmocka_unit_test(refusals),
        cmocka_unit_test(remarks),
        cmocka_unit_test(looks),
    };
    suite_begin("multibody/files_mjcf_meshes");
    return cmocka_run_group_tests(tests, begin, end);
}
