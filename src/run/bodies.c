/* SPDX-License-Identifier: BSD-3-Clause */
/* Motions of mechanisms: starts, wrenches, impacts and linearisations by bodies. The bodies of a motion take a state;
 * its engine adopts it. */
#include <liegrp/multibody/gallery.h>
#include <liegrp/multibody/linearise.h>

#include "multibody/gallery/gallery.h"
#include "multibody/motion.h"
#include "run/engine.h"

static lg_status made(const lg_motion *mo)
{
    return mo != NULL && mo->engine != NULL && mo->bodies != NULL && mo->bodies->numbers.plan != NULL
               ? LG_OK
               : LG_ERROR_ARGUMENT;
}

/* The message of the bodies is the motion's. */
static lg_status say(lg_motion *mo, lg_status st)
{
    if (mo != &mo->bodies->head) mo->error = mo->bodies->head.error;
    return st;
}

static lg_status adopted(lg_motion *mo, lg_status st)
{
    return say(mo, st) == LG_OK ? mo->engine->adopt(mo) : st;
}

/* What only the step of mechanisms has. */
static lg_status refuse_dense(lg_motion *mo, const char *function, const char *what)
{
    return lg_fail(&mo->error, LG_ERROR_UNSUPPORTED, "%s: %.60s %s; create the motion with sem or gauss", function,
                   mo->engine->method(mo), what);
}

lg_status lg_motion_start_joints(lg_motion *mo, double t0, const double *positions, const double *velocities,
                                 int project)
{
    const lg_status st = made(mo);
    return st == LG_OK ? adopted(mo, mb_sparse_start(mo->bodies, t0, positions, velocities, project)) : st;
}

lg_status lg_motion_start_poses(lg_motion *mo, double t0, const double *poses, const double *twists, int project)
{
    const lg_status st = made(mo);
    return st == LG_OK ? adopted(mo, mb_sparse_start_poses(mo->bodies, t0, poses, twists, project)) : st;
}

lg_status lg_gallery_start(lg_motion *mo, int i)
{
    const lg_status st = made(mo);
    return st == LG_OK ? adopted(mo, mb_gallery_start(mo->bodies, i)) : st;
}

lg_status lg_motion_continue(lg_motion *mo, double *lost, const lg_motion *from)
{
    const lg_status st = made(mo);
    if (st != LG_OK || mo == from) return LG_ERROR_ARGUMENT;
    if (mo->engine == &lg_engine_dense) return refuse_dense(mo, "lg_motion_continue", "keeps no account of impacts");
    return adopted(mo, mb_sparse_continue(mo->bodies, lost, mb_of(from)));
}

lg_status lg_motion_set_wrench(lg_motion *mo, lg_wrench_fn wrench, void *context)
{
    const lg_status st = made(mo);
    if (st != LG_OK) return st;
    if (mo->engine == &lg_engine_dense) return refuse_dense(mo, "lg_motion_set_wrench", "takes no wrench function");
    return mb_sparse_set_wrench(mo->bodies, wrench, context);
}

lg_status lg_motion_linearise(lg_motion *mo, double *A, double *B, double *C, const double *spin)
{
    const lg_status st = made(mo);
    return st == LG_OK ? say(mo, mb_sparse_linearise(mb_of(mo), A, B, C, spin, 0, "lg_motion_linearise")) : st;
}

lg_status lg_motion_linearise_step(lg_motion *mo, double *A, double *B, double *C, const double *spin)
{
    const lg_status st = made(mo);
    if (st != LG_OK) return st;
    if (mo->engine == &lg_engine_dense)
        return refuse_dense(mo, "lg_motion_linearise_step", "has the derivatives of lg_linearisation");
    return mb_sparse_linearise(mo->bodies, A, B, C, spin, 1, "lg_motion_linearise_step");
}

lg_status lg_motion_linearise_along(lg_motion *mo, double *A, double *B, double *h)
{
    const lg_status st = made(mo);
    if (st != LG_OK) return st;
    if (mo->engine == &lg_engine_dense)
        return refuse_dense(mo, "lg_motion_linearise_along", "has the derivatives of lg_linearisation");
    return mb_sparse_linearise_along(mo->bodies, A, B, h);
}

lg_status lg_motion_linearise_parameters(lg_motion *mo, double *P, double *D, const int *which, int count)
{
    const lg_status st = made(mo);
    if (st != LG_OK) return st;
    if (mo->engine == &lg_engine_dense)
        return refuse_dense(mo, "lg_motion_linearise_parameters", "has the derivatives of lg_linearisation");
    return mb_sparse_linearise_parameters(mo->bodies, P, D, which, count);
}

lg_status lg_motion_basis(lg_motion *mo, double *C)
{
    const lg_status st = made(mo);
    return st == LG_OK ? say(mo, mb_sparse_basis(mb_of(mo), C, NULL, NULL)) : st;
}
