/* SPDX-License-Identifier: BSD-3-Clause */
/* Impacts, told to a function of the caller's. */
#include "multibody/contact/landing.h"
#include "multibody/parts/part.h"

#include <string.h>

lg_status mb_tell_impacts(mb_sparse *mo, double t, int count)
{
    const int code = mo->impact != NULL ? mo->impact(t, mo->impacts, count, mo->impact_context) : 0;
    if (code == 0) return LG_OK;
    return lg_fail(&mo->head.error, LG_ERROR_CALLBACK,
                   "lg_motion_step: t = %.10g: your function of impacts returned %d", t, code);
}

lg_status mb_tell_impact(mb_sparse *mo)
{
    const mb_contacts *c = mo->numbers.contacts;
    if (mo->impact == NULL) return LG_OK;
    for (int a = 0; a < c->acting; a++) {
        const int i = c->which[a], r = c->row_of[a];
        const mb_contact *k = &c->contact[i];
        const int of_joint = k->kind <= MB_CONTACT_DRY;
        lg_impact *to = &mo->impacts[a];
        *to = (lg_impact){.contact = c->number != NULL ? c->number[i] : i,
                          .joint = of_joint ? mo->plan.coordinate[k->source].joint : -1};
        for (int s = 0; s < 2; s++) to->surface[s] = of_joint ? -1 : k->surface[s];
        to->wheel = k->wheel, to->approach = -c->u[r];
        memcpy(to->impulse, c->push + 3 * i, sizeof to->impulse);
        for (int n = 0; n < k->rows; n++) to->loss -= 0.5 * c->x[r + n] * (c->u[r + n] + c->b[r + n]);
    }
    return mb_tell_impacts(mo, mo->t, c->acting);
}

lg_status lg_motion_set_impact(lg_motion *motion, lg_impact_fn impact, void *context)
{
    mb_sparse *mo = mb_of(motion);
    if (mo == NULL) return LG_ERROR_ARGUMENT;
    lg_error_clear(&mo->head.error);
    if (motion->engine == &lg_engine_dense || mo->numbers.contacts == NULL)
        return lg_fail(&mo->head.error, LG_ERROR_ARGUMENT,
                       "lg_motion_set_impact: the motion has no contacts; add surfaces, stops or dry friction to its "
                       "mechanism, and take the method sem or gauss");
    mo->impact = impact, mo->impact_context = context;
    return LG_OK;
}
