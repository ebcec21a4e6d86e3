/* SPDX-License-Identifier: BSD-3-Clause */
/* What stays positive while modes do: gaps of what is open, normal forces of the others, what is left of the cone where
 * they stick, and their speed where they slip. */
#include "multibody/contact/events/events.h"

#include "groups/rotation.h"
#include "multibody/collocation.h"
#include "multibody/sound.h"

#include <math.h>
#include <string.h>

/* Zero but for rounding, of the reach, of the fastest and of forces. */
#define MARGINS_GAP   1e-13
#define MARGINS_SPEED 1e-12
#define MARGINS_FORCE 1e-11

void mb_event_margins(const mb_events *E, int stage, int i, double *d, double *to)
{
    const mb_contact *k = &E->motion->contacts->contact[i];
    const int dry = k->kind == MB_CONTACT_DRY, at = stage * E->count + i;
    const double *u = E->u + 3 * at, *x = E->x + 3 * at;
    to[MB_MARGIN_NORMAL] = dry ? INFINITY : E->mode[i] == MB_EVENT_OPEN ? E->gap[at] : x[0];
    to[MB_MARGIN_TANGENT] = INFINITY;
    if (E->mode[i] == MB_EVENT_STICKS)
        to[MB_MARGIN_TANGENT] = dry            ? k->bound - fabs(x[0])
                                : k->rows == 3 ? k->friction * x[0] - lg_length(x + 1, 2)
                                               : INFINITY;
    if (E->mode[i] != MB_EVENT_SLIDES || k->viscous > 0) return;
    if (dry) to[MB_MARGIN_TANGENT] = u[0] * d[0];
    if (k->rows != 3) return;
    const double speed = lg_length(u + 1, 2), sign = u[1] * d[0] + u[2] * d[1] < 0 ? -1 : 1;
    to[MB_MARGIN_TANGENT] = sign * speed;
    if (sign > 0 && speed > 0) d[0] = u[1] / speed, d[1] = u[2] / speed;
}

double mb_event_nothing(const mb_sparse *mo, int i, int k)
{
    const mb_events *E = mo->numbers.collocation->events;
    const mb_plan *plan = mo->numbers.plan;
    if (k == MB_MARGIN_NORMAL)
        return E->mode[i] == MB_EVENT_OPEN ? MARGINS_GAP * plan->reach : MARGINS_FORCE * E->force;
    return E->mode[i] == MB_EVENT_STICKS ? MARGINS_FORCE * E->force : MARGINS_SPEED * (E->speed + 0.1 * plan->reach);
}

int mb_events_failed(const mb_sparse *mo)
{
    const mb_motion *m = &mo->numbers;
    return mo->unfit > 0 || m->callback != 0 || m->stray.kind != MB_STRAY_NONE;
}

int mb_events_arrive(mb_sparse *mo, mb_node *n, double t)
{
    mb_motion *m = &mo->numbers;
    mb_events *E = m->collocation->events;
    const mb_plan *plan = m->plan;
    const double speed = mb_fastest(plan, n), g = sqrt(small_dot(3, plan->gravity, plan->gravity));
    for (int i = 0; i < E->count; i++) m->contacts->acts[i] = E->mode[i] != MB_EVENT_OPEN;
    E->place = MB_EVENT_NODE;
    const int well = mb_collocation_probe(m, n, t);
    E->place = MB_EVENT_STAGES;
    if (!well) return 0;
    E->force = plan->whole_mass * (g + speed * speed / plan->reach);
    const double *x = E->x + 3 * E->stages * E->count;
    for (int i = 0; i < 3 * E->count; i++) E->force = fmax(E->force, fabs(x[i]));
    for (int i = 0; i < E->count; i++) mb_event_margins(E, E->stages, i, E->heading + 2 * i, E->last + MB_MARGINS * i);
    return 1;
}

/* The margins of all contacts at each stage, then at the end, and the time of each. */
static mb_hit look_through(const mb_sparse *mo, double s, int i, int k)
{
    const mb_events *E = mo->numbers.collocation->events;
    const double *c = mo->numbers.collocation->tableau.c, nothing = mb_event_nothing(mo, i, k);
    double before = E->first[MB_MARGINS * i + k], before_s = 0, d[2] = {E->direction[2 * i], E->direction[2 * i + 1]};
    int armed = before > nothing;
    for (int j = 0; j <= E->stages; j++) {
        const int ends = j == E->stages;
        double now[MB_MARGINS];
        if (!ends) mb_event_margins(E, j, i, d, now);
        const double value = ends ? E->last[MB_MARGINS * i + k] : now[k], when = ends ? s : c[j] * s;
        if (value < (armed ? 0 : -nothing)) return (mb_hit){i, k, ends, when, value, before_s, armed ? before : 0};
        armed |= value > nothing;
        before = value, before_s = when;
    }
    return (mb_hit){.contact = -1};
}

double mb_event_foreseen(const mb_hit *hit)
{
    return hit->before_s + (hit->s - hit->before_s) * (hit->before / (hit->before - hit->value));
}

mb_hit mb_events_look(const mb_sparse *mo, double s)
{
    const mb_events *E = mo->numbers.collocation->events;
    mb_hit first = {.contact = -1};
    for (int i = 0; i < E->count; i++)
        for (int k = 0; k < MB_MARGINS; k++) {
            if (E->first[MB_MARGINS * i + k] == INFINITY) continue;
            const mb_hit hit = look_through(mo, s, i, k);
            if (hit.contact >= 0 && (first.contact < 0 || hit.s < first.s ||
                                     (hit.s == first.s && mb_event_foreseen(&hit) < mb_event_foreseen(&first))))
                first = hit;
        }
    return first;
}
