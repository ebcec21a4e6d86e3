/* SPDX-License-Identifier: BSD-3-Clause */
/* The engine is compiled once a width (src/meson.build `widths`). Beyond width 1 its functions and tables carry the
 * width in their names: lg_work_step is lg_work_step_x4 in the object. This list is the only place that knows; what is
 * not in it exists at width 1 alone. */
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

#define lg_work_bytes             LG_WIDE(lg_work_bytes)
#define lg_work_bind              LG_WIDE(lg_work_bind)
#define lg_work_constants         LG_WIDE(lg_work_constants)
#define lg_work_block             LG_WIDE(lg_work_block)
#define lg_work_node              LG_WIDE(lg_work_node)
#define lg_work_state             LG_WIDE(lg_work_state)
#define lg_work_memory            LG_WIDE(lg_work_memory)
#define lg_state_size             LG_WIDE(lg_state_size)
#define lg_memory_size            LG_WIDE(lg_memory_size)
#define lg_work_forget            LG_WIDE(lg_work_forget)
#define lg_work_evaluate_rows     LG_WIDE(lg_work_evaluate_rows)
#define lg_work_evaluate_gradient LG_WIDE(lg_work_evaluate_gradient)
#define lg_work_evaluate          LG_WIDE(lg_work_evaluate)
#define lg_work_step              LG_WIDE(lg_work_step)
#define lg_work_back              LG_WIDE(lg_work_back)
#define lg_row_residual           LG_WIDE(lg_row_residual)
#define lg_raise                  LG_WIDE(lg_raise)
#define lg_lower                  LG_WIDE(lg_lower)
#define lg_ask                    LG_WIDE(lg_ask)
#define lg_ask_rows               LG_WIDE(lg_ask_rows)
#define lg_lanes_carve            LG_WIDE(lg_lanes_carve)
#define lg_lane_by_lane           LG_WIDE(lg_lane_by_lane)
#define lg_invert_metric          LG_WIDE(lg_invert_metric)
#define lg_variational_advance    LG_WIDE(lg_variational_advance)
#define lg_variational_target     LG_WIDE(lg_variational_target)
#define lg_depart_state           LG_WIDE(lg_depart_state)
#define lg_arrive_state           LG_WIDE(lg_arrive_state)
#define lg_begin_state            LG_WIDE(lg_begin_state)
#define lg_reflect                LG_WIDE(lg_reflect)
#define lg_kick_rows              LG_WIDE(lg_kick_rows)
#define lg_project_hidden         LG_WIDE(lg_project_hidden)
#define lg_flow_choose            LG_WIDE(lg_flow_choose)
#define lg_arc_choose             LG_WIDE(lg_arc_choose)
#define lg_arc_is_exponential     LG_WIDE(lg_arc_is_exponential)
#define lg_arc_is_geodesic        LG_WIDE(lg_arc_is_geodesic)
#define lg_transport_all          LG_WIDE(lg_transport_all)
#define lg_solve_open             LG_WIDE(lg_solve_open)
#define lg_remember               LG_WIDE(lg_remember)
#define lg_unremember             LG_WIDE(lg_unremember)
#define lg_copy_memory            LG_WIDE(lg_copy_memory)
#define lg_open_residual          LG_WIDE(lg_open_residual)
#define lg_open_size              LG_WIDE(lg_open_size)
#define lg_open_gather            LG_WIDE(lg_open_gather)
#define lg_open_scatter           LG_WIDE(lg_open_scatter)
#define lg_frame                  LG_WIDE(lg_frame)
#define lg_polar                  LG_WIDE(lg_polar)
#define lg_eliminate              LG_WIDE(lg_eliminate)
#define lg_energy_momentum_rates  LG_WIDE(lg_energy_momentum_rates)

#define LG_WIDTH_1(hook)    NULL /* a hook that a wide step never calls */
#define LG_AT_WIDTH_1(call) 1    /* a call that a wide step gives up instead of */

#else

#define LG_WIDTH_1(hook)    hook
#define LG_AT_WIDTH_1(call) call

#endif

#endif
