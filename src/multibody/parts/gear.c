/* SPDX-License-Identifier: BSD-3-Clause */
/* Gears between positions of joints. */
#include "multibody/parts/part.h"
#include "multibody/rows/gear.h"

static const mb_field fields[] = {
    {"ratio", "-", offsetof(lg_gear, ratio)},
    {"offset", "rad", offsetof(lg_gear, offset)},
    {"quadratic", "1/rad", offsetof(lg_gear, quadratic)},
    {"cubic", "1/rad^2", offsetof(lg_gear, cubic)},
    {"quartic", "1/rad^3", offsetof(lg_gear, quartic)},
    {NULL, NULL, 0},
};

static int is_curved(const lg_gear *g)
{
    return g->quadratic != 0 || g->cubic != 0 || g->quartic != 0;
}

static lg_status check_gear(lg_mechanism *m, void *part)
{
    const lg_gear *own = part;
    if (!isfinite(own->ratio) || !isfinite(own->offset) || (own->ratio == 0 && own->driver != NULL && !is_curved(own)))
        return lg_fail(&m->error, LG_ERROR_ARGUMENT,
                       "gear '%.60s': ratio %g must be finite and not 0, offset %g finite", own->name, own->ratio,
                       own->offset);
    if (!isfinite(own->quadratic) || !isfinite(own->cubic) || !isfinite(own->quartic))
        return lg_fail(&m->error, LG_ERROR_ARGUMENT,
                       "gear '%.60s': quadratic %g, cubic %g and quartic %g must be finite", own->name, own->quadratic,
                       own->cubic, own->quartic);
    if (own->driver == NULL && (own->ratio != 0 || is_curved(own)))
        return lg_fail(
            &m->error, LG_ERROR_ARGUMENT,
            "gear '%.60s' has no driver: name one, or set ratio %g and the powers to 0, which holds the joint at the "
            "offset",
            own->name, own->ratio);
    return LG_OK;
}

static void gear_sides(lg_mechanism *m, mb_gear *g)
{
    int body[MB_SIDES_MOST], count = 0;
    for (int c = g->first < 0; c < 2; c++) {
        const mb_joint *j = &m->joint[m->coordinate[c ? g->second : g->first].joint];
        for (int s = 0; s < 2; s++) {
            const int b = s ? j->b : j->a;
            int at = 0;
            while (at < count && body[at] != b) at++;
            if (at == count) body[count++] = b;
            g->side[c][s] = at;
        }
    }
}

static lg_status make_gear(lg_mechanism *m, int i)
{
    const lg_gear *from = MB_GEAR_OF(m, i);
    mb_gear *g = &m->gear[i];
    g->first = -1;
    lg_status st = from->driver != NULL ? mb_driven(m, "gear", from->name, from->driver, &g->first) : LG_OK;
    if (st == LG_OK) st = mb_driven(m, "gear", from->name, from->joint, &g->second);
    if (st != LG_OK) return st;
    if (g->first == g->second)
        return lg_fail(&m->error, LG_ERROR_ARGUMENT, "gear '%.60s': joint and driver are both '%.60s'", from->name,
                       from->joint);
    g->ratio = from->ratio, g->offset = from->offset;
    g->curved = is_curved(from);
    g->curve[0] = from->quadratic, g->curve[1] = from->cubic, g->curve[2] = from->quartic;
    gear_sides(m, g);
    return LG_OK;
}

static int gear_blocks(const lg_mechanism *m, int i, int velocities, mb_block *block)
{
    const mb_gear *g = &m->gear[i];
    if (velocities) return 0;
    *block = (mb_block){.kind = MB_GEAR, .source = i, .rows = 1, .lengths = m->coordinate[g->second].slides};
    for (int c = g->first < 0; c < 2; c++)
        for (int s = 0; s < 2; s++) {
            const mb_joint *j = &m->joint[m->coordinate[c ? g->second : g->first].joint];
            block->body[g->side[c][s]] = s ? j->b : j->a;
            if (g->side[c][s] >= block->sides) block->sides = g->side[c][s] + 1;
        }
    return 1;
}

static lg_status check_gear_of_system(lg_mechanism *m, int i)
{
    const mb_gear *g = &m->gear[i];
    if (g->curved && !m->plan.coordinate[g->first].slides)
        return lg_fail(
            &m->error, LG_ERROR_UNSUPPORTED,
            "lg_mechanism_system: gear '%.60s': a configuration does not tell how often its driver has turned, "
            "so the driver of a gear with powers must be a length; use the sparse step",
            MB_GEAR_OF(m, i)->name);
    if (!mb_gear_turns(&m->plan, g) || mb_gear_denominator(g)) return LG_OK;
    return lg_fail(
        &m->error, LG_ERROR_UNSUPPORTED,
        "lg_mechanism_system: gear '%.60s': a configuration does not tell how often its joints have turned, "
        "so the ratio %.17g of two angles must be a fraction with a denominator up to %d; use the sparse step",
        MB_GEAR_OF(m, i)->name, m->gear[i].ratio, MB_DENOMINATOR_MOST);
}

static void describe_gear(lg_lines *l, const lg_mechanism *m, int i)
{
    lg_lines_text(l, "gear", MB_GEAR_OF(m, i)->name);
    lg_lines_number(l, "ratio", m->gear[i].ratio), lg_lines_number(l, "offset", m->gear[i].offset);
    for (int k = 0; k < 3 && m->gear[i].curved; k++) lg_lines_number(l, "curve", m->gear[i].curve[k]);
}

static const lg_gear standard = {.size = sizeof standard, .ratio = 1};

const mb_part_kind mb_gear_part = {
    .noun = "gear",
    .size = LG_SIZED_AS(lg_gear, ratio, "start from lg_gear_default()"),
    .standard = &standard,
    .strings = 3,
    .string = {offsetof(lg_gear, name), offsetof(lg_gear, joint), offsetof(lg_gear, driver)},
    .fields = fields,
    .check = check_gear,
    .numbers = sizeof(mb_gear),
    .make = make_gear,
    .blocks = gear_blocks,
    .check_system = check_gear_of_system,
    .describe = describe_gear,
};
