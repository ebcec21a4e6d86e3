/* SPDX-License-Identifier: BSD-3-Clause */
/** @file marker.h
 *  This signal tells the injector that main() begins, getsid() of this process, which there is not, that it ends. */
#ifndef TESTS_FAULTS_MARKER_H
#define TESTS_FAULTS_MARKER_H

#include <signal.h>

#define FAULT_BEGIN SIGUSR1
#define FAULT_END   0x4c474c48

#endif
