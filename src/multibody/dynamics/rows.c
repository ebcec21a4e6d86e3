/* SPDX-License-Identifier: BSD-3-Clause */
/* The rows of loops, gears, wheels and contacts in tree coordinates: the forces of a row's multiplier, seen along the
 * coordinates. Those of the tree's own joints are 0 there. Rotors of these joints are on the diagonal of M; the rotor
 * of a joint that closes a loop turns with the rate q' = J v, so that it adds J^T I J to M and J^T I q'' to forces. */
#include "multibody/dynamics/rows.h"

#include <math.h>

#include "multibody/rows/block.h"

int mb_dynamics_has_rows(const mb_block *k)
{
    return !k->tree && k->kind != MB_ROTOR;
}

int lg_dynamics_row_count(const lg_dynamics *d)
{
    return d != NULL ? d->rows : 0;
}

/* The length in the metric of a row of bodies that nothing connects. */
static double free_length(const mb_node *n, const mb_block *k, const mb_pair *row, int world)
{
    double square = 0;
    for (int s = 0; s < k->sides; s++) {
        mb_pair product;
        if (k->body[s] == world) continue;
        mb_part_product(&product, &row[s], &n->mobility[k->body[s]]);
        square += mb_dot6(product.v, row[s].v);
    }
    return sqrt(square);
}

/* A row times the motions of its bodies. */
static double along(const mb_block *k, const mb_pair *row, const mb_pair *of)
{
    double sum = 0;
    for (int s = 0; s < k->sides; s++) sum += mb_dot6(row[s].v, of[k->body[s]].v);
    return sum;
}

void mb_dynamics_gather_row(lg_dynamics *d, double *to, const mb_pair *row, const int *body, int sides)
{
    memset(d->force, 0, sz(d->m->plan.bodies + 1) * sizeof *d->force);
    memset(to, 0, sz(d->n) * sizeof *to);
    for (int s = 0; s < sides; s++)
        for (int c = 0; c < 6; c++) d->force[body[s]].v[c] += row[s].v[c];
    mb_dynamics_gather(d, to, d->force);
}

void mb_dynamics_rows(lg_dynamics *d, const mb_tree_rows *to)
{
    const lg_mechanism *m = d->m;
    const mb_node *n = &d->mo->numbers.node[0];
    int at = 0;
    mb_dynamics_node(d);
    if (to->bend != NULL) mb_dynamics_accelerate(d, NULL, 1);
    for (int e = 0; e < m->all_count; e++) {
        const mb_block *k = &m->all[e];
        const int velocity = mb_facts_of(k)->velocity;
        mb_pair row[MB_SIDES_MOST * MB_ROWS_MOST];
        double value[MB_ROWS_MOST], bend[MB_ROWS_MOST];
        if (!mb_dynamics_has_rows(k)) continue;
        mb_rows_of(&m->plan, k, row, value, n);
        const mb_site site = {k->body, n->pose, n->pose, n->pose, n->q, n->q, d->mo->numbers.twist};
        if (to->bend != NULL) mb_block_bend(&m->plan, k, bend, &site);
        for (int i = 0; i < k->rows; i++, at++) {
            if (to->drift != NULL) to->drift[at] = velocity ? value[i] : 0;
            if (to->open != NULL) to->open[at] = velocity ? 0 : value[i];
            if (to->bend != NULL) to->bend[at] = bend[i] + along(k, row + i * k->sides, d->acceleration);
            if (to->length != NULL) to->length[at] = free_length(n, k, row + i * k->sides, m->plan.bodies);
            if (to->G != NULL)
                mb_dynamics_gather_row(d, to->G + sz(at) * sz(d->n), row + i * k->sides, k->body, k->sides);
        }
    }
}

/* ---- rotors of joints that close loops ---- */

int mb_dynamics_turns_rotor(const lg_dynamics *d, const mb_block *k)
{
    return k->kind == MB_ROTOR && d->mo->position_of_joint[k->source] < 0;
}

/* The inertia that row i of the block, q' less the rotor's own velocity, has along q'. */
static double rotor_of(const lg_dynamics *d, const mb_block *k, const mb_pair *row, int i)
{
    const mb_joint *j = &d->m->joint[k->source];
    const int slot = mb_rotor_slot(&j->rate[i], i);
    const double ratio = row[0].v[slot];
    return (slot < 3 ? d->m->mass[j->rotor] : d->m->inertia[9 * j->rotor]) / (ratio * ratio);
}

void mb_dynamics_rotors(lg_dynamics *d, double *M, mb_pair *f)
{
    const mb_node *at = &d->mo->numbers.node[0];
    const size_t n = sz(d->n);
    if (d->rotors > 0) mb_dynamics_node(d);
    for (int e = 0; d->rotors > 0 && e < d->m->all_count; e++) {
        const mb_block *k = &d->m->all[e];
        const mb_site site = {k->body, at->pose, at->pose, at->pose, at->q, at->q, d->mo->numbers.twist};
        mb_pair row[MB_SIDES_MOST * MB_ROWS_MOST], *own = row;
        double value[MB_ROWS_MOST], bend[MB_ROWS_MOST], *J = d->along;
        if (!mb_dynamics_turns_rotor(d, k)) continue;
        mb_rows_of(&d->m->plan, k, row, value, at);
        mb_block_bend(&d->m->plan, k, bend, &site);
        for (int i = 0; i < k->rows; i++, own += k->sides) {
            const double I = rotor_of(d, k, own, i);
            if (M != NULL) mb_dynamics_gather_row(d, J, own, k->body, k->sides);
            for (size_t x = 0; M != NULL && x < n * n; x++) M[x] += I * (J[x / n] * J[x % n]);
            if (f == NULL) continue;
            const double rate = bend[i] + along(k, own, d->acceleration); /* a rotor's own is 0 there */
            for (int s = 1; s < k->sides; s++)
                for (int c = 0; c < 6; c++) f[k->body[s]].v[c] += I * rate * own[s].v[c];
        }
    }
}

/* ---- what users ask ---- */

lg_status lg_dynamics_rows(lg_dynamics *d, double *G, double *drift, double *bend)
{
    const lg_status st = mb_dynamics_begin(d, d, "lg_dynamics_rows");
    if (st == LG_OK) mb_dynamics_rows(d, &(mb_tree_rows){.G = G, .drift = drift, .bend = bend});
    return st;
}

const char *mb_dynamics_row_name(const lg_dynamics *d, int row, const char **name)
{
    const mb_block *k = d->m->all;
    for (;; k++) {
        if (!mb_dynamics_has_rows(k)) continue;
        if (row < k->rows) return mb_block_noun(d->m, k, name);
        row -= k->rows;
    }
}

lg_status mb_dynamics_closed(lg_dynamics *d, const char *who)
{
    const mb_block *where = NULL;
    const char *name, *noun;
    double speed = 1;
    mb_dynamics_node(d);
    if (d->rows == 0) return LG_OK;
    for (int b = 0; b < d->bodies; b++)
        for (int k = 0; k < 3; k++)
            speed = fmax(speed, fmax(fabs(d->mo->frame[b].v[k]), fabs(d->mo->frame[b].w[k]) * d->m->plan.reach));
    const double open = mb_residual(d->mo, 0, &where);
    if (!(open <= MB_DYNAMICS_OPEN * fmin(1, d->m->plan.reach))) {
        noun = mb_block_noun(d->m, where, &name);
        return lg_fail(&d->error, LG_ERROR_INCONSISTENT,
                       "%s: %s '%.60s' is open by %.3g at these positions; take the state of a motion that was started "
                       "with project = 1",
                       who, noun, name, open);
    }
    const double slip = mb_residual(d->mo, 1, &where);
    if (slip <= MB_DYNAMICS_OPEN * speed) return LG_OK;
    noun = mb_block_noun(d->m, where, &name);
    return lg_fail(&d->error, LG_ERROR_INCONSISTENT,
                   "%s: these velocities violate %s '%.60s' by %.3g; take the state of a motion that was started with "
                   "project = 1",
                   who, noun, name, slip);
}
