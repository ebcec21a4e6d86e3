/* SPDX-License-Identifier: BSD-3-Clause */
/* The first members of every motion, for every engine (run/engine.h). */
#ifndef LG_BASE_MOTION_HEAD_H
#define LG_BASE_MOTION_HEAD_H

#include "base/message.h"

extern const struct lg_engine lg_engine_dense, lg_engine_sparse;

struct lg_motion {
    const struct lg_engine *engine; /* NULL: creation failed, only the message is set */
    const struct lg_model *model;   /* the model, which defines the columns */
    struct lg_model *own;          /* that model, if parameters of a mechanism were set since: ours to free; or NULL */
    struct mb_sparse *bodies;       /* joints, wheels and bodies of a mechanism, or NULL */
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
