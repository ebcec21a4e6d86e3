/* SPDX-License-Identifier: BSD-3-Clause */
/* The layout of the public structs that grow (docs/conventions.md, binary compatibility): `size` comes first, and the
 * last member fills the last 8 bytes, so that no member can be added where an older struct has padding. Where pointers
 * have 4 bytes (WebAssembly) the library is an archive, linked into programs of the same headers. */
#include <liegrp/liegrp.h>

#include <stddef.h>

#define GROWS(type, last)                                                                                              \
    _Static_assert(offsetof(type, size) == 0, #type ": size is not the first member");                                 \
    ENDS(type, last)
#define ENDS(type, last)                                                                                               \
    _Static_assert(sizeof(void *) != 8 ||                                                                              \
                       (sizeof(((type *)0)->last) == 8 && offsetof(type, last) + 8 == sizeof(type)),                   \
                   #type ": the last member is not " #last ", 8 bytes wide")

GROWS(lg_batch, width);
GROWS(lg_body, attitude[3]);
GROWS(lg_ensemble_options, monitor);
GROWS(lg_event, tolerance);
GROWS(lg_gear, offset);
GROWS(lg_group, blocks);
GROWS(lg_groupoid, distance);
GROWS(lg_groupoid_system, covectors);
GROWS(lg_joint, friction_speed);
GROWS(lg_mechanism_file, attitude[3]);
GROWS(lg_model_definition, callbacks.arrays);
GROWS(lg_monitor_figures, growth_predictions);
GROWS(lg_motion_event, tolerance);
GROWS(lg_motion_options, own_retraction);
GROWS(lg_motor, joint);
GROWS(lg_retraction, supports);
GROWS(lg_resolution, turn);
GROWS(lg_run_options, read_provenance_context);
GROWS(lg_run_result, lift_time);
GROWS(lg_shape, trail);
GROWS(lg_sphere_contact, child_radius);
GROWS(lg_spring, damping);
GROWS(lg_system, callbacks.arrays);
GROWS(lg_wheel, ground_spin);
ENDS(lg_call, times); /* made by the library */
ENDS(lg_callbacks, arrays);
