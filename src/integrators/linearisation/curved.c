/* SPDX-License-Identifier: BSD-3-Clause */
/* Second derivatives of a step without differences, contracted with weights w of its outputs (docs/theory.md section
 * 14). A stage solves F(z; x) = 0 and gives y = Y(z; x). With mu = F_z^-T Y_z^T w the sum s = w.Y - mu.F does not
 * change with z to first order, so its second derivatives along (x', z' = -F_z^-1 F_x x') are those of w.y: nothing is
 * solved but what first derivatives need. Of a composition every stage adds its own, with the weights and the changes
 * that reach it.
 *
 * The engine has s'' along curves (engine/tangent.h): along inputs a and b, in scales, and along their sum, 2 s_ab =
 * s_(a+b)(a+b) - s_aa - s_bb. */
#include <math.h>
#include <string.h>

#include "base/dense.h"
#include "integrators/linearisation/linearisation.h"

void lg_curved_carve(lg_linearisation *lin, lg_arena *a, const lg_integrator *copy)
{
    lg_curvature *o = &lin->curvature;
    const size_t nx = sz(lin->nx), width = sz(lin->nz) + nx;
    if (!lg_curved_width(copy)) return;
    o->scale = lg_take_doubles(a, nx);
    o->stage_weights = lg_take_doubles(a, sz(copy->plan.stages) * sz(lin->nz + lin->ny));
    o->columns = lg_take_doubles(a, nx * width), o->state = lg_take_doubles(a, nx * 2 * sz(copy->plan.n));
    o->directions = lg_take_doubles(a, width * LG_TANGENT_BLOCK), o->curve = lg_take_doubles(a, LG_TANGENT_BLOCK);
}

int lg_curved_inputs(const lg_linearisation *lin, int count)
{
    const int first = 2 * lin->implicit_copy->plan.n + lin->controls + 1; /* parameter, on which arrays may depend */
    if (!lin->exact.curved) return 0;
    return count <= first || !lin->arrays.make ? count : first;
}

/* The weights of F and the outputs at every stage. */
static void curved_weigh(lg_linearisation *lin, const double *weights)
{
    const int n2 = 2 * lin->implicit_copy->plan.n, nz = lin->nz, ny = lin->ny;
    memcpy(lin->output, weights, sz(ny) * sizeof *weights);
    for (int i = lin->implicit_copy->plan.stages - 1; i >= 0; i--) {
        double *to = lin->curvature.stage_weights + i * (nz + ny);
        memcpy(to + nz, lin->output, sz(ny) * sizeof *to);
        lg_linearisation_pull(lin, &lin->stages[i]);
        for (int k = 0; k < nz; k++) to[k] = -lin->input[k];
        memcpy(lin->output, lin->input + nz, sz(n2) * sizeof *to);
        memset(lin->output + n2, 0, sz(ny - n2) * sizeof *to); /* the last stage's multipliers only */
    }
}

/* The changes of (z, x) at stage i along every input, and those of the state behind it. */
static void curved_move(lg_linearisation *lin, int i, int count)
{
    lg_curvature *o = &lin->curvature;
    const int n2 = 2 * lin->implicit_copy->plan.n, nz = lin->nz, width = nz + lin->nx;
    for (int j = 0; j < count; j++) {
        double *x = lin->input + nz;
        memset(x, 0, sz(lin->nx) * sizeof *x);
        x[j] = isnan(o->scale[j]) ? 0 : o->scale[j];
        if (i) memcpy(x, o->state + j * n2, sz(n2) * sizeof *x);
        if (i + 1 < lin->implicit_copy->plan.stages) {
            lg_linearisation_push(lin, &lin->stages[i]);
            memcpy(o->state + j * n2, lin->output, sz(n2) * sizeof *x);
        } else
            lg_linearisation_respond(lin, &lin->stages[i]);
        memcpy(o->columns + j * width, lin->input, sz(width) * sizeof *x);
    }
}

/* Direction q of the block: along inputs a and b <= a. */
static void curved_direct(lg_linearisation *lin, int q, int a, int b)
{
    const lg_curvature *o = &lin->curvature;
    const int width = lin->nz + lin->nx;
    const double *x = o->columns + a * width, *y = o->columns + b * width;
    for (int r = 0; r < width; r++) o->directions[r * LG_TANGENT_BLOCK + q] = a == b ? x[r] : x[r] + y[r];
}

/* Adds the second derivatives of stage i, a block of pairs of inputs after another. */
static int curved_stage(lg_linearisation *lin, double *H, int stride, int i, int count)
{
    const lg_curvature *o = &lin->curvature;
    const double *weights = o->stage_weights + i * (lin->nz + lin->ny);
    int q = 0, from[2] = {0, 0};
    for (int a = 0; a < count; a++)
        for (int b = 0; b <= a; b++) {
            curved_direct(lin, q++, a, b);
            if (q < LG_TANGENT_BLOCK && (a + 1 < count || b < a)) continue;
            if (lg_exact_curve(lin, &lin->stages[i], weights, q)) return 1;
            for (int k = 0; k < q; k++) {
                H[from[0] * stride + from[1]] += o->curve[k];
                if (from[1]++ == from[0]) from[0]++, from[1] = 0;
            }
            q = 0;
        }
    return 0;
}

/* From second derivatives along inputs and their sums those of pairs, out of scales. */
static void curved_polarise(const lg_linearisation *lin, double *H, int stride, int count)
{
    const double *scale = lin->curvature.scale;
    for (int a = 0; a < count; a++)
        for (int b = 0; b < a; b++) {
            const double twice = H[a * stride + b] - H[a * stride + a] - H[b * stride + b];
            H[a * stride + b] = H[b * stride + a] = 0.5 * twice / (scale[a] * scale[b]);
        }
    for (int a = 0; a < count; a++) H[a * stride + a] /= scale[a] * scale[a];
}

int lg_curved(lg_linearisation *lin, double *H, int stride, const double *weights, int count)
{
    const lg_plan *P = &lin->implicit_copy->plan;
    for (int a = 0; a < count; a++) memset(H + a * stride, 0, sz(count) * sizeof *H);
    memset(lin->curvature.directions, 0, sz((lin->nz + lin->nx) * LG_TANGENT_BLOCK) * sizeof *H);
    lg_wide_set_numbers(lin->exact.curved, lg_wide_width(lin->exact.curved) - 1, lin->implicit_copy->workspace);
    curved_weigh(lin, weights);
    lin->before = 0;
    for (int i = 0; i < P->stages; i++) {
        lin->share = lg_plan_stage(P, i);
        lin->ratio = i + 1 < P->stages ? lg_plan_stage(P, i + 1) / lin->share : 0;
        curved_move(lin, i, count);
        if (curved_stage(lin, H, stride, i, count)) return 1;
        lin->before += lin->share;
    }
    curved_polarise(lin, H, stride, count);
    return 0;
}
