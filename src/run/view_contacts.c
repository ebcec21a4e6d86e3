/* SPDX-License-Identifier: BSD-3-Clause */
/* Contacts of a motion in a view: where they are, and the forces of the last step. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/base64.h"
#include "groups/rotation.h"
#include "multibody/contact/contact.h"
#include "multibody/motion.h"
#include "run/view_private.h"

/* Of the mechanism's size: contacts that are open are shown up to this gap. */
#define NEAR 0.02

/* Forces below it are rounding: a part of the weight of all bodies. */
static double least_force(const mb_plan *plan)
{
    double mass = 0;
    for (int b = 0; b < plan->bodies; b++) mass += fabs(plan->weight[b]);
    return 1e-9 * mass * lg_length(plan->gravity, 3);
}

int lg_view_touches(const lg_motion *mo, float *out, int most)
{
    const mb_sparse *sparse = mb_of(mo);
    const int all = lg_motion_contact_count(mo);
    const double least = all > 0 ? least_force(&sparse->plan) : 0;
    int count = 0;
    for (int i = 0; i < all; i++) {
        lg_contact_state s;
        if (lg_motion_contact(mo, &s, i) != LG_OK || s.joint >= 0) continue;
        if (s.mode == LG_CONTACT_OPEN && !(s.gap <= NEAR * sparse->plan.reach)) continue;
        if (count++ >= most) continue;
        const mb_contact k = mb_contact_at(sparse->numbers.contacts, i, mb_now(sparse));
        float *to = out + (size_t)(count - 1) * LG_VIEW_TOUCH;
        to[0] = (float)i, to[1] = (float)s.mode, to[2] = k.viscous > 0 ? 0 : (float)k.friction;
        const double part = lg_length(s.force, 3) > least ? 1 : 0;
        for (int x = 0; x < 3; x++)
            to[3 + x] = (float)s.point[x], to[6 + x] = (float)s.normal[x], to[9 + x] = (float)(part * s.force[x]);
    }
    return count;
}

void lg_view_touches_free(lg_view_track *t)
{
    for (int64_t i = 0; t->touch != NULL && i < t->room; i++) free(t->touch[i].of);
    free(t->touch);
}

lg_status lg_view_contacts(lg_view *v, int track, const lg_motion *mo)
{
    static const size_t size = LG_VIEW_TOUCH * sizeof(float);
    lg_view_track *t = lg_view_track_of(v, track);
    if (t == NULL) return LG_ERROR_ARGUMENT;
    if (mo == NULL) return lg_fail(&v->error, LG_ERROR_ARGUMENT, "a pointer is NULL");
    const double time = lg_motion_time(mo);
    if (t->seen == 0 || !(t->last[1] == time))
        return lg_fail(&v->error, LG_ERROR_ARGUMENT,
                       "lg_view_contacts: the motion is at t = %.17g, and the last row of track %d at %.17g", time,
                       track, t->seen > 0 ? t->last[1] : (double)NAN);
    if (lg_motion_contact_count(mo) == 0) return LG_OK;
    lg_view_touch *touch = &t->touch[t->kept - !lg_view_has_tail(t)];
    float *of = realloc(touch->of, LG_VIEW_TOUCHES * size);
    if (of == NULL) return lg_fail(&v->error, LG_ERROR_MEMORY, "out of memory for a page");
    touch->of = of;
    const int count = lg_view_touches(mo, of, LG_VIEW_TOUCHES);
    if (count > t->touches_most) t->touches_most = count;
    touch->count = count < LG_VIEW_TOUCHES ? count : LG_VIEW_TOUCHES;
    of = realloc(of, (size_t)touch->count * size + 1);
    if (of != NULL) touch->of = of;
    return LG_OK;
}

int64_t lg_view_touches_count(const lg_view_track *t, int64_t rows)
{
    int64_t count = 0;
    for (int64_t i = 0; i < rows; i++) count += t->touch[i].count;
    return count;
}

void lg_view_touches_write(lg_json *j, const lg_view_track *t, int64_t rows, char *scratch)
{
    lg_base64 c = {.at = scratch};
    if (t->touches_most == 0) return;
    lg_json_open(j, "contacts", '{');
    lg_json_whole(j, "most", t->touches_most);
    for (int64_t i = 0; i < rows; i++) lg_base64_word(&c, (uint32_t)t->touch[i].count);
    lg_base64_finish(&c);
    lg_json_text(j, "counts", scratch);
    c = (lg_base64){.at = scratch};
    for (int64_t i = 0; i < rows; i++)
        for (int k = 0; k < t->touch[i].count * LG_VIEW_TOUCH; k++) lg_base64_float(&c, t->touch[i].of[k]);
    lg_base64_finish(&c);
    lg_json_text(j, "values", scratch);
    lg_json_close(j, '}');
}
