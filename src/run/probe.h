/* SPDX-License-Identifier: BSD-3-Clause */
/* What monitors ask beside the probes. */
#ifndef LG_RUN_PROBE_H
#define LG_RUN_PROBE_H

#include <liegrp/integrators/integrator.h>

/* 1 if lg_probe_growth() can find something: a reflection of velocity rows, once a step. */
int lg_has_parasitic_mode(const lg_integrator *it);

#endif
