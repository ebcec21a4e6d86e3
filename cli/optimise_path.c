/* SPDX-License-Identifier: BSD-3-Clause */
/* What must hold at all nodes: --bound, of positions and velocities, and --avoid, a ball that a body stays out of. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/lib/columns.h"
#include "cli/lib/names.h"
#include "cli/lib/print.h"
#include "cli/optimise.h"
#include "groups/blocks.h"
#include "run/model_private.h"

#define PI 3.141592653589793

/* --bound ---------------------------------------------------------------------------------------------------------- */

/* The number of a state that column i is, of a mechanism of (q, v), of a system of (g, p); -1 after a message. */
static int number_of(const optimise_job *j, int column)
{
    const lg_model *M = j->run.S.M;
    const char *name = lg_model_column(M, column)->name, *command = j->run.command;
    if (j->run.S.R != NULL) {
        for (int i = 0; i < 2 * j->n; i++)
            if (optimise_joint_column(j, i) == column && !optimise_joint_turns(j, i)) return i;
        (void)cli_wrong(command, "--bound %s: an attitude has no bounds; name a position of a joint, or a place", name);
        return -1;
    }
    for (int k = 0; k < lg_group_block_count(M->group); k++) {
        int first;
        const lg_group_block b = cli_block(M, k, &first);
        if (column < first || column >= first + lg_block_columns(&b)) continue;
        if (b.kind != LG_BLOCK_PLANE_ROTATION && b.kind != LG_BLOCK_QUATERNION && b.kind != LG_BLOCK_MATRIX)
            return b.element + column - first;
        (void)cli_wrong(command, "--bound %s: an attitude has no bounds; name a coordinate or a place", name);
        return -1;
    }
    (void)cli_wrong(command, "--bound %s: velocities are bounded in mechanisms only; name a position", name);
    return -1;
}

static int take_bound(optimise_job *j, int option, const char *part)
{
    const lg_model *M = j->run.S.M;
    const char *equal = strchr(part, '=');
    double low, high;
    int column = 0;
    (void)option;
    if (equal == NULL || equal == part || !optimise_range(equal + 1, &low, &high))
        return cli_wrong(j->run.command, "--bound must be NAME=LOW:HIGH, got '%s'; -inf and inf are none", part);
    if (!(low < high)) return cli_wrong(j->run.command, "--bound %s: the first number must be below the second", part);
    const size_t length = (size_t)(equal - part);
    for (; column < lg_model_column_count(M); column++) {
        const lg_column *c = lg_model_column(M, column);
        if ((c->kind == LG_COLUMN_CONFIGURATION || c->kind == LG_COLUMN_VELOCITY) && strlen(c->name) == length &&
            strncmp(c->name, part, length) == 0)
            break;
    }
    if (column == lg_model_column_count(M))
        return cli_wrong(j->run.command, "--bound: %s has no position or velocity '%.*s'; liegrp info %s lists them",
                         j->run.S.name, (int)length, part, j->run.S.name);
    const int i = number_of(j, column);
    if (i < 0) return CLI_WRONG_USE;
    if (isfinite(j->state_low[i]) || isfinite(j->state_high[i]))
        return cli_wrong(j->run.command, "--bound %s: this one has bounds already", part);
    j->state_low[i] = low, j->state_high[i] = high;
    return CLI_WELL;
}

/* --avoid ---------------------------------------------------------------------------------------------------------- */

/* BODY=X,Y,Z,R or BODY=X,Y,Z,R,PX,PY,PZ. */
static int take_ball(optimise_job *j, int option, const char *part)
{
    const lg_mechanism *m = cli_mechanism_of(&j->run.S);
    const char *equal = strchr(part, '=');
    double number[7] = {0};
    int count = 0, used = 0;
    (void)option;
    for (const char *at = equal; at != NULL && count < 7; at = at[used] == ',' ? at + used : NULL) {
        char text[64];
        used = 1 + (int)strcspn(at + 1, ",");
        snprintf(text, sizeof text, "%.*s", used - 1, at + 1);
        if (!cli_number(text, &number[count++])) count = 8;
    }
    if (equal == NULL || equal == part || (count != 4 && count != 7) || !(number[3] > 0))
        return cli_wrong(j->run.command,
                         "--avoid must be BODY=X,Y,Z,R, or BODY=X,Y,Z,R,PX,PY,PZ for a point of the body, with R > 0, "
                         "got '%s'",
                         part);
    int body = -1;
    for (int i = 0; i < lg_mechanism_body_count(m); i++)
        if (strlen(lg_mechanism_body_name(m, i)) == (size_t)(equal - part) &&
            strncmp(lg_mechanism_body_name(m, i), part, (size_t)(equal - part)) == 0)
            body = i;
    if (body < 0)
        return cli_wrong(j->run.command, "--avoid: %s has no body '%.*s'; liegrp info %s lists them", j->run.S.name,
                         (int)(equal - part), part, j->run.S.name);
    lg_clearance *more = realloc(j->avoid, ((size_t)j->avoided + 1) * sizeof *more);
    if (more == NULL) return cli_wrong(j->run.command, "out of memory");
    j->avoid = more;
    lg_clearance *c = &more[j->avoided++];
    *c = lg_clearance_default(lg_mechanism_body_name(m, body));
    c->obstacle = LG_OBSTACLE_SPHERE, c->extent[0] = number[3];
    memcpy(c->place, number, sizeof c->place), memcpy(c->point, number + 4, sizeof c->point);
    return CLI_WELL;
}

int optimise_read_path(optimise_job *j, int argc, char **argv)
{
    const size_t numbers = (size_t)j->e + (size_t)j->n;
    const int bound = run_job_number(&j->run, "bound"), avoid = run_job_number(&j->run, "avoid");
    j->state_low = calloc(2 * numbers, sizeof *j->state_low), j->state_high = j->state_low + numbers;
    if (j->state_low == NULL) return cli_wrong(j->run.command, "out of memory");
    for (size_t i = 0; i < numbers; i++) j->state_low[i] = (double)-INFINITY, j->state_high[i] = (double)INFINITY;
    const int status = optimise_parts(j, argc, argv, bound, take_bound);
    return status == CLI_WELL ? optimise_parts(j, argc, argv, avoid, take_ball) : status;
}

/* What is said and shown of them ----------------------------------------------------------------------------------- */

void optimise_print_path(const optimise_job *j)
{
    static const double TOUCHES = 1e-3; /* of a radius */
    const int m = lg_optimum_path_count(j->o), steps = lg_optimum_steps(j->o);
    const double *c = lg_optimum_path(j->o);
    for (int i = 0; i < j->avoided; i++) {
        double least = (double)INFINITY;
        int touches = 0;
        for (int k = 0; k <= steps; k++) {
            least = fmin(least, c[k * m + i]);
            touches += c[k * m + i] < TOUCHES * j->avoid[i].extent[0];
        }
        cli_print(stderr, "ball %d: %s stays %.3g outside, and touches it at %d of %d nodes\n", i + 1, j->avoid[i].body,
                  fmax(least, 0), touches, steps + 1);
    }
}

/* A curve for each ball: how far the body is outside, at the nodes. */
static lg_status add_distances(const optimise_job *j, lg_view *v, double *x)
{
    const int m = lg_optimum_path_count(j->o), steps = lg_optimum_steps(j->o);
    const double *c = lg_optimum_path(j->o), h = j->run.o.motion.step;
    double *y = x + steps + 1;
    int chart = -1;
    lg_status status = lg_view_chart(v, &chart, "distances from balls, m", "Of points of bodies, at the nodes", "t", 0);
    for (int i = 0; status == LG_OK && i < j->avoided; i++) {
        char label[180];
        snprintf(label, sizeof label, "%.80s from ball %d", j->avoid[i].body, i + 1);
        for (int k = 0; k <= steps; k++) x[k] = j->run.controls.of[0].table.times[0] + k * h, y[k] = c[k * m + i];
        status = lg_view_curve(v, chart, label, i, 0, x, y, (int64_t)steps + 1);
    }
    return status;
}

lg_status optimise_add_distances(const optimise_job *j, lg_view *v)
{
    if (j->avoided == 0) return LG_OK;
    double *x = calloc(2 * ((size_t)lg_optimum_steps(j->o) + 1), sizeof *x);
    const lg_status status = x != NULL ? add_distances(j, v, x) : LG_ERROR_MEMORY;
    free(x);
    return status;
}

/* The balls become shapes of space in the model's scene. */
lg_status optimise_show_balls(const optimise_job *j)
{
    const lg_scene *scene;
    lg_status status = j->avoided > 0 ? lg_model_scene(j->run.S.M, &scene) : LG_OK;
    for (int i = 0; status == LG_OK && i < j->avoided; i++) {
        char name[32];
        snprintf(name, sizeof name, "ball %d", i + 1);
        lg_shape shape = lg_shape_default(name, LG_SHAPE_SPHERE, -1);
        memcpy(shape.position, j->avoid[i].place, sizeof shape.position);
        shape.dimensions[0] = j->avoid[i].extent[0], shape.colour[3] = 0.5;
        shape.colour[0] = 0.8, shape.colour[1] = shape.colour[2] = 0.2;
        status = lg_scene_add(j->run.S.M->scene, NULL, &shape);
    }
    return status;
}
