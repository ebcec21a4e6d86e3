/* SPDX-License-Identifier: BSD-3-Clause */
/* The engine is compiled once a width (src/meson.build `widths`). Beyond width 1 its functions and tables carry the
 * width in their names: lg_workspace_step is lg_workspace_step_x4 in the object. This list is the only place that
 * knows; what is not in it exists at width 1 alone. */
#ifndef LG_INTEGRATORS_NAMES_H
#define LG_INTEGRATORS_NAMES_H

#include "base/lane.h"

#if LANES > 1

#define LG_WIDE_JOIN(name, width) name##_x##width
#define LG_WIDE_NAME(name, width) LG_WIDE_JOIN(name, width)
#define LG_WIDE(name)             LG_WIDE_NAME(name, LANES)

#define lg_rule_none             LG_WIDE(lg_rule_none)
#define lg_rule_reflection       LG_WIDE(lg_rule_reflection)
#define lg_rule_shared           LG_WIDE(lg_rule_shared)
#define lg_inner_variational     LG_WIDE(lg_inner_variational)
#define lg_inner_energy_momentum LG_WIDE(lg_inner_energy_momentum)

#define lg_workspace_bytes             LG_WIDE(lg_workspace_bytes)
#define lg_workspace_bind              LG_WIDE(lg_workspace_bind)
#define lg_workspace_constants         LG_WIDE(lg_workspace_constants)
#define lg_workspace_block             LG_WIDE(lg_workspace_block)
#define lg_workspace_node              LG_WIDE(lg_workspace_node)
#define lg_workspace_state             LG_WIDE(lg_workspace_state)
#define lg_workspace_history           LG_WIDE(lg_workspace_history)
#define lg_state_size                  LG_WIDE(lg_state_size)
#define lg_history_size                LG_WIDE(lg_history_size)
#define lg_workspace_forget            LG_WIDE(lg_workspace_forget)
#define lg_workspace_evaluate_rows     LG_WIDE(lg_workspace_evaluate_rows)
#define lg_workspace_evaluate_gradient LG_WIDE(lg_workspace_evaluate_gradient)
#define lg_workspace_evaluate          LG_WIDE(lg_workspace_evaluate)
#define lg_workspace_step              LG_WIDE(lg_workspace_step)
#define lg_workspace_back              LG_WIDE(lg_workspace_back)
#define lg_row_residual                LG_WIDE(lg_row_residual)
#define lg_raise                       LG_WIDE(lg_raise)
#define lg_lower                       LG_WIDE(lg_lower)
#define lg_evaluate                    LG_WIDE(lg_evaluate)
#define lg_evaluate_rows               LG_WIDE(lg_evaluate_rows)
#define lg_lanes_carve                 LG_WIDE(lg_lanes_carve)
#define lg_lane_by_lane                LG_WIDE(lg_lane_by_lane)
#define lg_invert_metric               LG_WIDE(lg_invert_metric)
#define lg_variational_advance         LG_WIDE(lg_variational_advance)
#define lg_variational_target          LG_WIDE(lg_variational_target)
#define lg_depart_state                LG_WIDE(lg_depart_state)
#define lg_arrive_state                LG_WIDE(lg_arrive_state)
#define lg_begin_state                 LG_WIDE(lg_begin_state)
#define lg_reflect                     LG_WIDE(lg_reflect)
#define lg_kick_rows                   LG_WIDE(lg_kick_rows)
#define lg_project_hidden              LG_WIDE(lg_project_hidden)
#define lg_factor_choose         LG_WIDE(lg_factor_choose)
#define lg_factor_rn             LG_WIDE(lg_factor_rn)
#define lg_factor_torus          LG_WIDE(lg_factor_torus)
#define lg_factor_so2            LG_WIDE(lg_factor_so2)
#define lg_factor_so3            LG_WIDE(lg_factor_so3)
#define lg_factor_se2            LG_WIDE(lg_factor_se2)
#define lg_factor_se3            LG_WIDE(lg_factor_se3)
#define lg_factor_quadratic      LG_WIDE(lg_factor_quadratic)
#define lg_factor_generic        LG_WIDE(lg_factor_generic)
#define lg_transport_all               LG_WIDE(lg_transport_all)
#define lg_solve_implicit              LG_WIDE(lg_solve_implicit)
#define lg_history_push                LG_WIDE(lg_history_push)
#define lg_history_undo                LG_WIDE(lg_history_undo)
#define lg_history_copy                LG_WIDE(lg_history_copy)
#define lg_implicit_residual           LG_WIDE(lg_implicit_residual)
#define lg_implicit_size               LG_WIDE(lg_implicit_size)
#define lg_implicit_gather             LG_WIDE(lg_implicit_gather)
#define lg_implicit_scatter            LG_WIDE(lg_implicit_scatter)
#define lg_frame                       LG_WIDE(lg_frame)
#define lg_polar                       LG_WIDE(lg_polar)
#define lg_eliminate                   LG_WIDE(lg_eliminate)
#define lg_energy_momentum_rates       LG_WIDE(lg_energy_momentum_rates)

#define LG_WIDTH_1(hook)    NULL /* a hook that a wide step never calls */
#define LG_AT_WIDTH_1(call) 1    /* a call that a wide step gives up instead of */

#else

#define LG_WIDTH_1(hook)    hook
#define LG_AT_WIDTH_1(call) call

#endif

#endif
