/* SPDX-License-Identifier: BSD-3-Clause */
/* The gallery: every mechanism has the rows, the rank and the freedoms that it should have; names and numbers. What
 * it keeps: multibody-balance. */
#include <math.h>
#include <string.h>

#include <liegrp/multibody/contact.h>
#include <liegrp/multibody/gallery.h>

#include "support/mechanisms.h"

static const struct {
    const char *name;
    int rows, rank, freedoms;
} exhibits[] = {
    {"double-pendulum", 10, 10, 2}, {"chain", 50, 50, 10},
    {"furuta", 10, 10, 2},          {"arm", 35, 35, 7},
    {"four-bar", 20, 17, 1},        {"bricard", 30, 29, 1},
    {"andrews", 50, 41, 1},         {"strandbeest", 50, 41, 1},
    {"bicycle", 21, 21, 3},         {"vehicle", 29, 28, 2},
    {"balancing-robot", 16, 15, 3}, {"snake", 138, 118, 2},
    {"bouncing-ball", 0, 0, 6},     {"cradle", 25, 25, 5},
    {"tippe-top", 0, 0, 6},         {"rocking-block", 0, 0, 6},
    {"dominoes", 0, 0, 48},         {"pushed-stack", 0, 0, 30},
    {"passive-walker", 0, 0, 6},    {"gripper", 15, 15, 9},
    {"falling-bicycle", 15, 15, 9}, {"rattleback-friction", 0, 0, 6},
};
enum { EXHIBITS = sizeof exhibits / sizeof exhibits[0] };

static void sizes(void **unused)
{
    (void)unused;
    assert_int_equal(lg_gallery_count(), EXHIBITS);
    for (int e = 0; e < EXHIBITS; e++) {
        lg_mechanism *m;
        suite_case("%s", exhibits[e].name);
        mechanism_well(lg_gallery_create(&m, lg_gallery_index(exhibits[e].name)), m);
        assert_int_equal(lg_mechanism_row_count(m), exhibits[e].rows);
        assert_int_equal(lg_mechanism_rank(m), exhibits[e].rank);
        assert_int_equal(lg_mechanism_freedoms(m), exhibits[e].freedoms);
        assert_int_equal(lg_mechanism_surface_count(m) > 0,
                         lg_gallery_index(exhibits[e].name) >= gallery_without_contacts());
        lg_mechanism_destroy(m);
    }
}

static void names(void **unused)
{
    lg_mechanism *m;
    lg_motion *mo;
    (void)unused;
    for (int i = 0; i < lg_gallery_count(); i++) {
        assert_int_equal(lg_gallery_index(lg_gallery_name(i)), i);
        suite_above("words", (double)strlen(lg_gallery_text(i)), 20);
        suite_above("step", lg_gallery_step(i), 0);
    }
    assert_int_equal(lg_gallery_index("unicycle"), -1);
    assert_int_equal(lg_gallery_index(NULL), -1);
    for (int k = 0; k < 2; k++) {
        const int none = k ? lg_gallery_count() : -1;
        assert_null(lg_gallery_name(none));
        assert_null(lg_gallery_text(none));
        assert_true(isnan(lg_gallery_step(none)));
        suite_status("none", lg_gallery_create(&m, none), LG_ERROR_ARGUMENT);
        suite_contains("message", lg_mechanism_message(m), "numbered from 0 to 21");
        lg_mechanism_destroy(m);
    }
    mechanism_well(lg_gallery_create(&m, 0), m);
    motion_well(motion_create(&mo, m, NULL, 0.01), mo);
    suite_status("none", lg_gallery_start(mo, -1), LG_ERROR_ARGUMENT);
    for (int i = 1; i < lg_gallery_count(); i++)
        suite_status("another mechanism", lg_gallery_start(mo, i), LG_ERROR_ARGUMENT);
    suite_contains("message", lg_motion_message(mo), "rattleback-friction");
    motion_well(lg_gallery_start(mo, 0), mo);
    lg_motion_destroy(mo);
    lg_mechanism_destroy(m);
    suite_status("nowhere", lg_gallery_create(NULL, 0), LG_ERROR_ARGUMENT);
    suite_status("nothing", lg_gallery_start(NULL, 0), LG_ERROR_ARGUMENT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {

        cmocka_unit_test(sizes),
        cmocka_unit_test(names),
    };
    suite_begin("multibody/gallery");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
