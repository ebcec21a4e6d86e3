/* SPDX-License-Identifier: BSD-3-Clause */
/* The derivative of a step of collocation by the implicit function theorem (docs/theory.md section 14). With z_i =
 * (g_i, p_i), k_i = (g_i', p_i') and r_i = A_i xi_i - b_i at the stages,
 *   dz_i - h sum_j a_ij dk_j = dz_0 + dh sum_j a_ij k_j,   dk_j = D_j (dz_j, dlambda_j) + E_j dx
 *   stage form: dr_i = 0                                   rate form: D_j and E_j contain lambda_j
 * is one linear system for all dz_i, dlambda_i. Then
 *   dz^_1 = dz_0 + dh sum_j b_j k_j + h sum_j b_j dk_j
 * is what arrives at the node. In the numbers of an element dg_0 = g_0 eta^; what arrives is an element again, and its
 * eta follows from its change. The node is a function of what arrives, of x and of the factor s of its momentum, for
 * which s^2 T = H_0 - V where the energy is kept: 2 s T ds = dH_0 - dV - s^2 dT.
 *
 * Stages are off the group by the error of the method, so D_j is with respect to all numbers of an element. Fields are
 * differenced for all stages at once, which costs a sweep. */
#include <math.h>
#include <string.h>

#include "base/dense.h"
#include "integrators/collocation/collocation.h"
#include "integrators/engine/rule.h"
#include "integrators/linearisation/linearisation.h"

/* ---- memory ---- */

int lg_slopes_outputs(const lg_plan *P)
{
    const int stages = P->method.collocation_stages * (P->element_size + P->n + P->m), node = 2 * P->n + P->m + 2;
    return !P->method.collocation_stages ? 0 : stages > node ? stages : node;
}

void lg_slopes_carve(lg_slopes *o, lg_arena *a, const lg_integrator *it, int nx, int ny)
{
    const lg_plan *P = &it->plan;
    const size_t s = sz(P->method.collocation_stages), n = sz(P->n), e = sz(P->element_size);
    if (!s) return;
    o->numbers = P->element_size + P->n + P->m, o->unknowns = o->numbers - (P->rate_form ? P->m : 0);
    o->more = 1 + lg_integrator_control_numbers(it) + it->S.parameter_count;
    const size_t numbers = sz(o->numbers), more = sz(o->more), all = s * sz(o->unknowns);
    o->at = lg_take_doubles(a, numbers * s), o->trial = lg_take_doubles(a, numbers * s);
    o->fields = lg_take_doubles(a, numbers * s), o->partial = lg_take_doubles(a, numbers * (numbers + more) * s);
    o->stride = lg_row_stride((int)all, nx);
    lg_align(a);
    o->matrix = lg_take_doubles(a, all * sz(o->stride));
    o->basis = lg_take_doubles(a, e * n), o->arriving_basis = lg_take_doubles(a, e * n),
    o->left = lg_take_doubles(a, n * e), o->gram = lg_take_doubles(a, n * n);
    o->arriving_g = lg_take_doubles(a, e), o->arriving_p = lg_take_doubles(a, n);
    o->kept = lg_take_doubles(a, sz(nx));
    o->node = lg_take_doubles(a, sz(ny + 2) * (2 * n + 1 + more));
    o->step = lg_take_doubles(a, sz(ny) * sz(nx)), o->state = lg_take_doubles(a, 2 * n * sz(nx));
    o->change = lg_take_doubles(a, e + n), o->node_change = lg_take_doubles(a, 2 * n + 1 + more);
}

/* Numbers of a state: an element and a momentum. */
static int slopes_states(const lg_linearisation *lin)
{
    return lin->implicit_copy->plan.element_size + lin->implicit_copy->plan.n;
}

/* The length of the step at hand, which may be one of several to the end. */
static double slopes_length(const lg_linearisation *lin)
{
    return lin->share * lin->h;
}

/* ---- inputs ---- */

/* Input number k of `more`, as a column of x; time is where h is. */
static int slopes_column(const lg_linearisation *lin, int k)
{
    const int first = 2 * lin->implicit_copy->plan.n, controls = lin->controls;
    if (k == 0) return first + controls;
    return k <= controls ? first + k - 1 : first + k;
}

/* Controls and parameters as they are, but number k of `more` displaced by e; *later: by how much time is. Of controls
 * that are polynomials number k stands for its control at all nodes, which moves it by e everywhere. */
static int slopes_displace(lg_linearisation *lin, int k, double e, double *later)
{
    lg_integrator *o = lin->implicit_copy;
    const int controls = lin->controls;
    lg_stage_steer(lin, k - 1, e, 1);
    memcpy(lin->seen, lin->parameters, sz(o->S.parameter_count) * sizeof *lin->seen);
    if (k > controls) lin->seen[k - 1 - controls] += e;
    *later = k == 0 ? e : 0;
    return lg_arrays_follow(lin);
}

/* lg_differentiate() with respect to number k of `more`, which is `column` of f. */
static int slopes_differentiate_more(lg_linearisation *lin, const lg_differenced *f, int column, int k)
{
    const int x = slopes_column(lin, k);
    return lg_differentiate_input(lin, f, column, lin->scale[x], x);
}

/* Does anything but h depend on number k of `more`? */
static int slopes_matters(const lg_linearisation *lin, int k)
{
    return k > 0 || lin->implicit_copy->S.callbacks.time_dependent;
}

/* ---- the fields of the stages ---- */

static int slopes_sample(lg_linearisation *lin, int column, double e, double *f)
{
    lg_slopes *o = &lin->slopes;
    lg_workspace *w = lin->implicit_copy->workspace;
    const int s = w->collocation->tableau.s;
    memcpy(o->trial, o->at, sz(o->numbers * s) * sizeof *o->at);
    for (int j = 0; j < s && column >= 0 && column < o->numbers; j++) o->trial[column * s + j] += e;
    double later;
    if (slopes_displace(lin, column < o->numbers ? LG_NO_COLUMN : column - o->numbers, e, &later)) return 1;
    lin->expansions.next = 0;
    if (lg_collocation_fields(w, slopes_length(lin), lin->t0 + lin->before * lin->h + later, o->trial, f)) return 1;
    if (lg_all_finite(f, o->numbers * s)) return 0;
    return lg_workspace_fail_status(w, LG_ERROR_NOT_FINITE, "the stages");
}

/* Number k of `more` is a control at another node than the first, whose derivatives are those of the first. */
static int slopes_follows(const lg_linearisation *lin, int k)
{
    const int c = lin->implicit_copy->S.callbacks.control_count;
    return k > c && k <= lin->controls;
}

static void slopes_store(lg_linearisation *lin, int column)
{
    lg_slopes *o = &lin->slopes;
    const int s = lin->implicit_copy->plan.method.collocation_stages, width = o->numbers + o->more;
    for (int r = 0; r < o->numbers; r++)
        memcpy(o->partial + (r * width + column) * s, lin->best + r * s, sz(s) * sizeof *o->partial);
}

/* The derivatives with respect to number k of `more` are those with respect to a control at the stages, which its
 * values at the nodes give. */
static void slopes_store_nodes(lg_linearisation *lin, int k)
{
    lg_slopes *o = &lin->slopes;
    const lg_controls *u = &lin->implicit_copy->workspace->collocation->controls;
    const int s = u->stage_count, width = o->numbers + o->more, nodes = u->degree + 1;
    for (int r = 0; r < o->numbers; r++)
        for (int i = 0; i < nodes; i++)
            for (int q = 0; q < s; q++)
                o->partial[(r * width + o->numbers + k + i * u->count) * s + q] =
                    u->to_stages[q * nodes + i] * lin->best[r * s + q];
}

static int slopes_is_polynomial(const lg_linearisation *lin, int k)
{
    return lg_integrator_degree(lin->implicit_copy) && k > 0 && k <= lin->implicit_copy->S.callbacks.control_count;
}

/* Multipliers act linearly: one difference, as large as what they are added to. */
static int slopes_difference_multiplier(lg_linearisation *lin, int column)
{
    const lg_slopes *o = &lin->slopes;
    const int count = o->numbers * lin->implicit_copy->plan.method.collocation_stages;
    const double e = fmax(1, lg_norm_max(o->fields, count));
    if (slopes_sample(lin, column, e, lin->plus) || slopes_sample(lin, column, -e, lin->minus)) return 1;
    for (int i = 0; i < count; i++) lin->best[i] = (lin->plus[i] - lin->minus[i]) / (2 * e);
    return 0;
}

static int slopes_difference_fields(lg_linearisation *lin)
{
    lg_slopes *o = &lin->slopes;
    const lg_plan *P = &lin->implicit_copy->plan;
    const int s = P->method.collocation_stages, e = P->element_size, n = P->n, flat = lg_plan_expands_stages(P);
    const lg_differenced f = {slopes_sample, 3, {e * s, (e + n) * s, o->numbers * s}, {0}};
    if (flat) lg_expansions_record(lin);
    if (slopes_sample(lin, LG_NO_COLUMN, 0, o->fields)) return 1;
    for (int c = 0; c < o->numbers + o->more; c++) {
        const int own = c < o->numbers;
        int bad = 0;
        if (c >= o->unknowns && own) continue; /* multipliers of the rate form */
        if (slopes_follows(lin, c - o->numbers)) continue;
        memset(lin->best, 0, sz(o->numbers * s) * sizeof *lin->best);
        lg_expansions_use(lin, flat && own);
        if (own && c >= e + n)
            bad = slopes_difference_multiplier(lin, c);
        else if (own)
            bad = lg_differentiate(lin, &f, c, c < e ? 1 : lin->scale[n + c - e]);
        else if (slopes_matters(lin, c - o->numbers))
            bad = slopes_differentiate_more(lin, &f, c, c - o->numbers);
        if (bad) return 1;
        if (slopes_is_polynomial(lin, c - o->numbers))
            slopes_store_nodes(lin, c - o->numbers);
        else
            slopes_store(lin, c);
    }
    return 0;
}

/* ---- all stages at once ---- */

/* The stages of the step just solved. */
static void slopes_place(lg_linearisation *lin)
{
    lg_slopes *o = &lin->slopes;
    const lg_collocation *C = lin->implicit_copy->workspace->collocation;
    const lg_plan *P = &lin->implicit_copy->plan;
    const int s = C->tableau.s, e = P->element_size, states = e + P->n;
    for (int r = 0; r < states; r++)
        for (int i = 0; i < s; i++)
            o->at[r * s + i] = (r < e ? lin->g[r] : lin->p[r - e]) +
                               slopes_length(lin) * lg_dot(C->tableau.a + i * s, C->rates + r * s, s);
    memcpy(o->at + states * s, C->rates + states * s, sz(P->m * s) * sizeof *o->at);
}

/* d(number r of stage j)/d(number c of it), or of `more`. */
static const double *slopes_entry(const lg_slopes *o, int s, int r, int c)
{
    return o->partial + (r * (o->numbers + o->more) + c) * s;
}

/* Row i of the matrix of all stages. */
static double *slopes_row(const lg_slopes *o, int i)
{
    return o->matrix + sz(i) * sz(o->stride);
}

static void slopes_assemble(lg_linearisation *lin)
{
    lg_slopes *o = &lin->slopes;
    const lg_tableau *T = &lin->implicit_copy->workspace->collocation->tableau;
    const int s = T->s, q = o->unknowns, all = s * q, states = slopes_states(lin);
    const double h = slopes_length(lin);
    memset(o->matrix, 0, sz(all) * sz(o->stride) * sizeof *o->matrix);
    for (int r = 0; r < q; r++)
        for (int c = 0; c < q; c++) {
            const double *d = slopes_entry(o, s, r, c);
            for (int i = 0; i < s; i++) {
                double *row = slopes_row(o, i * q + r) + c;
                for (int j = 0; j < s && r < states; j++) row[j * q] = -h * T->a[i * s + j] * d[j];
                if (r >= states) row[i * q] = d[i];
                if (r < states && r == c) row[i * q] += 1;
            }
        }
}

/* dk_j, dr_j of number r for input x by itself: what E_j dx is. */
static double slopes_direct(const lg_linearisation *lin, int x, int r, int j)
{
    const lg_slopes *o = &lin->slopes;
    const lg_tableau *T = &lin->implicit_copy->workspace->collocation->tableau;
    for (int k = 0; k < o->more; k++)
        if (slopes_column(lin, k) == x)
            return slopes_entry(o, T->s, r, o->numbers + k)[j] * (k == 0 ? lin->before + lin->share * T->c[j] : 1);
    return 0;
}

/* dz_0 of number r. */
static double slopes_depart(const lg_linearisation *lin, int x, int r)
{
    const int n = lin->implicit_copy->plan.n, e = lin->implicit_copy->plan.element_size;
    if (x >= 2 * n) return 0;
    return x < n ? (r < e ? lin->slopes.basis[r * n + x] : 0) : r == e + x - n;
}

/* Right side x, one of those behind the matrix. */
static void slopes_set_side(lg_linearisation *lin, int x)
{
    const lg_slopes *o = &lin->slopes;
    const lg_tableau *T = &lin->implicit_copy->workspace->collocation->tableau;
    const int s = T->s, q = o->unknowns, states = slopes_states(lin), at = lg_row_stride(s * q, 0) + x;
    const double h = slopes_length(lin), of_h = x == slopes_column(lin, 0) ? lin->share : 0;
    const int acts = x >= 2 * lin->implicit_copy->plan.n;
    for (int r = 0; r < q; r++)
        for (int i = 0; i < s; i++) {
            double sum = 0;
            for (int j = 0; acts && r < states && j < s; j++)
                sum += T->a[i * s + j] * (h * slopes_direct(lin, x, r, j) + of_h * o->fields[r * s + j]);
            slopes_row(o, i * q + r)[at] = r < states ? slopes_depart(lin, x, r) + sum : -slopes_direct(lin, x, r, i);
        }
}

/* The change of the state that arrives, from the solution for input x. */
static void slopes_advance(lg_linearisation *lin, int x)
{
    lg_slopes *o = &lin->slopes;
    const lg_tableau *T = &lin->implicit_copy->workspace->collocation->tableau;
    const int s = T->s, q = o->unknowns, states = slopes_states(lin), at = lg_row_stride(s * q, 0) + x;
    const double h = slopes_length(lin), of_h = x == slopes_column(lin, 0) ? lin->share : 0;
    for (int r = 0; r < states; r++) {
        double sum = 0;
        for (int j = 0; j < s; j++) {
            double dk = slopes_direct(lin, x, r, j);
            for (int c = 0; c < q; c++) dk += slopes_entry(o, s, r, c)[j] * slopes_row(o, j * q + c)[at];
            sum += T->b[j] * (h * dk + of_h * o->fields[r * s + j]);
        }
        o->change[r] = slopes_depart(lin, x, r) + sum;
    }
}

/* ---- elements and their algebra ---- */

/* basis = [g e_1^, ..., g e_n^], e x n. */
static int slopes_basis(lg_linearisation *lin, const double *g, double *basis)
{
    lg_workspace *w = lin->implicit_copy->workspace;
    const lg_plan *P = w->plan;
    const int n = P->n;
    double *dg = lin->slopes.change;
    memset(basis, 0, sz(P->element_size * n) * sizeof *basis);
    for (int k = 0; k < P->factor_count; k++) {
        const lg_factor_plan *f = &P->factors[k];
        for (int c = f->offset; c < f->offset + f->n; c++) {
            memset(lin->eta, 0, sz(n) * sizeof *lin->eta);
            lin->eta[c] = 1;
            if (lg_factor_rate(w, f, g + f->element_offset, lin->eta + f->offset, dg)) return 1;
            for (int i = 0; i < f->element_size; i++) basis[(f->element_offset + i) * n + c] = dg[i];
        }
    }
    return 0;
}

/* left = (B^T B)^-1 B^T of the basis B at g, factor by factor. */
static int slopes_left(lg_linearisation *lin, const double *g)
{
    lg_slopes *o = &lin->slopes;
    lg_workspace *w = lin->implicit_copy->workspace;
    const lg_plan *P = w->plan;
    const int n = P->n, e = P->element_size;
    double *B = o->arriving_basis;
    if (slopes_basis(lin, g, B)) return 1;
    memset(o->left, 0, sz(n * e) * sizeof *o->left);
    for (int k = 0; k < P->factor_count; k++) {
        const lg_factor_plan *f = &P->factors[k];
        for (int a = 0; a < f->n; a++)
            for (int b = 0; b < f->n; b++) {
                double sum = 0;
                for (int i = f->element_offset; i < f->element_offset + f->element_size; i++)
                    sum += B[i * n + f->offset + a] * B[i * n + f->offset + b];
                o->gram[a * f->n + b] = sum;
            }
        if (lg_cholesky(o->gram, f->n, NULL) != LG_OK)
            return lg_workspace_fail_status(w, LG_ERROR_SINGULAR, f->group->name);
        for (int i = f->element_offset; i < f->element_offset + f->element_size; i++) {
            memcpy(lin->eta, B + i * n + f->offset, sz(f->n) * sizeof *lin->eta);
            lg_cholesky_solve(o->gram, f->n, lin->eta);
            for (int a = 0; a < f->n; a++) o->left[(f->offset + a) * e + i] = lin->eta[a];
        }
    }
    return 0;
}

/* ---- the energy that is kept ---- */

static int slopes_sample_energy(lg_linearisation *lin, int column, double e, double *f)
{
    lg_workspace *w = lin->implicit_copy->workspace;
    double h;
    if (lg_stage_displace(lin, column, e, &h) || lg_collocation_energy(w, w->now, f)) return 1;
    return isfinite(*f) ? 0 : lg_workspace_fail_status(w, LG_ERROR_NOT_FINITE, "the energy");
}

/* H where the step departs: its derivative with respect to the momentum is the velocity. */
static int slopes_difference_energy(lg_linearisation *lin)
{
    lg_slopes *o = &lin->slopes;
    lg_workspace *w = lin->implicit_copy->workspace;
    const int n = w->plan->n, time = slopes_column(lin, 0);
    const lg_differenced f = {slopes_sample_energy, 1, {1}, {0}};
    memset(o->kept, 0, sz(lin->nx) * sizeof *o->kept);
    if (isnan(o->factor)) return 0;
    for (int c = 0; c < lin->nx; c++) {
        if ((c >= n && c < 2 * n) || c == time) continue;
        if (lg_differentiate_input(lin, &f, c, lin->scale[c], c)) return 1;
        o->kept[c] = lin->best[0];
    }
    double h;
    if (lg_stage_displace(lin, LG_NO_COLUMN, 0, &h)) return 1;
    lg_raise(w->plan, o->kept + n, w->now, lin->p);
    return 0;
}

/* ---- the node ---- */

/* y, T and V with one of eta, p that arrive, the factor, `more` displaced by e. */
static int slopes_sample_node(lg_linearisation *lin, int column, double e, double *y)
{
    lg_slopes *o = &lin->slopes;
    lg_workspace *w = lin->implicit_copy->workspace;
    const lg_plan *P = w->plan;
    const lg_rule *rule = P->method.rule;
    lg_collocation *C = w->collocation;
    lg_node *b = w->next;
    const int n = P->n;
    const double h = slopes_length(lin);
    double later;
    if (slopes_displace(lin, column > 2 * n ? column - 2 * n - 1 : LG_NO_COLUMN, e, &later)) return 1;
    memcpy(b->g, o->arriving_g, sz(P->element_size) * sizeof *b->g);
    memcpy(b->p_plus, o->arriving_p, sz(n) * sizeof *b->p_plus);
    if (column >= 0 && column < n && lg_linearisation_move(lin, b->g, o->arriving_g, column, e)) return 1;
    if (column >= n && column < 2 * n) b->p_plus[column - n] += e;
    C->factor = o->factor + (column == 2 * n ? e : 0);
    b->t = lin->t0 + (lin->before + lin->share) * lin->h + later;
    lin->expansions.next = 0;
    C->kinetic = C->potential = 0;
    if (rule->arrive(w, h, w->now, b) || rule->recall(w, b) || lg_stage_read(lin, h, y)) return 1;
    y[lin->ny] = C->kinetic, y[lin->ny + 1] = C->potential;
    if (lg_all_finite(y, lin->ny + 2)) return 0;
    return lg_workspace_fail_status(w, LG_ERROR_NOT_FINITE, "the new state");
}

/* Where the stages lead to; and once for all whether the node behind them keeps the energy of the state. */
static int slopes_settle_node(lg_linearisation *lin)
{
    lg_slopes *o = &lin->slopes;
    lg_workspace *w = lin->implicit_copy->workspace;
    lg_collocation *C = w->collocation;
    const lg_plan *P = w->plan;
    memcpy(o->arriving_g, w->next->g, sz(P->element_size) * sizeof *o->arriving_g);
    memcpy(o->arriving_p, w->next->p_plus, sz(P->n) * sizeof *o->arriving_p);
    if (P->method.rule->arrive(w, slopes_length(lin), w->now, w->next)) return 1;
    o->factor = C->factor;
    C->fixed = 1;
    return lg_linearisation_centre(lin);
}

/* The node's derivatives with respect to `column`, number k of `more`: of a polynomial those with respect to its end.
 */
static void slopes_store_node(lg_linearisation *lin, int column, int k)
{
    lg_slopes *o = &lin->slopes;
    const lg_controls *u = &lin->implicit_copy->workspace->collocation->controls;
    const int columns = 2 * lin->implicit_copy->plan.n + 1 + o->more, polynomial = slopes_is_polynomial(lin, k);
    for (int i = 0; i <= (polynomial ? u->degree : 0); i++)
        for (int r = 0; r < lin->ny + 2; r++)
            o->node[r * columns + column + i * u->count] = (polynomial ? u->to_end[i] : 1) * lin->best[r];
}

static int slopes_difference_node(lg_linearisation *lin)
{
    lg_slopes *o = &lin->slopes;
    const int n = lin->implicit_copy->plan.n, columns = 2 * n + 1 + o->more, ny = lin->ny;
    const lg_differenced f = {slopes_sample_node, 5, {n, 2 * n, ny, ny + 1, ny + 2}, {1}};
    memset(o->node, 0, sz((ny + 2) * columns) * sizeof *o->node);
    lg_expansions_record(lin);
    if (slopes_sample_node(lin, LG_NO_COLUMN, 0, lin->plus)) return 1;
    o->kinetic = lin->plus[ny];
    for (int c = 0; c < columns; c++) {
        const int k = c - 2 * n - 1; /* of `more` */
        if (k == -1 ? isnan(o->factor) : k >= 0 && !slopes_matters(lin, k)) continue;
        if (slopes_follows(lin, k)) continue;
        lg_expansions_use(lin, k < 0);
        if (k < 0 ? lg_differentiate(lin, &f, c, k == -1 ? 1 : lin->scale[c])
                  : slopes_differentiate_more(lin, &f, c, k))
            return 1;
        slopes_store_node(lin, c, k);
    }
    return 0;
}

/* ---- the step ---- */

/* How the factor changes with input x, from the other changes of the node's inputs. */
static double slopes_factor(const lg_linearisation *lin, int x)
{
    const lg_slopes *o = &lin->slopes;
    const int columns = 2 * lin->implicit_copy->plan.n + 1 + o->more;
    const double *T = o->node + lin->ny * columns, *V = T + columns, s = o->factor;
    if (isnan(s)) return 0;
    const double excess = o->kept[x] - lg_dot(V, o->node_change, columns);
    return (excess - s * s * lg_dot(T, o->node_change, columns)) / (2 * s * o->kinetic);
}

/* Column x of the step's J, from the change of the state that arrives. */
static void slopes_finish(lg_linearisation *lin, int x)
{
    lg_slopes *o = &lin->slopes;
    const int n = lin->implicit_copy->plan.n, e = lin->implicit_copy->plan.element_size, columns = 2 * n + 1 + o->more;
    lg_matvec(o->node_change, o->left, o->change, n, e);
    memcpy(o->node_change + n, o->change + e, sz(n) * sizeof *o->change);
    for (int k = 0; k < o->more; k++)
        o->node_change[2 * n + 1 + k] = slopes_column(lin, k) != x ? 0 : k == 0 ? lin->before + lin->share : 1;
    o->node_change[2 * n] = 0;
    o->node_change[2 * n] = slopes_factor(lin, x);
    for (int r = 0; r < lin->ny; r++) o->step[r * lin->nx + x] = lg_dot(o->node + r * columns, o->node_change, columns);
}

static int slopes_solve(lg_linearisation *lin)
{
    lg_slopes *o = &lin->slopes;
    lg_workspace *w = lin->implicit_copy->workspace;
    const int all = o->unknowns * w->plan->method.collocation_stages;
    slopes_assemble(lin);
    for (int x = 0; x < lin->nx; x++) slopes_set_side(lin, x);
    if (lg_collocation_eliminate(w, o->matrix, all, o->stride))
        return lg_workspace_fail_status(w, LG_ERROR_SINGULAR, "the Jacobian of the step");
    for (int x = 0; x < lin->nx; x++) {
        slopes_advance(lin, x);
        slopes_finish(lin, x);
    }
    return 0;
}

/* J of all steps so far. */
static void slopes_chain(lg_linearisation *lin)
{
    lg_slopes *o = &lin->slopes;
    const int n = lin->implicit_copy->plan.n, nx = lin->nx;
    double *J = lin->stages[0].partial, *state = o->state;
    memcpy(state, J, sz(2 * n * nx) * sizeof *J);
    memcpy(J, o->step, sz(lin->ny * nx) * sizeof *J);
    for (int r = 0; r < lin->ny && lin->before > 0; r++)
        for (int x = 0; x < nx; x++) {
            double sum = x < 2 * n ? 0 : o->step[r * nx + x];
            for (int c = 0; c < 2 * n; c++) sum += o->step[r * nx + c] * state[c * nx + x];
            J[r * nx + x] = sum;
        }
}

static int slopes_difference(lg_linearisation *lin)
{
    lg_slopes *o = &lin->slopes;
    slopes_place(lin);
    return slopes_settle_node(lin) || slopes_basis(lin, lin->g, o->basis) || slopes_left(lin, o->arriving_g) ||
           slopes_difference_energy(lin) || slopes_difference_fields(lin) || slopes_difference_node(lin);
}

/* The state at the end, from which the next step begins. */
static void slopes_go_on(lg_linearisation *lin, const double *g, const double *p)
{
    const lg_plan *P = &lin->implicit_copy->plan;
    slopes_chain(lin);
    memcpy(lin->g, g, sz(P->element_size) * sizeof *lin->g);
    memcpy(lin->p, p, sz(P->n) * sizeof *lin->p);
}

/* By tangents. */
static int slopes_differentiate_exactly(lg_linearisation *lin)
{
    lg_stage step = {.partial = lin->slopes.step};
    if (lg_stage_settle(lin) || lg_exact_differentiate(lin, &step)) return 1;
    slopes_go_on(lin, lin->exact.g1, lin->exact.p1);
    return 0;
}

int lg_slopes_differentiate(lg_linearisation *lin)
{
    if (lin->exact.width) return slopes_differentiate_exactly(lin);
    lg_collocation *C = lin->implicit_copy->workspace->collocation;
    int bad = lg_stage_settle(lin) || slopes_difference(lin);
    lg_expansions_use(lin, 0);
    bad = bad || slopes_sample_node(lin, LG_NO_COLUMN, 0, lin->plus) || slopes_solve(lin);
    C->fixed = 0;
    if (bad) return 1;
    slopes_go_on(lin, lin->implicit_copy->workspace->next->g, lin->implicit_copy->workspace->next->p_tilde);
    return 0;
}
