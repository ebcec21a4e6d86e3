/* SPDX-License-Identifier: BSD-3-Clause */
/* list.h: the kinds of parts. NAME.c describes lg_NAME and ends in mb_NAME_kind (part.h). In this order parts are
 * compiled, and their rows and forces listed: forces between points after those of joints and motors. */
#ifndef LG_MULTIBODY_LIST_H
#define LG_MULTIBODY_LIST_H

#define MB_PART_LIST(X)                                                                                                \
    X(BODIES, body)                                                                                                    \
    X(JOINTS, joint)                                                                                                   \
    X(COORDINATES, coordinate)                                                                                         \
    X(TENDONS, tendon)                                                                                                 \
    X(WHEELS, wheel)                                                                                                   \
    X(MOTORS, motor)                                                                                                   \
    X(THRUSTERS, thruster)                                                                                             \
    X(SPRINGS, spring)                                                                                                 \
    X(GEARS, gear)                                                                                                     \
    X(SPHERE_CONTACTS, sphere_contact)                                                                                 \
    X(DRIVES, drive)                                                                                                   \
    X(SURFACES, surface)                                                                                               \
    X(SURFACE_PAIRS, surface_pair)

#define MB_PART_NUMBER(KIND, name) MB_##KIND,
enum { MB_PART_LIST(MB_PART_NUMBER) MB_KINDS };
#undef MB_PART_NUMBER

#endif
