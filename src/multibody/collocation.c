/* SPDX-License-Identifier: BSD-3-Clause */
/* A step of Gauss collocation of a mechanism, as the verbs that it consists of (docs/architecture.md; the equations:
 * docs/theory.md section 18). With a tolerance, adaptive.c makes it as a substep whose size step_size.c chooses.
 *
 * From (r_0, q_0, p_0) on the constraints, stages i = 1, ..., S with coefficients a_ij, b_i, c_i:
 *   predict      rates at the stages from the polynomial of the step before     integrators/collocation/tableau.c
 *   until the stages converge, each sweep:                                      stages.c
 *     momenta      P_i = P_0 + h sum_j a_ij P_j', also L_i; velocities          stages.c
 *     poses        r_i = r_0 + h sum_j a_ij r_j', also q_i; coordinates         stages.c
 *     forces       f_i, the caller's wrenches, gyroscopic torques               equations.c, forces/
 *     rows         A_i, A_i' xi_i and the factor of C_i = A_i J_i^-1 A_i^T      equations.c, rows/
 *     multipliers  C_i lambda_i = b_i' - A_i' xi_i - A_i J_i^-1 f_i             equations.c
 *     rates        (F, T) = f_i + A_i^T lambda_i;  P_i' = F,
 *                  L_i' = L_i x w_i + R_i^T T                                   equations.c
 *   account      work and mean reactions: sum_i b_i of those at the stages      stages.c
 *   place        g_1 = g_0 + h sum_i b_i g_i',  also p_1                        here
 *   close        g_1 onto phi = 0 along J^-1 A^T                                here, project.c
 *   settle       p_1 <- p_1 - A^T C^-1 (A J^-1 p_1 - b)                         project.c
 *                gaps and rows of contacts likewise                             contact/events/settle.c
 *   energy       p_1 <- p_1 sqrt((H_0 - V(g_1))/T(p_1)) where H is conserved    here
 *   keep         rates for the next prediction                                  here
 * H_0 is that of the start. */
#include "multibody/activation.h"
#include "multibody/collocation.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include <liegrp/base/width.h>

#include "base/width.h"
#include "multibody/contact/events/events.h"
#include "multibody/forces/force.h"
#include "multibody/forces/thrust.h"
#include "multibody/sound.h"

enum { CLOSINGS = 6, SWEEPS_MOST = 100, SWEEPS_WITH_FRICTION = 300 };

/* A step that leaves the joints open by more, of the reach, has lost its way. */
#define OPEN_MOST 0.1
/* What a part with contacts may miss its balance by, of methods of high order: no other error tells of motions that are
 * too fast for it. */
#define CONTACTS_RESOLVED 1e-9
/* Beyond this the factor of where the poses began does not do for momenta. */
#define FAR 1e-5
/* The energy is kept where that changes T by less than this part: near rest it says nothing. */
#define SHARE 1e-3

/* Contacts are found stage by stage. */
static const mb_stages_table *collocation_table(const mb_plan *plan, int s)
{
    const int width = plan->contacts > 0 ? 1 : lg_tableau_width(s, lg_width_choose(0));
    LG_IF_WIDTH_8(if (width == 8) return &mb_stages_8;)
    LG_IF_WIDTH_4(if (width == 4) return &mb_stages_4;)
    return width == 1 ? &mb_stages_1 : &mb_stages_2;
}

/* What energies are compared with where they vanish, as at rest at height 0: a part of what gravity and springs hold in
 * the mechanism's size, whose round-off is that of poses. */
static double collocation_slight_energy(const mb_plan *plan)
{
    double energy = plan->whole_mass * sqrt(small_dot(3, plan->gravity, plan->gravity)) * plan->reach;
    for (int i = 0; i < plan->forces; i++) {
        const mb_force *s = &plan->force[i];
        const int turns = s->coordinate >= 0 && !plan->coordinate[s->coordinate].slides;
        if (mb_force_probe(s).potential != 0)
            energy += mb_force_probe(s).stiffness * (turns ? 1 : plan->reach * plan->reach);
    }
    return 1e-2 * energy;
}

mb_collocation *mb_collocation_carve(lg_arena *a, const mb_plan *plan, int s)
{
    const mb_stages_table *table = collocation_table(plan, s);
    const size_t numbers = sz(mb_state_numbers(plan));
    mb_collocation none = {0}, *o = mb_take(a, sizeof *o), *to = o != NULL ? o : &none;
    to->start = MB_TAKE(a, double, numbers);
    to->rates = MB_TAKE(a, double, numbers *sz(s));
    to->memory = MB_TAKE(a, double, numbers *sz(s));
    to->reaction = MB_TAKE(a, double, MB_REACTION *mb_room(plan)->blocks);
    void *memory = mb_take(a, table->bytes(plan, s));
    if (o == NULL) return NULL;
    lg_tableau_make(&o->tableau, s);
    o->table = table;
    o->stages = table->make(memory, plan, s);
    o->tolerance = 1e-16, o->sweeps_most = plan->contacts > 0 ? SWEEPS_WITH_FRICTION : SWEEPS_MOST;
    o->slight = collocation_slight_energy(plan);
    mb_collocation_forget(o);
    return o;
}

void mb_collocation_forget(mb_collocation *o)
{
    o->span = 0;
    o->contraction = 0.1;
    o->kept = NAN;
}

/* ---- the stages ---- */

static void collocation_write_start(const mb_motion *m, const mb_node *n, double *to)
{
    const mb_plan *plan = m->plan;
    for (int b = 0; b < plan->bodies; b++, to += MB_STATE) {
        memcpy(to + MB_AT_Q, n->pose[b].q, sizeof n->pose[b].q);
        memcpy(to + MB_AT_R, n->pose[b].r, sizeof n->pose[b].r);
        memcpy(to + MB_AT_P, n->p[b].v, 3 * sizeof *to);
        mb_back(to + MB_AT_L, n->pose[b].R, n->p[b].v + 3);
    }
    memcpy(to, n->q, sz(plan->coordinates) * sizeof *to);
}

/* 1: H changes for no reason. */
static int collocation_conserves(const mb_motion *m)
{
    const mb_plan *plan = m->plan;
    if (m->collocation->ask != NULL || plan->drifts || plan->drives > 0) return 0;
    if (m->collocation->events != NULL && mb_events_dissipate(m->collocation->events)) return 0;
    for (int i = 0; i < plan->controls && plan->activations > 0; i++)
        if (mb_activation_at(plan, i, m->control, m->act, m->collocation->t) != 0) return 0;
    for (int i = 0; i < plan->balls; i++)
        if (plan->ball[i].damping != 0 || (plan->ball[i].control >= 0 && m->control[plan->ball[i].control] != 0))
            return 0;
    for (int i = 0; i < plan->thrusters; i++)
        if (mb_thrust_of(&plan->thruster[i], m->control) != 0) return 0;
    for (int i = 0; i < plan->forces; i++) {
        const mb_force *s = &plan->force[i];
        if (mb_force_works(s) || (s->control >= 0 && m->control[s->control] != 0)) return 0;
    }
    return 1;
}

static int collocation_solve(mb_motion *m, const mb_node *n0, double h, const mb_guide *guide, int conserved)
{
    mb_collocation *o = m->collocation;
    mb_stage_task task = {.tableau = &o->tableau,
                          .h = h,
                          .start = o->start,
                          .control = m->control,
                          .act = m->act,
                          .contraction = o->contraction,
                          .extension = &o->extension,
                          .tolerance = o->tolerance,
                          .sweeps_most = o->sweeps_most,
                          .t = o->t,
                          .ask = o->ask,
                          .owner = o->owner,
                          .events = o->events,
                          .accounts = !conserved,
                          .rates = o->rates,
                          .reaction = o->reaction,
                          .motor_work = m->motor_work};
    collocation_write_start(m, n0, o->start);
    if (lg_tableau_leads(&o->tableau, &o->extension, guide->at, h, guide->span)) task.memory = guide->rates;
    if (o->events != NULL) mb_events_begin(o->events);
    int bad = o->table->solve(o->stages, &task);
    if (bad && task.memory != NULL && task.callback == 0 &&
        task.stray.kind == MB_STRAY_NONE) { /* the prediction may mislead */
        const int sweeps = task.sweeps;
        task.memory = NULL;
        bad = o->table->solve(o->stages, &task);
        task.sweeps += sweeps;
    }
    m->callback = task.callback;
    m->stray = task.stray;
    m->sweeps += task.sweeps;
    m->work = task.work;
    if (o->events != NULL && !bad) mb_events_account(o->events, o->tableau.b, h);
    o->defect = task.defect;
    memcpy(o->size, task.size, sizeof o->size);
    if (!bad) o->contraction = task.contraction;
    return !bad;
}

int mb_collocation_probe(mb_motion *m, const mb_node *n, double t)
{
    mb_collocation *o = m->collocation;
    mb_stage_task task = {.tableau = &o->tableau,
                          .start = o->start,
                          .control = m->control,
                          .act = m->act,
                          .t = t,
                          .ask = o->ask,
                          .owner = o->owner,
                          .events = o->events};
    collocation_write_start(m, n, o->start);
    const int bad = o->table->solve(o->stages, &task);
    m->callback = task.callback, m->stray = task.stray;
    return !bad;
}

/* ---- the node ---- */

/* start + h sum_j b_j rates_j. */
static double collocation_sum(const mb_collocation *o, int i, double h)
{
    const int s = o->tableau.s;
    double sum = 0;
    for (int j = 0; j < s; j++) sum += o->tableau.b[j] * o->rates[i * s + j];
    return o->start[i] + h * sum;
}

static void collocation_place(mb_motion *m, mb_node *n, double h)
{
    const mb_plan *plan = m->plan;
    const mb_collocation *o = m->collocation;
    int i = 0;
    for (int b = 0; b < plan->bodies; b++) {
        for (int k = 0; k < 4; k++) n->pose[b].q[k] = collocation_sum(o, i++, h);
        for (int k = 0; k < 3; k++) n->pose[b].r[k] = collocation_sum(o, i++, h);
        for (int k = 0; k < 6; k++) n->p[b].v[k] = collocation_sum(o, i++, h); /* the spin in space once R is known */
        small_renormalise(4, n->pose[b].q);
    }
    for (int c = 0; c < plan->coordinates; c++) n->q[c] = collocation_sum(o, i++, h);
    mb_node_place(plan, n, n->q);
    for (int b = 0; b < plan->bodies; b++) mb_turn(n->p[b].v + 3, n->pose[b].R, n->p[b].v + 3);
}

/* The largest |phi|, NaN if there is one. */
static double collocation_open(const mb_plan *plan, const mb_node *n)
{
    double most = 0;
    for (int i = 0; i < plan->holonomic_rows; i++)
        if (!(fabs(n->phi[i]) <= most)) most = fabs(n->phi[i]);
    return most / fmax(plan->reach, 1e-300);
}

/* The factor of the holonomic rows, in the memory of the averaged pose if there are others. */
static const double *collocation_factor(mb_motion *m, const mb_node *n)
{
    const mb_plan *plan = m->plan;
    if (plan->holonomic_rows == plan->rows) return n->factor;
    mb_gram(plan, &plan->mean, m->mean_factor, n->rows);
    mb_factor(plan, &plan->mean, m->mean_factor);
    return m->mean_factor;
}

/* Poses onto phi = 0, with the rows and the factor of where they began. 0: they were far off. */
static int collocation_close(mb_motion *m, mb_node *n)
{
    const mb_plan *plan = m->plan;
    mb_collocation *o = m->collocation;
    mb_node_rows(plan, n, 0);
    o->open = collocation_open(plan, n);
    if (!(o->open <= OPEN_MOST)) return 0;
    if (plan->holonomic_rows == 0) return 1;
    const mb_symbolic *S = plan->holonomic_rows == plan->rows ? &plan->node : &plan->mean;
    const double *factor = collocation_factor(m, n);
    double last = INFINITY, open = o->open;
    for (int i = 0; i < CLOSINGS && open < 0.5 * last && open > 0; i++) {
        last = open;
        mb_close_with(plan, S, factor, n, m->y, m->wrench);
        mb_turn_bodies(plan, n);
        mb_coordinates(plan, n, n->q, 0, plan->driven);
        mb_rows_evaluate(plan, m->mean.row, n->phi, m->y, n->pose, n, n, plan->holonomic_blocks);
        open = collocation_open(plan, n);
    }
    mb_coordinates(plan, n, n->q, plan->driven, plan->coordinates);
    if (o->open > FAR)
        mb_node_rows(plan, n, 0);
    else if (plan->holonomic_rows < plan->rows)
        mb_rows_evaluate(plan, n->rows.row, n->phi, n->drift, n->pose, n, n, plan->blocks);
    else if (last < INFINITY) /* it was moved */
        memcpy(n->rows.row, m->mean.row, sz(plan->holonomic_parts) * sizeof *n->rows.row);
    return open <= OPEN_MOST;
}

/* Momenta to the energy of the start, where it is conserved. o->miss becomes what the step misses its balance by. */
static void collocation_keep_energy(mb_motion *m, const mb_node *n0, mb_node *n1, int conserved)
{
    const mb_plan *plan = m->plan;
    mb_collocation *o = m->collocation;
    double size0, size1;
    const double H0 = mb_energy(plan, n0, &size0), H1 = mb_energy(plan, n1, &size1), T = mb_kinetic(plan, n1);
    const double size = fmax(fmax(size0, size1) + fabs(m->work), o->slight);
    o->miss = fabs((H1 - H0) - m->work) / (size + DBL_MIN);
    if (!conserved || isnan(o->kept)) o->kept = conserved ? H0 : NAN;
    const double wanted = conserved ? o->kept - (H1 - T) : T;
    if (!(fabs(wanted - T) <= SHARE * T) || !(wanted > 0)) return;
    const double factor = sqrt(wanted / T);
    for (int b = 0; b < plan->bodies; b++)
        for (int k = 0; k < 6; k++) n1->p[b].v[k] *= factor;
}

int mb_collocate(mb_motion *m, const mb_node *n0, mb_node *n1, double h, const mb_guide *guide)
{
    const int conserved = collocation_conserves(m);
    if (m->plan->activations > 0) mb_inputs(m->plan, m->input, m->control, m->act, m->collocation->t, h);
    if (!collocation_solve(m, n0, h, guide, conserved)) return 0;
    if (mb_node_lead(m->plan, n1, m->collocation->t + h, -1, &m->stray)) return 0;
    collocation_place(m, n1, h);
    if (!collocation_close(m, n1)) return 0;
    if (m->collocation->events != NULL && !mb_events_close(m->collocation->events, n1)) return 0;
    mb_settle(m->plan, n1, m->y, m->twist);
    if (m->collocation->events != NULL) mb_events_settle(m->collocation->events, n1);
    mb_forces_work(m, n0, n1, h, 1);
    collocation_keep_energy(m, n0, n1, conserved);
    const mb_collocation *o = m->collocation;
    return o->miss <= (o->events != NULL && o->tableau.s >= LG_STAGES_USUAL ? CONTACTS_RESOLVED : MB_RESOLVED);
}

void mb_collocation_keep(mb_collocation *o, double h)
{
    double *memory = o->memory;
    o->memory = o->rates, o->rates = memory;
    o->span = h;
}
