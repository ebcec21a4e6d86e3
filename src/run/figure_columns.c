/* SPDX-License-Identifier: BSD-3-Clause */
#include "run/figure_columns.h"

#include <math.h>
#include <string.h>

/* In their order. Which kinds of work there are depends on parts, not on their numbers: columns stay where these are
 * set. */
static const lg_figure_column figures[] = {
    {"energy", "J", "energy H = T + V", {0}, 0, -1},
    {"work", "J", "work of motors, drives, dampers, moving ground and wrenches since the start", {0}, 0, -1},
    {"motors",
     "J",
     "work of motors without gains and of thrusters since the start",
     {MB_MOTORS, MB_THRUSTERS},
     2,
     LG_WORK_MOTORS},
    {"drives", "J", "work of drives since the start", {MB_DRIVES}, 1, LG_WORK_DRIVES},
    {"servos", "J", "work of servos since the start", {MB_MOTORS}, 1, LG_WORK_SERVOS},
    {"dampers", "J", "work of dampers since the start", {MB_JOINTS, MB_SPRINGS, MB_TENDONS}, 3, LG_WORK_DAMPERS},
    {"ground", "J", "work of the moving ground below wheels since the start", {MB_WHEELS}, 1, LG_WORK_GROUND},
    {"friction", "J", "loss to dry friction since the start", {MB_JOINTS}, 1, LG_WORK_FRICTION},
    {"gap", "rows", "how far joints, wheels and gears are open, largest |phi|", {0}, 0, -1},
    {"slip", "rows", "largest residual of all rows of velocities, |A xi - drift|", {0}, 0, -1},
};
enum { FIGURES = sizeof figures / sizeof *figures };

const lg_figure_column *lg_figure_column_at(const lg_mechanism *m, int i)
{
    for (int k = 0; k < FIGURES; k++) {
        int parts = figures[k].count == 0;
        for (int p = 0; p < figures[k].count; p++) parts += m->part[figures[k].parts[p]].count;
        if (parts > 0 && i-- == 0) return &figures[k];
    }
    return NULL;
}

int lg_figure_column_count(const lg_mechanism *m)
{
    int count = 0;
    while (lg_figure_column_at(m, count) != NULL) count++;
    return count;
}

int lg_is_figure(const lg_mechanism *m, const char *name)
{
    const lg_figure_column *own;
    for (int i = 0; (own = lg_figure_column_at(m, i)) != NULL; i++)
        if (strcmp(own->name, name) == 0) return 1;
    return 0;
}

double *lg_figure_row(double *at, const mb_sparse *mo, double work, const double *account)
{
    const lg_figure_column *own;
    *at++ = mb_sparse_energy(mo);
    *at++ = work;
    for (int i = 2; (own = lg_figure_column_at(mo->mechanism, i))->work >= 0; i++)
        *at++ = account == NULL ? NAN : own->work < LG_WORK_FRICTION ? account[own->work] : 0 - account[own->work];
    *at++ = mb_sparse_gap(mo);
    *at++ = mb_sparse_slip(mo);
    return at;
}
