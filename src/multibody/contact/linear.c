/* SPDX-License-Identifier: BSD-3-Clause */
/* Contacts of steps that are linearised along a motion. */
#include "multibody/contact/held.h"
#include "multibody/contact/landing.h"
#include "multibody/linear.h"

void mb_linear_touch(mb_linear *L)
{
    const lg_contact_options options = mb_contacts_options(L->mo->numbers.contacts);
    mb_contacts_set_options(L->copy->numbers.contacts, &options);
    L->copy->islands = NULL;
}

lg_status mb_linear_hold(mb_linear *L, const mb_sparse *after)
{
    const size_t contacts = sz(L->mo->mechanism->plan.contacts);
    L->held = lg_reserve(2 * contacts * sizeof *L->held); /* and those of another step */
    if (L->held == NULL) return lg_fail(&L->mo->head.error, LG_ERROR_MEMORY, "%s: out of memory", L->who);
    return mb_held_find(L->mo, after, L->held, &L->contacts, L->who);
}

lg_status mb_linear_unheld(mb_linear *L, int exact)
{
    lg_error *e = &L->mo->head.error;
    if (exact < 0)
        return lg_fail(e, LG_ERROR_SINGULAR,
                       "%s: t = %.10g: contacts depend on each other, and how they share the load changes the motion: "
                       "there is no derivative",
                       L->who, L->mo->t);
    return lg_fail(e, LG_ERROR_UNSUPPORTED,
                   "%s: steps with contacts have derivatives in a library that was built with a compiler for C++, "
                   "without servos, composed joints and your wrench function, and where sweeps contract",
                   L->who);
}

lg_status mb_linear_holds(mb_linear *L)
{
    mb_held *held = L->held + L->mo->mechanism->plan.contacts;
    int count;
    const lg_status st = mb_held_find(L->mo, L->copy, held, &count, L->who);
    if (st != LG_OK || mb_held_alike(held, count, L->held, L->contacts)) return st;
    return lg_fail(&L->mo->head.error, LG_ERROR_SINGULAR,
                   "%s: steps whose length differs by a fifth from h = %g have other contacts: there is no derivative "
                   "with respect to h",
                   L->who, L->mo->h);
}
