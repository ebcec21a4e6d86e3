/* SPDX-License-Identifier: BSD-3-Clause */
/* Derivatives of a stage of a step by numbers that carry them (base/tangent.h): the part of tangent.c that C may use.
 * A workspace of such numbers is a wide workspace (wide.h) with one lane a direction, and a last lane that holds the
 * values.
 *
 * Callbacks of the catalog understand these numbers. Others see values alone: their derivatives come from outside, one
 * for each input that they have, and the chain rule does the rest. */
#ifndef LG_INTEGRATORS_TANGENT_H
#define LG_INTEGRATORS_TANGENT_H

/* What lg_tangent_task::call evaluates: an lg_callback_kind, or the velocity rows (m x n) and the drift (n), or their
 * derivatives along xi. */
enum { LG_TANGENT_ROWS = -1, LG_TANGENT_ROW_RATES = -2 };

/* A stage: a sub-step of a step from t0 that begins at t0 + before h and is share h long. The inputs are z, the state
 * g exp(eta) and p, the controls, h and the parameters, in this order; the outputs F (nz numbers), eta, p and lambda.
 */
typedef struct lg_tangent_task {
    double t0, h, before, share;
    double ratio;                       /* of the next stage's length to this one's; 0: no next stage */
    const double *g, *p;                /* the state */
    const double *z;                    /* the solution of an implicit step; of collocation, its rates */
    const double *parameters, *control; /* values */
    int controls;                       /* number of these */
    const double *to_stages, *to_end;   /* NULL, or they are values at control_nodes nodes of polynomials, node after
                                           node, and these give the controls at a stage, and at the end, from nodes */
    int control_nodes;
    const double *constants; /* derivatives of the workspace's constants, parameter after parameter, in the order of
                                lg_workspace_constants() and lg_workspace_block(); NULL: they are 0 */
    int constants_count;     /* number of these for each parameter */

    /* A callback at (t, g), and at xi where it takes a velocity: sets `value`, `count` numbers, `slope`, their
     * derivatives with respect to input j at slope + j count where acts[j] is set, and `left` at g. The inputs are g
     * (`elements`: eta, or its numbers), xi (n), t, the controls and the parameters. 0, or what the callback returned;
     * then `failed` names it. */
    int (*call)(struct lg_tangent_task *o, int kind, double t, const double *g, const double *xi, int count);
    /* basis[j] = d g exp(s e_j), left[j] = the row that gives eta_j of a change of g: n x e. 0, or a failure's code. */
    int (*chart)(struct lg_tangent_task *o, const double *g);
    void *context;
    int elements; /* n, or where stages leave the group e */
    double *value, *slope;
    _Bool *acts;
    double *basis, *left;
    const char *failed;

    int first;           /* the input that is direction 0 of this pass */
    int first_control;   /* the input that is the first control, */
    int first_parameter; /* and the first parameter */
    double *partial;     /* output: derivatives, (nz + 2 n + m) x width; only the columns of these inputs are written */
    int width;
    double *g1, *p1; /* output: the state after the stage */

    /* Second derivatives: `partial` and p1 are not written then, and `first` is a direction. */
    int count;                /* of directions */
    const double *directions; /* input after input, `stride` numbers each: its change along them, and zeros */
    int stride;               /* LG_TANGENT_BLOCK, of which `count` are directions */
    const double *weights;    /* of F, eta, p and lambda */
    double *curve; /* output: along each direction the second derivative of their weighted sum, eta being log(g_1^-1 g),
                      where z changes as z does and no faster */
} lg_tangent_task;

/* A multiple of the directions of a pass with second derivatives, at every width. */
enum { LG_TANGENT_BLOCK = 48 };

#endif
