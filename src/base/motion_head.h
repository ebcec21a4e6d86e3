/* SPDX-License-Identifier: BSD-3-Clause */
/* What every motion begins with, whichever engine moves it (run/engine.h). */
#ifndef LG_BASE_MOTION_HEAD_H
#define LG_BASE_MOTION_HEAD_H

#include "base/message.h"

extern const struct lg_engine lg_engine_dense, lg_engine_sparse;

struct lg_motion {
    const struct lg_engine *engine; /* NULL: creation failed, only the message is there */
    const struct lg_model *model;   /* whose columns its rows have */
    struct mb_sparse *bodies;       /* where joints, wheels and bodies of a mechanism are read; NULL: it has none */
    lg_error error;
    /* Before it is read or moved: takes over the state of an integrator that its owner moved; NULL: none can be. */
    void (*look)(const struct lg_motion *mo);
};

static inline const struct lg_motion *lg_motion_seen(const struct lg_motion *mo)
{
    if (mo != NULL && mo->look != NULL) mo->look(mo);
    return mo;
}

#endif
