/* SPDX-License-Identifier: BSD-3-Clause */
/* Which surfaces touch, with what values, and by which rule. */
#include "support/touching.h"

static const double up[3] = {0, 0, 1}, higher[3] = {0, 0, 3};

/* Two balls above the ground with these surfaces, and a pair; NULL: none. */
static lg_mechanism *two(lg_surface first, lg_surface second, const lg_surface_pair *pair)
{
    lg_mechanism *m = touch_empty();
    touch_body(m, "a", 1, NULL, up, 0), touch_body(m, "b", 1, NULL, higher, 0);
    first.name = "first", first.body = "a", first.half[0] = 0.1;
    second.name = "second", second.body = "b", second.half[0] = 0.1;
    mechanism_well(lg_mechanism_add_surface(m, NULL, &first), m);
    mechanism_well(lg_mechanism_add_surface(m, NULL, &second), m);
    if (pair != NULL) mechanism_well(lg_mechanism_add_surface_pair(m, NULL, pair), m);
    return m;
}

/* Both ways, and as the motion has it. */
static void expect(lg_mechanism *m, lg_meeting_reason reason, double friction, double restitution, double viscous)
{
    lg_surface_meeting is[2];
    lg_motion *mo = touch_motion(m, 0.01);
    for (int k = 0; k < 2; k++) {
        suite_ok("meeting", lg_mechanism_surface_meeting(m, &is[k], k, 1 - k));
        assert_true(is[k].touch == (reason >= LG_MEETING_PAIR) && is[k].reason == reason);
        assert_true(is[k].friction == friction && is[k].restitution == restitution && is[k].viscous == viscous);
    }
    assert_int_equal(lg_motion_contact_count(mo), is[0].touch);
    lg_motion_destroy(mo), lg_mechanism_destroy(m);
}

static void bits(void **unused)
{
    static const struct {
        int contype, conaffinity, of_second, to_second, touch;
    } cases[] = {
        {1, 1, 1, 1, 1}, {1, 0, 0, 1, 1}, {0, 1, 1, 0, 1},   {1, 0, 1, 0, 0},  {0, 1, 0, 1, 0},
        {2, 1, 4, 6, 1}, {2, 2, 1, 1, 0}, {0, 0, -1, -1, 0}, {8, 0, 0, -1, 1}, {(int)0x80000000u, 0, 0, -1, 1},
    };
    (void)unused;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        lg_surface a = lg_surface_default(NULL, NULL), b = a;
        a.contype = cases[i].contype, a.conaffinity = cases[i].conaffinity;
        b.contype = cases[i].of_second, b.conaffinity = cases[i].to_second;
        suite_case("%zu", i);
        if (cases[i].touch)
            expect(two(a, b, NULL), LG_MEETING_SMALLER, 0.5, 0, 0);
        else
            expect(two(a, b, NULL), LG_MEETING_BITS, 0, 0, 0);
    }
}

static void values(void **unused)
{
    lg_surface a = lg_surface_default(NULL, NULL), b = a;
    lg_surface_pair p = lg_surface_pair_default("p", "second", "first");
    (void)unused;
    a.friction = 0.3, a.restitution = 0.6, b.friction = 0.8, b.restitution = 0.2, b.viscous = 4;
    expect(two(a, b, NULL), LG_MEETING_SMALLER, 0.3, 0.2, 4);
    b.rule = LG_FRICTION_GREATER;
    expect(two(a, b, NULL), LG_MEETING_SMALLER, 0.3, 0.2, 4);
    a.rule = LG_FRICTION_GREATER;
    expect(two(a, b, NULL), LG_MEETING_GREATER, 0.8, 0.2, 4);
    a.priority = 1;
    expect(two(a, b, NULL), LG_MEETING_PRIORITY, 0.3, 0.6, 0);
    b.priority = 2;
    expect(two(a, b, NULL), LG_MEETING_PRIORITY, 0.8, 0.2, 4);
    expect(two(a, b, &p), LG_MEETING_PRIORITY, 0.8, 0.2, 4);
    p.friction = 0.1;
    expect(two(a, b, &p), LG_MEETING_PAIR, 0.1, 0.2, 4);
    a.contype = a.conaffinity = 0, a.group = b.group = 3;
    expect(two(a, b, &p), LG_MEETING_PAIR, 0.1, 0.2, 4);
    expect(two(a, b, NULL), LG_MEETING_GROUP, 0, 0, 0);
    p.ignored = 1;
    expect(two(a, b, &p), LG_MEETING_IGNORED, 0, 0, 0);
}

static void refused(void **unused)
{
    lg_surface a = lg_surface_default(NULL, NULL);
    lg_surface_meeting is;
    (void)unused;
    lg_mechanism *m = two(a, a, NULL);
    a.name = "third", a.half[0] = 0.1, a.rule = (lg_friction_rule)2;
    suite_status("rule", lg_mechanism_add_surface(m, NULL, &a), LG_ERROR_ARGUMENT);
    suite_contains("message", lg_mechanism_message(m), "surface 'third': rule 2 is not an lg_friction_rule");
    suite_status("not compiled", lg_mechanism_surface_meeting(m, &is, 0, 1), LG_ERROR_ARGUMENT);
    mechanism_well(lg_mechanism_compile(m), m);
    suite_status("NULL", lg_mechanism_surface_meeting(NULL, &is, 0, 1), LG_ERROR_ARGUMENT);
    suite_status("NULL", lg_mechanism_surface_meeting(m, NULL, 0, 1), LG_ERROR_ARGUMENT);
    suite_status("-1", lg_mechanism_surface_meeting(m, &is, -1, 1), LG_ERROR_ARGUMENT);
    suite_status("2", lg_mechanism_surface_meeting(m, &is, 0, 2), LG_ERROR_ARGUMENT);
    suite_ok("itself", lg_mechanism_surface_meeting(m, &is, 1, 1));
    assert_true(!is.touch && is.reason == LG_MEETING_ONE_BODY);
    lg_mechanism_destroy(m);
    assert_string_equal(lg_meeting_reason_text(LG_MEETING_GREATER), "the greater friction of both");
    assert_null(lg_meeting_reason_text((lg_meeting_reason)-1));
    assert_null(lg_meeting_reason_text((lg_meeting_reason)(LG_MEETING_GREATER + 1)));
}

int main(void)
{
    suite_begin("contact_meetings");
    const struct CMUnitTest tests[] = {cmocka_unit_test(bits), cmocka_unit_test(values), cmocka_unit_test(refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
