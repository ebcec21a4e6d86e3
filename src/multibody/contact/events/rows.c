/* SPDX-License-Identifier: BSD-3-Clause */
/* The rows of contacts at a stage or a node, between bodies whose joints answer. */
#include "multibody/contact/events/events.h"
#include "multibody/dynamics/least.h"

#include <string.h>

mb_events *mb_events_carve(lg_arena *a, const mb_plan *plan, int s)
{
    mb_events local = {0}, *home = mb_take(a, sizeof *home), *E = home != NULL ? home : &local;
    const size_t count = sz(plan->contacts), stages = sz(s) + 1, joints = sz(plan->rows) + 1;
    size_t rows = 0, tangents = 0;
    for (int i = 0; i < plan->contacts; i++) rows += sz(plan->contact[i].rows), tangents += plan->contact[i].rows == 3;
    E->count = plan->contacts, E->stages = s;
    E->mode = lg_take(a, count * sizeof *E->mode), E->asked = lg_take(a, count * sizeof *E->asked);
    E->straight = lg_take(a, count * sizeof *E->straight), E->fall = lg_take_doubles(a, count);
    E->direction = lg_take_doubles(a, 2 * count), E->heading = lg_take_doubles(a, 2 * count);
    E->turned = lg_take_doubles(a, 2 * stages * count);
    E->turn = lg_take_doubles(a, stages * count);
    E->turns = lg_take_doubles(a, stages * tangents * tangents);
    E->change = lg_take_doubles(a, stages * stages * tangents * tangents);
    E->change_pivot = lg_take(a, stages * tangents * sizeof *E->change_pivot);
    E->tangents = (int)tangents, E->tangent = lg_take(a, count * sizeof *E->tangent);
    for (int i = 0, k = 0; home != NULL && i < plan->contacts; i++)
        E->tangent[i] = plan->contact[i].rows == 3 ? k++ : -1;
    E->begin = lg_take_doubles(a, 3 * count);
    E->first = lg_take_doubles(a, MB_MARGINS * count), E->last = lg_take_doubles(a, MB_MARGINS * count);
    E->gap = lg_take_doubles(a, stages * count);
    E->u = lg_take_doubles(a, 3 * stages * count), E->x = lg_take_doubles(a, 3 * stages * count);
    E->pull = lg_take_doubles(a, 3 * stages * count);
    E->y = lg_take_doubles(a, rows * joints), E->z = lg_take_doubles(a, joints);
    E->W = lg_take_doubles(a, rows * rows), E->matrix = lg_take_doubles(a, rows * rows);
    E->room = lg_take_doubles(a, rows * (rows + 5));
    E->pivot = lg_take(a, 2 * rows * sizeof *E->pivot);
    double **const of_rows[] = {&E->bend, &E->right, &E->impulse, &E->free, &E->solution};
    for (size_t i = 0; i < sizeof of_rows / sizeof *of_rows; i++) *of_rows[i] = lg_take_doubles(a, rows);
    E->push = MB_TAKE(a, mb_pair, mb_frames(plan));
    return home;
}

/* Rows with less than this of their own depend on others. */
#define ROWS_PIVOT 1e-10

void mb_events_solve(mb_events *E, int n)
{
    double off;
    (void)mb_least(E->solution, &off, E->matrix, E->right, n, n, n, ROWS_PIVOT, E->room, E->pivot);
    memcpy(E->right, E->solution, sz(n) * sizeof *E->right);
}

/* y = L^-1 A J^-1 row^T, A being the rows of joints. */
static void rows_answer(mb_events *E, const mb_node *n)
{
    const mb_plan *plan = E->motion->plan;
    const mb_contacts *c = E->motion->contacts;
    const size_t stride = sz(plan->rows) + 1;
    mb_clear(E->push, mb_frames(plan) - 1);
    for (int a = 0; a < c->acting && plan->rows > 0; a++) {
        const mb_contact *k = &c->contact[c->which[a]];
        for (int i = c->row_of[a]; i < c->row_of[a] + k->rows; i++) {
            double *y = E->y + sz(i) * stride;
            for (int s = 0; s < 2; s++) E->push[k->body[s]] = c->product[2 * i + s];
            mb_pull(plan, n->rows.row, y, E->push, plan->blocks);
            mb_forward(plan, &plan->node, n->factor, y);
            for (int s = 0; s < 2; s++) memset(&E->push[k->body[s]], 0, sizeof *E->push);
        }
    }
}

/* W of rows i and j, of contacts p and q. */
static double rows_product(const mb_events *E, const mb_contact *p, const mb_contact *q, int i, int j)
{
    const mb_contacts *c = E->motion->contacts;
    const int joints = E->motion->plan->rows;
    const size_t stride = sz(joints) + 1;
    double w = -small_dot(joints, E->y + sz(i) * stride, E->y + sz(j) * stride);
    for (int s = 0; s < 4; s++)
        if (p->body[s / 2] == q->body[s % 2]) w += mb_dot6(c->row[2 * i + s / 2].v, c->product[2 * j + s % 2].v);
    return w;
}

void mb_events_rows(mb_events *E, const mb_node *n, const mb_pair *twist)
{
    mb_contacts *c = E->motion->contacts;
    const mb_place at = mb_place_at(E->motion, n);
    (void)mb_contacts_list(c);
    mb_contacts_rows(E->motion, &at);
    rows_answer(E, n);
    for (int a = 0; a < c->acting; a++)
        for (int e = 0; e <= a; e++) {
            const mb_contact *p = &c->contact[c->which[a]], *q = &c->contact[c->which[e]];
            for (int i = c->row_of[a]; i < c->row_of[a] + p->rows; i++)
                for (int j = c->row_of[e]; j < c->row_of[e] + q->rows; j++)
                    E->W[i * c->rows + j] = E->W[j * c->rows + i] = rows_product(E, p, q, i, j);
        }
    mb_contacts_velocities(c, c->u, twist);
}

void mb_events_wrench(mb_events *E, const mb_node *n, const double *x, mb_pair *f, double *z)
{
    const mb_plan *plan = E->motion->plan;
    const mb_contacts *c = E->motion->contacts;
    const size_t stride = sz(plan->rows) + 1;
    mb_clear(f, mb_frames(plan) - 1);
    mb_contacts_wrench(c, f, 1, x, 0);
    for (int i = 0; i < plan->rows; i++) {
        z[i] = 0;
        for (int r = 0; r < c->rows; r++) z[i] += E->y[sz(r) * stride + sz(i)] * x[r];
    }
    mb_backward(plan, &plan->node, n->factor, z);
    mb_push(plan, n->rows.row, f, -1, z, plan->blocks);
}

int mb_event_unknowns(const mb_events *E, int i)
{
    const mb_contact *k = &E->motion->contacts->contact[i];
    if (E->mode[i] == MB_EVENT_OPEN || (k->kind == MB_CONTACT_DRY && E->mode[i] == MB_EVENT_SLIDES)) return 0;
    return E->mode[i] == MB_EVENT_STICKS ? k->rows : 1;
}
