/* SPDX-License-Identifier: BSD-3-Clause */
/* The inside of an integrator. One block: the struct, the factors' plans, and what carve() in integrator.c takes. */
#ifndef LG_INTEGRATORS_INTEGRATOR_H
#define LG_INTEGRATORS_INTEGRATOR_H

#include <liegrp/integrators/integrator.h>

#include "integrators/collocation/step_size.h"
#include "integrators/engine/free_step.h"
#include "integrators/engine/rule.h"
#include "integrators/engine/step.h"
#include "integrators/engine/workspace.h"

struct lg_integrator {
    signed char made; /* 0: only a message, from a creation that failed */
    signed char busy; /* 1: a function is running; callers are then its callbacks */
    short started;
    unsigned moves; /* how often a public function has changed the state, for what follows the integrator */
    size_t bytes;
    double h, t0;
    int64_t step;
    double base_t; /* t_k = base_t + (k - base_step) h; set by the last start or event */
    int64_t base_step;
    lg_system S; /* the integrator's copy */
    lg_plan plan;
    lg_field field;
    lg_workspace *workspace;
    double *first_g, *first; /* the state of the last start: g; p^+, p^-, p~, xi, lambda */
    double *report; /* scratch of what reads a state, 2 n + holonomic or n and an element, and of event.c around a step,
                       2 n */
    double *control; /* that are held; of polynomials their values at the end of a step */
    lg_error error;
};

static inline double *lg_first_lambda(const lg_integrator *it)
{
    return it->first + 4 * it->plan.n;
}

/* control_nodes.c: the degree of controls inside a step; 0: they are held. */
int lg_integrator_degree(const lg_integrator *it);
/* What gives the controls, and how many numbers: control_count, or those at the nodes of polynomials. */
const double *lg_integrator_controls(const lg_integrator *it);
int lg_integrator_control_numbers(const lg_integrator *it);
/* Fails, with it->error set, unless controls can be polynomials of this degree. */
lg_status lg_integrator_check_degree(lg_integrator *it, int degree, const char *function);
/* Sets the degree, which the method must have, and these numbers. */
void lg_integrator_shape_controls(lg_integrator *it, int degree);
void lg_integrator_put_controls(lg_integrator *it, const double *u);
/* Polynomials become what they are in a step that is `share` as long; 1: in the whole step. */
void lg_integrator_reach_controls(lg_integrator *it, double share);

/* Marks the integrator busy; an error if it is busy already, since the caller is then one of its callbacks. Every
 * function that enters it leaves it. */
lg_status lg_integrator_enter(lg_integrator *it, const char *function);
static inline lg_status lg_integrator_leave(lg_integrator *it, lg_status status)
{
    it->busy = 0;
    return status;
}

/* t_{k+1}. */
static inline double lg_next_time(const lg_integrator *it)
{
    return it->base_t + (double)(it->step + 1 - it->base_step) * it->h;
}

/* failure_text.c: writes the text of w->failure into *e; returns its status. */
lg_status lg_explain(lg_integrator *it, const char *function, lg_error *e);
/* The first field at node b with a value that is not finite, with its values; NULL if all are finite (then *values is
 * g). */
const char *lg_find_not_finite(const lg_integrator *it, const lg_node *b, const double **values, int *count);
/* Evaluates the callbacks at node b again; returns the first that is not finite, or NULL; *code: one failed. */
const char *lg_probe(lg_integrator *it, const lg_node *b, int *code);
/* LG_OK if the integrator is made and started. */
lg_status lg_not_ready(lg_integrator *it, const char *function);
/* integrator.c: creates an integrator of the method of `it`, with every step in the implicit form where `implicit` is
 * 1, not started; S is its system with other numbers. */
lg_status lg_integrator_copy_in_form(lg_integrator **copy, const lg_integrator *it, const lg_system *S, int implicit,
                                     lg_error *e);
/* lg_integrator_set_control() of an integrator that is entered: p^- of the GNI contains half the reaction of the next
 * step, so that to the old controls is replaced by that to the new ones. */
lg_status lg_integrator_jump(lg_integrator *it, const double *u);
/* Copies the present state and settings of `it` to `copy`, which was cloned from it or from a clone. */
lg_status lg_integrator_follow(lg_integrator *copy, const lg_integrator *it);
/* Makes the present state the one that lg_integrator_reset() returns to; times are not changed. */
void lg_integrator_set_first(lg_integrator *it);
/* start.c: lg_integrator_start_momentum() with step h and controls u (lg_integrator_control_numbers()) from here on; a
 * momentum that must satisfy constraints is projected onto them. */
lg_status lg_integrator_place(lg_integrator *it, double h, double t0, const double *g0, const double *p0,
                              const double *u);
/* start.c: sets controls on which constraints of all velocities depend: the present node gets the momentum that they
 * prescribe from here on. On failure all is as before. */
lg_status lg_integrator_obey(lg_integrator *it, const double *u);
/* The momentum that the method carries from step to step. */
const double *lg_integrator_carried(const lg_integrator *it);
/* Lets `pause` stop a long way to the next state: LG_ERROR_INTERRUPTED, and the next call continues from there. */
void lg_integrator_set_pause(lg_integrator *it, lg_pause pause);
/* Copies a node's numbers. */
void lg_copy_node(const lg_plan *P, lg_node *to, const lg_node *from);

#endif
