/* SPDX-License-Identifier: BSD-3-Clause */
/* Numbers of parts by name; of rows and freedoms. */
#include "multibody/mechanism.h"

int lg_mechanism_body(const lg_mechanism *m, const char *name)
{
    return m != NULL ? mb_find(m, MB_BODIES, name) : -1;
}

int lg_mechanism_joint(const lg_mechanism *m, const char *name)
{
    return m != NULL ? mb_find(m, MB_JOINTS, name) : -1;
}

int lg_mechanism_row_count(const lg_mechanism *m)
{
    return m != NULL ? m->all_rows - m->plan.rotor_rows - MB_SHARE_ROWS * m->hidden : 0;
}

int lg_mechanism_rank(const lg_mechanism *m)
{
    return m != NULL ? m->plan.rows - m->plan.rotor_rows - MB_SHARE_ROWS * m->hidden : 0;
}

int lg_mechanism_freedoms(const lg_mechanism *m)
{
    return m != NULL ? mb_freedoms(&m->plan) : 0;
}

const char *lg_mechanism_redundant(const lg_mechanism *m, int i)
{
    return m != NULL && i >= 0 && i < m->plan.excess_count ? m->redundant[i] : NULL;
}
