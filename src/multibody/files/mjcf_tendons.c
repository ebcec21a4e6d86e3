/* SPDX-License-Identifier: BSD-3-Clause */
/* Tendons of MJCF: none is read; those that exert no force may be left out. */
#include <string.h>

#include "multibody/files/mjcf.h"

/* 1: the tendon exerts a force of its own. */
static int pulls(mj_reader *o, mb_element *e)
{
    static const char *const forces[] = {"stiffness", "damping", "frictionloss", "armature"};
    double x[8] = {0};
    int any = 0;
    for (int i = 0; i < 4; i++) {
        const int count = mb_numbers(o->r, e, forces[i], x, 1, 8);
        for (int k = 0; k < count; k++) any |= x[k] != 0;
    }
    return any;
}

void mj_tendons(mj_reader *o, mb_element *section)
{
    for (mb_element *e = section->child; e != NULL && o->r->status == LG_OK; e = e->next) {
        e->read = 1;
        mj_inherit_as(o, e, "tendon");
        const int force = pulls(o, e), ignored = mj_is_ignored(o->r, "tendon");
        mb_passed_over(e);
        if (force && !ignored)
            mb_refuse_as(o->r, LG_ERROR_UNSUPPORTED, e,
                         "tendons are not read, and this one pulls; without it: --ignore tendon "
                         "(lg_mechanism_file::ignore)");
        else
            mb_note(o->r, e, "tendons are not read%s",
                    force ? " and ignored, as you ask" : ": they exert no force here");
    }
}
