/* SPDX-License-Identifier: BSD-3-Clause */
/** @file liegrp.h
 *  All of the library: `#include <liegrp/liegrp.h>`. */
#ifndef LIEGRP_LIEGRP_H
#define LIEGRP_LIEGRP_H

#include "base/elementary.h"
#include "base/export.h"
#include "base/random.h"
#include "base/status.h"
#include "base/version.h"
#include "base/width.h"
#include "catalog/catalog.h"
#include "groupoids/gni.h"
#include "groupoids/groupoid.h"
#include "groups/group.h"
#include "groups/se2.h"
#include "groups/se3.h"
#include "groups/so2.h"
#include "groups/so3.h"
#include "reduction/chaplygin.h"
#include "integrators/diagnostics.h"
#include "integrators/event.h"
#include "integrators/integrator.h"
#include "integrators/linearisation.h"
#include "mechanics/pullback.h"
#include "mechanics/system.h"
#include "multibody/mechanism.h"
#include "multibody/motion.h"
#include "multibody/motion_ensemble.h"
#include "multibody/motion_event.h"
#include "retractions/batch.h"
#include "retractions/retraction.h"
#include "run/convergence.h"
#include "run/ensemble.h"
#include "run/model.h"
#include "run/monitor.h"
#include "run/run.h"
#include "run/trend.h"

#endif
