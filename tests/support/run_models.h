/* SPDX-License-Identifier: BSD-3-Clause */
/** @file run_models.h
 *  Models with features that the catalog's lack: a rod on a moving pivot (holonomic constraint), a sleigh with
 *  motors (controls), two links with J(q) and an artificial discrete Lagrangian. */
#ifndef TESTS_SUPPORT_RUN_MODELS_H
#define TESTS_SUPPORT_RUN_MODELS_H

#include <liegrp/liegrp.h>

extern const lg_model_definition run_models_rod, run_models_sleigh, run_models_links;

#endif
