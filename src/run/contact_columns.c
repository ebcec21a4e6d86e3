/* SPDX-License-Identifier: BSD-3-Clause */
#include "run/contact_columns.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/dense.h"
#include "groups/rotation.h"
#include "multibody/contact/near.h"
#include "multibody/parts/joint.h"

enum { COLUMNS = 4 };
static const struct {
    const char *name, *unit, *meaning;
} columns[COLUMNS] = {
    {"gap", "m", "gap of a contact; of a stop the room to it, m or rad"},
    {"n", "N", "normal force of a contact, mean of the last step; of a stop N or N m"},
    {"t", "N", "friction of a contact, mean of the last step; of a joint N or N m"},
    {"mode", "-", "0: the contact is open, 1: it sticks, 2: it slips"},
};

/* Contacts that are always there: those of slots come and go. */
static int fixed(const mb_plan *plan)
{
    return plan->near != NULL ? plan->near->first : plan->contacts;
}

static int shown(const lg_mechanism *m)
{
    return fixed(&m->plan) <= LG_CONTACTS_SHOWN ? fixed(&m->plan) : 0;
}

int lg_contact_column_count(const lg_mechanism *m)
{
    return m->plan.contacts > 0 ? 1 + COLUMNS * shown(m) : 0;
}

/* How many contacts of the same surfaces come before it, and how many there are. */
static int number_of(const mb_plan *plan, int i, int *all)
{
    const mb_contact *own = &plan->contact[i];
    int before = 0;
    *all = 0;
    for (int k = 0; k < fixed(plan); k++) {
        const mb_contact *c = &plan->contact[k];
        if (c->kind <= MB_CONTACT_DRY || c->wheel != own->wheel) continue;
        if (memcmp(c->surface, own->surface, sizeof c->surface) != 0) continue;
        before += k < i, ++*all;
    }
    return before;
}

/* "skin_ground", "sole_ground_3" of several; "hinge_lower", "hinge_upper", "hinge_dry". */
static void name_of(char *name, size_t room, const lg_mechanism *m, int i)
{
    const mb_contact *c = &m->plan.contact[i];
    int all;
    if (c->kind <= MB_CONTACT_DRY) {
        const char *end = c->kind == MB_CONTACT_DRY ? "dry" : c->side > 0 ? "lower" : "upper";
        (void)snprintf(name, room, "%.120s_%s", MB_JOINT_OF(m, m->plan.coordinate[c->source].joint)->name, end);
        return;
    }
    const int number = number_of(&m->plan, i, &all);
    const int at = snprintf(name, room, "%.120s_%.120s", mb_contact_side(m, c, 1), mb_contact_side(m, c, 0));
    if (all > 1 && at > 0) (void)snprintf(name + at, room - (size_t)at, "_%d", number + 1);
}

char *lg_contact_column(const lg_mechanism *m, const char **unit, const char **meaning, int i)
{
    char name[300], *column = malloc(sizeof name + 8);
    if (column == NULL) return NULL;
    if (i == COLUMNS * shown(m)) {
        *unit = "-", *meaning = "impacts since the start";
        return strcpy(column, "impacts");
    }
    name_of(name, sizeof name, m, i / COLUMNS);
    *unit = columns[i % COLUMNS].unit, *meaning = columns[i % COLUMNS].meaning;
    (void)snprintf(column, sizeof name + 8, "%s_%s", name, columns[i % COLUMNS].name);
    return column;
}

double *lg_contact_row(double *at, const mb_sparse *mo)
{
    if (mo->plan.contacts == 0) return at;
    for (int i = 0; i < shown(mo->mechanism); i++, at += COLUMNS) {
        lg_contact_state s;
        for (int k = 0; k < COLUMNS; k++) at[k] = NAN;
        if (lg_motion_contact(&mo->head, &s, i) != LG_OK) continue;
        const int dry = mo->plan.contact[i].kind == MB_CONTACT_DRY;
        const double normal = s.joint >= 0 ? s.force[0] : lg_dot(s.force, s.normal, 3);
        double t[3];
        for (int k = 0; k < 3; k++) t[k] = s.force[k] - normal * s.normal[k];
        at[0] = s.gap, at[1] = dry ? 0 : normal;
        at[2] = s.joint < 0 ? lg_length(t, 3) : dry ? s.force[0] : 0, at[3] = s.mode;
    }
    *at++ = (double)lg_motion_impacts(&mo->head);
    return at;
}
