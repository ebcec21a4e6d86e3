/* SPDX-License-Identifier: BSD-3-Clause */
#include "multibody/lead.h"

#include <math.h>
#include <string.h>

#include <liegrp/groups/so3.h>

#include "base/cubic.h"
#include "base/dense.h"
#include "base/small.h"

#define SAME_TIME 1e-10 /* of its length: a table reaches that much beyond its ends */
#define NOT_UNIT  1e-6  /* a quaternion whose length is off by more was not meant as a unit one */

/* w = 2 vec(b a^-1) of quaternions. */
static void turning(double *w, const double *b, const double *a)
{
    double across[3];
    small_cross(across, a, b);
    for (int k = 0; k < 3; k++) w[k] = 2 * (a[3] * b[k] - b[3] * a[k] + across[k]);
}

/* The pose of a table whose quaternions y, of any length, are cubics: q = y/|y| turns with w = 2 vec(y' y^-1)/|y|^2. */
static void from_quaternion(mb_led *to, const double *y, const double *rate, const double *bend)
{
    const double square = small_dot(4, y + 3, y + 3), change = 2 * small_dot(4, y + 3, rate + 3) / square;
    memcpy(to->pose, y, sizeof to->pose);
    lg_status_ignore(lg_so3_project(to->pose + 3, y + 3));
    memcpy(to->twist, rate, 3 * sizeof *rate), memcpy(to->acceleration, bend, 3 * sizeof *bend);
    turning(to->twist + 3, rate + 3, y + 3);
    turning(to->acceleration + 3, bend + 3, y + 3);
    for (int k = 3; k < 6; k++) {
        to->twist[k] /= square;
        to->acceleration[k] = to->acceleration[k] / square - change * to->twist[k];
    }
}

static int table_has(const lg_drive *d, double t)
{
    const double first = d->times[0], last = d->times[d->count - 1], slack = SAME_TIME * (last - first);
    return t >= first - slack && t <= last + slack;
}

static mb_stray_kind lead_by_table(const mb_follower *d, double t, mb_led *to)
{
    const lg_drive *own = d->motion;
    const double first = own->times[0], last = own->times[own->count - 1];
    double y[3][7] = {{0}};
    if (!table_has(own, t)) return MB_STRAY_TABLE;
    const double inside = fmin(fmax(t, first), last);
    lg_cubic_evaluate(y[0], y[1], y[2], own->times, own->values, d->second, own->count, d->coordinate < 0 ? 7 : 1,
                      inside);
    if (d->coordinate < 0)
        from_quaternion(to, y[0], y[1], y[2]);
    else
        to->pose[0] = y[0][0], to->twist[0] = y[1][0], to->acceleration[0] = y[2][0];
    return MB_STRAY_NONE;
}

static mb_stray_kind lead_by_function(const mb_follower *d, double t, mb_led *to, int *code)
{
    double m[19];
    const int numbers = d->coordinate < 0 ? 19 : 3;
    for (int i = 0; i < numbers; i++) m[i] = NAN;
    *code = d->motion->motion(t, m, d->motion->context);
    if (*code != 0) return MB_STRAY_CODE;
    if (!lg_all_finite(m, numbers)) return MB_STRAY_FINITE;
    if (d->coordinate >= 0) {
        to->pose[0] = m[0], to->twist[0] = m[1], to->acceleration[0] = m[2];
        return MB_STRAY_NONE;
    }
    memcpy(to->pose, m, 3 * sizeof *m);
    memcpy(to->twist, m + 7, sizeof to->twist), memcpy(to->acceleration, m + 13, sizeof to->acceleration);
    if (!(fabs(sqrt(small_dot(4, m + 3, m + 3)) - 1) <= NOT_UNIT)) return MB_STRAY_FINITE;
    return lg_so3_project(to->pose + 3, m + 3) == LG_OK ? MB_STRAY_NONE : MB_STRAY_FINITE;
}

int mb_lead(const mb_plan *plan, int i, double t, mb_led *to, mb_stray *why)
{
    const mb_follower *d = &plan->drive[i];
    *why = (mb_stray){MB_STRAY_NONE, i, 0, t};
    *to = (mb_led){.pose = {0, 0, 0, 0, 0, 0, 1}};
    why->kind = d->motion->motion != NULL ? lead_by_function(d, t, to, &why->code) : lead_by_table(d, t, to);
    return why->kind != MB_STRAY_NONE;
}

double mb_first_time(const mb_plan *plan)
{
    double first = -INFINITY, last = INFINITY;
    for (int i = 0; i < plan->drives; i++) {
        const lg_drive *d = plan->drive[i].motion;
        if (d->motion != NULL) continue;
        first = fmax(first, d->times[0]), last = fmin(last, d->times[d->count - 1]);
    }
    return first <= 0 && last >= 0 ? 0 : first;
}

int mb_tables_have(const mb_plan *plan, double t, mb_stray *why)
{
    for (int i = 0; i < plan->drives; i++) {
        const lg_drive *d = plan->drive[i].motion;
        if (d->motion != NULL || table_has(d, t)) continue;
        *why = (mb_stray){MB_STRAY_TABLE, i, 0, t};
        return 0;
    }
    return 1;
}

int mb_has_tables(const mb_plan *plan)
{
    int count = 0;
    for (int i = 0; i < plan->drives; i++) count += plan->drive[i].motion->motion == NULL;
    return count > 0;
}
