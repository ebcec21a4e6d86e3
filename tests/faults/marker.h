/* SPDX-License-Identifier: BSD-3-Clause */
/** @file marker.h
 *  getsid() of this process, which there is not, tells the injector that main() begins, or ends. */
#ifndef TESTS_FAULTS_MARKER_H
#define TESTS_FAULTS_MARKER_H

#define FAULT_MARKER 0x4c474c47
#define FAULT_END    0x4c474c48

#endif
